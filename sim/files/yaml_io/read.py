"""YAML as plain values that remember their lines.

A box and a scenario hold mappings with names for keys, lists, and five kinds of scalars. Anything
else that YAML knows (tags, complex keys, several documents) is refused with its line. In a scenario
a number with a sign is a change (`+1`, `-1`), not a number, so there it is kept as text.
"""

from __future__ import annotations

import itertools
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from hardmode.sim.files.paths import short_path, unfit
from hardmode.sim.files.text import DIGITS, FIGURE, MOST_DIGITS
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError

warnings.filterwarnings(
    "ignore", category=ReusedAnchorWarning
)  # the later one holds, as YAML has it

MOST_NODES = 50_000  # a chain of aliases can stand for more values than any memory holds
MOST_DEEP = 40
MOST_BRACKETS = 500
MOST_BYTES = 1_000_000  # of a file: the largest box has a twentieth of it

WHOLE = re.compile(rf"[-+]?{DIGITS}")
DECIMAL = re.compile(rf"[-+]?{FIGURE}|[-+]?[0-9]+\.")
SURROGATE = re.compile("[\ud800-\udfff]")
WORDS = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}

TAGS = {
    f"tag:yaml.org,2002:{kind}"
    for kind in ("map", "seq", "str", "int", "float", "bool", "null", "merge", "value", "timestamp")
}
MERGE = "tag:yaml.org,2002:merge"
HINTS = {  # what people mean when they run into YAML
    r"[:\[{,]\s*>=?\s*[0-9.]": "a text that begins with > needs quotes",
    r"^\s*\t": "indent with blanks, not with tabs",
    r":\s*\*": "a text that begins with * needs quotes; times two is x2",
    r":\s.*:\s": "a text that holds a colon needs quotes",
}

Where = tuple[str | int, ...]  # the keys and list positions that lead to a value


@dataclass
class Document:
    """A file's values, and the line on which each of them was written."""

    file: str
    data: Any
    lines: dict[Where, int] = field(default_factory=dict)

    def place(self, *where: str | int) -> Place:
        """The line of a value, or of the nearest thing around it that has one."""
        for end in range(len(where), -1, -1):
            if where[:end] in self.lines:
                return Place(self.file, self.lines[where[:end]])
        return Place(self.file)


def read_file(path: Path, *, signs: bool = False) -> Document:
    """A YAML file; with `signs`, signed numbers are numbers."""
    return read_text(text_of(path), short_path(path), signs=signs)


def text_of(path: Path) -> str:
    place = Place(short_path(path))
    reason = unfit(path, MOST_BYTES)
    if reason:
        raise ScenarioError(place, "", f"{reason}; a YAML file is needed")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(place, "", "is not a text file in UTF-8") from None
    except FileNotFoundError:
        raise ScenarioError(place, "", "no such file") from None
    except IsADirectoryError:
        raise ScenarioError(place, "", "is a directory; a YAML file is needed") from None
    except OSError as why:
        raise ScenarioError(place, "", f"cannot be read: {why.strerror}") from None
    except ValueError:
        raise ScenarioError(place, "", "is not a name that a file can have") from None


def read_text(text: str, file: str, *, signs: bool = False) -> Document:
    try:
        if _brackets(text) > MOST_BRACKETS:
            raise RecursionError
        root = YAML(typ="safe", pure=True).compose(text)
        reader = _Reader(file, signs)
        return Document(file, reader.value(root, ()) if root is not None else None, reader.lines)
    except MarkedYAMLError as why:
        raise _syntax(file, text, why) from None
    except RecursionError:
        raise ScenarioError(Place(file), "", "is nested too deeply") from None
    except ReaderError as why:
        place = Place(file, text.count("\n", 0, why.position) + 1)
        odd = f"holds a character that is none of a text: {why.character:#04x}"
        raise ScenarioError(place, "", odd) from None
    except YAMLError as why:
        raise ScenarioError(Place(file), "", f"is not YAML: {' '.join(str(why).split())}") from None


def _brackets(text: str) -> int:
    """How many brackets are open at once, at most: to find out by composing takes seconds."""
    return max(
        itertools.accumulate(1 if c in "[{" else -1 for c in re.findall(r"[][{}]", text)), default=0
    )


def _syntax(file: str, text: str, why: MarkedYAMLError) -> ScenarioError:
    mark = why.problem_mark or why.context_mark
    line = mark.line + 1 if mark else 1
    said = " ".join(", ".join(part for part in (why.context, why.problem) if part).split())
    written = [*text.splitlines(), ""][line - 1] if line <= text.count("\n") + 1 else ""
    hint = next((f"; {hint}" for pattern, hint in HINTS.items() if re.search(pattern, written)), "")
    return ScenarioError(Place(file, line), "", f"is not YAML: {said}{hint}")


class _Reader:
    def __init__(self, file: str, signs: bool) -> None:
        self.file, self.signs = file, signs
        self.lines: dict[Where, int] = {}
        self._nodes = 0

    def fail(self, node: Node, where: Where, message: str) -> ScenarioError:
        path = ".".join(map(str, where))
        return ScenarioError(Place(self.file, node.start_mark.line + 1), path, message)

    def value(self, node: Node, where: Where) -> Any:
        self._nodes += 1
        if len(where) > MOST_DEEP:
            raise self.fail(node, where[:3], "is nested too deeply, or refers to itself")
        if self._nodes > MOST_NODES:
            raise self.fail(
                node,
                where[:3],
                f"is one value too many: a file may hold {MOST_NODES:,}, by whatever name",
            )
        if node.tag not in TAGS:
            raise self.fail(node, where, f"the tag {node.tag} means nothing here")
        self.lines.setdefault(where, node.start_mark.line + 1)
        if isinstance(node, MappingNode):
            return self._mapping(node, where)
        if isinstance(node, SequenceNode):
            return [self.value(item, (*where, i)) for i, item in enumerate(node.value)]
        assert isinstance(node, ScalarNode)
        return self._scalar(node, where)

    def _mapping(self, node: MappingNode, where: Where) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode) or key_node.tag not in TAGS - {MERGE}:
                raise self.fail(key_node, where, "a key must be a name")
            if SURROGATE.search(key_node.value):
                raise self.fail(
                    key_node, where, "a key holds half of a character, which is none of a text"
                )
            key, line = key_node.value, key_node.start_mark.line + 1
            if key in found:
                first = self.lines[(*where, key)]
                raise self.fail(key_node, (*where, key), f"is given twice (first on line {first})")
            self.lines[(*where, key)] = line
            found[key] = self.value(value_node, (*where, key))
        return found

    def _scalar(self, node: ScalarNode, where: Where) -> Any:
        text = node.value
        if SURROGATE.search(text):
            raise self.fail(node, where, "holds half of a character, which is none of a text")
        if node.style is not None:  # quoted or a block: text, whatever it looks like
            return text
        if text in WORDS:
            return WORDS[text]
        if text[0] in "+-" and not self.signs:
            return text
        if WHOLE.fullmatch(text):
            if len(text) > MOST_DIGITS:
                raise self.fail(node, where, f"is too large a number ({len(text):,} digits)")
            return int(text.replace("_", ""))
        if DECIMAL.fullmatch(text):
            return float(text.replace("_", ""))
        return text
