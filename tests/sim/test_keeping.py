"""Players who keep to options of some labels, and what is counted of choices, held to games played otherwise."""

from dataclasses import replace

import numpy as np
import pytest

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.sim import contract, replay
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import DECISIONS, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.strategies import registry

HOLD, ROLL = 1, 0
GAMES = 40


def hold(box, table, own, options, n, luck, weights):
    """Always hold."""
    return 1


def played(game, box, players, games=GAMES, desk=None):
    marks, out = np.zeros(games, np.uint64), allocate_rows(game, games)
    Engine(game, box, players).play(desk or Workspace(game), 5, 0, games, out, outcome_hashes=marks)
    return marks, np.asarray(out)


@pytest.fixture(scope="module")
def pig():
    return create_variant("pig", rules={"target": 30})


def test_who_keeps_to_one_option_plays_as_one_who_knows_no_other(pig):
    steady = registry.create_player("pig", "steady")
    bound = played(pig.game, pig.box, [replace(steady, allowed_labels=(HOLD,)), steady])[0]
    always = played(pig.game, pig.box, [Player("hold", hold), steady])[0]
    assert (bound == always).all()
    assert (bound != played(pig.game, pig.box, [steady, steady])[0]).any()


@pytest.mark.parametrize("name", ["run_run_run/standard", "vengeance/solo-medium", "trapwords/standard"])
def test_who_keeps_to_all_labels_plays_the_same_games(name):
    cell = load_scenario(name).cells[0]
    game, steady = cell.game, registry.create_player(cell.game.name, "steady")
    kept = replace(steady, allowed_labels=tuple(range(game.labels)), counts_choices=True)
    assert (played(game, cell.box, [kept])[0] == played(game, cell.box, [steady])[0]).all()


def label(cell, words):
    return next(i for i in range(cell.game.labels) if cell.game.load_words().label(readable(cell.box), i) == words)


@pytest.mark.parametrize("who", ["steady", "random"])
def test_what_is_forbidden_is_taken_only_where_nothing_else_is_left(who):
    cell = load_scenario("run_run_run/standard").cells[0]
    fight, desk = label(cell, "fight"), Workspace(cell.game)
    kept = tuple(i for i in range(cell.game.labels) if i != fight)
    player = replace(registry.create_player(cell.game.name, who), allowed_labels=kept, counts_choices=True)
    out = played(cell.game, cell.box, [player], desk=desk)
    offered, taken = desk.label_counts.sum(axis=2)
    assert offered[fight] > GAMES and taken[fight] == 0
    assert out[1][cell.game.columns.index("fights")].sum() < offered[fight]


def test_what_is_kept_to_is_taken_wherever_it_is_offered():
    cell = load_scenario("run_run_run/standard").cells[0]
    cooperate, desk = label(cell, "cooperate"), Workspace(cell.game)
    steady = registry.create_player(cell.game.name, "steady")
    out = played(cell.game, cell.box, [replace(steady, allowed_labels=(cooperate,), counts_choices=True)], desk=desk)[1]
    offered, taken = desk.label_counts.sum(axis=2)
    assert offered[cooperate] == taken[cooperate] > GAMES
    assert out[cell.game.columns.index("cooperations")].sum() >= taken[cooperate]


def test_a_game_that_was_played_so_can_be_followed_step_by_step():
    cell = load_scenario("run_run_run/standard").cells[0]
    steady, random = (registry.create_player(cell.game.name, who) for who in ("steady", "random"))
    made = Engine(cell.game, cell.box, [replace(steady, allowed_labels=(label(cell, "explore"),))])
    desk, out = Workspace(cell.game), allocate_rows(cell.game, 1)
    taken, _ = replay.choices(made, desk, 5, 3)
    made.play(desk, 5, 3, 4, out)
    again = allocate_rows(cell.game, 1)
    Engine(cell.game, cell.box, [random]).play(Workspace(cell.game), 5, 3, 4, again, script=taken)
    assert (np.asarray(out) == np.asarray(again)).all()


def test_counts_are_those_of_the_log(pig):
    counted = replace(registry.create_player("pig", "steady"), counts_choices=True)
    made, desk = Engine(pig.game, pig.box, [counted, counted]), Workspace(pig.game)
    made.play(desk, 5, 0, GAMES, allocate_rows(pig.game, GAMES))
    total = int(desk.totals[DECISIONS])
    taken = np.zeros(2, np.int64)
    for game in range(GAMES):
        other = Workspace(pig.game)
        replay.choices(made, other, 5, game, log=True)
        log = replay.logged(other)
        taken += np.bincount(log[log[:, 0] == -1, 5], minlength=2)
    assert desk.decisions_by_kind.sum() == total == desk.label_counts[0, ROLL].sum() == desk.label_counts[0, HOLD].sum()
    assert desk.label_counts[1].sum(axis=1).tolist() == taken.tolist()
    assert desk.games_with_label.tolist() == [[GAMES, GAMES], [GAMES, GAMES]]


def test_search_keeps_to_labels_as_well(pig):
    steady = registry.create_player("pig", "steady")
    search = replace(registry.create_player("pig", "expert"), allowed_labels=(HOLD,))
    assert (played(pig.game, pig.box, [search, steady], 3)[0]
            == played(pig.game, pig.box, [replace(steady, allowed_labels=(HOLD,)), steady], 3)[0]).all()


def test_a_label_that_there_is_not_is_refused():
    game = contract.load_game("pig")
    assert game.labels == 2 and game.load_words().label(None, HOLD) == "hold"
