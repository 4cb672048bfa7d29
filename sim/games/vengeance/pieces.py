"""The pieces that are dealt to the seats; what a hero's own tiles are worth is told by their labels."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import SIDES, Slot
from hardmode.sim.names import read_name
from hardmode.sim.pieces import Fates, Over, named


def board_of(side: str) -> str:
    """What a choice at set-up calls the board that has this side."""
    return f"board{side[:-1]}"


def fates(over: Over) -> Fates:
    """A hero plays, a den is entered; a Boss is used who was wounded."""
    box, table = over.box, over.table
    for seat in range(table.seats):
        board = table.board[seat]
        side = read_name(box.side_name[board[Slot.DEN] % SIDES])
        yield named("setup.heroes", read_name(box.hero_name[board[Slot.HERO]])), True
        yield named("setup.boards", board_of(side)), True
        yield named("setup.sides", side[-1]), True
        yield named("setup.bosses", read_name(box.boss_name[board[Slot.BOSS_CARD]])), board[Slot.DAMAGE] > 0
