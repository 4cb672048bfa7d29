"""Section "How hard is it?": the win rate of each cell, and the target if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import front, targets
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

MAX_ROWS = 40  # of the plot of a sweep of one path
MAX_PRINTED = 120  # cells of a grid that the short edition has room for
VERDICTS = (targets.INSIDE, targets.BELOW, targets.ABOVE, targets.OPEN)


def make_difficulty_section(report: ReportData) -> Section:
    """Return the section on the win rates of all cells."""
    figures = front.make_band_figures(report)
    if not figures and len(report.scenario.sweep) > 1:
        figures = [_make_grid(report)]
    elif not figures and len(report.cells) <= MAX_ROWS:
        figures = [_make_dot_plot(report)]
    several = len(report.cells) > 1
    tables = [targets.make_targets_table(report), _make_table(report) if several else None]
    printed: list[str] = []
    if (several or not report.metric.competitive) and len(report.cells) <= MAX_PRINTED:
        printed = [figure.name for figure in figures]
    return Section(
        "how-hard",
        "How hard is it?",
        _write_sentences(report),
        figures,
        [table for table in tables if table],
        brief=Brief(2, printed),
        related=("ranking", "who-wins", "score", "assumptions", "how-sure"),
    )


def _estimate(report: ReportData, item: PlayedVariant) -> Estimate:
    return report.metric.estimate_win_rate(item.tally)


def _write_sentences(report: ReportData) -> list[str]:
    label, band = report.metric.win_rate_label, targets.get_common_target(report)
    if len(report.cells) == 1:
        rate = _estimate(report, report.base)
        end = f"; {targets.describe_target_result(rate, band)}" if band else ""
        games = wording.format_games(report.base.result.games)
        return [f"The {label} is {formatting.format_rate(rate)}, from {games}{end}."]
    ranked = sorted(report.cells, key=lambda item: _estimate(report, item).value)
    low, high = (formatting.format_rate(_estimate(report, ranked[i])) for i in (0, -1))
    sentences = [
        f"Over {len(report.cells)} variants, the {label} runs from {low} with “{ranked[0].label}” "
        f"to {high} with “{ranked[-1].label}”."
    ]
    if band:
        met = [targets.judge_target(_estimate(report, item), band) for item in report.cells]
        counts = [f"{met.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in met]
        sentences.append(
            f"The target is {targets.format_target(band)}. Of the variants, "
            f"{wording.join_names(counts)}."
        )
    return sentences


def _make_dot_plot(report: ReportData) -> Figure:
    rows = []
    for item in report.cells:
        values = [wording.format_setup_value(value) for value in item.result.label.values()]
        label = ", ".join(values) if values else "this scenario"
        rows.append({"label": label, "estimate": _estimate(report, item)})
    title = report.metric.win_rate_label.capitalize()
    if report.scenario.sweep:
        title += f" by {wording.format_path_end(report.scenario.sweep[0])}"
    band = targets.make_target_band(targets.get_common_target(report))
    return model.make_dot_plot(
        "win-rate", title, rows, "rate", report.metric.win_rate_label, **band
    )


def _sort_paths(report: ReportData) -> list[str]:
    """Return the swept paths, those with the most values first."""
    return sorted(report.scenario.sweep, key=lambda path: -len(sort_values(report, path)))


def _make_grid(report: ReportData) -> Figure:
    """Return the heat map of two swept paths, with a panel for each value of the others."""
    row_path, column_path, *others = paths = _sort_paths(report)
    row_values, column_values = sort_values(report, row_path), sort_values(report, column_path)
    variants = _map_by_values(report, paths)
    panels = []
    for rest in product(*(sort_values(report, path) for path in others)):
        cells = []
        for row in row_values:
            line = [variants.get((row, column, *rest)) for column in column_values]
            cells.append([_estimate(report, item) if item else None for item in line])
        titles = []
        for path, value in zip(others, rest, strict=True):
            titles.append(f"{wording.format_path_end(path)} {value}")
        panels.append(
            {
                "title": ", ".join(titles),
                "rows": row_values,
                "columns": column_values,
                "cells": cells,
            }
        )
    names = [wording.format_path_end(path) for path in paths]
    band = targets.get_common_target(report)
    return model.make_heat_map(
        "grid",
        f"{report.metric.win_rate_label.capitalize()} by {wording.join_names(names)}",
        panels,
        "rate",
        names[0],
        names[1],
        report.metric.win_rate_label,
        **targets.make_target_band(band, "inside the target"),
    )


def list_cells_in_plot_order(report: ReportData) -> list[PlayedVariant]:
    """Return the cells in the order of the plot of all cells."""
    if len(report.scenario.sweep) < 2:
        return report.cells
    rows, columns, *others = _sort_paths(report)
    paths = [*others, rows, columns]
    variants = _map_by_values(report, paths)
    positions = product(*(sort_values(report, path) for path in paths))
    return [variants[position] for position in positions if position in variants]


def _map_by_values(
    report: ReportData, paths: Sequence[str]
) -> dict[tuple[str, ...], PlayedVariant]:
    variants = {}
    for item in report.cells:
        values = [wording.format_setup_value(item.result.label[path]) for path in paths]
        variants[tuple(values)] = item
    return variants


def are_numbers(values: Iterable[Any]) -> bool:
    """Return whether all values are numbers (switches are not)."""
    return all(type(value) in (int, float) for value in values)


def sort_values(report: ReportData, path: str) -> Sequence[str]:
    """Return the values of a path: numbers in order, names from the hardest to the easiest."""
    raw = [item.result.label[path] for item in report.cells]
    if are_numbers(raw):
        return [wording.format_setup_value(value) for value in sorted(set(raw))]
    rates: dict[str, list[float]] = {}
    for value, item in zip(raw, report.cells, strict=True):
        name = wording.format_setup_value(value)
        rates.setdefault(name, []).append(_estimate(report, item).value)
    return sorted(rates, key=lambda name: sum(rates[name]) / len(rates[name]))


def _make_table(report: ReportData) -> ReportTable:
    band = targets.get_common_target(report)
    columns = [Column(path, wording.format_path_end(path)) for path in report.scenario.sweep]
    columns += [
        Column("games", "games", "count"),
        Column("won", report.metric.win_rate_label, "rate"),
    ]
    if band:
        columns.append(Column("target", f"target {targets.format_target(band)}"))
    if report.scenario.game.scored:
        columns.append(Column("score", "mean score", "mean"))
    columns += [
        Column("length", f"mean {report.scenario.game.unit}", "mean"),
        Column("ending", "most common ending"),
    ]
    rows = [_make_row(report, item) for item in report.cells]
    return ReportTable("variants", "Every variant", columns, rows)


def _make_row(report: ReportData, item: PlayedVariant) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for path, value in item.result.label.items():
        row[path] = value if are_numbers([value]) else wording.format_setup_value(value)
    rate, endings = _estimate(report, item), item.tally.count_endings()
    band = targets.get_common_target(report)
    return {
        **row,
        "games": item.result.games,
        "won": rate,
        "target": targets.judge_target(rate, band) if band else "",
        "score": report.metric.estimate_mean(item.tally, "score 1"),
        "length": report.metric.estimate_mean(item.tally, "rounds"),
        "ending": max(endings, key=lambda e: endings[e]),
    }
