"""What `compare` prints, and its JSON: what a change does, how sure that is, where the histories part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console import effects, wording
from hardmode.reports.console.terminal import out
from hardmode.reports.page.chapters import compared
from hardmode.reports.page.model import Column
from hardmode.reports.page.model import Table as Told
from hardmode.studies.comparison.adapt import Adaptation
from hardmode.studies.comparison.compare import Comparison, describe_side, example_divergences
from hardmode.studies.comparison.levels import LevelComparisons
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_share
from hardmode.studies.uncertainty.robustness import RobustConclusion


def show(found: Sequence[Comparison]) -> None:
    """The same games under A and B: what changed, how sure that is, where the histories part."""
    first = found[0]
    out.print(
        f"[bold]{first.game.title}[/bold]: A {escape(describe_side(first.a))}\n"
        f"{' ' * len(first.game.title)}  B {escape(describe_side(first.b))}"
    )
    table = Table(header_style="bold")
    for head in ("cell", "games", "A wins", "B wins", effects.CHANGE, "gained", "lost", "settled"):
        table.add_column(head, justify="left" if head in ("cell", "settled") else "right")
    for c in found:
        d, a, b = c.difference, c.win_rate(False), c.win_rate(True)
        table.add_row(
            escape(c.a.label_text or "all"),
            f"{c.games:,}",
            format_share(a.value),
            format_share(b.value),
            f"{100 * d.value:+.2f} ({100 * d.low:+.2f} .. {100 * d.high:+.2f})",
            f"{c.wins_gained:,}",
            f"{c.wins_lost:,}",
            _settled(c),
        )
    out.print(table)
    for c in found:
        _changes(c)
        _content(c)
        _ledger(c)
    together = f" for all {len(found)} cells together" if len(found) > 1 else ""
    out.print(
        f"[dim]intervals hold at {100 * first.confidence:g} %{together}: the win rate's by itself, those of "
        f"what else changes together; gained: lost under A and won under B; seed {first.seed}[/dim]"
    )


def _settled(c: Comparison) -> str:
    if c.identical_games == c.games:
        return "yes: no game differs"
    if c.is_settled:
        return (
            f"yes; 9 times in 10 it takes {c.pairs_needed():,} pairs of games, or {c.unpaired_games_needed():,} a side "
            "without the same luck"
        )
    more = c.further_games_needed()
    return f"no; about {wording.roughly(more)} more games" if more else "no: as many gained as lost"


def _changes(c: Comparison) -> None:
    """What else changes: how games end, how long they take, what they score. The intervals hold together."""
    score = {"score of seat 1" if c.game.competitive else "score": c.score_sums} if c.game.scored else {}
    means = {c.game.unit: c.length_sums, **score}
    each = estimates.bonferroni_level(c.interval_level, len(c.ending_changes()) + len(means))
    table = Table(
        header_style="bold",
        title_justify="left",
        title=f"what else changes; of shares, % points{f' ({c.a.label_text})' if c.a.label else ''}",
    )
    for head in ("", "A", "B", "B - A"):
        table.add_column(head, justify="right" if head else "left")
    for name, change, a, b in c.ending_changes(each):
        table.add_row(
            escape(name), format_share(a / c.games), format_share(b / c.games), _signed(change, 100)
        )
    for name, sums in means.items():
        table.add_row(escape(name), "", "", _signed(c.mean_change(sums, each), 1))
    out.print(table)


def _content(c: Comparison) -> None:
    """Where it bites: the change in the games with each Boss, hero, or whatever sets games apart."""
    rows = c.factor_table()
    if not rows or not c.wins_gained + c.wins_lost:
        return
    table = Table(
        header_style="bold",
        title_justify="left",
        title=f"by what the games held under A{f' ({c.a.label_text})' if c.a.label else ''}",
    )
    for head in ("", "", "games", "gained", "lost", effects.CHANGE):
        table.add_column(head, justify="right" if head else "left")
    for i, row in enumerate(rows):
        new = not i or row["factor"] != rows[i - 1]["factor"]
        change = f"{100 * row['value']:+.2f} ({100 * row['low']:+.2f} .. {100 * row['high']:+.2f})"
        table.add_row(
            escape(row["factor"]) if new else "",
            escape(row["is"]),
            f"{row['games']:,}",
            f"{row['gained']:,}",
            f"{row['lost']:,}",
            change,
        )
    out.print(table)


def _signed(e: Estimate, times: float) -> str:
    return f"{times * e.value:+.2f} ({times * e.low:+.2f} .. {times * e.high:+.2f})"


def _ledger(c: Comparison) -> None:
    rows = [*c.divergence_table(False)[:5], *c.divergence_table(True)[:5]]
    if not rows:
        return
    table = Table(
        header_style="bold",
        title_justify="left",
        title=f"where the histories of flipped games part{f' ({c.a.label_text})' if c.a.label else ''}",
    )
    for head in (
        "flip",
        "first parting at",
        c.game.unit.rstrip("s"),
        "games",
        "share of these flips",
    ):
        table.add_column(head, justify="left" if head in ("flip", "first parting at") else "right")
    for row in rows:
        table.add_row(
            f"newly {'won' if row['flip'] == 'gained' else 'lost'}",
            escape(row["source"]),
            str(row["round"]),
            str(row["flips"]),
            f"{100 * row['share']:.0f} %",
        )
    out.print(table)
    for gained in (False, True):
        for cause in c.loss_table(gained)[:1]:
            out.print(_commonest(c, cause), soft_wrap=True)
    for p in example_divergences(c):
        out.print(
            f"[dim]game {p.game}: newly {'won' if p.gained else 'lost'}, parts at {escape(p.source)} in "
            f"{c.game.unit.rstrip('s')} {p.round}; see replay --game {p.game} of both[/dim]"
        )


def _commonest(c: Comparison, cause: dict[str, Any]) -> str:
    """The commonest story of flips of one kind, in words."""
    gained, unit = cause["flip"] == "gained", c.game.unit.rstrip("s")
    looked_at = len(c.flipped_games[gained])
    first = "the first " if looked_at < (c.wins_gained if gained else c.wins_lost) else ""
    seats = " and ".join(map(str, cause["to"]))
    to = (
        f"to seat{'s' if len(cause['to']) > 1 else ''} {seats}, “"
        if c.game.competitive and seats
        else "by “"
    )
    return (
        f"{cause['flips']:,} of {first}{looked_at:,} newly {'won' if gained else 'lost'} games "
        f"({100 * cause['share']:.0f} %) {'were' if gained else 'are now'} lost {to}{escape(cause['lost_by'])}”; "
        f"they part most often at {escape(cause['source'])} in {unit} {cause['round']} "
        f"({cause['parts_there']} games), as in replay --game {cause['game']} --seed {c.seed}"
    )


def tables(
    found: Sequence[Comparison],
    each: Sequence[LevelComparisons],
    taught: Adaptation | None,
    firm: Sequence[RobustConclusion | None] = (),
) -> list[Told]:
    """All that was asked, as tables for files."""
    held = [
        {"cell": c.a.label_text or "all games", "statement": one.statement, "share": one.share}
        for c, one in zip(found, firm, strict=False)
        if one
    ]
    return [
        *compared.tables(found),
        *effects.tables(each, taught),
        Told(
            "firm",
            "In how many plausible boxes the difference has its sign",
            [
                Column("cell", "cell"),
                Column("statement", "conclusion"),
                Column("share", "boxes", "rate"),
            ],
            held,
        ),
    ]


def about(found: Sequence[Comparison]) -> dict[str, Any]:
    """What the tables are of."""
    c = found[0]
    return {
        "game": c.game.title,
        "A": describe_side(c.a),
        "B": describe_side(c.b),
        "seed": c.seed,
        "confidence": c.confidence,
        "games under both": sum(one.games for one in found),
        **{
            f"digest of {name}, {side}": text
            for side, one in (("A", c.a), ("B", c.b))
            for name, text in one.digests.items()
        },
    }


