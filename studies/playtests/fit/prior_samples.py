"""Boxes around the one that is assumed, in which all that is unknown differs: which numbers decide, how far measures
reach, and what moves them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.simulation import COARSE, FEWEST, Simulator, Sums
from hardmode.studies.uncertainty.priors import Drawn, Unknown

DECIDES, MOST = (
    0.12,
    3,
)  # the share of the win rate's variance that goes with a number that decides, and how many do
SURE = 2.5  # standard errors of a correlation
MOST_BLAMED = 3
NEAR, FEW = 0.08, 12  # as often won as others; that many of all are, at least


@dataclass(frozen=True)
class Around:
    """Such boxes, played at a few levels."""

    sums: Sums
    boxes: list[Drawn]
    unknowns: list[Unknown]

    @classmethod
    def of(
        cls,
        cell: Variant,
        numbers: Sequence[int],
        effort: Effort,
        games: int | None,
        seconds: float,
        progress: Progress,
    ) -> Around | None:
        """None where nothing is unknown."""
        made = Simulator(
            [cell], numbers, effort, games and max(FEWEST, games // 4), seconds, levels=COARSE
        )
        if len(made.boxes) < 2:
            return None
        return cls(made.played(progress)[0], made.boxes, made.unknowns.drawn)

    def at(self, won: float | None) -> int:
        """The level whose games are won most nearly as often."""
        rates = (self.sums.wins / self.sums.games).mean(axis=0)
        return int(np.argmin(np.abs(rates - (0.5 if won is None else won))))

    def decisive(self, won: float | None) -> list[str]:
        """The numbers with which the win rate goes: straight, as `doubts` does not ask, since boxes are few."""
        goes = self._goes_with(self.sums.wins[:, self.at(won)])
        return [
            path
            for path in sorted(goes, key=lambda path: -(goes[path] ** 2))
            if goes[path] ** 2 >= DECIDES
        ]

    def _goes_with(self, values: np.ndarray) -> dict[str, float]:
        """The correlation of each unknown number with something, box by box."""
        if not values.std():
            return {}
        codes = {
            one.path: np.array([one.code(box[one.path]) for box in self.boxes])
            for one in self.unknowns
        }
        return {
            path: float(np.corrcoef(code, values)[0, 1])
            for path, code in codes.items()
            if code.std()
        }

    def means(self, number: int) -> np.ndarray:
        """The mean of a number in each box, by level."""
        return self.sums.total[..., number].sum(axis=2) / self.sums.games

    def shares(self, ending: int, alike: Sequence[int]) -> np.ndarray:
        """How often games that came out alike ended so, in each box by level."""
        return (self.sums.endings[..., ending] + 0.5) / (
            self.sums.endings[..., list(alike)].sum(axis=-1) + 1
        )

    def near(self, values: np.ndarray, won: float | None) -> np.ndarray:
        """Something in those boxes, and at those levels, whose games are won about as often."""
        away = np.abs(self.sums.wins / self.sums.games - (0.5 if won is None else won)).ravel()
        return values.ravel()[away <= max(NEAR, np.sort(away)[FEW])]

    def apart(self, values: np.ndarray, won: float | None) -> np.ndarray:
        """How far something lies from its mean there."""
        near = self.near(values, won)
        return near - near.mean()

    def blamed(self, values: np.ndarray, won: float | None, wanted: float) -> list[str]:
        """The numbers that move a measure most, and which way they must go for what was seen."""
        goes = self._goes_with(values[:, self.at(won)])
        readings = {one.path for one in self.unknowns if one.leaf.readings}
        sure = [path for path in goes if abs(goes[path]) * np.sqrt(len(self.boxes)) > SURE]
        return [
            path
            if path in readings
            else f"{path} ({'more' if goes[path] * wanted > 0 else 'less'})"
            for path in sorted(sure, key=lambda path: -abs(goes[path]))[:MOST_BLAMED]
        ]
