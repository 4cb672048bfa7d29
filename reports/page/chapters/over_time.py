"""Sections "How does it end?" and "When does it end?": endings, lengths, measures by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.factors import count_endings_by_value
from hardmode.reports.page.chapters.rivals import MAX_BARS
from hardmode.reports.page.chapters.skill_levels import list_played_levels
from hardmode.reports.page.model import Brief, Column, Figure, ReportTable, Section
from hardmode.scenarios.labels import STRATEGIES_LABEL
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.core.result_summary import measure_occurs
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

MAX_ENDINGS = 6  # in a plot; rarer ones are one
MAX_GROUPS = 4  # of games by ending that are compared
MAX_STACKED_BARS = 24
MAX_FACTORS = 3  # with a plot of endings
MAX_VARIANTS, MAX_PRINTED = 60, 8  # bars of variants in a plot, and in the main one
MIN_GAMES = 100  # that reach a round, or have a value of a factor
MIN_GAMES_IN_BATCH = 3
MAX_MEASURES = 12  # that the page shows
OTHER = "any other"
LOST_ROLES = "cdefgh"  # of endings: blue is for games won, and orange for games lost


# Endings


def make_main_ending_plot(report: ReportData) -> Figure | None:
    """Return how each variant ends if there are a few, or else how games end by strategy."""
    plots = _make_ending_plots(report)
    return plots[0] if plots else None


def make_endings_section(report: ReportData) -> Section:
    """Return the section on how games end, without the main plot."""
    names = _select_endings(report)
    tables = [_make_ending_table(report)]
    if len(report.cells) > 1:
        tables.append(_make_variant_table(report, names))
    factor_plots = _make_factor_plots(report, names, _make_series(report, names))
    return Section(
        "endings",
        "How does it end?",
        describe_endings(report),
        [*_make_ending_plots(report)[1:], *factor_plots],
        tables,
    )


def _make_ending_plots(report: ReportData) -> list[Figure]:
    """Return how games end by variant and by strategy, the more important plot first."""
    names = _select_endings(report)
    series = _make_series(report, names)
    levels, plots = [], []
    if STRATEGIES_LABEL not in report.scenario.sweep:
        for level in list_played_levels(report):
            levels.append(_make_bar(report, level, report.skill_levels[level], names))
    if len(levels) > 1:
        title = "Endings by strategy"
        plots.append(model.make_stacked_bars("endings-by-strategy", title, levels, series))
    variants = []
    for item in report.cells:
        variants.append(_make_bar(report, item.label, item, names))
    if len(variants) > 1:
        plots.append(_make_variant_plot(variants, series))
    return plots[::-1] if len(variants) <= MAX_PRINTED else plots


def _make_series(report: ReportData, names: Sequence[str]) -> list[dict[str, str]]:
    """Return name and color role of each ending of a plot."""
    series = []
    for i, name in enumerate(names):
        series.append({"name": name, "role": _choose_role(report, name, i)})
    return series


def _make_bar(
    report: ReportData, label: str, item: PlayedVariant, names: Sequence[str]
) -> dict[str, Any]:
    counts = list(item.tally.count_endings().values())
    return {
        "label": label,
        "games": item.result.games,
        "shares": _compute_shares(report, counts, names),
    }


def _make_variant_table(report: ReportData, names: Sequence[str]) -> ReportTable:
    """Return the share of each shown ending in all variants."""
    columns = [Column("cell", "variant"), Column("games", "games", "count")]
    columns += [Column(name, name, "rate") for name in names]
    rows = []
    for item in report.cells:
        counts, games = item.tally.count_endings(), item.tally.games
        counts[OTHER] = games - sum(counts.get(name, 0) for name in names)
        rates = {n: report.metric.estimate_rate(counts.get(n, 0), games) for n in names}
        rows.append({"cell": item.label, "games": games, **rates})
    return ReportTable("endings-by-variant", "How each variant ends", columns, rows)


def _make_variant_plot(rows: list[dict[str, Any]], series: list[dict[str, str]]) -> Figure:
    """Return how each variant ends; if there are too many, only those at both ends."""
    ranked = sorted(rows, key=lambda row: row["shares"][0])
    omitted, half = len(rows) - MAX_VARIANTS, MAX_VARIANTS // 2
    note = ""
    if omitted > 0:
        ranked = [*ranked[:half], *ranked[-half:]]
        verb = "is" if omitted == 1 else "are"
        note = (
            f"The plot shows the {half} variants that end least often in “{series[0]['name']}”, "
            f"and the {half} that do so most often. The other {omitted:,} {verb} in the table."
        )
    return model.make_stacked_bars("endings", "How each variant ends", ranked, series, note)


def describe_endings(report: ReportData) -> list[str]:
    """Return the most common way to lose, and how many games were stopped."""
    sentences = []
    tally, metric = report.total_tally, report.metric
    counts = tally.count_endings()
    winning = _get_winning_endings(report)
    lost = {ending: n for ending, n in counts.items() if ending not in winning and n}
    if lost and not metric.competitive:
        name = max(lost, key=lambda ending: lost[ending])
        share = formatting.format_rate(metric.estimate_rate(lost[name], sum(lost.values())))
        sentences.append(f"The most common way to lose is “{name}”: {share} of all defeats.")
    elif metric.competitive:
        name = max(counts, key=lambda ending: counts[ending])
        share = formatting.format_rate(metric.estimate_rate(counts[name], tally.games))
        sentences.append(f"The most common ending is “{name}”: {share} of the games.")
    n_stopped = counts[report.scenario.game.all_endings[-1]]
    if n_stopped:
        verb = "was" if n_stopped == 1 else "were"
        sentences.append(
            f"{wording.format_games(n_stopped)} of {tally.games:,} {verb} stopped because of the "
            "length. Stopped games count as not won, and have an ending of their own."
        )
    return sentences


def _get_winning_endings(report: ReportData) -> set[str]:
    names = report.scenario.game.all_endings
    return {names[i] for i in report.total_tally.find_winning_endings()}


def _select_endings(report: ReportData) -> list[str]:
    """Return the endings of a plot: winning ones first, then by frequency, rare ones as one."""
    counts, winning = report.total_tally.count_endings(), _get_winning_endings(report)
    names = [name for name, n in counts.items() if n]
    names.sort(key=lambda name: (name not in winning, -counts[name]))
    return names if len(names) <= MAX_ENDINGS else [*names[: MAX_ENDINGS - 1], OTHER]


def _choose_role(report: ReportData, name: str, position: int) -> str:
    """Return the color role of an ending; winning endings share the first color."""
    if name in (OTHER, report.scenario.game.all_endings[-1]):
        return "other"
    winning = set() if report.metric.competitive else _get_winning_endings(report)
    if name in winning:
        return "a" if position == 0 else "a2"
    n_winning = sum(ending in winning for ending in _select_endings(report))
    return LOST_ROLES[position - n_winning]


def _compute_shares(report: ReportData, counts: Sequence[int], names: Sequence[str]) -> list[float]:
    count_by_name = dict(zip(report.scenario.game.all_endings, counts, strict=True))
    total = max(1, sum(counts))
    shares = [count_by_name.get(name, 0) / total for name in names]
    return [*shares[:-1], 1 - sum(shares[:-1])] if names[-1] == OTHER else shares


def _make_factor_plots(
    report: ReportData, names: list[str], series: list[dict[str, str]]
) -> list[Figure]:
    """Return the endings by the factors with whose values they differ most."""
    figures: list[tuple[float, Figure]] = []
    for measure in report.scenario.game.measures:
        if not measure.factor or measure.per_seat:
            continue
        rows = []
        for value, counts in count_endings_by_value(report.total_tally, measure.name).items():
            if sum(counts) >= MIN_GAMES:
                shares = _compute_shares(report, counts, names)
                rows.append({"label": value, "games": sum(counts), "shares": shares})
        if 2 <= len(rows) <= MAX_STACKED_BARS:
            table = np.array([row["shares"] for row in rows])
            spread = float(np.ptp(table, axis=0).max())
            title = f"Endings by {measure.name}"
            figure = model.make_stacked_bars(f"endings-by-{measure.name}", title, rows, series)
            figures.append((spread, figure))
    figures.sort(key=lambda pair: -pair[0])
    return [figure for _, figure in figures[:MAX_FACTORS]]


def _make_ending_table(report: ReportData) -> ReportTable:
    counts, winning = report.total_tally.count_endings(), _get_winning_endings(report)
    counts = {name: n for name, n in counts.items() if n}
    n_lost = sum(n for name, n in counts.items() if name not in winning)
    shares = estimates.clopper_pearson_shares(list(counts.values()), report.metric.confidence)
    rows = []
    for (name, n), share in zip(counts.items(), shares, strict=True):
        of_lost = None if name in winning else report.metric.estimate_rate(n, n_lost)
        rows.append({"ending": name, "games": n, "share": share, "lost": of_lost})
    columns = [
        Column("ending", "ending"),
        Column("games", "games", "count"),
        Column("share", "of all games", "rate"),
        Column("lost", "of all defeats", "rate"),
    ]
    if report.metric.competitive:
        columns = columns[:3]
    note = "The intervals hold for all endings together."
    return ReportTable("endings", "Every ending", columns, rows, note)


# Length


def make_length_section(report: ReportData) -> Section:
    """Return the section on when games end, and on the measures by round."""
    figures = [
        _make_length_plot(report),
        _make_survival_plot(report),
        *_make_chance_plots(report),
        *_make_measure_plots(report),
    ]
    return Section(
        "length",
        "When does it end?",
        [_describe_lengths(report)],
        figures,
        [_make_round_table(report), *_make_measure_tables(report)],
        brief=Brief(1, ["length", "chance"]),
    )


def _get_round_name(report: ReportData) -> str:
    return wording.singularize_unit(report.scenario.game.unit)


def _describe_lengths(report: ReportData) -> str:
    rounds, unit = report.total_tally.count_values("rounds"), report.scenario.game.unit
    low, high, long = (compute_quantile(rounds, q) for q in (0.25, 0.75, 0.95))
    mean = report.metric.estimate_mean(report.total_tally, "rounds")
    return (
        f"A game lasts {formatting.format_with_interval(mean, 'mean')} {unit} on average. Half of "
        f"all games last {wording.describe_range(low, high, unit)}; one in twenty lasts more than "
        f"{long}."
    )


def _group_games(report: ReportData) -> list[tuple[str, str, list[int]]]:
    """Return name, color role and endings of the groups of games that are compared.

    The groups are games won and lost, or, among rivals, the games with each frequent ending.
    """
    names, winning = report.scenario.game.all_endings, report.total_tally.find_winning_endings()
    if not report.metric.competitive:
        lost = [i for i in range(len(names)) if i not in winning]
        return [("games won", "a", winning), ("games lost", "b", lost)]
    counts = report.total_tally.count_endings()
    by_frequency = sorted(filter(counts.get, counts), key=lambda name: -counts[name])
    frequent = by_frequency[:MAX_GROUPS]
    groups = []
    for position, name in enumerate(_select_endings(report)):
        if name in frequent:
            role = _choose_role(report, name, position)
            groups.append((name, role, [names.index(name)]))
    return groups


def _make_length_plot(report: ReportData) -> Figure:
    tally, unit = report.total_tally, report.scenario.game.unit
    lengths = tally.counts_frame.filter(tally.counts_frame["column"] == "rounds")
    rows = list(lengths.select("ending", "value", "n").iter_rows())
    low = min(value for _, value, _ in rows)
    high = max(value for _, value, _ in rows)
    width = -(-(high - low + 1) // MAX_BARS)
    starts = list(range(low, high + 1, width))
    series = []
    for name, role, endings in _group_games(report):
        heights = [0.0] * len(starts)
        for ending, value, n in rows:
            if ending in endings:
                heights[(value - low) // width] += n / tally.games
        series.append({"name": name, "role": role, "y": heights})
    rounds = tally.count_values("rounds")
    short, median, long = (compute_quantile(rounds, q) for q in (0.05, 0.5, 0.95))
    alt = (
        f"Length of games in {unit}: the median is {median}, and nine in ten are between {short} "
        f"and {long}."
    )
    return model.make_histogram(
        "length", "Length of a game", starts, series, unit, alt, width=width
    )


def _count_alive(tally: Tally, endings: Sequence[int] | None = None) -> np.ndarray:
    """Return the number of games that reached each round, of all games or of some endings."""
    selected = slice(None) if endings is None else list(endings)
    return tally.alive[selected].sum(axis=0)


def _list_rounds(report: ReportData) -> list[int]:
    """Return the rounds that enough games reached."""
    alive = _count_alive(report.total_tally)
    fewest = min(MIN_GAMES, report.total_tally.games)
    return [r for r in range(1, len(alive)) if alive[r] >= fewest]


def _estimate_survival(report: ReportData) -> dict[int, Estimate]:
    """Return the share of games that reach each round."""
    alive, games = _count_alive(report.total_tally), report.total_tally.games
    return {r: report.metric.estimate_rate(int(alive[r]), games) for r in _list_rounds(report)}


def _make_survival_plot(report: ReportData) -> Figure:
    shares, unit = _estimate_survival(report), _get_round_name(report)
    below_half = [r for r, share in shares.items() if share.value < 0.5]
    first = below_half[0] if below_half else max(shares)
    return model.make_line_plot(
        "alive",
        f"Still playing by {unit}",
        [{"name": "", "role": "h", "x": list(shares), "estimates": list(shares.values())}],
        unit,
        "share of games still going on",
        f"Share of games that reach each {unit}. It falls below one half in {unit} {first}.",
        share=True,
    )


def _make_chance_plots(report: ReportData) -> list[Figure]:
    """Return the win rate of the games that reach each round; among rivals there is none."""
    if report.metric.competitive:
        return []
    rates, unit = _estimate_chances(report), _get_round_name(report)
    ends = []
    for r in (min(rates), max(rates)):
        ends.append(f"{formatting.format_rate(rates[r])} in {unit} {r}")
    return [
        model.make_line_plot(
            "chance",
            f"Chance to win, once a {unit} is reached",
            [{"name": "", "role": "a", "x": list(rates), "estimates": list(rates.values())}],
            unit,
            "won, of games still going on",
            f"Chance to win for a game that has reached each {unit}: {', '.join(ends)}.",
            share=True,
        )
    ]


def _estimate_chances(report: ReportData) -> dict[int, Estimate]:
    tally = report.total_tally
    alive, won = _count_alive(tally), _count_alive(tally, tally.find_winning_endings())
    rates = {}
    for r in _list_rounds(report):
        rates[r] = report.metric.estimate_rate(int(won[r]), int(alive[r]))
    return rates


def _make_measure_plots(report: ReportData) -> list[Figure]:
    """Return the measures of the game at the end of each round, for winners and losers."""
    curves = [m for m in report.scenario.game.measures if m.curve and not m.per_seat]
    figures, unit = [], _get_round_name(report)
    for index, measure in enumerate(curves):
        series: list[dict[str, Any]] = []
        ends, is_zero = [], True
        for name, role, endings in _group_games(report):
            rounds, means = _estimate_curve(report, endings, index)
            if rounds:
                series.append({"name": name, "role": role, "x": rounds, "estimates": means})
                first, last = (formatting.format_number(means[i]) for i in (0, -1))
                ends.append(f"{name} from {first} to {last}")
                is_zero = is_zero and not any(mean.value for mean in means)
        if is_zero:
            continue
        figures.append(
            model.make_line_plot(
                f"curve-{measure.name}",
                measure.name.capitalize(),
                series,
                unit,
                f"mean {measure.name}",
                f"{measure.name}, mean at the end of each {unit}: {wording.join_names(ends)}.",
                note=measure.help[:1].upper() + measure.help[1:] + "." if measure.help else "",
            )
        )
    return figures


def _estimate_curve(
    report: ReportData, endings: Sequence[int], measure: int
) -> tuple[list[int], list[Estimate]]:
    """Return rounds, and the means of a measure over the games that reached them.

    The intervals come from the spread of the means of equal batches of games.
    """
    rounds: list[int] = []
    means: list[Estimate] = []
    for r in _list_rounds(report):
        games = [int(_count_alive(batch, endings)[r]) for batch in report.batch_tallies]
        if min(games) < MIN_GAMES_IN_BATCH:
            break
        sums = []
        for batch in report.batch_tallies:
            sums.append(int(batch.curves[list(endings), r, measure].sum()))
        rounds.append(r)
        means.append(_pool_batches(sums, games, report.metric.confidence))
    return rounds, means


def _pool_batches(sums: list[int], games: list[int], confidence: float) -> Estimate:
    batch_means = [s / n for s, n in zip(sums, games, strict=True)]
    total: Any = sum(batch_means)
    squares: Any = sum(mean * mean for mean in batch_means)
    spread = estimates.student_t_mean(len(batch_means), total, squares, confidence)
    value, margin = sum(sums) / sum(games), spread.half_width
    return Estimate(value, value - margin, value + margin, sum(games), confidence)


def _make_round_table(report: ReportData) -> ReportTable:
    unit = _get_round_name(report)
    columns = [
        Column("round", unit),
        Column("games", "games that reach it", "count"),
        Column("alive", "share of games", "rate"),
    ]
    chances: dict[int, Estimate] = {}
    if not report.metric.competitive:
        chances = _estimate_chances(report)
        columns.append(Column("won", "win rate from there", "rate"))
    alive = _count_alive(report.total_tally)
    rows = []
    for r, share in _estimate_survival(report).items():
        rows.append({"round": r, "alive": share, "games": int(alive[r]), "won": chances.get(r)})
    return ReportTable("by-round", f"{unit.capitalize()} by {unit}", columns, rows)


def _list_measure_columns(report: ReportData) -> list[tuple[str, str, str]]:
    """Return the label, column and explanation of each measure that is no factor."""
    measures = [m for m in report.scenario.game.measures if not m.factor]
    columns = [(m.name, m.name, m.help) for m in measures if not m.per_seat]
    for measure in measures:
        if measure.per_seat:
            for seat in range(1, report.first_cell.players + 1):
                name = measure.name
                columns.append((f"{name}, seat {seat}", f"{name} {seat}", measure.help))
    return columns


def _make_measure_tables(report: ReportData) -> list[ReportTable]:
    """Return a table of all measures that occur in these games."""
    tally = report.base.tally
    rows = []
    for label, column, explanation in _list_measure_columns(report):
        if not measure_occurs(report.total_tally, column):
            continue
        values = tally.count_values(column)
        low, high = compute_quantile(values, 0.05), compute_quantile(values, 0.95)
        rows.append(
            {
                "name": label,
                "mean": report.metric.estimate_mean(tally, column),
                "usual": f"{low} .. {high}",
                "help": explanation,
            }
        )
    if not rows:
        return []
    note = ""
    if len(report.cells) > 1:
        note = f"These are the games of {report.base.label}."
    columns = [
        Column("name", "measure"),
        Column("mean", "mean", "mean"),
        Column("usual", "nine games in ten"),
        Column("help", "what it is"),
    ]
    return [ReportTable("measures", "Other measures", columns, rows, note, MAX_MEASURES)]
