"""The command `bound`: how much any player can win at most."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import integer_between, parse_game_count
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
    take_first_cell,
)
from hardmode.reports.commands.options import (
    BoxOption,
    ConfidenceOption,
    DetailsOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SecondsOption,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)


def bound_win_rate(
    scenario: ScenarioArgument,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games to search. Without it, --seconds decides.",
        ),
    ] = None,
    nodes: Annotated[
        int,
        typer.Option(
            parser=integer_between(1, 10**7),
            metavar="N",
            help="The number of positions after which the search of a game is left.",
        ),
    ] = 200_000,
    seconds: SecondsOption = 60.0,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Bound what any player can win, by searching games whose draws are all known.

    Where seats compete, seat 1 is bounded, against the strategies at the other seats.

    Example: [bold]hardmode bound run_run_run/standard[/bold]
    """
    from hardmode.reports.console import bound as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.bound import analysis
    from hardmode.studies.core.run import Effort

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    take_first_cell(loaded)
    effort = Effort(seed=choose_seed(seed, loaded), confidence=confidence, threads=threads)
    with show_progress(f"bound of {loaded.title}") as step:
        found = analysis.analyze_bound(
            loaded, effort, games=games, seconds=seconds, nodes=nodes, progress=step
        )
    if as_json:
        from hardmode.reports.json.bound import build_bound_answer

        answer = build_bound_answer(found)
        answer.summary = console.make_verdict(found).text
        print_json("bound", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_bound(found, arguments, details)
