"""Expectations as scenarios write them: ranges of rates and amounts, and orders of cells.

40% .. 55%    > 60%    <= 5%        ranges of rates
6 .. 9        < 12                  ranges of means and quantiles
easy > classic > hard               an order of cells by their win rates
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from hardmode.sim.files.text import DIGITS_PATTERN, shorten_value

FIGURE = rf"[-+]?(?:{DIGITS_PATTERN}(?:\.[0-9]+)?|\.[0-9]+)\s*%?"
BETWEEN = re.compile(rf"({FIGURE})\s*(?:\.\.|…|–)\s*({FIGURE})")
BEYOND = re.compile(rf"(>=|<=|>|<|≥|≤)\s*({FIGURE})")
RATE_FORMS = "40% .. 55%, > 60%, >= 60%, < 5% or <= 5%"
NUMBER_FORMS = "6 .. 9, > 6, >= 6, < 9 or <= 9"
QUANTILE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*%")


@dataclass(frozen=True)
class ExpectedRange:
    """A range of values that a scenario expects.

    Attributes:
        low: The lower end; a rate is a fraction, so 40% is 0.4.
        high: The upper end.
        strict: True if the ends lie outside.
        text: The range as it was written.
    """

    low: float
    high: float
    strict: bool = False
    text: str = ""

    def __contains__(self, value: float) -> bool:
        if self.strict:
            return self.low < value < self.high
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ExpectedAmounts:
    """The expected mean and quantiles of rounds or scores.

    Attributes:
        mean: The range of the mean.
        quantiles: Shares of games, such as 0.5 for the median, and the range of each.
        within: The least and the greatest possible value, where the author knows them.
    """

    mean: ExpectedRange | None = None
    quantiles: tuple[tuple[float, ExpectedRange], ...] = ()
    within: ExpectedRange | None = None


@dataclass(frozen=True)
class ExpectedOrder:
    """Cells of a sweep along one path, from the highest win rate to the lowest.

    Attributes:
        values: The values of the path.
        path: The path; "" for the one that has these values.
        strict: True if no two win rates may be equal.
    """

    values: tuple[str, ...]
    path: str = ""
    strict: bool = True

    def __str__(self) -> str:
        order = (" > " if self.strict else " >= ").join(self.values)
        return f"{self.path}: {order}" if self.path else order


def parse_rate(written: Any) -> ExpectedRange:
    """Return the range of a rate, which is written in per cent or as fractions.

    Raises:
        ValueError: It is no range, or reaches beyond 0% or 100%.

    Example:
        >>> parse_rate("40% .. 55%")
        ExpectedRange(low=0.4, high=0.55, strict=False, text='40% .. 55%')
    """
    expected = _parse_range(written, RATE_FORMS)
    for end in (expected.low, expected.high):
        if math.isfinite(end) and not 0 <= end <= 1:
            lacks_sign = 1 < end <= 100 and "%" not in str(written)
            hint = f"; {end:g}% is written with its sign" if lacks_sign else ""
            raise ValueError(f"a rate lies between 0% and 100%{hint}")
    return expected


def parse_amount(written: Any) -> ExpectedRange:
    """Return the range of a mean or a quantile, which is written in plain numbers.

    Raises:
        ValueError: It is no range, or one of rates.
    """
    if isinstance(written, str) and "%" in written:
        raise ValueError(f"is a number, not a rate; write {NUMBER_FORMS}")
    return _parse_range(written, NUMBER_FORMS)


def parse_amounts(written: Any) -> ExpectedAmounts:
    """Return the expected amounts: a range of the mean, or a mapping.

    Raises:
        ValueError: A range is invalid, or nothing is expected.

    Example:
        >>> parse_amounts({"mean": "6 .. 9", "median": "6 .. 8", "90%": "<= 12"})
    """
    if not isinstance(written, dict):
        return ExpectedAmounts(parse_amount(written))
    ranges = {str(key): parse_amount(value) for key, value in written.items()}
    mean = ranges.pop("mean", None)
    within = ranges.pop("within", None)
    if within and not math.isfinite(within.high - within.low):
        raise ValueError("within has two ends: the least and the most there can be, as in 0 .. 200")
    quantiles = []
    for key, expected in ranges.items():
        quantile = _parse_quantile(key)
        quantiles.append((quantile, _round_inward(expected)))
    if not mean and not quantiles:
        raise ValueError("expects nothing; give a mean, a median, or a share of games such as 90%")
    return ExpectedAmounts(mean, tuple(quantiles), within)


def _parse_quantile(key: str) -> float:
    if key == "median":
        return 0.5
    match = QUANTILE.fullmatch(key)
    quantile = float(match[1]) / 100 if match else 0.0
    if not 0 < quantile < 1:
        raise ValueError(
            f"{key!r} is none of mean, median, within, or a share of games such as 90%"
        )
    return quantile


def _round_inward(expected: ExpectedRange) -> ExpectedRange:
    """Return a range of whole numbers that includes its ends: < 9 is 8 or less."""
    if not expected.strict:
        return expected
    low, high = expected.low, expected.high
    if math.isfinite(low):
        low = math.floor(low) + 1
    if math.isfinite(high):
        high = math.ceil(high) - 1
    return ExpectedRange(low, high, False, expected.text)


def _parse_range(written: Any, forms: str) -> ExpectedRange:
    text = written.strip() if isinstance(written, str) else ""
    between, beyond = BETWEEN.fullmatch(text), BEYOND.fullmatch(text)
    if between:
        low, high = _parse_figure(between[1]), _parse_figure(between[2])
        if between[2].endswith("%") and not between[1].endswith("%"):  # 40 .. 55%
            low /= 100
        if low > high:
            raise ValueError(f"the band {text} is empty: its low end is above its high end")
        return ExpectedRange(low, high, False, text)
    if beyond:
        sign, end = beyond[1], _parse_figure(beyond[2])
        if sign in (">", ">=", "≥"):
            return ExpectedRange(end, math.inf, sign == ">", text)
        return ExpectedRange(-math.inf, end, sign == "<", text)
    raise ValueError(f"{shorten_value(written)} is not a band; write {forms}")


def _parse_figure(text: str) -> float:
    value = float(text.replace("_", "").rstrip("% \t"))
    if not math.isfinite(value):
        raise ValueError("is too large a number")
    return value / 100 if text.endswith("%") else value


def parse_order(written: Any) -> ExpectedOrder:
    """Return an order of cells: `easy > classic > hard`, or {path: ..., order: ...}.

    Raises:
        ValueError: It is no order, or names a value twice.
    """
    path = ""
    if isinstance(written, dict):
        if set(written) != {"path", "order"} or not isinstance(written["path"], str):
            raise ValueError(
                "an order with its path is written {path: setup.boss, order: easy > hard}"
            )
        path, written = written["path"], written["order"]
    if not isinstance(written, str):
        raise ValueError("an order is written like easy > classic > hard")
    signs = set(re.findall(r"[<>]=?", written))
    values = tuple(part.strip() for part in re.split(r"[<>]=?", written))
    if len(signs) != 1 or not all(values):
        raise ValueError(
            f"{written!r} is not an order; write it like easy > classic > hard, all signs alike"
        )
    if len(set(values)) < len(values):
        raise ValueError(f"{written!r} names a value twice")
    [sign] = signs
    return ExpectedOrder(values if sign[0] == ">" else values[::-1], path, strict="=" not in sign)


def parse_orders(written: Any) -> list[ExpectedOrder]:
    """Return one or several orders as a list.

    Raises:
        ValueError: One of them is invalid.
    """
    if isinstance(written, list):
        return [parse_order(item) for item in written]
    return [parse_order(written)]
