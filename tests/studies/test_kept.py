"""Studies kept beside a scenario: read back as they were, shown while they are true, and no longer."""

import gzip
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.studies.core.budget import FakeClock, use_clock
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run import codec, precompute, precomputed, runner
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, PerturbedParameter
from hardmode.studies.stats.estimates import Estimate
from tests.reports.toy import making


@pytest.fixture(scope="module", autouse=True)
def _toy():
    with making.toy():
        yield


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    file = tmp_path_factory.mktemp("kept") / "mine.yaml"
    file.write_text("game: lantern\ntitle: Mine\n")
    made = load_scenario(str(file))
    precompute.precompute_studies(made, 4.0, ignore_progress, Effort(8000, threads=1))
    return made


def test_what_is_kept_is_read_back_and_not_played_again(scenario):
    stored = precomputed.load_precomputed(scenario, 0.95)
    sensitivity, luck = stored.studies["sensitivity"], stored.studies["luck"]
    assert stored.seconds == 4.0
    assert precomputed.load_precomputed_uncertainty(scenario).parameters == stored.studies["uncertainty"].parameters
    assert sensitivity.cell.game is scenario.game and sensitivity.effects[0].games > 0
    found = runner.play_report(scenario, Effort(100, threads=1), None, ignore_progress)
    assert list(found.skill_levels) == [
        r for r in ("random", "beginner", "steady", "trained", "expert") if r in found.skill_levels
    ]
    assert found.precomputed_seconds == 4.0
    assert codec.encode_study(found.sensitivity) == codec.encode_study(sensitivity)
    assert codec.encode_study(found.luck) == codec.encode_study(luck)


@pytest.mark.parametrize("change", [["light=10"], ["setup.wood=thick"]])
def test_of_another_box_nothing_is_shown(scenario, change):
    assert precomputed.load_precomputed(load_scenario(str(scenario.file), change), 0.95) == precomputed.Precomputed()


def test_of_other_priors_nothing_is_shown_and_other_notes_do_no_harm(scenario, monkeypatch):
    """A box whose values are the same, and of which one number may now lie elsewhere."""
    cell = scenario.cells[0]
    path = next(path for path, one in cell.parameters.items() if one.range)
    for attributes, is_valid in (({"note": "another"}, True), ({"range": (0, 999)}, False),
                                 ({"prior_correct": 0.123}, False), ({"source": "public"}, False)):
        changed = {**cell.parameters, path: replace(cell.parameters[path], **attributes)}
        other = replace(scenario, cells=[replace(cell, parameters=changed)])
        assert bool(precomputed.load_precomputed(other, 0.95).seconds) == is_valid, attributes


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_at_another_confidence_nothing_is_shown(scenario, confidence):
    assert precomputed.load_precomputed(scenario, confidence) == precomputed.Precomputed()


def test_a_damaged_or_strange_file_is_as_good_as_none(scenario):
    file = precomputed.get_studies_path(scenario)
    whole = file.read_bytes()
    data = json.loads(gzip.decompress(whole))
    other = {**data, "digests": {**data["digests"], "rules": "0"}}
    strange = {**data, "parts": {"luck": {"record": "Path", "of": {}}}}
    packed = [gzip.compress(json.dumps(made).encode()) for made in (other, strange, {}, [])]
    for content in (b"", whole[:-20], b"{}", *packed):
        file.write_bytes(content)
        assert precomputed.load_precomputed(scenario, 0.95) == precomputed.Precomputed()
    file.write_bytes(whole)


def test_studies_come_back_as_they_were():
    scenario = load_scenario("lantern/home")
    cell = scenario.cells[0]
    cells = {cell.digests["scenario"]: cell}
    number = ParameterEffect(PerturbedParameter("a.b", [1, 2], (3, 4)), ending_changes=np.array([1, -2]))
    what = {("a", 1): [Estimate(0.5, float("-inf"), float("inf"), 3)], "n": number, "c": cell, "s": scenario}
    text = json.dumps(codec.encode_study(what))
    back = codec.decode_study(json.loads(text), scenario, cells)
    assert back["a", 1] == what["a", 1] and back["c"] is cell and back["s"] is scenario
    assert (back["n"].path, back["n"].after, back["n"].ending_changes.tolist()) == ("a.b", (3, 4), [1, -2])
    with pytest.raises(codec.SchemaMismatchError):
        codec.decode_study(json.loads(text), scenario, {})
    with pytest.raises(TypeError, match="is not part of a study"):
        codec.encode_study(object())


def test_a_study_that_leaves_most_steps_open_is_refused_and_says_what_it_would_take(tmp_path, monkeypatch, capsys):
    file = tmp_path / "open.yaml"
    file.write_text("game: lantern\ntitle: Open\n")
    scenario = load_scenario(str(file))
    with pytest.raises(precompute.InconclusiveStudyError) as refusal:
        precompute.precompute_studies(scenario, 4.0, ignore_progress, Effort(400, threads=1), games_per_step=10)
    found = re.search(
        r"sensitivity of .*open.*: (\d+) of (\d+) steps \((\d+) %\) are unsettled .* About ([\d,]+) games",
        str(refusal.value)
    )
    n_open, n_all, share, needed = (int(part.replace(",", "")) for part in found.groups())
    assert n_open / n_all > 0.2 and share == round(100 * n_open / n_all) and needed >= 20
    assert not precomputed.get_studies_path(scenario).exists()
    monkeypatch.setattr(precompute, "precompute_studies", _refuse)
    with pytest.raises(SystemExit, match="Open: too little\nOpen: too little"):
        precompute.precompute_all(["4", str(file), str(file)])


def _refuse(scenario, *args, **terms):
    raise precompute.InconclusiveStudyError(f"{scenario.title}: too little")


def test_steps_are_played_by_numbers_of_games_whatever_the_time(scenario):
    """The sensitivity analysis of a study is the same on a machine on which a minute passes with every look."""
    played = []
    for seconds in (4.0, 400.0):
        with use_clock(FakeClock(step=60)):
            made = runner.ReportRunner(
                scenario, Effort(200, threads=1), seconds, ignore_progress, {"cells": 0.5, "sensitivity": 0.5}, 0, 60
            ).run(precomputed.Precomputed())
        played.append([(e.path, e.games, e.flips) for e in made.sensitivity.effects])
    assert played[0] == played[1] and any(games > 20 for _, games, _ in played[0])
