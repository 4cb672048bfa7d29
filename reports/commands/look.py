"""Commands that look at a game as it is: what its choices are worth, and what its rules do wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import count, real, whole
from hardmode.reports.commands.common import meant, one_cell, print_json, seed_of
from hardmode.reports.commands.options import (
    Box,
    Confidence,
    Json,
    Scenario,
    Seats,
    Seed,
    Sets,
    SlipShares,
    Strategies,
    Threads,
)
from hardmode.reports.exit_codes import INTERRUPTED, NO, say


def choices(
    scenario: Scenario,
    seconds: Annotated[
        float, typer.Option(help="How long to play.", parser=real(1, 10**7), metavar="S")
    ] = 40.0,
    games: Annotated[
        int | None, typer.Option(parser=count, metavar="N", help="The most games of each change.")
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
    """What is a choice worth? Every kind of option forbidden, and taken whenever offered, on the same luck.

    What lies in the box is taken out, or put in place of what is drawn.

    Example: [bold]hardmode choices run_run_run/standard[/bold]
    """
    from hardmode.reports.console import choices
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.choices import analysis as study
    from hardmode.studies.core.reference_players import studied
    from hardmode.studies.core.run import Effort
    from hardmode.studies.sensitivity.analysis import MOST

    found = meant(scenario, sets, strategy, players, slips, box)
    cell = studied(one_cell(found), strategy or ())
    effort = Effort(games or MOST, 0, seed_of(seed, found), None, confidence, threads)
    with progress_bar(f"choices of {found.title}") as step:
        made = study.choices(cell, effort, seconds, step)
    print_json("choices", choices.as_dict(made)) if as_json else choices.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


def audit(
    scenario: Scenario,
    seconds: Annotated[
        float, typer.Option(help="How long to look.", parser=real(1, 10**7), metavar="S")
    ] = 120.0,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="The games of everything, instead of as many as --seconds allow.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=whole(1, 10**6),
            metavar="N",
            help="A stated length: games that last longer are a finding.",
        ),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="KIND",
            help="Exit 1 where this kind is found. May be repeated; any is every kind.",
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a JUnit file, for CI.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FOLDER", help="Write a page.")
    ] = None,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Annotated[
        float,
        typer.Option(
            help="That nothing in the whole list is there by chance.",
            parser=real(0.5, 0.9999),
            metavar="SHARE",
        ),
    ] = 0.95,
    as_json: Json = False,
) -> None:
    """What do the rules do wrong? Faults that designers know, each with evidence, its size and a game that shows it.

    Exit code 0 whatever is found; 1 only for a kind that --fail-on names.

    Example: [bold]hardmode audit run_run_run/standard -o audit[/bold]
    """
    from hardmode.reports.console import audit
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.sim.files import atomic_files
    from hardmode.studies.audit import analysis as study
    from hardmode.studies.audit.findings import KINDS
    from hardmode.studies.core.run import Effort

    for kind in fail_on or ():
        if kind not in (*KINDS, "any"):
            raise typer.BadParameter(
                f"{kind!r} is no kind of finding; there are {', '.join(KINDS)}, and any",
                param_hint="--fail-on",
            )
    bad = list(KINDS) if "any" in (fail_on or ()) else fail_on or []
    if junit:
        atomic_files.ready(junit, atomic_files.JUNIT)
    found = meant(scenario, sets, strategy, players, slips, box)
    one_cell(found)
    effort = Effort(seed=seed_of(seed, found), confidence=confidence, threads=threads)
    with progress_bar(f"audit of {found.title}") as step:
        made = study.audit(
            found,
            effort,
            seconds=seconds,
            asked=strategy or (),
            games=games,
            rounds=rounds,
            progress=step,
        )
    if junit:
        audit.write_junit(made, bad, junit)
    if out:
        from hardmode.reports.page.report import chaptered

        say(f"{chaptered(audit.chapter(made), made.seed, made.confidence, out)}")
    print_json("audit", audit.as_dict(made)) if as_json else audit.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)
    if audit.failing(made, bad):
        raise typer.Exit(NO)
