"""A game walked through in plain Python, step by step, with everything checked that compiled code may not break.

The walk makes the kernel's moves: the same keys, the same coins. So its rows must be the kernel's, and what
holds on the walk holds in the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from hardmode.sim.compile.source_location import bare
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS, Game
from hardmode.sim.draws import BITS, DECISION, LOG_CAPACITY, LUCK, UNIT, game_key, lucky, note
from hardmode.sim.play.decisions import coin_key
from hardmode.sim.play.engine import Player
from hardmode.sim.play.kernel import UNSET
from hardmode.sim.records import Cells, readable
from hardmode.studies.conformance.game_under_test import SEED, Subject, must

UNWRITTEN = -(1 << 62)  # what lies in a row before a game writes it


def cells(dtype: Any) -> Any:
    return np.zeros(1, dtype).view(Cells)


class Walk:
    """One game under way: its records, and the checks at every step."""

    def __init__(self, subject: Subject, box: np.ndarray, number: int) -> None:
        self.game, self.check, self.number = subject.game, subject.invariants, number
        game = self.game
        self.box, self.tables, self.hiddens = (
            box.view(Cells)[0],
            cells(game.table),
            cells(game.hidden),
        )
        self.raw, self.printed = box, box.tobytes()
        self.luck = cells(LUCK)
        self.table, self.hidden = self.tables[0], self.hiddens[0]
        lucky(self.luck[0], game_key(SEED, number))
        self.luck[0].log_on = 1
        self.key = int(self.luck[0].key)
        self.options = np.zeros(game.max_options, np.int64).view(Cells)
        self.step, self.seen = 0, 0
        self.table.ending = UNSET
        game.setup(self.box, self.table, self.hidden, self.luck[0])
        must(
            self.table.ending != UNSET,
            "set-up leaves the table without `ending`; it is -1 while the game goes on",
        )
        self.after()

    def where(self) -> str:
        """For messages: the game and the step that it has come to."""
        kind = int(self.table.kind)
        name = self.game.kinds[kind] if 0 <= kind < len(self.game.kinds) else kind
        return f"game {self.number} of seed {SEED}, step {self.step}, decision {name!r}"

    def memory(self) -> tuple[bytes, bytes]:
        return self.tables.tobytes(), self.hiddens.tobytes()

    def offered(self) -> list[int]:
        """The options, which must be some, distinct, and found without moving anything."""
        before = self.memory()
        n = self.game.options(self.box, self.table, self.hidden, self.options)
        must(self.memory() == before, "options() moved something")
        must(
            1 <= n <= self.game.max_options,
            f"{n} options; there must be 1 to {self.game.max_options}",
        )
        codes = [int(c) for c in self.options[:n]]
        must(len(set(codes)) == n, f"an option is listed twice: {codes}")
        for code in codes:
            self.labelled(code)
        must(self.memory() == before, "label() moved something")
        return codes

    def labelled(self, code: int) -> int:
        """The label of an option, which must be one that there is."""
        label = int(self.game.label(self.box, self.table, self.hidden.own[self.table.seat], code))
        must(
            0 <= label < max(1, self.game.labels),
            f"the label of option {code} is {label}; the game has "
            f"{self.game.labels}, numbered from 0",
        )
        return label

    def of_these(self, player: Player, codes: list[int]) -> int:
        """The place that a player takes in a list of fewer options than are offered, or in another order."""
        offered = self.options.copy()
        self.options[: len(codes)] = codes
        try:
            return self.choice(player, len(codes))
        finally:
            self.options[:] = offered

    def whims(self, player: Player, n: int) -> bool:
        """Whether a player leaves the choice to its coins."""
        return len({self.choice(player, n, whim) for whim in range(6)}) > 1

    def choice(self, player: Player, n: int, whim: int = 0) -> int:
        """What a player takes, who must not touch anything and must choose alike when asked again; with other coins for
        each whim."""
        own = self.hidden.own[self.table.seat]
        weights = np.zeros(max(64, len(player.weights))).view(Cells)
        weights[: len(player.weights)] = player.weights
        before = (*self.memory(), self.options.tobytes(), weights.tobytes())
        taken = []
        for _ in range(2):
            coins = cells(LUCK)
            lucky(coins[0], coin_key(self.key ^ whim, self.step))
            taken.append(
                bare(player.choose)(self.box, self.table, own, self.options, n, coins[0], weights)
            )
        after = (*self.memory(), self.options.tobytes(), weights.tobytes())
        must(after == before, f"{player.name} wrote to what it was shown")
        must(taken[0] == taken[1], f"{player.name} chose {taken[0]}, then {taken[1]}")
        must(0 <= taken[0] < n, f"{player.name} chose {taken[0]} of {n}")
        return int(taken[0])

    def take(self, i: int) -> None:
        code = int(self.options[i])
        rounds = int(self.table.round)
        note(self.luck[0], DECISION, self.step, int(self.table.kind), rounds, 0, code)
        self.game.take(self.box, self.table, self.hidden, self.luck[0], code)
        self.step += 1
        must(self.table.round >= rounds, f"the round went back from {rounds} to {self.table.round}")
        self.after()

    def after(self) -> None:
        """What must hold at every step."""
        table = self.table
        must(
            -1 <= table.ending < len(self.game.all_endings),
            f"the ending is {table.ending}, which has no name",
        )
        must(
            1 <= table.seats <= self.game.seats,
            f"{table.seats} seats; there can be 1 to {self.game.seats}",
        )
        must(table.round >= 0, f"the round is {table.round}")
        if table.ending < 0:
            must(0 <= table.seat < table.seats, f"seat {table.seat} of {table.seats} is to decide")
            must(
                0 <= table.kind < len(self.game.kinds),
                f"the decision's kind is {table.kind}; the game has "
                f"{len(self.game.kinds)}, numbered from 0",
            )
        before = self.memory()
        self.row()
        must(self.memory() == before, "outcome() moved something")
        self.check(readable(self.raw), readable(self.tables), readable(self.hiddens))
        self.draws()

    def draws(self) -> None:
        """Each new draw has a source, an address of its own, and a result in its range."""
        log = self.luck.view(np.ndarray)["log"][0, self.seen : int(self.luck[0].log_n)]
        must(self.luck[0].log_n <= LOG_CAPACITY, "more draws and decisions than the log holds")
        for where, _, _, _, n, result in log.tolist():
            if where == DECISION:
                continue
            must(
                0 <= where < len(self.game.sources),
                f"source {where} is drawn from, which has no name",
            )
            limit = {BITS: 1 << 63, UNIT: 1 << 53}.get(n, n)
            must(0 <= result < limit, f"a draw of 0 to {limit - 1} gave {result}")
        self.seen = int(self.luck[0].log_n)

    def box_is_whole(self) -> bool:
        """Asked once at the end, since a box can be large."""
        return self.raw.tobytes() == self.printed

    def asked(self) -> list[str]:
        """The columns that are read now: all of a finished game but what is measured of empty seats, which begins as 0
        and stays so, and what is followed of a game that goes on."""
        if self.table.ending >= 0:
            empty = range(int(self.table.seats), self.game.seats)
            idle = {
                f"{m.name} {s + 1}"
                for m in self.game.measures
                if m.per_seat and not m.factor
                for s in empty
            }
            return [name for name in self.game.columns if name not in idle]
        followed = [m.name for m in self.game.measures if m.curve and not m.per_seat]
        return [*self.game.columns[: SCORES + self.game.seats], *followed]

    def row(self) -> list[int]:
        rows = cells(self.game.row)
        row = rows.view(np.ndarray).view(np.int64)
        row[:] = UNWRITTEN
        self.game.outcome(self.box, self.table, rows[0])
        asked = set(self.asked())
        unwritten = [
            name
            for name, value in zip(self.game.columns, row.tolist(), strict=True)
            if value == UNWRITTEN and name in asked
        ]
        must(not unwritten, f"outcome() does not write {', '.join(unwritten)}")
        row[row == UNWRITTEN] = 0
        check_row(self.game, row, int(self.table.seats))
        return row.tolist()

    def redealt(self, key: int) -> Walk:
        """The same position as the deciding seat sees it, with all that it cannot know dealt afresh."""
        other, seat, before = self._aside(key), int(self.table.seat), self.memory()
        other.hiddens.view(np.ndarray).view(np.int8)[:] = 85  # old content must not matter
        self.game.redeal(self.box, other.table, self.hidden.own[seat], other.hidden, other.luck[0])
        must(self.memory() == before, "redeal() wrote to what it was given")
        return self._the_same(other, "redeal()", [seat])

    def seen_from(self, view: int, key: int) -> Walk:
        """The same position as one seat sees it whoever is to decide, or as all see it together."""
        other = self._aside(key)
        other.hiddens.view(np.ndarray)[:] = self.hiddens.view(np.ndarray)
        assert self.game.redeal_for is not None
        self.game.redeal_for(self.box, other.table, view, other.hidden, other.luck[0])
        return self._the_same(
            other, "redeal_for()", [view] if view >= 0 else range(int(self.table.seats))
        )

    def _aside(self, key: int) -> Walk:
        """The same position in records of its own, to be dealt afresh with another luck."""
        other = object.__new__(Walk)
        other.__dict__.update(self.__dict__)
        other.tables, other.hiddens, other.luck = (
            self.tables.copy(),
            cells(self.game.hidden),
            cells(LUCK),
        )
        other.options = self.options.copy()
        lucky(other.luck[0], np.uint64(key))
        other.table, other.hidden, other.seen = other.tables[0], other.hiddens[0], 0
        return other

    def _the_same(self, other: Walk, rule: str, seats: Iterable[int]) -> Walk:
        """Whoever looks sees the same table and holds the same."""
        must(other.tables.tobytes() == self.tables.tobytes(), f"{rule} changed the table")
        must(
            all(other.own(seat) == self.own(seat) for seat in seats),
            f"{rule} changed what the seat holds",
        )
        other.check(readable(other.raw), readable(other.tables), readable(other.hiddens))
        return other

    def own(self, seat: int) -> bytes:
        return self.hiddens.view(np.ndarray)["own"][0][seat].tobytes()

    def shared(self) -> list[tuple[int, ...]]:
        return shared(self.luck.view(np.ndarray)["log"][0, : int(self.luck[0].log_n)])


def shared(log: np.ndarray) -> list[tuple[int, ...]]:
    """Addresses that two events of a game share.

    A card's priority may be looked up several times while one thing happens; in another step it would
    be the same shuffle again.
    """
    last: dict[tuple[int, ...], int] = {}
    twice: list[tuple[int, ...]] = []
    step = 0
    for where, a, b, c, n, _ in log.tolist():
        if where == DECISION:
            step += 1
            continue
        address = (where, a, b, c)
        if address in last and (n != BITS or last[address] != step):
            twice.append(address)
        last[address] = step
    return twice


def check_row(game: Game, row: np.ndarray, seats: int) -> None:
    """Endings, winners and labelled values are within what the game declares, and all fits 32 bits."""
    must(
        -1 <= row[ENDING] < len(game.all_endings),
        f"the row's ending is {row[ENDING]}, which has no name",
    )
    must(row[ROUNDS] >= 0, f"the row's rounds are {row[ROUNDS]}")
    must(
        0 <= row[WINNERS] < 1 << seats,
        f"winners are {row[WINNERS]}: each of {seats} seats is one bit",
    )
    for column, value in zip(game.columns, row.tolist(), strict=True):
        must(abs(value) < 1 << 31, f"{column} is {value}, which does not fit 32 bits")
    names = game.columns
    for m in game.measures:
        columns = [f"{m.name} {s + 1}" for s in range(game.seats)] if m.per_seat else [m.name]
        for s, column in enumerate(columns):
            value = int(row[names.index(column)])
            if m.labels:
                lowest = (
                    -1 if row[ENDING] < 0 or (m.per_seat and s >= seats) else 0
                )  # not known yet; nobody there
                must(lowest <= value < len(m.labels), f"{column} is {value}, which has no label")
