"""The command `play`: take a seat in a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import integer_between, number_between
from hardmode.reports.commands.common import load_scenario_with_notes, print_json, take_first_cell
from hardmode.reports.commands.options import (
    BoxOption,
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


def play_game(
    scenario: ScenarioArgument,
    seat: Annotated[
        int,
        typer.Option(help="The seat that you take.", parser=integer_between(1, 99), metavar="N"),
    ] = 1,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Add the finished game as a row to this .csv file of played games.",
        ),
    ] = None,
    group: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the players, for --log.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="The file for a game that you leave before its end. The same command continues "
            "it. (default: SCENARIO.play)",
        ),
    ] = None,
    game: GameNumberOption = 0,
    think: Annotated[
        float,
        typer.Option(
            help="How long a hint may take, in seconds.",
            parser=number_between(0.1, 3600),
            metavar="SECONDS",
        ),
    ] = 6.0,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Take a seat: you choose among numbered options, and strategies play the other seats.

    Type a number to choose, or hint, undo, position, help or quit. A game that you quit is kept.
    Without --seed, every game has new random draws.

    Example: [bold]hardmode play woodlands/classic --log plays.csv[/bold]
    """
    from hardmode.reports.console import play as console
    from hardmode.studies.core import run
    from hardmode.studies.playtests import csv_file, saved_game

    csv_file.check_appendable(log)
    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    cell = take_first_cell(loaded)
    if seat > cell.players:
        raise typer.BadParameter(f"--seat {seat}: this game has {cell.players} seats")
    game_seed = console.draw_seed() if seed is None else seed
    started = saved_game.SavedGame.start(loaded, cell, game_seed, game, seat - 1)
    file = out or console.make_save_path(loaded.name)
    saved = saved_game.load_or_start(file, started, is_seed_given=seed is not None)
    played = console.play_at_terminal(
        cell, saved, run.make_engine(cell), file, think, on_stdout=not as_json, threads=threads
    )
    if not played.is_over:
        print_message(f"the game is saved in {file}; the same command continues it")
    elif log:
        console.append_finished_game(log, cell, played, group, saved)
        print_message(f"the game was added to {log}")
    if as_json:
        from hardmode.reports.json.play import build_play_answer

        print_json("play", build_play_answer(cell, played, saved, file))
