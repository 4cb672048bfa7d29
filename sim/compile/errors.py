"""Why rules or a strategy do not compile, said to their author: the file, the line, the cause and a way out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import numba
import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK

LONGEST = 240  # of what the compiler says itself
OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
RETURNS = {
    "choose": "it must return a whole number, the index of one of the options",
    "options": "it must return a whole number, how many options there are",
}


def complaint(why: Exception, function: Callable, game: Game, part: str) -> str:
    """One line for what the compiler raised: `part` is the name of a rule, or `choose` for a strategy."""
    who = (
        f"strategy {source_location.bare(function).__name__!r}"
        if part == "choose"
        else f"{game.name}: rule {part!r}"
    )
    undefined = re.search(r"NameError: name '(\w+)' is not defined", str(why))
    at = source_location.uses(function, undefined[1]) if undefined else None
    at = at or source_location.compiling(why) or source_location.start(function)
    return f"{source_location.text(at)}: {who} does not compile: {_cause(why, function, game, part)}"


def _cause(why: Exception, function: Callable, game: Game, part: str) -> str:
    if isinstance(why, KeyError) and why.args:
        return _no_field(str(why.args[0]), source_location.asked(why), _records(game, part))
    text = str(why)
    for pattern, words in _CAUSES:
        found = re.search(pattern, text, re.S)
        if found:
            return words(found, function, part)
    return _shortened(text)


# -- fields -----------------------------------------------------------------------------------------


def _records(game: Game, part: str) -> dict[str, np.dtype]:
    """The records that a rule or a strategy is handed."""
    every = {
        "box": game.box,
        "table": game.table,
        "hidden": game.hidden,
        "own": game.own,
        "luck": LUCK,
        "row": game.row,
    }
    seen = {
        "choose": ("box", "table", "own", "luck"),
        "options": ("box", "table", "hidden", "own"),
        "outcome": ("box", "table", "row"),
    }
    return {name: every[name] for name in seen.get(part, ("box", "table", "hidden", "own", "luck"))}


def _no_field(field: str, record: object, records: Mapping[str, np.dtype]) -> str:
    """The record that was asked, where it is known, and the field that is likest, there or elsewhere."""
    every = {
        f"{name}.{path}" if path else name: dtype
        for name, top in records.items()
        for path, dtype in _within(top)
    }
    owners = [name for name, dtype in every.items() if numba.from_dtype(dtype) == record]
    same = [f"{name}.{field}" for name, dtype in every.items() if field in (dtype.names or ())]
    near = same or _nearest(field, owners[:1], every) or _nearest(field, every, every)
    who = (
        f"{owners[0]} has no field {field!r}"
        if owners
        else f"neither {_or(records, 'nor')} has a field {field!r}"
    )
    return who + (f"; did you mean {_or(near)}?" if near else "")


def _within(dtype: np.dtype, path: str = "") -> Iterator[tuple[str, np.dtype]]:
    """A record and the records in it, each with the way to it."""
    yield path, dtype
    for name in dtype.names or ():
        if dtype[name].base.names:
            yield from _within(dtype[name].base, f"{path}.{name}" if path else name)


def _nearest(field: str, owners: Iterable[str], every: Mapping[str, np.dtype]) -> list[str]:
    names: dict[str, str] = {}
    for owner in owners:
        for name in every[owner].names or ():
            names.setdefault(name, f"{owner}.{name}")
    return [names[near] for near in difflib.get_close_matches(field, names, 3)]


# -- what else the compiler says --------------------------------------------------------------------


def _returned(found: re.Match, function: Callable, part: str) -> str:
    return f"a return gives {_kind(found[1])}; {RETURNS.get(part, 'it must return nothing')}"


def _plain(found: re.Match, function: Callable, part: str) -> str:
    return (
        f"{found[1]} is plain Python; mark it with @rule (from hardmode.sim.records import rule), "
        "so that compiled code can call it"
    )


def _undefined(found: re.Match, function: Callable, part: str) -> str:
    near = difflib.get_close_matches(found[1], source_location.names(function), 3)
    return f"name {found[1]!r} is not defined" + (f"; did you mean {_or(near)}?" if near else "")


def _unset(found: re.Match, function: Callable, part: str) -> str:
    return f"{found[1]!r} is used before it has a value"


def _numpy(found: re.Match, function: Callable, part: str) -> str:
    near = difflib.get_close_matches(found[2], dir(np), 3) if found[1] == "numpy" else []
    return f"module {found[1]} has no {found[2]!r}" + (
        f"; did you mean {_or(near)}?" if near else ""
    )


def _arguments(found: re.Match, function: Callable, part: str) -> str:
    takes = ", ".join(name.split(":")[0].split("=")[0].strip() for name in found[1].split(","))
    return f"{found[3]} takes {takes or 'nothing'}: {found[2]}"


def _cast(found: re.Match, function: Callable, part: str) -> str:
    return f"{_kind(found[1])} stands where {_kind(found[2])} belongs"


def _operation(found: re.Match, function: Callable, part: str) -> str:
    name, kinds = found[1], [_kind(one) for one in _split(found[2])]
    if name in ("getitem", "static_getitem", "setitem"):
        return f"{kinds[0]} is indexed; only arrays can be"
    sign = OPERATORS.get(name) or (f"{OPERATORS[name[1:]]}=" if name[1:] in OPERATORS else name)
    return f"{sign} does not go with {_or(kinds, 'and')}"


def _attribute(found: re.Match, function: Callable, part: str) -> str:
    return f"{_kind(found[2])} has no field {found[1]!r}"


_CAUSES: tuple[tuple[str, Callable[[re.Match, Callable, str], str]], ...] = (
    (r"No conversion from (.+?) to \S+ for '\$\w*return_value", _returned),
    (r"Untyped global name '(\w+)'.*<class 'function'>", _plain),
    (r"NameError: name '(\w+)' is not defined", _undefined),
    (r"Variable '(\w+)' is not defined", _unset),
    (r"module '(\w+)' has no attribute '(\w+)'", _numpy),
    (
        r"to signature '\((.*?)\)(?: -> .*?)?' due to \"TypeError: (.*?)\".*?<function (\w+)",
        _arguments,
    ),
    (r"Cannot cast (\S+(?: \S+)*?) to (.+?): ", _cast),
    (
        r"No implementation of function Function\(<built-in function (\w+)>\).*?>>> \w+\((.*?)\)\n",
        _operation,
    ),
    (r"Unknown attribute '(\w+)' of type (\S+)", _attribute),
)

_KINDS = (
    (r"none", "nothing"),
    (r"u?int\d+|Literal\[int\]", "a whole number"),
    (r"float\d+", "a fraction"),
    (r"unicode_type|Literal\[str\]", "a text"),
    (r"bool", "a truth value"),
    (r"Record", "a record"),
    (r"unaligned array|nestedarray|array", "an array"),
    (r"(reflected )?list", "a list"),
    (r"(Uni)?Tuple", "a tuple"),
    (r"(reflected )?set|Dict", "a set"),
)


def _kind(said: str) -> str:
    """A type of the compiler in plain words."""
    return next((words for start, words in _KINDS if re.match(start, said)), said[:40])


def _split(arguments: str) -> list[str]:
    """At the commas that stand outside all brackets."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _shortened(text: str) -> str:
    """The compiler's own words, without what only it can read."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [
        line
        for line in lines
        if not line.startswith(("Failed in nopython", "File ", "During:", "There are"))
    ]
    return re.sub(r"Record\(\[.*?\], \d+, True\)", "a record", " ".join(told[:3]))[:LONGEST]


def _or(names: Iterable[str], word: str = "or") -> str:
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last
