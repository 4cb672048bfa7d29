"""From names and files to variants that can be played."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardmode.scenarios import expectations, grid
from hardmode.scenarios.box import BOX, folder, folders, leaves
from hardmode.scenarios.box_overlay import OwnBox, own_box, with_content
from hardmode.scenarios.custom_content import is_added
from hardmode.scenarios.inheritance import Whole, whole
from hardmode.scenarios.overrides import Change, spread
from hardmode.scenarios.schema import Expect, ScenarioFile, checked
from hardmode.scenarios.strategy import StrategySpec
from hardmode.scenarios.variant import DEFAULT, PLAYERS, SLIPS, STRATEGIES, Variant, build
from hardmode.sim.contract import Game
from hardmode.sim.files.paths import at_home, is_dir, is_file, short_path
from hardmode.sim.files.yaml_io.errors import NOWHERE, Place, ScenarioError, near, nearest
from hardmode.sim.files.yaml_io.model import dotted
from hardmode.sim.files.yaml_io.read import Document, read_file, read_text

__all__ = [
    "Playable",
    "Scenario",
    "ScenarioError",
    "StrategySpec",
    "Variant",
    "as_scenario",
    "find",
    "leaves",
    "load",
    "shipped",
    "variant",
]

FROM_PYTHON = "the dict"  # what messages name where there is no file


@dataclass(frozen=True)
class Scenario:
    name: str  # the shipped name, or the file
    file: Path  # there is none of a scenario from Python
    game: Game
    title: str
    description: str
    cells: list[Variant]  # one without a sweep
    sweep: tuple[str, ...]  # the paths in which the cells differ
    expect: Expect | None
    seed: int | None
    games: int | None
    author: str = ""
    minutes_per_round: float | None = None

    @property
    def own(self) -> OwnBox | None:
        """The box of one's own that it is played with."""
        return self.cells[0].own

    @property
    def notes(self) -> list[str]:
        """What is unusual in it: numbers beyond what is plausible, and such as were changed in vain in all cells."""
        unusual = dict.fromkeys(warning for cell in self.cells for warning in cell.warnings)
        idle = {
            path: what
            for cell in self.cells
            for path, what in cell.idle.items()
            if all(path in other.idle for other in self.cells if path in other.changed)
        }
        return [
            *unusual,
            *(f"{path} changes nothing here: it needs {what}" for path, what in idle.items()),
        ]


Playable = Scenario | Variant | Mapping[str, Any] | str | Path  # whatever `play` and `compare` take


def as_scenario(what: Playable) -> Scenario:
    """The scenario that is meant: one that was loaded, a variant, or whatever `load` takes."""
    if isinstance(what, Variant):
        return Scenario(
            f"{what.game.name} from Python",
            Path(FROM_PYTHON),
            what.game,
            what.title,
            "",
            [what],
            (),
            what.expect,
            None,
            None,
        )
    return what if isinstance(what, Scenario) else load(what)


def variant(
    game: str,
    players: int | None = None,
    setup: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    strategies: Sequence[Any] = (),
    box: str | Path | OwnBox | None = None,
) -> Variant:
    """A variant from Python: `variant("pig", players=1, rules={"target": "x1.5", "die.sides": "+2"})`.

    A number is absolute, whatever its sign; the texts are those of a scenario file. `box` is a file of one's own.
    """
    changes = [Change(PLAYERS, players)] if players is not None else []
    changes += [Change("setup." + path, value) for path, value in (setup or {}).items()]
    changes += [Change(path, value) for path, value in (rules or {}).items() if not is_added(path)]
    added = {path: str(value) for path, value in (rules or {}).items() if is_added(path)}
    own = own_box(at_home(box), game, NOWHERE) if isinstance(box, (str, Path)) else box
    own = with_content(game, added, rules or {}) if added and not own else own
    return build(game, changes, _given(STRATEGIES, strategies, "").each or (DEFAULT,), own=own)


def _given(key: str, written: Sequence[Any], by: str) -> grid.Seats:
    each = grid.line_up(key, written, Document(by, None), (key,), None) if written else ()
    return grid.Seats(each, Place(by), key)


def files(of: str = "") -> dict[str, Path]:
    """Every shipped scenario of a game, or of all, `game/name`, and its file."""
    return {
        f"{game}/{file.stem}": file
        for game, where in folders().items()
        if of in ("", game)
        for file in sorted(where.glob("*.yaml"))
        if file.name != BOX
    }


def shipped(game: str = "") -> list[tuple[str, str]]:
    """The shipped scenarios, of one game or of all, and their titles, without building any."""
    return [(name, _title(file) or name) for name, file in files(game).items()]


def _title(file: Path) -> str:
    """The title alone: a whole file takes twenty times as long to read."""
    lines = file.read_text("utf-8", errors="replace").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith("title:")), len(lines))
    more = itertools.takewhile(lambda line: line[:1] in " \t", lines[start + 1 :])
    with contextlib.suppress(ScenarioError):
        data = read_text("\n".join([*lines[start : start + 1], *more]), short_path(file)).data
        return str(data["title"] or "") if data else ""
    return ""


def find(name: str | Path) -> Path:
    """The file of a scenario: a path, or a shipped name such as `pig/classic`."""
    text, path = str(name) or "''", at_home(name)
    if is_file(path) or path.suffix in (".yaml", ".yml"):
        return path
    known = files()
    if text in known:
        return known[text]
    of_game = [n for n in known if n.split("/")[0] == text.strip("/")]
    if of_game:
        raise ScenarioError(NOWHERE, text, f"is a game; its scenarios are {', '.join(of_game)}")
    if is_dir(path) and name:
        raise ScenarioError(
            NOWHERE, text, "is a directory; a scenario is a YAML file or a shipped name"
        )
    close = nearest(text, known)
    neither = "" if close else ": neither a file nor a shipped name"
    raise ScenarioError(NOWHERE, text, f"no such scenario{neither}", close)


def load(
    what: str | Path | Mapping[str, Any],
    sets: Sequence[str] = (),
    *,
    players: int | None = None,
    strategies: Sequence[Any] = (),
    slips: Sequence[Any] = (),
    box: str | Path | None = None,
) -> Scenario:
    """A scenario with all its cells: of a file, a shipped name, or a dict with the content of a scenario file.

    What the others say is what the command line adds: `load("pig/classic", ["target=+5"], slips=["20%"])`.
    """
    path, document = _read(what)
    written = checked(document)
    game = _game(path, document, written)
    own = _own_box(document, written, game, box)
    known = own.leaves if own else leaves(game)
    base = spread(grid.changes(document), known)
    sweep = grid.axes(document, known, document.home)
    flags = [Change(PLAYERS, players, Place("--players"))] if players is not None else []
    flags += spread(map(grid.flag, sets), known)
    expect = expectations.fitted(document, written.expect, sweep, base, known)
    who, slipping = _given(STRATEGIES, strategies, "--strategy"), _given(SLIPS, slips, "--slips")
    settled = {f.path for f in flags if not f.relative} | {
        seats.path for seats in (who, slipping) if seats.each
    }
    sweep = [axis for axis in sweep if axis.path not in settled]
    who = who if who.each else _own(STRATEGIES, document, written, (DEFAULT,))
    cells = grid.cells(base, sweep, flags, who, _own(SLIPS, document, written, ()), slipping)
    expect = expectations.without(expect, settled | {f.path for f in flags})
    return _built(
        path, document, written, game, cells, tuple(axis.path for axis in sweep), expect, own
    )


def _read(what: str | Path | Mapping[str, Any]) -> tuple[Path, Whole]:
    if isinstance(what, Mapping):
        path = Path(FROM_PYTHON)
        return path, whole(path, Document(FROM_PYTHON, _plain(what, ())), _extended)
    path = find(what)
    return path, whole(path, _scenario(path), _extended)


def _scenario(path: Path) -> Document:
    if path.name == BOX:
        place = Place(short_path(path))
        raise ScenarioError(
            place, "", "is a box; a scenario is another file, beside it or your own"
        )
    return read_file(path)


def _extended(name: str, home: Path, place: Place) -> tuple[Path, Document, str]:
    """The scenario that another starts from: its file, what stands in it, and the game that its folder implies."""
    path = home / at_home(name)
    if not is_file(path):
        try:
            path = find(name)
        except ScenarioError as why:
            raise ScenarioError(
                place, "extends", f"{name or repr(name)}: {why.message}", why.nearest
            ) from None
    if not is_file(path):
        raise ScenarioError(place, "extends", f"{name}: no such file", near(home / name))
    return path, _scenario(path), _implied(path)


def _own_box(
    document: Whole, written: ScenarioFile, game: str, flag: str | Path | None
) -> OwnBox | None:
    """The box of one's own that a flag names, or the scenario."""
    if flag is not None:
        return own_box(at_home(flag), game, Place("--box"))
    if "box" not in document.data:
        return None
    return own_box(document.home("box") / at_home(written.box), game, document.place("box"))


def _plain(value: Any, where: tuple[str | int, ...]) -> Any:
    """What a file could hold as well: names, lists, and plain values."""
    if isinstance(value, Mapping):
        return {str(key): _plain(below, (*where, str(key))) for key, below in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(below, (*where, i)) for i, below in enumerate(value)]
    if value is None or isinstance(value, (bool, int, float, str, StrategySpec)):
        return value
    raise ScenarioError(
        Place(FROM_PYTHON),
        dotted(where),
        f"is of type {type(value).__name__}; it must be a text, "
        "a number, true or false, a list or a dict of those",
    )


def _own(key: str, document: Whole, written: ScenarioFile, usual: tuple[Any, ...]) -> grid.Seats:
    """The strategies or the slips that a file gives its seats."""
    each = usual
    if key in document.data:
        each = grid.line_up(key, getattr(written, key), document, (key,), document.home(key))
    return grid.Seats(each, document.place(key), key)


def _built(
    path: Path,
    document: Document,
    written: ScenarioFile,
    game: str,
    cells: list[grid.Cell],
    sweep: tuple[str, ...],
    expect: Expect | None,
    own: OwnBox | None,
) -> Scenario:
    home = folders().get(game)
    name = (
        f"{game}/{path.stem}"
        if home and path.resolve().parent == home.resolve()
        else short_path(path)
    )
    title = written.title or name
    place = Place(document.file)
    variants = [
        build(
            game,
            cell.changes,
            cell.strategies.each,
            title=title,
            label=sweep,
            expect=expect,
            place=place,
            seats_place=cell.strategies.place,
            seats_path=cell.strategies.path,
            own=own,
        )
        for cell in cells
    ]
    _all_differ(variants, document)
    if expect:
        expectations.known_endings(document, expect, variants[0].game)
    return Scenario(
        name,
        path,
        variants[0].game,
        title,
        written.description,
        variants,
        sweep,
        expect,
        written.seed,
        written.games,
        written.author,
        written.minutes_per_round,
    )


def _game(path: Path, document: Document, written: ScenarioFile) -> str:
    """The game that a scenario is for: implied by its folder, or said."""
    implied = _implied(path)
    if written.game and implied and written.game != implied:
        raise ScenarioError(
            document.place("game"),
            "game",
            f"is {written.game}, but the file lies in the folder of {implied}",
        )
    if not written.game and not implied:
        raise ScenarioError(
            Place(document.file), "game", f"is missing; the games are {', '.join(folders())}"
        )
    game = written.game or implied
    folder(game, document.place("game"))
    return game


def _implied(path: Path) -> str:
    return {where.resolve(): game for game, where in folders().items()}.get(
        path.resolve().parent, ""
    )


def _all_differ(variants: list[Variant], document: Document) -> None:
    seen = set()
    for one in variants:
        key = str(one.label)
        if key in seen:
            raise ScenarioError(
                document.place("sweep"), "sweep", f"holds the cell {one.label_text} twice"
            )
        seen.add(key)
