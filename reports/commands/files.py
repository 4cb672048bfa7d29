"""Commands about what there is, and about files of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import Box, Json, Threads
from hardmode.reports.exit_codes import NO


def list_(
    what: Annotated[
        str,
        typer.Argument(metavar="[GAME | SCENARIO]", help="A game or a scenario; nothing for all."),
    ] = "",
    find: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="Only numbers that have these words in their path, note, value or source.",
        ),
    ] = "",
    assumed: Annotated[
        bool, typer.Option("--assumed", help="Only numbers that no source gives.")
    ] = False,
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            help="Only numbers that the scenario changes; of a game, that a shipped one does.",
        ),
    ] = False,
    weights: Annotated[
        bool, typer.Option("--weights", help="Of a game: what each strategy weighs.")
    ] = False,
    fields: Annotated[
        bool, typer.Option("--fields", help="Of a game: what a strategy may read.")
    ] = False,
    options: Annotated[
        bool,
        typer.Option(
            "--options",
            help="Of a game: how the options of each decision are coded, with an example.",
        ),
    ] = False,
    box: Box = None,
    as_json: Json = False,
) -> None:
    """Show games, scenarios, strategies, and what can be set, with its provenance.

    Example: [bold]hardmode list run_run_run --find torch[/bold]
    """
    from hardmode.reports.console import list_fields, list_games

    wanted = list_games.Wanted(find, assumed, changed, box)
    inside = [
        name
        for name, said in (("weights", weights), ("fields", fields), ("options", options))
        if said
    ]
    if inside:
        list_games.of_game_alone(what, wanted, ", ".join(f"--{name}" for name in inside))
        told = list_fields.asked_for(what, inside)
        if as_json:
            print_json("list", told)
        else:
            list_fields.show(told)
    elif as_json:
        print_json("list", list_games.contents(what, wanted))
    else:
        list_games.show(what, wanted)


def new(
    what: Annotated[
        str,
        typer.Argument(metavar="box | scenario | strategy | game | plays", help="What to write."),
    ],
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="The game that it is for, or the name of the new game; "
            "of plays, the scenario that was played.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Where it goes; of a new game, the folder that holds its own. (default: printed)",
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For a box: what sensitivity or doubts answered "
            "with --json; the most influential numbers stand first.",
        ),
    ] = None,
) -> None:
    """Write a file to begin with: a box of one's own, a scenario, a strategy, a whole game, or a table of plays.

    Example: [bold]hardmode new box run_run_run -o mybox.yaml[/bold]
    """
    from hardmode.reports import new as beginning

    print(beginning.new(what, name, out, known).rstrip())


def merge(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Result files of the same scenario.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Where the sum goes.")],
    as_json: Json = False,
) -> None:
    """Add up results: shards of the same games played the same way.

    Example: [bold]hardmode merge a.json b.json -o all.json[/bold]
    """
    from hardmode.reports.console import result
    from hardmode.reports.json import answers
    from hardmode.sim.files import atomic_files
    from hardmode.sim.results import result_file
    from hardmode.studies.core import run

    atomic_files.ready(out, atomic_files.RESULT)
    together = run.merge(files)
    summaries = [answers.summary(r) for r in together]
    if as_json:
        print_json("merge", summaries[0] if len(summaries) == 1 else {"cells": summaries})
    else:
        result.results(together, summaries)
    result_file.save(out, together)


def reproduce(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A result file.")],
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Run the strategies' own files of code that the result names."
        ),
    ] = False,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Play a result again and compare: the same games must end the same.

    Example: [bold]hardmode reproduce night.json[/bold]
    """
    from hardmode.reports.console import result
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core import run

    with progress_bar(f"reproducing {file.name}") as step:
        checks = run.reproduce(file, threads, step, trust=trust)
    if as_json:
        print_json("reproduce", {"reproduced": all(c["same"] for c in checks), "cells": checks})
    else:
        result.reproduced(checks)
    if not all(c["same"] for c in checks):
        raise typer.Exit(NO)


def schema(
    form: Annotated[
        str,
        typer.Argument(
            metavar="[FORM]",
            help="A command, as in compare, or a file, as in result; nothing for a list.",
        ),
    ] = "",
) -> None:
    """Print the JSON Schema of what a command prints with --json, or of a file.

    Example: [bold]hardmode schema compare[/bold]
    """
    from hardmode.reports import json

    if not form:
        print("\n".join(f"{name:<14}{one.about}" for name, one in json.FORMS.items()))
        return
    if form not in json.FORMS:
        raise typer.BadParameter(f"{form!r} has no schema; there are {', '.join(json.FORMS)}")
    print(json.text(form), end="")


def warm(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; nothing for all.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile games ahead, with all their strategies: for images and the caches of CI.

    Example: [bold]hardmode warm woodlands[/bold]
    """
    from hardmode.reports.console import list_games
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.sim.compile.cache import cache_root
    from hardmode.studies.core import precompile

    made = []
    for game in list_games.games(games or []):
        with progress_bar(f"compiling {game}") as step:
            made.append(precompile.warm(game, step))
        if not as_json:
            parts = f"{made[-1]['compiled']} parts compiled in {made[-1]['seconds']} s"
            print(f"{game}: {parts if made[-1]['compiled'] else 'all compiled before'}")
    where = cache_root()
    if as_json:
        print_json("warm", {"games": made, "cache": str(where) if where else None})
    else:
        print(f"kept in {where}" if where else "nothing is kept: HARDMODE_CACHE is off")
