"""hardmode: how hard is a board game, for whom, and what makes it so?"""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Callable
from typing import Annotated

import typer

from hardmode.reports.cli_types import Command, Commands
from hardmode.reports.commands import design, files, hold, look, past, play, tabletop
from hardmode.reports.commands.cluster_options import playing_on
from hardmode.reports.exit_codes import exit_code, say

app = typer.Typer(
    cls=Commands,
    help=__doc__,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play": (play.run, play.report, play.replay, play.compare),
    "Design": (
        look.audit,
        design.luck,
        design.decided,
        look.choices,
        design.sensitivity,
        design.doubts,
        design.solve,
        design.train,
    ),
    "From the table": (tabletop.play, tabletop.fit),
    "Hold": (hold.check, hold.accept, hold.check_game, past.history, past.bisect),
    "Files": (files.list_, files.new, files.merge, files.reproduce, files.schema, files.warm),
}


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"hardmode {version('hardmode')}")
        raise typer.Exit()


@app.callback(help=__doc__)
def hardmode(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """What goes before a command."""


for panel, commands in PANELS.items():
    for command in commands:
        name = command.__name__.rstrip("_").replace("_", "-")
        app.command(name, cls=Command, rich_help_panel=panel)(playing_on(command))


def main() -> None:
    """The `hardmode` command."""
    gc.set_threshold(
        100_000
    )  # what is imported stays: to look for garbage among it takes a tenth of a start
    warnings.showwarning = lambda message, *_: say(f"note: {message}")
    every = app.registered_commands
    asked = [one for one in every if one.name in sys.argv[1:2]]
    app.registered_commands = asked or every  # typer reads the signatures of all that it is given
    try:
        code = exit_code(app)
    finally:
        app.registered_commands = every
    gc.freeze()  # nor is it looked through when the process ends, which takes a tenth once more
    sys.exit(code)


if __name__ == "__main__":
    main()
