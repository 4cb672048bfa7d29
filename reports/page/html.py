"""The page: one HTML file that needs nothing else, from chapters and their drawn figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardmode.reports.page.plots import WIDE
from hardmode.reports.page.views import ESTIMATES, Chapter, Column, Table
from hardmode.studies import estimate_text

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class PageFigure:
    """A figure as it stands in the page."""

    svg: str

    @property
    def wide(self) -> bool:
        return int(self.svg.split('width="', 1)[1].split('"', 1)[0]) > WIDE + 20


def page(chapters: Sequence[Chapter], drawn: Mapping[tuple[str, str], str]) -> str:
    """`drawn`: the SVG of each figure, by the slug of its chapter and its name."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    env.filters["tight"] = tight
    several = len(chapters) > 1
    return env.get_template("page.html.j2").render(
        title=f"{len(chapters)} scenarios" if several else chapters[0].title,
        chapters=chapters, overview=overview(chapters) if several else None,
        drawn={key: PageFigure(svg) for key, svg in drawn.items()}, estimates=ESTIMATES,
        value_text=estimate_text.VALUE, interval_text=estimate_text.SPAN,
        css=(TEMPLATES / "page.css").read_text(), js=(TEMPLATES / "page.js").read_text())


def tight(text: str) -> str:
    """With blanks inside a number and its interval at which no line is broken."""
    return re.sub(r"(?<=\d) (?=%|\.\.)|(?<=\.\.) (?=[+\N{MINUS SIGN}\d])", "\N{NO-BREAK SPACE}", text)


def overview(chapters: Sequence[Chapter]) -> Table:
    """One row for each scenario of a report on several."""
    columns = [Column("scenario", "scenario"), Column("game", "game"), Column("what", "measured"),
               Column("found", "found"), Column("target", "target"), Column("length", "median length"),
               Column("variants", "variants", "count"), Column("games", "games", "count")]
    return Table("overview", "Side by side", columns, [c.overview for c in chapters])

