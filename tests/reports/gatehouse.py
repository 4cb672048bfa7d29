"""Lantern and Pig in a folder of their own, where scenarios can be edited and rules changed; and the command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import hardmode.sim.games
from hardmode import scenarios, strategies

HERE = Path(__file__).parent
TOY, PIG = HERE / "toy", HERE.parent / "pig"


class Said(NamedTuple):
    code: int
    out: str
    err: str


def copied(folder: Path) -> list[Path]:
    """Both games, copied to where they may be changed; their roots."""
    made = []
    for source in (TOY, PIG):
        target = folder / source.name
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "baselines"))
        made.append(target)
    return made


@pytest.fixture
def home(monkeypatch, tmp_path):
    """The folder of Lantern's scenarios; the games are found, and the working directory is an empty one."""
    roots = copied(tmp_path)
    monkeypatch.setattr(scenarios, "__path__", [str(root / "scenarios") for root in roots])
    monkeypatch.setattr(sim.games, "__path__", [*sim.games.__path__, str(TOY / "sim" / "games")])
    monkeypatch.setattr(strategies, "__path__", [*strategies.__path__, str(TOY / "strategies")])
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return roots[0] / "scenarios" / "lantern"


@pytest.fixture
def hardmode(monkeypatch, capsys):
    """The command as it is typed: its exit code, and what it says."""
    def run(*args):
        import cli

        monkeypatch.setattr(sys, "argv", ["hardmode", *map(str, args)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main()
        said = capsys.readouterr()
        return Said(stop.value.code or 0, said.out, said.err)
    return run


def command(roots: list[Path], *args: str) -> Said:
    """The command in a process of its own, with the games as they are in these folders now."""
    path = os.pathsep.join([str(HERE.parents[1]), *map(str, roots)])
    done = subprocess.run([sys.executable, "-m", "cli", *args], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": path}, cwd=roots[0])
    return Said(done.returncode, done.stdout, done.stderr)
