"""The game in words: positions, options and draws by name. The story they make is in `story`."""

from __future__ import annotations

from typing import Any

from hardmode.sim.games.woodlands import foes
from hardmode.sim.games.woodlands import table as t
from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of
from hardmode.sim.games.woodlands.boss import boss_stands
from hardmode.sim.games.woodlands.box import BRAMBLES, CAMP_NAMES, ENRAGED_BOSS, MODES, read_name
from hardmode.sim.games.woodlands.story import picture, tell
from hardmode.sim.games.woodlands.table import COLOURS, DIRECTIONS, MONSTERS

__all__ = ["face", "option", "picture", "state", "tell"]

FACE_DOWN = "face down"
REASONS = {1: "a hero entered", 2: "the stack is empty", 3: "the chapter"}
HERO_NAMES = ("Xylia", "Klethor", "Sha'Vi", "Bethras")
SPECIAL_A = ("agility", "transport", "healing aura", "remedy")
SPECIAL_B = ("precision", "defensive stance", "frost bolt", "brew")
POWER_NAMES = (("one more tile", "support from afar"), ("reroll one die", "reroll any dice"),
               ("an orb for a heart", "better power dice"), ("no markers", "one more combat die"))


def hero_name(table: Any, s: int) -> str:
    return HERO_NAMES[table.hero[s]]


def slot_name(table: Any, slot: int) -> str:
    """A slot of the active hero's board by what it does."""
    hero = table.hero[table.active]
    return ("unused", "move", "focus", SPECIAL_A[hero], SPECIAL_B[hero], "summon")[slot]


def loot_name(box: Any, card: int) -> str:
    return read_name(box.loot_name[box.loot_kind[card]])


def tile_name(box: Any, tile: int) -> str:
    return read_name(box.tile_name[tile])


def place_name(box: Any, table: Any, p: int) -> str:
    """A place by its tile; the two sides of the double dead-end are told apart."""
    name = tile_name(box, table.tile_of[p])
    if table.special[p] == t.DEAD_END:
        name += ", bramble side" if table.bramble[p] else ", monster side"
    return name


def cell_name(cell: int) -> list[int]:
    """East and south of the first tile."""
    return [cell % t.SIDE - t.CENTRE % t.SIDE, cell // t.SIDE - t.CENTRE // t.SIDE]


def monster_name(box: Any, table: Any, m: int) -> str:
    if m == t.BOSS_FOE:
        return boss_name(box, table)
    return MONSTERS[table.mon_type[m]] if table.mon_type[m] >= 0 else "face-down monster"


def boss_name(box: Any, table: Any) -> str:
    return read_name(box.boss_name[table.boss]) if table.boss_shown else "face-down boss"


# --- options -------------------------------------------------------------------------------------


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    verb, a, b = verb_of(code), first_of(code), second_of(code)
    told: dict[str, Any] = {"do": t.VERBS[verb]}
    if verb == t.V_PLACE:
        return told | {"tile": tile_name(box, table.tile), "at": cell_name(a), "turned": 90 * b}
    if verb in (t.V_STEP, t.V_RISKY, t.V_FLEE, t.V_FLEE_RISKY):
        p = table.at[table.active]
        q = table.link[p][a]
        told |= {"to the": DIRECTIONS[a], "tile": place_name(box, table, q) if q >= 0 else "unknown"}
        return told | _struck(box, table, p)
    if verb in (t.V_FIGHT, t.V_FREEZE):
        foe = table.foe if table.kind == t.K_FROST else a
        return told | {"monster": monster_name(box, table, foe), "number": foe}
    if verb == t.V_KEEP:
        return told | {"dice": [table.die[i] for i in range(4) if a >> i & 1]}
    if verb == t.V_ASSIGN:
        return told | {"die": table.die[b], "slot": slot_name(table, a)}
    if verb == t.V_HERO_REROLL:
        return told | {"die": table.die[a]}
    if verb == t.V_SHARE:
        return told | {"of": t.EFFECTS[table.drawn_by], "hero": hero_name(table, a)}
    if verb in (t.V_RAISE, t.V_ORB_HEART):
        return told | {"hero": hero_name(table, a)}
    if verb == t.V_UNLOCK:
        return told | {"power": power_name(box, table, table.seat)}
    if verb == t.V_VORTEX:
        return told | _struck(box, table, table.at[table.active])
    if verb == t.V_PICK_UP:
        told["marker"] = MARKERS[max(0, table.quest_down[table.at[table.active]] - 2)]
        return told | ({"instead of": loot_name(box, table.loot[table.seat][a - 1] - 1)} if a else {})
    if verb == t.V_REMEDY:
        return told | {"hero": hero_name(table, a), "marker": t.EFFECTS[b]}
    if verb in (t.V_TARGET, t.V_PILE, t.V_TOTEM, t.V_DESPAIR, t.V_GIVE_MARKER) or table.kind == t.K_TRADE:
        return told | _of_chapter(box, table, verb, a, b)
    return told | _with_card(box, table, verb, a, b)


def _struck(box: Any, table: Any, p: int) -> dict[str, Any]:
    """The monsters that strike a hero who leaves a place."""
    there = [monster_name(box, table, m) for m in range(t.TOKENS) if table.mon_frozen[m] == 0
             and table.mon_at[m] >= 0 and table.spot[table.mon_at[m]] == table.spot[p]]
    return {"struck by": there} if there and not boss_stands(table, p) else {}


def _of_chapter(box: Any, table: Any, verb: int, a: int, b: int) -> dict[str, Any]:
    """Options that only chapters and the campaign know."""
    if table.kind == t.K_TRADE:
        if verb != t.V_GIVE:
            return {}
        s, i = a // t.SLOTS, a % t.SLOTS
        return {"from": hero_name(table, s), "card": loot_name(box, table.loot[s][i] - 1), "to": hero_name(table, b)}
    if verb == t.V_PILE:
        return {"pile": a + 1}
    if verb in (t.V_TOTEM, t.V_DESPAIR):
        return {"rune": COLOURS[a]}
    if verb == t.V_GIVE_MARKER:
        return {"marker": MARKERS[a], "hero": hero_name(table, b)}
    if table.kind == t.K_WAKE:
        return {"type": MONSTERS[a]}
    if table.kind == t.K_HUNT:
        return {"hero": hero_name(table, a), "monster": monster_name(box, table, b), "number": b}
    return {"tile": place_name(box, table, a), "place": a}


def _with_card(box: Any, table: Any, verb: int, a: int, b: int) -> dict[str, Any]:
    """Options that name a card, a die of the combat, or a tile of the stack."""
    s = table.seat
    if verb in (t.V_ORB_REROLL, t.V_P1, t.V_MARK, t.V_POWER_REROLL):
        return {"die": die_words(table, a)}
    if verb == t.V_BETTER:
        return {"die": die_words(table, a), "card": loot_name(box, table.loot[s][b] - 1)}
    if verb == t.V_BUY:
        return {"card": loot_name(box, table.stock[a][b] - 1), "of": STALLS[a]}
    if verb in (t.V_GIVE, t.V_HEAL, t.V_ANTIDOTE):
        return {"card": loot_name(box, table.loot[s][a] - 1), "hero": hero_name(table, b)}
    if verb == t.V_DISCARD:
        return {"card": loot_name(box, (table.drawn if a == t.SLOTS else table.loot[s][a]) - 1)}
    if verb in (t.V_SELL, t.V_USE, t.V_BOOTS, t.V_POUCH, t.V_LANTERN, t.V_BOMB):
        return {"card": loot_name(box, table.loot[s][a] - 1)}
    if verb == t.V_PUT_TOP:
        return {"tile": tile_name(box, table.top[a])}
    return {}


def power_name(box: Any, table: Any, s: int) -> str:
    """The power that a hero would unlock next."""
    hero, n = table.hero[s], table.powers[s]
    other = (box.shavi_heal2, box.shavi_reroll) if hero == t.SHAVI else (box.bethras_remedy, box.bethras_brew5)
    others = {t.SHAVI: ("the aura heals two", "reroll a power die"), t.BETHRAS: ("the remedy heals", "brew from five")}
    return others[hero][n] if hero in others and other[n] else POWER_NAMES[hero][n]


def die_words(table: Any, i: int) -> str:
    colour = "combat" if table.colour[i] == t.NO_COLOUR else COLOURS[table.colour[i]]
    plus = f"{table.plus[i]:+d}" if table.plus[i] else ""
    return f"{hero_name(table, table.owner[i])}'s {colour} {table.face[i]}{plus}"


# --- the position ---------------------------------------------------------------------------------


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    """Everything on the table, and what lies face down."""
    return {"open": _open(box, table), "hidden": _hidden(box, table, hidden)}


def _open(box: Any, table: Any) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "mode": MODES[box.mode], "round": table.round, "bramble card": BRAMBLES[table.brambles],
        "turn of": hero_name(table, table.active) if table.turns else None,
        "tiles left": table.stack_n, "monster tokens left": table.mon_n, "loot cards left": table.loot_n,
        "event cards left": table.event_n,
        "heroes": [_hero(box, table, s) for s in range(table.seats)],
        "forest": [_place(box, table, p) for p in range(table.places)],
        "boss": _boss(box, table), "monsters": [_monster(box, table, m) for m in range(t.TOKENS)
                                                if table.mon_at[m] != t.NOWHERE],
        "combats won": {MONSTERS[k]: table.won_by[k] for k in range(5)},
        "combats lost": {MONSTERS[k]: table.lost_to[k] for k in range(5)},
        "hearts lost to": {"monsters": table.hurt_monster, "boss": table.hurt_boss, "brambles": table.hurt_bramble,
                           "poison": table.hurt_poison, "others": table.hurt_other},
        "monster discard": [MONSTERS[box.kind_of[i]] for i in range(t.TOKENS) if table.mon_out[i]],
        "loot discard": [loot_name(box, c) for c in range(t.CARDS) if table.loot_where[c] == t.IN_DISCARD],
        "event discard": [read_name(box.event_name[i]) for i in range(box.events_n) if table.event_gone[i]],
        "enraged": [MONSTERS[k] for k in range(5) if table.enraged[k]],
        "enraged boss": ENRAGED_BOSS[box.enraged_boss],
        "tiles known on top": [tile_name(box, table.top[i]) for i in range(table.top_n)],
        "tiles known below": [tile_name(box, table.under[i]) for i in range(table.under_n)],
    }
    if table.asking and table.ending < 0:
        seen["to decide"] = {"what": t.KINDS[table.kind], "who": hero_name(table, table.seat)}
    if table.turns:
        seen |= _turn(table)
    for stall, name in enumerate(STALLS):
        if table.stock_at[stall]:
            seen[name] = [loot_name(box, c - 1) for c in table.stock[stall] if c]
    if table.asking and table.kind in (t.K_SUPPORT, t.K_POOL, t.K_REROLL, t.K_FROST, t.K_PARRY):
        seen["combat"] = _combat(box, table)
    if table.in_lair:
        seen["lair"] = {"A": read_name(box.lair_a_name[table.lair_a]), "B": read_name(box.lair_b_name[table.lair_b]),
                        "rule": t.LAIR_RULES[box.lair_rule[table.lair_a]], "space": table.lair_space,
                        "events done": table.lair_events,
                        "inside": [hero_name(table, s) for s in range(table.seats) if table.lair_party[s]]}
    if table.chapter:
        seen["chapter"] = _chapter(box, table)
    if table.kind == t.K_PLACE and table.asking:
        seen["tile drawn"] = tile_name(box, table.tile)
    if table.kind == t.K_DISCARD and table.asking and table.drawn:
        seen["card drawn"] = loot_name(box, table.drawn - 1)
    return seen


def _turn(table: Any) -> dict[str, Any]:
    """The active hero's dice, and what they are still good for."""
    hero = table.hero[table.active]
    left = {"steps": table.moves, "focus": table.focus, "power die": table.summoned,
            SPECIAL_A[hero]: table.agility + table.transport + (table.a_left if hero >= t.SHAVI else 0),
            SPECIAL_B[hero]: table.precision + table.stance[table.active] + (table.b_left if hero >= t.SHAVI else 0)}
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


MARKERS = ("first mushroom", "second mushroom", "third mushroom", "vial")
STALLS = ("merchant", "travelling merchant")


def _chapter(box: Any, table: Any) -> dict[str, Any]:
    """The state of the chapter's task."""
    told: dict[str, Any] = {"chapter": table.chapter, "its round": table.chapter_round}
    if table.campaign:
        told["tries ended"] = [table.tries_of[c] for c in range(1, 6)]
    if table.chapter == 1:
        told |= {"potions": table.potions, "markers": {hero_name(table, s): {
            MARKERS[k]: table.markers[s][k] for k in range(4) if table.markers[s][k]} for s in range(table.seats)}}
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
        told |= {"totems": [COLOURS[k] for k in range(4) if table.totems >> k & 1], "supply": table.supply,
                 "corrupted tiles": table.corrupt_tiles,
                 "corrupted cells": [cell_name(table.corrupt_cell[i]) for i in range(table.corrupt_cells)]}
    return told


def _hero(box: Any, table: Any, s: int) -> dict[str, Any]:
    marks = [n for n, has in (("poison", table.poison[s]), ("entangled", table.entangled[s]), ("song", table.song[s]),
                              ("stance", table.stance[s]), ("immobilised", table.immobile[s] == 1),
                              ("movement ended", table.immobile[s] == 2)) if has]
    cards = [loot_name(box, table.loot[s][i] - 1) + (" (turned over)" if table.used[s][i] else "")
             for i in range(t.SLOTS) if table.loot[s][i]]
    return {"hero": hero_name(table, s), "at": place_name(box, table, table.at[s]), "place": table.at[s],
            "hearts": table.hp[s], "orbs": table.orbs[s], "powers": table.powers[s], "loot": cards, "markers": marks,
            "orb token taken": bool(table.well_taken[s])}


def _place(box: Any, table: Any, p: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "place": p, "tile": place_name(box, table, p), "at": cell_name(table.cell[p]), "turned": 90 * table.rot[p],
        "open to": [DIRECTIONS[d] for d in range(4) if table.open[p] >> d & 1],
        "leads to": {DIRECTIONS[d]: int(table.link[p][d]) for d in range(4) if table.link[p][d] >= 0},
    }
    rune = box.rune[table.tile_of[p]]
    more = {"brambles": table.bramble[p], "chests": table.chests[p], "event": table.events[p],
            "orb tokens": table.tokens[p], "lair": table.lair_open[p], "rune": COLOURS[rune] if rune >= 0 else 0,
            "far side": table.far[p], "corrupted": table.corrupt[p], "+1 shield": table.plus_shield[p],
            "quest marker": _quest(table.quest_down[p]), "camp": _camp(table.camp[p]), "looted": table.looted[p]}
    told |= {k: v for k, v in more.items() if v}
    monsters = [_monster(box, table, m)["monster"] for m in range(t.TOKENS) if table.mon_at[m] == p]
    if monsters:
        told["monsters"] = monsters
    if table.boss_at == p:
        told["boss"] = boss_name(box, table) if not table.boss_shown or table.boss_alive else "beaten"
    return told


def _quest(down: int) -> str:
    return "" if down == 0 else FACE_DOWN if down == 1 else MARKERS[down - 2]


def _camp(camp: int) -> str:
    return "" if camp == 0 else FACE_DOWN if camp == 1 else CAMP_NAMES[camp - 2]


def _monster(box: Any, table: Any, m: int) -> dict[str, Any]:
    """A monster token in play; its number stays with it."""
    extra = [f"orb token of {box.well_value[i]}" for i in range(4) if table.mon_orbs[m] >> i & 1]
    extra += [n for n, has in (("leaf shield", table.mon_leaf[m]), ("frozen", table.mon_frozen[m]),
                              ("beaten once", table.mon_wins[m])) if has]
    where = "the lair" if table.mon_at[m] == t.IN_LAIR else place_name(box, table, table.mon_at[m])
    name = monster_name(box, table, m)
    return {"number": m, "monster": name, "on": where, "place": table.mon_at[m]} | ({"with": extra} if extra else {})


def _boss(box: Any, table: Any) -> dict[str, Any]:
    if not table.boss_shown:
        return {"card": FACE_DOWN if table.boss_at >= 0 else "in the deck"}
    return {"card": boss_name(box, table), "revealed": REASONS.get(table.reveal_how, ""), "threat": table.threat,
            "track": table.boss_track, "leaf shields": table.boss_leaf, "alive": bool(table.boss_alive),
            "fights": table.boss_fights, "last skill": t.SKILLS[table.skill - 1] if table.skill else None}


def _hidden(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    down = {str(m): MONSTERS[box.kind_of[hidden.mon_id[m]]] for m in range(t.TOKENS)
            if table.mon_at[m] != t.NOWHERE and table.mon_type[m] < 0}
    return {
        "tiles, next first": [tile_name(box, hidden.stack[i]) for i in range(table.stack_n - 1, -1, -1)],
        "monster tokens, next first": [MONSTERS[box.kind_of[hidden.mon_stack[i]]]
                                       for i in range(table.mon_n - 1, -1, -1)],
        "monsters face down": down,
        "loot, next first": [loot_name(box, hidden.loot[i]) for i in range(table.loot_n - 1, -1, -1)],
        "inn cards, next first": [read_name(box.inn_name[hidden.inn[i]]) for i in range(table.inn_n - 1, -1, -1)],
        "events, next first": [read_name(box.event_name[hidden.event[i]]) for i in range(table.event_n - 1, -1, -1)],
        "bosses, next first": [read_name(box.boss_name[hidden.boss[i]]) for i in range(table.bosses_drawn, t.BOSSES)],
        "orb tokens, next first": [int(box.well_value[hidden.well[i]]) for i in range(table.tokens_taken, 4)],
        "lairs, next first": [[read_name(box.lair_a_name[hidden.lair_a[i]]),
                               read_name(box.lair_b_name[hidden.lair_b[i]])] for i in range(table.lairs_used, 4)],
        "quest markers face down": {str(p): MARKERS[hidden.quest_at[p] // 2] for p in range(table.places)
                                    if table.quest_down[p] == 1},
        "camps face down": {str(p): CAMP_NAMES[hidden.camp_at[p]] for p in range(table.places) if table.camp[p] == 1},
        "piles": [[loot_name(box, hidden.pile[k][i]) for i in range(table.pile_n[k])] for k in range(4)],
    }


# --- draws ----------------------------------------------------------------------------------------


def face(box: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> str | float | int:
    """The result of a draw; a card of a shuffled pile by its name."""
    if n == -1:
        return result / 2**53
    if n:
        faces = {t.HERO_DIE: box.hero_face, t.COMBAT_DIE: box.combat_face, t.POWER_DIE: box.power_face}
        if where == t.ENRAGE or (where == t.HERO_DRAW and n == 3):
            return result + 1 if where == t.ENRAGE else BRAMBLES[result]
        return int(faces[where][result]) if where in faces else result + 1
    piles = {t.TILE_STACK: lambda: tile_name(box, b), t.MONSTER_STACK: lambda: MONSTERS[box.kind_of[b]],
             t.LOOT_DECK: lambda: loot_name(box, b), t.EVENT_DECK: lambda: read_name(box.event_name[b]),
             t.BOSS_DECK: lambda: read_name(box.boss_name[b]), t.HERO_DRAW: lambda: HERO_NAMES[b],
             t.WELL_TOKENS: lambda: str(box.well_value[b]), t.LAIR_A: lambda: read_name(box.lair_a_name[b]),
             t.LAIR_B: lambda: read_name(box.lair_b_name[b]), t.INN_DECK: lambda: read_name(box.inn_name[b]),
             t.CAMPS: lambda: CAMP_NAMES[b], t.QUESTS: lambda: MARKERS[b // 2], t.PILES: lambda: loot_name(box, b)}
    return piles[where]() if where in piles else b
