"""Run Run Run! in words: options, positions and draws by name; the story and the map are told beside it."""

from __future__ import annotations

from typing import Any

from hardmode.sim.games.run_run_run import cooperate, explore, fight
from hardmode.sim.games.run_run_run import records as r
from hardmode.sim.games.run_run_run.attacks import BASE
from hardmode.sim.games.run_run_run.mummies import power
from hardmode.sim.games.run_run_run.story import picture, tell

__all__ = ["face", "option", "picture", "state", "tell"]

MUMMY_NAMES = (*r.MUMMIES, "Boss")
YES_NO = ("no", "yes")


def player(seat: int) -> str:
    return f"player {seat + 1}"


def mummy(table: Any, m: int) -> str:
    return r.BOSSES[table.boss] if m == r.BOSS and table.boss >= 0 else MUMMY_NAMES[m]


def room(box: Any, table: Any, card: int) -> dict[str, Any]:
    """A Room card: its number, its exits on the sides 0 to 5 before it is turned, what it bears."""
    return {"room": card, "exits": sides(box.turned[card, 0]), "bears": r.MARKS[table.mark[card]],
            "printed torch": bool(table.lit[card])}


def card(box: Any, table: Any, number: int) -> str:
    """A Room card in a few words."""
    torch = ", torch" if table.lit[number] else ""
    return f"Room {number} ({box.exits[number]} exits, {r.MARKS[table.mark[number]]}{torch})"


def token(box: Any, number: int) -> str:
    kind, value = r.TOKEN_KINDS[box.token_kind[number]], box.token_value[number]
    return f"{kind} {value}" if value else kind


def sides(mask: int) -> list[int]:
    return [d for d in range(6) if mask >> d & 1]


def tile(table: Any, t: int) -> str:
    """A tile by its hex; the Vault and the Exit Door by name."""
    where = f"({table.q[t]}, {table.r[t]})"
    if table.card[t] >= 0:
        return f"Room {table.card[t]} at {where}"
    return "Vault" if table.card[t] == r.VAULT_TILE else f"Exit Door at {where}"


def place(table: Any, hexagon: int) -> str:
    """An empty hex beside the maze, by its coordinates."""
    e = -1 - table.grid[hexagon]
    for d in range(6):
        if e >= 0 and table.edge_near[e] >> d & 1:
            back = (d + 3) % 6
            for t in range(table.tiles_n):
                if _beside(table.hex[t], back) == hexagon:
                    return f"({table.q[t] + r.DQ[back]}, {table.r[t] + r.DR[back]})"
    return f"hex {hexagon}"


def _beside(hexagon: int, d: int) -> int:
    return (hexagon + r.DQ[d] + r.WIDTH * r.DR[d]) % r.HEXES


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    """One option by names; `do` is the kind of the decision."""
    kind = table.kind
    if kind in (r.ACTION, r.WINDOW):
        return _action(box, table, code // r.ARGUMENTS, code % r.ARGUMENTS)
    return {"do": r.KINDS[kind], **_choice(box, table, kind, code)}


def _action(box: Any, table: Any, what: int, argument: int) -> dict[str, Any]:
    if what == r.EXPLORE:
        return {"do": "explore", "hex": place(table, argument)}
    if what in (r.FIGHT, r.MOVE):
        return {"do": "fight" if what == r.FIGHT else "move", "at": tile(table, argument)}
    if what in (r.USE, r.JUMP, r.OPEN):
        how = {r.USE: "use token", r.JUMP: "teleport with token", r.OPEN: "open a wall with token"}[what]
        return {"do": how, "token": token(box, argument)}
    return {"do": {r.DONE: "no token now", r.COOPERATE: "cooperate", r.PASS: "pass"}[what]}


def _choice(box: Any, table: Any, kind: int, code: int) -> dict[str, Any]:
    """What an option of a further decision says."""
    if kind == r.FIRST_PLAYER:
        return {"player": player(code)}
    if kind in (r.TELEPORT, r.PATH, r.WAKING):
        about = {"mummy": mummy(table, table.mover if kind == r.PATH else table.waking)} if kind != r.TELEPORT else {}
        return {**about, "to": tile(table, code)}
    if kind == r.SPLIT:
        return {player(s): code // BASE ** s % BASE for s in range(table.seats) if code // BASE ** s % BASE}
    if kind in (r.DROP, r.FUEL, r.COMMIT, r.OFFER):
        return _card_choice(box, table, kind, code)
    if kind == r.SIDES:
        return {"side": "no more passages" if code == explore.NO_MORE else code}
    if kind == r.CARD:
        return {"card": card(box, table, code // 64), "hex": place(table, table.place), "exits": sides(code % 64)}
    if kind == r.STRIKE:
        return {"mummy": mummy(table, code)}
    if kind == r.FOOTSTEP:
        return {"to": "stay" if code == fight.STAY else tile(table, code)}
    if kind in (r.MECHANISM, r.DOORWAY, r.OPENING):
        return _place_choice(table, kind, code)
    return _team_choice(box, table, kind, code)


def _card_choice(box: Any, table: Any, kind: int, code: int) -> dict[str, Any]:
    if kind == r.COMMIT and code == fight.ROLL_NOW:
        return {"roll": table.dice}
    if kind == r.COMMIT and code == fight.SPEND_DOUBLE:
        return {"token": "double"}
    return {"card": "none" if kind == r.OFFER and code == cooperate.NO_MORE else card(box, table, code)}


def _place_choice(table: Any, kind: int, code: int) -> dict[str, Any]:
    if kind == r.MECHANISM:
        if code == explore.NEITHER:
            return {"mechanism": "none"}
        t, d = table.tile, code % 6
        three = [tile(table, x) for x in (t, table.near[t, d] - 1, table.near[t, (d + 1) % 6] - 1)]
        return {"mechanism": "torch" if code < explore.DOOR_SIDE else "door", "rooms": three}
    through = {"through": "a wall"} if kind == r.DOORWAY and code >= explore.WALL else {}
    code %= explore.WALL
    return {"tile": tile(table, code // 6), "side": code % 6, **through}


def _team_choice(box: Any, table: Any, kind: int, code: int) -> dict[str, Any]:
    if kind in (r.SHIELDING, r.DIG, r.JOIN):
        return {"answer": YES_NO[code]}
    if kind == r.BURN:
        return {"torches": code}
    if kind == r.SHARE:
        shown = table.pool[table.pool_n - 1]
        return {"card": card(box, table, shown) if shown >= 0 else "face down", "to": player(code)}
    if kind == r.GIFT:
        return {"token": "none"} if code == cooperate.KEEP else {"token": token(box, code // 8), "to": player(code % 8)}
    if kind == r.RESERVE:
        return {"hex": "none" if code < 0 else place(table, code)}
    return {"flag": r.FLAGS[code]}


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    """All that lies on the table, and all that lies face down."""
    seats = range(table.seats)
    seen: dict[str, Any] = {
        "round": table.round, "turn": table.turn, "active player": player(table.active),
        "decision": None if table.kind < 0 or table.ending >= 0 else
        {"player": player(table.seat), "kind": r.KINDS[table.kind], **_half_made(box, table)},
        "maze": [_tile(box, table, t) for t in range(table.tiles_n)],
        "players": {player(s): _player(box, table, s) for s in seats},
        "mummies": {mummy(table, m): {"at": tile(table, table.at[m]), "hearts": table.hp[m]}
                    for m in range(5) if table.at[m] >= 0},
        "mummy pile": {"cards": table.pile_n, "hearts on the top card": table.hearts},
        "mummy dice": power(box, table), "torches": table.torches,
        "torch bank": box.bank - table.torches - table.torches_laid,
        "door mechanisms left": table.doors, "torch mechanisms left": table.torch_tokens,
        "regroup tiles": table.regroups, "deck": table.deck_n,
        "discard pile": sorted(table.discard[i] for i in range(table.discard_n)),
        "pool": [table.pool[i] if table.pool[i] >= 0 else "face down" for i in range(table.pool_n)],
        "sarcophagus tokens left": table.tokens_n,
        "used tokens": [token(box, i) for i in range(box.tokens) if table.token_at[i] == r.USED],
    }
    if table.waking >= 0:
        seen["waking"] = mummy(table, table.waking)
    unseen = {
        "hands": {player(s): sorted(hidden.own[s].hand[i] for i in range(table.hand_n[s])) for s in seats},
        "deck, top first": [hidden.deck[i] for i in range(table.deck_n - 1, -1, -1)],
        "mummy pile, top first": [r.MUMMIES[hidden.pile[i]] for i in range(table.pile_n - 1, -1, -1)],
        "sarcophagus pile, top first": [token(box, hidden.tokens[i]) for i in range(table.tokens_n - 1, -1, -1)],
        "boss": r.BOSSES[hidden.boss],
        "pool": [hidden.pool[i] for i in range(table.pool_n)],
        "offered": {player(s): [hidden.own[s].give[i] for i in range(table.given[s])] for s in seats if table.given[s]},
        "rooms": [room(box, table, c) for c in range(box.cards)],
    }
    return {"open": seen, "hidden": unseen}


def _half_made(box: Any, table: Any) -> dict[str, Any]:
    """What of a choice has been made already."""
    if table.kind in (r.SIDES, r.CARD) or (table.kind == r.FUEL and table.moving == r.EXPLORE):
        found: dict[str, Any] = {"hex": place(table, table.place), "passages": sides(table.sides)}
        if table.kind == r.FUEL:
            found |= {"card": table.laid, "exits": sides(table.mask), "steps to pay for": table.need}
        return found
    if table.kind == r.FUEL:
        return {"to": tile(table, table.target), "steps to pay for": table.need}
    if table.kind == r.COMMIT:
        return {"dice": table.dice, "doubles": table.doubles}
    if table.kind == r.STRIKE:
        return {"damage left": table.damage}
    if table.kind == r.FOOTSTEP:
        return {"footprints left": table.feet}
    if table.kind in (r.SPLIT, r.SHIELDING, r.DROP):
        m = table.attackers.bit_length() and (table.attackers & -table.attackers).bit_length() - 1
        return {"attacker": mummy(table, m), "damage": {player(s): table.share[s] for s in range(table.seats)}}
    return {}


def _tile(box: Any, table: Any, t: int) -> dict[str, Any]:
    found: dict[str, Any] = {"tile": tile(table, t), "hex": [table.q[t], table.r[t]], "exits": sides(table.exits[t]),
                             "connected": sides(table.links[t]), "to the Vault": table.dist[t]}
    if table.passages[t]:
        found["secret passages"] = sides(table.passages[t])
    if table.card[t] >= 0:
        found |= {"bears": r.MARKS[table.mark[table.card[t]]], "lit": not table.dark[t],
                  "used for torches": bool(table.used_torch[t]), "used for the door": bool(table.used_door[t])}
    return found


def _player(box: Any, table: Any, s: int) -> dict[str, Any]:
    found: dict[str, Any] = {"hero": r.HEROES[table.hero[s]], "at": tile(table, table.cat[s]),
                             "cards": table.hand_n[s],
                             "tokens": [token(box, i) for i in range(box.tokens) if table.token_at[i] == 1 + s]}
    if table.flag[s]:
        found["says"] = r.FLAGS[table.flag[s]]
    if table.reserved[s] >= 0:
        found["reserves"] = place(table, table.reserved[s])
    return found


def face(box: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> Any:
    """The result of a draw by name; of a card's place in a shuffle, the card."""
    if where == r.MUMMY_DIE:
        return {0: "blank", 1: "a mummy symbol"}.get(box.mummy_die[result], f"{box.mummy_die[result]} mummy symbols")
    if where == r.COMBAT_DIE:
        return r.COMBAT_FACES[box.combat_die[result]]
    if where == r.BOSS_CARDS:
        return r.BOSSES[result]
    if n == 0:
        names = {r.HERO_TILES: lambda: r.HEROES[b], r.MUMMY_PILE: lambda: r.MUMMIES[b],
                 r.TOKEN_PILE: lambda: token(box, b)}
        return f"{names[where]() if where in names else f'Room {b}'}: place {result}"
    return result
