"""Every switch changes what it should: the usual reading first, then the other."""

from __future__ import annotations

import pytest
from invariants import check
from test_vengeance_rules import flash, tile_with
from vengeance_case import BO, GN, GR, HE, TO, Case, alive, packed, values

from hardmode.sim.contract import BadValue
from hardmode.sim.draws import below
from hardmode.sim.games.vengeance import (
    GAME,
    actions,
    combat,
    den,
    flashback,
    resolution,
    rolling,
    rounds,
    scoring,
    stages,
)
from hardmode.sim.games.vengeance.names import (
    BASIC,
    BOSS,
    BOSS_BIT,
    SKILLS,
    Action,
    Basic,
    Den,
    Ending,
    Face,
    FlashAction,
    Kind,
    Moment,
    Power,
    Slot,
    Stage,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, second_of, size_of, verb_of
from hardmode.sim.games.vengeance.player_board import focus_marks, in_hand, row_of
from hardmode.sim.games.vengeance.switches import SWITCHES

pytestmark = pytest.mark.plain

SPRINT, STRIKE, FIRE, CHARGE = Basic


def switched(name, value, **more):
    return Case(**{f"switches.{name}": value}, **more)


def both(name, other, usual, **more):
    """A case by the usual reading, one by the other."""
    return switched(name, usual, **more), switched(name, other, **more)


def yes_no(name, **more):
    plain = Case(**more)
    usual = bool(getattr(plain.box, name))
    return plain, switched(name, not usual, **more)


def last_combat(case):
    case.at_combat(0, SPRINT=1)
    case.table.round = case.box.rounds
    alive(case.board, TO, GN, GR)
    case.board[Slot.VISITED] |= 2
    case.take(Verb.END)
    return case


def test_final_resolution():
    full = last_combat(Case())
    assert full.table.kind == Kind.LOOT
    none = last_combat(switched("final_resolution", "no"))
    assert none.table.ending >= 0 and none.board[Slot.LOOT] == 0
    loot = last_combat(switched("final_resolution", "loot_only"))
    assert loot.table.kind == Kind.LOOT
    loot.board[Slot.ROOM] = 1
    loot.board[Slot.ALIVE] |= 1 << HE
    full.board[Slot.ROOM], full.board[Slot.ALIVE] = 1, loot.board[Slot.ALIVE]
    loot.take(Verb.COLLECT)
    full.take(Verb.COLLECT)
    assert (loot.board[Slot.WOUNDS], full.board[Slot.WOUNDS]) == (0, 2)


@pytest.mark.parametrize(("name", "points"), [("end_value", 11), ("last_printed", 9), ("zero", 0)])
def test_full_track(name, points):
    case = switched("full_track", name)
    case.board[Slot.LOOT] = 8
    assert scoring.loot_points(case.box, case.board) == points


def test_spent_xp_scores():
    for case, points in zip(yes_no("spent_xp_scores"), (2, 0), strict=True):
        case.board[Slot.XP], case.board[Slot.SPENT] = 8, 5
        assert scoring.training_points(case.box, case.board) == points


def test_exit_counts_start():
    more = {"den.1A.room.start.enemies": ["HE"]}
    for case, rooms in zip(yes_no("exit_counts_start", **more), (0, 1), strict=True):
        assert den.exit_rooms(case.box, case.den, case.board) == rooms


def test_exit_counts_boss():
    for case, rooms in zip(yes_no("exit_counts_boss"), (1, 0), strict=True):
        alive(case.board)
        case.board[Slot.ROOM] = 3
        assert den.exit_rooms(case.box, case.den, case.board) == rooms


def test_exit_counts_evaded():
    for case, rooms in zip(yes_no("exit_counts_evaded"), (1, 0), strict=True):
        case.board[Slot.ROOM] = 1
        case.board[Slot.EVADED] = 1 << HE | 1 << BO
        resolution.finish_resolution(case.box, case.den, case.board)
        assert den.exit_rooms(case.box, case.den, case.board) == rooms


def test_pool_empty_stops():
    for case, may in zip(yes_no("pool_empty_stops"), (True, False), strict=True):
        case.at_roll("RGKD", pool=0)
        assert (Verb.THROW in case.verbs()) == may
    rung = switched("pool_empty_stops", True, setup__timer="hard").at_roll("RGKD", pool=5)
    rung.at_time(25.0)
    assert Verb.THROW not in rung.verbs()


def test_forced_draw():
    for case, forced in zip(yes_no("forced_draw"), (False, True), strict=True):
        case.at_roll("RRG", pool=5)
        assert (case.verbs() == [Verb.DRAW]) == forced


def test_evaded_grunt_shields():
    for case, exposed in zip(yes_no("evaded_grunt_shields"), (True, False), strict=True):
        case.at_combat(3)
        case.board[Slot.EVADED] = 1 << GR
        assert bool(actions.targets_of(case.box, case.den, case.board, Action.HIT) & BOSS_BIT) == exposed


def test_leap_ignores_start_bouncer():
    for case, free in zip(yes_no("leap_ignores_start_bouncer"), (False, True), strict=True):
        case.at_combat(1)
        assert bool(actions.targets_of(case.box, case.den, case.board, Action.LEAP)) == free
        assert not actions.targets_of(case.box, case.den, case.board, Action.MOVE)


@pytest.mark.parametrize(("name", "lone", "whole"),
                         [("survives_same_phase", 0, 2), ("survives_any", 1, 2), ("lost", 0, 0)])
def test_focus_from_loot(name, lone, whole):
    case = switched("focus_from_loot", name)
    case.board[Slot.FOCUSED] = 1 << (2 * CHARGE)
    resolution.settle_focus(case.box, case.board)
    assert focus_marks(case.board, CHARGE) == lone
    case.board[Slot.FOCUSED] = 2 << (2 * CHARGE)
    resolution.settle_focus(case.box, case.board)
    assert focus_marks(case.board, CHARGE) == whole


@pytest.mark.parametrize(("name", "hands"), [("K_RR_GK", "KRRK GRRK"), ("G_RR_GK", "GRRG GRRK"),
                                             ("R_KK_RG", "KRRK RKDG"), ("R_KK_GK", "RKDG RKDK")])
def test_charge_req(name, hands):
    case = switched("charge_req", name)
    found = [hand for hand in ("KRRK", "GRRG", "GRRK", "RKDG", "RKDK")
             if (Verb.ASSIGN, CHARGE) in pairs(case.at_roll(hand))]
    assert found == hands.split()


def pairs(case):
    return [(verb_of(o), first_of(o)) for o in case.options()]


def test_zemun():
    zemun = {"boss.don_zemun.effect": "B_SHOT_ONLY_GRUNT"}
    for case, targets in zip(both("zemun_target", "any_minion", "grunt", **zemun), (0, 1 << GN), strict=True):
        case.at_combat(1)
        alive(case.board, HE, GN)
        case.board[Slot.GROUPS + FIRE], case.board[Slot.ASSIGNED] = 1, 3
        assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) == targets
        assert (Verb.GROUP in case.verbs()) == bool(targets)


def test_shadow_mode_and_zemun_with_shadowman():
    more = {"boss.don_zemun.effect": "B_SHOT_ONLY_GRUNT", "hero.shadowman.trait": "T_SHOTS_EVADE"}
    for case, stands in zip(both("shadow_mode", "also", "instead", **more), (True, False), strict=True):
        case.at_combat(1)
        assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) == 1 << GR
        actions.act(case.box, case.den, case.board, Action.SHOT, GR)
        assert bool(case.board[Slot.ALIVE] & 1 << GR) == stands
        assert bool(case.board[Slot.EVADED] & 1 << GR) == stands


def test_shadowman_cannot_shoot_the_boss():
    trait = {"hero.shadowman.trait": "T_SHOTS_EVADE"}
    for case, legal in zip(both("shadow_mode", "also", "instead", **trait), (False, True), strict=True):
        case.at_combat(1)
        alive(case.board)
        assert bool(actions.targets_of(case.box, case.den, case.board, Action.SHOT) & BOSS_BIT) == legal


def half_cleared(case):
    """The GUNMAN of room 2 fell in an earlier round, the TOUGH falls now."""
    alive(case.board, HE, BO, TO, GR)
    case.board[Slot.DAWN] = case.board[Slot.ALIVE]
    case.at_combat(2)
    actions.act(case.box, case.den, case.board, Action.KILL, TO)
    return case.board[Slot.MARKED_OBJECTIVES] >> 2 & 1


def test_o2_all_same_round():
    assert [half_cleared(case) for case in yes_no("o2_all_same_round")] == [0, 1]


def test_o2_evade_counts():
    for case, marked in zip(yes_no("o2_evade_counts"), (1, 0), strict=True):
        case.board[Slot.DAWN] = case.board[Slot.ALIVE]
        case.at_combat(2)
        actions.act(case.box, case.den, case.board, Action.EVADE, GN)
        actions.act(case.box, case.den, case.board, Action.KILL, TO)
        assert case.board[Slot.MARKED_OBJECTIVES] >> 2 & 1 == marked


def test_o2_latch():
    for case, marked in zip(both("o2_latch", "any_later_round", "same_round"), (0, 1), strict=True):
        board = case.board
        board[Slot.DAWN] = board[Slot.ALIVE]
        case.at_combat(1)
        for minion in (TO, GN):  # from afar
            actions.cross(board, 1 << minion)
            den.check_objective(case.box, case.den, board, Moment.ACTION)
        board[Slot.DAWN] = board[Slot.ALIVE]  # the next round
        actions.enter(case.box, case.den, board, 2)
        den.check_objective(case.box, case.den, board, Moment.ACTION)
        assert board[Slot.MARKED_OBJECTIVES] >> 2 & 1 == marked


def test_empty_is_cleared():
    for case, icons in zip(yes_no("empty_is_cleared", **{"den.1A.room.room1.enemies": []}), (1, 0), strict=True):
        case.board[Slot.VISITED] |= 2
        assert resolution.loot_icons(case.box, case.den, case.board) == icons


def test_boss_blocks_clear():
    for case, cleared in zip(yes_no("boss_blocks_clear"), (True, False), strict=True):
        case.board[Slot.DAWN] = case.board[Slot.ALIVE]
        alive(case.board)
        assert den.is_cleared(case.box, case.den, case.board, 3) == cleared
        assert den.cleared_at_once(case.box, case.den, case.board, 3) == cleared
        case.board[Slot.DAMAGE] = case.board[Slot.HEALTH]
        assert den.is_cleared(case.box, case.den, case.board, 3)


def test_o6_counts_start():
    goal = {"den.1A.room.room1.objective": "O6_VISIT_N", "den.1A.room.room1.count": 2, "den.1A.room.room1.points": 1}
    for case, marked in zip(yes_no("o6_counts_start", **goal), (1, 0), strict=True):
        actions.act(case.box, case.den, case.board, Action.MOVE, 1)
        assert case.board[Slot.MARKED_OBJECTIVES] >> 1 & 1 == marked


def test_o5_same_time():
    goal = {"den.1A.room.room1.objective": "O5_HIT_BOSS", "den.1A.room.room1.points": 1}
    for case, marked in zip(yes_no("o5_same_time", **goal), (1, 0), strict=True):
        alive(case.board)
        case.at_combat(3)
        actions.act(case.box, case.den, case.board, Action.HIT, BOSS)
        actions.act(case.box, case.den, case.board, Action.MOVE, 1)
        assert case.board[Slot.MARKED_OBJECTIVES] >> 1 & 1 == marked


@pytest.mark.parametrize(("name", "by_care", "at_end"),
                         [("always", 1, 1), ("combat_only", 0, 0), ("end_of_phase", 0, 1)])
def test_obj_check(name, by_care, at_end):
    goal = {"den.1A.room.room1.objective": "O3_LIFE6", "den.1A.room.room1.points": 1}
    case = flash(switched("obj_check", name, **goal), "CARE TRAIN")
    case.board[Slot.ROOM], case.board[Slot.LIFE] = 1, 5
    case.take(Verb.SLOT)
    assert case.board[Slot.MARKED_OBJECTIVES] >> 1 & 1 == by_care
    rounds.end_flashback(case.box, case.table, case.hidden, case.luck)
    assert case.board[Slot.MARKED_OBJECTIVES] >> 1 & 1 == at_end


def test_allow_null_use():
    for case, offered in zip(yes_no("allow_null_use"), (False, True), strict=True):
        case.at_combat(0, STRIKE=1)
        assert (Verb.GROUP in case.verbs()) == offered


def test_optional_actions():
    for case, asked in zip(yes_no("optional_actions"), (False, True), strict=True):
        case.at_combat(1)
        alive(case.board, HE)
        tile_with(case, Action.HIT, Action.WOUND)
        combat.choices(case.box, case.den, case.board)
        assert bool(case.board[Slot.TILE]) == asked and case.board[Slot.WOUNDS] == (0 if asked else 1)
        if asked:
            case.table.kind = Kind.TARGET
            assert case.verbs() == [Verb.AT, Verb.DECLINE]
            combat.pass_step(case.board)
            assert combat.choices(case.box, case.den, case.board) == 0 and case.board[Slot.WOUNDS] == 0


def test_wound_full():
    for case, struck in zip(both("wound_full", "ignored", "ends_tile"), (0, 1), strict=True):
        case.at_combat(1)
        alive(case.board, HE)
        case.board[Slot.WOUNDS] = 3
        tile_with(case, Action.WOUND, Action.HIT)
        combat.choices(case.box, case.den, case.board)
        assert (case.board[Slot.ALIVE] == 0) == struck


def test_heal_none():
    for case, struck in zip(both("heal_none", "skip", "ends_tile"), (0, 1), strict=True):
        case.at_combat(1)
        alive(case.board, HE)
        tile_with(case, Action.HEAL, Action.HIT)
        combat.choices(case.box, case.den, case.board)
        assert (case.board[Slot.ALIVE] == 0) == struck


def test_focused_strike_hits():
    for case, hits in zip(both("focused_strike_hits", 2, 1), (1, 2), strict=True):
        case.board[Slot.FOCUSED] = 1 << (2 * STRIKE)
        combat.begin_use(case.box, case.board, STRIKE, Verb.FOCUSED)
        assert case.board[Slot.LIMIT] == hits


def test_ko_immediate():
    for case, kos in zip(yes_no("ko_immediate"), (0, 1), strict=True):
        case.board[Slot.LIFE_DICE] = 3
        stages.wound_life_dice(case.box, case.table, case.board)
        assert case.board[Slot.KO] == kos


def test_ko_blocks_focus4():
    for case, ready in zip(yes_no("ko_blocks_focus4"), (True, False), strict=True):
        case.board[Slot.FOCUSED] = 2 << (2 * CHARGE)
        case.board[Slot.KO] = 1
        assert combat.focus_ready(case.box, case.board, CHARGE, CHARGE) == ready


def test_eliminated_score():
    for case, points in zip(both("eliminated_score", "current", "none"), (0, 3), strict=True):
        case.board[Slot.LOOT], case.board[Slot.OUT] = 3, 1
        assert scoring.score(case.box, case.den, case.board) == points
        assert scoring.ending_of(case.box, case.table) == Ending.ELIMINATED


def test_unlock_throw():
    for case, thrown in zip(both("unlock_throw", "immediate", "joins"), (0, 1), strict=True):
        case.at_roll("RRWG")
        throws = case.board[Slot.THROW]
        case.take(Verb.ASSIGN, SPRINT)
        case.take(Verb.UNLOCK)
        assert case.board[Slot.THROW] - throws == thrown
        assert case.board[Slot.FRESH] == 1 - thrown


def test_unlocked_w_placeable():
    for case, may in zip(yes_no("unlocked_w_placeable"), (False, True), strict=True):
        case.at_roll("RRWG")
        case.take(Verb.ASSIGN, SPRINT)
        case.take(Verb.UNLOCK)
        assert (Verb.LIFE in case.verbs()) == may
        kept = [second_of(o) for o in case.options() if verb_of(o) == Verb.THROW]
        assert kept == [0, packed("G")]  # it must be thrown all the same


def test_unlock_bankable():
    for case, banked in zip(yes_no("unlock_bankable"), (0, 1), strict=True):
        case.at_roll("RRGG")
        case.take(Verb.ASSIGN, SPRINT)
        assert case.board[Slot.BANKED] == banked
        case.deal("GW")
        case.table.kind = Kind.ROLL
        assert (Verb.UNLOCK in case.verbs()) == banked


def test_collect_mode():
    for case, legal in zip(both("collect_mode", "rooms", "track"), (True, False), strict=True):
        flash(case, "COLLECT", 0)
        assert (Verb.COLLECT in case.verbs()) == legal
    rooms = flash(switched("collect_mode", "rooms"), "COLLECT", 0)
    alive(rooms.board)
    rooms.board[Slot.VISITED] |= 0b110
    assert resolution.loot_icons(rooms.box, rooms.den, rooms.board) == 0
    rooms.take(Verb.COLLECT)
    assert rooms.board[Slot.LOOT] == 2 and rooms.board[Slot.TAKEN] == 0b110


def test_added_count():
    more = {"boss.don_zemun.effect": "B_ADD_GUNMAN_ADJ"}
    for case, cleared in zip(yes_no("added_count", **more), (False, True), strict=True):
        added = case.box.den[case.den, Den.MINION_MASK] & ~case.box.den[case.den, Den.PRINTED]
        case.board[Slot.ALIVE] = added
        assert den.is_cleared(case.box, case.den, case.board, 1) == cleared


def test_flashback_shared():
    seats = {"setup__players": 2, "setup__heroes": ["shadowman", "bruiser"], "setup__boards": ["board1", "board2"],
             "setup__bosses": ["don_zemun", "boss_2"]}
    for shared in (True, False):
        alike = []
        for key in range(5):
            case = Case(key, **{"switches.flashback_shared": shared}, **seats)
            faces = [[case.table.board[s][Slot.FLASH + i] for i in range(5)] for s in range(2)]
            alike.append(faces[0] == faces[1])
        assert all(alike) == shared


def test_leap_return():
    for case, may in zip(yes_no("leap_return"), (1, 0), strict=True):
        assert actions.targets_of(case.box, case.den, case.board, Action.LEAP) & 1 == may


def test_draw_deadline():
    for case, dice in zip(both("draw_deadline", "end", "start", setup__timer="hard"), (2, 0), strict=True):
        case.at_roll("GK", pool=8)
        case.at_time(24.99)
        case.take(Verb.DRAW)
        assert case.board[Slot.FRESH] == dice and case.table.pool == 8 - dice


def test_focus_resolution_skill():
    for case, kept in zip(both("focus_resolution_skill", "kept_to_step4", "lost"), (0, 2), strict=True):
        vanish = BASIC + 7
        case.board[Slot.OWNED], case.board[Slot.FOCUSED] = 1 << 7, 2 << (2 * vanish) | 1
        resolution.clean_focus(case.box, case.board)
        assert focus_marks(case.board, vanish) == kept and focus_marks(case.board, SPRINT) == 0
        resolution.settle_focus(case.box, case.board)
        assert case.board[Slot.FOCUSED] == 0


def test_a_last_slot_is_no_part_of_a_training_of_one():
    trait = {"hero.shadowman.trait": "T_TRAIN_LESS"}
    case = switched("train_partial", False, **trait)
    case.board[Slot.XP] = 18
    assert flashback.can_train(case.box, case.board, FlashAction.TRAIN)
    case.board[Slot.TRAINED] = 1
    assert not flashback.can_train(case.box, case.board, FlashAction.TRAIN)


def test_train_partial():
    for case, may in zip(yes_no("train_partial"), (True, False), strict=True):
        case.board[Slot.XP] = 18
        assert flashback.can_train(case.box, case.board, FlashAction.TRAIN) == may
        case.board[Slot.XP] = 19
        assert not flashback.can_train(case.box, case.board, FlashAction.TRAIN)


def test_once_partial_focus_blocks():
    smoke = BASIC + 4
    for case, may in zip(yes_no("once_partial_focus_blocks"), (True, False), strict=True):
        case.board[Slot.OWNED], case.board[Slot.FOCUSED] = 1 << 4, 1 << (2 * smoke)
        assert rolling.takes_group(case.box, case.board, smoke, row_of(case.board, smoke)) == may


def test_unlock_all_on_assign():
    for case, locked in zip(yes_no("unlock_all_on_assign"), (2, 0), strict=True):
        case.at_roll("RRWW")
        case.take(Verb.ASSIGN, SPRINT)
        assert case.board[Slot.LOCKED] == locked


def test_no_lock():
    for case, locked in zip(yes_no("no_lock"), (1, 0), strict=True):
        case.deal("")
        rolling.show(case.box, case.board, Face.WOUND)
        assert case.board[Slot.LOCKED] == locked and in_hand(case.board) == 1
    free = switched("no_lock", True).at_roll("G")
    rolling.show(free.box, free.board, Face.WOUND)
    kept = [second_of(o) for o in free.options() if verb_of(o) == Verb.THROW]
    assert kept == [0, packed("G"), rolling.FREE_W] and Verb.LIFE in free.verbs()


def test_boss_choice():
    case = switched("boss_choice", True, setup__bosses=["any"])
    assert case.table.kind == Kind.BOSS and len(set(case.options())) == 2
    pick = first_of(case.options()[1])
    case.take(Verb.BOSS, pick)
    assert case.board[Slot.BOSS_CARD] == pick


def test_side_after_boss():
    for case, known in zip(yes_no("side_after_boss", setup__sides=["choose"]), (False, True), strict=True):
        assert case.table.kind == Kind.SIDE and (case.board[Slot.BOSS_CARD] >= 0) == known


# --- modifiers, and whose wounds they were -------------------------------------------------------


def test_several_modifiers():
    """After one STRIKE a first KNUCKLE may be used, and by the other reading a second."""
    knuckle = {"hero.shadowman.item.IT_KNIFE.modifies": "STRIKE", "hero.shadowman.item.IT_KNIFE.effect": ["HIT"],
               "den.1A.room.room1.enemies": ["HE"] * 4}
    for case, uses in zip(yes_no("several_modifiers", **knuckle), (1, 2), strict=True):
        case.at_combat(1, STRIKE=1)
        case.board[Slot.STORED] = 2
        assert Verb.ITEM not in case.verbs()
        case.take(Verb.GROUP)
        for _ in range(uses):
            case.take(Verb.ITEM)
        assert case.table.stage != Stage.MAIN or Verb.ITEM not in case.verbs()
        assert case.board[Slot.STORED] == 2 - uses
        assert size_of(case.board[Slot.ALIVE] & case.box.den[case.den, Den.INSIDE + 1]) == 3 - uses


def test_an_item_that_modifies_nothing_ends_the_modifying():
    changes = {"hero.shadowman.item.IT_KNIFE.modifies": "STRIKE", "hero.shadowman.item.IT_KNIFE.effect": ["HIT"],
               "den.1A.room.room1.enemies": ["HE"] * 4, "switches.several_modifiers": True}
    case = Case(**changes).at_combat(1, STRIKE=1, SPRINT=1)
    case.board[Slot.STORED], case.board[Slot.STORED + 1] = 2, 1
    case.take(Verb.GROUP, STRIKE)
    case.take(Verb.ITEM, SKILLS)
    case.take(Verb.ITEM, SKILLS + 1)
    assert (Verb.ITEM, SKILLS) not in [(verb_of(o), first_of(o)) for o in case.options()]


@pytest.mark.parametrize(("slots", "first", "last"), [(1, 1, 0), (2, 1, 1), (3, 1, 1)])
def test_gun_wounds(slots, first, last):
    """A HENCHMAN and a GUNMAN wound; where only one slot is free it is the one's wound or the other's."""
    rooms = {"den.1A.room.room1.enemies": ["HE"], "den.1A.room.room2.enemies": ["GN"]}
    for case, cleaned in zip(both("gun_wounds", "last", "first", **rooms), (first, last), strict=True):
        case.at_combat(1)
        alive(case.board, 0, 1)
        case.board[Slot.WOUNDS] = case.board[Slot.LIFE] - slots
        assert resolution.take_wounds(case.box, case.den, case.board) == min(slots, 2)
        assert case.board[Slot.GUN_WOUNDS] == cleaned



ALTERNATIVES = [(name, choice) for name, choices in SWITCHES.items()
                for choice in (choices.labels() if choices else (True, False))]
HOUSE = [("house.start_xp", 5), ("house.start_focus", 4), ("house.multi_timer", 12.0), ("house.pool_per_player", 9),
         ("game.rounds", 2), ("game.hand", 6), ("game.train_slots", 3), ("game.care_cleans", 1),
         ("game.skill_limit", 3), ("game.tough_hits", 1), ("game.exit_points", 3), ("life.base", 5),
         ("life.ko_slots", 1)]


@pytest.mark.parametrize(("path", "value"), [*((f"switches.{name}", value) for name, value in ALTERNATIVES), *HOUSE])
def test_a_game_of_two_by_every_reading(path, value):
    """A random game to its end, what must hold held at every step."""
    case = Case(3, **{path: value, "setup.players": 2, "setup.heroes": ["choose", "any"], "setup.boards": ["any"],
                      "setup.sides": ["choose", "any"], "setup.bosses": ["any"], "time.throw_cap": 40})
    step = 0
    while case.table.ending < 0:
        options = case.options()
        assert len(set(options)) == len(options) > 0
        picked = options[below(case.luck, 99, step, 0, 0, len(options))]
        GAME.take(case.box, case.table, case.hidden, case.luck, picked)
        check(case.box, case.table, case.hidden)
        step += 1


# --- traits, passive skills, Boss effects --------------------------------------------------------


def test_bruiser_cleans_one_wound():
    case = flash(Case(**{"hero.shadowman.trait": "T_HEAL_ONE"}), "CARE")
    case.board[Slot.WOUNDS] = 2
    case.take(Verb.CLEAN)
    assert case.board[Slot.WOUNDS] == 1


def test_acrobat_trains_less_once():
    case = flash(Case(**{"hero.shadowman.trait": "T_TRAIN_LESS"}), "TRAIN TRAIN")
    case.take(Verb.TRAIN)
    case.take(Verb.TRAIN)
    assert case.board[Slot.XP] == 3


@pytest.mark.parametrize(("changes", "room", "wounds"), [
    ({"hero.shadowman.trait": "T_CROWD_WOUND"}, 1, 0),
    ({"hero.shadowman.trait": "T_CROWD_WOUND", "den.1A.room.room1.enemies": ["HE", "HE", "BO"]}, 1, 1),
    ({"boss.don_zemun.effect": "B_ENTRY_WOUND"}, 1, 0),
    ({"boss.don_zemun.effect": "B_ENTRY_WOUND"}, 2, 1),
])
def test_wounds_of_entering(changes, room, wounds):
    case = Case(**changes)
    actions.enter(case.box, case.den, case.board, room)
    assert case.board[Slot.WOUNDS] == wounds


def test_heroes_without_their_malus():
    assert list(Case(house__traits=False).box.trait[:4]) == [0] * 4
    assert all(Case(**{"hero.shadowman.trait": "T_HEAL_ONE"}).box.trait[:4])


def test_counter_hit():
    case = Case(**{"boss.don_zemun.effect": "B_COUNTER_HIT"}).at_combat(3)
    actions.act(case.box, case.den, case.board, Action.HIT, BOSS)
    actions.act(case.box, case.den, case.board, Action.SHOT, BOSS)
    assert (case.board[Slot.WOUNDS], case.board[Slot.DAMAGE]) == (1, 2)


def test_no_shot_at_the_boss():
    case = Case(**{"boss.don_zemun.effect": "B_NO_SHOT"}).at_combat(1)
    alive(case.board)
    assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) == 0


def test_start_wound_and_no_bonus_focus():
    assert Case(**{"boss.don_zemun.effect": "B_START_WOUND"}).board[Slot.WOUNDS] == 1
    case = flash(Case(**{"boss.don_zemun.effect": "B_NO_BONUS_ANTICIPATE"}), "FOCUS")
    sources = {first_of(o) for o in case.options() if verb_of(o) == Verb.FOCUS}
    assert sources == {FlashAction.FOCUS}


@pytest.mark.parametrize(("effect", "added"), [("B_ADD_HENCHMAN_ADJ", 2), ("B_ADD_GRUNT", 1), ("B_ADD_GUNMAN_ADJ", 1)])
def test_additions(effect, added):
    plain, more = Case(), Case(**{"boss.don_zemun.effect": effect})
    masks = [case.box.den[case.den, Den.MINION_MASK] for case in (plain, more)]
    assert size_of(masks[1]) - size_of(masks[0]) == added and size_of(more.board[Slot.ALIVE]) == 5 + added


def test_passive_skills():
    case = Case().at_combat(1)
    case.board[Slot.POWER] = Power.IGNORE_BOUNCER
    assert actions.targets_of(case.box, case.den, case.board, Action.MOVE)
    case.board[Slot.POWER] = Power.TOUGH_ONE_HIT
    actions.act(case.box, case.den, case.board, Action.HIT, TO)
    assert not case.board[Slot.ALIVE] & 1 << TO
    case.board[Slot.POWER] = Power.SHOOT_OWN_ROOM
    assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) & 1 << HE
    case = Case().at_combat(0)
    case.board[Slot.POWER] = Power.LEAP_HIT
    alive(case.board, GR)
    tile_with(case, Action.LEAP)
    combat.choices(case.box, case.den, case.board)
    combat.resolve_step(case.box, case.den, case.board, Action.LEAP, 3)
    combat.choices(case.box, case.den, case.board)
    assert case.board[Slot.ALIVE] == 0


def test_vanish_cleans_what_gunmen_did():
    case = Case()
    case.board[Slot.ROOM] = 1
    resolution.take_wounds(case.box, case.den, case.board)
    assert (case.board[Slot.WOUNDS], case.board[Slot.GUN_WOUNDS]) == (2, 1)
    actions.act(case.box, case.den, case.board, Action.NO_GUNMAN, 0)
    assert case.board[Slot.WOUNDS] == 1
    assert not actions.resolvable(case.box, case.den, case.board, Action.NO_GUNMAN)  # what the HENCHMAN did stays


# --- boxes that cannot be ------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "value"), [
    ("boss.don_zemun.health", 0), ("boss.don_zemun.health", 9), ("dice.combat.R", 3),
    ("den.1A.doors", ["0-1", "2-3"]), ("den.1A.doors", ["0-9"]), ("den.1A.room.room3.enemies", ["BOSS"]),
    ("den.1A.room.room3.enemies", ["GR"]), ("hero.bruiser.skill.BR1.dice", ["X"]),
    ("hero.bruiser.skill.BR1.dice", []), ("hero.bruiser.skill.BR1.effect", ["JUMP"]),
    ("setup.heroes", ["nobody"]), ("dice.flashback.die1", ["TRAIN"]), ("tracks.standard.boss", [1]),
])
def test_what_cannot_be_played_is_refused(path, value):
    with pytest.raises(BadValue) as why:
        Case(**{path: value})
    assert why.value.path.startswith(path.rsplit(".", 1)[0].removesuffix(".room3"))


def test_two_seats_cannot_share_a_card():
    with pytest.raises(BadValue):
        Case(setup__players=2, setup__heroes=["bruiser", "bruiser"], setup__boards=["board1", "board2"])


def test_the_small_den_is_a_den():
    assert values()["den.1A.doors"] == ["0-1", "1-2", "2-3", "1-3"]
