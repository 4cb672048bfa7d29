"""Output of `audit`: findings as text, as a JUnit file, and as a chapter of a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    Verdict,
    format_title,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import (
    describe_missing_time,
    format_count,
    format_games,
    join_names,
)
from hardmode.reports.junit import FAILURE, PASSED, JunitCase, JunitSuite, render_junit
from hardmode.reports.page.model import Chapter, Column, ReportTable, Section
from hardmode.sim.files import atomic_files
from hardmode.studies.audit.analysis import AuditReport
from hardmode.studies.audit.findings import KINDS, Finding
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

POINTS = "points"  # how the unit of a difference of rates begins
MAX_LEADING_FINDINGS = 4  # that the chapter names in its first lines


def print_audit(report: AuditReport, arguments: str = PLACEHOLDER, details: bool = False) -> None:
    """Print a verdict, and the findings, each with its size and the command that shows it.

    Args:
        report: The findings.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
    """
    print_verdict(make_verdict(report, arguments))
    for line in describe_disagreements(report):
        out.print(escape(line))
    for finding in report.findings:
        _print_finding(finding)
    kinds = ", ".join(report.checked_kinds) or "nothing"
    interrupted = "; interrupted" if report.interrupted else ""
    print_details(
        [
            f"The audit looked for: {kinds}. All intervals hold together at "
            f"{100 * report.confidence:g} %; seed {report.seed}{interrupted}"
        ],
        details,
    )


def make_verdict(report: AuditReport, arguments: str = PLACEHOLDER) -> Verdict:
    """Return what was found, how certain that is, and what to look at next."""
    title = format_title(report.cell, report.base_rate)
    searched = f"{len(report.checked_kinds)} of {len(KINDS)} kinds of faults were searched for"
    certainty = f"{searched}; no finding is due to chance, at {100 * report.confidence:g} %."
    unjudged = describe_open_questions(report)
    if unjudged:
        certainty += f" {unjudged}"
    if not report.findings:
        answer = "No fault was found, as far as the games that were played can tell."
        if unjudged:
            answer = "Too few games to tell whether there are faults: none was found so far."
        next_step = f"hardmode luck {arguments} shows how much skill decides"
        if unjudged:
            by_time = all(q.missing_seconds is not None for q in report.open_questions)
            option = "--seconds" if by_time else "--games"
            next_step = f"the same command with more {option}"
        return Verdict(title, answer, certainty, next_step)
    first = report.findings[0]
    n = len(report.findings)
    lead = f"{format_count(n, 'finding')}; the first of them: " if n > 1 else "One finding: "
    answer = f"{lead}{first.message} ({_format_effect_with_steady(first)}, {first.unit})."
    return Verdict(title, answer, certainty, f"{first.command} shows an example")


def describe_open_questions(report: AuditReport) -> str:
    """Return what was played too little to be judged, and about how long that would take."""
    if not report.open_questions:
        return ""
    parts = []
    for question in report.open_questions:
        parts.append(f"{question.open_count:,} of {format_count(question.count, question.subject)}")
    seconds = [question.missing_seconds for question in report.open_questions]
    known = [missing for missing in seconds if missing is not None]
    more = describe_missing_time(sum(known) if len(known) == len(seconds) else None)
    return f"Too few games to judge {join_names(parts)}: {more}."


def _print_finding(finding: Finding) -> None:
    out.print(f"\n[bold]{finding.kind}[/bold]  {escape(finding.message)}")
    size = f"{_format_effect_with_steady(finding)}, {finding.unit}"
    out.print(f"  {escape(size)}, in {format_games(finding.estimate.n)}")
    out.print(f"  [dim]an example: {escape(finding.command)}[/dim]", soft_wrap=True)
    if finding.followup_command:
        text = escape(finding.followup_command)
        out.print(f"  [dim]to look closer: {text}[/dim]", soft_wrap=True)


def summarize_findings(report: AuditReport) -> str:
    """Return the number of findings, and what was searched with whose games."""
    players = report.players + report.cell.overlay_suffix
    searched = f"{len(report.checked_kinds)} of {len(KINDS)} kinds of faults were searched for"
    found = format_count(len(report.findings), "finding") if report.findings else "no findings"
    return f"{found}; {searched}, played by {players}"


def describe_disagreements(report: AuditReport) -> list[str]:
    """Return what is printed first: how the games of `steady` players differ."""
    disputed = [f"{f.kind} ({f.message})" for f in report.findings if f.players_disagree]
    lines = [f"steady differs: {note}" for note in report.notes]
    if disputed:
        names = join_names(disputed)
        lines.insert(0, f"steady disagrees, in sign or by more than half, on {names}")
    return lines


def format_effect(finding: Finding) -> str:
    """Return the size of a finding with its interval."""
    return _format_size(finding.estimate, finding)


def _format_size(estimate: Estimate, finding: Finding) -> str:
    return format_with_interval(estimate, _get_kind(finding))


def _get_kind(finding: Finding) -> str:
    return "points" if finding.unit.startswith(POINTS) else "rate"


def _format_effect_with_steady(finding: Finding) -> str:
    size = format_effect(finding)
    if finding.steady_estimate is None:
        return size
    return f"{size} (steady: {_format_size(finding.steady_estimate, finding)})"


def select_failing(report: AuditReport, kinds: Sequence[str]) -> list[Finding]:
    """Return the findings of the kinds that make the command fail."""
    return [finding for finding in report.findings if finding.kind in kinds]


def render_audit_junit(report: AuditReport, failing_kinds: Sequence[str]) -> str:
    """Return the findings as JUnit XML: a case for each kind, failed if it is a failing kind."""
    failed = {finding.kind for finding in select_failing(report, failing_kinds)}
    cases = []
    for kind in report.checked_kinds:
        lines = [
            f"{finding.message}; {format_effect(finding)}; {finding.command}"
            for finding in report.findings
            if finding.kind == kind
        ]
        outcome = FAILURE if kind in failed else PASSED
        cases.append(JunitCase(kind, "\n".join(lines), outcome, kind))
    name = report.scenario.name
    return render_junit([JunitSuite(f"audit {name}", f"hardmode.audit.{name}", cases)])


def write_audit_junit(report: AuditReport, failing_kinds: Sequence[str], path: Path) -> None:
    """Write the findings as a JUnit file."""
    atomic_files.write_atomically(path, render_audit_junit(report, failing_kinds))


def make_audit_chapter(report: AuditReport) -> Chapter:
    """Return the audit as a chapter of a page."""
    sections = []
    for kind in KINDS:
        findings = [finding for finding in report.findings if finding.kind == kind]
        if findings:
            sections.append(_make_section(kind, findings))
    sections.append(_make_coverage_section(report))
    facts = [
        (
            "findings",
            str(len(report.findings)),
            f"{len(report.checked_kinds)} kinds of faults were searched for",
        ),
        ("played by", report.players, f"seed {report.seed}"),
        ("confidence", f"{100 * report.confidence:g} %", "of all intervals together"),
    ]
    leading = [finding.message for finding in report.findings[:MAX_LEADING_FINDINGS]]
    lines = [
        f"{line[:1].upper()}{line[1:]}." for line in (*describe_disagreements(report), *leading)
    ]
    return Chapter(
        f"{report.scenario.name} audited",
        report.cell.game.title,
        f"{report.cell.title}, audited",
        "Faults of the rules, with the evidence. Only what chance cannot explain is listed.",
        lines or ["Nothing was found."],
        facts,
        sections,
    )


def _make_coverage_section(report: AuditReport) -> Section:
    kinds = [f"{kind}: {KINDS[kind]}" for kind in report.checked_kinds]
    return Section(
        "looked",
        "Faults that were searched for",
        [f"{summarize_findings(report)}."],
        notes=[("searched for", kinds)],
    )


def _make_section(kind: str, findings: Sequence[Finding]) -> Section:
    """Return the findings of one kind as a table, and the commands that show them."""
    columns = [
        Column("what", "finding"),
        Column("size", findings[0].unit, _get_kind(findings[0])),
        Column("games", "games", "count"),
    ]
    rows = []
    for finding in findings:
        row = {"what": finding.message, "size": finding.estimate, "games": finding.estimate.n}
        rows.append({**row, "steady": finding.steady_estimate})
    if any(finding.steady_estimate for finding in findings):
        columns.append(Column("steady", "with steady", columns[1].kind))
    commands = {
        "a game that shows it": [finding.command for finding in findings],
        "look closer": [f.followup_command for f in findings if f.followup_command],
    }
    notes = [(title, list(dict.fromkeys(lines))) for title, lines in commands.items() if lines]
    return Section(
        kind,
        kind.replace("-", " ").capitalize(),
        [f"{KINDS[kind].capitalize()}."],
        tables=[ReportTable(kind, format_count(len(findings), "finding"), columns, rows)],
        notes=notes,
    )
