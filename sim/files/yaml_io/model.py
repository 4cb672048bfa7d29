"""What a file must hold, as a pydantic model: its first mistake in words, and its JSON schema for editors."""

from __future__ import annotations

import json
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from hardmode.sim.files.yaml_io.errors import ScenarioError, nearest
from hardmode.sim.files.yaml_io.read import Document

WORDS = {
    "string_type": "must be a text (in quotes, if it looks like something else)",
    "int_type": "must be a whole number",
    "dict_type": "must be a mapping of names to values",
    "model_type": "must be a mapping of names to values",
    "list_type": "must be a list",
    "missing": "is missing",
    "float_type": "must be a number",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "finite_number": "must be a finite number",
}


class Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, arbitrary_types_allowed=True, frozen=True
    )


M = TypeVar("M", bound=BaseModel)


def validated(model: type[M], document: Document, form: str) -> M:
    """What a document says, as its model has it, or its first mistake."""
    data = document.data
    if data is None:
        raise ScenarioError(document.place(), "", f"is empty; {form}")
    if not isinstance(data, dict):
        kind = "a list" if isinstance(data, list) else "a single value"
        raise ScenarioError(document.place(), "", f"is {kind}; {form}")
    _no_gaps(document, data, ())
    try:
        return model.model_validate(data)
    except ValidationError as why:
        raise _first(model, document, why) from None


def _no_gaps(document: Document, value: Any, where: tuple[str | int, ...]) -> None:
    if value is None:
        raise ScenarioError(
            document.place(*where), dotted(where), "has no value; give it one or drop it"
        )
    steps = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, below in steps:
        _no_gaps(document, below, (*where, key))


def _first(model: type[BaseModel], document: Document, why: ValidationError) -> ScenarioError:
    """The mistake that stands first in the file; what is missing comes last, for it may only be misspelt."""
    found = [(tuple(e["loc"]), e) for e in why.errors()]
    where, error = min(
        found, key=lambda f: (f[1]["type"] == "missing", document.place(*f[0]).line or 0)
    )
    if error["type"] == "extra_forbidden":
        fields = _within(model, where[:-1]).model_fields
        close = nearest(str(where[-1]), fields)
        return ScenarioError(
            document.place(*where),
            dotted(where),
            "no such key" if close else f"no such key; there are {', '.join(fields)}",
            close,
        )
    words = WORDS.get(error["type"], "").format(**error.get("ctx", {}))
    message = words or error["msg"].removeprefix("Value error, ")
    return ScenarioError(document.place(*where), dotted(where), message)


def _within(model: type[BaseModel], where: tuple[str | int, ...]) -> type[BaseModel]:
    """The model of what stands below these keys."""
    for step in where:
        kind: Any = model.model_fields[str(step)].annotation
        model = next(
            k for k in (kind, *get_args(kind)) if isinstance(k, type) and issubclass(k, BaseModel)
        )
    return model


def dotted(where: tuple[str | int, ...]) -> str:
    """A path as its reader would write it: strategies[0].weights."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).lstrip(
        "."
    )


class _WithoutNull(GenerateJsonSchema):
    """A key may be left out, but not left empty."""

    def nullable_schema(self, schema: Any) -> Any:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> Any:
        return self.generate_inner(schema["schema"])


def model_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    made = model.model_json_schema(schema_generator=_WithoutNull)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": title}


def schema_text(made: dict[str, Any]) -> str:
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"
