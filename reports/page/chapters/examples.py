"""Three games told: a typical win, a typical loss, and the closest one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from hardmode.reports.console import replay, wording
from hardmode.reports.page.model import Column, Figure, Section, Table, ToldGame
from hardmode.scenarios.load import Variant
from hardmode.sim.replay import Story, sentences, story
from hardmode.studies.core.run import make_engine
from hardmode.studies.report_run.data import ReportData, command_options, label_settings
from hardmode.studies.report_run.game_flow import ExampleGame, select_example_games

TURNED = (
    "The curves tell the chance to win after each step; turning points are luck, or a decision worth less than "
    "the best other option, each measured again after it was chosen for its size."
)
MOST_LINES = 300  # what is shown of one story; longer ones are cut in the middle


def section(g: ReportData) -> Section | None:
    made = make_engine(g.first_cell)
    played = {pick: story(made, g.effort.seed, pick.number) for pick in select_example_games(g)}
    stories = [_retold(g, pick, one) for pick, one in played.items()]
    if not stories:
        return None
    where = f"They are games of the first variant: {g.base.label}. " if len(g.cells) > 1 else ""
    how = (
        f"{where}Picked from the first {g.sample_rows.shape[1]:,} games: a win and a loss of typical length and result, "
        "and the closest game."
    )
    figures, tables = _turned(g, played)
    hints = [] if figures else [("Where they turned", f"{stories[0].command} --odds")]
    return Section(
        "games",
        wording.number_of(len(stories), "game"),
        [how, *([TURNED] if figures else [])],
        figures,
        tables,
        stories=stories,
        hints=hints,
    )


def _turned(g: ReportData, played: Mapping[ExampleGame, Story]) -> tuple[list[Figure], list[Table]]:
    """The odds of each game as a plot, and all their turning points."""
    figures, rows = [], []
    for pick, made in ((pick, made) for pick, made in played.items() if pick.number in g.turning_points):
        found = g.turning_points[pick.number]
        title = f"{pick.title}, game {pick.number}"
        figures.append(replay.figure(made, found, f"odds-{pick.number}", f"{title}: chance to win"))
        rows += [
            {
                "game": title,
                "number": i + 1,
                "step": s.step,
                "kind": s.kind,
                "what": replay.sentence(made, found, s),
            }
            for i, s in enumerate(found.swings)
        ]
    return figures, [
        Table(
            "turning-points",
            "Where they turned",
            [
                Column("game", "game"),
                Column("number", "", "count"),
                Column("step", "step", "count"),
                Column("kind", "by"),
                Column("what", "what happened"),
            ],
            rows,
        )
    ] if rows else []


def _retold(g: ReportData, pick: ExampleGame, made: Story) -> ToldGame:
    return told_game(
        g.first_cell,
        made,
        pick.title,
        g.scenario.name,
        label_settings(g.first_cell),
        MOST_LINES,
        f"game {pick.number}: ",
    )


def told_game(
    cell: Variant,
    made: Story,
    title: str,
    scenario: str,
    sets: Mapping[str, Any],
    most: int,
    name: str = "",
) -> ToldGame:
    """One game step by step, cut in the middle where it has more lines than a page should show."""
    lines = sentences(made, cell.game.load_words())
    left_out, half = max(0, len(lines) - most), most // 2
    if left_out:
        lines = [*lines[:half], "", f"… {left_out:,} lines are left out here …", "", *lines[-half:]]
    command = shlex.join(
        [
            "hardmode",
            "replay",
            scenario,
            *command_options(sets, cell.overlay),
            "--game",
            str(made.number),
            "--seed",
            str(made.seed),
        ]
    )
    summary = f"{name}{made.ending} after {made.row['rounds']} {cell.game.unit}"
    return ToldGame(title, summary, lines, command, left_out)
