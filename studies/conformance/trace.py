"""Trace of a game in plain Python, with checks at every step that compiled code cannot make.

The trace takes the same steps as the kernel, with the same keys of random draws. So its row must
equal that of the kernel, and what holds in the trace also holds in the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS, Game, Measure
from hardmode.sim.draws import BITS, DECISION, LOG_CAPACITY, LUCK, UNIT, game_key, lucky, note
from hardmode.sim.play.decisions import make_player_key
from hardmode.sim.play.kernel import UNSET
from hardmode.sim.play.player import Player
from hardmode.sim.records import Cells, readable
from hardmode.studies.conformance.game_under_test import (
    SEED,
    GameUnderTest,
    describe_game_step,
    require,
)

UNWRITTEN = -(1 << 62)  # value of a row that the game has not written
OLD_CONTENT = 0x55  # of hidden records before a redeal
SPARE_OPTIONS = 1000  # so that too many options are counted and not an error of their own
MIN_WEIGHTS = 64  # length of the array of weights
KEYS_TRIED = 6  # random keys with which a choice is repeated


def make_record(dtype: Any) -> Any:
    """Return an array of one record of zeros, with attribute access."""
    return np.zeros(1, dtype).view(Cells)


class CheckedTrace:
    """One game in progress: its records, and checks at every step.

    Args:
        game_under_test: The game.
        box: Its box.
        number: Number of the game.
    """

    def __init__(self, game_under_test: GameUnderTest, box: np.ndarray, number: int) -> None:
        game = self.game = game_under_test.game
        self.check_invariants = game_under_test.check_invariants
        self.number = number
        self.box_array = box
        self.original_box = box.tobytes()
        self.box = box.view(Cells)[0]
        self.tables = make_record(game.table)
        self.hiddens = make_record(game.hidden)
        self.table = self.tables[0]
        self.hidden = self.hiddens[0]
        self.luck = make_record(LUCK)
        lucky(self.luck[0], game_key(SEED, number))
        self.luck[0].log_on = 1
        self.key = int(self.luck[0].key)
        self.options = np.zeros(game.max_options + SPARE_OPTIONS, np.int64).view(Cells)
        self.step = 0
        self.n_checked_draws = 0
        self.table.ending = UNSET
        game.setup(self.box, self.table, self.hidden, self.luck[0])
        require(
            self.table.ending != UNSET,
            "set-up leaves the table without `ending`; it must be -1 while the game goes on",
        )
        self.check_state()

    def describe_position(self) -> str:
        """Return the game, the step and the kind of decision for messages."""
        kind = int(self.table.kind)
        name = self.game.kinds[kind] if 0 <= kind < len(self.game.kinds) else kind
        return f"{describe_game_step(self.number, self.step)}, decision {name!r}"

    def snapshot(self) -> tuple[bytes, bytes]:
        """Return the bytes of the table and the hidden state."""
        return self.tables.tobytes(), self.hiddens.tobytes()

    def list_options(self) -> list[int]:
        """Return the options, after checking that they are valid and that nothing changed."""
        before = self.snapshot()
        n = self.game.options(self.box, self.table, self.hidden, self.options)
        require(self.snapshot() == before, "options() changed the state")
        most = self.game.max_options
        require(
            1 <= n <= most,
            f"there are {n} options; there must be 1 to max_options, which is {most}",
        )
        codes = [int(code) for code in self.options[:n]]
        require(len(set(codes)) == n, f"an option is listed twice: {codes}")
        for code in codes:
            self.check_label(code)
        require(self.snapshot() == before, "label() changed the state")
        return codes

    def check_label(self, code: int) -> int:
        """Return the label of an option, after checking that it exists."""
        own = self.hidden.own[self.table.seat]
        label = int(self.game.label(self.box, self.table, own, code))
        require(
            0 <= label < max(1, self.game.labels),
            f"the label of option {code} is {label}; the game has {self.game.labels}, numbered "
            "from 0",
        )
        return label

    def choose_among(self, player: Player, codes: Sequence[int]) -> int:
        """Return the index that a player chooses from some options in another order."""
        all_options = self.options.copy()
        self.options[: len(codes)] = codes
        try:
            return self.choose(player, len(codes))
        finally:
            self.options[:] = all_options

    def is_random_choice(self, player: Player, n: int) -> bool:
        """Return whether the choice of a player depends on its own random numbers."""
        return len({self.choose(player, n, salt) for salt in range(KEYS_TRIED)}) > 1

    def choose(self, player: Player, n: int, salt: int = 0) -> int:
        """Return the index of a player's choice, after checking it.

        A player must not write to its arguments, and must repeat its choice with the same key.

        Args:
            player: The player.
            n: Number of options.
            salt: Changes the key of the player's random numbers; 0 is that of the kernel.
        """
        weights = np.zeros(max(MIN_WEIGHTS, len(player.weights))).view(Cells)
        weights[: len(player.weights)] = player.weights
        before = (*self.snapshot(), self.options.tobytes(), weights.tobytes())
        own = self.hidden.own[self.table.seat]
        chosen = []
        for _ in range(2):
            luck = make_record(LUCK)
            lucky(luck[0], make_player_key(self.key ^ salt, self.step))
            choose = get_py_func(player.choose)
            options = self.options[:n]
            chosen.append(choose(self.box, self.table, own, options, n, luck[0], weights))
        after = (*self.snapshot(), self.options.tobytes(), weights.tobytes())
        require(after == before, f"{player.name} wrote to what it was shown")
        require(chosen[0] == chosen[1], f"{player.name} chose {chosen[0]}, then {chosen[1]}")
        offered = ", ".join(str(code) for code in self.options[:n])
        message = (
            f"{player.name} chose index {chosen[0]} of the {n} options with the codes {offered}; "
            "studies withhold some legal options"
        )
        require(0 <= chosen[0] < n, message)
        return int(chosen[0])

    def take_option(self, i: int) -> None:
        """Take the option of an index and check the new state."""
        code = int(self.options[i])
        rounds = int(self.table.round)
        note(self.luck[0], DECISION, self.step, int(self.table.kind), rounds, 0, code)
        self.game.take(self.box, self.table, self.hidden, self.luck[0], code)
        self.step += 1
        now = self.table.round
        require(now >= rounds, f"the round went back from {rounds} to {now}")
        self.check_state()

    def check_state(self) -> None:
        """Check everything that must hold at every step."""
        table = self.table
        game = self.game
        require(
            -1 <= table.ending < len(game.all_endings),
            f"the ending is {table.ending}, which has no name",
        )
        require(
            1 <= table.seats <= game.seats,
            f"there are {table.seats} seats; there can be 1 to {game.seats}",
        )
        require(table.round >= 0, f"the round is {table.round}")
        if table.ending < 0:
            require(0 <= table.seat < table.seats, f"seat {table.seat} of {table.seats} decides")
            require(
                0 <= table.kind < len(game.kinds),
                f"the decision's kind is {table.kind}; the game has {len(game.kinds)}, numbered "
                "from 0",
            )
        before = self.snapshot()
        self.compute_row()
        require(self.snapshot() == before, "outcome() changed the state")
        self.check_invariants(
            readable(self.box_array), readable(self.tables), readable(self.hiddens)
        )
        self.check_draws()

    def check_draws(self) -> None:
        """Check the source and the range of each new draw."""
        n_logged = int(self.luck[0].log_n)
        require(
            n_logged <= LOG_CAPACITY, f"the log of {LOG_CAPACITY} draws and decisions overflows"
        )
        log = self.luck.view(np.ndarray)["log"][0, self.n_checked_draws : n_logged]
        for source, _, _, _, n, result in log.tolist():
            if source == DECISION:
                continue
            require(
                0 <= source < len(self.game.sources),
                f"a draw is from source {source}, which has no name",
            )
            limit = {BITS: 1 << 63, UNIT: 1 << 53}.get(n, n)
            require(0 <= result < limit, f"a draw of 0 to {limit - 1} gave {result}")
        self.n_checked_draws = n_logged

    def is_box_unchanged(self) -> bool:
        """Return whether no rule wrote to the box; slow, since a box can be large."""
        return self.box_array.tobytes() == self.original_box

    def list_required_columns(self) -> list[str]:
        """Return the columns that `outcome` must write now.

        For a finished game, these are all but the measures of empty seats, which remain 0. During a
        game, measures with a curve and factors are needed as well as the first columns: a factor is
        known from the deal on, or -1 or a value of its own as long as it is not.
        """
        game = self.game
        columns = self.game.columns
        if self.table.ending < 0:
            names = [m.name for m in game.measures if m.curve and not m.per_seat]
            for measure in game.measures:
                if measure.factor:
                    names += list_measure_columns(game, measure)
            return [*columns[: SCORES + game.seats], *names]
        unused = set()
        for measure in game.measures:
            if measure.per_seat and not measure.factor:
                empty = range(int(self.table.seats), game.seats)
                unused |= {f"{measure.name} {seat + 1}" for seat in empty}
        return [name for name in columns if name not in unused]

    def compute_row(self) -> list[int]:
        """Return the row of the game as it stands, after checking it."""
        rows = make_record(self.game.row)
        row = rows.view(np.ndarray).view(np.int64)
        row[:] = UNWRITTEN
        self.game.outcome(self.box, self.table, rows[0])
        values = dict(zip(self.game.columns, row.tolist(), strict=True))
        required = set(self.list_required_columns())
        unwritten = [name for name in values if name in required and values[name] == UNWRITTEN]
        require(not unwritten, f"outcome() does not write {', '.join(unwritten)}")
        row[row == UNWRITTEN] = 0
        check_row(self.game, row, int(self.table.seats))
        return row.tolist()

    def redeal(self, key: int) -> CheckedTrace:
        """Return the position with everything redealt that the deciding seat cannot know.

        Args:
            key: Key of the random draws.
        """
        other = self._copy(key)
        seat = int(self.table.seat)
        before = self.snapshot()
        other.hiddens.view(np.ndarray).view(np.uint8)[:] = OLD_CONTENT
        own = self.hidden.own[seat]
        self.game.redeal(self.box, other.table, own, other.hidden, other.luck[0])
        require(self.snapshot() == before, "redeal() wrote to its arguments")
        return self._check_redealt(other, "redeal()", [seat])

    def redeal_for(self, view: int, key: int) -> CheckedTrace:
        """Return the position redealt from the view of one seat, or of all seats together (-1).

        Args:
            view: The seat.
            key: Key of the random draws.
        """
        other = self._copy(key)
        other.hiddens.view(np.ndarray)[:] = self.hiddens.view(np.ndarray)
        assert self.game.redeal_for is not None
        self.game.redeal_for(self.box, other.table, view, other.hidden, other.luck[0])
        seats = [view] if view >= 0 else range(int(self.table.seats))
        return self._check_redealt(other, "redeal_for()", seats)

    def _copy(self, key: int) -> CheckedTrace:
        """Return the position with its own table, blank hidden state and another key."""
        other = object.__new__(CheckedTrace)
        other.__dict__.update(self.__dict__)
        other.tables = self.tables.copy()
        other.options = self.options.copy()
        other.hiddens = make_record(self.game.hidden)
        other.luck = make_record(LUCK)
        lucky(other.luck[0], np.uint64(key))
        other.table = other.tables[0]
        other.hidden = other.hiddens[0]
        other.n_checked_draws = 0
        return other

    def _check_redealt(self, other: CheckedTrace, rule: str, seats: Iterable[int]) -> CheckedTrace:
        """Check that a redeal changed neither the table nor what these seats know."""
        require(other.tables.tobytes() == self.tables.tobytes(), f"{rule} changed the table")
        for seat in seats:
            require(
                other.copy_own(seat) == self.copy_own(seat), f"{rule} changed what the seat holds"
            )
        other.check_invariants(
            readable(other.box_array), readable(other.tables), readable(other.hiddens)
        )
        return other

    def copy_own(self, seat: int) -> bytes:
        """Return the bytes of what a seat holds."""
        return self.hiddens.view(np.ndarray)["own"][0][seat].tobytes()

    def find_shared_addresses(self) -> list[tuple[int, ...]]:
        """Return the addresses that two draws of the game share."""
        log = self.luck.view(np.ndarray)["log"]
        return find_shared_addresses(log[0, : int(self.luck[0].log_n)])


def find_shared_addresses(log: np.ndarray) -> list[tuple[int, ...]]:
    """Return the addresses that two draws of a logged game share.

    The priority of a card may be read several times within a step; in another step, it would be the
    same shuffle again.
    """
    last_steps: dict[tuple[int, ...], int] = {}
    shared: list[tuple[int, ...]] = []
    step = 0
    for source, a, b, c, n, _ in log.tolist():
        if source == DECISION:
            step += 1
            continue
        address = (source, a, b, c)
        if address in last_steps and (n != BITS or last_steps[address] != step):
            shared.append(address)
        last_steps[address] = step
    return shared


def list_measure_columns(game: Game, measure: Measure) -> list[str]:
    """Return the names of the columns of a measure, one for each seat where it is per seat."""
    if not measure.per_seat:
        return [measure.name]
    return [f"{measure.name} {seat + 1}" for seat in range(game.seats)]


def check_row(game: Game, row: np.ndarray, seats: int) -> None:
    """Check that a row is within what a game declares, and that its values fit 32 bits.

    Args:
        game: The game.
        row: Values by column.
        seats: Number of players.
    """
    ending = row[ENDING]
    rounds = row[ROUNDS]
    winners = row[WINNERS]
    require(
        -1 <= ending < len(game.all_endings), f"the row's ending is {ending}, which has no name"
    )
    require(rounds >= 0, f"the row's rounds are {rounds}")
    require(0 <= winners < 1 << seats, f"winners are {winners}: each of {seats} seats is one bit")
    values = dict(zip(game.columns, row.tolist(), strict=True))
    for column, value in values.items():
        require(abs(value) < 1 << 31, f"{column} is {value}, which does not fit 32 bits")
    for measure in game.measures:
        if not measure.labels:
            continue
        for seat, column in enumerate(list_measure_columns(game, measure)):
            is_unknown = ending < 0 or (measure.per_seat and seat >= seats)
            lowest = -1 if is_unknown else 0
            value = values[column]
            require(
                lowest <= value < len(measure.labels), f"{column} is {value}, which has no label"
            )
