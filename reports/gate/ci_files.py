"""The files of a check that CI reads: JUnit XML, and a summary in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hardmode.reports.gate.verdicts import (
    EXIT_CODES,
    VERDICT_ORDER,
    CheckReport,
    format_finding,
    format_verdict_counts,
    make_unique_titles,
    worst_verdict,
)
from hardmode.reports.junit import ERROR, FAILURE, PASSED, JunitCase, JunitSuite, render_junit
from hardmode.sim.files import atomic_files
from hardmode.studies.gate.checks import REFUSED, GateFinding
from hardmode.studies.stats.formatting import format_share

MAX_SUMMARY_BYTES = 900_000  # GitHub drops a step summary of more than 1 MiB
RESERVED_BYTES = 100  # for the line that counts the rows left out


def check_output_paths(junit_file: Path | None, summary_file: Path | None) -> None:
    """Refuse files that cannot be written, before any game is played.

    Raises:
        OutputError: One of the files cannot be written.
    """
    if junit_file:
        atomic_files.check_writable(junit_file, atomic_files.JUNIT)
    if summary_file:
        atomic_files.check_writable(summary_file, atomic_files.SUMMARY)


def write_ci_files(report: CheckReport, junit_file: Path | None, summary_file: Path | None) -> None:
    """Write the findings as JUnit XML and as Markdown, as far as files are given."""
    if junit_file:
        atomic_files.write_atomically(junit_file, render_check_junit(report))
    if summary_file:
        atomic_files.write_atomically(summary_file, render_markdown(report))


def render_check_junit(report: CheckReport) -> str:
    """Return the findings as JUnit XML: a suite for each scenario, a case for each question."""
    suites = []
    for name, findings in report.scenarios.items():
        titles = make_unique_titles(findings)
        cases = [_make_case(*pair) for pair in zip(findings, titles, strict=True)]
        suites.append(JunitSuite(name, f"hardmode.{name}", cases))
    return render_junit(suites)


def _make_case(finding: GateFinding, title: str) -> JunitCase:
    outcome = PASSED
    if finding.verdict in EXIT_CODES:
        outcome = ERROR if finding.verdict == REFUSED else FAILURE
    text = f"{finding.verdict}: {format_finding(finding)}"
    return JunitCase(title, text, outcome, finding.verdict, finding.seconds)


def render_markdown(report: CheckReport) -> str:
    """Return a table of the findings, the worst first, and the error rates of the run."""
    head = [
        f"## hardmode: {report.verdict}",
        "",
        "| verdict | scenario | accepted | now | |",
        "|---|---|---|---|---|",
    ]
    foot = [
        "",
        f"{report.summary_line}.",
        *(f"Note: {note}." for note in report.notes),
        f"{report.error_guarantee}.",
        "",
    ]
    ranked = sorted(
        report.scenarios.items(), key=lambda item: VERDICT_ORDER.index(worst_verdict(item[1]))
    )
    rows = [row for name, findings in ranked for row in _make_rows(name, findings)]
    n_shown = _count_rows_that_fit(rows, [*head, *foot])
    shown = rows[:n_shown]
    if n_shown < len(rows):
        shown.append(f"| ... | and {len(rows) - n_shown} more lines | | | |")
    return "\n".join([*head, *shown, *foot])


def _count_rows_that_fit(rows: Sequence[str], other_lines: Sequence[str]) -> int:
    room = MAX_SUMMARY_BYTES - RESERVED_BYTES - sum(map(_count_bytes, other_lines))
    for i, row in enumerate(rows):
        room -= _count_bytes(row)
        if room < 0:
            return i
    return len(rows)


def _count_bytes(line: str) -> int:
    """Return the size of a line with its end."""
    return len(line.encode()) + 1


def _make_rows(name: str, findings: Sequence[GateFinding]) -> list[str]:
    """Return the rows of a scenario.

    A scenario with one question has one row. Others have one for the scenario, and one for each
    finding with which the check fails.
    """
    if len(findings) == 1:
        return [_make_row(name, findings[0])]
    verdict, counts = worst_verdict(findings), format_verdict_counts(findings)
    failed = [finding for finding in findings if finding.verdict in EXIT_CODES]
    failed.sort(key=lambda finding: VERDICT_ORDER.index(finding.verdict))
    head = f"| **{verdict}** | {_escape_cell(name)} | | | {counts} |"
    return [head, *(_make_row(name, finding) for finding in failed)]


def _make_row(name: str, finding: GateFinding) -> str:
    before, now = "", ""
    if finding.rates:
        before, now = (format_share(rate) for rate in finding.rates)
    text = _escape_cell(format_finding(finding))
    return f"| {finding.verdict} | {_escape_cell(name)} | {before} | {now} | {text} |"


def _escape_cell(text: str) -> str:
    """Return a text as a cell of a Markdown table."""
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", text.replace("\n", " "))
