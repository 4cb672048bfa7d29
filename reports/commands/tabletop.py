"""Commands about games that people play: a person takes a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.commands.common import meant, one_cell, print_json
from hardmode.reports.ending import say
from hardmode.reports.flags import real, whole
from hardmode.reports.options import Box, Json, Scenario, Seats, Seed, Sets, SlipShares, Strategies


def play(
    scenario: Scenario,
    seat: Annotated[int, typer.Option(help="Your seat.", parser=whole(1, 99), metavar="N")] = 1,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="When the game is over, add it as a row to this "
                                             "table of plays, a .csv.")] = None,
    group: Annotated[str, typer.Option(metavar="NAME", help="Who plays, for the table.")] = "",
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Where a game that you leave is kept; "
                                             "the same command goes on with it. (default: SCENARIO.play)")] = None,
    game: Annotated[int, typer.Option(help="Which game of the seed.", parser=whole(0), metavar="N")] = 0,
    think: Annotated[float, typer.Option(help="How long a hint may take.", parser=real(0.1, 3600),
                                         metavar="SECONDS")] = 6.0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    as_json: Json = False,
) -> None:
    """Take a seat: you choose among numbered options, strategies play at the others. Without --seed, on new luck.

    Type a number to choose; hint, undo, position, help, and quit, which keeps the game.

    Example: [bold]hardmode play woodlands/classic --log plays.csv[/bold]
    """
    from hardmode.reports import sitting as told
    from hardmode.studies import left_game, plays_file
    from hardmode.studies import play as playing

    plays_file.ready(log)
    found = meant(scenario, sets, strategy, players, slips, box)
    cell = one_cell(found)
    if seat > cell.players:
        raise typer.BadParameter(f"--seat {seat}: there are {cell.players} seats")
    begun = left_game.LeftGame.begun(found, cell, told.fresh() if seed is None else seed, game, seat - 1)
    file = out or told.kept_in(found.name)
    left = left_game.found_again(file, begun, asked=seed is not None)
    done = told.play(cell, left, playing.engine(cell), file, think, aloud=not as_json)
    if not done.over:
        say(f"the game is kept in {file}: the same command goes on from there")
        if as_json:
            print_json("play", {"left": str(file)})
        return
    if log:
        told.add(log, cell, done, group, left)
        say(f"added to {log}")
    if as_json:
        print_json("play", told.as_dict(cell, done, left))
