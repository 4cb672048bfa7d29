"""A box of one's own: a file of numbers laid over the shipped box, with their own provenance.

    game: woodlands
    .source: rulebook
    boss:
      wolf: {hearts: {value: 9, from: p. 12}}

It is written like a box. What it says of a number stands in place of what the shipped box says; the type, the choices
and the limits of the shipped box hold. A section may be empty, as in a template that nobody has filled in yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardmode.scenarios.box import folder
from hardmode.scenarios.box import leaves as shipped
from hardmode.scenarios.custom_content import added_to, grown
from hardmode.scenarios.overrides import Change, apply, split
from hardmode.scenarios.parameter import (
    FIXED,
    TYPES,
    Leaf,
    ailment,
    attributes,
    entries,
    implausible,
    yaml_text,
)
from hardmode.sim import contract
from hardmode.sim.files.paths import is_file, short_path
from hardmode.sim.files.yaml_io.errors import NOWHERE, Place, ScenarioError, near
from hardmode.sim.files.yaml_io.read import Document, read_file


@dataclass(frozen=True, eq=False)
class OwnBox:
    """The numbers of a file, each as the change that it is to the shipped box, and the box that they make."""

    file: str  # as a reader is told
    path: Path
    changes: dict[str, Change]
    leaves: dict[str, Leaf]  # all of the game's
    added: dict[str, str] = field(default_factory=dict)  # content that the shipped box has not

    @property
    def text(self) -> str:
        """What a reader is told of it."""
        return f"with the box {self.counted}"

    @property
    def counted(self) -> str:
        return counted(self.file, len(self.changes), len(self.added))


def counted(file: str, numbers: int, added: int = 0) -> str:
    more = f" and {added} of its own" if added else ""
    return f"{file}, {numbers} number{'' if numbers == 1 else 's'}{more}"


def own_box(path: Path, game: str, asked: Place) -> OwnBox:
    """The box in a file, laid over the shipped box of a game; `asked` is where the file was named."""
    if not is_file(path):
        raise ScenarioError(asked, "box", f"no such file {short_path(path)}", near(path))
    document = read_file(path, signs=True)
    _is_for(document, game)
    data, made = grown(
        document,
        {k: v for k, v in document.data.items() if k != "game"},
        shipped(game),
        contract.game(game).content,
    )
    laid = {change.path: (change, leaf) for change, leaf in _laid(document, data, made.leaves)}
    return OwnBox(
        document.file,
        path,
        {p: change for p, (change, _) in laid.items()},
        {**made.leaves, **{p: leaf for p, (_, leaf) in laid.items()}},
        made.added,
    )


def with_content(game: str, added: dict[str, str], numbers: Iterable[str]) -> OwnBox:
    """The shipped box with content that a result says was added to it."""
    made = added_to(shipped(game), added, contract.game(game).content, list(numbers), NOWHERE)
    return OwnBox("", Path(), {}, made.leaves, made.added)


def _is_for(document: Document, game: str) -> None:
    data = document.data
    if not isinstance(data, dict):
        raise ScenarioError(
            document.place(),
            "",
            "a box of one's own names its `game`, and then numbers as in a box",
        )
    if "game" not in data:
        raise ScenarioError(
            Place(document.file),
            "game",
            f"is missing; a box of one's own begins with `game: {game}`",
        )
    if data["game"] != game:
        folder(str(data["game"]), document.place("game"))
        raise ScenarioError(
            document.place("game"), "game", f"is a box for {data['game']}; what is played is {game}"
        )


def _laid(
    document: Document, data: dict[str, Any], known: dict[str, Leaf]
) -> Iterator[tuple[Change, Leaf]]:
    values = {path: leaf.value for path, leaf in known.items()}
    for where, told in entries(document, data):
        change = Change(".".join(where), told["value"], document.place(*where))
        if told["value"] is None and any(path.startswith(change.path + ".") for path in known):
            continue
        fixed = next((name for name in FIXED if name in told), "")
        if fixed:
            raise ScenarioError(
                document.place(*where, fixed),
                f"{change.path}.{fixed}",
                "is said by the shipped box, and holds for every other",
            )
        leaf, _ = split(change, known)
        _plain(change, leaf)
        apply(values, change, known)
        yield change, _over(change, leaf, told, values[leaf.path])


def _plain(change: Change, leaf: Leaf) -> None:
    """A box holds numbers, not changes to numbers."""
    items = change.value if isinstance(change.value, list) else [change.value]
    text = next((item for item in items if isinstance(item, str)), None)
    if text is not None and leaf.type in (int, float):
        raise change.wrong(
            f"is {yaml_text(text)}; it must be {TYPES[leaf.type]}: a box holds no changes"
        )


def _over(change: Change, leaf: Leaf, told: dict[str, Any], value: Any) -> Leaf:
    """What is said now in place of what was. Of a number that is known, what was only supposed no longer holds."""
    if told.get("source") != "assumed":
        items = value if isinstance(value, list) else [value]
        beyond = any(implausible(leaf, item) for item in items)
        leaf = replace(leaf, range=None, doubt=()) if leaf.assumed or beyond else leaf
        leaf = replace(leaf, note="") if leaf.assumed else leaf
    laid = replace(
        leaf, value=value, line=change.place.line or 0, file=change.place.file, **attributes(told)
    )
    problem = ailment(laid)
    if problem:
        raise change.wrong(problem)
    return laid
