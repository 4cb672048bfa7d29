"""The page: one HTML file that needs nothing else, from chapters and their drawn figures."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardmode.reports.page.model import ESTIMATES, Chapter, Column, Section, Table
from hardmode.reports.page.print_edition import ALWAYS_BROAD
from hardmode.studies.stats import formatting

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class PageFigure:
    """A figure as it stands in the page; one that takes the whole width may be drawn once more for a narrow screen, one
    of many rows for paper."""

    svg: str
    broad: bool = False
    narrow: str = ""
    paper: str = ""  # on paper, instead of it; and the note there
    paper_note: str = ""


def page(chapters: Sequence[Chapter], drawn: Mapping[tuple[str, str], PageFigure]) -> str:
    """`drawn`: each figure, by the slug of its chapter and its name."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    env.filters["tight"] = tight
    several = len(chapters) > 1
    return env.get_template("page.html.j2").render(
        title=f"{len(chapters)} scenarios" if several else chapters[0].title,
        chapters=chapters,
        overview=overview(chapters) if several else None,
        drawn=drawn,
        estimates=ESTIMATES,
        packed=packed,
        told=told,
        across=across,
        value_text=formatting.VALUE_FORMATTERS,
        interval_text=formatting.INTERVAL_FORMATTERS,
        css=(TEMPLATES / "page.css").read_text(),
        js=(TEMPLATES / "page.js").read_text(),
    )


def packed(data: Mapping[str, Any]) -> str:
    """Data for the page's own script, compressed."""
    return base64.b64encode(
        zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    ).decode()


def told(section: Section) -> int:
    """How many of its sentences the short edition has."""
    return section.brief.sentences if section.brief else 0


def across(section: Section) -> bool:
    """Whether, on paper, it takes both columns: one of its plots needs the width."""
    named = section.brief.figures if section.brief else ()
    return any(
        f.kind in ALWAYS_BROAD or f.kind == "heat" for f in section.figures if f.name in named
    )


def tight(text: str) -> str:
    """With blanks inside a number and its interval at which no line is broken."""
    return re.sub(
        r"(?<=\d) (?=%|\.\.)|(?<=\.\.) (?=[+\N{MINUS SIGN}\d])", "\N{NO-BREAK SPACE}", text
    )


def overview(chapters: Sequence[Chapter]) -> Table:
    """One row for each scenario of a report on several."""
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
    return Table("overview", "Side by side", columns, [c.overview for c in chapters])
