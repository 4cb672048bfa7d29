"""The boss: how it appears, its threat, its skills, and the guards around it."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.agenda import Task, finish, push
from hardmode.sim.games.woodlands.effects import ambush
from hardmode.sim.games.woodlands.heroes import hearts_of_all, here, hurt, lose_orbs, mark, standing
from hardmode.sim.games.woodlands.names import (
    BOSS_FOE,
    SLOTS,
    Cause,
    Chance,
    Effect,
    Ending,
    EnragedBoss,
    Part,
    Skill,
)
from hardmode.sim.games.woodlands.switches import S02Scope, S12Scope, S15Scope
from hardmode.sim.records import rule


@rule
def reveal_boss(box, table, hidden, how):
    """Turn the boss card face up; its cube goes on the first space of the threat track."""
    if table.boss_shown:
        return
    table.boss = hidden.boss[table.bosses_drawn]
    table.bosses_drawn += 1
    table.boss_shown = 1
    table.boss_alive = 1
    table.boss_leaf = 0
    table.boss_immune = 0
    table.boss_track = box.b_track[table.boss]
    table.threat = 1
    if box.enraged_boss == EnragedBoss.TRACK:
        table.threat += box.eb_track
    table.shown_turn = table.turns
    table.reveal_how = how
    table.shown_round = table.round
    table.shown_hp = hearts_of_all(table)
    table.shown_stack = table.stack_n
    table.shown_orbs = 0
    table.shown_loot = 0
    for s in range(table.seats):
        table.shown_orbs += table.orbs[s]
        for i in range(SLOTS):
            table.shown_loot += table.loot[s, i] > 0
    check_threat(box, table)


@rule
def boss_stands(table, p):
    return table.boss_at == p and table.boss_shown == 1 and table.boss_alive == 1


@rule
def check_threat(box, table):
    if table.threat >= table.boss_track and (table.chapter != 3 or box.ch3_threat_loss):
        finish(table, Ending.THREAT_FULL)


@rule
def threaten(box, table, n):
    """Move the cube of a boss in play on; on the last space the game is lost."""
    if table.boss_shown and table.boss_alive and n > 0:
        table.threat = min(table.boss_track, table.threat + n)
        check_threat(box, table)


@rule
def meet_boss(box, table):
    """One boss fight: a skill, or two of an enraged boss, then the combat."""
    table.boss_fought = 1
    table.boss_fights += 1
    table.boss_shield = box.b_shield[table.boss]
    table.boss_immune = box.b_immune[table.boss]
    table.boss_fewer, table.boss_drains = 0, 0
    if table.boss_fights == 1:
        table.boss_hp_before = hearts_of_all(table)
        table.boss_orbs_before = 0
        for s in range(table.seats):
            table.boss_orbs_before += table.orbs[s]
    push(table, Task.COMBAT, BOSS_FOE, 0, 0)
    if box.enraged_boss == EnragedBoss.SKILLS:
        push(table, Task.SKILL, 0, 0, 0)
    push(table, Task.SKILL, 0, 0, 0)


@rule
def roll_skill(box, table, hidden, luck):
    table.skill_n += 1
    face = below(luck, Chance.SKILL_DIE, table.day, table.active, table.skill_n, 6)
    table.skill = box.b_skill[table.boss, face] + 1
    use_skill(box, table, hidden, luck, face)


@rule
def use_skill(box, table, hidden, luck, face):
    skill, number = box.b_skill[table.boss, face], box.b_number[table.boss, face]
    if skill == Skill.SHIELD:
        table.boss_shield = number
    elif skill == Skill.IMMUNE_TO_COLOUR:
        table.boss_immune |= 1 << box.b_colour[table.boss, face]
    elif skill == Skill.IMMUNE_TO_POWER_DICE:
        table.boss_immune = 15
    elif skill == Skill.ORBS_TO_THREAT and box.s15_scope == S15Scope.PARTICIPANTS:
        table.boss_drains += 1
    elif skill == Skill.FEWER_DICE:
        table.boss_fewer += 1
    elif skill == Skill.LEAF_SHIELD:
        table.boss_leaf += 1
    elif skill == Skill.THREAT:
        threaten(box, table, 1)
    elif skill == Skill.MONSTER:
        ambush(box, table, hidden, luck, table.boss_at)
    elif skill == Skill.BRAMBLES:
        push(table, Task.BRAMBLE_SKILL, 0, 0, 0)
    else:
        skill_on_heroes(box, table, skill, number)


@rule
def skill_on_heroes(box, table, skill, number):
    """Skills that reach every hero, or every hero on the tile."""
    p = table.boss_at
    for s in range(table.seats):
        on_tile = standing(table, s) and here(table, s, p)
        if skill == Skill.HEARTS and (on_tile or (box.s02_scope == S02Scope.ALL and standing(table, s))):
            hurt(table, s, 1, Cause.BOSS)
        elif skill == Skill.ORBS and (s == table.active or (box.s12_scope == S12Scope.TILE and on_tile)):
            lose_orbs(table, s, number)
        elif on_tile and skill == Skill.POISON:
            mark(box, table, s, Effect.POISON)
        elif on_tile and skill == Skill.EXHAUST_LOOT:
            push(table, Task.EXHAUST, s, 0, 0)
        elif on_tile and skill == Skill.DISCARD_LOOT:
            push(table, Task.EFFECT, Effect.DISCARD_LOOT, 1, s)
        elif on_tile and skill == Skill.ORBS_TO_THREAT:
            threaten(box, table, lose_orbs(table, s, 1))


@rule
def drain_participants(box, table):
    """Once it is known who takes part in the boss fight: an orb of each, and threat for it, by the wider reading."""
    if table.foe != BOSS_FOE or table.boss_drains == 0:
        return
    drains = table.boss_drains
    table.boss_drains = 0
    for s in range(table.seats):
        if table.joined[s] != Part.ABSENT:
            threaten(box, table, lose_orbs(table, s, drains))
