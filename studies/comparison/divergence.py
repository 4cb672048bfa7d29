"""Where the histories of one game under two variants first differ."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, Game
from hardmode.sim.draws import DECISION
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.replay import choices, logged

DEFAULT_THREADS = 2

# Columns of an entry of a game's history.
SOURCE, STEP, KIND, ROUND = 0, 1, 2, 3
HEAD_FIELDS = {name for name, *_ in TABLE_HEAD}
COMPARED_COLUMNS = [0, 2, 3, 5]  # all but the step and the number of possible results


@dataclass(frozen=True)
class Flip:
    """One game that is won under one variant and lost under the other."""

    game: int
    gained: bool  # lost under A, won under B
    lost_by: str  # the ending under the variant that lost it
    lost_to: tuple[int, ...]  # the seats that won there


@dataclass(frozen=True)
class Divergence:
    """Where the histories of a flipped game first differ."""

    game: int
    gained: bool  # lost under A, won under B
    source: str
    round: int
    lost_by: str = ""  # the ending under the variant that lost it
    lost_to: tuple[int, ...] = ()  # the seats that won there


def find_divergences(
    engines: tuple[Engine, Engine], seed: int, flips: Sequence[Flip], threads: int
) -> list[Divergence]:
    """Return the divergence of each flipped game, in order.

    Args:
        engines: The two variants.
        seed: Seed of the games.
        flips: Games that are won under one variant only.
        threads: Number of threads; 0 for the default.
    """
    game, threads = engines[0].game, threads or DEFAULT_THREADS
    workspaces: SimpleQueue[tuple[Workspace, Workspace]] = SimpleQueue()
    for _ in range(threads):
        workspaces.put((Workspace(game), Workspace(game)))

    def find(flip: Flip) -> Divergence:
        pair = workspaces.get()
        try:
            source, round_ = find_first_divergence(engines, pair, seed, flip.game)
        finally:
            workspaces.put(pair)
        return Divergence(flip.game, flip.gained, source, round_, flip.lost_by, flip.lost_to)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(find, flips))


def find_first_divergence(
    engines: tuple[Engine, Engine], workspaces: tuple[Workspace, Workspace], seed: int, number: int
) -> tuple[str, int]:
    """Return what first differs in two histories of a game, and in which round.

    It is a draw, a decision or, if a rule changed the position before any of them differs, the
    field of the position that the rule changed. Differences in play come before those of the deal:
    if a change adds components, it changes the deal of every game, which says nothing. After
    different deals, positions differ whatever the rules are, so they count only if nothing else in
    play differs.

    Args:
        engines: The two variants.
        workspaces: A workspace for each.
        seed: Seed of the games.
        number: Number of the game.

    Returns:
        The name of the source, and the round.
    """
    game = engines[0].game
    sides = tuple(
        _play_history(engine, workspace, seed, number)
        for engine, workspace in zip(engines, workspaces, strict=True)
    )
    a, b = (side.history for side in sides)
    a_start, b_start = (_find_first(history[:, SOURCE] == DECISION) for history in (a, b))
    play_a, play_b = a[a_start:], b[b_start:]
    in_play = _find_difference(game, play_a, play_b)
    in_deal = _find_difference(game, a[:a_start], b[:b_start])
    if in_play and in_deal:
        return in_play
    changed = _find_changed_position(sides, _count_equal_positions(play_a, play_b))
    if changed:
        step, field = changed
        decisions = play_a[play_a[:, SOURCE] == DECISION]
        return f"the field {field} of the position", int(decisions[step - 1, ROUND])
    return in_play or in_deal or ("the end itself", _get_last_round(play_a))


@dataclass(frozen=True)
class _Side:
    """One game under one variant: what is needed to bring it to any of its positions."""

    engine: Engine
    workspace: Workspace
    seed: int
    number: int
    choices: np.ndarray
    history: np.ndarray

    def read_position(self, step: int) -> dict[str, np.ndarray]:
        """Return the fields of the position after a number of decisions.

        Those that every game has, such as the ending or the seat to move, are left out.
        """
        row = allocate_rows(self.engine.game, 1)
        games = self.number, self.number + 1
        self.engine.play(
            self.workspace, self.seed, *games, row, script=self.choices, stop_step=step
        )
        fields = {}
        for records in (self.workspace.tables, self.workspace.hiddens):
            record = np.array(records.view(np.ndarray)[REAL])
            for name in record.dtype.names or ():
                if name not in HEAD_FIELDS:
                    fields[name] = np.frombuffer(record[name].tobytes(), np.uint8)
        return fields


def _play_history(engine: Engine, workspace: Workspace, seed: int, number: int) -> _Side:
    taken, _ = choices(engine, workspace, seed, number, log=True)
    return _Side(engine, workspace, seed, number, taken, logged(workspace))


def _count_equal_positions(a: np.ndarray, b: np.ndarray) -> int:
    """Return after how many decisions the positions must be equal unless a rule differs.

    The positions after fewer decisions must be, too. A draw that differs changes the position after
    the decision that caused it.
    """
    both = min(len(a), len(b))
    place = _find_first(~_are_same(a[:both], b[:both]))
    n_decisions = int((a[:place, SOURCE] == DECISION).sum())
    following = [history[place] for history in (a, b) if place < len(history)]
    is_draw = any(entry[SOURCE] != DECISION for entry in following)
    return n_decisions - is_draw


def _find_changed_position(sides: Sequence[_Side], last: int) -> tuple[int, str] | None:
    """Return the first position that a rule changed, and the field that differs there.

    What differs right after the deal, such as a number of the box that a position holds, is not
    looked at. A difference that is gone by the last position is not found.

    Args:
        sides: The game under both variants.
        last: Number of decisions before the last position.

    Returns:
        The number of decisions before the position, and the name of the field, or None.
    """
    start_a, start_b = (side.read_position(0) for side in sides)
    is_equal_at_start = {name: start_a[name] == start_b[name] for name in start_a}

    def find_field(step: int) -> str | None:
        at_a, at_b = (side.read_position(step) for side in sides)
        for name, counts in is_equal_at_start.items():
            if ((at_a[name] != at_b[name]) & counts).any():
                return name
        return None

    field = find_field(last) if last > 0 else None
    if field is None:
        return None
    equal, different = 0, last
    while different - equal > 1:
        middle = (equal + different) // 2
        if found := find_field(middle):
            different, field = middle, found
        else:
            equal = middle
    return different, field


def _get_last_round(history: np.ndarray) -> int:
    """Return the round of the last decision; 0 without any."""
    decisions = history[history[:, SOURCE] == DECISION]
    return int(decisions[-1, ROUND]) if len(decisions) else 0


def _find_difference(game: Game, a: np.ndarray, b: np.ndarray) -> tuple[str, int] | None:
    """Return the source and the round in which two parts of histories first differ."""
    both = min(len(a), len(b))
    place = _find_first(~_are_same(a[:both], b[:both]))
    round_ = _get_last_round(a[:both][: place + 1])
    if place < both:
        return _name_source(game, a[place], b[place]), round_
    rest = (a if len(a) > len(b) else b)[both:]
    return (_name_source(game, rest[0], rest[0]), round_) if len(rest) else None


def _find_first(holds: np.ndarray) -> int:
    """Return the first place at which `holds` is true, or its length."""
    return int(holds.argmax()) if holds.any() else len(holds)


def _are_same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return whether entries are the same event with the same result.

    The number of possible results may differ and, of a decision, the step.
    """
    equal = a == b
    same_step = equal[:, STEP] | (a[:, SOURCE] == DECISION)
    return equal[:, COMPARED_COLUMNS].all(axis=1) & same_step


def _name_source(game: Game, a: np.ndarray, b: np.ndarray) -> str:
    """Return what differs, by name; a draw comes before a decision, and B before A."""
    for entry in (b, a):
        if entry[SOURCE] != DECISION:
            return game.sources[int(entry[SOURCE])].name
    return f"decision: {game.kinds[int(b[KIND])]}"
