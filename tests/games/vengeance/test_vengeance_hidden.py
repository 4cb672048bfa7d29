"""What a seat cannot know: boss cards, how fast rivals are, when what they do will end."""

from __future__ import annotations

import numpy as np
import pytest
from vengeance_case import Case, luck_of

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance import GAME, clock, words
from hardmode.sim.games.vengeance.names import Event, Kind, Phase, Slot
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain

FOUR = {"setup.players": 4, "setup.heroes": ["any"] * 4, "setup.boards": ["any"] * 4, "setup.bosses": ["any"] * 4,
        "setup.sides": ["choose"] * 4, "time.throw_cap": 30, "time.person_spread": 0.2}


def decisions(key, **changes):
    """Every decision of a random game of four."""
    case, step = Case(key, **{**FOUR, **changes}), 0
    while case.table.ending < 0:
        options = case.options()
        if len(options) > 1:
            yield case
        option = options[below(luck_of(key), 0, step, 0, 0, len(options))]
        GAME.take(case.box, case.table, case.hidden, case.luck, option)
        step += 1


def redealt(case, key):
    hidden = blank(GAME.hidden)[0]
    GAME.redeal(case.box, case.table, case.hidden.own[case.table.seat], hidden, luck_of(key))
    return hidden


def rolling_rivals(case):
    """The other seats that have something under way."""
    if case.table.phase != Phase.ROLL:
        return []
    return [s for s in range(case.table.seats)
            if s != case.table.seat and case.table.board[s][Slot.EVENT] != Event.DONE]


def test_the_open_table_tells_no_speed_and_no_end_to_come():
    """At a decision in the roll phase no number of the table is what a rival's speed or next end is."""
    met = 0
    for case in decisions(1):
        rivals = rolling_rivals(case)
        seen = {float(x) for name in ("since", "usual") for x in getattr(case.table, name)}
        for rival in rivals:
            assert case.hidden.own[rival].pace not in seen and case.hidden.ends[rival] not in seen
            met += 1
    assert met > 100
    assert not {"clock", "pace", "lot", "ends"} & set(GAME.table.names)


@pytest.mark.parametrize("mode", ["event_time", "per_die", "round_robin", "budget"])
def test_what_rivals_do_ends_otherwise_in_every_redeal_and_never_in_the_past(mode):
    others = 0
    for case in decisions(2, **{"time.contention": mode}):
        me, now = case.table.seat, case.table.since[case.table.seat]
        one, two = redealt(case, 5), redealt(case, 6)
        assert one.own[me].pace == case.hidden.own[me].pace
        for rival in rolling_rivals(case):
            assert one.ends[rival] >= now and two.ends[rival] >= now
            if clock.timeless(case.box):
                assert one.ends[rival] == case.hidden.ends[rival]  # everybody sees whose step is still to come
            else:
                others += one.ends[rival] != two.ends[rival] and one.own[rival].pace != two.own[rival].pace
    assert clock.timeless(case.box) or others > 50


def test_a_redeal_changes_nothing_that_the_seat_sees():
    """Neither options nor the open part of a position but what is shown of the clock beside it."""
    met = set()
    for number, case in enumerate(decisions(3)):
        if number % 9:
            continue
        met.add(case.table.kind)
        options = case.options()
        seen = shown(case, case.hidden)
        other = redealt(case, number)
        truth, case.hidden = case.hidden, other
        assert case.options() == options and shown(case, other) == seen
        case.hidden = truth
    assert {Kind.SIDE, Kind.FLASHBACK, Kind.ROLL, Kind.TILE} <= met


def shown(case, hidden):
    """The position in words without the speeds and clocks of rivals, which a replay shows its reader."""
    seats = words.state(case.box, case.table, hidden)["open"]["seats"]
    for number, seat in enumerate(seats.values()):
        if number != case.table.seat:
            seat.pop("pace", None), seat.pop("clock", None)
    return seats


def test_an_end_is_dealt_among_those_still_to_come():
    """Half of what may still be is longer than its median, however much has passed."""
    case = Case(**FOUR)
    case.board[Slot.EVENT], case.table.usual[0] = Event.THROWING, 2.0
    for passed in (0.0, 1.5, 2.5):
        found = [clock.event_time(case.box, case.table, luck_of(key), 0, 1.0, passed) for key in range(1000)]
        assert min(found) >= passed
        ever = np.array([clock.event_time(case.box, case.table, luck_of(key), 0, 1.0, 0.0)
                         for key in range(1000, 5000)])
        left = ever[ever >= passed]
        assert np.median(found) == pytest.approx(np.median(left), rel=0.05)


def test_long_past_its_time_an_event_ends_now():
    case = Case(**FOUR)
    case.board[Slot.EVENT], case.table.usual[0] = Event.DRAWING, 1.0
    assert clock.event_time(case.box, case.table, luck_of(1), 0, 1.0, 1e6) < 1e6
    case.table.phase, case.table.seat = Phase.ROLL, 1
    case.table.since[0], case.table.since[1] = 0.0, 1e6
    assert redealt(case, 1).ends[0] == 1e6


def test_a_replay_still_shows_speeds_and_clocks():
    for case in decisions(4):
        seats = words.state(case.box, case.table, case.hidden)["open"]["seats"]
        for number, seat in enumerate(seats.values()):
            if case.table.phase == Phase.FLASHBACK:
                assert seat["pace"] == round(case.hidden.own[number].pace, 3)
            if case.table.phase == Phase.ROLL:
                assert seat["clock"] == round(case.hidden.ends[number], 2)
