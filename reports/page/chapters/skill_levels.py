"""Section "For whom?": skill levels, mistakes, the number of players, heroes."""

from __future__ import annotations

import shlex
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.console.fit import (
    convert_band_to_estimate,
    format_band,
    make_forecast_tables,
)
from hardmode.reports.console.top import describe_top
from hardmode.reports.page import model
from hardmode.reports.page.chapters import forgiveness, rivals, skill_band, targets
from hardmode.reports.page.chapters.factors import sum_by_value
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.studies.core.skill_levels import BEGINNER, SKILL_LEVELS, STEADY
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.report_run.commands import format_command_options
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

FITTED_GROUP = "your group"
BETWEEN_MISTAKES = "10%"  # of steady players, for a group between beginners and steady ones
MAX_HEROES = 30
MIN_GAMES = 100  # with a value that a plot shows
SEAT_1_ONLY = (
    "If all seats of a competitive game became better together, their wins would not change. Each "
    "skill level and each rate of mistakes is therefore that of the first seat alone, with steady "
    "players at the others."
)
MANNERS = {
    "random": "at random",
    "beginner": "as a beginner",
    "casual": "casually",
    "steady": "steadily",
    "trained": "with trained weights",
    "expert": "expertly",
}


def make_skill_level_section(report: ReportData) -> Section:
    """Return the section on who wins how often."""
    figures = [
        forgiveness.make_mistake_curve_figure(report),
        _make_player_plot(report),
        *_make_hero_plots(report),
    ]
    sentences = [
        *_describe_levels(report),
        describe_top(report.scenario.top, _list_metric_levels(report), report.metric.value_kind),
        *_describe_fitted_group(report),
        *forgiveness.describe_mistake_curves(report),
    ]
    tables = [_make_level_table(report)]
    if report.fit_forecasts:
        tables += make_forecast_tables(report.fit_forecasts[1])[:1]
    return Section(
        "for-whom",
        "For whom?",
        sentences,
        [figure for figure in figures if figure],
        tables,
        hints=list_level_hints(report),
        brief=Brief(2, ["forgiveness"]),
    )


def _describe_fitted_group(report: ReportData) -> list[str]:
    """Return the skill of the fitted players, as a rate of mistakes, and their win rate."""
    if not report.fit_forecasts:
        return []
    file, forecasts = report.fit_forecasts
    cell = forecasts[0].cell
    where = f" with {cell.label_text}" if cell.label else ""
    latest = " at the last of them" if file.is_latest else ""
    subject = "seat 1" if report.metric.competitive else "it"
    plays = wording.format_count(file.plays, "recorded play")
    sentences = [
        f"According to {plays}, {FITTED_GROUP} plays as {file.player} with "
        f"{format_band(file.level)} mistakes{latest}; the nearest skill level is "
        f"{file.skill_level}. With this skill, {subject} would win "
        f"{format_band(forecasts[0].win_rate)} of its games{where}"
        f"{_describe_fitted_numbers(file)}. The true value lies in a band with a probability of "
        "90 %."
    ]
    if not file.fits:
        sentences.append("The model does not fit those plays, so do not trust this estimate.")
    return sentences


def _describe_fitted_numbers(file: FitFile) -> str:
    if not any(values for _, values in file.beliefs):
        return ""
    return (
        ", with the numbers of the box that the plays suggest (the rest of this page uses the "
        "assumed numbers)"
    )


def _estimate_level(report: ReportData, level: str) -> Estimate:
    return report.metric.estimate_win_rate(report.skill_levels[level].tally)


def _describe_levels(report: ReportData) -> list[str]:
    """Return the win rates of the weakest, the scenario's own and the best strategy."""
    precise = [
        name for name in report.skill_levels if name in skill_band.get_precise_levels(report)
    ]
    own = [name for name in report.skill_levels if name not in SKILL_LEVELS]
    if report.metric.competitive:
        own = []
    names = list(dict.fromkeys([*precise[:1], *own, *precise[-1:]]))
    if len(names) < 2:
        return []
    subject = "The player" if report.first_cell.players == 1 else "The group"
    if report.metric.competitive:
        subject = "The first seat, against steady players,"
    rates: list[str] = []
    for name in names:
        manner = MANNERS.get(name, f"“{name}”")
        of_games = "" if rates else " of the games"
        rate = formatting.format_rate(_estimate_level(report, name))
        rates.append(f"{rate}{of_games} when it plays {manner}")
    sentences = [f"{subject} wins {wording.join_names(rates)}."]
    if report.metric.competitive:
        sentences.append(SEAT_1_ONLY)
    if len(report.cells) > 1:
        sentences.append(f"The first variant was played: {report.base.label}.")
    return sentences


def _list_metric_levels(report: ReportData) -> dict[str, Estimate]:
    """Return what each skill level gets that was played often enough for a headline."""
    levels = skill_band.get_skill_band(report)
    return {level: report.metric.estimate(report.skill_levels[level].tally) for level in levels}


def list_played_levels(report: ReportData) -> list[str]:
    """Return the strategies that were played often enough for a plot."""
    imprecise = list_imprecise_levels(report)
    levels = []
    for name, item in report.skill_levels.items():
        if name not in imprecise or item.result.games >= MIN_GAMES:
            levels.append(name)
    return levels


def list_imprecise_levels(report: ReportData) -> list[str]:
    """Return the skill levels whose rates are too uncertain for a sentence."""
    precise = skill_band.get_precise_levels(report)
    return [name for name in report.skill_levels if name in SKILL_LEVELS and name not in precise]


def list_level_hints(report: ReportData) -> list[tuple[str, str]]:
    """Return the command for players between beginners who never win and steady ones."""
    hints = []
    options = format_command_options({}, report.scenario.overlay)
    levels = report.skill_levels
    wins_nothing = BEGINNER in levels and _estimate_level(report, BEGINNER).value == 0
    if wins_nothing and not report.metric.competitive:
        games = wording.format_games(levels[BEGINNER].result.games)
        words = ["hardmode", "run", report.scenario.name, *options, "--strategy", STEADY]
        text = f"Beginners won none of {games}. For players between them and steady ones, run"
        hints.append((text, shlex.join([*words, "--mistakes", BETWEEN_MISTAKES])))
    return hints


def make_level_plot(report: ReportData) -> Figure:
    """Return the plot of the win rates of all strategies that were played often enough."""
    rows = []
    for name in list_played_levels(report):
        rows.append({"label": name, "estimate": _estimate_level(report, name)})
    if report.fit_forecasts:
        forecast = report.fit_forecasts[1][0]
        rate = convert_band_to_estimate(forecast.win_rate, forecast.games)
        rows.append({"label": FITTED_GROUP, "estimate": rate})
    competitive = report.metric.competitive
    where = f", with {report.base.label}" if len(report.cells) > 1 else ""
    label = report.metric.win_rate_label
    return model.make_dot_plot(
        "ladder",
        f"{label.capitalize()} by strategy{where}",
        rows,
        "rate",
        label,
        mark=rivals.compute_equal_share(report.cells[0]) if competitive else None,
        mark_text="an equal share" if competitive else "",
        **targets.make_target_band(targets.get_common_target(report)),
    )


def _make_player_plot(report: ReportData) -> Figure | None:
    """Return the win rate by number of players, if several numbers were played."""
    others = report.setup_choices.get(PLAYERS_PATH)
    if not others:
        return None
    variants = sorted([(report.first_cell.values[PLAYERS_PATH], report.base), *others.items()])
    rows = []
    for n, item in variants:
        rate = report.metric.estimate_win_rate(item.tally)
        rows.append({"label": wording.format_count(n, "player"), "estimate": rate})
    label = report.metric.win_rate_label
    return model.make_dot_plot(
        "players",
        f"{label.capitalize()} by number of players",
        rows,
        "rate",
        label,
        **targets.make_target_band(targets.get_common_target(report)),
    )


def _make_hero_plots(report: ReportData) -> list[Figure]:
    """Return for each factor of a seat, such as its hero, the win rate with each value."""
    n_seats, competitive = report.first_cell.players, report.metric.competitive
    winners = "players" if n_seats == 1 else "groups"
    if competitive:
        winners = "seats"
    mark: dict[str, Any] = {}
    if competitive and len(report.cells) == 1:
        mark = {
            "mark": rivals.compute_equal_share(report.cells[0]),
            "mark_text": "an equal share",
        }
    figures = []
    for measure in report.scenario.game.measures:
        if not (measure.factor and measure.per_seat):
            continue
        rows = []
        for name, sums in sum_by_value(report.total_tally, measure.name).items():
            if sums.games >= MIN_GAMES:
                rate = report.metric.estimate_rate(sums.wins, sums.games)
                rows.append({"label": wording.format_setup_value(name), "estimate": rate})
        if 2 <= len(rows) <= MAX_HEROES:
            title = f"How often {winners} with each {measure.name} win"
            figures.append(
                model.make_dot_plot(
                    f"by-{measure.name}", title, rows, "rate", "share of games won", **mark
                )
            )
    return figures


def _make_level_table(report: ReportData) -> ReportTable:
    columns = [
        Column("strategy", "strategy"),
        Column("games", "games", "count"),
        Column("won", report.metric.win_rate_label, "rate"),
    ]
    if report.scenario.game.scored:
        columns.append(Column("score", "mean score", "mean"))
    columns.append(Column("length", f"mean {report.scenario.game.unit}", "mean"))
    rows = []
    for name, item in report.skill_levels.items():
        rows.append(
            {
                "strategy": name,
                "games": item.result.games,
                "won": report.metric.estimate_win_rate(item.tally),
                "score": report.metric.estimate_mean(item.tally, "score 1"),
                "length": report.metric.estimate_mean(item.tally, "rounds"),
            }
        )
    return ReportTable("ladder", "Every strategy", columns, rows)
