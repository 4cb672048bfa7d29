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
