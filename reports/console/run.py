"""Output of `run` and `merge`: one cell in full, or a table of the cells of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from hardmode.reports.console import ranking
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games
from hardmode.scenarios.box_overlay import format_overlay_summary
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.results.result import Result
from hardmode.studies.core.result_summary import (
    FactorSummary,
    MeasureSummary,
    ResultSummary,
    estimate_cell_wins,
    measure_occurs,
    summarize_measure,
    summarize_result,
)
from hardmode.studies.core.results import Results, describe_player
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, Estimate, bonferroni_level
from hardmode.studies.stats.formatting import format_share_interval

ENDINGS_HEADER = "how it ends"
MIN_ENDINGS_WIDTH = 24  # columns below which the endings of a cell cannot be read
MAX_ENDINGS = 4  # endings of a cell that are named
NARROW_INTERVAL = 0.02  # width below which a percentage has two decimals
SMALLEST_SHARE = 0.005  # share of an ending that is printed in numbers
LEFT_HEADERS = ("ending", "measure", "factor", "")  # columns that hold text
QUANTILES = {0.05: "5 %", 0.5: "median", 0.95: "95 %"}  # that are printed, with their headers


def print_results(results: Results, confidence: float = DEFAULT_CONFIDENCE) -> None:
    """Print one cell in full, or a grid with one row for each cell, and its ranking."""
    summaries = [summarize_result(result, confidence) for result in results]
    first = results[0]
    out.print(f"[bold]{first.game.title}: {escape(first.title)}[/bold]")
    if first.label:
        _print_grid(summaries)
    else:
        _print_cell(summaries[0])
    _print_footer(summaries)
    if results.ranking:
        ranking.print_ranking(results.ranking)


def _print_grid(summaries: Sequence[ResultSummary]) -> None:
    first = summaries[0]
    n_axes = len(first.result.label)
    n_seats = len(first.seats) if len(first.seats) > 1 else 0
    n_scores = len(first.scores) if first.result.game.scored else 0
    intervals_per_cell = max(1, n_seats) + n_scores + 1
    level = bonferroni_level(first.confidence, len(summaries) * intervals_per_cell)
    wins = [estimate_cell_wins(summary.result, n_seats, level) for summary in summaries]
    decimals = max(_choose_decimals(share) for shares in wins for share in shares)
    rows = []
    endings = []
    for summary, shares in zip(summaries, wins, strict=True):
        row = [format_yaml_value(value) for value in summary.result.label.values()]
        row.append(f"{summary.games:,}")
        row += [_format_share(share, decimals) for share in shares]
        row += _format_means(summary, n_scores, level)
        rows.append(row)
        endings.append(format_endings(summary.ending_counts, summary.games))
    headers = _list_headers(first.result, n_seats, n_scores)
    _print_with_endings(headers, rows, endings, n_axes)


def _list_headers(result: Result, n_seats: int, n_scores: int) -> list[str]:
    headers = [axis.removeprefix("setup.") for axis in result.label]
    headers.append("games")
    if n_seats:
        headers += [f"seat {i + 1} wins" for i in range(n_seats)]
    else:
        headers.append("win rate")
    if n_scores:
        headers.append("score")
    headers.append(result.game.unit)
    return headers


def _format_means(summary: ResultSummary, n_scores: int, level: float) -> list[str]:
    """Return the scores, if there are any, and the length of the games of a cell."""
    tally = summary.result.tally
    means = []
    if n_scores:
        scores = [summarize_measure(tally, f"score {i + 1}", level) for i in range(n_scores)]
        means.append(" : ".join(_format_mean(score) for score in scores))
    means.append(_format_mean(summarize_measure(tally, "rounds", level)))
    return means


def _print_with_endings(
    headers: Sequence[str], rows: Sequence[list[str]], endings: Sequence[str], n_axes: int
) -> None:
    """Print a grid with the endings in the last column, or in a second table if it is too wide."""
    table = _make_table(headers, rows, n_axes)
    options = out.options.update(max_width=10_000)
    width = Measurement.get(out, options, table).maximum
    if width + MIN_ENDINGS_WIDTH <= out.width:
        rows = [[*row, text] for row, text in zip(rows, endings, strict=True)]
        out.print(_make_table([*headers, ENDINGS_HEADER], rows, n_axes))
        return
    out.print(table)
    rows = [[*row[:n_axes], text] for row, text in zip(rows, endings, strict=True)]
    out.print(_make_table([*headers[:n_axes], ENDINGS_HEADER], rows, n_axes))


def _make_table(headers: Sequence[str], rows: Sequence[list[str]], n_axes: int) -> Table:
    table = Table(header_style="bold")
    for i, header in enumerate(headers):
        is_text = i < n_axes or header == ENDINGS_HEADER
        table.add_column(
            escape(header),
            justify="left" if is_text else "right",
            no_wrap=header != ENDINGS_HEADER,
        )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def _print_cell(summary: ResultSummary) -> None:
    result = summary.result
    if len(summary.seats) > 1:
        decimals = max(_choose_decimals(seat.share) for seat in summary.seats)
        for seat, strategy in zip(summary.seats, result.strategies, strict=True):
            player = escape(describe_player(strategy))
            share = _format_share(seat.share, decimals)
            out.print(f"seat {seat.seat} ({player}) wins {share}")
    else:
        player = escape(describe_player(result.strategies[0]))
        out.print(
            f"win rate [bold]{_format_share(summary.win_rate)}[/bold] "
            f"in {format_games(summary.games)}, played by {player}"
        )
    table = _start_table("ending", "games", "share")
    endings = {name: games for name, games in summary.ending_counts.items() if games}
    shares = summary.ending_shares
    decimals = max((_choose_decimals(shares[name]) for name in endings), default=1)
    for name, games in endings.items():
        table.add_row(escape(name), f"{games:,}", _format_share(shares[name], decimals))
    out.print(table)
    _print_measures(summary)
    _print_factors(summary.factors)


def _print_measures(summary: ResultSummary) -> None:
    result = summary.result
    measures = {result.game.unit: summary.rounds}
    for i, score in enumerate(summary.scores):
        measures[f"score of seat {i + 1}" if len(summary.scores) > 1 else "score"] = score
    for name, measure in summary.measures.items():
        if measure_occurs(result.tally, name):
            measures[name] = measure
    table = _start_table("measure", "mean", *QUANTILES.values())
    for name, measure in measures.items():
        quantiles = [f"{measure.quantiles[q]:,}" for q in QUANTILES]
        table.add_row(escape(name), _format_mean(measure), *quantiles)
    out.print(table)


def _print_factors(factors: dict[str, dict[str, FactorSummary]]) -> None:
    """Print the win rate by each value of the factors with more than one value."""
    table = _start_table("factor", "", "games", "win rate")
    for factor, values in factors.items():
        if len(values) < 2:
            continue
        decimals = max(_choose_decimals(summary.win_rate) for summary in values.values())
        for i, (value, summary) in enumerate(values.items()):
            name = "" if i else escape(factor)
            win_rate = _format_share(summary.win_rate, decimals)
            table.add_row(name, escape(value), f"{summary.games:,}", win_rate)
    if table.rows:
        out.print(table)


def _start_table(*headers: str) -> Table:
    table = Table(header_style="bold")
    for header in headers:
        table.add_column(header, justify="left" if header in LEFT_HEADERS else "right")
    return table


def format_endings(counts: dict[str, int], games: int) -> str:
    """Return the shares of the most frequent endings, in words."""
    ranked = sorted(((n, name) for name, n in counts.items() if n), reverse=True)
    parts = []
    for n, name in ranked[:MAX_ENDINGS]:
        share = n / games
        parts.append(f"{name} {100 * share:.0f} %" if share >= SMALLEST_SHARE else f"{name} <1 %")
    rest = sum(n for n, _ in ranked[MAX_ENDINGS:])
    if rest:
        parts.append(f"other {100 * rest / games:.0f} %")
    return ", ".join(parts)


def _choose_decimals(share: Estimate) -> int:
    """Return the number of decimals that the interval of a share supports, in percent."""
    return 2 if share.high - share.low < NARROW_INTERVAL else 1


def _format_share(share: Estimate, decimals: int | None = None) -> str:
    if decimals is None:
        decimals = _choose_decimals(share)
    return format_share_interval(share.value, share.low, share.high, decimals)


def _format_mean(measure: MeasureSummary) -> str:
    estimate = measure.estimate
    if estimate is None:
        return "-"
    if measure.is_rate:
        return _format_share(estimate)
    return f"{estimate.value:.2f} ± {(estimate.high - estimate.low) / 2:.2f}"


def _print_footer(summaries: Sequence[ResultSummary]) -> None:
    first = summaries[0]
    result = first.result
    seconds = sum(round(summary.result.seconds, 3) for summary in summaries)
    games = sum(summary.games for summary in summaries)
    speed = f", {games / seconds:,.0f} games/s" if seconds > 0.05 else ""
    assumed = result.assumed
    parts = [
        _describe_intervals(first),
        f"strategies {escape(_list_players([s.result for s in summaries]))}",
        f"seed {result.seed}",
        f"{format_games(games)} in {seconds:.1f} s{speed}",
        *_describe_box(result.box),
        f"{assumed['assumed']} of {assumed['total']} numbers of the box are assumed",
    ]
    out.print(f"[dim]{'; '.join(parts)}[/dim]")
    if len(summaries) == 1:
        out.print(f"[dim]outcome digest {result.outcome_digest}[/dim]")


def _describe_intervals(summary: ResultSummary) -> str:
    level = f"{100 * summary.confidence:g} %"
    if summary.result.label or len(summary.seats) > 1:
        return f"all intervals of a table hold together at {level}"
    return (
        f"the interval of the win rate holds at {level}, and so do all intervals of a table "
        "together"
    )


def _list_players(results: Sequence[Result]) -> str:
    players = [describe_player(spec) for result in results for spec in result.strategies]
    return ", ".join(dict.fromkeys(players))


def _describe_box(box: dict[str, Any] | None) -> list[str]:
    if not box:
        return []
    summary = format_overlay_summary(box["file"], box["numbers"], box.get("added", 0))
    return [escape(f"with the box {summary}")]
