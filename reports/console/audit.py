"""What `audit` prints, its JSON, its JUnit file, and its page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape

from hardmode.reports.console import wording
from hardmode.reports.console.terminal import out
from hardmode.reports.junit import FAILURE, PASSED, JunitCase, JunitSuite, render_junit
from hardmode.reports.page.model import Chapter, Column, Section, Table
from hardmode.sim.files import atomic_files
from hardmode.studies.audit.analysis import AuditReport
from hardmode.studies.audit.findings import KINDS, Finding
from hardmode.studies.stats import formatting

POINTS = "points"  # of what a unit speaks that is a difference


def verdict(found: AuditReport) -> str:
    n = len(found.findings)
    what = f"{n} finding{'s'[: n != 1]}" if n else "nothing was found"
    who = found.players + found.cell.overlay_suffix
    return f"{what} in {len(found.checked_kinds)} of {len(KINDS)} kinds that were looked for, played by {who}"


def size(f: Finding) -> str:
    kind = "points" if f.unit.startswith(POINTS) else "rate"
    return formatting.format_with_interval(f.estimate, kind)


def leads(found: AuditReport) -> list[str]:
    """What is said before anything else: where `steady` tells of another game."""
    named = wording.listed(
        [f"{f.kind} ({f.message})" for f in found.findings if f.players_disagree]
    )
    return [
        *([f"steady disagrees, in sign or by more than half, on {named}"] if named else []),
        *(f"steady differs: {line}" for line in found.notes),
    ]


def sizes(f: Finding) -> str:
    """The size, and beside it that where `steady` plays."""
    kind = "points" if f.unit.startswith(POINTS) else "rate"
    return size(f) + (
        f" (steady: {formatting.format_with_interval(f.steady_estimate, kind)})"
        if f.steady_estimate
        else ""
    )


def show(found: AuditReport) -> None:
    out.print(
        f"[bold]{escape(found.cell.game.title)}: {escape(found.cell.title)}[/bold]: {escape(verdict(found))}"
    )
    for line in leads(found):
        out.print(f"[bold]{escape(line)}[/bold]")
    for f in found.findings:
        out.print(f"\n[bold]{f.kind}[/bold]  {escape(f.message)}")
        out.print(f"  {escape(sizes(f))}, {escape(f.unit)}, in {wording.games(f.estimate.n)}")
        out.print(f"  [dim]shown by {escape(f.command)}[/dim]", soft_wrap=True)
        if f.followup_command:
            out.print(f"  [dim]closer: {escape(f.followup_command)}[/dim]", soft_wrap=True)
    out.print(
        f"\n[dim]looked for: {escape(', '.join(found.checked_kinds) or 'nothing')}; the whole list holds at "
        f"{100 * found.confidence:g} %; seed {found.seed}{'; interrupted' if found.interrupted else ''}[/dim]"
    )


def failing(found: AuditReport, kinds: Sequence[str]) -> list[Finding]:
    return [f for f in found.findings if f.kind in kinds]


def render_audit_junit(report: AuditReport, failing_kinds: Sequence[str]) -> str:
    """Return the findings as JUnit XML: a case for each kind, failed if it is a failing kind."""
    failed = {finding.kind for finding in failing(report, failing_kinds)}
    cases = []
    for kind in report.checked_kinds:
        lines = [
            f"{finding.message}; {size(finding)}; {finding.command}"
            for finding in report.findings
            if finding.kind == kind
        ]
        outcome = FAILURE if kind in failed else PASSED
        cases.append(JunitCase(kind, "\n".join(lines), outcome, kind))
    name = report.scenario.name
    return render_junit([JunitSuite(f"audit {name}", f"hardmode.audit.{name}", cases)])


def write_junit(found: AuditReport, fail_on: Sequence[str], file: Path) -> None:
    atomic_files.write_atomically(file, render_audit_junit(found, fail_on))


def chapter(found: AuditReport) -> Chapter:
    """The audit as a chapter of a page."""
    sections = [
        _section(kind, [f for f in found.findings if f.kind == kind])
        for kind in KINDS
        if any(f.kind == kind for f in found.findings)
    ]
    sections.append(
        Section(
            "looked",
            "What was looked for",
            [verdict(found) + "."],
            notes=[("looked for", [f"{kind}: {KINDS[kind]}" for kind in found.checked_kinds])],
        )
    )
    facts = [
        (
            "findings",
            str(len(found.findings)),
            f"in {len(found.checked_kinds)} kinds that were looked for",
        ),
        ("played by", found.players, f"seed {found.seed}"),
        ("the whole list holds at", f"{100 * found.confidence:g} %", "nothing in it by chance"),
    ]
    return Chapter(
        f"{found.scenario.name} audited",
        found.cell.game.title,
        f"{found.cell.title}, audited",
        "What the rules do wrong, with the evidence; nothing is told that chance explains.",
        [
            f"{line[:1].upper()}{line[1:]}."
            for line in (*leads(found), *(f.message for f in found.findings[:4]))
        ]
        or ["Nothing was found."],
        facts,
        sections,
    )


def _section(kind: str, findings: Sequence[Finding]) -> Section:
    """All findings of a kind: a row each, and under the table the commands that show them."""
    points = findings[0].unit.startswith(POINTS)
    columns = [
        Column("what", "what"),
        Column("size", findings[0].unit, "points" if points else "rate"),
        Column("games", "games", "count"),
    ]
    rows = [
        {"what": f.message, "size": f.estimate, "games": f.estimate.n, "steady": f.steady_estimate}
        for f in findings
    ]
    if any(f.steady_estimate for f in findings):
        columns.append(Column("steady", "with steady", columns[1].kind))
    shown = [
        ("a game that shows it", list(dict.fromkeys(f.command for f in findings))),
        (
            "look closer",
            list(dict.fromkeys(f.followup_command for f in findings if f.followup_command)),
        ),
    ]
    return Section(
        kind,
        kind.replace("-", " ").capitalize(),
        [f"{KINDS[kind].capitalize()}."],
        tables=[Table(kind, f"{len(findings)} finding{'s'[: len(findings) != 1]}", columns, rows)],
        notes=[(title, lines) for title, lines in shown if lines],
    )
