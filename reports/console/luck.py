"""What `luck` prints, and its JSON: what every source of chance holds, what the players' own, and what who plays."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.result import out
from hardmode.reports.console.wording import games, listed
from hardmode.studies.luck.analysis import Luck, Part
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import percent, rate
from hardmode.studies.stats.sobol import LevelShares, Share, Shares

EXPLAINED = (
    "Every game is played again with one source drawn afresh and all else as it was (total), and with all else drawn "
    "afresh and this source as it was (alone). Alone is what a source decides whatever else happens; total counts all "
    "in which it has a hand; the overlap, total less alone, is what it decides only together with others, and counts "
    "for each of them, so that totals may add up to more than 100 %."
)


def show(found: Luck) -> None:
    """Shares of winning, then of the score where there is one, then luck against skill."""
    box = escape(found.cell.with_box)
    cell = f" ({escape(found.cell.label_text)})" if found.cell.label else ""
    out.print(
        f"[bold]{found.game.title}: {escape(found.cell.title)}{cell}[/bold], played by {_who(found)}{box}"
    )
    if found.disagreed:
        out.print(
            "[bold]steady disagrees[/bold], by more than half, on the share of "
            f"{escape(listed([p.name for p in found.disagreed]))}"
        )
    for name, shares in found.outcomes.items():
        what = outcome(found, name)
        if shares.known:
            steady = found.steady if name == "win" else None
            _table(found, shares, steady, f"what decides {what}, in shares of its variance")
        else:
            out.print(
                f"{what}: all games end alike ({games(shares.games)}), so there is nothing to share"
            )
    if any(shares.known for shares in found.outcomes.values()):
        out.print(EXPLAINED)
    for line in plain(found):
        out.print(line)
    out.print(
        f"[dim]intervals hold at {100 * found.confidence:g} %; seed {found.seed}; {games(found.win.games)} with "
        f"each source swapped, {games(found.levels.games)} by each of the players[/dim]"
    )


def _who(found: Luck) -> str:
    return escape(listed(list(dict.fromkeys(found.players))))


def outcome(found: Luck, name: str) -> str:
    seat = " of seat 1" if found.rivals else ""
    return f"the score{seat}" if name == "score" else f"the win{seat}" if seat else "winning"


def _table(found: Luck, shares: Shares, steady: Shares | None, title: str) -> None:
    table = Table(header_style="bold", title_justify="left", title=title)
    for head in (
        "source",
        "draws a game",
        "alone",
        "total",
        "overlap",
        *(["total with steady"] if steady else []),
    ):
        table.add_column(head, justify="left" if head == "source" else "right")
    for part in (*found.ranked(shares), found.coins):
        beside = [rate(found.share(steady, part).total)] if steady else []
        _row(
            table,
            part.name,
            f"{part.draws:,.1f}" if part.draws else "",
            found.share(shares, part),
            *beside,
        )
    table.add_section()
    table.add_row("all of them alone", "", rate(shares.together), "", percent(shares.overlap))
    for part in found.more:
        _row(table, _named(part), f"{part.draws:,.2g}", found.share(shares, part))
    out.print(table)


def _row(table: Table, name: str, draws: str, share: Share, *beside: str) -> None:
    table.add_row(
        escape(name), draws, rate(share.first), rate(share.total), percent(share.overlap), *beside
    )


def _named(part: Part) -> str:
    return f"{part.name}, as one ({listed(part.of)})" if part.of else part.name


def plain(found: Luck) -> list[str]:
    """Luck and skill in sentences."""
    said = []
    if found.win.known:
        own = found.share(found.win, found.coins).total
        said.append(
            f"[bold]Among equals[/bold] ({_who(found)}), chance decides everything: {percent(_rest(own))} is "
            f"the game's own chance alone, and in {rate(own)} {found.coins.name} has a part."
        )
    who = "seat 1" if found.rivals else "the group"
    ladder = ", ".join(
        f"{rung} {percent(mean)}"
        for rung, mean in zip(found.rungs, found.levels.means, strict=True)
    )
    levels = found.levels
    if levels.between.value == levels.between.value:
        said.append(
            f"[bold]Among unequals[/bold] ({who} plays at one of these levels: {escape(ladder)}), who "
            f"plays decides {rate(levels.between)}; luck decides {rate(levels.luck)} whoever plays, and "
            f"{rate(levels.both)} only for those who can use it."
        )
    if found.left_out:
        said.append(
            f"[dim]Left out: {escape(listed(found.left_out))}, searching at every decision.[/dim]"
        )
    return said


def _rest(e: Estimate) -> Estimate:
    return Estimate(1 - e.value, 1 - e.high, 1 - e.low, e.n, e.confidence)


def as_dict(found: Luck) -> dict[str, Any]:
    """What `luck --json` prints: low and high are those of the total share."""

    def of(part: Part, **named: Any) -> dict[str, Any]:
        win, *score = (_share(found.share(shares, part)) for shares in found.outcomes.values())
        return {**named, **win, **({"score": score[0]} if score else {}), **_steady(found, part)}

    return {
        "game": found.game.name,
        "scenario": found.scenario.name,
        "title": found.cell.title,
        "cell": found.cell.label,
        "box": found.cell.provenance,
        "players": found.players,
        "seed": found.seed,
        "games": found.win.games,
        "confidence": found.confidence,
        "sources": [
            of(part, source=part.name, draws=part.draws) for part in found.ranked(found.win)
        ],
        "play": of(found.coins),
        "together": {
            name: {"first": _value(s.together), "interactions": _value(s.overlap)}
            for name, s in found.outcomes.items()
        },
        "setup": next(
            (of(part, of=list(part.of), draws=part.draws) for part in found.more if part.of), None
        ),
        "draw": next(
            (of(part, address=part.name, draws=part.draws) for part in found.more if not part.of),
            None,
        ),
        "between_levels": {
            **_levels(found.levels),
            "left_out": found.left_out,
            "games": found.levels.games,
            "rungs": [
                {"strategy": rung, "win_rate": mean.value, "low": mean.low, "high": mean.high}
                for rung, mean in zip(found.rungs, found.levels.means, strict=True)
            ],
            **({"score": _levels(found.level_scores)} if found.level_scores else {}),
        },
    }


def _steady(found: Luck, part: Part) -> dict[str, Any]:
    if found.steady is None or part in found.more:
        return {}
    return {
        "steady": _share(found.share(found.steady, part)),
        "steady_disagrees": part in found.disagreed,
    }


def _share(share: Share) -> dict[str, float]:
    first, total = share.first, share.total
    return {
        "first": first.value,
        "total": total.value,
        "low": total.low,
        "high": total.high,
        "first_low": first.low,
        "first_high": first.high,
        "interactions": share.overlap.value,
    }


def _levels(levels: LevelShares) -> dict[str, Any]:
    return {
        "share": levels.between.value,
        "low": levels.between.low,
        "high": levels.between.high,
        "luck": _value(levels.luck),
        "both": _value(levels.both),
    }


def _value(e: Estimate) -> dict[str, float]:
    return {"value": e.value, "low": e.low, "high": e.high}
