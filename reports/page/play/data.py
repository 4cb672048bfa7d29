"""What a page needs to play one scenario: the game's module, its records, and values to try.

A value of a number is offered only with the digest of its first games as they were played here. The
page plays them too, and shows nothing for a value whose games differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.reports.console import wording
from hardmode.reports.page.play import modules
from hardmode.reports.page.play.interpreter import encode
from hardmode.reports.page.play.script import ScriptError, make_script
from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.parameter import Parameter
from hardmode.sim.contract import Game, RulesError
from hardmode.sim.draws import LOG_CAPACITY, LUCK
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import (
    OFFERED,
    STEPS,
    Workspace,
    allocate_rows,
    make_seat_config_dtype,
    make_workspace_dtype,
)
from hardmode.studies.core import skill_levels
from hardmode.studies.core.run import make_player

VERIFIED_GAMES = 2_000  # of each value, played here and in the page
MAX_GAMES = 50_000  # that the page plays of each value
MAX_SLIDERS = 4
MAX_VALUES = 7  # of one slider
SETUP = "setup."  # paths of what is chosen before a game: players, heroes, a boss
INTEGER_BYTES = 8
STRUCT_CODES = {  # of the module struct
    "b1": "?",
    "i1": "b",
    "i2": "h",
    "i4": "i",
    "i8": "q",
    "u1": "B",
    "u2": "H",
    "u4": "I",
    "u8": "Q",
    "f4": "f",
    "f8": "d",
}
MAX_PATCH = 20_000  # bytes in which the box of a value may differ


@dataclass(frozen=True)
class Slider:
    """A number that the reader of a page can change.

    Attributes:
        path: Path of the number.
        label: What the page calls it.
        values: Its values in order, as text; the printed one is among them.
        own: Position of the printed value.
        patches: The bytes of the box in which each value differs: places and contents.
        digests: Digests of the first games of each value, by skill level.
        refused: Why a value is not offered, by its position.
        named: Whether the values are names or a number of players, to be chosen from a list.
    """

    path: str
    label: str
    values: list[str]
    own: int
    patches: list[tuple[list[int], list[int]]]
    digests: dict[str, list[str]]
    refused: dict[int, str]
    named: bool


def make_play_data(
    scenario: Scenario, paths: Iterable[str], chosen: Mapping[str, Sequence[Any]], seed: int
) -> tuple[list[Slider], dict[str, Any]]:
    """Return the sliders, and what the page needs to play the first cell, ready for JSON.

    Args:
        scenario: The scenario.
        paths: Paths of numbers that may become sliders, the strongest first.
        chosen: Values of sliders that were asked for, by path.
        seed: The seed of the games.

    Raises:
        ModuleError: If the game cannot be played in a page.
    """
    cell = scenario.cells[0]
    game = cell.game
    strategies = modules.list_strategies(game.name)
    seated = list_seated_players(cell)
    fields: Mapping[str, Any] = make_workspace_dtype(game).fields or {}
    digests = {
        level: compute_outcome_digest(cell, players, seed) for level, players in seated.items()
    }
    sliders = make_sliders(cell, seated, digests, paths, chosen, seed)
    script = reason = ""
    try:
        script = make_script(game)
    except ScriptError as error:
        reason = str(error)
    return sliders, {
        "module": encode(modules.load_module(game.name)),
        "box": encode(get_bytes(cell.box)),
        "workspace": encode(get_bytes(Workspace(game).record)),
        "seats": {
            level: encode(get_bytes(make_seat_configs(cell, players, strategies)))
            for level, players in seated.items()
        },
        "levels": [[level, skill_levels.PLAYER_NAMES[level]] for level in seated],
        "digests": digests,
        "sliders": [vars(slider) for slider in sliders],
        "endings": list(game.all_endings),
        "kernel": {
            "seed": seed,
            "columns": len(game.columns),
            "maxSteps": game.max_decisions,
            "competitive": bool(game.competitive and cell.players > 1),
            "digestAt": fields["digest"][1],
            "stepsAt": fields["totals"][1] + STEPS * INTEGER_BYTES,
            "logOnAt": fields["lucks"][1] + get_offset(LUCK, "log_on"),
            "faultAt": fields["fault"][1],
        },
        "verified": VERIFIED_GAMES,
        "games": MAX_GAMES,
        "replay": f"hardmode replay {scenario.name} --seed {seed}",
        "seatCount": cell.players,
        "storyteller": encode(script.encode()) if script else "",
        "untold": reason,
        "layout": encode(json.dumps(make_layout(game)).encode()),
    }


def make_layout(game: Game) -> dict[str, Any]:
    """Return where the page finds what it tells of a game, ready for JSON."""
    fields: Mapping[str, Any] = make_workspace_dtype(game).fields or {}
    table, luck = fields["tables"][1], fields["lucks"][1]
    places = {
        "table": (table, game.table.itemsize),
        "hidden": (fields["hiddens"][1], game.hidden.itemsize),
        "seat": (table + get_offset(game.table, "seat"), 1),
        "offered": (fields["totals"][1] + OFFERED * INTEGER_BYTES, INTEGER_BYTES),
        "list": (fields["lists"][1], game.max_options * INTEGER_BYTES),
        "log_n": (luck + get_offset(LUCK, "log_n"), INTEGER_BYTES),
        "log": (luck + get_offset(LUCK, "log"), LUCK["log"].itemsize),
    }
    return {
        "at": places,
        "box": describe_record(game.box),
        "table": describe_record(game.table),
        "hidden": describe_record(game.hidden),
        "log_capacity": LOG_CAPACITY,
        "competitive": game.competitive,
        "fixed_view": game.redeal_for is not None,
    }


def get_offset(record: np.dtype, name: str) -> int:
    """Return where a field of a record begins."""
    fields: Mapping[str, Any] = record.fields or {}
    return fields[name][1]


def describe_record(record: np.dtype) -> dict[str, Any]:
    """Return the size of a record, and of each field its place, shape and type, ready for JSON."""
    fields: Mapping[str, Any] = record.fields or {}
    described = {}
    for name, (kind, place, *_) in fields.items():
        item = describe_record(kind.base) if kind.base.names else STRUCT_CODES[kind.base.str[1:]]
        described[name] = (place, kind.shape, item)
    return {"size": record.itemsize, "fields": described}


def list_seated_players(cell: Variant) -> dict[str, list[Player]]:
    """Return the players of all seats when a skill level is measured, by level."""
    seated = {}
    for level in modules.list_playable_levels(cell.game.name):
        specs = skill_levels.seat_strategy(cell, skill_levels.StrategySpec(level))
        seated[level] = [make_player(cell.game.name, spec) for spec in specs]
    return seated


def make_seat_configs(cell: Variant, players: Sequence[Player], strategies: Sequence[Any]) -> Any:
    """Return the settings of all seats for the module.

    The first weight of a player is the number of its strategy in the module.
    """
    game = cell.game
    configs = np.zeros(1, make_seat_config_dtype(game))
    everyone = [*players, *[players[0]] * (game.seats - len(players))]
    for seat, player in enumerate(everyone):
        weights = [strategies.index(player.choose), *player.weights]
        configs["n_weights"][0, seat] = len(weights)
        configs["weights"][0, seat, : len(weights)] = weights
    return configs


def make_sliders(
    cell: Variant,
    seated: Mapping[str, Sequence[Player]],
    printed_digests: Mapping[str, str],
    paths: Iterable[str],
    chosen: Mapping[str, Sequence[Any]],
    seed: int,
) -> list[Slider]:
    """Return the sliders that were asked for and, up to four in all, those of further paths."""
    sliders: list[Slider] = []
    for path in [*chosen, *(path for path in paths if path not in chosen)]:
        parameter = cell.parameters.get(path)
        if parameter is None or len(sliders) >= max(MAX_SLIDERS, len(chosen)):
            continue
        values = list(chosen.get(path) or list_slider_values(parameter, cell.values[path]))
        if len(values) > 1:
            slider = make_slider(cell, path, values, seated, printed_digests, seed)
            if len(slider.refused) < len(values) - 1 or path in chosen:
                sliders.append(slider)
    return sliders


def list_slider_values(parameter: Parameter, own: Any) -> list[Any]:
    """Return plausible values of a number, switch or name, its own value among them."""
    if isinstance(own, list):
        return []
    if isinstance(own, bool):
        return [False, True]
    if isinstance(own, str):
        others = [value for value in parameter.choices if value != own]
        return [own, *others[: MAX_VALUES - 1]]
    low, high = parameter.range or (own - max(1, abs(own) / 4), own + max(1, abs(own) / 4))
    low = low if parameter.min is None else max(low, parameter.min)
    high = high if parameter.max is None else min(high, parameter.max)
    spread = np.linspace(min(low, own), max(high, own), MAX_VALUES)
    if isinstance(own, int):
        return sorted({own, *(round(value) for value in spread)})
    return sorted({own, *(float(f"{value:.3g}") for value in spread)})


def make_slider(
    cell: Variant,
    path: str,
    values: Sequence[Any],
    seated: Mapping[str, Sequence[Player]],
    printed_digests: Mapping[str, str],
    seed: int,
) -> Slider:
    """Return a slider: the box of each value, and the digests of its first games.

    Args:
        cell: The variant with the printed value.
        path: Path of the number.
        values: The values to offer.
        seated: The players of all seats, by skill level.
        printed_digests: Digests of the first games with the printed value, by skill level.
        seed: The seed of the games.
    """
    own = cell.values[path]
    values = list(values) if own in values else [own, *values]
    printed = get_bytes(cell.box)
    patches, refused = [], {}
    digests: dict[str, list[str]] = {level: [] for level in seated}
    for i, value in enumerate(values):
        patch: tuple[list[int], list[int]] = ([], [])
        found = dict.fromkeys(seated, "")
        try:
            changed = cell.with_values({path: value})
            patch = compare_bytes(printed, get_bytes(changed.box))
            if not patch[0]:
                found = dict(printed_digests)
            elif len(patch[0]) <= MAX_PATCH:
                for level, players in seated.items():
                    found[level] = compute_outcome_digest(changed, players, seed)
        except (RulesError, ScenarioError) as error:
            refused[i] = str(error)
        if len(patch[0]) > MAX_PATCH:
            refused[i] = (
                f"it changes {len(patch[0]):,} bytes of the game's data, too many for a page"
            )
            patch = ([], [])
        patches.append(patch)
        for level, digest in found.items():
            digests[level].append(digest)
    label = wording.format_path_end(path, 2)
    texts = [wording.format_setup_value(value) for value in values]
    is_choice = path.startswith(SETUP) or isinstance(own, (bool, str))
    return Slider(path, label, texts, values.index(own), patches, digests, refused, is_choice)


def compute_outcome_digest(cell: Variant, players: Sequence[Player], seed: int) -> str:
    """Return the digest of the first games of a variant, as hexadecimal text."""
    engine = Engine(cell.game, cell.box, players)
    workspace = Workspace(cell.game)
    engine.play(workspace, seed, 0, VERIFIED_GAMES, allocate_rows(cell.game, VERIFIED_GAMES))
    return f"{int(workspace.digest[0]):x}"


def compare_bytes(before: bytes, after: bytes) -> tuple[list[int], list[int]]:
    """Return the places in which two records of equal size differ, and the new bytes there."""
    new = np.frombuffer(after, np.uint8)
    places = np.flatnonzero(new != np.frombuffer(before, np.uint8))
    return places.tolist(), new[places].tolist()


def get_bytes(record: Any) -> bytes:
    """Return the bytes of a record."""
    return np.asarray(record).view(np.ndarray).tobytes()
