"""A run of the gate: checks of several scenarios that share the permitted error.

What cannot be judged is refused, with the reason; the rest is judged all the same. The permitted
error is shared by all checks that chance could get wrong, so that the run as a whole keeps it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from hardmode.scenarios.load import Scenario
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import current_backend, map_concurrently
from hardmode.sim.play.engine import RulesError
from hardmode.sim.play.player import StrategyError
from hardmode.studies.gate.baselines import Baseline, BaselineError
from hardmode.studies.gate.checks import BASELINE, REFUSED, GateCheck, GateFinding
from hardmode.studies.stats.sequential import Gate

T = TypeVar("T")
REFUSAL_ERRORS = (ScenarioError, BaselineError, StrategyError, RulesError)


@dataclass(frozen=True)
class GateConfig:
    """Settings by which a run judges.

    Attributes:
        alpha: Permitted probability that a run of an unchanged game fails.
        beta: Permitted probability that a change beyond the margin passes.
        margin: Smallest change that matters; None for 1 point, or more where games are few.
        games: The most games of a cell; None for as many as the baseline has.
        expectations_only: Do not judge against baselines.
        threads: Number of threads; 0 for one per core.
        box: The user's own box, laid over the shipped ones.
    """

    alpha: float = 0.01
    beta: float = 0.05
    margin: float | None = None
    games: int | None = None
    expectations_only: bool = False
    threads: int = 0
    box: Path | None = None


@dataclass
class ScenarioChecks:
    """All checks of a scenario."""

    scenario: Scenario
    baseline: Baseline | None
    checks: list[GateCheck]

    @property
    def independent_groups(self) -> list[list[GateCheck]]:
        """Groups of checks that play different games, and so may run at the same time."""
        return [self.checks] if self.scenario.expect else [[check] for check in self.checks]


@dataclass
class GateRun:
    """Scenarios that are judged together.

    Attributes:
        config: How the run judges.
        scenarios: The checks of each scenario.
        refused: Findings on what cannot be judged.
        notes: Remarks for the user.
        stop: Set when the run is cancelled.
    """

    config: GateConfig
    scenarios: list[ScenarioChecks] = field(default_factory=list)
    refused: list[GateFinding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def checks(self) -> list[GateCheck]:
        """The checks of all scenarios."""
        return [check for scenario in self.scenarios for check in scenario.checks]

    @property
    def max_tests(self) -> int:
        """Number of tests if everything had changed: sides judged over all checks."""
        return sum(check.judged_sides for check in self.checks)

    @cached_property
    def n_tests(self) -> int:
        """Number of tests that chance could get wrong, which share alpha.

        A cell none of whose inputs changed ends as accepted, so it needs no share of alpha. If one
        such cell plays differently all the same, something changed that has no name, and all count.
        """
        unchanged = [c for c in self.checks if _evaluate_property(c, _has_unchanged_inputs)]
        surprises: list[GateCheck] = []

        def compare_with_baseline(check: GateCheck) -> None:
            if not _evaluate_property(check, _reproduces_baseline):
                surprises.append(check)

        for _ in self._run_concurrently(compare_with_baseline, unchanged):
            if surprises:
                return self.max_tests
        return self.max_tests - sum(check.judged_sides for check in unchanged)

    def make_gate(self, check: GateCheck, sharing: int = 0) -> Gate:
        """Return the gate of a check.

        Args:
            check: The check.
            sharing: Number of tests that share alpha; by default `n_tests`.
        """
        cells = sharing or max(1, self.n_tests)
        return Gate(self.config.alpha, self.config.beta, check.margin, check.looks, cells)

    def evaluate_all(self) -> Iterator[GateFinding]:
        """Yield all findings: first what is refused, then the checks in order.

        Checks of the same games run one after the other, others at the same time.
        """
        yield from self.refused
        sharing = max(1, self.n_tests)
        findings = dict[int, list[GateFinding]]()

        def evaluate_group(group: Sequence[GateCheck]) -> None:
            findings[id(group)] = [self.evaluate_check(check, sharing) for check in group]

        groups = [group for s in self.scenarios for group in s.independent_groups]
        for group in self._run_concurrently(evaluate_group, groups):
            yield from findings.pop(id(group))

    def evaluate_check(self, check: GateCheck, sharing: int = 0) -> GateFinding:
        """Return the finding of a check; one that fails with an error is refused.

        Args:
            check: The check.
            sharing: Number of tests that share alpha; by default `n_tests`.
        """
        try:
            return check.evaluate(self.make_gate(check, sharing))
        except REFUSAL_ERRORS as error:
            return make_refusal(check.scenario, error, check.cell, check.label)
        finally:
            check.release()

    def _run_concurrently(self, work: Callable[[T], object], items: Sequence[T]) -> Iterator[T]:
        """Run whole cells at the same time, each on one thread: a cell is too short to split."""
        backend = current_backend(self.config.threads)
        parallel = 1
        if backend.concurrent_ranges == 1:
            parallel = max(1, min(backend.workers, len(items)))
        self._set_threads(backend.workers // parallel)
        self.stop.clear()
        try:
            yield from map_concurrently(work, items, parallel, self.stop)
        finally:
            self._set_threads(self.config.threads)

    def _set_threads(self, threads: int) -> None:
        for check in self.checks:
            for games in check.game_sources:
                games.threads = threads


def _has_unchanged_inputs(check: GateCheck) -> bool:
    return check.inputs_unchanged


def _reproduces_baseline(check: GateCheck) -> bool:
    return check.reproduces_baseline


def _evaluate_property(check: GateCheck, get_value: Callable[[GateCheck], bool]) -> bool:
    """Return a property of a check, or False on an error, which its finding will show."""
    try:
        return get_value(check)
    except REFUSAL_ERRORS:
        return False
    finally:
        check.release()


def make_refusal(
    scenario: str, error: Exception, cell: str = "", label: dict[str, Any] | None = None
) -> GateFinding:
    """Return the finding that a scenario or cell cannot be judged.

    Args:
        scenario: Name of the scenario.
        error: The reason.
        cell: Label of the cell as text.
        label: Label of the cell.
    """
    text = str(error).removeprefix(f"{scenario}: ")
    return GateFinding(scenario, cell, BASELINE, REFUSED, text, label or {})
