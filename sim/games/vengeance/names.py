"""The words of the table as numbers: each is made together with its printed name."""

from __future__ import annotations

from hardmode.sim.names import Named

SEATS, MAX_ROOMS, MAX_ENEMIES = 4, 12, 40
MAX_HEROES, MAX_BOSSES, MAX_BOARDS = 8, 18, 10
SIDES = 2 * MAX_BOARDS
MAX_EFFECT, MAX_FILLINGS, MAX_TRACK, NAME = 10, 24, 48, 40
MAX_OPTIONS, MAX_HAND = 400, 7  # 12 skills of 24 fillings, and what may be kept of the hand

ANY = -1  # dealt by lot
CHOOSE = -2  # chosen by the player


# --- dice and tiles ------------------------------------------------------------------------------


class Face(Named):
    RUN = "R"
    GUN = "G"
    KNIFE = "K"
    DOUBLE = "D"
    WOUND = "W"


class Basic(Named):
    """The skills that every hero has."""

    SPRINT = "SPRINT"
    STRIKE = "STRIKE"
    FIRE = "FIRE"
    CHARGE = "CHARGE"


BASIC, OWN_SKILLS, SKILLS, ITEMS = 4, 8, 12, 4  # a seat's tiles: 0-3 basic, 4-11 the hero's, then items
ROW_SKILL, ROW_ITEM = BASIC, BASIC + OWN_SKILLS * MAX_HEROES  # rows of the tile table in the box
ROWS = ROW_ITEM + ITEMS * MAX_HEROES


class Timing(Named):
    COMBAT = "combat"
    START = "start"
    RESOLUTION = "resolution"
    PASSIVE = "passive"


class FlashAction(Named):
    """The five actions of the flashback phase."""

    TRAIN = "TRAIN"
    BUY = "BUY"
    CARE = "CARE"
    FOCUS = "FOCUS"
    COLLECT = "COLLECT"


class FlashSource(Named):
    """Where a flashback action comes from: a die that shows one of the five, or what stands for any."""

    TRAIN, BUY, CARE, FOCUS, COLLECT = FlashAction.labels()
    BONUS = "bonus action"
    ICON = "loot icon"


class Action(Named):
    """What a tile does in combat."""

    MOVE = "MOVE"
    HIT = "HIT"
    SHOT = "SHOT"
    WOUND = "WOUND"
    HEAL = "HEAL"
    LEAP = "LEAP"
    EVADE = "EVADE"
    KILL = "KILL"
    NO_GUNMAN = "X_NO_GUNMAN"


class Power(Named):
    """What is always on for a seat, a bit for each: passive skills, the hero's trait, the Boss's effect."""

    def __new__(cls, label: str) -> Power:
        member = int.__new__(cls, 1 << len(cls.__members__))
        member._value_ = 1 << len(cls.__members__)
        member.label = label
        return member

    IGNORE_BOUNCER = "P_IGNORE_BOUNCER"
    TOUGH_ONE_HIT = "P_TOUGH_ONE_HIT"
    SHOOT_OWN_ROOM = "P_SHOOT_OWN_ROOM"
    LEAP_HIT = "P_LEAP_HIT"
    SHOTS_EVADE = "T_SHOTS_EVADE"
    HEAL_ONE = "T_HEAL_ONE"
    CROWD_WOUND = "T_CROWD_WOUND"
    TRAIN_LESS = "T_TRAIN_LESS"
    SHOT_ONLY_GRUNT = "B_SHOT_ONLY_GRUNT"
    COUNTER_HIT = "B_COUNTER_HIT"
    NO_SHOT = "B_NO_SHOT"
    ENTRY_WOUND = "B_ENTRY_WOUND"
    START_WOUND = "B_START_WOUND"
    NO_BONUS_FOCUS = "B_NO_BONUS_ANTICIPATE"


# --- the den -------------------------------------------------------------------------------------


class Minion(Named):
    GRUNT = "GR"
    TOUGH = "TO"
    BOUNCER = "BO"
    HENCHMAN = "HE"
    GUNMAN = "GN"


BOSS = 62  # the Boss's number among enemies
BOSS_BIT = 1 << BOSS


class Addition(Named):
    """What a Boss adds to the den."""

    NONE = "none"
    HENCHMAN_ADJ = "B_ADD_HENCHMAN_ADJ"
    GRUNT = "B_ADD_GRUNT"
    GUNMAN_ADJ = "B_ADD_GUNMAN_ADJ"


class Objective(Named):
    NONE = "none"
    KILL = "O1_KILL"
    CLEAR = "O2_CLEAR_1TURN"
    LIFE = "O3_LIFE6"
    VISIT_ADJ = "O4_VISIT_ADJ"
    HIT_BOSS = "O5_HIT_BOSS"
    VISIT = "O6_VISIT_N"
    KILL_ADJ = "O7_KILL_ADJ"


# --- the course of the game ----------------------------------------------------------------------


class Phase(Named):
    SETUP = "set-up"
    FLASHBACK = "flashback"
    ROLL = "roll"
    COMBAT = "combat and resolution"


class Choice(Named):
    """The choices of set-up, each for every seat in turn."""

    HERO = "hero"
    BOSS = "boss"
    SIDE = "den side"
    DONE = "all chosen"


class Stage(Named):
    """Where a seat's combat and resolution stand."""

    START = "start of combat"
    MAIN = "combat"
    LOOT = "loot"
    RESOLUTION = "resolution"
    OVER = "resolution"


class Event(Named):
    """What a seat has under way in the roll phase."""

    DONE = "done"
    THROWING = "throwing"
    ASSIGNING = "assigning"
    PLACING = "placing on the life bar"
    DRAWING = "drawing"
    GRABBING = "drawing die by die"


class Contention(Named):
    """The model of how players share the pool."""

    EVENT_TIME = "event_time"
    PER_DIE = "per_die"
    ROUND_ROBIN = "round_robin"
    EQUAL_SHARE = "equal_share"
    BUDGET = "budget"


class Moment(Named):
    """When objectives are looked at."""

    ACTION = "after an action of combat"
    OTHER = "after anything else"
    END = "at the end of a phase"


class Ending(Named):
    REACHED = "target reached"
    MISSED = "target missed"
    ELIMINATED = "eliminated"
    WON = "one winner"
    SHARED = "shared victory"
    NOBODY = "nobody left"


# --- decisions -----------------------------------------------------------------------------------


class Kind(Named):
    HERO = "hero"
    BOSS = "boss"
    SIDE = "den side"
    FLASHBACK = "flashback"
    ROLL = "roll"
    UNLOCK = "unlock"
    TILE = "tile"
    TARGET = "target"
    LOOT = "loot"


class Verb(Named):
    HERO = "choose hero"
    BOSS = "choose boss"
    SIDE = "choose den side"
    TRAIN = "train"
    BUY = "buy item use"
    SLOT = "add life slot"
    CLEAN = "clean wounds"
    FOCUS = "focus"
    COLLECT = "collect"
    NOTHING = "nothing"
    SKILL = "buy skill"
    DONE = "done"
    ASSIGN = "assign"
    LIFE = "place on life bar"
    UNLOCK = "unlock"
    LEAVE = "leave locked"
    DRAW = "draw"
    THROW = "throw"
    STOP = "stop"
    GROUP = "use group"
    SHARP = "use group with D"
    FOCUSED = "use focused"
    ITEM = "use item"
    END = "end"
    GO = "go to"
    AT = "at"
    DECLINE = "decline"


# --- chance --------------------------------------------------------------------------------------


class Source(Named):
    """The sources of chance, each with the words for its address."""

    address: tuple[str, str, str]

    def __new__(cls, label: str, *address: str) -> Source:
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.label = label
        member.address = (address[0], address[1], address[2])
        return member

    COMBAT_DIE = "combat dice", "round and seat", "throw", "die"
    FLASHBACK_DIE = "flashback dice", "round", "seat", "die"
    ROLL_TIME = "throwing time", "round and seat", "throw", ""
    ASSIGN_TIME = "assigning time", "round and seat", "group", ""
    DRAW_TIME = "drawing time", "round and seat", "draw", "die"
    LIFE_TIME = "life bar time", "round and seat", "placement", ""
    PERSON = "speed of players", "seat", "", ""
    MISHAP = "mishaps", "round and seat", "event", "kind"
    TIE = "ties in time", "round and seat", "throw and group", "draw and placement"
    HERO_DEAL = "heroes", "deal", "card", ""
    DEN_DEAL = "den boards", "deal", "board", ""
    SIDE_DEAL = "den sides", "seat", "", ""
    BOSS_DEAL = "boss cards", "deal", "card", ""
    LEFTOVER = "leftover dice", "seat", "", ""


# --- flat rows -----------------------------------------------------------------------------------


class Entry(Named):
    """Where something stands in a flat row of integers; some things take several entries."""

    entries: int

    def __new__(cls, label: str, entries: int = 1) -> Entry:
        member = int.__new__(cls, cls.size())
        member._value_ = cls.size()
        member.label, member.entries = label, entries
        return member

    @classmethod
    def size(cls) -> int:
        return sum(member.entries for member in cls.__members__.values())


class Slot(Entry):
    """The board of a seat. It is one row of integers, so that a planner can copy it and try things out on it."""

    ROOM = "where the pawn stands"
    VISITED = "rooms visited, as a mask"
    ALIVE = "minions that are not crossed, as a mask"
    DOTTED = "minions that bear a dot"
    EVADED = "minions that are evaded"
    DAMAGE = "wounds of the Boss"
    STRUCK = "whether the Boss was ever hit, and above that bit the rooms from which"
    MARKED_OBJECTIVES = "rooms whose objective is marked"
    TAKEN = "rooms whose loot is taken"
    LIFE = "life slots"
    WOUNDS = "crossed life slots"
    LIFE_DICE = "dice on the life bar"
    KO = "times knocked out"
    OUT = "whether the player is eliminated"
    XP = "experience slots marked"
    SPENT = "of these, spent"
    LOOT = "loot boxes crossed"
    OWNED = "the hero's skills that were bought, as a mask"
    POWER = "what is always on, by Power"
    DAWN = "minions that were not crossed when the round began"
    CLEARED_AT_ONCE = "rooms that were ever cleared within one round"
    SLIPPED = "minions that were evaded when the last Resolution ended"
    LAST = "the skill used just before, 1 + its number; a modifier may follow it"
    TILE = "the tile in use, 1 + its number"
    STEP = "the action that the tile in use has come to"
    LIMIT = "where the tile in use ends"
    EXTRA_HIT = "whether a HIT follows a LEAP"
    FOCUSED = "focus marks, two bits a skill"
    FOCUS_KEPT = "focus marks that outlast step 1 of Resolution"
    ASSIGNED = "dice that lie at skills"
    GUN_WOUNDS = "wounds that GUNMEN dealt in this Resolution"
    HAND = "dice by face, four bits each: R G K D, and W that need not stay locked"
    LOCKED = "locked W"
    FRESH = "dice without a face"
    AIR = "dice being thrown or drawn"
    BANKED = "rights to unlock that are kept"
    SHARE = "the private pool under `equal_share`"
    GRABS = "dice still to be grabbed"
    ICONS = "loot icons still to be used"
    BONUS = "bonus actions left"
    TRAINED = "whether this round's first training is done"
    EVENT = "what is under way"
    THROW = "throws in this roll phase"
    DRAWN = "draws in this roll phase"
    PLACED = "dice placed on the life bar in this roll phase"
    GROUP = "groups assigned in this roll phase"
    EAGER = "unlocked dice that must be thrown at once, alone"
    USED_ONCE = "`once` skills used in this round, as a mask"
    HERO = "the hero"
    DEN = "the den's row in the box"
    BOSS_CARD = "the Boss, -1 while face down"
    HEALTH = "the Boss's health"
    FLASH = "flashback dice not yet used, by what they show", len(FlashAction)
    GROUPS = "groups lying at each skill", SKILLS
    SHARPS = "groups with a D, at skills that reward one", SKILLS
    STORED = "uses of each item bought and not yet spent", ITEMS
    SPENT_USES = "uses of each item spent", ITEMS


class Den(Entry):
    """A den with what its Boss adds to it: a row of the box."""

    ROOMS = "how many rooms"
    BOSS_ROOM = "the Boss's room"
    MINION_MASK = "all minions"
    PREVISITED = "rooms visited from the start"
    DOORS = "rooms next door, for each room", MAX_ROOMS
    LEAPS = "rooms that a LEAP reaches", MAX_ROOMS
    INSIDE = "minions in the room", MAX_ROOMS
    AROUND = "minions in adjacent rooms", MAX_ROOMS
    ICONS_IN = "loot icons in the room", MAX_ROOMS
    GOAL = "the room's objective", MAX_ROOMS
    GOAL_TYPE = "the minions that it is about", MAX_ROOMS
    GOAL_COUNT = "how many it asks for", MAX_ROOMS
    GOAL_POINTS = "its points", MAX_ROOMS
    STEPS = "distances from the room, four bits a room", MAX_ROOMS
    OF_KIND = "minions by type", len(Minion)
    PRINTED = "minions that are printed, not added"
    KIND_OF = "the type of each minion", MAX_ENEMIES
    ROOM_OF = "the room of each minion", MAX_ENEMIES
    BOSS_POINTS = "what so many wounds of the Boss score", 9


BOARD_SIZE = Slot.size()
DEN_SIZE = Den.size()
