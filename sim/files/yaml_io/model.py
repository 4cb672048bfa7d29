"""Documents validated by pydantic models: the first mistake as a message, and JSON schemas."""

from __future__ import annotations

import json
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from hardmode.sim.files.yaml_io.errors import ScenarioError, find_nearest_names
from hardmode.sim.files.yaml_io.read import Document, KeyPath

ERROR_MESSAGES = {  # by pydantic's type of error
    "string_type": "must be a text (in quotes, if it looks like something else)",
    "bool_type": "must be true or false",
    "too_short": "must not be empty",
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


class StrictModel(BaseModel):
    """Immutable pydantic model that converts no types and refuses unknown keys."""

    model_config = ConfigDict(
        extra="forbid", strict=True, arbitrary_types_allowed=True, frozen=True
    )


M = TypeVar("M", bound=BaseModel)


def validate_document(model: type[M], document: Document, form: str) -> M:
    """Return a document as an object of its model.

    Args:
        model: What the document must hold.
        document: The values of a file.
        form: What such a file looks like, for messages about a file of another kind.

    Raises:
        ScenarioError: The first mistake in the file.
    """
    data = document.data
    if data is None:
        raise ScenarioError(document.locate(), "", f"is empty; {form}")
    if not isinstance(data, dict):
        kind = "a list" if isinstance(data, list) else "a single value"
        raise ScenarioError(document.locate(), "", f"is {kind}; {form}")
    _refuse_missing_values(document, data, ())
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise _describe_first_error(model, document, error) from None


def format_key_path(key_path: KeyPath) -> str:
    """Return a path as its reader would write it: `strategies[0].weights`."""
    parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in key_path]
    return "".join(parts).lstrip(".")


def build_json_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    """Return the JSON schema of a model; keys may be left out, but not null."""
    schema = model.model_json_schema(schema_generator=_SchemaWithoutNull)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": title}


def format_json_schema(schema: dict[str, Any]) -> str:
    """Return a JSON schema as the text of its file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _refuse_missing_values(document: Document, value: Any, key_path: KeyPath) -> None:
    if value is None:
        message = "has no value; give it one or drop it"
        raise ScenarioError(document.locate(*key_path), format_key_path(key_path), message)
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_missing_values(document, item, (*key_path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_missing_values(document, item, (*key_path, index))


def _describe_first_error(
    model: type[BaseModel], document: Document, errors: ValidationError
) -> ScenarioError:
    """Return the error that is first in the file.

    Missing keys come last: one may be missing only because another is misspelt.
    """

    def sort_key(error: ErrorDetails) -> tuple[bool, int]:
        return error["type"] == "missing", document.locate(*error["loc"]).line or 0

    error = min(errors.errors(), key=sort_key)
    key_path = tuple(error["loc"])
    suggestions: list[str] = []
    if error["type"] == "extra_forbidden":
        fields = _find_model(model, key_path[:-1]).model_fields
        suggestions = find_nearest_names(str(key_path[-1]), fields)
        message = "no such key"
        if not suggestions:
            message = f"no such key; there are {', '.join(fields)}"
    else:
        template = ERROR_MESSAGES.get(error["type"], "")
        message = template.format(**error.get("ctx", {}))
        if not message:
            message = error["msg"].removeprefix("Value error, ")
    location = document.locate(*key_path)
    return ScenarioError(location, format_key_path(key_path), message, suggestions)


def _find_model(model: type[BaseModel], key_path: KeyPath) -> type[BaseModel]:
    """Return the model of the values below these keys."""
    for step in key_path:
        annotation: Any = model.model_fields[str(step)].annotation
        candidates = (annotation, *get_args(annotation))
        model = next(
            kind for kind in candidates if isinstance(kind, type) and issubclass(kind, BaseModel)
        )
    return model


class _SchemaWithoutNull(GenerateJsonSchema):
    """Generator of schemas in which no key may be null, and defaults are left out."""

    def nullable_schema(self, schema: Any) -> Any:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> Any:
        return self.generate_inner(schema["schema"])
