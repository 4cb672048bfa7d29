"""From a scenario to results: engines are built, cells are played, files go on where they stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Playable, Scenario, StrategySpec, Variant, as_scenario, variant
from hardmode.scenarios.variant import game_of
from hardmode.sim.engine import Engine, Player
from hardmode.sim.results import Result, ResultError, load, merged, rules_digests, save, why_not_same
from hardmode.sim.run import Played, Runner
from hardmode.sim.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.headline import win_rate
from hardmode.studies.progress import Progress, counted, part, silent
from hardmode.studies.results import Results

GAMES = 10_000
MOST = 100_000_000  # with a precision asked for and no number of games
OWN_SEED = -1  # the seed that the scenario asks for, else 1


@dataclass(frozen=True)
class Effort:
    """How much is played: games 0..games-1 of a seed, or fewer when the win rate is known well enough."""

    games: int = GAMES
    first: int = 0
    seed: int = OWN_SEED
    until: float | None = None  # half the width of the interval of the win rate
    confidence: float = 0.95
    threads: int = 0
    chunk: int = 0

    def on(self, scenario: Scenario | None) -> Effort:
        """With the seed that is meant, the scenario's own where none is asked for."""
        own = scenario.seed if scenario and scenario.seed is not None else 1
        return replace(self, seed=own) if self.seed == OWN_SEED else self

    def changed(self, **given: Any) -> Effort:
        """With what was given instead; what is None was not."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})


def usual(scenario: Scenario, until: float | None) -> Effort:
    """What is played of a scenario when nobody says how much."""
    return Effort(scenario.games or (MOST if until else GAMES), until=until)


def players(variant: Variant) -> list[Player]:
    """The players at the seats of a variant."""
    return [registry.player(variant.game.name, f"{s.file}:{s.name}" if s.file else s.name, s.weights,
                            playouts=s.playouts or 0, search=s.search)
            for s in variant.strategies]


def engine(variant: Variant, who: Sequence[Player] = ()) -> Engine:
    """A variant ready to play; it holds the box as long as it lives."""
    return Engine(variant.game, variant.box, who or players(variant))


def unplayed(scenario: Scenario, variant: Variant, who: Sequence[Player], seed: int) -> Result:
    """The result of no game yet: all provenance, an empty tally."""
    specs = [{**asdict(s), "file": str(s.file) if s.file else None, "plays": p.name, "values": list(p.weights)}
             for s, p in zip(variant.strategies, who, strict=True)]
    resting = variant.assumed
    return Result(
        variant.game, scenario.name, variant.title, dict(variant.label),
        variant.numbers, specs, seed,
        {**rules_digests(variant.game, who), **variant.digests},
        {"assumed": resting.standing, "total": resting.leaves}, Tally(variant.game), box=variant.provenance)


def play(what: Playable, effort: Effort | None = None, *, games: int | None = None, until: float | None = None,
         seed: int | None = None, threads: int | None = None, confidence: float | None = None,
         out: str | Path | None = None, rows: str | Path | None = None, progress: Progress = silent) -> Results:
    """Play every cell of a scenario, and print what it returns to read what came of it.

    `what` is a shipped name, a path, a dict, or what `load` or `variant` returned. How much is played is said by an
    `Effort`, or by its parts: `play("woodlands/classic", games=50_000)`, or `until=0.002` for a win rate that is known
    to within 0.2 points. With `out`, a result file is kept and gone on from; with `rows`, each game becomes a row of
    Parquet in that folder.
    """
    scenario = as_scenario(what)
    effort = (effort or usual(scenario, until)).changed(games=games, until=until, seed=seed, threads=threads,
                                                        confidence=confidence).on(scenario)
    file, folder = Path(out) if out else None, Path(rows) if rows else None
    earlier = load(file, game_of) if file and file.exists() else []
    done = Results(confidence=effort.confidence)
    for i, (result, cell, who) in enumerate(_cells(scenario, effort, earlier, file)):
        done.append(result)

        def keep(now: Played, result: Result = result) -> None:
            result.tally, result.ranges, result.seconds = now.tally, now.ranges, now.seconds
            result.interrupted = now.interrupted
            if file:
                save(file, [*done, *earlier[len(done):]])

        _run(result, engine(cell, who), effort, keep, part(progress, i, len(scenario.cells), cell.label_text),
             folder / f"cell-{i + 1:03d}" if folder and len(scenario.cells) > 1 else folder)
        if result.interrupted:
            break
    return done


def _run(result: Result, made: Engine, effort: Effort, keep: Callable[[Played], None], progress: Progress,
         rows: Path | None) -> None:
    """Play one cell on; its engine and box are given back when it is done."""
    runner = Runner(made, effort.seed, threads=effort.threads, chunk=effort.chunk, rows=rows)
    runner.run(Played(result.tally, result.ranges, result.seconds), effort.games, first=effort.first,
               enough=enough(effort), save=keep, progress=counted(progress, "", effort.games))


def enough(effort: Effort) -> Callable[[Tally], bool] | None:
    """Whether the win rate is known as well as was asked."""
    precision = effort.until
    if precision is None:
        return None
    def known(tally: Tally) -> bool:
        rate = win_rate(tally, effort.confidence)
        return (rate.high - rate.low) / 2 <= precision

    return known


def _cells(scenario: Scenario, effort: Effort, earlier: Sequence[Result],
           out: Path | None) -> Iterator[tuple[Result, Variant, list[Player]]]:
    for i, cell in enumerate(scenario.cells):
        who = players(cell)
        result = unplayed(scenario, cell, who, effort.seed)
        if i < len(earlier):
            why = why_not_same(earlier[i], result)
            if why:
                raise ResultError(f"{out} holds another result and is left alone ({why}); give another -o FILE")
            result = earlier[i]
        yield result, cell, who


def merge(files: Sequence[Path]) -> Results:
    """The sum of result files, cell by cell."""
    parts = [load(f, game_of) for f in files]
    if len({len(p) for p in parts}) > 1:
        raise ResultError("these files hold grids of different sizes: "
                          + ", ".join(f"{f} {len(p)}" for f, p in zip(files, parts, strict=True)))
    return Results(reduce(merged, cells) for cells in zip(*parts, strict=True))


def reproduce(file: Path, threads: int = 0, progress: Progress = silent) -> list[dict[str, Any]]:
    """Play the games of a result file again, and say for each cell whether they end the same."""
    saved = load(file, game_of)
    return [_again(one, threads, part(progress, i, len(saved))) for i, one in enumerate(saved)]


def _again(saved: Result, threads: int, progress: Progress) -> dict[str, Any]:
    specs = [StrategySpec(s["name"], s["weights"], s["playouts"], s["search"], Path(s["file"]) if s["file"] else None)
             for s in saved.strategies]
    cell = variant(saved.game.name, rules=saved.changed, strategies=specs)
    made = engine(cell)
    now = {**rules_digests(made.game, made.players), **cell.digests}
    played = Played(Tally(saved.game))
    runner = Runner(made, saved.seed, threads=threads)
    for lo, hi in saved.ranges:
        runner.run(played, hi - lo, first=lo, progress=counted(progress, saved.name, saved.games))
        if played.interrupted:
            raise KeyboardInterrupt
    digest = f"{played.tally.digest:016x}"
    return {"name": saved.name, "games": played.games, "saved": saved.outcome_digest, "now": digest,
            "same": digest == saved.outcome_digest,
            "changed_since": sorted(k for k in now if now[k] != saved.digests.get(k))}
