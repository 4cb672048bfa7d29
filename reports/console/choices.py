"""What `choices` prints, and its JSON: what every kind of option is worth, and what lies in the box."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.result import out
from hardmode.reports.console.wording import listed
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import Choice, Choices
from hardmode.studies.core.reference_players import disagree, players_text
from hardmode.studies.sensitivity.paired_effects import Number
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate


def worth(found: Choices, n: Number) -> str:
    return formatting.with_interval(found.effect(n), "points") if n.games else "–"


def ranked(found: Choices) -> list[Choice]:
    return sorted(found.choices, key=lambda c: (-abs(c.forbidden.value), -abs(c.always.value)))


def show(found: Choices) -> None:
    out.print(
        f"[bold]{escape(found.game.title)}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(players_text(found.cell))}: what every kind of option is worth, in points of win rate"
    )
    other = [f"{c.name} {n.after}" for c in ranked(found) for n in c.both if _disagrees(found, n)]
    if other:
        out.print(
            f"[bold]steady disagrees[/bold], in sign or by more than half, on {escape(listed(other))}"
        )
    table = Table(header_style="bold")
    for head in ("option", "in games", "of decisions", "taken", "forbidden", "always taken"):
        table.add_column(head, justify="left" if head == "option" else "right")
    habit = found.habit
    for c in ranked(found):
        table.add_row(
            escape(c.name),
            f"{100 * habit.games_offered[c.label] / habit.games:.0f} %",
            f"{100 * habit.share[c.label]:.0f} %",
            formatting.percent(habit.rate(c.label, found.confidence)),
            worth(found, c.forbidden),
            worth(found, c.always),
        )
    out.print(table)
    _content(found)
    out.print(
        "[dim]– changes no game: who plays never takes it, or always; 'of decisions': of those of its kind, in "
        "how many it is on offer beside another kind of option[/dim]"
    )
    left = (
        f"; not among the rungs in --json: {', '.join(found.left_out)}, which searches"
        if found.left_out
        else ""
    )
    out.print(
        f"[dim]all {len(found.played)} intervals hold together at {100 * found.confidence:g} %; seed {found.seed}"
        f"{escape(left)}{'; interrupted' if found.interrupted else ''}[/dim]"
    )


def _disagrees(found: Choices, n: Number) -> bool:
    """Whether `steady` says something else of a kind of option that is forbidden, or always taken."""
    other = found.by_steady(n)
    return other is not None and disagree(found.effect(n), other)


def _content(found: Choices) -> None:
    shown = sorted((n for n in found.content if n.games), key=lambda n: -abs(n.value))
    if not shown:
        return
    table = Table(header_style="bold", title="what lies in the box", title_justify="left")
    for head in ("what", "how", "drawn", "used", "notice it", "win rate", "so changed", "points"):
        table.add_column(head, justify="left" if head in ("what", "how") else "right")
    for n in shown:
        rates = (*times_met(found, n), found.touched(n), found.as_it_is(n), found.changed(n))
        table.add_row(
            escape(components.name_of(n)),
            escape(components.how(n)),
            *("–" if e is None else formatting.percent(e) for e in rates),
            worth(found, n),
        )
    out.print(table)
    if found.met.games:
        out.print(
            f"[dim]drawn, used: the share of {found.met.games:,} games; notice it: of games, how many become "
            "others[/dim]"
        )


def times_met(found: Choices, n: Number) -> tuple[Estimate | None, Estimate | None]:
    """In how many games a piece came into play, and in how many it was used."""
    met, sure = found.met, found.confidence
    return met.share(met.drawn, n, sure), met.share(met.used, n, sure)


def as_dict(found: Choices) -> dict[str, Any]:
    return {
        "game": found.game.name,
        "scenario": found.cell.title,
        "cell": found.cell.label,
        "players": [str(s) for s in found.cell.strategies],
        "seed": found.seed,
        "confidence": found.confidence,
        "games": found.games,
        "choices": [_choice(found, c) for c in ranked(found)],
        "content": [
            {
                "path": n.path,
                "from": n.before,
                "to": n.after,
                "set": n.sets,
                "noticed": n.differing / n.games,
                **_rates(found, n),
                **_worth(found, n),
            }
            for n in found.content
            if n.games
        ],
        "refused": [
            {"path": n.path, "to": n.after, "why": n.refused} for n in found.content if n.refused
        ],
        "left_out": found.left_out,
        "interrupted": found.interrupted,
        "box": found.cell.provenance,
        "digests": found.cell.digests,
    }


def _rates(found: Choices, n: Number) -> dict[str, Any]:
    """How often the piece is met, and the win rates as it is and so changed."""
    drawn, used = times_met(found, n)
    told = {
        "drawn": drawn,
        "used": used,
        "as_it_is": found.as_it_is(n),
        "changed": found.changed(n),
    }
    return {name: e and {"rate": e.value, "low": e.low, "high": e.high} for name, e in told.items()}


def _choice(found: Choices, c: Choice) -> dict[str, Any]:
    habit = found.habit
    taken = {
        name: one.taken[c.label] / one.offered[c.label] if one.offered[c.label] else None
        for name, one in found.habits.items()
    }
    return {
        "option": c.name,
        "offered": int(habit.offered[c.label]) / habit.games,
        "in_games": int(habit.games_offered[c.label]) / habit.games,
        "of_decisions": float(habit.share[c.label]),
        "taken": {name: None if rate is None else float(rate) for name, rate in taken.items()},
        **{str(n.after): _worth(found, n) if n.games else None for n in c.both},
        **{
            f"{n.after}_by_steady": _worth(found, found.steady[n.path, str(n.after)])
            for n in c.both
            if (n.path, str(n.after)) in found.steady
        },
        **({"steady_disagrees": any(_disagrees(found, n) for n in c.both)} if found.steady else {}),
    }


def _worth(found: Choices, n: Number) -> dict[str, Any]:
    e = found.effect(n)
    return {
        "difference": e.value,
        "low": e.low,
        "high": e.high,
        "games": n.games,
        "differing": n.differing,
    }
