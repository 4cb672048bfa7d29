"""Strategies for Vengeance: Roll & Fight.

`steady` decides by short rules with weights: which group is worth most beside what lies ready, which room
draws the pawn, whom to strike. `boss_rush`, `clear_and_loot`, `engine_builder` and `pool_hog` are the same
rules with weights of their own.
"""

from __future__ import annotations

from sim.games.vengeance import judge
from sim.games.vengeance.combat import current_action
from sim.games.vengeance.components import (
    BASIC,
    BONUS,
    BOSS,
    BOSS_ROOM,
    CHOOSE_SIDE,
    COLLECT,
    DEN,
    EVADE,
    FLASH,
    FLASHBACK,
    FOCUS,
    FRESH,
    GOAL_POINTS,
    HAND,
    HIT,
    ICONS_IN,
    KILL,
    KO,
    LEAP,
    LOCKED,
    LOOT,
    LOOTING,
    MOVE,
    ROLLING,
    ROOM,
    ROOMS,
    SHOT,
    SKILLS,
    TARGETING,
    TILING,
    V_ASSIGN,
    V_BUY,
    V_CLEAN,
    V_COLLECT,
    V_DRAW,
    V_END,
    V_FOCUS,
    V_GO,
    V_ITEM,
    V_LIFE,
    V_SHARP,
    V_SKILL,
    V_SLOT,
    V_THROW,
    V_TRAIN,
    V_UNLOCK,
    WOUNDS,
    XP,
    faces_in,
    first_of,
    focus_marks,
    row_of,
    second_of,
    verb_of,
)
from sim.games.vengeance.flow import MAIN_TILES
from sim.games.vengeance.judge import (
    P_WIDTH,
    W_BUY_SKILL,
    W_CARE_CLEAN,
    W_CARE_SLOT,
    W_COLLECT,
    W_DIE,
    W_FOCUS,
    W_HALF_FOCUS,
    W_ITEM,
    W_SLACK,
    W_TRAIN,
    W_TRAIN_FADE,
    best_room,
    blows_ready,
    distance,
    pinned,
    prey,
    slack,
    steps_ready,
    stock,
    worth_of,
)
from sim.games.vengeance.plan import best_line
from sim.games.vengeance.rolling import takes_group
from sim.games.vengeance.scoring import track
from sim.records import rule

# --- flashback and loot --------------------------------------------------------------------------


@rule
def dice_price(box, row, w):
    """How dear a group is: rarer faces cost more."""
    price = 0.0
    group = box.filling[row, 0]
    for face in range(4):
        price += (group >> (4 * face) & 15) * (0.5 + 0.1 / box.chance[face]) if box.chance[face] > 0.0 else 9.0
    return price


@rule
def skill_value(box, board, row, w):
    """What it is worth to own a skill: its actions, less its dice."""
    if box.size[row] == 0:
        return 0.5
    contents = box.contents[row]
    if contents == 0:
        return 0.2
    return worth_of(contents, 0, board, w) - 0.5 * dice_price(box, row, w)


@rule
def focus_sources(box, board):
    return board[FLASH + FOCUS] + board[FLASH + COLLECT] + board[BONUS]


@rule
def focus_value(box, board, skill, total, w):
    row = row_of(board, skill)
    value = w[W_FOCUS] * worth_of(box.contents[row], total, board, w)
    missing = box.slots[row] - focus_marks(board, skill)
    if missing <= 1:
        return value
    return value * w[W_HALF_FOCUS] if focus_sources(box, board) >= missing else 0.0


@rule
def action_value(box, table, board, option, total, w):
    """The worth of one flashback action."""
    verb, what = verb_of(option), second_of(option)
    left = box.rounds - table.round
    if verb == V_COLLECT:
        now = track(box, box.loot_track, box.loot_n, board[LOOT])
        return w[W_COLLECT] + track(box, box.loot_track, box.loot_n, board[LOOT] + 1) - now
    if verb == V_TRAIN:
        now = track(box, box.training_track, box.training_n, board[XP])
        then = track(box, box.training_track, box.training_n, min(box.training_n, board[XP] + box.train))
        return then - now + w[W_TRAIN] * left / box.rounds + w[W_TRAIN_FADE]
    if verb == V_BUY:
        return w[W_ITEM] * worth_of(box.contents[row_of(board, SKILLS + what)], total, board, w)
    if verb == V_FOCUS:
        return focus_value(box, board, what, total, w)
    if verb == V_SLOT:
        return w[W_CARE_SLOT] * (1.0 if slack(board) <= 3 else 0.5)
    if verb == V_CLEAN:
        return w[W_CARE_CLEAN] * min(2, board[WOUNDS]) * (1.0 if left or board[KO] else 0.3)
    return 0.0


@rule
def best_action(box, table, options, n, w):
    """A skill tile that is worth having, else the best action."""
    board = table.board[table.seat]
    total = stock(box, board)
    best, most = 0, -1e9
    for i in range(n):
        if verb_of(options[i]) == V_SKILL:
            value = -1e8
            if second_of(options[i]) == 0:
                gain = skill_value(box, board, row_of(board, BASIC + first_of(options[i])), w)
                if gain > w[W_BUY_SKILL]:
                    value = 100.0 + gain
        else:
            value = action_value(box, table, board, options[i], total, w)
        if value > most:
            best, most = i, value
    return best


# --- rolling -------------------------------------------------------------------------------------


@rule
def common(hand, group):
    """The dice of a group that the hand holds already."""
    found = 0
    for shift in (0, 4, 8, 12):
        found |= min(hand >> shift & 15, group >> shift & 15) << shift
    return found


@rule
def likely(box, missing, dice):
    """About how likely one throw of so many dice shows all that is missing."""
    p = 1.0
    for face in range(4):
        q = box.chance[face]
        if face == 2:
            q += box.chance[3]
        for _ in range(missing >> (4 * face) & 15):
            fail = 1.0
            for _ in range(dice):
                fail *= 1.0 - q
            p *= 1.0 - fail
            dice -= 1
    return p


@rule
def aim(box, board, total, w):
    """The dice to keep for the group with the best prospect, or -1 when none can be made."""
    hand = board[HAND] & 0xFFFF
    dice = faces_in(hand) + board[FRESH]
    keep, most = -1, 0.0
    for skill in range(SKILLS):
        row = row_of(board, skill)
        if not takes_group(box, board, skill, row) or box.size[row] > dice:
            continue
        value = worth_of(box.contents[row], total, board, w) + 0.5
        for i in range(box.fillings[row]):
            group = box.filling[row, i]
            held = common(hand, group)
            missing = group - held
            thrown = dice - faces_in(held)
            if missing == 0 or faces_in(missing) > thrown:
                continue
            prospect = value * likely(box, missing, thrown)
            if prospect > most:
                keep, most = held, prospect
    return keep


@rule
def throw_index(options, n, hand, keep):
    """Where the throw that keeps these dice stands in the list."""
    i = 0
    while verb_of(options[i]) != V_THROW:
        i += 1
    g, k = hand >> 4 & 15, hand >> 8 & 15
    at = (keep >> 12 & 15) * (k + 1) + (keep >> 8 & 15)
    return i + (at * (g + 1) + (keep >> 4 & 15)) * ((hand & 15) + 1) + (keep & 15)


@rule
def best_group(box, board, options, total, w):
    """The most valuable group that is complete; -1 when there is none worth its dice."""
    best, most, i = -1, 0.0, 0
    while verb_of(options[i]) == V_ASSIGN:
        row = row_of(board, first_of(options[i]))
        group = box.filling[row, second_of(options[i])]
        doubles = group >> 12 & 15
        contents = box.sharp_contents[row] if doubles else box.contents[row]
        value = worth_of(contents, total, board, w) - w[W_DIE] * box.size[row] - 0.05 * doubles + 0.5
        if value > most:
            best, most = i, value
        i += 1
    return best


@rule
def risk_a_wound(box, table, board, w):
    """Whether a W may go to the life bar: enough slots stay free, or a KO no longer matters."""
    if table.round == box.rounds and board[KO] + 1 < box.ko_slots:
        return True
    return slack(board) > w[W_SLACK] and board[LOCKED] > 0


@rule
def next_step(box, table, options, n, w):
    board = table.board[table.seat]
    total = stock(box, board)
    if verb_of(options[0]) == V_ASSIGN:
        group = best_group(box, board, options, total, w)
        if group >= 0:
            return group
    throw = False
    i = 0
    while i < n:
        verb = verb_of(options[i])
        if verb == V_UNLOCK:
            return i
        if verb == V_LIFE and board[LOCKED] >= 1 and risk_a_wound(box, table, board, w):
            return i
        if verb == V_DRAW:
            return i
        if verb == V_THROW:
            throw = True
            break
        i += 1
    if throw:
        keep = aim(box, board, total, w)
        if keep >= 0:
            return throw_index(options, n, board[HAND], keep)
    return n - 1


# --- combat --------------------------------------------------------------------------------------


@rule
def heading(box, table, den, board, w):
    """The room that the pawn makes for."""
    if pinned(den, board):
        return board[ROOM]
    total = stock(box, board)
    last = table.round == box.rounds
    return best_room(box, den, board, steps_ready(total), blows_ready(total), last, w)


@rule
def tile_value(box, den, board, option, goal, w):
    """How well it suits to use this tile now."""
    verb = verb_of(option)
    if verb == V_END:
        return 0.0
    row = row_of(board, first_of(option))
    action = box.effect[row, 0]
    length = box.sharp_length[row] if verb == V_SHARP else box.length[row]
    far = distance(den, board[ROOM], goal)
    if action == MOVE or action == LEAP:
        if far == 0:
            return -1.0
        if action == LEAP:
            return 5.5 if far >= 2 else 4.0
        return 5.0 + (0.3 if (far == 1) == (length > 1) else 0.0)
    if action == HIT or action == KILL:
        return (4.0 if far == 0 else 1.0) + 0.1 * length - (0.5 if verb == V_ITEM else 0.0)
    if action == SHOT:
        return 3.0
    if action == EVADE:
        return 1.5
    return 2.0


@rule
def best_tile(box, table, options, n, w):
    board = table.board[table.seat]
    den = box.den[board[DEN]]
    goal = heading(box, table, den, board, w)
    best, most = n - 1, -0.5
    for i in range(n):
        value = tile_value(box, den, board, options[i], goal, w)
        if value > most:
            best, most = i, value
    return best


@rule
def best_target(box, table, options, n, w):
    board = table.board[table.seat]
    den = box.den[board[DEN]]
    action = current_action(box, board)
    best, most = 0, -1e9
    goal = heading(box, table, den, board, w) if action == MOVE or action == LEAP else 0
    for i in range(n):
        what = first_of(options[i])
        if verb_of(options[i]) == V_GO:
            value = -float(distance(den, what, goal))
        elif what == BOSS:
            value = 50.0
        else:
            value = prey(box, den, board, what, action)
        if value > most:
            best, most = i, value
    return best


# --- set-up --------------------------------------------------------------------------------------


@rule
def side_value(box, table, side):
    """Loot and objectives of a side, and how near its Boss is."""
    den = box.den[table.board_of[table.seat] * 2 + side]
    value = -1.0 * distance(den, 0, den[BOSS_ROOM])
    for room in range(den[ROOMS]):
        value += 0.5 * den[ICONS_IN + room] + 0.4 * den[GOAL_POINTS + room]
    return value


@rule
def set_up(box, table, options, n):
    """The better side; of two bosses the one of more health; the first hero."""
    best, most = 0, -1e9
    for i in range(n):
        what = first_of(options[i])
        value = side_value(box, table, what) if table.kind == CHOOSE_SIDE else 0.0
        if table.kind < CHOOSE_SIDE and verb_of(options[i]) == 1:
            value = float(box.health[what])
        if value > most:
            best, most = i, value
    return best


# --- the strategies ------------------------------------------------------------------------------


@rule
def decide(box, table, options, n, w):
    kind = table.kind
    if kind == ROLLING:
        return next_step(box, table, options, n, w)
    if kind == TILING:
        return best_tile(box, table, options, n, w)
    if kind == TARGETING:
        return best_target(box, table, options, n, w)
    if kind == FLASHBACK or kind == LOOTING:
        return best_action(box, table, options, n, w)
    if kind <= CHOOSE_SIDE:
        return set_up(box, table, options, n)
    return 0  # unlock


def steady(box, table, own, options, n, luck, weights):
    """Short rules with weights that serve any hero, Boss and den."""
    return decide(box, table, options, n, weights)


def expert(box, table, own, options, n, luck, weights):
    """`steady` in the other phases; combat is planned with a beam of boards."""
    if (table.kind == TILING or table.kind == TARGETING) and table.stage == MAIN_TILES:
        return best_line(box, table, options, n, int(weights[P_WIDTH]), weights)
    return decide(box, table, options, n, weights)


BASE = dict(zip(judge.NAMES, (
    3.64, 1.57, 1.01, 1.11, 0.0, 1.0, 1.01, 0.80, -0.44, 0.41, 0.53,
    0.41, 1.07, 0.1, 2.45, 1.65, 2.68, 2.28, 21.20, 1.25, 0.35, 5.69,
    0.47, 5.74, 0.47, 0.3, 0.3, 0.26, 0.28, 0.4, -0.10,
    0.33, 5.31, 0.40), strict=True))
PLAN = dict(zip(judge.PLAN_NAMES, (1.35, 0.25, 0.35, 0.1, 0.12, 0.05, 0.25, 0.1, 6.0), strict=True))
START = dict(zip(judge.NAMES, (
    1.0, 1.0, 0.9, -0.6, 0.5, 1.6, 0.4, 1.2, 0.1, 0.4, 0.6,
    0.6, 0.3, 0.25, 1.5, 0.4, 0.9, 1.3, 5.0, 2.0, 0.8, 2.0,
    0.3, 1.5, 0.2, 0.7, 0.7, 0.5, 0.4, 0.4, 0.0,
    0.5, 4.0, 0.4), strict=True))

WEIGHTS = {"steady": BASE, "expert": {**START, **PLAN}}
STRATEGIES = {"steady": steady, "expert": expert}
