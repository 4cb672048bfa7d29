"""Training: a strategy's weights are tuned by CMA-ES, and what is found is measured beside what it started from.

Training has a luck of its own, fresh in each generation. What is told was measured on luck that had no part in it, and
only a gain that chance does not explain is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Playable, Scenario, StrategySpec, as_scenario
from hardmode.scenarios.strategy import Slips, spec
from hardmode.sim.draws import SCHEME
from hardmode.sim.files import atomic_files
from hardmode.sim.play.engine import Player
from hardmode.sim.play.run import interruptible
from hardmode.sim.results.result import rules_digests, versions
from hardmode.strategies import player_file, random_play, registry
from hardmode.strategies.player_file import PLAYER_FILE, Certificate, PlayerFile
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.run import player
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import rate, with_interval
from hardmode.studies.training import certificate_check, replay_log
from hardmode.studies.training.evaluation import GOALS, MEAN, OVER, WIN_RATE
from hardmode.studies.training.final_evaluation import Measured, measure
from hardmode.studies.training.optimizer import GAMES, Trainees, TrainingRun, TrainingTerms
from hardmode.studies.training.replay_log import Journal
from hardmode.studies.training.search_space import Space, TrainingError

__all__ = ["Kept", "Trained", "TrainingError", "TrainingTerms", "train", "trained"]


@dataclass(frozen=True)
class Trained:
    """What training came to. The intervals come from luck that had no part in it."""

    table: Trainees
    base: StrategySpec
    asked: TrainingTerms
    start_weights: dict[str, float]
    found_weights: dict[str, float]
    measured: Measured
    curve: dict[int, float]
    generations: int
    games: int
    seconds: float
    interrupted: bool

    @property
    def game(self) -> str:
        return self.table.scenario.game.name

    @property
    def scenario(self) -> str:
        return self.table.scenario.name

    @property
    def seats(self) -> tuple[int, ...]:
        return self.table.seats[0]

    @property
    def player(self) -> Player:
        """Who was trained, with the weights to play with."""
        return replace(self.table.who, weights=tuple(self.weights.values()))

    @property
    def better(self) -> bool:
        """Whether chance does not explain the gain."""
        return self.measured.sought.low > 0

    @property
    def weights(self) -> dict[str, float]:
        return self.found_weights if self.better else self.start_weights

    @property
    def start(self) -> Estimate:
        return self.measured.start

    @property
    def gain(self) -> Estimate:
        return self.measured.gain

    @property
    def rate(self) -> Estimate:
        return self.measured.found if self.better else self.start

    def __str__(self) -> str:
        m, gain = self.measured, f"{with_interval(self.gain, 'points')} points"
        if m.change:
            gain += f", {with_interval(m.change, 'change')} of {m.changed}"
        verdict = (
            f"better than the start: {gain}"
            if self.better
            else (f"no better than the start by more than chance ({gain}), whose weights are kept")
        )
        where = " in its worst cell" if self.asked.over != MEAN else ""
        moved = ", ".join(
            f"{k} {self.start_weights[k]:g} -> {v:g}"
            for k, v in self.weights.items()
            if v != self.start_weights[k]
        )
        box = self.table.scenario.cells[0].with_box
        lines = [
            f"{self.base}{box} trained on {self.games:,} games in {self.generations} generations: it wins "
            f"{rate(self.rate)}{where}, and won {rate(self.start)} before, in {m.games:,} games that it was not "
            "trained on",
            verdict,
            f"in games that it was trained on it wins {with_interval(m.overfit, 'points')} points more",
            *(
                f"head to head with {who} it has {rate(share)} of all wins"
                for who, share in m.against.items()
            ),
        ]
        if m.dead:
            lines.append(f"dead: no game came out otherwise, whatever was {', '.join(m.dead)}")
        return "\n".join([*lines, *([moved] if moved else [])])

    __repr__ = __str__

    def file(self, name: str, home: Path) -> PlayerFile:
        """The player file, to lie in the folder `home`."""
        who, m, asked = self.player, self.measured, self.asked
        slips = Slips(who.slips, who.careless.name) if who.careless else Slips()
        certificate = Certificate(
            training=identity(self.table, self.base, asked),
            scenario=self.scenario,
            goal=asked.goal,
            over=asked.over,
            **registry.digests(self.game, who),
            outcomes=certificate_check.outcomes(self.game, who),
            draws=SCHEME,
            seed=asked.seed,
            seat=self.seats[0] + 1 if len(self.seats) == 1 else 0,
            generations=self.generations,
            seconds=None,
            trained_on=self.games,
            measured_on=m.games,
            rate=self.rate.value,
            low=self.rate.low,
            high=self.rate.high,
            start_rate=self.start.value,
            overfit=m.overfit.value,
            against={who: share.value for who, share in m.against.items()},
            curve={str(g): won for g, won in self.curve.items()},
            hardmode=versions()["hardmode"],
        )
        base = _base_name(self.game, self.base, home)
        return PlayerFile(
            player=name,
            game=self.game,
            base=base,
            weights=self.weights,
            slips=slips,
            certificate=certificate,
        )


@dataclass(frozen=True)
class Kept:
    """A player file that this very training wrote before: it plays as it was certified, and is stamped anew."""

    file: PlayerFile
    path: Path
    interrupted = False

    @property
    def certificate(self) -> Certificate:
        assert self.file.certificate
        return self.file.certificate

    @property
    def weights(self) -> dict[str, float]:
        return self.file.weights

    @property
    def generations(self) -> int:
        return self.certificate.generations

    @property
    def player(self) -> Player:
        return registry.player(self.file.game, str(self.path))

    def __str__(self) -> str:
        c = self.certificate
        return (
            f"{self.path} is what this training found: {100 * c.rate:.1f} % ({100 * c.low:.1f} .. "
            f"{100 * c.high:.1f}) after {c.generations} generations; it plays as it was certified, and is stamped "
            "anew. Other --generations, or another --seed, train it anew"
        )

    __repr__ = __str__


def train(
    what: Playable | Sequence[Playable],
    strategy: Any = None,
    *,
    seconds: float | None = None,
    generations: int | None = None,
    games: int = GAMES,
    seed: int = 1,
    seat: int = 1,
    weights: Mapping[str, Any] | Sequence[str] = (),
    goal: str = WIN_RATE,
    over: str = MEAN,
    threads: int = 0,
    out: str | Path | None = None,
    progress: Progress = silent,
) -> Trained | Kept:
    """Tune the weights of a strategy for a scenario or for several, over all their cells together; with `out`, write
    a player file, and go on where the same training was interrupted.

    The strategy is the scenario's own at the seat, unless another is named. Where players win together all are
    trained; where they compete, one seat against the others. `weights` names those that may change, a range with each
    if it is a mapping.
    """
    only = dict(weights) if isinstance(weights, Mapping) else dict.fromkeys(weights)
    goal = goal.replace(" ", "_")
    if goal not in GOALS or over not in OVER:
        raise TrainingError(f"a goal is one of {', '.join(GOALS)}, over {' or '.join(OVER)}")
    asked = TrainingTerms(seconds, generations, games, seed, seat, only, goal, over, threads)
    many: list[Any] = list(what) if isinstance(what, (list, tuple)) else [what]
    scenario, base = (
        together([as_scenario(one) for one in many]),
        spec(strategy) if strategy else None,
    )
    if not out:
        return trained(scenario, asked, base, progress)
    return _into(Path(out), scenario, asked, base, progress)


def _into(
    path: Path,
    scenario: Scenario,
    asked: TrainingTerms,
    base: StrategySpec | None,
    progress: Progress,
) -> Trained | Kept:
    """Train for a player file, unless it lies there already; one of another training is left alone."""
    if not player_file.is_file(str(path)):
        raise TrainingError(f"{path}: the name of a player file ends with .yaml")
    atomic_files.ready(path, PLAYER_FILE)
    found, table = _subject(scenario, asked, base)
    log = replay_log.path_of(path)
    if path.exists() and path.stat().st_size:
        kept = _kept(path, identity(table, found, asked), asked, finished=not log.exists())
        if kept:
            return kept
    own = Journal(log, f"{identity(table, found, asked)} {_code(table)}")
    made = trained(scenario, asked, base, progress, own)
    write(made, path)
    if not made.interrupted:
        own.close()
    return made


def _kept(path: Path, training: str, asked: TrainingTerms, finished: bool) -> Kept | None:
    """What lies there if it is this training, finished, and plays as it did; refused if it is another's."""
    file = player_file.read(path)
    certificate = file.certificate
    if not certificate or certificate.training != training:
        of = f" (for {certificate.scenario})" if certificate else ""
        raise TrainingError(
            f"{path} holds a player of another training{of}, and is left alone; give another -o FILE"
        )
    enough = asked.generations in (None, certificate.generations)
    who = registry.player(file.game, str(path))
    if not (finished and enough) or certificate.outcomes != certificate_check.outcomes(file.game, who):
        return None
    now = {**registry.digests(file.game, who), "hardmode": versions()["hardmode"]}
    stamped = file.model_copy(update={"certificate": certificate.model_copy(update=now)})
    atomic_files.write(path, player_file.text(stamped))
    return Kept(stamped, path)


def write(found: Trained, path: Path) -> None:
    """Write the player file of a training."""
    atomic_files.ready(path, PLAYER_FILE)
    atomic_files.write(path, player_file.text(found.file(path.stem, path.parent)))


def together(scenarios: Sequence[Scenario]) -> Scenario:
    """Several scenarios of a game as one, with the cells of all."""
    first, names = scenarios[0], " + ".join(s.name for s in scenarios)
    other = next((s.game.title for s in scenarios if s.game.name != first.game.name), "")
    if other:
        raise TrainingError(f"{first.game.title} and {other} are two games; train a player for one")
    return replace(first, name=names, cells=[cell for s in scenarios for cell in s.cells])


def trained(
    scenario: Scenario,
    asked: TrainingTerms,
    base: StrategySpec | None = None,
    progress: Progress = silent,
    log: Journal | None = None,
) -> Trained:
    found, table = _subject(scenario, asked, base)
    game, log = scenario.game.name, log or Journal()
    start = dict(zip(registry.weights_of(game, found.full_name), table.who.weights, strict=True))
    space = Space.of(start, asked.only, registry.tunings_of(game, found.full_name))
    with interruptible() as interrupted:
        training = TrainingRun(table, space, asked, progress, interrupted, log)
        training.run()
        best = training.best()
        progress("measured on other luck", 0.95)
        measured = measure(training, best)
        return Trained(
            table,
            found,
            asked,
            start,
            dict(zip(space.names, best, strict=True)),
            measured,
            training.curve,
            training.generations,
            training.games,
            log.seconds,
            interrupted.is_set(),
        )


def _subject(
    scenario: Scenario, asked: TrainingTerms, base: StrategySpec | None
) -> tuple[StrategySpec, Trainees]:
    """Who is trained, and at which seats of each cell."""
    first, game = scenario.cells[0], scenario.game
    if not 1 <= asked.seat <= min(cell.players for cell in scenario.cells):
        raise TrainingError(f"there is no seat {asked.seat} in every cell of {scenario.name}")
    given, chosen = base, first.strategies[asked.seat - 1]
    base = base or chosen
    who = player(game.name, base)
    if not who.weights:
        raise TrainingError(f"strategy {base} has no weights: there is nothing to train")

    def seats(strategies: Sequence[StrategySpec]) -> tuple[int, ...]:
        alike = [
            s for s, one in enumerate(strategies) if given or one == strategies[asked.seat - 1]
        ]
        return (asked.seat - 1,) if game.competitive else tuple(alike)

    if not given and any(cell.strategies[asked.seat - 1] != chosen for cell in scenario.cells):
        raise TrainingError(
            f"seat {asked.seat} has not the same strategy in every cell of {scenario.name}; name one "
            "with --strategy"
        )
    return base, Trainees(scenario, who, [seats(cell.strategies) for cell in scenario.cells])


def identity(table: Trainees, base: StrategySpec, asked: TrainingTerms) -> str:
    """What was asked, but for how long and on how many threads: two commands with the same train the same."""
    asked = replace(asked, seconds=None, generations=None, threads=0)
    cells = [
        (
            cell.label_text,
            [str(s) for s in cell.strategies],
            {k: v for k, (_, v) in cell.changed.items()},
        )
        for cell in table.scenario.cells
    ]
    said = [table.scenario.name, cells, str(base), table.who.weights, asdict(asked)]
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _code(table: Trainees) -> str:
    """What a journal must agree with beside what was asked: the code and the numbers of the box."""
    cells = table.scenario.cells
    said = [rules_digests(table.scenario.game, [table.who]), [cell.digests for cell in cells]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _base_name(game: str, base: StrategySpec, home: Path) -> str:
    """The strategy below, as a player file in the folder `home` names it."""
    name = registry.base_of(game, base.full_name)
    file, colon, function = name.rpartition(":")
    if file.endswith(".py"):
        name = f"{os.path.relpath(file, home)}{colon}{function}"
    return f"search:{base.playouts or random_play.PLAYOUTS}:{name}" if base.search else name


def ranged(written: str) -> dict[str, tuple[float, float] | None]:
    """Weights by name, as the command line has them: `threshold,share=2..20`."""
    found: dict[str, tuple[float, float] | None] = {}
    for one in filter(None, (part.strip() for part in written.split(","))):
        name, sign, ends = one.partition("=")
        low, _, high = ends.partition("..")
        try:
            found[name.strip()] = (float(low), float(high)) if sign else None
        except ValueError:
            raise TrainingError(
                f"{one!r} is not a weight with a range; write NAME or NAME=LOW..HIGH"
            ) from None
    return found
