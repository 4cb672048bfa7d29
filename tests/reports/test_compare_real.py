"""What the same luck saves on real changes: the figures of docs/statistics.md are those that `compare` finds."""

import re
from pathlib import Path

import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.studies.comparison.compare import compare
from hardmode.studies.core.run import Effort
from hardmode.studies.stats import formatting

PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text()
ROWS = re.findall(r"^\| `(\S+/\S+)` \| `(\S+)` \| (.*?) \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.M)


def test_the_page_has_the_changes():
    assert {row[0].split("/")[0] for row in ROWS} == {"run_run_run", "vengeance", "woodlands", "trapwords"}


@pytest.mark.soak
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_pairs_save_what_the_page_says(row):
    scenario, change, difference, pairs, apart = row
    [found] = compare(load_scenario(scenario), load_scenario(scenario, [change]), Effort(20_000))
    assert found.is_settled and formatting.format_with_interval(found.difference, "points") == difference
    assert f"{found.estimate_needed_pairs():,}" == pairs and f"{found.estimate_unpaired_games():,}" == apart
    assert found.estimate_needed_pairs() < found.estimate_unpaired_games()
