"""What is told of a game is what happened in it."""

from __future__ import annotations

import pytest
from vengeance_case import BO, GR, HE, Case, alive, luck_of, values

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance import GAME, resolution, story, words
from hardmode.sim.games.vengeance.names import (
    BASIC,
    Addition,
    FlashAction,
    Kind,
    Objective,
    Phase,
    Power,
    Slot,
    Stage,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.strategies.vengeance import first_fit

pytestmark = pytest.mark.plain

COMBAT = (Kind.TILE, Kind.TARGET)
ANYBODY = {"setup.heroes": ["any"], "setup.bosses": ["any"], "setup.boards": ["any"], "setup.sides": ["any"]}


def state(case):
    return words.state(case.box, case.table, case.hidden)


def told(case, verb, a=None, b=None):
    """Take an option; the sentences of that step and the positions before and after."""
    before = state(case)
    code = next(o for o in case.options() if verb_of(o) == verb and a in (None, first_of(o))
                and b in (None, second_of(o)))
    taken = words.option(case.box, case.table, case.hidden.own[0], code)
    GAME.take(case.box, case.table, case.hidden, case.luck, code)
    return words.tell(before, taken, [], state(case))


def random_game(key, who=None, **changes):
    """Every step of a random game, or of one that somebody plays: the case, the code about to be taken."""
    case, step = Case(key, **{**ANYBODY, "time.throw_cap": 40, **changes}), 0
    while case.table.ending < 0:
        options = case.options()
        code = options[below(luck_of(key), 0, step, 0, 0, len(options))]
        if who:
            own, n = case.hidden.own[case.table.seat], len(options)
            code = options[who(case.box, case.table, own, options, n, luck_of(step), ())]
        yield case, code
        GAME.take(case.box, case.table, case.hidden, case.luck, code)
        step += 1
    yield case, -1


@pytest.mark.parametrize("changes", [{}, {"switches.optional_actions": True}, {"switches.allow_null_use": True},
                                     {"switches.ko_immediate": True}, {"hero.acrobat.trait": "P_LEAP_HIT"}])
def test_what_a_tile_is_said_to_do_is_what_it_does(changes):
    compared = 0
    for key in range(6):
        wanted = None
        for case, code in random_game(key, **{"house.start_focus": 4, **changes}):
            board, now = case.board, (case.table.kind in COMBAT, case.table.round, case.table.stage)
            if wanted and now == wanted[0]:
                assert [int(x) for x in board] == wanted[1]
                compared += 1
            wanted = None
            if code >= 0 and now[0] and verb_of(code) != Verb.END:
                trial = board.copy()
                words.played_out(case.box, trial, verb_of(code), first_of(code))
                wanted = now, [int(x) for x in trial]
    assert compared > 20


def test_the_parts_of_a_score_make_the_score():
    for key in range(4):
        for case, code in random_game(key):
            seat = state(case)["open"]["seats"]["seat 1"]
            assert "points" not in seat or sum(seat["points"].values()) == seat["score now"] or seat["eliminated"]
            if code < 0:
                said = words.tell(None, None, [], state(case))[-1]
                assert said.startswith(f"Seat 1 scores {seat['score now']}: ")
                assert "eliminated" in said or all(f"{what} {n}" in said for what, n in seat["points"].items())


def test_every_choice_has_its_sentence():
    assert set(Verb.labels()) - set(story.SAYS) == {"go to", "at", "decline"}  # told by what they do
    assert set(story.MEANING) == set(Power.labels()) | set(Addition.labels()) - {"none"}
    assert set(story.GOALS) == set(Objective.labels()) - {"none"}
    for key in range(3):
        for case, code in random_game(key, **{"switches.boss_choice": key == 1, "setup.sides": ["choose"]}):
            if code >= 0:
                before = state(case)
                lines = words.tell(before, words.option(case.box, case.table, case.hidden.own[0], code), [], before)
                assert lines[0].startswith("Seat 1") and lines[0].endswith(".") and "{" not in lines[0]


def test_a_tile_is_told_action_by_action():
    case = Case(**{"hero.shadowman.skill.SH1.effect": ["HIT", "MOVE", "HIT", "WOUND"]}).at_combat(1, s0=1)
    case.board[Slot.OWNED] = 1
    alive(case.board, BO, GR)
    assert told(case, Verb.GROUP, BASIC) == ["Seat 1 uses SH1 Slip: HIT BO in room1 (crossed)."]
    lines = told(case, Verb.GO, 3)
    assert lines[0] == ("Seat 1: MOVE to room3; HIT GR in room3 (crossed); WOUND (1 wound).")
    assert lines[1] == "  Seat 1 takes the loot of room1."


def test_marked_enemies_are_told_apart_from_unmarked_ones():
    """Two minions of one type in one room, of which one is evaded: two options."""
    case = Case(**{"den.1A.room.room1.enemies": ["HE", "HE", "TO", "TO"]}).at_combat(1, STRIKE=1)
    board = case.board
    alive(board, 0, 1, 2, 3)
    board[Slot.EVADED], board[Slot.DOTTED] = 0b1000, 0b0001
    case.take(Verb.GROUP)
    said = [words.option(case.box, case.table, case.hidden.own[0], code)["then"][0] for code in case.options()]
    assert said == ["HIT TO. in room1 (crossed)", "HIT TO in room1 (a dot)", "HIT HE in room1 (crossed)",
                    "HIT HE~ in room1 (crossed)"]


def test_a_use_that_fails_says_so():
    case = Case(**{"hero.shadowman.item.IT_MEDKIT.effect": ["HEAL", "HEAL"]}).at_combat(0, SPRINT=1)
    case.board[Slot.STORED + 2], case.board[Slot.WOUNDS] = 1, 1
    assert told(case, Verb.ITEM) == ["Seat 1 uses IT_MEDKIT: HEAL (1 healed); HEAL cannot be resolved."]


def test_wounds_of_dice_and_of_enemies_are_told_apart():
    case = Case().at_roll("R")
    case.board[Slot.ROOM], case.board[Slot.VISITED], case.board[Slot.LIFE_DICE] = 1, 3, 1
    lines = told(case, Verb.STOP)
    assert lines[:2] == ["Seat 1 stops rolling.", "  The roll phase is over."]
    assert "  Seat 1 takes 1 wound from dice on the life bar." in lines
    assert "  Seat 1 is knocked out: back to 3 life slots, a hand of 3 dice." in lines
    assert "  Seat 1 takes 2 wounds from enemies." in lines


def test_throws_of_two_seats_are_told_apart():
    draws = [{"source": "combat dice", "address": {"round and seat": 8 + seat, "throw": 1, "die": die}, "result": face}
             for seat, die, face in ((0, 0, "R"), (0, 1, "K"), (1, 0, "W"))]
    case = Case(setup__players=2, setup__heroes=["shadowman", "bruiser"], setup__boards=["board1", "board2"])
    assert story._thrown(draws, state(case)["open"]["seats"]) == ["  Seat 1: R K.", "  Seat 2: W."]


def test_the_deal_names_what_a_card_does():
    case = Case(**{"boss.don_zemun.effect": "B_ADD_GRUNT", "hero.shadowman.trait": "T_HEAL_ONE"})
    line = words.tell(None, None, [], state(case))[0]
    assert line == "Seat 1: shadowman against don_zemun (4 health) in den 1A: CARE cleans one wound; " \
                   "a GRUNT more beside the Boss."


def test_the_picture_shows_who_stands_where_and_what_is_asked():
    case = Case().at_combat(1)
    case.board[Slot.EVADED] = 1 << HE
    lines = words.picture(state(case)).splitlines()
    assert lines[0] == "seat 1: shadowman against don_zemun, den 1A"
    room1 = next(line for line in lines if line.startswith("  room1"))
    assert room1.split() == ["room1", "@v$", "BO", "HE~", "doors", "to", "start", "2", "3"]
    assert any("objective, 3 points: clear it in one round" in line for line in lines)
    resolution.finish_resolution(case.box, case.den, case.board)
    assert "HE~" not in words.picture(state(case))


def test_a_training_says_what_is_left_to_spend():
    case = Case()
    case.board[Slot.XP], case.board[Slot.SPENT] = 5, 4
    case.board[Slot.FLASH + FlashAction.TRAIN] = 1
    assert case.table.phase == Phase.FLASHBACK
    assert told(case, Verb.TRAIN, FlashAction.TRAIN)[0] == "Seat 1 trains (TRAIN): experience 7, 3 unspent."


# --- a referee who sees only what is told --------------------------------------------------------


def way_out(seat):
    """The cheapest way to START by trying all of them: each room with an enemy costs one."""
    rooms = {room["room"]: room for room in seat["den"]}
    cost = {name: int(bool(room["enemies"]) and name != "start") for name, room in rooms.items()}
    best = {seat["room"]: cost[seat["room"]]}
    for _ in rooms:
        for name, paid in list(best.items()):
            for door in rooms[name]["doors"]:
                best[door] = min(best.get(door, 99), paid + cost[door])
    return best["start"]


def holds(goal, room, seat):
    """Whether the condition of a marked objective can be seen to hold."""
    rooms = {r["room"]: r for r in seat["den"]}
    crossed = [kind for r in seat["den"] for kind in r["crossed"]]
    next_door = [kind.strip(".~") for door in room["doors"] for kind in rooms[door]["enemies"]]
    return {
        "O1_KILL": lambda: crossed.count(goal["of"]) >= goal["count"],
        "O2_CLEAR_1TURN": lambda: bool(room["crossed"] or room["enemies"]),
        "O3_LIFE6": lambda: True,  # the slots may have gone in a KO
        "O4_VISIT_ADJ": lambda: all(rooms[door]["visited"] for door in room["doors"]),
        "O5_HIT_BOSS": lambda: seat["boss bar"]["hit"] and seat["boss bar"]["damage"] > 0,
        "O6_VISIT_N": lambda: sum(r["visited"] for r in seat["den"]) >= goal["count"],
        "O7_KILL_ADJ": lambda: goal["of"] not in next_door,
    }[goal["what"]]()


def test_a_referee_who_sees_only_what_is_told_agrees():
    usual = values()
    track = {name: usual[f"tracks.standard.{name}"] + [usual.get(f"tracks.standard.{name}_end", 0)]
             for name in ("loot", "training", "boss")}
    marked = 0
    for key in range(12):
        for case, _ in random_game(key, first_fit, **{"house.start_focus": 4, "house.start_xp": 8}):
            seat = state(case)["open"]["seats"]["seat 1"]
            if "points" not in seat:
                continue
            got, damage = seat["points"], seat["boss bar"]["damage"]
            assert got["way out"] == -way_out(seat)
            assert got["loot"] == track["loot"][seat["loot boxes"]]
            assert got["training"] == track["training"][seat["experience"]["marked"]]
            assert got["Boss"] == (track["boss"][damage - 1] if damage else 0)
            assert got["kill"] == (5 if damage == seat["boss bar"]["health"] else 0)
            goals = [(room["objective"], room) for room in seat["den"] if room.get("objective", {}).get("marked")]
            assert got["objectives"] == sum(goal["points"] for goal, _ in goals)
            assert all(holds(goal, room, seat) and room["visited"] for goal, room in goals)
            marked += len(goals)
    assert marked > 50


def test_the_wounds_of_resolution_are_those_that_the_picture_shows():
    """Whoever ends the combat suffers from the active enemies that stand there."""
    seen = 0
    for key in range(25):
        waiting = None
        for case, code in random_game(key, **{"house.start_focus": 4}):
            seat = state(case)["open"]["seats"]["seat 1"]
            if waiting is not None and not case.board[Slot.OUT]:
                wounds, slots, taken, kos = waiting
                assert seat["wounds taken"] - taken == min(wounds, slots) and seat["kos"] in (kos, kos + 1)
                seen += min(wounds, slots) > 0
            waiting = None
            if case.table.kind == Kind.TILE and case.table.stage == Stage.MAIN and verb_of(code) == Verb.END:
                rooms = {room["room"]: room for room in seat["den"]}
                here = rooms[seat["room"]]
                far = sum(rooms[door]["enemies"].count("GN") for door in here["doors"])
                near = sum(here["enemies"].count(kind) for kind in ("HE", "GN", "BOSS"))
                if not any(r["visited"] and r.get("loot icons") and all("~" in e or e == "BOSS" for e in r["enemies"])
                           for r in seat["den"]):  # no loot to choose before the wounds
                    waiting = (far + near, seat["life"]["slots"] - seat["life"]["wounds"], seat["wounds taken"],
                               seat["kos"])
    assert seen > 5


def test_the_position_names_what_tiles_do_and_what_the_shop_holds():
    case = Case(setup__heroes=["bruiser"])
    case.board[Slot.OWNED] = 1
    seat = state(case)["open"]["seats"]["seat 1"]
    assert seat["skills"]["STRIKE"]["does"] == "HIT, with a D also HIT"
    assert seat["skills"]["BR1 Headbutt"]["does"] == "HIT HIT WOUND" and "BR1 Headbutt" not in seat["shop"]
    assert seat["shop"]["BR4 Rampage"] == 5 and len(seat["shop"]) == 7
    assert seat["items"]["IT_GRENADE"] == {"stored": 0, "used": 0, "does": "KILL WOUND"}
