"""Commands that play a scenario and show what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hardmode.reports.cli_types import count, real, share, whole
from hardmode.reports.commands import as_fit
from hardmode.reports.commands.common import loaded, meant, noted, one_cell, print_json, seed_of
from hardmode.reports.commands.options import (
    Adapted,
    Adapting,
    As,
    Box,
    BoxOfB,
    ByLevel,
    Confidence,
    Doubting,
    Generations,
    Json,
    Keep,
    Scenario,
    Seats,
    SecondsOfMore,
    Seed,
    Sets,
    SetsOfB,
    SlipShares,
    SlipSharesOfB,
    Strategies,
    StrategiesOfB,
    Threads,
    Xlsx,
)
from hardmode.reports.exit_codes import INTERRUPTED, say
from hardmode.sim.files.text import visible

if TYPE_CHECKING:
    from hardmode.studies.comparison.adapt import Adapted as Taught
    from hardmode.studies.comparison.compare import Comparison
    from hardmode.studies.comparison.levels import Levels
    from hardmode.studies.core.run import Results
    from hardmode.studies.uncertainty.robustness import Firm


def run(
    scenario: Scenario,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games per cell: 2000, 50k, 1M. (default: the scenario's, or 10k)",
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            parser=share,
            metavar="POINTS",
            help="Stop as soon as the win rate is known to within this, as in 0.2%.",
        ),
    ] = None,
    first: Annotated[
        int,
        typer.Option(
            help="Number of the first game: for shards of one seed.", parser=whole(0), metavar="N"
        ),
    ] = 0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Write every game as a row of Parquet, to a folder or "
            "an address such as s3://BUCKET/FOLDER.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Keep the result; an interrupted run goes on from it.",
        ),
    ] = None,
    fitted: As = None,
    xlsx: Xlsx = None,
    as_json: Json = False,
) -> None:
    """Play a scenario: the win rate, how games end, how long they take.

    Example: [bold]hardmode run woodlands/classic --games 100k[/bold]
    """
    from hardmode.reports.json import answers
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core import run

    if xlsx:
        from hardmode.reports import workbook
        from hardmode.reports.console import result_tables

        workbook.ready(xlsx)
    found = meant(scenario, sets, strategy, players, slips, box)
    effort = run.usual(found, until).changed(
        games=games, first=first, seed=seed_of(seed, found), confidence=confidence, threads=threads
    )
    if fitted:
        as_fit.alone(strategy=strategy, slips=slips, until=until, rows=rows, out=out)
        as_fit.run(found, fitted, effort, xlsx, as_json)
        return
    lost = None
    with progress_bar(found.title) as step:
        try:
            results = run.play(found, effort, out=out, rows=rows, progress=step)
        except run.NotKept as why:
            results, lost = why.results, why
    summaries = [answers.summary(r, confidence) for r in results]
    if as_json:
        print_json(
            "run",
            summaries[0]
            if len(found.cells) == len(summaries) == 1
            else _grid(found, summaries, results),
        )
    elif any(r.games for r in results):
        _show(results, summaries)
    if xlsx and any(r.games for r in results):
        workbook.write(xlsx, result_tables.tables(results), result_tables.about(results))
        say(str(xlsx))
    if lost:
        raise lost
    if any(r.interrupted for r in results):
        kept = (
            f"{out} keeps them: the same command goes on from there"
            if out
            else "with -o FILE they would be kept"
        )
        say(f"interrupted after {sum(r.games for r in results):,} games; {kept}")
        raise typer.Exit(INTERRUPTED)


def _grid(found: Any, summaries: list[dict[str, Any]], results: Results) -> dict[str, Any]:
    from hardmode.reports.console import ranking

    return {"scenario": found.name, "cells": summaries, "ranking": ranking.as_dict(results.ranking)}


def _show(results: Results, summaries: list[dict[str, Any]]) -> None:
    from hardmode.reports.console import ranking, result

    result.results(results, summaries)
    if results.ranking:
        ranking.show(results.ranking)


def report(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO...]",
            help="Scenario files or shipped "
            "names; nothing for the standard scenario of every game.",
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Where index.html, tables, plots and result.json.gz go.",
        ),
    ] = Path("report"),
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games of each variant; without it, as many as --seconds allow.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="How long to play for each scenario.", parser=real(1, 1e6), metavar="SECONDS"
        ),
    ] = 20.0,
    short: Annotated[
        bool,
        typer.Option(
            "--short",
            help="The short edition: two printed pages a scenario, three of a large grid.",
        ),
    ] = False,
    pdf: Annotated[
        bool,
        typer.Option(
            "--pdf", help="Print it too, as report.pdf: the pages of --short; by Chromium."
        ),
    ] = False,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    fitted: As = None,
    xlsx: Xlsx = None,
) -> None:
    """Write the difficulty report: one page that opens offline, with its tables and plots.

    Example: [bold]hardmode report woodlands/classic -o report[/bold]
    """
    from hardmode.reports.console import result
    from hardmode.reports.page import report as reporting
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core import run

    found = [
        meant(name, sets, strategy, players, slips, box)
        for name in scenarios or reporting.standard()
    ]
    luck = run.OWN_SEED if seed is None else seed
    effort = run.Effort(games or reporting.MOST_GAMES, 0, luck, None, confidence, threads)
    with progress_bar("report") as step:
        page = reporting.make(
            found,
            effort,
            out,
            step,
            None if games else seconds,
            reporting.Edition(short, pdf, xlsx, fitted),
        )
    result.out.print(f"{page}")


def replay(
    scenario: Scenario,
    game: Annotated[
        int, typer.Option(help="Which game of the seed.", parser=whole(0), metavar="N")
    ] = 0,
    odds: Annotated[
        bool,
        typer.Option(
            "--odds",
            help="The chance to win after each step, and the five turning points: "
            "luck, or a decision.",
        ),
    ] = False,
    playouts: Annotated[
        int | None,
        typer.Option(
            help="For --odds: how often each step is played on. (default: 200)",
            parser=whole(40, 10**6),
            metavar="N",
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("-o", "--svg", metavar="FILE", help="For --odds: write them as a plot, too."),
    ] = None,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    as_json: Json = False,
) -> None:
    """Tell one game step by step, with every draw and every legal option; with --odds also where it turned.

    Example: [bold]hardmode replay run_run_run/standard --game 7 --odds[/bold]
    """
    from hardmode.reports.console import odds as told
    from hardmode.reports.console import result
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.sim.files import atomic_files
    from hardmode.sim.replay import sentences, story
    from hardmode.studies.core import run
    from hardmode.studies.game_flow import turning_points

    if not odds and (svg or playouts):
        raise typer.BadParameter("--svg and --playouts belong to --odds")
    if svg:
        atomic_files.ready(svg, atomic_files.PICTURE)
    found = meant(scenario, sets, strategy, players, slips, box)
    cell, luck = one_cell(found), seed_of(seed, found)
    with progress_bar(f"game {game} of {found.title}") as step:
        engine = run.engine(cell)
        made = story(engine, luck, game)
        turns = (
            turning_points.turning(
                engine,
                luck,
                game,
                cell.players,
                playouts=playouts or turning_points.PLAYOUTS,
                threads=threads,
                confidence=confidence,
                progress=step,
            )
            if odds
            else None
        )
    if turns and svg:
        told.write(made, turns, svg)
        say(str(svg))
    if as_json:
        print_json("replay", told.as_list(made, turns) if turns else made.to_list())
        return
    result.story_head(cell, made)
    print(
        visible(
            "\n".join(sentences(made, cell.game.tell(), told.notes(made, turns) if turns else None))
        )
    )
    if turns:
        print(visible("\n".join(["", *told.as_lines(made, turns)])))


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A scenario file or a shipped name.")],
    b: Annotated[
        str, typer.Argument(metavar="[B]", help="The other scenario; A again when left out.")
    ] = "",
    games: Annotated[
        int | None,
        typer.Option(
            parser=count, metavar="N", help="Games played under both, per cell. (default: 20k)"
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            parser=share,
            metavar="POINTS",
            help="Stop as soon as the difference is known to within this, as in 0.2%.",
        ),
    ] = None,
    seed: Seed = None,
    sets: Sets = None,
    sets_b: SetsOfB = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    strategy_b: StrategiesOfB = None,
    slips_b: SlipSharesOfB = None,
    players: Seats = None,
    box: Box = None,
    box_b: BoxOfB = None,
    threads: Threads = 0,
    confidence: Annotated[
        float,
        typer.Option(help="Of all intervals together.", parser=real(0.5, 0.9999), metavar="SHARE"),
    ] = 0.95,
    by_level: ByLevel = False,
    adapting: Adapting = False,
    adapted: Adapted = None,
    keep: Keep = None,
    doubting: Doubting = False,
    seconds: SecondsOfMore = None,
    generations: Generations = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Write the comparison as a page, with its tables as Markdown, CSV and Parquet.",
        ),
    ] = None,
    fitted: As = None,
    xlsx: Xlsx = None,
    as_json: Json = False,
) -> None:
    """Play the same games under two variants: what a change does, and where it bites.

    Example: [bold]hardmode compare woodlands/classic --set-b boss.*.hearts=+1[/bold]
    """
    from hardmode.reports import workbook
    from hardmode.reports.page import folder
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.comparison import adapt, levels
    from hardmode.studies.comparison import compare as comparing
    from hardmode.studies.core import run
    from hardmode.studies.uncertainty import robustness

    workbook.ready(xlsx)
    first = loaded(a, sets, strategy, players, slips, box)
    second = loaded(
        b or a,
        [*(sets or []), *(sets_b or [])],
        strategy_b or strategy,
        players,
        slips_b or slips,
        box_b or box,
    )
    noted(first, second)
    effort = run.Effort(
        games or comparing.GAMES, 0, seed_of(seed, first), until, confidence, threads
    )
    if fitted:
        as_fit.alone(
            strategy=strategy,
            strategy_b=strategy_b,
            slips=slips,
            slips_b=slips_b,
            until=until,
            levels=by_level,
            adapt=adapting,
            adapted=adapted,
            keep=keep,
            doubts=doubting,
            out=out,
        )
        as_fit.compare(first, second, fitted, effort, xlsx, as_json)
        return
    if out:
        folder.ready(out)
    with progress_bar(f"{first.title} against {second.title}") as step:
        found = comparing.compare(first, second, effort, progress=step)
        each = levels.levels(first, second, effort, seconds, step) if by_level else []
        firm = (
            [robustness.between(c.a, c.b, effort, seconds or robustness.SECONDS, step) for c in found]
            if doubting
            else []
        )
        taught = (
            adapt.adapt(
                first,
                second,
                effort,
                seconds=seconds,
                generations=generations,
                files=adapted or (),
                keep=keep,
                progress=step,
            )
            if adapting or adapted or keep
            else None
        )
    _tell_compared(found, each, taught, firm, as_json)
    _write_compared(found, each, taught, firm, xlsx, out)


def _tell_compared(
    found: Sequence[Comparison],
    each: Sequence[Levels],
    taught: Taught | None,
    firm: Sequence[Firm | None],
    as_json: bool,
) -> None:
    from hardmode.reports.console import compare, effects, uncertainty

    if as_json:
        print_json("compare", compare.as_answer(found, each, taught, firm))
        return
    compare.show(found)
    effects.show(each, taught)
    uncertainty.show_firm(firm)


def _write_compared(
    found: Sequence[Comparison],
    each: Sequence[Levels],
    taught: Taught | None,
    firm: Sequence[Firm | None],
    xlsx: Path | None,
    out: Path | None,
) -> None:
    from hardmode.reports import workbook
    from hardmode.reports.console import compare
    from hardmode.reports.page import report as reporting

    if xlsx:
        workbook.write(xlsx, compare.tables(found, each, taught, firm), compare.about(found))
        say(str(xlsx))
    if out:
        say(str(reporting.compared(found, out)))
