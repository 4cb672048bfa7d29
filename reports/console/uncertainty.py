"""Output of `uncertainty`: the band over plausible boxes, its sources, and robust conclusions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count, format_games
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_percent, format_rate
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
from hardmode.studies.uncertainty.robustness import RobustConclusion
from hardmode.studies.uncertainty.sobol_from_halves import UncertaintyBand

MAX_ROWS = 12  # of a table
NOTHING_UNCERTAIN = "no assumption could plausibly be different"
PRIOR_DESCRIPTION = (
    "the default reading of a rule is as likely as all other readings together, and a number has a "
    "triangular distribution over its range with the peak at its default, unless the box says "
    "otherwise"
)


def print_uncertainty(analysis: UncertaintyAnalysis) -> None:
    """Print the band of the win rate, its sources, and how robust conclusions are."""
    out.print(
        f"[bold]{analysis.cell.game.title}: {escape(analysis.cell.title)}[/bold], played by "
        f"{escape(describe_players(analysis.cell))}"
    )
    for line in describe_uncertainty(analysis):
        out.print(escape(line))
    if analysis.groups:
        out.print(_make_source_table("group of the box", analysis.groups))
    if analysis.parameters:
        out.print(_make_source_table("single number", analysis.parameters))
    if analysis.conclusions:
        out.print(make_conclusion_table(analysis.conclusions))
    if analysis.band:
        _print_footer(analysis)


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
    if band.covers_everything:
        lines.append(
            "that covers everything: with these assumptions, nothing is known about how hard the "
            "game is"
        )
    if analysis.steady_band:
        lines.append(f"by steady: {_format_with_band(*analysis.steady_band)}")
    return lines


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


def describe_most_informative(analysis: UncertaintyAnalysis) -> str:
    """Return the source whose exact value would narrow the band most."""
    sources = []
    for source in (*analysis.groups, *list_ungrouped_sources(analysis)):
        if isfinite(source.sobol_index.first.value):
            sources.append(source)
    if not sources:
        return "No plausible box was won more often than another, so none of them narrows the band."
    best = max(sources, key=lambda source: source.sobol_index.first.value)
    count = ""
    if best.parameter_count > 1:
        count = f" ({format_count(best.parameter_count, 'number')})"
    subject = "they were" if best.parameter_count > 1 else "it were"
    return (
        f"Find out {best.path}{count} first: if {subject} known, the band would narrow to about "
        f"{format_band_ends(best.band_if_known)} %."
    )


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
    text = f"{format_count(n, 'assumed number')} {verb} drawn: {PRIOR_DESCRIPTION}"
    if analysis.fixed_paths:
        n_fixed = len(analysis.fixed_paths)
        verb = "stays as it is" if n_fixed == 1 else "stay as they are"
        text += f"; {n_fixed:,} more (names, or numbers without a range) {verb}"
    if analysis.rejected_boxes:
        n_rejected = analysis.rejected_boxes
        verb = "was" if n_rejected == 1 else "were"
        boxes = format_count(n_rejected, "box")
        text += f". {boxes} that the game does not allow {verb} replaced by others"
    return text


def _print_footer(analysis: UncertaintyAnalysis) -> None:
    if len(analysis.scenario.cells) > 1:
        label = analysis.cell.label_text
        out.print(escape(f"the band and its sources are those of the first cell, {label}"))
    out.print(f"[dim]{escape(describe_assumptions(analysis))}.[/dim]")
    interrupted = "Interrupted. " if analysis.interrupted else ""
    n_groups, n_numbers = analysis.row_counts
    out.print(
        f"[dim]{interrupted}The band covers 5 to 95 of 100 boxes, without the chance of single "
        f"games; {format_games(analysis.games_per_box)} of each box. Shares are of the variance "
        f"over boxes, from {format_count(n_groups, 'row')} of boxes for groups and "
        f"{n_numbers:,} for numbers. Intervals hold at "
        f"{100 * analysis.confidence:g} %; seed {analysis.seed}[/dim]"
    )


def list_ungrouped_sources(analysis: UncertaintyAnalysis) -> list[UncertaintySource]:
    """Return the single numbers that are not listed as a group too."""
    group_paths = {group.path for group in analysis.groups}
    return [source for source in analysis.parameters if source.path not in group_paths]
