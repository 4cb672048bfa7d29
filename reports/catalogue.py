"""What there is: games, scenarios, strategies, and every number that can be set, with its provenance."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from hardmode.reports import wording
from hardmode.reports.show import out
from hardmode.scenarios.box import Leaf, leaves, yaml_text
from hardmode.scenarios.load import load, shipped
from hardmode.scenarios.own_box import own_box
from hardmode.sim import contract, discovery
from hardmode.sim.paths import at_home
from hardmode.sim.written.errors import Place
from hardmode.strategies import registry


class Unlisted(ValueError):
    """Nothing goes by that name."""


def contents(what: str = "", find: str = "", box: Path | None = None) -> dict[str, Any]:
    """All that `list` shows, as plain data; with a box of one's own, laid over the shipped one."""
    if not what:
        _needs_game(box)
        return {"games": {name: _game(name) for name in discovery.games()}}
    if what in discovery.games():
        return {**_game(what), "numbers": [_number(leaf) for leaf in _leaves(what, find, box)]}
    scenario = _scenario(what, box)
    return {"scenario": scenario.name, "title": scenario.title, "description": scenario.description,
            "box": scenario.cells[0].provenance,
            "cells": [{"label": c.label, "players": c.players, "strategies": [str(s) for s in c.strategies],
                       "changed": {p: {"default": d, "value": v} for p, (d, v) in c.changed.items()},
                       "warnings": list(c.warnings)} for c in scenario.cells]}


def show(what: str = "", find: str = "", box: Path | None = None) -> None:
    if not what:
        _needs_game(box)
        _show_games()
    elif what in discovery.games():
        _show_game(what, find, box)
    else:
        _show_scenario(what, box)


def _needs_game(box: Path | None) -> None:
    if box:
        raise Unlisted(f"--box {box}: say which game's numbers to list, as in hardmode list GAME --box {box}")


def _game(name: str) -> dict[str, Any]:
    game = contract.game(name)
    return {"name": name, "title": game.title, "version": game.version, "seats": game.seats,
            "scenarios": [{"name": n, "title": t} for n, t in shipped() if n.split("/")[0] == name],
            "strategies": registry.names(name), "weights": registry.weights(name), "endings": list(game.all_endings),
            "measures": {m.name: m.help for m in game.measures}, "not_simulated": list(game.limits)}


def _number(leaf: Leaf) -> dict[str, Any]:
    return {"path": leaf.path, "default": leaf.value, "source": leaf.source, "from": leaf.from_, "box": leaf.file,
            "range": leaf.range, "choices": leaf.choices, "min": leaf.min, "max": leaf.max,
            "unit": leaf.unit, "note": leaf.note}


def _leaves(game: str, find: str, box: Path | None) -> list[Leaf]:
    known = own_box(at_home(box), game, Place("--box")).leaves if box else leaves(game)
    return [leaf for leaf in known.values() if find in leaf.path]


def _scenario(name: str, box: Path | None) -> Any:
    known = [*discovery.games(), *(n for n, _ in shipped())]
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        near = difflib.get_close_matches(name, known, 3)
        raise Unlisted(f"there is no game {name!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""))
    return load(name, box=box)


def _show_games() -> None:
    for name in discovery.games():
        game = _game(name)
        table = Table(title=f"[bold]{game['title']}[/bold] ({name})", title_justify="left", show_header=False, box=None)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for s in game["scenarios"]:
            table.add_row(s["name"], Text(s["title"]))
        table.add_row("strategies", ", ".join(game["strategies"]), style="dim")
        out.print(table)
        out.print()
    out.print("[dim]hardmode list GAME shows all that can be set; hardmode list GAME/SCENARIO what it changes.[/dim]")


def _show_game(name: str, find: str, box: Path | None) -> None:
    game = _game(name)
    if not find:
        out.print(f"[bold]{game['title']}[/bold], {game['seats']} seat{'s' if game['seats'] > 1 else ''} at most")
        for title, rows in (("scenarios", {s["name"]: s["title"] for s in game["scenarios"]}),
                            ("strategies", game["strategies"])):
            table = Table(title=title, title_justify="left", show_header=False, box=None)
            table.add_column(no_wrap=True, style="cyan")
            table.add_column()
            for key, text in rows.items():
                weights = ", ".join(f"{w} {v:g}" for w, v in game["weights"].get(key, {}).items())
                table.add_row(key, Text(f"{text} [{weights}]" if weights else text))
            out.print(table)
    table = Table(title="what can be set: PATH with --set, or in a scenario", title_justify="left", header_style="bold")
    for column in ("path", "default", "range or choices", "source", "note"):
        table.add_column(column, overflow="fold", no_wrap=column == "path")
    for leaf in _leaves(name, find, box):
        table.add_row(Text(leaf.path), Text(yaml_text(leaf.value)), Text(wording.span(leaf)),
                      Text(_source(leaf)), Text(leaf.note or ""))
    if not table.row_count:
        raise Unlisted(f"{name}: no number has {find!r} in its path")
    out.print(table)


def _source(leaf: Leaf) -> str:
    return ", ".join(filter(None, (leaf.source, leaf.from_, leaf.file)))


def _show_scenario(name: str, box: Path | None) -> None:
    scenario = _scenario(name, box)
    out.print(f"[bold]{escape(scenario.title)}[/bold] ({escape(scenario.name)})", Text(scenario.description or ""),
              sep="\n")
    if scenario.own:
        out.print(Text(scenario.own.text))
    table = Table(header_style="bold")
    for column in ("cell", "players", "strategies", "changed from the box"):
        table.add_column(column, overflow="fold")
    for cell in scenario.cells:
        changed = ", ".join(f"{p} {yaml_text(d)} -> {yaml_text(v)}" for p, (d, v) in cell.changed.items())
        table.add_row(Text(cell.label_text or "-"), str(cell.players),
                      Text(", ".join(dict.fromkeys(map(str, cell.strategies)))), Text(changed or "nothing"))
    out.print(table)
    for warning in dict.fromkeys(w for c in scenario.cells for w in c.warnings):
        out.print(Text(f"note: {warning}"), style="yellow")
