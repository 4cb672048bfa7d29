"""What a report on one scenario rests on: every variant that was played for it, and the command that plays it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from hardmode.scenarios.box import yaml_text
from hardmode.scenarios.box_overlay import OwnBox
from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.strategy import Slips
from hardmode.scenarios.variant import SLIPS, STRATEGIES
from hardmode.sim.results.group_table import Sums
from hardmode.sim.results.result import Result
from hardmode.sim.results.tally import GROUPS, Tally
from hardmode.studies.choices.analysis import Choices
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.core.metric import Headline
from hardmode.studies.core.run import Effort
from hardmode.studies.game_flow.decision_point import Decided
from hardmode.studies.game_flow.turn_stats import Pace
from hardmode.studies.game_flow.turning_points import Turning
from hardmode.studies.luck.analysis import Luck
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.playtests.fit.posterior_predictive import Forecast
from hardmode.studies.sensitivity.analysis import Sensitivity
from hardmode.studies.uncertainty.analysis import Doubts


@dataclass(frozen=True)
class Item:
    """One variant that was played: in which part, under which label, and the command that does it again."""

    part: str
    label: str
    result: Result
    command: str

    @property
    def tally(self) -> Tally:
        return self.result.tally


@dataclass(frozen=True)
class Crossed:
    """Every combination of a few choices at set-up."""

    paths: tuple[str, ...]  # rows, columns, and panels where there are three
    values: tuple[tuple[Any, ...], ...]
    items: dict[tuple[Any, ...], Item | None]  # None: the game refuses this combination


@dataclass
class Survey:
    scenario: Scenario
    effort: Effort
    measure: Headline
    cells: list[Item] = field(default_factory=list)
    ranking: Ranking | None = None  # of the cells, by the games that they share
    batches: list[Tally] = field(
        default_factory=list
    )  # all cells together, in equal parts of their games
    ladder: dict[str, Item] = field(default_factory=dict)
    slips: dict[str, dict[float, Item]] = field(
        default_factory=dict
    )  # a good player, by cell and share of slips
    choices: dict[str, dict[Any, Item]] = field(default_factory=dict)
    crossed: Crossed | None = None
    doubts: Crossed | None = None  # the least certain numbers, over their plausible values
    sensitivity: Sensitivity | None = None  # every number of the first cell one step away
    weighed: Doubts | None = None  # what all that is assumed decides
    worth: Choices | None = None  # what every kind of option is worth
    luck: Luck | None = None  # what every source of chance decides, and who plays
    decided: Decided | None = None  # when games are decided
    kept: float = 0.0  # the seconds of the longer study from which experts, numbers and how games go are taken
    pace: Pace | None = None  # what a turn asks, and how long the others wait
    dealt: frozenset[str] = (
        frozenset()
    )  # the factors that chance dealt before anybody decided anything
    turned: dict[int, Turning] = field(default_factory=dict)  # where the games that are told turned
    table: tuple[FitFile, list[Forecast]] | None = (
        None  # those who played, and how they would fare in each cell
    )
    sample: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    refused: list[str] = field(default_factory=list)

    @property
    def first(self) -> Variant:
        return self.scenario.cells[0]

    @property
    def base(self) -> Item:
        return self.cells[0]

    @cached_property
    def whole(self) -> Tally:
        """All cells together; every cell has the same number of games."""
        return reduce(Tally.merged, self.batches)

    @property
    def results(self) -> list[Result]:
        """All results for a file; those beside the scenario itself without sums by factor, which take most room."""
        return [
            i.result
            if i.part == "cells"
            else replace(i.result, tally=replace(i.tally, grouped=Sums.none(GROUPS)))
            for i in self.items
        ]

    @property
    def items(self) -> list[Item]:
        """All that was played, each variant once."""
        crossed = [i for part in (self.doubts, self.crossed) if part for i in part.items.values()]
        every = [
            *self.cells,
            *self.ladder.values(),
            *(i for curve in self.slips.values() for i in curve.values()),
            *(i for part in self.choices.values() for i in part.values()),
            *(i for i in crossed if i),
        ]
        once: dict[int, Item] = {}
        for item in every:
            once.setdefault(id(item.result), item)
        return list(once.values())


def told(cell: Variant) -> str:
    """A cell's label as a reader has it."""
    return cell.label_text.replace("_", " ")


def settings(cell: Variant) -> dict[str, Any]:
    """What sets a cell of a grid apart: its values, and the players themselves where they are swept."""
    numbers = {path: value for path, value in cell.label.items() if path not in (STRATEGIES, SLIPS)}
    slipping = any(s.slips and s.slips.share for s in cell.strategies)
    return (
        {**numbers, STRATEGIES: cell.strategies}
        if slipping or len(numbers) < len(cell.label)
        else numbers
    )


def flags(sets: Mapping[str, Any], own: OwnBox | None = None) -> list[str]:
    """What the command line needs for these values, for these strategies, and for a box of one's own."""
    words = ["--box", own.file] if own else []
    words += [
        w
        for path, value in sets.items()
        if path != STRATEGIES
        for w in ("--set", f"{path}={yaml_text(value)}")
    ]
    who = sets.get(STRATEGIES, ())
    return [
        *words,
        *_each("--strategy", [s.full_name for s in who]),
        *_each(
            "--slips", [str(s.slips or Slips()) for s in who] if any(s.slips for s in who) else []
        ),
    ]


def _each(flag: str, seats: list[str]) -> list[str]:
    """One for all seats where they are alike."""
    return [word for one in (seats[:1] if len(set(seats)) == 1 else seats) for word in (flag, one)]
