"""The README stays short, and what it names is there."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from hardmode.cli import app

pytestmark = pytest.mark.plain
HOME = Path(__file__).parents[1]
PAGES = [HOME / "README.md", HOME / "docs/your-own.md"]


def test_it_stays_under_two_screens():
    assert len((HOME / "README.md").read_text().splitlines()) <= 100


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert links and not [link for link in links if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_its_flags_are_there(page):
    known = get_command(app).commands
    code = re.findall(r"```.*?```|`[^`]+`", page.read_text(), re.DOTALL)
    asked = [found for part in code for found in re.findall(r"^`*hardmode ([a-z-]+)([^`\n#|]*)", part, re.MULTILINE)]
    assert asked
    for name, rest in asked:
        flags = {flag for option in known[name].params for flag in option.opts}
        assert set(re.findall(r"(?<= )--?[a-z][a-z-]*", rest)) <= flags, (name, rest)
