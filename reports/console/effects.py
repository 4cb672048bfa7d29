"""What a change does to whom: by level of play, and before and after players have adapted."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.page.model import Column
from hardmode.reports.page.model import Table as Told
from hardmode.studies.comparison.adapt import A, Adaptation, B
from hardmode.studies.comparison.levels import LevelComparisons
from hardmode.studies.stats.formatting import format_rate, format_with_interval

MOST_WEIGHTS = 5


CHANGE = "win rate, B - A, % points"  # a game may have points of its own


def show(each: Sequence[LevelComparisons], taught: Adaptation | None) -> None:
    for one in each:
        _levels(one)
    if taught:
        _adapted(taught)


def _levels(found: LevelComparisons) -> None:
    table = Table(header_style="bold", title="by level of play", title_justify="left")
    for head in ("who", "slips", "games", "A wins", "B wins", CHANGE, "B is"):
        table.add_column(head, justify="left" if head in ("who", "B is") else "right")
    for level in found.levels:
        c = level.comparison
        table.add_row(
            escape(level.name),
            f"{100 * level.mistake_rate:g} %",
            f"{c.games:,}",
            format_rate(c.win_rate(False)),
            format_rate(c.win_rate(True)),
            format_with_interval(level.difference, "points"),
            level.verdict,
        )
    out.print(table)
    out.print(f"B is {found.verdict}")
    if found.mistake_verdict:
        out.print(found.mistake_verdict)
    for why in found.left_out:
        out.print(f"[dim]left out: {escape(why)}[/dim]")
    out.print(
        "[dim]the intervals of all levels hold together; levels compare variants of one game, not games[/dim]"
    )


def _adapted(found: Adaptation) -> None:
    table = Table(header_style="bold", title="before and after adapting", title_justify="left")
    for head in ("rules", "played by those trained for A", "for B"):
        table.add_column(head)
    for name, rules in (("A", A), ("B", B)):
        table.add_row(name, format_rate(found.win_rate(rules, A)), format_rate(found.win_rate(rules, B)))
    out.print(table)
    for what, effect in (
        ("direct effect", found.direct_effect),
        ("adapting gives back", found.recovered),
        ("effect after adapting", found.adapted_effect),
    ):
        out.print(f"{what}: {format_with_interval(effect, 'points')} points")
    moved = [m for m in found.weight_changes if m.share][:MOST_WEIGHTS]
    if moved:
        out.print(
            "moved most: "
            + ", ".join(f"{escape(m.weight)} {m.a:.4g} for A, {m.b:.4g} for B" for m in moved)
        )
    spread = (
        f"{found.repeats} trainings for each"
        if found.repeats > 1
        else "one player for each: how far another training would end elsewhere is not in the intervals"
    )
    out.print(f"[dim]{found.games:,} games in each cell of the table; {spread}[/dim]")


def tables(each: Sequence[LevelComparisons], taught: Adaptation | None) -> list[Told]:
    """The same as tables for files."""
    rows = [
        {
            "cell": level.comparison.a.label_text or "all games",
            "who": level.name,
            "slips": f"{100 * level.mistake_rate:g} %",
            "games": level.comparison.games,
            "a": level.comparison.win_rate(False),
            "b": level.comparison.win_rate(True),
            "change": level.difference,
            "says": level.verdict,
        }
        for one in each
        for level in one.levels
    ]
    made = [
        Told(
            "levels",
            "By level of play",
            [
                Column("cell", "cell"),
                Column("who", "who"),
                Column("slips", "slips"),
                Column("games", "games", "count"),
                Column("a", "A wins", "rate"),
                Column("b", "B wins", "rate"),
                Column("change", CHANGE, "points"),
                Column("says", "B is"),
            ],
            rows,
        )
    ]
    return [*made, *_adapted_tables(taught)] if taught else made


def _adapted_tables(found: Adaptation) -> list[Told]:
    effects = {
        "direct effect": found.direct_effect,
        "adapting gives back": found.recovered,
        "effect after adapting": found.adapted_effect,
    }
    return [
        Told(
            "adapted",
            "Before and after adapting",
            [
                Column("rules", "rules"),
                Column("a", "played by those trained for A", "rate"),
                Column("b", "for B", "rate"),
            ],
            [
                {"rules": name, "a": found.win_rate(rules, A), "b": found.win_rate(rules, B)}
                for name, rules in (("A", A), ("B", B))
            ],
        ),
        Told(
            "effects",
            "What adapting does",
            [Column("what", "what"), Column("effect", CHANGE, "points")],
            [{"what": what, "effect": effect} for what, effect in effects.items()],
        ),
    ]


