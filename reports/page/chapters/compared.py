"""A comparison as a chapter of the page: what the change does, how sure that is, where it bites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.examples import told_game
from hardmode.reports.page.model import Brief, Chapter, Column, Section, Table, ToldGame
from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.replay import story
from hardmode.studies.comparison.compare import (
    Comparison,
    Divergence,
    describe_side,
    example_divergences,
)
from hardmode.studies.core.run import make_engine
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import mcnemar_p_value

MOST_LINES = 120  # of one side of a flipped game
MOST_DIFFERENCES = 4  # that a title names


def chapter(found: Sequence[Comparison]) -> Chapter:
    """The chapter on A against B, in each cell of a grid."""
    first = found[0]
    title = differs(first.a, first.b)
    sections = [
        _difference(found),
        _endings(found),
        _ledger(found),
        _examples(found[0]),
        _again(first),
    ]
    return Chapter(
        f"{first.a.game.name} compared",
        first.game.title,
        title,
        "The same games were played under both, on the same luck: A first, B second.",
        [verdict(c) for c in found[:4]],
        _facts(found),
        [s for s in sections if s],
    )


def _where(c: Comparison) -> str:
    """The cell of a grid, as a reader has it."""
    return c.a.label_text.replace("_", " ")


def _cells(found: Sequence[Comparison]) -> list[Column]:
    """The column that says which variant it is, where there are several."""
    return [Column("cell", "variant")] if len(found) > 1 else []


def differs(a: Variant, b: Variant) -> str:
    """What B has otherwise than A; both in full where they are different games to set up."""
    paths = [
        p
        for p in dict.fromkeys([*a.values, *b.values])
        if a.values.get(p) != b.values.get(p) and p not in a.label
    ]
    told = [
        f"{wording.path(p, 2)} {format_yaml_value(b.values.get(p))} instead of {format_yaml_value(a.values.get(p))}"
        for p in paths
    ]
    who = [", ".join(dict.fromkeys(map(str, side.strategies))) for side in (a, b)]
    told += [f"played by {who[1]} instead of {who[0]}"] if who[0] != who[1] else []
    if not told or len(told) > MOST_DIFFERENCES or a.overlay != b.overlay:
        return f"{describe_side(a)} against {describe_side(b)}"
    return f"{a.title}: {wording.listed(told)}"


def tables(found: Sequence[Comparison]) -> list[Table]:
    """The tables of a comparison, without what surrounds them on the page."""
    return [
        t
        for section in (_difference(found), _endings(found), _ledger(found))
        if section
        for t in section.tables
    ]


def verdict(c: Comparison) -> str:
    """One sentence: what the change does, and whether that is settled."""
    where = f"{_where(c)}: " if c.a.label else ""
    if c.identical_games == c.games:
        return f"{where}no game differs in {wording.games(c.games)}."
    d = c.difference
    by = formatting.format_with_interval(d, "points")
    change = (
        f"{where}B changes the win rate by {by} points: of {c.games:,} games, {c.wins_gained:,} are newly won and "
        f"{c.wins_lost:,} newly lost."
    )
    if c.is_settled:
        return (
            f"{change} That is settled. To see as much 9 times in 10 takes {c.pairs_needed():,} games under both, "
            f"or {c.unpaired_games_needed():,} a side without the same luck."
        )
    more = c.further_games_needed()
    would = f"; about {wording.roughly(more)} more games would settle it" if more else ""
    return f"{change} That is not settled{would}."


def _facts(found: Sequence[Comparison]) -> list[tuple[str, str, str]]:
    c = found[0]
    d = c.difference
    where = _where(c) if len(found) > 1 else "points of win rate"
    return [
        ("B minus A", formatting.format_points(d), f"{formatting.format_points_interval(d)}, {where}"),
        (
            "games that flip",
            f"{c.wins_gained + c.wins_lost:,}",
            f"{c.wins_gained:,} newly won, {c.wins_lost:,} newly lost",
        ),
        (
            "games under both",
            f"{sum(x.games for x in found):,}",
            f"{len(found)} comparison{'s'[: len(found) > 1]}",
        ),
    ]


def _difference(found: Sequence[Comparison]) -> Section:
    rows = [{"label": _where(c) or "all games", "estimate": c.difference} for c in found]
    figure = model.dots(
        "difference", "What B changes", rows, "points", "change of the win rate, points", mark=0
    )
    unit = found[0].game.unit
    columns = [
        *_cells(found),
        Column("games", "games", "count"),
        Column("a", "A wins", "rate"),
        Column("b", "B wins", "rate"),
        Column("change", "B minus A, points", "points"),
        Column("gained", "newly won", "count"),
        Column("lost", "newly lost", "count"),
        Column("length", unit, "change"),
    ]
    table = Table(
        "difference",
        "A and B on the same games",
        columns,
        [
            {
                "cell": _where(c) or "all games",
                "games": c.games,
                "a": c.win_rate(False),
                "b": c.win_rate(True),
                "change": c.difference,
                "gained": c.wins_gained,
                "lost": c.wins_lost,
                "length": c.mean_change(c.length_sums),
            }
            for c in found
        ],
        note="The intervals hold for all rows together." if len(found) > 1 else "",
    )
    return Section(
        "difference",
        "What does the change do?",
        [verdict(c) for c in found] if len(found) > 1 else [],
        [figure],
        [table],
        brief=Brief(4, ["difference"]),
    )


def _endings(found: Sequence[Comparison]) -> Section:
    columns = [
        *_cells(found),
        Column("ending", "ending"),
        Column("a", "under A", "count"),
        Column("b", "under B", "count"),
        Column("change", "change, points", "points"),
    ]
    rows: list[dict[str, Any]] = [
        {"cell": _where(c) or "all games", "ending": name, "a": a, "b": b, "change": change}
        for c in found
        for name, change, a, b in c.ending_changes()
    ]
    moved = max(rows, key=lambda r: abs(r["change"].value))
    where = f" with {moved['cell']}" if len(found) > 1 else ""
    by = formatting.format_with_interval(moved["change"], "points")
    told = f"“{moved['ending']}” moves most{where}: {by} points, from {moved['a']:,} to {moved['b']:,} games."
    return Section(
        "endings",
        "How do games end otherwise?",
        [told],
        tables=[Table("ending-changes", "Every ending under both", columns, rows)],
        brief=Brief(1),
    )


def _ledger(found: Sequence[Comparison]) -> Section | None:
    rows = [
        {
            "cell": _where(c) or "all games",
            "flip": f"newly {'won' if gained else 'lost'}",
            "source": row["source"],
            "round": row["round"],
            "flips": row["flips"],
            "share": f"{100 * row['share']:.0f} %",
        }
        for c in found
        for gained in (False, True)
        for row in c.divergence_table(gained)
    ]
    if not rows:
        return None
    unit = found[0].game.unit.rstrip("s")
    columns = [
        *_cells(found),
        Column("flip", "flip"),
        Column("source", "histories part at"),
        Column("round", unit, "count"),
        Column("flips", "games", "count"),
        Column("share", "of these flips"),
    ]
    laid = sum(len(c.divergences) for c in found)
    how = (
        f"For {laid:,} flipped games both histories were laid side by side. What counts is the first draw or "
        "decision in which they differ: where the change begins to bite, which need not be what decides the game."
    )
    return Section(
        "ledger",
        "Where do the histories part?",
        [how],
        tables=[Table("ledger", "The flip ledger", columns, rows)],
        brief=Brief(1),
    )


def _examples(c: Comparison) -> Section | None:
    stories = [made for p in example_divergences(c) for made in _both_sides(c, p)]
    if not stories:
        return None
    return Section(
        "flips",
        "Flipped games, side by side",
        ["These games part at the commonest places; each is told under A, then under B."],
        stories=stories,
    )


def _both_sides(c: Comparison, p: Divergence) -> list[ToldGame]:
    flip = f"newly {'won' if p.gained else 'lost'} under B, parts at {p.source}"
    return [
        told_game(
            cell,
            story(make_engine(cell), c.seed, p.game),
            f"Game {p.game} under {name}: {flip}",
            scenario,
            _sets(cell),
            MOST_LINES,
        )
        for name, cell, scenario in (("A", c.a, c.names[0]), ("B", c.b, c.names[1]))
    ]


def _sets(cell: Variant) -> dict[str, object]:
    return {path: new for path, (_, new) in cell.changed_values.items()}


def _again(c: Comparison) -> Section:
    level = f"Intervals hold at {100 * c.confidence:g} %" + (
        " for all cells together" if c.n_cells > 1 else ""
    )
    return Section(
        "sure",
        "How sure is that?",
        [
            f"{level}. The difference is paired (Newcombe's method 10): both sides play the same games of seed {c.seed}, "
            f"and only those that end otherwise count. McNemar's exact test gives p = {mcnemar_p_value(c.wins_gained, c.wins_lost):.3g}."
        ],
        brief=Brief(1),
    )
