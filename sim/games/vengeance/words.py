"""Vengeance in words: positions, options and draws by name."""

from __future__ import annotations

from typing import Any

import hardmode.sim.games.vengeance.clock as clock
import hardmode.sim.games.vengeance.combat as combat
import hardmode.sim.games.vengeance.labels as labels
import hardmode.sim.games.vengeance.rolling as rolling
import hardmode.sim.games.vengeance.scoring as scoring
from hardmode.sim.games.vengeance.den import exit_rooms
from hardmode.sim.games.vengeance.names import (
    BASIC,
    BOSS,
    ITEMS,
    SIDES,
    SKILLS,
    Action,
    Addition,
    Den,
    Event,
    Face,
    FlashAction,
    FlashSource,
    Kind,
    Minion,
    Objective,
    Phase,
    Power,
    Slot,
    Source,
    Stage,
    Verb,
)
from hardmode.sim.games.vengeance.packing import faces_in, first_of, lowest, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import focus_marks, hand_cap, in_hand, row_of
from hardmode.sim.games.vengeance.story import picture, tell
from hardmode.sim.names import read_name

__all__ = ["face", "label", "option", "picture", "state", "tell", "tile_name"]



def room_name(box: Any, board: Any, room: int) -> str:
    return read_name(box.room_name[board[Slot.DEN] % SIDES, room])


def tile_name(box: Any, board: Any, tile: int) -> str:
    return read_name(box.tile_name[row_of(board, tile)])


def dice(packed: int, locked: int = 0, fresh: int = 0) -> str:
    """A hand as letters: w is a W that is locked, ? a die without a face."""
    shown = "".join(face * (packed >> (4 * i) & 15) for i, face in enumerate(Face.labels()))
    return shown + "w" * locked + "?" * fresh


def bits(mask: int) -> list[int]:
    return [i for i in range(64) if mask >> i & 1]


# --- options -------------------------------------------------------------------------------------


def label(box: Any, number: int) -> str:
    """A kind of option by name."""
    return labels.name(box, number)


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    verb, a, b = verb_of(code), first_of(code), second_of(code)
    board = table.board[table.seat]
    told: dict[str, Any] = {"do": Verb(verb).label}
    if verb == Verb.HERO:
        return told | {"hero": read_name(box.hero_name[a])}
    if verb == Verb.BOSS:
        return told | {"boss": read_name(box.boss_name[a])}
    if verb == Verb.SIDE:
        return told | {"side": read_name(box.side_name[table.board_of[table.seat] * 2 + a])}
    if Verb.TRAIN <= verb <= Verb.NOTHING:
        return told | {"with": FlashSource(a).label} | _action(box, board, verb, b)
    if verb == Verb.SKILL:
        instead = {"instead of": tile_name(box, board, BASIC + b - 1)} if b else {}
        return told | {"skill": tile_name(box, board, BASIC + a)} | instead
    if verb == Verb.ASSIGN:
        return told | {"skill": tile_name(box, board, a), "dice": dice(box.filling[row_of(board, a), b])}
    if verb == Verb.THROW:
        return told | {"dice": in_hand(board) - faces_in(b) - board[Slot.LOCKED],
                       "keep": dice(b, board[Slot.LOCKED]) or "nothing"}
    if verb == Verb.DRAW:
        there = rolling.reserve(box, table, board)
        return told | {"dice": min(hand_cap(box, board) - in_hand(board), there), "of": there}
    if verb >= Verb.GROUP:
        return told | _combat(box, board, verb, a)
    return told


def _action(box: Any, board: Any, verb: int, what: int) -> dict[str, Any]:
    if verb == Verb.BUY:
        return {"item": tile_name(box, board, SKILLS + what)}
    return {"skill": tile_name(box, board, what)} if verb == Verb.FOCUS else {}


def _combat(box: Any, board: Any, verb: int, a: int) -> dict[str, Any]:
    """A tile or a target, and what it comes to up to the next choice, tried out on a copy of the board."""
    if verb == Verb.END:
        return {}
    tile = {"tile": tile_name(box, board, a)} if verb <= Verb.ITEM else {}
    trial = board.copy()
    then = played_out(box, trial, verb, a)
    return tile | {"then": then, "wounds": _suffered(board, trial)}


def played_out(box: Any, board: Any, verb: int, a: int) -> list[str]:
    """Take a choice of the combat on a board, and all that it forces; say what happened."""
    told = []
    if verb <= Verb.ITEM:
        combat.begin_use(box, board, a, verb)
    elif verb == Verb.DECLINE:
        told.append(f"no {Action(combat.current_action(box, board)).label}")
        combat.pass_step(board)
    else:
        told.append(_resolved(box, board, combat.current_action(box, board), a))
    return told + _forced(box, board)


def _forced(box: Any, board: Any) -> list[str]:
    """What a tile does of itself; works like `combat.choices`."""
    told: list[str] = []
    while (action := combat.current_action(box, board)) >= 0:
        mask = combat.legal(box, board[Slot.DEN], board, action)
        if mask == 0 and board[Slot.EXTRA_HIT]:
            board[Slot.EXTRA_HIT] = 0
        elif mask == 0:
            combat.end_use(board)
            return [*told, f"{Action(action).label} cannot be resolved"]
        elif combat.asks(box, board[Slot.DEN], board, action, mask):
            return told
        else:
            told.append(_resolved(box, board, action, lowest(mask)))
    combat.end_use(board)
    return told


def _resolved(box: Any, board: Any, action: int, target: int) -> str:
    """Resolve an action on the board, and say what it did."""
    den, before = box.den[board[Slot.DEN]], board.copy()
    combat.resolve_step(box, board[Slot.DEN], board, action, target)
    told = Action(action).label
    if action in (Action.MOVE, Action.LEAP):
        told += f" to {room_name(box, board, target)}"
    elif action in (Action.HIT, Action.SHOT, Action.KILL, Action.EVADE):
        told += " the BOSS" if target == BOSS else (
            f" {enemy(den, before, target)} in {room_name(box, board, den[Den.ROOM_OF + target])}")
    came = _came_of(box, action, before, board)
    return f"{told} ({', '.join(came)})" if came else told


def _came_of(box: Any, action: int, before: Any, board: Any) -> list[str]:
    den = box.den[board[Slot.DEN]]
    wounds, healed = _suffered(before, board), before[Slot.WOUNDS] - board[Slot.WOUNDS]
    objectives = bits(board[Slot.MARKED_OBJECTIVES] & ~before[Slot.MARKED_OBJECTIVES])
    said = [
        ("crossed", before[Slot.ALIVE] != board[Slot.ALIVE] and action != Action.KILL),
        ("a dot", board[Slot.DOTTED] & ~before[Slot.DOTTED]),
        ("evaded", board[Slot.EVADED] & ~before[Slot.EVADED] and action != Action.EVADE),
        (f"{board[Slot.DAMAGE]} of {board[Slot.HEALTH]} slots", board[Slot.DAMAGE] > before[Slot.DAMAGE]),
        ("he is dead", before[Slot.DAMAGE] < board[Slot.DAMAGE] == board[Slot.HEALTH]),
        (f"{wounds} wound{'s' * (wounds > 1)}", wounds), ("KO", board[Slot.KO] > before[Slot.KO]),
        (f"{healed} healed", healed > 0 and board[Slot.KO] == before[Slot.KO]),
        *((f"objective of {room_name(box, board, r)}, {den[Den.GOAL_POINTS + r]} points", True) for r in objectives),
    ]
    return [words for words, true in said if true]


def _suffered(before: Any, after: Any) -> int:
    """Life slots crossed, through a KO as well."""
    full = before[Slot.LIFE] if after[Slot.KO] > before[Slot.KO] else 0
    return max(0, after[Slot.WOUNDS] + full - before[Slot.WOUNDS])


def enemy(den: Any, board: Any, number: int) -> str:
    """A minion's type, with what is drawn on it: . a dot, ~ evaded."""
    marks = "." * (board[Slot.DOTTED] >> number & 1) + "~" * (board[Slot.EVADED] >> number & 1)
    return Minion(den[Den.KIND_OF + number]).label + marks


# --- the position --------------------------------------------------------------------------------


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "round": table.round, "of rounds": box.rounds, "phase": Phase(table.phase).label, "dice in pool": table.pool,
        "seats": {f"seat {s + 1}": _seat(box, table, hidden, s) for s in range(table.seats)},
    }
    if table.seats == 1:
        seen["target"] = box.target
    if box.timer >= 0:
        seen["timer"] = box.timer
    if table.ending < 0:
        seen["to decide"] = {"seat": table.seat + 1, "what": Kind(table.kind).label}
        if table.kind in (Kind.TILE, Kind.TARGET, Kind.LOOT):
            seen["to decide"]["stage"] = Stage(table.stage).label
    unseen = {"boss cards": {f"seat {s + 1}": read_name(box.boss_name[hidden.boss[s]]) for s in range(table.seats)
                             if table.board[s][Slot.BOSS_CARD] < 0}}
    return {"open": seen, "hidden": unseen}


def _seat(box: Any, table: Any, hidden: Any, seat: int) -> dict[str, Any]:
    board = table.board[seat]
    hero = board[Slot.HERO]
    boss = board[Slot.BOSS_CARD]
    told: dict[str, Any] = {
        "hero": read_name(box.hero_name[hero]) if hero >= 0 else "not chosen",
        "boss": read_name(box.boss_name[boss]) if boss >= 0 else "face down",
        "den board": read_name(box.side_name[2 * table.board_of[seat]])[:-1],
        "offered bosses": [read_name(box.boss_name[b]) for b in table.offer[seat] if table.offer[seat, 1] >= 0],
    }
    if hero < 0 or board[Slot.HEALTH] == 0:
        return told
    den = box.den[board[Slot.DEN]]
    del told["offered bosses"]
    return told | {
        "den side": read_name(box.side_name[board[Slot.DEN] % SIDES]),
        "always on": [Power.labels()[i] for i in bits(board[Slot.POWER])],
        "boss adds": Addition(box.addition[boss]).label,
        "room": room_name(box, board, board[Slot.ROOM]),
        "den": [_room(box, den, board, room) for room in range(den[Den.ROOMS])],
        "boss bar": {"health": board[Slot.HEALTH], "damage": board[Slot.DAMAGE], "hit": board[Slot.STRUCK] & 1 == 1},
        "life": {"slots": board[Slot.LIFE], "wounds": board[Slot.WOUNDS], "dice": board[Slot.LIFE_DICE]},
        "kos": board[Slot.KO], "eliminated": board[Slot.OUT] == 1, "dice a hand": hand_cap(box, board),
        "experience": {"marked": board[Slot.XP], "spent": board[Slot.SPENT]}, "loot boxes": board[Slot.LOOT],
        "skills": {tile_name(box, board, t): _skill(box, board, t) for t in range(SKILLS)
                   if t < BASIC or board[Slot.OWNED] >> (t - BASIC) & 1},
        "shop": {tile_name(box, board, t): box.cost[row_of(board, t)] for t in range(BASIC, SKILLS)
                 if tile_name(box, board, t) and not board[Slot.OWNED] >> (t - BASIC) & 1},
        "items": {tile_name(box, board, SKILLS + i): {
            "stored": board[Slot.STORED + i], "used": board[Slot.SPENT_USES + i], "does": _does(box, board, SKILLS + i)}
            for i in range(ITEMS) if tile_name(box, board, SKILLS + i)},
        "wounds taken": table.count[seat].wounds_taken,
        "score now": scoring.score(box, board[Slot.DEN], board), "points": _points(box, board),
    } | _doing(box, table, hidden, seat)


def _points(box: Any, board: Any) -> dict[str, int]:
    den = board[Slot.DEN]
    return {"loot": scoring.loot_points(box, board), "training": scoring.training_points(box, board),
            "Boss": scoring.boss_points(box, den, board), "kill": scoring.kill_points(box, board),
            "objectives": scoring.objective_points(box, den, board),
            "way out": -box.exit_points * exit_rooms(box, den, board)}


def _doing(box: Any, table: Any, hidden: Any, seat: int) -> dict[str, Any]:
    """What is under way: flashback dice, the hand, or the tile in use; speed and clock though nobody sees them."""
    board = table.board[seat]
    if table.phase == Phase.FLASHBACK:
        left = [face for i, face in enumerate(FlashAction.labels()) for _ in range(board[Slot.FLASH + i])]
        return {"flashback left": left + ["bonus action"] * board[Slot.BONUS], "dice beside": board[Slot.FRESH],
                "pace": round(hidden.own[seat].pace, 3)}
    if table.phase == Phase.ROLL:
        hand = dice(board[Slot.HAND], board[Slot.LOCKED], board[Slot.FRESH])
        return {"hand": hand, "in the air": board[Slot.AIR], "unlocks kept": board[Slot.BANKED],
                "event": Event(board[Slot.EVENT]).label} | (
                    {} if clock.timeless(box) else {"clock": round(hidden.ends[seat], 2)})
    if board[Slot.TILE]:
        action = combat.current_action(box, board)
        return {"tile in use": tile_name(box, board, board[Slot.TILE] - 1),
                "action": Action(action).label if action >= 0 else "none"}
    return {"loot icons to use": board[Slot.ICONS]} if board[Slot.ICONS] else {}


def _does(box: Any, board: Any, tile: int) -> str:
    """The actions of a tile in their order; nothing for a passive skill."""
    row = row_of(board, tile)
    actions = [Action(box.effect[row, i]).label for i in range(box.sharp_length[row])]
    more = actions[box.length[row]:]
    return " ".join(actions[:box.length[row]]) + (f", with a D also {' '.join(more)}" if more else "")


def _skill(box: Any, board: Any, tile: int) -> dict[str, Any]:
    row = row_of(board, tile)
    told: dict[str, Any] = {
        "does": _does(box, board, tile), "groups": board[Slot.GROUPS + tile], "with D": board[Slot.SHARPS + tile],
        "focus": focus_marks(board, tile), "of focus slots": box.slots[row]}
    return {name: n for name, n in told.items() if n or name == "of focus slots"}


def _room(box: Any, den: Any, board: Any, room: int) -> dict[str, Any]:
    doors = [room_name(box, board, next_door) for next_door in bits(den[Den.DOORS + room])]
    told: dict[str, Any] = {"room": room_name(box, board, room), "doors": doors}
    told["enemies"] = [enemy(den, board, e) for e in bits(den[Den.INSIDE + room] & board[Slot.ALIVE])]
    if room == den[Den.BOSS_ROOM] and board[Slot.DAMAGE] < board[Slot.HEALTH]:
        told["enemies"].append("BOSS")
    crossed = den[Den.INSIDE + room] & ~board[Slot.ALIVE]
    told["crossed"] = [Minion(den[Den.KIND_OF + e]).label for e in bits(crossed)]
    told["visited"] = board[Slot.VISITED] >> room & 1 == 1
    if den[Den.ICONS_IN + room]:
        told["loot icons"] = 0 if board[Slot.TAKEN] >> room & 1 else den[Den.ICONS_IN + room]
    goal = den[Den.GOAL + room]
    if goal:
        told["objective"] = {"what": Objective(goal).label, "points": den[Den.GOAL_POINTS + room],
                             "marked": board[Slot.MARKED_OBJECTIVES] >> room & 1 == 1}
        if goal in (Objective.KILL, Objective.KILL_ADJ):
            told["objective"]["of"] = Minion(den[Den.GOAL_TYPE + room]).label
        if goal in (Objective.KILL, Objective.VISIT):
            told["objective"]["count"] = den[Den.GOAL_COUNT + room]
        if goal == Objective.LIFE:
            told["objective"]["count"] = box.life_goal
    return told


# --- draws ---------------------------------------------------------------------------------------


def face(box: Any, where: int, a: int, b: int, c_: int, n: int, result: int) -> str | float | int:
    if where == Source.COMBAT_DIE:
        return Face(box.die[result]).label
    if where == Source.FLASHBACK_DIE:
        return FlashAction(box.flashback[c_, result]).label
    if where == Source.HERO_DEAL:
        return read_name(box.hero_name[b])
    if where == Source.BOSS_DEAL:
        return read_name(box.boss_name[b])
    if where == Source.DEN_DEAL:
        return f"board{read_name(box.side_name[2 * b])[:-1]}"
    if where == Source.SIDE_DEAL:
        return "AB"[result]
    return round(result / 2 ** 53, 6) if n == -1 else result
