"""Saltelli design: pairs of sampled boxes A and B, and both with one group swapped between them.

See Saltelli and others (2010), Computer Physics Communications 181, 259-270.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import ceil
from typing import NamedTuple

import numpy as np

from hardmode.studies.uncertainty.band import estimate_band
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, BoxJob
from hardmode.studies.uncertainty.priors import Priors, SampledValues
from hardmode.studies.uncertainty.sobol_from_halves import SwappedPair
from hardmode.studies.uncertainty.stages import Stage

MAX_PAIRS = 10_000
MIN_PAIRS = 200  # no band is told from fewer than 400 boxes
FIRST_CHECK, CHECK_GROWTH = 200, 1.25  # pairs at which the precision is judged
CHECK_CONFIDENCE = 0.95  # of a band whose precision alone is judged
MIN_SWAPPED_PAIRS = 8
CONCURRENT_PAIRS = 8  # pairs that are played at a time, at least
MAX_REJECTED_BOXES = 2000  # boxes rejected without a single accepted one

BoxId = tuple[int, int]  # index of a pair, and 0 for box A or 1 for box B


class UncertaintyError(ValueError):
    """Raised if the uncertainty of a scenario cannot be analysed."""


class SamplePair(NamedTuple):
    """Two independently sampled boxes and their win rates.

    Attributes:
        row: Number of the pair; both boxes play the same games, given by this number.
        a: Values of box A.
        b: Values of box B.
        rates_a: Win rates of A, an array (half, cell).
        rates_b: Win rates of B.
    """

    row: int
    a: SampledValues
    b: SampledValues
    rates_a: np.ndarray
    rates_b: np.ndarray


class SamplePairs:
    """Endless sequence of pairs of sampled boxes.

    A box that the game rejects is sampled again. The same seed gives the same pairs, however many
    of them are played at a time.

    Attributes:
        rejected_boxes: Number of boxes that were sampled again.
        interrupted: Whether Ctrl-C ended `collect_pairs`.
    """

    def __init__(
        self,
        evaluator: BoxEvaluator,
        priors: Priors,
        seed: int,
    ) -> None:
        self.evaluator, self.priors, self.seed = evaluator, priors, seed
        self.rejected_boxes = 0
        self.interrupted = False
        self._next_index = 0
        self._ahead = deque[tuple[SamplePair, int]]()  # each with its number of rejected boxes

    def generate_pairs(self, in_all_cells: bool = True) -> Iterator[SamplePair]:
        """Yield pairs, played in all variants or in the first one only.

        Some pairs are played ahead to keep all workers busy.
        """
        while True:
            if not self._ahead:
                cells = len(self.evaluator.cell_players) if in_all_cells else 1
                self._ahead.extend(self._play_batch(cells))
            pair, rejected = self._ahead.popleft()
            self.rejected_boxes += rejected
            yield pair

    def collect_pairs(
        self, stage: Stage, least: int = MIN_PAIRS, for_band: bool = True
    ) -> list[SamplePair]:
        """Return pairs played in all variants until the stage is over or Ctrl-C interrupts.

        Args:
            stage: Limits the number of pairs.
            least: Number of pairs that are played in any case.
            for_band: End as soon as the band of the first variant is reproducible.
        """
        pairs: list[SamplePair] = []
        next_check = FIRST_CHECK
        try:
            for pair in islice(self.generate_pairs(), MAX_PAIRS):
                pairs.append(pair)
                if stage.finish_turn() and len(pairs) >= least:
                    break
                if for_band and len(pairs) == next_check:
                    next_check = ceil(CHECK_GROWTH * next_check)
                    if self._is_reproducible(select_cell(pairs, 0)):
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return pairs

    def _is_reproducible(self, halves: np.ndarray) -> bool:
        """Return whether the band of some boxes, an array (box, half), is reproducible."""
        band = estimate_band(halves, self.evaluator.half_games, CHECK_CONFIDENCE)
        return band.is_reproducible

    def play_with_assumed_readings(
        self, pairs: Iterable[SamplePair], stage: Stage
    ) -> np.ndarray | None:
        """Return the win rates (box, half) of boxes whose readings are all as they are assumed.

        The numbers are those of the given boxes, and so are the games. Boxes that the game rejects
        are left out.

        Returns:
            The rates, or None if Ctrl-C interrupted before `MIN_PAIRS` pairs were played.
        """
        rates: list[np.ndarray] = []
        remaining = islice(pairs, MAX_PAIRS)
        batch_size = max(CONCURRENT_PAIRS, self.evaluator.backend.workers)
        played, next_check = 0, FIRST_CHECK
        try:
            while batch := list(islice(remaining, batch_size)):
                jobs = []
                for pair in batch:
                    for box in (pair.a, pair.b):
                        jobs.append(BoxJob(0, pair.row, self.priors.assume_readings(box)))
                accepted = self.evaluator.evaluate_boxes(jobs)
                rates += [halves for halves in accepted if halves is not None]
                played += len(batch)
                if stage.finish_turn() and played >= MIN_PAIRS:
                    break
                if played >= next_check and len(rates) > 1:
                    next_check = ceil(CHECK_GROWTH * next_check)
                    if self._is_reproducible(np.array(rates)):
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return np.array(rates) if played >= MIN_PAIRS and len(rates) > 1 else None

    def swap_groups(
        self, pairs: Iterable[SamplePair], groups: Sequence[Sequence[str]]
    ) -> Iterator[tuple[SamplePair, list[SwappedPair]]]:
        """Yield each pair with the win rates of both boxes after swapping each group of paths.

        A swap that the game rejects is None.

        Args:
            pairs: Pairs of boxes.
            groups: Paths of the parameters of each group.
        """
        remaining = iter(pairs)
        batch_size = max(1, self.evaluator.backend.workers // (2 * len(groups)))
        while batch := list(islice(remaining, batch_size)):
            jobs = []
            for pair in batch:
                for paths in groups:
                    jobs.append(BoxJob(0, pair.row, _replace_values(pair.a, pair.b, paths)))
                    jobs.append(BoxJob(0, pair.row, _replace_values(pair.b, pair.a, paths)))
            rates = iter(self.evaluator.evaluate_boxes(jobs))
            for pair in batch:
                swaps: list[SwappedPair] = []
                for _ in groups:
                    ab, ba = next(rates), next(rates)
                    swaps.append(None if ab is None or ba is None else (ab, ba))
                yield pair, swaps

    def _play_batch(self, cells: int) -> Iterator[tuple[SamplePair, int]]:
        """Yield a batch of pairs, each with its number of rejected boxes."""
        count = max(CONCURRENT_PAIRS, self.evaluator.backend.workers)
        indices = range(self._next_index, self._next_index + count)
        self._next_index = indices.stop
        boxes: dict[BoxId, SampledValues] = {}
        generators: dict[BoxId, np.random.Generator] = {}
        for index in indices:
            for side in (0, 1):
                generators[index, side] = np.random.default_rng([self.seed, index, side])
                boxes[index, side] = self.priors.draw_box(generators[index, side])
        rates, rejected = self._play_first_cell(boxes, generators)
        jobs = []
        for (index, _), box in boxes.items():
            jobs += [BoxJob(cell, index, box) for cell in range(1, cells)]
        unknown = np.full(2, np.nan)
        others = iter(self.evaluator.evaluate_boxes(jobs))
        for key in boxes:
            columns = [rates[key]]
            for other in islice(others, cells - 1):
                columns.append(unknown if other is None else other)
            rates[key] = np.column_stack(columns)
        for index in indices:
            a, b = (index, 0), (index, 1)
            pair = SamplePair(
                index,
                boxes[a],
                boxes[b],
                rates[a],
                rates[b],
            )
            yield pair, rejected[index]

    def _play_first_cell(
        self, boxes: dict[BoxId, SampledValues], generators: dict[BoxId, np.random.Generator]
    ) -> tuple[dict[BoxId, np.ndarray], Counter[int]]:
        """Play boxes in the first variant, and sample again those that it rejects.

        Args:
            boxes: The boxes; a rejected one is replaced in it.
            generators: The generator from which each box is drawn.

        Returns:
            Win rates of both halves of each box, and the rejected boxes by the index of the pair.
        """
        rates, rejected = dict[BoxId, np.ndarray](), Counter[int]()
        while missing := [key for key in boxes if key not in rates]:
            jobs = [BoxJob(0, key[0], boxes[key]) for key in missing]
            results = self.evaluator.evaluate_boxes(jobs)
            for key, halves in zip(missing, results, strict=True):
                if halves is not None:
                    rates[key] = halves
                    continue
                rejected[key[0]] += 1
                boxes[key] = self.priors.draw_box(generators[key])
            if not rates and rejected.total() > MAX_REJECTED_BOXES:
                raise UncertaintyError(
                    f"the game rejects all of the first {MAX_REJECTED_BOXES:,} boxes that were "
                    "sampled from the plausible ranges"
                )
        return rates, rejected


def _replace_values(
    box: SampledValues,
    other: SampledValues,
    paths: Sequence[str],
) -> SampledValues:
    """Return a box with the values of some paths taken from another box."""
    replaced = dict(box)
    for path in paths:
        replaced[path] = other[path]
    return replaced


def select_cell(pairs: Sequence[SamplePair], cell: int) -> np.ndarray:
    """Return the win rates of all boxes in one variant, an array (box, half).

    Args:
        pairs: Pairs of boxes.
        cell: Index of the variant.
    """
    rates = []
    for pair in pairs:
        rates += [pair.rates_a[:, cell], pair.rates_b[:, cell]]
    return np.array(rates)
