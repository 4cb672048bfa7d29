"""The keys of a scenario file; and the JSON schemas of scenarios and boxes, for editors.

`python -m hardmode.scenarios.schema` writes the schemas again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema

from hardmode.scenarios.custom_content import CONTENT_KEYS
from hardmode.scenarios.expect import (
    ExpectedAmounts,
    ExpectedOrder,
    ExpectedRange,
    parse_amounts,
    parse_orders,
    parse_rate,
)
from hardmode.scenarios.labels import MISTAKES_KEY, OLD_MISTAKES_KEY
from hardmode.scenarios.parameter import (
    ATTRIBUTES,
    PRIORS,
    ROLES,
    SECTION_ONLY,
    SHAPES,
    SHIPPED_ONLY,
    SOURCES,
)
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.model import (
    StrictModel,
    build_json_schema,
    format_json_schema,
    format_key_path,
    validate_document,
)
from hardmode.sim.files.yaml_io.read import Document, KeyPath
from hardmode.strategies.mistakes import MISTAKES_SCHEMA

FOLDER = Path(__file__).parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MAX_GAMES = 10**12
RATE_PATTERN = r"^\s*(([<>≥≤]=?\s*[0-9.]+\s*%?)|([0-9.]+\s*%?\s*(\.\.|…|–)\s*[0-9.]+\s*%?))\s*$"
AMOUNT_PATTERN = r"^\s*(([<>≥≤]=?\s*[-+]?[0-9.]+)|([-+]?[0-9.]+\s*(\.\.|…|–)\s*[-+]?[0-9.]+))\s*$"
COUNT_SUFFIXES = {"k": 1_000, "M": 1_000_000}

# JSON schemas of values that are written in several forms.
TEXT = {"type": "string"}
NUMBER = {"type": "number"}
SCALAR = {"type": ["boolean", "number", "string"]}
SCALARS = {"type": "array", "items": SCALAR}
VALUE = {"anyOf": [SCALAR, SCALARS]}
CHANGES = {
    "type": "object",
    "additionalProperties": {"anyOf": [SCALAR, SCALARS, {"type": "object"}]},
}
SWEPT = {"anyOf": [{"const": "all"}, {"type": "array", "minItems": 1}, {"type": "object"}]}
COUNT = {
    "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^[0-9.]+\s*[kM]$"}]
}
RATE = {"type": "string", "pattern": RATE_PATTERN, "examples": ["40% .. 55%"]}
AMOUNT = {"type": "string", "pattern": AMOUNT_PATTERN, "examples": ["6 .. 9"]}
AMOUNTS = {
    "anyOf": [
        AMOUNT,
        {
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "properties": {"mean": AMOUNT, "median": AMOUNT, "within": AMOUNT},
            "patternProperties": {r"^[0-9]+(\.[0-9]+)?\s*%$": AMOUNT},
        },
    ]
}
OLD_MISTAKES = {**MISTAKES_SCHEMA, "deprecated": True}
STRATEGY = {
    "anyOf": [
        TEXT,
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "name": TEXT,
                "search": TEXT,
                "playouts": {"type": "integer", "minimum": 1},
                "weights": {"type": "object", "additionalProperties": NUMBER},
                MISTAKES_KEY: MISTAKES_SCHEMA,
                OLD_MISTAKES_KEY: OLD_MISTAKES,
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
            "properties": {"path": TEXT, "order": TEXT},
        },
    ]
}


def _one_or_list(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one value of a schema, or a list of such values."""
    return {"anyOf": [*schema["anyOf"], {"type": "array", "items": schema, "minItems": 1}]}


def _parse_count(written: Any) -> Any:
    """Return the number of a count such as 100k or 1M, and anything else as it is."""
    if not isinstance(written, str):
        return written
    count = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]+)?)\s*([kM])", written)
    return round(float(count[1]) * COUNT_SUFFIXES[count[2]]) if count else written


def _parse_negative(written: Any) -> Any:
    """Return the number of a text such as "-5": signed numbers of a scenario are read as text."""
    if isinstance(written, str) and re.fullmatch(r"-[0-9]{1,15}(\.[0-9]+)?", written):
        return float(written) if "." in written else int(written)
    return written


def _join_lines(written: str) -> str:
    return " ".join(written.split())


def _wrap_strategy(written: Any) -> Any:
    return [written] if isinstance(written, (str, dict)) else written


def _wrap_item(written: Any) -> Any:
    return written if isinstance(written, list) else [written]


Changes = Annotated[dict[str, Any], WithJsonSchema(CHANGES)]
Rate = Annotated[ExpectedRange, BeforeValidator(parse_rate), WithJsonSchema(RATE)]
Amounts = Annotated[ExpectedAmounts, BeforeValidator(parse_amounts), WithJsonSchema(AMOUNTS)]
Line = Annotated[str, AfterValidator(_join_lines)]
NegativeNumber = Annotated[
    float, BeforeValidator(_parse_negative), Field(allow_inf_nan=False), WithJsonSchema(NUMBER)
]
Seed = Annotated[
    int | None,
    BeforeValidator(_parse_negative),
    WithJsonSchema({"type": "integer", "minimum": 0}),
]
Orders = Annotated[
    list[ExpectedOrder], BeforeValidator(parse_orders), WithJsonSchema(_one_or_list(ORDER))
]
Strategies = Annotated[
    list[Any], BeforeValidator(_wrap_strategy), WithJsonSchema(_one_or_list(STRATEGY))
]
Mistakes = Annotated[
    list[Any], BeforeValidator(_wrap_item), WithJsonSchema(_one_or_list(MISTAKES_SCHEMA))
]
Sweep = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": SWEPT})]


class ScoreTarget(StrictModel):
    """A score to reach, and the share of games that should reach it."""

    score: NegativeNumber
    rate: Rate


class Expect(StrictModel):
    """The results that `check` expects of a scenario; each cell of a sweep must meet them all."""

    win_rate: Annotated[Rate | None, Field(description="share of games won")] = None
    rounds: Annotated[
        Amounts | None, Field(description="length of a game: its mean, median, 90%")
    ] = None
    score: Annotated[Amounts | None, Field(description="score: its mean, median, 90%")] = None
    score_target: Annotated[
        ScoreTarget | None, Field(description="a score, and the share of games that reach it")
    ] = None
    endings: Annotated[dict[str, Rate], Field(description="share of games that end so")] = {}
    order: Annotated[
        Orders, Field(description="cells of the sweep, from the highest win rate to the lowest")
    ] = []


class KnownTop(StrictModel):
    """What is known of the best possible play in a scenario, without any change."""

    measure: Annotated[
        Literal["win_rate", "score"], Field(description="what is known: a win rate or a mean score")
    ] = "win_rate"
    best: Annotated[
        NegativeNumber | None, Field(description="what the best possible play gets")
    ] = None
    bound: Annotated[NegativeNumber | None, Field(description="what no player can exceed")] = None
    source: Annotated[Line, Field(min_length=1, description="where the number comes from")]


def _add_old_keys(schema: dict[str, Any]) -> None:
    """Let editors accept keys under their old names."""
    old = {**_one_or_list(MISTAKES_SCHEMA), "title": "Slips", "deprecated": True}
    schema["properties"][OLD_MISTAKES_KEY] = old


class ScenarioFile(StrictModel):
    """A scenario: a game, the choices made at its set-up, changed rules, and strategies."""

    model_config = ConfigDict(json_schema_extra=_add_old_keys)

    game: Annotated[str, Field(description="the game; implied in the game's own folder")] = ""
    extends: Annotated[
        str, Field(description="the scenario it starts from: a file beside it, or a shipped name")
    ] = ""
    box: Annotated[str, Field(description="a box of your own, laid over the shipped one")] = ""
    title: Annotated[Line, Field(description="one line that names it in every report")] = ""
    description: Annotated[str, Field(description="one or two sentences for a reader")] = ""
    author: Annotated[Line, Field(description="the author that the report names")] = ""
    minutes_per_round: Annotated[
        float | None,
        Field(
            gt=0,
            le=1440,
            allow_inf_nan=False,
            description="how long a round takes at the table, for the report",
        ),
    ] = None
    players: Annotated[
        Any,
        WithJsonSchema({"type": ["integer", "string"]}),
        Field(description="the number of players; the same as setup.players"),
    ] = None
    setup: Annotated[
        Changes, Field(description="choices made at set-up: paths below `setup.`")
    ] = {}
    rules: Annotated[
        Changes, Field(description="any other number of the box, by its path: 4, +1, x1.5")
    ] = {}
    strategies: Annotated[Strategies, Field(description="one for all seats, or one per seat")] = []
    mistakes: Annotated[
        Mistakes,
        Field(description="the share of decisions that players get wrong: 20%, or 20%:beginner"),
    ] = []
    sweep: Annotated[Sweep, Field(description="a grid: path -> list of values, or all")] = {}
    expect: Annotated[Expect | None, Field(description="the results that `check` expects")] = None
    top: Annotated[
        KnownTop | None,
        Field(description="what is known of the best play; forgotten where something is changed"),
    ] = None
    seed: Annotated[
        Seed, Field(ge=0, lt=2**64, description="the seed, unless the command gives one")
    ] = None
    games: Annotated[
        int | None,
        BeforeValidator(_parse_count),
        WithJsonSchema(COUNT),
        Field(
            ge=1,
            le=MAX_GAMES,
            description="how many games, unless the command gives a number: 200k, 1M",
        ),
    ] = None


def validate_scenario(document: Document) -> ScenarioFile:
    """Return the scenario of a document.

    Raises:
        ScenarioError: The first fault in the document.
    """
    if isinstance(document.data, dict):
        for key in document.data:
            if key.startswith("."):
                message = (
                    "belongs in a box; a scenario names a box of your own with `box: FILE`, "
                    "a command with --box FILE"
                )
                raise ScenarioError(document.locate(key), key, message)
    return validate_document(ScenarioFile, document, "a scenario is a mapping such as `players: 2`")


def rename_old_keys(document: Document) -> Document:
    """Return a scenario with the current names of its keys: `slips` becomes `mistakes`.

    Raises:
        ScenarioError: A key is there under both names.
    """
    document = _rename_key(document, ())
    return _rename_key(document, ("sweep",))


def _rename_key(document: Document, where: KeyPath) -> Document:
    """Return the document with the old name of `mistakes` replaced in the mapping at `where`."""
    data = document.data
    for step in where:
        data = data.get(step) if isinstance(data, dict) else None
    if not isinstance(data, dict) or OLD_MISTAKES_KEY not in data:
        return document
    old_path = (*where, OLD_MISTAKES_KEY)
    if MISTAKES_KEY in data:
        message = f"is the old name of `{MISTAKES_KEY}`; give only one of them"
        raise ScenarioError(document.locate(*old_path), format_key_path(old_path), message)
    renamed = {MISTAKES_KEY if key == OLD_MISTAKES_KEY else key: data[key] for key in data}
    lines: dict[KeyPath, int] = {}
    for path, line in document.lines.items():
        if path[: len(old_path)] == old_path:
            path = (*where, MISTAKES_KEY, *path[len(old_path) :])
        lines[path] = line
    return replace(
        document, data={**document.data, where[0]: renamed} if where else renamed, lines=lines
    )


def make_scenario_schema() -> dict[str, Any]:
    """Return the JSON schema of scenario files."""
    return build_json_schema(ScenarioFile, "hardmode scenario")


def make_box_schema() -> dict[str, Any]:
    """Return the JSON schema of boxes: nested sections of parameters, with inherited attributes."""
    return {
        "$schema": DIALECT,
        "title": "hardmode box",
        "$ref": "#/$defs/section",
        "$defs": _define_box_parts(ATTRIBUTES, VALUE["anyOf"]),
    }


def make_overlay_schema() -> dict[str, Any]:
    """Return the JSON schema of box overlays: they name their game and set fewer attributes."""
    attributes = [name for name in ATTRIBUTES if name not in SHIPPED_ONLY]
    parts = _define_box_parts(attributes, [*VALUE["anyOf"], {"type": "null"}])
    section = parts["section"]
    section["properties"] |= {key: TEXT for key in CONTENT_KEYS}
    return {
        "$schema": DIALECT,
        "title": "hardmode box of your own",
        **section,
        "required": ["game"],
        "properties": {"game": TEXT, **section["properties"]},
        "$defs": parts,
    }


def _define_box_parts(attributes: Iterable[str], values: list[Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of a parameter and of a section of a box.

    Args:
        attributes: The attributes that may be set.
        values: The schemas of values that may stand in a section without attributes.
    """
    text = {"type": ["string", "number"]}
    needs = {"type": "object", "additionalProperties": VALUE}
    types = {
        "source": {"enum": list(SOURCES)},
        "from": text,
        "unit": text,
        "note": text,
        "min": NUMBER,
        "max": NUMBER,
        "step": {"type": "number", "exclusiveMinimum": 0},
        "range": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2},
        "choices": SCALARS,
        "doubt": {"type": "array", "items": VALUE},
        "odds": {"type": "array", "items": {"type": "number", "minimum": 0}},
        "shape": {"enum": list(SHAPES), "deprecated": True},
        "prior": {"enum": list(PRIORS)},
        "prior_correct": {"type": "number", "minimum": 0, "maximum": 1},
        "prior_reason": text,
        "weights": {"type": "array", "items": {"type": "number", "minimum": 0}},
        "role": {"enum": list(ROLES)},
        "needs": needs,
        "needs_of": {"type": "object", "additionalProperties": needs},
    }
    inherited = {"." + name: types[name] for name in attributes}
    own = {name: types[name] for name in attributes if name not in SECTION_ONLY}
    leaf = {
        "type": "object",
        "required": ["value"],
        "additionalProperties": False,
        "properties": {"value": VALUE, **own},
    }
    items = [*values, {"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/section"}]
    section = {
        "type": "object",
        "not": {"required": ["value"]},
        "minProperties": 1,
        "properties": inherited,
        "patternProperties": {r"^[^\s.\[\]=]+$": {"anyOf": items}},
        "additionalProperties": False,
    }
    return {"leaf": leaf, "section": section}


FILES = {
    "scenario.schema.json": make_scenario_schema,
    "box.schema.json": make_box_schema,
    "own-box.schema.json": make_overlay_schema,
}


if __name__ == "__main__":
    for name, make_schema in FILES.items():
        (FOLDER / name).write_text(format_json_schema(make_schema()), encoding="utf-8")
