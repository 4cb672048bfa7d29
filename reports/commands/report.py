"""The command `report`: write the difficulty report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import number_between, parse_game_count
from hardmode.reports.commands.common import load_scenario_with_notes
from hardmode.reports.commands.options import (
    BoxOption,
    ConfidenceOption,
    FitOption,
    MistakesOption,
    PlayersOption,
    RetrainOption,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
    XlsxOption,
)


def write_report(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO...]",
            help="Scenario files or shipped names. Without any, the report covers the standard "
            "scenario of every game.",
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="The folder for index.html, tables, plots and result.json.gz.",
        ),
    ] = Path("report"),
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games of each variant. Without it, --seconds decides.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="How long to play for each scenario at most, in seconds.",
            parser=number_between(1, 1e6),
            metavar="SECONDS",
        ),
    ] = 20.0,
    short: Annotated[
        bool,
        typer.Option(
            "--short",
            help="Write the short edition: two printed pages for each scenario, three for a large "
            "grid.",
        ),
    ] = False,
    pdf: Annotated[
        bool,
        typer.Option(
            "--pdf",
            help="Also print the pages of the short edition to report.pdf. This needs Chromium.",
        ),
    ] = False,
    png: Annotated[
        bool,
        typer.Option("--png", help="Also write every plot as a PNG file, beside the SVG files."),
    ] = False,
    play: Annotated[
        bool | None,
        typer.Option(
            "--play/--no-play",
            help="Whether readers can play the game in the page. Shipped games can be played; for "
            "a game of your own, the page is compiled first, which takes some seconds.",
            show_default=False,
        ),
    ] = None,
    slider: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH=VALUES",
            help="A number that readers of the page can change, with its values, as in "
            "torches.start=3..7. The strongest numbers are offered by themselves.",
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    fit: FitOption = None,
    retrain: RetrainOption = 0,
    xlsx: XlsxOption = None,
) -> None:
    """Write the difficulty report: one page that opens offline, with its tables and plots.

    Example: [bold]hardmode report woodlands/classic -o report[/bold]
    """
    from hardmode.reports.console.terminal import out as console
    from hardmode.reports.page import report as page
    from hardmode.reports.page.play.slider_option import parse_sliders
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core import run

    names = scenarios or page.list_standard_scenarios()
    loaded = [
        load_scenario_with_notes(name, sets, strategy, players, mistakes, box) for name in names
    ]
    report_seed = run.SCENARIO_SEED if seed is None else seed
    effort = run.Effort(games or page.MOST_GAMES, 0, report_seed, None, confidence, threads)
    sliders = parse_sliders(slider or (), loaded)
    edition = page.Edition(short, pdf, xlsx, fit, png, retrain, play, sliders)
    with show_progress("report") as step:
        file = page.write_report(loaded, effort, out, step, None if games else seconds, edition)
    console.print(f"{file}")
