"""What baselines and results held over the commits of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardmode.scenarios.load import files, load
from hardmode.sim.results import result_file
from hardmode.sim.results.result import ResultError
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baselines import BaselineError
from hardmode.studies.history.repository import Commit, Repository, RepositoryError
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import CONFIDENCE, Estimate

RESULT = (".json", ".json.gz")


@dataclass(frozen=True)
class Held:
    """What one commit held of one cell; of one seat, where seats compete."""

    commit: Commit
    cell: str
    seat: int | None
    plays: tuple[str, ...]
    rate: Estimate
    reason: str


@dataclass
class Past:
    """A scenario or result file over its commits, the oldest first."""

    name: str
    path: Path
    held: list[Held] = field(default_factory=list)
    unread: list[tuple[Commit, str]] = field(default_factory=list)

    def lines(self) -> dict[tuple[str, int | None], list[Held]]:
        """The course of each cell and seat."""
        found: dict[tuple[str, int | None], list[Held]] = {}
        for one in self.held:
            found.setdefault((one.cell, one.seat), []).append(one)
        return found


def history(names: Sequence[str], confidence: float = CONFIDENCE) -> list[Past]:
    """The past of scenarios and result files; of all shipped scenarios with a baseline, where none is named."""
    return [_past(name, path, confidence) for name, path in _places(names)]


def _places(names: Sequence[str]) -> Iterator[tuple[str, Path]]:
    if not names:
        yield from (
            (name, place)
            for name, file in files().items()
            if (place := baselines.place(file)).exists()
        )
    for name in dict.fromkeys(names):
        yield name, Path(name) if name.endswith(RESULT) else baselines.place(load(name).file)


def _past(name: str, path: Path, confidence: float) -> Past:
    repository, past = Repository.around(path), Past(name, path)
    commits = repository.of(path)
    if not commits:
        what = "result" if name.endswith(RESULT) else "baseline"
        raise RepositoryError(f"{name}: no commit holds its {what}")
    for commit in commits:
        content = repository.content(commit, path)
        if content is None:
            past.unread.append((commit, "it was taken away"))
            continue
        try:
            read = _of_result if name.endswith(RESULT) else _of_baseline
            past.held += read(commit, content, confidence)
        except (BaselineError, ResultError) as why:
            past.unread.append((commit, str(why)))
    return past


def _of_baseline(commit: Commit, content: bytes, confidence: float) -> Iterator[Held]:
    made = baselines.parsed(content.decode(errors="replace"), "the baseline")
    for cell in made.cells:
        seats = range(len(cell.seats)) if cell.seats else [None]
        for seat in seats:
            rate = estimates.rate(cell.wins_of(seat or 0), made.games, confidence)
            yield Held(commit, cell.cell, seat, tuple(cell.plays), rate, made.reason)


def _of_result(commit: Commit, content: bytes, confidence: float) -> Iterator[Held]:
    found = result_file.parsed(content, "the result")
    for one in found:
        cell = one.name.removeprefix(one.title).strip(" []")
        shares: list[int] = (
            one.tally.shares()[: len(one.strategies)]
            if one.game.competitive
            else [one.tally.wins()]
        )
        for seat, wins in enumerate(shares):
            yield Held(
                commit,
                cell,
                seat if one.game.competitive else None,
                tuple(s["plays"] for s in one.strategies),
                estimates.rate(wins, one.games, confidence),
                commit.subject,
            )
