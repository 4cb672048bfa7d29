"""Output of `sensitivity`: significant steps first, then unresolved and unused numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    Verdict,
    format_title,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import (
    describe_missing_time,
    format_count,
    format_games,
    join_names,
    truncate,
)
from hardmode.reports.page import model
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.sensitivity.analysis import JOINTLY, SensitivityAnalysis
from hardmode.studies.sensitivity.levers import rank_levers
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, group_by_path
from hardmode.studies.sensitivity.screening import LEADING_COUNT, SMALLEST_EFFECT
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import MINUS, format_with_interval

BAR_WIDTH = 8  # characters of the longest bar to each side
MAX_VALUE_CHARS = 24  # of a value in the text of a step
MAX_NUMBERS = 20  # in the table and in the plot
MAX_NAMES = 12  # paths in a sentence
MAX_NEXT = 2  # further paths in the verdict
MAX_TABLE_STEPS = 4  # of one number in the table
MAX_PLOT_STEPS = 2  # of one number in the plot
POINTS = 100  # percentage points of a difference of 1
LEFT_HEADERS = ("number", "step", "", "from")


def print_sensitivity(
    analysis: SensitivityAnalysis, arguments: str = PLACEHOLDER, details: bool = False
) -> None:
    """Print the verdict, and the effect of one step of each number on the win rate.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
    """
    print_verdict(make_verdict(analysis, arguments))
    if analysis.levers:
        out.print(_make_effect_table(analysis))
    for line in _describe_results(analysis):
        out.print(escape(line))
    interrupted = "interrupted; " if analysis.interrupted else ""
    n = len(analysis.effects)
    confidence = f"{POINTS * analysis.confidence:g} %"
    print_details(
        [
            f"{interrupted}all {n} intervals hold together at {confidence}; the false discovery "
            f"rate of the significant steps is {POINTS * (1 - analysis.confidence):g} % "
            f"(Benjamini-Hochberg); {format_games(analysis.base_games)} without a change; "
            f"seed {analysis.seed}"
        ],
        details,
    )


def make_verdict(analysis: SensitivityAnalysis, arguments: str = PLACEHOLDER) -> Verdict:
    """Return which number matters most, how certain that is, and what to try next."""
    verdict = describe_verdict(analysis)
    certainty = f"{verdict[0].upper()}{verdict[1:]}."
    rate = describe_win_rate(analysis)
    disputed = list_disputed_steps(analysis)
    if disputed:
        paths = _join_paths([effect.path for effect in disputed])
        certainty += (
            f" With steady players, the effect of {paths} has another sign or differs by more than "
            "half."
        )
    title = format_title(analysis.cell, analysis.base_rate)
    levers = [lever.effects[0] for lever in rank_levers(analysis)]
    if not levers:
        answer = f"Too few games to tell which number changes the {rate}."
        next_step = "more --games settles the open steps"
        if analysis.missing_seconds is not None:
            next_step = "more --seconds settles the open steps"
        if not analysis.undecided:
            answer = certainty
            certainty = f"This is settled for all {format_count(len(analysis.effects), 'step')}."
            next_step = f"hardmode choices {arguments} shows what the options are worth"
        return Verdict(title, answer, certainty, next_step)
    first, *others = levers
    estimate = analysis.choose_better_estimate(first)
    points = format_with_interval(estimate, "points")
    shown = [analysis.choose_better_estimate(effect) for effect in analysis.levers]
    if not all(better.excludes(0.0) for better in shown):
        n = len(analysis.effects)
        certainty += (
            f" The intervals of all {n:,} steps hold together, so they are wide, and that of a "
            "significant step may contain 0."
        )
    strongest = analysis.levers[0]
    scope = "" if strongest is first else "Of all single numbers, "
    answer = (
        f"{scope}{first.path} changes the {rate} most: {format_step(first)} changes it by {points} "
        "points."
    )
    if others:
        answer += f" Next come {join_names([effect.path for effect in others[:MAX_NEXT]])}."
    if strongest is not first:
        estimate = analysis.choose_better_estimate(strongest)
        answer += (
            f" {strongest.path} changes it more: {format_step(strongest)} by "
            f"{format_with_interval(estimate, 'points')} points."
        )
    next_step = (
        f"hardmode solve {arguments} --target {_format_target(analysis)} --by {first.path} shows "
        "which value gives 50 %"
    )
    return Verdict(title, answer, certainty, next_step)


def _format_target(analysis: SensitivityAnalysis) -> str:
    competes = analysis.cell.seats_compete
    return '"seat 1=50%"' if competes else "win_rate=50%"


def _make_effect_table(analysis: SensitivityAnalysis) -> Table:
    significant = analysis.levers
    headers = ["number", "step", "points", "", "gained", "lost", analysis.game.unit, "games"]
    shown = []
    for steps in list(group_by_path(significant).values())[:MAX_NUMBERS]:
        shown += steps[:MAX_TABLE_STEPS]
    better = [analysis.choose_better_estimate(effect) for effect in shown]
    largest = max(abs(estimate.value) for estimate in better) or 1.0
    columns = [
        format_estimates(better, "points"),
        [_draw_bar(effect.value / largest) for effect in better],
        [f"{effect.wins_gained:,}" for effect in shown],
        [f"{effect.wins_lost:,}" for effect in shown],
        _format_length_changes(analysis, shown),
        [f"{effect.games:,}" for effect in shown],
    ]
    if any(analysis.is_joint_effect_better(effect) for effect in shown):
        headers.append("from")
        columns.append([analysis.describe_source(effect) for effect in shown])
    if analysis.steady_effects:
        headers.append("steady")
        steady = [analysis.estimate_with_steady(effect) for effect in shown]
        columns.append(format_estimates(steady, "points"))
    table = Table(header_style="bold")
    for header in headers:
        table.add_column(
            header,
            justify="left" if header in LEFT_HEADERS else "right",
            no_wrap=header not in ("number", "step"),
            overflow="fold",
        )
    rows = zip(*columns, strict=True)
    for path, steps in list(group_by_path(significant).items())[:MAX_NUMBERS]:
        for i, effect in enumerate(steps[:MAX_TABLE_STEPS]):
            name = "" if i else escape(path)
            table.add_row(name, escape(format_step(effect)), *next(rows))
        more = len(steps) - MAX_TABLE_STEPS
        if more > 0:
            table.add_row("", f"and {format_count(more, 'more step')}")
    return table


def _format_length_changes(
    analysis: SensitivityAnalysis, effects: Sequence[ParameterEffect]
) -> list[str]:
    changes = [analysis.estimate_length_change(effect) for effect in effects]
    return format_estimates(changes, "change", interval=False)


def format_step(effect: ParameterEffect) -> str:
    """Return a step, such as "3 to 4"; if all items of a list move alike, such as "each +1"."""
    if isinstance(effect.before, list) and _are_numbers([*effect.before, *effect.after]):
        steps = [b - a for a, b in zip(effect.before, effect.after, strict=True)]
        return f"each {max(steps, key=abs):+g}".replace("-", MINUS)
    before, after = (
        truncate(format_yaml_value(value), MAX_VALUE_CHARS)
        for value in (effect.before, effect.after)
    )
    return f"{before} to {after}"


def _are_numbers(values: Sequence[Any]) -> bool:
    """Return whether all values are numbers, and there are any."""
    return bool(values) and all(isinstance(value, (int, float)) for value in values)


def _draw_bar(share: float) -> str:
    """Return one arm of the tornado: to the left if games are lost, to the right if won."""
    arm = "█" * max(1, round(BAR_WIDTH * abs(share)))
    return f"{arm:>{BAR_WIDTH}}│" if share < 0 else f"{'':{BAR_WIDTH}}│{arm}"


def list_disputed_steps(analysis: SensitivityAnalysis) -> list[ParameterEffect]:
    """Return the leading steps whose effect differs if `steady` plays."""
    leading = analysis.significant[:LEADING_COUNT]
    return [effect for effect in leading if is_step_disputed(analysis, effect)]


def is_step_disputed(analysis: SensitivityAnalysis, effect: ParameterEffect) -> bool:
    """Return whether an effect differs in sign or by more than half if `steady` plays."""
    steady = analysis.estimate_with_steady(effect)
    return steady is not None and players_disagree(analysis.estimate_difference(effect), steady)


def _describe_results(analysis: SensitivityAnalysis) -> list[str]:
    """Return what is known of the steps that are not significant."""
    effects = analysis.effects
    unresolved = [effect for effect in analysis.not_significant if effect.games]
    n_unplayed = sum(effect.changes_box and not effect.games for effect in effects)
    lines: list[str] = []
    if analysis.setup_effects:
        steps = _list_steps(analysis, analysis.setup_effects)
        lines.append(f"choices at set-up that matter, in points: {steps}")
    if analysis.farthest_effects:
        lines.append(
            "one step changes no game, but the end of the range matters, in points: "
            f"{_list_steps(analysis, analysis.farthest_effects)}"
        )
    if n_unplayed:
        lines.append(f"not played: there was no time for {format_count(n_unplayed, 'step')}")
    if unresolved:
        lines.append(_describe_unresolved(analysis, unresolved))
        if analysis.looks > 1:
            lines.append(describe_detection_limit(analysis))
    if analysis.unused:
        paths = _join_paths(analysis.unused)
        lines.append(
            f"unused: no plausible value of these numbers changes the box of this scenario: {paths}"
        )
    if analysis.no_change_seen:
        lines.append(_describe_no_change(analysis))
    if analysis.refused:
        first = analysis.refused[0]
        steps = format_count(len(analysis.refused), "step")
        lines.append(
            f"the game rejects {steps}, for example {first.path} {format_step(first)} "
            f"({first.refusal})"
        )
    return lines


def describe_verdict(analysis: SensitivityAnalysis) -> str:
    """Return which steps matter, as far as the games that were played can tell."""
    n = len(analysis.significant)
    n_open = len(analysis.undecided)
    rate = describe_win_rate(analysis)
    if n:
        verb = "changes" if n == 1 else "change"
        of = format_count(len(analysis.effects), "step")
        text = f"{n} of {of} {verb} the {rate} significantly"
    elif n_open:
        text = f"too few games to tell which steps change the {rate}"
    else:
        points = f"{POINTS * SMALLEST_EFFECT:g} points"
        steps = format_count(len(analysis.effects), "step")
        return f"none of {steps} changes the {rate} by {points} or more"
    if n_open:
        verb = "is" if n_open == 1 else "are"
        more = describe_missing_time(analysis.missing_seconds)
        text += f"; {n_open:,} of the steps {verb} open: {more}"
    elif n < len(analysis.effects):
        text += "; the others may have smaller effects or none"
    return text


def _list_steps(analysis: SensitivityAnalysis, effects: Sequence[ParameterEffect]) -> str:
    """Return effects that are not ranked with the numbers, as a list in a sentence."""
    texts = []
    for effect in effects[:MAX_NAMES]:
        points = format_with_interval(analysis.estimate_difference(effect), "points")
        texts.append(f"{effect.path} {format_step(effect)} {points}")
    more = len(effects) - MAX_NAMES
    end = f" and {more} more" if more > 0 else ""
    return f"{'; '.join(texts)}{end}"


def _describe_unresolved(
    analysis: SensitivityAnalysis, unresolved: Sequence[ParameterEffect]
) -> str:
    first = unresolved[0]
    bound = POINTS * analysis.get_outer_bound(first)
    widest = f"{first.path} {format_step(first)} in {format_games(first.games)}"
    return (
        f"not resolved: {format_count(len(unresolved), 'step')} with effects of at most "
        f"{bound:.1f} points (largest bound: {widest}){describe_joint_bounds(analysis)}"
    )


def _describe_no_change(analysis: SensitivityAnalysis) -> str:
    paths = analysis.no_change_seen
    games = [e.games for e in analysis.effects if e.path in paths and e.changes_box]
    fewest = format_games(min(games, default=0))
    return (
        f"without effect: even at the ends of their plausible ranges, none of {fewest} changed: "
        f"{_join_paths(paths)}"
    )


def describe_joint_bounds(analysis: SensitivityAnalysis) -> str:
    """Return how many of the bounds come from boxes in which other numbers change too."""
    n = sum(analysis.is_bounded_by_joint_effect(effect) for effect in analysis.not_significant)
    if not n:
        return ""
    return f", {n:,} of them on average over boxes in which other numbers change too"


def describe_detection_limit(analysis: SensitivityAnalysis) -> str:
    """Return how large an effect must be to be found almost certainly."""
    points = f"{POINTS * SMALLEST_EFFECT:g}"
    text = (
        f"a step that changes the {describe_win_rate(analysis)} by {points} points is found in at "
        "least 9 of 10 cases"
    )
    if not analysis.undecided:
        return text
    undecided = format_count(len(analysis.undecided), "step")
    return f"{text}; this does not hold for {undecided} for which the time ran out"


def _join_paths(paths: Sequence[str]) -> str:
    names = list(dict.fromkeys(paths))
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def make_step_table(analysis: SensitivityAnalysis) -> model.ReportTable:
    """Return every step that was played, the significant ones first."""
    significant = set(analysis.significant)
    others = [effect for effect in analysis.effects if effect not in significant]
    rows = []
    for effect in [*analysis.significant, *others]:
        if not effect.games:
            continue
        row = {
            "path": effect.path,
            "from": format_yaml_value(effect.before),
            "to": format_yaml_value(effect.after),
            "points": analysis.choose_better_estimate(effect),
            "told_by": analysis.describe_source(effect),
            "alone": analysis.estimate_difference(effect),
            "in_company": analysis.estimate_joint_effect(effect),
            "gained": effect.wins_gained,
            "lost": effect.wins_lost,
            "length": analysis.estimate_length_change(effect),
            "games": effect.games,
            "matters": "yes" if effect in significant else "not shown",
        }
        rows.append(row)
    columns = [
        model.Column("path", "number", "code"),
        model.Column("from", "from"),
        model.Column("to", "to"),
        model.Column("points", "points", "points"),
        model.Column("gained", "gained", "count"),
        model.Column("lost", "lost", "count"),
        model.Column("length", analysis.game.unit, "change"),
        model.Column("games", "games", "count"),
        model.Column("matters", "matters"),
    ]
    if any(effect.joint_effect for effect in analysis.effects):
        columns[4:4] = [
            model.Column("told_by", "told by"),
            model.Column("alone", "alone", "points"),
            model.Column("in_company", "in company", "points"),
        ]
    return model.ReportTable("sensitivity", _make_title(analysis), columns, rows)


def make_tornado_figure(analysis: SensitivityAnalysis, max_numbers: int) -> model.Figure:
    """Return a plot of the strongest numbers, each with its strongest steps."""
    rows = []
    for path, steps in list(group_by_path(analysis.levers).items())[:max_numbers]:
        label = path
        if len(steps) > MAX_PLOT_STEPS:
            label = f"{path} ({format_count(len(steps), 'step')})"
        bars = [_label_estimate(analysis, effect) for effect in steps[:MAX_PLOT_STEPS]]
        rows.append({"label": label, "steps": bars})
    axis = f"points of {describe_win_rate(analysis)}"
    return model.make_tornado_plot("tornado", _make_title(analysis), rows, axis)


def _label_estimate(analysis: SensitivityAnalysis, effect: ParameterEffect) -> tuple[str, Estimate]:
    """Return the label of a step, and its effect alone or jointly, whichever is known better."""
    label = _format_short_step(effect)
    if analysis.is_joint_effect_better(effect):
        label = f"{label}, {JOINTLY}"
    return label, analysis.choose_better_estimate(effect)


def _format_short_step(effect: ParameterEffect) -> str:
    """Return "3 to 4"; for a choice, whose value before is the same in all rows, the new value."""
    if isinstance(effect.after, (str, bool)):
        return format_yaml_value(effect.after)
    return format_step(effect)


def describe_win_rate(analysis: SensitivityAnalysis) -> str:
    """Return the rate that the effects are differences of."""
    competes = analysis.cell.seats_compete
    return "win rate of seat 1" if competes else "win rate"


def _make_title(analysis: SensitivityAnalysis) -> str:
    players = describe_players(analysis.cell)
    return f"{analysis.cell.title}: each number one step away, played by {players}"
