"""What is broken is said in a line: the place, the path, the mistake, the nearest valid names."""

import os
import re
from pathlib import Path

import pytest
from broken import BOXES, FILES, FLAGS

from hardmode.scenarios.load import create_variant, find_scenario, load_scenario
from hardmode.scenarios.parameter import parse_box
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.read import parse_yaml

pytestmark = pytest.mark.usefixtures("hill")


def said(run, *arguments, **named):
    with pytest.raises(ScenarioError) as error:
        run(*arguments, **named)
    return str(error.value)


def mine(text):
    Path("mine.yaml").write_text(text, "utf-8")
    return "mine.yaml"


@pytest.mark.parametrize(("text", "message"), FILES)
def test_broken_file(text, message):
    assert said(load_scenario, mine(text)) == message


@pytest.mark.parametrize(("flag", "message"), FLAGS)
def test_broken_flag(flag, message):
    assert said(load_scenario, "hill/standard", [flag]) == message


@pytest.mark.parametrize(("text", "message"), BOXES)
def test_broken_box(text, message):
    assert said(lambda: parse_box(parse_yaml(text, "box.yaml", signed_numbers=True))) == message


def test_the_corpus_is_one():
    assert len(FILES) + len(FLAGS) + len(BOXES) > 150
    assert all(re.match(r"(mine\.yaml|box\.yaml)(:\d+)?: |--set: ", m) for _, m in FILES + FLAGS + BOXES)


def test_the_error_has_parts():
    with pytest.raises(ScenarioError) as error:
        load_scenario(mine("game: hill\nrules:\n  boss.hpp: 3\n"))
    found = error.value
    assert (found.file, found.line, found.path) == ("mine.yaml", 3, "rules.boss.hpp")
    assert (found.message, found.nearest) == ("no such number", ["boss.hp"])


@pytest.mark.parametrize(("content", "message"), [
    (bytes(range(256)), "mine.yaml: is not a text file in UTF-8"),
    ("game: hill".encode("utf-16"), "mine.yaml: is not a text file in UTF-8"),
    (b"game: hill\n\x00", "mine.yaml:2: holds a character that is not text: 0x00"),
    (b"\xef\xbb\xbfgame: hill\r\nrules:\r\n  hp: 3\r\n",
     "mine.yaml:3: rules.hp: no such number; did you mean boss.hp?"),
])
def test_files_that_are_no_plain_text(content, message):
    Path("mine.yaml").write_bytes(content)
    assert said(load_scenario, "mine.yaml") == message


@pytest.mark.parametrize(("name", "message"), [
    ("mine.yaml", "mine.yaml: no such file"),
    ("sub", "sub: is a directory; a scenario is a YAML file or a shipped name"),
    ("sub.yaml", "sub.yaml: is a directory; a YAML file is needed"),
    ("hill", "hill: is a game; its scenarios are hill/hard-night, hill/standard"),
    ("hill/standrd", "hill/standrd: no such scenario; did you mean hill/standard?"),
    ("hil/hard_night", "hil/hard_night: no such scenario; did you mean hill/hard-night?"),
    ("quux", "quux: no such scenario: neither a file nor a shipped name"),
    ("", "'': no such scenario: neither a file nor a shipped name"),
])
def test_scenarios_that_are_not_there(name, message):
    os.mkdir("sub")
    os.mkdir("sub.yaml")
    assert said(load_scenario, name) == message


def test_a_file_that_may_not_be_read(monkeypatch):
    mine("game: hill\n")

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert said(load_scenario, "mine.yaml") == "mine.yaml: cannot be read: Permission denied"


def test_a_box_is_no_scenario():
    assert said(load_scenario, find_scenario("hill/standard").with_name("box.yaml")).endswith(
        "box.yaml: is a box; a scenario is another file, beside it or your own")


def test_a_game_that_its_folder_contradicts(more):
    """A file in a game's folder is for that game."""
    here, shipped = more / "hill", find_scenario("hill/standard")
    here.mkdir()
    for name in ("box.yaml", "standard.yaml"):
        (here / name).write_bytes(shipped.with_name(name).read_bytes())
    (here / "odd.yaml").write_text("game: pig\n")
    wrong = "more/hill/odd.yaml:1: game: is pig, but the file lies in the folder of hill"
    assert said(load_scenario, "hill/odd") == wrong


def test_too_deep_and_too_many():
    assert said(load_scenario, mine("game: hill\nrules: " + "{a: " * 200 + "1" + "}" * 200)) == (
        "mine.yaml:2: rules.a.a: is nested too deeply, or refers to itself")
    assert said(load_scenario, mine("a: " + "[" * 3000)) == "mine.yaml: is nested too deeply"
    laughs = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 30))
    wrong = "is one value too many: with aliases written out, 50,000 are allowed"
    assert said(load_scenario, mine(laughs)).endswith(wrong)
    wide = f"{{boss.hp: {list(range(1, 99))}, cave.torches: {list(range(200))}}}"
    assert said(load_scenario, mine(f"game: hill\nsweep: {wide}\n")) == (
        "mine.yaml:2: sweep: has 19,600 cells; the most is 10,000")


def test_from_python_the_path_is_the_place():
    assert said(create_variant, "hill", rules={"boss.hpp": 3}) == "boss.hpp: no such number; did you mean boss.hp?"
    assert said(create_variant, "hill", setup={"boss": "wulf"}) == (
        "setup.boss: is wulf; it must be one of any, snake, wolf; did you mean wolf?")
    assert said(create_variant, "hil") == "game: no game 'hil'; did you mean hill?"
    assert said(create_variant, "hill", strategies=["mine.py"]) == (
        "strategies[0]: say which function of mine.py plays, as in mine.py:my_strategy")


def test_players_and_strategies_of_the_command_line():
    wrong = "--players: setup.players: is 9; it must be one of 1, 2, 3, 4"
    assert said(load_scenario, "hill/standard", players=9) == wrong
    assert said(load_scenario, "hill/standard", strategies=["steady"] * 3) == (
        "--strategy: strategies: there are 3 strategies for 2 seats; give one for all, or one per seat")
    assert said(load_scenario, "hill/standard", strategies=["mine.py"]) == (
        "--strategy: strategies[0]: say which function of mine.py plays, as in mine.py:my_strategy")
