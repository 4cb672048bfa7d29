"""The comparison of speed with earlier versions finds what is slower, and never compares different games."""

import subprocess
import sys
from pathlib import Path

import floors
import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("limit", "ratios", "met"), [
    (floors.SPEED, [0.9, 0.98, 0.99], True), (floors.SPEED, [0.9, 0.96, 1.1], False),
    (floors.COMPILING, [1.2, 1.25, 9.0], True), (floors.COMPILING, [1.3], False), (floors.COMMAND, [1.11], False)])
def test_a_missed_limit_is_reported(capsys, limit, ratios, met):
    assert floors.judge(limit, ratios) == met
    line = capsys.readouterr().out
    assert limit.name in line and line.endswith("MISSED\n") != met and f"n = {len(ratios)}" in line


class FakeRacer:
    """Plays a game in `speed` seconds; a game of the version `other` ends differently."""

    def __init__(self, version, scenario, player):
        self.version = version

    def count_games(self, seconds):
        return 10

    def play(self, first, games):
        return {"seconds": self.version.speed * games, "digest": self.version.digest + first}

    def close(self):
        pass


class FakeVersion:
    def __init__(self, speed, digest=1):
        self.speed, self.digest = speed, digest

    def measure_cpu(self, *command, cache=None):
        return self.speed


@pytest.mark.parametrize(("now", "met", "said"), [
    (FakeVersion(1.0), True, "x 1.000"), (FakeVersion(1.04), False, "MISSED"),
    (FakeVersion(1.5, digest=2), True, "games end differently")])
def test_versions_are_compared_by_the_same_games(monkeypatch, capsys, now, met, said):
    monkeypatch.setattr(floors, "Racer", FakeRacer)
    assert floors.compare_game([FakeVersion(1.0), now], "a/b", "someone") == met
    assert said in capsys.readouterr().out


def test_every_game_is_compared():
    games = floors.list_games()
    assert set(games) == {path.name for path in (ROOT / "sim/games").iterdir() if (path / "__init__.py").exists()}
    assert all(set(asked) == {"scenario", "player"} for asked in games.values())


@pytest.mark.soak
def test_versions_race():
    """This tree against the commit that it stands on."""
    done = subprocess.run([sys.executable, "-m", "tests.floors", "trapwords", "--against", "HEAD"],
                          cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.count(" x ") == 3 and "in times of HEAD" in done.stdout, done.stderr
    assert (done.returncode == 1) == ("MISSED" in done.stdout), done.stdout
