"""An entry takes in the rules that it calls and is optimised once; who may count from the end of an array."""

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage, parse_bitcode
from numba import types
from numba.core.errors import TypingError

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.compile.dispatchers import make_entry_dispatcher
from hardmode.sim.compile.numba_engine import ENVIRONMENT_PREFIX
from hardmode.sim.records import PLAIN, rule

pytestmark = pytest.mark.skipif(PLAIN, reason="there is no compiler")

AT = np.dtype([("place", "i8"), ("spot", "i8", (4,))], align=True)
TABLE = numba.from_dtype(AT)


def spot(table):
    return table.spot[table.place]


def last_spot(table):
    return table.spot[-1]


def as_ours(function):
    """The same function as if it stood in hardmode's own code."""
    made = type(function)(function.__code__, {**function.__globals__}, function.__name__)
    made.__module__ = "hardmode.sim.games.somewhere"
    return rule(made)


def asked(of, place):
    def ask(table):
        return of(table)

    tables = np.zeros(1, AT)
    tables["place"], tables["spot"] = place, [10, 11, 12, 13]
    return compile_cached(ask, types.int64(TABLE))(tables[0])


def test_who_counts_from_the_end():
    """Code from outside keeps Python's meaning. hardmode's own reads what lies before, so it never asks for it."""
    assert [asked(rule(spot), place) for place in (0, 3, -1, -4)] == [10, 13, 13, 10]
    assert [asked(as_ours(spot), place) for place in (0, 3, -1)] == [10, 13, -1]
    with pytest.raises(IndexError):
        asked(rule(spot), -5)


def test_who_writes_an_index_below_0():
    assert asked(rule(last_spot), 0) == 13
    with pytest.raises(TypingError, match="-1 is not an index"):
        asked(as_ours(last_spot), 0)


@rule
def innermost(table, by):
    table.spot[0] += by
    return table.spot[0]


@rule
def inner(table, by):
    return innermost(table, by) + innermost(table, 2 * by)


@rule
def other(table, by):
    return innermost(table, 100 * by)


def outer(table):
    return inner(table, 1) + other(table, 1) + inner(table, 1)


def compiled(function):
    """Compiled here, not loaded: a library that was loaded does not tell."""
    made = make_entry_dispatcher(function, False)
    made.compile(types.int64(TABLE))
    return made


def test_what_an_entry_calls_is_its_own():
    made = compiled(outer)
    tables = np.zeros(1, AT)
    assert made(tables[0]) == (1 + 3) + 103 + (104 + 106) and tables["spot"][0, 0] == 106
    for part in (innermost, inner, other):
        found = next(iter(part.overloads.values()))
        assert found.library.get_pointer_to_function(found.fndesc.llvm_func_name) == 0  # kept as it was lowered


def test_nothing_of_an_entry_is_called_from_outside_but_itself():
    def alone(table):
        return inner(table, 3)

    found = next(iter(compiled(alone).overloads.values()))
    open_to_all = [
        f.name for f in found.library._final_module.functions if not f.is_declaration and f.linkage != Linkage.internal
    ]
    assert open_to_all and all("alone" in name for name in open_to_all)


def test_what_is_kept_of_an_entry_is_its_machine_code():
    """And the names of what can be called; nothing that would have to be read again at every start."""
    library = next(iter(compiled(outer).overloads.values())).library
    library.enable_object_caching()
    library._set_compiled_object(b"machine code")
    _, kind, (code, named) = library.serialize_using_object_code()
    functions = [f.name for f in parse_bitcode(named).functions]
    assert kind == "object" and code == b"machine code" and len(named) < 4000
    assert functions and all("outer" in name for name in functions)


def test_objects_of_numba_that_nobody_asks_for_are_not_kept():
    library = next(iter(compiled(outer).overloads.values())).library
    kept = [v.name for v in library._final_module.global_variables if v.name.startswith(ENVIRONMENT_PREFIX)]
    assert not [name for name in kept if "outer" not in name]


def at_any(table, place):
    return table.spot[place]


inside = as_ours(at_any)


def through(table, place):
    return inside(table, place)


def test_what_checked_code_asks_of_hardmodes_own_is_checked_all_the_way_down():
    """And what is called from elsewhere, with the same arguments, is as fast as ever."""
    ours = as_ours(through)

    def ask(table, place):
        return ours(table, place)

    sign, tables = types.int64(TABLE, types.int64), np.zeros(1, AT)
    tables["place"], tables["spot"] = 77, [10, 11, 12, 13]
    checked, unchecked = compile_cached(ask, sign, boundscheck=True), compile_cached(ask, sign)
    assert [checked(tables[0], place) for place in (0, 3)] == [10, 13]
    for beyond in (-1, 4, 10**7):
        with pytest.raises(IndexError):
            checked(tables[0], beyond)
    assert unchecked(tables[0], -1) == 77
