"""The game in words: positions, options and draws by name. The story they make is in `story`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hardmode.sim.games.woodlands.foes as foes
import hardmode.sim.games.woodlands.labels as labels
from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of
from hardmode.sim.games.woodlands.boss import boss_stands
from hardmode.sim.games.woodlands.box import read_name
from hardmode.sim.games.woodlands.names import (
    CARDS,
    FACE_DOWN,
    FACE_UP,
    HELD_FAST,
    IN_LAIR,
    MOVED,
    NOWHERE,
    SLOTS,
    TOKENS,
    Bramble,
    Camp,
    CardPlace,
    Chance,
    Colour,
    Direction,
    Effect,
    EnragedBoss,
    Hero,
    Kind,
    LairRule,
    Marker,
    Mode,
    Skill,
    Stall,
    Verb,
)
from hardmode.sim.games.woodlands.nouns import (
    HERO_NAMES,
    SPECIAL_A,
    SPECIAL_B,
    boss_name,
    cell_name,
    die_words,
    hero_name,
    kind_name,
    loot_name,
    monster_name,
    place_name,
    power_name,
    slot_name,
    tile_name,
)
from hardmode.sim.games.woodlands.story import picture, tell

__all__ = ["face", "label", "option", "picture", "state", "tell"]

REASONS = {1: "a hero entered", 2: "the stack is empty", 3: "the chapter"}


# --- options -------------------------------------------------------------------------------------


def label(box: Any, number: int) -> str:
    """A kind of option by name."""
    return labels.name(box, number)


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    verb, a, b = verb_of(code), first_of(code), second_of(code)
    told: dict[str, Any] = {"do": Verb.labels()[verb]}
    if verb == Verb.PLACE:
        return told | {"tile": tile_name(box, table.tile), "at": cell_name(a), "turned": 90 * b}
    if verb in (Verb.STEP, Verb.RISKY_STEP, Verb.FLEE, Verb.RISKY_FLIGHT):
        p = table.at[table.active]
        q = table.link[p][a]
        told |= {"to the": Direction.labels()[a], "tile": place_name(box, table, q) if q >= 0 else "unknown"}
        return told | _struck(box, table, p)
    if verb in (Verb.FIGHT, Verb.FREEZE):
        foe = table.foe if table.kind == Kind.FROST else a
        return told | {"monster": monster_name(box, table, foe), "number": foe}
    if verb == Verb.KEEP:
        return told | {"dice": [table.die[i] for i in range(4) if a >> i & 1]}
    if verb == Verb.ASSIGN:
        return told | {"die": table.die[b], "slot": slot_name(table, a)}
    if verb == Verb.HERO_REROLL:
        return told | {"die": table.die[a]}
    if verb == Verb.RECIPIENT:
        return told | {"of": Effect.labels()[table.drawn_by], "hero": hero_name(table, a)}
    if verb in (Verb.RAISE, Verb.ORB_FOR_A_HEART):
        return told | {"hero": hero_name(table, a)}
    if verb == Verb.UNLOCK:
        return told | {"power": power_name(box, table, table.seat)}
    if verb == Verb.VORTEX:
        return told | _struck(box, table, table.at[table.active])
    if verb == Verb.PICK_UP:
        told["marker"] = Marker.labels()[max(0, table.quest_down[table.at[table.active]] - FACE_UP)]
        return told | ({"instead of": loot_name(box, table.loot[table.seat][a - 1] - 1)} if a else {})
    if verb == Verb.REMEDY:
        return told | {"hero": hero_name(table, a), "marker": Effect.labels()[b]}
    if verb in (Verb.TARGET, Verb.PILE, Verb.TOTEM, Verb.DESPERATE_TOTEM, Verb.GIVE_MARKER) or table.kind == Kind.TRADE:
        return told | _of_chapter(box, table, verb, a, b)
    return told | _with_card(box, table, verb, a, b)


def _struck(box: Any, table: Any, p: int) -> dict[str, Any]:
    """The monsters that strike a hero who leaves a place."""
    there = [monster_name(box, table, m) for m in range(TOKENS) if table.mon_frozen[m] == 0
             and table.mon_at[m] >= 0 and table.spot[table.mon_at[m]] == table.spot[p]]
    return {"struck by": there} if there and not boss_stands(table, p) else {}


def _of_chapter(box: Any, table: Any, verb: int, a: int, b: int) -> dict[str, Any]:
    """Options that only chapters and the campaign know."""
    if table.kind == Kind.TRADE:
        if verb != Verb.GIVE:
            return {}
        s, i = a // SLOTS, a % SLOTS
        return {"from": hero_name(table, s), "card": loot_name(box, table.loot[s][i] - 1), "to": hero_name(table, b)}
    if verb == Verb.PILE:
        return {"pile": a + 1}
    if verb in (Verb.TOTEM, Verb.DESPERATE_TOTEM):
        return {"rune": Colour.labels()[a]}
    if verb == Verb.GIVE_MARKER:
        return {"marker": Marker.labels()[a], "hero": hero_name(table, b)}
    if table.kind == Kind.WAKE:
        return {"type": kind_name(box, a)}
    if table.kind == Kind.HUNT:
        return {"hero": hero_name(table, a), "monster": monster_name(box, table, b), "number": b}
    return {"tile": place_name(box, table, a), "place": a}


def _die(table: Any, which: int) -> dict[str, Any]:
    """A die of the combat; of dice that show the same, which of them."""
    name = die_words(table, which)
    alike = [i for i in range(int(table.dice_n)) if die_words(table, i) == name]
    return {"die": name, **({"number": alike.index(which) + 1} if len(alike) > 1 and which in alike else {})}


def _one_of(box: Any, cards: list[int], which: int) -> dict[str, Any]:
    """A card in hand or just drawn; of like ones, which of them."""
    names = [loot_name(box, card - 1) if card else "" for card in cards]
    alike = [i for i, name in enumerate(names) if name == names[which]]
    return {"card": names[which], **({"number": alike.index(which) + 1} if len(alike) > 1 else {})}


def _with_card(box: Any, table: Any, verb: int, a: int, b: int) -> dict[str, Any]:
    """Options that name a card, a die of the combat, or a tile of the stack."""
    s = table.seat
    if verb in (Verb.ORB_REROLL, Verb.POWER_1_REROLL, Verb.MARK, Verb.POWER_DIE_REROLL):
        return _die(table, a)
    if verb == Verb.BETTER_DIE:
        return {**_die(table, a), "card": loot_name(box, table.loot[s][b] - 1)}
    if verb == Verb.BUY:
        names = [loot_name(box, card - 1) for card in table.stock[a] if card]
        name = loot_name(box, table.stock[a][b] - 1)
        return {"card": name, "of": Stall.labels()[a], **({"space": b + 1} if names.count(name) > 1 else {})}
    if verb in (Verb.GIVE, Verb.HEAL, Verb.ANTIDOTE):
        return {"card": loot_name(box, table.loot[s][a] - 1), "hero": hero_name(table, b)}
    if verb == Verb.DISCARD:
        return _one_of(box, [*table.loot[s], table.drawn], a)
    if verb in (Verb.SELL, Verb.USE, Verb.BOOTS, Verb.POUCH, Verb.LANTERN, Verb.BOMB):
        return {"card": loot_name(box, table.loot[s][a] - 1)}
    if verb == Verb.PUT_TOP:
        return {"tile": tile_name(box, table.top[a])}
    return {}


# --- the position ---------------------------------------------------------------------------------


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    """Everything on the table, and what lies face down."""
    return {"open": _open(box, table), "hidden": _hidden(box, table, hidden)}


def _open(box: Any, table: Any) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "mode": Mode.labels()[box.mode], "round": table.round, "bramble card": Bramble.labels()[table.brambles],
        "turn of": hero_name(table, table.active) if table.turns else None,
        "tiles left": table.stack_n, "monster tokens left": table.mon_n, "loot cards left": table.loot_n,
        "event cards left": table.event_n,
        "heroes": [_hero(box, table, s) for s in range(table.seats)],
        "forest": [_place(box, table, p) for p in range(table.places)],
        "boss": _boss(box, table), "monsters": [_monster(box, table, m) for m in range(TOKENS)
                                                if table.mon_at[m] != NOWHERE],
        "combats won": {kind_name(box, k): table.won_by[k] for k in range(5)},
        "combats lost": {kind_name(box, k): table.lost_to[k] for k in range(5)},
        "hearts lost to": {"monsters": table.hurt_monster, "boss": table.hurt_boss, "brambles": table.hurt_bramble,
                           "poison": table.hurt_poison, "others": table.hurt_other},
        "monster discard": [kind_name(box, box.kind_of[i]) for i in range(TOKENS) if table.mon_out[i]],
        "loot discard": [loot_name(box, c) for c in range(CARDS) if table.loot_where[c] == CardPlace.DISCARD],
        "event discard": [read_name(box.event_name[i]) for i in range(box.events_n) if table.event_gone[i]],
        "enraged": [kind_name(box, k) for k in range(5) if table.enraged[k]],
        "enraged boss": EnragedBoss.labels()[box.enraged_boss],
        "tiles known on top": [tile_name(box, table.top[i]) for i in range(table.top_n)],
        "tiles known below": [tile_name(box, table.under[i]) for i in range(table.under_n)],
    }
    if table.asking and table.ending < 0:
        seen["to decide"] = {"what": Kind.labels()[table.kind], "who": hero_name(table, table.seat)}
    if table.turns:
        seen |= _turn(table)
    for stall, name in enumerate(Stall.labels()):
        if table.stock_at[stall]:
            seen[name] = [loot_name(box, c - 1) for c in table.stock[stall] if c]
    if table.asking and table.kind in (Kind.SUPPORT, Kind.PREPARE_COMBAT, Kind.CHANGE_ROLL, Kind.FROST, Kind.PARRY):
        seen["combat"] = _combat(box, table)
    if table.in_lair:
        seen["lair"] = {"A": read_name(box.lair_a_name[table.lair_a]), "B": read_name(box.lair_b_name[table.lair_b]),
                        "rule": LairRule.labels()[box.lair_rule[table.lair_a]], "space": table.lair_space,
                        "events done": table.lair_events,
                        "inside": [hero_name(table, s) for s in range(table.seats) if table.lair_party[s]]}
    if table.chapter:
        seen["chapter"] = _chapter(box, table)
    if table.kind == Kind.PLACE and table.asking:
        seen["tile drawn"] = tile_name(box, table.tile)
    if table.kind == Kind.DISCARD and table.asking and table.drawn:
        seen["card drawn"] = loot_name(box, table.drawn - 1)
    return seen


def _turn(table: Any) -> dict[str, Any]:
    """The active hero's dice, and what they are still good for."""
    hero = table.hero[table.active]
    left = {"steps": table.moves, "focus": table.focus, "power die": table.summoned,
            SPECIAL_A[hero]: table.agility + table.transport + (table.a_left if hero >= Hero.SHAVI else 0),
            SPECIAL_B[hero]: table.precision + table.stance[table.active] + (table.b_left if hero >= Hero.SHAVI else 0)}
    return {"hero dice": [{"die": table.die[i], "slot": slot_name(table, table.die_slot[i])
                           if table.die_slot[i] >= 0 else None} for i in range(4)],
            "this turn": left | {"boss fought": bool(table.boss_fought)}}


def _combat(box: Any, table: Any) -> dict[str, Any]:
    """The combat that is going on: the foe as it counts now, who takes part, the dice."""
    foe = table.foe
    return {"against": monster_name(box, table, foe), "number": foe, "shield": foes.shield_of(box, table, foe),
            "hearts": foes.hearts_of(box, table, foe), "sword": foes.sword_of(box, table, foe),
            "leaf shields": foes.leaves_of(table, foe),
            "taking part": [hero_name(table, s) for s in range(table.seats) if table.joined[s]],
            "hits without dice": table.auto_hits, "brew dice": table.brewed,
            "dice": [die_words(table, i) for i in range(table.dice_n)]}


def _chapter(box: Any, table: Any) -> dict[str, Any]:
    """The state of the chapter's task."""
    told: dict[str, Any] = {"chapter": table.chapter, "its round": table.chapter_round}
    if table.campaign:
        told["tries ended"] = [table.tries_of[c] for c in range(1, 6)]
    if table.chapter == 1:
        told |= {"potions": table.potions, "markers": {hero_name(table, s): {
            Marker.labels()[k]: table.markers[s][k] for k in range(4) if table.markers[s][k]}
            for s in range(table.seats)}}
    elif table.chapter == 2:
        told |= {"orb tokens lost": table.orbs_lost, "orb tokens": {hero_name(table, s): [
            box.well_value[i] for i in range(4) if table.carried[s][i]] for s in range(table.seats)}}
    elif table.chapter == 3:
        told |= {"bosses beaten": table.bosses_beaten, "monsters beaten": sum(table.beaten[k] for k in range(5)),
                 "monsters needed": box.c3_goal[table.seats]}
    elif table.chapter == 4:
        told |= {"cards in the piles": [table.pile_n[k] for k in range(4)],
                 "ashes pile": table.ashes_pile + 1 if table.ashes_pile >= 0 else None,
                 "three camps were clear": bool(table.reached)}
    elif table.chapter == 5:
        told |= {"totems": [Colour.labels()[k] for k in range(4) if table.totems >> k & 1], "supply": table.supply,
                 "corrupted tiles": table.corrupt_tiles,
                 "corrupted cells": [cell_name(table.corrupt_cell[i]) for i in range(table.corrupt_cells)]}
    return told


def _hero(box: Any, table: Any, s: int) -> dict[str, Any]:
    marks = [n for n, has in (("poison", table.poison[s]), ("entangled", table.entangled[s]), ("song", table.song[s]),
                              ("stance", table.stance[s]), ("immobilised", table.immobile[s] == HELD_FAST),
                              ("movement ended", table.immobile[s] == MOVED)) if has]
    cards = [loot_name(box, table.loot[s][i] - 1) + (" (turned over)" if table.used[s][i] else "")
             for i in range(SLOTS) if table.loot[s][i]]
    return {"hero": hero_name(table, s), "at": place_name(box, table, table.at[s]), "place": table.at[s],
            "hearts": table.hp[s], "orbs": table.orbs[s], "powers": table.powers[s], "loot": cards, "markers": marks,
            "orb token taken": bool(table.well_taken[s])}


def _place(box: Any, table: Any, p: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "place": p, "tile": place_name(box, table, p), "at": cell_name(table.cell[p]), "turned": 90 * table.rot[p],
        "open to": [Direction.labels()[d] for d in range(4) if table.open[p] >> d & 1],
        "leads to": {Direction.labels()[d]: int(table.link[p][d]) for d in range(4) if table.link[p][d] >= 0},
    }
    rune = box.rune[table.tile_of[p]]
    more = {"brambles": table.bramble[p], "chests": table.chests[p], "event": table.events[p],
            "orb tokens": table.tokens[p], "lair": table.lair_open[p],
            "rune": Colour.labels()[rune] if rune >= 0 else 0,
            "far side": table.far[p], "corrupted": table.corrupt[p], "+1 shield": table.plus_shield[p],
            "quest marker": _quest(table.quest_down[p]), "camp": _camp(table.camp[p]), "looted": table.looted[p]}
    told |= {k: v for k, v in more.items() if v}
    monsters = [monster_name(box, table, m) for m, at in zip(range(TOKENS), table.mon_at, strict=False) if at == p]
    if monsters:
        told["monsters"] = monsters
    if table.boss_at == p:
        told["boss"] = boss_name(box, table) if not table.boss_shown or table.boss_alive else "beaten"
    return told


def _quest(down: int) -> str:
    return "" if down == 0 else "face down" if down == FACE_DOWN else Marker.labels()[down - FACE_UP]


def _camp(camp: int) -> str:
    return "" if camp == 0 else "face down" if camp == FACE_DOWN else Camp.labels()[camp - FACE_UP]


def _monster(box: Any, table: Any, m: int) -> dict[str, Any]:
    """A monster token in play; its number stays with it."""
    extra = [f"orb token of {box.well_value[i]}" for i in range(4) if table.mon_orbs[m] >> i & 1]
    extra += [n for n, has in (("leaf shield", table.mon_leaf[m]), ("frozen", table.mon_frozen[m]),
                              ("beaten once", table.mon_wins[m])) if has]
    where = "the lair" if table.mon_at[m] == IN_LAIR else place_name(box, table, table.mon_at[m])
    name = monster_name(box, table, m)
    return {"number": m, "monster": name, "on": where, "place": table.mon_at[m]} | ({"with": extra} if extra else {})


def _boss(box: Any, table: Any) -> dict[str, Any]:
    if not table.boss_shown:
        return {"card": "face down" if table.boss_at >= 0 else "in the deck"}
    return {"card": boss_name(box, table), "revealed": REASONS.get(table.reveal_how, ""), "threat": table.threat,
            "track": table.boss_track, "leaf shields": table.boss_leaf, "alive": bool(table.boss_alive),
            "fights": table.boss_fights, "last skill": Skill.labels()[table.skill - 1] if table.skill else None}


def _hidden(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    down = {str(m): kind_name(box, box.kind_of[hidden.mon_id[m]]) for m in range(TOKENS)
            if table.mon_at[m] != NOWHERE and table.mon_type[m] < 0}
    return {
        "tiles, next first": [tile_name(box, hidden.stack[i]) for i in range(table.stack_n - 1, -1, -1)],
        "monster tokens, next first": [kind_name(box, box.kind_of[hidden.mon_stack[i]])
                                       for i in range(table.mon_n - 1, -1, -1)],
        "monsters face down": down,
        "loot, next first": [loot_name(box, hidden.loot[i]) for i in range(table.loot_n - 1, -1, -1)],
        "inn cards, next first": [read_name(box.inn_name[hidden.inn[i]]) for i in range(table.inn_n - 1, -1, -1)],
        "events, next first": [read_name(box.event_name[hidden.event[i]]) for i in range(table.event_n - 1, -1, -1)],
        "bosses, next first": [read_name(box.boss_name[hidden.boss[i]])
                               for i in range(table.bosses_drawn, box.bosses_n)],
        "orb tokens, next first": [int(box.well_value[hidden.well[i]]) for i in range(table.tokens_taken, 4)],
        "lairs, next first": [[read_name(box.lair_a_name[hidden.lair_a[i]]),
                               read_name(box.lair_b_name[hidden.lair_b[i]])] for i in range(table.lairs_used, 4)],
        "quest markers face down": {str(p): Marker.labels()[hidden.quest_at[p] // 2] for p in range(table.places)
                                    if table.quest_down[p] == FACE_DOWN},
        "camps face down": {str(p): Camp.labels()[hidden.camp_at[p]]
                            for p in range(table.places) if table.camp[p] == FACE_DOWN},
        "piles": [[loot_name(box, hidden.pile[k][i]) for i in range(table.pile_n[k])] for k in range(4)],
    }


# --- draws ----------------------------------------------------------------------------------------


def face(box: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> str | float | int:
    """The result of a draw; a card of a shuffled pile by its name."""
    if n == -1:
        return result / 2**53
    if n:
        faces: dict[int, Any] = {
            Chance.HERO_DIE: box.hero_face, Chance.COMBAT_DIE: box.combat_face, Chance.POWER_DIE: box.power_face}
        if where == Chance.ENRAGE or (where == Chance.HERO_DRAW and n == 3):
            return result + 1 if where == Chance.ENRAGE else Bramble.labels()[result]
        return int(faces[where][result]) if where in faces else result + 1
    piles: dict[int, Callable[[], str]] = {
        Chance.TILE_STACK: lambda: tile_name(box, b),
        Chance.MONSTER_STACK: lambda: kind_name(box, box.kind_of[b]),
        Chance.LOOT_DECK: lambda: loot_name(box, b),
        Chance.EVENT_DECK: lambda: read_name(box.event_name[b]),
        Chance.BOSS_DECK: lambda: read_name(box.boss_name[b]),
        Chance.HERO_DRAW: lambda: HERO_NAMES[b],
        Chance.WELL_TOKENS: lambda: str(box.well_value[b]),
        Chance.LAIR_A: lambda: read_name(box.lair_a_name[b]),
        Chance.LAIR_B: lambda: read_name(box.lair_b_name[b]),
        Chance.INN_DECK: lambda: read_name(box.inn_name[b]),
        Chance.CAMPS: lambda: Camp.labels()[b],
        Chance.QUESTS: lambda: Marker.labels()[b // 2],
        Chance.PILES: lambda: loot_name(box, b),
    }
    return piles[where]() if where in piles else b
