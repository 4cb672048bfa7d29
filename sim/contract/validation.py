"""Validation of a game's declarations, before anything is compiled."""

from __future__ import annotations

import difflib
import inspect
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np

from hardmode.sim.compile.source_location import (
    find_definition,
    find_keyword_line,
    format_location,
    get_py_func,
)
from hardmode.sim.contract import CAP, TABLE_HEAD, Game, Measure, RulesError, unlabelled

# The arguments with which each rule is called.
RULES = {
    "setup": ("box", "table", "hidden", "luck"),
    "options": ("box", "table", "hidden", "options"),
    "take": ("box", "table", "hidden", "luck", "option"),
    "redeal": ("box", "table", "own", "hidden", "luck"),
    "outcome": ("box", "table", "row"),
    "label": ("box", "table", "own", "option"),
}
ROW_HEAD = ("ending", "rounds", "winners", "scores")  # the fields with which every row begins

Problems = Iterator[tuple[str, str]]  # a field of `Game`, and what is wrong with it


@cache
def validate_game(game: Game) -> None:
    """Check what a game declares.

    Raises:
        RulesError: If something is wrong; names the line of the first problem.
    """
    for field, message in find_problems(game):
        raise RulesError(f"{locate_field(game, field)}: {game.name}: {message}")


def find_problems(game: Game) -> Problems:
    """Yield all problems in what a game declares, as the field of `Game` and a message."""
    yield from _check_rules(game)
    yield from _check_records(game)
    yield from _check_names(game)
    yield from _check_numbers(game)
    yield from _check_measures(game)
    yield from _check_unreached(game)


def locate_field(game: Game, field: str) -> str:
    """Return, as `path:line`, where GAME declares a field; of a rule, where it is defined."""
    if field in RULES:
        return format_location(find_definition(getattr(game, field)))
    module = sys.modules.get(get_py_func(game.setup).__module__)
    file = Path(getattr(module, "__file__", None) or find_definition(game.setup)[0])
    return format_location((file, find_keyword_line(file, "Game", field)))


def _check_rules(game: Game) -> Problems:
    for rule, expected in RULES.items():
        parameters = list(inspect.signature(get_py_func(getattr(game, rule))).parameters)
        if len(parameters) != len(expected):
            message = (
                f"rule {rule!r} takes {len(parameters)} arguments ({', '.join(parameters)}); "
                f"it is called with {', '.join(expected)}"
            )
            yield rule, message


def _check_records(game: Game) -> Problems:
    head = [name for name, _ in TABLE_HEAD]
    if list(game.table.names or ())[: len(head)] != head:
        yield "table", f"the table must begin with TABLE_HEAD ({', '.join(head)})"
    hidden = game.hidden
    if "own" not in (hidden.names or ()):
        yield "hidden", "hidden has no field 'own', the record of what each seat alone knows"
    elif hidden["own"].shape != (game.seats,) or hidden["own"].base != game.own:
        yield "hidden", f"hidden.own must be one record of `own` for each of the {game.seats} seats"
    for name in ("box", "table", "hidden", "own"):
        for field in _find_unsigned_fields(getattr(game, name)):
            message = "must be a signed whole number or a fraction: unsigned ones spoil sums"
            yield name, f"{name}.{field} {message}"


def _find_unsigned_fields(dtype: np.dtype) -> Iterator[str]:
    """Yield the paths of all fields that are neither signed integers nor floats."""
    for field in dtype.names or ():
        inner = dtype[field].base
        if inner.names:
            yield from (f"{field}.{path}" for path in _find_unsigned_fields(inner))
        elif inner.kind not in "if":
            yield field


def _check_names(game: Game) -> Problems:
    for field in ("endings", "kinds"):
        if not getattr(game, field):
            yield field, f"there are no {field}"
        for name in _find_duplicates(getattr(game, field)):
            yield field, f"two {field} are called {name!r}"
    if CAP in game.endings:
        yield "endings", f"{CAP!r} is the engine's own ending"
    for name in _find_duplicates(source.name for source in game.sources):
        yield "sources", f"two sources are called {name!r}"
    for source in game.sources:
        if len(source.address) != 3:
            message = "needs three words, one for each of its numbers"
            yield "sources", f"the address of source {source.name!r} {message}"


def _check_numbers(game: Game) -> Problems:
    for field in ("version", "seats", "max_options", "max_decisions", "max_rounds"):
        if getattr(game, field) < 1:
            yield field, f"{field} is {getattr(game, field)}; it must be at least 1"
    has_rule = game.label is not unlabelled
    if (game.labels > 0) != has_rule or game.labels < 0:
        message = (
            "it must be the number of labels that rule `label` returns, and 0 without that rule"
        )
        yield "labels", f"labels is {game.labels}; {message}"


def _check_measures(game: Game) -> Problems:
    for m in game.measures:
        if m.row_field in ROW_HEAD or m.name in game.columns[: 3 + game.seats]:
            yield "measures", f"measure {m.name!r} has the name of something that every row holds"
        if not m.row_field.isidentifier():
            message = f"since {m.row_field!r} can be no name in the row"
            yield "measures", f"measure {m.name!r} needs a `field`, {message}"
    for name in _find_duplicates(game.columns):
        yield "measures", f"two measures are called {name!r}"
    groups = [(field, list(group)) for field, group in groupby(game.measures, _get_row_field)]
    for name in _find_duplicates(field for field, _ in groups):
        yield "measures", f"the measures of the row's field {name!r} must follow each other"
    for field, measures in groups:
        if len(measures) > 1 and not all(m.field for m in measures):
            first, second = measures[:2]
            message = f"measures {first.name!r} and {second.name!r} share the row's field {field!r}"
            yield "measures", message
        if len({m.per_seat for m in measures}) > 1:
            message = f"of the measures of the row's field {field!r}, all or none must be per_seat"
            yield "measures", message


def _get_row_field(measure: Measure) -> str:
    return measure.row_field


def _check_unreached(game: Game) -> Problems:
    known = list_reachable(game)
    for name in game.unreached:
        if name not in known:
            message = f"there is no ending, winner or measure {name!r} to be out of reach"
            nearest = difflib.get_close_matches(name, known, 1)
            if nearest:
                message += f"; did you mean {nearest[0]!r}?"
            yield "unreached", message


def list_reachable(game: Game) -> list[str]:
    """Return the names of all that should occur: endings, winning seats, measures that vary."""
    return [
        *game.endings,
        *(f"seat {seat + 1} wins" for seat in range(game.seats)),
        *(measure.name for measure in game.measures),
    ]


def _find_duplicates(names: Iterable[str]) -> list[str]:
    return [name for name, n in Counter(names).items() if n > 1]
