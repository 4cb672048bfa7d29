"""The expert remembers the list that its team met last, and speaks accordingly where guesses are few."""

from functools import cache

import numpy as np
import pytest

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.trapwords import GAME
from hardmode.sim.games.trapwords.names import GIVERS, TRAPPERS, A, B, Filter, Giver, Kind, Trapper
from hardmode.sim.records import Cells, blank
from hardmode.strategies import registry
from hardmode.strategies.trapwords import attentive
from hardmode.strategies.trapwords.recognition import UNKNOWN, find_last_list

pytestmark = pytest.mark.plain


@cache
def small_box():
    return create_variant("trapwords", rules={"model.scenes": 20}).box.view(Cells)[0]


class Turn:
    """Team A is to speak, and has met a list in its last turn."""

    def __init__(self, length: int = 5, guesses: int = 3) -> None:
        self.box = small_box()
        self.table = blank(GAME.table)[0]
        self.table.kind, self.table.seat, self.table.length[A] = Kind.CLUES, A, length
        self.table.effect[A].guesses = guesses

    def meet(self, trappers: int, *, shelf: int = 1, scene: int = 7) -> "Turn":
        self.table.worth[A] = self.box.worth[shelf, Filter.FAR, scene]
        self.table.hazard[A] = self.box.hazard[0, shelf, trappers, Filter.FAR, scene]
        return self

    def choice(self) -> Giver:
        player = registry.create_player("trapwords", "attentive")
        options = np.arange(GIVERS)
        return Giver(attentive(self.box, self.table, None, options, GIVERS, None, np.array(player.weights)))


@pytest.mark.parametrize("trappers", list(Trapper))
def test_a_team_sees_how_the_last_list_was_filled(trappers):
    found = {find_last_list(turn.box, turn.table, A) for turn in (
        Turn().meet(trappers, shelf=shelf, scene=scene) for shelf, scene in [(0, 11), (1, 7), (4, 19)])}
    assert found == {trappers}


def test_before_its_first_turn_a_team_knows_nothing():
    turn = Turn()
    assert find_last_list(turn.box, turn.table, A) == UNKNOWN
    assert find_last_list(turn.box, turn.meet(Trapper.OBVIOUS).table, B) == UNKNOWN, "its own turn counts"


@pytest.mark.parametrize("length, guesses, met, wanted", [
    (5, 3, Trapper.ANTICIPATE, Giver.OBLIQUE), (5, 3, Trapper.PERSONAL_ANTICIPATE, Giver.TERSE),
    (6, 3, Trapper.ANTICIPATE, Giver.TERSE), (6, 3, Trapper.OBVIOUS, Giver.OBLIQUE),
    (9, 3, Trapper.OBVIOUS, Giver.TERSE), (4, 3, Trapper.PERSONAL_ANTICIPATE, Giver.OBLIQUE),
    (5, 5, Trapper.ANTICIPATE, Giver.TERSE), (5, 1, Trapper.ANTICIPATE, Giver.PATIENT)])
def test_with_few_guesses_the_last_list_decides_where_clues_are_long(length, guesses, met, wanted):
    assert Turn(length, guesses).meet(met).choice() == wanted


def test_an_attentive_team_traps_as_a_trained_one():
    turn = Turn()
    turn.table.kind = Kind.TRAPS
    weights = np.array(registry.create_player("trapwords", "attentive").weights)
    assert attentive(turn.box, turn.table, None, np.arange(TRAPPERS), TRAPPERS, None, weights) == (
        Trapper.PERSONAL_ANTICIPATE)
