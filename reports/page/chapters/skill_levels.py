"""For whom? The ladder of strategies, slips, the number of players, the heroes."""

from __future__ import annotations

from itertools import pairwise

from hardmode.reports import wording
from hardmode.reports.page import views
from hardmode.reports.page.chapters import targets
from hardmode.reports.page.chapters.factors import levels
from hardmode.reports.page.views import Column, Figure, Section, Table
from hardmode.scenarios.variant import PLAYERS
from hardmode.studies import estimate_text
from hardmode.studies.estimates import Estimate
from hardmode.studies.survey import RUNGS, Survey

MOST_HEROES = 30


def section(g: Survey) -> Section:
    figures = [f for f in (_ladder(g), _forgiveness(g), _players(g), *_heroes(g)) if f]
    return Section("for-whom", "For whom?", [*_sentences(g), *_forgives(g)], figures, [_ladder_table(g)])


def _sentences(g: Survey) -> list[str]:
    steps = [rung for rung in g.ladder if rung in RUNGS]
    own = [rung for rung in g.ladder if rung not in RUNGS]
    ends = list(dict.fromkeys([*steps[:1], *own, *steps[-1:]]))
    told = []
    if len(ends) > 1:
        who = "The player" if g.first.players == 1 else "The group"
        who = "The first seat, against the players of the scenario," if g.measure.rivals else who
        rates = wording.listed([f"{estimate_text.rate(g.measure.won(g.ladder[rung].tally))} when it plays {_how(rung)}"
                                for rung in ends])
        told.append(f"{who} wins {rates.replace(' when', ' of the games when', 1)}.")
        told += [f"This ladder was played on the first variant: {g.base.label}."] if len(g.cells) > 1 else []
    return told


def _how(rung: str) -> str:
    return {"random": "at random", "beginner": "as a beginner", "steady": "steadily", "trained": "as trained",
            "expert": "expertly"}.get(rung, f"“{rung}”")


def _ladder(g: Survey) -> Figure:
    rows = [{"label": rung, "estimate": g.measure.won(item.tally)} for rung, item in g.ladder.items()]
    band = None if g.measure.rivals else targets.win_band(g)
    fair = 1 / g.first.players if g.measure.rivals else None
    return views.dots("ladder", f"{g.measure.win.capitalize()} by strategy", rows, "rate", g.measure.win,
                      band=targets.drawn(band), band_text=f"target {targets.text(band)}" if band else "", mark=fair,
                      mark_text="an equal share" if fair else "")


def _curve(g: Survey) -> tuple[list[float], list[Estimate]]:
    shares = sorted(g.slips)
    return shares, [g.measure.won(g.slips[share].tally) for share in shares]


def _forgiveness(g: Survey) -> Figure | None:
    if not g.slips:
        return None
    shares, found = _curve(g)
    ends = f"{estimate_text.rate(found[0])} without slips, {estimate_text.rate(found[-1])} with nothing else"
    return views.lines("forgiveness", f"{g.measure.win.capitalize()} by slips",
                       [{"name": "", "role": "a", "x": [100 * x for x in shares], "estimates": found}],
                       "decisions got wrong, %", g.measure.win, f"{g.measure.win.capitalize()} by slips: {ends}.",
                       share=True, note="A slip takes any legal option. This compares variants of one game, not games.")


def _forgives(g: Survey) -> list[str]:
    """How much may go wrong until only half of the games, or half of what is won without slips, are still won."""
    if not g.slips:
        return []
    shares, found = _curve(g)
    most = found[0].value >= 0.5
    line = 0.5 if most else found[0].value / 2
    kept = _reaches(shares, [e.value for e in found], line)
    if not found[0].value or kept is None:
        return []
    who = "the first seat still wins" if g.measure.rivals else "players still win"
    what = f"{who} half of the games" if most else f"{who} half as many games as without"
    often = f"One decision in {round(1 / kept)}" if kept <= 0.5 else f"{100 * kept:.0f} % of all decisions"
    return [f"{often} may be a blunder and {what}; without any it is {estimate_text.rate(found[0])}."]


def _reaches(shares: list[float], rates: list[float], line: float) -> float | None:
    """The share at which the curve first falls to the line, straight between what was played."""
    for (x, y), (after, below) in pairwise(zip(shares, rates, strict=True)):
        if y >= line > below:
            return x + (after - x) * (y - line) / (y - below) or None
    return None


def _players(g: Survey) -> Figure | None:
    others = g.choices.get(PLAYERS)
    if not others:
        return None
    found = sorted([(g.first.values[PLAYERS], g.base), *others.items()])
    rows = [{"label": f"{n} player{'s' if n != 1 else ''}", "estimate": g.measure.won(i.tally)} for n, i in found]
    band = None if g.measure.rivals else targets.win_band(g)
    return views.dots("players", f"{g.measure.win.capitalize()} by number of players", rows, "rate", g.measure.win,
                      band=targets.drawn(band), band_text=f"target {targets.text(band)}" if band else "")


def _heroes(g: Survey) -> list[Figure]:
    """Each thing that a seat has of its own, and how often a seat that has it wins."""
    made = []
    for measure in g.scenario.game.measures:
        found = levels(g.whole, measure.name) if measure.factor and measure.per_seat else {}
        if 2 <= len(found) <= MOST_HEROES:
            rows = [{"label": name, "estimate": g.measure.rate(x.wins, x.games)} for name, x in found.items()]
            fair = 1 / g.first.players if g.measure.rivals and len(g.cells) == 1 else None
            who = "seats" if g.measure.rivals else "players" if g.first.players == 1 else "groups"
            made.append(views.dots(f"by-{measure.name}", f"How often {who} with each {measure.name} win", rows, "rate",
                                   "share of games won", mark=fair, mark_text="an equal share" if fair else ""))
    return made


def _ladder_table(g: Survey) -> Table:
    unit = g.scenario.game.unit
    columns = [Column("strategy", "strategy"), Column("games", "games", "count"), Column("won", g.measure.win, "rate"),
               *([Column("score", "mean score", "mean")] if g.scenario.game.scored else []),
               Column("length", f"mean {unit}", "mean")]
    rows = [{"strategy": rung, "games": item.result.games, "won": g.measure.won(item.tally),
             "score": g.measure.mean(item.tally, "score 1"), "length": g.measure.mean(item.tally, "rounds")}
            for rung, item in g.ladder.items()]
    return Table("ladder", "The ladder of strategies", columns, rows)
