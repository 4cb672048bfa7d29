"""Chapter on one scenario: verdict, three sections for every reader, and folded details."""

from __future__ import annotations

from dataclasses import replace

from hardmode.reports.page.chapters import (
    assumptions,
    causes,
    choices_worth,
    decided,
    examples,
    explorer,
    front,
    hardness,
    how_hard,
    luck_or_skill,
    more_time,
    over_time,
    proposals,
    ranking,
    rivals,
    skill_band,
    skill_levels,
    strongest,
    trust,
)
from hardmode.reports.page.model import Chapter
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import formatting


def make_scenario_chapter(report: ReportData) -> Chapter:
    """Return the chapter on one scenario."""
    screens = [
        how_hard.make_difficulty_section(report),
        hardness.make_hardness_section(report),
        proposals.make_proposals_section(report),
    ]
    details = [
        ranking.make_ranking_section(report),
        rivals.make_score_section(report),
        skill_levels.make_skill_level_section(report),
        luck_or_skill.make_luck_section(report),
        causes.make_causes_section(report),
        causes.make_factors_section(report),
        strongest.make_parameters_section(report),
        choices_worth.make_choices_section(report),
        over_time.make_endings_section(report),
        over_time.make_length_section(report),
        decided.make_decision_point_section(report),
        assumptions.make_assumptions_section(report),
        examples.make_examples_section(report),
        trust.make_trust_section(report),
        more_time.make_more_time_section(report),
        trust.make_reproduction_section(report),
    ]
    verdict = [
        front.describe_headline(report),
        *skill_band.describe_target_by_level(report),
    ]
    return Chapter(
        report.scenario.name,
        report.scenario.game.title,
        report.scenario.title,
        report.scenario.description,
        verdict,
        front.list_facts(report),
        [
            *screens,
            *(replace(section, is_folded=True) for section in details if section),
        ],
        _make_overview_row(report),
        front.list_box_facts(report),
        explorer.make_explorer_data(report),
    )


def _make_overview_row(report: ReportData) -> dict[str, object]:
    game = report.scenario.game
    headline, *others = front.list_facts(report)
    result = headline[1]
    if len(report.cells) == 1:
        result = formatting.format_rate(report.metric.estimate_win_rate(report.cells[0].tally))
    targets = [f"{target}: {verdict}" for name, target, verdict in others if name == "target"]
    median = compute_quantile(report.total_tally.count_values("rounds"), 0.5)
    return {
        "game": game.title,
        "scenario": report.scenario.title,
        "variants": len(report.cells),
        "games": sum(item.result.games for item in report.played_variants),
        "what": headline[0],
        "found": result,
        "target": targets[0] if targets else "",
        "length": f"{median} {game.unit}",
    }
