"""The game of `hill/` is found by the tests that ask for it, and by no others."""

import os
import sys
from pathlib import Path

import pytest

from hardmode import scenarios

HILL = Path(__file__).with_name("hill")
PIG = HILL.parents[1] / "pig"


@pytest.fixture
def hill(monkeypatch, tmp_path):
    """These games alone have boxes, and the working directory is an empty one."""
    monkeypatch.setattr(scenarios, "__path__", [str(HILL / "scenarios"), str(PIG / "scenarios")])
    monkeypatch.setattr(sim.games, "__path__", [*sim.games.__path__, str(HILL / "sim" / "games")])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(HILL)]))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("hill", None)
    vars(sim.games).pop("hill", None)
