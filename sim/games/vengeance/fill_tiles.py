"""From the numbers of a scenario to what players hold: basic skills, heroes with their skills and items, Bosses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.vengeance.fill_names import at_most, named, within
from hardmode.sim.games.vengeance.names import (
    ITEMS,
    MAX_EFFECT,
    MAX_FILLINGS,
    MAX_TRACK,
    OWN_SKILLS,
    ROW_ITEM,
    ROW_SKILL,
    Action,
    Addition,
    Basic,
    Face,
    Power,
    Timing,
)
from hardmode.sim.names import write_name

CHARGES = {"K_RR_GK": "", "G_RR_GK": "G R R G|K", "R_KK_RG": "R K K R|G", "R_KK_GK": "R K K G|K"}
FITTING = {"R": "R", "G": "G", "K": "KD", "D": "D"}  # a D fills any K
NOTHING = "none"
NOT_THERE = 1 << 30  # what a skill costs that the hero does not have


@cache
def fillings_of(slots: tuple[str, ...]) -> list[int]:
    """The distinct groups of dice (packed) that fill a requirement."""
    found = set()
    for dice in product(*("".join(FITTING[part] for part in slot.split("|")) for slot in slots)):
        found.add(sum(1 << (4 * Face.labels().index(face)) for face in dice))
    return sorted(found)


def _requirement(box: Any, row: int, path: str, slots: Sequence[str]) -> None:
    for slot in slots:
        if any(part not in FITTING for part in slot.split("|")):
            raise BadValue(path, f"asks for {slot!r}; a slot is R, G, K, D or a choice such as G|K")
    if not 1 <= len(slots) <= 4:
        raise BadValue(path, f"asks for {len(slots)} dice; it must be 1 to 4")
    found = fillings_of(tuple(slots))
    if len(found) > MAX_FILLINGS:
        raise BadValue(path, "can be filled in too many ways")
    box.size[row], box.fillings[row] = len(slots), len(found)
    box.filling[row, :len(found)] = found


def _effects(box: Any, row: int, path: str, effects: Sequence[str], more: Sequence[str] = ()) -> None:
    if not effects or len(effects) + len(more) > MAX_EFFECT:
        raise BadValue(path, f"must hold 1 to {MAX_EFFECT} actions")
    codes = [named(path, effect, Action.labels()) for effect in (*effects, *more)]
    box.effect[row, :len(codes)] = codes
    box.length[row], box.sharp_length[row] = len(effects), len(codes)
    if box.timing[row] == Timing.COMBAT:  # what strategies count on: six bits for each action
        box.contents[row] = sum(1 << (6 * code) for code in codes[:len(effects)])
        box.sharp_contents[row] = sum(1 << (6 * code) for code in codes)


def fill_basic(box: Any, values: Values) -> None:
    charge = values.choice("switches.charge_req", list(CHARGES))
    for row, name in enumerate(Basic.labels()):
        path = f"basic.{name}"
        write_name(box.tile_name[row], name)
        slots = values[f"{path}.dice"]
        if name == "CHARGE" and charge:
            slots = list(CHARGES.values())[charge].split()
        _requirement(box, row, f"{path}.dice", slots)
        more = values[f"{path}.with_d"] if f"{path}.with_d" in values else ()
        _effects(box, row, f"{path}.effect", values[f"{path}.effect"], more)
        box.slots[row] = values[f"{path}.focus"]


def fill_hero(box: Any, values: Values, number: int, hero: str) -> None:
    path = f"hero.{hero}"
    write_name(box.hero_name[number], hero)
    trait = values[f"{path}.trait"]
    if trait != NOTHING:
        power = 1 << named(f"{path}.trait", trait, Power.labels())
        box.trait[number] = power if values["house.traits"] else 0
    skills = at_most(values.names(f"{path}.skill"), OWN_SKILLS, f"{path}.skill")
    items = at_most(values.names(f"{path}.item"), ITEMS, f"{path}.item", 0)
    for k in range(OWN_SKILLS):
        row = ROW_SKILL + number * OWN_SKILLS + k
        if k < len(skills):
            _skill(box, values, row, f"{path}.skill.{skills[k]}", skills[k])
        else:
            box.cost[row] = NOT_THERE
    for k, item in enumerate(items):
        _item(box, values, ROW_ITEM + number * ITEMS + k, f"{path}.item.{item}", item, skills)


def _skill(box: Any, values: Values, row: int, path: str, name: str) -> None:
    write_name(box.tile_name[row], f"{name} {values[f'{path}.label']}")
    box.cost[row] = within(values, f"{path}.cost", 0, MAX_TRACK)
    box.timing[row] = values.choice(f"{path}.timing", Timing.labels())
    box.once[row] = int(values[f"{path}.once"])
    effect, dice, slots = values[f"{path}.effect"], values[f"{path}.dice"], within(values, f"{path}.focus", 0, 3)
    if box.timing[row] == Timing.PASSIVE:
        if dice or slots:
            raise BadValue(path, "is passive: it takes no dice and has no focus slots")
        for code in effect:
            box.power[row] |= 1 << named(f"{path}.effect", code, Power.labels())
        return
    box.slots[row] = slots
    _requirement(box, row, f"{path}.dice", dice)
    _effects(box, row, f"{path}.effect", effect)


def _item(box: Any, values: Values, row: int, path: str, name: str, skills: list[str]) -> None:
    write_name(box.tile_name[row], name)
    box.capacity[row] = within(values, f"{path}.uses", 0, 12)
    box.timing[row] = values.choice(f"{path}.timing", Timing.labels()[:Timing.PASSIVE])
    _effects(box, row, f"{path}.effect", values[f"{path}.effect"])
    box.modifies[row] = values.choice(f"{path}.modifies", [NOTHING, *Basic.labels(), *skills])


def fill_boss(box: Any, values: Values, number: int, boss: str) -> None:
    path = f"boss.{boss}"
    write_name(box.boss_name[number], boss)
    box.health[number] = within(values, f"{path}.health", 1, 8)  # the slots printed on a den
    effect = values[f"{path}.effect"]
    if effect in Addition.labels():
        box.addition[number] = Addition.labels().index(effect)
    else:
        box.boss_power[number] = 1 << named(f"{path}.effect", effect, (*Power.labels(), *Addition.labels()))
