"""How a report says things: numbers with their intervals, names of strategies, lists."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from hardmode.reports.estimates import Estimate
from hardmode.scenarios.variant import said_value

WHO = {"random": "Players who choose at random", "beginner": "Beginners", "steady": "Players who play steadily",
       "expert": "Experts"}
MINUS, UNKNOWN = "\N{MINUS SIGN}", "unknown"


def decimals(half_width: float, finest: int = 2) -> int:
    """No more figures than the interval supports: half a width of 0.4 is told to one decimal."""
    if half_width >= 2.5 or not isfinite(half_width):
        return 0
    return min(finest, 1 if half_width >= 0.05 else 2)


def _pair(low: str, high: str) -> str:
    return f"{low} .. {high}"


def percent(e: Estimate) -> str:
    """42.3 %"""
    return f"{100 * e.value:.{decimals(100 * e.half_width)}f} %" if isfinite(e.value) else UNKNOWN


def percent_span(e: Estimate) -> str:
    """41.9 .. 42.7"""
    d = decimals(100 * e.half_width)
    return _pair(f"{100 * e.low:.{d}f}", f"{100 * e.high:.{d}f}")


def rate(e: Estimate) -> str:
    """42.3 % (41.9 .. 42.7)"""
    return f"{percent(e)} ({percent_span(e)})"


def signed(x: float, d: int) -> str:
    text = f"{x:+.{d}f}"
    if float(text) == 0:
        return text[1:]
    return text.replace("-", MINUS)


def points(e: Estimate) -> str:
    """+3.2"""
    return signed(100 * e.value, decimals(100 * e.half_width)) if isfinite(e.value) else UNKNOWN


def points_span(e: Estimate) -> str:
    d = decimals(100 * e.half_width)
    return _pair(signed(100 * e.low, d), signed(100 * e.high, d))


def number(e: Estimate) -> str:
    """14.3"""
    return f"{e.value:.{decimals(e.half_width)}f}".replace("-", MINUS) if isfinite(e.value) else UNKNOWN


def number_span(e: Estimate) -> str:
    if not isfinite(e.half_width):
        return "one game only" if e.n == 1 else UNKNOWN
    d = decimals(e.half_width)
    return _pair(f"{e.low:.{d}f}", f"{e.high:.{d}f}").replace("-", MINUS)


def change(e: Estimate) -> str:
    return signed(e.value, decimals(e.half_width)) if isfinite(e.value) else UNKNOWN


def change_span(e: Estimate) -> str:
    d = decimals(e.half_width)
    return _pair(signed(e.low, d), signed(e.high, d)) if isfinite(e.half_width) else UNKNOWN


VALUE = {"rate": percent, "points": points, "mean": number, "change": change}
SPAN = {"rate": percent_span, "points": points_span, "mean": number_span, "change": change_span}


def told(e: Estimate, kind: str) -> str:
    """A value and its interval, as its kind is said."""
    return f"{VALUE[kind](e)} ({SPAN[kind](e)})"


def games(n: int) -> str:
    return f"{n:,} game{'s' if n != 1 else ''}"


def listed(names: Sequence[str]) -> str:
    """a, b and c"""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def players(strategy: str) -> str:
    """Who plays so, as the subject of a sentence."""
    return WHO.get(strategy, f"Players who follow “{strategy}”")


def path(name: str, parts: int = 1) -> str:
    """The last words of a path: `setup.forest_kind` is forest kind."""
    return " ".join(name.split(".")[-parts:]).replace("_", " ")


def value(x: Any) -> str:
    """A value of a choice at set-up."""
    return ("yes" if x else "no") if isinstance(x, bool) else said_value(x).replace("_", " ")


def cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
