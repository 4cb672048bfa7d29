"""The first screen: one sentence to quote, what stands behind it, and what a box says on its side."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

from hardmode.reports.console import uncertainty, wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import assumptions, skill_band, targets
from hardmode.reports.page.model import Figure
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.core.skill_levels import PLAYER_NAMES, STEADY
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

EPOCH = "SOURCE_DATE_EPOCH"  # the seconds that a build, which must be the same on every day, takes for now


def quote(g: ReportData) -> str:
    """The verdict in one breath: who wins how often, and how far what is assumed might move that."""
    return " ".join([_won(g), *_unknown(g)])


def _won(g: ReportData) -> str:
    rates = [g.metric.estimate_win_rate(item.tally) for item in g.cells]
    if len(rates) > 1:
        low, high = (
            pick(g.cells, key=lambda i: g.metric.estimate_win_rate(i.tally).value) for pick in (min, max)
        )
        ends = [wording.of_100(pick(e.value for e in rates)) for pick in (min, max)]
        who = f"Seat 1 of {g.first_cell.players}" if g.metric.competitive else "The players"
        wins = "wins" if g.metric.competitive else "win"
        return (
            f"{who} {wins} between {ends[0]} and {ends[1]} of 100 games: fewest with “{low.label}”, most with "
            f"“{high.label}”."
        )
    won = wording.of_100(rates[0].value)
    if g.metric.competitive:
        fair = f"{100 / g.first_cell.players:.0f}"
        return (
            f"Seat 1 of {g.first_cell.players} wins {won} of 100 games; an equal share would be {fair}."
        )
    own = str(g.first_cell.strategies[0])
    others = [
        f"{PLAYER_NAMES[rung]} {wording.of_100(rate.value)}"
        for rung, rate in skill_band.band(g).items()
        if rung not in (own, STEADY)
    ]
    return f"{wording.players(own)} win {wording.listed([f'{won} of 100 games', *others])}."


def _unknown(g: ReportData) -> list[str]:
    """What the assumed numbers of the box could make of it."""
    band = assumptions.as_named(g)
    if not band or len(g.cells) > 1 or g.metric.competitive:
        return []
    at = uncertainty.percentiles(band)
    low, high = (wording.of_100(at[p]) for p in (min(at), max(at)))
    if low == high:
        return []
    return [
        f"Some numbers of the box are assumptions: with other plausible values it is anything "
        f"from {low} to {high}."
    ]


def bands(g: ReportData) -> list[Figure]:
    """Three widths that are never mixed: what chance, who plays, and what is assumed each leave open."""
    won, played, band = (
        g.metric.estimate_win_rate(g.base.tally),
        list(skill_band.band(g).items()),
        assumptions.as_named(g),
    )
    if len(g.cells) > 1 or g.metric.competitive:
        return []
    rows = [{"label": "chance alone", "estimate": won}]
    if len(played) > 1:
        ends = sorted(e.value for _, e in played)
        rows.append(
            {
                "label": f"who plays: {played[0][0]} to {played[-1][0]}",
                "estimate": Estimate(
                    won.value, min(ends[0], won.value), max(ends[-1], won.value), 0
                ),
            }
        )
    if band:
        at = uncertainty.percentiles(band)
        low, middle, high = (at[p] for p in sorted(at))
        rows.append({"label": "what is assumed", "estimate": Estimate(middle, low, high, 0)})
    target = targets.win_band(g)
    title = f"What the {g.metric.win_rate_label} depends on" if len(rows) > 1 else g.metric.win_rate_label.capitalize()
    return [
        model.dots(
            "win-rate",
            title,
            rows,
            "rate",
            g.metric.win_rate_label,
            band=targets.drawn(target),
            band_text=f"target {targets.text(target)}" if target else "",
            note="A band of who plays runs from the weaker to the better players; one of what is assumed "
            "holds 90 of 100 plausible boxes."
            if len(rows) > 1
            else "",
        )
    ]


def facts(g: ReportData) -> list[tuple[str, str, str]]:
    """The headline, and the bands beside it."""
    won = [g.metric.estimate_win_rate(i.tally) for i in g.cells]
    name = "seat 1 wins" if g.metric.competitive else "win rate"
    if len(won) == 1:
        first = (
            name,
            formatting.format_percent(won[0]),
            f"{formatting.format_percent_interval(won[0])} by chance",
        )
    else:
        low, high = min(won, key=lambda e: e.value), max(won, key=lambda e: e.value)
        first = (
            name,
            f"{100 * low.value:.0f} to {100 * high.value:.0f} %",
            f"over {len(won)} variants",
        )
    band = None if g.metric.competitive else targets.win_band(g)
    target = []
    if band:
        met = [targets.verdict(e, band) for e in won]
        inside = met[0] if len(met) == 1 else f"{met.count(targets.INSIDE)} of {len(met)} inside"
        target.append(("target", targets.text(band), inside))
    return [first, *skill_band.fact(g), *assumptions.band_fact(g), *target]


def box(g: ReportData) -> list[tuple[str, str]]:
    """What a publisher looks for: players, length, time, how much was played, and who says so when."""
    game, made = g.scenario.game, g.base.result.made_by
    games = sum(i.result.games for i in g.played_variants)
    each = f"{g.base.result.games:,} of " + (
        "each variant" if len(g.cells) > 1 else "the scenario itself"
    )
    own = g.first_cell.overlay
    found = [
        ("players", _players(g)),
        ("length", length(g)),
        ("time", _minutes(g)),
        ("box", own.summary if own else ""),
        ("played", f"{wording.games(games)}, {each}"),
        ("author", g.scenario.author),
        ("date", _today()),
        ("version", f"rules {game.version}, hardmode {made.get('hardmode', 'unknown')}"),
    ]
    return [(name, text) for name, text in found if text]


def _players(g: ReportData) -> str:
    counts = sorted({cell.players for cell in g.scenario.cells})
    leaf = g.first_cell.parameters.get(PLAYERS_PATH)
    here = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    most = (
        f"{leaf.min:g} to {leaf.max:g}"
        if leaf and leaf.min is not None and leaf.max is not None
        else here
    )
    return here if most == here else f"{here} (the box: {most})"


def length(g: ReportData) -> str:
    low, middle, high = (compute_quantile(g.total_tally.count_values("rounds"), q) for q in (0.25, 0.5, 0.75))
    return f"{middle} {g.scenario.game.unit} (half of all games: {low} to {high})"


def _minutes(g: ReportData) -> str:
    each = g.scenario.minutes_per_round
    if not each:
        return ""
    low, middle, high = (
        round(each * compute_quantile(g.total_tally.count_values("rounds"), q)) for q in (0.25, 0.5, 0.75)
    )
    unit = g.scenario.game.unit.rstrip("s")
    return f"{middle} minutes (half of all games: {low} to {high}), at {each:g} a {unit}"


def _today() -> str:
    now = datetime.fromtimestamp(float(os.environ.get(EPOCH) or time.time()), UTC)
    return f"{now.day} {now:%B %Y}"
