"""Studies kept beside a scenario: read back as they were, shown while they are true, and no longer."""

import gzip
import json

import numpy as np
import pytest

from hardmode.scenarios.load import load
from hardmode.studies.core.progress import silent
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run import codec, precompute, precomputed, runner
from hardmode.studies.sensitivity.paired_effects import Number
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
    made = load(str(file))
    precompute.write(made, 4.0, silent, Effort(400, threads=1))
    return made


def test_what_is_kept_is_read_back_and_not_played_again(scenario):
    made = runner.begun(scenario, Effort(100, threads=1), None, silent).made
    precomputed.fill(made)
    assert made.kept == 4.0 and made.sensitivity and made.weighed and made.luck
    assert precomputed.weighed(scenario).numbers == made.weighed.numbers
    assert made.sensitivity.cell.game is scenario.game and made.sensitivity.numbers[0].games > 0
    found = runner.survey(scenario, Effort(100, threads=1), None, silent)
    assert list(found.ladder) == [r for r in ("random", "beginner", "steady", "trained", "expert") if r in found.ladder]
    assert codec.encode(found.sensitivity) == codec.encode(made.sensitivity)
    assert codec.encode(found.luck) == codec.encode(made.luck)


@pytest.mark.parametrize("change", [["light=10"], ["setup.wood=thick"]])
def test_of_another_box_nothing_is_shown(scenario, change):
    made = runner.begun(load(str(scenario.file), change), Effort(100), None, silent).made
    precomputed.fill(made)
    assert not made.kept and made.sensitivity is None and not made.ladder


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_at_another_confidence_nothing_is_shown(scenario, confidence):
    made = runner.begun(scenario, Effort(100, confidence=confidence), None, silent).made
    precomputed.fill(made)
    assert not made.kept


def test_a_damaged_or_strange_file_is_as_good_as_none(scenario):
    file = precomputed.file_of(scenario)
    whole = file.read_bytes()
    data = json.loads(gzip.decompress(whole))
    other = {**data, "digests": {**data["digests"], "rules": "0"}}
    strange = {**data, "parts": {"luck": {"record": "Path", "of": {}}}}
    packed = [gzip.compress(json.dumps(made).encode()) for made in (other, strange, {}, [])]
    for content in (b"", whole[:-20], b"{}", *packed):
        file.write_bytes(content)
        made = runner.begun(scenario, Effort(100), None, silent).made
        precomputed.fill(made)
        assert not made.kept and made.luck is None
    file.write_bytes(whole)


def test_studies_come_back_as_they_were():
    scenario = load("lantern/home")
    cell = scenario.cells[0]
    cells = {cell.digests["scenario"]: cell}
    number = Number("a.b", [1, 2], (3, 4), endings=np.array([1, -2]))
    what = {("a", 1): [Estimate(0.5, float("-inf"), float("inf"), 3)], "n": number, "c": cell, "s": scenario}
    text = json.dumps(codec.encode(what))
    back = codec.decode(json.loads(text), scenario, cells)
    assert back["a", 1] == what["a", 1] and back["c"] is cell and back["s"] is scenario
    assert (back["n"].path, back["n"].after, back["n"].endings.tolist()) == ("a.b", (3, 4), [1, -2])
    with pytest.raises(codec.Unreadable):
        codec.decode(json.loads(text), scenario, {})
    with pytest.raises(TypeError, match="is not part of a study"):
        codec.encode(object())
