"""Who wins, and with what score: the view of a game in which points are made, against others or alone."""

from __future__ import annotations

from collections import Counter

import numpy as np

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.sim.contract import SCORES
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

MOST_BARS, MOST_SEATS = 40, 24


def section(g: ReportData) -> Section | None:
    if g.metric.competitive:
        figures = [_seats(g), *_scores(g), *_margins(g)]
        return Section(
            "who-wins",
            "Who wins?",
            _sentences(g),
            figures,
            [_table(g)],
            brief=Brief(2, ["seats", "scores"]),
        )
    if g.scenario.game.scored:
        return Section(
            "score",
            "What score?",
            _sentences_alone(g),
            [*_scores(g), _reached(g)],
            [],
            brief=Brief(1, ["target-score"]),
        )
    return None


def _sentences(g: ReportData) -> list[str]:
    edge = first_edge(g.base.tally, g.first_cell.players, g.metric.confidence)
    seen = "helps" if edge.low > 0 else "hurts" if edge.high < 0 else "makes no clear difference"
    told = [
        f"Going first {seen}: seat 1's share of the wins differs by {formatting.format_points(edge)} points "
        f"({formatting.format_points_interval(edge)}) from the average of the other seats."
    ]
    nobody = g.base.tally.games - g.base.tally.count_wins()
    shared = sum(n for mask, n in g.base.tally.count_values("winners").items() if mask & (mask - 1))
    if nobody or shared:
        by_several, by_nobody = (
            formatting.format_rate(g.metric.estimate_rate(n, g.base.result.games)) for n in (shared, nobody)
        )
        told.append(
            f"Several seats share the win in {by_several} of the games; nobody wins in {by_nobody}."
        )
    return told


def first_edge(tally: Tally, players: int, confidence: float) -> Estimate:
    """The share of games that seat 1 wins, less the average share of the other seats, from the same games."""
    total = squared = 0
    for mask, n in tally.count_values("winners").items():
        ahead = (mask & 1) * (players - 1) - (mask >> 1).bit_count()
        total, squared = total + ahead * n, squared + ahead * ahead * n
    e, others = estimates.student_t_mean(tally.games, total, squared, confidence), players - 1
    return Estimate(e.value / others, e.low / others, e.high / others, e.n, confidence)


def _seats(g: ReportData) -> Figure:
    rows = [
        {
            "label": f"seat {s + 1}",
            "group": item.label,
            "estimate": g.metric.estimate_rate(k, item.result.games),
        }
        for item in g.cells
        for s, k in enumerate(item.tally.count_wins_by_seat()[: _players(item)])
    ]
    rows, more = rows[:MOST_SEATS], len(rows) - MOST_SEATS
    alike = len({_players(item) for item in g.cells}) == 1
    return model.dots(
        "seats",
        "Share of games won by seat",
        rows,
        "rate",
        "share of games won",
        mark=1 / g.first_cell.players if alike else None,
        mark_text="an equal share" if alike else "",
        note=f"{more} more are in the table." if more > 0 else "",
    )


def _players(item: PlayedVariant) -> int:
    return len(item.result.strategies)


def _table(g: ReportData) -> Table:
    rows = [
        {
            "cell": item.label or "the scenario",
            "seat": s + 1,
            "strategy": item.result.strategies[s]["plays"],
            "games": item.result.games,
            "won": g.metric.estimate_rate(k, item.result.games),
            "score": g.metric.estimate_mean(item.tally, f"score {s + 1}"),
        }
        for item in g.cells
        for s, k in enumerate(item.tally.count_wins_by_seat()[: _players(item)])
    ]
    columns = [
        Column("cell", "variant"),
        Column("seat", "seat"),
        Column("strategy", "strategy"),
        Column("games", "games", "count"),
        Column("won", "share of games won", "rate"),
        Column("score", "mean score", "mean"),
    ]
    return Table("seats", "Seat by seat", columns if len(g.cells) > 1 else columns[1:], rows)


def _scores(g: ReportData) -> list[Figure]:
    """How often each score was made: all seats together, and the winners' scores where there are rivals."""
    seats = range(g.first_cell.players)
    counts: Counter[int] = Counter()
    for s in seats:
        counts.update(g.base.tally.count_values(f"score {s + 1}"))
    if len(counts) < 2:
        return []
    x, heights, width = binned(counts)
    low, middle, high = (compute_quantile(dict(counts), q) for q in (0.25, 0.5, 0.75))
    half = f"Half of all scores are {wording.between(low, high)}"
    alt = f"How often each score came. {half}; the median is {middle}."
    of = "All seats together" if len(seats) > 1 else "One player"
    return [
        model.bars(
            "scores",
            "Scores",
            x,
            [{"name": "all scores", "role": "a", "y": heights}],
            "score",
            alt,
            f"{of}. {half}.",
            width,
        )
    ]


def _margins(g: ReportData) -> list[Figure]:
    """By how much the best score is ahead of the second, in the games that were kept."""
    scores = np.sort(g.sample_rows[SCORES : SCORES + g.first_cell.players], axis=0)
    lead = Counter((scores[-1] - scores[-2]).tolist())
    if len(lead) < 2:
        return []
    x, heights, width = binned(lead)
    middle = compute_quantile(dict(lead), 0.5)
    close = g.metric.estimate_rate(sum(n for m, n in lead.items() if m <= 1), sum(lead.values()))
    return [
        model.bars(
            "margins",
            "Margins",
            x,
            [{"name": "lead", "role": "a", "y": heights}],
            "points between first and second",
            f"How far the best score is ahead. The median lead is {middle}.",
            f"The median lead is {middle}; {formatting.format_rate(close)} of games end within one point "
            f"(from {wording.games(scores.shape[1])}).",
            width,
        )
    ]


def _sentences_alone(g: ReportData) -> list[str]:
    scores, mean = g.base.tally.count_values("score 1"), g.metric.estimate_mean(g.base.tally, "score 1")
    return [
        f"The mean score is {formatting.format_with_interval(mean, 'mean')}; half of all games score "
        f"{wording.between(compute_quantile(scores, 0.25), compute_quantile(scores, 0.75))}."
    ]


def _reached(g: ReportData) -> Figure:
    """For every target that could be set, how often it would be met."""
    scores, games = g.base.tally.count_values("score 1"), g.base.result.games
    xs, found, left = sorted(scores), [], games
    for score in xs:
        found.append(g.metric.estimate_rate(left, games))
        left -= scores[score]
    target = g.scenario.expect.score_target if g.scenario.expect else None
    halves = [x for x, e in zip(xs, found, strict=True) if e.value >= 0.5]
    alt = f"Share of games that reach each score. Half of the games reach {halves[-1]}."
    return model.lines(
        "target-score",
        "How often a target score would be reached",
        [{"name": "", "role": "a", "x": xs, "estimates": found}],
        "target score",
        "share of games",
        alt,
        share=True,
        mark=target.score if target else None,
        mark_text="the scenario's target" if target else "",
    )


def binned(counts: dict[int, int] | Counter[int]) -> tuple[list[int], list[float], int]:
    """Where bars stand, their heights as shares, and how many values each of them holds."""
    low, high, games = min(counts), max(counts), sum(counts.values())
    width = -(-(high - low + 1) // MOST_BARS)
    heights = [0.0] * ((high - low) // width + 1)
    for value, n in counts.items():
        heights[(value - low) // width] += n / games
    return [low + i * width for i in range(len(heights))], heights, width
