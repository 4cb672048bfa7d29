"""Parts of the gate on games that are laid by hand: how many are played, what is compared, what is said."""

import copy
import hashlib
import os
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from playing import pig_engine, play

import hardmode
from hardmode.scenarios.expect import ExpectedAmounts, ExpectedRange
from hardmode.scenarios.schema import Expect
from hardmode.sim.contract import ENDING, WINNERS
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.studies.core.budget import FakeClock, use_clock
from hardmode.studies.gate import accept, baseline_check, baselines, expectation_checks, power, prepare
from hardmode.studies.gate.baseline_check import BaselineCheck, choose_margin, count_sufficient_games, list_looks
from hardmode.studies.gate.baseline_schema import MAX_PAIRED, validate_baseline
from hardmode.studies.gate.baselines import Baseline, BaselineCell, BaselineError
from hardmode.studies.gate.checks import format_difference, format_margin
from hardmode.studies.gate.expectation_checks import ExpectationCheck, OrderCheck, make_expectation_checks
from hardmode.studies.gate.lazy_games import LazyGames, RunCancelledError
from hardmode.studies.gate.power import CellGroup, PowerForecast
from hardmode.studies.gate.run import GateConfig, GateRun, ScenarioChecks, make_refusal
from hardmode.studies.stats.betting_bounds import MeanBounds, QuantileBounds
from hardmode.studies.stats.bounds import PairedBounds, RateBounds, UnpairedBounds
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sequential import Gate, Verdict, plan_looks
from hardmode.studies.stats.verdict_chances import VerdictChances


def pig(**rules):
    return hardmode.load({"game": "pig", "players": 2, "rules": rules}).cells[0]


# Games that are played when they are needed


class CountedPlay:
    """A runner whose games take a time of their own; game n ends with ending n % 2, and is won by seat n % 3."""

    def __init__(self, clock, seconds):
        self.clock, self.seconds, self.blocks = clock, seconds, []

    def play_rows_and_hashes(self, start, stop):
        self.blocks.append((start, stop))
        self.clock.now += self.seconds * (stop - start)
        games = np.arange(start, stop)
        rows = np.zeros((len(pig_engine().game.columns), stop - start), np.int32)
        rows[ENDING], rows[WINNERS] = games % 2, 1 << games % 3
        return rows, games.astype(np.uint64)


def lazily(n, *, seconds=0.001, **how):
    clock = FakeClock()
    games = LazyGames(pig(), 1, **how)
    games._runner = CountedPlay(clock, seconds)
    with use_clock(clock):
        games.play_until(n)
    return games


@pytest.mark.parametrize(
    "seconds, blocks", [(0.001, [(0, 2), (2, 502), (502, 1002), (1002, 1200)]), (1.0, [(0, 2), (2, 4), (4, 5)])]
)
def test_games_are_played_in_blocks_of_half_a_second(seconds, blocks):
    games = lazily(blocks[-1][1], seconds=seconds)
    assert games._runner.blocks == blocks and games.played == blocks[-1][1]
    assert games.seconds == pytest.approx(seconds * games.played)
    games.play_until(3)
    assert games._runner.blocks == blocks


def test_progress_is_told_as_a_share_with_the_pace():
    told = []
    lazily(1000, seconds=0.001, progress=lambda *what: told.append(what))
    assert [round(share, 3) for _, share, _ in told] == [0.002, 0.502, 1.0]
    assert [round(pace) for _, _, pace in told] == [1000] * 3


def test_games_begin_where_they_are_told_to():
    games = lazily(5, seconds=1.0, first_game=10)
    assert games._runner.blocks == [(10, 12), (12, 14), (14, 15)]
    assert games.column("hash", 4).tolist() == [10, 11, 12, 13]
    assert games.column("ending", 3).tolist() == [0, 1, 0]
    assert games.outcome_digest(3) == f"{33:016x}" and games.sum_columns()["ending"] == 2


def test_each_side_wins_its_games():
    games = lazily(6)
    assert games.sides == 2
    assert [games.is_won(6, side).tolist() for side in (0, 1)] == [[True, False, False] * 2, [False, True, False] * 2]
    assert (games.count_wins(4), games.count_wins(4, 1)) == (2, 1)
    games.cell = SimpleNamespace(game=replace(games.cell.game, competitive=False), players=2)
    assert games.sides == 1 and games.count_wins(6) == 6


def test_games_are_those_of_the_engine():
    games = LazyGames(pig(), 5, threads=1)
    rows = play(pig_engine(), 40, seed=5)
    assert games.column("ending", 40).tolist() == rows[ENDING].tolist()
    assert games.column("winners", 40).tolist() == rows[WINNERS].tolist()
    assert games.sum_columns() == dict(zip(games.cell.game.columns, rows.sum(axis=1).tolist(), strict=True))
    engine = games.engine
    assert games.engine is engine
    games.release()
    assert games.column("score", 40).shape == (40,) and games.engine is not engine


def test_games_that_nobody_waits_for_are_not_played():
    stop = SimpleNamespace(is_set=lambda: True)
    with pytest.raises(RunCancelledError):
        LazyGames(pig(), 1, stop=stop).play_until(1)
    LazyGames(pig(), 1, stop=stop).play_until(0)


# Accepting


def test_what_is_accepted_is_named_once():
    assert accept.list_scenarios_to_accept(["b", "a", "b"], False) == ["b", "a"]
    assert "pig/classic" in accept.list_scenarios_to_accept([], True)
    with pytest.raises(BaselineError, match="say which"):
        accept.list_scenarios_to_accept([], False)


@pytest.mark.parametrize(
    "requested, before, own, seed", [(0, 5, 7, 0), (None, 0, 7, 0), (None, None, 0, 0), (None, None, None, 1)]
)
def test_the_seed_is_the_first_that_somebody_names(requested, before, own, seed):
    baseline = None if before is None else SimpleNamespace(seed=before)
    assert accept._choose_seed(requested, baseline, SimpleNamespace(seed=own)) == seed


@pytest.mark.parametrize(
    "seconds, requested, games",
    [
        (1e-5, None, (20_000, 2_000)),
        (1e-4, None, (20_000, 2_000)),
        (2e-4, None, (20_000, 1_000)),
        (2e-3, None, (5_000, 100)),
        (2.1e-3, None, (2_000, 50)),
        (0.03, None, (500, 5)),
        (0.04, None, (500, 5)),
        (0.0405, None, (200, 2)),
        (0.05, None, (200, 2)),
        (2.0, None, (20, 2)),
        (1e-4, 3_000, (3_000, 2_000)),
        (1e-4, 100, (100, 100)),
        (2.0, 1, (1, 1)),
    ],
)
def test_the_games_of_a_baseline_follow_from_their_pace(monkeypatch, seconds, requested, games):
    """Ten seconds of games, but 500 if they take no more than twenty, and never fewer than twenty."""
    monkeypatch.setattr(accept, "_measure_seconds_per_game", lambda trial: seconds / 2)
    scenario = SimpleNamespace(cells=[pig(), pig()])
    assert accept._choose_games(scenario, 1, 1, requested, None) == games
    before = SimpleNamespace(cells=[0, 0], games=777, quick=55)
    assert accept._choose_games(scenario, 1, 1, None, before) == (777, 55)
    assert accept._choose_games(scenario, 1, 1, 777, before) == (777, 55)
    assert accept._choose_games(scenario, 1, 1, requested, SimpleNamespace(cells=[0], games=777, quick=55)) == games
    if requested:
        assert accept._choose_games(scenario, 1, 1, requested, before) == games


class Trial:
    """Games of which the first ones take long, as they are compiled."""

    def __init__(self, seconds):
        self.pace, self.seconds, self.asked = seconds, 0.0, []

    def play_until(self, n):
        self.asked.append(n)
        self.seconds = 5.0 + self.pace * n


@pytest.mark.parametrize(
    "pace, asked",
    [(0.0001, [2, 4, 8, 16, 32, 64, 128, 256, 512]), (0.125, [2, 4, 8]), (0.25, [2, 4]), (0.2, [2, 4, 8])],
)
def test_the_pace_is_measured_for_half_a_second_without_the_first_games(pace, asked):
    trial = Trial(pace)
    assert accept._measure_seconds_per_game(trial) == pytest.approx(pace) and trial.asked == asked


def test_the_games_within_a_time_are_a_round_number():
    assert [accept._count_games_within(0.5, s) for s in (0.25, 0.125, 0.1, 0.01, 0.005, 1e-9, 1.0)] == [
        2,
        2,
        5,
        50,
        100,
        20_000,
        2,
    ]


def test_numbers_of_games_are_one_two_and_five_times_a_power_of_ten():
    series = [2, *(n * 10**power for power in range(1, 4) for n in (0.5, 1, 2)), 5_000, 10_000, 20_000]
    assert [accept._count_games_within(n, 1.0) for n in series] == series == list(accept.GAME_COUNTS)
    assert [accept._count_games_within(n - 1, 1.0) for n in series[1:]] == series[:-1]


def test_the_winners_of_twenty_thousand_games_are_kept():
    found = accept._make_baseline_cell(LazyGames(pig(target=10), 3, threads=1), 20_010, [])
    assert found.won.shape == (2, 20_000) and found.wins >= found.won[0].sum() and sum(found.endings.values()) == 20_010


OWN_BOX = "game: pig\n.source: public\n.from: our table\ntarget: 30\n"


@pytest.fixture
def scenario(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("game: pig\nplayers: 2\nrules: {target: 20}\n")
    return file


def test_a_scenario_is_accepted_anew_only_if_something_changed(scenario, monkeypatch):
    shares = []
    first = accept.accept_scenario(
        str(scenario), " the \n first", games=70, threads=1, progress=lambda text, share, pace: shares.append(share)
    )
    before = first.after
    assert (first.status, first.before, before.reason, before.box) == ("new", None, "the first", "") and shares[-1] == 1
    assert first.path == scenario.parent / "baselines" / "mine.baseline" and first.path.read_text().count("seal") == 2
    assert (before.game, before.seed, before.games, before.looks, before.title) == ("pig", 1, 70, (70,), before.title)
    assert set(before.cells[0].outcomes) == {str(before.quick), "70"} and "scheme" not in before.made_by
    monkeypatch.setattr(accept, "_measure_seconds_per_game", lambda trial: pytest.fail("its pace is known"))
    again = accept.accept_scenario(str(scenario), "again", threads=1)
    assert (again.status, again.after, again.before.reason) == ("unchanged", again.before, "the first")
    monkeypatch.setattr(accept, "_measure_seconds_per_game", lambda trial: 1.0)
    more = accept.accept_scenario(str(scenario), "more", games=80, seed=9, threads=1)
    assert (more.status, more.after.games, more.after.seed, more.before.games) == ("accepted anew", 80, 9, 70)
    assert accept.accept_scenario(str(scenario), "more", threads=1).after.seed == 9
    with pytest.raises(BaselineError, match="needs a reason"):
        accept.accept_scenario(str(scenario), " ")


def test_the_baseline_of_ones_own_box_names_it(scenario):
    box = scenario.parent / "wide.yaml"
    box.write_text(OWN_BOX)
    found = accept.accept_scenario(str(scenario), "first", games=20, threads=1, box=box)
    assert found.after.box == "wide.yaml" and found.path.name == "mine+wide.baseline"


def test_a_cell_of_a_baseline_holds_what_was_played():
    cell = pig()
    games = LazyGames(cell, 3, threads=1)
    found = accept._make_baseline_cell(games, 50, [10, 50])
    rows = play(pig_engine(), 50, seed=3)
    wins = [int((rows[WINNERS] == 1 << seat).sum()) for seat in range(2)]
    assert found.wins == wins[0] and found.win_percent == 2 * wins[0]
    assert found.seats == {"seat 1": wins[0], "seat 2": wins[1]} and sum(found.endings.values()) == 50
    assert found.won.shape == (2, 50) and found.won.sum(axis=1).tolist() == wins
    assert found.outcomes == {"10": games.outcome_digest(10), "50": games.outcome_digest(50)}
    assert list(found.means) == ["rounds", "score 1", "score 2", "rolls"]
    assert found.means["rounds"] == round(rows[1].sum() / 50, 4) and found.plays == ["steady", "steady"]
    assert found.games_per_second == float(f"{found.games_per_second:.2g}") > 0
    few, won = accept._make_baseline_cell(LazyGames(cell, 3, threads=1), 7, []), int((rows[WINNERS, :7] == 1).sum())
    assert 0 < won < 7 and few.win_percent == float(f"{100 * won / 7:.2f}")
    assert few.means["rounds"] == float(f"{rows[1, :7].sum() / 7:.4f}")
    for seconds, pace in ((4.0, 12.0), (7.0, 7.1), (0.0, 5e10)):  # 12.5 and 7.14 to two digits
        games.seconds = seconds
        assert accept._make_baseline_cell(games, 50, []).games_per_second == pace


def test_numbers_of_a_player_are_its_weights_its_search_and_its_mistakes():
    player = SimpleNamespace(weights=(1.0, 2.0), rollout_budget=8, mistake_rate=0.0)
    assert accept._list_numbers(player) == [[1.0, 2.0], 8]
    player.mistake_rate = 0.1
    assert accept._list_numbers(player) == [[1.0, 2.0], 8, 0.1]
    assert accept.label_to_plain({"a": (1, 2), "b": "x"}) == {"a": [1, 2], "b": "x"}


# Checks against a baseline


class Laid:
    """Games whose winners are laid by hand, a row for each seat; the first n of them have a digest of their own."""

    def __init__(self, won, digest="other", label=None):
        self.won = np.atleast_2d(np.array(won, bool))
        self.cell = SimpleNamespace(label=label or {}, label_text="")
        self.digest, self.seconds, self.released, self.asked = digest, 1.5, 0, 0

    played = property(lambda self: self.asked)
    sides = property(lambda self: len(self.won))

    def release(self):
        self.released += 1

    def is_won(self, n, side=0):
        self.asked = max(self.asked, n)
        return self.won[side, :n]

    def count_wins(self, n, side=0):
        return int(self.is_won(n, side).sum())

    def outcome_digest(self, n):
        return f"{self.digest} {n}"


def baseline_of(won, paired, looks=None, quick=10):
    """A baseline of these games, of which the winners of the first are kept."""
    won = np.atleast_2d(np.array(won, bool))
    looks = looks or plan_looks(paired)
    seats = {f"seat {i + 1}": int(row.sum()) for i, row in enumerate(won)} if len(won) > 1 else {}
    outcomes = {str(n): f"same {n}" for n in (*looks, quick)}
    cell = BaselineCell(
        "", {}, [], 0.0, int(won[0].sum()), {}, seats, {}, 100.0, {"rules": "r"}, outcomes, won[:, :paired]
    )
    return Baseline(
        "x", "x", "x", 1, "x", "x", "x", 1, won.shape[1], quick, looks, {"hardmode": "0", "numpy": "9"}, (cell,)
    )


def check_of(base, games, fresh=None, margin=0.01, kind=BaselineCheck, **more):
    return kind(
        scenario="x",
        cell="",
        label={},
        subject="baseline",
        baseline=base,
        accepted=base.cells[0],
        games=games,
        fresh_games=fresh or Laid(games.won),
        looks=list_looks(base, None),
        margin=margin,
        **more,
    )


class Unchanged(BaselineCheck):
    changed_inputs, libraries = (), ()


class Changed(BaselineCheck):
    changed_inputs, libraries = ("rules",), ("numpy 9 -> 10",)


def test_the_margin_is_the_smallest_that_the_games_can_show():
    assert choose_margin((500,), 0.05, 0.3) == 0.3
    for looks in ((100,), (20, 60), (700,), (2000,)):
        gate = Gate(looks=looks)
        margin, level = choose_margin(looks, 0.05, None), gate.error_levels(len(looks) - 1)[1]
        assert PairedBounds(looks[-1], 0, 0).is_within(-margin, margin, level)
        narrower = margin - 0.005
        assert narrower < 0.01 or not PairedBounds(looks[-1], 0, 0).is_within(-narrower, narrower, level)
    assert choose_margin((2000,), 0.05, None) == 0.01 and choose_margin((1,), 0.05, None) == 0.995


def test_the_games_that_suffice_are_the_first_look_that_shows_the_margin():
    looks = plan_looks(5000)
    found = count_sufficient_games(looks, 0.05, 0.01)
    gate = Gate(looks=looks)
    shows = [PairedBounds(n, 0, 0).is_within(-0.01, 0.01, gate.error_levels(i)[1]) for i, n in enumerate(looks)]
    assert found == looks[shows.index(True)] and not shows[0]
    assert count_sufficient_games((20, 40), 0.05, 0.01) == 40
    for margin in (0.02, 0.05):
        shows = [PairedBounds(n, 0, 0).is_within(-margin, margin, gate.error_levels(i)[1]) for i, n in enumerate(looks)]
        assert count_sufficient_games(looks, 0.05, margin) == looks[shows.index(True)] < looks[-1]


def test_looks_first_take_the_games_whose_winners_are_known():
    base = baseline_of(np.zeros(6000), 1000, (400, 600, 1000))
    assert list_looks(base, 100) == (100,) and list_looks(base, 600) == (400, 600)
    assert list_looks(base, 999) == (400, 600) and list_looks(base, 1000) == (400, 600, 1000)
    assert list_looks(base, 1300) == (400, 600, 1000, 1300)
    assert list_looks(base, None) == (400, 600, 1000, *(1000 + n for n in plan_looks(5000)))


def test_pairs_are_compared_game_by_game():
    base = baseline_of([1, 1, 1, 0, 0, 0, 1, 0], 8, (4, 8))
    games = Laid([1, 0, 1, 1, 1, 0, 0, 0])
    assert check_of(base, games).compute_bounds(4) == PairedBounds(4, 1, 1, 2)
    assert check_of(base, games).compute_bounds(8) == PairedBounds(8, 2, 2, 4)
    assert check_of(base, Laid(base.cells[0].won)).compute_bounds(4) == PairedBounds(4, 0, 0, 1)  # another measure
    assert check_of(base, Laid(base.cells[0].won, "same")).compute_bounds(4) == PairedBounds(4, 0, 0, 0)


def test_games_beyond_the_pairs_are_compared_with_all_of_the_baseline():
    base = baseline_of([[1, 0, 0, 0, 1, 1], [0, 1, 1, 1, 0, 0]], 4, (4,))
    check = check_of(base, Laid([[1, 1, 0, 0], [0, 0, 1, 1]]), Laid([[1, 1, 1], [0, 0, 0]]))
    assert check.compute_bounds(6) == UnpairedBounds(2, 2, 3, 6)
    assert check.compute_bounds(5, 1) == UnpairedBounds(0, 1, 3, 6) and check.compute_bounds(4, 1) == PairedBounds(
        4, 0, 1, 1
    )
    assert check.judged_sides == 2 and check.game_sources == (check.games, check.fresh_games)


def test_few_games_show_that_nothing_changed():
    base = baseline_of(np.zeros(100), 100, (50, 100), quick=80)
    for sufficient, games in ((50, 50), (100, 80), (60, 80), (0, 80)):
        assert check_of(base, Laid(np.zeros(100)), sufficient_games=sufficient).quick_games == games
    same = check_of(base, Laid(np.zeros(100), "same"), kind=Unchanged)
    found = same.evaluate(Gate(looks=(50, 100)))
    assert same.reproduces_baseline and (found.verdict, found.estimate.n, found.flips) == ("IDENTICAL", 80, (0, 0))
    assert found.text == "80 games end as accepted in every measure" and found.estimate.confidence == 1
    assert ends(found.estimate) == (0, 0) and found.rates == (0.0, 0.0) and found.seconds == 3.0
    assert not check_of(base, Laid(np.zeros(100)), kind=Unchanged).reproduces_baseline
    assert not check_of(base, Laid(np.zeros(100), "same"), kind=Changed).reproduces_baseline
    short = check_of(base, Laid(np.zeros(100), "same"), kind=Unchanged)
    short.looks = (50,)
    assert not short.reproduces_baseline and not short.games.released
    short.looks = (80,)
    assert short.reproduces_baseline and short.games.asked == 0
    assert check_of(baseline_of(np.zeros(100), 100, (1, 100), quick=80), Laid(np.zeros(100))).quick_games == 80


def test_a_check_frees_all_its_games():
    check = check_of(baseline_of(np.zeros(100), 100), Laid(np.zeros(100)), Laid(np.zeros(100)))
    check.release()
    assert (check.games.released, check.fresh_games.released) == (1, 1)


def ends(estimate):
    return estimate.low, estimate.high


def test_what_has_changed_is_named(monkeypatch):
    base = baseline_of(np.zeros(50), 50)
    monkeypatch.setattr(baseline_check, "collect_versions", lambda: {"hardmode": "1", "numpy": "10"})
    assert check_of(base, Laid(np.zeros(50))).libraries == ("numpy 9 -> 10",)
    monkeypatch.setattr(baseline_check, "collect_versions", lambda: {"hardmode": "1"})
    assert check_of(base, Laid(np.zeros(50))).libraries == ("numpy 9 -> not installed",)
    for now, names in (
        ({"rules": "r"}, ()),
        ({"rules": "s"}, ("rules",)),
        ({"rules": "r", "scenario": "t"}, ("scenario",)),
        ({"rules": "r", "box": "b", "scenario": "t"}, ("box",)),
    ):
        monkeypatch.setattr(baseline_check, "compute_digests", lambda cell, now=now: now)
        assert check_of(base, Laid(np.zeros(50))).changed_inputs == names
    monkeypatch.setattr(baseline_check, "collect_versions", lambda: {"numpy": "9"})
    monkeypatch.setattr(baseline_check, "compute_digests", lambda cell: {"rules": "r"})
    assert check_of(base, Laid(np.zeros(50))).inputs_unchanged


def test_a_finding_tells_rates_flips_and_games():
    was, now = np.zeros(2000, bool), np.zeros(2000, bool)
    was[:800], now[:1200], now[:20] = True, True, False
    found = check_of(baseline_of(was, 2000, (1000, 2000)), Laid(now), kind=Changed).evaluate(Gate(looks=(1000, 2000)))
    assert (found.verdict, found.flips, found.rates) == ("CHANGED", (200, 20), (0.8, 0.98))
    assert (found.games, found.margin, found.seconds) == (1000, 0.01, 3.0)
    assert found.text.startswith("+18.00 points (+") and found.text.endswith(
        "), 80.0 % -> 98.00 %, 200 gained and 20 lost of 1,000 games (in all 2,000 accepted games: 40.0 %)"
    )
    assert found.changed_inputs == ("rules",) and found.libraries == ("numpy 9 -> 10",)


def test_a_finding_against_the_tally_says_so():
    was = np.resize([True, False], 4000)
    check = check_of(baseline_of(was, 500, (500,)), Laid(was[:500]), Laid(np.ones(4000)), margin=0.001, kind=Changed)
    found = check.evaluate(Gate(margin=0.001, looks=check.looks))
    assert found.verdict == "CHANGED" and found.flips is None and found.rates == (0.5, 1.0)
    n = found.estimate.n
    assert f"50.0 % -> 100.00 %, {n:,} games against the tally of 4,000, margin 0.1 points" in found.text
    assert found.games == check.games.played + n


def test_the_worst_seat_is_told():
    was = np.array([np.resize([1, 0, 0], 900), np.resize([0, 1, 0], 900), np.resize([0, 0, 1], 900)], bool)
    now = was.copy()
    now[2, :300], now[1, :300] = True, False
    base = baseline_of(was, 900, (900,))
    found = check_of(base, Laid(now), margin=0.5, kind=Changed).evaluate(Gate(margin=0.01, looks=(900,)))
    assert found.verdict == "CHANGED" and found.text.startswith("seat 3, of all 3: +22.22 points")
    still = check_of(base, Laid(was, "same"), margin=0.5, kind=Changed).evaluate(Gate(margin=0.5, looks=(900,)))
    assert still.verdict == "IDENTICAL" and still.text.startswith("900 games end as accepted in every measure: within ")
    assert still.text.endswith(", margin 50 points")


def test_margins_and_differences_in_words():
    assert [format_margin(m) for m in (0.01, 0.025, 0.1, 0.0001)] == [
        "1 point",
        "2.5 points",
        "10 points",
        "0.01 points",
    ]
    assert format_difference(Estimate(-0.012, -0.02, 0.004, 9)) == "-1.20 points (-2.00 .. +0.40)"


# Expectations


def amounts(**columns):
    """Games with these columns."""
    games = Laid(columns.get("won", [1, 0]))
    games.cell = SimpleNamespace(
        label={}, label_text="", game=SimpleNamespace(all_endings=("a", "b", "cap"), max_rounds=50)
    )
    games.column = lambda name, n: np.array(columns[name])[:n]
    return games


BAND = ExpectedRange(0.4, 0.6, text="40% .. 60%")


def test_each_expectation_counts_its_games():
    games = amounts(won=[1, 1, 0, 1], rounds=[4, 9, 30, 2], score=[3, 5, -2, 5], ending=[0, 1, 2, 1])
    expect = Expect.model_validate(
        {
            "win_rate": "40% .. 60%",
            "rounds": {"mean": "4 .. 9", "median": "< 9", "90%": "4 .. 12"},
            "score": "> 3",
            "score_target": {"score": 5, "rate": "> 40%"},
            "endings": {"b": "< 5%"},
        }
    )
    found = {name: bounds(3) for name, _, bounds in expectation_checks._list_bands(expect, games)}
    assert list(found) == [
        "win rate",
        "rounds",
        "median of rounds",
        "90% quantile of rounds",
        "score",
        "score 5 or more",
        "ending b",
    ]
    assert found["win rate"] == RateBounds(2, 3) and found["ending b"] == RateBounds(1, 3)
    assert found["score 5 or more"] == RateBounds(1, 3)
    assert (found["rounds"].low, found["rounds"].high, found["rounds"].values.tolist()) == (0, 50, [4, 9, 30])
    assert (found["score"].low, found["score"].high) == (-np.inf, np.inf)
    assert found["median of rounds"] == QuantileBounds({4: 1, 9: 1, 30: 1}, 0.5)
    assert found["90% quantile of rounds"].q == 0.9


def test_the_range_of_an_amount_is_what_the_scenario_or_the_game_says():
    def found(name, within, most):
        games = amounts(**{name: [2, most]})
        return expectation_checks._find_range(name, ExpectedAmounts(within=within), games, 2)

    assert found("rounds", None, 50) == (0, 50) and found("rounds", None, 51) == (-np.inf, np.inf)
    assert found("score", None, 5) == (-np.inf, np.inf)
    assert found("score", ExpectedRange(2, 9), 9) == (2, 9)
    for within, amount in ((ExpectedRange(3, 9), 2), (ExpectedRange(2, 8), 9)):
        with pytest.raises(ScenarioError, match=f"a game has {amount}"):
            found("score", within, 9)


def expected(games, band, bounds, looks=(100, 1000)):
    return ExpectationCheck(
        scenario="x", cell="", label={}, subject="win rate", looks=looks, band=band, games=games, bounds_of_first=bounds
    )


def test_an_expectation_is_told_with_its_value():
    games = Laid(np.resize([1, 0], 1000))
    found = expected(games, BAND, lambda n: RateBounds(games.count_wins(n), n)).evaluate(Gate(looks=(100, 1000)))
    assert (found.verdict, found.games, found.seconds) == ("MET", 1000, 1.5)
    assert found.text.startswith("50.0 % (4") and found.text.endswith(") in 1,000 games")
    used_up = expected(games, BAND, lambda n: RateBounds(games.count_wins(n), n)).evaluate(Gate(looks=(20, 40)))
    assert used_up.verdict == "INCONCLUSIVE" and used_up.text.endswith(" in 40 games; they are used up")
    values = np.resize([4, 6], 1000)
    mean = expected(games, ExpectedRange(4.5, 5.5), lambda n: MeanBounds(values[:n], 0, 9)).evaluate(
        Gate(looks=(1000,))
    )
    assert mean.verdict == "MET" and mean.text.startswith("5.00 (4.") and "within" not in mean.text
    open_ = expected(games, ExpectedRange(4.5, 5.5), lambda n: MeanBounds(values[:n])).evaluate(Gate(looks=(1000,)))
    assert "its range unknown in fewer than 2,000 games: say what it lies `within`" in open_.text
    counts = {4: 498, 5: 4, 6: 498}
    median = expected(games, ExpectedRange(4, 6), lambda n: QuantileBounds(counts, 0.5)).evaluate(Gate(looks=(1000,)))
    assert median.text.startswith("5 (4 .. 6) in 1,000 games") and games.released == 0


def test_an_order_compares_neighbours_on_the_same_games():
    best, middle, worst = (Laid(np.resize(x, 1000)) for x in ([1, 1, 1, 0], [1, 0, 1, 0], [0, 0, 1, 0]))
    check = OrderCheck(scenario="x", cell="", label={}, subject="order", looks=(1000,), cells=[best, middle, worst])
    assert check.compare_neighbours(8) == [PairedBounds(8, 2, 0), PairedBounds(8, 2, 0)]
    found = check.evaluate(Gate(looks=(1000,)))
    assert (found.verdict, found.games, found.seconds) == ("MET", 1000, 4.5) and check.game_sources == [
        best,
        middle,
        worst,
    ]
    assert found.text.startswith("75.0 %, 50.0 %, 25.0 %; the smallest step +25.00 points (")
    assert found.text.endswith(" in 1,000 games of each")
    with pytest.raises(AssertionError):
        expectation_checks._judge_looks(Gate(looks=(3,)), lambda look, games: None)


def test_every_cell_has_its_checks_and_an_order_has_one():
    ending = pig().game.endings[0]
    expect = {"win_rate": "40% .. 60%", "endings": {ending: "> 1%"}, "order": "40 > 50"}
    scenario = hardmode.load({"game": "pig", "players": 2, "sweep": {"target": [40, 50]}, "expect": expect})
    cells = [LazyGames(cell, 1) for cell in scenario.cells]
    found = list(make_expectation_checks("x", scenario.expect, cells, 1125))
    assert [(check.cell, check.subject.partition(" ")[0]) for check in found] == [
        ("target 40", "win"),
        ("target 40", "ending"),
        ("target 50", "win"),
        ("target 50", "ending"),
        ("", "order"),
    ]
    assert {check.looks for check in found} == {(500, 750, 1125)} and found[-1].cells == cells
    assert found[0].judged_sides == 1 and not found[0].inputs_unchanged and not found[0].reproduces_baseline


# A run


class Stub:
    """A check whose answer is known."""

    scenario, cell, label, looks, margin, game_sources = "x", "c", {"a": 1}, (10,), 0.02, ()

    def __init__(self, sides=1, unchanged=False, same=False, error=None):
        self.judged_sides, self.inputs_unchanged, self.same, self.error = sides, unchanged, same, error
        self.released, self.gates = 0, []

    @property
    def reproduces_baseline(self):
        if self.error:
            raise self.error
        return self.same

    def evaluate(self, gate):
        if self.error:
            raise self.error
        self.gates.append(gate)
        return make_refusal("x", BaselineError("it is a stub"))

    def release(self):
        self.released += 1


def run_of(*checks, expect=None, **config):
    return GateRun(
        GateConfig(threads=1, **config), [ScenarioChecks(SimpleNamespace(expect=expect), None, list(checks))]
    )


def test_checks_that_chance_cannot_get_wrong_need_no_share():
    same = Stub(2, True, True)
    assert run_of(same, Stub(3), Stub()).n_tests == 4 and same.released == 2
    assert run_of(same, Stub(3), Stub()).max_tests == 6
    assert run_of(same, Stub(3), Stub(1, True, False)).n_tests == 6, "one plays otherwise, so that all count"
    assert run_of(Stub(1, True, True)).n_tests == 0
    assert run_of(same, Stub(1, True, error=BaselineError("no"))).n_tests == 3


def test_the_gate_of_a_check_has_the_errors_of_the_run():
    a_run = run_of(Stub(2), Stub(), alpha=0.02, beta=0.1)
    assert a_run.make_gate(a_run.checks[0]) == Gate(0.02, 0.1, 0.02, (10,), 3)
    assert a_run.make_gate(a_run.checks[0], 7).cells == 7
    assert run_of(Stub(1, True, True)).make_gate(Stub()).cells == 1


def test_findings_come_in_order_and_errors_are_refused():
    checks = [Stub(), Stub(error=BaselineError("x: it is broken")), Stub()]
    a_run = run_of(*checks)
    a_run.refused.append(make_refusal("y", BaselineError("gone"), "cell", {"b": 2}))
    assert (a_run.refused[0].games, a_run.refused[0].seconds, a_run.refused[0].estimate) == (0, 0, None)
    found = list(a_run.evaluate_all())
    assert [(f.scenario, f.cell, f.verdict, f.text, f.label) for f in found] == [
        ("y", "cell", "REFUSED", "gone", {"b": 2}),
        ("x", "", "REFUSED", "it is a stub", {}),
        ("x", "c", "REFUSED", "it is broken", {"a": 1}),
        ("x", "", "REFUSED", "it is a stub", {}),
    ]
    assert [len(check.gates) for check in checks] == [1, 0, 1] and {g.cells for g in checks[0].gates} == {3}
    assert all(check.released for check in checks)
    assert a_run.evaluate_check(checks[0], 5).text == "it is a stub" and checks[0].gates[-1].cells == 5
    a_run.evaluate_check(checks[0])
    assert checks[0].gates[-1].cells == 3
    alone = Stub()
    cancelled = run_of(alone)
    cancelled.stop.set()
    assert len(list(cancelled.evaluate_all())) == 1 and alone.gates[0].cells == 1 and not cancelled.stop.is_set()


def test_checks_of_the_same_games_run_one_after_the_other():
    checks = [Stub(), Stub()]
    assert ScenarioChecks(SimpleNamespace(expect=None), None, checks).independent_groups == [[checks[0]], [checks[1]]]
    assert ScenarioChecks(SimpleNamespace(expect="some"), None, checks).independent_groups == [checks]


def test_threads_are_given_to_the_games(monkeypatch):
    sources = [SimpleNamespace(threads=None)]
    check = Stub()
    check.game_sources = sources
    a_run = GateRun(GateConfig(threads=3), [ScenarioChecks(SimpleNamespace(expect=None), None, [check])])
    monkeypatch.setattr("hardmode.sim.play.cores.count_cores", lambda: 3)
    seen = []
    check.evaluate = lambda gate: seen.append(sources[0].threads) or make_refusal("x", BaselineError(""))
    list(a_run.evaluate_all())
    assert seen == [3] and sources[0].threads == 3
    a_run.config = GateConfig(threads=0)
    list(a_run.evaluate_all())
    assert seen == [3, 3] and sources[0].threads == 0, "as it was asked for"


@pytest.mark.parametrize(("cores", "cells", "threads"), [(4, 2, 2), (4, 3, 1), (2, 3, 1), (5, 2, 2), (1, 2, 1)])
def test_cells_that_play_at_the_same_time_share_the_threads(monkeypatch, cores, cells, threads):
    monkeypatch.setattr("hardmode.sim.play.cores.count_cores", lambda: cores)
    checks, seen = [Stub() for _ in range(cells)], []
    for check in checks:
        check.game_sources = [SimpleNamespace(threads=None), SimpleNamespace(threads=None)]
        check.evaluate = lambda gate, check=check: (
            seen.extend(games.threads for games in check.game_sources) or make_refusal("x", BaselineError(""))
        )
    a_run = run_of(*checks)
    a_run.config = GateConfig(threads=0)
    list(a_run.evaluate_all())
    assert seen == [threads] * 2 * cells
    assert {games.threads for check in checks for games in check.game_sources} == {0}


def test_a_run_judges_by_default_as_the_guide_says():
    assert GateConfig() == GateConfig(0.01, 0.05, None, None, False, 0, None)


def cells_of(*targets):
    return hardmode.load({"game": "pig", "players": 2, "sweep": {"target": list(targets)}})


def test_cells_that_differ_from_the_accepted_ones_are_named():
    def compared(targets, accepted):
        cells = tuple(SimpleNamespace(label={"target": t}, cell=f"target {t}") for t in accepted)
        return prepare._compare_cells(cells_of(*targets), SimpleNamespace(cells=cells))

    assert compared((40, 50), (40, 50)) == [] and compared((40, 50), (50, 40)) == ["another order"]
    assert compared((40, 50, 60), (40, 50)) == ["target 60 has no baseline"]
    assert compared((40, 50), (40, 50, 70)) == ["target 70 of the baseline is gone"]
    many = compared((1, 2, 3, 4, 5), (11, 12, 13, 14, 15))
    assert many == [
        *(f"target {t} has no baseline" for t in (1, 2, 3)),
        *(f"target {t} of the baseline is gone" for t in (11, 12, 13)),
    ]


# The forecast


def chances(difference, changed, games):
    return VerdictChances(difference, changed, 1 - changed, 0.0, games, 1000, 0.0)


def test_the_cost_of_a_run_is_that_of_all_its_cells():
    gates = [Gate(looks=(500, 1000)), Gate(looks=(300,))]
    groups = [
        CellGroup(("a",), 3, 5, gates[0], [chances(0.0, 0.01, 900), chances(0.05, 0.9, 400)], 0.02),
        CellGroup(("b",), 2, 4, gates[1], [chances(0.0, 0.02, 300), chances(0.05, 0.9, 250)], 0.5),
    ]
    found = PowerForecast(GateRun(GateConfig()), 0.1, groups, [], 0, 0.0)
    assert found.total_cost(0.05) == pytest.approx((3 * 400 + 2 * 250, (3 * 400 * 0.02 + 2 * 250 * 0.5) / 60))
    assert found.total_cost(0.0)[0] == 3300 and found.total_cost(0.3) == (0, 0)
    assert found.largest_cost == pytest.approx((3600, (3000 * 0.02 + 600 * 0.5) / 60))
    assert found.false_alarm == pytest.approx(5 * 0.01 + 4 * 0.02) and found.refused == []
    often = [replace(groups[0], rows=[chances(0.0, 0.5, 900)])]
    assert replace(found, groups=often).false_alarm == 1.0


def test_cells_are_judged_alike_where_nothing_tells_their_chances_apart():
    paired = [check_of(baseline_of(won, 100), Laid(won)) for won in (np.zeros(100), np.ones(100))]
    assert power._group_key(paired[0]) == power._group_key(paired[1])
    more = [check_of(baseline_of(won, 60), Laid(won)) for won in (np.zeros(100), np.ones(100))]
    assert power._group_key(more[0]) != power._group_key(more[1]) != power._group_key(paired[0])
    for name, value in (("margin", 0.5), ("looks", (7,))):
        other = check_of(baseline_of(np.zeros(100), 100), Laid(np.zeros(100)))
        setattr(other, name, value)
        assert power._group_key(other) != power._group_key(paired[0])


def test_a_forecast_adds_up_checks_of_one_kind():
    checks = [check_of(baseline_of(np.zeros(100), 100, quick=30), Laid(np.zeros(100))) for _ in range(2)]
    seated = check_of(baseline_of([[1, 0] * 50, [0, 1] * 50], 100, quick=20), Laid([[1, 0] * 50, [0, 1] * 50]))
    checks[1].scenario, checks[1].accepted = "y", replace(checks[1].accepted, games_per_second=50.0)
    a_run = run_of(*checks, seated)
    found = power.forecast_power(a_run, 0.1)
    (group,) = found.groups
    assert (group.scenarios, group.cells, group.sides, group.gate.cells) == (("x", "y"), 3, 4, 4)
    assert group.seconds_per_game == pytest.approx((1 / 100 + 1 / 50 + 1 / 100) / 3)
    assert found.quick_games == 80 and found.quick_minutes == pytest.approx((30 / 100 + 30 / 50 + 20 / 100) / 60)
    assert [row.difference for row in group.rows] == [0.0, 0.01, 0.02, 0.05] and found.flips == 0.1
    lone = power.compute_cell_chances(group.gate, 0.02, 0.1, 100, 0, 100)
    assert group.rows[2] == lone and lone.error == 0


def test_a_simulated_forecast_is_what_the_games_give():
    """One look at pairs and one at 200 other games; what is won by pairs alone is counted exactly."""
    gate, gained, lost, rate = Gate(alpha=0.3, beta=0.3, margin=0.2, looks=(30, 230)), 0.3, 0.1, 0.5
    stops = power._simulate_stops(gate, 0.2, 0.4, 30, rate, 500)
    law = np.random.default_rng(8).multinomial(30, [gained, lost, 1 - gained - lost], 50_000)
    within, changed = gate.check_zones(0, PairedBounds(30, law[:, 0], law[:, 1]))
    assert stops[0] == pytest.approx((within.mean(), (changed & ~within).mean()), abs=0.012)
    draw = np.random.default_rng(9)
    both = draw.binomial(30 - law[:, 0] - law[:, 1], (rate - lost) / (1 - gained - lost))
    base = law[:, 1] + both + draw.binomial(470, rate, 50_000)
    late = gate.check_zones(1, UnpairedBounds(draw.binomial(200, rate + 0.2, 50_000), 200, base, 500))
    is_open = ~(within | changed)
    assert stops[1] == pytest.approx(((late[0] & is_open).mean(), (late[1] & ~late[0] & is_open).mean()), abs=0.012)
    assert 0.05 < stops[1].sum()


def test_simulated_gates_see_every_game_once(monkeypatch):
    """Where every game flips, or all are won, the numbers are no matter of chance."""
    monkeypatch.setattr(power, "SIMULATIONS", 7)
    seen = []

    def check_zones(look, bounds):
        seen.append(copy.deepcopy(bounds))
        return np.zeros(7, bool), np.zeros(7, bool)

    gate = SimpleNamespace(looks=(5, 12, 20, 50), check_zones=check_zones)
    assert not power._simulate_stops(gate, 0.25, 1.0, 12, 0.5, 100).any()
    assert [b.games for b in seen] == [5, 12, 8, 38] and all((b.gained + b.lost == b.games).all() for b in seen[:2])
    assert [b.base_games for b in seen[2:]] == [100, 100]
    seen.clear()
    power._simulate_stops(gate, 0.0, 0.0, 12, 1.0, 100)
    assert not (seen[1].gained + seen[1].lost).any() and (seen[3].wins == 38).all() and (seen[2].base_wins == 100).all()


def test_a_lone_cell_is_a_group():
    (group,) = power.forecast_power(run_of(check_of(baseline_of(np.zeros(100), 100), Laid(np.zeros(100)))), 0.1).groups
    assert (group.cells, group.sides, group.gate.cells) == (1, 1, 1)


def test_a_rate_that_leaves_no_room_for_flips_is_moved(monkeypatch):
    monkeypatch.setattr(power, "SIMULATIONS", 1000)
    gate = Gate(alpha=0.3, beta=0.3, margin=0.2, looks=(30, 230))
    for difference, rate, moved in ((0.0, 0.0, 0.2), (0.0, 1.0, 0.8), (0.2, 0.0, 0.1), (0.2, 1.0, 0.7)):
        found, wanted = (power._simulate_stops(gate, difference, 0.4, 30, r, 500) for r in (rate, moved))
        assert (found == wanted).all() and found.sum() > 0


def test_expectations_of_known_rates_are_foreseen():
    won = np.resize([1, 0, 1, 1], 400)
    base = baseline_of(won, 400)
    base = replace(base, cells=(replace(base.cells[0], endings={"good": 100, "bad": 300}),))
    check = check_of(base, Laid(won))
    band = ExpectedRange(0.6, 0.9, text="60% .. 90%")
    for subject, count in (
        ("win rate 60% .. 90%", 300),
        ("ending good 60% .. 90%", 100),
        ("ending bad 60% .. 90%", 300),
        ("rounds 60% .. 90%", None),
    ):
        asked = expected(Laid(won), band, None, (400,))
        asked.subject = subject
        assert power._find_accepted_count(asked, check) == count
        found = power._forecast_expectation(run_of(Stub(3)), asked, check)
        assert found.rate == (count / 400 if count is not None else None)
        if count is None:
            assert found.met == found.missed == found.games == 0
        assert found.met > 0.9 if count == 300 else found.met < 0.01
        assert (found.missed > 0.9) == (count == 100) and (found.games == 400) == (count is not None)
    assert power._forecast_expectation(run_of(), asked, None).rate is None


def test_the_winners_of_a_baseline_agree_with_its_wins():
    won = np.array([1, 0, 1, 1], bool)
    data = {
        "cell": "",
        "label": {},
        "plays": [],
        "win_percent": 75.0,
        "wins": 3,
        "endings": {},
        "means": {},
        "games_per_second": 1.0,
        "digests": {},
    }
    for wins, games, fits in ((3, 4, True), (2, 4, False), (4, 4, False), (4, 5, True), (5, 5, False), (3, 5, True)):
        content = {**data, "wins": wins, "first_games": {"outcomes": {}, "won": [baselines.pack_bits(won)]}}
        if fits:
            assert baselines._make_cell(content, 4, games).count_wins_of_side(0) == wins
        else:
            with pytest.raises(ValueError, match=f"{wins} wins do not agree"):
                baselines._make_cell(content, 4, games)


def test_packed_bits_have_lines_of_a_hundred_columns():
    won = np.random.default_rng(1).random(5000) < 0.5
    text = baselines.pack_bits(won)
    assert {len(line) for line in text.splitlines()[:-1]} == {100} and (baselines.unpack_bits(text, 5000) == won).all()
    for n in (4992, 5001, 5008):
        with pytest.raises(ValueError, match=f"not those of {n} games"):
            baselines.unpack_bits(text, n)


def test_a_baseline_may_be_that_of_two_scenarios(tmp_path):
    file = tmp_path / "baselines" / "a+b.baseline"
    assert baselines.locate_baseline(tmp_path / "a.yaml", tmp_path / "b.yaml") == file
    assert baselines.list_possible_scenarios(file) == [tmp_path / "a+b.yaml", tmp_path / "a.yaml"]
    assert baselines.list_possible_scenarios(tmp_path / "baselines" / "a.baseline") == [tmp_path / "a.yaml"]


@pytest.mark.parametrize(
    "value, text",
    [
        (True, "true"),
        (False, "false"),
        ({"a b": [1, 2.5], "c": 'x"\x7f'}, '{"a b" = [1, 2.5], c = "x\\"\\u007f"}'),
        (("é",), '["é"]'),
    ],
)
def test_values_in_toml(value, text):
    assert baselines._to_toml(value) == text


def test_verdicts_are_those_of_the_first_look_that_settles():
    looked = []

    def judge(look, games):
        looked.append((look, games))
        return Verdict("MET", Estimate(0, 0, 0, games), look) if look else None

    assert expectation_checks._judge_looks(Gate(looks=(3, 9, 20)), judge).games == 9 and looked == [(0, 3), (1, 9)]


# The text of a baseline


WON = np.array([np.resize([1, 0, 0, 0], 30), np.resize([0, 1, 1, 0], 30)], bool)


def whole_baseline(**changes):
    """A baseline of 30 games, of the first 20 of which the winners are kept."""
    wins = [int(row.sum()) for row in WON]
    cell = BaselineCell(
        "target 40",
        {"target": 40},
        ["steady", "steady"],
        round(100 * wins[0] / 30, 2),
        wins[0],
        {"first": 20, "second": 10},
        {"seat 1": wins[0], "seat 2": wins[1]},
        {"rounds": 4.5},
        12.0,
        {"rules": "r"},
        {"10": "aa", "20": "bb", "30": "cc", "5": "dd"},
        WON[:, :20],
    )
    base = Baseline("x", "X", "pig", 2, "s", "why", "2026-01-02", 7, 30, 5, (10, 20), {"numpy": "9"}, (cell,))
    return replace(base, **changes)


def read_back(text):
    return baselines.parse_baseline(text, "x")


def test_a_baseline_is_read_as_it_was_written():
    text = baselines.format_baseline(whole_baseline())
    found = read_back(text)
    assert baselines.format_baseline(found) == text and (found.cells[0].won == WON[:, :20]).all() and found.paired == 20
    assert "\nbox = " not in text and found.box == ""
    boxed = baselines.format_baseline(whole_baseline(box="wide.yaml"))
    assert '\nbox = "wide.yaml"' in boxed and read_back(boxed).box == "wide.yaml"
    assert [found.cells[0].count_wins_of_side(side) for side in (0, 1)] == [8, int(WON[1].sum())]
    alone = replace(found.cells[0], seats={}, won=WON[:1, :20])
    assert alone.count_wins_of_side(0) == 8
    assert read_back(baselines.format_baseline(replace(found, cells=(alone,)))).cells[0].seats == {}


def test_a_date_a_reason_and_a_pace_are_no_content():
    base = whole_baseline()
    cells = (replace(base.cells[0], games_per_second=99.0),)
    assert replace(base, date="2027-01-01", reason="other", cells=cells).content() == base.content()
    assert replace(base, seed=8).content() != base.content()


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("win_percent = 26.67", "win_percent = 26.665", ""),
        ("win_percent = 26.67", "win_percent = 26.68", "win_percent is 26.68; 8 wins are 26.67"),
        ("win_percent = 26.67", "win_percent = 26.65", "win_percent is"),
        ("win_percent = 26.67", "win_percent = 101", "win_percent must be"),
        ("win_percent = 26.67", "win_percent = -1", "win_percent must be"),
        ("games_per_second = 12.0", "games_per_second = 0.000001", ""),
        ("games_per_second = 12.0", "games_per_second = 0", "games_per_second must be at least 1e-06"),
        ("games_per_second = 12.0", "games_per_second = -1", "games_per_second"),
        ("games_per_second = 12.0", "games_per_second = inf", "games_per_second must be a finite number"),
        ("win_percent = 26.67", "win_percent = nan", "win_percent must be a finite number"),
        ("wins = 8", "wins = 31", "cells.0..wins|31 wins in 30 games"),
        ('"seat 2" = 15', '"seat 2" = 31', "31 wins in 30 games"),
        ("first = 20", "first = 21", "endings are of 31 games, not of 30"),
        ("quick = 5", "quick = 30", ""),
        ("quick = 5", "quick = 31", "quick must be at most games, 30"),
        ("quick = 5", "quick = 0", "quick must be at least 1"),
        ("quick = 5", "quick = 6", "no outcome digest of 6 games"),
        ("quick = 5", "quick = 1", "no outcome digest of 1 games"),
        ("looks = [10, 20]", "looks = [20]", ""),
        ("looks = [10, 20]", "looks = [20, 10]", "looks must ascend"),
        ("looks = [10, 20]", "looks = [20, 20]", "looks must ascend"),
        ("looks = [10, 20]", "looks = [20, 30]", "winners of the first games are not those of 30"),
        ("looks = [10, 20]", "looks = [20, 31]", "looks must be at most games, 30"),
        ("looks = [10, 20]", "looks = []", "looks"),
        ("looks = [10, 20]", "looks = [0, 20]", "looks.0. must be at least 1"),
        ("seed = 7", f"seed = {2**64 - 1}", ""),
        ("seed = 7", "seed = -1", "seed must be at least 0"),
        ("seed = 7", f"seed = {2**64}", "seed must be at most"),
        ("version = 2", "version = 0", ""),
        ("version = 2", f"version = {10**15}", ""),
        ("version = 2", f"version = {10**15 + 1}", "version must be at most"),
        ("version = 2", "version = -1", "version must be at least 0"),
        ("schema = 1", "schema = 2", "schema must be 1"),
        ('date = "2026-01-02"', 'date = "soon"', "Invalid isoformat"),
        ("rounds = 4.5", "rounds = inf", "rounds must be a finite number"),
        ("rounds = 4.5", "rounds = 4.5\nturns = nan", "turns must be"),
        ('10 = "aa"', '10 = "xx"', "outcomes.10"),
        ('10 = "aa"', f'10 = "{"a" * 64}"', ""),
        ('10 = "aa"', f'10 = "{"a" * 65}"', "outcomes.10"),
        ('10 = "aa"', '11 = "aa"', "no outcome digest of 10 games"),
        ('10 = "aa"', '010 = "aa"', "outcomes"),
        ("title = ", "mood = 1\ntitle = ", "mood is no key of a baseline"),
        ('[cells.seats]\n"seat 1" = 8\n"seat 2" = 15\n', "", "holds the winners of 2 sides; it has 1"),
    ],
)
def test_every_number_of_a_baseline_is_checked(old, new, said):
    body = baselines.format_baseline(whole_baseline()).rpartition(baselines.END_OF_BODY)[0]
    assert old in body
    changed = body.replace(old, new, 1)
    text = f'{changed}{baselines.END_OF_BODY}{baselines.compute_seal(changed)}"\n'
    if not said:
        assert read_back(text).games == 30
        return
    with pytest.raises(BaselineError, match=f"x: not a baseline that this version reads: .*({said})"):
        read_back(text)


@pytest.mark.parametrize("wins", [0, 30])
def test_a_side_may_win_all_games_or_none(wins):
    data = tomllib.loads(baselines.format_baseline(whole_baseline()).partition(baselines.END_OF_BODY)[0])
    data["cells"][0] |= {"wins": wins, "win_percent": 100.0 * wins / 30, "seats": {"seat 1": wins, "seat 2": wins}}
    assert validate_baseline(data).cells[0].wins == wins


def test_a_look_takes_at_most_as_many_games_as_a_file_holds_winners_of():
    text = baselines.format_baseline(whole_baseline())
    for last, is_allowed in ((MAX_PAIRED, True), (MAX_PAIRED + 1, False)):
        data = tomllib.loads(text.partition(baselines.END_OF_BODY)[0])
        data |= {"games": last, "looks": [10, last]}
        data["cells"][0] |= {"endings": {"first": last}, "win_percent": 0.0}
        data["cells"][0]["first_games"]["outcomes"][str(last)] = "dd"
        if is_allowed:
            assert validate_baseline(data).looks[-1] == 10_000_000
        else:
            with pytest.raises(ValueError, match=r"looks\[1\] must be at most 10000000"):
                validate_baseline(data)


def test_the_seal_is_half_of_a_sha256():
    assert baselines.compute_seal("x") == hashlib.sha256(b"x").hexdigest()[:32]


def test_an_edited_or_foreign_text_is_refused():
    text = baselines.format_baseline(whole_baseline())
    for other in (text.replace("games = 30", "games = 31", 1), text[:-40], ""):
        with pytest.raises(BaselineError, match="x: digest mismatch"):
            read_back(other)
    deep = "a = " + "[" * 5000
    with pytest.raises(BaselineError, match="x: not a baseline: it is nested too deeply"):
        read_back(f'{deep}{baselines.END_OF_BODY}{baselines.compute_seal(deep)}"\n')


def test_a_file_that_cannot_be_read_is_told_why(tmp_path):
    with pytest.raises(BaselineError, match=r'^no baseline; hardmode accept a b --reason "\.\.\." records one$'):
        baselines.read_baseline(tmp_path / "none.baseline", "a b")
    (tmp_path / "bytes.baseline").write_bytes(b"\xff")
    with pytest.raises(BaselineError, match=r"bytes.baseline: cannot be read: "):
        baselines.read_baseline(tmp_path / "bytes.baseline", "x")
    os.mkfifo(tmp_path / "pipe.baseline")
    with pytest.raises(BaselineError, match=r"pipe.baseline: cannot be read: it is not an ordinary file"):
        baselines.read_baseline(tmp_path / "pipe.baseline", "x")
    (tmp_path / "huge.baseline").touch()
    os.truncate(tmp_path / "huge.baseline", 1_000_000_001)
    with pytest.raises(BaselineError, match=r"cannot be read: it is too large .*; the most is 1,000,000,000\)$"):
        baselines.read_baseline(tmp_path / "huge.baseline", "x")


def test_a_baseline_is_written_into_its_folder(tmp_path):
    path = tmp_path / "baselines" / "x.baseline"
    baselines.check_baseline_writable(path)
    assert not path.parent.exists()
    baselines.write_baseline(path, whole_baseline())
    assert baselines.read_baseline(path, "x").games == 30
    baselines.check_baseline_writable(path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file is a file; give a folder"):
        baselines.check_baseline_writable(tmp_path / "file" / "x.baseline")
    path.write_text("a letter")
    with pytest.raises(OutputError):
        baselines.check_baseline_writable(path)


# Preparing a run


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """Two scenarios of Pig that stand for all that are shipped."""
    files = {}
    for name in ("one", "two"):
        files[f"pig/{name}"] = tmp_path / f"{name}.yaml"
        files[f"pig/{name}"].write_text("game: pig\nplayers: 2\nrules: {target: 20}\n")
    monkeypatch.setattr(prepare, "list_scenario_files", lambda: dict(files))
    load = prepare.load_scenario
    monkeypatch.setattr(prepare, "load_scenario", lambda name, **how: load(str(files.get(name, name)), **how))
    return files


def accepted(file, games=60):
    return accept.accept_scenario(str(file), "first", games=games, threads=1).path


def test_without_names_all_that_have_a_baseline_are_judged(shipped):
    none = prepare.prepare_run([], GateConfig())
    assert [f.text.partition(";")[0] for f in none.refused] == [
        "no shipped scenario has a baseline"
    ] and not none.checks
    accepted(shipped["pig/one"])
    one = prepare.prepare_run([], GateConfig())
    assert len(one.checks) == 1 and one.notes == ["1 shipped scenario has no baseline"] and not one.refused
    accepted(shipped["pig/two"])
    both = prepare.prepare_run([], GateConfig())
    assert len(both.checks) == 2 and both.notes == []
    shipped["pig/one"].with_name("three.yaml").write_text("")
    (shipped["pig/one"].parent / "baselines" / "gone.baseline").write_text("")
    (found,) = prepare.prepare_run([], GateConfig()).refused
    assert found.text == "its scenario is gone; remove the baseline" and found.scenario.endswith("gone.baseline")
    (boxed,) = prepare.prepare_run([], GateConfig(box=Path("x.yaml"))).refused
    assert boxed.text == "say which scenarios are played with this box"


def test_two_scenarios_without_a_baseline_are_counted(shipped):
    accepted(shipped["pig/one"])
    shipped["pig/three"] = shipped["pig/two"].with_name("three.yaml")
    shipped["pig/three"].write_text("game: pig\nplayers: 2\n")
    prepared = prepare.prepare_run([], GateConfig())
    assert len(prepared.checks) == 1 and prepared.notes == ["2 shipped scenarios have no baseline"]


def test_names_are_judged_once_and_those_without_anything_to_judge_are_refused(shipped):
    accepted(shipped["pig/one"])
    found = prepare.prepare_run(["pig/one", str(shipped["pig/one"]), "pig/two", "pig/one"], GateConfig())
    assert len(found.scenarios) == len(found.checks) == 1
    assert [(f.scenario, f.verdict) for f in found.refused] == [("pig/two", "REFUSED")]
    assert (
        "no baseline; hardmode accept" in found.refused[0].text
        and 'two.yaml --reason "..." records one' in found.refused[0].text
    )
    (nothing,) = prepare.prepare_run(["pig/one"], GateConfig(expectations_only=True)).refused
    assert nothing.text == "it has no `expect:`, so there is nothing to hold it to"
    (all_,) = prepare.prepare_run([], GateConfig(expectations_only=True)).refused
    assert all_.text == "nothing is expected of any shipped scenario" and all_.scenario == "all shipped"


def test_ones_own_box_is_noted_and_has_a_baseline_of_its_own(shipped):
    box = shipped["pig/one"].with_name("wide.yaml")
    box.write_text(OWN_BOX)
    (refused,) = prepare.prepare_run(["pig/one"], GateConfig(box=box)).refused
    assert refused.text.endswith(f'one.yaml --box {box} --reason "..." records one')
    accept.accept_scenario(str(shipped["pig/one"]), "first", games=60, threads=1, box=box)
    found = prepare.prepare_run(["pig/one"], GateConfig(box=box))
    assert (
        len(found.checks) == 1
        and len(found.notes) == 1
        and "wide" in found.notes[0]
        and " is played " in found.notes[0]
    )


@pytest.mark.parametrize("own, seed", [("", 1), ("seed: 7\n", 7), ("seed: 0\n", 0)])
def test_the_seed_of_an_expectation_is_that_of_the_scenario(shipped, own, seed):
    shipped["pig/one"].write_text(f"game: pig\nplayers: 2\n{own}expect: {{win_rate: 40% .. 60%}}\n")
    (check,) = prepare.prepare_run(["pig/one"], GateConfig(expectations_only=True)).checks
    assert check.games.seed == seed


@pytest.mark.parametrize(
    "own, config, baseline, budget",
    [
        ("", {}, 0, 20_000),
        ("games: 700\n", {}, 0, 700),
        ("games: 700\n", {"games": 90}, 0, 90),
        ("games: 700\n", {}, 60, 60),
        ("", {"games": 90}, 60, 90),
    ],
)
def test_the_games_of_an_expectation(shipped, own, config, baseline, budget):
    shipped["pig/one"].write_text(f"game: pig\nplayers: 2\n{own}expect: {{win_rate: 40% .. 60%}}\n")
    if baseline:
        accepted(shipped["pig/one"], baseline)
    found = prepare.prepare_run(["pig/one"], GateConfig(expectations_only=not baseline, **config))
    assert found.checks[-1].looks[-1] == budget and len(found.checks) == 1 + bool(baseline)
    assert found.checks[-1].games.seed == 1
    assert all(source._stop is found.stop for check in found.checks for source in check.game_sources)


def test_a_check_has_the_games_of_its_baseline(shipped):
    path = accepted(shipped["pig/one"], 60)
    base = baselines.read_baseline(path, "x")
    (check,) = prepare.prepare_run(["pig/one"], GateConfig()).checks
    assert (check.games.first_game, check.fresh_games.first_game, check.games.seed) == (0, 60, base.seed)
    assert check.margin == choose_margin((60,), 0.05, None) and check.looks == (60,)
    assert check.sufficient_games == count_sufficient_games((60,), 0.05, check.margin) and check.subject == "baseline"
    (wide,) = prepare.prepare_run(["pig/one"], GateConfig(margin=0.2, games=40)).checks
    assert wide.margin == 0.2 and wide.looks == (40,)


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"game": "hog"}, "the baseline is of the game hog, the scenario of pig"),
        ({"scheme": "old"}, "drawn by scheme old, this version draws by"),
        ({"version": 9}, "of rules version 9, the rules are version"),
        ({"cells": ()}, "the cells are not those accepted: the one cell has no baseline"),
        ({}, ""),
    ],
)
def test_what_cannot_be_compared_is_refused(shipped, changes, said):
    base = baselines.read_baseline(accepted(shipped["pig/one"]), "x")
    scenario = prepare.load_scenario("pig/one")
    if not said:
        prepare._check_comparable(scenario, base)
        return
    with pytest.raises(BaselineError, match=f"{said}.*; hardmode accept "):
        prepare._check_comparable(scenario, replace(base, **changes))


def test_other_sides_than_accepted_are_refused(shipped):
    base = baselines.read_baseline(accepted(shipped["pig/one"]), "x")
    cells = (replace(base.cells[0], won=base.cells[0].won[:1]),)
    with pytest.raises(BaselineError, match="the number of sides that can win is 2, and 1 in the baseline"):
        list(
            prepare._make_baseline_checks(
                prepare.load_scenario("pig/one"),
                replace(base, cells=cells),
                [LazyGames(pig(), 1)],
                GateRun(GateConfig()),
            )
        )
