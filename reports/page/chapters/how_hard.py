"""How hard is it? Every cell of the scenario with its interval, against the target where it names one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import front, targets
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import formatting

MOST_ROWS = 40
MOST_PRINTED = 120  # cells of a grid that the short edition has room for


def section(g: ReportData) -> Section:
    figures = front.bands(g)
    if not figures:
        figures = (
            [_grid(g)]
            if len(g.scenario.sweep) > 1
            else [_scale(g)]
            if len(g.cells) <= MOST_ROWS
            else []
        )
    tables = [targets.table(g), _cells(g) if len(g.cells) > 1 else None]
    tells = len(g.cells) > 1 or not g.metric.competitive
    short = [f.name for f in figures if tells and len(g.cells) <= MOST_PRINTED]
    return Section(
        "how-hard",
        "How hard is it?",
        _sentences(g),
        figures,
        [t for t in tables if t],
        brief=Brief(2, short),
    )


def _sentences(g: ReportData) -> list[str]:
    base, measure, band = g.base, g.metric, targets.win_band(g)
    if len(g.cells) == 1:
        won = measure.estimate_win_rate(base.tally)
        end = f"; {targets.sentence_end(won, band)}." if band and not measure.competitive else "."
        return [
            f"The {measure.win_rate_label} is {formatting.format_rate(won)}, from {wording.games(base.result.games)}{end}"
        ]
    ranked = sorted(g.cells, key=lambda i: measure.estimate_win_rate(i.tally).value)
    low, high = ranked[0], ranked[-1]
    told = [
        f"Over {len(g.cells)} variants the {measure.win_rate_label} runs from {formatting.format_rate(measure.estimate_win_rate(low.tally))} "
        f"with “{low.label}” to {formatting.format_rate(measure.estimate_win_rate(high.tally))} with “{high.label}”."
    ]
    if band and not measure.competitive:
        met = [targets.verdict(measure.estimate_win_rate(i.tally), band) for i in g.cells]
        told.append(
            f"The target is {targets.text(band)}: "
            + wording.listed(
                [
                    f"{met.count(v)} {v}"
                    for v in (targets.INSIDE, targets.BELOW, targets.ABOVE, targets.OPEN)
                    if met.count(v)
                ]
            )
            + "."
        )
    return told


def _scale(g: ReportData) -> Figure:
    band = None if g.metric.competitive else targets.win_band(g)
    rows = [{"label": _short(g, item), "estimate": g.metric.estimate_win_rate(item.tally)} for item in g.cells]
    axis = wording.path(g.scenario.sweep[0]) if g.scenario.sweep else ""
    title = f"{g.metric.win_rate_label.capitalize()} by {axis}" if axis else g.metric.win_rate_label.capitalize()
    return model.dots(
        "win-rate",
        title,
        rows,
        "rate",
        g.metric.win_rate_label,
        band=targets.drawn(band),
        band_text=f"target {targets.text(band)}" if band else "",
    )


def _short(g: ReportData, item: PlayedVariant) -> str:
    values = [wording.value(v) for v in item.result.label.values()]
    return ", ".join(values) if values else "this scenario"


def _grid(g: ReportData) -> Figure:
    """Two swept choices as rows and columns, the others as panels."""
    paths = sorted(g.scenario.sweep, key=lambda p: -len(_values(g, p)))
    rows, columns, others = paths[0], paths[1], paths[2:]
    band = None if g.metric.competitive else targets.win_band(g)
    found = _by_values(g, paths)
    panels = []
    for rest in product(*(_values(g, p) for p in others)):
        cells = [
            [_won(g, found.get((r, c, *rest))) for c in _values(g, columns)]
            for r in _values(g, rows)
        ]
        title = ", ".join(f"{wording.path(p)} {v}" for p, v in zip(others, rest, strict=True))
        panels.append(
            {
                "title": title,
                "rows": _values(g, rows),
                "columns": _values(g, columns),
                "cells": cells,
            }
        )
    names = [wording.path(p) for p in paths]
    return model.heat(
        "grid",
        f"{g.metric.win_rate_label.capitalize()} by {wording.listed(names)}",
        panels,
        "rate",
        names[0],
        names[1],
        g.metric.win_rate_label,
        band=targets.drawn(band),
        band_text=f"inside the target {targets.text(band)}" if band else "",
    )


def fields(g: ReportData) -> list[PlayedVariant]:
    """The cells in the order in which the plot of all of them has them."""
    if len(g.scenario.sweep) < 2:
        return g.cells
    rows, columns, *others = sorted(g.scenario.sweep, key=lambda p: -len(_values(g, p)))
    found = _by_values(g, [*others, rows, columns])
    return [
        found[at]
        for at in product(*(_values(g, p) for p in (*others, rows, columns)))
        if at in found
    ]


def _by_values(g: ReportData, paths: Sequence[str]) -> dict[tuple[str, ...], PlayedVariant]:
    return {tuple(wording.value(item.result.label[p]) for p in paths): item for item in g.cells}


def _values(g: ReportData, path: str) -> Sequence[str]:
    """The values of a path: numbers as they grow, names from the hardest to the easiest."""
    raw, found = [item.result.label[path] for item in g.cells], dict[str, list[float]]()
    if all(type(v) in (int, float) for v in raw):
        return [wording.value(v) for v in sorted(set(raw))]
    for value, item in zip(raw, g.cells, strict=True):
        found.setdefault(wording.value(value), []).append(g.metric.estimate_win_rate(item.tally).value)
    return sorted(found, key=lambda name: sum(found[name]) / len(found[name]))


def _won(g: ReportData, item: PlayedVariant | None) -> Any:
    return g.metric.estimate_win_rate(item.tally) if item else None


def _cells(g: ReportData) -> Table:
    band = None if g.metric.competitive else targets.win_band(g)
    names = [Column(p, wording.path(p)) for p in g.scenario.sweep]
    columns = [
        *names,
        Column("games", "games", "count"),
        Column("won", g.metric.win_rate_label, "rate"),
        *([Column("target", f"target {targets.text(band)}")] if band else []),
        *([Column("score", "mean score", "mean")] if g.scenario.game.scored else []),
        Column("length", f"mean {g.scenario.game.unit}", "mean"),
        Column("ending", "most common ending"),
    ]
    rows = []
    for item in g.cells:
        won, ends = g.metric.estimate_win_rate(item.tally), item.tally.count_endings()
        label = {
            p: v if type(v) in (int, float) else wording.value(v)
            for p, v in item.result.label.items()
        }
        rows.append(
            {
                **label,
                "games": item.result.games,
                "won": won,
                "target": targets.verdict(won, band) if band else "",
                "score": g.metric.estimate_mean(item.tally, "score 1"),
                "length": g.metric.estimate_mean(item.tally, "rounds"),
                "ending": max(ends, key=lambda e: ends[e]),
            }
        )
    return Table("variants", "Every variant", columns, rows)
