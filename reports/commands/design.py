"""Commands for those who change a game: who plays it, what matters in it, what gives what they want."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import count, real, share, whole
from hardmode.reports.commands.common import meant, one_cell, print_json, seed_of
from hardmode.reports.commands.options import (
    Box,
    Confidence,
    Json,
    Scenario,
    Seats,
    Seed,
    Sets,
    SlipShares,
    Strategies,
    Threads,
)
from hardmode.reports.exit_codes import INTERRUPTED, say


def luck(
    scenario: Scenario,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games played with each source swapped; without it, as many as --seconds allow.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long to play.", parser=real(1, 10**7), metavar="S")
    ] = 20.0,
    draw: Annotated[
        str,
        typer.Option(
            metavar='"SOURCE A B C"',
            help="The share of one draw too, by its address as replay --json tells it.",
        ),
    ] = "",
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    as_json: Json = False,
) -> None:
    """Luck or skill? The share of every source of chance, of the players' own chance, and of who plays.

    Example: [bold]hardmode luck run_run_run/standard[/bold]
    """
    from hardmode.reports.console import luck as told
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core import run
    from hardmode.studies.core.reference_players import first_studied
    from hardmode.studies.luck import analysis as study

    found = first_studied(meant(scenario, sets, strategy, players, slips, box=box), strategy or ())
    one_cell(found)
    effort = run.Effort(seed=seed_of(seed, found), confidence=confidence, threads=threads)
    with progress_bar(f"luck of {found.title}") as step:
        made = study.luck(found, effort, games=games, seconds=seconds, draw=draw, progress=step)
    print_json("luck", told.as_dict(made)) if as_json else told.show(made)


def decided(
    scenario: Scenario,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games of each cell; without it, as many as --seconds allow.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long to play.", parser=real(1, 10**7), metavar="S")
    ] = 20.0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    as_json: Json = False,
) -> None:
    """When is a game decided, how many rounds are still played then, how often does it turn? Of each cell of a grid.

    Example: [bold]hardmode decided run_run_run/standard[/bold]
    """
    from hardmode.reports.console import decided as told
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core.run import Effort
    from hardmode.studies.game_flow import decision_point as study

    found = meant(scenario, sets, strategy, players, slips, box=box)
    effort = Effort(seed=seed_of(seed, found), confidence=confidence, threads=threads)
    with progress_bar(found.title) as step:
        made = study.decided(
            found, effort, games=games, seconds=seconds, asked=strategy or (), progress=step
        )
    print_json("decided", told.as_dict(made, found)) if as_json else told.show(made)


def train(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            metavar="SCENARIO...",
            help="Scenario files or shipped names; several of a game are trained for together.",
        ),
    ],
    base: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="Whose weights to tune. (default: the scenario's own player)",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="How long to train. (default: 60)", parser=real(0.1, 10**7), metavar="S"),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(help="How many generations, instead.", parser=whole(1, 10**6), metavar="N"),
    ] = None,
    games: Annotated[
        int,
        typer.Option(parser=count, metavar="N", help="Games of each candidate in a generation."),
    ] = "400",  # type: ignore[assignment]
    seed: Annotated[
        int, typer.Option(help="The luck of training.", parser=whole(0, 2**63 - 1), metavar="N")
    ] = 1,
    seat: Annotated[
        int,
        typer.Option(
            help="Where seats compete: which one is trained.", parser=whole(1, 99), metavar="N"
        ),
    ] = 1,
    weights: Annotated[
        str,
        typer.Option(
            metavar="NAME,...", help="Tune only these; NAME=LOW..HIGH keeps one within a range."
        ),
    ] = "",
    goal: Annotated[
        str,
        typer.Option(
            metavar="win_rate|score|seat_share",
            help="What to seek: games won, a high score, or a large share of all wins.",
        ),
    ] = "win_rate",
    over: Annotated[
        str,
        typer.Option(
            metavar="mean|worst", help="Over the cells of a grid: their mean, or the worst of them."
        ),
    ] = "mean",
    sets: Sets = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="The player file to write; the same command goes on where it was interrupted.",
        ),
    ] = Path("player.yaml"),
    as_json: Json = False,
) -> None:
    """Tune a player's weights, and measure them on luck that had no part in it; writes a player file.

    What is a dead weight, how much is overfit and, where seats compete, the share won head to head is told too.

    Example: [bold]hardmode train run_run_run/standard --seconds 60 -o mine.yaml[/bold]
    """
    from hardmode.reports.console import train
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.training import train as study

    found = [meant(scenario, sets, None, players, slips, box) for scenario in scenarios]
    with progress_bar(f"training for {found[0].title}") as step:
        made = study.train(
            found,
            base,
            seconds=seconds,
            generations=generations,
            games=games,
            seed=seed,
            seat=seat,
            weights=study.ranged(weights),
            goal=goal,
            over=over,
            threads=threads,
            out=out,
            progress=step,
        )
    print_json("train", train.as_dict(made, out)) if as_json else train.show(made, out)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


def sensitivity(
    scenario: Scenario,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long to play. (default: 60, with more than 1,200 "
            "steps 120, or as --games takes)",
            parser=real(1, 10**7),
            metavar="S",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="The most games of each number.")
    ] = None,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Annotated[
        float,
        typer.Option(help="Of all intervals together.", parser=real(0.5, 0.9999), metavar="SHARE"),
    ] = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Write the table as Markdown, CSV and Parquet, and the tornado as a plot.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Which numbers matter? Each of the box one plausible step up and down, on the same luck.

    Example: [bold]hardmode sensitivity trapwords/standard[/bold]
    """
    from hardmode.reports.console import sensitivity
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core.reference_players import studied
    from hardmode.studies.core.run import Effort
    from hardmode.studies.sensitivity import analysis as study

    found = meant(scenario, sets, strategy, players, slips, box=box)
    cell = studied(one_cell(found), strategy or ())
    effort = Effort(games or study.MOST, 0, seed_of(seed, found), None, confidence, threads)
    with progress_bar(found.title) as step:
        made = study.sensitivity(
            cell, effort, seconds or (None if games else study.usual(cell)), step
        )
    if out:
        say(f"{sensitivity.write(made, out)}")
    print_json("sensitivity", sensitivity.as_dict(made)) if as_json else sensitivity.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


def doubts(
    scenario: Scenario,
    seconds: Annotated[
        float, typer.Option(help="How long to play.", parser=real(1, 1e6), metavar="S")
    ] = 115.0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    as_json: Json = False,
) -> None:
    """What do the assumptions decide? The band over all that is not known, what decides it, how firm conclusions are.

    Example: [bold]hardmode doubts run_run_run/standard[/bold]
    """
    from hardmode.reports.console import uncertainty
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core.run import Effort
    from hardmode.studies.uncertainty import analysis as study

    found = meant(scenario, sets, strategy, players, slips, box)
    effort = Effort(study.GAMES, 0, seed_of(seed, found), None, confidence, threads)
    with progress_bar(f"doubts of {found.title}") as step:
        made = study.doubts(found, effort, seconds, strategy or (), step)
    print_json("doubts", uncertainty.as_dict(made)) if as_json else uncertainty.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


def solve(
    scenario: Scenario,
    target: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUE",
            help="What is wanted: win_rate=50%, rounds=10..14, "
            "an ending, 'seat 2=50%'. May be repeated.",
        ),
    ],
    by: Annotated[
        list[str],
        typer.Option(
            metavar="PATH[=LOW..HIGH]",
            help="The number to change, in its plausible range or in this one. May be repeated.",
        ),
    ],
    keep: Annotated[
        list[str] | None, typer.Option(metavar="NAME=BAND", help="What must hold as well.")
    ] = None,
    within: Annotated[
        float,
        typer.Option(parser=share, metavar="POINTS", help="How near to a rate is near enough."),
    ] = "1%",  # type: ignore[assignment]
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long to play. (default: 9, with several numbers 45)",
            parser=real(1, 10**7),
            metavar="S",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="The most games of each value.")
    ] = None,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Annotated[
        float,
        typer.Option(help="Of all answers together.", parser=real(0.5, 0.9999), metavar="SHARE"),
    ] = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Write tables, the curve, and each answer as a scenario.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Which value of which number gives what I want? What cannot be reached is an answer, too.

    Example: [bold]hardmode solve run_run_run/standard --target win_rate=50% --by torches.start[/bold]
    """
    from hardmode.reports.console import solve
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core.reference_players import studied
    from hardmode.studies.core.run import Effort
    from hardmode.studies.solve import search as study
    from hardmode.studies.solve.design_variables import levers
    from hardmode.studies.solve.targets import targets

    found = meant(scenario, sets, strategy, players, slips, box=box)
    cell = studied(found.cells[0], strategy or ())
    wanted = targets([*target, *(keep or [])], cell, within)
    moved = levers(by, found, cell, [path for t in wanted for path, _ in t.where])
    one_cell(found)
    usual = study.SECONDS if len(moved) == 1 else study.SECONDS_SEVERAL
    effort = Effort(games or study.MOST, 0, seed_of(seed, found), None, confidence, threads)
    with progress_bar(found.title) as step:
        made = study.solve(cell, wanted, moved, effort, seconds or (None if games else usual), step)
    if out:
        say(f"{solve.write(made, out)}")
    print_json("solve", solve.as_dict(made)) if as_json else solve.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)
