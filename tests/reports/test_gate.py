"""The gate on planted changes: each verdict, each refusal with its message, each expectation, each exit code.

What depends on chance is seeded: the same games are played whenever the tests run.
"""

import json
import re
import shutil

import pytest
from gatehouse import command, copied, hardmode, home  # noqa: F401

from hardmode.reports.gate.verdicts import format_finding
from hardmode.studies.gate import accept as accepting
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baseline_check import BaselineCheck, choose_margin, list_looks
from hardmode.studies.gate.prepare import prepare_run
from hardmode.studies.gate.run import GateConfig
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.sequential import Gate

GAMES = 6000


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture(autouse=True)
def paced(monkeypatch):
    """A machine that is as fast whoever else works on it: how many games are accepted depends on that."""
    monkeypatch.setattr(accepting, "_measure_seconds_per_game", lambda trial: 1e-4)


def scenario(home, name, text, accepted=""):  # noqa: F811
    """A scenario in the folder of Lantern; with `accepted`, its baseline is of that text."""
    file = home / f"{name}.yaml"
    if accepted:
        file.write_text(accepted)
        accepting.accept_scenario(f"lantern/{name}", "as it was", games=GAMES)
    file.write_text(text)
    return f"lantern/{name}"


def findings(name, **terms):
    return list(prepare_run([name], GateConfig(**terms)).evaluate_all())


def words(name, **terms):
    return [f.verdict for f in findings(name, **terms)]


# -- the four verdicts ---------------------------------------------------------------------------------------------


def test_nothing_changed_is_identical(home):  # noqa: F811
    name = scenario(home, "still", "players: 2", "players: 2")
    found, = findings(name)
    assert found.verdict == "IDENTICAL" and found.changed_inputs == () and found.flips == (0, 0)
    assert found.games == 1185 < baselines.read_baseline(baselines.locate_baseline(home / "still.yaml"), name).quick
    assert found.estimate.low == found.estimate.high == 0


def test_what_has_not_changed_takes_no_more_games_than_what_has(home):  # noqa: F811
    name = scenario(home, "still", "players: 2", "players: 2")
    accepted = baselines.read_baseline(baselines.locate_baseline(home / "still.yaml"), name)
    changed = {margin: next(n for look, n in enumerate(accepted.looks) if PairedBounds(n, 0, 0).is_within(
        -margin, margin, Gate(looks=accepted.looks).error_levels(look)[1])) for margin in (0.01, 0.02)}
    assert accepted.quick == 2000 and changed[0.02] < changed[0.01] == 1185
    for margin, games in {**changed, 0.001: 2000}.items():
        assert [f.games for f in findings(name, margin=margin)] == [games]


def test_a_title_is_no_change(home):  # noqa: F811
    name = scenario(home, "still", "title: another\nexpect: {win_rate: 40% .. 55%}", "players: 2")
    assert words(name) == ["IDENTICAL", "MET"]


def test_other_numbers_that_play_alike_are_identical_and_said_to_be_other(home):  # noqa: F811
    """The owl's bite is of no matter where the wolf follows: not one game differs."""
    before = "setup: {beast: wolf}"
    name = scenario(home, "owl", before + "\nrules: {bite.owl: 2}", before)
    found, = findings(name)
    assert found.verdict == "IDENTICAL" and found.changed_inputs == ("box",)
    assert found.estimate.high <= found.margin and found.estimate.low >= -found.margin
    assert "numbers of the box" in format_finding(found)


def test_a_big_change_is_changed_and_says_which_way(home):  # noqa: F811
    up, = findings(scenario(home, "up", "rules: {bite.bear: 0}", "players: 2"))
    down, = findings(scenario(home, "down", "rules: {way: 13}", "players: 2"))
    assert (up.verdict, down.verdict) == ("CHANGED", "CHANGED")
    assert up.estimate.low > 0 and up.rates[1] > up.rates[0] and "+" in up.text
    assert down.estimate.high < 0 and down.flips[1] > down.flips[0]
    assert down.games < GAMES  # it stopped when it was settled


def test_a_change_without_weight_is_equivalent(home):  # noqa: F811
    """A little more light where it hardly ever goes out, and half of what it does would not matter."""
    name = scenario(home, "dim", "rules: {light: 14}", "rules: {light: 13}")
    found, = findings(name, margin=0.05)
    assert found.verdict == "EQUIVALENT" and sum(found.flips) > 0 and found.changed_inputs == ("box",)
    assert -0.05 <= found.estimate.low <= found.estimate.value <= found.estimate.high <= 0.05


def test_a_strategy_changed_a_little_is_equivalent(home):  # noqa: F811
    """To hold at 21 instead of 20 makes another game, and wins as many."""
    pig = home.parents[1] / "pig" / "scenarios" / "classic.yaml"
    accepting.accept_scenario("pig/classic", "as it was", games=20_000)
    pig.write_text("strategies: [{name: steady, weights: {threshold: 21}}, steady]\n")
    found, = findings("pig/classic", margin=0.03)
    assert found.verdict == "EQUIVALENT" and min(found.flips) > 0 and found.changed_inputs == ("weights",)


def test_games_that_differ_only_in_a_measure_are_identical(home):  # noqa: F811
    """Two rounds more of light where it is never used up: the light left is another, and no game is."""
    before = "players: 1\nrules: {light: 60}"
    name = scenario(home, "bright", "players: 1\nrules: {light: 62}", before)
    found, = findings(name)
    assert found.verdict == "IDENTICAL"


def test_a_tiny_budget_is_inconclusive(home):  # noqa: F811
    name = scenario(home, "up", "rules: {way: 12}", "players: 2")
    found, = findings(name, games=60)
    assert found.verdict == "INCONCLUSIVE" and found.games == 60 and "used up" in found.text


def test_few_games_hold_a_wide_margin_and_say_so(home):  # noqa: F811
    before = "setup: {beast: wolf}"
    home.joinpath("few.yaml").write_text(before)
    accepting.accept_scenario("lantern/few", "few", games=100)
    home.joinpath("few.yaml").write_text(before + "\nrules: {bite.owl: 2}")
    wide, = findings("lantern/few")
    assert wide.verdict == "IDENTICAL" and wide.margin == 0.045 and "margin 4.5 points" in wide.text
    strict, = findings("lantern/few", margin=0.01)
    assert strict.verdict == "INCONCLUSIVE"


@pytest.mark.parametrize("games", [20, 50, 100, 200, 500, 1000, 5000, 20_000])
def test_the_margin_is_one_that_games_without_a_flip_can_hold(games):
    from hardmode.studies.stats.bounds import PairedBounds
    from hardmode.studies.stats.sequential import Gate, plan_looks
    looks = plan_looks(games)
    margin = choose_margin(looks, 0.05, None)
    assert margin == 0.01 or games < 500
    gate = Gate(looks=looks, margin=margin)
    assert any(gate.judge_difference(i, PairedBounds(n, 0, 0)).decision == "IDENTICAL" for i, n in enumerate(looks)
               if gate.judge_difference(i, PairedBounds(n, 0, 0)))


def test_weights_of_a_strategy_are_noticed(home):  # noqa: F811
    pig = home.parents[1] / "pig" / "scenarios" / "classic.yaml"
    accepting.accept_scenario("pig/classic", "as it was", games=GAMES)
    for weight, word in ((20, "IDENTICAL"), (21, None), (5, "CHANGED")):
        pig.write_text(f"strategies: [{{name: steady, weights: {{threshold: {weight}}}}}, steady]\n")
        found, = findings("pig/classic")
        assert found.verdict == word or word is None
        assert set(found.changed_inputs) == ({"weights"} if weight != 20 else {"scenario"})


# -- pairs first, then the tally -----------------------------------------------------------------------------------


def test_games_beyond_those_kept_are_judged_against_the_tally(home, monkeypatch):  # noqa: F811
    monkeypatch.setattr(accepting, "MAX_PAIRED_GAMES", 500)
    file = home / "far.yaml"
    file.write_text("players: 2")
    made = accepting.accept_scenario("lantern/far", "as it was", games=40_000).after
    looks = list_looks(made, None)
    assert looks[0] == 500 and looks[-1] == 40_000
    file.write_text("rules: {light: 11, way: 11}\nsetup: {beast: any}")
    found, = findings("lantern/far", margin=0.03)
    assert found.flips is None and "against the tally of 40,000" in found.text
    assert found.verdict in ("EQUIVALENT", "CHANGED")
    assert found.games <= 40_000


def test_a_budget_may_be_larger_than_the_baseline(home):  # noqa: F811
    name = scenario(home, "more", "rules: {light: 11}", "players: 2")
    found, = findings(name, games=10 * GAMES, margin=0.001)
    assert found.games <= 10 * GAMES and (found.verdict == "CHANGED" or found.games > GAMES)


def test_looks_never_go_beyond_the_budget(home):  # noqa: F811
    made = accepting.accept_scenario("lantern/home", "first", games=GAMES).after
    for budget in (1, 60, 700, 5999, 6000, 6001, 50_000):
        looks = list_looks(made, budget)
        assert looks[-1] <= budget and list(looks) == sorted(set(looks))


# -- expectations --------------------------------------------------------------------------------------------------

KINDS = [
    ("win_rate: 40% .. 55%", "MET"), ("win_rate: 60% .. 70%", "MISSED"), ('win_rate: "> 30%"', "MET"),
    ('win_rate: "< 30%"', "MISSED"), ('win_rate: "<= 47.2%"', "INCONCLUSIVE"),
    ("rounds: 5 .. 7", "MET"), ("rounds: 1 .. 2", "MISSED"), ('score: "< -3"', "MET"), ('score: "> -3"', "MISSED"),
    ('score_target: {score: 0, rate: "> 40%"}', "MET"), ('score_target: {score: -5, rate: "< 40%"}', "MISSED"),
    ("endings: {'lost: dark': < 5%}", "MET"), ("endings: {'lost: eaten': < 5%}", "MISSED"),
    ("endings: {'cap reached': <= 1%}", "MET"),
]


@pytest.mark.parametrize(("expect", "word"), KINDS)
def test_each_kind_of_expectation(home, expect, word):  # noqa: F811
    name = scenario(home, "hope", f"players: 2\nexpect:\n  {expect}")
    found, = findings(name, expectations_only=True, games=10_000)
    assert found.verdict == word
    assert found.estimate.low <= found.estimate.value <= found.estimate.high
    assert re.search(r"\(.* \.\. .*\) in [\d,]+ games", found.text)


@pytest.mark.parametrize(("order", "word"), [
    ("owl > bear > wolf", "MET"), ("wolf < bear < owl", "MET"), ("owl >= bear", "MET"),
    ("wolf > bear > owl", "MISSED"), ("owl > wolf > bear", "MISSED")])
def test_an_order_of_cells(home, order, word):  # noqa: F811
    name = scenario(home, "order", f"sweep: {{setup.beast: all}}\nexpect: {{order: {order}}}")
    found, = findings(name, expectations_only=True)
    assert found.verdict == word and found.subject.startswith("order setup.beast: ")


def test_an_order_is_held_in_each_slice_of_the_grid(home):  # noqa: F811
    name = scenario(home, "order", "sweep: {setup.wood: all, setup.beast: all, players: [1, 2]}\n"
                    "expect: {order: owl > wolf}")
    found = findings(name, expectations_only=True)
    assert len(found) == 4 and {f.verdict for f in found} == {"MET"}
    assert [f.cell for f in found] == [f"wood {w}, {n}" for w in ("thin", "thick") for n in ("1 player", "2 players")]


def test_cells_that_are_the_same_have_no_order(home):  # noqa: F811
    name = scenario(home, "order", "setup: {beast: wolf}\nsweep: {bite.owl: [0, 1]}\nexpect: {order: 0 > 1}")
    found, = findings(name, expectations_only=True, games=2000)
    assert found.verdict == "INCONCLUSIVE"


def test_all_questions_at_stake_share_alpha(home):  # noqa: F811
    """What is as it was accepted cannot be found changed by chance, and needs no share."""
    one = scenario(home, "one", "rules: {light: 13}\nexpect: {win_rate: 40% .. 55%}", "players: 2")
    many = scenario(home, "many", "sweep: {setup.beast: all}\nexpect: {rounds: 1 .. 9}", "sweep: {setup.beast: all}")
    run = prepare_run([one, many], GateConfig())
    assert (len(run.checks), run.n_tests) == (2 + 6, 2 + 3)
    gates = [run.make_gate(q) for q in run.checks]
    assert {g.cells for g in gates} == {5}
    assert all(sum(g.error_levels(i)[0] for i in range(len(g.looks))) == pytest.approx(0.01 / 5) for g in gates)
    assert {run.make_gate(q, len(run.checks)).cells for q in run.checks} == {8}


# -- exit codes ----------------------------------------------------------------------------------------------------


def test_exit_codes(home, hardmode):  # noqa: F811
    fine = scenario(home, "fine", "players: 2", "players: 2")
    moved = scenario(home, "moved", "rules: {way: 13}", "players: 2")
    few = scenario(home, "open", "players: 2\nexpect: {rounds: 6.07 .. 6.09}", "players: 2")
    missed = scenario(home, "missed", "players: 2\nexpect: {rounds: 1 .. 2}", "players: 2")
    said = {name: hardmode("check", name) for name in (fine, moved, few, missed)}
    assert [said[name].code for name in (fine, moved, few, missed)] == [0, 1, 3, 1]
    assert hardmode("check", fine, moved).code == 1
    assert hardmode("check", few, moved).code == 1
    assert hardmode("check", few, fine).code == 3
    assert hardmode("check", moved, "lantern/nothing").code == 2
    assert hardmode("check", fine, "--games", "none").code == 2
    assert hardmode("check", fine, "--alpha", "2").code == 2


def test_without_files_all_shipped_baselines_are_held(home, hardmode):  # noqa: F811
    said = hardmode("check")
    assert said.code == 2 and "no shipped scenario has a baseline" in said.out
    scenario(home, "moved", "rules: {way: 13}", "players: 2")
    accepting.accept_scenario("pig/classic", "first", games=1000)
    said = hardmode("check")
    assert said.code == 1 and "IDENTICAL     pig/classic" in said.out and "CHANGED       lantern/moved" in said.out
    assert "3 shipped scenarios have no baseline" in said.out
    (home / "moved.yaml").unlink()
    said = hardmode("check")
    assert said.code == 2 and "its scenario is gone" in said.out


def test_a_scenario_is_held_once_however_it_is_named(home, hardmode):  # noqa: F811
    scenario(home, "fine", "players: 2", "players: 2")
    said = json.loads(hardmode("check", "lantern/fine", home / "fine.yaml", "lantern/fine", "--json").out)
    assert len(said["scenarios"]) == 1 and said["gate"]["questions"] == 1


# -- refusals ------------------------------------------------------------------------------------------------------


def test_without_a_baseline_it_is_refused(home, hardmode):  # noqa: F811
    said = hardmode("check", "lantern/home")
    assert said.code == 2
    assert 'REFUSED       lantern/home  no baseline; hardmode accept lantern/home --reason "..."' in said.out
    assert hardmode("check", "lantern/light", "--expect-only").code == 2  # and nothing is expected of it
    assert hardmode("check", "lantern/home", "--expect-only").code in (0, 1)


def test_where_nothing_is_expected_nothing_passes(home, hardmode):  # noqa: F811
    for file in (*home.glob("*.yaml"), *home.parents[1].glob("pig/scenarios/*.yaml")):
        if file.name != "box.yaml":
            file.write_text("players: 2")
    said = hardmode("check", "--expect-only")
    assert said.code == 2 and "nothing is expected of any shipped scenario" in said.out


def test_an_unknown_scenario_is_refused(home, hardmode):  # noqa: F811
    said = hardmode("check", "lantern/hom")
    assert said.code == 2 and "no such scenario; did you mean lantern/home?" in said.out
    assert hardmode("check", "nowhere.yaml").code == 2


def test_an_edited_tally_is_refused(home, hardmode):  # noqa: F811
    scenario(home, "fine", "players: 2", "players: 2")
    file = baselines.locate_baseline(home / "fine.yaml")
    edit(file, "wins = ", "wins = 1")
    said = hardmode("check", "lantern/fine")
    assert said.code == 2 and "digest mismatch: the file was edited or damaged" in said.out


def resealed(file, old, new):
    """As if another version had written it."""
    body = file.read_text().rpartition("\n[end]\n")[0]
    assert old in body
    body = body.replace(old, new)
    file.write_text(f'{body}\n[end]\nseal = "{baselines.compute_seal(body)}"\n')


@pytest.mark.parametrize(("old", "new", "message"), [
    ("version = 1", "version = 7", "the baseline is of rules version 7, the rules are version 1"),
    ('scheme = "', 'scheme = "old-', "this version draws by"),
    ('game = "lantern"', 'game = "pig"', "the baseline is of the game pig"),
    ("schema = 1", "schema = 9", "not a baseline that this version reads"),
])
def test_what_cannot_be_compared_is_refused(home, hardmode, old, new, message):  # noqa: F811
    scenario(home, "fine", "players: 2", "players: 2")
    resealed(baselines.locate_baseline(home / "fine.yaml"), old, new)
    said = hardmode("check", "lantern/fine")
    assert said.code == 2 and "\nREFUSED" in said.out and message in said.out


def test_other_libraries_are_a_note(home, hardmode):  # noqa: F811
    scenario(home, "fine", "players: 2", "players: 2")
    resealed(baselines.locate_baseline(home / "fine.yaml"), 'numba = "', 'numba = "0.')
    said = hardmode("check", "lantern/fine")
    assert said.code == 0 and "IDENTICAL" in said.out
    assert "note: libraries changed since the baseline was accepted: numba 0." in said.out


@pytest.mark.parametrize(("before", "after", "message"), [
    ("sweep: {light: [9, 11]}", "sweep: {light: [9, 11, 13]}", "light 13 has no baseline"),
    ("sweep: {light: [9, 11]}", "sweep: {light: [9]}", "light 11 of the baseline is gone"),
    ("sweep: {light: [9, 11]}", "sweep: {light: [11, 9]}", "another order"),
    ("players: 2", "sweep: {light: [9, 11]}", "light 9 has no baseline"),
])
def test_other_cells_than_accepted_are_refused(home, hardmode, before, after, message):  # noqa: F811
    name = scenario(home, "cells", after, before)
    said = hardmode("check", name)
    assert said.code == 2 and "the cells are not those accepted" in said.out and message in said.out


def test_a_strategy_that_is_gone_is_refused(home, hardmode):  # noqa: F811
    name = scenario(home, "who", "strategies: [nobody]", "players: 2")
    said = hardmode("check", name)
    assert said.code == 2 and "has no strategy 'nobody'" in said.out


def test_broken_yaml_is_refused_and_the_rest_is_judged(home, hardmode):  # noqa: F811
    fine = scenario(home, "fine", "players: 2", "players: 2")
    broken = scenario(home, "broken", "players: [", "players: 2")
    said = hardmode("check", fine, broken)
    assert said.code == 2 and "IDENTICAL     lantern/fine" in said.out and "REFUSED       lantern/broken" in said.out


# -- changed rules: each in a process of its own -------------------------------------------------------------------


@pytest.fixture(scope="module")
def accepted(tmp_path_factory):
    """Both games with baselines of what they play like now."""
    games = copied(tmp_path_factory.mktemp("rules"))
    said = command(games, "accept", "lantern/home", "pig/classic", "--reason", "first", "--games", "6000")
    assert said.code == 0, said
    return games


@pytest.fixture
def changed(accepted, tmp_path):
    def check(game, old, new, *args):
        games = shutil.copytree(accepted, tmp_path / "changed")
        rules, who = games / game / "__init__.py", games / game / "strategies.py"
        edit(rules if old in rules.read_text() else who, old, new)
        name = {"pig": "pig/classic", "lantern": "lantern/home"}[game]
        said = command(games, "check", name, "--json", *args)
        data = json.loads(said.out)
        return said.code, data["scenarios"][0]["findings"][0]
    return check


def test_a_refactoring_is_identical(changed):
    code, found = changed("pig", "table.turn += face", "table.turn = table.turn + face")
    assert (code, found["verdict"], found["changed_since"]) == (0, "IDENTICAL", ["rules"])
    assert found["high"] <= 0.01


def test_a_comment_is_no_change_at_all(changed):
    code, found = changed("pig", "    table.rolls += 1\n", "    # another roll\n    table.rolls += 1\n")
    assert (code, found["verdict"], found["changed_since"]) == (0, "IDENTICAL", [])


def test_a_rule_that_changes_the_game_is_changed(changed):
    code, found = changed("lantern", "table.hearts = 1 + 2", "table.hearts = 2 + 2")
    assert (code, found["verdict"], found["changed_since"]) == (1, "CHANGED", ["rules"])
    assert found["low"] > 0


def test_a_strategy_that_plays_otherwise_is_changed(changed):
    code, found = changed("lantern", "* 4 // 5", "* 2 // 5")
    assert (code, found["verdict"], found["changed_since"]) == (1, "CHANGED", ["strategies"])


def test_a_version_of_the_rules_is_refused(changed):
    code, found = changed("lantern", "version=1", "version=2")
    assert (code, found["verdict"]) == (2, "REFUSED")
    assert "rules version 1, the rules are version 2" in found["said"] and "hardmode accept" in found["said"]


# -- means and quantiles -------------------------------------------------------------------------------------------


def test_means_and_quantiles_of_rounds_and_scores_are_held(home):  # noqa: F811
    name = scenario(home, "lengths", "players: 2\nexpect: {rounds: {mean: 4 .. 9, median: 5 .. 8, 90%: < 4}}")
    found = findings(name, expectations_only=True)
    assert [(f.subject, f.verdict) for f in found] == [
        ("rounds 4 .. 9", "MET"), ("median of rounds 5 .. 8", "MET"), ("90% quantile of rounds < 4", "MISSED")]


def test_a_score_whose_range_is_unknown_needs_many_games(home):  # noqa: F811
    few = scenario(home, "few", 'game: lantern\nexpect: {score: "< 1000"}')
    open_, = findings(few, expectations_only=True, games=1000)
    assert open_.verdict == "INCONCLUSIVE" and "say what it lies `within`" in open_.text
    said = scenario(home, "said", 'game: lantern\nexpect: {score: {mean: "< 900", within: -1000 .. 1000}}')
    assert [f.verdict for f in findings(said, expectations_only=True, games=1000)] == ["MET"]


def test_a_game_beyond_the_range_that_was_said_is_refused(home):  # noqa: F811
    name = scenario(home, "beyond", "expect: {rounds: {mean: 1 .. 3, within: 1 .. 3}}")
    found, = findings(name, expectations_only=True)
    assert found.verdict == "REFUSED" and "expect.rounds.within: is 1 .. 3, and a game has " in found.text


# -- what plays otherwise though nothing is known to have changed --------------------------------------------------


def test_where_an_untouched_cell_plays_otherwise_all_share_alpha(home, monkeypatch):  # noqa: F811
    """No digest tells it: another machine, or a library that is not noted down."""
    still = scenario(home, "still", "sweep: {setup.beast: all}", "sweep: {setup.beast: all}")
    odd = scenario(home, "odd", "rules: {way: 13}", "players: 2")
    monkeypatch.setattr(BaselineCheck, "changed_inputs", ())
    assert prepare_run([still], GateConfig()).n_tests == 0
    run = prepare_run([still, odd], GateConfig())
    assert run.n_tests == len(run.checks) == 4 and {run.make_gate(q).cells for q in run.checks} == {4}
    assert [f.verdict for f in run.evaluate_all()] == ["IDENTICAL"] * 3 + ["CHANGED"]


def test_a_change_names_the_rate_of_its_games_and_that_of_the_whole_baseline(home):  # noqa: F811
    name = scenario(home, "up", "rules: {way: 12}", "players: 2")
    found, = findings(name)
    base = baselines.read_baseline(baselines.locate_baseline(home / "up.yaml"), name)
    judged = found.estimate.n
    assert found.verdict == "CHANGED" and judged < base.games
    first, whole = base.cells[0].won[0, :judged].mean(), base.cells[0].wins / base.games
    assert f"{100 * first:.1f} % -> " in found.text and f" of {judged:,} games" in found.text
    assert f" (in all {base.games:,} accepted games: {100 * whole:.1f} %)" in found.text
