"""Faults in words."""

NAMES = ("press", "rest", "idle", "gold")


def label(box, number):
    return NAMES[number]


def option(box, table, own, code):
    return {"do": NAMES[code]}


def state(box, table, hidden):
    return {"open": {"round": table.round, "seat": table.seat + 1, "scores": list(table.score),
                     "number": table.number}, "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result


def tell(before, taken, draws, after):
    return ["The game begins." if before is None else f"{taken['do']}."]


def picture(state):
    return str(state["open"]["scores"])
