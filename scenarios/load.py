"""Loads scenarios: from a file, a shipped name or Python to variants that can be played."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hardmode.scenarios import expectations, grid
from hardmode.scenarios.box import BOX_FILENAME, find_box_folder, find_box_folders, load_parameters
from hardmode.scenarios.box_overlay import BoxOverlay, create_content_overlay, load_overlay
from hardmode.scenarios.custom_content import is_content_path
from hardmode.scenarios.inheritance import MergedDocument, load_with_base
from hardmode.scenarios.labels import MISTAKES_KEY, PLAYERS_PATH
from hardmode.scenarios.overrides import Change, expand_wildcards
from hardmode.scenarios.schema import Expect, KnownTop, ScenarioFile, validate_scenario
from hardmode.scenarios.strategy import StrategySpec
from hardmode.scenarios.variant import DEFAULT_STRATEGY, Variant, build_variant
from hardmode.sim.contract import Game
from hardmode.sim.contract.discovery import add_game_folder, is_game_folder
from hardmode.sim.files.paths import expand_home, is_dir, is_file, shorten_path
from hardmode.sim.files.yaml_io.errors import (
    UNKNOWN_LOCATION,
    Location,
    ScenarioError,
    find_nearest_names,
    find_similar_files,
)
from hardmode.sim.files.yaml_io.model import format_key_path
from hardmode.sim.files.yaml_io.read import Document, KeyPath, parse_yaml, read_yaml_file

__all__ = [
    "Scenario",
    "ScenarioError",
    "ScenarioLike",
    "StrategySpec",
    "Variant",
    "create_variant",
    "find_scenario",
    "list_shipped_scenarios",
    "load_parameters",
    "load_scenario",
    "resolve_scenario",
]

FROM_PYTHON = "the dict"  # stands for the file in messages on a scenario from Python
EMPTY = grid.SeatSettings((), UNKNOWN_LOCATION, "")


@dataclass(frozen=True)
class Scenario:
    """A scenario with all its cells.

    Attributes:
        name: The shipped name, or the file.
        file: The file, or `Path(FROM_PYTHON)`.
        game: The game.
        title: One line that names it.
        description: One or two sentences.
        cells: Its variants: one without a sweep.
        sweep: The paths in which the cells differ.
        expect: The expectations of `check`.
        seed: The seed, or None if the command decides.
        games: The number of games, or None if the command decides.
        author: The author that a report names.
        minutes_per_round: How long a round takes at the table.
        top: What is known of the best possible play, or None.
    """

    name: str
    file: Path
    game: Game
    title: str
    description: str
    cells: list[Variant]
    sweep: tuple[str, ...]
    expect: Expect | None
    seed: int | None
    games: int | None
    author: str = ""
    minutes_per_round: float | None = None
    top: KnownTop | None = None

    @property
    def overlay(self) -> BoxOverlay | None:
        """The user's own box that it is played with, or None."""
        return self.cells[0].overlay

    @property
    def notes(self) -> list[str]:
        """Notes on implausible values, and on changes that have no effect in any cell."""
        warnings: dict[str, None] = {}
        ineffective: dict[str, str] = {}
        for cell in self.cells:
            warnings |= dict.fromkeys(cell.warnings)
            ineffective |= cell.ineffective_changes
        notes = list(warnings)
        for path, needs in ineffective.items():
            changing = [cell for cell in self.cells if path in cell.changed_values]
            if all(path in cell.ineffective_changes for cell in changing):
                notes.append(f"{path} changes nothing here: it needs {needs}")
        return notes


# Everything that `play`, `compare` and the like take as a scenario.
ScenarioLike = Scenario | Variant | Mapping[str, Any] | str | Path


def resolve_scenario(scenario: ScenarioLike) -> Scenario:
    """Return a scenario as it is, of one variant, or of anything that `load_scenario` takes."""
    if isinstance(scenario, Scenario):
        return scenario
    if not isinstance(scenario, Variant):
        return load_scenario(scenario)
    return Scenario(
        name=f"{scenario.game.name} from Python",
        file=Path(FROM_PYTHON),
        game=scenario.game,
        title=scenario.title,
        description="",
        cells=[scenario],
        sweep=(),
        expect=scenario.expect,
        seed=None,
        games=None,
    )


def create_variant(
    game: str,
    players: int | None = None,
    setup: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    strategies: Sequence[Any] = (),
    box: str | Path | BoxOverlay | None = None,
    *,
    mistakes: Sequence[Any] = (),
    slips: Sequence[Any] = (),
) -> Variant:
    """Return a variant of a game from Python.

    Args:
        game: The name of the game.
        players: The number of players.
        setup: Choices made at set-up, by their path below `setup.`.
        rules: Other values by path. A number is absolute, also a negative one; texts are as in
            a scenario file.
        strategies: One for all seats, or one per seat.
        box: A file with numbers of your own, laid over the shipped box.
        mistakes: The mistakes of strategies that have none of their own: one for all, or one per
            seat.
        slips: The old name of `mistakes`.

    Raises:
        ScenarioError: Something is invalid.

    Example:
        >>> create_variant("pig", players=1, rules={"target": "x1.5", "die.sides": "+2"})
    """
    changes: list[Change] = []
    added_content: dict[str, str] = {}
    if players is not None:
        changes.append(Change(PLAYERS_PATH, players))
    for path, value in (setup or {}).items():
        changes.append(Change("setup." + path, value))
    for path, value in (rules or {}).items():
        if is_content_path(path):
            added_content[path] = str(value)
        else:
            changes.append(Change(path, value))
    overlay = (
        load_overlay(expand_home(box), game, UNKNOWN_LOCATION)
        if isinstance(box, (str, Path))
        else box
    )
    if added_content and not overlay:
        overlay = create_content_overlay(game, added_content, rules or {})
    seats = _parse_option(grid.STRATEGIES_KEY, strategies or [DEFAULT_STRATEGY], "")
    models = _parse_option(MISTAKES_KEY, mistakes or slips, "")
    [cell] = grid.build_grid(changes, [], [], seats, models, EMPTY)
    return build_variant(game, changes, cell.strategies.each, overlay=overlay)


def _parse_option(key: str, written: Sequence[Any], option: str) -> grid.SeatSettings:
    """Return the strategies or mistakes that an option or argument gives."""
    place = Location(option)
    if not written:
        return grid.SeatSettings((), place, key)
    document = Document(option, None)
    each = grid.parse_seat_settings(key, written, document, (key,), None)
    return grid.SeatSettings(each, place, key)


def list_scenario_files(game: str = "") -> dict[str, Path]:
    """Return the files of all shipped scenarios, of one game or of all, by name: `pig/classic`."""
    files: dict[str, Path] = {}
    for name, folder in find_box_folders().items():
        if game in ("", name):
            for file in sorted(folder.glob("*.yaml")):
                if file.name != BOX_FILENAME:
                    files[f"{name}/{file.stem}"] = file
    return files


def list_shipped_scenarios(game: str = "") -> list[tuple[str, str]]:
    """Return the names and titles of shipped scenarios, of one game or of all."""
    titles = []
    for name, file in list_scenario_files(game).items():
        titles.append((name, _read_title(file) or name))
    return titles


def _read_title(file: Path) -> str:
    """Return the title of a scenario, or "": reading all of it takes twenty times as long."""
    lines = file.read_text("utf-8", errors="replace").splitlines()
    for i, line in enumerate(lines):
        if line.startswith("title:"):
            continued = itertools.takewhile(lambda line: line[:1] in " \t", lines[i + 1 :])
            with contextlib.suppress(ScenarioError):
                data = parse_yaml("\n".join([line, *continued]), shorten_path(file)).data
                return str(data["title"] or "")
            break
    return ""


def find_scenario(name: str | Path) -> Path:
    """Return the file of a scenario: a path, or a shipped name such as `pig/classic`.

    Raises:
        ScenarioError: There is no such file or name.
    """
    text, path = str(name) or "''", expand_home(name)
    if is_file(path) or path.suffix in (".yaml", ".yml"):
        return _find_in_game_folder(path) or path
    files = list_scenario_files()
    if text in files:
        return files[text]
    file = _find_in_game_folder(path)
    if file:
        return file
    of_game = [known for known in files if known.split("/")[0] == text.strip("/")]
    close: list[str] = []
    if of_game:
        message = f"is a game; its scenarios are {', '.join(of_game)}"
    elif is_dir(path) and name:
        message = "is a directory; a scenario is a YAML file or a shipped name"
    else:
        close = find_nearest_names(text, files)
        message = "no such scenario"
        if not close:
            message += ": neither a file nor a shipped name"
    raise ScenarioError(UNKNOWN_LOCATION, text, message, close)


def _find_in_game_folder(path: Path) -> Path | None:
    """Return the file of a scenario in the folder of a game, which is known from then on.

    Args:
        path: Such as `examples/pig/scenarios/classic.yaml`, or `examples/pig/classic` for short.
    """
    for folder in (path.parent, path.parent.parent):
        if is_game_folder(folder):
            file = path if is_file(path) else folder / "scenarios" / f"{path.stem}.yaml"
            if is_file(file):
                add_game_folder(folder.resolve())
                return file
    return None


def load_scenario(
    scenario: str | Path | Mapping[str, Any],
    sets: Sequence[str] = (),
    *,
    players: int | None = None,
    strategies: Sequence[Any] = (),
    mistakes: Sequence[Any] = (),
    box: str | Path | None = None,
    slips: Sequence[Any] = (),
) -> Scenario:
    """Return a scenario with all its cells.

    The other arguments than the first are the options of the command line: they override what
    the scenario sets or sweeps.

    Args:
        scenario: A file, a shipped name, or a dict with the content of a scenario file.
        sets: Changes such as "target=+5".
        players: The number of players.
        strategies: One for all seats, or one per seat.
        mistakes: The mistakes of all strategies: one for all seats, or one per seat.
        box: A file with numbers of your own, laid over the shipped box.
        slips: The old name of `mistakes`.

    Raises:
        ScenarioError: The first fault, with its file, line and path.

    Example:
        >>> load_scenario("pig/classic", ["target=+5"], mistakes=["20%"])
    """
    path, document = _read_document(scenario)
    written = validate_scenario(document)
    game = _find_game(path, document, written)
    overlay = _load_overlay(document, written, game, box)
    parameters = overlay.parameters if overlay else load_parameters(game)
    base = expand_wildcards(grid.read_changes(document), parameters)
    axes = grid.read_axes(document, parameters, document.find_source_folder)
    options = [Change(PLAYERS_PATH, players, Location("--players"))] if players is not None else []
    options += expand_wildcards(map(grid.parse_set_option, sets), parameters)
    expect = expectations.resolve_orders(document, written.expect, axes, base, parameters)
    seats = _parse_option(grid.STRATEGIES_KEY, strategies, "--strategy")
    models = _parse_option(MISTAKES_KEY, mistakes or slips, "--mistakes")
    fixed = {option.path for option in options if not option.is_relative}
    fixed |= {grid.get_axis_path(given.path) for given in (seats, models) if given.each}
    axes = [axis for axis in axes if axis.path not in fixed]
    cells = grid.build_grid(
        base,
        axes,
        options,
        seats if seats.each else _read_seats(document, written, grid.STRATEGIES_KEY),
        _read_seats(document, written, MISTAKES_KEY),
        models,
    )
    expect = expectations.drop_axes(expect, fixed | {option.path for option in options})
    sweep = tuple(axis.path for axis in axes)
    loaded = _build_scenario(path, document, written, game, cells, sweep, expect, overlay)
    is_changed = bool(options or seats.each or models.each or overlay or sweep)
    return loaded if is_changed else replace(loaded, top=written.top)


def _read_document(scenario: str | Path | Mapping[str, Any]) -> tuple[Path, MergedDocument]:
    if isinstance(scenario, Mapping):
        path, document = Path(FROM_PYTHON), Document(FROM_PYTHON, _copy_plain_data(scenario, ()))
    else:
        path = find_scenario(scenario)
        document = _read_scenario_file(path)
    return path, load_with_base(path, document, _read_base)


def _read_scenario_file(path: Path) -> Document:
    if path.name == BOX_FILENAME:
        message = "is a box; a scenario is another file, beside it or your own"
        raise ScenarioError(Location(shorten_path(path)), "", message)
    return read_yaml_file(path)


def _read_base(name: str, folder: Path, place: Location) -> tuple[Path, Document, str]:
    """Return the file, the document and the implied game of a scenario that another extends."""
    path = folder / expand_home(name)
    if not is_file(path):
        try:
            path = find_scenario(name)
        except ScenarioError as error:
            message = f"{name or repr(name)}: {error.message}"
            raise ScenarioError(place, "extends", message, error.nearest) from None
    if not is_file(path):
        close = find_similar_files(folder / name)
        raise ScenarioError(place, "extends", f"{name}: no such file", close)
    return path, _read_scenario_file(path), _find_implied_game(path)


def _load_overlay(
    document: MergedDocument, written: ScenarioFile, game: str, option: str | Path | None
) -> BoxOverlay | None:
    """Return the user's own box that an option or the scenario names, or None."""
    if option is not None:
        return load_overlay(expand_home(option), game, Location("--box"))
    if "box" not in document.data:
        return None
    path = document.find_source_folder("box") / expand_home(written.box)
    return load_overlay(path, game, document.locate("box"))


def _copy_plain_data(value: Any, where: KeyPath) -> Any:
    """Return data from Python as a file could hold it: mappings, lists and plain values."""
    if isinstance(value, Mapping):
        return {str(key): _copy_plain_data(value[key], (*where, str(key))) for key in value}
    if isinstance(value, (list, tuple)):
        return [_copy_plain_data(item, (*where, i)) for i, item in enumerate(value)]
    if value is None or isinstance(value, (bool, int, float, str, StrategySpec)):
        return value
    message = (
        f"is of type {type(value).__name__}; it must be a text, "
        "a number, true or false, a list or a dict of those"
    )
    raise ScenarioError(Location(FROM_PYTHON), format_key_path(where), message)


def _read_seats(document: MergedDocument, written: ScenarioFile, key: str) -> grid.SeatSettings:
    """Return the strategies or the mistakes that a file gives its seats."""
    place = document.locate(key)
    if key in document.data:
        items = getattr(written, key)
        folder = document.find_source_folder(key)
        each = grid.parse_seat_settings(key, items, document, (key,), folder)
        return grid.SeatSettings(each, place, key)
    is_strategies = key == grid.STRATEGIES_KEY
    return grid.SeatSettings((DEFAULT_STRATEGY,) if is_strategies else (), place, key)


def _build_scenario(
    path: Path,
    document: Document,
    written: ScenarioFile,
    game: str,
    cells: list[grid.GridCell],
    sweep: tuple[str, ...],
    expect: Expect | None,
    overlay: BoxOverlay | None,
) -> Scenario:
    name = f"{game}/{path.stem}" if _find_implied_game(path) == game else shorten_path(path)
    title = written.title or name
    place = Location(document.file)
    variants: list[Variant] = []
    for cell in cells:
        variant = build_variant(
            game,
            cell.changes,
            cell.strategies.each,
            title=title,
            label=sweep,
            expect=expect,
            place=place,
            seats_place=cell.strategies.place,
            seats_path=cell.strategies.path,
            overlay=overlay,
        )
        variants.append(variant)
    _refuse_equal_cells(variants, document)
    labeled_game = variants[0].game
    if expect:
        expectations.check_ending_names(document, expect, labeled_game)
    return Scenario(
        name=name,
        file=path,
        game=labeled_game,
        title=title,
        description=written.description,
        cells=variants,
        sweep=sweep,
        expect=expect,
        seed=written.seed,
        games=written.games,
        author=written.author,
        minutes_per_round=written.minutes_per_round,
    )


def _find_game(path: Path, document: Document, written: ScenarioFile) -> str:
    """Return the game of a scenario, which its folder implies or its file names."""
    implied = _find_implied_game(path)
    if written.game and implied and written.game != implied:
        message = f"is {written.game}, but the file lies in the folder of {implied}"
        raise ScenarioError(document.locate("game"), "game", message)
    if not written.game and not implied:
        message = f"is missing; the games are {', '.join(find_box_folders())}"
        raise ScenarioError(Location(document.file), "game", message)
    game = written.game or implied
    find_box_folder(game, document.locate("game"))
    return game


def _find_implied_game(path: Path) -> str:
    """Return the game in whose folder a file lies, or ""."""
    folder = path.resolve().parent
    for game, known in find_box_folders().items():
        if known.resolve() == folder:
            return game
    return ""


def _refuse_equal_cells(variants: list[Variant], document: Document) -> None:
    labels = set()
    for variant in variants:
        label = str(variant.label)
        if label in labels:
            message = f"holds the cell {variant.label_text} twice"
            raise ScenarioError(document.locate("sweep"), "sweep", message)
        labels.add(label)
