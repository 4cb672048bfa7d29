"""Output of `list`: games, scenarios, strategies, and every number that can be set."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from hardmode.reports.console import list_parameters
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.box_overlay import load_overlay
from hardmode.scenarios.load import (
    Scenario,
    list_scenario_files,
    list_shipped_scenarios,
    load_scenario,
)
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.scenarios.variant import Variant
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.files.paths import expand_home
from hardmode.sim.files.yaml_io.errors import Location
from hardmode.strategies import registry

MAX_SUGGESTIONS = 3
STRATEGIES_TITLE = (
    "strategies (--weights shows their weights; --fields and --options show what a strategy of "
    "yours can read)"
)
SelectedParameters = tuple[list[Parameter], dict[str, str]]  # and notes on some of them, by path


class NotListedError(ValueError):
    """There is no game, scenario or number that fits the arguments."""


@dataclass(frozen=True)
class ParameterFilter:
    """Arguments that select parameters; by default all of a game.

    Attributes:
        find: Words that a parameter contains.
        assumed: Only assumed parameters.
        changed: Only parameters that scenarios change.
        box: A box file whose values replace those of the shipped box.
    """

    find: str = ""
    assumed: bool = False
    changed: bool = False
    box: Path | None = None

    @property
    def is_restricted(self) -> bool:
        """True if not all parameters are selected."""
        return bool(self.find or self.assumed or self.changed)


ALL_PARAMETERS = ParameterFilter()


def resolve_games(names: Iterable[str]) -> list[str]:
    """Return the games with these names, or all games without a name.

    Raises:
        NotListedError: A game does not exist.
    """
    known = discovery.list_games()
    for name in names:
        if name not in known:
            hint = _suggest(name, known) or f"there are {', '.join(known)}"
            raise NotListedError(f"there is no game {name!r}; {hint}")
    return list(dict.fromkeys(names)) or list(known)


def _suggest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), MAX_SUGGESTIONS)
    return f"did you mean {' or '.join(near)}?" if near else ""


def print_list(what: str = "", wanted: ParameterFilter = ALL_PARAMETERS) -> None:
    """Print all games, one game, or one scenario.

    Args:
        what: Name of a game or a scenario, or nothing for all games.
        wanted: The parameters to print.
    """
    if not what:
        refuse_filters(wanted)
        _print_games()
    elif what in discovery.list_games():
        _print_game(what, wanted)
    else:
        _print_scenario(what, wanted)


def check_names_game(what: str, wanted: ParameterFilter, flags: str) -> None:
    """Check that options for games come with the name of a game and without a filter.

    Raises:
        NotListedError: They do not.
    """
    games = discovery.list_games()
    if what not in games or wanted != ALL_PARAMETERS:
        raise NotListedError(
            f"{flags}: name a game, and give no filter of numbers; there are {', '.join(games)}"
        )


def refuse_filters(wanted: ParameterFilter) -> None:
    """Check that no filter is given where no game is named.

    Raises:
        NotListedError: There is a filter.
    """
    if wanted.box:
        raise NotListedError(
            f"--box {wanted.box}: name the game whose numbers are to be listed, as in hardmode "
            f"list GAME --box {wanted.box}"
        )
    if wanted.is_restricted:
        games = ", ".join(discovery.list_games())
        raise NotListedError(f"name a game whose numbers are searched; there are {games}")


def describe_game(name: str) -> dict[str, Any]:
    """Return what there is of a game, as `list --json` has it."""
    game = contract.load_game(name)
    return {
        "name": name,
        "title": game.title,
        "version": game.version,
        "seats": game.seats,
        "scenarios": [{"name": n, "title": t} for n, t in list_shipped_scenarios(name)],
        "strategies": registry.list_strategies(name),
        "weights": registry.list_weights(name),
        "endings": list(game.all_endings),
        "measures": {measure.name: measure.help for measure in game.measures},
        "not_simulated": list(game.limits),
        "content": {path: kind.most for path, kind in game.content.items()},
    }


def _load_parameters(game: str, box: Path | None) -> dict[str, Parameter]:
    if box is None:
        return dict(load_parameters(game))
    return dict(load_overlay(expand_home(box), game, Location("--box")).parameters)


def select_game_parameters(name: str, wanted: ParameterFilter) -> SelectedParameters:
    """Return the selected parameters of a game, and the scenarios that change them."""
    selected = _select(_load_parameters(name, wanted.box).values(), wanted, name)
    if not wanted.changed:
        return selected, {}
    scenarios: dict[str, list[str]] = {}
    for file in list_scenario_files(name):
        changed = {path for cell in load_scenario(file).cells for path in cell.changed_values}
        for path in changed:
            scenarios.setdefault(path, []).append(file)
    notes = {path: f"different in {', '.join(names)}" for path, names in scenarios.items()}
    return [parameter for parameter in selected if parameter.path in notes], notes


def select_scenario_parameters(scenario: Scenario, wanted: ParameterFilter) -> SelectedParameters:
    """Return the selected parameters of a scenario, and the values that differ from the box."""
    cells = scenario.cells
    known = list(cells[0].parameters.values())
    if wanted.changed:
        changed = {path for cell in cells for path in cell.changed_values}
        known = [parameter for parameter in known if parameter.path in changed]
    selected = _select(known, wanted, scenario.name)
    notes = {}
    for parameter in selected:
        values = [format_yaml_value(cell.values[parameter.path]) for cell in cells]
        distinct = list(dict.fromkeys(values))
        if distinct != [format_yaml_value(parameter.value)]:
            notes[parameter.path] = f"here {', '.join(distinct)}"
    return selected, notes


def _select(known: Iterable[Parameter], wanted: ParameterFilter, name: str) -> list[Parameter]:
    selected = list_parameters.filter_parameters(list(known), wanted.find, wanted.assumed)
    if selected:
        return selected
    kind = "changed " if wanted.changed else ""
    if wanted.assumed:
        kind += "assumed "
    if not wanted.find:
        raise NotListedError(f"{name}: there is no {kind}number")
    raise NotListedError(
        f"{name}: no {kind}number has {wanted.find!r} in its path, note, value or source"
    )


def load_listed_scenario(name: str, box: Path | None) -> Scenario:
    """Return a scenario by its name.

    Raises:
        NotListedError: The name is neither a file, nor a game, nor a shipped scenario.
    """
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        hint = _suggest(name, [*discovery.list_games(), *list_scenario_files()])
        text = f"there is no game {name!r}"
        raise NotListedError(f"{text}; {hint}" if hint else text)
    return load_scenario(name, box=box)


def _print_games() -> None:
    for name in discovery.list_games():
        game = describe_game(name)
        rows = {scenario["name"]: scenario["title"] for scenario in game["scenarios"]}
        table = _make_name_table(f"[bold]{game['title']}[/bold] ({name})", rows)
        table.add_row("strategies", ", ".join(game["strategies"]), style="dim")
        out.print(table)
        out.print()
    out.print(
        "[dim]hardmode list GAME shows everything that can be set; hardmode list GAME/SCENARIO "
        "shows what a scenario changes.[/dim]"
    )


def _make_name_table(title: str, rows: Mapping[str, str]) -> Table:
    table = Table(title=title, title_justify="left", show_header=False, box=None)
    table.add_column(no_wrap=True, style="cyan")
    table.add_column()
    for name, text in rows.items():
        table.add_row(name, Text(text))
    return table


def _print_game(name: str, wanted: ParameterFilter) -> None:
    if wanted.is_restricted:
        lines = list_parameters.make_lines(*select_game_parameters(name, wanted))
        list_parameters.print_parameters(lines)
        return
    game = describe_game(name)
    parameters = _load_parameters(name, wanted.box)
    out.print(f"[bold]{game['title']}[/bold], {format_count(game['seats'], 'seat')} at most")
    scenarios = {scenario["name"]: scenario["title"] for scenario in game["scenarios"]}
    out.print(_make_name_table("scenarios", scenarios))
    out.print(_make_name_table(STRATEGIES_TITLE, game["strategies"]))
    out.print(
        "What can be set: PATH=VALUE with --set, or under `rules:` in a scenario. A * stands for "
        f"any name;\n`hardmode list {name} --find WORDS` lists these numbers one by one:"
    )
    lines = list_parameters.group_parameters(list(parameters.values()))
    list_parameters.print_parameters(lines)
    if game["content"]:
        _print_content(game["content"], parameters)


def _print_content(content: Mapping[str, int], parameters: Mapping[str, Parameter]) -> None:
    out.print(
        "Your own content: a box file can add entries (.like: NAME) or replace others "
        "(.instead: NAME) in these parts;\nelsewhere it can change numbers only:"
    )
    for path, most in content.items():
        n = count_entries(parameters, path)
        note = "" if n < most else " (full: a new entry must replace another)"
        out.print(f"  {escape(path)}: {n} of at most {most}{note}")


def count_entries(parameters: Mapping[str, Parameter], pattern: str) -> int:
    """Return the number of entries of a part of a box; of several parts, the largest number."""
    depth = pattern.count(".") + 1
    entries = set()
    for path in parameters:
        parts = path.split(".")
        if len(parts) > depth:
            entries.add((".".join(parts[:depth]), parts[depth]))
    counts = Counter(part for part, _ in entries if fnmatchcase(part, pattern))
    return max(counts.values())


def print_sweep(name: str) -> None:
    """Print the parameters that a scenario sweeps, each with its values and its note."""
    scenario = load_scenario(name)
    if not scenario.sweep:
        out.print(Text(f"{scenario.name} sweeps nothing"))
        return
    title = f"{scenario.name} sweeps these; --set, --players or --strategy fixes one"
    table = Table(title=Text(title), title_justify="left", show_header=False)
    parameters = scenario.cells[0].parameters
    for path in scenario.sweep:
        values = dict.fromkeys(format_yaml_value(cell.label[path]) for cell in scenario.cells)
        note = parameters[path].note if path in parameters else ""
        table.add_row(Text(path), Text(", ".join(values)), Text(note))
    out.print(table)


def _print_scenario(name: str, wanted: ParameterFilter) -> None:
    scenario = load_listed_scenario(name, wanted.box)
    if wanted.is_restricted:
        lines = list_parameters.make_lines(*select_scenario_parameters(scenario, wanted))
        list_parameters.print_parameters(lines)
        return
    out.print(f"[bold]{escape(scenario.title)}[/bold] ({escape(scenario.name)})")
    out.print(Text(scenario.description or ""))
    if scenario.overlay:
        out.print(Text(scenario.overlay.description))
    table = Table(header_style="bold")
    for header in ("cell", "players", "strategies", "changed from the box"):
        table.add_column(header, overflow="fold")
    for cell in scenario.cells:
        table.add_row(
            Text(cell.label_text or "-"),
            str(cell.players),
            Text(", ".join(dict.fromkeys(map(str, cell.strategies)))),
            Text(_format_changes(cell) or "nothing"),
        )
    out.print(table)
    for warning in scenario.notes:
        out.print(Text(f"note: {warning}"), style="yellow")


def _format_changes(cell: Variant) -> str:
    changes = []
    for path, (default, value) in cell.changed_values.items():
        changes.append(f"{path} {format_yaml_value(default)} -> {format_yaml_value(value)}")
    return ", ".join(changes)
