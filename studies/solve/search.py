"""Search for the settings of design variables that reach the targets of a designer.

The search uses two independent seeds. With the first one candidates race: those that cannot reach
the targets are dropped early, the others get more games (racing; Maron and Moore 1994, Advances in
Neural Information Processing Systems 6, 59-66). The survivors are measured again with the second
seed. An answer is a candidate whose whole interval lies within every target there, and all these
intervals hold together. So the stated confidence holds however candidates were chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, product
from math import ceil, isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.studies.core.budget import Budget, Stopwatch
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.reference_players import (
    STEADY_TIME_SHARE,
    players_disagree,
    with_steady,
)
from hardmode.studies.core.run import Effort
from hardmode.studies.solve.design_variables import DesignVariable
from hardmode.studies.solve.evaluator import (
    Candidate,
    SettingEvaluator,
    compute_violation,
    is_feasible,
    is_infeasible,
)
from hardmode.studies.solve.targets import SolveError, Target
from hardmode.studies.stats.estimates import Estimate, bonferroni_level, unpaired_difference
from hardmode.studies.stats.response_surface import TARGET_MARGIN, ResponseSurface

DEFAULT_SECONDS = 9.0
DEFAULT_SECONDS_SEVERAL = 45.0  # with several design variables
MAX_GAMES = 400_000  # games of one candidate
FIRST_GAMES = 1000  # games of a candidate at the first look
MIN_GAMES = 100  # the same where time is short
CHOOSING_SHARE = 0.4  # share of the time for choosing candidates
# When confirmation judges candidates: shares of its time, or of their games.
CONFIRMATION_LOOKS = (0.05, 0.15, 0.4, 1.0)
MAX_ANSWERS = 5  # answers that are reported with several variables
SPARE_CANDIDATES = 2  # more than that are confirmed at a time, since some will fail
MAX_CANDIDATES = 21  # candidates that are confirmed with several variables
DESIGN_POINTS = 32  # first candidates with several variables, besides those that change only one
MAX_ROUNDS = 6  # rounds of proposals
ROUND_CANDIDATES = 12  # proposals of each round
CURVE_GROWTH = 8  # factor by which the games of dropped values of a single variable grow at the end
MAX_SETTINGS = 50_000  # settings among which the response surface proposes
SAFETY_FACTOR = 1.3  # the games that are expected to be needed are multiplied by this
SEED_OFFSET = 1_000_003  # from the seed of choosing to the seed of confirmation

Look = Sequence[tuple[Candidate, int]]  # candidates, and how many games each shall have


@dataclass
class Answer:
    """A candidate and its estimates.

    Attributes:
        candidate: The candidate.
        estimates: Estimates of all targets, by name.
        steady_estimates: Estimates where `steady` plays.
    """

    candidate: Candidate
    estimates: dict[str, Estimate]
    steady_estimates: dict[str, Estimate] = field(default_factory=dict)


@dataclass
class Solution(NotebookTable):
    """Result of a search.

    Attributes:
        cell: The variant.
        targets: What was to be reached.
        variables: The design variables.
        seed: Seed of choosing.
        confirmation_seed: Seed of confirmation.
        confidence: Confidence of all answers together.
        tried: All candidates with their estimates from choosing.
        answers: Candidates that reach all targets, confirmed.
        undecided: Candidates that may reach them; more games would tell.
        failed: Candidates that seemed to reach them and were not confirmed.
        refused: Candidates that the game rejects.
        baseline: The variant as it is, where `steady_estimates` are known.
        interrupted: Whether Ctrl-C ended the search.
        base_rate: Win rate of the variant as it is, None if it was not played for the targets.
    """

    cell: Variant
    targets: list[Target]
    variables: list[DesignVariable]
    seed: int
    confirmation_seed: int
    confidence: float
    tried: list[Answer] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    undecided: list[Answer] = field(default_factory=list)
    failed: list[Answer] = field(default_factory=list)
    refused: list[Candidate] = field(default_factory=list)
    baseline: Answer | None = None
    interrupted: bool = False
    base_rate: Estimate | None = None

    estimate_kind = "mean"  # targets are rates, lengths or scores, so all are told as plain numbers

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each candidate and target: its values, the estimate and the verdict."""
        verdicts = {answer.candidate.values: "reached" for answer in self.answers}
        verdicts |= {answer.candidate.values: "undecided" for answer in self.undecided}
        verdicts |= {answer.candidate.values: "not confirmed" for answer in self.failed}
        paths = [variable.path for variable in self.variables]
        for answer in self.all_answers:
            values = answer.candidate.values
            setting = dict(zip(paths, values, strict=True))
            verdict = verdicts.get(values, "not reached")
            for target, estimate in answer.estimates.items():
                yield {**setting, "goal": target, "value": estimate, "verdict": verdict}

    @property
    def disagreeing_answers(self) -> list[Answer]:
        """Answers that change some target otherwise where `steady` plays."""
        return [answer for answer in self.answers if self._is_disagreeing(answer)]

    def _is_disagreeing(self, answer: Answer) -> bool:
        if not self.baseline or not answer.candidate.changed_count:
            return False
        base, steady_base = self.baseline.estimates, self.baseline.steady_estimates
        for name, steady in answer.steady_estimates.items():
            change = unpaired_difference(answer.estimates[name], base[name])
            if players_disagree(change, unpaired_difference(steady, steady_base[name])):
                return True
        return False

    @property
    def is_reached(self) -> bool:
        """True if some candidate reaches all targets."""
        return bool(self.answers)

    @property
    def all_answers(self) -> list[Answer]:
        """All candidates; those that failed with their estimates from confirmation."""
        failed = {answer.candidate.values: answer for answer in self.failed}
        return [failed.get(answer.candidate.values, answer) for answer in self.tried]

    @property
    def nearest(self) -> Answer:
        """The candidate nearest to the targets."""
        return min(self.all_answers, key=self.get_violation)

    def get_violation(self, answer: Answer) -> float:
        """Return how far an answer lies outside the targets, 0 if it reaches them."""
        return compute_violation(self.targets, answer.estimates)


def solve(
    cell: Variant,
    targets: Sequence[Target],
    variables: Sequence[DesignVariable],
    effort: Effort,
    seconds: float | None = None,
    progress: Progress = ignore_progress,
) -> Solution:
    """Search for settings of the design variables that reach all targets.

    Args:
        cell: The variant.
        targets: What shall be reached.
        variables: The design variables.
        effort: Seed, threads, confidence, and the most games of one candidate.
        seconds: Time limit, or None.
        progress: Notified of the share that is done.

    Raises:
        SolveError: The game rejects the variant as it is.
    """
    effort = effort.resolve_seed(None)
    confirmation_seed = (effort.seed + SEED_OFFSET) % 2**63
    solution = Solution(
        cell,
        list(targets),
        list(variables),
        effort.seed,
        confirmation_seed,
        effort.confidence,
    )
    search = Search(
        solution,
        effort,
        seconds,
        progress,
    )
    try:
        search.run()
    except KeyboardInterrupt:
        solution.interrupted = True
    search.record_tried()
    return solution


class Search:
    """Running search that fills in a solution.

    Args:
        solution: The solution, without any answers yet.
        effort: Seed, threads, and the most games of one candidate.
        seconds: Time limit, or None.
        progress: Notified of the share that is done.
    """

    def __init__(
        self,
        solution: Solution,
        effort: Effort,
        seconds: float | None,
        progress: Progress,
    ) -> None:
        self.solution, self.effort, self.progress = solution, effort, progress
        self.targets, self.variables = solution.targets, solution.variables
        compares_levels = all(target.skill_levels for target in self.targets)
        self.steady_cell = None if compares_levels else with_steady(solution.cell)
        self.steady_seconds = 0.0  # of the time limit, if there is one
        if seconds and self.steady_cell:
            self.steady_seconds = STEADY_TIME_SHARE * seconds
        self.budget = Budget(seconds - self.steady_seconds if seconds else None)
        self.choosing = self._make_evaluator(solution.cell, effort.seed)
        self.confirming = self._make_evaluator(solution.cell, solution.confirmation_seed)
        self.candidates: dict[tuple[Any, ...], Candidate] = {}  # by their values
        self.max_games = effort.games
        self.first_games = min(FIRST_GAMES, self.max_games)

    def _make_evaluator(self, cell: Variant, seed: int) -> SettingEvaluator:
        return SettingEvaluator(
            cell,
            self.targets,
            seed,
            self.effort.threads,
        )

    def run(self) -> None:
        """Choose candidates, confirm them, and repeat the answers where `steady` plays.

        Raises:
            SolveError: The game rejects the variant as it is.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        is_single = len(self.variables) == 1
        current = tuple(variable.current_value for variable in self.variables)
        base = self.get_candidate(current)
        self.choosing.play(base, 1)
        if base.refusal:
            raise SolveError(base.refusal)
        if self.budget.seconds:
            count = len(self.variables[0].values) if is_single else 2 * DESIGN_POINTS
            speed = self.choosing.measure_speed(base)
            self.budget.restart()  # compiling is not charged
            affordable = CHOOSING_SHARE / 2 * self.budget.seconds * speed / count
            self.first_games = int(min(self.first_games, max(MIN_GAMES, affordable)))
        self._confirm(self._choose_values() if is_single else self._choose_settings(base))
        if self.steady_cell and self.solution.answers:
            self._play_steady(self.steady_cell, base)
        if is_single:
            self._refine_curve()

    def _choose_values(self) -> list[Candidate]:
        """Return the values of the single design variable that may reach the targets."""
        [variable] = self.variables
        candidates = [self.get_candidate((value,)) for value in variable.values]
        return self._race_to_choose(candidates, CHOOSING_SHARE)

    def _race_to_choose(self, candidates: Sequence[Candidate], end_share: float) -> list[Candidate]:
        """Return the candidates that may reach the targets, by the seed of choosing."""
        racing = list(candidates)
        level = self._compute_level(max(1, len(racing)))
        # A generator, so that each look lists only the candidates that still race then.
        looks = (
            [(candidate, games) for candidate in racing]
            for games in _generate_doubled(self.first_games, self.max_games)
        )
        return self._race(
            self.choosing,
            racing,
            self._is_over_at(end_share),
            looks,
            level,
        )

    def _refine_curve(self) -> None:
        """Play more games of values that were dropped early, so that the whole curve is precise."""
        games = self.first_games
        is_over = self._is_over_at(1.0)
        while games < min(CURVE_GROWTH * self.first_games, self.max_games):
            games *= 2
            for candidate in self.candidates.values():
                if not is_over():
                    self.choosing.play(candidate, min(games, self.max_games))

    def _choose_settings(self, base: Candidate) -> list[Candidate]:
        """Return settings of several variables that may reach the targets, the likeliest first.

        Plays a space-filling design and then, round after round, what a response surface proposes.
        """
        surface = ResponseSurface(self.variables, self.targets)
        settings = self._list_settings()
        first_settings = surface.make_design(DESIGN_POINTS, self.effort.seed)
        batch = [base, *map(self.get_candidate, first_settings)]
        promising: list[Candidate] = []
        is_over = self._is_over_at(CHOOSING_SHARE)
        for round_index in range(MAX_ROUNDS):
            end_share = CHOOSING_SHARE * (round_index + 1) / MAX_ROUNDS
            survivors = self._race_to_choose(batch, end_share)
            promising = _sort_by_cost([*promising, *survivors])
            clear = sum(map(self._is_clearly_feasible, promising))
            if is_over() or (round_index and clear >= MAX_ANSWERS):
                break
            played = []
            for candidate in self.candidates.values():
                if candidate.games:
                    estimates = self.choosing.estimate_targets(candidate, 0.5)
                    played.append((candidate.values, candidate.games, estimates))
            surface.fit(played)
            known = {c.values for c in self.candidates.values() if c.games or c.refusal}
            proposals = surface.propose(settings, known, ROUND_CANDIDATES)
            batch = [self.get_candidate(values) for values in proposals]
            if not batch:
                break
        promising.sort(key=lambda candidate: not self._is_clearly_feasible(candidate))
        return promising[:MAX_CANDIDATES]

    def _is_clearly_feasible(self, candidate: Candidate) -> bool:
        """Return whether the estimates lie so far inside the bands that few games confirm it."""
        estimates = self.choosing.estimate_targets(candidate, 0.5)
        return not compute_violation(self.targets, estimates, TARGET_MARGIN)

    def _list_settings(self) -> list[tuple[Any, ...]]:
        """Return all settings, or `MAX_SETTINGS` random ones and all that change one variable."""
        value_lists = [variable.values for variable in self.variables]
        if np.prod([float(len(values)) for values in value_lists]) <= MAX_SETTINGS:
            return list(product(*value_lists))
        current = tuple(variable.current_value for variable in self.variables)
        settings = []
        for i, values in enumerate(value_lists):
            settings += [(*current[:i], value, *current[i + 1 :]) for value in values]
        rng = np.random.default_rng(self.effort.seed)
        for row in rng.random((MAX_SETTINGS, len(value_lists))):
            pairs = zip(value_lists, row, strict=True)
            settings.append(tuple(values[int(x * len(values))] for values, x in pairs))
        return list(dict.fromkeys(settings))

    def get_candidate(self, values: tuple[Any, ...]) -> Candidate:
        """Return the candidate with one value of each design variable."""
        if values in self.candidates:
            return self.candidates[values]
        changes: dict[str, Any] = {}
        flags, cost = [], 0.0
        for variable, value in zip(self.variables, values, strict=True):
            if value != variable.current_value:
                changes |= variable.get_changes(value)
                flags.append(variable.format_flag(value))
                cost += variable.compute_cost(value)
        candidate = Candidate(
            values,
            changes,
            tuple(flags),
            len(flags),
            cost,
        )
        self.candidates[values] = candidate
        return candidate

    def _race(
        self,
        evaluator: SettingEvaluator,
        racing: list[Candidate],
        is_over: Callable[[], bool],
        looks: Iterable[Look],
        level: float,
    ) -> list[Candidate]:
        """Play candidates look after look and drop those that cannot reach the targets.

        Args:
            evaluator: Plays the candidates.
            racing: The candidates; those that are decided are removed from this list.
            is_over: Tells whether the time is over.
            looks: For each look the candidates to play; may depend on `racing`.
            level: Confidence of one interval.

        Returns:
            Candidates that reach the targets, then those that may.
        """
        feasible: list[Candidate] = []
        for look in looks:
            for candidate, games in look:
                if is_over() and candidate.games:
                    continue
                self.play_candidate(evaluator, candidate, games)
                if candidate.refusal:
                    racing.remove(candidate)
                    continue
                estimates = evaluator.estimate_targets(candidate, level)
                if is_infeasible(self.targets, estimates):
                    racing.remove(candidate)
                elif is_feasible(self.targets, estimates):
                    racing.remove(candidate)
                    feasible.append(candidate)
            if is_over() or not racing:
                break
        return [*feasible, *racing]

    def play_candidate(
        self,
        evaluator: SettingEvaluator,
        candidate: Candidate,
        games: int,
    ) -> None:
        """Play a candidate to `games` games, the first time at least as long as setting it up.

        Args:
            evaluator: Plays the candidate.
            candidate: The candidate.
            games: Number of games to reach.
        """
        is_new, stopwatch = not candidate.games, Stopwatch()
        evaluator.play(candidate, games)
        if is_new and self.budget.seconds and candidate.games:
            setup_seconds = stopwatch.elapsed - candidate.play_seconds
            repaid_games = setup_seconds * self._measure_speed([candidate])
            evaluator.play(candidate, int(min(self.max_games, repaid_games)))
        if self.budget.seconds:
            self.progress("trying values", min(0.99, self.budget.share_spent))

    def _confirm(self, candidates: Sequence[Candidate]) -> None:
        """Measure candidates with the second seed; all intervals hold together.

        With several variables, some candidates are measured at a time until one is an answer.
        """
        level = self._compute_level(max(1, len(candidates)) * len(CONFIRMATION_LOOKS))
        is_single = len(self.variables) == 1
        batch_size = MAX_ANSWERS + SPARE_CANDIDATES
        if is_single:
            batch_size = max(1, len(candidates))
        is_over = self._is_over_at(1.0)
        for start in range(0, len(candidates), batch_size):
            self._confirm_batch(candidates[start : start + batch_size], level)
            if self.solution.answers:
                break
            if is_over():
                self._keep_undecided(candidates[start + batch_size :], level)
                break
        for answers in (self.solution.answers, self.solution.undecided):
            if is_single and self.variables[0].is_numeric:
                answers.sort(key=lambda answer: answer.candidate.values[0])
            else:
                answers.sort(key=lambda answer: _get_cost_key(answer.candidate))
        if not is_single:
            del self.solution.answers[MAX_ANSWERS:]

    def _keep_undecided(self, candidates: Sequence[Candidate], level: float) -> None:
        """Record candidates that there was no time to confirm, with their games from choosing."""
        for candidate in candidates:
            estimates = self.choosing.estimate_targets(candidate, level)
            self.solution.undecided.append(Answer(candidate, estimates))

    def _confirm_batch(self, candidates: Sequence[Candidate], level: float) -> None:
        """Sort candidates into answers, undecided and failed ones."""
        fresh = [candidate.copy_unplayed() for candidate in candidates]
        racing = list(fresh)
        looks = self._generate_confirmation_looks(racing, level)
        survivors = self._race(
            self.confirming,
            racing,
            self._is_over_at(1.0),
            looks,
            level,
        )
        for candidate in fresh:
            if candidate.refusal or not candidate.games:
                continue
            estimates = self.confirming.estimate_targets(candidate, level)
            answer = Answer(candidate, estimates)
            if is_feasible(self.targets, estimates):
                self.solution.answers.append(answer)
            elif candidate in survivors:
                self.solution.undecided.append(answer)
            else:
                self.solution.failed.append(answer)

    def _play_steady(self, cell: Variant, base: Candidate) -> None:
        """Estimate the targets of the answers and of the variant as it is where `steady` plays."""
        solution = self.solution
        evaluator = self._make_evaluator(cell, solution.confirmation_seed)
        level = self._compute_level(len(solution.answers) + 1)
        baseline = Answer(base, self.choosing.estimate_targets(base, level))
        answers = [baseline, *solution.answers]
        candidates = [answer.candidate.copy_unplayed() for answer in answers]
        games = max(answer.candidate.games for answer in solution.answers)
        if self.steady_seconds:
            speed = evaluator.measure_speed(candidates[0])
            affordable = int(speed * self.steady_seconds / len(candidates))
            games = min(games, max(MIN_GAMES, affordable))
        for answer, candidate in zip(answers, candidates, strict=True):
            evaluator.play(candidate, games)
            estimates = evaluator.estimate_targets(candidate, level)
            for target in self.targets:
                if not target.skill_levels:
                    answer.steady_estimates[target.name] = estimates[target.name]
        solution.baseline = baseline

    def _generate_confirmation_looks(
        self, racing: Sequence[Candidate], level: float
    ) -> Iterator[Look]:
        """Yield for each look which candidates to play, and to how many games.

        With a time limit, those that need the fewest games come first: if all had an equal share,
        none might be confirmed.

        Args:
            racing: Candidates that are not decided; the caller removes decided ones between looks.
            level: Confidence of one interval.
        """
        begun = self.budget.elapsed
        for i, share in enumerate(CONFIRMATION_LOOKS):
            if not self.budget.seconds:
                games = max(1, round(share * self.max_games))
                yield [(candidate, games) for candidate in racing]
                continue
            now, end = self.budget.elapsed, self.budget.seconds
            affordable = (end - now) * self._measure_speed(racing)
            fewest = ceil(len(racing) / 2**i)
            selected = self.select_cheapest_to_confirm(
                racing,
                affordable,
                level,
                fewest,
            )
            seconds = max(0.0, begun + share * (end - begun) - now)
            more = seconds * self._measure_speed(racing) / len(selected)
            look = []
            for candidate in selected:
                games = int(min(self.max_games, max(candidate.games + more, MIN_GAMES)))
                look.append((candidate, games))
            yield look

    def select_cheapest_to_confirm(
        self,
        racing: Sequence[Candidate],
        games: float,
        level: float,
        fewest: int,
    ) -> list[Candidate]:
        """Return the candidates that can be confirmed within a number of games, cheapest first.

        Args:
            racing: The candidates.
            games: Games that can be played in all.
            level: Confidence of one interval.
            fewest: Number of candidates to return at least.

        Returns:
            The candidates, or all of them if none is expected to reach the targets.
        """
        needed = {
            candidate.values: self.estimate_needed_games(candidate, level) for candidate in racing
        }
        ordered = sorted(racing, key=lambda candidate: needed[candidate.values])
        if not isfinite(needed[ordered[0].values]):
            return ordered
        missing = [max(0.0, needed[c.values] - c.games) for c in ordered]
        affordable = sum(total <= games for total in accumulate(missing))
        return ordered[: max(fewest, affordable)]

    def estimate_needed_games(self, candidate: Candidate, level: float) -> float:
        """Return the games after which the intervals should lie in the bands, perhaps infinite.

        Uses the estimates of the seed with more games.
        """
        evaluator, played = self.choosing, self.candidates[candidate.values]
        if candidate.games > played.games:
            evaluator, played = self.confirming, candidate
        needed = 0.0
        for target in self.targets:
            estimate = evaluator.estimate_targets(played, level)[target.name]
            needed = max(needed, estimate.n * target.relative_width(estimate) ** 2)
        return SAFETY_FACTOR * needed

    def _measure_speed(self, candidates: Sequence[Candidate]) -> float:
        """Return games a second of the fastest candidate that was played."""
        speeds = []
        for candidate in (*self.candidates.values(), *candidates):
            if candidate.games:
                speeds.append(candidate.games / max(candidate.play_seconds, 1e-4))
        return max(speeds)

    def record_tried(self) -> None:
        """Record the estimates of all candidates from choosing; all intervals hold together."""
        played = [candidate for candidate in self.candidates.values() if candidate.games]
        level = self._compute_level(max(1, len(played)))
        order = {value: i for i, value in enumerate(self.variables[0].values)}
        played.sort(key=lambda c: (order[c.values[0]], str(c.values[1:])))
        for candidate in played:
            estimates = self.choosing.estimate_targets(candidate, level)
            self.solution.tried.append(Answer(candidate, estimates))
            if not candidate.changed_count:
                self.solution.base_rate = self._estimate_base_rate(candidate)
        self.solution.refused = [c for c in self.candidates.values() if c.refusal]

    def _estimate_base_rate(self, base: Candidate) -> Estimate | None:
        """Return the win rate of the variant as it is, or None if no target is about it."""
        for place, run in zip(self.choosing.places, base.runs, strict=True):
            if place == ((), ""):
                return estimate_win_rate(run.tally, self.solution.confidence)
        return None

    def _compute_level(self, candidates: int) -> float:
        """Return the confidence of one interval, such that all of some candidates hold together."""
        return bonferroni_level(self.solution.confidence, candidates * len(self.targets))

    def _is_over_at(self, share: float) -> Callable[[], bool]:
        """Return a function that tells whether a share of the time is over."""
        return lambda: self.budget.seconds is not None and self.budget.share_spent > share


def _get_cost_key(candidate: Candidate) -> tuple[int, float]:
    return candidate.changed_count, candidate.cost


def _sort_by_cost(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates without duplicates, the smallest changes first."""
    unique = {candidate.values: candidate for candidate in candidates}
    return sorted(unique.values(), key=_get_cost_key)


def _generate_doubled(games: int, most: int) -> Iterator[int]:
    """Yield `games` and its doubles below `most`, then `most`."""
    while games < most:
        yield games
        games *= 2
    yield most
