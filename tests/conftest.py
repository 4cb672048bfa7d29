"""What every test stands on: the project on the path, the example game found, and the two ways of running.

`pytest -m "not plain and not soak"` runs compiled; `NUMBA_DISABLE_JIT=1 pytest -m "plain and not soak"`
runs the tests marked plain as plain Python. A test that belongs to the other way is skipped.

What hypothesis tries is the same every time: no change is refused for what another one did. `make fuzz` looks on.
"""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
PLACES = [str(ROOT), str(ROOT / "tests")]  # tests/playing.py is there for all

sys.path[:] = [*PLACES, *(p for p in sys.path if p not in PLACES)]
os.environ["PYTHONPATH"] = os.pathsep.join(PLACES)  # for the processes that tests start
os.environ["HARDMODE_PATH"] = str(ROOT / "examples" / "pig")
for whoever_runs_them in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):  # a terminal of theirs is none of the tests'
    os.environ.pop(whoever_runs_them, None)

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None)
settings.load_profile("same")


@pytest.fixture(autouse=True)
def restore_process():
    """Leave the environment and the working directory as they were: a scenario beside a game makes that game known."""
    environment, folder = dict(os.environ), os.getcwd()
    yield
    for name in {*environment, *os.environ} - {"PYTEST_CURRENT_TEST"}:  # which pytest itself sets and removes
        if name not in environment:
            del os.environ[name]
        elif os.environ.get(name) != environment[name]:
            os.environ[name] = environment[name]
    os.chdir(folder)


@pytest.fixture(autouse=True)
def new_messages():
    """Let each test see messages to users that an earlier one has already caused."""
    from hardmode.sim.messages import warn_once

    warn_once.cache_clear()


def pytest_collection_modifyitems(items):
    plain = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    for item in items:
        if plain and "plain" not in item.keywords:
            item.add_marker(pytest.mark.skip(reason="runs compiled"))
        elif not plain and "plain" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="runs with NUMBA_DISABLE_JIT=1"))
