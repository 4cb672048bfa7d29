"""Plays that were reported in public, in the folder `plays` beside a game's scenarios.

A file names its source, and holds what the source states of each play: the date, the number of
players, the ending, the score. No names of people are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardmode.scenarios.load import Variant
from hardmode.sim.contract.discovery import find_scenario_folders
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.read import read_yaml_file
from hardmode.studies.playtests.records import PlayRecord, load_play_records

FOLDER = "plays"


@dataclass(frozen=True)
class PublishedPlays:
    """The plays of one file.

    Attributes:
        path: The file.
        source: Address of the page that reports them.
        records: The plays.
    """

    path: Path
    source: str
    records: Sequence[PlayRecord]


def list_play_files(game: str) -> list[Path]:
    """Return the files of published plays of a game; none if it has no folder of them."""
    folder = find_scenario_folders()[game] / FOLDER
    return sorted(folder.glob("*.yaml"))


def load_published_plays(cell: Variant) -> list[PublishedPlays]:
    """Return the published plays of the game of a variant.

    Raises:
        ScenarioError: A file names no source, or a play is not possible.
    """
    published = []
    for path in list_play_files(cell.game.name):
        document = read_yaml_file(path, signed_numbers=True)
        source = document.data.get("source", "") if isinstance(document.data, dict) else ""
        if not str(source).startswith("https://"):
            raise ScenarioError(document.locate(), "source", "must be the address of a page")
        records, _ = load_play_records(path, cell)
        published.append(PublishedPlays(path, str(source), records))
    return published
