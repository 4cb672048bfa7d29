"""How many threads play."""

from hardmode.sim.play import cores
from hardmode.sim.play.backends import ThreadBackend, current_backend


def test_there_are_no_more_threads_than_can_help(monkeypatch, caplog):
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda who: {5, 3}, raising=False)
    assert cores.clamp_threads(2000) == 2
    assert caplog.messages == ["2,000 threads are no faster than 2, which are used instead"]
    assert [cores.clamp_threads(n) for n in (0, 1, 2)] == [2, 1, 2]
    made = current_backend(2)
    assert isinstance(made, ThreadBackend) and made.workers == 2
