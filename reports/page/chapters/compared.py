"""A comparison as a chapter of the page: what the change does, how sure that is, where it bites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.examples import told_game
from hardmode.reports.page.model import Brief, Chapter, Column, Section, Table, ToldGame
from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import yaml_text
from hardmode.sim.replay import story
from hardmode.studies.comparison.compare import Comparison, Parting, examples, side_text
from hardmode.studies.core.run import engine
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import mcnemar

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
        f"{wording.path(p, 2)} {yaml_text(b.values.get(p))} instead of {yaml_text(a.values.get(p))}"
        for p in paths
    ]
    who = [", ".join(dict.fromkeys(map(str, side.strategies))) for side in (a, b)]
    told += [f"played by {who[1]} instead of {who[0]}"] if who[0] != who[1] else []
    if not told or len(told) > MOST_DIFFERENCES or a.own != b.own:
        return f"{side_text(a)} against {side_text(b)}"
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
    if c.same_rows == c.games:
        return f"{where}no game differs in {wording.games(c.games)}."
    d = c.difference
    by = formatting.with_interval(d, "points")
    change = (
        f"{where}B changes the win rate by {by} points: of {c.games:,} games, {c.gained:,} are newly won and "
        f"{c.lost:,} newly lost."
    )
    if c.settled:
        return (
            f"{change} That is settled. To see as much 9 times in 10 takes {c.pairs_enough():,} games under both, "
            f"or {c.unpaired_games():,} a side without the same luck."
        )
    more = c.more_games()
    would = f"; about {wording.roughly(more)} more games would settle it" if more else ""
    return f"{change} That is not settled{would}."


def _facts(found: Sequence[Comparison]) -> list[tuple[str, str, str]]:
    c = found[0]
    d = c.difference
    where = _where(c) if len(found) > 1 else "points of win rate"
    return [
        ("B minus A", formatting.points(d), f"{formatting.points_span(d)}, {where}"),
        (
            "games that flip",
            f"{c.gained + c.lost:,}",
            f"{c.gained:,} newly won, {c.lost:,} newly lost",
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
                "gained": c.gained,
                "lost": c.lost,
                "length": c.mean_change(c.length),
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
    by = formatting.with_interval(moved["change"], "points")
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
        for row in c.ledger(gained)
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
    laid = sum(len(c.partings) for c in found)
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
    stories = [made for p in examples(c) for made in _both_sides(c, p)]
    if not stories:
        return None
    return Section(
        "flips",
        "Flipped games, side by side",
        ["These games part at the commonest places; each is told under A, then under B."],
        stories=stories,
    )


def _both_sides(c: Comparison, p: Parting) -> list[ToldGame]:
    flip = f"newly {'won' if p.gained else 'lost'} under B, parts at {p.source}"
    return [
        told_game(
            cell,
            story(engine(cell), c.seed, p.game),
            f"Game {p.game} under {name}: {flip}",
            scenario,
            _sets(cell),
            MOST_LINES,
        )
        for name, cell, scenario in (("A", c.a, c.names[0]), ("B", c.b, c.names[1]))
    ]


def _sets(cell: Variant) -> dict[str, object]:
    return {path: new for path, (_, new) in cell.changed.items()}


def _again(c: Comparison) -> Section:
    level = f"Intervals hold at {100 * c.confidence:g} %" + (
        " for all cells together" if c.cells > 1 else ""
    )
    return Section(
        "sure",
        "How sure is that?",
        [
            f"{level}. The difference is paired (Newcombe's method 10): both sides play the same games of seed {c.seed}, "
            f"and only those that end otherwise count. McNemar's exact test gives p = {mcnemar(c.gained, c.lost):.3g}."
        ],
        brief=Brief(1),
    )
