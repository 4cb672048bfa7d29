"""What a result says: estimates with their intervals, as plain data."""

from __future__ import annotations

from math import isfinite
from typing import Any

import polars as pl

from hardmode.sim.results import Result
from hardmode.sim.tally import Tally
from hardmode.studies.estimates import mean, quantile_value, rate
from hardmode.studies.headline import win_rate, wins

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summary(result: Result, confidence: float = 0.95) -> dict[str, Any]:
    """The answer to `run`, as its JSON shows it."""
    tally, game = result.tally, result.game
    won = win_rate(tally, confidence)
    scored = range(len(result.strategies) if game.competitive else 1)
    return {
        "game": game.name, "scenario": result.scenario, "title": result.title, "cell": result.label,
        "seed": result.seed, "games": tally.games, "ranges": [list(r) for r in result.ranges],
        "endings": tally.endings(), "wins": wins(tally), "win_rate": won.value, "low": won.low, "high": won.high,
        "confidence": confidence, "seats": seats(result, confidence) if game.competitive else [],
        "rounds": spread(tally, "rounds", confidence),
        "scores": [spread(tally, f"score {s + 1}", confidence) for s in scored],
        "measures": {name: spread(tally, name, confidence) for name in plain_measures(tally)},
        "factors": factors(tally, confidence),
        "strategies": [s["plays"] for s in result.strategies], "changed": result.changed, "box": result.box,
        "digests": result.digests, "outcome_digest": result.outcome_digest, "made_by": result.made_by,
        "decisions": tally.decisions, "options": tally.offered, "seconds": round(result.seconds, 3),
        "games_per_second": round(tally.games / result.seconds, 1) if result.seconds else None,
        "assumed": result.assumed, "interrupted": result.interrupted}


def seats(result: Result, confidence: float = 0.95) -> list[dict[str, Any]]:
    """Each seat's share of the games; shared wins count for all who share."""
    tally = result.tally
    out = []
    for s, (spec, k) in enumerate(zip(result.strategies, tally.shares(), strict=False)):
        share = rate(k, tally.games, confidence)
        out.append({"seat": s + 1, "strategy": spec["plays"], "wins": k, "share": share.value, "low": share.low,
                    "high": share.high})
    return out


def spread(tally: Tally, column: str, confidence: float = 0.95) -> dict[str, Any]:
    """Mean with interval, and quantiles, of one column."""
    values = tally.histogram(column)
    n = sum(values.values())
    if not n:
        return {"mean": None, "low": None, "high": None, "quantiles": {}}
    total = sum(v * k for v, k in values.items())
    squares = sum(v * v * k for v, k in values.items())
    m = mean(n, total, squares, confidence)
    return {"mean": m.value, "low": m.low, "high": m.high,
            "quantiles": {f"{q:g}": int(quantile_value(values, q)) for q in QUANTILES}}


def plain_measures(tally: Tally) -> list[str]:
    return [m.name for m in tally.game.measures if not m.factor and not m.per_seat]


def occurs(tally: Tally, column: str) -> bool:
    """Whether a measure was anything but 0 in some game: one that cannot occur in a scenario need not be shown."""
    return bool(set(tally.histogram(column)) - {0})


def factors(tally: Tally, confidence: float = 0.95) -> dict[str, dict[str, Any]]:
    """Win rate by each value of each set-up factor."""
    out: dict[str, dict[str, Any]] = {}
    single = tally.groups.filter(tally.groups["other"] == "")
    summed = single.group_by("factor", "value").agg(pl.col("games", "wins", "score").sum()).sort("factor", "value")
    labels = {m.name: m.labels for m in tally.game.measures}
    for row in summed.iter_rows(named=True):
        names, value = labels[row["factor"]], row["value"]
        name = names[value] if 0 <= value < len(names) else str(value)
        won = rate(row["wins"], row["games"], confidence)
        out.setdefault(row["factor"], {})[name] = {
            "games": row["games"], "wins": row["wins"], "win_rate": won.value, "low": won.low, "high": won.high,
            "score": row["score"] / row["games"]}
    return out


def finite(data: Any) -> Any:
    """The same data with None for what JSON cannot say: an open end of an interval."""
    if isinstance(data, dict):
        return {k: finite(v) for k, v in data.items()}
    if isinstance(data, (list, tuple)):
        return [finite(v) for v in data]
    return None if isinstance(data, float) and not isfinite(data) else data
