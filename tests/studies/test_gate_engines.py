"""Holding a scenario to its baseline builds no engine that does not play."""

import time

import pytest

import hardmode
from hardmode.reports.gate.verdicts import hold
from hardmode.sim.play import cores
from hardmode.studies.gate import lazy_games
from hardmode.studies.gate.accept import accept, digests
from hardmode.studies.gate.run import Terms, prepare

PIG = "game: pig\nplayers: 2\nsweep: {target: [40, 50]}\n"


@pytest.fixture
def built(monkeypatch):
    made, engine = [], lazy_games.engine
    monkeypatch.setattr(lazy_games, "engine", lambda cell: made.append(cell.label_text) or engine(cell))
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


def test_several_threads_hold_each_a_cell_and_find_the_same(tmp_path, monkeypatch):
    file, playing, most = tmp_path / "mine.yaml", [], []
    file.write_text("game: pig\nplayers: 2\nsweep: {target: [40, 50, 60, 70, 80]}\n")
    accept(str(file), "the first time", games=300, threads=1)
    upto = lazy_games.Games.upto

    def watched(games, n):
        playing.append(games)
        most.append((len(set(map(id, playing))), games.threads))
        try:
            time.sleep(0.01)  # so that another may begin
            upto(games, n)
        finally:
            playing.remove(games)

    monkeypatch.setattr(lazy_games.Games, "upto", watched)
    told = {}
    monkeypatch.setattr(cores, "cores", lambda: 3)
    for threads in (1, 2, 3):
        most.clear()
        found = prepare([str(file)], Terms(threads=threads)).findings()
        told[threads] = [(f.cell, f.word, f.text, f.games) for f in found]
        assert max(most)[0] == threads and {each for _, each in most} == {1}
    assert told[1] == told[2] == told[3] and [cell for cell, *_ in told[1]] == [f"target {n}0" for n in range(4, 9)]


def test_one_cell_has_all_threads(tmp_path, monkeypatch):
    file, seen = tmp_path / "mine.yaml", []
    file.write_text("game: pig\nplayers: 2\n")
    accept(str(file), "the first time", games=300, threads=1)
    upto = lazy_games.Games.upto
    monkeypatch.setattr(lazy_games.Games, "upto", lambda games, n: seen.append(games.threads) or upto(games, n))
    monkeypatch.setattr(cores, "cores", lambda: 3)
    assert [f.word for f in prepare([str(file)], Terms(threads=3)).findings()] == ["IDENTICAL"]
    assert set(seen) == {3}


def test_whoever_gives_up_waits_for_no_more_than_a_piece(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(PIG)
    accept(str(file), "the first time", games=300, threads=1)
    run = prepare([str(file)], Terms(threads=2))
    findings = run.findings()
    next(findings)
    findings.close()
    assert run.stop.is_set()
    with pytest.raises(lazy_games.GivenUp):
        run.questions[0].played[0].upto(10**9)
