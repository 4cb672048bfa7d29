"""Output of `check`: a line for each scenario, and for each cell that is not fine."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.gate.verdicts import (
    EXIT_CODES,
    CheckReport,
    format_finding,
    format_verdict_counts,
    worst_verdict,
)
from hardmode.studies.gate.checks import REFUSED, GateFinding
from hardmode.studies.stats.sequential import CHANGED, INCONCLUSIVE, MISSED

COLORS = {REFUSED: "red", CHANGED: "red", MISSED: "red", INCONCLUSIVE: "yellow"}
VERDICT_WIDTH = 12  # characters


def print_check_report(report: CheckReport, verbose: bool = False) -> None:
    """Print the verdicts of a check.

    Args:
        report: The findings.
        verbose: Print every cell of a grid, not only those that are not fine.
    """
    width = max((len(name) for name in report.scenarios), default=0)
    for name, findings in report.scenarios.items():
        _print_scenario(name.ljust(width), findings, verbose)
    for note in report.notes:
        out.print(f"[yellow]note: {escape(note)}[/yellow]", soft_wrap=True)
    for line in (report.summary_line, report.error_guarantee):
        out.print(f"[dim]{escape(line)}[/dim]", soft_wrap=True)


def _print_scenario(name: str, findings: Sequence[GateFinding], verbose: bool) -> None:
    indent = " " * len(name)
    if len({finding.cell for finding in findings}) == 1:
        for i, finding in enumerate(findings):
            _print_line(finding.verdict, indent if i else name, format_finding(finding))
        return
    _print_line(worst_verdict(findings), name, format_verdict_counts(findings))
    for finding in findings:
        if verbose or finding.verdict in EXIT_CODES:
            _print_line(finding.verdict, indent, format_finding(finding))


def _print_line(verdict: str, name: str, text: str) -> None:
    color = COLORS.get(verdict, "green")
    padded = verdict.ljust(VERDICT_WIDTH)
    out.print(f"[{color}]{padded}[/]  {escape(name)}  {escape(text)}", soft_wrap=True)
