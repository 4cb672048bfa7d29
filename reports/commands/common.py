"""Steps that commands share: load a scenario, choose its seed, print an answer as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import typer

from hardmode.reports.exit_codes import INTERRUPTED, print_message
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario, Variant


class Study(Protocol):
    """Result of a study that can be interrupted."""

    @property
    def interrupted(self) -> bool:
        """True if the user stopped the study before its end."""


def load_given_scenario(
    name: str,
    sets: list[str] | None = None,
    strategy: list[str] | None = None,
    players: int | None = None,
    mistakes: list[str] | None = None,
    box: Path | None = None,
) -> Scenario:
    """Load a scenario with the changes that were given on the command line."""
    from hardmode.scenarios import load

    return load.load_scenario(
        name,
        sets or [],
        strategies=strategy or [],
        players=players,
        mistakes=mistakes or [],
        box=box,
    )


@contextmanager
def rename_options_in_errors(suffix: str) -> Iterator[None]:
    """Name options with a suffix in errors about scenarios: --set-b instead of --set for "-b"."""
    try:
        yield
    except ScenarioError as error:
        if not suffix or not error.file.startswith("--"):
            raise
        place = Location(f"{error.file}{suffix}")
        raise ScenarioError(place, error.path, error.message, error.nearest) from None


def load_scenario_with_notes(
    name: str,
    sets: list[str] | None = None,
    strategy: list[str] | None = None,
    players: int | None = None,
    mistakes: list[str] | None = None,
    box: Path | None = None,
) -> Scenario:
    """Load a scenario and print its notes on stderr."""
    scenario = load_given_scenario(name, sets, strategy, players, mistakes, box)
    print_notes(scenario)
    return scenario


def format_scenario_arguments(
    name: str,
    sets: list[str] | None = None,
    strategy: list[str] | None = None,
    players: int | None = None,
    mistakes: list[str] | None = None,
    box: Path | None = None,
    suffix: str = "",
) -> str:
    """Return a scenario with its changes as they were given, for the next command to try.

    Args:
        name: The scenario, or "" if there are only changes.
        sets: Values of `--set`.
        strategy: Values of `--strategy`.
        players: Value of `--players`.
        mistakes: Values of `--mistakes`.
        box: Value of `--box`.
        suffix: End of the names of these options, "-b" for side B of a comparison.
    """
    options = {"--set": sets, "--strategy": strategy, "--mistakes": mistakes}
    words = [name] if name else []
    for option, values in options.items():
        for value in values or ():
            words += [f"{option}{suffix}", value]
    if players is not None:
        words += ["--players", str(players)]
    if box:
        words += [f"--box{suffix}", str(box)]
    return shlex.join(words)


def print_notes(*scenarios: Scenario) -> None:
    """Print the notes of the scenarios on stderr, each note once."""
    notes = [note for scenario in scenarios for note in scenario.notes]
    for note in dict.fromkeys(notes):
        print_message(f"note: {note}")


def choose_seed(given: int | None, scenario: Scenario) -> int:
    """Return the seed given on the command line, else the scenario's seed, else 1."""
    if given is not None:
        return given
    return 1 if scenario.seed is None else scenario.seed


def take_first_cell(scenario: Scenario) -> Variant:
    """Return the first cell of a scenario, with a message if it is a grid of several cells."""
    if len(scenario.cells) > 1:
        print_message(
            f"{scenario.name} is a grid of {len(scenario.cells)} cells over "
            f"{', '.join(scenario.sweep)}; only the first cell is used, "
            f"{scenario.cells[0].readable_label}; choose another with --set, --players, --strategy "
            "or --mistakes"
        )
    return scenario.cells[0]


def print_json(name: str, answer: Any) -> None:
    """Print an answer as one line of JSON, with its name and schema version first."""
    from hardmode.reports.json.encoding import encode_answer

    print(json.dumps(encode_answer(name, answer), ensure_ascii=False))


def stop_if_interrupted(study: Study) -> None:
    """End the command with the exit code for interruptions if the study was interrupted."""
    if study.interrupted:
        raise typer.Exit(INTERRUPTED)
