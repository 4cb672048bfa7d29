"""Section "What makes it hard or easy?": choices and chance at set-up, alone and in pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.factors import (
    FactorValue,
    estimate_value,
    estimate_value_effects,
    sum_by_value,
    sum_by_value_pair,
)
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.scenarios.labels import PLAYERS_PATH, STRATEGIES_LABEL
from hardmode.sim.contract import Measure
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import compute_power_sums, count_wins
from hardmode.studies.report_run.data import FactorialGrid, PlayedVariant, ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

MAX_LEVELS = 24  # of a factor that is shown
MAX_PAIR_LEVELS = 16  # of each of two factors that are shown together
MIN_GAMES = 100  # of a level that is shown
ANY = "any"
SET_UP = "Among the choices at set-up"

NOTHING_HAPPENED = ("none", "no", "never", "nobody")  # values of a factor
CERTAIN = 0.02  # share of games: an event after which nearly all, or hardly any, are won

NOTES = {
    "choices": "Each row compares another choice with the scenario as it stands.",
    "swept": "Each row compares the variants with one value with all others.",
    "dealt": "Each row compares the games with one value with all other games. Chance decides "
    "what is dealt, so the deal causes the difference.",
    "during": "Each row compares the games with one value with all other games. Events during play "
    "may be a sign of a good or a bad game, and no cause of the result.",
}

Row = dict[str, Any]


def make_causes_section(report: ReportData) -> Section:
    """Return the section on the choices at set-up."""
    chosen, swept = _compare_choices(report), _compare_swept_values(report)
    figures = [
        _make_effect_plot(report, "choices", "What other set-up choices would change", chosen),
        _make_effect_plot(report, "swept", "What each value of the grid changes", swept),
    ]
    if report.setup_grid:
        figures.append(make_grid_figure(report, report.setup_grid, "crossed"))
    rows = [*chosen, *swept]
    sentences = _describe_largest_effect(report, rows, SET_UP, "")
    return Section(
        "why",
        "What do the choices at set-up change?",
        sentences or ["No choice at set-up makes a difference that these games show."],
        [figure for figure in figures if figure],
        [_make_effect_table(report, "effects", "Every difference", rows)] if rows else [],
        brief=Brief(1, ["choices", "swept"]),
    )


def make_factors_section(report: ReportData) -> Section | None:
    """Return the section on what correlates with winning, or None if nothing was measured.

    What chance deals before play causes the difference; what happens during play need not.
    """
    dealt, during = list_factor_effects(report)
    if not dealt and not during:
        return None
    figures = [
        _make_effect_plot(report, "dealt", "Dealt before play", dealt),
        _make_effect_plot(report, "during", "During play", during),
        _make_pair_figure(report),
    ]
    sentences = [
        *_describe_largest_effect(
            report,
            dealt,
            "Among what chance deals before play",
            "The deal causes this difference.",
        ),
    ]
    return Section(
        "along",
        "What correlates with winning?",
        sentences or ["No factor makes a difference that these games show."],
        [figure for figure in figures if figure],
        [_make_effect_table(report, "along", "Every factor", [*dealt, *during])],
        brief=Brief(2, ["dealt"] if dealt else []),
    )


def list_factor_effects(report: ReportData) -> tuple[list[Row], list[Row]]:
    """Return the effects of what was dealt before play, and of what happened during play.

    A card that is drawn before play but turned up later is known only of the games that turned it
    up, so its effect is taken from games in which each value was set.
    """
    dealt: list[Row] = []
    during: list[Row] = []
    team_measure = report.metric.competitive and not report.metric.by_score
    for measure in report.scenario.game.measures:
        if not measure.factor or (team_measure and not measure.per_seat):
            continue
        name = measure.name
        path = f"setup.{name.replace(' ', '_')}"
        if _is_drawn_at_set_up(report, measure, path):
            values = {}
            for value, item in report.setup_choices[path].items():
                values[wording.format_setup_value(value)] = _sum_tally(item.tally)
            dealt += _compare_values(report, name, values)
            continue
        values = _sum_by_label(report, name)
        if name in report.setup_factors:
            dealt += _compare_values(report, name, values)
        else:
            rows = _compare_values(report, name, values)
            is_rate = not report.metric.by_score
            during += [row for row in rows if not _is_trivial(row, is_rate)]
    return dealt, during


def _sum_by_label(report: ReportData, name: str) -> dict[str, FactorValue]:
    values = sum_by_value(report.total_tally, name)
    return {wording.format_setup_value(value): sums for value, sums in values.items()}


def _is_trivial(row: Row, is_rate: bool) -> bool:
    """Return whether an event only says how the game ended, or that nothing happened."""
    label = row["label"]
    if label in NOTHING_HAPPENED or label.startswith("not "):
        return True
    rate = row["value"]
    return is_rate and (rate.high < CERTAIN or rate.low > 1 - CERTAIN)


def _is_drawn_at_set_up(report: ReportData, measure: Measure, path: str) -> bool:
    if measure.name in report.setup_factors or measure.per_seat:
        return False
    return report.first_cell.values.get(path) == ANY and path in report.setup_choices


def _describe_largest_effect(
    report: ReportData, rows: list[Row], where: str, explanation: str
) -> list[str]:
    significant = [row for row in rows if row["effect"].excludes(0.0)]
    if not significant:
        return []
    largest = max(significant, key=lambda row: abs(row["effect"].value))
    unit = "points of score" if report.metric.by_score else "points"
    text = formatting.format_with_interval(largest["effect"], report.metric.change_kind)
    value, _, interval = text.partition(" ")
    sentence = (
        f"{where}, “{largest['name']}” makes the largest difference: {value} {unit} {interval} "
        f"{largest['against']}."
    )
    return [f"{sentence} {explanation}".rstrip()]


def _make_row(
    group: str, label: str, games: int, value: Estimate, effect: Estimate, against: str
) -> Row:
    factor = group.partition(" (now")[0]
    name = label if label.startswith(factor) else f"{factor} {label}"
    if factor == "players":
        name = "1 player" if label == "1" else f"{label} players"
    return {
        "name": name,
        "group": group,
        "label": label,
        "games": games,
        "value": value,
        "effect": effect,
        "estimate": effect,
        "against": against,
    }


def _compare_choices(report: ReportData) -> list[Row]:
    """Return the effect of each other choice, one at a time, against the scenario as it stands."""
    rows = []
    for path, items in report.setup_choices.items():
        if not _is_comparable(report, path):
            continue
        present = wording.format_setup_value(report.first_cell.values[path])
        group = f"{wording.format_path_end(path)} (now {present})"
        for value, item in items.items():
            rows.append(
                _make_row(
                    group,
                    wording.format_setup_value(value),
                    item.result.games,
                    report.metric.estimate(item.tally),
                    report.metric.estimate_change(item.tally, report.base.tally),
                    "against the scenario as it stands",
                )
            )
    return rows


def _is_comparable(report: ReportData, path: str) -> bool:
    """Return False for the number of rivals: with each rival, the share of each seat falls."""
    return path != PLAYERS_PATH or not report.metric.competitive or report.metric.by_score


def _compare_values(report: ReportData, name: str, values: Mapping[str, FactorValue]) -> list[Row]:
    """Return the effect of each value of a factor against the games with another value."""
    levels = {value: sums for value, sums in values.items() if sums.games >= MIN_GAMES}
    if not 2 <= len(levels) <= MAX_LEVELS:
        return []
    return _make_level_rows(report, name, levels, f"against games in which “{name}” differs")


def _compare_swept_values(report: ReportData) -> list[Row]:
    """Return the effect of each value of each swept path against all cells with another value."""
    rows = []
    for path in report.scenario.sweep:
        levels: dict[str, FactorValue] = {}
        for item in report.cells:
            name = wording.format_setup_value(item.result.label[path])
            sums = levels.get(name, FactorValue(0, 0, 0, 0))
            levels[name] = sums + _sum_tally(item.tally)
        if len(levels) < 2:
            continue
        group = "strategy" if path == STRATEGIES_LABEL else wording.format_path_end(path)
        rows += _make_level_rows(report, group, levels, "against all the other variants")
    return rows


def _make_level_rows(
    report: ReportData, group: str, levels: Mapping[str, FactorValue], against: str
) -> list[Row]:
    rows = []
    for label, effect in estimate_value_effects(report.metric, levels).items():
        value = estimate_value(report.metric, levels[label])
        rows.append(_make_row(group, label, levels[label].games, value, effect, against))
    return rows


def _sum_tally(tally: Tally) -> FactorValue:
    _, score, squared = compute_power_sums(tally.count_values("score 1"))
    return FactorValue(tally.games, count_wins(tally), score, squared)


def _make_effect_plot(report: ReportData, name: str, title: str, rows: list[Row]) -> Figure | None:
    if not rows:
        return None
    metric = report.metric
    label = metric.seat_label if name in ("dealt", "during") else metric.label
    axis = f"change of the {label}" + ("" if metric.by_score else ", in points")
    return model.make_dot_plot(
        name, title, rows, metric.change_kind, axis, mark=0.0, note=NOTES[name]
    )


def make_grid_figure(
    report: ReportData,
    grid: FactorialGrid,
    name: str,
    parts: int = 1,
    format_value: Callable[[Any], str] = wording.format_setup_value,
) -> Figure:
    """Return a heat map of all combinations of two or three choices.

    Args:
        report: The data of the report.
        grid: The variants that were played for all combinations.
        name: Name of the figure.
        parts: Number of parts of each path that name a choice.
        format_value: Function that returns the text of a value.
    """
    names = [wording.format_path_end(path, parts) for path in grid.paths]
    row_values, column_values = grid.values[0], grid.values[1]
    panels = []
    for extra in grid.values[2] if len(names) == 3 else [None]:
        key_end = () if extra is None else (extra,)
        cells = []
        for row in row_values:
            variants = [grid.variants[(row, column, *key_end)] for column in column_values]
            cells.append([_estimate_variant(report, item) for item in variants])
        panels.append(
            {
                "title": "" if extra is None else f"{names[2]} {format_value(extra)}",
                "cells": cells,
                "rows": [format_value(row) for row in row_values],
                "columns": [format_value(column) for column in column_values],
            }
        )
    games = {item.result.games for item in grid.variants.values() if item}
    note = f"{wording.format_games(min(games))} in each cell."
    if len(games) > 1:
        note = f"At least {note}"
    return model.make_heat_map(
        name,
        f"{report.metric.label.capitalize()} by {wording.join_names(names)}",
        panels,
        report.metric.value_kind,
        names[0],
        names[1],
        report.metric.label,
        note=note,
    )


def _estimate_variant(report: ReportData, item: PlayedVariant | None) -> Estimate | None:
    return report.metric.estimate(item.tally) if item else None


def _make_pair_figure(report: ReportData) -> Figure | None:
    """Return the heat map of the two dealt factors that together change the result most."""
    metric = report.metric
    if metric.competitive and not metric.by_score:
        return None
    largest_spread, largest_pair = -1.0, None
    for factors, values in sum_by_value_pair(report.total_tally).items():
        if not report.setup_factors >= set(factors):
            continue
        cells = {}
        for key, sums in values.items():
            if sums.games >= MIN_GAMES:
                cells[key] = estimate_value(metric, sums)
        levels = [len({key[i] for key in cells}) for i in (0, 1)]
        if min(levels) < 2 or max(levels) > MAX_PAIR_LEVELS:
            continue
        rates = [estimate.value for estimate in cells.values()]
        spread = max(rates) - min(rates)
        if spread > largest_spread:
            largest_spread, largest_pair = spread, (factors, cells)
    return _draw_pair(report, *largest_pair) if largest_pair else None


def _draw_pair(
    report: ReportData,
    factors: tuple[str, str],
    estimates: Mapping[tuple[str, str], Estimate],
) -> Figure:
    """Return the heat map of two factors; the one with more values is on the rows."""
    rows, columns = (list(dict.fromkeys(key[i] for key in estimates)) for i in (0, 1))
    row_factor, column_factor = factors
    if len(columns) > len(rows):
        rows, columns = columns, rows
        row_factor, column_factor = column_factor, row_factor
        estimates = {(b, a): estimate for (a, b), estimate in estimates.items()}
    cells = [[estimates.get((row, column)) for column in columns] for row in rows]
    name = report.metric.seat_label
    return model.make_heat_map(
        "dealt-pairs",
        f"{name.capitalize()} by {row_factor} and {column_factor}, as dealt",
        [{"title": "", "rows": rows, "columns": columns, "cells": cells}],
        report.metric.value_kind,
        row_factor,
        column_factor,
        name,
        note="These are games of the scenario itself; cells with fewer than "
        f"{MIN_GAMES} games are empty.",
    )


def _make_effect_table(report: ReportData, name: str, title: str, rows: list[Row]) -> ReportTable:
    metric = report.metric
    columns = [
        Column("group", "what"),
        Column("label", "value"),
        Column("games", "games", "count"),
        Column("value", metric.label, metric.value_kind),
        Column(
            "effect", "difference" + ("" if metric.by_score else ", points"), metric.change_kind
        ),
        Column("against", "compared"),
    ]
    return ReportTable(name, title, columns, rows)
