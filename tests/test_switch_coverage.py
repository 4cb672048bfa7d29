"""`hardmode check-game --switches` on a copy of Pig with one switch of each kind."""

import json
import os
import subprocess
import sys

import pytest
from breaking import hog

from hardmode.scenarios.load import load_parameters
from hardmode.studies.conformance.switch_coverage import list_values

pytestmark = pytest.mark.plain

SWITCHES = """
switches:
  one: {value: turn, choices: [turn, all], note: what a one costs}
  silent: {value: false, note: only marks the table}
  late: {value: false, note: only works in rounds that are never reached}
  lone: {value: false, needs: {setup.players: 1}, note: asks for a player alone}
  bonus: {value: 0, min: 0, max: 2, note: points for every turn}
  big: {value: no, choices: [no, yes], note: whether large dice are allowed}
"""
RULES = [  # what is replaced in Pig's rules, by what
    ('("players", "i8")]', '("players", "i8"), ("all", "i8"), ("silent", "i8"), ("late", "i8"), ("bonus", "i8")]'),
    ('("all_rolls", "i8")]', '("all_rolls", "i8"), ("mark", "i8")]'),
    ("    if face == 1:\n", "    if box.silent:\n        table.mark = 1\n    if box.late and table.round > 5000:\n"
     "        table.turn += 1\n    if face == 1 and box.all:\n        table.score[seat] = 0\n    if face == 1:\n"),
    ("        table.score[seat] += table.turn\n", "        table.score[seat] += table.turn + box.bonus\n"),
    ('    box.players = values["setup.players"]\n', '    box.players = values["setup.players"]\n'
     '    box.all = values["switches.one"] == "all"\n    box.silent = values["switches.silent"]\n'
     '    box.late = values["switches.late"] + 0 * values["switches.lone"]\n    box.bonus = values["switches.bonus"]\n'
     '    if values["switches.big"] == "no" and box.sides > 20:\n'
     '        raise BadValue("die.sides", "is too many for a small die")\n'),
    ("import TABLE_HEAD, Game", "import TABLE_HEAD, BadValue, Game"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("switches")
    package = hog(folder, "version=1", "version=2")
    rules = (package / "__init__.py").read_text()
    for old, new in RULES:
        assert rules.count(old) == 1, old
        rules = rules.replace(old, new)
    (package / "__init__.py").write_text(rules)
    box = package / "scenarios" / "box.yaml"
    box.write_text(box.read_text() + SWITCHES)
    large = "game: hog\ntitle: A large die\nrules: {switches.big: yes, die.sides: 24}\n"
    (package / "scenarios" / "large.yaml").write_text(large.replace("yes", '"yes"'))
    box.write_text(box.read_text().replace("value: no, choices: [no, yes]", 'value: "no", choices: ["no", "yes"]'))
    return folder


def command(folder, *args):
    env = {**os.environ, "HARDMODE_PATH": str(folder), "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run([sys.executable, "-m", "hardmode", "check-game", "hog", "--switches", *args],
                          capture_output=True, text=True, env=env, check=False)


def test_each_value_is_counted_where_it_makes_a_difference(folder):
    done = command(folder, "--games", "30", "--json")
    answer = json.loads(done.stdout)["games"][0]
    assert done.returncode == 1 and answer["covered"] is False and answer["games_per_scenario"] == 30
    found = {(one["switch"].removeprefix("switches."), one["value"]): one for one in answer["values"]}
    assert list(found) == [("one", "all"), ("silent", True), ("late", True), ("lone", True), ("bonus", 1), ("bonus", 2),
                           ("big", "yes")]
    counts = {name: (one["games"], one["affected"], one["diverged"]) for name, one in found.items()}
    # Games with a difference need no more than the first twenty of each of two scenarios; the others get all thirty.
    assert counts["bonus", 1] == counts["bonus", 2] == (40, 40, 40)
    assert counts["one", "all"][0] == 40 and counts["one", "all"][1] == counts["one", "all"][2] > 20
    assert counts["silent", True] == (60, 60, 0)
    assert counts["late", True] == (60, 0, 0)
    assert counts["lone", True] == (0, 0, 0)
    assert counts["big", "yes"] == (40, 20, 20)  # the large die cannot be played without it
    large = {one["scenario"]: one["diverged"] for one in found["big", "yes"]["scenarios"]}
    assert large == {"hog/classic": 0, "hog/large": 20}


def test_what_makes_no_difference_is_named_with_the_reason(folder):
    done = command(folder, "--games", "20")
    told = " ".join(done.stdout.split())
    assert done.returncode == 1 and "hog: with 3 of 7 values no game diverged, in at most 20 games of each" in told
    assert "switches.silent=true: came into play in 40 of 40 games of 2 scenarios, without any effect" in told
    assert "switches.late=true: came into play in 0 of 40 games of 2 scenarios, without any effect" in told
    assert "switches.lone=true: no scenario fulfils what it needs (needs setup.players 1)" in told


def test_switches_can_be_picked_by_name(folder):
    done = command(folder, "--games", "20", "--only", "bonus")
    assert done.returncode == 0 and "each of 2 values made games diverge" in " ".join(done.stdout.split())
    assert "switches.one" not in done.stdout


def test_a_game_without_switches_has_nothing_to_cover():
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-m", "hardmode", "check-game", "pig", "--switches"], capture_output=True,
                          text=True, env=env, check=False)
    assert (done.returncode, done.stdout) == (0, "pig: the box declares no switches\n")


def test_every_other_value_of_a_switch_is_tried():
    switches = load_parameters("run_run_run")
    assert list_values(switches["switches.spawn_rule"]) == ["random", "farthest", "nearest_half"]
    assert list_values(switches["switches.end_draw"]) == [1, 2, 3]
    assert list_values(switches["switches.draw_vault"]) == [False]
