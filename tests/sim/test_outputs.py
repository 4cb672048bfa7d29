"""What is written where a user asks for it: never over what is another's, and whole or not at all."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import BASELINE, JUNIT, RESULT, SUMMARY, OutputError

KINDS = {
    RESULT: '{"hardmode": "result", "schema": 1, "cells": []}',
    BASELINE: "# What was accepted of mine.\n",
    JUNIT: "<?xml version='1.0' encoding='utf-8'?>\n<testsuites name=\"hardmode\">",
    SUMMARY: "## hardmode: met\n",
}
GONE = 999_999_999  # no process has this number


def full(*_args, **_kwargs):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_file_is_written_over_its_own_kind_alone(tmp_path, kind):
    atomic_files.check_writable(tmp_path / "new", kind)
    for other, text in KINDS.items():
        file = tmp_path / "there"
        file.write_text(text)
        if other is kind:
            atomic_files.check_writable(file, kind)
        else:
            with pytest.raises(OutputError, match=f"not {kind.name} that hardmode wrote, and left alone"):
                atomic_files.check_writable(file, kind)
    for text in ("game: pig\n", '{"hardmode": "report"}', "x" * 10**6):
        file.write_text(text)
        with pytest.raises(OutputError, match="left alone"):
            atomic_files.check_writable(file, kind)
        assert file.read_text() == text
    file.write_text("")
    atomic_files.check_writable(file, kind)  # nothing is lost
    assert {p.name for p in tmp_path.iterdir()} == {"there"}


def test_what_is_no_file_is_never_written_over(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "round").symlink_to("round")
    for name, said in (
        ("pipe", "is a pipe"),
        ("folder", "is a folder"),
        ("null", "is a device"),
        ("/dev/full", "is a device"),
        ("round", "cannot be written"),
        ("no/where", "cannot be written: there is no folder .*/no$"),
        ("x" * 300, "File name too long"),
        ("pipe/x", "cannot be written"),
    ):
        with pytest.raises(OutputError, match=said):
            atomic_files.check_writable(tmp_path / name, RESULT)
    assert {p.name for p in tmp_path.iterdir()} == {"pipe", "folder", "null", "round"}


def test_a_link_goes_on_leading_to_what_is_written(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere/a.json")
    atomic_files.check_writable(tmp_path / "link", RESULT)
    atomic_files.write_atomically(tmp_path / "link", "one")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "elsewhere" / "a.json").read_text() == "one"
    assert [p.name for p in (tmp_path / "elsewhere").iterdir()] == ["a.json"]


def test_a_full_disk_is_a_line_and_leaves_what_was_there(tmp_path, monkeypatch):
    file = tmp_path / "a.json"
    file.write_text(KINDS[RESULT])

    def half(self, data):
        with self.open("wb") as opened:
            opened.write(data[:10])
        full()

    for call in (full, half):
        monkeypatch.setattr(Path, "write_bytes", call)
        for act in (
            lambda: atomic_files.check_writable(file, RESULT),
            lambda: atomic_files.write_atomically(file, "new"),
            lambda: atomic_files.check_folder_writable(tmp_path / "new" / "folder"),
        ):
            with pytest.raises(OutputError, match="cannot be written: No space left on device"):
                act()
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"] and file.read_text() == KINDS[RESULT]


def temporary(name: str, process: int, monkeypatch) -> str:
    """The name under which a process writes a file."""
    with monkeypatch.context() as other:
        other.setattr(os, "getpid", lambda: process)
        return atomic_files.temp_path(Path(name)).name


def test_what_killed_processes_left_is_taken_away_and_nothing_else(tmp_path, monkeypatch):
    running = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        kept = {
            temporary("a.json", running.pid, monkeypatch),
            temporary("b.json", GONE, monkeypatch),
            temporary("a.json", GONE, monkeypatch)[1:],
            ".a.json.bak",
            ".b.json.1x.part",
        }
        for name in (
            *kept,
            temporary("a.json", GONE, monkeypatch),
            temporary("a.json", os.getpid(), monkeypatch),
        ):
            (tmp_path / name).write_text("x")
        atomic_files.check_writable(tmp_path / "a.json", RESULT)
        assert {p.name for p in tmp_path.iterdir()} == kept
    finally:
        running.kill()
        running.wait()


def test_files_with_names_like_temporary_ones_are_left_alone(tmp_path, monkeypatch):
    """Also those that another machine is writing to a shared folder, whose processes are not known here."""
    ours = temporary("film", GONE, monkeypatch)
    with monkeypatch.context() as other:
        other.setattr(atomic_files.platform, "node", lambda: "elsewhere")
        theirs = temporary("film", GONE, monkeypatch)
    names = {
        theirs,
        ".film.999999.part",
        f".film.{GONE}.part",
        f".film.{GONE}.0123456789abcdef.part",
        ours.replace("film", "clip"),
        ours.replace(".part", ".part.bak"),
        ours.replace(f".{GONE}.", f".0{GONE}."),
    }
    for name in names:
        (tmp_path / name).write_text("mine")
    (tmp_path / "mine").mkdir()
    (tmp_path / ours).symlink_to("mine")
    for name in ("", "film", "clip", "report"):
        atomic_files.remove_stale_temp_files(tmp_path, name)
    atomic_files.check_writable(tmp_path / "film", RESULT)
    atomic_files.write_atomically(tmp_path / "film", "x")
    assert {p.name for p in tmp_path.iterdir()} == {*names, ours, "mine", "film"}


def test_a_link_in_the_place_of_a_temporary_file_is_not_written_to(tmp_path):
    (tmp_path / "secret").write_text("mine")
    (tmp_path / atomic_files.temp_path(Path("a.json")).name).symlink_to("secret")
    atomic_files.write_atomically(tmp_path / "a.json", "new")
    assert (tmp_path / "secret").read_text() == "mine" and not (tmp_path / "a.json").is_symlink()


def test_a_folder_can_be_tried_without_a_trace(tmp_path):
    atomic_files.check_folder_writable(tmp_path / "some" / "where")
    atomic_files.check_folder_writable(tmp_path)
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("")
    for name in ("file", "file/inside"):
        with pytest.raises(OutputError, match=r"is a file; give a folder|cannot be written"):
            atomic_files.check_folder_writable(tmp_path / name)


KILLED = """
    import sys
    from pathlib import Path
    from hardmode.sim.files.atomic_files import write_atomically
    file = Path(sys.argv[1])
    print(flush=True)
    for i in range(10**9):
        write_atomically(file, f"{i % 10}" * 300_000)
"""


def test_a_kill_at_any_moment_leaves_a_whole_file(tmp_path):
    file = tmp_path / "a.json"
    for i in range(20):
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(KILLED), str(file)], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(0.011 * i % 0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        text = file.read_text() if file.exists() else "0" * 300_000
        assert len(text) == 300_000 and len(set(text)) == 1
    atomic_files.remove_stale_temp_files(tmp_path, file.name)
    assert {p.name for p in tmp_path.iterdir()} <= {"a.json"}
