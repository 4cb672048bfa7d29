"""Every kind of finding has a game built to have that fault; a sound game has none."""

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console.audit import describe_disagreements
from hardmode.reports.json.audit import build_audit_answer
from hardmode.sim.contract import discovery
from hardmode.studies.audit import game_flow, options, random_walks, seats, settings
from hardmode.studies.audit.analysis import CHECKS, audit_game
from hardmode.studies.audit.findings import KINDS
from hardmode.studies.core.run import Effort
from hardmode.studies.stats import estimates

TOYS = Path(__file__).parent / "toys"
GAMES = 1500
# The fault of the game, how many sit at it, the look that finds it, and what is found.
FAULTS = [
    ("useless", 1, options.check_options, {"never-worth-taking"}),
    ("always", 1, options.check_options, {"always-worth-taking"}),
    ("unused", 1, options.check_options, {"unused-content"}),
    ("dead", 1, options.check_numbers, {"dead-number"}),
    ("loophole", 1, options.check_loopholes, {"loophole"}),
    ("lost", 1, game_flow.check_openings, {"lost-opening"}),
    ("won", 1, game_flow.check_openings, {"won-opening"}),
    ("early", 1, game_flow.check_early_losses, {"early-loss"}),
    ("decided", 1, game_flow.check_decision_points, {"decided-early"}),
    ("leader", 3, game_flow.check_decision_points, {"decided-early", "uncatchable-leader"}),
    ("limit", 1, seats.check_length, {"turn-limit"}),
    ("stalling", 1, seats.check_length, {"stalling", "too-long"}),
    ("first", 3, seats.check_length, {"first-seat"}),
    ("loop", 1, random_walks.check_random_walks, {"loop"}),
    ("out", 3, random_walks.check_random_walks, {"knocked-out"}),
    ("king", 3, random_walks.check_random_walks, {"kingmaker"}),
    ("jump", 1, settings.check_settings, {"jump"}),
    ("inverted", 1, settings.check_settings, {"inverted-setting"}),
    ("punished", 1, seats.check_skill_levels, {"punished-rung"}),
]


@pytest.fixture(scope="module", autouse=True)
def toys():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
        yield


def audited(fault, players, *looks, seed=1, games=GAMES):
    from hardmode.scenarios.load import load_scenario

    scenario = load_scenario("faults/standard", [f"setup.fault={fault}", f"setup.players={players}"])
    return audit_game(scenario, Effort(seed=seed), games=games, rounds=20, checks=looks)


@pytest.mark.parametrize("fault, players, look, kinds", FAULTS, ids=[f[0] for f in FAULTS])
def test_a_game_with_a_fault_is_found_to_have_it(fault, players, look, kinds):
    found = audited(fault, players, look, games=400 if look is random_walks.check_random_walks else GAMES)
    assert kinds <= {f.kind for f in found.findings}
    for f in found.findings:
        assert f.estimate.low <= f.estimate.value <= f.estimate.high and f.kind in found.checked_kinds
        assert f"--game {f.game}" in f.command and "--seed 1" in f.command


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("look", [one[0] for one in CHECKS], ids=[one[1] for one in CHECKS])
def test_a_sound_game_has_none(look, players):
    """The target and how hard it is are of a game alone, and say so: with others they are not dead, but not needed."""
    assert audited("none", players, look, games=400).findings == []


def test_what_only_a_clumsy_player_loses_is_no_finding():
    from hardmode.scenarios.load import load_scenario

    scenario = load_scenario("run_run_run/standard", players=4)
    found = audit_game(scenario, Effort(seed=1), games=1500, checks=(game_flow.check_early_losses,))
    assert found.findings == [] and found.players == "trained"
    assert "steady loses" in found.notes[0] and "a weakness of the player" in found.notes[0]
    assert describe_disagreements(found) == [f"steady differs: {found.notes[0]}"]


def test_what_is_never_seen_in_play_is_found_though_games_notice_when_it_goes():
    found = audited("unused", 1, options.check_options)
    assert any(f.message == "resting hardly ever comes into play" and f.estimate.value == 0 < f.estimate.high < 0.01
               and "--set-b rest=0 --set-b target=13" in f.followup_command for f in found.findings)
    assert any("card.rose" in f.message and "changes none of" in f.message for f in found.findings)


def test_what_steady_tells_otherwise_is_said_first():
    found = audited("early", 1, game_flow.check_early_losses)
    [one] = found.findings
    share = partial(estimates.wilson_rate, n=1000, confidence=0.95)
    for steady, disagrees in ((share(900), True), (share(300), False)):
        made = replace(found, findings=[replace(one, estimate=share(300), steady_estimate=steady)])
        said = build_audit_answer(made).findings[0]
        assert said.steady_disagrees is disagrees and said.steady.value == steady.value
        assert [line.startswith("steady disagrees, in sign or by more than half, on early-loss")
                for line in describe_disagreements(
            made)] == [True] * disagrees


def test_every_kind_has_its_test():
    assert set().union(*(kinds for *_, kinds in FAULTS)) == set(KINDS)


@pytest.mark.soak
def test_false_findings_are_rare():
    """Of 60 audits of a sound game at most five in a hundred report anything: 8 of 60 would be one in a hundred."""
    found = sum(bool(audited("none", 1, *(one[0] for one in CHECKS), seed=seed, games=600).findings)
                for seed in range(60))
    print(f"{found} of 60 audits of a sound game report anything")
    assert found < 8


def test_it_is_told_as_json_and_can_be_a_gate(tmp_path, monkeypatch):
    looks = tuple(one for one in CHECKS if one[0] is seats.check_length)
    monkeypatch.setattr("hardmode.studies.audit.analysis.CHECKS", looks)
    asked = ["audit", "faults/standard", "--set", "setup.fault=limit", "--games", "1500", "--json"]
    done = CliRunner().invoke(app, asked)
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["looked_at"] == ["turn-limit", "stalling"]
    found = told["findings"][0]
    assert set(found) >= {"kind", "what", "size", "low", "high", "game", "command"} and found["kind"] == "turn-limit"
    junit = tmp_path / "audit.xml"
    assert CliRunner().invoke(app, [*asked, "--fail-on", "turn-limit", "--junit", str(junit)]).exit_code == 1
    assert 'failures="1"' in junit.read_text() and "turn-limit" in junit.read_text()
    assert CliRunner().invoke(app, [*asked, "--fail-on", "stalling"]).exit_code == 0
    page = tmp_path / "page"
    assert CliRunner().invoke(app, [*asked[:-1], "-o", str(page)]).exit_code == 0
    assert "limit of 200 decisions" in (page / "index.html").read_text()
