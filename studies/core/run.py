"""Playing a scenario: from its cells to engines, games and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import (
    Scenario,
    ScenarioLike,
    StrategySpec,
    Variant,
    resolve_scenario,
)
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.storage import StorageFolder, open_storage
from hardmode.sim.play.backends import current_backend, map_concurrently
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.run import Runner, RunState, handle_sigint
from hardmode.sim.results.result import (
    Result,
    ResultError,
    compute_code_digests,
    find_incompatibility,
)
from hardmode.sim.results.result_file import AppendableResultFile
from hardmode.sim.results.rows import RowFolder, check_row_folder
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.strategies.mistakes import DEFAULT_MISTAKE_PLAYER
from hardmode.studies.comparison.rank import WinRecorder, rank_cells
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.progress import (
    Progress,
    ignore_progress,
    parallel_progress,
    progress_by_games,
    subprogress,
)
from hardmode.studies.core.results import Results, find_saved_game
from hardmode.studies.training import certificate_check

DEFAULT_GAMES = 10_000
MAX_GAMES = 100_000_000  # where a precision is requested and no number of games
SCENARIO_SEED = -1  # stands for the seed of the scenario, or 1 if it has none


class ResultsNotSavedError(OutputError):
    """Raised when a result file or row folder can no longer be written.

    Attributes:
        results: All games that were played, so that the caller can still show them.
    """

    def __init__(self, message: str, results: Results) -> None:
        super().__init__(message)
        self.results = Results((r for r in results if r.games), results.confidence)


@dataclass(frozen=True, init=False)
class Effort:
    """The games to play: their numbers and seed, the precision, and the threads.

    Attributes:
        games: Number of games of each cell; the upper limit if `precision` is given.
        first_game: Number of the first game; the games are `first_game`, `first_game + 1`, ...
        seed: Seed of the games. The same seed gives the same games.
        precision: Stop when the win rate is known to within plus or minus this share, or None.
        confidence: Confidence of all intervals.
        threads: Number of threads; 0 for one per core.
        chunk: Games that a thread plays between two reports; 0 to choose by speed.
    """

    games: int
    first_game: int
    seed: int
    precision: float | None
    confidence: float
    threads: int
    chunk: int

    def __init__(
        self,
        games: int = DEFAULT_GAMES,
        first_game: int = 0,
        seed: int = SCENARIO_SEED,
        precision: float | None = None,
        confidence: float = 0.95,
        threads: int = 0,
        chunk: int = 0,
        *,
        first: int | None = None,
        until: float | None = None,
    ) -> None:
        """Set all attributes; `first` and `until` are old names of `first_game` and `precision`."""
        values = {
            "games": games,
            "first_game": first_game if first is None else first,
            "seed": seed,
            "precision": precision if until is None else until,
            "confidence": confidence,
            "threads": threads,
            "chunk": chunk,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def resolve_seed(self, scenario: Scenario | None) -> Effort:
        """Return the effort with the seed of the scenario, or 1, in place of `SCENARIO_SEED`."""
        if self.seed != SCENARIO_SEED:
            return self
        seed = scenario.seed if scenario else None
        return replace(self, seed=1 if seed is None else seed)

    def override(self, **values: Any) -> Effort:
        """Return the effort with some attributes replaced.

        Args:
            **values: New values by attribute; None leaves it as it is.
        """
        return replace(self, **{name: value for name, value in values.items() if value is not None})


def default_effort(scenario: Scenario, precision: float | None) -> Effort:
    """Return the effort for a scenario when the user does not give a number of games.

    Args:
        scenario: The scenario, which may give a number itself.
        precision: Precision of the win rate at which to stop, or None.
    """
    games = scenario.games or (MAX_GAMES if precision else DEFAULT_GAMES)
    return Effort(games, precision=precision)


def make_players(variant: Variant) -> list[Player]:
    """Return the players at the seats of a variant, in order."""
    return [make_player(variant.game.name, spec) for spec in variant.strategies]


def make_player(game: str, spec: StrategySpec) -> Player:
    """Return the player that a strategy specification describes; warn if its certificate is stale.

    Raises:
        StrategyError: The strategy does not exist or is broken.
    """
    certificate_check.warn_if_stale(game, spec.full_name)
    mistakes = spec.mistakes
    return registry.create_player(
        game,
        spec.full_name,
        spec.weights,
        playouts=spec.playouts or 0,
        search=spec.search,
        mistake_rate=mistakes.rate if mistakes else None,
        mistake_player=mistakes.player if mistakes else DEFAULT_MISTAKE_PLAYER,
    )


def make_engine(variant: Variant, players: Sequence[Player] = ()) -> Engine:
    """Return an engine that plays a variant.

    The engine holds the filled box, which may be megabytes, as long as it lives.

    Args:
        variant: The variant.
        players: The players at the seats; by default those of the variant.
    """
    return Engine(variant.game, variant.box, players or make_players(variant))


def make_empty_result(
    scenario: Scenario, variant: Variant, players: Sequence[Player], seed: int
) -> Result:
    """Return a result without games: the provenance of a cell and an empty tally.

    Args:
        scenario: The scenario.
        variant: The cell.
        players: The players at its seats.
        seed: Seed of the games that will be added.
    """
    assumptions = variant.assumption_count
    return Result(
        variant.game,
        scenario.name,
        variant.title,
        dict(variant.label),
        variant.changes_to_shipped_box,
        [
            _player_to_dict(spec, player)
            for spec, player in zip(variant.strategies, players, strict=True)
        ],
        seed,
        {**compute_code_digests(variant.game, players), **variant.digests},
        {"assumed": assumptions.unchanged, "total": assumptions.parameters},
        Tally(variant.game),
        box=variant.overlay_provenance,
    )


def _player_to_dict(spec: StrategySpec, player: Player) -> dict[str, Any]:
    """Return a player as a result file names it."""
    return {
        "name": spec.name,
        "weights": spec.weights,
        "playouts": spec.playouts,
        "search": spec.search,
        "file": str(spec.file) if spec.file else None,
        "plays": player.name,
        "values": list(player.weights),
        "slips": player.mistake_rate,
        "careless": player.mistake_player.name if player.mistake_player else None,
    }


def play(
    what: ScenarioLike,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    precision: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    confidence: float | None = None,
    out: str | Path | None = None,
    rows: str | Path | None = None,
    progress: Progress = ignore_progress,
    until: float | None = None,
) -> Results:
    """Play every cell of a scenario; print the returned results to read the win rates.

    Example:
        >>> print(hardmode.play("woodlands/classic", games=50_000))
        >>> print(hardmode.play("woodlands/classic", precision=0.002))

    Args:
        what: A shipped scenario's name, a path, a dict with the content of a scenario file, or what
            `hardmode.load` or `hardmode.variant` returned.
        effort: How much to play. The arguments below override its attributes.
        games: Number of games of each cell.
        precision: Stop when the win rate is known to within plus or minus this share, such as
            0.002 for 0.2 points.
        seed: Seed of the games.
        threads: Number of threads; 0 for one per core.
        confidence: Confidence of the intervals.
        out: Result file to write. If it exists, its games are continued.
        rows: Folder, or an address such as "s3://bucket/folder", to which each game is written as
            a row of Parquet.
        progress: Called from time to time with the share that is done.
        until: Old name of `precision`.

    Raises:
        ResultsNotSavedError: `out` or `rows` could not be written; the error holds the results.
        ResultError: `out` holds the result of something else.
    """
    scenario = resolve_scenario(what)
    precision = until if precision is None else precision
    effort = effort or default_effort(scenario, precision)
    effort = effort.override(
        games=games, precision=precision, seed=seed, threads=threads, confidence=confidence
    )
    return _ScenarioRun(scenario, effort.resolve_seed(scenario), out, rows, progress).run()


@dataclass
class _CellRun:
    """A cell of a scenario that is being played."""

    index: int
    variant: Variant
    players: list[Player]
    result: Result
    recorder: WinRecorder


class _ScenarioRun:
    """Plays the cells of a scenario in order, or several at once on a large backend."""

    def __init__(
        self,
        scenario: Scenario,
        effort: Effort,
        out: str | Path | None,
        rows: str | Path | None,
        progress: Progress,
    ) -> None:
        self.scenario = scenario
        self.effort = effort
        self.progress = progress
        self.cell_count = len(scenario.cells)
        self.file = AppendableResultFile(Path(out), find_saved_game) if out else None
        self.row_folder = open_storage(rows) if rows else None
        if self.row_folder:
            check_row_folder(self.row_folder, self.cell_count > 1)
        backend = current_backend(effort.threads)
        self.parallel_cells = min(self.cell_count, backend.concurrent_ranges)
        self.make_parallel_progress = parallel_progress(progress, self.cell_count)
        self.results = Results(confidence=effort.confidence)
        self.recorders: list[WinRecorder] = []

    def run(self) -> Results:
        """Play all cells, or until the user interrupts; the result file is written in any case."""
        try:
            with handle_sigint() if self.parallel_cells > 1 else nullcontext():
                self._play_cells()
        finally:
            self._save(lambda: self.file.flush() if self.file else None)
        if self.cell_count > 1:
            self.results.ranking = rank_cells(self.results, self.recorders, self.effort.confidence)
        return self.results

    def _play_cells(self) -> None:
        for cell in map_concurrently(self._play_cell, self._start_cells(), self.parallel_cells):
            if cell.result.interrupted:
                break

    def _start_cells(self) -> Iterator[_CellRun]:
        """Yield the cells to play. Each is prepared when its turn comes, to save memory."""
        for index, variant in enumerate(self.scenario.cells):
            players = make_players(variant)
            result = self._load_or_create_result(index, variant, players)
            folder = self._row_folder_of_cell(index)
            row_writer = RowFolder(folder, result) if folder else None
            recorder = WinRecorder(variant.game, self.effort.first_game, row_writer)
            self.results.append(result)
            self.recorders.append(recorder)
            yield _CellRun(index, variant, players, result, recorder)

    def _load_or_create_result(
        self, index: int, variant: Variant, players: Sequence[Player]
    ) -> Result:
        """Return the result in the file, if it holds this cell, or else an empty one.

        Raises:
            ResultError: The file holds games of something else.
        """
        result = make_empty_result(self.scenario, variant, players, self.effort.seed)
        if not self.file or index >= len(self.file.results):
            return result
        saved = self.file.results[index]
        reason = find_incompatibility(saved, result)
        if reason:
            raise ResultError(
                f"{self.file.path} holds another result and is left alone ({reason}); "
                "give another -o FILE"
            )
        return saved

    def _row_folder_of_cell(self, index: int) -> StorageFolder | None:
        if self.row_folder and self.cell_count > 1:
            return self.row_folder.open_subfolder(f"cell-{index + 1:03d}")
        return self.row_folder

    def _play_cell(self, cell: _CellRun) -> None:
        """Play one cell; its engine and box are released when it is done."""
        effort = self.effort
        result = cell.result
        is_grid = self.cell_count > 1
        runner = Runner(
            make_engine(cell.variant, cell.players),
            effort.seed,
            threads=effort.threads,
            chunk=effort.chunk,
            row_writer=cell.recorder if is_grid else cell.recorder.rows,
        )
        state = RunState(result.tally, result.ranges, result.seconds)

        def save(state: RunState) -> None:
            _copy_state(state, result)
            result.interrupted = state.interrupted
            if self.file:
                self.file.update_cell(self.results, cell.index)

        def play_games() -> None:
            runner.run(
                state,
                effort.games,
                first=effort.first_game,
                is_precise_enough=make_stopping_rule(effort),
                on_save=save,
                on_progress=progress_by_games(self._progress_of(cell), "", effort.games),
            )

        try:
            self._save(play_games)
        finally:
            _copy_state(state, result)

    def _progress_of(self, cell: _CellRun) -> Progress:
        label = cell.variant.label_text
        if self.parallel_cells > 1:
            return self.make_parallel_progress(cell.index, label)
        return subprogress(self.progress, cell.index, self.cell_count, label)

    def _save(self, action: Callable[[], None]) -> None:
        """Run an action that writes files; if it cannot write, raise an error with the results."""
        try:
            action()
        except OutputError as error:
            raise ResultsNotSavedError(str(error), self.results) from None


def _copy_state(state: RunState, result: Result) -> None:
    result.ranges = state.ranges
    result.seconds = state.seconds


def make_stopping_rule(effort: Effort) -> Callable[[Tally], bool] | None:
    """Return the rule by which playing stops before all games are played.

    Returns:
        A function that returns whether a tally is precise enough, or None if no precision is given.
    """
    precision = effort.precision
    if precision is None:
        return None

    def is_precise_enough(tally: Tally) -> bool:
        return estimate_win_rate(tally, effort.confidence).half_width <= precision

    return is_precise_enough
