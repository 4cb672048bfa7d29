"""Player files: a strategy's weights, and the certificate of the training that found them.

`python -m hardmode.strategies.player_file` writes their JSON schema again.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import (
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    field_validator,
)

from hardmode.sim.contract.discovery import find_players_folder
from hardmode.sim.files.atomic_files import FileFormat
from hardmode.sim.files.file_cache import FileCache
from hardmode.sim.files.text import MAX_PLAYOUTS
from hardmode.sim.files.yaml_io.model import (
    StrictModel,
    build_json_schema,
    format_json_schema,
    validate_document,
)
from hardmode.sim.files.yaml_io.read import read_yaml_file
from hardmode.sim.play.values import ValueFunction
from hardmode.strategies.mistakes import (
    MISTAKES_SCHEMA,
    PLAYER_SUFFIXES,
    MistakeModel,
    parse_mistakes,
)

PLAYER_FILE_FORMAT = FileFormat("a player file", "# A player that hardmode trained")
HEADER = "# A player that hardmode trained; it plays wherever a strategy is named."
SCHEMA = Path(__file__).with_name("player.schema.json")
FORM = "a player is a mapping such as `player: mine`"
OLD_MISTAKES_KEY = "slips"  # the key that files are written with; `mistakes` is read, too

Rate = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class MeanScore(StrictModel):
    """The mean score of a trained player, with its interval."""

    mean: float
    low: float
    high: float
    start: Annotated[float, Field(description="of the weights that training began with")]


class Certificate(StrictModel):
    """A record of a training, and of how its player plays games that had no part in it."""

    training: Annotated[
        str, Field(description="the digest of what was trained for, without the time it took")
    ] = ""
    scenario: Annotated[str, Field(description="the scenario that was played")]
    goal: Annotated[str, Field(description="the figure that was to be raised")] = "win_rate"
    over: Annotated[str, Field(description="the mean of all cells, or the worst")] = "mean"
    rules: Annotated[str, Field(description="the digest of the game's rules")]
    strategy: Annotated[str, Field(description="the digest of the strategy")]
    outcomes: Annotated[
        str, Field(description="the digest of a fixed block of games, which shows how it plays")
    ] = ""
    draws: Annotated[str, Field(description="the scheme of the draws")]
    seed: Count
    seat: Annotated[Count, Field(description="the seat that was trained; 0 for all")] = 0
    generations: Count
    seconds: Annotated[
        float | None, Field(exclude=True, description="in older files; no longer written")
    ] = None
    trained_on: Annotated[Count, Field(description="games")]
    measured_on: Annotated[Count, Field(description="games, none of them trained on")]
    rate: Annotated[Rate, Field(description="share of games won")]
    low: float
    high: float
    start_rate: Annotated[Rate, Field(description="of the weights that training began with")]
    score: Annotated[
        MeanScore | None, Field(description="the score of the trained seat, in games with scores")
    ] = None
    overfit: Annotated[float, Field(description="the rate in games trained on, minus the rate")] = (
        0.0
    )
    against: Annotated[
        dict[str, float], Field(description="share of all wins, head to head", default_factory=dict)
    ]
    curve: Annotated[
        dict[str, float],
        Field(description="the rate in games not trained on, by generation", default_factory=dict),
    ]
    hardmode: Annotated[str, Field(description="the version that trained it")]


def _add_old_keys(schema: dict[str, Any]) -> None:
    """Let editors accept keys under their old names."""
    schema["properties"][OLD_MISTAKES_KEY] = {**MISTAKES_SCHEMA, "title": "Slips"}


class LearnedValues(StrictModel):
    """A value function, by which a player searches on top of its strategy."""

    trials: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS, description="trials of a decision")]
    win_weight: Annotated[float, Field(description="the utility of a win")]
    score_weight: Annotated[float, Field(description="the utility of a point")]
    discount: Annotated[
        float, Field(gt=0, le=1, description="of what happens a round later, beside what is now")
    ] = 1.0
    fields: Annotated[
        dict[str, Annotated[list[float], Field(min_length=1)]],
        Field(min_length=1, description="the numbers of the table that it reads, with their knots"),
    ]
    turn_fields: Annotated[
        list[str] | None,
        Field(description="the numbers that tell the positions of a turn apart"),
    ] = None
    judged_kinds: Annotated[
        list[str] | None,
        Field(description="the kinds of decisions before which positions in a turn are judged"),
    ] = None
    rounds: Annotated[
        int | None,
        Field(ge=1, description="the rounds for which rollouts go on before it judges positions"),
    ] = None
    rollout_policy: Annotated[
        str | None, Field(description="the strategy that plays the rollouts; by default the base")
    ] = None
    switch_score: Annotated[
        float | None,
        Field(ge=0, description="the squared t value above which rollouts replace an option"),
    ] = None
    network: Annotated[str, Field(description="its weights, as 32-bit floats in base 64")]

    @field_validator("network")
    @classmethod
    def _check_network(cls, text: str) -> str:
        try:
            numbers = np.frombuffer(base64.b64decode(text, validate=True), "<f4")
        except ValueError:
            raise ValueError("is not a list of 32-bit floats in base 64") from None
        if not np.isfinite(numbers).all():
            raise ValueError("has a weight that is no finite number")
        return text

    @classmethod
    def from_function(cls, values: ValueFunction, trials: int) -> LearnedValues:
        """Return a value function as a player file has it."""
        return cls(
            trials=trials,
            win_weight=values.win_weight,
            score_weight=values.score_weight,
            discount=values.discount,
            fields={name: list(knots) for name, knots in values.knots},
            turn_fields=list(values.turn_fields) or None,
            judged_kinds=list(values.judged_kinds) or None,
            rounds=values.rounds or None,
            network=base64.b64encode(values.weights).decode(),
        )

    def make_function(self) -> ValueFunction:
        """Return the value function."""
        return ValueFunction(
            tuple((name, tuple(knots)) for name, knots in self.fields.items()),
            base64.b64decode(self.network),
            self.win_weight,
            self.score_weight,
            self.discount,
            tuple(self.turn_fields or ()),
            tuple(self.judged_kinds or ()),
            self.rounds or 0,
        )


class PlayerFile(StrictModel):
    """A strategy with its weights and mistakes, and with values if it searches by them."""

    model_config = ConfigDict(json_schema_extra=_add_old_keys)

    player: Annotated[str, Field(min_length=1, description="its name")]
    game: str
    base: Annotated[str, Field(min_length=1, description="the strategy that has these weights")]
    weights: dict[str, float]
    mistakes: Annotated[
        MistakeModel,
        BeforeValidator(parse_mistakes),
        WithJsonSchema(MISTAKES_SCHEMA),
        Field(validation_alias=AliasChoices("mistakes", OLD_MISTAKES_KEY)),
    ] = MistakeModel()
    values: LearnedValues | None = None
    certificate: Certificate | None = None


def is_player_file(name: str) -> bool:
    """Return whether the name of a strategy is the path of a player file."""
    return name.endswith(PLAYER_SUFFIXES)


def read_player_file(path: Path) -> PlayerFile:
    """Return the player of a file, which is read again only if it has changed.

    Raises:
        ScenarioError: The first fault in the file.
    """
    return _PLAYER_FILES.get(path)


def _load_player_file(path: Path) -> PlayerFile:
    return validate_document(PlayerFile, read_yaml_file(path, signed_numbers=True), FORM)


_PLAYER_FILES = FileCache(_load_player_file)


def list_shipped_players(game: str) -> dict[str, Path]:
    """Return the files of the trained players of a game, by name."""
    return {path.stem: path for path in sorted(find_players_folder(game).glob("*.yaml"))}


def format_player_file(player: PlayerFile) -> str:
    """Return the text of a player file."""
    fields = player.model_dump(exclude_none=True, exclude={"mistakes"})
    certificate = fields.pop("certificate", None)
    values = fields.pop("values", None)
    if player.mistakes.rate:
        fields[OLD_MISTAKES_KEY] = str(player.mistakes)
    if values:
        fields["values"] = values
    if certificate:
        fields["certificate"] = certificate
    return "\n".join([HEADER, *_format_lines(fields, ""), ""])


def _format_lines(fields: Mapping[Any, Any], indent: str) -> list[str]:
    lines: list[str] = []
    for name, value in fields.items():
        if not isinstance(value, dict):
            key = json.dumps(name) if "[" in str(name) else name
            lines.append(f"{indent}{key}: {_format_scalar(value)}")
        elif value:
            lines += [f"{indent}{name}:", *_format_lines(value, indent + "  ")]
        else:
            lines.append(f"{indent}{name}: {{}}")
    return lines


def _format_scalar(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_format_scalar, value))}]"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, str) and not re.fullmatch(r"[A-Za-z_][\w./-]*", value):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def make_player_schema() -> str:
    """Return the JSON schema of player files as text."""
    return format_json_schema(build_json_schema(PlayerFile, "hardmode player"))


if __name__ == "__main__":
    SCHEMA.write_text(make_player_schema(), encoding="utf-8")
