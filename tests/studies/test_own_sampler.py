"""A sampler of one's own for the shipped boxes, written from docs/how/uncertainty.md and `list --json` alone.

It uses nothing of `studies/uncertainty` but to play its boxes, so it shows whether the page says all that is needed.
"""

import json

import numpy as np
import pytest
from scipy.stats import fisher_exact, ks_2samp
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.scenarios.load import load_scenario
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.core.run import Effort, make_players
from hardmode.studies.uncertainty.band import estimate_band
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, BoxJob, CellPlayers
from hardmode.studies.uncertainty.design import SamplePairs, select_cell
from hardmode.studies.uncertainty.priors import Priors
from hardmode.studies.uncertainty.stages import Schedule

HALF_GAMES = 25


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def list_values_besides(number):
    """The alternatives of a parameter as `list` shows it, or none."""
    value, path = number["default"], number["path"]
    if is_number(value) and number["range"] and not (number["choices"] or number["weights"] or number["odds"]):
        return []
    if number["doubt"]:
        values = number["doubt"]
    elif isinstance(value, list):
        values = []
    else:
        values = [True, False] if isinstance(value, bool) else number["choices"] or []
    items = value if isinstance(value, list) else [value]
    is_name = all(isinstance(item, str) for item in items)
    is_content = is_name and not path.startswith(("switches.", "setup."))
    if is_content and not (number["doubt"] or number["odds"]):
        return []
    return [other for other in values if other != value]


def is_doubted(number):
    if number["source"] != "assumed" or number["role"] in ("house_rule", "model", "variant"):
        return False
    others = list_values_besides(number)
    if number["path"].startswith("setup."):
        return number["prior_correct"] is not None and bool(others)
    items = number["default"] if isinstance(number["default"], list) else [number["default"]]
    has_range = bool(number["range"]) and bool(items) and all(map(is_number, items))
    if has_range:
        low, high = range_of(number)
        has_range = low < high
    return bool(others) or has_range


def range_of(number):
    low, high = number["range"]
    least = -np.inf if number["min"] is None else number["min"]
    most = np.inf if number["max"] is None else number["max"]
    return max(low, least), min(high, most)


def is_reading(number):
    value = number["default"]
    if isinstance(value, list):
        return False
    return number["path"].startswith("switches.") or isinstance(value, (str, bool))


def draw_number(number, assumed, is_whole, rng):
    """A number of a range: as assumed with `prior_correct`, else triangular or uniform."""
    if number["prior_correct"] is not None and rng.random() < number["prior_correct"]:
        return assumed
    low, high = range_of(number)
    ends = (low - 0.5, high + 0.5) if is_whole else (low, high)
    drawn = rng.uniform(*ends) if number["prior"] == "uniform" else rng.triangular(ends[0], assumed, ends[1])
    if is_whole:
        return int(min(max(round(drawn), low), high))
    return float(drawn)


def draw(number, rng):
    value, others = number["default"], list_values_besides(number)
    if not others:
        items = value if isinstance(value, list) else [value]
        is_whole = all(isinstance(item, int) for item in items)
        drawn = [draw_number(number, item, is_whole, rng) for item in items]
        return drawn if isinstance(value, list) else drawn[0]
    if number["odds"]:
        values = [value, *others] if number["doubt"] else number["choices"] or [True, False]
        return values[rng.choice(len(values), p=np.array(number["odds"]) / sum(number["odds"]))]
    correct = number["prior_correct"]
    if correct is None:
        correct = 0.9 if is_reading(number) else 0.5
    if rng.random() < correct:
        return value
    weights = np.array(number["weights"] or [1.0] * len(others))
    return others[rng.choice(len(others), p=weights / weights.sum())]


def list_doubted(game):
    shown = CliRunner().invoke(app, ["list", game, "--json"])
    return [number for number in json.loads(shown.stdout)["numbers"] if is_doubted(number)]


def compare_draws(path, mine, theirs):
    """The p-value of both samples of a parameter being alike."""
    is_spread = len(set(map(str, mine))) > 9
    if is_spread and np.issubdtype(np.asarray(mine).dtype, np.number):
        return ks_2samp([np.sum(value) for value in mine], [np.sum(value) for value in theirs]).pvalue
    p_values = []
    for value in sorted(set(map(repr, mine + theirs))):
        counts = [[sample.count(value), len(sample) - sample.count(value)]
                  for sample in (list(map(repr, mine)), list(map(repr, theirs)))]
        p_values.append(fisher_exact(counts)[1])
    return min(1.0, min(p_values) * len(p_values))


@pytest.mark.parametrize(
    "name", ["run_run_run/standard", "vengeance/solo-medium", "woodlands/classic", "trapwords/standard"]
)
def test_a_sampler_of_ones_own_draws_the_shipped_boxes_alike(name):
    numbers = list_doubted(name.split("/")[0])
    priors = Priors(load_scenario(name).cells)
    assert {number["path"] for number in numbers} == {prior.path for prior in priors.entries}
    assert {n["path"] for n in numbers if is_reading(n)} == {prior.path for prior in priors.readings}
    rng, other = np.random.default_rng(3), np.random.default_rng(4)
    theirs = [priors.draw_box(other) for _ in range(1500)]
    p_values = {}
    for number in numbers:
        path = number["path"]
        p_values[path] = compare_draws(path, [draw(number, rng) for _ in range(1500)], [box[path] for box in theirs])
    worst = min(p_values, key=p_values.__getitem__)
    assert p_values[worst] > 0.02 / len(p_values), (worst, p_values[worst])


def check_bands(name, pairs):
    """Both samplers' bands of a shipped box, which must agree within what chance explains."""
    cell = load_scenario(name).cells[0]
    played = with_trained(cell)
    evaluator = BoxEvaluator([CellPlayers(cell, make_players(played))], Effort(seed=8, threads=1), HALF_GAMES)
    numbers, rng, mine = list_doubted(cell.game.name), np.random.default_rng(5), []
    while len(mine) < 2 * pairs:
        box = {number["path"]: draw(number, rng) for number in numbers}
        [rates] = evaluator.evaluate_boxes([BoxJob(0, 10**6 + len(mine), box)])
        mine += [] if rates is None else [rates]
    stage = Schedule(Budget(), ignore_progress, pairs).start_stage("boxes", 1.0)
    theirs = SamplePairs(evaluator, Priors([cell]), 8).collect_pairs(stage, pairs, for_band=False)
    own, shipped = (estimate_band(rates, HALF_GAMES, 0.99) for rates in (np.array(mine), select_cell(theirs, 0)))
    for a, b in zip(own.percentiles.values(), shipped.percentiles.values(), strict=True):
        assert abs(a.value - b.value) < np.hypot(a.half_width, b.half_width) + 0.005, (a, b)


@pytest.mark.soak
@pytest.mark.parametrize(
    "name", ["run_run_run/standard", "vengeance/solo-medium", "woodlands/classic", "trapwords/standard"]
)
def test_a_sampler_of_ones_own_gives_the_bands_of_all_shipped_boxes(name):
    check_bands(name, 1500)
