"""The first games of shipped scenarios, played as plain Python, are won by those whom the baselines name."""

import numpy as np
import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.studies.gate.baselines import locate_baseline, read_baseline
from hardmode.studies.gate.lazy_games import LazyGames

pytestmark = pytest.mark.plain

GAMES = {  # of each cell: games as plain Python take a thousand times as long
    "trapwords/standard": 40,
    "trapwords/alternative": 25,
    "trapwords/monsters": 12,
    "trapwords/curses": 6,
    "trapwords/on-purpose": 10,
    "trapwords/tiebreak": 10,
    "trapwords/clue-givers": 4,
    "trapwords/trappers": 4,
    "trapwords/timer": 6,
    "trapwords/team-sizes": 6,
}


@pytest.mark.parametrize("name", GAMES)
def test_the_first_games_are_won_as_accepted(name):
    scenario, n = load_scenario(name), GAMES[name]
    baseline = read_baseline(locate_baseline(scenario.file), name)
    for cell, accepted in zip(scenario.cells, baseline.cells, strict=True):
        games = LazyGames(cell, baseline.seed, threads=1)
        found = np.array([games.is_won(n, side) for side in range(games.sides)])
        assert (found == accepted.won[:, :n]).all(), cell.label_text
