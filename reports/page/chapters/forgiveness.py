"""How much may go wrong? The win rate over the scale of slips, side by side for the variants of a grid."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from hardmode.reports.console import wording
from hardmode.reports.console.fit import percent
from hardmode.reports.page import model
from hardmode.reports.page.model import Figure
from hardmode.studies.comparison import mistake_curves
from hardmode.studies.core.reference_players import TRAINED
from hardmode.studies.playtests.fit.posterior import Band
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

ROLES = "abcdefgh"
NOTE = (
    "A slip takes any legal option. Decisions weigh more in one game than in another: this compares variants of "
    "one game, not games."
)


def figure(g: ReportData) -> Figure | None:
    if not g.mistake_curves:
        return None
    several, series, ends = len(g.mistake_curves) > 1, [], []
    for i, (label, curve) in enumerate(g.mistake_curves.items()):
        shares, found = _curve(g, curve)
        series.append(
            {
                "name": label if several else "",
                "role": ROLES[i],
                "x": [100 * x for x in shares],
                "estimates": found,
            }
        )
        ends.append(
            f"{f'{label}: ' if several else ''}{formatting.format_rate(found[0])} without slips, "
            f"{formatting.format_rate(found[-1])} with nothing else"
        )
    win, level = g.metric.win_rate_label, _level(g)
    where = f" Your table: {percent(level)} slips." if level else ""
    return model.lines(
        "forgiveness",
        f"{win.capitalize()} by slips",
        series,
        "decisions got wrong, %",
        win,
        f"{win.capitalize()} by slips: {'; '.join(ends)}.{where}",
        share=True,
        note=NOTE,
        mark=100 * level["50"] if level else None,
        mark_text=where.strip(" ."),
        mark_ends=(100 * level["5"], 100 * level["95"]) if level else (0, 0),
    )


def _level(g: ReportData) -> Band:
    """Where those who played stand on the scale, if it is trained players' slips in which their level is told."""
    return g.fit_forecasts[0].level if g.fit_forecasts and g.fit_forecasts[0].player == TRAINED.name else {}


def sentences(g: ReportData) -> list[str]:
    several = len(g.mistake_curves) > 1
    told = [
        _forgives(g, curve, f"With {label}, " if several else "")
        for label, curve in g.mistake_curves.items()
    ]
    return [*filter(None, told), *_crossing(g)]


def _curve(g: ReportData, curve: Mapping[float, PlayedVariant]) -> tuple[list[float], list[Estimate]]:
    shares = sorted(curve)
    return shares, [g.metric.estimate_win_rate(curve[share].tally) for share in shares]


def _forgives(g: ReportData, curve: Mapping[float, PlayedVariant], where: str) -> str:
    """How much may go wrong until only half of the games, or half of what is won without slips, are still won."""
    shares, found = _curve(g, curve)
    most = found[0].value >= 0.5
    line = 0.5 if most else found[0].value / 2
    kept, least, often = (
        _reaches(shares, [getattr(e, end) for e in found], line) for end in ("value", "low", "high")
    )
    if not found[0].value or kept is None:
        return ""
    who = "the first seat still wins" if g.metric.competitive else "players still win"
    what = f"{who} half of the games" if most else f"{who} half as many games as without"
    said = f"{where}{_so_often(kept, least or 0.0, often or 1.0)} may be a blunder and {what}"
    return f"{said[0].upper()}{said[1:]}; without any it is {formatting.format_rate(found[0])}."


def _so_often(kept: float, low: float, high: float) -> str:
    """One decision in 8 (between one in 9 and one in 7), or a share where it is more than half of them."""
    if kept > 0.5:
        return f"{100 * kept:.0f} % of all decisions ({100 * low:.0f} .. {100 * high:.0f})"
    rare, common = (f"one in {round(1 / share)}" if share else "none" for share in (low, high))
    span = "" if rare == common else f" (between {rare} and {common})"
    return f"one decision in {round(1 / kept)}{span}"


def _reaches(shares: list[float], rates: list[float], line: float) -> float | None:
    """The share at which the curve first falls to the line, straight between what was played."""
    for (x, y), (after, below) in pairwise(zip(shares, rates, strict=True)):
        if y >= line > below:
            return x + (after - x) * (y - line) / (y - below) or None
    return None


def _crossing(g: ReportData) -> list[str]:
    """Where a variant is the easier one for the careful and the harder one for the careless."""
    tallies = {
        label: {share: item.tally for share, item in curve.items()}
        for label, curve in g.mistake_curves.items()
    }
    return [
        f"The curves cross: {wording.cut(x.careful)} is easier than {wording.cut(x.careless)} for the careful, up "
        f"to {100 * x.careful_until:g} % slips, and harder for the careless, from {100 * x.careless_from:g} % on."
        for x in mistake_curves.find_crossings(tallies, g.metric.confidence)
    ]
