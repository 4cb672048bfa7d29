"""What may stand in a scenario file; and the JSON schemas of scenarios and boxes, for editors.

`python -m hardmode.scenarios.schema` writes the schemas anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema

from hardmode.scenarios.errors import ScenarioError, nearest
from hardmode.scenarios.expect import Band, Order, amount, orders, rate
from hardmode.scenarios.leaf import ATTRIBUTES, FIXED, SOURCES
from hardmode.scenarios.read import Document

HERE = Path(__file__).parent
RATE_PATTERN = r"^\s*(([<>≥≤]=?\s*[0-9.]+\s*%?)|([0-9.]+\s*%?\s*(\.\.|…|–)\s*[0-9.]+\s*%?))\s*$"
AMOUNT_PATTERN = r"^\s*(([<>≥≤]=?\s*[-+]?[0-9.]+)|([-+]?[0-9.]+\s*(\.\.|…|–)\s*[-+]?[0-9.]+))\s*$"
SCALAR = {"type": ["boolean", "number", "string"]}
VALUE = {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]}
WORDS = {
    "string_type": "must be a text (in quotes, if it looks like something else)",
    "int_type": "must be a whole number", "dict_type": "must be a mapping of names to values",
    "model_type": "must be a mapping of names to values", "list_type": "must be a list",
    "missing": "is missing", "float_type": "must be a number",
    "greater_than_equal": "must be at least {ge}", "less_than": "must be less than {lt}",
}


def _count(written: Any) -> Any:
    """100000, 100k or 1M games."""
    said = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([kM])", written) if isinstance(written, str) else None
    return round(float(said[1]) * {"k": 1_000, "M": 1_000_000}[said[2]]) if said else written


def _listed(written: Any) -> Any:
    return [written] if isinstance(written, (str, dict)) else written


def _signed(written: Any) -> Any:
    """A number below zero: in a scenario a signed number is read as text."""
    negative = isinstance(written, str) and re.fullmatch(r"-[0-9]+(\.[0-9]+)?", written)
    return (float(written) if "." in written else int(written)) if negative else written


def _text(pattern: str, example: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example]})


Changes = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": {
    "anyOf": [*VALUE["anyOf"], {"type": "object"}]}})]
Rate = Annotated[Band, BeforeValidator(rate), _text(RATE_PATTERN, "40% .. 55%")]
Amount = Annotated[Band, BeforeValidator(amount), _text(AMOUNT_PATTERN, "6 .. 9")]
STRATEGY = {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": False, "properties": {
    "name": {"type": "string"}, "search": {"type": "string"}, "playouts": {"type": "integer", "minimum": 1},
    "weights": {"type": "object", "additionalProperties": {"type": "number"}}}}]}
ORDER = {"anyOf": [{"type": "string", "examples": ["easy > classic > hard"]}, {
    "type": "object", "additionalProperties": False, "required": ["path", "order"],
    "properties": {"path": {"type": "string"}, "order": {"type": "string"}}}]}


SWEPT = {"anyOf": [{"const": "all"}, {"type": "array", "minItems": 1}, {"type": "object"}]}
COUNT = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^[0-9.]+\s*[kM]$"}]}


def _one_or_list(one: dict[str, Any]) -> WithJsonSchema:
    return WithJsonSchema({"anyOf": [*one["anyOf"], {"type": "array", "items": one, "minItems": 1}]})


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True, frozen=True)


class ScoreTarget(Model):
    """A score to reach, and the share of games that should reach it."""

    score: Annotated[float, BeforeValidator(_signed), WithJsonSchema({"type": "number"})]
    rate: Rate


class Expect(Model):
    """What `check` holds a scenario to; every cell of a sweep is held to all of it."""

    win_rate: Annotated[Rate | None, Field(description="share of games won")] = None
    rounds: Annotated[Amount | None, Field(description="mean length of a game")] = None
    score: Annotated[Amount | None, Field(description="mean score")] = None
    score_target: Annotated[ScoreTarget | None, Field(description="a score, and who reaches it")] = None
    endings: Annotated[dict[str, Rate], Field(description="share of games that end so")] = {}
    order: Annotated[list[Order], BeforeValidator(orders), _one_or_list(ORDER),
                     Field(description="cells of the sweep, from the highest win rate to the lowest")] = []


class ScenarioFile(Model):
    """A scenario: a game, the choices made at its set-up, changed rules, and who plays."""

    game: Annotated[str, Field(description="the game; implied in the game's own folder")] = ""
    extends: Annotated[str, Field(description="the scenario it starts from: a file beside it, or a shipped name")] = ""
    box: Annotated[str, Field(description="a box of one's own, laid over the shipped one")] = ""
    title: Annotated[str, Field(description="one line that names it in every report")] = ""
    description: Annotated[str, Field(description="one or two sentences for a reader")] = ""
    players: Annotated[Any, WithJsonSchema({"type": ["integer", "string"]}),
                       Field(description="how many play; the same as setup.players")] = None
    setup: Annotated[Changes, Field(description="choices made at set-up: paths below `setup.`")] = {}
    rules: Annotated[Changes, Field(description="any other number of the box, by its path: 4, +1, x1.5")] = {}
    strategies: Annotated[list[Any], BeforeValidator(_listed), _one_or_list(STRATEGY),
                          Field(description="one for all seats, or one per seat")] = []
    sweep: Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": SWEPT}),
                     Field(description="a grid: path -> list of values, or all")] = {}
    expect: Annotated[Expect | None, Field(description="what `check` holds it to")] = None
    seed: Annotated[int | None, BeforeValidator(_signed), WithJsonSchema({"type": "integer", "minimum": 0}),
                    Field(ge=0, lt=2**64, description="unless the command gives one")] = None
    games: Annotated[int | None, BeforeValidator(_count), WithJsonSchema(COUNT),
                     Field(ge=1, description="how many, unless the command says: 200k, 1M")] = None


def checked(document: Document) -> ScenarioFile:
    """The scenario of a document, or its first mistake."""
    data = document.data
    if data is None:
        raise ScenarioError(document.place(), "", "is empty; a scenario is a mapping such as `players: 2`")
    if not isinstance(data, dict):
        kind = "a list" if isinstance(data, list) else "a single value"
        raise ScenarioError(document.place(), "", f"is {kind}; a scenario is a mapping such as `players: 2`")
    _no_gaps(document, data, ())
    try:
        return ScenarioFile.model_validate(data)
    except ValidationError as why:
        raise _first(document, why) from None


def _no_gaps(document: Document, value: Any, where: tuple[str | int, ...]) -> None:
    if value is None:
        raise ScenarioError(document.place(*where), dotted(where), "has no value; give it one or drop it")
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in steps:
        _no_gaps(document, below, (*where, key))


def _first(document: Document, why: ValidationError) -> ScenarioError:
    """The mistake that stands first in the file."""
    found = [(tuple(e["loc"]), e) for e in why.errors()]
    where, error = min(found, key=lambda f: (document.place(*f[0]).line or 0, f[1]["type"] == "missing"))
    if error["type"] == "extra_forbidden":
        if str(where[0]).startswith("."):
            return ScenarioError(document.place(*where), dotted(where), "is said in a box; a scenario names a box of "
                                 "one's own with `box: FILE`, a command with --box FILE")
        fields = (Expect if where[0] == "expect" else ScenarioFile).model_fields
        fields = ScoreTarget.model_fields if "score_target" in where else fields
        close = nearest(str(where[-1]), fields)
        return ScenarioError(document.place(*where), dotted(where), "no such key" if close else
                             f"no such key; there are {', '.join(fields)}", close)
    words = WORDS.get(error["type"], "").format(**error.get("ctx", {}))
    message = words or error["msg"].removeprefix("Value error, ")
    return ScenarioError(document.place(*where), dotted(where), message)


def dotted(where: tuple[str | int, ...]) -> str:
    """A path as its reader would write it: strategies[0].weights."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).lstrip(".")


class _WithoutNull(GenerateJsonSchema):
    """A key may be left out, but not left empty."""

    def nullable_schema(self, schema: Any) -> Any:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> Any:
        return self.generate_inner(schema["schema"])


def scenario_schema() -> dict[str, Any]:
    made = ScenarioFile.model_json_schema(schema_generator=_WithoutNull)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": "hardmode scenario"}


def box_schema() -> dict[str, Any]:
    """A box: sections of sections down to leaves, with inherited attributes in front."""
    leaf, section = _leaf_and_section(ATTRIBUTES, VALUE["anyOf"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "hardmode box",
            "$ref": "#/$defs/section", "$defs": {"leaf": leaf, "section": section}}


def own_box_schema() -> dict[str, Any]:
    """A box of one's own: it names its game, says less of a leaf, and may leave sections empty."""
    leaf, section = _leaf_and_section([name for name in ATTRIBUTES if name not in FIXED],
                                      [*VALUE["anyOf"], {"type": "null"}])
    top = {**section, "required": ["game"], "properties": {"game": {"type": "string"}, **section["properties"]}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "hardmode box of one's own",
            **top, "$defs": {"leaf": leaf, "section": section}}


def _leaf_and_section(attributes: Iterable[str], values: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    text = {"type": ["string", "number"]}
    number = {"type": "number"}
    types = {"source": {"enum": list(SOURCES)}, "from": text, "unit": text, "note": text,
             "min": number, "max": number,
             "range": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
             "choices": {"type": "array", "items": SCALAR}, "doubt": {"type": "array", "items": VALUE}}
    said = {name: types[name] for name in attributes}
    leaf = {"type": "object", "required": ["value"], "additionalProperties": False,
            "properties": {"value": VALUE, **said}}
    section = {"type": "object", "not": {"required": ["value"]}, "minProperties": 1,
               "properties": {"." + name: kind for name, kind in said.items()},
               "patternProperties": {r"^[^\s.\[\]=]+$": {"anyOf": [
                   *values, {"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/section"}]}},
               "additionalProperties": False}
    return leaf, section


FILES = {"scenario.schema.json": scenario_schema, "box.schema.json": box_schema,
         "own-box.schema.json": own_box_schema}


def schema_text(file: str) -> str:
    return json.dumps(FILES[file](), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for file in FILES:
        (HERE / file).write_text(schema_text(file), encoding="utf-8")
