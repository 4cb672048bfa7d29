"""New files to start from: a box, a scenario, a strategy, a game, or a table of plays.

Each can be used as it is written.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from hardmode.reports.new import box, plays, scenario
from hardmode.reports.new.strategy import fill_template, make_strategy_template
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract.discovery import PATH, list_games
from hardmode.sim.files.atomic_files import OutputError, convert_os_errors, write_atomically
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.yaml_io.errors import find_nearest_names

# Templates of the files of the game NAME.
PACKAGE = {
    "__init__.py": "rules",
    "words.py": "words",
    "strategies.py": "strategies",
    "scenarios/box.yaml": "box",
    "scenarios/standard.yaml": "standard",
    "tests/invariants.py": "invariants",
    "tests/test_NAME.py": "test",
    "players/README.md": "players",
}
ONE_FILE: dict[str, Callable[[str], str]] = {
    "box": box.make_box_template,
    "scenario": scenario.make_scenario_template,
    "strategy": make_strategy_template,
}
KINDS = (*ONE_FILE, "game", "plays")


class NewError(ValueError):
    """A new file cannot be written."""


def write_new_file(kind: str, name: str, out: Path | None, known: Path | None = None) -> str:
    """Write a new file and return how to use it, or return its text if no file is named.

    Args:
        kind: One of `KINDS`.
        name: Name of the game; for a table of plays, of the scenario.
        out: The file to write; for a game, the folder that will contain its package.
        known: Answer of `sensitivity` or `uncertainty` as JSON, by which the numbers of a box are
            ordered.

    Raises:
        NewError: The kind is unknown, or a file exists already.
    """
    if known and kind != "box":
        raise NewError(f"--known {known}: only the numbers of a box can be ordered")
    if kind == "game":
        return _write_package(name, out)
    if kind == "plays":
        return _write_plays(name, out)
    if kind not in ONE_FILE:
        nearest = find_nearest_names(kind, KINDS)
        hint = f"the kinds are {', '.join(KINDS)}"
        if nearest:
            hint = f"did you mean {' or '.join(nearest)}?"
        raise NewError(f"there is no new {kind!r}; {hint}")
    game = load_labeled_game(name).name
    text = ONE_FILE[kind](game)
    if known:
        text = box.make_box_template(game, _read_influence(known, game))
    if out is None:
        return text
    _write_files({out: text})
    return f"{shorten_path(out)} is written; use it with: {_suggest_command(kind, name, out)}"


def _write_plays(scenario_name: str, out: Path | None) -> str:
    """Write the header of a table of plays."""
    text = plays.make_plays_header(scenario_name)
    if out is None:
        return text
    if out.suffix.lower() != ".csv":
        raise NewError(f"{shorten_path(out)}: a table of plays must be a .csv file")
    _write_files({out: text})
    return (
        f"{shorten_path(out)} is written; add a row for each played game, then run: "
        f"hardmode fit {scenario_name} {out}"
    )


def _read_influence(file: Path, game: str) -> dict[str, float]:
    """Return the influence of numbers and groups by path, from an answer of another command."""
    option = f"--known {shorten_path(file)}"
    influence = {}
    try:
        answer = json.loads(file.read_text("utf-8"))
        answered_game = answer["game"]
        for number in reversed(answer.get("numbers", ())):
            if number["matters"]:
                influence[number["path"]] = abs(number["points"])
        for share in answer.get("shares", ()):
            influence[share["path"]] = float(share["total"])
    except OSError as error:
        raise NewError(f"{option}: cannot be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        message = "is not an answer of sensitivity --json or uncertainty --json"
        raise NewError(f"{option}: {message}") from None
    if answered_game != game:
        raise NewError(f"{option}: is for {answered_game}, but the box is for {game}")
    return influence


def _suggest_command(kind: str, game: str, out: Path) -> str:
    """Return a command that uses a new file."""
    standard = f"{game}/{load_labeled_game(game).standard}"
    commands = {
        "box": f"hardmode run {standard} --box {out}",
        "scenario": f"hardmode run {out}",
        "strategy": f"hardmode run {standard} --strategy {out}:mine",
    }
    return commands[kind]


def _write_package(name: str, out: Path | None) -> str:
    """Write the package of a new game."""
    if out is None:
        raise NewError("a game is a folder of files; name the folder that it goes into with -o")
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        message = "a name has small letters, digits and _, such as my_game"
        raise NewError(f"{name!r} is not a name for a game: {message}")
    if name in list_games():
        raise NewError(f"{name!r} is taken: a game has this name")
    if importlib.util.find_spec(name):
        raise NewError(f"{name!r} is taken: a Python module has this name")
    title = name.replace("_", " ").capitalize()
    texts = {}
    for file, template in PACKAGE.items():
        path = out / name / file.replace("NAME", name)
        texts[path] = fill_template(template, NAME=name, TITLE=title)
    _write_files(texts)
    return (
        f"{shorten_path(out / name)} is written; use it with: export {PATH}={out.resolve()}; "
        f"hardmode run {name}/standard; hardmode check-game {name}"
    )


def _write_files(texts: Mapping[Path, str]) -> None:
    """Write all files or none, and never replace a file.

    Raises:
        NewError: A file exists already.
        OutputError: A file cannot be written.
    """
    for path in texts:
        with convert_os_errors(path):
            exists = os.path.lexists(path)
        if exists:
            message = "already exists and is not replaced; name another file with -o"
            raise NewError(f"{shorten_path(path)} {message}")
    written: list[Path] = []
    try:
        for path, text in texts.items():
            with convert_os_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text)
            written.append(path)
    except OutputError:
        for path in written:
            path.unlink(missing_ok=True)
        raise
