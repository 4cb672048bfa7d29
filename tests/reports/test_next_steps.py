"""What answers and errors tell users to do next: options, names and commands that work as they are written."""

from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import hardmode
from hardmode.cli import app
from hardmode.reports.cli_types import join_help_lines, number_between
from hardmode.reports.console import check as check_output
from hardmode.reports.console import effects, ranking
from hardmode.reports.console import replay as replay_output
from hardmode.reports.console import run as run_output
from hardmode.reports.console import sensitivity as sensitivity_output
from hardmode.reports.exit_codes import run_command
from hardmode.reports.page.chapters import rivals
from hardmode.scenarios.load import load_scenario
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError, find_nearest_names
from hardmode.sim.games.woodlands import story
from hardmode.strategies import registry
from hardmode.studies.comparison import compare
from hardmode.studies.comparison.adapt import Adaptation, B
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.gate.checks import REFUSED
from hardmode.studies.solve.design_variables import parse_design_variables
from hardmode.studies.solve.targets import SolveError
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sequential import CHANGED


def refuse(capsys, *words):
    assert run_command(lambda: app([*words])) == 2
    return " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_an_error_in_an_option_of_side_b_names_that_option(capsys):
    said = refuse(capsys, "compare", "pig/classic", "--set-b", "taget=+1")
    assert said == "error: --set-b: taget: no such number; did you mean target?"
    assert "error: --set: taget" in refuse(capsys, "compare", "pig/classic", "--set", "taget=+1", "--set-b", "target=9")
    assert "--mistakes-b: mistakes" in refuse(capsys, "compare", "pig/classic", "--mistakes-b", "150%")


def test_a_comparison_without_a_change_says_so_before_it_plays(capsys, monkeypatch):
    def play(*_, **__):
        raise ScenarioError(Location("x.yaml"), "", "played")

    monkeypatch.setattr(compare, "compare", play)
    note = "note: B is the same as A; name another scenario, or a change as in --set-b NUMBER=+1"
    assert note in refuse(capsys, "compare", "pig/classic")
    assert note not in refuse(capsys, "compare", "pig/classic", "--set-b", "target=+1")


def test_a_wrong_word_is_compared_with_each_part_of_a_path():
    known = ["turn.kappa", "curse.extra.traps", "trap.count"]
    assert sorted(find_nearest_names("trapp", known)) == ["curse.extra.traps", "trap.count"]
    assert find_nearest_names("hero.heart", ["hero.hearts", "heart.hero"])[0] == "hero.hearts"


def test_strategies_with_the_same_rules_say_so():
    found = registry.list_strategies("woodlands")
    assert found["balanced"] == "the same as steady, with other weights"
    assert registry.list_strategies("trapwords")["cautious"] == "the same as beginner"
    assert len(set(found.values())) == len(found)


def test_help_breaks_no_sentence():
    text = "Do it.\n\n    One long\n    sentence.\n\n    Example:\n    hardmode run"
    assert join_help_lines(text) == "Do it.\n\nOne long sentence.\n\nExample:\nhardmode run"
    done = CliRunner().invoke(app, ["check-game", "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    assert "and 2 if an input is broken. With --switches" in done.output


def test_limits_are_written_in_digits():
    with pytest.raises(Exception, match="from 1 to 10,000,000"):
        number_between(1, 1e7)("0")


def test_a_name_that_the_package_lacks_is_answered_with_those_it_has():
    with pytest.raises(AttributeError, match=r"no attribute 'run'; it has .*play"):
        hardmode.run  # noqa: B018


def check_report(verdict, text, scenario="mine.yaml"):
    finding = SimpleNamespace(
        verdict=verdict, text=text, scenario=scenario, cell="", margin=0.0, changed_inputs=(), subject="", libraries=()
    )
    run = SimpleNamespace(config=SimpleNamespace(alpha=0.01))
    return SimpleNamespace(findings=[finding], scenarios={scenario: [finding]}, run=run, verdict=verdict, games=100)


def test_a_check_proposes_commands_that_work(monkeypatch):
    monkeypatch.setattr(check_output, "format_finding", lambda finding: finding.text)
    monkeypatch.setattr(check_output, "format_verdict_counts", lambda findings: f"1 {findings[0].verdict}")
    refused = check_output.make_verdict(check_report(REFUSED, "mine.yaml:2: no such key; did you mean x?"))
    assert refused.answer.endswith("The first is mine.yaml:2: no such key; did you mean x?")
    assert refused.next_step == "do what the line of mine.yaml says, then check again"
    changed = check_output.make_verdict(check_report(CHANGED, "+7 points"))
    assert changed.answer.endswith("The first is mine.yaml: +7 points.")
    assert "hardmode bisect mine.yaml --good COMMIT" in changed.next_step
    assert 'hardmode accept mine.yaml --reason "..."' in changed.next_step
    fine = check_output.make_verdict(check_report("IDENTICAL", "500 games"))
    assert "the same command with --plan" in fine.next_step


def test_a_number_without_a_range_is_searched_up_to_twice_its_value():
    scenario = load_scenario("vengeance/solo-medium")
    [variable] = parse_design_variables(["solo.pool.medium"], scenario, scenario.cells[0])
    assert (min(variable.values), max(variable.values)) == (1, 32) and variable.hard_limits == (1, 200)
    with pytest.raises(SolveError, match="no plausible range is known; write one"):
        parse_design_variables(["hero.bruiser.skill.BR7.focus"], scenario, scenario.cells[0])  # it is 0


def test_an_equal_share_counts_only_the_games_that_a_seat_wins():
    tally = SimpleNamespace(count_wins_by_seat=lambda: np.array([44, 28]))
    item = SimpleNamespace(tally=tally, result=SimpleNamespace(games=100, strategies=[{}, {}]))
    assert rivals.compute_equal_share(item) == pytest.approx(0.36)


def test_the_effect_after_adapting_is_a_sentence_and_names_the_opponents(capsys):
    won = np.zeros((2, 2, 3, 100))
    won[B, B] = 0.1
    effects.print_level_effects([], Adaptation(won, [], [], 0.95, ["cautious"]))
    said = " ".join(capsys.readouterr().out.split())
    assert "After players adapt, B is easier: +10" in said and "of which adapting regains +10" in said
    assert "the trained players hold seat 1, against cautious" in said


def test_ties_between_the_ends_of_a_long_ranking_are_not_described():
    for cells, shown in ((12, True), (13, False)):
        won = np.zeros((cells, 4000), int)
        for i in range(cells):
            won[i, : 300 * (1 + i // 2)] = 1
        found = Ranking([{"boss": i} for i in range(cells)], False, 4000, won @ won.T, 0.95)
        lines = ranking.describe_ranking(found)
        assert any("cannot be distinguished with 4,000 games" in line for line in lines) is shown


def test_a_measure_that_repeats_the_score_is_left_out_and_a_share_is_one_of_games(capsys, monkeypatch):
    values = {"score 1": {0: 50, 9: 50}, "score so far": {0: 50, 9: 50}, "hit": {0: 80, 1: 20}}
    tally = SimpleNamespace(count_values=values.__getitem__, game=SimpleNamespace(measures=()))
    monkeypatch.setattr(run_output, "measure_occurs", lambda tally, name: True)
    quantiles = dict.fromkeys(run_output.QUANTILES, 0)
    share = SimpleNamespace(is_rate=True, estimate=Estimate(0.2, 0.1, 0.3, 100), quantiles=quantiles)
    summary = SimpleNamespace(
        result=SimpleNamespace(game=SimpleNamespace(unit="rounds"), tally=tally),
        rounds=share,
        scores=[share],
        measures={"score so far": share, "hit": share},
    )
    run_output._print_measures(summary)
    said = capsys.readouterr().out
    assert "hit" in said and "20.0 % (10.0 .. 30.0) of games" in said and "score so far" not in said


def test_the_chance_after_the_deal_has_an_interval(monkeypatch):
    monkeypatch.setattr(replay_output, "_list_rounds", lambda story: [])
    rates = [[Estimate(0.64, 0.57, 0.71, 200)], [Estimate(0.0, 0.0, 0.0, 1)]]
    turning_points = SimpleNamespace(win_rates=rates, views=[0], swings=[])
    line, _ = replay_output.draw_win_chances(SimpleNamespace(), turning_points)
    assert line.endswith("64 % (57 .. 71) after the deal, 0 % at the end")


def test_a_significant_step_whose_interval_holds_zero_is_explained(monkeypatch):
    monkeypatch.setattr(sensitivity_output, "describe_verdict", lambda analysis: "two steps matter")
    monkeypatch.setattr(sensitivity_output, "describe_win_rate", lambda analysis: "win rate")
    monkeypatch.setattr(sensitivity_output, "list_disputed_steps", lambda analysis: [])
    monkeypatch.setattr(sensitivity_output, "format_title", lambda cell, rate: "title")
    monkeypatch.setattr(sensitivity_output, "format_step", lambda effect: "1 to 2")
    for low, is_explained in ((-0.3, False), (0.1, True)):
        sure = SimpleNamespace(path="a", estimate=Estimate(-0.5, -0.7, -0.2, 88))
        other = SimpleNamespace(path="b", estimate=Estimate(-0.4, -0.6, low, 88))
        levers = [SimpleNamespace(effects=[effect]) for effect in (sure, other)]
        monkeypatch.setattr(sensitivity_output, "rank_levers", lambda analysis, levers=levers: levers)
        analysis = SimpleNamespace(
            levers=[sure, other],
            effects=[sure] * 1776,
            cell=SimpleNamespace(seats_compete=False),
            base_rate=None,
            choose_better_estimate=lambda effect: effect.estimate,
        )
        certainty = sensitivity_output.make_verdict(analysis).certainty
        assert ("that of a significant step may contain 0" in certainty) is is_explained


def test_a_tile_is_laid_at_the_place_that_the_options_name():
    taken = {"do": "place", "tile": "vortex", "at": [0, -1], "turned": 180}
    assert story._choice({}, taken) == "It is laid at 0, -1 (1 north of the first tile), turned by 180°."
