"""`hardmode check-game` finds what breaks the contract, and says it in words: each mistake, made on purpose in Pig."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from breaking import broken, hog, line, rules

from hardmode.sim.contract import Measure
from hardmode.sim.records import readable
from hardmode.studies.conformance import checks, declarations, trace_checks
from hardmode.studies.conformance.game_under_test import GameCounts, GameUnderTest
from hardmode.studies.conformance.variants import list_test_variants

LITTLE = GameCounts.scaled_to(200)


def found(game, *names):
    """What the checks of these names find, or all of them."""
    asked = checks.CheckRequest([], [c for c in checks.CHECKS if not names or c.name in names])
    made = asked.check_game(GameUnderTest(game, LITTLE), lambda name, share: None)
    return {one.name: " | ".join(one.problems) for one in made.results if one.problems}


STEPS, OCCURS = "at every step the contract holds", "everything declared occurs"
WINS = "row.winners = 1 << table.ending if table.ending == FIRST_WINS or table.ending == SECOND_WINS else 0"

MISTAKES = {  # what is replaced in which file, by what, which check finds it, and in what words
    "no ending at set-up": ("__init__.py", "    table.ending = -1\n", "", STEPS,
                            "set-up leaves the table without `ending`"),
    "a measure that is never written": ("__init__.py", "    row.rolls = table.all_rolls\n", "", STEPS,
                                        "outcome() does not write rolls"),
    "a measure that is always the same": ("__init__.py", "row.rolls = table.all_rolls", "row.rolls = 3", OCCURS,
                                          "measure 'rolls' is always 3"),
    "nobody wins": ("__init__.py", WINS, "row.winners = 0", OCCURS, "nobody ever wins"),
    "the second never wins": ("__init__.py", WINS, "row.winners = 1", OCCURS, "seat 2 wins never occurs"),
    "an ending that never comes": ("__init__.py", '"second player wins")', '"second player wins", "a draw")', OCCURS,
                                   "ending 'a draw' never occurs"),
    "a wrong reason": ("__init__.py", 'standard="classic"', 'unreached={"rolls": "no die"}', OCCURS,
                       "'rolls' is declared out of reach (no die), but occurs"),
    "a row past its end": ("__init__.py", "for s in range(2):\n        row", "for s in range(3):\n        row", STEPS,
                           "IndexError: index 2 is out of bounds"),
    "an index out of range": ("__init__.py", "table.score[seat] += table.turn", "table.score[seat + 2] += table.turn",
                              STEPS, "IndexError: index 2 is out of bounds"),
    "a rare index out of range": ("__init__.py", "    table.rolls = 0\n", "    table.score[table.round // 25] += 0\n",
                                  "random games end and stay within bounds", "IndexError: index 2 is out of bounds"),
    "a kind that is none": ("__init__.py", "    table.round = 1\n", "    table.round = 1\n    table.kind = 1\n", STEPS,
                            "the decision's kind is 1; the game has 1"),
    "an option twice": ("__init__.py", "    out[1] = HOLD\n", "    out[1] = HOLD * (table.rolls > 0)\n", STEPS,
                        "an option is listed twice: [0, 0]"),
    "a rare option twice": ("__init__.py", "    out[1] = HOLD\n", "    out[1] = HOLD * (table.turn < 40)\n",
                            "random games end and stay within bounds", "an option is listed twice"),
    "one address for all rolls": ("__init__.py", "table.rolls, box.sides)", "0, box.sides)", STEPS,
                                  "two draws share an address"),
    "a game without an end": ("__init__.py", "max_decisions=5000", "max_decisions=20",
                              "random games end and stay within bounds", "reach the cap of 20 decisions"),
    "a game that nobody can end": ("__init__.py", "table.score[seat] += table.turn", "table.score[seat] += 0",
                                   "games come to an end",
                                   "none of 4 random games ends within max_decisions, 5,000 decisions"),
    "a rule that does not return": ("__init__.py", "    table.rolls += 1\n",
                                    "    while table.rolls >= 0:\n        table.rolls += 1\n    table.rolls += 1\n",
                                    "games come to an end",
                                    "take() does not come to an end: more than 2,000,000 lines"),
    "a set-up that does not return": ("__init__.py", "    table.round = 1\n",
                                      "    table.round = 1\n    while table.round > 0:\n        table.round = 2\n",
                                      "games come to an end", "setup() does not come to an end"),
    "too little room for options": ("__init__.py", "max_options=2", "max_options=1", "games come to an end",
                                    "there are 2 options; there must be 1 to max_options, which is 1"),
    "rivals that are not declared": ("__init__.py", "competitive=True", "competitive=False", "rivals are declared",
                                     "seat 1 of 2 wins without the others; seats that win against one another need"),
    "endings of rivals": ("__init__.py", "competitive=True", "competitive=False", "rivals are declared",
                          "the ending 'first player wins' speaks of rivals"),
    "other words for the same": ("words.py", '"roll" if code == ROLL else "hold"', '"dare"',
                                 "no two options read alike", 'two options read alike: {"do": "dare"}'),
    "rarely other words": ("words.py", '"roll" if code == ROLL else "hold"',
                           '"roll" if code == ROLL or table.round > 30 else "hold"', "no two options read alike",
                           "two options read alike"),
    "words that fail": ("words.py", "return result + 1", "return result / 0", "replays are complete and reproducible",
                        "ZeroDivisionError"),
    "words that are missing": ("words.py", "def picture(", "def picturr(", "the declarations fit together",
                               "its words lack picture"),
    "a factor without labels": ("__init__.py", "curve=True)", "factor=True)", "the declarations fit together",
                                "factor 'rolls' does not name its values"),
    "an unknown field": ("__init__.py", "table.turn += face", "table.turn += box.sidez",
                         "the rules and strategies compile", "box has no field 'sidez'; did you mean box.sides?"),
}


def test_a_factor_that_is_written_only_at_the_end_is_found(tmp_path, monkeypatch):
    """Whether it was dealt cannot be seen of such a factor."""
    monkeypatch.chdir(tmp_path)
    factor = 'Measure("goal", "how far it is", factor=True, labels=("near", "far")), '
    package = broken(tmp_path, "measures=(", f"measures=({factor}")
    file = package / "__init__.py"
    text = file.read_text()
    always = text.replace("    row.rolls =", "    row.goal = box.target > 50\n    row.rolls =")
    file.write_text(always.replace("    row.goal", "    if table.ending >= 0:\n        row.goal"))
    assert "outcome() does not write goal" in found(rules(package), STEPS)[STEPS]
    file.write_text(always)
    assert not found(rules(package), STEPS)


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_found_and_told_in_words(case, tmp_path, monkeypatch):
    file, old, new, check, words = MISTAKES[case]
    monkeypatch.chdir(tmp_path)
    told = found(rules(broken(tmp_path, old, new, file)), check)
    assert words in told[check], told
    assert "Traceback" not in told[check] and "numba" not in told[check].lower()


@pytest.mark.plain
def test_where_a_mistake_is_found_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, "table.score[seat] += table.turn", "table.score[seat + 2] += table.turn")
    told = found(rules(package), STEPS)[STEPS]
    assert told.startswith(f"pig/__init__.py:{line(package, 'seat + 2')}: IndexError")
    assert "of seed 20261118, step " in told and "decision 'roll or hold'" in told
    assert "2 players" in told or "1 player " in told
    assert "played by " in told


def test_pig_is_sound_and_what_it_lacks_is_told():
    asked = checks.select_checks(["pig"], 200)
    shares = []
    made = asked.check_game(asked.games[0], lambda name, share: shares.append(share))
    assert made.is_sound, made.results
    assert len(made.results) == len(checks.CHECKS) and shares == sorted(shares) and shares[0] == 0
    assert len(made.missing) == 1 and "invariants.py" in made.missing[0]


def test_an_index_that_no_printed_box_leads_out_of_range_is_found_in_strange_ones(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = rules(broken(tmp_path, "table.score[seat] += table.turn",
                        "table.score[seat + box.sides // 20] += table.turn"))
    names = "random games end and stay within bounds", "strange boxes stay within bounds"
    asked = checks.CheckRequest([], [c for c in checks.CHECKS if c.name in names])
    made = asked.check_game(GameUnderTest(game, GameCounts(random=200, boxes=100)), lambda name, share: None)
    told = {one.name: " | ".join(one.problems) for one in made.results}
    assert not told[names[0]]
    assert "IndexError: index 2 is out of bounds" in told[names[1]] and "die.sides=20" in told[names[1]]


def test_too_little_room_for_options_is_told_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = found(rules(broken(tmp_path, "max_options=2", "max_options=1")))
    assert list(told) == ["games come to an end"] and "IndexError" not in str(told)


def test_nothing_more_is_tried_where_the_rules_do_not_compile(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = rules(broken(tmp_path, "table.turn += face", "table.turn += box.sidez"))
    request = checks.CheckRequest([], list(checks.CHECKS))
    made = request.check_game(GameUnderTest(game, LITTLE), lambda name, share: None)
    assert made.skipped and not made.is_sound
    assert any(f"{made.skipped} more checks are skipped" in text for text in made.format_lines())


def test_what_is_declared_out_of_reach_need_not_occur():
    game = GameUnderTest.load("pig").game
    more = replace(game, endings=(*game.endings, "a draw"), unreached={"a draw": "holding at the target wins"})
    assert not found(more, OCCURS)


def test_a_hand_laid_position_reaches_what_play_does_not():
    game = replace(GameUnderTest.load("pig").game, endings=("first player wins", "second player wins", "a draw"))
    subject = GameUnderTest(game, LITTLE)
    table = np.zeros(1, game.table)
    table["ending"], table["seats"] = 2, 2
    subject.__dict__["positions"] = [(None, readable(table))]
    check = next(c for c in checks.CHECKS if c.name == OCCURS)
    assert not check.find_problems(subject)
    subject.__dict__["positions"] = []
    (problem,) = check.find_problems(subject)
    assert problem.startswith("ending 'a draw' never occurs: add a scenario, or a position in tests/positions.py")


@pytest.mark.plain
def test_the_tests_of_a_game_from_outside_lie_in_its_package(tmp_path, monkeypatch):
    package = hog(tmp_path, "max_rounds=60", "max_rounds=61")
    (package / "tests").mkdir()
    (package / "tests" / "invariants.py").write_text(
        "def check(box, table, hidden):\n    assert table.turn < 5, 'too much in one turn'\n")
    monkeypatch.setenv("HARDMODE_PATH", str(tmp_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    subject = GameUnderTest.load("hog", LITTLE)
    check = next(c for c in checks.CHECKS if c.run is trace_checks.check_contract)
    told = check.find_problems(subject)[0]
    assert "invariants.py:2: too much in one turn" in told and "of seed" in told
    assert not any("invariants" in words for words in declarations.list_missing_parts(subject))


@pytest.mark.plain
def test_what_a_game_lacks_is_told():
    game = replace(GameUnderTest.load("pig").game, standard="usual", measures=(Measure("rolls"),))
    assert any("the scenario 'usual'" in words for words in declarations.list_missing_parts(GameUnderTest(game)))


@pytest.mark.plain
def test_variants_are_the_same_ones_each_time():
    first = [v.values for v in list_test_variants("pig")]
    list_test_variants.cache_clear()
    assert [v.values for v in list_test_variants("pig")] == first and len(first) >= 2


def command(*args, path=None):
    env = {**os.environ, **({"HARDMODE_PATH": str(path)} if path else {})}
    return subprocess.run([sys.executable, "-m", "hardmode", "check-game", *args], capture_output=True, text=True,
                          env=env, check=False)


def test_the_command_is_silent_but_for_what_it_found():
    done = command("pig", "--quick", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0 and not done.stderr and told["game"] == "pig"
    assert all(one["ok"] is True and one["found"] == [] for one in told["checks"])
    assert {"name", "ok", "found"} == set(told["checks"][0]) and len(told["checks"]) == len(checks.CHECKS)


def test_the_command_says_no_to_an_unsound_game(tmp_path):
    hog(tmp_path, "row.rolls = table.all_rolls", "row.rolls = 3")
    done = command("hog", "--only", "occurs", path=tmp_path)
    assert done.returncode == 1 and "hog: not sound" in done.stdout and "measure 'rolls' is always 3" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.plain
@pytest.mark.parametrize(("args", "words"), [
    (["pgi"], "no game 'pgi'; did you mean pig?"), (["pig", "--only", "nothing at all"], "no check has"),
    (["pig", "--games", "few"], "'few' is not a number of games")])
def test_wrong_usage_is_refused(args, words):
    done = command(*args)
    assert done.returncode == 2 and words in " ".join(done.stderr.replace("│", " ").split()), done.stderr


@pytest.mark.plain
@pytest.mark.parametrize(("old", "new", "words"), [
    ("GAME = Game(", "GAME = = Game(", ["hog/__init__.py:90: hog: SyntaxError: invalid syntax\n"]),
    ("import numpy as np", "import numpi as np", ["hog/__init__.py:3: hog: ModuleNotFoundError", "numpi"]),
    ("seats=2,", "seets=2,", ["hog/__init__.py:90: hog: TypeError", "seets"]),
    ('endings=("first player wins", "second player wins"),', "endings=(),",
     ["hog/__init__.py:95: ", "there are no endings"]),
])
@pytest.mark.parametrize("asked", [["check-game", "hog"], ["run", "hog/classic"]])
def test_a_game_that_cannot_be_used_is_told_in_a_line(asked, old, new, words, tmp_path):
    hog(tmp_path, old, new)
    done = subprocess.run([sys.executable, "-m", "hardmode", *asked], capture_output=True, text=True, check=False,
                          env={**os.environ, "HARDMODE_PATH": str(tmp_path)})
    told = done.stderr + done.stdout
    assert done.returncode == (1 if asked[0] == "check-game" and "endings" in old else 2), told
    assert all(part in told for part in words) and "Traceback" not in told, told
