"""A box of one's own to begin with: every number that is assumed, by section, waiting to be entered as printed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from hardmode.reports.console.wording import span
from hardmode.scenarios import dependencies
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.files.yaml_io.read import parse_yaml

HEAD = """\
# A box of one's own for {title}: the {n} numbers that hardmode assumes. Enter what is printed:
# take the # away from a line that begins with #, and write the number. What is left as it is stays assumed.
# hardmode run {game}/{standard} --box FILE, or `box: FILE` in a scenario. Every other number of the box
# (hardmode list {game}) may be written here as well. One line may say more: hp: {{value: 3, from: p. 12}}
game: {game}
.source: rulebook       # of what you enter; or public (published elsewhere), or assumed
#.from: which printing, which page
"""


def template(name: str, influence: Mapping[str, float] | None = None) -> str:
    """The template; where it is known how much a number decides, or a group, the most influential stands first."""
    game = load_labeled_game(name)
    assumed = _ordered([leaf for leaf in load_parameters(name).values() if leaf.is_assumed], influence or {})
    head = HEAD.format(title=game.title, n=len(assumed), game=name, standard=game.standard)
    return head + "\n".join(_lines(assumed)) + "\n"


def _ordered(found: list[Parameter], influence: Mapping[str, float]) -> list[Parameter]:
    """By influence, what belongs together still together."""
    strongest: dict[str, float] = {}
    first: dict[str, int] = {}
    for i, leaf in enumerate(found):
        for section in _sections(leaf):
            strongest[section] = max(
                strongest.get(section, 0.0),
                influence.get(section, 0.0),
                influence.get(leaf.path, 0.0),
            )
            first.setdefault(section, i)
    return sorted(found, key=lambda leaf: [(-strongest[s], first[s]) for s in _sections(leaf)])


def _sections(leaf: Parameter) -> list[str]:
    """a.b.c lies in a, in a.b, and is itself."""
    return list(accumulate(leaf.path.split("."), lambda above, name: f"{above}.{name}"))


def _lines(found: list[Parameter]) -> Iterator[str]:
    above: list[str] = []
    for leaf in found:
        *sections, name = leaf.path.split(".")
        same = next(
            (i for i, (a, b) in enumerate(zip(above, sections, strict=False)) if a != b),
            min(len(above), len(sections)),
        )
        if same == 0:
            yield ""
        for depth in range(same, len(sections)):
            yield f"{'  ' * depth}{entered(sections[depth])}:"
        above, indent = sections, "  " * len(sections)
        yield from textwrap.wrap(
            _entry(leaf),
            118,
            initial_indent=f"{indent}# ",
            subsequent_indent=f"{indent}# ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield f"{indent}#{entered(name)}: {entered(leaf.value)}"


def _entry(leaf: Parameter) -> str:
    """What may be entered, and why it is assumed."""
    unit = f" {leaf.unit}" if leaf.unit else ""
    return " ".join(
        "; ".join(
            filter(None, (f"{span(leaf)}{unit}".strip(), leaf.note, dependencies.describe_needs(leaf)))
        ).split()
    )


def entered(value: Any, *, signs: bool = True) -> str:
    """A value as one writes it in a box, or in a scenario, where a number with a sign is a change."""
    if isinstance(value, list):
        return f"[{', '.join(entered(item, signs=signs) for item in value)}]"
    if not isinstance(value, str):
        return (
            f"={value}"
            if not signs and not isinstance(value, bool) and value < 0
            else format_yaml_value(value)
        )
    return value if _reads_back(value) else "'" + value.replace("'", "''") + "'"


def _reads_back(text: str) -> bool:
    try:
        return bool(parse_yaml(f"[{text}]", "").data == [text])
    except ValueError:
        return False
