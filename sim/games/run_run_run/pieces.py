"""The pieces of the box: what prints Rooms and tokens otherwise, and what became of each in a game that is over."""

from __future__ import annotations

from collections.abc import Iterator

from hardmode.sim.contract import Values
from hardmode.sim.games.run_run_run.box import ROWS
from hardmode.sim.games.run_run_run.names import IN_PILE, USED, Hero, Mark, Token
from hardmode.sim.names import read_name
from hardmode.sim.pieces import Fates, Over, Piece, named

SARCOPHAGUS = "rooms with a sarcophagus"


def with_exits(exits: int) -> str:
    return f"rooms with {exits} exit{'s'[:exits != 1]}"


def pieces(values: Values) -> Iterator[Piece]:
    """Tokens of a kind left out; Rooms printed plain, or with one exit more or less."""
    for token in Token.labels():
        path = f"tokens.{token}"
        if values[path]:
            yield Piece(path, {path: [] if isinstance(values[path], list) else 0})
    listed = [list(values[f"rooms.listing.{row}"]) for row in ROWS]
    if values["rooms.sarcophagi"]:
        plain = [[0, *row[1:Mark.PLAIN], row[Mark.PLAIN] + row[Mark.SARCOPHAGUS]] for row in listed]
        yield Piece(SARCOPHAGUS, {"rooms.sarcophagi": 0, **_listing(plain)}, "plain")
    counts = values["rooms.exits"]
    for row, count in enumerate(counts):
        if count:
            yield _other_exits(row, list(counts), listed)


def _other_exits(row: int, counts: list[int], listed: list[list[int]]) -> Piece:
    """Rooms of a row printed like those of the next one towards the middle: all other Rooms stay as they are."""
    to = row + 1 if row < len(ROWS) // 2 else row - 1
    moved = [list(marks) for marks in listed]
    moved[to] = [a + b for a, b in zip(listed[to], listed[row], strict=True)]
    moved[row] = [0] * len(Mark)
    counts[to], counts[row] = counts[to] + counts[row], 0
    return Piece(with_exits(row + 1), {"rooms.exits": counts, **_listing(moved)}, with_exits(to + 1))


def _listing(rows: list[list[int]]) -> dict[str, list[int]]:
    return {f"rooms.listing.{name}": row for name, row in zip(ROWS, rows, strict=True)}


def fates(over: Over) -> Fates:
    """A hero plays, a Boss turns up, a token is spent, a Room is laid."""
    box, table, hidden = over.box, over.table, over.hidden
    for seat in range(table.seats):
        yield named("setup.heroes", Hero.labels()[table.hero[seat]]), True
    yield named("setup.boss", read_name(box.boss_name[hidden.boss])), table.exit_tile >= 0
    for token in range(box.tokens):
        if table.token_at[token] != IN_PILE:
            yield f"tokens.{Token.labels()[box.token_kind[token]]}", table.token_at[token] == USED
    face_down, laid = set(hidden.deck[:table.deck_n].tolist()), set(table.card[:table.tiles_n].tolist())
    for card in set(range(box.cards)) - face_down:
        yield with_exits(box.exits[card]), card in laid
        if table.mark[card] == Mark.SARCOPHAGUS:
            yield SARCOPHAGUS, card in laid
