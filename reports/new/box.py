"""New box of one's own: every assumed number by section, to be replaced by the printed one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from hardmode.reports.console.wording import format_allowed_values
from hardmode.scenarios import dependencies
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.files.yaml_io.read import parse_yaml

HEAD = """\
# Your own box of {title}: the {n} numbers that hardmode assumes. To enter the printed
# number, remove the # at the beginning of its line and write the number. All others stay assumed.
# Use this file with `hardmode run {game}/{standard} --box FILE`, or as `box: FILE` in a scenario.
# Any other number of the box (`hardmode list {game}`) can be written here as well.
# An entry can also name its own source: hp: {{value: 3, from: p. 12}}
game: {game}
.source: rulebook       # of all entries; or public (published elsewhere), or assumed
#.from: which printing, which page
"""
WIDTH = 98  # of comments


def make_box_template(name: str, influence: Mapping[str, float] | None = None) -> str:
    """Return the text of a box file with all assumed numbers of a game as comments.

    Args:
        name: Name of the game.
        influence: Influence of numbers or groups by path; the most influential come first.
    """
    game = load_labeled_game(name)
    assumed = [parameter for parameter in load_parameters(name).values() if parameter.is_assumed]
    ordered = _order_by_influence(assumed, influence or {})
    head = HEAD.format(title=game.title, n=len(ordered), game=name, standard=game.standard)
    return head + "\n".join(_generate_lines(ordered)) + "\n"


def _order_by_influence(
    parameters: Sequence[Parameter], influence: Mapping[str, float]
) -> list[Parameter]:
    """Return parameters by influence, with sections kept together."""
    largest: dict[str, float] = {}
    first: dict[str, int] = {}
    for i, parameter in enumerate(parameters):
        own_influence = influence.get(parameter.path, 0.0)
        for section in _list_sections(parameter):
            known = largest.get(section, 0.0)
            largest[section] = max(known, influence.get(section, 0.0), own_influence)
            first.setdefault(section, i)

    def get_sort_key(parameter: Parameter) -> list[tuple[float, int]]:
        return [(-largest[section], first[section]) for section in _list_sections(parameter)]

    return sorted(parameters, key=get_sort_key)


def _list_sections(parameter: Parameter) -> list[str]:
    """Return the sections of a parameter and its path: a, a.b and a.b.c for a.b.c."""
    return list(accumulate(parameter.path.split("."), lambda section, name: f"{section}.{name}"))


def _generate_lines(parameters: Sequence[Parameter]) -> Iterator[str]:
    """Yield nested sections with a comment and a disabled entry for each parameter."""
    open_sections: list[str] = []
    for parameter in parameters:
        *sections, name = parameter.path.split(".")
        n_common = _count_common(open_sections, sections)
        if n_common == 0:
            yield ""
        for depth in range(n_common, len(sections)):
            yield f"{'  ' * depth}{format_entry(sections[depth])}:"
        open_sections = sections
        indent = "  " * len(sections)
        yield from textwrap.wrap(
            _describe_parameter(parameter),
            WIDTH,
            initial_indent=f"{indent}# ",
            subsequent_indent=f"{indent}# ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield f"{indent}#{format_entry(name)}: {format_entry(parameter.value)}"


def _count_common(names: Sequence[str], others: Sequence[str]) -> int:
    """Return the length of the common beginning of two lists."""
    count = 0
    for name, other in zip(names, others, strict=False):
        if name != other:
            break
        count += 1
    return count


def _describe_parameter(parameter: Parameter) -> str:
    """Return the allowed values of a parameter, its note and its dependencies."""
    unit = parameter.unit or ""
    allowed = f"{format_allowed_values(parameter)} {unit}".strip()
    parts = [allowed, parameter.note, dependencies.describe_needs(parameter)]
    text = "; ".join(part for part in parts if part)
    return " ".join(text.split())


def format_entry(value: Any, *, allow_sign: bool = True) -> str:
    """Return a value as it is written in a box or a scenario.

    Args:
        value: The value, or a list.
        allow_sign: Whether a number may be negative; in a scenario, a number with a sign is a
            relative change, and "=" makes it absolute.
    """
    if isinstance(value, list):
        items = [format_entry(item, allow_sign=allow_sign) for item in value]
        return f"[{', '.join(items)}]"
    if isinstance(value, str):
        return value if _is_plain_text(value) else "'" + value.replace("'", "''") + "'"
    if not allow_sign and not isinstance(value, bool) and value < 0:
        return f"={value}"
    return format_yaml_value(value)


def _is_plain_text(text: str) -> bool:
    """Return whether YAML reads a text without quotes as the same text."""
    try:
        return bool(parse_yaml(f"[{text}]", "").data == [text])
    except ValueError:
        return False
