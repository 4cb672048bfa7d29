"""Sarcophagus tokens: when they may be used, and what for."""

import numpy as np

from hardmode.sim.games.run_run_run.cards import draw, first_token, gain_torches, spend, tokens_of
from hardmode.sim.games.run_run_run.maze import join
from hardmode.sim.games.run_run_run.names import ARGUMENTS, Kind, Phase, Token, Verb
from hardmode.sim.records import rule


@rule
def window(table, then):
    """The active player may use tokens now, if he has any; then the turn goes on."""
    table.phase = then
    table.after_window = then
    if tokens_of(table, table.active) and then != Phase.ACT:
        table.kind = Kind.WINDOW
        table.seat = table.active


@rule
def uses(box, table, out, n):
    """What the active player's tokens can do: their effect, or teleport. Tokens alike are listed once."""
    seat = table.active
    for i in range(box.tokens):
        if table.token_at[i] != 1 + seat or not first_token(box, table, i):
            continue
        kind = box.token_kind[i]
        torches_left = table.torches + table.torches_laid < box.bank
        if (kind == Token.TORCHES and torches_left) or (kind == Token.ROOMS and table.deck_n > 0):
            out[n] = Verb.USE * ARGUMENTS + i
            n += 1
        if kind == Token.PASSAGE and box.passage_between_placed and can_open(table):
            out[n] = Verb.OPEN * ARGUMENTS + i
            n += 1
        if table.tiles_n > 1:
            out[n] = Verb.JUMP * ARGUMENTS + i
            n += 1
    return n


@rule
def can_open(table):
    """Some two tiles lie side by side without a connection."""
    for t in range(table.tiles_n):
        for d in range(3):
            if table.near[t, d] and not table.links[t] >> d & 1:
                return True
    return False


@rule
def walls(table, out):
    """The walls between placed tiles, each as the tile and the side that it is on."""
    n = 0
    for t in range(table.tiles_n):
        for d in range(3):
            if table.near[t, d] and not table.links[t] >> d & 1:
                out[n] = t * 6 + d
                n += 1
    return n


@rule
def other_tiles(table, out):
    """Where a Cat can teleport."""
    n = 0
    for t in range(table.tiles_n):
        if t != table.cat[table.active]:
            out[n] = t
            n += 1
    return n


@rule
def use(box, table, hidden, what, token):
    """Use a token, up to the choice of a tile or wall where it needs one."""
    if what == Verb.DONE:
        return
    spend(table, token)
    if what == Verb.USE:
        value = box.token_value[token]
        if box.token_kind[token] == Token.TORCHES:
            gain_torches(box, table, value)
        else:
            draw(table, hidden, table.active, value)
        window(table, table.after_window)
    else:
        table.kind = Kind.TELEPORT if what == Verb.JUMP else Kind.OPENING
        table.seat = table.active


@rule
def teleport(table, t):
    table.cat[table.active] = t
    table.jumps += 1
    window(table, table.after_window)


@rule
def open_wall(table, code):
    join(table, np.int64(code // 6), np.int64(code % 6))
    table.remote += 1
    window(table, table.after_window)
