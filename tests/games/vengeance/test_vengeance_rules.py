"""The rule cases, one by one, on the small den."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from vengeance_case import BO, GN, GR, HE, TO, Case, alive, box_of, packed

from hardmode.sim.games.vengeance import (
    actions,
    combat,
    decisions,
    flashback,
    race,
    resolution,
    rolling,
    rounds,
    scoring,
    stages,
)
from hardmode.sim.games.vengeance.box import fillings_of
from hardmode.sim.games.vengeance.den import exit_rooms, is_cleared
from hardmode.sim.games.vengeance.names import (
    BASIC,
    BOSS,
    BOSS_BIT,
    ITEMS,
    ROW_SKILL,
    Action,
    Basic,
    Den,
    Ending,
    Event,
    Face,
    FlashAction,
    Kind,
    Phase,
    Power,
    Slot,
    Stage,
    Timing,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, holds, lowest, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import hand_cap, in_hand, row_of
from hardmode.sim.games.vengeance.switches import SWITCHES

pytestmark = pytest.mark.plain

SPRINT, STRIKE, FIRE, CHARGE = Basic


def fills(slots: str, hand: str) -> bool:
    return any(holds(packed(hand), group) for group in fillings_of(tuple(slots.split())))


def assigned(case: Case, skill: int) -> None:
    """Assign the first group that fits and let the event end."""
    case.take(Verb.ASSIGN, skill)


def play_tile(case: Case, verb: int, tile: int) -> None:
    case.take(verb, tile)


# --- set-up --------------------------------------------------------------------------------------


def test_the_solo_challenges_mix_freely():
    for pool, timer, target in product(range(3), repeat=3):
        levels = ("easy", "medium", "hard")
        box = box_of(setup__pool=levels[pool], setup__timer=levels[timer], setup__target=levels[target])
        knobs = (20, 16, 12)[pool], (45.0, 30.0, 25.0)[timer], (18, 23, 28)[target]
        assert (box.pool, box.timer, box.target) == knobs
    assert box_of(setup__timer="none").timer < 0


@pytest.mark.parametrize(("players", "pool"), [(2, 24), (3, 35), (4, 46)])
def test_the_pool_of_several_players_and_no_clock(players, pool):
    dealt = ("heroes", "boards", "bosses", "sides")
    several = {"setup__players": players, **{f"setup__{what}": ["any"] for what in dealt}}
    case = Case(**several)
    assert case.box.pool == pool and case.table.pool == pool - 4 * players and case.box.timer < 0
    boards = [case.table.board[s] for s in range(players)]
    for card in (Slot.HERO, Slot.BOSS_CARD):
        assert len({board[card] for board in boards}) == players
    assert len({board[Slot.DEN] % 20 // 2 for board in boards}) == players
    assert box_of(**several, house__pool_per_player=9, house__multi_timer=20.0).pool == 9 * players


def test_a_hero_that_is_taken_cannot_be_chosen():
    case = Case(setup__players=2, setup__heroes=["choose", "bruiser"], setup__boards=["board1", "board2"])
    assert case.table.kind == Kind.HERO
    assert {first_of(o) for o in case.options()} == {0, 2, 3}
    case.take(Verb.HERO, 3)
    assert case.board[Slot.HERO] == 3 and case.board[Slot.POWER] & Power.TRAIN_LESS


def test_the_boss_is_looked_at_after_the_side_is_chosen():
    case = Case(setup__sides=["choose"])
    assert case.table.kind == Kind.SIDE and case.board[Slot.BOSS_CARD] == -1 and case.board[Slot.HEALTH] == 0
    case.take(Verb.SIDE, 1)
    assert case.board[Slot.BOSS_CARD] == 0 and case.board[Slot.HEALTH] == 4 and case.board[Slot.DEN] % 20 == 1


def rule_tables():
    """The rows of the tables of rules and of switches."""
    page = (Path(__file__).parents[3] / "docs/rules/vengeance.md").read_text("utf-8")
    rows = page[page.index("## Rules"):page.index("## Real time")].splitlines()
    return [row.split(" | ") for row in rows if row.startswith("| ") and "---" not in row and "| function |" not in row]



def test_every_switch_has_a_row():
    told = {name for first, *_ in rule_tables() for name in re.findall(r"`(\w+)`", first)}
    assert told == set(SWITCHES) | {"charge_req"}


# --- groups --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "hits"), [("KKD", 2), ("KKK", 1), ("DDD", 2), ("KDD", 2)])
def test_strike_hits_twice_with_a_double(hand, hits):
    case = Case().at_roll(hand)
    assigned(case, STRIKE)
    board = case.board
    assert board[Slot.GROUPS + STRIKE] == 1 and board[Slot.SHARPS + STRIKE] == hits - 1
    verb = Verb.SHARP if hits == 2 else Verb.GROUP
    combat.begin_use(case.box, board, STRIKE, verb)
    assert board[Slot.LIMIT] == hits


def test_a_knife_does_not_fill_a_double():
    assert not fills("D D", "DK") and fills("D D", "DD")


@pytest.mark.parametrize(("hand", "ok"), [("GGG", 1), ("GGK", 1), ("GGD", 1), ("GKK", 0), ("GGR", 0)])
def test_fire(hand, ok):
    assert fills("G G G|K", hand) == ok


@pytest.mark.parametrize(("hand", "ok"), [("KRRG", 1), ("DRRK", 1), ("GRRG", 0), ("KRKK", 0)])
def test_charge(hand, ok):
    assert fills("K R R G|K", hand) == ok
    case = Case().at_roll(hand)
    assert any(verb_of(o) == Verb.ASSIGN and first_of(o) == CHARGE for o in case.options()) == ok


# --- the roll phase ------------------------------------------------------------------------------


def test_a_group_unlocks_one_w_and_makes_room_for_two_dice():
    case = Case().at_roll("RRWW")
    assigned(case, SPRINT)
    assert case.table.kind == Kind.UNLOCK and case.board[Slot.LOCKED] == 2
    case.take(Verb.UNLOCK)
    assert (case.board[Slot.LOCKED], case.board[Slot.FRESH]) == (1, 1)
    pool = case.table.pool
    case.take(Verb.DRAW)
    assert case.table.pool == pool - 2 and case.board[Slot.FRESH] == 3


def test_the_unlock_may_be_left():
    case = Case().at_roll("RRWW")
    assigned(case, SPRINT)
    case.take(Verb.LEAVE)
    assert case.table.kind == Kind.ROLL and case.board[Slot.LOCKED] == 2


def test_a_life_die_unlocks_all_others():
    case = Case().at_roll("WWWG")
    case.take(Verb.LIFE)
    board = case.board
    assert (board[Slot.LIFE_DICE], board[Slot.LOCKED], board[Slot.FRESH]) == (1, 0, 2)
    case.take(Verb.DRAW)
    assert board[Slot.FRESH] == 3 and board[Slot.HAND] == packed("G")
    kept = {second_of(o) for o in case.options() if verb_of(o) == Verb.THROW}
    assert kept == {0, packed("G")}


def test_four_locked_dice_and_no_free_slot_end_the_phase():
    case = Case()
    case.board[Slot.WOUNDS] = 3
    case.at_roll("WWWW")
    case.board[Slot.EVENT], case.board[Slot.AIR] = Event.THROWING, 0
    assert not rolling.can_go_on(case.box, case.table, 0)
    total = case.table.pool + 4
    case.next()
    assert case.table.phase != Phase.ROLL and case.table.count[0].ended_stuck == 1
    assert case.table.count[0].dice_lost == 4
    assert case.table.pool + rolling.in_hand(case.board) == total


def test_locked_dice_left_over_do_not_wound():
    case = Case().at_roll("WWRG")
    before = case.board[Slot.WOUNDS]
    case.take(Verb.STOP)
    assert case.board[Slot.WOUNDS] == before and case.table.count[0].wounds_taken == 0


def test_a_once_skill_takes_one_group_and_none_when_focused():
    case = Case().at_roll("RGRG")
    case.board[Slot.OWNED] = 1 << 4  # Smoke: R G, once
    assigned(case, BASIC + 4)
    case.board[Slot.EVENT] = Event.THROWING
    case.deal("RGRG")
    case.table.kind = Kind.ROLL
    assert (Verb.ASSIGN, BASIC + 4) not in {(verb_of(o), first_of(o)) for o in case.options()}
    case.board[Slot.GROUPS + BASIC + 4] = 0
    assert (Verb.ASSIGN, BASIC + 4) in {(verb_of(o), first_of(o)) for o in case.options()}
    case.board[Slot.FOCUSED] = 2 << (2 * (BASIC + 4))
    assert (Verb.ASSIGN, BASIC + 4) not in {(verb_of(o), first_of(o)) for o in case.options()}
    case.board[Slot.FOCUSED] = 1 << (2 * (BASIC + 4))  # one mark alone bars nothing
    assert (Verb.ASSIGN, BASIC + 4) in {(verb_of(o), first_of(o)) for o in case.options()}


def test_passive_skills_take_no_dice():
    case = Case().at_roll("RRRR")
    case.board[Slot.OWNED] = 1 << 6
    assert {first_of(o) for o in case.options() if verb_of(o) == Verb.ASSIGN} == {SPRINT}


def test_no_draw_starts_at_or_after_the_bell():
    case = Case(setup__pool="hard", setup__timer="hard").at_roll("RRGK", pool=8)
    assert case.box.timer == 25.0 and case.box.pool == 12
    assigned(case, SPRINT)
    case.table.kind = Kind.ROLL
    case.at_time(24.9)
    assert Verb.DRAW in case.verbs()
    case.at_time(25.0)
    verbs = case.verbs()
    assert Verb.DRAW not in verbs and Verb.THROW in verbs


def test_the_first_hand_comes_out_of_the_pool():
    assert Case(setup__pool="hard").table.pool == 8


def test_equal_faces_are_listed_once():
    case = Case().at_roll("RRRG")
    kept = [second_of(o) for o in case.options() if verb_of(o) == Verb.THROW]
    assert len(kept) == len(set(kept)) == 4 * 2 - 1


# --- flashback -----------------------------------------------------------------------------------


def flash(case: Case, faces: str, bonus: int = 1) -> Case:
    for action in range(5):
        case.board[Slot.FLASH + action] = faces.split().count(FlashAction.labels()[action])
    case.board[Slot.BONUS] = bonus
    case.table.phase, case.table.kind, case.table.seat = Phase.FLASHBACK, Kind.FLASHBACK, 0
    return case


def test_focus_makes_a_skill_usable_when_all_slots_are_marked():
    case = flash(Case(), "FOCUS FOCUS FOCUS")
    board = case.board
    board[Slot.OWNED] = 1
    for skill in (STRIKE, CHARGE, BASIC):
        case.take(Verb.FOCUS, FlashAction.FOCUS, skill)
    ready = [combat.focus_ready(case.box, board, s, row_of(board, s)) for s in (STRIKE, CHARGE, BASIC)]
    assert ready == [True, False, False]
    resolution.clean_focus(case.box, board)
    assert board[Slot.FOCUSED] == 0


def test_three_trainings_and_a_tile_of_cost_four():
    case = flash(Case(), "TRAIN TRAIN TRAIN", 0)
    for _ in range(3):
        case.take(Verb.TRAIN)
    case.take(Verb.SKILL, 3)  # Blade flurry costs 4
    assert (case.board[Slot.XP], case.board[Slot.SPENT]) == (6, 4)
    assert scoring.training_points(case.box, case.board) == 1  # six marked: the seventh slot shows 1


def test_a_fifth_skill_replaces_one_that_costs_its_full_price_again():
    case = flash(Case(), "TRAIN")
    board = case.board
    board[Slot.OWNED], board[Slot.XP] = 0b1111, 10
    assert all(second_of(o) > 0 for o in case.options() if verb_of(o) == Verb.SKILL)
    case.take(Verb.SKILL, 4, 1)  # instead of the first
    assert board[Slot.OWNED] == 0b11110 and board[Slot.SPENT] == 3
    case.take(Verb.SKILL, 0, 2)
    assert board[Slot.SPENT] == 5 and board[Slot.OWNED] == 0b11101


def test_a_discarded_tile_loses_its_focus_and_its_power():
    case = flash(Case(), "TRAIN")
    board = case.board
    board[Slot.OWNED], board[Slot.XP] = 0b1110000, 19
    case.take(Verb.SKILL, 0)
    board[Slot.FOCUSED] = 2 << (2 * (BASIC + 6))
    board[Slot.POWER] |= Power.IGNORE_BOUNCER
    case.take(Verb.SKILL, 1, 7)
    assert board[Slot.FOCUSED] == 0 and not board[Slot.POWER] & Power.IGNORE_BOUNCER


def test_the_bonus_action_never_collects():
    case = flash(Case(), "", 1)
    assert Verb.COLLECT not in case.verbs()
    assert {Verb.TRAIN, Verb.BUY, Verb.SLOT, Verb.FOCUS} <= set(case.verbs())


def test_an_impossible_face_may_do_anything_but_collect():
    case = flash(Case(), "BUY", 0)
    for item in range(ITEMS):
        case.board[Slot.STORED + item], case.board[Slot.SPENT_USES + item] = 1, 2
    verbs = set(case.verbs())
    assert Verb.BUY not in verbs and Verb.COLLECT not in verbs and {Verb.TRAIN, Verb.SLOT, Verb.FOCUS} <= verbs


def test_a_possible_face_does_nothing_else():
    assert set(flash(Case(), "BUY", 0).verbs()) == {Verb.BUY}


def test_the_star_collects_or_does_anything_else():
    verbs = set(flash(Case(), "COLLECT", 0).verbs())
    assert {Verb.COLLECT, Verb.TRAIN, Verb.BUY, Verb.SLOT, Verb.FOCUS} == verbs
    case = flash(Case(), "COLLECT", 0)
    case.board[Slot.LOOT] = 8
    assert Verb.COLLECT not in case.verbs()
    case = flash(Case(), "COLLECT", 0)
    case.take(Verb.COLLECT)
    assert case.board[Slot.LOOT] == 1


def test_care_adds_a_slot_or_cleans_up_to_two():
    case = flash(Case(), "CARE CARE CARE")
    case.board[Slot.WOUNDS] = 3
    case.take(Verb.SLOT)
    case.take(Verb.CLEAN)
    assert (case.board[Slot.LIFE], case.board[Slot.WOUNDS]) == (4, 1)
    case.take(Verb.CLEAN)
    assert case.board[Slot.WOUNDS] == 0
    case.board[Slot.LIFE] = 6
    assert Verb.SLOT not in case.verbs()


def test_life_objective_is_marked_in_flashback():
    case = flash(Case(**{"den.1A.room.room1.objective": "O3_LIFE6", "den.1A.room.room1.points": 2}), "CARE CARE CARE")
    case.board[Slot.ROOM] = 1
    for _ in range(2):
        case.take(Verb.SLOT)
    assert case.board[Slot.MARKED_OBJECTIVES] == 0
    case.take(Verb.SLOT)
    assert case.board[Slot.MARKED_OBJECTIVES] == 1 << 1


# --- combat --------------------------------------------------------------------------------------


def test_start_tiles_come_before_the_life_dice():
    case = Case(setup__heroes=["bruiser"])
    board = case.board
    case.at_combat(0, s4=1)  # Second wind: HEAL HEAL at the start of combat
    board[Slot.OWNED], board[Slot.WOUNDS], board[Slot.LIFE_DICE] = 1 << 4, 2, 1
    case.table.stage, case.table.pool = Stage.START, 5
    board[Slot.TILE] = 0
    case.next()
    assert case.table.kind == Kind.TILE and case.table.stage == Stage.START
    combat.begin_use(case.box, board, BASIC + 4, Verb.GROUP)
    board[Slot.LIMIT] = 1  # one HEAL only
    combat.choices(case.box, case.den, board)
    assert board[Slot.WOUNDS] == 1
    case.take(Verb.END)
    assert board[Slot.WOUNDS] == 2 and board[Slot.LIFE_DICE] == 0


def test_an_active_bouncer_blocks_moves():
    case = Case()
    board = case.board
    case.at_combat(1)
    assert actions.targets_of(case.box, case.den, board, Action.MOVE) == 0
    actions.act(case.box, case.den, board, Action.EVADE, BO)
    assert actions.targets_of(case.box, case.den, board, Action.MOVE) == 0b1101
    board[Slot.EVADED] = 0
    actions.cross(board, 1 << BO)
    assert actions.targets_of(case.box, case.den, board, Action.MOVE) == 0b1101


def test_a_leap_passes_without_visiting():
    case = Case()
    case.at_combat(0)
    assert actions.targets_of(case.box, case.den, case.board, Action.LEAP) & 0b1000
    actions.act(case.box, case.den, case.board, Action.LEAP, 3)
    assert case.board[Slot.ROOM] == 3 and case.board[Slot.VISITED] == 0b1001


def test_a_bouncer_blocks_a_leap_from_its_room():
    case = Case()
    case.at_combat(1)
    assert actions.targets_of(case.box, case.den, case.board, Action.LEAP) == 0


def test_a_tough_recovers_unless_crossed_in_one_combat():
    case = Case().at_combat(2)
    board = case.board
    actions.act(case.box, case.den, board, Action.HIT, TO)
    assert board[Slot.DOTTED] == 1 << TO and board[Slot.ALIVE] >> TO & 1
    combat.drop_groups(case.box, board)
    assert board[Slot.DOTTED] == 0
    for _ in range(2):
        actions.act(case.box, case.den, board, Action.HIT, TO)
    assert not board[Slot.ALIVE] >> TO & 1


def test_a_grunt_shields_the_boss_until_crossed_or_evaded():
    case = Case().at_combat(3)
    board, den = case.board, case.den
    assert actions.targets_of(case.box, den, board, Action.HIT) == 1 << GR
    actions.act(case.box, den, board, Action.EVADE, GR)
    assert actions.targets_of(case.box, den, board, Action.HIT) == BOSS_BIT | 1 << GR
    for n in range(4):
        assert actions.targets_of(case.box, den, board, Action.HIT) & BOSS_BIT
        actions.act(case.box, den, board, Action.HIT, BOSS)
        assert board[Slot.DAMAGE] == n + 1
    assert not actions.targets_of(case.box, den, board, Action.HIT) & BOSS_BIT
    assert scoring.boss_points(case.box, den, board) == 4 and scoring.kill_points(case.box, board) == 5
    assert board[Slot.MARKED_OBJECTIVES] >> 3 & 1


def test_kill_crosses_any_minion_at_once_but_never_the_boss():
    case = Case().at_combat(2)
    actions.act(case.box, case.den, case.board, Action.KILL, TO)
    assert not case.board[Slot.ALIVE] >> TO & 1
    case.board[Slot.ROOM] = 3
    assert actions.targets_of(case.box, case.den, case.board, Action.KILL) == 1 << GR


def tile_with(case: Case, *effects: int) -> None:
    """Put a tile with these actions in use."""
    for i, effect in enumerate(effects):
        case.box.effect[ROW_SKILL, i] = effect
    case.box.length[ROW_SKILL] = len(effects)
    case.board[Slot.OWNED], case.board[Slot.GROUPS + BASIC] = 1, 1
    combat.begin_use(case.box, case.board, BASIC, Verb.GROUP)


def test_an_action_that_cannot_be_resolved_ends_the_tile_and_earlier_ones_stand():
    case = Case().at_combat(1)
    alive(case.board, GR)
    tile_with(case, Action.MOVE, Action.HIT)
    mask = combat.choices(case.box, case.den, case.board)
    assert mask == 0b1101
    combat.resolve_step(case.box, case.den, case.board, Action.MOVE, 2)
    assert combat.choices(case.box, case.den, case.board) == 0
    assert case.board[Slot.ROOM] == 2 and case.board[Slot.TILE] == 0


def test_later_actions_are_lost():
    case = Case().at_combat(1)
    alive(case.board, HE)
    tile_with(case, Action.HIT, Action.HIT, Action.WOUND)
    assert combat.choices(case.box, case.den, case.board) == 0
    assert case.board[Slot.ALIVE] == 0 and case.board[Slot.WOUNDS] == 0


def test_a_wound_action_is_not_optional():
    case = Case().at_combat(1)
    alive(case.board, HE)
    tile_with(case, Action.HIT, Action.WOUND)
    combat.choices(case.box, case.den, case.board)
    assert case.board[Slot.WOUNDS] == 1


def test_a_shot_never_hits_the_own_room():
    case = Case().at_combat(1)
    alive(case.board, HE)
    case.board[Slot.DAMAGE] = 4
    assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) == 0
    case.board[Slot.GROUPS + FIRE], case.board[Slot.ASSIGNED] = 1, 3
    assert case.verbs() == [Verb.END]
    alive(case.board, HE, GN)
    assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) == 1 << GN


def test_a_shot_at_the_boss_from_the_next_room():
    case = Case().at_combat(1)
    alive(case.board)
    assert actions.targets_of(case.box, case.den, case.board, Action.SHOT) == BOSS_BIT
    actions.act(case.box, case.den, case.board, Action.SHOT, BOSS)
    assert case.board[Slot.DAMAGE] == 1 and case.board[Slot.STRUCK] == 0


def test_enemies_that_are_alike_are_one_target():
    case = Case(**{"den.1A.room.room1.enemies": ["HE", "HE", "HE", "GN"]}).at_combat(1)
    tile_with(case, Action.HIT)
    case.table.kind = Kind.TARGET
    assert len(case.options()) == 2
    case.board[Slot.EVADED] = 1 << 0
    assert len(case.options()) == 3


def test_an_item_modifies_only_right_after_its_skill():
    case = Case(setup__heroes=["bruiser"]).at_combat(1, STRIKE=1)
    board = case.board
    board[Slot.STORED] = 2  # knuckles: a HIT after STRIKE
    assert Verb.ITEM not in case.verbs()
    case.take(Verb.GROUP, STRIKE)
    case.take(Verb.AT, HE)
    assert Verb.ITEM in case.verbs()
    case.take(Verb.ITEM)
    assert board[Slot.ALIVE] & 0b11 == 0 and (board[Slot.STORED], board[Slot.SPENT_USES]) == (1, 1)
    assert Verb.ITEM not in case.verbs()


def test_dice_go_back_when_a_tile_is_used():
    case = Case().at_combat(0, SPRINT=1)
    case.table.pool = 3
    case.take(Verb.GROUP, SPRINT)
    assert case.board[Slot.ROOM] == 1 and case.table.round == 2
    assert case.table.pool == 3 + 2 - 4  # the next round has taken its hand


def test_a_once_skill_is_used_once_a_round():
    """Also when loot has focused the Resolution skill that a group lies on."""
    vanish = BASIC + 7
    case = Case().at_combat(1, s7=1)
    board = case.board
    board[Slot.OWNED], board[Slot.FOCUSED] = 1 << 7, 2 << (2 * vanish)
    board[Slot.WOUNDS], board[Slot.GUN_WOUNDS], case.table.stage = 2, 2, Stage.RESOLUTION
    assert case.verbs() == [Verb.GROUP, Verb.FOCUSED, Verb.END]
    combat.begin_use(case.box, board, vanish, Verb.GROUP)
    assert not stages.any_tile(case.box, case.den, board, Timing.RESOLUTION)
    rounds.start_round(case.box, case.table, case.luck)
    assert stages.any_tile(case.box, case.den, board, Timing.RESOLUTION)


# --- resolution ----------------------------------------------------------------------------------


def test_wounds_of_resolution():
    case = Case()
    board, den = case.board, case.den
    board[Slot.ROOM] = 1
    assert resolution.incoming_wounds(case.box, den, board) == 2  # HENCHMAN here, GUNMAN next door
    board[Slot.EVADED] = 1 << GN
    assert resolution.incoming_wounds(case.box, den, board) == 1
    board[Slot.EVADED], board[Slot.ROOM] = 0, 3
    assert resolution.incoming_wounds(case.box, den, board) == 2  # Boss here, GUNMAN next door


def test_wounds_of_a_full_room_are_capped_by_the_free_slots():
    case = Case(**{"den.1A.room.room3.enemies": ["GR", "HE", "HE", "GN", "BOSS"],
                   "den.1A.room.room2.enemies": ["GN", "GN"]})
    board, den = case.board, case.den
    board[Slot.ROOM] = 3
    board[Slot.EVADED] = 1 << lowest(case.box.den[den, Den.INSIDE + 2])
    assert resolution.incoming_wounds(case.box, den, board) == 5
    board[Slot.LIFE], board[Slot.WOUNDS] = 4, 1
    assert resolution.take_wounds(case.box, den, board) == 3 and board[Slot.WOUNDS] == 4


def test_a_full_bar_is_a_ko_and_the_second_one_is_the_end():
    case = Case()
    board = case.board
    board[Slot.LIFE], board[Slot.WOUNDS], board[Slot.LIFE_DICE] = 4, 2, 1
    stages.wound_life_dice(case.box, case.table, board)
    board[Slot.ROOM] = 1
    resolution.take_wounds(case.box, case.den, board)
    assert board[Slot.WOUNDS] == 4
    resolution.finish_resolution(case.box, case.den, board)
    assert (board[Slot.WOUNDS], board[Slot.LIFE], board[Slot.KO], board[Slot.OUT]) == (0, 3, 1, 0)
    assert hand_cap(case.box, board) == 3
    board[Slot.WOUNDS] = 3
    resolution.finish_resolution(case.box, case.den, board)
    assert board[Slot.KO] == 2 and board[Slot.OUT] == 1


def killed(case):
    """A tile of the start of combat deals the last wound while dice lie on the board."""
    board = case.at_combat(0, s4=1, SPRINT=2).board
    board[Slot.OWNED], board[Slot.WOUNDS] = 1 << 4, 2
    case.table.stage, case.table.pool = Stage.START, 16 - 6
    case.take(Verb.GROUP, BASIC + 4)
    return case


def test_who_dies_at_the_start_of_combat_gives_the_dice_back():
    case = killed(Case(**{"switches.ko_immediate": True, "life.ko_slots": 1, "setup.heroes": ["bruiser"],
                          "hero.bruiser.skill.BR5.effect": ["WOUND"]}))
    assert case.board[Slot.OUT] and case.table.ending == Ending.ELIMINATED
    assert case.table.pool == 16 and case.board[Slot.ASSIGNED] == 0


def test_wounds_are_counted_through_a_ko():
    case = killed(Case(**{"switches.ko_immediate": True, "setup.heroes": ["bruiser"],
                          "hero.bruiser.skill.BR5.effect": ["WOUND", "WOUND"]}))
    assert (case.board[Slot.KO], case.board[Slot.WOUNDS]) == (1, 1)
    assert case.table.count[0].wounds_taken == 2


def test_an_eliminated_player_sits_out_and_the_others_go_on():
    case = Case(setup__players=2, setup__heroes=["shadowman", "bruiser"], setup__boards=["board1", "board2"])
    out, other = case.table.board[0], case.table.board[1]
    for board in (out, other):
        board[Slot.FRESH] = 0
    case.table.pool = case.box.pool
    out[Slot.OUT], out[Slot.KO], out[Slot.LOOT] = 1, 2, 8
    rounds.start_round(case.box, case.table, case.luck)
    assert out[Slot.FRESH] == 0 and flashback.actions_left(out) == 0 and case.table.pool == case.box.pool - 4
    assert rounds.flash_seat(case.box, case.table) and case.table.seat == 1
    race.start_rolling(case.box, case.table, case.hidden, case.luck)
    assert out[Slot.EVENT] == Event.DONE and other[Slot.EVENT] == Event.THROWING
    assert scoring.score(case.box, case.den, out) == 0 and scoring.winners(case.box, case.table) == 0b10
    other[Slot.OUT] = 1
    assert scoring.ending_of(case.box, case.table) == Ending.NOBODY


def test_loot_of_an_evaded_room_is_taken_once():
    case = Case()
    board, den = case.board, case.den
    board[Slot.VISITED], board[Slot.ROOM] = 0b0011, 0
    alive(board, HE, TO, GN, GR)
    assert resolution.loot_icons(case.box, den, board) == 0
    board[Slot.EVADED] = 1 << HE
    assert resolution.loot_icons(case.box, den, board) == 1
    assert resolution.loot_icons(case.box, den, board) == 0


def test_an_unvisited_room_is_not_looted():
    case = Case()
    alive(case.board)
    case.board[Slot.VISITED] = 1
    assert is_cleared(case.box, case.den, case.board, 1)
    assert resolution.loot_icons(case.box, case.den, case.board) == 0


def test_a_loot_icon_may_do_any_action_but_no_purchase():
    case = Case()
    case.board[Slot.XP] = 10
    case.table.kind = Kind.LOOT
    verbs = set(case.verbs())
    assert {Verb.COLLECT, Verb.TRAIN, Verb.BUY, Verb.SLOT, Verb.FOCUS} == verbs


def test_evaded_minions_come_back():
    case = Case()
    case.board[Slot.EVADED] = 1 << GN
    resolution.finish_resolution(case.box, case.den, case.board)
    assert case.board[Slot.EVADED] == 0


# --- score ---------------------------------------------------------------------------------------


def test_clearing_in_one_round_asks_for_all_minions_in_the_same_round():
    case = Case()
    board = case.board
    board[Slot.DAWN] = board[Slot.ALIVE] & ~(1 << GN)  # the GUNMAN fell earlier
    alive(board, HE, BO, TO, GR)
    case.at_combat(2)
    for _ in range(2):
        actions.act(case.box, case.den, board, Action.HIT, TO)
    assert board[Slot.MARKED_OBJECTIVES] == 0
    board[Slot.ALIVE] |= 1 << TO
    board[Slot.DAWN] |= 1 << GN
    actions.act(case.box, case.den, board, Action.KILL, TO)
    assert board[Slot.MARKED_OBJECTIVES] == 1 << 2


def test_exit_penalty():
    case = Case()
    board = case.board
    board[Slot.ROOM] = 3
    assert exit_rooms(case.box, case.den, board) == 2
    alive(board, TO, GN, GR)
    assert exit_rooms(case.box, case.den, board) == 1
    board[Slot.ROOM] = 0
    assert exit_rooms(case.box, case.den, board) == 0


def test_the_way_out_is_the_cheapest_of_all():
    doors = ["0-1", "1-4", "0-2", "2-3", "3-5", "5-4"]
    rooms = {f"den.1A.room.room{r}.enemies": ["HE"] for r in (1, 2, 3, 5)}
    case = Case(**{"den.1A.doors": doors, "den.1A.room.room4.enemies": ["GR", "BOSS"], **rooms})
    board = case.board
    board[Slot.ROOM] = 4
    assert exit_rooms(case.box, case.den, board) == 2  # room 1 and its own
    board[Slot.DAMAGE] = 4
    actions.cross(board, case.box.den[case.den, Den.INSIDE + 4])
    assert exit_rooms(case.box, case.den, board) == 1


def test_a_whole_score():
    case = Case(**{"boss.don_zemun.health": 5})
    board = case.board
    board[Slot.LOOT], board[Slot.XP], board[Slot.SPENT], board[Slot.DAMAGE] = 3, 8, 5, 5
    board[Slot.MARKED_OBJECTIVES], board[Slot.ROOM] = 0b1100, 1
    assert scoring.score(case.box, case.den, board) == 3 + 2 + 5 + 5 + 5 - 1 == 19


def test_nothing_done_scores_nothing():
    assert scoring.score(Case().box, Case().den, Case().board) == 0


def test_ties_go_to_the_one_with_more_uncrossed_life():
    case = Case(setup__players=2, setup__heroes=["shadowman", "bruiser"], setup__boards=["board1", "board2"])
    for seat in range(2):
        case.table.board[seat][Slot.LOOT] = 5
    case.table.board[0][Slot.WOUNDS] = 1
    assert scoring.winners(case.box, case.table) == 0b10
    case.table.board[1][Slot.WOUNDS] = 1
    assert scoring.winners(case.box, case.table) == 0b11


# --- a whole scripted round ----------------------------------------------------------------------


class Script:
    """Replaces the throws of a game by faces that are told beforehand."""

    def __init__(self, case: Case, throws: list[str]) -> None:
        self.case, self.throws = case, throws

    def finish_throw(self, box, table, luck, seat):
        faces = self.throws.pop(0)
        board = table.board[seat]
        assert len(faces) == board[Slot.AIR]
        board[Slot.AIR] = 0
        for face in faces:
            rolling.show(box, board, Face.labels().index(face))


def test_a_scripted_round(monkeypatch):
    case = Case(setup__pool="hard", setup__timer="none")
    script = Script(case, ["RRWK", "KDW", "WWWG", "GKW"])
    monkeypatch.setattr(race, "finish_throw", script.finish_throw)
    board = case.board
    for action in range(5):
        board[Slot.FLASH + action] = 0
    board[Slot.BONUS] = 0
    case.next()
    case.take(Verb.ASSIGN, SPRINT)
    case.take(Verb.UNLOCK)
    case.take(Verb.DRAW)
    assert case.table.pool == 6
    case.take(Verb.THROW, None, packed("K"))
    case.take(Verb.ASSIGN, STRIKE)
    case.take(Verb.UNLOCK)
    case.take(Verb.DRAW)
    assert case.table.pool == 3
    case.take(Verb.THROW, None, 0)
    case.take(Verb.LIFE)
    case.take(Verb.DRAW)
    assert case.table.pool == 2
    case.take(Verb.THROW, None, packed("G"))
    case.take(Verb.ASSIGN, FIRE)
    case.take(Verb.UNLOCK)
    case.take(Verb.DRAW)
    assert case.table.pool == 0 and in_hand(board) == 3 and board[Slot.ASSIGNED] == 8 and board[Slot.LIFE_DICE] == 1
    case.take(Verb.STOP)
    assert board[Slot.WOUNDS] == 1 and case.table.pool == 4
    case.take(Verb.GROUP, SPRINT)
    case.take(Verb.SHARP, STRIKE)
    case.take(Verb.AT, HE)
    case.take(Verb.GROUP, FIRE)
    case.take(Verb.AT, GN)
    assert board[Slot.ALIVE] == 1 << TO | 1 << GR
    case.take(Verb.COLLECT)
    assert board[Slot.LOOT] == 1 and board[Slot.WOUNDS] == 1 and board[Slot.ROOM] == 1
    assert scoring.score(case.box, case.den, board) == 1
    assert case.table.round == 2 and case.table.pool == 8


def test_a_game_of_nothing_ends_after_four_rounds():
    case = Case()
    steps = 0
    while case.table.ending < 0:
        quiet = [o for o in case.options() if verb_of(o) in (Verb.STOP, Verb.END, Verb.DONE, Verb.LEAVE)]
        o = (quiet or case.options())[0]
        decisions.take(case.box, case.table, case.hidden, case.luck, o)
        steps += 1
    assert case.table.round == 4 and case.table.ending == Ending.MISSED and steps < 60
    assert flashback.actions_left(case.board) == 0
