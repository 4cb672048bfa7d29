"""Strategies for Explorers of the Woodlands.

`steady` weighs every place by what it can bring and cost, keeps some orbs, and goes to the boss when the
party is ready. `fighter`, `camper` and `rusher` are the same rules with weights of their own; `beginner`
fights whatever is near, runs to the boss and errs.
"""

import numpy as np

from hardmode.sim.draws import below, fraction
from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of
from hardmode.sim.games.woodlands.names import PLACES, Hero, Kind, Verb
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import no_clock
from hardmode.strategies.woodlands.dice_by_rule import (
    choose_charm,
    choose_keep,
    choose_slot,
    wanted_steps,
)
from hardmode.strategies.woodlands.goals import best_goal
from hardmode.strategies.woodlands.option_values import (
    place_score,
    pool_score,
    prepare_score,
    rare_score,
    reroll_score,
    spot_score,
)
from hardmode.strategies.woodlands.planner import planner
from hardmode.strategies.woodlands.weights import RANGES, WEIGHTS, Weight

__all__ = ["RANGES", "STRATEGIES", "WEIGHTS", "beginner", "camper", "casual", "fighter", "rusher", "steady"]


def steady(box, table, own, options, n, luck, weights):
    """Goals by value and distance, fights by their chance, the boss when ready."""
    return decide(box, table, options, n, weights)


def fighter(box, table, own, options, n, luck, weights):
    """After every monster, and to the boss as soon as there is any chance."""
    return decide(box, table, options, n, weights)


def camper(box, table, own, options, n, luck, weights):
    """Saves orbs near the fire and gathers at the boss when the stack runs out."""
    return decide(box, table, options, n, weights)


def rusher(box, table, own, options, n, luck, weights):
    """Into the unknown with every die, and to the boss early."""
    return decide(box, table, options, n, weights)


def beginner(box, table, own, options, n, luck, weights):
    """Fights whatever is near and runs to the boss, and often does something else on the way."""
    if fraction(luck, 0, 0, 0, 0) < weights[Weight.SLIP]:
        return below(luck, 1, 0, 0, 0, n)
    return decide(box, table, options, n, weights)


def casual(box, table, own, options, n, luck, weights):
    """Plays like a steady player, but now and then does anything at all."""
    if fraction(luck, 0, 0, 0, 0) < weights[Weight.SLIP]:
        return below(luck, 1, 0, 0, 0, n)
    return decide(box, table, options, n, weights)


@rule
def decide(box, table, options, n, weights):
    kind = table.kind
    if kind == Kind.ACT:
        return choose_act(box, table, options, n, weights)
    if kind == Kind.KEEP:
        return choose_keep(box, table, options, n, weights)
    if kind == Kind.ASSIGN:
        return choose_slot(box, table, options, n, weights)
    if kind == Kind.CHARM:
        return choose_charm(box, table, options, n, weights)
    best, top = 0, -1e9
    for i in range(n):
        verb, a, b = verb_of(options[i]), first_of(options[i]), second_of(options[i])
        if kind == Kind.CHANGE_ROLL:
            score = reroll_score(box, table, verb, a, b, weights)
        elif kind == Kind.PLACE:
            score = place_score(box, table, a, b, weights[Weight.HOME])
        elif kind == Kind.FIGHT_OR_FLEE:
            score = prepare_score(box, table, verb, a)
        elif kind == Kind.PREPARE_COMBAT:
            score = pool_score(box, table, verb, a)
        else:
            score = rare_score(box, table, kind, verb, a, b, weights)
        if score > top:
            best, top = i, score
    return best


# --- the turn ------------------------------------------------------------------------------------


@rule
def choose_act(box, table, options, n, weights):
    """What can be had here first, then the way to the best goal."""
    s = table.active
    best, top, stop = -1, 0.0, 0
    steps = False
    for i in range(n):
        verb = verb_of(options[i])
        if verb == Verb.STOP:
            stop = i
        score = act_score(box, table, s, verb, first_of(options[i]), second_of(options[i]), weights)
        steps = steps or verb == Verb.STEP or verb == Verb.RISKY_STEP
        if score > top:
            best, top = i, score
    if best >= 0:
        return best
    return choose_way(box, table, options, n, stop, weights) if steps else stop


@rule
def choose_way(box, table, options, n, stop, weights):
    """The first step towards the best goal, if it is worth leaving; else the option that stops."""
    s = table.active
    work = np.empty((4, PLACES), np.int64)
    goal = best_goal(box, table, s, work, weights)
    crowded = work[3, table.spot[table.at[s]]] > 0
    if crowded and table.hp[s] <= 3:
        return stop
    for i in range(n):
        verb, d = verb_of(options[i]), first_of(options[i])
        if verb == Verb.STEP and goal >= 0 and d == work[1, goal]:
            if not crowded or goal == table.boss_at:
                return i
        if verb == Verb.RISKY_STEP and weights[Weight.RISK] > 0.0 and goal < 0 and table.hp[s] > 2 and not crowded:
            return i
    return stop


@rule
def act_score(box, table, s, verb, a, b, weights):
    """What an action on the spot is worth; 0 leaves it."""
    if verb == Verb.UNLOCK:
        return 2.5 if worth_unlocking(box, table, s, weights) else 0.0
    if verb == Verb.BOOTS:
        return 1.0 if table.moves == 0 and wanted_steps(box, table, s, weights) & 15 else 0.0
    return spot_score(box, table, s, verb, a, b, weights)


@rule
def worth_unlocking(box, table, s, weights):
    if weights[Weight.UNLOCK] >= 2.0:
        return True
    if weights[Weight.UNLOCK] <= 0.0:
        return False
    hero = table.hero[s]
    if hero == Hero.KLETHOR or (no_clock(table) and table.powers[s] == 0 and hero != Hero.SHAVI and table.orbs[s] >= 8):
        return True
    return hero == Hero.BETHRAS and (table.powers[s] == 1 or table.orbs[s] >= box.power1_cost + box.power2_cost)


# What tells how near the heroes are to winning, for value functions; `chapter` and `seats` tell apart the games for
# which one was learned.
VALUE_FIELDS = tuple(f"table.{name}" for name in (
    "hero", "hp", "orbs", "at", "poison", "entangled", "powers", "well_taken", "stance", "falls", "loot", "seats",
    "seat", "chapter", "places", "stack_n", "boss_at", "boss_shown", "boss_alive", "threat", "boss_track", "boss",
    "boss_leaf", "reveal_how", "fires", "mon_n", "loot_n", "event_n", "first_downed", "brambles", "tokens_taken"))
STRATEGIES = {
    "beginner": beginner, "casual": casual, "steady": steady, "balanced": steady, "fighter": fighter,
    "greedy_fighter": fighter, "camper": camper, "rusher": rusher, "planner": planner,
    "former_expert": ("search", "trained", 36, "steady"),
}
