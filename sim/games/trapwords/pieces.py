"""The pieces of the box: what became of monster and curses in a game that is over."""

from __future__ import annotations

from hardmode.sim.names import read_name
from hardmode.sim.pieces import Fates, Over, named


def fates(over: Over) -> Fates:
    """A monster is used that was faced, a curse that was turned up."""
    box, table, hidden = over.box, over.table, over.hidden
    yield named("setup.monster", read_name(box.monster_name[table.monster])), sum(table.attempts) > 0
    up = table.discard | table.active[0] | table.active[1] | table.drawn[0] | table.drawn[1]
    for shown in table.shown:
        up |= shown
    for number in range(len(box.curse_name)):
        if (box.curses & ~hidden.pile) >> number & 1:
            name = read_name(box.curse_name[number]).replace(" ", "_")
            yield f"curse.{name}", bool(up >> number & 1)
