"""How sure is this? Games, intervals, assumptions, limits; and the commands that make every number again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import causes, targets
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.scenarios.load import load_parameters
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.report_run.data import (
    FactorialGrid,
    PlayedVariant,
    ReportData,
    command_options,
)
from hardmode.studies.stats import formatting

PARTS = {
    "cells": "the scenario",
    "skill_levels": "the ladder of strategies",
    "slow_skill_levels": "the ladder, slow strategies",
    "mistake_curves": "the scale of slips",
    "other_mistake_curves": "the scale of slips, other variants",
    "setup_choices": "other choices at set-up",
    "uncertain_grid": "least certain numbers",
    "setup_grid": "choices crossed",
}
OWN = 60  # numbers of a box of one's own that are shown


def section(g: ReportData) -> Section:
    return Section(
        "how-sure",
        "How sure is this?",
        [*_sentences(g), *_doubted(g)],
        _doubts(g),
        tables=[_parts(g), *_own(g), *_assumed(g)],
        notes=_limits(g),
        brief=Brief(2),
        hints=[
            (
                "What is assumed, with range and reason",
                shlex.join(
                    ["hardmode", "list", g.scenario.game.name, *command_options({}, g.first_cell.overlay), "--assumed"]
                ),
            )
        ],
    )


def _sentences(g: ReportData) -> list[str]:
    resting, percent, own = g.first_cell.assumption_count, 100 * g.metric.confidence, g.first_cell.overlay
    return [
        f"Every figure is followed by its interval, as in {formatting.format_rate(g.metric.estimate_win_rate(g.base.tally))}. Of 100 "
        f"such intervals, {percent:g} hold what endless play by the same programs would show. They say nothing about "
        "how real players differ from those programs.",
        *(
            [
                f"Experts, the numbers that matter, the assumptions, luck and the course of games come from a study of "
                f"{g.precomputed_seconds / 60:.2g} minutes that is kept with the scenario; the digests of all that made it still hold."
            ]
            if g.precomputed_seconds
            else []
        ),
        *([f"Played {own.description}, laid over the shipped one."] if own else []),
        f"{resting.unchanged:,} of the {resting.parameters:,} numbers of the box are assumptions, not taken from the "
        "rulebook or a public source."
        if resting.unchanged
        else f"None of the {resting.parameters:,} numbers of the box is an assumption.",
    ]


def _doubted(g: ReportData) -> list[str]:
    """How the verdict moves over the plausible values of the least certain numbers."""
    if not g.uncertain_grid:
        return []
    played = [item for item in g.uncertain_grid.variants.values() if item]
    found = sorted((g.metric.estimate(item.tally) for item in played), key=lambda e: e.value)
    names = wording.listed([f"“{wording.path(path, 2)}”" for path in g.uncertain_grid.paths])
    lowest, highest = (
        formatting.format_with_interval(e, g.metric.value_kind) for e in (found[0], found[-1])
    )
    told = (
        f"Among the numbers that matter most, the least certain: {names}. Over their plausible values, the "
        f"{g.metric.label} runs from {lowest} to {highest}"
    )
    band = None if g.metric.competitive else targets.win_band(g)
    if band:
        met = [targets.verdict(g.metric.estimate_win_rate(item.tally), band) for item in played]
        told += f", inside the target in {met.count(targets.INSIDE)} of {len(met)} fields"
    return [f"{told}. {_moved(g, played)}"]


def _moved(g: ReportData, played: Sequence[PlayedVariant]) -> str:
    """The ending whose share moves most, besides the won ones of which the win rate tells."""
    won = {name for item in played for name in _won(g, item)}
    shares = [
        {name: n / item.tally.games for name, n in item.tally.count_endings().items() if name not in won}
        for item in played
    ]
    spans = {
        name: (min(s[name] for s in shares), max(s[name] for s in shares)) for name in shares[0]
    }
    name = max(spans, key=lambda k: spans[k][1] - spans[k][0])
    low, high = (100 * x for x in spans[name])
    return f"Of the endings “{name}” moves most, from {low:.1f} % to {high:.1f} % of the games."


def _won(g: ReportData, item: PlayedVariant) -> list[str]:
    return (
        [] if g.metric.competitive else [item.tally.game.all_endings[i] for i in item.tally.find_winning_endings()]
    )


def _doubts(g: ReportData) -> list[Figure]:
    if not g.uncertain_grid:
        return []
    called, note = _called(g, g.uncertain_grid)
    if len(g.uncertain_grid.paths) > 1:
        made = causes.fields(g, g.uncertain_grid, "doubts", 2, lambda v: called.get(v, wording.value(v)))
    else:
        name = wording.path(g.uncertain_grid.paths[0], 2)
        rows = [
            {
                "label": called.get(value, wording.value(value)),
                "estimate": g.metric.estimate(item.tally),
            }
            for (value,), item in g.uncertain_grid.variants.items()
            if item
        ]
        made = model.dots(
            "doubts",
            f"{g.metric.label.capitalize()} by {name}",
            rows,
            g.metric.value_kind,
            g.metric.label,
        )
    return [replace(made, note=f"{made.note} {note}".strip())]


def _called(g: ReportData, doubts: FactorialGrid) -> tuple[dict[Any, str], str]:
    """Short names for values that are lists, which a box gives from the least to the most; and what they stand for."""
    names, told = {}, []
    for path, values in zip(doubts.paths, doubts.values, strict=True):
        if isinstance(values[0], tuple):
            own = values.index(tuple(g.first_cell.values[path]))
            for i, value in enumerate(values):
                names[value] = (
                    "as it stands"
                    if i == own
                    else ("less " * (own - i) or "more " * (i - own)).strip()
                )
            each = ", ".join(f"{names[value]} {format_yaml_value(value)}" for value in values)
            told.append(f"{wording.path(path, 2).capitalize()}: {each}.")
    return names, " ".join(told)


def _limits(g: ReportData) -> list[tuple[str, Sequence[str]]]:
    found = [
        ("What the simulation leaves out", g.scenario.game.limits),
        ("Unusual in this scenario", g.scenario.notes),
        ("What was not played", g.omissions),
    ]
    return [(title, texts) for title, texts in found if texts]


def _parts(g: ReportData) -> Table:
    rows = []
    for part, name in PARTS.items():
        items = [i for i in g.played_variants if i.part == part]
        if items:
            widest = max((g.metric.estimate_win_rate(i.tally) for i in items), key=lambda e: e.half_width)
            fewest, most = (pick(i.result.games for i in items) for pick in (min, max))
            rows.append(
                {
                    "part": name,
                    "variants": len(items),
                    "games": sum(i.result.games for i in items),
                    "each": f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}",
                    "within": f"±{100 * widest.half_width:.1f} points",
                }
            )
    return Table(
        "parts",
        "What was played",
        [
            Column("part", "part"),
            Column("variants", "variants", "count"),
            Column("games", "games", "count"),
            Column("each", "games each"),
            Column("within", f"{g.metric.win_rate_label} known to within"),
        ],
        rows,
    )


def _own(g: ReportData) -> list[Table]:
    """What a box of one's own says, and where it has it from."""
    if not g.first_cell.overlay:
        return []
    own, printed = g.first_cell.overlay, load_parameters(g.scenario.game.name)
    rows = [
        {
            "number": path,
            "value": f"{how.rpartition('.')[2]} {model}",
            "shipped": "",
            "source": "",
            "from": "",
        }
        for how, model in own.added_content.items()
        for path in [how.rpartition(".")[0]]
    ]
    for path, leaf in ((path, own.parameters[path]) for path in own.changes):
        shipped = format_yaml_value(printed[path].value) if path in printed else ""
        rows.append(
            {
                "number": path,
                "value": format_yaml_value(leaf.value),
                "shipped": shipped,
                "source": leaf.source,
                "from": leaf.from_,
            }
        )
    more = len(rows) - OWN
    note = (
        f"And {more:,} more: hardmode list {g.scenario.game.name} --box {own.file}"
        if more > 0
        else ""
    )
    return (
        [
            Table(
                "own",
                f"What {own.file} says",
                [
                    Column("number", "number", "code"),
                    Column("value", "value"),
                    Column("shipped", "in the shipped box"),
                    Column("source", "source"),
                    Column("from", "from"),
                ],
                rows[:OWN],
                note,
            )
        ]
        if rows
        else []
    )


def _assumed(g: ReportData) -> list[Table]:
    """How many numbers are assumed, by the first word of their path."""
    leaves = [
        (leaf.path.split(".")[0], leaf.is_assumed and leaf.path not in g.first_cell.changed_values)
        for leaf in g.first_cell.parameters.values()
    ]
    total, assumed = (
        Counter(group for group, _ in leaves),
        Counter(group for group, yes in leaves if yes),
    )
    rows: list[dict[str, Any]] = [
        {"group": wording.path(k), "assumed": assumed[k], "total": total[k]}
        for k in total
        if assumed[k]
    ]
    if not rows:
        return []
    columns = [
        Column("group", "part of the box"),
        Column("assumed", "assumed", "count"),
        Column("total", "numbers", "count"),
    ]
    return [Table("assumed", "What is assumed", columns, rows)]


def again(g: ReportData) -> Section:
    command = shlex.join(
        [
            "hardmode",
            "report",
            g.scenario.name,
            *command_options({}, g.scenario.overlay),
            "--games",
            str(g.base.result.games),
            "--seed",
            str(g.effort.seed),
        ]
    )
    rows = [
        _line("this report", "with as many games", g, command),
        _line("this report", "all its games, compared", g, "hardmode reproduce result.json.gz"),
    ]
    rows += [
        {
            "part": PARTS[i.part],
            "label": i.label or "this scenario",
            "games": i.result.games,
            "command": i.command,
            "digest": i.result.outcome_digest,
        }
        for i in g.played_variants
    ]
    columns = [
        Column("part", "part"),
        Column("label", "variant"),
        Column("games", "games", "count"),
        Column("command", "command", "code"),
        Column("digest", "outcome digest", "code"),
    ]
    made = ", ".join(f"{k} {v}" for k, v in g.base.result.made_by.items())
    return Section(
        "again",
        "How to reproduce every number",
        [
            "Each command plays exactly the games behind its numbers. The digest is made from the outcome of every one of "
            "them: where it is the same, so are the games.",
            f"Made by {made}.",
        ],
        tables=[Table("commands", "The commands", columns, rows)],
    )


def _line(part: str, label: str, g: ReportData, command: str) -> dict[str, Any]:
    return {
        "part": part,
        "label": label,
        "games": sum(i.result.games for i in g.played_variants),
        "command": command,
        "digest": "",
    }
