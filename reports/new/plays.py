"""New table of played games: the header of a CSV file, whose columns are optional."""

from __future__ import annotations

from hardmode.scenarios.load import load_scenario
from hardmode.studies.playtests.records import RecordColumns


def make_plays_header(scenario: str) -> str:
    """Return the header of a table of plays of a scenario's first cell."""
    columns = RecordColumns(load_scenario(scenario).cells[0])
    return ",".join(columns.header) + "\n"
