"""docs/add-a-game.md is correct: its excerpts are part of Pig, Pig plays, and no other code names a game."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardmode.sim.contract import discovery

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "add-a-game.md").read_text()
PIG = ROOT / "examples" / "pig"


def python(*args, **env):
    done = subprocess.run([sys.executable, *map(str, args)], capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, **env}, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def hardmode(*args, **env):
    return python("-m", "hardmode", *args, **env)


def test_every_excerpt_is_part_of_the_example():
    files = [p.read_text() for p in PIG.rglob("*") if p.suffix in (".py", ".yaml")]
    excerpts = re.findall(r"```(?:python|yaml)\n(.*?)```", PAGE, re.S)
    assert len(excerpts) >= 6
    for excerpt in excerpts:
        assert any(excerpt in text for text in files), excerpt


def test_the_excerpt_of_a_test_is_part_of_the_template():
    [excerpt] = re.findall(r"```python test\n(.*?)```", PAGE, re.S)
    assert excerpt.replace("my_game", "NAME") in (ROOT / "reports/new/templates/test.txt").read_text()


@pytest.mark.parametrize("name", ["competitive", "scored", "unit", "standard", "limits"])
def test_the_fields_that_decide_how_results_are_read_are_explained_and_in_the_template(name):
    assert f"- `{name}`: " in PAGE and f" {name}=" in (ROOT / "reports/new/templates/rules.txt").read_text()


def test_every_link_has_a_target():
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links and all((ROOT / "docs" / link).exists() for link in links)


def test_the_example_has_four_parts_in_known_places():
    paths = [p.relative_to(PIG) for p in PIG.rglob("*") if p.suffix in (".py", ".yaml")]
    files = {str(path) for path in paths if path.parent.name != "players"}
    assert files == {"__init__.py", "words.py", "strategies.py", "scenarios/box.yaml", "scenarios/classic.yaml"}


def test_the_example_plays_from_the_command_line(monkeypatch):
    assert "export HARDMODE_PATH=examples" in PAGE
    monkeypatch.setenv("HARDMODE_PATH", "examples")
    result = json.loads(hardmode("run", "pig/classic", "--games", "400", "--json"))
    assert result["game"] == "pig" and result["games"] == 400 and sum(result["endings"].values()) == 400
    story = json.loads(hardmode("replay", "pig/classic", "--game", "3", "--json"))
    assert story[0]["kind"] == "deal" and story[-1]["kind"] == "ending"
    assert "target" in hardmode("list", "pig")


def test_the_installed_example_plays(tmp_path):
    """Install it with the pyproject.toml of the page, so that only its entry point finds it."""
    [pyproject] = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    (tmp_path / "pyproject.toml").write_text(pyproject)
    shutil.copytree(PIG, tmp_path / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target",
           tmp_path / "site", tmp_path)
    shutil.rmtree(tmp_path / "pig")
    paths = os.pathsep.join([str(ROOT), str(tmp_path / "site")])
    assert "pig" not in json.loads(hardmode("list", "--json", HARDMODE_PATH=""))["games"]
    result = json.loads(hardmode("run", "pig/classic", "--games", "50", "--json", HARDMODE_PATH="", PYTHONPATH=paths))
    assert result["game"] == "pig" and result["games"] == 50


@pytest.mark.parametrize("room", ["sim/*.py", "sim/[!g]*/*.py", "strategies/*.py", "scenarios/*.py",
                                  "reports/**/*.py"])
def test_no_other_code_names_a_game(room):
    names = re.compile(rf"\b({'|'.join(discovery.list_games())})\b")
    paths = list(ROOT.glob(room))
    assert paths
    for path in paths:
        code = re.sub(r'""".*?"""', "", path.read_text(), flags=re.S)  # examples in docstrings may name games
        assert not names.search(code), f"{path} names a game"


@pytest.mark.parametrize("scenario", ["pig/classic.yaml", "pig/classic", "pig/scenarios/classic.yaml"])
def test_a_scenario_beside_its_game_needs_no_variable(monkeypatch, tmp_path, scenario):
    """The game is found by the folder of its package, also by the processes that the command starts."""
    monkeypatch.setenv("HARDMODE_PATH", "")
    result = json.loads(hardmode("run", f"examples/{scenario}", "--games", "50", "--json"))
    assert result["game"] == "pig" and result["games"] == 50
