"""A game that a person left: what was chosen in it, kept in a file until it is gone on with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import GAME, OutputError
from hardmode.sim.files.paths import short_path
from hardmode.sim.results.result import rules_digests
from hardmode.studies.core.run import players

MOST_BYTES = 5_000_000


@dataclass
class LeftGame:
    """All that is needed to sit down again."""

    scenario: str
    seed: int
    number: int
    seat: int
    digests: dict[str, str]
    script: list[int] = field(default_factory=list)
    hints: int = 0
    undone: int = 0

    @classmethod
    def begun(cls, found: Scenario, cell: Variant, seed: int, number: int, seat: int) -> LeftGame:
        return cls(
            found.name,
            seed,
            number,
            seat,
            {**rules_digests(cell.game, players(cell)), **cell.digests},
        )

    def keep(self, file: Path) -> None:
        atomic_files.write(file, json.dumps({"hardmode": "game", **asdict(self)}) + "\n")


def found_again(file: Path, begun: LeftGame, asked: bool) -> LeftGame:
    """The game that was left in a file, if there is one; `asked` says that seed or number were given."""
    atomic_files.ready(file, GAME)
    if not file.exists() or not file.stat().st_size:
        return begun
    try:
        data: dict[str, Any] = json.loads(file.read_bytes()[:MOST_BYTES])
        data.pop("hardmode")
        left = LeftGame(**data)
        if not all(isinstance(i, int) for i in (left.seed, left.number, left.seat, *left.script)):
            raise TypeError
    except (ValueError, TypeError, LookupError):
        raise OutputError(
            f"{short_path(file)}: the game that was left is damaged; remove it, or name another with "
            "-o"
        ) from None
    other = [name for name in ("scenario", "seat") if getattr(left, name) != getattr(begun, name)]
    other += ["seed"] if asked and (left.seed, left.number) != (begun.seed, begun.number) else []
    other += ["box, rules or players"] if not other and left.digests != begun.digests else []
    if other:
        raise OutputError(
            f"{short_path(file)} holds a game that was left, with another {other[0]}; finish or remove "
            "it, or name another with -o"
        )
    return left
