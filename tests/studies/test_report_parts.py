"""The parts of a report: their order follows from what they need, and their budgets from the plan."""

from graphlib import CycleError

import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run.parts import (
    GAME_SHARES,
    SCENARIO_TIME_SHARES,
    SWEEP_TIME_SHARES,
    Part,
    PartBudget,
    order_parts,
)
from hardmode.studies.report_run.runner import PARTS, ReportRunner


def part(name, *needs):
    return Part(name, lambda context, **results: None, needs)


def names(parts):
    return [one.name for one in parts]


def test_each_part_follows_what_it_needs_and_else_stays_where_it_was():
    parts = [part("c", "b"), part("x"), part("b", "a"), part("a"), part("y", "given")]
    assert names(order_parts(parts, ["given"])) == ["x", "a", "b", "c", "y"]
    assert names(order_parts(PARTS, ["precomputed"])) == names(PARTS)
    assert names(order_parts(PARTS[::-1], ["precomputed"]))[0] == "turn_stats"


def test_a_part_without_what_it_needs_is_refused():
    with pytest.raises(ValueError, match="b needs a, which no part of this plan has"):
        order_parts([part("b", "a")])
    with pytest.raises(CycleError):
        order_parts([part("a", "b"), part("b", "a")])


@pytest.mark.parametrize("shares", [SCENARIO_TIME_SHARES, SWEEP_TIME_SHARES])
def test_the_shares_of_a_report_are_all_of_it_and_each_belongs_to_a_part(shares):
    assert sum(shares.values()) == pytest.approx(1.0)
    assert set(shares) <= {share for one in PARTS for share in one.shares}
    assert set(GAME_SHARES) <= {share for one in PARTS for share in one.shares}


def test_only_parts_of_the_plan_are_played():
    runner = ReportRunner(load_scenario("pig/classic"), Effort(100), None, ignore_progress, {"cells": 1.0})
    assert names(runner.parts) == ["speed", "cell_runs", "cells", "ranking", "batch_tallies", "sample_rows",
                                   "setup_factors"]


@pytest.mark.parametrize(("seconds", "variants", "games"), [
    (None, 3, 20_000), (1.0, 1, 1000), (1.0, 3, 200), (0.001, 1, 100), (1000.0, 1, 20_000)])
def test_the_games_of_a_variant_follow_from_time_and_speed(seconds, variants, games):
    budget = PartBudget("setup_choices", Effort(100_000), seconds, 2, ignore_progress)
    assert budget.plan_games_per_variant(variants, 500.0) == games
