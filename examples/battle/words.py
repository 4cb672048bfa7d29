"""Battle in words."""

from battle import ATTACK


def option(box, table, own, code):
    return {"do": "attack" if code == ATTACK else "retreat"}


def label(box, number):
    return ("attack", "retreat")[number]


def state(box, table, hidden):
    units = {"round": table.round, "attackers": table.attackers, "defenders": table.defenders}
    return {"open": units, "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result + 1


def tell(before, taken, draws, after):
    units = after["open"]
    left = f"{units['attackers']} against {units['defenders']}"
    if before is None:
        return [f"The attack begins, {left}."]
    if taken["do"] == "retreat":
        return ["The attacker retreats."]
    rolls = {side: sorted((draw["result"] for draw in draws if draw["source"] == f"{side} dice"), reverse=True)
             for side in ("attack", "defence")}
    attack, defence = (" ".join(map(str, rolls[side])) for side in rolls)
    return [f"The attacker rolls {attack}, the defender {defence}; {left} remain."]


def picture(state):
    return f"{state['open']['attackers']} against {state['open']['defenders']}"
