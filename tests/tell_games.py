"""Tell games in node, by the code of the page's second Worker, and compare them with `hardmode replay`.

    python -m tests.tell_games [--games 20] [GAME ...]
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Any

from hardmode.reports.page.play import data as play_data
from hardmode.reports.page.play.interpreter import load_interpreter
from hardmode.scenarios.load import Variant, load_scenario
from hardmode.sim import replay
from hardmode.sim.contract import discovery, load_game
from hardmode.sim.play.engine import Engine
from tests.play_modules import NODE

TEMPLATES = Path(play_data.__file__).parents[1] / "templates"
SEED = 7

# Loads the Worker's module, gives it its messages from a file, and prints all that it posts.
RUNNER = """
import fs from "fs";
const {worker, messages} = JSON.parse(fs.readFileSync(process.env.TELLER_FILE));
globalThis.self = {location: {href: worker}, postMessage: (answer) => console.log(JSON.stringify(answer))};
await import(worker);
for (const {start, ask} of messages) {
  await self.onmessage({data: {start, ask}});
  console.log(JSON.stringify({done: true}));
}
"""


RUN_CODE = """
import fs from "fs";
const {loader, binary, code} = JSON.parse(fs.readFileSync(process.env.TELLER_FILE));
globalThis.self = {location: {href: loader}};
await import(loader);
const python = await loadMicroPython({wasmBinary: Buffer.from(binary, "base64"), stdout: (text) => console.log(text)});
python.runPython(code);
"""


def run_node(folder: str, script: str, data: Any) -> list[str]:
    """Return the lines that a script prints in node; it finds its data in a file."""
    runner, file = Path(folder, "runner.mjs"), Path(folder, "data.json")
    runner.write_text(script)
    file.write_text(json.dumps(data))
    done = subprocess.run([NODE, str(runner)], capture_output=True, text=True, env={"TELLER_FILE": str(file)})
    assert not done.returncode, done.stderr[-3000:]
    return done.stdout.splitlines()


def run_micropython(code: str) -> list[str]:
    """Return the lines that code prints in MicroPython."""
    packed = {name: zlib.decompress(base64.b64decode(text)) for name, text in load_interpreter().items()}
    with tempfile.TemporaryDirectory() as folder:
        loader = Path(folder, "loader.mjs")
        loader.write_bytes(packed["loader"] + b"\nglobalThis.loadMicroPython = loadMicroPython;")
        binary = base64.b64encode(packed["binary"]).decode()
        return run_node(folder, RUN_CODE, {"loader": loader.as_uri(), "binary": binary, "code": code})


def tell_in_node(data: dict, level: str, asked: list[dict], patch: Any = ((), ())) -> list[list[dict]]:
    """Return what the Worker posts for each message, with the data of a page."""
    interpreter = load_interpreter()
    start = {"data": data, "level": level, "patch": patch, "interpreter": interpreter["binary"]}
    messages = [{"start": start, "ask": asked[0]}, *({"ask": one} for one in asked[1:])]
    with tempfile.TemporaryDirectory() as folder:
        parts = [zlib.decompress(base64.b64decode(interpreter["loader"])).decode()]
        parts += [(TEMPLATES / name).read_text() for name in ("play_worker.js", "play_teller.js")]
        worker = Path(folder, "worker.mjs")
        worker.write_text("\n".join(parts))
        lines = run_node(folder, RUNNER, {"worker": worker.as_uri(), "messages": messages})
    answers: list[list[dict]] = [[]]
    for line in lines:
        answer = json.loads(line)
        if "done" in answer:
            answers.append([])
        else:
            answers[-1].append(answer)
    return answers[:-1]


def join_lines(answers: list[dict]) -> str:
    """Return the text of a game as the page tells it."""
    assert not [one for one in answers if "error" in one], answers[-1]
    return "\n".join(line for one in answers for line in one.get("lines", ()))


def tell_natively(cell: Variant, level: str, number: int) -> str:
    """Return the text of a game as `hardmode replay` prints it."""
    engine = Engine(cell.game, cell.box, play_data.list_seated_players(cell)[level])
    return "\n".join(replay.sentences(replay.story(engine, SEED, number), cell.game.load_words()))


def compare_game(name: str, games: int, level: str = "steady") -> list[int]:
    """Return the numbers of the games that the page tells in other words than `hardmode replay`."""
    scenario = load_scenario(f"{name}/{load_game(name).standard}")
    _, data = play_data.make_play_data(scenario, (), {}, SEED)
    told = tell_in_node(data, level, [{"show": number, "worlds": 0} for number in range(games)])
    native = [tell_natively(scenario.cells[0], level, number) for number in range(games)]
    return [number for number in range(games) if join_lines(told[number]) != native[number]]


def main() -> int:
    """Compare games and return the exit code: 1 if any differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=discovery.list_shipped_games())
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    differs = False
    for name in given.names:
        different = compare_game(name, given.games)
        differs |= bool(different)
        print(f"{name:12} {given.games} games: {f'DIFFERENT {different}' if different else 'equal'}", flush=True)
    return int(differs)


if __name__ == "__main__":
    raise SystemExit(main())
