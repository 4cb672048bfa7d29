"""The command `luck`: how much chance decides, and how much skill."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import parse_game_count
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
    take_first_cell,
)
from hardmode.reports.commands.options import (
    BoxOption,
    ConfidenceOption,
    DetailsOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SecondsOption,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)


def measure_luck(
    scenario: ScenarioArgument,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games in which each source of chance is redrawn. Without it, "
            "--seconds decides.",
        ),
    ] = None,
    seconds: SecondsOption = 20.0,
    draw: Annotated[
        str,
        typer.Option(
            metavar='"SOURCE A B C"',
            help="Also measure the share of one draw, given by its address as replay --json "
            "prints it.",
        ),
    ] = "",
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how much of winning each source of chance decides, and how much skill decides.

    Example: [bold]hardmode luck run_run_run/standard[/bold]
    """
    from hardmode.reports.console import luck as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.reference_players import first_with_trained
    from hardmode.studies.core.run import Effort
    from hardmode.studies.luck import analysis
    from hardmode.studies.report_run.precomputed import load_expert_win_rate

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    studied = first_with_trained(loaded, strategy or ())
    take_first_cell(studied)
    effort = Effort(seed=choose_seed(seed, studied), confidence=confidence, threads=threads)
    with show_progress(f"luck of {studied.title}") as step:
        luck = analysis.analyze_luck(
            studied, effort, games=games, seconds=seconds, draw=draw, progress=step
        )
    expert = load_expert_win_rate(loaded, confidence)
    if as_json:
        from hardmode.reports.json.luck import build_luck_answer

        answer = build_luck_answer(luck, expert)
        answer.summary = console.make_verdict(luck, expert=expert).text
        print_json("luck", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_luck(luck, arguments, details, expert)
