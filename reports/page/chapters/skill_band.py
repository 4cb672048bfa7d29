"""The band of play: what the headline is for steady players, trained ones and experts; for whom a target is met."""

from __future__ import annotations

from collections.abc import Mapping

from hardmode.reports.console import uncertainty, wording
from hardmode.reports.page.chapters import assumptions, targets
from hardmode.scenarios.expect import ExpectedRange
from hardmode.studies.core.skill_levels import EXPERT, PLAYER_NAMES, SKILL_LEVELS, STEADY, TRAINED
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

WIDEST = 0.10  # an interval wider than this is in no headline
PLAYS = {STEADY: "steady players", TRAINED: "trained ones", EXPERT: "experts"}
ALONE = {STEADY: "a steady player", TRAINED: "a trained one", EXPERT: "an expert"}


def known(g: ReportData) -> dict[str, Estimate]:
    """The rungs that were played often enough for a headline."""
    rates = {rung: g.metric.estimate_win_rate(g.skill_levels[rung].tally) for rung in SKILL_LEVELS if rung in g.skill_levels}
    return {rung: rate for rung, rate in rates.items() if rate.high - rate.low <= WIDEST}


def band(g: ReportData) -> dict[str, Estimate]:
    """The rungs from steady players to the best that is known."""
    return {rung: rate for rung, rate in known(g).items() if rung in PLAYS}


def fact(g: ReportData) -> list[tuple[str, str, str]]:
    """The band of play, for the head of a chapter."""
    found = band(g)
    if len(found) < 2:
        return []
    ends = list(found)
    each = ", ".join(f"{rung} {formatting.format_percent(rate)}" for rung, rate in found.items())
    low, high = (100 * found[end].value for end in (ends[0], ends[-1]))
    where = f"; with {g.base.label}" if len(g.cells) > 1 else ""
    return [(f"{ends[0]} to {ends[-1]}", f"{low:.0f} to {high:.0f} %", each + where)]


def sentence(g: ReportData) -> list[str]:
    """What skill, chance and assumptions each do to the headline, kept apart."""
    found = band(g)
    if not found:
        return []
    alone = g.metric.competitive
    who = "Against steady players the first seat wins" if alone else f"The {g.metric.win_rate_label} is"
    skill = "; ".join(
        f"{formatting.format_percent(rate)} {f'as {ALONE[rung]}' if alone else f'for {PLAYS[rung]}'}"
        for rung, rate in found.items()
    )
    chance = 100 * max(rate.half_width for rate in found.values())
    where = f" (with {g.base.label})" if len(g.cells) > 1 else ""
    said = f"{who} {skill}{where}{': that is skill' * (len(found) > 1)}"
    return [
        f"{said}. Chance adds \N{PLUS-MINUS SIGN}{chance:.1f} points at most, and {_assumed(g)}."
    ]


def _assumed(g: ReportData) -> str:
    if not g.first_cell.assumption_count.unchanged:
        return "nothing is assumed"
    told = f"{g.first_cell.assumption_count.unchanged:,} of {g.first_cell.assumption_count.parameters:,} numbers are assumed"
    band = assumptions.as_named(g)
    if band:
        return f"{told}: over what is not known it is {uncertainty.span(uncertainty.percentiles(band))} %"
    if not g.uncertain_grid or g.metric.competitive:
        return told
    rates = [g.metric.estimate_win_rate(item.tally).value for item in g.uncertain_grid.variants.values() if item]
    return (
        f"{told}: over the plausible values of the least certain it is {100 * min(rates):.0f} to "
        f"{100 * max(rates):.0f} %"
    )


def met(g: ReportData) -> list[str]:
    """For which rungs a target band is met."""
    band, found = targets.win_band(g), known(g)
    if not band or g.metric.competitive or not found:
        return []
    where = f" with {g.base.label}" if len(g.cells) > 1 else ""
    return [f"By level{where}, the target of {targets.text(band)} is {_verdicts(found, band)}."]


def _verdicts(found: Mapping[str, Estimate], band: ExpectedRange) -> str:
    words = {
        targets.INSIDE: "met for",
        targets.BELOW: "missed from below by",
        targets.ABOVE: "exceeded by",
        targets.OPEN: "not settled for",
    }
    by = {
        word: [PLAYER_NAMES[rung] for rung, rate in found.items() if targets.verdict(rate, band) == verdict]
        for verdict, word in words.items()
    }
    return "; ".join(f"{word} {wording.listed(who)}" for word, who in by.items() if who)
