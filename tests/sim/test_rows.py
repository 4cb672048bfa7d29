"""Rows on disk: every game once, of one result alone, in a folder of their own."""

import os
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from playing import pig_engine, play

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.storage import open_storage
from hardmode.sim.play import backends
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results import rows as rows_of
from hardmode.sim.results.result import Result, compute_code_digests
from hardmode.sim.results.rows import PROVENANCE_FILE, list_written_ranges
from hardmode.sim.results.tally import Tally

GAMES = 3000


def Rows(path, result):
    return rows_of.RowFolder(open_storage(path), result)


def ready(path, **how):
    rows_of.check_row_folder(open_storage(path), **how)


@pytest.fixture(scope="module")
def pig():
    return pig_engine("steady", "random")


@pytest.fixture(scope="module")
def about(pig):
    return Result(
        pig.game, "pig/classic", "Pig", {}, {}, [], 5, compute_code_digests(pig.game, pig.players), {}, Tally(pig.game)
    )


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(backends, "TALLY_GAMES", 700)
    monkeypatch.setattr(backends, "MIN_TALLY_GAMES", 350)


def played(pig, rows, games=GAMES, first=0, **how):
    return Runner(pig, 5, threads=2, chunk=64, row_writer=rows).run(
        RunState(Tally(pig.game)), games, first=first, **how
    )


def frame(folder):
    return pl.read_parquet(folder / "*.parquet").sort("game")


def test_rows_are_the_games_that_were_played(pig, about, tmp_path):
    done = played(pig, Rows(tmp_path, about))
    assert done.games == GAMES and len(list(tmp_path.glob("*.parquet"))) > 2
    found = frame(tmp_path)
    assert found["game"].to_list() == list(range(GAMES))
    assert (found.drop("game").to_numpy().T == play(pig, GAMES, seed=5)).all()
    assert tuple(found.columns[1:]) == pig.game.columns


def test_a_file_holds_the_games_that_its_name_says(pig, about, tmp_path):
    rows = Rows(tmp_path, about)
    games = np.array([*range(10), *range(16, 24)])  # the chunk between was not done yet
    rows.write(games, play(pig, 24, seed=5)[:, games])
    assert sorted(list_written_ranges(rows.folder, 5)) == [(0, 10), (16, 24)]
    rows.write(np.arange(5, 20), play(pig, 24, seed=5)[:, 5:20])
    assert sorted(list_written_ranges(rows.folder, 5)) == [(0, 10), (10, 16), (16, 24)]
    assert (frame(tmp_path).drop("game").to_numpy().T == play(pig, 24, seed=5)).all()


def test_games_that_are_there_are_not_written_twice(pig, about, tmp_path):
    """As when a run was killed after it wrote rows and before it kept its result."""
    played(pig, Rows(tmp_path, about), 1000, first=500)
    played(pig, Rows(tmp_path, about))
    assert frame(tmp_path)["game"].to_list() == list(range(GAMES))


@pytest.mark.parametrize(
    "changes, said",
    [
        (dict(seed=6), "seeds differ: 5 and 6"),
        (dict(changed={"target": 50}), "changed numbers differ"),
        (dict(strategies=[{"name": "bold"}]), "strategies differ"),
        (dict(digests={"rules": "other"}), "digests differ"),
    ],
)
def test_rows_of_other_games_are_refused(about, tmp_path, changes, said):
    Rows(tmp_path, about)
    before = (tmp_path / PROVENANCE_FILE).read_bytes()
    with pytest.raises(OutputError, match=f"holds rows of other games and is left alone .*{said}"):
        Rows(tmp_path, replace(about, **changes))
    with pytest.raises(OutputError, match="games differ: pig and hog"):
        Rows(tmp_path, replace(about, game=replace(about.game, name="hog")))
    assert (tmp_path / PROVENANCE_FILE).read_bytes() == before


def test_a_folder_with_other_files_is_refused(about, tmp_path):
    (tmp_path / "mine.csv").write_text("mine")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "seed1-000000000000-000000000009.parquet").write_bytes(b"")  # nobody knows of which games
    (tmp_path / "grid" / "cell-001").mkdir(parents=True)
    for place, said in ((tmp_path, "grid"), (tmp_path / "old", "seed1-"), (tmp_path / "grid", "cell-001")):
        with pytest.raises(OutputError, match=f"holds other files .{said}.*a folder of their own"):
            Rows(place, about)
    ready(tmp_path / "grid", has_cells=True)
    Rows(tmp_path / "rows", about)
    with pytest.raises(OutputError, match="holds other files"):
        ready(tmp_path / "rows", has_cells=True)
    with pytest.raises(OutputError, match=r"mine\.csv is a file; give a folder"):
        ready(tmp_path / "mine.csv")


def test_what_a_crash_left_is_in_nobodys_way(pig, about, tmp_path, monkeypatch):
    Rows(tmp_path, about)
    with monkeypatch.context() as killed:
        killed.setattr(os, "getpid", lambda: 999_999_999)
        left = atomic_files.temp_path(tmp_path / "seed5-000000000000-000000000700.parquet")
    left.write_bytes(b"half")
    played(pig, Rows(tmp_path, about), 100)
    assert not left.exists() and frame(tmp_path)["game"].to_list() == list(range(100))


def test_games_that_cannot_be_written_down_have_been_counted(pig, about, tmp_path, monkeypatch):
    rows, done = Rows(tmp_path, about), RunState(Tally(pig.game))
    monkeypatch.setattr(
        atomic_files, "write_atomically", lambda path, content: (_ for _ in ()).throw(OutputError("full"))
    )
    with pytest.raises(OutputError, match="full"):
        Runner(pig, 5, threads=1, chunk=64, row_writer=rows).run(done, GAMES)
    assert done.games == sum(b - a for a, b in done.ranges) >= 700
    assert sum(done.tally.count_endings().values()) == done.games


@pytest.mark.parametrize("where", ["memory://rows/one", "file://{}/rows/one"])
def test_rows_behind_an_address_are_the_same(pig, about, tmp_path, where):
    from fsspec.core import url_to_fs

    address = where.format(tmp_path)
    played(pig, rows_of.RowFolder(open_storage(address), about), 1000, first=500)
    played(pig, rows_of.RowFolder(open_storage(address), about))
    system, path = url_to_fs(address)
    names = [name for name in system.ls(path, detail=False) if name.endswith(".parquet")]
    found = pl.concat([pl.read_parquet(system.cat_file(name)) for name in names]).sort("game")
    assert found["game"].to_list() == list(range(GAMES)) and len(names) > 2
    assert (found.drop("game").to_numpy().T == play(pig, GAMES, seed=5)).all()
    assert not [name for name in system.ls(path, detail=False) if name.endswith((".part", ".hardmode"))]
    with pytest.raises(OutputError, match="holds rows of other games"):
        rows_of.RowFolder(open_storage(address), replace(about, seed=6))
    system.pipe_file(f"{path}/mine.csv", b"mine")
    with pytest.raises(OutputError, match=r"rows/one holds other files \(mine\.csv\)"):
        rows_of.RowFolder(open_storage(address), about)
    system.rm(path, recursive=True)


@pytest.mark.parametrize(
    "address, said",
    [
        ("nothing://there", "nothing://there is not an address that can be used: Protocol not known: nothing"),
        ("memory://", "memory:// names no folder"),
        ("file:///", "file:/// names no folder"),
        ("oci://bucket/rows", "oci://bucket/rows: to write there a driver is needed: Install ocifs"),
    ],
)
def test_an_address_without_a_driver_is_told_in_a_line(address, said):
    with pytest.raises(OutputError, match=said):
        open_storage(address)


def test_a_file_that_cannot_be_written_behind_an_address_leaves_nothing(monkeypatch):
    from fsspec.implementations.memory import MemoryFileSystem

    place = open_storage("memory://half")
    place.check_writable()
    monkeypatch.setattr(MemoryFileSystem, "mv", lambda *_: (_ for _ in ()).throw(RuntimeError("quota\nexceeded")))
    with pytest.raises(OutputError, match="memory://half: cannot be written: quota exceeded"):
        place.write_file("one", b"1")
    assert place.list_names() == []
