"""Every rule on the pages of rules has its function and its test."""

import pytest

from tests import rule_rows

MIN_ROWS = 40  # of a game; a table that is no longer read would leave fewer


@pytest.mark.parametrize("game", rule_rows.list_games())
def test_every_rule_has_a_function_and_a_test(game):
    rows = list(rule_rows.read_rows(game))
    problems = [f"line {row.line}: {problem}" for row in rows for problem in row.find_problems()]
    assert len(rows) >= MIN_ROWS and not problems


PAGE = """
| rulebook | rule | function | test |
| --- | --- | --- | --- |
| A | whole | `goes.on`, `goes.far` | `test_it[a case]` |
| B | without a test | `goes.on` | |
| C | without a function | none | `test_it` |
| D | names that are not there | `goes.off` | `test_that`, `test_it[another case]` |

| other | table |
| --- | --- |
| no | row |
"""


def test_what_is_missing_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(rule_rows, "ROOT", tmp_path)
    monkeypatch.setattr(rule_rows, "PAGES", tmp_path)
    files = {"hill.md": PAGE, "sim/games/hill/goes.py": "def on(): ...\ndef far(): ...\n",
             "tests/games/hill/test_hill.py": 'CASES = {"a case": 1}\ndef test_it(case): ...\n'}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = {row.text[0]: list(row.find_problems()) for row in rule_rows.read_rows("hill")}
    assert found == {
        "A": [],
        "B": ["names no test"],
        "C": ["names no function"],
        "D": ["there is no function goes.off", "there is no test test_that", "there is no test test_it[another case]"],
    }
