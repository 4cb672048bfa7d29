"""The report on one scenario: the verdict in words, then one section for each question of a designer."""

from __future__ import annotations

from hardmode.reports.page.chapters import (
    assumptions,
    causes,
    choices_worth,
    decided,
    examples,
    explorer,
    front,
    how_hard,
    luck_or_skill,
    over_time,
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


def chapter(g: ReportData) -> Chapter:
    why = causes.section(g)
    sections = [
        how_hard.section(g),
        ranking.section(g),
        rivals.section(g),
        skill_levels.section(g),
        luck_or_skill.section(g),
        why,
        causes.along(g),
        strongest.section(g),
        choices_worth.section(g),
        over_time.endings(g),
        over_time.length(g),
        decided.section(g),
        assumptions.section(g),
        trust.section(g),
        examples.section(g),
        trust.again(g),
    ]
    return Chapter(
        g.scenario.name,
        g.scenario.game.title,
        g.scenario.title,
        g.scenario.description,
        [front.quote(g), *skill_band.sentence(g), *skill_band.met(g), *causes.lead(g)],
        front.facts(g),
        [s for s in sections if s],
        _overview(g),
        front.box(g),
        explorer.data(g),
    )


def _overview(g: ReportData) -> dict[str, object]:
    won = [g.metric.estimate_win_rate(i.tally) for i in g.cells]
    found = front.facts(g)
    return {
        "game": g.scenario.game.title,
        "scenario": g.scenario.title,
        "variants": len(won),
        "games": sum(i.result.games for i in g.played_variants),
        "what": found[0][0],
        "found": formatting.format_rate(won[0]) if len(won) == 1 else found[0][1],
        "target": next((f"{t}: {v}" for n, t, v in found if n == "target"), ""),
        "length": f"{compute_quantile(g.total_tally.count_values('rounds'), 0.5)} {g.scenario.game.unit}",
    }
