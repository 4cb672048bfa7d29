"""What a gate will do before it is run: the chances of its verdicts, its games, its minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.reports import sequential
from hardmode.reports.estimates import rate as share_of
from hardmode.reports.evidence import Against, Pairs, Rate
from hardmode.reports.gate import Run
from hardmode.reports.questions import Expected, Finding, Ordered, Unmoved, points
from hardmode.reports.sequential import Gate, Row
from hardmode.reports.show import out, percent

DIFFERENCES = (0.0, 0.01, 0.02, 0.05)
SIMULATED = 20_000
SURE = 0.99


@dataclass(frozen=True)
class Group:
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
    groups: list[Group]
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
        """At most: that any cell is CHANGED if all cells play otherwise, and none is won more or less often."""
        return min(1.0, sum(g.sides * g.rows[0].changed for g in self.groups))


def foreseen(run: Run, flips: float) -> Foreseen:
    """The odds of a run in which everything is another, if a change flips this share of the games."""
    unmoved = [q for q in run.questions if isinstance(q, Unmoved)]
    alike: dict[Any, list[Unmoved]] = {}
    for q in unmoved:
        tally = q.accepted.wins if q.looks[-1] > q.baseline.paired else None
        alike.setdefault((q.looks, q.margin, q.baseline.paired, q.baseline.games, tally), []).append(q)
    groups = [_group(run, questions, flips) for questions in alike.values()]
    known = {(q.scenario, q.cell): q for q in unmoved}
    held = [_foretold(run, q, known) for q in run.questions if isinstance(q, (Expected, Ordered))]
    quick = [(q.baseline.quick, q.accepted.games_per_second) for q in unmoved]
    return Foreseen(run, flips, groups, held, sum(n for n, _ in quick), sum(n / pace for n, pace in quick) / 60)


def _group(run: Run, questions: Sequence[Unmoved], flips: float) -> Group:
    first, gate = questions[0], run.gate(questions[0], run.asked)
    rows = [odds(gate, d, max(flips, d), first.baseline.paired, first.accepted.wins, first.baseline.games)
            for d in DIFFERENCES]
    seconds = sum(1 / q.accepted.games_per_second for q in questions) / len(questions)
    return Group(tuple(dict.fromkeys(q.scenario for q in questions)), len(questions),
                 sum(q.sides for q in questions), gate, rows, seconds)


def odds(gate: Gate, difference: float, flips: float, paired: int, base_wins: int, base_games: int) -> Row:
    """The odds of one cell: exact where all games are paired, else by simulating the gate."""
    if gate.looks[-1] <= paired:
        return sequential.plan(gate, [difference], discordance=flips)[0]
    stops = _simulated(gate, difference, flips, paired, base_wins / base_games, base_games)
    equivalent, changed = (float(x) for x in stops.sum(axis=0))
    undecided = max(0.0, 1 - equivalent - changed)
    games = float(stops.sum(axis=1) @ np.array(gate.looks)) + undecided * gate.looks[-1]
    errors = [share_of(round(p * SIMULATED), SIMULATED, 0.99).half_width for p in (changed, equivalent, undecided)]
    return Row(difference, changed, equivalent, undecided, games, gate.looks[-1], max(errors))


def _simulated(gate: Gate, d: float, flips: float, paired: int, rate: float, base_games: int) -> Any:
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
            counts += draw.multinomial(n - before, (*chances, max(0.0, 1 - sum(chances))), SIMULATED)
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
    ending = next((n for name, n in accepted.endings.items() if q.about == f"ending {name} {q.band}"), None)
    count = accepted.wins if q.about == f"win rate {q.band}" else ending
    if count is None:
        return Foretold(q.scenario, q.cell, q.about, None)
    met, missed, mean_games = expectation(run.gate(q, run.asked), q.band.low, q.band.high, count / games)
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


# Told


def show(f: Foreseen) -> None:
    terms = f.run.terms
    asked, held = f.run.asked, len(f.run.subjects)
    out.print(f"Scenarios: {held}; questions that share alpha {terms.alpha:.2%}: {asked}; beta {terms.beta:.2%}",
              soft_wrap=True)
    if f.groups:
        out.print(f"\nNothing changed: IDENTICAL, fails in 0 of 100 runs; {f.quick_games:,} games, "
                  f"{minutes(f.quick_minutes)}")
    for group in f.groups:
        _show_group(group, f.flips)
    _show_expectations(f.expectations)
    if f.groups:
        _show_total(f)
    for finding in f.refused:
        out.print(f"{finding.word}  {finding.scenario}: {finding.said}", soft_wrap=True, markup=False, style="red")


def _show_group(group: Group, flips: float) -> None:
    names = ", ".join(group.scenarios[:6]) + (f" and {len(group.scenarios) - 6} more" if group.scenarios[6:] else "")
    each = f"each of {group.cells} cells" if group.cells > 1 else "one cell"
    each = f"each seat of {each}" if group.sides > group.cells else each
    out.print(f"\n{names} ({each}), margin {points(group.gate.margin)}, when a change flips {percent(flips)} of the "
              f"games:", soft_wrap=True, markup=False)
    table, error = sequential.told(group.rows).rsplit("\n", 1)
    head, *rows = table.splitlines()
    out.print(f"{head}  time (at most)", markup=False, soft_wrap=True)
    most = minutes(group.gate.looks[-1] * group.seconds_per_game / 60)
    for line, row in zip(rows, group.rows, strict=True):
        out.print(f"{line}  {minutes(row.games * group.seconds_per_game / 60)} ({most})", markup=False, soft_wrap=True)
    out.print(error, markup=False)


def _show_expectations(found: Sequence[Foretold]) -> None:
    """One line each; of many cells that are asked the same, only of those not all but sure to be MET."""
    alike: dict[tuple[str, str], list[Foretold]] = {}
    for held in found:
        alike.setdefault((held.scenario, held.about), []).append(held)
    for (scenario, about), group in alike.items():
        told = [held for held in group if held.rate is not None and held.met < SURE] if group[2:] else group
        if len(told) < len(group):
            out.print(f"{scenario}, {about}: {len(group) - len(told)} cells that are all but sure to be MET, or of "
                      "which nothing is known", soft_wrap=True, markup=False)
        for held in told:
            out.print(_said(held), soft_wrap=True, markup=False)


def _show_total(f: Foreseen) -> None:
    out.print(f"\nAll cells play otherwise, none is won more or less often: the run fails in at most "
              f"{f.false_alarm:.2%}.", soft_wrap=True)
    for d in DIFFERENCES:
        games, spent = f.total(d)
        out.print(f"All cells differ by {points(d)}: {games:,.0f} games on average, {minutes(spent)}.", soft_wrap=True)
    games, spent = f.largest
    out.print(f"At most {games:,} games, {minutes(spent)} (at the pace they were accepted at).", soft_wrap=True)


def _said(held: Foretold) -> str:
    where = f"{held.scenario}{f' [{held.cell}]' if held.cell else ''}, {held.about}"
    if held.rate is None:
        return f"{where}: its odds are not known beforehand"
    rest = max(0.0, 1 - held.met - held.missed)
    return (f"{where}, if it is {percent(held.rate)} as accepted: MET {held.met:.2%}, MISSED {held.missed:.2%}, "
            f"INCONCLUSIVE {rest:.2%}, {held.games:,.0f} games on average")


def minutes(x: float) -> str:
    return f"{x:.1f} min" if x >= 1 else f"{60 * x:.1f} s"


def as_dict(f: Foreseen) -> dict[str, Any]:
    return {
        "alpha": f.run.terms.alpha, "beta": f.run.terms.beta, "flips": f.flips, "questions": len(f.run.questions),
        "unchanged": {"fails": 0.0, "games": f.quick_games, "minutes": f.quick_minutes},
        "groups": [{"scenarios": list(g.scenarios), "cells": g.cells, "sides": g.sides, "margin": g.gate.margin,
                    "looks": list(g.gate.looks), "rows": [vars(r) for r in g.rows],
                    "seconds_per_game": g.seconds_per_game} for g in f.groups],
        "expectations": [vars(e) for e in f.expectations],
        "all_differ_by": [{"difference": d, "games": f.total(d)[0], "minutes": f.total(d)[1]} for d in DIFFERENCES],
        "false_alarm_at_most": f.false_alarm, "largest": {"games": f.largest[0], "minutes": f.largest[1]},
        "refused": [{"scenario": x.scenario, "said": x.said} for x in f.refused]}
