"""The library of scenes is worked out once, and anew when anything that makes it is another."""

import pytest
from playing import answer

from hardmode.scenarios.load import create_variant
from hardmode.sim.compile.array_cache import PythonFingerprint
from hardmode.sim.contract import Values
from hardmode.sim.games.trapwords import traps
from hardmode.sim.games.trapwords.box import minds_of, tastes_of


def test_a_later_start_makes_no_library_and_wakes_no_scipy(tmp_path):
    start = """
        import json, sys, zlib
        from hardmode.scenarios.load import load_scenario
        box = load_scenario("trapwords/standard").cells[0].box
        print(json.dumps([zlib.crc32(box.tobytes()), "scipy.special" in sys.modules]))
    """
    first, later = (answer(start, HARDMODE_CACHE=str(tmp_path)) for _ in range(2))
    assert first[1] and later == [first[0], False]


def mark():
    values, reach = Values(create_variant("trapwords", rules={"switches.turns": "odds"}).values), PythonFingerprint()
    reach.add_value(traps.library)
    reach.add_value((minds_of(values, 4), tastes_of(values), (5, 6), values["turn.notice"]))
    return reach.hexdigest()


@pytest.mark.parametrize("where, name, other", [
    (traps, "HAZARD_CAP", 0.5), (traps, "MOST_DRAWS", 99), (traps, "Trapper", traps.Luck), (traps, "_mix", max),
    (traps, "classes", max), (traps, "first_mentions", max), (traps.Brainstorm, "rank", max),
    (traps.Taste, "reach", max)])
def test_whatever_makes_the_library_tells_it_from_others(monkeypatch, where, name, other):
    before = mark()
    assert mark() == before
    monkeypatch.setattr(where, name, other)
    assert mark() != before
