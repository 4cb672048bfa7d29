"""When is a game decided, and how long does it go on after that?"""

from __future__ import annotations

import shlex

from hardmode.reports.console import wording
from hardmode.reports.console.decided import ESTIMATORS, MEASURES, sentences
from hardmode.reports.page import model
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis
from hardmode.studies.report_run.data import ReportData, command_options, label_settings
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

EXPLAINED = (
    "A game is decided when from then on the chance of the side that won stays beyond 90 %, by playing on in "
    "worlds that the players cannot tell from theirs. What lies between the curves is played after that."
)


def section(g: ReportData) -> Section:
    title, found = "Is it tense to the end?", g.decision_point
    if found is None:
        command = shlex.join(
            ["hardmode", "decided", g.scenario.name, *command_options(label_settings(g.first_cell), g.first_cell.overlay)]
        )
        return Section(
            "decided",
            title,
            ["There was no time to watch enough games.", *_pace(g)],
            tables=_at_the_table(g),
            hints=[("When it is decided", command)],
        )
    of = f" of the first variant, {g.base.label}" if len(g.cells) > 1 else ""
    who = f"{len(found.games)} games{of} were watched, played by {wording.by(found.cell)}."
    groups = [
        group for group in found.groups if found.groups[group] and (group != "all" or found.seats_compete)
    ]
    return Section(
        "decided",
        title,
        [*sentences(found), _comebacks(found), *_pace(g), f"{who} {EXPLAINED}"],
        [_curves(found, group) for group in groups],
        [_table(found), *_at_the_table(g)],
        brief=Brief(3),
    )


def _comebacks(found: DecisionPointAnalysis) -> str:
    """How often the side that won had nearly lost, and how long games go on when nothing is open any more."""
    back, dead = format_with_interval(found.share_comebacks(), "rate"), format_with_interval(found.mean_rounds_after(), "mean")
    return (
        f"In {back} of all games the side that won had less than one chance in ten at the end of some "
        f"{found.cell.game.unit.rstrip('s')}: comebacks. On average {dead} {found.cell.game.unit} are played after "
        "it was decided."
    )


def _pace(g: ReportData) -> list[str]:
    """What a turn asks of who plays it, and how long the others wait."""
    found = g.turn_stats
    if not found or not any(found.games):
        return []
    told = f"A turn holds {_amount(found.mean_turn_length())} decisions, each among {_amount(found.mean_options())} options"
    waits = [found.mean_wait(seat) for seat in range(found.cell.players)]
    known = [e for e in waits if e.n]
    if found.cell.players > 1 and known:
        longest = max(known, key=lambda e: e.value)
        told += f"; seat {waits.index(longest) + 1} waits longest, for {_amount(longest)} decisions of the others"
    return [f"{told}."]


def _amount(e: Estimate) -> str:
    """A mean; alone where all games had the same."""
    return f"{e.value:g}" if e.low == e.high else format_with_interval(e, "mean")


def _at_the_table(g: ReportData) -> list[Table]:
    found = g.turn_stats
    if not found or not any(found.games):
        return []
    rows = [
        {"what": "decisions in a game", "mean": found.mean_decisions()},
        {"what": "decisions in a turn", "mean": found.mean_turn_length()},
        {"what": "options at a decision", "mean": found.mean_options()},
    ]
    waits = {
        f"seat {seat + 1}": found.mean_wait(seat)
        for seat in range(found.cell.players)
        if found.cell.players > 1
    }
    rows += [
        {"what": f"decisions of others while {seat} waits", "mean": e}
        for seat, e in waits.items()
        if e.n
    ]
    return [
        Table(
            "pace",
            "At the table",
            [Column("what", ""), Column("mean", "mean", "mean")],
            rows,
            f"From {len(found.games)} games. What leaves no choice is no decision; a turn is a run of decisions "
            "of one seat.",
        )
    ]


def _curves(found: DecisionPointAnalysis, group: str) -> Figure:
    by, unit = found.shares_by_round(group), found.cell.game.unit
    xs, name = [r for r, _, _ in by], "games" if group == "all" else f"{group} games"
    series = [
        {"name": "decided", "role": "b", "x": xs, "estimates": [d for _, d, _ in by]},
        {"name": "over", "role": "a", "x": xs, "estimates": [o for _, _, o in by]},
    ]
    after, until = found.median_decision_round(group).value, found.median_length(group).value
    alt = f"Half of the {name} are decided after {after:g} {unit} and over after {until:g}."
    return model.lines(
        f"decided-{group}",
        f"{name.capitalize()}, decided and over by {unit.rstrip('s')}",
        series,
        f"{unit} played",
        f"share of {name}",
        alt,
        share=True,
    )


def _table(found: DecisionPointAnalysis) -> Table:
    groups = [group for group in found.groups if found.groups[group]]
    rows = [
        {
            "what": words,
            **{group: format_with_interval(ESTIMATORS[measure](found, group), kind) for group in groups},
        }
        for measure, (words, kind) in MEASURES.items()
    ]
    margin = found.median_margin()
    rows += (
        [{"what": "lead in the end (median)", "all": format_with_interval(margin, "mean")}]
        if margin
        else []
    )
    return Table(
        "decided",
        "How games go",
        [Column("what", ""), *(Column(group, group) for group in groups)],
        rows,
    )
