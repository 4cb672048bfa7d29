"""Games from outside are found where they are said to be, and what is wrong with one is said in a line."""

import os
import sys

import pytest

from hardmode.sim import contract
from hardmode.sim.contract import discovery


@pytest.fixture
def place(monkeypatch, tmp_path):
    """A folder of games, the only one that is looked into; what is imported from it is forgotten."""
    monkeypatch.setenv(discovery.PATH, str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    discovery._find_packages.cache_clear()
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]
    discovery._find_packages.cache_clear()


def package(folder, code="", box="box.yaml"):
    (folder / "scenarios").mkdir(parents=True)
    (folder / "scenarios" / box).write_text(".source: rulebook\na: 1\n")
    (folder / "__init__.py").write_text(code)
    return folder


def installed(place, monkeypatch, name, value):
    """A distribution that names a game."""
    info = place / "site" / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{discovery.GROUP}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(str(place / "site"))


def test_a_folder_with_a_box_is_a_game(place):
    package(place / "moor")
    package(place / "fen", box="another.yaml")
    (place / "heath" / "scenarios").mkdir(parents=True)
    assert set(discovery.list_games()) - set(discovery.list_shipped_games()) == {"moor"}
    assert (discovery.find_rules_module("moor"), discovery.find_strategies_module("moor")) == (
        "moor",
        "moor.strategies",
    )
    assert discovery.find_scenario_folders()["moor"] == place / "moor" / "scenarios"


def test_what_is_installed_may_name_a_game(place, monkeypatch):
    package(place / "site" / "great_moor")
    installed(place, monkeypatch, "moor", "great_moor")
    assert discovery.find_rules_module("moor") == "great_moor"
    assert discovery.find_scenario_folders()["moor"] == place / "site" / "great_moor" / "scenarios"


def test_of_two_folders_the_first_has_the_game(place, monkeypatch):
    for folder in ("a", "b"):
        package(place / folder / "moor")
    monkeypatch.setenv(discovery.PATH, f"{place / 'a'}{os.pathsep}{place / 'b'}")
    assert discovery.find_scenario_folders()["moor"] == place / "a" / "moor" / "scenarios"


def test_a_shipped_game_is_what_its_name_means(place):
    package(place / "woodlands")
    assert discovery.find_rules_module("woodlands") == "hardmode.sim.games.woodlands"
    assert discovery.find_scenario_folders()["woodlands"] != place / "woodlands" / "scenarios"


def test_an_unknown_game_is_told_with_those_there_are(place):
    with pytest.raises(discovery.GameNotFoundError, match="there is no game 'moor'; the games are run_run_run, "):
        discovery.find_rules_module("moor")


def test_another_package_of_that_name_is_never_taken_for_the_game(place):
    package(place / "json")
    with pytest.raises(discovery.GameNotFoundError, match=r"another package is called json \(.*give the game's folder"):
        contract.load_game("json")


def test_a_package_without_a_game_is_told(place):
    package(place / "moor", "GAME = 'soon'\n")
    with pytest.raises(discovery.GameNotFoundError, match="moor holds the box of a game, but no GAME"):
        contract.load_game("moor")


def test_a_game_that_ends_python_is_told_in_a_line(place):
    package(place / "quits", "import sys\n\nsys.exit(0)\n")
    with pytest.raises(contract.RulesError, match=r"__init__.py:3: quits: SystemExit: 0"):
        contract.load_game("quits")
