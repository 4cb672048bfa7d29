"""Uncertainty analysis: how much the assumed parameters of a box matter for the difficulty.

Whole boxes are sampled from the priors, in pairs. The boxes themselves, played in every variant,
give the band of the win rate and the robustness of conclusions. The same boxes with all readings as
they are assumed give the band of the numbers alone. Each assumption is then changed alone in the
shipped box. Each group of parameters is swapped between the two boxes of a pair (Sobol indices of
Saltelli and Jansen), and finally each single parameter of the leading groups: those are selected by
the pairs so far and measured on new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.reference_players import with_steady, with_trained
from hardmode.studies.core.run import Effort, make_players
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import SobolIndex
from hardmode.studies.uncertainty.assumed_box import play_assumed_box
from hardmode.studies.uncertainty.band import UncertaintyBand, estimate_band
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, CellPlayers
from hardmode.studies.uncertainty.design import (
    MAX_PAIRS,
    MIN_PAIRS,
    MIN_SWAPPED_PAIRS,
    SamplePair,
    SamplePairs,
    select_cell,
)
from hardmode.studies.uncertainty.priors import READING_CORRECT, Prior, Priors
from hardmode.studies.uncertainty.robustness import (
    RobustConclusion,
    assess_conclusions,
    select_cells,
)
from hardmode.studies.uncertainty.single_effects import (
    MAX_NUMBERS,
    LeadingReading,
    SingleEffect,
    SingleEffects,
    SingleSource,
)
from hardmode.studies.uncertainty.sobol_from_halves import SobolSums
from hardmode.studies.uncertainty.stages import Schedule, Stage

DEFAULT_SECONDS = 175.0  # three minutes with what the last pairs take
# Shares of the time at which the stages end.
HEADLINE_END, BOXES_END, NUMBERS_END, SINGLES_END = 0.04, 0.44, 0.62, 0.72
GROUPS_END, PARAMETERS_END = 0.78, 0.82
STEADY_HEADLINE_END, STEADY_END = 0.84, 1.0
MAX_HEADLINE_GAMES = 100_000  # games of the scenario's own box
HALF_GAMES_BY_TURNS = 25  # games of a half-sample if stages are limited by turns
LEADING_GROUPS = 4  # groups whose parameters are analysed one by one
MIN_GROUP_INDEX = 0.03  # least total index of such a group
SINGLES_FIRST_GAME = 10**9  # games of single effects: none of them is played with a drawn box
MAX_PARAMETERS = 10  # parameters that are analysed one by one
QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class UncertaintySource:
    """A group of parameters, or a single one, as a source of uncertainty.

    Attributes:
        path: Name of the group, or path of the parameter.
        parameter_count: Number of uncertain parameters in it.
        sobol_index: Its share of the variance of the win rate over plausible boxes.
        band_if_known: Percentiles of the band that would remain if it were known.
    """

    path: str
    parameter_count: int
    sobol_index: SobolIndex
    band_if_known: dict[int, float]


@dataclass
class UncertaintyAnalysis(NotebookTable):
    """Uncertainty of the win rate of a scenario due to its assumed parameters.

    Attributes:
        scenario: The scenario.
        cell: Its first variant as it is played.
        seed: Seed of the games and of the sampled boxes.
        confidence: Confidence of the intervals.
        headline: Win rate with the box as it is assumed.
        sampled_count: Number of uncertain parameters.
        fixed_paths: Paths of assumed parameters without a prior.
        games_per_box: Games played with each sampled box.
        rejected_boxes: Boxes that the game rejected while those of the band were drawn.
        reading_count: Number of uncertain parameters that are readings of rules.
        reading_correct: Probability that an assumed reading is right, where the box gives none.
        band: Band of the win rate, None if nothing is uncertain or too little was played.
        numbers_band: The band if all readings are right, so that only numbers are uncertain.
        singles: Each assumption alone, the most important first.
        groups: Groups of parameters, the most important first.
        parameters: Single parameters, the most important first.
        row_counts: Pairs of boxes used for groups, and for parameters.
        conclusions: Robustness of the order of variants.
        steady_band: Headline and band where `steady` plays.
        leading_readings: Readings that were played by the best player at hand (`leading_readings`).
        interrupted: Whether Ctrl-C ended the analysis.
    """

    scenario: Scenario
    cell: Variant
    seed: int
    confidence: float
    headline: Estimate
    sampled_count: int
    fixed_paths: list[str]
    games_per_box: int
    rejected_boxes: int = 0
    reading_count: int = 0
    reading_correct: float = READING_CORRECT
    band: UncertaintyBand | None = None
    numbers_band: UncertaintyBand | None = None
    singles: list[SingleSource] = field(default_factory=list)
    groups: list[UncertaintySource] = field(default_factory=list)
    parameters: list[UncertaintySource] = field(default_factory=list)
    row_counts: tuple[int, int] = (0, 0)
    conclusions: list[RobustConclusion] = field(default_factory=list)
    steady_band: tuple[Estimate, UncertaintyBand] | None = None
    leading_readings: list[LeadingReading] = field(default_factory=list)
    interrupted: bool = False

    @property
    def rejected_share(self) -> float:
        """Share of all drawn boxes that the game rejected."""
        accepted = self.band.box_count if self.band else 0
        drawn = accepted + self.rejected_boxes
        return self.rejected_boxes / drawn if drawn else 0.0

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each group of assumed parameters: its share of the variance."""
        for source in self.groups:
            count, share = source.parameter_count, source.sobol_index.total
            yield {"group": source.path, "parameters": count, "share": share}

    def find_leading_reading(self, effect: SingleEffect) -> LeadingReading | None:
        """Return the same other value as the best player at hand plays it, if that was played."""
        for reading in self.leading_readings:
            if (reading.path, reading.value) == (effect.path, effect.value):
                return reading
        return None

    def list_main_sources(self, least: float) -> list[str]:
        """Return the paths of parameters with at least this total index, largest first."""
        return [p.path for p in self.parameters if p.sobol_index.total.value >= least]


def analyze_uncertainty(
    scenario: Scenario,
    effort: Effort | None = None,
    seconds: float = DEFAULT_SECONDS,
    requested: Sequence[str] = (),
    progress: Progress = ignore_progress,
    turns: int | None = None,
    reading_correct: float = READING_CORRECT,
) -> UncertaintyAnalysis:
    """Return how much the assumed parameters of a scenario matter for its win rate.

    Args:
        scenario: The scenario.
        effort: Seed, threads, confidence, and the most games of the box as it is assumed.
        seconds: Time limit.
        requested: Strategies that the user asked for.
        progress: Notified of the share that is done.
        turns: Turns of each stage instead of a time limit; then nothing depends on the speed of
            the machine.
        reading_correct: Probability that an assumed reading is right, where the box gives none.
    """
    effort = (effort or Effort(MAX_HEADLINE_GAMES)).resolve_seed(scenario)
    cells = select_cells(scenario)
    played_cells = [with_trained(cell, requested) for cell in cells]
    priors = Priors(cells, reading_correct)
    half_games = HALF_GAMES_BY_TURNS if turns else 0
    steady_cell = with_steady(played_cells[0])
    last_end = STEADY_END if steady_cell else PARAMETERS_END
    schedule = Schedule(
        Budget(seconds / last_end),
        progress,
        turns,
        last_end,
    )
    cell_players = []
    for cell, played_cell in zip(cells, played_cells, strict=True):
        cell_players.append(CellPlayers(cell, make_players(played_cell)))
    evaluator = BoxEvaluator(cell_players, effort, half_games)
    stage = schedule.start_stage("the box as it is assumed", HEADLINE_END)
    headline = play_assumed_box(played_cells[0], effort, stage)
    analysis = UncertaintyAnalysis(
        scenario,
        played_cells[0],
        effort.seed,
        effort.confidence,
        estimate_win_rate(headline.tally, effort.confidence),
        len(priors.entries),
        priors.fixed_paths,
        2 * evaluator.half_games,
        reading_count=len(priors.readings),
        reading_correct=reading_correct,
        interrupted=headline.interrupted,
    )
    if priors.entries and not analysis.interrupted:
        _analyze_boxes(analysis, SamplePairs(evaluator, priors, effort.seed), schedule)
    if steady_cell and analysis.band and not analysis.interrupted:
        steady_players = CellPlayers(cells[0], make_players(steady_cell))
        steady_evaluator = BoxEvaluator([steady_players], effort, half_games)
        analysis.steady_band = _estimate_steady_band(
            steady_evaluator,
            steady_cell,
            priors,
            schedule,
        )
    return analysis


def _analyze_boxes(
    analysis: UncertaintyAnalysis,
    pairs: SamplePairs,
    schedule: Schedule,
) -> None:
    """Fill in the bands, the conclusions and the sources, as far as Ctrl-C lets it."""
    evaluator, headline = pairs.evaluator, analysis.headline.value
    played = pairs.collect_pairs(schedule.start_stage("plausible boxes", BOXES_END))
    analysis.rejected_boxes, analysis.interrupted = pairs.rejected_boxes, pairs.interrupted
    if len(played) < MIN_PAIRS:
        return
    analysis.band = estimate_band(
        select_cell(played, 0), evaluator.half_games, analysis.confidence, headline
    )
    analysis.conclusions = assess_conclusions(analysis.scenario, played, analysis.confidence)
    try:
        if not analysis.interrupted:
            analysis.numbers_band = _estimate_numbers_band(analysis, pairs, played, schedule)
            analysis.singles = _play_singles(analysis, pairs, played, schedule)
            _analyze_sources(
                analysis,
                pairs,
                played,
                schedule,
            )
    except KeyboardInterrupt:
        analysis.interrupted = True


def _estimate_numbers_band(
    analysis: UncertaintyAnalysis,
    pairs: SamplePairs,
    played: Sequence[SamplePair],
    schedule: Schedule,
) -> UncertaintyBand | None:
    """Return the band of the same boxes with all readings right, or None if none is left.

    It is the whole band where no reading is uncertain. If time is left and the band needs more
    boxes, further ones are drawn.
    """
    if not analysis.reading_count:
        return analysis.band
    if analysis.reading_count == analysis.sampled_count:
        return None
    stage = schedule.start_stage("boxes with all readings right", NUMBERS_END)
    more_pairs = () if schedule.turns else pairs.generate_pairs(in_all_cells=False)
    halves = pairs.play_with_assumed_readings(chain(played, more_pairs), stage)
    if pairs.interrupted:
        raise KeyboardInterrupt
    if halves is None:
        return None
    half_games, headline = pairs.evaluator.half_games, analysis.headline.value
    return estimate_band(halves, half_games, analysis.confidence, headline)


def _play_singles(
    analysis: UncertaintyAnalysis,
    pairs: SamplePairs,
    played: Sequence[SamplePair],
    schedule: Schedule,
) -> list[SingleSource]:
    """Return each reading alone, and each number that the win rates of the boxes depend on."""
    numbers = [prior for prior in pairs.priors.entries if not prior.is_reading]
    paths = _sort_by_correlation(numbers, played)[:MAX_NUMBERS]
    singles = SingleEffects(pairs.evaluator, pairs.priors, paths, SINGLES_FIRST_GAME)
    stage = schedule.start_stage("each assumption alone", SINGLES_END)
    return singles.play(stage, analysis.confidence)


def _analyze_sources(
    analysis: UncertaintyAnalysis,
    pairs: SamplePairs,
    played: Sequence[SamplePair],
    schedule: Schedule,
) -> None:
    """Fill in the groups, and the parameters of those that lead.

    A group of one parameter is reported as that parameter too.
    """
    groups = pairs.priors.groups
    stage = schedule.start_stage("groups", GROUPS_END)
    more_pairs = pairs.generate_pairs(in_all_cells=False)
    sums = _play_swaps(
        pairs,
        chain(played, more_pairs),
        groups,
        stage,
    )
    analysis.groups = _rank_sources(analysis, groups, sums)
    analysis.row_counts = sums.pairs, 0
    for source in analysis.groups:
        if source.parameter_count == 1:
            analysis.parameters.append(replace(source, path=groups[source.path][0]))
    selected = _select_parameters(analysis.groups, pairs.priors, played)
    if not selected:
        return
    singles = {path: [path] for path in selected}
    stage = schedule.start_stage("single numbers", PARAMETERS_END)
    sums = _play_swaps(
        pairs,
        pairs.generate_pairs(in_all_cells=False),
        singles,
        stage,
    )
    analysis.parameters += _rank_sources(analysis, singles, sums)
    analysis.parameters.sort(key=lambda source: -source.sobol_index.total.value)
    analysis.row_counts = analysis.row_counts[0], sums.pairs


def _play_swaps(
    design: SamplePairs,
    pairs: Iterable[SamplePair],
    groups: Mapping[str, Sequence[str]],
    stage: Stage,
) -> SobolSums:
    """Swap each group between the boxes of each pair until the stage is over.

    Args:
        design: Plays the swapped boxes.
        pairs: Pairs of boxes.
        groups: Paths of the parameters of each group, by its name.
        stage: Limits the number of pairs.
    """
    sums = SobolSums(len(groups))
    for pair, swaps in design.swap_groups(pairs, list(groups.values())):
        sums.add(pair.rates_a[:, 0], pair.rates_b[:, 0], swaps)
        is_over = sums.pairs >= MAX_PAIRS
        if is_over or (stage.finish_turn() and sums.pairs >= MIN_SWAPPED_PAIRS):
            break
    return sums


def _rank_sources(
    analysis: UncertaintyAnalysis,
    groups: Mapping[str, Sequence[str]],
    sums: SobolSums,
) -> list[UncertaintySource]:
    """Return groups as sources of uncertainty, the largest total index first."""
    assert analysis.band
    sources = []
    indices = sums.estimate_indices(analysis.confidence)
    for (path, paths), index in zip(groups.items(), indices, strict=True):
        band = analysis.band.narrow(index.first.value)
        sources.append(
            UncertaintySource(
                path,
                len(paths),
                index,
                band,
            )
        )
    return sorted(sources, key=lambda source: -source.sobol_index.total.value)


def _select_parameters(
    groups: Sequence[UncertaintySource],
    priors: Priors,
    pairs: Sequence[SamplePair],
) -> list[str]:
    """Return the parameters of leading groups that are most correlated with the win rate.

    Args:
        groups: Groups, the most important first.
        priors: Priors of all parameters.
        pairs: Boxes that were played.
    """
    leading = set()
    for source in groups[:LEADING_GROUPS]:
        is_important = source.sobol_index.total.value >= MIN_GROUP_INDEX
        if is_important and source.parameter_count > 1:
            leading.add(source.path)
    members = [prior for prior in priors.entries if prior.group in leading]
    return _sort_by_correlation(members, pairs)[:MAX_PARAMETERS]


def _sort_by_correlation(priors: Sequence[Prior], pairs: Sequence[SamplePair]) -> list[str]:
    """Return the paths of parameters, those most correlated with the win rate first."""
    rates = select_cell(pairs, 0).mean(axis=1)
    boxes = []
    for pair in pairs:
        boxes += [pair.a, pair.b]
    ratios = {}
    for prior in priors:
        values = [prior.encode(box[prior.path]) for box in boxes]
        ratios[prior.path] = compute_correlation_ratio(values, rates)
    return sorted(ratios, key=lambda path: -ratios[path])


def compute_correlation_ratio(values: Sequence[Any], outcomes: np.ndarray) -> float:
    """Return the correlation ratio (eta squared) of outcomes on values, less its mean by chance.

    Args:
        values: A value for each outcome. Many different ones are grouped by quartile.
        outcomes: The outcomes.
    """
    codes = np.unique(np.array(values), return_inverse=True)[1]
    if codes.max() > len(QUARTILES):
        codes = np.searchsorted(np.quantile(codes, QUARTILES), codes)
    sizes = np.bincount(codes)
    means = np.bincount(codes, outcomes) / np.maximum(sizes, 1)
    total = len(outcomes) * outcomes.var() or 1.0
    between = (sizes * (means - outcomes.mean()) ** 2).sum() / total
    by_chance = (np.count_nonzero(sizes) - 1) / (len(outcomes) - 1)
    return float(between - by_chance)


def _estimate_steady_band(
    evaluator: BoxEvaluator,
    cell: Variant,
    priors: Priors,
    schedule: Schedule,
) -> tuple[Estimate, UncertaintyBand] | None:
    """Return the headline and its band where `steady` plays, or None if not enough was played."""
    effort = evaluator.effort
    stage = schedule.start_stage("the box as it is assumed, by steady", STEADY_HEADLINE_END)
    headline = play_assumed_box(cell, effort, stage)
    if headline.interrupted:
        return None
    stage = schedule.start_stage("plausible boxes, by steady", STEADY_END)
    pairs = SamplePairs(evaluator, priors, effort.seed).collect_pairs(stage)
    if len(pairs) < MIN_PAIRS:
        return None
    rate = estimate_win_rate(headline.tally, effort.confidence)
    halves = select_cell(pairs, 0)
    band = estimate_band(halves, evaluator.half_games, effort.confidence, rate.value)
    return rate, band
