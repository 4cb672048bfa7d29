"""What chance dealt, as far as plays tell it: a play is held against simulated games that were dealt the same.

The games of one deal are fewer than all games of a point, so they borrow: other games of the point count too, changed
as such games differ from all, which many games of the box as it is assumed tell. Of several things that were dealt,
those that tell most are taken first, as far as enough of these games have them in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.files.text import brief
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import Order, crew
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.metric import won as won_in
from hardmode.studies.core.run import Effort
from hardmode.studies.game_flow.setup_factors import dealt
from hardmode.studies.playtests.fit.ending_outcomes import refuse_contradictions
from hardmode.studies.playtests.fit.simulation import Deal, Sums, base_of, seated
from hardmode.studies.playtests.records import Play
from hardmode.studies.uncertainty.analysis import goes_with

TRIED, SLIPS = 200, (0.0, 0.6)  # games of the trial at each of two levels
MORE = 16  # times as many games as at a point tell how those of a deal differ
LEAST = 100  # of these, of a deal
BORROWED = 40.0  # games of a point that are borrowed for a deal, at most
ROUNDS = 12  # of adjusting what a deal changes


@dataclass
class Deals:
    """One variant tried out: what is dealt, and what each of its plays was dealt."""

    cell: Variant
    rows: np.ndarray
    won: np.ndarray
    columns: list[int]  # of what is dealt, as far as plays have it, those that tell most first
    in_play: set[int]  # factors of plays that come about in play, of which no use is made
    seldom: set[int] = field(default_factory=set)  # that were left aside for some plays
    of: dict[int, Deal] = field(default_factory=dict)  # by the line of a play

    @classmethod
    def tried(
        cls, cell: Variant, plays: Sequence[Play], numbers: Sequence[int], effort: Effort
    ) -> Deals:
        """Refuses plays that contradict themselves, or that were dealt what is never dealt."""
        base = base_of(cell)
        engines = [Engine(cell.game, cell.box, seated(cell, share, base)) for share in SLIPS]
        answers = crew(effort.threads).rows(
            [Order(made, effort.seed, 0, TRIED) for made in engines]
        )
        each = [answer.rows for answer in answers]
        rows = np.concatenate(each, axis=1)
        won = won_in(cell.game, rows)
        told = sorted({column for play in plays for column in play.factors})
        names = dealt(engines[0], effort.seed, 0, each[0], cell.players) if told else frozenset()
        columns = [c for c in told if _measure(cell, c) in names]
        seen = [won.astype(float), *(rows[n].astype(float) for n in numbers)]
        telling = {
            c: max((goes_with(rows[c], y) for y in seen if y.std()), default=0.0) for c in columns
        }
        made = cls(
            cell, rows, won, sorted(columns, key=lambda c: -telling[c]), set(told) - set(columns)
        )
        refuse_contradictions(plays, engines, effort.seed)
        for play in plays:
            made._refuse_undealt(play)
        return made

    def _refuse_undealt(self, play: Play) -> None:
        for c in self.columns:
            if c in play.factors and not (self.rows[c] == play.factors[c]).any():
                said = f"{self._said(c, play.factors[c])} was dealt in none of {self.rows.shape[1]} games"
                raise ScenarioError(
                    play.place,
                    self.cell.game.columns[c],
                    f"{said} that were tried: say what was chosen at set-up, or leave this empty",
                )

    def _said(self, column: int, value: int) -> str:
        labels = next(
            m.labels for m in self.cell.game.measures if m.name == _measure(self.cell, column)
        )
        return brief(labels[value] if 0 <= value < len(labels) else str(value))

    def settle(self, plays: Sequence[Play], games: int) -> list[Deal]:
        """What each play was dealt, as finely as so many games tell it; all that there are."""
        for play in plays:
            finest: Deal = ()
            mask = np.ones(self.rows.shape[1], bool)
            for c in (c for c in self.columns if c in play.factors):
                both = mask & (self.rows[c] == play.factors[c])
                if both.mean() * games >= LEAST and both.sum() > 1:
                    finest, mask = (*finest, (c, play.factors[c])), both
                else:
                    self.seldom.add(c)
            self.of[id(play)] = finest
        return sorted({deal for deal in self.of.values() if deal})

    def named(self, columns: set[int]) -> list[str]:
        return [self.cell.game.columns[c] for c in sorted(columns)]

    @property
    def used(self) -> set[int]:
        return {column for deal in self.of.values() for column, _ in deal}


def _measure(cell: Variant, column: int) -> str:
    """The measure that a column belongs to."""
    name = cell.game.columns[column]
    return next(
        m.name
        for m in cell.game.measures
        if m.name == name or (m.per_seat and name.rpartition(" ")[0] == m.name)
    )


# -- what is borrowed -----------------------------------------------------------------------------


def borrowing(own: Sums, whole: Sums, own_told: Sums, told: Sums) -> Sums:
    """The games of one deal with what they borrow from all games of each point; how such games differ from all is
    `told` by many games of the box as it is assumed."""
    share = np.minimum(np.maximum(whole.games - own.games, 0), BORROWED)[..., None]
    sides = share * tilted(whole.n, told.n, own_told.n)
    total, products = _moved(whole, sides, told, own_told)
    return replace(
        own,
        endings=own.endings + share * tilted(whole.endings, told.endings, own_told.endings),
        wins=own.wins + sides[..., 1],
        n=own.n + sides,
        total=own.total + total,
        products=own.products + products,
    )


class Dealt(NamedTuple):
    """The games of one deal: by themselves, and with what they borrow."""

    own: Sums
    made: Sums


def mixed(whole: Sums, parts: Sequence[tuple[Dealt, int]]) -> Sums:
    """The games that plays of several deals are held against: of each deal as large a share as it has of the plays.

    They are worth no more games than there were. Held against each deal by itself, the games that all of them borrow
    would count as often as there are deals.
    """
    plays = sum(n for _, n in parts)
    worth = np.minimum(whole.games, sum(dealt.own.games for dealt, _ in parts) + BORROWED)
    shares = [n / plays * worth / dealt.made.games for dealt, n in parts]

    def together(name: str) -> np.ndarray:
        fields = [getattr(dealt.made, name) for dealt, _ in parts]
        return np.asarray(
            sum(
                share.reshape(*share.shape, *[1] * (field.ndim - 2)) * field
                for share, field in zip(shares, fields, strict=True)
            )
        )

    return replace(
        whole,
        endings=together("endings"),
        wins=together("wins"),
        n=together("n"),
        total=together("total"),
        products=together("products"),
        dealt=(),
    )


def tilted(whole: np.ndarray, told: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The shares of kinds of games (the last axis) at each point, changed as the games of a deal differ from all games
    in what they make of the odds, at all levels alike."""
    usual = _shares(told.sum(axis=(0, 1)) + 0.5)
    shares, n, factor = (
        _shares(told + usual),
        own.sum(axis=-1, keepdims=True),
        np.ones(whole.shape[-1]),
    )
    for _ in range(ROUNDS):
        expected = (_shares(shares * factor) * n).sum(axis=(0, 1))
        factor = factor * (own.sum(axis=(0, 1)) + usual) / (expected + usual)
    return _shares((whole + usual) * factor)


def _shares(counts: np.ndarray) -> np.ndarray:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _moved(whole: Sums, n: np.ndarray, told: Sums, own: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Sums and products of so many borrowed games, whose means are moved as those of the deal lie apart."""
    games = np.maximum(whole.n.sum(axis=(0, 1)), 1)[:, None]
    usual, square = (
        whole.total.sum(axis=(0, 1)) / games,
        whole.products.sum(axis=(0, 1)) / games[..., None],
    )
    mean = (whole.total + usual) / (whole.n + 1)[..., None]
    spread = (whole.products + square) / (whole.n + 1)[..., None, None] - mean[..., :, None] * mean[
        ..., None, :
    ]
    there = (told.total + usual) / (told.n + 1)[..., None]
    apart = (own.total - own.n[..., None] * there).sum(axis=(0, 1)) / (own.n.sum(axis=(0, 1)) + 1)[
        :, None
    ]
    moved = mean + apart
    return n[..., None] * moved, n[..., None, None] * (
        spread + moved[..., :, None] * moved[..., None, :]
    )
