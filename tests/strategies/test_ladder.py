"""The rungs mean the same in every game: each plays clearly better than the one below it."""

import time
from itertools import pairwise

import numpy as np
import pytest
from playing import engine, play
from scipy.special import ndtri

from hardmode.scenarios.load import list_scenario_files, load_scenario
from hardmode.sim import contract
from hardmode.sim.contract import SCORES, WINNERS, discovery
from hardmode.sim.play.workspace import Workspace
from hardmode.strategies import player_file, registry
from hardmode.studies.training.certificate_check import compute_certificate_digest
from hardmode.studies.training.retrain_shipped import load_recipes

GAMES = 2000
RUNGS = ("random", "beginner", "casual", "steady", "trained")
WIDEST_GAP = 0.32  # of the win rate, between a rung from `beginner` on and the next one
PACE = 0.2  # of the games that `steady` plays in a second, `trained` plays no smaller a share
EXPERTS = 60.0  # seconds of a thread for each who searches
BUSY = 0.7  # of the games that a quiet machine plays, one that others use plays at least this share
FORMER = {game: ["former_expert"] for game in ("run_run_run", "woodlands", "trapwords", "vengeance")}  # before


def standard(game):
    return load_scenario(f"{game}/{contract.load_game(game).standard}").cells[0]


def rungs_of(game):
    """The rungs that a game has: not every game has a casual player."""
    return [rung for rung in RUNGS if rung in registry.list_strategies(game)]


def seated(cell, rung):
    """Somebody of a rung at every seat; where seats compete at the first, against others who are steady."""
    others = "steady" if cell.game.competitive else rung
    return engine(cell.game.name, cell.box, rung, *[others] * (cell.players - 1))


def played(game, rung, games=GAMES, seed=4):
    """What each game is worth to the first seat: its score where there is one, else the win."""
    rows = play(seated(standard(game), rung), games, seed=seed)
    return rows[SCORES].astype(float) if contract.load_game(game).scored else (rows[WINNERS] & 1).astype(float)


def won(cell, rung, games, seed):
    return (play(seated(cell, rung), games, seed=seed)[WINNERS] & 1).astype(float)


def gain(before, after):
    """By how much the one wins more than the other, and the standard error of that, on the same games."""
    change = after - before
    return change.mean(), max(change.std(), 1e-9) / len(change) ** 0.5


def apart(low, high):
    """The mean of the one lies below that of the other by more than three standard errors."""
    error = (low.var() / len(low) + high.var() / len(high)) ** 0.5
    return high.mean() - low.mean() > 3 * error


@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_every_rung_plays_better_than_the_one_below(game):
    rungs = rungs_of(game)
    found = [played(game, rung) for rung in rungs]
    means = dict(zip(rungs, (f.mean() for f in found), strict=True))
    assert all(apart(low, high) for low, high in pairwise(found)), means


@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_no_group_of_players_falls_between_two_rungs(game):
    """From one rung to the next it is no leap, and somebody below a steady player wins now and then."""
    rates = {rung: won(standard(game), rung, GAMES, seed=4).mean() for rung in rungs_of(game)[1:]}
    assert all(high - low < WIDEST_GAP for low, high in pairwise(rates.values())), rates
    below = [rate for rung, rate in rates.items() if rung in ("beginner", "casual")]
    assert max(below) > 0.05, rates


@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_the_trained_player_is_what_its_certificate_and_its_recipe_say(game):
    file, made = player_file.read_player_file(player_file.list_shipped_players(game)["trained"]), load_recipes(game)
    certificate = file.certificate
    player = registry.create_player(game, "trained")
    assert certificate.outcomes == compute_certificate_digest(game, player), "make players"
    names = certificate.scenario.split(" + ")
    assert all(load_scenario(name).game.name == game for name in names)
    if "trained" in made:
        recipe = made["trained"]
        assert (file.base, names) == (recipe.base, recipe.scenarios)
        assert (certificate.generations, certificate.seed, certificate.goal) == (
            recipe.generations, recipe.seed, recipe.goal)


@pytest.mark.parametrize("game", [game for game in discovery.list_shipped_games() if load_recipes(game)])
def test_whoever_was_trained_over_a_mix_is_no_specialist(game):
    """In no cell of the scenarios that it was trained over does it win less often than a steady player."""
    for cell in [cell for name in load_recipes(game)["trained"].scenarios for cell in load_scenario(name).cells]:
        change, error = gain(*(won(cell, rung, 400, seed=9) for rung in ("steady", "trained")))
        assert change > -3.5 * error, (cell.game.name, cell.label_text, change, error)


@pytest.mark.parametrize(("game", "name", "plays", "score"), [
    ("run_run_run", "expert", "search:300:trained", 0.6),
    ("run_run_run", "former_expert", "search:48:trained", 2.7),
    ("woodlands", "expert", "expert", 1.0),
    ("woodlands", "former_expert", "search:36:trained by steady", 2.7),
    ("vengeance", "expert", "search:500:trained by steady", 0.6),
    ("vengeance", "former_expert", "search:230:trained by steady", 2.7),
    ("trapwords", "expert", "expert", 2.7),
    ("trapwords", "former_expert", "search:48:trained", 2.7)])
def test_experts_and_those_of_before_search_as_they_were_measured(game, name, plays, score):
    expert = registry.create_player(game, name)
    assert (expert.name, expert.switch_score) == (plays, score)


def test_the_expert_of_the_woodlands_is_the_trained_player_with_values():
    expert, trained = (registry.create_player("woodlands", name) for name in ("expert", "trained"))
    assert (expert.choose, expert.weights) == (trained.choose, trained.weights)
    assert (expert.rollout_budget, expert.rollout_policy.name, expert.values.rounds) == (100, "steady", 2)
    knots = dict(expert.values.knots)
    assert (knots["table.chapter"], knots["table.seats"]) == ((0.0,), (2.0,)), "other games are played out"


# -- the whole ladder, on luck of its own ------------------------------------------------------------


def paced(made, games, seed, desk):
    """Games, and how many of them a thread plays in a second, by its own clock."""
    start = time.thread_time()
    rows = play(made, games, seed=seed, desk=desk)
    return rows, games / (time.thread_time() - start)


def usable(rate):
    """Games a second of a thread that tell a rate to three points in a minute and a half on two quiet cores."""
    return BUSY * (1.96 / 0.03) ** 2 * rate * (1 - rate) / 90 / 2


def pace(cell, rung, games, tries=1):
    """The best of some tries; the first game is not counted, for which machine code is fetched."""
    made, desk = seated(cell, rung), Workspace(cell.game)
    play(made, 1, seed=99, desk=desk)
    return max(paced(made, games, 99, desk)[1] for _ in range(tries))


@pytest.mark.soak
@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_the_ladder_holds_on_fresh_luck(game):
    """Each rung up to the trained one wins more than chance explains; the expert no less than the trained one, and no
    less than a search over a steady player that takes as long."""
    cell, seed = standard(game), int(np.random.default_rng().integers(10**6, 10**9))
    rates = {rung: won(cell, rung, 4000, seed) for rung in rungs_of(game)}
    assert all(low.mean() <= high.mean() for low, high in pairwise(rates.values())), (seed, rates)
    change, error = gain(rates["steady"], rates["trained"])
    assert change > 3 * error, (seed, change, error)

    assert pace(cell, "trained", 1000, tries=5) >= PACE * pace(cell, "steady", 4000, tries=5)
    expert = pace(cell, "expert", 12)
    games = min(4000, int(EXPERTS * expert))
    playouts = max(1, round(48 * pace(cell, "search:48:steady", 12) / expert))
    best = won(cell, "expert", games, seed)
    assert expert >= usable(best.mean()), (seed, expert, best.mean())
    for rival in ("trained", f"search:{playouts}:steady", *FORMER.get(game, [])):
        change, error = gain(won(cell, rival, games, seed), best)
        print(f"{game}: expert less {rival}: {100 * change:+.1f} points, +- {196 * error:.1f}, {games} games of {seed}")
        assert change > -2.5 * error, (seed, rival, change, error)


UNTRAINED_GAMES = 1000


@pytest.mark.soak
@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_where_trained_was_not_trained_it_is_nowhere_worse_than_steady(game):
    """Every cell of every shipped scenario whose box is in no recipe; the cells of a game hold together."""
    known = {
        cell.digests["box"]
        for recipe in load_recipes(game).values()
        for name in recipe.scenarios
        for cell in load_scenario(name).cells
    }
    cells = {}
    for name in list_scenario_files():
        if name.startswith(f"{game}/"):
            for cell in load_scenario(name).cells:
                if cell.digests["box"] not in known:
                    cells.setdefault(cell.digests["box"], (f"{name} {cell.label_text}", cell))
    assert cells
    errors = -ndtri(0.01 / len(cells))
    worse = {}
    for label, cell in cells.values():
        steady, trained = (won(cell, rung, UNTRAINED_GAMES, 5) for rung in ("steady", "trained"))
        change, error = gain(steady, trained)
        if change < -errors * error:
            worse[label] = (round(change, 3), round(error, 3))
    assert not worse, f"{len(worse)} of {len(cells)} cells: {worse}"
