"""A number that changes nothing is found."""

from dataclasses import replace

import pytest

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.studies.sensitivity.unused_parameters import (
    find_unused_parameters,
    generate_other_values,
    map_fields_to_parameters,
)


def test_every_number_of_pig_matters():
    assert find_unused_parameters(load_scenario("pig/classic").cells[0]) == []


@pytest.mark.parametrize("path", ["target", "die.sides"])
def test_one_that_is_read_and_left_is_found(path):
    cell = load_scenario("pig/classic").cells[0]
    game = cell.game
    field = {"target": "target", "die.sides": "sides"}[path]

    def fill(box, values):
        game.fill(box, values)
        setattr(box, field, 7)

    assert find_unused_parameters(replace(cell, game=replace(game, fill=fill))) == [path]


def test_one_that_matters_only_sometimes_is_found_where_it_does_not():
    def fill(box, values):
        box.players = values["setup.players"]
        box.target = values["target"]
        box.sides = values["die.sides"] if box.players == 2 else 6 + 0 * values["die.sides"]

    def planted(players):
        cell = create_variant("pig", players=players)
        return replace(cell, game=replace(cell.game, fill=fill))

    assert find_unused_parameters(planted(1)) == ["die.sides"] and find_unused_parameters(planted(2)) == []


def test_of_a_list_each_item_is_tried():
    leaf = load_scenario("pig/classic").cells[0].parameters["target"]
    tried = list(generate_other_values(leaf, [60, 70]))
    assert [61, 70] in tried and [60, 71] in tried and [60, 70] not in tried


def test_a_field_of_the_box_is_known_by_the_numbers_that_it_holds():
    told = {
        field: [leaf.path for leaf in leaves]
        for field, leaves in map_fields_to_parameters(load_scenario("pig/classic").cells[0]).items()
    }
    assert told == {"target": ["target"], "sides": ["die.sides"], "players": ["setup.players"]}
    cell = create_variant("trapwords")
    told = {field: [leaf.path for leaf in leaves] for field, leaves in map_fields_to_parameters(cell).items()}
    assert "turn.guesses" in told["card.guesses"] and "curse.fewer_guesses.guesses" in told["card.guesses"]
    assert "turn.guesses" not in told["card.traps"]
