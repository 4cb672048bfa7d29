"""Compare the solved games in examples/ with published and exact values: `python -m tests.oracles`.

The first table has one line for each value: published, exact (computed without hardmode), and as hardmode plays it.
All lines together raise a false alarm in one of a hundred runs.

The second says which share of what skill can gain each skill level reaches: (level - steady) / (best possible -
steady). A level is asked in all positions, or its decisions in games are compared with the best ones, so that luck
plays no part.

The third says what a best response gains that was trained against each level: a lower bound of what can be gained.
`best` is exact, up to the chance of the 20,000 keys with which players of Kuhn poker are asked how they mix.

The fourth says what no player exceeds, as `hardmode bound` finds it, beside the best play. No bound may be lower.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).parents[2]
os.environ["HARDMODE_PATH"] = str(ROOT / "examples")
sys.path.insert(0, str(ROOT / "tests"))

from playing import column, engine, play  # noqa: E402

from hardmode.scenarios.load import load_scenario  # noqa: E402
from hardmode.sim.play.engine import Engine  # noqa: E402
from hardmode.sim.play.player import Player  # noqa: E402
from hardmode.strategies import registry  # noqa: E402
from hardmode.studies.bound.analysis import analyze_bound  # noqa: E402
from hardmode.studies.core.run import Effort, make_players  # noqa: E402
from hardmode.studies.training.train import train  # noqa: E402
from tests.oracles import battle, five_dice, kuhn_poker, ladders, pig, zilch  # noqa: E402

FALSE_ALARMS = 0.01  # of all values together
FAMILY_ERROR = 0.05  # of all intervals of a table together
LEVELS = ("random", "beginner", "steady", "trained", "expert", "points")


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
    """What skill can gain in a game: from `steady` to the best possible.

    Attributes:
        game: The name of the game.
        best: Returns the exact value of the best play.
        measure: Returns how far a level stays behind the best, and the standard error, from a number of games.
        games: How many games of a level; 0 where it is asked in all positions.
        left_out: Levels that are made for another scenario.
    """

    game: str
    best: Callable[[], float]
    measure: Callable[[str, int], tuple[float, float]]
    games: int
    left_out: tuple[str, ...] = ()


def average(losses: np.ndarray) -> tuple[float, float]:
    """Return the mean of the losses of games and its standard error."""
    return float(losses.mean()), float(losses.std(ddof=1) / len(losses) ** 0.5)


@cache
def pig_gains(level: str) -> np.ndarray:
    """Return what the turns of a skill level add in Pig; it is asked in all positions."""
    if level == "beginner":
        return pig.roll_twice_gains()  # which counts its rolls
    if level == "random":
        return pig.list_gains(np.full((pig.GOAL, pig.GOAL, pig.WIDTH), 0.5))
    return pig.list_gains(pig.query_holds(seat_players("pig/classic", level)))


def pig_best() -> float:
    return pig.exploit(pig_gains("steady"))[0]


def pig_losses(level: str, games: int) -> tuple[float, float]:
    return pig_best() - pig.play_gains(pig_gains(level), pig_gains("steady")), 0.0


five_dice_values = cache(five_dice.solve)


@cache
def five_dice_losses(level: str, games: int) -> tuple[float, float]:
    made = seat_players("five_dice/solitaire", level)
    return average(five_dice.measure_losses(made, games, five_dice_values()))


@cache
def zilch_losses(level: str, games: int) -> tuple[float, float]:
    return average(zilch.measure_losses(seat_players("zilch/solitaire", level), games))


GAPS = (
    Gap("pig", pig_best, pig_losses, 0),
    Gap("five_dice", lambda: five_dice_values()[0, 0, 0], five_dice_losses, 200),
    Gap("zilch", zilch.best_average, zilch_losses, 12, ("expert",)),
)


def seat_players(scenario: str, *players: str | Player) -> Engine:
    """Return the engine of a scenario with players, of whom the last sits at all further seats."""
    [variant] = load_scenario(scenario).cells
    return engine(variant.game.name, variant.box, *players)


def list_levels(game: str, levels: Sequence[str]) -> list[str]:
    """Return those of the levels that a game has."""
    return [level for level in levels if level in registry.list_strategies(game)]


def print_gaps(games: float, levels: Sequence[str]) -> None:
    """Print the second table.

    Args:
        games: How many games to play, as a multiple of each game's own number.
        levels: The skill levels to measure.
    """
    rows = [(gap, level) for gap in GAPS for level in list_levels(gap.game, levels) if level not in gap.left_out]
    z = stats.norm.isf(FAMILY_ERROR / 2 / len(rows))
    print(f"{'game':11} {'level':9} {'games':>6} {'value':>9} {'best':>9}  share of the gap closed")
    for gap, level in rows:
        n = int(games * gap.games)
        (loss, error), (base, base_error) = gap.measure(level, n), gap.measure("steady", n)
        share = 1 - loss / base
        half = z * math.hypot(error, loss / base * base_error) / base
        interval = f"({share - half:.1%} .. {share + half:.1%})" if n else "exact"
        best = gap.best()
        print(f"{gap.game:11} {level:9} {n or '':>6} {best - loss:9.4f} {best:9.4f}  {share:6.1%} {interval}",
              flush=True)
    print(f"All intervals together fail in at most one of {1 / FAMILY_ERROR:.0f} runs.\n")


@dataclass(frozen=True)
class Duel:
    """A competitive game in which a best response is trained against each level.

    Attributes:
        game: The name of the game.
        scenario: The scenario that is played.
        goal: What the response is trained for.
        measure: What it gains, one number for each game.
        exact: Returns the exact gain of the best response to a level; None if nobody knows it.
        generations: Of the training.
        games: Of a generation.
    """

    game: str
    scenario: str
    goal: str
    measure: Callable[[Rows], np.ndarray]
    exact: Callable[[str], float] | None
    generations: int
    games: int


def exploit_kuhn_poker(level: str) -> float:
    """Return the chips that the best response wins as first player."""
    player = kuhn_poker.query_player(seat_players("kuhn_poker/classic", level))
    return kuhn_poker.best_response(player, 0)


DUELS = (
    Duel("pig", "pig/classic", "win_rate", won, lambda level: pig.exploit(pig_gains(level))[0], 8, 400),
    Duel("kuhn_poker", "kuhn_poker/classic", "score", lambda rows: rows["score 1"], exploit_kuhn_poker, 8, 2000),
    Duel("zilch", "zilch/race", "win_rate", won, None, 8, 400),
)
DUEL_GAMES = 4000


def print_exploitability(games: float, levels: Sequence[str]) -> None:
    """Print the third table.

    Args:
        games: How many games to train and play with, as a multiple of each game's own number.
        levels: The skill levels to exploit.
    """
    pairs = [(duel, level) for duel in DUELS for level in list_levels(duel.game, levels)]
    z = stats.norm.isf(FAMILY_ERROR / len(pairs))
    print(f"{'game':11} {'level':9} {'it gains':>9} {'response':>9} {'at least':>9} {'best':>9}")
    for duel, level in pairs:
        n = int(games * DUEL_GAMES)
        found = train(duel.scenario, method="values", strategy="steady", against=level, goal=duel.goal, threads=1,
                      generations=duel.generations, games=int(games * duel.games), trials=24)
        means = []
        for player in (level, found.player):
            [variant] = load_scenario(duel.scenario).cells
            made = engine(duel.game, variant.box, player, level)
            numbers = duel.measure(Rows(made.game, play(made, n, seed=2))).astype(float)
            means.append(numbers.mean())
        least = means[1] - z * numbers.std(ddof=1) / n**0.5
        best = f"{duel.exact(level):9.4f}" if duel.exact else "  unknown"
        print(f"{duel.game:11} {level:9} {means[0]:9.4f} {means[1]:9.4f} {least:9.4f} {best}", flush=True)
    print(f"Gains of the first player: of the level against itself, and of the response trained against it. All lower\n"
          f"bounds together fail in at most one of {1 / FAMILY_ERROR:.0f} runs; a better response may exist.")


@dataclass(frozen=True)
class Ceiling:
    """A scenario whose best play is known, and should lie below the bound that hardmode finds.

    Attributes:
        scenario: The scenario.
        best: Returns the exact value of the best play of the first player against `steady`.
        games: How many games are searched.
    """

    scenario: str
    best: Callable[[], float]
    games: int


CEILINGS = (
    Ceiling("pig/classic", pig_best, 400),
    Ceiling("kuhn_poker/classic", lambda: exploit_kuhn_poker("steady"), 4000),
    Ceiling("ladders/classic", lambda: 1.0, 40),
    Ceiling("five_dice/solitaire", lambda: five_dice_values()[0, 0, 0], 8),
)
CEILING_CONFIDENCE = 0.999


def print_ceilings(games: float) -> bool:
    """Print the fourth table and return whether no bound is below the best play.

    Args:
        games: How many games to search, as a multiple of each scenario's own number.
    """
    print(f"{'scenario':20} {'games':>6} {'best':>9}  no player exceeds")
    fine = True
    for ceiling in CEILINGS:
        n = max(8, int(games * ceiling.games))
        found = analyze_bound(ceiling.scenario, Effort(seed=1, threads=1, confidence=CEILING_CONFIDENCE), games=n)
        bound, best = found.charged or found.free, ceiling.best()
        holds = bound is None or best <= bound.high
        fine = fine and holds
        shown = f"{bound.value:.5f} ({bound.low:.5f} .. {bound.high:.5f})" if bound else "no bound was found"
        print(f"{ceiling.scenario:20} {n:6} {best:9.5f}  {shown}{'' if holds else '  TOO LOW'}", flush=True)
    print(f"Each interval holds at {CEILING_CONFIDENCE:.1%}.")
    return fine


def main() -> int:
    """Print the tables and return 1 if a value differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=float, default=1.0, help="how many games, as a multiple of the usual number")
    parser.add_argument("--levels", default=",".join(LEVELS), help="the skill levels of the other tables")
    parser.add_argument("--responses", type=float, default=1.0, help="games of the third table, likewise; 0 for none")
    given = parser.parse_args()
    fine = print_values(given.games)
    if given.levels:
        print_gaps(given.games, given.levels.split(","))
    fine = print_ceilings(given.games) and fine
    if given.levels and given.responses:
        print_exploitability(given.responses, given.levels.split(","))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
