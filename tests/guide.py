"""Run the files and commands of docs/guide.md, and compare or update the outputs that the page shows.

`python -m tests.guide` (`make guide`) updates the outputs and pictures of the page; tests/test_guide.py compares them.

In the page, a block that begins with "```yaml NAME" is a file. A block "```console" holds commands after "$ ", each
with its output; a line "..." stands for any omitted lines. Only the long tests run "```console slow". An exit code
other than 0 must be announced: "$ hardmode check mine.yaml  # exit code 1".
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

HOME = Path(__file__).parents[1]
PAGE = HOME / "docs" / "guide.md"
PICTURES = {"matters.png": "matters/tornado.png", "traps.png": "solved/curve.png"}
COLUMNS = "100"
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "..."
FRAME = re.compile("[━─┃│┏┳┓┡╇┩┌┬┐├┼┤└┴┘█▏▎▍▌▋▊▉]+")
NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?")
# depends on the speed of the machine
TIMED = re.compile(r"[\d.,]+ (games in [\d.,]+ s|s|seconds|games/s|games end as accepted)\b")
DIGEST = re.compile(r"\b[0-9a-f]{16}\b")
RELATIVE_TOLERANCE = 0.1  # numbers may differ by this share, or by the following; another seed would move them as much
ABSOLUTE_TOLERANCE = 3.0


@dataclass
class Step:
    """A file to write, or a command with the output that the page shows."""

    kind: str  # file or command
    what: str  # the name of the file, or the command line
    shown: str
    slow: bool = False
    code: int = 0


def parse_steps(page: str) -> Iterator[Step]:
    for language, info, body in BLOCK.findall(page):
        if language == "yaml" and info.strip():
            yield Step("file", info.strip(), body)
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, shown = part.partition("\n")
                command, _, note = line.partition("  #")
                ends = re.search(r"exit code (\d)", note)
                yield Step("command", command.strip(), shown, "slow" in info, int(ends[1]) if ends else 0)


def run_steps(page: str, folder: Path, slow: bool) -> Iterator[tuple[Step, str]]:
    """Run the steps of the page in a folder, and yield each command with its output."""
    for step in parse_steps(page):
        if step.kind == "file":
            (folder / step.what).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.what).write_text(step.shown)
        elif slow or not step.slow:
            code, output = run_command_line(step.what.split(" ", 1)[0], step.what, folder)
            assert code == step.code, f"{step.what} ends with {code}, not {step.code}:\n{output}"
            yield step, output


def run_command_line(program: str, command: str, folder: Path) -> tuple[int, str]:
    """Return the exit code and the output of a command; hardmode runs in this process, which saves its start."""
    words = shlex.split(command)
    if program != "hardmode":
        env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(words, cwd=folder, text=True, capture_output=True, timeout=600, env=env)
        return done.returncode, done.stdout
    from hardmode import cli
    from hardmode.reports.exit_codes import run_command

    stdout, here, argv = io.StringIO(), os.getcwd(), sys.argv
    os.chdir(folder)
    sys.argv = words
    try:
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(io.StringIO()) as stderr:
            code = run_command(cli.app)
    finally:
        os.chdir(here)
        sys.argv = argv
    return code, stdout.getvalue() or stderr.getvalue()


def split_line(line: str) -> list[str]:
    """Split a line into words and numbers, without frames, times and digests."""
    plain = DIGEST.sub("DIGEST", TIMED.sub(r"TIME \1", FRAME.sub(" ", line)))
    return re.findall(rf"{NUMBER.pattern}|[^\s\d]+", plain)


def is_same_line(shown: str, now: str) -> bool:
    a, b = split_line(shown), split_line(now)
    return len(a) == len(b) and all(x == y or _near(x, y) for x, y in zip(a, b, strict=True))


def _near(x: str, y: str) -> bool:
    if not NUMBER.fullmatch(x) or not NUMBER.fullmatch(y):
        return False
    a, b = (float(n.replace(",", "").replace("−", "-")) for n in (x, y))
    return abs(a - b) <= max(ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE * abs(a))


def find_difference(shown: str, now: str) -> str:
    """Return a message about the first difference between the shown and the printed lines, or an empty string."""
    lines = [line for line in now.splitlines() if split_line(line)]
    position, may_skip = 0, False
    for line in shown.splitlines():
        if line.strip() == LEFT_OUT:
            may_skip = True
        elif split_line(line):
            hits = (i for i in range(position, len(lines)) if is_same_line(line, lines[i]))
            hit = next(hits, None)
            if hit is None or (hit > position and not may_skip):
                printed = lines[position] if position < len(lines) else "nothing more"
                return f"{line!r} where {printed!r} is printed"
            position, may_skip = hit + 1, False
    return "" if may_skip or position == len(lines) else f"{lines[position]!r} is printed and not shown"


def update_page(page: str, outputs: Sequence[str]) -> str:
    """Return the page with new outputs of its commands."""
    remaining = iter(outputs)

    def update_block(match: re.Match[str]) -> str:
        language, info, body = match.groups()
        if language != "console":
            return match[0]
        pieces = re.split(r"^(\$ .*\n)", body, flags=re.MULTILINE)[1:]
        text = ""
        for line, shown in zip(pieces[::2], pieces[1::2], strict=True):
            text += line + _select_lines(shown, next(remaining))
        return f"```{language}{info}\n{text}```"

    return BLOCK.sub(update_block, page)


def _select_lines(shown: str, now: str) -> str:
    """Return the printed lines; if the page omits lines, only those that are most similar to the shown ones."""
    lines = [line.rstrip() for line in now.rstrip("\n").splitlines()]
    if LEFT_OUT not in shown.splitlines():
        return "".join(f"{line}\n" for line in lines)
    selected, position = list[str](), 0
    for line in shown.rstrip("\n").splitlines():
        if line == LEFT_OUT:
            selected.append(line)
            continue
        similarities = [SequenceMatcher(None, line, other).ratio() for other in lines[position:]]
        position += similarities.index(max(similarities)) + 1
        selected.append(lines[position - 1])
    return "".join(f"{line}\n" for line in selected)


def main() -> None:
    page = PAGE.read_text()
    os.environ["COLUMNS"] = COLUMNS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        PAGE.write_text(update_page(page, [output for _, output in run_steps(page, folder, slow=True)]))
        for picture, source in PICTURES.items():
            (PAGE.parent / "guide").mkdir(exist_ok=True)
            shutil.copy(folder / source, PAGE.parent / "guide" / picture)
        take_screenshot(folder / "report" / "index.html", PAGE.parent / "guide" / "report.png")


def take_screenshot(page: Path, picture: Path) -> None:
    """Take a picture of the first screen of a page, if there is a browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser:
        subprocess.run([browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,1000",
                        f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
