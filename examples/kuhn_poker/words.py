"""Kuhn poker in words."""

from kuhn_poker import AFTER_CHECK, BET, OPENING

NAMES = ("jack", "queen", "king")


def name_card(number):
    return NAMES[number] if 0 <= number < len(NAMES) else f"card {number + 1}"


def option(box, table, own, code):
    opens = table.kind in (OPENING, AFTER_CHECK)
    if code == BET:
        return {"do": "bet" if opens else "call"}
    return {"do": "check" if opens else "fold"}


def label(box, number):
    return ("check or fold", "bet or call")[number]


def state(box, table, hidden):
    cards = {f"player {s + 1}": name_card(hidden.own[s].card) for s in range(2)}
    chips = {f"player {s + 1}": table.chips[s] for s in range(2)}
    shown = {f"player {s + 1}": name_card(table.card[s]) for s in range(2) if table.showdown}
    return {"open": {"round": table.round, "player": table.seat + 1, "kind": table.kind, "chips": chips,
                     "shown": shown}, "hidden": {"cards": cards}}


def face(box, where, a, b, c, n, result):
    return result


def tell(before, taken, draws, after):
    if before is None:
        return ["Each player antes and gets a card."]
    done = {"bet": "bets", "call": "calls", "check": "checks", "fold": "folds"}[taken["do"]]
    shown = after["open"]["shown"]
    cards = "; " + " and ".join(f"{who} shows a {card}" for who, card in shown.items()) if shown else ""
    return [f"Player {before['open']['player']} {done}{cards}."]


def picture(state):
    return "chips " + " : ".join(str(n) for n in state["open"]["chips"].values())
