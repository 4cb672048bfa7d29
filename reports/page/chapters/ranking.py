"""Section "Which variant is hardest?": cells of a grid in order of difficulty."""

from __future__ import annotations

from hardmode.reports.console.ranking import describe_ranking, format_ranking_rows
from hardmode.reports.page.chapters.phrases import make_sentence
from hardmode.reports.page.model import Brief, Column, ReportTable, Section
from hardmode.studies.report_run.data import ReportData


def make_ranking_section(report: ReportData) -> Section | None:
    """Return the section on the order of the cells, or None if they were not ranked."""
    ranking = report.ranking
    if ranking is None:
        return None
    columns = [
        Column("place", "place"),
        Column("cell", "variant"),
        Column("won", report.metric.win_rate_label),
        Column("step", "points above the previous row", "text", "points above the one before"),
    ]
    table = ReportTable(
        "ranking",
        "From the hardest to the easiest",
        columns,
        format_ranking_rows(ranking),
        "A place is a range: all variants that are significantly harder come before it, and all "
        "that are significantly easier come after it.",
    )
    return Section(
        "ranking",
        "Which variant is hardest?",
        [make_sentence(line) for line in describe_ranking(ranking)],
        tables=[table],
        brief=Brief(2),
    )
