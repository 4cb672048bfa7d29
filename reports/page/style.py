"""How plots look: every colour stands for a role, in one style for the page and for files."""

from __future__ import annotations

from typing import Any

# Told apart by colour-blind readers too (after Okabe and Ito); lines also differ by their marks, areas by their order.
ROLES = {"ink": "#1b2530", "muted": "#5c6a79", "line": "#dde3ea", "paper": "#fffffe", "band": "#dcebdf",
         "heat": "#0a679f", "frame": "#1c7a3e", "a": "#0a679e", "a2": "#5aa6d2", "b": "#cf5a06", "c": "#dca21b",
         "d": "#a85c90", "e": "#2c8f6e", "f": "#86603c", "g": "#b9a3cf", "h": "#7a8794", "other": "#c3cbd4",
         "on-deep": "#fffefe", "on-pale": "#101820"}
PALE = ("c", "g", "other", "a2")  # roles that dark letters stand on
DEEPEST = 0.6  # the colour of the highest field of a heat map: letters can still be read on it
MARKS, DASHES = {"a": "o", "b": "s", "c": "^", "d": "D"}, {"a": "-", "b": "--", "c": "-.", "d": ":"}
WIDE, BROAD, TITLE = 440, 920, 34  # CSS pixels: of a plot, of one that stands alone, of the title above it in files
FONT = "-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif"
STYLE: Any = {
    "font.family": "sans-serif", "font.sans-serif": ["Liberation Sans", "Arial", "DejaVu Sans"], "font.size": 9.0,
    "text.color": ROLES["ink"], "axes.labelcolor": ROLES["muted"], "axes.edgecolor": ROLES["line"],
    "xtick.color": ROLES["line"], "ytick.color": ROLES["line"], "xtick.labelcolor": ROLES["muted"],
    "ytick.labelcolor": ROLES["ink"], "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8,
    "axes.grid": True, "grid.color": ROLES["line"], "grid.linewidth": 0.7, "axes.axisbelow": True,
    "xtick.major.size": 0, "ytick.major.size": 0, "legend.frameon": False, "legend.fontsize": 9.0,
    "svg.fonttype": "none", "svg.hashsalt": "hardmode", "text.parse_math": False,
    "lines.linewidth": 1.6, "lines.markersize": 4.5, "figure.facecolor": "none", "axes.facecolor": "none",
}


def told(canvas: Any, part: Any, words: str) -> None:
    """Words for a part of a plot, which are read when a pointer rests on it."""
    canvas.tips.append(words)
    part.set_gid(f"tip{len(canvas.tips) - 1}")
