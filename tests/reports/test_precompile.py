"""What is compiled ahead is what commands need, and only when something must be compiled."""

import json
import os
import subprocess
import sys

import pytest
from playing import HANG_SECONDS, answer

from hardmode.scenarios.load import list_shipped_scenarios, load_scenario
from hardmode.sim.compile.cache import notify_compile_listeners, on_compile
from hardmode.sim.contract import load_game
from hardmode.sim.contract.discovery import list_shipped_games
from hardmode.strategies.registry import list_strategies, list_weights
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
        on_compile(lambda name, seconds: told.append(name)),
        precompile.precompile_in_background([load_scenario(name) for name in GAMES], ["steady", "random"]),
    ):
        for name in ("pig play", "pig setup"):
            notify_compile_listeners(name, 1.0)
        [process] = started
        assert process.asked == [["vengeance", "trapwords"], ["steady", "random"]] and process.alive
        notify_compile_listeners("pig take", 1.0)
        assert len(started) == 1, "the other core has enough to do"
    assert not process.alive and process.waited, "it ends with the report"
    assert told == ["pig play", "pig setup", "pig take"], "whoever else listens is told as well"
    notify_compile_listeners("pig take", 1.0)
    assert len(told) == 3 and len(started) == 1, "nobody listens any longer"


def test_one_game_starts_nothing(started):
    with precompile.precompile_in_background([load_scenario("pig/classic")] * 2, ["steady"]):
        notify_compile_listeners("pig play", 1.0)
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
    hardmode.sim.compile.cache.notify_compile_listeners("vengeance setup", 1.0)
    while not list(Path(os.environ["HARDMODE_CACHE"]).glob("??/*.code")):
        time.sleep(0.1)
print(json.dumps([len(kept), kept[0].returncode is not None, Path(__file__).with_suffix(".runs").read_text()]))
""")
    done = subprocess.run(
        [sys.executable, str(script)], env={**os.environ, **home}, capture_output=True, text=True, timeout=900
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [1, True, "x"], done.stderr


COMMANDS = """
run {0} --games 2
run {0} --games 2 --mistakes 20%
run {0} --games 1 --strategy search
run mixed.yaml --games 2
replay {0}
replay {0} --odds --playouts 40
decided {0} --games 1
luck {0} --games 8
compare {0} mixed.yaml --games 8
sensitivity {0} --games 8
choices {0} --games 8
bound {0} --games 2 --nodes 100
train {0} --strategy {1} --generations 1 --games 8 -o x.yaml
report {0} --games 8 -o page
"""
AFTER_PRECOMPILING = """
import json
from typer.testing import CliRunner
from hardmode.cli import app
from hardmode.sim.compile.cache import compiled_entries
said = CliRunner().invoke(app, ["precompile", {game!r}]).output
first = len(compiled_entries)
exits = dict()
for command in {commands!r}:
    exits[command] = CliRunner().invoke(app, command.split()).exit_code
print(json.dumps([said, exits, compiled_entries[first:]]))
"""


def check_nothing_compiles_after_precompiling(game, scenario, folder, scenarios=()):
    """Precompile a game with an empty cache; then use the commands, with every strategy and these scenarios."""
    seats = ["steady", "random"]
    (folder / "mixed.yaml").write_text(json.dumps({"game": game, "players": 2, "strategies": seats}))
    trainable = next(iter(list_weights(game)))
    commands = COMMANDS.format(scenario, trainable).strip().splitlines()
    commands += [f"run {scenario} --games 1 --strategy {name}" for name in list_strategies(game)]
    commands += [f"run {name} --games 1" for name in scenarios]
    code = AFTER_PRECOMPILING.format(game=game, commands=commands)
    said, exits, later = answer(code, timeout=4 * HANG_SECONDS, HARDMODE_CACHE=str(folder / "cache"), cwd=folder)
    assert f"{game}: " in said and "parts were compiled" in said
    assert not later
    assert set(exits.values()) <= {0, 3}, {command: code for command, code in exits.items() if code}


def test_after_precompiling_no_command_compiles(tmp_path):
    check_nothing_compiles_after_precompiling("pig", "pig/classic", tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("game", list_shipped_games())
def test_after_precompiling_no_shipped_scenario_compiles(tmp_path, game):
    shipped = [name for name, _ in list_shipped_scenarios(game)]
    assert len(shipped) > 10
    check_nothing_compiles_after_precompiling(game, f"{game}/{load_game(game).standard}", tmp_path, shipped)


@pytest.mark.soak
def test_processes_compile_what_is_missing_and_say_how_far_they_are(tmp_path):
    code = """
    import json
    import hardmode.sim.compile.cache
    from hardmode.studies.core import precompile
    told = []
    counts = precompile.precompile_games(["pig"], lambda what, share: told.append((what, share)), processes=2)
    again = precompile.precompile_games(["pig"], processes=2)
    print(json.dumps([told, counts, again, hardmode.sim.compile.cache.compiled_entries]))
    """
    told, [counts], [again], here = answer(code, HARDMODE_CACHE=str(tmp_path))
    assert sorted(what for what, _ in told) == sorted(f"pig {name}" for name in precompile.list_entry_points("pig"))
    shares = [share for _, share in told]
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1.0)
    assert {name for name, _ in here} == {"tally sums", "tally values"}, "the rest is loaded"
    assert counts["compiled"] > len(here) and counts["seconds"] > 0 and again["compiled"] == 0
