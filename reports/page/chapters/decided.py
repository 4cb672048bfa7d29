"""Section "Is it tense to the end?": when games are decided, and how long they go on."""

from __future__ import annotations

from hardmode.reports.console import wording
from hardmode.reports.console.decided import ESTIMATORS, MEASURES, describe_decision_points
from hardmode.reports.page import model
from hardmode.reports.page.chapters.phrases import describe_first_variant
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

TITLE = "Is it tense to the end?"
MIN_GAMES = 20  # of a group that is shown
DEFINITION = (
    "A game is decided when the chance of the side that wins it stays above 90 % until the end. "
    "The chance is the share of wins when the game is played on many times, with cards and other "
    "things that the players cannot see dealt anew. The area between the curves is play after the "
    "decision."
)


def make_decision_point_section(report: ReportData) -> Section | None:
    """Return the section on when games are decided, or None if nothing was measured."""
    analysis = report.decision_point
    if analysis is None:
        tables = _make_turn_tables(report)
        return Section("decided", TITLE, _describe_turns(report), tables=tables) if tables else None
    n_games = wording.format_games(len(analysis.games))
    verb = "was" if len(analysis.games) == 1 else "were"
    players = wording.describe_players_and_box(analysis.cell)
    basis = f"{n_games}{describe_first_variant(report)} {verb} analyzed, played by {players}."
    figures = []
    for group in _list_groups(analysis):
        if group != "all" or analysis.seats_compete:
            figures.append(_make_figure(analysis, group))
    sentences = [
        *describe_decision_points(analysis, MIN_GAMES),
        _describe_comebacks(analysis),
        *_describe_turns(report),
        f"{basis} {DEFINITION}",
    ]
    tables = [_make_table(analysis), *_make_turn_tables(report)]
    return Section("decided", TITLE, sentences, figures, tables, brief=Brief(3))


def _list_groups(analysis: DecisionPointAnalysis) -> list[str]:
    """Return the groups of games that are large enough to be shown."""
    return [group for group, games in analysis.groups.items() if len(games) >= MIN_GAMES]


def _describe_comebacks(analysis: DecisionPointAnalysis) -> str:
    unit = analysis.cell.game.unit
    comebacks = format_with_interval(analysis.estimate_share_comebacks(), "rate")
    rounds_after = format_with_interval(analysis.estimate_mean_rounds_after(), "mean")
    return (
        f"In {comebacks} of all games there was a comeback: the winning side had a chance below "
        f"10 % at the end of some {wording.singularize_unit(unit)}. On average, {rounds_after} "
        f"{unit} are played after the game is decided."
    )


def has_turn_stats(report: ReportData) -> bool:
    """Return whether the turns of enough games were counted."""
    stats = report.turn_stats
    return stats is not None and sum(map(bool, stats.games)) >= MIN_GAMES


def _describe_turns(report: ReportData) -> list[str]:
    """Return how much a turn asks of its player, and how long the others wait."""
    stats = report.turn_stats
    if stats is None or not has_turn_stats(report):
        return []
    sentence = (
        f"The mean number of decisions in a turn is "
        f"{_format_mean(stats.estimate_mean_turn_length())}, and that of options in a decision is "
        f"{_format_mean(stats.estimate_mean_options())}"
    )
    n_seats = stats.cell.players
    waits = [stats.estimate_mean_wait(seat) for seat in range(n_seats)]
    known = [wait for wait in waits if wait.n]
    if n_seats > 1 and known:
        longest = max(known, key=lambda wait: wait.value)
        sentence += (
            f"; seat {waits.index(longest) + 1} waits longest: the mean number of decisions of the "
            f"others is {_format_mean(longest)}"
        )
    return [f"{sentence}."]


def _format_mean(e: Estimate) -> str:
    """Return a mean with its interval, or alone if it is the same in all games."""
    return f"{e.value:g}" if e.low == e.high else format_with_interval(e, "mean")


def _make_turn_tables(report: ReportData) -> list[ReportTable]:
    stats = report.turn_stats
    if stats is None or not has_turn_stats(report):
        return []
    rows = [
        {"what": "decisions in a game", "mean": stats.estimate_mean_decisions()},
        {"what": "decisions in a turn", "mean": stats.estimate_mean_turn_length()},
        {"what": "options at a decision", "mean": stats.estimate_mean_options()},
    ]
    for seat in range(stats.cell.players if stats.cell.players > 1 else 0):
        wait = stats.estimate_mean_wait(seat)
        if wait.n:
            name = f"decisions of others while seat {seat + 1} waits"
            rows.append({"what": name, "mean": wait})
    return [
        ReportTable(
            "pace",
            "Decisions and turns",
            [Column("what", ""), Column("mean", "mean", "mean")],
            rows,
            f"The means are over {wording.format_games(len(stats.games))}. A step with a single "
            "legal option does not count as a decision; a turn is a run of decisions of one seat.",
        )
    ]


def _make_figure(analysis: DecisionPointAnalysis, group: str) -> Figure:
    unit = analysis.cell.game.unit
    name = "games" if group == "all" else f"{group} games"
    by_round = analysis.estimate_shares_by_round(group)
    rounds = [r for r, _, _ in by_round]
    decided = [share for _, share, _ in by_round]
    over = [share for _, _, share in by_round]
    series = [
        {"name": "decided", "role": "h", "x": rounds, "estimates": decided},
        {"name": "over", "role": "ink", "x": rounds, "estimates": over},
    ]
    decision = analysis.estimate_median_decision_round(group).value
    length = analysis.estimate_median_length(group).value
    return model.make_line_plot(
        f"decided-{group}",
        f"{name.capitalize()}, decided and over by {wording.singularize_unit(unit)}",
        series,
        f"{unit} played",
        f"share of {name}",
        f"Half of the {name} are decided after {decision:g} {unit} and over after {length:g}.",
        share=True,
    )


def _make_table(analysis: DecisionPointAnalysis) -> ReportTable:
    groups = _list_groups(analysis)
    rows = []
    for measure, (name, kind) in MEASURES.items():
        row = {"what": name}
        for group in groups:
            row[group] = format_with_interval(ESTIMATORS[measure](analysis, group), kind)
        rows.append(row)
    margin = analysis.estimate_median_margin()
    if margin:
        text = format_with_interval(margin, "mean")
        rows.append({"what": "lead at the end (median)", "all": text})
    columns = [Column("what", ""), *(Column(group, group) for group in groups)]
    return ReportTable("decided", "The course of games", columns, rows)
