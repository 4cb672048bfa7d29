"""Zilch in words."""

from zilch import BANK, BASE, FACES, KEEP


def list_dice(code):
    dice = []
    for face in range(FACES):
        dice += [face + 1] * (code % BASE)
        code //= BASE
    return dice


def option(box, table, own, code):
    if table.kind == KEEP:
        return {"keep": list_dice(code) or "all dice, which show nothing"}
    return {"do": "bank" if code == BANK else "roll"}


def label(box, number):
    return ("keep dice", "roll", "bank")[number]


def state(box, table, hidden):
    dice = [face + 1 for face in range(FACES) for _ in range(table.count[face])]
    return {"open": {"round": table.round, "player": table.seat + 1, "scores": list(table.score)[: table.seats],
                     "zilches": list(table.zilches)[: table.seats], "turn": table.turn, "dice to roll": table.dice,
                     "rolled": dice if table.kind == KEEP else []}, "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result + 1


def tell(before, taken, draws, after):
    if before is None:
        return ["Player 1 begins."]
    now, then = before["open"], after["open"]
    who = f"Player {now['player']}"
    if "keep" in taken:
        kept = taken["keep"]
        what = kept if isinstance(kept, str) else "dice " + " ".join(map(str, kept))
        return [f"{who} keeps {what}: {then['turn']} points in this turn."]
    if taken["do"] == "bank":
        return [f"{who} banks {now['turn']} points."]
    rolled = " ".join(str(draw["result"]) for draw in draws[: now["dice to roll"]])
    lost = then["turn"] < now["turn"]
    return [f"{who} rolls {rolled}{', which is a zilch' if lost else ''}."]


def picture(state):
    return "scores " + " : ".join(str(n) for n in state["open"]["scores"])
