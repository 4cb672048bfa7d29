"""A result with its provenance: what was played, by which players, from which seed, and its tally.

Two results can be merged only if all that made them is equal and no game is in both.
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
from hardmode.sim.compile.fingerprint import compute_source_digest
from hardmode.sim.contract import Game
from hardmode.sim.draws import SCHEME
from hardmode.sim.play import kernel
from hardmode.sim.play.player import Player
from hardmode.sim.results.ranges import Ranges, join_ranges, ranges_overlap
from hardmode.sim.results.tally import Tally

LIBRARIES = ("numpy", "numba", "polars")  # whose versions are recorded
FIELD_TYPES: dict[str, Any] = {  # of a stored result
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
    """Raised when a result file cannot be read, merged or reproduced."""


def collect_versions() -> dict[str, str]:
    """Return the versions of all that results depend on, by name."""
    versions = {name: _find_version(name) for name in ("hardmode", *LIBRARIES)}
    return {"scheme": SCHEME, "outcomes": kernel.OUTCOME_HASH_CONTENT, **versions}


@dataclass
class Result:
    """Games of one cell of a scenario, with all that they came from.

    Attributes:
        game: The game.
        scenario: Name or path of the scenario.
        title: Title of the scenario.
        label: What distinguishes this cell from others of a grid, by path.
        changed: Every number that differs from the box, by path.
        strategies: The strategy of each seat.
        seed: Seed of all draws.
        digests: Digests of the code, box and scenario, by name.
        assumed: How many numbers of the box are assumed, by kind.
        tally: Sums over the games.
        ranges: Numbers of the games.
        seconds: Wall time of playing.
        interrupted: Whether the user stopped it.
        made_by: Versions of hardmode and its libraries.
        box: The user's own box: its file, how many numbers it has, and their digest.
    """

    game: Game
    scenario: str
    title: str
    label: dict[str, Any]
    changed: dict[str, Any]
    strategies: list[dict[str, Any]]
    seed: int
    digests: dict[str, str]
    assumed: dict[str, int]
    tally: Tally
    ranges: Ranges = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    made_by: dict[str, str] = field(default_factory=collect_versions)
    box: dict[str, Any] | None = None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.tally.games

    @property
    def name(self) -> str:
        """Title, with the label of the cell if it has one."""
        parts = [f"{path.removeprefix('setup.')} {value}" for path, value in self.label.items()]
        return f"{self.title} [{', '.join(parts)}]" if parts else self.title

    @property
    def outcome_digest(self) -> str:
        """Digest of the outcomes of all games, independent of their order."""
        return f"{self.tally.digest:016x}"

    def without_games(self) -> Result:
        """Return a result of no games with the same provenance."""
        return replace(self, tally=Tally(self.game), ranges=[], seconds=0.0)

    def to_dict(self, **position: Any) -> dict[str, Any]:
        """Return the result as plain values with their checksum.

        Args:
            position: Further entries, which say where the result stands among others.
        """
        data = {
            **position,
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
        return {**data, "seal": compute_result_checksum(data)}

    @classmethod
    def from_dict(
        cls, data: dict[str, Any], load_game: Callable[[str], Game] = contract.load_game
    ) -> Result:
        """Return the result of what `to_dict` returned.

        Args:
            data: Plain values.
            load_game: Returns the game of a name.

        Raises:
            ResultError: The checksum does not match.
            MALFORMED_DATA_ERRORS: One of these, if values are missing or of another type.
        """
        content = {key: value for key, value in data.items() if key != "seal"}
        if compute_result_checksum(content) != data["seal"]:
            raise ResultError("not what was saved: the file was edited or damaged")
        for name, expected in FIELD_TYPES.items():
            if not isinstance(data[name], expected):
                raise TypeError(f"{name}: {type(data[name]).__name__}")
        game = load_game(data["game"])
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
            [(start, stop) for start, stop in data["ranges"]],
            data["seconds"],
            made_by=data["made_by"],
            box=data.get("box"),
        )


def compute_result_checksum(content: dict[str, Any]) -> str:
    """Return the checksum of a stored result (its `seal`), by which a changed file is noticed."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def compute_code_digests(game: Game, players: Sequence[Player]) -> dict[str, str]:
    """Return the digests of the code that plays: rules, strategies and kernel."""
    rules = (game.setup, game.options, game.take, game.redeal, game.outcome)
    return {
        "rules": f"{game.version}-{compute_source_digest(*rules)}",
        "strategies": "-".join(player.compute_digest() for player in players),
        "kernel": compute_source_digest(kernel.play),
    }


def find_incompatibility(first: Result, second: Result) -> str:
    """Return why two results are not of the same game played the same way, or "" if they are."""
    outcome_keys = first.made_by.get("outcomes"), second.made_by.get("outcomes")
    comparisons: list[tuple[str, Any, Any]] = [
        ("games", first.game.name, second.game.name),
        ("draw schemes", first.made_by["scheme"], second.made_by["scheme"]),
        ("definitions of the outcome digest", *outcome_keys),
        ("seeds", first.seed, second.seed),
        ("strategies", first.strategies, second.strategies),
    ]
    for key, digest in first.digests.items():
        if key != "scenario":
            comparisons.append((f"{key} digests", digest, second.digests.get(key)))
    comparisons.append(("changed numbers", first.changed, second.changed))
    for name, a, b in comparisons:
        if a != b:
            return f"their {name} differ: {a} and {b}"
    return ""


def combine_results(first: Result, second: Result) -> Result:
    """Return the result of the games of both.

    Raises:
        ResultError: They are not of the same game played the same way, or have games in common.
    """
    reason = find_incompatibility(first, second)
    if reason:
        raise ResultError(f"{first.name} and {second.name} cannot be added: {reason}")
    if ranges_overlap(first.ranges, second.ranges):
        ranges = f"{first.ranges} and {second.ranges}"
        raise ResultError(f"{first.name}: the same games are in both: {ranges}")
    return replace(
        first,
        tally=first.tally.merge_with(second.tally),
        ranges=join_ranges([*first.ranges, *second.ranges]),
        seconds=first.seconds + second.seconds,
        interrupted=False,
    )


@cache
def _find_version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
