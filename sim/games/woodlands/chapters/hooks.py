"""Where the chapters hang in the course of the game: at set-up, on new tiles, after fights, at a round's end."""

from hardmode.sim.games.woodlands.agenda import Task, push
from hardmode.sim.games.woodlands.chapters.ch1 import begin_1, check_1, options_1, rune_tile, take_1
from hardmode.sim.games.woodlands.chapters.ch2 import begin_2, check_2, hunt_options, march_2, pursue, regained, robbed
from hardmode.sim.games.woodlands.chapters.ch3 import check_3, round_3
from hardmode.sim.games.woodlands.chapters.ch4 import (
    ask_burn,
    ask_pile,
    ask_sentinel,
    begin_4,
    camp_here,
    check_4,
    pile_options,
    sentinel_options,
    take_burn,
    take_go_on,
    take_pile,
)
from hardmode.sim.games.woodlands.chapters.ch5 import (
    ask_purify,
    begin_5,
    check_5,
    enter_corrupted,
    purify_options,
    round_5,
    settle_cell,
    take_purify,
    take_totem,
    totem_options,
)
from hardmode.sim.games.woodlands.foes import corrupted, row_of
from hardmode.sim.games.woodlands.names import BOSS_FOE, Kind, Verb
from hardmode.sim.games.woodlands.switches import Ch5MinusMove
from hardmode.sim.records import rule


@rule
def begin_chapter(box, table, hidden, luck):
    if table.chapter == 1:
        begin_1(box, table, hidden, luck)
        for p in range(table.places):
            rune_tile(box, table, hidden, p)
    elif table.chapter == 2:
        begin_2(table, hidden)
    elif table.chapter == 4:
        begin_4(box, table, hidden, luck)
    elif table.chapter == 5:
        begin_5(box, table)


@rule
def tile_came(box, table, hidden, p):
    """A tile has been added to the forest."""
    if table.chapter == 1:
        rune_tile(box, table, hidden, p)
    elif table.chapter == 5:
        settle_cell(box, table, hidden, p)


@rule
def chapter_task(box, table, hidden, luck, task, a, b, c):
    if task == Task.CHAPTER_ENTER:
        if table.chapter == 5:
            enter_corrupted(box, table, hidden, luck, a)
    elif task == Task.CHAPTER_WON:
        foe_beaten(table, box, a, b)
    elif task == Task.ROUND_OVER:
        round_over(box, table, hidden, luck)
    elif task == Task.CAMP:
        camp_here(box, table, hidden, luck, a)
    elif task == Task.PILE:
        ask_pile(box, table, hidden, a)
    elif task == Task.BURN:
        ask_burn(table)
    elif task == Task.SENTINEL:
        ask_sentinel(table, a)
    elif task == Task.GO_ON:
        check_4(box, table)
    elif task == Task.PURIFY:
        ask_purify(table)
    elif task == Task.MARCH:
        march_2(box, table, luck, a)
    elif task == Task.HUNT:
        pursue(box, table, luck, a, b)


@rule
def foe_beaten(table, box, foe, orbs):
    """A monster or the boss has been beaten."""
    if table.chapter == 1:
        check_1(table)
    elif table.chapter == 2:
        regained(table, orbs)
    elif table.chapter == 3:
        check_3(box, table)
    elif table.chapter == 5 and foe == BOSS_FOE:
        push(table, Task.PURIFY, 0, 0, 0)
        check_5(table)


@rule
def combat_lost(box, table, foe):
    """The active hero has lost a combat, even one that downed it."""
    if table.chapter == 2:
        robbed(box, table, foe)


@rule
def round_over(box, table, hidden, luck):
    if table.chapter == 2:
        push(table, Task.MARCH, 0, 0, 0)
    elif table.chapter == 3:
        round_3(box, table, hidden, luck)
    elif table.chapter == 5:
        round_5(box, table, hidden)


@rule
def look_around(box, table):
    """Conditions that may be met at any moment of a turn."""
    if table.chapter == 2:
        check_2(box, table)


@rule
def fewer_moves(box, table):
    """The other reading of -1 movement: a hero that starts on corruption has one Move die less."""
    if table.chapter != 5 or box.ch5_minus_move == Ch5MinusMove.EXTRA_DIE:
        return
    if corrupted(table, table.at[table.active]) and row_of(box, table) == 2:
        table.moves = max(0, table.moves - 1)


@rule
def quest_options(box, table, p, out, n):
    """Chapter actions on a tile without monsters."""
    return options_1(box, table, p, out, n) if table.chapter == 1 else n


@rule
def rune_options(box, table, p, out, n):
    """Chapter actions that monsters do not hinder."""
    return totem_options(box, table, p, out, n) if table.chapter == 5 else n


@rule
def take_quest(box, table, hidden, luck, verb, a, b):
    if verb == Verb.TOTEM or verb == Verb.DESPERATE_TOTEM:
        take_totem(box, table, verb, a)
    else:
        take_1(box, table, hidden, luck, verb, a, b)


@rule
def chapter_options(box, table, out):
    """The options of decisions that only chapters ask for, or none."""
    kind = table.kind
    if kind == Kind.PILE or kind == Kind.BURN:
        return pile_options(table, out, kind == Kind.BURN)
    if kind == Kind.SENTINEL:
        return sentinel_options(table, out)
    if kind == Kind.PURIFY:
        return purify_options(table, out)
    if kind == Kind.HUNT:
        return hunt_options(box, table, out)
    return 0


@rule
def take_chapter(box, table, hidden, verb, a):
    kind = table.kind
    if kind == Kind.PILE:
        take_pile(box, table, hidden, a)
    elif kind == Kind.BURN:
        take_burn(table, hidden, a)
    elif kind == Kind.SENTINEL:
        table.plus_shield[a] += 1
    elif kind == Kind.PURIFY:
        take_purify(box, table, verb, a)
    elif kind == Kind.HUNT:
        table.todo[table.todo_n - 1, 2] = a
    elif kind == Kind.GO_ON:
        take_go_on(table, verb == Verb.YES)
