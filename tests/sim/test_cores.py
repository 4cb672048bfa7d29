"""How many threads play, and on which cores."""

import threading

import pytest

from hardmode.sim.play import cores
from hardmode.sim.play.backends import ThreadBackend, current_backend


@pytest.fixture
def moved(monkeypatch):
    """The cores that threads of this process were told to keep to, of the two that it may use; by thread."""
    told = {}

    def move(who, to):
        assert who == 0  # the thread that asks
        told.setdefault(threading.get_ident(), []).append(to)

    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda who: {5, 3}, raising=False)
    monkeypatch.setattr(cores.os, "sched_setaffinity", move, raising=False)
    return told


def side_by_side(threads):
    """That many threads at once move to a core of their own."""
    all_here = threading.Barrier(threads)

    def work(_):
        all_here.wait(10)
        cores.rebalance_thread()

    with cores.make_thread_pool(threads) as pool:
        list(pool.map(work, range(threads)))


def test_of_as_many_threads_as_cores_each_goes_to_its_own_and_may_leave_it(moved):
    side_by_side(2)
    assert sorted(moved.values(), key=str) == [[{3}, {3, 5}], [{5}, {3, 5}]]


@pytest.mark.parametrize("threads", [1, 3])
def test_of_fewer_or_more_none_is_moved(moved, threads):
    side_by_side(threads)
    assert not moved


def test_whoever_plays_alone_is_not_moved(moved):
    cores.rebalance_thread()
    assert not moved


def test_where_cores_cannot_be_chosen_nothing_is_lost(monkeypatch, moved):
    def refuse(who, to):
        raise PermissionError("not here")

    monkeypatch.setattr(cores.os, "sched_setaffinity", refuse)
    side_by_side(2)
    monkeypatch.delattr(cores.os, "sched_setaffinity")
    side_by_side(2)


def test_there_are_no_more_threads_than_can_help(moved, caplog):
    assert cores.clamp_threads(2000) == 2
    assert caplog.messages == ["2,000 threads are no faster than 2, which are used instead"]
    assert [cores.clamp_threads(n) for n in (0, 1, 2)] == [2, 1, 2]
    made = current_backend(2)
    assert isinstance(made, ThreadBackend) and made.workers == 2
