"""Prior samples: games in boxes whose unknown numbers are all drawn from their priors.

They show which unknown numbers matter most for the win rate, how far a measure can reach, and which
numbers move it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.simulation import (
    COARSE_LEVELS,
    MIN_GAMES,
    SimulatedGames,
    Simulator,
)
from hardmode.studies.uncertainty.priors import Prior, SampledValues

MIN_VARIANCE_SHARE = 0.12  # of the win rate, explained by a number that is fitted
MAX_SOURCES = 3  # numbers that are fitted
MIN_CORRELATION = 2.5  # standard errors
MAX_CAUSES = 3
MAX_WIN_RATE_GAP = 0.08  # between points that win about as often
MIN_SIDE_GAMES = 8  # of a point with the same result, for their means
MIN_SIMILAR = 12  # points that count as similar, however far their win rates are


@dataclass(frozen=True)
class PriorSamples:
    """Boxes drawn from the prior, played at a few levels."""

    games: SimulatedGames
    boxes: list[SampledValues]
    priors: list[Prior]

    @classmethod
    def simulate(
        cls,
        cell: Variant,
        numbers: Sequence[int],
        effort: Effort,
        games: int | None,
        seconds: float,
        progress: Progress,
    ) -> PriorSamples | None:
        """Play boxes drawn from the prior; return None if nothing is unknown.

        Args:
            cell: The variant to play.
            numbers: Columns whose means are wanted.
            effort: Seed and threads.
            games: Games of a point in the fit, of which a quarter is played here, or None to
                play as many as `seconds` allow.
            seconds: Time to spend.
            progress: Called as games are played.
        """
        games = games and max(MIN_GAMES, games // 4)
        simulator = Simulator([cell], numbers, effort, games, seconds, levels=COARSE_LEVELS)
        if len(simulator.boxes) < 2:
            return None
        simulated = simulator.simulate(progress)[0]
        return cls(simulated, simulator.boxes, simulator.priors.entries)

    @property
    def win_rates(self) -> np.ndarray:
        """Win rate by box and level."""
        return self.games.wins / self.games.games

    def find_level(self, win_rate: float | None) -> int:
        """Return the index of the level with the nearest win rate."""
        rates = self.win_rates.mean(axis=0)
        return int(np.argmin(np.abs(rates - (0.5 if win_rate is None else win_rate))))

    def find_main_sources(self, win_rate: float | None) -> list[str]:
        """Return the numbers that explain most of the variance of the win rate.

        Only linear effects count, since the boxes are too few for others.
        """
        wins = self.games.wins[:, self.find_level(win_rate)]
        explained = {path: r**2 for path, r in self._correlations(wins).items()}
        ordered = sorted(explained, key=lambda path: -explained[path])
        return [path for path in ordered if explained[path] >= MIN_VARIANCE_SHARE]

    def _correlations(self, values: np.ndarray) -> dict[str, float]:
        """Return the correlation of each unknown number with a value of each box."""
        correlations: dict[str, float] = {}
        if not values.std():
            return correlations
        for prior in self.priors:
            codes = np.array([prior.encode(box[prior.path]) for box in self.boxes])
            if codes.std():
                correlations[prior.path] = float(np.corrcoef(codes, values)[0, 1])
        return correlations

    def compute_means(self, number: int) -> np.ndarray:
        """Return the mean of a number by box and level."""
        return self.games.totals[..., number].sum(axis=2) / self.games.games

    def compute_ending_shares(self, ending: int, alike: Sequence[int]) -> np.ndarray:
        """Return the share of an ending among the endings `alike`, by box and level."""
        counts = self.games.endings
        return (counts[..., ending] + 0.5) / (counts[..., list(alike)].sum(axis=-1) + 1)

    def select_similar(self, values: np.ndarray, win_rate: float | None) -> np.ndarray:
        """Return the values at points that win about as often as `win_rate`."""
        return np.asarray(values[self._select_points(win_rate)])

    def compute_deviations(self, values: np.ndarray, win_rate: float | None) -> np.ndarray:
        """Return the deviations of similar points' values from their mean."""
        similar = self.select_similar(values, win_rate)
        return similar - similar.mean()

    def compute_joint_deviations(
        self, wanted: Sequence[tuple[int, tuple[int, ...]]], win_rate: float | None
    ) -> np.ndarray:
        """Return how far the boxes move the means of numbers, (similar point, number).

        The noise of the simulated games is removed on average: each number is shrunk until it
        varies as it does between boxes. Points with too few games of a result are left out.

        Args:
            wanted: Results (0 lost, 1 won, anything else all), each with its numbers.
            win_rate: Win rate of the plays.
        """
        points = self._select_points(win_rate)
        counts, means, noises = [], [], []
        for side, numbers in wanted:
            sides = [side] if side in (0, 1) else [0, 1]
            chosen = list(numbers)
            n = self.games.side_games[..., sides].sum(axis=-1)[points]
            totals = self.games.totals[:, :, sides].sum(axis=2)[points][:, chosen]
            products = self.games.products[:, :, sides].sum(axis=2)[points]
            squares = np.diagonal(products, axis1=1, axis2=2)[:, chosen]
            divisor = np.maximum(n, 1)[:, None]
            mean = totals / divisor
            counts += [n] * len(chosen)
            means.append(mean)
            noises.append((squares / divisor - mean**2) / divisor)
        is_known = np.min(counts, axis=0) >= MIN_SIDE_GAMES
        if is_known.sum() < 2:
            return np.zeros((1, len(counts)))
        means_by_point = np.concatenate(means, axis=1)[is_known]
        noise = np.concatenate(noises, axis=1)[is_known].mean(axis=0)
        variance = means_by_point.var(axis=0, ddof=1)
        between = np.maximum(variance - noise, 0.0)
        shrinkage = np.sqrt(np.divide(between, variance, where=variance > 0, out=0 * variance))
        return np.asarray(shrinkage * (means_by_point - means_by_point.mean(axis=0)))

    def _select_points(self, win_rate: float | None) -> np.ndarray:
        """Return a mask of the points that win about as often as `win_rate`, (box, level)."""
        gap = np.abs(self.win_rates - (0.5 if win_rate is None else win_rate))
        return np.asarray(gap <= max(MAX_WIN_RATE_GAP, np.sort(gap.ravel())[MIN_SIMILAR]))

    def find_likely_causes(
        self, values: np.ndarray, win_rate: float | None, gap: float
    ) -> list[str]:
        """Return the numbers that move a measure most, with the direction that closes the gap.

        Args:
            values: The measure by box and level.
            win_rate: Win rate of the plays.
            gap: Observed minus predicted value of the measure.
        """
        correlations = self._correlations(values[:, self.find_level(win_rate)])
        causes = []
        for path in sorted(correlations, key=lambda path: -abs(correlations[path])):
            if abs(correlations[path]) * np.sqrt(len(self.boxes)) > MIN_CORRELATION:
                causes.append(self._describe_cause(path, correlations[path] * gap))
        return causes[:MAX_CAUSES]

    def _describe_cause(self, path: str, direction: float) -> str:
        if any(prior.path == path and prior.alternatives for prior in self.priors):
            return path
        return f"{path} ({'more' if direction > 0 else 'less'})"
