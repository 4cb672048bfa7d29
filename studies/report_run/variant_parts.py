"""Parts of a report that play variants: the cells, skill levels, mistakes, and other set-ups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioError, StrategySpec, Variant
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.scenarios.strategy import MistakeModel
from hardmode.scenarios.variant import PLAYERS_PATH, STRATEGIES_LABEL
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.comparison.mistake_curves import find_comparable_cells
from hardmode.studies.comparison.rank import Ranking, WinRecorder, rank_cells
from hardmode.studies.core.progress import Progress, subprogress
from hardmode.studies.core.run import make_engine
from hardmode.studies.core.skill_levels import (
    EXPERT,
    RANDOM,
    SKILL_LEVELS,
    STEADY,
    TRAINED,
    seat_strategy,
)
from hardmode.studies.game_flow.setup_factors import find_setup_factors
from hardmode.studies.report_run.commands import format_display_label, get_label_settings
from hardmode.studies.report_run.data import FactorialGrid, PlayedVariant
from hardmode.studies.report_run.parts import (
    MIN_GAMES,
    MIN_SLOW_GAMES,
    SLOW_SKILL_LEVELS,
    ReportContext,
)
from hardmode.studies.report_run.precomputed import Precomputed
from hardmode.studies.report_run.variant_player import measure_speed, play_sample

RANDOM_VALUE = "any"  # of a choice at set-up: drawn at random in each game
BATCHES = 10  # equal parts of a cell's games, whose spread gives intervals to curves
MAX_SAMPLE_ROWS, MIN_SAMPLE_ROWS = 1000, 20  # games whose rows are kept, for margins and examples
MISTAKE_RATES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85)
SLOW_FACTOR = 10  # a strategy is slow if it takes this many times as long as the scenario's own
MAX_VALUES = 12  # of a choice at set-up that is tried
MAX_GRID_VARIANTS = 96
MAX_UNCERTAIN_NUMBERS = 2

SetupChoices = dict[str, dict[Any, PlayedVariant]]


@dataclass(frozen=True)
class CellRun:
    """One cell as it was played."""

    played: PlayedVariant
    batches: list[Tally]
    wins: WinRecorder | None  # where there are several cells


def measure_base_speed(context: ReportContext) -> float:
    """Return the games per second of the first cell, on one thread."""
    return measure_speed(make_engine(context.first_cell), context.effort.seed)


def play_cells(context: ReportContext, speed: float) -> list[CellRun]:
    """Play the cells of the scenario.

    Args:
        context: The context of the report.
        speed: Games per second of one thread.
    """
    cells, player = context.scenario.cells, context.player
    budget = context.budgets["cells"]
    games = budget.plan_games_per_variant(len(cells), speed)
    runs = []
    for i, cell in enumerate(cells):
        wins = WinRecorder(cell.game, context.effort.first_game) if len(cells) > 1 else None
        label = cell.label_text or "the scenario"
        progress = subprogress(budget.progress, i, len(cells))
        result, batches = player.play_batches(cell, games, BATCHES, label, progress, wins)
        command = player.make_command(result, get_label_settings(cell))
        played = PlayedVariant("cells", format_display_label(cell), result, command)
        runs.append(CellRun(played, batches, wins))
    return runs


def list_played_cells(context: ReportContext, cell_runs: list[CellRun]) -> list[PlayedVariant]:
    """Return the cells as they were played."""
    return [run.played for run in cell_runs]


def rank_played_cells(context: ReportContext, cell_runs: list[CellRun]) -> Ranking | None:
    """Rank the cells by difficulty, if there are several."""
    recorders = [run.wins for run in cell_runs if run.wins]
    results = [run.played.result for run in cell_runs]
    return rank_cells(results, recorders, context.effort.confidence)


def merge_batches(context: ReportContext, cell_runs: list[CellRun]) -> list[Tally]:
    """Return the tallies of each batch of games, of all cells together."""
    batches = zip(*(run.batches for run in cell_runs), strict=True)
    return [reduce(Tally.merge_with, batch) for batch in batches]


def play_sample_rows(
    context: ReportContext, cells: list[PlayedVariant], speed: float
) -> np.ndarray:
    """Return the rows of the first games of the first cell, about those of one second.

    Args:
        context: The context of the report.
        cells: The cells as they were played.
        speed: Games per second of one thread.

    Returns:
        The rows, by column and game.
    """
    games = int(min(cells[0].result.games, MAX_SAMPLE_ROWS, max(MIN_SAMPLE_ROWS, speed)))
    engine = make_engine(context.first_cell)
    return play_sample(engine, context.effort.seed, context.effort.first_game, games)


def find_factors(context: ReportContext, sample_rows: np.ndarray) -> frozenset[str]:
    """Return the names of the factors of the first cell that are fixed at set-up."""
    cell, effort = context.first_cell, context.effort
    return find_setup_factors(
        make_engine(cell), effort.seed, effort.first_game, sample_rows, cell.players
    )


# -- who plays ------------------------------------------------------------------------------------


def play_skill_levels(
    context: ReportContext,
    cells: list[PlayedVariant],
    speed: float,
    precomputed: Precomputed,
) -> dict[str, PlayedVariant]:
    """Play the first cell at each skill level, and as the scenario's own players do.

    Where seats compete, only the first seat has the level. The scenario's own players have been
    played with the cells.

    Args:
        context: The context of the report.
        cells: The cells as they were played.
        speed: Games per second of one thread.
        precomputed: Studies that need not be played.

    Returns:
        The variants by the name of the level, in order.
    """
    cell = context.first_cell
    own = str(cell.strategies[0])
    known = registry.list_strategies(cell.game.name)
    levels = list(dict.fromkeys([*(level for level in SKILL_LEVELS if level in known), own]))
    progress = context.budgets["skill_levels"].progress
    played = {}
    for i, level in enumerate(levels):
        if level == EXPERT and precomputed.expert:
            played[level] = precomputed.expert
            continue
        strategies: Sequence[StrategySpec] = cell.strategies
        if level != own:
            strategies = seat_strategy(cell, StrategySpec(level))
        try:
            variant = cell.with_values({}, strategies, {STRATEGIES_LABEL: level})
        except ScenarioError as error:
            context.add_omission(f"strategy {level}: {error}")
            continue
        result = _play_skill_level(
            context, level, variant, len(levels), speed, subprogress(progress, i, len(levels))
        )
        if result:
            played[level] = result
    return played


def _play_skill_level(
    context: ReportContext,
    level: str,
    variant: Variant,
    levels: int,
    speed: float,
    progress: Progress,
) -> PlayedVariant | None:
    """Play one skill level; return None and note it if that takes too long."""
    part, label = "skill_levels", f"strategy {level}"
    games = context.budgets[part].plan_games_per_variant(levels, speed)
    if variant.strategies != context.first_cell.strategies and _is_slow(context, variant, speed):
        part = SLOW_SKILL_LEVELS
        budget = context.budgets[part]
        own_speed = measure_speed(make_engine(variant), context.effort.seed, probe_seconds=1.0)
        games, progress = budget.plan_games_per_variant(1, own_speed), budget.progress
        needed = MIN_SLOW_GAMES / (own_speed * budget.threads)
        if context.seconds and needed > 2 * context.seconds:
            context.add_omission(
                f"{label} takes {1 / own_speed:.0f} seconds a game: too slow for this report"
            )
            return None
    settings = {**context.first_cell.label, STRATEGIES_LABEL: variant.strategies}
    return context.player.play(part, label, variant, games, settings, progress)


def _is_slow(context: ReportContext, variant: Variant, speed: float) -> bool:
    """Return whether the players are slow.

    Search is slow by its nature, so that a given number of games means the same on every machine.
    """
    engine = make_engine(variant)
    if any(player.rollout_budget for player in engine.players):
        return True
    if context.budgets["skill_levels"].seconds is None:
        return False
    return measure_speed(engine, context.effort.seed) < speed / SLOW_FACTOR


def play_mistake_curves(
    context: ReportContext, skill_levels: dict[str, PlayedVariant], speed: float
) -> dict[str, dict[float, PlayedVariant]]:
    """Play the best fast skill level with more and more mistakes, up to random play.

    In a sweep, the cells that can be compared with the first are played as well.

    Args:
        context: The context of the report.
        skill_levels: The first cell by skill level.
        speed: Games per second of one thread.

    Returns:
        The variants by the label of the cell and the rate of mistakes.
    """
    fast = {level for level, played in skill_levels.items() if played.part == "skill_levels"}
    if RANDOM not in skill_levels or not fast & {TRAINED, STEADY}:
        return {}
    level, cell = TRAINED if TRAINED in fast else STEADY, context.first_cell
    curve = _play_mistakes(context, "mistake_curves", [cell], level, MISTAKE_RATES, speed)[0]
    base = {0.0: skill_levels[level], **curve, 1.0: skill_levels[RANDOM]}
    curves = {format_display_label(cell): base}
    others = find_comparable_cells(context.scenario)
    if others and "other_mistake_curves" in context.budgets:
        rates = (0.0, *MISTAKE_RATES, 1.0)
        played = _play_mistakes(context, "other_mistake_curves", others, level, rates, speed)
        for other, curve in zip(others, played, strict=True):
            curves[format_display_label(other)] = curve
    return curves


def _play_mistakes(
    context: ReportContext,
    part: str,
    cells: Sequence[Variant],
    level: str,
    rates: Sequence[float],
    speed: float,
) -> list[dict[float, PlayedVariant]]:
    """Play cells with a skill level that makes mistakes, at each of some rates."""
    budget, count = context.budgets[part], len(cells) * len(rates)
    games = budget.plan_games_per_variant(count, speed)
    curves: list[dict[float, PlayedVariant]] = []
    for cell in cells:
        curve: dict[float, PlayedVariant] = {}
        for rate in rates:
            label = f"{level} with {MistakeModel(rate)} slips"
            if part == "other_mistake_curves":
                label = f"{cell.label_text}, {label}"
            strategies = seat_strategy(cell, StrategySpec(level, mistakes=MistakeModel(rate)))
            variant = cell.with_values({}, strategies, {STRATEGIES_LABEL: label})
            place = len(curves) * len(rates) + len(curve)
            progress = subprogress(budget.progress, place, count)
            curve[rate] = context.player.play(part, label, variant, games, {}, progress)
        curves.append(curve)
    return curves


# -- set-ups --------------------------------------------------------------------------------------


def play_setup_choices(context: ReportContext, speed: float) -> SetupChoices:
    """Play the first cell with each other choice at set-up, one at a time."""
    cell = context.first_cell
    changes: list[dict[str, Any]] = []
    for parameter in _find_setup_choices(cell):
        for value in _find_comparable_values(context, parameter):
            if value != cell.values[parameter.path]:
                changes.append({parameter.path: value})
    played = _play_changes(context, "setup_choices", changes, speed)
    choices: SetupChoices = {}
    for change, variant in zip(changes, played, strict=True):
        [(path, value)] = change.items()
        if variant:
            choices.setdefault(path, {})[value] = variant
    return choices


def play_uncertain_grid(
    context: ReportContext, cells: list[PlayedVariant], speed: float
) -> FactorialGrid | None:
    """Play the least certain numbers at their plausible values, in every combination.

    Args:
        context: The context of the report.
        cells: The cells as they were played.
        speed: Games per second of one thread.

    Returns:
        The grid, or None if no number is marked as uncertain.
    """
    cell = context.first_cell
    parameters = [
        parameter
        for parameter in cell.parameters.values()
        if parameter.doubt and parameter.path not in cell.changed_values
    ][:MAX_UNCERTAIN_NUMBERS]
    if not parameters:
        return None
    values = tuple(map(_order_plausible_values, parameters))
    changes: dict[tuple[Any, ...], dict[str, Any]] = {}
    for combination in product(*values):
        changes[combination] = {}
        for parameter, value in zip(parameters, combination, strict=True):
            written = list(value) if isinstance(value, tuple) else value
            if written != parameter.value:
                changes[combination][parameter.path] = written
    others = [combination for combination, change in changes.items() if change]
    played = _play_changes(context, "uncertain_grid", [changes[other] for other in others], speed)
    variants: dict[tuple[Any, ...], PlayedVariant | None] = dict.fromkeys(changes, cells[0])
    variants.update(zip(others, played, strict=True))
    return FactorialGrid(tuple(parameter.path for parameter in parameters), values, variants)


def play_setup_grid(
    context: ReportContext,
    cells: list[PlayedVariant],
    speed: float,
    setup_choices: SetupChoices,
) -> FactorialGrid | None:
    """Play two choices that matter, and the number of players, in every combination.

    Args:
        context: The context of the report.
        cells: The cells as they were played.
        speed: Games per second of one thread.
        setup_choices: The first cell with other choices.

    Returns:
        The grid, or None if fewer than two choices matter, or there are too many combinations.
    """
    budget, parameters = context.budgets["setup_grid"], context.first_cell.parameters
    paths = _select_grid_paths(context, cells[0], setup_choices)
    while len(paths) > 1:
        values = {path: _list_values(parameters[path]) for path in paths}
        count = prod(map(len, values.values()))
        affordable = budget.seconds is None or (
            budget.plan_games_per_variant(count, speed, min_games=1) >= MIN_GAMES
        )
        if count <= MAX_GRID_VARIANTS and (affordable or len(paths) == 2):
            paths.sort(key=lambda path: (path == PLAYERS_PATH, -len(values[path])))
            ordered = tuple(values[path] for path in paths)
            combinations = list(product(*ordered))
            changes = [dict(zip(paths, c, strict=True)) for c in combinations]
            played = _play_changes(context, "setup_grid", changes, speed)
            variants = dict(zip(combinations, played, strict=True))
            return FactorialGrid(tuple(paths), ordered, variants)
        paths.pop()
    return None


def _select_grid_paths(
    context: ReportContext, base: PlayedVariant, setup_choices: SetupChoices
) -> list[str]:
    """Return the paths to cross: what the scenario draws at random first, then by box order."""
    cell, metric = context.first_cell, context.metric
    significant = []
    for path, by_value in setup_choices.items():
        changes = [metric.estimate_change(v.tally, base.tally) for v in by_value.values()]
        if path != PLAYERS_PATH and any(change.excludes(0.0) for change in changes):
            significant.append(path)
    paths = sorted(significant, key=lambda path: cell.values[path] != RANDOM_VALUE)[:2]
    if PLAYERS_PATH in setup_choices and not cell.game.competitive:
        paths.append(PLAYERS_PATH)
    return paths


def _play_changes(
    context: ReportContext, part: str, changes: Sequence[dict[str, Any]], speed: float
) -> list[PlayedVariant | None]:
    """Play the first cell with other values.

    Args:
        context: The context of the report.
        part: Name of the share of the budget.
        changes: Other values by path, of each variant.
        speed: Games per second of one thread.

    Returns:
        The variants; None, with a note, where the game rejects the values.
    """
    budget = context.budgets[part]
    games = budget.plan_games_per_variant(len(changes), speed)
    played: list[PlayedVariant | None] = []
    for i, change in enumerate(changes):
        label = ", ".join(f"{path} {format_yaml_value(value)}" for path, value in change.items())
        progress = subprogress(budget.progress, i, len(changes))
        try:
            variant = context.first_cell.with_values(change)
            played.append(context.player.play(part, label, variant, games, change, progress))
        except ScenarioError as error:
            context.add_omission(f"{label}: {error}")
            played.append(None)
    return played


def _find_setup_choices(cell: Variant) -> list[Parameter]:
    """Return the parameters of the set-up whose values can be listed."""
    return [
        parameter
        for parameter in cell.parameters.values()
        if parameter.is_setup_choice
        and not isinstance(parameter.value, list)
        and 2 <= len(_list_values(parameter)) <= MAX_VALUES
    ]


def _find_comparable_values(context: ReportContext, parameter: Parameter) -> list[Any]:
    """Return the values of a choice.

    Numbers of players that turn solo play into competition, or the reverse, are left out.
    """
    values = list(_list_values(parameter))
    if parameter.path == PLAYERS_PATH and context.scenario.game.competitive:
        return [value for value in values if (value > 1) == context.metric.competitive]
    return values


def _list_values(parameter: Parameter) -> tuple[Any, ...]:
    """Return the values that a choice can have, one by one."""
    if parameter.type is bool:
        return (False, True)
    low, high = parameter.min, parameter.max
    if parameter.type is int and not parameter.choices and low is not None and high is not None:
        return tuple(range(int(low), int(high) + 1))
    return tuple(value for value in parameter.choices if value != RANDOM_VALUE)


def _order_plausible_values(parameter: Parameter) -> tuple[Any, ...]:
    """Return the plausible values of a number with its own in the middle; lists as tuples."""
    half = len(parameter.doubt) // 2
    values = (*parameter.doubt[:half], parameter.value, *parameter.doubt[half:])
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)
