"""The flashback phase: the five actions, focus, and the buying of skill tiles."""

from __future__ import annotations

from hardmode.sim.games.vengeance.den import lootable, take_icons
from hardmode.sim.games.vengeance.life_bar import heal
from hardmode.sim.games.vengeance.names import (
    BASIC,
    ITEMS,
    OWN_SKILLS,
    SKILLS,
    Den,
    FlashAction,
    FlashSource,
    Power,
    Slot,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, lowest, pack, second_of, size_of, verb_of
from hardmode.sim.games.vengeance.player_board import focus_marks, row_of, skills_of
from hardmode.sim.games.vengeance.switches import CollectMode
from hardmode.sim.records import rule

EVERY = (1 << len(FlashAction)) - 1  # the five flashback actions as a mask


@rule
def training_of(box, board, source):
    """How many experience slots TRAIN marks."""
    less = board[Slot.POWER] & Power.TRAIN_LESS and not board[Slot.TRAINED]
    return 1 if less and source != FlashSource.ICON else box.train


@rule
def can_train(box, board, source):
    left = box.training_n - board[Slot.XP]
    return left >= training_of(box, board, source) or (left > 0 and box.train_partial)


@rule
def can_store(box, board, item):
    used = board[Slot.STORED + item] + board[Slot.SPENT_USES + item]
    return used < box.capacity[row_of(board, SKILLS + item)]


@rule
def can_focus(box, board, skill):
    return focus_marks(board, skill) < box.slots[row_of(board, skill)]


@rule
def can_collect(box, den, board):
    """A loot box can be crossed, or under `collect_mode = rooms` a room can be looted."""
    rooms = 1 if box.collect_mode == CollectMode.TRACK else 0
    if box.collect_mode == CollectMode.ROOMS:
        for room in range(box.den[den, Den.ROOMS]):
            if lootable(box, den, board, room):
                rooms += 1
    return board[Slot.LOOT] < box.loot_n and rooms > 0


@rule
def list_actions(box, den, board, source, actions, out, n):
    """Add all ways to do each of some actions (a mask), COLLECT before the others."""
    collects = source != FlashSource.ICON or box.collect_mode == CollectMode.TRACK
    if actions >> FlashAction.COLLECT & 1 and collects and can_collect(box, den, board):
        out[n] = pack(Verb.COLLECT, source, 0)
        n += 1
    if actions >> FlashAction.TRAIN & 1 and can_train(box, board, source):
        out[n] = pack(Verb.TRAIN, source, 0)
        n += 1
    if actions >> FlashAction.BUY & 1:
        for item in range(ITEMS):
            if can_store(box, board, item):
                out[n] = pack(Verb.BUY, source, item)
                n += 1
    if actions >> FlashAction.CARE & 1:
        if board[Slot.LIFE] < box.life_base + box.life_extra:
            out[n] = pack(Verb.SLOT, source, 0)
            n += 1
        if board[Slot.WOUNDS] > 0:
            out[n] = pack(Verb.CLEAN, source, 0)
            n += 1
    skills = skills_of(board) if actions >> FlashAction.FOCUS & 1 else 0
    while skills:
        skill = lowest(skills)
        skills &= skills - 1
        if can_focus(box, board, skill):
            out[n] = pack(Verb.FOCUS, source, skill)
            n += 1
    return n


@rule
def list_source(box, den, board, source, out, n):
    """Add all legal uses of a die that shows an action, or of the bonus action."""
    start = n
    actions = 1 << source if source < FlashAction.COLLECT else EVERY
    if source == FlashSource.BONUS:
        actions &= ~(1 << FlashAction.COLLECT)
        if board[Slot.POWER] & Power.NO_BONUS_FOCUS:
            actions &= ~(1 << FlashAction.FOCUS)
    n = list_actions(box, den, board, source, actions, out, n)
    if n == start and source < FlashAction.COLLECT:  # what the die shows cannot be done
        n = list_actions(box, den, board, source, EVERY & ~(1 << FlashAction.COLLECT), out, n)
    if n == start:
        out[n] = pack(Verb.NOTHING, source, 0)
        n += 1
    return n


@rule
def list_purchases(box, board, out, n):
    """Add every skill tile that can be paid, with each tile that could make room for it."""
    free = board[Slot.XP] - board[Slot.SPENT]
    full = size_of(board[Slot.OWNED]) >= box.skill_limit
    for k in range(OWN_SKILLS):
        if (board[Slot.OWNED] >> k) & 1 or box.cost[row_of(board, BASIC + k)] > free:
            continue
        if not full:
            out[n] = pack(Verb.SKILL, k, 0)
            n += 1
            continue
        for gone in range(OWN_SKILLS):
            if (board[Slot.OWNED] >> gone) & 1:
                out[n] = pack(Verb.SKILL, k, 1 + gone)
                n += 1
    return n


@rule
def can_purchase(box, board):
    free = board[Slot.XP] - board[Slot.SPENT]
    for k in range(OWN_SKILLS):
        if not (board[Slot.OWNED] >> k) & 1 and box.cost[row_of(board, BASIC + k)] <= free:
            return True
    return False


@rule
def actions_left(board):
    left = board[Slot.BONUS]
    for face in range(FlashAction.COLLECT + 1):
        left += board[Slot.FLASH + face]
    return left


@rule
def list_flashback(box, den, board, out):
    n = 0
    for face in range(FlashAction.COLLECT + 1):
        if board[Slot.FLASH + face] > 0:
            n = list_source(box, den, board, face, out, n)
    if board[Slot.BONUS] > 0:
        n = list_source(box, den, board, FlashSource.BONUS, out, n)
    if n == 0:
        out[0] = pack(Verb.DONE, 0, 0)
        n = 1
    return list_purchases(box, board, out, n)


@rule
def train(box, board, source):
    slots = training_of(box, board, source)
    if source != FlashSource.ICON:
        board[Slot.TRAINED] = 1
    board[Slot.XP] = min(box.training_n, board[Slot.XP] + slots)


@rule
def collect(box, den, board, source):
    if box.collect_mode == CollectMode.TRACK or source == FlashSource.ICON:
        board[Slot.LOOT] += 1
        return
    board[Slot.LOOT] = min(box.loot_n, board[Slot.LOOT] + take_icons(box, den, board))


@rule
def do_action(box, den, board, option):
    """Do one flashback action, from a die, the bonus or a loot icon."""
    verb, source, what = verb_of(option), first_of(option), second_of(option)
    if verb == Verb.TRAIN:
        train(box, board, source)
    elif verb == Verb.BUY:
        board[Slot.STORED + what] += 1
    elif verb == Verb.SLOT:
        board[Slot.LIFE] += 1
    elif verb == Verb.CLEAN:
        heal(board, 1 if board[Slot.POWER] & Power.HEAL_ONE else box.care)
    elif verb == Verb.FOCUS:
        board[Slot.FOCUSED] += 1 << (2 * what)
    elif verb == Verb.COLLECT:
        collect(box, den, board, source)


@rule
def spend_source(board, source):
    if source == FlashSource.BONUS:
        board[Slot.BONUS] -= 1
    elif source <= FlashAction.COLLECT:
        board[Slot.FLASH + source] -= 1


@rule
def purchase(box, board, count, skill, gone):
    """Buy a skill tile; a tile that makes room goes back to the shop and loses its focus marks."""
    if gone:
        tile = BASIC + gone - 1
        board[Slot.OWNED] &= ~(1 << (gone - 1))
        board[Slot.FOCUSED] &= ~(3 << (2 * tile))
        board[Slot.POWER] &= ~box.power[row_of(board, tile)]
    row = row_of(board, BASIC + skill)
    board[Slot.SPENT] += box.cost[row]
    board[Slot.OWNED] |= 1 << skill
    board[Slot.POWER] |= box.power[row]
    count.skill_bought[skill] += 1
