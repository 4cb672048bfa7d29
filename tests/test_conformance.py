"""Every game that can be found holds to the contract: each check of `hardmode check-game` is a test for each game."""

from functools import cache

import pytest

from hardmode.sim.contract import discovery
from hardmode.studies.conformance.checks import CHECKS
from hardmode.studies.conformance.compiled import check_unusual_boxes
from hardmode.studies.conformance.game_under_test import GameCounts, GameUnderTest

EVERY = pytest.mark.parametrize("name", discovery.list_games())


@cache
def subject(name):
    return GameUnderTest.load(name)


def held(name, check):
    assert not (found := check.find_problems(subject(name))), "\n".join(found)


@EVERY
@pytest.mark.parametrize("check", [c for c in CHECKS if not c.is_interpreted], ids=lambda c: c.name)
def test_as_it_is_played(name, check):
    held(name, check)


@pytest.mark.plain
@EVERY
@pytest.mark.parametrize("check", [c for c in CHECKS if c.is_interpreted], ids=lambda c: c.name)
def test_step_by_step(name, check):
    held(name, check)


@pytest.mark.soak
@EVERY
def test_no_rule_leaves_the_board_in_thousands_of_strange_boxes(name):
    """Forty thousand games, over eight hundred boxes that nobody prints."""
    check_unusual_boxes(GameUnderTest.load(name, GameCounts(boxes=800)))
