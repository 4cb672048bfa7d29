"""Every measure of the row, on a table laid by hand whose numbers all differ where the game allows it."""

import numpy as np
import pytest
from woodlands_case import Case

from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.measures import outcome
from hardmode.sim.games.woodlands.names import Ending
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain

COUNTED = {
    "first monster": ("first_foe", 2), "reveal": ("reveal_how", 3), "first downed": ("first_downed", 1),
    "threat": ("threat", 7), "tiles left": ("stack_n", 17), "reveal round": ("shown_round", 101),
    "reveal hearts": ("shown_hp", 102), "reveal orbs": ("shown_orbs", 103), "reveal loot": ("shown_loot", 104),
    "reveal stack": ("shown_stack", 105), "boss fights": ("boss_fights", 106), "boss dice": ("boss_dice", 107),
    "hearts before boss": ("boss_hp_before", 108), "orbs before boss": ("boss_orbs_before", 109),
    "loot drawn": ("loot_drawn", 110), "orbs gained": ("orbs_gained", 111), "orbs: rerolls": ("orbs_reroll", 112),
    "orbs: market": ("orbs_market", 113), "orbs: vortex": ("orbs_vortex", 114), "orbs: raising": ("orbs_raise", 115),
    "orbs: powers": ("orbs_unlock", 116), "hurt by monsters": ("hurt_monster", 117), "hurt by boss": ("hurt_boss", 118),
    "hurt by brambles": ("hurt_bramble", 119), "hurt by poison": ("hurt_poison", 120),
    "hurt by others": ("hurt_other", 121), "raised": ("raised", 122), "turns": ("turns", 123),
    "tiles placed": ("placed", 124), "risky steps": ("risky_steps", 125), "flights": ("flights", 126),
    "events": ("events_drawn", 127), "chests": ("chests_taken", 128), "lairs entered": ("lairs_entered", 129),
    "lairs done": ("lairs_done", 130), "rounds": ("round", 131),
}


def row(c):
    """The row as it stands, by the names of its columns."""
    rows = blank(GAME.row)
    outcome(c.box, c.table, rows[0])
    return dict(zip(GAME.columns, (int(x) for x in np.asarray(rows).view(np.int64)), strict=True))


def test_every_measure_stands_under_its_name():
    c = Case("bethras", "xylia", "klethor", "shavi", setup={"mode": "campaign", "enraged": ["snake", "plant"]})
    table = c.table
    for field, value in COUNTED.values():
        setattr(table, field, value)
    table.ending, table.chapter, table.brambles = Ending.ORBS_LOST, 3, 2
    table.boss, table.boss_shown, table.boss_track, table.bosses_beaten = 5, 1, 10, 1
    for s, (hearts, orbs, powers, falls) in enumerate(((5, 9, 1, 40), (4, 8, 2, 41), (2, 7, 2, 42), (0, 5, 1, 43))):
        table.hp[s], table.orbs[s], table.powers[s], table.falls[s] = hearts, orbs, powers, falls
    c.give(0, "mace", "sword", "axe")
    c.give(1, "mace", "bomb")
    for k in range(5):
        table.won_by[k], table.lost_to[k], table.beaten[k] = 140 + k, 145 + k, (2, 1, 1, 1, 1)[k]
        table.tries_of[k + 1], table.rounds_of[k + 1] = 150 + k, 155 + k
    task = 70 * 6 // 15 + 30
    margin = 4 * 11 + 2 * 29 + 8 * 6 + 4 * 5 + (20 - 10 * 7 // 10) + 3 * task + 500 * 2
    monsters = ("snake", "spirit", "skeleton", "plant", "mushroom")
    expected = {name: value for name, (_, value) in COUNTED.items()}
    expected |= {"ending": Ending.ORBS_LOST, "winners": 0, "chapter": 3, "brambles": 2, "boss": 5, "hearts": 11,
                 "orbs": 29, "downed": 1, "powers": 6, "falls": 166, "loot cards": 5, "threat share": 70, "task": task,
                 "enraged types": 2}
    expected |= {f"score {s}": margin for s in range(1, 5)}
    expected |= {f"hero {s + 1}": hero for s, hero in enumerate((3, 0, 1, 2))}
    expected |= {f"{m} beaten": 140 + k for k, m in enumerate(monsters)}
    expected |= {f"{m} lost to": 145 + k for k, m in enumerate(monsters)}
    expected |= {f"tries at chapter {k + 1}": 150 + k for k in range(5)}
    expected |= {f"rounds in chapter {k + 1}": 155 + k for k in range(5)}
    expected |= {f"finished chapter {k + 1}": k < 2 for k in range(5)}
    assert row(c) == expected


def test_empty_seats_and_a_boss_face_down_have_numbers_of_their_own():
    c = Case("shavi", "klethor")
    seen = row(c)
    assert [seen[f"hero {s}"] for s in range(1, 5)] == [2, 1, -1, -1]
    assert [seen[f"score {s}"] > 0 for s in range(1, 5)] == [True, True, False, False]
    assert (seen["boss"], seen["reveal"], seen["chapter"], seen["task"]) == (6, 0, 0, 0)


@pytest.mark.parametrize("ending", range(len(GAME.all_endings)))
def test_the_party_wins_or_loses_together(ending):
    c = Case("xylia", "klethor", "shavi")
    c.table.ending = ending
    won = GAME.all_endings[ending] in ("boss beaten", "chapter won", "campaign finished")
    assert row(c)["winners"] == (0b111 if won else 0)


def test_a_chapter_is_finished_when_it_is_won_or_lies_behind():
    c = Case("xylia", "klethor", setup={"mode": "chapter 4"})
    assert [row(c)[f"finished chapter {k}"] for k in range(1, 6)] == [0, 0, 0, 0, 0]
    c.table.ending = Ending.CHAPTER_WON
    assert [row(c)[f"finished chapter {k}"] for k in range(1, 6)] == [0, 0, 0, 1, 0] and row(c)["task"] == 100
