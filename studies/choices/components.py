"""What lies in the box, for those who ask what it is worth: what takes each piece out, and how often it is met."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Values
from hardmode.sim.pieces import Over, named
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.workspace import REAL
from hardmode.sim.records import readable
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.sensitivity.paired_effects import Number
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

HOW_MANY = ("copies", "in_box")  # the ends of the paths that say how many of a thing there are
ANY = "any"
NOT_NAMES = (ANY, "choose", "chosen", "none", "own", "all")
MOST, FEWEST = 2000, 60  # games that are looked at


@dataclass(frozen=True)
class Met:
    """In how many games each piece came into play, and was used, of those that were looked at."""

    games: int
    drawn: Mapping[str, int]
    used: Mapping[str, int]

    def share(self, of: Mapping[str, int], number: Number, confidence: float) -> Estimate | None:
        """The share of games, where the game tells what becomes of its pieces."""
        return (
            estimates.exact_rate(of.get(name_of(number), 0), self.games, confidence)
            if self.games
            else None
        )


def content(cell: Variant) -> list[Number]:
    """Everything of which the box says how many there are, taken out; each that may be named where any is drawn; and
    what the game says can be taken out."""
    found = []
    for path, leaf in cell.leaves.items():
        now: Any = cell.values[path]
        if path.rpartition(".")[2] in HOW_MANY and leaf.type in (int, bool) and now:
            found.append(Number(path, now, False if leaf.type is bool else 0))
        elif path.startswith("setup.") and ANY in (now if isinstance(now, list) else [now]):
            others = [c for c in leaf.choices if c not in NOT_NAMES]
            found += [
                Number(path, now, [c, *now[1:]] if isinstance(now, list) else c) for c in others
            ]
    more = cell.game.pieces(Values(cell.values)) if cell.game.pieces else ()
    return [*found, *(Number(p.name, "in the box", p.instead, changes=p.changes) for p in more)]


def name_of(number: Number) -> str:
    """The name of the piece that is taken out, or put in the place of another."""
    path, _, end = number.path.rpartition(".")
    if number.changes is not None:
        return number.path
    if end in HOW_MANY:
        return path
    return named(number.path, number.after[0] if isinstance(number.after, list) else number.after)


def how(number: Number) -> str:
    """What is done with the piece."""
    if number.changes is not None:
        return str(number.after)
    return "taken out" if number.path.rpartition(".")[2] in HOW_MANY else "put in"


def met(cell: Variant, effort: Effort, seconds: float | None = None) -> Met:
    """Play some games one by one, and look at each when it is over."""
    drawn, used, games = Counter[str](), Counter[str](), 0
    if cell.game.fates is None:
        return Met(0, drawn, used)
    own, until = engine(cell), time.perf_counter() + (seconds or inf)
    made, desk = (
        Engine(cell.game, own.filled, [replace(p, counted=True) for p in own.players]),
        Desk(cell.game),
    )
    while games < min(MOST, effort.games) and (games < FEWEST or time.perf_counter() < until):
        pieces = fates(made, desk, effort.seed, games)
        drawn.update(list(pieces))  # a mapping would be added up
        used.update(name for name, was_used in pieces.items() if was_used)
        games += 1
    return Met(games, drawn, used)


def fates(made: Engine, desk: Desk, seed: int, number: int) -> dict[str, bool]:
    """The pieces that came into play in a game, each with whether it was used."""
    game, before, found = made.game, np.array(desk.counted[1]), dict[str, bool]()
    made.play(desk, seed, number, number + 1, columns(game, 1))
    taken = set(np.flatnonzero(np.asarray(desk.counted[1]) > before).tolist())
    over = Over(
        readable(made.box), readable(desk.tables, REAL), readable(desk.hiddens, REAL), taken
    )
    for name, used in game.fates(over) if game.fates else ():
        found[name] = found.get(name, False) or bool(used)
    return found
