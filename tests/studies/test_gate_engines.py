"""Holding a scenario to its baseline builds no engine that does not play."""

import pytest

import hardmode
from hardmode.reports.gate.verdicts import hold
from hardmode.studies.gate import cell_games
from hardmode.studies.gate.accept import accept, digests
from hardmode.studies.gate.run import Terms, prepare

PIG = "game: pig\nplayers: 2\nsweep: {target: [40, 50]}\n"


@pytest.fixture
def built(monkeypatch):
    made, engine = [], cell_games.engine
    monkeypatch.setattr(cell_games, "engine", lambda cell: made.append(cell.label_text) or engine(cell))
    return made


def test_each_cell_of_an_unchanged_scenario_has_one_engine(tmp_path, built):
    file = tmp_path / "mine.yaml"
    file.write_text(PIG)
    accept(str(file), "the first time", games=300, threads=1)
    built.clear()
    report = hold(prepare([str(file)], Terms(threads=1)))
    assert report.verdict == "IDENTICAL" and built == ["target 40", "target 50"]


def test_what_makes_the_games_is_told_without_an_engine(built):
    found = digests(hardmode.load({"game": "pig", "players": 2}).cells[0])
    assert not built and set(found) == {"rules", "strategies", "kernel", "weights", "box", "scenario"}
