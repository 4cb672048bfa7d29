"""What a game declares, held against what the engine stands on: refused in a line before anything is compiled."""

from __future__ import annotations

import difflib
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import CAP, TABLE_HEAD, Game, RulesError, unlabelled

RULES = {
    "setup": ("box", "table", "hidden", "luck"),
    "options": ("box", "table", "hidden", "options"),
    "take": ("box", "table", "hidden", "luck", "option"),
    "redeal": ("box", "table", "own", "hidden", "luck"),
    "outcome": ("box", "table", "row"),
    "label": ("box", "table", "own", "option"),
}
OF_EVERY_ROW = ("ending", "rounds", "winners", "scores")

Problems = Iterator[tuple[str, str]]  # the field of `Game` and what is wrong with it


@cache
def refuse(game: Game) -> None:
    """Raise the first thing that does not fit, at the line where it stands."""
    for field, words in problems(game):
        raise RulesError(f"{where(game, field)}: {game.name}: {words}")


def problems(game: Game) -> Problems:
    yield from _rules(game)
    yield from _records(game)
    yield from _names(game)
    yield from _measures(game)
    yield from _unreached(game)


def where(game: Game, field: str) -> str:
    """The line of GAME that declares a field; of a rule, where it is defined."""
    if field in RULES:
        return source_location.text(source_location.start(getattr(game, field)))
    module = sys.modules.get(source_location.bare(game.setup).__module__)
    file = Path(getattr(module, "__file__", None) or source_location.start(game.setup)[0])
    return source_location.text((file, source_location.keyword(file, "Game", field)))


def _rules(game: Game) -> Problems:
    for rule, handed in RULES.items():
        takes = list(inspect.signature(source_location.bare(getattr(game, rule))).parameters)
        if len(takes) != len(handed):
            yield (
                rule,
                (
                    f"rule {rule!r} takes {len(takes)} arguments ({', '.join(takes)}); "
                    f"it is called with {', '.join(handed)}"
                ),
            )


def _records(game: Game) -> Problems:
    head = [name for name, _ in TABLE_HEAD]
    if list(game.table.names or ())[: len(head)] != head:
        yield "table", f"the table must begin with TABLE_HEAD ({', '.join(head)})"
    hidden = game.hidden
    if "own" not in (hidden.names or ()):
        yield "hidden", "hidden has no field 'own', the record of what each seat alone knows"
    elif hidden["own"].shape != (game.seats,) or hidden["own"].base != game.own:
        yield "hidden", f"hidden.own must be one record of `own` for each of the {game.seats} seats"
    for name in ("box", "table", "hidden", "own"):
        for field in _unsigned(getattr(game, name)):
            yield (
                name,
                f"{name}.{field} must be a signed whole number or a fraction: unsigned ones spoil sums",
            )


def _unsigned(dtype: np.dtype) -> Iterator[str]:
    for field in dtype.names or ():
        inner = dtype[field].base
        if inner.names:
            yield from (f"{field}.{below}" for below in _unsigned(inner))
        elif inner.kind not in "if":
            yield field


def _names(game: Game) -> Problems:
    for field in ("endings", "kinds"):
        if not getattr(game, field):
            yield field, f"there are no {field}"
        for twice in _twice(getattr(game, field)):
            yield field, f"two {field} are called {twice!r}"
    if CAP in game.endings:
        yield "endings", f"{CAP!r} is the engine's own ending"
    for twice in _twice(s.name for s in game.sources):
        yield "sources", f"two sources are called {twice!r}"
    for source in game.sources:
        if len(source.address) != 3:
            yield (
                "sources",
                f"the address of source {source.name!r} needs three words, one for each of its numbers",
            )
    for field in ("version", "seats", "max_options", "max_decisions", "max_rounds"):
        if getattr(game, field) < 1:
            yield field, f"{field} is {getattr(game, field)}; it must be at least 1"
    if (game.labels > 0) != (game.label is not unlabelled) or game.labels < 0:
        yield (
            "labels",
            f"labels is {game.labels}: how many labels `label` tells apart, and 0 where there is none",
        )


def _measures(game: Game) -> Problems:
    for m in game.measures:
        if m.in_row in OF_EVERY_ROW or m.name in game.columns[: 3 + game.seats]:
            yield "measures", f"measure {m.name!r} has the name of something that every row holds"
        if not m.in_row.isidentifier():
            yield (
                "measures",
                f"measure {m.name!r} needs a `field`, since {m.in_row!r} can be no name in the row",
            )
    for twice in _twice(game.columns):
        yield "measures", f"two measures are called {twice!r}"
    together = [(field, list(of)) for field, of in groupby(game.measures, lambda m: m.in_row)]
    for twice in _twice(field for field, _ in together):
        yield "measures", f"the measures of the row's field {twice!r} must follow each other"
    for field, of in together:
        if len(of) > 1 and not all(m.field for m in of):
            yield (
                "measures",
                f"measures {of[0].name!r} and {of[1].name!r} share the row's field {field!r}",
            )
        if len({m.per_seat for m in of}) > 1:
            yield (
                "measures",
                f"of the measures of the row's field {field!r}, all or none must be per_seat",
            )


def _unreached(game: Game) -> Problems:
    known = reachable(game)
    for name in game.unreached:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            yield (
                "unreached",
                f"there is no ending, winner or measure {name!r} to be out of reach"
                + (f"; did you mean {near[0]!r}?" if near else ""),
            )


def reachable(game: Game) -> list[str]:
    """All that ought to occur: endings, winning seats, measures that vary."""
    return [
        *game.endings,
        *(f"seat {s + 1} wins" for s in range(game.seats)),
        *(m.name for m in game.measures),
    ]


def _twice(names: Iterator[str] | tuple[str, ...]) -> list[str]:
    return [name for name, n in Counter(names).items() if n > 1]
