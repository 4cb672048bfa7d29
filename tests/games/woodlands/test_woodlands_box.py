"""The box holds no number that no rule reads, and asks for each that one does."""

import numpy as np
import pytest

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.box import AMOUNT, ASKED_BY_EFFECT, ASKED_BY_SKILL
from hardmode.sim.games.woodlands.names import LootEffect, Skill
from hardmode.sim.records import blank, readable

pytestmark = pytest.mark.plain

PRINTED = create_variant("woodlands").values


def filled(**changes):
    """The box with some numbers changed, by path with `__` for dots; None takes one away."""
    values = {**PRINTED, **{path.replace("__", "."): value for path, value in changes.items()}}
    box = blank(GAME.box)
    GAME.fill(readable(box), Values({path: value for path, value in values.items() if value is not None}))
    return np.asarray(box)[0]


@pytest.mark.parametrize("boss", Values(PRINTED).names("boss"))
def test_beside_the_skills_of_a_boss_stands_what_they_ask_for(boss):
    skills = PRINTED[f"boss.{boss}.skills"]
    asked = {name for skill, name in ASKED_BY_SKILL.items() if skill.label in skills}
    assert {n for n in Values(PRINTED).names(f"boss.{boss}") if n.startswith("skill_")} == asked


@pytest.mark.parametrize("card", Values(PRINTED).names("loot"))
def test_beside_the_effect_of_a_card_stands_what_it_asks_for(card):
    effect = LootEffect(list(LootEffect.labels()).index(PRINTED[f"loot.{card}.effect"]))
    assert {"amount", "colour"} & set(Values(PRINTED).names(f"loot.{card}")) == set(ASKED_BY_EFFECT.get(effect, AMOUNT))


def test_a_skill_and_a_card_without_their_number_are_refused():
    with pytest.raises(BadValue, match=r"boss\.bone_general\.skill_shield is missing"):
        filled(boss__bone_general__skill_shield=None)
    with pytest.raises(BadValue, match=r"loot\.green_staff\.colour is missing"):
        filled(loot__green_staff__colour=None)


def test_numbers_and_colours_reach_the_faces_that_ask_for_them():
    box = filled(boss__bone_general__skill_shield=7, boss__spirit_lord__skill_orbs=4,
                 boss__bramble_mother__skill_colour="blue")
    shield, orbs, colour = (list(box["b_skill"][b]).index(s) for b, s in (
        (2, Skill.SHIELD), (1, Skill.ORBS), (3, Skill.IMMUNE_TO_COLOUR)))
    assert (box["b_number"][2][shield], box["b_number"][1][orbs], box["b_colour"][3][colour]) == (7, 4, 2)


def test_a_skill_that_goes_leaves_its_number_unread_by_no_complaint():
    assert list(filled(boss__bone_general__skills=["nothing"] * 6)["b_skill"][2]) == [Skill.NOTHING] * 6


@pytest.mark.parametrize("slot", ["slot_a", "slot_b"])
@pytest.mark.parametrize("hero", ["xylia", "klethor", "shavi", "bethras"])
def test_a_slot_holds_no_negative_number_of_dice(hero, slot):
    """The planner once made a table with this many columns."""
    path = f"heroes.{hero}.{slot}.capacity"
    [cell] = load_scenario("woodlands/classic", [f"{path}=0"]).cells
    assert cell.values[path] == 0
    with pytest.raises(ScenarioError, match="less than the least possible, 0"):
        load_scenario("woodlands/classic", [f"{path}==-1"])
