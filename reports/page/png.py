"""Rendering of a sheet as PNG on white, at twice the resolution of a page, by matplotlib."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any

from hardmode.reports.page import svg
from hardmode.reports.page.sheet import (
    DENSE,
    DPI,
    POINTS,
    Area,
    Dot,
    Line,
    Point,
    Sheet,
    Words,
    clean,
    letters,
)
from hardmode.reports.page.style import ROLES


def render_png(sheet: Sheet, title: str) -> bytes:
    """Return a sheet as a PNG file."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.image import imsave

    wide, tall = round(DENSE * sheet.width), round(DENSE * (sheet.height + sheet.above))
    pen = _Pen(RendererAgg(wide, tall, DPI), tall, sheet.above)
    pen.paint(
        [
            (0, -sheet.above),
            (sheet.width, -sheet.above),
            (sheet.width, sheet.height),
            (0, sheet.height),
        ],
        "paper",
    )
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing"
        )  # other scripts are drawn by the browser
        for mark in sheet.marks:
            pen.mark(mark)
        for words in (*sheet.heading, *sheet.words):
            pen.words(words)
    out = io.BytesIO()
    imsave(out, pen.renderer.buffer_rgba(), format="png", dpi=DPI, metadata={"Title": clean(title)})
    return out.getvalue()


class _Pen:
    """Renderer that takes coordinates in CSS pixels."""

    def __init__(self, renderer: Any, tall: int, above: float) -> None:
        from matplotlib.transforms import Affine2D

        self.renderer, self.tall, self.above = renderer, tall, above
        self.placed = Affine2D().scale(DENSE, -DENSE).translate(0, tall - DENSE * above)

    def mark(self, mark: Area | Line | Dot) -> None:
        if isinstance(mark, Area):
            if mark.fill:
                self.paint(mark.points, mark.fill, mark.alpha)
            if mark.edge:
                self.stroke([*mark.points, mark.points[0]], mark.edge, mark.width)
        elif isinstance(mark, Line):
            self.stroke(mark.points, mark.role, mark.width, mark.alpha, mark.dashes)
        elif mark.form == "o":
            from matplotlib.path import Path

            self._path(Path.circle(mark.at, mark.radius), mark.role, 1.0, filled=True)
        else:
            self.paint(mark.corners, mark.role)

    def paint(self, points: Sequence[Point], role: str, alpha: float = 1.0) -> None:
        from matplotlib.path import Path

        self._path(Path([*points, points[0]], closed=True), role, alpha, filled=True)

    def stroke(
        self,
        points: Sequence[Point],
        role: str,
        width: float,
        alpha: float = 1.0,
        dashes: Sequence[float] = (),
    ) -> None:
        from matplotlib.path import Path

        self._path(Path(points), role, alpha, width, dashes)

    def _path(
        self,
        path: Any,
        role: str,
        alpha: float,
        width: float = 0.0,
        dashes: Sequence[float] = (),
        *,
        filled: bool = False,
    ) -> None:
        how = self._how(role, alpha)
        how.set_linewidth(POINTS * width)
        how.set_joinstyle("round")
        if dashes:
            how.set_dashes(0, [POINTS * length for length in dashes])
        self.renderer.draw_path(how, path, self.placed, how.get_rgb() if filled else None)

    def words(self, one: Words) -> None:
        box, down = one.box, svg.BASELINE * one.size
        x, y = (one.x + down, box.bottom) if one.turned else (box.left, one.y + down)
        self.renderer.draw_text(
            self._how(one.role),
            DENSE * x,
            DENSE * (y + self.above),
            clean(one.text),
            letters(one.size, one.bold),
            90 if one.turned else 0,
        )

    def _how(self, role: str, alpha: float = 1.0) -> Any:
        how = self.renderer.new_gc()
        how.set_foreground(ROLES[role])
        how.set_alpha(alpha)
        return how
