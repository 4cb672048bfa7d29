"""Giving clues: one clue-giver, one word, one trap list that is not seen, and the sand.

Every clue brings some content words; each may hit a trap, all together tell something. The
guessers find the word as soon as what they have been told reaches what this word asks of them.
"""

import math
from typing import Any, NamedTuple

import numpy as np

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.draws import bits, note
from hardmode.sim.records import rule

GOING_ON, UNENDING = -1, 1e9
STEP = 8  # addresses between one word of random bits and the next: its parts are told apart in the log

# How the 64 bits of an address are shared out: of a word, of a clue with its guesses, of a turn by odds.
SCENE_BITS, FINE_BITS, COARSE_BITS, HALF = 28, 12, 10, 32
QUICK_AT, EASE_AT, FUSE_AT = 28, 40, 52
CLOCK_AT, FIRST_AT, SECOND_AT = 10, 20, 42
WORD_PARTS = SCENE_BITS | FINE_BITS << 6 | FINE_BITS << 12 | FINE_BITS << 18
TALK_PARTS = COARSE_BITS | COARSE_BITS << 6 | n.CHANCE_BITS << 12 | n.CHANCE_BITS << 18


class Secret(NamedTuple):
    """A word that one team has to find, under the list that the other has written."""

    fuse: Any  # how much of it the clue-giver may burn
    ready: Any  # how much of what is told counts, until it is enough
    half: Any  # where its scene stands in the library: the trapping team,
    shelf: Any  # the length of its list,
    trappers: Any  # how it was filled,
    scene: Any


class Speech(NamedTuple):
    """How a clue-giver speaks in this turn, as far as the cards let him."""

    style: Any  # row of the table of content words a clue
    pace: Any  # seconds a content word
    plain: Any  # share of information that does not hang on the words chosen
    slip: Any  # what a clue burns of the fuse because it may be invalid
    hold: Any  # clues before the first guess


@rule
def part(word, first, wide):
    """Some of the bits of an address, as a number."""
    return np.int64((word >> np.uint64(first)) & np.uint64((1 << wide) - 1))


@rule
def note_parts(luck, word, where, now, team, c, wide):
    """Log what an address was shared out to: `wide` holds the widths, six bits each, the first part lowest."""
    first = 0
    while wide:
        note(luck, where, now, team, c, 1 << (wide & 63), part(word, first, wide & 63))
        first += wide & 63
        wide >>= 6
        c += 1


@rule
def secret_word(box, table, hidden, team, word):
    """The word, its clue-giver and its trap list, by the bits of chance."""
    ready = box.kappa[team] * hidden.skill[team, table.torch[team]] * (
        box.quick[part(word, QUICK_AT, FINE_BITS)] * box.ease[part(word, EASE_AT, FINE_BITS)])
    return Secret(np.float64(box.fuse[part(word, FUSE_AT, FINE_BITS)]), ready, box.part[1 - team],
                  box.shelf[table.length[team]], hidden.own[1 - team].list,
                  (part(word, 0, SCENE_BITS) * box.scenes) >> SCENE_BITS)


@rule
def way_of_speaking(box, effect, manner):
    slip = box.slip if effect.invalid <= box.invalid else -math.log(1 - min(effect.invalid, 0.999999))
    return Speech(min(manner.style, effect.style), min(box.word_time, effect.word_time) * effect.clue_time,
                  min(box.sentence, effect.sentence, manner.sentence), slip,
                  max(manner.hold, effect.hold))


@rule
def first_thought(box, effect, manner):
    """The planning of the first clue; by one way of adjusting the timer it goes before the sand is turned."""
    return 0.0 if box.timer_start == n.TimerStart.FIRST_CLUE else manner.plan[0] * effect.clue_time


@rule
def in_scene(box, secret, words):
    """The hazard of a content word and what it tells, for one way of choosing words."""
    return (box.hazard[secret.half, secret.shelf, secret.trappers, words, secret.scene],
            box.worth[secret.shelf, words, secret.scene])


@rule
def burn(box, speech, fuse, caught, spark):
    """What a clue does to the fuse: what is left of it, whether a trap was hit, how the turn stands.

    `spark` is the hazard of its content words. A trap that is called in doubt lets the turn be finished.
    """
    if caught:
        return fuse, True, GOING_ON
    fuse -= spark
    caught = fuse < 0
    fuse -= speech.slip
    if fuse >= 0 or (caught and box.retroactive):
        return fuse, caught, GOING_ON
    return fuse, caught, n.Cause.TRAP if caught else n.Cause.INVALID


@rule
def information(plain, worth):
    """What a usual clue adds to what the guessers know, when a share of it does not hang on the words chosen."""
    return plain + (1 - plain) * worth


@rule
def listen(box, effect, word, team, enough, sand, seconds, wrong):
    """Two chances for a guess: how the turn stands after them, the sand used, the wrong guesses.

    `enough` is what was told, against what this word asks for.
    """
    tries = np.int64(part(word, FIRST_AT, n.CHANCE_BITS) < box.guess_1) + np.int64(
        part(word, SECOND_AT, n.CHANCE_BITS) < box.guess_2[team])
    for _ in range(tries):
        seconds += box.guess_time
        if seconds > sand:
            return n.Cause.TIMER, seconds, wrong
        if enough * box.insight[wrong] >= 1:
            return n.Cause.SUCCESS, seconds, wrong
        wrong += 1
        if wrong >= effect.guesses:
            return n.Cause.GUESSES, seconds, wrong
    return GOING_ON, seconds, wrong


@rule
def talk(box, table, hidden, luck, team, giver, sand):
    """Clues and guesses until the word is found or something goes wrong.

    Each content word burns some of a fuse, and each clue a little more; the fuse is as long as an exponential
    law says, so that every word has its own chance to hit a trap, whatever came before.
    The bits are drawn and logged here: a helper that logs is not inlined, which costs a turn 6 % of its speed.
    """
    effect, manner, now = table.effect[team], box.manner[giver], table.round
    word = bits(luck, n.Source.WORD, now, team, 0)
    if luck.log_on:
        note_parts(luck, word, n.Source.WORD, now, team, 0, WORD_PARTS)
    secret = secret_word(box, table, hidden, team, word)
    speech = way_of_speaking(box, effect, manner)
    seconds = box.reading if box.timer_start == n.TimerStart.WITH_BOOK else 0.0
    plan, turning = first_thought(box, effect, manner), manner.until * sand
    hazard, worth = in_scene(box, secret, manner.filter[0])
    fuse, known, left = secret.fuse, 0.0, min(effect.budget, manner.budget)
    beat, clues, wrong, caught, end = 0, 0, 0, False, GOING_ON
    while end == GOING_ON:
        word, words = bits(luck, n.Source.TALK, now, team, STEP * beat), 0
        if luck.log_on:
            note_parts(luck, word, n.Source.TALK, now, team, STEP * beat, TALK_PARTS)
        beat += 1
        if left > 0 and not (effect.freeze and wrong):
            if seconds > turning:
                turning, plan = UNENDING, manner.plan[1] * effect.clue_time
                hazard, worth = in_scene(box, secret, manner.filter[1])
            elif clues == 1 and turning < UNENDING:
                plan = manner.plan[0] * effect.clue_time
            words = min(left, np.int64(box.words[speech.style, part(word, 0, COARSE_BITS)]))
            seconds += (plan + words * speech.pace) * box.clock[part(word, CLOCK_AT, COARSE_BITS)]
        else:
            seconds += box.pause
        if seconds > sand:
            end = n.Cause.TIMER
            break
        if words:
            clues, left = clues + 1, left - words
            known += information(speech.plain, worth) * box.weight[words]
            fuse, caught, end = burn(box, speech, fuse, caught, words * hazard)
            if end != GOING_ON or (clues < speech.hold and left > 0):
                continue
        end, seconds, wrong = listen(box, effect, word, team, known * secret.ready, sand, seconds, wrong)
    table.hazard[team], table.worth[team] = hazard, worth
    table.seconds[team], table.clues[team], table.wrong[team] = seconds, clues, wrong
    return n.Cause.TRAP if caught else end
