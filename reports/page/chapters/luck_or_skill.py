"""Section "Luck or skill?": share of each source of chance, of the players, and of skill."""

from __future__ import annotations

from rich.text import Text

from hardmode.reports.console import luck
from hardmode.reports.page import model
from hardmode.reports.page.model import Column, ReportTable, Section
from hardmode.studies.report_run.data import ReportData

TITLE = "Which luck, and which skill?"
MAX_ROWS = 12  # of the plot


def make_luck_section(report: ReportData) -> Section | None:
    """Return the section on the sources of chance, or None if they explain nothing."""
    analysis = report.luck
    if analysis is None or not analysis.win_shares.has_variance:
        return None
    sources = analysis.rank_sources(analysis.win_shares)
    parts = [*sources, analysis.player_randomness]
    all_parts = [*parts, *analysis.combined_sources]
    indices = {p.name: analysis.get_share(analysis.win_shares, p) for p in all_parts}
    figure = model.make_dot_plot(
        "luck",
        f"What decides {luck.describe_outcome(analysis, 'win')}",
        [{"label": p.name, "estimate": indices[p.name].total} for p in parts[:MAX_ROWS]],
        "rate",
        "share of the variance, total",
    )
    rows = []
    for part in all_parts:
        rows.append(
            {
                "source": part.name,
                "draws": f"{part.draws:,.1f}" if part.draws else "",
                "first": indices[part.name].first,
                "total": indices[part.name].total,
            }
        )
    columns = [
        Column("source", "source"),
        Column("draws", "draws a game"),
        Column("first", "alone", "rate"),
        Column("total", "total", "rate"),
    ]
    table = ReportTable("luck", "Every source of chance", columns, rows, luck.EXPLANATION)
    sentences = [Text.from_markup(line).plain for line in luck.describe_luck(analysis)]
    return Section("luck", TITLE, sentences, [figure], [table])
