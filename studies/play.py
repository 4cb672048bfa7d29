"""From a scenario to results: engines are built, cells are played, files go on where they stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, StrategySpec, Variant, variant
from hardmode.scenarios.variant import game_of
from hardmode.sim.engine import Engine
from hardmode.sim.results import Result, ResultError, load, merged, rules_digests, save, why_not_same
from hardmode.sim.run import Played, Runner
from hardmode.sim.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.headline import win_rate

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


def players(variant: Variant) -> list[Any]:
    """The players at the seats of a variant."""
    return [registry.player(variant.game.name, f"{s.file}:{s.name}" if s.file else s.name, s.weights,
                            playouts=s.playouts or 0, search=s.search)
            for s in variant.strategies]


def engine(variant: Variant) -> Engine:
    return Engine(variant.game, variant.box, players(variant))


def unplayed(scenario: Scenario, variant: Variant, made: Engine, seed: int) -> Result:
    """The result of no game yet: all provenance, an empty tally."""
    specs = [{**asdict(s), "file": str(s.file) if s.file else None, "plays": p.name, "values": list(p.weights)}
             for s, p in zip(variant.strategies, made.players, strict=True)]
    resting = variant.assumed
    return Result(
        variant.game, scenario.name, variant.title, dict(variant.label),
        {path: value for path, (_, value) in variant.changed.items()}, specs, seed,
        {**rules_digests(made), **variant.digests}, {"assumed": resting.standing, "total": resting.leaves},
        Tally(variant.game))


def play(scenario: Scenario, effort: Effort, *, out: Path | None = None, rows: Path | None = None,
         progress: Callable[[Variant, Played, int], None] = lambda v, p, n: None) -> list[Result]:
    """Play every cell of a scenario; with `out`, keep a result file and go on from what is in it."""
    effort = effort.on(scenario)
    earlier = load(out, game_of) if out and out.exists() else []
    done: list[Result] = []
    for result, cell, made in _cells(scenario, effort, earlier, out):
        done.append(result)
        played = Played(result.tally, result.ranges, result.seconds)

        def keep(now: Played, result: Result = result) -> None:
            result.tally, result.ranges, result.seconds = now.tally, now.ranges, now.seconds
            result.interrupted = now.interrupted
            if out:
                save(out, [*done, *earlier[len(done):]])

        runner = Runner(made, effort.seed, threads=effort.threads, chunk=effort.chunk,
                        rows=rows / _folder(len(done)) if rows and len(scenario.cells) > 1 else rows)
        runner.run(played, effort.games, first=effort.first, enough=enough(effort), save=keep,
                   progress=partial(progress_of, progress, cell, effort.games))
        if result.interrupted:
            break
    return done


def progress_of(progress: Callable[[Variant, Played, int], None], cell: Variant, games: int, played: Played) -> None:
    progress(cell, played, games)


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
           out: Path | None) -> Iterator[tuple[Result, Variant, Engine]]:
    for i, cell in enumerate(scenario.cells):
        made = engine(cell)
        result = unplayed(scenario, cell, made, effort.seed)
        if i < len(earlier):
            why = why_not_same(earlier[i], result)
            if why:
                raise ResultError(f"{out} holds another result and is left alone ({why}); give another -o FILE")
            result = earlier[i]
        yield result, cell, made


def merge(files: Sequence[Path]) -> list[Result]:
    """The sum of result files, cell by cell."""
    parts = [load(f, game_of) for f in files]
    if len({len(p) for p in parts}) > 1:
        raise ResultError("these files hold grids of different sizes: "
                          + ", ".join(f"{f} {len(p)}" for f, p in zip(files, parts, strict=True)))
    return [reduce(merged, cells) for cells in zip(*parts, strict=True)]


def reproduce(file: Path, threads: int, progress: Callable[[Any, Played, int], None]) -> list[dict[str, Any]]:
    """Play the games of a result file again, and say for each cell whether they end the same."""
    return [_again(result, threads, progress) for result in load(file, game_of)]


def _again(saved: Result, threads: int, progress: Callable[[Any, Played, int], None]) -> dict[str, Any]:
    specs = [StrategySpec(s["name"], s["weights"], s["playouts"], s["search"], Path(s["file"]) if s["file"] else None)
             for s in saved.strategies]
    cell = variant(saved.game.name, rules=saved.changed, strategies=specs)
    made = engine(cell)
    now = {**rules_digests(made), **cell.digests}
    played = Played(Tally(saved.game))
    runner = Runner(made, saved.seed, threads=threads)
    for lo, hi in saved.ranges:
        runner.run(played, hi - lo, first=lo, progress=lambda p: progress(saved, p, saved.games))
        if played.interrupted:
            raise KeyboardInterrupt
    digest = f"{played.tally.digest:016x}"
    return {"name": saved.name, "games": played.games, "saved": saved.outcome_digest, "now": digest,
            "same": digest == saved.outcome_digest,
            "changed_since": sorted(k for k in now if now[k] != saved.digests.get(k))}


def _folder(number: int) -> str:
    return f"cell-{number:03d}"
