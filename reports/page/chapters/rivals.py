"""Sections "Who wins?" and "What score?": results of games with scores, of rivals or alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.sim.contract import SCORES
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

MAX_BARS, MAX_SEATS = 40, 24


def make_score_section(report: ReportData) -> Section | None:
    """Return the section on winners and scores, or None for a game without either."""
    if report.metric.competitive:
        return Section(
            "who-wins",
            "Who wins?",
            _describe_winners(report),
            [_make_seat_plot(report), *_make_score_plots(report), *_make_margin_plots(report)],
            [_make_seat_table(report)],
            brief=Brief(2, ["seats", "scores"]),
        )
    if report.scenario.game.scored:
        return Section(
            "score",
            "What score?",
            [_describe_scores(report)],
            [*_make_score_plots(report), _make_target_plot(report)],
            [],
            brief=Brief(1, ["target-score"]),
        )
    return None


def _describe_winners(report: ReportData) -> list[str]:
    tally = report.base.tally
    edge = estimate_first_seat_edge(tally, report.first_cell.players, report.metric.confidence)
    effect = "makes no clear difference"
    if edge.low > 0:
        effect = "helps"
    elif edge.high < 0:
        effect = "hurts"
    points = f"{formatting.format_points(edge)} points ({formatting.format_points_interval(edge)})"
    sentences = [
        f"Going first {effect}: seat 1's share of the wins differs by {points} from the average of "
        "the other seats."
    ]
    n_without = tally.games - tally.count_wins()
    n_shared = 0
    for winners, n in tally.count_values("winners").items():
        if winners.bit_count() > 1:
            n_shared += n
    if n_without or n_shared:
        shared, without = (
            formatting.format_rate(report.metric.estimate_rate(n, report.base.result.games))
            for n in (n_shared, n_without)
        )
        sentences.append(
            f"Several seats share the win in {shared} of the games, and no seat wins in {without}."
        )
    return sentences


def estimate_first_seat_edge(tally: Tally, players: int, confidence: float) -> Estimate:
    """Return the share of games that seat 1 wins minus the mean share of the other seats."""
    others = players - 1
    total = squared = 0
    for winners, n in tally.count_values("winners").items():
        lead = (winners & 1) * others - (winners >> 1).bit_count()
        total += lead * n
        squared += lead * lead * n
    e = estimates.student_t_mean(tally.games, total, squared, confidence)
    return Estimate(e.value / others, e.low / others, e.high / others, e.n, confidence)


def compute_equal_share(item: PlayedVariant) -> float:
    """Return the share of games that each seat would win if all seats won equally often.

    It is less than one game in as many as there are seats if games can be drawn.
    """
    wins = _count_wins_by_seat(item)
    return sum(wins) / (item.result.games * len(wins))


def _count_wins_by_seat(item: PlayedVariant) -> list[int]:
    return list(item.tally.count_wins_by_seat()[: _count_seats(item)])


def _count_seats(item: PlayedVariant) -> int:
    return len(item.result.strategies)


def _make_seat_plot(report: ReportData) -> Figure:
    rows = []
    for item in report.cells:
        for seat, n_wins in enumerate(_count_wins_by_seat(item), 1):
            rate = report.metric.estimate_rate(n_wins, item.result.games)
            rows.append({"label": f"seat {seat}", "group": item.label, "estimate": rate})
    more = len(rows) - MAX_SEATS
    same_size = len({_count_seats(item) for item in report.cells}) == 1
    return model.make_dot_plot(
        "seats",
        "Share of games won by seat",
        rows[:MAX_SEATS],
        "rate",
        "share of games won",
        mark=compute_equal_share(report.cells[0]) if same_size else None,
        mark_text="an equal share" if same_size else "",
        note=f"The table has {wording.format_count(more, 'more row')}." if more > 0 else "",
    )


def _make_seat_table(report: ReportData) -> ReportTable:
    rows = []
    for item in report.cells:
        for seat, n_wins in enumerate(_count_wins_by_seat(item), 1):
            rows.append(
                {
                    "cell": item.label or "the scenario",
                    "seat": seat,
                    "strategy": item.result.strategies[seat - 1]["plays"],
                    "games": item.result.games,
                    "won": report.metric.estimate_rate(n_wins, item.result.games),
                    "score": report.metric.estimate_mean(item.tally, f"score {seat}"),
                }
            )
    columns = [
        Column("cell", "variant"),
        Column("seat", "seat"),
        Column("strategy", "strategy"),
        Column("games", "games", "count"),
        Column("won", "share of games won", "rate"),
        Column("score", "mean score", "mean"),
    ]
    if len(report.cells) == 1:
        columns = columns[1:]
    return ReportTable("seats", "Seat by seat", columns, rows)


def _make_score_plots(report: ReportData) -> list[Figure]:
    """Return the histogram of the scores of all seats together, if scores differ."""
    n_seats = report.first_cell.players
    counts: Counter[int] = Counter()
    for seat in range(n_seats):
        counts.update(report.base.tally.count_values(f"score {seat + 1}"))
    if len(counts) < 2:
        return []
    starts, heights, width = bin_counts(counts)
    low, median, high = (compute_quantile(dict(counts), q) for q in (0.25, 0.5, 0.75))
    half = f"Half of all scores are {wording.describe_range(low, high)}"
    scope = "These are the scores of all seats together." if n_seats > 1 else "There is one player."
    return [
        model.make_histogram(
            "scores",
            "Scores",
            starts,
            [{"name": "all scores", "role": "h", "y": heights}],
            "score",
            f"Histogram of scores. {half}; the median is {median}.",
            f"{scope} {half}.",
            width,
        )
    ]


def _make_margin_plots(report: ReportData) -> list[Figure]:
    """Return the histogram of the lead of the best score in the sampled games."""
    scores = report.sample_rows[SCORES : SCORES + report.first_cell.players]
    scores = np.sort(scores, axis=0)
    leads = Counter((scores[-1] - scores[-2]).tolist())
    if len(leads) < 2:
        return []
    starts, heights, width = bin_counts(leads)
    median = compute_quantile(dict(leads), 0.5)
    n_close = sum(n for lead, n in leads.items() if lead <= 1)
    close = formatting.format_rate(report.metric.estimate_rate(n_close, leads.total()))
    return [
        model.make_histogram(
            "margins",
            "Margins",
            starts,
            [{"name": "lead", "role": "h", "y": heights}],
            "points between first and second",
            f"Histogram of the lead of the best score. The median lead is {median}.",
            f"The median lead is {median}; {close} of games end with a lead of at most one point "
            f"(from {wording.format_games(scores.shape[1])}).",
            width,
        )
    ]


def _describe_scores(report: ReportData) -> str:
    tally = report.base.tally
    scores = tally.count_values("score 1")
    mean = formatting.format_with_interval(report.metric.estimate_mean(tally, "score 1"), "mean")
    low, high = compute_quantile(scores, 0.25), compute_quantile(scores, 0.75)
    return f"The mean score is {mean}; half of all games score {wording.describe_range(low, high)}."


def _make_target_plot(report: ReportData) -> Figure:
    """Return the share of games that reach each score."""
    counts, games = report.base.tally.count_values("score 1"), report.base.result.games
    scores = sorted(counts)
    shares, n_left = [], games
    for score in scores:
        shares.append(report.metric.estimate_rate(n_left, games))
        n_left -= counts[score]
    target = report.scenario.expect.score_target if report.scenario.expect else None
    reached_by_half = [x for x, e in zip(scores, shares, strict=True) if e.value >= 0.5]
    return model.make_line_plot(
        "target-score",
        "How often a target score would be reached",
        [{"name": "", "role": "a", "x": scores, "estimates": shares}],
        "target score",
        "share of games",
        f"Share of games that reach each score. Half of the games reach {reached_by_half[-1]}.",
        share=True,
        mark=target.score if target else None,
        mark_text="the scenario's target" if target else "",
    )


def bin_counts(
    counts: Mapping[int, int], max_bars: int = MAX_BARS
) -> tuple[list[int], list[float], int]:
    """Return the bars of a histogram: their first values, heights as shares, and common width."""
    low, high, n_games = min(counts), max(counts), sum(counts.values())
    width = -(-(high - low + 1) // max_bars)
    heights = [0.0] * ((high - low) // width + 1)
    for value, n in counts.items():
        heights[(value - low) // width] += n / n_games
    return [low + i * width for i in range(len(heights))], heights, width
