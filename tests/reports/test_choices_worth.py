"""The chapter on what choices are worth: its figures are those of restricted games, played one by one."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardmode.reports.page.chapters import choices_worth
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import WINNERS, discovery
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.report_run import game_flow
from hardmode.studies.report_run.runner import play_report

TOYS = Path(__file__).parents[1] / "studies" / "toys"
GAMES = 400


@pytest.fixture(scope="module")
def surveyed():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
        scenario = load_scenario("faults/standard", ["setup.fault=always"])
        shares = {"cells": 0.5, "option_values": 0.5}
        yield play_report(scenario, Effort(GAMES, threads=1), None, ignore_progress, shares)


def won(cell, games, **player):
    own = make_engine(cell)
    made, rows = (
        Engine(cell.game, own.filled_box, [replace(p, **player) for p in own.players]),
        allocate_rows(cell.game, games),
    )
    made.play(Workspace(cell.game), 1, 0, games, rows)
    return np.asarray(rows)[WINNERS] != 0


def test_what_is_told_is_what_restricted_games_do(surveyed):
    chapter = choices_worth.make_choices_section(surveyed)
    rows = {r["option"]: r for r in next(t for t in chapter.tables if t.name == "choices-worth").rows}
    assert set(rows) == {"press", "rest", "gold"}
    each, cell = GAMES // game_flow.GAMES_PER_RESTRICTED, surveyed.first_cell
    before = won(cell, each)
    without = won(cell, each, allowed_labels=(0, 1, 2))
    assert rows["gold"]["forbidden"].value == pytest.approx(without.mean() - before.mean())
    pressing = won(cell, each, allowed_labels=(0,))
    assert rows["press"]["always"].value == pytest.approx(pressing.mean() - before.mean())
    assert rows["gold"]["forbidden"].high < 0 and rows["gold"]["always"] is None and rows["rest"]["forbidden"] is None
    assert any("without “gold”" in line for line in chapter.sentences)
    content = next(t for t in chapter.tables if t.name == "box-worth").rows
    assert {(r["what"], r["how"]) for r in content} == {("card.rose", "taken out"), ("resting", "idling")}
    for r in content:
        assert r["changed"].value - before.mean() == pytest.approx(r["points"].value) and r["games"] == each
        assert 0 <= r["used"].value <= r["drawn"].value <= 1


def test_without_time_the_chapter_is_left_out(surveyed):
    surveyed.option_values = None
    assert choices_worth.make_choices_section(surveyed) is None
