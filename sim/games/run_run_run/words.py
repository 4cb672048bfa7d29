"""Run Run Run! in words: options, positions and draws by name; the story and the map are told beside it."""

from __future__ import annotations

from typing import Any

import hardmode.sim.games.run_run_run.cooperate as cooperate
import hardmode.sim.games.run_run_run.explore as explore
import hardmode.sim.games.run_run_run.fight as fight
import hardmode.sim.games.run_run_run.labels as labels
import hardmode.sim.games.run_run_run.mechanisms as mechanisms
from hardmode.sim.games.run_run_run.attacks import BASE
from hardmode.sim.games.run_run_run.mummies import power
from hardmode.sim.games.run_run_run.names import (
    ARGUMENTS,
    DQ,
    DR,
    HEXES,
    USED,
    VAULT_TILE,
    WIDTH,
    Face,
    Flag,
    Hero,
    Kind,
    Mark,
    Mummy,
    Source,
    Token,
    Verb,
)
from hardmode.sim.games.run_run_run.story import picture, tell
from hardmode.sim.names import read_name

__all__ = ["face", "label", "option", "picture", "state", "tell"]

YES_NO = ("no", "yes")


def player(seat: int) -> str:
    return f"player {seat + 1}"


def mummy(box: Any, table: Any, m: int) -> str:
    if m < Mummy.BOSS:
        return read_name(box.mummy_name[m])
    return read_name(box.boss_name[table.boss]) if table.boss >= 0 else Mummy.BOSS.label


def room(box: Any, table: Any, card: int) -> dict[str, Any]:
    """A Room card: its number, its exits on the sides 0 to 5 before it is turned, what it bears."""
    return {"room": card, "exits": sides(box.turned[card, 0]), "bears": Mark.labels()[table.mark[card]],
            "printed torch": bool(table.lit[card])}


def card(box: Any, table: Any, number: int) -> str:
    """A Room card in a few words."""
    torch = ", torch" if table.lit[number] else ""
    return f"Room {number} ({box.exits[number]} exits, {Mark.labels()[table.mark[number]]}{torch})"


def token(box: Any, number: int) -> str:
    kind, value = Token.labels()[box.token_kind[number]], box.token_value[number]
    return f"{kind} {value}" if value else kind


def sides(mask: int) -> list[int]:
    return [d for d in range(6) if mask >> d & 1]


def tile(table: Any, t: int) -> str:
    """A tile by its hex; the Vault and the Exit Door by name."""
    where = f"({table.q[t]}, {table.r[t]})"
    if table.card[t] >= 0:
        return f"Room {table.card[t]} at {where}"
    return "Vault" if table.card[t] == VAULT_TILE else f"Exit Door at {where}"


def place(table: Any, hexagon: int) -> str:
    """An empty hex beside the maze, by its coordinates."""
    e = -1 - table.grid[hexagon]
    for d in range(6):
        if e >= 0 and table.edge_near[e] >> d & 1:
            back = (d + 3) % 6
            for t in range(table.tiles_n):
                if _beside(table.hex[t], back) == hexagon:
                    return f"({table.q[t] + DQ[back]}, {table.r[t] + DR[back]})"
    return f"hex {hexagon}"


def _beside(hexagon: int, d: int) -> int:
    return (hexagon + DQ[d] + WIDTH * DR[d]) % HEXES


def label(box: Any, number: int) -> str:
    """A kind of option by name."""
    return labels.name(number, [*map(read_name, box.mummy_name), Mummy.BOSS.label])


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    """One option by names; `do` is the kind of the decision."""
    kind = table.kind
    if kind in (Kind.ACTION, Kind.WINDOW):
        return _action(box, table, code // ARGUMENTS, code % ARGUMENTS)
    return {"do": Kind.labels()[kind], **_choice(box, table, kind, code)}


def _action(box: Any, table: Any, what: int, argument: int) -> dict[str, Any]:
    do = {"do": Verb.labels()[what]}
    if what == Verb.EXPLORE:
        return {**do, "hex": place(table, argument)}
    if what in (Verb.FIGHT, Verb.MOVE):
        return {**do, "at": tile(table, argument)}
    if what in (Verb.USE, Verb.JUMP, Verb.OPEN):
        return {**do, "token": token(box, argument)}
    return do


def _choice(box: Any, table: Any, kind: int, code: int) -> dict[str, Any]:
    """What an option of a further decision says."""
    if kind == Kind.HERO:
        return {"hero": Hero.labels()[code]}
    if kind == Kind.FIRST_PLAYER:
        return {"player": player(code)}
    if kind == Kind.TELEPORT:
        return {"to": tile(table, code)}
    if kind in (Kind.PATH, Kind.WAKING):
        return {"mummy": mummy(box, table, table.mover if kind == Kind.PATH else table.waking), "to": tile(table, code)}
    if kind == Kind.SPLIT:
        return {player(s): code // BASE ** s % BASE for s in range(table.seats) if code // BASE ** s % BASE}
    if kind in (Kind.DROP, Kind.FUEL, Kind.COMMIT, Kind.OFFER):
        return _card_choice(box, table, kind, code)
    if kind == Kind.SIDES:
        return {"side": "no more passages" if code == explore.NO_MORE else code}
    if kind == Kind.CARD:
        return {"card": card(box, table, code // 64), "hex": place(table, table.place), "exits": sides(code % 64)}
    if kind == Kind.STRIKE:
        return {"mummy": mummy(box, table, code)}
    if kind == Kind.FOOTSTEP:
        return {"to": "stay" if code == fight.STAY else tile(table, code)}
    if kind in (Kind.MECHANISM, Kind.DOORWAY, Kind.OPENING):
        return _place_choice(table, kind, code)
    return _team_choice(box, table, kind, code)


def _card_choice(box: Any, table: Any, kind: int, code: int) -> dict[str, Any]:
    if kind == Kind.COMMIT and code == fight.ROLL_NOW:
        return {"roll": table.dice}
    if kind == Kind.COMMIT and code == fight.SPEND_DOUBLE:
        return {"token": "double"}
    return {"card": "none" if kind == Kind.OFFER and code == cooperate.NO_MORE else card(box, table, code)}


def _place_choice(table: Any, kind: int, code: int) -> dict[str, Any]:
    if kind == Kind.MECHANISM:
        if code == mechanisms.NEITHER:
            return {"mechanism": "none"}
        t, d = table.tile, code % 6
        three = [tile(table, x) for x in (t, table.near[t, d] - 1, table.near[t, (d + 1) % 6] - 1)]
        return {"mechanism": "torch" if code < mechanisms.DOOR_SIDE else "door", "rooms": three}
    through = {"through": "a wall"} if kind == Kind.DOORWAY and code >= mechanisms.WALL else {}
    code %= mechanisms.WALL
    return {"tile": tile(table, code // 6), "side": code % 6, **through}


def _team_choice(box: Any, table: Any, kind: int, code: int) -> dict[str, Any]:
    if kind in (Kind.SHIELDING, Kind.DIG, Kind.JOIN):
        return {"answer": YES_NO[code]}
    if kind == Kind.BURN:
        return {"torches": code}
    if kind == Kind.SHARE:
        shown = table.pool[table.pool_n - 1]
        return {"card": card(box, table, shown) if shown >= 0 else "face down", "to": player(code)}
    if kind == Kind.GIFT:
        return {"token": "none"} if code == cooperate.KEEP else {"token": token(box, code // 8), "to": player(code % 8)}
    if kind == Kind.RESERVE:
        return {"hex": "none" if code < 0 else place(table, code)}
    return {"flag": Flag.labels()[code]}


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    """All that lies on the table, and all that lies face down."""
    seats = range(table.seats)
    seen: dict[str, Any] = {
        "round": table.round, "turn": table.turn, "active player": player(table.active),
        "decision": None if table.kind < 0 or table.ending >= 0 else
        {"player": player(table.seat), "kind": Kind.labels()[table.kind], **_half_made(box, table)},
        "maze": [_tile(box, table, t) for t in range(table.tiles_n)],
        "players": {player(s): _player(box, table, s) for s in seats},
        "mummies": {mummy(box, table, m): {"at": tile(table, table.at[m]), "hearts": table.hp[m]}
                    for m in range(5) if table.at[m] >= 0},
        "mummy pile": {"cards": table.pile_n, "hearts on the top card": table.hearts},
        "mummy dice": power(box, table), "torches": table.torches,
        "torch bank": box.bank - table.torches - table.torches_laid,
        "door mechanisms left": table.doors, "torch mechanisms left": table.torch_tokens,
        "regroup tiles": table.regroups, "deck": table.deck_n,
        "discard pile": sorted(table.discard[i] for i in range(table.discard_n)),
        "pool": [table.pool[i] if table.pool[i] >= 0 else "face down" for i in range(table.pool_n)],
        "sarcophagus tokens left": table.tokens_n,
        "used tokens": [token(box, i) for i in range(box.tokens) if table.token_at[i] == USED],
    }
    if table.waking >= 0:
        seen["waking"] = mummy(box, table, table.waking)
    unseen = {
        "hands": {player(s): sorted(hidden.own[s].hand[i] for i in range(table.hand_n[s])) for s in seats},
        "deck, top first": [hidden.deck[i] for i in range(table.deck_n - 1, -1, -1)],
        "mummy pile, top first": [mummy(box, table, hidden.pile[i]) for i in range(table.pile_n - 1, -1, -1)],
        "sarcophagus pile, top first": [token(box, hidden.tokens[i]) for i in range(table.tokens_n - 1, -1, -1)],
        "boss": read_name(box.boss_name[hidden.boss]),
        "pool": [hidden.pool[i] for i in range(table.pool_n)],
        "offered": {player(s): [hidden.own[s].give[i] for i in range(table.given[s])] for s in seats if table.given[s]},
        "rooms": [room(box, table, c) for c in range(box.cards)],
    }
    return {"open": seen, "hidden": unseen}


def _half_made(box: Any, table: Any) -> dict[str, Any]:
    """What of a choice has been made already."""
    if table.kind in (Kind.SIDES, Kind.CARD) or (table.kind == Kind.FUEL and table.moving == Verb.EXPLORE):
        found: dict[str, Any] = {"hex": place(table, table.place), "passages": sides(table.sides)}
        if table.kind == Kind.FUEL:
            found |= {"card": table.laid, "exits": sides(table.mask), "steps to pay for": table.need}
        return found
    if table.kind == Kind.FUEL:
        return {"to": tile(table, table.target), "steps to pay for": table.need}
    if table.kind == Kind.COMMIT:
        return {"dice": table.dice, "doubles": table.doubles}
    if table.kind == Kind.STRIKE:
        return {"damage left": table.damage}
    if table.kind == Kind.FOOTSTEP:
        return {"footprints left": table.feet}
    if table.kind in (Kind.SPLIT, Kind.SHIELDING, Kind.DROP):
        m = table.attackers.bit_length() and (table.attackers & -table.attackers).bit_length() - 1
        return {"attacker": mummy(box, table, m), "damage": {player(s): table.share[s] for s in range(table.seats)}}
    return {}


def _tile(box: Any, table: Any, t: int) -> dict[str, Any]:
    found: dict[str, Any] = {"tile": tile(table, t), "hex": [table.q[t], table.r[t]], "exits": sides(table.exits[t]),
                             "connected": sides(table.links[t]), "to the Vault": table.dist[t]}
    if table.passages[t]:
        found["secret passages"] = sides(table.passages[t])
    if table.card[t] >= 0:
        found |= {"bears": Mark.labels()[table.mark[table.card[t]]], "lit": not table.dark[t],
                  "used for torches": bool(table.used_torch[t]), "used for the door": bool(table.used_door[t])}
    return found


def _player(box: Any, table: Any, s: int) -> dict[str, Any]:
    hero = Hero.labels()[table.hero[s]] if table.hero[s] >= 0 else "not chosen yet"
    found: dict[str, Any] = {"hero": hero, "at": tile(table, table.cat[s]), "cards": table.hand_n[s],
                             "tokens": [token(box, i) for i in range(box.tokens) if table.token_at[i] == 1 + s]}
    if table.flag[s]:
        found["says"] = Flag.labels()[table.flag[s]]
    if table.reserved[s] >= 0:
        found["reserves"] = place(table, table.reserved[s])
    return found


def face(box: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> Any:
    """The result of a draw by name; of a card's place in a shuffle, the card."""
    if where == Source.MUMMY_DIE:
        return {0: "blank", 1: "a mummy symbol"}.get(box.mummy_die[result], f"{box.mummy_die[result]} mummy symbols")
    if where == Source.COMBAT_DIE:
        return Face.labels()[box.combat_die[result]]
    if where == Source.BOSS_CARDS:
        return read_name(box.boss_name[result])
    if n == 0:
        return f"{_shuffled(box, where, b)}: place {result}"
    return result


def _shuffled(box: Any, where: int, number: int) -> str:
    """One of the things that a pile was shuffled of."""
    if where == Source.HERO_TILES:
        return Hero.labels()[number]
    if where == Source.MUMMY_PILE:
        return read_name(box.mummy_name[number])
    return token(box, number) if where == Source.TOKEN_PILE else f"Room {number}"
