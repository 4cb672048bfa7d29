"""What the author of a strategy is told of a game: fields, codes of options, weights."""

import json

import numpy as np
import pytest

from hardmode.reports.console import list_fields
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.strategies import registry
from tests.test_commands import hardmode

GAME = "run_run_run"


@pytest.fixture(scope="module")
def played():
    return list_fields.observe_games(GAME)


def test_every_field_of_what_a_strategy_may_read_is_told_and_none_that_is_hidden(played):
    game, told = contract.load_game(GAME), list_fields.list_fields(GAME, played)
    each = [(record, key) for record in ("box", "table", "own") for key in getattr(game, record).names]
    assert [(x["record"], x["field"]) for x in told] == each
    assert all(x["seen"] is not None and x["seen"][0] <= x["seen"][1] for x in told)


def test_a_field_has_its_size_its_part_what_is_noted_of_it_and_what_was_seen(played):
    told = {f"{x['record']}.{x['field']}": x for x in list_fields.list_fields(GAME, played)}
    assert told["box.torches"]["seen"] == [5, 5]
    assert told["box.torches"]["set_by"] == {"torches.start": "torches in the supply at the start"}
    assert list(told["box.hp"]["set_by"]) == ["mummies.*.hp", "bosses.*.hp"]
    assert told["table.seats"]["seen"] == [2, 2] and told["table.seat"]["seen"] == [0, 1]
    assert told["table.near"] | {"seen": 0} == {
        "record": "table",
        "field": "near",
        "type": "int8",
        "shape": [66, 6],
        "part": "the maze",
        "note": "1 + the tile beside it",
        "set_by": {},
        "seen": 0,
    }
    assert told["table.at"]["part"] == "Cats and mummies"
    assert told["table.at"]["note"] == "the tile of each mummy, the Boss last, or -1"


def test_the_fields_of_a_record_within_a_record_are_told_too():
    inner = np.dtype([("x", "i1", (2,)), ("y", "f8")])
    outer = np.dtype([("a", "i8"), ("in", inner, (3,))])
    assert list(list_fields.flatten_fields(outer)) == [
        ("a", np.dtype("i8"), ()),
        ("in.x", np.dtype("i1"), (3, 2)),
        ("in.y", np.dtype("f8"), (3,)),
    ]
    found, values = list_fields.ObservedValues(), np.zeros(1, outer)
    values["in"]["x"][0, 2, 1] = 7
    found.record("table", values[0])
    assert found.ranges["table", "in.x"] == (0, 7) and found.ranges["table", "a"] == (0, 0)


def test_a_comment_beside_fields_is_of_the_last_of_its_line_and_one_above_of_its_part():
    source = (
        'Table = f([\n    # part\n    ("a", "i8"), ("b", "i8", (2,)),  # note\n    ("c", "i8"),\n])\n'
        'Other = ("d",)  # no\n'
    )
    told = {key: rest for key, *rest in list_fields.parse_field_comments(source, "Table", "abcd")}
    assert told["c"] == ["part", ""] and told["a"] == ["part", ""] and "d" not in told
    assert told["b"] == ["part", "note"]


def test_the_codes_of_options_are_those_that_a_strategy_is_given(played):
    """In the code of Run Run Run! an action is a verb times ARGUMENTS and what it is done to."""
    from hardmode.sim.games.run_run_run.names import ARGUMENTS, Kind, Verb

    kinds = {x["kind"]: x for x in list_fields.list_options(GAME, played)}
    assert [x["name"] for x in kinds.values()] == list(contract.load_game(GAME).kinds)
    found = kinds[Kind.ACTION]["options"]
    assert found and all(x["do"] == Verb.labels()[x["code"] // ARGUMENTS] for x in found)


def test_the_worked_example_is_a_strategy_that_plays(tmp_path):
    shown = hardmode("list", GAME, "--options").out
    (tmp_path / "mine.py").write_text(shown[shown.index("def mine") :])
    made = registry.create_player(GAME, f"{tmp_path}/mine.py:mine")
    assert made.is_user_strategy


def test_list_tells_the_weights_of_every_strategy_its_other_names_too():
    told = json.loads(hardmode("list", GAME, "--weights", "--json").out)["weights"]
    assert list(told) == list(registry.list_strategies(GAME))
    assert told["steady"] == told["balanced"] != told["trained"] and told["random"] == {}
    assert "steady: urgency 1.2, strong 5," in hardmode("list", GAME, "--weights").out


def test_they_are_of_a_game():
    assert hardmode("list", "--fields").code == 2
    assert hardmode("list", f"{GAME}/standard", "--options").code == 2
    assert hardmode("list", GAME, "--weights", "--find", "torch").code == 2


def test_what_is_chosen_as_steady_is_imported_as_steady():
    from importlib import import_module

    from hardmode.sim.contract import discovery

    for game in discovery.list_shipped_games():
        assert (
            import_module(discovery.find_strategies_module(game)).steady
            is registry.create_player(game, "steady").choose
        )


def test_a_comment_may_say_something_of_several_fields_by_their_names():
    source = 'Table = f([\n    # part\n    # a: one; b: two\n    ("a", "i8"), ("b", "i8"), *g("c d"),  # d: four\n])\n'
    told = {}
    for key, _, note in list_fields.parse_field_comments(source, "Table", "abcd"):
        told[key] = note or told.get(key, "")
    assert told == {"a": "one", "b": "two", "c": "", "d": "four"}


@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_every_field_of_the_table_and_of_ones_own_has_a_meaning(game):
    for name in ("table", "own"):
        record = getattr(contract.load_game(game), name)
        notes = list_fields.read_field_notes(game, record)
        assert [key for key, _, _ in list_fields.flatten_fields(record) if not notes.get(key, ("", ""))[1]] == []


@pytest.mark.soak
@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_every_field_of_the_box_has_one_too_or_numbers_that_it_holds(game):
    told = list_fields.list_fields(game, list_fields.ObservedValues())
    assert [x["field"] for x in told if not x["note"] and not x["set_by"]] == []
