"""What is compiled ahead is what a report needs, and only when something must be compiled."""

from pathlib import Path

import pytest
from playing import answer

import sim.compile
from reports import ahead
from scenarios.load import load

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("pig/classic", "vengeance/solo-medium", "pig/classic", "trapwords/standard")


@pytest.fixture
def started(monkeypatch):
    """The games of each process that would be started."""
    asked = []

    class Process:
        def __init__(self, target, args, daemon):
            assert target is ahead.prepare and daemon
            asked.append(args)

        def start(self):
            pass

    class Context:
        pass

    Context.Process = Process
    monkeypatch.setattr(ahead.multiprocessing, "get_context", lambda way: Context)
    monkeypatch.setattr(ahead.os, "cpu_count", lambda: 2)
    return asked


def test_nothing_is_started_when_all_is_compiled(started):
    with ahead.compiling([load(name) for name in GAMES], ["steady"]):
        pass
    assert not started


def test_the_first_compilation_starts_one_process_for_the_other_games(started, monkeypatch):
    told = []
    monkeypatch.setattr(sim.compile, "on_compile", told.append)
    before = sim.compile.on_compile
    with ahead.compiling([load(name) for name in GAMES], ["steady", "random"]):
        for name in ("pig play", "pig setup"):
            sim.compile.on_compile(name)
    assert started == [(["vengeance", "trapwords"], ["steady", "random"])]
    assert told == ["pig play", "pig setup"] and sim.compile.on_compile == before


def test_one_game_starts_nothing(started):
    with ahead.compiling([load("pig/classic")] * 2, ["steady"]):
        sim.compile.on_compile("pig play")
    assert not started


def test_what_was_prepared_need_not_be_compiled(tmp_path):
    """A strategy that the game lacks is left out."""
    home = {"HARDMODE_CACHE": str(tmp_path), "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}:{ROOT / 'tests' / 'pig'}"}
    code = """
    import json
    import sim.compile
    from reports import ahead, play
    from scenarios.load import load
    {do}
    print(json.dumps([name for name, _ in sim.compile.compiled]))
    """
    made = answer(code.format(do="ahead.prepare(['pig'], ['nobody', 'steady'])"), **home)
    assert "pig play" in made and any(name.startswith("strategy") for name in made)
    assert answer(code.format(do="play.engine(load('pig/classic').cells[0])"), **home) == []
