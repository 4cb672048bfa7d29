"""Output of `history`, and the picture of a history."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.sim.files import atomic_files
from hardmode.studies.history.bisect import CommitVerdict
from hardmode.studies.history.history import HistoryEntry, ScenarioHistory
from hardmode.studies.stats import formatting

PICTURES = (".svg", ".png")
WIDTH, HEIGHT = 8.0, 4.2  # inches


def show_history(pasts: Sequence[ScenarioHistory]) -> None:
    """One scenario commit by commit; several, what became of each."""
    if len(pasts) > 1:
        out.print(_overview(pasts))
        return
    [past] = pasts
    table = Table(header_style="bold", title=escape(past.name), title_justify="left")
    several = len(past.group_by_cell()) > 1
    for head in (
        "date",
        "commit",
        *(["variant"] if several else []),
        "played by",
        "won, %",
        "games",
        "reason",
    ):
        table.add_column(head, justify="right" if head in ("won, %", "games") else "left")
    for one in past.entries:
        table.add_row(
            one.commit.date,
            one.commit.short,
            *([escape(describe_side(one))] if several else []),
            escape(_players(one)),
            formatting.format_rate(one.rate),
            f"{one.rate.n:,}",
            escape(one.reason),
        )
    out.print(table)
    for commit, why in past.unreadable:
        out.print(f"{escape(str(commit))}: not read: {escape(why)}")


def _overview(pasts: Sequence[ScenarioHistory]) -> Table:
    table = Table(
        header_style="bold", title_justify="left", title="the largest change of each scenario"
    )
    for head in ("scenario", "variant", "first", "now", "commits", "last reason"):
        table.add_column(head, justify="right" if head in ("first", "now", "commits") else "left")
    for past in pasts:
        course = max(
            past.group_by_cell().values(),
            key=lambda held: abs(held[-1].rate.value - held[0].rate.value),
            default=None,
        )
        if course:
            first, last = course[0], course[-1]
            table.add_row(
                escape(past.name),
                escape(describe_side(last)),
                formatting.format_rate(first.rate),
                formatting.format_rate(last.rate),
                str(len({h.commit for h in course})),
                escape(last.reason),
            )
    return table


def describe_side(one: HistoryEntry | CommitVerdict) -> str:
    return ", ".join(
        [
            *([one.cell] if one.cell else []),
            *([f"seat {one.seat + 1}"] if one.seat is not None else []),
        ]
    )


def _players(one: HistoryEntry) -> str:
    return ", ".join(dict.fromkeys(one.plays))


def ready(picture: Path) -> None:
    """Refuse a place for the picture before anything is read."""
    if picture.suffix not in PICTURES:
        raise atomic_files.OutputError(f"{picture}: the name of a picture ends with .svg or .png")
    atomic_files.check_writable(picture, atomic_files.PICTURE)


def draw(past: ScenarioHistory, picture: Path) -> None:
    """The course of every variant over the commits."""
    import io

    from matplotlib.figure import Figure

    commits = list(dict.fromkeys(one.commit for one in past.entries))
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    for held in past.group_by_cell().values():
        at, values = (
            [commits.index(one.commit) for one in held],
            [100 * one.rate.value for one in held],
        )
        errors = [
            [100 * (one.rate.value - one.rate.low) for one in held],
            [100 * (one.rate.high - one.rate.value) for one in held],
        ]
        axes.errorbar(
            at, values, yerr=errors, marker="o", markersize=4, capsize=3, label=describe_side(held[0])
        )
    axes.set_xticks(range(len(commits)), [f"{c.date}\n{c.short}" for c in commits], fontsize=8)
    axes.set_ylabel("games won, %")
    axes.set_title(past.name, loc="left")
    axes.grid(axis="y", linewidth=0.5, alpha=0.5)
    if len(past.group_by_cell()) > 1:
        axes.legend(fontsize=8)
    drawn, kind = io.BytesIO(), picture.suffix[1:]
    figure.savefig(
        drawn, format=kind, dpi=150, metadata={"Software": "hardmode"} if kind == "png" else None
    )
    atomic_files.write_atomically(
        picture,
        drawn.getvalue().replace(b"?>\n", b"?>\n<!-- drawn by hardmode -->\n", kind == "svg"),
    )




