"""Win rates of a scenario over the commits of a repository, from its baselines and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardmode.scenarios.load import list_scenario_files, load_scenario
from hardmode.sim.results.result import Result, ResultError
from hardmode.sim.results.result_file import parse_results
from hardmode.studies.gate.baselines import BaselineError, locate_baseline, parse_baseline
from hardmode.studies.history.repository import Commit, Repository, RepositoryError
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, Estimate, wilson_rate

RESULT_SUFFIXES = (".json", ".json.gz")


@dataclass(frozen=True)
class HistoryEntry:
    """Win rate of one cell in one commit; where seats compete, of one seat.

    Attributes:
        commit: The commit.
        cell: Label of the cell as text; empty without a grid.
        seat: Number of the seat, from 0; None where seats do not compete.
        plays: The strategies.
        rate: Share of the games won.
        reason: The reason for which it was accepted, or the subject of the commit.
    """

    commit: Commit
    cell: str
    seat: int | None
    plays: tuple[str, ...]
    rate: Estimate
    reason: str


@dataclass
class ScenarioHistory:
    """A baseline or result file over its commits, the oldest first.

    Attributes:
        name: Name of the scenario or file, as the user gave it.
        path: The baseline or result file.
        entries: What each commit holds.
        unreadable: Commits that cannot be read, and why.
    """

    name: str
    path: Path
    entries: list[HistoryEntry] = field(default_factory=list)
    unreadable: list[tuple[Commit, str]] = field(default_factory=list)

    def group_by_cell(self) -> dict[tuple[str, int | None], list[HistoryEntry]]:
        """Return the entries of each cell and seat."""
        groups: dict[tuple[str, int | None], list[HistoryEntry]] = {}
        for entry in self.entries:
            groups.setdefault((entry.cell, entry.seat), []).append(entry)
        return groups


def load_history(
    names: Sequence[str], confidence: float = DEFAULT_CONFIDENCE
) -> list[ScenarioHistory]:
    """Return the history of scenarios and result files.

    Args:
        names: Names of scenarios, or result files; none for all shipped scenarios with a baseline.
        confidence: Confidence of the intervals.

    Raises:
        RepositoryError: A file is not in a repository, or no commit holds it.
    """
    return [_read_history(name, path, confidence) for name, path in _locate_files(names)]


def _locate_files(names: Sequence[str]) -> Iterator[tuple[str, Path]]:
    if not names:
        for name, file in list_scenario_files().items():
            path = locate_baseline(file)
            if path.exists():
                yield name, path
    for name in dict.fromkeys(names):
        is_result = name.endswith(RESULT_SUFFIXES)
        yield name, Path(name) if is_result else locate_baseline(load_scenario(name).file)


def _read_history(name: str, path: Path, confidence: float) -> ScenarioHistory:
    is_result = name.endswith(RESULT_SUFFIXES)
    repository = Repository.containing(path)
    history = ScenarioHistory(name, path)
    commits = repository.list_commits_of_file(path)
    if not commits:
        kind = "result" if is_result else "baseline"
        raise RepositoryError(f"{name}: no commit holds its {kind}")
    read_entries = _read_result_entries if is_result else _read_baseline_entries
    for commit in commits:
        content = repository.read_file(commit, path)
        if content is None:
            history.unreadable.append((commit, "it was taken away"))
            continue
        try:
            history.entries += read_entries(commit, content, confidence)
        except (BaselineError, ResultError) as error:
            history.unreadable.append((commit, str(error)))
    return history


def _read_baseline_entries(
    commit: Commit, content: bytes, confidence: float
) -> Iterator[HistoryEntry]:
    baseline = parse_baseline(content.decode(errors="replace"), "the baseline")
    for cell in baseline.cells:
        seats = range(len(cell.seats)) if cell.seats else [None]
        for seat in seats:
            rate = wilson_rate(cell.count_wins_of_side(seat or 0), baseline.games, confidence)
            yield HistoryEntry(commit, cell.cell, seat, tuple(cell.plays), rate, baseline.reason)


def _read_result_entries(
    commit: Commit, content: bytes, confidence: float
) -> Iterator[HistoryEntry]:
    for result in parse_results(content, "the result"):
        cell = result.name.removeprefix(result.title).strip(" []")
        players = tuple(strategy["plays"] for strategy in result.strategies)
        for seat, wins in _count_wins(result):
            rate = wilson_rate(wins, result.games, confidence)
            yield HistoryEntry(commit, cell, seat, players, rate, commit.subject)


def _count_wins(result: Result) -> list[tuple[int | None, int]]:
    """Return (seat, wins) of each seat, or (None, wins) where seats do not compete."""
    if not result.game.competitive:
        return [(None, result.tally.count_wins())]
    return list(enumerate(result.tally.count_wins_by_seat()[: len(result.strategies)]))
