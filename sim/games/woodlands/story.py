"""The story of a game in sentences, and the forest drawn as text, from positions in words."""

from __future__ import annotations

from hardmode.sim.narration import NEW_ROUND

# What each choice is told as; those that are missing say nothing by themselves.
TOLD = {
    "step": "{who} goes {to the} to the {tile}.",
    "risky step": "{who} ventures {to the} into the unknown.",
    "flee": "{who} flees {to the} to the {tile}.",
    "risky flight": "{who} flees {to the} into the unknown.",
    "take chest": "{who} opens a chest.",
    "take orb token": "{who} takes an orb token from the well.",
    "buy": "{who} buys the {card} from the {of}.",
    "sell": "{who} sells the {card}.",
    "unlock power": "{who} unlocks a power: {power}.",
    "vortex": "{who} steps through the vortex to the first tile.",
    "raise": "{who} gives {hero} first aid.",
    "heal with": "{who} uses the {card} on {hero}.",
    "antidote": "{who} uses the {card} on {hero}.",
    "boots": "{who} puts on the {card}.",
    "orb pouch": "{who} empties the {card}.",
    "lantern": "{who} lights the {card}.",
    "aura": "{who} heals all who stand here.",
    "remedy": "{who} cures {hero}: {marker}.",
    "orb for a heart": "{who} pays an orb for a heart of {hero}.",
    "enter lair": "{who} enters the lair.",
    "fight": "{who} fights the {monster}.",
    "freeze": "{who} freezes the {monster}.",
    "brew die": "{who} puts a brew die into the combat.",
    "use": "{who} uses the {card}.",
    "orb reroll": "{who} pays an orb to roll {die} again.",
    "power 1 reroll": "Klethor's power: {die} is rolled again.",
    "reroll marked": "Klethor's power: the dice he chose are rolled again.",
    "better die": "{who} uses the {card} on {die}.",
    "bomb": "{who} throws the {card}.",
    "power die reroll": "{who} rolls {die} again.",
    "discard": "{who} lays the {card} away.",
    "put under": "{who} puts the tile under the stack.",
    "leave on top": "{who} leaves the tile on the stack.",
    "put on top": "{who} puts the {tile} next.",
    "search": "{who} searches the rune.",
    "brew potion": "{who} brews a potion.",
    "activate totem": "{who} wakes the {rune} totem.",
    "desperate totem": "{who} gives all for the {rune} totem.",
    "choose pile": "{who} chooses pile {pile}.",
    "give marker": "{who} hands a {marker} to {hero}.",
    "pick up marker": "{who} picks up the {marker}.",
    "recipient": "{hero} gets the next share of the reward.",
    "reroll hero die": "{who} uses the charm on a {die}.",
    "give": "{who} gives the {card} to {hero}.",
}
YES = {
    "support from here": "{who} supports the fight.", "travel along": "{who} travels along.",
    "join the lair": "{who} goes into the lair too.", "inn": "{who} asks for a card of the inn.",
    "one more tile": "{who} lays one more tile.", "go on": "The party goes on for the fourth camp.",
}
NO = {
    "support from here": "{who} keeps out of the fight.", "travel along": "{who} stays behind.",
    "join the lair": "{who} waits outside the lair.", "go on": "The party is content with three camps.",
}
TARGETS = {
    "purify": "{who} takes the corruption off the {tile}.", "place the sentinel": "The camp on the {tile} is warned.",
    "whom to hunt": "The {monster} goes after {hero}.", "choose what wakes": "The {type} becomes enraged.",
}
DICE = {"bramble die": "The bramble die shows {}.", "boss skill die": "The skill die shows {}.",
        "lair die": "The lair die shows {}."}


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    """What was done, what was rolled, and what has changed."""
    now = after["open"]
    if before is None or taken is None:
        names = _listed([h["hero"] for h in now["heroes"]])
        return [f"{names} set out. The bramble card is {now['bramble card']}.", *_drawn_tile(now)]
    then = before["open"]
    lines = [line for line in (_choice(then, taken), _laid_dice(taken, now)) if line]
    changes = [_hero(was, is_) for was, is_ in zip(then["heroes"], now["heroes"], strict=True)]
    lines += ["  " + line for line in (*_rolls(draws, now), *_happened(then, now), *_monsters(then, now),
                                       *_chapter(then, now), *changes) if line]
    new_round = [NEW_ROUND] if now["round"] != then["round"] else []
    return lines + new_round + _hero_dice(draws, now) + _drawn_tile(now)


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _where(at: list[int]) -> str:
    """A cell by its way from the first tile."""
    (x, y), parts = at, []
    if x:
        parts.append(f"{abs(x)} {'east' if x > 0 else 'west'}")
    if y:
        parts.append(f"{abs(y)} {'south' if y > 0 else 'north'}")
    return _listed(parts) + " of the first tile"


def _drawn_tile(now: dict) -> list[str]:
    return [f"{now['to decide']['who']}'s player draws the {now['tile drawn']}."] if "tile drawn" in now else []


def _choice(then: dict, taken: dict) -> str:
    asked = then.get("to decide", {"what": "", "who": "The party"})
    verb, words = taken["do"], {"who": asked["who"], **taken}
    if verb == "place":
        turned = f", turned by {taken['turned']}°" if taken["turned"] else ""
        x, y = taken["at"]
        return f"It is laid at {x}, {y} ({_where(taken['at'])}){turned}."
    if verb == "keep":
        kept = ", ".join(str(d) for d in taken["dice"])
        return f"{asked['who']} keeps {kept} and rolls the others again." if len(taken["dice"]) < 4 else ""
    if asked["what"] == "exchange loot":
        return f"{taken['from']} hands the {taken['card']} to {taken['to']}." if verb == "give" else ""
    if asked["what"] == "turn loot over":
        return f"{asked['who']} turns the {taken['card']} over."
    by_kind = {"yes": YES, "no": NO, "target": TARGETS}.get(verb)
    form = by_kind.get(asked["what"], "") if by_kind is not None else TOLD.get(verb, "")
    struck = f" Struck on leaving by: {', '.join(taken['struck by'])}." if "struck by" in taken else ""
    return form.format(**words) + struck


def _laid_dice(taken: dict, now: dict) -> str:
    """All hero dice have their slots: told once."""
    dice = now.get("hero dice", [])
    if taken["do"] != "assign" or any(d["slot"] is None for d in dice):
        return ""
    slots: dict[str, list[str]] = {}
    for d in dice:
        slots.setdefault(d["slot"], []).append(str(d["die"]))
    told = "; ".join(f"{', '.join(faces)} {'' if slot == 'unused' else 'on '}{slot}" for slot, faces in slots.items())
    return f"{now['turn of']}'s dice: {told}."


def _rolls(draws: list[dict], now: dict) -> list[str]:
    """Dice that were rolled, combat dice by owner."""
    lines: list[str] = []
    combat: dict[str, list[str]] = {}
    for d in draws:
        source, result = d["source"], d["result"]
        if source in ("combat dice", "power dice"):
            owner = now["heroes"][d["address"]["die and reroll"] // 4096]["hero"]
            kind = "power " if source == "power dice" else ""
            combat.setdefault(owner, []).append(f"{kind}{result}")
        elif source in DICE:
            lines.append(DICE[source].format(result))
    if combat:
        told = "; ".join(f"{owner} {', '.join(faces)}" for owner, faces in combat.items())
        lines.append(f"Combat dice: {told}.")
    return lines


def _hero_dice(draws: list[dict], now: dict) -> list[str]:
    """The roll with which a turn begins or goes on."""
    rolled: dict[str, list[str]] = {}
    for d in draws:
        if d["source"] == "hero dice":
            rolled.setdefault(now["heroes"][d["address"]["seat"]]["hero"], []).append(str(d["result"]))
    return [f"{who} rolls {', '.join(faces)}." for who, faces in rolled.items()]


def _happened(then: dict, now: dict) -> list[str]:
    """Combats decided, cards turned over, the boss and its threat, the lair."""
    lines = []
    for kind, n in now["combats won"].items():
        lines += [f"The {kind} is beaten."] * (n - then["combats won"][kind])
    for kind, n in now["combats lost"].items():
        lines += [f"The {kind} is not beaten."] * (n - then["combats lost"][kind])
    lines += [f"Event: {name}." for name in now["event discard"] if name not in then["event discard"]]
    for stall in ("merchant", "travelling merchant"):
        if now.get(stall) and stall not in then:
            lines.append(f"For sale: {', '.join(now[stall])}.")
    if now["hearts lost to"]["poison"] > then["hearts lost to"]["poison"]:
        lines.append("The poison works.")
    if "card drawn" in now and "card drawn" not in then:
        lines.append(f"{now['to decide']['who']} has no room for the {now['card drawn']}.")
    was, boss = then["boss"], now["boss"]
    if "threat" in boss and (was.get("card"), was.get("alive")) != (boss["card"], True):
        if boss["alive"]:
            lines.append(f"The boss is revealed ({boss['revealed']}): {boss['card']}.")
        elif was.get("alive"):
            lines.append(f"The {boss['card']} is beaten.")
    if boss.get("fights", 0) > was.get("fights", 0) and boss["last skill"]:
        lines.append(f"{now['turn of']} attacks the {boss['card']}, whose skill is: {boss['last skill']}.")
    if "lair" in now and "lair" not in then:
        lines.append(f"The lair: {now['lair']['A']} and {now['lair']['B']}.")
    elif "lair" in then and "lair" not in now:
        lines.append("The lair lies behind the party.")
    if boss.get("alive") and was.get("threat", boss["threat"]) != boss["threat"]:
        lines.append(f"Threat {boss['threat']} of {boss['track']}.")
    return lines


def _monsters(then: dict, now: dict) -> list[str]:
    """Monsters that came, were turned over or moved."""
    lines = []
    old = {m["number"]: m for m in then["monsters"]}
    for m in now["monsters"]:
        was = old.get(m["number"])
        if was is None:
            lines.append(f"A {m['monster']} comes to the {m['on'].removeprefix('the ')}.")
        elif was["monster"] != m["monster"]:
            lines.append(f"On the {m['on'].removeprefix('the ')} a {m['monster']} is turned over.")
        elif was["place"] != m["place"] and "number" in m:
            lines.append(f"The {m['monster']} moves from the {was['on']} to the {m['on']}.")
    return lines


def _chapter(then: dict, now: dict) -> list[str]:
    was, is_ = then.get("chapter"), now.get("chapter")
    lines = [f"The {kind} is enraged from now on." for kind in now["enraged"] if kind not in then["enraged"]]
    if was is None or is_ is None:
        return lines
    if "tries ended" in is_ and is_["tries ended"] != was["tries ended"]:
        lines.insert(0, f"Chapter {was['chapter']} is {'done' if is_['chapter'] > was['chapter'] else 'lost'}.")
        return lines
    for what in ("potions", "orb tokens lost", "corrupted tiles", "supply", "bosses beaten", "monsters beaten"):
        if what in is_ and is_[what] != was.get(what, 0):
            lines.append(f"{what.capitalize()}: {is_[what]}.")
    for place, old in zip(now["forest"], then["forest"], strict=False):
        if place.get("camp") != old.get("camp") and old.get("camp") == "face down":
            lines.append(f"The camp on the {place['tile']} is turned over: {place['camp']}.")
        if place.get("quest marker") != old.get("quest marker") and place.get("quest marker") and "quest marker" in old:
            lines.append(f"It is a {place['quest marker']}.")
    return lines


def _hero(was: dict, is_: dict) -> str:
    """What has changed for a hero, in one sentence."""
    parts = []
    for what, most in (("hearts", "hearts"), ("orbs", "orbs")):
        n = is_[what] - was[what]
        if n:
            name = most if abs(n) > 1 else most[:-1]
            parts.append(f"{'gains' if n > 0 else 'loses'} {abs(n)} {name} ({is_[what]} now)")
    gone = list(was["loot"])
    for card in is_["loot"]:
        plain = card.removesuffix(" (turned over)")
        match = next((c for c in gone if c.removesuffix(" (turned over)") == plain), None)
        if match is None:
            parts.append(f"gets the {plain}")
        else:
            gone.remove(match)
    parts += [f"no longer has the {c.removesuffix(' (turned over)')}" for c in gone]
    parts += [MARKED.get(m, m) for m in is_["markers"] if m not in was["markers"]]
    parts += [UNMARKED[m] for m in was["markers"] if m not in is_["markers"] and m in UNMARKED and is_["hearts"]]
    if was["hearts"] and not is_["hearts"]:
        parts.append("is down")
    elif is_["hearts"] and not was["hearts"]:
        parts.append("stands up again")
    if was["place"] != is_["place"] and not parts:
        return f"{is_['hero']} is on the {is_['at']}."
    return f"{is_['hero']} {_listed(parts)}." if parts else ""


MARKED = {"poison": "is poisoned", "entangled": "is entangled", "song": "hears the battle song",
          "stance": "stands on guard", "immobilised": "is held fast for this turn",
          "movement ended": "goes no further this turn"}
UNMARKED = {"poison": "is no longer poisoned", "entangled": "is free of the brambles"}


# --- the forest as text -----------------------------------------------------------------------------

WIDE = 9
LEGEND = (("m", "monsters"), ("?", "monster face down"), ("$", "chest"), ("!", "event"),
          ("o", "orb tokens"), ("@", "boss"), ("q", "quest marker"), ("c", "camp"), ("~", "corrupted"),
          ("#", "brambles"))
ICONS = (("$", "chests"), ("!", "event"), ("o", "orb tokens"), ("q", "quest marker"), ("c", "camp"))


def picture(state: dict) -> str:
    """The forest as text: each tile by its letters, the paths, and below it who and what is there."""
    seen = state["open"]
    cells: dict[tuple[int, int], list[dict]] = {}
    for p in seen["forest"]:
        cells.setdefault((p["at"][0], p["at"][1]), []).append(p)
    who = {p["place"]: "".join(h["hero"][0] if h["hearts"] else h["hero"][0].lower() for h in seen["heroes"]
                               if h["place"] == p["place"]) for p in seen["forest"]}
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    columns = range(min(xs), max(xs) + 1)
    lines, marks = [], ""
    for y in range(min(ys), max(ys) + 2):
        row = [cells.get((x, y)) for x in columns]
        lines.append("".join(_between(cells.get((x, y - 1)), cells.get((x, y))) for x in columns))
        if any(row):
            lines.append("".join(_named(c) for c in row))
            told = [_marks(c, who) for c in row]
            lines.append("".join(mark.center(WIDE) for mark in told))
            marks += "".join(told) + ("#" if any("brambles" in p for c in row for p in c or []) else "")
    tiles = {_letters(p["tile"]): p["tile"].split(",")[0] for p in seen["forest"]}
    legend = [f"{h['hero'][0]} {h['hero']}" if h["hearts"] else f"{h['hero'][0].lower()} {h['hero']}, down"
              for h in seen["heroes"]]
    legend += [f"{mark} {text}" for mark, text in LEGEND if mark in marks]
    names = ", ".join(f"{short} {name}" for short, name in sorted(tiles.items()))
    return "\n".join(line.rstrip() for line in [*lines, ", ".join(legend), names] if line.strip())


def _letters(tile: str) -> str:
    """Two letters of each of the first two words of a tile's name."""
    return "".join(w[:2].capitalize() for w in tile.split(",")[0].split()[:2])


def _ways(places: list[dict] | None) -> set[str]:
    return {d for p in places or [] for d in p["open to"]}


def _between(above: list[dict] | None, below: list[dict] | None) -> str:
    """The path between two cells, one above the other: joined, or an opening to nothing."""
    up, down = "south" in _ways(above), "north" in _ways(below)
    return ("|" if up and down else "'" if up else "." if down else " ").center(WIDE)


def _named(places: list[dict] | None) -> str:
    if not places:
        return " " * WIDE
    ways = _ways(places)
    name = _letters(places[0]["tile"]) + ("#" if any("brambles" in p for p in places) else "")
    return f"{'-' if 'west' in ways else ' '}[{name:<5}]{'-' if 'east' in ways else ' '}"


def _marks(places: list[dict] | None, who: dict[int, str]) -> str:
    told = ""
    for p in places or []:
        foes = p.get("monsters", [])
        down = sum(m.startswith("face-down") for m in foes)
        told += who[p["place"]] + (f"{len(foes)}m" if len(foes) > down else "") + ("?" * down)
        told += "".join(mark for mark, key in ICONS if p.get(key))
        told += "~" if p.get("corrupted") and places and p is places[0] else ""
        told += "@" if p.get("boss", "beaten") != "beaten" else ""
    return told
