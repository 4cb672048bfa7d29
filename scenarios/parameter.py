"""A leaf: one number, name or switch of a box, with its provenance; and the leaves of a box.

A mapping with the key `value` is a leaf, and so is a plain scalar or a list. A key with a dot in
front is inherited by everything below it; a `from` goes with its `source`, so where a source is
given anew the `from` from above no longer holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hardmode.sim.files.yaml_io.errors import ScenarioError, nearest
from hardmode.sim.files.yaml_io.read import Document

SOURCES = ("rulebook", "public", "assumed")
SHAPES = ("triangle", "even")
NAME = re.compile(r"[^\s.\[\]=*]+")

TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a name"}

Scalar = bool | int | float | str


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _scalar(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str))


def _text(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _span(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(map(_number, value))
        and value[0] <= value[1]
    )


def _values(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_scalar, value))


def _tries(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(_scalar(one) or _values(one) for one in value)
    )


def _needs(value: Any) -> bool:
    return isinstance(value, dict) and all(_scalar(one) or _values(one) for one in value.values())


def _needs_of(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_needs, value.values()))


def _odds(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(_number(one) and one >= 0 for one in value)
        and sum(value) > 0
    )


ATTRIBUTES: dict[str, tuple[Callable[[Any], bool], str]] = {  # what may be said of a leaf, and how
    "source": (lambda value: value in SOURCES, f"one of {', '.join(SOURCES)}"),
    "from": (_text, "a text"),
    "range": (_span, "[low, high]"),
    "doubt": (_tries, "a list of values to try"),
    "choices": (_values, "a list of values"),
    "odds": (_odds, "a list of numbers, none below zero and not all zero"),
    "shape": (lambda value: value in SHAPES, f"one of {', '.join(SHAPES)}"),
    "min": (_number, "a number"),
    "max": (_number, "a number"),
    "unit": (_text, "a text"),
    "note": (_text, "a text"),
    "needs": (_needs, "a mapping of other numbers to a value, or to a list of values"),
    "needs_of": (_needs_of, "a mapping of names of numbers below to what these need"),
}

ABOVE = ("needs_of",)  # is said of what stands below alone
FIXED = (
    "choices",
    "min",
    "max",
    "needs",
    "needs_of",
)  # what the game can bear: its box says it for every other


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
    doubt: tuple[
        Scalar | list[Scalar], ...
    ] = ()  # plausible values that every report tries: it decides much
    odds: tuple[float, ...] = ()  # how likely each reading is, in the order of `readings`
    shape: str = ""  # of what is likely within the range: a triangle with its peak at the value, unless it is even
    needs: tuple[
        tuple[str, tuple[Scalar, ...]], ...
    ] = ()  # it matters where these others have one of these values
    file: str = ""  # the box of one's own that says it; none for the shipped one

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
    def readings(self) -> list[Scalar | list[Scalar]]:
        """The values that it may be read as, where they can be counted: its choices, or itself and its doubts."""
        if self.doubt:
            return [self.value, *(one for one in self.doubt if one != self.value)]
        if isinstance(self.value, list):
            return []
        return [True, False] if self.type is bool else list(self.choices)

    @property
    def assumed(self) -> bool:
        return self.source == "assumed"


def parse(document: Document) -> dict[str, Leaf]:
    """The leaves of a box that has been read, all of them valid."""
    if not isinstance(document.data, dict) or not document.data:
        raise ScenarioError(
            document.place(),
            "",
            "a box is a mapping of names to numbers; this is "
            + ("empty" if document.data in (None, {}) else "something else"),
        )
    found: dict[str, Leaf] = {}
    for where, told in entries(document, document.data):
        leaf = _leaf(document, where, told)
        found[leaf.path] = leaf
    if not found:
        raise ScenarioError(
            document.place(), "", "a box is a mapping of names to numbers; this has no number"
        )
    return found


def entries(
    document: Document,
    section: dict[str, Any],
    where: tuple[str, ...] = (),
    above: dict[str, Any] | None = None,
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Where every leaf stands, and all that is said of it, there or above it: its value and attributes."""
    handed = _inherited(document, section, where, above or {})
    for key, value in section.items():
        if key.startswith("."):
            continue
        here = (*where, key)
        if not NAME.fullmatch(key):
            raise _wrong(
                document, here, "a name of the box holds no blank, dot, bracket, star or ="
            )
        if isinstance(value, dict) and "value" not in value:
            if not value:
                raise _wrong(document, here, "is empty")
            yield from entries(document, value, here, handed)
        else:
            yield here, _attributes_of(document, here, value, handed)


def _inherited(
    document: Document, section: dict[str, Any], where: tuple[str, ...], above: dict[str, Any]
) -> dict[str, Any]:
    own = {key[1:]: value for key, value in section.items() if key.startswith(".")}
    for name, value in own.items():
        _attribute(document, (*where, "." + name), value, ".")
    return _joined(above, own)


def _joined(above: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """What is said above holds unless it is said anew; what is needed above is needed, too."""
    passed_on = {k: v for k, v in above.items() if k != "from" or "source" not in own}
    needs = {**above.get("needs", {}), **own.get("needs", {})}
    return {**passed_on, **own, **({"needs": needs} if needs else {})}


def _attribute(document: Document, where: tuple[str, ...], value: Any, dot: str = "") -> None:
    """One attribute as it was written: on a leaf or, with a dot in front, above some."""
    name = where[-1].removeprefix(dot)
    if name in ABOVE and not dot:
        raise _wrong(document, where, f"is said above numbers, as .{name}")
    if name not in ATTRIBUTES:
        there = [known for known in ATTRIBUTES if dot or known not in ABOVE]
        close = [dot + n for n in nearest(name, there)]
        known = "" if close else f" (there are {', '.join(there)})"
        raise _wrong(document, where, f"no such attribute{known}", close)
    fits, need = ATTRIBUTES[name]
    if not fits(value):
        close = nearest(str(value), SOURCES) if name == "source" else []
        raise _wrong(document, where, f"must be {need}", close)


def _attributes_of(
    document: Document, where: tuple[str, ...], written: Any, handed: dict[str, Any]
) -> dict[str, Any]:
    own = written if isinstance(written, dict) else {"value": written}
    for name, value in own.items():
        if name != "value":
            _attribute(document, (*where, name), value)
    by_name = handed.get("needs_of", {}).get(where[-1], {})
    return _joined(_joined(handed, {"needs": by_name}) if by_name else handed, own)


def _leaf(document: Document, where: tuple[str, ...], told: dict[str, Any]) -> Leaf:
    leaf = Leaf(
        ".".join(where), told["value"], line=document.place(*where).line or 0, **attributes(told)
    )
    problem = ailment(leaf)
    if problem:
        raise _wrong(document, where, problem)
    return _settled(leaf)


def attributes(told: dict[str, Any]) -> dict[str, Any]:
    """The attributes that are said, as a leaf holds them; the source always, and where it is from."""
    held: dict[str, Any] = {name: told[name] for name in ("min", "max") if name in told}
    held |= {
        name: tuple(told[name]) for name in ("range", "choices", "doubt", "odds") if name in told
    }
    held |= {name: str(told[name]) for name in ("unit", "note", "shape") if name in told}
    if "needs" in told:
        held["needs"] = tuple(
            (p, tuple(v) if isinstance(v, list) else (v,)) for p, v in told["needs"].items()
        )
    return {"source": told.get("source", ""), "from_": str(told.get("from", "")), **held}


def ailment(leaf: Leaf) -> str:
    """What is wrong with a leaf, or nothing."""
    if leaf.value is None:
        return "has no value"
    if not (
        _scalar(leaf.value) or (isinstance(leaf.value, list) and all(map(_scalar, leaf.value)))
    ):
        return "must be true or false, a number, a name, or a list of those"
    if not leaf.source:
        return f"has no source ({', '.join(SOURCES)}), nor does anything above it"
    if leaf.assumed and not (leaf.range or leaf.choices or leaf.note or leaf.type is bool):
        return "is assumed, so it needs a range, choices or a note with the reason"
    wanted = (int, float) if leaf.type is float else (leaf.type,)
    if any(type(item) not in wanted for item in leaf.items):
        return "holds values of several types"
    if leaf.odds and len(leaf.odds) != len(leaf.readings):
        return f"has {len(leaf.odds)} odds for {len(leaf.readings)} readings"
    if leaf.type is not bool and any(type(choice) not in wanted for choice in leaf.choices):
        return f"has choices of another type than its value, which is {TYPES[leaf.type]}"
    tried = [item for one in leaf.doubt for item in (one if isinstance(one, list) else [one])]
    if any(type(item) not in wanted for item in tried):
        return f"is tried with values of another type than its own, which is {TYPES[leaf.type]}"
    return next(
        filter(
            None, (misfit(leaf, item) or implausible(leaf, item) for item in [*leaf.items, *tried])
        ),
        "",
    )


def _settled(leaf: Leaf) -> Leaf:
    if leaf.type is bool:
        return replace(leaf, choices=(True, False))
    if leaf.type is float and isinstance(leaf.value, list):  # [1, 2.5] are two numbers of one type
        return replace(leaf, value=[float(item) for item in leaf.value])
    return leaf


def misfit(leaf: Leaf, item: Any) -> str:
    """Why the leaf cannot hold this value (of its own type), or nothing."""
    if leaf.choices and item not in leaf.choices:
        return f"is {yaml_text(item)}; it must be one of {', '.join(map(yaml_text, leaf.choices))}"
    if leaf.min is not None and _number(item) and item < leaf.min:
        return f"is {yaml_text(item)}, less than the least possible, {yaml_text(leaf.min)}"
    if leaf.max is not None and _number(item) and item > leaf.max:
        return f"is {yaml_text(item)}, more than the most possible, {yaml_text(leaf.max)}"
    return ""


def implausible(leaf: Leaf, item: Any) -> str:
    """How the value stands outside the plausible range, or nothing."""
    if leaf.range and _number(item) and not leaf.range[0] <= item <= leaf.range[1]:
        low, high = map(yaml_text, leaf.range)
        return f"is {yaml_text(item)}, outside its plausible range {low} to {high}"
    return ""


def yaml_text(value: Any) -> str:
    """A value as one would write it in YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(yaml_text, value))}]"
    return str(value)


def _wrong(
    document: Document, where: tuple[str, ...], message: str, close: Iterable[str] = ()
) -> ScenarioError:
    return ScenarioError(document.place(*where), ".".join(where), message, close)
