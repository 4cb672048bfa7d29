"""What to play next: how many more plays would halve the band, and which variant tells most about level and box."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.scenarios.leaf import Leaf
from hardmode.scenarios.load import Variant
from hardmode.scenarios.variant import PLAYERS
from hardmode.sim.crew import Order, crew
from hardmode.sim.engine import Engine
from hardmode.sim.written.errors import ScenarioError
from hardmode.studies.altered import altered
from hardmode.studies.fit.posterior import Draws, band, draws, width
from hardmode.studies.fit.seen import USUAL, Mean, Seen, likelihood, moments
from hardmode.studies.fit.simulated import FINE, Sums, filled, seated
from hardmode.studies.headline import won
from hardmode.studies.play import Effort
from hardmode.studies.unknowns import Drawn

TIMES = (1, 2, 3, 4, 6, 9, 14, 20)  # as many plays more as there are
WORLDS = 12  # tables that might have been at each
CANDIDATES, BELIEFS, GAMES = 6, 24, 120  # variants that are looked at, by so many beliefs and games


@dataclass(frozen=True)
class Next:
    """A variant that may be played next, and what one play of it tells, in bits."""

    name: str
    bits: float


def more_plays(seen: Sequence[Seen], found: np.ndarray, sums: Sequence[Sums], beliefs: Draws, seed: int) -> int | None:
    """How many more plays like these would make the band of the forecast half as wide; none where 20 times as many
    would not."""
    rng, now = np.random.default_rng(seed + 2), width(band(_rates(sums[0], beliefs)))
    plays = sum(one.games for one in seen)
    for times in TIMES:
        widths = []
        for _ in range(WORLDS):
            d = int(rng.integers(len(beliefs.box)))
            more = found.copy()
            for one in seen:
                own = sums[one.variant]
                might = _imagined(one, own, int(beliefs.box[d]), int(beliefs.levels[d, one.group]), times, rng)
                more[one.group] = more[one.group] + likelihood(might, own)
            widths.append(width(band(_rates(sums[0], draws(more, seed)))))
        if np.mean(widths) <= now / 2:
            return plays * times
    return None


def _rates(own: Sums, beliefs: Draws) -> np.ndarray:
    return own.won[beliefs.box, np.rint(beliefs.levels.mean(axis=1)).astype(int)]


def _imagined(one: Seen, own: Sums, box: int, level: int, times: int, rng: np.random.Generator) -> Seen:
    """So many times the plays of a group, as a level in a box might have them: as far as its simulated games tell."""
    n = times * int(one.endings.sum())
    shares, games = rng.dirichlet(own.fine("endings")[box, level] + USUAL), own.fine("games")[box, level]
    wins = own.fine("wins")[box, level]
    won_of = rng.binomial(times * int(one.sides.sum()), rng.beta(wins + USUAL, games - wins + USUAL))
    means = []
    for mean in one.means:
        simulated, mu, cov = moments(own, mean.side, mean.numbers)
        spread = cov[box, level] * (1 / (times * mean.n) + 1 / simulated[box, level])
        at = rng.multivariate_normal(mu[box, level], spread, method="eigh")
        means.append(Mean(mean.side, mean.numbers, times * mean.n, at))
    return replace(one, endings=rng.multinomial(n, shares).astype(float), plays=(), means=tuple(means),
                   sides=np.array([times * one.sides.sum() - won_of, won_of], float))


def candidates(cells: Sequence[Variant]) -> list[tuple[str, Variant]]:
    """The cells of a grid; of one variant, its other numbers of players."""
    if len(cells) > 1:
        at = np.unique(np.linspace(0, len(cells) - 1, min(CANDIDATES, len(cells))).round().astype(int))
        return [(cells[i].label_text, cells[i]) for i in at]
    cell = cells[0]
    leaf, found = cell.leaves.get(PLAYERS), [(cell.title, cell)]
    for n in _counts(leaf) if leaf and not cell.game.competitive else ():
        if n != cell.players and all(s == cell.strategies[0] for s in cell.strategies) and len(found) < CANDIDATES:
            try:
                found.append((f"{n} player{'s' if n != 1 else ''}", altered(cell, {PLAYERS: n})))
            except ScenarioError:
                continue
    return found


def _counts(leaf: Leaf) -> Sequence[int]:
    """How many may play."""
    return [int(n) for n in leaf.choices or range(int(leaf.min or 1), 1 + int(leaf.max or 0))]


def to_play(cells: Sequence[Variant], boxes: Sequence[Drawn], beliefs: Draws, effort: Effort,
            seconds: float) -> list[Next]:
    """The variants, the one that tells most first: how much knowing whether it is won tells of level and box."""
    rng, begun, found = np.random.default_rng(effort.seed), time.perf_counter(), list[Next]()
    some = rng.choice(len(beliefs.box), BELIEFS, replace=False)
    for name, cell in candidates(cells):
        if found and time.perf_counter() - begun > seconds:
            break
        orders = []
        for d in some:
            box = filled(cell, boxes[beliefs.box[d]])
            if box is not None:
                share = float(FINE[np.rint(beliefs.levels[d].mean()).astype(int)])
                orders.append(Order(Engine(cell.game, box, seated(cell, share)), effort.seed, 0, GAMES))
        rates = [float(won(cell.game, answer.rows).mean()) for answer in crew(effort.threads).rows(orders)]
        if rates:
            found.append(Next(name, told(np.array(rates), GAMES)))
    return sorted(found, key=lambda one: -one.bits)


def told(rates: np.ndarray, games: int) -> float:
    """How many bits one game won or lost tells about what the rate is; the noise of so many games taken off."""
    rates = (rates * games + 0.5) / (games + 1)
    return max(0.0, float(_entropy(rates.mean()) - _entropy(rates).mean() - 1 / (2 * games * np.log(2))))


def _entropy(p: np.ndarray | float) -> np.ndarray:
    p = np.asarray(p)
    return -(p * np.log2(p) + (1 - p) * np.log2(1 - p))


