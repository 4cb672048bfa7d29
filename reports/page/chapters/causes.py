"""What makes it so? What each choice and each chance at set-up does, alone and two together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.factors import FactorValue, effects, headline_of, levels, pairs
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.scenarios.labels import PLAYERS_PATH, STRATEGIES_LABEL
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import compute_power_sums, count_wins
from hardmode.studies.report_run.data import FactorialGrid, PlayedVariant, ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

MOST_LEVELS, FEWEST_GAMES = 24, 30
ANY = "any"

NOTES = {
    "choices": "Each against the scenario as it stands.",
    "swept": "Each against all the other variants.",
    "dealt": "Each against the games that were dealt another: the difference is its doing.",
    "during": "Each against the games with another. Players who do well meet other things than others do: no "
    "cause is claimed.",
}

Row = dict[str, Any]


def section(g: ReportData) -> Section:
    chosen, swept = _chosen(g), _swept(g)
    dots = [
        _dots(g, "choices", "What other set-up choices would change", chosen),
        _dots(g, "swept", "What each value of the grid changes", swept),
    ]
    figures = [f for f in (*dots, *_crossed(g)) if f]
    rows = [*chosen, *swept]
    return Section(
        "why",
        "What makes it so?",
        _sentences(g, rows),
        figures,
        [_table(g, "effects", "Every difference", rows)] if rows else [],
        brief=Brief(1, ["choices", "swept"]),
    )


def along(g: ReportData) -> Section | None:
    """What goes with winning: what chance dealt before play is a cause of it, what comes about in play need not be."""
    dealt, during = along_rows(g)
    if not dealt and not during:
        return None
    figures = [
        _dots(g, "dealt", "Dealt before play", dealt),
        _dots(g, "during", "Come about in play", during),
    ]
    told = [
        *_most(g, dealt, "Among what chance deals before play", "That is the deal's own doing."),
        *_most(
            g,
            during,
            "Among what comes about in play",
            "That goes with winning; it need not be what wins, "
            "and is mostly what a good or a bad game looks like.",
        ),
    ]
    return Section(
        "along",
        "What goes with winning?",
        told or ["Nothing that sets games apart was seen to."],
        [f for f in (*figures, *_pairs(g)) if f],
        [_table(g, "along", "Everything that sets games apart", [*dealt, *during])],
        brief=Brief(2, ["dealt"] if dealt else []),
    )


def along_rows(g: ReportData) -> tuple[list[Row], list[Row]]:
    """What was dealt, and what came about. What is drawn before play and turned up later is known of games that turned
    it up alone, so it is taken from games in which each value was set."""
    dealt: list[Row] = []
    during: list[Row] = []
    for m in g.scenario.game.measures:
        if not m.factor or (g.metric.competitive and not g.metric.by_score and not m.per_seat):
            continue
        path = f"setup.{m.name.replace(' ', '_')}"
        if (
            m.name not in g.setup_factors
            and not m.per_seat
            and g.first_cell.values.get(path) == ANY
            and path in g.setup_choices
        ):
            dealt += _drawn(
                g, m.name, {wording.value(v): _level(i.tally) for v, i in g.setup_choices[path].items()}
            )
        else:
            (dealt if m.name in g.setup_factors else during).extend(
                _drawn(g, m.name, levels(g.total_tally, m.name))
            )
    return dealt, during


def _sentences(g: ReportData, rows: list[Row]) -> list[str]:
    """The strongest of what can be chosen."""
    return _most(g, rows, "Among the choices at set-up", "") or [
        "No choice at set-up was seen to make a difference."
    ]


def lead(g: ReportData) -> list[str]:
    """The same for the head of the page, where there is something to tell."""
    return _most(g, [*_chosen(g), *_swept(g)], "Among the choices at set-up", "")


def _most(g: ReportData, rows: list[Row], what: str, then: str) -> list[str]:
    clear = [r for r in rows if r["effect"].excludes(0.0)]
    if not clear:
        return []
    most = max(clear, key=lambda r: abs(r["effect"].value))
    unit = " points of score" if g.metric.by_score else " points"
    value, _, span = formatting.format_with_interval(most["effect"], g.metric.change_kind).partition(
        " "
    )
    return [
        f"{what}, “{most['name']}” makes the largest difference: {value}{unit} {span} {most['against']}. {then}".rstrip()
    ]


def _row(
    group: str, label: str, games: int, value: Estimate, effect: Estimate, against: str
) -> Row:
    what = group.partition(" (now")[0]
    name = f"{label} player{'s' * (label != '1')}" if what == "players" else f"{what} {label}"
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


def _chosen(g: ReportData) -> list[Row]:
    """Each other choice, one at a time, against the scenario as it stands."""
    return [
        _row(
            f"{wording.path(path)} (now {wording.value(g.first_cell.values[path])})",
            wording.value(value),
            item.result.games,
            g.metric.estimate(item.tally),
            g.metric.estimate_change(item.tally, g.base.tally),
            "against the scenario as it stands",
        )
        for path, items in g.setup_choices.items()
        if _comparable(g, path)
        for value, item in items.items()
    ]


def _comparable(g: ReportData, path: str) -> bool:
    """Among rivals a seat's share falls with every other seat: that says nothing of the set-up."""
    return path != PLAYERS_PATH or not g.metric.competitive or g.metric.by_score


def _drawn(g: ReportData, name: str, values: Mapping[str, FactorValue]) -> list[Row]:
    """Each value that games had, against the games that had another."""
    found = {value: x for value, x in values.items() if x.games >= FEWEST_GAMES}
    if not 2 <= len(found) <= MOST_LEVELS:
        return []
    return [
        _row(
            name,
            value,
            found[value].games,
            headline_of(g.metric, found[value]),
            effect,
            f"against games with another {name}",
        )
        for value, effect in effects(g.metric, found).items()
    ]


def _swept(g: ReportData) -> list[Row]:
    """Each value of the grid's own paths, against all cells that have another."""
    rows = []
    for path in g.scenario.sweep:
        found: dict[str, FactorValue] = {}
        for item in g.cells:
            name = wording.value(item.result.label[path])
            found[name] = found.get(name, FactorValue(0, 0, 0, 0)) + _level(item.tally)
        if 2 <= len(found):
            rows += [
                _row(
                    "strategy" if path == STRATEGIES_LABEL else wording.path(path),
                    name,
                    found[name].games,
                    headline_of(g.metric, found[name]),
                    effect,
                    "against all the other variants",
                )
                for name, effect in effects(g.metric, found).items()
            ]
    return rows


def _level(tally: Tally) -> FactorValue:
    _, score, squared = compute_power_sums(tally.count_values("score 1"))
    return FactorValue(tally.games, count_wins(tally), score, squared)


def _dots(g: ReportData, name: str, title: str, rows: list[Row]) -> Figure | None:
    if not rows:
        return None
    shown = g.metric.seat_label if name in ("dealt", "during") else g.metric.label
    axis = f"change of the {shown}" + ("" if g.metric.by_score else ", in points")
    return model.dots(name, title, rows, g.metric.change_kind, axis, mark=0.0, note=NOTES[name])


def _crossed(g: ReportData) -> list[Figure]:
    return [fields(g, g.setup_grid, "crossed")] if g.setup_grid else []


def fields(
    g: ReportData,
    crossed: FactorialGrid,
    name: str,
    parts: int = 1,
    said: Callable[[Any], str] = wording.value,
) -> Figure:
    """Every combination of two or three choices as a field."""
    names = [wording.path(p, parts) for p in crossed.paths]
    panels = []
    for extra in crossed.values[2] if len(names) == 3 else [None]:
        cells = [
            [
                _headline(g, crossed.variants[(r, c) if extra is None else (r, c, extra)])
                for c in crossed.values[1]
            ]
            for r in crossed.values[0]
        ]
        panels.append(
            {
                "title": "" if extra is None else f"{names[2]} {said(extra)}",
                "cells": cells,
                "rows": [said(r) for r in crossed.values[0]],
                "columns": [said(c) for c in crossed.values[1]],
            }
        )
    games = {item.result.games for item in crossed.variants.values() if item}
    return model.heat(
        name,
        f"{g.metric.label.capitalize()} by {wording.listed(names)}",
        panels,
        g.metric.value_kind,
        names[0],
        names[1],
        g.metric.label,
        note=f"{min(games):,} games or more in each field."
        if len(games) > 1
        else f"{wording.games(min(games))} in each field.",
    )


def _headline(g: ReportData, item: PlayedVariant | None) -> Estimate | None:
    return g.metric.estimate(item.tally) if item else None


def _pairs(g: ReportData) -> list[Figure]:
    """The two factors dealt by chance that together part the games most."""
    made: list[tuple[float, Figure]] = []
    for (one, other), found in pairs(g.total_tally).items():
        if not g.setup_factors >= {one, other}:
            continue
        known = {k: headline_of(g.metric, x) for k, x in found.items() if x.games >= FEWEST_GAMES}
        rows, columns = (list(dict.fromkeys(k[i] for k in known)) for i in (0, 1))
        if (g.metric.competitive and not g.metric.by_score) or not (
            2 <= len(rows) <= 16 and 2 <= len(columns) <= 16
        ):
            continue
        if len(columns) > len(rows):
            rows, columns, one, other = columns, rows, other, one
            known = {(b, a): e for (a, b), e in known.items()}
        spread = max(e.value for e in known.values()) - min(e.value for e in known.values())
        made.append((spread, _pair(g, one, other, rows, columns, known)))
    return [figure for _, figure in sorted(made, key=lambda m: -m[0])[:1]]


def _pair(
    g: ReportData,
    one: str,
    other: str,
    rows: list[str],
    columns: list[str],
    known: Mapping[tuple[str, str], Estimate],
) -> Figure:
    cells = [[known.get((r, c)) for c in columns] for r in rows]
    panel = {"title": "", "rows": rows, "columns": columns, "cells": cells}
    name = g.metric.seat_label
    return model.heat(
        "dealt-pairs",
        f"{name.capitalize()} by {one} and {other}, as dealt",
        [panel],
        g.metric.value_kind,
        one,
        other,
        name,
        note=f"From the games of the scenario itself; fields with fewer than {FEWEST_GAMES} are empty.",
    )


def _table(g: ReportData, name: str, title: str, rows: list[Row]) -> Table:
    return Table(
        name,
        title,
        [
            Column("group", "what"),
            Column("label", "value"),
            Column("games", "games", "count"),
            Column("value", g.metric.label, g.metric.value_kind),
            Column(
                "effect",
                "difference" + ("" if g.metric.by_score else ", points"),
                g.metric.change_kind,
            ),
            Column("against", "compared"),
        ],
        rows,
    )
