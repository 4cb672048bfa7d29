"""A box of one's own: numbers laid over the shipped box, with their own provenance."""

from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.scenarios.schema import make_overlay_schema
from hardmode.sim.files.yaml_io.errors import ScenarioError

pytestmark = pytest.mark.usefixtures("hill")

HEAD = "game: hill\n.source: rulebook\n.from: second printing\n"


def own(text, file="box-of-mine.yaml"):
    Path(file).write_text(text)
    return file


def laid(text, **more):
    return load_scenario("hill/standard", box=own(HEAD + text), **more).cells[0]


def said(text):
    with pytest.raises(ScenarioError) as error:
        load_scenario("hill/standard", box=own(text))
    return str(error.value)


def test_its_numbers_stand_in_place_of_the_shipped_ones():
    cell = laid("boss: {hp: 20}\nswitches:\n  night: {value: true, from: p. 7}\ndie:\n")
    assert (cell.values["boss.hp"], cell.values["switches.night"]) == (20, True)
    assert (cell.box[0]["hp"], cell.box[0]["night"]) == (20, 1)
    hp, night = cell.parameters["boss.hp"], cell.parameters["switches.night"]
    assert (hp.source, hp.from_, hp.file, hp.line) == ("rulebook", "second printing", "box-of-mine.yaml", 4)
    assert (hp.min, hp.max, hp.unit) == (1, 99, "hearts")  # what the game can bear still holds
    assert (night.source, night.from_, night.note) == ("rulebook", "p. 7", "")  # why it was assumed holds no more
    assert {p: leaf for p, leaf in cell.parameters.items() if not leaf.file} == {
        p: leaf for p, leaf in load_parameters("hill").items() if p not in ("boss.hp", "switches.night")}


def test_what_is_known_is_assumed_no_more():
    assert create_variant("hill").assumption_count == (2, 2, 11)
    assert laid("switches: {night: true}\n").assumption_count == (1, 1, 11)
    assert laid("switches: {night: false}\n").assumption_count == (1, 1, 11)  # as it was supposed, but now it is known
    assert laid("switches: {night: {value: true, source: assumed}}\n").assumption_count == (2, 2, 11)
    odds = laid("die: {odds: [4, 5]}\n")
    assert odds.assumption_count == (1, 1, 11) and odds.parameters["die.odds"].range is None and odds.warnings == ()


def test_changes_count_from_it_and_are_told_apart_from_it():
    cell = laid("boss: {hp: 20}\n", sets=["boss.hp=+1", "cave.torches=4"])
    assert cell.changed_values == {"boss.hp": (20, 21), "cave.torches": (3, 4)}
    assert cell.changes_to_shipped_box == {"boss.hp": 21, "cave.torches": 4}
    back = laid("boss: {hp: 20}\n", sets=["boss.hp=9"])
    assert back.changed_values == {"boss.hp": (20, 9)} and back.changes_to_shipped_box == {}
    Path("swept.yaml").write_text("game: hill\nbox: box-of-mine.yaml\nsweep: {boss.hp: [+0, +2, 5]}\n"
                                  "expect: {order: +0 > +2}\n")
    scenario = load_scenario("swept.yaml")
    assert [c.values["boss.hp"] for c in scenario.cells] == [20, 22, 5]
    assert scenario.expect.order[0].values == ("20", "22")


def test_the_games_are_those_of_the_same_numbers():
    cell, plain = laid("boss: {hp: 20}\n"), create_variant("hill", rules={"boss.hp": 20})
    assert cell.digests == plain.digests != create_variant("hill").digests
    assert create_variant("hill", rules=cell.changes_to_shipped_box).digests == cell.digests
    assert plain.overlay_provenance is None
    told = cell.overlay_provenance
    assert (told["file"], told["numbers"]) == ("box-of-mine.yaml", 1)
    assert laid("boss: {hp: 20}\n").overlay_provenance == told
    assert laid("boss: {hp: {value: 20, from: p. 9}}\n").overlay_provenance["digest"] != told["digest"]


def test_a_scenario_names_it_from_its_own_folder_and_a_flag_in_its_place():
    Path("there").mkdir()
    own(HEAD + "boss: {hp: 7}\n", "there/a.yaml")
    Path("there/s.yaml").write_text("game: hill\nbox: a.yaml\nrules: {boss.hp: +1}\n")
    assert load_scenario("there/s.yaml").cells[0].values["boss.hp"] == 8
    assert load_scenario("there/s.yaml").overlay.file == "there/a.yaml"
    assert load_scenario("there/s.yaml", box=own(HEAD + "boss: {hp: 5}\n")).cells[0].values["boss.hp"] == 6
    assert load_scenario({"game": "hill", "box": "there/a.yaml"}).cells[0].values["boss.hp"] == 7
    assert create_variant("hill", box="there/a.yaml").values["boss.hp"] == 7


@pytest.mark.parametrize(("text", "message"), [
    ("", "box-of-mine.yaml: a box of your own names its `game`, and then numbers as in a box"),
    ("boss: {hp: 3}\n", "box-of-mine.yaml: game: is missing; a box of your own begins with `game: hill`"),
    ("game: pig\n", "box-of-mine.yaml:1: game: is a box for pig, but the game that is played is hill"),
    ("game: hil\n", "box-of-mine.yaml:1: game: no game 'hil'; did you mean hill?"),
    ("game: hill\nboss: {hp: 3}\n",
     "box-of-mine.yaml:2: boss.hp: has no source (rulebook, public, assumed), nor does anything above it"),
    (HEAD + "boss:\n  hpp: 3\n", "box-of-mine.yaml:5: boss.hpp: no such number; did you mean boss.hp?"),
    (HEAD + "boss: 3\n",
     "box-of-mine.yaml:4: boss: is a group of numbers, not one of them; did you mean boss.hp?"),
    (HEAD + "bos:\n", "box-of-mine.yaml:4: bos: no such number; did you mean setup.boss or boss.hp?"),
    (HEAD + "boss: {hp: 0}\n", "box-of-mine.yaml:4: boss.hp: is 0, less than the least possible, 1"),
    (HEAD + "boss: {hp: 3.5}\n", "box-of-mine.yaml:4: boss.hp: is 3.5; it must be a whole number"),
    (HEAD + "boss: {hp: x2}\n",
     "box-of-mine.yaml:4: boss.hp: is x2; it must be a whole number: a box holds no changes"),
    (HEAD + "boss: {hp: {value: 3, max: 1000}}\n",
     "box-of-mine.yaml:4: boss.hp.max: can be set in the shipped box only, and holds for every other"),
    (HEAD + "boss: {hp: {value: 20, source: assumed}}\n",
     "box-of-mine.yaml:4: boss.hp: is 20, outside its plausible range 5 to 15"),
    (HEAD + "boss: {hp: {value: 8, sorce: public}}\n",
     "box-of-mine.yaml:4: boss.hp.sorce: no such attribute; did you mean source?"),
    (HEAD + "setup: {boss: wulf}\n",
     "box-of-mine.yaml:4: setup.boss: is wulf; it must be one of any, snake, wolf; did you mean wolf?"),
    (HEAD + "die: {faces: 3}\n",
     "box-of-mine.yaml:4: die.faces: is 3; it must be a list, such as [1, 1, 2, 2, 3, 4]"),
    (HEAD + "setup:\n  heroes: [anna, bert, cleo]\n",
     "box-of-mine.yaml:5: setup.heroes: names more heroes than the 2 players"),
])
def test_what_is_wrong_is_said_in_a_line(text, message):
    assert said(text) == message


def test_a_change_on_top_of_it_takes_the_blame_that_is_its_own():
    with pytest.raises(ScenarioError, match=r"^box-of-mine.yaml:4: setup.heroes: names more heroes than the 1"):
        laid("setup: {heroes: [anna, bert]}\n", players=1)
    with pytest.raises(ScenarioError, match=r"^--set: boss.hp: is 100, more than the most possible, 99$"):
        laid("boss: {hp: 20}\n", sets=["boss.hp=x5"])


def test_files_that_are_not_what_they_should_be():
    own(HEAD)
    with pytest.raises(ScenarioError) as error:
        load_scenario("hill/standard", box="box-of-mina.yaml")
    assert str(error.value) == "--box: box: no such file box-of-mina.yaml; did you mean box-of-mine.yaml?"
    Path("s.yaml").write_text("game: hill\nbox: box-of-mina.yaml\n")
    with pytest.raises(ScenarioError, match=r"^s.yaml:2: box: no such file box-of-mina.yaml; did you mean"):
        load_scenario("s.yaml")
    with pytest.raises(ScenarioError, match=r"^box-of-mine.yaml:2: \.source: belongs in a box; a scenario names"):
        load_scenario("box-of-mine.yaml")


def test_editors_know_it_by_a_schema_of_its_own():
    check = jsonschema.Draft202012Validator(make_overlay_schema())
    for good in (HEAD, HEAD + "boss:\ndie: {faces: {value: [1], from: p. 3}}\n"):
        assert check.is_valid(YAML(typ="safe", pure=True).load(good)), good
    for bad in (".source: rulebook\n", HEAD + "boss: {hp: {value: 3, max: 4}}\n", HEAD + ".max: 3\n", "game: 3\n"):
        assert not check.is_valid(YAML(typ="safe", pure=True).load(bad)), bad
