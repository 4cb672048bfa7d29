"""Counts are left out only where nothing is lost by it: no array is leaked, none is freed too early."""

import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python, rtsys
from playing import answer, pig_engine, play

from hardmode.sim.compile import numba_compat
from hardmode.sim.records import PLAIN, rule

pytestmark = pytest.mark.skipif(PLAIN, reason="there is no compiler")
CALLS = 1000
W = np.arange(1.0, 101.0)


@rule
def first(w):
    return w[0]


@rule
def tail(w):
    return w[1:]


@rule
def doubled(w):
    return w * 2.0


@rule
def doubled_and_more(w):
    return doubled(w), 1


@rule
def listed(w):
    return [x for x in w]


@rule
def written(w, out):
    out[:] = w
    return out[0]


def reads(w):
    return first(w) + w[1]


def slices_here(w):
    return w[2:][0]


def asks_for_a_slice(w):
    return tail(w)[0]


def asks_for_a_new_one(w):
    return doubled(w)[0]


def asks_for_a_pair(w):
    return doubled_and_more(w)[0][0]


def asks_for_a_list(w):
    return listed(w)[0]


def makes(w):
    return np.zeros(3)[0] + first(w)


def makes_by_sum(w):
    return (w + w)[0]


def copies(w):
    return w.copy()[0]


def makes_and_hands_on(w):
    return written(w[:3], np.ones(3))


def keeps_the_slice_of_a_new_one(w):
    a = tail(w * 3.0)
    b = w * 5.0  # would take its place were it freed
    return a[0] + 0 * b[0]


ALL = {reads: 3.0, slices_here: 3.0, asks_for_a_slice: 2.0, asks_for_a_new_one: 2.0, asks_for_a_pair: 2.0,
       asks_for_a_list: 1.0, makes: 1.0, makes_by_sum: 2.0, copies: 1.0, makes_and_hands_on: 1.0,
       keeps_the_slice_of_a_new_one: 6.0}


@pytest.fixture
def counted():
    """How many arrays were made and given back since."""
    compiled(reads)  # so that the runtime is there
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()

    def since():
        now = rtsys.get_allocation_stats()
        return [getattr(now, what) - getattr(before, what) for what in ("alloc", "free", "mi_alloc", "mi_free")]

    yield since
    _nrt_python.memsys_disable_stats()


def compiled(function):
    made = numba_compat.make_dispatcher(function)
    made.compile(types.float64(types.float64[::1]))
    return made


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_nothing_is_leaked_and_nothing_freed_too_early(function, counted):
    made = compiled(function)
    assert {made(W) for _ in range(CALLS)} == {ALL[function]}
    made_of, freed, held, let_go = counted()
    assert made_of == freed and held == let_go


@pytest.mark.parametrize(("function", "counts"), [
    (reads, False), (slices_here, False), (asks_for_a_slice, True), (asks_for_a_new_one, True), (makes, True),
    (makes_by_sum, True), (asks_for_a_list, True)], ids=lambda x: getattr(x, "__name__", x))
def test_counts_are_there_only_where_they_are_needed(function, counts):
    made = compiled(function)
    text = next(iter(made.inspect_asm().values()))
    assert ("NRT_incref" in text or "NRT_decref" in text or "NRT_MemInfo" in text) == counts


def test_what_is_wrong_is_refused_once_and_for_its_own_reason():
    def wrong(w):
        return w.no_such_thing

    with pytest.raises(Exception, match="no_such_thing"):
        compiled(wrong)


# -- another numba ----------------------------------------------------------------------------------

PROBE = """
import json
from numba.core.{module} import {of} as there
hidden = there.{name}
del there.{name}
from hardmode.sim.messages import show_messages
said = []
with show_messages(said.append):
    from hardmode.sim.compile import numba_compat
there.{name} = hidden
from playing import pig_engine, play
rows = play(pig_engine("steady"), 50)
print(json.dumps([[text for text in said if "with numba" in text], rows.sum(axis=1).tolist()]))
"""


@pytest.mark.parametrize("module, of, name, without", [
    ("dispatcher", "_FunctionCompiler", "_compile_core", "slower"), ("types", "misc", "unliteral", "longer"),
    ("codegen", "JITCodeLibrary", "get_pointer_to_function", "in each of their callers"),
    ("caching", "_CacheLocator", "get_cache_path", "anew"), ("bytecode", "FunctionIdentity", "_unique_ids", "anew")])
def test_what_a_numba_lacks_is_said_and_done_without(module, of, name, without, tmp_path):
    """numba itself needs these, so each is hidden only while hardmode looks for it."""
    code = PROBE.format(module=module, of=of, name=name)
    said, sums = answer(code, HARDMODE_CACHE=str(tmp_path))
    assert len(said) == 1 and without in said[0]
    assert sums == play(pig_engine("steady"), 50).sum(axis=1).tolist()


def test_this_numba_has_all_that_is_asked_of_it():
    assert numba_compat.list_missing_features() == []


def test_where_slips_are_looked_for_an_index_below_0_is_no_place():
    """Elsewhere it is the last one, and a hero that left the board goes on playing there."""
    code = """
        import json
        import numpy as np
        from numba import types
        from hardmode.sim.compile.cache import compile_cached
        from hardmode.sim.records import rule
        AT = np.dtype([("place", "i8"), ("spot", "i8", (4,))], align=True)
        @rule
        def spot(table):
            return table.spot[table.place]
        def move(table):
            table.spot[table.place] = 1 + spot(table)
            return table.spot[3]
        import numba
        made = compile_cached(move, types.int64(numba.from_dtype(AT)))
        told = []
        for place in (3, -1, 4):
            tables = np.zeros(1, AT)
            tables["place"] = place
            try:
                told.append(int(made(tables[0])))
            except IndexError:
                told.append("refused")
        print(json.dumps(told))
        """
    assert answer(code, HARDMODE_CHECK_INDICES="1") == [1, "refused", "refused"]
    assert answer(code, HARDMODE_CHECK_INDICES="0", NUMBA_BOUNDSCHECK="1") == [1, 1, "refused"]


def hands_on(w, f):
    return f(w)


def test_an_entry_that_was_called_so_before_is_called_without_a_look_at_its_arguments():
    """And what it was not made for is refused, however often it was called with something else."""
    array = types.float64[::1]
    inside, outside = compiled(reads), numba_compat.make_dispatcher(hands_on)
    outside.compile(types.float64(array, types.FunctionType(types.float64(array))))
    for one in (inside, outside):
        numba_compat.freeze_dispatcher(one)
    for n in (3.0, 4.0, 5.0):
        assert inside(np.array([n, 1.0])) == n + 1 and outside(np.array([n, 2.0]), inside) == n + 2
    assert len(inside._calls) == 1 and len(outside._calls) == 1
    for wrong in (W.astype(np.float32), W.astype(np.int64), W[::2], W.reshape(1, -1), 3.0, None):
        with pytest.raises(TypeError):
            inside(wrong)
        with pytest.raises(TypeError):
            outside(wrong, inside)
    with pytest.raises(TypeError):
        outside(W, None)
