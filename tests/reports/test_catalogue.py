"""What `list` shows: one line a number, found by what is said of it."""

import pytest

from hardmode.reports.console import list_games, list_parameters
from hardmode.reports.console.list_games import NotListedError, ParameterFilter
from hardmode.reports.json.list import build_list_answer
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.overrides import Change, expand_wildcards
from hardmode.sim.contract import discovery
from tests.test_commands import hardmode

pytestmark = pytest.mark.plain


def paths(what, **wanted):
    return [number.path for number in build_list_answer(what, ParameterFilter(**wanted)).numbers]


def test_a_number_is_found_by_path_note_value_unit_and_source():
    assert paths("run_run_run", find="torch supply") == ["torches.start", "torches.refill"]
    assert "combat_dice.faces" in paths("run_run_run", find="die")
    assert "turn.timer" in paths("trapwords", find="60") and "turn.timer" in paths("trapwords", find="seconds")
    assert "hand.by_players" in paths("run_run_run", find="boardgamequest")
    assert "limit.rounds" in paths("woodlands", find="60")


def test_a_figure_is_found_as_a_figure_and_not_within_another():
    assert all("160" not in path for path in paths("trapwords", find="6"))
    assert "turn.timer" not in paths("trapwords", find="0")


def test_only_what_is_assumed_and_only_what_is_changed():
    assumed = paths("woodlands", assumed=True)
    assert assumed and all(load_parameters("woodlands")[path].is_assumed for path in assumed)
    assert paths("vengeance/boss-health", changed=True) == ["setup.bosses", "boss.don_zemun.health"]
    assert paths("vengeance/boss-health", changed=True, assumed=True) == ["boss.don_zemun.health"]
    assert "boss.don_zemun.health" in paths("vengeance", changed=True)


def test_what_is_not_there_is_said():
    with pytest.raises(NotListedError, match="pig: no number has 'wolf'"):
        build_list_answer("pig", ParameterFilter("wolf"))
    with pytest.raises(NotListedError, match="there is no assumed number"):
        build_list_answer("pig", ParameterFilter(assumed=True))
    with pytest.raises(NotListedError, match="name a game"):
        list_games.print_list("", ParameterFilter("die"))


@pytest.mark.parametrize("game", discovery.list_games())
def test_each_number_stands_on_one_line_and_a_line_with_a_star_means_what_it_stands_for(game):
    known = load_parameters(game)
    found = list_parameters.group_parameters(list(known.values()))
    assert sorted(leaf.path for line in found for leaf in line.parameters) == sorted(known)
    for line in found:
        meant = {change.path for change in expand_wildcards([Change(line.path, 1)], known)}
        assert meant == {leaf.path for leaf in line.parameters}


def test_a_game_of_a_thousand_numbers_is_told_in_two_screens_a_note_once():
    told = hardmode("list", "vengeance").out.splitlines()
    assert len(load_parameters("vengeance")) > 1000 > 250 > len(told)
    note = "the printed boards are not published"
    assert sum(note in line for line in told) == 1
    every = hardmode("list", "vengeance", "--find", "den. enemies").out.splitlines()
    assert sum(line.lstrip().startswith("den.") for line in every) == 93
    assert sum(note in line for line in every) == 5, "once above the numbers of each board, which need that board"


def test_a_scenario_shows_its_values_beside_the_printed_ones():
    line = next(x for x in hardmode("list", "vengeance/boss-health", "--changed").out.splitlines() if "health" in x)
    assert "6" in line.split() and "here 3, 4, 5, 6, 7, 8" in line


def test_lines_are_cut_to_the_width_of_a_terminal_and_whole_in_a_pipe(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    narrow = hardmode("list", "run_run_run", "--find", "torch").out.splitlines()
    assert max(map(len, narrow)) == 60 and any(line.endswith("…") for line in narrow)
    board = hardmode("list", "vengeance", "--find", "den. enemies").out.splitlines()
    above = " ".join(line.removeprefix("  # ") for line in board if line.startswith("  # "))
    assert max(map(len, board)) <= 60 and "loot and objectives are ours; needs setup.boards any or board1" in above
    monkeypatch.delenv("COLUMNS")
    whole = hardmode("list", "run_run_run", "--find", "torch").out
    assert "…" not in whole and "torch tokens in the box; rulebook, fr and en, components" in whole


def test_what_can_grow_is_told_with_how_many_there_are():
    told = [line.strip() for line in hardmode("list", "run_run_run").out.splitlines()]
    assert "bosses: 3 of at most 8" in told
    assert "mummies: 4 of at most 4 (full: a new entry must replace another)" in told
