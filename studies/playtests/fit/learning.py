"""Whether those who played have learnt: their level at the first play and at the last, straight between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.playtests.fit.likelihood import ALL, Seen, side_of
from hardmode.studies.playtests.fit.posterior import Band, Draws, band, normal
from hardmode.studies.playtests.fit.simulation import FINE, Sums
from hardmode.studies.playtests.records import ordered

LEAST = 8  # dated plays
STEP = 4  # of the fine levels, one in so many
SURE = 0.975


@dataclass(frozen=True)
class Learning:
    first: Band  # slips at the first play, and at the last
    last: Band
    fewer: float  # how likely it is that there are fewer slips at the last
    plays: int
    latest: np.ndarray  # the level at the last play by each belief, as places among the fine levels

    @property
    def seen(self) -> bool:
        return self.fewer > SURE or self.fewer < 1 - SURE


def learning(
    seen: Sequence[Seen], sums: Sequence[Sums], beliefs: Draws, seed: int
) -> Learning | None:
    """By whether dated plays were won; nothing where there are too few."""
    placed = {id(play): at for play, at in ordered([play for one in seen for play in one.plays])}
    dated = [
        (one, play, placed[id(play)])
        for one in seen
        for play in one.plays
        if id(play) in placed and side_of(play, sums[one.variant]) != ALL
    ]
    if len(dated) < LEAST:
        return None
    levels = np.arange(0, len(FINE), STEP)
    log = np.zeros((len(sums[0].won), len(levels), len(levels)))
    for one, play, at in dated:
        now = np.rint(levels[:, None] * (1 - at) + levels[None, :] * at).astype(int)
        won = sums[one.variant].won[:, now]
        log += np.log(won if side_of(play, sums[one.variant]) else 1 - won)
    first, last = _paths(log, beliefs.box, seed)
    fewer = float((last < first).mean() + (last == first).mean() / 2)
    return Learning(
        band(FINE[levels[first]]), band(FINE[levels[last]]), fewer, len(dated), levels[last]
    )


def _paths(log: np.ndarray, boxes: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """For the box of each belief a first and a last level, as likely as they are in it."""
    rng, found = np.random.default_rng(seed), np.zeros(len(boxes), int)
    for box in np.unique(boxes):
        those = boxes == box
        found[those] = rng.choice(log[box].size, int(those.sum()), p=normal(log[box]).ravel())
    first, last = np.unravel_index(found, log.shape[1:])
    return first, last
