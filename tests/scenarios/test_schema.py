"""What ships is valid, by our own reading and by the JSON schemas; and the page for designers is true."""

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from broken import FILES
from ruamel.yaml import YAML

import hardmode.scenarios.schema
from hardmode.scenarios.box import BOX_FILENAME, find_box_folders, load_parameters
from hardmode.scenarios.load import list_scenario_files, list_shipped_scenarios, load_scenario
from hardmode.scenarios.parameter import parse_box
from hardmode.scenarios.schema import FILES as SCHEMAS
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.model import format_json_schema
from hardmode.sim.files.yaml_io.read import parse_yaml

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scenarios.md"


def validator(name):
    return jsonschema.Draft202012Validator(json.loads(format_json_schema(SCHEMAS[name]())))


def plain(text):
    """As an editor's YAML plug-in reads it: as JSON."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(text), default=str))


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_current_and_sound(name):
    now = (hardmode.scenarios.schema.FOLDER / name).read_text("utf-8")
    assert now == format_json_schema(SCHEMAS[name]()), "run python -m hardmode.scenarios.schema"
    jsonschema.Draft202012Validator.check_schema(json.loads(format_json_schema(SCHEMAS[name]())))


@pytest.mark.parametrize("game", find_box_folders())
def test_shipped_boxes_are_valid(game):
    text = (find_box_folders()[game] / BOX_FILENAME).read_text("utf-8")
    assert [e.message for e in validator("box.schema.json").iter_errors(plain(text))] == []
    assert load_parameters(game)


@pytest.mark.parametrize("name", list_scenario_files())
def test_shipped_scenarios_are_valid(name):
    text = list_scenario_files()[name].read_text("utf-8")
    assert [e.message for e in validator("scenario.schema.json").iter_errors(plain(text))] == []
    scenario = load_scenario(name)
    assert scenario.name == name and scenario.cells and scenario.title != name
    assert dict(list_shipped_scenarios())[name] == scenario.title


SEEN_BY_AN_EDITOR = ("no such key", "must be a mapping", "must be a text", "is missing", "is not a band",
                     "must be at least", "must be a list")


def test_an_editor_sees_the_mistakes_in_keys(hill):
    """The schema knows keys and types; paths and limits are known only when a box is at hand."""
    check, caught = validator("scenario.schema.json"), 0
    for text, message in FILES:
        if any(word in message for word in SEEN_BY_AN_EDITOR) and "game: is missing" not in message:
            if "it must be" not in message and "must be `all` or a list" not in message:
                assert not check.is_valid(plain(text)), text
                caught += 1
    assert caught > 15


def test_a_box_schema_tells_leaves_from_sections():
    check = validator("box.schema.json")
    for good in ("a: 1", ".source: rulebook\na: {b: {value: 1, min: 0}}", "a: [1, 2]", "a: {value: [x]}"):
        assert check.is_valid(plain(good)), good
    for bad in ("a: {value: 1, rnage: [1, 2]}", "a: {}", "a b: 1", ".sorce: rulebook", "a: {value: 1, range: [1]}",
                "a: {value: 1, source: guess}", "a: {value: {b: 1}}", "- 1"):
        assert not check.is_valid(plain(bad)), bad


def blocks(kind):
    return re.findall(rf"```yaml {kind}\n(.*?)```(?:\n```text\n(.*?)\n```)?", PAGE.read_text("utf-8"), re.DOTALL)


def test_the_box_of_the_page_is_the_box_of_these_tests(hill):
    [(text, _)] = blocks("box")
    shown = parse_box(parse_yaml(text, "box.yaml", signed_numbers=True))
    assert list(shown.values()) == list(load_parameters("hill").values())


@pytest.mark.parametrize("text", [text for text, _ in blocks("scenario")])
def test_the_scenarios_of_the_page_load(hill, text):
    Path("mine.yaml").write_text(text)
    assert load_scenario("mine.yaml").cells
    assert validator("scenario.schema.json").is_valid(plain(text))


@pytest.mark.parametrize(("text", "message"), blocks("broken"))
def test_the_mistakes_of_the_page_are_said_so(hill, text, message):
    Path("mine.yaml").write_text(text)
    with pytest.raises(ScenarioError) as error:
        load_scenario("mine.yaml")
    assert str(error.value) == message


def test_the_page_has_its_examples():
    kinds = ("box", "scenario", "broken", "own-box", "extends")
    assert [len(blocks(kind)) for kind in kinds] == [1, 6, 2, 1, 1]


def test_the_box_of_ones_own_of_the_page_is_laid_over_the_shipped_one(hill):
    [(text, _)] = blocks("own-box")
    Path("mybox.yaml").write_text(text)
    cell = load_scenario("hill/standard", box="mybox.yaml").cells[0]
    assert cell.changes_to_shipped_box == {"boss.hp": 20, "die.odds": [1.0, 1.5]} and cell.assumption_count.assumed == 1
    assert validator("own-box.schema.json").is_valid(plain(text))


def test_the_scenario_of_the_page_starts_from_another(hill):
    [(text, _)] = blocks("extends")
    Path("mine.yaml").write_text(text)
    night = load_scenario("hill/hard-night").cells[0].values
    assert load_scenario("mine.yaml").cells[0].values == {**night, "boss.hp": 5}
    assert validator("scenario.schema.json").is_valid(plain(text))


def test_the_values_of_the_page(hill):
    rows = dict(re.findall(r"^\| `([^|]*)` \|[^|]*\| ([0-9, ]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
    assert rows == {"12": "12", "+1`, `-2`, `+0.5": "10, 7", "x2`, `x1.5": "18, 14"}
    for written, numbers in rows.items():
        for change, number in zip(written.split("`, `"), numbers.split(", "), strict=False):
            assert load_scenario("hill/standard", [f"boss.hp={change}"]).cells[0].values["boss.hp"] == int(number)


def test_boxes_are_found_without_numba():
    code = "import sys; from hardmode.scenarios import box; box.find_box_folders(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
