"""hardmode leaves other libraries as it found them, and foreign numba code compiles to the same code beside it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).with_name("other_libraries")


def run(script, cache, *words):
    done = subprocess.run(
        [sys.executable, str(HERE / script), *words], capture_output=True, text=True, timeout=900,
        env={**os.environ, "HARDMODE_CACHE": str(cache), "NUMBA_CACHE_DIR": str(cache / "numba")},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_no_attribute_and_no_setting_of_others_is_changed(tmp_path):
    changed, settings = run("watch.py", tmp_path, "hardmode")
    assert not changed and not settings


def test_a_change_would_be_seen(tmp_path):
    changed, settings = run("watch.py", tmp_path, "patch")
    assert any("Record.__repr__" in name for name in changed) and "filters" in settings


@pytest.mark.soak
def test_foreign_numba_code_is_compiled_as_without_hardmode(tmp_path):
    alone = run("foreign_code.py", tmp_path)
    for _ in range(2):  # hardmode compiles, and then loads from its cache
        beside = run("foreign_code.py", tmp_path, "hardmode")
        cached = beside[0].pop("cached")
        assert cached == [2, 1, 0], "what numba cached without hardmode is loaded beside it"
        assert beside[0] == {name: value for name, value in alone[0].items() if name != "cached"}
        assert beside[1] == alone[1]
