"""The command `solve`: which values of which numbers reach a target."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import number_between, parse_game_count, parse_precision
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
    stop_if_interrupted,
    take_first_cell,
)
from hardmode.reports.commands.options import (
    BoxOption,
    DetailsOption,
    JointConfidenceOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)
from hardmode.reports.exit_codes import print_message


def solve_for_target(
    scenario: ScenarioArgument,
    target: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUE",
            help="What the game should be like: win_rate=50%, rounds=10..14, an ending, or "
            "'seat 2=50%'. May be repeated.",
        ),
    ],
    by: Annotated[
        list[str],
        typer.Option(
            metavar="PATH[=LOW..HIGH]",
            help="A number to change, within its plausible range or within this one. May be "
            "repeated.",
        ),
    ],
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=BAND", help="Something else that must hold, as in rounds=10..14."
        ),
    ] = None,
    within: Annotated[
        float,
        typer.Option(
            parser=parse_precision,
            metavar="POINTS",
            help="How close to the target a rate must be.",
        ),
    ] = "1%",  # type: ignore[assignment]
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long to play at most, in seconds. (default: 9, or 45 with several numbers; "
            "no limit if --games is given)",
            parser=number_between(1, 10**7),
            metavar="S",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The largest number of games played for each value.",
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: JointConfidenceOption = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Write tables, the curve, and each answer as a scenario file.",
        ),
    ] = None,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the values of numbers of the box that reach a target, or show that none does.

    Example:
    [bold]hardmode solve run_run_run/standard --target win_rate=50% --by torches.start[/bold]
    """
    from hardmode.reports.console import solve as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.reference_players import with_trained
    from hardmode.studies.core.run import Effort
    from hardmode.studies.solve import search
    from hardmode.studies.solve.design_variables import parse_design_variables
    from hardmode.studies.solve.targets import parse_targets

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    cell = with_trained(loaded.cells[0], strategy or ())
    targets = parse_targets([*target, *(keep or [])], cell, within)
    own_paths = [path for one in targets for path, _ in one.where]
    variables = parse_design_variables(by, loaded, cell, own_paths)
    take_first_cell(loaded)
    effort = Effort(
        games or search.MAX_GAMES, 0, choose_seed(seed, loaded), None, confidence, threads
    )
    limit = seconds
    if limit is None and not games:
        limit = search.DEFAULT_SECONDS
        if len(variables) > 1:
            limit = search.DEFAULT_SECONDS_SEVERAL
    with show_progress(loaded.title) as step:
        solution = search.solve(cell, targets, variables, effort, limit, step)
    if out:
        print_message(f"{console.write_solution(solution, out)}")
    if as_json:
        from hardmode.reports.json.solve import build_solve_answer

        answer = build_solve_answer(solution)
        answer.summary = console.make_verdict(solution, seconds=limit).text
        print_json("solve", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_solution(solution, arguments, details, limit)
    stop_if_interrupted(solution)
