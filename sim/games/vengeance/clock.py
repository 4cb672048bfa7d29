"""Real time: how long a throw, an assignment, a draw takes. Log-normal, drawn at the event's own address."""

from __future__ import annotations

import math

from hardmode.sim.draws import fraction
from hardmode.sim.games.vengeance.names import Contention, Event, Slot, Source
from hardmode.sim.records import rule

NEARLY_ALL = 1.0 - 1e-12  # of a distribution whose very end is too far out


@rule
def tail(r):
    """Wichura's AS241 for the far ends of the normal distribution."""
    if r <= 5.0:
        r -= 1.6
        top = (((((((7.74545014278341407640e-4 * r + 0.0227238449892691845833) * r + 0.241780725177450611770) * r
               + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.76949722146069140550) * r
               + 4.63033784615654529590) * r + 1.42343711074968357734)
        low = (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r
               + 0.148103976427480074590) * r + 0.689767334985100004550) * r + 1.67638483018380384940) * r
               + 2.05319162663775882187) * r + 1.0)
        return top / low
    r -= 5.0
    top = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.00124266094738807843860) * r
           + 0.0265321895265761230930) * r + 0.296560571828504891230) * r + 1.78482653991729133580) * r
           + 5.46378491116411436990) * r + 6.65790464350110377720)
    low = (((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r + 1.84631831751005468180e-5) * r
           + 7.86869131145613259100e-4) * r + 0.0148753612908506148525) * r + 0.136929880922735805310) * r
           + 0.599832206555887937690) * r + 1.0)
    return top / low


@rule
def normal(u):
    """The standard normal quantile of u in [0, 1)."""
    q = u - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top = (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r
               + 45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r
               + 133.14166789178437745) * r + 3.387132872796366608)
        low = (((((((5226.4952788528545610 * r + 28729.085735721942674) * r + 39307.895800092710610) * r
               + 21213.794301586595867) * r + 5394.1960214247511077) * r + 687.1870074920579083) * r
               + 42.313330701600911252) * r + 1.0)
        return q * top / low
    r = u if q < 0 else 1.0 - u
    far = tail(math.sqrt(-math.log(max(r, 1e-300))))
    return -far if q < 0 else far


@rule
def share_below(x):
    """The share of the standard normal distribution below x."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@rule
def duration(luck, source, where, nth, part, median, sigma, least):
    """A log-normal time in seconds for a player of factor 1, of those that are longer than `least`."""
    if sigma == 0.0 or median == 0.0:
        return median
    u = fraction(luck, source, where, nth, part)
    if least > 0.0:
        shorter = share_below(math.log(least / median) / sigma)
        u = min(shorter + (1.0 - shorter) * u, NEARLY_ALL)
    return median * math.exp(sigma * normal(u))


@rule
def place(table, seat):
    """The part of an address that says whose event of which round it is."""
    return table.round * 8 + seat


@rule
def timeless(box):
    return box.contention == Contention.ROUND_ROBIN or box.contention == Contention.BUDGET


@rule
def person(box, luck, seat):
    """How slow the player of a seat is in this game: the factor of the profile and a personal deviation."""
    return box.factor[seat] * duration(luck, Source.PERSON, seat, 0, 0, 1.0, box.spread, 0.0)


@rule
def throw_time(box, table, luck, seat, pace, least):
    where, nth = place(table, seat), table.board[seat][Slot.THROW]
    think = box.think[seat]
    seconds = duration(luck, Source.ROLL_TIME, where, nth, 0, table.usual[seat], box.roll_sigma, least - think)
    if box.cocked > 0.0 and fraction(luck, Source.MISHAP, where, nth, 0) < box.cocked:
        seconds += box.cocked_time
    return (seconds + think) * pace


@rule
def assign_time(box, table, luck, seat, pace, least):
    where, nth = place(table, seat), table.board[seat][Slot.GROUP]
    seconds = duration(luck, Source.ASSIGN_TIME, where, nth, 0, table.usual[seat], box.assign_sigma, least)
    if box.mistake > 0.0 and fraction(luck, Source.MISHAP, where, nth, 1) < box.mistake:
        seconds += box.mistake_time
    return seconds * pace + box.pause[seat]


@rule
def draw_time(box, table, luck, seat, pace, least):
    """A draw, or the grab of one die of it."""
    where, nth, part = place(table, seat), table.board[seat][Slot.DRAWN], table.board[seat][Slot.GRABS]
    return duration(luck, Source.DRAW_TIME, where, nth, part, table.usual[seat], box.draw_sigma, least) * pace


@rule
def life_time(box, table, luck, seat, pace, least):
    where, nth = place(table, seat), table.board[seat][Slot.PLACED]
    return duration(luck, Source.LIFE_TIME, where, nth, 0, table.usual[seat], box.life_sigma, least) * pace


@rule
def event_time(box, table, luck, seat, pace, passed):
    """How long the event under way of a seat takes; some of it may have passed."""
    event = table.board[seat][Slot.EVENT]
    least = passed / pace if pace > 0.0 else 0.0
    if timeless(box):
        seconds = 0.0 if event == Event.DRAWING or event == Event.GRABBING else 1.0
    elif event == Event.THROWING:
        seconds = throw_time(box, table, luck, seat, pace, least)
    elif event == Event.ASSIGNING:
        seconds = assign_time(box, table, luck, seat, pace, least)
    elif event == Event.PLACING:
        seconds = life_time(box, table, luck, seat, pace, least)
    else:
        seconds = draw_time(box, table, luck, seat, pace, least)
    return seconds
