"""The chance to win from any position: against Pig's chain, from a fixed point of view, on luck of its own."""

import numpy as np
import pytest
from playing import pig_engine
from scipy import stats

from hardmode.scenarios.load import load_scenario
from hardmode.sim import contract
from hardmode.sim.play.rollouts import IMPOSSIBLE, ROLLOUT_ARGS, Determinizer, rollout_kernel
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.records import blank
from hardmode.sim.replay import choices
from hardmode.strategies import registry
from hardmode.studies.core.run import make_engine
from tests.oracles.pig import chance, hold_at_20, keep_pace

ALPHA = 1e-4
GAMES = ["run_run_run/standard", "woodlands/classic", "trapwords/standard", "vengeance/solo-medium",
         "vengeance/three-players"]


def pig_positions(worlds, number):
    """Every step of a game of Pig: the desk at it, its number, and the exact chance of the first player."""
    desk = Workspace(worlds.engine.game)
    script, _ = choices(worlds.engine, desk, worlds.seed, number)
    for step in range(len(script)):
        worlds.seek(desk, number, script, step)
        table = desk.tables.view(np.ndarray)[0]
        yield desk, step, chance(keep_pace, hold_at_20, table["score"].tolist(), table["seat"], table["turn"])


def test_the_odds_of_pig_are_those_of_its_chain_at_every_step():
    worlds = Determinizer(pig_engine("keep_pace", "steady"), 1)
    against = []
    for number in range(8):
        for desk, step, truth in pig_positions(worlds, number):
            won = int((worlds.sample_winners(desk, number, step, 0, 400)[0] == 1).sum())
            against.append(stats.binomtest(won, 400, truth).pvalue if 0 < truth < 1 else float(won == 400 * truth))
    assert len(against) > 200 and min(against) > ALPHA / len(against)


def test_taking_an_option_first_is_worth_what_the_chain_says():
    worlds = Determinizer(pig_engine("steady", "steady"), 1)
    for number in range(3):
        for desk, step, _ in pig_positions(worlds, number):
            table = desk.tables.view(np.ndarray)[0]
            scores, seat, turn = table["score"].tolist(), int(table["seat"]), int(table["turn"])
            held = [scores[0] + turn * (seat == 0), scores[1] + turn * (seat == 1)]
            won = int((worlds.sample_winners(desk, number, step, 0, 400, option_index=1)[0] == 1).sum())
            if max(held) >= 100:
                assert won == 400 * (held[0] >= 100)
                continue
            truth = chance(hold_at_20, hold_at_20, held, 1 - seat)
            assert stats.binomtest(won, 400, truth).pvalue > ALPHA / 100


@pytest.mark.parametrize("name", GAMES)
def test_worlds_in_which_the_player_takes_an_option_go_on_as_if_it_were_taken(name):
    """So the value of the option taken and the odds before it differ by chance of the player alone."""
    worlds = Determinizer(make_engine(load_scenario(name).cells[0]), 1)
    desk = Workspace(worlds.engine.game)
    script, _ = choices(worlds.engine, desk, 1, 0)
    for step in range(0, len(script), 7):
        n = worlds.seek(desk, 0, script, step)
        played, chosen = worlds.sample_winners(desk, 0, step, 0, 20)
        asked, taken = worlds.sample_winners(desk, 0, step, 0, 20, option_index=int(script[step]))
        assert n >= 1 and (played >= 0).all()
        assert (played[chosen == taken] == asked[chosen == taken]).all()


@pytest.mark.parametrize("name", GAMES)
def test_the_odds_are_no_part_of_the_game(name):
    """Looking leaves the real table as it is, and its worlds are not the game that comes."""
    worlds = Determinizer(make_engine(load_scenario(name).cells[0]), 1)
    desk = Workspace(worlds.engine.game)
    script, _ = choices(worlds.engine, desk, 1, 3)
    worlds.seek(desk, 3, script, len(script) // 2)
    before = desk.tables.view(np.ndarray)[0].tobytes(), desk.hiddens.view(np.ndarray)[0].tobytes()
    one = worlds.sample_winners(desk, 3, len(script) // 2, 0, 50)[0]
    other = worlds.sample_winners(desk, 3, len(script) // 2, 0, 50, salt=1)[0]
    assert (desk.tables.view(np.ndarray)[0].tobytes(), desk.hiddens.view(np.ndarray)[0].tobytes()) == before
    assert (one == worlds.sample_winners(desk, 3, len(script) // 2, 0, 50)[0]).all()
    assert name.startswith("trapwords") or len(set(one)) == 1 or (one != other).any()


def test_a_player_who_slips_slips_in_the_odds_too():
    rates = {}
    for name in ("slips", "random", "steady"):
        first = registry.create_player("pig", "steady", mistake_rate=1.0) if name == "slips" else name
        worlds, desk = Determinizer(pig_engine(first, "steady"), 1), Workspace(contract.load_game("pig"))
        worlds.seek(desk, 0, choices(worlds.engine, desk, 1, 0)[0], 0)
        rates[name] = (worlds.sample_winners(desk, 0, 0, 0, 4000)[0] == 1).mean()
    assert rates["slips"] < rates["random"] + 0.03 < 0.3 < rates["steady"]


@pytest.mark.plain
def test_a_world_in_which_the_option_is_not_there_is_left_out():
    asked = blank(ROLLOUT_ARGS)
    asked.view(np.ndarray)["is_forced"], asked.view(np.ndarray)["option"] = 1, 5
    asked.view(np.ndarray)["stop"] = 3
    made = pig_engine()
    worlds, desk = Determinizer(made, 1), Workspace(made.game)
    worlds.seek(desk, 0, np.zeros(4, np.int64), 2)
    found = np.zeros((2, 3), np.int64)
    made.run_rollouts(rollout_kernel, desk, made.game.redeal, asked, *found)
    assert found[0].tolist() == [IMPOSSIBLE] * 3
