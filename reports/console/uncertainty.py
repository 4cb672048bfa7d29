"""What `doubts` prints, and its JSON: the band beside the interval, what decides it, how firm conclusions are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
from hardmode.studies.uncertainty.robustness import RobustConclusion
from hardmode.studies.uncertainty.sobol_from_halves import UncertaintyBand

MOST_SHOWN = 12
CERTAIN = "nothing is assumed that could be otherwise"
ODDS = (
    "a reading that is assumed is as likely as all others together, a number lies in a triangle over its range "
    "with the peak at what is assumed, unless the box says otherwise"
)


def show(found: UncertaintyAnalysis) -> None:
    out.print(
        f"[bold]{found.cell.game.title}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(describe_players(found.cell))}"
    )
    for line in sentences(found):
        out.print(escape(line))
    if found.groups:
        out.print(_parts("group of the box", found.groups))
    if found.parameters:
        out.print(_parts("single number", found.parameters))
    if found.conclusions:
        out.print(firm_table(found.conclusions))
    if found.band:
        _rest(found)


def sentences(found: UncertaintyAnalysis) -> list[str]:
    """What is led with."""
    if not found.band:
        why = "stopped before two boxes were played" if found.interrupted else CERTAIN
        return [f"{formatting.format_rate(found.headline)} by chance; {why}"]
    lines = [
        f"{_beside(found.headline, found.band)} ({found.band.box_count} plausible boxes, median "
        f"{_percent(found.band.percentiles[50].value)} %)"
    ]
    if found.band.covers_everything:
        lines.append(
            "that covers everything: what is assumed says nothing about how hard the game is"
        )
    if found.steady_band:
        lines.append(f"by steady: {_beside(*found.steady_band)}")
    if found.steady_band and steady_disagrees(found):
        lines.insert(
            0,
            f"steady disagrees, by more than half: {formatting.format_rate(found.steady_band[0])} of games are won",
        )
    return lines


def steady_disagrees(found: UncertaintyAnalysis) -> bool:
    """Whether `steady` wins less than half of the games, or more than twice as many."""
    return bool(found.steady_band and players_disagree(found.headline, found.steady_band[0]))


def _beside(headline: Estimate, band: UncertaintyBand) -> str:
    return (
        f"{formatting.format_percent(headline)} (± {100 * headline.half_width:.1f} by chance; "
        f"{span(percentiles(band))} over what is not known)"
    )


def span(at: Mapping[int, float]) -> str:
    """5 to 95 of 100 boxes: 31 .. 79"""
    return f"{_percent(at[5])} .. {_percent(at[95])}"


def worth_knowing(found: UncertaintyAnalysis) -> str:
    """Which one thing narrows the band most."""
    best = max((*found.groups, *single_numbers(found)), key=lambda p: p.sobol_index.first.value)
    what = f"{best.path} ({best.parameter_count} numbers)" if best.parameter_count > 1 else best.path
    return (
        f"Worth knowing first is {what}: with it the band narrows to about {span(best.band_if_known)} %."
    )


def percentiles(band: UncertaintyBand) -> dict[int, float]:
    return {p: e.value for p, e in band.percentiles.items()}


def _percent(share: float) -> str:
    return f"{100 * share:.{0 if 0.1 <= share <= 0.9 else 1}f}"


def _parts(name: str, parts: Sequence[UncertaintySource]) -> Table:
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
            f"{p.parameter_count}",
            formatting.format_rate(p.sobol_index.first),
            formatting.format_rate(p.sobol_index.total),
            span(p.band_if_known),
        )
    return table


def firm_table(firm: Sequence[RobustConclusion]) -> Table:
    """The least firm first."""
    table = Table(header_style="bold")
    for head in ("conclusion", "holds in", ""):
        table.add_column(head, justify="right" if head == "holds in" else "left")
    for one in sorted(firm, key=lambda f: f.share.value)[:MOST_SHOWN]:
        table.add_row(
            escape(one.statement),
            f"{formatting.format_rate(one.share)} of boxes",
            "" if one.is_robust else "not established",
        )
    return table


def show_firm(firm: Sequence[RobustConclusion | None]) -> None:
    """What `compare --doubts` adds, a line for each pair of cells."""
    for one in firm:
        out.print(escape(firm_sentence(one) if one else CERTAIN))


def firm_sentence(one: RobustConclusion) -> str:
    """Boss 12 is won more often than boss 8: in 71 % of plausible boxes; not established."""
    verdict = "" if one.is_robust else "; not established"
    return f"{one.statement}: in {formatting.format_rate(one.share)} of plausible boxes{verdict}"


def assumptions(found: UncertaintyAnalysis) -> str:
    """What was assumed about the assumptions."""
    more = len(found.fixed_paths)
    stay = f"; {more} more, names of content or without a range, stay as they are" if more else ""
    again = (
        f". {found.rejected_boxes:,} boxes were no games and were drawn again"
        if found.rejected_boxes
        else ""
    )
    return f"{found.sampled_count} assumed numbers were drawn: {ODDS}{stay}{again}"


def _rest(found: UncertaintyAnalysis) -> None:
    if len(found.scenario.cells) > 1:
        out.print(
            escape(
                f"the band and what decides it are those of the first cell, {found.cell.label_text}"
            )
        )
    out.print(f"[dim]{escape(assumptions(found))}.[/dim]")
    stopped = "interrupted; " if found.interrupted else ""
    out.print(
        f"[dim]{stopped}5 to 95 of 100 boxes, the noise of games taken out; {found.games_per_box} games of each box; "
        f"shares from {found.row_counts[0]} rows of boxes for groups and {found.row_counts[1]} for numbers, intervals at "
        f"{100 * found.confidence:g} %; seed {found.seed}[/dim]"
    )


def single_numbers(found: UncertaintyAnalysis) -> list[UncertaintySource]:
    return [p for p in found.parameters if p.path not in {g.path for g in found.groups}]


