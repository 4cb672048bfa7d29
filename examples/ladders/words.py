"""Ladders in words."""


def option(box, table, own, code):
    return {"do": "spin"}


def state(box, table, hidden):
    squares = list(table.square)[: table.seats]
    return {"open": {"round": table.round, "player": table.seat + 1, "squares": squares}, "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result + 1


def tell(before, taken, draws, after):
    if before is None:
        return ["All players begin before square 1."]
    seat = before["open"]["player"]
    start, end = (state["open"]["squares"][seat - 1] for state in (before, after))
    steps = draws[0]["result"]
    if start == end:
        return [f"Player {seat} spins {steps} and stays on square {start}."]
    way = {True: "a ladder leads", False: "a chute leads"}[end > start + steps]
    more = "" if end == start + steps else f"; {way} to square {end}"
    return [f"Player {seat} spins {steps} and comes to square {start + steps}{more}."]


def picture(state):
    return "squares " + " ".join(str(square) for square in state["open"]["squares"])
