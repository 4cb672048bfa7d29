"""Lantern: walk home together before the light is out. A made-up co-operative game for the tests of reports."""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

TREAD, HURRY = 0, 1
BEAST, HERO, DIE, WIND = range(4)
BEASTS, HEROES, WOODS = ("wolf", "owl", "bear"), ("scout", "miller", "baker"), ("thin", "thick")
HOME, DARK, EATEN = 0, 1, 2

Box = np.dtype([("players", "i8"), ("beast", "i8"), ("wood", "i8"), ("way", "i8"), ("light", "i8"),
                ("bite", "i8", (3,))], align=True)
Table = np.dtype([*TABLE_HEAD, ("beast", "i8"), ("hero", "i8", (4,)), ("way", "i8"), ("light", "i8"),
                  ("hearts", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (4,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.way = box.way
    table.light = box.light
    table.hearts = 1 + 2 * box.players
    table.beast = box.beast if box.beast >= 0 else below(luck, BEAST, 0, 0, 0, 3)
    for s in range(4):
        table.hero[s] = below(luck, HERO, s, 0, 0, 3) if s < box.players else -1


@rule
def options(box, table, hidden, out):
    out[0] = TREAD
    out[1] = HURRY
    return 2


@rule
def take(box, table, hidden, luck, option):
    pace = 1 + option
    if table.hero[table.seat] == 0:
        pace += 1
    table.way = max(0, table.way - pace)
    face = below(luck, DIE, table.round, table.seat, 0, 6)
    if face < box.bite[table.beast] + 1 + 2 * option - (table.hero[table.seat] == 2):
        table.hearts -= 1
    if table.way == 0:
        table.ending = HOME
    elif table.hearts <= 0:
        table.ending = EATEN
    table.seat += 1
    if table.seat == table.seats:
        table.seat = 0
        table.light -= 1 + (below(luck, WIND, table.round, 0, 0, 3) < box.wood)
        if table.ending < 0 and table.light <= 0:
            table.ending = DARK
        if table.ending < 0:
            table.round += 1


@rule
def redeal(box, table, own, hidden, luck):
    hidden.own[table.seat] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = (1 << table.seats) - 1 if table.ending == HOME else 0
    row.beast = table.beast
    for s in range(4):
        row.scores[s] = -table.way
        row.hero[s] = table.hero[s]
    row.light = table.light
    row.hearts = table.hearts


@rule
def label(box, table, own, option):
    return option


def fill(box, values):
    box.players = values["setup.players"]
    box.beast = values.choice("setup.beast", ("any", *BEASTS)) - 1
    box.wood = values.choice("setup.wood", WOODS) + 1
    box.way = values["way"] * values["setup.players"]
    box.light = values["light"]
    for i, name in enumerate(BEASTS):
        box.bite[i] = values[f"bite.{name}"]


GAME = Game(
    name="lantern", title="Lantern", version=1, seats=4,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    label=label, labels=2, max_options=2, max_decisions=400, max_rounds=30,
    endings=("won: home", "lost: dark", "lost: eaten"), kinds=("tread or hurry",),
    sources=(Source("beast"), Source("hero", ("seat", "", "")), Source("die", ("round", "seat", "")),
             Source("wind", ("round", "", ""))),
    measures=(Measure("beast", "who follows", labels=BEASTS, factor=True),
              Measure("hero", "who walks", labels=HEROES, factor=True, per_seat=True),
              Measure("light", "light left", curve=True), Measure("hearts", "hearts left", curve=True)),
    words=f"{__name__}.words", limits=("What the walkers sing is not simulated.",),
)
