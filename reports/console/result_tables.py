"""Results of a run as tables for files: cells, endings, seats, measures, factors and ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hardmode.reports.console import ranking as console_ranking
from hardmode.reports.page.model import Column, ReportTable
from hardmode.scenarios.labels import format_label
from hardmode.sim.results.result import Result
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.result_summary import (
    MeasureSummary,
    estimate_ending_shares,
    list_plain_measures,
    measure_occurs,
    summarize_factors,
    summarize_measure,
)
from hardmode.studies.core.results import Results, describe_player
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import bonferroni_level

CELL = Column("cell", "cell")
GAMES = Column("games", "games", "count")


def make_result_tables(results: Results) -> list[ReportTable]:
    """Return the tables of a run. The intervals of the measures of a cell hold together."""
    played = [result for result in results if result.games]
    level = results.confidence
    tables = [
        _make_cell_table(played, level),
        _make_ending_table(played, level),
        _make_seat_table(played, level),
        _make_share_table(played, level),
        _make_mean_table(played, level),
        _make_factor_table(played, level),
    ]
    if results.ranking:
        tables.append(_make_ranking_table(results.ranking))
    return tables


def describe_result_inputs(results: Results) -> dict[str, Any]:
    """Return everything that is needed to play the same games again."""
    first = results[0]
    players = [describe_player(spec) for result in results for spec in result.strategies]
    inputs = {
        "game": first.game.title,
        "scenario": first.scenario,
        "title": first.title,
        "seed": first.seed,
        "confidence": results.confidence,
        "games": sum(result.games for result in results),
        "players": ", ".join(dict.fromkeys(players)),
        "changed": ", ".join(f"{path}={value}" for path, value in first.changed.items()),
        "assumed": f"{first.assumed['assumed']} of {first.assumed['total']} numbers",
    }
    for name, digest in first.digests.items():
        inputs[f"digest of {name}"] = digest
    digest = first.outcome_digest if len(results) == 1 else "one for each cell"
    return {**inputs, "outcome digest": digest}


def _name_cell(result: Result) -> str:
    return format_label(result.label) or "all games"


def _make_cell_table(results: Sequence[Result], level: float) -> ReportTable:
    rows = []
    for result in results:
        row = {
            "cell": _name_cell(result),
            "games": result.games,
            "won": estimate_win_rate(result.tally, level),
            "rounds": summarize_measure(result.tally, "rounds", level).estimate,
            "players": ", ".join(dict.fromkeys(map(describe_player, result.strategies))),
            "digest": result.outcome_digest,
        }
        rows.append(row)
    won = "seat 1 wins" if results and results[0].game.competitive else "win rate"
    unit = results[0].game.unit if results else "rounds"
    columns = [
        CELL,
        GAMES,
        Column("won", won, "rate"),
        Column("rounds", unit, "mean"),
        Column("players", "strategies"),
        Column("digest", "outcome digest"),
    ]
    return ReportTable("cells", "Every cell", columns, rows)


def _make_ending_table(results: Sequence[Result], level: float) -> ReportTable:
    rows = []
    for result in results:
        counts = result.tally.count_endings()
        for name, share in estimate_ending_shares(result.tally, level).items():
            row = {"cell": _name_cell(result), "ending": name}
            rows.append({**row, "games": counts[name], "share": share})
    columns = [CELL, Column("ending", "ending"), GAMES, Column("share", "share", "rate")]
    return ReportTable("endings", "How games end", columns, rows)


def _make_seat_table(results: Sequence[Result], level: float) -> ReportTable:
    rows = []
    for result in results:
        if not result.game.competitive:
            continue
        wins = result.tally.count_wins_by_seat()[: len(result.strategies)]
        shares = estimates.clopper_pearson_rates([(k, result.games) for k in wins], level)
        for seat, spec in enumerate(result.strategies):
            row = {
                "cell": _name_cell(result),
                "seat": seat + 1,
                "player": describe_player(spec),
                "games": wins[seat],
                "share": shares[seat],
            }
            rows.append(row)
    columns = [
        CELL,
        Column("seat", "seat", "count"),
        Column("player", "player"),
        Column("games", "games won", "count"),
        Column("share", "share", "rate"),
    ]
    return ReportTable("seats", "Who wins", columns, rows)


def _iter_measures(
    results: Sequence[Result], level: float
) -> Iterator[tuple[Result, str, MeasureSummary]]:
    """Yield each measure that occurs in a cell, by its printed name."""
    for result in results:
        n_seats = len(result.strategies) if result.game.competitive else 1
        names = {"rounds": result.game.unit}
        for seat in range(1, n_seats + 1):
            names[f"score {seat}"] = f"score of seat {seat}" if n_seats > 1 else "score"
        measures = list_plain_measures(result.tally)
        for name in measures:
            if measure_occurs(result.tally, name):
                names[name] = name
        measure_level = bonferroni_level(level, 1 + n_seats + len(measures))
        for name, printed in names.items():
            yield result, printed, summarize_measure(result.tally, name, measure_level)


def _make_share_table(results: Sequence[Result], level: float) -> ReportTable:
    rows = []
    for result, name, summary in _iter_measures(results, level):
        if summary.is_rate:
            row = {"cell": _name_cell(result), "measure": name, "value": summary.estimate}
            rows.append({**row, **_name_quantiles(summary)})
    columns = [CELL, Column("measure", "measure"), Column("value", "share of games", "rate")]
    return ReportTable("shares", "What happens in a share of games", columns, rows)


def _name_quantiles(summary: MeasureSummary) -> dict[str, Any]:
    return {f"q{q:g}": value for q, value in summary.quantiles.items()}


def _make_mean_table(results: Sequence[Result], level: float) -> ReportTable:
    rows: list[dict[str, Any]] = []
    columns = [CELL, Column("measure", "measure"), Column("value", "mean", "mean")]
    for result, name, summary in _iter_measures(results, level):
        if summary.is_rate:
            continue
        if not rows:
            for q in summary.quantiles:
                columns.append(Column(f"q{q:g}", f"{100 * q:g} % of games have at most", "count"))
        row = {"cell": _name_cell(result), "measure": name, "value": summary.estimate}
        rows.append({**row, **_name_quantiles(summary)})
    return ReportTable("measures", "What is counted in a game", columns, rows)


def _make_factor_table(results: Sequence[Result], level: float) -> ReportTable:
    rows = []
    for result in results:
        for factor, values in summarize_factors(result.tally, level).items():
            if len(values) < 2:
                continue
            for value, summary in values.items():
                row = {"cell": _name_cell(result), "factor": factor, "value": value}
                rows.append({**row, "games": summary.games, "won": summary.win_rate})
    columns = [
        CELL,
        Column("factor", "factor"),
        Column("value", "value"),
        GAMES,
        Column("won", "win rate", "rate"),
    ]
    return ReportTable("factors", "By what a game begins with", columns, rows)


def _make_ranking_table(ranking: Ranking) -> ReportTable:
    level = bonferroni_level(ranking.confidence, ranking.cells)
    rows = []
    easier_than = None
    for i in ranking.order:
        first, last = ranking.find_place_range(i)
        row = {
            "first": first,
            "last": last,
            "cell": console_ranking.format_cell_name(ranking, i),
            "won": estimates.clopper_pearson_rate(int(ranking.wins[i]), ranking.games, level),
            "step": None if easier_than is None else ranking.estimate_difference(i, easier_than),
        }
        rows.append(row)
        easier_than = i
    columns = [
        Column("first", "place, from", "count"),
        Column("last", "to", "count"),
        CELL,
        Column("won", "win rate", "rate"),
        Column("step", console_ranking.STEP_HEADER, "points"),
    ]
    return ReportTable("ranking", "From the hardest to the easiest", columns, rows)
