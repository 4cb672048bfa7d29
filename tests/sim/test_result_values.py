"""Results on numbers that can be added up by hand: ranges, tables of sums, tallies, result files and rows."""

import base64
import gzip
import json
import os
import zlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from hardmode.sim import contract
from hardmode.sim.files import gzip_members
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.storage import open_storage
from hardmode.sim.play.backends import SharedRowFolder
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.results import group_table, result_file, rows, tally
from hardmode.sim.results.group_table import GroupTable, TableColumns
from hardmode.sim.results.ranges import find_gaps, join_ranges, ranges_overlap
from hardmode.sim.results.result import (
    Result,
    ResultError,
    collect_versions,
    combine_results,
    compute_result_checksum,
    find_incompatibility,
)
from hardmode.sim.results.result_file import HEADER, AppendableResultFile, encode_lines, load_results, parse_results
from hardmode.sim.results.tally import DamagedTallyError, Tally, TallyTables, WorkspaceSums

PIG = contract.load_game("pig")


# Ranges


@pytest.mark.parametrize(
    "ranges, joined",
    [
        ([], []),
        ([(3, 3), (4, 2)], []),
        ([(5, 8), (0, 3), (3, 5)], [(0, 8)]),
        ([(0, 3), (4, 5)], [(0, 3), (4, 5)]),
        ([(0, 9), (2, 4)], [(0, 9)]),
        ([(0, 4), (2, 9), (9, 10), (12, 13)], [(0, 10), (12, 13)]),
    ],
)
def test_ranges_that_touch_are_joined(ranges, joined):
    assert join_ranges(ranges) == joined


@pytest.mark.parametrize(
    "ranges, gaps",
    [
        ([], [(2, 9)]),
        ([(2, 9)], []),
        ([(0, 2), (9, 12)], [(2, 9)]),
        ([(0, 3), (8, 12)], [(3, 8)]),
        ([(4, 6)], [(2, 4), (6, 9)]),
        ([(3, 4), (5, 8)], [(2, 3), (4, 5), (8, 9)]),
        ([(0, 20)], []),
        ([(2, 4)], [(4, 9)]),
        ([(8, 9)], [(2, 8)]),
        ([(0, 1), (0, 2), (4, 5), (9, 11), (12, 13)], [(2, 4), (5, 9)]),
    ],
)
def test_gaps_are_what_no_range_holds(ranges, gaps):
    assert find_gaps(ranges, 2, 9) == gaps
    wanted = [n for n in range(2, 9) if not any(start <= n < stop for start, stop in ranges)]
    assert [n for start, stop in gaps for n in range(start, stop)] == wanted
    assert find_gaps(ranges, 9, 9) == find_gaps(ranges, 9, 2) == []


@pytest.mark.parametrize(
    "first, second, overlap",
    [
        ([(0, 3)], [(3, 5)], False),
        ([(0, 3)], [(2, 5)], True),
        ([(0, 1), (5, 6)], [(1, 5)], False),
        ([], [(0, 1)], False),
        ([(0, 9)], [(4, 5)], True),
    ],
)
def test_ranges_overlap_where_a_number_is_in_both(first, second, overlap):
    assert ranges_overlap(first, second) is overlap is ranges_overlap(second, first)


# Tables of sums


COLUMNS = TableColumns(("who", "value"), frozenset({"who"}), ("games", "wins"))


def table_of(*entries):
    names = (*COLUMNS.keys, *COLUMNS.sums)
    return GroupTable.from_columns(COLUMNS, {name: [entry[i] for entry in entries] for i, name in enumerate(names)})


def test_rows_of_equal_keys_are_added_up_and_sorted():
    found = table_of(("b", 2, 1, 10), ("a", 3, 2, 20), ("b", 2, 4, 40), ("a", -1, 8, 80)).to_columns()
    assert found == {"who": ["a", "a", "b"], "value": [-1, 3, 2], "games": [8, 2, 5], "wins": [80, 20, 50]}


def test_the_rows_of_a_table_are_in_the_order_of_their_keys():
    names = [group_table.intern_name(name) for name in ("k", "l")]
    found = table_of(*((name, value, 1, 1) for value in (7, -2, 5) for name in "lk"))
    assert found.keys.T.tolist() == [[name, value] for name in names for value in (-2, 5, 7)]


def test_a_table_is_read_in_parts():
    found = table_of(("b", 2, 1, 10), ("a", 3, 2, 20), ("c", 2, 4, 40))
    assert found.list_names("who") == ["a", "b", "c"] and found.where_name("who", "b").to_columns()["wins"] == [10]
    assert found.group_by("value").to_columns() == {"value": [2, 3], "games": [5, 2], "wins": [50, 20]}
    assert found.select_rows(found["value"] == 2).to_columns()["who"] == ["b", "c"]
    assert sorted(found["games"].tolist()) == [1, 2, 4]
    assert found.where_name("who", "nobody yet").to_columns()["who"] == []


def test_an_empty_table_adds_nothing():
    empty, some = GroupTable.empty(COLUMNS), table_of(("a", 1, 2, 3))
    assert empty.keys.shape == empty.sums.shape == (2, 0)
    assert some.combine_with(empty) is some and empty.combine_with(some) is some
    assert empty.combine_with(empty).consolidate().to_columns()["games"] == [] == table_of().to_columns()["games"]
    assert some.combine_with(table_of(("a", 1, 5, 5))).to_columns()["games"] == [7]


def test_names_are_numbered_once():
    first = group_table.intern_name("a name of this test")
    assert group_table.intern_name("a name of this test") == first
    assert group_table.intern_names(["a name of this test", "another of it"]).tolist() == [first, first + 1]
    with pytest.raises(TypeError, match="7 is no name"):
        group_table.intern_name(7)


@pytest.mark.parametrize("high, other", [(2**32 - 1, 2**31), (2**40, 2**40), (2**62, 3)])
def test_keys_too_wide_for_one_number_are_grouped_and_sorted_all_the_same(high, other):
    keys = np.array([[high, 0, 0, high, 0], [other, other, 0, 0, other]])
    found = GroupTable(COLUMNS._replace(name_keys=frozenset()), keys, np.ones((2, 5), np.int64)).consolidate()
    assert found.keys.tolist() == [[0, 0, high, high], [0, other, 0, other]] and found.sums[0].tolist() == [1, 2, 1, 1]


@pytest.mark.parametrize("values", [[1.0], [True], ["1"], [[1]], [None]])
def test_only_whole_numbers_are_added_up(values):
    with pytest.raises(TypeError, match="are not whole numbers"):
        group_table._to_integers(values)
    assert group_table._to_integers([]).tolist() == [] and group_table._to_integers([3, -1]).dtype == np.int64


# Tallies


def rows_of(*games):
    """Rows of Pig: ending, rounds, winners as bits, and the scores of two seats; other measures are 0."""
    block = np.zeros((len(PIG.columns), len(games)), np.int32)
    for i, game in enumerate(games):
        block[:5, i] = game
    return block


SCORES = PIG.columns.index("score 1")
GAMES = rows_of((0, 5, 1, 100, 80), (0, 7, 2, 60, 100), (1, 9, 0, 10, 20), (0, 5, 3, 100, 100))


def test_columns_of_pig_begin_as_these_tests_write_them():
    assert PIG.columns[:3] == ("ending", "rounds", "winners") and SCORES == 3


def tally_of(*blocks):
    found = Tally(PIG)
    found.add_rows(*blocks)
    return found


def test_a_tally_counts_endings_values_and_wins():
    found = tally_of(GAMES[:, :1], GAMES[:, 1:1], GAMES[:, 1:])
    assert found.games == 4 and found.count_wins() == 3 and found.count_wins_by_seat()[:2] == [2, 2]
    assert list(found.count_endings().values())[:2] == [3, 1] and set(list(found.count_endings().values())[2:]) <= {0}
    assert found.count_values("rounds") == {5: 2, 7: 1, 9: 1}
    assert found.count_values("rounds", won=True) == {5: 2, 7: 1} and found.count_values("rounds", won=False) == {9: 1}
    assert found.find_winning_endings() == [0]
    assert Tally(PIG).count_wins() == 0 == sum(Tally(PIG).count_endings().values())


def test_the_tables_of_a_tally_are_no_part_of_its_text():
    for found in (tally_of(GAMES), replace(tally_of(GAMES), _encoded_tables="eJx")):
        assert "games=4" in repr(found) and "tables" not in repr(found) and "eJx" not in repr(found)


def test_adding_no_rows_changes_nothing():
    found = Tally(PIG)
    found.add_rows()
    found.add_rows(GAMES[:, :0])
    assert found.games == 0 and found.count_values("rounds") == {}


def sums(digest, totals, value, rounds=None):
    empty = TallyTables.empty(PIG)
    return WorkspaceSums(digest, totals, np.full(empty.curves.shape, value), np.full(empty.alive.shape, value))


def test_sums_of_workspaces_are_added():
    found = Tally(PIG)
    found.add_workspace(sums(2**64 - 1, [1, 2, 3, 99, 99], 1))
    found.add_workspace(sums(5, [10, 20, 30, 99, 99], 2))
    assert (found.digest, found.steps, found.decisions, found.offered) == (4, 11, 22, 33)
    assert (found.alive == 3).all() and (found.curves == 3).all()
    other = Tally(PIG, digest=2**64 - 3, steps=1, decisions=1, offered=1, games=9)
    other.add_workspace(sums(0, [0, 0, 0], 4))
    both = found.merge_with(other)
    assert (both.curves == 7).all() and (both.alive == 7).all() and (found.curves == 3).all()
    assert (both.digest, both.steps, both.decisions, both.offered, both.games) == (1, 12, 23, 34, 9)
    assert (found.digest, found.games) == (4, 0), "the tally itself is as it was"


def test_what_is_drained_from_a_workspace_is_gone_from_it():
    workspace = Workspace(PIG)
    workspace.digest[:] = 7
    workspace.totals[:] = (1, 2, 3, 4, 5)
    workspace.curves[:] = 8
    workspace.alive[:] = 9
    found = tally.drain_workspace(workspace)
    assert (
        (found.digest, found.totals) == (7, [1, 2, 3, 4, 5]) and (found.curves == 8).all() and (found.alive == 9).all()
    )
    empty = tally.drain_workspace(workspace)
    assert (empty.digest, empty.totals) == (0, [0] * 5) and not empty.curves.any() and not empty.alive.any()


def test_tables_are_kept_as_text_without_rounds_that_no_game_reached():
    found = tally_of(GAMES)
    found.alive[0, :4] = [4, 3, 2, 1]
    text = found.tables.encode()
    values = json.loads(zlib.decompress(base64.b64decode(text)))
    assert [len(row) for row in values["alive"]] == [4] * len(PIG.all_endings) and values["alive"][0] == [4, 3, 2, 1]
    again = TallyTables.decode(PIG, text)
    assert (again.alive == found.alive).all() and again.counts.to_columns() == found.count_table.to_columns()
    assert again.groups.to_columns() == found.group_table.to_columns() and (again.curves == found.curves).all()
    empty = json.loads(zlib.decompress(base64.b64decode(Tally(PIG).tables.encode())))
    assert empty["alive"] == [[]] * len(PIG.all_endings)
    assert not TallyTables.decode(PIG, Tally(PIG).tables.encode()).alive.any()


@pytest.mark.parametrize(
    "text",
    ["%", "eA==", base64.b64encode(zlib.compress(b"[]")).decode(), base64.b64encode(zlib.compress(b"{}")).decode()],
)
def test_text_that_holds_no_tables_is_damaged(text):
    with pytest.raises(DamagedTallyError, match="a tally is damaged: "):
        TallyTables.decode(PIG, text)
    data = {**Tally(PIG).to_dict(), "packed": text}
    lazy = Tally.from_dict(PIG, data)
    with pytest.raises(DamagedTallyError):
        lazy.count_wins()


def test_a_tally_is_stored_whole():
    found = tally_of(GAMES)
    found.add_workspace(sums(0xABC, [1, 2, 3], 1))
    data = found.to_dict()
    assert (data["games"], data["digest"], data["steps"], data["decisions"], data["offered"]) == (
        4,
        "0000000000000abc",
        1,
        2,
        3,
    )
    again = Tally.from_dict(PIG, data)
    assert again.to_dict() == data and again.count_wins() == 3 and again.to_dict() == data
    old = {**data, "counts": {}, "groups": [], "curves": [], "alive": [[1, 2]] * len(PIG.all_endings)}
    del old["packed"]
    assert Tally.from_dict(PIG, old).alive[:, :3].tolist() == [[1, 2, 0]] * len(PIG.all_endings)
    for name, value in (("games", 4.0), ("games", True), ("steps", "1"), ("decisions", None), ("offered", 2.5)):
        with pytest.raises(TypeError, match="is not a whole number"):
            Tally.from_dict(PIG, {**data, name: value})


def test_a_tally_without_sums_by_factor_is_otherwise_the_same():
    found = tally_of(GAMES)
    light = found.without_groups()
    assert light.groups_frame.height == 0 and light.count_wins() == 3 and light.games == 4
    assert found.group_table.keys.shape[0] == 5 and light.counts_frame.equals(found.counts_frame)


def test_tallies_are_not_added_up_in_a_forked_process(monkeypatch):
    tally_of(GAMES)
    monkeypatch.setattr(tally.os, "getpid", lambda: 12_345_678)
    for add in (lambda: Tally(PIG).add_rows(GAMES), lambda: Tally(PIG).merge_with(Tally(PIG))):
        with pytest.raises(tally.ForkedProcessError, match="was forked from one that had already played"):
            add()


# Results


def result_of(blocks=(), ranges=(), **changes):
    found = Result(
        PIG,
        "pig/classic",
        "Pig",
        {},
        {},
        [{"name": "steady"}],
        1,
        {"rules": "r", "scenario": "s"},
        {"assumed": 0},
        tally_of(*blocks),
        list(ranges),
        0.12349,
    )
    return replace(found, **changes)


def test_a_result_has_a_name_and_a_digest():
    found = result_of()
    assert found.name == "Pig" and found.outcome_digest == "0" * 16 and found.games == 0
    label = {"setup.boss": "owl", "players": 2}
    assert replace(found, label=label).name == "Pig [boss owl, players 2]"


def test_a_result_without_its_games_has_the_same_provenance():
    found = result_of([GAMES], [(0, 4)])
    bare = found.without_games()
    assert (bare.games, bare.ranges, bare.seconds) == (0, [], 0.0) and find_incompatibility(found, bare) == ""


def test_a_result_is_stored_with_its_checksum():
    found = result_of([GAMES], [(0, 4)], interrupted=True)
    data = found.to_dict(cell=3)
    assert (data["cell"], data["seconds"], data["ranges"], data["seed"]) == (3, 0.123, [[0, 4]], 1)
    assert len(data["seal"]) == 16 and data["seal"] == compute_result_checksum(
        {k: v for k, v in data.items() if k != "seal"}
    )
    again = Result.from_dict(data)
    assert again.to_dict(cell=3) == data and again.ranges == [(0, 4)] and not again.interrupted
    with pytest.raises(ResultError, match="edited or damaged"):
        Result.from_dict({**data, "seed": 2})
    changed = {**data, "seed": "1"}
    changed["seal"] = compute_result_checksum({k: v for k, v in changed.items() if k != "seal"})
    with pytest.raises(TypeError, match="seed: str"):
        Result.from_dict(changed)


def test_results_are_added_with_all_that_they_took():
    first, second = (
        result_of([GAMES], [(0, 4)], interrupted=True, seconds=2.0),
        result_of([GAMES], [(4, 8)], seconds=3.0),
    )
    both = combine_results(first, second)
    assert (both.games, both.ranges, both.seconds, both.interrupted) == (8, [(0, 8)], 5.0, False)
    with pytest.raises(ResultError, match=r"Pig: the same games are in both: \[\(0, 4\)\] and \[\(3, 7\)\]"):
        combine_results(first, replace(second, ranges=[(3, 7)]))
    with pytest.raises(ResultError, match="Pig and Pig cannot be added: their seeds differ: "):
        combine_results(first, replace(second, seed=2))


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"digests": {"rules": "r", "scenario": "t"}}, ""),
        ({"digests": {"rules": "q", "scenario": "s"}}, "rules digests"),
        ({"digests": {"scenario": "s"}}, "rules digests"),
        ({"seed": 2}, "seeds"),
        ({"changed": {"a": 1}}, "changed numbers"),
        ({"made_by": {**collect_versions(), "outcomes": "x"}}, "definitions of the outcome digest"),
    ],
)
def test_results_of_other_games_are_not_added(changes, said):
    found = find_incompatibility(result_of(), result_of(**changes))
    assert found.startswith(f"their {said} differ: ") if said else found == ""


# Result files


def test_the_lines_of_a_plain_file_count_as_far_as_they_are_complete():
    line = encode_lines([result_of()])[len(HEADER) :]
    for content, text, size in (
        (HEADER + line + line[:9], HEADER + line, len(HEADER + line)),
        (HEADER, HEADER, len(HEADER)),
        (HEADER + line, HEADER + line, len(HEADER + line)),
        (b'{"a":\n 1}', b'{"a":\n 1}', 9),
    ):
        assert result_file._decompress(content, "x") == (text, size)
    packed = gzip_members.compress_member(HEADER)
    assert result_file._decompress(packed + packed[:-1], "x") == (HEADER, len(packed))
    with pytest.raises(ResultError, match="x: not a result file: it is damaged, or another program compressed it"):
        result_file._decompress(gzip.compress(HEADER), "x")


def test_the_last_line_of_a_cell_counts_and_cells_are_in_order():
    one, two = result_of(), result_of([GAMES], [(0, 4)])
    lines = [json.dumps(r.to_dict(cell=cell)).encode() + b"\n" for cell, r in ((1, one), (0, two), (1, two), (0, one))]
    assert [r.games for r in parse_results(HEADER + b"".join(lines), "x")] == [0, 4]
    with pytest.raises(ResultError, match="x: this result file is incomplete"):
        parse_results((HEADER + b"".join(lines))[:-1], "x")


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"[1]", "not a result file of hardmode"),
        (b'{"hardmode": "rows"}', "not a result file of hardmode"),
        (b'{"hardmode": "result", "schema": 3}', "schema 3; this version reads"),
        (b'{"hardmode": "result", "schema": 2, "cells": {}}', "it has no list of cells"),
        (HEADER + b"[]\n", "a line is not a cell"),
        (HEADER + b'{"cell": true}\n', "a line is not a cell"),
        (HEADER + b'{"cell": 0}\n', "the file is damaged: "),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "it holds a number of too many digits"),
        (b"\xff", "not a result file: "),
    ],
)
def test_what_is_no_result_file_is_told_why(text, said):
    with pytest.raises(ResultError, match=said):
        parse_results(text, "x")


def test_all_cells_may_be_in_one_object():
    cells = [result_of().to_dict(), result_of([GAMES], [(0, 4)]).to_dict()]
    for schema in (1, 2):
        text = json.dumps({"hardmode": "result", "schema": schema, "cells": cells}).encode()
        assert [r.games for r in parse_results(text, "x")] == [0, 4]


@pytest.fixture
def clock(monkeypatch):
    """The time by which a file decides when to write."""
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(result_file.time, "monotonic", lambda: now.seconds)
    return now


def lines_of(path):
    return gzip.open(path).read().splitlines() if path.exists() else []


def test_lines_are_collected_and_written_after_a_second(tmp_path, clock):
    path, results = tmp_path / "a.json", [result_of([GAMES] * n, [(0, 4 * n)]) for n in (1, 2, 3, 4)]
    file = AppendableResultFile(path)
    file.update_cell([results[0]], 0)
    assert not path.exists()
    clock.seconds = 101.0
    file.update_cell([results[1]], 0)
    assert not path.exists(), "it is a second, and no more"
    clock.seconds = 101.01
    file.update_cell([results[2]], 0)
    assert len(lines_of(path)) == 4
    clock.seconds = 102.0
    file.update_cell([results[3]], 0)
    assert len(lines_of(path)) == 4
    file.flush()
    assert len(lines_of(path)) == 5 and load_results(path)[0].games == 16
    before = path.read_bytes()
    file.flush()
    assert path.read_bytes() == before


def test_a_cell_that_has_not_changed_is_not_written_again(tmp_path, clock):
    path, some = tmp_path / "a.json", result_of([GAMES], [(0, 4)])
    file = AppendableResultFile(path)
    for _ in range(3):
        file.update_cell([some, some], 1)
    file.flush()
    assert len(lines_of(path)) == 3 and [r.games for r in load_results(path)] == [0, 4]
    again = AppendableResultFile(path)
    again.update_cell([some, some], 1)
    again.flush()
    assert len(lines_of(path)) == 3
    again.update_cell([some, some], 0)
    again.flush()
    assert len(lines_of(path)) == 4 and [r.games for r in load_results(path)] == [4, 4]


def test_a_file_that_is_mostly_superseded_is_written_anew(tmp_path, clock, monkeypatch):
    """Lines that no longer count may take as much room as those that do, and what is allowed beside."""
    path, results = tmp_path / "a.json", [result_of([GAMES] * n, [(0, 4 * n)]) for n in range(1, 9)]
    sizes = [len(encode_lines([r])) - len(HEADER) for r in results]
    monkeypatch.setattr(result_file, "ALLOWED_SUPERSEDED_BYTES", sizes[0] + sizes[1] + 50)
    file, written = AppendableResultFile(path), []
    for size, result in zip(sizes, results, strict=True):
        file.update_cell([result], 0)
        file.flush()
        superseded = len(HEADER) + sum(written) + size > 2 * size + sizes[0] + sizes[1] + 50
        written = [size] if superseded else [*written, size]
        assert len(lines_of(path)) == 1 + len(written)
    assert load_results(path)[0].games == 32 and 1 < len(written) < 8
    continued = AppendableResultFile(path)
    assert continued._written_bytes == len(HEADER) + sum(written) and continued._line_sizes == {0: sizes[-1]}


@pytest.mark.parametrize(("more", "lines"), [(0, 3), (1, 1)])
def test_a_mebibyte_of_superseded_lines_may_stay(tmp_path, clock, monkeypatch, more, lines):
    """Three lines and the header are twice the last line and a mebibyte, or a byte longer."""
    path, size = tmp_path / "a.json", 2**20 - len(HEADER) + more
    encode = result_file._encode_line
    monkeypatch.setattr(result_file, "_encode_line", lambda i, r: encode(i, r)[:-1].ljust(size - 1) + b"\n")
    file = AppendableResultFile(path)
    for n in (1, 2, 3):
        file.update_cell([result_of([GAMES] * n, [(0, 4 * n)])], 0)
        file.flush()
    assert len(lines_of(path)) == 1 + lines and load_results(path)[0].games == 12


def test_what_a_killed_process_left_is_cut_off(tmp_path, clock):
    path, some = tmp_path / "a.json", result_of([GAMES], [(0, 4)])
    file = AppendableResultFile(path)
    file.update_cell([some], 0)
    file.flush()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:-5])
    again = AppendableResultFile(path)
    assert path.read_bytes() == whole and [r.games for r in again.results] == [4]
    path.write_bytes(whole[:-5])
    assert AppendableResultFile(path).results == []
    path.write_bytes(b"")
    assert AppendableResultFile(path).results == []


def test_a_plain_file_is_written_anew_when_it_is_continued(tmp_path, clock):
    path, some = tmp_path / "a.json", result_of([GAMES], [(0, 4)])
    path.write_bytes(encode_lines([some]))
    file = AppendableResultFile(path)
    assert path.read_bytes().startswith(HEADER)
    file.flush()
    assert len(lines_of(path)) == 2 and [r.games for r in load_results(path)] == [4]


def test_a_file_that_cannot_be_read_is_told_why(tmp_path, monkeypatch):
    with pytest.raises(ResultError, match=r"none.json: no such file"):
        load_results(tmp_path / "none.json")
    (tmp_path / "closed.json").mkdir()
    with pytest.raises(ResultError, match=r"closed.json: not a result file: "):
        load_results(tmp_path / "closed.json")
    with pytest.raises(OutputError):
        AppendableResultFile(tmp_path / "closed.json")

    (tmp_path / "huge.json").touch()
    os.truncate(tmp_path / "huge.json", 4_000_000_001)
    with pytest.raises(ResultError, match=r"not a result file: is too large .*; the most is 4,000,000,000\)$"):
        load_results(tmp_path / "huge.json")

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "others.json").write_bytes(HEADER)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ResultError, match=r"others.json: not a result file: Permission denied$"):
        load_results(tmp_path / "others.json")


def test_the_game_of_a_file_is_loaded_once():
    loaded = []
    parse_results(encode_lines([result_of(), result_of()]), "x", lambda name: loaded.append(name) or PIG)
    assert loaded == ["pig"]


# Rows


def folder_of(path, **changes):
    return rows.RowFolder(open_storage(path), result_of(seed=5, **changes))


def block_of(*games):
    """Rows in which every column tells the game."""
    return np.array([[game + 100 * i for game in games] for i in range(len(PIG.columns))])


def test_rows_are_written_by_ranges_without_those_that_are_there(tmp_path):
    folder = folder_of(tmp_path / "rows")
    assert list(folder.column_indices) == list(range(len(PIG.columns)))
    games = [0, 1, 2, 5, 6]
    folder.write(np.array(games), block_of(*games))
    assert sorted(p.name for p in (tmp_path / "rows").iterdir()) == [
        "rows.json",
        "seed5-000000000000-000000000003.parquet",
        "seed5-000000000005-000000000007.parquet",
    ]
    again = list(range(1, 9))
    folder.write(np.array(again), block_of(*again))
    assert sorted(rows.list_written_ranges(folder.folder, 5)) == [(0, 3), (3, 5), (5, 7), (7, 9)]
    assert rows.list_written_ranges(folder.folder, 6) == []
    found = pl.read_parquet(tmp_path / "rows" / "*.parquet").sort("game")
    assert found["game"].to_list() == list(range(9))
    assert found["rounds"].to_list() == [100 + game for game in range(9)] and found.columns == ["game", *PIG.columns]
    folder.write(np.array([20]), block_of(20), there=True)
    assert len(list((tmp_path / "rows").iterdir())) == 5
    assert folder_of(tmp_path / "rows").shared_folder.existing == [(0, 9)] == folder.shared_folder.existing


def test_rows_of_other_games_are_left_alone(tmp_path):
    folder_of(tmp_path / "rows")
    with pytest.raises(
        OutputError, match=r"holds rows of other games and is left alone \(their changed numbers differ"
    ):
        folder_of(tmp_path / "rows", changed={"target": 50})
    (tmp_path / "rows" / "rows.json").write_bytes(HEADER)
    with pytest.raises(OutputError, match="holds rows of other games"):
        folder_of(tmp_path / "rows")


def test_a_folder_may_hold_rows_alone(tmp_path):
    folder = tmp_path / "rows"
    folder.mkdir()
    (folder / ".hidden").write_text("")
    rows.check_row_folder(open_storage(folder))
    (folder / "cell-01").mkdir()
    rows.check_row_folder(open_storage(folder), has_cells=True)
    for name in ("cell-01x", "xcell-01", "rows.json"):
        (folder / name).write_text("")
        with pytest.raises(OutputError, match=f"holds other files .{name}"):
            rows.check_row_folder(open_storage(folder), has_cells=True)
        (folder / name).unlink()
    (folder / "cell-01").rmdir()
    (folder / "seed1-0-9.parquet").write_text("")
    with pytest.raises(OutputError, match=r"holds other files .seed1"):
        rows.check_row_folder(open_storage(folder))
    (folder / "rows.json").write_text("")
    rows.check_row_folder(open_storage(folder))
    (folder / "seed1-0-9.parquet.old").write_text("")
    with pytest.raises(OutputError, match=r"holds other files .seed1-0-9.parquet.old"):
        rows.check_row_folder(open_storage(folder))


def test_rows_are_not_played_for_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="cannot be written"):
        rows.check_row_folder(open_storage(tmp_path / "file" / "rows"))
    assert (tmp_path / "file").read_text() == "mine"


def test_a_worker_writes_into_the_same_folder_only(tmp_path):
    folder = folder_of(tmp_path / "rows")
    shared, games = folder.shared_folder, np.array([3, 4])

    def written(shared):
        return rows.write_shared_rows(shared, 5, PIG.columns, games, block_of(3, 4))

    assert not written(SharedRowFolder()) and not written(shared._replace(fingerprint="other"))
    assert not written(shared._replace(address=str(tmp_path / "none"))) and not written(
        shared._replace(address="no://where")
    )
    assert rows.list_written_ranges(folder.folder, 5) == []
    assert written(shared) and rows.list_written_ranges(folder.folder, 5) == [(3, 5)]
    assert rows._compute_fingerprint(open_storage(tmp_path)) == "" and len(shared.fingerprint) == 64
    assert Path(shared.address) == (tmp_path / "rows").absolute()
