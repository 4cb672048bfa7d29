"""Lantern and Pig in a folder of their own, where scenarios can be edited and rules changed; and the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from hardmode.scenarios import box
from hardmode.sim.contract import discovery

TESTS = Path(__file__).parents[1]
GAMES = {"lantern": TESTS / "reports" / "toy" / "lantern", "pig": TESTS.parent / "examples" / "pig"}


class Said(NamedTuple):
    code: int
    out: str
    err: str


def copied(folder: Path) -> Path:
    """Both games, copied to a folder where they may be changed."""
    for game, source in GAMES.items():
        shutil.copytree(source, folder / game, ignore=shutil.ignore_patterns("__pycache__", "baselines"))
    return folder


@pytest.fixture
def home(monkeypatch, tmp_path):
    """The folder of Lantern's scenarios; the games are found, and the working directory is an empty one."""
    games = copied(tmp_path / "games")
    monkeypatch.setenv(discovery.PATH, os.pathsep.join(str(source.parent) for source in GAMES.values()))
    monkeypatch.setattr(box, "find_scenario_folders", lambda: {game: games / game / "scenarios" for game in GAMES})
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return games / "lantern" / "scenarios"


@pytest.fixture
def hardmode(monkeypatch, capsys):
    """The command as it is typed: its exit code, and what it says."""
    def run(*args):
        from hardmode import cli

        monkeypatch.setattr(sys, "argv", ["hardmode", *map(str, args)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main()
        said = capsys.readouterr()
        return Said(stop.value.code or 0, said.out, said.err)
    return run


def command(games: Path, *args: str) -> Said:
    """The command in a process of its own, with the games as they are in this folder now."""
    done = subprocess.run([sys.executable, "-m", "hardmode", *args], capture_output=True, text=True, timeout=900,
                          env={**os.environ, discovery.PATH: str(games)}, cwd=games)
    return Said(done.returncode, done.stdout, done.stderr)
