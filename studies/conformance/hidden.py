"""Check that the open table does not reveal hidden numbers.

A table may reveal them, for example, in scratch space that holds the order of a deck, or in a
number from which something hidden was computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import SETUP
from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.draws import LUCK, game_key, lucky
from hardmode.sim.play.kernel import REAL
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.records import Cells
from hardmode.studies.conformance.game_under_test import SEED, GameUnderTest, add_context, require

GAMES = 120
STEPS = (0, 15)  # that are examined: set-up, and a step after some draws
MIN_ERRORS = 6.5  # standard errors; exceeded by chance in less than one of 1,000 runs
MARK = 0x55  # byte of hidden records where a redeal wrote nothing
OFFSETS = (0, 1, -1)  # between equal cards that are numbered from 0 and from 1
Positions = tuple[np.ndarray, np.ndarray, np.ndarray]  # tables, hidden records, redealt ones


def check_hidden_information(game_under_test: GameUnderTest) -> None:
    """Check that hidden numbers agree with the table no more often than redealt ones.

    For every seat, a redeal is as likely as the truth. So a number of the table must equal a hidden
    number (or one next to it) in as many games as it equals the redealt one.
    """
    if not game_under_test.has_hidden_state:
        return
    by_setup = {}
    for variant in (*game_under_test.scenarios, *game_under_test.variants):
        by_setup[_get_setup(variant)] = variant
    for step, variants in zip(STEPS, (by_setup.values(), game_under_test.variants), strict=True):
        for variant in variants:
            with add_context(variant, "random", partial("step {}".format, step)):
                positions = _collect_positions(game_under_test, variant, step)
                revealed = ""
                if positions:
                    revealed = next(_find_revealed_numbers(game_under_test, positions), "")
                require(not revealed, revealed)


def _get_setup(variant: Variant) -> tuple[Any, ...]:
    """Return the choices of a variant that decide the set-up."""
    choices = []
    for path, (_, value) in variant.changed_values.items():
        if path.startswith(SETUP):
            choices.append((path, str(value)))
    return variant.players, *sorted(choices)


def _collect_positions(
    game_under_test: GameUnderTest, variant: Variant, step: int
) -> Positions | None:
    """Return the positions of games that have reached a step, or None if there are none."""
    game = game_under_test.game
    engine = game_under_test.make_engine(variant, "random")
    workspace = Workspace(game)
    rows = allocate_rows(game, 1)
    tables = []
    hiddens = []
    redealt = []
    for number in range(GAMES):
        engine.play(workspace, SEED, number, number + 1, rows, stop_step=step)
        table = workspace.tables.view(np.ndarray)[REAL:][:1].copy()
        hidden = workspace.hiddens.view(np.ndarray)[REAL:][:1].copy()
        if table["ending"][0] < 0:
            tables.append(table)
            hiddens.append(hidden)
            redealt.append(_redeal(game_under_test, variant, table, hidden, number))
    if not tables:
        return None
    return np.concatenate(tables), np.concatenate(hiddens), np.concatenate(redealt)


def _redeal(
    game_under_test: GameUnderTest,
    variant: Variant,
    table: np.ndarray,
    hidden: np.ndarray,
    number: int,
) -> np.ndarray:
    """Return a hidden record redealt for the deciding seat."""
    redealt = _make_marked_record(game_under_test)
    luck = np.zeros(1, LUCK).view(Cells)
    own = hidden.view(Cells)[0].own[int(table["seat"][0])]
    with np.errstate(over="ignore"):
        lucky(luck[0], game_key(SEED + 1, number))
        redeal = get_py_func(game_under_test.game.redeal)
        box = variant.box.view(Cells)[0]
        open_table = table.view(Cells)[0]
        redeal(box, open_table, own, redealt.view(Cells)[0], luck[0])
    return redealt


def _make_marked_record(game_under_test: GameUnderTest) -> np.ndarray:
    dtype = game_under_test.game.hidden
    return np.frombuffer(bytes([MARK]) * dtype.itemsize, dtype).copy()


def _find_revealed_numbers(game_under_test: GameUnderTest, positions: Positions) -> Iterator[str]:
    """Yield a message for each number of the table that depends on a hidden one."""
    shown, hidden, redealt = map(_to_numbers, positions)
    is_varying = (shown != shown[0]).any(axis=0)
    shown = shown[:, is_varying]
    all_names = np.array(_list_names(game_under_test.game.table))
    names = all_names[is_varying]
    unwritten = _to_numbers(_make_marked_record(game_under_test))[0]
    for j, hidden_name in enumerate(_list_names(game_under_test.game.hidden)):
        is_written = redealt[:, j] != unwritten[j]
        truth = hidden[is_written, j]
        other = redealt[is_written, j]
        if not is_written.any() or (truth == truth[0]).all() or (other == other[0]).all():
            continue
        for offset in OFFSETS:
            agrees = shown[is_written] == (truth + offset)[:, None]
            agrees_redealt = shown[is_written] == (other + offset)[:, None]
            gain = agrees.astype(np.int64) - agrees_redealt
            error = np.sqrt(np.maximum(1, np.abs(gain).sum(axis=0)))
            for i in np.flatnonzero(np.abs(gain.sum(axis=0)) > MIN_ERRORS * error):
                yield f"the open table's {names[i]} reveals hidden.{hidden_name}"


def _to_numbers(records: np.ndarray) -> np.ndarray:
    """Return records as rows of numbers."""
    if records.dtype.names:
        fields = [_to_numbers(records[name]) for name in records.dtype.names]
        return np.concatenate(fields, axis=1)
    return records.reshape(len(records), -1).astype(np.float64)


def _list_names(dtype: np.dtype) -> list[str]:
    """Return the names of a record's numbers, in the order of `_to_numbers`."""
    fields: Any = dtype.fields or {}
    names = []
    for name in dtype.names or ():
        part = fields[name][0].base
        shape = fields[name][0].shape
        places = []
        for index in np.ndindex(shape):
            places.append(name + "".join(f"[{i}]" for i in index))
        if part.names:
            for inner in _list_names(part):
                names += [f"{place}.{inner}" for place in places]
        else:
            names += places
    return names
