"""Skill band: win rates of steady, trained and expert players, and who meets a target."""

from __future__ import annotations

from collections.abc import Mapping

from hardmode.reports.console import wording
from hardmode.reports.page.chapters import targets
from hardmode.reports.page.chapters.phrases import name_first_variant
from hardmode.scenarios.expect import ExpectedRange
from hardmode.studies.core.skill_levels import EXPERT, PLAYER_NAMES, SKILL_LEVELS, STEADY, TRAINED
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

MAX_INTERVAL_WIDTH = 0.10  # of a rate in a headline
SEAT_1 = {STEADY: "a steady player", TRAINED: "a trained player", EXPERT: "an expert"}
VERDICT_PHRASES = {
    targets.INSIDE: "met by",
    targets.BELOW: "missed from below by",
    targets.ABOVE: "exceeded by",
    targets.OPEN: "not settled for",
}


def get_precise_levels(report: ReportData) -> dict[str, Estimate]:
    """Return the win rates of the skill levels that were played often enough for a headline."""
    rates = {}
    for level in SKILL_LEVELS:
        if level in report.skill_levels:
            rate = report.metric.estimate_win_rate(report.skill_levels[level].tally)
            if rate.high - rate.low <= MAX_INTERVAL_WIDTH:
                rates[level] = rate
    return rates


def get_skill_band(report: ReportData) -> dict[str, Estimate]:
    """Return the win rates from steady players to the best play known."""
    return {level: rate for level, rate in get_precise_levels(report).items() if level in SEAT_1}


def list_skill_band_facts(report: ReportData) -> list[tuple[str, str, str]]:
    """Return the skill band for the head of a chapter: its name, figure and explanation."""
    band = get_skill_band(report)
    if len(band) < 2:
        return []
    levels = list(band)
    rates = [f"{level} {formatting.format_percent(rate)}" for level, rate in band.items()]
    low, high = (100 * band[level].value for level in (levels[0], levels[-1]))
    where = f"; with {report.base.label}" if len(report.cells) > 1 else ""
    return [
        (
            f"{levels[0]} to {levels[-1]}",
            f"{low:.0f} to {high:.0f} %",
            ", ".join(rates) + where,
        )
    ]


def describe_target_by_level(report: ReportData) -> list[str]:
    """Return which skill levels meet the target of the win rate."""
    band, rates = targets.get_common_target(report), get_precise_levels(report)
    if not band or not rates:
        return []
    target = targets.format_target(band)
    verdicts = _describe_verdicts(rates, band)
    return [f"The target of {target}{name_first_variant(report)} is {verdicts}."]


def _describe_verdicts(rates: Mapping[str, Estimate], band: ExpectedRange) -> str:
    players: dict[str, list[str]] = {verdict: [] for verdict in VERDICT_PHRASES}
    for level, rate in rates.items():
        players[targets.judge_target(rate, band)].append(PLAYER_NAMES[level])
    phrases = []
    for verdict, names in players.items():
        if names:
            phrases.append(f"{VERDICT_PHRASES[verdict]} {wording.join_names(names)}")
    return "; ".join(phrases)
