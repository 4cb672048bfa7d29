"""Commands that look back over the commits of a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import count, real, share
from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import Confidence, Json, Seed, Threads
from hardmode.reports.exit_codes import DONE, INCONCLUSIVE


def history(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO]...",
            help="Files or shipped names, or result files; all shipped scenarios when left out.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "-o", metavar="FILE", help="Draw the course of one scenario, as .svg or .png."
        ),
    ] = None,
    confidence: Confidence = 0.95,
    as_json: Json = False,
) -> None:
    """What did baselines and results hold, commit by commit?

    Example: [bold]hardmode history mine.yaml -o history.svg[/bold]
    """
    from hardmode.reports.console import history
    from hardmode.studies.history.history import history as looked_up

    if picture:
        history.ready(picture)
        if len(names or []) != 1:
            raise typer.BadParameter("a picture is of one scenario; name it", param_hint="-o")
    found = looked_up(names or [], confidence)
    if picture:
        history.draw(found[0], picture)
    print_json("history", history.history_dict(found)) if as_json else history.show_history(found)


def bisect(
    scenario: Annotated[
        str,
        typer.Argument(metavar="SCENARIO", help="A file in a git repository, or a shipped name."),
    ],
    good: Annotated[
        str, typer.Option(metavar="REV", help="A commit that still plays as it should.")
    ],
    bad: Annotated[str, typer.Option(metavar="REV", help="A later one that does not.")] = "HEAD",
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games of each cell. Default: as many as "
            "the good commit's baseline has, or by their pace.",
        ),
    ] = None,
    seed: Seed = None,
    margin: Annotated[
        float | None,
        typer.Option(
            parser=share,
            metavar="POINTS",
            help="A change smaller than this does "
            "not matter. Default: 1%, wider where games are few.",
        ),
    ] = None,
    alpha: Annotated[
        float,
        typer.Option(
            help="Chance that a commit is blamed of which nothing moved, over the whole search.",
            parser=real(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.01,
    beta: Annotated[
        float,
        typer.Option(
            help="Chance that a change beyond the margin is passed over.",
            parser=real(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.05,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Which commit moved a win rate? Let commits play the same games until one is left.

    Nothing in the working folder is touched: every commit is checked out elsewhere, and plays by its own files.

    Exit code 0: found; 3: inconclusive; 2: wrong usage.

    Example: [bold]hardmode bisect mine.yaml --good v1.0[/bold]
    """
    from hardmode.reports.console import history
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.history.bisect import SearchTerms
    from hardmode.studies.history.bisect import bisect as searched

    asked = SearchTerms(games, seed, alpha, beta, margin, threads)
    with progress_bar("bisect") as step:
        found = searched(scenario, good, bad, asked, step)
    print_json("bisect", history.search_dict(found)) if as_json else history.show_search(found)
    raise typer.Exit(DONE if found.found else INCONCLUSIVE)
