"""The command `schema`: print JSON Schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def print_schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="A command, as in compare, or a file, as in result. Without it, all names are "
            "listed.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Write the schema to this file."),
    ] = None,
) -> None:
    """Print the JSON Schema of what a command prints with --json, or of a file.

    Example: [bold]hardmode schema compare -o compare.schema.json[/bold]
    """
    from hardmode.reports.json import schemas
    from hardmode.sim.files import atomic_files

    if not name:
        for known, form in schemas.FORMS.items():
            print(f"{known:<16}{form.about}")
        return
    name = schemas.NEW_NAMES.get(name, name)
    if name not in schemas.FORMS:
        raise typer.BadParameter(
            f"{name!r} has no schema; the names are {', '.join(schemas.FORMS)}"
        )
    text = schemas.format_schema(name)
    if out:
        atomic_files.write_atomically(out, text)
    else:
        print(text, end="")
