"""One game played on from its positions, as whoever has a desk for it does: who wins in many worlds.

What is asked and found are plain values, so that it makes no difference where the desk stands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.contract import WINNERS
from hardmode.sim.draws import game_key
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.rollouts import TOGETHER, Worlds

SIEVE, LEFT, PART = (
    16,
    2,
    4,
)  # options are tried in a 16th of the playouts, the best two in a quarter
LOOK, CHOOSE, MEASURE = 0, 1, 2  # worlds that have nothing to do with each other
LUCK, DECISION = "luck", "decision"
DEAL = -1  # in place of a position: before anything was dealt

Winners = np.ndarray  # of worlds, as bits by seat
Seen = dict[
    int, tuple[Winners, Winners]
]  # from each point of view, after a step and after the option taken then


class Course(NamedTuple):
    """A game as it went, and how it is looked at."""

    seed: int
    number: int
    script: np.ndarray  # the option taken at each step
    ended: int  # who won, as bits by seat
    views: tuple[int, ...]  # whose chances: of the seats, or of all together
    playouts: int


class Candidate(NamedTuple):
    """A swing as far as it is known: of luck after position `at`, or of the decision there."""

    at: int
    kind: str
    view: int
    better: int = -1

    @property
    def step(self) -> int:
        return self.at + 1


def found(made: Engine, desk: Desk, course: tuple[Any, ...], what: str, *asked: Any) -> Any:
    """What is asked of a game, at a desk: to be sent."""
    return getattr(PlayingOn(made, desk, Course(*course)), what)(*asked)


class PlayingOn:
    """A desk at which a game is played on."""

    def __init__(self, made: Engine, desk: Desk, course: Course) -> None:
        self.worlds, self.made, self.desk, self.course = (
            Worlds(made, course.seed),
            made,
            desk,
            course,
        )

    def stand(self, at: int) -> int:
        return self.worlds.stand(self.desk, self.course.number, self.course.script, at)

    def winners(self, at: int, view: int, n: int, salt: int, taking: int | None = None) -> Winners:
        """Who wins in worlds from where the desk stands; where the option is not left to the player, its place."""
        how: dict[str, Any] = {} if taking is None else {"taking": taking}
        return self.worlds.winners(
            self.desk, self.course.number, at, 0, n, view=view, salt=salt, **how
        )[0]

    def look(self, at: int) -> Seen:
        """From each point of view, who wins when the position is played on, and when the option taken is."""
        self.stand(at)
        taken, n = int(self.course.script[at]), self.course.playouts
        option = int(np.asarray(self.desk.lists)[0, taken])
        seen = {}
        for view in self.course.views:
            won, chosen = self.worlds.winners(
                self.desk, self.course.number, at, 0, n, view=view, salt=LOOK
            )
            same = (chosen == option).all()
            seen[view] = won, won if same else self.winners(at, view, n, LOOK, taken)
        return seen

    def best_other(self, at: int, seen: Seen) -> tuple[float, tuple[Any, ...]]:
        """The other option that seems to be better by most than the one taken, and by how much it is at least."""
        n, course = self.stand(at), self.course
        seat = int(self.desk.tables.view(np.ndarray)["seat"][0])
        view = seat if seat in course.views else TOGETHER
        mine = worth(seen[view][1], view)
        left = [i for i in range(n) if i != course.script[at]]
        gains = {-1: -1.0}
        for part, most in ((SIEVE, LEFT), (PART, 1)):
            worlds = max(8, course.playouts // part)
            for i in left:
                others = worth(self.winners(at, view, worlds, LOOK, i), view)
                gains[i] = least(mine[:worlds], others, True)
            left = sorted(left, key=lambda i: -gains[i])[:most]
        best = left[0] if left else -1
        return gains[best], (at, DECISION, view, best)

    def sides(self, candidate: tuple[Any, ...], n: int, salt: int) -> tuple[Winners, Winners]:
        """Who wins before and after a swing, world by world."""
        c, script = Candidate(*candidate), self.course.script
        if c.at == DEAL:
            before = self.others(n, salt)
        else:
            self.stand(c.at)
            before = self.winners(c.at, c.view, n, salt, int(script[c.at]))
        if c.kind == DECISION:
            return before, self.winners(c.at, c.view, n, salt, c.better)
        if c.step == len(script):
            return before, np.full(n, self.course.ended)
        self.stand(c.step)
        return before, self.winners(c.step, c.view, n, salt)

    def others(self, n: int, salt: int) -> Winners:
        """Who wins other games, from the deal on."""
        with np.errstate(over="ignore"):
            seed = int(game_key(self.course.seed, self.course.number)) + salt >> 2
        out = columns(self.made.game, n)
        self.made.play(self.desk, seed, 0, n, out)
        return np.asarray(out)[WINNERS].astype(np.int64)


def worth(winners: Winners, view: int) -> np.ndarray:
    """1 where a seat, or all together, win; nothing in worlds that cannot be."""
    won = winners != 0 if view == TOGETHER else winners >> view & 1
    return np.where(winners < 0, np.nan, won)


def least(before: np.ndarray, after: np.ndarray, upwards: bool = False) -> float:
    """What a swing is at least worth: its size less its error."""
    gain = (after - before)[~np.isnan(after - before)]
    if not len(gain):
        return -1.0
    mean = float(gain.mean())
    return (mean if upwards else abs(mean)) - float(gain.std()) / len(gain) ** 0.5
