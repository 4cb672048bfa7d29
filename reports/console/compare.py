"""What `compare` prints, and its JSON: what a change does, how sure that is, where the histories part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console import effects, wording
from hardmode.reports.console.result import out
from hardmode.reports.console.uncertainty import firm_dict
from hardmode.reports.page.chapters import compared
from hardmode.reports.page.model import Column
from hardmode.reports.page.model import Table as Told
from hardmode.scenarios.load import Variant
from hardmode.studies.comparison.adapt import Adapted
from hardmode.studies.comparison.compare import Comparison, examples, side_text
from hardmode.studies.comparison.levels import Levels
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import share_text
from hardmode.studies.uncertainty.robustness import Firm


def show(found: Sequence[Comparison]) -> None:
    """The same games under A and B: what changed, how sure that is, where the histories part."""
    first = found[0]
    out.print(
        f"[bold]{first.game.title}[/bold]: A {escape(side_text(first.a))}\n"
        f"{' ' * len(first.game.title)}  B {escape(side_text(first.b))}"
    )
    table = Table(header_style="bold")
    for head in ("cell", "games", "A wins", "B wins", effects.CHANGE, "gained", "lost", "settled"):
        table.add_column(head, justify="left" if head in ("cell", "settled") else "right")
    for c in found:
        d, a, b = c.difference, c.win_rate(False), c.win_rate(True)
        table.add_row(
            escape(c.a.label_text or "all"),
            f"{c.games:,}",
            share_text(a.value),
            share_text(b.value),
            f"{100 * d.value:+.2f} ({100 * d.low:+.2f} .. {100 * d.high:+.2f})",
            f"{c.gained:,}",
            f"{c.lost:,}",
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
    if c.same_rows == c.games:
        return "yes: no game differs"
    if c.settled:
        return (
            f"yes; 9 times in 10 it takes {c.pairs_enough():,} pairs of games, or {c.unpaired_games():,} a side "
            "without the same luck"
        )
    more = c.more_games()
    return f"no; about {wording.roughly(more)} more games" if more else "no: as many gained as lost"


def _changes(c: Comparison) -> None:
    """What else changes: how games end, how long they take, what they score. The intervals hold together."""
    score = {"score of seat 1" if c.game.competitive else "score": c.score} if c.game.scored else {}
    means = {c.game.unit: c.length, **score}
    each = estimates.simultaneous(c.level, len(c.ending_changes()) + len(means))
    table = Table(
        header_style="bold",
        title_justify="left",
        title=f"what else changes; of shares, % points{f' ({c.a.label_text})' if c.a.label else ''}",
    )
    for head in ("", "A", "B", "B - A"):
        table.add_column(head, justify="right" if head else "left")
    for name, change, a, b in c.ending_changes(each):
        table.add_row(
            escape(name), share_text(a / c.games), share_text(b / c.games), _signed(change, 100)
        )
    for name, sums in means.items():
        table.add_row(escape(name), "", "", _signed(c.mean_change(sums, each), 1))
    out.print(table)


def _content(c: Comparison) -> None:
    """Where it bites: the change in the games with each Boss, hero, or whatever sets games apart."""
    rows = c.by_content()
    if not rows or not c.gained + c.lost:
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
    rows = [*c.ledger(False)[:5], *c.ledger(True)[:5]]
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
        for cause in c.causes(gained)[:1]:
            out.print(_commonest(c, cause), soft_wrap=True)
    for p in examples(c):
        out.print(
            f"[dim]game {p.game}: newly {'won' if p.gained else 'lost'}, parts at {escape(p.source)} in "
            f"{c.game.unit.rstrip('s')} {p.round}; see replay --game {p.game} of both[/dim]"
        )


def _commonest(c: Comparison, cause: dict[str, Any]) -> str:
    """The commonest story of flips of one kind, in words."""
    gained, unit = cause["flip"] == "gained", c.game.unit.rstrip("s")
    looked_at = len(c.flips[gained])
    first = "the first " if looked_at < (c.gained if gained else c.lost) else ""
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


def as_dict(found: Comparison) -> dict[str, Any]:
    """What `compare --json` prints for one pair of cells."""
    d = found.difference
    rates = {k: _estimate(found.win_rate(k == "b")) for k in ("a", "b")}
    return {
        "game": found.game.name,
        "a": _side(found.a),
        "b": _side(found.b),
        "seed": found.seed,
        "games": found.games,
        "difference": d.value,
        "low": d.low,
        "high": d.high,
        "confidence": found.confidence,
        "simultaneous_cells": found.cells,
        "win_rate": rates,
        "mcnemar_p": estimates.mcnemar(found.gained, found.lost),
        "flips": {"gained": found.gained, "lost": found.lost},
        "identical_games": found.same_rows,
        "endings": {
            name: {"a": x, "b": y, **_estimate(change)}
            for name, change, x, y in found.ending_changes()
        },
        "length": _estimate(found.mean_change(found.length)),
        "score": _estimate(found.mean_change(found.score)),
        "ledger": [*found.ledger(False), *found.ledger(True)],
        "causes": [*found.causes(False), *found.causes(True)],
        "content": found.by_content(),
        "flips_laid_side_by_side": len(found.partings),
        "examples": [
            {
                "game": p.game,
                "flip": "gained" if p.gained else "lost",
                "source": p.source,
                "round": p.round,
            }
            for p in examples(found)
        ],
        "settled": found.settled,
        "more_games": found.more_games(),
        "pairs_needed": found.pairs_enough(),
        "unpaired_games_needed": found.unpaired_games(),
    }


def tables(
    found: Sequence[Comparison],
    each: Sequence[Levels],
    taught: Adapted | None,
    firm: Sequence[Firm | None] = (),
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
        "A": side_text(c.a),
        "B": side_text(c.b),
        "seed": c.seed,
        "confidence": c.confidence,
        "games under both": sum(one.games for one in found),
        **{
            f"digest of {name}, {side}": text
            for side, one in (("A", c.a), ("B", c.b))
            for name, text in one.digests.items()
        },
    }


def as_answer(
    found: Sequence[Comparison],
    each: Sequence[Levels],
    taught: Adapted | None,
    firm: Sequence[Firm | None] = (),
) -> dict[str, Any]:
    """What `compare --json` prints."""
    told = [as_dict(c) for c in found]
    for one, holds in zip(told, firm, strict=False):
        one["firm"] = [firm_dict(holds)] if holds else []
    for one, by_level in zip(told, each, strict=False):
        one.update(effects.levels_dict(by_level))
    whole = told[0] if len(told) == 1 else {"cells": told}
    return {**whole, "adapt": effects.adapt_dict(taught)} if taught else whole


def _side(v: Variant) -> dict[str, Any]:
    return {
        "title": v.title,
        "cell": v.label,
        "changed": {p: new for p, (_, new) in v.changed.items()},
        "box": v.provenance,
        "strategies": [str(s) for s in v.strategies],
        "digests": v.digests,
    }


def _estimate(e: Estimate) -> dict[str, float]:
    return {"value": e.value, "low": e.low, "high": e.high}
