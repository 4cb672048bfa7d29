"""How good is what training found? Measured beside the start, on luck that had no part in training or in choosing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.evaluation import (
    SCORE,
    SEAT_SHARE,
    WHOLE,
    WORST,
    Lineup,
    Outcomes,
    Weights,
)
from hardmode.studies.training.optimizer import (
    CHOOSE,
    CHOSEN,
    MEASURE,
    MEASURED,
    SHORT,
    STEADY,
    TRAIN,
    TrainingRun,
)

POOL = "the pool"
START, FOUND = 0, 1


@dataclass(frozen=True)
class Measured:
    start: Estimate  # shares won
    found: Estimate
    gain: Estimate  # the difference of these two
    change: Estimate | None  # the gain in something else, where that decides
    changed: str  # what that is
    overfit: Estimate  # the share won in games trained on, less that in others
    against: dict[str, Estimate]  # head to head: the share of all wins
    dead: list[str]  # weights that change no outcome
    games: int

    @property
    def sought(self) -> Estimate:
        """The gain by which what was found is judged."""
        return self.change or self.gain


def measure(training: TrainingRun, found: Weights) -> Measured:
    """Play the start and what was found on the same games, and look at what was found from other sides."""
    pair, asked = [training.space.start, found], training.asked
    games = MEASURED * training.each
    held = training.play(pair, MEASURE, 0, games)
    cells = _judged(training, pair)
    won = [held.won[i, cell].ravel().astype(np.int64) for i, cell in enumerate(cells)]
    start, end = (estimates.rate(int(w.sum()), w.size, asked.confidence) for w in won)
    change, changed = _change(training, held, cells, won)
    return Measured(
        start,
        end,
        _gain(won[START], won[FOUND], asked.confidence),
        change,
        changed,
        _overfit(training, found, held),
        _against(training, found),
        _dead(training, found),
        won[START].size,
    )


def _judged(training: TrainingRun, pair: Sequence[Weights]) -> list[slice]:
    """By which cells each is judged: by all, or by that which was its worst on other luck."""
    if training.asked.over != WORST:
        return [slice(None)] * len(pair)
    tried = (
        training.play(pair, CHOOSE, 0, CHOSEN * training.each)
        .value(training.asked.goal)
        .sum(axis=2)
    )
    return [slice(at, at + 1) for at in tried.argmin(axis=1).tolist()]


def _gain(before: np.ndarray, after: np.ndarray, confidence: float) -> Estimate:
    both, now = int((before & after).sum()), int(after.sum())
    lost = int(before.sum()) - both
    return estimates.paired_difference(both, now - both, lost, before.size - now - lost, confidence)


def _change(
    training: TrainingRun, held: Outcomes, cells: Sequence[slice], won: Sequence[np.ndarray]
) -> tuple[Estimate | None, str]:
    """The gain in score or in the seat's share where that was sought, and in score where the same games were won."""
    goal, scored = training.asked.goal, training.trials.game.scored
    if goal == SEAT_SHARE:
        return _mean_change(
            held.value(SEAT_SHARE), cells, training.asked.confidence, WHOLE
        ), "the seat's share"
    if goal == SCORE or (scored and bool((won[START] == won[FOUND]).all())):
        return _mean_change(held.value(SCORE), cells, training.asked.confidence), "score"
    return None, ""


def _mean_change(
    values: np.ndarray, cells: Sequence[slice], confidence: float, unit: int = 1
) -> Estimate:
    change = (values[FOUND, cells[FOUND]] - values[START, cells[START]]).ravel()
    found = estimates.mean(change.size, int(change.sum()), int((change * change).sum()), confidence)
    return Estimate(found.value / unit, found.low / unit, found.high / unit, found.n, confidence)


def _overfit(training: TrainingRun, found: Weights, held: Outcomes) -> Estimate:
    """How much more is won in the last games trained on; against the same rivals as in all others."""
    last = max(1, training.generations) * training.each
    seen = training.play([found], TRAIN, max(0, last - CHOSEN * training.each), last).won
    return estimates.difference(
        int(seen.sum()),
        seen.size,
        int(held.won[FOUND].sum()),
        held.won[FOUND].size,
        training.asked.confidence,
    )


def _against(training: TrainingRun, found: Weights) -> dict[str, Estimate]:
    """Head to head with `steady` and with the pool, where seats compete."""
    table = training.table
    if not table.contested:
        return {}
    pool = [place for places in training.pool[1:] for place in places]
    rivals = {POOL: pool, **({STEADY: table.places(table.steady)} if table.steady else {})}
    return {
        name: _share(training, found, [p for p in places if p.cell.players > len(p.seats)])
        for name, places in rivals.items()
    }


def _share(training: TrainingRun, found: Weights, places: Sequence[Lineup]) -> Estimate:
    each = max(1, CHOSEN * training.each * len(training.own) // len(places))
    held = training.play([found], MEASURE, 0, each, places)
    shares = held.value(SEAT_SHARE)[held.winners > 0]
    if not shares.size:
        return Estimate(float("nan"), 0.0, 1.0, 0, training.asked.confidence)
    made = estimates.mean(
        shares.size, int(shares.sum()), int((shares * shares).sum()), training.asked.confidence
    )
    return Estimate(
        made.value / WHOLE, made.low / WHOLE, made.high / WHOLE, made.n, made.confidence
    )


def _dead(training: TrainingRun, found: Weights) -> list[str]:
    """The weights that make no outcome another, however far they are moved."""
    space = training.space
    candidates = [
        found,
        *(other for i in range(len(space.free)) for other in space.moved(found, i)),
    ]
    marks = training.play(candidates, MEASURE, 0, max(1, training.each // SHORT)).mark
    same = (marks[1:] == marks[0]).all(axis=(1, 2)).reshape(-1, 2).all(axis=1)
    return [
        space.names[i] for i, dead in zip(space.free.tolist(), same.tolist(), strict=True) if dead
    ]
