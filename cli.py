"""hardmode: how hard is a board game, for whom, and what makes it so?"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from hardmode.reports.ending import DONE, INTERRUPTED, NO, WRONG, exit_code, say
from hardmode.reports.flags import Commands, count, real, share, whole
from hardmode.reports.options import Confidence, Json, Scenario, Seats, Seed, Sets, SlipShares, Strategies, Threads
from hardmode.sim.text import visible

app = typer.Typer(cls=Commands, help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode="rich",
                  pretty_exceptions_enable=False,
                  context_settings={"help_option_names": ["-h", "--help"]})


@app.command()
def run(
    scenario: Scenario,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="Games per cell: 2000, 50k, 1M. "
                                              "(default: the scenario's, or 10k)")] = None,
    until: Annotated[float | None, typer.Option(parser=share, metavar="POINTS", help="Stop as soon as the win rate "
                                                "is known to within this, as in 0.2%.")] = None,
    first: Annotated[int, typer.Option(help="Number of the first game: for shards of one seed.", parser=whole(0),
                                       metavar="N")] = 0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
    rows: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every game as a row of Parquet.")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Keep the result; "
                                             "an interrupted run goes on from it.")] = None,
    as_json: Json = False,
) -> None:
    """Play a scenario: the win rate, how games end, how long they take.

    Example: [bold]hardmode run woodlands/classic --games 100k[/bold]
    """
    from hardmode.reports import answers, show
    from hardmode.studies import play

    found = _scenario(scenario, sets, strategy, players, slips)
    effort = play.usual(found, until).changed(games=games, first=first, seed=_seed(seed, found), confidence=confidence,
                                              threads=threads)
    lost = None
    with show.progress_bar(found.title) as step:
        try:
            results = play.play(found, effort, out=out, rows=rows, progress=step)
        except play.NotKept as why:
            results, lost = why.results, why
    summaries = [answers.summary(r, confidence) for r in results]
    if as_json:
        one = len(found.cells) == len(summaries) == 1
        _print_json(summaries[0] if one else {"scenario": found.name, "cells": summaries})
    elif any(r.games for r in results):
        show.results(results, summaries)
    if lost:
        raise lost
    if results[-1].interrupted:
        kept = f"{out} keeps them: the same command goes on from there" if out else "with -o FILE they would be kept"
        say(f"interrupted after {sum(r.games for r in results):,} games; {kept}")
        raise typer.Exit(INTERRUPTED)


@app.command()
def report(
    scenarios: Annotated[list[str] | None, typer.Argument(metavar="[SCENARIO...]", help="Scenario files or shipped "
                                                          "names; nothing for the standard scenario of every game.")
                         ] = None,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FOLDER", help="Where index.html, tables, plots and "
                                      "result.json go.")] = Path("report"),
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="Games of each variant; without it, as "
                                              "many as --seconds allow.")] = None,
    seconds: Annotated[float, typer.Option(help="How long to play for each scenario.", parser=real(1, 1e6),
                                           metavar="SECONDS")] = 12.0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    threads: Threads = 0,
    confidence: Confidence = 0.95,
) -> None:
    """Write the difficulty report: one page that opens offline, with its tables and plots.

    Example: [bold]hardmode report woodlands/classic -o report[/bold]
    """
    from hardmode.reports import show
    from hardmode.reports.page import report as reporting
    from hardmode.studies import play

    found = [_scenario(name, sets, strategy, players, slips) for name in scenarios or reporting.standard()]
    luck = play.OWN_SEED if seed is None else seed
    effort = play.Effort(games or reporting.MOST_GAMES, 0, luck, None, confidence, threads)
    with show.progress_bar("report") as step:
        page = reporting.make(found, effort, out, step, None if games else seconds)
    show.out.print(f"{page}")


@app.command()
def replay(
    scenario: Scenario,
    game: Annotated[int, typer.Option(help="Which game of the seed.", parser=whole(0), metavar="N")] = 0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    players: Seats = None,
    as_json: Json = False,
) -> None:
    """Tell one game step by step, with every draw and every legal option.

    Example: [bold]hardmode replay run_run_run/standard --game 7[/bold]
    """
    from hardmode.reports import show
    from hardmode.sim.replay import story, told
    from hardmode.studies import play

    found = _scenario(scenario, sets, strategy, players, slips)
    cell = _one_cell(found)
    with show.compile_messages():
        made = story(play.engine(cell), _seed(seed, found), game)
    if as_json:
        _print_json(made.to_list())
        return
    show.story_head(cell, made)
    print(visible("\n".join(told(made, cell.game.tell()))))


@app.command()
def luck(
    scenario: Scenario,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="Games played with each source swapped; "
                                              "without it, as many as --seconds allow.")] = None,
    seconds: Annotated[float, typer.Option(help="How long to play.", min=1)] = 20.0,
    draw: Annotated[str, typer.Option(metavar='"SOURCE A B C"', help="The share of one draw too, by its address as "
                                      "replay --json tells it.")] = "",
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    players: Seats = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of every interval.", min=0.5, max=0.9999)] = 0.95,
    as_json: Json = False,
) -> None:
    """Luck or skill? The share of every source of chance, of the players' own chance, and of who plays.

    Example: [bold]hardmode luck run_run_run/standard[/bold]
    """
    from hardmode.reports import luck as told
    from hardmode.reports import show
    from hardmode.studies import luck as studied
    from hardmode.studies import play

    found = _scenario(scenario, sets, strategy, players)
    _one_cell(found)
    effort = play.Effort(seed=_seed(seed, found), confidence=confidence, threads=threads)
    with show.progress_bar(f"luck of {found.title}") as step:
        made = studied.luck(found, effort, games=games, seconds=seconds, draw=draw, progress=step)
    _print_json(told.as_dict(made)) if as_json else told.show(made)


@app.command()
def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A scenario file or a shipped name.")],
    b: Annotated[str, typer.Argument(metavar="[B]", help="The other scenario; A again when left out.")] = "",
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="Games played under both, per cell. "
                                              "(default: 20k)")] = None,
    until: Annotated[float | None, typer.Option(parser=share, metavar="POINTS", help="Stop as soon as the difference "
                                                "is known to within this, as in 0.2%.")] = None,
    seed: Seed = None,
    sets: Sets = None,
    sets_b: Annotated[list[str] | None, typer.Option("--set-b", metavar="PATH=VALUE",
                                                     help="Change a number in B alone. May be repeated.")] = None,
    strategy: Strategies = None,
    slips: SlipShares = None,
    strategy_b: Annotated[list[str] | None, typer.Option("--strategy-b", metavar="NAME", help="Who plays B.")] = None,
    slips_b: Annotated[list[str] | None, typer.Option("--slips-b", metavar="SHARE", help="The slips in B.")] = None,
    players: Seats = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of all intervals together.", parser=real(0.5, 0.9999),
                                              metavar="SHARE")] = 0.95,
    by_level: Annotated[bool, typer.Option("--levels", help="Also at every rung of the ladder, and over the slips "
                                           "scale.")] = False,
    adapting: Annotated[bool, typer.Option("--adapt", help="Also with players trained for A and for B.")] = False,
    adapted: Annotated[tuple[Path, Path] | None, typer.Option(metavar="A.yaml B.yaml", help="The same with two player "
                                                              "files, instead of training.")] = None,
    seconds: Annotated[float | None, typer.Option(help="For --levels (default 30) and for --adapt (default 60).",
                                                  parser=real(1, 10**7), metavar="S")] = None,
    generations: Annotated[int | None, typer.Option(help="For --adapt: of each training, instead.",
                                                    parser=whole(1, 10**6), metavar="N")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FOLDER", help="Write the comparison as a page, "
                                             "with its tables as Markdown, CSV and Parquet.")] = None,
    as_json: Json = False,
) -> None:
    """Play the same games under two variants: what a change does, and where it bites.

    Example: [bold]hardmode compare woodlands/classic --set-b boss.*.hearts=+1[/bold]
    """
    from hardmode.reports import comparison, effects, show
    from hardmode.reports.page import folder
    from hardmode.reports.page import report as reporting
    from hardmode.studies import adapt, levels, play
    from hardmode.studies import compare as comparing

    first = _loaded(a, sets, strategy, players, slips)
    second = _loaded(b or a, [*(sets or []), *(sets_b or [])], strategy_b or strategy, players, slips_b or slips)
    _note(first, second)
    effort = play.Effort(games or comparing.GAMES, 0, _seed(seed, first), until, confidence, threads)
    if out:
        folder.ready(out)
    with show.progress_bar(f"{first.title} against {second.title}") as step:
        found = comparing.compare(first, second, effort, progress=step)
        each = levels.levels(first, second, effort, seconds, step) if by_level else []
        taught = adapt.adapt(first, second, effort, seconds=seconds, generations=generations, files=adapted or (),
                             progress=step) if adapting or adapted else None
    if as_json:
        _print_json(comparison.as_answer(found, each, taught))
    else:
        comparison.show(found)
        effects.show(each, taught)
    if out:
        say(str(reporting.compared(found, out)))


@app.command()
def train(
    scenario: Scenario,
    base: Annotated[str | None, typer.Option("--strategy", metavar="NAME", help="Whose weights to tune. (default: the "
                                             "scenario's own player)")] = None,
    seconds: Annotated[float | None, typer.Option(help="How long to train. (default: 60)", parser=real(0.1, 10**7),
                                                  metavar="S")] = None,
    generations: Annotated[int | None, typer.Option(help="How many generations, instead.", parser=whole(1, 10**6),
                                                    metavar="N")] = None,
    games: Annotated[int, typer.Option(parser=count, metavar="N", help="Games of each candidate in a "
                                       "generation.")] = "400",  # type: ignore[assignment]
    seed: Annotated[int, typer.Option(help="The luck of training.", parser=whole(0, 2**63 - 1), metavar="N")] = 1,
    seat: Annotated[int, typer.Option(help="Where seats compete: which one is trained.", parser=whole(1, 99),
                                       metavar="N")] = 1,
    weights: Annotated[str, typer.Option(metavar="NAME,...", help="Tune only these; NAME=LOW..HIGH keeps one within a "
                                         "range.")] = "",
    sets: Sets = None,
    slips: SlipShares = None,
    players: Seats = None,
    threads: Threads = 0,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The player file to write.")] = Path(
        "player.yaml"),
    as_json: Json = False,
) -> None:
    """Tune a player's weights, and measure them on luck that had no part in it; writes a player file.

    Example: [bold]hardmode train run_run_run/standard --seconds 60 -o mine.yaml[/bold]
    """
    from hardmode.reports import show, training
    from hardmode.studies import train as study

    found = _scenario(scenario, sets, None, players, slips)
    with show.progress_bar(f"training for {found.title}") as step:
        made = study.train(found, base, seconds=seconds, generations=generations, games=games, seed=seed, seat=seat,
                           weights=study.ranged(weights), threads=threads, out=out, progress=step)
    _print_json(training.as_dict(made, out)) if as_json else training.show(made, out)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


@app.command()
def sensitivity(
    scenario: Scenario,
    seconds: Annotated[float | None, typer.Option(help="How long to play. (default: 45, or as --games "
                                                     "takes)", min=1)] = None,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="The most games of each number.")] = None,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    players: Seats = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of all intervals together.", min=0.5, max=0.9999)] = 0.95,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FOLDER", help="Write the table as Markdown, CSV "
                                             "and Parquet, and the tornado as a plot.")] = None,
    as_json: Json = False,
) -> None:
    """Which numbers matter? Each of the box one plausible step up and down, on the same luck.

    Example: [bold]hardmode sensitivity trapwords/standard[/bold]
    """
    from hardmode.reports import sensitive, show
    from hardmode.studies import sensitivity as study
    from hardmode.studies.altered import studied
    from hardmode.studies.play import Effort

    found = _scenario(scenario, sets, strategy, players)
    cell = studied(_one_cell(found), bool(strategy))
    effort = Effort(games or study.MOST, 0, _seed(seed, found), None, confidence, threads)
    with show.progress_bar(found.title) as step:
        made = study.sensitivity(cell, effort, seconds or (None if games else study.SECONDS), step)
    if out:
        say(f"{sensitive.write(made, out)}")
    _print_json(sensitive.as_dict(made)) if as_json else sensitive.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


@app.command()
def solve(
    scenario: Scenario,
    target: Annotated[list[str], typer.Option(metavar="NAME=VALUE", help="What is wanted: win_rate=50%, rounds=10..14, "
                                              "an ending, 'seat 2=50%'. May be repeated.")],
    by: Annotated[list[str], typer.Option(metavar="PATH[=LOW..HIGH]", help="The number to change, in its plausible "
                                          "range or in this one. May be repeated.")],
    keep: Annotated[list[str] | None, typer.Option(metavar="NAME=BAND", help="What must hold as well.")] = None,
    within: Annotated[float, typer.Option(parser=share, metavar="POINTS", help="How near to a rate is near "
                                          "enough.")] = "1%",  # type: ignore[assignment]
    seconds: Annotated[float | None, typer.Option(help="How long to play. (default: 8, with several numbers 45)",
                                                  min=1)] = None,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="The most games of each value.")] = None,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    players: Seats = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of all answers together.", min=0.5, max=0.9999)] = 0.95,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FOLDER", help="Write tables, the curve, and each "
                                             "answer as a scenario.")] = None,
    as_json: Json = False,
) -> None:
    """Which value of which number gives what I want? What cannot be reached is an answer, too.

    Example: [bold]hardmode solve run_run_run/standard --target win_rate=50% --by torches.start[/bold]
    """
    from hardmode.reports import show, solved
    from hardmode.studies import solve as study
    from hardmode.studies.altered import studied
    from hardmode.studies.levers import levers
    from hardmode.studies.play import Effort
    from hardmode.studies.targets import targets

    found = _scenario(scenario, sets, strategy, players)
    cell = studied(_one_cell(found), bool(strategy))
    wanted = targets([*target, *(keep or [])], cell, within)
    moved = levers(by, found, cell, [path for t in wanted for path, _ in t.where])
    usual = study.SECONDS if len(moved) == 1 else study.SECONDS_SEVERAL
    effort = Effort(games or study.MOST, 0, _seed(seed, found), None, confidence, threads)
    with show.progress_bar(found.title) as step:
        made = study.solve(cell, wanted, moved, effort, seconds or (None if games else usual), step)
    if out:
        say(f"{solved.write(made, out)}")
    _print_json(solved.as_dict(made)) if as_json else solved.show(made)
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)


@app.command()
def check(
    files: Annotated[list[str] | None, typer.Argument(metavar="[SCENARIO]...", help="Files or shipped names; all "
                                                      "shipped baselines when left out.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Play nothing: print what the gate will do, with its "
                                       "odds.")] = False,
    margin: Annotated[float | None, typer.Option(parser=share, metavar="POINTS", help="A change smaller than this does "
                                                 "not matter. Default: 1%, wider where games are few.")] = None,
    alpha: Annotated[float, typer.Option(help="Chance that a run fails though nothing changed.",
                                         parser=real(1e-6, 0.49), metavar="SHARE")] = 0.01,
    beta: Annotated[float, typer.Option(help="Chance that a change beyond the margin passes.",
                                        parser=real(1e-6, 0.49), metavar="SHARE")] = 0.05,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="The most games of a cell. Default: the "
                                              "baseline's.")] = None,
    flips: Annotated[float, typer.Option(parser=share, metavar="SHARE", help="For --plan: the share of games that a "
                                         "change flips.")] = "10%",  # type: ignore[assignment]
    expectations: Annotated[bool, typer.Option("--expect-only", help="Hold to expect: alone, without "
                                               "baselines.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="A line for every cell of a grid.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    summary: Annotated[Path | None, typer.Option(metavar="FILE", help="Write Markdown, as for a step "
                                                 "summary.")] = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Did this change move the game? Hold scenarios to their baselines and expectations.

    Exit code 0: all fine; 1: changed, or an expectation missed; 2: broken input; 3: inconclusive.

    Example: [bold]hardmode check --junit check.xml[/bold]
    """
    from hardmode.reports import show
    from hardmode.reports.gate import plan as planned
    from hardmode.reports.gate import verdicts
    from hardmode.studies.gate import run as gate
    from hardmode.studies.gate.odds import foreseen

    terms = gate.Terms(alpha, beta, margin, games, expectations, threads)
    prepared = gate.prepare(files or [], terms)
    _note(*(subject.scenario for subject in prepared.subjects))
    if plan:
        found = foreseen(prepared, flips)
        _print_json(planned.as_dict(found)) if as_json else planned.show(found)
        raise typer.Exit(WRONG if prepared.refused else DONE)
    verdicts.ready(junit, summary)
    with show.progress_bar("check") as step:
        made = verdicts.hold(prepared, step)
    _print_json(verdicts.as_dict(made)) if as_json else verdicts.show(made, verbose)
    verdicts.write_files(made, junit, summary)
    raise typer.Exit(made.exit_code)


@app.command()
def accept(
    reason: Annotated[str, typer.Option(help="What changed, and why that is as it should be.")],
    files: Annotated[list[str] | None, typer.Argument(metavar="[SCENARIO]...", help="Files or shipped names.")] = None,
    shipped: Annotated[bool, typer.Option("--all-shipped", help="Every shipped scenario.")] = False,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="Games of each cell. Default: as "
                                              "before, or by their pace.")] = None,
    seed: Seed = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Record what scenarios play like now: the baselines that later builds are checked against.

    Example: [bold]hardmode accept mine.yaml --reason "three torches instead of four"[/bold]
    """
    from hardmode.reports import show
    from hardmode.reports.gate import accepted
    from hardmode.studies.gate import accept as accepting

    names = accepting.asked(files or [], shipped)
    made = []
    for name in names:
        _scenario(name)
        with show.progress_bar(f"accept {name}") as step:
            made.append(accepting.accept(name, reason, games=games, seed=seed, threads=threads,
                                         progress=step))
        if not as_json:
            accepted.show(made[-1])
    if as_json:
        _print_json({"accepted": [accepted.as_dict(one) for one in made]})


@app.command("check-game")
def check_game(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; nothing for all that "
                                                      "can be found.")] = None,
    games: Annotated[int, typer.Option(parser=count, metavar="N", help="Random games to play within bounds; everything "
                                       "else is played in proportion.")] = "2000",  # type: ignore[assignment]
    quick: Annotated[bool, typer.Option("--quick", help="A tenth of everything.")] = False,
    only: Annotated[str, typer.Option(metavar="WORDS", help="Only the checks that have this in their name.")] = "",
    as_json: Json = False,
) -> None:
    """Is a game sound? Hold its rules, words and strategies to the contract, by playing.

    Exit code 0: sound; 1: something was found; 2: broken input.

    Example: [bold]hardmode check-game woodlands --quick[/bold]
    """
    from hardmode.reports import show
    from hardmode.studies.conformance import checks

    asked = checks.asked(names or [], 200 if quick else games, only)
    made = []
    for subject in asked.subjects:
        with show.progress_bar(f"check {subject.name}") as stage:
            made.append(asked.check(subject, stage))
        if not as_json:
            print(visible("\n".join(made[-1].lines())))
    if as_json:
        _print_json(made[0].as_dict() if len(made) == 1 else {"games": [one.as_dict() for one in made]})
    raise typer.Exit(DONE if all(one.sound for one in made) else NO)


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(metavar="[GAME | SCENARIO]",
                                        help="A game or a scenario; nothing for all.")] = "",
    find: Annotated[str, typer.Option(help="Only what has this in its path.")] = "",
    as_json: Json = False,
) -> None:
    """Show games, scenarios, strategies, and what can be set, with its provenance.

    Example: [bold]hardmode list run_run_run --find torch[/bold]
    """
    from hardmode.reports import catalogue

    if as_json:
        _print_json(catalogue.contents(what, find))
    else:
        catalogue.show(what, find)


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Result files of the same scenario.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Where the sum goes.")],
    as_json: Json = False,
) -> None:
    """Add up results: shards of the same games played the same way.

    Example: [bold]hardmode merge a.json b.json -o all.json[/bold]
    """
    from hardmode.reports import answers, show
    from hardmode.sim import outputs, results
    from hardmode.studies import play

    outputs.ready(out, outputs.RESULT)
    together = play.merge(files)
    summaries = [answers.summary(r) for r in together]
    if as_json:
        _print_json(summaries[0] if len(summaries) == 1 else {"cells": summaries})
    else:
        show.results(together, summaries)
    results.save(out, together)


@app.command()
def reproduce(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A result file.")],
    trust: Annotated[bool, typer.Option("--trust", help="Run the strategies' own files of code that the result "
                                        "names.")] = False,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Play a result again and compare: the same games must end the same.

    Example: [bold]hardmode reproduce result.json[/bold]
    """
    from hardmode.reports import show
    from hardmode.studies import play

    with show.progress_bar(f"reproducing {file.name}") as step:
        checks = play.reproduce(file, threads, step, trust=trust)
    if as_json:
        _print_json({"reproduced": all(c["same"] for c in checks), "cells": checks})
    else:
        show.reproduced(checks)
    if not all(c["same"] for c in checks):
        raise typer.Exit(NO)


def _scenario(name: str, sets: list[str] | None = None, strategy: list[str] | None = None,
              players: int | None = None, slips: list[str] | None = None) -> Any:
    """The scenario that is meant; what is unusual in it is said."""
    found = _loaded(name, sets, strategy, players, slips)
    _note(found)
    return found


def _loaded(name: str, sets: list[str] | None, strategy: list[str] | None, players: int | None,
            slips: list[str] | None) -> Any:
    from hardmode.scenarios.load import load

    return load(name, sets or [], strategies=strategy or [], players=players, slips=slips or [])


def _note(*found: Any) -> None:
    """Say once what is unusual in scenarios, beside what is printed of them."""
    for warning in dict.fromkeys(w for one in found for cell in one.cells for w in cell.warnings):
        say(f"note: {warning}")


def _seed(asked: int | None, found: Any) -> int:
    return next(s for s in (asked, found.seed, 1) if s is not None)


def _one_cell(found: Any) -> Any:
    if len(found.cells) > 1:
        say(f"{found.name} is a grid of {len(found.cells)} cells; this tells its first, {found.cells[0].label_text}; "
             "choose with --set")
    return found.cells[0]


def _print_json(data: Any) -> None:
    from hardmode.reports.answers import finite

    print(json.dumps(finite(data), ensure_ascii=False))


def main() -> None:
    """The `hardmode` command."""
    warnings.showwarning = lambda message, *_: say(f"note: {message}")
    sys.exit(exit_code(app))


if __name__ == "__main__":
    main()
