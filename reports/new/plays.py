"""A table of played games to begin with: the names of its columns; those that nobody counts may be left out."""

from __future__ import annotations

from hardmode.scenarios.load import load_scenario
from hardmode.studies.playtests.records import RecordColumns


def template(scenario: str) -> str:
    return ",".join(RecordColumns(load_scenario(scenario).cells[0]).header) + "\n"
