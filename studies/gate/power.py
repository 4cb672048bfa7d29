"""Power analysis of a run of the gate: its verdicts, games and minutes before a game is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.studies.gate.baseline_check import BaselineCheck
from hardmode.studies.gate.checks import GateCheck, GateFinding
from hardmode.studies.gate.expectation_checks import ExpectationCheck
from hardmode.studies.gate.run import GateRun
from hardmode.studies.stats.bounds import PairedBounds, UnpairedBounds
from hardmode.studies.stats.sequential import Gate
from hardmode.studies.stats.verdict_chances import (
    VerdictChances,
    compute_band_chances,
    compute_verdict_chances,
    summarize_stops,
)

DIFFERENCES = (0.0, 0.01, 0.02, 0.05)  # true differences of the win rates that are shown
SIMULATIONS = 20_000


@dataclass(frozen=True)
class CellGroup:
    """Cells that are judged alike.

    Attributes:
        scenarios: Names of their scenarios.
        cells: Number of cells.
        sides: Number of sides that are judged: one in each cell, or all seats where they compete.
        gate: The gate of each.
        rows: What becomes of one of them, for each of `DIFFERENCES`.
        seconds_per_game: Time of a game, on average over the cells.
    """

    scenarios: tuple[str, ...]
    cells: int
    sides: int
    gate: Gate
    rows: list[VerdictChances]
    seconds_per_game: float


@dataclass(frozen=True)
class ExpectationPower:
    """Chances of the verdicts on an expectation if the true rate is the accepted one.

    Attributes:
        scenario: Name of the scenario.
        cell: Label of the cell as text.
        about: What is expected.
        rate: The accepted rate; None if it is unknown.
        met: Probability of MET.
        missed: Probability of MISSED.
        games: Games played on average.
    """

    scenario: str
    cell: str
    about: str
    rate: float | None
    met: float = 0.0
    missed: float = 0.0
    games: float = 0.0


@dataclass(frozen=True)
class PowerForecast:
    """Forecast of a run in which everything has changed.

    Attributes:
        run: The run.
        flips: Share of the games that a change is taken to flip.
        groups: Cells that are judged alike.
        expectations: What becomes of each expectation.
        quick_games: Games of all cells if nothing has changed.
        quick_minutes: Time to play them.
    """

    run: GateRun
    flips: float
    groups: list[CellGroup]
    expectations: list[ExpectationPower]
    quick_games: int
    quick_minutes: float

    @property
    def refused(self) -> list[GateFinding]:
        """Findings on what cannot be judged."""
        return self.run.refused

    def total_cost(self, difference: float) -> tuple[float, float]:
        """Return the cost of a run in which every cell differs by the same amount.

        Args:
            difference: One of `DIFFERENCES`.

        Returns:
            The games and the minutes, on average.
        """
        games = seconds = 0.0
        for group in self.groups:
            for row in group.rows:
                if row.difference == difference:
                    games += group.cells * row.games
                    seconds += group.cells * row.games * group.seconds_per_game
        return games, seconds / 60

    @property
    def largest_cost(self) -> tuple[int, float]:
        """Games and minutes if every cell is played to its last look."""
        games = 0
        seconds = 0.0
        for group in self.groups:
            largest = group.cells * group.gate.looks[-1]
            games += largest
            seconds += largest * group.seconds_per_game
        return games, seconds / 60

    @property
    def false_alarm(self) -> float:
        """Bound of the probability that the run fails although no win rate has changed.

        Every cell is taken to play differently, yet to be won as often as before.
        """
        return min(1.0, sum(group.sides * group.rows[0].changed for group in self.groups))


def forecast_power(run: GateRun, flips: float) -> PowerForecast:
    """Forecast a run in which everything has changed.

    Args:
        run: The run.
        flips: Share of the games that a change flips.
    """
    baseline_checks = [check for check in run.checks if isinstance(check, BaselineCheck)]
    alike: dict[Any, list[BaselineCheck]] = {}
    quick_games = 0
    quick_seconds = 0.0
    for check in baseline_checks:
        alike.setdefault(_group_key(check), []).append(check)
        quick_games += check.quick_games
        quick_seconds += check.quick_games / check.accepted.games_per_second
    groups = [_make_group(run, checks, flips) for checks in alike.values()]
    by_cell = {(check.scenario, check.cell): check for check in baseline_checks}
    expectations = [
        _forecast_expectation(run, check, by_cell.get((check.scenario, check.cell)))
        for check in run.checks
        if not isinstance(check, BaselineCheck)
    ]
    return PowerForecast(run, flips, groups, expectations, quick_games, quick_seconds / 60)


def _group_key(check: BaselineCheck) -> Any:
    """Return all that the chances of a check depend on."""
    baseline = check.baseline
    is_all_paired = check.looks[-1] <= baseline.paired
    wins = None if is_all_paired else check.accepted.wins
    return check.looks, check.margin, baseline.paired, baseline.games, wins


def _make_group(run: GateRun, checks: Sequence[BaselineCheck], flips: float) -> CellGroup:
    first = checks[0]
    baseline = checks[0].baseline
    gate = run.make_gate(first, run.max_tests)
    rows = []
    for difference in DIFFERENCES:
        row = compute_cell_chances(
            gate,
            difference,
            max(flips, difference),
            baseline.paired,
            first.accepted.wins,
            baseline.games,
        )
        rows.append(row)
    seconds = sum(1 / check.accepted.games_per_second for check in checks)
    return CellGroup(
        tuple(dict.fromkeys(check.scenario for check in checks)),
        len(checks),
        sum(check.judged_sides for check in checks),
        gate,
        rows,
        seconds / len(checks),
    )


def compute_cell_chances(
    gate: Gate, difference: float, flips: float, paired: int, base_wins: int, base_games: int
) -> VerdictChances:
    """Return what a gate does to one cell: exactly if all games are paired, else by simulation.

    Args:
        gate: The gate.
        difference: True difference of the win rates.
        flips: Share of the games that only one of both builds wins.
        paired: Number of games whose winners the baseline holds.
        base_wins: Games that the baseline won.
        base_games: Games that the baseline played.
    """
    if gate.looks[-1] <= paired:
        return compute_verdict_chances(gate, [difference], discordance=flips)[0]
    rate = base_wins / base_games
    stops = _simulate_stops(gate, difference, flips, paired, rate, base_games)
    return summarize_stops(gate, difference, stops, SIMULATIONS)


def _simulate_stops(
    gate: Gate, difference: float, flips: float, paired: int, rate: float, base_games: int
) -> np.ndarray:
    """Return the probabilities to stop at each look, from many gates at once.

    A gate looks at pairs first, and then at other games against the tally of the baseline, of which
    the pairs are a part.
    """
    generator = np.random.default_rng((1, round(1e6 * difference)))
    gained = (flips + difference) / 2
    lost = (flips - difference) / 2
    rate = min(max(rate, lost), 1 - gained)
    new_rate = min(max(rate + difference, 0.0), 1.0)
    chances = (gained, lost, rate - lost, max(0.0, 1 - gained - rate))
    counts = np.zeros((SIMULATIONS, 4), np.int64)  # gained, lost, won by both, by neither
    unpaired_base_wins = generator.binomial(base_games - paired, rate, SIMULATIONS)
    fresh_wins = np.zeros(SIMULATIONS, np.int64)
    stops = np.zeros((len(gate.looks), 2))
    is_open = np.ones(SIMULATIONS, bool)
    games_before = 0
    for look, games in enumerate(gate.looks):
        bounds: PairedBounds | UnpairedBounds
        new_games = games - games_before
        if games <= paired:
            counts += generator.multinomial(new_games, chances, SIMULATIONS)
            bounds = PairedBounds(games, counts[:, 0], counts[:, 1])
        else:
            fresh_wins += generator.binomial(new_games, new_rate, SIMULATIONS)
            base_wins = unpaired_base_wins + counts[:, 1] + counts[:, 2]
            bounds = UnpairedBounds(fresh_wins, games - paired, base_wins, base_games)
        games_before = games
        within, changed = gate.check_zones(look, bounds)
        stops[look] = (within & is_open).sum(), (changed & ~within & is_open).sum()
        is_open &= ~(within | changed)
    return stops / SIMULATIONS


def _forecast_expectation(
    run: GateRun, check: GateCheck, baseline_check: BaselineCheck | None
) -> ExpectationPower:
    """Return what becomes of an expectation, exactly if the baseline knows its rate."""
    unknown = ExpectationPower(check.scenario, check.cell, check.subject, None)
    if not baseline_check or not isinstance(check, ExpectationCheck):
        return unknown
    count = _find_accepted_count(check, baseline_check)
    if count is None:
        return unknown
    rate = count / baseline_check.baseline.games
    gate = run.make_gate(check, run.max_tests)
    met, missed, games = compute_band_chances(gate, check.band.low, check.band.high, rate)
    return ExpectationPower(check.scenario, check.cell, check.subject, rate, met, missed, games)


def _find_accepted_count(check: ExpectationCheck, baseline_check: BaselineCheck) -> int | None:
    """Return how many games of the baseline have what is expected: wins, or an ending."""
    accepted = baseline_check.accepted
    if check.subject == f"win rate {check.band}":
        return accepted.wins
    for name, count in accepted.endings.items():
        if check.subject == f"ending {name} {check.band}":
            return count
    return None
