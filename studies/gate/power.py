"""What a gate will do before it is run: the chances of its verdicts, its games, its minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.studies.gate.checks import Expected, Finding, Ordered, Unmoved
from hardmode.studies.gate.run import Run
from hardmode.studies.stats import sequential
from hardmode.studies.stats.bounds import Against, Pairs, Rate
from hardmode.studies.stats.estimates import rate as share_of
from hardmode.studies.stats.sequential import Gate, Row

DIFFERENCES = (0.0, 0.01, 0.02, 0.05)
SIMULATED = 20_000
SURE = 0.99


@dataclass(frozen=True)
class AlikeCells:
    """Cells that are judged alike: the odds of one of them."""

    scenarios: tuple[str, ...]
    cells: int
    sides: int  # that are judged: in each cell one, or every seat where seats compete
    gate: Gate
    rows: list[Row]
    seconds_per_game: float  # on average over the cells


@dataclass(frozen=True)
class Foretold:
    """The odds of an expectation if the rate is what was accepted, or of one about which none are known."""

    scenario: str
    cell: str
    about: str
    rate: float | None
    met: float = 0.0
    missed: float = 0.0
    games: float = 0.0


@dataclass(frozen=True)
class Foreseen:
    run: Run
    flips: float
    groups: list[AlikeCells]
    expectations: list[Foretold]
    quick_games: int  # of all cells, when nothing changed
    quick_minutes: float

    @property
    def refused(self) -> list[Finding]:
        return self.run.refused

    def total(self, difference: float) -> tuple[float, float]:
        """Games and minutes if every cell differs by so much."""
        found = [(g, r) for g in self.groups for r in g.rows if r.difference == difference]
        games = [(g.cells * r.games, g.seconds_per_game) for g, r in found]
        return sum(n for n, _ in games), sum(n * s for n, s in games) / 60

    @property
    def largest(self) -> tuple[int, float]:
        games = [(g.cells * g.gate.looks[-1], g.seconds_per_game) for g in self.groups]
        return sum(n for n, _ in games), sum(n * s for n, s in games) / 60

    @property
    def false_alarm(self) -> float:
        """At most: that any cell is CHANGED if every cell plays differently, yet none is won more or less often."""
        return min(1.0, sum(g.sides * g.rows[0].changed for g in self.groups))


def foreseen(run: Run, flips: float) -> Foreseen:
    """The odds of a run in which everything has changed, if a change flips this share of the games."""
    unmoved = [q for q in run.questions if isinstance(q, Unmoved)]
    alike: dict[Any, list[Unmoved]] = {}
    for q in unmoved:
        tally = q.accepted.wins if q.looks[-1] > q.baseline.paired else None
        alike.setdefault(
            (q.looks, q.margin, q.baseline.paired, q.baseline.games, tally), []
        ).append(q)
    groups = [_group(run, questions, flips) for questions in alike.values()]
    known = {(q.scenario, q.cell): q for q in unmoved}
    held = [_foretold(run, q, known) for q in run.questions if isinstance(q, (Expected, Ordered))]
    quick = [(q.quick, q.accepted.games_per_second) for q in unmoved]
    return Foreseen(
        run, flips, groups, held, sum(n for n, _ in quick), sum(n / pace for n, pace in quick) / 60
    )


def _group(run: Run, questions: Sequence[Unmoved], flips: float) -> AlikeCells:
    first, gate = questions[0], run.gate(questions[0], run.asked)
    rows = [
        odds(
            gate, d, max(flips, d), first.baseline.paired, first.accepted.wins, first.baseline.games
        )
        for d in DIFFERENCES
    ]
    seconds = sum(1 / q.accepted.games_per_second for q in questions) / len(questions)
    return AlikeCells(
        tuple(dict.fromkeys(q.scenario for q in questions)),
        len(questions),
        sum(q.sides for q in questions),
        gate,
        rows,
        seconds,
    )


def odds(
    gate: Gate, difference: float, flips: float, paired: int, base_wins: int, base_games: int
) -> Row:
    """The odds of one cell: exact where all games are paired, else by simulating the gate."""
    if gate.looks[-1] <= paired:
        return sequential.plan(gate, [difference], discordance=flips)[0]
    stops = _simulated(gate, difference, flips, paired, base_wins / base_games, base_games)
    equivalent, changed = (float(x) for x in stops.sum(axis=0))
    undecided = max(0.0, 1 - equivalent - changed)
    games = float(stops.sum(axis=1) @ np.array(gate.looks)) + undecided * gate.looks[-1]
    errors = [
        share_of(round(p * SIMULATED), SIMULATED, 0.99).half_width
        for p in (changed, equivalent, undecided)
    ]
    return Row(difference, changed, equivalent, undecided, games, gate.looks[-1], max(errors))


def _simulated(
    gate: Gate, d: float, flips: float, paired: int, rate: float, base_games: int
) -> Any:
    """Gates that look at pairs first, then at other games against the tally of which the pairs are a part."""
    draw = np.random.default_rng((1, round(1e6 * d)))
    rate = min(max(rate, (flips - d) / 2), 1 - (flips + d) / 2)
    chances = ((flips + d) / 2, (flips - d) / 2, rate - (flips - d) / 2)
    counts = np.zeros((SIMULATED, 4), np.int64)
    base, wins = draw.binomial(base_games - paired, rate, SIMULATED), np.zeros(SIMULATED, np.int64)
    stops, is_open, before = np.zeros((len(gate.looks), 2)), np.ones(SIMULATED, bool), 0
    for look, n in enumerate(gate.looks):
        seen: Pairs | Against
        if n <= paired:
            counts += draw.multinomial(
                n - before, (*chances, max(0.0, 1 - sum(chances))), SIMULATED
            )
            seen = Pairs(n, counts[:, 0], counts[:, 1])
        else:
            wins += draw.binomial(n - before, min(max(rate + d, 0.0), 1.0), SIMULATED)
            seen = Against(wins, n - paired, base + counts[:, 1] + counts[:, 2], base_games)
        before = n
        within, changed = gate.zones(look, seen)
        stops[look] = (within & is_open).sum(), (changed & ~within & is_open).sum()
        is_open &= ~(within | changed)
    return stops / SIMULATED


def _foretold(run: Run, q: Expected | Ordered, known: dict[tuple[str, str], Unmoved]) -> Foretold:
    """Exact, for the rates that a baseline knows: games won, endings."""
    held = known.get((q.scenario, q.cell))
    if not held or isinstance(q, Ordered):
        return Foretold(q.scenario, q.cell, q.about, None)
    accepted, games = held.accepted, held.baseline.games
    ending = next(
        (n for name, n in accepted.endings.items() if q.about == f"ending {name} {q.band}"), None
    )
    count = accepted.wins if q.about == f"win rate {q.band}" else ending
    if count is None:
        return Foretold(q.scenario, q.cell, q.about, None)
    met, missed, mean_games = expectation(
        run.gate(q, run.asked), q.band.low, q.band.high, count / games
    )
    return Foretold(q.scenario, q.cell, q.about, count / games, met, missed, mean_games)


def expectation(gate: Gate, low: float, high: float, p: float) -> tuple[float, float, float]:
    """The chances of MET and MISSED for a rate of p, and the games on average: exactly, carrying the
    distribution of the wins from look to look, the settled part taken out."""
    from scipy.signal import fftconvolve
    from scipy.stats import binom

    mass, first, before = np.ones(1), 0, 0
    met = missed = games = 0.0
    for look, n in enumerate(gate.looks):
        low_k, high_k = (int(binom.ppf(q, n - before, p)) for q in (1e-14, 1 - 1e-14))
        step = binom.pmf(np.arange(low_k, high_k + 1), n - before, p)
        games += mass.sum() * (n - before)
        mass, first, before = np.maximum(fftconvolve(mass, step), 0), first + low_k, n
        seen, (a, b) = Rate(np.arange(first, first + len(mass)), n), gate.levels(look)
        within = seen.within(low, high, b)
        outside = seen.outside(low, high, a / 2) & ~within
        met, missed = met + float(mass[within].sum()), missed + float(mass[outside].sum())
        mass = np.where(within | outside, 0, mass)
    return met, missed, float(games)
