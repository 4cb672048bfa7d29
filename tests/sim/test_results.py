"""Results: saved and loaded whole, added when they may be, refused with the reason when not."""

import copy
import gzip
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from playing import pig_engine

from hardmode.sim import contract
from hardmode.sim.contract import Measure
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.result import (
    Result,
    ResultError,
    collect_versions,
    combine_results,
    compute_code_digests,
    compute_result_checksum,
)
from hardmode.sim.results.result_file import HEADER, AppendableResultFile, encode_lines, load_results, save_results
from hardmode.sim.results.tally import DamagedTallyError, Tally, TallyTables


def code_of(engine):
    return compute_code_digests(engine.game, engine.players)


def result(*ranges, engine=None, seed=1, box="b0x", **changes):
    engine = engine or pig_engine()
    done = RunState(Tally(engine.game))
    for lo, hi in ranges:
        Runner(engine, seed, threads=1).run(done, hi - lo, first=lo)
    who = [{"name": p.name, "weights": list(p.weights)} for p in engine.players]
    made = Result(
        engine.game,
        "pig/classic",
        "Pig",
        {},
        {},
        who,
        seed,
        {**code_of(engine), "box": box},
        {"assumed": 0, "total": 3},
        done.tally,
        done.ranges,
        0.5,
    )
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
    save_results(tmp_path / "a.json", [left, right])
    again = load_results(tmp_path / "a.json")
    assert [r.to_dict() for r in again] == [left.to_dict(), right.to_dict()]
    assert again[0].outcome_digest == left.outcome_digest and again[0].games == 300
    assert again[0].made_by == collect_versions() and again[0].made_by["scheme"] == "splitmix-addressed-1"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"], "nothing is left beside it"


def test_an_empty_result_can_be_kept(tmp_path):
    save_results(tmp_path / "a.json", [result()])
    assert load_results(tmp_path / "a.json")[0].games == 0


def test_shards_add_up_to_the_whole_in_any_order(left, right):
    whole = content(result((0, 500)))
    assert content(combine_results(left, right)) == content(combine_results(right, left)) == whole
    three = [result((a, b)) for a, b in ((0, 100), (400, 500), (100, 400))]
    assert content(combine_results(combine_results(*three[:2]), three[2])) == whole


def test_games_far_apart_may_be_added(left):
    assert combine_results(left, result((10**12, 10**12 + 5))).ranges == [(0, 300), (10**12, 10**12 + 5)]


def test_a_tally_without_curves_keeps_its_games_alive():
    """A game that follows no measure over the rounds still counts who is alive."""
    game = replace(contract.load_game("pig"), measures=(Measure("rolls"),))
    parts = [Tally(game), Tally(game)]
    for part in parts:
        part.alive[:] += 1
    assert (parts[0].merge_with(parts[1]).alive == 2).all()


REFUSED = {
    "seeds differ: 1 and 2": dict(seed=2),
    "box digests differ: b0x and other": dict(box="other"),
    "strategies differ": dict(strategies=[{"name": "bold", "weights": []}]),
    "changed numbers differ: {} and {'target': 50}": dict(changed={"target": 50}),
    "draw schemes differ: splitmix-addressed-1 and other": dict(made_by={**collect_versions(), "scheme": "other"}),
    "kernel digests differ": dict(digests={**code_of(pig_engine()), "box": "b0x", "kernel": "older"}),
    "rules digests differ": dict(digests={**code_of(pig_engine()), "box": "b0x", "rules": "0-older"}),
    "strategies digests differ": dict(digests={**code_of(pig_engine()), "box": "b0x", "strategies": "x"}),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_was_not_played_alike_is_not_added(left, why):
    with pytest.raises(ResultError, match="cannot be added") as refused:
        combine_results(left, result((300, 310), **REFUSED[why]))
    assert why in str(refused.value)


def test_other_games_are_not_added(left):
    other = copy.copy(left)
    other.game = replace(left.game, name="hog")
    with pytest.raises(ResultError, match="their games differ: pig and hog"):
        combine_results(left, other)


@pytest.mark.parametrize("ranges", [[(0, 300)], [(299, 310)], [(500, 510), (100, 101)]])
def test_no_game_is_counted_twice(left, ranges):
    with pytest.raises(ResultError, match="the same games are in both"):
        combine_results(left, result(*ranges))


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
    save_results(path, [left])
    return path, [json.loads(line) for line in gzip.open(path)]


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize(
    "at",
    [
        ("tally", "packed"),
        ("tally", "games"),
        ("tally", "digest"),
        ("outcome_digest",),
        ("ranges", 0, 1),
        ("seed",),
        ("digests", "box"),
        ("made_by", "scheme"),
        ("cell",),
    ],
)
def test_an_edited_file_is_refused(saved, at, tmp_path):
    path = tmp_path / "a.json"
    inner = saved[1][1]
    for key in at:
        inner = inner[key]
    other = inner + 1 if isinstance(inner, int) else "0" * len(inner)
    write(path, edited(saved[1], (1, *at), other))
    with pytest.raises(ResultError, match="edited or damaged"):
        load_results(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_whatever_is_changed_in_a_file_is_refused_without_a_traceback(saved, tmp_path, data):
    at = data.draw(st.sampled_from(list(places(saved[1]))))
    value = data.draw(st.sampled_from([None, -1, 10**30, "x", [], {}, 1.5, True]))
    path, other = tmp_path / "a.json", edited(saved[1], at, value)
    assume(other != saved[1])
    write(path, other)
    with pytest.raises(ResultError, match=r"a\.json: "):
        load_results(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.data())
def test_a_forged_file_is_taken_or_refused_without_a_traceback(saved, tmp_path, data):
    """Whoever seals a changed file anew may put anything into it; that costs a line at most."""
    at = data.draw(st.sampled_from([p for p in places(saved[1][1]) if p != ("seal",)]))
    up = data.draw(st.integers(1, len(at)))
    value = data.draw(st.sampled_from([None, -1, 10**30, 1e308, "x", [], {}, True, [[[]]], {"a": [1]}]))
    cell = edited(saved[1][1], at[:up], value)
    cell["seal"] = compute_result_checksum({k: v for k, v in cell.items() if k != "seal"})
    path = tmp_path / "a.json"
    write(path, [saved[1][0], cell])
    try:
        for one in load_results(path):
            one.tally.count_wins()
    except ResultError as why:
        assert str(why).startswith(f"{path}: ")
    except DamagedTallyError as why:
        assert str(why).startswith("a tally is damaged: ")


@pytest.mark.parametrize(
    "text", ["[" * 50_000, '{"hardmode": "result", "schema": 1, "cells": ' + "[" * 50_000, '{"a": ' + "9" * 5000 + "}"]
)
def test_numbers_and_nesting_beyond_sense_cost_a_line(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ResultError, match=r"a\.json: not a result file"):
        load_results(tmp_path / "a.json")


def test_a_deep_cell_costs_a_line(saved, tmp_path):
    deep = "[" * 900 + "]" * 900
    text = json.dumps(edited(saved[1], (1, "label"), {"x": "DEEP"})[1]).replace('"DEEP"', deep)
    (tmp_path / "a.json").write_bytes(HEADER + text.encode() + b"\n")
    with pytest.raises(ResultError, match=r"a\.json: "):
        load_results(tmp_path / "a.json")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.integers(0, 10**6))
@example(len(HEADER))
@pytest.mark.parametrize("opened", [bytes, gzip.decompress], ids=["packed", "plain"])
def test_a_file_that_was_cut_off_is_refused(saved, tmp_path, opened, at):
    text = opened(saved[0].read_bytes())
    path, at = tmp_path / "a.json", at % len(text)
    path.write_bytes(text[:at])
    if opened is gzip.decompress and at == len(HEADER):
        assert load_results(path) == [], "the line of the cell was not begun"
    else:
        with pytest.raises(ResultError, match=r"not a result file|this result file is incomplete"):
            load_results(path)


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "not a result file"),
        ("not JSON", "not a result file"),
        ("[1, 2]", "not a result file of hardmode"),
        ("{}", "not a result file of hardmode"),
        ('{"hardmode": "result", "schema": 99, "cells": []}', "schema 99"),
        ('{"hardmode": "result", "schema": 1}', "damaged"),
        ('{"hardmode": "result", "schema": 1, "cells": 5}', "damaged"),
        ('{"hardmode": "result", "schema": 1, "cells": [5]}', "damaged"),
        ('{"hardmode": "result", "schema": 1, "cells": [{"game": "pig"}]}', "damaged"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path, text, why):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(ResultError, match=why):
        load_results(path)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(ResultError, match="no such file"):
        load_results(tmp_path / "none.json")
    with pytest.raises(ResultError, match="not a result file"):
        load_results(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    for endless in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(ResultError, match="is not an ordinary file"):
            load_results(endless)
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ResultError, match="not a result file"):
        load_results(tmp_path / "a.json")


def test_a_game_that_is_not_installed_is_named(left, tmp_path):
    other = copy.copy(left)
    other.game = replace(left.game, name="hog")
    save_results(tmp_path / "a.json", [other])
    with pytest.raises(ResultError, match=r"a\.json: there is no game 'hog'"):
        load_results(tmp_path / "a.json")


def test_a_result_that_cannot_be_written_leaves_the_old_one(left, tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        save_results(tmp_path / "none" / "a.json", [left])
    (tmp_path / "b.json").mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        save_results(tmp_path / "b.json", [left])
    assert [p.name for p in tmp_path.iterdir()] == ["b.json"]


# -- files that grow -----------------------------------------------------------------------------------------------


def old(results):
    """A result file as schema 1 had it."""
    cells = []
    for r in results:
        tally, cell = r.tally, {k: v for k, v in r.to_dict().items() if k != "seal"}
        counts = {}
        for column, *row in tally.counts_frame.iter_rows():
            counts.setdefault(column, []).append(row)
        del cell["tally"]["packed"]
        cell["tally"] |= {
            "counts": counts,
            "groups": [list(g) for g in tally.groups_frame.iter_rows()],
            "curves": tally.curves.tolist(),
            "alive": tally.alive.tolist(),
        }
        cells.append({**cell, "seal": compute_result_checksum(cell)})
    return json.dumps({"hardmode": "result", "schema": 1, "cells": cells})


@pytest.mark.parametrize(
    "earlier", [old, lambda results: encode_lines(results).decode()], ids=["schema 1", "plain lines"]
)
def test_files_of_earlier_versions_are_read_and_gone_on_from(left, right, tmp_path, earlier):
    path = tmp_path / "a.json"
    path.write_text(earlier([left, right]))
    assert [content(r) for r in load_results(path)] == [content(left), content(right)]
    file = AppendableResultFile(path)
    longer = combine_results(right, result((900, 950)))
    file.update_cell([left, longer], 1)
    file.flush()
    assert gzip.decompress(path.read_bytes()).startswith(HEADER)
    assert [content(r) for r in load_results(path)] == [content(left), content(longer)]
    assert [content(r) for r in AppendableResultFile(path).results] == [content(left), content(longer)]


def test_plain_lines_that_were_cut_off_are_gone_on_from(left, right, tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(encode_lines([left, right])[:-100])
    with pytest.raises(ResultError, match="ends in the middle of what was added last"):
        load_results(path)
    file = AppendableResultFile(path)
    file.update_cell([left, right], 1)
    file.flush()
    assert [content(r) for r in load_results(path)] == [content(left), content(right)]


def test_what_is_added_leaves_what_is_there(left, right, tmp_path):
    path = tmp_path / "a.json"
    file = AppendableResultFile(path)
    file.update_cell([left], 0)
    file.flush()
    before = path.read_bytes()
    file.update_cell([left], 0)
    file.flush()
    assert path.read_bytes() == before, "nothing has changed"
    file.update_cell([left, right], 1)
    file.flush()
    assert path.read_bytes().startswith(before) and [r.games for r in load_results(path)] == [300, 200]
    again = AppendableResultFile(path)
    assert [content(r) for r in again.results] == [content(left), content(right)]
    again.update_cell([left, combine_results(right, result((900, 950)))], 1)
    again.flush()
    assert path.read_bytes().startswith(before) and [r.games for r in load_results(path)] == [300, 250]


def test_the_last_line_of_a_cell_holds_and_the_others_go_in_time(left, tmp_path):
    path, now = tmp_path / "a.json", result((0, 10))
    file = AppendableResultFile(path)
    sizes = []
    for n in range(1, 2500):
        now = replace(now, tally=copy.copy(now.tally), seconds=n)
        now.tally.games = n
        file.update_cell([now], 0)
        file.flush()
        sizes.append(path.stat().st_size)
    assert len(load_results(path)) == 1 and load_results(path)[0].games == 2499
    assert max(sizes) < 1.2e6 and sizes[-1] < sum(b > a for a, b in pairwise(sizes)) * sizes[0]


def test_wherever_a_file_is_cut_off_what_was_added_before_is_there(left, right, tmp_path):
    path, whole, ends = tmp_path / "a.json", [left, right, left, right], []
    file = AppendableResultFile(path)
    for at in range(4):
        file.update_cell(whole, at)
        file.flush()
        ends.append(path.stat().st_size)
    all_of_it = path.read_bytes()
    for cut in [*range(ends[0], ends[-1], 97), *(end + near for end in ends[:-1] for near in (-1, 0, 1))][:-3]:
        n = sum(end <= cut for end in ends)
        path.write_bytes(all_of_it[:cut])
        if cut not in ends:
            with pytest.raises(ResultError, match="this result file is incomplete"):
                load_results(path)
        if n:
            file = AppendableResultFile(path)
            assert [content(r) for r in file.results] == [content(r) for r in whole[:n]], cut
            for at in range(n, 4):
                file.update_cell(whole, at)
                file.flush()
            assert path.read_bytes() == all_of_it


def test_a_file_of_which_not_even_the_first_part_ends_is_begun_anew(left, tmp_path):
    save_results(tmp_path / "a.json", [left])
    whole = (tmp_path / "a.json").read_bytes()
    (tmp_path / "a.json").write_bytes(whole[:-40])
    file = AppendableResultFile(tmp_path / "a.json")
    file.update_cell([left], 0)
    file.flush()
    assert (tmp_path / "a.json").read_bytes() == whole


KILLED = """
    import sys
    from pathlib import Path
    from hardmode.sim.results.result_file import AppendableResultFile, load_results
    one, = load_results(Path(sys.argv[1]))
    file = AppendableResultFile(Path(sys.argv[2]))
    cells = len(file.results)
    all_cells = [one] * (cells + 10**6)
    print(cells, flush=True)
    for at in range(cells, len(all_cells)):
        file.update_cell(all_cells, at)
        file.flush()
"""


@pytest.mark.soak
def test_a_kill_at_any_moment_costs_at_most_what_was_added_last(left, tmp_path):
    """Sixty processes add to one file, each killed while it does; every one goes on from what the last one left."""
    save_results(tmp_path / "one.json", [left])
    path, cells, torn = tmp_path / "a.json", 0, 0
    for i in range(60):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(KILLED), tmp_path / "one.json", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert int(process.stdout.readline()) >= cells
        time.sleep(0.05 + 0.0037 * i)
        process.send_signal(signal.SIGKILL)
        assert not process.communicate()[1]
        try:
            found = load_results(path)
        except ResultError as why:
            assert "this result file is incomplete" in str(why)
            torn, found = torn + 1, AppendableResultFile(path).results
        assert len(found) >= cells and {r.outcome_digest for r in found} == {left.outcome_digest}
        cells = len(found)
        if cells > 3000:
            path.unlink()
            cells = 0
    assert torn < 60


def test_cells_that_were_passed_over_are_there_without_games(left, right, tmp_path):
    """Somebody plays them still, who alone knows how far they are."""
    file = AppendableResultFile(tmp_path / "a.json")
    file.update_cell([left, right, right], 2)
    file.flush()
    found = load_results(tmp_path / "a.json")
    assert [r.games for r in found] == [0, 0, 200] and found[0].ranges == []
    file.update_cell([left, right, right], 0)
    file.flush()
    assert [r.games for r in load_results(tmp_path / "a.json")] == [300, 0, 200]


def test_a_disk_that_is_full_leaves_the_lines_that_were_there(left, right, tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    file = AppendableResultFile(path)
    file.update_cell([left], 0)
    file.flush()
    before = path.read_bytes()
    opened = Path.open

    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *why):
            self.file.close()

        def tell(self):
            return self.file.tell()

        def write(self, content):
            self.file.write(content[:50])
            self.file.flush()
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        Path,
        "open",
        lambda self, mode="r", **how: Full(opened(self, mode)) if mode == "ab" else opened(self, mode, **how),
    )
    file.update_cell([left, right], 1)
    with pytest.raises(OutputError, match="No space left"):
        file.flush()
    assert path.read_bytes() == before


def test_tables_are_decoded_when_they_are_asked_for(left, tmp_path, monkeypatch):
    """So that a file of ten thousand cells is read in a second."""
    path, decode, decoded = tmp_path / "a.json", TallyTables.decode, []
    save_results(path, [left] * 3)
    monkeypatch.setattr(TallyTables, "decode", lambda *how: decoded.append(1) or decode(*how))
    found = load_results(path)
    save_results(path, found)
    assert [r.games for r in found] == [300] * 3 and not decoded
    assert [r.tally.count_wins() for r in found[:2]] == [left.tally.count_wins()] * 2
    assert found[0].tally.curves.any() and len(decoded) == 2
