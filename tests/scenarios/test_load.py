"""Scenarios, their sweeps, and the variants that come out of them."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from hardmode.scenarios.expect import ExpectedAmounts, ExpectedOrder, ExpectedRange
from hardmode.scenarios.labels import format_label
from hardmode.scenarios.load import create_variant, find_scenario, list_shipped_scenarios, load_scenario
from hardmode.scenarios.strategy import StrategySpec
from hardmode.sim.contract import discovery
from hardmode.sim.files.yaml_io.errors import ScenarioError

pytestmark = pytest.mark.usefixtures("hill")


def mine(text, file="mine.yaml"):
    Path(file).write_text("game: hill\n" + text)
    return load_scenario(file)


def swept(text):
    return [cell.label_text for cell in mine(text).cells]


# -- one variant ---------------------------------------------------------------------------------


def test_a_variant_fills_the_box():
    cell = create_variant("hill", players=3, setup={"boss": "wolf", "heroes": ["anna", "cleo"]},
                   rules={"boss.hp": "+1", "switches.night": True, "die.faces[5]": 6})
    box = cell.box[0]
    assert cell.box.dtype == cell.game.box and cell.box.shape == (1,)
    assert (box["players"], box["boss"], box["heroes"], box["hp"], box["night"]) == (3, 2, 0b101, 10, 1)
    assert list(box["faces"]) == [1, 1, 2, 2, 3, 6]
    assert cell.changed_values == {
        "setup.players": (2, 3), "setup.boss": ("any", "wolf"), "setup.heroes": (["anna"], ["anna", "cleo"]),
        "boss.hp": (9, 10), "switches.night": (False, True), "die.faces": ([1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 3, 6])}
    assert (cell.players, cell.strategies) == (3, (StrategySpec("steady"),) * 3)


def test_pig_is_a_game_like_any_other():
    cell = load_scenario("pig/classic").cells[0]
    assert (cell.game.name, cell.title, cell.players) == ("pig", "Pig, two players to a hundred", 2)
    assert cell.box[0].tolist() == (100, 6, 2)
    assert create_variant("pig", players=1, rules={"target": "x1.5", "die.sides": "+2"}).box[0].tolist() == (150, 8, 1)


def test_a_value_set_to_its_default_is_no_change():
    assert create_variant("hill", players=2, rules={"boss.hp": 9, "die.faces": "+0"}).changed_values == {}


def test_what_rests_on_assumptions():
    assert create_variant("hill").assumption_count == (2, 2, 11)
    assert create_variant("hill", rules={"switches.night": True, "boss.hp": 3}).assumption_count == (1, 2, 11)


def test_implausible_values_are_noted_not_refused():
    cell = mine("rules:\n  boss.hp: 20\n  die.odds: [1, 7]\n").cells[0]
    assert cell.values["boss.hp"] == 20
    assert cell.warnings == ("mine.yaml:3: boss.hp is 20, outside its plausible range 5 to 15",
                             "mine.yaml:4: die.odds is 7.0, outside its plausible range 0 to 3")
    assert create_variant("hill", rules={"boss.hp": 15}).warnings == ()


def test_a_number_that_the_game_does_not_read(more):
    box = find_scenario("hill/standard").with_name("box.yaml").read_text()
    (more / "hill").mkdir()
    (more / "hill" / "box.yaml").write_text(box + "  rope: 2\n  ladder: 1\n")
    with pytest.raises(ValueError) as error:
        create_variant("hill")
    line = box.count("\n") + 1
    assert str(error.value) == (f"more/hill/box.yaml:{line}: cave.rope: the game does not read this number "
                                "(nor 1 more)")


def test_a_broken_printed_box_is_the_games_own_fault(monkeypatch):
    def fill(box, values):
        raise IndexError("out of the box")

    rules = import_module(discovery.find_rules_module("hill"))
    monkeypatch.setattr(rules, "GAME", replace(rules.GAME, fill=fill))
    with pytest.raises(IndexError):
        create_variant("hill")


def test_the_change_that_brought_trouble_is_named():
    """The number refused was not changed; the change without which all is well is."""
    text = "setup: {heroes: [anna, bert]}\nrules:\n  cave.torches: 4\n  setup.players: 2\n"
    mine(text)
    with pytest.raises(ValueError, match=r"^mine.yaml:2: setup.heroes: names more heroes than the 1 players$"):
        load_scenario("mine.yaml", players=1)
    with pytest.raises(ValueError, match=r"^mine.yaml:4: cave.torches: burn in vain: no cave at night$"):
        mine("rules:\n  boss.hp: 4\n  cave.depth: 0\n  switches.night: true\n")
    with pytest.raises(ValueError, match=r"^mine.yaml:5: rules.die.faces: the game cannot use this: index 6"):
        mine("rules:\n  cave.torches: 4\n  die.weight: 2\n  die.faces: [1, 2, 3, 4, 5, 6, 7]\n")


# -- scenarios -----------------------------------------------------------------------------------


def test_shipped_scenarios():
    assert list_shipped_scenarios() == [("hill/hard-night", "The hill: a hard night"),
                                        ("hill/standard", "The hill by day"),
                         ("pig/classic", "Pig, two players to a hundred")]
    night = load_scenario("hill/hard-night")
    assert (night.name, night.title) == ("hill/hard-night", "The hill: a hard night")
    assert night.description == "Two lines of brambles, and no light."
    assert load_scenario(find_scenario("hill/hard-night")).name == "hill/hard-night"
    assert night.sweep == () and night.cells[0].label == {} and night.cells[0].label_text == ""


def test_titles_in_any_form(more):
    folder = more / "moor"
    folder.mkdir()
    here = find_scenario("hill/standard").parent
    for title, said in (("title: plain", "plain"), ("title: 'a: b'", "a: b"), ("[", "moor/a"), ("title:", "moor/a"),
                        ("title: two\n  lines\nseed: 1", "two lines"), ('title: "two\n  lines"', "two lines"),
                        ("players: 2", "moor/a"), ("title: [", "moor/a")):
        (folder / "box.yaml").write_bytes((here / "box.yaml").read_bytes())
        (folder / "a.yaml").write_text(title + "\n")
        assert dict(list_shipped_scenarios())["moor/a"] == said


def test_a_scenario_without_a_title_is_called_by_its_name():
    scenario = mine("players: 3\nseed: 7\ngames: 20k\n")
    assert (scenario.title, scenario.name, scenario.seed, scenario.games) == ("mine.yaml", "mine.yaml", 7, 20_000)
    assert [mine(f"games: {said}\n").games for said in ("500", "1_000", "1.5M")] == [500, 1000, 1_500_000]


def test_players_are_setup_players():
    assert mine("players: 3\n").cells[0].values == mine("setup: {players: 3}\n").cells[0].values
    with pytest.raises(ScenarioError, match=r"setup\.players: is given twice"):
        mine("players: 3\nsetup: {players: 3}\n")
    assert mine("players: +1\n").cells[0].players == 3
    assert load_scenario("hill/standard", players=4).cells[0].players == 4


# -- sweeps --------------------------------------------------------------------------------------


def test_a_sweep_is_a_product_in_its_order():
    assert swept("sweep:\n  setup.boss: all\n  players: [2, 1]\n") == [
        "boss snake, 2 players", "boss snake, 1 player", "boss wolf, 2 players", "boss wolf, 1 player"]
    scenario = mine("sweep: {setup.boss: all, players: [2, 1]}\n")
    assert scenario.sweep == ("setup.boss", "setup.players")
    assert [cell.label for cell in scenario.cells][1] == {"setup.boss": "snake", "setup.players": 1}
    assert [cell.players for cell in scenario.cells] == [2, 1, 2, 1]


def test_all_is_every_choice_but_any():
    assert swept("sweep: {setup.boss: all}\n") == ["boss snake", "boss wolf"]
    assert swept("sweep: {setup.boss: [any, wolf]}\n") == ["boss any", "boss wolf"]
    assert swept("sweep: {switches.night: all}\n") == ["night on", "night off"]
    assert swept("sweep: {players: all}\n") == ["1 player", "2 players", "3 players", "4 players"]
    assert swept("sweep: {'setup.heroes[0]': all}\n") == ["heroes[0] anna", "heroes[0] bert", "heroes[0] cleo"]
    assert swept("sweep: {setup: {boss: all}}\n") == ["boss snake", "boss wolf"]


def test_swept_values_may_be_relative():
    assert swept("sweep: {boss.hp: [-1, +0, x2]}\n") == ["hp 8", "hp 9", "hp 18"]
    assert swept("rules: {boss.hp: 5}\nsweep: {boss.hp: [-1, +0, 20]}\n") == ["hp 4", "hp 5", "hp 20"]
    assert swept("sweep: {die.faces: [+0, +1, [6, 6]]}\n") == [
        "faces [1, 1, 2, 2, 3, 4]", "faces [2, 2, 3, 3, 4, 5]", "faces [6, 6]"]


def test_flags_settle_an_axis_or_shift_it():
    text = "sweep: {boss.hp: [5, 6], setup.boss: all}\nexpect: {order: [6 > 5, wolf > snake]}\n"
    assert len(mine(text).cells) == 4
    settled = load_scenario("mine.yaml", ["boss.hp=7"])
    assert [c.label_text for c in settled.cells] == ["boss snake", "boss wolf"]
    assert {c.values["boss.hp"] for c in settled.cells} == {7}
    assert [o.path for o in settled.expect.order] == ["setup.boss"]
    shifted = load_scenario("mine.yaml", ["boss.hp=+1"])
    assert [c.values["boss.hp"] for c in shifted.cells] == [6, 6, 7, 7]
    assert shifted.cells[0].label == {"boss.hp": 6, "setup.boss": "snake"}
    assert [o.path for o in shifted.expect.order] == ["setup.boss"]
    mine("sweep: {players: [1, 2]}\n")
    assert [c.players for c in load_scenario("mine.yaml", players=3).cells] == [3]


def test_labels_stay_apart():
    assert swept("sweep: {boss.hp: [1, 2], die.weight: [1.5]}\n") == ["hp 1, weight 1.5", "hp 2, weight 1.5"]
    found = mine("sweep: {setup.boss: all, strategies: [steady, [beginner, {search: steady, playouts: 8}]]}\n")
    assert [c.label_text for c in found.cells][:2] == ["boss snake, steady", "boss snake, beginner and search:8:steady"]
    assert found.cells[0].label["strategies"] == "steady"


# -- strategies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("written", "spec"), [
    ("steady", StrategySpec("steady")),
    ("{name: steady, weights: {door: 12, well: -1}}", StrategySpec("steady", {"door": 12.0, "well": -1.0})),
    ("{search: steady, playouts: 64}", StrategySpec("steady", {}, 64, True)),
    ("{search: steady, weights: {door: .5}}", StrategySpec("steady", {"door": 0.5}, None, True)),
    ("search", StrategySpec("steady", {}, None, True)),
    ("search:32", StrategySpec("steady", {}, 32, True)),
    ("search:32:expert", StrategySpec("expert", {}, 32, True)),
    ("{name: 'search:8:steady', weights: {door: 1}}", StrategySpec("steady", {"door": 1.0}, 8, True)),
    ("sub/mine.py:greedy", StrategySpec("greedy", file=Path("sub/mine.py"))),
    ("{search: mine.py:greedy, playouts: 9}", StrategySpec("greedy", {}, 9, True, Path("mine.py"))),
    ("/abs/mine.py:greedy", StrategySpec("greedy", file=Path("/abs/mine.py"))),
])
def test_forms_of_a_strategy(written, spec):
    assert mine(f"strategies: [{written}]\n").cells[0].strategies == (spec, spec)
    assert mine(f"strategies: {written}\n").cells[0].strategies == (spec, spec)


def test_a_file_is_looked_for_beside_the_scenario():
    os.mkdir("there")
    [spec, _] = mine("strategies: mine.py:greedy\n", "there/a.yaml").cells[0].strategies
    assert spec.full_name == "there/mine.py:greedy"
    given = load_scenario("there/a.yaml", strategies=["mine.py:greedy", "random"]).cells[0].strategies
    assert [s.full_name for s in given] == ["mine.py:greedy", "random"]


def test_one_strategy_a_seat():
    cell = mine("strategies: [steady, beginner]\n").cells[0]
    assert [s.name for s in cell.strategies] == ["steady", "beginner"]
    found = mine("sweep: {strategies: [steady, [steady, beginner]]}\n")
    assert [[s.name for s in c.strategies] for c in found.cells] == [["steady"] * 2, ["steady", "beginner"]]
    assert [s.name for s in load_scenario("mine.yaml", strategies=["random"]).cells[0].strategies] == ["random"] * 2


# -- expectations --------------------------------------------------------------------------------


def test_expectations_are_typed():
    expect = mine("""expect:
  win_rate: 40% .. 55%
  rounds: "< 9"
  score: -3 .. 2.5
  score_target: {score: -5, rate: ">= 10%"}
  endings: {lost to the dark: <= 5%, won: 0.4 .. 0.6}
""").expect
    assert expect.win_rate == ExpectedRange(0.4, 0.55, False, "40% .. 55%")
    assert expect.rounds == ExpectedAmounts(ExpectedRange(float("-inf"), 9, True, "< 9"))
    assert (expect.score.mean.low, expect.score.mean.high) == (-3, 2.5)
    assert expect.score_target.score == -5
    assert expect.score_target.rate == ExpectedRange(0.1, float("inf"), False, ">= 10%")
    assert expect.endings["lost to the dark"].high == 0.05
    assert (expect.endings["won"].low, expect.endings["won"].high) == (0.4, 0.6)
    assert mine("players: 2\n").expect is None


def test_quantiles_are_expected_beside_the_mean():
    rounds = mine("expect: {rounds: {mean: 6 .. 9, median: 6 .. 8, 90%: < 12, within: 1 .. 40}}\n").expect.rounds
    assert (rounds.mean.text, rounds.within.high) == ("6 .. 9", 40)
    assert [(q, band.low, band.high, band.text) for q, band in rounds.quantiles] == [
        (0.5, 6, 8, "6 .. 8"), (0.9, float("-inf"), 11, "< 12")]


def test_a_band_holds_its_ends_unless_it_is_strict():
    inside = ExpectedRange(0.4, 0.6)
    assert 0.4 in inside and 0.6 in inside and 0.39 not in inside and 0.61 not in inside
    assert 0.4 not in ExpectedRange(0.4, float("inf"), True) and 0.41 in ExpectedRange(0.4, float("inf"), True)


@pytest.mark.parametrize(("written", "order"), [
    ("easy > classic > hard", ExpectedOrder(("easy", "classic", "hard"), "setup.brambles")),
    ("hard < easy", ExpectedOrder(("easy", "hard"), "setup.brambles")),
    ("easy >= hard", ExpectedOrder(("easy", "hard"), "setup.brambles", strict=False)),
    ("{path: players, order: 2 > 1}", ExpectedOrder(("2", "1"), "setup.players")),
    ("[hard > easy, {path: boss.hp, order: +0 > +1}]", ExpectedOrder(("hard", "easy"), "setup.brambles")),
])
def test_orders_know_their_path(written, order):
    grid = "{setup.brambles: all, players: [1, 2], boss.hp: [+0, +1]}"
    found = mine(f"sweep: {grid}\nexpect: {{order: {written}}}\n").expect.order
    assert found[0] == order
    assert len(found) == 1 or found[1] == ExpectedOrder(("9", "10"), "boss.hp")


def test_orders_of_strategies():
    found = mine("sweep: {strategies: [beginner, steady]}\nexpect: {order: steady > beginner}\n")
    assert found.expect.order == [ExpectedOrder(("steady", "beginner"), "strategies")]
    assert [cell.label["strategies"] for cell in found.cells] == ["beginner", "steady"]


# -- digests -------------------------------------------------------------------------------------


def test_digests_change_with_any_number():
    base = create_variant("hill")
    changes = [{"setup.players": 3}, {"setup.boss": "wolf"}, {"setup.brambles": "easy"}, {"setup.heroes": ["bert"]},
               {"switches.night": True}, {"boss.hp": "+1"}, {"die.weight": "+0.001"}, {"die.faces[3]": "+1"},
               {"die.odds[1]": 1}, {"cave.depth": "+1"}, {"cave.torches": "+1"}]
    assert {path.split("[")[0] for c in changes for path in c} == set(base.parameters)  # every number there is
    found = [create_variant("hill", rules=c).digests for c in changes]
    for kind in ("box", "scenario"):
        assert len({d[kind] for d in (*found, base.digests)}) == len(changes) + 1


def test_digests_change_with_who_plays_and_nothing_else():
    base = create_variant("hill")
    found = [create_variant("hill", strategies=[s]).digests for s in (
        "beginner", {"search": "steady"}, {"search": "steady", "playouts": 8}, "mine.py:steady",
        {"name": "steady", "weights": {"a": 1}}, {"name": "steady", "weights": {"a": 2}})]
    assert {d["box"] for d in found} == {base.digests["box"]}
    assert len({d["scenario"] for d in (*found, base.digests)}) == 7
    same = mine("title: X\ndescription: Y\nrules: {boss.hp: 9}\nexpect: {win_rate: 1% .. 2%}\nseed: 3\ngames: 5\n")
    assert same.cells[0].digests == base.digests
    away = create_variant("hill", strategies=["/else/where/mine.py:steady"]).digests
    assert away == found[3]


def test_digests_are_the_same_in_every_process():
    code = ("from hardmode.scenarios.load import create_variant; "
            "print(create_variant('hill', players=3, rules={'die.weight': 'x0.3', 'die.faces': '+1'}).digests)")
    here = str(create_variant("hill", players=3, rules={"die.weight": "x0.3", "die.faces": "+1"}).digests)
    for seed in ("1", "2"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONHASHSEED": seed})
        assert done.stdout.strip() == here
    pig = create_variant("pig", players=1, rules={"target": "x1.5", "die.sides": "+2"})
    assert pig.digests == {"box": "56a9d398dc8990d6", "scenario": "1a19c7848b01388a"}


def test_a_variant_is_made_again_from_what_it_changed():
    [cell] = mine("players: 3\nrules: {die.weight: x0.3, cave.depth: =-1, die.faces: +1, switches.night: true}\n").cells
    again = create_variant("hill", rules={path: value for path, (_, value) in cell.changed_values.items()},
                    strategies=cell.strategies)
    assert again.digests == cell.digests and again.box.tobytes() == cell.box.tobytes()


def test_a_label_says_the_name_of_a_number_once():
    assert format_label({"setup.boss": "boss10", "setup.monster": "mummy", "torches.start": 5}) == (
        "boss10, monster mummy, start 5")
