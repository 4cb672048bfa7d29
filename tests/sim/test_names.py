"""Numbers with names: the same in rules as in print, compiled and plain."""

import numba
import numpy as np

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.compile.fingerprint import compute_fingerprint
from hardmode.sim.names import Named
from hardmode.sim.records import PLAIN, rule


class Die(Named):
    BLANK = "blank"
    HIT = "a hit"
    CARD = "card"


@rule
def added(k):
    return k + 1


def hits(cells):
    cells[Die.HIT] = Die.CARD
    return added(Die.CARD) + added(cells[Die.HIT]) if cells[Die.BLANK] == Die.BLANK else 0


def test_a_name_and_its_number_are_made_together():
    assert [int(face) for face in Die] == [0, 1, 2]
    assert Die.labels() == ("blank", "a hit", "card") and Die.CARD.label == "card"


def test_rules_compare_store_and_count_with_names(monkeypatch):
    monkeypatch.setenv("HARDMODE_CACHE", "off")

    cells = np.zeros(3, np.int64)
    assert compile_cached(hits, None if PLAIN else numba.int64(numba.int64[::1]))(cells) == 6
    assert cells.tolist() == [0, 2, 0]
    assert PLAIN or len(added.overloads) == 1, "a name makes a version of a rule of its own"


def test_another_order_of_names_is_another_fingerprint():
    global Die
    before, first = compute_fingerprint(hits), Die
    try:
        Die = Named("Die", {"BLANK": "blank", "CARD": "card", "HIT": "a hit"})
        assert compute_fingerprint(hits) != before
    finally:
        Die = first
    assert compute_fingerprint(hits) == before
