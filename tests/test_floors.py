"""What hardmode is held to in speed is told, and missed loudly."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from floors import Floors, version

ROOT = Path(__file__).parents[1]


def test_a_floor_that_is_missed_is_told(capsys):
    floors = Floors()
    floors.told("fast", [1.9, 1.2, 1.1], least=1.2)
    floors.told("slow", [1.9, 1.1, 1.1], least=1.2)
    floors.told("light", [0.5], most=0.6, unit=" s")
    floors.told("heavy", [0.7], most=0.6, unit=" s")
    floors.told("held to nothing", [9.0])
    assert floors.missed == ["slow", "heavy"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.endswith("MISSED") for line in lines] == [False, True, False, True, False]
    assert "1.200" in lines[0] and "1.100 .. 1.900, 3 times" in lines[0] and "at least 1.2" in lines[0]


@pytest.mark.parametrize("game", sorted(p.parent.name for p in (ROOT / "tests/games").glob("*/speed.json")))
def test_every_game_is_held_to_something(game):
    asked = json.loads((ROOT / "tests/games" / game / "speed.json").read_text())
    assert asked["scenario"].startswith(game + "/")
    assert asked["faster"] > 1 and asked["cold_seconds"] > 0


@pytest.mark.soak
def test_versions_race():
    """This version against the commit that it stands on: what is measured of one game is told line by line."""
    done = subprocess.run([sys.executable, "-m", "tests.floors", "trapwords", "--against", "HEAD", "--quick"],
                          cwd=ROOT, capture_output=True, text=True)
    assert "times as fast as the version before" in done.stdout and "compiling everything" in done.stdout, done.stderr
    assert (done.returncode == 1) == ("MISSED" in done.stdout), done.stdout
    with version("HEAD") as folder:
        assert (folder / "hardmode/cli.py").exists()
