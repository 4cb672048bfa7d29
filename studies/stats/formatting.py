"""Estimates as text: values and intervals with the decimals that the interval supports."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite, isnan

from hardmode.studies.stats.estimates import Estimate

MINUS, UNKNOWN = "\N{MINUS SIGN}", "unknown"
SCALES = {"rate": 100, "points": 100, "mean": 1, "change": 1}  # from estimates to text, by kind


def choose_decimals(half_width: float, finest: int = 2) -> int:
    """Return the number of decimals that an interval of this half width supports.

    Example:
        >>> choose_decimals(3), choose_decimals(0.4), choose_decimals(0.01)
        (0, 1, 2)
    """
    if half_width >= 2.5 or not isfinite(half_width):
        return 0
    return min(finest, 1 if half_width >= 0.05 else 2)


def choose_common_decimals(estimates: Iterable[Estimate], kind: str) -> int:
    """Return the number of decimals for estimates that are read side by side.

    It is as large as the narrowest interval supports, but two only if every interval does.

    Args:
        estimates: The estimates; those whose interval is unknown do not count.
        kind: A key of `VALUE_FORMATTERS`.

    Example:
        >>> wide, narrow = Estimate(0.5, 0.4, 0.6, 100), Estimate(0.5, 0.4999, 0.5001, 10**8)
        >>> choose_common_decimals([wide, narrow], "rate")
        1
    """
    halves = [SCALES[kind] * e.half_width for e in estimates if isfinite(e.half_width)]
    found = [choose_decimals(half) for half in halves] or [0]
    return max(min(found), min(max(found), 1))


def _get_decimals(e: Estimate, kind: str, decimals: int | None) -> int:
    return choose_decimals(SCALES[kind] * e.half_width) if decimals is None else decimals


def format_signed(x: float, decimals: int) -> str:
    """Return a number with a sign; a zero has none.

    Example:
        >>> format_signed(3.21, 1), format_signed(0.001, 1)
        ('+3.2', '0.0')
    """
    text = f"{x:+.{decimals}f}"
    if float(text) == 0:
        return text[1:]
    return text.replace("-", MINUS)


def _format_interval(low: float, high: float, decimals: int) -> str:
    return f"{low:.{decimals}f} .. {high:.{decimals}f}"


def _format_signed_interval(low: float, high: float, decimals: int) -> str:
    return f"{format_signed(low, decimals)} .. {format_signed(high, decimals)}"


# Rates


def format_percent(e: Estimate, decimals: int | None = None) -> str:
    """Return a rate.

    Example:
        >>> format_percent(Estimate(0.423, 0.419, 0.427, 9000))
        '42.3 %'
    """
    if not isfinite(e.value):
        return UNKNOWN
    return f"{100 * e.value:.{_get_decimals(e, 'rate', decimals)}f} %"


def format_percent_interval(e: Estimate, decimals: int | None = None) -> str:
    """Return the interval of a rate, in percent.

    Example:
        >>> format_percent_interval(Estimate(0.423, 0.419, 0.427, 9000))
        '41.9 .. 42.7'
    """
    if not isfinite(e.half_width):
        return UNKNOWN
    d = _get_decimals(e, "rate", decimals)
    return _format_interval(100 * e.low, 100 * e.high, d)


def format_rate(e: Estimate) -> str:
    """Return a rate with its interval.

    Example:
        >>> format_rate(Estimate(0.423, 0.419, 0.427, 9000))
        '42.3 % (41.9 .. 42.7)'
    """
    return f"{format_percent(e)} ({format_percent_interval(e)})"


# Differences of rates, in percentage points


def format_points(e: Estimate, decimals: int | None = None) -> str:
    """Return a difference of rates in points.

    Example:
        >>> format_points(Estimate(0.032, 0.028, 0.036, 9000))
        '+3.2'
    """
    if not isfinite(e.value):
        return UNKNOWN
    return format_signed(100 * e.value, _get_decimals(e, "points", decimals))


def format_points_interval(e: Estimate, decimals: int | None = None) -> str:
    """Return the interval of a difference of rates in points.

    Example:
        >>> format_points_interval(Estimate(0.032, 0.028, 0.036, 9000))
        '+2.8 .. +3.6'
    """
    if not isfinite(e.half_width):
        return UNKNOWN
    d = _get_decimals(e, "points", decimals)
    return _format_signed_interval(100 * e.low, 100 * e.high, d)


# Means


def format_number(e: Estimate, decimals: int | None = None) -> str:
    """Return a mean.

    Example:
        >>> format_number(Estimate(14.3, 14.1, 14.5, 9000))
        '14.3'
    """
    if not isfinite(e.value):
        return UNKNOWN
    return f"{e.value:.{_get_decimals(e, 'mean', decimals)}f}".replace("-", MINUS)


def format_number_interval(e: Estimate, decimals: int | None = None) -> str:
    """Return the interval of a mean.

    Example:
        >>> format_number_interval(Estimate(14.3, 14.1, 14.5, 9000))
        '14.1 .. 14.5'
    """
    if not isfinite(e.half_width):
        return "one game only" if e.n == 1 else UNKNOWN
    d = _get_decimals(e, "mean", decimals)
    return _format_interval(e.low, e.high, d).replace("-", MINUS)


# Differences of means


def format_change(e: Estimate, decimals: int | None = None) -> str:
    """Return a difference of means.

    Example:
        >>> format_change(Estimate(1.2, 1.0, 1.4, 9000))
        '+1.2'
    """
    if not isfinite(e.value):
        return UNKNOWN
    return format_signed(e.value, _get_decimals(e, "change", decimals))


def format_change_interval(e: Estimate, decimals: int | None = None) -> str:
    """Return the interval of a difference of means.

    Example:
        >>> format_change_interval(Estimate(1.2, 1.0, 1.4, 9000))
        '+1.0 .. +1.4'
    """
    if not isfinite(e.half_width):
        return UNKNOWN
    d = _get_decimals(e, "change", decimals)
    return _format_signed_interval(e.low, e.high, d)


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


def format_with_interval(e: Estimate, kind: str, decimals: int | None = None) -> str:
    """Return a value with its interval.

    Args:
        e: The estimate.
        kind: A key of `VALUE_FORMATTERS`.
        decimals: Number of decimals; by default what the interval supports.

    Example:
        >>> format_with_interval(Estimate(0.423, 0.419, 0.427, 9000), "rate")
        '42.3 % (41.9 .. 42.7)'
    """
    if isnan(e.value) and isnan(e.half_width):
        return UNKNOWN
    return f"{VALUE_FORMATTERS[kind](e, decimals)} ({INTERVAL_FORMATTERS[kind](e, decimals)})"


# Shares without an estimate


def format_share(share: float, decimals: int | None = None) -> str:
    """Return a share in percent.

    Args:
        share: The share.
        decimals: Number of decimals; by default 2 below 10 % and above 90 %, else 1.

    Example:
        >>> format_share(0.423), format_share(0.0423)
        ('42.3 %', '4.23 %')
    """
    if not isfinite(share):
        return UNKNOWN
    if decimals is None:
        decimals = 2 if share < 0.1 or share > 0.9 else 1
    return f"{100 * share:.{decimals}f} %"


def format_share_interval(
    share: float, low: float, high: float, decimals: int | None = None
) -> str:
    """Return a share and its interval in percent.

    Args:
        share: The share.
        low: Lower end of the interval.
        high: Upper end of the interval.
        decimals: Number of decimals; by default 2 for intervals narrower than 2 points, else 1.

    Example:
        >>> format_share_interval(0.423, 0.411, 0.435)
        '42.3 % (41.1 .. 43.5)'
    """
    if not isfinite(high - low):
        return UNKNOWN
    d = decimals
    if d is None:
        d = 2 if high - low < 0.02 else 1
    return f"{format_share(share, d)} ({_format_interval(100 * low, 100 * high, d)})"
