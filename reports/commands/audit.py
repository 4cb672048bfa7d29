"""The command `audit`: look for known faults of rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import integer_between, number_between, parse_game_count
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
from hardmode.reports.exit_codes import ANSWER_IS_NO, print_message


def audit_rules(
    scenario: ScenarioArgument,
    seconds: SecondsOption = 120.0,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games of each check. Without it, --seconds decides.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=integer_between(1, 10**6),
            metavar="N",
            help="The length of a game that its rules state. Games that last longer are a finding.",
        ),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="KIND",
            help="Exit with code 1 if there are findings of this kind. May be repeated; any stands "
            "for every kind.",
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the findings as JUnit XML, for CI.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FOLDER", help="Write the findings as a page."),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: Annotated[
        float,
        typer.Option(
            help="The confidence that no finding of the whole list is due to chance.",
            parser=number_between(0.5, 0.9999),
            metavar="SHARE",
        ),
    ] = 0.95,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Look for faults that designers know, each with evidence, its size and a game that shows it.

    The exit code is 0 whatever is found, and 1 only for a kind that --fail-on names.

    Example: [bold]hardmode audit run_run_run/standard -o audit[/bold]
    """
    from hardmode.reports.console import audit as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.sim.files import atomic_files
    from hardmode.studies.audit import analysis
    from hardmode.studies.core.run import Effort

    failing_kinds = parse_failing_kinds(fail_on or [])
    if junit:
        atomic_files.check_writable(junit, atomic_files.JUNIT)
    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    take_first_cell(loaded)
    effort = Effort(seed=choose_seed(seed, loaded), confidence=confidence, threads=threads)
    with show_progress(f"audit of {loaded.title}") as step:
        audit = analysis.audit_game(
            loaded,
            effort,
            seconds=seconds,
            strategies=strategy or (),
            games=games,
            rounds=rounds,
            progress=step,
        )
    if junit:
        console.write_audit_junit(audit, failing_kinds, junit)
    if out:
        from hardmode.reports.page.report import write_chapter_page

        chapter = console.make_audit_chapter(audit)
        print_message(str(write_chapter_page(chapter, audit.seed, audit.confidence, out)))
    if as_json:
        from hardmode.reports.json.audit import build_audit_answer

        answer = build_audit_answer(audit)
        answer.summary = console.make_verdict(audit).text
        print_json("audit", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_audit(audit, arguments, details)
    stop_if_interrupted(audit)
    if console.select_failing(audit, failing_kinds):
        raise typer.Exit(ANSWER_IS_NO)


def parse_failing_kinds(names: list[str]) -> list[str]:
    """Return the kinds of finding that `--fail-on` names.

    Raises:
        typer.BadParameter: There is no such kind.
    """
    from hardmode.studies.audit.findings import KINDS

    for name in names:
        if name not in (*KINDS, "any"):
            raise typer.BadParameter(
                f"{name!r} is no kind of finding; the kinds are {', '.join(KINDS)}, and any",
                param_hint="--fail-on",
            )
    return list(KINDS) if "any" in names else names
