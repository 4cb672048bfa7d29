"""Expectations of a scenario, resolved against its game and the cells of its sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from hardmode.scenarios.expect import ExpectedOrder
from hardmode.scenarios.grid import SweepAxis, get_axis_path
from hardmode.scenarios.labels import (
    MISTAKES_LABEL,
    STRATEGIES_LABEL,
    format_label_value,
    label_mistakes,
)
from hardmode.scenarios.overrides import Change, apply_change, get_value
from hardmode.scenarios.parameter import Parameter
from hardmode.scenarios.schema import Expect
from hardmode.sim.contract import Game
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError, find_nearest_names
from hardmode.sim.files.yaml_io.read import Document

T = TypeVar("T")


def check_ending_names(document: Document, expect: Expect, game: Game) -> None:
    """Check that the game has all endings that are expected.

    Raises:
        ScenarioError: It lacks one.
    """
    for name in expect.endings:
        if name not in game.all_endings:
            close = find_nearest_names(name, game.all_endings)
            hint = "" if close else f"; there are {', '.join(game.all_endings)}"
            place = document.locate("expect", "endings", name)
            path = f"expect.endings.{name}"
            raise ScenarioError(place, path, f"no such ending{hint}", close)


def resolve_orders(
    document: Document,
    expect: Expect | None,
    axes: Sequence[SweepAxis],
    base: Sequence[Change],
    parameters: Mapping[str, Parameter],
) -> Expect | None:
    """Return the expectations with the path and the cells of each order.

    Args:
        document: The scenario, for the places of errors.
        expect: What it expects.
        axes: The axes of its sweep.
        base: The changes that it makes besides.
        parameters: The parameters of its box.

    Raises:
        ScenarioError: An order names something else than cells of one swept path.
    """
    if not expect or not expect.order:
        return expect
    names = {axis.path: _name_cells(axis, base, parameters) for axis in axes}
    orders = [_resolve_order(document, order, names) for order in expect.order]
    return expect.model_copy(update={"order": orders})


def _name_cells(
    axis: SweepAxis, base: Sequence[Change], parameters: Mapping[str, Parameter]
) -> dict[str, str]:
    """Return the label values of an axis by the names that an order may use for them.

    These are the values as they are written in the sweep, and as they come out.
    """
    names: dict[str, str] = {}
    if axis.path == STRATEGIES_LABEL:
        return {name: name for name in map(format_label_value, axis.settings)}
    if axis.path == MISTAKES_LABEL:
        for mistakes in axis.settings:
            names[format_label_value(mistakes)] = format_label_value(label_mistakes(mistakes))
        return names | {value: value for value in names.values()}
    for change in axis.settings:
        values = {path: parameter.value for path, parameter in parameters.items()}
        for one in (*base, change):
            apply_change(values, one, parameters)
        value = format_label_value(get_value(values, change.path))
        names[value] = names[format_label_value(change.value)] = value
    return names


def _resolve_order(
    document: Document, order: ExpectedOrder, names: dict[str, dict[str, str]]
) -> ExpectedOrder:
    place = document.locate("expect", "order")
    path = get_axis_path(order.path) if order.path else _find_only_path(place, order, names)
    if path not in names:
        close = find_nearest_names(path, names)
        raise ScenarioError(place, "expect.order", f"{path} is not swept", close)
    for value in order.values:
        if value not in names[path]:
            close = find_nearest_names(value, names[path])
            message = f"{value!r} is not a cell of {path}"
            raise ScenarioError(place, "expect.order", message, close)
    return replace(order, path=path, values=tuple(names[path][value] for value in order.values))


def _find_only_path(place: Location, order: ExpectedOrder, names: dict[str, dict[str, str]]) -> str:
    """Return the one swept path that has all values of an order."""
    matching = [path for path, known in names.items() if known.keys() >= set(order.values)]
    if len(matching) == 1:
        return matching[0]
    problem = "no swept path has"
    if matching:
        problem = f"more than one swept path ({', '.join(matching)}) has"
    message = (
        f"{problem} the values {', '.join(order.values)}; write "
        "{path: ..., order: ...} with a path of the sweep"
    )
    raise ScenarioError(place, "expect.order", message)


def drop_axes(expect: Expect | None, paths: set[str]) -> Expect | None:
    """Return the expectations without the orders along these paths."""
    if not expect:
        return None
    orders = [order for order in expect.order if order.path not in paths]
    return expect.model_copy(update={"order": orders})


def group_cells(
    order: ExpectedOrder, cells: Iterable[T], get_label: Callable[[T], Mapping[str, Any]]
) -> list[tuple[dict[str, Any], list[T]]]:
    """Return the cells that an order compares, in its order.

    Args:
        order: The order, along one swept path.
        cells: All cells.
        get_label: Returns the label of a cell.

    Returns:
        The cells once for each combination of the other swept values, which comes first.
    """
    labels: dict[str, dict[str, Any]] = {}
    cells_by_value: dict[str, dict[str, T]] = {}
    for cell in cells:
        others = dict(get_label(cell))
        value = format_label_value(others.pop(order.path))
        key = repr(others)
        labels[key] = others
        cells_by_value.setdefault(key, {})[value] = cell
    groups = []
    for key, others in labels.items():
        ordered = [cells_by_value[key][value] for value in order.values]
        groups.append((others, ordered))
    return groups
