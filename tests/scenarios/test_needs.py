"""What a number needs in order to matter: said in the box, shown in the list, and told to whoever sets it without."""

import pytest

from hardmode.reports.console import list_parameters
from hardmode.scenarios import dependencies
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.box_overlay import load_overlay
from hardmode.scenarios.load import create_variant, list_scenario_files, load_scenario
from hardmode.sim.files.yaml_io.errors import UNKNOWN_LOCATION, ScenarioError

BOX = """
.source: rulebook
setup:
  players: {value: 2, choices: [1, 2, 3, 4]}
  boss: {value: any, choices: [any, snake, wolf]}
  brambles: {value: classic, choices: [easy, classic, hard]}
  heroes: {value: [anna], choices: [anna, bert, cleo]}
switches:
  night: false
boss:
  .needs: {setup.boss: [any, snake]}
  hp: {value: 9, min: 1, max: 99, needs: {switches.night: true}}
die:
  weight: {value: 1.0, min: 0, needs: {.faces: 6}}
  faces: [1, 1, 2, 2, 3, 4]
  odds: {value: [0.5, 2], needs: {cave.torches: "> 3"}}
cave:
  depth: {value: -2, min: -5, max: 0, needs: {"setup.*": bert}}
  torches: 3
"""
HP = "boss.hp changes nothing here: it needs "


@pytest.fixture
def needy(more):
    (more / "hill").mkdir()

    def written(text=BOX):
        (more / "hill" / "box.yaml").write_text(text)
        return more.parent / "mine.yaml"

    written()
    return written


def own_box_of(game, text, folder):
    file = folder / "own.yaml"
    file.write_text(f"game: {game}\n.source: rulebook\n{text}\n")
    return load_overlay(file, game, UNKNOWN_LOCATION)


def notes(file, text):
    file.write_text("game: hill\n" + text)
    return load_scenario(str(file)).notes


def test_what_is_needed_above_is_needed_too(needy):
    assert load_parameters("hill")["boss.hp"].needs == (("setup.boss", ("any", "snake")), ("switches.night", (True,)))
    needy(BOX.replace("needs: {switches.night: true}", "needs: {setup.boss: wolf}"))
    assert load_parameters("hill")["boss.hp"].needs == (("setup.boss", ("wolf",)),)


def test_above_it_may_be_said_of_those_of_one_name(needy):
    needy(BOX.replace("die:\n", "die:\n  .needs_of: {weight: {setup.boss: wolf}, sides: {setup.boss: snake}}\n"))
    assert load_parameters("hill")["die.weight"].needs == (("setup.boss", ("wolf",)), (".faces", (6,)))
    assert load_parameters("hill")["die.faces"].needs == ()
    needy(BOX.replace("needs: {.faces: 6}", "needs_of: {weight: {.faces: 6}}"))
    with pytest.raises(ScenarioError, match=r"die.weight.needs_of: stands above the numbers, as \.needs_of"):
        load_parameters("hill")


def test_whoever_sets_a_number_in_vain_is_told_what_it_needs(needy):
    mine = needy()
    assert notes(mine, "rules: {boss.hp: 10}") == [HP + "switches.night true"]
    assert notes(mine, "setup: {boss: wolf}\nrules: {boss.hp: 10}") == [
        HP + "setup.boss any or snake, and switches.night true"]
    assert notes(mine, "rules: {boss.hp: 10, switches.night: true}") == []
    assert notes(mine, "rules: {boss.hp: 9}") == []


def test_one_item_of_a_list_will_do_and_one_of_several_numbers_and_one_beside(needy):
    mine = needy()
    assert notes(mine, "rules: {cave.depth: -3, die.weight: 2.0}") == [
        "cave.depth changes nothing here: it needs setup.* bert",
        "die.weight changes nothing here: it needs its faces 6",
    ]
    assert notes(mine, "setup: {heroes: [anna, bert]}\nrules: {cave.depth: -3}") == []
    assert notes(mine, "rules: {die.odds: [1.0, 2.0]}") == ["die.odds changes nothing here: it needs cave.torches > 3"]
    assert notes(mine, "rules: {die.odds: [1.0, 2.0], cave.torches: 4}") == []
    assert notes(mine, "rules: {die.weight: 2.0, die.faces: [1, 2, 3, 4, 5, 6]}") == []


def test_in_a_grid_one_cell_in_which_it_matters_will_do(needy):
    mine = needy()
    assert notes(mine, "rules: {boss.hp: 10}\nsweep: {switches.night: all}") == []
    assert notes(mine, "sweep: {boss.hp: [9, 10, 11]}") == [HP + "switches.night true"]


@pytest.mark.parametrize(("wrong", "words"), [
    ("needs: {switches.nigth: true}", "boss.hp: needs switches.nigth, and there is no such number"),
    ("needs: {switches.night: dark}", "boss.hp: needs switches.night dark, which it cannot be"),
    ("needs: {cave.torches: many}", "boss.hp: needs cave.torches many, which it cannot be"),
    ("needs: {setup.boss: owl}", "boss.hp: needs setup.boss owl, which it cannot be"),
    ("needs: dark", "boss.hp.needs: must be a mapping of other numbers to a value, or to a list of values"),
])
def test_a_box_that_needs_what_there_is_not_is_refused(needy, wrong, words):
    needy(BOX.replace("needs: {switches.night: true}", wrong))
    with pytest.raises(ScenarioError) as why:
        load_parameters("hill")
    assert words in str(why.value)


def test_a_box_of_ones_own_does_not_say_it(needy):
    with pytest.raises(ScenarioError, match=r"boss.hp.needs: can be set in the shipped box only"):
        own_box_of("hill", "boss: {hp: {value: 8, needs: {switches.night: false}}}", needy().parent)


def test_the_list_says_it_and_writes_a_star_for_names_of_its_own(needy):
    found = load_parameters("hill")
    assert dependencies.describe_needs(found["boss.hp"]) == "needs setup.boss any or snake, and switches.night true"
    assert found["boss.hp"].needs == (("setup.boss", ("any", "snake")), ("switches.night", (True,)))
    assert list_parameters.filter_parameters(list(found.values()), "needs night") == [found["boss.hp"]]


def test_what_several_need_is_listed_once_above_them(capsys):
    of_room = [one for path, one in load_parameters("vengeance").items() if "5B.room.room8" in path]
    list_parameters.print_parameters(list_parameters.make_lines(of_room, {}))
    several = capsys.readouterr().out
    assert several.count("setup.boards") == 1 and several.count("needs its objective O1_KILL or O6_VISIT_N\n") == 1


def test_of_one_alone_it_is_said_beside_it(needy, capsys):
    both = [load_parameters("hill")[path] for path in ("boss.hp", "die.faces")]
    list_parameters.print_parameters(list_parameters.make_lines(both, {}))
    assert "needs setup.boss any or snake, and switches.night true; rulebook" in capsys.readouterr().out


def test_no_shipped_scenario_changes_a_number_in_vain():
    found = {name: load_scenario(name).notes for name in list_scenario_files()}
    assert len(found) > 80 and not [told for notes in found.values() for told in notes if "changes nothing" in told]


def test_numbers_alike_are_listed_with_a_star_for_the_name_of_each():
    lines = list_parameters.group_parameters(list(load_parameters("vengeance").values()))
    found = {line.path: line.note for line in lines}
    assert found["boss.*.health"].endswith("; needs setup.bosses any or *")


def test_a_variant_from_python_says_it_too(needy):
    assert create_variant("hill", rules={"boss.hp": 3}).ineffective_changes == {"boss.hp": "switches.night true"}
