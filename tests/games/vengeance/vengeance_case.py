"""Positions for the rule tests: a small den of four rooms, and a hand of helpers."""

from __future__ import annotations

from typing import Any

from hardmode.scenarios.box import load_parameters
from hardmode.sim.contract import Values
from hardmode.sim.draws import LUCK
from hardmode.sim.games.vengeance import GAME, rounds
from hardmode.sim.games.vengeance.names import BASIC, MAX_OPTIONS, Basic, Event, Kind, Phase, Slot, Stage, Verb
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import row_of
from hardmode.sim.records import blank, readable

SMALL = {
    "den.1A.doors": ["0-1", "1-2", "2-3", "1-3"],
    "den.1A.previsited": [],
    "den.1A.boss_bonus": [0] * 8,
    "den.1A.room.start.enemies": [],
    "den.1A.room.room1.enemies": ["HE", "BO"], "den.1A.room.room1.loot": 1,
    "den.1A.room.room2.enemies": ["TO", "GN"], "den.1A.room.room2.loot": 1,
    "den.1A.room.room2.objective": "O2_CLEAR_1TURN", "den.1A.room.room2.points": 3,
    "den.1A.room.room3.enemies": ["GR", "BOSS"],
    "den.1A.room.room3.objective": "O5_HIT_BOSS", "den.1A.room.room3.points": 2,
}
PLAIN_ROOM = {"enemies": [], "loot": 0, "objective": "none", "of": "none", "count": 0, "points": 0}
BO, HE, TO, GN, GR = 0, 1, 2, 3, 4  # the minions of the small den, by room and type


def values(**changes: Any) -> dict[str, Any]:
    """The numbers of the box with the small den as board 1, no trait, Boss of 4 health without an effect."""
    usual = {path: leaf.value for path, leaf in load_parameters("vengeance").items() if not path.startswith("den.1A.")}
    plain = {"hero.shadowman.trait": "none", "boss.don_zemun.health": 4, "boss.don_zemun.effect": "none",
             "setup.heroes": ["shadowman"], "setup.bosses": ["don_zemun"], "setup.boards": ["board1"],
             "setup.sides": ["A"]}
    dotted = {path.replace("__", "."): value for path, value in changes.items()}
    found = {**SMALL, **usual, **plain, **dotted}
    rooms = dict.fromkeys(path.rpartition(".")[0] for path in found if path.startswith("den.1A.room."))
    return {**{f"{room}.{name}": value for room in rooms for name, value in PLAIN_ROOM.items()}, **found}


def box_of(**changes: Any) -> Any:
    cells = blank(GAME.box)
    reader = Values(values(**changes))
    GAME.fill(readable(cells), reader)
    assert not reader.unread
    return cells[0]


def luck_of(key: int = 1) -> Any:
    luck = blank(LUCK)[0]
    luck.key = key
    return luck


class Case:
    """A game that stands at its first decision."""

    def __init__(self, key: int = 1, **changes: Any) -> None:
        self.box = box_of(**changes)
        self.table, self.hidden = blank(GAME.table)[0], blank(GAME.hidden)[0]
        self.luck = luck_of(key)
        GAME.setup(self.box, self.table, self.hidden, self.luck)

    @property
    def board(self) -> Any:
        return self.table.board[0]

    @property
    def den(self) -> int:
        return self.board[Slot.DEN]

    def options(self) -> list[int]:
        out = [0] * MAX_OPTIONS
        return out[:GAME.options(self.box, self.table, self.hidden, out)]

    def verbs(self) -> list[int]:
        return [verb_of(o) for o in self.options()]

    def take(self, verb: int, a: int | None = None, b: int | None = None) -> None:
        """Take the first option of a verb (and its numbers, where given)."""
        for o in self.options():
            if verb_of(o) == verb and a in (None, first_of(o)) and b in (None, second_of(o)):
                GAME.take(self.box, self.table, self.hidden, self.luck, o)
                return
        raise AssertionError(f"{Verb.labels()[verb]} {a} {b} is not among {self.told()}")

    def told(self) -> list[tuple[str, int, int]]:
        return [(Verb.labels()[verb_of(o)], first_of(o), second_of(o)) for o in self.options()]

    def at_roll(self, hand: str, pool: int = 12) -> Case:
        """The roll phase, the pawn's player holding these dice; U is a die without a face."""
        self.table.phase, self.table.kind, self.table.seat, self.table.pool = Phase.ROLL, Kind.ROLL, 0, pool
        self.at_time(1.0)
        self.board[Slot.EVENT] = Event.THROWING
        self.deal(hand)
        return self

    def at_time(self, seconds: float, seat: int = 0) -> None:
        """A seat's last event has just ended."""
        self.table.since[seat] = self.hidden.ends[seat] = seconds

    def deal(self, hand: str) -> None:
        board = self.board
        board[Slot.HAND], board[Slot.AIR] = packed(hand), 0
        board[Slot.LOCKED], board[Slot.FRESH] = hand.count("W"), hand.count("U")

    def at_combat(self, room: int = 0, **groups: int) -> Case:
        """The main part of combat, the pawn in a room, with groups or focus on skills."""
        self.table.phase, self.table.seat, self.table.stage = Phase.COMBAT, 0, Stage.MAIN
        board = self.board
        board[Slot.FRESH], board[Slot.ROOM] = 0, room
        board[Slot.VISITED] |= 1 << room
        for name, n in groups.items():
            tile = Basic.labels().index(name) if name in Basic.labels() else BASIC + int(name[1:])
            board[Slot.GROUPS + tile] = n
            board[Slot.ASSIGNED] += n * self.box.size[row_of(board, tile)]
        self.table.kind = Kind.TILE
        return self

    def next(self) -> Case:
        rounds.go_on(self.box, self.table, self.hidden, self.luck)
        return self


def packed(hand: str) -> int:
    return sum(1 << (4 * "RGKD".index(face)) for face in hand if face in "RGKD")


def alive(board: Any, *minions: int) -> None:
    """Only these minions are left in the den."""
    board[Slot.ALIVE] = sum(1 << m for m in minions)
