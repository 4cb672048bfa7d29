"""The game under test: its variants, players and own tests, and how many games to play."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hardmode.scenarios.box import find_box_folder
from hardmode.scenarios.load import Variant, list_scenario_files, load_scenario
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.compile import source_location
from hardmode.sim.contract import Game, RulesError
from hardmode.sim.contract.discovery import list_shipped_games
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player, StrategyError
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.strategies import registry
from hardmode.studies.conformance.variants import describe_variant, list_test_variants

SEED = 20261118
ROOT = Path(__file__).resolve().parents[2]


class ConformanceError(Exception):
    """A game violates the contract; each line describes one violation."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def require(condition: Any, message: str) -> None:
    """Raise ConformanceError with a message unless a condition holds."""
    if not condition:
        raise ConformanceError(message)


@dataclass(frozen=True)
class GameCounts:
    """Numbers of games to play."""

    random: int = 2000  # random games with index checks, over all variants
    boxes: int = 16  # unusual boxes, with some random games in each
    wording: int = 30  # of each variant, to compare the texts of options
    coverage: int = 400  # of each variant and skill level, for what must occur

    @classmethod
    def scaled_to(cls, games: int) -> GameCounts:
        """Return counts in proportion to a number of random games."""
        share = games / cls.random
        return cls(
            games,
            max(2, round(cls.boxes * share)),
            max(2, round(cls.wording * share)),
            max(20, round(cls.coverage * share)),
        )


@dataclass(frozen=True, eq=False)
class GameUnderTest:
    """A game and everything that its checks need."""

    game: Game
    counts: GameCounts = field(default_factory=GameCounts)

    @classmethod
    def load(cls, name: str, counts: GameCounts | None = None) -> GameUnderTest:
        """Return the game of a name.

        Args:
            name: Name of the game.
            counts: Numbers of games to play.

        Raises:
            ScenarioError: There is no such game.
        """
        find_box_folder(name)
        return cls(load_labeled_game(name), counts or GameCounts())

    @property
    def name(self) -> str:
        """Name of the game."""
        return self.game.name

    @property
    def has_hidden_state(self) -> bool:
        """True if the game hides anything from a seat."""
        return self.game.hidden.names != ("own",) or self.game.own.names != ("nothing",)

    @cached_property
    def variants(self) -> list[Variant]:
        """Variants to test the game in."""
        return list_test_variants(self.name)

    @property
    def scenarios(self) -> Iterator[Variant]:
        """First and last cell of every shipped scenario."""
        for name in list_scenario_files():
            if name.startswith(f"{self.name}/"):
                cells = load_scenario(name).cells
                yield from cells[:1] + cells[1:][-1:]

    @cached_property
    def strategies(self) -> list[Player]:
        """Every strategy without search, under the first of its names."""
        strategies: dict[Any, Player] = {}
        for name in registry.list_strategies(self.name):
            player = self.make_player(name)
            if not player.rollout_budget:
                strategies.setdefault((player.choose, player.weights), player)
        return list(strategies.values())

    def make_player(self, name: str) -> Player:
        """Return the player of a strategy."""
        return registry.create_player(self.name, name)

    def make_engine(self, variant: Variant, player: str | Player = "steady") -> Engine:
        """Return an engine with one player, or the name of its strategy, at all seats."""
        if isinstance(player, str):
            player = self.make_player(player)
        return Engine(self.game, variant.box, [player])

    @cached_property
    def check_invariants(self) -> Callable[[Any, Any, Any], None]:
        """The game's own `check(box, table, hidden)`, if its tests have one."""
        module = self._import_test_module("invariants")
        return module.check if module else lambda box, table, hidden: None

    @cached_property
    def positions(self) -> list[tuple[Any, Any]]:
        """Pairs of box and table that the game's tests construct, for what play does not reach."""
        module = self._import_test_module("positions")
        return list(module.positions()) if module else []

    def list_test_folders(self) -> list[Path]:
        """Return the folders of the game's tests: in the repository or in its own package."""
        folders = [ROOT / "tests" / "games" / self.name]
        if self.name not in list_shipped_games():
            folders.append(find_box_folder(self.name).parent / "tests")
        return folders

    def _import_test_module(self, name: str) -> ModuleType | None:
        for folder in self.list_test_folders():
            path = folder / f"{name}.py"
            if not path.is_file():
                continue
            spec = importlib.util.spec_from_file_location(f"{name}_of_{self.name}", path)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
        return None


def play_test_games(
    engine: Engine, games: int, *, first: int = 0, workspace: Workspace | None = None, **how: Any
) -> np.ndarray:
    """Return the rows of some games, one column each.

    Args:
        engine: The game and its players.
        games: Number of games.
        first: Number of the first game.
        workspace: Buffers; by default new ones.
        **how: Further arguments of `Engine.play`.
    """
    rows = allocate_rows(engine.game, games)
    engine.play(workspace or Workspace(engine.game), SEED, first, first + games, rows, **how)
    return np.asarray(rows)


@contextmanager
def add_context(
    variant: Variant, player: str, describe_position: Callable[[], str] = str
) -> Iterator[None]:
    """Add the variant, the player and the position to any error of the block.

    Args:
        variant: The variant.
        player: Name of the player.
        describe_position: Returns the game and the step, or "".
    """
    try:
        yield
    except Exception as error:
        is_own_error = isinstance(error, (ConformanceError, RulesError, StrategyError))
        message = str(error) if is_own_error else format_exception(error)
        parts = [message, describe_position(), describe_variant(variant), f"played by {player}"]
        raise ConformanceError("; ".join(part for part in parts if part)) from error


def describe_game_step(number: int, step: int | None = None) -> str:
    """Return a game and its step for messages."""
    return f"game {number} of seed {SEED}" + ("" if step is None else f", step {step}")


def format_exception(error: Exception) -> str:
    """Return an exception of the game, its strategies or its tests in one line, with its place."""
    line = source_location.find_game_frame(error)
    message = source_location.describe_exception(error)
    if isinstance(error, AssertionError) and str(error):
        message = str(error)
    return f"{source_location.format_location(line)}: {message}" if line else message
