"""The solver of games whose draws are known: compiling, and the interface for Python.

The loop over games is compiled once for each game, as the kernel is (`sim.play.kernel`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numba
import numpy as np

from hardmode.sim.compile.cache import compile_cached, ignore_experimental_warning
from hardmode.sim.contract import Game
from hardmode.sim.draws import game_key
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import Context, Policies, Rules
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.hindsight.charges import learn_values
from hardmode.sim.play.hindsight.positions import FRAME, Search, begin_game
from hardmode.sim.play.hindsight.tree import find_best, play_attempt
from hardmode.sim.play.values import HEADER, ValueFunction, pack_values
from hardmode.sim.play.workspace import Workspace, as_cells
from hardmode.sim.records import PLAIN

DEFAULT_NODES = 200_000  # positions of a game after which its search is left
MAX_DEPTH = 1024  # decisions of a game, likewise
LEARNED_SLOTS = 1 << 21  # places for values that are learned, of which at most half are used
LEARNED_BYTES = 1 << 28  # of the positions that have them


@dataclass(frozen=True)
class Question:
    """What is searched for.

    Attributes:
        seat: The seat for which the solver chooses, or `ALL_SEATS`.
        is_score: Whether its score is searched for, and not a win.
        charges: The value function by which foresight is charged for; None to leave it free.
        attempts: The plays that are tried before the search for a win.
        max_nodes: The positions of a game after which its search is left.
        counters: Fields of the table that no rule reads except to count, such as `table.rolls`:
            positions that differ only in them are searched once.
    """

    seat: int
    is_score: bool = False
    charges: ValueFunction | None = None
    attempts: int = 0
    max_nodes: int = DEFAULT_NODES
    counters: tuple[str, ...] = ()


class HindsightSolver:
    """Solver of the games of an engine, with all the memory that it needs.

    Args:
        engine: The game, and the strategies of the seats that the solver does not hold.
        question: What is searched for.
    """

    def __init__(self, engine: Engine, question: Question) -> None:
        self._engine = engine
        self._has_turns = bool(question.charges and question.charges.turn_fields)
        self._workspace = Workspace(engine.game)
        self._search = make_search(engine.game, question)

    def solve(self, seed: int, start: int, stop: int) -> np.ndarray:
        """Return the most that each game brings: 1 or 0 for wins, or a score, less all charges.

        It is not a number where the search was left.

        Args:
            seed: The seed of the games.
            start: The first game.
            stop: The game after the last.
        """
        return self._run(self._search._replace(seed=seed, start=start, stop=stop))

    def learn(self, seed: int) -> float:
        """Learn the values of all positions once more, from those of the positions after them.

        Nothing is learned where the value function judges all positions itself, which is where it
        has no fields of a turn.

        Args:
            seed: The seed of another game, from whose first position all others are reached.

        Returns:
            The largest change of a value.
        """
        if not self._has_turns:
            return 0.0
        learning = self._search._replace(seed=seed, start=0, stop=1, is_learning=True)
        return float(self._run(learning)[0])

    def _run(self, search: Search) -> np.ndarray:
        gains = np.zeros(search.stop - search.start)
        compiled = compile_search(self._engine.game)
        self._engine.run_samples(compiled, self._workspace, search, [as_cells(gains)])
        return gains


def make_search(game: Game, question: Question) -> Search:
    """Return a search of no games yet, with all its memory."""
    charges = question.charges
    depth = min(MAX_DEPTH, game.max_decisions)
    slots = 1 << (2 * question.max_nodes).bit_length()
    learned_slots, learned = 1, 0
    if charges and charges.turn_fields:
        learned_slots = LEARNED_SLOTS
        size = game.table.itemsize + game.hidden.itemsize
        learned = min(learned_slots // 2, LEARNED_BYTES // size)
    arrays = {
        "model": pack_values(game, charges) if charges else np.zeros(HEADER),
        "masks": mask_counters(game, question.counters),
        "frames": np.zeros(depth, FRAME),
        "tables": np.zeros(depth, game.table),
        "hiddens": np.zeros(depth, game.hidden),
        "options": np.zeros((depth, game.max_options), np.int64),
        "keys": np.zeros(slots, np.uint64),
        "values": np.zeros(slots),
        "learned_keys": np.zeros(learned_slots, np.uint64),
        "learned_values": np.zeros(learned_slots),
        "learned_tables": np.zeros(learned, game.table),
        "learned_hiddens": np.zeros(learned, game.hidden),
        "n_learned": np.zeros(1, np.int64),
    }
    return Search(
        seed=0,
        start=0,
        stop=0,
        max_steps=game.max_decisions,
        seat=question.seat,
        is_score=question.is_score,
        is_charged=charges is not None,
        is_learning=False,
        attempts=question.attempts,
        max_nodes=question.max_nodes,
        **{name: as_cells(array) for name, array in arrays.items()},
    )


def mask_counters(game: Game, counters: tuple[str, ...]) -> np.ndarray:
    """Return the bits of a table, as 64-bit words, that are no counters."""
    bits = np.full(game.table.itemsize, 0xFF, np.uint8)
    for name in counters:
        part = name.removeprefix("table.").partition("[")[0]
        field, offset = game.table.fields[part][:2]  # type: ignore[index]
        bits[offset : offset + field.itemsize] = 0
    return bits.view(np.uint64)


@cache
@ignore_experimental_warning()
def compile_search(game: Game) -> Callable:
    """Return `search_kernel` compiled for a game."""
    if PLAIN:
        return search_kernel
    common = kernel.make_signatures(game)["sample_kernel"].args[:6]
    search = numba.typeof(make_search(game, Question(seat=0, max_nodes=1)))
    signature = numba.int64(*common, search, numba.float64[::1])
    return compile_cached(search_kernel, signature, name=f"{game.name} hindsight")


def search_kernel(boxes, workspaces, rule_tuple, choose, stand_ins, seat_configs, search, gains):
    """Search games, or learn values from the first of them, and return how many games.

    Args:
        boxes: The box of the game, as an array of one item.
        workspaces: The workspace of this thread, likewise.
        rule_tuple: The fields of `Rules`; numba converts functions only in plain tuples.
        choose: The strategy of each seat.
        stand_ins: The other strategies, as in `decisions.Policies`.
        seat_configs: The settings of all seats, as an array of one item.
        search: What is searched for in which games, and the memory for it.
        gains: Receives the most that each game brings; not a number if the search was left. While
            values are learned, it receives their largest change.
    """
    rules = Rules(*rule_tuple)
    policies = Policies(choose, stand_ins, seat_configs[0])
    context = Context(boxes[0], workspaces[0], rules, policies, search.max_steps)
    for game in range(search.start, search.stop):
        key = game_key(search.seed, game)
        gain = 0.0
        attempt = 0
        while attempt < search.attempts and gain < 1.0:
            begin_game(context, key)
            gain = play_attempt(context, search, attempt)
            attempt += 1
        if gain < 1.0:
            begin_game(context, key)
            if search.is_learning:
                gain = learn_values(context, search)
            else:
                gain = find_best(context, search)
        gains[game - search.start] = gain
    return search.stop - search.start
