"""`hardmode play` as a person meets it: a game to its end, a hint, leaving and going on, the row in the table."""

import csv
import json

import jsonschema
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console import play
from hardmode.reports.json import schemas
from hardmode.scenarios.load import load_scenario
from hardmode.studies.core.budget import FakeClock, use_clock
from hardmode.studies.playtests import records
from hardmode.studies.playtests.hint import compute_hint
from tests.oracles.pig import hold_at_20


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def played(*words, typed=""):
    return CliRunner().invoke(app, ["play", *words], input=typed)


def test_a_game_to_its_end_is_a_row_of_the_table(tmp_path):
    typed = "1\n2\n" * 300
    words = ("pig/classic", "--set", "target=30", "--log", "plays.csv")
    done = played(*words, "--seed", "4", "--group", "us", typed=typed)
    assert done.exit_code == 0 and ("You have won." in done.output or "You have lost." in done.output)
    assert not (tmp_path / "pig-classic.play").exists()
    [row] = csv.DictReader((tmp_path / "plays.csv").open())
    assert row["group"] == "us" and row["won"] == ("yes" if "You have won." in done.output else "no")
    again = played(*words, "--seed", "5", "--json", typed=typed)
    said = json.loads(again.stdout)
    jsonschema.validate(said, schemas.build_schema("play"))
    first, second = csv.DictReader((tmp_path / "plays.csv").open())
    assert first == row and second["rounds"] == str(said["rounds"])
    assert second["rolls"] == str(said["measures"]["rolls"])
    assert second["won"] == ("yes" if said["won"] else "no")
    found, unread = records.load_play_records(tmp_path / "plays.csv", load_scenario("pig/classic").cells[0])
    assert not unread and [p.won for p in found] == [r["won"] == "yes" for r in (first, second)]


def test_a_game_that_is_left_goes_on(tmp_path):
    words = ("pig/classic", "--seed", "4", "--json")
    whole = json.loads(played(*words, typed="1\n2\n" * 300).stdout)
    left = played("pig/classic", "--seed", "4", typed="1\n2\n1\nquit\n")
    assert left.exit_code == 0 and "the same command continues it" in left.output
    for other, what in ((("--seed", "5"), "seed"), (("--seed", "4", "--set", "target=99"), "box, rules or players")):
        assert f"holds an unfinished game with another {what}" in str(played("pig/classic", *other).exception)
    assert json.loads(played(*words, typed="2\n").stdout)["left"] == "pig-classic.play"  # the lines end
    assert json.loads(played(*words, typed="1\n2\n" * 300).stdout)["script"][:4] == whole["script"][:4]


def test_a_hint_knows_what_options_are_worth():
    """In Pig, with a turn of 40 held against a rival at 0, holding is worth more; with nothing rolled, rolling is."""
    cell = load_scenario("pig/classic").cells[0]
    with use_clock(FakeClock(step=0.002)):
        first = compute_hint(cell, 1, 0, 0, [], seconds=0.5)
    assert first.expert_option == 0 and first.option_rates[0].value > first.option_rates[1].value
    assert not hold_at_20(0, 0, 0)
    assert 0.4 < first.option_rates[0].value < 0.7 and first.option_rates[0].n >= 16


def test_a_hint_is_the_same_whoever_thinks():
    """On one thread or two, the same worlds are tried."""
    cell = load_scenario("pig/classic").cells[0]
    one, two = (compute_hint(cell, 1, 0, 0, [0, 0], seconds=1e-6, threads=n) for n in (1, 2))
    assert one == two and one.option_rates[0].n == 16


@pytest.mark.parametrize("value, said", [
    ({"player": "player 1", "kind": "action"}, "player 1, kind action"), ([[], [], [3, 4]], "3 4"), (True, "yes"),
    ({"tile": "start", "rune": None, "monsters": []}, "tile start"), (None, "-")])
def test_what_is_known_is_said_as_a_person_would(value, said):
    assert play.format_state_value(value) == said


def test_what_is_typed_wrong_is_said():
    done = played("pig/classic", "--seed", "4", typed="9\nfoo\n\nu\np\no\nhelp\nq\n")
    for said in ("type a number from 1 to 2", "'foo' is not an option or a command", "type a number, or help",
                 "you have not chosen anything yet", "turn: 0", "You decide: roll or hold", "undo      take"):
        assert said in done.output, said


@pytest.mark.parametrize("words, said", [
    (("--seat", "3"), "this game has 2 seats"), (("--log", "plays.xlsx"), "plays can only be added to a .csv file"),
    (("-o", "mine.yaml"), "not a game that hardmode wrote")])
def test_what_cannot_be_is_refused_before_anybody_plays(tmp_path, words, said):
    (tmp_path / "mine.yaml").write_text("game: pig\n")
    done = played("pig/classic", *words, typed="1\n")
    assert done.exit_code != 0 and said in done.output + str(done.exception)
