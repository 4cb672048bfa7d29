"""What `decided` prints, and its JSON: when games are decided, how long they go on, how often they turn."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import games, listed
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis
from hardmode.studies.stats.formatting import format_rate, format_with_interval

MEASURES = {  # what is told of a group of games: its words, and how it is written
    "decided": ("decided after (median)", "mean"),
    "length": ("over after (median)", "mean"),
    "dead": ("dead rounds (mean)", "mean"),
    "dragging": ("half of it dead", "rate"),
    "changes": ("changes of lead (mean)", "mean"),
    "turned": ("winner was below 10 %", "rate"),
    "narrow": ("open in the last round", "rate"),
}
ESTIMATORS = {
    "decided": DecisionPointAnalysis.median_decision_round,
    "length": DecisionPointAnalysis.median_length,
    "dead": DecisionPointAnalysis.mean_rounds_after,
    "dragging": DecisionPointAnalysis.share_dragging,
    "changes": DecisionPointAnalysis.mean_lead_changes,
    "turned": DecisionPointAnalysis.share_comebacks,
    "narrow": DecisionPointAnalysis.share_open_at_end,
}


def show(found: list[DecisionPointAnalysis]) -> None:
    for cell in found:
        label = f" ({escape(cell.cell.label_text)})" if cell.cell.label else ""
        out.print(
            f"[bold]{cell.cell.game.title}: {escape(cell.cell.title)}{label}[/bold], {games(len(cell.games))} "
            f"played by {escape(describe_players(cell.cell))}"
        )
        if measures := disagreed(cell):
            out.print(
                "[bold]steady disagrees[/bold], by more than half, on "
                f"{listed([MEASURES[measure][0] for measure in measures])}"
            )
        out.print(_table(cell))
        for line in sentences(cell):
            out.print(line)
    first = found[0]
    out.print(
        f"[dim]decided: from then on the chance of the side that won stays beyond 90 %; dead: the "
        f"{first.cell.game.unit} after that; intervals hold at {100 * first.confidence:g} %; "
        f"seed {first.seed}[/dim]"
    )


def disagreed(cell: DecisionPointAnalysis) -> list[str]:
    """The measures of all games of which `steady` tells otherwise."""
    if not cell.steady or not cell.steady.games:
        return []
    return [
        m for m in MEASURES if players_disagree(ESTIMATORS[m](cell, "all"), ESTIMATORS[m](cell.steady, "all"))
    ]


def _table(cell: DecisionPointAnalysis) -> Table:
    columns = [(group, cell, group) for group in cell.groups if cell.groups[group]]
    if cell.steady and cell.steady.games:
        columns.append(("all, by steady", cell.steady, "all"))
    table = Table(header_style="bold")
    table.add_column("games")
    for head, _, _ in columns:
        table.add_column(head, justify="right")
    table.add_row("how many", *(f"{len(of.groups[group]):,}" for _, of, group in columns))
    for measure, (words, kind) in MEASURES.items():
        table.add_row(
            words, *(format_with_interval(ESTIMATORS[measure](of, group), kind) for _, of, group in columns)
        )
    if margin := cell.median_margin():
        table.add_row("lead in the end (median)", format_with_interval(margin, "mean"))
    return table


def sentences(cell: DecisionPointAnalysis) -> list[str]:
    """The curve in words: for each group of games, by when half is decided, and until when half goes on."""
    unit, said = cell.cell.game.unit, []
    for group, of in cell.groups.items():
        if of and (group != "all" or len(cell.groups) == 1):
            name = "games" if group == "all" else f"{group} games"
            after, until = cell.median_decision_round(group).value, cell.median_length(group).value
            said.append(
                f"Half of the {name} are decided after {after:g} {unit} and last until {until:g}; "
                f"{format_rate(cell.share_dragging(group))} go on for as long again, or longer, once they are decided."
            )
    return said


