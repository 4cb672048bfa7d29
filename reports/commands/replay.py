"""The command `replay`: tell one game step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import integer_between
from hardmode.reports.commands.common import (
    choose_seed,
    load_scenario_with_notes,
    print_json,
    take_first_cell,
)
from hardmode.reports.commands.options import (
    BoxOption,
    ConfidenceOption,
    GameNumberOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)
from hardmode.reports.exit_codes import print_message


def replay_game(
    scenario: ScenarioArgument,
    game: GameNumberOption = 0,
    odds: Annotated[
        bool,
        typer.Option(
            "--odds",
            help="Also estimate the chance to win after each step, and show the five turning "
            "points, which are draws or decisions.",
        ),
    ] = False,
    playouts: Annotated[
        int | None,
        typer.Option(
            help="For --odds, the number of random continuations from each step. (default: 200)",
            parser=integer_between(40, 10**6),
            metavar="N",
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            "-o", "--svg", metavar="FILE", help="For --odds, also write the chances as a plot."
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    as_json: JsonOption = False,
) -> None:
    """Tell one game step by step, with every draw and every legal option.

    Example: [bold]hardmode replay run_run_run/standard --game 7 --odds[/bold]
    """
    from hardmode.reports.console import replay as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.sim.files import atomic_files
    from hardmode.sim.replay import story
    from hardmode.studies.core import run
    from hardmode.studies.game_flow import turning_points

    if not odds and (svg or playouts):
        raise typer.BadParameter("--svg and --playouts can only be used together with --odds")
    if svg:
        atomic_files.check_writable(svg, atomic_files.PICTURE)
    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    cell = take_first_cell(loaded)
    game_seed = choose_seed(seed, loaded)
    turns = None
    with show_progress(f"game {game} of {loaded.title}") as step:
        engine = run.make_engine(cell)
        replayed = story(engine, game_seed, game)
        if odds:
            turns = turning_points.find_turning_points(
                engine,
                game_seed,
                game,
                cell.players,
                playouts=playouts or turning_points.PLAYOUTS,
                threads=threads,
                confidence=confidence,
                progress=step,
            )
    if turns and svg:
        console.write_win_chance_plot(replayed, turns, svg)
        print_message(str(svg))
    if as_json:
        from hardmode.reports.json.replay import build_replay_answer

        print_json("replay", build_replay_answer(replayed, turns))
    else:
        console.print_replay(cell, replayed, turns)
