"""Vengeance in words: positions, options and draws by name, the story of a game, the den drawn as text."""

from __future__ import annotations

from typing import Any

from sim.games.vengeance import components as c
from sim.games.vengeance import scoring
from sim.games.vengeance.combat import current_action
from sim.games.vengeance.names import read_name, room_name

PHASES = ("set-up", "flashback", "roll", "combat and resolution")
STAGES = ("start of combat", "combat", "loot", "resolution", "resolution")
EVENTS = ("done", "throwing", "assigning", "placing on the life bar", "drawing", "drawing die by die")
SOURCES = (*c.ACTIONS, "bonus action", "loot icon")


def tile_name(box: Any, board: Any, tile: int) -> str:
    return read_name(box.tile_name[c.row_of(board, tile)])


def dice(packed: int, locked: int = 0, fresh: int = 0) -> str:
    """A hand as letters: w is a W that is locked, ? a die without a face."""
    shown = "".join(face * (packed >> (4 * i) & 15) for i, face in enumerate(c.FACES))
    return shown + "w" * locked + "?" * fresh


def bits(mask: int) -> list[int]:
    return [i for i in range(64) if mask >> i & 1]


# --- options -------------------------------------------------------------------------------------


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    verb, a, b = c.verb_of(code), c.first_of(code), c.second_of(code)
    board = table.board[table.seat]
    told: dict[str, Any] = {"do": c.VERBS[verb]}
    if verb == c.V_HERO:
        return told | {"hero": read_name(box.hero_name[a])}
    if verb == c.V_BOSS:
        return told | {"boss": read_name(box.boss_name[a])}
    if verb == c.V_SIDE:
        return told | {"side": read_name(box.side_name[table.board_of[table.seat] * 2 + a])}
    if c.V_TRAIN <= verb <= c.V_NOTHING:
        return told | {"with": SOURCES[a]} | _action(box, board, verb, b)
    if verb == c.V_SKILL:
        instead = {"instead of": tile_name(box, board, c.BASIC + b - 1)} if b else {}
        return told | {"skill": tile_name(box, board, c.BASIC + a)} | instead
    if verb == c.V_ASSIGN:
        return told | {"skill": tile_name(box, board, a), "dice": dice(box.filling[c.row_of(board, a), b])}
    if verb == c.V_THROW:
        return told | {"keep": dice(b) or "nothing"}
    if c.V_GROUP <= verb <= c.V_ITEM:
        return told | {"tile": tile_name(box, board, a)}
    if verb in (c.V_GO, c.V_AT):
        return told | _target(box, board, verb, a)
    return told


def _action(box: Any, board: Any, verb: int, what: int) -> dict[str, Any]:
    if verb == c.V_BUY:
        return {"item": tile_name(box, board, c.SKILLS + what)}
    return {"skill": tile_name(box, board, what)} if verb == c.V_FOCUS else {}


def _target(box: Any, board: Any, verb: int, target: int) -> dict[str, Any]:
    action = c.EFFECTS[current_action(box, board)]
    if verb == c.V_GO:
        return {"action": action, "room": room_name(target)}
    if action in ("WOUND", "HEAL", "X_NO_GUNMAN"):
        return {"action": action}
    if target == c.BOSS:
        return {"action": action, "enemy": "BOSS"}
    den = box.den[board[c.DEN]]
    return {"action": action, "enemy": enemy(den, board, target), "room": room_name(den[c.ROOM_OF + target])}


def enemy(den: Any, board: Any, number: int) -> str:
    """A minion's type, with what is drawn on it: . a dot, ~ evaded."""
    marks = "." * (board[c.DOTTED] >> number & 1) + "~" * (board[c.EVADED] >> number & 1)
    return c.MINIONS[den[c.KIND_OF + number]] + marks


# --- the position --------------------------------------------------------------------------------


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "round": table.round, "of rounds": box.rounds, "phase": PHASES[table.phase], "dice in pool": table.pool,
        "seats": {f"seat {s + 1}": _seat(box, table, s) for s in range(table.seats)},
    }
    if table.seats == 1:
        seen["target"] = box.target
    if box.timer >= 0:
        seen["timer"] = box.timer
    if table.ending < 0:
        seen["to decide"] = {"seat": table.seat + 1, "what": c.KINDS[table.kind]}
        if table.kind in (c.TILING, c.TARGETING, c.LOOTING):
            seen["to decide"]["stage"] = STAGES[table.stage]
    unseen = {"boss cards": {f"seat {s + 1}": read_name(box.boss_name[hidden.boss[s]]) for s in range(table.seats)
                             if table.board[s][c.BOSS_CARD] < 0}}
    return {"open": seen, "hidden": unseen}


def _seat(box: Any, table: Any, seat: int) -> dict[str, Any]:
    board = table.board[seat]
    hero = board[c.HERO]
    boss = board[c.BOSS_CARD]
    told: dict[str, Any] = {
        "hero": read_name(box.hero_name[hero]) if hero >= 0 else "not chosen",
        "boss": read_name(box.boss_name[boss]) if boss >= 0 else "face down",
        "den board": read_name(box.side_name[2 * table.board_of[seat]])[:-1],
        "offered bosses": [read_name(box.boss_name[b]) for b in table.offer[seat] if table.offer[seat, 1] >= 0],
    }
    if hero < 0 or board[c.HEALTH] == 0:
        return told
    den = box.den[board[c.DEN]]
    del told["offered bosses"]
    return told | {
        "den side": read_name(box.side_name[board[c.DEN] % (2 * c.MAX_BOARDS)]),
        "always on": [c.POWERS[i] for i in bits(board[c.POWER])],
        "room": room_name(board[c.ROOM]),
        "den": [_room(box, den, board, room) for room in range(den[c.ROOMS])],
        "boss bar": {"health": board[c.HEALTH], "damage": board[c.DAMAGE], "hit": board[c.STRUCK] & 1 == 1},
        "life": {"slots": board[c.LIFE], "wounds": board[c.WOUNDS], "dice": board[c.LIFE_DICE]},
        "kos": board[c.KO], "eliminated": board[c.OUT] == 1,
        "experience": {"marked": board[c.XP], "spent": board[c.SPENT]}, "loot boxes": board[c.LOOT],
        "skills": {tile_name(box, board, t): _skill(box, board, t) for t in range(c.SKILLS)
                   if t < c.BASIC or board[c.OWNED] >> (t - c.BASIC) & 1},
        "items": {tile_name(box, board, c.SKILLS + i): {"stored": board[c.STORED + i], "used": board[c.SPENT_USES + i]}
                  for i in range(c.ITEMS)},
        "score now": scoring.score(box, board[c.DEN], board),
    } | _doing(box, table, board, seat)


def _doing(box: Any, table: Any, board: Any, seat: int) -> dict[str, Any]:
    """What is under way: flashback dice, the hand, or the tile in use."""
    if PHASES[table.phase] == "flashback":
        left = [face for i, face in enumerate(c.ACTIONS) for _ in range(board[c.FLASH + i])]
        return {"flashback left": left + ["bonus action"] * board[c.BONUS], "dice beside": board[c.FRESH],
                "pace": round(table.pace[seat], 3)}
    if PHASES[table.phase] == "roll":
        hand = dice(board[c.HAND], board[c.LOCKED], board[c.FRESH])
        return {"hand": hand, "in the air": board[c.AIR], "unlocks kept": board[c.BANKED],
                "event": EVENTS[board[c.EVENT]], "clock": round(table.clock[seat], 2)}
    if board[c.TILE]:
        return {"tile in use": tile_name(box, board, board[c.TILE] - 1),
                "action": c.EFFECTS[current_action(box, board)] if current_action(box, board) >= 0 else "none"}
    return {"loot icons to use": board[c.ICONS]} if board[c.ICONS] else {}


def _skill(box: Any, board: Any, tile: int) -> dict[str, int]:
    row = c.row_of(board, tile)
    told = {"groups": board[c.GROUPS + tile], "with D": board[c.SHARPS + tile],
            "focus": c.focus_marks(board, tile), "of focus slots": box.slots[row]}
    return {name: n for name, n in told.items() if n or name == "of focus slots"}


def _room(box: Any, den: Any, board: Any, room: int) -> dict[str, Any]:
    told: dict[str, Any] = {"room": room_name(room), "doors": [room_name(r) for r in bits(den[c.DOORS + room])]}
    told["enemies"] = [enemy(den, board, e) for e in bits(den[c.INSIDE + room] & board[c.ALIVE])]
    if room == den[c.BOSS_ROOM] and board[c.DAMAGE] < board[c.HEALTH]:
        told["enemies"].append("BOSS")
    crossed = den[c.INSIDE + room] & ~board[c.ALIVE]
    told["crossed"] = [c.MINIONS[den[c.KIND_OF + e]] for e in bits(crossed)]
    told["visited"] = board[c.VISITED] >> room & 1 == 1
    if den[c.ICONS_IN + room]:
        told["loot icons"] = 0 if board[c.TAKEN] >> room & 1 else den[c.ICONS_IN + room]
    goal = den[c.GOAL + room]
    if goal:
        told["objective"] = {"what": c.OBJECTIVES[goal], "points": den[c.GOAL_POINTS + room],
                             "marked": board[c.MARKED_OBJECTIVES] >> room & 1 == 1}
        if goal in (c.O_KILL, c.O_KILL_ADJ):
            told["objective"]["of"] = c.MINIONS[den[c.GOAL_TYPE + room]]
        if goal in (c.O_KILL, c.O_VISIT):
            told["objective"]["count"] = den[c.GOAL_COUNT + room]
    return told


# --- draws ---------------------------------------------------------------------------------------


def face(box: Any, where: int, a: int, b: int, c_: int, n: int, result: int) -> str | float | int:
    if where == c.COMBAT_DIE:
        return c.FACES[box.die[result]]
    if where == c.FLASHBACK_DIE:
        return c.ACTIONS[box.flashback[c_, result]]
    if where == c.HERO_DEAL:
        return read_name(box.hero_name[b])
    if where == c.BOSS_DEAL:
        return read_name(box.boss_name[b])
    if where == c.DEN_DEAL:
        return f"board{read_name(box.side_name[2 * b])[:-1]}"
    if where == c.SIDE_DEAL:
        return "AB"[result]
    return round(result / 2 ** 53, 6) if n == -1 else result


# --- the story -----------------------------------------------------------------------------------


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    lines = [] if before is None or taken is None else [_taken(before, taken)]
    if before is None:
        for name, seat in after["open"]["seats"].items():
            lines.append(f"{name.capitalize()}: {seat['hero']} against {seat['boss']} "
                         f"in den {seat.get('den side', seat['den board'])}.")
    lines += _rolled(draws)
    lines += [change for name in after["open"]["seats"] for change in _changes(name, before, after)]
    return lines


def _taken(before: dict, taken: dict) -> str:
    who = before["open"]["to decide"]["seat"]
    details = ", ".join(f"{key} {value}" for key, value in taken.items() if key != "do")
    return f"Seat {who}: {taken['do']}" + (f" ({details})." if details else ".")


def _rolled(draws: list[dict]) -> list[str]:
    lines = []
    for source, name in (("flashback dice", "Flashback dice"), ("combat dice", "Thrown")):
        shown = [str(d["result"]) for d in draws if d["source"] == source]
        if shown:
            lines.append(f"  {name}: {' '.join(shown)}.")
    return lines


def _changes(name: str, before: dict | None, after: dict) -> list[str]:
    """What happened to a seat beside what its player chose."""
    then, now = (before or after)["open"]["seats"][name], after["open"]["seats"][name]
    if "life" not in then or "life" not in now:
        return []
    lines = []
    if now["kos"] > then["kos"]:
        lines.append(f"  {name.capitalize()} is knocked out{' for good' if now['eliminated'] else ''}.")
    elif now["life"]["wounds"] > then["life"]["wounds"]:
        lines.append(f"  {name.capitalize()} has {now['life']['wounds']} of {now['life']['slots']} slots crossed.")
    for old, new in zip(then["den"], now["den"], strict=True):
        fallen = len(new["crossed"]) - len(old["crossed"])
        if fallen:
            lines.append(f"  {fallen} crossed in {new['room']}.")
        if "objective" in new and new["objective"]["marked"] and not old["objective"]["marked"]:
            lines.append(f"  Objective of {new['room']} marked: {new['objective']['points']} points.")
    if now["boss bar"]["damage"] > then["boss bar"]["damage"]:
        lines.append(f"  The Boss has {now['boss bar']['damage']} of {now['boss bar']['health']} wounds.")
    return lines


def picture(state: dict) -> str:
    """The dens as text: one line a room, the pawn as @, X visited, $ loot, ! an open objective."""
    lines = []
    for name, seat in state["open"]["seats"].items():
        lines.append(f"{name}: {seat['hero']}, {seat['boss']}, den {seat.get('den side', seat['den board'])}")
        if "den" not in seat:
            continue
        lines.append(f"  life {seat['life']['wounds']}/{seat['life']['slots']}  boss {seat['boss bar']['damage']}/"
                     f"{seat['boss bar']['health']}  loot {seat['loot boxes']}  xp {seat['experience']['marked']}"
                     f"  score {seat['score now']}")
        for room in seat["den"]:
            goal = room.get("objective")
            signs = ("@" if room["room"] == seat["room"] else " ") + ("X" if room["visited"] else " ")
            signs += "$" * room.get("loot icons", 0) + ("!" if goal and not goal["marked"] else "")
            doors = " ".join(door.removeprefix("room") for door in room["doors"])
            lines.append(f"  {room['room']:>6} {signs:<5} [{' '.join(room['enemies']) or '-':<16}] to {doors}")
    return "\n".join(lines)
