"""How an estimate is written: a rate, a difference, a mean; each with its interval, to the digits that it supports."""

from __future__ import annotations

from math import isfinite

from hardmode.studies.stats.estimates import Estimate

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
    return (
        f"{e.value:.{decimals(e.half_width)}f}".replace("-", MINUS)
        if isfinite(e.value)
        else UNKNOWN
    )


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


def with_interval(e: Estimate, kind: str) -> str:
    """A value and its interval, as its kind is written."""
    return f"{VALUE[kind](e)} ({SPAN[kind](e)})"


def share_text(x: float) -> str:
    """An observed share, whatever is known of it: 42.3 %, or 4.23 % where that tells more."""
    return f"{100 * x:.2f} %" if x < 0.1 or x > 0.9 else f"{100 * x:.1f} %"


def interval_text(share: float, low: float, high: float) -> str:
    """42.3 % (41.1 .. 43.5), or 4.23 % (4.11 .. 4.36) where the interval is narrower than 2 points."""
    d = 2 if high - low < 0.02 else 1
    return f"{100 * share:.{d}f} % ({100 * low:.{d}f} .. {100 * high:.{d}f})"
