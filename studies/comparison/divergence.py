"""Where the histories of one game under two variants first differ."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from hardmode.sim.contract import Game
from hardmode.sim.draws import DECISION
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices, logged

DEFAULT_THREADS = 2

# Columns of an entry of a game's history.
SOURCE, STEP, KIND, ROUND = 0, 1, 2, 3
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
    """Return the first draw or decision in which two histories of a game differ, and its round.

    Differences in play come before those of the deal: if a change adds components, it changes the
    deal of every game, which says nothing.

    Args:
        engines: The two variants.
        workspaces: A workspace for each.
        seed: Seed of the games.
        number: Number of the game.

    Returns:
        The name of the source, and the round.
    """
    game = engines[0].game
    a, b = (
        _read_history(engine, workspace, seed, number)
        for engine, workspace in zip(engines, workspaces, strict=True)
    )
    a_start, b_start = (_find_first(history[:, SOURCE] == DECISION) for history in (a, b))
    found = _find_difference(game, a[a_start:], b[b_start:])
    found = found or _find_difference(game, a[:a_start], b[:b_start])
    return found or ("the end itself", 0)


def _find_difference(game: Game, a: np.ndarray, b: np.ndarray) -> tuple[str, int] | None:
    """Return the source and the round in which two parts of histories first differ."""
    both = min(len(a), len(b))
    place = _find_first(~_are_same(a[:both], b[:both]))
    decisions = np.flatnonzero(a[:both][: place + 1, SOURCE] == DECISION)
    round_ = int(a[decisions[-1], ROUND]) if decisions.size else 0
    if place < both:
        return _name_source(game, a[place], b[place]), round_
    rest = (a if len(a) > len(b) else b)[both:]
    return (_name_source(game, rest[0], rest[0]), round_) if len(rest) else None


def _find_first(holds: np.ndarray) -> int:
    """Return the first place at which `holds` is true, or its length."""
    return int(holds.argmax()) if holds.any() else len(holds)


def _read_history(engine: Engine, workspace: Workspace, seed: int, number: int) -> np.ndarray:
    choices(engine, workspace, seed, number, log=True)
    return logged(workspace)


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
