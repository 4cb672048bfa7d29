"""Files to begin with are written whole, play as they are, and take the place of nothing."""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from hardmode.reports.new import NewError, write_new_file
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.sim.contract import discovery
from hardmode.sim.files.atomic_files import OutputError

ROOT = Path(__file__).parents[2]
PIG = ROOT / "examples" / "pig"


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(discovery.PATH, os.pathsep.join([str(PIG), str(ROOT / "tests" / "scenarios" / "hill")]))


def hardmode(*args, path=PIG, code=0):
    done = subprocess.run([sys.executable, "-m", "hardmode", *map(str, args)], capture_output=True, text=True,
                          check=False, env={**os.environ, "HARDMODE_PATH": str(path), "PYTHONPATH": str(ROOT)})
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.mark.parametrize("game", ["hill", "pig", *discovery.list_shipped_games()])
def test_a_box_that_nobody_has_filled_in_changes_and_claims_nothing(game):
    text = write_new_file("box", game, Path("mybox.yaml"))
    assert text.startswith("mybox.yaml is written; use it with: hardmode run ")
    cell = create_variant(game, box="mybox.yaml")
    shipped = create_variant(game)
    assert cell.digests == shipped.digests and cell.assumption_count == shipped.assumption_count
    assert cell.overlay.changes == {}


@pytest.mark.parametrize("game", ["hill", *discovery.list_shipped_games()])
def test_a_box_that_is_filled_in_whole_leaves_nothing_assumed(game):
    """Every line that waits can be read once its # is gone, and says what the shipped box says."""
    Path("mybox.yaml").write_text(re.sub(r"^( *)#(?=\S)(?!\.from)", r"\1", write_new_file("box", game, None),
                                         flags=re.MULTILINE))
    cell = create_variant(game, box="mybox.yaml")
    assert list(cell.overlay.changes) == [path for path, leaf in load_parameters(game).items() if leaf.is_assumed]
    assert cell.assumption_count.assumed == 0 and cell.digests == create_variant(game).digests


@pytest.mark.parametrize("game", ["hill", "pig", *discovery.list_shipped_games()])
def test_a_scenario_is_the_game_as_it_is_set_up(game):
    write_new_file("scenario", game, Path("mine.yaml"))
    assert load_scenario("mine.yaml").cells[0].digests == create_variant(game).digests
    Path("mine.yaml").write_text(re.sub(r"^#(?=\S|  )(?!box:)", "", Path("mine.yaml").read_text(), flags=re.MULTILINE))
    assert load_scenario("mine.yaml").expect and load_scenario("mine.yaml").sweep


def test_the_most_influential_numbers_stand_first(tmp_path):
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps({"game": "run_run_run", "numbers": [
        {"path": path, "points": points, "matters": path != "limits.turns"} for path, points in (
            ("limits.turns", 90.0), ("tokens.trap", -9.0), ("maze.vault_exits", 4.0), ("tokens.shield", 2.0),
            ("tokens.trap", 1.0))]}))
    lines = write_new_file("box", "run_run_run", None, answer).splitlines()
    order = [lines.index(next(line for line in lines if line.strip().startswith(name))) for name in (
        "tokens:", "#trap:", "#shield:", "maze:", "#vault_exits:", "hand:", "limits:")]
    assert order == sorted(order)
    assert sorted(lines) == sorted(write_new_file("box", "run_run_run", None).splitlines())
    answer.write_text(json.dumps({"game": "run_run_run", "shares": [{"path": "rooms", "total": 0.5}]}))
    assert write_new_file("box", "run_run_run", None, answer).split("\n\n")[1].startswith("rooms:")
    with pytest.raises(NewError, match="is for run_run_run"):
        write_new_file("box", "woodlands", None, answer)
    answer.write_text("[]")
    with pytest.raises(NewError, match="not an answer of sensitivity"):
        write_new_file("box", "run_run_run", None, answer)


def test_what_is_written_plays():
    for kind in ("box", "scenario"):
        hardmode("new", kind, "pig", "-o", f"{kind}.yaml")
    hardmode("new", "strategy", "pig", "-o", "who.py")
    told = json.loads(hardmode("run", "scenario.yaml", "--box", "box.yaml", "--strategy", "who.py:mine", "--games",
                               "50", "--json"))
    assert told["games"] == 50 and told["strategies"] == ["who.py:mine"] * 2
    assert told["box"]["file"] == "box.yaml" and told["box"]["numbers"] == 0


def test_a_game_is_sound_and_its_strategies_rank():
    hardmode("new", "game", "moor", "-o", "games")
    found = hardmode("check-game", "moor", "--quick", path="games")
    assert "moor: sound" in found and "it lacks" not in found
    env = {name: value for name, value in os.environ.items() if "PYTEST" not in name and name != "HARDMODE_PATH"}
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q", "games/moor"], capture_output=True, text=True,
                            env={**env, "PYTHONPATH": str(ROOT)})
    assert tested.returncode == 0 and "4 passed" in tested.stdout, tested.stdout
    hardmode("train", "moor/standard", "--generations", "1", "--games", "50", "-o", "games/moor/players/trained.yaml",
             path="games")
    assert json.loads(hardmode("run", "moor/standard", "--strategy", "trained", "--games", "50", "--json",
                               path="games"))["strategies"] == ["trained"] * 2
    rates = [json.loads(hardmode("run", "moor/standard", "--strategy", who, "--games", "20k", "--json", path="games"))
             for who in ("random", "beginner", "steady", "in_time")]
    assert all(a["high"] < b["low"] for a, b in pairwise(rates))


def test_nothing_is_written_over():
    Path("mine.yaml").write_text("mine\n")
    with pytest.raises(NewError, match=r"^mine.yaml already exists and is not replaced"):
        write_new_file("scenario", "pig", Path("mine.yaml"))
    assert Path("mine.yaml").read_text() == "mine\n"
    Path("games/moor").mkdir(parents=True)
    Path("games/moor/words.py").write_text("mine\n")
    with pytest.raises(NewError, match=r"words\.py already exists"):
        write_new_file("game", "moor", Path("games"))
    assert [one.name for one in Path("games/moor").iterdir()] == ["words.py"]


def test_what_cannot_be_written_is_a_line_and_leaves_nothing(monkeypatch):
    for out in ("n" * 300, f"{'n' * 300}/mine.yaml", "/proc/none/mine.yaml"):
        with pytest.raises(OutputError, match=r"cannot be written"):
            write_new_file("scenario", "pig", Path(out))
    whole, left = Path.write_bytes, iter(range(4))

    def filling(self, data):
        if next(left, None) is None:
            raise OSError(28, "No space left on device")
        return whole(self, data)

    monkeypatch.setattr(Path, "write_bytes", filling)
    with pytest.raises(OutputError, match=r"cannot be written: No space left on device"):
        write_new_file("game", "moor", Path("games"))
    assert not [one for one in Path("games").rglob("*") if one.is_file()]


@pytest.mark.parametrize(("asked", "message"), [
    (("boxx", "pig"), "error: there is no new 'boxx'; did you mean box?"),
    (("box", "pgi"), "error: game: no game 'pgi'; did you mean pig?"),
    (("game", "moor"), "error: a game is a folder of files; name the folder that it goes into with -o"),
    (("game", "My Game", "-o", "x"),
     "error: 'My Game' is not a name for a game: a name has small letters, digits and _, such as my_game"),
    (("game", "json", "-o", "x"), "error: 'json' is taken: a Python module has this name"),
    (("game", "pig", "-o", "x"), "error: 'pig' is taken: a game has this name"),
])
def test_what_cannot_be_written(asked, message):
    assert hardmode("new", *asked, code=2).strip() == message


def test_a_result_played_with_a_box_of_ones_own_needs_it_no_more():
    Path("mine.yaml").write_text("game: pig\n.source: rulebook\ndie: {sides: 8}\n")
    told = json.loads(hardmode("run", "pig/classic", "--box", "mine.yaml", "--set", "target=50", "--games", "300",
                               "-o", "r.json", "--json"))
    assert told["changed"] == {"die.sides": 8, "target": 50} and told["box"]["file"] == "mine.yaml"
    Path("mine.yaml").unlink()
    again = json.loads(hardmode("reproduce", "r.json", "--json"))
    assert again["reproduced"] and again["cells"][0]["changed_since"] == []


def test_both_sides_of_a_comparison_have_their_box():
    for name, sides in (("a", 8), ("b", 10)):
        Path(f"{name}.yaml").write_text(f"game: pig\n.source: rulebook\ndie: {{sides: {sides}}}\n")
    told = json.loads(hardmode("compare", "pig/classic", "--box", "a.yaml", "--box-b", "b.yaml", "--games", "100",
                               "--json"))
    assert [told[side]["box"]["file"] for side in ("a", "b")] == ["a.yaml", "b.yaml"]
    both = json.loads(hardmode("compare", "pig/classic", "--box", "a.yaml", "--games", "100", "--json"))
    assert both["difference"] == 0 and both["b"]["box"]["file"] == "a.yaml"


def test_the_gate_names_it_and_sees_it_change():
    Path("box.of.mine.yaml").write_text("game: pig\n.source: rulebook\ndie: {sides: 8}\n")
    Path("mine.yaml").write_text("game: pig\nbox: box.of.mine.yaml\n")
    assert "with the box box.of.mine.yaml" in hardmode("accept", "mine.yaml", "--reason", "new", "--games", "500")
    assert 'box = "box.of.mine.yaml"' in Path("baselines/mine.baseline").read_text()
    assert "with the box box.of.mine.yaml, 1 number" in hardmode("check", "mine.yaml").replace("\n", " ")
    Path("box.of.mine.yaml").write_text("game: pig\n.source: rulebook\ndie: {sides: 3}\n")
    changed = subprocess.run([sys.executable, "-m", "hardmode", "check", "mine.yaml"], capture_output=True, text=True,
                             check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert changed.returncode in (1, 3) and "numbers of the box" in " ".join(changed.stdout.split())


def test_a_report_shows_what_it_says_and_where_from_and_names_it_in_every_command():
    Path("mine.yaml").write_text("game: pig\n.source: rulebook\n.from: our copy\ndie: {sides: 8}\n")
    hardmode("report", "pig/classic", "--box", "mine.yaml", "--games", "40", "-o", "out")
    page = Path("out/index.html").read_text()
    assert "mine.yaml, 1 number" in page.partition("How hard is it?</h2>")[0]
    [table] = [part for part in page.split("<table")[1:] if "in the shipped box" in part]
    said = re.findall(r">([^<>]+)</", table.partition("<tbody")[2].partition("</table>")[0])
    assert [text.strip() for text in said if text.strip()] == ["die.sides", "8", "6", "rulebook", "our copy"]
    asked = re.findall(r"hardmode (?:run|report|list|doubts|sensitivity|audit) [^<\"]+", page)
    assert len(asked) > 5 and not [command for command in asked if "--box mine.yaml" not in command]


def test_list_shows_what_it_says():
    Path("mine.yaml").write_text("game: pig\n.source: rulebook\n.from: p. 3\ndie: {sides: 8}\n")
    [sides] = [n for n in json.loads(hardmode("list", "pig", "--box", "mine.yaml", "--json"))["numbers"]
               if n["path"] == "die.sides"]
    assert (sides["default"], sides["source"], sides["from"], sides["box"]) == (8, "rulebook", "p. 3", "mine.yaml")
    assert "name the game whose numbers" in hardmode("list", "--box", "mine.yaml", code=2)
