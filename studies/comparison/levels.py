"""What a change does to whom: the same comparison at every rung of the ladder, and along the scale of slips."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hardmode.scenarios.load import Scenario, StrategySpec, Variant
from hardmode.scenarios.strategy import Slips
from hardmode.sim.play.run import Runner
from hardmode.strategies import registry
from hardmode.studies.comparison.compare import Comparison, compare_cell, same_shape
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.core.skill_levels import RUNGS, STEADY, TRAINED, WHO, seated
from hardmode.studies.report_run.runner import step_down
from hardmode.studies.stats.estimates import Estimate

SCALE = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # with no slips it is the rung itself
SECONDS = 30.0
FEWEST = 100  # games, without which a level says nothing
MARGIN = 0.01  # a difference that lies within a point of none is none

HARDER, EASIER, ALIKE, UNDECIDED = "harder", "easier", "no different", "undecided"


@dataclass(frozen=True)
class Level:
    name: str
    slips: float
    comparison: Comparison

    @property
    def difference(self) -> Estimate:
        return self.comparison.difference

    @property
    def says(self) -> str:
        d = self.difference
        if d.high < 0 or d.low > 0:
            return HARDER if d.high < 0 else EASIER
        same = self.comparison.same_rows == self.comparison.games
        return ALIKE if same or (d.low > -MARGIN and d.high < MARGIN) else UNDECIDED


@dataclass(frozen=True)
class Levels:
    """The differences that one change makes, by level; their intervals hold all together."""

    levels: list[Level]
    left_out: list[str]  # rungs that were not played, and why

    @property
    def rungs(self) -> list[Level]:
        return [level for level in self.levels if not level.slips]

    @property
    def scale(self) -> list[Level]:
        """Who slips, from never to always."""
        slipping = [level for level in self.levels if level.slips]
        return [
            level for level in self.rungs if level.name in {s.name for s in slipping}
        ] + slipping

    @property
    def verdict(self) -> str:
        """In words, for whom B is harder than A."""
        said = _grouped([(level.says, WHO[level.name]) for level in self.rungs])
        if len(said) == 1:
            return f"{next(iter(said))} at every level"
        decided = [word for word in (HARDER, EASIER) if word in said]
        if len(decided) == 1 and set(said) == {decided[0], ALIKE}:
            return f"{decided[0]} for {_listed(said[decided[0]])} only"
        return "; ".join(
            f"{word} for {_listed(said[word])}"
            for word in (HARDER, EASIER, ALIKE, UNDECIDED)
            if word in said
        )

    @property
    def along(self) -> str:
        """In words, what becomes of the change along the scale of slips."""
        if not self.scale:
            return ""
        said = _grouped([(level.says, f"{100 * level.slips:g} %") for level in self.scale])
        if len(said) == 1:
            return f"{next(iter(said))} whatever the share of slips"
        cross = (
            "the win rates cross along the slips: "
            if {HARDER, EASIER} <= set(said)
            else "along the slips: "
        )
        return cross + "; ".join(f"{word} at {_listed(shares)}" for word, shares in said.items())


def _grouped(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word, who in pairs:
        found.setdefault(word, []).append(who)
    return found


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def levels(
    a: Scenario,
    b: Scenario,
    effort: Effort,
    seconds: float | None = None,
    progress: Progress = silent,
) -> list[Levels]:
    """The comparison at every level, in each cell; games as asked, or as many as the seconds allow."""
    same_shape(a, b)
    effort = effort.on(a)
    asked = list(_asked(a))
    share = (seconds or SECONDS) / (len(asked) * len(a.cells))
    found = []
    for i, (x, y) in enumerate(zip(a.cells, b.cells, strict=True)):
        made, left_out = [], []
        for j, (name, slips) in enumerate(asked):
            under_a, under_b = (_seated(cell, name, slips) for cell in (x, y))
            games, pace = _fitting(under_a, effort, share)
            if games < min(FEWEST, effort.games):
                left_out.append(
                    f"{name} plays {pace:.2g} games a second: too slow for {share:.0f} seconds"
                )
                continue
            step = part(
                progress,
                i * len(asked) + j,
                len(asked) * len(a.cells),
                f"{name}, {100 * slips:g} % slips",
            )
            made.append(
                Level(
                    name,
                    slips,
                    compare_cell(
                        under_a,
                        under_b,
                        replace(effort, games=games),
                        cells=len(asked) * len(a.cells),
                        names=(a.name, b.name),
                        progress=step,
                        histories=False,
                    ),
                )
            )
        found.append(Levels(made, left_out))
    return found


def _asked(a: Scenario) -> Iterator[tuple[str, float]]:
    known = registry.names(a.game.name)
    rungs = [rung for rung in RUNGS if rung in known]
    yield from ((rung, 0.0) for rung in rungs)
    slipping = next((rung for rung in (TRAINED, STEADY) if rung in rungs), None)
    yield from ((slipping, share) for share in SCALE if slipping)


def _seated(cell: Variant, name: str, slips: float) -> Variant:
    """The cell with a rung at every seat; where seats compete at the first, against steady players."""
    return replace(cell, strategies=seated(cell, StrategySpec(name, slips=Slips(slips))))


def _fitting(cell: Variant, effort: Effort, seconds: float) -> tuple[int, float]:
    """How many games fit into the time, under both variants; and how many fit into a second."""
    runner, n, took = Runner(engine(cell), effort.seed, threads=effort.threads), 1, 0.0
    runner.columns(0, 1)  # compiles what is not there yet
    while took < 0.1 and n < effort.games:
        n, begun = 4 * n, time.perf_counter()
        runner.columns(0, n)
        took = time.perf_counter() - begun
    pace = n / max(took, 1e-9)
    fits = pace * seconds / 2
    return (effort.games if fits >= effort.games else step_down(fits)), pace
