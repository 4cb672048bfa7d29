"""Every game that can be found holds to the contract: each check of `hardmode check-game` is a test for each game."""

from functools import cache

import pytest

from hardmode.sim.contract import discovery
from hardmode.studies.conformance.checks import CHECKS
from hardmode.studies.conformance.compiled import strange_boxes_stay_within_bounds
from hardmode.studies.conformance.game_under_test import Amount, Subject

EVERY = pytest.mark.parametrize("name", discovery.games())


@cache
def subject(name):
    return Subject.named(name)


def held(name, check):
    assert not (found := check.found(subject(name))), "\n".join(found)


@EVERY
@pytest.mark.parametrize("check", [c for c in CHECKS if not c.plain], ids=lambda c: c.name)
def test_as_it_is_played(name, check):
    held(name, check)


@pytest.mark.plain
@EVERY
@pytest.mark.parametrize("check", [c for c in CHECKS if c.plain], ids=lambda c: c.name)
def test_step_by_step(name, check):
    held(name, check)


@pytest.mark.soak
@EVERY
def test_no_rule_leaves_the_board_in_thousands_of_strange_boxes(name):
    """Forty thousand games, over eight hundred boxes that nobody prints."""
    strange_boxes_stay_within_bounds(Subject.named(name, Amount(boxes=800)))
