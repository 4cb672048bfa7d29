"""Real time and the race for the pool: every duration counts, every way of sharing shares, no die is lost."""

from __future__ import annotations

import pytest
from invariants import check
from vengeance_case import Case, luck_of, packed, values

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance import GAME, clock, race, rolling
from hardmode.sim.games.vengeance.names import Event, Slot, Verb

pytestmark = pytest.mark.plain

SPRINT = 0
TWO = {"setup__players": 2, "setup__heroes": ["shadowman", "bruiser"], "setup__boards": ["board1", "board2"],
       "setup__bosses": ["don_zemun", "boss_2"]}
EVENTS = ("roll", "assign", "draw", "life")
STEADY_HANDS = {"time.person_spread": 0.0, **{f"time.{event}.sigma": 0.0 for event in EVENTS}}
SPENT = {"time.contention": "budget", "time.budget_throws": 3}
CONTENTION = ("event_time", "per_die", "round_robin", "equal_share", "budget")


def play(case, pick=lambda n, step: 0, watch=False):
    """A whole game; the option of number `pick(n, step)` is taken at every step."""
    step = 0
    while case.table.ending < 0:
        options = case.options()
        GAME.take(case.box, case.table, case.hidden, case.luck, options[pick(len(options), step)])
        if watch:
            check(case.box, case.table, case.hidden)
        step += 1
    return case


def lasts(case, event, usual, passed=0.0):
    """How long an event takes."""
    case.board[Slot.EVENT], case.table.usual[0] = event, usual
    return clock.event_time(case.box, case.table, case.luck, 0, case.hidden.own[0].pace, passed)


def eager(**changes):
    """Seconds that a solo game takes in which everything that can be done is done."""
    return play(Case(**{"game.rounds": 1, "time.throw_cap": 20, **changes})).table.count[0].time_rolled


# --- durations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "value"), [
    *((f"time.{event}.{part}", value) for event in ("roll", "assign", "draw")
      for part, value in (("base", 3.0), ("each", 0.9), ("sigma", 0.5))),
    ("time.life.base", 2.0), ("time.life.sigma", 0.5), ("time.person_spread", 0.3),
    ("time.factor", [1.5, 1.0, 1.0, 1.0]), ("time.think", [2.0, 0.0, 0.0, 0.0]),
    ("time.profile.average.factor", 1.2), ("time.profile.average.pause", 1.0),
    ("setup.speeds", ["novice"]), ("time.throw_cap", 5),
])
def test_every_duration_counts(path, value):
    free = {"setup.timer": "none", "solo.pool.medium": 20}
    assert eager(**free) != eager(**free, **{path: value})


@pytest.mark.parametrize(("mishap", "more"), [("cocked", 5), ("mistake", 1)])
def test_mishaps_cost_their_time(mishap, more):
    """With the chance of 1 every throw, or every assignment, takes so much longer."""
    def taken(**changes):
        case = Case(**STEADY_HANDS, **changes)
        event = Event.THROWING if mishap == "cocked" else Event.ASSIGNING
        return lasts(case, event, 2.0)
    usual, worse = taken(), taken(**{f"time.{mishap}.chance": 1.0, f"time.{mishap}.cost": float(more)})
    assert worse == pytest.approx(usual + more)
    assert taken(**{f"time.{mishap}.chance": 0.0, f"time.{mishap}.cost": float(more)}) == usual


def test_medians_are_those_of_the_box():
    case = Case(**STEADY_HANDS)
    table, box, luck, hidden = case.table, case.box, case.luck, case.hidden
    for begin, more, seconds in ((rolling.start_throw, (0,), 2.15 + 4 * 0.15), (rolling.start_assign, (SPRINT, 0), 1.2),
                                 (rolling.start_place, (), 0.9), (rolling.start_draw, (), 0.6 + 2 * 0.2)):
        case.at_roll("RR" if begin is rolling.start_draw else "RRGG" if more else "RRGW", pool=5)
        begin(box, table, hidden, luck, 0, *more)
        assert hidden.ends[0] - table.since[0] == pytest.approx(seconds)


def test_twice_all_durations_and_the_timer_change_nothing_but_the_clock():
    usual = values()
    times = {path: 2 * usual[path] for path in usual if path.startswith("time.")
             and path.rpartition(".")[2] in ("base", "each", "cost", "pause")}
    times["time.think"] = [2.0, 0.0, 0.0, 0.0]
    mishaps = {"time.cocked.chance": 0.2, "time.mistake.chance": 0.2, "setup.speeds": ["novice"]}
    for key in range(4):
        games = []
        for more in ({"time.think": [1.0, 0.0, 0.0, 0.0]}, {**times, "solo.timer.medium": 60.0}):
            case = play(Case(key, **mishaps, **more), lambda n, step: (7 * step + 3) % n)
            board, count = [int(x) for x in case.board], case.table.count[0]
            doubled = count.time_rolled, count.time_left
            count.time_rolled = count.time_left = 0
            games.append((board, repr(count), case.table.ending, doubled))
        assert games[0][:3] == games[1][:3]
        assert games[1][3][0] == pytest.approx(2 * games[0][3][0], abs=16)


# --- dice ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", CONTENTION)
@pytest.mark.parametrize("timer", [0.0, 12.0])
def test_no_die_is_lost(mode, timer):
    """Invariants at every step of games of three at a small pool."""
    three = {"setup__players": 3, "pool__players3": 13, "house__multi_timer": timer, "time.throw_cap": 30}
    for key in range(2):
        case = Case(key, **{"time.contention": mode, "setup.heroes": ["any"] * 4, "setup.boards": ["any"] * 4,
                            "setup.bosses": ["any"] * 4, "setup.sides": ["any"] * 4}, **three)
        play(case, lambda n, step, key=key: below(luck_of(key), 0, step, 0, 0, n), watch=True)


def at_race(mode, pool, hands, **changes):
    """Two players in the middle of a roll phase."""
    case = Case(**{"time.contention": mode}, **TWO, **STEADY_HANDS, **changes).at_roll(hands[0], pool)
    board = case.table.board[1]
    board[Slot.HAND], board[Slot.FRESH], board[Slot.EVENT] = packed(hands[1]), 0, Event.THROWING
    board[Slot.AIR] = 0
    case.at_time(1.0, 1)
    return case


def next_up(case):
    """The seat whose event ends next; it has ended."""
    seat = race.next_seat(case.table, case.hidden, case.luck)
    case.table.since[seat] = case.hidden.ends[seat]
    return seat


def drawn(mode, pool, **changes):
    """What two players get who reach for dice at the same moment."""
    case = at_race(mode, pool, ("G", "G"), **changes)
    for seat in range(2):
        rolling.start_draw(case.box, case.table, case.hidden, case.luck, seat)
    while any(case.table.board[s][Slot.GRABS] for s in range(2)):
        seat = next_up(case)
        if case.table.board[seat][Slot.EVENT] != Event.GRABBING or not rolling.finish_grab(
                case.box, case.table, case.hidden, case.luck, seat):
            case.table.board[seat][Slot.EVENT] = Event.DONE
    return [board[Slot.FRESH] + board[Slot.AIR] for board in (case.table.board[0], case.table.board[1])]


def test_the_last_dice_go_to_one_hand_or_are_split():
    assert drawn("event_time", 4) == [3, 1]
    assert drawn("per_die", 4) == [2, 2]


def test_grabs_of_one_draw_have_lots_of_their_own():
    case = at_race("per_die", 4, ("G", "G"))
    lots = set()
    for grabs in (3, 2, 1):
        case.board[Slot.GRABS], case.hidden.lot[0] = grabs, -1
        lots.add(race.lot(case.table, case.hidden, case.luck, 0))
    assert len(lots) == 3


@pytest.mark.parametrize("mode", CONTENTION)
def test_equal_times_are_settled_by_lot(mode):
    """Without a clock too: no seat is the first by rule."""
    first = []
    for key in range(40):
        case = at_race(mode, 10, ("G", "G"))
        case.luck.key, case.hidden.lot[0], case.hidden.lot[1] = key, -1, -1
        first.append(race.next_seat(case.table, case.hidden, case.luck))
    assert 8 <= sum(first) <= 32


def test_without_a_clock_everybody_takes_one_step_in_turn():
    case = at_race("round_robin", 16, ("RG", "RG"))
    order = []
    for _ in range(6):
        seat = next_up(case)
        order.append(seat)
        rolling.start_throw(case.box, case.table, case.hidden, case.luck, seat, 0)
        rolling.finish_throw(case.box, case.table, case.luck, seat)
    assert [sorted(order[i:i + 2]) for i in (0, 2, 4)] == [[0, 1]] * 3


def test_private_pools_are_alike_and_nobody_else_can_empty_them():
    case = Case(**{"time.contention": "equal_share"}, **TWO, pool__players2=25)
    shares = [case.table.board[s][Slot.SHARE] for s in range(2)]
    assert sorted(shares) == [8, 9]  # 25 dice less two hands
    case.table.board[1][Slot.SHARE] = 0
    assert rolling.reserve(case.box, case.table, case.board) in (8, 9)


def test_a_budget_of_throws_ends_the_throwing():
    case = Case(**{"time.contention": "budget", "time.budget_throws": 3}).at_roll("RGK", pool=5)
    case.board[Slot.THROW] = 2
    assert rolling.may_throw(case.box, case.table, 0)
    case.board[Slot.THROW] = 3
    assert not rolling.may_throw(case.box, case.table, 0)


def test_a_spent_budget_is_not_a_stuck_hand():
    case = Case(**{"time.contention": "budget", "time.budget_throws": 3}).at_roll("RGKG", pool=5)
    case.board[Slot.THROW], case.board[Slot.EVENT] = 3, Event.THROWING
    race.retire(case.box, case.table, 0, False)
    count = case.table.count[0]
    assert (count.ended_stuck, count.hands_stuck, count.ended_by_timer) == (0, 0, 1)
    assert count.time_rolled == count.time_left == 0  # steps are no seconds


@pytest.mark.parametrize(("pool", "now", "stopped", "how"), [
    (0, 1.0, True, "ended_by_pool"), (5, 99.0, True, "ended_by_timer"), (5, 1.0, True, "ended_by_choice"),
    (5, 1.0, False, "ended_stuck")])
def test_how_a_roll_phase_ended(pool, now, stopped, how):
    case = Case().at_roll("WWWW", pool=pool)
    case.at_time(now)
    race.retire(case.box, case.table, 0, stopped)
    count = case.table.count[0]
    assert [getattr(count, i) for i in ("ended_by_timer", "ended_by_pool", "ended_stuck", "ended_by_choice")] == [
        int(i == how) for i in ("ended_by_timer", "ended_by_pool", "ended_stuck", "ended_by_choice")]
    assert count.hands_stuck == (not stopped) and count.dice_lost == 4
    assert count.time_left == (290 if now == 1.0 else 0)


def test_a_hand_stuck_after_the_bell_is_still_a_stuck_hand():
    case = Case().at_roll("WWWW", pool=5)
    case.at_time(99.0)
    race.retire(case.box, case.table, 0, False)
    assert case.table.count[0].hands_stuck == 1


FULL = 3  # wounds that fill the life bar of a hero who has trained for no further slot
ENDS = {  # hand, pool, wounds and rules: whether the player is asked (and stops), then hands stuck and dice lost to W
    "locked dice only": ("WWWW", 5, FULL, {}, False, 1, 4),
    "locked dice only, with a pool that is empty": ("WWW", 0, FULL, {}, False, 1, 3),
    "locked dice only, in a share that is used up": ("WW", 0, FULL, {"time.contention": "equal_share"}, False, 1, 2),
    "locked dice only, without a clock": ("WW", 0, FULL, {"time.contention": "round_robin"}, False, 1, 2),
    "locked dice only, after the last throw": ("WW", 0, FULL, SPENT, False, 1, 2),
    "a die without a face after the last throw": ("WWU", 0, FULL, SPENT, False, 0, 2),
    "a throw that is not taken": ("WWR", 0, FULL, {}, True, 0, 2),
    "a draw that is not taken": ("WWW", 5, FULL, {}, True, 0, 3),
    "a grab that is not taken": ("WWW", 5, FULL, {"time.contention": "per_die"}, True, 0, 3),
    "a free life slot that is not used": ("WWWW", 5, FULL - 1, {}, True, 0, 4),
    "W that may be thrown again": ("WW", 0, FULL, {"switches.no_lock": True}, True, 0, 0),
    "an unlocked W that is not placed": ("W", 0, FULL - 1, {"switches.unlocked_w_placeable": True}, True, 0, 0),
    "no die at all": ("", 0, FULL, {}, False, 0, 0),
}


@pytest.mark.parametrize("end", ENDS)
def test_hands_stuck_and_dice_lost_at_the_end_of_a_roll_phase(end):
    hand, pool, wounds, rules, asked, stuck, lost = ENDS[end]
    case = Case(**rules).at_roll(hand, pool=pool)
    board = case.board
    board[Slot.WOUNDS], board[Slot.THROW] = wounds, 3
    board[Slot.SHARE] = pool
    if "switches.no_lock" in rules or "switches.unlocked_w_placeable" in rules:
        board[Slot.HAND], board[Slot.LOCKED] = board[Slot.LOCKED] * rolling.FREE_W, 0
    found = race.run_events(case.box, case.table, case.hidden, case.luck)
    assert found == (1 if asked else 0)
    if asked:
        case.take(Verb.STOP)
    count = case.table.count[0]
    assert (count.hands_stuck, count.dice_lost) == (stuck, lost)


def test_the_right_to_unlock_a_w_keeps_a_hand_from_being_stuck():
    for banked, stuck in ((0, 1), (1, 0)):
        case = Case(**{"switches.unlock_bankable": True}).at_roll("WWWW", pool=0)
        case.board[Slot.WOUNDS], case.board[Slot.BANKED] = FULL, banked
        asked = race.run_events(case.box, case.table, case.hidden, case.luck)
        assert asked == banked
        if asked:
            case.take(Verb.STOP)
        assert case.table.count[0].hands_stuck == stuck and case.table.count[0].dice_lost == 4


def test_dice_on_the_life_bar_are_not_lost():
    """The first W goes to the bar and unlocks the others; nothing is locked any more when the player stops."""
    case = Case().at_roll("WWW", pool=0)
    case.board[Slot.WOUNDS] = FULL - 1
    case.take(Verb.LIFE)
    case.take(Verb.STOP)
    count = case.table.count[0]
    assert (count.life_dice, count.dice_lost, count.hands_stuck) == (1, 0, 0)


def test_who_finds_no_die_is_done_by_the_pool():
    case = Case(**TWO, pool__players2=4)
    assert [case.table.board[s][Slot.FRESH] for s in range(2)] == [4, 0]
    race.start_rolling(case.box, case.table, case.hidden, case.luck)
    assert case.table.board[1][Slot.EVENT] == Event.DONE and case.table.count[1].ended_by_pool == 1


def test_only_what_was_unlocked_is_thrown_at_once():
    """`unlock_throw = immediate`: dice drawn before wait when a group unlocks nothing."""
    case = Case(**{"switches.unlock_throw": "immediate"}).at_roll("RRUG", pool=5)
    throws = case.board[Slot.THROW]
    case.take(Verb.ASSIGN, SPRINT)
    assert case.board[Slot.THROW] == throws and case.board[Slot.FRESH] == 1
    case = Case(**{"switches.unlock_throw": "immediate"}).at_roll("WUG", pool=5)
    case.take(Verb.LIFE)
    assert case.board[Slot.THROW] == throws and case.board[Slot.FRESH] == 1
