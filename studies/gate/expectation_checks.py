"""Checks of what a scenario expects: values within a band, and cells in an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, isinf

import numpy as np

from hardmode.scenarios.expect import ExpectedAmounts, ExpectedOrder, ExpectedRange
from hardmode.scenarios.expectations import group_cells
from hardmode.scenarios.schema import Expect
from hardmode.sim.files.yaml_io.errors import UNKNOWN_LOCATION, ScenarioError
from hardmode.studies.gate.checks import GateCheck, GateFinding, format_difference
from hardmode.studies.gate.lazy_games import LazyGames
from hardmode.studies.stats.betting_bounds import MIN_GAMES_FOR_RANGE, MeanBounds, QuantileBounds
from hardmode.studies.stats.bounds import PairedBounds, RateBounds, ValueBounds
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_share, format_share_interval
from hardmode.studies.stats.sequential import INCONCLUSIVE, Gate, Verdict, plan_looks

BoundsOfFirst = Callable[[int], ValueBounds]  # returns the bounds after the first n games
NamedBand = tuple[str, ExpectedRange, BoundsOfFirst]


@dataclass(kw_only=True)
class ExpectationCheck(GateCheck):
    """Check that a value of one cell lies in a band.

    Attributes:
        band: The band.
        bounds_of_first: Returns the bounds of the value after the first n games.
        games: The games of the cell.
    """

    band: ExpectedRange
    bounds_of_first: BoundsOfFirst
    games: LazyGames

    @property
    def game_sources(self) -> Sequence[LazyGames]:
        """Games that the check may play."""
        return (self.games,)

    def evaluate(self, gate: Gate) -> GateFinding:
        """Play until the gate settles the check."""

        def judge(look: int, games: int) -> Verdict | None:
            return gate.judge_band(look, self.bounds_of_first(games), self.band.low, self.band.high)

        verdict = _judge_looks(gate, judge)
        estimate = verdict.estimate
        return GateFinding(
            self.scenario,
            self.cell,
            self.subject,
            verdict.decision,
            f"{self._format_value(estimate)} in {_describe_games(verdict)}",
            self.label,
            estimate,
            estimate.n,
            seconds=self.games.seconds,
        )

    def _format_value(self, e: Estimate) -> str:
        bounds = self.bounds_of_first(e.n)
        if isinstance(bounds, RateBounds):
            return format_share_interval(e.value, e.low, e.high)
        if isinstance(bounds, QuantileBounds):
            return f"{e.value:g} ({e.low:g} .. {e.high:g})"
        text = f"{e.value:.2f} ({e.low:.2f} .. {e.high:.2f})"
        if isinf(e.low) or isinf(e.high):
            text += (
                f", its range unknown in fewer than {MIN_GAMES_FOR_RANGE:,} games: "
                "say what it lies `within`"
            )
        return text


@dataclass(kw_only=True)
class OrderCheck(GateCheck):
    """Check that cells are won in an expected order, on the same games.

    Attributes:
        cells: The games of the cells, in the expected order.
    """

    cells: list[LazyGames]

    @property
    def game_sources(self) -> Sequence[LazyGames]:
        """Games that the check may play."""
        return self.cells

    def compare_neighbours(self, n: int) -> list[PairedBounds]:
        """Return the difference of each cell and the next one after n games."""
        won = [cell.is_won(n) for cell in self.cells]
        return [PairedBounds(n, _count_only(a, b), _count_only(b, a)) for a, b in pairwise(won)]

    def evaluate(self, gate: Gate) -> GateFinding:
        """Play until the gate settles the check."""

        def judge(look: int, games: int) -> Verdict | None:
            return gate.judge_order(look, self.compare_neighbours(games))

        verdict = _judge_looks(gate, judge)
        n = verdict.games
        rates = ", ".join(format_share(cell.count_wins(n) / n) for cell in self.cells)
        smallest = format_difference(verdict.estimate)
        games = _describe_games(verdict, " of each")
        return GateFinding(
            self.scenario,
            self.cell,
            self.subject,
            verdict.decision,
            f"{rates}; the smallest step {smallest} in {games}",
            self.label,
            verdict.estimate,
            n,
            seconds=sum(cell.seconds for cell in self.cells),
        )


def _count_only(a: np.ndarray, b: np.ndarray) -> int:
    """Return the number of games won in a and not in b."""
    return int((a & ~b).sum())


def _judge_looks(gate: Gate, judge: Callable[[int, int], Verdict | None]) -> Verdict:
    """Return the first verdict; the last look always has one."""
    for look, games in enumerate(gate.looks):
        verdict = judge(look, games)
        if verdict:
            return verdict
    raise AssertionError("the last look of a gate has a verdict")


def _describe_games(verdict: Verdict, whose: str = "") -> str:
    used_up = "; they are used up" if verdict.decision == INCONCLUSIVE else ""
    return f"{verdict.games:,} games{whose}{used_up}"


def make_expectation_checks(
    scenario: str, expect: Expect, cells: Sequence[LazyGames], budget: int
) -> Iterator[GateCheck]:
    """Yield the checks of everything that a scenario expects.

    Args:
        scenario: Name of the scenario.
        expect: What it expects.
        cells: The games of its cells.
        budget: The most games of a cell to play.
    """
    looks = plan_looks(budget)
    for games in cells:
        cell = games.cell
        for name, band, bounds_of_first in _list_bands(expect, games):
            yield ExpectationCheck(
                scenario=scenario,
                cell=cell.label_text,
                label=cell.label,
                subject=f"{name} {band}",
                looks=looks,
                band=band,
                bounds_of_first=bounds_of_first,
                games=games,
            )
    for order in expect.order:
        yield from _make_order_checks(scenario, order, cells, looks)


def _make_order_checks(
    scenario: str, order: ExpectedOrder, cells: Sequence[LazyGames], looks: tuple[int, ...]
) -> Iterator[OrderCheck]:
    for label, group in group_cells(order, cells, lambda games: games.cell.label):
        yield OrderCheck(
            scenario=scenario,
            cell=replace(group[0].cell, label=label).label_text,
            label=label,
            subject=f"order {order}",
            looks=looks,
            cells=group,
        )


def _list_bands(expect: Expect, games: LazyGames) -> Iterator[NamedBand]:
    """Yield the name, band and bounds of every value that a scenario expects of a cell."""
    if expect.win_rate:
        yield "win rate", expect.win_rate, _bound_rate(games.is_won)
    if expect.rounds:
        yield from _list_amount_bands("rounds", expect.rounds, games)
    if expect.score:
        yield from _list_amount_bands("score", expect.score, games)
    target = expect.score_target
    if target:
        reached = _bound_rate(lambda n: games.column("score", n) >= target.score)
        yield f"score {target.score:g} or more", target.rate, reached
    for name, band in expect.endings.items():
        number = games.cell.game.all_endings.index(name)
        yield f"ending {name}", band, _bound_ending(games, number)


def _bound_rate(test: Callable[[int], np.ndarray]) -> BoundsOfFirst:
    """Return the bounds of the rate of a test, which returns booleans of the first n games."""
    return lambda n: RateBounds(int(test(n).sum()), n)


def _bound_ending(games: LazyGames, number: int) -> BoundsOfFirst:
    return _bound_rate(lambda n: games.column("ending", n) == number)


def _list_amount_bands(name: str, expect: ExpectedAmounts, games: LazyGames) -> Iterator[NamedBand]:
    if expect.mean:
        yield (
            name,
            expect.mean,
            lambda n: MeanBounds(games.column(name, n), *_find_range(name, expect, games, n)),
        )
    for q, band in expect.quantiles:
        quantile = f"median of {name}" if q == 0.5 else f"{100 * q:g}% quantile of {name}"
        yield quantile, band, _bound_quantile(name, games, q)


def _bound_quantile(name: str, games: LazyGames, q: float) -> BoundsOfFirst:
    return lambda n: QuantileBounds(Counter(games.column(name, n).tolist()), q)


def _find_range(
    name: str, expect: ExpectedAmounts, games: LazyGames, n: int
) -> tuple[float, float]:
    """Return the least and the greatest possible amount; infinite where it is unknown.

    It is what the scenario states or, for rounds, what the game declares unless games exceed it.

    Raises:
        ScenarioError: A game has an amount outside of what the scenario states.
    """
    amounts = games.column(name, n)
    least = int(amounts.min())
    most = int(amounts.max())
    if expect.within:
        for amount in (most, least):
            if amount not in expect.within:
                raise ScenarioError(
                    UNKNOWN_LOCATION,
                    f"expect.{name}.within",
                    f"is {expect.within}, and a game has {amount}",
                )
        return expect.within.low, expect.within.high
    declared = games.cell.game.max_rounds
    if name == "rounds" and most <= declared:
        return 0, declared
    return -inf, inf
