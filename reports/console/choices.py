"""Output of `choices`: the value of every kind of option and of every component of the box."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games, join_names
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import ChoiceAnalysis, OptionEffect
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.sensitivity.paired_effects import ParameterEffect
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

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


def print_choices(analysis: ChoiceAnalysis) -> None:
    """Print what forbidding or forcing each kind of option does, and the same for components."""
    out.print(
        f"[bold]{escape(analysis.game.title)}: {escape(analysis.cell.title)}[/bold], played by "
        f"{escape(describe_players(analysis.cell))}: the value of every kind of option, in "
        "percentage points of the win rate"
    )
    disputed = _list_disputed_effects(analysis)
    if disputed:
        out.print(
            "[bold]steady disagrees[/bold], in sign or by more than half, on "
            f"{escape(join_names(disputed))}"
        )
    out.print(_make_option_table(analysis))
    _print_components(analysis)
    out.print(
        f"[dim]{UNCHANGED}: no game changes, because the players never take the option, or always "
        "take it; 'of decisions': the share of the decisions of its kind at which it can be chosen "
        "instead of another kind of option[/dim]"
    )
    skipped = ""
    if analysis.skipped_levels:
        names = ", ".join(analysis.skipped_levels)
        skipped = f"; --json leaves out the skill level {names}, because searching takes too long"
    interrupted = "; interrupted" if analysis.interrupted else ""
    out.print(
        f"[dim]all {len(analysis.played_effects)} intervals hold together at "
        f"{100 * analysis.confidence:g} %; seed {analysis.seed}{escape(skipped)}{interrupted}[/dim]"
    )


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
    options = rank_options(analysis)
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
        [escape(components.get_component_name(effect.parameter)) for effect in shown],
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
