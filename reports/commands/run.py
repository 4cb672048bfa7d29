"""The command `run`: play a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import integer_between, parse_game_count, parse_precision
from hardmode.reports.commands import fitted_players
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
    FitOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
    XlsxOption,
)
from hardmode.reports.exit_codes import INTERRUPTED, print_message


def run_scenario(
    scenario: ScenarioArgument,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games of each cell: 2000, 50k, 1M. "
            "(default: the scenario's number, or 10k)",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            parser=parse_precision,
            metavar="POINTS",
            help="Stop as soon as the win rate is known to within this, as in 0.2%.",
        ),
    ] = None,
    first_game: Annotated[
        int,
        typer.Option(
            "--first-game",
            help="The number of the first game. It lets several runs share the games of one seed.",
            parser=integer_between(0),
            metavar="N",
        ),
    ] = 0,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Write every game as a row of Parquet, to a folder or to an address such as "
            "s3://BUCKET/FOLDER.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Write the result to this file. An interrupted run continues from it.",
        ),
    ] = None,
    fit: FitOption = None,
    xlsx: XlsxOption = None,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a scenario and print its win rate, how games end, and how long they take.

    Example: [bold]hardmode run woodlands/classic --games 100k[/bold]
    """
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core import run

    if xlsx:
        from hardmode.reports import workbook
        from hardmode.reports.console import result_tables

        workbook.check_workbook_path(xlsx)
    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    effort = run.default_effort(loaded, precision).override(
        games=games,
        first_game=first_game,
        seed=choose_seed(seed, loaded),
        confidence=confidence,
        threads=threads,
    )
    if fit:
        fitted_players.refuse_other_options(
            strategy=strategy, mistakes=mistakes, precision=precision, rows=rows, out=out
        )
        fitted_players.run_with_fit(loaded, fit, effort, xlsx, as_json, details)
        return
    save_error = None
    with show_progress(loaded.title) as step:
        try:
            results = run.play(loaded, effort, out=out, rows=rows, progress=step)
        except run.ResultsNotSavedError as error:
            results, save_error = error.results, error
    played = any(result.games for result in results)
    if as_json:
        from hardmode.reports.console.run import describe_results
        from hardmode.reports.json.run import build_run_answer

        answer = build_run_answer(loaded, results, confidence)
        if played:
            answer.summary = describe_results(results, confidence)
        print_json("run", answer)
    elif played:
        from hardmode.reports.console.run import print_results

        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        print_results(results, confidence, arguments, details)
    if xlsx and played:
        workbook.write_workbook(
            xlsx,
            result_tables.make_result_tables(results),
            result_tables.describe_result_inputs(results),
        )
        print_message(str(xlsx))
    if save_error:
        raise save_error
    if any(result.interrupted for result in results):
        games_played = sum(result.games for result in results)
        advice = "add -o FILE to keep the games of an interrupted run"
        if out:
            advice = f"they are in {out}, and the same command continues from there"
        print_message(f"interrupted after {games_played:,} games; {advice}")
        raise typer.Exit(INTERRUPTED)
