"""Variants in which games were played: the scenario's own, and those with other settings."""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.playtests.records import PlayRecord, group_by_settings


def group_by_variant(
    cell: Variant, plays: Sequence[PlayRecord]
) -> tuple[list[Variant], list[list[PlayRecord]]]:
    """Return the variants that were played, the given one first, and the plays of each.

    Args:
        cell: The scenario's own variant, which is returned even without plays.
        plays: The plays.

    Raises:
        ScenarioError: The settings of a play are not possible.
    """
    cells = [cell]
    plays_by_cell = [list[PlayRecord]()]
    indices: dict[tuple[tuple[str, str], ...], int] = {(): 0}
    for settings, same_settings in group_by_settings(plays).items():
        values = {}
        for path, value in settings:
            value = list(value) if isinstance(value, tuple) else value
            if value != cell.values[path]:
                values[path] = value
        key = tuple((path, format_yaml_value(value)) for path, value in sorted(values.items()))
        if key not in indices:
            indices[key] = len(cells)
            cells.append(_apply_settings(cell, values, same_settings[0]))
            plays_by_cell.append([])
        plays_by_cell[indices[key]] += same_settings
    return cells, plays_by_cell


def _apply_settings(cell: Variant, values: dict[str, object], play: PlayRecord) -> Variant:
    """Return the variant with other values; errors name the line of the play."""
    try:
        return cell.with_values(values)
    except ScenarioError as error:
        raise ScenarioError(play.place, error.path, error.message, error.nearest) from None
