"""The answer of `check-game --switches`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.json.parts import AnswerRecord, GameCount, Value

if TYPE_CHECKING:
    from hardmode.studies.conformance.switch_coverage import SwitchCoverage, ValueCoverage


@dataclass(kw_only=True)
class ScenarioCountRecord(AnswerRecord):
    """In how many games of one scenario a value came into play."""

    scenario: str
    games: GameCount
    affected: GameCount
    diverged: GameCount


@dataclass(kw_only=True)
class SwitchValueRecord(AnswerRecord):
    """In how many games one value of a switch came into play."""

    switch: str
    default: Value
    value: Value
    games: GameCount
    affected: GameCount
    diverged: GameCount
    scenarios: list[ScenarioCountRecord]


@dataclass(kw_only=True)
class SwitchCoverageRecord(AnswerRecord):
    """The values of all switches of one game."""

    game: str
    covered: bool
    games_per_scenario: GameCount
    values: list[SwitchValueRecord]


@dataclass
class SwitchCoverageAnswer(AnswerRecord):
    """The values of all switches of several games."""

    games: list[SwitchCoverageRecord]


def build_switch_coverage_answer(measured: Sequence[SwitchCoverage]) -> SwitchCoverageAnswer:
    """Return the answer of `check-game --switches`."""
    records = []
    for coverage in measured:
        record = SwitchCoverageRecord(
            game=coverage.game,
            covered=not coverage.untested,
            games_per_scenario=coverage.games,
            values=[_encode_value(value) for value in coverage.values],
        )
        records.append(record)
    return SwitchCoverageAnswer(records)


def _encode_value(value: ValueCoverage) -> SwitchValueRecord:
    counts = []
    for count in value.counts:
        counts.append(
            ScenarioCountRecord(
                scenario=count.scenario,
                games=count.games,
                affected=count.affected,
                diverged=count.diverged,
            )
        )
    return SwitchValueRecord(
        switch=value.switch.path,
        default=value.switch.value,
        value=value.value,
        games=value.games,
        affected=value.affected,
        diverged=value.diverged,
        scenarios=counts,
    )
