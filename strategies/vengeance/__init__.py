"""Strategies for Vengeance: Roll & Fight.

`steady` decides by short rules with weights: which group is worth most beside what lies ready, which room
draws the pawn, whom to strike. `boss_rush`, `clear_and_loot`, `engine_builder` and `pool_hog` are the same
rules with weights of their own.
"""

from __future__ import annotations

from hardmode.sim.draws import below, fraction
from hardmode.sim.games.vengeance.names import Kind, Stage, Verb
from hardmode.sim.games.vengeance.packing import verb_of
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.beam import best_line
from hardmode.strategies.vengeance.beginner import (
    first_action,
    first_step,
    first_target,
    first_tile,
    hasty_step,
)
from hardmode.strategies.vengeance.combat import best_target, best_tile, set_up
from hardmode.strategies.vengeance.evaluation import NAMES, PLAN_NAMES, plan_of, style_of
from hardmode.strategies.vengeance.flashback import best_action
from hardmode.strategies.vengeance.rolling import next_step


@rule
def decide(box, table, options, n, w):
    kind = table.kind
    choice = 0  # an unlock is always used
    if kind == Kind.ROLL:
        choice = next_step(box, table, options, n, w)
    elif kind == Kind.TILE:
        choice = best_tile(box, table, options, n, w)
    elif kind == Kind.TARGET:
        choice = best_target(box, table, options, n, w)
    elif kind == Kind.FLASHBACK or kind == Kind.LOOT:
        choice = best_action(box, table, options, n, w)
    elif kind <= Kind.SIDE:
        choice = set_up(box, table, options, n)
    return choice


@rule
def plans(table):
    """A combat decision that a beam can look into."""
    return (table.kind == Kind.TILE or table.kind == Kind.TARGET) and table.stage == Stage.MAIN


def steady(box, table, own, options, n, luck, weights):
    """Short rules with weights that serve any hero, Boss and den."""
    return decide(box, table, options, n, style_of(weights))


def boss_rush(box, table, own, options, n, luck, weights):
    """The Boss above all; the rest on the way."""
    return decide(box, table, options, n, style_of(weights))


def clear_and_loot(box, table, own, options, n, luck, weights):
    """Rooms with loot and objectives first."""
    return decide(box, table, options, n, style_of(weights))


def engine_builder(box, table, own, options, n, luck, weights):
    """Trains for skills for two rounds, and collects late."""
    if table.kind == Kind.FLASHBACK and table.round <= 2:
        for i in range(n):
            if verb_of(options[i]) == Verb.TRAIN:
                return i
    return decide(box, table, options, n, style_of(weights))


def planner(box, table, own, options, n, luck, weights):
    """Weights of its own in flashback and rolling; combat is planned with a beam of boards."""
    if plans(table):
        return best_line(box, table, options, n, style_of(weights), plan_of(weights))
    return decide(box, table, options, n, style_of(weights))


def pool_hog(box, table, own, options, n, luck, weights):
    """Drains the pool with the fastest groups and a free use of the life bar; plans its combats."""
    if table.kind == Kind.ROLL:
        return hasty_step(box, table, options, n)
    if plans(table):
        return best_line(box, table, options, n, style_of(weights), plan_of(weights))
    return decide(box, table, options, n, style_of(weights))


def casual(box, table, own, options, n, luck, weights):
    """Rolls like a beginner, who takes what is complete; fights and prepares like a steady player."""
    if table.kind == Kind.ROLL:
        return first_step(box, table, options, n)
    return decide(box, table, options, n, style_of(weights))


def first_fit(box, table, own, options, n, luck, weights):
    """A beginner: takes what fits first, strikes who stands near, heals when hurt and does not walk into a KO."""
    kind = table.kind
    if kind == Kind.ROLL:
        return first_step(box, table, options, n)
    if kind == Kind.TILE:
        return first_tile(box, table, options, n)
    if kind == Kind.TARGET:
        return first_target(box, table, options, n)
    if kind == Kind.FLASHBACK or kind == Kind.LOOT:
        return first_action(box, table, options, n)
    return 0


def random_legal(box, table, own, options, n, luck, weights):
    """Any legal option; a roll phase is stopped with the chance of its weight at each step."""
    if table.kind == Kind.ROLL and verb_of(options[n - 1]) == Verb.STOP:
        if fraction(luck, 0, 0, 0, 0) < weights[0]:
            return n - 1
        return below(luck, 0, 1, 0, 0, n - 1)
    return below(luck, 0, 1, 0, 0, n)


STEADY = dict(zip(NAMES, (
    0.42, 3.7, 1.28, -0.49, -1.17, 0.57, 0.11, 1.18, 0.29, 0.34, -0.63, 0.83, -1.27, -0.08, 10.26, -1.69,
    4.26, 4.45, 44.12, 0.08, 3.64, 24.0, 5.13, 1.83, 1.38, -0.19, 0.31, -0.35, 1.07, 0.18, -0.01, 0.21,
    12.74, 0.12, 0.68, 1.28), strict=True))
PLANNER = dict(zip((*NAMES, *PLAN_NAMES), (
    0.27, 4.43, 2.09, -0.07, -0.36, 2.23, -0.58, 4.36, 0.25, 1.53, -1.54, 1.2, 0.06, 0.51, -0.22, 0.13, 3.64, -0.24,
    0.09, 1.04, 3.79, 9.05, 0.54, 6.44, 0.77, -0.2, 0.01, 0.04, 0.79, 0.3, 0.15, 0.09, 2.72, -0.19, 0.05, 0.1,
    1.15, 0.68, 1.96, 0.13, 0.26, 0.17, 6.0,
    1.0, 0.0, 0.5, 0.5, 0.1, 0.0, 0.0, 0.0, 40.0), strict=True))
HOPEFUL = dict(zip((*NAMES, *PLAN_NAMES), (
    0.361, 5.02, 2.21, -0.339, -0.0215, 1.88, -0.738, 5.72, 0.0842, 1.5, -0.989, 1.1, 0.06, 0.51, -0.22, 0.13, 3.64,
    -0.24, 0.09, 1.04, 2.59, 9.37, 0.742, 7.4, 1.07, -0.253, 0.101, 0.867, 1.3, 0.346, 0.0185, 0.378, 4.49, -0.19,
    0.05, 0.1, 1.44, 0.75, 0.452, 0.413, 0.111, 0.709, 6.5, 0.0772, 0.775, 0.125, 0.406, 0.107, -0.0127, 0.241, 1.4,
    5.0), strict=True))
RUSH = {**STEADY, "boss": 3.0, "far_boss": 2.0, "icon": 0.3, "icon_far": 0.1, "goal": 0.5, "collect": 0.2}
LOOT_FIRST = {**STEADY, "boss": 0.6, "boss_kill": 2.0, "far_boss": 0.0, "icon": 4.0, "icon_far": 2.5, "goal": 4.0}

WEIGHTS = {
    "steady": STEADY, "casual": STEADY, "boss_rush": RUSH, "clear_and_loot": LOOT_FIRST, "engine_builder": STEADY,
    "planner": PLANNER, "hopeful": HOPEFUL, "pool_hog": PLANNER, "random_legal": {"stop": 0.05},
}
_SHARES = {name: {"low": 0, "high": 1.5, "scale": 0.4} for name in (
    "plan_fear", "plan_hope", "plan_part", "half_focus")}
# A beam keeps at least one board, and memory for the first boards is all that it has: it may not widen.
_BEAM_LIMITS = {"plan_width": (1, 1000), "plan_narrowing": (0, 1000), "plan_depth": (0, 1000)}
LIMITS = {"planner": _BEAM_LIMITS, "hopeful": _BEAM_LIMITS, "pool_hog": _BEAM_LIMITS}
# Beams wider than these play too slowly.
_PLANNER_BEAM = {
    "plan_width": {"low": 1, "high": 6, "scale": 2, "whole": True},
    "plan_narrowing": {"low": 0, "high": 6, "scale": 1},
    "plan_depth": {"low": 1, "high": 40, "scale": 4},
}
_HOPEFUL_BEAM = {
    "plan_width": {"low": 1, "high": 8, "scale": 2},
    "plan_narrowing": {"low": 0, "high": 6, "scale": 1},
    "plan_depth": {"low": 1, "high": 8, "scale": 2},
}
RANGES = {
    "planner": _PLANNER_BEAM,
    "pool_hog": _PLANNER_BEAM,
    "hopeful": {  # what is worth next to nothing at the start must be free to move all the same
        **_HOPEFUL_BEAM, **_SHARES, **{name: {"scale": 0.5} for name in (
            "move", "heal", "wound", "shot", "leap", "evade", "item", "focus", "buy_skill", "care_clean", "wound_cost",
            "spare_move", "spare_hit", "ratio", "plan_icon", "plan_wound", "plan_goal", "plan_visited", "plan_grunt",
            "plan_crossed", "train_fade", "collect")},
        **{name: {"scale": 0.2} for name in ("die", "plan_road", "plan_steps", "plan_blows")},
        **{name: {"scale": 2.0} for name in ("slack", "slack_stuck", "train", "care_slot", "ko_cost")}},
}
# Playouts, who plays on in them (`trained` would play a fifth of them in the time), and the score that an option needs
# to be taken: less than usual, since `trained` is far from the top.
EXPERT = 500, "steady", 0.6
STRATEGIES = {
    "random_legal": random_legal, "beginner": first_fit, "first_fit": first_fit, "casual": casual, "steady": steady,
    "boss_rush": boss_rush, "clear_and_loot": clear_and_loot, "engine_builder": engine_builder,
    "planner": planner, "hopeful": planner, "pool_hog": pool_hog,
    "former_expert": ("search", "trained", 230, "steady"),
}
