"""What commands write, and what they say when they cannot: a line, never a traceback, and never at another's cost."""

import gzip
import json
import os
import re
import subprocess
import sys
import textwrap
from typing import NamedTuple

import polars as pl
import pytest
from playing import HANG_SECONDS

pytestmark = pytest.mark.plain

FULL = """
    import errno, sys
    from pathlib import Path
    from hardmode import cli
    from hardmode.sim.files import atomic_files as outputs

    write, full = Path.write_bytes, sys.argv.pop(1)

    def filling(self, data):
        if full in self.name and data != outputs.TEST_BLOCK:
            write(self, data[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(self, data)

    Path.write_bytes = filling
    cli.main()
"""
MANY = "1000G"  # nobody waits for so many games
RESULT_OF_NOTHING = '{"hardmode": "result", "schema": 1, "cells": []}'


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """What went wrong, which is one line."""
        told = [line for line in self.err.splitlines() if not line.startswith("note: ")]
        assert self.code == 2 and len(told) == 1 and told[0].startswith("error: "), self
        return told[0]


def hardmode(*args, full="", folder=None, **how) -> Said:
    start = ["-c", textwrap.dedent(FULL), full] if full else ["-m", "hardmode"]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *start, *map(str, args)],
        cwd=folder,
        text=True,
        timeout=HANG_SECONDS,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how},
    )
    return Said(done.returncode, done.stdout or "", done.stderr or "")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Two results of Pig, by games 0..39 and 40..59."""
    folder = tmp_path_factory.mktemp("kept")
    assert hardmode("run", "pig/classic", "--games", 40, "-o", "a.json", folder=folder).code == 0
    assert hardmode("run", "pig/classic", "--games", 20, "--first", 40, "-o", "b.json", folder=folder).code == 0
    return folder


# -- what is asked for is tried before anything is played ---------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ("run", "pig/classic", "--games", MANY, "-o"),
        ("run", "pig/classic", "--games", MANY, "--rows"),
        ("report", "pig/classic", "--games", MANY, "-o"),
        ("compare", "pig/classic", "--games", MANY, "-o"),
        ("check", "pig/classic", "--junit"),
        ("check", "pig/classic", "--summary"),
        ("merge", "a.json", "b.json", "-o"),
    ],
    ids=lambda args: f"{args[0]} {args[-1]}",
)
@pytest.mark.parametrize("place", ["/dev/full", "mine.yaml", "/proc/none"])
def test_another_ones_file_is_refused_before_playing(kept, tmp_path, args, place):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes((kept / name).read_bytes())
    (tmp_path / "mine.yaml").write_text("game: pig\n")
    assert place in hardmode(*args, place, folder=tmp_path).line
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.json", "b.json", "mine.yaml"]
    assert (tmp_path / "mine.yaml").read_text() == "game: pig\n"


def test_a_folder_of_ones_own_is_no_report(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "index.html").write_text("mine")
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    for command in ("report", "compare"):
        said = hardmode(command, "pig/classic", "--games", MANY, "-o", tmp_path)
        assert "holds files that no report wrote (index.html)" in said.line
    assert (tmp_path / "tables" / "mine.csv").read_text() == "mine"


def test_a_baseline_is_not_written_over_another_file(tmp_path):
    (tmp_path / "mine.yaml").write_text("game: pig\n")
    (tmp_path / "baselines").mkdir()
    (tmp_path / "baselines" / "mine.baseline").write_text("my notes")
    said = hardmode("accept", "mine.yaml", "--reason", "new", "--games", MANY, folder=tmp_path)
    assert "mine.baseline: not a baseline that hardmode wrote, and left alone" in said.line
    assert (tmp_path / "baselines" / "mine.baseline").read_text() == "my notes"


# -- a disk that fills up -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args, full",
    [
        (("run", "-o", "out/a.json"), "a.json"),
        (("run", "--rows", "out"), ".parquet"),
        (("run", "--rows", "out/in"), "rows.json"),
        (("compare", "-o", "out/in"), "index.html"),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_what_was_played_is_said_though_it_cannot_be_written(tmp_path, args, full, form):
    (tmp_path / "out").mkdir()
    said = hardmode(args[0], "pig/classic", "--games", 30, *args[1:], *form, full=full, folder=tmp_path)
    assert "cannot be written: No space left on device" in said.line
    if full != "rows.json":  # then nothing was played yet
        assert (
            1 <= json.loads(said.out)["games"] <= 30 if form else re.search(r"(at|\() ?95 %", said.out)
        )  # a slow machine writes sooner
    left = {p.name for p in (tmp_path / "out").rglob("*")}
    assert left <= {"rows.json", "in"}, "nothing half written is left"


def test_a_run_whose_disk_was_full_can_be_gone_on_from(tmp_path):
    args = ("run", "pig/classic", "--games", 30, "-o", "a.json", "--rows", "rows", "--json")
    assert hardmode(*args, full=".parquet", folder=tmp_path).code == 2
    again = hardmode(*args, folder=tmp_path)
    assert again.code == 0 and json.loads(again.out)["games"] == 30
    assert games_in(tmp_path / "rows") == list(range(30))


def test_rows_of_other_games_are_not_mixed(tmp_path):
    args = ("run", "pig/classic", "--games", 30, "--rows", "rows")
    for _ in range(2):
        assert hardmode(*args, folder=tmp_path).code == 0
    for other, why in (
        (("--seed", 2), "seeds differ"),
        (("--set", "target=50"), "digests differ"),
        (("--strategy", "random"), "strategies differ"),
    ):
        assert "rows holds rows of other games and is left alone" in (
            line := hardmode(*args, *other, folder=tmp_path).line
        )
        assert why in line
    assert games_in(tmp_path / "rows") == list(range(30))


def games_in(folder):
    """In however many files a slow machine wrote them."""
    return pl.read_parquet(folder / "*.parquet")["game"].sort().to_list()


def test_a_full_stdout_is_a_line():
    for args in (("list", "--json"), ("run", "pig/classic", "--games", 20), ("--help",)):
        with open("/dev/full", "w") as full:
            said = hardmode(*args, stdout=full)
        assert said.line == "error: stdout cannot be written: No space left on device"
        with open("/dev/full", "w") as full:
            unbuffered = hardmode(*args, stdout=full, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        assert unbuffered == said


@pytest.mark.parametrize("env", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_reader_who_has_read_enough_ends_it_quietly(env):
    for args in (("list", "--json"), ("run", "pig/classic", "--games", 20), ("replay", "pig/classic")):
        read, write = os.pipe()
        os.close(read)
        said = hardmode(*args, stdout=write, env={**os.environ, **env})
        os.close(write)
        assert (said.code, said.err) == (0, ""), args


def lines(path):
    return [json.loads(line) for line in gzip.open(path)]


def test_without_a_stdout_the_work_is_done(tmp_path):
    code = f"{sys.executable} -W ignore -m hardmode run pig/classic --games 20 -o a.json >&- 2>&-"
    assert subprocess.run(code, shell=True, cwd=tmp_path, timeout=HANG_SECONDS).returncode == 0
    assert lines(tmp_path / "a.json")[0]["hardmode"] == "result"


@pytest.mark.parametrize("games", ["none", "1.5", "0.0001k", "-1"])
def test_a_wrong_command_line_is_still_told(games):
    said = hardmode("run", "pig/classic", "--games", games)
    assert said.code == 2 and "is not a number of games" in said.err and "Traceback" not in said.err


# -- results that are read ----------------------------------------------------------------------------------------


def test_merge_writes_over_a_result_alone(kept, tmp_path):
    (tmp_path / "sum.json").write_bytes((kept / "a.json").read_bytes())
    said = hardmode("merge", kept / "a.json", kept / "b.json", "-o", tmp_path / "sum.json", "--json")
    assert json.loads(said.out)["games"] == 60
    assert lines(tmp_path / "sum.json")[1]["ranges"] == [[0, 60]]


def test_a_result_of_nothing_is_no_proof(tmp_path):
    (tmp_path / "e.json").write_text(RESULT_OF_NOTHING)
    (tmp_path / "sum.json").write_text(RESULT_OF_NOTHING)
    assert "e.json: a result of nothing" in hardmode("reproduce", "e.json", "--json", folder=tmp_path).line
    assert (
        "e.json: a result of nothing" in hardmode("merge", "e.json", "e.json", "-o", "sum.json", folder=tmp_path).line
    )
    assert (tmp_path / "sum.json").read_text() == RESULT_OF_NOTHING


def forged(kept, tmp_path, **changes):
    """A result with other content, sealed anew as only a forger would."""
    from hardmode.sim.results.result import compute_result_checksum

    head, cell = lines(kept / "a.json")
    cell |= changes
    cell["seal"] = compute_result_checksum({k: v for k, v in cell.items() if k != "seal"})
    (tmp_path / "forged.json").write_text("".join(f"{json.dumps(line)}\n" for line in (head, cell)))
    return tmp_path / "forged.json"


def test_every_refusal_names_the_file(kept, tmp_path):
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(gzip.decompress((kept / "a.json").read_bytes()).replace(b'"seed": 1', b'"seed": 2'))
    for args in (
        ("reproduce", damaged),
        ("merge", kept / "a.json", damaged, "-o", tmp_path / "sum.json"),
        ("run", "pig/classic", "-o", damaged),
    ):
        assert f"{damaged}: " in (line := hardmode(*args).line) and "edited or damaged" in line
    missing = forged(kept, tmp_path, game="hog")
    for args in (("reproduce", missing), ("merge", missing, missing, "-o", tmp_path / "sum.json")):
        assert f"{missing}: " in (line := hardmode(*args).line) and "no game 'hog'" in line and "damaged" not in line
    twice = hardmode("merge", kept / "a.json", kept / "a.json", "-o", tmp_path / "sum.json")
    assert "a.json, " in twice.line and "the same games are in both" in twice.line
    assert not (tmp_path / "sum.json").exists()
    for specs in ([5], [{}], [{"name": []}], [{"name": "x", "weights": 5, "playouts": "x", "search": 1, "file": 7}]):
        assert f"{missing}: " in hardmode("reproduce", forged(kept, tmp_path, strategies=specs)).line


OWN = """
from pathlib import Path

from pig import HOLD, ROLL

Path(__file__).with_name("was run").touch()


def mine(box, table, own, options, n, luck, weights):
    return HOLD if table.turn >= 20 else ROLL
"""


def test_code_that_a_result_names_is_run_when_it_is_trusted_alone(kept, tmp_path):
    own, ran = tmp_path / "own.py", tmp_path / "was run"
    own.write_text(OWN)
    played = hardmode("run", "pig/classic", "--games", 20, "--strategy", f"{own}:mine", "-o", tmp_path / "a.json")
    assert played.code == 0
    ran.unlink()
    said = hardmode("reproduce", tmp_path / "a.json")
    assert str(own) in said.line and "--trust" in said.line and not ran.exists()
    for name in (f"{own}:mine", f"search:8:{own}:mine"):  # a forger may write it elsewhere
        spec = {"name": name, "weights": {}, "playouts": 0, "search": name.startswith("search"), "file": None}
        for file in (None, ""):
            said = hardmode("reproduce", forged(kept, tmp_path, strategies=[{**spec, "file": file}] * 2))
            assert "own.py" in said.line and "--trust" in said.line and not ran.exists()
    trusted = hardmode("reproduce", tmp_path / "a.json", "--trust", "--json")
    assert json.loads(trusted.out)["reproduced"] is True and ran.exists()
