"""make bench AGAINST=REV, make bench-check: is hardmode as fast as it is to be, and faster than another version?

    python -m tests.floors [GAME ...] [--against REV] [--only PART ...] [--quick]

Every figure is a ratio, or CPU time, so that it holds on a machine that does other things as well; only what two
threads gain and how long a check lasts is told by the clock, and --quick leaves that out, with all that takes
minutes. Versions play in turn, each in a process that took its code from the cache, and must end every game alike.
Ends with 1 when a floor is missed. What a game is held to stands in tests/games/GAME/speed.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TURN, TURNS, PAIRS = 0.2, 11, 3  # seconds of a turn, turns of a pair of processes, pairs
STARTS, WALLS = 5, 5  # how often a start is measured, and what is told by the clock
GAMES = 20_000  # with which memory is measured
QUICK = ("faster", "start", "memory", "pair", "search", "cold")
PARTS = (*QUICK, "report", "threads", "check")  # of what is measured
START, PAIR, SEARCH, REPORT, THREADS, CHECK = 0.6, 2.3, 1.15, 1 / 3, 1.95, 0.5


@dataclass
class Floors:
    """What was measured beside what it is to be."""

    missed: list[str] = field(default_factory=list)

    def told(
        self,
        what: str,
        values: Sequence[float],
        *,
        least: float | None = None,
        most: float | None = None,
        unit: str = "",
    ) -> None:
        middle, bound = statistics.median(values), least if most is None else most
        held = (least is None or middle >= least) and (most is None or middle <= most)
        asked = "" if bound is None else f"   {'at least' if most is None else 'at most'} {bound:.4g}"
        print(
            f"  {what:44} {middle:8.3f}{unit:4} ({min(values):.3f} .. {max(values):.3f}, {len(values)} times){asked}"
            f"{'' if held else '   MISSED'}",
            flush=True,
        )
        if not held:
            self.missed.append(what)


@contextmanager
def version(revision: str) -> Iterator[Path]:
    """A folder with the files of a commit."""
    with tempfile.TemporaryDirectory(prefix="hardmode-") as folder:
        files = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=BytesIO(files)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


class Racer:
    """A version that plays in a process of its own: see racer.py."""

    def __init__(self, root: Path, scenario: str, player: str) -> None:
        compiled = True
        while compiled:  # code that was just compiled is not measured, but what later processes load
            self.process = subprocess.Popen(
                [sys.executable, "-W", "ignore", ROOT / "tests/racer.py", scenario, player],
                cwd=root,
                text=True,
                env={**os.environ, "PYTHONPATH": str(root)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            compiled = self._answer()
            if compiled:
                self.close()

    def _answer(self) -> Any:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            sys.exit("a version does not play")
        return json.loads(line)

    def begin(self, first: int, games: int) -> None:
        assert self.process.stdin
        print(json.dumps([first, games]), file=self.process.stdin, flush=True)

    def play(self, first: int, games: int) -> dict[str, Any]:
        self.begin(first, games)
        return self._answer()

    def end(self) -> None:
        self._answer()

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def race(roots: Sequence[Path], scenario: str, player: str) -> list[float]:
    """How many times as fast the second is as the first, turn by turn."""
    ratios = []
    for _ in range(PAIRS):
        racers = [Racer(root, scenario, player) for root in roots]
        games = _size(racers[0])
        for turn in range(TURNS):
            before, now = (racer.play(turn * games, games) for racer in racers)
            if before["digest"] != now["digest"]:
                sys.exit(f"{scenario}: games {turn * games} to {(turn + 1) * games - 1} end otherwise")
            ratios.append(before["seconds"] / now["seconds"])
        for racer in racers:
            racer.close()
    return ratios


def _size(racer: Racer) -> int:
    """So many games last a turn."""
    games = 1
    while racer.play(10**9, games)["seconds"] < TURN / 2:
        games *= 2
    return games


def _settled(**env: str) -> dict[str, str]:
    """The environment of a process that finds its modules as bytes, as whoever has installed hardmode does."""
    return {**{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}, **env}


def spent(
    command: Sequence[str | Path], root: Path = ROOT, fine: Sequence[int] = (0,), **env: str
) -> resource.struct_rusage:
    """What a process, and all that it waits for, took until it ended with one of these codes."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", *command],
        cwd=root,
        stdout=subprocess.DEVNULL,
        env=_settled(PYTHONPATH=str(root), **env),
    )
    _, status, took = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fine:
        sys.exit(f"{' '.join(map(str, command))}: ends with {process.returncode}")
    return took


def cpu(command: Sequence[str | Path], root: Path = ROOT, fine: Sequence[int] = (0,), **env: str) -> float:
    took = spent(command, root, fine, **env)
    return took.ru_utime + took.ru_stime


def answered(code: str, *words: str | int) -> Any:
    """What some code prints as its last line, read as JSON."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, words)],
        cwd=ROOT,
        env=_settled(),
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


PAIRS_AND_GAMES = """
import json, sys, time
from hardmode.scenarios.load import load_scenario as load
from hardmode.studies.comparison.compare import compare
from hardmode.studies.core.run import Effort, play
scenario, player, repeats = sys.argv[1:]
a, b = (load(scenario, strategies=[who]) for who in (player, "random"))
def took(work, *on, games):
    begun = time.process_time()
    work(*on, Effort(games, threads=1))
    return time.process_time() - begun
def each(work, *on):
    return (took(work, *on, games=50 + games) - took(work, *on, games=50)) / games
games = 1000
while took(play, a, games=games) < 1: games *= 2
print(json.dumps([2 * each(compare, a, b) / (each(play, a) + each(play, b)) for _ in range(int(repeats))]))
"""


PLAYING = """
import json, sys, time
from hardmode.scenarios.load import load_scenario as load
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.run import make_engine as engine
scenario, player, games, threads, turns = sys.argv[1:]
made = engine(load(scenario, strategies=[player]).cells[0])
def took(games, threads):
    begun = time.perf_counter()
    Runner(made, 7, threads=threads).run(RunState(Tally(made.game)), games)
    return time.perf_counter() - begun
games, threads = int(games), int(threads)
took(games, threads)
print(json.dumps([took(games, 1) / took(games, threads) for _ in range(int(turns))]))
"""


SEARCHING = """
import json, sys, time
from hardmode.scenarios.load import load_scenario as load
from hardmode.sim.play.workspace import ROLLOUT_STEPS, STEPS
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core.run import make_engine as engine
scenario, player, repeats = sys.argv[1:]
def made(who):
    game = load(scenario, strategies=[who]).cells[0]
    return engine(game), Workspace(game.game)
def each(made, desk, games, first):
    out, begun = allocate_rows(made.game, games), time.thread_time()
    desk.totals[:] = 0
    made.play(desk, 7, first, first + games, out)
    took = time.thread_time() - begun
    return took / int(desk.totals[STEPS] + desk.totals[ROLLOUT_STEPS]), took
sides = []
for who in (player, f"search:200:{player}"):
    side, games = made(who), 1
    while each(*side, games, 0)[1] < 0.3: games *= 2
    sides.append((*side, games))
print(json.dumps([each(*sides[1], i)[0] / each(*sides[0], i)[0] for i in range(int(repeats))]))
"""


def threads(scenario: str, player: str, games: int, number: int) -> list[float]:
    """How many times as fast several threads are as one, by the clock."""
    return answered(PLAYING, scenario, player, games, number, WALLS)


REPORTING = """
import json, sys, time
from hardmode.sim.play.engine import Engine
from hardmode.cli import main
play, played = Engine.play, []
def timed(*args, **how):
    begun = time.thread_time()
    play(*args, **how)
    played.append(time.thread_time() - begun)
Engine.play = timed
sys.argv = ["hardmode", "report", sys.argv[1], "-o", sys.argv[2]]
try:
    main()
except SystemExit as ended:
    assert not ended.code
print(json.dumps(1 - sum(played) / time.process_time()))
"""


def processes(scenario: str, player: str, games: int) -> list[float]:
    """How many times as much two processes play as one in the same time, by the clock: what the machine has of two
    processors, which share their memory and their clock."""
    both = [Racer(ROOT, scenario, player) for _ in range(2)]
    found = [2 * _lasts(both[:1], games // 2) / _lasts(both, games // 2) for _ in range(WALLS)]
    for racer in both:
        racer.close()
    return found


def _lasts(racers: Sequence[Racer], games: int) -> float:
    begun = time.perf_counter()
    for racer in racers:
        racer.begin(0, games)
    for racer in racers:
        racer.end()
    return time.perf_counter() - begun


def report(scenario: str) -> float:
    """The share of its time that a report does not play."""
    with tempfile.TemporaryDirectory() as folder:
        return answered(REPORTING, scenario, folder)


def check(roots: Sequence[Path], games: Sequence[str]) -> tuple[float, float]:
    """What `check` of the scenarios that both versions ship takes, in times of the version before: of CPU, and by the
    clock. First with a game a cell, to warm up. Either may find that games moved, for the other's baselines are not
    its own."""
    named = [
        {
            f"{game}/{file.stem}"
            for game in games
            for file in (root / "scenarios" / game).glob("*.yaml")
            if (file.parent / "baselines" / f"{file.stem}.baseline").exists()
        }
        for root in roots
    ]
    words, took = ["-m", "hardmode", "check", *sorted(set.intersection(*named))], []
    for root in roots:
        cpu([*words, "--games", "1"], root, fine=(0, 1, 3))
    for root in roots:
        begun = time.perf_counter()
        took.append((cpu(words, root, fine=(0, 1, 3)), time.perf_counter() - begun))
    (cpu_before, before), (cpu_now, now) = took
    return cpu_now / cpu_before, now / before


COLD = (
    "import sys; from hardmode.scenarios.load import load_scenario; from hardmode.studies.core.run import make_engine\n"
    "make_engine(load(sys.argv[1], strategies=[sys.argv[2]]).cells[0])"
)


def held(game: str, roots: Sequence[Path], floors: Floors, parts: Sequence[str]) -> None:
    """What one game is held to."""
    asked = json.loads((ROOT / "tests/games" / game / "speed.json").read_text())
    scenario, player = asked["scenario"], asked["player"]
    print(f"\n{scenario}, played by {player}")
    if "faster" in parts and len(roots) > 1:
        floors.told("times as fast as the version before", race(roots, scenario, player), least=asked["faster"])
    if "start" in parts:
        begin = ("-m", "hardmode", "run", scenario, "--strategy", player, "--games", "1", "--json")
        cpu(begin)  # what is compiled is so before
        floors.told("a start with one game, CPU", [cpu(begin) for _ in range(STARTS)], most=START, unit=" s")
    if "memory" in parts and "megabytes" in asked:
        played = ("-m", "hardmode", "run", scenario, "--strategy", player, "--games", str(GAMES), "--json")
        cpu(played)
        floors.told(f"memory of {GAMES:,} games", [spent(played).ru_maxrss / 1024], most=asked["megabytes"], unit=" MB")
    if "pair" in parts:
        floors.told("a pair of a comparison, in games", answered(PAIRS_AND_GAMES, scenario, player, PAIRS), most=PAIR)
    if "search" in parts:
        floors.told("a step of search, in plain steps", answered(SEARCHING, scenario, player, STARTS), most=SEARCH)
    if "cold" in parts:
        with tempfile.TemporaryDirectory() as folder:
            floors.told(
                "compiling everything, CPU",
                [cpu(["-c", COLD, scenario, player], HARDMODE_CACHE=folder)],
                most=asked["cold_seconds"],
                unit=" s",
            )
    if "report" in parts:
        floors.told("a report outside of playing, share", [report(scenario)], most=REPORT)
    if "threads" in parts:
        _threads(scenario, player, asked, floors)


def _threads(scenario: str, player: str, asked: dict[str, Any], floors: Floors) -> None:
    racer = Racer(ROOT, scenario, player)
    games = int(_size(racer) / TURN)  # for a second
    racer.close()
    two = _beside(scenario, player, games, THREADS, floors)
    floors.told("sixteen threads, times one", threads(scenario, player, games, 16), least=0.97 * two)
    if "games_at_once" in asked:
        _beside(scenario, player, asked["games_at_once"], asked["at_once"], floors)


def _beside(scenario: str, player: str, games: int, least: float, floors: Floors) -> float:
    """Two threads are held to what two processes make of the machine, which no thread can get around. They are
    measured by turns, since what else goes on upon a machine comes and goes."""
    machine, two = [], []
    for _ in range(PAIRS):
        machine += processes(scenario, player, games)
        two += threads(scenario, player, games, 2)
    floors.told(f"two processes, {games:,} games, times one", machine)
    floors.told(f"two threads, {games:,} games, times one", two, least=min(1.0, statistics.median(machine) / 2) * least)
    return statistics.median(two)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    games = sorted(path.parent.name for path in (ROOT / "tests/games").glob("*/speed.json"))
    ask.add_argument("games", nargs="*", default=games, help="which games; all")
    ask.add_argument("--against", metavar="REV", help="a commit to play against")
    ask.add_argument(
        "--only",
        nargs="+",
        choices=PARTS,
        default=PARTS,
        metavar="PART",
        help=f"what is measured: {', '.join(PARTS)}; check only with --against",
    )
    ask.add_argument("--quick", action="store_true", help="leave out what takes minutes, and what is told by the clock")
    args = ask.parse_args()
    parts = [part for part in args.only if not args.quick or part in QUICK]
    if unknown := set(args.games) - set(games):
        ask.error(f"there are no floors for {', '.join(sorted(unknown))}; there are for {', '.join(games)}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {time.ctime()}")
    floors = Floors()
    if args.against:
        with version(args.against) as before:
            for game in args.games:
                held(game, [before, ROOT], floors, parts)
            if "check" in parts:
                print(f"\nall shipped scenarios of {', '.join(args.games)}")
                of_cpu, by_the_clock = check([before, ROOT], args.games)
                floors.told("check, in times of the version before", [of_cpu], most=CHECK)
                floors.told("and by the clock", [by_the_clock])
    else:
        for game in args.games:
            held(game, [ROOT], floors, parts)
    print(f"\n{len(floors.missed)} floors are missed" if floors.missed else "\nevery floor is held")
    return int(bool(floors.missed))


if __name__ == "__main__":
    sys.exit(main())
