"""Estimates in a column of a table: all of them with the same number of decimals."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import UNKNOWN, choose_decimals, format_signed

PERCENT_KINDS = ("rate", "points")  # printed as hundredths
SIGNED_KINDS = ("points", "change")  # differences


def format_estimates(
    estimates: Sequence[Estimate | None],
    kind: str,
    *,
    interval: bool = True,
    empty: str = "",
    min_decimals: int = 0,
) -> list[str]:
    """Return estimates with their intervals, with the decimals that the narrowest one supports.

    Args:
        estimates: The column; None stands for an empty cell.
        kind: A key of `formatting.VALUE_FORMATTERS`.
        interval: Print the intervals too.
        empty: The text that stands for None.
        min_decimals: Smallest number of decimals.

    Returns:
        A text for each estimate.
    """
    decimals = max(min_decimals, choose_column_decimals(estimates, kind))
    texts = []
    for estimate in estimates:
        if estimate is None:
            texts.append(empty)
        else:
            texts.append(_format_estimate(estimate, kind, decimals, interval))
    return texts


def choose_column_decimals(estimates: Sequence[Estimate | None], kind: str) -> int:
    """Return the number of decimals that the narrowest of the estimates supports."""
    scale = 100 if kind in PERCENT_KINDS else 1
    finite = [e for e in estimates if e is not None and isfinite(e.value)]
    return max((_choose_decimals(e, scale) for e in finite), default=0)


def _choose_decimals(estimate: Estimate, scale: int) -> int:
    if estimate.half_width == 0:  # such as a median; its decimals say nothing about its precision
        return 0 if float(scale * estimate.value).is_integer() else 1
    return choose_decimals(scale * estimate.half_width)


def _format_estimate(estimate: Estimate, kind: str, decimals: int, interval: bool) -> str:
    if not isfinite(estimate.value):
        return UNKNOWN
    scale = 100 if kind in PERCENT_KINDS else 1
    numbers = [scale * x for x in (estimate.value, estimate.low, estimate.high)]
    if kind in SIGNED_KINDS:
        value, low, high = (format_signed(x, decimals) for x in numbers)
    else:
        value, low, high = (f"{x:.{decimals}f}" for x in numbers)
    if kind == "rate":
        value += " %"
    if not interval:
        return value
    if not isfinite(estimate.half_width):
        return f"{value} (one game only)" if estimate.n == 1 else f"{value} ({UNKNOWN})"
    return f"{value} ({low} .. {high})"
