"""The command `fit`: learn from games that people played."""

from __future__ import annotations

from pathlib import Path
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
    DetailsOption,
    JsonOption,
    PlayersOption,
    ScenarioArgument,
    SecondsOption,
    SeedOption,
    SetOption,
    ThreadsOption,
)
from hardmode.reports.exit_codes import ANSWER_IS_NO, print_message


def fit_playtests(
    scenario: ScenarioArgument,
    plays: Annotated[
        Path,
        typer.Argument(
            metavar="PLAYS",
            help="A .csv, .xlsx, .parquet or .yaml file with one row for each played game. "
            "hardmode new plays SCENARIO writes the header of such a file. The folder of "
            "run --rows and the .json of replay --json are read, too.",
        ),
    ],
    free: Annotated[
        list[str] | None,
        typer.Option(
            "--free",
            metavar="PATH",
            help="An unknown number to estimate besides the skill level. May be repeated. 'none' "
            "keeps all numbers as they are assumed. (default: the numbers that decide most)",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Write the fit to this file, for --fit of run, compare and report.",
        ),
    ] = None,
    seconds: SecondsOption = 60.0,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games at each level in each box, instead of --seconds. The answer "
            "is then the same on every machine.",
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Estimate from played games how well people play, unknown numbers, and future games.

    The exit code is 1 if the model does not fit the played games.

    Example: [bold]hardmode fit run_run_run/standard plays.csv -o fit.yaml[/bold]
    """
    from hardmode.reports.console import fit as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.run import Effort
    from hardmode.studies.playtests import records
    from hardmode.studies.playtests.fit import fit_file, fit_model
    from hardmode.studies.report_run import precomputed

    fit_file.check_fit_path(out)
    loaded = load_scenario_with_notes(scenario, sets, None, players, None, box)
    rows, unread = records.load_play_records(plays, loaded.cells[0])
    for line in unread:
        print_message(f"note: {line}")
    effort = Effort(seed=choose_seed(seed, loaded), threads=threads)
    with show_progress(f"fit of {loaded.title}") as step:
        fit = fit_model(
            loaded,
            rows,
            effort,
            free=free or (),
            games=games,
            seconds=seconds,
            uncertainty=precomputed.load_precomputed_uncertainty(loaded),
            progress=step,
        )
    if out:
        fit_file.write_fit(out, fit)
        print_message(str(out))
    if as_json:
        from hardmode.reports.json.fit import build_fit_answer

        answer = build_fit_answer(fit)
        answer.summary = console.make_verdict(fit).text
        print_json("fit", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, None, players, None, box)
        console.print_fit(fit, arguments, details, out)
    if not fit.fits:
        raise typer.Exit(ANSWER_IS_NO)
