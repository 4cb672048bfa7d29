"""hardmode: how hard is a board game, for whom, and why?"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from hardmode.reports.cli_types import OLD_COMMANDS, CommandGroup, HelpfulCommand
from hardmode.reports.commands.accept import accept_baselines
from hardmode.reports.commands.audit import audit_rules
from hardmode.reports.commands.bisect import find_commit
from hardmode.reports.commands.check import check_scenarios
from hardmode.reports.commands.check_game import check_games
from hardmode.reports.commands.choices import measure_choices
from hardmode.reports.commands.cluster_options import with_cluster_options
from hardmode.reports.commands.compare import compare_variants
from hardmode.reports.commands.decided import measure_decision_points
from hardmode.reports.commands.fit import fit_playtests
from hardmode.reports.commands.history import show_past_win_rates
from hardmode.reports.commands.list import list_contents
from hardmode.reports.commands.luck import measure_luck
from hardmode.reports.commands.merge import merge_results
from hardmode.reports.commands.new import write_new_file
from hardmode.reports.commands.play import play_game
from hardmode.reports.commands.precompile import precompile_games
from hardmode.reports.commands.replay import replay_game
from hardmode.reports.commands.report import write_report
from hardmode.reports.commands.reproduce import reproduce_result
from hardmode.reports.commands.run import run_scenario
from hardmode.reports.commands.schema import print_schema
from hardmode.reports.commands.sensitivity import measure_sensitivity
from hardmode.reports.commands.solve import solve_for_target
from hardmode.reports.commands.train import train_player
from hardmode.reports.commands.uncertainty import measure_uncertainty
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
        "run": run_scenario,
        "report": write_report,
        "replay": replay_game,
        "compare": compare_variants,
    },
    "Design": {
        "audit": audit_rules,
        "luck": measure_luck,
        "decided": measure_decision_points,
        "choices": measure_choices,
        "sensitivity": measure_sensitivity,
        "uncertainty": measure_uncertainty,
        "solve": solve_for_target,
        "train": train_player,
    },
    "Played games": {"play": play_game, "fit": fit_playtests},
    "Check": {
        "check": check_scenarios,
        "accept": accept_baselines,
        "check-game": check_games,
        "history": show_past_win_rates,
        "bisect": find_commit,
    },
    "Files": {
        "list": list_contents,
        "new": write_new_file,
        "merge": merge_results,
        "reproduce": reproduce_result,
        "schema": print_schema,
        "precompile": precompile_games,
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
        register = app.command(name, cls=HelpfulCommand, rich_help_panel=panel)
        register(with_cluster_options(command))


def main() -> None:
    """Run the command line `hardmode` and exit with its code."""
    # Few imported objects are garbage. Collecting less often saves 6 % of a run of 100 games.
    gc.set_threshold(100_000)
    # Typer inspects the signatures of all registered commands, so only the given one stays.
    given = sys.argv[1] if len(sys.argv) > 1 else ""
    name = OLD_COMMANDS.get(given, given)
    all_commands = app.registered_commands
    app.registered_commands = [c for c in all_commands if c.name == name] or all_commands
    try:
        with show_messages(lambda text: print_message(f"note: {text}")):
            code = run_command(app)
    finally:
        app.registered_commands = all_commands
    gc.freeze()  # no collection when the process ends: saves 19 % of a run of 100 games
    sys.exit(code)


if __name__ == "__main__":
    main()
