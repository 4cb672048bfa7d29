"""A finding, the kinds there are, and the case that looks are taken of."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.variant import STRATEGIES
from hardmode.sim.contract import Game
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.reference_players import by_steady, disagree
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.report_run.data import flags, settings
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

# The kinds, each with what it means, in the order in which findings are told.
KINDS = {
    "punished-rung": "a rung of play wins less than a worse one",
    "inverted-setting": "a setting that is called harder is easier",
    "jump": "neighbouring steps of a setting differ by more than 30 points",
    "loophole": "always the same kind of option does as well as steady",
    "lost-opening": "a game that cannot be won before its first real decision",
    "won-opening": "a game that cannot be lost before its first real decision",
    "early-loss": "games that are lost in the first two rounds",
    "decided-early": "half of the games are decided for at least half of their rounds",
    "uncatchable-leader": "whoever leads after a third of the rounds nearly always wins",
    "first-seat": "a seat wins more than its share",
    "knocked-out": "a seat does not decide anything in the second half of a game",
    "kingmaker": "a seat that cannot win decides who does",
    "loop": "a position comes again and again",
    "turn-limit": "games that only the limit of turns ends",
    "stalling": "games that last three times as long as most",
    "too-long": "games that last longer than was stated",
    "always-worth-taking": "a kind of option that is always right",
    "never-worth-taking": "a kind of option that nobody needs",
    "unused-content": "something in the box that games do not notice",
    "dead-number": "a number that changes nothing",
}
LOOKS = 12  # so many looks share the error rate


@dataclass(frozen=True)
class Finding:
    kind: str
    what: str  # in a sentence
    estimate: Estimate  # its size, in an interval that holds together with all others of the audit
    unit: str  # what the size is a share of, or counts
    game: int  # that shows it
    command: str  # that shows this game
    closer: str = ""  # the command that looks closer
    steady: Estimate | None = None  # the same where `steady` plays, as far as that was looked at

    @property
    def disagreed(self) -> bool:
        return self.steady is not None and disagree(self.estimate, self.steady)


@dataclass
class Case:
    """What looks are taken of: a cell as a study plays it, and how much may be played."""

    scenario: Scenario
    cell: Variant
    effort: Effort
    seconds: float
    progress: Progress
    rounds: int | None = None  # in which a game was said to be over
    games: int | None = None  # of everything, instead of as many as the time allows
    looked: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)  # what was seen that is no fault of the game

    @property
    def game(self) -> Game:
        return self.cell.game

    @property
    def seats(self) -> int:
        return self.cell.players

    @property
    def rivals(self) -> bool:
        return self.game.competitive and self.seats > 1

    @cached_property
    def made(self) -> Engine:
        return engine(self.cell)

    @cached_property
    def steady_cell(self) -> Variant | None:
        """The same with `steady` where `trained` plays."""
        return by_steady(self.cell)

    @property
    def who(self) -> str:
        return ", ".join(dict.fromkeys(map(str, self.made.players)))

    def level(self, tests: int) -> float:
        """The confidence of each of so many intervals of one look."""
        return estimates.simultaneous(self.effort.confidence, LOOKS * max(1, tests))

    def error(self, tests: int) -> float:
        return 1 - self.level(tests)

    def rows(self, made: Engine, share: float, most: int = 20_000, fewest: int = 200) -> np.ndarray:
        """The rows of as many games as a share of the time allows."""
        runner, until = (
            Runner(made, self.effort.seed, threads=self.effort.threads),
            self.until(share),
        )
        most = min(most, self.games or most)
        parts, n = [], 0
        while n < most and (n < fewest or time.perf_counter() < until):
            size = min(most - n, fewest if n < 5 * fewest else 5 * fewest)
            parts.append(runner.columns(n, n + size))
            n += size
        return np.concatenate(parts, axis=1)

    def until(self, share: float) -> float:
        return inf if self.games else time.perf_counter() + share * self.seconds

    def time(self, share: float) -> float | None:
        """The seconds that so large a share of the time is, where games are not counted."""
        return None if self.games else share * self.seconds

    def few(self, most: int, every: int) -> int:
        """So many of what takes as long as `every` games."""
        return min(most, max(1, self.games // every)) if self.games else most

    @staticmethod
    def over(until: float) -> bool:
        return time.perf_counter() >= until

    def command(self, verb: str, *more: str, cell: Variant | None = None) -> str:
        """A command about the cell as it was played."""
        cell = cell or self.cell
        sets = {**settings(cell), STRATEGIES: cell.strategies}
        return shlex.join(
            [
                "hardmode",
                verb,
                self.scenario.name,
                *flags(sets, self.scenario.own),
                "--seed",
                str(self.effort.seed),
                *more,
            ]
        )

    def odds(self, game: int) -> str:
        """The command that tells a game with its turning points."""
        return self.command("replay", "--game", str(game), "--odds")

    def finding(
        self,
        kind: str,
        what: str,
        estimate: Estimate,
        unit: str,
        *,
        game: int = 0,
        closer: str = "",
        cell: Variant | None = None,
        steady: Estimate | None = None,
    ) -> Finding:
        return Finding(
            kind,
            what,
            estimate,
            unit,
            game,
            self.command("replay", "--game", str(game), cell=cell),
            closer,
            steady,
        )


Look = Callable[[Case, float], Iterator[Finding]]  # the share of the time that it may take


def points(e: Estimate) -> str:
    return f"{100 * e.value:+.1f} points"


def percent(value: float) -> str:
    return f"{100 * value:.3g} %"
