"""Compare the solved games in examples/ with published and exact values: `python -m tests.oracles`.

The first table has one line for each value: published, exact (computed without hardmode), and as hardmode plays it.
All lines together raise a false alarm in one of a hundred runs. The second says which share of what skill can gain
each skill level reaches: (level - steady) / (best possible - steady).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).parents[2]
os.environ["HARDMODE_PATH"] = str(ROOT / "examples")
sys.path.insert(0, str(ROOT / "tests"))

from playing import column, engine, play  # noqa: E402

from hardmode.scenarios.load import load_scenario  # noqa: E402
from hardmode.strategies import registry  # noqa: E402
from hardmode.studies.core.run import make_players  # noqa: E402
from tests.oracles import battle, five_dice, kuhn_poker, ladders, pig, zilch  # noqa: E402

FALSE_ALARMS = 0.01  # of all values together
LEVELS = ("random", "beginner", "steady", "trained", "expert", "points")
SLOW = ("expert", "points")  # levels that search


@dataclass(frozen=True)
class Value:
    """A value of a solved game: published, exact, and how to measure it in rows of games."""

    game: str
    name: str
    published: str
    exact: Callable[[], float]
    scenario: str
    players: tuple[str, ...]
    measure: Callable[[Rows], np.ndarray]  # one number for each game
    games: int = 200_000


class Rows:
    """Rows of played games by the names of their columns."""

    def __init__(self, game, rows: np.ndarray) -> None:
        self.game, self.rows = game, rows

    def __getitem__(self, name: str) -> np.ndarray:
        return column(self.game, self.rows, name)


def play_rows(scenario: str, players: tuple[str, ...], games: int, seed: int = 1) -> Rows:
    """Return the rows of games of a scenario by these players."""
    [variant] = load_scenario(scenario).cells
    made = engine(variant.game.name, variant.box, *(players or make_players(variant)))
    return Rows(made.game, play(made, games, seed=seed))


def hold_at_20_wins() -> float:
    return pig.chances(pig.hold_at_20, pig.hold_at_20)[0][0, 0]


def won(rows: Rows) -> np.ndarray:
    """Return 1 for each game that the first seat won, else 0."""
    return rows["winners"] & 1


def removed(n: int) -> Callable[[Rows], np.ndarray]:
    """Return whether one roll of three dice against two removed n defenders."""
    return lambda rows: rows["defenders left"] == 2 - n


VALUES = (
    Value("pig", "hold at 20 against itself wins first", "53.470 %", hold_at_20_wins, "pig/classic", ("steady",), won),
    Value("ladders", "mean spins of one player", "39.225", ladders.mean_spins, "ladders/classic", (),
          lambda rows: rows["spins 1"], 1_000_000),
    *(Value("battle", f"3 dice against 2 remove {n}", f"{count}/7776", lambda n=n: float(battle.losses(3, 2)[n]),
            "battle/one-roll", (), removed(n), 1_000_000) for n, count in ((0, 2275), (1, 2611), (2, 2890))),
    Value("battle", "10 against 10 conquer", "56.76 %", lambda: battle.chance_to_conquer(10, 10), "battle/ten", (),
          won),
    Value("kuhn_poker", "first player's chips in equilibrium", "-1/18",
          lambda: kuhn_poker.value(*[kuhn_poker.equilibrium(1 / 6)] * 2), "kuhn_poker/classic", ("steady",),
          lambda rows: rows["score 1"], 2_000_000),
)


def print_values(games: float) -> bool:
    """Print the first table and return whether all values agree.

    Args:
        games: How many games to play, as a multiple of each value's own number.
    """
    limit = stats.norm.isf(FALSE_ALARMS / 2 / len(VALUES))
    print(f"{'game':11} {'value':38} {'published':>10} {'exact':>10} {'hardmode':>10} {'± 95 %':>8} {'z':>6}")
    fine = True
    for value in VALUES:
        exact = value.exact()
        numbers = value.measure(play_rows(value.scenario, value.players, int(games * value.games))).astype(float)
        error = numbers.std(ddof=1) / len(numbers) ** 0.5
        z = (numbers.mean() - exact) / error
        fine = fine and abs(z) < limit
        print(f"{value.game:11} {value.name:38} {value.published:>10} {exact:10.5f} {numbers.mean():10.5f} "
              f"{1.96 * error:8.5f} {z:6.2f}{'' if abs(z) < limit else '  DIFFERS'}")
    print(f"All agree if each |z| is below {limit:.2f}; one such run in {1 / FALSE_ALARMS:.0f} fails by chance.\n")
    return fine


@dataclass(frozen=True)
class Gap:
    """What skill can gain in a game: from `steady` to the best possible."""

    game: str
    scenario: str
    best: Callable[[], float]  # the exact value of the best play
    published: str
    measure: Callable[[Rows], np.ndarray]
    rival: tuple[str, ...] = ()  # who sits at the second seat
    games: int = 20_000
    expert_games: int = 1_000
    too_slow: tuple[str, ...] = ()  # levels that are left out


def best_response_to_steady() -> float:
    """Return how often the best response to holding at 20 wins Pig as the first player."""
    holds = pig.paces(21, 8, 71)
    for _ in range(6):
        holds = pig.improved(holds, pig.hold_at_20)
    return pig.chances(holds, pig.hold_at_20)[0][0, 0]


GAPS = (
    Gap("pig", "pig/classic", best_response_to_steady, "58.737 %", won, ("steady",), 60_000, 60_000),
    Gap("five_dice", "five_dice/solitaire", lambda: five_dice.solve()[0, 0, 0], "254.5896",
        lambda rows: rows["score 1"], expert_games=2_000),
    Gap("zilch", "zilch/solitaire", zilch.best_average, "620.855", lambda rows: rows["score 1"] / rows["rounds"],
        games=200, expert_games=50, too_slow=("expert",)),  # whose rollouts play a thousand turns
)


def print_gaps(games: float, levels: tuple[str, ...]) -> None:
    """Print the second table.

    Args:
        games: How many games to play, as a multiple of each game's own number.
        levels: The skill levels to measure.
    """
    print(f"{'game':11} {'level':9} {'games':>8} {'mean':>10} {'± 95 %':>8} {'best':>10}  share of the gap closed")
    for gap in GAPS:
        best = gap.best()
        n, n_expert = int(games * gap.games), int(games * gap.expert_games)
        steady = gap.measure(play_rows(gap.scenario, ("steady", *gap.rival), max(n, n_expert))).astype(float)
        for level in levels:
            if level not in registry.list_strategies(gap.game) or level in gap.too_slow:
                continue
            few = n_expert if level in SLOW else n
            numbers = gap.measure(play_rows(gap.scenario, (level, *gap.rival), few)).astype(float)
            gain = numbers - steady[:few]  # the same draws
            width = best - steady.mean()
            share, error = gain.mean() / width, 1.96 * gain.std(ddof=1) / few**0.5 / width
            print(f"{gap.game:11} {level:9} {few:8,} {numbers.mean():10.4f} "
                  f"{1.96 * numbers.std(ddof=1) / few**0.5:8.4f} {best:10.4f}  {share:6.1%} "
                  f"({share - error:.1%} .. {share + error:.1%})")


def main() -> int:
    """Print both tables and return 1 if a value differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=float, default=1.0, help="how many games, as a multiple of the usual number")
    parser.add_argument("--levels", default=",".join(LEVELS), help="the skill levels of the second table")
    given = parser.parse_args()
    fine = print_values(given.games)
    if given.levels:
        print_gaps(given.games, tuple(given.levels.split(",")))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
