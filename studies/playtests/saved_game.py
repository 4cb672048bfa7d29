"""Unfinished games of a person: the choices so far, in a file from which the game continues."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import GAME, OutputError
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.results.result import compute_code_digests
from hardmode.studies.core.run import make_players

MAX_SAVED_BYTES = 5_000_000


@dataclass
class SavedGame:
    """An unfinished game. The names of the fields are the keys of the file."""

    scenario: str
    seed: int
    number: int  # of the game among those of the seed
    seat: int
    digests: dict[str, str]
    script: list[int] = field(default_factory=list)  # choices so far
    hints: int = 0
    undone: int = 0

    @classmethod
    def start(
        cls, scenario: Scenario, cell: Variant, seed: int, number: int, seat: int
    ) -> SavedGame:
        """Return a new game without choices.

        Args:
            scenario: The scenario.
            cell: Its only cell.
            seed: Seed of the game.
            number: Number of the game among those of the seed.
            seat: Seat of the person, from 0.
        """
        digests = {**compute_code_digests(cell.game, make_players(cell)), **cell.digests}
        return cls(scenario.name, seed, number, seat, digests)

    def save(self, file: Path) -> None:
        """Write the game to a file."""
        text = json.dumps({"hardmode": "game", **asdict(self)})
        atomic_files.write_atomically(file, text + "\n")


def load_or_start(file: Path, new_game: SavedGame, is_seed_given: bool) -> SavedGame:
    """Return the game saved in a file, or the new one if there is none.

    Args:
        file: The file.
        new_game: The game that the user asked for.
        is_seed_given: Whether the user asked for its seed; otherwise any seed continues.

    Raises:
        OutputError: The file is damaged, or holds a game of other settings.
    """
    atomic_files.check_writable(file, GAME)
    if not file.exists() or not file.stat().st_size:
        return new_game
    saved = _load_saved_game(file)
    difference = _find_difference(saved, new_game, is_seed_given)
    if difference:
        raise OutputError(
            f"{shorten_path(file)} holds an unfinished game with another {difference}; "
            "finish or remove it, or name another file with -o"
        )
    return saved


def _load_saved_game(file: Path) -> SavedGame:
    try:
        data: dict[str, Any] = json.loads(file.read_bytes()[:MAX_SAVED_BYTES])
        data.pop("hardmode")
        saved = SavedGame(**data)
        for number in (saved.seed, saved.number, saved.seat, *saved.script):
            if not isinstance(number, int):
                raise TypeError
    except (ValueError, TypeError, LookupError):
        raise OutputError(
            f"{shorten_path(file)}: the unfinished game is damaged; remove it, or name another "
            "file with -o"
        ) from None
    return saved


def _find_difference(saved: SavedGame, new_game: SavedGame, is_seed_given: bool) -> str:
    """Return a name for what differs between two games, or ""."""
    if saved.scenario != new_game.scenario:
        return "scenario"
    if saved.seat != new_game.seat:
        return "seat"
    if is_seed_given and (saved.seed, saved.number) != (new_game.seed, new_game.number):
        return "seed"
    if saved.digests != new_game.digests:
        return "box, rules or players"
    return ""
