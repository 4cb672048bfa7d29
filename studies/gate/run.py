"""The gate: did this change move the game? Scenarios are held to their baselines and expectations.

What cannot be judged is refused, with the reason; the rest is judged all the same. The permitted error is
shared by all questions of a run that chance could answer wrongly, so that a run as a whole keeps it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from hardmode.scenarios.load import Scenario, files, load
from hardmode.sim.draws import SCHEME
from hardmode.sim.files.paths import short_path
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import crew, side_by_side
from hardmode.sim.play.engine import RulesError, StrategyError
from hardmode.studies.gate import baselines
from hardmode.studies.gate.accept import plain
from hardmode.studies.gate.baselines import Baseline, BaselineError
from hardmode.studies.gate.checks import (
    BUDGET,
    REFUSED,
    Finding,
    Question,
    Unmoved,
    enough_of,
    expected,
    looks_of,
    margin_of,
)
from hardmode.studies.gate.lazy_games import Games
from hardmode.studies.stats.sequential import Gate

T = TypeVar("T")
UNUSABLE = (ScenarioError, BaselineError, StrategyError, RulesError)


@dataclass(frozen=True)
class Terms:
    """How a run judges: the permitted errors, the margin (None: 1 point, or what few games can hold), and
    the most games of a cell (None: as many as the baseline has)."""

    alpha: float = 0.01
    beta: float = 0.05
    margin: float | None = None
    games: int | None = None
    expectations_only: bool = False
    threads: int = 0
    box: Path | None = None  # of one's own, laid over the shipped ones


@dataclass
class HeldScenario:
    """A scenario with what was accepted of it, and all that it is asked."""

    scenario: Scenario
    baseline: Baseline | None
    questions: list[Question]

    @property
    def parts(self) -> list[list[Question]]:
        """Those that are asked of other games than the others."""
        return (
            [self.questions]
            if self.scenario.expect
            else [[question] for question in self.questions]
        )


@dataclass
class Run:
    """All that is judged together."""

    terms: Terms
    subjects: list[HeldScenario] = field(default_factory=list)
    refused: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stop: threading.Event = field(
        default_factory=threading.Event
    )  # nobody waits for answers any more

    @property
    def questions(self) -> list[Question]:
        return [q for s in self.subjects for q in s.questions]

    @cached_property
    def at_stake(self) -> int:
        """The answers that chance could get wrong, one for each seat that is judged. A cell of which nothing
        has changed since it was accepted ends as accepted, so it needs no share of alpha. Where one plays otherwise
        all the same, something has changed that cannot be named, and all are at stake."""
        untouched = [question for question in self.questions if self._is(question, "untouched")]
        otherwise: list[Question] = []

        def look(question: Question) -> None:
            if not self._is(question, "as_accepted"):
                otherwise.append(question)

        for _ in self._side_by_side(look, untouched):
            if otherwise:
                return self.asked
        return self.asked - sum(question.sides for question in untouched)

    @property
    def asked(self) -> int:
        """Answers that chance could get wrong if everything had changed since it was accepted."""
        return sum(question.sides for question in self.questions)

    @staticmethod
    def _is(question: Question, what: str) -> bool:
        try:
            return bool(getattr(question, what))
        except UNUSABLE:  # its answer will say so
            return False
        finally:
            _rest(question)

    def gate(self, question: Question, sharing: int = 0) -> Gate:
        """The gate of one question; alpha is shared by those at stake, or by as many as said."""
        return Gate(
            self.terms.alpha,
            self.terms.beta,
            question.margin,
            question.looks,
            sharing or max(1, self.at_stake),
        )

    def findings(self) -> Iterator[Finding]:
        """The answers, one after the other; what is refused comes first. What is asked of the same games is asked in
        turn."""
        yield from self.refused
        sharing, answers = max(1, self.at_stake), dict[int, list[Finding]]()

        def answer(asked: Sequence[Question]) -> None:
            answers[id(asked)] = [self.answer(question, sharing) for question in asked]

        for asked in self._side_by_side(answer, [part for s in self.subjects for part in s.parts]):
            yield from answers.pop(id(asked))

    def _side_by_side(self, work: Callable[[T], object], asked: Sequence[T]) -> Iterator[T]:
        """A cell takes a fraction of a second, too little to share: each thread has one of its own, while there are
        enough."""
        present = crew(self.terms.threads)
        abreast = max(1, min(present.size, len(asked))) if present.abreast == 1 else 1
        self._share(present.size // abreast)
        self.stop.clear()
        try:
            yield from side_by_side(work, asked, abreast, self.stop)
        finally:
            self._share(self.terms.threads)

    def _share(self, threads: int) -> None:
        for question in self.questions:
            for games in question.played:
                games.threads = threads

    def answer(self, question: Question, sharing: int = 0) -> Finding:
        try:
            return question.answer(self.gate(question, sharing))
        except UNUSABLE as why:
            return _refused(question.scenario, why, question.cell, question.label)
        finally:
            _rest(question)


def _rest(question: Question) -> None:
    for games in question.played:
        games.rest()


def prepare(names: Sequence[str], terms: Terms) -> Run:
    """The run that holds these scenarios, or all shipped ones with a baseline; nothing is played yet."""
    run = Run(terms)
    for name in dict.fromkeys(names) if names else _shipped(run):
        try:
            subject = _subject(name, run)
            if names and not subject.questions:
                raise BaselineError("it has no `expect:`, so there is nothing to hold it to")
        except UNUSABLE as why:
            run.refused.append(_refused(name, why))
            continue
        if all(s.scenario.file.resolve() != subject.scenario.file.resolve() for s in run.subjects):
            run.subjects.append(subject)
            if subject.scenario.own:
                run.notes.append(f"{subject.scenario.name} is played {subject.scenario.own.text}")
    if not run.questions and not run.refused:
        run.refused.append(
            _refused("all shipped", BaselineError("nothing is expected of any shipped scenario"))
        )
    return run


def _refused(
    name: str, why: Exception, cell: str = "", label: dict[str, Any] | None = None
) -> Finding:
    return Finding(name, cell, "baseline", REFUSED, str(why).removeprefix(f"{name}: "), label or {})


def _shipped(run: Run) -> list[str]:
    """All shipped scenarios with a baseline, and baselines whose scenario is gone."""
    if run.terms.box:
        run.refused.append(
            _refused("--box", BaselineError("say which scenarios are played with this box"))
        )
        return []
    known = files()
    if run.terms.expectations_only:
        return list(known)
    held = [name for name, file in known.items() if baselines.place(file).exists()]
    without = len(known) - len(held)
    if without and held:
        run.notes.append(
            f"{without} shipped scenario{'s have' if without > 1 else ' has'} no baseline"
        )
    if not held:
        run.refused.append(
            _refused(
                "all shipped",
                BaselineError(
                    'no shipped scenario has a baseline; hardmode accept --all-shipped --reason "..." records them'
                ),
            )
        )
    for folder in {file.parent for file in known.values()}:
        for orphan in sorted((folder / baselines.FOLDER).glob(f"*{baselines.ENDING}")):
            if not any(file.exists() for file in baselines.scenarios_of(orphan)):
                gone = BaselineError("its scenario is gone; remove the baseline")
                run.refused.append(_refused(short_path(orphan), gone))
    return held


def _subject(name: str, run: Run) -> HeldScenario:
    terms = run.terms
    scenario = load(name, box=terms.box)
    place = baselines.place(scenario.file, terms.box)
    asked = f"{scenario.name} --box {terms.box}" if terms.box else scenario.name
    baseline = None if terms.expectations_only else baselines.read(place, asked)
    if baseline:
        _fits(scenario, baseline)
    seed = baseline.seed if baseline else scenario.seed if scenario.seed is not None else 1
    played = [Games(cell, seed, stop=run.stop) for cell in scenario.cells]
    questions: list[Question] = []
    if baseline:
        questions += _unmoved(scenario, baseline, played, run)
    if scenario.expect:
        budget = terms.games or (baseline.paired if baseline else scenario.games or BUDGET)
        questions += expected(scenario.name, scenario.expect, played, budget)
    return HeldScenario(scenario, baseline, questions)


def _unmoved(
    scenario: Scenario, baseline: Baseline, played: Sequence[Games], run: Run
) -> Iterator[Question]:
    looks = looks_of(baseline, run.terms.games)
    margin = margin_of(baseline.looks, run.terms.beta, run.terms.margin)
    enough = enough_of(baseline.looks, run.terms.beta, margin)
    for one, accepted in zip(played, baseline.cells, strict=True):
        fresh = Games(one.cell, baseline.seed, first=baseline.games, stop=run.stop)
        yield Unmoved(
            scenario.name,
            one.cell.label_text,
            one.cell.label,
            baseline,
            accepted,
            one,
            fresh,
            looks,
            margin,
            enough=enough,
        )


def _fits(scenario: Scenario, baseline: Baseline) -> None:
    """Whether games of now can be laid beside those accepted."""
    game, anew = scenario.game, f'hardmode accept {scenario.name} --reason "..." records a new one'
    if baseline.game != game.name:
        raise BaselineError(
            f"the baseline is of the game {baseline.game}, the scenario of {game.name}; {anew}"
        )
    if baseline.scheme != SCHEME:
        raise BaselineError(
            f"the baseline was drawn by scheme {baseline.scheme}, this version draws by {SCHEME}: "
            f"no game can be the same; {anew}"
        )
    if baseline.version != game.version:
        raise BaselineError(
            f"the baseline is of rules version {baseline.version}, the rules are version "
            f"{game.version}: they are declared to play differently; {anew}"
        )
    then, now = baseline.cells, [(plain(cell.label), cell.label_text) for cell in scenario.cells]
    if [c.label for c in then] != [label for label, _ in now]:
        new = [text for label, text in now if label not in [c.label for c in then]]
        gone = [c.cell for c in then if c.label not in [label for label, _ in now]]
        what = [
            *(f"{c or 'the one cell'} has no baseline" for c in new[:3]),
            *(f"{c or 'the one cell'} of the baseline is gone" for c in gone[:3]),
        ]
        raise BaselineError(
            f"the cells are not those accepted: {', '.join(what) or 'another order'}; {anew}"
        )
