"""A box is held by what plays with it, and by nobody else."""

import gc
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

import hardmode
from hardmode.scenarios.variant import Variant
from hardmode.sim import contract
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.studies.core.run import make_engine

GRID = {"game": "trapwords", "sweep": {"dungeon.rounds": [5, 6, 7, 8]}}


@pytest.mark.plain
def test_a_grid_of_large_boxes_holds_none_until_it_is_played():
    size = contract.load_game("trapwords").box.itemsize
    hardmode.load(GRID)  # what is read once and kept by all
    gc.collect()
    tracemalloc.start()
    scenario = hardmode.load(GRID)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(scenario.cells) == 4 and size > 8_000_000
    assert held < size / 4, "no cell keeps its box"
    assert most < 2 * size, "they are checked one at a time"


@pytest.mark.plain
def test_a_cell_keeps_its_box_while_somebody_holds_it_and_fills_it_alike_again():
    cell = hardmode.variant("pig", players=2, rules={"target": 55})
    box = cell.box
    assert cell.box is box and box.view(np.ndarray)[0].tolist() == (55, 6, 2)
    content = box.tobytes()
    del box
    gc.collect()
    assert cell._box_reference[0]() is None and cell.box.tobytes() == content


@pytest.mark.plain
def test_the_box_of_a_cell_does_not_depend_on_who_asked_before(monkeypatch):
    filled, fill = [], contract.Game.fill_box
    monkeypatch.setattr(contract.Game, "fill_box", lambda game, *more: filled.append(1) or fill(game, *more))
    cell = hardmode.variant("pig", players=2, rules={"target": 55})
    other = replace(cell, title="as it is told")
    assert len(filled) == 1, "it is checked, and nobody holds what was filled for that"
    box, _ = cell.box, other.box
    assert cell.box is box and len(filled) == 3 and box.tobytes() == other.box.tobytes()


def test_playing_a_grid_holds_one_box_at_a_time(monkeypatch):
    scenario, alive = hardmode.load({"game": "pig", "players": 2, "sweep": {"target": [50, 60, 70]}}), []
    fill = Variant.box.fget

    def box(cell):
        filled = fill(cell)
        gc.collect()
        alive.append([bool(c._box_reference) and c._box_reference[0]() is not None for c in scenario.cells])
        return filled

    monkeypatch.setattr(Variant, "box", property(box))
    hardmode.play(scenario, games=50, threads=1)
    assert [[i for i, is_alive in enumerate(now) if is_alive] for now in alive] == [[0], [1], [2]]


@pytest.mark.plain
def test_every_cell_is_checked_before_any_is_played():
    with pytest.raises(ScenarioError, match=r"dungeon\.rounds"):
        hardmode.load({"game": "trapwords", "sweep": {"dungeon.rounds": [5, 99]}})


def test_an_engine_holds_its_box():
    made = make_engine(hardmode.variant("pig", players=2))
    gc.collect()
    assert made.box[0].tolist() == (100, 6, 2)
