"""How the cells of a grid rank, in words, in a table, and as JSON: the ends first, then what cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import listed
from hardmode.scenarios.labels import format_label
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.stats import estimates, formatting

POINTS = 100
MOST_NAMED, MOST_GROUPS = 6, 3
ENDS = 5  # rows from each end of a long table


def show(found: Ranking) -> None:
    for line in sentences(found):
        out.print(escape(line))
    if found.cells == 2:
        return
    table = Table(header_style="bold")
    for head in (
        "place",
        "cell",
        "seat 1 wins" if found.seats_compete else "win rate",
        "above the one before",
    ):
        table.add_column(head, justify="left" if head == "cell" else "right")
    for at in rows_shown(found):
        if at is None:
            table.add_row("", f"and {found.cells - 2 * ENDS} between", "", "")
        else:
            table.add_row(*(escape(text) for text in row(found, at).values()))
    out.print(table)


def rows_shown(found: Ranking) -> list[int | None]:
    """The rows of a table that is short: all, or those at both ends."""
    every = list(range(found.cells))
    return [*every[:ENDS], None, *every[-ENDS:]] if found.cells > 2 * ENDS + 2 else [*every]


def row(found: Ranking, at: int) -> dict[str, str]:
    """One cell as a table shows it, by where it stands."""
    i = found.order[at]
    won = estimates.clopper_pearson_rate(
        int(found.wins[i]), found.games, estimates.bonferroni_level(found.confidence, found.cells)
    )
    step = (
        formatting.format_with_interval(found.difference(i, found.order[at - 1]), "points")
        if at
        else ""
    )
    return {
        "place": place(found, i),
        "cell": name(found, i),
        "won": formatting.format_rate(won),
        "step": step,
    }


def place(found: Ranking, i: int) -> str:
    low, high = found.place_range(i)
    return f"{low}" if low == high else f"{low} .. {high}"


def name(found: Ranking, i: int) -> str:
    return format_label(found.labels[i]).replace("_", " ")


def sentences(found: Ranking) -> list[str]:
    """The hardest and the easiest, and what so many games do not tell apart."""
    first, last = found.groups[0], found.groups[-1]
    lines = [_end(found, first, True)]
    if last is not first:
        lines.append(_end(found, last, False))
    between = [g for g in found.groups[1:-1] if len(g) > 1]
    lines += [f"{_alike(found, g)}; {_enough(found, g)}" for g in between[:MOST_GROUPS]]
    if len(between) > MOST_GROUPS:
        lines.append(
            f"and the same of {len(between) - MOST_GROUPS} more groups of neighbours, which may overlap"
        )
    if found.cells > 2:
        lines.append(
            f"{found.distinguished_pairs:,} of {found.pairs:,} pairs are told apart by {found.games:,} games each on "
            f"the same luck, all together at {POINTS * found.confidence:g} %"
        )
    return lines


def _end(found: Ranking, group: Sequence[int], hardest: bool) -> str:
    """One end of the order: a cell, or those of which any may be it."""
    what = (
        ("hardest" if hardest else "easiest")
        if not found.seats_compete
        else ("where seat 1 wins least" if hardest else "where seat 1 wins most")
    )
    if len(group) > 1:
        if len(group) == found.cells:
            return f"{_alike(found, group)}; {_enough(found, group)}"
        return f"{what} is one of {_names(found, group)}, which cannot be told apart; {_enough(found, group)}"
    [i] = group
    others = [
        found.difference(j, i) if hardest else found.difference(i, j) for j in found.order if j != i
    ]
    low, high = min(e.low for e in others), max(e.high for e in others)
    side = "below" if hardest else "above"
    rest = (
        "the others" if found.cells > 2 else _apart(found, next(j for j in found.order if j != i))
    )
    return f"{_apart(found, i)} is {what}: {POINTS * low:.1f} to {POINTS * high:.1f} points {side} {rest}"


def _alike(found: Ranking, group: Sequence[int]) -> str:
    return f"{_names(found, group)} cannot be told apart with {found.games:,} games"


def _names(found: Ranking, group: Sequence[int]) -> str:
    more = [f"{len(group) - MOST_NAMED} more"] if len(group) > MOST_NAMED else []
    return listed([*(_apart(found, i) for i in group[:MOST_NAMED]), *more])


def _apart(found: Ranking, i: int) -> str:
    """A cell's name, in quotes where commas in it would run into those between names."""
    told = name(found, i)
    return f"“{told}”" if "," in told else told


def _enough(found: Ranking, group: Sequence[int]) -> str:
    """How many games would do, for the two that lie farthest apart."""
    needed = found.games_needed(group[-1], group[0])
    if not needed:
        return "they won the same number of games"
    rounded = _rounded(needed)
    if len(group) == 2:
        return f"{rounded:,} would do"
    return f"{rounded:,} games would tell {_apart(found, group[0])} from {_apart(found, group[-1])}"


def _rounded(n: int) -> int:
    """Two digits, upwards: more would pretend to know."""
    scale = 10 ** max(0, len(str(n)) - 2)
    return -(-n // scale) * scale


