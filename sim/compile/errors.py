"""Compiler errors explained to the author of the rules or strategy: place, cause and a way out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numba
import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK

MAX_COMPILER_CHARS = 240  # of the compiler's own words in a message
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
REQUIRED_RETURNS = {
    "choose": "it must return a whole number, the index of one of the options",
    "options": "it must return a whole number, the number of options",
}
RECORDS = {  # that a rule or strategy receives and may read
    "choose": ("box", "table", "own", "luck"),
    "options": ("box", "table", "hidden", "own"),
    "outcome": ("box", "table", "row"),
}
RECORDS_OF_OTHER_RULES = ("box", "table", "hidden", "own", "luck")
TYPE_NAMES = (  # patterns of numba's names of types, and what the author calls them
    (r"none", "nothing"),
    (r"u?int\d+|Literal\[int\]", "a whole number"),
    (r"float\d+", "a fraction"),
    (r"unicode_type|Literal\[str\]", "a text"),
    (r"bool", "a truth value"),
    (r"Record", "a record"),
    (r"unaligned array|nestedarray|array", "an array"),
    (r"(reflected )?list", "a list"),
    (r"(Uni)?Tuple", "a tuple"),
    (r"(reflected )?set", "a set"),
    (r"(Initial)?Dict", "a dict"),
)


class _Failure(NamedTuple):
    """A part of the compiler's message, and what was being compiled.

    Attributes:
        match: The part of the message.
        function: The rule or strategy.
        part: Name of the rule, or `choose`.
    """

    match: re.Match
    function: Callable
    part: str


def explain_compile_error(error: Exception, function: Callable, game: Game, part: str) -> str:
    """Return one line that explains why a function does not compile.

    Args:
        error: What the compiler raised.
        function: The rule or strategy.
        game: The game for which it was compiled.
        part: Name of the rule, or `choose` for a strategy.
    """
    if part == "choose":
        subject = f"strategy {source_location.get_py_func(function).__name__!r}"
    else:
        subject = f"{game.name}: rule {part!r}"
    location = _locate(error, function)
    cause = _explain_cause(error, function, game, part)
    return f"{source_location.format_location(location)}: {subject} does not compile: {cause}"


def _locate(error: Exception, function: Callable) -> source_location.CodeLocation:
    location = None
    undefined = re.search(r"NameError: name '(\w+)' is not defined", str(error))
    if undefined:
        location = source_location.find_undefined_use(function, undefined[1])
    location = location or source_location.locate_compile_error(error)
    return location or source_location.find_definition(function)


def _explain_cause(error: Exception, function: Callable, game: Game, part: str) -> str:
    if isinstance(error, KeyError) and error.args:
        record_type = source_location.find_record_type(error)
        return _explain_missing_field(str(error.args[0]), record_type, _list_records(game, part))
    text = str(error)
    for pattern, explain in _EXPLANATIONS:
        match = re.search(pattern, text, re.S)
        if match:
            return explain(_Failure(match, function, part))
    return _shorten_compiler_text(text)


# -- fields ---------------------------------------------------------------------------------------


def _list_records(game: Game, part: str) -> dict[str, np.dtype]:
    """Return the records that a rule or strategy receives."""
    dtypes = {
        "box": game.box,
        "table": game.table,
        "hidden": game.hidden,
        "own": game.own,
        "luck": LUCK,
        "row": game.row,
    }
    return {name: dtypes[name] for name in RECORDS.get(part, RECORDS_OF_OTHER_RULES)}


def _explain_missing_field(field: str, record_type: object, records: Mapping[str, np.dtype]) -> str:
    """Name the record that lacks a field, if it is known, and the most similar fields."""
    dtypes: dict[str, np.dtype] = {}
    for name, dtype in records.items():
        dtypes.update(_list_nested_records(name, dtype))
    owners = [name for name, dtype in dtypes.items() if numba.from_dtype(dtype) == record_type]
    suggestions = [f"{name}.{field}" for name, dtype in dtypes.items() if field in _names(dtype)]
    if not suggestions:
        suggestions = _find_similar_fields(field, {name: dtypes[name] for name in owners[:1]})
    if not suggestions:
        suggestions = _find_similar_fields(field, dtypes)
    if owners:
        message = f"{owners[0]} has no field {field!r}"
    else:
        message = f"neither {_join_words(records, 'nor')} has a field {field!r}"
    return message + _suggest(suggestions)


def _list_nested_records(path: str, dtype: np.dtype) -> Iterator[tuple[str, np.dtype]]:
    """Yield a record and all records in it, each with its path."""
    yield path, dtype
    for name in _names(dtype):
        if dtype[name].base.names:
            yield from _list_nested_records(f"{path}.{name}", dtype[name].base)


def _find_similar_fields(field: str, dtypes: Mapping[str, np.dtype]) -> list[str]:
    paths: dict[str, str] = {}
    for path, dtype in dtypes.items():
        for name in _names(dtype):
            paths.setdefault(name, f"{path}.{name}")
    return [paths[name] for name in difflib.get_close_matches(field, paths, 3)]


def _names(dtype: np.dtype) -> tuple[str, ...]:
    return dtype.names or ()


# -- other messages of the compiler ---------------------------------------------------------------


def _explain_return(failure: _Failure) -> str:
    required = REQUIRED_RETURNS.get(failure.part, "it must return nothing")
    return f"it returns {_describe_type(failure.match[1])}; {required}"


def _explain_plain_function(failure: _Failure) -> str:
    return (
        f"{failure.match[1]} is plain Python; mark it with @rule "
        "(from hardmode.sim.records import rule), so that compiled code can call it"
    )


def _explain_undefined_name(failure: _Failure) -> str:
    name = failure.match[1]
    known = source_location.list_visible_names(failure.function)
    return f"name {name!r} is not defined{_suggest(difflib.get_close_matches(name, known, 3))}"


def _explain_unset_variable(failure: _Failure) -> str:
    return f"{failure.match[1]!r} is used before it has a value"


def _explain_module_attribute(failure: _Failure) -> str:
    module, name = failure.match[1], failure.match[2]
    similar = difflib.get_close_matches(name, dir(np), 3) if module == "numpy" else []
    return f"module {module} has no {name!r}{_suggest(similar)}"


def _explain_arguments(failure: _Failure) -> str:
    parameters, reason, function = failure.match.groups()
    names = [re.split("[:=]", parameter)[0].strip() for parameter in parameters.split(",")]
    return f"{function} takes {', '.join(names) or 'nothing'}: {reason}"


def _explain_cast(failure: _Failure) -> str:
    given, needed = failure.match.groups()
    return f"{_describe_type(given)} is used where {_describe_type(needed)} is needed"


def _explain_operation(failure: _Failure) -> str:
    name = failure.match[1]
    types = [_describe_type(type_name) for type_name in _split_arguments(failure.match[2])]
    if name in ("getitem", "static_getitem", "setitem"):
        return f"{types[0]} is indexed; only arrays can be"
    operator = OPERATORS.get(name, name)
    if name[1:] in OPERATORS:  # in-place: iadd
        operator = f"{OPERATORS[name[1:]]}="
    return f"{operator} cannot be used with {_join_words(types, 'and')}"


def _explain_attribute(failure: _Failure) -> str:
    field, type_name = failure.match.groups()
    return f"{_describe_type(type_name)} has no field {field!r}"


_EXPLANATIONS: tuple[tuple[str, Callable[[_Failure], str]], ...] = (
    (r"No conversion from (.+?) to \S+ for '\$\w*return_value", _explain_return),
    (r"Untyped global name '(\w+)'.*<class 'function'>", _explain_plain_function),
    (r"NameError: name '(\w+)' is not defined", _explain_undefined_name),
    (r"Variable '(\w+)' is not defined", _explain_unset_variable),
    (r"module '(\w+)' has no attribute '(\w+)'", _explain_module_attribute),
    (
        r"to signature '\((.*?)\)(?: -> .*?)?' due to \"TypeError: (.*?)\".*?<function (\w+)",
        _explain_arguments,
    ),
    (r"Cannot cast (\S+(?: \S+)*?) to (.+?): ", _explain_cast),
    (r"Function\(<intrinsic _cast>\).*?>>> _cast\((.*?), class\((.+?)\)\)", _explain_cast),
    (
        r"No implementation of function Function\(<built-in function (\w+)>\).*?>>> \w+\((.*?)\)\n",
        _explain_operation,
    ),
    (r"Unknown attribute '(\w+)' of type (\S+)", _explain_attribute),
)


def _describe_type(type_name: str) -> str:
    """Return what the author calls a type of the compiler."""
    for pattern, description in TYPE_NAMES:
        if re.match(pattern, type_name):
            return description
    return type_name[:40]


def _split_arguments(arguments: str) -> list[str]:
    """Split at the commas that are in no brackets."""
    parts, depth = [""], 0
    for character in arguments:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _shorten_compiler_text(text: str) -> str:
    """Return the first lines of a message without what only compiler developers can use."""
    useless = ("Failed in nopython", "File ", "During:", "There are")
    lines = [line.strip() for line in text.splitlines()]
    useful = [line for line in lines if line and not line.startswith(useless)]
    plain = re.sub(r"Record\(\[.*?\], \d+, True\)", "a record", " ".join(useful[:3]))
    return plain[:MAX_COMPILER_CHARS]


def _suggest(names: list[str]) -> str:
    return f"; did you mean {_join_words(names, 'or')}?" if names else ""


def _join_words(words: Iterable[str], conjunction: str) -> str:
    *first, last = words
    return f"{', '.join(first)} {conjunction} {last}" if first else last
