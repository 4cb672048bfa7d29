"""Heroes, tiles, Bosses and dens are data: others than the shipped ones can be played, nonsense is refused."""

from __future__ import annotations

import pytest
from invariants import check
from vengeance_case import HE, Case, box_of, luck_of, packed, values

from hardmode.scenarios.load import ScenarioError, create_variant
from hardmode.sim.contract import BadValue
from hardmode.sim.draws import below
from hardmode.sim.games.vengeance import GAME, actions, den, stages, words
from hardmode.sim.games.vengeance.box import read_name
from hardmode.sim.games.vengeance.names import (
    BASIC,
    BOSS,
    OWN_SKILLS,
    ROW_SKILL,
    Action,
    Den,
    FlashAction,
    Kind,
    Minion,
    Objective,
    Power,
    Slot,
    Stage,
    Timing,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.sim.records import Cells

pytestmark = pytest.mark.plain

SKILL = "hero.shadowman.skill."
NINJA = {"hero.ninja.trait": "B_NO_SHOT"}
for _n in range(5):
    NINJA |= {f"hero.ninja.skill.N{_n}.{name}": value for name, value in {
        "label": f"Trick {_n}", "cost": _n, "dice": ["R", "D|G"], "once": False, "timing": "combat",
        "effect": ["MOVE", "HIT"], "focus": 2}.items()}
NINJA |= {f"hero.ninja.item.STAR.{name}": value for name, value in {
    "uses": 2, "timing": "resolution", "modifies": "none", "effect": ["SHOT"]}.items()}


def random_game(case, key=1):
    step = 0
    while case.table.ending < 0:
        options = case.options()
        assert len(set(options)) == len(options)
        at = below(luck_of(key), 0, step, 0, 0, len(options))
        words.option(case.box, case.table, case.hidden.own[0], options[at])
        GAME.take(case.box, case.table, case.hidden, case.luck, options[at])
        check(case.box, case.table, case.hidden)
        step += 1
    words.picture(words.state(case.box, case.table, case.hidden))
    return case


def test_a_hero_with_a_name_five_skills_and_one_item_of_its_own():
    case = Case(**NINJA, **{"setup.heroes": ["ninja"]})
    board = case.board
    assert read_name(case.box.hero_name[board[Slot.HERO]]) == "ninja" and case.box.heroes == 5
    case.board[Slot.XP] = 19
    case.table.kind = Kind.FLASHBACK
    assert {first_of(o) for o in case.options() if verb_of(o) == Verb.SKILL} == set(range(5))
    assert {second_of(o) for o in case.options() if verb_of(o) == Verb.BUY} <= {0}
    for key in range(3):
        random_game(Case(key, **NINJA, **{"setup.heroes": ["ninja"], "house.start_xp": 19}), key)


def test_a_boss_with_a_name_and_a_den_with_a_layout_of_its_own():
    rooms = {f"den.1A.room.room{r}.enemies": ["GN", "TO"] for r in range(4, 11)}
    doors = ["0-1", "1-2", "2-3", *(f"{r - 1}-{r}" for r in range(4, 12)), "0-4"]
    more = {"boss.alien.health": 8, "boss.alien.effect": "B_COUNTER_HIT", "setup.bosses": ["alien"],
            "den.1A.doors": doors, "den.1A.room.room3.enemies": ["HE"], "den.1A.room.room11.enemies": ["GR", "BOSS"],
            "den.1A.room.room3.objective": "O5_HIT_BOSS", "den.1A.previsited": ["room4", "room5"]}
    case = Case(**rooms, **more)
    assert read_name(case.box.boss_name[case.board[Slot.BOSS_CARD]]) == "alien" and case.board[Slot.HEALTH] == 8
    assert case.board[Slot.VISITED] == 0b110001 and case.box.den[case.den, Den.BOSS_ROOM] == 11
    for key in range(2):
        random_game(Case(key, **rooms, **more), key)


def test_any_room_may_be_given_an_objective_and_any_skill_made_passive_or_not():
    """By a scenario, without another box."""
    changed = {"den.1A.room.room2.objective": "O1_KILL", "den.1A.room.room2.of": "GN",
               "den.1A.room.room2.count": 2, "den.1A.room.room2.points": 4,
               SKILL + "SH7.timing": "combat", SKILL + "SH7.dice": ["D", "D"], SKILL + "SH7.effect": ["LEAP"],
               SKILL + "SH7.focus": 2, SKILL + "SH1.timing": "passive", SKILL + "SH1.dice": [],
               SKILL + "SH1.focus": 0, SKILL + "SH1.effect": ["P_LEAP_HIT"]}
    box = create_variant("vengeance", rules=changed).box.view(Cells)[0]
    assert box.den[0][Den.GOAL + 2] == Objective.KILL and box.den[0][Den.GOAL_POINTS + 2] == 4
    assert box.size[ROW_SKILL + 6] == 2 and box.power[ROW_SKILL] == Power.LEAP_HIT


def test_points_of_objectives_are_scaled():
    box = box_of(scale__objective_points=1.5)
    assert [box.den[0, Den.GOAL_POINTS + room] for room in (2, 3)] == [5, 3]  # 4.5 and 3, halves go up


def test_other_dice_and_tracks():
    box = box_of(dice__combat__R=0, dice__combat__D=3, dice__flashback__die2=["COLLECT"] * 6,
                 tracks__standard__loot=[0, 2, 4], tracks__standard__loot_end=9)
    assert sorted(box.die) == [1, 2, 3, 3, 3, 4] and list(box.flashback[1]) == [FlashAction.COLLECT] * 6
    assert box.loot_n == 3 and list(box.loot_track[:4]) == [0, 2, 4, 9]


def test_items_may_be_used_at_the_start_of_combat_or_in_resolution():
    for timing, stage in (("start", Stage.START), ("combat", Stage.MAIN),
                          ("resolution", Stage.RESOLUTION)):
        case = Case(**{"hero.shadowman.item.IT_ROPE.timing": timing})
        case.at_combat(0)
        case.board[Slot.STORED + 3] = 1
        offered = [s for s in (Stage.START, Stage.MAIN, Stage.RESOLUTION)
                   if stages.any_tile(case.box, case.den, case.board, stages.timing_of(s))]
        assert offered == [stage]


def test_a_modifier_does_not_outlast_its_stage():
    """An item that modifies a Resolution tile cannot be used in the next round's combat."""
    changes = {"hero.shadowman.item.IT_ROPE.modifies": "SH8"}
    case = Case(**changes).at_combat(0)
    case.board[Slot.LAST], case.board[Slot.STORED + 3] = 1 + BASIC + 7, 1
    assert stages.any_tile(case.box, case.den, case.board, Timing.COMBAT)
    case.table.stage = Stage.RESOLUTION
    stages.leave_stage(case.box, case.table, 0)
    assert not stages.any_tile(case.box, case.den, case.board, Timing.COMBAT)


def test_an_objective_at_start_wants_its_own_hit():
    goal = {"den.1A.room.start.objective": "O5_HIT_BOSS", "switches.o5_same_time": True}
    case = Case(**goal).at_combat(3)
    case.board[Slot.ALIVE] = 1 << HE
    actions.act(case.box, case.den, case.board, Action.HIT, BOSS)
    assert den.fulfilled(case.box, case.den, case.board, 3) and not den.fulfilled(case.box, case.den, case.board, 0)


def test_long_names_are_told_whole():
    case = Case(**{SKILL + "SH1.label": "The Butterfly of Hong Kong"})
    assert words.tile_name(case.box, case.board, BASIC) == "SH1 The Butterfly of Hong Kong"


@pytest.mark.parametrize(("path", "value", "said"), [
    (SKILL + "SH1.cost", -1, "0 to"), (SKILL + "SH1.focus", 4, "0 to 3"), (SKILL + "SH7.dice", ["R"], "passive"),
    (SKILL + "SH1.dice", ["R"] * 5, "1 to 4"), ("hero.shadowman.item.IT_ROPE.uses", -1, "0 to"),
    ("hero.shadowman.item.IT_ROPE.timing", "passive", "must be one of"),
    ("den.2A.room.room1.loot", -1, "0 to"), ("den.2A.room.room3.objective", "O1_KILL", "must name"),
    ("den.2A.room.room3.objective", "O6_VISIT_N", "how many"), ("den.2A.previsited", ["room20"], "one of start"),
    ("den.2A.room.start.objective", "O2_CLEAR_1TURN", "without minions"), ("den.2A.boss_bonus", [0], "8 numbers"),
    ("den.2A.room.room2.points", -1, "0 to"), ("boss.boss_2.effect", "B_NONSENSE", "one of"),
    ("hero.bruiser.trait", "T_NONE", "one of"), ("house.start_xp", 20, "19 slots"),
])
def test_nonsense_is_refused_by_its_path(path, value, said):
    with pytest.raises(BadValue, match=said) as why:
        box_of(**{path: value})
    assert why.value.path.startswith(path.rpartition(".")[0])


def test_too_many_cards_are_refused():
    skills = {path.replace("N1", "N7"): value for path, value in NINJA.items() if ".N1." in path}
    more = {path.replace("N7", f"M{k}"): value for k in range(4) for path, value in skills.items()}
    with pytest.raises(BadValue, match="1 to 8"):
        box_of(**NINJA, **more)


def test_a_scenario_hears_what_it_did_wrong():
    with pytest.raises(ScenarioError, match=r"den\.1A\.previsited.*one of start, room1"):
        create_variant("vengeance", rules={"den.1A.previsited": ["hall"]})


def test_the_default_dens_are_those_of_the_table():
    """Rooms, doors, minions by type, hit points, loot and objective points of every side."""
    box = create_variant("vengeance").box.view(Cells)[0]
    rows = """1A 9 11 22 2 3 2 11 4 25 6 11;1B 9 12 23 2 4 2 10 5 27 6 10;2A 9 10 21 1 3 2 11 4 24 6 10
              2B 9 12 23 2 4 2 11 4 27 6 9;3A 10 12 23 2 4 2 12 3 27 6 8;3B 9 12 23 2 4 2 12 3 27 6 10
              4A 10 13 22 1 3 2 12 4 25 6 9;4B 9 11 21 1 3 2 11 4 24 6 9;5A 9 11 22 2 3 2 12 3 25 6 10
              5B 10 12 22 2 3 2 12 3 25 6 9""".replace("\n", ";").split(";")
    for number, row in enumerate(rows):
        name, *wanted = row.split()
        side = [int(x) for x in box.den[number]]
        rooms = side[Den.ROOMS]
        doors = sum(side[Den.DOORS + r].bit_count() for r in range(rooms)) // 2
        kinds = [side[Den.OF_KIND + k].bit_count() for k in range(5)]
        loot = sum(side[Den.ICONS_IN + r] for r in range(rooms))
        points = sum(side[Den.GOAL_POINTS + r] for r in range(rooms))
        found = [rooms, doors, sum(kinds), *kinds, sum(kinds) + kinds[Minion.TOUGH], loot, points]
        assert found == [int(x) for x in wanted], name
    far = [box.den[n][Den.STEPS] >> (4 * int(box.den[n][Den.BOSS_ROOM])) & 15 for n in range(10)]
    assert far == [4, 3, 5, 3, 5, 5, 5, 5, 4, 5]


def test_the_default_skills_by_dice_and_cost():
    """Spot checks against the table of skills: dice, cost, effects."""
    read = values()
    assert read[SKILL + "SH4.effect"] == ["HIT", "HIT", "EVADE"] and read[SKILL + "SH4.cost"] == 4
    box = create_variant("vengeance").box.view(Cells)[0]
    ambush = ROW_SKILL + 2 * OWN_SKILLS + 4
    assert box.once[ambush] and list(box.effect[ambush][:3]) == [Action.SHOT] * 3
    assert list(box.filling[ambush][:box.fillings[ambush]]) == [packed("GGR")]
    costs = [int(box.cost[row]) for row in range(ROW_SKILL, ROW_SKILL + 32)]
    assert costs == [2, 3, 3, 4, 3, 3, 4, 3, 2, 3, 4, 5, 3, 4, 4, 3, 2, 3, 4, 5, 4, 4, 4, 3, 2, 3, 3, 4, 4, 3, 3, 4]
