"""docs/guide.md is played: its files are written, its commands run, and what they print is what the page shows.

`python -m tests.guide` writes the page's outputs and pictures anew (`make guide`); tests/test_guide.py compares.

In the page, a block whose first line is "```yaml NAME" is a file; "```console" holds commands after "$ ", each with
what it prints; a line "..." there stands for any lines that are left out. "```console slow" is played by the long
tests alone. A command may end with 1 or 3 where the page says so: "$ hardmode check mine.yaml   # exit code 1".
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
# what hangs on the machine's pace
TIMED = re.compile(r"[\d.,]+ (games in [\d.,]+ s|s|seconds|games/s|games end as accepted)\b")
DIGEST = re.compile(r"\b[0-9a-f]{16}\b")
NEAR = 0.1  # numbers may be off by this share, or by
UNITS = 3.0  # so many units: another seed would move them as much


@dataclass
class Step:
    """A file that is written, or a command with what the page shows of it."""

    kind: str  # file, or command
    what: str  # its name, or its words
    shown: str
    slow: bool = False
    code: int = 0


def steps(page: str) -> Iterator[Step]:
    for language, info, body in BLOCK.findall(page):
        if language == "yaml" and info.strip():
            yield Step("file", info.strip(), body)
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, shown = part.partition("\n")
                command, _, note = line.partition("  #")
                ends = re.search(r"exit code (\d)", note)
                yield Step("command", command.strip(), shown, "slow" in info, int(ends[1]) if ends else 0)


def played(page: str, folder: Path, slow: bool) -> Iterator[tuple[Step, str]]:
    """Do what the page does, in a folder; what each command prints."""
    for step in steps(page):
        if step.kind == "file":
            (folder / step.what).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.what).write_text(step.shown)
        elif slow or not step.slow:
            code, said = run(step.what.split(" ", 1)[0], step.what, folder)
            assert code == step.code, f"{step.what} ends with {code}, not {step.code}:\n{said}"
            yield step, said


def run(program: str, command: str, folder: Path) -> tuple[int, str]:
    """What a command ends with and prints; hardmode is played in this process, which saves its start."""
    words = shlex.split(command)
    if program != "hardmode":
        env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(words, cwd=folder, text=True, capture_output=True, timeout=600, env=env)
        return done.returncode, done.stdout
    from hardmode import cli
    from hardmode.reports.exit_codes import run_command

    said, here, argv = io.StringIO(), os.getcwd(), sys.argv
    os.chdir(folder)
    sys.argv = words
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as err:
            code = run_command(cli.app)
    finally:
        os.chdir(here)
        sys.argv = argv
    return code, said.getvalue() or err.getvalue()


def parts(line: str) -> list[str]:
    """A line as words and numbers, without frames, times and digests."""
    plain = DIGEST.sub("DIGEST", TIMED.sub(r"TIME \1", FRAME.sub(" ", line)))
    return re.findall(rf"{NUMBER.pattern}|[^\s\d]+", plain)


def same_line(shown: str, now: str) -> bool:
    a, b = parts(shown), parts(now)
    return len(a) == len(b) and all(x == y or _near(x, y) for x, y in zip(a, b, strict=True))


def _near(x: str, y: str) -> bool:
    if not NUMBER.fullmatch(x) or not NUMBER.fullmatch(y):
        return False
    a, b = (float(n.replace(",", "").replace("−", "-")) for n in (x, y))
    return abs(a - b) <= max(UNITS, NEAR * abs(a))


def differing(shown: str, now: str) -> str:
    """The first line that is shown and not printed, in order; nothing where all is as shown."""
    lines = [line for line in now.splitlines() if parts(line)]
    at, anywhere = 0, False
    for line in shown.splitlines():
        if line.strip() == LEFT_OUT:
            anywhere = True
        elif parts(line):
            found = next((i for i in range(at, len(lines)) if same_line(line, lines[i])), None)
            if found is None or (found > at and not anywhere):
                return f"{line!r} where {lines[at] if at < len(lines) else 'nothing more'!r} is printed"
            at, anywhere = found + 1, False
    return "" if anywhere or at == len(lines) else f"{lines[at]!r} is printed and not shown"


def written(page: str, outputs: Sequence[str]) -> str:
    """The page with what its commands print now."""
    waiting = iter(outputs)

    def block(found: re.Match[str]) -> str:
        language, info, body = found.groups()
        if language != "console":
            return found[0]
        parted = re.split(r"^(\$ .*\n)", body, flags=re.MULTILINE)[1:]
        told = (f"{line}{_cut(shown, next(waiting))}" for line, shown in zip(parted[::2], parted[1::2], strict=True))
        return f"```{language}{info}\n{''.join(told)}```"

    return BLOCK.sub(block, page)


def _cut(shown: str, now: str) -> str:
    """What is printed now: of an output of which lines are left out, the lines that are nearest to those shown."""
    lines = [line.rstrip() for line in now.rstrip("\n").splitlines()]
    if LEFT_OUT not in shown.splitlines():
        return "".join(f"{line}\n" for line in lines)
    kept, at = list[str](), 0
    for line in shown.rstrip("\n").splitlines():
        if line != LEFT_OUT:
            at = max(range(at, len(lines)), key=lambda i, line=line: SequenceMatcher(None, line, lines[i]).ratio())
            line, at = lines[at], at + 1
        kept.append(line)
    return "".join(f"{line}\n" for line in kept)


def main() -> None:
    page = PAGE.read_text()
    os.environ["COLUMNS"] = COLUMNS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        PAGE.write_text(written(page, [said for _, said in played(page, folder, slow=True)]))
        for picture, source in PICTURES.items():
            (PAGE.parent / "guide").mkdir(exist_ok=True)
            shutil.copy(folder / source, PAGE.parent / "guide" / picture)
        photograph(folder / "report" / "index.html", PAGE.parent / "guide" / "report.png")


def photograph(page: Path, picture: Path) -> None:
    """The first screen of a page, where there is a browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser:
        subprocess.run([browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,1000",
                        f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
