"""Player files: a strategy's weights, and the certificate of the training that found them.

`python -m hardmode.strategies.player_file` writes their schema anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from hardmode.sim.contract.discovery import players_folder
from hardmode.sim.files.atomic_files import Kind
from hardmode.sim.files.yaml_io.model import Model, model_schema, schema_text, validated
from hardmode.sim.files.yaml_io.read import read_file
from hardmode.strategies.mistakes import PLAYER, SLIPS, Slips, parsed

PLAYER_FILE = Kind("a player file", "# A player that hardmode trained")
SAYS = "A player that hardmode trained; it plays wherever a strategy is named."
SCHEMA = Path(__file__).with_name("player.schema.json")
FORM = "a player is a mapping such as `player: mine`"


class Certificate(Model):
    """What the training was, and how well the player was found to play on luck that had no part in it."""

    training: Annotated[str, Field(description="what was asked, but for how long, as a digest")] = (
        ""
    )
    scenario: Annotated[str, Field(description="what was played")]
    goal: Annotated[str, Field(description="what was sought")] = "win_rate"
    over: Annotated[str, Field(description="the mean of all cells, or the worst")] = "mean"
    rules: Annotated[str, Field(description="the digest of the game's rules")]
    strategy: Annotated[str, Field(description="the digest of the strategy")]
    outcomes: Annotated[
        str, Field(description="the digest of a fixed block of games, which says how it plays")
    ] = ""
    draws: Annotated[str, Field(description="the scheme of the draws")]
    seed: Annotated[int, Field(ge=0)]
    seat: Annotated[int, Field(ge=0, description="the seat that was trained; 0 for all")] = 0
    generations: Annotated[int, Field(ge=0)]
    seconds: Annotated[
        float | None, Field(exclude=True, description="in files from before; no time is written")
    ] = None
    trained_on: Annotated[int, Field(ge=0, description="games")]
    measured_on: Annotated[int, Field(ge=0, description="games, none of them trained on")]
    rate: Annotated[float, Field(ge=0, le=1, description="share of games won")]
    low: float
    high: float
    start_rate: Annotated[
        float, Field(ge=0, le=1, description="of the weights that training began with")
    ]
    overfit: Annotated[float, Field(description="the rate in games trained on, less the rate")] = (
        0.0
    )
    against: Annotated[
        dict[str, float], Field(description="share of all wins, head to head", default_factory=dict)
    ]
    curve: Annotated[
        dict[str, float],
        Field(description="the rate on luck not trained on, by generation", default_factory=dict),
    ]
    hardmode: Annotated[str, Field(description="the version that trained it")]


class PlayerFile(Model):
    """A strategy with its weights and slips."""

    player: Annotated[str, Field(min_length=1, description="its name")]
    game: str
    base: Annotated[str, Field(min_length=1, description="the strategy that has these weights")]
    weights: dict[str, float]
    slips: Annotated[Slips, BeforeValidator(parsed), WithJsonSchema(SLIPS)] = Slips()
    certificate: Certificate | None = None


def is_file(name: str) -> bool:
    return name.endswith(PLAYER)


def read(path: Path) -> PlayerFile:
    """A player, or its file's first mistake. A file is read anew only when it has been written anew: a study that plays
    many boxes asks for the same player hundreds of times."""
    return _read(path, _stamp(path))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        at = path.stat()
    except OSError:
        return ()
    return at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns


@lru_cache(maxsize=64)
def _read(path: Path, _: tuple[int, ...]) -> PlayerFile:
    return validated(PlayerFile, read_file(path, signs=True), FORM)


def shipped(game: str) -> dict[str, Path]:
    """The trained players of a game, by name."""
    return {path.stem: path for path in sorted(players_folder(game).glob("*.yaml"))}


def text(made: PlayerFile) -> str:
    """What to write into a file."""
    said = made.model_dump(exclude_none=True, exclude={"slips"})
    certificate = said.pop("certificate", None)
    if made.slips.share:
        said["slips"] = str(made.slips)
    if certificate:
        said["certificate"] = certificate
    return "\n".join([f"# {SAYS}", *_lines(said, ""), ""])


def _lines(said: Mapping[Any, Any], indent: str) -> list[str]:
    found: list[str] = []
    for name, value in said.items():
        if isinstance(value, dict):
            found += [f"{indent}{name}:", *_lines(value, indent + "  ")] if value else []
        else:
            found.append(f"{indent}{name}: {_scalar(value)}")
    return found


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, str) and not re.fullmatch(r"[A-Za-z_][\w./-]*", value):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def schema() -> str:
    return schema_text(model_schema(PlayerFile, "hardmode player"))


if __name__ == "__main__":
    SCHEMA.write_text(schema(), encoding="utf-8")
