"""Output of `check-game --switches`: how often each value of each switch came into play."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count, format_games
from hardmode.scenarios.dependencies import describe_needs
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.conformance.switch_coverage import SwitchCoverage, ValueCoverage

HEADERS = ("value", "came into play in", "of games", "in most of all")
MEANING = (
    "A value comes into play in a game that differs from the same game with the default: in a "
    "draw, a decision, its options, its row, or its state at the end."
)


def print_switch_coverage(coverage: SwitchCoverage) -> None:
    """Print a table of the values, and name those that never came into play."""
    if not coverage.values:
        out.print(f"{escape(coverage.game)}: the box declares no switches")
        return
    table = Table(header_style="bold", title=escape(coverage.game), title_justify="left")
    for header in HEADERS:
        table.add_column(header, justify="right" if header in HEADERS[1:3] else "left")
    for value in coverage.values:
        table.add_row(*map(escape, format_row(value)))
    out.print(table)
    out.print(MEANING)
    for line in describe_coverage(coverage):
        out.print(escape(line), soft_wrap=True)


def format_row(value: ValueCoverage) -> tuple[str, ...]:
    """Return the cells of the row of a value."""
    best = value.best
    place = ""
    if best is not None and best.affected:
        place = f"{best.scenario or 'the box'}: {best.affected:,} of {best.games:,}"
    return format_setting(value), f"{value.affected:,}", f"{value.games:,}", place


def describe_coverage(coverage: SwitchCoverage) -> list[str]:
    """Return how many values came into play, and a line for each that never did."""
    absent = coverage.absent
    total = format_count(len(coverage.values), "value")
    limit = f"at most {format_games(coverage.games)} of each scenario"
    if not absent:
        return [f"{coverage.game}: all of {total} came into play, in {limit}"]
    lines = [f"{coverage.game}: {len(absent)} of {total} never came into play, in {limit}:"]
    return lines + [f"  {format_setting(value)}: {describe_absence(value)}" for value in absent]


def describe_absence(value: ValueCoverage) -> str:
    """Return in how many games a value did not come into play, or why there were none."""
    if value.games:
        scenarios = format_count(len(value.counts), "scenario")
        return f"not in {format_games(value.games)} of {scenarios}"
    needs = describe_needs(value.switch)
    return f"no scenario fulfils what it needs ({needs})" if needs else "refused in every scenario"


def format_setting(value: ValueCoverage) -> str:
    """Return a switch with its value, as the option --set takes it."""
    return f"{value.switch.path}={format_yaml_value(value.value)}"
