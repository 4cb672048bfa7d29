"""Ladders: a race along a hundred squares, with ladders up and chutes down. Nobody decides anything."""

import numpy as np
from hardmode.sim.contract import TABLE_HEAD, BadValue, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

SPIN = 0
SEATS = 4
SQUARES = 100
SPINNER = 0

Box = np.dtype([("players", "i8"), ("sides", "i8"), ("leads_to", "i8", (SQUARES + 1,))], align=True)
Table = np.dtype([*TABLE_HEAD, ("square", "i8", (SEATS,)), ("spins", "i8", (SEATS,)), ("climbed", "i8"),
                  ("slid", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (SEATS,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1


@rule
def options(box, table, hidden, out):
    out[0] = SPIN
    return 1


@rule
def take(box, table, hidden, luck, option):
    seat = table.seat
    steps = 1 + below(luck, SPINNER, table.round, seat, 0, box.sides)
    table.spins[seat] += 1
    square = table.square[seat] + steps
    if square <= SQUARES:  # the last square must be reached exactly
        end = box.leads_to[square]
        table.climbed += end > square
        table.slid += end < square
        table.square[seat] = end
    if table.square[seat] == SQUARES:
        table.ending = seat
        return
    table.seat += 1
    if table.seat == table.seats:
        table.seat = 0
        table.round += 1


@rule
def redeal(box, table, own, hidden, luck):
    for s in range(SEATS):
        hidden.own[s].nothing = 0
    hidden.own[table.seat] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = 1 << table.ending if 0 <= table.ending < SEATS else 0
    for s in range(SEATS):
        row.scores[s] = table.square[s]
        row.spins[s] = table.spins[s]
    row.ladders_climbed = table.climbed
    row.chutes_slid_down = table.slid


def fill(box, values):
    box.players = values["setup.players"]
    box.sides = values["spinner.sides"]
    for square in range(SQUARES + 1):
        box.leads_to[square] = square
    for name in values.names("chutes_and_ladders"):
        path = f"chutes_and_ladders.{name}"
        start, end = values[f"{path}.from"], values[f"{path}.to"]
        if start == end or box.leads_to[start] != start:
            raise BadValue(f"{path}.from", f"is {start}, where another one begins, or where this one ends")
        box.leads_to[start] = end


GAME = Game(
    name="ladders", title="Ladders", version=1, seats=SEATS,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=1, max_decisions=20_000, max_rounds=200,
    endings=("seat 1 arrives", "seat 2 arrives", "seat 3 arrives", "seat 4 arrives"),
    kinds=("spin",),
    sources=(Source("spinner", ("round", "seat", "")),),
    measures=(Measure("spins", "how often each seat spun", per_seat=True),
              Measure("ladders climbed", "by all players", curve=True),
              Measure("chutes slid down", "by all players", curve=True)),
    words=f"{__name__}.words", competitive=True, standard="classic",
)
