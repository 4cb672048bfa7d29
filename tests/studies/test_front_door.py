"""Python's front door: whatever names a scenario can be played, what comes back reads well, and frames are frames."""

import re
import subprocess
import sys

import pandas
import polars
import pytest

import hardmode
from hardmode.sim.files.yaml_io.errors import ScenarioError

PIG = {"game": "pig", "title": "Pig to 50", "players": 2, "rules": {"target": 50}}
GRID = {**PIG, "rules": {}, "sweep": {"target": [50, 60]}}


def digests(results):
    return [r.outcome_digest for r in results]


def test_a_name_a_path_a_dict_what_was_loaded_and_a_variant_play_the_same_games(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("game: pig\nplayers: 2\nrules: {target: 50}\n")
    made = hardmode.variant("pig", players=2, rules={"target": 50})
    played = [digests(hardmode.play(what, games=200, threads=1))
              for what in (file, str(file), PIG, hardmode.load(PIG), made)]
    assert all(one == played[0] for one in played)
    assert digests(hardmode.play("pig/classic", games=200)) != played[0]


def test_keywords_say_the_same_as_an_effort():
    effort = hardmode.Effort(games=300, seed=5, threads=1)
    assert digests(hardmode.play(PIG, effort)) == digests(hardmode.play(PIG, games=300, seed=5))
    assert hardmode.play(PIG, effort, games=100)[0].games == 100, "a keyword goes before the effort"
    assert hardmode.play({**PIG, "games": 150, "seed": 9}).pop().games == 150
    known = hardmode.play(PIG, precision=0.02)[0]
    assert 1000 < known.games < 5000


def test_old_names_of_arguments_still_work():
    assert hardmode.Effort(until=0.02, first=7) == hardmode.Effort(precision=0.02, first_game=7)
    assert digests(hardmode.play(PIG, until=0.02)) == digests(hardmode.play(PIG, precision=0.02))


def test_an_interrupted_or_finished_file_is_gone_on_from(tmp_path):
    out = tmp_path / "kept.json"
    hardmode.play(PIG, games=100, out=out)
    more = hardmode.play(PIG, games=250, out=str(out))
    assert more[0].games == 250 and digests(more) == digests(hardmode.play(PIG, games=250))


def test_a_mistake_in_a_dict_is_told_by_its_path():
    for wrong, said in (({**PIG, "rules": {"targt": 3}}, "the dict: rules.targt: no such number; did you mean target?"),
                        ({"players": 2}, "the dict: game: is missing"),
                        ({**PIG, "rules": {"target": object()}}, "the dict: rules.target: is of type object"),
                        ({**PIG, "plyers": 2}, "did you mean players?")):
        with pytest.raises(ScenarioError) as told:
            hardmode.load(wrong)
        assert said in str(told.value)
    assert hardmode.load({**PIG, "rules": {"target": "+5"}}).cells[0].values["target"] == 105


def test_what_was_played_prints_as_a_person_reads_it():
    one, grid = hardmode.play(PIG, games=200, threads=1), hardmode.play(GRID, games=200, threads=1)
    text = str(one)
    assert text.startswith("Pig: Pig to 50\nwins of seat 1 ") and "200 games" in text and " .. " in text
    assert "how it ends: " in text and "mean length" in text and "intervals hold together at 95 %; seed 1" in text
    assert repr(one) == text
    assert str(grid).count("200 games") == 2 and "target 60: wins of seat 1" in str(grid)
    assert "90 %" in str(hardmode.play(PIG, games=200, confidence=0.9))


def test_a_comparison_takes_the_same_and_prints_its_intervals():
    found = hardmode.compare(PIG, hardmode.variant("pig", players=2, rules={"target": 60}), games=300, threads=1)
    [one] = found
    text = str(found)
    assert "A: Pig to 50 with target=50" in text and "B: Pig with target=60" in text
    assert f"of 300 games, {one.wins_gained} are newly won and {one.wins_lost} newly lost" in text and " .. " in text
    assert one.seed == 1 and hardmode.compare(PIG, PIG, games=100, seed=4)[0].seed == 4


def test_frames_are_polars_or_pandas_with_the_same_content():
    results = hardmode.play(GRID, games=200, threads=1)
    for made, rows in ((hardmode.cells, 2), (hardmode.endings, None), (hardmode.curves, None)):
        ours, theirs = made(results), made(results, pandas=True)
        assert isinstance(ours, polars.DataFrame) and isinstance(theirs, pandas.DataFrame)
        assert ours.columns == list(theirs.columns) and len(ours) == len(theirs) and (rows is None or len(ours) == rows)
        assert ours["target"].to_list() == theirs["target"].tolist() and set(theirs["target"]) == {50, 60}
    first = hardmode.cells(results, pandas=True).iloc[0]
    assert first.low < first.win_rate < first.high and first.games == 200
    assert hardmode.endings(results, pandas=True).groupby("target").games.sum().tolist() == [200, 200]
    curve = hardmode.curves(results[0], pandas=True)
    assert curve[curve["round"] == 1].games.sum() == 200


def test_the_games_are_listed():
    assert {"pig", "woodlands", "trapwords"} <= set(hardmode.list_games())


def test_a_notebook_shows_a_table_with_intervals_and_plots_and_gets_frames_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    results = hardmode.play(GRID, games=200, threads=1)
    changed = hardmode.compare(PIG, hardmode.variant("pig", players=2, rules={"target": 60}), games=100, threads=1)
    for found, name in ((results, "win_rate"), (changed, "difference")):
        ours, theirs = found.to_polars(), found.to_pandas()
        assert list(theirs.columns) == ours.columns and theirs[name].tolist() == ours[name].to_list()
        shown = found._repr_html_()
        assert shown.count("<tr>") == len(found) + 1 and shown.count("<svg") == len(found) and " .. " in shown
        at = [float(x) for x in re.findall(r'cx="([\d.]+)"', shown)]
        assert all(low <= value <= high for low, value, high in zip(ours["low"], ours[name], ours["high"], strict=True))
        assert len(at) == len(found) and all(0 <= x <= 140 for x in at)
    assert results.to_polars().equals(hardmode.cells(results))


def test_matplotlib_is_loaded_only_for_plots():
    tell = "print('matplotlib' in sys.modules)"
    code = f"import sys, hardmode; hardmode.play; {tell}; hardmode.plot; {tell}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["False", "True"]
