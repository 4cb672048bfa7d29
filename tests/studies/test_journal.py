"""The journal of a training: what was answered is known again, and what is damaged is asked again."""

import os

import pytest

from hardmode.studies.training.replay_log import ReplayLog

HEAD = b'{"hardmode": "training", "training": "mine"}\n'


def asked(path, training="mine"):
    """Five questions, of which a training remembers some: all answers, and which of them were worked out anew."""
    journal, worked = ReplayLog(path, training), []

    def work(i):
        worked.append(i)
        return {"ranks": [i, i + 0.5]}

    return [journal.get_or_compute(lambda i=i: work(i))["ranks"][0] for i in range(5)], worked


def test_who_goes_on_is_told_what_was_answered(tmp_path):
    path = tmp_path / "mine.training"
    assert asked(path) == ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    before = path.read_bytes()
    assert asked(path) == ([0, 1, 2, 3, 4], []) and path.read_bytes() == before
    assert asked(path, "another")[1] == [0, 1, 2, 3, 4]


DAMAGE = {
    "torn": (lambda lines: [*lines[:-1], lines[-1][:-20]], [4]),
    "half a line": (lambda lines: [*lines[:3], lines[3][:5]], [2, 3, 4]),
    "one figure": (lambda lines: [lines[0], lines[1].replace(b"0.5", b"0.6"), *lines[2:]], [0, 1, 2, 3, 4]),
    "two exchanged": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], [0, 1, 2, 3, 4]),
    "one lost": (lambda lines: [*lines[:2], *lines[3:]], [1, 2, 3, 4]),
    "no number": (lambda lines: [lines[0], b'["x", {"ranks": "abc"}]'], [0, 1, 2, 3, 4]),
    "nan": (lambda lines: [lines[0], b'[1.0, {"ranks": [NaN]}]'], [0, 1, 2, 3, 4]),
    "digits": (lambda lines: [lines[0], b"[" + b"9" * 5000 + b"]"], [0, 1, 2, 3, 4]),
    "deep": (lambda lines: [lines[0], b"[" * 60_000], [0, 1, 2, 3, 4]),
    "no text": (lambda lines: [*lines[:2], os.urandom(400), *lines[2:]], [1, 2, 3, 4]),
    "nothing": (lambda lines: [], [0, 1, 2, 3, 4]),
    "its head alone": (lambda lines: lines[:1], [0, 1, 2, 3, 4]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_asked_again(damage, tmp_path):
    path = tmp_path / "mine.training"
    asked(path)
    harm, again = DAMAGE[damage]
    lines = path.read_bytes().splitlines()
    assert HEAD.strip() == lines[0] and len(lines) == 6
    path.write_bytes(b"\n".join(harm(lines)) + (b"\n" if harm(lines) else b""))
    assert asked(path) == ([0, 1, 2, 3, 4], again)
    assert asked(path) == ([0, 1, 2, 3, 4], [])
