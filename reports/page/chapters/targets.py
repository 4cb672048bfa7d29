"""The targets that the scenario sets itself, and whether it meets them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page.model import Column, Table
from hardmode.scenarios.expect import ExpectedOrder, ExpectedRange
from hardmode.scenarios.expectations import group_cells
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

INSIDE, BELOW, ABOVE, OPEN = "inside", "below", "above", "not settled"
IN_ORDER, OUT_OF_ORDER = "in order", "not in order"


def verdict(found: Estimate, band: ExpectedRange) -> str:
    """Where an estimate lies: settled only when its whole interval lies there."""
    if found.low >= band.low and found.high <= band.high:
        return INSIDE
    if found.high < band.low:
        return BELOW
    return ABOVE if found.low > band.high else OPEN


def text(band: ExpectedRange, scale: int = 100) -> str:
    """A band in words: `40 .. 55 %`, or `more than 60 %`; with a scale of 1 it is one of plain numbers."""
    unit = " %" if scale == 100 else ""
    if isfinite(band.low) and isfinite(band.high):
        return f"{scale * band.low:g} .. {scale * band.high:g}{unit}"
    if isfinite(band.low):
        return f"{'more than' if band.strict else 'at least'} {scale * band.low:g}{unit}"
    return f"{'less than' if band.strict else 'at most'} {scale * band.high:g}{unit}"


def sentence_end(found: Estimate, band: ExpectedRange) -> str:
    """The end of a sentence about a win rate and its target."""
    where = verdict(found, band)
    if where == OPEN:
        return f"whether that meets the target of {text(band)} is not settled by these games"
    return f"that is {where} the target of {text(band)}"


def win_band(g: ReportData) -> ExpectedRange | None:
    return g.scenario.expect.win_rate if g.scenario.expect else None


def drawn(band: ExpectedRange | None) -> tuple[float, float] | None:
    """The part of a band that fits on an axis of rates."""
    return (max(0.0, band.low), min(1.0, band.high)) if band else None


def table(g: ReportData) -> Table | None:
    """One row for each cell and each thing that is expected of it."""
    rows = [
        {
            "cell": item.label or "the scenario",
            "what": what,
            "target": text(band, 100 if kind == "rate" else 1),
            "found": formatting.format_with_interval(found, kind),
            "verdict": verdict(found, band),
        }
        for item in g.cells
        for what, band, found, kind in _expected(g, item)
    ]
    rows += [
        _ordered(g, order, rest, items)
        for order in (g.scenario.expect.order if g.scenario.expect else ())
        for rest, items in group_cells(order, g.cells, lambda item: item.result.label)
    ]
    if not rows:
        return None
    columns = [
        Column("cell", "variant"),
        Column("what", "what"),
        Column("target", "target"),
        Column("found", "found"),
        Column("verdict", "verdict"),
    ]
    return Table("targets", "Targets", columns if len(g.cells) > 1 else columns[1:], rows)


def _ordered(
    g: ReportData, order: ExpectedOrder, rest: Mapping[str, Any], items: Sequence[PlayedVariant]
) -> dict[str, Any]:
    """Whether cells are won in the order expected of them; the smallest step is shown."""
    steps = [g.metric.estimate_win_difference(a.tally, b.tally) for a, b in pairwise(items)]
    least = min(steps, key=lambda step: step.low)
    met = OUT_OF_ORDER if any(s.high < 0 for s in steps) else IN_ORDER if least.low >= 0 else OPEN
    label = ", ".join(
        f"{wording.path(path)} {wording.value(value)}" for path, value in rest.items()
    )
    return {
        "cell": label or "the scenario",
        "what": f"order of the {g.metric.win_rate_label}",
        "target": str(order),
        "found": f"smallest step {formatting.format_with_interval(least, 'points')}",
        "verdict": met,
    }


def _expected(g: ReportData, item: PlayedVariant) -> Iterator[tuple[str, ExpectedRange, Estimate, str]]:
    expect, measure, tally = g.scenario.expect, g.metric, item.tally
    if not expect:
        return
    if expect.win_rate:
        yield measure.win_rate_label, expect.win_rate, measure.estimate_win_rate(tally), "rate"
    for column, what, amounts in (
        ("rounds", f"length in {tally.game.unit}", expect.rounds),
        ("score 1", "score", expect.score),
    ):
        if amounts and amounts.mean:
            yield f"mean {what}", amounts.mean, measure.estimate_mean(tally, column), "mean"
        for q, band in amounts.quantiles if amounts else ():
            found = estimates.order_statistic_quantile(tally.count_values(column), q, measure.confidence)
            yield f"{what} that {100 * q:g} % of games do not exceed", band, found, "mean"
    if expect.score_target:
        scores = tally.count_values("score 1")
        reached = sum(n for score, n in scores.items() if score >= expect.score_target.score)
        yield (
            f"games that reach {expect.score_target.score:g} points",
            expect.score_target.rate,
            measure.estimate_rate(reached, tally.games),
            "rate",
        )
    for ending, band in expect.endings.items():
        yield f"ending: {ending}", band, measure.estimate_rate(tally.count_endings()[ending], tally.games), "rate"
