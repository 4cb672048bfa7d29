"""What a result says: estimates with their intervals, as plain data.

The win rate of a result has an interval of its own. What stands in lists (seats, endings, rounds with scores and
measures, factors) has wider ones: all intervals of a list hold together.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

from hardmode.sim.results.result import Result
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import sums, win_rate, wins, yes_or_no
from hardmode.studies.stats.estimates import (
    Estimate,
    exact_rate,
    mean,
    quantile_value,
    rates,
    shares,
    simultaneous,
)

VERSIONS: dict[
    str, int
] = {}  # of the forms of answers whose version is not 1; their schemas are in `schemas`
BARE = "replay"  # an answer that is a list, and says nothing of itself
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def said(name: str, data: Any) -> Any:
    """An answer with what it is: its form, and the version of that."""
    return data if name == BARE else {"hardmode": name, "schema": VERSIONS.get(name, 1), **data}


def summary(result: Result, confidence: float = 0.95) -> dict[str, Any]:
    """The answer to `run`, as its JSON shows it."""
    tally, game = result.tally, result.game
    won = win_rate(tally, confidence)
    measures, seated, causes = (
        plain_measures(tally),
        len(result.strategies),
        factors(tally, confidence),
    )
    scored = range(seated if game.competitive else 1)
    together = {
        "seats": seated if game.competitive else 0,
        "endings": len(game.all_endings),
        "measures": 1 + len(scored) + len(measures),
        "factors": sum(map(len, causes.values())),
    }
    each = simultaneous(confidence, together["measures"])
    return {
        "game": game.name,
        "scenario": result.scenario,
        "title": result.title,
        "cell": result.label,
        "seed": result.seed,
        "games": tally.games,
        "ranges": [list(r) for r in result.ranges],
        "endings": tally.endings(),
        "wins": wins(tally),
        "win_rate": won.value,
        "low": won.low,
        "high": won.high,
        "confidence": confidence,
        "together": together,
        "ending_shares": {
            name: interval(e, "share") for name, e in ending_shares(tally, confidence).items()
        },
        "seats": seats(result, confidence) if game.competitive else [],
        "rounds": spread(tally, "rounds", each),
        "scores": [spread(tally, f"score {s + 1}", each) for s in scored],
        "measures": {name: spread(tally, name, each) for name in measures},
        "factors": causes,
        "strategies": [s["plays"] for s in result.strategies],
        "players": players(result),
        "changed": result.changed,
        "box": result.box,
        "digests": result.digests,
        "outcome_digest": result.outcome_digest,
        "made_by": result.made_by,
        "decisions": tally.decisions,
        "options": tally.offered,
        "seconds": round(result.seconds, 3),
        "games_per_second": round(tally.games / result.seconds, 1) if result.seconds else None,
        "assumed": result.assumed,
        "interrupted": result.interrupted,
    }


def players(result: Result) -> list[dict[str, Any]]:
    """Who sat where: the strategy, and the share of its decisions that it got wrong."""
    return [
        {"seat": s + 1, "strategy": spec["plays"], "slips": spec.get("slips", 0.0)}
        for s, spec in enumerate(result.strategies)
    ]


def seats(result: Result, confidence: float = 0.95) -> list[dict[str, Any]]:
    """Each seat's share of the games; shared wins count for all who share. The intervals hold together."""
    won = result.tally.shares()[: len(result.strategies)]
    found = zip(
        result.strategies, won, rates([(k, result.games) for k in won], confidence), strict=True
    )
    return [
        {"seat": s + 1, "strategy": spec["plays"], "wins": k, **interval(share, "share")}
        for s, (spec, k, share) in enumerate(found)
    ]


def grid_row(result: Result, seats: int, scores: int, confidence: float) -> dict[str, Any]:
    """What a table of cells shows of one: games won (by each of so many seats), scores, rounds."""
    tally = result.tally
    won = tally.shares()[:seats] if seats else [wins(tally)]
    return {
        "won": [exact_rate(k, tally.games, confidence) for k in won],
        "scores": [spread(tally, f"score {s + 1}", confidence) for s in range(scores)],
        "rounds": spread(tally, "rounds", confidence),
    }


def interval(e: Estimate, name: str) -> dict[str, float]:
    return {name: e.value, "low": e.low, "high": e.high}


def ending_shares(tally: Tally, confidence: float = 0.95) -> dict[str, Estimate]:
    """How often each ending came; the intervals hold together."""
    counts = tally.endings()
    return dict(zip(counts, shares(list(counts.values()), confidence), strict=True))


def spread(tally: Tally, column: str, confidence: float = 0.95) -> dict[str, Any]:
    """Mean (of what is 0 or 1, rate) with interval, and quantiles, of one column."""
    values = tally.histogram(column)
    n, total, squares = sums(values)
    if not n:
        return {"kind": "mean", "mean": None, "low": None, "high": None, "quantiles": {}}
    is_rate = yes_or_no(tally, column)
    found = exact_rate(total, n, confidence) if is_rate else mean(n, total, squares, confidence)
    return {
        "kind": "rate" if is_rate else "mean",
        **interval(found, "mean"),
        "quantiles": {f"{q:g}": int(quantile_value(values, q)) for q in QUANTILES},
    }


def plain_measures(tally: Tally) -> list[str]:
    return [m.name for m in tally.game.measures if not m.factor and not m.per_seat]


def occurs(tally: Tally, column: str) -> bool:
    """Whether a measure was anything but 0 in some game: one that cannot occur in a scenario need not be shown."""
    return bool(set(tally.histogram(column)) - {0})


def factors(tally: Tally, confidence: float = 0.95) -> dict[str, dict[str, Any]]:
    """Win rate by each value of each set-up factor; the intervals of all of them hold together."""
    out: dict[str, dict[str, Any]] = {}
    labels = {m.name: m.labels for m in tally.game.measures}
    rows = [
        (factor, value, row)
        for factor in tally.factors()
        for value, row in tally.factor(factor).items()
    ]
    found = rates([(row["wins"], row["games"]) for _, _, row in rows], confidence)
    for (factor, value, row), won in zip(rows, found, strict=True):
        names = labels[factor]
        name = names[value] if 0 <= value < len(names) else str(value)
        out.setdefault(factor, {})[name] = {
            "games": row["games"],
            "wins": row["wins"],
            **interval(won, "win_rate"),
            "score": row["score"] / row["games"],
        }
    return out


def finite(data: Any) -> Any:
    """The same data with None for what JSON cannot say: an open end of an interval."""
    if isinstance(data, dict):
        return {k: finite(v) for k, v in data.items()}
    if isinstance(data, (list, tuple)):
        return [finite(v) for v in data]
    return None if isinstance(data, float) and not isfinite(data) else data
