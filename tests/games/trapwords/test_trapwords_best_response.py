"""How much can be won against steady teams at all: the best response on the chain of rooms, curses and monster.

The chance of each turn is measured, for every way of speaking and of filling the list; then the chain is solved
backwards, with the choice that wins most at each decision. It leaves out that the players of a team differ in skill,
that a curse is never drawn twice, and that the Forbidden Word sends teams back.
"""

from functools import cache
from itertools import product
from statistics import mean

import pytest
from trapwords_case import after

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.trapwords.calibrate.practice import practise
from hardmode.sim.games.trapwords.names import A, B, Curse, Giver, Monster, Trapper

pytestmark = pytest.mark.soak

TURNS = 40_000
ROUNDS, ROOMS, MONSTER_AT, SLOTS = 8, (3, 4, 5, 6, 7), 4, 0b01010
MONSTERS = (Monster.VAMPIRE, Monster.MUMMY, Monster.DRAGON, Monster.TROLL, Monster.DEMON)
NO_CURSE = -1
CURSES = range(len(Curse))
FEWER_GUESSES = (Curse.PETRIFICATION, Curse.FEWER_GUESSES)
SUCCESSES = tuple(product((0, 1), repeat=2))


@cache
def box(monster):
    return create_variant("trapwords", setup={"monster": monster.label}).box


@cache
def chance(room, curse, monster, trappers, giver):
    """The chance of a turn under a curse, before a monster (None: before none)."""
    faces = monster is not None
    setting = box(monster if faces else Monster.DEMON)
    return practise(setting, room, trappers, giver, TURNS, curse=curse, monster=faces).share()


def length(room, curse, monster):
    more = {Curse.FORBIDDEN_WORD: 1, Curse.EXTRA_TRAPS: 2}.get(curse, 0)
    return ROOMS[room] + more + (ROOMS[room] // 2 if monster == Monster.DRAGON else 0)


def steady_list(cards):
    return Trapper.ANTICIPATE if length(*cards) >= 4 else Trapper.OBVIOUS


def speak(cards, short_if_few):
    """How a trained team speaks, and the expert with a longer list for short clues where guesses are few."""
    _, curse, monster = cards
    few = curse in FEWER_GUESSES or monster == Monster.VAMPIRE
    return Giver.TERSE if length(*cards) >= (short_if_few if few else 3) else Giver.OBLIQUE


SPEAKS = {
    "trained": lambda cards: [speak(cards, 5)],
    "expert": lambda cards: [speak(cards, 6)],
    "best response": lambda cards: list(Giver),
}
TRAPS = {"trained": [Trapper.PERSONAL_ANTICIPATE], "expert": [Trapper.PERSONAL_ANTICIPATE],
         "best response": list(Trapper)}


def cards_of(stand, monster_at, curses, monster):
    """The cards at work on both teams, all combinations alike: room, curse and monster of each team."""
    found = []
    for room in stand:
        faces = room == monster_at
        drawn = monster == Monster.MUMMY if faces else curses >> room & 1
        found.append([(room, curse, monster if faces else None) for curse in (CURSES if drawn else [NO_CURSE])])
    return list(zip(*found, strict=True)) if stand[A] == stand[B] else list(product(*found))


def win_rate(player, monster, first_book):
    """The chance that team A, the player, wins against a steady team B, alone or together."""

    @cache
    def worth(now, a, b, monster_at, curses, book):
        if now > ROUNDS:
            return 0.0
        stand, faces = (a, b), (a == monster_at, b == monster_at)
        then = {}
        for success in SUCCESSES:
            if faces[A] and success[A]:
                then[success] = 1.0
            elif faces[B] and success[B]:
                then[success] = 0.0
            else:
                then[success] = worth(now + 1, *after(stand, faces, monster_at, curses, success), 1 - book)
        a_plays_first = a < b or (a == b and book == A)
        found = cards_of(stand, monster_at, curses, monster)
        return mean(play_round(player, cards_a, cards_b, then, a_plays_first) for cards_a, cards_b in found)

    return worth(1, 0, 0, MONSTER_AT, SLOTS, first_book)


def play_round(player, cards_a, cards_b, then, a_plays_first):
    """The worth of a round whose cards lie open; who plays second knows how the first turn ended."""
    own = {chance(*cards_a, steady_list(cards_a), giver) for giver in SPEAKS[player](cards_a)}
    theirs = {chance(*cards_b, trappers, Giver.OBLIQUE) for trappers in TRAPS[player]}
    worths = []
    for pb in theirs:
        weights = {(sa, sb): (pb if sb else 1 - pb) * then[sa, sb] for sa, sb in SUCCESSES}
        known = [[weights[0, 0] + weights[0, 1], weights[1, 0] + weights[1, 1]]]
        if not a_plays_first:
            known = [[weights[0, sb], weights[1, sb]] for sb in (0, 1)]
        worths.append(sum(max((1 - pa) * lost + pa * won for pa in own) for lost, won in known))
    return max(worths)


def test_the_best_response_to_steady_wins_hardly_more_than_trained_and_the_expert_wins_most_of_that():
    rates = {player: mean(win_rate(player, monster, book) for monster in MONSTERS for book in (A, B))
             for player in SPEAKS}
    print(rates)
    assert rates["trained"] == pytest.approx(0.63, abs=0.01), "as it does in games"
    most = rates["best response"] - rates["trained"]
    assert 0 < most < 0.001
    assert rates["expert"] - rates["trained"] > most / 2
