"""YAML read as plain values that remember their lines.

A box and a scenario hold mappings with names as keys, lists, and five kinds of scalars. All else
that YAML has (tags, complex keys, several documents) is refused with its line. In a scenario a
number with a sign is a change (`+1`, `-1`) and not a number, so it stays text there.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from hardmode.sim.files.paths import explain_unreadable, shorten_path
from hardmode.sim.files.text import DIGITS_PATTERN, MAX_DIGITS, NUMBER_PATTERN
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError

MAX_NODES = 50_000  # values of a file: a chain of aliases can stand for more than memory holds
MAX_DEPTH = 40  # of mappings and lists in one another
MAX_OPEN_BRACKETS = 500
MAX_YAML_BYTES = 1_000_000  # of a file: the largest box has a twentieth of it

INTEGER_PATTERN = re.compile(rf"[-+]?{DIGITS_PATTERN}")
DECIMAL_PATTERN = re.compile(rf"[-+]?{NUMBER_PATTERN}|[-+]?[0-9]+\.")
SURROGATE_PATTERN = re.compile("[\ud800-\udfff]")
SCALAR_WORDS = {
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

KNOWN_TAGS = {
    f"tag:yaml.org,2002:{kind}"
    for kind in ("map", "seq", "str", "int", "float", "bool", "null", "merge", "value", "timestamp")
}
MERGE_TAG = "tag:yaml.org,2002:merge"
SYNTAX_HINTS = {  # patterns of lines that are not YAML, and what helps
    r"[:\[{,]\s*>=?\s*[0-9.]": "a text that begins with > needs quotes",
    r"^\s*\t": "indent with blanks, not with tabs",
    r":\s*\*": "a text that begins with * needs quotes; times two is x2",
    r":\s.*:\s": "a text that holds a colon needs quotes",
}

KeyPath = tuple[str | int, ...]  # the keys and list positions that lead to a value


@dataclass
class Document:
    """The values of a file, and the line of each."""

    file: str
    data: Any
    lines: dict[KeyPath, int] = field(default_factory=dict)

    def locate(self, *key_path: str | int) -> Location:
        """Return the line of a value, or of the nearest value around it that has one."""
        for end in range(len(key_path), -1, -1):
            if key_path[:end] in self.lines:
                return Location(self.file, self.lines[key_path[:end]])
        return Location(self.file)


def read_yaml_file(path: Path, *, signed_numbers: bool = False) -> Document:
    """Read a YAML file.

    Args:
        path: The file.
        signed_numbers: Whether `+1` is a number; otherwise it is text.

    Raises:
        ScenarioError: The file cannot be read, or is not YAML of the supported kind.
    """
    return parse_yaml(read_utf8_text(path), shorten_path(path), signed_numbers=signed_numbers)


def read_utf8_text(path: Path) -> str:
    """Return the text of a file, or raise a `ScenarioError` that says why it cannot be read."""
    location = Location(shorten_path(path))
    reason = explain_unreadable(path, MAX_YAML_BYTES)
    if reason:
        raise ScenarioError(location, "", f"{reason}; a YAML file is needed")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(location, "", "is not a text file in UTF-8") from None
    except FileNotFoundError:
        raise ScenarioError(location, "", "no such file") from None
    except IsADirectoryError:
        raise ScenarioError(location, "", "is a directory; a YAML file is needed") from None
    except OSError as error:
        raise ScenarioError(location, "", f"cannot be read: {error.strerror}") from None
    except ValueError:
        raise ScenarioError(location, "", "is not a name that a file can have") from None


def parse_yaml(text: str, file: str, *, signed_numbers: bool = False) -> Document:
    """Parse YAML; `file` is the name in error messages (see `read_yaml_file`)."""
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False  # the later one counts, as YAML defines it
    try:
        if _count_open_brackets(text) > MAX_OPEN_BRACKETS:
            raise RecursionError
        root = yaml.compose(text)
        converter = _NodeConverter(file, signed_numbers)
        data = converter.convert(root, ()) if root is not None else None
        return Document(file, data, converter.lines)
    except MarkedYAMLError as error:
        raise _make_syntax_error(file, text, error) from None
    except RecursionError:
        raise ScenarioError(Location(file), "", "is nested too deeply") from None
    except ReaderError as error:
        location = Location(file, text.count("\n", 0, error.position) + 1)
        message = f"holds a character that is not text: {error.character:#04x}"
        raise ScenarioError(location, "", message) from None
    except YAMLError as error:
        message = f"is not YAML: {' '.join(str(error).split())}"
        raise ScenarioError(Location(file), "", message) from None


def _count_open_brackets(text: str) -> int:
    """Return how many brackets are open at once at most; composing would take seconds to fail."""
    steps = (1 if bracket in "[{" else -1 for bracket in re.findall(r"[][{}]", text))
    return max(itertools.accumulate(steps), default=0)


def _make_syntax_error(file: str, text: str, error: MarkedYAMLError) -> ScenarioError:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    reasons = [part for part in (error.context, error.problem) if part]
    message = f"is not YAML: {' '.join(', '.join(reasons).split())}"
    lines = [*text.splitlines(), ""]
    line_text = lines[line - 1] if line <= text.count("\n") + 1 else ""
    for pattern, hint in SYNTAX_HINTS.items():
        if re.search(pattern, line_text):
            message = f"{message}; {hint}"
            break
    return ScenarioError(Location(file, line), "", message)


class _NodeConverter:
    """Converts ruamel's nodes to plain values and records their lines."""

    def __init__(self, file: str, signed_numbers: bool) -> None:
        self.file, self.signed_numbers = file, signed_numbers
        self.lines: dict[KeyPath, int] = {}
        self._nodes = 0

    def make_error(self, node: Node, key_path: KeyPath, message: str) -> ScenarioError:
        """Return the error of a node, with its line and path."""
        path = ".".join(map(str, key_path))
        return ScenarioError(Location(self.file, node.start_mark.line + 1), path, message)

    def convert(self, node: Node, key_path: KeyPath) -> Any:
        """Return the value of a node and all below it."""
        self._nodes += 1
        if len(key_path) > MAX_DEPTH:
            message = "is nested too deeply, or refers to itself"
            raise self.make_error(node, key_path[:3], message)
        if self._nodes > MAX_NODES:
            message = f"is one value too many: with aliases written out, {MAX_NODES:,} are allowed"
            raise self.make_error(node, key_path[:3], message)
        if node.tag not in KNOWN_TAGS:
            raise self.make_error(node, key_path, f"the tag {node.tag} is not supported")
        self.lines.setdefault(key_path, node.start_mark.line + 1)
        if isinstance(node, MappingNode):
            return self._convert_mapping(node, key_path)
        if isinstance(node, SequenceNode):
            return [self.convert(item, (*key_path, i)) for i, item in enumerate(node.value)]
        assert isinstance(node, ScalarNode)
        return self._convert_scalar(node, key_path)

    def _convert_mapping(self, node: MappingNode, key_path: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode) or key_node.tag not in KNOWN_TAGS - {MERGE_TAG}:
                raise self.make_error(key_node, key_path, "a key must be a name")
            if SURROGATE_PATTERN.search(key_node.value):
                message = "a key holds half of a surrogate pair, which is not a character"
                raise self.make_error(key_node, key_path, message)
            key, line = key_node.value, key_node.start_mark.line + 1
            value_path = (*key_path, key)
            if key in values:
                message = f"is given twice (first on line {self.lines[value_path]})"
                raise self.make_error(key_node, value_path, message)
            self.lines[value_path] = line
            values[key] = self.convert(value_node, value_path)
        return values

    def _convert_scalar(self, node: ScalarNode, key_path: KeyPath) -> Any:
        text = node.value
        if SURROGATE_PATTERN.search(text):
            message = "holds half of a surrogate pair, which is not a character"
            raise self.make_error(node, key_path, message)
        if node.style is not None:  # in quotes or a block: text, whatever it looks like
            return text
        if text in SCALAR_WORDS:
            return SCALAR_WORDS[text]
        if text[0] in "+-" and not self.signed_numbers:
            return text
        if INTEGER_PATTERN.fullmatch(text):
            if len(text) > MAX_DIGITS:
                message = f"is too large a number ({len(text):,} digits)"
                raise self.make_error(node, key_path, message)
            return int(text.replace("_", ""))
        if DECIMAL_PATTERN.fullmatch(text):
            return float(text.replace("_", ""))
        return text
