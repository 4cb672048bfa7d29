"""A result with its provenance: what was played, by whom, on which luck, and what came of it.

Two results may be added only when everything that made them is the same and no game is in both.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from hardmode.sim import contract
from hardmode.sim.compile.fingerprint import source_digest
from hardmode.sim.contract import Game
from hardmode.sim.draws import SCHEME
from hardmode.sim.play import kernel
from hardmode.sim.play.engine import Player
from hardmode.sim.results.ranges import Ranges, joined, overlap
from hardmode.sim.results.tally import Tally

LIBRARIES = ("numpy", "numba", "polars")
TYPES: dict[str, Any] = {
    "game": str,
    "scenario": str,
    "title": str,
    "label": dict,
    "changed": dict,
    "strategies": list,
    "seed": int,
    "digests": dict,
    "assumed": dict,
    "seconds": (int, float),
    "made_by": dict,
}


class ResultError(Exception):
    """A result file cannot be read, added or reproduced; says exactly why."""


@dataclass
class Result:
    game: Game
    scenario: str  # the name or path it was played from
    title: str
    label: dict[str, Any]  # what distinguishes this cell of a grid
    changed: dict[str, Any]  # every number that differs from the box, by path
    strategies: list[dict[str, Any]]
    seed: int
    digests: dict[str, str]
    assumed: dict[str, int]
    tally: Tally
    ranges: Ranges = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    made_by: dict[str, str] = field(default_factory=lambda: versions())
    box: dict[str, Any] | None = (
        None  # the box of one's own: its file, how many numbers, their digest
    )

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def name(self) -> str:
        cell = ", ".join(f"{k.removeprefix('setup.')} {v}" for k, v in self.label.items())
        return f"{self.title} [{cell}]" if cell else self.title

    def unplayed(self) -> Result:
        """The same without a game."""
        return replace(self, tally=Tally(self.game), ranges=[], seconds=0.0)

    @property
    def outcome_digest(self) -> str:
        return f"{self.tally.digest:016x}"

    def to_dict(self, **place: Any) -> dict[str, Any]:
        """All of it as plain values, sealed, with where it stands among others."""
        cell = {
            **place,
            "game": self.game.name,
            "scenario": self.scenario,
            "title": self.title,
            "label": self.label,
            "changed": self.changed,
            "strategies": self.strategies,
            "seed": self.seed,
            "digests": self.digests,
            "assumed": self.assumed,
            "ranges": [list(r) for r in self.ranges],
            "seconds": round(self.seconds, 3),
            "made_by": self.made_by,
            "box": self.box,
            "outcome_digest": self.outcome_digest,
            "tally": self.tally.to_dict(),
        }
        return {**cell, "seal": seal_of(cell)}

    @classmethod
    def from_dict(
        cls, data: dict[str, Any], game_of: Callable[[str], Game] = contract.game
    ) -> Result:
        if seal_of({k: v for k, v in data.items() if k != "seal"}) != data["seal"]:
            raise ResultError("not what was saved: the file was edited or damaged")
        for name, type_ in TYPES.items():
            if not isinstance(data[name], type_):
                raise TypeError(f"{name}: {type(data[name]).__name__}")
        game = game_of(data["game"])
        ranges = [(lo, hi) for lo, hi in data["ranges"]]
        return cls(
            game,
            data["scenario"],
            data["title"],
            data["label"],
            data["changed"],
            data["strategies"],
            data["seed"],
            data["digests"],
            data["assumed"],
            Tally.from_dict(game, data["tally"]),
            ranges,
            data["seconds"],
            made_by=data["made_by"],
            box=data.get("box"),
        )


def seal_of(cell: dict[str, Any]) -> str:
    """Tells whether anything in a saved cell is another than when it was written."""
    return hashlib.sha256(json.dumps(cell, sort_keys=True).encode()).hexdigest()[:16]


def versions() -> dict[str, str]:
    found = {name: _version(name) for name in ("hardmode", *LIBRARIES)}
    return {"scheme": SCHEME, "outcomes": kernel.OUTCOMES, **found}


@cache
def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def rules_digests(game: Game, players: Sequence[Player]) -> dict[str, str]:
    """The digests of what is code: rules, strategies, decision loop."""
    rules = (game.setup, game.options, game.take, game.redeal, game.outcome)
    return {
        "rules": f"{game.version}-{source_digest(*rules)}",
        "strategies": "-".join(p.digest() for p in players),
        "kernel": source_digest(kernel.play),
    }


def why_not_same(a: Result, b: Result) -> str:
    """Why two results do not come from the same game played the same way; empty when they do."""
    for what, x, y in [
        ("games", a.game.name, b.game.name),
        ("draw schemes", a.made_by["scheme"], b.made_by["scheme"]),
        ("definitions of the outcome digest", a.made_by.get("outcomes"), b.made_by.get("outcomes")),
        ("seeds", a.seed, b.seed),
        ("strategies", a.strategies, b.strategies),
        *(
            (f"{k} digests", a.digests.get(k), b.digests.get(k))
            for k in a.digests
            if k != "scenario"
        ),
        ("changed numbers", a.changed, b.changed),
    ]:
        if x != y:
            return f"their {what} differ: {x} and {y}"
    return ""


def merged(a: Result, b: Result) -> Result:
    """Both together."""
    why = why_not_same(a, b)
    if why:
        raise ResultError(f"{a.name} and {b.name} cannot be added: {why}")
    if overlap(a.ranges, b.ranges):
        raise ResultError(f"{a.name}: the same games are in both: {a.ranges} and {b.ranges}")
    return Result(
        a.game,
        a.scenario,
        a.title,
        a.label,
        a.changed,
        a.strategies,
        a.seed,
        a.digests,
        a.assumed,
        a.tally.merged(b.tally),
        joined([*a.ranges, *b.ranges]),
        a.seconds + b.seconds,
        made_by=a.made_by,
        box=a.box,
    )
