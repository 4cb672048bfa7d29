"""Output of `history`, and the plot of a history."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.sim.files import atomic_files
from hardmode.studies.history.bisect import CommitVerdict
from hardmode.studies.history.history import HistoryEntry, ScenarioHistory
from hardmode.studies.stats.formatting import format_rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURE_SUFFIXES = (".svg", ".png")
WIDTH, HEIGHT = 8.0, 4.2  # inches
PNG_DPI = 150
XML_END = b"?>\n"  # end of the first line of an SVG file
SIGNATURE = b"<!-- drawn by hardmode -->\n"  # by which a picture may be written again
RIGHT_HEADERS = ("won, %", "games", "first", "now", "commits")


def print_history(histories: Sequence[ScenarioHistory]) -> None:
    """Print one scenario commit by commit, or the largest change of each of several scenarios."""
    if len(histories) > 1:
        out.print(_make_overview(histories))
        return
    [history] = histories
    has_cells = len(history.group_by_cell()) > 1
    variant_header = ("variant",) if has_cells else ()
    table = _start_table(
        ("date", "commit", *variant_header, "played by", "won, %", "games", "reason"),
        escape(history.name),
    )
    for entry in history.entries:
        cell = [escape(format_cell_and_seat(entry))] if has_cells else []
        table.add_row(
            entry.commit.date,
            entry.commit.short,
            *cell,
            escape(", ".join(dict.fromkeys(entry.plays))),
            format_rate(entry.rate),
            f"{entry.rate.n:,}",
            escape(entry.reason),
        )
    out.print(table)
    for commit, reason in history.unreadable:
        out.print(f"{escape(str(commit))} could not be read: {escape(reason)}")


def _start_table(headers: Sequence[str], title: str) -> Table:
    table = Table(header_style="bold", title=title, title_justify="left")
    for header in headers:
        table.add_column(header, justify="right" if header in RIGHT_HEADERS else "left")
    return table


def _get_change(entries: Sequence[HistoryEntry]) -> float:
    return abs(entries[-1].rate.value - entries[0].rate.value)


def _make_overview(histories: Sequence[ScenarioHistory]) -> Table:
    table = _start_table(
        ("scenario", "variant", "first", "now", "commits", "last reason"),
        "the largest change of each scenario",
    )
    for history in histories:
        entries = max(history.group_by_cell().values(), key=_get_change, default=None)
        if not entries:
            continue
        first, last = entries[0], entries[-1]
        table.add_row(
            escape(history.name),
            escape(format_cell_and_seat(last)),
            format_rate(first.rate),
            format_rate(last.rate),
            str(len({entry.commit for entry in entries})),
            escape(last.reason),
        )
    return table


def format_cell_and_seat(entry: HistoryEntry | CommitVerdict) -> str:
    """Return the cell and the seat whose games an entry is about, as far as there are several."""
    parts = [entry.cell] if entry.cell else []
    if entry.seat is not None:
        parts.append(f"seat {entry.seat + 1}")
    return ", ".join(parts)


def check_picture_path(path: Path) -> None:
    """Check, before anything is played, that a picture can be written.

    Raises:
        OutputError: The name does not end with .svg or .png, or the file cannot be written.
    """
    if path.suffix not in PICTURE_SUFFIXES:
        raise atomic_files.OutputError(f"{path}: the name of a picture must end with .svg or .png")
    atomic_files.check_writable(path, atomic_files.PICTURE)


def draw_history(history: ScenarioHistory, path: Path) -> None:
    """Draw the win rate of every cell over the commits, and write the picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    commits = list(dict.fromkeys(entry.commit for entry in history.entries))
    cells = history.group_by_cell()
    for entries in cells.values():
        _draw_cell(axes, entries, [commits.index(entry.commit) for entry in entries])
    labels = [f"{commit.date}\n{commit.short}" for commit in commits]
    axes.set_xticks(range(len(commits)), labels, fontsize=8)
    axes.set_ylabel("games won, %")
    axes.set_title(history.name, loc="left")
    axes.grid(axis="y", linewidth=0.5, alpha=0.5)
    if len(cells) > 1:
        axes.legend(fontsize=8)
    content = io.BytesIO()
    if path.suffix == ".png":
        metadata = {"Software": "hardmode"}
        figure.savefig(content, format="png", dpi=PNG_DPI, metadata=metadata)
        atomic_files.write_atomically(path, content.getvalue())
        return
    figure.savefig(content, format="svg", dpi=PNG_DPI)
    svg = content.getvalue().replace(XML_END, XML_END + SIGNATURE, 1)
    atomic_files.write_atomically(path, svg)


def _draw_cell(axes: Axes, entries: Sequence[HistoryEntry], positions: Sequence[int]) -> None:
    rates = [entry.rate for entry in entries]
    errors = [
        [100 * (rate.value - rate.low) for rate in rates],
        [100 * (rate.high - rate.value) for rate in rates],
    ]
    axes.errorbar(
        positions,
        [100 * rate.value for rate in rates],
        yerr=errors,
        marker="o",
        markersize=4,
        capsize=3,
        label=format_cell_and_seat(entries[0]),
    )
