"""The memory of a search with hindsight, and what is done with one position of a game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.contract import SCORES, WINNERS
from hardmode.sim.draws import GOLD, lucky, mix64
from hardmode.sim.play.decisions import choose_and_verify, choose_as_player, search_as_configured
from hardmode.sim.play.workspace import BLANK, REAL, TRIAL
from hardmode.sim.records import rule

ALL_SEATS = -1  # the solver chooses for all seats, and any win is its own

_RIVAL = np.uint64(0x3C6EF372FE94F82B)
_EMPTY = np.uint64(0)

FRAME = np.dtype(
    [
        ("key", "u8"),  # hash of the position
        ("n", "i8"),  # options that are tried in it
        ("place", "i8"),  # the option that is tried next
        ("best", "f8"),  # the most that the options before it bring
        ("charge", "f8"),  # for the draws of the option that was taken last
    ],
    align=True,
)


class Search(NamedTuple):
    """What is searched for in which games, and the memory for it, beside the workspace.

    Keys and values are hash tables in pairs.
    """

    seed: int
    start: int
    stop: int  # the game after the last
    max_steps: int
    seat: int  # for which the solver chooses, or `ALL_SEATS`
    is_score: bool  # whether its score is searched for, and not a win
    is_charged: bool  # whether foresight is charged for
    is_learning: bool  # whether values are learned, and nothing is searched
    attempts: int  # plays that are tried before the search
    max_nodes: int  # positions of a game after which its search is left
    model: Any  # a packed value function
    masks: Any  # the bits of a table that tell positions apart
    frames: Any  # the positions on the way from the first one, by depth
    tables: Any  # their tables
    hiddens: Any  # their hidden parts
    options: Any  # the options that are tried in them
    keys: Any  # hashes of the positions that were searched
    values: Any  # the most that they bring
    learned_keys: Any  # hashes of the positions whose values are learned
    learned_values: Any  # these values
    learned_tables: Any  # the tables of these positions, in the order in which they were found
    learned_hiddens: Any  # their hidden parts
    n_learned: Any  # the number of these positions, in an array of one item


@rule
def begin_game(context: Any, key: Any) -> None:
    """Set up the game with a key in the real position."""
    workspace = context.workspace
    workspace.tables[REAL] = workspace.tables[BLANK]
    workspace.hiddens[REAL] = workspace.hiddens[BLANK]
    lucky(workspace.lucks[REAL], key)
    context.rules.setup(
        context.box, workspace.tables[REAL], workspace.hiddens[REAL], workspace.lucks[REAL]
    )


@rule
def is_own(search: Any, seat: int) -> Any:
    """Return whether the solver chooses for a seat."""
    return search.seat == ALL_SEATS or search.seat == seat


@rule
def compute_gain(context: Any, search: Any, place: int) -> float:
    """Return what the solver has from the ending at a place: 1 for a win, or its score."""
    workspace = context.workspace
    context.rules.outcome(context.box, workspace.tables[place], workspace.row)
    if search.is_score:
        return np.float64(workspace.cells[SCORES + max(0, search.seat)])
    winners = workspace.cells[WINNERS]
    if search.seat != ALL_SEATS:
        winners = (winners >> search.seat) & 1
    return 1.0 if winners != 0 else 0.0


@rule
def hash_position(workspace: Any, masks: Any) -> Any:
    """Return a hash of the real position without its counters, which is never 0."""
    key = GOLD
    for w in range(workspace.table_words.shape[0]):
        word = np.uint64(np.int64(workspace.table_words[w])) & masks[w]
        key = mix64(key ^ word) + GOLD
    for w in range(workspace.hidden_words.shape[0]):
        key = mix64(key ^ np.uint64(np.int64(workspace.hidden_words[w]))) + GOLD
    return mix64(key) | np.uint64(1)


@rule
def find_slot(keys: Any, key: Any) -> int:
    """Return the place of a key in a hash table with linear probing, or the empty one for it."""
    mask = keys.shape[0] - 1
    slot = np.int64(key >> np.uint64(8)) & mask
    while keys[slot] != _EMPTY and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@rule
def choose_for_rival(context: Any, search: Any, n: int, position: Any) -> int:
    """Return which of the n options in the first list is taken where the solver does not choose.

    A rival's own randomness depends on the game and on the hash of the position alone, so that the
    same choice is made however the position is reached. While values are learned, rivals do not
    search, since that would take too long.
    """
    key = mix64(mix64(np.uint64(context.workspace.lucks[REAL].key) ^ _RIVAL) ^ position)
    if search.is_learning:
        i = choose_as_player(context, REAL, n, key)
    else:
        i = choose_and_verify(context, search_as_configured, n, key, False)
    return i if 0 <= i < n else 0


@rule
def open_frame(context: Any, search: Any, level: int, key: Any) -> None:
    """Store the real position at a depth, with the options that are to be tried in it.

    A rival has only one option, which its strategy chooses. The key is the hash of the position.
    """
    workspace = context.workspace
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    offered = workspace.lists[REAL]
    search.tables[level] = table
    search.hiddens[level] = hidden
    n = context.rules.options(context.box, table, hidden, offered)
    first = 0
    if not is_own(search, table.seat):
        first = choose_for_rival(context, search, n, key) if n > 1 else 0
        n = 1
    elif search.is_charged and not search.is_score:
        winning = find_certain_win(context, search, level, n)
        if winning >= 0:
            first = winning
            n = 1
    frame = search.frames[level]
    frame.key = key
    frame.n = n
    frame.place = 0
    frame.best = -np.inf
    for i in range(n):
        search.options[level, i] = offered[first + i]


@rule
def find_certain_win(context: Any, search: Any, level: int, n: int) -> int:
    """Return which of the n options in the first list wins at once, whatever is drawn; -1 if none.

    Nothing is better than to win, so no other option has to be tried. What would come after the
    others is of no interest, and the value function may know nothing about it.
    """
    workspace = context.workspace
    for i in range(n):
        take_in_trial(context, search, level, workspace.lists[REAL, i], GOLD)
        is_over = workspace.tables[TRIAL].ending >= 0 and workspace.lucks[TRIAL].log_n == 0
        if is_over and compute_gain(context, search, TRIAL) >= 1.0:
            return i
    return -1


@rule
def take_in_trial(context: Any, search: Any, level: int, option: int, key: Any) -> None:
    """Take an option of the position at a depth in the trial, and log the draws from another key.

    What is hidden stays as it is: the bound also holds for players who know it.
    """
    workspace = context.workspace
    workspace.tables[TRIAL] = search.tables[level]
    workspace.hiddens[TRIAL] = search.hiddens[level]
    luck = workspace.lucks[TRIAL]
    lucky(luck, key)
    luck.log_on = 1
    table = workspace.tables[TRIAL]
    context.rules.take(context.box, table, workspace.hiddens[TRIAL], luck, option)
    luck.log_on = 0
