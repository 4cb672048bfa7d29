"""Where CI looks: the exit code, a line per scenario, JUnit's XML, a Markdown summary, JSON."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.markup import escape

from hardmode.reports.console.result import out
from hardmode.sim.files import atomic_files
from hardmode.sim.results.result import versions
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.gate.checks import REFUSED, Finding, Question, points
from hardmode.studies.gate.run import Run
from hardmode.studies.stats.formatting import share_text
from hardmode.studies.stats.sequential import (
    CHANGED,
    EQUIVALENT,
    IDENTICAL,
    INCONCLUSIVE,
    MET,
    MISSED,
)

FINE, MOVED, BROKEN, OPEN = 0, 1, 2, 3
RANK = (
    REFUSED,
    CHANGED,
    MISSED,
    INCONCLUSIVE,
    EQUIVALENT,
    IDENTICAL,
    MET,
)  # the first that is there is said
EXIT = {REFUSED: BROKEN, CHANGED: MOVED, MISSED: MOVED, INCONCLUSIVE: OPEN}
COLOUR = {REFUSED: "red", CHANGED: "red", MISSED: "red", INCONCLUSIVE: "yellow"}
WORDS = {
    "rules": "the rules",
    "strategies": "the strategies",
    "kernel": "the decision loop",
    "weights": "weights",
    "box": "numbers of the box",
    "scenario": "who plays",
}
LARGEST = 900_000  # bytes of a step summary; GitHub drops one of more than 1 MiB


@dataclass
class Report:
    """All findings of a run, in the order of the scenarios."""

    run: Run
    found: list[Finding]
    seconds: float = 0.0

    @cached_property
    def scenarios(self) -> dict[str, list[Finding]]:
        grouped: dict[str, list[Finding]] = {}
        for f in self.found:
            grouped.setdefault(f.scenario, []).append(f)
        return grouped

    @property
    def verdict(self) -> str:
        return worst(self.found)

    @property
    def exit_code(self) -> int:
        return EXIT.get(self.verdict, FINE)

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(f.word for f in self.found)
        return {word: found[word] for word in RANK if found[word]}

    @property
    def promise(self) -> str:
        """What the run as a whole promises."""
        terms, n = self.run.terms, self.run.at_stake
        margins = sorted({q.margin for q in self.run.questions}) or [terms.margin or 0.01]
        wide = f"{points(margins[0])}" + (
            f" (to {points(margins[-1])} where games are few)" if margins[1:] else ""
        )
        together = f"; {n} questions at stake share it" if n > 1 else ""
        return (
            f"An unchanged game fails in at most {terms.alpha:.2%} of runs{together}; a change beyond the margin "
            f"of {wide} passes in at most {terms.beta:.2%}"
        )

    @property
    def played(self) -> int:
        """Games: those that one cell's questions share count once."""
        most: dict[tuple[str, str], int] = {}
        for f in self.found:
            most[f.scenario, f.cell] = max(f.games, most.get((f.scenario, f.cell), 0))
        return sum(most.values())

    @property
    def closing(self) -> str:
        words = ", ".join(f"{n} {word}" for word, n in self.counts.items()) or "nothing to hold"
        n = len(self.scenarios)
        return f"{n} scenario{'' if n == 1 else 's'}: {words}; {self.played:,} games in {self.seconds:.1f} s"

    @property
    def notes(self) -> list[str]:
        libraries = dict.fromkeys(name for f in self.found for name in f.libraries)
        other = (
            [f"libraries changed since it was accepted: {', '.join(libraries)}"]
            if libraries
            else []
        )
        return [*self.run.notes, *other]


def hold(run: Run, progress: Progress = silent) -> Report:
    """Judge all that a run is asked."""
    begun, found, total = time.perf_counter(), [], len(run.refused) + len(run.questions)
    for finding in run.findings():
        found.append(finding)
        progress(finding.scenario, len(found) / total)
    return Report(run, found, time.perf_counter() - begun)


def worst(found: Iterable[Finding]) -> str:
    words = {f.word for f in found}
    return next((word for word in RANK if word in words), MET)


def since(f: Finding) -> str:
    """What has changed since it was accepted."""
    return (
        f"; changed since it was accepted: {', '.join(WORDS.get(k, k) for k in f.since)}"
        if f.since
        else ""
    )


def finding_text(f: Finding) -> str:
    """What was asked of a cell, and the answer in numbers."""
    about = "" if f.about == "baseline" else f"{f.about}: "
    return f"{f'{f.cell}: ' if f.cell else ''}{about}{f.text}{since(f)}"


# Lines


def show(report: Report, verbose: bool = False) -> None:
    """A line per scenario; of a grid, also a line per cell that is not fine, or per cell when verbose."""
    width = max((len(name) for name in report.scenarios), default=0)
    for name, found in report.scenarios.items():
        few = len({f.cell for f in found}) == 1
        lines = found if few or verbose else [f for f in found if f.word in EXIT]
        if not few:
            counts = Counter(f.word for f in found)
            _line(
                worst(found),
                name.ljust(width),
                ", ".join(f"{counts[w]} {w}" for w in RANK if counts[w]),
            )
        for i, f in enumerate(lines):
            _line(f.word, (name if few and i == 0 else "").ljust(width), finding_text(f))
    for note in report.notes:
        out.print(f"[yellow]note: {escape(note)}[/yellow]", soft_wrap=True)
    out.print(
        f"[dim]{escape(report.closing)}[/dim]",
        f"[dim]{escape(report.promise)}[/dim]",
        sep="\n",
        soft_wrap=True,
    )


def _line(word: str, name: str, text: str) -> None:
    out.print(
        f"[{COLOUR.get(word, 'green')}]{word.ljust(12)}[/]  {escape(name)}  {escape(text)}",
        soft_wrap=True,
    )


# JSON


def as_dict(report: Report) -> dict[str, Any]:
    terms = report.run.terms
    return {
        "verdict": report.verdict,
        "exit": report.exit_code,
        "counts": report.counts,
        "seconds": round(report.seconds, 3),
        "games": report.played,
        "notes": report.notes,
        "made_by": versions(),
        "gate": {
            "alpha": terms.alpha,
            "beta": terms.beta,
            "margin": terms.margin,
            "games": terms.games,
            "questions": len(report.run.questions),
            "at_stake": report.run.at_stake,
        },
        "scenarios": [
            {"scenario": name, "verdict": worst(found), "findings": [_finding(f) for f in found]}
            for name, found in report.scenarios.items()
        ],
    }


def _finding(f: Finding) -> dict[str, Any]:
    e = f.estimate
    return {
        "cell": f.cell,
        "label": f.label,
        "about": f.about,
        "verdict": f.word,
        "said": f.text,
        "games": f.games,
        "margin": f.margin,
        "value": e.value if e else None,
        "low": e.low if e else None,
        "high": e.high if e else None,
        "confidence": e.confidence if e else None,
        "judged_on": e.n if e else 0,
        "win_rate": {"accepted": f.rates[0], "now": f.rates[1]} if f.rates else None,
        "flips": {"gained": f.flips[0], "lost": f.flips[1]} if f.flips else None,
        "changed_since": list(f.since),
        "libraries": list(f.libraries),
        "seconds": round(f.seconds, 3),
    }


# JUnit


def junit(report: Report) -> str:
    """The XML that CI servers read: a suite per scenario, a case per question, each name once."""
    root = ET.Element("testsuites", name="hardmode")
    for name, found in report.scenarios.items():
        words = Counter(f.word for f in found)
        suite = ET.SubElement(
            root,
            "testsuite",
            name=clean(name),
            tests=str(len(found)),
            errors=str(words[REFUSED]),
            skipped="0",
            failures=str(words[CHANGED] + words[MISSED] + words[INCONCLUSIVE]),
            time=f"{sum(f.seconds for f in found):.3f}",
        )
        for f, title in zip(found, titles(found), strict=True):
            _case(suite, name, f, title)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, name: str, f: Finding, title: str) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        classname=clean(f"hardmode.{name}"),
        name=clean(title),
        time=f"{f.seconds:.3f}",
    )
    if f.word in EXIT:
        kind = "error" if f.word == REFUSED else "failure"
        text = clean(f"{f.word}: {finding_text(f)}")
        ET.SubElement(case, kind, type=f.word, message=text).text = text
    else:
        ET.SubElement(case, "system-out").text = clean(f"{f.word}: {finding_text(f)}")


def titles(found: Sequence[Finding | Question]) -> list[str]:
    """A name for each question of a scenario, each once."""
    seen: Counter[str] = Counter()
    named = []
    for f in found:
        title = f"{f.cell}: {f.about}" if f.cell else f.about
        seen[title] += 1
        named.append(title if seen[title] == 1 else f"{title} ({seen[title]})")
    return named


def clean(text: str) -> str:
    """Without what XML cannot say."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)


# Markdown


def summary(report: Report) -> str:
    """The verdict table first, what is not fine before what is; then what was promised."""
    lines = [
        f"## hardmode: {report.verdict}",
        "",
        "| verdict | scenario | accepted | now | |",
        "|---|---|---|---|---|",
    ]
    ranked = sorted(report.scenarios.items(), key=lambda item: RANK.index(worst(item[1])))
    rows = [row for name, found in ranked for row in _rows(name, found)]
    foot = [
        "",
        report.closing + ".",
        *(f"Note: {note}." for note in report.notes),
        report.promise + ".",
        "",
    ]
    room = LARGEST - sum(len(line.encode()) + 1 for line in [*lines, *foot]) - 100
    kept = 0
    for row in rows:
        room -= len(row.encode()) + 1
        if room < 0:
            break
        kept += 1
    left = [f"| ... | and {len(rows) - kept} lines more | | | |"] if kept < len(rows) else []
    return "\n".join([*lines, *rows[:kept], *left, *foot])


def _rows(name: str, found: Sequence[Finding]) -> list[str]:
    """One row for a scenario of one question; else one for the scenario, and one for each answer not fine."""
    if len(found) == 1:
        return [_row(name, found[0])]
    counts = Counter(f.word for f in found)
    said = ", ".join(f"{counts[w]} {w}" for w in RANK if counts[w])
    head = f"| **{worst(found)}** | {_cell(name)} | | | {said} |"
    return [
        head,
        *(_row(name, f) for f in sorted(found, key=lambda f: RANK.index(f.word)) if f.word in EXIT),
    ]


def _row(name: str, f: Finding) -> str:
    was, now = (share_text(r) for r in f.rates) if f.rates else ("", "")
    return f"| {f.word} | {_cell(name)} | {was} | {now} | {_cell(finding_text(f))} |"


def _cell(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", text.replace("\n", " "))


def ready(junit_file: Path | None, summary_file: Path | None) -> None:
    """Refuse files that cannot be written, before anything is played."""
    for path, kind in ((junit_file, atomic_files.JUNIT), (summary_file, atomic_files.SUMMARY)):
        if path:
            atomic_files.ready(path, kind)


def write_files(report: Report, junit_file: Path | None, summary_file: Path | None) -> None:
    for path, written in ((junit_file, junit), (summary_file, summary)):
        if path:
            atomic_files.write(path, written(report))
