"""Results as data frames of polars or pandas, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, overload

import polars as pl

from hardmode.sim.results.result import Result
from hardmode.studies.core.metric import count_wins, estimate_win_rate
from hardmode.studies.core.notebook import Row, convert_to_pandas, make_frame
from hardmode.studies.core.result_summary import list_plain_measures, summarize_measure
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, clopper_pearson_rates

if TYPE_CHECKING:
    import pandas as pd


@overload
def cells(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[False] = ...
) -> pl.DataFrame: ...
@overload
def cells(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[True]
) -> pd.DataFrame: ...
def cells(
    results: Sequence[Result], confidence: float = DEFAULT_CONFIDENCE, *, pandas: bool = False
) -> pl.DataFrame | pd.DataFrame:
    """Return a frame with one row per cell: label, games, win rate, and means of all measures.

    The intervals of all rows hold together. With a single row, its interval holds by itself.

    Args:
        results: What `play` returned.
        confidence: Confidence level of the intervals.
        pandas: Return a frame of pandas instead of polars.
    """
    return _make_frame(list_cells(results, confidence), pandas)


@overload
def endings(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[False] = ...
) -> pl.DataFrame: ...
@overload
def endings(
    results: Sequence[Result], confidence: float = ..., *, pandas: Literal[True]
) -> pd.DataFrame: ...
def endings(
    results: Sequence[Result], confidence: float = DEFAULT_CONFIDENCE, *, pandas: bool = False
) -> pl.DataFrame | pd.DataFrame:
    """Return a frame with one row per cell and ending: games, and their share with its interval.

    The intervals of all rows hold together.

    Args:
        results: What `play` returned.
        confidence: Confidence level of the intervals.
        pandas: Return a frame of pandas instead of polars.
    """
    return _make_frame(_make_ending_rows(results, confidence), pandas)


@overload
def curves(results: Result | Sequence[Result], *, pandas: Literal[False] = ...) -> pl.DataFrame: ...
@overload
def curves(results: Result | Sequence[Result], *, pandas: Literal[True]) -> pd.DataFrame: ...
def curves(
    results: Result | Sequence[Result], *, pandas: bool = False
) -> pl.DataFrame | pd.DataFrame:
    """Return a frame with one row per cell, round, and games won or not.

    Each row has the number of games that reached the round, and the means of the measures then.

    Args:
        results: What `play` returned, or one of its results.
        pandas: Return a frame of pandas instead of polars.
    """
    several = [results] if isinstance(results, Result) else results
    return _make_frame(_make_curve_rows(several), pandas)


def histogram(result: Result, column: str) -> pl.DataFrame:
    """Return the number of games by ending and value of a column."""
    names = dict(enumerate(result.game.all_endings))
    counts = result.tally.counts_frame.filter(pl.col("column") == column).sort("ending", "value")
    ending = pl.col("ending").replace_strict(names, return_dtype=pl.String)
    return counts.select(ending, "value", "n")


def _make_frame(rows: Iterable[Row], pandas: bool) -> pl.DataFrame | pd.DataFrame:
    frame = make_frame(rows)
    return convert_to_pandas(frame) if pandas else frame


def list_cells(results: Sequence[Result], confidence: float) -> Iterator[Row]:
    """Yield a row for each cell: label, games, win rate, and means of all measures.

    Args:
        results: Results of the cells.
        confidence: Confidence of all intervals together.
    """
    if len(results) == 1:
        win_rates = [estimate_win_rate(results[0].tally, confidence)]
    else:
        counts = [(count_wins(result.tally), result.games) for result in results]
        win_rates = clopper_pearson_rates(counts, confidence)
    for result, win_rate in zip(results, win_rates, strict=True):
        means = {}
        for name in ["rounds", *list_plain_measures(result.tally)]:
            estimate = summarize_measure(result.tally, name, confidence).estimate
            means[name] = estimate.value if estimate else None
        yield {**result.label, "games": result.games, "win_rate": win_rate, **means}


def _make_ending_rows(results: Sequence[Result], confidence: float) -> Iterator[Row]:
    counts = [(r, name, n) for r in results for name, n in r.tally.count_endings().items()]
    shares = clopper_pearson_rates([(n, result.games) for result, _, n in counts], confidence)
    for (result, name, n), share in zip(counts, shares, strict=True):
        yield {**result.label, "ending": name, "games": n, "share": share}


def _make_curve_rows(results: Sequence[Result]) -> Iterator[Row]:
    for result in results:
        tally, winning = result.tally, set(result.tally.find_winning_endings())
        names = [m.name for m in result.game.measures if m.curve and not m.per_seat]
        n_endings = len(result.game.all_endings)
        for is_won in (False, True):
            endings = [i for i in range(n_endings) if (i in winning) == is_won]
            games, sums = tally.alive[endings].sum(axis=0), tally.curves[endings].sum(axis=0)
            for number in games.nonzero()[0].tolist():
                means = dict(zip(names, (sums[number] / games[number]).tolist(), strict=True))
                row = {"round": number, "won": is_won, "games": int(games[number])}
                yield {**result.label, **row, **means}
