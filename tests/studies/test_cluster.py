"""Games played by a cluster are the games that are played here, whatever becomes of its workers."""

import contextlib
import json
import os
import pickle
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import fields
from pathlib import Path

import pytest
from playing import answer
from test_past import DOZES, PLAIN, commit, git
from typer.testing import CliRunner

from hardmode import play
from hardmode.cli import app
from hardmode.scenarios.load import load_scenario
from hardmode.sim.play.backends import GameBatch, SharedRowFolder, ThreadBackend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player, StrategyError
from hardmode.sim.play.values import ValueFunction
from hardmode.sim.results.result_file import load_results as saved
from hardmode.sim.results.rows import write_shared_rows
from hardmode.studies.cluster import connection as linking
from hardmode.studies.cluster import engine_spec, worker
from hardmode.studies.cluster.connection import use_cluster
from hardmode.studies.cluster.engine_spec import collect_environment, encode_engine
from hardmode.studies.cluster.errors import ClusterError, DifferentCodeError
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort, make_engine, make_players
from hardmode.studies.gate import baselines
from hardmode.studies.report_run.runner import play_report
from hardmode.studies.uncertainty.analysis import analyze_uncertainty
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, BoxJob, CellPlayers

distributed = pytest.importorskip("distributed")

TIMES = {"seconds", "games_per_second", "pace", "made", "date", "accepted_on"}
PLAYER = Player("", print)  # as little as one can be
GUESTS = {"HARDMODE_PATH": ""}  # the workers know no game from outside: it has to travel


@pytest.fixture(scope="module")
def cluster():
    with workers(2) as made:
        yield made


@pytest.fixture
def address(cluster):
    return cluster.scheduler_address


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("game: pig\ntitle: Mine\nstrategies: [steady, random]\n"
                                        "expect: {win_rate: 50% .. 100%}\n")
    (tmp_path / "grid.yaml").write_text("game: pig\ntitle: Grid\nstrategies: [steady, steady]\n"
                                        "sweep: {target: [20, 30, 40]}\n")
    (tmp_path / "plays.csv").write_text("won\n" + "yes\nno\nyes\n" * 4)
    return tmp_path


def hardmode(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def settled(value):
    """An answer without what is measured in seconds."""
    if isinstance(value, dict):
        return {k: settled(v) for k, v in value.items() if k not in TIMES}
    return [settled(v) for v in value] if isinstance(value, list) else value


def same(first, second):
    return settled(json.loads(first.stdout)) == settled(json.loads(second.stdout))


# -- every command plays the same -------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [
    ("run", "mine.yaml", "--games", "3000"), ("run", "grid.yaml", "--games", "500"),
    ("run", "mine.yaml", "--until", "2%"), ("run", "mine.yaml", "--games", "400", "--slips", "20%"),
    ("compare", "mine.yaml", "--set-b", "target=+10", "--games", "2000"),
    ("check", "--expect-only", "mine.yaml", "--games", "2000"),
    ("luck", "mine.yaml", "--games", "400"),
    ("sensitivity", "mine.yaml", "--games", "300"),
    ("solve", "mine.yaml", "--target", "rounds=10..14", "--by", "target=20..30", "--games", "300"),
    ("replay", "mine.yaml", "--odds", "--playouts", "40"), ("decided", "mine.yaml", "--games", "6"),
    ("fit", "mine.yaml", "plays.csv", "--games", "60", "--free", "none"),
], ids=lambda words: " ".join(words[:2]))
def test_a_command_answers_the_same(here, address, words):
    plain, sent = hardmode(*words, "--json"), hardmode(*words, "--json", "--on", address)
    assert plain.exit_code == sent.exit_code and same(plain, sent)


def test_results_and_tables_are_the_same_bytes(here, address):
    hardmode("run", "grid.yaml", "--games", "300", "-o", "a.json", "--rows", "a")
    hardmode("run", "grid.yaml", "--games", "300", "-o", "b.json", "--rows", "b", "--on", address)
    a, b = (saved(Path(name)) for name in ("a.json", "b.json"))
    assert [(r.tally.to_dict(), r.ranges) for r in a] == [(r.tally.to_dict(), r.ranges) for r in b]
    import polars as pl

    for cell in ("cell-001", "cell-002", "cell-003"):
        one, other = (pl.read_parquet(f"{name}/{cell}/*.parquet").sort("game") for name in "ab")
        assert one.equals(other) and one.height == 300
    assert json.loads(hardmode("reproduce", "a.json", "--json", "--on", address).stdout)["reproduced"]


@pytest.mark.parametrize("where", ["{}/b", "file://{}/b"])
def test_rows_are_written_by_the_workers_where_these_see_the_folder(here, address, monkeypatch, where):
    import polars as pl

    plain = play(PIG, games=700, seed=3, rows=here / "a")[0].outcome_digest
    monkeypatch.setattr("hardmode.sim.results.rows.write_missing_rows", lambda *_: pytest.fail("written here"))
    with use_cluster(address):
        sent = play(PIG, Effort(chunk=100), games=700, seed=3, rows=where.format(here))[0].outcome_digest
    one, other = (pl.read_parquet(here / name / "*.parquet").sort("game") for name in "ab")
    assert sent == plain and one.equals(other) and other.height == 700


def test_rows_travel_where_the_workers_do_not_see_the_folder(here, address):
    """Each process has a memory of its own."""
    from fsspec.core import url_to_fs

    with use_cluster(address):
        play(PIG, Effort(chunk=100), games=300, seed=3, rows="memory://mine/rows")
    names = url_to_fs("memory://mine/rows")[0].ls("/mine/rows", detail=False)
    assert len([name for name in names if name.endswith(".parquet")]) == 3
    for shared in (SharedRowFolder(str(here), "another"), SharedRowFolder(str(here / "nowhere"), ""),
                   SharedRowFolder("none://such", "one")):
        assert not write_shared_rows(shared, 3, (), None, None)


def test_the_parts_of_a_report_are_the_same(here, address):
    def parts():
        effort = Effort(100, seed=4)
        data = play_report(load_scenario("mine.yaml"), effort, None, ignore_progress, {"cells": 1.0})
        return [r.tally.to_dict() for r in data.results], data.sample_rows

    plain, sample = parts()
    with use_cluster(address):
        sent, other = parts()
    assert plain == sent and (sample == other).all()


@pytest.mark.soak
def test_a_report_has_the_same_tables(here, address):
    hardmode("report", "mine.yaml", "--games", "300", "-o", "one")
    hardmode("report", "mine.yaml", "--games", "300", "-o", "two", "--on", address)
    names = sorted(p.relative_to("one") for p in Path("one/tables").rglob("*.csv"))
    assert names and all((Path("one") / n).read_bytes() == (Path("two") / n).read_bytes() for n in names)


def test_training_finds_the_same_player(here, address):
    words = ("train", "mine.yaml", "--generations", "2", "--games", "60", "--json")
    assert same(hardmode(*words, "-o", "a.yaml"), hardmode(*words, "-o", "b.yaml", "--on", address)) or \
        Path("a.yaml").read_text().split("certificate")[0].replace("player: a", "player: b") == \
        Path("b.yaml").read_text().split("certificate")[0]


def test_a_baseline_is_the_same(here, address):
    held = []
    for words in ((), ("--on", address)):
        hardmode("accept", "mine.yaml", "--reason", "as it is", "--games", "1000", *words)
        cell = baselines.read_baseline(Path("baselines/mine.baseline"), "mine").cells[0]
        held.append((cell.outcomes["1000"], cell.endings, cell.wins, cell.digests, cell.won.tolist()))
        assert hardmode("check", "mine.yaml", "--json", "--on", address).exit_code == 0
        Path("baselines/mine.baseline").unlink()
    assert held[0] == held[1]


def test_doubtful_boxes_win_the_same(cluster, address):
    cell, jobs = load_scenario("run_run_run/standard").cells[0], [BoxJob(0, row, {}) for row in range(6)]

    def halves():
        return BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=3), half_games=12).evaluate_boxes(jobs)

    plain = halves()
    with use_cluster(address):
        assert [h.tolist() for h in halves()] == [h.tolist() for h in plain]
    assert len({tuple(h) for h in map(tuple, plain)}) > 1, "rows have games of their own"


@pytest.mark.soak
def test_doubts_are_the_same(here, address):
    def weighed():
        found = analyze_uncertainty(load_scenario("run_run_run/standard"), Effort(2000, seed=1), turns=24)
        return repr((found.headline, found.band, found.groups, found.parameters, found.rejected_boxes,
                     found.row_counts, found.conclusions))

    plain = weighed()
    with use_cluster(address):
        assert weighed() == plain
    said = hardmode("doubts", "run_run_run/standard", "--seconds", "2", "--json", "--on", address)
    assert said.exit_code == 0 and json.loads(said.stdout)["headline"]


@pytest.mark.soak
def test_bisect_finds_the_commit_on_a_cluster(here, address):
    git(here, "init", "-q")
    ids = [commit(here, f"{text}# {i}\n", f"state {i}") for i, text in enumerate([PLAIN, PLAIN, DOZES, DOZES])]
    said = hardmode("bisect", "mine.yaml", "--good", ids[0], "--games", "400", "--json", "--on", address)
    assert "HARDMODE_ON" not in os.environ
    assert said.exit_code == 0 and json.loads(said.stdout)["found"]["commit"].startswith(ids[2][:7])


# -- what goes wrong ----------------------------------------------------------------------------------------------


def digest(engine_, games, **how):
    return play(**{"what": engine_, "games": games, **how})[0].outcome_digest


PIG = {"game": "pig", "title": "Pig", "strategies": ["steady", "steady"]}


def processes(cluster):
    """The process of each worker."""
    with distributed.Client(cluster, set_as_default=False) as client:
        return client.run(os.getpid)


def kill(cluster, chance, done, share):
    """Kill a worker, whichever it is."""
    found = [nanny.pid for nanny in cluster.workers.values() if nanny.pid]  # asks no worker: it may be dead
    with contextlib.suppress(ProcessLookupError, IndexError):
        os.kill(chance.choice(found), signal.SIGKILL)
        done.append(share)


def killer(cluster, times):
    """Progress that kills a worker, whichever it is, at so many moments by chance of what is played."""
    chance, done = random.Random(times), []
    moments = sorted(chance.random() * 0.98 for _ in range(times))

    def step(what, share, pace=0.0):
        if moments and moments[0] < share < 1:
            before = len(done)
            kill(cluster, chance, done, share)
            del moments[:len(done) - before]

    return step, done


def workers(n):
    return distributed.LocalCluster(n_workers=n, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                                    memory_limit=0, silence_logs=50, env=GUESTS)


@contextlib.contextmanager
def of_this_machine(n):
    """Workers that hardmode itself has begun, and will replace."""
    with use_cluster(f"local:{n}") as client:
        yield client.cluster


def test_killed_workers_are_replaced_and_not_reached_from_outside():
    games, psutil = 60_000, pytest.importorskip("psutil")
    plain = digest(PIG, games)
    with of_this_machine(2) as started:
        this = psutil.Process()
        heard = [c.laddr.ip for p in (this, *this.children(recursive=True)) for c in p.net_connections(kind="inet")
                 if c.status == "LISTEN"]
        assert heard and set(heard) == {"127.0.0.1"}
        step, done = killer(started, 1)
        found = play(PIG, Effort(chunk=2000), games=games, progress=step)[0]
        with distributed.Client(started, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
    assert len(done) == 1
    assert found.outcome_digest == plain and found.ranges == [(0, games)] and found.games == games


def test_games_that_end_every_worker_end_the_run(here, monkeypatch):
    """Dask gives up a task after some workers died of it."""
    (here / "own.py").write_text("import os\n\ndef deadly(box, table, own, options, n, luck, weights):\n    return 0\n")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                                  memory_limit=0, silence_logs=50, env=GUESTS) as made:
        made.scheduler.allowed_failures = 0
        with distributed.Client(made, set_as_default=False) as client:
            client.run(break_worker)
        with use_cluster(made.scheduler_address), pytest.raises(ClusterError) as found:
            digest(PIG, 100)
    assert re.search(r"task \('tally_range', '\(1, \d+, \d+\)', .* all those workers died", str(found.value))


def break_worker():
    worker.run_task.__code__ = (lambda *_: __import__("os")._exit(3)).__code__


def test_without_workers_the_run_ends_with_a_message(monkeypatch, caplog):
    monkeypatch.setattr(linking, "FIRST_WORKER_SECONDS", 1.0)
    with workers(0) as none, pytest.raises(ClusterError, match="had no worker for"):
        with use_cluster(none.scheduler_address):
            pass
    assert any("has no workers yet" in message for message in caplog.messages)


@pytest.mark.soak
def test_twenty_kills_and_more_end_with_the_same_digest():
    """At moments by chance of what is played; and after some of them, once more while workers begin anew."""
    games, chance = 4_000_000, random.Random(7)
    plain = digest(PIG, games)
    with of_this_machine(3) as started:
        started.scheduler.allowed_failures = 100  # a task may be on a worker that is killed more than three times
        step, done = killer(started, 24)

        def kills(what, share, pace=0.0):
            before = len(done)
            step(what, share, pace)
            if len(done) > before and chance.random() < 0.5:
                threading.Timer(5 * chance.random(), kill, (started, chance, done, share)).start()

        found = play(PIG, Effort(chunk=10_000), games=games, progress=kills)[0]
    assert len(done) >= 20
    assert found.outcome_digest == plain and found.ranges == [(0, games)] and found.games == games


@pytest.mark.soak
def test_the_memory_of_the_command_does_not_grow_with_the_games():
    psutil, seen = pytest.importorskip("psutil"), {}

    def step(what, share, pace=0.0):
        seen[round(share, 1)] = psutil.Process().memory_info().rss / 1e6

    with of_this_machine(2):
        assert play(PIG, games=10_000_000, progress=step)[0].games == 10_000_000
    print(f"megabytes of the command, by the share of ten million games: {seen}")
    assert seen[1.0] - seen[0.1] < 20


def pretend_versions(**versions):
    """Let the worker that runs this believe that it has other versions."""
    known = {**collect_environment(), **versions}
    worker.collect_environment = lambda: known


def test_a_worker_with_another_version_gets_no_games(address, cluster, caplog):
    one, other = processes(cluster)
    with distributed.Client(cluster, set_as_default=False) as client:
        client.run(pretend_versions, numba="0.1", workers=[one])
        try:
            plain = digest(PIG, 50_000, seed=77)
            with use_cluster(address):
                assert digest(PIG, 50_000, seed=77) == plain
            expected = f"the worker {one} gets no games: numba is 0.1 on the worker"
            assert any(message.startswith(expected) for message in caplog.messages)
            client.run(pretend_versions, **{"the code": "other"}, workers=[other])
            message = r"no worker of .* plays the same games.*the code is other on"
            with use_cluster(address), pytest.raises(ClusterError, match=message):
                digest(PIG, 1000, seed=78)
        finally:
            client.run(pretend_versions)


LATE = """
from hardmode.studies.cluster import worker
known = {**worker.collect_environment(), "numba": "0.1"}
worker.collect_environment = lambda: known
def dask_setup(worker):
    pass
"""


def test_a_worker_that_differs_and_joins_late_gets_no_games(here, caplog):
    (here / "late.py").write_text(LATE)
    plain = digest(PIG, 60_000, seed=79)
    with workers(1) as made, use_cluster(made.scheduler_address), contextlib.ExitStack() as stack:
        late = []

        def join(what, share, pace=0.0):
            if share > 0.05 and not late:
                words = (*WORKER, made.scheduler_address, "--preload", here / "late.py")
                late.append(stack.enter_context(started(*words)))
                with distributed.Client(made.scheduler_address, set_as_default=False) as client:
                    client.wait_for_workers(2, timeout=60)

        assert digest(PIG, 60_000, seed=79, effort=Effort(chunk=1000), progress=join) == plain
    assert late and any("gets no games: numba is 0.1 on the worker" in message for message in caplog.messages)


@contextlib.contextmanager
def started(*words):
    """A process that ends with the test."""
    made = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield made
    finally:
        made.kill()
        made.wait()


def test_a_worker_without_hardmode_gets_no_games(here, caplog):
    plain = digest(PIG, 20_000, seed=80)
    hidden = "import sys\nsys.modules['hardmode'] = None\ndef dask_setup(worker):\n    pass\n"
    (here / "hidden.py").write_text(hidden)
    with workers(1) as made, started(*WORKER, made.scheduler_address, "--preload", here / "hidden.py"):
        with distributed.Client(made, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        with use_cluster(made.scheduler_address):
            assert digest(PIG, 20_000, seed=80, effort=Effort(chunk=1000)) == plain
    assert any("gets no games: " in message and "hardmode" in message for message in caplog.messages)


def test_a_worker_refuses_other_code_of_the_same_version(address):
    """Rules or strategies that are installed there may differ, although hardmode is the same."""
    made = make_engine(load_scenario("pig/classic").cells[0])
    spec = pickle.loads(encode_engine(made))
    with distributed.Client(address, set_as_default=False) as client:

        def answer(**changes):
            changed = pickle.dumps(spec._replace(**changes))
            task = pickle.dumps((worker.tally_range, [(changed, (1, 0, 5, (), SharedRowFolder()))]))
            return client.submit(worker.run_task, collect_environment(), task, pure=False).result()

        assert isinstance(answer(), worker.TaskResult)
        for name in ("rules", "strategies", "kernel"):
            with pytest.raises(DifferentCodeError, match=f"{name} is "):
                answer(digests={**spec.digests, name: "other"})


@pytest.fixture
def mine(here):
    (here / "own.py").write_text("def lazy(box, table, own, options, n, luck, weights):\n    return n - 1\n\n\n"
                                 "def wild(box, table, own, options, n, luck, weights):\n"
                                 "    return n if table.rolls > 3 else 0\n")
    return here


def test_a_strategy_of_ones_own_travels_with_its_source(mine, address, tmp_path_factory):
    words = ("run", "pig/classic", "--strategy", f"{mine / 'own.py'}:lazy", "--games", "500", "--json")
    assert same(hardmode(*words), hardmode(*words, "--on", address))
    (mine / "own.py").write_text((mine / "own.py").read_text().replace("n - 1", "0"))
    assert same(hardmode(*words), hardmode(*words, "--on", address)), "edited, it travels anew"


EDITED = """
import json
import hardmode
pig = {"game": "pig", "title": "Pig", "strategies": ["steady", "steady"]}
plain = hardmode.play(pig, games=300)[0].outcome_digest
with hardmode.on(%r):
    sent = hardmode.play(pig, games=300)[0].outcome_digest
print(json.dumps([plain, sent]))
"""


def test_a_game_of_ones_own_travels_anew_when_it_was_edited(address, tmp_path):
    shutil.copytree(Path(__file__).parents[2] / "examples" / "pig", tmp_path / "pig")
    rules = tmp_path / "pig" / "__init__.py"
    digests = []
    for loses in (2, 3):
        rules.write_text(re.sub("if face == .:", f"if face == {loses}:", rules.read_text()))
        plain, sent = answer(EDITED % address, HARDMODE_PATH=str(tmp_path / "pig"))
        assert sent == plain
        digests.append(sent)
    assert digests[0] != digests[1]


def test_a_large_package_must_be_installed_on_the_workers(monkeypatch):
    monkeypatch.setattr(engine_spec, "MAX_PACKAGE_BYTES", 10)
    engine_spec._pack_package.cache_clear()
    with pytest.raises(ClusterError, match="pig is too large to be sent to workers; install the game there"):
        encode_engine(make_engine(load_scenario("pig/classic").cells[0]))


def test_an_error_of_ones_own_strategy_is_told_once_with_its_line_and_nothing_else_is_lost(mine, address):
    with use_cluster(address), pytest.raises(StrategyError, match=r"own\.py:5: strategy .* returned \d where"):
        play({**PIG, "strategies": [f"{mine / 'own.py'}:wild", "steady"]}, games=2000, out=mine / "kept.json")


def test_players_and_limits_are_sent_completely(mine, address):
    own = make_engine(load_scenario("pig/classic", strategies=[f"{mine / 'own.py'}:lazy", "steady"]).cells[0])
    lazy, steady = own.players
    values = ValueFunction((("viewer", (0.0, 1.0)),), bytes(4 * 132), 0.5, 0.0001, 0.9)
    given = Player("somebody", lazy.choose, (1.5, 2.0), 7, "here:1", 0.2, steady, True, (1,), True, lazy, values, 0.6)
    assert {f.name for f in fields(Player) if getattr(given, f.name) == getattr(PLAYER, f.name)} == set()
    made = Engine(own.game, own.filled_box, [given, steady])
    made.max_steps = 31
    content = encode_engine(made)
    with distributed.Client(address, set_as_default=False) as client:
        steps, players, digests = client.submit(describe_engine, content, pure=False).result()
    assert steps == 31 and players == [describe_player(player) for player in made.players]
    assert digests == pickle.loads(content).digests


def describe_engine(content):
    made = engine_spec.load_engine(content)
    return made.max_steps, [describe_player(p) for p in made.players], pickle.loads(content).digests


def describe_player(player):
    """A player as text, with names in place of functions, whose modules have other names elsewhere."""
    if player is None:
        return None
    values = {f.name: getattr(player, f.name) for f in fields(Player)}
    return {**values, "choose": player.choose.__qualname__, "mistake_player": describe_player(player.mistake_player),
            "rollout_policy": describe_player(player.rollout_policy)}


@pytest.mark.parametrize("words", [
    ("choices", "trapwords/standard", "--games", "200", "--seconds", "500"),
    ("audit", "trapwords/standard", "--games", "100")], ids=lambda words: words[0])
@pytest.mark.soak
def test_what_forbids_options_answers_the_same(here, address, words):
    plain, sent = hardmode(*words, "--json"), hardmode(*words, "--json", "--on", address)
    assert plain.exit_code == sent.exit_code == 0 and same(plain, sent)


def test_what_was_played_before_an_error_is_kept(mine):
    grid = {"game": "pig", "title": "Two", "sweep": {"strategies": ["steady", f"{mine / 'own.py'}:wild"]}}
    with pytest.raises(StrategyError):
        play(grid, games=300, out=mine / "kept.json")
    assert saved(mine / "kept.json")[0].games == 300


@pytest.mark.soak
def test_games_of_a_worker_that_stands_still_are_played_by_others(monkeypatch):
    """Dask gives up a worker that is silent for longer than `worker-ttl`."""
    import dask

    plain = digest(PIG, 60_000, seed=5)
    with dask.config.set({"distributed.scheduler.worker-ttl": "3s"}), workers(2) as made:
        victim = next(iter(processes(made).values()))
        with use_cluster(made.scheduler_address):
            digest(PIG, 100, seed=6)
            os.kill(victim, signal.SIGSTOP)
            try:
                assert digest(PIG, 60_000, seed=5, effort=Effort(chunk=1000)) == plain
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGCONT)


SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--no-dashboard", "--port"]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard", "--host",
          "127.0.0.1", "--nanny"]


def find_free_port():
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def test_a_lost_scheduler_ends_the_run_which_resumes_and_late_workers_join(here):
    plain, port = digest(PIG, 60_000, seed=9), find_free_port()
    address = f"tcp://127.0.0.1:{port}"
    arguments = {"games": 60_000, "seed": 9, "out": here / "kept.json", "effort": Effort(chunk=2000)}

    with started(*SCHEDULER, port) as scheduler, contextlib.ExitStack() as stack:
        later = threading.Timer(1.0, lambda: stack.enter_context(started(*WORKER, address)))
        later.start()

        def step(what, share, pace=0.0):
            if 0.1 < share < 1:
                scheduler.kill()
                scheduler.wait()

        with use_cluster(address), pytest.raises(ClusterError, match="was lost; with -o FILE, the same comm"):
            play(PIG, progress=step, **arguments)
        later.join()
    kept = saved(here / "kept.json")[0]
    assert 6000 <= kept.games < 60_000
    with workers(1) as made, use_cluster(made.scheduler_address):
        found = play(PIG, **arguments)[0]
    assert found.outcome_digest == plain and found.ranges == [(0, 60_000)]


def certificate(folder):
    made = [folder / name for name in ("cert.pem", "key.pem")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=here",
                    "-keyout", made[1], "-out", made[0]], check=True, capture_output=True)
    return made


@pytest.mark.soak
def test_tls_passes_through(here):
    cert, key = certificate(here)
    own = distributed.Security(tls_ca_file=str(cert), tls_scheduler_cert=str(cert), tls_scheduler_key=str(key),
                               tls_worker_cert=str(cert), tls_worker_key=str(key), tls_client_cert=str(cert),
                               tls_client_key=str(key), require_encryption=True)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                                  silence_logs=50, env=GUESTS, security=own, protocol="tls://") as made:
        assert made.scheduler_address.startswith("tls://")
        words = ("run", "pig/classic", "--games", "500", "--json")
        sent = hardmode(*words, "--on", made.scheduler_address, "--tls-ca", cert, "--tls-cert", cert, "--tls-key", key)
    assert same(hardmode(*words), sent)
    refused = CliRunner().invoke(app, [*words, "--on", "tls://127.0.0.1:1", "--tls-ca", "none.pem"])
    assert refused.exit_code == 2 and "none.pem" in refused.output


# -- where it is --------------------------------------------------------------------------------------------------


def test_a_wrong_address_is_explained_in_a_line(here, monkeypatch):
    monkeypatch.setattr(linking, "CONNECT_SECONDS", 1.0)
    (here / "mine.yaml").write_text("game: pig\n")
    (here / "list.json").write_text("[]")
    for text in ("nowhere", "local:x", "local:1000", "a\nb", "tcp://127.0.0.1:9", "mine.yaml", "list.json"):
        with pytest.raises(ClusterError, match=r"no scheduler answers: \S.*; write tcp://HOST:8786") as found:
            with use_cluster(text):
                pass
        assert "\n" not in str(found.value)


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ClusterError, match=r'pip install "hardmode\[cluster\]"'):
        with use_cluster("local:2"):
            pass


def test_a_scheduler_file_names_the_scheduler(cluster, here):
    (here / "s.json").write_text(json.dumps({"address": cluster.scheduler_address, "type": "Scheduler", "id": "x",
                                             "workers": {}, "services": {}}))
    with use_cluster(str(here / "s.json")):
        sent = digest(PIG, 500)
    assert sent == digest(PIG, 500)


def test_rows_come_in_the_order_in_which_they_were_asked_for(cluster, address):
    made = make_engine(load_scenario("pig/classic").cells[0])
    orders = [GameBatch(made, 1, at, at + 7, tag=at) for at in range(0, 700, 7)]
    with use_cluster(address):
        from hardmode.sim.play.backends import current_backend

        found = list(current_backend().run_batches(orders))
    assert [a.batch.tag for a in found] == list(range(0, 700, 7))
    assert all((a.rows == b.rows).all() and (a.outcome_hashes == b.outcome_hashes).all() and a.decisions == b.decisions
               for a, b in zip(found, ThreadBackend(2).run_batches(orders), strict=True))
