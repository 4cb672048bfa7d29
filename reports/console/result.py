"""What the command line prints: tables with intervals, and what can be set."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.markup import escape
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table

from hardmode.reports.json.answers import grid_row, occurs
from hardmode.scenarios.box import yaml_text
from hardmode.scenarios.box_overlay import counted
from hardmode.sim.files.text import visible
from hardmode.sim.results.result import Result
from hardmode.studies.core.results import who
from hardmode.studies.stats.estimates import simultaneous
from hardmode.studies.stats.formatting import interval_text

ENDS = "how it ends"
LEAST_ENDINGS = 24  # columns: how a cell ends is not read in fewer
WIDE = 140  # columns where no terminal says how many it has


class Terminal(Console):
    """A console on which what users wrote cannot move the cursor or change the colours."""

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for part in super().render(renderable, options):
            yield part if part.control else Segment(visible(part.text), part.style)


out = Terminal(
    highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE
)
err = Terminal(stderr=True, highlight=False)


def results(found: Sequence[Result], summaries: Sequence[dict[str, Any]]) -> None:
    """One scenario in full, or a grid with one row per cell; every estimate with its interval."""
    out.print(f"[bold]{found[0].game.title}: {escape(found[0].title)}[/bold]")
    if found[0].label:
        _grid(found, summaries)
    else:
        _one(found[0], summaries[0])
    _footer(found, summaries)


def _grid(found: Sequence[Result], summaries: Sequence[dict[str, Any]]) -> None:
    game = found[0].game
    seats = summaries[0]["seats"] if len(summaries[0]["seats"]) > 1 else []
    keys = list(found[0].label)
    heads = [
        *(k.removeprefix("setup.") for k in keys),
        "games",
        *(f"seat {p['seat']} wins" for p in seats),
        *([] if seats else ["win rate"]),
        *(["score"] if game.scored else []),
        game.unit,
    ]
    scores = len(summaries[0]["scores"]) if game.scored else 0
    each = simultaneous(summaries[0]["confidence"], len(found) * (max(1, len(seats)) + scores + 1))
    rows, ends = [], []
    for result, s in zip(found, summaries, strict=True):
        wide = grid_row(result, len(seats), scores, each)
        score = [" : ".join(_mean(p) for p in wide["scores"])] if scores else []
        rows.append(
            [
                *(yaml_text(result.label[k]) for k in keys),
                f"{s['games']:,}",
                *(interval_text(e.value, e.low, e.high) for e in wide["won"]),
                *score,
                _mean(wide["rounds"]),
            ]
        )
        ends.append(endings(s["endings"], s["games"]))
    _with_endings(heads, rows, ends, len(keys))


def _with_endings(
    heads: Sequence[str], rows: Sequence[list[str]], ends: Sequence[str], keys: int
) -> None:
    """How each cell ends: in the last column, or in a table below where that column would have no room."""
    alone = _cells(heads, rows, keys)
    if (
        Measurement.get(out, out.options.update(max_width=10_000), alone).maximum + LEAST_ENDINGS
        <= out.width
    ):
        out.print(
            _cells([*heads, ENDS], [[*row, end] for row, end in zip(rows, ends, strict=True)], keys)
        )
    else:
        out.print(alone)
        below = [[*row[:keys], end] for row, end in zip(rows, ends, strict=True)]
        out.print(_cells([*heads[:keys], ENDS], below, keys))


def _cells(heads: Sequence[str], rows: Sequence[list[str]], keys: int) -> Table:
    table = Table(header_style="bold")
    for i, head in enumerate(heads):
        table.add_column(
            escape(head),
            justify="left" if i < keys or head == ENDS else "right",
            no_wrap=head != ENDS,
        )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def _one(result: Result, s: dict[str, Any]) -> None:
    game = result.game
    if len(s["seats"]) > 1:
        for p, spec in zip(s["seats"], result.strategies, strict=True):
            out.print(
                f"seat {p['seat']} ({escape(who(spec))}) wins {interval_text(p['share'], p['low'], p['high'])}"
            )
    else:
        out.print(
            f"win rate [bold]{interval_text(s['win_rate'], s['low'], s['high'])}[/bold] "
            f"in {s['games']:,} games, played by {escape(who(result.strategies[0]))}"
        )
    table = Table(header_style="bold", title_justify="left")
    for head in ("ending", "games", "share"):
        table.add_column(head, justify="left" if head == "ending" else "right")
    for name, n in s["endings"].items():
        if n:
            table.add_row(escape(name), f"{n:,}", interval_text(**s["ending_shares"][name]))
    out.print(table)
    _measures(game.unit, s, [name for name in s["measures"] if occurs(result.tally, name)])
    _factors(s)


def _measures(unit: str, s: dict[str, Any], names: Sequence[str]) -> None:
    table = Table(header_style="bold")
    for head in ("measure", "mean", "5 %", "median", "95 %"):
        table.add_column(head, justify="left" if head == "measure" else "right")
    scores = {
        f"score of seat {i + 1}" if len(s["scores"]) > 1 else "score": x
        for i, x in enumerate(s["scores"])
    }
    shown = {unit: s["rounds"], **scores, **{name: s["measures"][name] for name in names}}
    for name, x in shown.items():
        table.add_row(
            escape(name), _mean(x), *(f"{x['quantiles'][q]:,}" for q in ("0.05", "0.5", "0.95"))
        )
    out.print(table)


def _factors(s: dict[str, Any]) -> None:
    """By each factor of which there is more than one value: of one alone there is nothing to compare."""
    several = {name: values for name, values in s["factors"].items() if len(values) > 1}
    if not several:
        return
    table = Table(header_style="bold")
    for head in ("factor", "", "games", "win rate"):
        table.add_column(head, justify="left" if head in ("factor", "") else "right")
    for factor, values in several.items():
        for i, (value, x) in enumerate(values.items()):
            table.add_row(
                "" if i else escape(factor),
                escape(value),
                f"{x['games']:,}",
                interval_text(x["win_rate"], x["low"], x["high"]),
            )
    out.print(table)


def endings(counts: dict[str, int], games: int, most: int = 4) -> str:
    ranked = sorted(((n, name) for name, n in counts.items() if n), reverse=True)
    shown = [
        f"{name} {100 * n / games:.0f} %" if n / games >= 0.005 else f"{name} <1 %"
        for n, name in ranked[:most]
    ]
    rest = sum(n for n, _ in ranked[most:])
    return ", ".join([*shown, f"other {100 * rest / games:.0f} %"] if rest else shown)


def _mean(s: dict[str, Any]) -> str:
    if s["mean"] is None:
        return "-"
    if s["kind"] == "rate":
        return interval_text(s["mean"], s["low"], s["high"])
    return f"{s['mean']:.2f} ± {(s['high'] - s['low']) / 2:.2f}"


def _footer(found: Sequence[Result], summaries: Sequence[dict[str, Any]]) -> None:
    s = summaries[0]
    seconds = sum(x["seconds"] for x in summaries)
    games = sum(x["games"] for x in summaries)
    rate = f", {games / seconds:,.0f} games/s" if seconds > 0.05 else ""
    alone = "" if found[0].label or len(s["seats"]) > 1 else "the win rate's by itself, "
    level = f"intervals hold at {100 * s['confidence']:g} %: {alone}those of a table (of all seats) together"
    players = ", ".join(dict.fromkeys(who(spec) for result in found for spec in result.strategies))
    resting, box = s["assumed"], s["box"]
    own = (
        f"with the box {counted(box['file'], box['numbers'], box.get('added', 0))}; " if box else ""
    )
    out.print(
        f"[dim]{level}; strategies {escape(players)}; seed {s['seed']}; "
        f"{games:,} games in {seconds:.1f} s{rate}; {escape(own)}{resting['assumed']} of {resting['total']} "
        f"numbers of the box are assumptions[/dim]"
    )
    if len(found) == 1:
        out.print(f"[dim]outcome digest {s['outcome_digest']}[/dim]")


def story_head(cell: Any, made: Any) -> None:
    """What is told: the game, the variant, who plays."""
    what = f" ({cell.label_text})" if cell.label else ""
    seated = made.players[: len(made.row["scores"])]
    players = ", ".join(seated) if len(set(seated)) > 1 else f"{seated[0]} at every seat"
    out.print(
        f"[bold]{cell.game.title}: {escape(cell.title)}{escape(what)}[/bold], game {made.number} of seed "
        f"{made.seed}; {escape(players + cell.with_box)}\n"
    )


def reproduced(checks: Sequence[dict[str, Any]]) -> None:
    for c in checks:
        verdict = "[green]the same[/green]" if c["same"] else "[red]not the same[/red]"
        since = f"; changed since: {', '.join(c['changed_since'])}" if c["changed_since"] else ""
        out.print(
            f"{escape(c['name'])}: {c['games']:,} games, {verdict} ({c['saved']}, now {c['now']}){since}"
        )
