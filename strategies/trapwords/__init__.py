"""Strategies for Trapwords: how a team fills its trap list, and how its clue-giver speaks.

Each trapper and clue-giver of the game is a strategy of its own, with the other half of the team
as in `cautious`; `fixed` combines any two, `mixed` draws from them by chance.
"""

from hardmode.sim.draws import fraction
from hardmode.sim.games.trapwords.names import FAIL, GIVERS, TRAPPERS, Cause, Giver, Kind, Trapper
from hardmode.sim.records import rule
from hardmode.strategies.trapwords import weighed as ways
from hardmode.strategies.trapwords.recognition import find_last_list

LEAST_LENGTH = 0  # steady
SHORT, SHORT_IF_FEW, FEW = 0, 1, 2  # cunning and attentive
SHORT_IF_ANTICIPATED, SHORT_IF_PERSONAL = 3, 4  # attentive
GIVER, TRAPPER = 0, 1  # fixed
REACH, FIRST, SPEAKS = 0, 1, 2  # loophole
MIXED_TRAPPERS = GIVERS  # mixed: the givers' weights, then the trappers'
COIN = 0


# What a team falls back on where its own way is not open to it.
SPOKEN = tuple(map(int, (Giver.CAUTIOUS, Giver.OBLIQUE, Giver.ADAPTIVE, Giver.TERSE, Giver.PATIENT, Giver.NAIVE)))
TRAPPED = tuple(map(int, (
    Trapper.OBVIOUS, Trapper.SPLIT, Trapper.ANTICIPATE, Trapper.PERSONAL, Trapper.SECOND, Trapper.COVER)))


@rule
def place_of(options, n, way):
    """Where a way stands among the options, or -1."""
    for i in range(n):
        if options[i] == way:
            return i
    return -1


@rule
def instead(options, n, ways):
    """The place of the first of these ways that is open."""
    for i in range(len(ways)):
        found = place_of(options, n, ways[i])
        if found >= 0:
            return found
    return 0


@rule
def team_of(table, options, n, trappers, giver):
    """The place of the team's way, which is its number where all are open; of a sensible one where it is not open."""
    way = trappers if table.kind == Kind.TRAPS else giver
    if way < n and options[way] == way:
        return way
    found = place_of(options, n, way)
    if found >= 0:
        return found
    return instead(options, n, TRAPPED if table.kind == Kind.TRAPS else SPOKEN)


def cautious(box, table, own, options, n, luck, weights):
    """Cautious clue-giver, the most obvious traps: what a table does after its first practice round."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.CAUTIOUS)


def naive(box, table, own, options, n, luck, weights):
    """Says what comes to mind; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.NAIVE)


def oblique(box, table, own, options, n, luck, weights):
    """Goes a long way round every obvious word; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.OBLIQUE)


def adaptive(box, table, own, options, n, luck, weights):
    """Oblique at first, cautious once the sand runs low; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.ADAPTIVE)


def terse(box, table, own, options, n, luck, weights):
    """Oblique in short clues; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.TERSE)


def contrarian(box, table, own, options, n, luck, weights):
    """Oblique, but now and then naive; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.CONTRARIAN)


def second(box, table, own, options, n, luck, weights):
    """Traps that skip the two most obvious words; cautious clue-giver."""
    return team_of(table, options, n, Trapper.SECOND, Giver.CAUTIOUS)


def anticipate(box, table, own, options, n, luck, weights):
    """Traps for one who avoids the obvious; cautious clue-giver."""
    return team_of(table, options, n, Trapper.ANTICIPATE, Giver.CAUTIOUS)


def split(box, table, own, options, n, luck, weights):
    """Half of the traps obvious, half further off; cautious clue-giver."""
    return team_of(table, options, n, Trapper.SPLIT, Giver.CAUTIOUS)


def cover(box, table, own, options, n, luck, weights):
    """Traps drawn from all that came up, hard to predict; cautious clue-giver."""
    return team_of(table, options, n, Trapper.COVER, Giver.CAUTIOUS)


def personal(box, table, own, options, n, luck, weights):
    """Obvious traps for this very clue-giver, whom the trappers know; cautious clue-giver."""
    return team_of(table, options, n, Trapper.PERSONAL, Giver.CAUTIOUS)


def personal_anticipate(box, table, own, options, n, luck, weights):
    """Traps for what this very clue-giver will avoid and say; cautious clue-giver."""
    return team_of(table, options, n, Trapper.PERSONAL_ANTICIPATE, Giver.CAUTIOUS)


def patient(box, table, own, options, n, luck, weights):
    """Heard out for some clues before anybody guesses; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.PATIENT)


def blunt(box, table, own, options, n, luck, weights):
    """Just the plainest words, which is what the traps are for; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.BLUNT)


def chatty(box, table, own, options, n, luck, weights):
    """Long clues of all that comes to mind; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.CHATTY)


def aimless(box, table, own, options, n, luck, weights):
    """Whatever has to do with the word, in no sentence; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.AIMLESS)


def curt(box, table, own, options, n, luck, weights):
    """One word and no more; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.CURT)


def tardy(box, table, own, options, n, luck, weights):
    """Nobody guesses before the sand runs low; the most obvious traps."""
    return team_of(table, options, n, Trapper.OBVIOUS, Giver.TARDY)


def stray(box, table, own, options, n, luck, weights):
    """Any words for traps that have to do with the secret one; cautious clue-giver."""
    return team_of(table, options, n, Trapper.STRAY, Giver.CAUTIOUS)


def repeat(box, table, own, options, n, luck, weights):
    """One idea in all its forms for a trap list; cautious clue-giver."""
    return team_of(table, options, n, Trapper.REPEAT, Giver.CAUTIOUS)


def steady(box, table, own, options, n, luck, weights):
    """Goes a long way round; traps for those who do, once the list is long enough for them."""
    long = table.length[1 - table.seat] >= weights[LEAST_LENGTH]
    return team_of(table, options, n, Trapper.ANTICIPATE if long else Trapper.OBVIOUS, Giver.OBLIQUE)


def cunning(box, table, own, options, n, luck, weights):
    """Traps for this very clue-giver; long ways round in short clues, as list and cards ask for.

    Short clues meet fewer traps where the list is long, but need more guesses. With hardly a guess, listen first.
    """
    effect = table.effect[table.seat]
    short = weights[SHORT_IF_FEW] if effect.freeze or effect.guesses < box.guesses else weights[SHORT]
    giver = Giver.TERSE if table.length[table.seat] >= short else Giver.OBLIQUE
    giver = Giver.PATIENT if effect.guesses <= weights[FEW] else giver
    return team_of(table, options, n, Trapper.PERSONAL_ANTICIPATE, giver)


def attentive(box, table, own, options, n, luck, weights):
    """As `cunning`, but with few guesses it remembers the last list against it: some lists trap long clues less."""
    if table.kind == Kind.TRAPS:
        return team_of(table, options, n, Trapper.PERSONAL_ANTICIPATE, Giver.OBLIQUE)
    effect, short = table.effect[table.seat], weights[SHORT]
    if effect.freeze or effect.guesses < box.guesses:
        short, met = weights[SHORT_IF_FEW], find_last_list(box, table, table.seat)
        if met == Trapper.ANTICIPATE:
            short = weights[SHORT_IF_ANTICIPATED]
        elif met == Trapper.PERSONAL_ANTICIPATE:
            short = weights[SHORT_IF_PERSONAL]
    giver = Giver.TERSE if table.length[table.seat] >= short else Giver.OBLIQUE
    giver = Giver.PATIENT if effect.guesses <= weights[FEW] else giver
    return team_of(table, options, n, Trapper.PERSONAL_ANTICIPATE, giver)


def fixed(box, table, own, options, n, luck, weights):
    """Always the same two ways, by their numbers: giver 0 to 11, trapper 0 to 8."""
    return team_of(table, options, n, min(int(weights[TRAPPER]), TRAPPERS - 1), min(int(weights[GIVER]), GIVERS - 1))


def mixed(box, table, own, options, n, luck, weights):
    """One way or another by chance, each as often as its weight says."""
    traps = table.kind == Kind.TRAPS
    first, many = (MIXED_TRAPPERS, TRAPPERS) if traps else (0, GIVERS)
    total = 0.0
    for i in range(many):
        total += weights[first + i]
    left = fraction(luck, COIN, 0, 0, 0) * total
    for i in range(many):
        left -= weights[first + i]
        if left < 0:
            return team_of(table, options, n, i, i)
    return 0


@rule
def pulls(table, seat, reach, even_first):
    """Whether a failure now can bring the monster a room nearer at no other cost."""
    if table.faces[0] or table.faces[1] or table.position[seat] < table.position[1 - seat]:
        return False
    if table.monster_at - table.position[seat] > reach:
        return False
    return table.cause[1 - seat] != Cause.SUCCESS if table.played else even_first


def loophole(box, table, own, options, n, luck, weights):
    """Fails on purpose where that lets the monster come, when the other team has failed too; cautious otherwise."""
    fail = place_of(options, n, FAIL) if table.kind == Kind.CLUES else -1
    if fail >= 0 and pulls(table, table.seat, weights[REACH], weights[FIRST] > 0):
        return fail
    return team_of(table, options, n, Trapper.OBVIOUS, min(int(weights[SPEAKS]), GIVERS - 1))


STRATEGIES = {
    "beginner": cautious, "steady": steady, "cunning": cunning, "weighed": ways.weighed,
    "attentive": attentive, "former_expert": ("search", "trained", 48),
    "naive": naive, "cautious": cautious, "oblique": oblique, "adaptive": adaptive, "terse": terse,
    "contrarian": contrarian, "patient": patient, "blunt": blunt, "chatty": chatty, "aimless": aimless, "curt": curt,
    "tardy": tardy,
    "obvious": cautious, "second": second, "anticipate": anticipate, "split": split, "cover": cover,
    "personal": personal, "personal_anticipate": personal_anticipate, "stray": stray, "repeat": repeat,
    "noisy": cover, "familiar": personal, "group": cautious,
    "fixed": fixed, "mixed": mixed, "loophole": loophole, "retreat": loophole,
}
WEIGHTS = {
    "steady": {"least_length": 4.0},
    "weighed": ways.WEIGHTS,
    "cunning": {"short_clues": 3.0, "short_clues_if_few_guesses": 5.0, "few_guesses": 1.0},
    "attentive": {"short_clues": 3.0, "short_clues_if_few_guesses": 9.0, "few_guesses": 1.0,
                  "short_clues_if_few_and_anticipated": 6.0, "short_clues_if_few_and_personal": 5.0},
    "fixed": {"giver": 1.0, "trapper": 0.0},
    "mixed": {**{f"giver_{name}": 1.0 for name in Giver.labels()},
              **{f"trapper_{name.replace(' ', '_')}": 1.0 for name in Trapper.labels()}},
    "loophole": {"reach": 1.0, "even_first": 0.0, "giver": 1.0},
    "retreat": {"reach": 99.0, "even_first": 1.0, "giver": 1.0},
}
RANGES = {"weighed": ways.RANGES}
