"""The story of a game in sentences, and the dens drawn as text; all of it from positions already in words."""

from __future__ import annotations

import re

from hardmode.sim.narration import NEW_ROUND

NUMBERED = re.compile(r"^room(\d+)$")  # a room that has no other name
SAYS = {
    "choose hero": "chooses {hero}", "choose boss": "faces {boss}", "choose den side": "chooses side {side}",
    "train": "trains ({with})", "buy item use": "stores a use of {item} ({with})",
    "add life slot": "adds a life slot ({with})", "clean wounds": "cleans wounds ({with})",
    "focus": "focuses {skill} ({with})", "collect": "collects ({with})", "nothing": "can do nothing ({with})",
    "buy skill": "buys {skill}", "done": "buys nothing more", "assign": "assigns {dice} to {skill}",
    "place on life bar": "lays a W on the life bar and unlocks the others", "unlock": "unlocks a W",
    "leave locked": "leaves the W locked", "draw": "draws {dice} of {of} dice", "throw": "throws {dice}, keeps {keep}",
    "stop": "stops rolling", "use group": "uses {tile}", "use group with D": "uses {tile} with a D",
    "use focused": "uses {tile}, focused", "use item": "uses {tile}", "end": "uses no more tiles here",
}
MEANING = {
    "P_IGNORE_BOUNCER": "BOUNCERs do not block", "P_TOUGH_ONE_HIT": "one damage crosses a TOUGH",
    "P_SHOOT_OWN_ROOM": "SHOTs may hit the own room", "P_LEAP_HIT": "a HIT after each LEAP",
    "T_SHOTS_EVADE": "SHOTs evade", "T_HEAL_ONE": "CARE cleans one wound",
    "T_CROWD_WOUND": "a wound on entering a room of 3 or more active minions",
    "T_TRAIN_LESS": "the first TRAIN marks one slot",
    "B_SHOT_ONLY_GRUNT": "SHOTs at GRUNTs only", "B_COUNTER_HIT": "a wound for each HIT on the Boss",
    "B_NO_SHOT": "no SHOT hurts the Boss", "B_ENTRY_WOUND": "a wound on entering a room with an active GUNMAN",
    "B_ADD_HENCHMAN_ADJ": "a HENCHMAN more in every room next to the Boss",
    "B_ADD_GRUNT": "a GRUNT more beside the Boss",
    "B_ADD_GUNMAN_ADJ": "a GUNMAN more in the first room next to the Boss",
    "B_START_WOUND": "a wound at the start", "B_NO_BONUS_ANTICIPATE": "no FOCUS by the bonus action",
}
GOALS = {
    "O1_KILL": "kill {count} {of}", "O2_CLEAR_1TURN": "clear it in one round", "O3_LIFE6": "a life bar of {count}",
    "O4_VISIT_ADJ": "visit all rooms next door", "O5_HIT_BOSS": "HIT the Boss", "O6_VISIT_N": "visit {count} rooms",
    "O7_KILL_ADJ": "no {of} next door",
}


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    now = after["open"]["seats"]
    lines = [] if before is None or taken is None else [_taken(before, taken, after)]
    if before is None:
        lines += [line for name, seat in now.items() for line in _dealt(name, seat)]
    changed = [line for name, seat in now.items()
               for line in _changed(name, before["open"]["seats"][name], seat, taken or {})] if before else []
    if before and before["open"]["phase"] == "flashback":
        lines += changed + _thrown(draws, now)
    else:
        over = before and before["open"]["phase"] == "roll" != after["open"]["phase"]
        lines += _thrown(draws, now) + ["  The roll phase is over."] * bool(over) + changed
    shown = [str(d["result"]) for d in draws if d["source"] == "flashback dice"]
    lines += [NEW_ROUND, f"  The flashback dice show {' '.join(shown)}."] if shown else []
    if "to decide" not in after["open"]:
        if "target" in after["open"]:
            lines.append(f"The target is {after['open']['target']}.")
        lines += [f"{name.capitalize()} scores {seat['score now']}: {_sum(seat)}." for name, seat in now.items()]
    return lines


def _taken(before: dict, taken: dict, after: dict) -> str:
    seat = f"seat {before['open']['to decide']['seat']}"
    then, now = before["open"]["seats"][seat], after["open"]["seats"][seat]
    said = SAYS[taken["do"]].format(**taken) if taken["do"] in SAYS else ""
    if "instead of" in taken:
        said += f" instead of {taken['instead of']}"
    if "experience" in then and taken["do"] in ("train", "buy skill"):
        marked, spent = now["experience"]["marked"], now["experience"]["spent"]
        said += f": experience {marked}, {marked - spent} unspent"
    done = "; ".join(taken.get("then", ()))
    return f"{seat.capitalize()}{' ' if said else ''}{said}{': ' if done else ''}{done}."


def _dealt(name: str, seat: dict) -> list[str]:
    if "den side" not in seat:
        return [f"{name.capitalize()}: {seat['hero']} against {seat['boss']}, den board {seat['den board']}."]
    rules = "; ".join(MEANING[power] for power in [*seat["always on"], seat["boss adds"]] if power != "none")
    return [f"{name.capitalize()}: {seat['hero']} against {seat['boss']} ({seat['boss bar']['health']} health) in den "
            f"{seat['den side']}{': ' + rules if rules else ''}."]


def _thrown(draws: list[dict], now: dict) -> list[str]:
    """Every throw that came to rest, by the seat that its address names."""
    throws: dict[tuple[int, int], list[str]] = {}
    for draw in draws:
        if draw["source"] == "combat dice":
            at = draw["address"]
            throws.setdefault((at["round and seat"] % 8, at["throw"]), []).append(str(draw["result"]))
    lines = []
    for (seat, _), faces in throws.items():
        name = f"seat {seat + 1}"
        clock = now[name].get("clock")
        lines.append(f"  {name.capitalize()}{'' if clock is None else f', {clock:.1f} s'}: {' '.join(faces)}.")
    return lines


def _changed(name: str, then: dict, now: dict, taken: dict) -> list[str]:
    """What happened to a seat beside what its player chose."""
    if "life" not in now:
        return []
    if "life" not in then:
        return _dealt(name, now)
    who, lines = name.capitalize(), []
    if then["life"]["dice"] > now["life"]["dice"]:
        lines.append(f"  {who} takes {_many(then['life']['dice'], 'wound')} from dice on the life bar.")
    rooms = [new["room"] for old, new in zip(then["den"], now["den"], strict=True)
             if new.get("loot icons", 0) < old.get("loot icons", 0)]
    if rooms:
        lines.append(f"  {who} takes the loot of {', '.join(rooms)}.")
    if now["loot boxes"] > then["loot boxes"]:
        lines.append(f"  {who} has {_many(now['loot boxes'], 'loot box', 'loot boxes')} crossed.")
    lines += _hurt(who, then, now, taken)
    for old, new in zip(then["den"], now["den"], strict=True):
        if "objective" in new and new["objective"]["marked"] and not old["objective"]["marked"]:
            if not any(f"objective of {new['room']}," in said for said in taken.get("then", ())):
                lines.append(f"  {who} marks the objective of {new['room']}: {new['objective']['points']} points.")
    return lines


def _hurt(who: str, then: dict, now: dict, taken: dict) -> list[str]:
    """Wounds that no tile gave, cleaning in flashback, and a KO."""
    suffered = now["wounds taken"] - then["wounds taken"]
    mine = taken.get("wounds", 0) if suffered else 0
    enemies = suffered - mine - max(0, then["life"]["dice"] - now["life"]["dice"])
    bar = f"{now['life']['wounds']} of {now['life']['slots']} life slots crossed"
    if now["kos"] > then["kos"]:
        weaker = f"back to {now['life']['slots']} life slots, a hand of {now['dice a hand']} dice"
        hurt = [f"  {who} takes {_many(enemies, 'wound')} from enemies."] if enemies > 0 else []
        return [*hurt, f"  {who} is knocked out: {'dead' if now['eliminated'] else weaker}."]
    if enemies > 0:
        return [f"  {who} takes {_many(enemies, 'wound')} from enemies: {bar}."]
    if "then" not in taken and any(now["life"][k] != then["life"][k] for k in ("slots", "wounds")):
        return [f"  {who} has {bar}."]
    return []


def _many(n: int, one: str, more: str = "") -> str:
    return f"{n} {one if n == 1 else more or one + 's'}"


def _sum(seat: dict) -> str:
    if "points" not in seat:
        return "nothing"
    if seat["eliminated"]:
        return "eliminated"
    return ", ".join(f"{source} {points}" for source, points in seat["points"].items())


# --- the den -------------------------------------------------------------------------------------


def picture(state: dict) -> str:
    """The dens as text, one line a room. @ the pawn, v visited, $ loot; . a dotted minion, ~ an evaded one."""
    lines = []
    for name, seat in state["open"]["seats"].items():
        lines.append(f"{name}: {seat['hero']} against {seat['boss']}, den {seat.get('den side', seat['den board'])}")
        if "den" not in seat:
            continue
        bar, life, xp = seat["boss bar"], seat["life"], seat["experience"]
        lines.append(f"  score {seat['score now']}; Boss {bar['damage']} of {bar['health']} slots crossed, life "
                     f"{life['wounds']} of {life['slots']}, KOs {seat['kos']}; loot boxes {seat['loot boxes']}, "
                     f"experience {xp['marked']}, {xp['marked'] - xp['spent']} unspent")
        tiles = [f"{tile} x{kept['stored']}" for tile, kept in seat["items"].items() if kept["stored"]]
        tiles = [*list(seat["skills"])[4:], *tiles]
        lines += [f"  {', '.join(tiles)}"] if tiles else []
        width = max(6, *(len(room["room"]) for room in seat["den"]))
        lines += [_room(room, seat["room"], width) for room in seat["den"]]
    return "\n".join(lines)


def _room(room: dict, here: str, width: int) -> str:
    signs = ("@" if room["room"] == here else " ") + ("v" if room["visited"] else " ") + "$" * room.get("loot icons", 0)
    doors = " ".join(NUMBERED.sub(r"\1", door) for door in room["doors"])
    line = f"  {room['room']:<{width}} {signs:<5}{' '.join(room['enemies']) or '-':<17} doors to {doors:<12}"
    if "objective" in room:
        goal = room["objective"]
        done = "marked" if goal["marked"] else GOALS[goal["what"]].format(**goal)
        line += f" objective, {goal['points']} points: {done}"
    return line.rstrip()
