"""The checks, in their order, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.scenarios.box import folders
from hardmode.studies.conformance import (
    compiled,
    coverage,
    declarations,
    hidden,
    trace_checks,
    words,
)
from hardmode.studies.conformance.game_under_test import Amount, Subject, Wrong, in_a_line


@dataclass(frozen=True)
class Check:
    run: Callable[[Subject], None]
    plain: bool = False  # in plain Python, where nothing need be compiled
    first: bool = False  # nothing else is worth trying where this fails

    @property
    def name(self) -> str:
        return self.run.__name__.replace("_", " ")

    def found(self, subject: Subject) -> list[str]:
        """What is wrong, in words; nothing where all is fine."""
        try:
            with np.errstate(over="ignore", divide="raise", invalid="raise"):
                self.run(subject)
        except Wrong as why:
            return list(why.lines)
        except Exception as why:
            return [str(why) if type(why).__module__.startswith("hardmode.") else in_a_line(why)]
        return []


CHECKS = (
    Check(declarations.what_is_declared_fits_together, first=True),
    Check(declarations.there_are_several_variants_to_test_in),
    Check(declarations.the_rules_and_strategies_compile, first=True),
    Check(trace_checks.at_every_step_the_contract_holds, plain=True),
    Check(trace_checks.redeals_differ_where_something_is_hidden, plain=True),
    Check(trace_checks.readable_records_are_those_that_are_played, plain=True),
    Check(compiled.random_games_end_and_stay_within_bounds),
    Check(compiled.strange_boxes_stay_within_bounds),
    Check(hidden.what_lies_open_tells_nothing_hidden),
    Check(compiled.compiled_games_are_the_plain_ones_bit_for_bit),
    Check(compiled.the_log_changes_no_game),
    Check(compiled.no_two_draws_of_a_game_share_an_address),
    Check(compiled.every_strategy_plays_legally_and_the_same_twice),
    Check(compiled.search_plays_every_game),
    Check(words.a_game_is_told_the_same_twice_and_whole),
    Check(words.no_two_options_read_alike),
    Check(words.every_label_has_a_name),
    Check(coverage.everything_declared_occurs),
)


@dataclass(frozen=True)
class CheckResult:
    name: str
    found: list[str]

    @property
    def ok(self) -> bool:
        return not self.found


@dataclass(frozen=True)
class Checked:
    """What became of the checks of one game, and what it lacks."""

    game: str
    findings: list[CheckResult]
    lacks: list[str]
    left: int  # checks that were not worth while after what was found

    @property
    def sound(self) -> bool:
        return all(finding.ok for finding in self.findings)

    def lines(self) -> Iterator[str]:
        yield f"{self.game}: {'sound' if self.sound else 'not sound'}"
        for finding in self.findings:
            yield f"  {'fine ' if finding.ok else 'WRONG'}  {finding.name}"
            yield from (
                f"         {line}" for words in finding.found for line in words.splitlines()
            )
        if self.left:
            yield f"  the other {self.left} checks wait until this is mended"
        yield from (f"  it lacks {words}" for words in self.lacks)

    def as_dict(self) -> dict[str, Any]:
        checks = [{"name": one.name, "ok": one.ok, "found": one.found} for one in self.findings]
        return {"game": self.game, "sound": self.sound, "checks": checks, "lacks": self.lacks}


@dataclass(frozen=True)
class Request:
    """Which games are checked, and for what."""

    subjects: list[Subject]
    checks: list[Check]

    def check(self, subject: Subject, progress: Callable[[str, float], object]) -> Checked:
        """Each check in turn, as far as it is worth while; `progress` is told the next, and the share that is done."""
        made: list[CheckResult] = []
        for done, one in enumerate(self.checks):
            progress(one.name, done / len(self.checks))
            made.append(CheckResult(one.name, one.found(subject)))
            if one.first and made[-1].found:
                break
        sound = all(one.ok for one in made)
        return Checked(
            subject.name,
            made,
            declarations.lacks(subject) if sound else [],
            len(self.checks) - len(made),
        )


def asked(names: Sequence[str], games: int, only: str = "") -> Request:
    """The games of these names, all where none is given; what is no game or no check is refused."""
    chosen = [one for one in CHECKS if only.replace("_", " ") in one.name]
    if not chosen:
        raise NoCheck(
            f"no check has {only!r} in its name; there are: {'; '.join(one.name for one in CHECKS)}"
        )
    return Request([Subject.named(name, Amount.of(games)) for name in names or folders()], chosen)


class NoCheck(Exception):
    """Something was asked for that is no check."""
