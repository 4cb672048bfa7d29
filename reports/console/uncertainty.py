"""Output of `uncertainty`: the band over plausible boxes, its sources, and robust conclusions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    Verdict,
    describe_more,
    estimate_growth,
    format_title,
    name_win_rate,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import format_count, format_games, join_names
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.core.reference_players import players_disagree
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_percent, format_rate, format_with_interval
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
from hardmode.studies.uncertainty.band import AGREEMENT, EASY_END, HARD_END, UncertaintyBand
from hardmode.studies.uncertainty.robustness import RobustConclusion
from hardmode.studies.uncertainty.single_effects import SingleEffect, find_lookup_order

MAX_ROWS = 12  # of a table
KNOWN_WITHIN = 0.1  # half width of an end of the band above which too few boxes were played
NOTHING_UNCERTAIN = "no assumption could plausibly be different"
PRIOR_DESCRIPTION = (
    "each number has a triangular distribution over its range with the peak at its default, and "
    "house rules, models and variants stay as they are, unless the box says otherwise"
)
IN_TEN = {0.5: "five", 0.6: "six", 0.7: "seven", 0.8: "eight", 0.9: "nine"}


def print_uncertainty(
    analysis: UncertaintyAnalysis,
    arguments: str = PLACEHOLDER,
    details: bool = False,
    seconds: float | None = None,
) -> None:
    """Print the band of the win rate, its sources, and how robust conclusions are.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
        seconds: Limit of the time, or None.
    """
    print_verdict(make_verdict(analysis, arguments, seconds))
    for line in describe_uncertainty(analysis):
        out.print(escape(line))
    if analysis.singles:
        out.print(escape(describe_lookup_order(analysis)))
        out.print(_make_single_table(analysis))
    for line in describe_leading_readings(analysis):
        out.print(escape(line))
    if analysis.groups:
        out.print(_make_source_table("group of the box", analysis.groups))
    if analysis.parameters:
        out.print(_make_source_table("single number", analysis.parameters))
    if analysis.conclusions:
        out.print(make_conclusion_table(analysis.conclusions))
    if analysis.band:
        if len(analysis.scenario.cells) > 1:
            label = analysis.cell.readable_label
            out.print(escape(f"the band and its sources are those of the first cell, {label}"))
        print_details(_describe_method(analysis), details)


def make_verdict(
    analysis: UncertaintyAnalysis, arguments: str = PLACEHOLDER, seconds: float | None = None
) -> Verdict:
    """Return the band of the win rate, how certain it is, and what to look up next."""
    title = format_title(analysis.cell, analysis.headline)
    rate = name_win_rate(analysis.cell)
    band = analysis.band
    if not band:
        answer = f"The {rate} is {format_rate(analysis.headline)}; {NOTHING_UNCERTAIN}."
        if analysis.interrupted:
            answer = "Nothing is known: the study was interrupted before two boxes were played."
        certainty = f"This interval is the chance of {format_games(analysis.headline.n)} alone."
        next_step = f"hardmode run {arguments} shows how games end"
        return Verdict(title, answer, certainty, next_step)
    ends = f"from {format_band_ends(extract_percentiles(band)).replace(' .. ', ' to ')} %"
    answer = f"The {rate} may be anything {ends}, depending on numbers of the box that are assumed."
    error = max(band.percentiles[percent].half_width for percent in (5, 95))
    boxes = format_count(band.box_count, "plausible box")
    certainty = f"These are nine in ten of {boxes}"
    game = analysis.cell.game.name
    next_step = f"hardmode list {game} --find PATH shows where a number comes from"
    if analysis.singles:
        order = find_lookup_order(analysis.singles)
        names = [*order.first, *order.tied]
        if names:
            next_step = (
                f"look up {names[0]} first: hardmode list {game} --find {names[0]} shows what is "
                "known of it"
            )
    if error > KNOWN_WITHIN:
        growth = estimate_growth(error, KNOWN_WITHIN)
        more = describe_more(growth, band.box_count, seconds).replace(" games", " boxes")
        answer = f"Too few boxes to tell more than roughly: {answer[0].lower()}{answer[1:]}"
        certainty += (
            f"; the ends are known to ± {100 * error:.0f} points only, and {more} would settle "
            f"them to ± {100 * KNOWN_WITHIN:g}"
        )
    else:
        certainty += f"; the ends are known to ± {100 * error:.0f} points"
    return Verdict(title, answer, f"{certainty}.", next_step)


def describe_uncertainty(analysis: UncertaintyAnalysis) -> list[str]:
    """Return the headline with its interval and its band."""
    band = analysis.band
    if not band:
        reason = NOTHING_UNCERTAIN
        if analysis.interrupted:
            reason = "interrupted before two boxes were played"
        return [f"{format_rate(analysis.headline)} by chance; {reason}"]
    median = _format_percent(band.percentiles[50].value)
    lines = []
    if is_headline_disputed(analysis) and analysis.steady_band:
        rate = format_rate(analysis.steady_band[0])
        lines.append(f"steady disagrees, by more than half: it wins {rate} of games")
    headline = _format_with_band(analysis.headline, band)
    lines.append(f"{headline} ({format_count(band.box_count, 'plausible box')}, median {median} %)")
    lines += describe_bands(analysis)
    lines += describe_missing_boxes(analysis)
    lines += describe_position(analysis, analysis.headline, band)
    if band.covers_everything:
        lines.append(
            "that covers everything: with these assumptions, nothing is known about how hard the "
            "game is"
        )
    if analysis.steady_band:
        lines.append(f"by steady: {_format_with_band(*analysis.steady_band)}")
        outside = explain_outside(analysis, *analysis.steady_band)
        if outside:
            lines.append(f"by steady: {outside}")
    return lines


def describe_bands(analysis: UncertaintyAnalysis) -> list[str]:
    """Return the band of the numbers alone beside that of numbers and readings, if both exist."""
    if not (analysis.band and analysis.numbers_band and analysis.reading_count):
        return []
    numbers = format_band_ends(extract_percentiles(analysis.numbers_band))
    everything = format_band_ends(extract_percentiles(analysis.band))
    return [
        f"if all {analysis.reading_count:,} readings of the rules are right: {numbers} %; if each "
        f"is right {_describe_probability(analysis.reading_correct)}: {everything} %"
    ]


def describe_missing_boxes(analysis: UncertaintyAnalysis) -> list[str]:
    """Return how many more boxes the bands need, if another seed may give clearly other ends."""
    missing = count_missing_boxes(analysis)
    if not missing:
        return []
    widest = max(list_bands(analysis), key=lambda band: band.seeds_range)
    points = f"{100 * widest.seeds_range:.0f}"
    name = "with all readings right" if widest is analysis.numbers_band else "by steady"
    name = "over all boxes" if widest is analysis.band else name
    return [
        f"over three seeds, an end of the band {name} may move by {points} points; about "
        f"{format_count(missing, 'more plausible box')} would bring that down to "
        f"{100 * AGREEMENT:g} (more --seconds)"
    ]


def count_missing_boxes(analysis: UncertaintyAnalysis) -> int:
    """Return how many more boxes are needed until other seeds give about the same bands."""
    return max((band.missing_boxes for band in list_bands(analysis)), default=0)


def list_bands(analysis: UncertaintyAnalysis) -> list[UncertaintyBand]:
    """Return all bands: of all boxes, with all readings right, and as `steady` plays."""
    bands = [analysis.band, analysis.numbers_band]
    if analysis.steady_band:
        bands.append(analysis.steady_band[1])
    return [band for band in bands if band]


def _describe_probability(share: float) -> str:
    times = IN_TEN.get(round(share, 6))
    return f"{times} times in ten" if times else f"with a probability of {100 * share:g} %"


def describe_position(
    analysis: UncertaintyAnalysis, headline: Estimate, band: UncertaintyBand
) -> list[str]:
    """Return where the shipped box stands among the plausible boxes, and why, if outside."""
    below = band.share_below_headline
    if below is None:
        return []
    position = describe_end(band)
    where = f"at the {position} end" if position else "neither at the easy nor at the hard end"
    seats_compete = analysis.cell.seats_compete
    verb = "favours seat 1 more than" if seats_compete else "is easier than"
    share = f"{100 * below.value:.0f}"
    sentence = f"the box as it is assumed {verb} {share} of 100 plausible boxes"
    if not seats_compete:
        sentence += f": our assumptions are {where}"
    outside = explain_outside(analysis, headline, band)
    return [sentence, outside] if outside else [sentence]


def describe_end(band: UncertaintyBand) -> str:
    """Return "easy" or "hard" if the shipped box stands at that end of its band, or ""."""
    if band.share_below_headline is None:
        return ""
    if band.share_below_headline.value >= EASY_END:
        return "easy"
    return "hard" if band.share_below_headline.value <= HARD_END else ""


def explain_outside(
    analysis: UncertaintyAnalysis, headline: Estimate, band: UncertaintyBand
) -> str:
    """Return why a win rate lies outside its own band, or "" if it lies inside."""
    if band.contains(headline.value):
        return ""
    is_above = headline.value > band.high
    side, direction = ("above", "lower") if is_above else ("below", "raise")
    end = band.high if is_above else band.low
    sentence = (
        f"{100 * headline.value:.1f} % lies {side} its own band, which ends at {100 * end:.1f} %: "
        "each assumed value is the most likely one by itself, but most other plausible values "
        f"{direction} the win rate"
    )
    changes = []
    for source in analysis.singles:
        for effect in source.effects:
            if (effect.change.value < 0) == is_above and effect.change.excludes(0):
                changes.append(effect)
    changes.sort(key=lambda effect: -abs(effect.change.value))
    names = list(dict.fromkeys(effect.path for effect in changes))[:2]
    return f"{sentence}, above all those of {join_names(names)}" if names else sentence


def is_headline_disputed(analysis: UncertaintyAnalysis) -> bool:
    """Return whether `steady` wins less than half of the games, or more than twice as many."""
    steady = analysis.steady_band
    return steady is not None and players_disagree(analysis.headline, steady[0])


def _format_with_band(headline: Estimate, band: UncertaintyBand) -> str:
    return (
        f"{format_percent(headline)} (± {100 * headline.half_width:.1f} by chance; "
        f"{format_band_ends(extract_percentiles(band))} over what is not known)"
    )


def format_band_ends(percentiles: Mapping[int, float]) -> str:
    """Return the percentiles 5 and 95 in percent, such as "31 .. 79"."""
    ends = (percentiles[5], percentiles[95])
    decimals = max(_choose_decimals(share) for share in ends)
    return " .. ".join(f"{100 * share:.{decimals}f}" for share in ends)


def describe_lookup_order(analysis: UncertaintyAnalysis) -> str:
    """Return which assumptions to look up first, and which of them are not told apart."""
    order = find_lookup_order(analysis.singles)
    tied = join_names(order.tied)
    if not order.tied:
        if not order.first:
            return "No assumption alone is shown to move the win rate."
        return f"Look up first: {join_names(order.first)}."
    if order.first:
        first = join_names(order.first)
        return f"Look up first: {first}; then {tied}, which are not told apart."
    return f"Look up first: {tied}; these are not told apart."


def _make_single_table(analysis: UncertaintyAnalysis) -> Table:
    """Return each leading assumption with its other values, each alone in the shipped box."""
    table = Table(header_style="bold")
    table.add_column("assumption alone")
    table.add_column("other value")
    headers = ["probability", "change of the win rate", "spread alone"]
    if analysis.leading_readings:
        headers.append("change, played best")
    for header in headers:
        table.add_column(header, justify="right")
    for row in _list_single_rows(analysis):
        table.add_row(*map(escape, row[: len(headers) + 2]))
    return table


def _list_single_rows(analysis: UncertaintyAnalysis) -> list[tuple[str, ...]]:
    """Return the rows of the leading assumptions.

    Returns:
        Path, value, probability, change, spread, and change if the best player at hand plays.
    """
    rows: list[tuple[str, ...]] = []
    for source in analysis.singles[:MAX_ROWS]:
        spread = f"± {100 * source.deviation:.1f} points"
        name = source.path
        for effect in source.effects:
            probability = f"{100 * effect.probability:.0f} %" if effect.probability else ""
            change = format_with_interval(effect.change, "points")
            value = format_yaml_value(effect.value)
            best = _format_best_change(analysis, effect)
            rows.append((name, value, probability, change, spread, best))
            name, spread = "", ""
        if not source.effects:
            rows.append((name, "", "", "", spread, ""))
    return rows


def _format_best_change(analysis: UncertaintyAnalysis, effect: SingleEffect) -> str:
    reading = analysis.find_leading_reading(effect)
    if not reading:
        return ""
    return f"{format_with_interval(reading.choice.change, 'points')}, by {reading.choice.name}"


def describe_leading_readings(analysis: UncertaintyAnalysis) -> list[str]:
    """Return a sentence on each leading reading: who plays it best, and what retraining gains."""
    sentences = []
    for reading in analysis.leading_readings:
        choice = reading.choice
        rates = [f"{name} wins {format_rate(rate)}" for name, rate in choice.rates.items()]
        change = format_with_interval(choice.change, "points")
        gain = format_with_interval(choice.retraining_gain, "points")
        sentences.append(
            f"With {reading.path}={format_yaml_value(reading.value)}, {join_names(rates)}. "
            f"Retraining gains {gain} points. Played best, by {choice.name}, this reading changes "
            f"the win rate by {change} points."
        )
    return sentences


def extract_percentiles(band: UncertaintyBand) -> dict[int, float]:
    """Return the percentiles of a band as numbers."""
    return {percent: estimate.value for percent, estimate in band.percentiles.items()}


def _choose_decimals(share: float) -> int:
    return 0 if 0.1 <= share <= 0.9 else 1


def _format_percent(share: float) -> str:
    return f"{100 * share:.{_choose_decimals(share)}f}"


def _make_source_table(name: str, sources: Sequence[UncertaintySource]) -> Table:
    shown = sources[:MAX_ROWS]
    table = Table(header_style="bold")
    table.add_column(name)
    for header in ("numbers", "share alone", "with interactions", "band if it were known, about"):
        table.add_column(header, justify="right")
    indices = [source.sobol_index for source in shown]
    alone = format_estimates([index.first for index in indices], "rate")
    total = format_estimates([index.total for index in indices], "rate")
    for i, source in enumerate(shown):
        table.add_row(
            escape(source.path),
            f"{source.parameter_count:,}",
            alone[i],
            total[i],
            f"{format_band_ends(source.band_if_known)} %",
        )
    return table


def make_conclusion_table(conclusions: Sequence[RobustConclusion]) -> Table:
    """Return the conclusions as a table, the least robust first."""
    shown = sorted(conclusions, key=lambda conclusion: conclusion.share.value)[:MAX_ROWS]
    shares = format_estimates([conclusion.share for conclusion in shown], "rate")
    table = Table(header_style="bold")
    table.add_column("conclusion")
    table.add_column("holds in", justify="right")
    table.add_column("")
    for conclusion, share in zip(shown, shares, strict=True):
        verdict = "" if conclusion.is_robust else "not robust"
        table.add_row(escape(conclusion.statement), f"{share} of boxes", verdict)
    return table


def print_conclusions(conclusions: Sequence[RobustConclusion | None]) -> None:
    """Print a line on the difference of each pair of cells, as `compare --uncertainty` does."""
    for conclusion in conclusions:
        text = describe_conclusion(conclusion) if conclusion else NOTHING_UNCERTAIN
        out.print(escape(text))


def describe_conclusion(conclusion: RobustConclusion) -> str:
    """Return a conclusion with the share of plausible boxes in which it holds."""
    verdict = "" if conclusion.is_robust else ", so it is not robust"
    share = format_rate(conclusion.share)
    return f"{conclusion.statement}: this holds in {share} of plausible boxes{verdict}"


def describe_assumptions(analysis: UncertaintyAnalysis) -> str:
    """Return how boxes were drawn, in sentences without the last full stop."""
    n = analysis.sampled_count
    verb = "was" if n == 1 else "were"
    correct = f"{100 * analysis.reading_correct:g} %"
    text = (
        f"{format_count(n, 'assumption')} {verb} drawn, {analysis.reading_count:,} of them "
        f"readings of the rules: the default reading is right with {correct} and otherwise each "
        f"alternative is as likely as the others, {PRIOR_DESCRIPTION}"
    )
    if analysis.fixed_paths:
        n_fixed = len(analysis.fixed_paths)
        verb = "stays as it is" if n_fixed == 1 else "stay as they are"
        text += f"; {n_fixed:,} more (names, or numbers without a range) {verb}"
    if analysis.rejected_boxes:
        n_rejected = analysis.rejected_boxes
        verb = "was" if n_rejected == 1 else "were"
        boxes = format_count(n_rejected, "box")
        share = f"{100 * analysis.rejected_share:.0f} %"
        text += f". {boxes} ({share} of all) that the game does not allow {verb} drawn anew"
    return text


def _describe_method(analysis: UncertaintyAnalysis) -> list[str]:
    """Return how boxes were drawn, and what the band and the shares mean."""
    interrupted = "Interrupted. " if analysis.interrupted else ""
    n_groups, n_numbers = analysis.row_counts
    return [
        f"{describe_assumptions(analysis)}.",
        f"{interrupted}The band goes from the 5th to the 95th "
        f"percentile of the boxes, without the chance of single games; "
        f"{format_games(analysis.games_per_box)} of each box. Shares are of the variance over "
        f"boxes, from {format_count(n_groups, 'row')} of boxes for groups and "
        f"{n_numbers:,} for numbers. Intervals hold at "
        f"{100 * analysis.confidence:g} %; seed {analysis.seed}",
    ]


def list_ungrouped_sources(analysis: UncertaintyAnalysis) -> list[UncertaintySource]:
    """Return the single numbers that are not listed as a group too."""
    group_paths = {group.path for group in analysis.groups}
    return [source for source in analysis.parameters if source.path not in group_paths]
