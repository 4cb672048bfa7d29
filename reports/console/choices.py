"""Output of `choices`: the value of every kind of option and of every component of the box."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    POINTS,
    Verdict,
    format_title,
    name_win_rate,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import (
    describe_missing_time,
    format_count,
    format_games,
    join_names,
)
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import ChoiceAnalysis, OptionEffect
from hardmode.studies.core.reference_players import players_disagree
from hardmode.studies.sensitivity.paired_effects import ParameterEffect
from hardmode.studies.sensitivity.screening import SMALLEST_EFFECT
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

MAX_NAMES = 4  # options that a sentence names
UNCHANGED = "–"  # stands for an effect that changes no game
OPTION_HEADERS = ("option", "in games", "of decisions", "taken", "forbidden", "always taken")
COMPONENT_HEADERS = (
    "component",
    "change",
    "drawn",
    "used",
    "games changed",
    "win rate",
    "after the change",
    "points",
)
LEFT_HEADERS = ("option", "component", "change")


def print_choices(
    analysis: ChoiceAnalysis, arguments: str = PLACEHOLDER, details: bool = False
) -> None:
    """Print a verdict, and what forbidding or forcing each option and changing components does.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
    """
    print_verdict(make_verdict(analysis, arguments))
    out.print(_make_option_table(analysis))
    _print_components(analysis)
    skipped = ""
    if analysis.skipped_levels:
        names = ", ".join(analysis.skipped_levels)
        skipped = f"; --json leaves out the skill level {names}, because searching takes too long"
    interrupted = "; interrupted" if analysis.interrupted else ""
    print_details(
        [
            f"{UNCHANGED}: no game changes, because the players never take the option, or always "
            "take it; 'of decisions': the share of the decisions of its kind at which it can be "
            "chosen instead of another kind of option",
            f"all {len(analysis.played_effects)} intervals hold together at "
            f"{POINTS * analysis.confidence:g} %; seed {analysis.seed}{skipped}{interrupted}",
        ],
        details,
    )


def make_verdict(analysis: ChoiceAnalysis, arguments: str = PLACEHOLDER) -> Verdict:
    """Return which option matters most, how certain that is, and what to try next."""
    title = format_title(analysis.cell, analysis.base_rate)
    ranked = rank_options(analysis)
    needed = [option for option in ranked if analysis.is_indispensable(option)]
    open_needs = [option for option in ranked if analysis.may_be_indispensable(option)]
    leading = []
    for option in ranked:
        is_trivial = option in needed or option in open_needs
        if analysis.is_significant(option.forbidden) and not is_trivial:
            leading.append(option)
    effects = analysis.option_effects
    undecided = analysis.undecided
    certainty = (
        f"{sum(map(analysis.is_significant, effects))} of {format_count(len(effects), 'change')} "
        f"of options {'changes' if len(effects) == 1 else 'change'} the win rate significantly"
    )
    if undecided:
        more = describe_missing_time(analysis.missing_seconds)
        certainty += f"; too few games to tell for {len(undecided)}: {more}"
    if needed:
        names = join_names([f"“{option.name}”" for option in needed[:MAX_NAMES]])
        certainty += f". Hardly any game is won without {names}"
    if open_needs:
        names = join_names([f"“{option.name}”" for option in open_needs[:MAX_NAMES]])
        certainty += f". Too few games to tell whether any can be won without {names}"
    disputed = _list_disputed_effects(analysis)
    if disputed:
        certainty += (
            ". steady disagrees, in sign or by more than half, on "
            f"{join_names(disputed[:MAX_NAMES])}"
        )
    next_step = f"hardmode audit {arguments} looks for options that are useless or always right"
    if leading:
        first = leading[0]
        points = format_with_interval(analysis.estimate_effect(first.forbidden), "points")
        answer = (
            f"The choice that matters most is “{first.name}”: without it, the "
            f"{name_win_rate(analysis.cell)} changes by {points} points."
        )
    elif undecided or open_needs:
        answer = "Too few games to tell which option matters."
        next_step = "the same command with more --seconds or --games"
    else:
        answer = (
            f"No option matters: without any one of them, the {name_win_rate(analysis.cell)} "
            f"changes by less than {POINTS * SMALLEST_EFFECT:g} points."
        )
    return Verdict(title, answer, f"{certainty}.", next_step)


def _list_disputed_effects(analysis: ChoiceAnalysis) -> list[str]:
    names = []
    for option in rank_options(analysis):
        for effect in option.both:
            if is_effect_disputed(analysis, effect):
                names.append(f"{option.name} {effect.after}")
    return names


def rank_options(analysis: ChoiceAnalysis) -> list[OptionEffect]:
    """Return the kinds of options, those whose prohibition changes most first."""
    return sorted(
        analysis.options,
        key=lambda option: (-abs(option.forbidden.value), -abs(option.always.value)),
    )


def is_effect_disputed(analysis: ChoiceAnalysis, effect: ParameterEffect) -> bool:
    """Return whether `steady` players show another sign or less than half of an effect."""
    steady = analysis.estimate_with_steady(effect)
    return steady is not None and players_disagree(analysis.estimate_effect(effect), steady)


def format_option_effect(analysis: ChoiceAnalysis, effect: ParameterEffect) -> str:
    """Return the effect of a change in points with its interval."""
    if not effect.games:
        return UNCHANGED
    return format_with_interval(analysis.estimate_effect(effect), "points")


def _make_option_table(analysis: ChoiceAnalysis) -> Table:
    frequencies = analysis.own_frequencies
    options = sorted(rank_options(analysis), key=analysis.is_indispensable)
    taken = [frequencies.estimate_take_rate(o.label, analysis.confidence) for o in options]
    effects = [
        _get_estimate(analysis, effect) for o in options for effect in (o.forbidden, o.always)
    ]
    points = format_estimates(effects, "points", empty=UNCHANGED)
    table = _start_table(OPTION_HEADERS)
    for i, (option, rate) in enumerate(
        zip(options, format_estimates(taken, "rate", interval=False), strict=True)
    ):
        offered = frequencies.games_offered[option.label] / frequencies.games
        table.add_row(
            escape(option.name),
            f"{100 * offered:.0f} %",
            f"{100 * frequencies.share[option.label]:.0f} %",
            rate,
            *points[2 * i : 2 * i + 2],
        )
    return table


def _get_estimate(analysis: ChoiceAnalysis, effect: ParameterEffect) -> Estimate | None:
    return analysis.estimate_effect(effect) if effect.games else None


def _start_table(headers: tuple[str, ...], title: str | None = None) -> Table:
    table = Table(header_style="bold", title=title, title_justify="left")
    for header in headers:
        table.add_column(header, justify="left" if header in LEFT_HEADERS else "right")
    return table


def _print_components(analysis: ChoiceAnalysis) -> None:
    shown = [effect for effect in analysis.components if effect.games]
    if not shown:
        return
    shown.sort(key=lambda effect: -abs(effect.value))
    uses = [estimate_component_use(analysis, effect) for effect in shown]
    columns = [
        [escape(components.format_component_name(effect.parameter)) for effect in shown],
        [escape(components.describe_change(effect.parameter)) for effect in shown],
    ]
    rates = (
        [drawn for drawn, _ in uses],
        [used for _, used in uses],
        [analysis.estimate_changed_share(effect) for effect in shown],
        [analysis.estimate_base_rate(effect) for effect in shown],
        [analysis.estimate_changed_rate(effect) for effect in shown],
    )
    columns += [format_estimates(r, "rate", interval=False, empty=UNCHANGED) for r in rates]
    columns.append(format_estimates([analysis.estimate_effect(e) for e in shown], "points"))
    table = _start_table(COMPONENT_HEADERS, "components of the box")
    for row in zip(*columns, strict=True):
        table.add_row(*row)
    out.print(table)
    if analysis.usage.games:
        out.print(
            f"[dim]drawn, used: the share of {format_games(analysis.usage.games)}; games changed: "
            "the share of games that take another course[/dim]"
        )


def estimate_component_use(
    analysis: ChoiceAnalysis, effect: ParameterEffect
) -> tuple[Estimate | None, Estimate | None]:
    """Return the shares of games in which a component is drawn, and in which it is used."""
    usage = analysis.usage
    name = components.get_component_name(effect.parameter)
    drawn = usage.estimate_share(usage.games_drawn, name, analysis.confidence)
    return drawn, usage.estimate_share(usage.games_used, name, analysis.confidence)
