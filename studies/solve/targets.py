"""Design targets: a rate, a mean, or the share of an ending or a seat, as a point or a band.

Examples: `win_rate=50%`, `rounds=10..14`, `lost: dark=< 10%`, `seat 2=45..55%`, in one cell
`players=4: win_rate=40..50%`, and the distance of two skill levels `trained - beginner=> 20%`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, isfinite
from typing import Any

from hardmode.scenarios import expect, grid
from hardmode.scenarios.expect import ExpectedRange
from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Game
from hardmode.sim.files.yaml_io.errors import find_nearest_names
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.core.metric import compute_power_sums, count_wins
from hardmode.studies.core.skill_levels import SKILL_LEVELS
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import RateBounds
from hardmode.studies.stats.estimates import Estimate

RATE_TOLERANCE = 0.01  # unit of distance from a band of rates
MEAN_TOLERANCE = 0.5  # unit of distance from a band of means; also half the band of a point
WIN_RATE = "win_rate"

# What is played for a target: paths and values of its cell, and the skill level that plays there,
# or "" for the players of the scenario.
Place = tuple[tuple[tuple[str, Any], ...], str]


class SolveError(ValueError):
    """Raised if a target or a design variable cannot be used; the message says why."""


@dataclass(frozen=True)
class Target:
    """A measure and the band in which it shall lie.

    Attributes:
        name: The measure, with its cell if it has one.
        measure: The measure.
        band: The band.
        is_rate: Whether the measure is a share of games rather than a mean.
        written: The value as the user wrote it.
        where: Paths and values of the cell in which it shall hold.
        skill_levels: Skill levels whose win rates are compared, the better one first.
    """

    name: str
    measure: str
    band: ExpectedRange
    is_rate: bool
    written: str
    where: tuple[tuple[str, Any], ...] = ()
    skill_levels: tuple[str, ...] = ()

    @property
    def is_logistic(self) -> bool:
        """True if the measure lies between 0 and 1, so that its log odds are modelled."""
        return self.is_rate and not self.skill_levels

    @property
    def places(self) -> list[Place]:
        """Cells and players to be played for the target."""
        return [(self.where, level) for level in self.skill_levels or ("",)]

    @property
    def text(self) -> str:
        """The band in words, such as `50 %` or `40 .. 55 %`."""
        return " ".join(re.sub(r"(\.\.|%)", r" \1 ", self.written).split())

    def estimate(self, tallies: Sequence[Tally], level: float) -> Estimate:
        """Return the measure with exact bounds.

        Args:
            tallies: The games of each of `places`.
            level: Confidence of the interval.
        """
        if not self.skill_levels:
            return self._estimate_measure(tallies[0], level)
        # The difference lies between the bounds if both rates lie between theirs.
        one, other = (self._estimate_measure(tally, (1 + level) / 2) for tally in tallies)
        low, high = one.low - other.high, one.high - other.low
        return Estimate(
            one.value - other.value,
            low,
            high,
            one.n,
            level,
        )

    def _estimate_measure(self, tally: Tally, level: float) -> Estimate:
        if not self.is_rate:
            sums = compute_power_sums(tally.count_values(self.measure))
            return estimates.student_t_mean(*sums, level)
        k, n = self.count_successes(tally), tally.games
        low, high = RateBounds(k, n).bounds((1 - level) / 2)
        return Estimate(
            k / n,
            float(low),
            float(high),
            n,
            level,
        )

    def count_successes(self, tally: Tally) -> int:
        """Return the number of games that count for a rate.

        Args:
            tally: The games.
        """
        if self.measure == WIN_RATE or self.skill_levels:
            return count_wins(tally)
        if self.measure.startswith("seat "):
            return tally.count_wins_by_seat()[int(self.measure[5:]) - 1]
        return tally.count_endings()[self.measure]

    def contains(self, estimate: Estimate) -> bool:
        """Return whether the whole interval lies in the band."""
        return estimate.low >= self.band.low and estimate.high <= self.band.high

    def excludes(self, estimate: Estimate) -> bool:
        """Return whether the whole interval lies outside the band."""
        return estimate.low > self.band.high or estimate.high < self.band.low

    def relative_width(self, estimate: Estimate) -> float:
        """Return the width of an interval relative to the room in the band.

        At most 1 if the interval lies in the band, infinite if its value lies outside.

        Example:
            In the band 0.45 to 0.55 the interval 0.5 (0.4 .. 0.6) has the relative width 2.
        """
        value = estimate.value
        below, above = value - self.band.low, self.band.high - value
        if min(below, above) <= 0:
            return inf
        return max((value - estimate.low) / below, (estimate.high - value) / above)

    def compute_violation(self, value: float, margin: float = 0.0) -> float:
        """Return the distance of a value from the band, in units of the tolerance.

        Args:
            value: The value.
            margin: Share of half the band that is cut off at both ends first.
        """
        low, high = self.band.low, self.band.high
        cut = margin * (high - low) / 2 if isfinite(high - low) else 0.0
        distance = max(low + cut - value, value - high + cut, 0.0)
        return distance / (RATE_TOLERANCE if self.is_rate else MEAN_TOLERANCE)


def parse_targets(
    written: Sequence[str],
    cell: Variant,
    within: float,
) -> list[Target]:
    """Return all targets, checked against the game and against each other.

    Args:
        written: The targets as the user wrote them.
        cell: The variant.
        within: Half the width of the band of a rate that is given as a point.

    Raises:
        SolveError: A target is unknown, or two contradict each other.
    """
    targets = [_parse_target(text, cell, within) for text in written]
    for one, other in combinations(targets, 2):
        is_same = (one.measure, one.where) == (other.measure, other.where)
        if is_same and (one.band.low > other.band.high or other.band.low > one.band.high):
            raise SolveError(
                f"{one.name}={one.written} and {other.name}={other.written} contradict each other"
            )
    for where in {target.where for target in targets}:
        endings = {
            target.name: target
            for target in targets
            if target.where == where and target.measure in cell.game.all_endings
        }
        if sum(target.band.low for target in endings.values()) > 1:
            labels = ", ".join(f"{name}={target.written}" for name, target in endings.items())
            raise SolveError(
                f"{labels} contradict each other: together they need more than all games"
            )
    return targets


def _parse_target(
    written: str,
    cell: Variant,
    within: float,
) -> Target:
    before, colon, after = written.partition(": ")
    has_cell = bool(colon) and "=" in before
    changes = (grid.parse_set_option(before, "--target"),) if has_cell else ()
    measure, equals, value = (
        part.strip() for part in (after if has_cell else written).partition("=")
    )
    if not equals or not value:
        raise SolveError(
            f"{written!r} is not a target; write for example win_rate=50% or rounds=10..14"
        )
    rates, means = _list_measures(cell.game, cell.players)
    levels = _parse_skill_levels(measure, cell)
    if levels:
        rates.append(measure)
    known = [*rates, *means]
    if measure not in known:
        close = find_nearest_names(measure, known)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
        raise SolveError(f"{measure}: no such measure; {hint}")
    is_rate = measure in rates
    band = _parse_band(
        measure,
        value,
        is_rate,
        within,
    )
    where = tuple((change.path, change.value) for change in changes)
    name = f"{before}: {measure}" if changes else measure
    return Target(
        name,
        measure,
        band,
        is_rate,
        value,
        where,
        levels,
    )


def _parse_skill_levels(measure: str, cell: Variant) -> tuple[str, ...]:
    """Return the two skill levels of a distance such as `trained - beginner`, or none."""
    one, minus, other = (part.strip() for part in measure.partition(" - "))
    known = registry.list_strategies(cell.game.name)
    if not minus or {one, other} - set(SKILL_LEVELS):
        return ()
    if one == other or one not in known or other not in known:
        levels = ", ".join(level for level in SKILL_LEVELS if level in known)
        raise SolveError(
            f"{measure}: name two different skill levels of {cell.game.name}: {levels}"
        )
    return one, other


def _list_measures(game: Game, players: int) -> tuple[list[str], list[str]]:
    """Return the names of all rates and of all means."""
    named = {measure.name for measure in game.measures if measure.labels}
    seats = [f"seat {seat + 1}" for seat in range(players)] if game.competitive else []
    means = []
    for column in game.columns:
        is_named = column in named or column.rpartition(" ")[0] in named
        if column not in ("ending", "winners") and not is_named:
            means.append(column)
    return [WIN_RATE, *seats, *game.all_endings], means


def _parse_band(
    measure: str,
    value: str,
    is_rate: bool,
    within: float,
) -> ExpectedRange:
    """Return the band of a value, which may be a band, a bound or a point."""
    try:
        parse = expect.parse_rate if is_rate else expect.parse_amount
        if ".." in value or value[0] in "<>≥≤":
            return parse(value)
        point = parse(f"{value} .. {value}").low
    except ValueError as error:
        raise SolveError(f"{measure}={value}: {error}") from error
    room = within if is_rate else MEAN_TOLERANCE
    return ExpectedRange(
        point - room,
        point + room,
        False,
        value,
    )


def collect_places(targets: Sequence[Target]) -> list[Place]:
    """Return all that is played for some targets, without duplicates."""
    places: list[Place] = []
    for target in targets:
        for place in target.places:
            if place not in places:  # values may be lists, which have no hash
                places.append(place)
    return places
