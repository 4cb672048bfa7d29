"""Check of a cell against its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from hardmode.sim.results.result import collect_versions
from hardmode.studies.gate.accept import compute_digests
from hardmode.studies.gate.baselines import Baseline, BaselineCell
from hardmode.studies.gate.checks import (
    DEFAULT_MARGIN,
    GateCheck,
    GateFinding,
    format_difference,
    format_margin,
)
from hardmode.studies.gate.lazy_games import LazyGames
from hardmode.studies.stats.bounds import PairedBounds, UnpairedBounds
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_share
from hardmode.studies.stats.sequential import (
    CHANGED,
    EQUIVALENT,
    IDENTICAL,
    INCONCLUSIVE,
    Gate,
    Verdict,
    judge_until_settled,
    plan_looks,
)

MARGINS = tuple(m / 1000 for m in range(10, 1000, 5))  # from which one is chosen
WORST_FIRST = (CHANGED, INCONCLUSIVE, EQUIVALENT, IDENTICAL)  # the order to choose a seat to show
SUMMARY_INPUT = "scenario"  # digest that changes with each of DETAILED_INPUTS
DETAILED_INPUTS = {"box", "strategies", "weights"}


def choose_margin(looks: Sequence[int], beta: float, requested: float | None) -> float:
    """Return the margin to judge by: the requested one, else 1 point or more with few games.

    It is the smallest margin within which the difference is shown to lie if, at the last look, no
    game is won otherwise.

    Args:
        looks: Numbers of games at which to look.
        beta: Permitted probability that a change beyond the margin passes.
        requested: The margin that the user gave, or None.
    """
    if requested:
        return requested
    gate = Gate(beta=beta, looks=tuple(looks))
    level = gate.error_levels(len(looks) - 1)[1]
    same = PairedBounds(looks[-1], 0, 0)
    shown = (margin for margin in MARGINS if same.is_within(-margin, margin, level))
    return next(shown, MARGINS[-1])


def count_sufficient_games(looks: Sequence[int], beta: float, margin: float) -> int:
    """Return the games that show a difference to be within the margin if none is won otherwise.

    Args:
        looks: Numbers of games at which to look.
        beta: Permitted probability that a change beyond the margin passes.
        margin: The margin.
    """
    gate = Gate(beta=beta, looks=tuple(looks))
    for look, games in enumerate(looks):
        level = gate.error_levels(look)[1]
        if PairedBounds(games, 0, 0).is_within(-margin, margin, level):
            return games
    return looks[-1]


def list_looks(baseline: Baseline, budget: int | None) -> tuple[int, ...]:
    """Return the numbers of games at which to look.

    First come games whose winners the baseline holds, then new games, which are judged against the
    tally of all games of the baseline.

    Args:
        baseline: The baseline.
        budget: The most games to play; by default as many as the baseline has.
    """
    most = budget or baseline.games
    paired = tuple(n for n in baseline.looks if n <= most) or (min(most, baseline.paired),)
    if most <= baseline.paired:
        return paired
    return (*paired, *(baseline.paired + n for n in plan_looks(most - baseline.paired)))


@dataclass(kw_only=True)
class BaselineCheck(GateCheck):
    """Check that a cell is won as often as accepted; where seats compete, by each seat.

    Attributes:
        baseline: The baseline of the scenario.
        accepted: The cell of the baseline.
        games: The games that the baseline played.
        fresh_games: Other games.
        sufficient_games: Games that would do if something had changed; 0 if unknown.
    """

    baseline: Baseline
    accepted: BaselineCell
    games: LazyGames
    fresh_games: LazyGames
    sufficient_games: int = 0

    @property
    def game_sources(self) -> Sequence[LazyGames]:
        """Games that the check may play."""
        return self.games, self.fresh_games

    @property
    def quick_games(self) -> int:
        """Number of first games that show whether anything changed."""
        quick = self.baseline.quick
        if str(self.sufficient_games) in self.accepted.outcomes:
            return min(quick, self.sufficient_games)
        return quick

    @property
    def judged_sides(self) -> int:
        """Number of sides that are judged, each with a share of alpha."""
        return self.games.sides

    @cached_property
    def changed_inputs(self) -> tuple[str, ...]:
        """Names of what changed since it was accepted: code, weights, numbers, players."""
        now = compute_digests(self.games.cell)
        names = {name for name in now if now[name] != self.accepted.digests.get(name)}
        if names & DETAILED_INPUTS:
            names.discard(SUMMARY_INPUT)
        return tuple(name for name in now if name in names)

    @cached_property
    def libraries(self) -> tuple[str, ...]:
        """Libraries whose version changed since it was accepted."""
        now = collect_versions()
        changed = []
        for name, version in self.baseline.made_by.items():
            if name != "hardmode" and now.get(name) != version:
                changed.append(f"{name} {version} -> {now.get(name, 'not installed')}")
        return tuple(changed)

    @property
    def inputs_unchanged(self) -> bool:
        """True if nothing that decides the games is known to have changed."""
        return not self.changed_inputs and not self.libraries

    @property
    def reproduces_baseline(self) -> bool:
        """True if, in addition, the first games end as accepted: chance has no part in it."""
        n = self.quick_games
        return self.inputs_unchanged and n <= self.looks[-1] and self._has_same_outcomes(n)

    def evaluate(self, gate: Gate) -> GateFinding:
        """Play until the gate settles every side; return the finding of the worst."""
        n = self.quick_games
        if self.reproduces_baseline:
            exact = Verdict(IDENTICAL, Estimate(0.0, 0.0, 0.0, n, 1.0), 0)
            return self._make_finding(exact, PairedBounds(n, 0, 0, 0))
        verdicts = judge_until_settled(gate.looks, gate.judge_difference, self._bound_all_sides)

        def rank(side: int) -> tuple[int, float]:
            verdict = verdicts[side]
            return WORST_FIRST.index(verdict.decision), -abs(verdict.estimate.value)

        worst = min(verdicts, key=rank)
        verdict = verdicts[worst]
        bounds = self.compute_bounds(gate.looks[verdict.look], worst)
        return self._make_finding(verdict, bounds, worst)

    def _has_same_outcomes(self, n: int) -> bool:
        """Return whether the first n games are known to end as accepted in every measure."""
        return self.accepted.outcomes.get(str(n)) == self.games.outcome_digest(n)

    def _bound_all_sides(self, n: int) -> dict[int, PairedBounds | UnpairedBounds]:
        return {side: self.compute_bounds(n, side) for side in range(self.judged_sides)}

    def compute_bounds(self, n: int, side: int = 0) -> PairedBounds | UnpairedBounds:
        """Return the difference of the win rates of a side, now minus accepted, after n games.

        The first games are compared in pairs. Beyond those whose winners the baseline holds, new
        games are compared with its tally.

        Args:
            n: Number of games, as in `looks`.
            side: Number of the seat, from 0; 0 where seats do not compete.
        """
        if n > self.baseline.paired:
            fresh = n - self.baseline.paired
            return UnpairedBounds(
                self.fresh_games.count_wins(fresh, side),
                fresh,
                self.accepted.count_wins_of_side(side),
                self.baseline.games,
            )
        before = self.accepted.won[side, :n]
        now = self.games.is_won(n, side)
        gained = int((now & ~before).sum())
        lost = int((before & ~now).sum())
        changed = 0 if self._has_same_outcomes(n) else max(1, gained + lost)
        return PairedBounds(n, gained, lost, changed)

    def _make_finding(
        self, verdict: Verdict, bounds: PairedBounds | UnpairedBounds, side: int = 0
    ) -> GateFinding:
        if isinstance(bounds, PairedBounds):
            flips = (bounds.gained, bounds.lost)
            before = float(self.accepted.won[side, : bounds.games].mean())
            wins = self.games.count_wins(bounds.games, side)
        else:
            flips = None
            before = self._accepted_rate(side)
            wins = self.fresh_games.count_wins(bounds.games, side)
        now = wins / bounds.games
        text = self._describe(verdict, bounds, before, now, side)
        if self.judged_sides > 1 and verdict.decision != IDENTICAL:
            text = f"seat {side + 1}, of all {self.judged_sides}: {text}"
        return GateFinding(
            self.scenario,
            self.cell,
            self.subject,
            verdict.decision,
            text,
            self.label,
            verdict.estimate,
            self.games.played + self.fresh_games.played,
            self.margin,
            (before, now),
            flips,
            self.changed_inputs,
            self.libraries,
            self.games.seconds + self.fresh_games.seconds,
        )

    def _accepted_rate(self, side: int) -> float:
        return self.accepted.count_wins_of_side(side) / self.baseline.games

    def _describe(
        self,
        verdict: Verdict,
        bounds: PairedBounds | UnpairedBounds,
        before: float,
        now: float,
        side: int,
    ) -> str:
        estimate = verdict.estimate
        games = f"{bounds.games:,} games"
        margin = ""
        if self.margin != DEFAULT_MARGIN:
            margin = f", margin {format_margin(self.margin)}"
        if verdict.decision == IDENTICAL:
            is_exact = estimate.confidence == 1
            limit = "" if is_exact else f": within {format_margin(estimate.high)}"
            return f"{games} end as accepted in every measure{limit}{margin}"
        if isinstance(bounds, PairedBounds):
            basis = f"{bounds.gained:,} gained and {bounds.lost:,} lost of {games}"
        else:
            basis = f"{games} against the tally of {bounds.base_games:,}"
        budget = "; the games are used up" if verdict.decision == INCONCLUSIVE else ""
        return (
            f"{format_difference(estimate)}, {format_share(before)} -> {format_share(now)}"
            f", {basis}{self._describe_whole_baseline(before, side)}{margin}{budget}"
        )

    def _describe_whole_baseline(self, before: float, side: int) -> str:
        """Return the rate of all games of the baseline, if that of the judged ones differs."""
        accepted = format_share(self._accepted_rate(side))
        if accepted == format_share(before):
            return ""
        return f" (in all {self.baseline.games:,} accepted games: {accepted})"
