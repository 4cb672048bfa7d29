"""The words of the table, each with its number and its printed name, and the sizes that everything is made to."""

from enum import IntEnum

from hardmode.sim.names import Named

SEATS = 4
CARDS = 64
TILES = CARDS + 2
WIDTH = TILES + 2
HEXES = WIDTH * WIDTH
EDGES = 6 + 2 * (TILES - 1)  # the Vault has six free neighbours; each further tile adds at most two
TOKENS = 24
BOSSES, NAME = 8, 24  # the most Bosses, and letters of a name
FACES = 12
FAR = 99  # further than any walk

# Directions 0..5; the next one is the neighbouring side.
DQ = (1, 0, -1, -1, 0, 1)
DR = (0, 1, 1, 0, -1, -1)

VAULT_TILE, EXIT_TILE = -1, -2  # what lies on a tile that is no Room, in place of its card
IN_PILE, USED = 0, SEATS + 1  # where a sarcophagus token lies; 1 + seat when somebody holds it
NO_DECISION = -1
DRAWN, CHOSEN = -1, -2  # in place of a hero, in the box: drawn at random, or chosen by the player
ARGUMENTS = 8192  # an option of a window or an action is a verb times this, and its argument


class Mark(Named):
    """What a Room bears."""

    SARCOPHAGUS = "sarcophagus"
    A = "A"
    B = "B"
    C = "C"
    PLAIN = "plain"


class Mummy(Named):
    DICER = "dicer"
    RUNNER = "runner"
    BRUTE = "brute"
    SNUFFER = "snuffer"
    BOSS = "Boss"  # whichever of the three it is


MUMMIES = Mummy.labels()[:Mummy.BOSS]  # those of the pile


class Boss(Named):
    EIGHT_HEARTS = "boss8"
    TEN_HEARTS = "boss10"
    TWELVE_HEARTS = "boss12"


class Hero(Named):
    DRAWER = "drawer"
    DIGGER = "digger"
    BRAWLER = "brawler"
    TORCHBEARER = "torchbearer"


class Token(Named):
    """The kinds of sarcophagus tokens."""

    TORCHES = "torches"
    ROOMS = "rooms"
    DOUBLE = "double"
    SHIELD = "shield"
    PASSAGE = "passage"
    TRAP = "trap"


class Face(Named):
    """The faces of a Combat Die."""

    BLANK = "blank"
    HIT = "hit"
    ABILITY = "ability"
    CARD = "card"
    FOOTPRINT = "footprint"


class Source(Named):
    """The sources of chance."""

    ROOM_DECK = "room deck"
    HERO_TILES = "hero tiles"
    BOSS_CARDS = "boss cards"
    MUMMY_PILE = "mummy pile"
    TOKEN_PILE = "sarcophagus pile"
    MUMMY_DIE = "mummy dice"
    COMBAT_DIE = "combat dice"
    WOUND = "cards lost to attacks"
    DISCARDS = "cards out of the discard pile"
    WAKING_ROOM = "waking room"
    PRINTING = "print of the rooms"
    POOL_ORDER = "order of the hidden pool"


class Kind(Named):
    """The kinds of decisions; `decisions` and `turn` tell them apart by this order."""

    HERO = "choose a hero"
    FIRST_PLAYER = "who plays first"
    WINDOW = "use a token"
    TELEPORT = "teleport to"
    OPENING = "open a wall"
    PATH = "path of a mummy"
    WAKING = "waking room"
    SPLIT = "split the damage"
    SHIELDING = "use a shield"
    DROP = "discard a card"
    ACTION = "action"
    SIDES = "secret passages"
    CARD = "room to lay"
    FUEL = "fuel card"
    COMMIT = "cards for dice"
    STRIKE = "mummy to strike"
    DIG = "dig for a token"
    FOOTSTEP = "footprint"
    MECHANISM = "mechanism"
    DOORWAY = "exit door"
    JOIN = "join the regrouping"
    OFFER = "offer a card"
    BURN = "torches to burn"
    SHARE = "share the pool"
    GIFT = "give a token"
    RESERVE = "reserve a hex"
    FLAG = "let the others know"


class Verb(Named):
    """What can be done at a window and in an action."""

    DONE = "no token now"
    EXPLORE = "explore"
    FIGHT = "fight"
    MOVE = "move"
    COOPERATE = "cooperate"
    PASS = "pass"
    USE = "use token"
    JUMP = "teleport with token"
    OPEN = "open a wall with token"


class Flag(Named):
    """What a player lets the others know of the hand."""

    UNSAID = "nothing said"
    CAN_FIGHT = "can fight"
    CANNOT_FIGHT = "cannot fight"
    LOW = "low on cards"


class Phase(IntEnum):
    """Where the turn stands: what `turn.run` does next. Between two decisions only."""

    TURN = 0
    START = 1
    ROLL = 2
    BEAT = 3
    STEP = 4
    ATTACK = 5
    SHIELDS = 6
    WOUNDS = 7
    WAKE = 8
    PHASE_END = 9
    ACT = 10
    DARK = 11
    LIGHT = 12
    DRAW = 13
    DIG_ROOM = 14
    TORCH_MECHANISM = 15
    DOOR_MECHANISM = 16
    DOOR = 17
    ROLL_COMBAT = 18
    DAMAGE = 19
    FACES_DONE = 20
    FEET = 21
    GATHER = 22
    OFFERS = 23
    TORCHES_BURNT = 24
    POOL = 25
    SHARES = 26
    GIFTS = 27
    ACTED = 28
    END = 29
    SIGNAL = 30
    BETWEEN = 31


class Ending(Named):
    """How a game ends; those in the Vault stand in the order of the mummies."""

    WON = "won"
    VAULT_DICER = "vault reached by dicer"
    VAULT_RUNNER = "vault reached by runner"
    VAULT_BRUTE = "vault reached by brute"
    VAULT_SNUFFER = "vault reached by snuffer"
    VAULT_BOSS = "vault reached by Boss"
    WOUNDED = "last card lost in an attack"
    EMPTY = "no card left to play on"
    REGROUPED = "no card left after cooperating"
    TURN_LIMIT = "turn limit"
