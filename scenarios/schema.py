"""What may stand in a scenario file; and the JSON schemas of scenarios and boxes, for editors.

`python -m hardmode.scenarios.schema` writes the schemas anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from hardmode.scenarios.custom_content import HOW
from hardmode.scenarios.expect import Amounts, Band, Order, amounts, orders, rate
from hardmode.scenarios.parameter import ABOVE, ATTRIBUTES, FIXED, SHAPES, SOURCES
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.model import Model, model_schema, schema_text, validated
from hardmode.sim.files.yaml_io.read import Document
from hardmode.strategies.mistakes import SLIPS

HERE = Path(__file__).parent
MOST_GAMES = 10**12
RATE_PATTERN = r"^\s*(([<>≥≤]=?\s*[0-9.]+\s*%?)|([0-9.]+\s*%?\s*(\.\.|…|–)\s*[0-9.]+\s*%?))\s*$"
AMOUNT_PATTERN = r"^\s*(([<>≥≤]=?\s*[-+]?[0-9.]+)|([-+]?[0-9.]+\s*(\.\.|…|–)\s*[-+]?[0-9.]+))\s*$"
SCALAR = {"type": ["boolean", "number", "string"]}
VALUE = {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]}


def _count(written: Any) -> Any:
    """100000, 100k or 1M games."""
    said = (
        re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]+)?)\s*([kM])", written)
        if isinstance(written, str)
        else None
    )
    return round(float(said[1]) * {"k": 1_000, "M": 1_000_000}[said[2]]) if said else written


def _one_line(written: str) -> str:
    return " ".join(written.split())


def _listed(written: Any) -> Any:
    return [written] if isinstance(written, (str, dict)) else written


def _signed(written: Any) -> Any:
    """A number below zero: in a scenario a signed number is read as text."""
    negative = isinstance(written, str) and re.fullmatch(r"-[0-9]{1,15}(\.[0-9]+)?", written)
    return (float(written) if "." in written else int(written)) if negative else written


def _text(pattern: str, example: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example]})


Changes = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {"type": "object", "additionalProperties": {"anyOf": [*VALUE["anyOf"], {"type": "object"}]}}
    ),
]
Rate = Annotated[Band, BeforeValidator(rate), _text(RATE_PATTERN, "40% .. 55%")]
BAND = {"type": "string", "pattern": AMOUNT_PATTERN, "examples": ["6 .. 9"]}
Amount = Annotated[
    Amounts,
    BeforeValidator(amounts),
    WithJsonSchema(
        {
            "anyOf": [
                BAND,
                {
                    "type": "object",
                    "additionalProperties": False,
                    "minProperties": 1,
                    "properties": {"mean": BAND, "median": BAND, "within": BAND},
                    "patternProperties": {r"^[0-9]+(\.[0-9]+)?\s*%$": BAND},
                },
            ]
        }
    ),
]
STRATEGY = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string"},
                "search": {"type": "string"},
                "playouts": {"type": "integer", "minimum": 1},
                "weights": {"type": "object", "additionalProperties": {"type": "number"}},
                "slips": SLIPS,
            },
        },
    ]
}
ORDER = {
    "anyOf": [
        {"type": "string", "examples": ["easy > classic > hard"]},
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["path", "order"],
            "properties": {"path": {"type": "string"}, "order": {"type": "string"}},
        },
    ]
}


SWEPT = {"anyOf": [{"const": "all"}, {"type": "array", "minItems": 1}, {"type": "object"}]}
COUNT = {
    "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^[0-9.]+\s*[kM]$"}]
}


def _one_or_list(one: dict[str, Any]) -> WithJsonSchema:
    return WithJsonSchema(
        {"anyOf": [*one["anyOf"], {"type": "array", "items": one, "minItems": 1}]}
    )


class ScoreTarget(Model):
    """A score to reach, and the share of games that should reach it."""

    score: Annotated[
        float,
        BeforeValidator(_signed),
        Field(allow_inf_nan=False),
        WithJsonSchema({"type": "number"}),
    ]
    rate: Rate


class Expect(Model):
    """What `check` holds a scenario to; every cell of a sweep is held to all of it."""

    win_rate: Annotated[Rate | None, Field(description="share of games won")] = None
    rounds: Annotated[
        Amount | None, Field(description="length of a game: its mean, median, 90%")
    ] = None
    score: Annotated[Amount | None, Field(description="score: its mean, median, 90%")] = None
    score_target: Annotated[
        ScoreTarget | None, Field(description="a score, and who reaches it")
    ] = None
    endings: Annotated[dict[str, Rate], Field(description="share of games that end so")] = {}
    order: Annotated[
        list[Order],
        BeforeValidator(orders),
        _one_or_list(ORDER),
        Field(description="cells of the sweep, from the highest win rate to the lowest"),
    ] = []


class ScenarioFile(Model):
    """A scenario: a game, the choices made at its set-up, changed rules, and who plays."""

    game: Annotated[str, Field(description="the game; implied in the game's own folder")] = ""
    extends: Annotated[
        str, Field(description="the scenario it starts from: a file beside it, or a shipped name")
    ] = ""
    box: Annotated[str, Field(description="a box of one's own, laid over the shipped one")] = ""
    title: Annotated[
        str, AfterValidator(_one_line), Field(description="one line that names it in every report")
    ] = ""
    description: Annotated[str, Field(description="one or two sentences for a reader")] = ""
    author: Annotated[
        str, AfterValidator(_one_line), Field(description="who the report names as its author")
    ] = ""
    minutes_per_round: Annotated[
        float | None,
        Field(
            gt=0,
            le=1440,
            allow_inf_nan=False,
            description=("how long a round takes at the table, for the report"),
        ),
    ] = None
    players: Annotated[
        Any,
        WithJsonSchema({"type": ["integer", "string"]}),
        Field(description="how many play; the same as setup.players"),
    ] = None
    setup: Annotated[
        Changes, Field(description="choices made at set-up: paths below `setup.`")
    ] = {}
    rules: Annotated[
        Changes, Field(description="any other number of the box, by its path: 4, +1, x1.5")
    ] = {}
    strategies: Annotated[
        list[Any],
        BeforeValidator(_listed),
        _one_or_list(STRATEGY),
        Field(description="one for all seats, or one per seat"),
    ] = []
    slips: Annotated[
        list[Any],
        BeforeValidator(lambda x: x if isinstance(x, list) else [x]),
        _one_or_list(SLIPS),
        Field(description="the share of decisions that players get wrong: 20%, or 20%:beginner"),
    ] = []
    sweep: Annotated[
        dict[str, Any],
        WithJsonSchema({"type": "object", "additionalProperties": SWEPT}),
        Field(description="a grid: path -> list of values, or all"),
    ] = {}
    expect: Annotated[Expect | None, Field(description="what `check` holds it to")] = None
    seed: Annotated[
        int | None,
        BeforeValidator(_signed),
        WithJsonSchema({"type": "integer", "minimum": 0}),
        Field(ge=0, lt=2**64, description="unless the command gives one"),
    ] = None
    games: Annotated[
        int | None,
        BeforeValidator(_count),
        WithJsonSchema(COUNT),
        Field(ge=1, le=MOST_GAMES, description="how many, unless the command says: 200k, 1M"),
    ] = None


def checked(document: Document) -> ScenarioFile:
    """The scenario of a document, or its first mistake."""
    said = (
        [key for key in document.data if key.startswith(".")]
        if isinstance(document.data, dict)
        else []
    )
    if said:
        raise ScenarioError(
            document.place(said[0]),
            said[0],
            "is said in a box; a scenario names a box of one's own "
            "with `box: FILE`, a command with --box FILE",
        )
    return validated(ScenarioFile, document, "a scenario is a mapping such as `players: 2`")


def scenario_schema() -> dict[str, Any]:
    return model_schema(ScenarioFile, "hardmode scenario")


def box_schema() -> dict[str, Any]:
    """A box: sections of sections down to leaves, with inherited attributes in front."""
    leaf, section = _leaf_and_section(ATTRIBUTES, VALUE["anyOf"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hardmode box",
        "$ref": "#/$defs/section",
        "$defs": {"leaf": leaf, "section": section},
    }


def own_box_schema() -> dict[str, Any]:
    """A box of one's own: it names its game, says less of a leaf, and may leave sections empty."""
    leaf, section = _leaf_and_section(
        [name for name in ATTRIBUTES if name not in FIXED], [*VALUE["anyOf"], {"type": "null"}]
    )
    section["properties"] |= {how: {"type": "string"} for how in HOW}
    top = {
        **section,
        "required": ["game"],
        "properties": {"game": {"type": "string"}, **section["properties"]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hardmode box of one's own",
        **top,
        "$defs": {"leaf": leaf, "section": section},
    }


def _leaf_and_section(
    attributes: Iterable[str], values: list[Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    text = {"type": ["string", "number"]}
    number = {"type": "number"}
    either = {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]}
    types = {
        "source": {"enum": list(SOURCES)},
        "from": text,
        "unit": text,
        "note": text,
        "min": number,
        "max": number,
        "range": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
        "choices": {"type": "array", "items": SCALAR},
        "doubt": {"type": "array", "items": VALUE},
        "odds": {"type": "array", "items": {"type": "number", "minimum": 0}},
        "shape": {"enum": list(SHAPES)},
        "needs": {"type": "object", "additionalProperties": either},
    }
    types["needs_of"] = {"type": "object", "additionalProperties": types["needs"]}
    said = {name: types[name] for name in attributes}
    leaf = {
        "type": "object",
        "required": ["value"],
        "additionalProperties": False,
        "properties": {
            "value": VALUE,
            **{name: kind for name, kind in said.items() if name not in ABOVE},
        },
    }
    section = {
        "type": "object",
        "not": {"required": ["value"]},
        "minProperties": 1,
        "properties": {"." + name: kind for name, kind in said.items()},
        "patternProperties": {
            r"^[^\s.\[\]=]+$": {
                "anyOf": [*values, {"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/section"}]
            }
        },
        "additionalProperties": False,
    }
    return leaf, section


FILES = {
    "scenario.schema.json": scenario_schema,
    "box.schema.json": box_schema,
    "own-box.schema.json": own_box_schema,
}


if __name__ == "__main__":
    for file, make in FILES.items():
        (HERE / file).write_text(schema_text(make()), encoding="utf-8")
