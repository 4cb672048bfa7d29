"""How sure is this? Games, intervals, assumptions, limits; and the commands that make every number again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from typing import Any

from reports import wording
from reports.gather import Gathered
from reports.views import Column, Section, Table

PARTS = {"cells": "the scenario", "ladder": "the ladder of strategies",
         "slow": "the ladder, slow strategies",
         "choices": "other choices at set-up",
         "crossed": "choices crossed"}


def section(g: Gathered) -> Section:
    return Section("how-sure", "How sure is this?", _said(g), tables=[_parts(g), *_assumed(g)], notes=_limits(g))


def _said(g: Gathered) -> list[str]:
    resting, percent = g.first.assumed, 100 * g.measure.confidence
    return [
        f"Every figure is followed by its interval, as in {wording.rate(g.measure.won(g.base.tally))}. In "
        f"{percent:g} of 100 such intervals lies what endless play of the same programs would show. It says nothing on "
        "how real players differ from the programs that play here.",
        f"{resting.standing} of the {resting.leaves} numbers of the box are assumptions, not taken from the rulebook "
        "or a public source. They are counted by part of the box below."
        if resting.standing else f"None of the {resting.leaves} numbers of the box is an assumption."]


def _limits(g: Gathered) -> list[tuple[str, Sequence[str]]]:
    warnings = list(dict.fromkeys(w for cell in g.scenario.cells for w in cell.warnings))
    found = [("What the simulation leaves out", g.scenario.game.limits), ("Unusual in this scenario", warnings),
             ("What was not played", g.refused)]
    return [(title, texts) for title, texts in found if texts]


def _parts(g: Gathered) -> Table:
    rows = []
    for part, name in PARTS.items():
        items = [i for i in g.items if i.part == part]
        if items:
            widest = max((g.measure.won(i.tally) for i in items), key=lambda e: e.half_width)
            fewest, most = (pick(i.result.games for i in items) for pick in (min, max))
            rows.append({"part": name, "variants": len(items), "games": sum(i.result.games for i in items),
                         "each": f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}",
                         "within": f"±{100 * widest.half_width:.1f} points"})
    return Table("parts", "What was played", [
        Column("part", "part"), Column("variants", "variants", "count"), Column("games", "games", "count"),
        Column("each", "games each"), Column("within", f"{g.measure.win} known to within")], rows)


def _assumed(g: Gathered) -> list[Table]:
    """How many numbers are assumed, by the first word of their path."""
    leaves = [(leaf.path.split(".")[0], leaf.assumed and leaf.path not in g.first.changed)
              for leaf in g.first.leaves.values()]
    total, assumed = Counter(group for group, _ in leaves), Counter(group for group, yes in leaves if yes)
    rows: list[dict[str, Any]] = [{"group": wording.path(k), "assumed": assumed[k], "total": total[k]} for k in total
                                  if assumed[k]]
    if not rows:
        return []
    columns = [Column("group", "part of the box"), Column("assumed", "assumed", "count"),
               Column("total", "numbers", "count")]
    return [Table("assumed", "What is assumed", columns, rows,
                  f"Each with its range and reason: hardmode list {g.scenario.game.name}")]


def again(g: Gathered) -> Section:
    command = shlex.join(["hardmode", "report", g.scenario.name, "--games", str(g.base.result.games), "--seed",
                          str(g.effort.seed)])
    rows = [_line("this report", "with as many games", g, command),
            _line("this report", "all its games, compared", g, "hardmode reproduce result.json")]
    rows += [{"part": PARTS[i.part], "label": i.label or "this scenario", "games": i.result.games, "command": i.command,
              "digest": i.result.outcome_digest} for i in g.items]
    columns = [Column("part", "part"), Column("label", "variant"), Column("games", "games", "count"),
               Column("command", "command", "code"), Column("digest", "outcome digest", "code")]
    made = ", ".join(f"{k} {v}" for k, v in g.base.result.made_by.items())
    return Section("again", "Every number again", [
        "Each command plays exactly the games behind its numbers. The digest is made from the outcome of every one of "
        "them: where it is the same, so are the games.", f"Made by {made}."],
        tables=[Table("commands", "The commands", columns, rows)])


def _line(part: str, label: str, g: Gathered, command: str) -> dict[str, Any]:
    return {"part": part, "label": label, "games": sum(i.result.games for i in g.items), "command": command,
            "digest": ""}
