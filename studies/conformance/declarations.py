"""Checks of a game's declarations, and of whether it compiles."""

from __future__ import annotations

import numpy as np

from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.load import list_scenario_files
from hardmode.sim.contract import validation
from hardmode.sim.files.paths import shorten_path
from hardmode.strategies import registry
from hardmode.studies.conformance.game_under_test import ConformanceError, GameUnderTest

REQUIRED_LEVELS = ("beginner", "steady")
SKILL_LEVELS = (*REQUIRED_LEVELS, "expert")


def check_declarations(game_under_test: GameUnderTest) -> None:
    """Check that the declarations of a game are complete and consistent."""
    game = game_under_test.game
    problems = []
    for field, problem in validation.find_problems(game):
        problems.append(f"{validation.locate_field(game, field)}: {problem}")
    if not game.title or not game.unit:
        problems.append("the game has no title, or no unit of its length")
    n_values = game.row.itemsize // 8
    if game.row.itemsize != 8 * len(game.columns):
        problems.append(f"the row holds {n_values} numbers for {len(game.columns)} columns")
    for measure in game.measures:
        if measure.factor and not measure.labels:
            problems.append(f"factor {measure.name!r} does not name its values")
    for name in REQUIRED_LEVELS:
        if name not in registry.list_strategies(game_under_test.name):
            problems.append(f"there is no strategy {name!r}")
    if problems:
        raise ConformanceError(*problems)
    game.load_words()


def check_compilation(game_under_test: GameUnderTest) -> None:
    """Check that the rules compile with each strategy."""
    for player in game_under_test.strategies:
        game_under_test.make_engine(game_under_test.variants[0], player)


def list_missing_parts(game_under_test: GameUnderTest) -> list[str]:
    """Return optional parts that the game does not have and its users would miss."""
    game = game_under_test.game
    name = game_under_test.name
    missing = []
    strategies = registry.list_strategies(name)
    levels = [level for level in SKILL_LEVELS if level not in strategies]
    if levels:
        missing.append(f"strategies {', '.join(levels)}")
    if f"{name}/{game.standard}" not in list_scenario_files():
        missing.append(
            f"the scenario {game.standard!r}, the game as most people play it "
            "(`standard` can name another)"
        )
    if not game.labels:
        missing.append(
            "labels of its options (`label` and `labels`), without which choices cannot be studied"
        )
    without_range = []
    for path, parameter in load_parameters(name).items():
        has_range = parameter.range or parameter.doubt
        if parameter.is_assumed and not has_range and _is_number(parameter.value):
            without_range.append(path)
    if without_range:
        missing.append(f"ranges of assumed numbers: {', '.join(without_range)}")
    folders = game_under_test.list_test_folders()
    if not any((folder / "invariants.py").is_file() for folder in folders):
        place = shorten_path(folders[-1])
        missing.append(f"invariants.py in {place}, with what holds at every step")
    return missing


def _is_number(value: object) -> bool:
    return np.isscalar(value) and not isinstance(value, (bool, str))
