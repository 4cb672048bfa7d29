"""What `history` and `bisect` print, their JSON, and the picture of a history."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.result import out
from hardmode.sim.files import atomic_files
from hardmode.studies.gate.checks import difference
from hardmode.studies.history.bisect import MOVED, SKIPPED, CommitVerdict, Search
from hardmode.studies.history.history import Held, Past
from hardmode.studies.history.repository import Commit
from hardmode.studies.stats import formatting

PICTURES = (".svg", ".png")
WIDTH, HEIGHT = 8.0, 4.2  # inches


# History


def show_history(pasts: Sequence[Past]) -> None:
    """One scenario commit by commit; several, what became of each."""
    if len(pasts) > 1:
        out.print(_overview(pasts))
        return
    [past] = pasts
    table = Table(header_style="bold", title=escape(past.name), title_justify="left")
    several = len(past.lines()) > 1
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
    for one in past.held:
        table.add_row(
            one.commit.date,
            one.commit.short,
            *([escape(_whose(one))] if several else []),
            escape(_players(one)),
            formatting.rate(one.rate),
            f"{one.rate.n:,}",
            escape(one.reason),
        )
    out.print(table)
    for commit, why in past.unread:
        out.print(f"{escape(str(commit))}: not read: {escape(why)}")


def _overview(pasts: Sequence[Past]) -> Table:
    table = Table(
        header_style="bold", title_justify="left", title="the largest change of each scenario"
    )
    for head in ("scenario", "variant", "first", "now", "commits", "last reason"):
        table.add_column(head, justify="right" if head in ("first", "now", "commits") else "left")
    for past in pasts:
        course = max(
            past.lines().values(),
            key=lambda held: abs(held[-1].rate.value - held[0].rate.value),
            default=None,
        )
        if course:
            first, last = course[0], course[-1]
            table.add_row(
                escape(past.name),
                escape(_whose(last)),
                formatting.rate(first.rate),
                formatting.rate(last.rate),
                str(len({h.commit for h in course})),
                escape(last.reason),
            )
    return table


def _whose(one: Held | CommitVerdict) -> str:
    return ", ".join(
        [
            *([one.cell] if one.cell else []),
            *([f"seat {one.seat + 1}"] if one.seat is not None else []),
        ]
    )


def _players(one: Held) -> str:
    return ", ".join(dict.fromkeys(one.plays))


def history_dict(pasts: Sequence[Past]) -> dict[str, Any]:
    return {
        "scenarios": [
            {
                "scenario": past.name,
                "held": [
                    {
                        **_commit(one.commit),
                        "cell": one.cell,
                        "seat": None if one.seat is None else one.seat + 1,
                        "plays": list(one.plays),
                        "games": one.rate.n,
                        "rate": one.rate.value,
                        "low": one.rate.low,
                        "high": one.rate.high,
                        "reason": one.reason,
                    }
                    for one in past.held
                ],
                "unread": [{**_commit(commit), "why": why} for commit, why in past.unread],
            }
            for past in pasts
        ]
    }


def _commit(commit: Commit) -> dict[str, str]:
    return {"commit": commit.id, "date": commit.date, "subject": commit.subject}


def ready(picture: Path) -> None:
    """Refuse a place for the picture before anything is read."""
    if picture.suffix not in PICTURES:
        raise atomic_files.OutputError(f"{picture}: the name of a picture ends with .svg or .png")
    atomic_files.ready(picture, atomic_files.PICTURE)


def draw(past: Past, picture: Path) -> None:
    """The course of every variant over the commits."""
    import io

    from matplotlib.figure import Figure

    commits = list(dict.fromkeys(one.commit for one in past.held))
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    for held in past.lines().values():
        at, values = (
            [commits.index(one.commit) for one in held],
            [100 * one.rate.value for one in held],
        )
        errors = [
            [100 * (one.rate.value - one.rate.low) for one in held],
            [100 * (one.rate.high - one.rate.value) for one in held],
        ]
        axes.errorbar(
            at, values, yerr=errors, marker="o", markersize=4, capsize=3, label=_whose(held[0])
        )
    axes.set_xticks(range(len(commits)), [f"{c.date}\n{c.short}" for c in commits], fontsize=8)
    axes.set_ylabel("games won, %")
    axes.set_title(past.name, loc="left")
    axes.grid(axis="y", linewidth=0.5, alpha=0.5)
    if len(past.lines()) > 1:
        axes.legend(fontsize=8)
    drawn, kind = io.BytesIO(), picture.suffix[1:]
    figure.savefig(
        drawn, format=kind, dpi=150, metadata={"Software": "hardmode"} if kind == "png" else None
    )
    atomic_files.write(
        picture,
        drawn.getvalue().replace(b"?>\n", b"?>\n<!-- drawn by hardmode -->\n", kind == "svg"),
    )


# Bisect


def show_search(search: Search) -> None:
    table = Table(
        header_style="bold",
        title=escape(f"{search.scenario}, beside {search.good}"),
        title_justify="left",
    )
    for head in ("commit", "verdict", "variant", "won, %", "difference"):
        table.add_column(head)
    for step in sorted(search.steps, key=lambda s: search.line.index(s.commit)):
        table.add_row(escape(str(step.commit)), step.word, escape(_whose(step)), *_seen(step))
    out.print(table)
    for line in words(search):
        out.print(escape(line))


def _seen(step: CommitVerdict) -> tuple[str, str]:
    if step.difference is None:
        return "", escape(step.why)
    change = f"{difference(step.difference)}, {step.difference.n:,} games"
    return f"{100 * step.was:.1f} -> {100 * step.now:.1f}", change


def words(search: Search) -> list[str]:
    """The answer in plain words."""
    if search.found:
        moved = next(s for s in search.steps if s.commit == search.found)
        seen, difference_ = _seen(moved)
        return [f"{search.found} moved it: {seen} % won, {difference_}"]
    if search.moved:
        return [
            f"one of {len(search.left)} commits moved it; those between could not be judged:",
            *(f"  {commit}" for commit in search.left),
        ]
    last = search.steps[0]
    if last.word == SKIPPED:
        return [f"{last.commit} cannot play it: {last.why}"]
    return [f"{last.commit} is not shown to play otherwise than {search.good}: {_seen(last)[1]}"]


def search_dict(search: Search) -> dict[str, Any]:
    return {
        "scenario": search.scenario,
        "good": _commit(search.good),
        "bad": _commit(search.line[-1]),
        "found": _commit(search.found) if search.found else None,
        "left": [_commit(commit) for commit in search.left],
        "moved": search.moved,
        "words": words(search),
        "steps": [
            {
                **_commit(s.commit),
                "word": s.word,
                "moved": s.word == MOVED,
                "why": s.why,
                "cell": s.cell,
                "seat": None if s.seat is None else s.seat + 1,
                **(
                    {
                        "difference": s.difference.value,
                        "low": s.difference.low,
                        "high": s.difference.high,
                        "games": s.difference.n,
                        "was": s.was,
                        "now": s.now,
                    }
                    if s.difference
                    else {}
                ),
            }
            for s in search.steps
        ],
    }
