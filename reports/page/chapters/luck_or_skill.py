"""Luck or skill? The share of every source of chance, of the players' own, and of who plays."""

from __future__ import annotations

import shlex

from rich.text import Text

from hardmode.reports.console import luck as told
from hardmode.reports.page import model
from hardmode.reports.page.model import Brief, Column, Section, Table
from hardmode.studies.report_run.data import ReportData, command_options, label_settings

MOST = 12


def section(g: ReportData) -> Section:
    found = g.luck
    if found is None or not found.win_shares.has_variance:
        asked = shlex.join(
            ["hardmode", "luck", g.scenario.name, *command_options(label_settings(g.first_cell), g.first_cell.overlay)]
        )
        why = (
            "It was not played for this page"
            if found is None
            else "Every game that was played ends alike"
        )
        return Section("luck", "Luck or skill?", [f"{why}."], hints=[("More of it", asked)])
    parts = [*found.rank_sources(found.win_shares), found.player_randomness]
    shares = {part.name: found.get_share(found.win_shares, part) for part in (*parts, *found.combined_sources)}
    figure = model.dots(
        "luck",
        f"What decides {told.outcome(found, 'win')}",
        [{"label": part.name, "estimate": shares[part.name].total} for part in parts[:MOST]],
        "rate",
        "share of the variance, total",
    )
    rows = [
        {
            "source": part.name,
            "draws": f"{part.draws:,.1f}" if part.draws else "",
            "first": shares[part.name].first,
            "total": shares[part.name].total,
        }
        for part in (*parts, *found.combined_sources)
    ]
    table = Table(
        "luck",
        "Every source of chance",
        [
            Column("source", "source"),
            Column("draws", "draws a game"),
            Column("first", "alone", "rate"),
            Column("total", "total", "rate"),
        ],
        rows,
        told.EXPLAINED,
    )
    said = [Text.from_markup(line).plain for line in told.plain(found)]
    return Section("luck", "Luck or skill?", said, [figure], [table], brief=Brief(1))
