"""Which variant is hardest? The cells of a grid in order, as far as the games that they share tell them apart."""

from __future__ import annotations

from hardmode.reports.console import ranking
from hardmode.reports.page.model import Brief, Column, Section, Table
from hardmode.studies.report_run.data import ReportData


def section(g: ReportData) -> Section | None:
    found = g.ranking
    if found is None:
        return None
    columns = [
        Column("place", "place"),
        Column("cell", "variant"),
        Column("won", g.metric.win_rate_label),
        Column("step", "points above the one before"),
    ]
    rows = [ranking.row(found, at) for at in range(found.cells)]
    table = Table(
        "ranking",
        "From the hardest to the easiest",
        columns,
        rows,
        "A place runs from behind all variants that are shown to be harder to before all shown to be easier.",
    )
    return Section(
        "ranking",
        "Which variant is hardest?",
        [f"{line[0].upper()}{line[1:]}." for line in ranking.sentences(found)],
        tables=[table],
        brief=Brief(2),
    )
