"""From the numbers of a scenario to the record that the rules read: counts, switches, tracks, dice, times, set-up."""

from __future__ import annotations

from typing import Any

from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.vengeance.fill_dens import BOARD_SIDES, boards_of, fill_side
from hardmode.sim.games.vengeance.fill_names import at_most, named
from hardmode.sim.games.vengeance.fill_tiles import fill_basic, fill_boss, fill_hero, fillings_of
from hardmode.sim.games.vengeance.names import (
    ANY,
    CHOOSE,
    MAX_BOSSES,
    MAX_HAND,
    MAX_HEROES,
    MAX_TRACK,
    SEATS,
    SIDES,
    Contention,
    Face,
    FlashAction,
)
from hardmode.sim.games.vengeance.switches import SWITCHES
from hardmode.sim.names import read_name

__all__ = ["fill", "fillings_of", "read_name"]

LEVELS = ("easy", "medium", "hard")
NO_TIMER = "none"


def fill(box: Any, values: Values) -> None:
    """Write the box record; refuse what cannot be played."""
    _numbers(box, values)
    _switches(box, values)
    _tracks(box, values)
    _dice(box, values)
    _time(box, values)
    fill_basic(box, values)
    heroes = at_most(values.names("hero"), MAX_HEROES, "hero")
    for number, hero in enumerate(heroes):
        fill_hero(box, values, number, hero)
    bosses = at_most(values.names("boss"), MAX_BOSSES, "boss")
    for number, boss in enumerate(bosses):
        fill_boss(box, values, number, boss)
    boards = boards_of(at_most(values.names("den"), SIDES, "den"))
    points = _boss_track(values)
    for number, side in enumerate(board + side for board in boards for side in BOARD_SIDES):
        fill_side(box, values, number, side, points)
    box.heroes, box.bosses, box.boards = len(heroes), len(bosses), len(boards)
    _solo(box, values)
    _seats(box, values, heroes, bosses, boards)


# --- plain numbers -------------------------------------------------------------------------------

NUMBERS = {
    "rounds": "game.rounds", "kill_points": "game.kill_points", "exit_points": "game.exit_points",
    "skill_limit": "game.skill_limit", "tough": "game.tough_hits", "train": "game.train_slots",
    "care": "game.care_cleans", "hand_cap": "game.hand", "hand_cap_ko": "game.hand_after_ko",
    "life_base": "life.base", "life_extra": "life.extra", "ko_slots": "life.ko_slots", "life_goal": "life.goal",
    "start_xp": "house.start_xp", "start_focus": "house.start_focus",
    "budget": "time.budget_throws", "throw_cap": "time.throw_cap",
}


def _numbers(box: Any, values: Values) -> None:
    for field, path in NUMBERS.items():
        setattr(box, field, values[path])
    if box.hand_cap > 7 or box.hand_cap < 1 or box.hand_cap_ko < 1 or box.hand_cap_ko > 7:
        raise BadValue("game.hand", "must be 1 to 7 dice")


def _switches(box: Any, values: Values) -> None:
    for name, choices in SWITCHES.items():
        path = f"switches.{name}"
        if choices is None:
            setattr(box, name, int(bool(values[path])))
        else:
            setattr(box, name, named(path, str(values[path]), choices.labels()))


def _track(values: Values, path: str, most: int) -> list[int]:
    numbers = [*values[path], values[f"{path}_end"]]
    if not 1 < len(numbers) <= most:
        raise BadValue(path, f"has {len(numbers) - 1} boxes; there must be 1 to {most - 1}")
    return numbers


def _tracks(box: Any, values: Values) -> None:
    names = values.names("tracks")
    chosen = names[values.choice("setup.tracks", names)]
    for name in names:
        loot, training = _track(values, f"tracks.{name}.loot", MAX_TRACK), _track(
            values, f"tracks.{name}.training", MAX_TRACK)
        if name == chosen:
            box.loot_n, box.training_n = len(loot) - 1, len(training) - 1
            box.loot_track[:len(loot)], box.training_track[:len(training)] = loot, training
    if box.start_xp > box.training_n:
        raise BadValue("house.start_xp", f"is {box.start_xp}; the training track has {box.training_n} slots")


def _boss_track(values: Values) -> list[int]:
    found = {name: values[f"tracks.{name}.boss"] for name in values.names("tracks")}
    for name, points in found.items():
        if len(points) != 8:
            raise BadValue(f"tracks.{name}.boss", "must hold 8 numbers, one for each printed slot")
    return found[values["setup.tracks"]]


def _dice(box: Any, values: Values) -> None:
    faces = [face for face, name in enumerate(Face.labels()) for _ in range(values[f"dice.combat.{name}"])]
    if len(faces) != 6:
        raise BadValue("dice.combat.R", f"and the other faces make {len(faces)}; a die has 6")
    box.die[:] = faces
    box.chance[:] = [faces.count(face) / 6 for face in range(5)]
    for face in range(4):  # what strategies count on: that so many dice all miss a face; a D is a K as well
        serves = box.chance[face] + (box.chance[Face.DOUBLE] if face == Face.KNIFE else 0.0)
        box.miss[face, :] = [(1 - serves) ** dice for dice in range(MAX_HAND + 1)]
    for i in range(3):
        path = f"dice.flashback.die{i + 1}"
        shown = values[path]
        if len(shown) != 6:
            raise BadValue(path, "must hold 6 faces")
        box.flashback[i, :] = [named(path, face, FlashAction.labels()) for face in shown]


def _time(box: Any, values: Values) -> None:
    for event in ("roll", "assign", "draw"):
        for part in ("base", "each", "sigma"):
            setattr(box, f"{event}_{part}", values[f"time.{event}.{part}"])
    box.life_time, box.life_sigma = values["time.life.base"], values["time.life.sigma"]
    box.cocked, box.cocked_time = values["time.cocked.chance"], values["time.cocked.cost"]
    box.mistake, box.mistake_time = values["time.mistake.chance"], values["time.mistake.cost"]
    box.spread = values["time.person_spread"]
    box.contention = values.choice("time.contention", Contention.labels())


# --- the choices of set-up -----------------------------------------------------------------------


def _solo(box: Any, values: Values) -> None:
    """Pool, timer and target: three settings of their own in a solo game; the table's pool otherwise."""
    numbers = {knob: [values[f"solo.{knob}.{level}"] for level in LEVELS] for knob in ("pool", "timer", "target")}
    pool, target = (numbers[k][values.choice(f"setup.{k}", LEVELS)] for k in ("pool", "target"))
    timer = values.choice("setup.timer", (*LEVELS, NO_TIMER))
    box.players = values["setup.players"]
    several = [values[f"pool.players{n}"] for n in (2, 3, 4)]
    each, clock = values["house.pool_per_player"], values["house.multi_timer"]
    if box.players == 1:
        box.pool, box.target = pool, target
        box.timer = -1.0 if timer == 3 else numbers["timer"][timer]
        return
    box.pool = each * box.players if each else several[box.players - 2]
    box.target = target
    box.timer = clock if clock > 0 else -1.0


def _seats(box: Any, values: Values, heroes: list[str], bosses: list[str], boards: list[str]) -> None:
    drawn = {"any": ANY, "choose": CHOOSE}
    lists = {
        "hero": ("setup.heroes", drawn | {name: i for i, name in enumerate(heroes)}),
        "boss": ("setup.bosses", {"any": ANY} | {name: i for i, name in enumerate(bosses)}),
        "board": ("setup.boards", {"any": ANY} | {f"board{name}": i for i, name in enumerate(boards)}),
        "side": ("setup.sides", drawn | {"A": 0, "B": 1}),
    }
    for field, (path, known) in lists.items():
        _per_seat(getattr(box, f"seat_{field}"), values, path, known, "any", distinct=field != "side")
    for path, cards in (("setup.heroes", heroes), ("setup.boards", boards)):
        if box.players > len(cards):
            raise BadValue(path, f"there are only {len(cards)} for {box.players} players")
    if box.players * (1 + box.boss_choice) > len(bosses):
        raise BadValue("setup.bosses", f"there are only {len(bosses)} for {box.players} players")
    profiles = {name: i for i, name in enumerate(values.names("time.profile"))}
    factors = [values[f"time.profile.{name}.factor"] for name in profiles]
    pauses = [values[f"time.profile.{name}.pause"] for name in profiles]
    who = [0] * SEATS
    _per_seat(who, values, "setup.speeds", profiles, "average")
    own, think = values["time.factor"], values["time.think"]
    for path, numbers in (("time.factor", own), ("time.think", think)):
        if len(numbers) != SEATS:
            raise BadValue(path, f"must hold {SEATS} numbers, one for each seat")
    for seat in range(SEATS):
        box.factor[seat] = factors[who[seat]] * own[seat]
        box.pause[seat], box.think[seat] = pauses[who[seat]], think[seat]


def _per_seat(cells: Any, values: Values, path: str, known: dict[str, int], usual: str, *,
              distinct: bool = False) -> None:
    """What a list says for each seat; seats that it does not name get what is usual."""
    said = values[path]
    if len(said) > SEATS:
        raise BadValue(path, f"names {len(said)} seats; there are at most {SEATS}")
    seats = values["setup.players"]
    for seat in range(SEATS):
        name = said[seat] if seat < len(said) else usual
        if name not in known:
            raise BadValue(path, f"is {name!r}; it must be one of {', '.join(known)}")
        cells[seat] = known[name]
        if distinct and seat < seats and known[name] >= 0 and known[name] in list(cells[:seat]):
            raise BadValue(path, f"gives {name} to two seats; there is only one")
