"""Whether those who played have learnt: their level at the first play and at the last, straight between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.fit.posterior import Band, Draws, band, normal
from hardmode.studies.fit.seen import ALL, Seen, side_of
from hardmode.studies.fit.simulated import FINE, Sums
from hardmode.studies.plays import ordered

LEAST = 8  # dated plays
STEP = 4  # of the fine levels, one in so many
SURE = 0.975


@dataclass(frozen=True)
class Learning:
    first: Band  # slips at the first play, and at the last
    last: Band
    fewer: float  # how likely it is that there are fewer slips at the last
    plays: int

    @property
    def seen(self) -> bool:
        return self.fewer > SURE or self.fewer < 1 - SURE


def learning(seen: Sequence[Seen], sums: Sequence[Sums], beliefs: Draws, seed: int) -> Learning | None:
    """By whether dated plays were won; nothing where there are too few."""
    dated = [(one, play, at) for one in seen for play, at in ordered(one.plays)
             if side_of(play, sums[one.variant]) != ALL]
    if len(dated) < LEAST:
        return None
    share = np.bincount(beliefs.box, minlength=len(sums[0].won)) / len(beliefs.box)
    levels = np.arange(0, len(FINE), STEP)
    log = np.zeros((len(share), len(levels), len(levels)))
    for one, play, at in dated:
        now = np.rint(levels[:, None] * (1 - at) + levels[None, :] * at).astype(int)
        won = sums[one.variant].won[:, now]
        log += np.log(won if side_of(play, sums[one.variant]) else 1 - won)
    weight = (np.exp(log - log.max()) * share[:, None, None]).sum(axis=0)
    weight = normal(np.log(np.maximum(weight, 1e-300)))
    rng = np.random.default_rng(seed)
    first, last = np.unravel_index(rng.choice(weight.size, 4000, p=weight.ravel()), weight.shape)
    same = np.diag(weight).sum()
    fewer = float(np.tril(weight, -1).sum() + same / 2)
    return Learning(band(FINE[levels[first]]), band(FINE[levels[last]]), fewer, len(dated))
