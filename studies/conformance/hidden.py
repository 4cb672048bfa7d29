"""Whether the open table tells what is hidden: by scratch space where an order was left, by a number it was made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.compile.source_location import bare
from hardmode.sim.draws import LUCK, game_key, lucky
from hardmode.sim.play.engine import Desk, columns
from hardmode.sim.play.kernel import REAL
from hardmode.sim.records import Cells
from hardmode.studies.conformance.game_under_test import SEED, Subject, during, must

GAMES = 120
STEPS = (0, 15)  # at which games are looked at: after set-up, and when something has been drawn
SURE = 6.5  # squared errors: not once in a thousand runs over all pairs of numbers
MARK = 0x55  # where nothing is dealt


def what_lies_open_tells_nothing_hidden(subject: Subject) -> None:
    """What is hidden agrees with numbers of the table no more often than what a redeal puts in its place.

    A redeal is as likely as the truth, whatever a seat knows. So where a number of the table is the same as a hidden
    one (or one beside it, as cards are numbered from 0 and from 1), a redealt one is so in as many games.
    """
    if subject.game.hidden.names == ("own",) and subject.game.own.names == ("nothing",):
        return
    laid_out = {_choices(v): v for v in (*subject.scenarios, *subject.variants)}
    for step, variants in zip(STEPS, (laid_out.values(), subject.variants), strict=True):
        for v in variants:
            with during(v, "random", partial("step {}".format, step)):
                found = next(_given_away(subject, _positions(subject, v, step)), "")
                must(not found, found)


def _choices(v: Variant) -> tuple[Any, ...]:
    """What decides how the table is laid out."""
    chosen = sorted(
        (path, str(value)) for path, (_, value) in v.changed.items() if path.startswith("setup.")
    )
    return v.players, *chosen


def _positions(subject: Subject, v: Variant, step: int) -> list[np.ndarray]:
    """The tables, the hidden parts and redealt ones of games that have come to a step; nothing where none has."""
    game, made = subject.game, subject.engine(v, "random")
    desk, out, found = Desk(game), columns(game, 1), []
    for number in range(GAMES):
        made.play(desk, SEED, number, number + 1, out, stop=step)
        table, hidden = (
            desk.tables.view(np.ndarray)[REAL:][:1].copy(),
            desk.hiddens.view(np.ndarray)[REAL:][:1].copy(),
        )
        if table["ending"][0] < 0:
            found.append((table, hidden, _redealt(subject, v, table, hidden, number)))
    return [np.concatenate(parts) for parts in zip(*found, strict=True)]


def _redealt(
    subject: Subject, v: Variant, table: np.ndarray, hidden: np.ndarray, number: int
) -> np.ndarray:
    other, luck = _unwritten(subject), np.zeros(1, LUCK).view(Cells)
    with np.errstate(over="ignore"):
        lucky(luck[0], game_key(SEED + 1, number))
        bare(subject.game.redeal)(
            v.box.view(Cells)[0],
            table.view(Cells)[0],
            hidden.view(Cells)[0].own[int(table["seat"][0])],
            other.view(Cells)[0],
            luck[0],
        )
    return other


def _unwritten(subject: Subject) -> np.ndarray:
    return np.frombuffer(bytes([MARK]) * subject.game.hidden.itemsize, subject.game.hidden).copy()


def _given_away(subject: Subject, positions: list[np.ndarray]) -> Iterator[str]:
    """The numbers of the table that go with hidden ones, in words."""
    if not positions:
        return
    tables, truths, redealt = map(_numbers, positions)
    names, shown = _varying(_names(subject.game.table), tables)
    marks = _numbers(_unwritten(subject))
    for j, name in enumerate(_names(subject.game.hidden)):
        live = redealt[:, j] != marks[0, j]
        truth, other, seen = truths[live, j], redealt[live, j], shown[live]
        if not live.any() or (truth == truth[0]).all() or (other == other[0]).all():
            continue
        for off in (0, 1, -1):
            gain = (seen == (truth + off)[:, None]).astype(np.int64) - (
                seen == (other + off)[:, None]
            )
            error = np.sqrt(np.maximum(1, np.abs(gain).sum(0)))
            for i in np.flatnonzero(np.abs(gain.sum(0)) > SURE * error):
                yield f"the open table's {names[i]} tells hidden.{name}"


def _varying(names: list[str], numbers: np.ndarray) -> tuple[list[str], np.ndarray]:
    """What is not the same in all games."""
    kept = (numbers != numbers[0]).any(0)
    return [name for name, keep in zip(names, kept, strict=True) if keep], numbers[:, kept]


def _numbers(records: np.ndarray) -> np.ndarray:
    """Records as rows of numbers."""
    if records.dtype.names:
        return np.concatenate([_numbers(records[name]) for name in records.dtype.names], axis=1)
    return records.reshape(len(records), -1).astype(np.float64)


def _names(dtype: np.dtype, before: str = "") -> list[str]:
    """The numbers of a record by name, in the order of `_numbers`."""
    fields: Any = dtype.fields or {}
    found = []
    for name in dtype.names or ():
        part, shape = fields[name][0].base, fields[name][0].shape
        inner = _names(part) if part.names else [""]
        where = [f"{before}{name}" + "".join(f"[{i}]" for i in at) for at in np.ndindex(shape)]
        places = [(w, n) for n in inner for w in where] if part.names else [(w, "") for w in where]
        found += [f"{w}.{n}" if n else w for w, n in places]
    return found
