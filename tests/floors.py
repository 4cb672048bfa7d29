"""Compares the speed of this tree with earlier versions: `make bench-check`, `make bench AGAINST=COMMIT`.

    python -m tests.floors [GAME ...] [--against COMMIT ...]

Both versions take turns, each with its own `tests/racer.py`, and everything is a ratio of CPU times, so that it holds
on any machine. Ends with 1 when a limit is missed. A game whose outcomes differ is not compared, as it does other work.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAIRS, TURNS, TURN_SECONDS = 3, 11, 0.2  # pairs of processes, turns of each, and CPU time of a turn
COMPILATIONS, COMMANDS = 2, 7  # of each version


class Limit(NamedTuple):
    """The least or the largest ratio that is accepted."""

    name: str
    bound: float
    at_least: bool = False

    def accepts(self, ratio: float) -> bool:
        return ratio >= self.bound if self.at_least else ratio <= self.bound


SPEED = Limit("games per second", 0.97, at_least=True)
COMPILING = Limit("CPU time of the first compilation", 1.25)
COMMAND = Limit("CPU time of a command that plays one game", 1.1)


@dataclass(frozen=True)
class Version:
    """A checkout of hardmode with an empty cache of its own."""

    root: Path
    cache: Path

    def start(self, *command: str, cache: Path | None = None, **streams: Any) -> subprocess.Popen:
        env = {**os.environ, "PYTHONPATH": str(self.root), "HARDMODE_CACHE": str(cache or self.cache)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are imported as by users
        return subprocess.Popen([sys.executable, "-W", "ignore", *command], cwd=self.root, env=env, **streams)

    def measure_cpu(self, *command: str, cache: Path | None = None) -> float:
        """Return the seconds of CPU time that a command takes, with all processes that it waits for."""
        process = self.start(*command, cache=cache, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{self.root}: {' '.join(command)} ended with {process.returncode}")
        return usage.ru_utime + usage.ru_stime


class Racer:
    """A version that plays in a process of its own."""

    def __init__(self, version: Version, scenario: str, player: str) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = version.start("tests/racer.py", scenario, player, **pipes)
        self._read()

    def play(self, first: int, games: int) -> dict[str, Any]:
        """Play some games; return the seconds and the digest of their outcomes."""
        print(json.dumps([first, games]), file=self.process.stdin, flush=True)
        return self._read()

    def count_games(self, seconds: float) -> int:
        """Return how many games take about so many seconds."""
        games = 1
        while self.play(10**9, games)["seconds"] < seconds / 2:
            games *= 2
        return games

    def close(self) -> None:
        self.process.communicate()

    def _read(self) -> Any:
        line = self.process.stdout.readline()
        if not line:
            sys.exit("a version does not play")
        return json.loads(line)


@contextmanager
def open_version(commit: str = "") -> Iterator[Version]:
    """Yield the files of a commit, or this tree, with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="hardmode-") as folder, tempfile.TemporaryDirectory() as cache:
        if commit:
            command = ["git", "archive", "--format=zip", commit]
            files = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            with zipfile.ZipFile(BytesIO(files.stdout)) as archive:
                archive.extractall(folder)
        yield Version(Path(folder) if commit else ROOT, Path(cache))


def compare_compiling(versions: Sequence[Version], scenario: str, player: str) -> list[float]:
    """Return ratios of the CPU time, now / before, until all is compiled from an empty cache."""
    ratios = []
    for _ in range(COMPILATIONS):
        seconds = []
        for version in versions:
            with tempfile.TemporaryDirectory() as cache:
                seconds.append(version.measure_cpu("tests/racer.py", scenario, player, cache=Path(cache)))
        ratios.append(seconds[1] / seconds[0])
    return ratios


def compare_speed(versions: Sequence[Version], scenario: str, player: str) -> list[float]:
    """Return ratios of the games per second, now / before; none if games end differently."""
    ratios = []
    for version in versions:
        version.measure_cpu("tests/racer.py", scenario, player)  # what was just compiled is not measured
    for _ in range(PAIRS):
        racers = [Racer(version, scenario, player) for version in versions]
        games = racers[0].count_games(TURN_SECONDS)
        for turn in range(TURNS):
            before, now = (racer.play(turn * games, games) for racer in racers)
            ratios.append(before["seconds"] / now["seconds"] if before["digest"] == now["digest"] else 0)
        for racer in racers:
            racer.close()
    return ratios if all(ratios) else []


def compare_commands(versions: Sequence[Version], scenario: str, player: str) -> list[float]:
    """Return ratios of the CPU time, now / before, of a command that plays one game."""
    command = ("-m", "hardmode", "run", scenario, "--strategy", player, "--games", "1", "--json")
    for version in versions:
        version.measure_cpu(*command)
    ratios = []
    for _ in range(COMMANDS):
        before, now = (version.measure_cpu(*command) for version in versions)
        ratios.append(now / before)
    return ratios


def judge(limit: Limit, ratios: Sequence[float]) -> bool:
    """Print the median of the ratios beside their limit; return whether it is met."""
    ratio = statistics.median(ratios)
    sign = ">=" if limit.at_least else "<="
    missed = "" if limit.accepts(ratio) else "   MISSED"
    spread = f"{min(ratios):.3f} .. {max(ratios):.3f}, n = {len(ratios)}"
    print(f"  {limit.name:45} x {ratio:.3f} ({spread}) {sign} {limit.bound}{missed}", flush=True)
    return not missed


def compare_game(versions: Sequence[Version], scenario: str, player: str) -> bool:
    """Compare all that is limited in one game; return whether the limits are met."""
    speed = compare_speed(versions, scenario, player)
    if not speed:
        print("  games end differently, so nothing is compared", flush=True)
        return True
    met = [judge(SPEED, speed)]
    met.append(judge(COMPILING, compare_compiling(versions, scenario, player)))
    met.append(judge(COMMAND, compare_commands(versions, scenario, player)))
    return all(met)


def list_games() -> dict[str, dict[str, str]]:
    """Return the scenario and the player that are compared, by game."""
    files = sorted((ROOT / "tests/games").glob("*/speed.json"))
    return {file.parent.name: json.loads(file.read_text()) for file in files}


def main(words: Sequence[str] | None = None) -> int:
    games = list_games()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help=f"of {', '.join(games)}; all if none is given")
    parser.add_argument("--against", nargs="+", metavar="COMMIT", default=["HEAD~1"], help="the parent if not given")
    args = parser.parse_args(words)
    if unknown := set(args.games) - set(games):
        parser.error(f"no speed.json for {', '.join(sorted(unknown))}; there are {', '.join(games)}")
    met = []
    for commit in args.against:
        with open_version(commit) as before, open_version() as now:
            for name in args.games or games:
                print(f"{games[name]['scenario']}, played by {games[name]['player']}, in times of {commit}", flush=True)
                met.append(compare_game([before, now], **games[name]))
    print("every limit is met" if all(met) else "a limit is missed")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
