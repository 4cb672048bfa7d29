"""Value functions: what a position is worth to a seat, learned from games.

A value function is a small network that reads numbers of the open table and of the seat's own part.
Each number is a *field* with *knots*; between two knots it counts for both, in shares, so that the
first layer is piecewise linear in each field. Fields with one entry for each seat are read in the
order of play from the seat that asks. Only +, -, *, / and square roots are used, whose results are
the same on all machines.

The kernel reads a value function as one array of floats: a header, a line for each field and for
each field of the turn, all knots, and the weights (see `pack_values`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as declare_field
from typing import Any

import numpy as np

from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.play.workspace import (
    MAX_UNITS,
    MAX_VALUE_NUMBERS,
    TRIAL,
    make_workspace_dtype,
)
from hardmode.sim.records import rule

DEFAULT_TRIALS = 256  # of a player with values, at each decision

# The header of a packed value function, and the line of a field.
N_FIELDS, N_UNITS, N_KNOTS, WIN_WEIGHT, SCORE_WEIGHT, DISCOUNT, OFFSET, SCALE = range(8)
N_TURN_FIELDS, JUDGED_KINDS, ROUNDS = 8, 9, 10
HEADER = 11
ADDRESS, STRIDE, POSITION, WIDTH, IS_SIGNED, ROLE, FIRST_KNOT, KNOTS = range(8)
FIELD = 8
PLAIN_FIELD, PER_SEAT, SEAT_NUMBER, VIEWER = range(4)  # roles of fields
ALMOST_CERTAIN = 0.9999  # the most that a position is worth beside a win


class ValuesError(Exception):
    """Raised when a value function does not fit its game."""


@dataclass(frozen=True)
class Field:
    """A number that a value function may read.

    Attributes:
        name: Its name, such as `table.score[+1]`: the score of the next seat.
        line: Its line in a packed value function, without knots.
    """

    name: str
    line: tuple[int, ...]


@dataclass(frozen=True)
class ValueFunction:
    """A learned value function.

    Attributes:
        knots: The knots of each field, by the name of the field.
        weights: Offset, scale, the weights of each knot, and of the hidden units; as float32.
        win_weight: The utility of a win.
        score_weight: The utility of a point.
        discount: The factor by which what happens a round later counts less.
        turn_fields: The fields that tell the positions of a turn apart. If there are any, only
            positions at the end of a turn are judged.
        judged_kinds: The kinds of decisions before which positions within a turn are judged, too.
        rounds: The number of rounds for which rollouts go on before positions are judged; 0 if
            there are no rollouts. Games that differ in a field with one knot are played out.
    """

    knots: tuple[tuple[str, tuple[float, ...]], ...]
    weights: bytes
    win_weight: float = 1.0
    score_weight: float = 0.0
    discount: float = 1.0
    turn_fields: tuple[str, ...] = ()
    judged_kinds: tuple[str, ...] = ()
    rounds: int = declare_field(default=0, repr=False)

    def compute_digest(self) -> str:
        """Return a digest of all that it contains."""
        text = f"{self!r} after {self.rounds} rounds" if self.rounds else repr(self)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def list_fields(game: Game) -> dict[str, Field]:
    """Return all whole numbers that a seat may see, by name: of the table and of its own part."""
    offsets: Any = make_workspace_dtype(game).fields
    own_dtype, own_offset = game.hidden.fields["own"][:2]  # type: ignore[index]
    table_at = offsets["tables"][1] + TRIAL * game.table.itemsize
    own_at = offsets["hiddens"][1] + TRIAL * game.hidden.itemsize + own_offset
    stride = own_dtype.base.itemsize
    fields = [Field("viewer", (0, 0, 0, 8, 1, VIEWER))]
    fields += _walk_fields(game.table, "table", table_at, game.seats)
    for field in _walk_fields(own_dtype.base, "own", own_at, 0):
        address, _, _, width, is_signed, _ = field.line
        fields.append(Field(field.name, (address, stride, 0, width, is_signed, PER_SEAT)))
    return {field.name: field for field in fields}


def _walk_fields(
    dtype: np.dtype, name: str, address: int, seats: int, seat: tuple[int, int] | None = None
) -> Iterator[Field]:
    """Yield the numbers within a record type.

    Args:
        dtype: The type of a record, or of a number.
        name: The name of the field.
        address: Its address in the workspace, in bytes.
        seats: The length of arrays with one entry for each seat; 0 if there are none.
        seat: The stride and position of the entry, if it is in such an array.
    """
    for part in dtype.names or ():
        inner, offset = dtype.fields[part][:2]  # type: ignore[index]
        size = inner.base.itemsize
        is_per_seat = seat is None and seats > 1 and inner.shape[:1] == (seats,)
        row = size * math.prod(inner.shape[1:]) if is_per_seat else 0
        for i, index in enumerate(np.ndindex(inner.shape)):
            at = address + offset + size * i
            own_seat = seat
            if is_per_seat:
                own_seat = row, index[0]
                at -= row * index[0]
            label = f"{name}.{part}"
            if index:
                label += f"[{'+' if is_per_seat else ''}{','.join(map(str, index))}]"
            if inner.base.names is not None:
                yield from _walk_fields(inner.base, label, at, seats, own_seat)
            elif inner.base.kind in "iub" and at % 8 + size <= 8:
                role = PER_SEAT if own_seat else PLAIN_FIELD
                role = SEAT_NUMBER if label == "table.seat" else role
                is_signed = int(inner.base.kind == "i")
                yield Field(label, (at, *(own_seat or (0, 0)), size, is_signed, role))


def make_layout(game: Game, values: ValueFunction) -> np.ndarray:
    """Return the first part of a packed value function, which says what it reads.

    Raises:
        ValuesError: The game has no such field, or no such kind of decision.
    """
    known = list_fields(game)
    names = [name for name, _ in values.knots]
    missing = [name for name in (*names, *values.turn_fields) if name not in known]
    missing += [kind for kind in values.judged_kinds if kind not in game.kinds]
    if missing:
        raise ValuesError(f"its values read {missing[0]}, which {game.name} no longer has")
    layout = np.zeros((len(names) + len(values.turn_fields), FIELD))
    first = 0
    for line, (name, own) in zip(layout, values.knots, strict=False):
        line[:] = *known[name].line, first, len(own)
        first += len(own)
    for line, name in zip(layout[len(names) :], values.turn_fields, strict=True):
        line[:FIRST_KNOT] = known[name].line
    head = np.zeros(HEADER)
    head[[N_FIELDS, N_TURN_FIELDS, N_KNOTS]] = len(names), len(values.turn_fields), first
    head[WIN_WEIGHT : DISCOUNT + 1] = values.win_weight, values.score_weight, values.discount
    head[JUDGED_KINDS] = sum(1 << game.kinds.index(kind) for kind in values.judged_kinds)
    head[ROUNDS] = values.rounds
    return np.concatenate([head, layout.ravel()])


def pack_values(game: Game, values: ValueFunction) -> np.ndarray:
    """Return a value function as the array that the kernel reads.

    Raises:
        ValuesError: The game has no such field, or the weights are too many or too few.
    """
    weights = np.frombuffer(values.weights, "<f4").astype(np.float64)
    knots = [x for _, own in values.knots for x in own]
    n = len(knots)
    units = (weights.size - 2 - n) // (n + 2)
    layout = make_layout(game, values)
    packed = np.concatenate([layout, knots, weights[2:]])
    is_whole = units >= 0 and weights.size == 2 + n * (units + 1) + 2 * units
    if not is_whole or units > MAX_UNITS or packed.size > MAX_VALUE_NUMBERS:
        raise ValuesError(f"its values have {weights.size} weights, which do not fit {n} knots")
    packed[N_UNITS] = units
    packed[[OFFSET, SCALE]] = weights[:2]
    return packed


@rule
def read_number(words: Any, address: int, width: int, is_signed: int) -> Any:
    """Return the whole number of `width` bytes at an address, in bytes."""
    word = np.int64(words[address >> 3])
    left = np.int64(64 - 8 * (width + (address & 7)))
    right = np.int64(64 - 8 * width)
    shifted = word << left
    if is_signed:
        return shifted >> right
    return np.int64(np.uint64(shifted) >> np.uint64(right))


@rule
def read_field(workspace: Any, model: Any, f: int, seat: int) -> Any:
    """Return field f of the trial as a seat sees it."""
    line = HEADER + f * FIELD
    role = np.int64(model[line + ROLE])
    if role == VIEWER:
        return seat
    address = np.int64(model[line + ADDRESS])
    seats = workspace.tables[TRIAL].seats
    if role == PER_SEAT:
        position = np.int64(model[line + POSITION])
        if position < seats:
            position = (seat + position) % seats
        address += position * np.int64(model[line + STRIDE])
    width = np.int64(model[line + WIDTH])
    value = read_number(workspace.words, address, width, np.int64(model[line + IS_SIGNED]))
    if role == SEAT_NUMBER:
        value = (value - seat) % seats
    return value


@rule
def find_knot(model: Any, first: int, n: int, x: float) -> Any:
    """Return the last of n knots that is at most x, and the share of the way to the next knot."""
    if x <= model[first]:
        return 0, 0.0
    if x >= model[first + n - 1]:
        return n - 1, 0.0
    k = 0
    while model[first + k + 1] <= x:
        k += 1
    low = model[first + k]
    return k, (x - low) / (model[first + k + 1] - low)


@rule
def is_familiar(workspace: Any, model: Any, seat: int) -> bool:
    """Return whether the trial agrees in all fields that never varied in the games learned from."""
    first_knot = HEADER + np.int64(model[N_FIELDS] + model[N_TURN_FIELDS]) * FIELD
    for f in range(np.int64(model[N_FIELDS])):
        line = HEADER + f * FIELD
        if model[line + KNOTS] == 1:
            known = model[first_knot + np.int64(model[line + FIRST_KNOT])]
            if read_field(workspace, model, f, seat) != known:
                return False
    return True


@rule
def squash(x: float) -> float:
    """Return x bent into the range -1 .. 1."""
    return x / math.sqrt(1.0 + x * x)


@rule
def predict(workspace: Any, model: Any, seat: int) -> float:
    """Return what a value function expects a seat to gain from the position of the trial on.

    Where wins alone count, it is less than a win, so that a player takes a win rather than hopes.
    """
    n_units = np.int64(model[N_UNITS])
    n_fields = np.int64(model[N_FIELDS])
    n_knots = np.int64(model[N_KNOTS])
    knots_at = HEADER + (n_fields + np.int64(model[N_TURN_FIELDS])) * FIELD
    weights_at = knots_at + n_knots
    row = n_units + 1  # each knot has a weight for each unit, and one for the result
    hidden_at = weights_at + n_knots * row
    units = workspace.units
    for u in range(n_units):
        units[u] = model[hidden_at + u]
    units[n_units] = 0.0
    for f in range(n_fields):
        first = np.int64(model[HEADER + f * FIELD + FIRST_KNOT])
        n = np.int64(model[HEADER + f * FIELD + KNOTS])
        x = np.float64(read_field(workspace, model, f, seat))
        k, share = find_knot(model, knots_at + first, n, x)
        at = weights_at + (first + k) * row
        if share > 0:
            for u in range(row):
                units[u] += (1.0 - share) * model[at + u] + share * model[at + row + u]
        else:
            for u in range(row):
                units[u] += model[at + u]
    total = units[n_units]
    for u in range(n_units):
        total += squash(units[u]) * model[hidden_at + n_units + u]
    value = model[OFFSET] + model[SCALE] * total
    if model[SCORE_WEIGHT] == 0.0 and model[WIN_WEIGHT] > 0.0:
        value = min(max(value, 0.0), ALMOST_CERTAIN * model[WIN_WEIGHT])
    return value


@rule
def compute_utility(context: Any, model: Any, seat: int) -> float:
    """Return the utility that a seat has in the position of the trial; of a win only at the end."""
    workspace = context.workspace
    table = workspace.tables[TRIAL]
    is_over = table.ending >= 0
    utility = 0.0
    if is_over or model[SCORE_WEIGHT] != 0.0:
        context.rules.outcome(context.box, table, workspace.row)
        utility = model[SCORE_WEIGHT] * workspace.cells[SCORES + seat]
    if is_over:
        utility += model[WIN_WEIGHT] * np.float64((workspace.cells[WINNERS] >> seat) & 1)
    return utility


@rule
def raise_to_rounds(discount: float, rounds: int) -> float:
    """Return the discount of so many rounds."""
    factor = 1.0
    if discount < 1.0:
        for _ in range(rounds):
            factor *= discount
    return factor


@rule
def evaluate_trial(context: Any, model: Any, seat: int, first_round: int) -> float:
    """Return the utility of the position of the trial, with what is still to be gained."""
    utility = compute_utility(context, model, seat)
    table = context.workspace.tables[TRIAL]
    if table.ending >= 0:
        return utility
    factor = raise_to_rounds(model[DISCOUNT], table.round - first_round)
    return utility + factor * predict(context.workspace, model, seat)
