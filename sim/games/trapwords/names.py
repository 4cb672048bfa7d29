"""The numbers that name things in Trapwords, each made together with its printed name."""

from enum import IntEnum

from hardmode.sim.names import Named

A, B, NOBODY = 0, 1, -1  # the teams; `1 - team` is the other one
TEAM_NAMES = ("team A", "team B")


class Ending(Named):
    A_WINS = "team A wins"
    B_WINS = "team B wins"
    BOTH_WIN = "both teams win"
    MONSTER_WINS = "the monster wins"


class Kind(Named):
    """Of a decision."""

    TRAPS = "write the trap list"
    CLUES = "give clues"


class Trapper(Named):
    """How a team fills its trap list. Thought goes into the first seven, the last two are silly."""

    OBVIOUS = "obvious"
    SECOND = "second"
    ANTICIPATE = "anticipate"
    SPLIT = "split"
    COVER = "cover"
    PERSONAL = "personal"
    PERSONAL_ANTICIPATE = "personal anticipate"
    STRAY = "stray"  # any words that have to do with the secret one
    REPEAT = "repeat"  # one idea, over and over


class Giver(Named):
    """How a clue-giver speaks. Thought goes into the first seven, the others are silly."""

    NAIVE = "naive"
    CAUTIOUS = "cautious"
    OBLIQUE = "oblique"
    ADAPTIVE = "adaptive"
    TERSE = "terse"
    CONTRARIAN = "contrarian"
    PATIENT = "patient"  # whose team listens before it guesses
    BLUNT = "blunt"  # just the plainest words
    CHATTY = "chatty"  # all that comes to mind
    AIMLESS = "aimless"  # anything that has to do with the word
    CURT = "curt"  # one word and no more
    TARDY = "tardy"  # whose team does not guess before the sand runs low


TRAPPERS, GIVERS = len(Trapper), len(Giver)
FAIL = GIVERS  # the option after these: failing on purpose, where the table allows it


class Filter(IntEnum):
    """Which words a clue-giver prefers: the rows of the library of scenes."""

    ANY = 0
    SHY = 1
    FAR = 2
    PLAIN = 3
    STRAY = 4


class Cause(Named):
    """How a turn ends."""

    SUCCESS = "success"
    TRAP = "trap"
    INVALID = "invalid clue"
    GUESSES = "wrong guesses"
    TIMER = "timer"
    OTHER = "card or odds"
    PURPOSE = "on purpose"


class Monster(Named):
    """By the names in box.yaml; the first five are the figures in the box."""

    VAMPIRE = "vampire"
    MUMMY = "mummy"
    DRAGON = "dragon"
    TROLL = "troll"
    DEMON = "demon"
    OWN = "own"
    NONE = "none"


MONSTERS, IN_BOX = 16, 5  # the most, with those of one's own that stand behind NONE; and the figures in the box
ANY_MONSTER = -1  # to be drawn from those in the box, and one's own


class Deck(Named):
    """Of the monster's card."""

    NORMAL = "normal"
    STARRED = "starred"


ANY_DECK = len(Deck)


class Curse(Named):
    """By the names in box.yaml. The number of a curse is also its bit in a pile."""

    FLOOD = "flood"
    PETRIFICATION = "petrification"
    ECHO = "echo"
    FEEBLE_MINDED = "feeble_minded"
    FORBIDDEN_WORD = "forbidden_word"
    LETTER_BAN = "letter_ban"
    EXTRA_TRAPS = "extra_traps"
    FEWER_GUESSES = "fewer_guesses"
    HASTE = "haste"
    UNKNOWN = "unknown"


# Cards: 0 is no card, then the curses, the ten of the box and one's own, then the monsters, normal and starred in turn.
NO_CARD, FIRST_CURSE, CURSES = 0, 1, 20
FIRST_MONSTER = FIRST_CURSE + CURSES
CARDS = FIRST_MONSTER + len(Deck) * MONSTERS


class Source(Named):
    """Of chance."""

    GLOW = "glowing book"
    MONSTER_CARD = "monster cards"
    CURSE_CARD = "curse cards"
    SKILL = "skill of the players"
    WORD = "word and people"
    TALK = "clues and guesses"
    WHIM = "contrarian's whim"
    CARD_LUCK = "luck under a card"
    SET_BACK = "forbidden word hit"
    ODDS = "given odds"
    MIND = "guessing at hidden lists"


ADDRESSES = {
    Source.MONSTER_CARD: ("0 which, 1 starred", "", ""),
    Source.CURSE_CARD: ("how many were taken before", "", ""),
    Source.SKILL: ("team", "", "player"),
    Source.WORD: ("round", "team", "part"),
    Source.TALK: ("round", "team", "8 x beat + part"),
    Source.WHIM: ("round", "team", ""),
    Source.CARD_LUCK: ("round", "team", ""),
    Source.SET_BACK: ("round", "team", ""),
    Source.ODDS: ("round", "team", "0 success, 1 time"),
}


# Switches with more than two readings, by their words in box.yaml; the others are yes or no (see `box.SWITCHES`).


class FirstBook(Named):
    RANDOM = "random"
    TEAM_A = "team_a"
    TEAM_B = "team_b"


class TimerStart(Named):
    AFTER_READING = "after_reading"
    WITH_BOOK = "with_book"
    FIRST_CLUE = "first_clue"


class ForbiddenWord(Named):
    PLAIN_EXTRA_TRAP = "plain_extra_trap"
    BACK_ON_HIT = "back_on_hit"
    BACK_ON_ANY_FAIL = "back_on_any_fail"


NAME = 24  # letters of the name of a card
MOST_ROOMS, MOST_ROUNDS, MOST_MEMBERS, MOST_GUESSES = 7, 16, 8, 10
HIGHEST_ROOM = 10
LED_ROUNDS = 4  # the first rounds, after which the leader is noted
MOST_TRAPS = 26
MOST_SCENES = 2000
MOST_WORDS = 31  # content words in one clue
SHELVES = MOST_TRAPS  # of the library: one for each list length that a box can bring about
MOST_STYLES = 3 + CARDS  # ways of talking that differ in words per clue
FINE, COARSE, SPREAD = 4096, 1024, 256  # entries of the quantile tables

CHANCE_BITS = 22
CHANCES = 1 << CHANCE_BITS  # chances of a guess are whole numbers out of so many
