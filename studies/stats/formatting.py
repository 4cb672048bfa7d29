"""Estimates as text: values and intervals with the decimals that the interval supports."""

from __future__ import annotations

from math import isfinite

from hardmode.studies.stats.estimates import Estimate

MINUS, UNKNOWN = "\N{MINUS SIGN}", "unknown"


def choose_decimals(half_width: float, finest: int = 2) -> int:
    """Return the number of decimals that an interval of this half width supports.

    Example:
        >>> choose_decimals(3), choose_decimals(0.4), choose_decimals(0.01)
        (0, 1, 2)
    """
    if half_width >= 2.5 or not isfinite(half_width):
        return 0
    return min(finest, 1 if half_width >= 0.05 else 2)


def format_signed(x: float, decimals: int) -> str:
    """Return a number with a sign, such as "+3.2"; a zero has none."""
    text = f"{x:+.{decimals}f}"
    if float(text) == 0:
        return text[1:]
    return text.replace("-", MINUS)


def _join(low: str, high: str) -> str:
    return f"{low} .. {high}"


# Rates


def format_percent(e: Estimate) -> str:
    """Return a rate such as "42.3 %"."""
    if not isfinite(e.value):
        return UNKNOWN
    return f"{100 * e.value:.{choose_decimals(100 * e.half_width)}f} %"


def format_percent_interval(e: Estimate) -> str:
    """Return the interval of a rate, in percent, such as "41.9 .. 42.7"."""
    d = choose_decimals(100 * e.half_width)
    return _join(f"{100 * e.low:.{d}f}", f"{100 * e.high:.{d}f}")


def format_rate(e: Estimate) -> str:
    """Return a rate with its interval, such as "42.3 % (41.9 .. 42.7)"."""
    return f"{format_percent(e)} ({format_percent_interval(e)})"


# Differences of rates, in percentage points


def format_points(e: Estimate) -> str:
    """Return a difference of rates in points, such as "+3.2"."""
    if not isfinite(e.value):
        return UNKNOWN
    return format_signed(100 * e.value, choose_decimals(100 * e.half_width))


def format_points_interval(e: Estimate) -> str:
    """Return the interval of a difference of rates in points, such as "+2.8 .. +3.6"."""
    d = choose_decimals(100 * e.half_width)
    return _join(format_signed(100 * e.low, d), format_signed(100 * e.high, d))


# Means


def format_number(e: Estimate) -> str:
    """Return a mean, such as "14.3"."""
    if not isfinite(e.value):
        return UNKNOWN
    return f"{e.value:.{choose_decimals(e.half_width)}f}".replace("-", MINUS)


def format_number_interval(e: Estimate) -> str:
    """Return the interval of a mean, such as "14.1 .. 14.5"."""
    if not isfinite(e.half_width):
        return "one game only" if e.n == 1 else UNKNOWN
    d = choose_decimals(e.half_width)
    return _join(f"{e.low:.{d}f}", f"{e.high:.{d}f}").replace("-", MINUS)


# Differences of means


def format_change(e: Estimate) -> str:
    """Return a difference of means, such as "+1.2"."""
    return format_signed(e.value, choose_decimals(e.half_width)) if isfinite(e.value) else UNKNOWN


def format_change_interval(e: Estimate) -> str:
    """Return the interval of a difference of means, such as "+1.0 .. +1.4"."""
    if not isfinite(e.half_width):
        return UNKNOWN
    d = choose_decimals(e.half_width)
    return _join(format_signed(e.low, d), format_signed(e.high, d))


# By kind of value, as columns and charts name it

VALUE_FORMATTERS = {
    "rate": format_percent,
    "points": format_points,
    "mean": format_number,
    "change": format_change,
}
INTERVAL_FORMATTERS = {
    "rate": format_percent_interval,
    "points": format_points_interval,
    "mean": format_number_interval,
    "change": format_change_interval,
}


def format_with_interval(e: Estimate, kind: str) -> str:
    """Return a value with its interval; `kind` is a key of `VALUE_FORMATTERS`."""
    return f"{VALUE_FORMATTERS[kind](e)} ({INTERVAL_FORMATTERS[kind](e)})"


# Shares without an estimate


def format_share(share: float) -> str:
    """Return a share in percent: "42.3 %", or with two decimals near 0 and 1, such as "4.23 %"."""
    decimals = 2 if share < 0.1 or share > 0.9 else 1
    return f"{100 * share:.{decimals}f} %"


def format_share_interval(share: float, low: float, high: float) -> str:
    """Return a share and its interval: "42.3 % (41.1 .. 43.5)"; two decimals below 2 points."""
    d = 2 if high - low < 0.02 else 1
    return f"{100 * share:.{d}f} % ({100 * low:.{d}f} .. {100 * high:.{d}f})"
