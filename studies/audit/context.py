"""Context of an audit: what every check needs to play games and to report findings."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from hardmode.scenarios.labels import STRATEGIES_LABEL
from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.contract import Game
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.studies.audit.findings import Finding
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run.commands import format_command_options, get_label_settings
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

MAX_CHECKS = 12  # that share the error rate; more than there are, so that levels need not change


@dataclass(frozen=True)
class OpenQuestion:
    """Things of one kind that were played too little to judge them.

    Attributes:
        subject: What they are, as a singular noun.
        open_count: How many were not judged.
        count: How many there are.
        missing_seconds: About how many seconds of the audit would settle them, None if unknown.
    """

    subject: str
    open_count: int
    count: int
    missing_seconds: float | None


@dataclass(frozen=True)
class AuditContext:
    """The game under audit and how much may be played.

    The lists are shared by all checks, which append to them.
    """

    scenario: Scenario
    cell: Variant
    steady_cell: Variant | None  # the same with `steady` where `trained` plays
    engine: Engine
    effort: Effort
    budget: Budget  # time of the current check; without a limit if games are counted
    progress: Progress
    stated_rounds: int | None = None  # length of a game as its rules or its box state it
    games: int | None = None  # to play for everything, instead of as many as the time allows
    checked_kinds: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # observations that are no faults of the game
    open_questions: list[OpenQuestion] = field(default_factory=list)

    @property
    def game(self) -> Game:
        """The game."""
        return self.cell.game

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.cell.players

    @property
    def is_competitive(self) -> bool:
        """True if several seats compete."""
        return self.game.competitive and self.seats > 1

    @property
    def player_names(self) -> str:
        """Names of the players, each once."""
        return ", ".join(dict.fromkeys(map(str, self.engine.players)))

    def note_open(
        self, subject: str, open_count: int, count: int, missing_seconds: float | None
    ) -> None:
        """Record that some of the things of a check were played too little to judge them.

        Args:
            subject: What they are, as a singular noun.
            open_count: How many were not judged; nothing is recorded if there are none.
            count: How many there are.
            missing_seconds: Seconds of this check that would settle them, None if unknown.
        """
        if open_count:
            question = OpenQuestion(subject, open_count, count, missing_seconds)
            self.open_questions.append(question)

    def adjusted_confidence(self, tests: int) -> float:
        """Return the confidence level of each of `tests` intervals of one check (Bonferroni)."""
        return estimates.bonferroni_level(self.effort.confidence, MAX_CHECKS * max(1, tests))

    def adjusted_error(self, tests: int) -> float:
        """Return the error rate of each of `tests` tests of one check (Bonferroni)."""
        return 1 - self.adjusted_confidence(tests)

    def estimate_rate(self, mask: np.ndarray, tests: int) -> Estimate:
        """Return the rate of true values with an exact interval.

        Args:
            mask: One value for each game.
            tests: Number of intervals of the check.
        """
        confidence = self.adjusted_confidence(tests)
        return estimates.clopper_pearson_rate(int(mask.sum()), mask.size, confidence)

    def play_games(
        self, engine: Engine, budget: Budget, max_games: int = 20_000, min_games: int = 200
    ) -> np.ndarray:
        """Return the rows of as many games as a budget allows."""
        runner = Runner(engine, self.effort.seed, threads=self.effort.threads)
        max_games = min(max_games, self.games or max_games)
        blocks = []
        n = 0
        while n < max_games and (n < min_games or not budget.exhausted):
            size = min_games if n < 5 * min_games else 5 * min_games
            stop = min(max_games, n + size)
            blocks.append(runner.play_rows(n, stop))
            n = stop
        return np.concatenate(blocks, axis=1)

    def limit_count(self, max_count: int, games_each: int) -> int:
        """Return how many things to do that each take as long as `games_each` games."""
        return min(max_count, max(1, self.games // games_each)) if self.games else max_count

    def build_command(self, verb: str, *options: str, cell: Variant | None = None) -> str:
        """Return a command of hardmode about the audited variant, or about another cell of it."""
        cell = cell or self.cell
        settings = {**get_label_settings(cell), STRATEGIES_LABEL: cell.strategies}
        cell_options = format_command_options(settings, self.scenario.overlay)
        words = ["hardmode", verb, self.scenario.name, *cell_options]
        return shlex.join([*words, "--seed", str(self.effort.seed), *options])

    def build_odds_command(self, game: int) -> str:
        """Return the command that replays a game with its turning points."""
        return self.build_command("replay", "--game", str(game), "--odds")

    def make_finding(
        self,
        kind: str,
        message: str,
        estimate: Estimate,
        unit: str,
        *,
        game: int = 0,
        followup: str = "",
        cell: Variant | None = None,
        steady: Estimate | None = None,
    ) -> Finding:
        """Return a finding with the command that replays its game.

        Args:
            kind: One of `KINDS`.
            message: One sentence.
            estimate: Size of the fault.
            unit: Unit of the size.
            game: Number of a game that shows the fault.
            followup: Command that examines the fault further.
            cell: Variant of the game, if it is not the audited one.
            steady: Size if `steady` plays.
        """
        command = self.build_command("replay", "--game", str(game), cell=cell)
        return Finding(kind, message, estimate, unit, game, command, followup, steady)


AuditCheck = Callable[[AuditContext], Iterator[Finding]]
