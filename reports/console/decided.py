"""What `decided` prints, and its JSON: when games are decided, how long they go on, how often they turn."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.result import out
from hardmode.reports.console.wording import games, listed
from hardmode.scenarios.load import Scenario
from hardmode.studies.core.reference_players import disagree, players_text
from hardmode.studies.game_flow.decision_point import Decided
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import rate, with_interval

MEASURES = {  # what is told of a group of games: its words, and how it is written
    "decided": ("decided after (median)", "mean"),
    "length": ("over after (median)", "mean"),
    "dead": ("dead rounds (mean)", "mean"),
    "dragging": ("half of it dead", "rate"),
    "changes": ("changes of lead (mean)", "mean"),
    "turned": ("winner was below 10 %", "rate"),
    "narrow": ("open in the last round", "rate"),
}


def show(found: list[Decided]) -> None:
    for cell in found:
        label = f" ({escape(cell.cell.label_text)})" if cell.cell.label else ""
        out.print(
            f"[bold]{cell.cell.game.title}: {escape(cell.cell.title)}{label}[/bold], {games(len(cell.games))} "
            f"played by {escape(players_text(cell.cell))}"
        )
        if measures := disagreed(cell):
            out.print(
                "[bold]steady disagrees[/bold], by more than half, on "
                f"{listed([MEASURES[measure][0] for measure in measures])}"
            )
        out.print(_table(cell))
        for line in sentences(cell):
            out.print(line)
    first = found[0]
    out.print(
        f"[dim]decided: from then on the chance of the side that won stays beyond 90 %; dead: the "
        f"{first.cell.game.unit} after that; intervals hold at {100 * first.confidence:g} %; "
        f"seed {first.seed}[/dim]"
    )


def disagreed(cell: Decided) -> list[str]:
    """The measures of all games of which `steady` tells otherwise."""
    if not cell.steady or not cell.steady.games:
        return []
    return [
        m for m in MEASURES if disagree(getattr(cell, m)("all"), getattr(cell.steady, m)("all"))
    ]


def _table(cell: Decided) -> Table:
    columns = [(group, cell, group) for group in cell.groups if cell.groups[group]]
    if cell.steady and cell.steady.games:
        columns.append(("all, by steady", cell.steady, "all"))
    table = Table(header_style="bold")
    table.add_column("games")
    for head, _, _ in columns:
        table.add_column(head, justify="right")
    table.add_row("how many", *(f"{len(of.groups[group]):,}" for _, of, group in columns))
    for measure, (words, kind) in MEASURES.items():
        table.add_row(
            words, *(with_interval(getattr(of, measure)(group), kind) for _, of, group in columns)
        )
    if margin := cell.margin():
        table.add_row("lead in the end (median)", with_interval(margin, "mean"))
    return table


def sentences(cell: Decided) -> list[str]:
    """The curve in words: for each group of games, by when half is decided, and until when half goes on."""
    unit, said = cell.cell.game.unit, []
    for group, of in cell.groups.items():
        if of and (group != "all" or len(cell.groups) == 1):
            name = "games" if group == "all" else f"{group} games"
            after, until = cell.decided(group).value, cell.length(group).value
            said.append(
                f"Half of the {name} are decided after {after:g} {unit} and last until {until:g}; "
                f"{rate(cell.dragging(group))} go on for as long again, or longer, once they are decided."
            )
    return said


def as_dict(found: list[Decided], scenario: Scenario) -> dict[str, Any]:
    return {
        "game": scenario.game.name,
        "scenario": scenario.name,
        "seed": found[0].seed,
        "confidence": found[0].confidence,
        "cells": [_cell(cell) for cell in found],
    }


def _cell(cell: Decided) -> dict[str, Any]:
    margin = cell.margin()
    return {
        "cell": cell.cell.label,
        "box": cell.cell.provenance,
        "players": cell.players,
        "games": len(cell.games),
        "groups": {group: _group(cell, group) for group in cell.groups if cell.groups[group]},
        **({"margin": _known(margin)} if margin else {}),
        **(
            {"steady": _cell(cell.steady), "steady_disagrees": disagreed(cell)}
            if cell.steady and cell.steady.games
            else {}
        ),
    }


def _group(cell: Decided, group: str) -> dict[str, Any]:
    return {
        "games": len(cell.groups[group]),
        **{name: _known(getattr(cell, name)(group)) for name in MEASURES},
        "by": [{"round": r, "decided": _known(d), "over": _known(o)} for r, d, o in cell.by(group)],
    }


def _known(e: Estimate) -> dict[str, float]:
    return {"value": e.value, "low": e.low, "high": e.high}
