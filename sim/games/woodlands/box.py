"""The box: everything printed in it as numbers, and how they are read from a scenario."""

from functools import cache
from itertools import product

import numpy as np

from hardmode.sim.contract import BadValue
from hardmode.sim.games.woodlands.names import (
    BOSSES,
    CARDS,
    COPIES,
    EVENTS,
    KINDS_OF_MONSTER,
    LOOTS,
    NO_COLOUR,
    PAIR,
    SEATS,
    TILES,
    TOKENS,
    Bramble,
    Camp,
    Colour,
    Direction,
    Effect,
    EnragedBoss,
    Hero,
    LairRule,
    LootEffect,
    Mode,
    Skill,
    Special,
    Use,
)
from hardmode.sim.games.woodlands.records import NAMED, PROBABILITIES
from hardmode.sim.games.woodlands.switches import SWITCHES, BethrasPower1, BethrasPower2, ShaviPower1, ShaviPower2
from hardmode.sim.names import read_name as letters
from hardmode.sim.names import write_name

POWERS = {
    "xylia": (("extra tile",), ("support from afar",)),
    "klethor": (("reroll one",), ("reroll any",)),
    "shavi": (ShaviPower1.labels(), ShaviPower2.labels()),
    "bethras": (BethrasPower1.labels(), BethrasPower2.labels()),
}

# What stands beside a boss's skills, and beside the effects of loot that ask for something else than an amount.
ASKED_BY_SKILL: dict[int, str] = {
    Skill.SHIELD: "skill_shield", Skill.ORBS: "skill_orbs", Skill.IMMUNE_TO_COLOUR: "skill_colour"}
AMOUNT = ("amount",)
ASKED_BY_EFFECT: dict[int, tuple[str, ...]] = {
    LootEffect.POWER_DIE: ("colour",), LootEffect.ANTIDOTE: (), LootEffect.LANTERN: (), LootEffect.CHARM: ()}

LAYOUTS = (3, 4, 5)


def fill(box, values) -> None:
    """Write the box record from a scenario's numbers."""
    _setup(box, values)
    for name, readings in SWITCHES.items():
        setattr(box, name, values.choice(f"switches.{name}", readings))
    _heroes(box, values)
    _forest(box, values)
    _monsters(box, values)
    _bosses(box, values)
    _cards(box, values)
    _lairs(box, values)
    _chapters(box, values)
    box.chance[:] = _chances()
    for what in NAMED:
        for row, name in zip(getattr(box, f"{what}_name"), values.names(what), strict=False):
            write_name(row, name)


def read_name(row) -> str:
    """A name of the box as the table says it."""
    return letters(row).replace("_", " ")


def _pair(out, values, path) -> None:
    """A cell of a card: up to two effects with their amounts."""
    effects, amounts = values[f"{path}.effects"], values[f"{path}.amounts"]
    if len(effects) != len(amounts) or len(effects) > PAIR:
        raise BadValue(f"{path}.amounts", f"must hold one number for each of at most {PAIR} effects")
    for i in range(PAIR):
        out[i] = (_named(f"{path}.effects", effects[i], Effect.labels()), amounts[i]) if i < len(effects) else (0, 0)


def _named(path, name, names) -> int:
    if name not in names:
        raise BadValue(path, f"names {name!r}; it must be one of {', '.join(names)}")
    return list(names).index(name)


def _may_be_idle(values, paths) -> None:
    """Count as read what stands beside a skill or an effect that a scenario has changed for one that does without."""
    for path in paths:
        if path in values:
            values.read.add(path)


def _colours(values, path) -> list[int]:
    return [_named(path, c, Colour.labels()) for c in values[path] if c != "none"]


def _mask(values, path) -> int:
    return sum(1 << c for c in set(_colours(values, path)))


def _faces(values, path) -> list[int]:
    faces = values[path]
    if len(faces) != 6:
        raise BadValue(path, "must hold six faces")
    return faces


def _setup(box, values) -> None:
    players = values["setup.players"]
    box.players = max(players, 2)
    box.mode = values.choice("setup.mode", Mode.labels())
    box.lairs, box.inn = values["setup.lairs"], values["setup.inn"]
    brambles = values["setup.brambles"]
    box.bramble = -1 if brambles == "any" else _named("setup.brambles", brambles, Bramble.labels())
    bosses = values.names("boss")
    boss = values["setup.boss"]
    box.boss_choice = -1 if boss == "any" else _named("setup.boss", boss, bosses)
    heroes = [h for h in values["setup.heroes"] if h != "any"]
    if len(set(heroes)) < len(heroes):
        raise BadValue("setup.heroes", "names a hero twice")
    if len(heroes) > box.players:
        raise BadValue("setup.heroes", f"names more than the {box.players} heroes in play")
    for s in range(SEATS):
        box.hero_choice[s] = _named("setup.heroes", heroes[s], Hero.labels()) if s < len(heroes) else -1
    wild = values["setup.enraged"]
    for name in wild:
        _named("setup.enraged", name, ("none", "all", *values.names("monster")))
    for k, name in enumerate(values.names("monster")):
        box.enraged[k] = "all" in wild or name in wild
    box.enraged_boss = values.choice("setup.enraged_boss", EnragedBoss.labels())
    box.eb_hearts = values["enraged_boss.hearts"]
    box.eb_track = values["enraged_boss.track"]
    box.eb_sword = values["enraged_boss.sword"]
    box.round_limit = values["limit.rounds"]
    box.tries_limit = values["limit.tries"]


def _heroes(box, values) -> None:
    for field, path in (("max_hearts", "hero.hearts"), ("max_orbs", "hero.orbs"), ("start_orbs", "hero.start_orbs"),
                        ("slots", "hero.loot_slots"), ("focus_orbs", "orbs.focus"), ("risky_orbs", "orbs.risky_move"),
                        ("power1_cost", "orbs.power_1"), ("power2_cost", "orbs.power_2"), ("price", "orbs.price"),
                        ("sale", "orbs.sale"), ("vortex_cost", "orbs.vortex"), ("raise_cost", "orbs.raise_per_hero"),
                        ("raise_hearts", "hero.raised_with")):
        setattr(box, field, values[path])
    for h, name in enumerate(Hero.labels()):
        at = f"heroes.{name}"
        box.a_least[h], box.a_cap[h] = values[f"{at}.slot_a.least"], values[f"{at}.slot_a.capacity"]
        box.b_least[h], box.b_cap[h] = values[f"{at}.slot_b.least"], values[f"{at}.slot_b.capacity"]
        first, second = POWERS[name]
        one, two = values.choice(f"{at}.power_1", first), values.choice(f"{at}.power_2", second)
        if name == "shavi":
            box.shavi_power_1, box.shavi_power_2 = one, two
        if name == "bethras":
            box.bethras_power_1, box.bethras_power_2 = one, two
    for field in ("hero", "combat", "power"):
        for i, face in enumerate(_faces(values, f"dice.{field}")):
            getattr(box, f"{field}_face")[i] = face
    tokens = values["orbs.tokens"]
    if len(tokens) != 4:
        raise BadValue("orbs.tokens", "must hold the values of the four orb tokens")
    for i, value in enumerate(tokens):
        box.well_value[i] = value


def _openings(path, letters) -> int:
    names = "NESW"
    if not letters or any(c not in names for c in letters):
        raise BadValue(path, f"is {letters!r}; it must be made of {', '.join(Direction.labels())} as N, E, S, W")
    return sum(1 << names.index(c) for c in set(letters))


def _forest(box, values) -> None:
    names = values.names("tile")
    if len(names) != TILES:
        raise BadValue("tile", f"must hold {TILES} tiles")
    runes = ("none", *Colour.labels())
    for t, name in enumerate(names):
        at = f"tile.{name}"
        box.special[t] = values.choice(f"{at}.special", Special.labels())
        box.rune[t] = values.choice(f"{at}.rune", runes) - 1
        box.chest[t], box.events[t], box.lair[t] = (values[f"{at}.{k}"] for k in ("chests", "events", "lair"))
        sides = 2 if box.special[t] == Special.DEAD_END else 1
        for side in range(sides):
            part = at if sides == 1 else f"{at}.side_{side + 1}"
            box.side_open[t][side] = _openings(f"{part}.open", values[f"{part}.open"])
            box.side_monsters[t][side] = values[f"{part}.monsters"]
            box.side_brambles[t][side] = values[f"{part}.brambles"]
        box.open[t] = box.side_open[t][0] | box.side_open[t][1]
    if sum(int(box.special[t]) == Special.DEAD_END for t in range(TILES)) > 1:
        raise BadValue("tile", "can hold only one double dead-end")
    if box.special[0] != Special.START:
        raise BadValue(f"tile.{names[0]}.special", "must be start: the first tile of the box is the first in play")
    if not any(int(box.special[t]) == Special.BOSS for t in range(TILES)):
        raise BadValue("tile", "must hold a boss tile")
    if box.inn and not any(int(box.special[t]) == Special.INN for t in range(TILES)):
        raise BadValue("setup.inn", "needs an inn tile in the box")


def _monsters(box, values) -> None:
    token = 0
    for k, name in enumerate(values.names("monster")):
        at = f"monster.{name}"
        box.mon_shield[k], box.mon_hearts[k] = values[f"{at}.shield"], values[f"{at}.hearts"]
        box.mon_sword[k] = values[f"{at}.sword"]
        for c in _colours(values, f"{at}.weak"):
            box.mon_plus[k][c] += 1
        for c in _colours(values, f"{at}.resist"):
            box.mon_plus[k][c] -= 1
        box.mon_immune[k] = _mask(values, f"{at}.immune")
        box.mon_returns[k] = values[f"{at}.returns"]
        _pair(box.mon_reward[k], values, f"{at}.reward")
        _pair(box.mon_penalty[k], values, f"{at}.penalty")
        copies = values[f"{at}.copies"]
        if token + copies > TOKENS:
            raise BadValue(f"{at}.copies", f"makes more than {TOKENS} monster tokens")
        for _ in range(copies):
            box.kind_of[token] = k
            token += 1
    box.token_n = token


def _bosses(box, values) -> None:
    names = values.names("boss")
    box.bosses_n = len(_some(names, "boss", BOSSES))
    for b, name in enumerate(names):
        at = f"boss.{name}"
        for field in ("shield", "hearts", "sword", "track", "treasure"):
            getattr(box, f"b_{field}")[b] = values[f"{at}.{field}"]
        for c in _colours(values, f"{at}.weak"):
            box.b_plus[b][c] += 1
        for c in _colours(values, f"{at}.resist"):
            box.b_plus[b][c] -= 1
        box.b_immune[b] = _mask(values, f"{at}.immune")
        _pair(box.boss_penalty_of[b], values, f"{at}.penalty")
        _skills(box, values, b, at)


def _skills(box, values, b, at) -> None:
    """The six faces of a boss's card, each with the number or the colour that its skill asks for."""
    _may_be_idle(values, (f"{at}.{name}" for name in ASKED_BY_SKILL.values()))
    for i, name in enumerate(_faces(values, f"{at}.skills")):
        skill = box.b_skill[b][i] = _named(f"{at}.skills", name, Skill.labels())
        box.b_colour[b][i] = -1
        if skill == Skill.IMMUNE_TO_COLOUR:
            box.b_colour[b][i] = values.choice(f"{at}.{ASKED_BY_SKILL[skill]}", Colour.labels())
        elif skill in ASKED_BY_SKILL:
            box.b_number[b][i] = values[f"{at}.{ASKED_BY_SKILL[skill]}"]


def _cards(box, values) -> None:
    names = values.names("loot")
    card = 0
    for k, name in enumerate(_some(names, "loot", LOOTS)):
        at = f"loot.{name}"
        box.l_use[k] = values.choice(f"{at}.use", Use.labels())
        box.l_effect[k] = values.choice(f"{at}.effect", LootEffect.labels())
        _may_be_idle(values, (f"{at}.amount", f"{at}.colour"))
        asked = ASKED_BY_EFFECT.get(box.l_effect[k], AMOUNT)
        box.l_amount[k] = values[f"{at}.amount"] if "amount" in asked else 1
        box.l_colour[k] = values.choice(f"{at}.colour", Colour.labels()) if "colour" in asked else -1
        copies = values[f"{at}.copies"]
        if card + copies > CARDS:
            raise BadValue(f"{at}.copies", f"makes more than {CARDS} loot cards")
        for _ in range(copies):
            box.loot_kind[card] = k
            card += 1
    box.loot_total = card
    for card in Bramble:
        for face in range(6):
            _pair(box.bramble_face[card * 6 + face], values, f"bramble.{card.label}.face_{face + 1}")
    events = _some(values.names("event"), "event", EVENTS)
    box.events_n = len(events)
    for i, name in enumerate(events):
        _pair(box.event[i], values, f"event.{name}")


def _lairs(box, values) -> None:
    for i, name in enumerate(_four(values, "lair_a")):
        box.lair_rule[i] = values.choice(f"lair_a.{name}.rule", LairRule.labels())
        for f in range(6):
            at = f"lair_a.{name}.face_{f + 1}"
            _pair(box.lair_a_face[i * 6 + f], values, at)
            box.lair_plus[i * 6 + f] = values[f"{at}.first_roll"] if f"{at}.first_roll" in values else 0
    for i, name in enumerate(_four(values, "lair_b")):
        for f in range(6):
            _pair(box.lair_b_face[i * 6 + f], values, f"lair_b.{name}.face_{f + 1}")
        _pair(box.lair_reward[i], values, f"lair_b.{name}.reward")
        _pair(box.lair_malus[i], values, f"lair_b.{name}.malus")
    names = values.names("inn")
    if len(names) != 5:
        raise BadValue("inn", "must hold five cards")
    for i, name in enumerate(names):
        box.inn_price[i] = values[f"inn.{name}.price"]
        _pair(box.inn_card[i], values, f"inn.{name}")


def _some(names, path, most) -> list[str]:
    if not 1 <= len(names) <= most:
        raise BadValue(path, f"has {len(names)} entries; there must be 1 to {most}")
    return names


def _four(values, path) -> list[str]:
    names = values.names(path)
    if len(names) != 4:
        raise BadValue(path, "must hold four cards")
    return names


def _chapters(box, values) -> None:
    for field, path in (("c1_potions", "1.potions"), ("c1_orbs", "1.orbs"), ("c1_vials", "1.vials"),
                        ("c1_ambush", "1.ambush"), ("c2_move", "2.hunters"),
                        ("c2_move_after", "2.hunters_after_well"), ("c2_thieves", "2.thieves"),
                        ("c3_boss_round", "3.boss_round"), ("c4_needed", "4.camps"), ("c4_horn", "4.horn"),
                        ("c4_trap", "4.trap"), ("c4_base", "4.loot"), ("c5_markers", "5.markers"),
                        ("c5_low", "5.second_row"), ("c5_high", "5.third_row"), ("c5_lost", "5.lost")):
        setattr(box, field, values[f"chapter.{path}"])
    if not 1 <= box.c5_markers <= 12:
        raise BadValue("chapter.5.markers", "must be 1 to 12")
    for n, (two, goal) in enumerate(zip(values["chapter.2.orbs"], values["chapter.3.monsters"], strict=True)):
        box.c2_target[n + 2], box.c3_goal[n + 2] = two, goal
    for i in range(8):
        box.c3_advance[i], box.c3_spawn[i] = values["chapter.3.advance"][i], values["chapter.3.spawn"][i]
    for i, name in enumerate(Camp.labels()):
        box.c4_added[i] = values[f"chapter.4.added.{name}"]
    tiles = values.names("tile")
    for i, chapter in enumerate(LAYOUTS):
        at = f"chapter.{chapter}.layout"
        names = values[f"{at}.tiles"]
        if len(names) > TILES or len({len(values[f"{at}.{k}"]) for k in ("tiles", "x", "y", "turned")}) > 1:
            raise BadValue(f"{at}.tiles", "needs one place and one turn for each tile")
        setattr(box, f"c{chapter}_tiles", len(names))
        for j, name in enumerate(names):
            box.lay_tile[i][j] = _named(f"{at}.tiles", name, tiles)
            box.lay_x[i][j], box.lay_y[i][j] = values[f"{at}.x"][j], values[f"{at}.y"][j]
            box.lay_rot[i][j] = values[f"{at}.turned"][j] // 90
    camps = values["chapter.4.layout.camps"]
    if len(camps) != 4:
        raise BadValue("chapter.4.layout.camps", "must name four tiles")
    for name in camps:
        box.c4_camp[_named("chapter.4.layout.camps", name, tiles)] = 1


@cache
def _chances() -> np.ndarray:
    """The chance that n dice give at least m hits, where s faces of six hit."""
    found = np.ones((7, PROBABILITIES, PROBABILITIES))
    for s, n in product(range(7), range(PROBABILITIES)):
        exactly = [_binomial(n, k, s / 6) for k in range(n + 1)]
        found[s, n, 1:] = [min(1.0, sum(exactly[m:])) for m in range(1, PROBABILITIES)]
    return found


def _binomial(n, k, p) -> float:
    from math import comb

    return comb(n, k) * p**k * (1 - p) ** (n - k)


assert COPIES * KINDS_OF_MONSTER == TOKENS and NO_COLOUR > len(Colour.labels())
