"""The studies that lie beside the shipped scenarios: of this version, with an answer in each part, and settled."""

from pathlib import Path

import pytest

import hardmode
from hardmode.reports.console.uncertainty import list_bands
from hardmode.scenarios.load import load_scenario
from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.report_run.precomputed import (
    FILE_SUFFIX,
    PRECOMPUTED_FIELDS,
    load_expert_win_rate,
    load_precomputed,
)
from hardmode.studies.sensitivity.analysis import MAX_UNSETTLED_SHARE
from hardmode.studies.training.reference_choice import can_choose
from hardmode.studies.uncertainty.design import MIN_PAIRS

STANDARDS = [f"{game}/{contract.load_game(game).standard}" for game in discovery.list_shipped_games()]
REMAKE = "make studies"


def test_no_other_scenario_has_kept_studies():
    folder = Path(hardmode.__file__).parent / "scenarios"
    kept = {f"{file.parent.name}/{file.name.removesuffix(FILE_SUFFIX)}" for file in folder.glob(f"*/*{FILE_SUFFIX}")}
    assert kept == set(STANDARDS)


@pytest.mark.parametrize("name", STANDARDS)
def test_kept_studies_are_of_this_version_and_settled(name):
    stored = load_precomputed(load_scenario(name), 0.95)
    assert stored.seconds, f"{REMAKE}: the studies of {name} are of another version of the rules, boxes or players"
    assert set(stored.studies) == set(PRECOMPUTED_FIELDS) and all(stored.studies.values())
    sensitivity, uncertainty = stored.studies["sensitivity"], stored.studies["uncertainty"]
    assert sensitivity.effects and sensitivity.unsettled_share <= MAX_UNSETTLED_SHARE
    assert sensitivity.significant
    assert uncertainty.band.box_count >= 2 * MIN_PAIRS and uncertainty.singles and uncertainty.groups
    for band in list_bands(uncertainty):
        assert band.is_reproducible, f"another seed may give another band, {band.missing_boxes} boxes are missing"
    assert stored.expert and stored.expert.tally.games >= 100
    rate = load_expert_win_rate(load_scenario(name), 0.95)
    assert rate == estimate_win_rate(stored.expert.tally), "`luck` takes the experts that the page shows"
    assert load_expert_win_rate(load_scenario(name, strategies=["beginner"]), 0.95) is None, "who plays differs"


def test_readings_are_played_by_a_retrained_player_where_no_seats_compete():
    """Vengeance is a game of seats that compete, and its solo challenge is not."""
    chosen = {name: can_choose(with_trained(load_scenario(name).cells[0])) for name in STANDARDS}
    assert chosen == {name: not name.startswith("trapwords/") for name in STANDARDS}
    assert not can_choose(with_trained(load_scenario("vengeance/two-players").cells[0]))
    kept = load_precomputed(load_scenario("vengeance/solo-medium"), 0.95).studies["uncertainty"].leading_readings
    assert "switches.spent_xp_scores" in {reading.path for reading in kept}
