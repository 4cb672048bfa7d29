"""Training: a strategy's weights are tuned by CMA-ES, every candidate of a generation on the same games.

Training has a luck of its own, fresh in each generation. What it finds is measured beside what it started from on
luck that had no part in it, and only a gain that chance does not explain is kept.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.load import Playable, Scenario, StrategySpec, as_scenario
from hardmode.scenarios.strategy import Slips, spec
from hardmode.sim.draws import SCHEME, mix64
from hardmode.sim.engine import Player
from hardmode.sim.results import versions
from hardmode.sim.run import interruptible
from hardmode.strategies import player_file, registry
from hardmode.strategies.player_file import Certificate, PlayerFile
from hardmode.studies import estimates
from hardmode.studies.estimate_text import rate, with_interval
from hardmode.studies.estimates import Estimate
from hardmode.studies.play import player
from hardmode.studies.progress import Progress, silent
from hardmode.studies.trials import Interrupted, Outcomes, Trials, Weights, seated

GAMES = 400  # of each candidate in a generation
SECONDS = 60.0
STEP = 0.3  # how far the first candidates stray, in parts of each weight
MEASURED = 20  # so many times the games of a candidate are played in the end, with the start and with what was found
CHOSEN = 5  # and so many times with each of the last few between which is chosen
FLAT = 3  # generations without any difference after which there is none
SMALLEST = 10  # candidates of a generation
DIGITS = 6  # of a weight
FINAL = 2 * CHOSEN + 2 * MEASURED  # what choosing and measuring take, in the games of a candidate
PILOT, PATIENCE = 4, 0.1  # the games of each cell by which the pace is judged at first, and how many seconds of them
TRAIN, CHOOSE, MEASURE = 1, 2, 3  # what luck is for


class TrainingError(ValueError):
    """There is nothing to train; says why."""


@dataclass(frozen=True)
class Asked:
    """How training is to go."""

    seconds: float | None = None
    generations: int | None = None
    games: int = GAMES
    seed: int = 1
    seat: int = 1
    only: Mapping[str, tuple[float, float] | None] = field(default_factory=dict)  # weights, with ranges where given
    threads: int = 0
    confidence: float = estimates.CONFIDENCE

    @property
    def budget(self) -> float | None:
        return SECONDS if self.seconds is None and self.generations is None else self.seconds


@dataclass(frozen=True)
class Trained:
    """What training came to. The intervals come from luck that had no part in it."""

    game: str
    scenario: str
    base: StrategySpec
    player: Player
    seats: tuple[int, ...]
    start_weights: dict[str, float]
    found_weights: dict[str, float]
    start: Estimate
    found: Estimate
    gain: Estimate
    scored: Estimate | None  # the gain in score, where no game was won otherwise than before
    asked: Asked
    generations: int
    games: int
    measured: int
    seconds: float
    interrupted: bool

    @property
    def better(self) -> bool:
        """Whether chance does not explain the gain."""
        return (self.scored or self.gain).low > 0

    @property
    def weights(self) -> dict[str, float]:
        return self.found_weights if self.better else self.start_weights

    @property
    def rate(self) -> Estimate:
        return self.found if self.better else self.start

    def __str__(self) -> str:
        gain = f"{with_interval(self.gain, 'points')} points"
        if self.scored:
            gain += f", {with_interval(self.scored, 'change')} of score"
        verdict = f"better than the start: {gain}" if self.better else (
            f"no better than the start by more than chance ({gain}), whose weights are kept")
        moved = ", ".join(f"{k} {self.start_weights[k]:g} -> {v:g}" for k, v in self.weights.items()
                          if v != self.start_weights[k])
        return (f"{self.base} trained on {self.games:,} games in {self.generations} generations: "
                f"it wins {rate(self.rate)}, and won {rate(self.start)} before, in {self.measured:,} games that it "
                f"was not trained on\n{verdict}" + (f"\n{moved}" if moved else ""))

    __repr__ = __str__

    def file(self, name: str, home: Path) -> PlayerFile:
        """The player file, to lie in the folder `home`."""
        slips = Slips(self.player.slips, self.player.careless.name) if self.player.careless else Slips()
        certificate = Certificate(
            scenario=self.scenario, **registry.digests(self.game, self.player), draws=SCHEME, seed=self.asked.seed,
            seat=self.seats[0] + 1 if len(self.seats) == 1 else 0, generations=self.generations,
            seconds=self.asked.budget, trained_on=self.games, measured_on=self.measured, rate=self.rate.value,
            low=self.rate.low, high=self.rate.high, start_rate=self.start.value, hardmode=versions()["hardmode"])
        base = _base_name(self.game, self.base, home)
        return PlayerFile(player=name, game=self.game, base=base, weights=self.weights, slips=slips,
                          certificate=certificate)


def train(what: Playable, strategy: Any = None, *, seconds: float | None = None, generations: int | None = None,
          games: int = GAMES, seed: int = 1, seat: int = 1, weights: Mapping[str, Any] | Sequence[str] = (),
          threads: int = 0, out: str | Path | None = None, progress: Progress = silent) -> Trained:
    """Tune the weights of a strategy for a scenario, over all its cells together; with `out`, write a player file.

    The strategy is the scenario's own at the seat, unless another is named. Where players win together all are
    trained; where they compete, one seat against the others. `weights` names those that may change, a range with each
    if it is a mapping.
    """
    if out:
        _writable(Path(out))
    only = dict(weights) if isinstance(weights, Mapping) else dict.fromkeys(weights)
    asked = Asked(seconds, generations, games, seed, seat, only, threads)
    found = trained(as_scenario(what), asked, spec(strategy) if strategy else None, progress)
    if out:
        write(found, Path(out))
    return found


def write(found: Trained, path: Path) -> None:
    """Write the player file of a training."""
    _writable(path)
    try:
        path.write_text(player_file.text(found.file(path.stem, path.parent)), encoding="utf-8")
    except OSError as why:
        raise TrainingError(f"{path}: cannot be written: {why.strerror}") from None


def _writable(path: Path) -> None:
    """Refuse a file that cannot become a player's, before time is spent."""
    if not player_file.is_file(str(path)):
        raise TrainingError(f"{path}: the name of a player file ends with .yaml")
    if not path.parent.is_dir():
        raise TrainingError(f"{path}: there is no folder {path.parent}")


def trained(scenario: Scenario, asked: Asked, base: StrategySpec | None = None,
            progress: Progress = silent) -> Trained:
    base, who, seats = _subject(scenario, asked, base)
    start = dict(zip(registry.weights_of(scenario.game.name, base.full_name), who.weights, strict=True))
    space = Space.of(start, asked, registry.ranges_of(scenario.game.name, base.full_name))
    trials = Trials([seated(cell, who, s) for cell, s in zip(scenario.cells, seats, strict=True)], asked.threads)
    with interruptible() as interrupted:
        course = Course(trials, space, asked, progress, interrupted)
        course.run()
        found = course.best()
        progress("measured on other luck", 0.95)
        games = MEASURED * course.each
        held = trials.play([space.start, found], luck(asked.seed, MEASURE), 0, games)
        return _told(scenario, base, who, seats[0], space, course, held, games * len(scenario.cells), found)


def _told(scenario: Scenario, base: StrategySpec, who: Player, seats: tuple[int, ...], space: Space, course: Course,
          held: Outcomes, games: int, found: Weights) -> Trained:
    c = course.asked.confidence
    before, after = held.won.reshape(2, -1).astype(bool)
    both, only_after, only_before = (int(x.sum()) for x in (before & after, after & ~before, before & ~after))
    gain = estimates.paired_difference(both, only_after, only_before, games - both - only_after - only_before, c)
    change = (held.score[1].astype(np.int64) - held.score[0]).ravel()
    scored = estimates.mean(games, int(change.sum()), int((change * change).sum()), c) if (
        scenario.game.scored and not only_after and not only_before) else None
    was, now = (dict(zip(space.names, w, strict=True)) for w in (space.start, found))
    start, end = (estimates.rate(wins, games, c) for wins in held.wins.tolist())
    return Trained(scenario.game.name, scenario.name, base, who, seats, was, now, start, end, gain, scored,
                   course.asked, course.generations, course.games, games, time.perf_counter() - course.begun,
                   course.interrupted.is_set())


def luck(seed: int, purpose: int) -> int:
    """A seed that nobody writes down, so that no game of another command is one that was trained on."""
    with np.errstate(over="ignore"):
        return int(mix64(mix64(np.uint64(seed)) + np.uint64(purpose))) >> 1


def _subject(scenario: Scenario, asked: Asked,
             base: StrategySpec | None) -> tuple[StrategySpec, Player, list[tuple[int, ...]]]:
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
        alike = [s for s, one in enumerate(strategies) if given or one == strategies[asked.seat - 1]]
        return (asked.seat - 1,) if game.competitive else tuple(alike)

    if not given and any(cell.strategies[asked.seat - 1] != chosen for cell in scenario.cells):
        raise TrainingError(f"seat {asked.seat} has not the same strategy in every cell of {scenario.name}; name one "
                            "with --strategy")
    return base, who, [seats(cell.strategies) for cell in scenario.cells]


def _base_name(game: str, base: StrategySpec, home: Path) -> str:
    """The strategy below, as a player file in the folder `home` names it."""
    name = registry.base_of(game, base.full_name)
    file, colon, function = name.rpartition(":")
    if file.endswith(".py"):
        name = f"{os.path.relpath(file, home)}{colon}{function}"
    return f"search:{base.playouts or registry.PLAYOUTS}:{name}" if base.search else name


def ranged(written: str) -> dict[str, tuple[float, float] | None]:
    """Weights by name, as the command line has them: `threshold,share=2..20`."""
    found: dict[str, tuple[float, float] | None] = {}
    for one in filter(None, (part.strip() for part in written.split(","))):
        name, sign, ends = one.partition("=")
        low, _, high = ends.partition("..")
        try:
            found[name.strip()] = (float(low), float(high)) if sign else None
        except ValueError:
            raise TrainingError(f"{one!r} is no weight with a range; write NAME or NAME=LOW..HIGH") from None
    return found


@dataclass(frozen=True)
class Space:
    """The weights that may change: candidates are points of it, the start is its origin."""

    names: tuple[str, ...]
    start: Weights
    free: np.ndarray  # the positions of the weights that change
    scale: np.ndarray  # of those: how much is a step of one
    bounds: np.ndarray | None

    @classmethod
    def of(cls, start: Mapping[str, float], asked: Asked, declared: Mapping[str, tuple[float, float]]) -> Space:
        for name in asked.only:
            if name not in start:
                raise TrainingError(f"there is no weight {name!r}; there are {', '.join(start)}")
        names = [name for name in start if not asked.only or name in asked.only]
        ranges = {name: asked.only.get(name) or declared.get(name) for name in names}
        for name, ends in ranges.items():
            if ends and not ends[0] < ends[1]:
                raise TrainingError(f"the range of {name}, {ends[0]:g}..{ends[1]:g}, is empty")
            if ends and not ends[0] <= start[name] <= ends[1]:
                raise TrainingError(f"{name} starts at {start[name]:g}, which is not in {ends[0]:g}..{ends[1]:g}")
        sizes = np.abs([start[name] for name in names])
        usual = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
        scale = np.where(sizes > 0, sizes, usual)
        limits = np.array([ranges[name] or (-np.inf, np.inf) for name in names])
        origin = np.array([start[name] for name in names])
        bounds = (limits - origin[:, None]) / scale[:, None] if any(ranges.values()) else None
        order = list(start)
        return cls(tuple(order), tuple(start.values()), np.array([order.index(n) for n in names]), scale, bounds)

    def weights(self, point: np.ndarray) -> Weights:
        found = np.array(self.start)
        found[self.free] += point * self.scale
        return tuple(float(f"{x:.{DIGITS}g}") for x in found) if point.any() else self.start


class Course:
    """One run of training: generations until the budget is spent, with a larger population after each stagnation."""

    def __init__(self, trials: Trials, space: Space, asked: Asked, progress: Progress,
                 interrupted: threading.Event) -> None:
        self.trials, self.space, self.asked, self.progress = trials, space, asked, progress
        self.interrupted = interrupted
        self.each = max(1, -(-asked.games // len(trials.places)))  # games of a candidate in each cell
        self.generations = self.games = self._next = 0
        self._flat, self._pace = True, 0.0  # whether no candidate ever differed; seconds for a game in every cell
        self._ends: list[np.ndarray] = []  # where the searches before this one came to
        self._means: list[np.ndarray] = []
        self.begun = time.perf_counter()

    def run(self) -> None:
        try:
            self._pace = self._paced()
            for size in self._sizes():
                self._search(size)
                if self._spent(size):
                    break
        except Interrupted:
            pass

    def _paced(self) -> float:
        """Seconds for a game, once the machine code is there; refuses what cannot be trained in the time."""
        start, seed = [self.space.start], luck(self.asked.seed, TRAIN)
        self.trials.play(start, seed, 0, PILOT, self.interrupted)
        if not self.trials.decisions:
            raise TrainingError(f"{self.trials.game.title} asks for no decision in the games tried: nothing can be "
                                "learnt")
        games, took = PILOT, 0.0
        while took < PATIENCE and games < self.each:
            games, begun = min(self.each, 4 * games), time.perf_counter()
            self.trials.play(start, seed, 0, games, self.interrupted)
            took = time.perf_counter() - begun
        self.begun, pace, size = time.perf_counter(), took / games, next(self._sizes())
        needed = (size + FINAL) * self.each * pace
        if self.asked.budget is not None and needed > 2 * self.asked.budget:
            raise TrainingError(f"{self.asked.budget:g} seconds are too few: a generation of {size} candidates, and "
                                f"measuring what it found, take about {needed:.0f}; give more seconds or fewer games")
        return pace

    def _sizes(self) -> Iterator[int]:
        size = max(SMALLEST, 4 + int(3 * np.log(len(self.space.free))))
        while True:
            yield size
            size *= 2

    def _spent(self, size: int) -> bool:
        if self.asked.generations is not None and self.generations >= self.asked.generations:
            return True
        if self.asked.budget is None or not self.generations:
            return False
        spent = time.perf_counter() - self.begun
        self._pace = spent * len(self.trials.places) / self.games
        return spent + (size + FINAL) * self.each * self._pace > self.asked.budget

    def _search(self, size: int) -> None:
        """One search by CMA-ES, from the best known so far until it stagnates or the budget is spent."""
        from cmaes import CMA

        origin = self._ends[-1] if self._ends else np.zeros(len(self.space.free))
        made = CMA(mean=origin, sigma=STEP, bounds=self.space.bounds, population_size=size,
                   seed=luck(self.asked.seed, TRAIN + 16 * (1 + len(self._ends))) % 2**32)
        self._means = []
        while not self._spent(size) and not made.should_stop():
            points = [made.ask() for _ in range(size)]
            made.tell([(x, float(r)) for x, r in zip(points, self._ranks(points), strict=True)])
            self._means.append(made.mean)
        self._ends += self._finalists()[-1:]

    def _ranks(self, points: Sequence[np.ndarray]) -> np.ndarray:
        """The candidates by games won, then by score, the best first; on games that none has played before."""
        from scipy.stats import rankdata

        lo, hi = self._next, self._next + self.each
        found = self.trials.play([self.space.weights(x) for x in points], luck(self.asked.seed, TRAIN), lo, hi,
                                 self.interrupted)
        self._next, played = hi, self.each * len(self.trials.places) * len(points)
        self.games, self.generations = self.games + played, self.generations + 1
        keys = found.wins * (1 + int(np.ptp(found.points))) + found.points - int(found.points.min())
        self._flat = self._flat and np.ptp(keys) == 0
        won = found.wins.sum() / played
        if self._flat and self.generations in (FLAT, self.asked.generations):
            raise TrainingError(f"no candidate plays better than another: each wins {100 * won:.3g} % of the games"
                                f"{' with the same score' if self.trials.game.scored else ''}; nothing can be learnt")
        self._tell(won)
        return rankdata(-keys)

    def _tell(self, won: float) -> None:
        seconds = time.perf_counter() - self.begun
        share = (self.generations / self.asked.generations if self.asked.generations is not None
                 else seconds / (self.asked.budget or 1))
        self.progress(f"generation {self.generations}: {100 * won:.1f} % won", 0.9 * min(1.0, share),
                      self.games / max(seconds, 1e-9))

    def _finalists(self) -> list[np.ndarray]:
        """Where a search stands: its last mean, and what its means came to in its second half, which jitters less."""
        late = self._means[len(self._means) // 2:]
        return [late[-1], np.mean(late, axis=0)] if late else []

    def best(self) -> Weights:
        """The best of where the searches came to, told apart on luck that none of them has seen."""
        points = [*self._ends, *self._finalists()]
        candidates = list(dict.fromkeys(self.space.weights(x) for x in points)) or [self.space.start]
        if len(candidates) == 1:
            return candidates[0]
        found = self.trials.play(candidates, luck(self.asked.seed, CHOOSE), 0, self.each * CHOSEN)
        return candidates[int(np.lexsort((found.points, found.wins))[-1])]
