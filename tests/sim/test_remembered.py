"""Arrays of the cache: not worked out twice, never stale, whatever happens to their files."""

import os
import re
import time
from dataclasses import dataclass

import numpy as np
import pytest

from hardmode.sim.compile import array_cache
from hardmode.sim.compile.array_cache import PythonFingerprint
from hardmode.sim.compile.fingerprint import FingerprintError
from hardmode.sim.files import cache_folder

STEP = 2
worked = []


@dataclass(frozen=True)
class Hill:
    height: int

    def slope(self):
        return self.height * STEP


class Walker:
    def __init__(self, hill):
        self.way = np.arange(hill.slope())


def noted(hill):
    worked.append(hill)


noted.__module__ = "builtins"  # into which no fingerprint looks


def walk(hill, more=0):
    noted(hill)
    return Walker(hill).way + more


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HARDMODE_CACHE", str(tmp_path))
    monkeypatch.setattr(array_cache, "_written_arrays", [])
    worked.clear()
    return tmp_path / "arrays"


def ask(*asked):
    """As another process would ask: what it is answered, and whether that had to be worked out."""
    before = len(worked)
    return array_cache.disk_cached("scipy")(walk)(*asked), len(worked) > before


def test_an_answer_is_worked_out_once(cache):
    first, anew = ask(Hill(3))
    again, anew_again = ask(Hill(3))
    assert (anew, anew_again) == (True, False)
    assert list(again) == list(first) == [0, 1, 2, 3, 4, 5] and again.dtype == first.dtype


def test_within_a_process_it_is_at_hand_and_nobody_writes_to_it(cache):
    known = array_cache.disk_cached()(walk)
    assert known(Hill(3)) is known(Hill(3)) and len(worked) == 1
    for found in (known(Hill(3)), ask(Hill(3))[0]):
        with pytest.raises(ValueError, match="read-only"):
            found[0] = 1


def test_another_question_has_another_answer(cache):
    assert [ask(*asked)[1] for asked in ((Hill(3),), (Hill(4),), (Hill(3), 1), (Hill(3), 1.0))] == [True] * 4
    assert ask(Hill(3), 1.0)[0].dtype == float and not ask(Hill(4))[1]


@pytest.mark.parametrize("what, name, other", [
    (None, "STEP", 1), (Hill, "slope", lambda self: self.height), (Walker, "__init__", lambda self, hill: setattr(
        self, "way", np.zeros(1)))])
def test_whatever_it_reaches_may_change(cache, monkeypatch, what, name, other):
    before, _ = ask(Hill(3))
    with monkeypatch.context() as patched:
        patched.setattr(what or __import__(__name__), name, other)
        after, anew = ask(Hill(3))
        assert anew and len(after) != len(before)
    assert not ask(Hill(3))[1]


def test_other_libraries_may_answer_otherwise(cache, monkeypatch):
    ask(Hill(3))
    monkeypatch.setattr(array_cache, "_find_version", lambda name: "99.0")
    assert ask(Hill(3))[1]


@pytest.mark.parametrize("at", [0, 63, 64, 80, -1])
def test_a_flipped_bit_is_noticed_and_mended(cache, at):
    first, _ = ask(Hill(3))
    [file] = cache.iterdir()
    whole = bytearray(file.read_bytes())
    whole[at] ^= 1
    file.write_bytes(whole)
    again, anew = ask(Hill(3))
    assert anew and list(again) == list(first)
    assert not ask(Hill(3))[1]


def test_the_file_of_another_answer_is_noticed(cache):
    ask(Hill(3))
    [three] = cache.iterdir()
    ask(Hill(4))
    [four] = set(cache.iterdir()) - {three}
    three.write_bytes(four.read_bytes())
    found, anew = ask(Hill(3))
    assert anew and len(found) == 6


@pytest.mark.parametrize("size", [0, 10, 100])
def test_a_torn_file_is_noticed(cache, size):
    ask(Hill(3))
    [file] = cache.iterdir()
    file.write_bytes(file.read_bytes()[:size])
    assert ask(Hill(3))[1]


def test_a_study_does_not_fill_the_cache(cache, monkeypatch):
    monkeypatch.setattr(array_cache, "MAX_WRITES_PER_PROCESS", 3)
    for height in range(1, 6):
        ask(Hill(height))
    assert len(list(cache.iterdir())) == 3
    assert not ask(Hill(3))[1] and ask(Hill(4))[1]


def test_what_was_not_asked_for_longest_goes(cache, monkeypatch):
    for height in (1, 2, 3):
        ask(Hill(height))
    for age, file in enumerate(cache.iterdir()):
        os.utime(file, (time.time() - 99 + age,) * 2)
    ask(Hill(2))  # asked for again: the youngest
    size = max(file.stat().st_size for file in cache.iterdir())
    monkeypatch.setattr(cache_folder, "MAX_CACHE_BYTES", 2 * size + 99)
    ask(Hill(4))
    assert len(list(cache.iterdir())) == 4, "the cache was looked at today"
    (cache.parent / "pruned").unlink()
    ask(Hill(5))
    assert len(list(cache.iterdir())) == 2
    assert not ask(Hill(4))[1] and not ask(Hill(5))[1] and ask(Hill(2))[1]


def test_no_cache_is_no_trouble(cache, monkeypatch):
    monkeypatch.setenv("HARDMODE_CACHE", "off")
    assert list(ask(Hill(2))[0]) == [0, 1, 2, 3] and ask(Hill(2))[1]


def test_a_full_disk_is_no_trouble(cache, monkeypatch, tmp_path):
    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(type(tmp_path), "replace", full)
    assert list(ask(Hill(2))[0]) == [0, 1, 2, 3]
    assert list(cache.iterdir()) == []


class Odd:
    """Something that adds nothing."""

    def __radd__(self, other):
        return other


def test_what_cannot_be_judged_is_not_kept(cache, caplog):
    assert ask(Hill(3), Odd())[1]
    [message] = caplog.messages
    assert re.match("an array is computed anew in every process: cannot fingerprint <.*Odd", message)
    assert not cache.exists()


def test_a_property_is_not_judged():
    class Odd:
        @property
        def here(self):
            return 1

    with pytest.raises(FingerprintError, match="property"):
        PythonFingerprint().add_value(Odd)
