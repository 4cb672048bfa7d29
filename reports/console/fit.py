"""What played games say, in words, as a table and as JSON; and forecasts for those who played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import listed
from hardmode.reports.page.model import Column
from hardmode.reports.page.model import Table as Told
from hardmode.studies.playtests.fit.analysis import FitResult
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.playtests.fit.goodness_of_fit import MeasureTest
from hardmode.studies.playtests.fit.posterior import MIN_EFFECTIVE_BOXES, Band
from hardmode.studies.playtests.fit.posterior_predictive import Forecast, ForecastDifference
from hardmode.studies.stats.estimates import Estimate

ALIKE = 0.005  # bits by which variants may differ by chance
SMALL = 0.1  # a share of which a hundredth tells too little
SHOWN = 12  # measures, those first that fit worst


def show(made: FitResult) -> None:
    out.print(
        f"[bold]{made.cell.game.title}: {escape(made.cell.title)}[/bold]{escape(made.cell.overlay_suffix)}"
    )
    for line in sentences(made):
        out.print(escape(line), soft_wrap=True)
    if len(made.group_levels) > 1:
        out.print(_groups(made))
    if made.unknowns:
        out.print(_free(made))
    if made.measures:
        out.print(_measures(made))
        _say_left_out(len(made.measures))
    out.print(
        f"[dim]bands hold nine in ten; {made.games:,} games at each of {len(made.boxes)} "
        f"box{'es' if len(made.boxes) > 1 else ''} and every level; seed {made.seed}[/dim]"
    )


def _say_left_out(measures: int) -> None:
    if measures > SHOWN:
        out.print(
            f"[dim]and {measures - SHOWN} more measures, which fit better; --json has all[/dim]"
        )


def sentences(made: FitResult) -> list[str]:
    """What is answered, the misfit first where there is one."""
    told = (
        []
        if made.fits
        else [
            f"The model does not fit these plays: {listed([misfit(one) for one in made.measures if one.is_misfit])}. "
            "What follows is what it makes of them all the same; do not trust it."
        ]
    )
    told.append(
        f"Your {made.plays} plays fit {percent(made.level)} slips of {made.base_player}"
        f"{' at seat 1' if made.cell.game.competitive and made.cell.players > 1 else ''}; the nearest rung is "
        f"{made.skill_level}."
    )
    if made.learning and made.learning.is_clear:
        less = made.learning.probability_fewer > 0.5
        told.append(
            f"They have {'learnt' if less else 'got worse'}: from {percent(made.learning.first)} slips at the "
            f"first play to {percent(made.learning.last)} at the last. What is forecast is how they play now."
        )
    told.append(
        f"That table wins {percent(made.win_rate)} of its games"
        + (f" of {made.cell.label_text}" if made.cell.label else "")
        + "."
        + (" That is a wide band: so few plays say little." if made.is_wide else "")
    )
    told.append(
        "How many more plays would halve the band is not told of those who are learning."
        if made.is_latest
        else f"About {made.more_plays:,} more plays would halve the band."
        if made.more_plays
        else f"Even {20 * made.plays:,} more plays would not halve the band: the rest is what is unknown of the "
        "box, and the chance of the simulated games, of which more --seconds play more."
    )
    best = made.next_variants[0] if made.next_variants else None
    if best and best.bits - made.next_variants[-1].bits > ALIKE:
        told.append(
            f"To learn most, play next: {best.name}. A game of it tells {best.bits:.3f} bits; of "
            f"{made.next_variants[-1].name}, {made.next_variants[-1].bits:.3f}."
        )
    told += _dealt(made.setup_factors)
    if len(made.boxes) > 1 and made.effective_boxes < MIN_EFFECTIVE_BOXES:
        told.append(
            "Few of the boxes that were tried agree with the plays, which therefore count for less than they "
            "say: more --seconds try more boxes, and --free NUMBER fewer numbers."
        )
    return told


def _dealt(dealt: dict[str, list[str]]) -> list[str]:
    """What was made of what chance dealt."""
    said = {
        "used": "Plays were held against games that were dealt the same {}.",
        "left": "Too few simulated games were dealt the same {} as some plays, which were held against others too.",
        "in_play": "No use was made of what comes about in play: {}.",
    }
    return [text.format(listed(dealt[kind])) for kind, text in said.items() if dealt[kind]]


def misfit(one: MeasureTest) -> str:
    """One measure that does not fit."""
    form = _share if one.is_share else _number
    low, high = one.reach
    beyond = (
        f"; no level in any box comes above {form(high)}"
        if one.observed > high
        else f"; no level in any box comes below {form(low)}"
        if one.observed < low
        else ""
    )
    blame = f"; {listed(one.likely_causes)} may be to blame" if one.likely_causes else ""
    return (
        f"{one.measure} is {form(one.observed)} in {one.n} plays where the model has {form(one.predicted['5'])} to "
        f"{form(one.predicted['95'])} at your win rate (p = {one.p:.2g}){beyond}{blame}"
    )


def percent(b: Band) -> str:
    """31 % (18 .. 46); with a digit more where all is small"""
    digits = 1 if b["95"] < SMALL else 0
    return f"{100 * b['50']:.{digits}f} % ({100 * b['5']:.{digits}f} .. {100 * b['95']:.{digits}f})"


def _share(x: float) -> str:
    return f"{100 * x:.0f} %"


def _number(x: float) -> str:
    return f"{round(x, 1) + 0.0:.1f}"  # and no -0.0


def _figures(x: float) -> str:
    """A whole number as it is, another to three figures."""
    return f"{x:.0f}" if x == round(x) else f"{float(f'{x:.3g}'):g}"


def _of(heads: Sequence[str], title: str = "") -> Table:
    table = Table(header_style="bold", title=title or None, title_justify="left")
    for i, head in enumerate(heads):
        table.add_column(head, justify="right" if i else "left")
    return table


def _groups(made: FitResult) -> Table:
    table = _of(("group", "plays", "slips"))
    for group, level in made.group_levels.items():
        table.add_row(escape(group), str(made.group_plays[group]), percent(level))
    return table


def _free(made: FitResult) -> Table:
    table = _of(("unknown number", "believed after the plays"))
    for path, values in made.unknowns.items():
        if set(values) == {"5", "50", "95"}:
            said = f"{_figures(values['50'])} ({_figures(values['5'])} .. {_figures(values['95'])})"
        else:
            said = ", ".join(
                f"{name} {_share(p)}"
                for name, p in sorted(values.items(), key=lambda v: -v[1])
                if p
            )
        table.add_row(escape(path), escape(said))
    return table


def _measures(made: FitResult) -> Table:
    table = _of(
        ("measure", "plays", "seen", "the model, at your win rate", "p, of all together", "fits")
    )
    for one in made.measures[:SHOWN]:
        form = _share if one.is_share else _number
        table.add_row(
            escape(one.measure),
            str(one.n),
            form(one.observed),
            f"{form(one.predicted['50'])} ({form(one.predicted['5'])} .. {form(one.predicted['95'])})",
            f"{one.p:.2g}",
            "no" if one.is_misfit else "yes",
        )
    return table


# -- forecasts ------------------------------------------------------------------------------------


def whose(file: FitFile) -> str:
    """Who is meant by a forecast."""
    doubt = "" if file.fits else "; the model did not fit those plays, so do not trust this"
    return (
        f"as the table of {file.file} plays: {file.plays} plays, {percent(file.level)} slips of {file.player}"
        f"{' at the last of them' if file.is_latest else ''}, near {file.skill_level}{doubt}"
    )


def show_forecast(found: Sequence[Forecast], file: FitFile) -> None:
    first = found[0].cell
    out.print(
        f"[bold]{first.game.title}: {escape(first.title)}[/bold]{escape(first.overlay_suffix)}\n{escape(whose(file))}",
        soft_wrap=True,
    )
    table = _of(("cell", "games", "win rate", first.game.unit, "how it ends"))
    for one in found:
        ends = sorted(one.endings.items(), key=lambda e: -e[1]["50"])[:4]
        table.add_row(
            escape(one.cell.label_text or "all"),
            f"{one.games:,}",
            percent(one.win_rate),
            f"{one.rounds['50']:.1f} ({one.rounds['5']:.1f} .. {one.rounds['95']:.1f})",
            escape(", ".join(f"{name} {_share(b['50'])}" for name, b in ends)),
        )
    out.print(table)
    out.print(
        "[dim]bands hold nine in ten: what the plays leave open of the level and of the box[/dim]"
    )


def show_difference(found: Sequence[ForecastDifference], file: FitFile) -> None:
    out.print(
        f"[bold]{found[0].a.cell.game.title}[/bold]: A and B, {escape(whose(file))}", soft_wrap=True
    )
    table = _of(("cell", "games", "A wins", "B wins", "win rate, B - A, % points", "B is harder"))
    for one in found:
        c = one.change
        table.add_row(
            escape(one.a.cell.label_text or "all"),
            f"{one.a.games:,}",
            percent(one.a.win_rate),
            percent(one.b.win_rate),
            f"{100 * c['50']:+.1f} ({100 * c['5']:+.1f} .. {100 * c['95']:+.1f})",
            f"with {_share(one.probability_harder)} of belief",
        )
    out.print(table)


def estimate(b: Band, n: int) -> Estimate:
    """A band as tables have it."""
    return Estimate(b["50"], b["5"], b["95"], n, 0.9)


def forecast_tables(found: Sequence[Forecast]) -> list[Told]:
    first = found[0].cell
    win = "seat 1 wins" if first.game.competitive and first.players > 1 else "win rate"
    rows = [
        {
            "cell": one.cell.label_text or "all games",
            "games": one.games,
            "won": estimate(one.win_rate, one.games),
            "rounds": estimate(one.rounds, one.games),
        }
        for one in found
    ]
    ends = [
        {
            "cell": one.cell.label_text or "all games",
            "ending": name,
            "share": estimate(b, one.games),
        }
        for one in found
        for name, b in one.endings.items()
    ]
    return [
        Told(
            "forecast",
            "As those would fare who played",
            [
                Column("cell", "cell"),
                Column("games", "games", "count"),
                Column("won", win, "rate"),
                Column("rounds", first.game.unit, "mean"),
            ],
            rows,
            "Bands hold nine in ten.",
        ),
        Told(
            "endings",
            "How their games would end",
            [Column("cell", "cell"), Column("ending", "ending"), Column("share", "share", "rate")],
            ends,
        ),
    ]


def difference_tables(found: Sequence[ForecastDifference]) -> list[Told]:
    rows = [
        {
            "cell": one.a.cell.label_text or "all games",
            "games": one.a.games,
            "a": estimate(one.a.win_rate, one.a.games),
            "b": estimate(one.b.win_rate, one.b.games),
            "change": estimate(one.change, one.a.games),
            "harder": one.probability_harder,
        }
        for one in found
    ]
    return [
        Told(
            "difference",
            "A and B, as those would fare who played",
            [
                Column("cell", "cell"),
                Column("games", "games", "count"),
                Column("a", "A wins", "rate"),
                Column("b", "B wins", "rate"),
                Column("change", "B minus A, points", "points"),
                Column("harder", "belief that B is harder"),
            ],
            rows,
            "Bands hold nine in ten.",
        )
    ]


def about(found: Sequence[Forecast], file: FitFile, seed: int) -> dict[str, Any]:
    return {"game": found[0].cell.game.title, "as": whose(file), "seed": seed}
