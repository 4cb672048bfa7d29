"""Output of `decided`: when games are decided, how long they go on, and how the lead changes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games, join_names
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis
from hardmode.studies.stats.formatting import format_rate, format_with_interval

MEASURES = {  # the name of each measure of a group of games, and its kind of value
    "decided": ("decided after (median)", "mean"),
    "length": ("over after (median)", "mean"),
    "dead": ("from the decision to the end (mean)", "mean"),
    "dragging": ("decided for half of the game or more", "rate"),
    "changes": ("changes of lead (mean)", "mean"),
    "turned": ("winner's chance was once below 10 %", "rate"),
    "narrow": ("undecided in the last round", "rate"),
}
ESTIMATORS = {
    "decided": DecisionPointAnalysis.estimate_median_decision_round,
    "length": DecisionPointAnalysis.estimate_median_length,
    "dead": DecisionPointAnalysis.estimate_mean_rounds_after,
    "dragging": DecisionPointAnalysis.estimate_share_dragging,
    "changes": DecisionPointAnalysis.estimate_mean_lead_changes,
    "turned": DecisionPointAnalysis.estimate_share_comebacks,
    "narrow": DecisionPointAnalysis.estimate_share_open_at_end,
}
ALL_GAMES = "all"  # the group of all games


def print_decided(cells: Sequence[DecisionPointAnalysis]) -> None:
    """Print a table and sentences for each cell."""
    for cell in cells:
        _print_cell(cell)
    first = cells[0]
    out.print(
        "[dim]A game is decided when the chance of the side that wins it stays above 90 % until "
        f"the end. Intervals hold at {100 * first.confidence:g} %; seed {first.seed}[/dim]"
    )


def _print_cell(analysis: DecisionPointAnalysis) -> None:
    cell = analysis.cell
    label = f" ({cell.label_text})" if cell.label else ""
    out.print(
        f"[bold]{escape(f'{cell.game.title}: {cell.title}{label}')}[/bold], "
        f"{format_games(len(analysis.games))} played by {escape(describe_players(cell))}"
    )
    disputed = [MEASURES[measure][0] for measure in list_disputed_measures(analysis)]
    if disputed:
        out.print(f"[bold]steady disagrees[/bold], by more than half, on {join_names(disputed)}")
    for line in describe_decision_points(analysis):
        out.print(escape(line))
    out.print(_make_table(analysis))


def list_disputed_measures(analysis: DecisionPointAnalysis) -> list[str]:
    """Return the measures of all games for which `steady` players show something else."""
    steady = analysis.steady
    if not steady or not steady.games:
        return []
    disputed = []
    for measure, estimate in ESTIMATORS.items():
        if players_disagree(estimate(analysis, ALL_GAMES), estimate(steady, ALL_GAMES)):
            disputed.append(measure)
    return disputed


def _make_table(analysis: DecisionPointAnalysis) -> Table:
    columns = [(group, analysis, group) for group, games in analysis.groups.items() if games]
    if analysis.steady and analysis.steady.games:
        columns.append(("all, by steady", analysis.steady, ALL_GAMES))
    table = Table(header_style="bold")
    table.add_column("games")
    for header, _, _ in columns:
        table.add_column(header, justify="right")
    counts = [f"{len(source.groups[group]):,}" for _, source, group in columns]
    table.add_row("number of games", *counts)
    for measure, (name, kind) in MEASURES.items():
        estimates = [ESTIMATORS[measure](source, group) for _, source, group in columns]
        table.add_row(name, *format_estimates(estimates, kind))
    margin = analysis.estimate_median_margin()
    if margin:
        table.add_row("lead at the end (median)", format_with_interval(margin, "mean"))
    return table


def describe_decision_points(analysis: DecisionPointAnalysis) -> list[str]:
    """Return for each group of games when half of them are decided, and how long they go on."""
    unit = analysis.cell.game.unit
    groups = [group for group, games in analysis.groups.items() if games]
    if len(analysis.groups) > 1:
        groups = [group for group in groups if group != ALL_GAMES]
    lines = []
    for group in groups:
        name = "games" if group == ALL_GAMES else f"{group} games"
        decided = analysis.estimate_median_decision_round(group).value
        length = analysis.estimate_median_length(group).value
        share = format_rate(analysis.estimate_share_dragging(group))
        lines.append(
            f"Half of the {name} are decided after {decided:g} {unit}, and half are over after "
            f"{length:g}. In {share} of them, at least half of the game is played after it has "
            "been decided."
        )
    return lines
