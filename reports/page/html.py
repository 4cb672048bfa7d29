"""HTML page of a report: one file without dependencies, from chapters and drawn figures."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hardmode.reports.page.drawings import PageFigure
from hardmode.reports.page.model import ESTIMATES, Chapter, Column, ReportTable, Section
from hardmode.reports.page.play.interpreter import load_interpreter
from hardmode.reports.page.print_edition import ALWAYS_BROAD
from hardmode.studies.stats import formatting

TEMPLATES = Path(__file__).parent / "templates"


def render_page(chapters: Sequence[Chapter], drawn: Mapping[tuple[str, str], PageFigure]) -> str:
    """Return the page as HTML.

    Args:
        chapters: Chapters in the order of the page.
        drawn: Each figure, by the slug of its chapter and its name.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    env.filters["insert_no_break_spaces"] = insert_no_break_spaces
    several = len(chapters) > 1
    plays = any(chapter.play for chapter in chapters)
    return env.get_template("page.html.j2").render(
        title=f"{len(chapters)} scenarios" if several else chapters[0].title,
        chapters=chapters,
        overview=make_overview_table(chapters) if several else None,
        drawn=drawn,
        estimates=ESTIMATES,
        compress_for_script=compress_for_script,
        count_short_sentences=count_short_sentences,
        needs_both_columns=needs_both_columns,
        folder=lambda slug: f"{slug}/" if several else "",
        value_text=formatting.VALUE_FORMATTERS,
        interval_text=formatting.INTERVAL_FORMATTERS,
        plays=plays,
        interpreter=load_interpreter() if plays else None,
        play_js=(TEMPLATES / "play.js").read_text(),
        play_worker_js=(TEMPLATES / "play_worker.js").read_text(),
        play_teller_js=(TEMPLATES / "play_teller.js").read_text(),
        css=(TEMPLATES / "page.css").read_text(),
        js=(TEMPLATES / "page.js").read_text(),
    )


def compress_for_script(data: Mapping[str, Any]) -> str:
    """Return data for the script of the page: compressed JSON in base64."""
    text = json.dumps(data, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def count_short_sentences(section: Section) -> int:
    """Return the number of sentences of a section that the short edition keeps."""
    return section.brief.sentences if section.brief else 0


def needs_both_columns(section: Section) -> bool:
    """Return whether a section takes both columns on paper because of a wide plot."""
    named = section.brief.figures if section.brief else ()
    printed = [f for f in section.figures if f.name in named]
    return any(f.kind in ALWAYS_BROAD or f.kind == "heat" for f in printed)


def insert_no_break_spaces(text: str) -> str:
    """Return a text in which no line breaks inside a number or its interval."""
    return re.sub(
        r"(?<=\d) (?=%|\.\.)|(?<=\.\.) (?=[+\N{MINUS SIGN}\d])", "\N{NO-BREAK SPACE}", text
    )


def make_overview_table(chapters: Sequence[Chapter]) -> ReportTable:
    """Return a table with one row for each scenario of the report."""
    columns = [
        Column("scenario", "scenario"),
        Column("game", "game"),
        Column("what", "measured"),
        Column("found", "found"),
        Column("target", "target"),
        Column("length", "median length"),
        Column("variants", "variants", "count"),
        Column("games", "games", "count"),
    ]
    return ReportTable("overview", "Side by side", columns, [c.overview for c in chapters])
