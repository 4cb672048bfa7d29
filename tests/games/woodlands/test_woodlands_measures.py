"""Every measure of the row, on a table laid by hand whose numbers all differ where the game allows it."""

import numpy as np
import pytest
from woodlands_case import Case

from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.measures import BOSS_NAMES, outcome
from hardmode.sim.games.woodlands.names import FACE_UP, Ending
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
    for _ in range(2):  # it is written anew after every round
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


def chapter(number, **fields):
    """Two heroes in a chapter, without orbs, cards and powers, on a forest of six places without monsters."""
    c = Case("xylia", "klethor", setup={"mode": f"chapter {number}"})
    t = c.table
    t.boss_shown, t.places, t.bosses_beaten, t.totems, t.potions = 0, 6, 0, 0, 0
    t.mon_at[:], t.orbs[:], t.powers[:], t.camp[:], t.beaten[:], t.quest_gone[:] = -1, 0, 0, 0, 0, 0
    t.carried[:], t.loot[:] = 0, 0
    for field, value in fields.items():
        if isinstance(value, tuple):
            getattr(t, field)[: len(value)] = value
        else:
            setattr(t, field, value)
    return c


FOUND = [
    (1, {}, 0), (1, {"quest_gone": (1, 1, 1), "potions": 2}, 65), (1, {"quest_gone": (1,) * 8, "potions": 2}, 90),
    (1, {"quest_gone": (0, 0, 0, 0, 0, 0, 0, 1)}, 5), (1, {"quest_gone": (1,), "potions": 1}, 30),
    (2, {"orbs": (3, 4)}, 35), (2, {"orbs": (20, 5)}, 99), (2, {"orbs": (0, 1)}, 5), (2, {"orbs": (12, 7, 9)}, 95),
    (3, {"beaten": (1, 0, 2, 0, 1)}, 28), (3, {"beaten": (1, 0, 2, 0, 1), "bosses_beaten": 1}, 58),
    (3, {"beaten": (5, 5, 5, 5, 5), "bosses_beaten": 2}, 99), (3, {"beaten": (0, 0, 0, 0, 1)}, 7),
    (4, {"camp": (FACE_UP, 0, FACE_UP)}, 50), (4, {"camp": (FACE_UP, FACE_UP, FACE_UP, FACE_UP)}, 99),
    (4, {"camp": (FACE_UP, FACE_UP), "mon_at": (1,)}, 25), (4, {"camp": (0, 0, 0, 0, 0, FACE_UP, FACE_UP)}, 25),
    (5, {"totems": 0b1011}, 72), (5, {"totems": 0b1111}, 96), (5, {}, 0)]


@pytest.mark.parametrize("number, fields, share", FOUND)
def test_the_task_of_a_chapter_is_counted_in_percent(number, fields, share):
    """In chapter 1 it is 5 a marker and 25 a brew, then of 20 orbs, 70 for 10 monsters and 30 for the boss, 25 a camp,
    24 a totem."""
    c = chapter(number, **fields)
    c.box.c2_target[2], c.box.c3_goal[2] = 20, 10
    assert row(c)["task"] == share
    for ending, done in ((Ending.CHAPTER_WON, 100), (Ending.CAMPAIGN_DONE, 100), (Ending.ORBS_LOST, share)):
        c.table.ending = ending
        assert row(c)["task"] == done


def test_a_task_without_a_target_is_nearly_done():
    two, three = chapter(2, orbs=(1,)), chapter(3, beaten=(2,))
    two.box.c2_target[2] = three.box.c3_goal[2] = 0
    assert row(two)["task"] == row(three)["task"] == 99


def test_the_score_adds_up_what_the_party_has():
    c = chapter(5, totems=0b11, orbs=(3, 2), powers=(1, 2), hp=(4, 1))
    assert row(c)["score 1"] == 4 * 5 + 2 * 5 + 8 * 3 + 3 * 48
    c.give(1, "mace", "axe")
    assert row(c)["score 2"] == 4 * 5 + 2 * 5 + 8 * 3 + 4 * 2 + 3 * 48
    c.table.campaign = 1
    assert row(c)["score 1"] == 198 + 8 + 500 * 4
    c.table.boss_shown, c.table.boss_track, c.table.threat = 1, 8, 5
    assert row(c)["score 1"] == 2206 + 20 - 6 and row(c)["threat share"] == 62
    c.table.boss_track, c.table.threat = 0, 1
    assert row(c)["score 1"] == 2206 + 10 and row(c)["threat share"] == 100
    c.table.chapter = 0
    assert row(c)["score 1"] == 4 * 5 + 2 * 5 + 8 * 3 + 8 + 10 and row(c)["task"] == 0


def test_what_is_followed_counts_the_heroes_who_play():
    c = chapter(5, orbs=(3, 2), hp=(0, 6), falls=(2, 1), powers=(1, 0))
    c.table.orbs[2], c.table.hp[2], c.table.falls[2], c.table.powers[2] = 9, 0, 9, 9
    seen = row(c)
    assert [seen[name] for name in ("orbs", "downed", "hearts", "falls", "powers")] == [5, 1, 6, 3, 1]


@pytest.mark.parametrize("boss, shown, told", [(5, 1, 5), (6, 1, 7), (0, 1, 0), (5, 0, 6), (6, 0, 6)])
def test_a_boss_of_ones_own_stands_behind_the_one_not_revealed(boss, shown, told):
    c = Case("xylia", "klethor")
    c.table.boss, c.table.boss_shown = boss, shown
    assert row(c)["boss"] == told and BOSS_NAMES[6] == "not revealed"


def test_chapters_that_lie_behind_are_finished_in_the_campaign_only():
    c = chapter(3)
    assert [row(c)[f"finished chapter {k}"] for k in range(1, 6)] == [0] * 5
    c.table.campaign = 1
    assert [row(c)[f"finished chapter {k}"] for k in range(1, 6)] == [1, 1, 0, 0, 0]
    c.table.ending = Ending.CAMPAIGN_DONE
    assert [row(c)[f"finished chapter {k}"] for k in range(1, 6)] == [1, 1, 1, 0, 0]
