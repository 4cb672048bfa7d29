"""A game of which only the box matters: it holds every kind of leaf, and `fill` refuses some of it."""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, BadValue, Game

HEROES = ("anna", "bert", "cleo")
BOSSES = ("any", "snake", "wolf")
BRAMBLES = ("easy", "classic", "hard")

Box = np.dtype([("players", "i8"), ("boss", "i8"), ("brambles", "i8"), ("heroes", "i8"), ("night", "i8"),
                ("hp", "i8"), ("weight", "f8"), ("faces", "i1", (6,)), ("odds", "f8", (2,)), ("depth", "i8"),
                ("torches", "i8")], align=True)
Table = np.dtype(TABLE_HEAD, align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (4,))], align=True)


def fill(box, values):
    box.players = values["setup.players"]
    box.boss = values.choice("setup.boss", BOSSES)
    box.brambles = values.choice("setup.brambles", BRAMBLES)
    box.heroes = sum(1 << HEROES.index(h) for h in values["setup.heroes"])
    if len(values["setup.heroes"]) > box.players:
        raise BadValue("setup.heroes", f"names more heroes than the {box.players} players")
    box.night = values["switches.night"]
    box.hp = values["boss.hp"]
    box.weight = values["die.weight"]
    for i, face in enumerate(values["die.faces"]):
        box.faces[i] = face
    for i, odds in enumerate(values["die.odds"]):
        box.odds[i] = odds
    box.depth = values["cave.depth"]
    box.torches = values["cave.torches"]
    if box.night and box.depth == 0:
        raise BadValue("cave.torches", "burn in vain: no cave at night")


def never(*_):
    raise AssertionError("nobody plays this game")


GAME = Game(
    name="hill", title="The Hill", version=1, seats=4, box=Box, table=Table, hidden=Hidden, own=Own,
    setup=never, options=never, take=never, redeal=never, outcome=never, fill=fill,
    max_options=1, max_decisions=1, max_rounds=1, endings=("won", "lost to the boss", "lost to the dark"),
    kinds=(), sources=(), measures=(), words=f"{__name__}.words",
)
