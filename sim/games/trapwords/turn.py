"""A turn: one clue-giver, one word, one trap list that is not seen, and the sand.

Every clue brings some content words; each may hit a trap, all together tell something. The
guessers find the word as soon as what they have been told reaches what this word asks of them.
"""

import numpy as np

from sim.draws import bits, fraction, note
from sim.games.trapwords.tables import (
    ADAPTIVE,
    CARD_LUCK,
    CAUTIOUS,
    CLUE,
    CONTRARIAN,
    FAIL,
    FROM_BOOK,
    FROM_CLUE,
    GUESS,
    GUESSES,
    INVALID,
    NAIVE,
    OBLIQUE,
    ODDS,
    OTHER,
    PURPOSE,
    SUCCESS,
    TERSE,
    TIMER,
    TRAP,
    WHIM,
    WORD,
)
from sim.records import rule

GOING_ON = -1
STEP = 8  # addresses between one word of random bits and the next: its parts are told apart in the log

# How the 64 bits of an address are shared out: (first bit, how many).
SCENE_AT, SCENE_BITS = 0, 32
QUICK_AT, EASE_AT, FINE_BITS = 32, 44, 12
TALK_AT, CLOCK_AT, COARSE_BITS = 0, 10, 10
TRAP_AT, INVALID_AT, FAULT_BITS = 20, 42, 22
FIRST_AT, SECOND_AT, CHANCE_BITS = 0, 32, 32


@rule
def part(luck, word, first, wide, where, a, b, c):
    """Some of the bits of an address, as a number; logged like a draw of its own."""
    value = np.int64((word >> np.uint64(first)) & np.uint64((1 << wide) - 1))
    if luck.log_on:
        note(luck, where, a, b, c, 1 << wide, value)
    return value


@rule
def chance(luck, word, first, wide, where, a, b, c):
    """Some of the bits of an address, as a fraction."""
    return part(luck, word, first, wide, where, a, b, c) / (1 << wide)


@rule
def way_of_talking(box, policy, seconds, sand):
    """Which filter a clue-giver chooses words by."""
    if policy == ADAPTIVE:
        return OBLIQUE if seconds <= box.switch_at * sand else CAUTIOUS
    return OBLIQUE if policy == TERSE else policy


@rule
def content_words(box, effect, policy, left, chance):
    """How many content words a clue has, from a number below COARSE."""
    style = box.terse_style if policy == TERSE else box.base_style
    return min(left, box.words[min(style, effect.style), chance])


@rule
def clue_time(box, effect, manner, words, chance, first):
    """Seconds for a clue, from a number below COARSE."""
    plan = 0.0 if first and box.timer_start == FROM_CLUE else box.plan[manner]
    mean = plan + words * min(box.word_time, effect.word_time)
    return mean * effect.clue_time * box.clock[chance]


@rule
def power(x, n):
    """x to the power of a whole number below 32, without a branch that hangs on luck."""
    x2 = x * x
    x4 = x2 * x2
    x8 = x4 * x4
    low = (x if n & 1 else 1.0) * (x2 if n & 2 else 1.0)
    return low * (x4 if n & 4 else 1.0) * (x8 if n & 8 else 1.0) * (x8 * x8 if n & 16 else 1.0)


@rule
def hits_a_trap(box, hazard, words, chance):
    """Whether one of the words of a clue lies in the trap list and is noticed."""
    return chance < 1 - power(1 - box.notice * hazard, words)


@rule
def told(box, effect, worth, words):
    """What a clue adds to what the guessers know."""
    plain = min(box.sentence, effect.sentence)
    return (plain + (1 - plain) * worth) * box.weight[words]


@rule
def listen(box, effect, luck, now, team, pair, sand, enough, seconds, wrong):
    """Two chances for a guess: how the turn stands after them, the sand used, the wrong guesses.

    `enough` is what was told, against what this word asks for.
    """
    c = STEP * pair
    word = bits(luck, GUESS, now, team, c)
    for guess in range(2):
        at, most = (FIRST_AT, box.guess_1) if guess == 0 else (SECOND_AT, box.guess_2[team])
        if chance(luck, word, at, CHANCE_BITS, GUESS, now, team, c + guess) >= most:
            continue
        seconds += box.guess_time
        if seconds > sand:
            return TIMER, seconds, wrong
        if enough * box.insight[wrong] >= 1:
            return SUCCESS, seconds, wrong
        wrong += 1
        if wrong >= effect.guesses:
            return GUESSES, seconds, wrong
    return GOING_ON, seconds, wrong


@rule
def fault(box, effect, luck, word, now, team, c, hazard, words):
    """What is wrong with a clue: it hits a trap, it is invalid, or nothing (GOING_ON)."""
    if hits_a_trap(box, hazard, words, chance(luck, word, TRAP_AT, FAULT_BITS, CLUE, now, team, c + 2)):
        return TRAP
    if chance(luck, word, INVALID_AT, FAULT_BITS, CLUE, now, team, c + 3) < max(box.invalid, effect.invalid):
        return INVALID
    return GOING_ON


@rule
def readiness(box, table, hidden, luck, team, word):
    """One over what this word asks to be told, by this clue-giver and on this occasion."""
    now = table.round
    ease = box.ease[part(luck, word, EASE_AT, FINE_BITS, WORD, now, team, 2)]
    quick = box.quick[part(luck, word, QUICK_AT, FINE_BITS, WORD, now, team, 1)]
    return box.kappa[team] * hidden.skill[team, table.torch[team]] * ease * quick


@rule
def talk(box, table, hidden, luck, team, policy, sand):
    """The turn itself: clues and guesses until the word is found or something goes wrong."""
    effect, now = table.effect[team], table.round
    word = bits(luck, WORD, now, team, 0)
    scene = (part(luck, word, SCENE_AT, SCENE_BITS, WORD, now, team, 0) * box.scenes) >> SCENE_BITS
    ready = readiness(box, table, hidden, luck, team, word)
    half, shelf, trappers = box.part[1 - team], box.shelf[table.length[team]], hidden.own[1 - team].list
    seconds = box.reading if box.timer_start == FROM_BOOK else 0.0
    known, left, clues, wrong, pair, caught, end = 0.0, effect.budget, 0, 0, 0, False, GOING_ON
    while end == GOING_ON:
        if left > 0 and not (effect.freeze and wrong):
            c = STEP * clues
            manner = way_of_talking(box, policy, seconds, sand)
            word = bits(luck, CLUE, now, team, c)
            words = content_words(box, effect, policy, left, part(luck, word, TALK_AT, COARSE_BITS, CLUE, now, team, c))
            beat = part(luck, word, CLOCK_AT, COARSE_BITS, CLUE, now, team, c + 1)
            seconds += clue_time(box, effect, manner, words, beat, clues == 0)
            if seconds > sand:
                end = TIMER
                break
            clues += 1
            table.hazard[team] = box.library[half, shelf, trappers, scene, 2 * manner]
            table.worth[team] = box.library[half, shelf, trappers, scene, 2 * manner + 1]
            wrong_word = fault(box, effect, luck, word, now, team, c, table.hazard[team], words)
            caught |= wrong_word == TRAP
            if wrong_word == INVALID or (wrong_word == TRAP and not box.retroactive):
                end = wrong_word
                break
            known += told(box, effect, table.worth[team], words)
            left -= words
            if clues < effect.hold and left > 0:
                continue
        else:
            seconds += box.pause
        end, seconds, wrong = listen(box, effect, luck, now, team, pair, sand, known * ready, seconds, wrong)
        pair += 1
    table.seconds[team], table.clues[team], table.wrong[team] = seconds, clues, wrong
    return TRAP if caught else end


@rule
def by_odds(box, table, luck, team, sand):
    """A turn given as a chance of success for the room alone."""
    table.seconds[team] = sand * fraction(luck, ODDS, table.round, team, 1)
    p = box.odds[team, box.rooms[table.position[team]]]
    if table.active[team] or table.drawn[team]:
        p *= box.odds_cursed
    if table.faces[team]:
        p *= box.odds_monster[table.starred]
    return SUCCESS if fraction(luck, ODDS, table.round, team, 0) < p * box.handicap[team] else OTHER


@rule
def play_turn(box, table, hidden, luck, team, policy):
    """How a team's turn ends, and in table.seconds how long it took."""
    effect = table.effect[team]
    table.seconds[team], table.clues[team], table.wrong[team] = 0.0, 0, 0
    if policy == FAIL:
        return PURPOSE
    sand = min(box.timer * effect.timer, effect.sand)
    full = sand
    other = 1 - team
    race = box.fastest and table.played == 1 and table.faces[other] and table.faces[team] and (
        table.cause[other] == SUCCESS)
    if race:
        sand = min(sand, table.seconds[other])
    if not box.full:
        end = by_odds(box, table, luck, team, full)
    else:
        if policy == CONTRARIAN:
            policy = NAIVE if fraction(luck, WHIM, table.round, team, 0) < box.psi else OBLIQUE
        end = talk(box, table, hidden, luck, team, policy, sand)
        factor = effect.success * box.handicap[team]
        if end == SUCCESS and factor < 1 and fraction(luck, CARD_LUCK, table.round, team, 0) >= factor:
            end = OTHER
    if race and end == SUCCESS and table.seconds[team] >= sand:  # equal times: the first team wins
        end = TIMER
    if table.seconds[team] > sand:
        table.seconds[team] = sand
    return end
