"""Results as frames, for notebooks: polars, or pandas where that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import polars as pl

from hardmode.reports.json.answers import plain_measures, spread
from hardmode.sim.results.result import Result
from hardmode.studies.core.metric import win_rate, wins
from hardmode.studies.stats.estimates import CONFIDENCE, rates

if TYPE_CHECKING:
    import pandas as pd

Rows = Iterable[Mapping[str, Any]]


@overload
def cells(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[False] = ...
) -> pl.DataFrame: ...
@overload
def cells(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[True]
) -> pd.DataFrame: ...
def cells(
    results: Sequence[Result], confidence: float = CONFIDENCE, *, pandas: bool = False
) -> pl.DataFrame | pd.DataFrame:
    """One row per cell: what distinguishes it, games, the win rate with its interval, means of all measures.

    The intervals of all rows hold together; a single row's is that of the headline, of itself."""
    return _frame(_cell_rows(results, confidence), pandas)


@overload
def endings(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[False] = ...
) -> pl.DataFrame: ...
@overload
def endings(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[True]
) -> pd.DataFrame: ...
def endings(
    results: Sequence[Result], confidence: float = CONFIDENCE, *, pandas: bool = False
) -> pl.DataFrame | pd.DataFrame:
    """One row per cell and ending: how often it came, its share and interval. The intervals of all rows hold together."""
    return _frame(_ending_rows(results, confidence), pandas)


@overload
def curves(results: Result | Sequence[Result], *, pandas: Literal[False] = ...) -> pl.DataFrame: ...
@overload
def curves(results: Result | Sequence[Result], *, pandas: Literal[True]) -> pd.DataFrame: ...
def curves(
    results: Result | Sequence[Result], *, pandas: bool = False
) -> pl.DataFrame | pd.DataFrame:
    """One row per cell, round, and games won or not: how many games came so far, and the means of the measures then."""
    return _frame(_curve_rows([results] if isinstance(results, Result) else results), pandas)


def histogram(result: Result, column: str) -> pl.DataFrame:
    """How often each value of a column came with each ending."""
    names = dict(enumerate(result.game.all_endings))
    part = result.tally.counts.filter(pl.col("column") == column).sort("ending", "value")
    return part.select(pl.col("ending").replace_strict(names, return_dtype=pl.String), "value", "n")


def _frame(rows: Rows, pandas: bool) -> pl.DataFrame | pd.DataFrame:
    made = pl.DataFrame(list(rows), infer_schema_length=None)
    return made.to_pandas() if pandas else made


def _cell_rows(results: Sequence[Result], confidence: float) -> Iterator[dict[str, Any]]:
    found = (
        [win_rate(r.tally, confidence) for r in results]
        if len(results) == 1
        else rates([(wins(r.tally), r.games) for r in results], confidence)
    )
    for r, won in zip(results, found, strict=True):
        means = {
            m: spread(r.tally, m, confidence)["mean"] for m in ["rounds", *plain_measures(r.tally)]
        }
        yield {
            **r.label,
            "games": r.games,
            "win_rate": won.value,
            "low": won.low,
            "high": won.high,
            **means,
        }


def _ending_rows(results: Sequence[Result], confidence: float) -> Iterator[dict[str, Any]]:
    rows = [(r, name, n) for r in results for name, n in r.tally.endings().items()]
    found = rates([(n, r.games) for r, _, n in rows], confidence)
    for (r, name, n), share in zip(rows, found, strict=True):
        yield {
            **r.label,
            "ending": name,
            "games": n,
            "share": share.value,
            "low": share.low,
            "high": share.high,
        }


def _curve_rows(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    for result in results:
        tally, winning = result.tally, set(result.tally.winning())
        names = [m.name for m in result.game.measures if m.curve and not m.per_seat]
        for won in (False, True):
            of = [e for e in range(len(result.game.all_endings)) if (e in winning) == won]
            alive, sums = tally.alive[of].sum(axis=0), tally.curves[of].sum(axis=0)
            for r in alive.nonzero()[0].tolist():
                means = dict(zip(names, (sums[r] / alive[r]).tolist(), strict=True))
                yield {**result.label, "round": r, "won": won, "games": int(alive[r]), **means}
