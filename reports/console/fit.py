"""Output of `fit`: the level of play, unknown numbers and misfits; and forecasts for a fit file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    Verdict,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import format_count, format_games, join_names
from hardmode.reports.page.model import Column, ReportTable
from hardmode.studies.playtests.fit.analysis import FitResult
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.playtests.fit.goodness_of_fit import MeasureTest
from hardmode.studies.playtests.fit.posterior import MIN_EFFECTIVE_BOXES, Band
from hardmode.studies.playtests.fit.posterior_predictive import Forecast, ForecastDifference
from hardmode.studies.stats.estimates import Estimate

MIN_BITS_DIFFERENCE = 0.005  # smaller differences between variants are chance
SMALL_SHARE = 0.1  # below which shares have a decimal
MAX_MEASURES = 12  # in the table, those that fit worst first
MAX_ENDINGS = 4  # of a forecast that are named
MAX_TIMES_MORE = 20  # the largest multiple of the plays that is considered
BAND_KEYS = {"5", "50", "95"}
BAND_CONFIDENCE = 0.9
BAND_NOTE = "The true value lies in a band with a probability of 90 %."
LEFT_HEADERS = ("how it ends", "fits", "B is harder")


def print_fit(
    fit: FitResult,
    arguments: str = PLACEHOLDER,
    details: bool = False,
    path: Path | None = None,
) -> None:
    """Print a verdict on how well people play, then sentences and tables.

    Args:
        fit: The result of the fit.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
        path: The fit file that was written, or None.
    """
    verdict = make_verdict(fit, arguments, path)
    print_verdict(verdict)
    for line in describe_fit(fit):
        if line not in verdict.text:
            out.print(escape(line), soft_wrap=True)
    if len(fit.group_levels) > 1:
        out.print(_make_group_table(fit))
    if fit.unknowns:
        out.print(_make_unknowns_table(fit))
    if fit.measures:
        out.print(_make_measure_table(fit))
        _print_omitted(len(fit.measures) - MAX_MEASURES)
    boxes = format_count(len(fit.boxes), "box")
    print_details(
        [
            f"{BAND_NOTE} {format_games(fit.games)} with each of {boxes} at every level; seed "
            f"{fit.seed}"
        ],
        details,
    )


def make_verdict(fit: FitResult, arguments: str = PLACEHOLDER, path: Path | None = None) -> Verdict:
    """Return how well people play, how certain that is, and what to try next.

    Args:
        fit: The result of the fit.
        arguments: The scenario and its changes, as the user gave them.
        path: The fit file that was written, or None.
    """
    title = f"{fit.cell.game.title}: {fit.cell.title}{fit.cell.overlay_suffix}"
    answer = f"{_describe_level(fit)} {_describe_win_rate(fit)}"
    certainty = f"{BAND_NOTE} {_describe_more_plays(fit)}"
    next_step = "with -o fit.yaml, --fit fit.yaml lets other commands play as well as these people"
    if path:
        next_step = f"hardmode run {arguments} --fit {path} forecasts games of these people"
    if not fit.fits:
        answer = describe_fit(fit)[0]
    return Verdict(title, answer, certainty, next_step)


def _print_omitted(n_measures: int) -> None:
    if n_measures > 0:
        more = format_count(n_measures, "more measure")
        out.print(f"[dim]and {more} with a better fit; --json lists all[/dim]")


def describe_fit(fit: FitResult) -> list[str]:
    """Return the result of a fit in sentences; if the model does not fit, that comes first."""
    lines = []
    if not fit.fits:
        misfits = [describe_misfit(test) for test in fit.measures if test.is_misfit]
        lines.append(
            f"The model does not fit these plays: {join_names(misfits)}. The results below rest "
            "on this model all the same; do not trust them."
        )
    lines.append(_describe_level(fit))
    if fit.learning and fit.learning.is_clear:
        verb = "learnt" if fit.learning.probability_fewer > 0.5 else "got worse"
        lines.append(
            f"They have {verb}: from {format_band(fit.learning.first)} mistakes at the first play "
            f"to {format_band(fit.learning.last)} at the last. The forecast is for their present "
            "level."
        )
    lines.append(_describe_win_rate(fit))
    lines.append(_describe_more_plays(fit))
    lines += _describe_power(fit)
    best = fit.next_variants[0] if fit.next_variants else None
    if best and best.bits - fit.next_variants[-1].bits > MIN_BITS_DIFFERENCE:
        worst = fit.next_variants[-1]
        lines.append(
            f"To learn most about these players and the box, play {best.name} next; a game of "
            f"{worst.name} is expected to tell {100 * max(0.0, worst.bits) / best.bits:.0f} % as "
            "much."
        )
    lines += _describe_setup_matching(fit.setup_factors)
    if len(fit.boxes) > 1 and fit.effective_boxes < MIN_EFFECTIVE_BOXES:
        lines.append(
            "Few of the sampled boxes agree with the plays, so the plays count for less than they "
            "could. More --seconds samples more boxes, and --free NUMBER samples fewer numbers."
        )
    return lines


def _describe_level(fit: FitResult) -> str:
    seat = " at seat 1" if fit.cell.seats_compete else ""
    return (
        f"Your {format_count(fit.plays, 'play')} fit{'s' if fit.plays == 1 else ''} a player{seat} "
        f"who makes mistakes in {format_band(fit.level)} of the decisions and otherwise plays "
        f"{fit.base_player}; the nearest skill level is {fit.skill_level}."
    )


def _describe_win_rate(fit: FitResult) -> str:
    games = f"games of {fit.cell.readable_label}" if fit.cell.label else "games"
    text = f"Such players win {format_band(fit.win_rate)} of their {games}."
    return f"{text} That is a wide band: so few plays say little." if fit.is_wide else text


def _describe_more_plays(fit: FitResult) -> str:
    if fit.is_latest:
        return "How many more plays would halve the band is unknown while players are learning."
    if fit.more_plays:
        return f"About {format_count(fit.more_plays, 'more play')} would halve the band."
    plays = format_count(MAX_TIMES_MORE * fit.plays, "more play")
    return (
        f"Even {plays} would not halve the band: the rest comes from unknown numbers of the box, "
        "and from chance in the simulated games, of which more --seconds would play more."
    )


def _describe_power(fit: FitResult) -> list[str]:
    """Return how far off a measure must be for plays like these to show it, if the model fits."""
    numbers = [test for test in fit.measures if test.detectable and test.game_sd]
    if not fit.fits or not numbers:
        return []
    best = min(numbers, key=lambda test: (test.detectable or 0.0) / test.game_sd)
    difference = best.detectable or 0.0
    return [
        f"That the model fits does not prove it right. In nine of ten tables like this, the mean "
        f"of {best.measure} is found to be wrong if it is {_format_figures(difference)} off "
        f"({difference / best.game_sd:.1f} standard deviations of a game); smaller errors may go "
        "unnoticed."
    ]


def _describe_setup_matching(factors: dict[str, list[str]]) -> list[str]:
    """Return how the fit allowed for what the plays were dealt at set-up."""
    texts = {
        "used": "Plays were compared with simulated games with the same {}.",
        "left": (
            "For some plays, too few simulated games have the same {}; these plays were compared "
            "with other games too."
        ),
        "in_play": "The fit ignores values that arise only during play: {}.",
    }
    return [text.format(join_names(factors[kind])) for kind, text in texts.items() if factors[kind]]


def describe_misfit(test: MeasureTest) -> str:
    """Return how far a measure lies from what the model predicts, and the likely causes."""
    format_value = _format_share if test.is_share else _format_number
    low, high = test.reach
    limit = ""
    if test.observed > high:
        limit = f"; no level in any box exceeds {format_value(high)}"
    elif test.observed < low:
        limit = f"; no level in any box is below {format_value(low)}"
    causes = ""
    if test.likely_causes:
        causes = f"; {join_names(test.likely_causes)} may be the reason"
    predicted = f"{format_value(test.predicted['5'])} to {format_value(test.predicted['95'])}"
    return (
        f"{test.measure} is {format_value(test.observed)} in {format_count(test.n, 'play')}, but "
        f"the model predicts {predicted} {test.given} (p = {test.p:.2g}){limit}{causes}"
    )


def format_band(band: Band, decimals: int | None = None) -> str:
    """Return a band of a share in percent, such as "31 % (18 .. 46)".

    Args:
        band: The percentiles 5, 50 and 95.
        decimals: Number of decimals; by default 1 if the whole band is small, otherwise 0.
    """
    if decimals is None:
        decimals = _choose_decimals([band])
    low, median, high = (f"{100 * band[key]:.{decimals}f}" for key in ("5", "50", "95"))
    return f"{median} % ({low} .. {high})"


def _choose_decimals(bands: Sequence[Band]) -> int:
    return 1 if any(band["95"] < SMALL_SHARE for band in bands) else 0


def _format_share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _format_number(x: float) -> str:
    return f"{round(x, 1) + 0.0:.1f}"  # adding 0.0 makes -0.0 positive


def _format_figures(x: float) -> str:
    """Return a whole number as it is, and any other number to three significant figures."""
    return f"{x:.0f}" if x == round(x) else f"{float(f'{x:.3g}'):g}"


def _start_table(*headers: str) -> Table:
    table = Table(header_style="bold")
    for i, header in enumerate(headers):
        table.add_column(header, justify="right" if i and header not in LEFT_HEADERS else "left")
    return table


def _make_group_table(fit: FitResult) -> Table:
    table = _start_table("group", "plays", "mistakes")
    decimals = _choose_decimals(list(fit.group_levels.values()))
    for group, level in fit.group_levels.items():
        table.add_row(escape(group), str(fit.group_plays[group]), format_band(level, decimals))
    return table


def _make_unknowns_table(fit: FitResult) -> Table:
    table = _start_table("unknown number", "estimate after the plays")
    for path, values in fit.unknowns.items():
        if set(values) == BAND_KEYS:
            low, median, high = (_format_figures(values[key]) for key in ("5", "50", "95"))
            text = f"{median} ({low} .. {high})"
        else:
            likely = sorted(values.items(), key=lambda item: -item[1])
            text = ", ".join(f"{name} {_format_share(p)}" for name, p in likely if p)
        table.add_row(escape(path), escape(text))
    return table


def _make_measure_table(fit: FitResult) -> Table:
    table = _start_table("measure", "plays", "observed", "the model", "p-value", "fits")
    for test in fit.measures[:MAX_MEASURES]:
        format_value = _format_share if test.is_share else _format_number
        low, median, high = (format_value(test.predicted[key]) for key in ("5", "50", "95"))
        table.add_row(
            escape(test.measure),
            str(test.n),
            format_value(test.observed),
            f"{median} ({low} .. {high})",
            f"{test.p:.2g}",
            "no" if test.is_misfit else "yes",
        )
    return table


# Forecasts for the players of a fit file


def describe_fitted_players(file: FitFile) -> str:
    """Return the players that a forecast is for."""
    latest = " at the last of them" if file.is_latest else ""
    warning = "" if file.fits else "; the model did not fit those plays, so do not trust this"
    return (
        f"played at the level of {file.file}: {format_count(file.plays, 'play')}, "
        f"{format_band(file.level)} mistakes of {file.player}{latest}, near {file.skill_level}"
        f"{warning}"
    )


def print_forecast(forecasts: Sequence[Forecast], file: FitFile, details: bool = False) -> None:
    """Print a verdict and the forecast of each cell."""
    first = forecasts[0].cell
    print_verdict(make_forecast_verdict(forecasts, file))
    table = _start_table("cell", "games", "win rate", first.game.unit, "how it ends")
    decimals = _choose_decimals([forecast.win_rate for forecast in forecasts])
    for forecast in forecasts:
        low, median, high = (f"{forecast.rounds[key]:.1f}" for key in ("5", "50", "95"))
        endings = sorted(forecast.endings.items(), key=lambda item: -item[1]["50"])
        shares = [f"{name} {_format_share(b['50'])}" for name, b in endings[:MAX_ENDINGS]]
        table.add_row(
            escape(forecast.cell.readable_label or "all"),
            f"{forecast.games:,}",
            format_band(forecast.win_rate, decimals),
            f"{median} ({low} .. {high})",
            escape(", ".join(shares)),
        )
    out.print(table)
    print_details(
        [
            f"{BAND_NOTE} The bands show what the plays leave open about the level of play and "
            "about the box."
        ],
        details,
    )


def make_forecast_verdict(forecasts: Sequence[Forecast], file: FitFile) -> Verdict:
    """Return how often the fitted people would win, and how certain that is."""
    first = forecasts[0]
    title = f"{first.cell.game.title}: {first.cell.title}{first.cell.overlay_suffix}"
    answer = f"These people would win {format_band(first.win_rate)} of their games."
    if len(forecasts) > 1:
        ranked = sorted(forecasts, key=lambda forecast: forecast.win_rate["50"])
        low, high = ranked[0], ranked[-1]
        answer = (
            f"These people would win {format_band(low.win_rate)} of their games with "
            f"{low.cell.readable_label}, and {format_band(high.win_rate)} with "
            f"{high.cell.readable_label}."
        )
    players = describe_fitted_players(file)
    certainty = f"{players[0].upper()}{players[1:]}. {BAND_NOTE}"
    next_step = "more plays in hardmode fit narrow the band"
    return Verdict(title, answer, certainty, next_step)


def make_difference_verdict(differences: Sequence[ForecastDifference], file: FitFile) -> Verdict:
    """Return whether B would be harder for the fitted people, and how certain that is."""
    largest = max(differences, key=lambda difference: abs(difference.change["50"]))
    a, b = (format_band(forecast.win_rate) for forecast in (largest.a, largest.b))
    cell = f" with {largest.a.cell.readable_label}" if largest.a.cell.label else ""
    answer = (
        f"B is harder for these people{cell} with a probability of "
        f"{_format_share(largest.probability_harder)}: they would win {b} of their games instead "
        f"of {a}."
    )
    title = f"{largest.a.cell.game.title}: A and B"
    players = describe_fitted_players(file)
    certainty = f"{players[0].upper()}{players[1:]}. {BAND_NOTE}"
    return Verdict(title, answer, certainty, "more plays in hardmode fit narrow the band")


def print_forecast_difference(differences: Sequence[ForecastDifference], file: FitFile) -> None:
    """Print the forecasts of A and B, and their difference."""
    print_verdict(make_difference_verdict(differences, file))
    table = _start_table(
        "cell", "games", "A wins", "B wins", "win rate, B - A, % points", "B is harder"
    )
    decimals = _choose_decimals([f.win_rate for d in differences for f in (d.a, d.b)])
    for difference in differences:
        change = difference.change
        low, median, high = (f"{100 * change[key]:+.1f}" for key in ("5", "50", "95"))
        table.add_row(
            escape(difference.a.cell.readable_label or "all"),
            f"{difference.a.games:,}",
            format_band(difference.a.win_rate, decimals),
            format_band(difference.b.win_rate, decimals),
            f"{median} ({low} .. {high})",
            f"with a probability of {_format_share(difference.probability_harder)}",
        )
    out.print(table)


def convert_band_to_estimate(band: Band, n: int) -> Estimate:
    """Return a band as an estimate, which tables can hold."""
    return Estimate(band["50"], band["5"], band["95"], n, BAND_CONFIDENCE)


def make_forecast_tables(forecasts: Sequence[Forecast]) -> list[ReportTable]:
    """Return the forecast of each cell as tables for files."""
    first = forecasts[0].cell
    rows = []
    endings = []
    for forecast in forecasts:
        cell = forecast.cell.label_text or "all games"
        row = {
            "cell": cell,
            "games": forecast.games,
            "won": convert_band_to_estimate(forecast.win_rate, forecast.games),
            "rounds": convert_band_to_estimate(forecast.rounds, forecast.games),
        }
        rows.append(row)
        for name, band in forecast.endings.items():
            share = convert_band_to_estimate(band, forecast.games)
            endings.append({"cell": cell, "ending": name, "share": share})
    won = "seat 1 wins" if first.seats_compete else "win rate"
    columns = [
        Column("cell", "cell"),
        Column("games", "games", "count"),
        Column("won", won, "rate"),
        Column("rounds", first.game.unit, "mean"),
    ]
    ending_columns = [
        Column("cell", "cell"),
        Column("ending", "ending"),
        Column("share", "share", "rate"),
    ]
    return [
        ReportTable("forecast", "Forecast for the players of the fit", columns, rows, BAND_NOTE),
        ReportTable("endings", "How their games would end", ending_columns, endings),
    ]


def make_difference_tables(differences: Sequence[ForecastDifference]) -> list[ReportTable]:
    """Return the difference of the forecasts of A and B as a table for files."""
    rows = []
    for difference in differences:
        games = difference.a.games
        row = {
            "cell": difference.a.cell.label_text or "all games",
            "games": games,
            "a": convert_band_to_estimate(difference.a.win_rate, games),
            "b": convert_band_to_estimate(difference.b.win_rate, games),
            "change": convert_band_to_estimate(difference.change, games),
            "harder": difference.probability_harder,
        }
        rows.append(row)
    columns = [
        Column("cell", "cell"),
        Column("games", "games", "count"),
        Column("a", "A wins", "rate"),
        Column("b", "B wins", "rate"),
        Column("change", "B minus A, points", "points"),
        Column("harder", "probability that B is harder"),
    ]
    title = "A and B, for the players of the fit"
    return [ReportTable("difference", title, columns, rows, BAND_NOTE)]


def describe_forecast_inputs(
    forecasts: Sequence[Forecast], file: FitFile, seed: int
) -> dict[str, Any]:
    """Return the game, players and seed that the tables rest on."""
    game = forecasts[0].cell.game.title
    return {"game": game, "as": describe_fitted_players(file), "seed": seed}
