"""Commands about games that people play: a person takes a seat; what played games say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import count, real, whole
from hardmode.reports.commands.common import meant, one_cell, print_json, seed_of
from hardmode.reports.commands.options import (
    Box,
    Json,
    Scenario,
    Seats,
    Seed,
    Sets,
    SlipShares,
    Strategies,
    Threads,
)
from hardmode.reports.exit_codes import NO, say


def play(
    scenario: Scenario,
    seat: Annotated[int, typer.Option(help="Your seat.", parser=whole(1, 99), metavar="N")] = 1,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="When the game is over, add it as a row to this table of plays, a .csv.",
        ),
    ] = None,
    group: Annotated[str, typer.Option(metavar="NAME", help="Who plays, for the table.")] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Where a game that you leave is kept; "
            "the same command goes on with it. (default: SCENARIO.play)",
        ),
    ] = None,
    game: Annotated[
        int, typer.Option(help="Which game of the seed.", parser=whole(0), metavar="N")
    ] = 0,
    think: Annotated[
        float,
        typer.Option(help="How long a hint may take.", parser=real(0.1, 3600), metavar="SECONDS"),
    ] = 6.0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Take a seat: you choose among numbered options, strategies play at the others. Without --seed, on new luck.

    Type a number to choose; hint, undo, position, help, and quit, which keeps the game.

    Example: [bold]hardmode play woodlands/classic --log plays.csv[/bold]
    """
    from hardmode.reports.console import play as told
    from hardmode.studies.core import run as playing
    from hardmode.studies.playtests import csv_file, saved_game

    csv_file.ready(log)
    found = meant(scenario, sets, strategy, players, slips, box)
    cell = one_cell(found)
    if seat > cell.players:
        raise typer.BadParameter(f"--seat {seat}: there are {cell.players} seats")
    begun = saved_game.LeftGame.begun(
        found, cell, told.fresh() if seed is None else seed, game, seat - 1
    )
    file = out or told.kept_in(found.name)
    left = saved_game.found_again(file, begun, asked=seed is not None)
    done = told.play(
        cell, left, playing.engine(cell), file, think, aloud=not as_json, threads=threads
    )
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


def fit(
    scenario: Scenario,
    plays: Annotated[
        Path,
        typer.Argument(
            metavar="PLAYS",
            help="Played games, a row each: .csv, .xlsx, .parquet or "
            ".yaml. hardmode new plays SCENARIO writes the head of one.",
        ),
    ],
    free: Annotated[
        list[str] | None,
        typer.Option(
            "--free",
            metavar="PATH",
            help="An unknown number to find out, "
            "beside the level; may be repeated. 'none' holds the box to what is "
            "assumed. (default: those that decide)",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Write the fit, for --as of run, compare and report.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long to play.", parser=real(1, 10**6), metavar="S")
    ] = 60.0,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games at each level in each box, instead: then nothing depends on the machine.",
        ),
    ] = None,
    seed: Seed = None,
    sets: Sets = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """What do played games say? How well people play, the unknown numbers, what to expect; and whether the model fits.

    Exit 1 where the model does not fit. Example: [bold]hardmode fit run_run_run/standard plays.csv -o fit.yaml[/bold]
    """
    from hardmode.reports.console import fit
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core.run import Effort
    from hardmode.studies.playtests import records as table
    from hardmode.studies.playtests.fit import fit as study
    from hardmode.studies.playtests.fit import fit_file
    from hardmode.studies.report_run import precomputed

    fit_file.ready(out)
    found = meant(scenario, sets, None, players, None, box)
    rows, unread = table.read(plays, found.cells[0])
    for line in unread:
        say(f"note: {line}")
    effort = Effort(seed=seed_of(seed, found), threads=threads)
    with progress_bar(f"fit of {found.title}") as step:
        made = study(
            found,
            rows,
            effort,
            free=free or (),
            games=games,
            seconds=seconds,
            weighed=precomputed.weighed(found),
            progress=step,
        )
    if out:
        fit_file.save(out, made)
        say(str(out))
    print_json("fit", fit.as_dict(made)) if as_json else fit.show(made)
    if not made.fits:
        raise typer.Exit(NO)
