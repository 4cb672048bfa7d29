"""A table of played games to begin with: the names of its columns; those that nobody counts may be left out."""

from __future__ import annotations

from hardmode.scenarios.load import load
from hardmode.studies.playtests.records import Columns


def template(scenario: str) -> str:
    return ",".join(Columns(load(scenario).cells[0]).header) + "\n"
