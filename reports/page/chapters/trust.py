"""Section "How sure is this?": intervals, assumptions and limits; and how to reproduce numbers."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import causes, targets
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.scenarios.load import load_parameters
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.contract import SCORES
from hardmode.studies.playtests.published import load_published_plays
from hardmode.studies.report_run.commands import format_command_options
from hardmode.studies.report_run.data import FactorialGrid, PlayedVariant, ReportData
from hardmode.studies.stats import formatting

PARTS = {
    "cells": "the scenario",
    "skill_levels": "skill levels",
    "slow_skill_levels": "skill levels, slow strategies",
    "mistake_curves": "rates of mistakes",
    "other_mistake_curves": "rates of mistakes, other variants",
    "setup_choices": "other choices at set-up",
    "uncertain_grid": "least certain numbers",
    "setup_grid": "combinations of choices",
}
MAX_OVERLAY_ROWS = 60  # numbers of a custom box that are shown
PAGE_COMMANDS = 3  # that the page shows: for the report, for all its games, for the scenario


def make_trust_section(report: ReportData) -> Section:
    """Return the section on the precision of the report, its assumptions and its limits."""
    options = format_command_options({}, report.first_cell.overlay)
    command = shlex.join(["hardmode", "list", report.scenario.game.name, *options, "--assumed"])
    tables = [
        _make_parts_table(report),
        *_make_overlay_tables(report),
        *_make_assumed_tables(report),
    ]
    return Section(
        "how-sure",
        "How sure is this?",
        [*_write_sentences(report), *_describe_uncertain_grid(report)],
        _make_uncertain_figures(report),
        tables=tables,
        notes=_list_limits(report),
        brief=Brief(2),
        hints=[("To list all assumptions with their ranges and reasons, run", command)],
    )


def _write_sentences(report: ReportData) -> list[str]:
    count, overlay = report.first_cell.assumption_count, report.first_cell.overlay
    rate = formatting.format_rate(report.metric.estimate_win_rate(report.base.tally))
    sentences = [
        f"Every figure is followed by its confidence interval, as in {rate}. Of 100 such "
        f"intervals, {100 * report.metric.confidence:g} contain the value that an infinite number "
        "of games of the same programs would give. They say nothing about how real players differ "
        "from those programs."
    ]
    if report.precomputed_seconds:
        sentences.append(
            "The results on experts, on the numbers that matter, on assumptions, on luck and on "
            "the course of games come from a study of "
            f"{report.precomputed_seconds / 60:.2g} minutes that is stored with the scenario. Its "
            "digests of the rules, the box and the players still match."
        )
    if overlay:
        sentences.append(
            f"The games were played {overlay.description}, which replaces numbers of the shipped "
            "box."
        )
    if count.unchanged:
        verb = "is an assumption" if count.unchanged == 1 else "are assumptions"
        sentences.append(
            f"{count.unchanged:,} of the {count.parameters:,} numbers of the box {verb}, not taken "
            "from the rulebook or a public source."
        )
    else:
        sentences.append(f"None of the {count.parameters:,} numbers of the box is an assumption.")
    return sentences


def _list_uncertain_variants(grid: FactorialGrid) -> list[PlayedVariant]:
    return [item for item in grid.variants.values() if item]


def _describe_uncertain_grid(report: ReportData) -> list[str]:
    """Return how the result changes over the plausible values of the least certain numbers."""
    grid = report.uncertain_grid
    if not grid:
        return []
    variants = _list_uncertain_variants(grid)
    results = [report.metric.estimate(item.tally) for item in variants]
    results.sort(key=lambda e: e.value)
    low, high = (
        formatting.format_with_interval(results[i], report.metric.value_kind) for i in (0, -1)
    )
    names = wording.join_names([f"“{wording.format_path_end(path, 2)}”" for path in grid.paths])
    verb = "is" if len(grid.paths) == 1 else "are"
    sentence = (
        f"Among the numbers that matter most, {names} {verb} the least certain. Over the plausible "
        f"values, the {report.metric.label} runs from {low} to {high}"
    )
    band = targets.get_common_target(report)
    if band:
        verdicts = []
        for item in variants:
            rate = report.metric.estimate_win_rate(item.tally)
            verdicts.append(targets.judge_target(rate, band))
        sentence += (
            f", inside the target in {verdicts.count(targets.INSIDE)} of {len(verdicts)} cells"
        )
    return [f"{sentence}. {_describe_ending_changes(report, variants)}"]


def _describe_ending_changes(report: ReportData, variants: Sequence[PlayedVariant]) -> str:
    """Return the ending whose share changes most, without the endings that the win rate counts."""
    won = set()
    for item in variants:
        if not report.metric.competitive:
            names = item.tally.game.all_endings
            won |= {names[i] for i in item.tally.find_winning_endings()}
    ranges: dict[str, tuple[float, float]] = {}
    for item in variants:
        for name, n in item.tally.count_endings().items():
            if name not in won:
                share = 100 * n / item.tally.games
                low, high = ranges.get(name, (share, share))
                ranges[name] = (min(low, share), max(high, share))
    name = max(ranges, key=lambda k: ranges[k][1] - ranges[k][0])
    low, high = ranges[name]
    return (
        f"The share of the ending “{name}” changes most, from {low:.1f} % to {high:.1f} % of the "
        "games."
    )


def _make_uncertain_figures(report: ReportData) -> list[Figure]:
    grid = report.uncertain_grid
    if not grid:
        return []
    names, note = _name_list_values(report, grid)

    def format_value(value: Any) -> str:
        return names.get(value, wording.format_setup_value(value))

    if len(grid.paths) > 1:
        figure = causes.make_grid_figure(report, grid, "doubts", 2, format_value)
    else:
        rows = []
        for (value,), item in grid.variants.items():
            if item:
                estimate = report.metric.estimate(item.tally)
                rows.append({"label": format_value(value), "estimate": estimate})
        label = report.metric.label
        title = f"{label.capitalize()} by {wording.format_path_end(grid.paths[0], 2)}"
        figure = model.make_dot_plot("doubts", title, rows, report.metric.value_kind, label)
    return [replace(figure, note=f"{figure.note} {note}".strip())]


def _name_list_values(report: ReportData, grid: FactorialGrid) -> tuple[dict[Any, str], str]:
    """Return short names for values that are lists, and a note with the lists.

    A box gives such values from the least to the most.
    """
    names: dict[Any, str] = {}
    sentences = []
    for path, values in zip(grid.paths, grid.values, strict=True):
        if not isinstance(values[0], tuple):
            continue
        present = values.index(tuple(report.first_cell.values[path]))
        explanations = []
        for i, value in enumerate(values):
            steps = ["less"] * (present - i) + ["more"] * (i - present)
            names[value] = " ".join(steps) or "as it stands"
            explanations.append(f"{names[value]} {format_yaml_value(value)}")
        name = wording.format_path_end(path, 2).capitalize()
        sentences.append(f"{name}: {', '.join(explanations)}.")
    return names, " ".join(sentences)


def _list_limits(report: ReportData) -> list[tuple[str, Sequence[str]]]:
    limits = [
        ("What the simulation leaves out", report.scenario.game.limits),
        ("Unusual in this scenario", report.scenario.notes),
        ("What was not played", report.omissions),
        ("Plays that were reported in public", _describe_published_plays(report)),
    ]
    return [(title, texts) for title, texts in limits if texts]


def _describe_published_plays(report: ReportData) -> list[str]:
    """Return what is known of plays by people, with their sources; nothing if there are none."""
    lines = []
    for published in load_published_plays(report.first_cell):
        scores, results = [], Counter[bool]()
        for record in published.records:
            if SCORES in record.numbers:
                scores.append(f"{record.numbers[SCORES]:g}")
            if record.won is not None:
                results[record.won] += 1
        days = [record.day for record in published.records if record.day]
        parts = [wording.format_count(len(published.records), "play")]
        if days:
            parts.append(f"of {min(days):%-d %B %Y}")
        if scores:
            parts.append(f"with {wording.pluralize(len(scores), 'score')} {' and '.join(scores)}")
        parts.append(f"({results[True]} won)" if results else "(whether they were won is not told)")
        lines.append(f"{' '.join(parts)}; source: {published.source}")
    if lines:
        lines.append(
            "People played these games, not the simulation. No figure of this page rests on them: "
            "`hardmode fit` says what they tell, and so few tell little."
        )
    return lines


def _make_parts_table(report: ReportData) -> ReportTable:
    rows = []
    for part, name in PARTS.items():
        items = [item for item in report.played_variants if item.part == part]
        if not items:
            continue
        games = [item.result.games for item in items]
        games_each = f"{min(games):,}"
        if min(games) < max(games):
            games_each += f" to {max(games):,}"
        half_widths = [report.metric.estimate_win_rate(item.tally).half_width for item in items]
        rows.append(
            {
                "part": name,
                "variants": len(items),
                "games": sum(games),
                "each": games_each,
                "within": f"±{100 * max(half_widths):.1f} points",
            }
        )
    columns = [
        Column("part", "part"),
        Column("variants", "variants", "count"),
        Column("games", "games", "count"),
        Column("each", "games each"),
        Column("within", f"{report.metric.win_rate_label} known to within"),
    ]
    return ReportTable("parts", "What was played", columns, rows)


def _make_overlay_tables(report: ReportData) -> list[ReportTable]:
    """Return the numbers of a custom box with their sources."""
    overlay = report.first_cell.overlay
    if not overlay:
        return []
    shipped = load_parameters(report.scenario.game.name)
    rows = []
    for change, template in overlay.added_content.items():
        path, _, kind = change.rpartition(".")
        value = f"{kind} {template}"
        rows.append({"number": path, "value": value, "shipped": "", "source": "", "from": ""})
    for path in overlay.changes:
        parameter = overlay.parameters[path]
        rows.append(
            {
                "number": path,
                "value": format_yaml_value(parameter.value),
                "shipped": format_yaml_value(shipped[path].value) if path in shipped else "",
                "source": parameter.source,
                "from": parameter.from_,
            }
        )
    if not rows:
        return []
    more = len(rows) - MAX_OVERLAY_ROWS
    note = ""
    if more > 0:
        command = f"hardmode list {report.scenario.game.name} --box {overlay.file}"
        note = f"{wording.format_count(more, 'more row')} can be listed with {command}"
    columns = [
        Column("number", "number", "code"),
        Column("value", "value"),
        Column("shipped", "in the shipped box"),
        Column("source", "source"),
        Column("from", "from"),
    ]
    title = f"Numbers in {overlay.file}"
    return [ReportTable("own", title, columns, rows[:MAX_OVERLAY_ROWS], note)]


def _make_assumed_tables(report: ReportData) -> list[ReportTable]:
    """Return how many numbers are assumed, by the first word of their path."""
    cell = report.first_cell
    total: Counter[str] = Counter()
    assumed: Counter[str] = Counter()
    for parameter in cell.parameters.values():
        group = parameter.path.split(".")[0]
        total[group] += 1
        assumed[group] += parameter.is_assumed and parameter.path not in cell.changed_values
    rows: list[Mapping[str, Any]] = []
    for group, n in total.items():
        if assumed[group]:
            name = wording.format_path_end(group)
            rows.append({"group": name, "assumed": assumed[group], "total": n})
    if not rows:
        return []
    columns = [
        Column("group", "part of the box"),
        Column("assumed", "assumed", "count"),
        Column("total", "numbers", "count"),
    ]
    return [ReportTable("assumed", "What is assumed", columns, rows)]


def make_reproduction_section(report: ReportData) -> Section:
    """Return the section with the commands that reproduce every number."""
    options = format_command_options({}, report.scenario.overlay)
    games, seed = str(report.base.result.games), str(report.effort.seed)
    command = shlex.join(
        ["hardmode", "report", report.scenario.name, *options, "--games", games, "--seed", seed]
    )
    reproduce = "hardmode reproduce result.json.gz"
    rows = [
        _make_report_row(report, "with the same number of games", command),
        _make_report_row(report, "all games, compared with these", reproduce),
    ]
    for item in report.played_variants:
        rows.append(
            {
                "part": PARTS[item.part],
                "label": item.label or "this scenario",
                "games": item.result.games,
                "command": item.command,
                "digest": item.result.outcome_digest,
            }
        )
    columns = [
        Column("part", "part"),
        Column("label", "variant"),
        Column("games", "games", "count"),
        Column("command", "command", "code"),
        Column("digest", "outcome digest", "code"),
    ]
    versions = [f"{name} {version}" for name, version in report.base.result.made_by.items()]
    return Section(
        "again",
        "How to reproduce every number",
        [
            "Each command plays exactly the games behind its numbers. The digest is computed from "
            "the outcomes of all these games: if the digests are equal, so are the games.",
            f"This report was made by {', '.join(versions)}.",
        ],
        tables=[ReportTable("commands", "The commands", columns, rows, page_rows=PAGE_COMMANDS)],
    )


def _make_report_row(report: ReportData, label: str, command: str) -> dict[str, Any]:
    return {
        "part": "this report",
        "label": label,
        "games": sum(item.result.games for item in report.played_variants),
        "command": command,
        "digest": "",
    }
