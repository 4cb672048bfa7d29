"""For whom? The ladder of strategies, slips, the number of players, the heroes."""

from __future__ import annotations

import shlex

from hardmode.reports.console import wording
from hardmode.reports.console.fit import estimate, forecast_tables, percent
from hardmode.reports.page import model
from hardmode.reports.page.chapters import forgiveness, skill_band, targets
from hardmode.reports.page.chapters.factors import levels
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.scenarios.variant import PLAYERS
from hardmode.studies.core.skill_levels import RUNGS, WHO
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.report_run.data import Survey, flags
from hardmode.studies.stats import formatting

YOURS = "your table"
MOST_HEROES = 30
ALONE = (
    "Where seats compete, all would rise together: each level, and each share of slips, is that of the first seat "
    "alone, with steady players at the others."
)


def section(g: Survey) -> Section:
    figures = [f for f in (_ladder(g), forgiveness.figure(g), _players(g), *_heroes(g)) if f]
    told = [*_sentences(g), *_table_sentences(g), *forgiveness.sentences(g), *_unsure(g)]
    return Section(
        "for-whom",
        "For whom?",
        told,
        figures,
        [_ladder_table(g), *_table_forecast(g)],
        hints=hints(g),
        brief=Brief(2, ["ladder", "forgiveness"]),
    )


def _table_sentences(g: Survey) -> list[str]:
    """Those who played, on the scale of slips."""
    if not g.table:
        return []
    file, found = g.table
    where = f" with {found[0].cell.label_text}" if found[0].cell.label else ""
    last, who = (
        " at the last of them" if file.latest else "",
        "seat 1" if g.measure.rivals else "it",
    )
    told = (
        f"{YOURS.capitalize()} plays as {file.player} with {percent(file.level)} slips{last}, near {file.rung}, by "
        f"{file.plays} played games; {who} would win {percent(found[0].rate)} of its games{where}{_numbers(file)}. "
        "Bands hold nine in ten."
    )
    return [
        told,
        *([] if file.fits else ["The model did not fit those plays: this is not to be trusted."]),
    ]


def _numbers(file: FitFile) -> str:
    """What the table's rate has that the rest of the chapter has not."""
    freed = any(drawn for _, drawn in file.beliefs)
    return (
        ", with the numbers of the box that its plays speak for (all else here is as it is assumed)"
        if freed
        else ""
    )


def _table_forecast(g: Survey) -> list[Table]:
    return forecast_tables(g.table[1])[:1] if g.table else []


def _sentences(g: Survey) -> list[str]:
    steps = [rung for rung in g.ladder if rung in RUNGS]
    own = [rung for rung in g.ladder if rung not in RUNGS and not g.measure.rivals]
    sure = [rung for rung in steps if rung in skill_band.known(g)]
    ends = list(dict.fromkeys([*sure[:1], *own, *sure[-1:]]))
    told = []
    if len(ends) > 1:
        who = "The player" if g.first.players == 1 else "The group"
        who = "The first seat, against steady players," if g.measure.rivals else who
        rates = wording.listed(
            [
                f"{formatting.rate(g.measure.won(g.ladder[rung].tally))} when it plays {_how(rung)}"
                for rung in ends
            ]
        )
        told.append(f"{who} wins {rates.replace(' when', ' of the games when', 1)}.")
        told += [ALONE] if g.measure.rivals else []
        told += (
            [f"This ladder was played on the first variant: {g.base.label}."]
            if len(g.cells) > 1
            else []
        )
    return told


def _unsure(g: Survey) -> list[str]:
    """The rungs that are shown, and are too uncertain to be told."""
    rungs = [rung for rung in g.ladder if rung in RUNGS and rung not in skill_band.known(g)]
    return [
        f"Of {WHO[rung]} only {wording.games(g.ladder[rung].result.games)} were played: too few for a headline."
        for rung in rungs
    ]


def hints(g: Survey) -> list[tuple[str, str]]:
    """How more of a rung is played that was played too little."""
    few = any(rung in RUNGS and rung not in skill_band.known(g) for rung in g.ladder)
    return (
        [
            (
                "More games of each level",
                shlex.join(
                    [
                        "hardmode",
                        "report",
                        g.scenario.name,
                        *flags({}, g.scenario.own),
                        "--seconds",
                        "300",
                    ]
                ),
            )
        ]
        if few
        else []
    )


def _how(rung: str) -> str:
    return {
        "random": "at random",
        "beginner": "as a beginner",
        "steady": "steadily",
        "trained": "as trained",
        "expert": "expertly",
    }.get(rung, f"“{rung}”")


def _ladder(g: Survey) -> Figure:
    rows = [
        {"label": rung, "estimate": g.measure.won(item.tally)} for rung, item in g.ladder.items()
    ]
    rows += (
        [{"label": YOURS, "estimate": estimate(g.table[1][0].rate, g.table[1][0].games)}]
        if g.table
        else []
    )
    band = None if g.measure.rivals else targets.win_band(g)
    fair = 1 / g.first.players if g.measure.rivals else None
    where = f", with {g.base.label}" if len(g.cells) > 1 else ""
    return model.dots(
        "ladder",
        f"{g.measure.win.capitalize()} by strategy{where}",
        rows,
        "rate",
        g.measure.win,
        band=targets.drawn(band),
        band_text=f"target {targets.text(band)}" if band else "",
        mark=fair,
        mark_text="an equal share" if fair else "",
    )


def _players(g: Survey) -> Figure | None:
    others = g.choices.get(PLAYERS)
    if not others:
        return None
    found = sorted([(g.first.values[PLAYERS], g.base), *others.items()])
    rows = [
        {"label": f"{n} player{'s' if n != 1 else ''}", "estimate": g.measure.won(i.tally)}
        for n, i in found
    ]
    band = None if g.measure.rivals else targets.win_band(g)
    return model.dots(
        "players",
        f"{g.measure.win.capitalize()} by number of players",
        rows,
        "rate",
        g.measure.win,
        band=targets.drawn(band),
        band_text=f"target {targets.text(band)}" if band else "",
    )


def _heroes(g: Survey) -> list[Figure]:
    """Each thing that a seat has of its own, and how often a seat that has it wins."""
    made = []
    for measure in g.scenario.game.measures:
        found = levels(g.whole, measure.name) if measure.factor and measure.per_seat else {}
        if 2 <= len(found) <= MOST_HEROES:
            rows = [
                {"label": name, "estimate": g.measure.rate(x.wins, x.games)}
                for name, x in found.items()
            ]
            fair = 1 / g.first.players if g.measure.rivals and len(g.cells) == 1 else None
            who = "seats" if g.measure.rivals else "players" if g.first.players == 1 else "groups"
            made.append(
                model.dots(
                    f"by-{measure.name}",
                    f"How often {who} with each {measure.name} win",
                    rows,
                    "rate",
                    "share of games won",
                    mark=fair,
                    mark_text="an equal share" if fair else "",
                )
            )
    return made


def _ladder_table(g: Survey) -> Table:
    unit = g.scenario.game.unit
    columns = [
        Column("strategy", "strategy"),
        Column("games", "games", "count"),
        Column("won", g.measure.win, "rate"),
        *([Column("score", "mean score", "mean")] if g.scenario.game.scored else []),
        Column("length", f"mean {unit}", "mean"),
    ]
    rows = [
        {
            "strategy": rung,
            "games": item.result.games,
            "won": g.measure.won(item.tally),
            "score": g.measure.mean(item.tally, "score 1"),
            "length": g.measure.mean(item.tally, "rounds"),
        }
        for rung, item in g.ladder.items()
    ]
    return Table("ladder", "The ladder of strategies", columns, rows)
