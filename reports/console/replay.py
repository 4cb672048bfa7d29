"""Output of `replay`: the story of a game, and the chances to win as a line of blocks or a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from hardmode.reports.console import wording
from hardmode.reports.console.terminal import out
from hardmode.reports.page import model
from hardmode.reports.page.model import Figure
from hardmode.scenarios.load import Variant
from hardmode.sim.files import atomic_files
from hardmode.sim.files.text import escape_control_chars
from hardmode.sim.replay import NEW_ROUND, Story, sentences
from hardmode.studies.game_flow.turning_points import LUCK, Swing, TurningPoints
from hardmode.studies.stats.formatting import format_percent, format_points, format_points_interval

BLOCKS = "▁▂▃▄▅▆▇█"
WIDE = 100  # blocks at most
LONG = 150  # of what is said of a step
ROLES = "abcd"


def sentence(made: Story, found: TurningPoints, s: Swing) -> str:
    """One turning point in words."""
    whose = f"seat {s.view + 1}: " if len(found.views) > 1 else ""
    if s.kind == LUCK:
        return (
            f"{whose}{happened(made, s.step)}: {100 * s.before:.0f} -> {100 * s.after:.0f} % "
            f"({format_points(s.change)} points, {format_points_interval(s.change)})"
        )
    step = made.steps[s.step]
    return (
        f"{whose}chose {option(step.taken or {})} where {option(step.options[s.better_option])} was worth "
        f"{format_points(s.change).lstrip('+')} points more ({format_points_interval(s.change)})"
    )


def happened(made: Story, number: int) -> str:
    """What came of a step, in a line."""
    step = made.steps[number]
    before = made.steps[number - 1].state if number else None
    said = [
        line.strip().rstrip(".")
        for line in made.game.load_words().tell(before, step.taken, step.draws, step.state)
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


def notes(made: Story, found: TurningPoints) -> dict[int, list[str]]:
    """What is said of turning points where they happen."""
    return {
        s.step: [f"  >> turning point {i + 1}, {s.kind}: {sentence(made, found, s)}"]
        for i, s in enumerate(found.swings)
    }


def as_lines(made: Story, found: TurningPoints) -> list[str]:
    """The odds as lines of blocks, with the rounds and the turning points under them, and these in words."""
    n = len(found.win_rates)
    at = [i * (n - 1) // max(1, min(WIDE, n) - 1) for i in range(min(WIDE, n))]
    lines = []
    for j, view in enumerate(found.views):
        row = [found.win_rates[i][j] for i in at]
        name = f"seat {view + 1}" if len(found.views) > 1 else "chance to win"
        ends = f"{format_percent(found.win_rates[0][j])} after the deal, {100 * found.win_rates[-1][j].value:.0f} % in the end"
        lines.append(f"{name:>13} {''.join(BLOCKS[min(7, int(8 * e.value))] for e in row)} {ends}")
    if begins := _rounds(made):
        lines.append(_under(made.game.unit, [(_column(at, step), label) for step, label in begins]))
    if not found.swings:
        return [*lines, "no step moved the chance to win by more than chance explains"]
    lines.append(
        _under(
            "turning point",
            [(_column(at, s.step), str(i + 1)) for i, s in enumerate(found.swings)],
            True,
        )
    )
    return [
        *lines,
        *(
            f"{i + 1}. step {s.step}, {s.kind}: {sentence(made, found, s)}"
            for i, s in enumerate(found.swings)
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


def figure(made: Story, found: TurningPoints, name: str, title: str) -> Figure:
    """The odds as a plot, with the turning points on it."""
    series: list[dict[str, Any]] = [
        {
            "name": f"seat {view + 1}" if len(found.views) > 1 else "",
            "role": ROLES[j % len(ROLES)],
            "x": list(range(len(found.win_rates))),
            "estimates": [odds[j] for odds in found.win_rates],
        }
        for j, view in enumerate(found.views)
    ]
    turns = [
        (s.step, found.win_rates[s.step][found.views.index(s.view)].value, str(i + 1))
        for i, s in enumerate(found.swings)
    ]
    ends = [
        f"{s['name'] or 'it'} from {format_percent(s['estimates'][0])} to {100 * s['estimates'][-1].value:.0f} %"
        for s in series
    ]
    alt = f"{title}: {wording.listed(ends)}; {len(turns)} turning point{'s' * (len(turns) != 1)}."
    return model.odds(name, title, series, _rounds(made), turns, made.game.unit.rstrip("s"), alt)


def write(made: Story, found: TurningPoints, path: Path) -> None:
    """The plot as a file of its own."""
    from hardmode.reports.page import plots

    title = f"{made.game.title}, game {made.number} of seed {made.seed}: chance to win"
    head, line, body = plots.draw(figure(made, found, "odds", title))[1].partition("\n")
    atomic_files.write_atomically(
        path, "".join([head, line, "<!-- drawn by hardmode -->", line, body])
    )


def print_replay(cell: Variant, game: Story, turning_points: TurningPoints | None) -> None:
    """Print a game step by step, with its turning points if they were found."""
    label = f" ({cell.label_text})" if cell.label else ""
    players = game.players[: len(game.row["scores"])]
    names = ", ".join(players) if len(set(players)) > 1 else f"{players[0]} at every seat"
    out.print(
        f"[bold]{cell.game.title}: {escape(cell.title)}{escape(label)}[/bold], game {game.number} "
        f"of seed {game.seed}; {escape(names + cell.overlay_suffix)}\n"
    )
    turn_notes = notes(game, turning_points) if turning_points else None
    lines = list(sentences(game, cell.game.load_words(), turn_notes))
    if turning_points:
        lines += ["", *as_lines(game, turning_points)]
    print(escape_control_chars("\n".join(lines)))
