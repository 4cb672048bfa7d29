"""What `doubts` prints, and its JSON: the band beside the interval, what decides it, how firm conclusions are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.result import out
from hardmode.studies.core.reference_players import disagree, players_text
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.analysis import DoubtfulPart, Doubts
from hardmode.studies.uncertainty.robustness import Firm
from hardmode.studies.uncertainty.sobol_from_halves import DoubtBand

MOST_SHOWN = 12
CERTAIN = "nothing is assumed that could be otherwise"
ODDS = (
    "a reading that is assumed is as likely as all others together, a number lies in a triangle over its range "
    "with the peak at what is assumed, unless the box says otherwise"
)


def show(found: Doubts) -> None:
    out.print(
        f"[bold]{found.cell.game.title}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(players_text(found.cell))}"
    )
    for line in sentences(found):
        out.print(escape(line))
    if found.groups:
        out.print(_parts("group of the box", found.groups))
    if found.numbers:
        out.print(_parts("single number", found.numbers))
    if found.firm:
        out.print(firm_table(found.firm))
    if found.band:
        _rest(found)


def sentences(found: Doubts) -> list[str]:
    """What is led with."""
    if not found.band:
        why = "stopped before two boxes were played" if found.interrupted else CERTAIN
        return [f"{formatting.rate(found.headline)} by chance; {why}"]
    lines = [
        f"{_beside(found.headline, found.band)} ({found.band.boxes} plausible boxes, median "
        f"{_percent(found.band.at[50].value)} %)"
    ]
    if found.band.covers_everything:
        lines.append(
            "that covers everything: what is assumed says nothing about how hard the game is"
        )
    if found.steady:
        lines.append(f"by steady: {_beside(*found.steady)}")
    if found.steady and steady_disagrees(found):
        lines.insert(
            0,
            f"steady disagrees, by more than half: {formatting.rate(found.steady[0])} of games are won",
        )
    return lines


def steady_disagrees(found: Doubts) -> bool:
    """Whether `steady` wins less than half of the games, or more than twice as many."""
    return bool(found.steady and disagree(found.headline, found.steady[0]))


def _beside(headline: Estimate, band: DoubtBand) -> str:
    return (
        f"{formatting.percent(headline)} (± {100 * headline.half_width:.1f} by chance; "
        f"{span(percentiles(band))} over what is not known)"
    )


def span(at: Mapping[int, float]) -> str:
    """5 to 95 of 100 boxes: 31 .. 79"""
    return f"{_percent(at[5])} .. {_percent(at[95])}"


def worth_knowing(found: Doubts) -> str:
    """Which one thing narrows the band most."""
    best = max((*found.groups, *_single(found)), key=lambda p: p.share.first.value)
    what = f"{best.path} ({best.numbers} numbers)" if best.numbers > 1 else best.path
    return (
        f"Worth knowing first is {what}: with it the band narrows to about {span(best.knowing)} %."
    )


def percentiles(band: DoubtBand) -> dict[int, float]:
    return {p: e.value for p, e in band.at.items()}


def _percent(share: float) -> str:
    return f"{100 * share:.{0 if 0.1 <= share <= 0.9 else 1}f}"


def _parts(name: str, parts: Sequence[DoubtfulPart]) -> Table:
    table = Table(header_style="bold")
    for head in (
        name,
        "numbers",
        "decides alone",
        "with all else",
        "if it is known, the band is about",
    ):
        table.add_column(head, justify="left" if head == name else "right")
    for p in parts[:MOST_SHOWN]:
        table.add_row(
            escape(p.path),
            f"{p.numbers}",
            formatting.rate(p.share.first),
            formatting.rate(p.share.total),
            span(p.knowing),
        )
    return table


def firm_table(firm: Sequence[Firm]) -> Table:
    """The least firm first."""
    table = Table(header_style="bold")
    for head in ("conclusion", "holds in", ""):
        table.add_column(head, justify="right" if head == "holds in" else "left")
    for one in sorted(firm, key=lambda f: f.share.value)[:MOST_SHOWN]:
        table.add_row(
            escape(one.statement),
            f"{formatting.rate(one.share)} of boxes",
            "" if one.established else "not established",
        )
    return table


def show_firm(firm: Sequence[Firm | None]) -> None:
    """What `compare --doubts` adds, a line for each pair of cells."""
    for one in firm:
        out.print(escape(firm_sentence(one) if one else CERTAIN))


def firm_sentence(one: Firm) -> str:
    """Boss 12 is won more often than boss 8: in 71 % of plausible boxes; not established."""
    verdict = "" if one.established else "; not established"
    return f"{one.statement}: in {formatting.rate(one.share)} of plausible boxes{verdict}"


def assumptions(found: Doubts) -> str:
    """What was assumed about the assumptions."""
    more = len(found.staying)
    stay = f"; {more} more, names of content or without a range, stay as they are" if more else ""
    again = (
        f". {found.impossible:,} boxes were no games and were drawn again"
        if found.impossible
        else ""
    )
    return f"{found.unknown} assumed numbers were drawn: {ODDS}{stay}{again}"


def _rest(found: Doubts) -> None:
    if len(found.scenario.cells) > 1:
        out.print(
            escape(
                f"the band and what decides it are those of the first cell, {found.cell.label_text}"
            )
        )
    out.print(f"[dim]{escape(assumptions(found))}.[/dim]")
    stopped = "interrupted; " if found.interrupted else ""
    out.print(
        f"[dim]{stopped}5 to 95 of 100 boxes, the noise of games taken out; {found.games} games of each box; "
        f"shares from {found.rows[0]} rows of boxes for groups and {found.rows[1]} for numbers, intervals at "
        f"{100 * found.confidence:g} %; seed {found.seed}[/dim]"
    )


def as_dict(found: Doubts) -> dict[str, Any]:
    h = found.headline
    return {
        "game": found.cell.game.name,
        "scenario": found.scenario.name,
        "strategies": [str(s) for s in found.cell.strategies],
        "box": found.cell.provenance,
        "seed": found.seed,
        "confidence": found.confidence,
        "headline": _headline(h),
        "band": _band(found.band),
        "boxes": found.band.boxes if found.band else 0,
        "covers_everything": bool(found.band and found.band.covers_everything),
        "shares": [_share(p) for p in (*found.groups, *_single(found))],
        "knowing": [
            {"path": p.path, "band": _texts(p.knowing)} for p in (*found.groups, *_single(found))
        ],
        "firm": [firm_dict(one) for one in found.firm],
        "steady": {
            "headline": _headline(found.steady[0]),
            "band": _band(found.steady[1]),
            "disagrees": steady_disagrees(found),
        }
        if found.steady
        else None,
        "unknown": found.unknown,
        "staying": found.staying,
        "impossible": found.impossible,
        "games_of_a_box": found.games,
        "rows": {"groups": found.rows[0], "numbers": found.rows[1]},
        "assumed_about_assumptions": assumptions(found),
        "interrupted": found.interrupted,
        "digests": found.cell.digests,
    }


def _single(found: Doubts) -> list[DoubtfulPart]:
    return [p for p in found.numbers if p.path not in {g.path for g in found.groups}]


def _headline(e: Estimate) -> dict[str, float]:
    return {"rate": e.value, "low": e.low, "high": e.high, "games": e.n}


def _band(found: DoubtBand | None) -> dict[str, float] | None:
    return _texts(percentiles(found)) if found else None


def _texts(at: Mapping[int, float]) -> dict[str, float]:
    return {str(p): value for p, value in at.items()}


def _share(p: DoubtfulPart) -> dict[str, Any]:
    return {
        "path": p.path,
        "numbers": p.numbers,
        "first": p.share.first.value,
        "total": p.share.total.value,
        "low": p.share.total.low,
        "high": p.share.total.high,
        "first_low": p.share.first.low,
        "first_high": p.share.first.high,
    }


def firm_dict(one: Firm) -> dict[str, Any]:
    e = one.share
    return {
        "statement": one.statement,
        "share": e.value,
        "low": e.low,
        "high": e.high,
        "boxes": e.n,
        "established": one.established,
    }
