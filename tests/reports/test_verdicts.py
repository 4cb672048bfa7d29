"""Every answer begins with its verdict: what was played by whom, the size with its interval, and what to try next."""

import os
import re
import shlex
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.commands.common import format_scenario_arguments
from hardmode.reports.console import audit as audit_console
from hardmode.reports.console import check as check_console
from hardmode.reports.console import choices as choices_console
from hardmode.reports.console import decided as decided_console
from hardmode.reports.console import luck as luck_console
from hardmode.reports.console import run as run_console
from hardmode.reports.console import verdict
from hardmode.reports.console.terminal import out
from hardmode.scenarios.labels import format_readable_label
from hardmode.scenarios.load import load_scenario
from hardmode.studies.audit.analysis import AuditReport
from hardmode.studies.audit.context import OpenQuestion
from hardmode.studies.audit.options import is_judged, is_unjudged
from hardmode.studies.choices.analysis import (
    ALWAYS,
    FORBIDDEN,
    ChoiceAnalysis,
    OptionEffect,
    OptionFrequencies,
)
from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.core.result_summary import summarize_result
from hardmode.studies.core.run import Effort, play
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis, GameTrace, PositionEstimate
from hardmode.studies.gate.checks import GateFinding
from hardmode.studies.luck.skill import compare_skill, estimate_skill_share
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, PerturbedParameter
from hardmode.studies.stats.estimates import Estimate, wilson_rate
from hardmode.studies.stats.sequential import INCONCLUSIVE
from tests.reports.toy import making

MINE = "game: lantern\ntitle: Mine\nexpect: {win_rate: 20% .. 80%}\n"
GRID = "game: lantern\ntitle: Grid\nsweep: {setup.beast: [wolf, owl]}\n"
PLAYS = "won,rounds,date\n" + "yes,12,2026-01-01\nno,9,2026-01-02\n" * 5
NUMBER = r"[-+−]?\d[\d,.]*"
INTERVAL = re.compile(rf"\({NUMBER} \.\. {NUMBER}|from {NUMBER} to {NUMBER} %|in at most {NUMBER}%")
HOW_MUCH = re.compile(r"\d (%|\.\.|points|games)|\d %|\d (identical|met)")

COMMANDS = {
    "run": "run lantern/home --games 400",
    "run a grid": "run grid.yaml --games 200",
    "compare": "compare mine.yaml --set-b light=-2 --games 300",
    "sensitivity": "sensitivity lantern/home --games 200",
    "luck": "luck pig/classic --games 200",
    "decided": "decided pig/classic --games 30",
    "bound": "bound pig/classic --set target=20 --games 16",
    "choices": "choices lantern/home --games 200",
    "solve": "solve lantern/home --target win_rate=30..70% --by light --games 1000",
    "uncertainty": "uncertainty grid.yaml --seconds 1",
    "fit": "fit pig/classic plays.csv --games 60",
    "audit": "audit lantern/home --games 60",
    "train": "train pig/classic --strategy hold_at --generations 1 --games 50 -o player.yaml",
    "check": "check mine.yaml",
}
NOT_PLAYED_BY_ONE = ("check", "fit", "train")  # whose title names what else it is about


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What each command prints, without and with its details."""
    folder, here, width = tmp_path_factory.mktemp("verdicts"), os.getcwd(), out.width
    os.chdir(folder)
    out.width = 1000  # so that each sentence is a line
    for name, text in (("mine.yaml", MINE), ("grid.yaml", GRID), ("plays.csv", PLAYS)):
        (folder / name).write_text(text)
    try:
        with making.toy():
            said("accept mine.yaml --reason new --games 300")
            yield {name: (said(line), said(f"{line} --details")) for name, line in COMMANDS.items()}
    finally:
        os.chdir(here)
        out.width = width


def said(line):
    done = CliRunner().invoke(app, shlex.split(line))
    assert done.exit_code in (0, 1), done.output
    return done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_lines_hold_verdict_size_interval_and_next_step(answers, name):
    head, blank, rest = answers[name][0].partition("\n\n")
    lines = head.splitlines()
    assert blank and len(lines) >= 4, head
    *_, answer, certainty, next_step = lines
    assert name in NOT_PLAYED_BY_ONE or "played by " in head
    assert answer.endswith(".") and len(answer.split()) >= 5 and HOW_MUCH.search(answer + certainty)
    assert INTERVAL.search(head if name == "audit" else f"{answer} {certainty}"), head  # an audit may find nothing
    assert certainty.endswith(".")
    assert next_step.startswith("Next: ") and ("hardmode " in next_step or "--" in next_step), next_step
    assert rest or name in ("check", "audit")  # which may have nothing to add


@pytest.mark.parametrize("name", COMMANDS)
def test_what_explains_the_method_is_printed_on_request(answers, name):
    plain, full = answers[name]
    assert "; seed 1" not in plain and "outcome digest" not in plain
    if name == "train":
        assert "was written by this training" in full  # the same command does not train again
    else:
        assert len(full) > len(plain)


def test_every_command_that_answers_has_details():
    for name in {line.split()[0] for line in COMMANDS.values()} | {"merge"}:
        done = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
        assert "--details" in re.sub(r"\x1b\[[\d;]*m", "", done.output), name


def test_the_next_command_repeats_the_changes_of_this_one(tmp_path):
    own = tmp_path / "own.yaml"
    words = format_scenario_arguments("pig/classic", ["target=+1"], ["steady"], 3, ["20%"], own)
    assert words == f"pig/classic --set target=+1 --strategy steady --mistakes 20% --players 3 --box {own}"
    assert format_scenario_arguments("", ["a=1"], suffix="-b") == "--set-b a=1"


def test_the_times_as_much_that_is_proposed_narrows_the_interval():
    growth = verdict.estimate_growth(0.04, 0.01)
    assert growth == pytest.approx(16)
    n = 2000
    wide, narrow = wilson_rate(n // 2, n), wilson_rate(int(growth * n) // 2, int(growth * n))
    assert narrow.half_width == pytest.approx(wide.half_width / 4, rel=0.01)
    assert verdict.propose_more(growth, 1234, None) == "--games 20000"
    assert verdict.propose_more(growth, 1234, 20) == "--seconds 320"
    assert verdict.describe_more(growth, 1200, None) == "about 18,000 games more"
    assert verdict.describe_more(growth, 1200, 20) == "about 300 seconds more"


# -- luck or skill: one number ---------------------------------------------------------------------


def rate(k, n):
    return wilson_rate(k, n)


def test_the_share_of_skill_is_the_variance_that_the_player_explains():
    """Counted out: half of the games by each, so the variance of the two means over that of all results."""
    weak, strong = rate(145, 1000), rate(918, 1000)
    results = np.array([1] * 145 + [0] * 855 + [1] * 918 + [0] * 82)
    who = np.array([0] * 1000 + [1] * 1000)
    means = np.array([results[who == i].mean() for i in who])
    share = estimate_skill_share(weak, strong)
    assert share.value == pytest.approx(means.var() / results.var())
    assert share.low < share.value < share.high and share.n == 1000
    assert estimate_skill_share(rate(500, 1000), rate(500, 1000)).value == 0
    never = estimate_skill_share(rate(0, 1000), rate(0, 1000))
    assert never.value == 0 and 0 < never.high < 0.01  # not won yet is not the same as never won


def test_skill_is_measured_up_to_the_level_that_wins_most_often():
    levels = {"beginner": rate(145, 1000), "steady": rate(638, 1000), "trained": rate(911, 1000)}
    assert compare_skill(levels).best_level == "trained"
    skill = compare_skill(levels, rate(385, 400))
    assert (skill.best_level, skill.weak, skill.strong) == ("expert", rate(145, 1000), rate(385, 400))
    assert skill.share == estimate_skill_share(rate(145, 1000), rate(385, 400))
    assert compare_skill({**levels, "expert": rate(0, 0)}).best_level == "trained", "not played"
    assert compare_skill(levels, rate(360, 400)).best_level == "trained", "an expert who wins less often"
    assert compare_skill({"steady": rate(1, 2)}) is None and compare_skill({"beginner": rate(1, 2)}) is None


@pytest.mark.parametrize(("weak", "strong"), [(0.0, 0.48), (0.15, 0.92), (0.31, 0.64), (0.5, 0.55)])
def test_the_interval_of_the_share_of_skill_covers(weak, strong):
    rng, n, tries = np.random.default_rng(3), 2000, 1500
    mean = (weak + strong) / 2
    truth = ((strong - weak) / 2) ** 2 / (mean * (1 - mean))
    inside = 0
    for a, b in zip(rng.binomial(n, weak, tries), rng.binomial(n, strong, tries), strict=True):
        found = estimate_skill_share(rate(int(a), n), rate(int(b), n))
        inside += found.low <= truth <= found.high
    assert inside / tries > (0.925 if strong - weak < 0.1 else 0.94)  # 0.95, and less where both are nearly alike


def test_luck_prints_a_number_and_a_bar_and_keeps_the_table_for_details(answers):
    plain, full = answers["luck"]
    found = re.search(r"skill decides (\d+(?:\.\d+)?) %", plain)
    bar = next(line for line in plain.splitlines() if line.startswith("skill "))
    assert abs(bar.count("█") / verdict.BAR_WIDTH - float(found[1]) / 100) <= 0.02
    assert bar.endswith(" luck") and "sources of chance" not in plain and "sources of chance" in full
    assert "Among unequals" not in plain and "Among unequals" in full
    assert luck_console.draw_bar(0.25, "a", "b") == f"a {'█' * 10}{'░' * 30} b"


# -- what to try next, and nothing that another line contradicts ------------------------------------


def test_cells_that_their_shared_games_distinguish_are_not_called_indistinguishable(tmp_path):
    grid = tmp_path / "grid.yaml"
    grid.write_text("game: lantern\ntitle: Grid\nsweep: {light: [+0, +2]}\n")
    with making.toy():
        results = play(load_scenario(str(grid)), Effort(500, threads=1))
    assert results.ranking.is_harder[0, 1], "the shared games tell that a longer light is easier"
    summaries = [summarize_result(result) for result in results]
    apart = run_console.make_verdict(summaries, "grid.yaml", results.ranking)
    assert apart.answer.startswith("The win rate goes from") and "these two cells differ by 4.0" in apart.certainty
    alone = run_console.make_verdict(summaries, "grid.yaml")
    assert alone.answer.startswith("Too few games to tell"), "both intervals overlap"


def test_where_seats_compete_unequal_players_are_proposed(answers):
    assert "--strategy beginner --strategy steady" in said("run pig/classic --games 20k").split("\n\n")[0]
    assert "--strategy trained shows other players" in said("run lantern/home --games 20k").split("\n\n")[0]


def failing_check(**more):
    finding = GateFinding("mine.yaml", "", "baseline", INCONCLUSIVE, "+1.9 points", {}, **more)
    run = SimpleNamespace(config=SimpleNamespace(alpha=0.01))
    return SimpleNamespace(findings=[finding], scenarios={"mine.yaml": [finding]}, run=run, verdict=INCONCLUSIVE)


def test_an_open_comparison_with_a_baseline_is_not_settled_by_more_games_of_the_check():
    assert "accept mine.yaml with more --games" in check_console.make_verdict(failing_check(margin=0.01)).next_step
    assert check_console.make_verdict(failing_check()).next_step == "more --games settles it"  # of an expectation


def test_a_game_of_a_study_is_replayed_by_the_players_of_the_study():
    steady = load_scenario("run_run_run/standard").cells[0]
    trained = with_trained(steady)
    said = verdict.name_trained_players("run_run_run/standard", trained)
    assert said == "run_run_run/standard --strategy trained"
    assert verdict.name_trained_players("a.yaml", steady) == "a.yaml"
    assert verdict.name_trained_players("a.yaml --strategy veteran", trained) == "a.yaml --strategy veteran"


def test_a_comparison_by_level_does_not_propose_itself(answers):
    with making.toy():
        line = "compare lantern/home --set-b light=-2 --games 100"
        plain, levels = said(line), said(f"{line} --levels --seconds 1")
    assert "--levels --adapt shows" in plain and "--levels --adapt shows" not in levels
    assert "under A: hardmode replay lantern/home --game" in plain
    assert "under B: hardmode replay lantern/home --set light=-2 --game" in plain


# -- too few games to tell --------------------------------------------------------------------------


def option(name, games, gained=0, lost=0, base_wins=0):
    forbidden = ParameterEffect(
        PerturbedParameter(name, 0, FORBIDDEN), games=games, games_changed=gained + lost, wins_gained=gained,
        wins_lost=lost, base_wins=base_wins,
    )  # fmt: skip
    return OptionEffect(0, name, forbidden, ParameterEffect(PerturbedParameter(name, 0, ALWAYS)))


def choices_of(*options, speed=100.0):
    habit = OptionFrequencies(10, np.ones(1), np.ones(1), *(np.ones(1) for _ in range(5)))
    cell = load_scenario("pig/classic", strategies=["beginner"]).cells[0]
    return ChoiceAnalysis(cell, 1, 0.95, {"beginner": habit}, list(options), [], speed=speed)


def test_choices_are_not_called_useless_when_too_few_games_were_played():
    few, many = choices_of(option("roll", 20, 2, 2, 10)), choices_of(option("roll", 20_000, 20, 20, 10_000))
    assert len(few.undecided) == 1 and not many.undecided
    told = choices_console.make_verdict(few)
    assert told.answer == "Too few games to tell which option matters."
    assert "seconds more would settle" in told.certainty
    told = choices_console.make_verdict(many)
    assert told.answer.startswith("No option matters") and "would settle" not in told.certainty
    assert choices_of(option("roll", 20), speed=0.0).missing_seconds is None


def test_what_nobody_can_win_without_does_not_lead():
    roll = option("roll", 1000, 0, 500, 500)
    hold = option("hold", 1000, 20, 200, 500)
    told = choices_console.make_verdict(choices_of(roll, hold))
    assert "“hold”" in told.answer and "−18" in told.answer
    assert "Hardly any game is won without “roll”" in told.certainty


def test_what_perhaps_nobody_can_win_without_does_not_lead_either():
    """With few games nothing shows that “roll” is indispensable, and nothing that it is not."""
    roll, hold = option("roll", 60, 0, 28, 30), option("hold", 1000, 20, 200, 500)
    analysis = choices_of(roll, hold)
    assert not analysis.is_indispensable(roll) and analysis.is_significant(roll.forbidden)
    told = choices_console.make_verdict(analysis)
    assert "matters most is “hold”" in told.answer
    assert "Too few games to tell whether any can be won without “roll”" in told.certainty
    assert choices_console.make_verdict(choices_of(roll)).answer == "Too few games to tell which option matters."


def traces(n, decided):
    position = PositionEstimate(1, 99, 0.99, True, False, 0)
    return [GameTrace(i, True, 0, 12, (position,) if i % 10 < decided else (), None) for i in range(n)]


def test_when_games_are_decided_is_said_with_how_few_were_seen():
    cell = load_scenario("pig/classic").cells[0]
    few, many = (DecisionPointAnalysis(cell, ["steady"], 1, 0.95, traces(n, 5)) for n in (20, 1000))
    told = decided_console.make_verdict(few, "pig/classic", 20.0)
    assert told.answer.startswith("Too few games to tell more than roughly: half of the games")
    assert re.search(r"About \d+ seconds more would settle it to ± 10 points", told.certainty)
    assert re.search(r"--seconds \d+$", told.next_step)
    told = decided_console.make_verdict(many, "pig/classic", 20.0)
    assert told.answer.startswith("Half of the games") and "replay pig/classic" in told.next_step


def test_an_audit_that_played_little_does_not_say_that_all_is_well():
    scenario = load_scenario("pig/classic")
    report = AuditReport(scenario, scenario.cells[0], "steady", 1, 0.95, [], ["loop"], [])
    assert audit_console.make_verdict(report).answer.startswith("No fault was found")
    questions = [OpenQuestion("option", 3, 9, 40.0), OpenQuestion("step", 200, 800, 90.0)]
    told = audit_console.make_verdict(replace(report, open_questions=questions))
    assert told.answer.startswith("Too few games to tell whether there are faults")
    assert "3 of 9 options and 200 of 800 steps: about 130 seconds more would settle the rest" in told.certainty


def test_an_option_is_judged_by_what_its_interval_excludes():
    def effect(low, high):
        return Estimate((low + high) / 2, low, high, 1000)

    nothing, open_, needed = effect(-0.001, 0.001), effect(-0.05, 0.05), effect(-0.2, -0.1)
    assert is_judged(nothing, nothing) and is_judged(needed, open_) and not is_judged(open_, nothing)
    assert not is_judged(nothing, open_)


def test_a_step_is_judged_when_enough_games_stayed_the_same():
    silent = ParameterEffect(PerturbedParameter("a", 0, 1), games=100)
    assert is_unjudged(silent, 150) and not is_unjudged(silent, 100)
    assert not is_unjudged(replace(silent, games_changed=1), 150)


@pytest.mark.parametrize(("label", "text"), [
    ({"setup.bosses[0]": "don_zemun"}, "boss don zemun"),
    ({"setup.heroes[1]": "lin", "setup.players": 2}, "hero 2 lin, 2 players"),
    ({"setup.bosses[0]": "boss_2"}, "boss 2"),
    ({"switches.extra_turn": True}, "extra turn on"),
])
def test_a_cell_is_named_by_what_is_printed_and_not_by_a_path(label, text):
    assert format_readable_label(label) == text
