"""Which numbers of a box may matter: most are set aside in company, the others as soon as they cannot.

Numbers are first moved together, and judged by the course of every game: where not one option taken, not one ending is
another, none of them has changed it, however their signs. As two might undo each other, each is moved in two
companies, and no two meet in both. Whatever changes a game is played by itself, look after look, until it is shown to
move the win rate or can hardly move it by as much as is sought. What is set aside so can only be missed, never be
believed; and all that is said of a number holds at each look.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from hardmode.studies.changed import PATIENCE, SCREEN, Number, Table, by_path
from hardmode.studies.gate.evidence import Pairs

SOUGHT = 0.03  # of the win rate
MISSED = 0.02  # the chance to give one up at a look that moves it by as much
LOOKS, GROWTH = 9, 2  # how often each is looked at, at most, and how many times as many games it has had then
COMPANY, LARGE = 8, 40  # numbers that are moved together at first, and when none of them has changed a game
FIRST, AGAIN = 0.25, 0.6  # the shares of the time after which nobody is moved in company any more
GLANCE = 10  # games in which most changes show


class Sieve(Table):
    """Where the steps of all numbers are played."""

    def _all(self, numbers: Sequence[Number]) -> None:
        paths, games = list(by_path(numbers).values()), self._screen(len(numbers))
        first = [paths[i:i + COMPANY] for i in range(0, len(paths), COMPANY)]
        self._stage([(n, games) for n in self._loud(first, games, FIRST)], "first pass", PATIENCE)
        quiet = [steps for steps in paths if any(map(_played, steps)) and not any(n.differing for n in steps)]
        apart = max(COMPANY, -(-len(quiet) // LARGE))
        again = self._loud([quiet[i::apart] for i in range(apart)], max(games, min(SCREEN, self.effort.games)),
                           AGAIN)
        for n in again:
            if _inferred(n):
                n.games = n.won = 0
        self._stage([(n, games) for n in again], "first pass", PATIENCE)
        live = [n for n in numbers if n.differing]
        if self.seconds or self.total is not None:
            self._closer(live, (1 - self.effort.confidence) / (LOOKS * len(numbers)))
        self._by_width(live)

    def _loud(self, companies: Sequence[Sequence[Sequence[Number]]], games: int,
              until: float) -> list[Number]:
        """The steps in whose company a game is changed; all others have changed none of so many."""
        made = [(_together(steps), steps) for company in companies for steps in zip_longest(*company)]
        for upto in (min(GLANCE, games), games):
            self._stage([(box, upto) for box, _ in made if not box.differing], "in company", until)
        found: list[Number] = []
        for box, steps in made:
            silent = box.games == games and not box.differing
            there = [n for n in steps if n]
            found += [] if silent else there
            for n in there if silent else ():
                if self._made(n) and n.games < games:
                    n.games, n.won = games, box.won
        return found

    def _closer(self, live: Sequence[Number], error: float) -> None:
        """Play on whatever may move the win rate by what is sought, and is not shown to move it."""
        for _ in range(LOOKS - 2):
            left = [n for n in live if n.games < self.effort.games and not settled(n, error)]
            if self._over() or not self._played_on(sorted(left, key=lambda n: -n.width), GROWTH):
                break


def settled(number: Number, error: float) -> bool:
    """Whether a step is shown to move the win rate, or can hardly move it by what is sought."""
    n, flips = number.games, number.gained + number.lost
    if not n or number.p <= error:
        return bool(n)
    return seldom(flips, n) or bool(Pairs(n, number.gained, number.lost).within(-SOUGHT, SOUGHT, MISSED))


def seldom(flips: int, games: int) -> bool:
    """Whether so few games turned that, however they turned, what is sought is hardly there."""
    from scipy.special import betaincinv

    return flips < games and float(betaincinv(flips + 1, games - flips, 1 - MISSED)) < SOUGHT


def _together(steps: Sequence[Number | None]) -> Number:
    """All these steps at once."""
    return Number("", None, None, changes={n.path: n.after for n in steps if n})


def _played(number: Number) -> bool:
    return number.games > 0


def _inferred(number: Number) -> bool:
    """Whether it has been played in company alone."""
    return not number.endings.size
