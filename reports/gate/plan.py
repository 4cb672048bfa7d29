"""What `check --plan` prints: the odds of a gate before a game is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.reports.console.result import out
from hardmode.studies.gate.checks import points
from hardmode.studies.gate.power import DIFFERENCES, SURE, AlikeCells, Foreseen, Foretold
from hardmode.studies.stats.formatting import share_text
from hardmode.studies.stats.sequential import Row


def plan_table(rows: Sequence[Row]) -> str:
    """A plan as a table, in points and per cent."""
    lines = ["difference   CHANGED  EQUIVALENT  INCONCLUSIVE  games on average (at most)"]
    for r in rows:
        chances = f"{r.changed:9.2%}  {r.equivalent:10.2%}  {r.inconclusive:12.2%}"
        lines.append(f"{100 * r.difference:+7.2f} pt  {chances}  {r.games:,.0f} ({r.largest:,})")
    error = max(r.error for r in rows)
    lines.append(f"by simulation, +- {error:.2%}" if error else "computed exactly")
    return "\n".join(lines)


def show(f: Foreseen) -> None:
    terms = f.run.terms
    asked, held = f.run.asked, len(f.run.subjects)
    out.print(
        f"Scenarios: {held}; questions that share alpha {terms.alpha:.2%}: {asked}; beta {terms.beta:.2%}",
        soft_wrap=True,
    )
    if f.groups:
        out.print(
            f"\nNothing changed: IDENTICAL, fails in 0 of 100 runs; {f.quick_games:,} games, "
            f"{minutes(f.quick_minutes)}"
        )
    for group in f.groups:
        _show_group(group, f.flips)
    _show_expectations(f.expectations)
    if f.groups:
        _show_total(f)
    for finding in f.refused:
        out.print(
            f"{finding.word}  {finding.scenario}: {finding.text}",
            soft_wrap=True,
            markup=False,
            style="red",
        )


def _show_group(group: AlikeCells, flips: float) -> None:
    names = ", ".join(group.scenarios[:6]) + (
        f" and {len(group.scenarios) - 6} more" if group.scenarios[6:] else ""
    )
    each = f"each of {group.cells} cells" if group.cells > 1 else "one cell"
    each = f"each seat of {each}" if group.sides > group.cells else each
    out.print(
        f"\n{names} ({each}), margin {points(group.gate.margin)}, when a change flips {share_text(flips)} of the "
        f"games:",
        soft_wrap=True,
        markup=False,
    )
    table, error = plan_table(group.rows).rsplit("\n", 1)
    head, *rows = table.splitlines()
    out.print(f"{head}  time (at most)", markup=False, soft_wrap=True)
    most = minutes(group.gate.looks[-1] * group.seconds_per_game / 60)
    for line, row in zip(rows, group.rows, strict=True):
        out.print(
            f"{line}  {minutes(row.games * group.seconds_per_game / 60)} ({most})",
            markup=False,
            soft_wrap=True,
        )
    out.print(error, markup=False)


def _show_expectations(found: Sequence[Foretold]) -> None:
    """One line each; of many cells that are asked the same, only those that are not all but sure to be MET."""
    alike: dict[tuple[str, str], list[Foretold]] = {}
    for held in found:
        alike.setdefault((held.scenario, held.about), []).append(held)
    for (scenario, about), group in alike.items():
        told = (
            [held for held in group if held.rate is not None and held.met < SURE]
            if group[2:]
            else group
        )
        if len(told) < len(group):
            out.print(
                f"{scenario}, {about}: {len(group) - len(told)} cells are all but sure to be MET, or nothing "
                "is known of them",
                soft_wrap=True,
                markup=False,
            )
        for held in told:
            out.print(_expectation_text(held), soft_wrap=True, markup=False)


def _show_total(f: Foreseen) -> None:
    out.print(
        f"\nIf every cell plays differently, yet none is won more or less often, the run fails in at most "
        f"{f.false_alarm:.2%}.",
        soft_wrap=True,
    )
    for d in DIFFERENCES:
        games, spent = f.total(d)
        out.print(
            f"All cells differ by {points(d)}: {games:,.0f} games on average, {minutes(spent)}.",
            soft_wrap=True,
        )
    games, spent = f.largest
    out.print(
        f"At most {games:,} games, {minutes(spent)} (at the pace they were accepted at).",
        soft_wrap=True,
    )


def _expectation_text(held: Foretold) -> str:
    where = f"{held.scenario}{f' [{held.cell}]' if held.cell else ''}, {held.about}"
    if held.rate is None:
        return f"{where}: its odds cannot be known beforehand"
    rest = max(0.0, 1 - held.met - held.missed)
    return (
        f"{where}, if it is {share_text(held.rate)} as accepted: MET {held.met:.2%}, MISSED {held.missed:.2%}, "
        f"INCONCLUSIVE {rest:.2%}, {held.games:,.0f} games on average"
    )


def minutes(x: float) -> str:
    return f"{x:.1f} min" if x >= 1 else f"{60 * x:.1f} s"


def as_dict(f: Foreseen) -> dict[str, Any]:
    return {
        "alpha": f.run.terms.alpha,
        "beta": f.run.terms.beta,
        "flips": f.flips,
        "questions": len(f.run.questions),
        "unchanged": {"fails": 0.0, "games": f.quick_games, "minutes": f.quick_minutes},
        "groups": [
            {
                "scenarios": list(g.scenarios),
                "cells": g.cells,
                "sides": g.sides,
                "margin": g.gate.margin,
                "looks": list(g.gate.looks),
                "rows": [vars(r) for r in g.rows],
                "seconds_per_game": g.seconds_per_game,
            }
            for g in f.groups
        ],
        "expectations": [vars(e) for e in f.expectations],
        "all_differ_by": [
            {"difference": d, "games": f.total(d)[0], "minutes": f.total(d)[1]} for d in DIFFERENCES
        ],
        "false_alarm_at_most": f.false_alarm,
        "largest": {"games": f.largest[0], "minutes": f.largest[1]},
        "refused": [{"scenario": x.scenario, "said": x.text} for x in f.refused],
    }
