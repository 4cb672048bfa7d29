"""From the numbers of a scenario to what players hold: basic skills, heroes with their skills and items, Bosses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import hardmode.sim.games.vengeance.components as c
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.vengeance.names import at_most, named, within, write_name

CHARGES = {"K_RR_GK": "", "G_RR_GK": "G R R G|K", "R_KK_RG": "R K K R|G", "R_KK_GK": "R K K G|K"}
FITTING = {"R": "R", "G": "G", "K": "KD", "D": "D"}  # a D fills any K
NOTHING = "none"
NOT_THERE = 1 << 30  # what a skill costs that the hero does not have


def fillings_of(slots: Sequence[str]) -> list[int]:
    """The distinct groups of dice (packed) that fill a requirement."""
    found = set()
    for dice in product(*("".join(FITTING[part] for part in slot.split("|")) for slot in slots)):
        found.add(sum(1 << (4 * c.FACES.index(face)) for face in dice))
    return sorted(found)


def _requirement(box: Any, row: int, path: str, slots: Sequence[str]) -> None:
    for slot in slots:
        if any(part not in FITTING for part in slot.split("|")):
            raise BadValue(path, f"asks for {slot!r}; a slot is R, G, K, D or a choice such as G|K")
    if not 1 <= len(slots) <= 4:
        raise BadValue(path, f"asks for {len(slots)} dice; it must be 1 to 4")
    found = fillings_of(slots)
    if len(found) > c.MAX_FILLINGS:
        raise BadValue(path, "can be filled in too many ways")
    box.size[row], box.fillings[row] = len(slots), len(found)
    box.filling[row, :len(found)] = found


def _effects(box: Any, row: int, path: str, effects: Sequence[str], more: Sequence[str] = ()) -> None:
    if not effects or len(effects) + len(more) > c.MAX_EFFECT:
        raise BadValue(path, f"must hold 1 to {c.MAX_EFFECT} actions")
    codes = [named(path, effect, c.EFFECTS) for effect in (*effects, *more)]
    box.effect[row, :len(codes)] = codes
    box.length[row], box.sharp_length[row] = len(effects), len(codes)
    if box.timing[row] == c.IN_COMBAT:  # what strategies count on: six bits for each action
        box.contents[row] = sum(1 << (6 * code) for code in codes[:len(effects)])
        box.sharp_contents[row] = sum(1 << (6 * code) for code in codes)


def fill_basic(box: Any, values: Values) -> None:
    charge = values.choice("switches.charge_req", list(CHARGES))
    for row, name in enumerate(c.BASIC_NAMES):
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
        power = 1 << named(f"{path}.trait", trait, c.POWERS)
        box.trait[number] = power if values["house.traits"] else 0
    skills = at_most(values.names(f"{path}.skill"), c.OWN_SKILLS, f"{path}.skill")
    items = at_most(values.names(f"{path}.item"), c.ITEMS, f"{path}.item", 0)
    for k in range(c.OWN_SKILLS):
        row = c.ROW_SKILL + number * c.OWN_SKILLS + k
        if k < len(skills):
            _skill(box, values, row, f"{path}.skill.{skills[k]}", skills[k])
        else:
            box.cost[row] = NOT_THERE
    for k, item in enumerate(items):
        _item(box, values, c.ROW_ITEM + number * c.ITEMS + k, f"{path}.item.{item}", item, skills)


def _skill(box: Any, values: Values, row: int, path: str, name: str) -> None:
    write_name(box.tile_name[row], f"{name} {values[f'{path}.label']}")
    box.cost[row] = within(values, f"{path}.cost", 0, c.MAX_TRACK)
    box.timing[row] = values.choice(f"{path}.timing", c.TIMINGS)
    box.once[row] = int(values[f"{path}.once"])
    effect, dice, slots = values[f"{path}.effect"], values[f"{path}.dice"], within(values, f"{path}.focus", 0, 3)
    if box.timing[row] == c.PASSIVE:
        if dice or slots:
            raise BadValue(path, "is passive: it takes no dice and has no focus slots")
        for code in effect:
            box.power[row] |= 1 << named(f"{path}.effect", code, c.POWERS)
        return
    box.slots[row] = slots
    _requirement(box, row, f"{path}.dice", dice)
    _effects(box, row, f"{path}.effect", effect)


def _item(box: Any, values: Values, row: int, path: str, name: str, skills: list[str]) -> None:
    write_name(box.tile_name[row], name)
    box.capacity[row] = within(values, f"{path}.uses", 0, 12)
    box.timing[row] = values.choice(f"{path}.timing", c.TIMINGS[:c.PASSIVE])
    _effects(box, row, f"{path}.effect", values[f"{path}.effect"])
    box.modifies[row] = values.choice(f"{path}.modifies", [NOTHING, *c.BASIC_NAMES, *skills])


def fill_boss(box: Any, values: Values, number: int, boss: str) -> None:
    path = f"boss.{boss}"
    write_name(box.boss_name[number], boss)
    box.health[number] = within(values, f"{path}.health", 1, 8)  # the slots printed on a den
    effect = values[f"{path}.effect"]
    if effect in c.ADDITIONS:
        box.addition[number] = c.ADDITIONS.index(effect)
    else:
        box.boss_power[number] = 1 << named(f"{path}.effect", effect, (*c.POWERS, *c.ADDITIONS))
