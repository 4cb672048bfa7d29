"""hardmode: how hard is a board game, for whom, and why?"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from hardmode.reports.cli_types import CommandGroup, HelpfulCommand, join_help_lines
from hardmode.reports.commands import (
    accept,
    audit,
    bisect,
    bound,
    check,
    check_game,
    choices,
    compare,
    decided,
    fit,
    history,
    luck,
    merge,
    new,
    play,
    precompile,
    replay,
    report,
    reproduce,
    run,
    schema,
    sensitivity,
    solve,
    train,
    uncertainty,
)
from hardmode.reports.commands import list as list_command
from hardmode.reports.commands.cluster_options import with_cluster_options
from hardmode.reports.exit_codes import print_message, run_command
from hardmode.sim.messages import show_messages

app = typer.Typer(
    cls=CommandGroup,
    help=__doc__,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "Play": {
        "run": run.run_scenario,
        "report": report.write_report,
        "replay": replay.replay_game,
        "compare": compare.compare_variants,
    },
    "Design": {
        "audit": audit.audit_rules,
        "luck": luck.measure_luck,
        "bound": bound.bound_win_rate,
        "decided": decided.measure_decision_points,
        "choices": choices.measure_choices,
        "sensitivity": sensitivity.measure_sensitivity,
        "uncertainty": uncertainty.measure_uncertainty,
        "solve": solve.solve_for_target,
        "train": train.train_player,
    },
    "Played games": {"play": play.play_game, "fit": fit.fit_playtests},
    "Check": {
        "check": check.check_scenarios,
        "accept": accept.accept_baselines,
        "check-game": check_game.check_games,
        "history": history.show_past_win_rates,
        "bisect": bisect.find_commit,
    },
    "Files": {
        "list": list_command.list_contents,
        "new": new.create_file,
        "merge": merge.merge_results,
        "reproduce": reproduce.reproduce_result,
        "schema": schema.print_schema,
        "precompile": precompile.precompile_games,
    },
}  # by the heading under which the help lists them


def print_version(is_asked: bool) -> None:
    """Print the version and end the command, if `--version` is given."""
    if is_asked:
        from importlib.metadata import version

        print(f"hardmode {version('hardmode')}")
        raise typer.Exit()


@app.callback(help=__doc__)
def accept_global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Accept the options that precede a command."""


for panel, commands in COMMANDS.items():
    for name, command in commands.items():
        text = join_help_lines(command.__doc__ or "")
        register = app.command(name, cls=HelpfulCommand, help=text, rich_help_panel=panel)
        register(with_cluster_options(command))


def main() -> None:
    """Run the command line `hardmode` and exit with its code."""
    with show_messages(lambda text: print_message(f"note: {text}")):
        code = run_command(app)
    gc.freeze()  # no collection when the process ends: saves 19 % of a run of 100 games
    sys.exit(code)


if __name__ == "__main__":
    main()
