"""The rows of the pages of rules: each names the functions that hold a rule, and the tests that hold the functions.

    python -m tests.rule_rows [GAME]...

Lists every row of `docs/rules/*.md` without a function or without a test, and every name that is not there.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "rules"
FUNCTION, TEST = "function", "test"  # headers of the columns
NAME = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Row:
    """One row of a table of rules.

    Attributes:
        game: The game.
        line: Its line in the page.
        text: Its first cells.
        functions: What its column of functions names, as `module.function`.
        tests: What its column of tests names, as `test_name` or `test_name[case]`.
    """

    game: str
    line: int
    text: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]

    def find_problems(self) -> Iterator[str]:
        """Yield what is missing in the row, and each name that is not there."""
        if not self.functions:
            yield "names no function"
        if not self.tests:
            yield "names no test"
        yield from (f"there is no function {name}" for name in self.functions if not is_function(self.game, name))
        yield from (f"there is no test {name}" for name in self.tests if not is_test(self.game, name))


def read_rows(game: str) -> Iterator[Row]:
    """Yield the rows of all tables of a page that have a column of functions."""
    header: list[str] = []
    for number, line in enumerate((PAGES / f"{game}.md").read_text().splitlines(), 1):
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not header:
            header = cells
        elif FUNCTION in header and set(line) - set("|- "):
            by_header = dict(zip(header, cells, strict=True))
            functions = NAME.findall(by_header.pop(FUNCTION, ""))
            tests = NAME.findall(by_header.pop(TEST, ""))
            yield Row(game, number, ": ".join(by_header.values()), tuple(functions), tuple(tests))


def is_function(game: str, name: str) -> bool:
    """Return whether a module of the game's rules defines a function."""
    module, _, function = name.rpartition(".")
    path = ROOT / "sim" / "games" / game / f"{module.replace('.', '/')}.py"
    return path.is_file() and function in list_functions(path)


def is_test(game: str, name: str) -> bool:
    """Return whether a file of the game's tests defines a test and, if it is said, the case."""
    function, _, case = name.partition("[")
    for path in sorted((ROOT / "tests" / "games" / game).glob("test_*.py")):
        if function in list_functions(path):
            return f'"{case[:-1]}"' in path.read_text() if case else True
    return False


@cache
def list_functions(path: Path) -> set[str]:
    """Return the names of the functions of a module."""
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def list_games() -> list[str]:
    """Return the games that have a page of rules."""
    return sorted(page.stem for page in PAGES.glob("*.md"))


def main() -> int:
    found = 0
    for game in sys.argv[1:] or list_games():
        rows = list(read_rows(game))
        for row in rows:
            for problem in row.find_problems():
                found += 1
                print(f"docs/rules/{game}.md:{row.line}: {row.text}: {problem}")
        print(f"{game}: {len(rows)} rows, {len({test for row in rows for test in row.tests})} tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
