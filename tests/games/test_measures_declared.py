"""What the measures of each game are declared to be: which are followed over the rounds, which tell games apart."""

import pytest

from hardmode.sim.contract import load_game

pytestmark = pytest.mark.plain

# By game: the measures with a curve, and those that are factors.
DECLARED = {
    "run_run_run": (
        "cards in hand, torches, mummies in play, nearest mummy",
        "boss, first woken, hero",
    ),
    "trapwords": (
        "rounds without advance, lead, distance to the monster, fights",
        "monster, starred, first book, first curse, second curse, first to face, room of the first fight, leader "
        "after round 1, leader after round 2, leader after round 3, leader after round 4",
    ),
    "vengeance": (
        "score so far, dice used so far, minions crossed so far, boss wounds so far, wounds now",
        "hero, boss, den",
    ),
    "woodlands": (
        "hearts, orbs, threat, tiles left, downed, loot cards",
        "boss, brambles, first monster, reveal, first downed, hero, chapter",
    ),
}


@pytest.mark.parametrize("game", DECLARED)
def test_measures_are_followed_and_told_apart_as_declared(game):
    measures = load_game(game).measures
    found = [", ".join(m.name for m in measures if getattr(m, kind)) for kind in ("curve", "factor")]
    assert tuple(found) == DECLARED[game]


# By game: the values of some factors, from 0 on.
LABELS = {
    ("woodlands", "chapter"): "standard, chapter 1, chapter 2, chapter 3, chapter 4, chapter 5",
    ("woodlands", "first downed"): "none, xylia, klethor, shavi, bethras",
    ("trapwords", "first to face"): "nobody, team A, team B, both",
    ("trapwords", "room of the first fight"):
        "never, room 1, room 2, room 3, room 4, room 5, room 6, room 7, room 8, room 9, room 10",
    ("trapwords", "leader after round 4"): "tied, team A, team B",
    ("run_run_run", "boss"): "not turned up, boss8, boss10, boss12",
    ("run_run_run", "first woken"): "none, dicer, runner, brute, snuffer",
}


@pytest.mark.parametrize(("game", "factor"), LABELS)
def test_values_of_a_factor_have_their_names(game, factor):
    (measure,) = (m for m in load_game(game).measures if m.name == factor)
    assert ", ".join(measure.labels) == LABELS[game, factor]
