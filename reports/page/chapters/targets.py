"""Targets that a scenario sets itself, and whether they are met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page.model import Column, ReportTable
from hardmode.scenarios.expect import ExpectedOrder, ExpectedRange
from hardmode.scenarios.expectations import group_cells
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

INSIDE, BELOW, ABOVE, OPEN = "inside", "below", "above", "not settled"
IN_ORDER, OUT_OF_ORDER = "in order", "not in order"


def judge_target(estimate: Estimate, band: ExpectedRange) -> str:
    """Return where an estimate lies; this is settled only if its whole interval lies there."""
    if estimate.low >= band.low and estimate.high <= band.high:
        return INSIDE
    if estimate.high < band.low:
        return BELOW
    return ABOVE if estimate.low > band.high else OPEN


def format_target(band: ExpectedRange, scale: int = 100) -> str:
    """Return a target as text, such as `40 .. 55 %` or `more than 60 %`.

    Args:
        band: The target.
        scale: 100 for a target of shares, 1 for one of plain numbers.
    """
    unit = " %" if scale == 100 else ""
    low, high = f"{scale * band.low:g}", f"{scale * band.high:g}"
    if isfinite(band.low) and isfinite(band.high):
        return f"{low} .. {high}{unit}"
    if isfinite(band.low):
        return f"{'more than' if band.strict else 'at least'} {low}{unit}"
    return f"{'less than' if band.strict else 'at most'} {high}{unit}"


def describe_target_result(estimate: Estimate, band: ExpectedRange) -> str:
    """Return the end of a sentence about a win rate and its target."""
    verdict = judge_target(estimate, band)
    target = format_target(band)
    if verdict == OPEN:
        return f"these games do not settle whether that meets the target of {target}"
    return f"that is {verdict} the target of {target}"


def get_win_rate_target(report: ReportData) -> ExpectedRange | None:
    """Return the target of the win rate, if the scenario names one."""
    return report.scenario.expect.win_rate if report.scenario.expect else None


def get_common_target(report: ReportData) -> ExpectedRange | None:
    """Return the target of the win rate, except among rivals, who cannot all meet it."""
    return None if report.metric.competitive else get_win_rate_target(report)


def make_target_band(band: ExpectedRange | None, name: str = "target") -> dict[str, Any]:
    """Return the arguments of a plot that draw a target as a band.

    Args:
        band: The target, or None to draw none.
        name: Words before the target in the key of the plot.
    """
    if not band:
        return {}
    drawn = (max(0.0, band.low), min(1.0, band.high))
    return {"band": drawn, "band_text": f"{name} {format_target(band)}"}


def make_targets_table(report: ReportData) -> ReportTable | None:
    """Return a table with a row for each cell and each target, or None without targets."""
    rows = []
    for item in report.cells:
        for name, band, estimate, kind in _list_expectations(report, item):
            rows.append(
                {
                    "cell": item.label or "the scenario",
                    "what": name,
                    "target": format_target(band, 100 if kind == "rate" else 1),
                    "found": formatting.format_with_interval(estimate, kind),
                    "verdict": judge_target(estimate, band),
                }
            )
    for order in report.scenario.expect.order if report.scenario.expect else ():
        for rest, items in group_cells(order, report.cells, lambda item: item.result.label):
            rows.append(_make_order_row(report, order, rest, items))
    if not rows:
        return None
    columns = [
        Column("cell", "variant"),
        Column("what", "what"),
        Column("target", "target"),
        Column("found", "found"),
        Column("verdict", "verdict"),
    ]
    return ReportTable(
        "targets", "Targets", columns if len(report.cells) > 1 else columns[1:], rows
    )


def _make_order_row(
    report: ReportData,
    order: ExpectedOrder,
    rest: Mapping[str, Any],
    items: Sequence[PlayedVariant],
) -> dict[str, Any]:
    """Return a row on whether cells are as hard as ordered, with the smallest step."""
    steps = []
    for item, following in pairwise(items):
        steps.append(report.metric.estimate_win_difference(item.tally, following.tally))
    smallest = min(steps, key=lambda step: step.low)
    verdict = IN_ORDER if smallest.low >= 0 else OPEN
    if any(step.high < 0 for step in steps):
        verdict = OUT_OF_ORDER
    choices = []
    for path, value in rest.items():
        choices.append(f"{wording.format_path_end(path)} {wording.format_setup_value(value)}")
    return {
        "cell": ", ".join(choices) or "the scenario",
        "what": f"order of the {report.metric.win_rate_label}",
        "target": str(order),
        "found": f"smallest step {formatting.format_with_interval(smallest, 'points')}",
        "verdict": verdict,
    }


def _list_expectations(
    report: ReportData, item: PlayedVariant
) -> Iterator[tuple[str, ExpectedRange, Estimate, str]]:
    """Yield name, target, estimate and kind of value for each expectation."""
    expect, metric, tally = report.scenario.expect, report.metric, item.tally
    if not expect:
        return
    if expect.win_rate:
        rate = metric.estimate_win_rate(tally)
        yield metric.win_rate_label, expect.win_rate, rate, "rate"
    for column, name, amounts in (
        ("rounds", f"length in {tally.game.unit}", expect.rounds),
        ("score 1", "score", expect.score),
    ):
        if not amounts:
            continue
        if amounts.mean:
            yield f"mean {name}", amounts.mean, metric.estimate_mean(tally, column), "mean"
        for q, band in amounts.quantiles:
            quantile = estimates.order_statistic_quantile(
                tally.count_values(column), q, metric.confidence
            )
            yield f"{name} that {100 * q:g} % of games do not exceed", band, quantile, "mean"
    if expect.score_target:
        target = expect.score_target
        scores = tally.count_values("score 1")
        n_reached = sum(n for score, n in scores.items() if score >= target.score)
        rate = metric.estimate_rate(n_reached, tally.games)
        yield f"games that reach {target.score:g} points", target.rate, rate, "rate"
    for ending, band in expect.endings.items():
        rate = metric.estimate_rate(tally.count_endings()[ending], tally.games)
        yield f"ending: {ending}", band, rate, "rate"
