"""The table language: what can stand in the records of a game, and what it is called in print.

A place is where heroes and monsters stand: a tile, or one side of the double dead-end. Cells
number a square of 49 by 49 around the first tile, wide enough for every tile in one line.
A hero's number is also the colour of its die: Xylia green, Klethor violet, Sha'Vi blue, Bethras orange.
"""

from enum import IntEnum

from hardmode.sim.names import Named

SEATS = 4
NO_COLOUR = 9  # that of a combat die

# The forest.
SIDE = 49
CENTRE = 24 * SIDE + 24
BESIDE = (-SIDE, 1, SIDE, -1)  # the next cell in each direction
TILES, PLACES = 24, 26

# Monsters and bosses. Where a monster stands when it stands on no place:
NOWHERE, IN_LAIR = -1, -2
KINDS_OF_MONSTER, COPIES, TOKENS = 5, 4, 20
BOSSES = 12  # the most; so with the numbers below
BOSS_FOE = TOKENS  # the boss among foes, after the monster tokens

# Cards.
LOOTS, CARDS, SLOTS = 30, 40, 3
EVENTS = 20
PAIR = 2  # a cell of a card holds at most two effects

UNPLACED = -1  # a hero die that lies on no slot yet
HELD_FAST, MOVED = 1, 2  # why a hero cannot move in this turn: immobilised, or it has ended its movement
FACE_DOWN, FACE_UP = 1, 2  # a quest marker or a camp on a place; face up its kind is added


class Mode(Named):
    STANDARD = "standard"
    CHAPTER_1 = "chapter 1"
    CHAPTER_2 = "chapter 2"
    CHAPTER_3 = "chapter 3"
    CHAPTER_4 = "chapter 4"
    CHAPTER_5 = "chapter 5"
    CAMPAIGN = "campaign"


class Hero(Named):
    XYLIA = "xylia"
    KLETHOR = "klethor"
    SHAVI = "shavi"
    BETHRAS = "bethras"


class Colour(Named):
    GREEN = "green"
    VIOLET = "violet"
    BLUE = "blue"
    ORANGE = "orange"


class Direction(Named):
    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class Special(Named):
    """What sets a tile apart."""

    PLAIN = "plain"
    START = "start"
    BOSS = "boss"
    INN = "inn"
    CAMPFIRE = "campfire"
    VORTEX = "vortex"
    WELL = "well"
    MERCHANT = "merchant"
    DEAD_END = "double dead-end"


class Monster(Named):
    SNAKE = "snake"
    SPIRIT = "spirit"
    SKELETON = "skeleton"
    PLANT = "plant"
    MUSHROOM = "mushroom"


class EnragedBoss(Named):
    """Four guesses at what the card of the enraged boss does."""

    NONE = "none"
    HEARTS = "hearts"
    TRACK = "track"
    SKILLS = "skills"
    SWORD = "sword"


class Bramble(Named):
    """The bramble cards."""

    EASY = "easy"
    CLASSIC = "classic"
    HARD = "hard"


class Effect(Named):
    """What tiles, cards and tokens do."""

    NOTHING = "nothing"
    HEARTS = "hearts"
    ORBS = "orbs"
    LOOT = "loot"
    DISCARD_LOOT = "discard loot"
    EVENT = "event"
    POISON = "poison"
    ENTANGLE = "entangle"
    IMMOBILISE = "immobilise"
    MONSTER = "monster"
    MONSTERS_ON_RUNES = "monsters on runes"
    LAIR_DIE = "lair die"
    MERCHANT = "merchant"
    BATTLE_SONG = "battle song"
    HEARTS_HERE = "hearts of all here"
    ORDER_TILES = "order tiles"


class LairRule(Named):
    """The rule of an entrance card."""

    NONE = "none"
    BACK_AFTER_LOSS = "back after a lost battle"
    NO_POWER_DICE = "no power dice"
    NO_ORBS = "no orbs"
    ORB_PER_EVENT = "orb per event"


class CardPlace(IntEnum):
    """Where a loot card is, as far as all can see."""

    DECK = 0
    DISCARD = 1
    STOCK = 2
    HELD = 3
    PILE = 4
    OUT = 5


class Use(Named):
    PERMANENT = "permanent"
    EXHAUST = "exhaust"
    DISCARD = "discard"


class LootEffect(Named):
    DICE = "combat dice"
    BETTER_DIE = "better die"
    BETTER_DICE = "better dice"
    POWER_DIE = "power die"
    HEAL = "heal"
    ANTIDOTE = "antidote"
    STEP = "step"
    ABSORB = "absorb"
    ARMOUR = "armour"
    ORBS = "orbs"
    BOMB = "bomb"
    LANTERN = "lantern"
    CHARM = "charm"


class Skill(Named):
    """A boss's skills, S01 to S15 of the card."""

    SHIELD = "shield"
    HEARTS = "hearts of all"
    FEWER_DICE = "fewer dice"
    POISON = "poison"
    EXHAUST_LOOT = "exhaust loot"
    DISCARD_LOOT = "discard loot"
    IMMUNE_TO_COLOUR = "immune to a colour"
    IMMUNE_TO_POWER_DICE = "immune to power dice"
    THREAT = "threat"
    BRAMBLES = "brambles"
    NOTHING = "nothing"
    ORBS = "orbs"
    LEAF_SHIELD = "leaf shield"
    MONSTER = "monster"
    ORBS_TO_THREAT = "orbs to threat"


class Slot(IntEnum):
    """Slots of a hero board."""

    UNUSED = 0
    MOVE = 1
    FOCUS = 2
    A = 3
    B = 4
    SUMMON = 5


class Marker(Named):
    """Quest markers of chapter 1."""

    FIRST_MUSHROOM = "first mushroom"
    SECOND_MUSHROOM = "second mushroom"
    THIRD_MUSHROOM = "third mushroom"
    VIAL = "vial"


class Camp(Named):
    """Camps of chapter 4."""

    HORN = "horn"
    ASHES = "ashes"
    SENTINEL = "sentinel"
    TRAP = "trap"


class Stall(Named):
    MERCHANT = "merchant"
    TRAVELLER = "travelling merchant"


class Reveal(Named):
    """How the boss was revealed."""

    NOT_REVEALED = "not revealed"
    BY_ENTRY = "by entering"
    BY_STACK = "by the empty stack"
    BY_CHAPTER = "by the chapter"


class Cause(IntEnum):
    """What cost hearts."""

    MONSTER = 0
    BOSS = 1
    BRAMBLE = 2
    POISON = 3
    OTHER = 4


class Part(IntEnum):
    """How a hero takes part in a combat."""

    ABSENT = 0
    ALONGSIDE = 1
    FROM_AFAR = 2


class Ending(Named):
    """How a game can end."""

    BOSS_BEATEN = "boss beaten"
    ALL_DOWN = "all downed"
    THREAT_FULL = "threat full"
    CHAPTER_WON = "chapter won"
    ORBS_LOST = "orbs lost"
    WELL_OVERRUN = "well overrun"
    TOO_WIDE = "corruption too wide"
    CANNOT_SPREAD = "corruption cannot spread"
    CAMPAIGN_DONE = "campaign finished"
    CAMPAIGN_STALLED = "campaign abandoned"


CAP_REACHED = len(Ending)


class Kind(Named):
    """Kinds of decision."""

    PLACE = "place a tile"
    ONE_MORE_TILE = "one more tile"
    CHARM = "use the charm"
    KEEP = "keep dice"
    ASSIGN = "assign a die"
    ACT = "act"
    FIGHT_OR_FLEE = "fight or flee"
    CHOOSE_FOE = "choose the foe"
    SUPPORT = "support from here"
    PREPARE_COMBAT = "prepare the combat"
    CHANGE_ROLL = "change the roll"
    FROST = "freeze after a loss"
    PARRY = "parry"
    SHARE = "share a reward"
    DISCARD = "discard loot"
    TRAVEL_ALONG = "travel along"
    MARKET = "buy from the traveller"
    LANTERN = "lantern"
    JOIN = "join the lair"
    INN = "inn"
    ORDER_TILES = "order the tiles"
    PILE = "choose a pile"
    SENTINEL = "place the sentinel"
    PURIFY = "purify"
    GO_ON = "go on"
    HUNT = "whom to hunt"
    GIVE_UP = "give up loot"
    TRADE = "exchange loot"
    BURN = "choose the pile to burn"
    EXHAUST = "turn loot over"
    WAKE = "choose what wakes"


class Verb(Named):
    """What an option does; the meaning of its two numbers is the verb's."""

    STOP = "stop"
    PLACE = "place"
    NO = "no"
    YES = "yes"
    HERO_REROLL = "reroll hero die"
    KEEP = "keep"
    ASSIGN = "assign"
    STEP = "step"
    RISKY_STEP = "risky step"
    TAKE_CHEST = "take chest"
    TAKE_TOKEN = "take orb token"
    BUY = "buy"
    SELL = "sell"
    UNLOCK = "unlock power"
    VORTEX = "vortex"
    RAISE = "raise"
    GIVE = "give"
    HEAL = "heal with"
    ANTIDOTE = "antidote"
    BOOTS = "boots"
    POUCH = "orb pouch"
    LANTERN = "lantern"
    AURA = "aura"
    REMEDY = "remedy"
    ORB_FOR_A_HEART = "orb for a heart"
    ENTER_LAIR = "enter lair"
    FIGHT = "fight"
    FLEE = "flee"
    RISKY_FLIGHT = "risky flight"
    FREEZE = "freeze"
    ROLL = "roll"
    BREW_DIE = "brew die"
    USE = "use"
    ORB_REROLL = "orb reroll"
    POWER_1_REROLL = "power 1 reroll"
    MARK = "mark"
    REROLL_MARKED = "reroll marked"
    BETTER_DIE = "better die"
    BOMB = "bomb"
    POWER_DIE_REROLL = "power die reroll"
    RECIPIENT = "recipient"
    DISCARD = "discard"
    PUT_UNDER = "put under"
    ON_TOP = "leave on top"
    PUT_TOP = "put on top"
    SEARCH = "search"
    BREW_POTION = "brew potion"
    LEAVE = "leave"
    TOTEM = "activate totem"
    DESPERATE_TOTEM = "desperate totem"
    TARGET = "target"
    PILE = "choose pile"
    GIVE_MARKER = "give marker"
    PICK_UP = "pick up marker"


class Chance(Named):
    """Sources of chance."""

    TILE_STACK = "tile stack"
    MONSTER_STACK = "monster stack"
    LOOT_DECK = "loot deck"
    EVENT_DECK = "event deck"
    BOSS_DECK = "boss deck"
    HERO_DRAW = "choice of heroes"
    HERO_DIE = "hero dice"
    COMBAT_DIE = "combat dice"
    POWER_DIE = "power dice"
    SKILL_DIE = "boss skill die"
    BRAMBLE_DIE = "bramble die"
    WELL_TOKENS = "orb tokens"
    LAIR_A = "lair deck A"
    LAIR_B = "lair deck B"
    LAIR_DIE = "lair die"
    INN_DECK = "inn deck"
    QUESTS = "quest markers"
    CAMPS = "camp markers"
    PATH_TIE = "monsters' ways"
    PILES = "loot piles"
    ENRAGE = "waking of the forest"
