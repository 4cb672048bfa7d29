"""The tasks of the agenda, one after another, until somebody has to decide."""

from hardmode.sim.games.woodlands.actions import ask_act
from hardmode.sim.games.woodlands.agenda import Task, push
from hardmode.sim.games.woodlands.boss import drain_participants, roll_skill
from hardmode.sim.games.woodlands.card_choices import ask_exhaust, ask_inn, ask_market, light_lantern, look_ahead
from hardmode.sim.games.woodlands.chapters.hooks import chapter_task, fewer_moves, look_around
from hardmode.sim.games.woodlands.combat import ask_change, ask_pool, ask_support, begin_combat, roll_dice
from hardmode.sim.games.woodlands.combat_result import attack, first_blow, hit, lose, parry, penalty, resolve, share
from hardmode.sim.games.woodlands.effects import FROM_BRAMBLES, apply_effect
from hardmode.sim.games.woodlands.entering import brambles, event_here, turn_over
from hardmode.sim.games.woodlands.fight_or_flee import meet
from hardmode.sim.games.woodlands.hero_dice import ask_assign, ask_charm, ask_keep, ready_hero, roll_again, roll_all
from hardmode.sim.games.woodlands.lairs import ask_join, enter_lair, lair_fight, lair_next, lair_step, lose_lair
from hardmode.sim.games.woodlands.loot import choose_discard
from hardmode.sim.games.woodlands.movement import arrive, ask_carry, draw_placeable, move, move_now, step
from hardmode.sim.games.woodlands.switches import LateEvent
from hardmode.sim.games.woodlands.turn import (
    boss_brambles,
    end_round,
    end_turn,
    extra_tile,
    grow,
    next_round,
    push_round,
    push_turn,
    turns,
)
from hardmode.sim.records import rule


@rule
def go_on(box, table, hidden, luck):
    """Do what is on the agenda until somebody has to decide or the game, or chapter, is over."""
    while table.over == 0:
        if table.cut:
            cut_short(table)
        elif table.asking:
            return
        else:
            n = table.todo_n - 1
            table.todo_n = n
            task, a, b, c = (table.todo[n, 0] + 0, table.todo[n, 1] + 0, table.todo[n, 2] + 0, table.todo[n, 3] + 0)
            if task >= Task.GIVE_UP:  # between two chapters: left to the campaign
                table.todo_n = n + 1
                return
            perform(box, table, hidden, luck, task, a, b, c)


@rule
def cut_short(table):
    """The active hero is down: what it had begun is not finished, but brambles reach all on the tile."""
    begun = table.todo_n
    table.cut = 0
    table.asking = 0
    if table.in_lair:
        table.todo_n = table.lair_mark
        push(table, Task.LAIR_LOST, 0, 0, 0)
    else:
        keep_brambles(table, table.turn_mark, begun)
    if table.cut_striker:
        push(table, Task.PENALTY, table.cut_striker - 1, 0, 0)
        table.cut_striker = 0


@rule
def keep_brambles(table, mark, begun):
    """Cut the agenda back to a mark, but for what brambles still do to companions."""
    table.todo_n = mark
    for i in range(mark, begun):
        if table.todo[i, 0] == Task.EFFECT and table.todo[i, 3] >= FROM_BRAMBLES:
            push(table, Task.EFFECT, table.todo[i, 1], table.todo[i, 2], table.todo[i, 3])


@rule
def perform(box, table, hidden, luck, task, a, b, c):
    if task < Task.STEP:
        course_task(box, table, hidden, luck, task, a, b)
    elif task < Task.COMBAT:
        path_task(box, table, hidden, luck, task, a, b)
    elif task < Task.EFFECT:
        combat_task(box, table, hidden, luck, task, a, b, c)
    elif task < Task.LAIR_ENTER:
        card_task(box, table, hidden, luck, task, a, b, c)
    elif task < Task.CHAPTER_ENTER:
        lair_task(box, table, hidden, luck, task, a)
    else:
        chapter_task(box, table, hidden, luck, task, a, b, c)


@rule
def course_task(box, table, hidden, luck, task, a, b):
    if task == Task.ACT:
        look_around(box, table)
        ask_act(table)
    elif task == Task.ASSIGN:
        ask_assign(table)
    elif task == Task.TURNS:
        turns(box, table, hidden, a)
    elif task == Task.TURN:
        push_turn(table)
    elif task == Task.TURN_END:
        end_turn(box, table)
    elif task == Task.GROW:
        grow(box, table, hidden, a)
    elif task == Task.DRAW_TILE:
        draw_placeable(box, table, hidden, a, b)
    elif task == Task.ROLL_HERO:
        roll_all(box, table, luck)
    elif task == Task.CHARM:
        ask_charm(box, table)
    elif task == Task.KEEP:
        ask_keep(table)
    elif task == Task.REROLL:
        roll_again(box, table, luck)
    elif task == Task.READY:
        ready_hero(box, table)
        fewer_moves(box, table)
    elif task == Task.EXTRA:
        extra_tile(box, table, hidden)
    elif task == Task.ROUND:
        push_round(table)
    elif task == Task.ROUND_END:
        end_round(box, table)
    else:
        next_round(box, table)


@rule
def path_task(box, table, hidden, luck, task, a, b):
    if task == Task.MEET:
        meet(box, table)
    elif task == Task.EVENT_HERE:
        if table.chapter == 4:
            push(table, Task.CAMP, a, 0, 0)
        fought = box.late_event == LateEvent.AFTER_FIGHT and table.fought_here == 1
        if b == 0 or box.late_event == LateEvent.RESOLVE or fought:
            event_here(box, table, hidden, luck, a)
    elif task == Task.FLIP:
        turn_over(box, table, hidden, luck, a, b)
    elif task == Task.STEP:
        step(box, table, a, b)
    elif task == Task.MOVE:
        if b:
            move_now(box, table, a)
        else:
            move(box, table, a)
    elif task == Task.BRAMBLES:
        brambles(box, table, luck, a)
    elif task == Task.ARRIVE:
        arrive(table, a)
    else:
        ask_carry(table, a)


@rule
def combat_task(box, table, hidden, luck, task, a, b, c):
    if task == Task.CHANGE:
        ask_change(table)
    elif task == Task.POOL:
        ask_pool(box, table)
    elif task == Task.ROLL:
        roll_dice(box, table, luck)
    elif task == Task.JOINED:
        drain_participants(box, table)
        first_blow(box, table, a)
    elif task == Task.COMBAT:
        begin_combat(box, table, a, b)
    elif task == Task.RESOLVE:
        resolve(box, table, hidden, luck, a)
    elif task == Task.LOST:
        lose(box, table, hidden, a, b)
    elif task == Task.ATTACK:
        attack(box, table, a, b, c)
    elif task == Task.PARRY:
        parry(box, table, a, b, c)
    elif task == Task.HIT:
        hit(box, table, a, b, c)
    elif task == Task.PENALTY:
        penalty(box, table, a)
    elif task == Task.REWARD:
        share(table, a, b)
    elif task == Task.SUPPORT:
        ask_support(table, a)
    elif task == Task.SKILL:
        roll_skill(box, table, hidden, luck)
    elif task == Task.BRAMBLE_SKILL:
        boss_brambles(box, table, luck)
    elif task == Task.EXHAUST:
        ask_exhaust(box, table, a)


@rule
def card_task(box, table, hidden, luck, task, a, b, c):
    if task == Task.EFFECT:
        apply_effect(box, table, hidden, luck, a, b, c)
    elif task == Task.DRAWN:
        choose_discard(table, a, b)
    elif task == Task.MARKET:
        ask_market(table, a)
    elif task == Task.LANTERN:
        light_lantern(table, hidden)
    elif task == Task.STACK:
        look_ahead(table, hidden, a, b)
    elif task == Task.INN:
        ask_inn(table, a)


@rule
def lair_task(box, table, hidden, luck, task, a):
    if task == Task.LAIR_STEP:
        lair_step(box, table, luck)
    elif task == Task.LAIR_NEXT:
        lair_next(box, table)
    elif task == Task.LAIR_FIGHT:
        lair_fight(box, table, hidden, luck, a)
    elif task == Task.LAIR_ENTER:
        enter_lair(table, hidden)
    elif task == Task.JOIN:
        ask_join(table, a)
    else:
        lose_lair(box, table, hidden)
