"""What was seen of the plays, summed up for each group in each variant, and how likely the model makes it.

How games ended (or, where numbers are believed too, whether they were won) is counted, and its likelihood is exact: the
model's own shares are known from so many simulated games only, so what is counted is a Dirichlet-multinomial draw
(beta-binomial, of games won). Of numbers (rounds, scores,
measures) the mean over games won, over games lost, or over all where nobody said, is what is compared: it is nearly
normal, with the mean and the covariance of the simulated games (a synthetic likelihood), as far as these are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.playtests.fit.simulation import Sums, between
from hardmode.studies.playtests.records import Play

USUAL = 0.5  # games of each ending before any was simulated (Jeffreys)
BORROWED = 4.0  # games' worth of what all points have in common
RIDGE, EXACT = 1e-3, 1e-8  # of a variance, so that one that is nothing can be reckoned with
LOST, WON, ALL = 0, 1, 2


@dataclass(frozen=True)
class Mean:
    """The mean of some numbers over plays that came out alike."""

    side: int
    numbers: tuple[int, ...]  # by their places among the numbers that are simulated
    n: float  # plays
    at: np.ndarray


@dataclass(frozen=True)
class Seen:
    """One group's plays of one variant."""

    group: int
    variant: int  # the place of its sums: those of the variant, or of what was dealt in it
    endings: np.ndarray  # counted where they are known
    sides: np.ndarray  # lost and won, where no more is known
    results: np.ndarray  # lost and won, wherever it is known
    means: tuple[Mean, ...]
    plays: tuple[Play, ...] = ()

    @property
    def games(self) -> int:
        return int(self.endings.sum() + self.sides.sum())


def seen(
    plays: Sequence[Play],
    group: int,
    variant: int,
    sums: Sums,
    numbers: Sequence[int],
    used: Sequence[int],
) -> Seen:
    """The plays of a group summed up."""
    endings, sides, results = np.zeros(sums.endings.shape[-1]), np.zeros(2), np.zeros(2)
    for play in plays:
        if (side := side_of(play, sums)) != ALL:
            results[side] += 1
        if play.ending is not None:
            endings[play.ending] += 1
        elif play.won is not None:
            sides[int(play.won)] += 1
    return Seen(
        group,
        variant,
        endings,
        sides,
        results,
        tuple(_means(plays, sums, numbers, used)),
        tuple(plays),
    )


def side_of(play: Play, sums: Sums) -> int:
    """Whether a play was lost or won, as far as that is known."""
    if play.won is not None:
        return int(play.won)
    if play.ending is not None and play.ending in sums.winning ^ sums.losing:
        return WON if play.ending in sums.winning else LOST
    return ALL


def _means(
    plays: Sequence[Play], sums: Sums, numbers: Sequence[int], used: Sequence[int]
) -> list[Mean]:
    alike: dict[tuple[int, tuple[int, ...]], list[list[float]]] = {}
    for play in plays:
        there = tuple(i for i in used if numbers[i] in play.numbers)
        if there:
            alike.setdefault((side_of(play, sums), there), []).append(
                [play.numbers[numbers[i]] for i in there]
            )
    return [
        Mean(side, there, len(rows), np.mean(rows, axis=0)) for (side, there), rows in alike.items()
    ]


# -- how likely -----------------------------------------------------------------------------------


def likelihood(one: Seen, sums: Sums, means: bool = True, kinds: bool = True) -> np.ndarray:
    """The logarithm of how likely the model makes what was seen, by box and fine level; of endings without `kinds`, and
    wherever numbers are believed, only whether they are won: numbers go with the way in which a game ended, and what
    they tell must not count twice."""
    wins, believed = sums.fine("wins"), one.means if means else ()
    sides = np.stack([sums.fine("games") - wins, wins], axis=-1)
    if kinds and not believed:
        return counted(one.endings, sums.fine("endings")) + counted(one.sides, sides)
    found = counted(one.results, sides)
    for mean in believed:
        found = found + of_mean(mean, sums)
    return found


def counted(x: np.ndarray, m: np.ndarray) -> np.ndarray:
    """A Dirichlet-multinomial draw: the order of plays aside, so many of each kind where m were simulated."""
    from scipy.special import gammaln

    met = (x > 0) | (m.reshape(-1, m.shape[-1]).max(axis=0) > 0)
    x, alpha = x[met], m[..., met] + USUAL
    whole = alpha.sum(axis=-1)
    return (
        gammaln(whole)
        - gammaln(whole + x.sum())
        + (gammaln(alpha + x) - gammaln(alpha)).sum(axis=-1)
    )


Moments = tuple[np.ndarray, np.ndarray, np.ndarray]


def moments(sums: Sums, side: int, numbers: Sequence[int]) -> Moments:
    """Games, mean and covariance of some numbers by box and fine level, with a little of what all have in common."""
    key = side, *numbers
    if key not in sums.reckoned:
        sums.reckoned[key] = _moments(sums, side, list(numbers))
    found: Moments = sums.reckoned[key]
    return found


def _moments(sums: Sums, side: int, at: list[int]) -> Moments:

    def of(name: str) -> np.ndarray:
        part = getattr(sums, name)
        return part.sum(axis=2) if side == ALL else part[:, :, side]

    n, total, products = of("n"), of("total")[..., at], of("products")[..., at, :][..., at]
    whole = max(n.sum(), 1.0)
    mean, square = total.sum(axis=(0, 1)) / whole, products.sum(axis=(0, 1)) / whole
    n, total, products = between(n), between(total), between(products)
    more = n + BORROWED
    mu = (total + BORROWED * mean) / more[..., None]
    spread = (products + BORROWED * square) / more[..., None, None] - mu[..., :, None] * mu[
        ..., None, :
    ]
    usual = np.maximum(np.diag(square) - mean**2, 1e-9 + EXACT * np.diag(square))
    return more, mu, spread + np.diag(RIDGE * usual)


def of_mean(mean: Mean, sums: Sums) -> np.ndarray:
    """As Student's distribution has it, since mean and covariance are known from so many simulated games only: that of
    Hotelling's T squared."""
    from scipy.special import gammaln

    n, mu, cov = moments(sums, mean.side, mean.numbers)
    cov = cov * (1 / mean.n + 1 / n)[..., None, None]
    off, d = mean.at - mu, len(mean.numbers)
    away = (off * np.linalg.solve(cov, off[..., None])[..., 0]).sum(axis=-1)
    free = np.maximum(n - d, 1.0)
    return np.asarray(
        gammaln((free + d) / 2)
        - gammaln(free / 2)
        - d / 2 * np.log(n)
        - (free + d) / 2 * np.log1p(away / n)
        - np.linalg.slogdet(cov)[1] / 2
    )
