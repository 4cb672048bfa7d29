"""Output of `check-game --switches`: how often each value of each switch came into play."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count, format_games
from hardmode.scenarios.dependencies import describe_needs
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.conformance.switch_coverage import SwitchCoverage, ValueCoverage

HEADERS = ("value", "games", "came into play in", "diverged", "most in")
MEANING = (
    "A value comes into play in a game that differs from the same game with the default. The game "
    "diverges if a draw, a decision or its row differs, not only the state at the end."
)


def print_switch_coverage(coverage: SwitchCoverage) -> None:
    """Print a table of the values, and name those with which no game diverged."""
    if not coverage.values:
        out.print(f"{escape(coverage.game)}: the box declares no switches")
        return
    table = Table(header_style="bold", title=escape(coverage.game), title_justify="left")
    for header in HEADERS:
        table.add_column(header, justify="right" if header in HEADERS[1:4] else "left")
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
    if best is not None and best.diverged:
        place = f"{best.scenario or 'the box'}: {best.diverged:,} of {best.games:,}"
    counts = (value.games, value.affected, value.diverged)
    return format_setting(value), *(f"{count:,}" for count in counts), place


def describe_coverage(coverage: SwitchCoverage) -> list[str]:
    """Return for how many values games diverged, and a line for each of the others."""
    untested = coverage.untested
    total = format_count(len(coverage.values), "value")
    limit = f"at most {format_games(coverage.games)} of each scenario"
    if not untested:
        return [f"{coverage.game}: each of {total} made games diverge, in {limit}"]
    lines = [f"{coverage.game}: with {len(untested)} of {total} no game diverged, in {limit}:"]
    return lines + [f"  {format_setting(value)}: {describe_absence(value)}" for value in untested]


def describe_absence(value: ValueCoverage) -> str:
    """Return in how many games a value had no effect, or why there were none."""
    if value.games:
        scenarios = format_count(len(value.counts), "scenario")
        played = f"{format_games(value.games)} of {scenarios}"
        return f"came into play in {value.affected:,} of {played}, without any effect"
    needs = describe_needs(value.switch)
    return f"no scenario fulfils what it needs ({needs})" if needs else "refused in every scenario"


def format_setting(value: ValueCoverage) -> str:
    """Return a switch with its value, as the option --set takes it."""
    return f"{value.switch.path}={format_yaml_value(value.value)}"
