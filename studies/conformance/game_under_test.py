"""The game that is checked: its variants, its players, what its tests bring along, and how much is played."""

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

from hardmode.scenarios.box import folder
from hardmode.scenarios.load import Variant, files, load
from hardmode.scenarios.variant import game_of
from hardmode.sim.compile import source_location
from hardmode.sim.contract import Game, RulesError
from hardmode.sim.contract.discovery import shipped
from hardmode.sim.play.engine import Desk, Engine, Player, StrategyError, columns
from hardmode.strategies import registry
from hardmode.studies.conformance.variants import named, variants

SEED = 20261118
ROOT = Path(__file__).resolve().parents[2]


class Wrong(Exception):
    """What a game does that it must not, in words; several lines where several things are."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def must(holds: Any, words: str) -> None:
    if not holds:
        raise Wrong(words)


@dataclass(frozen=True)
class Amount:
    """How many games are played."""

    random: int = 2000  # at random within bounds, over all variants
    boxes: int = 16  # that nobody prints, with some games at random in each
    told: int = 30  # of every variant, for two options that read alike
    reach: int = 400  # of every variant and each level of play, for what occurs

    @classmethod
    def of(cls, games: int) -> Amount:
        """As much of everything as goes with so many random games."""
        share = games / cls.random
        return cls(
            games,
            max(2, round(cls.boxes * share)),
            max(2, round(cls.told * share)),
            max(20, round(cls.reach * share)),
        )


@dataclass(frozen=True, eq=False)
class Subject:
    game: Game
    effort: Amount = field(default_factory=Amount)

    @classmethod
    def named(cls, name: str, effort: Amount | None = None) -> Subject:
        folder(name)  # refuses what is no game, with the nearest name
        return cls(game_of(name), effort or Amount())

    @property
    def name(self) -> str:
        return self.game.name

    @cached_property
    def variants(self) -> list[Variant]:
        return variants(self.name)

    @property
    def scenarios(self) -> Iterator[Variant]:
        """The first and the last cell of every shipped scenario: modes of play that no mixture comes upon."""
        for name in files():
            if name.startswith(f"{self.name}/"):
                cells = load(name).cells
                yield from cells[:1] + cells[1:][-1:]

    @cached_property
    def strategies(self) -> list[Player]:
        """Every strategy once, under one of its names."""
        found: dict[Any, Player] = {}
        for known in registry.names(self.name):
            made = self.player(known)
            if not made.budget:
                found.setdefault((made.choose, made.weights), made)
        return list(found.values())

    def player(self, name: str) -> Player:
        return registry.player(self.name, name)

    def engine(self, variant: Variant, *players: str | Player) -> Engine:
        chosen = [self.player(p) if isinstance(p, str) else p for p in players or ("steady",)]
        return Engine(self.game, variant.box, chosen)

    @cached_property
    def invariants(self) -> Callable[[Any, Any, Any], None]:
        """The game's own `check(box, table, hidden)`, where its tests have one."""
        module = self._of_tests("invariants")
        return module.check if module else lambda box, table, hidden: None

    @cached_property
    def positions(self) -> list[tuple[Any, Any]]:
        """Pairs of box and table that the game's tests lay by hand, for what play does not reach."""
        module = self._of_tests("positions")
        return list(module.positions()) if module else []

    def test_folders(self) -> list[Path]:
        """Where a game's tests lie: in the repository, or in the package of a game from outside."""
        own = [] if self.name in shipped() else [folder(self.name).parent / "tests"]
        return [ROOT / "tests" / "games" / self.name, *own]

    def _of_tests(self, what: str) -> ModuleType | None:
        path = next(
            (f / f"{what}.py" for f in self.test_folders() if (f / f"{what}.py").is_file()), None
        )
        if not path:
            return None
        spec = importlib.util.spec_from_file_location(f"{what}_of_{self.name}", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def rows(
    made: Engine, games: int, *, first: int = 0, desk: Desk | None = None, **how: Any
) -> np.ndarray:
    """The rows of some games, one column each."""
    out = columns(made.game, games)
    made.play(desk or Desk(made.game), SEED, first, first + games, out, **how)
    return np.asarray(out)


@contextmanager
def during(variant: Variant, who: str, where: Callable[[], str] = str) -> Iterator[None]:
    """Says of whatever goes wrong in which variant, played by whom, in which game and at which step."""
    try:
        yield
    except (Wrong, RulesError, StrategyError) as why:
        raise Wrong(f"{why}{_apart(where())}; {named(variant)}; played by {who}") from why
    except Exception as why:
        raise Wrong(
            f"{in_a_line(why)}{_apart(where())}; {named(variant)}; played by {who}"
        ) from why


def at(number: int, step: int | None = None) -> str:
    """For messages: a game, and the step that it has come to."""
    return f"game {number} of seed {SEED}" + ("" if step is None else f", step {step}")


def in_a_line(why: Exception) -> str:
    """An exception that the game, its strategies or its tests raised, with its line."""
    line = source_location.playing(why)
    words = str(why) if isinstance(why, AssertionError) and str(why) else source_location.spoken(why)
    return f"{source_location.text(line)}: {words}" if line else words


def _apart(words: str) -> str:
    return f"; {words}" if words else ""
