"""Of the steps that truly move the win rate by 3 points or more, the share that `sensitivity` finds in its usual time.

The truth is played alone, at length, on luck that no run saw, of a sample in which every step has a known chance to be,
other ones for what is found, what is settled and what is open; each counts by the inverse of its chance.
"""

import random
import resource
import time
from dataclasses import dataclass

import numpy as np
import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.studies.core.budget import Budget, use_clock
from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.core.run import Effort
from hardmode.studies.sensitivity.analysis import analyze_sensitivity, choose_seconds
from hardmode.studies.sensitivity.paired_effects import PairedRunner, ParameterEffect, PerturbedParameter
from hardmode.studies.sensitivity.screening import SMALLEST_EFFECT

POWER, OPEN = 0.9, 0.2  # the least share that is found, and the largest of all steps that is left open
SEEDS = (2,)  # how a run goes was chosen on seed 1
OTHER_LUCK = 987_654_321
MOST = {"found": 120, "open": 150, "settled": 120}  # steps of the sample, by what the runs say of them
SILENT = 200  # games of which one would differ, but for a chance of 0.2 %, if a step moved the win rate by 3 points
STAGES, NEAR = (2000, 8000, 32_000), 2.3  # games of the truth; played on is what lies so many standard errors near


@dataclass
class Drawn:
    """A step of the sample, its chance to be there, and what it truly does."""

    number: PerturbedParameter
    chance: float
    effect: ParameterEffect | None = None  # at length

    @property
    def weight(self) -> float:
        return 1 / self.chance

    @property
    def error(self) -> float:
        return float(np.sqrt(self.effect.flips + 1)) / self.effect.games

    @property
    def large(self) -> bool:
        return abs(self.effect.value) >= SMALLEST_EFFECT

    @property
    def near(self) -> bool:
        """Whether chance might decide to which side of what is sought it lies."""
        return abs(abs(self.effect.value) - SMALLEST_EFFECT) < NEAR * self.error


@pytest.mark.soak
@pytest.mark.parametrize(
    "scenario", ["run_run_run/standard", "vengeance/solo-medium", "trapwords/standard", "woodlands/classic"]
)
def test_nine_in_ten_steps_of_three_points_are_found_in_the_usual_time(scenario):
    """By the time of two processors that are not shared."""
    cell = with_trained(load_scenario(scenario).cells[0])
    with use_clock(time.process_time):
        runs = [
            analyze_sensitivity(cell, Effort(200_000, seed=seed, threads=1), 2 * choose_seconds(cell)) for seed in SEEDS
        ]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2**20  # KiB
    large = [one for one in the_truth(cell, sample(runs)) if one.large]
    assert len(large) >= 10
    for seed, made in zip(SEEDS, runs, strict=True):
        found, missed = shares(made, large)
        print(
            f"{scenario}, seed {seed}: of {len(large)} steps of {100 * SMALLEST_EFFECT:g} points or more in the sample "
            f"(weight {sum(one.weight for one in large):.0f}) found {said(found, large)}, called settled and not "
            f"found {100 * missed:.1f} %; of all {len(made.effects)} steps {len(made.significant)} matter, "
            f"{len(made.undecided)} are open"
        )
        assert found >= POWER and missed <= 1 - POWER and len(made.undecided) < OPEN * len(made.effects)


def said(share, large):
    return f"{100 * share:.1f} % (at least {100 * lowest(share, large):.1f} % but for a chance of one in twenty)"


def sample(runs):
    """Of the steps that all runs found, of those that all called settled, and of all others so many each, by lot."""
    by_step = [{step(n): n for n in made.effects} for made in runs]
    alike = [[steps[key] for steps in by_step] for key in by_step[0] if all(key in steps for steps in by_step)]
    strata = {kind: [] for kind in MOST}
    for steps in filter(alive, alike):
        said = set(map(verdict, runs, steps))
        strata[said.pop() if len(said) == 1 else "open"].append(steps[0])
    lots = random.Random(OTHER_LUCK)
    return [
        Drawn(n.parameter, min(1.0, MOST[kind] / len(stratum)))
        for kind, stratum in strata.items()
        for n in lots.sample(stratum, min(MOST[kind], len(stratum)))
    ]


def alive(steps):
    """Whether it changed a game, or might."""
    return any(n.changes_box for n in steps) and (
        any(n.games_changed for n in steps) or sum(n.games for n in steps) < SILENT
    )


def verdict(made, n):
    return "found" if any(n is one for one in made.significant) else "settled" if made.is_settled(n) else "open"


def step(n):
    return n.path, str(n.after)


def the_truth(cell, drawn):
    """Each played alone; again and again those on which chance might decide."""
    effort = Effort(max(STAGES), seed=OTHER_LUCK, threads=1)
    runner, going = PairedRunner(cell, effort, Budget(), lambda *_: None), drawn
    for games in STAGES:
        runner.play_to([(one.number, games) for one in going])
        for one in going:
            one.effect = runner.get_effect(one.number)
        going = [one for one in going if one.effect.games and one.near]
    assert all(one.error < 0.005 for one in going)
    return [one for one in drawn if one.effect.games]


def shares(made, large):
    """Of all such steps, the share that is found, and that is called settled and is not."""
    said = {step(n): verdict(made, n) for n in made.effects}
    return [share(large, [said[step(one.number)] == kind for one in large]) for kind in ("found", "settled")]


def share(drawn, holds):
    weights = np.array([one.weight for one in drawn])
    return float(weights @ np.array(holds) / weights.sum())


def lowest(found, large):
    """The lower end of Clopper and Pearson's interval for the count of equal weights that say as much (Korn and
    Graubard 1998)."""
    from scipy.stats import beta

    weights = np.array([one.weight for one in large])
    n = weights.sum() ** 2 / (weights @ weights)
    return float(beta.ppf(0.05, found * n, n - found * n + 1)) if found else 0.0
