"""The rungs mean the same in every game: each plays clearly better than the one below it, and `trained` fast enough."""

from itertools import pairwise

import pytest
from playing import engine, play

from hardmode.scenarios.load import load
from hardmode.sim import contract, discovery
from hardmode.sim.contract import WINNERS
from hardmode.strategies import player_file, registry
from hardmode.studies.certified import outcomes
from hardmode.studies.refresh import recipes

GAMES = 2000
RUNGS = ("random", "beginner", "steady", "trained")


def standard(game):
    return load(f"{game}/{contract.game(game).standard}").cells[0]


def won(game, rung, games=GAMES, seed=4):
    """In which games the players of a rung win; where seats compete one of them does, at the first seat."""
    cell = standard(game)
    rivals = ["steady"] * (cell.players - 1) if contract.game(game).competitive else [rung] * (cell.players - 1)
    rows = play(engine(game, cell.box, rung, *rivals), games, seed=seed)
    return rows[WINNERS] & 1


def apart(low, high):
    """The share of the one lies below that of the other by more than three standard errors."""
    error = (low.var() / len(low) + high.var() / len(high)) ** 0.5
    return high.mean() - low.mean() > 3 * error


@pytest.mark.parametrize("game", discovery.shipped())
def test_every_rung_wins_more_than_the_one_below(game):
    found = [won(game, rung) for rung in RUNGS]
    assert all(apart(low, high) for low, high in pairwise(found)), dict(zip(RUNGS, (f.mean() for f in found),
                                                                            strict=True))


@pytest.mark.parametrize("game", discovery.shipped())
def test_the_trained_player_is_what_its_recipe_and_its_certificate_say(game):
    made = recipes(game)
    for name, path in player_file.shipped(game).items():
        file, recipe = player_file.read(path), made[name]
        certificate = file.certificate
        assert (file.base, certificate.scenario) == (recipe.base, " + ".join(recipe.scenarios))
        assert (certificate.generations, certificate.seed) == (recipe.generations, recipe.seed)
        assert certificate.outcomes == outcomes(game, registry.player(game, name)), "make players"
    assert "trained" in player_file.shipped(game)
