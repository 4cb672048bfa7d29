"""Style of plots: colors by role, sizes and fonts, for the page and for files."""

from __future__ import annotations

# Palette for colour-blind readers, after Okabe and Ito; lines also differ by their marks, areas by
# their order.
ROLES = {
    "ink": "#1b2530",
    "muted": "#5c6a79",
    "line": "#dde3ea",
    "paper": "#ffffff",
    "band": "#dcebdf",
    "heat": "#0a679f",
    "frame": "#1c7a3e",
    "a": "#0a679e",
    "a2": "#5aa6d2",
    "b": "#cf5a06",
    "c": "#dca21b",
    "d": "#a85c90",
    "e": "#2c8f6e",
    "f": "#86603c",
    "g": "#b9a3cf",
    "h": "#7a8794",
    "other": "#c3cbd4",
    "on-deep": "#ffffff",
    "on-pale": "#101820",
}
PALE = ("c", "g", "other", "a2")  # roles that dark letters stand on
DEEPEST = 0.6  # the colour of the highest field of a heat map: letters can still be read on it
MARKS = {"a": "o", "b": "s", "c": "^", "d": "D"}
DASHES: dict[str, tuple[float, ...]] = {"b": (8, 3.5), "c": (9, 3, 2, 3), "d": (2, 3)}
WIDE, BROAD = 440, 920  # CSS pixels: of a plot, and of one that stands alone
FONT = "-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif"
