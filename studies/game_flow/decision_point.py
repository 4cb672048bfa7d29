"""When a game is decided, how many rounds are still played then, and how often the lead turns.

At the start of each round, the win probability of every side is estimated by rollouts in
determinized worlds (`sim.play.rollouts`), from what all players know together. Whether a side is
above 90 %, and which side leads, is judged by Wald's sequential probability ratio test, which plays
worlds until it is settled. So the answer does not depend on a fixed number of worlds: a test errs
in one position of a hundred, and it is indifferent only within three points of 90 % (see
`PositionEstimate`).

    [analysis] = analyze_decision_points("run_run_run/standard", games=200)
    analysis.games                       # one `GameTrace` for each game
    analysis.mean_rounds_after()         # an estimate with its interval
    analysis.shares_by_round("lost")     # of the lost games: decided by then, and over by then

Reference: A. Wald, Sequential tests of statistical hypotheses, Ann. Math. Statist. 16 (1945).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count, pairwise
from math import log
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioLike, Variant, resolve_scenario
from hardmode.sim.contract import ROUNDS, SCORES, WINNERS, Game
from hardmode.sim.draws import DECISION
from hardmode.sim.play.backends import JobArguments, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices, logged
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.reference_players import STEADY_TIME_SHARE, with_steady, with_trained
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

SECONDS = 20.0  # of all cells together, when neither games nor seconds are given
WORLDS = (24, 48, 80, 128, 256, 512, 1024)  # worlds after which a position is judged, in turn
# Win probabilities between which a test is indifferent: decided means above 90 %, nearly lost
# below 10 %.
DECIDED_LIMITS = (0.87, 0.93)
LOST_LIMITS = (0.07, 0.13)
LEAD_LIMITS = (0.5, 0.65)  # the leader's share of the worlds that one of the two best sides wins
TEST_ERROR = 0.01  # probability that a test errs outside its limits


@dataclass(frozen=True)
class PositionEstimate:
    """Win probabilities at the start of a round."""

    rounds_played: int
    worlds: int  # that were played
    win_probability: float  # of the side that won in the end
    is_decided: bool  # that probability is above 90 %
    is_nearly_lost: bool  # that probability is below 10 %
    leader: int  # the side that clearly leads, or -1


@dataclass(frozen=True)
class GameTrace:
    """One game, with the win probabilities at the start of each of its rounds."""

    number: int
    won: bool  # by the players together or, where seats compete, by the first seat
    winning_side: int  # a seat; where all play together, 0 for the players and 1 for the game
    rounds: int
    estimates: tuple[PositionEstimate, ...]
    margin: int | None  # by which the winner leads in the end, where seats compete for a score

    @property
    def decided_after(self) -> int:
        """Number of rounds after which the winner's probability stays above 90 %."""
        after = self.rounds
        for estimate in reversed(self.estimates):
            if not estimate.is_decided:
                break
            after = estimate.rounds_played
        return min(after, self.rounds)

    @property
    def rounds_after(self) -> int:
        """Number of rounds that were played after the game was decided."""
        return self.rounds - self.decided_after

    @property
    def lead_changes(self) -> int:
        """Number of times that the lead went from one side to another."""
        leaders = [e.leader for e in self.estimates if e.leader >= 0] + [self.winning_side]
        return sum(before != after for before, after in pairwise(leaders))

    @property
    def is_comeback(self) -> bool:
        """True if the side that won in the end was once below 10 %."""
        return any(e.is_nearly_lost for e in self.estimates)


@dataclass(frozen=True)
class DecisionPointAnalysis:
    """All traced games of one cell, and estimates from them."""

    cell: Variant
    players: list[str]
    seed: int
    confidence: float
    games: list[GameTrace] = field(repr=False)
    steady: DecisionPointAnalysis | None = None  # the same by `steady`, where `trained` plays

    @property
    def seats_compete(self) -> bool:
        """True if seats play against each other."""
        return self.cell.game.competitive and self.cell.players > 1

    @property
    def groups(self) -> dict[str, list[GameTrace]]:
        """All games and, where seats do not compete, those won and those lost."""
        if self.seats_compete:
            return {"all": self.games}
        won = [g for g in self.games if g.won]
        return {"all": self.games, "won": won, "lost": [g for g in self.games if not g.won]}

    def estimate_median_decision_round(self, group: str = "all") -> Estimate:
        """Return the median number of rounds after which games are decided."""
        return self._estimate_median(lambda g: g.decided_after, group)

    def estimate_median_length(self, group: str = "all") -> Estimate:
        """Return the median number of rounds of a game."""
        return self._estimate_median(lambda g: g.rounds, group)

    def estimate_mean_rounds_after(self, group: str = "all") -> Estimate:
        """Return the mean number of rounds that are played after a game is decided."""
        return self._estimate_mean(lambda g: g.rounds_after, group)

    def estimate_share_dragging(self, group: str = "all") -> Estimate:
        """Return the share of games that are decided for at least half of their rounds."""
        return self.estimate_share(lambda g: 2 * g.rounds_after >= g.rounds, group)

    def estimate_mean_lead_changes(self, group: str = "all") -> Estimate:
        """Return the mean number of changes of the lead."""
        return self._estimate_mean(lambda g: g.lead_changes, group)

    def estimate_share_comebacks(self, group: str = "all") -> Estimate:
        """Return the share of games whose winner was once below 10 %."""
        return self.estimate_share(lambda g: g.is_comeback, group)

    def estimate_share_open_at_end(self, group: str = "all") -> Estimate:
        """Return the share of games that are still open when their last round begins."""
        return self.estimate_share(lambda g: g.rounds_after == 0, group)

    def estimate_median_margin(self) -> Estimate | None:
        """Return the median lead in the end, or None where seats do not compete for a score."""
        margins = Counter(g.margin for g in self.games if g.margin is not None)
        return (
            estimates.order_statistic_quantile(margins, 0.5, self.confidence) if margins else None
        )

    def estimate_shares_by_round(self, group: str = "all") -> list[tuple[int, Estimate, Estimate]]:
        """Return (rounds, share of games decided by then, share over by then), from 0 rounds on."""
        games = self.groups[group]
        rows = []
        for rounds in range(max((g.rounds for g in games), default=0) + 1):
            decided = sum(g.decided_after <= rounds for g in games)
            over = sum(g.rounds <= rounds for g in games)
            rows.append(
                (
                    rounds,
                    self._estimate_rate(decided, len(games)),
                    self._estimate_rate(over, len(games)),
                )
            )
        return rows

    def estimate_share(self, holds: Callable[[GameTrace], bool], group: str = "all") -> Estimate:
        """Return the share of the games of a group for which `holds(game)` is true.

        Args:
            holds: Returns whether a game counts.
            group: A key of `groups`.
        """
        games = self.groups[group]
        return self._estimate_rate(sum(map(holds, games)), len(games))

    def _estimate_rate(self, k: int, n: int) -> Estimate:
        return estimates.wilson_rate(k, n, self.confidence)

    def _estimate_mean(self, value: Callable[[GameTrace], int], group: str) -> Estimate:
        """Return the mean of a value that is never negative."""
        values = list(map(value, self.groups[group]))
        squares = sum(v * v for v in values)
        mean = estimates.student_t_mean(len(values), sum(values), squares, self.confidence)
        return replace(mean, low=max(0.0, mean.low))

    def _estimate_median(self, value: Callable[[GameTrace], int], group: str) -> Estimate:
        counts = Counter(map(value, self.groups[group]))
        return estimates.order_statistic_quantile(counts, 0.5, self.confidence)


def analyze_decision_points(
    what: ScenarioLike,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    seconds: float = SECONDS,
    strategies: Sequence[str] = (),
    progress: Progress = ignore_progress,
) -> list[DecisionPointAnalysis]:
    """Trace games of each cell of a scenario, and of each again as `steady` plays it.

    Args:
        what: A scenario, its name, its path or its content.
        effort: Seed, first game, threads and confidence.
        games: Number of games of each cell; by default, as many as `seconds` allow.
        seconds: Time for all cells together, if `games` is not given.
        strategies: Strategies that the user named. Without any, `trained` replaces `steady`.
        progress: Called as games are finished.
    """
    scenario = resolve_scenario(what)
    effort = (effort or Effort()).resolve_seed(scenario)
    cells = scenario.cells
    analyses = []
    for i, cell in enumerate(cells):
        step = subprogress(progress, i, len(cells), cell.label_text)
        reference = with_trained(cell, strategies)
        analyses.append(analyze_cell(reference, effort, games, seconds / len(cells), step))
    return analyses


def analyze_cell(
    cell: Variant,
    effort: Effort,
    games: int | None,
    seconds: float,
    progress: Progress = ignore_progress,
) -> DecisionPointAnalysis:
    """Trace games of one cell as it is and, where `trained` plays, a few more by `steady`.

    Args:
        cell: The cell.
        effort: Games, seed, threads and confidence.
        games: Number of games; by default, as many as `seconds` allow.
        seconds: Time to spend, if `games` is None.
        progress: Called as games are finished.
    """
    other = with_steady(cell)
    if not other:
        return _trace_cell(cell, effort, games, seconds, progress)
    own_seconds = (1 - STEADY_TIME_SHARE) * seconds
    analysis = _trace_cell(cell, effort, games, own_seconds, subprogress(progress, 0, 1))
    steady = _trace_cell(other, effort, games, STEADY_TIME_SHARE * seconds, ignore_progress)
    return replace(analysis, steady=steady)


def _trace_cell(
    cell: Variant, effort: Effort, games: int | None, seconds: float, progress: Progress
) -> DecisionPointAnalysis:
    player_engine = make_engine(cell)
    traces: list[GameTrace] = []
    if games != 0:
        traces = list(_trace_games(player_engine, cell.players, effort, games, seconds, progress))
    names = [p.name for p in player_engine.players]
    return DecisionPointAnalysis(cell, names, effort.seed, effort.confidence, traces)


def _trace_games(
    engine: Engine,
    seats: int,
    effort: Effort,
    games: int | None,
    seconds: float,
    progress: Progress,
) -> Iterator[GameTrace]:
    """Yield traces of games in order: `games` of them, or as many as begin within `seconds`."""
    budget = Budget(seconds) if games is None else Budget(games=games)

    def arguments() -> Iterator[JobArguments]:
        for n in count() if games is None else range(games):
            if games is None and n and budget.exhausted:
                return
            yield engine, (effort.seed, effort.first_game + n, seats)

    traces = current_backend(effort.threads).map_jobs(trace_game_job, arguments())
    for n, fields in enumerate(traces, 1):
        budget.spend(1)
        pace = n / max(budget.elapsed, 1e-9)
        progress("watching games", min(budget.share_spent, 1.0), pace)
        positions = tuple(PositionEstimate(**position) for position in fields["estimates"])
        yield GameTrace(**{**fields, "estimates": positions})


def trace_game_job(
    engine: Engine, workspace: Workspace, seed: int, number: int, seats: int
) -> dict[str, Any]:
    """Trace one game, as a job of a backend; return the fields of a `GameTrace` as plain values."""
    return asdict(trace_game(Determinizer(engine, seed), workspace, number, seats))


def trace_game(
    determinizer: Determinizer, workspace: Workspace, number: int, seats: int
) -> GameTrace:
    """Play one game, and estimate the win probabilities at the start of each of its rounds.

    Args:
        determinizer: Rollouts of the games of one engine and seed.
        workspace: A workspace of this thread.
        number: Number of the game.
        seats: Number of players.

    Returns:
        The game, with an estimate for the start of each round.
    """
    game = determinizer.engine.game
    script, row = choices(determinizer.engine, workspace, determinizer.seed, number, log=True)
    starts = find_round_starts(determinizer, workspace, number, script)
    side = int(find_winning_sides(game, seats, row[WINNERS : WINNERS + 1])[0])
    rounds = int(row[ROUNDS])
    if starts:
        rounds = max(rounds, starts[-1][0] + 1)
    positions = []
    for rounds_played, step in starts:
        determinizer.seek(workspace, number, script, step)
        positions.append(
            estimate_leader(determinizer, workspace, number, seats, step, rounds_played, side)
        )
    margin = None
    if game.competitive and seats > 1 and game.scored:
        scores = sorted((int(s) for s in row[SCORES : SCORES + seats]), reverse=True)
        margin = scores[0] - scores[1]
    won = bool(row[WINNERS] & 1 if game.competitive else row[WINNERS])
    return GameTrace(number, won, side, rounds, tuple(positions), margin)


def find_round_starts(
    determinizer: Determinizer, workspace: Workspace, number: int, script: np.ndarray
) -> list[tuple[int, int]]:
    """Return (rounds played, step) of the first decision of each round of the game just logged.

    Args:
        determinizer: Rollouts of the games of one engine and seed.
        workspace: The workspace in which the game was just logged.
        number: Number of the game.
        script: Place of the option taken at each step.
    """
    entries = logged(workspace)
    rounds = entries[entries[:, 0] == DECISION][:, 3].tolist()
    for step in range(len(rounds), len(script)):  # of a game so long that its log was full
        determinizer.seek(workspace, number, script, step)
        rounds.append(int(workspace.tables.view(np.ndarray)["round"][0]))
    starts: list[tuple[int, int]] = []
    for step, round_ in enumerate(rounds):
        played = round_ - rounds[0]
        if not starts or played > starts[-1][0]:
            starts.append((played, step))
    return starts


def find_winning_sides(game: Game, seats: int, winners: np.ndarray) -> np.ndarray:
    """Return the side that won each game.

    Args:
        game: The rules.
        seats: Number of players.
        winners: The winning seats of each game, as bits.

    Returns:
        0 for the players and 1 for the game where all play together. Where seats compete, the first
        winning seat, or `seats` if no seat won.
    """
    if not game.competitive or seats == 1:
        return np.where(winners != 0, 0, 1)
    sides = np.full(len(winners), seats)
    for seat in reversed(range(seats)):
        sides[winners >> seat & 1 == 1] = seat
    return sides


def estimate_leader(
    determinizer: Determinizer,
    workspace: Workspace,
    number: int,
    seats: int,
    step: int,
    rounds_played: int,
    side: int,
) -> PositionEstimate:
    """Estimate the win probabilities of a position by rollouts, until three tests are settled.

    Args:
        determinizer: Rollouts of the games of one engine and seed.
        workspace: A workspace with the position on its table.
        number: Number of the game.
        seats: Number of players.
        step: Number of decisions before this position.
        rounds_played: Number of rounds before this position.
        side: The side that won this game in the end.
    """
    counts = np.zeros(max(2, seats + 1), np.int64)  # worlds won, by side
    for start, stop in pairwise((0, *WORLDS)):
        winners, _ = determinizer.sample_winners(workspace, number, step, start, stop)
        sides = find_winning_sides(determinizer.engine.game, seats, winners[winners >= 0])
        counts += np.bincount(sides, minlength=len(counts))
        won, n = int(counts[side]), int(counts.sum())
        second, first = np.argsort(counts, kind="stable")[-2:]
        lead = run_sequential_ratio_test(
            int(counts[first]), int(counts[first] + counts[second]), *LEAD_LIMITS
        )
        decided = run_sequential_ratio_test(won, n, *DECIDED_LIMITS)
        lost = run_sequential_ratio_test(won, n, *LOST_LIMITS)
        if lead and decided and lost:
            break
    probability = won / n if n else 0.5
    return PositionEstimate(
        rounds_played,
        n,
        probability,
        (decided or probability - sum(DECIDED_LIMITS) / 2) > 0,
        (lost or probability - sum(LOST_LIMITS) / 2) < 0,
        int(first) if lead > 0 else -1,
    )


def run_sequential_ratio_test(k: int, n: int, low: float, high: float) -> int:
    """Run Wald's sequential probability ratio test on `k` successes of `n`, for two rates.

    Returns:
        1 for the higher rate, -1 for the lower one, 0 if more data are needed.
    """
    ratio = k * log(high / low) + (n - k) * log((1 - high) / (1 - low))
    bound = log((1 - TEST_ERROR) / TEST_ERROR)
    if ratio >= bound:
        return 1
    return -1 if ratio <= -bound else 0
