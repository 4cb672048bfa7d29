"""For whom? The ladder of strategies, slips, the number of players, the heroes."""

from __future__ import annotations

import shlex

from hardmode.reports.console import wording
from hardmode.reports.console.fit import estimate, forecast_tables, percent
from hardmode.reports.page import model
from hardmode.reports.page.chapters import forgiveness, skill_band, targets
from hardmode.reports.page.chapters.factors import levels
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.studies.core.skill_levels import PLAYER_NAMES, SKILL_LEVELS
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.report_run.data import ReportData, command_options
from hardmode.studies.stats import formatting

YOURS = "your table"
MOST_HEROES = 30
ALONE = (
    "Where seats compete, all would rise together: each level, and each share of slips, is that of the first seat "
    "alone, with steady players at the others."
)


def section(g: ReportData) -> Section:
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


def _table_sentences(g: ReportData) -> list[str]:
    """Those who played, on the scale of slips."""
    if not g.fit_forecasts:
        return []
    file, found = g.fit_forecasts
    where = f" with {found[0].cell.label_text}" if found[0].cell.label else ""
    last, who = (
        " at the last of them" if file.is_latest else "",
        "seat 1" if g.metric.competitive else "it",
    )
    told = (
        f"{YOURS.capitalize()} plays as {file.player} with {percent(file.level)} slips{last}, near {file.skill_level}, by "
        f"{file.plays} played games; {who} would win {percent(found[0].win_rate)} of its games{where}{_numbers(file)}. "
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


def _table_forecast(g: ReportData) -> list[Table]:
    return forecast_tables(g.fit_forecasts[1])[:1] if g.fit_forecasts else []


def _sentences(g: ReportData) -> list[str]:
    steps = [rung for rung in g.skill_levels if rung in SKILL_LEVELS]
    own = [rung for rung in g.skill_levels if rung not in SKILL_LEVELS and not g.metric.competitive]
    sure = [rung for rung in steps if rung in skill_band.known(g)]
    ends = list(dict.fromkeys([*sure[:1], *own, *sure[-1:]]))
    told = []
    if len(ends) > 1:
        who = "The player" if g.first_cell.players == 1 else "The group"
        who = "The first seat, against steady players," if g.metric.competitive else who
        rates = wording.listed(
            [
                f"{formatting.format_rate(g.metric.estimate_win_rate(g.skill_levels[rung].tally))} when it plays {_how(rung)}"
                for rung in ends
            ]
        )
        told.append(f"{who} wins {rates.replace(' when', ' of the games when', 1)}.")
        told += [ALONE] if g.metric.competitive else []
        told += (
            [f"This ladder was played on the first variant: {g.base.label}."]
            if len(g.cells) > 1
            else []
        )
    return told


def _unsure(g: ReportData) -> list[str]:
    """The rungs that are shown, and are too uncertain to be told."""
    rungs = [rung for rung in g.skill_levels if rung in SKILL_LEVELS and rung not in skill_band.known(g)]
    return [
        f"Of {PLAYER_NAMES[rung]} only {wording.games(g.skill_levels[rung].result.games)} were played: too few for a headline."
        for rung in rungs
    ]


def hints(g: ReportData) -> list[tuple[str, str]]:
    """How more of a rung is played that was played too little."""
    few = any(rung in SKILL_LEVELS and rung not in skill_band.known(g) for rung in g.skill_levels)
    return (
        [
            (
                "More games of each level",
                shlex.join(
                    [
                        "hardmode",
                        "report",
                        g.scenario.name,
                        *command_options({}, g.scenario.overlay),
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


def _ladder(g: ReportData) -> Figure:
    rows = [
        {"label": rung, "estimate": g.metric.estimate_win_rate(item.tally)} for rung, item in g.skill_levels.items()
    ]
    rows += (
        [{"label": YOURS, "estimate": estimate(g.fit_forecasts[1][0].win_rate, g.fit_forecasts[1][0].games)}]
        if g.fit_forecasts
        else []
    )
    band = None if g.metric.competitive else targets.win_band(g)
    fair = 1 / g.first_cell.players if g.metric.competitive else None
    where = f", with {g.base.label}" if len(g.cells) > 1 else ""
    return model.dots(
        "ladder",
        f"{g.metric.win_rate_label.capitalize()} by strategy{where}",
        rows,
        "rate",
        g.metric.win_rate_label,
        band=targets.drawn(band),
        band_text=f"target {targets.text(band)}" if band else "",
        mark=fair,
        mark_text="an equal share" if fair else "",
    )


def _players(g: ReportData) -> Figure | None:
    others = g.setup_choices.get(PLAYERS_PATH)
    if not others:
        return None
    found = sorted([(g.first_cell.values[PLAYERS_PATH], g.base), *others.items()])
    rows = [
        {"label": f"{n} player{'s' if n != 1 else ''}", "estimate": g.metric.estimate_win_rate(i.tally)}
        for n, i in found
    ]
    band = None if g.metric.competitive else targets.win_band(g)
    return model.dots(
        "players",
        f"{g.metric.win_rate_label.capitalize()} by number of players",
        rows,
        "rate",
        g.metric.win_rate_label,
        band=targets.drawn(band),
        band_text=f"target {targets.text(band)}" if band else "",
    )


def _heroes(g: ReportData) -> list[Figure]:
    """Each thing that a seat has of its own, and how often a seat that has it wins."""
    made = []
    for measure in g.scenario.game.measures:
        found = levels(g.total_tally, measure.name) if measure.factor and measure.per_seat else {}
        if 2 <= len(found) <= MOST_HEROES:
            rows = [
                {"label": name, "estimate": g.metric.estimate_rate(x.wins, x.games)}
                for name, x in found.items()
            ]
            fair = 1 / g.first_cell.players if g.metric.competitive and len(g.cells) == 1 else None
            who = "seats" if g.metric.competitive else "players" if g.first_cell.players == 1 else "groups"
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


def _ladder_table(g: ReportData) -> Table:
    unit = g.scenario.game.unit
    columns = [
        Column("strategy", "strategy"),
        Column("games", "games", "count"),
        Column("won", g.metric.win_rate_label, "rate"),
        *([Column("score", "mean score", "mean")] if g.scenario.game.scored else []),
        Column("length", f"mean {unit}", "mean"),
    ]
    rows = [
        {
            "strategy": rung,
            "games": item.result.games,
            "won": g.metric.estimate_win_rate(item.tally),
            "score": g.metric.estimate_mean(item.tally, "score 1"),
            "length": g.metric.estimate_mean(item.tally, "rounds"),
        }
        for rung, item in g.skill_levels.items()
    ]
    return Table("ladder", "The ladder of strategies", columns, rows)
