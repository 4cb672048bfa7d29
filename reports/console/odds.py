"""The odds of one game as they are told: beside its story, as a line of blocks, as a plot, in its JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.model import Figure
from hardmode.sim.files import atomic_files
from hardmode.sim.replay import NEW_ROUND, Story
from hardmode.studies.game_flow.turning_points import LUCK, Swing, Turning
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import percent, points, points_span

BLOCKS = "▁▂▃▄▅▆▇█"
WIDE = 100  # blocks at most
LONG = 150  # of what is said of a step
ROLES = "abcd"


def as_list(made: Story, found: Turning) -> list[dict[str, Any]]:
    """What `replay --odds --json` prints: the game as ever, with `odds` in every step and `turns` in the last."""
    told = made.to_list()
    for i, step in enumerate(told):
        odds = found.odds[min(i, len(found.odds) - 1)]
        step["odds"] = _rate(odds[0])
        if len(odds) > 1:
            step["odds_by_seat"] = [
                {"seat": view + 1, **_rate(e)} for view, e in zip(found.views, odds, strict=True)
            ]
    told[-1]["turns"] = [_turn(made, found, swing) for swing in found.turns]
    told[-1]["playouts"] = found.playouts
    return told


def _rate(e: Estimate) -> dict[str, float]:
    return {"rate": e.value, "low": e.low, "high": e.high}


def _turn(made: Story, found: Turning, s: Swing) -> dict[str, Any]:
    seat = {"seat": s.view + 1} if len(found.views) > 1 else {}
    better = {"better": made.steps[s.step].options[s.better]} if s.better >= 0 else {}
    return {
        "step": s.step,
        "kind": s.kind,
        "swing": s.size.value,
        "low": s.size.low,
        "high": s.size.high,
        "before": s.before,
        "after": s.after,
        **seat,
        **better,
        "told": sentence(made, found, s),
    }


def sentence(made: Story, found: Turning, s: Swing) -> str:
    """One turning point in words."""
    whose = f"seat {s.view + 1}: " if len(found.views) > 1 else ""
    if s.kind == LUCK:
        return (
            f"{whose}{happened(made, s.step)}: {100 * s.before:.0f} -> {100 * s.after:.0f} % "
            f"({points(s.size)} points, {points_span(s.size)})"
        )
    step = made.steps[s.step]
    return (
        f"{whose}chose {option(step.taken or {})} where {option(step.options[s.better])} was worth "
        f"{points(s.size).lstrip('+')} points more ({points_span(s.size)})"
    )


def happened(made: Story, number: int) -> str:
    """What came of a step, in a line."""
    step = made.steps[number]
    before = made.steps[number - 1].state if number else None
    said = [
        line.strip().rstrip(".")
        for line in made.game.tell().tell(before, step.taken, step.draws, step.state)
        if line.strip() and line != NEW_ROUND
    ]
    return wording.cut("; ".join(said) or (option(step.taken) if step.taken else "the deal"), LONG)


def option(taken: dict[str, Any]) -> str:
    """An option as its words tell it, in a line: explore (hex (1, 2))."""
    rest = ", ".join(f"{key} {_flat(value)}" for key, value in taken.items() if key != "do")
    name = str(taken.get("do", ""))
    return wording.cut(f"“{name} ({rest})”" if name and rest else f"“{name or rest}”", LONG)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_flat(v)}" for k, v in value.items())
    return ", ".join(map(_flat, value)) if isinstance(value, (list, tuple)) else str(value)


def notes(made: Story, found: Turning) -> dict[int, list[str]]:
    """What is said of turning points where they happen."""
    return {
        s.step: [f"  >> turning point {i + 1}, {s.kind}: {sentence(made, found, s)}"]
        for i, s in enumerate(found.turns)
    }


def as_lines(made: Story, found: Turning) -> list[str]:
    """The odds as lines of blocks, with the rounds and the turning points under them, and these in words."""
    n = len(found.odds)
    at = [i * (n - 1) // max(1, min(WIDE, n) - 1) for i in range(min(WIDE, n))]
    lines = []
    for j, view in enumerate(found.views):
        row = [found.odds[i][j] for i in at]
        name = f"seat {view + 1}" if len(found.views) > 1 else "chance to win"
        ends = f"{percent(found.odds[0][j])} after the deal, {100 * found.odds[-1][j].value:.0f} % in the end"
        lines.append(f"{name:>13} {''.join(BLOCKS[min(7, int(8 * e.value))] for e in row)} {ends}")
    if begins := _rounds(made):
        lines.append(_under(made.game.unit, [(_column(at, step), label) for step, label in begins]))
    if not found.turns:
        return [*lines, "no step moved the chance to win by more than chance explains"]
    lines.append(
        _under(
            "turning point",
            [(_column(at, s.step), str(i + 1)) for i, s in enumerate(found.turns)],
            True,
        )
    )
    return [
        *lines,
        *(
            f"{i + 1}. step {s.step}, {s.kind}: {sentence(made, found, s)}"
            for i, s in enumerate(found.turns)
        ),
    ]


def _column(at: list[int], step: int) -> int:
    return min(range(len(at)), key=lambda c: abs(at[c] - step))


def _under(name: str, marks: Sequence[tuple[int, str]], aside: bool = False) -> str:
    """Short words under the columns where they belong; where there is no room, left out or put aside."""
    line = ""
    for column, mark in sorted(marks):
        if aside or column >= len(line) + bool(line):
            line = line.ljust(column) + mark
    return f"{name:>13} {line}"


def _rounds(made: Story) -> list[tuple[int, str]]:
    """At which steps rounds begin, with their numbers."""
    found: list[tuple[int, str]] = []
    for step in made.steps:
        now = step.state.get("open", {}).get("round")
        if now is not None and (not found or found[-1][1] != str(now)):
            found.append((step.number, str(now)))
    return found


def figure(made: Story, found: Turning, name: str, title: str) -> Figure:
    """The odds as a plot, with the turning points on it."""
    series: list[dict[str, Any]] = [
        {
            "name": f"seat {view + 1}" if len(found.views) > 1 else "",
            "role": ROLES[j % len(ROLES)],
            "x": list(range(len(found.odds))),
            "estimates": [odds[j] for odds in found.odds],
        }
        for j, view in enumerate(found.views)
    ]
    turns = [
        (s.step, found.odds[s.step][found.views.index(s.view)].value, str(i + 1))
        for i, s in enumerate(found.turns)
    ]
    ends = [
        f"{s['name'] or 'it'} from {percent(s['estimates'][0])} to {100 * s['estimates'][-1].value:.0f} %"
        for s in series
    ]
    alt = f"{title}: {wording.listed(ends)}; {len(turns)} turning point{'s' * (len(turns) != 1)}."
    return model.odds(name, title, series, _rounds(made), turns, made.game.unit.rstrip("s"), alt)


def write(made: Story, found: Turning, path: Path) -> None:
    """The plot as a file of its own."""
    from hardmode.reports.page import plots

    title = f"{made.game.title}, game {made.number} of seed {made.seed}: chance to win"
    head, line, body = plots.draw(figure(made, found, "odds", title))[1].partition("\n")
    atomic_files.write(path, "".join([head, line, "<!-- drawn by hardmode -->", line, body]))
