"""Labels of variants for readers, and the options of the command that plays a variant again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardmode.scenarios.box_overlay import BoxOverlay
from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.scenarios.strategy import MistakeModel
from hardmode.scenarios.variant import MISTAKES_LABEL, STRATEGIES_LABEL


def format_display_label(cell: Variant) -> str:
    """Return the label of a cell for readers."""
    return cell.readable_label


def get_label_settings(cell: Variant) -> dict[str, Any]:
    """Return the settings, by path, that distinguish a cell of a sweep.

    The strategies are among them if they are swept or if a player makes mistakes.
    """
    not_numbers = (STRATEGIES_LABEL, MISTAKES_LABEL)
    settings = {path: value for path, value in cell.label.items() if path not in not_numbers}
    makes_mistakes = any(s.mistakes and s.mistakes.rate for s in cell.strategies)
    if makes_mistakes or len(settings) < len(cell.label):
        settings[STRATEGIES_LABEL] = cell.strategies
    return settings


def format_command_options(
    settings: Mapping[str, Any], overlay: BoxOverlay | None = None
) -> list[str]:
    """Return the options of the command line for settings and for the user's own box.

    Args:
        settings: Values by path, and possibly strategies.
        overlay: The user's own box.
    """
    words = ["--box", overlay.file] if overlay else []
    for path, value in settings.items():
        if path != STRATEGIES_LABEL:
            words += ["--set", f"{path}={format_yaml_value(value)}"]
    strategies = settings.get(STRATEGIES_LABEL, ())
    words += _repeat_option("--strategy", [s.full_name for s in strategies])
    if any(s.mistakes for s in strategies):
        mistakes = [str(s.mistakes or MistakeModel()) for s in strategies]
        words += _repeat_option("--mistakes", mistakes)
    return words


def _repeat_option(option: str, values: list[str]) -> list[str]:
    """Return the option once for each seat, or once for all if all have the same value."""
    distinct = values[:1] if len(set(values)) == 1 else values
    return [word for value in distinct for word in (option, value)]
