"""The rungs mean the same in every game: each plays clearly better than the one below it."""

from itertools import pairwise

import pytest
from playing import engine, play

from hardmode.scenarios.load import load
from hardmode.sim import contract, discovery
from hardmode.sim.contract import SCORES, WINNERS
from hardmode.strategies import player_file, registry
from hardmode.studies.certified import outcomes
from hardmode.studies.refresh import recipes

GAMES = 2000
RUNGS = ("random", "beginner", "steady", "trained")


def standard(game):
    return load(f"{game}/{contract.game(game).standard}").cells[0]


def played(game, rung, games=GAMES, seed=4):
    """What each game is worth to the first seat: its score where there is one, else the win. Where seats compete the
    others are steady."""
    cell = standard(game)
    rivals = ["steady"] * (cell.players - 1) if contract.game(game).competitive else [rung] * (cell.players - 1)
    rows = play(engine(game, cell.box, rung, *rivals), games, seed=seed)
    return rows[SCORES].astype(float) if contract.game(game).scored else (rows[WINNERS] & 1).astype(float)


def apart(low, high):
    """The mean of the one lies below that of the other by more than three standard errors."""
    error = (low.var() / len(low) + high.var() / len(high)) ** 0.5
    return high.mean() - low.mean() > 3 * error


@pytest.mark.parametrize("game", discovery.shipped())
def test_every_rung_plays_better_than_the_one_below(game):
    found = [played(game, rung) for rung in RUNGS]
    assert all(apart(low, high) for low, high in pairwise(found)), dict(zip(RUNGS, (f.mean() for f in found),
                                                                            strict=True))


@pytest.mark.parametrize("game", discovery.shipped())
def test_the_trained_player_is_what_its_certificate_and_its_recipe_say(game):
    file, made = player_file.read(player_file.shipped(game)["trained"]), recipes(game)
    certificate = file.certificate
    assert certificate.outcomes == outcomes(game, registry.player(game, "trained")), "make players"
    names = certificate.scenario.split(" + ")
    assert all(load(name).game.name == game for name in names)
    if "trained" in made:
        recipe = made["trained"]
        assert (file.base, names) == (recipe.base, recipe.scenarios)
        assert (certificate.generations, certificate.seed, certificate.goal) == (
            recipe.generations, recipe.seed, recipe.goal)
