"""Everything that a report on one scenario needs to be played, and how many games each part gets.

The scenario's cells come first; then who else could play the first of them (the ladder), what each
other choice at set-up would do, and the choices that matter most, crossed. The same variant is never
played twice. All variants are played on the same luck.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise, product, zip_longest
from typing import Any

import numpy as np

from hardmode.scenarios.box import Leaf, yaml_text
from hardmode.scenarios.load import Scenario, ScenarioError, StrategySpec, Variant, variant
from hardmode.scenarios.strategy import Slips
from hardmode.scenarios.variant import PLAYERS, STRATEGIES, holding_latest
from hardmode.sim.play.backends import crew
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.run import Played, Runner, Writes
from hardmode.sim.results.ranges import joined
from hardmode.sim.results.result import Result
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.comparison import mistake_curves
from hardmode.studies.comparison.rank import Won, ranking
from hardmode.studies.core.metric import Headline
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort, engine, unplayed
from hardmode.studies.core.skill_levels import RUNGS, STEADY, TRAINED, seated
from hardmode.studies.game_flow.setup_factors import dealt
from hardmode.studies.report_run import game_flow, precomputed
from hardmode.studies.report_run.data import Crossed, Item, Survey, flags, settings, told
from hardmode.studies.report_run.parameters import TOO_SLOW, step_away, weighed

ANY = "any"  # drawn at random in each game
BATCHES = 10  # the games of a cell in equal parts, whose spread gives intervals to the curves
SAMPLE = 1000  # games whose rows are kept, for margins and examples
FEWEST, FEWEST_SLOW = 100, 10
SLIPS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85)
SLOW = 10  # so many times slower than the scenario's own players is a slow strategy
MOST_VALUES, MOST_CROSSED, MOST_DOUBTS = 12, 96, 2

# What a part may take of the time; and the games of each of its variants, of those that a cell has at most.
SHARES = {
    "cells": 0.16,
    "ladder": 0.06,
    "slow": 0.09,
    "slips": 0.03,
    "choices": 0.07,
    "doubts": 0.03,
    "crossed": 0.06,
    "numbers": 0.13,
    "weighed": 0.13,
    "worth": 0.06,
    "luck": 0.05,
    "decided": 0.05,
    "pace": 0.02,
    "turned": 0.06,
    "curves": 0.16,
}  # curves of a grid, in place of choices, doubts and crossed
MOST = {
    "cells": 1.0,
    "ladder": 0.5,
    "slow": 0.02,
    "slips": 0.2,
    "choices": 0.2,
    "doubts": 0.1,
    "crossed": 0.1,
    "curves": 0.2,
}


def survey(scenario: Scenario, effort: Effort, seconds: float | None, progress: Progress) -> Survey:
    """Play all parts of a report, within about `seconds`, or with the games that `effort` gives."""
    surveyor = begun(scenario, effort, seconds, progress)
    precomputed.fill(surveyor.made)
    with holding_latest():
        surveyor.cells()
        surveyor.ladder()
        surveyor.slips()
        if len(scenario.cells) == 1:
            surveyor.choices()
            surveyor.doubts()
            surveyor.crossed()
        else:
            surveyor.curves()
    surveyor.numbers()
    surveyor.course()
    return surveyor.made


def begun(
    scenario: Scenario,
    effort: Effort,
    seconds: float | None,
    progress: Progress,
    shares: Mapping[str, float] = SHARES,
) -> Surveyor:
    """Who plays the parts of a report, before anything is played."""
    effort = effort.on(scenario)
    return Surveyor(
        Survey(scenario, effort, Headline.of(scenario, effort.confidence)),
        seconds,
        progress,
        shares,
    )


def step_down(n: float) -> int:
    """The largest of 1, 2, 5, 10, 20, 50, ... that is not above n (at least 1)."""
    power = 10 ** (len(str(int(max(n, 1)))) - 1)
    return max(k * power for k in (1, 2, 5) if k * power <= max(n, 1))


class Surveyor:
    """Plays the parts of one report."""

    def __init__(
        self, made: Survey, seconds: float | None, progress: Progress, shares: Mapping[str, float]
    ) -> None:
        self.made, self.seconds, self.progress, self.shares = made, seconds, progress, shares
        self.scenario, self.effort = made.scenario, made.effort
        self.threads = crew(made.effort.threads).size
        self._results: dict[str, Result] = {}
        self._at, self._each = 0.0, 0.0  # how far the report is, and what one variant adds

    # -- the parts --------------------------------------------------------------------------------

    def cells(self) -> None:
        variants = self.scenario.cells
        made = engine(variants[0])
        self.speed = self._speed(made)
        games = self._games("cells", len(variants))
        self._part("cells", len(variants))
        parts: list[list[Tally]] = []
        won = [Won(cell.game, self.effort.first) for cell in variants] if len(variants) > 1 else []
        for cell, known in zip_longest(variants, won):
            result, batches = self._play(
                cell, games, BATCHES, cell.label_text or "the scenario", known
            )
            parts.append(batches)
            self.made.cells.append(
                Item("cells", told(cell), result, self._command(result, settings(cell)))
            )
        self.made.ranking = ranking(
            [i.result for i in self.made.cells], won, self.effort.confidence
        )
        self.made.batches = [
            reduce(Tally.merged, together) for together in zip(*parts, strict=True)
        ]
        sample = int(min(games, SAMPLE, max(20.0, self.speed)))
        self.made.sample = _rows(made, self.effort.seed, self.effort.first, sample)
        self.made.dealt = dealt(
            made, self.effort.seed, self.effort.first, self.made.sample, variants[0].players
        )

    def ladder(self) -> None:
        """The first cell, played from at random to expertly; where seats compete, by the first seat alone."""
        cell = self.scenario.cells[0]
        known = registry.names(cell.game.name)
        own = str(cell.strategies[0])
        rungs = list(dict.fromkeys([*(r for r in RUNGS if r in known), own]))
        self._part("ladder", len(rungs))
        longer = dict(self.made.ladder)
        self.made.ladder.clear()  # in the order of the rungs, whatever is known of them
        for rung in rungs:
            if rung in longer:
                self.made.ladder[rung] = longer[rung]
                continue
            who = cell.strategies if rung == own else self._seated(cell, rung)
            try:
                other = self._variant(cell, {}, who, {STRATEGIES: rung})
            except ScenarioError as why:
                self.made.refused.append(f"strategy {rung}: {why}")
                continue
            self._rung(other, rung)

    def slips(self) -> None:
        """The better of the rungs that play fast, with more and more slips; with nothing but slips it is random."""
        cell, rung, ladder = self.scenario.cells[0], self._careful(), self.made.ladder
        if rung:
            self._part("slips", len(SLIPS))
            games = self._games("slips", len(SLIPS))
            self.made.slips[told(cell)] = {
                0.0: ladder[rung],
                **{share: self._slipped("slips", cell, rung, share, games) for share in SLIPS},
                1.0: ladder["random"],
            }

    def curves(self) -> None:
        """The same for other cells of a grid, side by side."""
        rung, others = self._careful(), mistake_curves.beside(self.scenario)
        if not rung or not others:
            return
        shares = (0.0, *SLIPS, 1.0)
        self._part("curves", len(others) * len(shares))
        games = self._games("curves", len(others) * len(shares))
        for cell in others:
            self.made.slips[told(cell)] = {
                share: self._slipped("curves", cell, rung, share, games) for share in shares
            }

    def _careful(self) -> str | None:
        """The best rung that plays fast enough for a curve over slips."""
        ladder = self.made.ladder
        rung = next(
            (r for r in (TRAINED, STEADY) if r in ladder and ladder[r].part == "ladder"), None
        )
        return rung if "random" in ladder else None

    def _slipped(self, part: str, cell: Variant, rung: str, share: float, games: int) -> Item:
        label = f"{rung} with {Slips(share)} slips"
        label = f"{cell.label_text}, {label}" if part == "curves" else label
        other = self._variant(cell, {}, self._seated(cell, rung, Slips(share)), {STRATEGIES: label})
        return self._item(part, label, other, games, {})

    def _rung(self, cell: Variant, rung: str) -> None:
        part, label, made = "ladder", f"strategy {rung}", engine(cell)
        games = self._games(part, len(RUNGS))
        if cell.strategies != self.made.first.strategies and self._slow(made):
            part = "slow"
            self._part(part, 1)
            speed = self._speed(made, 1.0)
            games = self._games(part, 1, speed)
            if self.seconds and FEWEST_SLOW / (speed * self.threads) > 2 * self.seconds:
                self.made.refused.append(
                    f"{label} takes {1 / speed:.0f} seconds a game: too slow for this report"
                )
                return
        self.made.ladder[rung] = self._item(
            part, label, cell, games, {**self.scenario.cells[0].label, STRATEGIES: cell.strategies}
        )

    def _slow(self, made: Engine) -> bool:
        """Search is slow by its nature, so that a given number of games means the same on every machine."""
        slower = self.seconds is not None and self._speed(made) < self.speed / SLOW
        return slower or any(p.budget for p in made.players)

    def choices(self) -> None:
        """Each other choice at set-up, one at a time."""
        cell = self.scenario.cells[0]
        others = {
            leaf.path: [v for v in self._alike(leaf) if v != cell.values[leaf.path]]
            for leaf in _chosen(cell)
        }
        count = sum(map(len, others.values()))
        self._part("choices", count)
        for path, values in others.items():
            for value in values:
                item = self._changed("choices", {path: value}, self._games("choices", count))
                if item:
                    self.made.choices.setdefault(path, {})[value] = item

    def _alike(self, leaf: Leaf) -> list[Any]:
        """The values of a choice; not numbers of players that make rivals of one who plays alone, or the reverse."""
        apart = leaf.path == PLAYERS and self.scenario.game.competitive
        return [v for v in _values(leaf) if not apart or (v > 1) == self.made.measure.rivals]

    def doubts(self) -> None:
        """The least certain numbers, each at its other plausible values, in every combination."""
        cell = self.scenario.cells[0]
        leaves = [
            leaf for leaf in cell.leaves.values() if leaf.doubt and leaf.path not in cell.changed
        ][:MOST_DOUBTS]
        if not leaves:
            return
        values = tuple(_tried(leaf) for leaf in leaves)
        combinations = list(product(*values))
        self._part("doubts", len(combinations) - 1)
        games = self._games("doubts", len(combinations) - 1)
        items: dict[tuple[Any, ...], Item | None] = {}
        for combination in combinations:
            sets = {
                leaf.path: _written(value)
                for leaf, value in zip(leaves, combination, strict=True)
                if _written(value) != leaf.value
            }
            items[combination] = self._changed("doubts", sets, games) if sets else self.made.base
        self.made.doubts = Crossed(tuple(leaf.path for leaf in leaves), values, items)

    def crossed(self) -> None:
        """Two choices that matter, and the number of players, in every combination."""
        found = self._to_cross()
        if not found:
            return
        paths, values = found
        combinations = list(product(*values))
        self._part("crossed", len(combinations))
        games = self._games("crossed", len(combinations))
        items = {
            c: self._changed("crossed", dict(zip(paths, c, strict=True)), games)
            for c in combinations
        }
        self.made.crossed = Crossed(paths, values, items)

    def numbers(self) -> None:
        """Every number one step away, and what the assumptions decide; not where players search."""
        if any(p.budget for p in engine(self.made.first).players):
            self.made.refused.append(TOO_SLOW)
            return
        for part, known, study in (
            ("numbers", self.made.sensitivity, step_away),
            ("weighed", self.made.weighed, weighed),
        ):
            self._part(part, 1)
            if known:
                continue
            study(self.made, self.seconds and self.shares[part] * self.seconds, self._step())

    def course(self) -> None:
        """How games go: what choices are worth, luck or skill, when they are decided, where they turn; not where
        players search."""
        if any(p.budget for p in engine(self.made.first).players):
            self.made.refused.append(game_flow.TOO_SLOW)
            return
        for part, known, study in (
            ("worth", self.made.worth, game_flow.tried),
            ("luck", self.made.luck, game_flow.lucky),
            ("decided", self.made.decided, game_flow.settled),
            ("pace", None, game_flow.paced),
            ("turned", None, game_flow.turned),
        ):
            self._part(part, 1)
            if known:
                continue
            study(self.made, self.seconds and self.shares[part] * self.seconds, self._step())

    def _step(self) -> Progress:
        """The progress of a study that is one part of the report."""

        def step(what: str, share: float, pace: float = 0.0) -> None:
            self.progress(what, self._at + self._each * share, pace)

        return step

    def _to_cross(self) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]] | None:
        """What the scenario draws at random goes first, then what comes first in the box."""
        cell, measure, base = self.made.first, self.made.measure, self.made.base.tally
        clear = [
            path
            for path, items in self.made.choices.items()
            if any(measure.change(i.tally, base).excludes(0.0) for i in items.values())
        ]
        ranked = sorted((p for p in clear if p != PLAYERS), key=lambda p: cell.values[p] != ANY)[:2]
        paths = (
            [*ranked, PLAYERS]
            if PLAYERS in self.made.choices and not cell.game.competitive
            else ranked
        )
        while len(paths) > 1:
            values = tuple(_values(cell.leaves[p]) for p in paths)
            count = int(np.prod([len(v) for v in values]))
            enough = not self.seconds or self._games("crossed", count, floor=1) >= FEWEST
            if count <= MOST_CROSSED and (enough or len(paths) == 2):
                order = sorted(
                    range(len(paths)), key=lambda i: (paths[i] == PLAYERS, -len(values[i]))
                )
                return tuple(paths[i] for i in order), tuple(values[i] for i in order)
            paths.pop()
        return None

    # -- how they are played ----------------------------------------------------------------------

    def _part(self, part: str, variants: int) -> None:
        before = list(self.shares)[
            : list(self.shares).index("choices" if part == "curves" else part)
        ]
        self._at, self._each = (
            sum(self.shares[p] for p in before),
            self.shares[part] / max(1, variants),
        )

    def _games(self, part: str, variants: int, speed: float = 0.0, floor: int = 0) -> int:
        """How many games each variant of a part gets."""
        wanted = self.effort.games * MOST[part]
        if self.seconds is not None:
            rate = (speed or self.speed) * self.threads
            wanted = min(
                wanted, step_down(self.shares[part] * self.seconds * rate / max(1, variants))
            )
        least = floor or (FEWEST_SLOW if part == "slow" else FEWEST)
        return int(min(self.effort.games, max(wanted, least)))

    def _speed(self, made: Engine, enough: float = 0.1) -> float:
        """Games a second of one thread's own time, from a short try."""
        desk, n, took = Desk(made.game), 1, 0.0
        while took <= enough and n < 300_000:
            n, begun = n * 3, time.thread_time()
            made.play(desk, self.effort.seed, 0, n, columns(made.game, n))
            took = time.thread_time() - begun
        return n / max(took, 1e-6)

    def _changed(self, part: str, sets: dict[str, Any], games: int) -> Item | None:
        cell = self.scenario.cells[0]
        label = ", ".join(f"{path} {yaml_text(value)}" for path, value in sets.items())
        alike = cell.strategies[:1] if len(set(map(str, cell.strategies))) == 1 else cell.strategies
        try:
            return self._item(part, label, self._variant(cell, sets, alike, sets), games, sets)
        except ScenarioError as why:
            self.made.refused.append(f"{label}: {why}")
            return None

    def _variant(
        self,
        cell: Variant,
        sets: Mapping[str, Any],
        who: Sequence[StrategySpec],
        label: dict[str, Any],
    ) -> Variant:
        rules = {path: value for path, (_, value) in cell.changed.items()}
        made = variant(cell.game.name, rules={**rules, **sets}, strategies=list(who), box=cell.own)
        return replace(made, title=cell.title, label={**cell.label, **label})

    def _seated(self, cell: Variant, rung: str, slips: Slips | None = None) -> list[StrategySpec]:
        return list(seated(cell, StrategySpec(rung, slips=slips)))

    def _item(
        self, part: str, label: str, cell: Variant, games: int, sets: Mapping[str, Any]
    ) -> Item:
        result, _ = self._play(cell, games, 1, label)
        return Item(part, label, result, self._command(result, {**settings(cell), **sets}))

    def _play(
        self, cell: Variant, games: int, batches: int, label: str, rows: Writes | None = None
    ) -> tuple[Result, list[Tally]]:
        """The result of a variant, and its tallies in so many parts."""
        known = self._results.get(cell.digests["scenario"])
        if known and known.games >= games:
            return known, []
        made = engine(cell)
        result = unplayed(self.scenario, cell, made.players, self.effort.seed)
        runner = Runner(
            made, self.effort.seed, threads=self.effort.threads, chunk=self.effort.chunk, rows=rows
        )
        edges = np.linspace(0, games, min(batches, games) + 1).astype(int).tolist()
        tallies: list[Tally] = []
        for lo, hi in pairwise(edges):

            def seen(now: Played, lo: int = lo) -> None:
                self.progress(label, self._at + self._each * (lo + now.games) / games)

            played = Played(Tally(cell.game))
            runner.run(played, hi - lo, first=self.effort.first + lo, progress=seen)
            if played.interrupted:
                raise KeyboardInterrupt
            tallies.append(played.tally)
            result.ranges, result.seconds = (
                joined([*result.ranges, *played.ranges]),
                result.seconds + played.seconds,
            )
        result.tally = reduce(Tally.merged, tallies)
        self._at += self._each
        self._results[cell.digests["scenario"]] = result
        return result, tallies

    def _command(self, result: Result, sets: Mapping[str, Any]) -> str:
        """What plays exactly these games again."""
        words = [
            "hardmode",
            "run",
            self.scenario.name,
            *flags(sets, self.scenario.own),
            "--games",
            str(result.games),
            "--seed",
            str(self.effort.seed),
        ]
        return shlex.join(
            [*words, *(["--first", str(self.effort.first)] if self.effort.first else [])]
        )


def _chosen(cell: Variant) -> list[Leaf]:
    """The choices at set-up that can be listed."""
    return [
        leaf
        for leaf in cell.leaves.values()
        if leaf.path.startswith("setup.")
        and not isinstance(leaf.value, list)
        and 2 <= len(_values(leaf)) <= MOST_VALUES
    ]


def _values(leaf: Leaf) -> tuple[Any, ...]:
    """The values that a choice can take one by one."""
    if leaf.type is bool:
        return (False, True)
    if leaf.type is int and not leaf.choices and leaf.min is not None and leaf.max is not None:
        return tuple(range(int(leaf.min), int(leaf.max) + 1))
    return tuple(c for c in leaf.choices if c != ANY)


def _tried(leaf: Leaf) -> tuple[Any, ...]:
    """The plausible values of a doubtful number, the one that stands in the middle; lists as tuples."""
    half = len(leaf.doubt) // 2
    return tuple(
        tuple(v) if isinstance(v, list) else v
        for v in (*leaf.doubt[:half], leaf.value, *leaf.doubt[half:])
    )


def _written(value: Any) -> Any:
    """A value as a scenario takes it."""
    return list(value) if isinstance(value, tuple) else value


def _rows(made: Engine, seed: int, first: int, games: int) -> np.ndarray:
    out = columns(made.game, games)
    made.play(Desk(made.game), seed, first, first + games, out)
    return np.asarray(out)
