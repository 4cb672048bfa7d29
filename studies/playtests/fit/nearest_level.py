"""Translation of a forecast into the nearest skill level."""

from __future__ import annotations

import numpy as np

from hardmode.scenarios.load import StrategySpec, Variant
from hardmode.sim.contract import SCORES
from hardmode.sim.play.backends import GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.strategies import registry
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.run import Effort, make_player
from hardmode.studies.core.skill_levels import EXPERT, SKILL_LEVELS
from hardmode.studies.playtests.fit.posterior_predictive import Forecast

GAMES = 400  # of each skill level


def find_nearest_skill_level(cell: Variant, forecast: Forecast, effort: Effort) -> str:
    """Return the skill level whose win rate is nearest to that of a forecast.

    Where the score is the result, mean scores are compared. `expert` is left out: it is too slow.

    Args:
        cell: The variant of the forecast.
        forecast: The forecast.
        effort: Seed and threads.
    """
    names = registry.list_strategies(cell.game.name)
    levels = [level for level in SKILL_LEVELS if level in names and level != EXPERT]
    batches = []
    for level in levels:
        specs = cell.seat_plan.assign(StrategySpec(level), cell.strategies)
        players = [make_player(cell.game.name, spec) for spec in specs]
        engine = Engine(cell.game, cell.box, players)
        batches.append(GameBatch(engine, effort.seed, 0, GAMES))
    target = forecast.score if cell.game.scored else forecast.win_rate["50"]
    distances = []
    for result in current_backend(effort.threads).run_batches(batches):
        values = result.rows[SCORES] if cell.game.scored else is_won(cell.game, result.rows)
        distances.append(abs(float(values.mean()) - target))
    return levels[int(np.argmin(distances))]
