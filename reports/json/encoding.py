"""From the record of an answer to the data that is printed as JSON."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from hardmode.reports.json.parts import ABSENT, get_key

VERSIONS: dict[str, int] = {}  # schema versions of answers, where they are not 1
LISTS = ("replay",)  # answers that are lists, and so cannot hold their own name


def get_version(name: str) -> int:
    """Return the version of the schema of an answer."""
    return VERSIONS.get(name, 1)


def encode_answer(name: str, answer: Any) -> Any:
    """Return an answer as plain data, with its name and the version of its schema first."""
    data = to_plain_data(answer)
    if name in LISTS:
        return data
    return {"hardmode": name, "schema": get_version(name), **data}


def to_plain_data(value: Any) -> Any:
    """Return a value with records as dictionaries, and None in place of NaN and infinity.

    Fields whose value is ABSENT are left out.
    """
    if is_dataclass(value):
        items = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {get_key(name): to_plain_data(item) for name, item in items if item is not ABSENT}
    if isinstance(value, dict):
        return {key: to_plain_data(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain_data(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
