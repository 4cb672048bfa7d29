"""The command `bisect`: find the commit that moved a win rate."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import number_between
from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import (
    AcceptedGamesOption,
    JsonOption,
    MarginOption,
    SeedOption,
    ThreadsOption,
)
from hardmode.reports.exit_codes import DONE, INCONCLUSIVE


def find_commit(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO", help="A scenario file in a git repository, or a shipped name."
        ),
    ],
    good: Annotated[
        str, typer.Option(metavar="REV", help="A commit that still plays as it should.")
    ],
    bad: Annotated[str, typer.Option(metavar="REV", help="A later commit that does not.")] = "HEAD",
    games: AcceptedGamesOption = None,
    seed: SeedOption = None,
    margin: MarginOption = None,
    alpha: Annotated[
        float,
        typer.Option(
            help="The chance, over the whole search, that a commit is blamed that moved nothing.",
            parser=number_between(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.01,
    beta: Annotated[
        float,
        typer.Option(
            help="The chance that a change beyond the margin is missed.",
            parser=number_between(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.05,
    threads: ThreadsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Find the commit that moved a win rate, by playing the same games at several commits.

    Nothing in the working folder is touched: every commit is checked out elsewhere and plays
    with its own files. The exit code is 0 if the commit was found, 3 if the search was
    inconclusive, and 2 if an input is wrong.

    Example: [bold]hardmode bisect mine.yaml --good v1.0[/bold]
    """
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.history import bisect

    config = bisect.BisectConfig(games, seed, alpha, beta, margin, threads)
    with show_progress("bisect") as step:
        search = bisect.bisect_commits(scenario, good, bad, config, step)
    if as_json:
        from hardmode.reports.json.bisect import build_bisect_answer

        print_json("bisect", build_bisect_answer(search))
    else:
        from hardmode.reports.console.bisect import print_search

        print_search(search)
    raise typer.Exit(DONE if search.culprit else INCONCLUSIVE)
