"""Result files: loaded, merged, and reproduced by playing their games again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from hardmode.scenarios.custom_content import is_content_path
from hardmode.scenarios.load import StrategySpec, create_variant
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.result import (
    Result,
    ResultError,
    combine_results,
    compute_code_digests,
)
from hardmode.sim.results.result_file import load_results
from hardmode.sim.results.tally import MALFORMED_DATA_ERRORS, Tally
from hardmode.strategies.mistakes import DEFAULT_MISTAKE_PLAYER, MistakeModel
from hardmode.studies.core.progress import (
    Progress,
    ignore_progress,
    progress_by_games,
    subprogress,
)
from hardmode.studies.core.results import Results, find_saved_game
from hardmode.studies.core.run import make_engine


def load_result_file(path: Path) -> list[Result]:
    """Return the results in a file, one for each cell.

    Raises:
        ResultError: The file is no result file, is damaged, or is of a game that does not exist.
    """
    return [_with_added_content(result) for result in load_results(path, find_saved_game)]


def _with_added_content(saved: Result) -> Result:
    """Return the result with the names of the content that the user's own box added to the game."""
    if not any(map(is_content_path, saved.changed)):
        return saved
    game = create_variant(saved.game.name, rules=saved.changed).game
    return replace(saved, game=game, tally=replace(saved.tally, game=game))


def merge_result_files(files: Sequence[Path]) -> Results:
    """Return the sum of result files, cell by cell.

    Raises:
        ResultError: The files hold different cells, or games that were not played the same way.
    """
    grids = [load_result_file(file) for file in files]
    for file, grid in zip(files, grids, strict=True):
        if not grid:
            raise ResultError(f"{file}: a result of nothing: it holds no cells")
    if len({len(grid) for grid in grids}) > 1:
        sizes = [f"{file} {len(grid)}" for file, grid in zip(files, grids, strict=True)]
        raise ResultError(f"these files hold grids of different sizes: {', '.join(sizes)}")
    try:
        return Results(reduce(combine_results, cells) for cells in zip(*grids, strict=True))
    except ResultError as error:
        raise ResultError(f"{', '.join(map(str, files))}: {error}") from None


@dataclass(frozen=True)
class Reproduction:
    """A cell of a result file, played again.

    Attributes:
        name: The cell.
        games: Number of games played again.
        saved_digest: Digest of the outcomes in the file.
        new_digest: Digest of the outcomes now.
        changed_inputs: Names of what changed since: "rules", "box", "weights", ...
    """

    name: str
    games: int
    saved_digest: str
    new_digest: str
    changed_inputs: list[str]

    @property
    def is_same(self) -> bool:
        """True if all games end as they are saved."""
        return self.saved_digest == self.new_digest


def reproduce_result_file(
    file: Path, threads: int = 0, progress: Progress = ignore_progress, *, trust: bool = False
) -> list[Reproduction]:
    """Play the games of a result file again and compare their outcomes, cell by cell.

    Args:
        file: The result file.
        threads: Number of threads; 0 for one per core.
        progress: Called from time to time with the share that is done.
        trust: Allow to run files of code that the result names. The checksum of a result file shows
            that it is unchanged, and not who wrote it.

    Raises:
        ResultError: The file is damaged or empty, or names code and `trust` is not given.
    """
    saved = load_result_file(file)
    if not any(result.games for result in saved):
        raise ResultError(f"{file}: a result of nothing: there are no games to play again")
    specs = [_read_strategies(result, file) for result in saved]
    code_files = [name for cell in specs for spec in cell for name in _list_code_files(spec)]
    if code_files and not trust:
        raise ResultError(
            f"{file}: to play it again is to run the code in "
            f"{', '.join(dict.fromkeys(code_files))}; read that, and say --trust"
        )
    return [
        _play_again(result, specs[i], threads, subprogress(progress, i, len(saved)))
        for i, result in enumerate(saved)
    ]


def _read_strategies(saved: Result, file: Path) -> list[StrategySpec]:
    """Return the strategies of a result, as a scenario would name them."""
    try:
        return [_spec_from_dict(strategy) for strategy in saved.strategies]
    except MALFORMED_DATA_ERRORS as error:
        raise ResultError(f"{file}: the file is damaged: {type(error).__name__} {error}") from None


def _spec_from_dict(saved: dict[str, Any]) -> StrategySpec:
    """Return the strategy of a result; early results do not name a mistake rate."""
    return StrategySpec(
        str(saved["name"]),
        saved["weights"],
        saved["playouts"],
        saved["search"],
        Path(saved["file"]) if saved["file"] else None,
        MistakeModel(saved.get("slips", 0.0), saved.get("careless") or DEFAULT_MISTAKE_PLAYER),
    )


def _list_code_files(spec: StrategySpec) -> list[str]:
    """Return the file of code that this strategy runs, if it is neither shipped nor installed."""
    if spec.file:
        return [str(spec.file)]
    return [spec.name] if ".py" in spec.name else []


def _play_again(
    saved: Result, specs: Sequence[StrategySpec], threads: int, progress: Progress
) -> Reproduction:
    variant = create_variant(saved.game.name, rules=saved.changed, strategies=specs)
    engine = make_engine(variant)
    state = RunState(Tally(saved.game))
    runner = Runner(engine, saved.seed, threads=threads)
    report = progress_by_games(progress, saved.name, saved.games)
    for start, stop in saved.ranges:
        runner.run(state, stop - start, first=start, on_progress=report)
        if state.interrupted:
            raise KeyboardInterrupt
    digests = {**compute_code_digests(engine.game, engine.players), **variant.digests}
    return Reproduction(
        saved.name,
        state.games,
        saved.outcome_digest,
        f"{state.tally.digest:016x}",
        _list_changed_inputs(saved, engine, digests),
    )


def _list_changed_inputs(saved: Result, engine: Engine, digests: dict[str, str]) -> list[str]:
    names = [name for name, digest in digests.items() if saved.digests.get(name) != digest]
    # Weights are not code: those of a player file may differ although all digests agree.
    if [s["values"] for s in saved.strategies] != [list(p.weights) for p in engine.players]:
        names.append("weights")
    return sorted(names)
