"""What the assumptions decide: the band of the headline over all that is not known, and which of it decides.

Whole boxes are drawn (`unknowns`), two to a row. First the boxes themselves are played, in every cell: they give the
band, and how firm conclusions are. Then each group of the box is exchanged between the two boxes of a row, and then
each single number of the groups that decide: those are chosen by the rows so far and measured on fresh ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.play.run import Played, Runner
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.budget import Clock, Limit, Turns
from hardmode.studies.core.metric import win_rate
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.reference_players import by_steady, studied
from hardmode.studies.core.run import Effort, engine, players
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import Share
from hardmode.studies.uncertainty.box_evaluator import BoxCells, Seated
from hardmode.studies.uncertainty.design import (
    LEAST_EXCHANGED,
    LEAST_ROWS,
    MOST_ROWS,
    BoxPair,
    BoxPairs,
    of_cell,
)
from hardmode.studies.uncertainty.priors import Unknowns
from hardmode.studies.uncertainty.robustness import Firm, firm, judged
from hardmode.studies.uncertainty.sobol_from_halves import DoubtBand, Frozen, band

SECONDS = 115.0  # two minutes with what the last row takes
HEADLINE, BOXES, GROUPED, SINGLE, STEADY = (
    0.07,
    0.40,
    0.65,
    0.85,
    1.0,
)  # the share of the time at which each part ends
GAMES, BLOCK, HALF = (
    100_000,
    2000,
    25,
)  # of the scenario's own box, the most and at a time; of half a box, by turns
LEADING, DECIDES = 4, 0.03  # groups whose numbers are looked at, and the least share of one
NUMBERS = 10  # single numbers that are looked at
QUARTERS = [0.25, 0.5, 0.75]


@dataclass(frozen=True)
class DoubtfulPart:
    """A group of the box, or a single number: what it decides, and the band that is left when it is known."""

    path: str
    numbers: int
    share: Share
    knowing: dict[int, float]


@dataclass
class Doubts:
    scenario: Scenario
    cell: Variant  # as it is played
    seed: int
    confidence: float
    headline: Estimate  # of the box as it is assumed
    unknown: int  # numbers that were drawn
    staying: list[str]  # that are assumed, and stay as they are
    games: int  # of each box
    impossible: int = 0  # boxes that were drawn again
    band: DoubtBand | None = None  # nothing where nothing is assumed
    groups: list[DoubtfulPart] = field(default_factory=list)
    numbers: list[DoubtfulPart] = field(default_factory=list)
    rows: tuple[int, int] = (0, 0)  # of two boxes each: for groups, and for numbers
    firm: list[Firm] = field(default_factory=list)
    steady: tuple[Estimate, DoubtBand] | None = (
        None  # the headline and its band where `steady` plays
    )
    interrupted: bool = False

    def decisive(self, least: float) -> list[str]:
        """The single numbers that decide so much, together with all else, those that decide most first."""
        return [part.path for part in self.numbers if part.share.total.value >= least]


def doubts(
    scenario: Scenario,
    effort: Effort | None = None,
    seconds: float = SECONDS,
    asked: Sequence[str] = (),
    progress: Progress = silent,
    turns: int | None = None,
) -> Doubts:
    """Weigh all that is not known of a scenario; `asked` are the strategies that somebody asked for. With so many
    `turns` for each part, in place of `seconds`, nothing depends on the machine."""
    effort = (effort or Effort(GAMES)).on(scenario)
    cells = judged(scenario)
    seats, unknowns = [studied(cell, asked) for cell in cells], Unknowns(cells)
    steady = by_steady(seats[0])
    clock = (
        Turns(turns, progress) if turns else Clock(seconds, progress, STEADY if steady else SINGLE)
    )
    table = BoxCells(
        [Seated(cell, players(seat)) for cell, seat in zip(cells, seats, strict=True)],
        effort,
        HALF if turns else 0,
    )
    own = _played(seats[0], effort, clock, HEADLINE)
    made = Doubts(
        scenario,
        seats[0],
        effort.seed,
        effort.confidence,
        win_rate(own.tally, effort.confidence),
        len(unknowns.drawn),
        unknowns.staying,
        2 * table.half,
        interrupted=own.interrupted,
    )
    if unknowns.drawn and not made.interrupted:
        _weigh(made, BoxPairs(table, unknowns, effort.seed), clock)
    if steady and made.band and not made.interrupted:
        made.steady = _beside(
            BoxCells([Seated(cells[0], players(steady))], effort, HALF if turns else 0),
            steady,
            unknowns,
            clock,
        )
    return made


def _weigh(made: Doubts, rows: BoxPairs, clock: Limit) -> None:
    """What rows of boxes tell, in the order in which it is led with; when somebody stops it, what is known so far."""
    played = rows.until(clock, "plausible boxes", BOXES)
    made.impossible, made.interrupted = rows.impossible, rows.interrupted
    if len(played) < LEAST_ROWS:
        return
    made.band = band(of_cell(played, 0), made.confidence)
    made.firm = firm(made.scenario, played, made.confidence)
    try:
        if not made.interrupted:
            _who_decides(made, rows, played, clock)
    except KeyboardInterrupt:
        made.interrupted = True
    made.impossible = rows.impossible


def _who_decides(made: Doubts, rows: BoxPairs, played: Sequence[BoxPair], clock: Limit) -> None:
    """The groups, and then the numbers of those that lead; a group of one number is that number."""
    groups = rows.unknowns.groups
    found = _exchanged(rows, played, groups, clock, "groups", GROUPED)
    made.groups, made.rows = _parts(made, groups, found), (found.rows, 0)
    made.numbers = [replace(p, path=groups[p.path][0]) for p in made.groups if p.numbers == 1]
    chosen = {path: [path] for path in _chosen(made.groups, rows.unknowns, played)}
    if chosen:
        found = _exchanged(rows, [], chosen, clock, "single numbers", SINGLE)
        made.numbers = _ranked([*made.numbers, *_parts(made, chosen, found)])
        made.rows = made.rows[0], found.rows


def _exchanged(
    rows: BoxPairs,
    known: Sequence[BoxPair],
    parts: Mapping[str, Sequence[str]],
    clock: Limit,
    what: str,
    until: float,
) -> Frozen:
    """Rows with each part exchanged: those that are known first, then new ones, until the time is over."""
    found = Frozen(len(parts))
    for row, mixes in rows.exchanged(
        chain(known, rows.played(everywhere=False)), list(parts.values())
    ):
        found.add(row.won_a[:, 0], row.won_b[:, 0], mixes)
        if found.rows >= MOST_ROWS or (clock.over(what, until) and found.rows >= LEAST_EXCHANGED):
            break
    return found


def _parts(made: Doubts, parts: Mapping[str, Sequence[str]], found: Frozen) -> list[DoubtfulPart]:
    assert made.band
    return _ranked(
        [
            DoubtfulPart(path, len(paths), share, made.band.narrowed(share.first.value))
            for (path, paths), share in zip(
                parts.items(), found.shares(made.confidence), strict=True
            )
        ]
    )


def _ranked(parts: Sequence[DoubtfulPart]) -> list[DoubtfulPart]:
    return sorted(parts, key=lambda p: -p.share.total.value)


def _chosen(
    found: Sequence[DoubtfulPart], unknowns: Unknowns, rows: Sequence[BoxPair]
) -> list[str]:
    """The numbers of the leading groups that go with the win rate most, by the boxes that were played."""
    leading = {p.path for p in found[:LEADING] if p.share.total.value >= DECIDES and p.numbers > 1}
    won = of_cell(rows, 0).mean(axis=1)
    drawn = [box for row in rows for box in (row.a, row.b)]
    told = {
        one.path: goes_with([one.code(box[one.path]) for box in drawn], won)
        for one in unknowns.drawn
        if one.group in leading
    }
    return sorted(told, key=lambda path: -told[path])[:NUMBERS]


def goes_with(values: Sequence[Any], won: np.ndarray) -> float:
    """The share of the variance of the outcome that lies between values, or quarters of them; by chance 0."""
    codes = np.unique(np.array(values), return_inverse=True)[1]
    if codes.max() > len(QUARTERS):
        codes = np.searchsorted(np.quantile(codes, QUARTERS), codes)
    sizes = np.bincount(codes)
    means = np.bincount(codes, won) / np.maximum(sizes, 1)
    between = (sizes * (means - won.mean()) ** 2).sum() / (len(won) * won.var() or 1.0)
    return float(between - (np.count_nonzero(sizes) - 1) / (len(won) - 1))


def _played(cell: Variant, effort: Effort, clock: Limit, share: float, who: str = "") -> Played:
    """The scenario's own box, until a share of the time is over or somebody stops it."""
    made = engine(cell)
    runner, played = Runner(made, effort.seed, threads=effort.threads), Played(Tally(made.game))
    while not played.interrupted:
        runner.run(played, min(BLOCK, effort.games), first=played.games)
        if clock.over(f"the box as it is assumed{who}", share) or played.games >= effort.games:
            break
    if not played.games:
        raise KeyboardInterrupt  # nothing is known
    return played


def _beside(
    table: BoxCells, seat: Variant, unknowns: Unknowns, clock: Limit
) -> tuple[Estimate, DoubtBand] | None:
    """The headline and its band with `steady` in the place of who is trained."""
    own = _played(seat, table.effort, clock, (SINGLE + STEADY) / 2, ", by steady")
    if own.interrupted:
        return None
    headline = win_rate(own.tally, table.effort.confidence)
    played = BoxPairs(table, unknowns, table.effort.seed).until(
        clock, "plausible boxes, by steady", STEADY
    )
    return (
        (headline, band(of_cell(played, 0), table.effort.confidence))
        if len(played) >= LEAST_ROWS
        else None
    )
