"""The game of `hill/` is found by the tests that ask for it, and by no others."""

import os
from pathlib import Path

import pytest

import hardmode.scenarios.box
from hardmode.sim.contract import discovery

HILL = Path(__file__).with_name("hill")
PIG = HILL.parents[2] / "examples" / "pig"


@pytest.fixture
def hill(monkeypatch, tmp_path):
    """It and Pig are all the games there are, and the working directory is an empty one."""
    monkeypatch.setenv(discovery.PATH, os.pathsep.join([str(HILL), str(PIG)]))
    monkeypatch.setattr(discovery, "list_shipped_games", list)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def more(monkeypatch, hill):
    """A folder for boxes and scenarios that take the place of a game's own: `more/<game>/box.yaml`."""
    folder = hill / "more"

    def folders():
        return {**discovery.find_scenario_folders(), **{place.name: place for place in folder.iterdir()}}

    folder.mkdir()
    monkeypatch.setattr(hardmode.scenarios.box, "find_scenario_folders", folders)
    return folder
