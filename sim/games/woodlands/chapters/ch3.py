"""Chapter 3, the tree of life again: hold the well against waves of monsters, and beat a boss."""

from hardmode.sim.games.woodlands.agenda import finish
from hardmode.sim.games.woodlands.boss import reveal_boss
from hardmode.sim.games.woodlands.chapters.march import may_march, measure, toward
from hardmode.sim.games.woodlands.effects import monsters_on_runes
from hardmode.sim.games.woodlands.heroes import here, standing
from hardmode.sim.games.woodlands.monsters import monsters_at
from hardmode.sim.games.woodlands.names import KINDS_OF_MONSTER, TOKENS, Ending, Reveal
from hardmode.sim.games.woodlands.switches import Ch3Check, Ch3Fallen, Ch3SecondBoss
from hardmode.sim.records import rule

HEART = 0  # the well is the first place of the layout
ROWS = 8


@rule
def met_on(box, table, p):
    """Some hero for whom a monster stops is on this place."""
    for s in range(table.seats):
        if here(table, s, p) and (standing(table, s) or box.ch3_fallen == Ch3Fallen.STOP):
            return True
    return False


@rule
def advance(box, table, luck, steps):
    """Every monster walks towards the well, and stops where it meets a hero."""
    measure(table, HEART)
    for m in range(TOKENS):
        if may_march(box, table, m):
            for nth in range(steps):
                if not met_on(box, table, table.mon_at[m]):
                    table.mon_at[m] = toward(box, table, luck, table.mon_at[m], m, nth)


@rule
def overrun(table):
    if monsters_at(table, HEART):
        finish(table, Ending.WELL_OVERRUN)


@rule
def round_3(box, table, hidden, luck):
    """The row of the round table; the last one repeats."""
    if box.ch3_check == Ch3Check.BEFORE:
        overrun(table)
    row = min(table.chapter_round, ROWS) - 1
    advance(box, table, luck, box.c3_advance[row])
    monsters_on_runes(box, table, hidden, luck, box.c3_spawn[row])
    if table.chapter_round == box.c3_boss_round:
        if table.boss_shown == 0:
            reveal_boss(box, table, hidden, Reveal.BY_CHAPTER)
        elif table.boss_alive == 0 and box.ch3_second_boss == Ch3SecondBoss.ROUND5:
            table.boss_shown = 0
            reveal_boss(box, table, hidden, Reveal.BY_CHAPTER)
    if box.ch3_check == Ch3Check.AFTER:
        overrun(table)


@rule
def check_3(box, table):
    beaten = 0
    for k in range(KINDS_OF_MONSTER):
        beaten += table.beaten[k]
    if table.bosses_beaten > 0 and beaten >= box.c3_goal[table.seats]:
        finish(table, Ending.CHAPTER_WON)
