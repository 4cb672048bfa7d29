"""Lantern in words."""

from lantern import BEASTS, TREAD


def option(box, table, own, code):
    return {"do": "tread" if code == TREAD else "hurry"}


def label(box, number):
    return ("tread", "hurry")[number]


def state(box, table, hidden):
    return {"open": {"round": table.round, "seat": table.seat + 1, "beast": BEASTS[table.beast], "way": table.way,
                     "light": table.light, "hearts": table.hearts}, "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result


def tell(before, taken, draws, after):
    if before is None:
        return [f"A {after['open']['beast']} follows <them> & the wood is dark."]
    return [f"Walker {before['open']['seat']} {taken['do']}s: {after['open']['way']} steps to go."]


def picture(state):
    here = state["open"]
    return f"way {'.' * here['way']}|home   light {here['light']}   hearts {here['hearts']}"
