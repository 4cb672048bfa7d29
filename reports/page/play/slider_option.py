"""The option `--slider PATH=VALUES`: numbers that the reader of a page can change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from hardmode.scenarios.grid import parse_set_option
from hardmode.scenarios.load import Scenario
from hardmode.scenarios.overrides import Change

OPTION = "--slider"
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
MAX_VALUES = 30  # of one slider


def parse_sliders(texts: Sequence[str], scenarios: Sequence[Scenario]) -> dict[str, list[Any]]:
    """Return the values of sliders by path.

    Args:
        texts: Arguments of the option.
        scenarios: The scenarios of the report; each path must belong to one of them.

    Raises:
        ScenarioError: If a path or its values cannot be used.
    """
    known = [path for scenario in scenarios for path in scenario.cells[0].parameters]
    sliders = {}
    for text in texts:
        change = parse_set_option(text, OPTION)
        if change.path not in known:
            close = get_close_matches(change.path, known, 3)
            raise change.make_error("is not a number of these games", close)
        sliders[change.path] = list_values(change)
    return sliders


def list_values(change: Change) -> list[Any]:
    """Return the values that a change names: a range, a list, or several with commas.

    Raises:
        ScenarioError: If there are fewer than two, or too many.
    """
    values = change.value
    if isinstance(values, str) and (found := RANGE.fullmatch(values)):
        low, high = map(int, found.groups())
        values = list(range(low, min(high, low + MAX_VALUES) + 1))
    elif isinstance(values, str) and "," in values:
        values = parse_set_option(f"{change.path}=[{values}]", OPTION).value
    if not isinstance(values, list) or not 2 <= len(values) <= MAX_VALUES:
        raise change.make_error(
            f"needs 2 to {MAX_VALUES} values, such as {change.path}=3..7 or {change.path}=3,5,7"
        )
    return values
