"""Counts are left out only where nothing is lost by it: no array is leaked, none is freed too early."""

import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python, rtsys
from playing import answer

from hardmode.sim.compile.dispatchers import make_entry_dispatcher
from hardmode.sim.compile.features import Features, choose_features
from hardmode.sim.contract import discovery, load_game
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


ALL = {
    reads: 3.0,
    slices_here: 3.0,
    asks_for_a_slice: 2.0,
    asks_for_a_new_one: 2.0,
    asks_for_a_pair: 2.0,
    asks_for_a_list: 1.0,
    makes: 1.0,
    makes_by_sum: 2.0,
    copies: 1.0,
    makes_and_hands_on: 1.0,
    keeps_the_slice_of_a_new_one: 6.0,
}


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
    made = make_entry_dispatcher(function, False)
    made.compile(types.float64(types.float64[::1]))
    return made


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_nothing_is_leaked_and_nothing_freed_too_early(function, counted):
    made = compiled(function)
    assert {made(W) for _ in range(CALLS)} == {ALL[function]}
    made_of, freed, held, let_go = counted()
    assert made_of == freed and held == let_go


@pytest.mark.parametrize(
    ("function", "counts"),
    [
        (reads, False),
        (slices_here, False),
        (asks_for_a_slice, True),
        (asks_for_a_new_one, True),
        (makes, True),
        (makes_by_sum, True),
        (asks_for_a_list, True),
    ],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_counts_are_there_only_where_they_are_needed(function, counts):
    made = compiled(function)
    text = next(iter(made.inspect_asm().values()))
    assert ("NRT_incref" in text or "NRT_decref" in text or "NRT_MemInfo" in text) == counts


def test_what_is_wrong_is_refused_once_and_for_its_own_reason():
    def wrong(w):
        return w.no_such_thing

    with pytest.raises(Exception, match="no_such_thing"):
        compiled(wrong)


# -- without some part, and with another numba ------------------------------------------------------

WITHOUT = """
import json
from hardmode.sim.messages import show_messages
messages = []
with show_messages(messages.append):
    import hardmode
    results = hardmode.play({scenario!r}, games=20, threads=1)
print(json.dumps([messages, results[0].tally.digest]))
"""


@pytest.mark.soak
def test_games_are_the_same_without_all_parts(tmp_path):
    with_all = play_without("", "pig/classic", tmp_path / "a")
    assert play_without("all", "pig/classic", tmp_path / "b")[1] == with_all[1]


@pytest.mark.soak
@pytest.mark.parametrize("part", [*Features._fields, "all"])
@pytest.mark.parametrize("game", discovery.list_games())
def test_games_are_the_same_without_a_part(game, part, tmp_path):
    scenario = f"{game}/{load_game(game).standard}"
    with_all = play_without("", scenario, tmp_path / "a")
    assert play_without(part, scenario, tmp_path / "b")[1] == with_all[1]


def play_without(part, scenario, cache):
    return answer(WITHOUT.format(scenario=scenario), HARDMODE_CACHE=str(cache), HARDMODE_NUMBA_WITHOUT=part)


def test_an_untested_numba_is_used_by_its_documented_functions_alone():
    assert choose_features("0.68.1") == Features()
    assert choose_features("0.68.1", "linking,cached") == Features(linking=False, cached=False)
    assert not any(choose_features("0.69.0")) and not any(choose_features("0.68.1", "all"))


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


def test_an_entry_is_passed_to_another_one():
    array = types.float64[::1]
    inside, outside = compiled(reads), make_entry_dispatcher(hands_on, False)
    outside.compile(types.float64(array, types.FunctionType(types.float64(array))))
    for one in (inside, outside):
        one.disable_compile()
    for n in (3.0, 4.0, 5.0):
        assert inside(np.array([n, 1.0])) == n + 1 and outside(np.array([n, 2.0]), inside) == n + 2
    with pytest.raises(TypeError):
        inside(None)
