"""From the numbers of a scenario to the dens: rooms, doors, who stands there, objectives, the ways."""

from __future__ import annotations

from typing import Any

import numpy as np

import hardmode.sim.games.vengeance.components as c
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.vengeance.names import at_most, named, room_name, within, write_name


def boards_of(sides: list[str]) -> list[str]:
    """The boards that den sides such as 1A and 1B make, in their order."""
    at_most(sides, 2 * c.MAX_BOARDS, "den")
    boards = list(dict.fromkeys(side[:-1] for side in sides))
    if [b + s for b in boards for s in "AB"] != sides:
        raise BadValue("den", "must list both sides of each board in turn: 1A, 1B, 2A, 2B, ...")
    return boards


def fill_side(box: Any, values: Values, number: int, side: str, points: list[int]) -> None:
    path = f"den.{side}"
    write_name(box.side_name[number], side)
    rooms = len(values.names(f"{path}.room"))
    if not 2 <= rooms <= c.MAX_ROOMS:
        raise BadValue(f"{path}.room", f"has {rooms} rooms; there must be 2 to {c.MAX_ROOMS}")
    names = [room_name(room) for room in range(rooms)]
    doors = _doors(values, path, rooms)
    boss_room, printed = _enemies(values, path, names)
    plain = np.zeros(c.DEN_SIZE, np.int64)
    plain[c.ROOMS], plain[c.BOSS_ROOM] = rooms, boss_room
    seen = f"{path}.previsited"
    plain[c.PREVISITED] = sum({1, *(1 << named(seen, room, names) for room in values[seen])})
    plain[c.DOORS:c.DOORS + rooms] = doors
    _ways(plain, rooms, path)
    for room in range(rooms):
        _room(values, plain, f"{path}.room.{names[room]}", room)
    _boss_bar(values, plain, path, points)
    for addition, effect in enumerate(c.ADDITIONS):
        den = plain.copy()
        _populate(den, printed, _added(effect, boss_room, int(doors[boss_room])), path)
        box.den[addition * 2 * c.MAX_BOARDS + number, :] = den
        if addition == 0:
            _satisfiable(den, path)


def _boss_bar(values: Values, den: np.ndarray, path: str, points: list[int]) -> None:
    bonus = values[f"{path}.boss_bonus"]
    if len(bonus) != len(points):
        raise BadValue(f"{path}.boss_bonus", f"must hold {len(points)} numbers, one for each printed slot")
    for slot, number in enumerate(points):
        den[c.BOSS_POINTS + 1 + slot] = number + bonus[slot]


def _doors(values: Values, path: str, rooms: int) -> list[int]:
    doors = [0] * rooms
    for door in values[f"{path}.doors"]:
        ends = [int(end) if end.isdigit() else -1 for end in str(door).split("-")]
        if len(ends) != 2 or not all(0 <= end < rooms for end in ends) or ends[0] == ends[1]:
            raise BadValue(f"{path}.doors", f"holds {door!r}; a door is two rooms, such as 0-1")
        doors[ends[0]] |= 1 << ends[1]
        doors[ends[1]] |= 1 << ends[0]
    return doors


def _enemies(values: Values, path: str, names: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """The Boss's room, and every printed minion as (room, type)."""
    boss_rooms, printed = [], []
    for room, name in enumerate(names):
        where = f"{path}.room.{name}.enemies"
        for enemy in values[where]:
            kind = named(where, enemy, (*c.MINIONS, "BOSS"))
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


def _room(values: Values, den: np.ndarray, path: str, room: int) -> None:
    """Loot and objective; `of` and `count` stand in every room and count where the objective asks for them."""
    goal = values.choice(f"{path}.objective", c.OBJECTIVES)
    kind = values.choice(f"{path}.of", ("none", *c.MINIONS)) - 1
    den[c.ICONS_IN + room] = within(values, f"{path}.loot", 0, 9)
    den[c.GOAL + room], den[c.GOAL_TYPE + room] = goal, max(0, kind)
    den[c.GOAL_COUNT + room] = within(values, f"{path}.count", 0, c.MAX_ENEMIES)
    den[c.GOAL_POINTS + room] = int(within(values, f"{path}.points", 0, 99) * values["scale.objective_points"] + 0.5)
    if goal in (c.O_KILL, c.O_KILL_ADJ) and kind < 0:
        raise BadValue(f"{path}.of", f"must name the enemies that {c.OBJECTIVES[goal]} is about")
    if goal in (c.O_KILL, c.O_VISIT) and den[c.GOAL_COUNT + room] == 0:
        raise BadValue(f"{path}.count", f"must say how many {c.OBJECTIVES[goal]} asks for")


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
