"""The gate: verdicts with stated error rates, however often one looks.

A gate looks at the games at numbers fixed beforehand, stops at the first look that settles the matter,
and never plays more than its budget. Looking often would make chance differences likely, so every look
spends a share of the permitted error and the shares add up to the whole (Bonferroni over looks; where
each has half as many games again as the one before, counting in that they overlap would save at most
7 % of the games).

At one look all rests on one-sided bounds of a value, each wrong with at most the chance asked for,
whatever the rates: of the difference between two builds on the same games (`Pairs`), on different games
(`Against`), of a rate (`Rate`), of a mean or a quantile (`amounts`).

Wald's sequential test between two rates (`Sprt`) stands beside it, with its exact characteristics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Any, TypeVar

import numpy as np

from hardmode.studies.stats.bounds import Against, Evidence, Pairs
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.estimates import rate as share

IDENTICAL, EQUIVALENT, CHANGED = "IDENTICAL", "EQUIVALENT", "CHANGED"
MET, MISSED, INCONCLUSIVE = "MET", "MISSED", "INCONCLUSIVE"
T = TypeVar("T")
EXACT = 2_000_000  # a plan is computed exactly on a lattice of up to so many pairs of counts


# The gate


def schedule(budget: int, first: int = 500, growth: float = 1.5) -> tuple[int, ...]:
    """The numbers of games at which to look: back from the budget, each look `growth` times fewer."""
    looks, games = [budget], budget / growth
    while games >= first and round(games) < looks[-1]:
        looks.append(round(games))
        games /= growth
    return tuple(reversed(looks))


@dataclass(frozen=True)
class Verdict:
    """A word, the value it is about with its interval, and the look (0, 1, ...) that settled it."""

    word: str
    estimate: Estimate
    look: int

    @property
    def games(self) -> int:
        return self.estimate.n


@dataclass(frozen=True)
class Gate:
    """How a build is judged: the permitted errors, the margin below which a change does not matter, the
    numbers of games at which to look, and over how many cells (scenarios, bosses) alpha is shared.

    The tally given to a look is that of the first `looks[look]` games (of a cell: those of them that
    belong to it).

    alpha: the chance that, with nothing changed, any cell is CHANGED (or, of an expectation that holds,
    MISSED). beta: the chance that a cell changed by the margin or more is EQUIVALENT (MET). A build
    passes only when all its cells pass, so beta need not be shared.
    """

    alpha: float = 0.01
    beta: float = 0.05
    margin: float = 0.01
    looks: tuple[int, ...] = schedule(100_000)
    cells: int = 1

    def __post_init__(self) -> None:
        if not (
            0 < self.alpha < 0.5 and 0 < self.beta < 0.5 and 0 < self.margin < 1 and self.cells >= 1
        ):
            raise ValueError(
                "alpha and beta lie between 0 and 0.5, the margin between 0 and 1; cells >= 1"
            )
        if not self.looks or self.looks[0] < 1 or any(np.diff(self.looks) <= 0):
            raise ValueError(f"looks are growing numbers of games, not {self.looks}")

    def levels(self, look: int) -> tuple[float, float]:
        """The alpha and the beta that this look may spend: more, the more games it has."""
        k = len(self.looks)
        share = 2 * (look + 1) / (k * (k + 1))
        return self.alpha * share / self.cells, self.beta * share

    def zones(self, look: int, seen: Pairs | Against) -> tuple[Any, Any]:
        """Whether the difference is shown to lie within the margin; whether it is shown not to be 0."""
        a, b = self.levels(look)
        return seen.within(-self.margin, self.margin, b), seen.outside(0.0, 0.0, a / 2)

    def judge(self, look: int, seen: Pairs | Against) -> Verdict | None:
        """The verdict on a new build against its baseline; None: play on to the next look.

        A change that is real but shown to be within the margin is EQUIVALENT.
        """
        a, b = self.levels(look)
        within, changed = self.zones(look, seen)
        if within:
            return self._verdict(IDENTICAL if seen.identical else EQUIVALENT, look, seen, b)
        return (
            self._verdict(CHANGED, look, seen, a / 2) if changed else self._last(look, seen, a / 2)
        )

    def expect(
        self, look: int, seen: Evidence, low: float | None = None, high: float | None = None
    ) -> Verdict | None:
        """Whether a value lies in low .. high; an end left out is open."""
        a, b = self.levels(look)
        ends = (-inf if low is None else low, inf if high is None else high)
        if seen.within(*ends, b):
            return self._verdict(MET, look, seen, b)
        missed = seen.outside(*ends, a / 2)
        return self._verdict(MISSED, look, seen, a / 2) if missed else self._last(look, seen, a / 2)

    def order(self, look: int, steps: Sequence[Evidence]) -> Verdict | None:
        """Whether a > b > c ...: `steps` are the differences a - b, b - c, ...; the least is shown."""
        a, b = self.levels(look)
        a /= len(steps)
        least = min(steps, key=lambda step: step.value)
        if all(step.within(0.0, inf, b) for step in steps):
            return self._verdict(MET, look, least, b)
        broken = [step for step in steps if step.outside(0.0, inf, a / 2)]
        return (
            self._verdict(MISSED, look, broken[0], a / 2)
            if broken
            else self._last(look, least, a / 2)
        )

    def _last(self, look: int, seen: Evidence, level: float) -> Verdict | None:
        last = look == len(self.looks) - 1
        return self._verdict(INCONCLUSIVE, look, seen, level) if last else None

    def _verdict(self, word: str, look: int, seen: Evidence, level: float) -> Verdict:
        """The interval shown is the one the verdict rests on, so the two never disagree. Its confidence
        is that of the whole procedure: of all looks (and, for alpha, all cells) together."""
        low, high = seen.bounds(level)
        confidence = 1 - (2 * self.beta if word in (IDENTICAL, EQUIVALENT, MET) else self.alpha)
        value = Estimate(float(seen.value), float(low), float(high), seen.games, confidence)
        return Verdict(word, value, look)


def settle(
    looks: Sequence[int],
    judge: Callable[[int, Any], Verdict | None],
    tallies: Callable[[int], Mapping[T, Any]],
) -> dict[T, Verdict]:
    """Play on, look by look, until every cell (or seat) has its verdict: `tallies(games)` names what is then seen.

    A cell keeps its first verdict; what later games would say of it is not asked. One without any games
    (a boss that never came) has none.
    """
    settled: dict[T, Verdict] = {}
    for look, games in enumerate(looks):
        seen = tallies(games)
        asked = {cell: found for cell, found in seen.items() if cell not in settled and found.games}
        verdicts = {cell: judge(look, found) for cell, found in asked.items()}
        settled |= {cell: verdict for cell, verdict in verdicts.items() if verdict}
        if len(settled) == len(seen):
            break
    return settled


# What a gate will do: its plan


@dataclass(frozen=True)
class Row:
    """What becomes of builds whose true difference is this: the chances of the verdicts, the games."""

    difference: float
    changed: float
    equivalent: float
    inconclusive: float
    games: float  # on average
    largest: int
    error: float  # of the chances, 99 % sure; 0: computed exactly


def plan(
    gate: Gate,
    differences: Sequence[float],
    *,
    discordance: float | None = None,
    rate: float | None = None,
    baseline: int | None = None,
    simulated: int = 20_000,
    seed: int = 1,
) -> list[Row]:
    """What the gate does to builds with these true differences, before a game is played.

    With `discordance` (the share of games that differ) for pairs: exactly, on the lattice of counts,
    where that takes about a second; else by simulating the gate. With `rate` and `baseline` (the
    baseline's rate and games) for a baseline of which only the tally is known: by simulation.
    """
    rows = []
    for i, d in enumerate(differences):
        draw, runs = np.random.default_rng((seed, i)), simulated
        if discordance is not None:
            if abs(d) > discordance:
                raise ValueError(
                    f"a difference of {d} needs more games that differ than {discordance:.2%}"
                )
            gained, lost = (discordance + d) / 2, (discordance - d) / 2
            if _lattice(gate.looks[-1], gained, lost) <= EXACT:
                stops, runs = _exact(gate, gained, lost), 0
            else:
                stops = _simulated_pairs(gate, gained, lost, runs, draw)
        elif rate is not None and baseline is not None:
            stops = _simulated_against(gate, rate, rate + d, baseline, runs, draw)
        else:
            raise ValueError(
                "a plan needs the discordance of pairs, or the baseline's rate and games"
            )
        rows.append(_row(gate, d, stops, runs))
    return rows


def _row(gate: Gate, difference: float, stops: Any, simulated: int) -> Row:
    """`stops[look]` holds the chances to stop there as EQUIVALENT and as CHANGED."""
    equivalent, changed = (float(x) for x in stops.sum(axis=0))
    undecided = max(0.0, 1 - changed - equivalent)
    games = float(stops.sum(axis=1) @ np.array(gate.looks)) + undecided * gate.looks[-1]
    chances = (changed, equivalent, undecided) if simulated else ()
    errors = [share(round(p * simulated), simulated, 0.99).half_width for p in chances]
    return Row(
        difference, changed, equivalent, undecided, games, gate.looks[-1], max(errors, default=0.0)
    )


def _lattice(n: int, gained: float, lost: float) -> float:
    """How many pairs of counts are likely at the last look."""
    return (16 * sqrt(n * gained) + 30) * (16 * sqrt(n * lost) + 30)


def _exact(gate: Gate, gained: float, lost: float) -> Any:
    """The distribution of (gained, lost) carried from look to look, the settled part taken out."""
    from scipy.signal import fftconvolve

    stops, before = np.zeros((len(gate.looks), 2)), 0
    mass, corner = np.ones((1, 1)), np.zeros(2, int)
    for look, games in enumerate(gate.looks):
        step, start = _trinomial(games - before, gained, lost)
        mass, corner, before = np.maximum(fftconvolve(mass, step), 0), corner + start, games
        rows, columns = mass.shape
        g, k = np.ogrid[corner[0] : corner[0] + rows, corner[1] : corner[1] + columns]
        within, changed = gate.zones(look, Pairs(games, g, k))
        stops[look] = mass[within].sum(), mass[changed & ~within].sum()
        mass, corner = _trim(np.where(within | changed, 0, mass), corner)
    return stops


def _trinomial(n: int, gained: float, lost: float) -> tuple[Any, Any]:
    """The chances of (gained, lost) in n games, where they matter, and the first counts of each."""
    from scipy.special import gammaln, xlogy
    from scipy.stats import binom

    (g0, g1), (k0, k1) = (binom.ppf((1e-13, 1 - 1e-13), n, p).astype(int) for p in (gained, lost))
    g, k = np.ogrid[g0 : g1 + 1, k0 : k1 + 1]
    same = np.maximum(n - g - k, 0)
    ways = gammaln(n + 1) - gammaln(g + 1) - gammaln(k + 1) - gammaln(same + 1)
    chance = np.exp(
        ways + xlogy(g, gained) + xlogy(k, lost) + xlogy(same, max(1 - gained - lost, 0.0))
    )
    return np.where(g + k <= n, chance, 0), np.array((g0, k0))


def _trim(mass: Any, corner: Any) -> tuple[Any, Any]:
    """Without the rims that hold nothing."""
    rows, columns = (np.flatnonzero(mass.sum(axis=axis) > 1e-14) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return np.zeros((1, 1)), corner
    inner = mass[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return inner, corner + np.array((rows[0], columns[0]))


def _simulated(
    gate: Gate, simulated: int, kind: Callable[..., Any], looks: list[tuple[Any, ...]]
) -> Any:
    """Many gates at once; `looks` holds for each look the counts of them all, as `kind` takes them."""
    stops, open_ = np.zeros((len(looks), 2)), np.arange(simulated)
    for look, counts in enumerate(looks):
        seen = kind(*(c[open_] if np.ndim(c) else c for c in counts))
        within, changed = gate.zones(look, seen)
        stops[look] = within.sum() / simulated, (changed & ~within).sum() / simulated
        open_ = open_[~(within | changed)]
    return stops


def _simulated_pairs(gate: Gate, gained: float, lost: float, simulated: int, draw: Any) -> Any:
    chances = (gained, lost, max(1 - gained - lost, 0.0))
    steps = np.array(
        [draw.multinomial(n, chances, simulated) for n in np.diff(gate.looks, prepend=0)]
    )
    looks = [(n, c[:, 0], c[:, 1]) for n, c in zip(gate.looks, steps.cumsum(axis=0), strict=True)]
    return _simulated(gate, simulated, Pairs, looks)


def _simulated_against(
    gate: Gate, base: float, new: float, baseline: int, simulated: int, draw: Any
) -> Any:
    base_wins = draw.binomial(baseline, base, simulated)
    steps = np.array([draw.binomial(n, new, simulated) for n in np.diff(gate.looks, prepend=0)])
    looks = [
        (w, n, base_wins, baseline) for n, w in zip(gate.looks, steps.cumsum(axis=0), strict=True)
    ]
    return _simulated(gate, simulated, Against, looks)


# Wald's test


@dataclass(frozen=True)
class Characteristic:
    """What a sequential test does when the true rate is p: which rate it accepts, after how many games."""

    p: float
    accepts_p0: float
    accepts_p1: float
    undecided: float
    games: float


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential probability ratio test of the rate p0 against p1, cut off after `limit` games."""

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05
    limit: int | None = None

    @property
    def lower(self) -> float:
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return log((1 - self.beta) / self.alpha)

    def llr(self, k: Any, n: Any) -> Any:
        """The log-likelihood ratio of k wins in n games, p1 over p0."""
        return k * log(self.p1 / self.p0) + (n - k) * log((1 - self.p1) / (1 - self.p0))

    def accepts(self, k: int, n: int) -> float | None:
        """The rate accepted after k wins in n games; None: play on, or stop undecided at the limit."""
        ratio = self.llr(k, n)
        return self.p1 if ratio >= self.upper else self.p0 if ratio <= self.lower else None

    def characteristic(self, p: float) -> Characteristic:
        """Exact, by carrying the distribution of the wins from game to game until all is settled."""
        alive, first = np.ones(1), 0  # the chances of first, first + 1, ... wins, not yet settled
        n, games, accepted = 0, 0.0, np.zeros(2)
        while (left := alive.sum()) > 1e-14 and n != self.limit:
            n, games = n + 1, games + left
            alive = np.append(alive, 0) * (1 - p) + np.append(0, alive) * p
            ratio = self.llr(np.arange(first, first + len(alive)), n)
            low, high = ratio <= self.lower, ratio >= self.upper
            accepted += alive[low].sum(), alive[high].sum()
            kept = np.flatnonzero(~low & ~high)
            if not len(kept):
                alive = np.zeros(1)
                break
            alive, first = alive[kept[0] : kept[-1] + 1], first + int(kept[0])
        return Characteristic(
            p, float(accepted[0]), float(accepted[1]), float(alive.sum()), float(games)
        )
