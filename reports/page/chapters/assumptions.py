"""Section "What do the assumptions decide?": uncertainty band, its sources, robust conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.reports.console import uncertainty, wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.phrases import describe_first_variant, make_sentence
from hardmode.reports.page.model import Brief, Column, ReportTable, Section
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
from hardmode.studies.uncertainty.band import UncertaintyBand
from hardmode.studies.uncertainty.robustness import RobustConclusion

IF_KNOWN = "if it is known, the band is about"  # names of columns in data files
IN_BOXES = "holds in so many plausible boxes"
MAX_ROWS = 12
SINGLES_NOTE = (
    "Each row is the shipped box with one other value, played with the same random draws. The "
    "assumptions that matter most come first."
)
BEST_NOTE = (
    "Rows that end with a player are played by the best of steady, trained and a player retrained "
    "for that reading."
)


def make_assumptions_section(report: ReportData) -> Section | None:
    """Return the section on assumptions, or None if they were not analyzed."""
    analysis = report.uncertainty
    if analysis is None:
        return None
    figures = []
    rows = _list_single_changes(analysis)
    if rows:
        figures.append(
            model.make_dot_plot(
                "alone",
                "What each assumption does alone",
                rows,
                "points",
                f"change of the {report.metric.win_rate_label}",
                note=f"{SINGLES_NOTE} {BEST_NOTE}" if analysis.leading_readings else SINGLES_NOTE,
            )
        )
    if analysis.groups:
        shown = analysis.groups[:MAX_ROWS]
        figures.append(
            model.make_dot_plot(
                "decides",
                "What the spread over plausible boxes comes from",
                [{"label": s.path, "estimate": s.sobol_index.total} for s in shown],
                "rate",
                "share of the variance",
            )
        )
    tables = [
        _make_source_table("groups", "By group of the box", analysis.groups),
        _make_source_table("singles", "By single number", analysis.parameters),
        _make_conclusion_table(analysis.conclusions),
    ]
    return Section(
        "assumptions",
        "What do the assumptions decide?",
        _write_sentences(report, analysis),
        figures,
        tables=[table for table in tables if table],
        brief=Brief(2),
    )


def _write_sentences(report: ReportData, analysis: UncertaintyAnalysis) -> list[str]:
    first, *rest = uncertainty.describe_uncertainty(analysis)
    players = wording.describe_players_and_box(analysis.cell)
    of = describe_first_variant(report)
    sentences = [f"Played by {players}, the {report.metric.win_rate_label}{of} is {first}."]
    sentences += map(make_sentence, rest)
    if not analysis.band:
        return sentences
    if analysis.singles:
        sentences.append(uncertainty.describe_lookup_order(analysis))
    sentences += uncertainty.describe_leading_readings(analysis)
    sentences.append(f"{uncertainty.describe_assumptions(analysis)}.")
    return sentences


def _list_single_changes(analysis: UncertaintyAnalysis) -> list[dict[str, Any]]:
    """Return the rows of other values, each by the best player at hand, where that was played."""
    rows = []
    for source in analysis.singles:
        for effect in source.effects:
            label = f"{source.path}={format_yaml_value(effect.value)}"
            change = effect.change
            reading = analysis.find_leading_reading(effect)
            if reading:
                label = f"{label}, by {reading.choice.name}"
                change = reading.choice.change
            rows.append({"label": label, "estimate": change})
    return rows[:MAX_ROWS]


def get_named_player_band(report: ReportData) -> UncertaintyBand | None:
    """Return the uncertainty band for the players that the scenario names, if it is known."""
    analysis = report.uncertainty
    if analysis is None:
        return None
    return analysis.steady_band[1] if analysis.steady_band else analysis.band


def list_uncertainty_facts(report: ReportData) -> list[tuple[str, str, str]]:
    """Return the uncertainty band for the head of a chapter: its name, figure and explanation."""
    band = get_named_player_band(report)
    if not band:
        return []
    ends = uncertainty.format_band_ends(uncertainty.extract_percentiles(band))
    meaning = "in 90 of 100 plausible boxes"
    if band.covers_everything:
        meaning = "this covers everything"
    return [("with other plausible numbers", f"{ends} %", meaning)]


def _make_source_table(
    name: str, title: str, sources: Sequence[UncertaintySource]
) -> ReportTable | None:
    if not sources:
        return None
    columns = [
        Column("path", "part of the box", "code"),
        Column("numbers", "numbers", "count"),
        Column("first", "share alone", "rate", "decides alone"),
        Column("total", "with interactions", "rate", "with all else"),
        Column("knowing", "band if it were known, about", "text", IF_KNOWN),
    ]
    rows = []
    for source in sources[:MAX_ROWS]:
        rows.append(
            {
                "path": source.path,
                "numbers": source.parameter_count,
                "first": source.sobol_index.first,
                "total": source.sobol_index.total,
                "knowing": f"{uncertainty.format_band_ends(source.band_if_known)} %",
            }
        )
    return ReportTable(f"assumed-{name}", title, columns, rows)


def _make_conclusion_table(conclusions: Sequence[RobustConclusion]) -> ReportTable | None:
    if not conclusions:
        return None
    columns = [
        Column("statement", "conclusion"),
        Column("share", "share of plausible boxes in which it holds", "rate", IN_BOXES),
        Column("verdict", ""),
    ]
    rows = []
    for conclusion in sorted(conclusions, key=lambda c: c.share.value)[:MAX_ROWS]:
        rows.append(
            {
                "statement": conclusion.statement,
                "share": conclusion.share,
                "verdict": "" if conclusion.is_robust else "not robust",
            }
        )
    return ReportTable(
        "firm",
        "How robust the conclusions are",
        columns,
        rows,
        "The least robust conclusions come first.",
    )
