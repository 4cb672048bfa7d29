"""Effect of a change at every skill level, and at increasing rates of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from hardmode.scenarios.load import Scenario, StrategySpec, Variant
from hardmode.scenarios.strategy import MistakeModel
from hardmode.sim.play.run import Runner
from hardmode.strategies import registry
from hardmode.studies.comparison.compare import Comparison, compare_cell, require_same_shape
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.core.skill_levels import (
    PLAYER_NAMES,
    SKILL_LEVELS,
    STEADY,
    TRAINED,
    seat_strategy,
)
from hardmode.studies.stats.estimates import Estimate

MISTAKE_RATES = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # without mistakes it is the skill level itself
SECONDS = 30.0
MIN_GAMES = 100  # with fewer, a level is left out
EQUIVALENCE_MARGIN = 0.01  # of the win rate: a difference within it counts as none
PROBE_SECONDS = 0.1  # of the games by which the pace is measured

HARDER, EASIER, ALIKE, UNDECIDED = "harder", "easier", "no different", "undecided"
VERDICTS = (HARDER, EASIER, ALIKE, UNDECIDED)


@dataclass(frozen=True)
class LevelComparison:
    """Comparison of two variants at one skill level and rate of mistakes."""

    name: str  # of the skill level
    mistake_rate: float
    comparison: Comparison

    @property
    def difference(self) -> Estimate:
        """B's win rate less A's."""
        return self.comparison.difference

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`: for these players, B is ..."""
        difference = self.difference
        if difference.high < 0:
            return HARDER
        if difference.low > 0:
            return EASIER
        is_same = self.comparison.identical_games == self.comparison.games
        margin = EQUIVALENCE_MARGIN
        is_equivalent = -margin < difference.low and difference.high < margin
        return ALIKE if is_same or is_equivalent else UNDECIDED


@dataclass(frozen=True)
class LevelComparisons:
    """Comparisons of one pair of cells at all levels; their intervals hold together."""

    levels: list[LevelComparison]
    left_out: list[str]  # sentences on the levels that were not played

    @property
    def skill_levels(self) -> list[LevelComparison]:
        """The comparisons without mistakes."""
        return [level for level in self.levels if not level.mistake_rate]

    @property
    def mistake_scale(self) -> list[LevelComparison]:
        """The comparisons of one skill level at increasing rates of mistakes, from none on."""
        with_mistakes = [level for level in self.levels if level.mistake_rate]
        names = {level.name for level in with_mistakes}
        return [level for level in self.skill_levels if level.name in names] + with_mistakes

    @property
    def verdict(self) -> str:
        """For which players B is harder than A, in words."""
        players = _group_by_verdict(self.skill_levels, lambda level: PLAYER_NAMES[level.name])
        if len(players) == 1:
            return f"{next(iter(players))} at every level"
        for verdict in (HARDER, EASIER):
            if set(players) == {verdict, ALIKE}:
                return f"{verdict} for {_join_names(players[verdict])} only"
        return "; ".join(
            f"{verdict} for {_join_names(players[verdict])}"
            for verdict in VERDICTS
            if verdict in players
        )

    @property
    def mistake_verdict(self) -> str:
        """At which rates of mistakes B is harder than A, in words."""
        if not self.mistake_scale:
            return ""
        scale = self.mistake_scale
        rates = _group_by_verdict(scale, lambda level: f"{100 * level.mistake_rate:g} %")
        if len(rates) == 1:
            return f"{next(iter(rates))} at every rate of mistakes"
        beginning = "by the rate of mistakes: "
        if {HARDER, EASIER} <= set(rates):
            beginning = "the win rates cross as players make more mistakes: "
        return beginning + "; ".join(f"{word} at {_join_names(at)}" for word, at in rates.items())


def _group_by_verdict(
    levels: Sequence[LevelComparison], name: Callable[[LevelComparison], str]
) -> dict[str, list[str]]:
    """Return the names of levels by verdict."""
    groups: dict[str, list[str]] = {}
    for level in levels:
        groups.setdefault(level.verdict, []).append(name(level))
    return groups


def _join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def compare_levels(
    a: Scenario,
    b: Scenario,
    effort: Effort,
    seconds: float | None = None,
    progress: Progress = ignore_progress,
) -> list[LevelComparisons]:
    """Compare two scenarios at every level, cell by cell.

    Args:
        a: The first scenario.
        b: The second scenario, with the same number of cells.
        effort: Games, seed, threads and confidence; fewer games if the time is short.
        seconds: Time for all levels of all cells together.
        progress: Called as games are finished.
    """
    require_same_shape(a, b)
    effort = effort.resolve_seed(a)
    levels = _list_levels(a)
    n_comparisons = len(levels) * len(a.cells)
    limit = seconds or SECONDS
    level_seconds = limit / n_comparisons
    comparisons = []
    for i, cells in enumerate(zip(a.cells, b.cells, strict=True)):
        played, left_out = [], []
        for j, (name, rate) in enumerate(levels):
            side_a, side_b = (_seat_level(cell, name, rate) for cell in cells)
            games, pace = _plan_games(side_a, effort, level_seconds)
            if games < min(MIN_GAMES, effort.games):
                needed = n_comparisons * 2 * min(MIN_GAMES, effort.games) / pace
                left_out.append(
                    f"{name}: too few games fit into its {level_seconds:.2g} of "
                    f"{limit:g} seconds; about {format_two_digits(needed)} seconds are needed"
                )
                continue
            title = f"{name}, {100 * rate:g} % mistakes"
            comparison = compare_cell(
                side_a,
                side_b,
                replace(effort, games=games),
                n_cells=n_comparisons,
                names=(a.name, b.name),
                progress=subprogress(progress, i * len(levels) + j, n_comparisons, title),
                with_histories=False,
            )
            played.append(LevelComparison(name, rate, comparison))
        comparisons.append(LevelComparisons(played, left_out))
    return comparisons


def _list_levels(scenario: Scenario) -> list[tuple[str, float]]:
    """Return the levels of a game, as the name of a skill level and a rate of mistakes."""
    known = registry.list_strategies(scenario.game.name)
    levels = [(level, 0.0) for level in SKILL_LEVELS if level in known]
    for level in (TRAINED, STEADY):
        if level in known:
            return levels + [(level, rate) for rate in MISTAKE_RATES]
    return levels


def _seat_level(cell: Variant, name: str, mistake_rate: float) -> Variant:
    """Return the cell with a skill level at every seat; where seats compete, at the first."""
    strategy = StrategySpec(name, mistakes=MistakeModel(mistake_rate))
    return replace(cell, strategies=seat_strategy(cell, strategy))


def _plan_games(cell: Variant, effort: Effort, seconds: float) -> tuple[int, float]:
    """Return how many games fit into the time, under both variants, and the games per second.

    Args:
        cell: The cell under A.
        effort: Games, seed, threads and confidence.
        seconds: Time for this level.

    Returns:
        The number of games, and the games per second.
    """
    runner = Runner(make_engine(cell), effort.seed, threads=effort.threads)
    runner.play_rows(0, 1)  # compiles what is not there yet
    games, elapsed = 1, 0.0
    while elapsed < PROBE_SECONDS and games < effort.games:
        games *= 4
        stopwatch = Stopwatch()
        runner.play_rows(0, games)
        elapsed = stopwatch.elapsed
    pace = games / max(elapsed, 1e-9)
    affordable = pace * seconds / 2
    if affordable >= effort.games:
        return effort.games, pace
    return round_down_to_1_2_5(affordable), pace


def format_two_digits(seconds: float) -> str:
    """Return a time of at least 1, rounded up to two significant digits.

    >>> format_two_digits(0.2), format_two_digits(1234)
    ('1', '1,300')
    """
    whole = max(1, ceil(seconds))
    unit = 10 ** max(0, len(str(whole)) - 2)
    return f"{unit * ceil(whole / unit):,}"


def round_down_to_1_2_5(n: float) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50, ... that is not above `n`, at least 1.

    >>> round_down_to_1_2_5(49)
    20
    """
    power = 10 ** (len(str(int(max(n, 1)))) - 1)
    return max(k * power for k in (1, 2, 5) if k * power <= max(n, 1))
