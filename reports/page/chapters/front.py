"""Head of a chapter: the headline, the three bands, the facts, and the details of the box."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

from hardmode.reports.console import uncertainty, wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters import assumptions, rivals, skill_band, targets
from hardmode.reports.page.model import Figure
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.core.skill_levels import PLAYER_NAMES, STEADY
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.band import UncertaintyBand

EPOCH = "SOURCE_DATE_EPOCH"  # environment variable with the date of reproducible builds, in seconds
QUARTILES = (0.25, 0.5, 0.75)


def describe_headline(report: ReportData) -> str:
    """Return who wins how often, and how much the assumptions could change that."""
    return f"{_describe_wins(report)} {_describe_uncertainty(report)}".rstrip()


def _describe_wins(report: ReportData) -> str:
    n_seats = report.first_cell.players
    if len(report.cells) > 1:
        return _describe_range(report)
    share = report.metric.estimate_win_rate(report.cells[0].tally).value
    wins = wording.format_games_in_100(share)
    if report.metric.competitive:
        equal_share = wording.format_games_in_100(rivals.compute_equal_share(report.cells[0]))
        return (
            f"Seat 1 of {n_seats} wins {wins} of 100 games; an equal share of all wins would be "
            f"{equal_share}."
        )
    own = str(report.first_cell.strategies[0])
    names = [f"{wins} of 100 games"]
    for level, rate in skill_band.get_skill_band(report).items():
        if level not in (own, STEADY):
            wins = wording.format_games_in_100(rate.value)
            names.append(f"{PLAYER_NAMES[level]} {wins}")
    return f"{wording.name_players(own)} win {wording.join_names(names)}."


def _describe_range(report: ReportData) -> str:
    """Return how often games are won in the hardest and in the easiest variant."""

    def estimate_share(item: PlayedVariant) -> float:
        return report.metric.estimate_win_rate(item.tally).value

    hardest = min(report.cells, key=estimate_share)
    easiest = max(report.cells, key=estimate_share)
    low = wording.format_games_in_100(estimate_share(hardest))
    high = wording.format_games_in_100(estimate_share(easiest))
    subject = "The players win"
    if report.metric.competitive:
        subject = f"Seat 1 of {report.first_cell.players} wins"
    return (
        f"{subject} between {low} and {high} of 100 games: the fewest with “{hardest.label}”, the "
        f"most with “{easiest.label}”."
    )


def _describe_uncertainty(report: ReportData) -> str:
    band = assumptions.get_named_player_band(report)
    if not band or len(report.cells) > 1 or report.metric.competitive:
        return ""
    shares = uncertainty.extract_percentiles(band).values()
    low, high = (wording.format_games_in_100(share) for share in (min(shares), max(shares)))
    if low == high:
        return ""
    who = wording.name_players(str(report.first_cell.strategies[0]))
    sentence = (
        "Some numbers of the box are assumptions: with other plausible values, "
        f"{who[0].lower()}{who[1:]} could win between {low} and {high} of 100 games."
    )
    return f"{sentence} {_describe_position(report, band)}".rstrip()


def _describe_position(report: ReportData, band: UncertaintyBand) -> str:
    """Return why the headline lies outside its band, or at which end of it, in a sentence."""
    analysis = report.uncertainty
    headline = report.metric.estimate_win_rate(report.cells[0].tally)
    outside = uncertainty.explain_outside(analysis, headline, band) if analysis else ""
    if outside:
        return f"{outside[0].upper()}{outside[1:]}."
    end = uncertainty.describe_end(band)
    return f"The assumptions made here are at the {end} end of that." if end else ""


def make_band_figures(report: ReportData) -> list[Figure]:
    """Return the plot of the confidence interval, the skill band and the uncertainty band."""
    if len(report.cells) > 1 or report.metric.competitive:
        return []
    rate = report.metric.estimate_win_rate(report.base.tally)
    levels = skill_band.get_skill_band(report)
    rows = [{"label": "chance alone", "estimate": rate}]
    if len(levels) > 1:
        names = list(levels)
        shares = [rate.value, *(e.value for e in levels.values())]
        band = Estimate(rate.value, min(shares), max(shares), 0)
        rows.append({"label": f"skill: {names[0]} to {names[-1]}", "estimate": band})
    uncertainty_band = assumptions.get_named_player_band(report)
    if uncertainty_band:
        percentiles = uncertainty.extract_percentiles(uncertainty_band)
        low, median, high = (percentiles[p] for p in sorted(percentiles))
        rows.append({"label": "assumptions", "estimate": Estimate(median, low, high, 0)})
    label = report.metric.win_rate_label
    title, note = label.capitalize(), ""
    if len(rows) > 1:
        title = f"What the {label} depends on"
        note = (
            "The skill band runs from weaker to better players. The band of assumptions holds 90 "
            "of 100 plausible boxes."
        )
    target = targets.make_target_band(targets.get_win_rate_target(report))
    return [model.make_dot_plot("win-rate", title, rows, "rate", label, note=note, **target)]


def list_facts(report: ReportData) -> list[tuple[str, str, str]]:
    """Return the headline, the bands and the target: the name, figure and explanation of each."""
    rates = [report.metric.estimate_win_rate(item.tally) for item in report.cells]
    name = "seat 1 wins" if report.metric.competitive else "win rate"
    if len(rates) == 1:
        interval = formatting.format_percent_interval(rates[0])
        headline = (name, formatting.format_percent(rates[0]), f"{interval} by chance")
    else:
        shares = [100 * rate.value for rate in rates]
        text = f"{min(shares):.0f} to {max(shares):.0f} %"
        headline = (name, text, f"over {len(rates)} variants")
    facts = [
        headline,
        *skill_band.list_skill_band_facts(report),
        *assumptions.list_uncertainty_facts(report),
    ]
    band = targets.get_common_target(report)
    if band:
        verdicts = [targets.judge_target(rate, band) for rate in rates]
        result = verdicts[0]
        if len(verdicts) > 1:
            result = f"{verdicts.count(targets.INSIDE)} of {len(verdicts)} inside"
        facts.append(("target", targets.format_target(band), result))
    return facts


def list_box_facts(report: ReportData) -> list[tuple[str, str]]:
    """Return what the side of a game box shows: players, length, time; and the origin of it."""
    game, made_by = report.scenario.game, report.base.result.made_by
    n_games = sum(item.result.games for item in report.played_variants)
    scope = "each variant" if len(report.cells) > 1 else "the scenario itself"
    overlay = report.first_cell.overlay
    facts = [
        ("players", _format_players(report)),
        ("length", describe_length(report)),
        ("time", _format_minutes(report)),
        ("box", overlay.summary if overlay else ""),
        ("played", f"{wording.format_games(n_games)}, {report.base.result.games:,} of {scope}"),
        ("author", report.scenario.author),
        ("date", _format_today()),
        ("version", f"rules {game.version}, hardmode {made_by.get('hardmode', 'unknown')}"),
    ]
    return [(name, text) for name, text in facts if text]


def _format_players(report: ReportData) -> str:
    counts = sorted({cell.players for cell in report.scenario.cells})
    played = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    parameter = report.first_cell.parameters.get(PLAYERS_PATH)
    if not parameter or parameter.min is None or parameter.max is None:
        return played
    allowed = f"{parameter.min:g} to {parameter.max:g}"
    return played if allowed == played else f"{played} (the box allows {allowed})"


def describe_length(report: ReportData) -> str:
    """Return the median length of a game, and the range of half of all games."""
    rounds = report.total_tally.count_values("rounds")
    low, median, high = (compute_quantile(rounds, q) for q in QUARTILES)
    return f"{median} {report.scenario.game.unit} (half of all games: {low} to {high})"


def _format_minutes(report: ReportData) -> str:
    minutes = report.scenario.minutes_per_round
    if not minutes:
        return ""
    rounds = report.total_tally.count_values("rounds")
    low, median, high = (round(minutes * compute_quantile(rounds, q)) for q in QUARTILES)
    unit = wording.singularize_unit(report.scenario.game.unit)
    return f"{median} minutes (half of all games: {low} to {high}), at {minutes:g} per {unit}"


def _format_today() -> str:
    now = datetime.fromtimestamp(float(os.environ.get(EPOCH) or time.time()), UTC)
    return f"{now.day} {now:%B %Y}"
