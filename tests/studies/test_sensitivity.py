"""What one step of each number does: told apart by sign, dead numbers found, and the same as `compare`."""

import json

import pytest
from typer.testing import CliRunner

import hardmode
from hardmode.cli import app
from hardmode.scenarios.load import leaves, load
from hardmode.studies.altered import altered
from hardmode.studies.play import Effort
from hardmode.studies.sensitivity import sensitivity
from hardmode.studies.steps import neighbours
from tests.reports.toy.making import toy

GAMES = 2000


@pytest.fixture(scope="module")
def found():
    with toy():
        yield sensitivity(load("lantern/home", ["setup.beast=wolf"]).cells[0], Effort(GAMES, threads=2), None)


def row(found, path, after):
    return next(n for n in found.numbers if n.path == path and n.after == after)


def test_a_step_does_what_compare_says_it_does(found):
    with toy():
        [pair] = hardmode.compare(load("lantern/home", ["setup.beast=wolf"]),
                                  load("lantern/home", ["setup.beast=wolf", "bite.wolf=1"]), games=GAMES)
    n = row(found, "bite.wolf", 1)
    assert (n.games, n.gained, n.lost) == (GAMES, pair.gained, pair.lost) and n.gained > 100
    assert n.length == pair.length
    assert found.difference(n).low < pair.difference.value < found.difference(n).high


def test_opposite_steps_are_rows_of_their_own(found):
    assert row(found, "bite.wolf", 1).value > 0.1 and row(found, "bite.wolf", 3).value < -0.05
    assert {n.after for n in found.matters if n.path == "bite.wolf"} == {1, 3}


def test_a_beast_that_does_not_come_bites_for_nothing(found):
    assert found.dead == found.silent == ["bite.owl", "bite.bear"]
    owl = row(found, "bite.owl", 1)
    assert owl.read and owl.games and not owl.differing and found.bound(owl) < 0.02


def test_what_the_game_cannot_bear_is_refused_and_what_no_rule_reads_is_unread(monkeypatch):
    with toy():
        cell = load("lantern/home").cells[0]
        fill = cell.game.fill

        def strict(box, values):
            fill(box, values)
            if values["light"] > 12:
                raise ValueError("too bright")
            box.bite[1] = 0

        object.__setattr__(cell.game, "fill", strict)
        try:
            made = sensitivity(cell, Effort(300, threads=1), None)
        finally:
            object.__setattr__(cell.game, "fill", fill)
    assert [(n.path, n.after) for n in made.refused] == [("light", 13)] and "too bright" in made.refused[0].refused
    assert made.unread == ["bite.owl"]


def test_steps_stay_within_what_is_plausible():
    with toy():
        known = leaves("lantern")
    assert neighbours(known["light"], 12) == [11, 13] and neighbours(known["light"], 15) == [14]
    assert neighbours(known["bite.owl"], 0) == [1]
    assert neighbours(known["setup.wood"], "thin") == ["thick"]


def test_a_change_stands_on_what_the_scenario_changed():
    with toy():
        cell = altered(load("lantern/home", ["light=9"]).cells[0], {"way": 8})
    assert (cell.values["light"], cell.values["way"]) == (9, 8)


def test_the_command_answers_in_json_and_in_files(tmp_path):
    with toy():
        done = CliRunner().invoke(app, ["sensitivity", "lantern/home", "--games", "500", "--json", "-o",
                                        str(tmp_path / "found")])
    told = json.loads(done.stdout)
    first = told["numbers"][0]
    assert {"path", "from", "to", "points", "low", "high", "gained", "lost"} <= set(first)
    assert first["low"] < first["points"] < first["high"] and told["games"] == 500 and told["dead"] == []
    assert {f.name for f in (tmp_path / "found").iterdir()} == {
        "manifest.json", "sensitivity.json", "sensitivity.csv", "sensitivity.md", "sensitivity.parquet", "tornado.png",
        "tornado.svg"}
