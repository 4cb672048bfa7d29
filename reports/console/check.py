"""Output of `check`: the verdict, a line for each scenario and for each cell that is not fine."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import Verdict, print_details, print_verdict
from hardmode.reports.console.wording import format_count, format_games
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
NEXT_STEPS = {
    REFUSED: "do what the line of {} says, then check again",
    CHANGED: 'hardmode accept {} --reason "..." accepts the change; hardmode bisect {} --good '
    "COMMIT finds the commit that made it",
    MISSED: "hardmode sensitivity {} shows which numbers change this",
    INCONCLUSIVE: "more --games settles it",  # of an expectation
}  # by the worst verdict, with the first scenario that fails
MORE_ACCEPTED = (
    "a wider --margin; or hardmode accept {} with more --games before the change, then check "
    "again; or hardmode accept {} as it is now"
)  # because a baseline of few games cannot be settled by more games of the check alone


def print_check_report(report: CheckReport, verbose: bool = False, details: bool = False) -> None:
    """Print the verdict of a check, and a line for each scenario.

    Args:
        report: The findings.
        verbose: Print every cell of a grid, not only those that are not fine.
        details: Print the error rates of the check.
    """
    print_verdict(make_verdict(report))
    width = max((len(name) for name in report.scenarios), default=0)
    for name, findings in report.scenarios.items():
        _print_scenario(name.ljust(width), findings, verbose)
    for note in report.notes:
        out.print(f"[yellow]note: {escape(note)}[/yellow]", soft_wrap=True)
    out.print(f"[dim]{escape(report.summary_line)}[/dim]", soft_wrap=True)
    print_details([report.error_guarantee], details)


def make_verdict(report: CheckReport) -> Verdict:
    """Return whether all is fine, how certain that is, and what to do next."""
    n = len(report.findings)
    questions = format_count(n, "question")
    title = f"Check of {format_count(len(report.scenarios), 'scenario')}"
    failing = [finding for finding in report.findings if finding.verdict in EXIT_CODES]
    certainty = f"An unchanged game fails in at most {report.run.config.alpha:.2%} of such checks."
    if not n:
        return Verdict(title, "There is nothing to check.", "", "hardmode accept SCENARIO")
    counts = format_verdict_counts(report.findings)
    if not failing:
        answer = f"All is fine: {counts}, in {format_games(report.games)}."
        next_step = "nothing to do; the same command with --plan shows which changes it would find"
        return Verdict(title, answer, certainty, next_step)
    first = failing[0]
    next_step = NEXT_STEPS[report.verdict].replace("{}", first.scenario)
    if report.verdict == INCONCLUSIVE and any(finding.margin for finding in failing):
        next_step = MORE_ACCEPTED.replace("{}", first.scenario)
    finding = format_finding(first)
    place = "" if finding.startswith(f"{first.scenario}:") else f"{first.scenario}: "
    end = "" if finding.endswith("?") else "."
    answer = f"{len(failing)} of {questions} failed: {counts}. The first is {place}{finding}{end}"
    return Verdict(title, answer, certainty, next_step)


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
