"""From the numbers of a scenario to the dens: rooms, doors, who stands there, objectives, the ways."""

from __future__ import annotations

from typing import Any

from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.vengeance.fill_names import at_most, named, within
from hardmode.sim.games.vengeance.names import (
    DEN_SIZE,
    MAX_ENEMIES,
    MAX_ROOMS,
    SIDES,
    Addition,
    Den,
    Minion,
    Objective,
)
from hardmode.sim.names import write_name

BOARD_SIDES = "AB"


def boards_of(sides: list[str]) -> list[str]:
    """The boards that den sides such as 1A and 1B make, in their order."""
    for side in sides:
        if side[-1] not in BOARD_SIDES or len(side) < 2:
            raise BadValue(f"den.{side}", "is no side of a board: these are called by their board and A or B, as "
                           "6A and 6B")
        other = side[:-1] + BOARD_SIDES[side[-1] == BOARD_SIDES[0]]
        if other not in sides:
            raise BadValue(f"den.{side}", f"lacks the other side of its board, den.{other}")
    return list(dict.fromkeys(side[:-1] for side in sides))


def fill_side(box: Any, values: Values, number: int, side: str, points: list[int]) -> None:
    path = f"den.{side}"
    write_name(box.side_name[number], side)
    names = at_most(values.names(f"{path}.room"), MAX_ROOMS, f"{path}.room", 2)
    rooms = len(names)
    for room, name in enumerate(names):
        write_name(box.room_name[number, room], name)
    doors = _doors(values, path, names)
    boss_room, printed = _enemies(values, path, names)
    plain = [0] * DEN_SIZE
    plain[Den.ROOMS], plain[Den.BOSS_ROOM] = rooms, boss_room
    seen = f"{path}.previsited"
    plain[Den.PREVISITED] = sum({1, *(1 << named(seen, room, names) for room in values[seen])})
    plain[Den.DOORS:Den.DOORS + rooms] = doors
    _ways(plain, names, path)
    for room in range(rooms):
        _room(values, plain, f"{path}.room.{names[room]}", room)
    _boss_bar(values, plain, path, points)
    for addition in Addition:
        den = plain.copy()
        _populate(den, printed, _added(addition, boss_room, int(doors[boss_room])), path)
        box.den[addition * SIDES + number, :] = den
        if addition == Addition.NONE:
            _satisfiable(den, path, names)


def _boss_bar(values: Values, den: list[int], path: str, points: list[int]) -> None:
    bonus = values[f"{path}.boss_bonus"]
    if len(bonus) != len(points):
        raise BadValue(f"{path}.boss_bonus", f"must hold {len(points)} numbers, one for each printed slot")
    for slot, number in enumerate(points):
        den[Den.BOSS_POINTS + 1 + slot] = number + bonus[slot]


def _doors(values: Values, path: str, names: list[str]) -> list[int]:
    """The rooms next to each, as bits; a door names its two rooms, or numbers them from 0."""
    known = {name: room for room, name in enumerate(names)} | {str(room): room for room in range(len(names))}
    doors = [0] * len(names)
    for door in values[f"{path}.doors"]:
        ends = [known.get(end, -1) for end in door.split("-")]
        if not len(set(ends)) == len(ends) == 2 or -1 in ends:
            raise BadValue(f"{path}.doors", f"holds {door!r}; a door is two of the rooms {', '.join(names)}, by name "
                           "or counted from 0, such as 0-1")
        doors[ends[0]] |= 1 << ends[1]
        doors[ends[1]] |= 1 << ends[0]
    return doors


def _enemies(values: Values, path: str, names: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """The Boss's room, and every printed minion as (room, type)."""
    boss_rooms, printed = [], []
    for room, name in enumerate(names):
        where = f"{path}.room.{name}.enemies"
        for enemy in values[where]:
            kind = named(where, enemy, (*Minion.labels(), "BOSS"))
            if kind == len(Minion):
                boss_rooms.append(room)
            else:
                printed.append((room, kind))
    if len(boss_rooms) != 1:
        raise BadValue(f"{path}.room", f"has {len(boss_rooms)} bosses; a den has one")
    return boss_rooms[0], printed


def _ways(den: list[int], names: list[str], path: str) -> None:
    """Distances and leaps."""
    rooms = len(names)
    doors = [int(den[Den.DOORS + room]) for room in range(rooms)]
    for room in range(rooms):
        steps, reached, edge = [15] * rooms, 1 << room, 1 << room
        for step in range(rooms):
            for other in range(rooms):
                if edge >> other & 1:
                    steps[other] = step
            edge = _next_to(doors, edge) & ~reached
            reached |= edge
            if not edge:
                break
        if 15 in steps:
            raise BadValue(f"{path}.doors", f"leave {names[steps.index(15)]} cut off; a door more, such as "
                           f"0-{steps.index(15)}, leads there")
        den[Den.STEPS + room] = sum(step << (4 * other) for other, step in enumerate(steps))
        den[Den.LEAPS + room] = _next_to(doors, doors[room])


def _next_to(doors: list[int], rooms: int) -> int:
    found = 0
    for room, there in enumerate(doors):
        if rooms >> room & 1:
            found |= there
    return found


def _room(values: Values, den: list[int], path: str, room: int) -> None:
    """Loot and objective; `of` and `count` stand in every room and count where the objective asks for them."""
    goal = values.choice(f"{path}.objective", Objective.labels())
    kind = values.choice(f"{path}.of", ("none", *Minion.labels())) - 1
    den[Den.ICONS_IN + room] = within(values, f"{path}.loot", 0, 9)
    den[Den.GOAL + room], den[Den.GOAL_TYPE + room] = goal, max(0, kind)
    den[Den.GOAL_COUNT + room] = within(values, f"{path}.count", 0, MAX_ENEMIES)
    den[Den.GOAL_POINTS + room] = int(within(values, f"{path}.points", 0, 99) * values["scale.objective_points"] + 0.5)
    if goal in (Objective.KILL, Objective.KILL_ADJ) and kind < 0:
        raise BadValue(f"{path}.of", f"must name the enemies that {Objective.labels()[goal]} is about")
    if goal in (Objective.KILL, Objective.VISIT) and den[Den.GOAL_COUNT + room] == 0:
        raise BadValue(f"{path}.count", f"must say how many {Objective.labels()[goal]} asks for")


def _added(addition: Addition, boss_room: int, around: int) -> list[tuple[int, int]]:
    rooms = [room for room in range(MAX_ROOMS) if around >> room & 1]
    if addition == Addition.HENCHMAN_ADJ:
        return [(room, Minion.HENCHMAN) for room in rooms]
    if addition == Addition.GRUNT:
        return [(boss_room, Minion.GRUNT)]
    return [(rooms[0], Minion.GUNMAN)] if addition == Addition.GUNMAN_ADJ else []


def _populate(den: list[int], printed: list[tuple[int, int]], added: list[tuple[int, int]], path: str) -> None:
    """Number the minions by room and type; printed ones come before those that the Boss adds."""
    minions = [*sorted(printed), *sorted(added)]
    if len(minions) > MAX_ENEMIES:
        raise BadValue(path, f"holds {len(minions)} minions; the most is {MAX_ENEMIES}")
    den[Den.MINION_MASK] = (1 << len(minions)) - 1
    den[Den.PRINTED] = (1 << len(printed)) - 1
    for number, (room, kind) in enumerate(minions):
        den[Den.KIND_OF + number], den[Den.ROOM_OF + number] = kind, room
        den[Den.INSIDE + room] |= 1 << number
        den[Den.OF_KIND + kind] |= 1 << number
    for room in range(int(den[Den.ROOMS])):
        for other in range(int(den[Den.ROOMS])):
            if den[Den.DOORS + room] >> other & 1:
                den[Den.AROUND + room] |= den[Den.INSIDE + other]


def _satisfiable(den: list[int], path: str, names: list[str]) -> None:
    if not den[Den.INSIDE + den[Den.BOSS_ROOM]] & den[Den.OF_KIND + Minion.GRUNT]:
        raise BadValue(f"{path}.room.{names[den[Den.BOSS_ROOM]]}.enemies", "must hold a GR beside the BOSS")
    for room in range(int(den[Den.ROOMS])):
        goal, count = int(den[Den.GOAL + room]), int(den[Den.GOAL_COUNT + room])
        there = int(den[Den.OF_KIND + den[Den.GOAL_TYPE + room]]).bit_count()
        where = f"{path}.room.{names[room]}.objective"
        if (goal == Objective.KILL and count > there) or (goal == Objective.VISIT and count > den[Den.ROOMS]):
            raise BadValue(where, "can never be fulfilled in this den")
        if goal == Objective.CLEAR and not den[Den.INSIDE + room]:
            raise BadValue(where, "asks to clear a room without minions")
