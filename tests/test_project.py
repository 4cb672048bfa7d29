"""The project in docs/project works as its README says: it passes without a warning, and fails when the game moves."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1] / "docs" / "project"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("designer") / "project"
    shutil.copytree(HERE, folder)
    done = run_python(folder, "-m", "hardmode", "accept", "scenarios/mine.yaml", "--reason", "the game as it is")
    assert done.returncode == 0, done.stderr
    return folder


def run_python(folder, *args):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH" and "PYTEST" not in name}
    return subprocess.run([sys.executable, *args], cwd=folder, text=True, timeout=900, capture_output=True, env=env)


def test_pytest_passes_with_every_warning_as_an_error(project):
    done = run_python(project, "-W", "error", "-m", "pytest", "-W", "error", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "5 passed" in done.stdout and "1 IDENTICAL" in done.stdout and "2 MET" in done.stdout


def test_a_change_fails_with_its_numbers_and_a_verdict_in_the_short_summary(project):
    scenario = project / "scenarios" / "mine.yaml"
    scenario.write_text(scenario.read_text().replace("tokens.trap: 4", "tokens.trap: 1"))
    done = run_python(project, "-m", "pytest", "-p", "no:cacheprovider")
    assert done.returncode == 1
    summary = done.stdout[done.stdout.index("short test summary"):]
    assert "CHANGED: " in summary and "MISSED: " in summary and "numbers of the box" in done.stdout


@pytest.mark.plain
def test_git_ignores_written_files_but_not_baselines():
    ignored = HERE.joinpath(".gitignore").read_text().splitlines()
    assert {"report/", ".hardmode-cache/"} <= set(ignored) and not any("baseline" in x for x in ignored
                                                                       if not x.startswith(("#", "!")))
