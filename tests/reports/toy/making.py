"""Reports on the toy game and on Pig, for tests: made once, with few games, and read as data and as a page."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from hardmode.sim.contract import discovery

HERE = Path(__file__).parent
VOID = {"meta", "link", "br", "input", "img", "hr"}


@contextmanager
def toy() -> Iterator[None]:
    """The toy game can be found like any other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(HERE), os.environ[discovery.PATH]]))
        yield


def make(folder: Path, *names: str, games: int = 400) -> Path:
    from hardmode.reports.page.report import write_report
    from hardmode.scenarios.load import load_scenario
    from hardmode.studies.core.run import Effort

    return write_report([load_scenario(n) for n in names], Effort(games, threads=1), folder, seconds=None)


@dataclass
class Node:
    tag: str
    attributes: dict[str, str]
    children: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    def all(self, tag: str = "") -> Iterator[Node]:
        for child in self.children:
            if isinstance(child, Node):
                if not tag or child.tag == tag:
                    yield child
                yield from child.all(tag)

    def by_id(self, name: str) -> Node:
        return next(n for n in self.all() if n.attributes.get("id") == name)


def elements(node: Node) -> list[Node]:
    """What stands directly in a node, without text."""
    return [child for child in node.children if isinstance(child, Node)]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {k: v or "" for k, v in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, {k: v or "" for k, v in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"<{self.open[-1].tag}> is closed by </{tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parsed(page: Path) -> Node:
    """The page as a tree; a tag that is not closed where it should be is an error."""
    parser = _Parser()
    parser.feed(page.read_text())
    assert parser.open == [parser.root]
    return parser.root


def result(folder: Path) -> dict[str, Any]:
    return json.loads(gzip.decompress((folder / "result.json.gz").read_bytes()))
