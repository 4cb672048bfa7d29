"""The planner: sees what each place, fight and card is worth, and lays its dice for it by exact chances.

In chapters where what is gathered over many turns decides, not what this one brings, dice are laid by rule of thumb:
who weighs the turn alone leaves too many orbs there, and wins less often.
"""

import numpy as np

from hardmode.sim.games.woodlands.actions import unlock_cost
from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of
from hardmode.sim.games.woodlands.boss import boss_stands
from hardmode.sim.games.woodlands.combat_result import raw_hits
from hardmode.sim.games.woodlands.foes import (
    hearts_of,
    immune_to,
    leaves_of,
    plus_of,
    shield_of,
    sword_of,
)
from hardmode.sim.games.woodlands.heroes import standing
from hardmode.sim.games.woodlands.loot import cards_of, room
from hardmode.sim.games.woodlands.names import (
    BESIDE,
    BOSS_FOE,
    CENTRE,
    NO_COLOUR,
    PLACES,
    SIDE,
    Kind,
    Special,
    Verb,
)
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import (
    MOST,
    card_value,
    dice_of,
    helping,
    hits_on,
    with_power,
)
from hardmode.strategies.woodlands.chapter_goals import gathers
from hardmode.strategies.woodlands.dice_by_rule import choose_charm as charm_by_rule
from hardmode.strategies.woodlands.dice_by_rule import choose_keep as keep_by_rule
from hardmode.strategies.woodlands.dice_by_rule import choose_slot as slot_by_rule
from hardmode.strategies.woodlands.journey import (
    CROWD,
    FIRST,
    best_quiet,
    list_busy,
    scan,
    worth_of_turn,
)
from hardmode.strategies.woodlands.option_values import (
    least_kept,
    place_score,
    pool_score,
    prepare_score,
    rare_score,
    reroll_score,
    spot_score,
)
from hardmode.strategies.woodlands.outlook import blow, orb_worth, stake
from hardmode.strategies.woodlands.turn_plan import choose_charm, choose_keep, choose_slot
from hardmode.strategies.woodlands.weights import Plan

TO_AND_FRO = 0.2  # how much tiles are laid near the first one where heroes go to and fro


def planner(box, table, own, options, n, luck, weights):
    """Lays its dice by exact chances for what places, fights and cards are worth; made to be trained."""
    kind = table.kind
    if kind == Kind.ACT:
        return choose_act(box, table, options, n, weights)
    if kind == Kind.KEEP or kind == Kind.ASSIGN or kind == Kind.CHARM:
        return choose_dice(box, table, options, n, weights)
    best, top = 0, -1e9
    for i in range(n):
        score = score_of(box, table, kind, verb_of(options[i]), first_of(options[i]), second_of(options[i]), weights)
        if score > top:
            best, top = i, score
    return best


@rule
def choose_dice(box, table, options, n, w):
    """Which dice to keep, which one to roll with the charm, or where to lay one."""
    if table.kind == Kind.CHARM:
        return charm_by_rule(box, table, options, n, w) if gathers(table) else choose_charm(box, table, options, n, w)
    if table.kind == Kind.KEEP:
        return keep_by_rule(box, table, options, n, w) if gathers(table) else choose_keep(box, table, options, n, w)
    return slot_by_rule(box, table, options, n, w) if gathers(table) else choose_slot(box, table, options, n, w)


@rule
def score_of(box, table, kind, verb, a, b, w):
    """What an option is worth where it can be judged by itself."""
    if kind == Kind.CHANGE_ROLL:
        if verb == Verb.ORB_REROLL:
            return 3.0 if orb_pays(box, table, table.active, a, w) else 0.0
        return reroll_score(box, table, verb, a, b, w)
    if kind == Kind.PLACE:
        return lay_score(box, table, a, b, w)
    if kind == Kind.FIGHT_OR_FLEE:
        return prepare_score(box, table, verb, a)
    if kind == Kind.PREPARE_COMBAT:
        return 0.0 if verb != Verb.ROLL and holds_back(box, table, w) else pool_score(box, table, verb, a)
    return rare_score(box, table, kind, verb, a, b, w)


# --- the turn ------------------------------------------------------------------------------------


@rule
def choose_act(box, table, options, n, w):
    """What can be had here first, then the way to the best place."""
    best, top, steps = 0, 0.0, False
    for i in range(n):
        verb = verb_of(options[i])
        score = act_score(box, table, table.active, verb, first_of(options[i]), second_of(options[i]), w)
        steps = steps or verb == Verb.STEP
        if score > top:
            best, top = i, score
    if best or not steps:
        return best
    return choose_way(box, table, options, n, w)


@rule
def way_with(box, table, s, steps, w):
    """The first step, by its direction, towards the best place with so many steps; -1 to stay."""
    work, calm, fights = np.empty((4, PLACES), np.int64), np.empty(PLACES), np.empty((PLACES, 2, 1))
    goal = scan(box, table, s, work, calm, fights, 0, w)
    if goal < 0:
        busy, quiet = list_busy(table, s, work), best_quiet(table, s, steps, work, calm, w)
        _, goal = worth_of_turn(box, table, s, steps, work, calm, fights, busy, quiet, table.summoned > 0, 0, w)
    if goal == table.at[s] or (work[CROWD, table.spot[table.at[s]]] > 0 and goal != table.boss_at):
        return -1
    return work[FIRST, goal]


@rule
def choose_way(box, table, options, n, w):
    """The first step towards the best place, if it is worth leaving."""
    way = way_with(box, table, table.active, table.moves, w)
    for i in range(n):
        if verb_of(options[i]) == Verb.STEP and first_of(options[i]) == way:
            return i
    return 0


@rule
def act_score(box, table, s, verb, a, b, w):
    """What an action on the spot is worth; 0 leaves it."""
    if verb == Verb.UNLOCK:
        at = table.hero[s] + (Plan.UNLOCK_1_XYLIA if table.powers[s] == 0 else Plan.UNLOCK_2_XYLIA)
        return 2.5 if table.orbs[s] - unlock_cost(box, table, s) >= w[at] else 0.0
    if verb == Verb.ORB_FOR_A_HEART:
        needed = table.hp[a] <= w[Plan.HEAL_AT] and table.orbs[s] > w[Plan.HEAL_KEEP]
        return 1.5 + 0.1 * (box.max_hearts - table.hp[a]) if needed else 0.0
    if verb == Verb.BUY:
        least = w[Plan.BUY] if cards_of(table, s) < room(box, table, s) else least_kept(box, table, s)
        value = card_value(box, box.loot_kind[table.stock[a, b] - 1])
        return 2.0 + 0.01 * value if value >= least else 0.0
    if verb == Verb.BOOTS:
        return 1.0 if table.moves == 0 and way_with(box, table, s, 1, w) >= 0 else 0.0
    return spot_score(box, table, s, verb, a, b, w)


# --- combats and tiles ---------------------------------------------------------------------------


@rule
def holds_back(box, table, w):
    """Cards and brew are for the boss, where its guard can be beaten without them."""
    s, p = table.active, table.at[table.active]
    if table.foe == BOSS_FOE or not boss_stands(table, p):
        return False
    power_faces = -1
    if table.summoned and (immune_to(box, table, table.foe) >> table.hero[s]) & 1 == 0:
        power_faces = hits_on(shield_of(box, table, table.foe), plus_of(box, table, table.foe, table.hero[s]))
    dice = dice_of(box, table, s) + helping(box, table, s, p)
    need = hearts_of(box, table, table.foe) + leaves_of(table, table.foe)
    faces = hits_on(shield_of(box, table, table.foe), table.precision)
    return with_power(box, table, s, faces, dice, min(2, table.orbs[s]), need, power_faces) >= w[Plan.HOLD]


@rule
def orb_pays(box, table, s, die, w):
    """An orb for a die that missed: where the dice that missed can still do it, at a price worth the stake."""
    foe = table.foe
    shield = shield_of(box, table, foe)
    need = hearts_of(box, table, foe) + leaves_of(table, foe) - raw_hits(box, table)
    faces = hits_on(shield, table.book + table.precision)
    if need <= 0 or faces == 0 or table.face[die] + table.plus[die] >= shield:
        return False
    misses = 0
    for j in range(table.dice_n):
        misses += table.owner[j] == s and table.colour[j] == NO_COLOUR and table.face[j] + table.plus[j] < shield
    orbs = min(table.orbs[s], MOST)
    if misses < need or orbs < need:
        return False
    won = box.chance[faces, orbs, need]
    if foe == BOSS_FOE:
        return won >= w[Plan.BOSS_HOPE]
    kind = table.mon_type[foe]
    gain = stake(table, s, box.mon_reward[kind], w) - stake(table, s, box.mon_penalty[kind], w)
    gain += blow(table, s, sword_of(box, table, foe), w)
    return won * gain > orb_worth(table, s, w) * min(orbs, need * 6.0 / faces)


@rule
def away_from_heroes(table, cell):
    """How far a cell lies from the heroes, in the mean."""
    total, heroes = 0, 0
    for s in range(table.seats):
        if standing(table, s):
            at = table.cell[table.at[s]]
            total += abs(cell % SIDE - at % SIDE) + abs(cell // SIDE - at // SIDE)
            heroes += 1
    return total / max(heroes, 1)


@rule
def pull_of(box, tile, w):
    """How near to the heroes a tile should lie."""
    special = box.special[tile]
    pull = w[Plan.NEAR_CHEST] * box.chest[tile]
    pull -= w[Plan.NEAR_MONSTER] * (box.side_monsters[tile, 0] + box.side_monsters[tile, 1])
    pull -= w[Plan.NEAR_BRAMBLE] * (box.side_brambles[tile, 0] + box.side_brambles[tile, 1])
    if special == Special.CAMPFIRE:
        pull += w[Plan.NEAR_FIRE]
    elif special == Special.BOSS:
        pull += w[Plan.NEAR_BOSS]
    elif special == Special.WELL or special == Special.MERCHANT:
        pull += w[Plan.NEAR_OTHER]
    return pull


@rule
def lay_score(box, table, cell, rotation, w):
    """Tiles near the heroes that they want to go to, others further off; in a chapter a compact forest, as its task
    sends the heroes to and fro."""
    if table.chapter:
        return place_score(box, table, cell, rotation, TO_AND_FRO)
    joined = 0
    for d in range(4):
        joined += table.grid[cell + BESIDE[d]] > 0
    away = abs(cell % SIDE - CENTRE % SIDE) + abs(cell // SIDE - CENTRE // SIDE)
    return w[Plan.JOINED] * joined - w[Plan.HOME] * away - pull_of(box, table.tile, w) * away_from_heroes(table, cell)
