"""Whoever reads a replay can tell every option from the others, over many games."""

from __future__ import annotations

import json

import pytest
from playing import engine

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.sim import replay


def stories(made, games):
    return (replay.story(made, 1, game).to_list()[1:-1] for game in games)


def alike(options):
    return len({json.dumps(option, sort_keys=True) for option in options}) < len(options)


@pytest.mark.parametrize(
    ("players", "who"), [(1, "random"), (1, "steady"), pytest.param(3, "random", marks=pytest.mark.soak)]
)
def test_no_two_options_of_a_decision_are_told_alike(players, who):
    """Hands that throw seldom: what is told of combat is what this is about."""
    made = engine("vengeance", create_variant("vengeance", players=players).box, who)
    for steps in stories(made, range(20)):
        for step in steps:
            assert not alike(step["options"]), step["options"]


def test_an_evaded_minion_is_told_apart_from_its_like():
    """A game in which two of a kind stood in one room, one of them evaded."""
    made = engine("vengeance", next(iter(load_scenario("vengeance/solo-easy").cells)).box, "steady")
    assert not any(alike(step["options"]) for step in next(iter(stories(made, [136]))))
