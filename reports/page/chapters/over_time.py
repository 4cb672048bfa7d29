"""How does it end, and when? Endings by variant, length, who is still in the game, how winners differ from losers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.factors import by_ending
from hardmode.reports.page.chapters.rivals import MOST_BARS
from hardmode.reports.page.model import Brief, Column, Figure, Section, Table
from hardmode.reports.result_summary import measure_occurs
from hardmode.scenarios.labels import STRATEGIES_LABEL
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_number

MOST_ENDINGS, MOST_BARS_STACKED, FEWEST_ALIVE, FEWEST_IN_BATCH = 7, 24, 50, 3
MOST_FACTORS = 3
MOST_VARIANTS, MOST_PRINTED = 60, 8  # bars of variants in a plot, and in the short edition
OTHER = "any other"


def endings(g: ReportData) -> Section:
    names = _shown_endings(g)
    series = [{"name": n, "role": _role(g, n, i)} for i, n in enumerate(names)]
    rows = [
        {
            "label": item.label or "this scenario",
            "games": item.result.games,
            "shares": _shares(g, list(item.tally.count_endings().values()), names),
        }
        for item in g.cells
    ]
    figures = []
    if len(rows) > 1:
        figures.append(_variants(rows, series))
    ladder = [
        {
            "label": rung,
            "games": item.result.games,
            "shares": _shares(g, list(item.tally.count_endings().values()), names),
        }
        for rung, item in g.skill_levels.items()
        if STRATEGIES_LABEL not in g.scenario.sweep
    ]
    if len(ladder) > 1:
        figures.append(model.stacked("endings-by-strategy", "Endings by strategy", ladder, series))
    figures += _by_factor(g, names, series)
    short = ["endings" if 1 < len(rows) <= MOST_PRINTED else "endings-by-strategy"]
    return Section(
        "endings",
        "How does it end?",
        _sentences(g),
        figures,
        [_table(g), *([_by_variant(g, names)] if len(rows) > 1 else [])],
        brief=Brief(1, short),
    )


def _by_variant(g: ReportData, names: Sequence[str]) -> Table:
    """All variants with all endings that are shown, whatever a plot has room for."""
    rows = []
    for item in g.cells:
        ends = item.tally.count_endings()
        other = item.tally.games - sum(ends.get(n, 0) for n in names)
        rows.append(
            {
                "cell": item.label,
                "games": item.tally.games,
                **{
                    n: g.metric.estimate_rate(other if n == OTHER else ends.get(n, 0), item.tally.games)
                    for n in names
                },
            }
        )
    return Table(
        "endings-by-variant",
        "How each variant ends",
        [
            Column("cell", "variant"),
            Column("games", "games", "count"),
            *(Column(n, n, "rate") for n in names),
        ],
        rows,
    )


def _variants(rows: list[dict[str, Any]], series: list[dict[str, str]]) -> Figure:
    """How each variant ends; of very many those at both ends, and the plot says so."""
    ranked = sorted(rows, key=lambda r: r["shares"][0])
    left_out = len(rows) - MOST_VARIANTS
    if left_out > 0:
        ranked = [*ranked[: MOST_VARIANTS // 2], *ranked[-(MOST_VARIANTS // 2) :]]
    end, half = f"“{series[0]['name']}”", MOST_VARIANTS // 2
    note = (
        (
            f"The {half} that end least often in {end}, and the {half} that do so most often; the {left_out:,} between "
            "them are in the table."
        )
        if left_out > 0
        else ""
    )
    return model.stacked("endings", "How each variant ends", ranked, series, note)


def _sentences(g: ReportData) -> list[str]:
    told, counts = [], g.total_tally.count_endings()
    lost = {e: n for e, n in counts.items() if e not in _winning(g) and n}
    if lost and not g.metric.competitive:
        worst = max(lost, key=lambda e: lost[e])
        share = g.metric.estimate_rate(lost[worst], sum(lost.values()))
        told.append(
            f"The most common way to lose is “{worst}”: {formatting.format_rate(share)} of all defeats."
        )
    elif g.metric.competitive:
        common = max(counts, key=lambda e: counts[e])
        told.append(
            f"The most common ending is “{common}”: "
            f"{formatting.format_rate(g.metric.estimate_rate(counts[common], g.total_tally.games))} of the games."
        )
    capped = counts[g.scenario.game.all_endings[-1]]
    if capped:
        told.append(
            f"{wording.games(capped)} of {g.total_tally.games:,} went on for so long that they were stopped; "
            "they count as not won, and are shown as an ending of their own."
        )
    return told


def _winning(g: ReportData) -> set[str]:
    return {g.scenario.game.all_endings[i] for i in g.total_tally.find_winning_endings()}


def _shown_endings(g: ReportData) -> list[str]:
    """Winning endings first, then the commonest; what is rare goes into one."""
    counts, winning = g.total_tally.count_endings(), _winning(g)
    met = sorted((e for e, n in counts.items() if n), key=lambda e: (e not in winning, -counts[e]))
    return met if len(met) <= MOST_ENDINGS else [*met[: MOST_ENDINGS - 1], OTHER]


def _role(g: ReportData, name: str, place: int) -> str:
    if name == OTHER or name == g.scenario.game.all_endings[-1]:
        return "other"
    won = not g.metric.competitive and name in _winning(g)
    wins = 0 if g.metric.competitive else sum(n in _winning(g) for n in _shown_endings(g))
    return (
        "abcdefgh"[place - wins + 1 if wins else place]
        if not won
        else ("a" if place == 0 else "a2")
    )


def _shares(g: ReportData, counts: Sequence[int], names: Sequence[str]) -> list[float]:
    known = dict(zip(g.scenario.game.all_endings, counts, strict=True))
    total = max(1, sum(counts))
    shares = [known.get(n, 0) / total for n in names]
    return [*shares[:-1], 1 - sum(shares[:-1])] if names[-1] == OTHER else shares


def _by_factor(g: ReportData, names: list[str], series: list[dict[str, str]]) -> list[Figure]:
    """The factors with whose values the endings differ most."""
    made: list[tuple[float, Figure]] = []
    for m in g.scenario.game.measures:
        found = by_ending(g.total_tally, m.name) if m.factor and not m.per_seat else {}
        rows = [
            {"label": v, "games": sum(c), "shares": _shares(g, c, names)}
            for v, c in found.items()
            if sum(c) >= FEWEST_ALIVE
        ]
        if 2 <= len(rows) <= MOST_BARS_STACKED:
            spread = max(
                max(shares) - min(shares)
                for shares in zip(*(r["shares"] for r in rows), strict=True)
            )
            made.append(
                (
                    spread,
                    model.stacked(f"endings-by-{m.name}", f"Endings by {m.name}", rows, series),
                )
            )
    return [figure for _, figure in sorted(made, key=lambda m: -m[0])[:MOST_FACTORS]]


def _table(g: ReportData) -> Table:
    counts = g.total_tally.count_endings()
    met = [e for e, n in counts.items() if n]
    lost = sum(n for e, n in counts.items() if e not in _winning(g))
    share = dict(
        zip(met, estimates.clopper_pearson_shares([counts[e] for e in met], g.metric.confidence), strict=True)
    )
    rows = [
        {
            "ending": e,
            "games": counts[e],
            "share": share[e],
            "lost": None if e in _winning(g) else g.metric.estimate_rate(counts[e], lost),
        }
        for e in met
    ]
    columns = [
        Column("ending", "ending"),
        Column("games", "games", "count"),
        Column("share", "of all games", "rate"),
        Column("lost", "of all defeats", "rate"),
    ]
    return Table(
        "endings",
        "Every ending",
        columns[:3] if g.metric.competitive else columns,
        rows,
        "The intervals hold for all endings at once.",
    )


# -- when -------------------------------------------------------------------------------------------


def length(g: ReportData) -> Section:
    figures = [_lengths(g), _alive(g), *_chances(g), *_curves(g)]
    return Section(
        "length",
        "When does it end?",
        _length_sentences(g),
        figures,
        [_by_round(g), *_measures(g)],
        brief=Brief(1, ["length", "chance"]),
    )


def _length_sentences(g: ReportData) -> list[str]:
    rounds, unit = g.total_tally.count_values("rounds"), g.scenario.game.unit
    low, high = compute_quantile(rounds, 0.25), compute_quantile(rounds, 0.75)
    mean = g.metric.estimate_mean(g.total_tally, "rounds")
    average = formatting.format_with_interval(mean, "mean")
    return [
        f"A game lasts {average} {unit} on average. Half of all games last "
        f"{wording.between(low, high, unit)}; one in twenty lasts more than {compute_quantile(rounds, 0.95)}."
    ]


def _groups(g: ReportData) -> list[tuple[str, str, list[int]]]:
    """Games to lay side by side: won and lost, or, where that says nothing, by ending."""
    game, winning = g.scenario.game, g.total_tally.find_winning_endings()
    if not g.metric.competitive:
        lost = [i for i in range(len(game.all_endings)) if i not in winning]
        return [("games won", "a", winning), ("games lost", "b", lost)]
    counts = list(g.total_tally.count_endings().values())
    met = sorted((i for i, n in enumerate(counts) if n), key=lambda i: -counts[i])[:4]
    return [
        (name, _role(g, name, k), [game.all_endings.index(name)])
        for k, name in enumerate(_shown_endings(g))
        if name in game.all_endings and game.all_endings.index(name) in met
    ]


def _lengths(g: ReportData) -> Figure:
    part = g.total_tally.counts_frame.filter(g.total_tally.counts_frame["column"] == "rounds")
    counts = {(e, v): n for e, v, n in part.select("ending", "value", "n").iter_rows()}
    values = [v for _, v in counts]
    low, high = min(values), max(values)
    width = -(-(high - low + 1) // MOST_BARS)
    xs = list(range(low, high + 1, width))
    series = []
    for name, role, group in _groups(g):
        heights = [0.0] * len(xs)
        for (ending, value), n in counts.items():
            if ending in group:
                heights[(value - low) // width] += n / g.total_tally.games
        series.append({"name": name, "role": role, "y": heights})
    rounds, unit = g.total_tally.count_values("rounds"), g.scenario.game.unit
    alt = (
        f"How many {unit} games last: median {compute_quantile(rounds, 0.5)}, nine in ten between {compute_quantile(rounds, 0.05)} "
        f"and {compute_quantile(rounds, 0.95)}."
    )
    return model.bars("length", "Length of a game", xs, series, unit, alt, width=width)


def _reached(tally: Tally, group: Sequence[int] | None = None) -> np.ndarray:
    """Games that reached each round."""
    return tally.alive[list(group) if group is not None else slice(None)].sum(axis=0)


def _rounds(g: ReportData) -> list[int]:
    """The rounds that enough games reached."""
    alive = _reached(g.total_tally)
    fewest = min(FEWEST_ALIVE, g.total_tally.games)
    return [r for r in range(1, len(alive)) if alive[r] >= fewest]


def _alive(g: ReportData) -> Figure:
    alive, xs = _reached(g.total_tally), _rounds(g)
    found = [g.metric.estimate_rate(int(alive[r]), g.total_tally.games) for r in xs]
    unit = g.scenario.game.unit.rstrip("s")
    half = next((r for r, e in zip(xs, found, strict=True) if e.value < 0.5), xs[-1])
    alt = f"Share of games that reach each {unit}. It falls below one half in {unit} {half}."
    return model.lines(
        "alive",
        f"Still playing by {unit}",
        [{"name": "", "role": "a", "x": xs, "estimates": found}],
        unit,
        "share of games still going on",
        alt,
        share=True,
    )


def _chances(g: ReportData) -> list[Figure]:
    if g.metric.competitive:
        return []
    xs, chances = _rounds(g), _chance(g)
    unit = g.scenario.game.unit.rstrip("s")
    found = [chances[r] for r in xs]
    alt = (
        f"Chance to win for a game that has reached each {unit}: {formatting.format_rate(found[0])} in {unit} {xs[0]}, "
        f"{formatting.format_rate(found[-1])} in {unit} {xs[-1]}."
    )
    return [
        model.lines(
            "chance",
            f"Chance to win, once a {unit} is reached",
            [{"name": "", "role": "a", "x": xs, "estimates": found}],
            unit,
            "won, of games still going on",
            alt,
            share=True,
        )
    ]


def _chance(g: ReportData) -> dict[int, Estimate]:
    alive, won = _reached(g.total_tally), _reached(g.total_tally, g.total_tally.find_winning_endings())
    return {r: g.metric.estimate_rate(int(won[r]), int(alive[r])) for r in _rounds(g)}


def _curves(g: ReportData) -> list[Figure]:
    """The game's own measures at the end of each round, winners against losers."""
    made, unit = [], g.scenario.game.unit.rstrip("s")
    followed = [m for m in g.scenario.game.measures if m.curve and not m.per_seat]
    for j, m in enumerate(followed):
        series: list[dict[str, Any]] = []
        for name, role, group in _groups(g):
            xs, found = _curve(g, group, j)
            if xs:
                series.append({"name": name, "role": role, "x": xs, "estimates": found})
        if any(e.value for s in series for e in s["estimates"]):
            ends = [
                f"{s['name']} from {format_number(s['estimates'][0])} to {format_number(s['estimates'][-1])}"
                for s in series
            ]
            alt = f"{m.name}, mean at the end of each {unit}: {wording.listed(ends)}."
            made.append(
                model.lines(
                    f"curve-{m.name}",
                    m.name.capitalize(),
                    series,
                    unit,
                    f"mean {m.name}",
                    alt,
                    note=m.help[:1].upper() + m.help[1:] + "." if m.help else "",
                )
            )
    return made


def _curve(g: ReportData, group: Sequence[int], measure: int) -> tuple[list[int], list[Estimate]]:
    """Means by round over the games that reached it; the intervals come from the spread of equal parts of the games."""
    xs: list[int] = []
    found: list[Estimate] = []
    for r in _rounds(g):
        games = [int(_reached(t, group)[r]) for t in g.batch_tallies]
        if min(games) < FEWEST_IN_BATCH:
            break
        sums = [int(t.curves[list(group), r, measure].sum()) for t in g.batch_tallies]
        xs.append(r)
        found.append(_pooled(sums, games, g.metric.confidence))
    return xs, found


def _pooled(sums: list[int], games: list[int], confidence: float) -> Estimate:
    parts = [s / n for s, n in zip(sums, games, strict=True)]
    total: Any = sum(parts)
    squares: Any = sum(p * p for p in parts)
    spread = estimates.student_t_mean(len(parts), total, squares, confidence)
    value = sum(sums) / sum(games)
    return Estimate(
        value, value - spread.half_width, value + spread.half_width, sum(games), confidence
    )


def _by_round(g: ReportData) -> Table:
    alive, chances = _reached(g.total_tally), _chance(g) if not g.metric.competitive else {}
    unit = g.scenario.game.unit.rstrip("s")
    rows = [
        {
            "round": r,
            "alive": g.metric.estimate_rate(int(alive[r]), g.total_tally.games),
            "games": int(alive[r]),
            "won": chances.get(r),
        }
        for r in _rounds(g)
    ]
    columns = [
        Column("round", unit),
        Column("games", "games that reach it", "count"),
        Column("alive", "share of games", "rate"),
        Column("won", "win rate from there", "rate"),
    ]
    return Table(
        "by-round",
        f"{unit.capitalize()} by {unit}",
        columns[:3] if g.metric.competitive else columns,
        rows,
    )


def _measures(g: ReportData) -> list[Table]:
    """Everything else that the game counts."""
    seats = range(g.first_cell.players)
    named = [
        (m, m.name, m.name) for m in g.scenario.game.measures if not m.per_seat and not m.factor
    ]
    named += [
        (m, f"{m.name}, seat {s + 1}", f"{m.name} {s + 1}")
        for m in g.scenario.game.measures
        if m.per_seat and not m.factor
        for s in seats
    ]
    rows = []
    for m, name, column in [row for row in named if measure_occurs(g.total_tally, row[2])]:
        values = g.base.tally.count_values(column)
        low, high = compute_quantile(values, 0.05), compute_quantile(values, 0.95)
        rows.append(
            {
                "name": name,
                "mean": g.metric.estimate_mean(g.base.tally, column),
                "usual": f"{low} .. {high}",
                "help": m.help,
            }
        )
    if not rows:
        return []
    of = f"Over the games of {g.base.label}." if len(g.cells) > 1 else ""
    return [
        Table(
            "measures",
            "What else was counted",
            [
                Column("name", "measure"),
                Column("mean", "mean", "mean"),
                Column("usual", "nine games in ten"),
                Column("help", "what it is"),
            ],
            rows,
            of,
        )
    ]
