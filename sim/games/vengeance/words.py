"""Vengeance in words: positions, options and draws by name."""

from __future__ import annotations

from typing import Any

import hardmode.sim.games.vengeance.components as c
from hardmode.sim.games.vengeance import clock, combat, rolling, scoring
from hardmode.sim.games.vengeance.den import exit_rooms
from hardmode.sim.games.vengeance.names import read_name, room_name
from hardmode.sim.games.vengeance.story import picture, tell

__all__ = ["face", "option", "picture", "state", "tell", "tile_name"]

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
        return told | {"dice": c.in_hand(board) - c.faces_in(b) - board[c.LOCKED],
                       "keep": dice(b, board[c.LOCKED]) or "nothing"}
    if verb == c.V_DRAW:
        there = rolling.reserve(box, table, board)
        return told | {"dice": min(c.hand_cap(box, board) - c.in_hand(board), there), "of": there}
    if verb >= c.V_GROUP:
        return told | _combat(box, board, verb, a)
    return told


def _action(box: Any, board: Any, verb: int, what: int) -> dict[str, Any]:
    if verb == c.V_BUY:
        return {"item": tile_name(box, board, c.SKILLS + what)}
    return {"skill": tile_name(box, board, what)} if verb == c.V_FOCUS else {}


def _combat(box: Any, board: Any, verb: int, a: int) -> dict[str, Any]:
    """A tile or a target, and what it comes to up to the next choice, tried out on a copy of the board."""
    if verb == c.V_END:
        return {}
    tile = {"tile": tile_name(box, board, a)} if verb <= c.V_ITEM else {}
    trial = board.copy()
    then = played_out(box, trial, verb, a)
    return tile | {"then": then, "wounds": _suffered(board, trial)}


def played_out(box: Any, board: Any, verb: int, a: int) -> list[str]:
    """Take a choice of the combat on a board, and all that it forces; say what happened."""
    told = []
    if verb <= c.V_ITEM:
        combat.begin_use(box, board, a, verb)
    elif verb == c.V_DECLINE:
        told.append(f"no {c.EFFECTS[combat.current_action(box, board)]}")
        combat.pass_step(board)
    else:
        told.append(_resolved(box, board, combat.current_action(box, board), a))
    return told + _forced(box, board)


def _forced(box: Any, board: Any) -> list[str]:
    """What a tile does of itself; works like `combat.choices`."""
    told = []
    while (action := combat.current_action(box, board)) >= 0:
        mask = combat.legal(box, board[c.DEN], board, action)
        if mask == 0 and board[c.EXTRA_HIT]:
            board[c.EXTRA_HIT] = 0
        elif mask == 0:
            combat.end_use(board)
            return [*told, f"{c.EFFECTS[action]} cannot be resolved"]
        elif combat.asks(box, board[c.DEN], board, action, mask):
            return told
        else:
            told.append(_resolved(box, board, action, c.lowest(mask)))
    combat.end_use(board)
    return told


def _resolved(box: Any, board: Any, action: int, target: int) -> str:
    """Resolve an action on the board, and say what it did."""
    den, before = box.den[board[c.DEN]], board.copy()
    combat.resolve_step(box, board[c.DEN], board, action, target)
    told = c.EFFECTS[action]
    if action in (c.MOVE, c.LEAP):
        told += f" to {room_name(target)}"
    elif action in (c.HIT, c.SHOT, c.KILL, c.EVADE):
        told += " the BOSS" if target == c.BOSS else (
            f" {c.MINIONS[den[c.KIND_OF + target]]} in {room_name(den[c.ROOM_OF + target])}")
    came = _came_of(den, action, before, board)
    return f"{told} ({', '.join(came)})" if came else told


def _came_of(den: Any, action: int, before: Any, board: Any) -> list[str]:
    wounds, healed = _suffered(before, board), before[c.WOUNDS] - board[c.WOUNDS]
    objectives = bits(board[c.MARKED_OBJECTIVES] & ~before[c.MARKED_OBJECTIVES])
    said = [
        ("crossed", before[c.ALIVE] != board[c.ALIVE] and action != c.KILL),
        ("a dot", board[c.DOTTED] & ~before[c.DOTTED]),
        ("evaded", board[c.EVADED] & ~before[c.EVADED] and action != c.EVADE),
        (f"{board[c.DAMAGE]} of {board[c.HEALTH]} slots", board[c.DAMAGE] > before[c.DAMAGE]),
        ("he is dead", before[c.DAMAGE] < board[c.DAMAGE] == board[c.HEALTH]),
        (f"{wounds} wound{'s' * (wounds > 1)}", wounds), ("KO", board[c.KO] > before[c.KO]),
        (f"{healed} healed", healed > 0 and board[c.KO] == before[c.KO]),
        *((f"objective of {room_name(r)}, {den[c.GOAL_POINTS + r]} points", True) for r in objectives),
    ]
    return [words for words, true in said if true]


def _suffered(before: Any, after: Any) -> int:
    """Life slots crossed, through a KO as well."""
    full = before[c.LIFE] if after[c.KO] > before[c.KO] else 0
    return max(0, after[c.WOUNDS] + full - before[c.WOUNDS])


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
        "boss adds": c.ADDITIONS[box.addition[boss]],
        "room": room_name(board[c.ROOM]),
        "den": [_room(box, den, board, room) for room in range(den[c.ROOMS])],
        "boss bar": {"health": board[c.HEALTH], "damage": board[c.DAMAGE], "hit": board[c.STRUCK] & 1 == 1},
        "life": {"slots": board[c.LIFE], "wounds": board[c.WOUNDS], "dice": board[c.LIFE_DICE]},
        "kos": board[c.KO], "eliminated": board[c.OUT] == 1, "dice a hand": c.hand_cap(box, board),
        "experience": {"marked": board[c.XP], "spent": board[c.SPENT]}, "loot boxes": board[c.LOOT],
        "skills": {tile_name(box, board, t): _skill(box, board, t) for t in range(c.SKILLS)
                   if t < c.BASIC or board[c.OWNED] >> (t - c.BASIC) & 1},
        "shop": {tile_name(box, board, t): box.cost[c.row_of(board, t)] for t in range(c.BASIC, c.SKILLS)
                 if tile_name(box, board, t) and not board[c.OWNED] >> (t - c.BASIC) & 1},
        "items": {tile_name(box, board, c.SKILLS + i): {
            "stored": board[c.STORED + i], "used": board[c.SPENT_USES + i], "does": _does(box, board, c.SKILLS + i)}
            for i in range(c.ITEMS) if tile_name(box, board, c.SKILLS + i)},
        "wounds taken": table.count[seat, c.WOUNDS_TAKEN],
        "score now": scoring.score(box, board[c.DEN], board), "points": _points(box, board),
    } | _doing(box, table, board, seat)


def _points(box: Any, board: Any) -> dict[str, int]:
    den = board[c.DEN]
    return {"loot": scoring.loot_points(box, board), "training": scoring.training_points(box, board),
            "Boss": scoring.boss_points(box, den, board), "kill": scoring.kill_points(box, board),
            "objectives": scoring.objective_points(box, den, board),
            "way out": -box.exit_points * exit_rooms(box, den, board)}


def _doing(box: Any, table: Any, board: Any, seat: int) -> dict[str, Any]:
    """What is under way: flashback dice, the hand, or the tile in use."""
    if PHASES[table.phase] == "flashback":
        left = [face for i, face in enumerate(c.ACTIONS) for _ in range(board[c.FLASH + i])]
        return {"flashback left": left + ["bonus action"] * board[c.BONUS], "dice beside": board[c.FRESH],
                "pace": round(table.pace[seat], 3)}
    if PHASES[table.phase] == "roll":
        hand = dice(board[c.HAND], board[c.LOCKED], board[c.FRESH])
        return {"hand": hand, "in the air": board[c.AIR], "unlocks kept": board[c.BANKED],
                "event": EVENTS[board[c.EVENT]]} | (
                    {} if clock.timeless(box) else {"clock": round(table.clock[seat], 2)})
    if board[c.TILE]:
        action = combat.current_action(box, board)
        return {"tile in use": tile_name(box, board, board[c.TILE] - 1),
                "action": c.EFFECTS[action] if action >= 0 else "none"}
    return {"loot icons to use": board[c.ICONS]} if board[c.ICONS] else {}


def _does(box: Any, board: Any, tile: int) -> str:
    """The actions of a tile in their order; nothing for a passive skill."""
    row = c.row_of(board, tile)
    actions = [c.EFFECTS[box.effect[row, i]] for i in range(box.sharp_length[row])]
    more = actions[box.length[row]:]
    return " ".join(actions[:box.length[row]]) + (f", with a D also {' '.join(more)}" if more else "")


def _skill(box: Any, board: Any, tile: int) -> dict[str, Any]:
    row = c.row_of(board, tile)
    told: dict[str, Any] = {
        "does": _does(box, board, tile), "groups": board[c.GROUPS + tile], "with D": board[c.SHARPS + tile],
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
        if goal == c.O_LIFE:
            told["objective"]["count"] = box.life_goal
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
