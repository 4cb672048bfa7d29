"""Turning points of one game: the chance to win after each step, and the biggest swings, by luck or by decision.

The chance is that of all who play together, or where seats compete of each seat as it sees the game itself, by playing
on in worlds that cannot be told from the real one (`sim.play.rollouts`). A swing of luck is the value after what was drawn less
the value of the option that was taken; one of decision the value of the best other option less that of the one taken.

What is biggest of many looks bigger than it is: so the swings that look biggest are measured again on other worlds,
five of them are chosen, and what is told of these was measured once more, on worlds that had no part in choosing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.sim.contract import WINNERS
from hardmode.sim.play.backends import crew
from hardmode.sim.play.engine import Desk, Engine
from hardmode.sim.play.rollouts import TOGETHER
from hardmode.sim.replay import choices
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.game_flow import position_rollouts
from hardmode.studies.game_flow.position_rollouts import (
    CHOOSE,
    DEAL,
    LOOK,
    LUCK,
    MEASURE,
    Candidate,
    Course,
    PlayingOn,
    Seen,
)
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import CONFIDENCE, Estimate

PLAYOUTS = 200  # after each step
FEWEST = 40  # with less, too little is known to be shown
TOLD = 5
SHORTLIST = 12  # swings of each kind that are measured again
COSTS = 2.6  # times the playouts after each step is what all of it takes
TIMES = {CHOOSE: 2, MEASURE: 4}  # the playouts by which swings are measured again


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


def turning(
    engine: Engine,
    seed: int,
    number: int,
    seats: int,
    *,
    playouts: int = PLAYOUTS,
    threads: int = 0,
    confidence: float = CONFIDENCE,
    seconds: float | None = None,
    progress: Progress = silent,
) -> Turning | None:
    """The turning points of a game; with `seconds`, by as many playouts as they allow, none where these are too few."""
    looked = Looked(engine, seed, number, seats, playouts, threads, confidence, progress)
    if seconds is not None:
        enough = int(seconds * looked.crew.size / (COSTS * looked.cost()))
        if min(playouts, enough) < FEWEST:
            return None
        looked.course = looked.course._replace(playouts=min(playouts, enough))
    return looked.turning()


class Looked:
    """One game, played on from each of its positions by the crew of the moment."""

    def __init__(
        self,
        engine: Engine,
        seed: int,
        number: int,
        seats: int,
        playouts: int,
        threads: int,
        confidence: float,
        progress: Progress,
    ) -> None:
        self.engine, self.crew, self.confidence, self.progress = (
            engine,
            crew(threads),
            confidence,
            progress,
        )
        views = range(seats) if engine.game.competitive and seats > 1 else [TOGETHER]
        script, row = choices(engine, Desk(engine.game), seed, number)
        self.course = Course(seed, number, script, int(row[WINNERS]), tuple(views), playouts)
        self.positions, self.views = range(len(script)), self.course.views

    def turning(self) -> Turning:
        looks = self.each("look", [(at,) for at in self.positions], 0.0, 0.4)
        seen = dict(zip(self.positions, looks, strict=True))
        chosen = self.choose([*self.lucky(seen), *self.doubtful(seen)])
        turns = [self.swing(c) for c in self.measured(chosen, MEASURE, 0.97, 1.0)]
        turns.sort(key=lambda s: -abs(s.size.value))
        odds = [[self.rate(seen[p][view][0], view) for view in self.views] for p in self.positions]
        odds.append([self.rate(self.final(1), view) for view in self.views])
        return Turning(list(self.views), odds, turns, self.course.playouts)

    def each(
        self, what: str, items: Sequence[tuple[Any, ...]], start: float, end: float
    ) -> Iterator[Any]:
        """What is found at each item."""
        asked = ((self.engine, (tuple(self.course), what, *item)) for item in items)
        for i, one in enumerate(self.crew.each(position_rollouts.found, asked)):
            self.progress("playing on", start + (end - start) * (i + 1) / len(items))
            yield one

    def cost(self) -> float:
        """Seconds that one playout after each step takes one thread."""
        here, worlds = PlayingOn(self.engine, Desk(self.engine.game), self.course), 4
        few = self.positions[:: max(1, len(self.positions) // 16)]
        begun = time.thread_time()
        for at in few:
            here.stand(at)
            for view in self.views:
                here.winners(at, view, worlds, LOOK)
        return (
            max(1e-6, time.thread_time() - begun) / worlds * len(self.positions) / max(1, len(few))
        )

    def final(self, n: int) -> np.ndarray:
        return np.full(n, self.course.ended)

    # -- what looks big ---------------------------------------------------------------------------

    def lucky(self, seen: dict[int, Seen]) -> list[Candidate]:
        """The steps whose draws seem to have moved the chance most, each for the seat that they moved most."""
        sizes = []
        for at in self.positions:
            by_view = []
            for view in self.views:
                after = (
                    seen[at + 1][view][0] if at + 1 in seen else self.final(self.course.playouts)
                )
                before, after = (position_rollouts.worth(won, view) for won in (seen[at][view][1], after))
                by_view.append((position_rollouts.least(before, after), view))
            size, view = max(by_view)
            sizes.append((size, Candidate(at, LUCK, view)))
        return [Candidate(DEAL, LUCK, view) for view in self.views] + largest(sizes)

    def doubtful(self, seen: dict[int, Seen]) -> list[Candidate]:
        """The decisions in which another option seems to be better by most."""
        gains = self.each("best_other", [(at, seen[at]) for at in self.positions], 0.4, 0.75)
        return largest((gain, Candidate(*one)) for gain, one in gains)

    def choose(self, found: list[Candidate]) -> list[Candidate]:
        """Those that are biggest when they are measured again, and that chance does not explain."""
        sure = [
            (abs(size.value), i)
            for i, (c, _, _, size) in enumerate(self.measured(found, CHOOSE, 0.75, 0.97))
            if size.excludes(0.0) and (c.kind == LUCK or size.value > 0)
        ]
        return [found[i] for _, i in sorted(sure, reverse=True)[:TOLD]]

    # -- measured ---------------------------------------------------------------------------------

    def measured(
        self, swings: Sequence[Candidate], salt: int, start: float, end: float
    ) -> Iterator[tuple[Candidate, float, float, Estimate]]:
        n = TIMES[salt] * self.course.playouts
        asked = [(tuple(c), n, salt) for c in swings]
        for c, sides in zip(swings, self.each("sides", asked, start, end), strict=True):
            before, after = (position_rollouts.worth(won, c.view) for won in sides)
            yield (
                c,
                float(np.nanmean(before)),
                float(np.nanmean(after)),
                self.size(c, before, after),
            )

    def size(self, c: Candidate, before: np.ndarray, after: np.ndarray) -> Estimate:
        if c.at != DEAL:
            return paired(before, after, self.confidence)
        return estimates.difference(
            int(np.nansum(after)),
            known(after),
            int(np.nansum(before)),
            known(before),
            self.confidence,
        )  # games that have nothing to do with the worlds

    def swing(self, measured: tuple[Candidate, float, float, Estimate]) -> Swing:
        c, before, after, size = measured
        return Swing(c.step, c.kind, c.view, before, after, size, c.better)

    def rate(self, winners: np.ndarray, view: int) -> Estimate:
        won = position_rollouts.worth(winners, view)
        if len(winners) == 1:
            return Estimate(float(won[0]), float(won[0]), float(won[0]), 1, self.confidence)
        return estimates.rate(int(np.nansum(won)), known(won), self.confidence)


def known(won: np.ndarray) -> int:
    return int((~np.isnan(won)).sum())


def paired(before: np.ndarray, after: np.ndarray, confidence: float) -> Estimate:
    """What came after less what was before, in the same worlds."""
    both = ~np.isnan(before + after)
    a, b = after[both] == 1, before[both] == 1
    return estimates.paired_difference(
        int((a & b).sum()),
        int((a & ~b).sum()),
        int((b & ~a).sum()),
        int((~a & ~b).sum()),
        confidence,
    )


def largest(found: Iterable[tuple[float, Candidate]]) -> list[Candidate]:
    return [c for size, c in sorted(found, key=lambda f: -f[0])[:SHORTLIST] if size > 0]
