"""Checks of settings: difficulty settings in the wrong order, and steps that are too large."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from hardmode.scenarios.labels import MISTAKES_LABEL, STRATEGIES_LABEL
from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.studies.audit.context import AuditContext
from hardmode.studies.audit.findings import Finding, find_first, format_point_change
from hardmode.studies.audit.seats import estimate_paired_difference
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.run import make_engine

MIN_INVERSION = 0.01  # of win rate, for a setting in the wrong order
MAX_JUMP = 0.30  # of win rate, between neighbouring steps
MAX_GAMES = 5_000  # of each variant
# Words for difficulty, from easy to hard.
DIFFICULTIES = (
    "tutorial",
    "easiest",
    "easy",
    "lean",
    "novice",
    "normal",
    "standard",
    "classic",
    "medium",
    "hard",
    "harder",
    "expert",
    "hardest",
    "nightmare",
)
EASY = "easy"
HARD = "hard"
MIDDLE = ("normal", "classic", "medium", "standard")  # not ordered among each other


class _Scale(NamedTuple):
    """Variants that differ by one setting, in order."""

    path: str
    cells: list[Variant]
    is_difficulty: bool


def find_difficulty_settings(cell: Variant) -> dict[str, list[Any]]:
    """Return the values of settings that are named by difficulty, from easy to hard, by path."""
    settings = {}
    for path, parameter in cell.parameters.items():
        names = [name for name in parameter.choices or () if name in (EASY, *MIDDLE, HARD)]
        if not isinstance(parameter.value, list) and {EASY, HARD} <= set(names):
            settings[path] = sorted(names, key=DIFFICULTIES.index)
    return settings


def check_settings(context: AuditContext) -> Iterator[Finding]:
    """Search for harder settings that are easier, and for steps that are too large."""
    context.checked_kinds.extend(["inverted-setting", "jump"])
    scales = _list_scales(context)
    steps = sum(max(0, len(scale.cells) - 1) for scale in scales)
    variants = sum(len(scale.cells) for scale in scales)
    won_by_cell: dict[int, np.ndarray] = {}
    for scale in scales:
        for easier, harder in pairwise(scale.cells):
            for cell in (easier, harder):
                if id(cell) not in won_by_cell:
                    budget = context.budget.subbudget(1 / variants)
                    rows = context.play_games(make_engine(cell), budget, MAX_GAMES)
                    won_by_cell[id(cell)] = is_won(context.game, rows)
            won = won_by_cell[id(easier)], won_by_cell[id(harder)]
            yield from _compare_step(context, scale, (easier, harder), won, 2 * steps)


def _list_scales(context: AuditContext) -> list[_Scale]:
    """Return the difficulty settings of the game and the ordered axes of the scenario."""
    scales = []
    for path, values in find_difficulty_settings(context.cell).items():
        cells = []
        for value in values:
            try:
                cells.append(context.cell.with_values({path: value}))
            except ScenarioError:
                continue
        scales.append(_Scale(path, cells, True))
    for path in context.scenario.sweep:
        if path not in (STRATEGIES_LABEL, MISTAKES_LABEL):
            scales.append(_Scale(path, _list_axis_cells(context, path), False))
    return scales


def _list_axis_cells(context: AuditContext, path: str) -> list[Variant]:
    """Return the cells that differ from the first by one setting only, if it has an order."""
    others = _remove_key(context.scenario.cells[0].label, path)
    labels = [dict(cell.label) for cell in context.scenario.cells]
    labels = [label for label in labels if _remove_key(label, path) == others]
    if all(_is_number(label.get(path)) for label in labels):
        labels.sort(key=lambda label: label[path])
    elif all(label.get(path) in DIFFICULTIES for label in labels):
        labels.sort(key=lambda label: DIFFICULTIES.index(label[path]))
    else:
        return []
    return [context.cell.with_values(label) for label in labels]


def _remove_key(label: dict[str, Any], path: str) -> dict[str, Any]:
    return {key: value for key, value in label.items() if key != path}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _compare_step(
    context: AuditContext,
    scale: _Scale,
    cells: tuple[Variant, Variant],
    won: tuple[np.ndarray, np.ndarray],
    tests: int,
) -> Iterator[Finding]:
    """Compare two neighbouring variants, the second of which should be harder.

    Args:
        context: The audit.
        scale: The setting.
        cells: The two variants.
        won: Which of their games were won.
        tests: Number of intervals of the check.
    """
    path = scale.path
    (easier, harder) = cells
    change = estimate_paired_difference(won[1], won[0], context.adjusted_confidence(tests))
    before = easier.values[path]
    after = harder.values[path]
    evidence: dict[str, Any] = {
        "game": find_first(won[0][: change.n] != won[1][: change.n]),
        "cell": harder,
        "followup": context.build_command("run", "--set", f"{path}={after}", cell=easier),
    }
    is_named = scale.is_difficulty or (before in DIFFICULTIES and after in DIFFICULTIES)
    if is_named and not {before, after} <= set(MIDDLE) and change.low > MIN_INVERSION:
        message = (
            f"{path}: {after} is easier than {before}, {format_point_change(change)} of win rate"
        )
        yield context.make_finding(
            "inverted-setting", message, change, "points of win rate", **evidence
        )
    if change.low > MAX_JUMP or change.high < -MAX_JUMP:
        points = format_point_change(change)
        message = f"{path}: from {before} to {after}, the win rate changes by {points}"
        yield context.make_finding("jump", message, change, "points of win rate", **evidence)
