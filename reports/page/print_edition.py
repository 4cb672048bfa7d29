"""Short edition of a page, which is also the printed form of the long one, and its PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path

from hardmode.reports.page.model import Brief, Chapter, Figure, Section
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
MAX_NARROW_COLUMNS = 4  # of a heat map in one column of the page
MAX_PAPER_LINES = 12  # of a plot on paper
MAX_PAPER_ROWS = 8  # that are shown if there are more lines
PAGES_PER_SCENARIO = 2
ZOOMS = (1.0, 0.93, 0.86, 0.8, 0.74)  # sizes at which a page is tried, the largest first
BROWSER_SECONDS = 120  # for printing a page


def shorten_chapter(chapter: Chapter) -> Chapter:
    """Return the two pages for print: the first sentences and main plots of each section."""
    return replace(
        chapter,
        sections=[_shorten_section(s, s.brief) for s in chapter.sections if s.brief],
        explorer=None,
        play=None,
    )


def _shorten_section(section: Section, brief: Brief) -> Section:
    return Section(
        section.name,
        section.title,
        section.sentences[: brief.sentences],
        [f for f in section.figures if f.name in brief.figures],
        brief=brief,
        bar=section.bar,
        proposals=section.proposals,
    )


def find_broad_figures(figures: Sequence[Figure]) -> set[str]:
    """Return the plots that take the whole width: wide ones, and those without a neighbor."""
    broad = {figure.name for figure in figures if needs_width(figure)}
    left = ""  # the narrow plot in the left column, as long as its neighbor is unknown
    for figure in figures:
        if figure.name in broad:
            broad.add(left)
            left = ""
        else:
            left = "" if left else figure.name
    return (broad | {left}) - {""}


def needs_width(figure: Figure) -> bool:
    """Return whether a figure does not fit into one column of the page."""
    if figure.kind != "heat":
        return figure.kind in ALWAYS_BROAD
    panels = figure.data["panels"]
    return len(panels) * len(panels[0]["columns"]) > MAX_NARROW_COLUMNS


def make_paper_figure(figure: Figure) -> Figure | None:
    """Return a plot of the largest differences for paper, or None if there is room for all."""
    if figure.kind != "dots" or figure.data["mark"] != 0.0:
        return None
    rows = figure.data["rows"]
    if len(rows) + len({row.get("group") for row in rows}) <= MAX_PAPER_LINES:
        return None
    found = sorted(
        rows, key=lambda row: -abs(row["estimate"].value) if isfinite(row["estimate"].value) else 0
    )
    kept = [
        {**row, "label": row.get("name", row["label"]), "group": ""}
        for row in found[:MAX_PAPER_ROWS]
    ]
    return replace(
        figure,
        name=f"{figure.name}-paper",
        data={**figure.data, "rows": kept},
        note=f"The {len(kept)} largest of {len(rows)}.",
    )


def find_browser() -> str:
    """Return the path of the browser that prints.

    Raises:
        OutputError: No browser was found.
    """
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not path:
        raise OutputError(
            f"a PDF is printed by Chromium, and none of {', '.join(BROWSERS)} is on the PATH: "
            "install one, or leave out --pdf and print index.html from any browser"
        )
    return path


def print_to_pdf(page: str, max_pages: int) -> bytes:
    """Return a page as a PDF printed by the browser.

    A page that takes more sheets than promised is printed again, smaller each time, as far as it
    can still be read.

    Args:
        page: The HTML text.
        max_pages: The most sheets that it should take.
    """
    pdf = b""
    for zoom in ZOOMS:
        style = f"<style>@media print {{ html {{ zoom: {zoom} }} }}</style></head>"
        pdf = _print_once(page.replace("</head>", style, 1))
        if count_pages(pdf) <= max_pages:
            break
    return pdf


def count_pages(pdf: bytes) -> int:
    """Return the number of pages of a PDF that a browser printed."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def _print_once(page: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "index.html", Path(folder) / "report.pdf"
        source.write_text(page, "utf-8")
        command = [
            find_browser(),
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
            process = subprocess.run(
                command, capture_output=True, text=True, timeout=BROWSER_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise OutputError(
                f"{command[0]} did not print the page within {BROWSER_SECONDS} seconds"
            ) from None
        if process.returncode or not target.exists():
            why = (process.stderr.strip().splitlines() or ["it wrote nothing"])[-1]
            raise OutputError(f"{command[0]} did not print the page: {why}")
        return target.read_bytes()
