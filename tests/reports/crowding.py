"""What a reader could not read of a plot: texts that leave the figure, and texts over others."""

from itertools import combinations
from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure

from hardmode.reports.plots.style import STYLE

TOLERANCE = 1.0  # pixels


class Box(NamedTuple):
    text: str
    left: float
    top: float
    right: float
    bottom: float


class TextRecorder(RendererAgg):
    """Renderer that keeps the place of each line of text that is drawn."""

    def __init__(self, width, height, dpi):
        super().__init__(width, height, dpi)
        self.boxes = []

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        width, height, descent = self.get_text_width_height_descent(s, prop, ismath)
        box = (x - height, y - width, x, y) if angle == 90 else (x, y - height + descent, x + width, y)
        self.boxes.append(Box(s, *box))


def crowded(figure: Figure) -> list[str]:
    with rc_context(STYLE):
        recorder = TextRecorder(*figure.bbox.size, figure.dpi)
        figure.draw(recorder)
    outer = Box("", 0, 0, *figure.bbox.size)
    cut = [box.text for box in recorder.boxes if not _is_inside(box, outer)]
    over = [f"{a.text} / {b.text}" for a, b in combinations(recorder.boxes, 2) if _overlap(a, b)]
    return cut + over


def _is_inside(box: Box, outer: Box) -> bool:
    t = TOLERANCE
    across = box.left >= outer.left - t and box.right <= outer.right + t
    return across and box.top >= outer.top - t and box.bottom <= outer.bottom + t


def _overlap(a: Box, b: Box) -> bool:
    t = TOLERANCE
    return a.left + t < b.right and b.left + t < a.right and a.top + t < b.bottom and b.top + t < a.bottom
