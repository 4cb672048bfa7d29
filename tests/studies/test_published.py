"""Plays reported in public: each file can be read, names its source and a date, and nobody who played."""

from types import SimpleNamespace

import numpy as np
import pytest

from hardmode.reports.page.chapters import trust
from hardmode.scenarios.load import ScenarioError, load_scenario
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.files.yaml_io.read import read_yaml_file
from hardmode.studies.playtests import published, records
from hardmode.studies.playtests.fit.likelihood import SufficientStats

STATED = {"date", "players", "won", "ending", "rounds", "score"}
FILES = [(game, file) for game in discovery.list_shipped_games() for file in published.list_play_files(game)]


def test_there_are_some():
    assert FILES


@pytest.mark.parametrize(("game", "file"), FILES, ids=lambda part: getattr(part, "stem", part))
def test_a_file_of_plays_can_be_read_and_names_no_person(game, file):
    cell = load_scenario(f"{game}/{contract.load_game(game).standard}").cells[0]
    [found] = [one for one in published.load_published_plays(cell) if one.path == file]
    assert found.source.startswith("https://") and found.records
    data = read_yaml_file(file, signed_numbers=True).data
    assert set(data) == {"source", "plays"} and all(set(play) <= STATED for play in data["plays"])
    assert all(record.day for record in found.records)


def test_plays_without_a_source_are_refused(tmp_path, monkeypatch):
    (tmp_path / "plays").mkdir()
    file = tmp_path / "plays" / "some.yaml"
    file.write_text("plays:\n  - {won: yes}\n")
    monkeypatch.setattr(published, "find_scenario_folders", lambda: {"pig": tmp_path})
    cell = load_scenario("pig/classic").cells[0]
    with pytest.raises(ScenarioError, match="must be the address of a page"):
        published.load_published_plays(cell)
    file.write_text("source: https://example.org/pig\nplays:\n  - {won: yes}\n")
    [found] = published.load_published_plays(cell)
    assert [record.won for record in found.records] == [True]


def test_plays_of_which_only_a_score_is_known_count_as_plays(tmp_path):
    table = tmp_path / "plays.yaml"
    table.write_text("- {rounds: 12}\n- {rounds: 15}\n")
    plays, _ = records.load_play_records(table, load_scenario("pig/classic").cells[0])
    none = (0, 0, *(3 * [np.zeros(2)]), ())
    assert SufficientStats(*none, tuple(plays)).games == 2


def test_the_page_lists_them_where_they_exist_and_says_that_people_played(tmp_path, monkeypatch):
    (tmp_path / "plays").mkdir()
    report = SimpleNamespace(first_cell=load_scenario("pig/classic").cells[0])
    monkeypatch.setattr(published, "find_scenario_folders", lambda: {"pig": tmp_path})
    assert trust._describe_published_plays(report) == []
    text = ("source: https://example.org/pig\nplays:\n  - {date: 2024-05-06, won: yes}\n"
            "  - {date: 2024-05-07, won: no}\n")
    (tmp_path / "plays" / "some.yaml").write_text(text)
    line, note = trust._describe_published_plays(report)
    assert line == "2 plays of 6 May 2024 (1 won); source: https://example.org/pig"
    assert note.startswith("People played these games, not the simulation.")
