"""The guide is what happens: each of its commands is run, and prints what the page shows."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests import guide

CODE = """
import json, sys
from pathlib import Path
from tests import guide
page = guide.PAGE.read_text()
print(json.dumps([(s.what, guide.differing(s.shown, now))
                  for s, now in guide.played(page, Path(sys.argv[1]), sys.argv[2] == "slow")]))
"""


def wrong(folder, which):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", CODE, str(folder), which], text=True, timeout=900,
                          capture_output=True, env={**os.environ, "COLUMNS": guide.COLUMNS})
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) >= 8
    return [f"{what}: {why}; make guide writes the page anew" for what, why in found if why]


def test_what_the_guide_shows_is_what_its_commands_print(tmp_path):
    assert wrong(tmp_path, "fast") == []


@pytest.mark.soak
def test_its_long_commands_too_and_its_pictures_are_made(tmp_path):
    assert wrong(tmp_path, "slow") == []
    assert all((tmp_path / source).stat().st_size > 5000 for source in guide.PICTURES.values())
    assert (tmp_path / "report/index.html").exists()


@pytest.mark.plain
def test_what_differs_is_found():
    assert guide.differing("won 52.1 % in 3.2 s\n", "│ won │ 51.0 % in 9.9 s │\n") == ""
    assert guide.differing("500 games end as accepted\n", "200 games end as accepted\n") == ""
    assert guide.differing("1 MET; 1,185 games in 0.7 s\n", "1 MET; 2,000 games in 0.1 s\n") == ""
    assert "1,185" in guide.differing("48.7 % in 1,185 games\n", "48.7 % in 2,000 games\n")
    assert "60.0" in guide.differing("won 52.1 %\n", "won 60.0 %\n")
    assert "lost" in guide.differing("won 52.1 %\n", "lost 52.1 %\n")
    assert guide.differing("a\n...\nd\n", "a\nb\nc\nd\n") == ""
    assert "not shown" in guide.differing("a\n...\nd\n", "a\nb\nd\ne\n")
    assert "'b'" in guide.differing("a\nc\n", "a\nb\nc\n")
    assert "'x'" in guide.differing("a\n...\nx\n", "a\nb\n")


@pytest.mark.plain
def test_every_picture_and_page_that_it_names_is_there():
    links = re.findall(r"\]\(([^)#:]+)\)", guide.PAGE.read_text())
    assert len(links) > 8 and not [link for link in links if not (guide.PAGE.parent / link).exists()]
