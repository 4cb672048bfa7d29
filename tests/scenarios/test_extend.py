"""A scenario that starts from another."""

from pathlib import Path

import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.sim.files.yaml_io.errors import ScenarioError

pytestmark = pytest.mark.usefixtures("hill")

BASE = """game: hill
title: The base
players: 3
rules: {boss: {hp: 3}, cave.torches: 5}
strategies: [beginner]
sweep: {setup.brambles: [easy, hard], boss.hp: [+1, +2]}
seed: 4
"""


def write(**texts):
    for name, text in texts.items():
        Path(f"{name}.yaml").write_text(text)


def mine(text, base=BASE):
    write(base=base, mine="extends: base.yaml\n" + text)
    return load_scenario("mine.yaml")


def said(name="mine.yaml"):
    with pytest.raises(ScenarioError) as error:
        load_scenario(name)
    return str(error.value)


def test_it_starts_from_the_other():
    found = mine("")
    assert (found.title, found.seed, found.name, found.game.name) == ("The base", 4, "mine.yaml", "hill")
    assert [c.label_text for c in found.cells] == [c.label_text for c in load_scenario("base.yaml").cells]
    assert [c.digests for c in found.cells] == [c.digests for c in load_scenario("base.yaml").cells]


def test_what_it_says_itself_wins():
    assert mine("title: Mine\nseed: 5\n").title == "Mine"
    assert mine("rules: {cave.torches: 4}\n").cells[0].values["cave.torches"] == 4
    assert mine("rules: {cave: {torches: 4}}\n").cells[0].values["cave.torches"] == 4  # written otherwise
    assert mine("rules: {cave.torches: 4}\n").cells[0].values["boss.hp"] == 4  # the others stay
    assert {c.players for c in mine("setup: {players: 2}\n").cells} == {2}
    assert [s.name for s in mine("strategies: [steady, random, expert]\n").cells[0].strategies] == [
        "steady", "random", "expert"]
    assert mine("sweep: {boss.hp: [7]}\n").sweep == ("setup.brambles", "boss.hp")
    assert {c.values["boss.hp"] for c in mine("sweep: {boss.hp: [7]}\n").cells} == {7}


def test_a_number_that_it_sets_is_swept_no_more():
    found = mine("rules: {boss.hp: 7}\n")
    assert found.sweep == ("setup.brambles",) and {c.values["boss.hp"] for c in found.cells} == {7}
    assert mine("rules: {boss.hp: +4}\n").cells[0].values["boss.hp"] == 14  # the box, 4 more, and the sweep's 1
    swept = BASE.replace("boss.hp: [+1, +2]", "strategies: [random, steady]")
    assert mine("strategies: expert\n", swept).sweep == ("setup.brambles",)


def test_a_chain_and_a_shipped_name():
    write(top="extends: middle.yaml\nrules: {boss.hp: 4}\n", middle="extends: hill/hard-night\nplayers: 4\n")
    cell = load_scenario("top.yaml").cells[0]
    assert cell.changed_values == {"setup.players": (2, 4), "setup.brambles": ("classic", "hard"),
                            "switches.night": (False, True), "boss.hp": (9, 4)}
    assert load_scenario({"extends": "hill/hard-night", "rules": {"boss.hp": "+3"}}).cells[0].values["boss.hp"] == 12


def test_files_are_looked_for_beside_the_file_that_names_them():
    Path("there").mkdir()
    Path("there/b.yaml").write_text("game: hill\n.source: rulebook\nboss: {hp: 7}\n")
    Path("there/base.yaml").write_text("game: hill\nbox: b.yaml\nstrategies: who.py:greedy\n")
    write(mine="extends: there/base.yaml\n", other="extends: there/base.yaml\nstrategies: who.py:greedy\n")
    cell = load_scenario("mine.yaml").cells[0]
    assert cell.values["boss.hp"] == 7 and cell.strategies[0].full_name == "there/who.py:greedy"
    assert load_scenario("other.yaml").cells[0].strategies[0].full_name == "who.py:greedy"


def test_a_mistake_is_told_in_the_file_where_it_stands():
    write(base="game: hill\nrules:\n  boss.hp: 0\n", mine="extends: base.yaml\nrules: {cave.torches: 4}\n")
    assert said() == "base.yaml:3: rules.boss.hp: is 0, less than the least possible, 1"
    write(mine="extends: base.yaml\nrules:\n  boss.hp: 100\n")
    assert said() == "mine.yaml:3: rules.boss.hp: is 100, more than the most possible, 99"
    write(base="game: hill\ntitel: x\n")
    assert said() == "base.yaml:2: titel: no such key; did you mean title?"
    with pytest.raises(ScenarioError, match=r"^the dict: rules.boss.hpp: no such number"):
        load_scenario({"extends": "hill/standard", "rules": {"boss.hpp": 3}})


def test_circles():
    write(a="extends: b.yaml\n", b="game: hill\nextends: a.yaml\n", c="extends: c.yaml\n")
    assert said("a.yaml") == "b.yaml:2: extends: goes in a circle: a.yaml extends b.yaml, which extends a.yaml"
    assert said("c.yaml") == "c.yaml:1: extends: goes in a circle: c.yaml extends c.yaml"


@pytest.mark.parametrize(("text", "message"), [
    ("extends: hill/standrd\n", "mine.yaml:1: extends: hill/standrd: no such scenario; did you mean hill/standard?"),
    ("extends: bse.yaml\n", "mine.yaml:1: extends: bse.yaml: no such file; did you mean base.yaml?"),
    ("extends: ''\n", "mine.yaml:1: extends: '': no such scenario: neither a file nor a shipped name"),
    ("extends: [a]\n", "mine.yaml:1: extends: must be a text (in quotes, if it looks like something else)"),
    ("extends: base.yaml\ngame: pig\n", "mine.yaml:2: game: is pig, but base.yaml, which it extends, is for hill"),
])
def test_what_cannot_be_extended(text, message):
    write(base=BASE, mine=text)
    assert said() == message
