"""Results: saved and loaded whole, added when they may be, refused with the reason when not."""

import copy
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import pig_engine

from hardmode.sim import contract
from hardmode.sim.contract import Measure
from hardmode.sim.outputs import OutputError
from hardmode.sim.results import Result, ResultError, _seal, load, merged, rules_digests, save, versions
from hardmode.sim.run import Played, Runner
from hardmode.sim.tally import Tally


def code_of(engine):
    return rules_digests(engine.game, engine.players)


def result(*ranges, engine=None, seed=1, box="b0x", **changes):
    engine = engine or pig_engine()
    done = Played(Tally(engine.game))
    for lo, hi in ranges:
        Runner(engine, seed, threads=1).run(done, hi - lo, first=lo)
    who = [{"name": p.name, "weights": list(p.weights)} for p in engine.players]
    made = Result(engine.game, "pig/classic", "Pig", {}, {}, who, seed, {**code_of(engine), "box": box},
                  {"assumed": 0, "total": 3}, done.tally, done.ranges, 0.5)
    return replace(made, **changes)


def content(a):
    return {k: v for k, v in a.to_dict().items() if k not in ("seconds", "seal")}


@pytest.fixture(scope="module")
def left():
    return result((0, 300))


@pytest.fixture(scope="module")
def right():
    return result((300, 500))


def test_what_is_saved_is_what_is_loaded(left, right, tmp_path):
    save(tmp_path / "a.json", [left, right])
    again = load(tmp_path / "a.json")
    assert [r.to_dict() for r in again] == [left.to_dict(), right.to_dict()]
    assert again[0].outcome_digest == left.outcome_digest and again[0].games == 300
    assert again[0].made_by == versions() and again[0].made_by["scheme"] == "splitmix-addressed-1"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"], "nothing is left beside it"


def test_an_empty_result_can_be_kept(tmp_path):
    save(tmp_path / "a.json", [result()])
    assert load(tmp_path / "a.json")[0].games == 0


def test_shards_add_up_to_the_whole_in_any_order(left, right):
    whole = content(result((0, 500)))
    assert content(merged(left, right)) == content(merged(right, left)) == whole
    three = [result((a, b)) for a, b in ((0, 100), (400, 500), (100, 400))]
    assert content(merged(merged(*three[:2]), three[2])) == whole


def test_games_far_apart_may_be_added(left):
    assert merged(left, result((10**12, 10**12 + 5))).ranges == [(0, 300), (10**12, 10**12 + 5)]


def test_a_tally_without_curves_keeps_its_games_alive():
    """A game that follows no measure over the rounds still counts who is alive."""
    game = replace(contract.game("pig"), measures=(Measure("rolls"),))
    parts = [Tally(game), Tally(game)]
    for part in parts:
        part.alive += 1
    assert (parts[0].merged(parts[1]).alive == 2).all()


REFUSED = {
    "seeds differ: 1 and 2": dict(seed=2),
    "box digests differ: b0x and other": dict(box="other"),
    "strategies differ": dict(strategies=[{"name": "bold", "weights": []}]),
    "changed numbers differ: {} and {'target': 50}": dict(changed={"target": 50}),
    "draw schemes differ: splitmix-addressed-1 and other": dict(made_by={**versions(), "scheme": "other"}),
    "kernel digests differ": dict(digests={**code_of(pig_engine()), "box": "b0x", "kernel": "older"}),
    "rules digests differ": dict(digests={**code_of(pig_engine()), "box": "b0x", "rules": "0-older"}),
    "strategies digests differ": dict(digests={**code_of(pig_engine()), "box": "b0x", "strategies": "x"}),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_was_not_played_alike_is_not_added(left, why):
    with pytest.raises(ResultError, match="cannot be added") as refused:
        merged(left, result((300, 310), **REFUSED[why]))
    assert why in str(refused.value)


def test_other_games_are_not_added(left):
    other = copy.copy(left)
    other.game = replace(left.game, name="hog")
    with pytest.raises(ResultError, match="their games differ: pig and hog"):
        merged(left, other)


@pytest.mark.parametrize("ranges", [[(0, 300)], [(299, 310)], [(500, 510), (100, 101)]])
def test_no_game_is_counted_twice(left, ranges):
    with pytest.raises(ResultError, match="the same games are in both"):
        merged(left, result(*ranges))


# -- files that are not what was saved -----------------------------------------------------------------------------


def places(data, at=()):
    """The way to every number and text of a JSON value."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*at, key))
    else:
        yield at


def edited(data, at, value):
    data = copy.deepcopy(data)
    *above, last = at
    inner = data
    for key in above:
        inner = inner[key]
    inner[last] = value
    return data


@pytest.fixture(scope="module")
def saved(left, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "a.json"
    save(path, [left])
    return path, json.loads(path.read_text())


@pytest.mark.parametrize("at", [("tally", "counts", "winners", 0, 2), ("tally", "games"), ("tally", "digest"),
                                ("outcome_digest",), ("ranges", 0, 1), ("tally", "alive", 0, 1), ("seed",),
                                ("digests", "box"), ("made_by", "scheme"), ("tally", "curves", 0, 1, 0)])
def test_an_edited_file_is_refused(saved, at, tmp_path):
    path = tmp_path / "a.json"
    inner = saved[1]["cells"][0]
    for key in at:
        inner = inner[key]
    other = inner + 1 if isinstance(inner, int) else "0" * len(inner)
    path.write_text(json.dumps(edited(saved[1], ("cells", 0, *at), other)))
    with pytest.raises(ResultError, match="edited or damaged"):
        load(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_whatever_is_changed_in_a_file_is_refused_without_a_traceback(saved, tmp_path, data):
    at = data.draw(st.sampled_from(list(places(saved[1]))))
    value = data.draw(st.sampled_from([None, -1, 10**30, "x", [], {}, 1.5, True]))
    path = tmp_path / "a.json"
    path.write_text(json.dumps(edited(saved[1], at, value)))
    with pytest.raises(ResultError, match=r"a\.json: "):
        load(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.data())
def test_a_forged_file_is_taken_or_refused_without_a_traceback(saved, tmp_path, data):
    """Whoever seals a changed file anew may put anything into it; that costs a line at most."""
    at = data.draw(st.sampled_from([p for p in places(saved[1]["cells"][0]) if p != ("seal",)]))
    up = data.draw(st.integers(1, len(at)))
    value = data.draw(st.sampled_from([None, -1, 10**30, 1e308, "x", [], {}, True, [[[]]], {"a": [1]}]))
    cell = edited(saved[1]["cells"][0], at[:up], value)
    cell["seal"] = _seal({k: v for k, v in cell.items() if k != "seal"})
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**saved[1], "cells": [cell]}))
    try:
        load(path)
    except ResultError as why:
        assert str(why).startswith(f"{path}: ")


@pytest.mark.parametrize("text", ["[" * 50_000, '{"hardmode": "result", "schema": 1, "cells": ' + "[" * 50_000,
                                  '{"a": ' + "9" * 5000 + "}"])
def test_numbers_and_nesting_beyond_sense_cost_a_line(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ResultError, match=r"a\.json: not a result file"):
        load(tmp_path / "a.json")


def test_a_deep_cell_costs_a_line(saved, tmp_path):
    deep = "[" * 900 + "]" * 900
    text = json.dumps(edited(saved[1], ("cells", 0, "label"), {"x": "DEEP"})).replace('"DEEP"', deep)
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ResultError, match=r"a\.json: "):
        load(tmp_path / "a.json")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.integers(0, 10**6))
def test_a_file_that_was_cut_off_is_refused(saved, tmp_path, at):
    text = saved[0].read_bytes()
    path = tmp_path / "a.json"
    path.write_bytes(text[: at % len(text)])
    with pytest.raises(ResultError, match="not a result file"):
        load(path)


@pytest.mark.parametrize("text, why", [
    ("", "not a result file"), ("not JSON", "not a result file"), ("[1, 2]", "not a result file of hardmode"),
    ("{}", "not a result file of hardmode"), ('{"hardmode": "result", "schema": 99, "cells": []}', "schema 99"),
    ('{"hardmode": "result", "schema": 1}', "damaged"), ('{"hardmode": "result", "schema": 1, "cells": 5}', "damaged"),
    ('{"hardmode": "result", "schema": 1, "cells": [5]}', "damaged"),
    ('{"hardmode": "result", "schema": 1, "cells": [{"game": "pig"}]}', "damaged"),
])
def test_what_is_no_result_is_refused(tmp_path, text, why):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(ResultError, match=why):
        load(path)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(ResultError, match="no such file"):
        load(tmp_path / "none.json")
    with pytest.raises(ResultError, match="not a result file"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    for endless in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(ResultError, match="is no ordinary file"):
            load(endless)
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ResultError, match="not a result file"):
        load(tmp_path / "a.json")


def test_a_game_that_is_not_installed_is_named(left, tmp_path):
    other = copy.copy(left)
    other.game = replace(left.game, name="hog")
    save(tmp_path / "a.json", [other])
    with pytest.raises(ResultError, match=r"a\.json: there is no game 'hog'"):
        load(tmp_path / "a.json")


def test_a_result_that_cannot_be_written_leaves_the_old_one(left, tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        save(tmp_path / "none" / "a.json", [left])
    (tmp_path / "b.json").mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        save(tmp_path / "b.json", [left])
    assert [p.name for p in tmp_path.iterdir()] == ["b.json"]
