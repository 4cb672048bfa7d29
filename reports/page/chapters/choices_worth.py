"""What is a choice worth? Every kind of option forbidden, and always taken; what lies in the box taken out."""

from __future__ import annotations

import shlex

from hardmode.reports.console import choices, wording
from hardmode.reports.page import model
from hardmode.reports.page.model import Column, Figure, Section, Table
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import ALWAYS, FORBIDDEN, ChoiceAnalysis, OptionEffect
from hardmode.studies.report_run.data import ReportData, command_options, label_settings
from hardmode.studies.sensitivity.paired_effects import ParameterEffect
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

MOST_DRAWN, MOST_ROWS = 8, 24
WAYS = {FORBIDDEN: "forbidden for a whole game", ALWAYS: "taken wherever it is offered"}


def section(g: ReportData) -> Section | None:
    title, found = "What is a choice worth?", g.option_values
    if not g.scenario.game.labels:
        return None
    command = shlex.join(
        ["hardmode", "choices", g.scenario.name, *command_options(label_settings(g.first_cell), g.first_cell.overlay)]
    )
    if found is None:
        return Section(
            "choices-worth",
            title,
            ["There was no time to try choices."],
            hints=[("What they are worth", command)],
        )
    ranked = [c for c in choices.ranked(found) if c.forbidden.games or c.always.games]
    tables = [_options(found, ranked), _content(g, found)]
    return Section(
        "choices-worth",
        title,
        _sentences(g, found, ranked),
        [f for f in [_figure(g, found, ranked)] if f],
        [t for t in tables if t.rows],
        hints=[("More games", f"{command} --seconds 300")],
    )


def _sentences(g: ReportData, found: ChoiceAnalysis, ranked: list[OptionEffect]) -> list[str]:
    of = f" of the first variant, {g.base.label}," if len(g.cells) > 1 else ""
    by = "seat 1 alone" if g.metric.competitive else wording.by(found.cell)
    told = [
        f"Each kind of option{of} was forbidden for a whole game, and taken wherever it was offered, by {by}, on "
        "the same luck. Where nothing else is left, what is forbidden is taken all the same."
    ]
    lost = [c for c in ranked if c.forbidden.games and found.estimate_effect(c.forbidden).high < 0]
    if lost:
        most = min(lost, key=lambda c: c.forbidden.value)
        value, _, span = formatting.format_with_interval(
            found.estimate_effect(most.forbidden), "points"
        ).partition(" ")
        told.append(
            f"Most is lost without “{most.name}”: {value} points of {g.metric.win_rate_label} {span}."
        )
    better = [c.name for c in ranked for n in c.both if n.games and found.estimate_effect(n).low > 0]
    if better:
        told.append(
            f"More is won by another habit than theirs with {wording.listed(list(dict.fromkeys(better)))}."
        )
    if found.unplayed_count:
        told.append(f"For {found.unplayed_count} more restrictions there was no time.")
    return told


def _figure(g: ReportData, found: ChoiceAnalysis, ranked: list[OptionEffect]) -> Figure | None:
    rows = [
        {"group": WAYS[str(n.after)], "label": n.path, "estimate": found.estimate_effect(n)}
        for way in (0, 1)
        for n in [c.both[way] for c in ranked[:MOST_DRAWN]]
        if n.games
    ]
    if not rows:
        return None
    return model.dots(
        "choices-worth",
        "What becomes of games",
        rows,
        "points",
        f"change of the {g.metric.win_rate_label}, in points",
        mark=0.0,
    )


def _options(found: ChoiceAnalysis, ranked: list[OptionEffect]) -> Table:
    habit = found.own_frequencies
    sure = found.confidence
    rows = [
        {
            "option": c.name,
            "games": estimates.wilson_rate(int(habit.games_offered[c.label]), habit.games, sure),
            "taken": habit.estimate_take_rate(c.label, sure),
            "forbidden": _effect(found, c.forbidden),
            "always": _effect(found, c.always),
        }
        for c in ranked[:MOST_ROWS]
    ]
    more = f" {len(ranked) - MOST_ROWS} more moved less." if len(ranked) > MOST_ROWS else ""
    return Table(
        "choices-worth",
        "Every kind of option",
        [
            Column("option", "option"),
            Column("games", "offered in games", "rate"),
            Column("taken", "taken", "rate"),
            Column("forbidden", "forbidden, points", "points"),
            Column("always", "always taken, points", "points"),
        ],
        rows,
        f"All {len(found.played_effects)} intervals of points hold together at {100 * sure:g} %. Nothing stands "
        f"where who plays never takes an option, or always, or where there was no time.{more}",
    )


def _content(g: ReportData, found: ChoiceAnalysis) -> Table:
    tried = sorted((n for n in found.components if n.games), key=lambda n: -abs(n.value))
    rows = [
        {
            "what": components.get_component_name(n.parameter),
            "how": components.describe_change(n.parameter),
            **dict(zip(("drawn", "used"), choices.times_met(found, n), strict=True)),
            "changed": found.estimate_changed_rate(n),
            "points": found.estimate_effect(n),
            "games": n.games,
        }
        for n in tried[:MOST_ROWS]
    ]
    often = (
        [Column("drawn", "drawn in games", "rate"), Column("used", "used in", "rate")]
        if found.usage.games
        else []
    )
    base = [found.estimate_base_rate(max(tried, key=lambda n: n.games))] if tried else []
    told = [
        f"As it is, the {g.metric.win_rate_label} is {formatting.format_with_interval(e, 'rate')}." for e in base
    ]
    told += [f"{len(tried) - MOST_ROWS} more moved less."] if len(tried) > MOST_ROWS else []
    return Table(
        "box-worth",
        "What lies in the box, taken out or put in place of what is drawn",
        [
            Column("what", "what"),
            Column("how", "how"),
            *often,
            Column("changed", f"{g.metric.win_rate_label} so", "rate"),
            Column("points", "points", "points"),
            Column("games", "games", "count"),
        ],
        rows,
        " ".join(told),
    )


def _effect(found: ChoiceAnalysis, n: ParameterEffect) -> Estimate | None:
    return found.estimate_effect(n) if n.games else None
