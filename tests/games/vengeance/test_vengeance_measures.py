"""A table laid by hand, and the whole row that it leaves: no two measures are alike on it."""

from __future__ import annotations

import numpy as np
import pytest
from vengeance_case import Case, values

from hardmode.sim.contract import Values
from hardmode.sim.games.vengeance import GAME
from hardmode.sim.games.vengeance.names import ITEMS, OWN_SKILLS, SKILLS, Den, Ending, Phase, Slot
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain

ROWS = {"2A": 2, "1A": 0, "5B": 9}  # the dens of the three seats, by their row in the box
BOARDS = {  # what the three boards show
    Slot.HERO: (2, 0, 3), Slot.BOSS_CARD: (4, 8, 1), Slot.DEN: tuple(ROWS.values()),
    Slot.ROOM: (1, 0, 3), Slot.VISITED: (0b111111, 0b111, 0b1111),
    Slot.DAMAGE: (3, 6, 0), Slot.HEALTH: (7, 6, 5), Slot.MARKED_OBJECTIVES: (0b10, 0, 0b1101),
    Slot.LOOT: (7, 4, 5), Slot.XP: (12, 9, 11), Slot.SPENT: (10, 1, 8), Slot.LIFE: (6, 6, 4),
    Slot.WOUNDS: (2, 5, 1), Slot.KO: (1, 0, 2), Slot.OUT: (0, 0, 1),
}
CROSSED = (6, 4, 2)  # minions
COUNTED = {  # what is counted, by its measure
    "throws": "throws", "groups": "groups", "dice used": "dice_used", "dice used in round 1": "dice_used_in_round_1",
    "life dice": "life_dice", "wounds taken": "wounds_taken", "dice lost to W": "dice_lost",
    "phases ended by timer": "ended_by_timer", "phases ended by pool": "ended_by_pool",
    "phases ended stuck": "ended_stuck", "phases ended by choice": "ended_by_choice", "hands stuck": "hands_stuck",
    "time left": "time_left", "time rolled": "time_rolled", "dice left in pool": "pool_left",
    "throw cap hit": "cap_hit",
}
BASIC = ("SPRINT", "STRIKE", "FIRE", "CHARGE")


def laid():
    case = Case(setup__players=3, setup__bosses=["any"], **{"game.exit_points": 7, "game.kill_points": 70})
    case.table.ending, case.table.round = Ending.WON, 4
    case.box.loot_track[:8], case.box.loot_n = [0, 0, 0, 0, 21, 22, 23, 24], 8
    case.box.training_track[:13], case.box.training_n = [0] * 9 + [31, 32, 33, 34], 13
    for seat, row in enumerate(ROWS.values()):
        board, den = case.table.board[seat], case.box.den[row]
        for slot, shown in BOARDS.items():
            board[slot] = shown[seat]
        board[Slot.ALIVE] = den[Den.MINION_MASK] >> CROSSED[seat]  # the last rooms are empty
        den[Den.BOSS_POINTS + board[Slot.DAMAGE]] = (41, 42, 43)[seat]
        den[Den.GOAL_POINTS + 0], den[Den.GOAL_POINTS + 1] = 50, 51
        den[Den.GOAL_POINTS + 2], den[Den.GOAL_POINTS + 3] = 3, 4
        count = case.table.count[seat]
        for number, field in enumerate(COUNTED.values()):
            setattr(count, field, 100 + 10 * number + seat)
        for k in range(OWN_SKILLS):
            count.skill_bought[k] = 300 + 10 * k + seat
        for k in range(SKILLS):
            count.skill_used[k] = 400 + 10 * k + seat
        for k in range(ITEMS):
            count.item_used[k] = 600 + 10 * k + seat
            board[Slot.STORED + k], board[Slot.SPENT_USES + k] = 700 + 10 * k, seat
    return case


def expected():
    """Every measure by its name: one number, or one for each of the three seats."""
    scores = (24 + 34 + 41 + 51 - 7, 21 + 31 + 42 + 70, 0)
    return {
        "score": scores, "score so far": sum(scores), "dice used so far": 120 + 121 + 122,
        "minions crossed so far": sum(CROSSED), "boss wounds so far": 9, "wounds now": 8,
        "hero": (2, 0, 3), "boss": (4, 8, 1), "den": (2, 0, 9),
        "loot points": (24, 21, 22), "training points": (34, 31, 33), "boss points": (41, 42, 43),
        "kill points": (0, 70, 0), "objective points": (51, 0, 57), "exit points": (-7, 0, -14),
        "boss damage": (3, 6, 0), "minions crossed": CROSSED, "rooms visited": (6, 3, 4), "loot boxes": (7, 4, 5),
        "experience": (12, 9, 11), "experience spent": (10, 1, 8), "wounds left": (2, 5, 1), "kos": (1, 0, 2),
        "eliminated": (0, 0, 1), "objectives marked": (1, 0, 3),
        **{f"item {k + 1} bought": (700 + 10 * k, 701 + 10 * k, 702 + 10 * k) for k in range(ITEMS)},
        **{name: (100 + 10 * i, 101 + 10 * i, 102 + 10 * i) for i, name in enumerate(COUNTED)},
        **{f"skill {k + 1} bought": (300 + 10 * k, 301 + 10 * k, 302 + 10 * k) for k in range(OWN_SKILLS)},
        **{f"{name} used": (400 + 10 * k, 401 + 10 * k, 402 + 10 * k) for k, name in enumerate(BASIC)},
        **{f"skill {k + 1} used": (440 + 10 * k, 441 + 10 * k, 442 + 10 * k) for k in range(OWN_SKILLS)},
        **{f"item {k + 1} used": (600 + 10 * k, 601 + 10 * k, 602 + 10 * k) for k in range(ITEMS)},
    }


def by_column(measures):
    """The same by the columns of the row; nobody sits in the fourth seat."""
    columns = {"ending": Ending.WON, "rounds": 4, "winners": 0b010}
    for name, value in measures.items():
        if isinstance(value, tuple):
            nobody = -1 if name in ("hero", "boss", "den") else 0
            columns |= {f"{name} {seat + 1}": number for seat, number in enumerate((*value, nobody))}
        else:
            columns[name] = value
    return columns


def test_every_measure_of_a_table_laid_by_hand():
    case = laid()
    rows = blank(GAME.row)
    for _ in range(2):  # it is written anew after every round
        GAME.outcome(case.box, case.table, rows[0])
    row = rows.view(np.ndarray).view(np.int64).tolist()
    assert dict(zip(GAME.columns, row, strict=True)) == by_column(expected())


def factors(case):
    """The hero, the Boss and the den of each of the four seats, as the row has them now."""
    rows = blank(GAME.row)
    GAME.outcome(case.box, case.table, rows[0])
    row = rows.view(np.ndarray).view(np.int64)
    return [[row[GAME.columns.index(f"{name} {seat}")] for seat in (1, 2, 3, 4)] for name in ("hero", "boss", "den")]


def test_the_row_holds_the_factors_from_the_deal_on():
    case = Case(setup__players=2, setup__heroes=["bruiser", "shadowman"], setup__bosses=["boss_3", "don_zemun"],
                setup__boards=["board1", "board3"], setup__sides=["A", "B"])
    box = Values(values())
    heroes, bosses = list(box.names("hero")), list(box.names("boss"))
    assert case.table.ending < 0 and case.table.round == 1 and factors(case) == [
        [heroes.index("bruiser"), heroes.index("shadowman"), -1, -1],
        [bosses.index("boss_3"), bosses.index("don_zemun"), -1, -1], [0, 5, -1, -1]]


def test_what_is_chosen_at_set_up_is_a_factor_once_it_is_chosen():
    case = Case(setup__players=2, setup__heroes=["choose"] * 2, setup__sides=["choose"] * 2, setup__bosses=["any"],
                setup__boards=["board2", "board4"])
    seen = []
    while case.table.phase == Phase.SETUP:
        seen.append(factors(case))
        GAME.take(case.box, case.table, case.hidden, case.luck, case.options()[-1])
    first, second = case.table.board[0][Slot.HERO], case.table.board[1][Slot.HERO]
    mine, yours = case.table.board[0][Slot.BOSS_CARD], case.table.board[1][Slot.BOSS_CARD]
    empty = [-1, -1]
    assert seen == [
        [[-1, -1, *empty], [-1, -1, *empty], [-1, -1, *empty]],
        [[first, -1, *empty], [-1, -1, *empty], [-1, -1, *empty]],
        [[first, second, *empty], [-1, -1, *empty], [-1, -1, *empty]],
        [[first, second, *empty], [mine, -1, *empty], [3, -1, *empty]],
    ]
    assert factors(case) == [[first, second, *empty], [mine, yours, *empty], [3, 7, *empty]]


def test_no_two_measures_of_that_table_are_alike():
    measures = expected()
    assert {m.name for m in GAME.measures} == set(measures) - {"score"}
    assert len(set(measures.values())) == len(measures)
