"""Baselines: what was played stands in them, in lines that can be read, and no line can be changed unnoticed."""

import difflib
import random
import re

import numpy as np
import pytest
from gatehouse import hardmode, home  # noqa: F401

from hardmode.scenarios.load import load_scenario
from hardmode.studies.core import run
from hardmode.studies.gate import accept as accepting
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baselines import BaselineError
from hardmode.studies.gate.lazy_games import LazyGames

GAMES = 3000


@pytest.fixture
def made(home):  # noqa: F811
    return accepting.accept_scenario("lantern/home", "the first", games=GAMES)


def whole(name, games=GAMES, first=0, seed=1):
    return run.play(load_scenario(name), run.Effort(games, first, seed))


def test_what_was_played_stands_in_it(made):
    cell, played = made.after.cells[0], whole("lantern/home")[0]
    assert cell.outcomes[str(GAMES)] == played.outcome_digest
    assert cell.wins == played.tally.count_wins() == cell.won[0].sum()
    assert cell.win_percent == round(100 * cell.wins / GAMES, 2)
    assert cell.endings == played.tally.count_endings()
    rounds = played.tally.count_values("rounds")
    assert cell.means["rounds"] == round(sum(v * n for v, n in rounds.items()) / GAMES, 4)
    assert {k: v for k, v in cell.digests.items() if k != "weights"} == played.digests


def test_seats_that_compete_have_a_line_each(home):  # noqa: F811
    cell = accepting.accept_scenario("pig/classic", "first", games=GAMES).after.cells[0]
    played = whole("pig/classic")[0]
    assert list(cell.seats.values()) == played.tally.count_wins_by_seat()
    assert cell.won.sum(axis=1).tolist() == played.tally.count_wins_by_seat()
    assert cell.wins == played.tally.count_wins_by_seat()[0]


def test_every_look_has_the_digest_of_the_games_up_to_it(made):
    for n, digest in made.after.cells[0].outcomes.items():
        assert digest == whole("lantern/home", int(n))[0].outcome_digest
    assert {*made.after.looks, made.after.quick} == set(map(int, made.after.cells[0].outcomes))


@pytest.mark.parametrize("first", [0, 1234, 2**33])
def test_the_hash_of_a_row_is_the_one_of_the_kernel(home, first):  # noqa: F811
    """The last factor is that the games begin anywhere: scores below zero are in them as well."""
    games = LazyGames(load_scenario("lantern/home").cells[0], 7, first_game=first)
    assert games.outcome_digest(400) == whole("lantern/home", 400, first, 7)[0].outcome_digest


def test_in_pieces_the_games_are_the_same(home):  # noqa: F811
    cell = load_scenario("lantern/home").cells[0]
    at_once, bit_by_bit = LazyGames(cell, 1), LazyGames(cell, 1)
    for n in (1, 40, 500, 777):
        bit_by_bit.play_until(n)
    for name in ("hash", "ending", "winners", "rounds", "score"):
        assert (at_once.column(name, 777) == bit_by_bit.column(name, 777)).all()
    assert at_once.sum_columns() == bit_by_bit.sum_columns()


def test_what_is_written_is_read(made):
    again = baselines.read_baseline(made.path, "lantern/home")
    assert baselines.format_baseline(again) == baselines.format_baseline(made.after) == made.path.read_text()
    assert (again.cells[0].won == made.after.cells[0].won).all()


def test_a_grid_has_a_block_for_each_cell(home):  # noqa: F811
    after = accepting.accept_scenario("lantern/grid", "first", games=300).after
    cells = load_scenario("lantern/grid").cells
    assert [c.label for c in after.cells] == [c.label for c in cells]
    assert baselines.format_baseline(
        baselines.read_baseline(baselines.locate_baseline(home / "grid.yaml"), "x")
    ) == baselines.format_baseline(after)


def test_twenty_thousand_games_are_a_small_file(home):  # noqa: F811
    made = accepting.accept_scenario("lantern/home", "first", games=20_000)
    assert made.path.stat().st_size < 6000
    assert max(map(len, made.path.read_text().splitlines())) < 400


def test_of_many_games_the_winners_of_the_first_are_kept(home, monkeypatch):  # noqa: F811
    monkeypatch.setattr(accepting, "MAX_PAIRED_GAMES", 600)
    after = accepting.accept_scenario("lantern/home", "first", games=2000).after
    assert (after.games, after.paired, after.cells[0].won.shape[1]) == (2000, 600, 600)
    assert after.cells[0].wins == whole("lantern/home", 2000)[0].tally.count_wins() > after.cells[0].won.sum()


def test_an_edit_anywhere_is_noticed(made):
    text, chance = made.path.read_text(), random.Random(5)
    for _ in range(60):
        at = chance.randrange(len(text) - 2)
        other = "7" if text[at] != "7" else "8"
        made.path.write_text(text[:at] + other + text[at + 1 :])
        with pytest.raises(BaselineError):
            baselines.read_baseline(made.path, "lantern/home")
    made.path.write_text(text[: len(text) // 2])
    with pytest.raises(BaselineError, match="digest mismatch"):
        baselines.read_baseline(made.path, "lantern/home")


def test_other_ends_of_lines_are_no_edit(made):
    made.path.write_bytes(made.path.read_bytes().replace(b"\n", b"\r\n"))
    assert baselines.read_baseline(made.path, "lantern/home").games == GAMES


@pytest.mark.parametrize("junk", ["", "hello", "schema = 1\n", '\n[end]\nseal = ""\n'])
def test_what_is_no_baseline_is_refused(made, junk):
    made.path.write_text(junk)
    with pytest.raises(BaselineError):
        baselines.read_baseline(made.path, "lantern/home")


@pytest.mark.parametrize("body", ["schema = 2\n", "schema = 1\nlooks = []\ncells = []\n", "= =\n", "schema = 1\n"])
def test_what_is_sealed_but_not_understood_is_refused(made, body):
    made.path.write_text(f'{body}\n[end]\nseal = "{baselines.compute_seal(body)}"\n')
    with pytest.raises(BaselineError, match="not a baseline that this version reads"):
        baselines.read_baseline(made.path, "lantern/home")


CHANGES = {  # a line of the file, what is written in its place, and what is said of it
    "no games": ("games = 3000", "games = 0", "games must be at least 1"),
    "fewer than none": ("games = 3000", "games = -5", "games must be at least 1"),
    "text": ("games = 3000", 'games = "3000"', "games must be a whole number"),
    "half a game": ("games = 3000", "games = 3000.5", "games must be a whole number"),
    "too many": ("games = 3000", f"games = {10**30}", "games must be at most"),
    "yes": ("games = 3000", "games = true", "games must be a whole number"),
    "other games": ("games = 3000", "games = 4000", "endings are of 3000 games, not of 4000"),
    "backwards": (r"looks = \[", "looks = [9000, ", "looks must ascend"),
    "twice": (r"looks = \[", "looks = [520, 520, ", "looks must ascend"),
    "no looks": (r"looks = .*", "looks = []", "looks"),
    "a thousand million": (r"looks = .*", "looks = [1000000000]", r"looks\[0\] must be at most"),
    "more than all": (r"looks = .*", "looks = [4000]", "looks must be at most games, 3000"),
    "a number as text": (r"looks = .*", "looks = [1e9]", r"looks\[0\] must be a whole number"),
    "not quick": (r"quick = .*", "quick = 0", "quick must be at least 1"),
    "too slow": (r"quick = .*", "quick = 3001", "quick must be at most games, 3000"),
    "a huge seed": ("seed = 1", f"seed = {2**64}", "seed must be at most"),
    "not a day": (r"date = .*", 'date = "soon"', "Invalid isoformat string: 'soon'"),
    "wins": (r"wins = .*", "wins = 3001", "3001 wins in 3000 games"),
    "other wins": (r"wins = .*", "wins = 7", "win_percent is"),
    "a share": (r"win_percent = .*", "win_percent = nan", "win_percent must be"),
    "endless": (r"games_per_second = .*", "games_per_second = inf", "must be a finite number"),
    "a mean": (r"rounds = .*", "rounds = nan", "means.rounds must be a finite number"),
    "an ending": (r'"lost: dark" = \d+', '"lost: dark" = -1', "endings.lost: dark must be at least 0"),
    "a digest": (r'outcomes = .*', 'outcomes = {"3000" = "x"}', "outcomes.3000"),
    "no digest": (r'outcomes = .*', 'outcomes = {"3000" = "aa"}', "has no outcome digest of"),
    "the winners": (r'(?s)won = \[.*\]', 'won = []', "first_games.won"),
    "other winners": (r'(?s)won = \[.*\]', 'won = ["eJwDAAAAAAE="]', "the winners of the first games are not those"),
    "more": ("seed = 1", "seed = 1\nmood = 3", "mood is no key of a baseline"),
    "cells": ("title = .*", "", "title is missing"),
}


def sealed(body):
    return f'{body}{baselines.END_OF_BODY}{baselines.compute_seal(body)}"\n'


@pytest.mark.parametrize("change", CHANGES)
def test_every_value_of_a_resealed_file_is_checked(made, hardmode, change):  # noqa: F811
    line, other, said = CHANGES[change]
    body = made.path.read_text().rpartition(baselines.END_OF_BODY)[0]
    changed, n = re.subn(line if line.startswith("(?s)") else f"(?m)^{line}", other, body, count=1)
    assert n == 1
    made.path.write_text(sealed(changed))
    with pytest.raises(BaselineError, match=f"not a baseline that this version reads: .*{said}"):
        baselines.read_baseline(made.path, "lantern/home")
    answer = hardmode("check", "lantern/home")
    assert answer.code == 2 and "not a baseline" in answer.out + answer.err


def test_the_winners_of_other_sides_are_not_compared(home, hardmode):  # noqa: F811
    path = accepting.accept_scenario("pig/classic", "first", games=GAMES).path
    body = path.read_text().rpartition(baselines.END_OF_BODY)[0]
    body = re.sub(r"\[cells.seats\]\n.*\n.*\n", "", body)
    rows = re.findall(r'(?s)""".*?""",\n', body)
    path.write_text(sealed(body.replace(rows[1], "")))
    answer = hardmode("check", "pig/classic")
    said = "the number of sides that can win is 2, and 1 in the baseline"
    assert answer.code == 2 and said in answer.out + answer.err


NONSENSE = ("0", "-1", "1", '""', '"x"', "[]", "{}", "nan", "inf", "-inf", "1e308", str(10**18), "true", "[[]]",
            "1979-05-27")


def test_no_nonsense_in_a_resealed_file_ends_in_a_traceback(made, hardmode):  # noqa: F811
    chance = random.Random(11)
    lines = made.path.read_text().rpartition(baselines.END_OF_BODY)[0].splitlines()
    values = [i for i, line in enumerate(lines) if " = " in line and not line.startswith("won")]
    played = 0
    for trial in range(150):
        changed = list(lines)
        for i in chance.sample(values, 1 + trial % 2):
            name = changed[i].partition(" = ")[0]
            changed[i] = f"{name} = {chance.choice(NONSENSE)}"
        made.path.write_text(sealed("\n".join(changed) + "\n"))
        try:
            baselines.read_baseline(made.path, "lantern/home")
        except BaselineError:
            continue
        played += 1
        if played <= 12:
            assert hardmode("check", "lantern/home").code in (0, 1, 2, 3)
    assert played


def test_accepting_the_same_again_leaves_the_file(made):
    before = made.path.read_text()
    again = accepting.accept_scenario("lantern/home", "no reason at all")
    assert again.status == "unchanged" and made.path.read_text() == before


def test_accepting_anew_keeps_the_games_and_its_diff_can_be_read(made, home):  # noqa: F811
    before = made.path.read_text().splitlines()
    file = home / "home.yaml"
    file.write_text(file.read_text() + "rules: {light: +1}\n")
    again = accepting.accept_scenario("lantern/home", "a little more light")
    assert (again.status, again.after.games, again.after.quick) == ("accepted anew", GAMES, made.after.quick)
    diff = [line for line in difflib.ndiff(before, made.path.read_text().splitlines()) if line[0] in "+-"]
    assert '+ reason = "a little more light"' in diff
    assert any(line.startswith("- win_percent = ") for line in diff)
    assert '- "lost: dark" = 44' in diff or any('"lost: dark"' in line for line in diff)
    assert not any("setup" in line for line in diff)


@pytest.mark.parametrize("reason", ['say "so"', "a\nb", "back\\slash", "ünïcode ☃", "\x7f\x00", "'''", '"""', "# no"])
def test_any_reason_can_be_written(home, reason):  # noqa: F811
    made = accepting.accept_scenario("lantern/home", reason, games=100)
    assert baselines.read_baseline(made.path, "x").reason == " ".join(reason.split())


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_reason_is_asked_for(home, hardmode, reason):  # noqa: F811
    said = hardmode("accept", "lantern/home", "--reason", reason)
    assert said.code == 2 and "needs a reason" in said.err
    assert hardmode("accept", "lantern/home").code == 2


def test_accept_says_what_it_did(home, hardmode):  # noqa: F811
    said = hardmode("accept", "lantern/home", "pig/classic", "--reason", "first", "--games", "500")
    assert said.code == 0
    assert [line.split()[:2] for line in said.out.splitlines()] == [["new", "lantern/home"], ["new", "pig/classic"]]
    (home / "home.yaml").write_text("title: other\nrules: {light: 8}\n")
    lines = hardmode("accept", "lantern/home", "--reason", "darker").out.splitlines()
    assert lines[0].startswith("accepted anew") and "% -> " in lines[1]


def test_accept_wants_to_know_which(home, hardmode):  # noqa: F811
    assert "say which" in hardmode("accept", "--reason", "all").err
    said = hardmode("accept", "lantern/nothing", "--reason", "none")
    assert said.code == 2 and "no such scenario" in said.err


def test_all_shipped_are_accepted_and_hold(home, hardmode):  # noqa: F811
    assert hardmode("accept", "--all-shipped", "--reason", "first", "--games", "600").code == 0
    assert len(list(home.parents[1].glob("*/scenarios/baselines/*.baseline"))) == 4


def test_a_file_of_ones_own_has_its_baseline_beside_it(home, hardmode, tmp_path):  # noqa: F811
    mine = tmp_path / "mine.yaml"
    mine.write_text("game: lantern\nplayers: 1\n")
    assert hardmode("accept", mine, "--reason", "first", "--games", "600").code == 0
    assert (tmp_path / "baselines" / "mine.baseline").exists()
    assert hardmode("check", mine).code == 0


def test_where_nothing_can_be_written_it_says_so(home, hardmode, monkeypatch):  # noqa: F811
    (home / "baselines").write_text("a file is in the way")
    said = hardmode("accept", "lantern/home", "--reason", "first", "--games", "100")
    assert said.code == 2 and "baselines is a file; give a folder" in said.err


def test_bits_of_any_number_of_games_come_back():
    for n in (1, 7, 8, 9, 1000):
        won = np.random.default_rng(n).random(n) < 0.3
        assert (baselines.unpack_bits(baselines.pack_bits(won), n) == won).all()
