"""Chapter on a comparison: effect of a change, its precision, and where the games diverge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page import model
from hardmode.reports.page.chapters.examples import make_game_narrative
from hardmode.reports.page.model import (
    Brief,
    Chapter,
    Column,
    GameNarrative,
    ReportTable,
    Section,
)
from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.replay import story
from hardmode.studies.comparison.compare import (
    Comparison,
    Divergence,
    describe_comparison_side,
    select_example_divergences,
)
from hardmode.studies.core.run import make_engine
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import mcnemar_p_value

MAX_LINES = 120  # of one side of a flipped game
MAX_DIFFERENCES = 4  # that a title names
MAX_VERDICTS = 4  # at the head of the chapter


def make_comparison_chapter(comparisons: Sequence[Comparison]) -> Chapter:
    """Return the chapter on A against B, in each cell of a grid."""
    first = comparisons[0]
    sections = [
        _make_difference_section(comparisons),
        _make_endings_section(comparisons),
        _make_divergence_section(comparisons),
        _make_examples_section(first),
        _make_precision_section(first),
    ]
    return Chapter(
        f"{first.a.game.name} compared",
        first.game.title,
        describe_differences(first.a, first.b),
        "The same games, with the same random numbers, were played under both sides: A first, B "
        "second.",
        [describe_comparison(c) for c in comparisons[:MAX_VERDICTS]],
        _list_facts(comparisons),
        [section for section in sections if section],
    )


def _format_cell(c: Comparison) -> str:
    return c.a.label_text.replace("_", " ")


def _make_cell_columns(comparisons: Sequence[Comparison]) -> list[Column]:
    """Return the column that names the variant, if there are several."""
    return [Column("cell", "variant")] if len(comparisons) > 1 else []


def describe_differences(a: Variant, b: Variant) -> str:
    """Return how B differs from A, or both in full if they are quite different."""
    differences = []
    for path in dict.fromkeys([*a.values, *b.values]):
        old, new = a.values.get(path), b.values.get(path)
        if old != new and path not in a.label:
            values = f"{format_yaml_value(new)} instead of {format_yaml_value(old)}"
            differences.append(f"{wording.format_path_end(path, 2)} {values}")
    players = [", ".join(dict.fromkeys(map(str, side.strategies))) for side in (a, b)]
    if players[0] != players[1]:
        differences.append(f"played by {players[1]} instead of {players[0]}")
    if not differences or len(differences) > MAX_DIFFERENCES or a.overlay != b.overlay:
        return f"{describe_comparison_side(a)} against {describe_comparison_side(b)}"
    return f"{a.title}: {wording.join_names(differences)}"


def make_comparison_tables(comparisons: Sequence[Comparison]) -> list[ReportTable]:
    """Return the tables of a comparison, without the sections around them."""
    tables = [
        *_make_difference_section(comparisons).tables,
        *_make_endings_section(comparisons).tables,
    ]
    divergences = _make_divergence_section(comparisons)
    return [*tables, *divergences.tables] if divergences else tables


def describe_comparison(c: Comparison) -> str:
    """Return the effect of the change, and whether it is settled."""
    where = f"{_format_cell(c)}: " if c.a.label else ""
    if c.identical_games == c.games:
        return f"{where}no game differs in {wording.format_games(c.games)}."
    change = (
        f"{where}B changes the win rate by "
        f"{formatting.format_with_interval(c.difference, 'points')} points: of "
        f"{wording.format_games(c.games)}, {c.wins_gained:,} {_agree(c.wins_gained)} newly won and "
        f"{c.wins_lost:,} newly lost."
    )
    if c.is_settled:
        return (
            f"{change} The sign of this difference is settled. To find it in 9 of 10 cases takes "
            f"{wording.format_games(c.estimate_needed_pairs())} under both sides, or "
            f"{c.estimate_unpaired_games():,} on each side without the same random numbers."
        )
    more = c.estimate_further_games()
    end = f"; about {wording.format_two_figures(more)} more games would settle it" if more else ""
    return f"{change} The sign of this difference is not settled{end}."


def _agree(n: int) -> str:
    return "is" if n == 1 else "are"


def _list_facts(comparisons: Sequence[Comparison]) -> list[tuple[str, str, str]]:
    c = comparisons[0]
    difference = c.difference
    unit = _format_cell(c) if len(comparisons) > 1 else "points of win rate"
    return [
        (
            "B minus A",
            formatting.format_points(difference),
            f"{formatting.format_points_interval(difference)}, {unit}",
        ),
        (
            "games that flip",
            f"{c.wins_gained + c.wins_lost:,}",
            f"{c.wins_gained:,} newly won, {c.wins_lost:,} newly lost",
        ),
        (
            "games under both",
            f"{sum(x.games for x in comparisons):,}",
            wording.format_count(len(comparisons), "comparison"),
        ),
    ]


def _make_difference_section(comparisons: Sequence[Comparison]) -> Section:
    several = len(comparisons) > 1
    figure = model.make_dot_plot(
        "difference",
        "What B changes",
        [{"label": _format_cell(c) or "all games", "estimate": c.difference} for c in comparisons],
        "points",
        "change of the win rate, points",
        mark=0,
    )
    columns = [
        *_make_cell_columns(comparisons),
        Column("games", "games", "count"),
        Column("a", "A wins", "rate"),
        Column("b", "B wins", "rate"),
        Column("change", "B minus A, points", "points"),
        Column("gained", "newly won", "count"),
        Column("lost", "newly lost", "count"),
        Column("length", comparisons[0].game.unit, "change"),
    ]
    rows = []
    for c in comparisons:
        rows.append(
            {
                "cell": _format_cell(c) or "all games",
                "games": c.games,
                "a": c.estimate_win_rate(False),
                "b": c.estimate_win_rate(True),
                "change": c.difference,
                "gained": c.wins_gained,
                "lost": c.wins_lost,
                "length": c.estimate_mean_change(c.length_sums),
            }
        )
    note = "The intervals hold for all rows together." if several else ""
    return Section(
        "difference",
        "What does the change do?",
        [describe_comparison(c) for c in comparisons] if several else [],
        [figure],
        [ReportTable("difference", "A and B on the same games", columns, rows, note)],
        brief=Brief(4, ["difference"]),
    )


def _make_endings_section(comparisons: Sequence[Comparison]) -> Section:
    columns = [
        *_make_cell_columns(comparisons),
        Column("ending", "ending"),
        Column("a", "under A", "count"),
        Column("b", "under B", "count"),
        Column("change", "change, points", "points"),
    ]
    rows: list[dict[str, Any]] = []
    for c in comparisons:
        cell = _format_cell(c) or "all games"
        for name, change, a, b in c.estimate_ending_changes():
            rows.append({"cell": cell, "ending": name, "a": a, "b": b, "change": change})
    largest = max(rows, key=lambda row: abs(row["change"].value))
    where = f" with {largest['cell']}" if len(comparisons) > 1 else ""
    points = formatting.format_with_interval(largest["change"], "points")
    sentence = (
        f"The share of “{largest['ending']}” changes most{where}: by {points} points, from "
        f"{largest['a']:,} to {wording.format_games(largest['b'])}."
    )
    return Section(
        "endings",
        "How do the endings change?",
        [sentence],
        tables=[ReportTable("ending-changes", "Every ending under both", columns, rows)],
        brief=Brief(1),
    )


def _make_divergence_section(comparisons: Sequence[Comparison]) -> Section | None:
    rows = []
    for c in comparisons:
        for gained in (False, True):
            for row in c.tabulate_divergences(gained):
                rows.append(
                    {
                        "cell": _format_cell(c) or "all games",
                        "flip": f"newly {'won' if gained else 'lost'}",
                        "source": row["source"],
                        "round": row["round"],
                        "flips": row["flips"],
                        "share": f"{100 * row['share']:.0f} %",
                    }
                )
    if not rows:
        return None
    columns = [
        *_make_cell_columns(comparisons),
        Column("flip", "flip"),
        Column("source", "first difference", "text", "histories part at"),
        Column("round", wording.singularize_unit(comparisons[0].game.unit), "count"),
        Column("flips", "games", "count"),
        Column("share", "of these flips"),
    ]
    n_games = sum(len(c.divergences) for c in comparisons)
    games = wording.format_count(n_games, "flipped game")
    sentence = (
        f"The histories of {games} under A and B were compared, and the first draw or decision in "
        "which they differ was counted. This is where the change begins to have an effect, but not "
        "necessarily what decides the game."
    )
    return Section(
        "ledger",
        "Where do the histories diverge?",
        [sentence],
        tables=[ReportTable("ledger", "Where flipped games diverge", columns, rows)],
        brief=Brief(1),
    )


def _make_examples_section(c: Comparison) -> Section | None:
    narratives = []
    for divergence in select_example_divergences(c):
        narratives += _narrate_both_sides(c, divergence)
    if not narratives:
        return None
    return Section(
        "flips",
        "Flipped games, side by side",
        [
            "These games diverge at the most common places. Each is shown first under A, then "
            "under B."
        ],
        stories=narratives,
    )


def _narrate_both_sides(c: Comparison, divergence: Divergence) -> list[GameNarrative]:
    result = "won" if divergence.gained else "lost"
    flip = f"newly {result} under B, diverges at {divergence.source}"
    narratives = []
    for name, cell, scenario in (("A", c.a, c.names[0]), ("B", c.b, c.names[1])):
        game = story(make_engine(cell), c.seed, divergence.game)
        title = f"Game {divergence.game} under {name}: {flip}"
        settings = {path: new for path, (_, new) in cell.changed_values.items()}
        narratives.append(make_game_narrative(cell, game, title, scenario, settings, MAX_LINES))
    return narratives


def _make_precision_section(c: Comparison) -> Section:
    together = " for all cells together" if c.n_cells > 1 else ""
    p = mcnemar_p_value(c.wins_gained, c.wins_lost)
    sentence = (
        f"Intervals hold at {100 * c.confidence:g} %{together}. The difference is paired "
        f"(Newcombe's method 10): both sides play the same games of seed {c.seed}, and only games "
        f"with different results count. McNemar's exact test gives p = {p:.3g}."
    )
    return Section("sure", "How sure is that?", [sentence], brief=Brief(1))
