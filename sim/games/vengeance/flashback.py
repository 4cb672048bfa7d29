"""The flashback phase: the five actions, focus, and the buying of skill tiles."""

from __future__ import annotations

from hardmode.sim.games.vengeance.components import (
    ACTIONS,
    BASIC,
    BONUS,
    BONUS_DIE,
    BOUGHT,
    BUY,
    CARE,
    COLLECT,
    FLASH,
    FOCUS,
    FOCUSED,
    HEAL_ONE,
    ICON,
    ITEMS,
    LIFE,
    LOOT,
    NO_BONUS_FOCUS,
    OWN_SKILLS,
    OWNED,
    POWER,
    ROOMS,
    SKILLS,
    SPENT,
    SPENT_USES,
    STORED,
    TRAIN,
    TRAIN_LESS,
    TRAINED,
    V_BUY,
    V_CLEAN,
    V_COLLECT,
    V_DONE,
    V_FOCUS,
    V_NOTHING,
    V_SKILL,
    V_SLOT,
    V_TRAIN,
    WOUNDS,
    XP,
    first_of,
    focus_marks,
    lowest,
    pack,
    row_of,
    second_of,
    size_of,
    skills_of,
    verb_of,
)
from hardmode.sim.games.vengeance.den import lootable, take_icons
from hardmode.sim.games.vengeance.wounds import heal
from hardmode.sim.records import rule

EVERY = (1 << len(ACTIONS)) - 1  # the five flashback actions as a mask


@rule
def training_of(box, board, source):
    """How many experience slots TRAIN marks."""
    return 1 if source != ICON and board[POWER] & TRAIN_LESS and not board[TRAINED] else box.train


@rule
def can_train(box, board, source):
    left = box.training_n - board[XP]
    return left >= training_of(box, board, source) or (left > 0 and box.train_partial == 1)


@rule
def can_store(box, board, item):
    used = board[STORED + item] + board[SPENT_USES + item]
    return used < box.capacity[row_of(board, SKILLS + item)]


@rule
def can_focus(box, board, skill):
    return focus_marks(board, skill) < box.slots[row_of(board, skill)]


@rule
def can_collect(box, den, board):
    """A loot box can be crossed, or under `collect_mode = rooms` a room can be looted."""
    rooms = 1 if box.collect_mode == 0 else 0
    if box.collect_mode:
        for room in range(box.den[den, ROOMS]):
            if lootable(box, den, board, room):
                rooms += 1
    return board[LOOT] < box.loot_n and rooms > 0


@rule
def list_actions(box, den, board, source, actions, out, n):
    """Add all ways to do each of some actions (a mask), COLLECT before the others."""
    if actions >> COLLECT & 1 and (source != ICON or box.collect_mode == 0) and can_collect(box, den, board):
        out[n] = pack(V_COLLECT, source, 0)
        n += 1
    if actions >> TRAIN & 1 and can_train(box, board, source):
        out[n] = pack(V_TRAIN, source, 0)
        n += 1
    if actions >> BUY & 1:
        for item in range(ITEMS):
            if can_store(box, board, item):
                out[n] = pack(V_BUY, source, item)
                n += 1
    if actions >> CARE & 1:
        if board[LIFE] < box.life_base + box.life_extra:
            out[n] = pack(V_SLOT, source, 0)
            n += 1
        if board[WOUNDS] > 0:
            out[n] = pack(V_CLEAN, source, 0)
            n += 1
    skills = skills_of(board) if actions >> FOCUS & 1 else 0
    while skills:
        skill = lowest(skills)
        skills &= skills - 1
        if can_focus(box, board, skill):
            out[n] = pack(V_FOCUS, source, skill)
            n += 1
    return n


@rule
def list_source(box, den, board, source, out, n):
    """Add all legal uses of a die that shows an action, or of the bonus action."""
    start = n
    actions = 1 << source if source < COLLECT else EVERY
    if source == BONUS_DIE:
        actions &= ~(1 << COLLECT | 1 << FOCUS) if board[POWER] & NO_BONUS_FOCUS else ~(1 << COLLECT)
    n = list_actions(box, den, board, source, actions, out, n)
    if n == start and source < COLLECT:  # what the die shows cannot be done
        n = list_actions(box, den, board, source, EVERY & ~(1 << COLLECT), out, n)
    if n == start:
        out[n] = pack(V_NOTHING, source, 0)
        n += 1
    return n


@rule
def list_purchases(box, board, out, n):
    """Add every skill tile that can be paid, with each tile that could make room for it."""
    free = board[XP] - board[SPENT]
    full = size_of(board[OWNED]) >= box.skill_limit
    for k in range(OWN_SKILLS):
        if (board[OWNED] >> k) & 1 or box.cost[row_of(board, BASIC + k)] > free:
            continue
        if not full:
            out[n] = pack(V_SKILL, k, 0)
            n += 1
            continue
        for gone in range(OWN_SKILLS):
            if (board[OWNED] >> gone) & 1:
                out[n] = pack(V_SKILL, k, 1 + gone)
                n += 1
    return n


@rule
def can_purchase(box, board):
    free = board[XP] - board[SPENT]
    for k in range(OWN_SKILLS):
        if not (board[OWNED] >> k) & 1 and box.cost[row_of(board, BASIC + k)] <= free:
            return True
    return False


@rule
def actions_left(board):
    left = board[BONUS]
    for face in range(COLLECT + 1):
        left += board[FLASH + face]
    return left


@rule
def list_flashback(box, den, board, out):
    n = 0
    for face in range(COLLECT + 1):
        if board[FLASH + face] > 0:
            n = list_source(box, den, board, face, out, n)
    if board[BONUS] > 0:
        n = list_source(box, den, board, BONUS_DIE, out, n)
    if n == 0:
        out[0] = pack(V_DONE, 0, 0)
        n = 1
    return list_purchases(box, board, out, n)


@rule
def train(box, board, source):
    slots = training_of(box, board, source)
    if source != ICON:
        board[TRAINED] = 1
    board[XP] = min(box.training_n, board[XP] + slots)


@rule
def collect(box, den, board, source):
    if box.collect_mode == 0 or source == ICON:
        board[LOOT] += 1
        return
    board[LOOT] = min(box.loot_n, board[LOOT] + take_icons(box, den, board))


@rule
def do_action(box, den, board, option):
    """Do one flashback action, from a die, the bonus or a loot icon."""
    verb, source, what = verb_of(option), first_of(option), second_of(option)
    if verb == V_TRAIN:
        train(box, board, source)
    elif verb == V_BUY:
        board[STORED + what] += 1
    elif verb == V_SLOT:
        board[LIFE] += 1
    elif verb == V_CLEAN:
        heal(board, 1 if board[POWER] & HEAL_ONE else box.care)
    elif verb == V_FOCUS:
        board[FOCUSED] += 1 << (2 * what)
    elif verb == V_COLLECT:
        collect(box, den, board, source)


@rule
def spend_source(board, source):
    if source == BONUS_DIE:
        board[BONUS] -= 1
    elif source <= COLLECT:
        board[FLASH + source] -= 1


@rule
def purchase(box, board, count, skill, gone):
    """Buy a skill tile; a tile that makes room goes back to the shop and loses its focus marks."""
    if gone:
        tile = BASIC + gone - 1
        board[OWNED] &= ~(1 << (gone - 1))
        board[FOCUSED] &= ~(3 << (2 * tile))
        board[POWER] &= ~box.power[row_of(board, tile)]
    row = row_of(board, BASIC + skill)
    board[SPENT] += box.cost[row]
    board[OWNED] |= 1 << skill
    board[POWER] |= box.power[row]
    count[BOUGHT + skill] += 1
