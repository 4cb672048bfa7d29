"""The course of the game: rounds, growth, hero turns."""

from hardmode.sim.games.woodlands.agenda import Task, ask, finish, push
from hardmode.sim.games.woodlands.boss import threaten
from hardmode.sim.games.woodlands.chapters.hooks import look_around
from hardmode.sim.games.woodlands.entering import bramble_rolls, entangled
from hardmode.sim.games.woodlands.heroes import gain_orbs, here, hurt, knows_tiles, standing
from hardmode.sim.games.woodlands.loot import refresh
from hardmode.sim.games.woodlands.monsters import fire_heals
from hardmode.sim.games.woodlands.movement import stack_ends
from hardmode.sim.games.woodlands.names import CAP_REACHED, TOKENS, Cause, Hero, Kind
from hardmode.sim.games.woodlands.switches import Campfire, CampfireRise, FocusOnDown, Stance
from hardmode.sim.records import rule


@rule
def grows(table):
    """Chapters 3 and 4 are laid out from the start."""
    return table.chapter != 3 and table.chapter != 4


@rule
def push_round(table):
    push(table, Task.ROUND_END, 0, 0, 0)
    push(table, Task.TURNS, 0, 0, 0)
    if grows(table):
        push(table, Task.EXTRA, 0, 0, 0)
        push(table, Task.GROW, 0, 0, 0)


@rule
def grow(box, table, hidden, seat):
    """Phase 1: each player adds a tile, even one whose hero is down."""
    if seat < table.seats:
        push(table, Task.GROW, seat + 1, 0, 0)
        if table.stack_n == 0:
            stack_ends(box, table, hidden)
        else:
            push(table, Task.DRAW_TILE, seat, 0, 0)


@rule
def extra_tile(box, table, hidden):
    """Xylia's first power: one more tile after the last player."""
    s = knows_tiles(table)
    if s >= 0 and (table.hp[s] > 0 or box.xylia_downed_extra):
        if table.stack_n or (box.xylia_reveal and table.boss_at >= 0 and table.boss_shown == 0):
            ask(table, Kind.ONE_MORE_TILE, s)


@rule
def take_extra(box, table, hidden, yes):
    if yes and table.stack_n:
        push(table, Task.DRAW_TILE, table.seat, 0, 0)
    elif yes:
        stack_ends(box, table, hidden)


@rule
def turns(box, table, hidden, s):
    """Phase 2: one turn for each hero."""
    if s >= table.seats:
        return
    push(table, Task.TURNS, s + 1, 0, 0)
    table.active = s
    table.turns += 1
    if table.hp[s] == 0:
        if not fire_heals(box, table, table.at[s]):
            table.turns -= 1
            if box.downed_tick:
                threaten(box, table, 1)
            return
        table.hp[s] = box.max_hearts
        if box.campfire_rise == CampfireRise.STANDS_ONLY:
            push(table, Task.TURN_END, 1, 0, 0)
            return
    start_turn(box, table, s)


@rule
def start_turn(box, table, s):
    clear_turn(table)
    if box.stance == Stance.UNTIL_NEXT_TURN:
        table.stance[s] = 0
    if table.hero[s] == Hero.SHAVI:
        for m in range(TOKENS):
            table.mon_frozen[m] = 0
    push(table, Task.TURN_END, 0, 0, 0)
    table.turn_mark = table.todo_n
    push(table, Task.TURN, 0, 0, 0)
    if table.poison[s]:
        hurt(table, s, 1, Cause.POISON)


@rule
def clear_turn(table):
    table.moves, table.focus, table.a_left, table.b_left, table.summoned = 0, 0, 0, 0, 0
    table.agility, table.precision, table.transport, table.late_orbs, table.orb_hearts = 0, 0, 0, 0, 0
    table.entries, table.combats, table.boss_fought, table.fought_here = 0, 0, 0, 0
    table.bramble_n, table.lair_n, table.skill_n, table.in_lair = 0, 0, 0, 0
    table.visit += 1


@rule
def push_turn(table):
    """What a turn consists of, the dice first."""
    s = table.active
    refresh(table, s)
    push(table, Task.ACT, 0, 0, 0)
    push(table, Task.EVENT_HERE, table.at[s], 1, 0)
    push(table, Task.MEET, 0, 0, 0)
    push(table, Task.FLIP, table.at[s], 0, 0)
    push(table, Task.READY, 0, 0, 0)
    push(table, Task.ASSIGN, 0, 0, 0)
    push(table, Task.KEEP, 0, 0, 0)
    push(table, Task.CHARM, 0, 0, 0)
    push(table, Task.ROLL_HERO, 0, 0, 0)


@rule
def end_turn(box, table):
    """Campfire, focus, and the threat of a boss that lives."""
    s = table.active
    if table.hp[s] > 0 and box.campfire == Campfire.END_OF_TURN and fire_heals(box, table, table.at[s]):
        table.hp[s] = box.max_hearts
    if table.focus and (table.hp[s] > 0 or box.focus_on_down == FocusOnDown.KEPT):
        gain_orbs(box, table, s, box.focus_orbs)
    gain_orbs(box, table, s, table.late_orbs)
    table.focus, table.late_orbs = 0, 0
    look_around(box, table)
    for t in range(table.seats):
        table.immobile[t] = 0
    if box.reveal_turn_tick or table.shown_turn != table.turns:
        threaten(box, table, 1)


@rule
def boss_brambles(box, table, luck):
    """A skill: brambles for all on the boss tile, once more for those entangled."""
    touched = 0
    for t in range(table.seats):
        if standing(table, t) and here(table, t, table.boss_at):
            touched |= 1 << t
    bramble_rolls(box, table, luck, touched, touched & entangled(table))


@rule
def end_round(box, table):
    """The chapter's own effects, the threat, and the next round."""
    push(table, Task.ROUND, 0, 0, 0)
    push(table, Task.NEXT_ROUND, 0, 0, 0)
    if table.chapter:
        push(table, Task.ROUND_OVER, 0, 0, 0)


@rule
def next_round(box, table):
    """The threat, and the next round, unless no round is left."""
    threaten(box, table, 1)
    if table.chapter_round >= box.round_limit:
        finish(table, CAP_REACHED)
        return
    table.round += 1
    table.chapter_round += 1
    table.day = table.attempt * 1000 + table.chapter_round
