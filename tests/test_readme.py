"""The README stays short, and its links and commands exist."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from hardmode.cli import app

pytestmark = pytest.mark.plain
HOME = Path(__file__).parents[1]
PAGES = [HOME / "README.md", HOME / "docs/your-own.md"]


def test_readme_has_at_most_100_lines():
    assert len((HOME / "README.md").read_text().splitlines()) <= 100


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_linked_files_exist(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert links and not [link for link in links if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_their_options_exist(page):
    known = get_command(app).commands
    code = re.findall(r"```.*?```|`[^`]+`", page.read_text(), re.DOTALL)
    uses = [use for part in code for use in re.findall(r"^`*hardmode ([a-z-]+)([^`\n#|]*)", part, re.MULTILINE)]
    assert uses
    for name, rest in uses:
        flags = {flag for option in known[name].params for flag in option.opts}
        assert set(re.findall(r"(?<= )--?[a-z][a-z-]*", rest)) <= flags, (name, rest)
