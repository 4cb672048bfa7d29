"""What lies on the table: the records, the names of their parts, and the packing of options.

A player's board is one row of integers, `board[seat]`, so that a planner can copy it and try things
out with the very rules of the game. A den with what its Boss adds at set-up is one row of the box.
Sets of rooms and of enemies are bit masks.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.contract import TABLE_HEAD
from hardmode.sim.records import rule

SEATS, MAX_ROOMS, MAX_ENEMIES = 4, 12, 40
MAX_HEROES, MAX_BOSSES, MAX_BOARDS = 8, 18, 10
BASIC, OWN_SKILLS, SKILLS, ITEMS = 4, 8, 12, 4  # a seat's tiles: 0-3 basic, 4-11 the hero's, then items
TILES = SKILLS + ITEMS
ROW_SKILL, ROW_ITEM = BASIC, BASIC + OWN_SKILLS * MAX_HEROES  # rows of the tile table in the box
ROWS = ROW_ITEM + ITEMS * MAX_HEROES
MAX_EFFECT, MAX_FILLINGS, MAX_TRACK, NAME = 10, 24, 48, 40
MAX_OPTIONS, MAX_HAND = 400, 7  # 12 skills of 24 fillings, and what may be kept of the hand

BASIC_NAMES = ("SPRINT", "STRIKE", "FIRE", "CHARGE")
FACES = ("R", "G", "K", "D", "W")
RUN, GUN, KNIFE, DOUBLE, WOUND_FACE = 0, 1, 2, 3, 4
ACTIONS = ("TRAIN", "BUY", "CARE", "FOCUS", "COLLECT")
TRAIN, BUY, CARE, FOCUS, COLLECT = 0, 1, 2, 3, 4
BONUS_DIE, ICON = 5, 6  # where a flashback action comes from, besides a die showing one of the five

MINIONS = ("GR", "TO", "BO", "HE", "GN")
GRUNT, TOUGH, BOUNCER, HENCHMAN, GUNMAN = 0, 1, 2, 3, 4
BOSS = 62  # the Boss's number among enemies
BOSS_BIT = 1 << BOSS

EFFECTS = ("MOVE", "HIT", "SHOT", "WOUND", "HEAL", "LEAP", "EVADE", "KILL", "X_NO_GUNMAN")
MOVE, HIT, SHOT, WOUND, HEAL, LEAP, EVADE, KILL, NO_GUNMAN = range(9)
TIMINGS = ("combat", "start", "resolution", "passive")
IN_COMBAT, AT_START, IN_RESOLUTION, PASSIVE = 0, 1, 2, 3

# What is always on for a seat, as bits: passive skills, the hero's trait, the Boss's effect.
POWERS = ("P_IGNORE_BOUNCER", "P_TOUGH_ONE_HIT", "P_SHOOT_OWN_ROOM", "P_LEAP_HIT",
          "T_SHOTS_EVADE", "T_HEAL_ONE", "T_CROWD_WOUND", "T_TRAIN_LESS",
          "B_SHOT_ONLY_GRUNT", "B_COUNTER_HIT", "B_NO_SHOT", "B_ENTRY_WOUND", "B_START_WOUND",
          "B_NO_BONUS_ANTICIPATE")
IGNORE_BOUNCER, TOUGH_ONE_HIT, SHOOT_OWN_ROOM, LEAP_HIT = 1, 2, 4, 8
SHOTS_EVADE, HEAL_ONE, CROWD_WOUND, TRAIN_LESS = 16, 32, 64, 128
SHOT_ONLY_GRUNT, COUNTER_HIT, NO_SHOT, ENTRY_WOUND = 256, 512, 1024, 2048
START_WOUND, NO_BONUS_FOCUS = 4096, 8192
ADDITIONS = ("none", "B_ADD_HENCHMAN_ADJ", "B_ADD_GRUNT", "B_ADD_GUNMAN_ADJ")  # what a Boss adds to the den

OBJECTIVES = ("none", "O1_KILL", "O2_CLEAR_1TURN", "O3_LIFE6", "O4_VISIT_ADJ", "O5_HIT_BOSS", "O6_VISIT_N",
              "O7_KILL_ADJ")
O_KILL, O_CLEAR, O_LIFE, O_VISIT_ADJ, O_HIT_BOSS, O_VISIT, O_KILL_ADJ = 1, 2, 3, 4, 5, 6, 7

# --- the board of a seat -------------------------------------------------------------------------

_BOARD = """ROOM VISITED ALIVE DOTTED EVADED DAMAGE STRUCK MARKED_OBJECTIVES TAKEN LIFE WOUNDS LIFE_DICE KO OUT
XP SPENT LOOT OWNED POWER DAWN CLEARED_AT_ONCE SLIPPED LAST TILE STEP LIMIT EXTRA_HIT FOCUSED FOCUS_KEPT
ASSIGNED GUN_WOUNDS HAND LOCKED FRESH AIR BANKED SHARE GRABS ICONS BONUS TRAINED EVENT THROW DRAWN PLACED GROUP
EAGER USED_ONCE HERO DEN BOSS_CARD HEALTH""".split()
_at = {name: i for i, name in enumerate(_BOARD)}
ROOM, VISITED, ALIVE, DOTTED, EVADED = (_at[n] for n in _BOARD[:5])
DAMAGE, STRUCK, MARKED_OBJECTIVES, TAKEN = (_at[n] for n in _BOARD[5:9])
LIFE, WOUNDS, LIFE_DICE, KO, OUT = (_at[n] for n in _BOARD[9:14])
XP, SPENT, LOOT, OWNED, POWER = (_at[n] for n in _BOARD[14:19])
DAWN = _at["DAWN"]  # the minions that were not crossed when the round began
CLEARED_AT_ONCE = _at["CLEARED_AT_ONCE"]  # rooms that were ever cleared within one round
SLIPPED = _at["SLIPPED"]  # the minions that were evaded when the last Resolution ended
LAST = _at["LAST"]  # the skill used just before, 1 + its number; a modifier may follow it
TILE, STEP, LIMIT = _at["TILE"], _at["STEP"], _at["LIMIT"]  # the tile in use: 1 + its number, where it is, its end
EXTRA_HIT = _at["EXTRA_HIT"]
FOCUSED, FOCUS_KEPT = _at["FOCUSED"], _at["FOCUS_KEPT"]  # two bits a skill
ASSIGNED = _at["ASSIGNED"]  # dice that lie at skills
GUN_WOUNDS = _at["GUN_WOUNDS"]
HAND = _at["HAND"]  # dice by face, four bits each: R G K D, and W that need not stay locked
LOCKED, FRESH, AIR = _at["LOCKED"], _at["FRESH"], _at["AIR"]  # locked W, dice without a face, dice being thrown
BANKED = _at["BANKED"]
SHARE = _at["SHARE"]  # the private pool under `equal_share`
GRABS, ICONS, BONUS, TRAINED = _at["GRABS"], _at["ICONS"], _at["BONUS"], _at["TRAINED"]
EVENT, THROW, DRAWN, PLACED, GROUP = (_at[n] for n in ("EVENT", "THROW", "DRAWN", "PLACED", "GROUP"))
EAGER = _at["EAGER"]  # unlocked dice that must be thrown at once, alone
USED_ONCE = _at["USED_ONCE"]  # the `once` skills used in this round, as a mask
HERO, DEN, BOSS_CARD, HEALTH = (_at[n] for n in ("HERO", "DEN", "BOSS_CARD", "HEALTH"))
FLASH = len(_BOARD)  # the flashback dice not yet used, by what they show
GROUPS = FLASH + len(ACTIONS)  # groups lying at each skill
SHARPS = GROUPS + SKILLS  # groups with a D, at skills that reward one
STORED = SHARPS + SKILLS  # uses of each item bought and not yet spent
SPENT_USES = STORED + ITEMS
BOARD_SIZE = SPENT_USES + ITEMS

# --- a den, with its additions -------------------------------------------------------------------

ROOMS, BOSS_ROOM, MINION_MASK, PREVISITED, DOORS = 0, 1, 2, 3, 4  # then one entry a room:
LEAPS = DOORS + MAX_ROOMS
INSIDE = LEAPS + MAX_ROOMS  # minions in the room
AROUND = INSIDE + MAX_ROOMS  # minions in adjacent rooms
ICONS_IN = AROUND + MAX_ROOMS
GOAL = ICONS_IN + MAX_ROOMS
GOAL_TYPE = GOAL + MAX_ROOMS
GOAL_COUNT = GOAL_TYPE + MAX_ROOMS
GOAL_POINTS = GOAL_COUNT + MAX_ROOMS
STEPS = GOAL_POINTS + MAX_ROOMS  # distances from the room, four bits a room
OF_KIND = STEPS + MAX_ROOMS  # minions by type
PRINTED = OF_KIND + len(MINIONS)  # minions that are printed, not added
KIND_OF = PRINTED + 1
ROOM_OF = KIND_OF + MAX_ENEMIES
BOSS_POINTS = ROOM_OF + MAX_ENEMIES
DEN_SIZE = BOSS_POINTS + 9

# --- counts for the measures ---------------------------------------------------------------------

(THROWS, GROUPS_MADE, DICE_USED, FIRST_DICE, LIFE_USED, WOUNDS_TAKEN, STUCK_DICE, BY_TIMER, BY_POOL, BY_LOCK,
 BY_CHOICE, HELD, TIME_LEFT, PHASE_TIME, POOL_LEFT, CAPPED) = range(16)
BOUGHT = 16
USED_SKILL = BOUGHT + OWN_SKILLS
USED_ITEM = USED_SKILL + SKILLS
COUNTS = USED_ITEM + ITEMS

# --- records -------------------------------------------------------------------------------------

SWITCHES: dict[str, tuple[str, ...] | None] = {  # None: yes or no
    "final_resolution": ("yes", "no", "loot_only"),
    "full_track": ("end_value", "last_printed", "zero"),
    "spent_xp_scores": None,
    "exit_counts_start": None,
    "exit_counts_boss": None,
    "exit_counts_evaded": None,
    "pool_empty_stops": None,
    "forced_draw": None,
    "evaded_grunt_shields": None,
    "leap_ignores_start_bouncer": None,
    "focus_from_loot": ("survives_same_phase", "survives_any", "lost"),
    "zemun_target": ("grunt", "any_minion"),
    "shadow_mode": ("instead", "also"),
    "o2_all_same_round": None,
    "o2_evade_counts": None,
    "o2_latch": ("same_round", "any_later_round"),
    "empty_is_cleared": None,
    "boss_blocks_clear": None,
    "o6_counts_start": None,
    "o5_same_time": None,
    "obj_check": ("always", "combat_only", "end_of_phase"),
    "allow_null_use": None,
    "optional_actions": None,
    "wound_full": ("ends_tile", "ignored"),
    "heal_none": ("ends_tile", "skip"),
    "focused_strike_hits": ("1", "2"),
    "ko_immediate": None,
    "ko_blocks_focus4": None,
    "eliminated_score": ("none", "current"),
    "unlock_throw": ("joins", "immediate"),
    "unlocked_w_placeable": None,
    "unlock_bankable": None,
    "collect_mode": ("track", "rooms"),
    "added_count": None,
    "flashback_shared": None,
    "leap_return": None,
    "draw_deadline": ("start", "end"),
    "focus_resolution_skill": ("lost", "kept_to_step4"),
    "train_partial": None,
    "once_partial_focus_blocks": None,
    "unlock_all_on_assign": None,
    "no_lock": None,
    "boss_choice": None,
    "side_after_boss": None,
}

CONTENTION = ("event_time", "per_die", "round_robin", "equal_share", "budget")
EVENT_TIME, PER_DIE, ROUND_ROBIN, EQUAL_SHARE, BUDGET = range(5)
ANY, CHOOSE = -1, -2

Box = np.dtype([
    ("players", "i8"), ("rounds", "i8"), ("pool", "i8"), ("target", "i8"), ("timer", "f8"),
    ("die", "i8", (6,)), ("flashback", "i8", (3, 6)),
    ("hand_cap", "i8"), ("hand_cap_ko", "i8"), ("life_base", "i8"), ("life_extra", "i8"), ("ko_slots", "i8"),
    ("life_goal", "i8"), ("train", "i8"), ("care", "i8"), ("skill_limit", "i8"), ("tough", "i8"),
    ("kill_points", "i8"), ("exit_points", "i8"), ("start_xp", "i8"), ("start_focus", "i8"),
    ("loot_track", "i8", (MAX_TRACK,)), ("loot_n", "i8"), ("training_track", "i8", (MAX_TRACK,)), ("training_n", "i8"),
    ("heroes", "i8"), ("trait", "i8", (MAX_HEROES,)),
    ("bosses", "i8"), ("health", "i8", (MAX_BOSSES,)), ("boss_power", "i8", (MAX_BOSSES,)),
    ("addition", "i8", (MAX_BOSSES,)),
    ("boards", "i8"),
    ("seat_hero", "i8", (SEATS,)), ("seat_boss", "i8", (SEATS,)), ("seat_board", "i8", (SEATS,)),
    ("seat_side", "i8", (SEATS,)),
    ("size", "i8", (ROWS,)), ("fillings", "i8", (ROWS,)), ("filling", "i8", (ROWS, MAX_FILLINGS)),
    ("once", "i8", (ROWS,)), ("timing", "i8", (ROWS,)), ("slots", "i8", (ROWS,)), ("cost", "i8", (ROWS,)),
    ("effect", "i8", (ROWS, MAX_EFFECT)), ("length", "i8", (ROWS,)), ("sharp_length", "i8", (ROWS,)),
    ("contents", "i8", (ROWS,)), ("sharp_contents", "i8", (ROWS,)), ("chance", "f8", (5,)),
    ("miss", "f8", (4, MAX_HAND + 1)),
    ("power", "i8", (ROWS,)), ("modifies", "i8", (ROWS,)), ("capacity", "i8", (ROWS,)),
    ("den", "i8", (MAX_BOARDS * 2 * len(ADDITIONS), DEN_SIZE)),
    ("contention", "i8"), ("budget", "i8"), ("throw_cap", "i8"),
    ("roll_base", "f8"), ("roll_each", "f8"), ("roll_sigma", "f8"),
    ("assign_base", "f8"), ("assign_each", "f8"), ("assign_sigma", "f8"),
    ("draw_base", "f8"), ("draw_each", "f8"), ("draw_sigma", "f8"),
    ("life_time", "f8"), ("life_sigma", "f8"),
    ("cocked", "f8"), ("cocked_time", "f8"), ("mistake", "f8"), ("mistake_time", "f8"),
    ("factor", "f8", (SEATS,)), ("pause", "f8", (SEATS,)), ("think", "f8", (SEATS,)), ("spread", "f8"),
    *((name, "i8") for name in SWITCHES),
    ("tile_name", "i1", (ROWS, NAME)), ("hero_name", "i1", (MAX_HEROES, NAME)),
    ("boss_name", "i1", (MAX_BOSSES, NAME)), ("side_name", "i1", (MAX_BOARDS * 2, NAME)),
], align=True)

Table = np.dtype([
    *TABLE_HEAD,
    ("phase", "i8"), ("stage", "i8"), ("pool", "i8"),
    ("board_of", "i8", (SEATS,)), ("hero_of", "i8", (SEATS,)), ("offer", "i8", (SEATS, 2)),
    ("clock", "f8", (SEATS,)), ("lot", "i8", (SEATS,)), ("pace", "f8", (SEATS,)),
    ("board", "i8", (SEATS, BOARD_SIZE)), ("count", "i8", (SEATS, COUNTS)),
], align=True)

Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (SEATS,)), ("boss", "i8", (MAX_BOSSES,))], align=True)

# --- decisions -----------------------------------------------------------------------------------

KINDS = ("hero", "boss", "den side", "flashback", "roll", "unlock", "tile", "target", "loot")
CHOOSE_HERO, CHOOSE_BOSS, CHOOSE_SIDE, FLASHBACK, ROLLING, UNLOCKING, TILING, TARGETING, LOOTING = range(9)

(V_HERO, V_BOSS, V_SIDE, V_TRAIN, V_BUY, V_SLOT, V_CLEAN, V_FOCUS, V_COLLECT, V_NOTHING, V_SKILL, V_DONE,
 V_ASSIGN, V_LIFE, V_UNLOCK, V_LEAVE, V_DRAW, V_THROW, V_STOP, V_GROUP, V_SHARP, V_FOCUSED, V_ITEM, V_END,
 V_GO, V_AT, V_DECLINE) = range(27)
VERBS = ("choose hero", "choose boss", "choose den side", "train", "buy item use", "add life slot", "clean wounds",
         "focus", "collect", "nothing", "buy skill", "done", "assign", "place on life bar", "unlock", "leave locked",
         "draw", "throw", "stop", "use group", "use group with D", "use focused", "use item", "end",
         "go to", "at", "decline")

# --- sources of chance ---------------------------------------------------------------------------

(COMBAT_DIE, FLASHBACK_DIE, ROLL_TIME, ASSIGN_TIME, DRAW_TIME, LIFE_TIME, PERSON, MISHAP, TIE, HERO_DEAL, DEN_DEAL,
 SIDE_DEAL, BOSS_DEAL, LEFTOVER) = range(14)


@rule
def pack(verb, a, b):
    return (verb << 32) | (a << 24) | b


@rule
def verb_of(option):
    return option >> 32


@rule
def first_of(option):
    return (option >> 24) & 255


@rule
def second_of(option):
    return option & 0xFFFFFF


# --- small helpers on masks and hands ------------------------------------------------------------


@rule
def size_of(mask):
    """How many bits a mask has, in the way that compilers know as one instruction of the processor."""
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56 & 127


@rule
def lowest(mask):
    """The number of the lowest bit of a mask that is not empty."""
    return size_of((mask & -mask) - 1)


@rule
def faces_in(hand):
    """How many dice a packed hand holds."""
    return (hand & 15) + (hand >> 4 & 15) + (hand >> 8 & 15) + (hand >> 12 & 15) + (hand >> 16 & 15)


@rule
def holds(hand, group):
    """Whether a packed hand contains a packed group."""
    return ((hand | 0x88888) - group) & 0x88888 == 0x88888


@rule
def row_of(board, tile):
    """The row of the box's tile table that a seat's tile stands for."""
    if tile < BASIC:
        return tile
    if tile < SKILLS:
        return ROW_SKILL + board[HERO] * OWN_SKILLS + tile - BASIC
    return ROW_ITEM + board[HERO] * ITEMS + tile - SKILLS


@rule
def focus_marks(board, skill):
    return (board[FOCUSED] >> (2 * skill)) & 3


@rule
def skills_of(board):
    """The skills of a seat as a mask: the basic ones and those bought."""
    return (1 << BASIC) - 1 | board[OWNED] << BASIC


@rule
def loaded(board):
    """The tiles, as a mask, on which a group, a focus mark or a stored use lies."""
    mask = 0
    if board[ASSIGNED]:
        for tile in range(SKILLS):
            if board[GROUPS + tile]:
                mask |= 1 << tile
    marks, tile = board[FOCUSED], 0
    while marks:
        if marks & 3:
            mask |= 1 << tile
        marks >>= 2
        tile += 1
    for item in range(ITEMS):
        if board[STORED + item]:
            mask |= 1 << (SKILLS + item)
    return mask


@rule
def free_slots(board):
    """Life slots that are neither crossed nor hold a die."""
    return board[LIFE] - board[WOUNDS] - board[LIFE_DICE]


@rule
def hand_cap(box, board):
    return box.hand_cap if board[KO] == 0 else box.hand_cap_ko


@rule
def in_hand(board):
    return faces_in(board[HAND]) + board[LOCKED] + board[FRESH] + board[AIR]
