"""Search with hindsight: what a game could have brought to somebody who knew all of its draws.

Draws have addresses, so a solver can look at those of a game. It chooses for some seats, and the
others follow their strategies, whose own randomness is known as well. The tree of decisions is
searched depth first. A position that is reached again is not searched again; it is recognized by a
hash of its records.

Foresight can be charged for (information relaxation; Brown, Smith and Sun 2010): at each step, what
a value function gives to the next position, less its mean over the draws of that step, is taken
off. This is zero in the mean for all players who do not know the draws, so the most that the solver
keeps is still an upper bound for them, and the better the values are, the closer it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from hardmode.sim.compile.cache import compile_cached, ignore_experimental_warning
from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.draws import GOLD, bounded, game_key, lucky, mix64
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import (
    Context,
    Policies,
    Rules,
    choose_and_verify,
    choose_as_player,
    make_player_key,
    makes_mistake,
    search_as_configured,
)
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.turn_search import hash_turn_position, is_judged
from hardmode.sim.play.values import (
    N_FIELDS,
    N_TURN_FIELDS,
    SCORE_WEIGHT,
    ValueFunction,
    evaluate_trial,
    pack_values,
    read_field,
)
from hardmode.sim.play.workspace import BLANK, REAL, TRIAL, Workspace, as_cells
from hardmode.sim.records import PLAIN, blank, rule

ALL_SEATS = -1  # the solver chooses for all seats, and any win is its own
DEFAULT_NODES = 200_000  # positions of a game after which its search is left
MAX_DEPTH = 1024  # decisions of a game, likewise
LOOK_AHEAD = 64  # decisions that are looked ahead within a turn
MAX_OUTCOMES = 64  # results of a step that are enumerated
MAX_KEYS = 2048  # keys that are tried to meet all of them
SAMPLES = 32  # draws of a step with more results, whose mean is taken instead
QUEUE = 1 << 15  # positions whose values are to be learned
LEARNED = 1 << 21  # positions within turns whose values are remembered
MISTAKES = (0.0, 0.03, 0.1, 0.3)  # rates of the plays that are tried
NOTHING = -1e300

NODES, IS_CUT, N_LEARNED, N_QUEUED = range(4)  # counters of a search
_FRESH, _ATTEMPT = np.uint64(0x6A09E667F3BCC908), np.uint64(0xBB67AE8584CAA73B)
_RIVAL = np.uint64(0x3C6EF372FE94F82B)
_ONE, _ZERO = np.uint64(1), np.uint64(0)

SEARCH_ARGS = np.dtype(
    [
        ("seed", "i8"),
        ("start", "i8"),
        ("stop", "i8"),
        ("max_steps", "i8"),
        ("max_nodes", "i8"),
        ("seat", "i8"),  # for which the solver chooses, or `ALL_SEATS`
        ("is_score", "i8"),  # whether its score is searched for, and not a win
        ("is_charged", "i8"),  # whether foresight is charged for by the value function
        ("is_learning", "i8"),  # whether values are learned from the positions that are met
        ("attempts", "i8"),  # plays that are tried before the search
    ],
    align=True,
)


FRAME = np.dtype(
    [
        ("n", "i8"),  # options of its position
        ("place", "i8"),  # the option that is tried
        ("best", "f8"),  # what the options before bring
        ("charge", "f8"),  # for foresight of the draws of this option
        ("key", "u8"),  # hash of the position
    ],
    align=True,
)


class Search(NamedTuple):
    """Memory of a search, beside the workspace.

    Attributes:
        args: What is searched for.
        model: A packed value function.
        frames: The positions on the way from the first one, by depth.
        tables: Their tables.
        hiddens: Their hidden parts.
        options: Their options.
        outcomes: Hashes of the results of a step.
        masks: The bits of a table that tell positions apart.
        keys: Hashes of the positions that were searched, with linear probing.
        values: What they bring.
        known_keys: Hashes of positions whose values were learned, by what the model reads.
        known_values: These values.
        new_keys: The same of positions whose values are being learned.
        new_values: These values.
        queue_tables: Tables of positions whose values are to be learned.
        queue_hiddens: Their hidden parts.
        counters: The positions searched, whether the search was left, the values learned, and the
            positions in the queue.
    """

    args: Any
    model: Any
    frames: Any
    tables: Any
    hiddens: Any
    options: Any
    outcomes: Any
    masks: Any
    keys: Any
    values: Any
    known_keys: Any
    known_values: Any
    new_keys: Any
    new_values: Any
    queue_tables: Any
    queue_hiddens: Any
    counters: Any


@rule
def is_own(search: Any, seat: int) -> Any:
    """Return whether the solver chooses for a seat."""
    return search.args.seat == ALL_SEATS or search.args.seat == seat


@rule
def compute_gain(context: Any, search: Any, place: int) -> float:
    """Return what the solver has from the ending at a place: 1 for a win, or its score."""
    workspace = context.workspace
    context.rules.outcome(context.box, workspace.tables[place], workspace.row)
    seat = max(0, search.args.seat)
    if search.args.is_score:
        return np.float64(workspace.cells[SCORES + seat])
    winners = workspace.cells[WINNERS]
    if search.args.seat != ALL_SEATS:
        winners = (winners >> seat) & 1
    return 1.0 if winners != 0 else 0.0


# -- positions that were met before ---------------------------------------------------------------


@rule
def hash_position(workspace: Any, masks: Any) -> Any:
    """Return a hash of the real position without its counters, which is never 0."""
    key = GOLD
    tables = workspace.table_words.shape[0]
    for w in range(tables):
        key = mix64(key ^ (np.uint64(workspace.table_words[w]) & masks[w])) + GOLD
    for w in range(workspace.hidden_words.shape[0]):
        key = mix64(key ^ np.uint64(workspace.hidden_words[w])) + GOLD
    return mix64(key) | _ONE


@rule
def make_rival_key(luck: Any, position: Any) -> Any:
    """Return the key of another player's own randomness in a position of a game."""
    return mix64(mix64(np.uint64(luck.key) ^ _RIVAL) ^ position)


@rule
def find_slot(keys: Any, key: Any) -> int:
    """Return the slot of a key in a hash table, or the empty slot for it."""
    mask = keys.shape[0] - 1
    slot = np.int64(key >> np.uint64(8)) & mask
    while keys[slot] != _ZERO and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@rule
def hash_fields(context: Any, search: Any) -> Any:
    """Return a hash of the seat to move in the trial, and of all that the value function reads."""
    workspace = context.workspace
    viewer = max(0, search.args.seat)
    key = mix64(np.uint64(workspace.tables[TRIAL].seat) + GOLD)
    for f in range(np.int64(search.model[N_FIELDS])):
        number = read_field(workspace, search.model, f, viewer)
        key = mix64(key ^ np.uint64(number)) + GOLD
    return hash_turn_position(context, search.model, viewer, key)


@rule
def clamp_choice(i: int, n: int) -> int:
    """Return the index of an option, or 0 if it is none of the n legal ones."""
    return i if 0 <= i < n else 0


# -- what a position is worth ---------------------------------------------------------------------


@rule
def predict_value(context: Any, search: Any, seat: int) -> float:
    """Return what the value function expects from the position of the trial, at its end."""
    viewer = seat if is_own(search, seat) else search.args.seat
    first_round = context.workspace.tables[TRIAL].round  # so that nothing is discounted
    value = evaluate_trial(context, search.model, viewer, first_round)
    return value / search.model[SCORE_WEIGHT] if search.args.is_score else value


@rule
def judge_trial(context: Any, search: Any, seat: int, first_round: int) -> Any:
    """Return what the position of the trial is worth to the solver, and whether that is known.

    It is always known, except while values are learned. Then a position at the end of the solver's
    turn has the value that is known so far, and is noted so that a new one is learned.

    Args:
        context: The context of the decision.
        search: The memory of the search.
        seat: The seat that has just chosen.
        first_round: The round in which it did.
    """
    table = context.workspace.tables[TRIAL]
    model = search.model
    if table.ending >= 0:
        return compute_gain(context, search, TRIAL), True
    if model[N_TURN_FIELDS] == 0:
        return predict_value(context, search, seat), True
    key = hash_fields(context, search)
    if search.args.is_learning:
        slot = find_slot(search.new_keys, key)
        is_new = search.new_keys[slot] != key
        has_room = 2 * search.counters[N_LEARNED] < search.new_keys.shape[0]
        if is_own(search, seat) and is_judged(table, model, seat, first_round):
            if is_new and has_room:
                enqueue_trial(context, search, key)
        elif not is_new and not np.isnan(search.new_values[slot]):
            return search.new_values[slot], True
        elif has_room:
            return 0.0, False
    slot = find_slot(search.known_keys, key)
    if search.known_keys[slot] == key:
        return search.known_values[slot], True
    return predict_value(context, search, seat), True


@rule
def enqueue_trial(context: Any, search: Any, key: Any) -> None:
    """Note the position of the trial, so that its value is learned later, if there is room."""
    n = search.counters[N_QUEUED]
    if n < search.queue_tables.shape[0]:
        search.queue_tables[n] = context.workspace.tables[TRIAL]
        search.queue_hiddens[n] = context.workspace.hiddens[TRIAL]
        search.counters[N_QUEUED] = n + 1
        slot = find_slot(search.new_keys, key)
        search.new_keys[slot] = key
        search.new_values[slot] = np.nan
        search.counters[N_LEARNED] += 1


@rule
def weigh_outcome(luck: Any) -> Any:
    """Return a hash of the draws that were logged, and their probability; 0 if it is too small."""
    key = GOLD
    weight = 1.0
    for i in range(luck.log_n):
        size = luck.log[i, 4]
        if size < 1 or weight * MAX_OUTCOMES < size:
            return key, 0.0
        weight /= size
        for part in range(6):
            key = mix64(key ^ np.uint64(luck.log[i, part])) + GOLD
    return key, weight


@rule
def take_in_trial(context: Any, search: Any, level: int, option: int, key: Any) -> None:
    """Take an option of the position at a depth in the trial, with the draws of another key."""
    workspace = context.workspace
    workspace.tables[TRIAL] = search.tables[level]
    workspace.hiddens[TRIAL] = search.hiddens[level]
    table = workspace.tables[TRIAL]
    luck = workspace.lucks[TRIAL]
    lucky(luck, key)
    luck.log_on = 1
    context.rules.take(context.box, table, workspace.hiddens[TRIAL], luck, option)
    luck.log_on = 0


@rule
def estimate_mean(context: Any, search: Any, level: int, option: int, key: Any) -> Any:
    """Return the mean value of the positions to which an option leads from the one at a depth.

    If there are few results, keys are tried until all were met. Otherwise, the mean over
    independent draws is returned, which is right on average.

    Args:
        context: The context of the decision.
        search: The memory of the search.
        level: The depth.
        option: The option.
        key: The key from which the draws are made.

    Returns:
        The mean, and whether it is known; if not, the trial is at a position without a value.
    """
    seat = search.tables[level].seat
    first_round = search.tables[level].round
    n = 0
    total = 0.0
    found = 0.0
    for k in range(MAX_KEYS):
        take_in_trial(context, search, level, option, mix64(key + np.uint64(k) * GOLD))
        outcome, weight = weigh_outcome(context.workspace.lucks[TRIAL])
        if weight == 0.0 or n == MAX_OUTCOMES:
            break
        is_new = True
        for j in range(n):
            is_new = is_new and search.outcomes[j] != outcome
        if is_new:
            value, is_known = judge_trial(context, search, seat, first_round)
            if not is_known:
                return 0.0, False
            search.outcomes[n] = outcome
            n += 1
            found += weight
            total += weight * value
        if found > 1.0 - 1e-9:
            return total, True
    total = 0.0
    for k in range(SAMPLES):
        take_in_trial(context, search, level, option, mix64(~key + np.uint64(k) * GOLD))
        value, is_known = judge_trial(context, search, seat, first_round)
        if not is_known:
            return 0.0, False
        total += value / SAMPLES
    return total, True


@rule
def look_ahead(context: Any, search: Any, level: int) -> Any:
    """Return the mean value after the best option at a depth, or after that of its strategy.

    Returns:
        The value, and whether it is known; if not, the trial is at a position without a value.
    """
    workspace = context.workspace
    workspace.tables[TRIAL] = search.tables[level]
    workspace.hiddens[TRIAL] = search.hiddens[level]
    table = workspace.tables[TRIAL]
    codes = search.options[level]
    key = search.frames[level].key
    n = context.rules.options(context.box, table, workspace.hiddens[TRIAL], codes)
    for i in range(n):
        workspace.lists[TRIAL, i] = codes[i]
    i = choose_as_player(context, TRIAL, n, mix64(key)) if n > 1 else 0
    first = clamp_choice(i, n)
    best, is_known = estimate_mean(context, search, level, codes[first], key)
    if not is_known or not is_own(search, search.tables[level].seat):
        return best, is_known
    for i in range(n):
        if i != first and (search.args.is_score or best < 1.0):
            value, is_known = estimate_mean(context, search, level, codes[i], key)
            if not is_known:
                return 0.0, False
            best = max(best, value)
    return best, True


@rule
def learn_turn(context: Any, search: Any) -> None:
    """Learn what the position of the trial is worth, and all positions of the turn that may follow.

    Positions without a value are put on a stack, and the last of them is looked at again until all
    those after it have values.
    """
    workspace = context.workspace
    is_known = False
    top = -1
    value = 0.0
    while not is_known or top >= 0:
        if is_known:
            slot = find_slot(search.new_keys, search.frames[top].key)
            search.counters[N_LEARNED] += search.new_keys[slot] == _ZERO
            search.new_keys[slot] = search.frames[top].key
            search.new_values[slot] = value
            top -= 1
        else:
            top += 1
            search.frames[top].key = hash_fields(context, search)
            search.tables[top] = workspace.tables[TRIAL]
            search.hiddens[top] = workspace.hiddens[TRIAL]
        if top + 1 == LOOK_AHEAD:
            value = predict_value(context, search, search.tables[top].seat)
            is_known = True
        elif top >= 0:
            value, is_known = look_ahead(context, search, top)


@rule
def learn_values(context: Any, search: Any) -> None:
    """Learn what all positions are worth to which the real one may lead, as far as there is room.

    The values after the ends of the solver's turns are those that are known so far, so that each
    call brings the values of one more turn.
    """
    workspace = context.workspace
    workspace.tables[TRIAL] = workspace.tables[REAL]
    workspace.hiddens[TRIAL] = workspace.hiddens[REAL]
    search.counters[N_QUEUED] = 0
    learn_turn(context, search)
    done = 0
    while done < search.counters[N_QUEUED]:
        workspace.tables[TRIAL] = search.queue_tables[done]
        workspace.hiddens[TRIAL] = search.queue_hiddens[done]
        slot = find_slot(search.new_keys, hash_fields(context, search))
        if np.isnan(search.new_values[slot]):
            learn_turn(context, search)
        done += 1


# -- the tree of a game ---------------------------------------------------------------------------


@rule
def open_frame(context: Any, search: Any, level: int, key: Any) -> None:
    """Begin the search of the real position, at a depth, with the options that are to be tried."""
    workspace = context.workspace
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    frame = search.frames[level]
    search.tables[level] = table
    search.hiddens[level] = hidden
    frame.n = context.rules.options(context.box, table, hidden, search.options[level])
    frame.place = 0
    frame.best = NOTHING
    frame.key = key
    search.counters[NODES] += 1
    if is_own(search, table.seat):
        if search.args.is_charged and search.args.is_score == 0:
            keep_certain_win(context, search, level)
    else:
        for i in range(frame.n):
            workspace.lists[REAL, i] = search.options[level, i]
        rival_key = make_rival_key(workspace.lucks[REAL], key)
        i = 0
        if frame.n > 1:
            i = choose_and_verify(context, search_as_configured, frame.n, rival_key, False)
        frame.place = clamp_choice(i, frame.n)
        frame.n = frame.place + 1


@rule
def keep_certain_win(context: Any, search: Any, level: int) -> None:
    """Leave no other option to the position at a depth if one wins at once, whatever is drawn.

    Nothing is better than to win, so players lose nothing by this rule. Positions beyond are of no
    interest, and the value function may know nothing about them.
    """
    workspace = context.workspace
    frame = search.frames[level]
    for i in range(frame.n):
        take_in_trial(context, search, level, search.options[level, i], GOLD)
        is_over = workspace.tables[TRIAL].ending >= 0 and workspace.lucks[TRIAL].log_n == 0
        if is_over and compute_gain(context, search, TRIAL) >= 1.0:
            frame.place = i
            frame.n = i + 1


@rule
def take_next(context: Any, search: Any, level: int) -> None:
    """Take the next option of a frame in the real position, and note what is charged for it."""
    workspace = context.workspace
    frame = search.frames[level]
    option = search.options[level, frame.place]
    workspace.tables[REAL] = search.tables[level]
    workspace.hiddens[REAL] = search.hiddens[level]
    table = workspace.tables[REAL]
    seat = table.seat
    first_round = table.round
    luck = workspace.lucks[REAL]
    luck.log_n = 0
    luck.log_on = search.args.is_charged
    context.rules.take(context.box, table, workspace.hiddens[REAL], luck, option)
    luck.log_on = 0
    frame.charge = 0.0
    if search.args.is_charged == 0 or luck.log_n == 0:
        return
    workspace.tables[TRIAL] = table
    workspace.hiddens[TRIAL] = workspace.hiddens[REAL]
    value, _ = judge_trial(context, search, seat, first_round)
    key = mix64(np.uint64(luck.key) ^ _FRESH) ^ mix64(frame.key + np.uint64(option) * GOLD)
    mean, _ = estimate_mean(context, search, level, option, key)
    frame.charge = value - mean


@rule
def find_best(context: Any, search: Any) -> float:
    """Return the most that the solver can get from the real position on, less all charges.

    It is not a number if the tree has more positions or decisions than may be searched. A position
    that leads back to itself brings nothing by that, which is right where a win is searched for;
    otherwise the search is left.
    """
    workspace = context.workspace
    table = workspace.tables[REAL]
    args = search.args
    is_win = args.is_score + args.is_charged == 0  # then no more than 1 can be reached
    depth = min(search.frames.shape[0], args.max_steps)
    level = -1
    value = 0.0
    is_known = False
    while not is_known or level >= 0:
        if is_known:
            search.frames[level].best = max(
                search.frames[level].best, value - search.frames[level].charge
            )
            search.frames[level].place += 1
        elif table.ending >= 0:
            value = compute_gain(context, search, REAL)
            is_known = True
            continue
        else:
            key = hash_position(workspace, search.masks)
            slot = find_slot(search.keys, key)
            if search.keys[slot] == key:
                value = search.values[slot]
                is_known = True
                if value == NOTHING and not is_win:
                    search.counters[IS_CUT] = 1  # a way back to itself
                    return np.nan
                continue
            search.keys[slot] = key
            search.values[slot] = NOTHING
            if level + 1 == depth or search.counters[NODES] == args.max_nodes:
                search.counters[IS_CUT] = 1
            level += 1
            open_frame(context, search, level, key)
        if search.counters[IS_CUT]:
            return np.nan
        frame = search.frames[level]
        if frame.place < frame.n and not (is_win and frame.best >= 1.0):
            take_next(context, search, level)
            is_known = False
        else:
            search.values[find_slot(search.keys, frame.key)] = frame.best
            value = frame.best
            is_known = True
            level -= 1
    return value


@rule
def begin_game(context: Any, key: Any) -> None:
    """Set up a game in the real position."""
    workspace = context.workspace
    workspace.tables[REAL] = workspace.tables[BLANK]
    workspace.hiddens[REAL] = workspace.hiddens[BLANK]
    lucky(workspace.lucks[REAL], key)
    context.rules.setup(
        context.box, workspace.tables[REAL], workspace.hiddens[REAL], workspace.lucks[REAL]
    )


@rule
def play_attempt(context: Any, search: Any, attempt: int) -> float:
    """Play a game by the strategies, with random choices by the solver, and return what it has.

    Args:
        context: The context of the decisions.
        search: The memory of the search.
        attempt: The number of the attempt; there are no random choices in the first.
    """
    workspace = context.workspace
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    luck = workspace.lucks[REAL]
    codes = workspace.lists[REAL]
    own_key = np.uint64(luck.key)
    if attempt > 0:
        own_key = mix64((own_key ^ _ATTEMPT) + np.uint64(attempt) * GOLD)
    rate = MISTAKES[attempt % len(MISTAKES)]
    step = 0
    while table.ending < 0 and step < search.args.max_steps:
        n = context.rules.options(context.box, table, hidden, codes)
        i = 0
        if n > 1 and is_own(search, table.seat):
            key = make_player_key(own_key, step)
            if attempt > 0 and makes_mistake(key, rate):
                i = bounded(mix64(key + GOLD), n)
            else:
                i = choose_as_player(context, REAL, n, key)
        elif n > 1:
            key = make_rival_key(luck, hash_position(workspace, search.masks))
            i = choose_and_verify(context, search_as_configured, n, key, False)
        context.rules.take(context.box, table, hidden, luck, codes[clamp_choice(i, n)])
        step += 1
    return compute_gain(context, search, REAL) if table.ending >= 0 else 0.0


def search_kernel(
    boxes,
    workspaces,
    rule_tuple,
    choose,
    stand_ins,
    seat_configs,
    search_args,
    memory,
    gains,
    nodes,
):
    """Search games and return how many.

    Records are passed as arrays of one item.

    Args:
        boxes: The box of the game.
        workspaces: The workspace of this thread.
        rule_tuple: The fields of `Rules`; numba converts functions only in plain tuples.
        choose: The strategy of each seat.
        stand_ins: The other strategies, as in `decisions.Policies`.
        seat_configs: The settings of all seats.
        search_args: What is searched for, and in which games.
        memory: The fields of `Search` after the first.
        gains: Receives the most that each game brings; not a number if the search was left.
        nodes: Receives the number of positions that were searched.
    """
    rules = Rules(*rule_tuple)
    policies = Policies(choose, stand_ins, seat_configs[0])
    args = search_args[0]
    context = Context(boxes[0], workspaces[0], rules, policies, args.max_steps)
    search = Search(args, *memory)
    counters = search.counters
    for game in range(args.start, args.stop):
        key = game_key(args.seed, game)
        counters[NODES] = counters[IS_CUT] = 0
        begin_game(context, key)
        if args.is_learning:
            learn_values(context, search)
            continue
        gain = 0.0
        attempt = 0
        while attempt < args.attempts and gain < 1.0:
            begin_game(context, key)
            gain = play_attempt(context, search, attempt)
            attempt += 1
        if gain < 1.0 or args.attempts == 0:
            search.keys[:] = 0
            begin_game(context, key)
            gain = find_best(context, search)
        gains[game - args.start] = gain
        nodes[game - args.start] = counters[NODES]
    return args.stop - args.start


# -- called by Python -----------------------------------------------------------------------------


@cache
@ignore_experimental_warning()
def compile_search(game: Game) -> Callable:
    """Return `search_kernel` compiled for a game."""
    if PLAIN:
        return search_kernel
    common = kernel.make_signatures(game)["sample_kernel"].args[:6]
    args = numba.from_dtype(SEARCH_ARGS)[::1]
    memory = [numba.typeof(array) for array in _allocate_memory(game, 1, 1, 1).values()]
    gains, nodes = numba.float64[::1], numba.int64[::1]
    signature = numba.int64(*common, args, types.Tuple(memory), gains, nodes)
    return compile_cached(search_kernel, signature, name=f"{game.name} hindsight")


def _allocate_memory(game: Game, depth: int, positions: int, learned: int) -> dict[str, np.ndarray]:
    """Return the arrays of a `Search`, by the names of its fields, in order.

    Args:
        game: The game.
        depth: Decisions of a game.
        positions: Room for positions that were searched, a power of 2.
        learned: Room for values that are learned, a power of 2.
    """
    queue = min(QUEUE, learned)
    return {
        "model": np.zeros(N_TURN_FIELDS + 1),
        "frames": np.zeros(depth, FRAME),
        "tables": np.zeros(depth, game.table),
        "hiddens": np.zeros(depth, game.hidden),
        "options": np.zeros((depth, game.max_options), np.int64),
        "outcomes": np.zeros(MAX_OUTCOMES, np.uint64),
        "masks": mask_counters(game, ()),
        "keys": np.zeros(positions, np.uint64),
        "values": np.zeros(positions),
        "known_keys": np.zeros(learned, np.uint64),
        "known_values": np.zeros(learned),
        "new_keys": np.zeros(learned, np.uint64),
        "new_values": np.zeros(learned),
        "queue_tables": np.zeros(queue, game.table),
        "queue_hiddens": np.zeros(queue, game.hidden),
        "counters": np.zeros(4, np.int64),
    }


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


def mask_counters(game: Game, counters: tuple[str, ...]) -> np.ndarray:
    """Return the bits of a table, as 64-bit words, that are no counters."""
    bits = np.full(game.table.itemsize, 0xFF, np.uint8)
    for name in counters:
        part = name.removeprefix("table.").partition("[")[0]
        field, offset = game.table.fields[part][:2]  # type: ignore[index]
        bits[offset : offset + field.itemsize] = 0
    return bits.view(np.uint64)


def measure_change(memory: dict[str, np.ndarray]) -> float:
    """Return by how much the known values differ at most from the other ones.

    Args:
        memory: The arrays of a `Search`.
    """
    old_keys, old_places = np.unique(memory["new_keys"], return_index=True)
    keys, places = np.unique(memory["known_keys"], return_index=True)
    _, old, new = np.intersect1d(old_keys, keys, assume_unique=True, return_indices=True)
    before = memory["new_values"][old_places[old]]
    after = memory["known_values"][places[new]]
    is_same_set = len(old) == len(keys)
    return float(np.abs(after - before).max()) if is_same_set else np.inf


class HindsightSolver:
    """Solver of the games of an engine, with all the memory that it needs.

    Args:
        engine: The game, and the strategies of the seats that the solver does not hold.
        question: What is searched for.
    """

    def __init__(self, engine: Engine, question: Question) -> None:
        game = engine.game
        self._engine = engine
        self._question = question
        self._workspace = Workspace(game)
        values = question.charges
        self._has_turns = values is not None and bool(values.turn_fields)
        positions = 1 << (2 * question.max_nodes).bit_length()
        learned = LEARNED if self._has_turns else 1
        self._memory = _allocate_memory(game, MAX_DEPTH, positions, learned)
        self._memory["masks"] = mask_counters(game, question.counters)
        if values:
            self._memory["model"] = pack_values(game, values)

    def learn(self, seed: int) -> float:
        """Learn what positions are worth from the values of those after the solver's next turn.

        Nothing is learned where the value function has no fields of a turn. No draw of a game that
        is bounded is looked at: what is charged must not depend on them.

        Args:
            seed: The seed of another game, from whose first position all others are reached.

        Returns:
            The largest change of a value.
        """
        if not self._has_turns:
            return 0.0
        memory = self._memory
        self._search(seed, 0, 1, is_learning=True)
        for part in ("keys", "values"):
            new, known = f"new_{part}", f"known_{part}"
            memory[new], memory[known] = memory[known], memory[new]
        change = measure_change(memory)
        memory["new_keys"][:] = 0
        memory["counters"][N_LEARNED] = 0
        return change

    def solve(self, seed: int, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the most that each game brings, and the number of positions searched.

        Args:
            seed: The seed of the games.
            start: The first game.
            stop: The game after the last.

        Returns:
            Two arrays with an entry for each game. What a game brings is 1 or 0 for wins, or the
            score, less what is charged; it is not a number where the search was left.
        """
        return self._search(seed, start, stop)

    def _search(
        self, seed: int, start: int, stop: int, is_learning: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        question = self._question
        args = blank(SEARCH_ARGS)
        games = seed, start, stop, self._engine.max_steps, question.max_nodes
        is_charged = question.charges is not None and not is_learning
        how = question.is_score, is_charged, is_learning, question.attempts
        args.view(np.ndarray)[0] = (*games, question.seat, *how)
        gains = np.zeros(stop - start)
        nodes = np.zeros(stop - start, np.int64)
        memory = tuple(as_cells(array) for array in self._memory.values())
        arrays: Any = memory, as_cells(gains), as_cells(nodes)
        self._engine.run_samples(compile_search(self._engine.game), self._workspace, args, arrays)
        return gains, nodes
