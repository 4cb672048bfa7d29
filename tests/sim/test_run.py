"""Engine and runner: the same games whoever plays them, on however many threads, in whatever pieces."""

import json
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from itertools import count, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import answer, column, pig_engine, play

from hardmode.sim.contract import Measure
from hardmode.sim.draws import COINS, Event
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.play import backends, run
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.records import rule
from hardmode.sim.replay import choices
from hardmode.sim.results.ranges import find_gaps, join_ranges, ranges_overlap
from hardmode.sim.results.tally import Tally

GAMES = 3000
MASK = (1 << 64) - 1


@pytest.fixture(scope="module")
def pig():
    return pig_engine("steady", "random")


@pytest.fixture(scope="module")
def rows(pig):
    return play(pig, GAMES, seed=5)


@pytest.fixture(scope="module")
def whole(pig):
    return played(pig)


def played(engine, games=GAMES, first=0, before=None, threads=1, chunk=0, **how):
    runner = Runner(engine, 5, chunk=chunk)
    runner.backend = backends.ThreadBackend(threads)  # more than there are cores, too
    return runner.run(before or RunState(Tally(engine.game)), games, first=first, **how)


def same(a, b):
    """All that a tally holds, and of which games."""
    return a.tally.to_dict() == b.tally.to_dict() and a.ranges == b.ranges


# -- the same whatever the pieces ------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("chunk", [1, 7, 500, 10**6, 0])
def test_threads_and_pieces_change_nothing(pig, whole, threads, chunk):
    assert same(played(pig, threads=threads, chunk=chunk), whole)


@pytest.mark.parametrize("cuts", [[1000], [1, 2, 2999], [700, 1400, 2100]])
def test_merged_shards_are_the_whole(pig, whole, cuts):
    edges = [0, *cuts, GAMES]
    parts = [played(pig, b - a, first=a, threads=2) for a, b in pairwise(edges)]
    together = RunState(Tally(pig.game), join_ranges([r for p in parts for r in p.ranges]))
    for part in reversed(parts):
        together.tally = together.tally.merge_with(part.tally)
    assert same(together, whole)


def test_a_range_that_begins_late_is_the_same_games(pig, rows):
    assert (play(pig, 500, seed=5, first=1234) == rows[:, 1234:1734]).all()


def test_a_desk_keeps_nothing_of_the_games_before(pig, rows):
    desk = Workspace(pig.game)
    play(pig, 200, seed=99, desk=desk)
    assert (play(pig, 300, seed=5, desk=desk) == rows[:, :300]).all()


def test_other_seeds_are_other_games(pig, rows):
    assert (play(pig, 300, seed=6) != rows[:, :300]).any()


def test_seats_are_played_by_those_who_sit_there():
    """The strong one wins most games from either seat."""
    for players, seat in ((("steady", "random"), 0), (("random", "steady"), 1)):
        won = column(pig_engine().game, play(pig_engine(*players), 300), "ending") == seat
        assert won.mean() > 0.9


# -- the tally is what the rows say ------------------------------------------------------------------------------


def mixed(x, number):
    x = (x ^ number & MASK) * 0x9FB21C651E98DF25 & MASK
    return x ^ x >> 32


def finished(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def test_the_outcome_digest_is_of_the_outcomes_and_of_every_option_taken(pig, rows, whole):
    total, desk = 0, Workspace(pig.game)
    for game in range(GAMES):
        x = 0x9E3779B97F4A7C15
        for option in choices(pig, desk, 5, game)[0].tolist():  # in Pig an option is its own index
            x = mixed(x, option)
        for value in (game, *rows[:5, game].tolist()):  # ending, rounds, winners, two scores; not the measures
            x = mixed(x, value)
        total += finished(x)
    assert whole.tally.digest == total & MASK


def swapped(choose):
    def choose_the_other(box, table, own, options, n, luck, weights):
        return 1 - choose(box, table, own, options, n, luck, weights)
    return choose_the_other


def the_other_way_round(take):
    def taken(box, table, hidden, luck, option):
        take(box, table, hidden, luck, 1 - option)
    return rule(taken)


def measuring_turns(outcome):
    def measured(box, table, row):
        outcome(box, table, row)
        row.turns = table.round
    return rule(measured)


def test_a_new_measure_moves_no_digest_and_another_option_does(pig, whole):
    more = replace(pig.game, name="measured", outcome=measuring_turns(pig.game.outcome),
                   measures=(*pig.game.measures, Measure("turns")))
    assert played(Engine(more, pig.box, pig.players)).tally.digest == whole.tally.digest
    mirrored = replace(pig.game, name="mirrored", take=the_other_way_round(pig.game.take))
    players = [replace(p, choose=swapped(rule(p.choose))) for p in pig.players]
    other = played(Engine(mirrored, pig.box, players))
    assert other.tally.count_endings() == whole.tally.count_endings() and other.tally.digest != whole.tally.digest


def test_the_digest_tells_rows_apart_and_games_apart(pig, whole):
    assert played(pig, GAMES - 1).tally.digest != whole.tally.digest
    assert played(pig_engine("steady", "random", target=101)).tally.digest != whole.tally.digest


def test_counts_are_those_of_the_rows(pig, rows, whole):
    names = pig.game.columns
    for i, name in enumerate(names[1:], 1):
        values, counts = np.unique(rows[i], return_counts=True)
        assert whole.tally.count_values(name) == dict(zip(values.tolist(), counts.tolist(), strict=True))
    endings = [int((rows[0] == i).sum()) for i in range(len(pig.game.all_endings))]
    assert list(whole.tally.count_endings().values()) == endings and sum(endings) == GAMES
    assert whole.tally.count_wins_by_seat() == endings[:2] and whole.tally.count_wins() == GAMES


def test_curves_follow_every_game_round_by_round(pig, rows, whole):
    rounds, ending = column(pig.game, rows, "rounds"), column(pig.game, rows, "ending")
    last = pig.game.max_rounds
    for e in range(len(pig.game.all_endings)):
        alive = [int(((rounds >= r) & (ending == e)).sum()) for r in range(1, last + 1)]
        assert whole.tally.alive[e, 1:].tolist() == alive
    longest = int(rounds[rounds <= last].max())
    at_end = column(pig.game, rows, "rolls")[(rounds == longest) & (ending >= 0)].sum()
    if (rounds > longest).sum() == 0:
        assert whole.tally.curves[:, longest, 0].sum() == at_end


def test_the_log_and_another_look_change_nothing(pig, rows):
    assert (play(pig, 300, seed=5, log=True) == rows[:, :300]).all()


def test_redrawing_one_source_is_repeatable_and_changes_games(pig, rows):
    again = [play(pig, 300, seed=5, redraw=([0], other)) for other in (17, 17, 18)]
    assert (again[0] == again[1]).all() and (again[0] != again[2]).any() and (again[0] != rows[:, :300]).any()
    other = play(pig, 300, seed=5, redraw=([7], 17))  # a source that Pig does not have
    assert (other == rows[:, :300]).all()
    assert (again[0] == play(pig, 300, seed=5, redraw=(1, 17))).all()  # as a mask


@pytest.mark.parametrize("who", ["random", "search:4"])
def test_redrawing_all_that_is_drawn_gives_the_same_game_of_the_other_seed(who):
    made = pig_engine(who)
    whole, other = play(made, 200, seed=5), play(made, 200, seed=17)
    both, die, coins = (play(made, 200, seed=5, redraw=(what, 17)) for what in ([0, COINS], [0], [COINS]))
    assert (both == other).all() and (whole != other).any()
    assert all((some != one).any() for some in (die, coins) for one in (whole, other))
    assert (coins == play(made, 200, seed=17, redraw=([0], 5))).all()


def test_redrawing_one_event_changes_only_games_in_which_it_counts(pig, rows):
    first_roll = play(pig, 300, seed=5, redraw=(Event(0, 1, 0, 0), 17))
    assert 0 < (first_roll != rows[:, :300]).any(axis=0).sum() < 300  # one time in six the same face
    assert (play(pig, 300, seed=5, redraw=(Event(0, 999), 17)) == rows[:, :300]).all()


def test_a_change_that_can_only_help_harms_no_game():
    """Alone, and rolling twice a turn whatever the score: a nearer target is reached no later in any game."""
    rounds = [play(pig_engine("beginner", players=1, target=t), 2000)[1] for t in (70, 85, 100)]
    assert (rounds[0] <= rounds[1]).all() and (rounds[1] <= rounds[2]).all() and (rounds[0] < rounds[2]).any()


def test_the_same_luck_shows_a_small_change_in_the_few_games_that_it_decides():
    one, other, elsewhere = (play(pig_engine(target=t), GAMES, seed=s)[0] for t, s in ((100, 5), (101, 5), (101, 6)))
    assert 0 < (one != other).mean() < 0.1 < 0.4 < (one != elsewhere).mean()


# -- which games -------------------------------------------------------------------------------------------------------

RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


def members(ranges):
    return {g for lo, hi in ranges for g in range(lo, hi)}


@given(RANGES)
def test_joined_ranges_are_the_same_games_in_order_and_apart(ranges):
    out = join_ranges(ranges)
    assert members(out) == members(ranges)
    assert all(lo < hi for lo, hi in out)
    assert all(a[1] < b[0] for a, b in pairwise(out))


@given(RANGES, st.integers(0, 40), st.integers(0, 40))
def test_missing_ranges_are_what_is_left(ranges, lo, hi):
    gaps = find_gaps(ranges, lo, hi)
    assert members(gaps) == set(range(lo, hi)) - members(ranges)
    assert sum(b - a for a, b in gaps) == len(members(gaps))


@given(RANGES, RANGES)
def test_ranges_overlap_when_a_game_is_in_both(a, b):
    assert ranges_overlap(a, b) == bool(members(a) & members(b))


# -- stopping and going on ------------------------------------------------------------------------------------------


def test_a_run_goes_on_from_any_part(pig, whole):
    part = played(pig, 500, first=700)
    part = played(pig, 100, first=2900, before=part)
    assert part.ranges == [(700, 1200), (2900, 3000)]
    assert same(played(pig, before=part, threads=2), whole)


def test_what_was_played_is_not_played_again(pig, whole, monkeypatch):
    part = played(pig)
    monkeypatch.setattr(backends, "_play_batch", None)
    assert same(played(pig, before=part), whole)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_enough_is_asked_after_the_same_games_whatever_the_threads(pig, threads):
    asked = []

    def enough(tally):
        asked.append(tally.games)
        return tally.games >= 5000

    done = played(pig, 50_000, threads=threads, is_precise_enough=enough)
    assert asked == [2000, 3000, 4500, 6750] and done.ranges == [(0, 6750)]


@pytest.mark.parametrize("kept", [[(0, 100)], [(0, 2500)], [(0, 1000), (2000, 4000)], [(100, 8000)]])
def test_a_resumed_run_stops_where_the_uninterrupted_one_does(pig, kept):
    """Even where more games are there than the first stages need."""
    def enough(tally):
        return tally.games >= 2200

    straight = played(pig, 50_000, is_precise_enough=enough)
    assert straight.ranges == [(0, 3000)]
    before = RunState(Tally(pig.game))
    for lo, hi in kept:
        played(pig, hi - lo, first=lo, before=before)
    resumed = played(pig, 50_000, before=before, is_precise_enough=enough)
    assert resumed.ranges in ([(0, 3000)], [(0, 4500)], [(0, 10125)])
    if kept[-1][1] <= 3000:
        assert same(resumed, straight)
    assert same(resumed, played(pig, resumed.ranges[0][1]))


def test_never_more_games_than_asked_for(pig):
    assert played(pig, 2500, is_precise_enough=lambda tally: False).ranges == [(0, 2500)]
    assert played(pig, 10, is_precise_enough=lambda tally: False).ranges == [(0, 10)]


def test_what_is_saved_on_the_way_is_whole(pig, monkeypatch):
    """With a clock that makes ten seconds pass between any two looks at it."""
    clock = count(step=11)
    for module in (run, backends):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    saved = []

    def save(done):
        assert sum(hi - lo for lo, hi in done.ranges) == done.games == done.tally.games
        saved.append((list(done.ranges), done.tally.digest))

    played(pig, 400, threads=2, chunk=50, on_save=save)
    assert len(saved) >= 3 and saved[-1][0] == [(0, 400)]
    for ranges, digest in saved[:3]:
        again = RunState(Tally(pig.game))
        for lo, hi in ranges:
            played(pig, hi - lo, first=lo, before=again)
        assert again.tally.digest == digest


INTERRUPTED = """
import json, os, sys
from playing import pig_engine
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
engine = pig_engine("search:8")
def told(done):
    if done.seconds > 0.3:
        print("playing", flush=True)
done = Runner(engine, 5, threads=2).run(RunState(Tally(engine.game)), 10**9, on_progress=told)
print(json.dumps([done.interrupted, done.ranges, done.tally.games, f"{done.tally.digest:x}"]))
"""


def test_ctrl_c_keeps_the_finished_games():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "playing\n"
    process.send_signal(signal.SIGINT)
    interrupted, ranges, games, digest = json.loads(process.communicate(timeout=900)[0].splitlines()[-1])
    assert process.returncode == 0
    assert interrupted and games == sum(hi - lo for lo, hi in ranges) > 0
    again = RunState(Tally(pig_engine().game))
    for lo, hi in ranges:
        played(pig_engine("search:8"), hi - lo, first=lo, before=again, threads=2)
    assert f"{again.tally.digest:x}" == digest and not again.interrupted


FLAT = """
import json, re
from playing import pig_engine
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
engine = pig_engine()
def most():  # of this process; what getrusage says begins with the memory of the one that started it
    return int(re.search("VmHWM:\\s*([0-9]+)", open("/proc/self/status").read())[1]) // 1024
done = Runner(engine, 1, threads=2).run(RunState(Tally(engine.game)), 500_000)
early = most()
done = Runner(engine, 1, threads=2).run(done, 10_000_000)
print(json.dumps([done.games, early, most()]))
"""


@pytest.mark.soak
def test_ten_million_games_take_no_more_memory_than_a_few():
    games, early, late = answer(FLAT, timeout=3600)
    assert games == 10_000_000 and late < 500 and late - early < 50


def test_what_all_threads_played_is_counted_when_rows_cannot_be_written(pig, whole, monkeypatch):
    class Full:
        column_indices, shared_folder, asked = (), backends.NO_SHARED_FOLDER, 0

        def write(self, games, block, there=False):
            self.asked += 1
            raise OutputError("rows/1.parquet: cannot be written: No space left on device")

    class AllPlayed(backends.ThreadBackend):
        def run_range(self, engine, seed, start, stop, chunk_sizer, stop_event, *rows):
            yield from list(super().run_range(engine, seed, start, stop, chunk_sizer, threading.Event(), *rows))

    monkeypatch.setattr(backends, "TALLY_SECONDS", -1)  # so that each chunk is a part
    rows, done = Full(), RunState(Tally(pig.game))
    runner = Runner(pig, 5, chunk=GAMES // 4, row_writer=rows)
    runner.backend = AllPlayed(2)
    with pytest.raises(OutputError, match="No space left"):
        runner.run(done, GAMES)
    assert rows.asked == 1 and same(done, whole)


def test_chunks_at_the_end_of_a_range_are_short_enough_for_all_threads():
    pace = backends.ChunkSizer(chunk_games=20_000, seconds_per_game=1e-6)
    spans = list(pace.split_range(5, 60_005, 2))
    assert [lo for lo, _ in spans] == [5, *(hi for _, hi in spans[:-1])] and spans[-1][1] == 60_005
    sizes = [hi - lo for lo, hi in spans]
    assert sizes[0] == 15_000 and sizes == sorted(sizes, reverse=True)
    assert max(sizes[-3:]) == 1000  # which last a millisecond
    assert [hi - lo for lo, hi in pace.split_range(0, 60_000)] == [20_000] * 3
    assert {hi - lo for lo, hi in backends.ChunkSizer(chunk_games=500, is_fixed=True).split_range(0, 2000, 16)} == {500}
