"""What players of hardmode choose: in games that they play, and in positions that are set up."""

import numpy as np

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.draws import GOLD, game_key, lucky, mix64
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import (
    Context,
    Policies,
    Rules,
    choose_and_verify,
    make_player_key,
    search_as_configured,
)
from hardmode.sim.play.workspace import BLANK, REAL, SAMPLE_ARGS, Workspace, as_cells
from hardmode.sim.records import blank

LOW = 0xFFFFFFFF


def record_kernel(boxes, workspaces, rule_tuple, choose, stand_ins, seat_configs, sample_args, learners, layout,
                  rows, numbers, follows):
    """Play games and record the table and the option taken at each decision of the learners."""
    box, workspace, args = boxes[0], workspaces[0], sample_args[0]
    rules = Rules(*rule_tuple)
    context = Context(box, workspace, rules, Policies(choose, stand_ins, seat_configs[0]), args.max_steps)
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    luck = workspace.lucks[REAL]
    offered = workspace.lists[0]
    words = rows.shape[1] // 2 - 1
    found = 0
    for game in range(args.start, args.stop):
        workspace.tables[REAL] = workspace.tables[BLANK]
        workspace.hiddens[REAL] = workspace.hiddens[BLANK]
        lucky(luck, game_key(args.seed, game))
        rules.setup(box, table, hidden, luck)
        step = 0
        while table.ending < 0 and found < rows.shape[0]:
            n = rules.options(box, table, hidden, offered)
            i = 0
            if n > 1:
                seat = table.seat
                i = choose_and_verify(context, search_as_configured, n, make_player_key(luck.key, step), False)
                if learners[seat] != 0:
                    for w in range(words):
                        word = workspace.table_words[w]
                        rows[found, 2 * w] = np.int32(np.uint32(word & LOW))
                        rows[found, 2 * w + 1] = np.int32(word >> 32)
                    rows[found, 2 * words] = offered[i]
                    numbers[found] = game
                    found += 1
            rules.take(box, table, hidden, luck, offered[i])
            step += 1
    return found


def query_kernel(boxes, workspaces, rule_tuple, choose, stand_ins, seat_configs, sample_args, learners, layout,
                 rows, shares, follows):
    """Set up the position of each row, and count how often its player takes option 1."""
    box, workspace, args = boxes[0], workspaces[0], sample_args[0]
    rules = Rules(*rule_tuple)
    context = Context(box, workspace, rules, Policies(choose, stand_ins, seat_configs[0]), args.max_steps)
    tables = workspace.table_words.shape[0]
    offered = workspace.lists[0]
    for row in range(rows.shape[0]):
        for w in range(rows.shape[1] // 2):
            word = (np.int64(rows[row, 2 * w + 1]) << 32) | (np.int64(rows[row, 2 * w]) & LOW)
            if w < tables:
                workspace.table_words[w] = word
            else:
                workspace.hidden_words[w - tables] = word
        n = rules.options(box, workspace.tables[REAL], workspace.hiddens[REAL], offered)
        for k in range(args.start, args.stop):
            key = mix64(mix64(np.uint64(args.seed) + np.uint64(row) * GOLD) + np.uint64(k) * GOLD)
            shares[row] += offered[choose_and_verify(context, search_as_configured, n, key, False)]
        shares[row] /= args.stop - args.start
    return rows.shape[0]


def _run(function, engine, how, learners, rows, numbers):
    seats = np.zeros(engine.game.seats, np.int64)
    seats[list(learners)] = 1
    args = blank(SAMPLE_ARGS)
    args.view(np.ndarray)[0] = (*how, engine.max_steps, 0.0, 0.0, 0)
    compiled = compile_cached(function, kernel.make_signatures(engine.game)["sample_kernel"],
                              name=f"{engine.game.name} {function.__name__}")
    arrays = seats, np.zeros(1), rows.view(np.int32), numbers, np.zeros(1, np.int64)
    return engine.run_samples(compiled, Workspace(engine.game), args, [as_cells(array) for array in arrays])


def record_decisions(engine, learners, games, seed=7):
    """Play games and return the tables at all decisions of some seats, the options taken, and the games' numbers."""
    capacity = games * min(engine.game.max_decisions, 8000)
    words = engine.game.table.itemsize // 8
    rows, numbers = np.zeros((capacity, words + 1), np.int64), np.zeros(capacity)
    found = _run(record_kernel, engine, (seed, 0, games), learners, rows, numbers)
    assert found < capacity, "there is room for all decisions"
    tables = np.ascontiguousarray(rows[:found, :words]).view(engine.game.table)[:, 0]
    return tables, rows[:found, words].astype(np.int32), numbers[:found].astype(int)


def query_choices(engine, tables, hiddens, keys, seed=7):
    """Return how often option 1 is taken in each position, with so many keys of the player's own randomness."""
    n = len(tables)
    parts = [np.ascontiguousarray(part).view(np.int64).reshape(n, -1) for part in (tables, hiddens)]
    rows, shares = np.concatenate(parts, axis=1), np.zeros(n)
    _run(query_kernel, engine, (seed, 0, keys), (), np.ascontiguousarray(rows), shares)
    return shares
