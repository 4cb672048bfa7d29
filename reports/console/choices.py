"""What `choices` prints, and its JSON: what every kind of option is worth, and what lies in the box."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import listed
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import ChoiceAnalysis, OptionEffect
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.sensitivity.paired_effects import ParameterEffect
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate


def worth(found: ChoiceAnalysis, n: ParameterEffect) -> str:
    return formatting.format_with_interval(found.estimate_effect(n), "points") if n.games else "–"


def ranked(found: ChoiceAnalysis) -> list[OptionEffect]:
    return sorted(found.options, key=lambda c: (-abs(c.forbidden.value), -abs(c.always.value)))


def show(found: ChoiceAnalysis) -> None:
    out.print(
        f"[bold]{escape(found.game.title)}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(describe_players(found.cell))}: what every kind of option is worth, in points of win rate"
    )
    other = [f"{c.name} {n.after}" for c in ranked(found) for n in c.both if steady_disagrees(found, n)]
    if other:
        out.print(
            f"[bold]steady disagrees[/bold], in sign or by more than half, on {escape(listed(other))}"
        )
    table = Table(header_style="bold")
    for head in ("option", "in games", "of decisions", "taken", "forbidden", "always taken"):
        table.add_column(head, justify="left" if head == "option" else "right")
    habit = found.own_frequencies
    for c in ranked(found):
        table.add_row(
            escape(c.name),
            f"{100 * habit.games_offered[c.label] / habit.games:.0f} %",
            f"{100 * habit.share[c.label]:.0f} %",
            formatting.format_percent(habit.estimate_take_rate(c.label, found.confidence)),
            worth(found, c.forbidden),
            worth(found, c.always),
        )
    out.print(table)
    _content(found)
    out.print(
        "[dim]– changes no game: who plays never takes it, or always; 'of decisions': of those of its kind, in "
        "how many it is on offer beside another kind of option[/dim]"
    )
    left = (
        f"; not among the rungs in --json: {', '.join(found.skipped_levels)}, which searches"
        if found.skipped_levels
        else ""
    )
    out.print(
        f"[dim]all {len(found.played_effects)} intervals hold together at {100 * found.confidence:g} %; seed {found.seed}"
        f"{escape(left)}{'; interrupted' if found.interrupted else ''}[/dim]"
    )


def steady_disagrees(found: ChoiceAnalysis, n: ParameterEffect) -> bool:
    """Whether `steady` says something else of a kind of option that is forbidden, or always taken."""
    other = found.estimate_with_steady(n)
    return other is not None and players_disagree(found.estimate_effect(n), other)


def _content(found: ChoiceAnalysis) -> None:
    shown = sorted((n for n in found.components if n.games), key=lambda n: -abs(n.value))
    if not shown:
        return
    table = Table(header_style="bold", title="what lies in the box", title_justify="left")
    for head in ("what", "how", "drawn", "used", "notice it", "win rate", "so changed", "points"):
        table.add_column(head, justify="left" if head in ("what", "how") else "right")
    for n in shown:
        rates = (*times_met(found, n), found.estimate_changed_share(n), found.estimate_base_rate(n), found.estimate_changed_rate(n))
        table.add_row(
            escape(components.get_component_name(n.parameter)),
            escape(components.describe_change(n.parameter)),
            *("–" if e is None else formatting.format_percent(e) for e in rates),
            worth(found, n),
        )
    out.print(table)
    if found.usage.games:
        out.print(
            f"[dim]drawn, used: the share of {found.usage.games:,} games; notice it: of games, how many become "
            "others[/dim]"
        )


def times_met(found: ChoiceAnalysis, n: ParameterEffect) -> tuple[Estimate | None, Estimate | None]:
    """In how many games a piece came into play, and in how many it was used."""
    met, sure = found.usage, found.confidence
    name = components.get_component_name(n.parameter)
    drawn = met.estimate_share(met.games_drawn, name, sure)
    return drawn, met.estimate_share(met.games_used, name, sure)


