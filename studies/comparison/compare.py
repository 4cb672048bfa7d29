"""Play the same games under two variants: how many change their outcome, and which way.

Reference: R. G. Newcombe, Improved confidence intervals for the difference between binomial
proportions based on paired data, Statistics in Medicine 17 (1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, ScenarioLike, Variant, resolve_scenario
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS, Game
from hardmode.sim.play.backends import BatchResult, ChunkSizer, GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.studies.comparison.divergence import Divergence, Flip, find_divergences
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_rate, format_with_interval

DEFAULT_GAMES = 20_000
BLOCK_GAMES = 1 << 14  # after each block, the precision is checked
MAX_HISTORIES = 400  # flipped games of each kind whose histories are compared
MAX_EXAMPLES = 3
POWER = 0.9  # of the plans for a number of games


@dataclass
class Comparison:
    """Results of the same games under two variants.

    Attributes:
        a: The first variant.
        b: The second variant.
        seed: Seed of the games.
        confidence: Confidence of all intervals together.
        names: Names of the two scenarios.
        n_cells: Number of comparisons whose intervals hold together.
        outcome_pairs: Games by whether they were won under A, and under B.
        ending_pairs: Games by their ending under A, and under B.
        identical_games: Games with the same row under both.
        length_sums: Sum of the differences in rounds, and of their squares.
        score_sums: Sum of the differences in score, and of their squares.
        flipped_games: Some of the games won under one variant only; True for those won under B.
        losses: Of these, the ending and the winning seats under the variant that lost.
        pairs_by_factor: Outcome pairs by factor and its value under A.
        divergences: Where the histories of flipped games first differ.
    """

    a: Variant
    b: Variant
    seed: int
    confidence: float
    names: tuple[str, str] = ("", "")
    n_cells: int = 1
    outcome_pairs: np.ndarray = field(default_factory=lambda: np.zeros((2, 2), np.int64))
    ending_pairs: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    identical_games: int = 0
    length_sums: list[int] = field(default_factory=lambda: [0, 0])
    score_sums: list[int] = field(default_factory=lambda: [0, 0])
    flipped_games: dict[bool, list[int]] = field(default_factory=lambda: {True: [], False: []})
    losses: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    pairs_by_factor: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    divergences: list[Divergence] = field(default_factory=list)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.a.game

    @property
    def games(self) -> int:
        """Number of games under each variant."""
        return int(self.outcome_pairs.sum())

    @property
    def wins_gained(self) -> int:
        """Number of games lost under A and won under B."""
        return int(self.outcome_pairs[0, 1])

    @property
    def wins_lost(self) -> int:
        """Number of games won under A and lost under B."""
        return int(self.outcome_pairs[1, 0])

    @property
    def interval_level(self) -> float:
        """Confidence of each interval, so that those of all cells hold together."""
        return estimates.bonferroni_level(self.confidence, self.n_cells)

    @property
    def difference(self) -> Estimate:
        """B's win rate less A's."""
        return _estimate_paired_difference(self.outcome_pairs, self.interval_level)

    @property
    def is_settled(self) -> bool:
        """True if the difference has a significant sign, or no game differs at all."""
        return self.difference.excludes(0.0) or self.identical_games == self.games

    def estimate_win_rate(self, under_b: bool) -> Estimate:
        """Return the win rate under B, or under A."""
        wins = int(self.outcome_pairs.sum(axis=0 if under_b else 1)[1])
        return estimates.wilson_rate(wins, self.games, self.interval_level)

    def estimate_ending_changes(
        self, level: float | None = None
    ) -> list[tuple[str, Estimate, int, int]]:
        """Return (ending, change of its share, games under A, games under B) of each ending."""
        changes = []
        for i, name in enumerate(self.game.all_endings):
            under_a, under_b = int(self.ending_pairs[i].sum()), int(self.ending_pairs[:, i].sum())
            if under_a or under_b:
                both = int(self.ending_pairs[i, i])
                neither = self.games - under_a - under_b + both
                pairs = np.array([[neither, under_b - both], [under_a - both, both]])
                change = _estimate_paired_difference(pairs, level or self.interval_level)
                changes.append((name, change, under_a, under_b))
        return changes

    def estimate_mean_change(self, sums: list[int], level: float | None = None) -> Estimate:
        """Return the mean of `length_sums` or `score_sums`.

        Args:
            sums: Sum of the changes, and of their squares.
            level: Confidence of the interval; by default, `interval_level`.
        """
        total, squares = sums
        return estimates.student_t_mean(self.games, total, squares, level or self.interval_level)

    def tabulate_divergences(self, gained: bool) -> list[dict[str, Any]]:
        """Return rows of the flips of one kind, by the source and round of their divergence."""
        divergences = [d for d in self.divergences if d.gained == gained]
        counts = Counter((d.source, d.round) for d in divergences)
        return [
            {
                "flip": "gained" if gained else "lost",
                "source": source,
                "round": round_,
                "flips": n,
                "share": n / len(divergences),
            }
            for (source, round_), n in counts.most_common()
        ]

    def tabulate_losses(self, gained: bool) -> list[dict[str, Any]]:
        """Return rows of the flips of one kind, by how and to whom they were lost.

        Each row has the most common divergence of these flips, and an example.
        """
        divergences = [d for d in self.divergences if d.gained == gained]
        losses = Counter((d.lost_by, d.lost_to) for d in divergences)
        rows = []
        for (ending, seats), n in losses.most_common():
            alike = [d for d in divergences if (d.lost_by, d.lost_to) == (ending, seats)]
            places = Counter((d.source, d.round) for d in alike)
            (source, round_), n_there = places.most_common(1)[0]
            example = next(d.game for d in alike if (d.source, d.round) == (source, round_))
            rows.append(
                {
                    "flip": "gained" if gained else "lost",
                    "lost_by": ending,
                    "to": list(seats),
                    "flips": n,
                    "share": n / len(divergences),
                    "source": source,
                    "round": round_,
                    "parts_there": n_there,
                    "game": example,
                }
            )
        return rows

    def tabulate_factors(self) -> list[dict[str, Any]]:
        """Return rows of the change in the games with each value of each factor.

        The intervals of all rows hold together. A factor with one value has no row.
        """
        labels = {m.name: m.labels for m in self.game.measures}
        n_values = Counter(factor for factor, _ in self.pairs_by_factor)
        groups = [
            (factor, value, pairs)
            for (factor, value), pairs in sorted(self.pairs_by_factor.items())
            if n_values[factor] > 1
        ]
        level = estimates.bonferroni_level(self.interval_level, max(1, len(groups)))
        rows = []
        for factor, value, pairs in groups:
            change = _estimate_paired_difference(pairs, level)
            names = labels[factor]
            rows.append(
                {
                    "factor": factor,
                    "is": names[value] if value < len(names) else str(value),
                    "games": int(pairs.sum()),
                    "gained": int(pairs[0, 1]),
                    "lost": int(pairs[1, 0]),
                    "value": change.value,
                    "low": change.low,
                    "high": change.high,
                }
            )
        return rows

    def estimate_further_games(self, power: float = POWER) -> int:
        """Return how many more games would settle a difference as large as the one observed."""
        return 0 if self.is_settled else max(0, self.estimate_needed_pairs(power) - self.games)

    def estimate_unpaired_games(self, power: float = POWER) -> int:
        """Return how many games of each variant that takes with independent random draws."""
        a, b = self.estimate_win_rate(False).value, self.estimate_win_rate(True).value
        return estimates.plan_unpaired_games(a, b, self.interval_level, power)

    def estimate_needed_pairs(self, power: float = POWER) -> int:
        """Return how many games settle a difference as large as the one observed."""
        return estimates.plan_paired_games(
            self.wins_gained, self.wins_lost, self.games, self.interval_level, power
        )


class IncomparableError(ValueError):
    """Raised when two scenarios cannot be compared game by game."""


class Comparisons(list[Comparison], NotebookTable):
    """One comparison for each cell, which prints the effect in each."""

    estimate_kind = "points"

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each cell: label, games, win rates under A and B, their difference."""
        for c in self:
            rates = {"a": c.estimate_win_rate(False).value, "b": c.estimate_win_rate(True).value}
            games = {"games": c.games, "gained": c.wins_gained, "lost": c.wins_lost}
            yield {**c.a.label, **games, **rates, "difference": c.difference}

    def __str__(self) -> str:
        return "\n".join(self._iterate_lines()) if self else "nothing was compared"

    __repr__ = __str__

    def _iterate_lines(self) -> Iterator[str]:
        first = self[0]
        yield f"{first.game.title}, the same games under both"
        yield f"A: {describe_comparison_side(first.a)}"
        yield f"B: {describe_comparison_side(first.b)}"
        for c in self:
            cell = f"{c.a.label_text}: " if c.a.label else ""
            settled = "settled" if c.is_settled else "not settled"
            difference = format_with_interval(c.difference, "points")
            yield (
                f"{cell}win rate {format_rate(c.estimate_win_rate(False))} under A, "
                f"{format_rate(c.estimate_win_rate(True))} under B: {difference} points, {settled}"
            )
            yield (
                f"  of {c.games:,} games, {c.wins_gained:,} are newly won and {c.wins_lost:,} "
                "newly lost under B"
            )
        together = f" for all {len(self)} cells together" if len(self) > 1 else ""
        yield f"intervals hold at {100 * first.confidence:g} %{together}; seed {first.seed}"


def compare(
    a: ScenarioLike,
    b: ScenarioLike,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    precision: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    confidence: float | None = None,
    progress: Progress = ignore_progress,
    until: float | None = None,
) -> Comparisons:
    """Play the same games under A and B, in each cell of a grid.

    The strategies of the scenarios play. The command `compare` plays `trained` in place of `steady`
    (see `studies.core.reference_players`).

    Args:
        a: A shipped name, a path, a dict, or what `load` or `variant` returned.
        b: The same, of the other side.
        effort: How much is played; what follows overrides it.
        games: Number of games of each cell, or the most.
        precision: Stop a cell once its difference is known to within this, as in 0.002 for 0.2
            points.
        seed: Seed of the games.
        threads: Number of threads; 0 for all cores.
        confidence: Confidence of all intervals together.
        progress: Called as games are finished.
        until: Old name of `precision`.
    """
    a, b = resolve_scenario(a), resolve_scenario(b)
    effort = (effort or Effort(DEFAULT_GAMES)).override(
        games=games,
        precision=until if precision is None else precision,
        seed=seed,
        threads=threads,
        confidence=confidence,
    )
    effort = effort.resolve_seed(a)
    require_same_shape(a, b)
    comparisons = Comparisons()
    for i, (x, y) in enumerate(zip(a.cells, b.cells, strict=True)):
        step = subprogress(progress, i, len(a.cells), x.label_text)
        names = (a.name, b.name)
        comparisons.append(
            compare_cell(x, y, effort, n_cells=len(a.cells), names=names, progress=step)
        )
    return comparisons


def require_same_shape(a: Scenario, b: Scenario) -> None:
    """Refuse scenarios of different games, or with different numbers of cells.

    Raises:
        IncomparableError: They cannot be compared cell by cell.
    """
    if a.game.name != b.game.name:
        raise IncomparableError(
            f"{a.name} plays {a.game.title}, {b.name} plays {b.game.title}: only scenarios of the "
            "same game can be compared"
        )
    if len(a.cells) != len(b.cells):
        raise IncomparableError(
            f"{a.name} has {len(a.cells)} cells and {b.name} {len(b.cells)}: only grids of the "
            "same shape can be compared"
        )


def compare_cell(
    a: Variant,
    b: Variant,
    effort: Effort,
    *,
    n_cells: int = 1,
    names: tuple[str, str] = ("", ""),
    progress: Progress = ignore_progress,
    with_histories: bool = True,
) -> Comparison:
    """Play the same games under two variants.

    Args:
        a: The first variant.
        b: The second variant.
        effort: Games, seed, threads and confidence. With a precision, stop once the difference is
            known to within it.
        n_cells: Number of comparisons whose intervals hold together.
        names: Names of the two scenarios.
        progress: Called as games are finished.
        with_histories: Compare the histories of flipped games.
    """
    effort = effort.resolve_seed(None)
    engines = make_engine(a), make_engine(b)
    comparison = Comparison(a, b, effort.seed, effort.confidence, names, n_cells)
    n = len(a.game.all_endings)
    comparison.ending_pairs = np.zeros((n, n), np.int64)
    stopwatch = Stopwatch()
    for under_a, under_b in _play_pairs(engines, effort):
        _add_games(comparison, under_a.batch.start, under_a.rows, under_b.rows)
        games = comparison.games
        progress("", games / effort.games, 2 * games / max(stopwatch.elapsed, 1e-9))
        # Checked after whole blocks only, so that it does not depend on the speed of the machine.
        if effort.precision and games % BLOCK_GAMES == 0:
            if comparison.difference.half_width <= effort.precision:
                break
    if with_histories:
        flips = [
            Flip(game, gained, *comparison.losses[game])
            for gained, games_of_kind in comparison.flipped_games.items()
            for game in games_of_kind
        ]
        comparison.divergences = find_divergences(engines, effort.seed, flips, effort.threads)
    return comparison


def _play_pairs(engines: Sequence[Engine], effort: Effort) -> Iterator[tuple[BatchResult, ...]]:
    """Yield the results of the same games by each engine; no batch crosses a block."""
    sizer = ChunkSizer(effort.chunk, bool(effort.chunk))
    stop = effort.first_game + effort.games

    def iterate_batches() -> Iterator[GameBatch]:
        for block in range(effort.first_game, stop, BLOCK_GAMES):
            for chunk in sizer.split_range(block, min(stop, block + BLOCK_GAMES)):
                for engine in engines:
                    yield GameBatch(engine, effort.seed, *chunk)

    results = current_backend(effort.threads).run_batches(iterate_batches())
    for pair in zip(*[results] * len(engines), strict=True):
        sizer.update(pair[-1].games, pair[-1].seconds)
        yield pair


def _add_games(comparison: Comparison, first: int, a: np.ndarray, b: np.ndarray) -> None:
    """Count the rows of the same games under A and B.

    Args:
        comparison: The comparison, which is updated.
        first: Number of the first game.
        a: Rows under A, by column and game.
        b: Rows under B.
    """
    game = comparison.game
    won_a, won_b = is_won(game, a), is_won(game, b)
    outcomes = 2 * won_a + won_b
    comparison.outcome_pairs += np.bincount(outcomes, minlength=4).reshape(2, 2)
    n = len(comparison.ending_pairs)
    ending_pairs = np.bincount(n * a[ENDING] + b[ENDING], minlength=n * n)
    comparison.ending_pairs += ending_pairs.reshape(n, n)
    _add_factors(comparison, a, outcomes)
    comparison.identical_games += int((a == b).all(axis=0).sum())
    for sums, column in ((comparison.length_sums, ROUNDS), (comparison.score_sums, SCORES)):
        change = b[column].astype(np.int64) - a[column]
        sums[0] += int(change.sum())
        sums[1] += int((change * change).sum())
    for gained, flipped, loser in ((True, won_b & ~won_a, a), (False, won_a & ~won_b, b)):
        known = comparison.flipped_games[gained]
        for place in np.flatnonzero(flipped)[: MAX_HISTORIES - len(known)].tolist():
            known.append(first + place)
            ending = game.all_endings[int(loser[ENDING, place])]
            winners = _list_winners(game, int(loser[WINNERS, place]))
            comparison.losses[first + place] = ending, winners


def _list_winners(game: Game, winners: int) -> tuple[int, ...]:
    """Return the winning seats, counted from 1."""
    return tuple(seat + 1 for seat in range(game.seats) if winners >> seat & 1)


def _add_factors(comparison: Comparison, a: np.ndarray, outcomes: np.ndarray) -> None:
    """Count the outcomes by each value of each factor under A.

    A factor of each seat counts once for a game, also if two seats have the same value.
    """
    game = comparison.game
    for measure in game.measures:
        if not measure.factor:
            continue
        names = [measure.name]
        if measure.per_seat:
            names = [f"{measure.name} {seat + 1}" for seat in range(game.seats)]
        values_by_seat = a[[game.columns.index(name) for name in names]]
        for seat, values in enumerate(values_by_seat):
            is_repeated = (values_by_seat[:seat] == values).any(axis=0)
            counted = (values >= 0) & ~is_repeated
            keys = 4 * values[counted] + outcomes[counted]
            n_values = int(values.max()) + 1
            pairs = np.bincount(keys, minlength=4 * n_values).reshape(-1, 2, 2)
            for value in np.flatnonzero(pairs.any(axis=(1, 2))).tolist():
                key = measure.name, value
                comparison.pairs_by_factor[key] = (
                    comparison.pairs_by_factor.get(key, 0) + pairs[value]
                )


def _estimate_paired_difference(pairs: np.ndarray, level: float) -> Estimate:
    """Return the change from A to B of a share, from games by A (rows) and B (columns)."""
    (neither, only_b), (only_a, both) = pairs.tolist()
    return estimates.newcombe_paired_difference(both, only_b, only_a, neither, level)


def select_example_divergences(comparison: Comparison) -> list[Divergence]:
    """Return one divergence of each of the most common places."""
    examples: dict[tuple[bool, str, int], Divergence] = {}
    for d in comparison.divergences:
        examples.setdefault((d.gained, d.source, d.round), d)
    places = Counter((d.gained, d.source, d.round) for d in comparison.divergences)
    return [examples[place] for place, _ in places.most_common(MAX_EXAMPLES)]


def describe_comparison_side(variant: Variant) -> str:
    """Return what is played on one side, in a few words."""
    changes = [
        f"{path}={format_yaml_value(value)}"
        for path, (_, value) in variant.changed_values.items()
        if path not in variant.label
    ]
    with_changes = f" with {', '.join(changes)}" if changes else ""
    players = ", ".join(dict.fromkeys(map(str, variant.strategies)))
    return f"{variant.title}{with_changes}{variant.overlay_suffix}, played by {players}"
