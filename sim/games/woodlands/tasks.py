"""The tasks of the agenda, one after another, until somebody has to decide."""

from hardmode.sim.games.woodlands.actions import ask_act
from hardmode.sim.games.woodlands.agenda import push
from hardmode.sim.games.woodlands.boss import roll_skill
from hardmode.sim.games.woodlands.card_choices import ask_exhaust, ask_inn, ask_market, light_lantern, look_ahead
from hardmode.sim.games.woodlands.chapters.hooks import chapter_task, fewer_moves, look_around
from hardmode.sim.games.woodlands.combat import ask_change, ask_pool, ask_support, begin_combat, roll_dice
from hardmode.sim.games.woodlands.combat_result import attack, first_blow, hit, lose, parry, penalty, resolve, share
from hardmode.sim.games.woodlands.effects import apply_effect
from hardmode.sim.games.woodlands.entering import brambles, event_here, turn_over
from hardmode.sim.games.woodlands.fight_or_flee import meet
from hardmode.sim.games.woodlands.hero_dice import ask_assign, ask_charm, ask_keep, ready_hero, roll_again, roll_all
from hardmode.sim.games.woodlands.lairs import ask_join, enter_lair, lair_fight, lair_next, lair_step, lose_lair
from hardmode.sim.games.woodlands.loot import choose_discard
from hardmode.sim.games.woodlands.movement import arrive, ask_carry, draw_placeable, move, move_now, step
from hardmode.sim.games.woodlands.table import (
    T_ACT,
    T_ARRIVE,
    T_ASSIGN,
    T_ATTACK,
    T_BRAMBLE_SKILL,
    T_BRAMBLES,
    T_CAMP,
    T_CHANGE,
    T_CHAPTER_ENTER,
    T_CHARM,
    T_COMBAT,
    T_DRAW_TILE,
    T_DRAWN,
    T_EFFECT,
    T_EVENT_HERE,
    T_EXHAUST,
    T_EXTRA,
    T_FLIP,
    T_GIVE_UP,
    T_GROW,
    T_HIT,
    T_INN,
    T_JOIN,
    T_JOINED,
    T_KEEP,
    T_LAIR_ENTER,
    T_LAIR_FIGHT,
    T_LAIR_LOST,
    T_LAIR_NEXT,
    T_LAIR_STEP,
    T_LANTERN,
    T_LOST,
    T_MARKET,
    T_MEET,
    T_MOVE,
    T_PARRY,
    T_PENALTY,
    T_POOL,
    T_READY,
    T_REROLL,
    T_RESOLVE,
    T_REWARD,
    T_ROLL,
    T_ROLL_HERO,
    T_ROUND,
    T_ROUND_END,
    T_SKILL,
    T_STACK,
    T_STEP,
    T_SUPPORT,
    T_TURN,
    T_TURN_END,
    T_TURNS,
)
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
            if task >= T_GIVE_UP:  # between two chapters: left to the campaign
                table.todo_n = n + 1
                return
            perform(box, table, hidden, luck, task, a, b, c)


@rule
def cut_short(table):
    """The active hero is down: what it had begun is not finished."""
    table.cut = 0
    table.asking = 0
    if table.in_lair:
        table.todo_n = table.lair_mark
        push(table, T_LAIR_LOST, 0, 0, 0)
    else:
        table.todo_n = table.turn_mark
    if table.cut_striker:
        push(table, T_PENALTY, table.cut_striker - 1, 0, 0)
        table.cut_striker = 0


@rule
def perform(box, table, hidden, luck, task, a, b, c):
    if task < T_STEP:
        course_task(box, table, hidden, luck, task, a, b)
    elif task < T_COMBAT:
        path_task(box, table, hidden, luck, task, a, b)
    elif task < T_EFFECT:
        combat_task(box, table, hidden, luck, task, a, b, c)
    elif task < T_LAIR_ENTER:
        card_task(box, table, hidden, luck, task, a, b, c)
    elif task < T_CHAPTER_ENTER:
        lair_task(box, table, hidden, luck, task, a)
    else:
        chapter_task(box, table, hidden, luck, task, a, b, c)


@rule
def course_task(box, table, hidden, luck, task, a, b):
    if task == T_ACT:
        look_around(box, table)
        ask_act(table)
    elif task == T_ASSIGN:
        ask_assign(table)
    elif task == T_TURNS:
        turns(box, table, hidden, a)
    elif task == T_TURN:
        push_turn(table)
    elif task == T_TURN_END:
        end_turn(box, table)
    elif task == T_GROW:
        grow(box, table, hidden, a)
    elif task == T_DRAW_TILE:
        draw_placeable(box, table, hidden, a, b)
    elif task == T_ROLL_HERO:
        roll_all(box, table, luck)
    elif task == T_CHARM:
        ask_charm(box, table)
    elif task == T_KEEP:
        ask_keep(table)
    elif task == T_REROLL:
        roll_again(box, table, luck)
    elif task == T_READY:
        ready_hero(box, table)
        fewer_moves(box, table)
    elif task == T_EXTRA:
        extra_tile(box, table, hidden)
    elif task == T_ROUND:
        push_round(table)
    elif task == T_ROUND_END:
        end_round(box, table)
    else:
        next_round(box, table)


@rule
def path_task(box, table, hidden, luck, task, a, b):
    if task == T_MEET:
        meet(box, table)
    elif task == T_EVENT_HERE:
        if table.chapter == 4:
            push(table, T_CAMP, a, 0, 0)
        if b == 0 or box.late_event == 0:
            event_here(box, table, hidden, luck, a)
    elif task == T_FLIP:
        turn_over(box, table, hidden, luck, a, b)
    elif task == T_STEP:
        step(box, table, a, b)
    elif task == T_MOVE:
        if b:
            move_now(box, table, a)
        else:
            move(box, table, a)
    elif task == T_BRAMBLES:
        brambles(box, table, luck, a)
    elif task == T_ARRIVE:
        arrive(table, a)
    else:
        ask_carry(table, a)


@rule
def combat_task(box, table, hidden, luck, task, a, b, c):
    if task == T_CHANGE:
        ask_change(table)
    elif task == T_POOL:
        ask_pool(box, table)
    elif task == T_ROLL:
        roll_dice(box, table, luck)
    elif task == T_JOINED:
        first_blow(box, table, a)
    elif task == T_COMBAT:
        begin_combat(box, table, a, b)
    elif task == T_RESOLVE:
        resolve(box, table, hidden, luck, a)
    elif task == T_LOST:
        lose(box, table, hidden, a, b)
    elif task == T_ATTACK:
        attack(box, table, a, b, c)
    elif task == T_PARRY:
        parry(box, table, a, b, c)
    elif task == T_HIT:
        hit(box, table, a, b, c)
    elif task == T_PENALTY:
        penalty(box, table, a)
    elif task == T_REWARD:
        share(table, a, b)
    elif task == T_SUPPORT:
        ask_support(table, a)
    elif task == T_SKILL:
        roll_skill(box, table, hidden, luck)
    elif task == T_BRAMBLE_SKILL:
        boss_brambles(box, table, luck)
    elif task == T_EXHAUST:
        ask_exhaust(box, table, a)


@rule
def card_task(box, table, hidden, luck, task, a, b, c):
    if task == T_EFFECT:
        apply_effect(box, table, hidden, luck, a, b, c)
    elif task == T_DRAWN:
        choose_discard(table, a, b)
    elif task == T_MARKET:
        ask_market(table, a)
    elif task == T_LANTERN:
        light_lantern(table, hidden)
    elif task == T_STACK:
        look_ahead(table, hidden, a, b)
    elif task == T_INN:
        ask_inn(table)


@rule
def lair_task(box, table, hidden, luck, task, a):
    if task == T_LAIR_STEP:
        lair_step(box, table, luck)
    elif task == T_LAIR_NEXT:
        lair_next(box, table)
    elif task == T_LAIR_FIGHT:
        lair_fight(box, table, hidden, luck, a)
    elif task == T_LAIR_ENTER:
        enter_lair(table, hidden)
    elif task == T_JOIN:
        ask_join(table, a)
    else:
        lose_lair(box, table, hidden)
