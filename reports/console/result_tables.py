"""What a run says, as tables: every cell, how games end, who wins, measures, what a factor does, how cells rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.reports.console import ranking
from hardmode.reports.page.model import Column, Table
from hardmode.reports.result_summary import (
    estimate_ending_shares,
    list_plain_measures,
    measure_occurs,
    summarize_factors,
    summarize_measure,
)
from hardmode.scenarios.labels import format_label
from hardmode.sim.results.result import Result
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.results import Results, describe_player
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate, bonferroni_level

CELL = Column("cell", "cell")
GAMES = Column("games", "games", "count")


def tables(results: Results) -> list[Table]:
    """The tables of what was played; those of lists have intervals that hold together, cell by cell."""
    found = [r for r in results if r.games]
    level = results.confidence
    return [
        _cells(found, level),
        _endings(found, level),
        _seats(found, level),
        _rates(found, level),
        _means(found, level),
        _factors(found, level),
        *_ranking(results.ranking),
    ]


def about(results: Results) -> dict[str, Any]:
    """What the tables are of: what somebody else needs to play the same."""
    first = results[0]
    return {
        "game": first.game.title,
        "scenario": first.scenario,
        "title": first.title,
        "seed": first.seed,
        "confidence": results.confidence,
        "games": sum(r.games for r in results),
        "players": ", ".join(dict.fromkeys(describe_player(s) for r in results for s in r.strategies)),
        "changed": ", ".join(f"{path}={value}" for path, value in first.changed.items()),
        "assumed": f"{first.assumed['assumed']} of {first.assumed['total']} numbers",
        **{f"digest of {name}": text for name, text in first.digests.items()},
        "outcome digest": first.outcome_digest if len(results) == 1 else "one for each cell",
    }


def _cell(r: Result) -> str:
    return format_label(r.label) or "all games"


def _cells(found: Sequence[Result], level: float) -> Table:
    rows = [
        {
            "cell": _cell(r),
            "games": r.games,
            "won": estimate_win_rate(r.tally, level),
            "rounds": _mean(r, "rounds", level),
            "players": ", ".join(dict.fromkeys(map(describe_player, r.strategies))),
            "digest": r.outcome_digest,
        }
        for r in found
    ]
    won = "seat 1 wins" if found and found[0].game.competitive else "win rate"
    return Table(
        "cells",
        "Every cell",
        [
            CELL,
            GAMES,
            Column("won", won, "rate"),
            Column("rounds", found[0].game.unit if found else "rounds", "mean"),
            Column("players", "players"),
            Column("digest", "outcome digest"),
        ],
        rows,
    )


def _mean(r: Result, name: str, level: float) -> Estimate | None:
    return summarize_measure(r.tally, name, level).estimate


def _endings(found: Sequence[Result], level: float) -> Table:
    rows = [
        {"cell": _cell(r), "ending": name, "games": r.tally.count_endings()[name], "share": share}
        for r in found
        for name, share in estimate_ending_shares(r.tally, level).items()
    ]
    return Table(
        "endings",
        "How games end",
        [CELL, Column("ending", "ending"), GAMES, Column("share", "share", "rate")],
        rows,
    )


def _seats(found: Sequence[Result], level: float) -> Table:
    rows = [
        {"cell": _cell(r), "seat": s + 1, "player": describe_player(spec), "games": k, "share": share}
        for r in found
        if r.game.competitive
        for s, (spec, k, share) in enumerate(
            zip(
                r.strategies,
                _won(r),
                estimates.clopper_pearson_rates([(k, r.games) for k in _won(r)], level),
                strict=True,
            )
        )
    ]
    return Table(
        "seats",
        "Who wins",
        [
            CELL,
            Column("seat", "seat", "count"),
            Column("player", "player"),
            Column("games", "games won", "count"),
            Column("share", "share", "rate"),
        ],
        rows,
    )


def _won(r: Result) -> list[int]:
    return r.tally.count_wins_by_seat()[: len(r.strategies)]


def _measured(found: Sequence[Result], level: float, kind: str) -> list[dict[str, Any]]:
    """What was counted in games, of one kind: shares of games, or means with their quantiles."""
    rows = []
    for r in found:
        seats = len(r.strategies) if r.game.competitive else 1
        names = {
            "rounds": r.game.unit,
            **{
                f"score {s + 1}": f"score of seat {s + 1}" if seats > 1 else "score"
                for s in range(seats)
            },
            **{name: name for name in list_plain_measures(r.tally) if measure_occurs(r.tally, name)},
        }
        each = bonferroni_level(level, 1 + seats + len(list_plain_measures(r.tally)))
        for name, shown in names.items():
            s = summarize_measure(r.tally, name, each)
            if s.is_rate == (kind == "rate"):
                rows.append(
                    {
                        "cell": _cell(r),
                        "measure": shown,
                        "value": s.estimate,
                        **{f"q{q:g}": x for q, x in s.quantiles.items()},
                    }
                )
    return rows


def _rates(found: Sequence[Result], level: float) -> Table:
    return Table(
        "shares",
        "What happens in a share of games",
        [CELL, Column("measure", "measure"), Column("value", "share of games", "rate")],
        _measured(found, level, "rate"),
    )


def _means(found: Sequence[Result], level: float) -> Table:
    rows = _measured(found, level, "mean")
    quantiles = [name for name in (rows[0] if rows else ()) if name.startswith("q")]
    return Table(
        "measures",
        "What is counted in a game",
        [
            CELL,
            Column("measure", "measure"),
            Column("value", "mean", "mean"),
            *(
                Column(q, f"{100 * float(q[1:]):g} % of games have at most", "count")
                for q in quantiles
            ),
        ],
        rows,
    )


def _factors(found: Sequence[Result], level: float) -> Table:
    rows = [
        {
            "cell": _cell(r),
            "factor": factor,
            "value": value,
            "games": x.games,
            "won": x.win_rate,
        }
        for r in found
        for factor, values in summarize_factors(r.tally, level).items()
        if len(values) > 1
        for value, x in values.items()
    ]
    return Table(
        "factors",
        "By what a game begins with",
        [
            CELL,
            Column("factor", "factor"),
            Column("value", "value"),
            GAMES,
            Column("won", "win rate", "rate"),
        ],
        rows,
    )


def _ranking(found: Ranking | None) -> list[Table]:
    if found is None:
        return []
    each = bonferroni_level(found.confidence, found.cells)
    rows = [
        {
            "first": found.place_range(i)[0],
            "last": found.place_range(i)[1],
            "cell": ranking.name(found, i),
            "won": estimates.clopper_pearson_rate(int(found.wins[i]), found.games, each),
            "step": found.difference(i, found.order[at - 1]) if at else None,
        }
        for at, i in enumerate(found.order)
    ]
    return [
        Table(
            "ranking",
            "From the hardest to the easiest",
            [
                Column("first", "place, from", "count"),
                Column("last", "to", "count"),
                CELL,
                Column("won", "win rate", "rate"),
                Column("step", "above the one before", "points"),
            ],
            rows,
        )
    ]
