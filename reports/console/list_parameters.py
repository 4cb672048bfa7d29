"""Parameters of a box as text: one line each, with similar parameters together."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_allowed_values, truncate
from hardmode.scenarios import dependencies
from hardmode.scenarios.overrides import ANY_NAME
from hardmode.scenarios.parameter import Parameter, format_yaml_value

NOTE_PREFIX = "  # "  # of a line that describes the parameters below it
PATH_WIDTH, VALUE_WIDTH = 40, 24  # columns; longer texts push the rest of the line to the right
COUNT_WIDTH = len(" (99 numbers)")
MIN_WIDTH = 20  # columns of a wrapped note
UNIT_WORDS = {"s": "seconds"}


@dataclass(frozen=True)
class ParameterLine:
    """One parameter, or several of the same kind together (`boss.*.hearts`).

    Attributes:
        path: The path, with a star for the names in which the parameters differ.
        parameters: The parameters.
        current: The value in a scenario, or the scenarios in which it differs from the box.
    """

    path: str
    parameters: tuple[Parameter, ...]
    current: str = ""

    @property
    def note(self) -> str:
        """The note that all parameters share, and what they all need."""
        return _join_needs(self.remark, self.needs)

    @property
    def remark(self) -> str:
        """The note that all parameters share, or an empty text."""
        return _get_common({parameter.note for parameter in self.parameters})

    @property
    def needs(self) -> tuple[str, ...]:
        """Settings that all parameters need, with a star for the name of each of them."""
        found = set()
        for parameter in self.parameters:
            names = parameter.path.split(".") if ANY_NAME in self.path else []
            found.add(dependencies.format_needs(parameter.needs, *names))
        return found.pop() if len(found) == 1 else ()

    @property
    def source(self) -> str:
        """The provenance that all parameters share, or an empty text."""
        sources = set()
        for parameter in self.parameters:
            parts = (parameter.source, parameter.from_, parameter.file)
            sources.add(", ".join(filter(None, parts)))
        return _get_common(sources)


def filter_parameters(
    parameters: Sequence[Parameter], find: str = "", assumed: bool = False
) -> list[Parameter]:
    """Return the parameters that contain all words of a search.

    Args:
        parameters: The parameters to choose from.
        find: Words that the path, note, value, unit or source contains.
        assumed: Return only assumed parameters.
    """
    words = find.lower().split()
    found = []
    for parameter in parameters:
        if assumed and not parameter.is_assumed:
            continue
        if all(_contains_word(parameter, word) for word in words):
            found.append(parameter)
    return found


def _contains_word(parameter: Parameter, word: str) -> bool:
    value = format_yaml_value(parameter.value)
    texts = [parameter.path, value, parameter.note, parameter.from_]
    if re.fullmatch(r"-?[\d.]+", word):
        texts.append(_format_range(parameter))
        return word in re.findall(r"-?\d+(?:\.\d+)?", " ".join(texts))
    texts += [parameter.source, parameter.file, dependencies.describe_needs(parameter)]
    texts.append(UNIT_WORDS.get(parameter.unit, parameter.unit))
    texts += map(str, parameter.choices)
    text = " ".join(texts).lower()
    return word in text or (word == "die" and "dice" in text)


def group_parameters(parameters: Sequence[Parameter]) -> list[ParameterLine]:
    """Return one line for all parameters that differ only in the middle of their paths."""
    groups: dict[tuple[str, str, int], list[Parameter]] = {}
    for parameter in parameters:
        parts = parameter.path.split(".")
        groups.setdefault((parts[0], parts[-1], len(parts)), []).append(parameter)
    lines = []
    for group in groups.values():
        pattern = _make_pattern([parameter.path for parameter in group])
        lines.append(ParameterLine(pattern, tuple(group)))
    return lines


def _make_pattern(paths: Sequence[str]) -> str:
    columns = zip(*(path.split(".") for path in paths), strict=True)
    return ".".join(names[0] if len(set(names)) == 1 else ANY_NAME for names in columns)


def make_lines(parameters: Sequence[Parameter], current: Mapping[str, str]) -> list[ParameterLine]:
    """Return a line for each parameter, with its current value where that is known."""
    return [ParameterLine(p.path, (p,), current.get(p.path, "")) for p in parameters]


def print_parameters(lines: Sequence[ParameterLine]) -> None:
    """Print parameters by section. A note on several in a row is printed once above them."""
    width = out.width if out.is_terminal or "COLUMNS" in os.environ else 0
    for text in _format_lines(lines):
        for part in _fit_to_width(text, width) if width else [text]:
            out.print(Text(part), soft_wrap=True)


def _fit_to_width(text: str, width: int) -> list[str]:
    """Return the line of a parameter cut to the width, or a note wrapped to it."""
    note = text.removeprefix(NOTE_PREFIX)
    if note == text:
        return [truncate(text, width)]
    return textwrap.wrap(
        note,
        max(width, MIN_WIDTH),
        initial_indent=NOTE_PREFIX,
        subsequent_indent=NOTE_PREFIX,
    )


def _get_section(line: ParameterLine) -> str:
    return line.path.split(".")[0]


def _get_description(line: ParameterLine) -> tuple[str, str, tuple[str, ...]]:
    return line.source, line.remark, line.needs[:1]


def _format_lines(lines: Sequence[ParameterLine]) -> Iterator[str]:
    path_width = min(PATH_WIDTH, max(len(line.path) for line in lines))
    value_width = min(VALUE_WIDTH, max(len(_format_values(line)) for line in lines))
    for section, members in groupby(lines, key=_get_section):
        yield f"[{section}]"
        for (source, remark, _), group in groupby(members, key=_get_description):
            same = list(group)
            shared = _find_shared_needs(same)
            note = _join_needs(remark, shared) if len(same) > 1 else ""
            if note:
                yield f"{NOTE_PREFIX}{note} ({source})" if source else f"{NOTE_PREFIX}{note}"
            for line in same:
                if note:
                    own = [need for need in line.needs if need not in shared]
                    parts = [_join_needs("", own)]
                else:
                    parts = [line.note, source]
                text = "; ".join(filter(None, [line.current, _format_common_range(line), *parts]))
                path = line.path.ljust(path_width)
                value = _format_values(line).ljust(value_width)
                yield f"  {path} {value} {text}".rstrip()


def _find_shared_needs(lines: Sequence[ParameterLine]) -> list[str]:
    """Return the needs that all lines have, in the order of the first line."""
    shared = []
    for need in lines[0].needs:
        if all(need in line.needs for line in lines):
            shared.append(need)
    return shared


def _format_common_range(line: ParameterLine) -> str:
    return _get_common({_format_range(parameter) for parameter in line.parameters})


def _join_needs(remark: str, needs: Sequence[str]) -> str:
    return "; ".join(filter(None, (remark, dependencies.format_needs_sentence(needs))))


def _format_values(line: ParameterLine) -> str:
    values = dict.fromkeys(format_yaml_value(parameter.value) for parameter in line.parameters)
    text = ", ".join(values)
    n = len(line.parameters)
    if n == 1:
        return text
    if len(text) > VALUE_WIDTH - COUNT_WIDTH:
        text = f"{len(values)} values"
    return f"{text} ({n} numbers)"


def _format_range(parameter: Parameter) -> str:
    text = format_allowed_values(parameter)
    return f"{text} {parameter.unit}".rstrip() if text else ""


def _get_common(texts: set[str]) -> str:
    """Return the text if there is only one, otherwise an empty text."""
    return next(iter(texts)) if len(texts) == 1 else ""
