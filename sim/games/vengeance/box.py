"""From the numbers of a scenario to the record that the rules read: dens, tiles, tracks, times."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from sim.contract import BadValue, Values
from sim.games.vengeance import components as c

EASY_NAMES = ("easy", "medium", "hard")
NO_TIMER = "none"
CHARGES = {"K_RR_GK": "", "G_RR_GK": "G R R G|K", "R_KK_RG": "R K K R|G", "R_KK_GK": "R K K G|K"}
NOTHING = "none"


def fill(box: Any, values: Values) -> None:
    """Write the box record; refuse what cannot be played."""
    _numbers(box, values)
    _switches(box, values)
    _tracks(box, values)
    _dice(box, values)
    _time(box, values)
    heroes, bosses, sides = values.names("hero"), values.names("boss"), values.names("den")
    _basic(box, values)
    for number, hero in enumerate(_at_most(heroes, c.MAX_HEROES, "hero")):
        _hero(box, values, number, hero)
    box.heroes = len(heroes)
    for number, boss in enumerate(_at_most(bosses, c.MAX_BOSSES, "boss")):
        _boss(box, values, number, boss)
    box.bosses = len(bosses)
    boards = _boards(sides)
    box.boards = len(boards)
    points = _boss_track(values)
    for number, side in enumerate(sides):
        _write(box.side_name[number], side)
        _side(box, values, number, side, points)
    _solo(box, values)
    _seats(box, values, heroes, bosses, boards)


def _at_most(names: list[str], most: int, path: str) -> list[str]:
    if not 1 <= len(names) <= most:
        raise BadValue(path, f"has {len(names)} entries; there must be 1 to {most}")
    return names


def _write(cells: Any, text: str) -> None:
    """Names are kept in the box as numbers of letters, so that what is told uses the scenario's own."""
    for i, letter in enumerate(text[:c.NAME].encode("ascii", "replace")):
        cells[i] = letter


def read_name(cells: Any) -> str:
    return bytes(int(x) for x in cells if int(x)).decode("ascii")


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
    for name, choices in c.SWITCHES.items():
        path = f"switches.{name}"
        if choices is None:
            setattr(box, name, int(bool(values[path])))
        else:
            setattr(box, name, choices.index(str(values[path])) if str(values[path]) in choices
                    else values.choice(path, choices))


def _track(values: Values, path: str, most: int) -> list[int]:
    numbers = [*values[path], values[f"{path}_end"]]
    if not 1 < len(numbers) <= most:
        raise BadValue(path, f"has {len(numbers) - 1} boxes; there must be 1 to {most - 1}")
    return numbers


def _tracks(box: Any, values: Values) -> None:
    names = values.names("tracks")
    chosen = names[values.choice("setup.tracks", names)]
    for name in names:
        loot, training = _track(values, f"tracks.{name}.loot", c.MAX_TRACK), _track(
            values, f"tracks.{name}.training", c.MAX_TRACK)
        if name == chosen:
            box.loot_n, box.training_n = len(loot) - 1, len(training) - 1
            box.loot_track[:len(loot)], box.training_track[:len(training)] = loot, training


def _boss_track(values: Values) -> list[int]:
    found = {name: values[f"tracks.{name}.boss"] for name in values.names("tracks")}
    for name, points in found.items():
        if len(points) != 8:
            raise BadValue(f"tracks.{name}.boss", "must hold 8 numbers, one for each printed slot")
    return found[values["setup.tracks"]]


def _dice(box: Any, values: Values) -> None:
    faces = [face for face, name in enumerate(c.FACES) for _ in range(values[f"dice.combat.{name}"])]
    if len(faces) != 6:
        raise BadValue("dice.combat.R", f"and the other faces make {len(faces)}; a die has 6")
    box.die[:] = faces
    box.chance[:] = [faces.count(face) / 6 for face in range(5)]
    for i in range(3):
        path = f"dice.flashback.die{i + 1}"
        shown = values[path]
        if len(shown) != 6:
            raise BadValue(path, "must hold 6 faces")
        box.flashback[i, :] = [_named(path, face, c.ACTIONS) for face in shown]


def _named(path: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise BadValue(path, f"is {name!r}; it must be one of {', '.join(names)}")
    return list(names).index(name)


def _time(box: Any, values: Values) -> None:
    for event in ("roll", "assign", "draw"):
        for part in ("base", "each", "sigma"):
            setattr(box, f"{event}_{part}", values[f"time.{event}.{part}"])
    box.life_time, box.life_sigma = values["time.life.base"], values["time.life.sigma"]
    box.cocked, box.cocked_time = values["time.cocked.chance"], values["time.cocked.cost"]
    box.mistake, box.mistake_time = values["time.mistake.chance"], values["time.mistake.cost"]
    box.spread = values["time.person_spread"]
    box.contention = values.choice("time.contention", c.CONTENTION)


# --- tiles ---------------------------------------------------------------------------------------


def fillings_of(slots: Sequence[str]) -> list[int]:
    """The distinct groups of dice (packed) that fill a requirement; a D fills any K."""
    fitting = {"R": "R", "G": "G", "K": "KD", "D": "D"}
    found = set()
    for dice in product(*("".join(fitting[part] for part in slot.split("|")) for slot in slots)):
        found.add(sum(1 << (4 * c.FACES.index(face)) for face in dice))
    return sorted(found)


def _requirement(box: Any, row: int, path: str, slots: Sequence[str]) -> None:
    for slot in slots:
        if any(part not in ("R", "G", "K", "D") for part in slot.split("|")):
            raise BadValue(path, f"asks for {slot!r}; a slot is R, G, K, D or a choice such as G|K")
    if len(slots) > 4:
        raise BadValue(path, "asks for more than 4 dice")
    found = fillings_of(slots) if slots else []
    if len(found) > c.MAX_FILLINGS:
        raise BadValue(path, "can be filled in too many ways")
    box.size[row], box.fillings[row] = len(slots), len(found)
    box.filling[row, :len(found)] = found


def _effects(box: Any, row: int, path: str, effects: Sequence[str], more: Sequence[str] = ()) -> None:
    if not effects or len(effects) + len(more) > c.MAX_EFFECT:
        raise BadValue(path, f"must hold 1 to {c.MAX_EFFECT} actions")
    codes = [_named(path, effect, c.EFFECTS) for effect in (*effects, *more)]
    box.effect[row, :len(codes)] = codes
    box.length[row], box.sharp_length[row] = len(effects), len(codes)
    if box.timing[row] == c.IN_COMBAT:  # what strategies count on: six bits for each action
        box.contents[row] = sum(1 << (6 * code) for code in codes[:len(effects)])
        box.sharp_contents[row] = sum(1 << (6 * code) for code in codes)


def _basic(box: Any, values: Values) -> None:
    charge = values.choice("switches.charge_req", list(CHARGES))
    for row, name in enumerate(c.BASIC_NAMES):
        path = f"basic.{name}"
        _write(box.tile_name[row], name)
        slots = values[f"{path}.dice"]
        if name == "CHARGE" and charge:
            slots = list(CHARGES.values())[charge].split()
        _requirement(box, row, f"{path}.dice", slots)
        more = values[f"{path}.with_d"] if f"{path}.with_d" in values else ()
        _effects(box, row, f"{path}.effect", values[f"{path}.effect"], more)
        box.slots[row] = values[f"{path}.focus"]


def _hero(box: Any, values: Values, number: int, hero: str) -> None:
    path = f"hero.{hero}"
    _write(box.hero_name[number], hero)
    trait = values[f"{path}.trait"]
    box.trait[number] = 0 if trait == NOTHING else 1 << _named(f"{path}.trait", trait, c.POWERS)
    skills, items = values.names(f"{path}.skill"), values.names(f"{path}.item")
    if len(skills) != c.OWN_SKILLS or len(items) != c.ITEMS:
        raise BadValue(path, f"has {len(skills)} skills and {len(items)} items; a hero has 8 and 4")
    for k, skill in enumerate(skills):
        _skill(box, values, c.ROW_SKILL + number * c.OWN_SKILLS + k, f"{path}.skill.{skill}", skill)
    for k, item in enumerate(items):
        _item(box, values, c.ROW_ITEM + number * c.ITEMS + k, f"{path}.item.{item}", item, skills)


def _skill(box: Any, values: Values, row: int, path: str, name: str) -> None:
    _write(box.tile_name[row], f"{name} {values[f'{path}.label']}")
    box.cost[row] = values[f"{path}.cost"]
    box.timing[row] = values.choice(f"{path}.timing", c.TIMINGS)
    effect = values[f"{path}.effect"]
    if box.timing[row] == c.PASSIVE:
        for code in effect:
            box.power[row] |= 1 << _named(f"{path}.effect", code, c.POWERS)
        return
    box.once[row] = int(values[f"{path}.once"])
    box.slots[row] = values[f"{path}.focus"]
    _requirement(box, row, f"{path}.dice", values[f"{path}.dice"])
    if box.size[row] == 0:
        raise BadValue(f"{path}.dice", "asks for no dice; only a passive skill may")
    _effects(box, row, f"{path}.effect", effect)


def _item(box: Any, values: Values, row: int, path: str, name: str, skills: list[str]) -> None:
    _write(box.tile_name[row], name)
    box.capacity[row] = values[f"{path}.uses"]
    _effects(box, row, f"{path}.effect", values[f"{path}.effect"])
    box.modifies[row] = values.choice(f"{path}.modifies", [NOTHING, *c.BASIC_NAMES, *skills])


def _boss(box: Any, values: Values, number: int, boss: str) -> None:
    path = f"boss.{boss}"
    _write(box.boss_name[number], boss)
    box.health[number] = values[f"{path}.health"]
    if not 1 <= box.health[number] <= 8:
        raise BadValue(f"{path}.health", "must be 1 to 8, the slots printed on a den")
    effect = values[f"{path}.effect"]
    if effect in c.ADDITIONS:
        box.addition[number] = c.ADDITIONS.index(effect)
    else:
        box.boss_power[number] = 1 << _named(f"{path}.effect", effect, (*c.POWERS, *c.ADDITIONS))


# --- dens ----------------------------------------------------------------------------------------


def _boards(sides: list[str]) -> list[str]:
    """The boards that den sides such as 1A and 1B make, in their order."""
    _at_most(sides, 2 * c.MAX_BOARDS, "den")
    boards = list(dict.fromkeys(side[:-1] for side in sides))
    if [b + s for b in boards for s in "AB"] != sides:
        raise BadValue("den", "must list both sides of each board in turn: 1A, 1B, 2A, 2B, ...")
    return boards


def _side(box: Any, values: Values, number: int, side: str, points: list[int]) -> None:
    path = f"den.{side}"
    rooms = len(values.names(f"{path}.room"))
    if not 2 <= rooms <= c.MAX_ROOMS:
        raise BadValue(f"{path}.room", f"has {rooms} rooms; there must be 2 to {c.MAX_ROOMS}")
    doors = _doors(values, path, rooms)
    boss_room, printed = _enemies(values, path, rooms)
    plain = np.zeros(c.DEN_SIZE, np.int64)
    plain[c.ROOMS], plain[c.BOSS_ROOM] = rooms, boss_room
    plain[c.PREVISITED] = sum({1 << room for room in (0, *values[f"{path}.previsited"])})
    plain[c.DOORS:c.DOORS + rooms] = doors
    _ways(plain, rooms, path)
    for room in range(rooms):
        _room(values, plain, f"{path}.room.{room_name(room)}", room, values["scale.objective_points"])
    bonus = values[f"{path}.boss_bonus"]
    if len(bonus) != 8:
        raise BadValue(f"{path}.boss_bonus", "must hold 8 numbers, one for each printed slot")
    for slot in range(8):
        plain[c.BOSS_POINTS + 1 + slot] = points[slot] + bonus[slot]
    for addition, effect in enumerate(c.ADDITIONS):
        den = plain.copy()
        _populate(den, printed, _added(effect, boss_room, int(doors[boss_room])), path)
        box.den[addition * 2 * c.MAX_BOARDS + number, :] = den
        if addition == 0:
            _satisfiable(den, path)


def room_name(room: int) -> str:
    return "start" if room == 0 else f"room{room}"


def _doors(values: Values, path: str, rooms: int) -> list[int]:
    doors = [0] * rooms
    for door in values[f"{path}.doors"]:
        ends = [int(end) if end.isdigit() else -1 for end in str(door).split("-")]
        if len(ends) != 2 or not all(0 <= end < rooms for end in ends) or ends[0] == ends[1]:
            raise BadValue(f"{path}.doors", f"holds {door!r}; a door is two rooms, such as 0-1")
        doors[ends[0]] |= 1 << ends[1]
        doors[ends[1]] |= 1 << ends[0]
    return doors


def _enemies(values: Values, path: str, rooms: int) -> tuple[int, list[tuple[int, int]]]:
    """The Boss's room, and every printed minion as (room, type)."""
    boss_rooms, printed = [], []
    for room in range(rooms):
        where = f"{path}.room.{room_name(room)}.enemies"
        for enemy in values[where]:
            kind = _named(where, enemy, (*c.MINIONS, "BOSS"))
            if kind == len(c.MINIONS):
                boss_rooms.append(room)
            else:
                printed.append((room, kind))
    if len(boss_rooms) != 1:
        raise BadValue(f"{path}.room", f"has {len(boss_rooms)} bosses; a den has one")
    return boss_rooms[0], printed


def _ways(den: np.ndarray, rooms: int, path: str) -> None:
    """Distances and leaps."""
    doors = [int(den[c.DOORS + room]) for room in range(rooms)]
    for room in range(rooms):
        steps, reached, edge = [15] * rooms, 1 << room, 1 << room
        for step in range(rooms):
            for other in range(rooms):
                if edge >> other & 1:
                    steps[other] = step
            edge = _next_to(doors, edge) & ~reached
            reached |= edge
        if 15 in steps:
            raise BadValue(f"{path}.doors", f"leave room {steps.index(15)} cut off")
        den[c.STEPS + room] = sum(step << (4 * other) for other, step in enumerate(steps))
        den[c.LEAPS + room] = _next_to(doors, doors[room])


def _next_to(doors: list[int], rooms: int) -> int:
    found = 0
    for room, there in enumerate(doors):
        if rooms >> room & 1:
            found |= there
    return found


def _room(values: Values, den: np.ndarray, path: str, room: int, scale: float) -> None:
    den[c.ICONS_IN + room] = values[f"{path}.loot"]
    if f"{path}.objective" not in values:
        return
    den[c.GOAL + room] = values.choice(f"{path}.objective", c.OBJECTIVES)
    den[c.GOAL_POINTS + room] = int(values[f"{path}.points"] * scale + 0.5)
    if f"{path}.of" in values:
        den[c.GOAL_TYPE + room] = values.choice(f"{path}.of", c.MINIONS)
    if f"{path}.count" in values:
        den[c.GOAL_COUNT + room] = values[f"{path}.count"]


def _added(effect: str, boss_room: int, around: int) -> list[tuple[int, int]]:
    rooms = [room for room in range(c.MAX_ROOMS) if around >> room & 1]
    if effect == "B_ADD_HENCHMAN_ADJ":
        return [(room, c.HENCHMAN) for room in rooms]
    if effect == "B_ADD_GRUNT":
        return [(boss_room, c.GRUNT)]
    return [(rooms[0], c.GUNMAN)] if effect == "B_ADD_GUNMAN_ADJ" else []


def _populate(den: np.ndarray, printed: list[tuple[int, int]], added: list[tuple[int, int]], path: str) -> None:
    """Number the minions by room and type; printed ones come before those that the Boss adds."""
    minions = [*sorted(printed), *sorted(added)]
    if len(minions) > c.MAX_ENEMIES:
        raise BadValue(path, f"holds {len(minions)} minions; the most is {c.MAX_ENEMIES}")
    den[c.MINION_MASK] = (1 << len(minions)) - 1
    den[c.PRINTED] = (1 << len(printed)) - 1
    for number, (room, kind) in enumerate(minions):
        den[c.KIND_OF + number], den[c.ROOM_OF + number] = kind, room
        den[c.INSIDE + room] |= 1 << number
        den[c.OF_KIND + kind] |= 1 << number
    for room in range(int(den[c.ROOMS])):
        for other in range(int(den[c.ROOMS])):
            if den[c.DOORS + room] >> other & 1:
                den[c.AROUND + room] |= den[c.INSIDE + other]


def _satisfiable(den: np.ndarray, path: str) -> None:
    if not den[c.INSIDE + den[c.BOSS_ROOM]] & den[c.OF_KIND + c.GRUNT]:
        raise BadValue(f"{path}.room.{room_name(int(den[c.BOSS_ROOM]))}.enemies", "must hold a GR beside the BOSS")
    for room in range(int(den[c.ROOMS])):
        goal, count = int(den[c.GOAL + room]), int(den[c.GOAL_COUNT + room])
        there = int(den[c.OF_KIND + den[c.GOAL_TYPE + room]]).bit_count()
        where = f"{path}.room.{room_name(room)}.objective"
        if (goal == c.O_KILL and count > there) or (goal == c.O_VISIT and count > den[c.ROOMS]):
            raise BadValue(where, "can never be fulfilled in this den")
        if goal == c.O_CLEAR and not den[c.INSIDE + room]:
            raise BadValue(where, "asks to clear a room without minions")


# --- the choices of set-up -----------------------------------------------------------------------


def _solo(box: Any, values: Values) -> None:
    """Pool, timer and target: three settings of their own in a solo game; the table's pool otherwise."""
    numbers = {knob: [values[f"solo.{knob}.{level}"] for level in EASY_NAMES] for knob in ("pool", "timer", "target")}
    pool, target = (numbers[k][values.choice(f"setup.{k}", EASY_NAMES)] for k in ("pool", "target"))
    timer = values.choice("setup.timer", (*EASY_NAMES, NO_TIMER))
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
    drawn = {"any": c.ANY, "choose": c.CHOOSE}
    lists = {
        "hero": ("setup.heroes", drawn | {name: i for i, name in enumerate(heroes)}),
        "boss": ("setup.bosses", {"any": c.ANY} | {name: i for i, name in enumerate(bosses)}),
        "board": ("setup.boards", {"any": c.ANY} | {f"board{name}": i for i, name in enumerate(boards)}),
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
    who = [0] * c.SEATS
    _per_seat(who, values, "setup.speeds", profiles, "average")
    own, think = values["time.factor"], values["time.think"]
    for path, numbers in (("time.factor", own), ("time.think", think)):
        if len(numbers) != c.SEATS:
            raise BadValue(path, f"must hold {c.SEATS} numbers, one for each seat")
    for seat in range(c.SEATS):
        box.factor[seat] = factors[who[seat]] * own[seat]
        box.pause[seat], box.think[seat] = pauses[who[seat]], think[seat]


def _per_seat(cells: Any, values: Values, path: str, known: dict[str, int], usual: str, *,
              distinct: bool = False) -> None:
    """What a list says for each seat; seats that it does not name get what is usual."""
    said = values[path]
    if len(said) > c.SEATS:
        raise BadValue(path, f"names {len(said)} seats; there are at most {c.SEATS}")
    seats = values["setup.players"]
    for seat in range(c.SEATS):
        name = said[seat] if seat < len(said) else usual
        if name not in known:
            raise BadValue(path, f"is {name!r}; it must be one of {', '.join(known)}")
        cells[seat] = known[name]
        if distinct and seat < seats and known[name] >= 0 and known[name] in list(cells[:seat]):
            raise BadValue(path, f"gives {name} to two seats; there is only one")
