"""A team's turn: played by the model or by given odds, and what comes of it."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.draws import below, bits, fraction
from hardmode.sim.games.trapwords.clues import HALF, note_parts, part, talk
from hardmode.sim.games.trapwords.curses import turn_up
from hardmode.sim.records import rule


@rule
def play_turn(box, table, hidden, luck, team, giver):
    """How a team's turn ends, and in table.seconds how long it took."""
    effect = table.effect[team]
    table.seconds[team], table.clues[team], table.wrong[team] = 0.0, 0, 0
    if giver == n.FAIL:
        return n.Cause.PURPOSE
    full = sand = min(box.timer * effect.timer, effect.sand)
    other = 1 - team
    race = box.fastest and table.played == 1 and table.faces[other] and table.faces[team] and (
        table.cause[other] == n.Cause.SUCCESS)
    if race:
        sand = min(sand, table.seconds[other])
    if not box.full:
        end = by_odds(box, table, luck, team, full)
    else:
        if giver == n.Giver.CONTRARIAN:
            naive = fraction(luck, n.Source.WHIM, table.round, team, 0) < box.psi
            giver = n.Giver.NAIVE if naive else n.Giver.OBLIQUE
        end = talk(box, table, hidden, luck, team, giver, sand)
        factor = effect.success * box.handicap[team]
        if end == n.Cause.SUCCESS and factor < 1:
            lost = fraction(luck, n.Source.CARD_LUCK, table.round, team, 0) >= factor
            end = n.Cause.OTHER if lost else n.Cause.SUCCESS
    if race and end == n.Cause.SUCCESS and table.seconds[team] >= sand:  # equal times: the first team wins
        end = n.Cause.TIMER
    if table.seconds[team] > sand:
        table.seconds[team] = sand
    return end


@rule
def by_odds(box, table, luck, team, sand):
    """A turn given as a chance of success for the room alone."""
    word = bits(luck, n.Source.ODDS, table.round, team, 0)
    if luck.log_on:
        note_parts(luck, word, n.Source.ODDS, table.round, team, 0, HALF | HALF << 6)
    table.seconds[team] = sand * part(word, HALF, HALF) / (1 << HALF)
    p = box.odds[team, box.rooms[table.position[team]]]
    if table.active[team] or table.drawn[team]:
        p *= box.odds_cursed
    if table.faces[team]:
        p *= box.odds_monster[table.starred]
    return n.Cause.SUCCESS if part(word, 0, HALF) < p * box.handicap[team] * (1 << HALF) else n.Cause.OTHER


@rule
def result(box, table, hidden, luck, team, cause):
    """The figure moves at once: one room on, or back where a card says so."""
    table.cause[team] = cause
    table.ends[cause, team] += 1
    table.talk += table.seconds[team]
    cursed = (table.active[team] | table.drawn[team]) != 0
    if cause == n.Cause.SUCCESS:
        table.cursed_wins[team] += cursed
        if not table.faces[team]:
            advance(box, table, hidden, team)
    elif box.full and table.effect[team].back and sends_back(box, table, luck, team, cause):
        send_back(table, team)


@rule
def sends_back(box, table, luck, team, cause):
    """Whether a failure under the Forbidden Word costs a room: its word is one of the list."""
    if box.forbidden_word == n.ForbiddenWord.BACK_ON_HIT and cause == n.Cause.TRAP:
        return below(luck, n.Source.SET_BACK, table.round, team, 0, table.length[team]) == 0
    return box.forbidden_word == n.ForbiddenWord.BACK_ON_ANY_FAIL


@rule
def advance(box, table, hidden, team):
    """A team that has guessed its word goes one room on; a curse there is turned up now or next round."""
    table.position[team] += 1
    table.advanced[team] = 1
    room = table.position[team]
    if table.lie[room] and not box.reveal_late:
        turn_up(box, table, hidden, room)


@rule
def send_back(table, team):
    if table.position[team] > 0:
        table.position[team] -= 1
