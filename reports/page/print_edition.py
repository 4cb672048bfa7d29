"""The editions of a page: the long one, the short one, which is also what the long one prints, and that as a PDF."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path

from hardmode.reports.page.model import Brief, Chapter, Figure, Section
from hardmode.reports.page.style import WIDE
from hardmode.sim.files.atomic_files import OutputError

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
ALWAYS_BROAD = ("tornado", "odds")
MOST_LINES, LARGEST = (
    12,
    8,
)  # lines of a plot on paper; how many are shown where there would be more
PATIENCE = 120  # seconds that a browser may take to print


def short(chapter: Chapter) -> Chapter:
    """Two pages on paper: what every section says first, and the plots that say most."""
    return replace(
        chapter, sections=[_briefly(s, s.brief) for s in chapter.sections if s.brief], explorer=None
    )


def _briefly(section: Section, brief: Brief) -> Section:
    return Section(
        section.name,
        section.title,
        section.sentences[: brief.sentences],
        [f for f in section.figures if f.name in brief.figures],
        brief=brief,
    )


def broad(figures: Sequence[Figure]) -> set[str]:
    """The plots that take the whole width: those that need it, and those beside which nothing would stand."""
    from hardmode.reports.page.plots import SIZE

    wide = {
        f.name
        for f in figures
        if f.kind in ALWAYS_BROAD or SIZE[f.kind](f.data, WIDE)[0] > WIDE + 20
    }
    waiting = ""
    for figure in figures:
        if figure.name in wide:
            wide |= {waiting} - {""}
            waiting = ""
        else:
            waiting = "" if waiting else figure.name
    return wide | {waiting} - {""}


def on_paper(figure: Figure) -> Figure | None:
    """What of a plot of many differences stands on paper, where there is no room for all: the largest."""
    if figure.kind != "dots" or figure.data["mark"] != 0.0:
        return None
    rows = figure.data["rows"]
    if len(rows) + len({row.get("group") for row in rows}) <= MOST_LINES:
        return None
    found = sorted(
        rows, key=lambda row: -abs(row["estimate"].value) if isfinite(row["estimate"].value) else 0
    )
    kept = [{**row, "label": row.get("name", row["label"]), "group": ""} for row in found[:LARGEST]]
    return replace(
        figure,
        name=f"{figure.name}-paper",
        data={**figure.data, "rows": kept},
        note=f"The {len(kept)} largest of {len(rows)}.",
    )


def browser() -> str:
    """The browser that prints; a clear word where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise OutputError(
            f"a PDF is printed by Chromium, and none of {', '.join(BROWSERS)} is on the PATH: install "
            "one, or leave out --pdf and print index.html from any browser"
        )
    return found


def printed(page: str) -> bytes:
    """The page as a PDF, as the browser prints it."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "index.html", Path(folder) / "report.pdf"
        source.write_text(page, "utf-8")
        command = [
            browser(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            f"--user-data-dir={folder}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={target}",
            source.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise OutputError(
                f"{command[0]} did not print the page within {PATIENCE} seconds"
            ) from None
        if done.returncode or not target.exists():
            why = (done.stderr.strip().splitlines() or ["it wrote nothing"])[-1]
            raise OutputError(f"{command[0]} did not print the page: {why}")
        return target.read_bytes()
