"""What lies in the box: how often each piece is met, held against what games wrote down, and what it is without it."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import WINNERS, discovery
from hardmode.sim.games.woodlands.labels import USES
from hardmode.sim.games.woodlands.names import CardPlace, Verb
from hardmode.sim.names import read_name
from hardmode.sim.pieces import Over
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.sim.replay import row_words
from hardmode.studies.choices import components
from hardmode.studies.core.run import make_engine

TOYS = Path(__file__).parent / "toys"
STANDARD = ("run_run_run/standard", "woodlands/classic", "vengeance/solo-medium", "trapwords/standard")


def only(fates, start):
    return {name.removeprefix(start) for name in fates if name.startswith(start)}


def run_run_run(fates, row, told):
    assert only(fates, "setup.heroes: ") == {h for h in told["hero"] if h}
    assert any(fates[n] for n in fates if n.startswith("setup.boss")) == (row["boss reached"] > 0)
    assert bool(only(fates, "tokens.")) == (row["tokens drawn"] > 0) and ("tokens.trap" in fates) == (row["traps"] > 0)
    laid = [n for n in fates if n.startswith("rooms with") and "exit" in n and fates[n]]
    assert bool(laid) == (row["rooms placed"] > 0) and len(laid) <= row["rooms placed"]


def woodlands(fates, row, told):
    assert only(fates, "setup.heroes: ") == {h for h in told["hero"] if h}
    assert only(fates, "setup.boss: ") == {told["boss"].replace(" ", "_")} - {"not_revealed"}
    assert bool(only(fates, "event.")) == (row["events"] > 0) and len(only(fates, "event.")) <= row["events"]
    assert len(only(fates, "loot.")) <= row["loot drawn"] + 6  # with what the merchants laid out
    for monster in only(fates, "monster."):
        assert fates[f"monster.{monster}"] == (row[f"{monster} beaten"] + row[f"{monster} lost to"] > 0)


def vengeance(fates, row, told):
    assert only(fates, "setup.heroes: ") == {told["hero"][0]}
    boss = told["boss"][0].replace(" ", "_")
    assert only(fates, "setup.bosses: ") == {boss} and fates[f"setup.bosses: {boss}"] == (row["boss damage 1"] > 0)
    assert len(only(fates, "setup.boards: ")) == len(only(fates, "setup.sides: ")) == 1


def trapwords(fates, row, told):
    assert only(fates, "setup.monster: ") == {told["monster"]}
    assert fates[f"setup.monster: {told['monster']}"] == (row["attempts at the monster 1"]
                                                          + row["attempts at the monster 2"] > 0)
    at_work = {told[f"{which} curse"].replace(" ", "_") for which in ("first", "second")} - {"none"}
    assert at_work <= {c for c in only(fates, "curse.") if fates[f"curse.{c}"]}


HELD = dict(zip(STANDARD, (run_run_run, woodlands, vengeance, trapwords), strict=True))


@pytest.mark.parametrize("name", STANDARD)
def test_what_became_of_pieces_is_what_the_game_wrote_down(name):
    cell = load_scenario(name).cells[0]
    own, known = make_engine(cell), {components.get_component_name(n) for n in components.list_components(cell)}
    made, desk, rows = Engine(cell.game, own.filled_box, own.players), Workspace(cell.game), allocate_rows(cell.game, 1)
    for number in range(40):
        fates = components.find_used_components(made, desk, 1, number)
        made.play(Workspace(cell.game), 1, number, number + 1, rows)
        row = dict(zip(cell.game.columns, np.asarray(rows)[:, 0].tolist(), strict=True))
        told = row_words(cell.game, np.asarray(rows)[:, 0], cell.players)
        assert set(fates) <= known
        HELD[name](fates, row, told["measures"])


@pytest.mark.parametrize("name, taken", [("orb_pouch", Verb.POUCH), ("charm", Verb.HERO_REROLL),
                                         ("healing_potion", Verb.HEAL), ("sword", Verb.BETTER_DIE), ("shield", None),
                                         ("mace", ())])
def test_a_card_is_used_by_its_option_or_by_being_held(name, taken):
    """Each by its own option, a permanent one by lying in a hero's bag when the game is over."""
    cell = load_scenario("woodlands/classic").cells[0]
    desk, box = Workspace(cell.game), readable(cell.box)
    make_engine(cell).play(desk, 1, 0, 1, allocate_rows(cell.game, 1))
    table, hidden = readable(desk.tables, REAL), readable(desk.hiddens, REAL)
    kind = [read_name(row) for row in box.loot_name].index(name)
    option = USES + kind if taken is None else taken

    def used(where, *taken):
        for card in range(box.loot_total):
            table.loot_where[card] = where if box.loot_kind[card] == kind else CardPlace.DECK
        found = dict(cell.game.fates(Over(box, table, hidden, set(taken))))
        return found.get(f"loot.{name}")

    assert used(CardPlace.DECK, option or 0) is None and used(CardPlace.STOCK) is False
    assert used(CardPlace.HELD) is (taken == ()) and (taken == () or used(CardPlace.DISCARD, option) is True)


@pytest.mark.parametrize("name", STANDARD)
def test_everything_in_the_box_can_be_taken_out(name):
    cell = load_scenario(name).cells[0]
    for n in components.list_components(cell):
        cell.with_values(n.new_values)


def test_rooms_printed_otherwise_leave_the_others_as_they_are():
    cell = load_scenario("run_run_run/standard").cells[0]
    for n in (n for n in components.list_components(cell) if n.path.startswith("rooms with")):
        box, before = cell.with_values(n.changes).box, cell.box
        assert box["drawn_features"][0] == 0 and box["cards"][0] == before["cards"][0] == 64
        assert box["lit"][0].sum() == before["lit"][0].sum() and (box["hp"][0] == before["hp"][0]).all()
        moved = int((box["exits"][0] != before["exits"][0]).sum())
        assert moved == (0 if "sarcophagus" in n.path else cell.values["rooms.exits"][int(n.path.split()[2]) - 1])


@pytest.fixture
def toys(monkeypatch):
    monkeypatch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))


def test_the_command_tells_how_often_and_both_win_rates(toys):
    """The rose of the toy: by the games themselves, with it and without."""
    done = CliRunner().invoke(app, ["choices", "faults/standard", "--games", "300", "--json"])
    told = {one["path"]: one for one in json.loads(done.stdout)["content"]}
    cell = load_scenario("faults/standard").cells[0]

    def won(c):
        rows = allocate_rows(c.game, 300)
        make_engine(c).play(Workspace(c.game), 1, 0, 300, rows)
        return float((np.asarray(rows)[WINNERS] != 0).mean())

    for path, changes in (("card.rose.copies", {"card.rose.copies": 0}), ("resting", {"rest": 0, "target": 13})):
        assert told[path]["as_it_is"]["rate"] == pytest.approx(won(cell))
        assert told[path]["changed"]["rate"] == pytest.approx(won(cell.with_values(changes)))
    rose = told["card.rose.copies"]
    assert 0 < rose["used"]["rate"] < rose["drawn"]["rate"] < 1 and told["resting"]["drawn"]["rate"] == 1
    assert rose["drawn"]["low"] < rose["drawn"]["rate"] < rose["drawn"]["high"]
