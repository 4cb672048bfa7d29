"""Each doubt of the rulebook has a switch, and each switch changes what it should: (usual reading, other reading)."""

import numpy as np
import pytest
from woodlands_case import TILE, Case

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.actions import act_options
from hardmode.sim.games.woodlands.agenda import Task, first_of, push, second_of, verb_of
from hardmode.sim.games.woodlands.combat import begin_combat
from hardmode.sim.games.woodlands.entering import brambles, enter, turn_over
from hardmode.sim.games.woodlands.fight_or_flee import may_leave, step_cost
from hardmode.sim.games.woodlands.foes import row_of, shield_of
from hardmode.sim.games.woodlands.forest import placements, populate
from hardmode.sim.games.woodlands.hero_dice import assign_options, take_keep
from hardmode.sim.games.woodlands.loot import draw_loot
from hardmode.sim.games.woodlands.monsters import monsters_at, spawn
from hardmode.sim.games.woodlands.movement import step
from hardmode.sim.games.woodlands.names import (
    BOSS_FOE,
    CENTRE,
    NOWHERE,
    SIDE,
    TOKENS,
    UNPLACED,
    CardPlace,
    Direction,
    Effect,
    Ending,
    Kind,
    Monster,
    Slot,
    Verb,
)
from hardmode.sim.games.woodlands.switches import SWITCHES
from hardmode.sim.games.woodlands.turn import end_turn, extra_tile, fire_heals, turns

pytestmark = pytest.mark.plain

CHECKS = {}
USUAL = np.asarray(create_variant("woodlands").box)[0]


def unusual(switch):
    """The other of two readings, or the first of several others."""
    return next(reading for number, reading in enumerate(SWITCHES[switch]) if number != USUAL[switch])


def reads(switch, *expected, value=None):
    """Register what is seen under the usual reading and under another one."""
    def put(see):
        CHECKS[switch if value is None else f"{switch}={value}"] = (switch, value or unusual(switch), see, expected)
        return see
    return put


def listed(rule, *args):
    out = np.zeros(GAME.max_options, np.int64)
    return [(verb_of(int(c)), first_of(int(c)), second_of(int(c))) for c in out[:rule(*args, out)]]


def verbs(c, *wanted):
    return sum(o[0] in wanted for o in listed(act_options, c.box, c.table))


def case(rules, *heroes, **kwargs):
    return Case(*(heroes or ("bethras", "xylia")), rules=rules, **kwargs)


def on_boss(rules, boss=0, heroes=("klethor", "xylia")):
    c = case(rules, *heroes)
    p = c.lay("boss", 0, -1)
    c.boss(boss, p)
    c.table.at[0] = p
    return c


@reads("no_tile_fits", 1, 0)
def no_tile(rules):
    c = case(rules)
    for x, y, turned in ((1, 0, 270), (0, 1, 0), (-1, 0, 90)):
        c.lay("monster_nest" if x else "hidden_hollow", x, y, turned)
    c.lay("boss", 0, -1, 0)
    c.table.boss_at = 4
    c.hidden.stack[0], c.table.stack_n, c.table.low_n = TILE.index("monster_nest"), 1, 0
    push(c.table, Task.DRAW_TILE, 0, 0, 0)
    c.go()
    return c.table.boss_shown


@reads("kept_dice", True, False)
def kept(rules):
    c = case(rules)
    take_keep(c.box, c.table, 1)
    return any(c.table.todo[i][0] == Task.ASSIGN for i in range(c.table.todo_n))


@reads("unused_dice", True, False)
def unused(rules):
    c = case(rules)
    for i in range(4):
        c.table.die[i], c.table.die_slot[i] = 2, UNPLACED
    c.table.kept = 15
    return any(o[1] == Slot.UNUSED for o in listed(assign_options, c.box, c.table))


def brewing(rules):
    c = case(rules)
    c.table.hp[1], c.table.b_left = 0, 2
    begin_combat(c.box, c.table, c.monster("plant"), 0)
    c.go()
    return c.table.brewed, c.table.b_left, sum(o[0] == Verb.BREW_DIE for o in c.options())


reads("brew", (0, 2, 1), (2, 0, 0), value="all_first_combat")(brewing)
reads("brew", (0, 2, 1), (2, 2, 0), value="all_turn")(brewing)


@reads("klethor_scope", 1, 2)
def scope(rules):
    c = case(rules, "bethras", "klethor")
    c.table.powers[1], c.table.foe, c.table.joined[0], c.table.joined[1] = 1, c.monster("plant"), 1, 1
    c.table.kind = Kind.CHANGE_ROLL
    c.show((1, 0), (2, 1))
    return sum(o[0] == Verb.POWER_1_REROLL for o in c.options())


@reads("stance", 0, 1)
def stance(rules):
    c = case(rules, "klethor", "xylia")
    c.table.stance[0] = 1
    turns(c.box, c.table, c.hidden, 0)
    return c.table.stance[0]


@reads("stance_scope", (4, 5), (5, 5))
def stance_scope(rules):
    c = case(rules, "bethras", "klethor")
    m = c.monster("skeleton")
    c.table.stance[1], c.table.joined[1] = 1, 1
    c.resolve(m, (1, 0))
    return c.table.hp[0], c.table.hp[1]


@reads("s15_scope", ([3, 4, 4], 2), ([3, 3, 4], 3))
def orbs_to_threat(rules):
    """Klethor on the boss tile, Xylia who supports from the next one, Sha'Vi who is not near."""
    c = on_boss(rules, 1, ("klethor", "xylia", "shavi"))
    c.table.at[2], c.table.powers[1] = c.lay("violet_trail", 1, 0, 90), 2
    for s in range(3):
        c.table.orbs[s] = 4
    c.table.boss_drains = 0
    c.use_skill("orbs to threat")
    begin_combat(c.box, c.table, BOSS_FOE, 0)
    c.go()
    c.take(Verb.YES)
    return [c.table.orbs[s] for s in range(3)], c.table.threat


@reads("risky_orb", (1, 0), (0, 1))
def risky(rules):
    c = case(rules)
    step(c.box, c.table, Direction.NORTH, 1)
    return c.table.orbs[0], c.table.late_orbs


@reads("second_bramble", [True, False], [True, True])
def second(rules):
    c = case(rules)
    p = c.lay("thorny_cache", 0, -1)
    c.table.at[0] = c.table.at[1] = p
    found = [False, False]
    for key in range(1, 60):
        c.luck.key = np.uint64(key)
        c.table.entangled[0] = 1
        c.table.todo_n = 0
        brambles(c.box, c.table, c.luck, p)
        hit = [0, 0]
        for i in range(c.table.todo_n):
            if c.table.todo[i][1] != Effect.EVENT:
                hit[int(c.table.todo[i][3]) % 8] += 1
        found = [found[s] or hit[s] == 2 for s in (0, 1)]
    return found


def who_rolls(rules, heroes=("xylia", "klethor"), agility=0):
    c = case(rules, *heroes)
    p = c.lay("thorny_cache", 0, -1)
    c.table.at[0] = c.table.at[1] = p
    c.table.agility = agility
    touched = set()
    for key in range(1, 40):
        c.luck.key, c.table.todo_n = np.uint64(key), 0
        brambles(c.box, c.table, c.luck, p)
        touched |= {int(c.table.todo[i][3]) % 8 for i in range(c.table.todo_n) if c.table.todo[i][1] != Effect.EVENT}
    return touched


reads("agility_roll", {1}, set())(lambda rules: who_rolls(rules, agility=1))
reads("bramble_scope", {0, 1}, {0})(who_rolls)


@reads("pre_combat", False, True)
def pre_combat(rules):
    c = case(rules)
    c.monster("plant")
    c.table.orbs[0] = 5
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    return any(o[0] == Verb.UNLOCK for o in c.options())


@reads("support", (1, 0), (0, 1))
def support(rules):
    c = case(rules)
    begin_combat(c.box, c.table, c.monster("plant"), 0)
    return c.table.joined[1], sum(c.table.todo[i][0] == Task.SUPPORT for i in range(c.table.todo_n))


@reads("group_continue", Kind.FIGHT_OR_FLEE, Kind.ACT)
def group(rules):
    c = case(rules, "klethor", "xylia")
    c.table.hp[1] = 0
    a, _b = c.monster("skeleton", slot=0), c.monster("mushroom", slot=1)
    push(c.table, Task.ACT, 0, 0, 0)
    push(c.table, Task.MEET, 0, 0, 0)
    c.table.mon_fought[a] = c.table.visit
    c.resolve(a, (1, 0))
    return c.table.kind


@reads("flee_mid", 0, 1)
def flee_mid(rules):
    c = case(rules)
    c.lay("violet_trail", 1, 0, 90)
    c.monster("plant")
    c.table.fought_here, c.table.moves, c.table.stack_n = 1, 1, 0
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    return sum(o[0] == Verb.FLEE for o in c.options())


@reads("penalty_on_down", 3, 2)
def on_down(rules):
    c = case(rules)
    c.table.hp[0], c.table.orbs[0] = 1, 3
    push(c.table, Task.TURN_END, 0, 0, 0)
    c.table.turn_mark = 1
    c.resolve(c.monster("skeleton"), (1, 0))
    return c.table.orbs[0]


@reads("s02_scope", 4, 5)
def hearts_of_all(rules):
    c = on_boss(rules)
    c.use_skill("hearts of all")
    return c.table.hp[1]


@reads("s12_scope", 4, 2)
def orbs_of(rules):
    c = on_boss(rules, 1)
    c.table.at[1] = c.table.boss_at
    c.table.orbs[0] = c.table.orbs[1] = 4
    c.use_skill("orbs")
    return c.table.orbs[1]


@reads("guard_defeated", 0, 1)
def guard(rules):
    c = on_boss(rules)
    m = c.monster("snake", c.table.boss_at)
    c.table.boss_fought = 1
    c.resolve(m, (6, 0))
    return monsters_at(c.table, c.table.boss_at)


@reads("leaf", 1, 0)
def leaf(rules):
    c = case(rules)
    m = c.monster("snake")
    c.table.mon_leaf[m] = 1
    c.resolve(m, (6, 0), (6, 0))
    return int(c.table.mon_at[m] == NOWHERE)


@reads("downed_tick", 1, 2)
def downed(rules):
    c = on_boss(rules)
    c.table.hp[0] = 0
    turns(c.box, c.table, c.hidden, 0)
    return c.table.threat


@reads("reveal_turn_tick", 2, 1)
def reveal_tick(rules):
    c = on_boss(rules)
    c.table.shown_turn = c.table.turns
    end_turn(c.box, c.table)
    return c.table.threat


def leaving(rules):
    c = on_boss(rules)
    c.table.boss_fought, c.table.transport = 1, 1
    with_transport = bool(may_leave(c.box, c.table))
    c.table.transport, c.table.entries = 0, 0
    return with_transport, bool(may_leave(c.box, c.table))


reads("boss_leave", (False, False), (True, False), value="transport_only")(leaving)
reads("boss_leave", (False, False), (True, True), value="next_turn")(leaving)


@reads("vortex_flee", 3, 5)
def vortex(rules):
    c = case(rules)
    p = c.lay("vortex", 0, -1)
    c.table.at[0], c.table.orbs[0] = p, 2
    c.monster("plant", p)
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    c.take(Verb.VORTEX)
    return c.table.hp[0]


def late_event(rules):
    """Markers left where the hero starts its turn: the monsters fell to it just now, or they marched away."""
    left = []
    for fought in (1, 0):
        c = case(rules)
        p = c.lay("blue_shrine", 0, -1)
        c.table.at[0], c.table.events[p], c.table.fought_here = p, 1, fought
        push(c.table, Task.EVENT_HERE, p, 1, 0)
        c.go()
        left.append(c.table.events[p])
    return left


reads("late_event", [0, 0], [1, 1], value="needs_move")(late_event)
reads("late_event", [0, 0], [0, 1], value="after_fight")(late_event)


@reads("lair_beside_monsters", 0, 1)
def lair_beside(rules):
    c = case(rules, setup={"lairs": True})
    p = c.lay("lair_den", 0, -1, markers=True)
    c.table.at[0] = p
    assert monsters_at(c.table, p) == 1
    return verbs(c, Verb.ENTER_LAIR)


@reads("monster_empty", True, False)
def no_monsters(rules):
    c = case(rules)
    c.table.mon_n, c.table.mon_out[3] = 0, 1
    return spawn(c.box, c.table, c.hidden, c.luck, 0) >= 0


@reads("deck_empty", 1, 0)
def no_loot(rules):
    c = case(rules)
    card = c.hidden.loot[0]
    c.table.loot_n, c.table.loot_where[card] = 0, CardPlace.DISCARD
    draw_loot(c.box, c.table, c.hidden, c.luck, 0)
    return int(c.table.loot[0][0] > 0)


@reads("marker_limit", 1, 0)
def markers(rules):
    c = case(rules)
    for n, (name, x) in enumerate((("guarded_cache", 1), ("blue_hoard", 2), ("monster_nest", 3))):
        c.table.chests[c.lay(name, x, 0, 90)] = 5 if n == 0 else 0
    p = c.lay("hidden_hollow", 0, 1)
    populate(c.box, c.table, c.hidden, c.luck, p)
    return c.table.chests[p]


def chapter(rules, n, *heroes):
    return Case(*(heroes or ("bethras", "xylia")), rules=rules, setup={"mode": f"chapter {n}"})


def empty_forest(c):
    for m in range(TOKENS):
        c.table.mon_at[m] = NOWHERE


@reads("ch3_check", 0, Ending.WELL_OVERRUN + 1)
def ch3_check(rules):
    from hardmode.sim.games.woodlands.chapters.ch3 import round_3

    c = chapter(rules, 3)
    empty_forest(c)
    m = c.monster("plant", c.table.link[0][Direction.NORTH])
    c.table.at[0] = c.table.at[1] = c.table.link[0][Direction.SOUTH]
    round_3(c.box, c.table, c.hidden, c.luck)
    assert c.table.mon_at[m] == 0
    return c.table.over


@reads("ch3_threat_loss", Ending.THREAT_FULL + 1, 0)
def ch3_threat(rules):
    from hardmode.sim.games.woodlands.boss import threaten

    c = chapter(rules, 3)
    c.boss(0, 10)
    threaten(c.box, c.table, 20)
    return c.table.over


@reads("ch3_second_boss", 0, 1)
def second_boss(rules):
    from hardmode.sim.games.woodlands.chapters.ch3 import round_3

    c = chapter(rules, 3)
    empty_forest(c)
    c.boss(0, 10)
    c.table.boss_alive, c.table.chapter_round = 0, 5
    round_3(c.box, c.table, c.hidden, c.luck)
    return c.table.boss_alive


@reads("ch3_fallen", (1, 0), (0, 0))
def fallen_in_the_way(rules):
    """A monster beside the fallen Bethras in the west, one beside nobody in the north; both one step from the well."""
    from hardmode.sim.games.woodlands.chapters.ch3 import advance

    c = chapter(rules, 3)
    empty_forest(c)
    east, north = c.table.link[0][Direction.EAST], c.table.link[0][Direction.NORTH]
    c.table.at[0], c.table.hp[0], c.table.at[1] = east, 0, c.table.link[0][Direction.SOUTH]
    beside, free = c.monster("plant", east, 0), c.monster("snake", north, 1)
    advance(c.box, c.table, c.luck, 1)
    return int(c.table.mon_at[beside] == east), c.table.mon_at[free]


@reads("hidden_move", True, False)
def hidden_move(rules):
    from hardmode.sim.games.woodlands.chapters.march import may_march

    c = case(rules)
    return bool(may_march(c.box, c.table, spawn(c.box, c.table, c.hidden, c.luck, 0)))


@reads("trap_marker", (0, 1), (1, 0))
def trap(rules):
    from hardmode.sim.games.woodlands.chapters.ch4 import reveal_camp

    c = chapter(rules, 4, "xylia", "klethor")
    c.hidden.camp_at[0] = 3
    reveal_camp(c.box, c.table, c.hidden, c.luck, 0)
    return c.table.poison[0], c.table.entangled[0]


@reads("despair_cost", True, False)
def despair(rules):
    c = chapter(rules, 5)
    p = c.lay("green_thicket", 0, -1)
    c.table.at[0], c.table.summoned, c.table.orbs[0] = p, 1, 2
    return verbs(c, Verb.DESPERATE_TOTEM) == 1


def level2(rules):
    from hardmode.sim.games.woodlands.chapters.ch5 import begin_5, round_5

    c = chapter(rules, 5)
    for p in range(c.table.places):
        c.table.corrupt[p] = 0
    c.table.ch_level2 = 1
    begin_5(c.box, c.table)
    row, start = row_of(c.box, c.table), c.table.corrupt_tiles
    round_5(c.box, c.table, c.hidden)
    return row, start, c.table.corrupt_tiles


reads("ch5_level2", (1, 1, 3), (1, 2, 3), value="two_tiles_at_start")(level2)
reads("ch5_level2", (1, 1, 3), (2, 1, 2), value="second_row")(level2)


@reads("ch5_minus_move", 2, 1)
def minus_move(rules):
    c = chapter(rules, 5)
    c.table.corrupt[1], c.table.corrupt_tiles = 1, 5
    return step_cost(c.box, c.table, 1)


@reads("ch5_count", 1, 3)
def what_counts(rules):
    from hardmode.sim.games.woodlands.chapters.ch5 import count

    c = chapter(rules, 5)
    c.table.corrupt_cells = 2
    count(c.box, c.table)
    return c.table.corrupt_tiles


@reads("ch5_rows", 4, 5)
def rows(rules):
    c = chapter(rules, 5)
    m = c.monster("plant", 1)
    c.table.corrupt[1], c.table.corrupt_tiles = 1, 9
    return shield_of(c.box, c.table, m)


@reads("ch5_extra", 2, 1)
def extra(rules):
    from hardmode.sim.games.woodlands.chapters.ch5 import enter_corrupted

    c = chapter(rules, 5)
    c.table.corrupt[1], c.table.corrupt_tiles = 1, 9
    c.give(0, "mace", "sword")
    for _ in range(2):
        enter_corrupted(c.box, c.table, c.hidden, c.luck, 1)
    return monsters_at(c.table, 1)


def settled(rules):
    """A tile with an event, and the boss tile, laid on cells that hold a marker: events left, boss revealed."""
    from hardmode.sim.games.woodlands.chapters.ch5 import settle_cell

    found = []
    for tile in ("blue_shrine", "boss"):
        c = chapter(rules, 5)
        p = c.lay(tile, 0, -1, markers=True)
        c.table.corrupt_cell[0], c.table.corrupt_cells = c.table.cell[p], 1
        settle_cell(c.box, c.table, c.hidden, p)
        assert c.table.corrupt[p] == 1 and c.table.corrupt_cells == 0
        found += [c.table.events[p], c.table.boss_shown]
    return found


reads("ch5_settled", [1, 0, 0, 1], [0, 0, 0, 1], value="spreads")(settled)
reads("ch5_settled", [1, 0, 0, 1], [1, 0, 0, 0], value="moves_only")(settled)


@reads("corruption_discards", (1, 0), (0, 1))
def discards(rules):
    from hardmode.sim.games.woodlands.chapters.ch5 import touch

    c = chapter(rules, 5)
    c.table.chests[0] = c.table.events[0] = 1
    touch(c.box, c.table, 0)
    return c.table.chests[0], c.table.events[0]


@reads("campfire_rise", True, False)
def rise(rules):
    c = case(rules)
    c.table.at[0], c.table.hp[0] = c.lay("campfire", 0, -1), 0
    turns(c.box, c.table, c.hidden, 0)
    assert c.table.hp[0] == 5
    return any(c.table.todo[i][0] == Task.TURN for i in range(c.table.todo_n))


@reads("camp_with_monsters", True, False)
def camp(rules):
    c = case(rules)
    p = c.lay("campfire", 0, -1)
    c.monster("plant", p)
    return bool(fire_heals(c.box, c.table, p))


@reads("campfire", (2, 5), (5, 5))
def fire(rules):
    c = case(rules)
    p = c.lay("campfire", 0, -1)
    c.table.at[0], c.table.hp[0] = p, 2
    turn_over(c.box, c.table, c.hidden, c.luck, p, 1)
    entered = c.table.hp[0]
    if not c.box.campfire:
        end_turn(c.box, c.table)
    return entered, c.table.hp[0]


@reads("focus_on_down", 0, 1)
def focus(rules):
    c = case(rules)
    c.table.focus, c.table.hp[0] = 1, 0
    end_turn(c.box, c.table)
    return c.table.orbs[0]


@reads("spirit_reward", 0, 1)
def spirit(rules):
    c = Case("bethras", "xylia", rules=rules, setup={"enraged": ["spirit"]})
    m = c.monster("spirit")
    c.table.hp[1] = 0
    c.resolve(m, (6, 0))
    return c.table.orbs[0]


@reads("mush_supporters", 4, 5)
def mushroom(rules):
    c = Case("bethras", "xylia", rules=rules, setup={"enraged": ["mushroom"]})
    begin_combat(c.box, c.table, c.monster("mushroom"), 0)
    c.go()
    return c.table.hp[1]


@reads("quest_transfer", 1, 0)
def transfer(rules):
    c = chapter(rules, 1)
    c.table.markers[0][0] = 1
    return verbs(c, Verb.GIVE_MARKER)


@reads("ch2_downed", Ending.CHAPTER_WON + 1, 0)
def ch2_downed(rules):
    from hardmode.sim.games.woodlands.chapters.ch2 import check_2

    c = chapter(rules, 2)
    p = c.lay("energy_well", 0, -1)
    c.table.at[0] = c.table.at[1] = p
    c.table.orbs[0], c.table.hp[1] = 10, 0
    check_2(c.box, c.table)
    return c.table.over


@reads("ch2_after_well", True, False)
def after_well(rules):
    from hardmode.sim.games.woodlands.chapters.ch2 import prey

    c = chapter(rules, 2)
    for i in range(4):
        c.table.carried[0][i] = 0
    return bool(prey(c.box, c.table, 0, 3))


@reads("ch2_half", 10, 11)
def half(rules):
    return chapter(rules, 2).table.low_n


@reads("ch1_ambush", 0, 1)
def ambush(rules):
    from hardmode.sim.games.woodlands.chapters.ch1 import brew

    c = chapter(rules, 1)
    c.table.potions = 1
    brew(c.box, c.table, c.hidden, c.luck, 0, 0)
    return sum(c.table.todo[i][0] == Task.MEET for i in range(c.table.todo_n))


@reads("event_merchant", 0, 1)
def merchant(rules):
    from hardmode.sim.games.woodlands.effects import apply_effect

    c = case(rules)
    push(c.table, Task.ACT, 0, 0, 0)
    apply_effect(c.box, c.table, c.hidden, c.luck, Effect.MERCHANT, 3, 0)
    c.go()
    c.take(Verb.STOP)
    return int(c.table.stock_at[1] > 0)


def xylia_extra(rules, stack=1, hearts=5):
    c = case(rules, "xylia", "klethor")
    c.table.powers[0], c.table.stack_n, c.table.hp[0] = 1, stack, hearts
    c.lay("boss", 0, -1, markers=True)
    extra_tile(c.box, c.table, c.hidden)
    return bool(c.table.asking)


reads("xylia_reveal", True, False)(lambda rules: xylia_extra(rules, stack=0))
reads("xylia_downed_extra", True, False)(lambda rules: xylia_extra(rules, hearts=0))


@reads("xylia_boss_support", 1, 0)
def from_afar(rules):
    c = on_boss(rules)
    c.table.powers[1] = 2
    begin_combat(c.box, c.table, BOSS_FOE, 0)
    return sum(c.table.todo[i][0] == Task.SUPPORT for i in range(c.table.todo_n))


@reads("give_beside_boss", 0, 1)
def giving(rules):
    c = on_boss(rules, 1)
    c.table.at[1] = c.table.boss_at
    c.give(0, "mace")
    return verbs(c, Verb.GIVE)


@reads("heal_with_monsters", 1, 0)
def potion(rules):
    c = case(rules)
    c.give(0, "healing_potion")
    c.monster("plant")
    c.table.hp[0] = 2
    return verbs(c, Verb.HEAL)


@reads("path_tie", 1, 2)
def path_tie(rules):
    from hardmode.sim.games.woodlands.chapters.march import measure, toward

    c = case(rules)
    c.lay("green_crossroads", 1, 0)
    c.lay("energy_well", 0, -1)
    c.lay("bramble_pass", 1, -1)
    seen = set()
    for key in range(1, 30):
        c.luck.key = np.uint64(key)
        measure(c.table, 3)
        seen.add(toward(c.box, c.table, c.luck, 0, 0, 0))
    return len(seen)


@reads("horn_distance", False, True)
def horn(rules):
    from hardmode.sim.games.woodlands.chapters.ch4 import heard
    from hardmode.sim.games.woodlands.chapters.march import measure

    c = case(rules)
    c.lay("violet_trail", 1, 0, 90)
    c.lay("green_crossroads", 2, 0)
    c.lay("blue_hoard", 2, 1)
    c.lay("monster_nest", 1, 1, 90)
    measure(c.table, 0)
    return bool(heard(c.box, c.table, 0, 4))


@reads("passenger_effects", 1, 2)
def passengers(rules):
    c = case(rules, "klethor", "xylia")
    p = c.lay("thorny_cache", 0, -1)
    c.table.aboard[1] = 1
    enter(c.box, c.table, p)
    return sum(c.table.todo[i][0] == Task.BRAMBLES for i in range(c.table.todo_n))


@reads("enrage_tie", 1, 2)
def tie(rules):
    from hardmode.sim.games.woodlands.campaign import wake

    c = Case("bethras", "xylia", rules=rules, setup={"mode": "campaign"})
    c.table.beaten[Monster.PLANT] = c.table.beaten[Monster.SNAKE] = 2
    wake(c.box, c.table, c.luck)
    return c.table.woken_n


@reads("boss_penalty", 1, 0)
def boss_penalty(rules):
    c = on_boss(rules)
    c.table.boss_fought = 1
    c.resolve(BOSS_FOE, (1, 0))
    return c.table.poison[0]


@reads("max_shield", 7, 6)
def max_shield(rules):
    c = on_boss(rules)
    c.table.boss_shield, c.table.plus_shield[c.table.boss_at] = 6, 1
    return shield_of(c.box, c.table, BOSS_FOE)


@reads("dead_end_sides", 1, 2)
def sides(rules):
    c = case(rules)
    p = c.lay("double_dead_end", 0, -1)
    c.monster("plant", p, 0)
    c.monster("snake", p + 1, 1)
    return monsters_at(c.table, p)


@reads("far_side_rule2", 1, 2)
def far_side(rules):
    c = case(rules)
    c.lay("double_dead_end", 0, 1)                       # its far side opens to the south
    c.lay("energy_well", 1, 0)
    c.lay("green_crossroads", 1, 1)
    c.lay("violet_crossroads", 1, 2)
    cell = CENTRE + 2 * SIDE
    assert c.table.far[2] == 1 or c.table.far[1] == 1
    c.table.tile = TILE.index("orange_bend")
    return len([o for o in listed(placements, c.box, c.table, c.table.tile) if o[1] == cell])


@reads("immobilised_vortex", 1, 0)
def stuck(rules):
    c = case(rules)
    c.table.at[0], c.table.orbs[0], c.table.immobile[0] = c.lay("vortex", 0, -1), 1, 1
    return verbs(c, Verb.VORTEX)


@reads("drawn_undefeated", True, False)
def drawn(rules):
    c = case(rules)
    m = c.monster("skeleton")
    c.table.foe_drawn = 1
    c.resolve(m, (1, 0))
    return c.table.mon_at[m] == 0


@reads("retry_state", 0, 2)
def retry(rules):
    from hardmode.sim.games.woodlands.campaign import fail

    c = Case("bethras", "xylia", rules=rules, setup={"mode": "campaign"})
    c.table.powers[0] = 2
    fail(c.box, c.table)
    return c.table.powers[0]


def test_every_reading_of_every_switch_is_held_by_a_check():
    others = {(switch, reading) for switch, readings in SWITCHES.items()
              for number, reading in enumerate(readings) if number != USUAL[switch]}
    assert {(switch, reading) for switch, reading, _, _ in CHECKS.values()} == others
    assert all(usual != other for _, _, _, (usual, other) in CHECKS.values()), "an ignored switch would not be seen"


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_a_switch(name):
    switch, other, see, expected = CHECKS[name]
    assert see({}) == expected[0]
    assert see({f"switches.{switch}": other}) == expected[1]


