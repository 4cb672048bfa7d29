"""Pig in words."""

from pig import ROLL


def option(box, table, own, code):
    return {"do": "roll" if code == ROLL else "hold"}


def label(box, number):
    return ("roll", "hold")[number]


def state(box, table, hidden):
    return {"open": {"round": table.round, "player": table.seat + 1, "scores": list(table.score),
                     "turn": table.turn}, "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result + 1


def tell(before, taken, draws, after):
    if before is None:
        return ["Two players, nobody has a point."]
    who = f"Player {before['open']['player']}"
    if taken["do"] == "hold":
        return [f"{who} holds with {before['open']['turn']} points this turn."]
    face = draws[0]["result"]
    return [f"{who} rolls a one and loses the turn." if face == 1 else f"{who} rolls {face}."]


def picture(state):
    return "scores " + " : ".join(str(s) for s in state["open"]["scores"])
