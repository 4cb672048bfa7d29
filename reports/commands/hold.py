"""Commands that hold scenarios and games to what they are meant to be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import count, real, share
from hardmode.reports.commands.common import meant, noted, print_json
from hardmode.reports.commands.options import Box, Json, Seed, Threads
from hardmode.reports.exit_codes import DONE, NO, WRONG
from hardmode.sim.files.text import visible


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO]...",
            help="Files or shipped names; all shipped baselines when left out.",
        ),
    ] = None,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="Play nothing: print what the gate will do, with its odds."),
    ] = False,
    margin: Annotated[
        float | None,
        typer.Option(
            parser=share,
            metavar="POINTS",
            help="A change smaller than this does "
            "not matter. Default: 1%, wider where games are few.",
        ),
    ] = None,
    alpha: Annotated[
        float,
        typer.Option(
            help="Chance that a run fails though nothing changed.",
            parser=real(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.01,
    beta: Annotated[
        float,
        typer.Option(
            help="Chance that a change beyond the margin passes.",
            parser=real(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.05,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count, metavar="N", help="The most games of a cell. Default: the baseline's."
        ),
    ] = None,
    flips: Annotated[
        float,
        typer.Option(
            parser=share,
            metavar="SHARE",
            help="For --plan: the share of games that a change flips.",
        ),
    ] = "10%",  # type: ignore[assignment]
    expectations: Annotated[
        bool, typer.Option("--expect-only", help="Hold to expect: alone, without baselines.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line for every cell of a grid.")
    ] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    summary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write Markdown, as for a step summary.")
    ] = None,
    box: Box = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Did this change move the game? Hold scenarios to their baselines and expectations.

    Exit code 0: all fine; 1: changed, or an expectation missed; 2: broken input; 3: inconclusive.

    Example: [bold]hardmode check --junit check.xml[/bold]
    """
    from hardmode.reports.gate import plan as planned
    from hardmode.reports.gate import verdicts
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.gate import run as gate
    from hardmode.studies.gate.power import foreseen

    terms = gate.Terms(alpha, beta, margin, games, expectations, threads, box)
    prepared = gate.prepare(files or [], terms)
    noted(*(subject.scenario for subject in prepared.subjects))
    if plan:
        found = foreseen(prepared, flips)
        print_json("check-plan", planned.as_dict(found)) if as_json else planned.show(found)
        raise typer.Exit(WRONG if prepared.refused else DONE)
    verdicts.ready(junit, summary)
    with progress_bar("check") as step:
        made = verdicts.hold(prepared, step)
    print_json("check", verdicts.as_dict(made)) if as_json else verdicts.show(made, verbose)
    verdicts.write_files(made, junit, summary)
    raise typer.Exit(made.exit_code)


def accept(
    reason: Annotated[str, typer.Option(help="What changed, and why that is as it should be.")],
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[SCENARIO]...", help="Files or shipped names.")
    ] = None,
    shipped: Annotated[bool, typer.Option("--all-shipped", help="Every shipped scenario.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            parser=count,
            metavar="N",
            help="Games of each cell. Default: as before, or by their pace.",
        ),
    ] = None,
    seed: Seed = None,
    box: Box = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Record what scenarios play like now: the baselines that later builds are checked against.

    Example: [bold]hardmode accept mine.yaml --reason "three torches instead of four"[/bold]
    """
    from hardmode.reports.gate import accepted
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.gate import accept as accepting

    names = accepting.asked(files or [], shipped)
    made = []
    for name in names:
        meant(name, box=box)
        with progress_bar(f"accept {name}") as step:
            made.append(
                accepting.accept(
                    name, reason, games=games, seed=seed, threads=threads, box=box, progress=step
                )
            )
        if not as_json:
            accepted.show(made[-1])
    if as_json:
        print_json("accept", {"accepted": [accepted.as_dict(one) for one in made]})


def check_game(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Which games; nothing for all that can be found."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            parser=count,
            metavar="N",
            help="Random games to play within bounds; everything else is played in proportion.",
        ),
    ] = "2000",  # type: ignore[assignment]
    quick: Annotated[bool, typer.Option("--quick", help="A tenth of everything.")] = False,
    only: Annotated[
        str, typer.Option(metavar="WORDS", help="Only the checks that have this in their name.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Is a game sound? Hold its rules, words and strategies to the contract, by playing.

    Exit code 0: sound; 1: something was found; 2: broken input.

    Example: [bold]hardmode check-game woodlands --quick[/bold]
    """
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.conformance import checks

    asked = checks.asked(names or [], 200 if quick else games, only)
    made = []
    for subject in asked.subjects:
        with progress_bar(f"check {subject.name}") as stage:
            made.append(asked.check(subject, stage))
        if not as_json:
            print(visible("\n".join(made[-1].lines())))
    if as_json:
        print_json(
            "check-game",
            made[0].as_dict() if len(made) == 1 else {"games": [m.as_dict() for m in made]},
        )
    raise typer.Exit(DONE if all(one.sound for one in made) else NO)
