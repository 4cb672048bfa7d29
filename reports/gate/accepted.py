"""What `accept` recorded: a line for each scenario, and the win rates that moved."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from hardmode.reports.console.result import out
from hardmode.sim.files.paths import short_path
from hardmode.studies.gate.accept import Recorded


def show(made: Recorded) -> None:
    """What was recorded, and by how much it differs from what was."""
    before, after = made.before, made.after
    games = f"{after.games:,} games" + (
        f" in each of {len(after.cells)} cells" if len(after.cells) > 1 else ""
    )
    games += f", with the box {escape(after.box)}" if after.box else ""
    file = escape(short_path(made.path))
    out.print(f"{made.word.ljust(14)} {escape(made.scenario)}  {games}; {file}", soft_wrap=True)
    then = {cell.cell: cell.win_percent for cell in before.cells} if before else {}
    for cell in after.cells:
        was = then.get(cell.cell)
        if was is not None and was != cell.win_percent:
            name = f"{cell.cell}: " if cell.cell else ""
            out.print(f"  {escape(name)}{was:.2f} % -> {cell.win_percent:.2f} %", soft_wrap=True)


def as_dict(made: Recorded) -> dict[str, Any]:
    return {
        "scenario": made.scenario,
        "file": str(made.path),
        "what": made.word,
        "games": made.after.games,
        "cells": [
            {
                "cell": c.cell,
                "label": c.label,
                "wins": c.wins,
                "win_percent": c.win_percent,
                "outcome_digest": c.outcomes[str(made.after.games)],
            }
            for c in made.after.cells
        ],
    }
