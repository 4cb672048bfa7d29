"""Output of `compare`: what a change does, how certain that is, and where games first differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console import effects
from hardmode.reports.console.columns import choose_column_decimals, format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    POINTS,
    Verdict,
    name_trained_players,
    name_win_rate,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import (
    format_count,
    format_games,
    format_two_figures,
    pluralize,
    singularize_unit,
)
from hardmode.reports.page.chapters import compared
from hardmode.reports.page.model import Column, ReportTable
from hardmode.studies.comparison.adapt import Adaptation
from hardmode.studies.comparison.compare import (
    Comparison,
    describe_comparison_side,
    select_example_divergences,
)
from hardmode.studies.comparison.levels import EQUIVALENCE_MARGIN, LevelComparisons
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_percent, format_with_interval
from hardmode.studies.uncertainty.robustness import RobustConclusion

MAX_DIVERGENCES = 5  # of each kind that are printed
LEFT_HEADERS = ("", "cell", "settled", "result", "first difference")


def print_comparisons(
    comparisons: Sequence[Comparison],
    arguments: str = PLACEHOLDER,
    details: bool = False,
    sides: tuple[str, str] = (PLACEHOLDER, PLACEHOLDER),
    levels_follow: bool = False,
) -> None:
    """Print the games of each cell under A and B: what changes, and where they first differ.

    Args:
        comparisons: The comparison of each cell.
        arguments: A, B and their changes, as the user gave them.
        details: Print how this was measured.
        sides: A, and B, each with its changes, as arguments of a command that plays one of them.
        levels_follow: True if the effect by skill level or after adapting is printed next.
    """
    first = comparisons[0]
    print_verdict(make_verdict(comparisons, arguments, levels_follow))
    out.print(_make_win_rate_table(comparisons))
    for comparison in comparisons:
        _print_other_changes(comparison)
        _print_factor_changes(comparison)
        _print_divergences(comparison, sides)
    together = ""
    if len(comparisons) > 1:
        together = f" for all {len(comparisons)} cells together"
    print_details(
        [
            f"intervals hold at {POINTS * first.confidence:g} %{together}: those of the win rate "
            "by themselves, and those of all other changes together; gained: games that are lost "
            f"under A and won under B; seed {first.seed}"
        ],
        details,
    )


def make_verdict(
    comparisons: Sequence[Comparison], arguments: str = PLACEHOLDER, levels_follow: bool = False
) -> Verdict:
    """Return whether B is harder than A, how certain that is, and what to try next.

    Args:
        comparisons: The comparison of each cell.
        arguments: A, B and their changes, as the user gave them.
        levels_follow: True if the effect by skill level or after adapting is printed next.
    """
    first = comparisons[0]
    indent = " " * len(first.game.title)
    title = (
        f"{first.game.title}: A {describe_comparison_side(first.a)}\n"
        f"{indent}  B {describe_comparison_side(first.b)}"
    )
    levels = (
        f"hardmode compare {arguments} --levels --adapt shows the change for players of every "
        "skill level, and after players adapt"
    )
    if levels_follow:
        levels = "read the last tables, which show the change by skill level or after adapting"
    if len(comparisons) > 1:
        return _make_grid_verdict(title, comparisons, levels)
    answer = _describe_difference(first)
    confidence = f"{POINTS * first.confidence:g} %"
    if first.identical_games == first.games:
        missed = POINTS * (1 - (1 - first.confidence) ** (1 / first.games))
        certainty = f"A change in more than {missed:.2g} % of games is ruled out at {confidence}."
        next_step = f"hardmode sensitivity {arguments} shows which numbers change games"
        return Verdict(title, answer, certainty, next_step)
    if first.is_settled or _is_equivalent(first):
        certainty = (
            f"This interval ({confidence}) is the chance of the games; both sides play the same "
            "random draws."
        )
        return Verdict(title, answer, certainty, levels)
    more = first.estimate_further_games()
    if not more:
        certainty = f"As many games are gained as lost, {first.wins_gained:,} each."
        return Verdict(title, answer, certainty, f"--games {4 * first.games} halves the interval")
    certainty = f"About {format_two_figures(more)} more games would settle the sign."
    return Verdict(title, answer, certainty, f"the same command with --games {first.games + more}")


def _is_equivalent(comparison: Comparison) -> bool:
    """Return whether the difference is certainly too small to matter."""
    difference = comparison.difference
    return -EQUIVALENCE_MARGIN < difference.low and difference.high < EQUIVALENCE_MARGIN


def _describe_difference(comparison: Comparison) -> str:
    """Return a sentence on how B differs from A, with the size and both win rates."""
    games = format_games(comparison.games)
    difference = comparison.difference
    if comparison.identical_games == comparison.games:
        return f"B plays exactly like A: none of {games} differs."
    a, b = (format_percent(comparison.estimate_win_rate(is_b)) for is_b in (False, True))
    rate = name_win_rate(comparison.a)
    size = f"{format_with_interval(difference, 'points')} points"
    rates = f"the {rate} changes by {size}, from {a} to {b}, in {games}"
    if difference.excludes(0.0):
        word = "easier" if difference.value > 0 else "harder"
        seat = " for seat 1" if comparison.game.competitive and comparison.a.players > 1 else ""
        hardly = "only slightly " if _is_equivalent(comparison) else ""
        return f"B is {hardly}{word} than A{seat}: {rates}."
    if _is_equivalent(comparison):
        return f"B is about as hard as A: {rates}."
    return f"Too few games to tell whether B is harder than A: {rates}."


def _make_grid_verdict(title: str, comparisons: Sequence[Comparison], next_step: str) -> Verdict:
    """Return the verdict on several cells: in how many B is harder, and where most."""
    harder = [c for c in comparisons if c.difference.high < 0]
    easier = [c for c in comparisons if c.difference.low > 0]
    n = len(comparisons)
    n_open = sum(not c.is_settled and not _is_equivalent(c) for c in comparisons)
    largest = max(comparisons, key=lambda c: abs(c.difference.value))
    size = format_with_interval(largest.difference, "points")
    answer = (
        f"B is harder than A in {len(harder)} of {format_count(n, 'cell')} and easier in "
        f"{len(easier)}; the largest change of the {name_win_rate(largest.a)} is {size} points, "
        f"with {largest.a.readable_label}."
    )
    if n_open == n:
        answer = (
            f"Too few games to tell in which of {format_count(n, 'cell')} B is harder than A; the "
            f"largest change is {size} points, with {largest.a.readable_label}."
        )
    certainty = f"All intervals hold together at {POINTS * largest.confidence:g} %."
    if n_open:
        games = max(c.estimate_further_games() for c in comparisons)
        certainty += f" {format_count(n_open, 'cell')} would need more games."
        if games:
            next_step = f"the same command with --games {largest.games + games}"
    return Verdict(title, answer, certainty, next_step)


def _start_table(headers: Sequence[str], title: str | None = None) -> Table:
    table = Table(header_style="bold", title_justify="left", title=title)
    for header in headers:
        table.add_column(header, justify="left" if header in LEFT_HEADERS else "right")
    return table


def _make_title(text: str, comparison: Comparison) -> str:
    return f"{text} ({comparison.a.readable_label})" if comparison.a.label else text


def _make_win_rate_table(comparisons: Sequence[Comparison]) -> Table:
    rates = [c.estimate_win_rate(is_b) for c in comparisons for is_b in (False, True)]
    rate_texts = format_estimates(rates, "rate", interval=False)
    differences = [comparison.difference for comparison in comparisons]
    changes = format_estimates(differences, "points", min_decimals=1)
    table = _start_table(
        ("cell", "games", "A wins", "B wins", effects.CHANGE_HEADER, "gained", "lost", "settled")
    )
    for i, comparison in enumerate(comparisons):
        table.add_row(
            escape(comparison.a.readable_label or "all"),
            f"{comparison.games:,}",
            *rate_texts[2 * i : 2 * i + 2],
            changes[i],
            f"{comparison.wins_gained:,}",
            f"{comparison.wins_lost:,}",
            _describe_certainty(comparison),
        )
    return table


def _describe_certainty(comparison: Comparison) -> str:
    """Return whether the sign of the difference is clear, and how many games that takes."""
    if comparison.identical_games == comparison.games:
        return "yes: no game differs"
    if comparison.is_settled:
        pairs = format_count(comparison.estimate_needed_pairs(), "paired game")
        return (
            f"yes; in 9 of 10 studies {pairs} would be enough (with different random numbers: "
            f"{comparison.estimate_unpaired_games():,} for each side)"
        )
    more = comparison.estimate_further_games()
    if more:
        return f"no; about {format_two_figures(more)} more games are needed"
    return "no: as many games are gained as lost"


def _print_other_changes(comparison: Comparison) -> None:
    """Print the changes of endings, length and score, with intervals that hold together."""
    game = comparison.game
    means = {game.unit: comparison.length_sums}
    if game.scored:
        means["score of seat 1" if game.competitive else "score"] = comparison.score_sums
    n_intervals = len(comparison.estimate_ending_changes()) + len(means)
    level = estimates.bonferroni_level(comparison.interval_level, n_intervals)
    changes = comparison.estimate_ending_changes(level)
    differences = [change for _, change, _, _ in changes]
    decimals = max(1, choose_column_decimals(differences, "points"))
    points = format_estimates(differences, "points", min_decimals=decimals)
    table = _start_table(
        ("", "A", "B", "B - A"),
        _make_title("other changes (endings in % points)", comparison),
    )
    for (name, _, a, b), text in zip(changes, points, strict=True):
        shares = [f"{100 * n / comparison.games:.{decimals}f} %" for n in (a, b)]
        table.add_row(escape(name), *shares, text)
    for name, sums in means.items():
        change = comparison.estimate_mean_change(sums, level)
        table.add_row(escape(name), "", "", *format_estimates([change], "change"))
    out.print(table)


def _print_factor_changes(comparison: Comparison) -> None:
    """Print the change in the games with each value of each factor, such as each hero."""
    rows = comparison.tabulate_factors()
    if not rows or not comparison.wins_gained + comparison.wins_lost:
        return
    table = _start_table(
        ("", " ", "games", "gained", "lost", effects.CHANGE_HEADER),
        _make_title("change of the win rate, by factors of the games under A", comparison),
    )
    table.columns[1].justify = "left"
    changes = [Estimate(row["value"], row["low"], row["high"], row["games"]) for row in rows]
    previous = None
    for row, text in zip(rows, format_estimates(changes, "points"), strict=True):
        factor = "" if row["factor"] == previous else escape(row["factor"])
        previous = row["factor"]
        counts = [f"{row[key]:,}" for key in ("games", "gained", "lost")]
        table.add_row(factor, escape(row["is"]), *counts, text)
    out.print(table)


def _print_divergences(comparison: Comparison, sides: tuple[str, str]) -> None:
    """Print where the games that are newly won or lost first differ, with examples.

    Args:
        comparison: The comparison.
        sides: A, and B, as arguments of a command that plays one of them.
    """
    lost = comparison.tabulate_divergences(False)[:MAX_DIVERGENCES]
    gained = comparison.tabulate_divergences(True)[:MAX_DIVERGENCES]
    if not lost and not gained:
        return
    unit = singularize_unit(comparison.game.unit)
    table = _start_table(
        ("result", "first difference", unit, "games", "share"),
        _make_title("where games that are newly won or lost first differ", comparison),
    )
    for row in (*lost, *gained):
        table.add_row(
            _describe_flip(row["flip"] == "gained"),
            escape(row["source"]),
            str(row["round"]),
            f"{row['flips']:,}",
            f"{100 * row['share']:.0f} %",
        )
    out.print(table)
    for is_gained in (False, True):
        for cause in comparison.tabulate_losses(is_gained)[:1]:
            out.print(_describe_most_frequent(comparison, cause), soft_wrap=True)
    examples = select_example_divergences(comparison)
    for example in examples:
        out.print(
            f"[dim]game {example.game} is {_describe_flip(example.gained)} and first differs at "
            f"{escape(example.source)} in {unit} {example.round}[/dim]",
            soft_wrap=True,
        )
    for name, cell, arguments in zip("AB", (comparison.a, comparison.b), sides, strict=True):
        for example in examples[:1]:
            command = (
                f"hardmode replay {name_trained_players(arguments, cell)} --game {example.game} "
                f"--seed {comparison.seed}"
            )
            out.print(f"[dim]under {name}: {escape(command)}[/dim]", soft_wrap=True)


def _describe_flip(is_gained: bool) -> str:
    return "newly won" if is_gained else "newly lost"


def _describe_most_frequent(comparison: Comparison, cause: dict[str, Any]) -> str:
    """Return the most frequent story of games that are newly won, or newly lost, in words."""
    is_gained = cause["flip"] == "gained"
    n_examined = len(comparison.flipped_games[is_gained])
    n_all = comparison.wins_gained if is_gained else comparison.wins_lost
    first = "the first " if n_examined < n_all else ""
    verb = "were lost under A" if is_gained else "are lost under B"
    winners = ""
    if comparison.game.competitive and cause["to"]:
        seats = " and ".join(map(str, cause["to"]))
        winners = f" to {pluralize(len(cause['to']), 'seat')} {seats}"
    unit = singularize_unit(comparison.game.unit)
    games = format_count(n_examined, f"{_describe_flip(is_gained)} game")
    place = f"{escape(cause['source'])} in {unit} {cause['round']}"
    return (
        f"{cause['flips']:,} of {first}{games} ({100 * cause['share']:.0f} %) {verb}{winners} with "
        f"the ending “{escape(cause['lost_by'])}”; most often they first differ at {place} "
        f"({format_count(cause['parts_there'], 'game')}), for example game {cause['game']} of "
        f"seed {comparison.seed}"
    )


def make_file_tables(
    comparisons: Sequence[Comparison],
    levels: Sequence[LevelComparisons],
    adaptation: Adaptation | None,
    conclusions: Sequence[RobustConclusion | None] = (),
) -> list[ReportTable]:
    """Return all results as tables for files.

    Args:
        comparisons: The comparison of each cell.
        levels: The comparisons by skill level, if there are any.
        adaptation: The effect before and after players adapt, if it was measured.
        conclusions: The robustness of the difference in each cell, if it was measured.
    """
    rows = []
    for comparison, conclusion in zip(comparisons, conclusions, strict=False):
        if conclusion:
            cell = comparison.a.label_text or "all games"
            row = {"cell": cell, "statement": conclusion.statement, "share": conclusion.share}
            rows.append(row)
    columns = [
        Column("cell", "cell"),
        Column("statement", "conclusion"),
        Column("share", "boxes", "rate"),
    ]
    return [
        *compared.make_comparison_tables(comparisons),
        *effects.make_effect_tables(levels, adaptation),
        ReportTable(
            "firm", "In how many plausible boxes the difference has its sign", columns, rows
        ),
    ]


def describe_comparison_inputs(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """Return the games, players and digests that the tables rest on."""
    first = comparisons[0]
    inputs = {
        "game": first.game.title,
        "A": describe_comparison_side(first.a),
        "B": describe_comparison_side(first.b),
        "seed": first.seed,
        "confidence": first.confidence,
        "games under both": sum(comparison.games for comparison in comparisons),
    }
    for side, variant in (("A", first.a), ("B", first.b)):
        for name, digest in variant.digests.items():
            inputs[f"digest of {name}, {side}"] = digest
    return inputs
