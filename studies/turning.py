"""Turning points of one game: the chance to win after each step, and the biggest swings, by luck or by decision.

The chance is that of all who play together, or where seats compete of each seat as it sees the game itself, by playing
on in worlds that cannot be told from the real one (`sim.odds`). A swing of luck is the value after what was drawn less
the value of the option that was taken; one of decision the value of the best other option less that of the one taken.

What is biggest of many looks bigger than it is: so the swings that look biggest are measured again on other worlds,
five of them are chosen, and what is told of these was measured once more, on worlds that had no part in choosing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np

from hardmode.sim.contract import WINNERS
from hardmode.sim.crew import sensible
from hardmode.sim.draws import game_key
from hardmode.sim.engine import Desk, Engine, columns
from hardmode.sim.odds import TOGETHER, Worlds
from hardmode.sim.replay import choices
from hardmode.studies import estimates
from hardmode.studies.estimates import CONFIDENCE, Estimate
from hardmode.studies.progress import Progress, silent

PLAYOUTS = 200  # after each step
FEWEST = 40  # with less, too little is known to be shown
TOLD = 5
SHORTLIST = 12  # swings of each kind that are measured again
SIEVE, LEFT, PART = 16, 2, 4  # options are tried in a 16th of the playouts, the best two in a quarter
COSTS = 2.6  # times the playouts after each step is what all of it takes
LOOK, CHOOSE, MEASURE = 0, 1, 2  # worlds that have nothing to do with each other
TIMES = {CHOOSE: 2, MEASURE: 4}  # the playouts by which swings are measured again
LUCK, DECISION = "luck", "decision"
DEAL = -1  # in place of a position: before anything was dealt

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Swing:
    """What one step did to the chance to win."""

    step: int  # as the game is told; 0 is the deal
    kind: str
    view: int  # whose chance: a seat, or all together
    before: float  # the chance of the option taken
    after: float  # luck: after what was drawn; decision: of the best other option
    size: Estimate
    better: int = -1  # the place of that option


@dataclass(frozen=True)
class Turning:
    views: list[int]
    odds: list[list[Estimate]]  # after the deal and after each step, from each point of view
    turns: list[Swing]  # the biggest first
    playouts: int


@dataclass(frozen=True)
class Candidate:
    """A swing as far as it is known: of luck after position `at`, or of the decision there."""

    at: int
    kind: str
    view: int
    better: int = -1

    @property
    def step(self) -> int:
        return self.at + 1


def turning(engine: Engine, seed: int, number: int, seats: int, *, playouts: int = PLAYOUTS, threads: int = 0,
            confidence: float = CONFIDENCE, seconds: float | None = None,
            progress: Progress = silent) -> Turning | None:
    """The turning points of a game; with `seconds`, by as many playouts as they allow, none where these are too few."""
    looked = Looked(engine, seed, number, seats, playouts, threads, confidence, progress)
    if seconds is not None:
        looked.playouts = min(playouts, int(seconds * looked.threads / (COSTS * looked.cost())))
        if looked.playouts < FEWEST:
            return None
    return looked.turning()


class Looked:
    """One game, played on from each of its positions."""

    def __init__(self, engine: Engine, seed: int, number: int, seats: int, playouts: int, threads: int,
                 confidence: float, progress: Progress) -> None:
        self.worlds, self.seed, self.number, self.playouts = Worlds(engine, seed), seed, number, playouts
        self.confidence, self.progress, self.threads = confidence, progress, sensible(threads)
        self.engine, self.rivals = engine, engine.game.competitive and seats > 1
        self.views = list(range(seats)) if self.rivals else [TOGETHER]
        self.desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(self.threads):
            self.desks.put(Desk(engine.game))
        self.script, row = choices(engine, Desk(engine.game), seed, number)
        self.positions = range(len(self.script))
        self.ended = int(row[WINNERS])

    def turning(self) -> Turning:
        seen = dict(zip(self.positions, self.each(self.look, self.positions, 0.0, 0.4), strict=True))
        found = [*self.lucky(seen), *self.doubtful(seen)]
        chosen = self.choose(found)
        turns = [self.swing(c) for c in self.measured(chosen, MEASURE, 0.97, 1.0)]
        turns.sort(key=lambda s: -abs(s.size.value))
        odds = [[self.rate(seen[p][view][0], view) for view in self.views] for p in self.positions]
        odds.append([self.rate(self.final(1), view) for view in self.views])
        return Turning(self.views, odds, turns, self.playouts)

    # -- playing on -------------------------------------------------------------------------------

    def each(self, job: Callable[[Desk, Item], Made], items: Iterable[Item], start: float,
             end: float) -> Iterator[Made]:
        """What a job finds at each item, by all threads."""
        def at(item: Item) -> Made:
            desk = self.desks.get()
            try:
                return job(desk, item)
            finally:
                self.desks.put(desk)

        items = list(items)
        with ThreadPoolExecutor(self.threads) as pool:
            for i, made in enumerate(pool.map(at, items)):
                self.progress("playing on", start + (end - start) * (i + 1) / len(items))
                yield made

    def cost(self) -> float:
        """Seconds that one playout after each step takes one thread."""
        desk, worlds, few = Desk(self.engine.game), 4, self.positions[::max(1, len(self.positions) // 16)]
        begun = time.thread_time()
        for at in few:
            self.worlds.stand(desk, self.number, self.script, at)
            for view in self.views:
                self.worlds.winners(desk, self.number, at, 0, worlds, view=view)
        return max(1e-6, time.thread_time() - begun) / worlds * len(self.positions) / max(1, len(few))

    def winners(self, desk: Desk, at: int, view: int, n: int, salt: int, **how: Any) -> np.ndarray:
        return self.worlds.winners(desk, self.number, at, 0, n, view=view, salt=salt, **how)[0]

    def stand(self, desk: Desk, at: int) -> int:
        return self.worlds.stand(desk, self.number, self.script, at)

    def final(self, n: int) -> np.ndarray:
        return np.full(n, self.ended)

    def look(self, desk: Desk, at: int) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """From each point of view, who wins when the position is played on, and when the option taken is."""
        self.stand(desk, at)
        option = int(np.asarray(desk.lists)[0, self.script[at]])
        found = {}
        for view in self.views:
            won, chosen = self.worlds.winners(desk, self.number, at, 0, self.playouts, view=view, salt=LOOK)
            same = (chosen == option).all()
            found[view] = won, won if same else self.winners(desk, at, view, self.playouts, LOOK,
                                                             taking=int(self.script[at]))
        return found

    # -- what looks big ---------------------------------------------------------------------------

    def lucky(self, seen: dict[int, dict[int, tuple[np.ndarray, np.ndarray]]]) -> list[Candidate]:
        """The steps whose draws seem to have moved the chance most, each for the seat that they moved most."""
        found = []
        for at in self.positions:
            sizes = []
            for view in self.views:
                after = seen[at + 1][view][0] if at + 1 in seen else self.final(self.playouts)
                sizes.append((least(worth(seen[at][view][1], view), worth(after, view)), view))
            size, view = max(sizes)
            found.append((size, Candidate(at, LUCK, view)))
        return [Candidate(DEAL, LUCK, view) for view in self.views] + largest(found)

    def doubtful(self, seen: dict[int, dict[int, tuple[np.ndarray, np.ndarray]]]) -> list[Candidate]:
        """The decisions in which another option seems to be better by most."""
        def best_other(desk: Desk, at: int) -> tuple[float, Candidate]:
            n = self.stand(desk, at)
            seat = int(desk.tables.view(np.ndarray)["seat"][0])
            view = seat if self.rivals else TOGETHER
            mine = worth(seen[at][view][1], view)
            left = [i for i in range(n) if i != self.script[at]]
            gains = {-1: -1.0}
            for part, most in ((SIEVE, LEFT), (PART, 1)):
                worlds = max(8, self.playouts // part)
                for i in left:
                    others = worth(self.winners(desk, at, view, worlds, LOOK, taking=i), view)
                    gains[i] = least(mine[:worlds], others, True)
                left = sorted(left, key=lambda i: -gains[i])[:most]
            best = left[0] if left else -1
            return gains[best], Candidate(at, DECISION, view, best)

        return largest(self.each(best_other, self.positions, 0.4, 0.75))

    def choose(self, found: list[Candidate]) -> list[Candidate]:
        """Those that are biggest when they are measured again, and that chance does not explain."""
        sure = [(abs(size.value), i) for i, (c, _, _, size) in enumerate(self.measured(found, CHOOSE, 0.75, 0.97))
                if size.excludes(0.0) and (c.kind == LUCK or size.value > 0)]
        return [found[i] for _, i in sorted(sure, reverse=True)[:TOLD]]

    # -- measured ---------------------------------------------------------------------------------

    def measured(self, found: list[Candidate], salt: int, start: float,
                 end: float) -> list[tuple[Candidate, float, float, Estimate]]:
        def measure(desk: Desk, c: Candidate) -> tuple[Candidate, float, float, Estimate]:
            before, after = (worth(x, c.view) for x in self.sides(desk, c, TIMES[salt] * self.playouts, salt))
            if c.at == DEAL:  # games that have nothing to do with the worlds
                size = estimates.difference(int(np.nansum(after)), known(after), int(np.nansum(before)), known(before),
                                            self.confidence)
            else:
                size = paired(before, after, self.confidence)
            return c, float(np.nanmean(before)), float(np.nanmean(after)), size

        return list(self.each(measure, found, start, end))

    def sides(self, desk: Desk, c: Candidate, n: int, salt: int) -> tuple[np.ndarray, np.ndarray]:
        """Who wins before and after a swing, world by world."""
        if c.at == DEAL:
            before = self.others(desk, n, salt)
        else:
            self.stand(desk, c.at)
            before = self.winners(desk, c.at, c.view, n, salt, taking=int(self.script[c.at]))
        if c.kind == DECISION:
            return before, self.winners(desk, c.at, c.view, n, salt, taking=c.better)
        if c.step == len(self.script):
            return before, self.final(n)
        self.stand(desk, c.step)
        return before, self.winners(desk, c.step, c.view, n, salt)

    def others(self, desk: Desk, n: int, salt: int) -> np.ndarray:
        """Who wins other games, from the deal on."""
        with np.errstate(over="ignore"):
            seed = int(game_key(self.seed, self.number)) + salt >> 2
        out = columns(self.engine.game, n)
        self.engine.play(desk, seed, 0, n, out)
        return np.asarray(out)[WINNERS].astype(np.int64)

    def swing(self, measured: tuple[Candidate, float, float, Estimate]) -> Swing:
        c, before, after, size = measured
        return Swing(c.step, c.kind, c.view, before, after, size, c.better)

    def rate(self, winners: np.ndarray, view: int) -> Estimate:
        won = worth(winners, view)
        if len(winners) == 1:
            return Estimate(float(won[0]), float(won[0]), float(won[0]), 1, self.confidence)
        return estimates.rate(int(np.nansum(won)), known(won), self.confidence)


def worth(winners: np.ndarray, view: int) -> np.ndarray:
    """1 where a seat, or all together, win; nothing in worlds that cannot be."""
    won = winners != 0 if view == TOGETHER else winners >> view & 1
    return np.where(winners < 0, np.nan, won)


def known(won: np.ndarray) -> int:
    return int((~np.isnan(won)).sum())


def paired(before: np.ndarray, after: np.ndarray, confidence: float) -> Estimate:
    """What came after less what was before, in the same worlds."""
    both = ~np.isnan(before + after)
    a, b = after[both] == 1, before[both] == 1
    return estimates.paired_difference(int((a & b).sum()), int((a & ~b).sum()), int((b & ~a).sum()),
                                       int((~a & ~b).sum()), confidence)


def least(before: np.ndarray, after: np.ndarray, upwards: bool = False) -> float:
    """What a swing is at least worth: its size less its error."""
    gain = (after - before)[~np.isnan(after - before)]
    if not len(gain):
        return -1.0
    mean = float(gain.mean())
    return (mean if upwards else abs(mean)) - float(gain.std()) / len(gain) ** 0.5


def largest(found: Iterable[tuple[float, Candidate]]) -> list[Candidate]:
    return [c for size, c in sorted(found, key=lambda f: -f[0])[:SHORTLIST] if size > 0]
