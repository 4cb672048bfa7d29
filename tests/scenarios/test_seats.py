"""Who sits where: the player under study, and the others."""

import pytest

from hardmode.scenarios.load import create_variant
from hardmode.scenarios.seats import SeatPlan
from hardmode.sim.files.yaml_io.errors import ScenarioError


def test_the_studied_seats_are_all_or_where_seats_compete_one():
    duel = create_variant("pig", players=2)
    assert duel.game.competitive and duel.seat_plan == SeatPlan(2, (0,))
    assert duel.seat_plan.assign("new", ["a", "b"]) == ("new", "b")
    assert SeatPlan.for_game(duel.game, 2, seat=1).assign("new", ["a", "b"]) == ("a", "new")
    together = create_variant("woodlands", players=3)
    assert not together.game.competitive
    assert together.seat_plan.assign("new", ["a", "b", "c"]) == ("new",) * 3
    assert create_variant("pig", players=1).seat_plan.assign("new", ["a"]) == ("new",)


def test_those_beyond_the_seats_that_are_taken_do_not_count():
    assert SeatPlan(2, (1,)).assign("new", ["a", "b", "c", "d"]) == ("a", "new")


def test_one_for_all_or_one_per_seat():
    assert SeatPlan.fill(["a"], 3) == ("a",) * 3 and SeatPlan.fill(["a", "b"], 2) == ("a", "b")
    with pytest.raises(ValueError, match="give one for all, or one per seat"):
        SeatPlan.fill(["a", "b"], 3)
    with pytest.raises(ScenarioError, match="there are 3 strategies for 2 seats; give one for all, or one per seat"):
        create_variant("pig", players=2, strategies=["steady"] * 3)
