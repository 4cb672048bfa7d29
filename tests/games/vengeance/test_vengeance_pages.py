"""Places at which a switch of Vengeance is asked and that other tests only pass by."""

import pytest
from vengeance_case import Case, alive

from hardmode.sim.games.vengeance import resolution, rolling
from hardmode.sim.games.vengeance.names import Slot

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("immediate", "kos", "wounds"), [(False, 0, 3), (True, 1, 0)])
def test_a_bar_that_fills_in_the_resolution_is_a_ko_at_once_or_at_its_end(immediate, kos, wounds):
    rooms = {"den.1A.room.room1.enemies": ["HE", "HE", "HE"]}
    case = Case(**{"switches.ko_immediate": immediate}, **rooms).at_combat(1)
    alive(case.board, 0, 1, 2)
    case.board[Slot.WOUNDS] = 0
    assert case.board[Slot.LIFE] == 3
    assert resolution.take_wounds(case.box, case.den, case.board) == 3
    assert (case.board[Slot.KO], case.board[Slot.WOUNDS]) == (kos, wounds)


@pytest.mark.parametrize(("deadline", "seconds", "dice"), [
    ("start", 24.9, 1), ("start", 25.1, 1), ("end", 24.9, 1), ("end", 25.1, 0)])
def test_a_die_that_is_reached_for_before_the_bell_may_come_after_it(deadline, seconds, dice):
    case = Case(setup__timer="hard", time__contention="per_die", **{"switches.draw_deadline": deadline})
    case.at_roll("GK", pool=8)
    case.at_time(seconds)
    case.board[Slot.GRABS] = 1
    assert not rolling.finish_grab(case.box, case.table, case.hidden, case.luck, 0)
    assert (case.board[Slot.FRESH], case.table.pool) == (dice, 8 - dice)
