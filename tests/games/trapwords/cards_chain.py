"""The board by given odds as an exact chain that knows the cards, the books and the times of turns.

Written from the rulebook, without a line of the simulator. A curse is one letter: F shortens the sand to 25 seconds,
H makes it run out after .7 of the time, W is discarded beside the first room, P is any other. A turn takes a time
that is equally likely anywhere up to the end of its sand.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import product

SAND, FLOOD_SAND, HASTE = 37.0, 25.0, 0.7
A, B = 0, 1


@dataclass(frozen=True)
class Setting:
    """What is played. `slots` are the rooms with a curse, `curses` how many the monster draws a round."""

    odds: tuple[float, float]
    deck: str = "FHWPPPPPPP"
    slots: tuple[int, ...] = (1, 3)
    curses: int = 0
    cursed: float = 0.85
    facing: float = 0.85
    demon: float = 1.0
    first_book: str = "random"
    fastest: bool = False
    draw_each: bool = False
    per_team: bool = False
    reshuffle: bool = True
    sticky: bool = False
    rooms: int = 5
    rounds: int = 8


def without(cards, card):
    place = cards.index(card)
    return cards[:place] + cards[place + 1:]


def draw(setting, pile, used):
    """The chances of each card on top: (chance, card or "", pile, used cards)."""
    if not pile:
        if not setting.reshuffle or not used:
            return [(1.0, "", pile, used)]
        pile, used = used, ""
    return [(pile.count(card) / len(pile), card, without(pile, card), used) for card in sorted(set(pile))]


def draw_several(setting, start, n, in_first_room):
    """The same for n cards that are thrown at a team: (chance, cards, pile, used cards)."""
    found = [(1.0, "", *start)]
    for _ in range(n):
        following = []
        for chance, cards, pile, used in found:
            for share, card, left, gone in draw(setting, pile, used):
                if card == "W" and in_first_room:
                    following.append((chance * share, cards, left, joined(gone, card)))
                else:
                    following.append((chance * share, cards + card, left, gone))
        found = following
    return found


def joined(*cards):
    return "".join(sorted("".join(cards)))


def dealt(setting):
    """The chances of the curses beside each room, the pile and the used cards."""
    found = {(("",) * setting.rooms, joined(setting.deck), ""): 1.0}
    for slot in setting.slots:
        following = defaultdict(float)
        for (lie, pile, used), weight in found.items():
            for chance, card, left, gone in draw(setting, pile, used):
                following[put(lie, slot, card), left, gone] += weight * chance
        found = following
    return found


def put(lie, room, cards):
    return (*lie[:room], joined(lie[room], cards), *lie[room + 1:])


def thrown(setting, stand, faces, first, active, pile, used):
    """What is drawn in this round: (chance, active cards of both, drawn cards of both, pile, used)."""
    found = [(1.0, active, ("", ""), pile, used)]
    if any(faces):
        shared = all(faces) and not setting.draw_each
        for team in (first, 1 - first):
            if not faces[team] or (shared and team != first):
                continue
            following = []
            for chance, act, got, left, gone in found:
                for share, cards, left2, gone2 in draw_several(setting, (left, gone), setting.curses, stand[team] == 0):
                    both = tuple(cards if shared or t == team else got[t] for t in (A, B))
                    following.append((chance * share, act, both, left2, gone2))
            found = following
    if setting.per_team and stand[A] == stand[B] and active[A]:
        second = 1 - first
        following = []
        for chance, act, got, left, gone in found:
            for share, cards, left2, gone2 in draw_several(setting, (left, gone), len(act[A]), stand[A] == 0):
                own = tuple(got[t] + cards if t == second else got[t] for t in (A, B))
                kept = tuple("" if t == second and cards else act[t] for t in (A, B))
                following.append((chance * share, kept, own, left2, gone2))
        found = following
    return found


def chance_and_time(setting, team, cards, faces):
    chance, sand = setting.odds[team], SAND
    chance *= (setting.cursed if cards else 1) * (setting.facing if faces else 1)
    sand *= (setting.demon if faces else 1) * HASTE ** cards.count("H")
    return chance, min(sand, FLOOD_SAND) if "F" in cards else sand


def second_is_faster(first_sand, second_sand):
    """The chance that of two times, each equally likely up to its own sand, the second is the shorter one."""
    ratio = first_sand / second_sand
    return ratio / 2 if ratio <= 1 else 1 - 1 / (2 * ratio)


def walk(setting, stand, moved, faces, act, got, lie, monster, used):
    """The end of a round that nobody has won: (curses beside each room, the monster, used cards)."""
    for room in {stand[t] for t in (A, B) if act[t]}:
        if not (setting.sticky and room in moved):
            used = joined(used, lie[room])
            lie = (*lie[:room], "", *lie[room + 1:])
    if moved == stand and not any(faces) and monster:
        monster -= 1
        if lie[monster]:
            lie, used = push(lie, monster, used)
    shared = all(faces) and not setting.draw_each
    return lie, monster, joined(used, got[A] if shared else got[A] + got[B])


def push(lie, room, used):
    """A curse goes one room down, after the curse that lies there."""
    if room == 0:
        return ("", *lie[1:]), joined(used, lie[0])
    if lie[room - 1]:
        lie, used = push(lie, room - 1, used)
    return (*lie[:room - 1], lie[room], "", *lie[room + 1:]), used


def solve(setting):
    """The chances that A, B, both teams and the monster win."""
    books = {"team_a": {A: 1.0}, "team_b": {B: 1.0}, "random": {A: 0.5, B: 0.5}}[setting.first_book]
    states = {(0, 0, setting.rooms - 1, *cards, book): weight * share
              for (cards, weight), (book, share) in product(dealt(setting).items(), books.items())}
    ends = [0.0, 0.0, 0.0, 0.0]
    for _ in range(setting.rounds):
        following = defaultdict(float)
        for state, weight in states.items():
            play_round(setting, state, weight, ends, following)
        states = following
    ends[3] = sum(states.values())
    return ends


def play_round(setting, state, weight, ends, following):
    a, b, monster, lie, pile, used, book = state
    stand, faces = (a, b), (a == monster, b == monster)
    first = book if a == b else A if a < b else B
    if 0 in stand and "W" in lie[0]:
        lie, used = (without(lie[0], "W"), *lie[1:]), joined(used, "W")
    active = (lie[a], lie[b])
    for chance, act, got, left, gone in thrown(setting, stand, faces, first, active, pile, used):
        turns = [chance_and_time(setting, t, act[t] + got[t], faces[t]) for t in (A, B)]
        for success in product((False, True), repeat=2):
            share = weight * chance
            for t in (A, B):
                share *= turns[t][0] if success[t] else 1 - turns[t][0]
            beaten = [faces[t] and success[t] for t in (A, B)]
            if all(beaten) and setting.fastest:
                second = second_is_faster(turns[first][1], turns[1 - first][1])
                ends[first] += share * (1 - second)
                ends[1 - first] += share * second
            elif any(beaten):
                ends[2 if all(beaten) else beaten.index(True)] += share
            else:
                moved = tuple(stand[t] + (success[t] and not faces[t]) for t in (A, B))
                lies, at, out = walk(setting, stand, moved, faces, act, got, lie, monster, gone)
                following[*moved, at, lies, left, out, 1 - book] += share
