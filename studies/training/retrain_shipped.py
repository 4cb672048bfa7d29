"""`make players`: every shipped player trained anew by its recipe, or stamped anew where it still plays as it did.

    python -m hardmode.studies.training.retrain_shipped [GAME...]

A recipe is a file in the folder of a game's strategies. It says by whose decisions, and on which scenarios, with how
many generations and games, each of the players in the folder beside it was trained; so the same recipe makes the same
player on any machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hardmode.sim.contract import discovery
from hardmode.sim.files.yaml_io.model import Model, validated
from hardmode.sim.files.yaml_io.read import read_file
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.training.optimizer import GAMES
from hardmode.studies.training.train import Kept, Trained, TrainingError, train

NAME = "recipe.yaml"
FORM = "a recipe is a mapping of players to how each is trained, such as `trained: {base: steady, ...}`"


class Recipe(Model):
    """How one player is trained."""

    base: Annotated[str, Field(min_length=1, description="the strategy whose weights are tuned")]
    scenarios: Annotated[
        list[str], Field(min_length=1, description="what is played, all cells of all of them")
    ]
    generations: Annotated[int, Field(ge=1)]
    games: Annotated[int, Field(ge=1, description="games of a candidate in a generation")] = GAMES
    seed: Annotated[int, Field(ge=0)] = 1
    goal: str = "win_rate"
    weights: Annotated[
        list[str],
        Field(description="those that are tuned; all where none is named", default_factory=list),
    ]


class Recipes(Model):
    players: dict[str, Recipe]


def recipes(game: str) -> dict[str, Recipe]:
    """The recipes of a game's players, by name; none where the game has no file of them."""
    path = discovery.players_folder(game).parent / NAME
    return validated(Recipes, read_file(path, signs=True), FORM).players if path.exists() else {}


def refresh(game: str, name: str, recipe: Recipe, progress: Progress = silent) -> Trained | Kept:
    """Train one player by its recipe. A file that this training wrote, and that plays as it did, is only stamped."""
    path = discovery.players_folder(game) / f"{name}.yaml"
    try:
        return _train(path, recipe, progress)
    except TrainingError:
        if not path.exists():
            raise
        path.unlink()  # by another recipe; it was shipped, so an earlier version has it
        return _train(path, recipe, progress)


def _train(path: Path, recipe: Recipe, progress: Progress) -> Trained | Kept:
    return train(
        recipe.scenarios,
        recipe.base,
        generations=recipe.generations,
        games=recipe.games,
        seed=recipe.seed,
        goal=recipe.goal,
        weights=recipe.weights,
        out=path,
        progress=progress,
    )


def main(games: list[str]) -> None:
    for game in games or discovery.shipped():
        for name, recipe in recipes(game).items():
            print(
                f"{game}: {name} from {recipe.base}, {recipe.generations} generations", flush=True
            )
            print(refresh(game, name, recipe), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
