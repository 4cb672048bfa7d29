"""Output of `decided`: when games are decided, how long they go on, and how the lead changes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    Verdict,
    describe_more,
    estimate_growth,
    format_title,
    name_trained_players,
    print_details,
    print_verdict,
    propose_more,
)
from hardmode.reports.console.wording import format_games, join_names, singularize_unit
from hardmode.studies.core.reference_players import players_disagree
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
KNOWN_WITHIN = 0.1  # half width of a share above which too few games were seen
ALL_GAMES = "all"  # the group of all games


def print_decided(
    cells: Sequence[DecisionPointAnalysis],
    arguments: str = PLACEHOLDER,
    details: bool = False,
    seconds: float | None = None,
) -> None:
    """Print a verdict, sentences and a table for each cell.

    Args:
        cells: The analysis of each cell.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
        seconds: Limit of the time of all cells, or None.
    """
    for analysis in cells:
        limit = None if seconds is None else seconds / len(cells)
        print_verdict(make_verdict(analysis, arguments, limit))
        if len(analysis.groups) > 1:
            for line in describe_decision_points(analysis):
                out.print(escape(line))
        out.print(_make_table(analysis))
    first = cells[0]
    print_details(
        [
            "A game is decided when the chance of the side that wins it stays above 90 % until "
            f"the end. Intervals hold at {100 * first.confidence:g} %; seed {first.seed}"
        ],
        details,
    )


def make_verdict(
    analysis: DecisionPointAnalysis, arguments: str = PLACEHOLDER, seconds: float | None = None
) -> Verdict:
    """Return when games are decided, how certain that is, and what to try next."""
    n = len(analysis.games)
    rate = None if analysis.seats_compete else analysis.estimate_share(lambda game: game.won)
    title = format_title(analysis.cell, rate)
    unit = analysis.cell.game.unit
    dragging = analysis.estimate_share_dragging()
    median = format_with_interval(analysis.estimate_median_decision_round(), "mean", 0)
    length = format_with_interval(analysis.estimate_median_length(), "mean", 0)
    answer = (
        f"Half of the games are decided after {median} {unit} and over after {length}; in "
        f"{format_rate(dragging)} of them, at least half of the game is played after it has been "
        "decided."
    )
    certainty = (
        f"This was seen in {format_games(n)}; a game is decided once the side that wins it has a "
        "chance above 90 % until the end."
    )
    replayed = name_trained_players(arguments, analysis.cell)
    next_step = f"hardmode replay {replayed} --game 0 --odds shows at which moments a game turns"
    if dragging.half_width > KNOWN_WITHIN:
        growth = estimate_growth(dragging.half_width, KNOWN_WITHIN)
        answer = f"Too few games to tell more than roughly: {answer[0].lower()}{answer[1:]}"
        more = describe_more(growth, n, seconds)
        certainty += f" {more.capitalize()} would settle it to ± {100 * KNOWN_WITHIN:g} points."
        next_step = f"the same command with {propose_more(growth, n, seconds)}"
    disputed = [MEASURES[measure][0] for measure in list_disputed_measures(analysis)]
    if disputed:
        certainty += f" steady disagrees, by more than half, on {join_names(disputed)}."
    return Verdict(title, answer, certainty, next_step)


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


def describe_decision_points(analysis: DecisionPointAnalysis, min_games: int = 1) -> list[str]:
    """Return for each group of games when half of them are decided, and how long they go on.

    Args:
        analysis: The analysis.
        min_games: Size of the smallest group that is described.
    """
    unit = analysis.cell.game.unit
    groups = [group for group, games in analysis.groups.items() if len(games) >= min_games]
    if len(analysis.groups) > 1:
        groups = [group for group in groups if group != ALL_GAMES]
    lines = []
    for group in groups:
        name = "games" if group == ALL_GAMES else f"{group} games"
        decided = analysis.estimate_median_decision_round(group).value
        length = analysis.estimate_median_length(group).value
        rounds = singularize_unit(unit) if decided == 1 else unit
        share = format_rate(analysis.estimate_share_dragging(group))
        lines.append(
            f"Half of the {name} are decided after {decided:g} {rounds}, and half are over after "
            f"{length:g}. In {share} of them, at least half of the game is played after it has "
            "been decided."
        )
    return lines
