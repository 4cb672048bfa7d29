"""What kind of option one is, for those who study choices."""

from collections.abc import Sequence

import hardmode.sim.games.run_run_run.cooperate as cooperate
import hardmode.sim.games.run_run_run.explore as explore
import hardmode.sim.games.run_run_run.fight as fight
import hardmode.sim.games.run_run_run.mechanisms as mechanisms
from hardmode.sim.games.run_run_run.names import ARGUMENTS, Flag, Hero, Kind, Mark, Mummy, Token, Verb
from hardmode.sim.names import Named
from hardmode.sim.records import rule


class Answer(Named):
    """Of the decisions that are more than a place or a card."""

    NO_SHIELD = "no shield"
    SHIELD = "use a shield"
    NO_DIG = "do not dig"
    DIG = "dig for a token"
    STAY_OUT = "stay out of the regrouping"
    JOIN = "join the regrouping"
    NO_MORE_SIDES = "no more passages"
    SIDE = "use a secret passage"
    ROLL = "roll the dice"
    COMMIT = "a card for more dice"
    DOUBLE = "use token double"
    STAND = "stay after a footprint"
    FOOTSTEP = "step by a footprint"
    NO_MECHANISM = "no mechanism"
    TORCH_MECHANISM = "torch mechanism"
    DOOR_MECHANISM = "door mechanism"
    NO_OFFER = "offer no more"
    OFFER = "offer a card"
    NO_BURN = "burn no torch"
    BURN = "burn torches"
    NO_GIFT = "give no token"
    GIFT = "give a token"
    NO_RESERVE = "reserve no hex"
    RESERVE = "reserve a hex"


# Where the labels of each part begin; before them stand those of decisions all of whose options are of one kind.
VERBS = len(Kind)
USES = VERBS + len(Verb)
HEROES = USES + len(Token)
ROOMS = HEROES + len(Hero)
STRIKES = ROOMS + len(Mark)
FLAGS = STRIKES + len(Mummy)
ANSWERS = FLAGS + len(Flag)
LABELS = ANSWERS + len(Answer)


@rule
def label(box, table, own, option):
    """The verb of an action, which token, which hero, what a Room bears, whom to strike, what is answered."""
    kind = table.kind
    if kind in (Kind.ACTION, Kind.WINDOW):
        verb = option // ARGUMENTS
        return USES + box.token_kind[option % ARGUMENTS] if verb == Verb.USE else VERBS + verb
    if kind == Kind.HERO:
        return HEROES + option
    if kind == Kind.CARD:
        return ROOMS + table.mark[option // 64]
    if kind == Kind.STRIKE:
        return STRIKES + option
    if kind == Kind.FLAG:
        return FLAGS + option
    answer = answered(kind, option)
    return kind if answer < 0 else ANSWERS + answer


@rule
def answered(kind, option):
    """What an option answers; -1 for a mere place, card or player."""
    if kind == Kind.SHIELDING:
        return Answer.NO_SHIELD + option
    if kind == Kind.DIG:
        return Answer.NO_DIG + option
    if kind == Kind.JOIN:
        return Answer.STAY_OUT + option
    if kind == Kind.SIDES:
        return Answer.SIDE - (option == explore.NO_MORE)
    if kind == Kind.COMMIT:
        return Answer.DOUBLE if option == fight.SPEND_DOUBLE else Answer.COMMIT - (option == fight.ROLL_NOW)
    if kind == Kind.FOOTSTEP:
        return Answer.FOOTSTEP - (option == fight.STAY)
    if kind == Kind.MECHANISM:
        if option == mechanisms.NEITHER:
            return Answer.NO_MECHANISM
        return Answer.TORCH_MECHANISM + (option >= mechanisms.DOOR_SIDE)
    return shared(kind, option)


@rule
def shared(kind, option):
    """What is answered in a Cooperate, and told to the others."""
    if kind == Kind.OFFER:
        return Answer.OFFER - (option == cooperate.NO_MORE)
    if kind == Kind.BURN:
        return Answer.NO_BURN + (option > 0)
    if kind == Kind.GIFT:
        return Answer.GIFT - (option == cooperate.KEEP)
    if kind == Kind.RESERVE:
        return Answer.NO_RESERVE + (option >= 0)
    return -1


def name(number: int, mummies: Sequence[str]) -> str:
    """The label in words, by the names of the mummies and the Boss."""
    told = (*Kind.labels(), *Verb.labels(), *(f"use token {t}" for t in Token.labels()),
            *(f"choose the {h}" for h in Hero.labels()), *(f"lay a Room: {m}" for m in Mark.labels()),
            *(f"strike the {m}" for m in mummies), *(f"tell: {f}" for f in Flag.labels()), *Answer.labels())
    return told[number]
