"""The command `new`: write a file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def create_file(
    what: Annotated[
        str,
        typer.Argument(
            metavar="box | scenario | strategy | game | plays", help="The kind of file to write."
        ),
    ],
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="The game that the file is for, or the name of the new game. For plays, the "
            "scenario that was played.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="The file to write. For a new game, the folder in which its own folder is "
            "created. (default: print the text)",
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For a box, the answer that sensitivity or uncertainty printed with --json. The "
            "numbers with the largest influence then come first.",
        ),
    ] = None,
) -> None:
    """Write a file to start from: a box, a scenario, a strategy, a game, or a table of plays.

    Example: [bold]hardmode new box run_run_run -o mybox.yaml[/bold]
    """
    from hardmode.reports import new

    print(new.write_new_file(what, name, out, known).rstrip())
