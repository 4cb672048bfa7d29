"""All conformance checks in their order, and reports of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.box import find_box_folders
from hardmode.studies.conformance import (
    compiled,
    coverage,
    declarations,
    endings,
    hidden,
    trace_checks,
    words,
)
from hardmode.studies.conformance.game_under_test import (
    ConformanceError,
    GameCounts,
    GameUnderTest,
    format_exception,
)


@dataclass(frozen=True)
class Check:
    """A check of a game."""

    name: str  # what holds if it passes
    run: Callable[[GameUnderTest], None]  # raises ConformanceError
    is_interpreted: bool = False  # runs in plain Python; nothing need be compiled
    is_required: bool = False  # if it fails, later checks are skipped

    def find_problems(self, game: GameUnderTest) -> list[str]:
        """Run the check and return the problems, one message each."""
        try:
            with np.errstate(over="ignore", divide="raise", invalid="raise"):
                self.run(game)
        except ConformanceError as error:
            return list(error.lines)
        except Exception as error:
            is_own_error = type(error).__module__.startswith("hardmode.")
            return [str(error) if is_own_error else format_exception(error)]
        return []


CHECKS = (
    Check("the declarations fit together", declarations.check_declarations, is_required=True),
    Check("the rules and strategies compile", declarations.check_compilation, is_required=True),
    Check("games come to an end", endings.check_games_end, is_required=True),
    Check(
        "at every step the contract holds",
        trace_checks.check_contract,
        is_interpreted=True,
    ),
    Check(
        "redeals differ where something is hidden",
        trace_checks.check_redeals,
        is_interpreted=True,
    ),
    Check(
        "readable records equal those that are played",
        trace_checks.check_readable_records,
        is_interpreted=True,
    ),
    Check("random games end and stay within bounds", compiled.check_random_games),
    Check("rivals are declared", endings.check_rivals),
    Check("strange boxes stay within bounds", compiled.check_unusual_boxes),
    Check("the open table reveals nothing hidden", hidden.check_hidden_information),
    Check("compiled games equal interpreted games bit for bit", compiled.check_compiled_games),
    Check("the log changes no game", compiled.check_log),
    Check("no two draws of a game share an address", compiled.check_draw_addresses),
    Check("every strategy plays legally and reproducibly", compiled.check_strategies),
    Check("search plays every game", compiled.check_search),
    Check("replays are complete and reproducible", words.check_replays),
    Check("no two options read alike", words.check_option_texts),
    Check("every label has a name", words.check_labels),
    Check("everything declared occurs", coverage.check_coverage),
)


@dataclass(frozen=True)
class CheckResult:
    """Result of one check."""

    name: str
    problems: list[str]

    @property
    def ok(self) -> bool:
        """True if there are no problems."""
        return not self.problems


@dataclass(frozen=True)
class ConformanceReport:
    """Results of all checks of one game."""

    game: str
    results: list[CheckResult]
    missing: list[str]  # optional parts that users would miss
    skipped: int  # checks after a required one that failed

    @property
    def is_sound(self) -> bool:
        """True if all checks passed."""
        return all(result.ok for result in self.results)

    def format_lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        yield f"{self.game}: {'sound' if self.is_sound else 'not sound'}"
        for result in self.results:
            yield f"  {'fine ' if result.ok else 'WRONG'}  {result.name}"
            for problem in result.problems:
                yield from (f"         {line}" for line in problem.splitlines())
        if self.skipped:
            yield f"  {self.skipped} more checks are skipped until this is repaired"
        yield from (f"  it lacks {part}" for part in self.missing)


@dataclass(frozen=True)
class CheckRequest:
    """Games to check, and the checks to run."""

    games: list[GameUnderTest]
    checks: list[Check]

    def check_game(
        self, game: GameUnderTest, progress: Callable[[str, float], object]
    ) -> ConformanceReport:
        """Run the checks of one game, until a required one fails.

        Args:
            game: The game.
            progress: Called before each check with its name and the share that is done.
        """
        results: list[CheckResult] = []
        for done, check in enumerate(self.checks):
            progress(check.name, done / len(self.checks))
            results.append(CheckResult(check.name, check.find_problems(game)))
            if check.is_required and not results[-1].ok:
                break
        is_sound = all(result.ok for result in results)
        missing = declarations.list_missing_parts(game) if is_sound else []
        return ConformanceReport(game.name, results, missing, len(self.checks) - len(results))


def select_checks(names: Sequence[str], games: int, only: str = "") -> CheckRequest:
    """Return the request that a user makes on the command line.

    Args:
        names: Names of the games; all if there are none.
        games: Number of random games; other counts are scaled.
        only: Part of the names of the checks to run.

    Raises:
        UnknownCheckError: No check has `only` in its name.
        ScenarioError: There is no game of a name.
    """
    text = only.replace("_", " ")
    checks = [check for check in CHECKS if text in check.name]
    if not checks:
        known = "; ".join(check.name for check in CHECKS)
        raise UnknownCheckError(f"no check has {only!r} in its name; there are: {known}")
    counts = GameCounts.scaled_to(games)
    return CheckRequest(
        [GameUnderTest.load(name, counts) for name in names or find_box_folders()], checks
    )


class UnknownCheckError(Exception):
    """No check has the requested name."""
