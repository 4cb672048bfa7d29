"""Turning points: Pig by its chain, toys of which it is known what decides them, and every game by its command."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from playing import pig_engine
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.sim.contract import discovery
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices
from hardmode.studies.core.run import make_engine
from hardmode.studies.game_flow.position_rollouts import DECISION, LUCK
from hardmode.studies.game_flow.turning_points import find_turning_points
from tests.oracles.pig import chance, hold_at_20

TOYS = Path(__file__).parent / "toys"
SURE = 0.9999  # of each interval that is held against a known answer
GAMES = [("run_run_run/quick", 1), ("woodlands/solo", 1), ("trapwords/standard", 2),
         ("vengeance/two-players", 2), ("pig/classic", 2)]


@pytest.fixture(scope="module", autouse=True)
def toys():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
        yield


def tosses(rule, strategy, number=0, **how):
    from hardmode.scenarios.load import load_scenario

    cell = load_scenario("tosses/standard", [f"setup.rule={rule}"], strategies=[strategy]).cells[0]
    return find_turning_points(make_engine(cell), 1, number, 1, threads=1, confidence=SURE, **how)


@pytest.mark.parametrize("number", range(4))
def test_one_die_that_decides_all_is_told_as_luck_where_it_falls(number):
    found = tosses("die", "steady", number)
    [turn] = found.swings
    assert (turn.step, turn.kind) == (1, LUCK)
    assert found.win_rates[0][0].low < 2 / 3 < found.win_rates[0][0].high
    end = found.win_rates[1][0].value
    assert end in (0, 1) and turn.change.low < end - 2 / 3 < turn.change.high and turn.after == end


def test_a_blunder_is_told_as_a_decision():
    found = tosses("whim", "beginner")
    [turn] = found.swings
    assert (turn.step, turn.kind, turn.better_option, turn.before) == (1, DECISION, 1, 0)
    assert turn.change.low < 0.5 < turn.change.high
    assert [e[0].value for e in found.win_rates] == [0, 0]


def test_what_was_dealt_can_be_the_turning_point():
    """Two cards of the set-up that must agree decide all: before anybody moves it is over."""
    for number in range(4):
        found = tosses("deal", "steady", number)
        [turn] = found.swings
        assert (turn.step, turn.kind) == (0, LUCK) and turn.after == found.win_rates[0][0].value
        assert found.win_rates[0][0].value in (0, 1) and turn.change.low < turn.after - 0.5 < turn.change.high


def chances(made, number):
    """The first seat's exact chance at every step of a game of Pig, and when each option is taken there."""
    worlds, desk, found = Determinizer(made, 1), Workspace(made.game), []
    script, row = choices(made, desk, 1, number)
    for step in range(len(script)):
        worlds.seek(desk, number, script, step)
        t = desk.tables.view(np.ndarray)[0]
        scores, seat, turn = t["score"].tolist(), int(t["seat"]), int(t["turn"])
        held = [scores[0] + turn * (seat == 0), scores[1] + turn * (seat == 1)]
        hold = float(held[0] >= 100) if max(held) >= 100 else chance(hold_at_20, hold_at_20, held, 1 - seat)
        faces = [chance(hold_at_20, hold_at_20, scores, seat, turn + face) for face in range(2, 7)]
        roll = (chance(hold_at_20, hold_at_20, scores, 1 - seat) + sum(faces)) / 6
        found.append((chance(hold_at_20, hold_at_20, scores, seat, turn), (roll, hold)))
    return [*found, (float(int(row[2]) & 1), ())], script


def exact(known, script, swing):
    """What a swing is by the chain, for its seat."""
    if swing.kind == DECISION:
        options = known[swing.step - 1][1]
        mine = options[swing.better_option] - options[int(script[swing.step - 1])]
    else:
        before = known[swing.step - 1][1][int(script[swing.step - 1])] if swing.step else known[0][0]
        mine = known[swing.step][0] - before
    return mine if swing.view == 0 else -mine


def test_the_odds_of_pig_lie_within_their_intervals():
    made, held = pig_engine("steady", "steady"), []
    for number in range(3):
        found, (known, _) = find_turning_points(made, 1, number, 2, threads=1), chances(made, number)
        assert len(found.win_rates) == len(known)
        for (one, two), (truth, _) in zip(found.win_rates, known, strict=True):
            held += [one.low - 1e-9 <= truth <= one.high + 1e-9, two.low - 1e-9 <= 1 - truth <= two.high + 1e-9]
    assert len(held) > 200 and np.mean(held) > 0.9


@pytest.mark.soak
def test_swings_that_were_chosen_for_their_size_are_told_without_bias():
    """Over many games what is told is on average what the chain says, and lies in its interval as often as it says."""
    made, off, held = pig_engine("steady", "steady"), [], []
    for number in range(150):
        found, (known, script) = find_turning_points(made, 1, number, 2, playouts=60), chances(made, number)
        for swing in found.swings:
            truth = exact(known, script, swing)
            off.append((swing.change.value - truth) * np.sign(truth))
            held.append(swing.change.low <= truth <= swing.change.high)
    error = np.std(off) / len(off) ** 0.5
    assert len(off) > 500 and abs(np.mean(off)) < 3.5 * error < 0.006
    assert np.mean(held) > 0.92


def command(*words):
    return CliRunner().invoke(app, ["replay", *words])


@pytest.mark.parametrize("name, seats", GAMES)
def test_odds_are_added_to_every_step_and_turns_to_the_last(name, seats):
    plain = json.loads(command(name, "--json").stdout)
    done = command(name, "--json", "--odds", "--playouts", "40")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    for step in told:
        odds = step.pop("odds")
        assert set(odds) == {"rate", "low", "high"} and 0 <= odds["low"] <= odds["rate"] <= odds["high"] <= 1
        if seats > 1:
            by_seat = step.pop("odds_by_seat")
            assert [o["seat"] for o in by_seat] == list(range(1, seats + 1)) and by_seat[0]["rate"] == odds["rate"]
    turns, _ = told[-1].pop("turns"), told[-1].pop("playouts")
    assert told == plain and len(turns) <= 5
    for turn in turns:
        assert turn["kind"] in ("luck", "decision") and 0 <= turn["step"] < len(plain) - 1 and turn["told"]
        assert turn["low"] <= turn["swing"] <= turn["high"] and (turn["kind"] == "luck") == ("better" not in turn)
        assert turn["swing"] == pytest.approx(turn["after"] - turn["before"], abs=1e-9)
    assert odds["rate"] == odds["low"] == odds["high"] == (1 in plain[-1]["winners"])


def test_the_command_tells_it_in_words_and_draws_it(tmp_path):
    file = tmp_path / "odds.svg"
    for _ in range(2):  # what hardmode drew it may write over
        done = command("trapwords/standard", "--odds", "--playouts", "40", "-o", str(file))
        assert done.exit_code == 0, done.output
    assert "turning point 1" in done.output and "seat 1" in done.output and "1. step" in done.output
    assert "drawn by hardmode" in file.read_text() and "chance to win" in file.read_text()
    other = tmp_path / "mine.svg"
    other.write_text("<svg/>")
    refused = command("trapwords/standard", "--odds", "-o", str(other))
    assert "not a picture that hardmode wrote" in str(refused.exception) and other.read_text() == "<svg/>"
    assert command("trapwords/standard", "--svg", str(file)).exit_code == 2
    assert command("trapwords/standard", "--odds", "--playouts", "3").exit_code == 2
