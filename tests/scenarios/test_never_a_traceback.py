"""Whatever stands in a scenario, a flag or a box, it is read or refused in a line; nothing else is raised."""

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardmode.scenarios.load import load_scenario
from hardmode.scenarios.parameter import parse_box
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.read import parse_yaml

pytestmark = pytest.mark.usefixtures("hill")

WHOLE = """game: hill
title: All of it
players: 2
setup: {boss: any, heroes: [anna, cleo]}
rules: {boss.hp: +1, die.weight: x1.5, 'die.faces[5]': =7}
strategies: [steady, {search: steady, playouts: 8, weights: {door: 1}}]
sweep: {setup.brambles: all, cave.depth: [-1, +0]}
expect: {win_rate: 40% .. 55%, rounds: "> 3", order: easy > hard, endings: {won: "> 3%"}}
seed: 1
games: 20k
"""
BITS = st.sampled_from(["", "[", "]", "{", "}", ":", ": ", ",", "\n", "- ", "'", '"', "+1", "=-1", "x2", "all",
                        "null", "*a", "&a ", "!x ", "0", "1e400", ".", "#", "|", ">", "%", "\t", "é",
                        "\u2028", "\x00", "true", "<<: "])
EDITS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 12), BITS), min_size=1, max_size=3)
PATHS = st.sampled_from(["boss.hp", "die.faces", "die.faces[2]", "setup.heroes", "players", "switches.night",
                         "die.weight", "boss", "strategies", "", "[0]", "setup.heroes[0]"])
DATA = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
                    lambda d: st.lists(d, max_size=3) | st.dictionaries(st.text(max_size=6), d, max_size=3),
                    max_leaves=6)

often = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


def edited(text, edits):
    for at, length, bit in edits:
        text = text[:at] + bit + text[at + length:]
    return text


def read(run, *arguments):
    with contextlib.suppress(ScenarioError):
        run(*arguments)


@often
@given(EDITS)
def test_scenarios(edits):
    Path("mine.yaml").write_text(edited(WHOLE, edits), "utf-8")
    read(load_scenario, "mine.yaml")


@often
@given(PATHS, BITS, BITS)
def test_flags(path, first, second):
    read(load_scenario, "hill/standard", [f"{path}={first}{second}"])


@often
@given(st.sampled_from(["players", "setup", "rules", "strategies", "sweep", "expect", "seed", "games", "title"]), DATA)
def test_any_value_under_any_key(key, data):
    Path("mine.yaml").write_text(f"game: hill\n{key}: {json.dumps(data)}\n", "utf-8")
    read(load_scenario, "mine.yaml")


@often
@given(EDITS)
def test_boxes(edits):
    text = (Path(__file__).parent / "hill" / "hill" / "scenarios" / "box.yaml").read_text("utf-8")
    read(lambda: parse_box(parse_yaml(edited(text, edits), "box.yaml", signed_numbers=True)))


def test_the_whole_of_it_is_valid():
    Path("mine.yaml").write_text(WHOLE)
    assert len(load_scenario("mine.yaml").cells) == 6
