"""What a number needs in order to matter: others, with one of the values that the box names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hardmode.scenarios.overrides import ANY_NAME, fits
from hardmode.scenarios.parameter import Leaf, misfit, yaml_text

BESIDE, MORE = ".", "> "
Need = tuple[str, tuple[Any, ...]]


def lacking(leaf: Leaf, values: Mapping[str, Any]) -> list[Need]:
    """What the number needs and does not find; of a list, or of several numbers (`*`), one will do."""
    return [
        (path, wanted)
        for path, wanted in leaf.needs
        if not any(_fits(item, one) for item in _found(leaf, path, values) for one in wanted)
    ]


def _fits(item: Any, wanted: Any) -> bool:
    """Whether a number is what is wanted: a value, or more than one (`> 0`)."""
    if isinstance(wanted, str) and wanted.startswith(MORE) and isinstance(item, (int, float)):
        return item > float(wanted.removeprefix(MORE))
    return bool(item == wanted)


def _found(leaf: Leaf, path: str, values: Mapping[str, Any]) -> Iterator[Any]:
    for other in meant(leaf, path, values):
        value = values[other]
        yield from value if isinstance(value, list) else [value]


def meant(leaf: Leaf, path: str, known: Iterable[str]) -> list[str]:
    """The numbers that a path with `*` in it stands for; one that begins with a dot is beside the number itself."""
    if path.startswith(BESIDE):
        return [leaf.path.rpartition(".")[0] + path]
    return (
        [other for other in known if fits(other.split("."), path.split("."))]
        if ANY_NAME in path
        else [path]
    )


def text(needs: Iterable[Need]) -> str:
    """`setup.monster any or troll, and setup.starred any or starred`."""
    return ", and ".join(each(needs))


def each(needs: Iterable[Need], *own: str) -> tuple[str, ...]:
    """One text for each; names that are `own` are written as `*`."""
    return tuple(
        f"its {path[1:]} {_either(wanted)}"
        if path.startswith(BESIDE)
        else f"{path} {_either(wanted, own)}"
        for path, wanted in needs
    )


def in_words(leaf: Leaf) -> str:
    """What is said of a number that needs others."""
    return told(each(leaf.needs))


def told(wants: Iterable[str]) -> str:
    found = ", and ".join(wants)
    return f"needs {found}" if found else ""


def _either(wanted: Iterable[Any], own: Iterable[str] = ()) -> str:
    told = [ANY_NAME if value in own else yaml_text(value) for value in wanted]
    return " or ".join(told) if len(told) < 3 else f"{', '.join(told[:-1])} or {told[-1]}"


def impossible(leaf: Leaf, leaves: Mapping[str, Leaf]) -> str:
    """Why a number cannot need what its box says it does, or nothing."""
    for path, wanted in leaf.needs:
        others = [leaves[other] for other in meant(leaf, path, leaves) if other in leaves]
        if not others:
            return f"needs {path}, and there is no such number"
        unfit = next((v for v in wanted if not any(_possible(v, other) for other in others)), None)
        if unfit is not None:
            return f"needs {path} {yaml_text(unfit)}, which it cannot be"
    return ""


def _possible(wanted: Any, other: Leaf) -> bool:
    if isinstance(wanted, str) and other.type in (int, float):
        return bool(re.fullmatch(rf"{MORE}-?[0-9]+(\.[0-9]+)?", wanted))
    return type(wanted) is other.type and not misfit(other, wanted)
