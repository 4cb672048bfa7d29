"""Which value of which number gives what a designer wants.

Two lucks. On the first, values compete: those that cannot reach the targets are dropped early, the others play on.
On the second, which had no part in choosing, what is left is measured anew; an answer is what lies within the target
with its whole interval, and all these intervals hold together. So a promise is kept however the choice was made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, product
from math import ceil, isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.reference_players import BESIDE, by_steady, disagree
from hardmode.studies.core.run import Effort
from hardmode.studies.solve.design_variables import Lever
from hardmode.studies.solve.evaluator import Bench, Setting, distance, misses, reaches
from hardmode.studies.solve.targets import SolveError, Target
from hardmode.studies.stats.estimates import Estimate, less, simultaneous
from hardmode.studies.stats.response_surface import CLEAR, Surface

SECONDS, SECONDS_SEVERAL = 9.0, 45.0
MOST = 400_000  # games of one setting
FIRST, FEWEST = 1000, 100  # games of a setting before any is dropped
LOOKS = (
    0.05,
    0.15,
    0.4,
    1.0,
)  # on fresh luck a setting is judged after these parts of the time, or of its games
CHOOSING = 0.4  # the share of the time
ANSWERS, SPARE = 5, 2  # shown; and how many more are measured, as some will fail
LIKELY = 21  # settings of several numbers that are measured on fresh luck, the most
DESIGN, ROUNDS, ROUND = 32, 6, 12  # settings of the design; rounds of search, and settings of each
CURVE = 8  # times as many games as at first has every value of a single number, where there is time
GRID = 50_000  # settings among which the response surface looks
SURER = 1.3  # so many times the games that would just do are thought to be needed
FRESH = 1_000_003  # so far from the seed that chooses lies the one that proves

Turns = Sequence[tuple[Setting, int]]  # settings, and to how many games each is played on


@dataclass
class Answer:
    setting: Setting
    measured: dict[str, Estimate]
    steady: dict[str, Estimate] = field(
        default_factory=dict
    )  # where `steady` plays, if `trained` does


@dataclass
class Solution:
    cell: Variant
    wanted: list[Target]
    levers: list[Lever]
    seed: int
    fresh: int
    confidence: float
    tried: list[Answer] = field(default_factory=list)  # on the luck of choosing: the curve
    answers: list[Answer] = field(default_factory=list)
    undecided: list[Answer] = field(
        default_factory=list
    )  # may or may not reach; more games would tell
    missed: list[Answer] = field(
        default_factory=list
    )  # seemed to reach, and does not on fresh luck
    refused: list[Setting] = field(default_factory=list)
    standing: Answer | None = None  # the scenario as it is, where `steady` is shown beside
    interrupted: bool = False

    @property
    def disagreed(self) -> list[Answer]:
        """Answers of which `steady` says that they change a target the other way, or by another measure."""
        return [
            a
            for a in self.answers
            if self.standing
            and a.setting.changed
            and any(
                disagree(
                    less(e, self.standing.measured[name]),
                    less(a.steady[name], self.standing.steady[name]),
                )
                for name, e in a.measured.items()
                if name in a.steady
            )
        ]

    @property
    def reached(self) -> bool:
        return bool(self.answers)

    @property
    def seen(self) -> list[Answer]:
        """All that was tried; what was found out on fresh luck not to reach as it was measured there."""
        again = {a.setting.values: a for a in self.missed}
        return [again.get(a.setting.values, a) for a in self.tried]

    @property
    def nearest(self) -> Answer:
        return min(self.seen, key=self.distance)

    def distance(self, a: Answer) -> float:
        """How far it lies outside what is wanted; 0 inside."""
        return distance(self.wanted, a.measured)


def solve(
    cell: Variant,
    wanted: Sequence[Target],
    levers: Sequence[Lever],
    effort: Effort,
    seconds: float | None = None,
    progress: Progress = silent,
) -> Solution:
    """Search the values of the levers for what is wanted; `effort.games` bounds the games of each setting."""
    effort = effort.on(None)
    fresh = (effort.seed + FRESH) % 2**63
    made = Solution(cell, list(wanted), list(levers), effort.seed, fresh, effort.confidence)
    search = _Search(made, effort, seconds, progress)
    try:
        search.run()
    except KeyboardInterrupt:
        made.interrupted = True
    search.tell()
    return made


class _Search:
    def __init__(
        self, made: Solution, effort: Effort, seconds: float | None, progress: Progress
    ) -> None:
        self.made, self.effort, self.progress = made, effort, progress
        self.other = None if all(t.rungs for t in made.wanted) else by_steady(made.cell)
        self.beside = seconds * BESIDE if seconds and self.other else None
        self.seconds = seconds - (self.beside or 0) if seconds else None
        self.choosing = Bench(made.cell, made.wanted, effort.seed, effort.threads)
        self.proving = Bench(made.cell, made.wanted, made.fresh, effort.threads)
        self.begun, self.settings = time.perf_counter(), dict[tuple[Any, ...], Setting]()
        self.most = effort.games
        self.first = min(FIRST, self.most)

    def run(self) -> None:
        base = self._setting(tuple(lever.now for lever in self.made.levers))
        self.choosing.play(base, 1)
        if base.refused:
            raise SolveError(base.refused)
        if self.seconds:
            count = len(self.made.levers[0].values) if len(self.made.levers) == 1 else 2 * DESIGN
            pace = self.choosing.pace(base)
            self.begun = time.perf_counter()  # what is loaded and compiled does not count
            share = CHOOSING / 2 * self.seconds * pace / count
            self.first = int(min(self.first, max(FEWEST, share)))
        single = len(self.made.levers) == 1
        self._prove(self._one() if single else self._several(base))
        if self.other and self.made.answers:
            self._by_steady(self.other, base)
        if single:
            self._fill_in()

    def _one(self) -> list[Setting]:
        [lever] = self.made.levers
        return self._choose([self._setting((v,)) for v in lever.values], CHOOSING)

    def _choose(self, settings: Sequence[Setting], share: float) -> list[Setting]:
        """What may reach the targets, on the luck of choosing, within such a share of the time."""
        going = list(settings)
        looks = ([(s, games) for s in going] for games in _doubled(self.first, self.most))
        return self._race(
            self.choosing, going, self._until(share), looks, self._level(max(1, len(going)))
        )

    def _fill_in(self) -> None:
        """What values that were dropped early give, in finer intervals: the whole curve."""
        games = self.first
        while games < min(CURVE * self.first, self.most):
            games *= 2
            for s in self.settings.values():
                if not self._until(1.0)():
                    self.choosing.play(s, min(games, self.most))

    def _several(self, base: Setting) -> list[Setting]:
        """Play a design, then again and again what the response surface thinks lightest, until some reach."""
        surface, every = Surface(self.made.levers, self.made.wanted), self._every()
        batch, likely = (
            [base, *(self._setting(v) for v in surface.design(DESIGN, self.effort.seed))],
            list[Setting](),
        )
        until = self._until(CHOOSING)
        for i in range(ROUNDS):
            left = self._choose(batch, CHOOSING * (i + 1) / ROUNDS)
            likely = self._lightest([*likely, *left])
            if until() or (i and sum(map(self._clear, likely)) >= ANSWERS):
                break
            played = [s for s in self.settings.values() if s.games]
            surface.fit([(s.values, s.games, self.choosing.estimates(s, 0.5)) for s in played])
            batch = [
                self._setting(v)
                for v in surface.lightest(
                    every, {s.values for s in self.settings.values() if s.games or s.refused}, ROUND
                )
            ]
            if not batch:
                break
        return sorted(likely, key=lambda s: not self._clear(s))[:LIKELY]

    def _lightest(self, settings: Sequence[Setting]) -> list[Setting]:
        once = {s.values: s for s in settings}
        return sorted(once.values(), key=lambda s: (s.changed, s.cost))

    def _clear(self, s: Setting) -> bool:
        """Whether it lies so far inside the targets that this can be proved soon."""
        return not distance(self.made.wanted, self.choosing.estimates(s, 0.5), CLEAR)

    def _every(self) -> list[tuple[Any, ...]]:
        """All settings, or so many of them: those with few changes, and an even spread of the others."""
        levers = self.made.levers
        if np.prod([float(len(lever.values)) for lever in levers]) <= GRID:
            return list(product(*(lever.values for lever in levers)))
        now = tuple(lever.now for lever in levers)
        few = [(*now[:i], v, *now[i + 1 :]) for i, lever in enumerate(levers) for v in lever.values]
        rows = np.random.default_rng(self.effort.seed).random((GRID, len(levers)))
        return list(
            dict.fromkeys(
                [
                    *few,
                    *(
                        tuple(
                            lever.values[int(x * len(lever.values))]
                            for lever, x in zip(levers, row, strict=True)
                        )
                        for row in rows
                    ),
                ]
            )
        )

    def _setting(self, values: tuple[Any, ...]) -> Setting:
        if values not in self.settings:
            moved = [
                (lever, v)
                for lever, v in zip(self.made.levers, values, strict=True)
                if v != lever.now
            ]
            sets = {path: there for lever, v in moved for path, there in lever.sets(v).items()}
            self.settings[values] = Setting(
                values,
                sets,
                tuple(lever.flag(v) for lever, v in moved),
                len(moved),
                sum(lever.cost(v) for lever, v in moved),
            )
        return self.settings[values]

    def _race(
        self,
        bench: Bench,
        going: list[Setting],
        over: Callable[[], bool],
        looks: Iterable[Turns],
        level: float,
    ) -> list[Setting]:
        """Play on what is not decided and whose turn it is, look after look; what reaches, or may. Whatever is decided
        leaves those that are going."""
        reached = list[Setting]()
        for turns in looks:
            for s, games in turns:
                if over() and s.games:
                    continue
                self._play(bench, s, games)
                found = {} if s.refused else bench.estimates(s, level)
                if s.refused or misses(self.made.wanted, found):
                    going.remove(s)
                elif reaches(self.made.wanted, found):
                    going.remove(s)
                    reached.append(s)
            if over() or not going:
                break
        return [*reached, *going]

    def _play(self, bench: Bench, s: Setting, games: int) -> None:
        """Play a setting on; where it took long to lay it out, so long at least."""
        new, begun = not s.games, time.perf_counter()
        bench.play(s, games)
        if new and self.seconds and s.games:
            laid_out = time.perf_counter() - begun - sum(p.seconds for p in s.played)
            bench.play(s, int(min(self.most, laid_out * self._pace([s]))))
        self._tell()

    def _prove(self, likely: Sequence[Setting]) -> None:
        """Measure what is left on fresh luck, of several numbers some at a time until there is an answer; all intervals
        hold together."""
        level = self._level(max(1, len(likely)) * len(LOOKS))
        some = ANSWERS + SPARE if len(self.made.levers) > 1 else max(1, len(likely))
        for i in range(0, len(likely), some):
            self._prove_some(likely[i : i + some], level)
            if self.made.answers or self._until(1.0)():
                break
        single = len(self.made.levers) == 1 and self.made.levers[0].numeric
        for part in (self.made.answers, self.made.undecided):
            part.sort(
                key=lambda a: a.setting.values[0] if single else (a.setting.changed, a.setting.cost)
            )
        if len(self.made.levers) > 1:
            del self.made.answers[ANSWERS:]

    def _prove_some(self, likely: Sequence[Setting], level: float) -> None:
        """Only what lies in every target with its whole interval is an answer."""
        again = [_unplayed(s) for s in likely]
        going = list(again)
        left = self._race(self.proving, going, self._until(1.0), self._looks(going, level), level)
        for s in again:
            found = self.proving.estimates(s, level) if s.games else {}
            if s.refused or not found:
                continue
            open_ = self.made.undecided if s in left else self.made.missed
            (self.made.answers if reaches(self.made.wanted, found) else open_).append(
                Answer(s, found)
            )

    def _by_steady(self, other: Variant, base: Setting) -> None:
        """What the answers, and the scenario as it is, give where `steady` plays."""
        bench = Bench(other, self.made.wanted, self.made.fresh, self.effort.threads)
        level = self._level(len(self.made.answers) + 1)
        standing = Answer(base, self.choosing.estimates(base, level))
        settings = [_unplayed(a.setting) for a in (standing, *self.made.answers)]
        games = max(a.setting.games for a in self.made.answers)
        if self.beside:
            games = min(
                games, max(FEWEST, int(bench.pace(settings[0]) * self.beside / len(settings)))
            )
        for a, s in zip((standing, *self.made.answers), settings, strict=True):
            bench.play(s, games)
            a.steady = {
                t.name: e
                for t in self.made.wanted
                if not t.rungs
                for e in [bench.estimates(s, level)[t.name]]
            }
        self.made.standing = standing

    def _looks(self, going: Sequence[Setting], level: float) -> Iterator[Turns]:
        """Whose turn it is at each look, and to how many games. Where time is short it is theirs who need least of it
        to be proved, since of many that have a little each none would be."""
        begun = time.perf_counter()
        for i, share in enumerate(LOOKS):
            if not self.seconds:
                yield [(s, max(1, round(share * self.most))) for s in going]
                continue
            now, end = time.perf_counter(), self.begun + self.seconds
            chosen = self._affordable(
                going, (end - now) * self._pace(going), level, ceil(len(going) / 2**i)
            )
            more = max(0.0, begun + share * (end - begun) - now) * self._pace(going) / len(chosen)
            yield [(s, int(min(self.most, max(s.games + more, FEWEST)))) for s in chosen]

    def _affordable(
        self, going: Sequence[Setting], games: float, level: float, least: int
    ) -> list[Setting]:
        """The first that can be proved in so many games, or so many at least; all where none is thought to reach."""
        need = {s.values: self._need(s, level) for s in going}
        order = sorted(going, key=lambda s: need[s.values])
        if not isfinite(need[order[0].values]):
            return order
        spent = accumulate(max(0.0, need[s.values] - s.games) for s in order)
        return order[: max(least, sum(so_far <= games for so_far in spent))]

    def _need(self, s: Setting, level: float) -> float:
        """In how many games its intervals will lie within the targets, if it is as it seems by what was played most."""
        bench, played = max(
            (self.choosing, self.settings[s.values]),
            (self.proving, s),
            key=lambda one: one[1].games,
        )
        found = bench.estimates(played, level)
        return SURER * max(found[t.name].n * t.widths(found[t.name]) ** 2 for t in self.made.wanted)

    def _pace(self, again: Sequence[Setting]) -> float:
        """Games a second, by the longest of what was played."""
        every = [s for s in (*self.settings.values(), *again) if s.games]
        return max(s.games / max(sum(p.seconds for p in s.played), 1e-4) for s in every)

    def tell(self) -> None:
        """All that was tried, on the luck of choosing, in intervals that hold together."""
        played = [s for s in self.settings.values() if s.games]
        level = self._level(max(1, len(played)))
        order = {v: i for i, v in enumerate(self.made.levers[0].values)}
        played.sort(key=lambda s: (order[s.values[0]], str(s.values[1:])))
        self.made.tried = [Answer(s, self.choosing.estimates(s, level)) for s in played]
        self.made.refused = [s for s in self.settings.values() if s.refused]

    def _level(self, statements: int) -> float:
        return simultaneous(self.made.confidence, statements * len(self.made.wanted))

    def _until(self, share: float) -> Callable[[], bool]:
        return lambda: (
            self.seconds is not None and time.perf_counter() - self.begun > share * self.seconds
        )

    def _tell(self) -> None:
        if self.seconds:
            self.progress(
                "values compete", min(0.99, (time.perf_counter() - self.begun) / self.seconds)
            )


def _unplayed(s: Setting) -> Setting:
    return Setting(s.values, s.sets, s.flags, s.changed, s.cost)


def _doubled(games: int, most: int) -> Iterator[int]:
    while games < most:
        yield games
        games *= 2
    yield most
