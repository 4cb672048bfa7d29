"""Records as plain Python sees them: numbers and records, never arrays of nothing."""

import numpy as np
import pytest

from hardmode.sim.records import Cells, Record, readable

INNER = np.dtype([("x", "i1", (3,)), ("y", "f8")])
OUTER = np.dtype([("few", "i2", (2,)), ("grid", "u1", (2, 3)), ("one", "i8"), ("so", "?"), ("inner", INNER, (2,))])


@pytest.fixture
def seen():
    cells = np.zeros(1, OUTER)
    cells["few"], cells["grid"][0, 1], cells["one"], cells["so"] = (-5, 7), (1, 2, 3), -1, True
    cells["inner"]["x"][0, 1], cells["inner"]["y"][0, 1] = (4, 5, -6), 0.5
    return readable(cells)


def test_numbers_are_pythons_own_one_by_one_and_all_at_once(seen):
    for numbers in (seen.few, seen.grid[1], seen.inner[1].x):
        one_by_one = [numbers[i] for i in range(len(numbers))]
        assert list(numbers) == one_by_one == numbers.view(np.ndarray).tolist()
        assert {type(x) for x in [*one_by_one, *numbers]} == {int} and numbers[-1] == one_by_one[-1]
    assert (type(seen.one), type(seen.so), type(seen.inner[1].y)) == (int, bool, float)


def test_records_and_rows_stay_what_they_are(seen):
    assert [type(x) for x in seen.inner] == [Record, Record] and seen.inner[1].y == 0.5
    assert [type(x) for x in seen.grid] == [Cells, Cells] and seen.grid[1, 2] == seen.grid[1][2] == 3


def test_there_is_nothing_beyond_the_end(seen):
    for cells in (seen.few, seen.grid[0], seen.inner):
        with pytest.raises(IndexError):
            cells[3]


def test_what_was_seen_once_is_seen_as_it_is_now(seen):
    few, inner, before = seen.few, seen.inner, (seen.one, seen.few[0], seen.inner[1].y)
    seen.one, seen.few, seen.inner[1].y = 8, (9, 9), 1.5
    assert before == (-1, -5, 0.5) and (seen.one, few[0], seen.few[0], inner[1].y) == (8, 9, 9, 1.5)
    with pytest.raises(AttributeError, match="no field 'none'"):
        _ = seen.none
