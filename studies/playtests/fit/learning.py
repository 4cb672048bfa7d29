"""Estimate of learning: the mistake rate at the first and at the last play, linear in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.playtests.fit.likelihood import ALL, SufficientStats, get_side
from hardmode.studies.playtests.fit.posterior import (
    Band,
    PosteriorSamples,
    compute_band,
    normalize_weights,
)
from hardmode.studies.playtests.fit.simulation import FINE_LEVELS, SimulatedGames
from hardmode.studies.playtests.records import order_by_date

MIN_PLAYS = 8  # dated plays of known result
LEVEL_STEP = 4  # every fourth fine level is tried
CLEAR_PROBABILITY = 0.975  # of a change in one direction


@dataclass(frozen=True)
class Learning:
    """Change of the mistake rate between the first and the last play."""

    first: Band  # mistake rate at the first play
    last: Band  # mistake rate at the last play
    probability_fewer: float  # of fewer mistakes at the last play
    plays: int
    last_levels: np.ndarray  # level at the last play by posterior sample, into FINE_LEVELS

    @property
    def is_clear(self) -> bool:
        """True if the plays show a change in one direction."""
        least = 1 - CLEAR_PROBABILITY
        return self.probability_fewer > CLEAR_PROBABILITY or self.probability_fewer < least


def estimate_learning(
    stats: Sequence[SufficientStats],
    games: Sequence[SimulatedGames],
    samples: PosteriorSamples,
    seed: int,
) -> Learning | None:
    """Estimate learning from the results of dated plays.

    Args:
        stats: The plays.
        games: Simulated games, by `SufficientStats.variant`.
        samples: The posterior without learning; its boxes are kept.
        seed: Seed of the random generator.

    Returns:
        The change between the first and the last play, or None if there are too few dated plays.
    """
    all_plays = [play for part in stats for play in part.plays]
    positions = {id(play): position for play, position in order_by_date(all_plays)}
    levels = np.arange(0, len(FINE_LEVELS), LEVEL_STEP)
    loglik = np.zeros((len(games[0].win_rates), len(levels), len(levels)))
    plays = 0
    for part in stats:
        simulated = games[part.variant]
        for play in part.plays:
            side = get_side(play, simulated)
            if id(play) not in positions or side == ALL:
                continue
            position = positions[id(play)]
            between = levels[:, None] * (1 - position) + levels[None, :] * position
            won = simulated.win_rates[:, np.rint(between).astype(int)]
            loglik += np.log(won if side else 1 - won)
            plays += 1
    if plays < MIN_PLAYS:
        return None
    first, last = _sample_levels(loglik, samples.boxes, seed)
    fewer = float((last < first).mean() + (last == first).mean() / 2)
    first_levels = levels[first]
    last_levels = levels[last]
    return Learning(
        compute_band(FINE_LEVELS[first_levels]),
        compute_band(FINE_LEVELS[last_levels]),
        fewer,
        plays,
        last_levels,
    )


def _sample_levels(
    loglik: np.ndarray, boxes: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a first and a last level for the box of each posterior sample."""
    rng = np.random.default_rng(seed)
    cells = np.zeros(len(boxes), int)
    for box in np.unique(boxes):
        in_box = boxes == box
        weights = normalize_weights(loglik[box]).ravel()
        cells[in_box] = rng.choice(loglik[box].size, int(in_box.sum()), p=weights)
    first, last = np.unravel_index(cells, loglik.shape[1:])
    return first, last
