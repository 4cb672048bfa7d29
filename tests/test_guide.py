"""Each command of docs/guide.md is run and prints what the page shows."""

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
print(json.dumps([(s.what, guide.find_difference(s.shown, now))
                  for s, now in guide.run_steps(page, Path(sys.argv[1]), sys.argv[2] == "slow")]))
"""


def list_differences(folder, which):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", CODE, str(folder), which], text=True, timeout=900,
                          capture_output=True, env={**os.environ, "COLUMNS": guide.COLUMNS})
    assert done.returncode == 0, done.stderr[-3000:]
    results = json.loads(done.stdout.splitlines()[-1])
    assert len(results) >= 8
    return [f"{what}: {why}; run make guide to update the page" for what, why in results if why]


def test_outputs_on_the_page_are_current(tmp_path):
    assert list_differences(tmp_path, "fast") == []


@pytest.mark.soak
def test_outputs_of_long_commands_are_current_and_pictures_are_made(tmp_path):
    assert list_differences(tmp_path, "slow") == []
    assert all((tmp_path / source).stat().st_size > 5000 for source in guide.PICTURES.values())
    assert (tmp_path / "report/index.html").exists()


@pytest.mark.plain
def test_differences_are_found():
    assert guide.find_difference("won 52.1 % in 3.2 s\n", "│ won │ 51.0 % in 9.9 s │\n") == ""
    assert guide.find_difference("500 games end as accepted\n", "200 games end as accepted\n") == ""
    assert guide.find_difference("1 MET; 1,185 games in 0.7 s\n", "1 MET; 2,000 games in 0.1 s\n") == ""
    assert "1,185" in guide.find_difference("48.7 % in 1,185 games\n", "48.7 % in 2,000 games\n")
    assert "60.0" in guide.find_difference("won 52.1 %\n", "won 60.0 %\n")
    assert "lost" in guide.find_difference("won 52.1 %\n", "lost 52.1 %\n")
    assert guide.find_difference("a\n...\nd\n", "a\nb\nc\nd\n") == ""
    assert "not shown" in guide.find_difference("a\n...\nd\n", "a\nb\nd\ne\n")
    assert "'b'" in guide.find_difference("a\nc\n", "a\nb\nc\n")
    assert "'x'" in guide.find_difference("a\n...\nx\n", "a\nb\n")


@pytest.mark.plain
def test_linked_pictures_and_pages_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", guide.PAGE.read_text())
    assert len(links) > 8 and not [link for link in links if not (guide.PAGE.parent / link).exists()]
