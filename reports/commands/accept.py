"""The command `accept`: record baselines."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.commands.common import load_scenario_with_notes, print_json
from hardmode.reports.commands.options import (
    AcceptedGamesOption,
    BoxOption,
    JsonOption,
    SeedOption,
    ThreadsOption,
)


def accept_baselines(
    reason: Annotated[
        str, typer.Option(help="What changed, and why the game should play as it does now.")
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SCENARIO]...", help="Scenario files or shipped names."),
    ] = None,
    shipped: Annotated[
        bool, typer.Option("--all-shipped", help="Accept every shipped scenario.")
    ] = False,
    games: AcceptedGamesOption = None,
    seed: SeedOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Record how scenarios play now, as the baselines that later builds are checked against.

    Example: [bold]hardmode accept mine.yaml --reason "three torches instead of four"[/bold]
    """
    from hardmode.reports.console.accept import print_accepted_baseline
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.gate import accept

    names = accept.list_scenarios_to_accept(files or [], shipped)
    recorded = []
    for name in names:
        load_scenario_with_notes(name, box=box)
        with show_progress(f"accept {name}") as step:
            baseline = accept.accept_scenario(
                name, reason, games=games, seed=seed, threads=threads, box=box, progress=step
            )
        recorded.append(baseline)
        if not as_json:
            print_accepted_baseline(baseline)
    if as_json:
        from hardmode.reports.json.accept import build_accept_answer

        print_json("accept", build_accept_answer(recorded))
