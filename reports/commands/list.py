"""The command `list`: games, scenarios, strategies, and the numbers that can be set."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import BoxOption, JsonOption


def list_contents(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[GAME | SCENARIO]", help="A game or a scenario. Without it, all are listed."
        ),
    ] = "",
    find: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="List only numbers with these words in their path, note, value or source.",
        ),
    ] = "",
    assumed: Annotated[
        bool, typer.Option("--assumed", help="List only numbers that no source gives.")
    ] = False,
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            help="List only numbers that the scenario changes, or, for a game, that any shipped "
            "scenario changes.",
        ),
    ] = False,
    weights: Annotated[
        bool, typer.Option("--weights", help="List the weights of each strategy of a game.")
    ] = False,
    fields: Annotated[
        bool, typer.Option("--fields", help="List the fields of a game that a strategy may read.")
    ] = False,
    options: Annotated[
        bool,
        typer.Option(
            "--options",
            help="List how the options of each decision of a game are coded, with an example.",
        ),
    ] = False,
    box: BoxOption = None,
    as_json: JsonOption = False,
) -> None:
    """List games, scenarios, strategies, and the numbers that can be set, with their sources.

    Example: [bold]hardmode list run_run_run --find torch[/bold]
    """
    from hardmode.reports.console import list_fields, list_games

    wanted = list_games.ParameterFilter(find, assumed, changed, box)
    flags = {"weights": weights, "fields": fields, "options": options}
    parts = [name for name, given in flags.items() if given]
    if parts:
        list_games.check_names_game(what, wanted, ", ".join(f"--{name}" for name in parts))
        contents = list_fields.collect_details(what, parts)
        if as_json:
            from hardmode.reports.json.list import build_strategy_view_answer

            print_json("list", build_strategy_view_answer(contents))
        else:
            list_fields.print_details(contents)
    elif as_json:
        from hardmode.reports.json.list import build_list_answer

        print_json("list", build_list_answer(what, wanted))
    else:
        list_games.print_list(what, wanted)
