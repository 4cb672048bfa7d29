"""Curve of the win rate over the rate of mistakes, for several variants of a grid."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.console.fit import format_band
from hardmode.reports.page import model
from hardmode.reports.page.model import Figure
from hardmode.studies.comparison import mistake_curves
from hardmode.studies.core.reference_players import TRAINED
from hardmode.studies.playtests.fit.posterior import Band
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

ROLES = "acdefgh"  # without the color of what is lost
NOTE = (
    "A mistake is a random legal option. Decisions matter more in one game than in another, so "
    "this plot compares variants of one game, but not different games."
)


def make_mistake_curve_figure(report: ReportData) -> Figure | None:
    """Return the plot of the win rate over the rate of mistakes, if it was played."""
    if not report.mistake_curves:
        return None
    several, series, ends = len(report.mistake_curves) > 1, [], []
    for role, (label, curve) in zip(ROLES, report.mistake_curves.items(), strict=False):
        rates, wins = _estimate_curve(report, curve)
        series.append(
            {
                "name": label if several else "",
                "role": role,
                "x": [100 * rate for rate in rates],
                "estimates": wins,
            }
        )
        ends.append(
            f"{f'{label}: ' if several else ''}{formatting.format_rate(wins[0])} without mistakes, "
            f"{formatting.format_rate(wins[-1])} if every decision is a mistake"
        )
    label, level = report.metric.win_rate_label, _get_fitted_level(report)
    mark: dict[str, Any] = {}
    group = ""
    if level:
        group = f" Your group: {format_band(level)} mistakes."
        mark = {
            "mark": 100 * level["50"],
            "mark_text": group.strip(" ."),
            "mark_ends": (100 * level["5"], 100 * level["95"]),
        }
    title = f"{label.capitalize()} by rate of mistakes"
    alt = f"{title}: {'; '.join(ends)}.{group}"
    return model.make_line_plot(
        "forgiveness",
        title,
        series,
        "mistakes, % of decisions",
        label,
        alt,
        share=True,
        note=NOTE,
        **mark,
    )


def _get_fitted_level(report: ReportData) -> Band:
    """Return the fitted rate of mistakes, if it was fitted to mistakes of trained players."""
    if report.fit_forecasts and report.fit_forecasts[0].player == TRAINED.name:
        return report.fit_forecasts[0].level
    return {}


def describe_mistake_curves(report: ReportData) -> list[str]:
    """Return how many mistakes each variant forgives, and which curves cross."""
    several = len(report.mistake_curves) > 1
    sentences = []
    for label, curve in report.mistake_curves.items():
        prefix = f"With {label}, " if several else ""
        sentences.append(describe_curve(report, curve, prefix))
    return [*filter(None, sentences), *_describe_crossings(report)]


def _estimate_curve(
    report: ReportData, curve: Mapping[float, PlayedVariant]
) -> tuple[list[float], list[Estimate]]:
    rates = sorted(curve)
    return rates, [report.metric.estimate_win_rate(curve[rate].tally) for rate in rates]


def describe_curve(report: ReportData, curve: Mapping[float, PlayedVariant], prefix: str) -> str:
    """Return how many mistakes halve the wins.

    If at least half of the games are won without mistakes, the sentence says instead how many
    mistakes leave half of all games won.
    """
    rates, wins = _estimate_curve(report, curve)
    wins_half = wins[0].value >= 0.5
    threshold = 0.5 if wins_half else wins[0].value / 2
    value = find_crossing_share(rates, [e.value for e in wins], threshold)
    low = find_crossing_share(rates, [e.low for e in wins], threshold)
    high = find_crossing_share(rates, [e.high for e in wins], threshold)
    if not wins[0].value or value is None:
        return ""
    who = "the first seat still wins" if report.metric.competitive else "players still win"
    amount = "half of the games" if wins_half else "half as many games as without mistakes"
    sentence = (
        f"{prefix}{who} {amount} if {_format_frequency(value, low or 0.0, high or 1.0)}; without "
        f"mistakes, the {report.metric.win_rate_label} is "
        f"{formatting.format_rate(wins[0])}."
    )
    return sentence[0].upper() + sentence[1:]


def _format_frequency(share: float, low: float, high: float) -> str:
    """Return a rate of mistakes, such as "one decision in 8 (...) is a mistake"."""
    if share > 0.5:
        interval = f"{100 * low:.0f} .. {100 * high:.0f}"
        return f"{100 * share:.0f} % of all decisions ({interval}) are mistakes"
    rare, common = (f"one in {round(1 / end)}" if end else "none" for end in (low, high))
    interval = "" if rare == common else f" (between {rare} and {common})"
    return f"one decision in {round(1 / share)}{interval} is a mistake"


def find_crossing_share(shares: list[float], rates: list[float], line: float) -> float | None:
    """Return the share at which a curve first falls to `line`, by linear interpolation."""
    for (x, y), (next_x, next_y) in pairwise(zip(shares, rates, strict=True)):
        if y >= line > next_y:
            return x + (next_x - x) * (y - line) / (y - next_y) or None
    return None


def _describe_crossings(report: ReportData) -> list[str]:
    """Return the variants that are easier for careful and harder for careless players."""
    tallies = {}
    for label, curve in report.mistake_curves.items():
        tallies[label] = {rate: item.tally for rate, item in curve.items()}
    sentences = []
    for crossing in mistake_curves.find_crossings(tallies, report.metric.confidence):
        sentences.append(
            f"The curves cross: {wording.truncate(crossing.careful)} is easier than "
            f"{wording.truncate(crossing.careless)} for players with up to "
            f"{100 * crossing.careful_until:g} % mistakes, and harder for players with "
            f"{100 * crossing.careless_from:g} % mistakes or more."
        )
    return sentences
