"""Every kind of finding has a game built to have that fault; a sound game has none."""

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console.audit import as_dict, leads
from hardmode.sim.contract import discovery
from hardmode.studies.audit import game_flow, options, random_walks, seats
from hardmode.studies.audit.analysis import TAKEN, audit
from hardmode.studies.audit.findings import KINDS
from hardmode.studies.core.run import Effort
from hardmode.studies.stats import estimates

TOYS = Path(__file__).parent / "toys"
GAMES = 1500
# The fault of the game, how many sit at it, the look that finds it, and what is found.
FAULTS = [
    ("useless", 1, options.worth, {"never-worth-taking"}),
    ("always", 1, options.worth, {"always-worth-taking"}),
    ("unused", 1, options.worth, {"unused-content"}),
    ("dead", 1, options.numbers, {"dead-number"}),
    ("loophole", 1, options.trivial, {"loophole"}),
    ("lost", 1, game_flow.openings, {"lost-opening"}),
    ("won", 1, game_flow.openings, {"won-opening"}),
    ("early", 1, game_flow.early, {"early-loss"}),
    ("decided", 1, game_flow.decisions, {"decided-early"}),
    ("leader", 3, game_flow.decisions, {"decided-early", "uncatchable-leader"}),
    ("limit", 1, seats.length, {"turn-limit"}),
    ("stalling", 1, seats.length, {"stalling", "too-long"}),
    ("first", 3, seats.length, {"first-seat"}),
    ("loop", 1, random_walks.walks, {"loop"}),
    ("out", 3, random_walks.walks, {"knocked-out"}),
    ("king", 3, random_walks.walks, {"kingmaker"}),
    ("jump", 1, seats.settings, {"jump"}),
    ("inverted", 1, seats.settings, {"inverted-setting"}),
    ("punished", 1, seats.rungs, {"punished-rung"}),
]


@pytest.fixture(scope="module", autouse=True)
def toys():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
        yield


def audited(fault, players, *looks, seed=1, games=GAMES):
    from hardmode.scenarios.load import load

    scenario = load("faults/standard", [f"setup.fault={fault}", f"setup.players={players}"])
    return audit(scenario, Effort(seed=seed), games=games, rounds=20, looks=looks)


@pytest.mark.parametrize("fault, players, look, kinds", FAULTS, ids=[f[0] for f in FAULTS])
def test_a_game_with_a_fault_is_found_to_have_it(fault, players, look, kinds):
    found = audited(fault, players, look, games=400 if look is random_walks.walks else GAMES)
    assert kinds <= {f.kind for f in found.findings}
    for f in found.findings:
        assert f.estimate.low <= f.estimate.value <= f.estimate.high and f.kind in found.looked
        assert f"--game {f.game}" in f.command and "--seed 1" in f.command


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("look", [one[0] for one in TAKEN], ids=[one[1] for one in TAKEN])
def test_a_sound_game_has_none(look, players):
    """The target and how hard it is are of a game alone, and say so: with others they are not dead, but not needed."""
    assert audited("none", players, look, games=400).findings == []


def test_what_only_a_clumsy_player_loses_is_no_finding():
    from hardmode.scenarios.load import load

    found = audit(load("run_run_run/standard", players=4), Effort(seed=1), games=1500, looks=(game_flow.early,))
    assert found.findings == [] and found.players == "trained"
    assert "steady loses" in found.asides[0] and "the player's own doing" in found.asides[0]
    assert leads(found) == [f"steady differs: {found.asides[0]}"]


def test_what_is_never_seen_in_play_is_found_though_games_notice_when_it_goes():
    found = audited("unused", 1, options.worth)
    assert any(f.what == "resting hardly ever comes into play" and f.estimate.value == 0 < f.estimate.high < 0.01
               and "--set-b rest=0 --set-b target=13" in f.closer for f in found.findings)
    assert any("card.rose" in f.what and "notices" in f.what for f in found.findings)


def test_what_steady_tells_otherwise_is_said_first():
    found = audited("early", 1, game_flow.early)
    [one] = found.findings
    share = partial(estimates.rate, n=1000, confidence=0.95)
    for steady, disagrees in ((share(900), True), (share(300), False)):
        made = replace(found, findings=[replace(one, estimate=share(300), steady=steady)])
        said = as_dict(made)["findings"][0]
        assert said["steady_disagrees"] is disagrees and said["steady"]["value"] == steady.value
        assert [line.startswith("steady disagrees, in sign or by more than half, on early-loss") for line in leads(
            made)] == [True] * disagrees


def test_every_kind_has_its_test():
    assert set().union(*(kinds for *_, kinds in FAULTS)) == set(KINDS)


@pytest.mark.soak
def test_false_findings_are_rare():
    """Of 60 audits of a sound game at most five in a hundred report anything: 8 of 60 would be one in a hundred."""
    found = sum(bool(audited("none", 1, *(one[0] for one in TAKEN), seed=seed, games=600).findings)
                for seed in range(60))
    print(f"{found} of 60 audits of a sound game report anything")
    assert found < 8


def test_it_is_told_as_json_and_can_be_a_gate(tmp_path, monkeypatch):
    looks = tuple(one for one in TAKEN if one[0] is seats.length)
    monkeypatch.setattr("hardmode.studies.audit.analysis.TAKEN", looks)
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
