"""Output of `check --plan`: how likely each verdict is, before a game is played."""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count
from hardmode.studies.gate.checks import format_margin
from hardmode.studies.gate.power import DIFFERENCES, CellGroup, ExpectationPower, PowerForecast
from hardmode.studies.stats.formatting import format_share
from hardmode.studies.stats.verdict_chances import VerdictChances

MAX_NAMES = 6  # scenarios of a group that are named
MANY_CELLS = 3  # cells with the same expectation, from which only doubtful ones are listed
NEARLY_SURE = 0.99  # chance of MET from which an expectation is not doubtful
TABLE_HEADER = "difference   CHANGED  EQUIVALENT  INCONCLUSIVE  games on average (at most)"


def format_plan_table(rows: Sequence[VerdictChances]) -> str:
    """Return the chance of each verdict by the true difference, as a table and a note."""
    return "\n".join([TABLE_HEADER, *map(_format_row, rows), _describe_error(rows)])


def _format_row(row: VerdictChances) -> str:
    chances = f"{row.changed:9.2%}  {row.equivalent:10.2%}  {row.inconclusive:12.2%}"
    return f"{100 * row.difference:+7.2f} pt  {chances}  {row.games:,.0f} ({row.largest:,})"


def _describe_error(rows: Sequence[VerdictChances]) -> str:
    error = max(row.error for row in rows)
    return f"by simulation, +- {error:.2%}" if error else "computed exactly"


def print_check_plan(forecast: PowerForecast) -> None:
    """Print what a check will play, and how likely each verdict is."""
    run = forecast.run
    _print(
        f"Scenarios: {len(run.scenarios)}; questions that share alpha {run.config.alpha:.2%}: "
        f"{run.max_tests}; beta {run.config.beta:.2%}"
    )
    if forecast.groups:
        _print(
            f"\nIf nothing changed: IDENTICAL, fails in 0 of 100 runs; {forecast.quick_games:,} "
            f"games, {format_minutes(forecast.quick_minutes)}"
        )
    for group in forecast.groups:
        _print_group(group, forecast.flips)
    _print_expectations(forecast.expectations)
    if forecast.groups:
        _print_totals(forecast)
    for finding in forecast.refused:
        text = f"{finding.verdict}  {finding.scenario}: {finding.text}"
        out.print(text, soft_wrap=True, markup=False, style="red")


def _print(text: str) -> None:
    out.print(text, soft_wrap=True, markup=False)


def _print_group(group: CellGroup, flips: float) -> None:
    names = ", ".join(group.scenarios[:MAX_NAMES])
    if len(group.scenarios) > MAX_NAMES:
        names += f" and {len(group.scenarios) - MAX_NAMES} more"
    cells = f"each of {group.cells} cells" if group.cells > 1 else "one cell"
    if group.sides > group.cells:
        cells = f"each seat of {cells}"
    _print(
        f"\n{names} ({cells}), margin {format_margin(group.gate.margin)}, if a change flips "
        f"{format_share(flips)} of the games:"
    )
    _print(f"{TABLE_HEADER}  time (at most)")
    minutes_per_game = group.seconds_per_game / 60
    longest = format_minutes(group.gate.looks[-1] * minutes_per_game)
    for row in group.rows:
        _print(f"{_format_row(row)}  {format_minutes(row.games * minutes_per_game)} ({longest})")
    _print(_describe_error(group.rows))


def _print_expectations(expectations: Sequence[ExpectationPower]) -> None:
    """Print a line for each expectation.

    Where many cells have the same expectation, only those that may be missed have a line.
    """
    alike: dict[tuple[str, str], list[ExpectationPower]] = {}
    for expectation in expectations:
        alike.setdefault((expectation.scenario, expectation.about), []).append(expectation)
    for (scenario, about), group in alike.items():
        shown = group
        if len(group) >= MANY_CELLS:
            shown = [e for e in group if e.rate is not None and e.met < NEARLY_SURE]
        if len(shown) < len(group):
            cells = format_count(len(group) - len(shown), "cell")
            _print(f"{scenario}, {about}: for {cells}, MET is almost certain or nothing is known")
        for expectation in shown:
            _print(_describe_expectation(expectation))


def _describe_expectation(expectation: ExpectationPower) -> str:
    cell = f" [{expectation.cell}]" if expectation.cell else ""
    question = f"{expectation.scenario}{cell}, {expectation.about}"
    if expectation.rate is None:
        return f"{question}: how likely each verdict is cannot be known beforehand"
    rest = max(0.0, 1 - expectation.met - expectation.missed)
    return (
        f"{question}, if it is {format_share(expectation.rate)} as accepted: MET "
        f"{expectation.met:.2%}, MISSED {expectation.missed:.2%}, INCONCLUSIVE {rest:.2%}, "
        f"{expectation.games:,.0f} games on average"
    )


def _print_totals(forecast: PowerForecast) -> None:
    _print(
        "\nIf every cell plays differently, but none is won more or less often, the run fails in "
        f"at most {forecast.false_alarm:.2%}."
    )
    for difference in DIFFERENCES:
        games, minutes = forecast.total_cost(difference)
        _print(
            f"If all cells differ by {format_margin(difference)}: {games:,.0f} games on average, "
            f"{format_minutes(minutes)}."
        )
    games, minutes = forecast.largest_cost
    _print(
        f"At most {games:,} games, {format_minutes(minutes)} (at the speed at which the baselines "
        "were accepted)."
    )


def format_minutes(minutes: float) -> str:
    """Return a duration in minutes, or in seconds if it is shorter than one minute."""
    return f"{minutes:.1f} min" if minutes >= 1 else f"{60 * minutes:.1f} s"
