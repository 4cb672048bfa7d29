"""Components of the box: the changes that take each one out, and how often each is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Values
from hardmode.sim.pieces import Over, named
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.sensitivity.paired_effects import PerturbedParameter
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

COUNT_KEYS = ("copies", "in_box")  # last part of the paths that say how many of a component exist
ANY = "any"
NOT_NAMES = (ANY, "choose", "chosen", "none", "own", "all")  # choices that are no component
MAX_GAMES, MIN_GAMES = 2000, 60  # games that are inspected


@dataclass(frozen=True)
class ComponentUsage:
    """Number of inspected games in which each component came into play and was used.

    Attributes:
        games: Number of inspected games, 0 if the game does not report its components.
        games_drawn: Games in which a component came into play, by its name.
        games_used: Games in which it was used, by its name.
    """

    games: int
    games_drawn: Mapping[str, int]
    games_used: Mapping[str, int]

    def estimate_share(
        self,
        counts: Mapping[str, int],
        component: str,
        confidence: float,
    ) -> Estimate | None:
        """Return the share of games of a component, or None if no game was inspected.

        Args:
            counts: `games_drawn` or `games_used`.
            component: Name of the component.
            confidence: Confidence of the interval (Clopper-Pearson).
        """
        if not self.games:
            return None
        return estimates.clopper_pearson_rate(counts.get(component, 0), self.games, confidence)


def list_components(cell: Variant) -> list[PerturbedParameter]:
    """Return the changes that take components out of the box or put named ones in.

    A component is taken out if the box says how many of it exist, or if the game names it. Where
    the set-up draws any of several components, each is put in place of the draw.
    """
    changes: list[PerturbedParameter] = []
    for path, parameter in cell.parameters.items():
        now: Any = cell.values[path]
        if _is_count(path) and parameter.type in (int, bool) and now:
            changes.append(PerturbedParameter(path, now, False if parameter.type is bool else 0))
        elif parameter.is_setup_choice and ANY in (now if isinstance(now, list) else [now]):
            for choice in parameter.choices:
                if choice in NOT_NAMES:
                    continue
                after = [choice, *now[1:]] if isinstance(now, list) else choice
                changes.append(PerturbedParameter(path, now, after))
    if cell.game.pieces:
        for piece in cell.game.pieces(Values(cell.values)):
            changes.append(
                PerturbedParameter(
                    piece.name,
                    "in the box",
                    piece.instead,
                    piece.changes,
                )
            )
    return changes


def get_component_name(change: PerturbedParameter) -> str:
    """Return the name of the component that a change takes out or puts in.

    Example:
        `tokens.trap` for the change of `tokens.trap.copies` to 0.
    """
    if change.changes is not None:
        return change.path
    if _is_count(change.path):
        return change.path.rpartition(".")[0]
    after = change.after[0] if isinstance(change.after, list) else change.after
    return named(change.path, after)


def format_component_name(change: PerturbedParameter) -> str:
    """Return the name of a component for readers.

    Example:
        `don zemun (bosses)` for a change of `setup.bosses`, `tokens.trap` for one of its copies.
    """
    path, colon, value = get_component_name(change).partition(": ")
    if not colon:
        return path
    return f"{value.replace('_', ' ')} ({path.removeprefix('setup.').replace('_', ' ')})"


def describe_change(change: PerturbedParameter) -> str:
    """Return in words what a change does with its component."""
    if change.changes is not None:
        return str(change.after)
    return "taken out" if _is_count(change.path) else "put in"


def measure_usage(
    cell: Variant,
    effort: Effort,
    seconds: float | None = None,
) -> ComponentUsage:
    """Play games one by one and count the components that came into play.

    Args:
        cell: The variant.
        effort: Seed, and the most games.
        seconds: Time limit after the first `MIN_GAMES` games, or None.
    """
    drawn, used, games = Counter[str](), Counter[str](), 0
    if cell.game.fates is None:
        return ComponentUsage(0, drawn, used)
    own, budget = make_engine(cell), Budget(seconds or None)
    players = [replace(player, counts_choices=True) for player in own.players]
    engine, workspace = Engine(cell.game, own.filled_box, players), Workspace(cell.game)
    while games < min(MAX_GAMES, effort.games) and (games < MIN_GAMES or not budget.exhausted):
        for name, was_used in find_used_components(
            engine,
            workspace,
            effort.seed,
            games,
        ).items():
            drawn[name] += 1
            used[name] += was_used
        games += 1
    return ComponentUsage(games, drawn, used)


def find_used_components(
    engine: Engine,
    workspace: Workspace,
    seed: int,
    number: int,
) -> dict[str, bool]:
    """Play one game and return the components that came into play, each with whether it was used.

    Args:
        engine: The game, with a first player whose choices are counted.
        workspace: Buffers to play in.
        seed: Seed of the games.
        number: Number of the game.
    """
    game = engine.game
    before = np.array(workspace.games_with_label[1])
    engine.play(
        workspace,
        seed,
        number,
        number + 1,
        allocate_rows(game, 1),
    )
    after = np.asarray(workspace.games_with_label[1])
    labels_taken = set(np.flatnonzero(after > before).tolist())
    if not game.fates:
        return {}
    table, hidden = readable(workspace.tables, REAL), readable(workspace.hiddens, REAL)
    finished = Over(
        readable(engine.box),
        table,
        hidden,
        labels_taken,
    )
    components: dict[str, bool] = {}
    for name, used in game.fates(finished):
        components[name] = components.get(name, False) or bool(used)
    return components


def _is_count(path: str) -> bool:
    """Return whether the parameter says how many of a component exist."""
    return path.rpartition(".")[2] in COUNT_KEYS
