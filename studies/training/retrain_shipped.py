"""`make players`: train every shipped player again by its recipe.

    python -m hardmode.studies.training.retrain_shipped [GAME...]

A recipe is a file in the folder of a game's strategies. For each player it names the base strategy,
the scenarios, and the numbers of generations and games. So it makes the same player on any machine.
A recipe may begin with the weights of an earlier training, to add set-ups in which these do badly.
A player that still plays as it did only gets a new certificate.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hardmode.scenarios.strategy import StrategySpec
from hardmode.sim.contract import discovery
from hardmode.sim.files.yaml_io.model import StrictModel, validate_document
from hardmode.sim.files.yaml_io.read import read_yaml_file
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.training.optimizer import GAMES
from hardmode.studies.training.result import ExistingPlayer, TrainingResult
from hardmode.studies.training.search_space import TrainingError
from hardmode.studies.training.train import train

RECIPE_FILE = "recipe.yaml"
FORM = (
    "a recipe is a mapping of players to how each is trained, such as "
    "`trained: {base: steady, ...}`"
)


class Recipe(StrictModel):
    """How one player is trained."""

    base: Annotated[str, Field(min_length=1, description="the strategy whose weights are tuned")]
    scenarios: Annotated[
        list[str],
        Field(
            min_length=1,
            description="scenarios to train on, with all their cells; one that is named twice "
            "counts twice",
        ),
    ]
    generations: Annotated[int, Field(ge=1)]
    games: Annotated[int, Field(ge=1, description="games of a candidate in a generation")] = GAMES
    seed: Annotated[int, Field(ge=0)] = 1
    goal: str = "win_rate"
    weights: Annotated[
        list[str],
        Field(description="the weights that are tuned; by default, all", default_factory=list),
    ]
    start: Annotated[
        dict[str, float],
        Field(
            description="weights at which the search begins, where they differ from those of the "
            "base: those of an earlier training",
            default_factory=dict,
        ),
    ]


class Recipes(StrictModel):
    """The recipes of a game, by the name of the player."""

    players: dict[str, Recipe]


def load_recipes(game: str) -> dict[str, Recipe]:
    """Return the recipes of a game's players by name; none if the game has no file of them."""
    path = discovery.find_players_folder(game).parent / RECIPE_FILE
    if not path.exists():
        return {}
    return validate_document(Recipes, read_yaml_file(path, signed_numbers=True), FORM).players


def retrain_player(
    game: str, name: str, recipe: Recipe, progress: Progress = ignore_progress
) -> TrainingResult | ExistingPlayer:
    """Train one player by its recipe.

    A file that this training wrote, and that plays as it did, only gets a new certificate. A player
    of another recipe is replaced: it was shipped, so an earlier version of hardmode has it.

    Args:
        game: Name of the game.
        name: Name of the player.
        recipe: How it is trained.
        progress: Called after each generation.
    """
    path = discovery.find_players_folder(game) / f"{name}.yaml"
    try:
        return _train(path, recipe, progress)
    except TrainingError:
        if not path.exists():
            raise
        path.unlink()
        return _train(path, recipe, progress)


def _train(path: Path, recipe: Recipe, progress: Progress) -> TrainingResult | ExistingPlayer:
    return train(
        recipe.scenarios,
        StrategySpec(recipe.base, recipe.start),
        generations=recipe.generations,
        games=recipe.games,
        seed=recipe.seed,
        goal=recipe.goal,
        weights=recipe.weights,
        out=path,
        progress=progress,
    )


def retrain_all(games: list[str]) -> None:
    """Train the players of the games that are named, or of all shipped games."""
    for game in games or discovery.list_shipped_games():
        for name, recipe in load_recipes(game).items():
            generations = f"{recipe.generations} generations"
            print(f"{game}: {name} from {recipe.base}, {generations}", flush=True)
            print(retrain_player(game, name, recipe), flush=True)


if __name__ == "__main__":
    retrain_all(sys.argv[1:])
