"""What a scenario is held to, as written: bands such as `40% .. 55%` or `> 60%` of rates, means and quantiles, and
orders of cells."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from hardmode.sim.files.text import DIGITS, brief

FIGURE = rf"[-+]?(?:{DIGITS}(?:\.[0-9]+)?|\.[0-9]+)\s*%?"
BETWEEN = re.compile(rf"({FIGURE})\s*(?:\.\.|…|–)\s*({FIGURE})")
BEYOND = re.compile(rf"(>=|<=|>|<|≥|≤)\s*({FIGURE})")
FORMS = "40% .. 55%, > 60%, >= 60%, < 5% or <= 5%"
NUMBER_FORMS = "6 .. 9, > 6, >= 6, < 9 or <= 9"
SHARE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*%")


@dataclass(frozen=True)
class Band:
    """From low to high, both inside unless `strict`. Rates are fractions: 40% is 0.4."""

    low: float
    high: float
    strict: bool = False
    text: str = ""

    def __contains__(self, value: float) -> bool:
        return self.low < value < self.high if self.strict else self.low <= value <= self.high

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Amounts:
    """What is expected of rounds or scores: of their mean, and of quantiles (0.5 is the median).

    `within`: the least and the most there can be, where the writer knows it.
    """

    mean: Band | None = None
    quantiles: tuple[tuple[float, Band], ...] = ()
    within: Band | None = None


@dataclass(frozen=True)
class Order:
    """Cells of a sweep along one path, from the greatest win rate to the least."""

    values: tuple[str, ...]
    path: str = ""
    strict: bool = True  # `>`, not `>=`

    def __str__(self) -> str:
        order = (" > " if self.strict else " >= ").join(self.values)
        return f"{self.path}: {order}" if self.path else order


def rate(text: Any) -> Band:
    """The band of a rate, in per cent or as fractions."""
    band = _band(text, FORMS)
    for end in (band.low, band.high):
        if math.isfinite(end) and not 0 <= end <= 1:
            hint = (
                f"; {end:g}% is written with its sign"
                if 1 < end <= 100 and "%" not in str(text)
                else ""
            )
            raise ValueError(f"a rate lies between 0% and 100%{hint}")
    return band


def amount(text: Any) -> Band:
    """The band of a mean: plain numbers."""
    if isinstance(text, str) and "%" in text:
        raise ValueError(f"is a number, not a rate; write {NUMBER_FORMS}")
    return _band(text, NUMBER_FORMS)


def amounts(written: Any) -> Amounts:
    """A band of the mean; or `{mean: 6 .. 9, median: 6 .. 8, 90%: <= 12, within: 1 .. 40}`."""
    if not isinstance(written, dict):
        return Amounts(amount(written))
    bands = {str(key): amount(text) for key, text in written.items()}
    mean, within = bands.pop("mean", None), bands.pop("within", None)
    if within and not (math.isfinite(within.low) and math.isfinite(within.high)):
        raise ValueError("within has two ends: the least and the most there can be, as in 0 .. 200")
    quantiles = tuple((_quantile(key), _whole(band)) for key, band in bands.items())
    if not mean and not quantiles:
        raise ValueError("expects nothing; give a mean, a median, or a share of games such as 90%")
    return Amounts(mean, quantiles, within)


def _quantile(key: str) -> float:
    share = SHARE.fullmatch(key)
    q = 0.5 if key == "median" else float(share[1]) / 100 if share else 0.0
    if not 0 < q < 1:
        raise ValueError(
            f"{key!r} is none of mean, median, within, or a share of games such as 90%"
        )
    return q


def _whole(band: Band) -> Band:
    """The band of a whole number, both ends inside: < 9 is 8 or less."""
    if not band.strict:
        return band
    return Band(
        math.floor(band.low) + 1 if math.isfinite(band.low) else band.low,
        math.ceil(band.high) - 1 if math.isfinite(band.high) else band.high,
        False,
        band.text,
    )


def _band(text: Any, forms: str) -> Band:
    between = BETWEEN.fullmatch(text.strip()) if isinstance(text, str) else None
    beyond = BEYOND.fullmatch(text.strip()) if isinstance(text, str) else None
    if between:
        low, high = _figure(between[1]), _figure(between[2])
        if between[2].endswith("%") and not between[1].endswith("%"):  # 40 .. 55%
            low /= 100
        if low > high:
            raise ValueError(f"the band {text.strip()} is empty: its low end is above its high end")
        return Band(low, high, False, text.strip())
    if beyond:
        sign, end = beyond[1], _figure(beyond[2])
        strict = sign in "<>"
        low, high = (end, math.inf) if sign in (">", ">=", "≥") else (-math.inf, end)
        return Band(low, high, strict, text.strip())
    raise ValueError(f"{brief(text)} is not a band; write {forms}")


def _figure(text: str) -> float:
    value = float(text.replace("_", "").rstrip("% \t"))
    if not math.isfinite(value):
        raise ValueError("is too large a number")
    return value / 100 if text.endswith("%") else value


def order(written: Any) -> Order:
    """`easy > classic > hard`, or with the path that has these values: {path: ..., order: ...}."""
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
    sign = signs.pop()
    return Order(values if sign[0] == ">" else values[::-1], path, strict="=" not in sign)


def orders(written: Any) -> list[Order]:
    return [order(one) for one in (written if isinstance(written, list) else [written])]
