"""Holding a scenario to its baseline builds no engine that does not play."""

import time

import pytest

import hardmode
from hardmode.reports.gate.verdicts import run_checks
from hardmode.sim.play import cores
from hardmode.studies.gate import lazy_games
from hardmode.studies.gate.accept import accept_scenario, compute_digests
from hardmode.studies.gate.prepare import prepare_run
from hardmode.studies.gate.run import GateConfig

PIG = "game: pig\nplayers: 2\nsweep: {target: [40, 50]}\n"


@pytest.fixture
def built(monkeypatch):
    made, engine = [], lazy_games.make_engine
    monkeypatch.setattr(lazy_games, "make_engine", lambda cell: made.append(cell.label_text) or engine(cell))
    return made


def test_each_cell_of_an_unchanged_scenario_has_one_engine(tmp_path, built):
    file = tmp_path / "mine.yaml"
    file.write_text(PIG)
    accept_scenario(str(file), "the first time", games=300, threads=1)
    built.clear()
    report = run_checks(prepare_run([str(file)], GateConfig(threads=1)))
    assert report.verdict == "IDENTICAL" and built == ["target 40", "target 50"]


def test_what_makes_the_games_is_told_without_an_engine(built):
    found = compute_digests(hardmode.load({"game": "pig", "players": 2}).cells[0])
    assert not built and set(found) == {"rules", "strategies", "kernel", "weights", "box", "scenario"}


def test_several_threads_hold_each_a_cell_and_find_the_same(tmp_path, monkeypatch):
    file, playing, most = tmp_path / "mine.yaml", [], []
    file.write_text("game: pig\nplayers: 2\nsweep: {target: [40, 50, 60, 70, 80]}\n")
    accept_scenario(str(file), "the first time", games=300, threads=1)
    upto = lazy_games.LazyGames.play_until

    def watched(games, n):
        playing.append(games)
        most.append((len(set(map(id, playing))), games.threads))
        try:
            time.sleep(0.01)  # so that another may begin
            upto(games, n)
        finally:
            playing.remove(games)

    monkeypatch.setattr(lazy_games.LazyGames, "play_until", watched)
    told = {}
    monkeypatch.setattr(cores, "count_cores", lambda: 3)
    for threads in (1, 2, 3):
        most.clear()
        found = prepare_run([str(file)], GateConfig(threads=threads)).evaluate_all()
        told[threads] = [(f.cell, f.verdict, f.text, f.games) for f in found]
        assert max(most)[0] == threads and {each for _, each in most} == {1}
    assert told[1] == told[2] == told[3] and [cell for cell, *_ in told[1]] == [f"target {n}0" for n in range(4, 9)]


def test_one_cell_has_all_threads(tmp_path, monkeypatch):
    file, seen = tmp_path / "mine.yaml", []
    file.write_text("game: pig\nplayers: 2\n")
    accept_scenario(str(file), "the first time", games=300, threads=1)
    upto = lazy_games.LazyGames.play_until
    monkeypatch.setattr(
        lazy_games.LazyGames, "play_until", lambda games, n: seen.append(games.threads) or upto(games, n)
    )
    monkeypatch.setattr(cores, "count_cores", lambda: 3)
    assert [f.verdict for f in prepare_run([str(file)], GateConfig(threads=3)).evaluate_all()] == ["IDENTICAL"]
    assert set(seen) == {3}


def test_whoever_gives_up_waits_for_no_more_than_a_piece(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(PIG)
    accept_scenario(str(file), "the first time", games=300, threads=1)
    run = prepare_run([str(file)], GateConfig(threads=2))
    findings = run.evaluate_all()
    next(findings)
    findings.close()
    assert run.stop.is_set()
    with pytest.raises(lazy_games.RunCancelledError):
        run.checks[0].game_sources[0].play_until(10**9)
