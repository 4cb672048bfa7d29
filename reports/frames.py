"""Results as frames, for notebooks: polars, and from there pandas."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from hardmode.reports.answers import plain_measures, spread
from hardmode.sim.results import Result
from hardmode.studies.estimates import rate
from hardmode.studies.headline import wins


def cells(results: Sequence[Result], confidence: float = 0.95) -> pl.DataFrame:
    """One row per cell: what distinguishes it, games, the win rate with its interval, means of all measures."""
    rows = []
    for r in results:
        won = rate(wins(r.tally), r.games, confidence)
        means = {m: spread(r.tally, m, confidence)["mean"] for m in ["rounds", *plain_measures(r.tally)]}
        rows.append({**r.label, "games": r.games, "win_rate": won.value, "low": won.low, "high": won.high, **means})
    return pl.DataFrame(rows)


def endings(results: Sequence[Result], confidence: float = 0.95) -> pl.DataFrame:
    """One row per cell and ending: how often it came, its share and interval."""
    rows = []
    for r in results:
        for name, n in r.tally.endings().items():
            share = rate(n, r.games, confidence)
            rows.append({**r.label, "ending": name, "games": n, "share": share.value, "low": share.low,
                         "high": share.high})
    return pl.DataFrame(rows)


def curves(result: Result) -> pl.DataFrame:
    """One row per round, and games won or not: how many games came so far, and the means of the measures then."""
    tally = result.tally
    names = [m.name for m in result.game.measures if m.curve and not m.per_seat]
    winning = set(tally.winning())
    rows = []
    for won in (False, True):
        of = [e for e in range(len(result.game.all_endings)) if (e in winning) == won]
        alive, sums = tally.alive[of].sum(axis=0), tally.curves[of].sum(axis=0)
        for r in range(len(alive)):
            if alive[r]:
                means = dict(zip(names, (sums[r] / alive[r]).tolist(), strict=True))
                rows.append({"round": r, "won": won, "games": int(alive[r]), **means})
    return pl.DataFrame(rows)


def histogram(result: Result, column: str) -> pl.DataFrame:
    """How often each value of a column came with each ending."""
    names = dict(enumerate(result.game.all_endings))
    part = result.tally.counts.filter(pl.col("column") == column).sort("ending", "value")
    return part.select(pl.col("ending").replace_strict(names, return_dtype=pl.String), "value", "n")
