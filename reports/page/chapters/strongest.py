"""Which numbers matter? Each of the box one plausible step away: the strongest, and those that do nothing."""

from __future__ import annotations

import shlex
from typing import Any

from hardmode.reports.console import sensitivity, wording
from hardmode.reports.page.model import Brief, Column, Section, Table
from hardmode.studies.report_run.data import Survey, flags, settings
from hardmode.studies.sensitivity.analysis import Sensitivity
from hardmode.studies.sensitivity.paired_effects import by_path
from hardmode.studies.sensitivity.screening import LEADING

MOST_NAMED = 40  # numbers that do nothing


def section(g: Survey) -> Section | None:
    found = g.sensitivity
    if found is None:
        return None
    leading = list(by_path(found.matters).items())[:LEADING]
    return Section(
        "numbers",
        "Which numbers matter?",
        _sentences(g, found),
        [sensitivity.tornado(found, LEADING)] if leading else [],
        tables=[_table(found, [n for _, steps in leading for n in steps])] if leading else [],
        notes=_dead(found),
        hints=[
            (
                "More games",
                shlex.join(
                    [
                        "hardmode",
                        "sensitivity",
                        g.scenario.name,
                        *flags(settings(g.first), g.first.own),
                        "--seconds",
                        "300",
                    ]
                ),
            )
        ],
        brief=Brief(1, ["sensitivity", "tornado"]),
    )


def _sentences(g: Survey, found: Sensitivity) -> list[str]:
    names = [n.path for n in sensitivity.disagreed(found)]
    told = (
        [f"Steady players disagree, in sign or by more than half, on {wording.listed(names)}."]
        if names
        else []
    )
    of = f" of the first variant, {g.base.label}," if len(g.cells) > 1 else ""
    more = len(by_path(found.matters)) > LEADING
    told.append(
        f"Each number{of} was moved one plausible step up and down, and each switch to its other readings, "
        f"on the same luck, played by {wording.by(found.cell)}. {len(found.matters) or 'None'} of "
        f"the {len(found.numbers):,} steps {'is' if len(found.matters) < 2 else 'are'} shown to move the "
        f"{sensitivity.won_text(found)}"
        + (f"; the {LEADING} strongest numbers are below." if more else ".")
    )
    left = [n for n in found.unresolved if n.games]
    if left:
        told.append(
            f"Of {len(left)} more, which change games too, it is not settled; each moves it by at most "
            f"{100 * found.bound(left[0]):.0f} points{sensitivity.in_company(found)}."
        )
    if left and found.looks > 1:
        told.append(sensitivity.sought(found).capitalize() + ".")
    unplayed = sum(n.read and not n.games for n in found.numbers)
    if unplayed:
        told.append(f"There was no time for {unplayed:,} more.")
    return told


def _table(found: Sensitivity, steps: list[Any]) -> Table:
    rows = [
        {
            "path": n.path,
            "step": sensitivity.step_text(n),
            "points": found.difference(n),
            "steady": found.by_steady(n),
            "gained": n.gained,
            "lost": n.lost,
            "length": found.length(n),
            "games": n.games,
        }
        for n in steps
    ]
    columns = [
        Column("path", "number", "code"),
        Column("step", "step"),
        Column("points", "points", "points"),
        *([Column("steady", "by steady", "points")] if found.steady else []),
        Column("gained", "games gained", "count"),
        Column("lost", "lost", "count"),
        Column("length", found.game.unit, "change"),
        Column("games", "games", "count"),
    ]
    return Table(
        "numbers",
        "The strongest numbers",
        columns,
        rows,
        f"All {len(found.numbers)} intervals hold together at {100 * found.confidence:g} %.",
    )


def _dead(found: Sensitivity) -> list[tuple[str, list[str]]]:
    fewest = min((n.games for n in found.numbers if n.path in found.silent and n.read), default=0)
    lists = (
        (f"No rule reads them in this scenario: {len(found.unread)} numbers", found.unread),
        (
            f"Read, but not one of {fewest:,} games changed: {len(found.silent)} numbers",
            found.silent,
        ),
    )
    return [
        (
            title,
            [
                ", ".join(paths[:MOST_NAMED])
                + (f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else "")
            ],
        )
        for title, paths in lists
        if paths
    ]
