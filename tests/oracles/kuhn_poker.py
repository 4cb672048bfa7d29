"""Kuhn poker by enumeration of its deals and choices.

A player is a function of card and history that gives the chance of a bet or call. Histories are strings of `p`
(check, fold) and `b` (bet, call), in the order of play.
"""

from itertools import permutations, product

import numpy as np

from tests.oracles.policies import query_choices

CARDS = 3
DEALS = list(permutations(range(CARDS), 2))
FIRST, SECOND = ("", "pb"), ("p", "b")  # histories at which each player decides


def payoff(history, cards):
    """Return the chips that the first player wins."""
    higher = 1 if cards[0] > cards[1] else -1
    return {"pp": higher, "bb": 2 * higher, "pbb": 2 * higher, "bp": 1, "pbp": -1}[history]


def value_of_deal(players, cards, history=""):
    """Return the mean payoff of the first player from a history on."""
    seat = len(history) % 2
    if history in ("pp", "bb", "pbb", "bp", "pbp"):
        return payoff(history, cards)
    chance = players[seat](cards[seat], history)
    total = 0.0
    for p, move in ((chance, "b"), (1 - chance, "p")):
        if p:
            total += p * value_of_deal(players, cards, history + move)
    return total


def value(first, second):
    """Return the mean payoff of the first player over all deals."""
    return sum(value_of_deal((first, second), cards) for cards in DEALS) / len(DEALS)


def equilibrium(alpha):
    """Return the equilibrium of both players, where the first bluffs with a chance of alpha."""
    def choose(card, history):
        if card == 2:
            return 3 * alpha if history == "" else 1.0
        if history == "":
            return alpha if card == 0 else 0.0
        if history == "p":
            return 1 / 3 if card == 0 else 0.0
        if history == "b":
            return 1 / 3 if card == 1 else 0.0
        return alpha + 1 / 3 if card == 1 else 0.0
    return choose


def honest(card, history):
    """Bet or call with the king only."""
    return 1.0 if card == 2 else 0.0


def best_response(opponent, seat):
    """Return the payoff of the best pure player at a seat against an opponent, by trying all 64."""
    histories = (FIRST, SECOND)[seat]
    places = list(product(range(CARDS), histories))
    best = -2.0
    for choices in product((0.0, 1.0), repeat=len(places)):
        plan = dict(zip(places, choices, strict=True))

        def player(card, history, plan=plan):
            return plan[card, history]

        pair = (player, opponent) if seat == 0 else (opponent, player)
        best = max(best, value(*pair) * (1 if seat == 0 else -1))
    return best


def query_player(engine, keys=20_000):
    """Return the player at both seats of an engine as a function of card and history, asked with so many keys."""
    places = list(product(range(CARDS), ("", "p", "b", "pb")))
    tables, hiddens = np.zeros(len(places), engine.game.table), np.zeros(len(places), engine.game.hidden)
    tables["ending"], tables["seats"], tables["round"], tables["card"] = -1, 2, 1, -1
    for i, (card, history) in enumerate(places):
        seat = len(history) % 2
        tables[i]["seat"], tables[i]["kind"] = seat, ("", "p", "b", "pb").index(history)
        tables[i]["chips"] = {"b": (2, 1), "pb": (1, 2)}.get(history, (1, 1))
        hiddens[i]["own"]["card"] = card, card
        hiddens[i]["own"]["card"][1 - seat] = (card + 1) % CARDS
    chances = dict(zip(places, query_choices(engine, tables, hiddens, keys).tolist(), strict=True))
    return lambda card, history: chances[card, history]
