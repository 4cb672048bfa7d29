"""What `sensitivity` prints, its JSON, and its files: what matters first, then what is dead, then what is not known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console import wording
from hardmode.reports.console.terminal import out
from hardmode.reports.page import model
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.core.reference_players import describe_players, players_disagree
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, group_by_path
from hardmode.studies.sensitivity.screening import LEADING_COUNT, SMALLEST_EFFECT
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import MINUS

BAR = 8  # characters of the longest bar to each side
MOST_SHOWN, MOST_NAMED = 20, 12
LISTED, STEPS = 4, 2  # of the steps of a number, in the table and in the plot
POINTS = 100


def show(found: SensitivityAnalysis) -> None:
    out.print(
        f"[bold]{found.game.title}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(describe_players(found.cell))}: what one step of each number does to the win rate"
    )
    if disagreed(found):
        out.print(
            "[bold]steady disagrees[/bold], in sign or by more than half, on "
            f"{escape(_named([n.path for n in disagreed(found)]))}"
        )
    if found.significant:
        out.print(_table(found))
    _rest(found)


def _table(found: SensitivityAnalysis) -> Table:
    table = Table(header_style="bold")
    beside = [
        *(["in company"] if any(n.joint_effect for n in found.significant) else []),
        *(["steady"] if found.steady_effects else []),
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
    most = max(abs(n.value) for n in found.significant) or 1.0
    for path, steps in list(group_by_path(found.significant).items())[:MOST_SHOWN]:
        for i, n in enumerate(steps[:LISTED]):
            others = {"in company": found.estimate_joint_effect(n), "steady": found.estimate_with_steady(n)}
            table.add_row(
                "" if i else escape(path),
                escape(step_text(n)),
                formatting.format_with_interval(found.estimate_difference(n), "points"),
                _bar(n.value / most),
                f"{n.wins_gained:,}",
                f"{n.wins_lost:,}",
                formatting.format_change(found.estimate_length_change(n)),
                f"{n.games:,}",
                *(_points(others[head]) for head in beside),
            )
        if len(steps) > LISTED:
            table.add_row("", f"and {len(steps) - LISTED} more steps")
    return table


def _points(e: Estimate | None) -> str:
    return formatting.format_with_interval(e, "points") if e else ""


def step_text(n: ParameterEffect) -> str:
    """3 to 4; of a list, whose items move alike as far as each may: each +1"""
    if isinstance(n.before, list):
        return f"each {max((b - a for a, b in zip(n.before, n.after, strict=True)), key=abs):+g}".replace(
            "-", MINUS
        )
    return f"{wording.cut(format_yaml_value(n.before), 24)} to {wording.cut(format_yaml_value(n.after), 24)}"


def _bar(share: float) -> str:
    """One arm of the tornado: to the left where games are lost, to the right where they are won."""
    arm = "█" * max(1, round(BAR * abs(share)))
    return f"{arm:>{BAR}}│" if share < 0 else f"{'':{BAR}}│{arm}"


def disagreed(found: SensitivityAnalysis) -> list[ParameterEffect]:
    """The leading steps of which `steady` says something else."""
    return [n for n in found.significant[:LEADING_COUNT] if steady_disagrees(found, n)]


def steady_disagrees(found: SensitivityAnalysis, n: ParameterEffect) -> bool:
    other = found.estimate_with_steady(n)
    return other is not None and players_disagree(found.estimate_difference(n), other)


def _rest(found: SensitivityAnalysis) -> None:
    if not found.significant:
        out.print("no step is shown to move the win rate")
    out.print(
        f"{len(found.significant)} of {len(found.effects)} steps matter; the others are not shown to"
    )
    left = [n for n in found.not_significant if n.games]
    unplayed = sum(n.changes_box and not n.games for n in found.effects)
    if unplayed:
        out.print(f"not played: {unplayed} steps, for want of time")
    if left:
        n = left[0]
        out.print(
            f"not resolved: {len(left)} steps, each at most {POINTS * found.get_outer_bound(n):.1f} points "
            f"(widest: {escape(n.path)} {escape(step_text(n))} in {n.games:,} games){in_company(found)}; "
            "--seconds buys more"
        )
    if left and found.looks > 1:
        out.print(sought(found))
    fewest = min((n.games for n in found.effects if n.path in found.no_change_seen and n.changes_box), default=0)
    for names, what in (
        (found.unused, "dead, no rule reads them in this scenario"),
        (found.no_change_seen, f"dead, read but no game of {fewest:,} changed"),
    ):
        if names:
            out.print(f"{what}: {escape(_named(names))}")
    if found.refused:
        n = found.refused[0]
        out.print(
            f"refused by the game: {len(found.refused)} steps, as {escape(n.path)} {escape(step_text(n))}: "
            f"{escape(n.refusal)}"
        )
    stopped = "interrupted; " if found.interrupted else ""
    out.print(
        f"[dim]{stopped}all {len(found.effects)} intervals hold together at {POINTS * found.confidence:g} %; "
        f"what matters by Benjamini and Hochberg at {POINTS * (1 - found.confidence):g} %; "
        f"seed {found.seed}[/dim]"
    )


def in_company(found: SensitivityAnalysis) -> str:
    """Of how many the bound is not that of the step alone."""
    some = sum(found.is_bounded_by_joint_effect(n) for n in found.not_significant)
    return (
        f", {some:,} of them in company: on average over boxes in which other numbers moved too"
        if some
        else ""
    )


def sought(found: SensitivityAnalysis) -> str:
    """What would have been found, where somebody looks whether it is there."""
    still = (
        f", but for {len(found.undecided):,} steps that there was no time to settle"
        if found.undecided
        else ""
    )
    return f"a step that moves the {won_text(found)} by {POINTS * SMALLEST_EFFECT:g} points is missed at most once in ten{still}"


def _named(paths: Sequence[str]) -> str:
    once = list(dict.fromkeys(paths))
    more = f" and {len(once) - MOST_NAMED} more" if len(once) > MOST_NAMED else ""
    return ", ".join(once[:MOST_NAMED]) + more


def write(found: SensitivityAnalysis, folder: Path) -> Path:
    """The table of all numbers, the tornado of what matters, and all that was found as JSON."""
    from hardmode.reports.json.encoding import encode_answer
    from hardmode.reports.json.sensitivity import build_sensitivity_answer
    from hardmode.reports.page import export, plots
    from hardmode.reports.page import folder as kept
    from hardmode.reports.page.style import BROAD

    content = export.table(table(found))
    content["sensitivity.json"] = json.dumps(
        encode_answer("sensitivity", build_sensitivity_answer(found)), ensure_ascii=False, indent=1
    )
    if found.significant:
        _, svg, png = plots.draw(tornado(found, MOST_SHOWN), BROAD)
        content |= {"tornado.svg": svg, "tornado.png": png}
    kept.write(folder, content)
    return folder


def table(found: SensitivityAnalysis) -> model.Table:
    """Every step that was played, what matters first."""
    shown = set(found.significant)
    rows = [
        {
            "path": n.path,
            "from": format_yaml_value(n.before),
            "to": format_yaml_value(n.after),
            "points": found.estimate_difference(n),
            "in_company": found.estimate_joint_effect(n),
            "gained": n.wins_gained,
            "lost": n.wins_lost,
            "length": found.estimate_length_change(n),
            "games": n.games,
            "matters": "yes" if n in shown else "not shown",
        }
        for n in [*found.significant, *(n for n in found.effects if n not in shown)]
        if n.games
    ]
    company = (
        [model.Column("in_company", "in company", "points")]
        if any(n.joint_effect for n in found.effects)
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


def tornado(found: SensitivityAnalysis, most: int) -> model.Figure:
    """The strongest numbers, each with the steps of it that matter most."""
    rows = [
        {
            "label": path if len(steps) <= STEPS else f"{path} ({len(steps)} steps)",
            "steps": [_known(found, n) for n in steps[:STEPS]],
        }
        for path, steps in list(group_by_path(found.significant).items())[:most]
    ]
    return model.tornado(
        "tornado", f"{found.cell.title}: {_title(found)}", rows, f"points of {won_text(found)}"
    )


def _known(found: SensitivityAnalysis, n: ParameterEffect) -> tuple[str, Estimate]:
    """What a step does, alone or in company, whichever is known better."""
    amid = found.estimate_joint_effect(n)
    if amid and found.is_bounded_by_joint_effect(n):
        return f"{_short(n)}, in company", amid
    return _short(n), found.estimate_difference(n)


def _short(n: ParameterEffect) -> str:
    """3 to 4; of a choice, which stands at the same name in every row, what is chosen instead."""
    return format_yaml_value(n.after) if isinstance(n.after, (str, bool)) else step_text(n)


def won_text(found: SensitivityAnalysis) -> str:
    return (
        "games won by seat 1" if found.game.competitive and found.cell.players > 1 else "win rate"
    )


def _title(found: SensitivityAnalysis) -> str:
    return f"each number one step away, played by {describe_players(found.cell)}"
