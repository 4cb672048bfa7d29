"""Turning points of one game: the win probability after each step, and the largest swings.

The win probability is that of all who play together or, where seats compete, of each seat from its
own view. It is estimated by rollouts in determinized worlds (`sim.play.rollouts`). A swing of luck
is the value after what was drawn, less the value of the option that was taken. A swing of decision
is the value of the best other option, less the value of the one taken.

The largest of many estimates is biased upwards. So the candidates are estimated again in new
worlds, five are chosen by that, and what is reported of these is estimated once more, in worlds
that had no part in the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.sim.contract import WINNERS
from hardmode.sim.play.backends import Backend, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.rollouts import COMMON_VIEW
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.game_flow import position_rollouts
from hardmode.studies.game_flow.position_rollouts import (
    CHOOSE,
    DEAL,
    LOOK,
    LUCK,
    MEASURE,
    ExaminedGame,
    PositionRollouts,
    SwingCandidate,
    WinnersByView,
    find_view_wins,
)
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, Estimate

PLAYOUTS = 200  # after each step
MIN_PLAYOUTS = 40  # with fewer, nothing is reported
REPORTED = 5  # swings, at most
SHORTLIST = 12  # candidates of each kind that are estimated again
TOTAL_COST = 2.6  # time of the whole analysis, in units of the playouts after each step
PLAYOUT_FACTORS = {CHOOSE: 2, MEASURE: 4}  # playouts of a swing, in units of those after a step
TIMED_POSITIONS, TIMED_WORLDS = 16, 4  # by which the time of a playout is estimated


@dataclass(frozen=True)
class Swing:
    """Effect of one step on the win probability."""

    step: int  # of the game's story; 0 is the deal
    kind: str
    view: int  # whose probability: a seat, or the common view
    before: float  # after the option that was taken
    after: float  # luck: after the draws; decision: after the best other option
    change: Estimate
    better_option: int = -1  # place of the best other option


@dataclass(frozen=True)
class TurningPoints:
    """Win probabilities over one game, and its largest swings."""

    views: list[int]
    win_rates: list[list[Estimate]]  # after the deal and after each step, by point of view
    swings: list[Swing]  # the largest first
    playouts: int


def find_turning_points(
    engine: Engine,
    seed: int,
    number: int,
    seats: int,
    *,
    playouts: int = PLAYOUTS,
    threads: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    seconds: float | None = None,
    progress: Progress = ignore_progress,
) -> TurningPoints | None:
    """Estimate the win probability after each step of a game, and find its largest swings.

    Args:
        engine: The rules, the box and the players.
        seed: Seed of the game.
        number: Number of the game.
        seats: Number of players.
        playouts: Rollouts after each step; with `seconds`, the most.
        threads: Number of threads; 0 for all cores.
        confidence: Confidence of each interval.
        seconds: Time to spend.
        progress: Called as rollouts are finished.

    Returns:
        The turning points, or None if the time allows fewer than `MIN_PLAYOUTS` rollouts.
    """
    views = range(seats) if engine.game.competitive and seats > 1 else [COMMON_VIEW]
    script, row = choices(engine, Workspace(engine.game), seed, number)
    record = ExaminedGame(seed, number, script, int(row[WINNERS]), tuple(views), playouts)
    backend = current_backend(threads)
    if seconds is not None:
        playout_seconds = TOTAL_COST * measure_playout_seconds(engine, record)
        playouts = min(playouts, int(seconds * backend.workers / playout_seconds))
        if playouts < MIN_PLAYOUTS:
            return None
        record = record._replace(playouts=playouts)
    return SwingAnalysis(engine, record, backend, confidence, progress).run()


def measure_playout_seconds(engine: Engine, record: ExaminedGame) -> float:
    """Return the seconds that one rollout after each step takes one thread, from a few of them.

    Args:
        engine: The rules, the box and the players.
        record: The game.
    """
    steps = len(record.script)
    rollouts = PositionRollouts(engine, Workspace(engine.game), record)
    positions = range(0, steps, max(1, steps // TIMED_POSITIONS))
    stopwatch = Stopwatch()
    for position in positions:
        rollouts.seek(position)
        for view in record.views:
            rollouts.play_out(position, view, TIMED_WORLDS, LOOK)
    elapsed = max(1e-6, stopwatch.elapsed)
    return elapsed / TIMED_WORLDS * steps / max(1, len(positions))


@dataclass
class SwingAnalysis:
    """Search for the swings of one game, on a backend."""

    engine: Engine
    record: ExaminedGame
    backend: Backend
    confidence: float
    progress: Progress

    @property
    def positions(self) -> range:
        """The positions at which a decision was made."""
        return range(len(self.record.script))

    def run(self) -> TurningPoints:
        """Play out each position, choose the largest swings, and estimate these again."""
        record = self.record
        arguments = [(position,) for position in self.positions]
        winners = self._map_jobs(position_rollouts.play_out_position_job, arguments, 0.0, 0.4)
        known = dict(zip(self.positions, winners, strict=True))
        chosen = self._choose_candidates(
            [*self._find_lucky_steps(known), *self._find_decisions(known)]
        )
        swings = list(self._measure_swings(chosen, MEASURE, 0.97, 1.0))
        swings.sort(key=lambda swing: -abs(swing.change.value))
        win_rates = []
        for position in self.positions:
            by_view = known[position]
            win_rates.append(
                [self._estimate_win_rate(by_view[view][0], view) for view in record.views]
            )
        win_rates.append(
            [self._estimate_win_rate(self._repeat_final_winners(1), view) for view in record.views]
        )
        return TurningPoints(list(record.views), win_rates, swings, record.playouts)

    def _map_jobs(
        self,
        job: Callable[..., Any],
        arguments: Sequence[tuple[Any, ...]],
        start: float,
        end: float,
    ) -> Iterator[Any]:
        """Yield the results of a job; the progress goes from `start` to `end`."""
        record = tuple(self.record)
        calls = ((self.engine, (record, *args)) for args in arguments)
        for i, result in enumerate(self.backend.map_jobs(job, calls)):
            self.progress("playing on", start + (end - start) * (i + 1) / len(arguments))
            yield result

    def _repeat_final_winners(self, n: int) -> np.ndarray:
        return np.full(n, self.record.winners)

    def _find_lucky_steps(self, known: dict[int, WinnersByView]) -> list[SwingCandidate]:
        """Return the steps whose draws seem to matter most, each for the view it moved most."""
        sized = []
        for position in self.positions:
            by_view = []
            for view in self.record.views:
                after = self._repeat_final_winners(self.record.playouts)
                if position + 1 in known:
                    after = known[position + 1][view][0]
                before = known[position][view][1]
                size = position_rollouts.estimate_lower_bound(
                    find_view_wins(before, view), find_view_wins(after, view)
                )
                by_view.append((size, view))
            size, view = max(by_view)
            sized.append((size, SwingCandidate(position, LUCK, view)))
        deals = [SwingCandidate(DEAL, LUCK, view) for view in self.record.views]
        return deals + select_largest(sized)

    def _find_decisions(self, known: dict[int, WinnersByView]) -> list[SwingCandidate]:
        """Return the decisions in which another option seems to be better by most."""
        arguments = [(position, known[position]) for position in self.positions]
        found = self._map_jobs(position_rollouts.find_better_option_job, arguments, 0.4, 0.75)
        return select_largest((gain, SwingCandidate(*candidate)) for gain, candidate in found)

    def _choose_candidates(self, candidates: list[SwingCandidate]) -> list[SwingCandidate]:
        """Return the candidates that are largest in new worlds, and not explained by chance."""
        significant = []
        for i, swing in enumerate(self._measure_swings(candidates, CHOOSE, 0.75, 0.97)):
            is_possible = swing.kind == LUCK or swing.change.value > 0
            if swing.change.excludes(0.0) and is_possible:
                significant.append((abs(swing.change.value), i))
        return [candidates[i] for _, i in sorted(significant, reverse=True)[:REPORTED]]

    def _measure_swings(
        self, candidates: Sequence[SwingCandidate], salt: int, start: float, end: float
    ) -> Iterator[Swing]:
        """Yield estimates of swings, in the worlds of a salt."""
        worlds = PLAYOUT_FACTORS[salt] * self.record.playouts
        arguments = [(tuple(candidate), worlds, salt) for candidate in candidates]
        results = self._map_jobs(position_rollouts.play_out_swing_job, arguments, start, end)
        for candidate, winners in zip(candidates, results, strict=True):
            before, after = (find_view_wins(w, candidate.view) for w in winners)
            change = self._estimate_change(candidate, before, after)
            yield Swing(
                candidate.step,
                candidate.kind,
                candidate.view,
                float(np.nanmean(before)),
                float(np.nanmean(after)),
                change,
                candidate.better_option,
            )

    def _estimate_change(
        self, candidate: SwingCandidate, before: np.ndarray, after: np.ndarray
    ) -> Estimate:
        if candidate.position != DEAL:
            return estimate_paired_change(before, after, self.confidence)
        return (
            estimates.newcombe_difference(  # before the deal, games are independent of these worlds
                int(np.nansum(after)),
                count_known(after),
                int(np.nansum(before)),
                count_known(before),
                self.confidence,
            )
        )

    def _estimate_win_rate(self, winners: np.ndarray, view: int) -> Estimate:
        won = find_view_wins(winners, view)
        if len(winners) == 1:
            return Estimate(float(won[0]), float(won[0]), float(won[0]), 1, self.confidence)
        return estimates.wilson_rate(int(np.nansum(won)), count_known(won), self.confidence)


def count_known(values: np.ndarray) -> int:
    """Return the number of values that are not NaN."""
    return int((~np.isnan(values)).sum())


def estimate_paired_change(before: np.ndarray, after: np.ndarray, confidence: float) -> Estimate:
    """Return the difference of two win rates in the same worlds.

    Args:
        before: 1 where a world is won before the change.
        after: 1 where it is won after it. NaN marks impossible worlds.
        confidence: Confidence of the interval.
    """
    possible = ~np.isnan(before + after)
    a, b = after[possible] == 1, before[possible] == 1
    return estimates.newcombe_paired_difference(
        int((a & b).sum()),
        int((a & ~b).sum()),
        int((b & ~a).sum()),
        int((~a & ~b).sum()),
        confidence,
    )


def select_largest(sized: Iterable[tuple[float, SwingCandidate]]) -> list[SwingCandidate]:
    """Return the candidates of the largest positive sizes, the largest first."""
    ordered = sorted(sized, key=lambda pair: -pair[0])[:SHORTLIST]
    return [candidate for size, candidate in ordered if size > 0]
