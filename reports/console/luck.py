"""What `luck` prints, and its JSON: what every source of chance holds, what the players' own, and what who plays."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import games, listed
from hardmode.studies.luck.analysis import LuckAnalysis, VarianceSource
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_percent, format_rate
from hardmode.studies.stats.sobol import SobolIndex, SobolIndices

EXPLAINED = (
    "Every game is played again with one source drawn afresh and all else as it was (total), and with all else drawn "
    "afresh and this source as it was (alone). Alone is what a source decides whatever else happens; total counts all "
    "in which it has a hand; the overlap, total less alone, is what it decides only together with others, and counts "
    "for each of them, so that totals may add up to more than 100 %."
)


def show(found: LuckAnalysis) -> None:
    """Shares of winning, then of the score where there is one, then luck against skill."""
    box = escape(found.cell.overlay_suffix)
    cell = f" ({escape(found.cell.label_text)})" if found.cell.label else ""
    out.print(
        f"[bold]{found.game.title}: {escape(found.cell.title)}{cell}[/bold], played by {_who(found)}{box}"
    )
    if found.disagreeing_sources:
        out.print(
            "[bold]steady disagrees[/bold], by more than half, on the share of "
            f"{escape(listed([p.name for p in found.disagreeing_sources]))}"
        )
    for name, shares in found.outcomes.items():
        what = outcome(found, name)
        if shares.has_variance:
            steady = found.steady_shares if name == "win" else None
            _table(found, shares, steady, f"what decides {what}, in shares of its variance")
        else:
            out.print(
                f"{what}: all games end alike ({games(shares.games)}), so there is nothing to share"
            )
    if any(shares.has_variance for shares in found.outcomes.values()):
        out.print(EXPLAINED)
    for line in plain(found):
        out.print(line)
    out.print(
        f"[dim]intervals hold at {100 * found.confidence:g} %; seed {found.seed}; {games(found.win_shares.games)} with "
        f"each source swapped, {games(found.level_variance.games)} by each of the players[/dim]"
    )


def _who(found: LuckAnalysis) -> str:
    return escape(listed(list(dict.fromkeys(found.players))))


def outcome(found: LuckAnalysis, name: str) -> str:
    seat = " of seat 1" if found.has_rivals else ""
    return f"the score{seat}" if name == "score" else f"the win{seat}" if seat else "winning"


def _table(found: LuckAnalysis, shares: SobolIndices, steady: SobolIndices | None, title: str) -> None:
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
    for part in (*found.rank_sources(shares), found.player_randomness):
        beside = [format_rate(found.get_share(steady, part).total)] if steady else []
        _row(
            table,
            part.name,
            f"{part.draws:,.1f}" if part.draws else "",
            found.get_share(shares, part),
            *beside,
        )
    table.add_section()
    table.add_row("all of them alone", "", format_rate(shares.first_order_sum), "", format_percent(shares.interaction))
    for part in found.combined_sources:
        _row(table, _named(part), f"{part.draws:,.2g}", found.get_share(shares, part))
    out.print(table)


def _row(table: Table, name: str, draws: str, share: SobolIndex, *beside: str) -> None:
    table.add_row(
        escape(name), draws, format_rate(share.first), format_rate(share.total), format_percent(share.interaction), *beside
    )


def _named(part: VarianceSource) -> str:
    return f"{part.name}, as one ({listed(part.source_names)})" if part.source_names else part.name


def plain(found: LuckAnalysis) -> list[str]:
    """Luck and skill in sentences."""
    said = []
    if found.win_shares.has_variance:
        own = found.get_share(found.win_shares, found.player_randomness).total
        said.append(
            f"[bold]Among equals[/bold] ({_who(found)}), chance decides everything: {format_percent(_rest(own))} is "
            f"the game's own chance alone, and in {format_rate(own)} {found.player_randomness.name} has a part."
        )
    who = "seat 1" if found.has_rivals else "the group"
    ladder = ", ".join(
        f"{rung} {format_percent(mean)}"
        for rung, mean in zip(found.level_names, found.level_variance.means, strict=True)
    )
    levels = found.level_variance
    if levels.players.value == levels.players.value:
        said.append(
            f"[bold]Among unequals[/bold] ({who} plays at one of these levels: {escape(ladder)}), who "
            f"plays decides {format_rate(levels.players)}; luck decides {format_rate(levels.luck)} whoever plays, and "
            f"{format_rate(levels.interaction)} only for those who can use it."
        )
    if found.skipped_levels:
        said.append(
            f"[dim]Left out: {escape(listed(found.skipped_levels))}, searching at every decision.[/dim]"
        )
    return said


def _rest(e: Estimate) -> Estimate:
    return Estimate(1 - e.value, 1 - e.high, 1 - e.low, e.n, e.confidence)


