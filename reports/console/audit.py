"""What `audit` prints, its JSON, its JUnit file, and its page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from hardmode.reports.console import wording
from hardmode.reports.console.result import out
from hardmode.reports.gate.verdicts import clean
from hardmode.reports.page.model import Chapter, Column, Section, Table
from hardmode.sim.files import atomic_files
from hardmode.studies.audit.analysis import Audit
from hardmode.studies.audit.findings import KINDS, Finding
from hardmode.studies.stats import formatting

POINTS = "points"  # of what a unit speaks that is a difference


def verdict(found: Audit) -> str:
    n = len(found.findings)
    what = f"{n} finding{'s'[: n != 1]}" if n else "nothing was found"
    who = found.players + found.cell.with_box
    return (
        f"{what} in {len(found.looked)} of {len(KINDS)} kinds that were looked for, played by {who}"
    )


def size(f: Finding) -> str:
    kind = "points" if f.unit.startswith(POINTS) else "rate"
    return formatting.with_interval(f.estimate, kind)


def leads(found: Audit) -> list[str]:
    """What is said before anything else: where `steady` tells of another game."""
    named = wording.listed([f"{f.kind} ({f.what})" for f in found.findings if f.disagreed])
    return [
        *([f"steady disagrees, in sign or by more than half, on {named}"] if named else []),
        *(f"steady differs: {line}" for line in found.asides),
    ]


def sizes(f: Finding) -> str:
    """The size, and beside it that where `steady` plays."""
    kind = "points" if f.unit.startswith(POINTS) else "rate"
    return size(f) + (
        f" (steady: {formatting.with_interval(f.steady, kind)})" if f.steady else ""
    )


def show(found: Audit) -> None:
    out.print(
        f"[bold]{escape(found.cell.game.title)}: {escape(found.cell.title)}[/bold]: {escape(verdict(found))}"
    )
    for line in leads(found):
        out.print(f"[bold]{escape(line)}[/bold]")
    for f in found.findings:
        out.print(f"\n[bold]{f.kind}[/bold]  {escape(f.what)}")
        out.print(f"  {escape(sizes(f))}, {escape(f.unit)}, in {wording.games(f.estimate.n)}")
        out.print(f"  [dim]shown by {escape(f.command)}[/dim]", soft_wrap=True)
        if f.closer:
            out.print(f"  [dim]closer: {escape(f.closer)}[/dim]", soft_wrap=True)
    out.print(
        f"\n[dim]looked for: {escape(', '.join(found.looked) or 'nothing')}; the whole list holds at "
        f"{100 * found.confidence:g} %; seed {found.seed}{'; interrupted' if found.interrupted else ''}[/dim]"
    )


def as_dict(found: Audit) -> dict[str, Any]:
    return {
        "game": found.cell.game.name,
        "scenario": found.scenario.name,
        "cell": found.cell.label,
        "players": found.players,
        "seed": found.seed,
        "confidence": found.confidence,
        "findings": [
            {
                "kind": f.kind,
                "what": f.what,
                "size": f.estimate.value,
                "low": f.estimate.low,
                "high": f.estimate.high,
                "unit": f.unit,
                "games": f.estimate.n,
                "game": f.game,
                "command": f.command,
                "closer": f.closer,
                "steady": _steady(f),
                "steady_disagrees": f.disagreed,
            }
            for f in found.findings
        ],
        "looked_at": found.looked,
        "asides": found.asides,
        "interrupted": found.interrupted,
        "box": found.cell.provenance,
        "digests": found.cell.digests,
    }


def _steady(f: Finding) -> dict[str, float] | None:
    return (
        {"value": f.steady.value, "low": f.steady.low, "high": f.steady.high} if f.steady else None
    )


def failing(found: Audit, kinds: Sequence[str]) -> list[Finding]:
    return [f for f in found.findings if f.kind in kinds]


def junit(found: Audit, fail_on: Sequence[str]) -> str:
    """A case for each kind that was looked for, failed where it was found and is to fail."""
    bad = {f.kind for f in failing(found, fail_on)}
    root = ET.Element("testsuites", name="hardmode")
    suite = ET.SubElement(
        root,
        "testsuite",
        name=clean(f"audit {found.scenario.name}"),
        tests=str(len(found.looked)),
        failures=str(len(bad)),
        errors="0",
        skipped="0",
    )
    for kind in found.looked:
        case = ET.SubElement(
            suite, "testcase", classname=clean(f"hardmode.audit.{found.scenario.name}"), name=kind
        )
        told = clean(
            "\n".join(f"{f.what}; {size(f)}; {f.command}" for f in found.findings if f.kind == kind)
        )
        if kind in bad:
            ET.SubElement(case, "failure", type=kind, message=told.splitlines()[0]).text = told
        elif told:
            ET.SubElement(case, "system-out").text = told
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def write_junit(found: Audit, fail_on: Sequence[str], file: Path) -> None:
    atomic_files.write(file, junit(found, fail_on))


def chapter(found: Audit) -> Chapter:
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
            notes=[("looked for", [f"{kind}: {KINDS[kind]}" for kind in found.looked])],
        )
    )
    facts = [
        (
            "findings",
            str(len(found.findings)),
            f"in {len(found.looked)} kinds that were looked for",
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
            for line in (*leads(found), *(f.what for f in found.findings[:4]))
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
        {"what": f.what, "size": f.estimate, "games": f.estimate.n, "steady": f.steady}
        for f in findings
    ]
    if any(f.steady for f in findings):
        columns.append(Column("steady", "with steady", columns[1].kind))
    shown = [
        ("a game that shows it", list(dict.fromkeys(f.command for f in findings))),
        ("look closer", list(dict.fromkeys(f.closer for f in findings if f.closer))),
    ]
    return Section(
        kind,
        kind.replace("-", " ").capitalize(),
        [f"{KINDS[kind].capitalize()}."],
        tables=[Table(kind, f"{len(findings)} finding{'s'[: len(findings) != 1]}", columns, rows)],
        notes=[(title, lines) for title, lines in shown if lines],
    )
