"""What the command line prints: tables with intervals, progress, what can be set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from sim.results import Result

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def percent(x: float) -> str:
    return f"{100 * x:.2f} %" if x < 0.1 or x > 0.9 else f"{100 * x:.1f} %"


def interval(low: float, high: float) -> str:
    return f"{100 * low:.2f} .. {100 * high:.2f}" if high - low < 0.02 else f"{100 * low:.1f} .. {100 * high:.1f}"


@contextmanager
def progress_bar(title: str, cells: int) -> Iterator[Any]:
    """A bar with rate and time left on a terminal; silent in a pipe."""
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                   TextColumn("{task.fields[rate]}"), TimeRemainingColumn(), console=err, transient=True,
                   disable=not err.is_terminal)
    with bar:
        task = bar.add_task(title, total=None, rate="")
        seen: list[Any] = []

        def step(cell: Any, played: Any, games: int) -> None:
            if not seen or seen[-1] is not cell:
                seen.append(cell)
            before = (len(seen) - 1) * games
            rate = f"{played.games / played.seconds:,.0f} games/s" if played.seconds > 0.2 else ""
            bar.update(task, completed=before + played.games, total=cells * games, rate=rate)

        yield step


def compiling(name: str) -> None:
    """Told before machine code is made: it takes seconds, and only once."""
    if err.is_terminal:
        err.print(f"[dim]compiling {name} (once)[/dim]")


def results(found: Sequence[Result], summaries: Sequence[dict[str, Any]]) -> None:
    """One row per cell, every estimate with its interval."""
    game = found[0].game
    competitive = game.competitive and len(summaries[0]["seats"]) > 1
    table = Table(title=f"{game.title}: {found[0].title}", title_justify="left", header_style="bold")
    keys = list(found[0].label)
    for key in keys or ["scenario"]:
        table.add_column(key.removeprefix("setup."))
    table.add_column("games", justify="right")
    for seat in summaries[0]["seats"] if competitive else []:
        table.add_column(f"seat {seat['seat']} wins", justify="right")
    if not competitive:
        table.add_column("win rate", justify="right")
    confidence = f"{100 * summaries[0]['confidence']:g} % interval"
    if not competitive:
        table.add_column(confidence, justify="right")
    if game.scored:
        table.add_column("score", justify="right")
    table.add_column(game.unit, justify="right")
    table.add_column("how it ends")
    for result, s in zip(found, summaries, strict=True):
        cells = [str(result.label[k]) for k in keys] or [result.scenario]
        cells.append(f"{s['games']:,}")
        if competitive:
            cells += [f"{percent(p['share'])} ({interval(p['low'], p['high'])})" for p in s["seats"]]
        else:
            cells += [percent(s["win_rate"]), interval(s["low"], s["high"])]
        if game.scored:
            cells.append(" : ".join(_mean(p) for p in s["scores"]))
        cells += [_mean(s["rounds"]), endings(s["endings"], s["games"])]
        table.add_row(*cells)
    out.print(table)
    _footer(found, summaries)


def endings(counts: dict[str, int], games: int, most: int = 4) -> str:
    ranked = sorted(((n, name) for name, n in counts.items() if n), reverse=True)
    shown = [f"{name} {100 * n / games:.0f} %" if n / games >= 0.005 else f"{name} <1 %" for n, name in ranked[:most]]
    rest = sum(n for n, _ in ranked[most:])
    return ", ".join([*shown, f"other {100 * rest / games:.0f} %"] if rest else shown)


def _mean(s: dict[str, Any]) -> str:
    return "-" if s["mean"] is None else f"{s['mean']:.2f} ± {(s['high'] - s['low']) / 2:.2f}"


def _footer(found: Sequence[Result], summaries: Sequence[dict[str, Any]]) -> None:
    s = summaries[0]
    seconds = sum(x["seconds"] for x in summaries)
    games = sum(x["games"] for x in summaries)
    rate = f", {games / seconds:,.0f} games/s" if seconds > 0.05 else ""
    out.print(f"[dim]strategies {', '.join(dict.fromkeys(s['strategies']))}; seed {s['seed']}; {games:,} games in "
              f"{seconds:.1f} s{rate}; {s['assumed']['assumed']} of {s['assumed']['total']} numbers of the box are "
              f"assumptions[/dim]")
    if len(found) == 1:
        out.print(f"[dim]outcome digest {s['outcome_digest']}[/dim]")


def story_head(cell: Any, made: Any) -> None:
    """What is told: the game, the variant, who plays."""
    what = f" ({cell.label_text})" if cell.label else ""
    out.print(f"[bold]{cell.game.title}: {cell.title}{what}[/bold], game {made.number} of seed {made.seed}; "
              f"{', '.join(made.players)} play{'s' if len(made.players) == 1 else ''}\n")


def reproduced(checks: Sequence[dict[str, Any]]) -> None:
    for c in checks:
        verdict = "[green]the same[/green]" if c["same"] else "[red]not the same[/red]"
        since = f"; changed since: {', '.join(c['changed_since'])}" if c["changed_since"] else ""
        out.print(f"{c['name']}: {c['games']:,} games, {verdict} ({c['saved']}, now {c['now']}){since}")
