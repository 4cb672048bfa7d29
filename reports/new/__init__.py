"""Files to begin with: a box of one's own, a scenario, a strategy, a game. Each can be played as it is written."""

from __future__ import annotations

import importlib.util
import json
import keyword
import os
from collections.abc import Callable
from pathlib import Path

from hardmode.reports.new import box, plays, scenario
from hardmode.reports.new.strategy import filled, strategy
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract.discovery import PATH, list_games
from hardmode.sim.files.atomic_files import OutputError, convert_os_errors, write_atomically
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.yaml_io.errors import find_nearest_names

PACKAGE = {
    "__init__.py": "rules",
    "words.py": "words",
    "strategies.py": "strategies",
    "scenarios/box.yaml": "box",
    "scenarios/standard.yaml": "standard",
    "tests/invariants.py": "invariants",
}
ONE_FILE: dict[str, Callable[[str], str]] = {
    "box": box.template,
    "scenario": scenario.template,
    "strategy": strategy,
}
KINDS = (*ONE_FILE, "game", "plays")


class NewError(ValueError):
    """It cannot be written; says why."""


def new(kind: str, name: str, out: Path | None, known: Path | None = None) -> str:
    """Write what is asked for, and say what to do with it; without a file, the text itself. `known` is an answer of
    `sensitivity` or `doubts`, by which the numbers of a box are ordered."""
    if known and kind != "box":
        raise NewError(f"--known {known}: only a box has numbers to put in order")
    if kind == "game":
        return _package(name, out)
    if kind == "plays":
        return _plays(name, out)
    if kind not in ONE_FILE:
        meant = find_nearest_names(kind, KINDS)
        raise NewError(
            f"there is no new {kind!r}; "
            + (f"did you mean {' or '.join(meant)}?" if meant else f"there are {', '.join(KINDS)}")
        )
    game = load_labeled_game(name).name
    text = box.template(game, _influence(known, game)) if known else ONE_FILE[kind](game)
    if out is None:
        return text
    _write({out: text})
    return f"{shorten_path(out)} is written: {_next(kind, name, out)}"


def _plays(scenario: str, out: Path | None) -> str:
    """The head of a table of played games."""
    text = plays.template(scenario)
    if out is None:
        return text
    if out.suffix.lower() != ".csv":
        raise NewError(f"{shorten_path(out)}: a table of plays is a .csv file")
    _write({out: text})
    return f"{shorten_path(out)} is written: a row for each played game, then hardmode fit {scenario} {out}"


def _influence(file: Path, game: str) -> dict[str, float]:
    """How much each number decides, by what was answered of this game."""
    try:
        told = json.loads(file.read_text("utf-8"))
        of = told["game"]
        found = {
            one["path"]: abs(one["points"])
            for one in reversed(told.get("numbers", ()))
            if one["matters"]
        }
        found |= {one["path"]: float(one["total"]) for one in told.get("shares", ())}
    except OSError as why:
        raise NewError(f"--known {shorten_path(file)}: cannot be read: {why.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise NewError(
            f"--known {shorten_path(file)}: is not an answer of sensitivity --json or doubts --json"
        ) from None
    if of != game:
        raise NewError(f"--known {shorten_path(file)}: is for {of}; the box is for {game}")
    return found


def _next(kind: str, game: str, out: Path) -> str:
    played = f"{game}/{load_labeled_game(game).standard}"
    return {
        "box": f"hardmode run {played} --box {out}",
        "scenario": f"hardmode run {out}",
        "strategy": f"hardmode run {played} --strategy {out}:mine",
    }[kind]


def _package(name: str, out: Path | None) -> str:
    if out is None:
        raise NewError("a game is a folder of files; say where it goes with -o FOLDER")
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise NewError(
            f"{name!r} is not a name for a game: small letters, digits and _, as in my_game"
        )
    if name in list_games() or importlib.util.find_spec(name):
        raise NewError(
            f"{name!r} is taken: a {'game' if name in list_games() else 'Python module'} is called so"
        )
    title = name.replace("_", " ").capitalize()
    _write(
        {
            out / name / file: filled(template, NAME=name, TITLE=title)
            for file, template in PACKAGE.items()
        }
    )
    return (
        f"{shorten_path(out / name)} is written: export {PATH}={out.resolve()}; "
        f"hardmode run {name}/standard; hardmode check-game {name}"
    )


def _write(texts: dict[Path, str]) -> None:
    """All or none, and nothing that is there already."""
    written: list[Path] = []
    try:
        for path in texts:
            with convert_os_errors(path):
                if os.path.lexists(path):
                    raise NewError(
                        f"{shorten_path(path)} is there already, and is left as it is; give another -o"
                    )
        for path, text in texts.items():
            with convert_os_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text)
            written.append(path)
    except OutputError:
        for path in written:
            path.unlink(missing_ok=True)
        raise
