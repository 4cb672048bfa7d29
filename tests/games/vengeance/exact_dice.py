"""Exact chances of Vengeance's dice, and the policies that reach them.

A hand is a sorted text of faces; W are locked. Chances within some throws are whole numbers over a power of
six, limits are fractions. Nothing here uses a rule of the game but the requirements of its skills.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import factorial

FACES, DIE = "RGKDW", "RRGKDW"
BASICS = {"SPRINT": "R R", "STRIKE": "K K K", "FIRE": "G G G|K", "CHARGE": "K R R G|K"}
FIT = {"R": "R", "G": "G", "K": "KD", "D": "D"}
Move = tuple[bool, str]  # whether a W goes to the life bar first, and the faces that are kept


@cache
def ways(n: int) -> dict[str, int]:
    """All results of n dice as sorted texts, with the number of ways of 6**n."""
    found = {}
    for faces in combinations_with_replacement(sorted(FACES), n):
        many = factorial(n)
        for face, times in Counter(faces).items():
            many = many // factorial(times) * DIE.count(face) ** times
        found["".join(faces)] = many
    return found


@cache
def groups(icons: str) -> tuple[str, ...]:
    """The groups that fill a requirement, as sorted texts of faces."""
    fitting = ("".join(FIT[part] for part in slot.split("|")) for slot in icons.split())
    return tuple(sorted({"".join(sorted(dice)) for dice in product(*fitting)}))


def fills(group: str, hand: str) -> bool:
    return not Counter(group) - Counter(hand)


@cache
def kept(hand: str) -> tuple[str, ...]:
    """Every set of faces of a hand that may be kept; W never are."""
    faces = hand.replace("W", "")
    return tuple(sorted({"".join(f for f, stay in zip(faces, bits, strict=True) if stay)
                         for bits in product((0, 1), repeat=len(faces))}))


def joined(*parts: str) -> str:
    return "".join(sorted("".join(parts)))


@dataclass(frozen=True)
class Aim:
    """What is rolled for: any of these groups, with a hand of so many dice."""

    wanted: tuple[str, ...]
    dice: int = 4

    @classmethod
    def at(cls, *names: str, dice: int = 4, bonus: bool = False) -> Aim:
        """Any of some basic skills; `bonus`: with a D in the group."""
        found = (g for name in names for g in groups(BASICS[name]) if not bonus or "D" in g)
        return cls(tuple(g for g in found if len(g) <= dice), dice)

    def met(self, hand: str) -> bool:
        return any(fills(group, hand) for group in self.wanted)

    def moves(self, hand: str, slots: int) -> Iterator[Move]:
        for placed in (False, True) if slots and "W" in hand else (False,):
            for keep in kept(hand):
                if placed or len(keep) < len(hand.replace("W", "")):
                    yield placed, keep

    def thrown(self, hand: str, move: Move) -> list[tuple[str, int]]:
        """The hands that a move leads to, each with its ways of 6**dice; a die replaces the one on the life bar."""
        placed, keep = move
        locked = "" if placed else "W" * hand.count("W")
        n = self.dice - len(keep) - len(locked)
        return [(joined(keep, locked, more), many * 6 ** (self.dice - n)) for more, many in ways(n).items()]

    @cached_property
    def _known(self) -> dict:
        return {}

    def best(self, hand: str, throws: int, slots: int) -> tuple[int, Move]:
        """The chance to meet the aim within so many more throws, over 6**(dice * throws), and the move for it."""
        if self.met(hand) or throws == 0:
            return (6 ** (self.dice * throws) if self.met(hand) else 0), (False, "")
        key = hand, throws, slots
        if key not in self._known:
            found = ((sum(many * self.best(then, throws - 1, slots - move[0])[0]
                          for then, many in self.thrown(hand, move)), move) for move in self.moves(hand, slots))
            self._known[key] = max(found, key=lambda f: f[0], default=(0, (False, "")))
        return self._known[key]

    def within(self, throws: int, slots: int = 0) -> Fraction:
        """The best chance to meet the aim within so many throws of a new hand."""
        found = sum(many * self.best(hand, throws - 1, slots)[0] for hand, many in ways(self.dice).items())
        return Fraction(found, 6 ** (self.dice * throws))

    def greedy(self, hand: str) -> Move:
        """Hold every die that is useful for the group that lacks the fewest."""
        common = ("".join((Counter(g) & Counter(hand)).elements()) for g in self.wanted)
        return False, joined(max(common, key=len))

    # --- without an end to the throws: a policy judged exactly ---------------------------------------

    def judged(self, policy: Callable[[str], Move], reward: Callable[[str], Fraction],
               toll: Callable[[str], Fraction] = lambda _: Fraction(0)) -> dict[str, Fraction]:
        """What to expect from every hand under a policy: the reward where the aim is met, 0 where nothing is
        thrown, and the toll of every throw on the way. Hands with more W come first, as W are never thrown again."""
        value: dict[str, Fraction] = {}
        for locked in range(self.dice, -1, -1):
            level = [hand for hand in ways(self.dice) if hand.count("W") == locked]
            rows = {}
            for hand in level:
                if self.met(hand) or len(policy(hand)[1]) + locked == self.dice:
                    value[hand] = reward(hand) if self.met(hand) else Fraction(0)
                else:
                    rows[hand] = [(h, Fraction(m, 6 ** self.dice)) for h, m in self.thrown(hand, policy(hand))]
            value.update(_solved(rows, value, toll))
        return value

    def limit(self) -> tuple[Fraction, dict[str, Move]]:
        """The best chance with no end to the throws, and the policy: improved until no move is better."""
        policy = {hand: self.greedy(hand) for hand in ways(self.dice)}
        while True:
            value = self.judged(policy.__getitem__, lambda _: Fraction(1))
            better = {}
            for hand in ways(self.dice):
                if not self.met(hand):
                    tried = {move: sum(m * value[h] for h, m in self.thrown(hand, move))
                             for move in self.moves(hand, 0)}
                    best = max(tried, key=lambda move: tried[move], default=policy[hand])
                    if tried.get(best, 0) > 6 ** self.dice * value[hand]:
                        better[hand] = best
            if not better:
                return self.start(value), policy
            policy |= better

    def start(self, value: dict[str, Fraction]) -> Fraction:
        """The mean over a new hand."""
        return sum((m * value[h] for h, m in ways(self.dice).items()), Fraction(0)) / 6 ** self.dice


def _solved(rows: dict[str, list[tuple[str, Fraction]]], known: dict[str, Fraction],
            toll: Callable[[str], Fraction]) -> dict[str, Fraction]:
    """Solve x = toll + sum of p * x' for the hands of one level: Gauss's elimination in fractions."""
    equations = {}
    for hand, row in rows.items():
        line: dict[str, Fraction] = {}
        rest = toll(hand)
        for then, p in row:
            if then in rows:
                line[then] = line.get(then, Fraction(0)) + p
            else:
                rest += p * known[then]
        equations[hand] = (line, rest)
    done: list[str] = []
    for hand, (line, rest) in equations.items():
        for other in done:  # put in what is known of the hands before
            share = line.pop(other, None)
            if share:
                for then, p in equations[other][0].items():
                    line[then] = line.get(then, Fraction(0)) + share * p
                rest += share * equations[other][1]
        stay = 1 - line.pop(hand, Fraction(0))
        equations[hand] = ({then: p / stay for then, p in line.items()}, rest / stay)
        done.append(hand)
    found: dict[str, Fraction] = {}
    for hand in reversed(done):
        line, rest = equations[hand]
        found[hand] = rest + sum((p * found[then] for then, p in line.items()), Fraction(0))
    return found
