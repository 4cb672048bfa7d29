"""The numbers of a box, a line each: found by words, and like ones together."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import cut, span
from hardmode.scenarios import dependencies
from hardmode.scenarios.overrides import ANY_NAME
from hardmode.scenarios.parameter import Parameter, format_yaml_value

ABOVE = "  # "  # how a line begins that says something of the numbers below it
PATH_WIDTH, VALUE_WIDTH = 40, 24  # a longer one pushes the rest of its line aside


@dataclass(frozen=True)
class Line:
    """One number, or those of like kind together (`boss.*.hearts`)."""

    path: str
    leaves: tuple[Parameter, ...]
    now: str = ""  # the value in a scenario, or the scenarios in which it has another

    @property
    def note(self) -> str:
        """What all have in common: a note, and what they need."""
        return _joined(self.remark, self.wants)

    @property
    def remark(self) -> str:
        return _one({leaf.note for leaf in self.leaves})

    @property
    def wants(self) -> tuple[str, ...]:
        """What all need, that which is said above them first, each with the star for a name of its own."""
        own = (lambda leaf: leaf.path.split(".")) if ANY_NAME in self.path else lambda leaf: []
        found = {dependencies.format_needs(leaf.needs, *own(leaf)) for leaf in self.leaves}
        return found.pop() if len(found) == 1 else ()

    @property
    def source(self) -> str:
        return _one(
            {", ".join(filter(None, (leaf.source, leaf.from_, leaf.file))) for leaf in self.leaves}
        )


def matching(leaves: Sequence[Parameter], find: str = "", assumed: bool = False) -> list[Parameter]:
    """Those that have all the words of `find` somewhere: in the path, the note, the value, the unit, the source."""
    words = find.lower().split()
    return [
        leaf
        for leaf in leaves
        if (leaf.is_assumed or not assumed) and all(_has(leaf, word) for word in words)
    ]


def _has(leaf: Parameter, word: str) -> bool:
    if re.fullmatch(r"-?[\d.]+", word):
        figures = f"{leaf.path} {format_yaml_value(leaf.value)} {leaf.note} {leaf.from_} {_span(leaf)}"
        return word in re.findall(r"-?\d+(?:\.\d+)?", figures)
    unit = {"s": "seconds"}.get(leaf.unit, leaf.unit)
    said = [
        leaf.path,
        leaf.note,
        dependencies.describe_needs(leaf),
        unit,
        leaf.source,
        leaf.from_,
        leaf.file,
        format_yaml_value(leaf.value),
    ]
    text = " ".join([*said, *map(str, leaf.choices)]).lower()
    return word in text or (word == "die" and "dice" in text)


def together(leaves: Sequence[Parameter]) -> list[Line]:
    """One line for the numbers that differ in the names in the middle of their paths alone."""
    kinds: dict[tuple[str, str, int], list[Parameter]] = {}
    for leaf in leaves:
        parts = leaf.path.split(".")
        kinds.setdefault((parts[0], parts[-1], len(parts)), []).append(leaf)
    return [Line(_pattern([leaf.path for leaf in like]), tuple(like)) for like in kinds.values()]


def _pattern(paths: Sequence[str]) -> str:
    columns = zip(*(path.split(".") for path in paths), strict=True)
    return ".".join(names[0] if len(set(names)) == 1 else ANY_NAME for names in columns)


def lines(leaves: Sequence[Parameter], now: Mapping[str, str]) -> list[Line]:
    return [Line(leaf.path, (leaf,), now.get(leaf.path, "")) for leaf in leaves]


def show(found: Sequence[Line]) -> None:
    """Each number on a line of its own; what is said of several that follow each other is said once, above them."""
    width = out.width if out.is_terminal or "COLUMNS" in os.environ else 0
    for text in _listed(found):
        for part in _fitting(text, width) if width else [text]:
            out.print(Text(part), soft_wrap=True)


def _fitting(text: str, width: int) -> list[str]:
    """A number in one line, as far as it goes; what is said of several in as many as that takes."""
    said = text.removeprefix(ABOVE)
    if said == text:
        return [cut(text, width)]
    return textwrap.wrap(said, max(width, 20), initial_indent=ABOVE, subsequent_indent=ABOVE)


def _listed(found: Sequence[Line]) -> Iterator[str]:
    widths = (
        min(PATH_WIDTH, max(len(line.path) for line in found)),
        min(VALUE_WIDTH, max(len(_value(line)) for line in found)),
    )
    for section, of in groupby(found, key=lambda line: line.path.split(".")[0]):
        yield f"[{section}]"
        for (source, remark, _), run in groupby(
            of, key=lambda line: (line.source, line.remark, line.wants[:1])
        ):
            like = list(run)
            wants = [want for want in like[0].wants if all(want in line.wants for line in like)]
            note = _joined(remark, wants) if len(like) > 1 else ""
            if note:
                yield f"{ABOVE}{note} ({source})" if source else f"{ABOVE}{note}"
            yield from (
                _row(
                    line,
                    widths,
                    _joined("", [want for want in line.wants if want not in wants]),
                    "",
                )
                if note
                else _row(line, widths, line.note, source)
                for line in like
            )


def _joined(remark: str, wants: Sequence[str]) -> str:
    return "; ".join(filter(None, (remark, dependencies.format_needs_sentence(wants))))


def _row(line: Line, widths: tuple[int, int], note: str, source: str) -> str:
    said = "; ".join(
        filter(None, (line.now, _one({_span(leaf) for leaf in line.leaves}), note, source))
    )
    return f"  {line.path:<{widths[0]}} {_value(line):<{widths[1]}} {said}".rstrip()


def _value(line: Line) -> str:
    values = list(dict.fromkeys(format_yaml_value(leaf.value) for leaf in line.leaves))
    told = ", ".join(values)
    if len(line.leaves) == 1:
        return told
    few = len(told) <= VALUE_WIDTH - len(" (99 numbers)")
    return f"{told if few else f'{len(values)} values'} ({len(line.leaves)} numbers)"


def _span(leaf: Parameter) -> str:
    return f"{span(leaf)} {leaf.unit if span(leaf) else ''}".rstrip()


def _one(texts: set[str]) -> str:
    """What all say, or nothing."""
    return next(iter(texts)) if len(texts) == 1 else ""
