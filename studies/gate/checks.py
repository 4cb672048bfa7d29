"""What a scenario is asked: whether a cell is as it was accepted, and whether it is as it is expected to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf, isinf
from typing import Any, Protocol

from hardmode.scenarios.expect import Amounts, Band, Order
from hardmode.scenarios.expectations import slices
from hardmode.scenarios.schema import Expect
from hardmode.sim.files.yaml_io.errors import NOWHERE, ScenarioError
from hardmode.sim.results.result import versions
from hardmode.studies.gate.accept import digests
from hardmode.studies.gate.baselines import Accepted, Baseline
from hardmode.studies.gate.lazy_games import Games
from hardmode.studies.stats.betting_bounds import SEEN, Mean, Quantile
from hardmode.studies.stats.bounds import Against, Evidence, Pairs, Rate
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import interval_text, share_text
from hardmode.studies.stats.sequential import (
    CHANGED,
    EQUIVALENT,
    IDENTICAL,
    INCONCLUSIVE,
    Gate,
    Verdict,
    schedule,
    settle,
)

MARGIN = 0.01
MARGINS = tuple(m / 1000 for m in range(10, 1000, 5))
BUDGET = 20_000  # games, where no baseline says how many
REFUSED = "REFUSED"
WORST = (
    CHANGED,
    INCONCLUSIVE,
    EQUIVALENT,
    IDENTICAL,
)  # the seat that is told of, where each has its verdict


@dataclass(frozen=True)
class Finding:
    """The answer to one question, in a word and in numbers."""

    scenario: str
    cell: str
    about: str  # "baseline", or what is expected
    word: str
    text: str
    label: dict[str, Any]
    estimate: Estimate | None = None
    games: int = 0
    margin: float | None = None
    rates: tuple[float, float] | None = None  # of games won: as accepted, now
    flips: tuple[int, int] | None = None  # games gained and lost, of those played under both
    since: tuple[str, ...] = ()  # what has changed since it was accepted
    libraries: tuple[str, ...] = ()
    seconds: float = 0.0


class Question(Protocol):
    scenario: str
    cell: str
    label: dict[str, Any]

    @property
    def about(self) -> str: ...
    @property
    def looks(self) -> tuple[int, ...]: ...
    @property
    def margin(self) -> float: ...
    @property
    def sides(self) -> int: ...  # how many seats are judged, each with a share of alpha
    @property
    def untouched(self) -> bool: ...  # nothing that plays is known to have changed
    @property
    def as_accepted(
        self,
    ) -> bool: ...  # and its first games end as they did: the answer is not up to chance
    @property
    def played(self) -> Sequence[Games]: ...
    def answer(self, gate: Gate) -> Finding: ...


# As it was accepted


def margin_of(looks: Sequence[int], beta: float, asked: float | None) -> float:
    """The margin that games can hold: what was asked for, else 1 point, or more where the games are few.

    With no game won otherwise at the last look, the difference is shown to lie within it.
    """
    gate = Gate(beta=beta, looks=tuple(looks))
    level = gate.levels(len(looks) - 1)[1]
    held = (m for m in MARGINS if Pairs(looks[-1], 0, 0).within(-m, m, level))
    return asked or next(held, MARGINS[-1])  # one game holds nothing


def enough_of(looks: Sequence[int], beta: float, margin: float) -> int:
    """The games at which the difference is shown to lie within the margin where none is won otherwise."""
    gate = Gate(beta=beta, looks=tuple(looks))
    held = (
        n
        for look, n in enumerate(looks)
        if Pairs(n, 0, 0).within(-margin, margin, gate.levels(look)[1])
    )
    return next(held, looks[-1])


def looks_of(baseline: Baseline, budget: int | None) -> tuple[int, ...]:
    """Where to look: at the games whose winners are kept, then at others against the tally of all."""
    most = budget or baseline.games
    kept = tuple(n for n in baseline.looks if n <= most) or (min(most, baseline.paired),)
    more = schedule(most - baseline.paired) if most > baseline.paired else ()
    return (*kept, *(baseline.paired + n for n in more))


@dataclass
class Unmoved:
    """Whether a cell is won as often as it was when it was accepted: by each seat, where seats compete."""

    scenario: str
    cell: str
    label: dict[str, Any]
    baseline: Baseline
    accepted: Accepted
    games: Games
    fresh: Games  # others than the baseline played
    looks: tuple[int, ...]
    margin: float
    about: str = "baseline"
    enough: int = 0  # games that would do if something had changed, where that is known

    @property
    def played(self) -> Sequence[Games]:
        return self.games, self.fresh

    @property
    def quick(self) -> int:
        """So many games are played where nothing has changed: no more than where something has."""
        noted = self.enough if str(self.enough) in self.accepted.outcomes else self.baseline.quick
        return min(self.baseline.quick, noted)

    @property
    def sides(self) -> int:
        return self.games.sides

    @cached_property
    def since(self) -> tuple[str, ...]:
        """What is not as it was accepted: code, weights, numbers, players."""
        now = digests(self.games.cell)
        names = [k for k in now if now[k] != self.accepted.digests.get(k)]
        return tuple(
            n for n in names if n != "scenario" or not {"box", "strategies", "weights"} & set(names)
        )

    @cached_property
    def libraries(self) -> tuple[str, ...]:
        then, now = self.baseline.made_by, versions()
        return tuple(
            f"{k} {then[k]} -> {now[k]}" for k in then if k != "hardmode" and now.get(k) != then[k]
        )

    @property
    def untouched(self) -> bool:
        return not self.since and not self.libraries

    @property
    def as_accepted(self) -> bool:
        return self.untouched and self.quick <= self.looks[-1] and self._same(self.quick)

    def answer(self, gate: Gate) -> Finding:
        if self.as_accepted:
            proven = Estimate(0.0, 0.0, 0.0, self.quick, 1.0)
            return self._found(Verdict(IDENTICAL, proven, 0), Pairs(self.quick, 0, 0, 0))
        verdicts = settle(
            gate.looks,
            gate.judge,
            lambda n: {side: self.seen(n, side) for side in range(self.sides)},
        )
        side = min(
            verdicts,
            key=lambda s: (WORST.index(verdicts[s].word), -abs(verdicts[s].estimate.value)),
        )
        verdict = verdicts[side]
        return self._found(verdict, self.seen(gate.looks[verdict.look], side), side)

    def _same(self, n: int) -> bool:
        """Whether the first n games end as accepted in every measure, where that was noted down."""
        return self.accepted.outcomes.get(str(n)) == self.games.digest(n)

    def seen(self, n: int, side: int = 0) -> Pairs | Against:
        if n > self.baseline.paired:
            n -= self.baseline.paired
            return Against(
                self.fresh.wins(n, side), n, self.accepted.wins_of(side), self.baseline.games
            )
        was, now = self.accepted.won[side, :n], self.games.won(n, side)
        gained, lost = int((now & ~was).sum()), int((was & ~now).sum())
        return Pairs(n, gained, lost, 0 if self._same(n) else max(1, gained + lost))

    def _found(self, verdict: Verdict, seen: Pairs | Against, side: int = 0) -> Finding:
        flips = (seen.gained, seen.lost) if isinstance(seen, Pairs) else None
        was = (
            float(self.accepted.won[side, : seen.games].mean())
            if flips
            else self.accepted.wins_of(side) / self.baseline.games
        )
        now = (self.games if flips else self.fresh).wins(seen.games, side) / seen.games
        whose = (
            f"seat {side + 1}, of all {self.sides}: "
            if self.sides > 1 and verdict.word != IDENTICAL
            else ""
        )
        text = whose + self._sentence(verdict, seen, was, now, side)
        return Finding(
            self.scenario,
            self.cell,
            self.about,
            verdict.word,
            text,
            self.label,
            verdict.estimate,
            self.games.played + self.fresh.played,
            self.margin,
            (was, now),
            flips,
            self.since,
            self.libraries,
            self.games.seconds + self.fresh.seconds,
        )

    def _sentence(
        self, verdict: Verdict, seen: Pairs | Against, was: float, now: float, side: int
    ) -> str:
        n = f"{seen.games:,} games"
        wide = f", margin {points(self.margin)}" if self.margin != MARGIN else ""
        if verdict.word == IDENTICAL:
            means = (
                ""
                if verdict.estimate.confidence == 1
                else f": within {points(verdict.estimate.high)}"
            )
            return f"{n} end as accepted in every measure{means}{wide}"
        how = (
            f"{seen.gained:,} gained and {seen.lost:,} lost of {n}"
            if isinstance(seen, Pairs)
            else f"{n} against the tally of {seen.base_games:,}"
        )
        budget = "; the games are used up" if verdict.word == INCONCLUSIVE else ""
        return (
            f"{difference(verdict.estimate)}, {share_text(was)} -> {share_text(now)}{self._whole(was, side)}, "
            f"{how}{wide}{budget}"
        )

    def _whole(self, was: float, side: int) -> str:
        """The rate of the whole baseline, where the games it is judged by were won otherwise."""
        accepted = share_text(self.accepted.wins_of(side) / self.baseline.games)
        return (
            ""
            if accepted == share_text(was)
            else f" in these; all {self.baseline.games:,} accepted {accepted}"
        )


def points(x: float) -> str:
    text = f"{100 * x:.2f}".rstrip("0").rstrip(".")
    return f"{text} point{'' if text == '1' else 's'}"


def difference(e: Estimate) -> str:
    return f"{100 * e.value:+.2f} points ({100 * e.low:+.2f} .. {100 * e.high:+.2f})"


# As it is expected to be


@dataclass
class Expected:
    """Whether a value of one cell lies in its band."""

    scenario: str
    cell: str
    label: dict[str, Any]
    about: str
    band: Band
    evidence: Callable[[int], Evidence]  # of the first n games
    games: Games
    looks: tuple[int, ...]
    margin: float = MARGIN
    sides: int = 1
    untouched: bool = False
    as_accepted: bool = False

    @property
    def played(self) -> Sequence[Games]:
        return (self.games,)

    def answer(self, gate: Gate) -> Finding:
        verdict = _settled(
            gate, lambda look, n: gate.expect(look, self.evidence(n), self.band.low, self.band.high)
        )
        e = verdict.estimate
        return Finding(
            self.scenario,
            self.cell,
            self.about,
            verdict.word,
            f"{self._value(e)} in {_used(verdict)}",
            self.label,
            e,
            e.n,
            seconds=self.games.seconds,
        )

    def _value(self, e: Estimate) -> str:
        seen = self.evidence(e.n)
        if isinstance(seen, Rate):
            return interval_text(e.value, e.low, e.high)
        if isinstance(seen, Quantile):
            return f"{e.value:g} ({e.low:g} .. {e.high:g})"
        unknown = isinf(e.low) or isinf(e.high)
        hint = (
            f", its range unknown in fewer than {SEEN:,} games: say what it lies `within`"
            if unknown
            else ""
        )
        return f"{e.value:.2f} ({e.low:.2f} .. {e.high:.2f}){hint}"


@dataclass
class Ordered:
    """Whether cells are won in the order expected of them: on the same games, each step in turn."""

    scenario: str
    cell: str
    label: dict[str, Any]
    order: Order
    cells: list[Games]
    looks: tuple[int, ...]
    margin: float = MARGIN
    sides: int = 1
    untouched: bool = False
    as_accepted: bool = False

    @property
    def about(self) -> str:
        return f"order {self.order}"

    @property
    def played(self) -> Sequence[Games]:
        return self.cells

    def steps(self, n: int) -> list[Pairs]:
        won = [one.won(n) for one in self.cells]
        return [Pairs(n, int((a & ~b).sum()), int((b & ~a).sum())) for a, b in pairwise(won)]

    def answer(self, gate: Gate) -> Finding:
        verdict = _settled(gate, lambda look, n: gate.order(look, self.steps(n)))
        rates = ", ".join(share_text(one.wins(verdict.games) / verdict.games) for one in self.cells)
        text = f"{rates}; the smallest step {difference(verdict.estimate)} in {_used(verdict, ' of each')}"
        return Finding(
            self.scenario,
            self.cell,
            self.about,
            verdict.word,
            text,
            self.label,
            verdict.estimate,
            verdict.games,
            seconds=sum(one.seconds for one in self.cells),
        )


def _used(verdict: Verdict, whose: str = "") -> str:
    return f"{verdict.games:,} games{whose}" + (
        "; they are used up" if verdict.word == INCONCLUSIVE else ""
    )


def _settled(gate: Gate, judge: Callable[[int, int], Verdict | None]) -> Verdict:
    return next(v for look, n in enumerate(gate.looks) if (v := judge(look, n)))


def expected(
    scenario: str, expect: Expect, played: Sequence[Games], budget: int
) -> Iterator[Question]:
    """All that is expected of the cells of a scenario."""
    looks = schedule(budget)
    for one in played:
        cell = one.cell
        for about, band, evidence in _bands(expect, one):
            yield Expected(
                scenario, cell.label_text, cell.label, f"{about} {band}", band, evidence, one, looks
            )
    for order in expect.order:
        for rest, cells in slices(order, played, lambda one: one.cell.label):
            text = replace(cells[0].cell, label=rest).label_text
            yield Ordered(scenario, text, rest, order, cells, looks)


def _bands(expect: Expect, one: Games) -> Iterator[tuple[str, Band, Callable[[int], Evidence]]]:
    def rate_of(test: Callable[[int], Any]) -> Callable[[int], Evidence]:
        return lambda n: Rate(int(test(n).sum()), n)

    def ending(number: int) -> Callable[[int], Evidence]:
        return rate_of(lambda n: one.of("ending", n) == number)

    if expect.win_rate:
        yield "win rate", expect.win_rate, rate_of(one.won)
    for name, amounts in (("rounds", expect.rounds), ("score", expect.score)):
        if amounts:
            yield from _amounts(name, amounts, one)
    if expect.score_target:
        target = expect.score_target
        yield (
            f"score {target.score:g} or more",
            target.rate,
            rate_of(lambda n: one.of("score", n) >= target.score),
        )
    for name, band in expect.endings.items():
        number = one.cell.game.all_endings.index(name)
        yield f"ending {name}", band, ending(number)


def _amounts(
    name: str, expect: Amounts, one: Games
) -> Iterator[tuple[str, Band, Callable[[int], Evidence]]]:
    def quantile(q: float) -> Callable[[int], Evidence]:
        return lambda n: Quantile(Counter(one.of(name, n).tolist()), q)

    if expect.mean:
        yield name, expect.mean, lambda n: Mean(one.of(name, n), *_range(name, expect, one, n))
    for q, band in expect.quantiles:
        yield (
            f"median of {name}" if q == 0.5 else f"{100 * q:g}% quantile of {name}",
            band,
            quantile(q),
        )


def _range(name: str, expect: Amounts, one: Games, n: int) -> tuple[float, float]:
    """Where the amount can lie: as written, or for rounds as the game declares; unknown if games go beyond that."""
    least, most = int(one.of(name, n).min()), int(one.of(name, n).max())
    if expect.within:
        if least in expect.within and most in expect.within:
            return expect.within.low, expect.within.high
        beyond = most if most not in expect.within else least
        raise ScenarioError(
            NOWHERE, f"expect.{name}.within", f"is {expect.within}, and a game has {beyond}"
        )
    declared = one.cell.game.max_rounds
    return (0, declared) if name == "rounds" and most <= declared else (-inf, inf)
