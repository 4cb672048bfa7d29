"""A comparison as a chapter of the page: what the change does, how sure that is, where it bites."""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.reports import wording
from hardmode.reports.page import views
from hardmode.reports.page.chapters.examples import told_game
from hardmode.reports.page.views import Chapter, Column, Section, Table, ToldGame
from hardmode.scenarios.load import Variant
from hardmode.studies import estimate_text
from hardmode.studies.compare import Comparison, Parting, examples, side_text
from hardmode.studies.estimates import mcnemar

MOST_LINES = 120  # of one side of a flipped game


def chapter(found: Sequence[Comparison]) -> Chapter:
    """The chapter on A against B, in each cell of a grid."""
    first = found[0]
    title = f"{side_text(first.a)} against {side_text(first.b)}"
    sections = [_difference(found), _endings(found), _ledger(found), _examples(found[0]), _again(first)]
    return Chapter(f"{first.a.game.name} compared", first.game.title, title,
                   "The same games were played under both, on the same luck: A first, B second.",
                   [verdict(c) for c in found[:4]], _facts(found), [s for s in sections if s])


def tables(found: Sequence[Comparison]) -> list[Table]:
    """The tables of a comparison, without what surrounds them on the page."""
    return [t for section in (_difference(found), _endings(found), _ledger(found)) if section for t in section.tables]


def verdict(c: Comparison) -> str:
    """One sentence: what the change does, and whether that is settled."""
    where = f"{c.a.label_text}: " if c.a.label else ""
    if c.same_rows == c.games:
        return f"{where}no game differs in {wording.games(c.games)}."
    d = c.difference
    by = estimate_text.with_interval(d, "points")
    change = (f"{where}B changes the win rate by {by} points: of {c.games:,} games, {c.gained:,} are newly won and "
              f"{c.lost:,} newly lost.")
    if c.settled:
        return (f"{change} That is settled. To see as much 9 times in 10 takes {c.pairs_enough():,} games under both, "
                f"or {c.unpaired_games():,} a side without the same luck.")
    more = c.more_games()
    return f"{change} That is not settled" + (f"; about {more:,} more games would settle it." if more else ".")


def _facts(found: Sequence[Comparison]) -> list[tuple[str, str, str]]:
    c = found[0]
    d = c.difference
    where = c.a.label_text if len(found) > 1 else "points of win rate"
    return [("B minus A", estimate_text.points(d), f"{estimate_text.points_span(d)}, {where}"),
            ("games that flip", f"{c.gained + c.lost:,}", f"{c.gained:,} newly won, {c.lost:,} newly lost"),
            ("games under both", f"{sum(x.games for x in found):,}", f"{len(found)} comparison{'s'[:len(found) > 1]}")]


def _difference(found: Sequence[Comparison]) -> Section:
    rows = [{"label": c.a.label_text or "all games", "estimate": c.difference} for c in found]
    figure = views.dots("difference", "What B changes", rows, "points", "change of the win rate, points", mark=0)
    unit = found[0].game.unit
    columns = [Column("cell", "variant"), Column("games", "games", "count"), Column("a", "A wins", "rate"),
               Column("b", "B wins", "rate"), Column("change", "B minus A, points", "points"),
               Column("gained", "newly won", "count"), Column("lost", "newly lost", "count"),
               Column("length", unit, "change")]
    table = Table("difference", "A and B on the same games", columns, [
        {"cell": c.a.label_text or "all games", "games": c.games, "a": c.win_rate(False), "b": c.win_rate(True),
         "change": c.difference, "gained": c.gained, "lost": c.lost, "length": c.mean_change(c.length)}
        for c in found], note="The intervals hold for all rows together." if len(found) > 1 else "")
    return Section("difference", "What does the change do?", [verdict(c) for c in found] if len(found) > 1 else [],
                   [figure], [table])


def _endings(found: Sequence[Comparison]) -> Section:
    columns = [Column("cell", "variant"), Column("ending", "ending"), Column("a", "under A", "count"),
               Column("b", "under B", "count"), Column("change", "change, points", "points")]
    rows = [{"cell": c.a.label_text or "all games", "ending": name, "a": a, "b": b, "change": change}
            for c in found for name, change, a, b in c.ending_changes()]
    return Section("endings", "How do games end otherwise?", tables=[
        Table("ending-changes", "Every ending under both", columns, rows)])


def _ledger(found: Sequence[Comparison]) -> Section | None:
    rows = [{"cell": c.a.label_text or "all games", "flip": f"newly {'won' if gained else 'lost'}",
             "source": row["source"], "round": row["round"], "flips": row["flips"],
             "share": f"{100 * row['share']:.0f} %"}
            for c in found for gained in (False, True) for row in c.ledger(gained)]
    if not rows:
        return None
    unit = found[0].game.unit.rstrip("s")
    columns = [Column("cell", "variant"), Column("flip", "flip"), Column("source", "histories part at"),
               Column("round", unit, "count"), Column("flips", "games", "count"), Column("share", "of these flips")]
    laid = sum(len(c.partings) for c in found)
    how = (f"For {laid:,} flipped games both histories were laid side by side. Counted is the first draw or decision "
           "in which they differ: where the change begins to bite, which need not be where the game is decided.")
    return Section("ledger", "Where do the histories part?", [how], tables=[
        Table("ledger", "The flip ledger", columns, rows)])


def _examples(c: Comparison) -> Section | None:
    stories = [made for p in examples(c) for made in _both_sides(c, p)]
    if not stories:
        return None
    return Section("flips", "Flipped games, side by side",
                   ["From the most common places where histories part. Each game is told under A, then under B."],
                   stories=stories)


def _both_sides(c: Comparison, p: Parting) -> list[ToldGame]:
    flip = f"newly {'won' if p.gained else 'lost'} under B, parts at {p.source}"
    return [told_game(cell, c.seed, p.game, f"Game {p.game} under {name}: {flip}", scenario, _sets(cell), MOST_LINES)
            for name, cell, scenario in (("A", c.a, c.names[0]), ("B", c.b, c.names[1]))]


def _sets(cell: Variant) -> dict[str, object]:
    return {path: new for path, (_, new) in cell.changed.items()}


def _again(c: Comparison) -> Section:
    level = f"Intervals hold at {100 * c.confidence:g} %" + (" for all cells together" if c.cells > 1 else "")
    return Section("sure", "How sure is that?", [
        f"{level}. The difference is paired (Newcombe's method 10): both sides play the same games of seed {c.seed}, "
        f"and only those that end otherwise count. McNemar's exact test gives p = {mcnemar(c.gained, c.lost):.3g}."])
