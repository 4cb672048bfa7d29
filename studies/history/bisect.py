"""Bisection: the search for the commit that moved a win rate.

Every commit plays the same games of a scenario and is compared with the good commit. The permitted
error is shared by all comparisons that the search may ever make, the first having the most, so that
the search as a whole keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Any, NamedTuple

from hardmode.scenarios.load import load_scenario
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.gate.baseline_check import choose_margin
from hardmode.studies.gate.baselines import Baseline, BaselineCell
from hardmode.studies.history.commit_player import CannotPlayError, CommitPlayer
from hardmode.studies.history.repository import Commit, Repository, RepositoryError
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sequential import (
    CHANGED,
    INCONCLUSIVE,
    Gate,
    Verdict,
    judge_until_settled,
)

MOVED, AS_GOOD, UNDECIDED, SKIPPED = "moved", "as good", "undecided", "skipped"
VERDICTS = {CHANGED: MOVED, INCONCLUSIVE: UNDECIDED}  # on a commit, by the decision of the gate


@dataclass(frozen=True)
class BisectConfig:
    """Settings by which a search plays and judges.

    Attributes:
        games: Games of each cell; None for as many as the good commit's baseline has, or by pace.
        seed: Seed of the games; None for that of the good commit's baseline.
        alpha: Permitted probability that the search blames a commit that changed nothing.
        beta: Permitted probability that it passes a change beyond the margin.
        margin: Smallest change that matters; None for 1 point, or more where games are few.
        threads: Number of threads; 0 for one per core.
    """

    games: int | None = None
    seed: int | None = None
    alpha: float = 0.01
    beta: float = 0.05
    margin: float | None = None
    threads: int = 0


@dataclass(frozen=True)
class CommitVerdict:
    """Verdict on a commit, and the cell and seat that show it most clearly.

    Attributes:
        commit: The commit.
        verdict: MOVED, AS_GOOD, UNDECIDED or SKIPPED.
        reason: Why it was skipped.
        cell: Label of the cell as text.
        seat: Number of the seat, from 0; None where seats do not compete.
        difference: Difference of the win rates, this commit minus the good one.
        rate_before: Win rate in the good commit.
        rate_after: Win rate in this commit.
    """

    commit: Commit
    verdict: str
    reason: str = ""
    cell: str = ""
    seat: int | None = None
    difference: Estimate | None = None
    rate_before: float = 0.0
    rate_after: float = 0.0


@dataclass
class BisectSearch:
    """State of a search.

    Attributes:
        scenario: Name of the scenario.
        good: The good commit.
        commits: The commits after the good one; the last is taken to have moved the win rate.
        steps: The verdicts so far.
        last_good: Index of the last commit known to play as the good one.
        first_bad: Index of the first commit known not to.
    """

    scenario: str
    good: Commit
    commits: list[Commit]
    steps: list[CommitVerdict] = field(default_factory=list)
    last_good: int = -1
    first_bad: int = 0

    @property
    def has_moved(self) -> bool:
        """True if any commit was found to have moved the win rate."""
        return any(step.verdict == MOVED for step in self.steps)

    @property
    def culprit(self) -> Commit | None:
        """The commit that moved the win rate, or None if it is not settled."""
        if self.has_moved and self.first_bad - self.last_good == 1:
            return self.commits[self.first_bad]
        return None

    @property
    def suspects(self) -> list[Commit]:
        """Commits one of which moved the win rate."""
        if not self.has_moved:
            return []
        return self.commits[self.last_good + 1 : self.first_bad + 1]

    def choose_next(self) -> int | None:
        """Return the index of the untried commit nearest to the middle of what is left, if any."""
        tried = {step.commit for step in self.steps}
        middle = (self.last_good + self.first_bad) / 2
        indices = range(self.last_good + 1, self.first_bad)
        untried = [i for i in indices if self.commits[i] not in tried]
        return min(untried, key=lambda i: abs(i - middle), default=None)


def bisect_commits(
    name: str,
    good: str,
    bad: str = "HEAD",
    config: BisectConfig | None = None,
    progress: Progress = ignore_progress,
) -> BisectSearch:
    """Search the commits after `good` up to `bad` for the first that moved a win rate.

    Args:
        name: Name or file of the scenario.
        good: A commit that plays as it should.
        bad: A later commit that does not.
        config: How to play and judge.
        progress: Called before each commit is played.

    Raises:
        RepositoryError: A commit does not exist, or the good one cannot play the scenario.
    """
    config = config or BisectConfig()
    file = load_scenario(name).file.resolve()
    repository = Repository.containing(file)
    first = repository.find_commit(good)
    last = repository.find_commit(bad)
    commits = repository.list_commits_between(first, last)
    if not commits:
        raise RepositoryError(f"{first.short} and {last.short} are the same commit")
    search = BisectSearch(name, first, commits, first_bad=len(commits) - 1)
    player = CommitPlayer(repository, file, config.games, config.seed, config.threads)
    expected_steps = 2 + log2(len(commits))
    progress(str(first), 0.0)
    try:
        reference = player.play_commit(first)
    except CannotPlayError as error:
        raise RepositoryError(f"the good commit cannot play {name}: {error}") from None
    index: int | None = search.first_bad
    while index is not None:
        progress(str(commits[index]), min(0.95, (1 + len(search.steps)) / expected_steps))
        number = 1 + sum(step.verdict != SKIPPED for step in search.steps)
        step = _judge_commit(commits[index], player, reference, number, config)
        search.steps.append(step)
        if step.verdict == MOVED:
            search.first_bad = index
        elif step.verdict == AS_GOOD:
            search.last_good = index
        index = search.choose_next() if search.has_moved else None
    return search


class _SideVerdict(NamedTuple):
    """Verdict on one side of one cell."""

    accepted: BaselineCell  # of the good commit
    side: int
    verdict: Verdict
    bounds: PairedBounds


def _judge_commit(
    commit: Commit, player: CommitPlayer, good: Baseline, number: int, config: BisectConfig
) -> CommitVerdict:
    """Return the verdict on a commit, the `number`th comparison of the search."""
    try:
        verdicts = _compare(good, player.play_commit(commit), number, config)
    except CannotPlayError as error:
        return CommitVerdict(commit, SKIPPED, str(error))
    clearest = max(verdicts, key=_rank_by_clarity)
    games = clearest.bounds.games
    rate_before = float(clearest.accepted.won[clearest.side, :games].mean())
    return CommitVerdict(
        commit,
        VERDICTS.get(clearest.verdict.decision, AS_GOOD),
        "",
        clearest.accepted.cell,
        clearest.side if len(clearest.accepted.won) > 1 else None,
        clearest.verdict.estimate,
        rate_before,
        rate_before + float(clearest.bounds.value),
    )


def _rank_by_clarity(side: _SideVerdict) -> tuple[Any, ...]:
    decision = side.verdict.decision
    return decision == CHANGED, decision == INCONCLUSIVE, abs(side.verdict.estimate.value)


def _compare(
    good: Baseline, now: Baseline, number: int, config: BisectConfig
) -> Sequence[_SideVerdict]:
    """Return the verdicts on all sides of all cells.

    Raises:
        CannotPlayError: The games cannot be compared.
    """
    labels = [cell.label for cell in good.cells]
    has_same_cells = labels == [cell.label for cell in now.cells]
    if not has_same_cells or good.game != now.game or good.scheme != now.scheme:
        raise CannotPlayError("its cells, its game or its draws are others than the good commit's")
    # The k-th comparison has 1 / (k (k + 1)) of the error: 1/2 + 1/6 + 1/12 + ... is 1.
    share = number * (number + 1)
    beta = config.beta / share
    margin = choose_margin(good.looks, beta, config.margin)
    same_outcome_scheme = good.made_by.get("outcomes") == now.made_by.get("outcomes")
    sides: list[tuple[BaselineCell, int]] = []
    bounds: list[dict[int, PairedBounds]] = []  # of each side, by number of games
    for before, after in zip(good.cells, now.cells, strict=True):
        for side in range(len(before.won)):
            sides.append((before, side))
            bounds.append(
                {n: _bound_pairs(before, after, side, n, same_outcome_scheme) for n in good.looks}
            )
    gate = Gate(config.alpha, beta, margin, good.looks, len(sides) * share)
    verdicts = judge_until_settled(
        gate.looks,
        gate.judge_difference,
        lambda n: {i: side_bounds[n] for i, side_bounds in enumerate(bounds)},
    )
    return [
        _SideVerdict(*sides[i], verdict, bounds[i][good.looks[verdict.look]])
        for i, verdict in verdicts.items()
    ]


def _bound_pairs(
    before: BaselineCell, after: BaselineCell, side: int, n: int, same_outcome_scheme: bool
) -> PairedBounds:
    """Return the difference of the win rates of a side over the first n games."""
    was_won = before.won[side, :n]
    is_won = after.won[side, :n]
    gained = int((is_won & ~was_won).sum())
    lost = int((was_won & ~is_won).sum())
    digest = before.outcomes.get(str(n))
    is_same = same_outcome_scheme and digest is not None and digest == after.outcomes.get(str(n))
    return PairedBounds(n, gained, lost, 0 if is_same else max(1, gained + lost))
