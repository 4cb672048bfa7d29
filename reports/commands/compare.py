"""The command `compare`: play the same games under two variants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hardmode.reports.cli_types import parse_game_count, parse_precision
from hardmode.reports.commands import fitted_players
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_given_scenario,
    print_json,
    print_notes,
    rename_options_in_errors,
)
from hardmode.reports.commands.options import (
    AdaptedOption,
    AdaptOption,
    BoxOption,
    BoxOptionOfB,
    DetailsOption,
    ExtraSecondsOption,
    FitOption,
    GenerationsOption,
    JointConfidenceOption,
    JsonOption,
    LevelsOption,
    MistakesOption,
    MistakesOptionOfB,
    PlayersDirOption,
    PlayersOption,
    SeedOption,
    SetOption,
    SetOptionOfB,
    StrategyOption,
    StrategyOptionOfB,
    ThreadsOption,
    UncertaintyOption,
    XlsxOption,
)
from hardmode.reports.exit_codes import print_message

if TYPE_CHECKING:
    from hardmode.studies.comparison.adapt import Adaptation
    from hardmode.studies.comparison.compare import Comparison
    from hardmode.studies.comparison.levels import LevelComparisons
    from hardmode.studies.uncertainty.robustness import RobustConclusion


def compare_variants(
    a: Annotated[str, typer.Argument(metavar="A", help="A scenario file or a shipped name.")],
    b: Annotated[
        str,
        typer.Argument(
            metavar="[B]",
            help="The scenario to compare with A. Without it, B is A with the changes of --set-b "
            "and the other options of B.",
        ),
    ] = "",
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games of each cell, played under both variants. (default: 20k)",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            parser=parse_precision,
            metavar="POINTS",
            help="Stop as soon as the difference is known to within this, as in 0.2%.",
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    sets_b: SetOptionOfB = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    strategy_b: StrategyOptionOfB = None,
    mistakes_b: MistakesOptionOfB = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    box_b: BoxOptionOfB = None,
    threads: ThreadsOption = 0,
    confidence: JointConfidenceOption = 0.95,
    by_level: LevelsOption = False,
    adapt: AdaptOption = False,
    adapted: AdaptedOption = None,
    players_dir: PlayersDirOption = None,
    uncertainty: UncertaintyOption = False,
    seconds: ExtraSecondsOption = None,
    generations: GenerationsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Write the comparison as a page, with its tables as Markdown, CSV and Parquet.",
        ),
    ] = None,
    fit: FitOption = None,
    xlsx: XlsxOption = None,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play the same games under two variants, and show what the change does and where.

    Example: [bold]hardmode compare woodlands/classic --set-b boss.*.hearts=+1[/bold]
    """
    from hardmode.reports import workbook
    from hardmode.reports.console import compare as console
    from hardmode.reports.page import folder
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.comparison import adapt as adaptation
    from hardmode.studies.comparison import compare, levels
    from hardmode.studies.core import reference_players, run
    from hardmode.studies.uncertainty import robustness

    workbook.check_workbook_path(xlsx)
    first = load_given_scenario(a, sets, strategy, players, mistakes, box)
    if not (b or sets_b or strategy_b or mistakes_b or box_b):
        print_message(
            "note: B is the same as A; name another scenario, or a change as in --set-b NUMBER=+1"
        )
    options_of_b = (
        b or a,
        [*(sets or []), *(sets_b or [])],
        strategy_b or strategy,
        players,
        mistakes_b or mistakes,
        box_b or box,
    )
    # A was accepted with the options of both sides, so what is wrong is an option of B.
    with rename_options_in_errors("" if b else "-b"):
        second = load_given_scenario(*options_of_b)
    print_notes(first, second)
    effort = run.Effort(
        games or compare.DEFAULT_GAMES, 0, choose_seed(seed, first), precision, confidence, threads
    )
    if fit:
        fitted_players.refuse_other_options(
            strategy=strategy,
            strategy_b=strategy_b,
            mistakes=mistakes,
            mistakes_b=mistakes_b,
            precision=precision,
            levels=by_level,
            adapt=adapt,
            adapted=adapted,
            players_dir=players_dir,
            uncertainty=uncertainty,
            out=out,
        )
        fitted_players.compare_with_fit(first, second, fit, effort, xlsx, as_json)
        return
    if out:
        folder.check_report_folder(out)
    requested = [*(strategy or ()), *(strategy_b or ())]
    start = reference_players.choose_training_start(first, requested)
    side_a, side_b = reference_players.pair_with_trained(first, second, requested)
    level_comparisons: list[LevelComparisons] = []
    conclusions: list[RobustConclusion | None] = []
    adapted_effects = None
    title = f"{first.title} against {second.title}"
    with show_progress(title) as step:
        comparisons = compare.compare(side_a, side_b, effort, progress=step)
    if not as_json:
        arguments = format_scenario_arguments(a, sets, strategy, players, mistakes, box)
        changes = format_scenario_arguments(
            b, sets_b, strategy_b, None, mistakes_b, box_b, suffix="-b"
        )
        changed = format_scenario_arguments(*options_of_b)
        console.print_comparisons(
            comparisons,
            f"{arguments} {changes}".rstrip(),
            details,
            sides=(arguments, changed),
            levels_follow=bool(by_level or adapt or adapted or players_dir),
        )
    will_train = (adapt or players_dir is not None) and not adapted
    announce_times(by_level, will_train and generations is None, uncertainty, seconds)
    failure: BaseException | None = None
    try:
        with show_progress(title) as step:
            if by_level:
                level_comparisons = levels.compare_levels(first, second, effort, seconds, step)
            if uncertainty:
                limit = seconds or robustness.DEFAULT_SECONDS
                for pair in comparisons:
                    conclusions.append(
                        robustness.assess_difference(pair.a, pair.b, effort, limit, step)
                    )
            if adapt or adapted or players_dir:
                adapted_effects = adaptation.compare_adapted(
                    first,
                    second,
                    effort,
                    base=start,
                    seconds=seconds,
                    generations=generations,
                    files=adapted or (),
                    players_folder=players_dir,
                    progress=step,
                )
    except (KeyboardInterrupt, ValueError) as error:
        failure = error  # raised again when the finished parts are printed
    print_comparison(comparisons, level_comparisons, adapted_effects, conclusions, as_json)
    if xlsx:
        tables = console.make_file_tables(
            comparisons, level_comparisons, adapted_effects, conclusions
        )
        workbook.write_workbook(xlsx, tables, console.describe_comparison_inputs(comparisons))
        print_message(str(xlsx))
    if out:
        from hardmode.reports.page import report as page

        print_message(str(page.write_comparison_page(comparisons, out)))
    if failure:
        raise failure


def announce_times(
    by_level: bool, will_train: bool, uncertainty: bool, seconds: float | None
) -> None:
    """Say on stderr how long the further parts of a comparison take, before they are played.

    Args:
        by_level: Whether all skill levels are compared.
        will_train: Whether players are trained for a time.
        uncertainty: Whether other plausible boxes are played.
        seconds: The time that the user gave for each part, or None.
    """
    from hardmode.reports.console.wording import join_names, pluralize
    from hardmode.studies.comparison import adapt, levels
    from hardmode.studies.uncertainty import robustness

    parts = []
    if by_level:
        parts.append((seconds or levels.SECONDS, "the skill levels"))
    if uncertainty:
        parts.append((seconds or robustness.DEFAULT_SECONDS, "the assumptions"))
    if will_train:
        parts.append((seconds or adapt.SECONDS, f"{adapt.REPEATS} trainings for each side"))
    times = [
        f"about {limit:g} {pluralize(int(limit), 'second')} for {what}" for limit, what in parts
    ]
    if times:
        print_message(f"after the comparison itself, this takes {join_names(times)}")


def print_comparison(
    comparisons: Sequence[Comparison],
    levels: Sequence[LevelComparisons],
    adapted: Adaptation | None,
    conclusions: Sequence[RobustConclusion | None],
    as_json: bool,
) -> None:
    """Print a comparison as JSON, or the parts that follow its own tables."""
    if as_json:
        from hardmode.reports.console import compare as console
        from hardmode.reports.json.compare import build_compare_answer

        answer = build_compare_answer(comparisons, levels, adapted, conclusions)
        answer.summary = console.make_verdict(comparisons).text
        print_json("compare", answer)
        return
    from hardmode.reports.console import effects, uncertainty

    effects.print_level_effects(levels, adapted)
    uncertainty.print_conclusions(conclusions)
