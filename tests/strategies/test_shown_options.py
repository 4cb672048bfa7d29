"""A strategy is shown the legal options and nothing beyond: neither old ones nor what lies behind them in memory."""

from dataclasses import replace

import numpy as np
import pytest
from playing import pig_box, play

from hardmode.sim import contract
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player, StrategyError
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.records import PLAIN
from hardmode.strategies import registry

GAMES = 40
HEAD = """import numpy as np
from numpy.lib.stride_tricks import as_strided
def honest(box, table, own, options, n, luck, weights):
    return int(table.turn > 9)
"""
BODIES = [  # each plays like the one above if it is shown exactly n options
    "table.turn > 9 and len(options) == n",
    "table.turn > 9 and options[n:].size == 0",
    "table.turn > 9 and options.sum() == options[:n].sum()",
    "table.turn > 9 and np.argmax(options) == 1",
]
BEYOND = ["options[n]", "options.flat[n]", "options.item(n)", "options.take(n)", "np.take(options, n)",
          "table.score.flat[90]", "table.score.item(90)", "table.score.take(90)"]


def write(folder, body):
    file = folder / "mine.py"
    file.write_text(f"{HEAD}def mine(box, table, own, options, n, luck, weights):\n    return int({body})\n")
    return file


def crowded(*players: Player) -> Engine:
    """Pig, in which there could be many options, and after a search there were."""
    pig = replace(contract.load_game("pig"), max_options=9)
    return Engine(pig, pig_box(target=40), players)


def used_workspace(made: Engine) -> Workspace:
    workspace = Workspace(made.game)
    workspace.lists[:] = 7
    return workspace


SETTINGS = {
    "alone": {},
    "by mistake": {"mistake_rate": 0.4},
    "searching": {"rollout_budget": 12},
    "restricted": {"allowed_labels": (1,)},
}


@pytest.mark.parametrize("plain", [pytest.param(True, marks=pytest.mark.plain), False])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("body", BODIES)
def test_there_are_exactly_n_options(tmp_path, body, setting, plain):
    assert PLAIN == plain
    file = write(tmp_path, body)
    rows = []
    for name in ("honest", "mine"):
        player = replace(registry.create_player("pig", f"{file}:{name}"), **SETTINGS[setting])
        if setting == "by mistake":
            steady = registry.create_player("pig", "steady")
            player = replace(steady, mistake_rate=0.4, mistake_player=player)
        made = crowded(player)
        rows.append(play(made, 1 if PLAIN else GAMES, desk=used_workspace(made)))
    assert (rows[0] == rows[1]).all()


def test_so_it_is_in_rollouts_from_a_position(tmp_path):
    file = write(tmp_path, BODIES[0])
    found = []
    for name in ("honest", "mine"):
        made = crowded(registry.create_player("pig", f"{file}:{name}"))
        worlds, workspace = Determinizer(made, 1), used_workspace(made)
        worlds.seek(workspace, 3, np.zeros(0, np.int64), 4)
        found.append(worlds.sample_winners(workspace, 3, 4, 0, 50))
    assert (np.array(found[0]) == np.array(found[1])).all()


@pytest.mark.parametrize("body", BEYOND)
def test_what_lies_behind_them_cannot_be_read(tmp_path, body):
    with pytest.raises(StrategyError):
        made = crowded(registry.create_player("pig", f"{write(tmp_path, body)}:mine"))
        play(made, 3)


@pytest.mark.parametrize("body", ["options.flat[n]", "[x for x in table.score.flat][0]"])
def test_the_index_that_nobody_checks_is_refused_before_it_plays(tmp_path, body):
    with pytest.raises(StrategyError, match=r"mine.py:6: strategy 'mine' reads by flat, whose index"):
        registry.create_player("pig", f"{write(tmp_path, body)}:mine")


@pytest.mark.parametrize("body", ["as_strided(options, (9,), (8,)).sum()",
                                  "np.lib.stride_tricks.as_strided(options, (9,), (8,)).sum()"])
def test_nor_by_another_view_of_the_memory(tmp_path, body):
    with pytest.raises(StrategyError, match="as_strided"):
        registry.create_player("pig", f"{write(tmp_path, body)}:mine")
