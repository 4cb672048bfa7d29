"""Section "What is a choice worth?": options forbidden or always taken, components taken out."""

from __future__ import annotations

from hardmode.reports.console import choices, wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.phrases import describe_first_variant, make_command
from hardmode.reports.page.model import Column, Figure, ReportTable, Section
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import ALWAYS, FORBIDDEN, ChoiceAnalysis, OptionEffect
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.sensitivity.paired_effects import ParameterEffect
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

TITLE = "What is a choice worth?"
MAX_DRAWN, MAX_ROWS = 8, 24  # options in the plot, and rows of a table
PAGE_ROWS = 12  # of a table on the page
RESTRICTION_NAMES = {
    FORBIDDEN: "forbidden for a whole game",
    ALWAYS: "taken whenever it is offered",
}


def make_choices_section(report: ReportData) -> Section | None:
    """Return the section on options, or None if their effects were not measured."""
    analysis = report.option_values
    if analysis is None:
        return None
    command = make_command(report, "choices")
    played = [
        option
        for option in choices.rank_options(analysis)
        if option.forbidden.games or option.always.games
    ]
    # what nobody can win without comes last
    ranked = sorted(played, key=analysis.is_indispensable)
    tables = [_make_option_table(analysis, ranked), _make_component_table(report, analysis)]
    figure = _make_figure(report, analysis, ranked)
    return Section(
        "choices-worth",
        TITLE,
        _write_sentences(report, analysis, ranked),
        [figure] if figure else [],
        [table for table in tables if table.rows],
        hints=[("To play more games, run", f"{command} --seconds 300")],
    )


def _write_sentences(
    report: ReportData, analysis: ChoiceAnalysis, ranked: list[OptionEffect]
) -> list[str]:
    first = describe_first_variant(report)
    of = f"{first}," if first else ""
    players = wording.describe_players_and_box(analysis.cell)
    if report.metric.competitive:
        players = "seat 1 alone"
    sentences = [
        f"Each kind of option{of} was forbidden for a whole game, and taken whenever it was "
        f"offered, by {players}, in games with the same random numbers. A forbidden option is "
        "still taken if no other option is left."
    ]
    harmful = []
    for option in _skip_indispensable(analysis, ranked):
        if option.forbidden.games and analysis.estimate_effect(option.forbidden).high < 0:
            harmful.append(option)
    if harmful:
        worst = min(harmful, key=lambda option: option.forbidden.value)
        effect = analysis.estimate_effect(worst.forbidden)
        value, _, interval = formatting.format_with_interval(effect, "points").partition(" ")
        sentences.append(
            f"The {report.metric.win_rate_label} changes most without “{worst.name}”: by {value} "
            f"points {interval}."
        )
    better = _list_better_habits(analysis, ranked)
    if better:
        sentences.append(
            "Players would win more games if they changed their habit with "
            f"{wording.join_names(better)}."
        )
    needed = [option.name for option in ranked if analysis.is_indispensable(option)]
    if needed:
        names = wording.join_names([f"“{name}”" for name in needed])
        sentences.append(f"Hardly any game can be won without {names}; the plot leaves this out.")
    return sentences


def _skip_indispensable(
    analysis: ChoiceAnalysis, options: list[OptionEffect]
) -> list[OptionEffect]:
    """Return the options without those that nobody can win without."""
    return [option for option in options if not analysis.is_indispensable(option)]


def _list_better_habits(analysis: ChoiceAnalysis, ranked: list[OptionEffect]) -> list[str]:
    """Return the options for which another habit wins significantly more games."""
    names = []
    for option in ranked:
        effects = [analysis.estimate_effect(effect) for effect in option.both if effect.games]
        if any(effect.low > 0 for effect in effects):
            names.append(option.name)
    return names


def _make_figure(
    report: ReportData, analysis: ChoiceAnalysis, ranked: list[OptionEffect]
) -> Figure | None:
    shown = _skip_indispensable(analysis, ranked)[:MAX_DRAWN]
    effects = [option.both[way] for way in (0, 1) for option in shown]
    rows = []
    for effect in effects:
        if effect.games:
            rows.append(
                {
                    "group": RESTRICTION_NAMES[str(effect.after)],
                    "label": effect.path,
                    "estimate": analysis.estimate_effect(effect),
                }
            )
    if not rows:
        return None
    return model.make_dot_plot(
        "choices-worth",
        "Effect of each restriction",
        rows,
        "points",
        f"change of the {report.metric.win_rate_label}, in points",
        mark=0.0,
    )


def _make_option_table(analysis: ChoiceAnalysis, ranked: list[OptionEffect]) -> ReportTable:
    own = analysis.own_frequencies
    confidence = analysis.confidence
    rows = []
    for option in ranked[:MAX_ROWS]:
        offered = int(own.games_offered[option.label])
        rows.append(
            {
                "option": option.name,
                "games": estimates.wilson_rate(offered, own.games, confidence),
                "taken": own.estimate_take_rate(option.label, confidence),
                "forbidden": _estimate_effect(analysis, option.forbidden),
                "always": _estimate_effect(analysis, option.always),
            }
        )
    note = (
        f"All {len(analysis.played_effects)} intervals of points hold together at "
        f"{100 * confidence:g} %. A cell is empty if the players never take an option, if they "
        f"always take it, or if there was no time.{_describe_omitted(len(ranked))}"
    )
    columns = [
        Column("option", "option"),
        Column("games", "offered in games", "rate"),
        Column("taken", "taken", "rate"),
        Column("forbidden", "forbidden, points", "points"),
        Column("always", "always taken, points", "points"),
    ]
    return ReportTable("choices-worth", "Every kind of option", columns, rows, note, PAGE_ROWS)


def _describe_omitted(n_rows: int) -> str:
    more = n_rows - MAX_ROWS
    if more <= 0:
        return ""
    verb = "has a smaller effect" if more == 1 else "have smaller effects"
    return f" {more} more {verb}."


def _make_component_table(report: ReportData, analysis: ChoiceAnalysis) -> ReportTable:
    played = [effect for effect in analysis.components if effect.games]
    played.sort(key=lambda effect: -abs(effect.value))
    rate_label = report.metric.win_rate_label
    rows = []
    for effect in played[:MAX_ROWS]:
        drawn, used = choices.estimate_component_use(analysis, effect)
        rows.append(
            {
                "what": components.get_component_name(effect.parameter),
                "how": components.describe_change(effect.parameter),
                "drawn": drawn,
                "used": used,
                "changed": analysis.estimate_changed_rate(effect),
                "points": analysis.estimate_effect(effect),
                "games": effect.games,
            }
        )
    columns = [Column("what", "what"), Column("how", "how")]
    if analysis.usage.games:
        columns += [Column("drawn", "drawn in games", "rate"), Column("used", "used in", "rate")]
    columns += [
        Column("changed", f"{rate_label} with the change", "rate", f"{rate_label} so"),
        Column("points", "points", "points"),
        Column("games", "games", "count"),
    ]
    note = ""
    if played:
        base = analysis.estimate_base_rate(max(played, key=lambda effect: effect.games))
        rate = formatting.format_with_interval(base, "rate")
        note = f"Without any change, the {rate_label} is {rate}.{_describe_omitted(len(played))}"
    title = "Each component of the box, taken out or put in place of the one that is drawn"
    return ReportTable("box-worth", title, columns, rows, note, PAGE_ROWS)


def _estimate_effect(analysis: ChoiceAnalysis, effect: ParameterEffect) -> Estimate | None:
    return analysis.estimate_effect(effect) if effect.games else None
