"""Section with example games: a typical win, a typical loss, and the closest game."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from hardmode.reports.console import replay, wording
from hardmode.reports.page.model import Column, Figure, GameNarrative, ReportTable, Section
from hardmode.scenarios.load import Variant
from hardmode.sim.replay import Story, sentences, story
from hardmode.studies.core.run import make_engine
from hardmode.studies.report_run.commands import format_command_options, get_label_settings
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.report_run.game_flow import ExampleGame, select_example_games

CURVE_EXPLANATION = (
    "The curves show the chance to win after each step. A turning point is a random event, or a "
    "decision that was worse than the best other option. The turning points were chosen for their "
    "size, and each was then measured again with new random numbers."
)
MAX_LINES = 40  # of one game; longer ones are cut in the middle


def make_examples_section(report: ReportData) -> Section | None:
    """Return the section with example games, or None if there are none."""
    engine = make_engine(report.first_cell)
    games = {}
    for example in select_example_games(report):
        games[example] = story(engine, report.effort.seed, example.number)
    narratives = [_narrate(report, example, game) for example, game in games.items()]
    if not narratives:
        return None
    where = ""
    if len(report.cells) > 1:
        where = f"They are games of the first variant: {report.base.label}. "
    n_games = wording.format_games(report.sample_rows.shape[1])
    sentences = [
        f"{where}They were selected from the first {n_games}: a win and a loss of typical length "
        "and result, and the closest game."
    ]
    figures, tables = _make_turning_points(report, games)
    hints = []
    if figures:
        sentences.append(CURVE_EXPLANATION)
    else:
        hints.append(("To see the turning points, run", f"{narratives[0].command} --odds"))
    return Section(
        "games",
        wording.spell_count(len(narratives), "game"),
        sentences,
        figures,
        tables,
        stories=narratives,
        hints=hints,
    )


def _make_turning_points(
    report: ReportData, games: Mapping[ExampleGame, Story]
) -> tuple[list[Figure], list[ReportTable]]:
    """Return the chance to win in each game as a plot, and a table of all turning points."""
    figures, rows = [], []
    for example, game in games.items():
        chances = report.turning_points.get(example.number)
        if chances is None:
            continue
        title = f"{example.title}, game {example.number}"
        name = f"odds-{example.number}"
        figures.append(
            replay.make_win_chance_figure(game, chances, name, f"{title}: chance to win")
        )
        for i, swing in enumerate(chances.swings):
            rows.append(
                {
                    "game": title,
                    "number": i + 1,
                    "step": swing.step,
                    "kind": swing.kind,
                    "what": replay.describe_swing(game, chances, swing),
                }
            )
    if not rows:
        return figures, []
    columns = [
        Column("game", "game"),
        Column("number", "", "count"),
        Column("step", "step", "count"),
        Column("kind", "by"),
        Column("what", "what happened"),
    ]
    return figures, [ReportTable("turning-points", "Turning points", columns, rows)]


def _narrate(report: ReportData, example: ExampleGame, game: Story) -> GameNarrative:
    return make_game_narrative(
        report.first_cell,
        game,
        example.title,
        report.scenario.name,
        get_label_settings(report.first_cell),
        MAX_LINES,
        f"game {example.number}: ",
    )


def make_game_narrative(
    cell: Variant,
    game: Story,
    title: str,
    scenario: str,
    settings: Mapping[str, Any],
    max_lines: int,
    prefix: str = "",
) -> GameNarrative:
    """Return one game step by step, cut in the middle if it has too many lines.

    Args:
        cell: The variant that was played.
        game: The game.
        title: Title of the narrative.
        scenario: Name of the scenario, for the command that replays the game.
        settings: Values by path that this command sets.
        max_lines: Number of lines that are shown.
        prefix: Words before the summary.
    """
    lines = sentences(game, cell.game.load_words())
    left_out, half = max(0, len(lines) - max_lines), max_lines // 2
    if left_out:
        gap = f"… {left_out:,} lines are left out here …"
        lines = [*lines[:half], "", gap, "", *lines[-half:]]
    options = format_command_options(settings, cell.overlay)
    numbers = ["--game", str(game.number), "--seed", str(game.seed)]
    command = shlex.join(["hardmode", "replay", scenario, *options, *numbers])
    summary = f"{prefix}{game.ending} after {game.row['rounds']} {cell.game.unit}"
    return GameNarrative(title, summary, lines, command, left_out)
