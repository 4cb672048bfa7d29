"""What to play next: how many more plays would halve the band, and which variant tells most about level and box.

How much more plays tell is found by having them: beliefs are drawn, plays that each might lead to are imagined and
joined to those that there are, and what is then to be believed is told anew. What is known of the model's own shares
from so many simulated games only does not get better by more plays, so that a band need not halve with four times as
many.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import Leaf
from hardmode.scenarios.variant import PLAYERS
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import Order, crew
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.altered import altered
from hardmode.studies.core.metric import won
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.likelihood import USUAL, Mean, Seen, likelihood, moments
from hardmode.studies.playtests.fit.posterior import Draws, band, draws, width
from hardmode.studies.playtests.fit.posterior_predictive import Forecast, sharpened, shrunk, told_by
from hardmode.studies.playtests.fit.simulation import FINE, Sums, base_of, between, filled, seated
from hardmode.studies.uncertainty.priors import Drawn

FEWEST, MOST, HALVINGS = (
    0.5,
    20.0,
    6,
)  # times as many plays more as there are; how often what lies between is halved
WORLDS = 24  # tables that might have been
NINE_IN_TEN = 3.29  # standard errors
CANDIDATES, BELIEFS, GAMES = 6, 24, 120  # variants that are looked at, by so many beliefs and games


@dataclass(frozen=True)
class Next:
    """A variant that may be played next, and what one play of it tells, in bits."""

    name: str
    bits: float


def more_plays(
    seen: Sequence[Seen],
    table: np.ndarray,
    sums: Sequence[Sums],
    boxes: Sequence[Drawn],
    beliefs: Draws,
    made: Forecast,
    seed: int,
) -> int | None:
    """How many more plays like these would make the band of the forecast half as wide, on average over what they might
    be; none where 20 times as many would not. `table` is how likely everything is by the plays that there are."""
    chance = NINE_IN_TEN * float(
        sharpened(made.won, made.goes)[1].mean()
    )  # of the games that forecast: it stays
    won, plays = rates(sums[0], boxes), sum(one.games for one in seen)
    counts = np.bincount([one.group for one in seen], [one.games for one in seen], len(table))

    def wide(these: Draws) -> float:
        return float(np.hypot(width(band(_forecast(won, these, counts))), chance))

    half = wide(beliefs) / 2

    def narrow(times: float) -> bool:
        found = [
            _imagined(seen, table, sums, beliefs, times, np.random.default_rng((seed, world)))
            for world in range(WORLDS)
        ]
        return float(np.mean([wide(draws(one, seed)) for one in found])) <= half

    low, high = FEWEST, MOST
    if not narrow(high):
        return None
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if narrow(middle) else (middle, high)
    return _rounded(plays * high)


def _rounded(n: float) -> int:
    """Two figures of a number: more would say more than is known."""
    return max(1, int(float(f"{n:.2g}")))


def rates(own: Sums, boxes: Sequence[Drawn]) -> np.ndarray:
    """The share of games won by box and fine level, without what the chance of so few games adds."""
    won, goes = own.wins / own.games, told_by([(0.0, drawn) for drawn in boxes])
    noise = (won * (1 - won) / own.games).mean(axis=0)
    return between(
        np.stack([shrunk(won[:, s], noise[s], goes)[0] for s in range(won.shape[1])], axis=1)
    )


def _forecast(won: np.ndarray, beliefs: Draws, counts: np.ndarray) -> np.ndarray:
    """The share of games that each belief makes those who played win."""
    return won[beliefs.box, np.rint(beliefs.level(counts) * (len(FINE) - 1)).astype(int)]


def _imagined(
    seen: Sequence[Seen],
    table: np.ndarray,
    sums: Sequence[Sums],
    beliefs: Draws,
    times: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """How likely everything would be after so many times the plays more, as one of the beliefs might have them."""
    d, found = int(rng.integers(len(beliefs.box))), table.copy()
    for one in seen:
        own, at = sums[one.variant], (int(beliefs.box[d]), int(beliefs.levels[d, one.group]))
        found[one.group] += likelihood(_with_more(one, own, at, times, rng), own) - likelihood(
            one, own
        )
    return found


def _with_more(
    one: Seen, own: Sums, at: tuple[int, int], times: float, rng: np.random.Generator
) -> Seen:
    """A group's plays and so many times as many more, as a level in a box might have them: as far as its simulated
    games, and the plays, tell what happens there."""
    wins = own.fine("wins")[at]
    sides = np.array([own.fine("games")[at] - wins, wins])

    def more(counted: np.ndarray, simulated: np.ndarray) -> np.ndarray:
        shares = rng.dirichlet(simulated + counted + USUAL)
        return np.asarray(
            counted + rng.multinomial(int(times * counted.sum() + rng.random()), shares)
        )

    return replace(
        one,
        endings=more(one.endings, own.fine("endings")[at]),
        sides=more(one.sides, sides),
        plays=(),
        results=more(one.results, sides),
        means=tuple(_longer(mean, own, at, times, rng) for mean in one.means),
    )


def _longer(
    mean: Mean, own: Sums, at: tuple[int, int], times: float, rng: np.random.Generator
) -> Mean:
    """The mean over so many times as many more plays, and those that there are."""
    simulated, mu, cov = (part[at] for part in moments(own, mean.side, mean.numbers))
    known, more = simulated + mean.n, times * mean.n
    middle = (simulated * mu + mean.n * mean.at) / known
    told = rng.multivariate_normal(middle, cov * (1 / more + 1 / known), method="eigh")
    return replace(mean, n=mean.n + more, at=(mean.n * mean.at + more * told) / (mean.n + more))


def candidates(cells: Sequence[Variant]) -> list[tuple[str, Variant]]:
    """The cells of a grid; of one variant, its other numbers of players."""
    if len(cells) > 1:
        at = np.unique(
            np.linspace(0, len(cells) - 1, min(CANDIDATES, len(cells))).round().astype(int)
        )
        return [(cells[i].label_text, cells[i]) for i in at]
    cell = cells[0]
    leaf, found = cell.leaves.get(PLAYERS), [(cell.title, cell)]
    for n in _counts(leaf) if leaf and not cell.game.competitive else ():
        if (
            n != cell.players
            and all(s == cell.strategies[0] for s in cell.strategies)
            and len(found) < CANDIDATES
        ):
            try:
                found.append((f"{n} player{'s' if n != 1 else ''}", altered(cell, {PLAYERS: n})))
            except ScenarioError:
                continue
    return found


def _counts(leaf: Leaf) -> Sequence[int]:
    """How many may play."""
    return [int(n) for n in leaf.choices or range(int(leaf.min or 1), 1 + int(leaf.max or 0))]


def to_play(
    cells: Sequence[Variant], boxes: Sequence[Drawn], beliefs: Draws, effort: Effort, seconds: float
) -> list[Next]:
    """The variants, the one that tells most first: how much knowing whether it is won tells of level and box."""
    rng, begun, found = np.random.default_rng(effort.seed), time.perf_counter(), list[Next]()
    some = rng.choice(len(beliefs.box), BELIEFS, replace=False)
    for name, cell in candidates(cells):
        if found and time.perf_counter() - begun > seconds:
            break
        orders, base = [], base_of(cell)
        for d in some:
            box = filled(cell, boxes[beliefs.box[d]])
            if box is not None:
                share = float(FINE[np.rint(beliefs.levels[d].mean()).astype(int)])
                orders.append(
                    Order(Engine(cell.game, box, seated(cell, share, base)), effort.seed, 0, GAMES)
                )
        rates = [
            float(won(cell.game, answer.rows).mean())
            for answer in crew(effort.threads).rows(orders)
        ]
        if rates:
            found.append(Next(name, told(np.array(rates), GAMES)))
    return sorted(found, key=lambda one: -one.bits)


def told(rates: np.ndarray, games: int) -> float:
    """How many bits one game won or lost tells about what the rate is; the noise of so many games taken off."""
    rates = (rates * games + 0.5) / (games + 1)
    return max(
        0.0, float(_entropy(rates.mean()) - _entropy(rates).mean() - 1 / (2 * games * np.log(2)))
    )


def _entropy(p: np.ndarray | float) -> np.ndarray:
    p = np.asarray(p)
    return -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
