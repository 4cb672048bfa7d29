"""A leaf: one number, name or switch of a box, with its provenance; and the leaves of a box.

A mapping with the key `value` is a leaf, and so is a plain scalar or a list. A key with a dot in
front is inherited by everything below it; a `from` goes with its `source`, so where a source is
given anew the `from` from above no longer holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from scenarios.errors import ScenarioError, nearest
from scenarios.read import Document

SOURCES = ("rulebook", "public", "assumed")
ATTRIBUTES = ("source", "from", "range", "choices", "min", "max", "unit", "note")
NAME = re.compile(r"[^\s.\[\]=]+")

Scalar = bool | int | float | str


@dataclass(frozen=True)
class Leaf:
    """One number, name or switch of the box."""

    path: str
    value: Scalar | list[Scalar]
    source: str
    from_: str = ""
    range: tuple[float, float] | None = None  # plausible, for sensitivity
    choices: tuple[Scalar, ...] = ()
    min: float | None = None  # what the game can bear
    max: float | None = None
    unit: str = ""
    note: str = ""
    line: int = 0

    @property
    def type(self) -> type:
        """The type of the value, of a list's items."""
        if not isinstance(self.value, list):
            return type(self.value)
        kinds = {type(item) for item in self.value or self.choices}
        return float if kinds == {int, float} else kinds.pop() if kinds else str

    @property
    def items(self) -> list[Scalar]:
        return self.value if isinstance(self.value, list) else [self.value]

    @property
    def assumed(self) -> bool:
        return self.source == "assumed"


def parse(document: Document) -> dict[str, Leaf]:
    """The leaves of a box that has been read, all of them valid."""
    if not isinstance(document.data, dict) or not document.data:
        raise ScenarioError(document.place(), "", "a box is a mapping of names to numbers; this is "
                            + ("empty" if document.data in (None, {}) else "something else"))
    found: dict[str, Leaf] = {}
    for leaf in _walk(document, document.data, (), {}):
        found[leaf.path] = leaf
    return found


def _walk(document: Document, section: dict[str, Any], where: tuple[str, ...],
          above: dict[str, Any]) -> Iterator[Leaf]:
    handed = _inherited(document, section, where, above)
    for key, value in section.items():
        if key.startswith("."):
            continue
        here = (*where, key)
        if not NAME.fullmatch(key):
            raise _wrong(document, here, "a name of the box holds no blank, dot, bracket or =")
        if isinstance(value, dict) and "value" not in value:
            if not value:
                raise _wrong(document, here, "is empty")
            yield from _walk(document, value, here, handed)
        else:
            yield _leaf(document, here, value, handed)


def _inherited(document: Document, section: dict[str, Any], where: tuple[str, ...],
               above: dict[str, Any]) -> dict[str, Any]:
    own = {key[1:]: value for key, value in section.items() if key.startswith(".")}
    for name in own:
        _known(document, (*where, "." + name), name, ".")
    return {**_passed_on(above, own), **own}


def _passed_on(above: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in above.items() if k != "from" or "source" not in own}


def _known(document: Document, where: tuple[str, ...], name: str, dot: str = "") -> None:
    if name not in ATTRIBUTES:
        close = [dot + n for n in nearest(name, ("value", *ATTRIBUTES) if not dot else ATTRIBUTES)]
        raise _wrong(document, where, f"no such attribute of a leaf (there are {', '.join(ATTRIBUTES)})"
                     if not close else "no such attribute", close)


def _leaf(document: Document, where: tuple[str, ...], written: Any, handed: dict[str, Any]) -> Leaf:
    own = {k: v for k, v in written.items() if k != "value"} if isinstance(written, dict) else {}
    for name in own:
        _known(document, (*where, name), name)
    said = {**_passed_on(handed, own), **own}
    value = written["value"] if isinstance(written, dict) else written
    for name in ("source", "from", "unit", "note"):
        if name in said and not isinstance(said[name], (str, int, float)):
            raise _wrong(document, (*where, name), f"must be a text, not {_kind(said[name])}")
    span, choices = said.get("range"), said.get("choices", [])
    if span is not None and not (isinstance(span, list) and len(span) == 2 and all(map(_number, span))
                                 and span[0] <= span[1]):
        raise _wrong(document, (*where, "range"), "must be [low, high]")
    if not isinstance(choices, list) or not all(map(_scalar, choices)) or own.get("choices") == []:
        raise _wrong(document, (*where, "choices"), "must be a list of values")
    leaf = Leaf(".".join(where), value, str(said.get("source", "")), str(said.get("from", "")),
                tuple(span) if span else None, tuple(choices), said.get("min"), said.get("max"),
                str(said.get("unit", "")), str(said.get("note", "")), document.place(*where).line or 0)
    return _checked(document, where, leaf)


def _checked(document: Document, where: tuple[str, ...], leaf: Leaf) -> Leaf:
    if leaf.value is None:
        raise _wrong(document, where, "has no value")
    if not (_scalar(leaf.value) or (isinstance(leaf.value, list) and all(map(_scalar, leaf.value)))):
        raise _wrong(document, where, "must be true or false, a number, a name, or a list of those")
    if not leaf.source:
        raise _wrong(document, where, f"has no source ({', '.join(SOURCES)}), nor does anything above it")
    if leaf.source not in SOURCES:
        raise _wrong(document, (*where, "source"), f"is {leaf.source!r}; it must be one of "
                     f"{', '.join(SOURCES)}", nearest(leaf.source, SOURCES))
    if leaf.assumed and not (leaf.range or leaf.choices or leaf.note or leaf.type is bool):
        raise _wrong(document, where, "is assumed, so it needs a range, choices or a note with the reason")
    for name in ("min", "max"):
        if getattr(leaf, name) is not None and not _number(getattr(leaf, name)):
            raise _wrong(document, (*where, name), "must be a number")
    if len({type(v) for v in leaf.items} - {int, float}) + any(map(_number, leaf.items)) > 1:
        raise _wrong(document, where, "holds values of several types")
    for problem in (misfit(leaf, item) or implausible(leaf, item) for item in leaf.items):
        if problem:
            raise _wrong(document, where, problem)
    if leaf.type is bool:
        return replace(leaf, choices=(True, False))
    if leaf.type is float and isinstance(leaf.value, list):  # [1, 2.5] are two numbers of one type
        return replace(leaf, value=[float(item) for item in leaf.value])
    return leaf


def misfit(leaf: Leaf, item: Any) -> str:
    """Why the leaf cannot hold this value (of its own type), or nothing."""
    if leaf.choices and item not in leaf.choices:
        return f"is {said(item)}; it must be one of {', '.join(map(said, leaf.choices))}"
    if leaf.min is not None and _number(item) and item < leaf.min:
        return f"is {said(item)}, less than the least possible, {said(leaf.min)}"
    if leaf.max is not None and _number(item) and item > leaf.max:
        return f"is {said(item)}, more than the most possible, {said(leaf.max)}"
    return ""


def implausible(leaf: Leaf, item: Any) -> str:
    """How the value stands outside the plausible range, or nothing."""
    if leaf.range and _number(item) and not leaf.range[0] <= item <= leaf.range[1]:
        return f"is {said(item)}, outside its plausible range {said(leaf.range[0])} to {said(leaf.range[1])}"
    return ""


def said(value: Any) -> str:
    """A value as one would write it in YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(said, value))}]"
    return str(value)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _scalar(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str))


def _kind(value: Any) -> str:
    return "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, list) else "nothing"


def _wrong(document: Document, where: tuple[str, ...], message: str,
           close: Iterable[str] = ()) -> ScenarioError:
    return ScenarioError(document.place(*where), ".".join(where), message, close)
