"""Which numbers of a box may matter: most are set aside in company, the others as soon as they cannot.

Numbers are first moved together, and judged by the course of every game: where not one option taken, not one ending is
another, none of them has changed it, however their signs. As two might undo each other, each is moved in two
companies, and no two meet in both. Where more change games than there is time to play alone, all are taken at once, by
lot (`amid`): what does little amid the others is set aside, and what does much is shown to. What is left is played by
itself, look after look, until it is shown to move the win rate or can hardly move it by as much as is sought. What is
set aside can only be missed, never be believed; and all that is said of a number holds at each look.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

import numpy as np

from hardmode.studies.sensitivity import group_screening
from hardmode.studies.sensitivity.group_screening import Company, Effect
from hardmode.studies.sensitivity.paired_effects import PATIENCE, SCREEN, Number, Table, by_path
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.uncertainty.priors import SETUP

SOUGHT = 0.03  # of the win rate
MISSED = 0.02  # the chance to give one up at a look that moves it by as much
LOOKS, GROWTH = (
    9,
    2,
)  # how often each is looked at, at most, and how many times as many games it has had then
COMPANY, LARGE = (
    8,
    40,
)  # numbers that are moved together at first, and when none of them has changed a game
FIRST, AGAIN, AWAKE, AMID = (
    0.25,
    0.6,
    0.35,
    0.88,
)  # the shares of the time at which stages end, in their order
GLANCE = 10  # games in which most changes show
ALONE = 7000  # games that settle one by itself if each of them turns
FEW = 100  # steps of which lots tell no more than playing each alone
REPAID = 2.5  # a box is played for so many times as long as it takes to fill
LEADING = 10  # numbers that are shown first; each may have a step up and one down
NEAR = 0.6  # of what is sought: amid others as much may be less than it is alone


class Sieve(Table):
    """Where the steps of all numbers are played."""

    screening, fewest = 0.1, 20

    def _all(self, numbers: Sequence[Number]) -> None:
        paths, games = list(by_path(numbers).values()), self._screen(len(numbers))
        first = [paths[i : i + COMPANY] for i in range(0, len(paths), COMPANY)]
        self._stage([(n, games) for n in self._loud(first, games, FIRST)], "first pass", PATIENCE)
        quiet = [
            steps
            for steps in paths
            if any(map(_played, steps)) and not any(n.differing for n in steps)
        ]
        apart = max(COMPANY, -(-len(quiet) // LARGE))
        again = self._loud(
            [quiet[i::apart] for i in range(apart)],
            max(games, min(SCREEN, self.effort.games)),
            AGAIN,
        )
        for n in again:
            if _inferred(n):
                n.games = n.won = 0
        self._stage([(n, games) for n in again], "first pass", PATIENCE)
        live = [n for n in numbers if n.games and not _inferred(n)]
        if self.seconds or self.total is not None:
            self._awake(live)
            self._amid([n for n in live if n.differing])
            self._closer(live)
        self._by_width(live)

    def _loud(
        self, companies: Sequence[Sequence[Sequence[Number]]], games: int, until: float
    ) -> list[Number]:
        """The steps in whose company a game is changed; all others have changed none of so many."""
        made = [
            (_together(steps), steps) for company in companies for steps in zip_longest(*company)
        ]
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

    def _awake(self, live: Sequence[Number]) -> None:
        """Play on what has changed no game yet, until it changes one or can hardly matter."""
        while not self._past(AWAKE, 0):
            still = [
                n for n in live if not n.differing and not small(n) and n.games < self.effort.games
            ]
            if not self._played_on(still, GROWTH):
                break

    def _amid(self, live: Sequence[Number]) -> None:
        """What steps do amid one another, as long as that is the shorter way. What is chosen at set-up stays."""
        steps = [n for n in self._left(live) if not n.path.startswith(SETUP)]
        games, box = self._box()
        if self._alone(steps) or group_screening.least(len(steps)) * box > self._games_left():
            return
        company = Company(self.runner, [(n.path, n.after) for n in steps], self.effort.games, games)

        def over() -> bool:
            played, left = (
                company.boxes * box,
                [n for n, taken in zip(steps, company.taking, strict=True) if taken],
            )
            self._tell("amid one another", played / (self.total or played + 1))
            return self._alone(left, played) or self._past(AMID, played)

        company.play(small_amid, over)
        self.spent += company.boxes * box
        for n, effect in zip(steps, company.effects(), strict=True):
            n.amid = effect

    def _alone(self, steps: Sequence[Number], played: int = 0) -> bool:
        """Whether it is the shorter way to play these by themselves, when so many games were played."""
        left = self._games_left() - (played if self.total is not None else 0)
        return (
            len(steps) < FEW
            or ALONE * sum((n.gained + n.lost + 1) / (n.games + 1) for n in steps) < left
        )

    def _box(self) -> tuple[int, int]:
        """How many games are played of a box, several times as many as it takes to fill; and how many it costs."""
        if self.seconds is None:
            return group_screening.USUAL, group_screening.USUAL
        begun = time.perf_counter()
        self.cell.game.filled(self.own.numbers)
        filling = self.pace * (time.perf_counter() - begun)
        games = int(np.clip(REPAID * filling, group_screening.FEWEST, group_screening.MOST))
        return games, games + int(filling)

    def _closer(self, live: Sequence[Number]) -> None:
        """Play on by itself whatever may move the win rate by what is sought, and is not shown to: first what was not
        amid others, and what does most there, for its points are what is read."""
        known = sorted((n for n in self._shown(live) if n.amid), key=strength, reverse=True)
        first = {id(n) for n in (*known[: 2 * LEADING], *(n for n in live if not n.amid))}
        for some in ([n for n in live if id(n) in first], [n for n in live if id(n) not in first]):
            self._look_by_look(some, (1 - self.effort.confidence) / (LOOKS * max(1, len(live))))

    def _look_by_look(self, some: Sequence[Number], error: float) -> None:
        """Twice as many games at each look, what is not settled first."""
        for _ in range(LOOKS - 2):
            left = {id(n) for n in self._left(some)}
            going = [
                n for n in some if n.games < self.effort.games and n.p > error and not small(n)
            ]
            if self._over() or not self._played_on(
                sorted(going, key=lambda n: (id(n) not in left, -n.width)), GROWTH
            ):
                break

    def _left(self, live: Sequence[Number]) -> list[Number]:
        """Those that are not settled."""
        shown = {id(n) for n in self._shown(live)}
        return [n for n in live if id(n) not in shown and not small(n)]

    def _shown(self, live: Sequence[Number]) -> list[Number]:
        """Those that are shown to move the win rate."""
        return mattering(live, 1 - self.effort.confidence, LOOKS)


def strength(number: Number) -> float:
    """How much it does, alone or amid others, whichever is known better."""
    amid = number.amid
    return abs(amid.value if amid and amid.error < number.width else number.value)


def mattering(numbers: Sequence[Number], error: float, looks: int) -> list[Number]:
    """Those that are shown to move the win rate, at most so large a share of them wrongly (Benjamini and Hochberg): by
    themselves, or amid others, which is one more way to err."""
    live = [n for n in numbers if n.differing or n.amid]
    if not live:
        return []
    chances = [min(1.0, 2 * min(looks * n.p, n.amid.p) if n.amid else looks * n.p) for n in live]
    ranked = sorted(chances)
    most = max(
        (p for rank, p in enumerate(ranked, 1) if p <= error * rank / len(ranked)), default=-1.0
    )
    return [n for n, p in zip(live, chances, strict=True) if p <= most]


def small(number: Number) -> bool:
    """Whether a step can hardly move the win rate by what is sought."""
    n, flips = number.games, number.gained + number.lost
    return bool(n) and (
        small_amid(number.amid)
        or seldom(flips, n)
        or bool(Pairs(n, number.gained, number.lost).within(-SOUGHT, SOUGHT, MISSED))
    )


def small_amid(effect: Effect | None) -> bool:
    """Whether it is shown to do little amid others."""
    return effect is not None and effect.little(NEAR * SOUGHT, _far())


@cache
def _far() -> float:
    """The standard errors at which a look may err."""
    from scipy.special import ndtri

    return -float(ndtri(MISSED))


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
