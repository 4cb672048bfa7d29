"""A person at the table: told what the seat may know and no more, taking back what has had no consequences."""

import json
from functools import cache

import numpy as np
import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.sim.narration import find_common_knowledge
from hardmode.sim.play.interactive_game import InteractiveGame, ask_strategy
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.replay import choices
from hardmode.studies.core import run
from tests.playing import pig_engine

GAMES = ["run_run_run/standard", "woodlands/classic", "vengeance/solo-medium", "trapwords/standard"]


@cache
def table(name):
    return run.make_engine(load_scenario(name).cells[0])


def sat(name, game=0, seed=3):
    return InteractiveGame(table(name), seed, game, 0)


def test_a_person_who_plays_as_the_strategy_does_plays_its_game():
    engine = pig_engine("hold_at", "keep_pace")
    script, row = choices(engine, Workspace(engine.game), 7, 3)
    sitting = InteractiveGame(engine, 7, 3, 0)
    told = sitting.advance()
    while not sitting.is_over:
        told += sitting.take_option(ask_strategy(engine, 7, 3, sitting.script))
    assert sitting.script == script.tolist() and (sitting.row == row).all()
    rolls = sum(line.startswith("Player 1 rolls") for line in told)
    assert rolls == sum(1 for i in sitting.own_steps if script[i] == 0)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_alike_whatever_lies_face_down(name):
    """What a person reads must not depend on what the seat cannot know: dealt otherwise, the same is read."""
    sitting, rng = sat(name), np.random.default_rng(1)
    sitting.advance()
    for _ in range(8):
        if sitting.is_over:
            break
        shown = [json.dumps(sitting.known_state, default=str), sitting.draw_picture(), sitting.choice.options]
        real = sitting.workspace.hiddens.view(np.ndarray)[REAL].copy()
        own = real["own"][0].copy()
        sitting._copy(77)
        world = sitting.workspace.hiddens.view(np.ndarray)[1]
        assert world["own"][0].tobytes() == own.tobytes()
        hidden = sitting.words.state(*_readable(sitting))["hidden"]
        known = sitting.known_state["hidden"] or {}
        assert _within(known, hidden), "what is said to be known is not so in another world"
        assert shown == [json.dumps(sitting.known_state, default=str), sitting.draw_picture(), sitting.choice.options]
        sitting.take_option(int(rng.integers(len(sitting.choice.options))))


def _readable(sitting):
    from hardmode.sim.records import readable

    return (
        readable(sitting.engine.box),
        readable(sitting.workspace.tables, REAL),
        readable(sitting.workspace.hiddens, 1),
    )


def _within(known, there):
    if isinstance(known, dict):
        return all(name in there and _within(value, there[name]) for name, value in known.items())
    return known == there


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak) if "woodlands" in name else name for name in GAMES]
)
def test_what_is_taken_back_leaves_the_game_as_it_was(name):
    """Over whole games of random choices, nothing that was taken back shows anything that was not known before."""
    sitting, rng, undone = sat(name, 1), np.random.default_rng(2), 0
    sitting.advance()
    for _ in range(15):
        if sitting.is_over:
            break
        before = list(sitting.script), sitting.choice, json.dumps(sitting.known_state, default=str)
        sitting.take_option(int(rng.integers(len(sitting.choice.options))))
        if sitting.undo():
            undone += 1
            assert (list(sitting.script), sitting.choice, json.dumps(sitting.known_state, default=str)) == before
            sitting.take_option(0)
    assert undone or name.startswith("trapwords"), "where others answer every choice, none can be taken back"


def test_nothing_that_chance_has_shown_is_taken_back():
    sitting = InteractiveGame(pig_engine("hold_at", players=1), 1, 0, 0)
    assert not sitting.undo()
    sitting.advance()
    sitting.take_option(0)  # a roll
    assert not sitting.undo()
    while not sitting.is_over and int(sitting.known_state["open"]["turn"]) == 0:
        sitting.take_option(0)
    if not sitting.is_over:
        turn = sitting.known_state["open"]["turn"]
        sitting.take_option(1)  # holding shows nothing to somebody who plays alone
        assert sitting.undo() and sitting.known_state["open"]["turn"] == turn


def test_a_card_turned_up_from_a_pile_that_was_shuffled_before_is_not_taken_back():
    """In Woodlands tiles are stacked at set-up: drawing one draws no lot, and yet shows something."""
    sitting, rng, seen = sat("woodlands/classic", 2), np.random.default_rng(0), 0
    sitting.advance()
    for _ in range(30):
        if sitting.is_over:
            break
        left = sitting.known_state["open"]["tiles left"]
        sitting.take_option(int(rng.integers(len(sitting.choice.options))))
        if not sitting.is_over and sitting.known_state["open"]["tiles left"] < left:
            seen += 1
            assert not sitting.undo()
            break
    assert seen


def test_what_another_writes_unseen_is_not_told():
    sitting = sat("trapwords/standard")
    sitting.advance()
    told = []
    for _ in range(4):
        told += sitting.take_option(0)
    assert any("has chosen secretly (write the trap list)" in line for line in told)
    assert not any(line.startswith("Team B writes") for line in told)


def test_a_game_goes_on_from_its_choices():
    one, rng = sat("run_run_run/standard"), np.random.default_rng(5)
    one.advance()
    for _ in range(6):
        one.take_option(int(rng.integers(len(one.choice.options))))
    other = sat("run_run_run/standard")
    other.replay_choices(one.script)
    assert (other.known_state, other.choice, other.own_steps, other.irrevocable_choices) == (
        one.known_state,
        one.choice,
        one.own_steps,
        one.irrevocable_choices,
    )


def test_what_is_common_to_worlds():
    assert find_common_knowledge([{"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 2, "d": 4}}]) == {
        "a": 1,
        "b": {"c": 2},
    }
    assert find_common_knowledge([{"a": 1}, {"a": 2}]) is None


def test_rows_of_a_finished_game_are_those_of_the_engine():
    engine = pig_engine("hold_at", "hold_at")
    sitting = InteractiveGame(engine, 2, 5, 1)
    sitting.advance()
    while not sitting.is_over:
        sitting.take_option(ask_strategy(engine, 2, 5, sitting.script))
    out = allocate_rows(engine.game, 1)
    engine.play(Workspace(engine.game), 2, 5, 6, out)
    assert (np.asarray(out)[:, 0] == sitting.row).all()
