"""The cache on disk: what nobody used for a month goes, and nothing is ever left half deleted."""

import os
import signal
import subprocess
import sys
import time

import pytest

from hardmode.sim.files import cache_folder
from hardmode.sim.files.cache_folder import DAY, find_entry, prune, read_entry, write_entry

OLD = time.time() - 31 * DAY


@pytest.fixture
def root(monkeypatch, tmp_path):
    monkeypatch.setenv("HARDMODE_CACHE", str(tmp_path))
    return cache_folder.find_cache_root()


def written(folder, name, size=10):
    entry = find_entry(folder, name)
    write_entry(entry, bytes(size))
    return entry


def aged(path, when):
    os.utime(path, (when, when))
    return path


def test_an_entry_that_is_read_stays(root):
    read, unread = (aged(written("arrays", name), OLD) for name in "ab")
    assert read_entry(read) == bytes(10)
    prune(root)
    assert read.exists() and not unread.exists()


def test_a_folder_goes_as_a_whole_or_not_at_all(root):
    for name, when in (("old", OLD), ("young", time.time())):
        folder = root / "sources" / name
        (folder / "inner").mkdir(parents=True)
        for file in (folder / "a.py", folder / "inner" / "b.py"):
            file.write_text("")
            aged(file, OLD)
        aged(folder, when)
    prune(root)
    assert sorted(p.relative_to(root / "sources").as_posix() for p in (root / "sources").rglob("*.py")) \
        == ["young/a.py", "young/inner/b.py"]
    assert [p.name for p in (root / "sources").iterdir()] == ["young"]


def test_of_a_cache_that_is_too_large_the_latest_stay(root, monkeypatch):
    entries = [aged(written("arrays", str(i), 1000), time.time() - i) for i in range(5)]
    monkeypatch.setattr(cache_folder, "MAX_CACHE_BYTES", 2500)
    prune(root)
    assert [entry.exists() for entry in entries] == [True, True, False, False, False]


def test_it_is_looked_at_once_a_day(root):
    old = aged(written("arrays", "a"), OLD)
    written("arrays", "b")
    assert old.exists()
    aged(root / "pruned", time.time() - 1.1 * DAY)
    written("arrays", "c")
    assert not old.exists()


CROWD = """
import os, sys, time
from hardmode.sim.files import cache_folder
from hardmode.sim.files.cache_folder import find_entry, prune, read_entry, write_entry
cache_folder.MAX_CACHE_BYTES = 20_000
root = cache_folder.find_cache_root()
print(flush=True)
for i in range(int(sys.argv[1])):
    entry = find_entry("arrays", str(i % 40))
    content = read_entry(entry)
    assert content is None or bytes(content) == bytes([i % 40]) * 1000
    write_entry(entry, bytes([i % 40]) * 1000)
    prune(root)
"""


def test_processes_that_write_and_delete_at_once_do_not_disturb_each_other_even_if_one_is_killed(root):
    start = [sys.executable, "-c", CROWD]
    killed = subprocess.Popen([*start, "1000000"], stdout=subprocess.PIPE)
    killed.stdout.readline()
    crowd = [subprocess.Popen([*start, "100"]) for _ in range(3)]
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert [process.wait() for process in crowd] == [0, 0, 0]
    for entry in (root / "arrays").glob("[!.]*"):
        assert bytes(read_entry(entry)) == bytes([int(entry.name)]) * 1000
