"""What `sensitivity` prints, its JSON, and its files: what matters first, then what is dead, then what is not known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console import wording
from hardmode.reports.console.result import out
from hardmode.reports.page import model
from hardmode.scenarios.parameter import yaml_text
from hardmode.studies.core.reference_players import disagree, players_text
from hardmode.studies.sensitivity.analysis import Sensitivity
from hardmode.studies.sensitivity.paired_effects import Number, by_path
from hardmode.studies.sensitivity.screening import LEADING, SOUGHT, strength
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import MINUS

BAR = 8  # characters of the longest bar to each side
MOST_SHOWN, MOST_NAMED = 20, 12
LISTED, STEPS = 4, 2  # of the steps of a number, in the table and in the plot
POINTS = 100


def show(found: Sensitivity) -> None:
    out.print(
        f"[bold]{found.game.title}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(players_text(found.cell))}: what one step of each number does to the win rate"
    )
    if disagreed(found):
        out.print(
            "[bold]steady disagrees[/bold], in sign or by more than half, on "
            f"{escape(_named([n.path for n in disagreed(found)]))}"
        )
    if found.matters:
        out.print(_table(found))
    _rest(found)


def _table(found: Sensitivity) -> Table:
    table = Table(header_style="bold")
    beside = [
        *(["in company"] if any(n.amid for n in found.matters) else []),
        *(["steady"] if found.steady else []),
    ]
    heads = ["number", "step", "points", "", "gained", "lost", found.game.unit, "games", *beside]
    for head in heads:
        named = head in ("number", "step")
        table.add_column(
            head,
            justify="left" if named or not head else "right",
            no_wrap=not named,
            overflow="fold",
        )
    most = max(abs(n.value) for n in found.matters) or 1.0
    for path, steps in list(by_path(found.matters).items())[:MOST_SHOWN]:
        for i, n in enumerate(steps[:LISTED]):
            others = {"in company": found.amid(n), "steady": found.by_steady(n)}
            table.add_row(
                "" if i else escape(path),
                escape(step_text(n)),
                formatting.with_interval(found.difference(n), "points"),
                _bar(n.value / most),
                f"{n.gained:,}",
                f"{n.lost:,}",
                formatting.change(found.length(n)),
                f"{n.games:,}",
                *(_points(others[head]) for head in beside),
            )
        if len(steps) > LISTED:
            table.add_row("", f"and {len(steps) - LISTED} more steps")
    return table


def _points(e: Estimate | None) -> str:
    return formatting.with_interval(e, "points") if e else ""


def step_text(n: Number) -> str:
    """3 to 4; of a list, whose items move alike as far as each may: each +1"""
    if isinstance(n.before, list):
        return f"each {max((b - a for a, b in zip(n.before, n.after, strict=True)), key=abs):+g}".replace(
            "-", MINUS
        )
    return f"{wording.cut(yaml_text(n.before), 24)} to {wording.cut(yaml_text(n.after), 24)}"


def _bar(share: float) -> str:
    """One arm of the tornado: to the left where games are lost, to the right where they are won."""
    arm = "█" * max(1, round(BAR * abs(share)))
    return f"{arm:>{BAR}}│" if share < 0 else f"{'':{BAR}}│{arm}"


def disagreed(found: Sensitivity) -> list[Number]:
    """The leading steps of which `steady` says something else."""
    return [n for n in found.matters[:LEADING] if _disagrees(found, n)]


def _disagrees(found: Sensitivity, n: Number) -> bool:
    other = found.by_steady(n)
    return other is not None and disagree(found.difference(n), other)


def _rest(found: Sensitivity) -> None:
    if not found.matters:
        out.print("no step is shown to move the win rate")
    out.print(
        f"{len(found.matters)} of {len(found.numbers)} steps matter; the others are not shown to"
    )
    left = [n for n in found.unresolved if n.games]
    unplayed = sum(n.read and not n.games for n in found.numbers)
    if unplayed:
        out.print(f"not played: {unplayed} steps, for want of time")
    if left:
        n = left[0]
        out.print(
            f"not resolved: {len(left)} steps, each at most {POINTS * found.bound(n):.1f} points "
            f"(widest: {escape(n.path)} {escape(step_text(n))} in {n.games:,} games){in_company(found)}; "
            "--seconds buys more"
        )
    if left and found.looks > 1:
        out.print(sought(found))
    fewest = min((n.games for n in found.numbers if n.path in found.silent and n.read), default=0)
    for names, what in (
        (found.unread, "dead, no rule reads them in this scenario"),
        (found.silent, f"dead, read but no game of {fewest:,} changed"),
    ):
        if names:
            out.print(f"{what}: {escape(_named(names))}")
    if found.refused:
        n = found.refused[0]
        out.print(
            f"refused by the game: {len(found.refused)} steps, as {escape(n.path)} {escape(step_text(n))}: "
            f"{escape(n.refused)}"
        )
    stopped = "interrupted; " if found.interrupted else ""
    out.print(
        f"[dim]{stopped}all {len(found.numbers)} intervals hold together at {POINTS * found.confidence:g} %; "
        f"what matters by Benjamini and Hochberg at {POINTS * (1 - found.confidence):g} %; "
        f"seed {found.seed}[/dim]"
    )


def in_company(found: Sensitivity) -> str:
    """Of how many the bound is not that of the step alone."""
    some = sum(found.bounded_amid(n) for n in found.unresolved)
    return (
        f", {some:,} of them in company: on average over boxes in which other numbers moved too"
        if some
        else ""
    )


def sought(found: Sensitivity) -> str:
    """What would have been found, where somebody looks whether it is there."""
    still = (
        f", but for {len(found.open):,} steps that there was no time to settle"
        if found.open
        else ""
    )
    return f"a step that moves the {won_text(found)} by {POINTS * SOUGHT:g} points is missed at most once in ten{still}"


def _named(paths: Sequence[str]) -> str:
    once = list(dict.fromkeys(paths))
    more = f" and {len(once) - MOST_NAMED} more" if len(once) > MOST_NAMED else ""
    return ", ".join(once[:MOST_NAMED]) + more


def as_dict(found: Sensitivity) -> dict[str, Any]:
    shown = {id(n) for n in found.matters}
    ranked = sorted(found.numbers, key=lambda n: (id(n) not in shown, -strength(n)))
    return {
        "game": found.game.name,
        "scenario": found.cell.title,
        "strategies": [str(s) for s in found.cell.strategies],
        "seed": found.seed,
        "confidence": found.confidence,
        "games": found.games,
        "interrupted": found.interrupted,
        "numbers": [_row(found, n, id(n) in shown) for n in ranked],
        "dead": found.dead,
        "unread": found.unread,
        "silent": found.silent,
        "unvaried": found.unvaried,
        "sought_points": POINTS * SOUGHT,
        "unresolved": [
            {
                "path": n.path,
                "from": n.before,
                "to": n.after,
                "bound_points": POINTS * found.bound(n),
                "in_company": found.bounded_amid(n),
            }
            for n in found.unresolved
        ],
        "refused": [
            {"path": n.path, "from": n.before, "to": n.after, "why": n.refused}
            for n in found.refused
        ],
        "box": found.cell.provenance,
        "digests": found.cell.digests,
    }


def _row(found: Sensitivity, n: Number, matters: bool) -> dict[str, Any]:
    d = found.difference(n)
    other = found.by_steady(n)
    length, amid = found.length(n), found.amid(n)
    return {
        "path": n.path,
        "from": n.before,
        "to": n.after,
        "points": POINTS * d.value,
        "low": POINTS * d.low,
        "high": POINTS * d.high,
        "gained": n.gained,
        "lost": n.lost,
        "games": n.games,
        "differing": n.differing,
        "read": n.read,
        "p": n.p,
        "matters": matters,
        "settled": found.settled(n),
        "length": {"value": length.value, "low": length.low, "high": length.high},
        "endings": {
            name: POINTS * int(more) / n.games
            for name, more in zip(found.game.all_endings, n.endings, strict=False)
            if more
        },
        **(
            {
                "in_company": {
                    "points": POINTS * amid.value,
                    "low_points": POINTS * amid.low,
                    "high_points": POINTS * amid.high,
                    "games": amid.n,
                }
            }
            if amid
            else {}
        ),
        **(
            {
                "steady_points": POINTS * other.value,
                "steady_low": POINTS * other.low,
                "steady_high": POINTS * other.high,
                "steady_disagrees": _disagrees(found, n),
            }
            if other
            else {}
        ),
    }


def write(found: Sensitivity, folder: Path) -> Path:
    """The table of all numbers, the tornado of what matters, and all that was found as JSON."""
    from hardmode.reports.json.answers import said
    from hardmode.reports.page import export, plots
    from hardmode.reports.page import folder as kept
    from hardmode.reports.page.style import BROAD

    content = export.table(table(found))
    content["sensitivity.json"] = json.dumps(
        said("sensitivity", as_dict(found)), ensure_ascii=False, indent=1
    )
    if found.matters:
        _, svg, png = plots.draw(tornado(found, MOST_SHOWN), BROAD)
        content |= {"tornado.svg": svg, "tornado.png": png}
    kept.write(folder, content)
    return folder


def table(found: Sensitivity) -> model.Table:
    """Every step that was played, what matters first."""
    shown = {id(n) for n in found.matters}
    rows = [
        {
            "path": n.path,
            "from": yaml_text(n.before),
            "to": yaml_text(n.after),
            "points": found.difference(n),
            "in_company": found.amid(n),
            "gained": n.gained,
            "lost": n.lost,
            "length": found.length(n),
            "games": n.games,
            "matters": "yes" if id(n) in shown else "not shown",
        }
        for n in [*found.matters, *(n for n in found.numbers if id(n) not in shown)]
        if n.games
    ]
    company = (
        [model.Column("in_company", "in company", "points")]
        if any(n.amid for n in found.numbers)
        else []
    )
    columns = [
        model.Column("path", "number", "code"),
        model.Column("from", "from"),
        model.Column("to", "to"),
        model.Column("points", "points", "points"),
        *company,
        model.Column("gained", "gained", "count"),
        model.Column("lost", "lost", "count"),
        model.Column("length", found.game.unit, "change"),
        model.Column("games", "games", "count"),
        model.Column("matters", "matters"),
    ]
    return model.Table("sensitivity", f"{found.cell.title}: {_title(found)}", columns, rows)


def tornado(found: Sensitivity, most: int) -> model.Figure:
    """The strongest numbers, each with the steps of it that matter most."""
    rows = [
        {
            "label": path if len(steps) <= STEPS else f"{path} ({len(steps)} steps)",
            "steps": [_known(found, n) for n in steps[:STEPS]],
        }
        for path, steps in list(by_path(found.matters).items())[:most]
    ]
    return model.tornado(
        "tornado", f"{found.cell.title}: {_title(found)}", rows, f"points of {won_text(found)}"
    )


def _known(found: Sensitivity, n: Number) -> tuple[str, Estimate]:
    """What a step does, alone or in company, whichever is known better."""
    amid = found.amid(n)
    if amid and found.bounded_amid(n):
        return f"{_short(n)}, in company", amid
    return _short(n), found.difference(n)


def _short(n: Number) -> str:
    """3 to 4; of a choice, which stands at the same name in every row, what is chosen instead."""
    return yaml_text(n.after) if isinstance(n.after, (str, bool)) else step_text(n)


def won_text(found: Sensitivity) -> str:
    return (
        "games won by seat 1" if found.game.competitive and found.cell.players > 1 else "win rate"
    )


def _title(found: Sensitivity) -> str:
    return f"each number one step away, played by {players_text(found.cell)}"
