"""Play everything that a report on one scenario shows, within one budget.

Each part is a function that declares which results of other parts it needs (`PARTS`). The runner
plays them in an order in which these are known, and gives each its shares of the time. The same
variant is never played twice, and all variants are played with the same random draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from hardmode.scenarios.load import Scenario
from hardmode.sim.play.backends import current_backend
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run import game_flow, parameters, variant_parts
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.report_run.parts import (
    SCENARIO_TIME_SHARES,
    SLOW_SKILL_LEVELS,
    SWEEP_TIME_SHARES,
    Part,
    PartBudget,
    ReportContext,
    order_parts,
)
from hardmode.studies.report_run.precomputed import Precomputed, load_precomputed
from hardmode.studies.report_run.variant_player import VariantPlayer


def _make_part(play: Any, name: str, needs: Sequence[str] = (), slow_note: str = "") -> Part:
    """Return a part with a share of the budget of its own."""
    return Part(name, play, tuple(needs), (name,), slow_note)


PARTS = (
    Part("speed", variant_parts.measure_base_speed),
    Part("cell_runs", variant_parts.play_cells, ("speed",), ("cells",)),
    Part("cells", variant_parts.list_played_cells, ("cell_runs",)),
    Part("ranking", variant_parts.rank_played_cells, ("cell_runs",)),
    Part("batch_tallies", variant_parts.merge_batches, ("cell_runs",)),
    Part("sample_rows", variant_parts.play_sample_rows, ("cells", "speed")),
    Part("setup_factors", variant_parts.find_factors, ("sample_rows",)),
    Part(
        "skill_levels",
        variant_parts.play_skill_levels,
        ("cells", "speed", "precomputed"),
        ("skill_levels", SLOW_SKILL_LEVELS),
    ),
    Part(
        "mistake_curves",
        variant_parts.play_mistake_curves,
        ("skill_levels", "speed"),
        ("mistake_curves", "other_mistake_curves"),
    ),
    _make_part(variant_parts.play_setup_choices, "setup_choices", ["speed"]),
    _make_part(variant_parts.play_uncertain_grid, "uncertain_grid", ["cells", "speed"]),
    _make_part(variant_parts.play_setup_grid, "setup_grid", ["cells", "speed", "setup_choices"]),
    _make_part(parameters.run_sensitivity_analysis, "sensitivity", slow_note=parameters.TOO_SLOW),
    _make_part(parameters.run_uncertainty_analysis, "uncertainty", slow_note=parameters.TOO_SLOW),
    _make_part(game_flow.run_option_value_analysis, "option_values", slow_note=game_flow.TOO_SLOW),
    _make_part(game_flow.run_luck_analysis, "luck", slow_note=game_flow.TOO_SLOW),
    _make_part(
        game_flow.run_decision_point_analysis, "decision_point", slow_note=game_flow.TOO_SLOW
    ),
    _make_part(game_flow.measure_turn_stats, "turn_stats", slow_note=game_flow.TOO_SLOW),
    _make_part(
        game_flow.run_turning_point_analysis,
        "turning_points",
        ["sample_rows", "precomputed"],
        game_flow.TOO_SLOW,
    ),
)


def play_report(
    scenario: Scenario,
    effort: Effort,
    seconds: float | None,
    progress: Progress,
    time_shares: Mapping[str, float] | None = None,
    retrain: int = 0,
) -> ReportData:
    """Play the parts of a report, except for studies that were precomputed.

    Args:
        scenario: The scenario.
        effort: Games of each cell, seed, threads and confidence.
        seconds: Upper limit of the time; None if the games alone are limited.
        progress: Called as games are finished.
        time_shares: Parts to play and their shares of the time; by default, all parts.
        retrain: Number of leading readings for which `trained` is retrained, after the time limit.
    """
    precomputed = load_precomputed(scenario, effort.confidence)
    runner = ReportRunner(scenario, effort, seconds, progress, time_shares, retrain)
    return runner.run(precomputed)


class ReportRunner:
    """Plays the parts of one report."""

    def __init__(
        self,
        scenario: Scenario,
        effort: Effort,
        seconds: float | None,
        progress: Progress,
        time_shares: Mapping[str, float] | None = None,
        retrain: int = 0,
        games_per_step: int = 0,
    ) -> None:
        """Plan the parts; the arguments are those of `play_report`.

        With `games_per_step`, the sensitivity analysis plays so many games of each step, on
        average, instead of its share of the time.
        """
        self.retrain, self.games_per_step = retrain, games_per_step
        self.scenario, self.effort = scenario, effort.resolve_seed(scenario)
        self.seconds, self.progress = seconds, progress
        self._progress_share = 0.0  # never goes back, also where a part plays ahead
        if time_shares is None:
            time_shares = SCENARIO_TIME_SHARES if len(scenario.cells) == 1 else SWEEP_TIME_SHARES
        self.time_shares = time_shares
        planned = [part for part in PARTS if not part.shares or set(part.shares) & set(time_shares)]
        self.parts = order_parts(planned, inputs=["precomputed"])

    def run(self, precomputed: Precomputed) -> ReportData:
        """Play all parts, except for studies that were precomputed."""
        metric = DifficultyMetric.from_scenario(self.scenario, self.effort.confidence)
        context = ReportContext(
            self.scenario,
            self.effort,
            self.seconds,
            metric,
            VariantPlayer(self.scenario, self.effort),
            self._make_budgets(),
            self.retrain,
            self.games_per_step,
        )
        results: dict[str, Any] = {"precomputed": precomputed}
        for part in self.parts:
            results.update(self._play_part(part, context, results))
        known = {f.name for f in fields(ReportData)}
        return ReportData(
            self.scenario,
            self.effort,
            metric,
            precomputed_seconds=precomputed.seconds,
            omissions=context.omissions,
            **{name: result for name, result in results.items() if name in known},
        )

    def _play_part(
        self, part: Part, context: ReportContext, results: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the result of a part by its name, or nothing if it is not played.

        Args:
            part: The part.
            context: The context of the report.
            results: Results so far, by name.
        """
        known = results["precomputed"].studies.get(part.name)
        if known and "precomputed" not in part.needs:
            return {part.name: known}
        if part.slow_note and context.players_search:
            context.add_omission(part.slow_note)
            return {}
        return {part.name: part.play(context, **{need: results[need] for need in part.needs})}

    def _make_budgets(self) -> dict[str, PartBudget]:
        """Return the budget of each share, with the progress at which it begins."""
        threads = current_backend(self.effort.threads).workers
        budgets, start = {}, 0.0
        for part in self.parts:
            for name in part.shares:
                share = self.time_shares.get(name, 0.0)
                if share:
                    seconds = None if self.seconds is None else share * self.seconds
                    progress = self._make_progress(start, share)
                    budgets[name] = PartBudget(name, self.effort, seconds, threads, progress)
                    start += share
        return budgets

    def _make_progress(self, start: float, part_share: float) -> Progress:
        def report_progress(what: str, share: float, pace: float = 0.0) -> None:
            reached = min(1.0, start + part_share * min(share, 1.0))
            self._progress_share = max(self._progress_share, reached)
            self.progress(what, self._progress_share, pace)

        return report_progress
