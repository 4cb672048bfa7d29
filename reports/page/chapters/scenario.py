"""The report on one scenario: the verdict in words, then one section for each question of a designer."""

from __future__ import annotations

from hardmode.reports import wording
from hardmode.reports.page.chapters import (
    assumptions,
    causes,
    choices_worth,
    decided,
    examples,
    how_hard,
    luck_or_skill,
    over_time,
    ranking,
    rivals,
    skill_band,
    skill_levels,
    strongest,
    targets,
    trust,
)
from hardmode.reports.page.views import Chapter
from hardmode.studies import estimate_text
from hardmode.studies.headline import quantile
from hardmode.studies.survey import Survey


def chapter(g: Survey) -> Chapter:
    why = causes.section(g)
    sections = [how_hard.section(g), ranking.section(g), rivals.section(g), skill_levels.section(g),
                luck_or_skill.section(g), why, strongest.section(g), choices_worth.section(g), over_time.endings(g),
                over_time.length(g), decided.section(g), assumptions.section(g), trust.section(g), examples.section(g),
                trust.again(g)]
    return Chapter(g.scenario.name, g.scenario.game.title, g.scenario.title, g.scenario.description,
                   [*_verdict(g), *why.sentences[:1]], _facts(g), [s for s in sections if s], _overview(g))


def _verdict(g: Survey) -> list[str]:
    """How hard, for whom, and how it is lost, in a sentence each."""
    measure, base, band = g.measure, g.base, targets.win_band(g)
    won = measure.won(base.tally)
    if len(g.cells) > 1:
        told = how_hard.section(g).sentences
    elif measure.rivals:
        told = [f"Seat 1 of {g.first.players} wins {estimate_text.rate(won)} of {wording.games(won.n)}; an equal share "
                f"would be {100 / g.first.players:.0f} %."]
    else:
        told = [f"{wording.players(str(g.first.strategies[0]))} win {estimate_text.percent(won)} of games "
                f"({estimate_text.percent_span(won)}, {wording.games(won.n)})"
                + (f"; {targets.sentence_end(won, band)}." if band else ".")]
    return [*told, *skill_band.sentence(g), *skill_band.met(g)]


def _facts(g: Survey) -> list[tuple[str, str, str]]:
    """The figures at the head of a chapter."""
    won = [g.measure.won(i.tally) for i in g.cells]
    rounds, unit = g.whole.histogram("rounds"), g.scenario.game.unit
    name = "seat 1 wins" if g.measure.rivals else "win rate"
    if len(won) == 1:
        first = (name, estimate_text.percent(won[0]), f"{estimate_text.percent_span(won[0])}")
    else:
        low, high = min(won, key=lambda e: e.value), max(won, key=lambda e: e.value)
        first = (name, f"{100 * low.value:.0f} to {100 * high.value:.0f} %", f"over {len(won)} variants")
    band = None if g.measure.rivals else targets.win_band(g)
    target = []
    if band:
        met = [targets.verdict(e, band) for e in won]
        inside = met[0] if len(met) == 1 else f"{met.count(targets.INSIDE)} of {len(met)} inside"
        target.append(("target", targets.text(band), inside))
    return [first, *skill_band.fact(g), *assumptions.band_fact(g), *target,
            (f"median length, {unit}", str(quantile(rounds, 0.5)),
             f"half {wording.between(quantile(rounds, 0.25), quantile(rounds, 0.75))}"),
            ("games played", f"{sum(i.result.games for i in g.items):,}",
             f"{g.base.result.games:,} of " + ("each variant" if len(won) > 1 else "the scenario itself"))]


def _overview(g: Survey) -> dict[str, object]:
    won = [g.measure.won(i.tally) for i in g.cells]
    facts = _facts(g)
    return {"game": g.scenario.game.title, "scenario": g.scenario.title, "variants": len(won),
            "games": sum(i.result.games for i in g.items), "what": facts[0][0],
            "found": estimate_text.rate(won[0]) if len(won) == 1 else facts[0][1],
            "target": next((f"{t}: {v}" for n, t, v in facts if n == "target"), ""),
            "length": facts[-2][1] + " " + g.scenario.game.unit}
