"""Output of `run` and `merge`: the verdict, then one cell in full or a table of a grid's cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from hardmode.reports.console.ranking import print_ranking
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    POINTS,
    SURE_WITHIN,
    USEFUL_PRECISION,
    Verdict,
    estimate_growth,
    print_details,
    print_verdict,
    propose_more,
)
from hardmode.reports.console.wording import (
    format_count,
    format_games,
    join_names,
    name_players,
)
from hardmode.scenarios.box_overlay import format_overlay_summary
from hardmode.scenarios.labels import format_readable_label, name_item
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.results.result import Result
from hardmode.studies.comparison.rank import Ranking
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


def print_results(
    results: Results,
    confidence: float = DEFAULT_CONFIDENCE,
    arguments: str = PLACEHOLDER,
    details: bool = False,
) -> None:
    """Print the verdict, then one cell in full, or a row for each cell of a grid and its ranking.

    Args:
        results: The results, one for each cell.
        confidence: Confidence of the intervals.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
    """
    summaries = [summarize_result(result, confidence) for result in results]
    print_verdict(make_verdict(summaries, arguments, results.ranking))
    if results[0].label:
        _print_grid(summaries)
    else:
        _print_cell(summaries[0])
    print_details(_describe_method(summaries), details)
    if results.ranking:
        print_ranking(results.ranking)


def describe_results(results: Results, confidence: float = DEFAULT_CONFIDENCE) -> str:
    """Return the verdict on results as a text."""
    summaries = [summarize_result(result, confidence) for result in results]
    return make_verdict(summaries, ranking=results.ranking).text


def make_verdict(
    summaries: Sequence[ResultSummary],
    arguments: str = PLACEHOLDER,
    ranking: Ranking | None = None,
) -> Verdict:
    """Return how often games are won, how certain that is, and what to try next.

    Args:
        summaries: The estimates of each cell.
        arguments: The scenario and its changes, as the user gave them.
        ranking: The cells by difficulty, if there are several.
    """
    first = summaries[0]
    result = first.result
    players = _list_players([summary.result for summary in summaries])
    title = f"{result.game.title}: {result.title}, played by {players}"
    if result.label:
        return _make_grid_verdict(title, summaries, arguments, ranking)
    assumed = result.assumed
    certainty = f"This interval ({POINTS * first.confidence:g} %) is the chance of the games alone."
    if assumed["assumed"]:
        count = format_count(assumed["total"], "number")
        certainty += (
            f" It does not include that {assumed['assumed']} of {count} of the box are assumed."
        )
    certainty += " In a table, all intervals hold at once, so they are wider."
    share = first.seats[0].share if len(first.seats) > 1 else first.win_rate
    if share.half_width > SURE_WITHIN:
        growth = estimate_growth(share.half_width, USEFUL_PRECISION)
        more = propose_more(growth, first.games, None)
        next_step = f"{more} narrows the interval to ± {POINTS * USEFUL_PRECISION:g} point"
    else:
        others = [name for name in ("beginner", "trained") if name != players]
        other = f"--strategy {others[-1]} shows other players"
        if len(first.seats) > 1:
            other = "--strategy beginner --strategy steady lets unequal players compete"
        next_step = f"hardmode sensitivity {arguments} shows which numbers change this; {other}"
    return Verdict(title, _describe_wins(first), certainty, next_step)


def _describe_wins(summary: ResultSummary) -> str:
    """Return who wins how many of the games, or what they score, as a sentence."""
    games = format_games(summary.games)
    if len(summary.seats) > 1:
        decimals = max(_choose_decimals(seat.share) for seat in summary.seats)
        shares = [
            f"seat {seat.seat} wins {_format_share(seat.share, decimals)}" for seat in summary.seats
        ]
        text = join_names(shares)
        return f"{text[0].upper()}{text[1:]}, in {games}."
    names = list(dict.fromkeys(describe_player(spec) for spec in summary.result.strategies))
    who = name_players(names[0])
    if len(names) > 1:
        who = f"{join_names(names)} together"
    if summary.scores and len(summary.result.game.endings) == 1:  # so nobody wins or loses
        score = summarize_measure(summary.result.tally, "score 1", summary.confidence)
        return f"{who} score {_format_mean(score)} points on average, in {games}."
    return f"{who} win {_format_share(summary.win_rate)} of {games}."


def _make_grid_verdict(
    title: str, summaries: Sequence[ResultSummary], arguments: str, ranking: Ranking | None
) -> Verdict:
    """Return the verdict on a grid: its lowest and its highest win rate.

    The two cells differ if their intervals are disjoint, or if the games that they share show it.
    """
    first = summaries[0]
    n_seats = len(first.seats) if len(first.seats) > 1 else 0
    n_scores = len(first.scores) if first.result.game.scored else 0
    intervals = len(summaries) * (max(1, n_seats) + n_scores + 1)
    level = bonferroni_level(first.confidence, intervals)
    shares = [estimate_cell_wins(summary.result, n_seats, level)[0] for summary in summaries]
    ranked = sorted(range(len(shares)), key=lambda i: shares[i].value)
    lowest, highest = ranked[0], ranked[-1]
    labels = [format_readable_label(summaries[i].result.label) for i in (lowest, highest)]
    rate = "win rate of seat 1" if n_seats else "win rate"
    together = f"All intervals hold together at {POINTS * first.confidence:g} %"
    difference = _estimate_distance(ranking, summaries[lowest], summaries[highest])
    if shares[lowest].high < shares[highest].low or difference:
        cells = f"{format_count(len(shares), 'cell')} of {format_games(first.games)}"
        answer = (
            f"The {rate} goes from {_format_share(shares[lowest])} with {labels[0]} to "
            f"{_format_share(shares[highest])} with {labels[1]}, in {cells}."
        )
        certainty = f"{together}, so these two cells certainly differ."
        if difference:
            points, low, high = (
                f"{POINTS * value:.1f}"
                for value in (difference.value, difference.low, difference.high)
            )
            certainty = (
                f"With the same random draws, these two cells differ by {points} ({low} .. {high}) "
                "points; the intervals of all pairs of cells hold together at "
                f"{POINTS * first.confidence:g} %."
            )
        next_step = (
            f"hardmode report {arguments} -o page plots the cells; hardmode compare A B plays two "
            "of them with the same random draws"
        )
        return Verdict(title, answer, certainty, next_step)
    answer = (
        f"Too few games to tell which of {format_count(len(shares), 'cell')} is harder: the {rate} "
        f"of all lies between {_format_share(shares[lowest])} and {_format_share(shares[highest])}."
    )
    certainty = f"{together}, and they overlap after {format_games(first.games)} of each cell."
    growth = estimate_growth(shares[highest].half_width, USEFUL_PRECISION)
    more = propose_more(growth, first.games, None)
    next_step = f"{more} narrows the intervals to ± {POINTS * USEFUL_PRECISION:g} point"
    return Verdict(title, answer, certainty, next_step)


def _estimate_distance(
    ranking: Ranking | None, lowest: ResultSummary, highest: ResultSummary
) -> Estimate | None:
    """Return how far two cells lie apart in the games that they share, if these show it."""
    labels = [lowest.result.label, highest.result.label]
    if ranking is None or not all(label in ranking.labels for label in labels):
        return None
    low, high = (ranking.labels.index(label) for label in labels)
    return ranking.estimate_difference(high, low) if ranking.is_harder[low, high] else None


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
    headers = [name_item(axis).removeprefix("setup.") for axis in result.label]
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
    players = [describe_player(spec) for spec in summary.result.strategies]
    if len(set(players)) > 1:
        seats = [f"seat {i} is played by {name}" for i, name in enumerate(players, 1)]
        out.print(escape("; ".join(seats)))
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
    scores = [result.tally.count_values(f"score {i + 1}") for i in range(len(summary.scores))]
    for name, measure in summary.measures.items():
        is_score = result.tally.count_values(name) in scores  # such as the score of each round
        if measure_occurs(result.tally, name) and not is_score:
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
        return f"{_format_share(estimate)} of games"
    return f"{estimate.value:.2f} ± {(estimate.high - estimate.low) / 2:.2f}"


def _describe_method(summaries: Sequence[ResultSummary]) -> list[str]:
    """Return lines on the intervals, the games, the box, and the digest of one cell."""
    first = summaries[0]
    result = first.result
    seconds = sum(round(summary.result.seconds, 3) for summary in summaries)
    games = sum(summary.games for summary in summaries)
    speed = f", {games / seconds:,.0f} games/s" if seconds > 0.05 else ""
    assumed = result.assumed
    parts = [
        _describe_intervals(first),
        f"strategies {_list_players([s.result for s in summaries])}",
        f"seed {result.seed}",
        f"{format_games(games)} in {seconds:.1f} s{speed}",
        *_describe_box(result.box),
        f"{assumed['assumed']} of {assumed['total']} numbers of the box are assumed",
    ]
    lines = ["; ".join(parts)]
    if len(summaries) == 1:
        lines.append(f"outcome digest {result.outcome_digest}")
    return lines


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
    return [f"with the box {summary}"]
