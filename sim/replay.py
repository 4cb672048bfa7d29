"""Replay: one game, step by step, in names that a reader of the rulebook knows.

The game is first played for its choices. Then each position is reached again by following them, so
that the replay shows what the kernel played, without any code for replay in the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import ROUNDS, SCORES, WINNERS, Game, RulesError, validation
from hardmode.sim.draws import DECISION, LOG_CAPACITY
from hardmode.sim.narration import NEW_ROUND as NEW_ROUND  # words of games import it from here, too
from hardmode.sim.narration import describe_draw, describe_ending, describe_steps
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import OFFERED, REAL, STEPS, Workspace, allocate_rows
from hardmode.sim.records import readable


@dataclass
class Step:
    """One decision with its consequences; step 0 is the deal."""

    number: int
    kind: str
    seat: int
    options: list[dict[str, Any]]
    taken: dict[str, Any] | None
    forced: bool
    draws: list[dict[str, Any]]
    state: dict[str, Any]


@dataclass
class Story:
    """A whole game in the game's words."""

    game: Game
    seed: int
    number: int
    players: list[str]
    steps: list[Step]
    ending: str
    row: dict[str, Any]
    choices: np.ndarray = field(repr=False)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the game as the JSON list that `replay --json` prints."""
        entries: list[dict[str, Any]] = []
        for step in self.steps:
            if step.taken is None:
                entry = {"step": 0, "kind": "deal", "draws": step.draws, "state": step.state}
            else:
                entry = {
                    "step": step.number,
                    "kind": step.kind,
                    "seat": step.seat + 1,
                    "strategy": self.players[step.seat],
                    "forced": step.forced,
                    "options": step.options,
                    "taken": step.taken,
                    "draws": step.draws,
                    "state": step.state,
                }
            entries.append(entry)
        ending = {"step": len(self.steps), "kind": "ending", "ending": self.ending, **self.row}
        return [*entries, ending]


def choices(
    engine: Engine, workspace: Workspace, seed: int, number: int, **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Play one game, and return the index of the option taken at each step, and the row.

    Args:
        engine: The engine.
        workspace: A workspace of its game.
        seed: The seed.
        number: The number of the game.
        **options: More arguments of `Engine.play`.
    """
    trace = np.zeros(engine.game.max_decisions, np.int64)
    row = allocate_rows(engine.game, 1)
    workspace.totals[:] = 0
    engine.play(workspace, seed, number, number + 1, row, trace=trace, **options)
    return trace[: int(workspace.totals[STEPS])], np.asarray(row)[:, 0]


def logged(workspace: Workspace) -> np.ndarray:
    """Return the logged draws and decisions of the latest game, in order, one per line."""
    luck = workspace.lucks.view(np.ndarray)
    n = min(int(luck["log_n"][REAL]), LOG_CAPACITY)
    return np.array(luck["log"][REAL, :n])


def story(engine: Engine, seed: int, number: int) -> Story:
    """Return one game in the game's words.

    Raises:
        RulesError: If the game's words fail.
    """
    game = engine.game
    words = game.load_words()
    workspace = Workspace(game)
    taken, row = choices(engine, workspace, seed, number)
    positions = _visit_positions(engine, workspace, seed, number, taken)
    steps: list[Step] = []
    decision: tuple[str, int, list[Any]] | None = None
    log_length = 0
    for k, (box, table, hidden) in enumerate(positions):
        log = logged(workspace)
        entries = [entry for entry in log[log_length:] if entry[0] != DECISION]
        log_length = len(log)
        with where_words_fail(game, f"game {number} of seed {seed}, step {k}"):
            draws = [drawn_words(game, words, box, entry) for entry in entries]
            state = words.state(box, table, hidden)
        if decision is None:
            steps.append(Step(0, "deal", 0, [], None, True, draws, state))
        else:
            kind, seat, options = decision
            option = options[int(taken[k - 1])]
            steps.append(Step(k, kind, seat, options, option, len(options) == 1, draws, state))
        if k < len(taken):
            seat = int(table.seat)
            codes = np.asarray(workspace.lists)[REAL, : int(workspace.totals[OFFERED])].tolist()
            with where_words_fail(game, f"game {number} of seed {seed}, step {k + 1}"):
                message = "the decision's kind is"
                kind = _get_declared(game, "kinds", game.kinds, int(table.kind), message)
                options = [words.option(box, table, hidden.own[seat], code) for code in codes]
            decision = (kind, seat, options)
    players = [str(player) for player in engine.seat_players]
    ending = game.all_endings[int(row[0])]
    named_row = row_words(game, row, int(readable(workspace.tables, REAL).seats))
    return Story(game, seed, number, players, steps, ending, named_row, taken)


def _visit_positions(
    engine: Engine, workspace: Workspace, seed: int, number: int, script: np.ndarray
) -> Iterator[tuple[Any, Any, Any]]:
    """Bring a game to each of its positions; yield the box, the table and what is hidden there."""
    row = allocate_rows(engine.game, 1)
    for k in range(len(script) + 1):
        engine.play(workspace, seed, number, number + 1, row, script=script, stop_step=k, log=True)
        table = readable(workspace.tables, REAL)
        yield readable(engine.box), table, readable(workspace.hiddens, REAL)


@contextmanager
def where_words_fail(game: Game, where: str) -> Iterator[None]:
    """Turn errors of a game's words into RulesErrors that say where they happened.

    Args:
        game: The game.
        where: The place in the played game, to be added to the message.
    """
    try:
        yield
    except RulesError as error:
        raise RulesError(f"{error}; {where}") from None
    except Exception as error:
        location = source_location.find_game_frame(error)
        place = source_location.format_location(
            location or source_location.find_definition(game.setup)
        )
        message = source_location.describe_exception(error)
        raise RulesError(f"{place}: {game.name}: its words fail: {message}; {where}") from error


def _get_declared(game: Game, part: str, items: Sequence[Any], number: int, what: str) -> Any:
    """Return item `number` of a part of `Game`; raise a RulesError if there is none."""
    if not 0 <= number < len(items):
        place = validation.locate_field(game, part)
        raise RulesError(
            f"{place}: {game.name}: {what} {number}; the game has {len(items)}, numbered from 0"
        )
    return items[number]


def row_words(game: Game, row: np.ndarray, seats: int) -> dict[str, Any]:
    """Return a row as a mapping with names.

    Args:
        game: The game.
        row: Its row.
        seats: The number of seats that play.
    """
    values = dict(zip(game.columns, (int(v) for v in row), strict=True))
    measures: dict[str, Any] = {}
    for m in game.measures:
        columns = [f"{m.name} {seat + 1}" for seat in range(seats)] if m.per_seat else [m.name]
        labels = dict(enumerate(m.labels))
        named = [labels.get(values[column], values[column]) for column in columns]
        measures[m.name] = named if m.per_seat else named[0]
    return {
        "rounds": int(row[ROUNDS]),
        "winners": [seat + 1 for seat in range(seats) if int(row[WINNERS]) >> seat & 1],
        "scores": [int(row[SCORES + seat]) for seat in range(seats)],
        "measures": measures,
    }


def drawn_words(game: Game, words: Any, box: Any, entry: np.ndarray) -> dict[str, Any]:
    """Return a logged draw as a mapping with names.

    Args:
        game: The game.
        words: The module of its words.
        box: Its box.
        entry: The entry of the log: where, a, b, c, n, result.
    """
    numbers = [int(x) for x in entry]
    source = _get_declared(game, "sources", game.sources, numbers[0], "a draw's source is")
    return describe_draw(words, box, source, numbers)


def sentences(
    story: Story, words: Any, notes: Mapping[int, Sequence[str]] | None = None
) -> list[str]:
    """Return the lines of a story: sentences, and a picture of the position at each new round.

    Args:
        story: The story.
        words: The module of the game's words.
        notes: Lines to add after some steps, by the number of the step.
    """
    unit = story.game.unit
    with where_words_fail(story.game, f"game {story.number} of seed {story.seed}"):
        by_step = list(describe_steps(story.steps, words, unit, notes or {}))
    lines = [line for lines in by_step for line in lines]
    return [*lines, "", describe_ending(story.ending, story.row["rounds"], unit)]
