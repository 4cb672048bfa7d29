"""Output of `replay`: the story of a game, and the chances to win as a line of blocks or a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import (
    format_count,
    join_names,
    singularize_unit,
    truncate,
)
from hardmode.reports.page import model
from hardmode.reports.page.model import Figure
from hardmode.scenarios.load import Variant
from hardmode.sim.files import atomic_files
from hardmode.sim.files.text import escape_control_chars
from hardmode.sim.narration import NEW_ROUND, format_option
from hardmode.sim.replay import Story, sentences
from hardmode.studies.game_flow.turning_points import LUCK, Swing, TurningPoints
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_points, format_points_interval, format_rate

BLOCKS = "▁▂▃▄▅▆▇█"  # of increasing height
MAX_BLOCKS = 100
LABEL_WIDTH = 13  # columns before the blocks
MAX_CHARS = 150  # of the text of one step
ROLES = "acde"  # colors of the seats in the plot
SIGNATURE = "<!-- drawn by hardmode -->"  # by which a plot may be written again


def print_replay(cell: Variant, game: Story, turning_points: TurningPoints | None) -> None:
    """Print a game step by step, with its turning points if they were found."""
    title = f"{cell.game.title}: {cell.title}"
    if cell.label:
        title += f" ({cell.readable_label})"
    number = f"game {game.number} of seed {game.seed}"
    players = escape(_name_players(game) + cell.overlay_suffix)
    out.print(f"[bold]{escape(title)}[/bold], {number}; {players}\n")
    words = cell.game.load_words()
    if turning_points:
        notes = make_turning_point_notes(game, turning_points)
        lines = [*sentences(game, words, notes), "", *draw_win_chances(game, turning_points)]
    else:
        lines = list(sentences(game, words, None))
    print(escape_control_chars("\n".join(lines)))


def _name_players(game: Story) -> str:
    n_seats = len(game.row["scores"])
    players = game.players[:n_seats]
    if len(set(players)) > 1:
        return ", ".join(players)
    return f"{players[0]} at every seat"


def describe_swing(story: Story, turning_points: TurningPoints, swing: Swing) -> str:
    """Return one turning point in words, with the change of the chance to win."""
    seat = f"seat {swing.view + 1}: " if len(turning_points.views) > 1 else ""
    interval = format_points_interval(swing.change)
    if swing.kind == LUCK:
        return (
            f"{seat}{describe_step(story, swing.step)}: {100 * swing.before:.0f} -> "
            f"{100 * swing.after:.0f} % ({format_points(swing.change)} points, {interval})"
        )
    step = story.steps[swing.step]
    better = quote_option(step.options[swing.better_option])
    gain = format_points(swing.change).lstrip("+")
    return (
        f"{seat}chose {quote_option(step.taken or {})}, although {better} was worth {gain} points "
        f"more ({interval})"
    )


def describe_step(story: Story, number: int) -> str:
    """Return the events of a step in one line."""
    step = story.steps[number]
    before = story.steps[number - 1].state if number else None
    words = story.game.load_words()
    lines = []
    for line in words.tell(before, step.taken, step.draws, step.state):
        if line.strip() and line != NEW_ROUND:
            lines.append(line.strip().rstrip("."))
    if lines:
        return truncate("; ".join(lines), MAX_CHARS)
    return quote_option(step.taken) if step.taken else "the deal"


def quote_option(option: dict[str, Any]) -> str:
    """Return an option in quotes, such as “explore (hex (1, 2))”."""
    return truncate(f"“{format_option(option)}”", MAX_CHARS)


def make_turning_point_notes(story: Story, turning_points: TurningPoints) -> dict[int, list[str]]:
    """Return lines for the steps at which turning points happen, by the number of the step."""
    notes = {}
    for i, swing in enumerate(turning_points.swings):
        text = describe_swing(story, turning_points, swing)
        notes[swing.step] = [f"  >> turning point {i + 1}, {swing.kind}: {text}"]
    return notes


def draw_win_chances(story: Story, turning_points: TurningPoints) -> list[str]:
    """Return lines of blocks for the chances to win, with rounds and turning points below them."""
    n_steps = len(turning_points.win_rates)
    n_blocks = min(MAX_BLOCKS, n_steps)
    steps = [i * (n_steps - 1) // max(1, n_blocks - 1) for i in range(n_blocks)]
    lines = _draw_blocks(turning_points, steps)
    rounds = _list_rounds(story)
    if rounds:
        marks = [(_find_block(steps, step), label) for step, label in rounds]
        lines.append(_place_marks(story.game.unit, marks))
    swings = turning_points.swings
    if not swings:
        return [*lines, "no step changed the chance to win by more than chance explains"]
    marks = [(_find_block(steps, swing.step), str(i + 1)) for i, swing in enumerate(swings)]
    lines.append(_place_marks("turning point", marks, keep_all=True))
    for i, swing in enumerate(swings):
        text = describe_swing(story, turning_points, swing)
        lines.append(f"{i + 1}. step {swing.step}, {swing.kind}: {text}")
    return lines


def _draw_blocks(turning_points: TurningPoints, steps: Sequence[int]) -> list[str]:
    lines = []
    for j, view in enumerate(turning_points.views):
        estimates = [rates[j] for rates in turning_points.win_rates]
        name = _name_seat(turning_points, view) or "chance to win"
        blocks = "".join(_choose_block(estimates[step].value) for step in steps)
        first, last = _format_ends(estimates)
        lines.append(f"{name:>{LABEL_WIDTH}} {blocks} {first} after the deal, {last} at the end")
    return lines


def _choose_block(share: float) -> str:
    height = int(len(BLOCKS) * share)
    return BLOCKS[min(height, len(BLOCKS) - 1)]


def _name_seat(turning_points: TurningPoints, view: int) -> str:
    """Return the seat whose chance is shown, or nothing if there is only one chance."""
    return f"seat {view + 1}" if len(turning_points.views) > 1 else ""


def _format_ends(estimates: Sequence[Estimate]) -> tuple[str, str]:
    """Return the chance after the deal, and the chance at the end, which is certain."""
    return format_rate(estimates[0]), f"{100 * estimates[-1].value:.0f} %"


def _find_block(steps: Sequence[int], step: int) -> int:
    """Return the block whose step is nearest."""
    return min(range(len(steps)), key=lambda block: abs(steps[block] - step))


def _place_marks(name: str, marks: Sequence[tuple[int, str]], keep_all: bool = False) -> str:
    """Return a line with short marks below their blocks.

    Args:
        name: What the marks show.
        marks: The block and the text of each mark.
        keep_all: Put a mark for which there is no room after the one before it, instead of
            leaving it out.
    """
    line = ""
    for block, mark in sorted(marks):
        has_room = block > len(line) or not line
        if keep_all or has_room:
            line = line.ljust(block) + mark
    return f"{name:>{LABEL_WIDTH}} {line}"


def _list_rounds(story: Story) -> list[tuple[int, str]]:
    """Return the steps at which rounds begin, with the numbers of the rounds."""
    rounds: list[tuple[int, str]] = []
    for step in story.steps:
        number = step.state.get("open", {}).get("round")
        if number is not None and (not rounds or rounds[-1][1] != str(number)):
            rounds.append((step.number, str(number)))
    return rounds


def make_win_chance_figure(
    story: Story, turning_points: TurningPoints, name: str, title: str
) -> Figure:
    """Return the chances to win as a plot that marks the turning points."""
    rates = turning_points.win_rates
    series: list[dict[str, Any]] = []
    ends = []
    for j, view in enumerate(turning_points.views):
        seat = _name_seat(turning_points, view)
        estimates = [by_view[j] for by_view in rates]
        line = {
            "name": seat,
            "role": ROLES[j % len(ROLES)],
            "x": list(range(len(rates))),
            "estimates": estimates,
        }
        series.append(line)
        first, last = _format_ends(estimates)
        ends.append(f"{seat or 'it'} from {first} to {last}")
    turns = []
    for i, swing in enumerate(turning_points.swings):
        j = turning_points.views.index(swing.view)
        turns.append((swing.step, rates[swing.step][j].value, str(i + 1)))
    alt = f"{title}: {join_names(ends)}; {format_count(len(turns), 'turning point')}."
    unit = singularize_unit(story.game.unit)
    return model.make_win_chance_plot(name, title, series, _list_rounds(story), turns, unit, alt)


def write_win_chance_plot(story: Story, turning_points: TurningPoints, path: Path) -> None:
    """Write the plot of the chances to win as an SVG file."""
    from hardmode.reports.plots.figures import draw_svg

    title = f"{story.game.title}, game {story.number} of seed {story.seed}: chance to win"
    svg = draw_svg(make_win_chance_figure(story, turning_points, "odds", title)).file
    atomic_files.write_atomically(path, f"{SIGNATURE}\n{svg}")
