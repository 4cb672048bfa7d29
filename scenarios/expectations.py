"""What a scenario is held to, fitted to its game and to the cells of its sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from hardmode.scenarios.expect import Order
from hardmode.scenarios.grid import Axis
from hardmode.scenarios.overrides import Change, apply, at
from hardmode.scenarios.parameter import Leaf
from hardmode.scenarios.schema import Expect
from hardmode.scenarios.variant import PLAYERS, SLIPS, STRATEGIES, slips_label, value_text
from hardmode.sim.contract import Game
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError, nearest
from hardmode.sim.files.yaml_io.read import Document

T = TypeVar("T")


def known_endings(document: Document, expect: Expect, game: Game) -> None:
    for name in expect.endings:
        if name not in game.all_endings:
            close = nearest(name, game.all_endings)
            message = "no such ending" + (
                "" if close else f"; there are {', '.join(game.all_endings)}"
            )
            place = document.place("expect", "endings", name)
            raise ScenarioError(place, f"expect.endings.{name}", message, close)


def fitted(
    document: Document,
    expect: Expect | None,
    sweep: Sequence[Axis],
    base: Sequence[Change],
    known: Mapping[str, Leaf],
) -> Expect | None:
    """What is expected, each order with the path whose values it compares."""
    if not expect or not expect.order:
        return expect
    reached = {axis.path: _reached(axis, base, known) for axis in sweep}
    orders = [_order(document, order, reached) for order in expect.order]
    return expect.model_copy(update={"order": orders})


def _reached(axis: Axis, base: Sequence[Change], known: Mapping[str, Leaf]) -> dict[str, str]:
    """The cells of one axis by the names one may call them: as written, and as they come out."""
    if axis.path == STRATEGIES:
        return {name: name for name in map(value_text, axis.steps)}
    if axis.path == SLIPS:
        named = {value_text(slips_label(step)): step for step in axis.steps}
        return {
            **{value_text(step): name for name, step in named.items()},
            **{name: name for name in named},
        }
    names: dict[str, str] = {}
    for step in axis.steps:
        values = {path: leaf.value for path, leaf in known.items()}
        for change in (*base, step):
            apply(values, change, known)
        value = value_text(at(values, step.path))
        names[value] = names[value_text(step.value)] = value
    return names


def _order(document: Document, order: Order, reached: dict[str, dict[str, str]]) -> Order:
    place = document.place("expect", "order")
    path = PLAYERS if order.path == "players" else order.path or _only_path(place, order, reached)
    if path not in reached:
        raise ScenarioError(place, "expect.order", f"{path} is not swept", nearest(path, reached))
    for value in order.values:
        if value not in reached[path]:
            close = nearest(value, reached[path])
            raise ScenarioError(place, "expect.order", f"{value!r} is not a cell of {path}", close)
    return replace(order, path=path, values=tuple(reached[path][v] for v in order.values))


def _only_path(place: Place, order: Order, reached: dict[str, dict[str, str]]) -> str:
    fit = [path for path, names in reached.items() if all(value in names for value in order.values)]
    if len(fit) == 1:
        return fit[0]
    which = f"more than one swept path ({', '.join(fit)}) has" if fit else "no swept path has"
    raise ScenarioError(
        place,
        "expect.order",
        f"{which} the values {', '.join(order.values)}; write "
        "{path: ..., order: ...} with a path of the sweep",
    )


def without(expect: Expect | None, touched: set[str]) -> Expect | None:
    """Without the orders along an axis that the command line has settled or shifted."""
    if not expect:
        return None
    return expect.model_copy(update={"order": [o for o in expect.order if o.path not in touched]})


def slices(
    order: Order, cells: Iterable[T], label: Callable[[T], Mapping[str, Any]]
) -> list[tuple[dict[str, Any], list[T]]]:
    """The cells that an order names, once for each combination of what else is swept, which comes first."""
    groups: dict[str, tuple[dict[str, Any], dict[str, T]]] = {}
    for cell in cells:
        values = label(cell)
        rest = {path: value for path, value in values.items() if path != order.path}
        groups.setdefault(repr(rest), (rest, {}))[1][value_text(values[order.path])] = cell
    return [(rest, [found[value] for value in order.values]) for rest, found in groups.values()]
