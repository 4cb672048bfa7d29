"""A person at the table: told what the seat may know and no more, taking back what has had no consequences."""

import json
from functools import cache

import numpy as np
import pytest

from hardmode.scenarios.load import load
from hardmode.sim.play.engine import Desk, columns
from hardmode.sim.play.interactive_game import Sitting, chosen_by, common
from hardmode.sim.play.workspace import REAL
from hardmode.sim.replay import choices
from hardmode.studies.core import run
from tests.playing import pig_engine

GAMES = ["run_run_run/standard", "woodlands/classic", "vengeance/solo-medium", "trapwords/standard"]


@cache
def table(name):
    return run.engine(load(name).cells[0])


def sat(name, game=0, seed=3):
    return Sitting(table(name), seed, game, 0)


def test_a_person_who_plays_as_the_strategy_does_plays_its_game():
    engine = pig_engine("hold_at", "keep_pace")
    script, row = choices(engine, Desk(engine.game), 7, 3)
    sitting = Sitting(engine, 7, 3, 0)
    told = sitting.play_on()
    while not sitting.over:
        told += sitting.take(chosen_by(engine, 7, 3, sitting.script))
    assert sitting.script == script.tolist() and (sitting.row == row).all()
    rolls = sum(line.startswith("Player 1 rolls") for line in told)
    assert rolls == sum(1 for i in sitting.asked if script[i] == 0)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_alike_whatever_lies_face_down(name):
    """What a person reads must not depend on what the seat cannot know: dealt otherwise, the same is read."""
    sitting, rng = sat(name), np.random.default_rng(1)
    sitting.play_on()
    for _ in range(8):
        if sitting.over:
            break
        shown = [json.dumps(sitting.known, default=str), sitting.picture(), sitting.choice.options]
        real = sitting.desk.hiddens.view(np.ndarray)[REAL].copy()
        own = real["own"][0].copy()
        sitting._copy(77)
        world = sitting.desk.hiddens.view(np.ndarray)[1]
        assert world["own"][0].tobytes() == own.tobytes()
        hidden = sitting.words.state(*_readable(sitting))["hidden"]
        known = sitting.known["hidden"] or {}
        assert _within(known, hidden), "what is said to be known is not so in another world"
        assert shown == [json.dumps(sitting.known, default=str), sitting.picture(), sitting.choice.options]
        sitting.take(int(rng.integers(len(sitting.choice.options))))


def _readable(sitting):
    from hardmode.sim.records import readable

    return readable(sitting.engine.box), readable(sitting.desk.tables, REAL), readable(sitting.desk.hiddens, 1)


def _within(known, there):
    if isinstance(known, dict):
        return all(name in there and _within(value, there[name]) for name, value in known.items())
    return known == there


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.soak) if "woodlands" in name else name
                                  for name in GAMES])
def test_what_is_taken_back_leaves_the_game_as_it_was(name):
    """Over whole games of random choices, nothing that was taken back shows anything that was not known before."""
    sitting, rng, undone = sat(name, 1), np.random.default_rng(2), 0
    sitting.play_on()
    for _ in range(15):
        if sitting.over:
            break
        before = list(sitting.script), sitting.choice, json.dumps(sitting.known, default=str)
        sitting.take(int(rng.integers(len(sitting.choice.options))))
        if sitting.undo():
            undone += 1
            assert (list(sitting.script), sitting.choice, json.dumps(sitting.known, default=str)) == before
            sitting.take(0)
    assert undone or name.startswith("trapwords"), "where others answer every choice, none can be taken back"


def test_nothing_that_chance_has_shown_is_taken_back():
    sitting = Sitting(pig_engine("hold_at", players=1), 1, 0, 0)
    assert not sitting.undo()
    sitting.play_on()
    sitting.take(0)  # a roll
    assert not sitting.undo()
    while not sitting.over and int(sitting.known["open"]["turn"]) == 0:
        sitting.take(0)
    if not sitting.over:
        turn = sitting.known["open"]["turn"]
        sitting.take(1)  # holding shows nothing to somebody who plays alone
        assert sitting.undo() and sitting.known["open"]["turn"] == turn


def test_a_card_turned_up_from_a_pile_that_was_shuffled_before_is_not_taken_back():
    """In Woodlands tiles are stacked at set-up: drawing one draws no lot, and yet shows something."""
    sitting, rng, seen = sat("woodlands/classic", 2), np.random.default_rng(0), 0
    sitting.play_on()
    for _ in range(30):
        if sitting.over:
            break
        left = sitting.known["open"]["tiles left"]
        sitting.take(int(rng.integers(len(sitting.choice.options))))
        if not sitting.over and sitting.known["open"]["tiles left"] < left:
            seen += 1
            assert not sitting.undo()
            break
    assert seen


def test_what_another_writes_unseen_is_not_told():
    sitting = sat("trapwords/standard")
    sitting.play_on()
    told = []
    for _ in range(4):
        told += sitting.take(0)
    assert any("has chosen, unseen (write the trap list)" in line for line in told)
    assert not any(line.startswith("Team B writes") for line in told)


def test_a_game_goes_on_from_its_choices():
    one, rng = sat("run_run_run/standard"), np.random.default_rng(5)
    one.play_on()
    for _ in range(6):
        one.take(int(rng.integers(len(one.choice.options))))
    other = sat("run_run_run/standard")
    other.again(one.script)
    assert (other.known, other.choice, other.asked, other.settled) == (one.known, one.choice, one.asked, one.settled)


def test_what_is_common_to_worlds():
    assert common([{"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 2, "d": 4}}]) == {"a": 1, "b": {"c": 2}}
    assert common([{"a": 1}, {"a": 2}]) is None


def test_rows_of_a_finished_game_are_those_of_the_engine():
    engine = pig_engine("hold_at", "hold_at")
    sitting = Sitting(engine, 2, 5, 1)
    sitting.play_on()
    while not sitting.over:
        sitting.take(chosen_by(engine, 2, 5, sitting.script))
    out = columns(engine.game, 1)
    engine.play(Desk(engine.game), 2, 5, 6, out)
    assert (np.asarray(out)[:, 0] == sitting.row).all()
