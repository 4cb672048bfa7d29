"""What a change does to whom: by level of play, and before and after players have adapted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.result import out
from hardmode.reports.page.model import Column
from hardmode.reports.page.model import Table as Told
from hardmode.studies.comparison.adapt import A, Adapted, B
from hardmode.studies.comparison.levels import Levels
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import rate, with_interval

MOST_WEIGHTS = 5


CHANGE = "win rate, B - A, % points"  # a game may have points of its own


def show(each: Sequence[Levels], taught: Adapted | None) -> None:
    for one in each:
        _levels(one)
    if taught:
        _adapted(taught)


def _levels(found: Levels) -> None:
    table = Table(header_style="bold", title="by level of play", title_justify="left")
    for head in ("who", "slips", "games", "A wins", "B wins", CHANGE, "B is"):
        table.add_column(head, justify="left" if head in ("who", "B is") else "right")
    for level in found.levels:
        c = level.comparison
        table.add_row(
            escape(level.name),
            f"{100 * level.slips:g} %",
            f"{c.games:,}",
            rate(c.win_rate(False)),
            rate(c.win_rate(True)),
            with_interval(level.difference, "points"),
            level.says,
        )
    out.print(table)
    out.print(f"B is {found.verdict}")
    if found.along:
        out.print(found.along)
    for why in found.left_out:
        out.print(f"[dim]left out: {escape(why)}[/dim]")
    out.print(
        "[dim]the intervals of all levels hold together; levels compare variants of one game, not games[/dim]"
    )


def _adapted(found: Adapted) -> None:
    table = Table(header_style="bold", title="before and after adapting", title_justify="left")
    for head in ("rules", "played by those trained for A", "for B"):
        table.add_column(head)
    for name, rules in (("A", A), ("B", B)):
        table.add_row(name, rate(found.rate(rules, A)), rate(found.rate(rules, B)))
    out.print(table)
    for what, effect in (
        ("direct effect", found.direct),
        ("adapting gives back", found.back),
        ("effect after adapting", found.after),
    ):
        out.print(f"{what}: {with_interval(effect, 'points')} points")
    moved = [m for m in found.moved if m.share][:MOST_WEIGHTS]
    if moved:
        out.print(
            "moved most: "
            + ", ".join(f"{escape(m.weight)} {m.a:.4g} for A, {m.b:.4g} for B" for m in moved)
        )
    spread = (
        f"{found.repeats} trainings for each"
        if found.repeats > 1
        else "one player for each: how far another training would end elsewhere is not in the intervals"
    )
    out.print(f"[dim]{found.games:,} games in each cell of the table; {spread}[/dim]")


def tables(each: Sequence[Levels], taught: Adapted | None) -> list[Told]:
    """The same as tables for files."""
    rows = [
        {
            "cell": level.comparison.a.label_text or "all games",
            "who": level.name,
            "slips": f"{100 * level.slips:g} %",
            "games": level.comparison.games,
            "a": level.comparison.win_rate(False),
            "b": level.comparison.win_rate(True),
            "change": level.difference,
            "says": level.says,
        }
        for one in each
        for level in one.levels
    ]
    made = [
        Told(
            "levels",
            "By level of play",
            [
                Column("cell", "cell"),
                Column("who", "who"),
                Column("slips", "slips"),
                Column("games", "games", "count"),
                Column("a", "A wins", "rate"),
                Column("b", "B wins", "rate"),
                Column("change", CHANGE, "points"),
                Column("says", "B is"),
            ],
            rows,
        )
    ]
    return [*made, *_adapted_tables(taught)] if taught else made


def _adapted_tables(found: Adapted) -> list[Told]:
    effects = {
        "direct effect": found.direct,
        "adapting gives back": found.back,
        "effect after adapting": found.after,
    }
    return [
        Told(
            "adapted",
            "Before and after adapting",
            [
                Column("rules", "rules"),
                Column("a", "played by those trained for A", "rate"),
                Column("b", "for B", "rate"),
            ],
            [
                {"rules": name, "a": found.rate(rules, A), "b": found.rate(rules, B)}
                for name, rules in (("A", A), ("B", B))
            ],
        ),
        Told(
            "effects",
            "What adapting does",
            [Column("what", "what"), Column("effect", CHANGE, "points")],
            [{"what": what, "effect": effect} for what, effect in effects.items()],
        ),
    ]


def levels_dict(found: Levels) -> dict[str, Any]:
    return {
        "levels": [
            {
                "name": level.name,
                "slips": level.slips,
                "games": level.comparison.games,
                "difference": level.difference.value,
                "low": level.difference.low,
                "high": level.difference.high,
                "says": level.says,
            }
            for level in found.levels
        ],
        "verdict": found.verdict,
        "along_slips": found.along,
        "left_out": found.left_out,
    }


def adapt_dict(found: Adapted) -> dict[str, Any]:
    return {
        "direct": _estimate(found.direct),
        "back": _estimate(found.back),
        "after": _estimate(found.after),
        "cells": [
            {"rules": "ab"[rules], "trained_for": "ab"[side], **_estimate(found.rate(rules, side))}
            for rules in (A, B)
            for side in (A, B)
        ],
        "games": found.games,
        "repeats": found.repeats,
        "weights": [{"name": m.weight, "a": m.a, "b": m.b, "moved": m.share} for m in found.moved],
        "trainings": [{"a": one.weights, "b": other.weights} for one, other in found.trainings],
    }


def _estimate(e: Estimate) -> dict[str, float]:
    return {"value": e.value, "low": e.low, "high": e.high}
