"""The command `decided`: when games are decided."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import parse_game_count
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
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


def measure_decision_points(
    scenario: ScenarioArgument,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games of each cell. Without it, --seconds decides.",
        ),
    ] = None,
    seconds: SecondsOption = 20.0,
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
    """Measure when games are decided, how many rounds follow, and how often the lead changes.

    Each cell of a grid is measured.

    Example: [bold]hardmode decided run_run_run/standard[/bold]
    """
    from hardmode.reports.console import decided as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.run import Effort
    from hardmode.studies.game_flow import decision_point

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    effort = Effort(seed=choose_seed(seed, loaded), confidence=confidence, threads=threads)
    with show_progress(loaded.title) as step:
        cells = decision_point.analyze_decision_points(
            loaded,
            effort,
            games=games,
            seconds=seconds,
            strategies=strategy or (),
            progress=step,
        )
    if as_json:
        from hardmode.reports.json.decided import build_decided_answer

        answer = build_decided_answer(cells, loaded)
        limit = None if games else seconds / len(cells)
        answer.summary = console.make_verdict(cells[0], seconds=limit).text
        print_json("decided", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_decided(cells, arguments, details, None if games else seconds)
