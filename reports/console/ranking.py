"""Ranking of the cells of a grid, in words and as a table: the ends first, then ties."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count, format_games, join_names
from hardmode.scenarios.labels import format_readable_label
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.stats import estimates

POINTS = 100  # percentage points of a difference of 1
MAX_NAMES = 6  # cells of a tie that are named
MAX_TIES = 3  # ties between the ends that are described
ENDS = 5  # rows from each end of a long table
MAX_ROWS = 2 * ENDS + 2  # of a table that is printed as a whole
STEP_HEADER = "above the row before"


def print_ranking(ranking: Ranking) -> None:
    """Print the ranking in words and, with three cells or more, as a table."""
    for line in describe_ranking(ranking):
        out.print(escape(line))
    if ranking.cells == 2:
        return
    table = Table(header_style="bold")
    won_header = "seat 1 wins" if ranking.seats_compete else "win rate"
    for header in ("place", "cell", won_header, STEP_HEADER):
        table.add_column(header, justify="left" if header == "cell" else "right")
    rows = format_ranking_rows(ranking)
    for position in select_rows(ranking):
        if position is None:
            table.add_row(
                "", f"and {format_count(ranking.cells - 2 * ENDS, 'cell')} between", "", ""
            )
        else:
            table.add_row(*map(escape, rows[position].values()))
    out.print(table)


def select_rows(ranking: Ranking) -> list[int | None]:
    """Return the positions that a short table shows: all, or both ends with None between them."""
    positions: list[int | None] = list(range(ranking.cells))
    if ranking.cells <= MAX_ROWS:
        return positions
    return [*positions[:ENDS], None, *positions[-ENDS:]]


def format_ranking_rows(ranking: Ranking) -> list[dict[str, str]]:
    """Return all rows of the table, from the hardest cell to the easiest."""
    level = estimates.bonferroni_level(ranking.confidence, ranking.cells)
    order = ranking.order
    rates = [
        estimates.clopper_pearson_rate(int(ranking.wins[i]), ranking.games, level) for i in order
    ]
    steps = [ranking.estimate_difference(i, order[k]) for k, i in enumerate(order[1:])]
    rate_texts = format_estimates(rates, "rate")
    step_texts = ["", *format_estimates(steps, "points")]
    rows = []
    for i, won, step in zip(order, rate_texts, step_texts, strict=True):
        place, cell = format_place(ranking, i), format_cell_name(ranking, i)
        rows.append({"place": place, "cell": cell, "won": won, "step": step})
    return rows


def format_place(ranking: Ranking, i: int) -> str:
    """Return the places that a cell may take, such as "2 .. 4"."""
    low, high = ranking.find_place_range(i)
    return f"{low}" if low == high else f"{low} .. {high}"


def format_cell_name(ranking: Ranking, i: int) -> str:
    """Return the label of a cell as words."""
    return format_readable_label(ranking.labels[i])


def describe_ranking(ranking: Ranking) -> list[str]:
    """Return the hardest and the easiest cells, and the cells that cannot be distinguished."""
    groups = ranking.groups
    lines = [_describe_end(ranking, groups[0], is_hardest=True)]
    if len(groups) > 1:
        lines.append(_describe_end(ranking, groups[-1], is_hardest=False))
    ties = [group for group in groups[1:-1] if len(group) > 1]
    if ranking.cells > MAX_ROWS:
        ties = []  # too many to be read
    for group in ties[:MAX_TIES]:
        lines.append(_describe_tie(ranking, group))
    if len(ties) > MAX_TIES:
        more = format_count(len(ties) - MAX_TIES, "more group")
        lines.append(f"{more} of neighbours cannot be distinguished either; groups may overlap")
    if ranking.cells > 2:
        lines.append(
            f"{ranking.distinguished_pairs:,} of {format_count(ranking.pairs, 'pair')} can be "
            f"distinguished by {format_games(ranking.games)} of each cell with the same random "
            f"numbers; all these conclusions hold together at {POINTS * ranking.confidence:g} %"
        )
    return lines


def _describe_end(ranking: Ranking, group: Sequence[int], is_hardest: bool) -> str:
    """Return one end of the order: a cell, or several of which any may be the end."""
    if len(group) == ranking.cells:
        return _describe_tie(ranking, group)
    end = _name_end(ranking, is_hardest)
    if len(group) > 1:
        names = _join_names(ranking, group)
        needed = _describe_games_needed(ranking, group)
        return f"{end} is one of {names}, which cannot be distinguished; {needed}"
    [i] = group
    others = [j for j in ranking.order if j != i]
    rest = "the others" if len(others) > 1 else _quote_name(ranking, others[0])
    distance = _format_distance(ranking, i, others, is_hardest)
    side = "below" if is_hardest else "above"
    return f"{_quote_name(ranking, i)} is {end}: {distance} points {side} {rest}"


def _format_distance(ranking: Ranking, i: int, others: Sequence[int], is_hardest: bool) -> str:
    """Return how far a cell lies from all others, such as "1.2 to 20.4" points."""
    differences = []
    for j in others:
        easier, harder = (j, i) if is_hardest else (i, j)
        differences.append(ranking.estimate_difference(easier, harder))
    low = min(difference.low for difference in differences)
    high = max(difference.high for difference in differences)
    return f"{POINTS * low:.1f} to {POINTS * high:.1f}"


def _name_end(ranking: Ranking, is_hardest: bool) -> str:
    if ranking.seats_compete:
        return f"where seat 1 wins {'least' if is_hardest else 'most'}"
    return "hardest" if is_hardest else "easiest"


def _describe_tie(ranking: Ranking, group: Sequence[int]) -> str:
    return (
        f"{_join_names(ranking, group)} cannot be distinguished with "
        f"{format_games(ranking.games)}; {_describe_games_needed(ranking, group)}"
    )


def _join_names(ranking: Ranking, group: Sequence[int]) -> str:
    names = [_quote_name(ranking, i) for i in group[:MAX_NAMES]]
    if len(group) > MAX_NAMES:
        names.append(f"{len(group) - MAX_NAMES} more")
    return join_names(names)


def _quote_name(ranking: Ranking, i: int) -> str:
    """Return the name of a cell, in quotes if it contains commas."""
    name = format_cell_name(ranking, i)
    return f"“{name}”" if "," in name else name


def _describe_games_needed(ranking: Ranking, group: Sequence[int]) -> str:
    """Return how many games would distinguish the two cells that differ most."""
    needed = ranking.estimate_needed_games(group[-1], group[0])
    if not needed:
        return "they won the same number of games"
    games = format_games(_round_up(needed))
    if len(group) == 2:
        return f"{games} would be enough"
    first, last = _quote_name(ranking, group[0]), _quote_name(ranking, group[-1])
    return f"{games} would distinguish {first} from {last}"


def _round_up(n: int) -> int:
    """Return a number rounded up to two significant digits."""
    scale = 10 ** max(0, len(str(n)) - 2)
    return -(-n // scale) * scale
