"""Giving clues: one clue-giver, one word, one trap list that is not seen, and the sand.

Every clue brings some content words; each may hit a trap, all together tell something. The
guessers find the word as soon as what they have been told reaches what this word asks of them.
"""

import math

import numpy as np

from hardmode.sim.draws import bits, note
from hardmode.sim.games.trapwords import names as n
from hardmode.sim.records import rule

GOING_ON, UNENDING = -1, 1e9
STEP = 8  # addresses between one word of random bits and the next: its parts are told apart in the log

# How the 64 bits of an address are shared out: of a word, of a clue with its guesses, of a turn by odds.
SCENE_BITS, FINE_BITS, COARSE_BITS, HALF = 28, 12, 10, 32
QUICK_AT, EASE_AT, FUSE_AT = 28, 40, 52
CLOCK_AT, FIRST_AT, SECOND_AT = 10, 20, 42


WORD_PARTS = SCENE_BITS | FINE_BITS << 6 | FINE_BITS << 12 | FINE_BITS << 18
TALK_PARTS = COARSE_BITS | COARSE_BITS << 6 | n.CHANCE_BITS << 12 | n.CHANCE_BITS << 18


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
def slip_of(box, effect):
    """What a clue burns of the fuse because it may be invalid."""
    return box.slip if effect.invalid <= box.invalid else -math.log(1 - min(effect.invalid, 0.999999))


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
    """The turn itself: clues and guesses until the word is found or something goes wrong.

    Each content word burns some of a fuse, and each clue a little more; the fuse is as long as an exponential
    law says, so that every word has its own chance to hit a trap, whatever came before.
    """
    effect, manner, now = table.effect[team], box.manner[giver], table.round
    word = bits(luck, n.Source.WORD, now, team, 0)
    if luck.log_on:
        note_parts(luck, word, n.Source.WORD, now, team, 0, WORD_PARTS)
    scene = (part(word, 0, SCENE_BITS) * box.scenes) >> SCENE_BITS
    ready = box.kappa[team] * hidden.skill[team, table.torch[team]] * (
        box.quick[part(word, QUICK_AT, FINE_BITS)] * box.ease[part(word, EASE_AT, FINE_BITS)])
    fuse = np.float64(box.fuse[part(word, FUSE_AT, FINE_BITS)])
    half, shelf, trappers = box.part[1 - team], box.shelf[table.length[team]], hidden.own[1 - team].list
    plain = min(box.sentence, effect.sentence, manner.sentence)
    pace, hold = min(box.word_time, effect.word_time) * effect.clue_time, max(manner.hold, effect.hold)
    style, slip, turning = min(manner.style, effect.style), slip_of(box, effect), manner.until * sand
    seconds = box.reading if box.timer_start == n.TimerStart.WITH_BOOK else 0.0
    plan = 0.0 if box.timer_start == n.TimerStart.FIRST_CLUE else manner.plan[0] * effect.clue_time
    hazard = box.library[half, shelf, trappers, manner.filter[0], scene, 0]
    worth = box.library[half, shelf, trappers, manner.filter[0], scene, 1]
    known, left, clues, wrong, beat, caught, end = 0.0, min(effect.budget, manner.budget), 0, 0, 0, False, GOING_ON
    while end == GOING_ON:
        word = bits(luck, n.Source.TALK, now, team, STEP * beat)
        if luck.log_on:
            note_parts(luck, word, n.Source.TALK, now, team, STEP * beat, TALK_PARTS)
        beat += 1
        if left > 0 and not (effect.freeze and wrong):
            if seconds > turning:
                turning, plan = UNENDING, manner.plan[1] * effect.clue_time
                hazard = box.library[half, shelf, trappers, manner.filter[1], scene, 0]
                worth = box.library[half, shelf, trappers, manner.filter[1], scene, 1]
            elif clues == 1:
                plan = manner.plan[0] * effect.clue_time
            words = min(left, np.int64(box.words[style, part(word, 0, COARSE_BITS)]))
            seconds += (plan + words * pace) * box.clock[part(word, CLOCK_AT, COARSE_BITS)]
            if seconds > sand:
                end = n.Cause.TIMER
                break
            clues += 1
            if not caught:
                fuse -= words * hazard
                caught = fuse < 0
                fuse -= slip
                if fuse < 0 and not (caught and box.retroactive):
                    end = n.Cause.TRAP if caught else n.Cause.INVALID
                    break
            known += information(plain, worth) * box.weight[words]
            left -= words
            if clues < hold and left > 0:
                continue
        else:
            seconds += box.pause
            if seconds > sand:
                end = n.Cause.TIMER
                break
        end, seconds, wrong = listen(box, effect, word, team, known * ready, sand, seconds, wrong)
    table.hazard[team], table.worth[team] = hazard, worth
    table.seconds[team], table.clues[team], table.wrong[team] = seconds, clues, wrong
    return n.Cause.TRAP if caught else end
