"""How a report says things: names of strategies, paths, values and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.scenarios.labels import format_label_value
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.scenarios.variant import Variant

WHO = {
    "random": "Players who choose at random",
    "beginner": "Beginners",
    "steady": "Steady players",
    "trained": "Trained players",
    "expert": "Experts",
}


PLAYED = {
    "random": "players who choose at random",
    "beginner": "beginners",
    "steady": "steady players",
    "trained": "trained players",
    "expert": "experts",
}


def games(n: int) -> str:
    return f"{n:,} game{'s' if n != 1 else ''}"


def by(cell: Variant) -> str:
    """Those by whom a study was played, and with which box if it is one's own."""
    who = [PLAYED.get(name, f"“{name}”") for name in dict.fromkeys(map(str, cell.strategies))]
    return listed(who) + cell.overlay_suffix


def of_100(share: float) -> str:
    """So many of 100 games; at the ends in words, since nothing is certain there."""
    return (
        "fewer than 1"
        if share < 0.005
        else "more than 99"
        if share > 0.995
        else f"{100 * share:.0f}"
    )


def roughly(n: int) -> str:
    """So many in two figures: 340, 12,000, 2.2 million"""
    near = round(n, 2 - len(str(n)))
    for power, word in ((10**9, "billion"), (10**6, "million")):
        if near >= power:
            return (
                f"{near / power:,.3g} {word}"
                if near < 1000 * power
                else f"{near // power:,} {word}"
            )
    return f"{near:,}"


def number_of(n: int, thing: str) -> str:
    """Three games; 12 games"""
    return f"{('No', 'One', 'Two', 'Three')[n] if n < 4 else n} {thing}{'s' if n != 1 else ''}"


def listed(names: Sequence[str]) -> str:
    """a, b and c"""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def between(low: int, high: int, unit: str = "") -> str:
    """between 4 and 6 rounds; exactly 4 rounds"""
    span = f"exactly {low}" if low == high else f"between {low} and {high}"
    return f"{span} {unit}".rstrip()


def players(strategy: str) -> str:
    """Who plays so, as the subject of a sentence."""
    return WHO.get(strategy, f"Players who follow “{strategy}”")


def path(name: str, parts: int = 1) -> str:
    """The last words of a path: `setup.forest_kind` is forest kind."""
    return " ".join(name.split(".")[-parts:]).replace("_", " ")


def value(x: Any) -> str:
    """A value of a choice at set-up."""
    return ("yes" if x else "no") if isinstance(x, bool) else format_label_value(x).replace("_", " ")


def cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def span(leaf: Parameter) -> str:
    """The values that a number may take, or plausibly takes."""
    if leaf.choices:
        return ", ".join(map(format_yaml_value, leaf.choices))
    if leaf.range:
        return f"{format_yaml_value(leaf.range[0])} to {format_yaml_value(leaf.range[1])}"
    ends = {"from": leaf.min, "to": leaf.max}
    return " ".join(f"{word} {format_yaml_value(end)}" for word, end in ends.items() if end is not None)
