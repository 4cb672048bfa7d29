"""Every form in which a number can be changed, and what it comes to."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.scenarios.overrides import Change, apply_change
from hardmode.scenarios.parameter import Parameter
from hardmode.sim.files.yaml_io.errors import ScenarioError

pytestmark = pytest.mark.usefixtures("hill")

FORMS = [  # what is written in the file, the path, what then stands there
    ("boss.hp: 12", "boss.hp", 12),
    ("boss.hp: 1_2", "boss.hp", 12),
    ("boss.hp: +1", "boss.hp", 10),
    ("boss.hp: '+1'", "boss.hp", 10),
    ("boss.hp: -1", "boss.hp", 8),
    ("boss.hp: x2", "boss.hp", 18),
    ("boss.hp: x1.5", "boss.hp", 14),  # 13.5, rounded away from zero
    ("boss.hp: x0.5", "boss.hp", 5),  # 4.5
    ("boss.hp: +0", "boss.hp", 9),
    ("boss.hp: =7", "boss.hp", 7),
    ("cave.depth: =-1", "cave.depth", -1),
    ("cave.depth: -1", "cave.depth", -3),
    ("cave.depth: +1", "cave.depth", -1),
    ("cave.depth: x1.25", "cave.depth", -3),  # -2.5
    ("cave.depth: 0", "cave.depth", 0),
    ("die.weight: 2", "die.weight", 2.0),
    ("die.weight: 2.5e0", "die.weight", 2.5),
    ("die.weight: +0.25", "die.weight", 1.25),
    ("die.weight: -.25", "die.weight", 0.75),
    ("die.weight: x0.1", "die.weight", 0.1),
    ("switches.night: true", "switches.night", True),
    ("setup.boss: wolf", "setup.boss", "wolf"),
    ("setup: {boss: wolf}", "setup.boss", "wolf"),
    ("setup.heroes: [cleo, bert]", "setup.heroes", ["cleo", "bert"]),
    ("setup.heroes: []", "setup.heroes", []),
    ("setup.heroes[0]: cleo", "setup.heroes", ["cleo"]),
    ("die.faces: [2, 2, 2]", "die.faces", [2, 2, 2]),
    ("die.faces: [=-1, =3, 2]", "die.faces", [-1, 3, 2]),
    ("die.faces[5]: 6", "die.faces", [1, 1, 2, 2, 3, 6]),
    ("die.faces[5]: +1", "die.faces", [1, 1, 2, 2, 3, 5]),
    ("die.faces[0]: -1", "die.faces", [0, 1, 2, 2, 3, 4]),
    ("die.faces: +1", "die.faces", [2, 2, 3, 3, 4, 5]),
    ("die.faces: x1.5", "die.faces", [2, 2, 3, 3, 5, 6]),
    ("die.odds: [1, 0.5]", "die.odds", [1.0, 0.5]),
    ("die: {weight: 3}", "die.weight", 3.0),
]


@pytest.mark.parametrize(("written", "path", "value"), FORMS)
def test_forms_in_a_file(written, path, value):
    Path("mine.yaml").write_text(f"game: hill\nrules:\n  {written}\n")
    [cell] = load_scenario("mine.yaml").cells
    assert cell.values[path] == value
    assert type(cell.values[path]) is type(value)
    untouched = {p: leaf.value for p, leaf in cell.parameters.items() if p != path}
    assert {p: v for p, v in cell.values.items() if p != path} == untouched


@pytest.mark.parametrize(("written", "path", "value"), [f for f in FORMS if ": {" not in f[0]])
def test_the_same_forms_as_flags(written, path, value):
    name, _, text = written.partition(": ")
    [cell] = load_scenario("hill/standard", [f"{name}={text}"]).cells
    assert cell.values[path] == value
    usual = cell.parameters[path].value
    assert cell.changed_values == ({} if usual == value else {path: (usual, value)})


def test_numbers_from_python_are_absolute():
    assert create_variant("hill", rules={"cave.depth": -1}).values["cave.depth"] == -1
    assert create_variant("hill", rules={"cave.depth": "-1"}).values["cave.depth"] == -3
    assert create_variant("hill", rules={"boss.hp": +1}).values["boss.hp"] == 1


def test_flags_count_from_what_the_scenario_says():
    assert load_scenario("hill/hard-night").cells[0].values["boss.hp"] == 10
    assert load_scenario("hill/hard-night", ["boss.hp=+2"]).cells[0].values["boss.hp"] == 12
    assert load_scenario("hill/hard-night", ["boss.hp=+2", "boss.hp=x2"]).cells[0].values["boss.hp"] == 24
    assert load_scenario("hill/hard-night", ["boss.hp=5"]).cells[0].values["boss.hp"] == 5


def changed(value, written):
    leaf = Parameter("a", value, "rulebook")
    values = {"a": value}
    apply_change(values, Change("a", written), {"a": leaf})
    return values["a"]


@given(st.integers(-10**9, 10**9), st.integers(0, 10**9))
def test_whole_numbers_move_exactly(value, by):
    assert changed(value, f"+{by}") == value + by
    assert changed(value, f"-{by}") == value - by
    assert changed(value, f"x{by}") == value * by
    assert changed(value, f"={by}") == by


@given(st.integers(-10**6, 10**6), st.integers(0, 999))
def test_products_go_to_the_nearest_whole_number(value, thousandths):
    """Halves go away from zero; the difference is never more than a half."""
    product = changed(value, f"x{thousandths / 1000}")
    off = abs(1000 * product - value * thousandths)
    assert off <= 500
    if off == 500:
        assert abs(1000 * product) > abs(value * thousandths)


@given(st.decimals(-1000, 1000, places=3), st.decimals(0, 10, places=3))
def test_decimals_move_as_one_writes_them(value, by):
    assert changed(float(value), f"+{by}") == float(value + by)
    assert changed(float(value), f"x{by}") == float(value * by)


@pytest.mark.parametrize(("written", "changed"), [
    ("'*.hp': +1", {"boss.hp": 10}),
    ("'boss.*': 3", {"boss.hp": 3}),
    ("'cave.*': x2", {"cave.depth": -4, "cave.torches": 6}),
    ("'*.*': =3", None),  # not every number takes it
    ("'die.*[0]': 2", None),  # the weight has no items
    ("{'*': {hp: x2}}", {"boss.hp": 18})])
def test_a_star_stands_for_any_name(written, changed):
    text = f"game: hill\nrules: {written if written[0] == '{' else '{' + written + '}'}\n"
    Path("mine.yaml").write_text(text)
    if changed is None:
        with pytest.raises(ScenarioError):
            load_scenario("mine.yaml")
        return
    [cell] = load_scenario("mine.yaml").cells
    assert {path: new for path, (_, new) in cell.changed_values.items()} == changed


def test_a_star_on_the_command_line_and_in_python():
    Path("mine.yaml").write_text("game: hill\nsweep: {boss.hp: [3, 5]}\n")
    assert [c.values["boss.hp"] for c in load_scenario("mine.yaml", ["*.hp=+1"]).cells] == [4, 6]
    assert [c.values["boss.hp"] for c in load_scenario("mine.yaml", ["*.hp=7"]).cells] == [7]
    assert create_variant("hill", rules={"*.weight": 2.5}).values["die.weight"] == 2.5


def test_a_star_that_fits_nothing_or_is_swept_is_refused():
    Path("mine.yaml").write_text("game: hill\nsweep: {'*.hp': [3, 5]}\n")
    with pytest.raises(ScenarioError, match="swept number by number"):
        load_scenario("mine.yaml")
    with pytest.raises(ScenarioError, match="fits no number"):
        create_variant("hill", rules={"*.hpp": 2})
