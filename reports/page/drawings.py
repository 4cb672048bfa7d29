"""Drawings of the figures of a page: for wide and narrow screens, and for paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardmode.reports.page import print_edition
from hardmode.reports.page.model import Figure, Section
from hardmode.reports.plots.figures import draw_pngs, draw_svg
from hardmode.reports.plots.style import BROAD, WIDE


@dataclass(frozen=True)
class PageFigure:
    """Drawings of one figure in the page.

    Attributes:
        svg: The drawing for a wide screen.
        broad: Whether it takes the whole width of the page.
        narrow: Drawing of a broad figure for a narrow screen, if there is one.
        paper: Drawing that replaces a figure with many rows on paper, if there is one.
        paper_note: Note below that drawing.
    """

    svg: str
    broad: bool = False
    narrow: str = ""
    paper: str = ""
    paper_note: str = ""

    @property
    def width(self) -> float:
        """Width of the drawing for a wide screen, in pixels."""
        return BROAD if self.broad else WIDE


def draw_section(slug: str, section: Section) -> Iterator[tuple[Figure, PageFigure, str]]:
    """Yield each figure of a section with its drawings in the page, and its SVG file."""
    broad = print_edition.find_broad_figures(section.figures)
    for figure in section.figures:
        is_broad, salt = figure.name in broad, f"{slug} {figure.name}"
        inline, svg = draw_svg(figure, BROAD if is_broad else WIDE, salt)
        narrow, paper, note = "", "", ""
        if is_broad and (figure.kind != "heat" or not print_edition.needs_width(figure)):
            narrow = draw_svg(figure, WIDE, f"{salt} narrow").inline
        brief = print_edition.make_paper_figure(figure)
        if brief:
            paper, note = draw_svg(brief, WIDE, f"{salt} paper").inline, brief.note
        yield figure, PageFigure(inline, is_broad, narrow, paper, note), svg


def draw_png_files(pictures: Mapping[str, tuple[Figure, float]]) -> dict[str, bytes]:
    """Return PNG files by name.

    Args:
        pictures: Figures with their widths in pixels, by the names of their files.
    """
    return dict(zip(pictures, draw_pngs(list(pictures.values())), strict=True))
