"""Run Run Run!: every field of the row, from tables laid by hand on which no two counts are alike; and what the
page of the rules names."""


import numpy as np
import pytest
from maze_case import Case
from test_run_run_run_rules import road

from hardmode.sim.games.run_run_run import GAME
from hardmode.sim.games.run_run_run.measures import progress
from hardmode.sim.games.run_run_run.names import Boss, Ending, Hero, Mummy, Phase, Verb

pytestmark = pytest.mark.plain

# What the table counts, and the measure that tells it.
COUNTS = {
    "turn": ("turns", 41), "woken": ("mummies woken", 11), "killed": ("mummies killed", 9), "fights": ("fights", 17),
    "dry": ("dark rooms", 12), "torch_mechanisms": ("torch mechanisms", 4), "door_mechanisms": ("door mechanisms", 2),
    "cooperations": ("cooperations", 3), "tokens_drawn": ("tokens drawn", 16), "traps": ("traps", 5),
    "jumps": ("teleports", 7), "fuelled": ("fuel cards", 13), "wounded": ("wounds", 14), "torches": ("torches", 10),
}
HEROES = ["torchbearer", "digger", "brawler"]


def played():
    """Three players, far into a game: 6 Rooms, two mummies, the nearer one 5 steps from the Vault."""
    c = Case(3, setup={"heroes": HEROES})
    road(c, 6)
    c.mummy(Mummy.BRUTE, 5)
    c.mummy(Mummy.DICER, 6)
    for s, n in enumerate((4, 6, 8)):
        c.hand_of(s, n)
    for field, (_, value) in COUNTS.items():
        setattr(c.table, field, value)
    c.table.round, c.table.ending = 15, Ending.VAULT_SNUFFER
    c.table.boss_drawn, c.table.first_woken = 1 + Boss.TWELVE_HEARTS, 1 + Mummy.RUNNER
    c.table.doors = 1  # of 3: two thirds of the 600 thousandths that the mechanisms are worth
    return c


def test_every_measure_of_a_game():
    row = played().row
    assert row == {
        "ending": Ending.VAULT_SNUFFER, "rounds": 15, "winners": 0,
        "score 1": 400, "score 2": 400, "score 3": 400, "score 4": 0,
        "boss": 3, "first woken": 2,
        "hero 1": Hero.TORCHBEARER, "hero 2": Hero.DIGGER, "hero 3": Hero.BRAWLER, "hero 4": -1,
        **dict(COUNTS.values()), "rooms placed": 6, "dark loss": 0, "boss reached": 0, "deck empty": 0,
        "cards in hand": 18, "mummies in play": 2, "nearest mummy": 5}
    assert list(row) == list(GAME.columns)
    counts = [value for _, value in COUNTS.values()] + [6, 18]
    assert len(set(counts)) == len(counts), "two counts alike could be swapped unseen"


@pytest.mark.parametrize(("field", "value", "measure"), [("dark_loss", 1, "dark loss"), ("deck_n", 0, "deck empty")])
def test_what_happens_once_or_never(field, value, measure):
    before, c = played().row, played()
    setattr(c.table, field, value)
    assert c.row == {**before, measure: 1}


@pytest.mark.parametrize(("left", "empty"), [(1, 1), (2, 1), (3, 0)])
def test_the_deck_is_empty_also_where_the_game_ends_at_that_moment(left, empty):
    """A token draws two Rooms at the start of the turn, then a mummy walks into the Vault."""
    c = Case(2, mummy_dice__faces=[1])
    road(c, 3)
    c.mummy(Mummy.DICER, 1)
    c.deck(*(c.card() for _ in range(left)))
    i = c.token("rooms", value=2)
    c.table.active = 0
    c.run(Phase.START).do(Verb.USE, i).go()
    if c.table.ending < 0:
        c.do(Verb.DONE).go()
    assert c.row["ending"] == Ending.VAULT_DICER and c.row["deck empty"] == empty


@pytest.mark.parametrize(("players", "limit", "rounds"), [(1, 3, 3), (2, 3, 2), (2, 4, 2), (3, 6, 2), (3, 7, 3)])
def test_rounds_are_those_that_a_turn_began_also_at_the_limit(players, limit, rounds):
    """The round after the last turn never begins."""
    c = Case(players, limits__turns=limit)
    c.table.turn = 0
    c.take(players - 1)  # who begins does not matter
    while c.table.ending < 0:
        assert c.row["rounds"] == 1 + (c.row["turns"] - 1) // players
        c.take(c.options()[0])
    assert c.row["ending"] == Ending.TURN_LIMIT and c.row["turns"] == limit and c.row["rounds"] == rounds


def test_the_row_once_the_boss_is_out():
    """The Exit Door is no Room; 3 of the Boss's 12 hearts are a quarter of 300 thousandths."""
    c = played()
    c.boss("boss12", 6, hp=9)
    assert c.row == {**played().row, "boss reached": 1, "rooms placed": 5, "mummies in play": 3,
                     **{f"score {s}": 675 for s in (1, 2, 3)}}


def test_the_row_of_a_game_that_is_won():
    c = played()
    c.boss("boss12", 6)
    c.table.at[:] = np.full(5, -1)
    c.table.ending = Ending.WON
    assert c.row == {**played().row, "ending": Ending.WON, "winners": 0b111, "boss reached": 1, "rooms placed": 5,
                     "mummies in play": 0, "nearest mummy": 20, **{f"score {s}": 1000 for s in (1, 2, 3)}}


def test_one_door_and_one_heart_are_worth_as_much_as_many():
    c = played()
    c.boss("boss12", 6, hp=9)
    for doors, closed, done in ((1, 1, 0), (1, 0, 600), (2, 1, 300), (9, 3, 400)):
        c.box.doors, c.table.doors = doors, closed
        assert progress(c.box, c.table) == done + 75
    for hearts, left, done in ((1, 1, 0), (1, 0, 300), (4, 1, 225)):
        c.box.hp[Mummy.BOSS + c.table.boss], c.table.hp[Mummy.BOSS] = hearts, left
        assert progress(c.box, c.table) == 400 + done
