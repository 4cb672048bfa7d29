"""Matching of plays with simulated games that had the same set-up, by partial pooling.

A *deal* is the value of one or more factors that chance fixed at set-up, as far as a play records
them. The games of one deal are fewer than all games of a point. Therefore other games of the point
count as well (partial pooling), reweighted by how the games of the deal differ from all games; this
is known from many more games of the assumed box. Factors that explain most are matched first, as
long as enough games share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Measure
from hardmode.sim.files.text import shorten_value
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort
from hardmode.studies.game_flow.setup_factors import find_setup_factors
from hardmode.studies.playtests.fit.ending_outcomes import check_endings
from hardmode.studies.playtests.fit.simulation import (
    COARSE_LEVELS,
    Deal,
    SimulatedGames,
    Simulator,
    get_base_strategy,
    seat_players_at_level,
)
from hardmode.studies.playtests.records import PlayRecord
from hardmode.studies.uncertainty.analysis import compute_correlation_ratio

TRIAL_LEVELS = (0.0, 0.6)  # mistake rates of trial games
TRIAL_GAMES = 200  # at each of them
MANY_GAMES_FACTOR = 16  # games of the assumed box, as a multiple of the games of a point
MIN_DEAL_GAMES = 100  # of these games, for a deal that is matched
MAX_POOLED_GAMES = 40.0  # other games of a point that count for a deal
REWEIGHTING_STEPS = 12


@dataclass
class SetupMatcher:
    """Trial games of one variant, and the deals of its plays."""

    cell: Variant
    rows: np.ndarray  # of the trial games
    won: np.ndarray
    columns: list[int]  # factors fixed at set-up that plays record, the strongest first
    in_play: set[int]  # recorded factors that arise during play and are not used
    dropped: set[int] = field(default_factory=set)  # factors not matched for some plays
    deals_by_play: dict[int, Deal] = field(default_factory=dict)  # by id of the record

    @classmethod
    def from_trial(
        cls, cell: Variant, plays: Sequence[PlayRecord], numbers: Sequence[int], effort: Effort
    ) -> SetupMatcher:
        """Play trial games and check the plays against them.

        Args:
            cell: The variant.
            plays: Its plays.
            numbers: Columns of the numbers that plays record.
            effort: Seed and threads.

        Raises:
            ScenarioError: A play contradicts itself, or records a set-up that never occurs.
        """
        base = get_base_strategy(cell)
        engines = []
        for level in TRIAL_LEVELS:
            players = seat_players_at_level(cell, level, base)
            engines.append(Engine(cell.game, cell.box, players))
        batches = [GameBatch(engine, effort.seed, 0, TRIAL_GAMES) for engine in engines]
        results = current_backend(effort.threads).run_batches(batches)
        rows_by_level = [result.rows for result in results]
        rows = np.concatenate(rows_by_level, axis=1)
        won = is_won(cell.game, rows)
        recorded = sorted({column for play in plays for column in play.factors})
        fixed: frozenset[str] = frozenset()
        if recorded:
            fixed = find_setup_factors(engines[0], effort.seed, 0, rows_by_level[0], cell.players)
        columns = [c for c in recorded if _get_measure(cell, c).name in fixed]
        outcomes = [won.astype(float), *(rows[n].astype(float) for n in numbers)]
        strength = {c: _find_strength(rows[c], outcomes) for c in columns}
        columns.sort(key=lambda column: -strength[column])
        matcher = cls(cell, rows, won, columns, set(recorded) - set(columns))
        check_endings(plays, engines, effort.seed)
        for play in plays:
            matcher._check_deal(play)
        return matcher

    def _check_deal(self, play: PlayRecord) -> None:
        """Refuse a play with a factor that no trial game had."""
        for column in self.columns:
            if column not in play.factors or (self.rows[column] == play.factors[column]).any():
                continue
            name = self._format_value(column, play.factors[column])
            raise ScenarioError(
                play.place,
                self.cell.game.columns[column],
                f"{name} was dealt in none of {self.rows.shape[1]} games that were tried: "
                "record what was chosen at set-up, or leave this cell empty",
            )

    def _format_value(self, column: int, value: int) -> str:
        labels = _get_measure(self.cell, column).labels
        return shorten_value(labels[value] if 0 <= value < len(labels) else str(value))

    def match_plays(self, plays: Sequence[PlayRecord], games: int) -> list[Deal]:
        """Choose the most detailed deal of each play that enough games have.

        Args:
            plays: The plays of the variant.
            games: Number of games in which a deal must occur `MIN_DEAL_GAMES` times.

        Returns:
            All deals of the plays, without the empty one.
        """
        for play in plays:
            deal: Deal = ()
            matches = np.ones(self.rows.shape[1], bool)
            for column in self.columns:
                if column not in play.factors:
                    continue
                value = play.factors[column]
                finer = matches & (self.rows[column] == value)
                if finer.mean() * games >= MIN_DEAL_GAMES and finer.sum() > 1:
                    deal = (*deal, (column, value))
                    matches = finer
                else:
                    self.dropped.add(column)
            self.deals_by_play[id(play)] = deal
        return sorted({deal for deal in self.deals_by_play.values() if deal})

    def name_columns(self, columns: set[int]) -> list[str]:
        """Return the names of columns, in the order of the row."""
        return [self.cell.game.columns[column] for column in sorted(columns)]

    @property
    def used_columns(self) -> set[int]:
        """Columns that are matched for some play."""
        return {column for deal in self.deals_by_play.values() for column, _ in deal}


def _find_strength(factor: np.ndarray, outcomes: Sequence[np.ndarray]) -> float:
    """Return the largest share of the variance of an outcome that a factor explains."""
    ratios = [compute_correlation_ratio(factor.tolist(), y) for y in outcomes if y.std()]
    return max(ratios, default=0.0)


def _get_measure(cell: Variant, column: int) -> Measure:
    """Return the measure that a column belongs to."""
    name = cell.game.columns[column]
    for measure in cell.game.measures:
        if measure.name == name or (measure.per_seat and name.rpartition(" ")[0] == measure.name):
            return measure
    raise LookupError(name)


# -- pooling --------------------------------------------------------------------------------------


class MatchedGames(NamedTuple):
    """Games of one deal: on their own, and pooled with other games."""

    own: SimulatedGames
    pooled: SimulatedGames


def simulate_deals(
    simulator: Simulator,
    matchers: Sequence[SetupMatcher],
    plays_by_cell: Sequence[Sequence[PlayRecord]],
    seconds: float,
    progress: Progress,
) -> tuple[list[SimulatedGames], list[dict[Deal, MatchedGames]]]:
    """Play all points, and pool the games of each deal that the plays have.

    Args:
        simulator: Simulation of the variants.
        matchers: The matcher of each variant.
        plays_by_cell: The plays of each variant.
        seconds: Time for the many games of the assumed box.
        progress: Called after each point.

    Returns:
        All games of each variant, and the matched games of each variant by deal.
    """
    games = simulator.games and MANY_GAMES_FACTOR * simulator.games
    many_simulator = Simulator(
        simulator.cells, simulator.numbers, simulator.effort, games, seconds, [], COARSE_LEVELS
    )
    many_games = 0
    if any(matcher.columns for matcher in matchers):
        many_games = many_simulator.games_per_point
    deals = []
    for matcher, plays in zip(matchers, plays_by_cell, strict=True):
        deals.append(matcher.match_plays(plays, many_games))
    simulated_many = many_simulator.simulate(progress, deals) if any(deals) else []
    simulated = simulator.simulate(progress, deals)
    matched: list[dict[Deal, MatchedGames]] = []
    for v, whole in enumerate(simulated):
        by_deal = {}
        for i, deal in enumerate(deals[v]):
            own = whole.by_deal[i]
            many = simulated_many[v]
            by_deal[deal] = MatchedGames(own, pool_with_base(own, whole, many.by_deal[i], many))
        matched.append(by_deal)
    return simulated, matched


def select_games(
    whole: SimulatedGames, matched: Mapping[Deal, MatchedGames], deals: Mapping[Deal, int]
) -> SimulatedGames:
    """Return the games that plays are compared with.

    Args:
        whole: All games of the variant.
        matched: Matched games by deal.
        deals: Number of plays by deal.
    """
    if not any(deals):
        return whole
    unmatched = MatchedGames(whole, whole)
    return mix_deals(whole, [(matched.get(deal, unmatched), n) for deal, n in deals.items()])


def pool_with_base(
    own: SimulatedGames, whole: SimulatedGames, own_many: SimulatedGames, many: SimulatedGames
) -> SimulatedGames:
    """Return the games of a deal, pooled with reweighted other games of each point.

    Args:
        own: Games of the deal at each point.
        whole: All games at each point.
        own_many: Games of the deal in many games of the assumed box.
        many: These many games.
    """
    pooled = np.minimum(np.maximum(whole.games - own.games, 0), MAX_POOLED_GAMES)[..., None]
    sides = pooled * reweight_shares(whole.side_games, many.side_games, own_many.side_games)
    endings = pooled * reweight_shares(whole.endings, many.endings, own_many.endings)
    totals, products = _shift_sums(whole, sides, many, own_many)
    return replace(
        own,
        endings=own.endings + endings,
        wins=own.wins + sides[..., 1],
        side_games=own.side_games + sides,
        totals=own.totals + totals,
        products=own.products + products,
    )


def mix_deals(whole: SimulatedGames, parts: Sequence[tuple[MatchedGames, int]]) -> SimulatedGames:
    """Return the games that plays of several deals are compared with.

    Each deal has the weight that it has among the plays. If the plays of each deal were compared
    separately, the games that all deals share would count once per deal; so the mixture counts for
    no more games than there are.

    Args:
        whole: All games.
        parts: The games of each deal, and its number of plays.
    """
    plays = sum(n for _, n in parts)
    own_games = sum(matched.own.games for matched, _ in parts)
    worth = np.minimum(whole.games, own_games + MAX_POOLED_GAMES)
    weights = [n / plays * worth / matched.pooled.games for matched, n in parts]

    def add_weighted(name: str) -> np.ndarray:
        total: Any = 0
        for weight, (matched, _) in zip(weights, parts, strict=True):
            values = getattr(matched.pooled, name)
            total = total + weight.reshape(*weight.shape, *[1] * (values.ndim - 2)) * values
        return total

    return replace(
        whole,
        endings=add_weighted("endings"),
        wins=add_weighted("wins"),
        side_games=add_weighted("side_games"),
        totals=add_weighted("totals"),
        products=add_weighted("products"),
        by_deal=(),
    )


def reweight_shares(whole: np.ndarray, many: np.ndarray, own_many: np.ndarray) -> np.ndarray:
    """Return the shares of kinds of games at each point, reweighted for a deal.

    Each kind has one odds factor for all points, which is fitted by iterative proportional scaling
    (Deming and Stephan 1940), so that the many games predict the kinds of the deal's games.

    Args:
        whole: Counts of all games, by point and kind (last axis).
        many: Counts of many games of the assumed box, by point and kind.
        own_many: Counts of those that have the deal.
    """
    prior = _normalize(many.sum(axis=(0, 1)) + 0.5)
    shares = _normalize(many + prior)
    games = own_many.sum(axis=-1, keepdims=True)
    factor = np.ones(whole.shape[-1])
    for _ in range(REWEIGHTING_STEPS):
        expected = (_normalize(shares * factor) * games).sum(axis=(0, 1))
        factor = factor * (own_many.sum(axis=(0, 1)) + prior) / (expected + prior)
    return _normalize((whole + prior) * factor)


def _normalize(counts: np.ndarray) -> np.ndarray:
    return counts / counts.sum(axis=-1, keepdims=True)


def _shift_sums(
    whole: SimulatedGames, sides: np.ndarray, many: SimulatedGames, own_many: SimulatedGames
) -> tuple[np.ndarray, np.ndarray]:
    """Return the totals and products of pooled games, with means shifted as in the deal.

    Args:
        whole: All games of each point.
        sides: Number of pooled games, (box, level, side).
        many: Many games of the assumed box.
        own_many: Those that have the deal.
    """
    games = np.maximum(whole.side_games.sum(axis=(0, 1)), 1)[:, None]
    overall_mean = whole.totals.sum(axis=(0, 1)) / games
    overall_square = whole.products.sum(axis=(0, 1)) / games[..., None]
    mean = (whole.totals + overall_mean) / (whole.side_games + 1)[..., None]
    square = (whole.products + overall_square) / (whole.side_games + 1)[..., None, None]
    covariance = square - mean[..., :, None] * mean[..., None, :]
    many_mean = (many.totals + overall_mean) / (many.side_games + 1)[..., None]
    excess = (own_many.totals - own_many.side_games[..., None] * many_mean).sum(axis=(0, 1))
    shifted = mean + excess / (own_many.side_games.sum(axis=(0, 1)) + 1)[:, None]
    shifted_square = covariance + shifted[..., :, None] * shifted[..., None, :]
    return sides[..., None] * shifted, sides[..., None, None] * shifted_square
