"""What there is: games, scenarios, strategies, and every number that can be set, with its provenance."""

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
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.box_overlay import load_overlay
from hardmode.scenarios.load import (
    Scenario,
    list_scenario_files,
    list_shipped_scenarios,
    load_scenario,
)
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.files.paths import expand_home
from hardmode.sim.files.yaml_io.errors import Location
from hardmode.strategies import registry


class Unlisted(ValueError):
    """Nothing goes by that name."""


@dataclass(frozen=True)
class Wanted:
    """Which numbers are asked for; all of a game, unless something is said."""

    find: str = ""
    assumed: bool = False
    changed: bool = False
    box: Path | None = None  # of one's own, laid over the shipped one

    @property
    def some(self) -> bool:
        """Whether not all numbers are asked for."""
        return bool(self.find or self.assumed or self.changed)


ALL = Wanted()


def games(names: Iterable[str]) -> list[str]:
    """The games that are meant; all, when none is named."""
    known = discovery.list_games()
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
            raise Unlisted(f"there is no game {name!r}; {hint}")
    return list(dict.fromkeys(names)) or list(known)


def show(what: str = "", wanted: Wanted = ALL) -> None:
    if not what:
        refuse_filters(wanted)
        _show_games()
    elif what in discovery.list_games():
        _show_game(what, wanted)
    else:
        _show_scenario(what, wanted)


def of_game_alone(what: str, wanted: Wanted, flags: str) -> None:
    """Refuse what goes with the name of a game, and with nothing else."""
    if what not in discovery.list_games() or wanted != ALL:
        raise Unlisted(
            f"{flags}: of a game, and of nothing else; there are {', '.join(discovery.list_games())}"
        )


def refuse_filters(wanted: Wanted) -> None:
    if wanted.box:
        raise Unlisted(
            f"--box {wanted.box}: say which game's numbers to list, as in hardmode list GAME --box "
            f"{wanted.box}"
        )
    if wanted.some:
        raise Unlisted(
            f"name a game whose numbers are looked through; there are {', '.join(discovery.list_games())}"
        )


def describe_game(name: str) -> dict[str, Any]:
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
        "measures": {m.name: m.help for m in game.measures},
        "not_simulated": list(game.limits),
        "content": {path: kind.most for path, kind in game.content.items()},
    }


Found = tuple[list[Parameter], dict[str, str]]  # the numbers, and what scenarios make of some of them


def _leaves(game: str, box: Path | None) -> dict[str, Parameter]:
    return dict(load_overlay(expand_home(box), game, Location("--box")).parameters if box else load_parameters(game))


def select_game_parameters(name: str, wanted: Wanted) -> Found:
    found = _picked(_leaves(name, wanted.box).values(), wanted, name)
    if not wanted.changed:
        return found, {}
    cells = [(n, cell) for n in list_scenario_files(name) for cell in load_scenario(n).cells]
    where = {
        leaf.path: list(dict.fromkeys(n for n, cell in cells if leaf.path in cell.changed_values))
        for leaf in found
    }
    return (
        [leaf for leaf in found if where[leaf.path]],
        {path: f"another in {', '.join(names)}" for path, names in where.items() if names},
    )


def select_scenario_parameters(scenario: Scenario, wanted: Wanted) -> Found:
    cells = scenario.cells
    known = [
        leaf
        for leaf in cells[0].parameters.values()
        if not wanted.changed or any(leaf.path in c.changed_values for c in cells)
    ]
    found = _picked(known, wanted, scenario.name)
    values = {
        leaf.path: list(dict.fromkeys(format_yaml_value(c.values[leaf.path]) for c in cells))
        for leaf in found
    }
    return found, {
        leaf.path: f"here {', '.join(values[leaf.path])}"
        for leaf in found
        if values[leaf.path] != [format_yaml_value(leaf.value)]
    }


def _picked(known: Iterable[Parameter], wanted: Wanted, where: str) -> list[Parameter]:
    found = list_parameters.matching(list(known), wanted.find, wanted.assumed)
    if not found:
        kind = " ".join(
            word
            for word, said in (("changed", wanted.changed), ("assumed", wanted.assumed))
            if said
        )
        has = (
            f" has {wanted.find!r} in its path, note, value or source"
            if wanted.find
            else " is there"
        )
        raise Unlisted(f"{where}: no {kind + ' ' if kind else ''}number{has}")
    return found


def load_listed_scenario(name: str, box: Path | None) -> Scenario:
    known = [*discovery.list_games(), *list_scenario_files()]
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        near = difflib.get_close_matches(name, known, 3)
        raise Unlisted(
            f"there is no game {name!r}" + (f"; did you mean {' or '.join(near)}?" if near else "")
        )
    return load_scenario(name, box=box)


def _show_games() -> None:
    for name in discovery.list_games():
        game = describe_game(name)
        table = Table(
            title=f"[bold]{game['title']}[/bold] ({name})",
            title_justify="left",
            show_header=False,
            box=None,
        )
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for s in game["scenarios"]:
            table.add_row(s["name"], Text(s["title"]))
        table.add_row("strategies", ", ".join(game["strategies"]), style="dim")
        out.print(table)
        out.print()
    out.print(
        "[dim]hardmode list GAME shows all that can be set; hardmode list GAME/SCENARIO what it changes.[/dim]"
    )


def _show_game(name: str, wanted: Wanted) -> None:
    if wanted.some:
        list_parameters.show(list_parameters.lines(*select_game_parameters(name, wanted)))
        return
    game, known = describe_game(name), _leaves(name, wanted.box)
    out.print(
        f"[bold]{game['title']}[/bold], {game['seats']} seat{'s' if game['seats'] > 1 else ''} at most"
    )
    for title, rows in (
        ("scenarios", {s["name"]: s["title"] for s in game["scenarios"]}),
        (
            "strategies (--weights shows what they weigh, --fields and --options what one of your own "
            "may read)",
            game["strategies"],
        ),
    ):
        table = Table(title=title, title_justify="left", show_header=False, box=None)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for key, text in rows.items():
            table.add_row(key, Text(text))
        out.print(table)
    out.print(
        "what can be set, as PATH=VALUE with --set or under `rules:` in a scenario; with a * for all of a kind, "
        f"which\n`hardmode list {name} --find WORDS` shows one by one:"
    )
    list_parameters.show(list_parameters.together(list(known.values())))
    if game["content"]:
        out.print(
            "content of one's own: a box of one's own can add entries (.like: NAME) or put them in the place of "
            "others (.instead: NAME);\nof all else it can change the numbers:"
        )
        for path, most in game["content"].items():
            there = entries(known, path)
            full = "" if there < most else ": full, so one of your own takes the place of another"
            out.print(f"  {escape(path)}: {there} of at most {most}{full}")


def entries(known: Mapping[str, Parameter], pattern: str) -> int:
    """How many entries a part of a box has; where there are several of its kind, the one that has most."""
    steps = pattern.count(".") + 1
    paths = {tuple(path.split(".")[: steps + 1]) for path in known if path.count(".") >= steps}
    return max(
        Counter(
            ".".join(p[:steps]) for p in paths if fnmatchcase(".".join(p[:steps]), pattern)
        ).values()
    )


def show_swept(name: str) -> None:
    """What a scenario sweeps, each number with its values and what its box says of it."""
    scenario = load_scenario(name)
    first = scenario.cells[0]
    what = "these; --set, --players or --strategy fixes one" if scenario.sweep else "nothing"
    table = Table(
        title=Text(f"{scenario.name} sweeps {what}"), title_justify="left", show_header=False
    )
    for path in scenario.sweep:
        values = dict.fromkeys(format_yaml_value(cell.label[path]) for cell in scenario.cells)
        leaf = first.parameters.get(path)
        table.add_row(Text(path), Text(", ".join(values)), Text(leaf.note if leaf else ""))
    out.print(table if scenario.sweep else table.title)


def _show_scenario(name: str, wanted: Wanted) -> None:
    scenario = load_listed_scenario(name, wanted.box)
    if wanted.some:
        list_parameters.show(list_parameters.lines(*select_scenario_parameters(scenario, wanted)))
        return
    out.print(
        f"[bold]{escape(scenario.title)}[/bold] ({escape(scenario.name)})",
        Text(scenario.description or ""),
        sep="\n",
    )
    if scenario.overlay:
        out.print(Text(scenario.overlay.description))
    table = Table(header_style="bold")
    for column in ("cell", "players", "strategies", "changed from the box"):
        table.add_column(column, overflow="fold")
    for cell in scenario.cells:
        changed = ", ".join(
            f"{p} {format_yaml_value(d)} -> {format_yaml_value(v)}" for p, (d, v) in cell.changed_values.items()
        )
        table.add_row(
            Text(cell.label_text or "-"),
            str(cell.players),
            Text(", ".join(dict.fromkeys(map(str, cell.strategies)))),
            Text(changed or "nothing"),
        )
    out.print(table)
    for warning in scenario.notes:
        out.print(Text(f"note: {warning}"), style="yellow")
