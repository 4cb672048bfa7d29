"""What is compiled ahead is what a report needs, and only when something must be compiled."""

import json
import os
import subprocess
import sys

import pytest
from playing import answer

from hardmode.scenarios.load import load_scenario
from hardmode.sim.compile.cache import notify_compile_listeners, on_compile
from hardmode.studies.core import precompile

GAMES = ("pig/classic", "vengeance/solo-medium", "pig/classic", "trapwords/standard")


class Process:
    """What would be started."""

    def __init__(self, command, **how):
        assert command[:3] == [sys.executable, "-c", precompile.COMPILE_GAMES]
        self.asked, self.alive, self.waited = json.loads(command[3]), True, False

    def terminate(self):
        self.alive = False

    def wait(self):
        self.waited = True


@pytest.fixture
def started(monkeypatch):
    made = []
    monkeypatch.setattr(precompile.subprocess, "Popen", lambda *a, **k: made.append(Process(*a, **k)) or made[-1])
    monkeypatch.setattr(precompile, "count_cores", lambda: 2)
    return made


def test_nothing_is_started_when_all_is_compiled(started):
    with precompile.precompile_in_background([load_scenario(name) for name in GAMES], ["steady"]):
        pass
    assert not started


def test_the_first_compilation_starts_one_process_for_the_other_games(started):
    told = []
    with (
        on_compile(told.append),
        precompile.precompile_in_background([load_scenario(name) for name in GAMES], ["steady", "random"]),
    ):
        for name in ("pig play", "pig setup"):
            notify_compile_listeners(name)
        [process] = started
        assert process.asked == [["vengeance", "trapwords"], ["steady", "random"]] and process.alive
        notify_compile_listeners("pig take")
        assert len(started) == 1, "the other core has enough to do"
    assert not process.alive and process.waited, "it ends with the report"
    assert told == ["pig play", "pig setup", "pig take"], "whoever else listens is told as well"
    notify_compile_listeners("pig take")
    assert len(told) == 3 and len(started) == 1, "nobody listens any longer"


def test_one_game_starts_nothing(started):
    with precompile.precompile_in_background([load_scenario("pig/classic")] * 2, ["steady"]):
        notify_compile_listeners("pig play")
    assert not started


def test_what_was_prepared_need_not_be_compiled(tmp_path):
    """A strategy that the game lacks is left out."""
    home = {"HARDMODE_CACHE": str(tmp_path)}
    code = """
    import json
    import hardmode.sim.compile.cache
    from hardmode.scenarios.load import load_scenario
    from hardmode.studies.core import precompile
    from hardmode.studies.core.run import make_engine
    {do}
    print(json.dumps([name for name, _ in hardmode.sim.compile.cache.compiled_entries]))
    """
    made = answer(code.format(do="precompile.compile_games(['pig'], ['nobody', 'steady'])"), **home)
    assert "pig play" in made and any(name.startswith("strategy") for name in made)
    assert answer(code.format(do="make_engine(load_scenario('pig/classic').cells[0])"), **home) == []


def test_the_process_compiles_and_ends_with_the_report(tmp_path):
    """From a plain script, which must not be run a second time."""
    home = {"HARDMODE_CACHE": str(tmp_path)}
    script = tmp_path / "script.py"
    script.write_text("""
import json, os, time
from pathlib import Path
import hardmode.sim.compile.cache
from hardmode.scenarios.load import load_scenario
from hardmode.studies.core import precompile
Path(__file__).with_suffix(".runs").open("a").write("x")
kept = []
begun = precompile.start_compiling
precompile.start_compiling = lambda *a: kept.append(begun(*a)) or kept[-1]
scenarios = [load_scenario("vengeance/solo-medium"), load_scenario("pig/classic")]
with precompile.precompile_in_background(scenarios, ["steady"]):
    hardmode.sim.compile.cache.notify_compile_listeners("vengeance setup")
    while not list(Path(os.environ["HARDMODE_CACHE"]).glob("??/*.code")):
        time.sleep(0.1)
print(json.dumps([len(kept), kept[0].returncode is not None, Path(__file__).with_suffix(".runs").read_text()]))
""")
    done = subprocess.run(
        [sys.executable, str(script)], env={**os.environ, **home}, capture_output=True, text=True, timeout=900
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [1, True, "x"], done.stderr
