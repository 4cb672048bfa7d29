"""hardmode: how hard is a board game, for whom, and what makes it so?"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

DONE, NO, WRONG, INCONCLUSIVE, INTERRUPTED = 0, 1, 2, 3, 130

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, rich_markup_mode="rich",
                  pretty_exceptions_enable=False,
                  context_settings={"help_option_names": ["-h", "--help"]})


def count(text: str) -> int:
    """A number of games: 2000, 50k, 1.5M."""
    scale = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(text[-1:].lower(), 1)
    try:
        number = round(float(text[:-1] if scale > 1 else text) * scale)
    except ValueError:
        number = 0
    if number < 1:
        raise typer.BadParameter(f"{text!r} is no number of games; write for example 2000, 50k or 1M")
    return number


def share(text: str) -> float:
    """A precision in points of win rate: 0.2%, or 0.002."""
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 0.5:
        raise typer.BadParameter(f"{text!r} is no precision; write for example 0.2%")
    return value


ScenarioName = Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or a shipped name "
                                             "such as run_run_run/standard (see hardmode list).")]
Sets = Annotated[list[str] | None, typer.Option("--set", metavar="PATH=VALUE",
                                                help="Change a number, as in boss.hp=+1. May be repeated.")]
Strategies = Annotated[list[str] | None, typer.Option("--strategy", metavar="NAME",
                                                      help="Who plays: one for all, or one per seat in order.")]
Seats = Annotated[int | None, typer.Option("--players", help="Number of players.")]
Box = Annotated[Path | None, typer.Option("--box", metavar="FILE", help="A box of one's own, laid over the shipped "
                                          "one: see hardmode new box.")]
Seed = Annotated[int | None, typer.Option(help="The luck: the same seed is the same games. (default: the "
                                          "scenario's, or 1)", min=0, max=2**63 - 1)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, and nothing else.")]
Threads = Annotated[int, typer.Option(help="Threads; 0 is one per core.", min=0, show_default=False)]


@app.command()
def run(
    scenario: ScenarioName,
    games: Annotated[int | None, typer.Option(parser=count, metavar="N", help="Games per cell: 2000, 50k, 1M. "
                                              "(default: the scenario's, or 10k)")] = None,
    until: Annotated[float | None, typer.Option(parser=share, metavar="POINTS", help="Stop as soon as the win rate "
                                                "is known to within this, as in 0.2%.")] = None,
    first: Annotated[int, typer.Option(help="Number of the first game: for shards of one seed.", min=0)] = 0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of every interval.", min=0.5, max=0.9999)] = 0.95,
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

    found = _scenario(scenario, sets, strategy, players, box)
    effort = play.usual(found, until).changed(games=games, first=first, seed=_seed(seed, found), confidence=confidence,
                                              threads=threads)
    with show.progress_bar(found.title) as step:
        results = play.play(found, effort, out=out, rows=rows, progress=step)
    summaries = [answers.summary(r, confidence) for r in results]
    if as_json:
        _print_json(summaries[0] if len(found.cells) == 1 else {"scenario": found.name, "cells": summaries})
    elif results[0].games:
        show.results(results, summaries)
    if results[-1].interrupted:
        kept = f"{out} keeps them: the same command goes on from there" if out else "with -o FILE they would be kept"
        _say(f"interrupted after {sum(r.games for r in results):,} games; {kept}")
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
    seconds: Annotated[float, typer.Option(help="How long to play for each scenario.", min=1)] = 12.0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    players: Seats = None,
    box: Box = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of every interval.", min=0.5, max=0.9999)] = 0.95,
) -> None:
    """Write the difficulty report: one page that opens offline, with its tables and plots.

    Example: [bold]hardmode report woodlands/classic -o report[/bold]
    """
    from hardmode.reports import show
    from hardmode.reports.page import report as reporting
    from hardmode.studies import play

    found = [_scenario(name, sets, strategy, players, box) for name in scenarios or reporting.standard()]
    luck = play.OWN_SEED if seed is None else seed
    effort = play.Effort(games or reporting.MOST_GAMES, 0, luck, None, confidence, threads)
    with show.progress_bar("report") as step:
        page = reporting.make(found, effort, out, step, None if games else seconds)
    show.out.print(f"{page}")


@app.command()
def replay(
    scenario: ScenarioName,
    game: Annotated[int, typer.Option(help="Which game of the seed.", min=0)] = 0,
    seed: Seed = None,
    sets: Sets = None,
    strategy: Strategies = None,
    players: Seats = None,
    box: Box = None,
    as_json: Json = False,
) -> None:
    """Tell one game step by step, with every draw and every legal option.

    Example: [bold]hardmode replay run_run_run/standard --game 7[/bold]
    """
    from hardmode.reports import show
    from hardmode.sim.replay import story, told
    from hardmode.studies import play

    found = _scenario(scenario, sets, strategy, players, box)
    cell = _one_cell(found)
    with show.compile_messages():
        made = story(play.engine(cell), _seed(seed, found), game)
    if as_json:
        _print_json(made.to_list())
        return
    show.story_head(cell, made)
    print("\n".join(told(made, cell.game.tell())))


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
    strategy_b: Annotated[list[str] | None, typer.Option("--strategy-b", metavar="NAME", help="Who plays B.")] = None,
    players: Seats = None,
    box: Box = None,
    box_b: Annotated[Path | None, typer.Option("--box-b", metavar="FILE", help="The box of one's own of B "
                                               "alone.")] = None,
    threads: Threads = 0,
    confidence: Annotated[float, typer.Option(help="Of all intervals together.", min=0.5, max=0.9999)] = 0.95,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FOLDER", help="Write the comparison as a page, "
                                             "with its tables as Markdown, CSV and Parquet.")] = None,
    as_json: Json = False,
) -> None:
    """Play the same games under two variants: what a change does, and where it bites.

    Example: [bold]hardmode compare woodlands/classic --set-b boss.*.hearts=+1[/bold]
    """
    from hardmode.reports import comparison, show
    from hardmode.studies import compare as comparing
    from hardmode.studies import play

    first = _scenario(a, sets, strategy, players, box)
    second = _scenario(b or a, [*(sets or []), *(sets_b or [])], strategy_b or strategy, players, box_b or box)
    effort = play.Effort(games or comparing.GAMES, 0, _seed(seed, first), until, confidence, threads)
    with show.progress_bar(f"{first.title} against {second.title}") as step:
        found = comparing.compare(first, second, effort, progress=step)
    if out:
        from hardmode.reports.page import report as reporting

        _say(str(reporting.compared(found, out)))
    if as_json:
        told = [comparison.as_dict(c) for c in found]
        _print_json(told[0] if len(told) == 1 else {"cells": told})
    else:
        comparison.show(found)


@app.command()
def check(
    files: Annotated[list[str] | None, typer.Argument(metavar="[SCENARIO]...", help="Files or shipped names; all "
                                                      "shipped baselines when left out.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Play nothing: print what the gate will do, with its "
                                       "odds.")] = False,
    margin: Annotated[float | None, typer.Option(parser=share, metavar="POINTS", help="A change smaller than this does "
                                                 "not matter. Default: 1%, wider where games are few.")] = None,
    alpha: Annotated[float, typer.Option(help="Chance that a run fails though nothing changed.", min=1e-6,
                                         max=0.49)] = 0.01,
    beta: Annotated[float, typer.Option(help="Chance that a change beyond the margin passes.", min=1e-6,
                                        max=0.49)] = 0.05,
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
    if plan:
        found = foreseen(prepared, flips)
        _print_json(planned.as_dict(found)) if as_json else planned.show(found)
        raise typer.Exit(WRONG if prepared.refused else DONE)
    with show.progress_bar("check") as step:
        made = verdicts.hold(prepared, step)
    verdicts.write_files(made, junit, summary)
    _print_json(verdicts.as_dict(made)) if as_json else verdicts.show(made, verbose)
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
            print("\n".join(made[-1].lines()))
    if as_json:
        _print_json(made[0].as_dict() if len(made) == 1 else {"games": [one.as_dict() for one in made]})
    raise typer.Exit(DONE if all(one.sound for one in made) else NO)


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(metavar="[GAME | SCENARIO]",
                                        help="A game or a scenario; nothing for all.")] = "",
    find: Annotated[str, typer.Option(help="Only what has this in its path.")] = "",
    box: Box = None,
    as_json: Json = False,
) -> None:
    """Show games, scenarios, strategies, and what can be set, with its provenance.

    Example: [bold]hardmode list run_run_run --find torch[/bold]
    """
    from hardmode.reports import catalogue

    if as_json:
        _print_json(catalogue.contents(what, find, box))
    else:
        catalogue.show(what, find, box)


@app.command()
def new(
    what: Annotated[str, typer.Argument(metavar="box | scenario | strategy | game", help="What to write.")],
    name: Annotated[str, typer.Argument(metavar="GAME", help="The game that it is for, or the name of the new game.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Where it goes; of a new game, the "
                                             "folder that holds its own. (default: printed)")] = None,
) -> None:
    """Write a file to begin with: a box of one's own, a scenario, a strategy, or a whole game.

    Example: [bold]hardmode new box run_run_run -o mybox.yaml[/bold]
    """
    from hardmode.reports import new as beginning

    print(beginning.new(what, name, out).rstrip())


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
    from hardmode.sim.results import save
    from hardmode.studies import play

    together = play.merge(files)
    save(out, together)
    summaries = [answers.summary(r) for r in together]
    if as_json:
        _print_json(summaries[0] if len(summaries) == 1 else {"cells": summaries})
    else:
        show.results(together, summaries)


@app.command()
def reproduce(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A result file.")],
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Play a result again and compare: the same games must end the same.

    Example: [bold]hardmode reproduce result.json[/bold]
    """
    from hardmode.reports import show
    from hardmode.studies import play

    with show.progress_bar(f"reproducing {file.name}") as step:
        checks = play.reproduce(file, threads, step)
    if as_json:
        _print_json({"reproduced": all(c["same"] for c in checks), "cells": checks})
    else:
        show.reproduced(checks)
    if not all(c["same"] for c in checks):
        raise typer.Exit(NO)


def _scenario(name: str, sets: list[str] | None, strategy: list[str] | None, players: int | None,
              box: Path | None) -> Any:
    from hardmode.scenarios.load import load

    return load(name, sets or [], strategies=strategy or [], players=players, box=box)


def _seed(asked: int | None, found: Any) -> int:
    return next(s for s in (asked, found.seed, 1) if s is not None)


def _one_cell(found: Any) -> Any:
    if len(found.cells) > 1:
        _say(f"{found.name} is a grid of {len(found.cells)} cells; this tells its first, {found.cells[0].label_text}; "
             "choose with --set")
    return found.cells[0]


def _print_json(data: Any) -> None:
    from hardmode.reports.answers import finite

    print(json.dumps(finite(data), ensure_ascii=False))


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def main() -> None:
    """The `hardmode` command: what users did wrong is said in a line, never as a traceback."""
    warnings.showwarning = lambda message, *_: _say(f"note: {message}")
    try:
        app(standalone_mode=True)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(DONE)
    except Exception as why:
        if type(why).__module__.startswith("hardmode."):
            _say(f"error: {why}")
            sys.exit(WRONG)
        raise


if __name__ == "__main__":
    main()
