"""New content in a box of one's own: a boss, hero, card or skill that is made like one of the box, or takes its place.

    boss:
      hydra: {.like: snake_matriarch, hearts: 9}          # one more; what is not said is as with the snake
      frog: {.instead: spore_titan, shield: 5}            # in the place of another

Which parts of a box can grow, and how far, the game says (`Game.content`): its rules read these by their names, in the
order of the box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from hardmode.scenarios.parameter import NAME, Leaf
from hardmode.sim.contract import Content
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError, nearest
from hardmode.sim.files.yaml_io.read import Document

LIKE, INSTEAD = ".like", ".instead"
HOW = (LIKE, INSTEAD)
LONGEST = 24  # bytes of a name: so many the records of every game hold


@dataclass
class Grown:
    """The numbers of a box that has grown, and what was added to it: path and `.like` or `.instead`, and of what."""

    leaves: dict[str, Leaf]
    added: dict[str, str] = field(default_factory=dict)

    def names(self, section: str) -> list[str]:
        """The entries of a part, in the order of the box."""
        dot = section + "."
        return list(
            dict.fromkeys(
                path[len(dot) :].split(".")[0] for path in self.leaves if path.startswith(dot)
            )
        )

    def add(
        self, section: str, name: str, how: str, model: str, kind: Content, place: Place
    ) -> None:
        """One more entry of a part, made like another or in its place."""
        here, names, instead = f"{section}.{name}", self.names(section), how == INSTEAD
        if model not in names:
            raise ScenarioError(
                place, here + how, f"there is no {section}.{model}", nearest(model, names)
            )
        if not (
            NAME.fullmatch(name) and any(map(str.isalpha, name)) and len(name.encode()) <= LONGEST
        ):
            raise ScenarioError(
                place,
                here,
                f"is no name: it takes a letter or more, {LONGEST} at most, and no blank, "
                "dot, bracket, star or =",
            )
        for path in kind.named_by:
            if kind.called(name) in set(self.leaves[path].choices) - set(map(kind.called, names)):
                raise ScenarioError(
                    place, here, f"cannot be called {name}, which means something else in {path}"
                )
        if len(names) >= kind.most and not instead:
            raise ScenarioError(
                place,
                here,
                f"is one too many: {section} can have {kind.most} entries; "
                f"`{INSTEAD}: NAME` puts it in the place of another",
            )
        self._copy(f"{section}.{model}.", here + ".", section + ".", instead, place, kind)
        for path in kind.named_by:
            self.leaves[path] = _chosen(
                self.leaves[path], kind.called(name), kind.called(model) if instead else ""
            )
        self.added[here + how] = model

    def _copy(
        self, model: str, here: str, section: str, instead: bool, place: Place, kind: Content
    ) -> None:
        """The numbers of an entry once more: behind all of its part, or where it stood itself."""
        made = {
            path.replace(model, here, 1): leaf
            for path, leaf in self.leaves.items()
            if path.startswith(model)
        }
        old, new = (where.split(".")[-2] for where in (model, here))
        made = {
            path: replace(
                leaf,
                path=path,
                file=place.file,
                line=place.line or 0,
                needs=_renamed(leaf, old, new, kind),
            )
            for path, leaf in made.items()
        }
        last = [path for path in self.leaves if path.startswith(model if instead else section)][-1]
        leaves: dict[str, Leaf] = {}
        for path, leaf in self.leaves.items():
            leaves |= {} if instead and path.startswith(model) else {path: leaf}
            leaves |= made if path == last else {}
        self.leaves = leaves

    def lend(self, section: str, name: str, rest: str, place: Place, kind: Content) -> None:
        """A number that an entry of a part does not have, and another has."""
        dot = section + "."
        other = next(
            (
                leaf
                for path, leaf in self.leaves.items()
                if path.startswith(dot) and path[len(dot) :].partition(".")[2] == rest
            ),
            None,
        )
        path = f"{section}.{name}.{rest}"
        if other and path not in self.leaves:
            owner = other.path.removeprefix(dot).split(".")[0]
            self.leaves[path] = replace(
                other,
                path=path,
                file=place.file,
                line=place.line or 0,
                needs=_renamed(other, owner, name, kind),
            )


def _renamed(
    leaf: Leaf, old: str, new: str, kind: Content
) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """What a number needs, where it has come to belong to another name."""
    names: dict[Any, Any] = {old: new, kind.called(old): kind.called(new)}
    return tuple(
        (path, tuple(names.get(value, value) for value in wanted)) for path, wanted in leaf.needs
    )


def _chosen(leaf: Leaf, name: str, gone: str) -> Leaf:
    """A choice among names that have become other names."""
    if not gone:
        return leaf if name in leaf.choices else replace(leaf, choices=(*leaf.choices, name))
    value = [name if v == gone else v for v in leaf.items]
    return replace(
        leaf,
        choices=tuple(name if c == gone else c for c in leaf.choices),
        value=value if isinstance(leaf.value, list) else value[0],
    )


def grown(
    document: Document,
    data: Mapping[str, Any],
    known: Mapping[str, Leaf],
    content: Mapping[str, Content],
) -> tuple[dict[str, Any], Grown]:
    """What a box of one's own says besides what it adds; and the box with that added."""
    found = Grown(dict(known))
    return _read(document, data, (), found, content), found


def _read(
    document: Document,
    data: Mapping[str, Any],
    where: tuple[str, ...],
    found: Grown,
    content: Mapping[str, Content],
) -> dict[str, Any]:
    kind = _kind(".".join(where), content)
    rest: dict[str, Any] = {}
    for key, told in data.items():
        here = (*where, key)
        if not kind and isinstance(told, Mapping) and any(how in told for how in HOW):
            raise ScenarioError(
                document.place(*here),
                ".".join(here),
                "can be neither added nor put in the place of "
                f"another: that goes for {', '.join(content) or 'no part of this box'}",
            )
        if (
            kind
            and not key.startswith(".")
            and (isinstance(told, Mapping) or key not in found.names(".".join(where)))
        ):
            told = _entry(document, told, here, found, kind, content)
            if not told:
                continue
        section = isinstance(told, Mapping) and "value" not in told
        left = _read(document, told, here, found, content) if section else told
        if (
            left != {} or told == {}
        ):  # of a section that held nothing but new entries nothing is left
            rest[key] = left
    return rest


def _entry(
    document: Document,
    told: Mapping[str, Any],
    here: tuple[str, ...],
    found: Grown,
    kind: Content,
    content: Mapping[str, Content],
) -> dict[str, Any]:
    """An entry of a part that can grow, which may be new; what else is said of it."""
    section, name = ".".join(here[:-1]), here[-1]
    names, how = (
        found.names(section),
        [key for key in HOW if isinstance(told, Mapping) and key in told],
    )
    if name in names and how:
        raise ScenarioError(
            document.place(*here, how[0]), f"{section}.{name}", "is in the box already"
        )
    if name not in names:
        if len(how) > 1:
            raise ScenarioError(
                document.place(*here),
                f"{section}.{name}",
                f"says both `{LIKE}` and `{INSTEAD}`; it is one or the other",
            )
        if not how:
            raise ScenarioError(
                document.place(*here),
                f"{section}.{name}",
                "is not in the box; a new one says "
                f"`{LIKE}: NAME` to be made like another, or `{INSTEAD}: NAME` to take its place",
                nearest(name, names),
            )
        found.add(section, name, how[0], str(told[how[0]]), kind, document.place(*here))
    told = {key: value for key, value in told.items() if key not in HOW}
    for path in _numbers(told, ".".join(here), content):
        found.lend(
            section, name, path.removeprefix(f"{section}.{name}."), document.place(*here), kind
        )
    return told


def _numbers(told: Mapping[str, Any], here: str, content: Mapping[str, Content]) -> Iterator[str]:
    """The numbers that are said of an entry; not those of entries that it has itself, which are new or are there."""
    for key, value in told.items():
        path = f"{here}.{key}"
        if key.startswith(".") or _kind(path, content):
            continue
        if isinstance(value, Mapping) and "value" not in value:
            yield from _numbers(value, path, content)
        else:
            yield path


def _kind(section: str, content: Mapping[str, Content]) -> Content | None:
    return next(
        (
            kind
            for pattern, kind in content.items()
            if pattern.count(".") == section.count(".") and fnmatchcase(section, pattern)
        ),
        None,
    )


def added_to(
    known: Mapping[str, Leaf],
    added: Mapping[str, str],
    content: Mapping[str, Content],
    numbers: Iterable[str],
    place: Place,
) -> Grown:
    """The box with what a result says was added to it, as `boss.hydra.like: snake_matriarch`, and of what numbers."""
    found = Grown(dict(known))
    for path, model in added.items():
        here, _, how = path.rpartition(".")
        section, _, name = here.rpartition(".")
        kind = _kind(section, content)
        if kind is None:
            raise ScenarioError(place, path, f"nothing can be added to {section or 'the box'}")
        found.add(section, name, f".{how}", model, kind, place)
        of_others = tuple(
            f"{other.rpartition('.')[0]}."
            for other in added
            if other.startswith(f"{here}.") and other != path
        )
        for number in numbers:
            if number.startswith(here + ".") and not number.startswith(of_others):
                found.lend(section, name, number[len(here) + 1 :], place, kind)
    return found


def is_added(path: str) -> bool:
    return path.endswith(HOW)
