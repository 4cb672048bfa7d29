"""Rooms are judged by sets of the ways to turn them; judging each way on its own says the same."""

import numpy as np
from playing import play

from hardmode.scenarios.load import load_scenario
from hardmode.sim.games.run_run_run import explore
from hardmode.sim.games.run_run_run.names import Kind
from hardmode.sim.play.workspace import REAL, Workspace
from hardmode.sim.records import readable
from hardmode.strategies import run_run_run as strategies
from hardmode.studies.core.run import make_engine

GAMES, STEPS = 12, (9, 23, 41)


def positions():
    """Box, table, what the active player knows, and the weights, in the middle of games."""
    made = make_engine(load_scenario("run_run_run/standard", strategies=["veteran"]).cells[0])
    weights, desk = np.array(made.players[0].weights), Workspace(made.game)
    for game in range(GAMES):
        for stop in STEPS:
            play(made, 1, seed=3, first=game, desk=desk, stop_step=stop)
            table = readable(desk.tables, REAL)
            if table.ending < 0 and table.kind == Kind.ACTION:
                yield readable(made.filled_box), table, readable(desk.hiddens, REAL).own[table.active], weights


def masks_of(table, e):
    """The masks that meet each tile beside an edge as it asks for: by looking at each side."""
    near, opens = table.edge_near[e], table.edge_open[e]
    return {mask for mask in range(1, 64) if not (mask ^ opens) & near}


def test_the_best_room_is_the_same_by_sets_and_by_turning_each_card():
    judged, chosen = 0, set()
    for box, table, own, weights in positions():
        assert explore.judged_by_sets(box)
        for e in range(table.edges_n):
            sides = 0 if e % 3 else table.edge_near[e] & ~table.edge_open[e]  # with passages, too
            by_sets = strategies.best_room(box, table, own, e, sides, weights)
            assert by_sets == strategies.best_turning(box, table, own, e, sides, weights)
            judged, chosen = judged + 1, chosen | {by_sets[1]}
    assert judged > 100 and len(chosen) > 20


def test_the_set_of_masks_that_fit_an_edge():
    for _, table, _, _ in positions():
        for e in range(table.edges_n):
            found = explore.matching(table.edge_near[e], table.edge_open[e])
            assert {m for m in range(1, 64) if found >> m - 1 & 1} == masks_of(table, e)


def test_a_room_can_be_laid_with_as_many_passages_as_one_has():
    """By walking the subsets of the sides, as by trying every set of sides."""
    found = set()
    for box, table, own, _ in positions():
        n = min(2, table.hand_n[table.active])  # few cards, so that some edges take none of them
        shapes = explore.hand_shapes(box, own.hand, n)
        for e in range(table.edges_n):
            for passages, sides in ((0, 0), (1, 0), (2, 0), (2, 1 << e % 6), (3, 1 << e % 6)):
                if sides & ~table.edge_near[e]:
                    continue
                every = any(explore.placeable(box, table, own.hand, n, e, more) for more in range(64)
                            if more & ~table.edge_near[e] == 0 and more & sides == sides
                            and explore.sides_in(more) <= passages)
                assert explore.placeable_with(box, table, own.hand, n, e, sides, passages, shapes) == every
                found.add(every)
    assert found == {True, False}
