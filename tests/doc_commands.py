"""Commands in README.md and the pages of docs/: find them, parse them, and play them with small budgets.

Words in capitals stand for names: those of the table of games in README.md, or those of `NAMES`. When commands are
played, the budgets of `BUDGETS` replace those that the page names; a command without a budget gets one.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from typer.main import get_command

from hardmode import cli
from hardmode.reports.cli_types import UsageError
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract.discovery import list_shipped_games
from hardmode.strategies.registry import create_player

HOME = Path(__file__).parents[1]
PAGES = sorted([HOME / "README.md", HOME / "CONTRIBUTING.md", HOME / "sim/games/trapwords/calibrate/README.md",
                *(HOME / "docs").rglob("*.md"), *(HOME / "examples").rglob("*.md")])
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"\s+#\s.*")
PROMPT = re.compile(r"^(\$ )?([A-Z_]+=\S* +)*")  # with the environment variables before a command
PLACEHOLDER = re.compile(r"(?<![\w$])[A-Z]{4,}(?!\w)")
SHELL = re.compile(r"(?:\.venv/bin/)?(hardmode|make|python|pytest) ")

# What words in capitals stand for where they do not come from the table of games.
NAMES = {"GAME": "run_run_run", "LEVEL": "steady", "CHANGE": "torches.start=-1", "FILE": "night.json", "NAME": "run",
         "PATH": "tokens.trap", "FOLDER": "players", "VALUE": "1"}
SMALL = {"--games": "50", "--seconds": "1", "--generations": "1", "--playouts": "40", "--retrain": "1"}
# Budgets of commands that need more to answer at all; and those that are added where a page names none.
BUDGETS: dict[str, dict[str, str]] = {
    "accept": {"--games": "500"}, "check": {"--games": "500"}, "bisect": {"--games": "500"}, "fit": {"--games": "60"},
    "solve": {"--games": "300"}, "report": {"--games": "100"}, "compare": {"--games": "200"},
    "decided": {"--games": "20"}, "check-game": {"--games": "50"},
}
ADDED = {"run": "--games", "report": "--games", "compare": "--games", "audit": "--games", "luck": "--games",
         "bound": "--games", "decided": "--games", "choices": "--games", "sensitivity": "--games",
         "uncertainty": "--seconds", "solve": "--games", "fit": "--games", "accept": "--games", "check": "--games",
         "bisect": "--games"}


@dataclass(frozen=True)
class Command:
    """A command of hardmode on a page.

    Attributes:
        page: The page, relative to the project.
        text: The command line as it is printed there.
        words: The words after `hardmode`, with names for words in capitals.
    """

    page: str
    text: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.words[0]

    def __str__(self) -> str:
        return f"{self.page}: {self.text}"


def list_lines(page: Path) -> Iterator[str]:
    """Yield the lines of code blocks and the inline code of a page that may be commands."""
    text = page.read_text("utf-8")
    for language, block in FENCE.findall(text):
        if language in ("", "console"):
            yield from block.replace("\\\n", " ").splitlines()
    prose = FENCE.sub("", text)
    yield from (line.strip() for line in re.findall(r"^    .+", prose, re.MULTILINE))
    yield from (" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose))


def list_shell_lines(page: Path) -> list[tuple[str, str]]:
    """Return the programs and the command lines of a page, without prompts, comments and variables."""
    lines = []
    for line in list_lines(page):
        plain = PROMPT.sub("", COMMENT.sub("", line))
        if match := SHELL.match(plain + " "):
            lines.append((match[1], plain[match.start(1):].strip()))
    return lines


def read_games() -> list[dict[str, str]]:
    """Return what the words in capitals stand for, for each game of the table in README.md."""
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")]
            for line in (HOME / "README.md").read_text().splitlines() if line.startswith("| ")]
    start = next(i for i, row in enumerate(rows) if row[0] == "game")
    words = ["game", *(PLACEHOLDER.findall(cell)[0] for cell in rows[start][1:])]
    games = [dict(zip(words, row, strict=True)) for row in rows[start + 1:start + 5]]
    return [{**NAMES, **game, "GAME": game["SCENARIO"].partition("/")[0]} for game in games]


def replace_names(text: str, names: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: names.get(match[0], match[0]), text)


def list_commands(page: Path) -> list[Command]:
    """Return the commands of a page; those of README.md for each game."""
    games = read_games()
    found = {}
    for program, line in list_shell_lines(page):
        if program != "hardmode" or line.startswith("hardmode COMMAND") or len(line.split()) == 1:
            continue
        for names in games if page.name == "README.md" and page.parent == HOME else games[:1]:
            words = tuple(shlex.split(replace_names(line, names)))[1:]
            found[words] = Command(str(page.relative_to(HOME)), line, words)
    return list(found.values())


def parse_command(words: tuple[str, ...]) -> Any:
    """Return the context in which a command line would be run.

    Raises:
        click.UsageError: The command or an option does not exist, or a value cannot be read.
    """
    group = get_command(cli.app)
    name, rest = words[0], list(words[1:])
    context = group.make_context("hardmode", list(words), resilient_parsing=True)
    command = group.get_command(context, name)
    assert command is not None, f"there is no command {name}"
    return command.make_context(name, rest, parent=context)


def list_options() -> set[str]:
    """Return the options of all commands."""
    commands = get_command(cli.app).commands.values()
    options = [option for command in commands for option in command.params]
    names = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    return names | {"--help", "--version"}


def with_small_budget(words: tuple[str, ...]) -> list[str]:
    """Return a command line with small budgets."""
    budgets = {**SMALL, **BUDGETS.get(words[0], {})}
    if "expert" in words:
        budgets["--games"] = "2"
    small = list(words)
    if words[0] == "train":  # in a second no generation is played
        small = [*("--generations" if word == "--seconds" else word for word in words), "--games", "50"]
    for i, word in enumerate(small[:-1]):
        if word in budgets:
            small[i + 1] = budgets[word]
    added = ADDED.get(words[0])
    if added and not {"--games", "--seconds", "--plan", "--precision", "--help", added} & set(small):
        small += [added, budgets[added]]
    if "--odds" in words:
        small += ["--playouts", SMALL["--playouts"]]
    if "--adapt" in words:
        small += ["--generations", "1"]
    if words[0] == "check-game":
        small += ["--quick"]
    return small


def run(words: list[str], folder: Path, typed: str = "quit\n") -> tuple[int, str]:
    """Run hardmode in this process and in a folder, and return its exit code and what it printed."""
    import sys

    from hardmode.reports.exit_codes import run_command

    here, argv, stdin = os.getcwd(), sys.argv, sys.stdin
    stdout, stderr = io.StringIO(), io.StringIO()
    os.chdir(folder)
    sys.argv, sys.stdin = ["hardmode", *words], io.StringIO(typed)
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            code = run_command(cli.app)
    finally:
        os.chdir(here)
        sys.argv, sys.stdin = argv, stdin
    return code, stdout.getvalue() + stderr.getvalue()


def is_complete(command: Command) -> bool:
    """Whether a command can be run as it is; a mention in a sentence may lack the scenario."""
    try:
        parse_command(command.words)
    except UsageError as error:
        if type(error).__name__ != "MissingParameter":
            raise
        return False
    return True


def check_command(command: Command) -> None:
    """Check that a command, its options, and the shipped scenarios, changes and strategies that it names exist.

    Raises:
        Exception: They do not.
    """
    command = replace(command, words=tuple(with_small_budget(command.words)))
    if not is_complete(command) or command.page.startswith("docs/rules"):
        return
    context = parse_command(command.words)
    given = context.params
    arguments = [given[one.name] for one in context.command.params if one.param_type_name == "argument"]
    names = [str(name) for value in arguments for name in (value if isinstance(value, (list, tuple)) else [value])]
    for name in names:
        game = name.partition("/")[0]
        if "/" not in name or game not in list_shipped_games() or name.endswith("..."):
            continue
        for changes in (given.get("sets") or [], given.get("sets_b") or []):
            load_scenario(name, list(changes))
        for option in [*(given.get("strategy") or []), *(given.get("strategy_b") or [])]:
            if "." not in option:
                create_player(game, option)
        paths = set(load_parameters(game))
        for lever in given.get("by") or []:
            pattern = re.escape(lever.partition("=")[0]).replace(r"\*", r"[^.]+")
            assert any(re.fullmatch(pattern, path) for path in paths), f"{name} has no number {lever}"


FILES = {
    "mine.yaml": "game: run_run_run\ntitle: Ours\nplayers: 2\nexpect: {win_rate: 20% .. 80%}\n",
    "another.yaml": "game: run_run_run\ntitle: Theirs\nplayers: 3\n",
    "mygrid.yaml": "game: run_run_run\ntitle: Traps\nsweep: {tokens.trap: [1, 3]}\n",
    "mybox.yaml": "game: run_run_run\n.source: rulebook\n.from: ours\ntokens: {trap: 3}\n",
}
STANDARD = "run_run_run/standard"
# Commands that write what others read.
FIRST = {
    "fit.yaml": f"fit {STANDARD} plays.csv --games 60 -o fit.yaml",
    "result.json.gz": f"run {STANDARD} --games 50 -o result.json.gz",
    "night.json": f"run {STANDARD} --games 50 -o night.json",
    "trained": "train my_game/standard --strategy steady --generations 1 --games 50 "
               "-o games/my_game/players/trained.yaml",
}


def write_files(folder: Path) -> None:
    """Write the folders that commands on the pages read."""
    from hardmode.reports.new import write_new_file

    (folder / "docs").mkdir()
    (folder / "examples").symlink_to(HOME / "examples")
    shutil.copytree(HOME / "docs/project", folder, dirs_exist_ok=True)
    write_new_file("game", "my_game", folder / "games")


def restore_files(folder: Path, words: Sequence[str]) -> None:
    """Write the files that a command reads, and remove the one that it writes."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    for name in ("plays.csv", "docs/simulated-plays.csv"):
        shutil.copy(HOME / "docs/simulated-plays.csv", folder / name)
    if words[0] == "fit" and words[1] != STANDARD:
        (folder / "plays.csv").write_text("won\n" + "yes\nno\nno\n" * 6)
    blocks = re.findall(r"```python\n(.*?)```", (HOME / "docs/your-own.md").read_text(), re.DOTALL)
    (folder / "mine.py").write_text(next(block for block in blocks if block.startswith("# mine.py")))
    shutil.copy(HOME / "strategies/run_run_run/players/trained.yaml", folder / "player.yaml")
    if "-o" in words:
        (folder / words[words.index("-o") + 1]).unlink(missing_ok=True) if words[-1] != "games" else None
    for name, command in FIRST.items():
        needs = name in words and words[words.index(name) - 1] != "-o"
        if needs and (name != "trained" or "my_game/standard" in words):
            run(shlex.split(command), folder)
    if words[0] in ("check", "history", "bisect"):
        scenarios = [word for word in words if word.endswith("mine.yaml")]
        for scenario in scenarios:
            run(["accept", scenario, "--games", "500", "--reason", "first"], folder)
    if words[0] in ("history", "bisect") and not (folder / ".git").exists():
        commit_twice(folder)


def commit_twice(folder: Path) -> None:
    """Make the folder a repository with a version v1.0 and another commit."""
    git = ["git", "-c", "user.name=designer", "-c", "user.email=designer@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"], ["tag", "v1.0"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    (folder / "mine.yaml").write_text(FILES["mine.yaml"] + "rules: {tokens.trap: 6}\n")
    subprocess.run([*git, "commit", "-qam", "six traps"], cwd=folder, check=True)
