"""The best player at hand for rules that the shipped trained player was not trained for.

Under other rules, `trained` may play worse than `steady`, and both worse than a player that was
trained for these rules. So three players are tried: `steady`, `trained`, and `trained` after a
short retraining. The one that wins most often is chosen, and all three are then measured in other
games, which had no part in training or choosing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hardmode.scenarios.load import Scenario, Variant, load_scenario
from hardmode.sim.files.cache_folder import find_cache_root
from hardmode.sim.play.player import Player
from hardmode.sim.play.run import Runner
from hardmode.strategies import player_file, registry
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.reference_players import TRAINED
from hardmode.studies.core.run import make_engine
from hardmode.studies.core.skill_levels import STEADY
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.optimizer import derive_seed
from hardmode.studies.training.retrain_shipped import load_recipes
from hardmode.studies.training.search_space import TrainingError
from hardmode.studies.training.train import train

RETRAINED = "retrained"
GENERATIONS, GAMES = 20, 300  # of a retraining; GAMES of each candidate in a generation
CHOICE_GAMES = 2000  # by which a player is chosen
MEASURED_GAMES = 10_000  # by which all are measured
CHOICE, MEASUREMENT = 5, 6  # purposes of games, each with a seed of its own (`derive_seed`)
FOLDER = "retrained"  # of the cache


@dataclass(frozen=True)
class ReferenceChoice:
    """The best of several players under some rules.

    Attributes:
        name: `steady`, `trained` or `retrained`.
        rates: Win rate of each player under these rules.
        retraining_gain: Win rate of the retrained player less that of `trained`.
        gain: Win rate of the chosen player less that of `trained`.
        change: Win rate of the chosen player under these rules less that of `trained` under the
            rules to which these are compared.
    """

    name: str
    rates: dict[str, Estimate]
    retraining_gain: Estimate
    gain: Estimate
    change: Estimate


def can_choose(cell: Variant) -> bool:
    """Return whether there is a choice: `trained` plays all seats, and seats do not compete.

    Where seats compete, a better player at all seats leaves their win rates as they are.
    """
    names = registry.list_strategies(cell.game.name)
    is_trained = all(spec == TRAINED for spec in cell.strategies)
    return is_trained and STEADY in names and not cell.seats_compete


def is_trained_for(cell: Variant) -> bool:
    """Return whether the certificate of `trained` names a scenario with the box of a variant."""
    game = cell.game.name
    path = player_file.list_shipped_players(game).get(TRAINED.name)
    certificate = player_file.read_player_file(path).certificate if path else None
    if not certificate:
        return False
    for name in certificate.scenario.split(" + "):
        for trained_cell in load_scenario(name).cells:
            if trained_cell.digests["box"] == cell.digests["box"]:
                return True
    return False


def choose_reference_player(
    scenario: Scenario,
    cell: Variant,
    assumed: Variant,
    seed: int,
    confidence: float,
    threads: int = 0,
    progress: Progress = ignore_progress,
    generations: int = GENERATIONS,
) -> ReferenceChoice:
    """Retrain `trained` for a variant, and return which of the three players is the best.

    The same seed gives the same choice on every machine.

    Args:
        scenario: The scenario of the variant.
        cell: The variant, as `trained` plays it.
        assumed: The variant to which it is compared, as `trained` plays it.
        seed: Seed of the training and of all games.
        confidence: Confidence of each interval.
        threads: Number of threads; 0 for all cores.
        progress: Called as training goes on.
        generations: Number of generations of the training.

    Raises:
        KeyboardInterrupt: The user interrupted the training.
    """
    game, trained = cell.game.name, registry.create_player(cell.game.name, TRAINED.name)
    players = {TRAINED.name: trained, STEADY: registry.create_player(game, STEADY)}
    retrained = _retrain(scenario, cell, seed, threads, progress, generations)
    if retrained:
        players[RETRAINED] = retrained
    chances = {
        name: _play(cell, player, derive_seed(seed, CHOICE), CHOICE_GAMES, threads).mean()
        for name, player in players.items()
    }
    name = max(chances, key=lambda one: chances[one])
    fresh = derive_seed(seed, MEASUREMENT)
    won = {
        name: _play(cell, player, fresh, MEASURED_GAMES, threads)
        for name, player in players.items()
    }
    before = _play(assumed, trained, fresh, MEASURED_GAMES, threads)
    rates = {
        name: estimates.wilson_rate(int(wins.sum()), wins.size, confidence)
        for name, wins in won.items()
    }
    return ReferenceChoice(
        name,
        rates,
        _estimate_change(won[TRAINED.name], won.get(RETRAINED, won[TRAINED.name]), confidence),
        _estimate_change(won[TRAINED.name], won[name], confidence),
        _estimate_change(before, won[name], confidence),
    )


def _retrain(
    scenario: Scenario,
    cell: Variant,
    seed: int,
    threads: int,
    progress: Progress,
    generations: int,
) -> Player | None:
    """Return `trained` with weights for a variant, or None if nothing can be learnt there."""
    recipe = load_recipes(cell.game.name).get(TRAINED.name)
    one = replace(scenario, cells=[cell], sweep=())
    file = _find_player_file(cell, seed, generations)
    if file and file.is_file():
        file.touch()  # the cache deletes files by the time of their last use
    try:
        training = train(
            one,
            TRAINED,
            generations=generations,
            games=GAMES,
            seed=seed,
            threads=threads,
            weights=recipe.weights if recipe else (),
            out=file,
            progress=progress,
        )
    except TrainingError:
        return None
    if training.interrupted:
        raise KeyboardInterrupt
    return training.player


def _find_player_file(cell: Variant, seed: int, generations: int) -> Path | None:
    """Return the file in the cache for a retrained player, or None without a cache."""
    root = find_cache_root()
    if not root:
        return None
    player = registry.create_player(cell.game.name, TRAINED.name)
    content: Mapping[str, object] = {
        "cell": cell.digests,
        "player": registry.compute_player_digests(cell.game.name, player),
        "weights": list(player.weights),
        "terms": [seed, generations, GAMES],
    }
    text = json.dumps(content, sort_keys=True, default=str)
    folder = root / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.yaml"


def _play(cell: Variant, player: Player, seed: int, games: int, threads: int) -> np.ndarray:
    """Return whether each game was won with a player at all seats."""
    engine = make_engine(cell, [player] * cell.players)
    rows = Runner(engine, seed, threads=threads).play_rows(0, games)
    return is_won(cell.game, rows)


def _estimate_change(before: np.ndarray, after: np.ndarray, confidence: float) -> Estimate:
    """Return the change of the win rate between two ways to play the same games."""
    both, gained = int((before & after).sum()), int((after & ~before).sum())
    lost = int((before & ~after).sum())
    neither = before.size - both - gained - lost
    return estimates.newcombe_paired_difference(both, gained, lost, neither, confidence)
