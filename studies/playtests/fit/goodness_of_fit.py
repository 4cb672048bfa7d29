"""Whether the model fits at all: measures in which the plays lie outside what it makes of games that are won as often.

What the model makes of a measure is judged by levels and boxes that whether games were won allows, with nothing else
of the plays: so a measure that does not fit cannot have talked the model into it. All tests together raise a false
alarm in at most one of twenty tables (Bonferroni). How far what is assumed might move a measure is allowed for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from hardmode.studies.playtests.fit.likelihood import Seen, likelihood, moments, side_of
from hardmode.studies.playtests.fit.posterior import Band, Draws, band, draws
from hardmode.studies.playtests.fit.prior_samples import NEAR, Around
from hardmode.studies.playtests.fit.simulation import Sums

ALARM = 0.05
LEAST_PLAYS = 3  # of a mean that is tested


@dataclass(frozen=True)
class Misfit:
    """What was seen of a measure beside what the model makes of it; p holds for all measures together."""

    measure: str
    seen: float
    model: Band
    reach: tuple[float, float]  # the least and the most that any level in any box makes on average
    p: float
    n: int  # plays
    share: bool = False  # of games, in place of a mean
    blamed: list[str] = field(default_factory=list)

    @property
    def found(self) -> bool:
        return self.p < ALARM


def tested(
    seen: Sequence[Seen],
    sums: Sequence[Sums],
    names: Sequence[str],
    columns: Sequence[int],
    seed: int,
    around: Around | None,
) -> list[Misfit]:
    """Every measure of the plays, the one that fits worst first."""
    groups = 1 + max(s.group for s in seen)
    found = np.zeros((groups, *sums[0].won.shape))
    for one in seen:
        found[one.group] += likelihood(one, sums[one.variant], means=False, kinds=False)
    beliefs, rng = draws(found, seed), np.random.default_rng(seed + 1)
    sides = np.sum([one.results for one in seen], axis=0)
    won = float(sides[1] / sides.sum()) if sides.sum() else None
    made = [
        *_numbers(seen, sums, names, columns, beliefs, rng, around, won),
        *_endings(seen, sums, beliefs, rng, around, won),
        *_variants(seen, sums, beliefs, rng),
    ]
    made = sorted(made, key=lambda one: one[0].p)
    return [
        _explained(replace(one, p=min(1.0, one.p * len(made))), reach, around, won)
        for one, reach in made
    ]


def _explained(
    one: Misfit, reach: np.ndarray | None, around: Around | None, won: float | None
) -> Misfit:
    """With how far boxes of all kinds reach; and what is to blame, where it does not fit."""
    if reach is None or around is None:
        return one
    near = around.near(reach, won)
    low, high = min(one.reach[0], float(near.min())), max(one.reach[1], float(near.max()))
    blamed = around.blamed(reach, won, one.seen - one.model["50"]) if one.found else []
    return replace(one, reach=(low, high), blamed=blamed)


def _numbers(
    seen: Sequence[Seen],
    sums: Sequence[Sums],
    names: Sequence[str],
    columns: Sequence[int],
    beliefs: Draws,
    rng: np.random.Generator,
    around: Around | None,
    won: float | None,
) -> Iterator[tuple[Misfit, np.ndarray | None]]:
    """The mean of each number over all plays that have it; a number that is the same in all games, and in the plays,
    says nothing."""
    for i, name in enumerate(names):
        parts: dict[tuple[int, int, int], list[float]] = {}
        for one in seen:
            for play in one.plays:
                if columns[i] in play.numbers:
                    key = one.variant, one.group, side_of(play, sums[one.variant])
                    parts.setdefault(key, []).append(play.numbers[columns[i]])
        n, ends = sum(map(len, parts.values())), _ends(sums, around, i)
        if n < LEAST_PLAYS or {*ends, *chain(*parts.values())} == {ends[0]}:
            continue
        mean, spread, reach = (
            np.zeros(len(beliefs.box)),
            np.zeros(len(beliefs.box)),
            np.zeros(sums[0].won.shape),
        )
        for (variant, group, side), values in parts.items():
            simulated, mu, cov = moments(sums[variant], side, [i])
            at = beliefs.box, beliefs.levels[:, group]
            mean += len(values) * mu[at][:, 0] / n
            spread += cov[at][:, 0, 0] * (
                len(values) / n**2 + (len(values) / n) ** 2 / simulated[at]
            )
            reach = reach + len(values) * mu[..., 0] / n
        wide = around.means(i) if around else None
        if around and wide is not None:
            mean = np.maximum(mean + rng.choice(around.apart(wide, won), len(mean)), wide.min())
        reach = reach[_near(sums[0], won)]
        told = sum(map(sum, parts.values())) / n
        values_of = mean + np.sqrt(np.maximum(spread, 1e-12)) * rng.standard_normal(len(mean))
        yield (
            Misfit(
                name,
                told,
                band(np.clip(values_of, *ends)),
                (float(reach.min()), float(reach.max())),
                _outside(told, mean, np.sqrt(np.maximum(spread, 1e-12))),
                n,
            ),
            wide,
        )


def _ends(sums: Sequence[Sums], around: Around | None, number: int) -> tuple[float, float]:
    """The least and the most of a number that any simulated game had."""
    all_ends = [one.ends[:, number] for one in (*sums, *([around.sums] if around else []))]
    return float(min(low for low, _ in all_ends)), float(max(high for _, high in all_ends))


def _near(own: Sums, won: float | None) -> np.ndarray:
    """The boxes and levels whose games are won about as often."""
    away = np.abs(own.won - (0.5 if won is None else won))
    return away <= max(NEAR, float(away.min()) + 1e-9)


def _outside(seen: float, mean: np.ndarray, sd: np.ndarray) -> float:
    """How likely as much, on either side, is by a mixture of normal distributions."""
    from scipy.special import ndtr

    below = float(ndtr((seen - mean) / sd).mean())
    return 2 * min(below, 1 - below)


def _endings(
    seen: Sequence[Seen],
    sums: Sequence[Sums],
    beliefs: Draws,
    rng: np.random.Generator,
    around: Around | None,
    won: float | None,
) -> Iterator[tuple[Misfit, np.ndarray | None]]:
    """How often each way to lose came among lost games, and each way to win among those won."""
    for e, name in enumerate(sums[0].cell.game.all_endings):
        count, expected, n = 0, np.zeros(len(beliefs.box)), 0
        reach, drawn, wide = np.zeros(sums[0].won.shape), np.zeros(len(beliefs.box)), None
        for one in seen:
            own = sums[one.variant]
            alike = (
                sorted(own.winning - own.losing)
                if e in own.winning - own.losing
                else sorted(own.losing - own.winning)
            )
            of = int(one.endings[alike].sum()) if e in alike and len(alike) > 1 else 0
            if of:
                wide = around.shares(e, alike) if around else None
                m = own.fine("endings")
                share = (m[..., e] + 0.5) / (m[..., alike].sum(axis=-1) + 0.5 * len(alike))
                at = share[beliefs.box, beliefs.levels[:, one.group]]
                if around and wide is not None:
                    at = np.clip(at + rng.choice(around.apart(wide, won), len(at)), 0.001, 0.999)
                noise = m[..., alike].sum(axis=-1)[beliefs.box, beliefs.levels[:, one.group]] + 1
                drawn += rng.binomial(
                    of, np.clip(rng.beta(at * noise + 1e-9, (1 - at) * noise + 1e-9), 0, 1)
                )
                count, n = count + int(one.endings[e]), n + of
                expected += of * at
                reach = reach + of * share
        if n >= LEAST_PLAYS and (count or expected.mean() >= 1):
            side = "won" if e in sums[0].winning - sums[0].losing else "lost"
            reach = reach[_near(sums[0], won)]
            below, above = float((drawn <= count).mean()), float((drawn >= count).mean())
            yield (
                Misfit(
                    f"{name!r} of games {side}",
                    count / n,
                    band(drawn / n),
                    (float(reach.min() / n), float(reach.max() / n)),
                    min(1.0, 2 * min(below, above)),
                    n,
                    True,
                ),
                wide,
            )


def _variants(
    seen: Sequence[Seen], sums: Sequence[Sums], beliefs: Draws, rng: np.random.Generator
) -> Iterator[tuple[Misfit, np.ndarray | None]]:
    """Where several variants were played: how often each was won, by all plays together."""
    cells = list({id(sums[one.variant].cell): sums[one.variant].cell for one in seen}.values())
    for cell in cells if len(cells) > 1 else ():
        won, n, drawn, reach = 0, 0, np.zeros(len(beliefs.box)), np.zeros(sums[0].won.shape)
        for one in seen:
            own = sums[one.variant]
            if own.cell is cell:
                at = beliefs.box, beliefs.levels[:, one.group]
                sides, games, share = one.results, own.fine("games")[at], own.won[at]
                drawn += rng.binomial(
                    int(sides.sum()), rng.beta(share * games + 0.5, (1 - share) * games + 0.5)
                )
                won, n, reach = (
                    won + int(sides[1]),
                    n + int(sides.sum()),
                    reach + sides.sum() * own.won,
                )
        if n >= LEAST_PLAYS:
            below, above = float((drawn <= won).mean()), float((drawn >= won).mean())
            yield (
                Misfit(
                    f"games won with {cell.label_text or 'the scenario as it is'}",
                    won / n,
                    band(drawn / n),
                    (float(reach.min() / n), float(reach.max() / n)),
                    min(1.0, 2 * min(below, above)),
                    n,
                    True,
                ),
                None,
            )
