"""The game in words: positions, options and draws by name, the story, the forest drawn as text."""

from __future__ import annotations

from typing import Any

from sim.games.woodlands import table as t
from sim.games.woodlands.agenda import first_of, second_of, verb_of
from sim.games.woodlands.box import BRAMBLES, CAMP_NAMES, MODES, read_name
from sim.games.woodlands.table import COLOURS, DIRECTIONS, HEROES, MONSTERS, SLOT_NAMES

FACE_DOWN = "face down"
REASONS = {1: "entered", 2: "the stack is empty", 3: "the chapter"}


def hero_name(table: Any, s: int) -> str:
    return HEROES[table.hero[s]]


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
    return MONSTERS[table.mon_type[m]] if table.mon_type[m] >= 0 else "monster " + FACE_DOWN


def boss_name(box: Any, table: Any) -> str:
    return read_name(box.boss_name[table.boss]) if table.boss_shown else "boss " + FACE_DOWN


# --- options -------------------------------------------------------------------------------------


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    verb, a, b = verb_of(code), first_of(code), second_of(code)
    told: dict[str, Any] = {"do": t.VERBS[verb]}
    if verb == t.V_PLACE:
        return told | {"tile": tile_name(box, table.tile), "at": cell_name(a), "turned": 90 * b}
    if verb in (t.V_STEP, t.V_RISKY, t.V_FLEE, t.V_FLEE_RISKY):
        q = table.link[table.at[table.active]][a]
        return told | {"to the": DIRECTIONS[a], "tile": place_name(box, table, q) if q >= 0 else "unknown"}
    if verb in (t.V_FIGHT, t.V_FREEZE):
        return told | {"monster": monster_name(box, table, table.foe if table.kind == t.K_FROST else a)}
    if verb == t.V_KEEP:
        return told | {"dice": [table.die[i] for i in range(4) if a >> i & 1]}
    if verb == t.V_ASSIGN:
        return told | {"die": table.die[b], "slot": SLOT_NAMES[a]}
    if verb == t.V_HERO_REROLL:
        return told | {"die": table.die[a]}
    if verb in (t.V_SHARE, t.V_RAISE, t.V_ORB_HEART):
        return told | {"hero": hero_name(table, a)}
    if verb == t.V_REMEDY:
        return told | {"hero": hero_name(table, a), "marker": t.EFFECTS[b]}
    if verb in (t.V_TARGET, t.V_PILE, t.V_TOTEM, t.V_DESPAIR, t.V_GIVE_MARKER) or table.kind == t.K_TRADE:
        return told | _of_chapter(box, table, verb, a, b)
    return told | _with_card(box, table, verb, a, b)


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
        return {"hero": hero_name(table, a), "monster": monster_name(box, table, b)}
    return {"tile": place_name(box, table, a), "place": a}


def _with_card(box: Any, table: Any, verb: int, a: int, b: int) -> dict[str, Any]:
    """Options that name a card, a die of the combat, or a tile of the stack."""
    s = table.seat
    if verb in (t.V_ORB_REROLL, t.V_P1, t.V_MARK, t.V_POWER_REROLL):
        return {"die": die_words(table, a)}
    if verb == t.V_BETTER:
        return {"die": die_words(table, a), "card": loot_name(box, table.loot[s][b] - 1)}
    if verb == t.V_BUY:
        return {"card": loot_name(box, table.stock[a][b] - 1)}
    if verb in (t.V_GIVE, t.V_HEAL, t.V_ANTIDOTE):
        return {"card": loot_name(box, table.loot[s][a] - 1), "hero": hero_name(table, b)}
    if verb == t.V_DISCARD:
        return {"card": loot_name(box, (table.drawn if a == t.SLOTS else table.loot[s][a]) - 1)}
    if verb in (t.V_SELL, t.V_USE, t.V_BOOTS, t.V_POUCH, t.V_LANTERN, t.V_BOMB):
        return {"card": loot_name(box, table.loot[s][a] - 1)}
    if verb == t.V_PUT_TOP:
        return {"tile": tile_name(box, table.top[a])}
    return {}


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
        "hero dice": [{"die": table.die[i], "slot": SLOT_NAMES[table.die_slot[i]] if table.die_slot[i] >= 0 else None}
                      for i in range(4)],
        "this turn": {k: getattr(table, k) for k in ("moves", "focus", "summoned", "agility", "precision", "transport",
                                                    "a_left", "b_left", "boss_fought")},
        "boss": _boss(box, table),
        "monsters beaten": {MONSTERS[k]: table.beaten[k] for k in range(5)},
        "monster discard": [MONSTERS[box.kind_of[i]] for i in range(t.TOKENS) if table.mon_out[i]],
        "loot discard": [loot_name(box, c) for c in range(t.CARDS) if table.loot_where[c] == t.IN_DISCARD],
        "enraged": [MONSTERS[k] for k in range(5) if table.enraged[k]],
        "tiles known on top": [tile_name(box, table.top[i]) for i in range(table.top_n)],
        "tiles known below": [tile_name(box, table.under[i]) for i in range(table.under_n)],
    }
    for stall, name in enumerate(("merchant", "travelling merchant")):
        if table.stock_at[stall]:
            seen[name] = [loot_name(box, c - 1) for c in table.stock[stall] if c]
    if table.dice_n and table.asking:
        seen["combat"] = {"against": monster_name(box, table, table.foe),
                          "dice": [die_words(table, i) for i in range(table.dice_n)]}
    if table.in_lair:
        seen["lair"] = {"A": read_name(box.lair_a_name[table.lair_a]), "B": read_name(box.lair_b_name[table.lair_b]),
                        "space": table.lair_space, "events done": table.lair_events}
    if table.chapter:
        seen["chapter"] = _chapter(box, table)
    if table.kind == t.K_PLACE and table.asking:
        seen["tile drawn"] = tile_name(box, table.tile)
    return seen


MARKERS = ("first mushroom", "second mushroom", "third mushroom", "vial")


def _chapter(box: Any, table: Any) -> dict[str, Any]:
    """The state of the chapter's task."""
    told: dict[str, Any] = {"chapter": table.chapter, "its round": table.chapter_round}
    if table.campaign:
        told["tries"] = [table.tries_of[c] for c in range(1, 6)]
    if table.chapter == 1:
        told |= {"potions": table.potions, "markers": {hero_name(table, s): {
            MARKERS[k]: table.markers[s][k] for k in range(4) if table.markers[s][k]} for s in range(table.seats)}}
    elif table.chapter == 2:
        told |= {"orb tokens lost": table.orbs_lost, "orb tokens": {hero_name(table, s): [
            box.well_value[i] for i in range(4) if table.carried[s][i]] for s in range(table.seats)}}
    elif table.chapter == 3:
        told |= {"bosses beaten": table.bosses_beaten, "monsters needed": box.c3_goal[table.seats]}
    elif table.chapter == 4:
        told |= {"cards in the piles": [table.pile_n[k] for k in range(4)], "ashes pile": table.ashes_pile}
    elif table.chapter == 5:
        told |= {"totems": [COLOURS[k] for k in range(4) if table.totems >> k & 1], "supply": table.supply,
                 "corrupted tiles": table.corrupt_tiles,
                 "corrupted cells": [cell_name(table.corrupt_cell[i]) for i in range(table.corrupt_cells)]}
    return told


def _hero(box: Any, table: Any, s: int) -> dict[str, Any]:
    marks = [n for n, has in (("poison", table.poison[s]), ("entangled", table.entangled[s]), ("song", table.song[s]),
                              ("stance", table.stance[s]), ("immobilised", table.immobile[s])) if has]
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
    monsters = [_monster(box, table, m) for m in range(t.TOKENS) if table.mon_at[m] == p]
    if monsters:
        told["monsters"] = monsters
    if table.boss_at == p:
        told["boss"] = boss_name(box, table) if not table.boss_shown or table.boss_alive else "beaten"
    return told


def _quest(down: int) -> str:
    return "" if down == 0 else FACE_DOWN if down == 1 else MARKERS[down - 2]


def _camp(camp: int) -> str:
    return "" if camp == 0 else FACE_DOWN if camp == 1 else CAMP_NAMES[camp - 2]


def _monster(box: Any, table: Any, m: int) -> str:
    extra = [f"orb token of {box.well_value[i]}" for i in range(4) if table.mon_orbs[m] >> i & 1]
    extra += [n for n, has in (("leaf shield", table.mon_leaf[m]), ("frozen", table.mon_frozen[m]),
                              ("beaten once", table.mon_wins[m])) if has]
    return monster_name(box, table, m) + (f" ({', '.join(extra)})" if extra else "")


def _boss(box: Any, table: Any) -> dict[str, Any]:
    if not table.boss_shown:
        return {"card": FACE_DOWN if table.boss_at >= 0 else "in the deck"}
    return {"card": boss_name(box, table), "revealed": REASONS.get(table.reveal_how, ""), "threat": table.threat,
            "track": table.boss_track, "leaf shields": table.boss_leaf, "alive": bool(table.boss_alive),
            "last skill": t.SKILLS[table.skill - 1] if table.skill else None}


def _hidden(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    down = {str(m): MONSTERS[box.kind_of[hidden.mon_id[m]]] for m in range(t.TOKENS)
            if table.mon_at[m] != t.NOWHERE and table.mon_type[m] < 0}
    return {
        "tiles, next first": [tile_name(box, hidden.stack[i]) for i in range(table.stack_n - 1, -1, -1)],
        "monster tokens, next first": [MONSTERS[box.kind_of[hidden.mon_stack[i]]]
                                       for i in range(table.mon_n - 1, -1, -1)],
        "monsters face down": down,
        "loot, next first": [loot_name(box, hidden.loot[i]) for i in range(table.loot_n - 1, -1, -1)],
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


# --- draws and the story --------------------------------------------------------------------------


def face(box: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> str | float | int:
    """The result of a draw; a card of a shuffled pile by its name."""
    if n == -1:
        return result / 2**53
    if n:
        faces = {t.HERO_DIE: box.hero_face, t.COMBAT_DIE: box.combat_face, t.POWER_DIE: box.power_face}
        return int(faces[where][result]) if where in faces else result + (n == 6)
    piles = {t.TILE_STACK: lambda: tile_name(box, b), t.MONSTER_STACK: lambda: MONSTERS[box.kind_of[b]],
             t.LOOT_DECK: lambda: loot_name(box, b), t.EVENT_DECK: lambda: read_name(box.event_name[b]),
             t.BOSS_DECK: lambda: read_name(box.boss_name[b]), t.HERO_DRAW: lambda: HEROES[b],
             t.WELL_TOKENS: lambda: str(box.well_value[b]), t.LAIR_A: lambda: read_name(box.lair_a_name[b]),
             t.LAIR_B: lambda: read_name(box.lair_b_name[b]), t.INN_DECK: lambda: read_name(box.inn_name[b]),
             t.CAMPS: lambda: CAMP_NAMES[b]}
    return piles[where]() if where in piles else b


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    """What was done, what was rolled, and what has changed."""
    now = after["open"]
    if before is None or taken is None:
        names = " and ".join(h["hero"] for h in now["heroes"])
        return [f"{names} set out; the bramble card is {now['bramble card']}."]
    then = before["open"]
    lines = []
    if taken["do"] not in ("keep", "assign", "roll", "no", "stop"):
        what = ", ".join(f"{v}" for k, v in taken.items() if k != "do")
        lines.append(f"{then['turn of'] or 'the party'}: {taken['do']}{': ' + what if what else ''}.")
    rolled = [f"{d['source']} {d['result']}" for d in draws if d.get("of", 1) > 0]
    if rolled:
        lines.append("  " + ", ".join(rolled))
    return lines + _changes(then, now)


def _changes(then: dict, now: dict) -> list[str]:
    lines = []
    for was, is_ in zip(then["heroes"], now["heroes"], strict=True):
        parts = [f"{is_[k] - was[k]:+d} {k}" for k in ("hearts", "orbs", "powers") if is_[k] != was[k]]
        if was["at"] != is_["at"]:
            parts.append(f"now on {is_['at']}")
        parts += [f"gets {c}" for c in is_["loot"] if c not in was["loot"] and c.split(" (")[0] not in was["loot"]]
        parts += [f"is {m}" for m in is_["markers"] if m not in was["markers"]]
        if was["hearts"] and not is_["hearts"]:
            parts.append("is down")
        if parts:
            lines.append(f"  {is_['hero']}: {', '.join(parts)}")
    if "threat" in now["boss"] and then["boss"].get("threat") != now["boss"]["threat"]:
        lines.append(f"  {now['boss']['card']}: threat {now['boss']['threat']} of {now['boss']['track']}")
    return lines


def picture(state: dict) -> str:
    """The forest as text: a letter for each tile, its paths, heroes and monsters."""
    seen = state["open"]
    cells: dict[tuple[int, int], list[dict]] = {}
    for p in seen["forest"]:
        cells.setdefault(tuple(p["at"]), []).append(p)
    heroes: dict[int, str] = {}
    for h in seen["heroes"]:
        heroes[h["place"]] = heroes.get(h["place"], "") + h["hero"][0].upper()
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    lines = []
    for y in range(min(ys), max(ys) + 1):
        rows = ["", "", ""]
        for x in range(min(xs), max(xs) + 1):
            for i, part in enumerate(_drawn(cells.get((x, y)), heroes)):
                rows[i] += part
        lines += [r.rstrip() for r in rows]
    return "\n".join(lines)


def _drawn(places: list[dict] | None, heroes: dict[int, str]) -> tuple[str, str, str]:
    """Three lines of seven letters for one cell: paths, name, who is there."""
    if not places:
        return " " * 7, " " * 7, " " * 7
    ways = {d for p in places for d in p["open to"]}
    name = "".join(w[0] for w in places[0]["tile"].split(",")[0].split())[:2].upper()
    who = "".join(heroes.get(p["place"], "") for p in places)
    foes = sum(len(p.get("monsters", [])) for p in places)
    chests = sum(p.get("chests", 0) for p in places)
    boss = any("boss" in p for p in places)
    mark = who + (f"{foes}m" if foes else "") + ("$" if chests else "") + ("*" if boss else "")
    brambles = "#" if any("brambles" in p for p in places) else " "
    middle = f"{'-' if 'west' in ways else ' '}[{name:<2}{brambles}]{'-' if 'east' in ways else ' '}"
    top = "   |   " if "north" in ways else " " * 7
    bottom = f"{'|' if 'south' in ways else ' '}{mark:<4}"[:5]
    return top, middle, f"  {bottom:<5}"[:7]
