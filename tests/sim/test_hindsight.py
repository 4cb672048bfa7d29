"""Search with all draws known: the same as enumeration, and with charges the exact value of the best play."""

import numpy as np
import pytest
from playing import pig_engine

from hardmode.sim.draws import GOLD, game_key
from hardmode.sim.play.hindsight.solver import HindsightSolver, Question
from hardmode.sim.play.values import ValueFunction

TARGET = 12
MANY_SIDES = 100  # more results than are enumerated
GAMES = 60
COUNTERS = ("table.all_rolls",)
LOW = (1 << 64) - 1
# A value function that expects the same everywhere; all else is learned from the turns that may follow.
EMPTY = ValueFunction(
    knots=(("table.score[+0]", (0.0,)), ("table.score[+1]", (0.0,))),
    weights=np.array([0.5, 1.0, 0.0, 0.0], "<f4").tobytes(),
    turn_fields=("table.turn",),
)


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & LOW
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & LOW
    return x ^ (x >> 31)


def make_die(number, seed=1):
    """Return the faces of a game of Pig by round, seat and roll, from the definition of a draw."""
    with np.errstate(over="ignore"):
        key = int(game_key(seed, number))
    gold = int(GOLD)

    def roll(round_number, seat, rolls):
        x = mix((mix((key + round_number * gold) & LOW) + ((seat << 32) | rolls) * gold) & LOW)
        return 1 + ((x >> 32) * 6 >> 32)

    return roll


def can_win(die, target=TARGET):
    """Return whether the first player can win a game against one who holds at 20 or to win, by trying everything."""
    mine, theirs, round_number = {0}, 0, 1
    while True:
        after = set(mine)
        turn, rolls = 0, 0
        while turn < target and (face := die(round_number, 0, rolls)) > 1:
            turn, rolls = turn + face, rolls + 1
            after |= {score + turn for score in mine}
        if max(after) >= target:
            return True
        mine = after
        turn, rolls = 0, 0
        while turn < 20 and theirs + turn < target:
            face = die(round_number, 1, rolls)
            turn, rolls = (turn + face, rolls + 1) if face > 1 else (0, -1)
            if rolls < 0:
                break
        theirs += turn
        if theirs >= target:
            return False
        round_number += 1


def solve_exactly(target=TARGET, sides=6, rounds=200):
    """Return the best first player's chance against one who rolls until it wins or loses the turn, by iteration."""
    reached, win = {0: 1.0}, 0.0
    for turn in range(target):
        for face in range(2, sides + 1):
            reached[turn + face] = reached.get(turn + face, 0.0) + reached.get(turn, 0.0) / sides
    win = sum(p for turn, p in reached.items() if turn >= target)  # it has never banked anything
    waits = np.zeros(target)
    for _ in range(rounds):
        moves = np.zeros(target)
        for mine in range(target):
            worth = np.zeros(target + sides + 1)
            for turn in range(target + sides, -1, -1):
                hold = 1.0 if mine + turn >= target else waits[mine + turn]
                roll = 0.0 if turn > target else (waits[mine] + worth[turn + 2 : turn + sides + 1].sum()) / sides
                worth[turn] = max(hold, roll)
            moves[mine] = worth[0]
        waits = (1 - win) * moves
    return moves[0]


def make_solver(charges=None, **how):
    return HindsightSolver(pig_engine("steady", target=TARGET), Question(0, charges=charges, counters=COUNTERS, **how))


@pytest.fixture(scope="module")
def free():
    return make_solver().solve(1, 0, GAMES)


def test_games_are_winnable_if_enumeration_finds_a_win(free):
    expected = [can_win(make_die(number)) for number in range(GAMES)]
    assert free.tolist() == [float(won) for won in expected]
    assert 0 < sum(expected) < GAMES


def test_plays_that_are_tried_first_change_no_result(free):
    assert make_solver(attempts=16).solve(1, 0, GAMES).tolist() == free.tolist()
    unsearched = make_solver(attempts=16, max_nodes=1).solve(1, 0, GAMES)
    assert (unsearched == 1).any(), "some wins are found without a search"
    assert np.isnan(unsearched[free == 0]).all(), "that nobody can win is found by a search alone"


def test_a_search_that_is_left_tells_nothing(free):
    gains = make_solver(max_nodes=3).solve(1, 0, GAMES)
    assert np.isnan(gains).any() and not (gains == 0)[free == 1].any()
    assert np.isnan(gains[free == 0]).all()


def test_counters_tell_no_positions_apart(free):
    engine = pig_engine("steady", target=TARGET)
    assert HindsightSolver(engine, Question(0)).solve(1, 0, GAMES).tolist() == free.tolist()
    few = 20
    left = np.isnan(HindsightSolver(engine, Question(0, max_nodes=few)).solve(1, 0, GAMES))
    assert np.isnan(make_solver(max_nodes=few).solve(1, 0, GAMES)).sum() < left.sum(), "the tree is smaller"


def test_charges_leave_the_value_of_the_best_play():
    """With exact values nothing is left to chance: each game brings what the best player wins on average."""
    solver = make_solver(EMPTY)
    changes = [solver.learn(seed=5) for _ in range(40)]
    assert changes[-1] < 1e-6
    gains = solver.solve(1, 0, GAMES)
    assert gains == pytest.approx(solve_exactly(), abs=1e-5)


def test_values_that_know_nothing_charge_nothing(free):
    assert make_solver(EMPTY).solve(1, 0, GAMES) == pytest.approx(free)


def test_charges_by_poor_values_still_leave_a_bound():
    games = 2000
    solver = make_solver(EMPTY)
    solver.learn(seed=5)
    gains = solver.solve(1, 0, games)
    error = 3 * gains.std() / games**0.5
    assert error > 1e-3 and solve_exactly() - error < gains.mean() < solve_exactly() + 0.02


def test_draws_with_many_results_are_sampled():
    """The mean over fresh draws is right on average, so the bound holds, and is hardly wider."""
    question = Question(0, charges=EMPTY, counters=COUNTERS)
    solver = HindsightSolver(pig_engine("steady", target=TARGET, sides=MANY_SIDES), question)
    for _ in range(8):
        solver.learn(seed=5)
    gains = solver.solve(1, 0, 1000)
    error = 3 * gains.std() / 1000**0.5
    exact = solve_exactly(sides=MANY_SIDES)
    assert error > 1e-4 and exact - error < gains.mean() < exact + 0.05


def test_what_another_game_draws_does_not_matter():
    """A game brings the same whatever was searched before."""
    solver = make_solver(EMPTY)
    solver.learn(seed=5)
    together = solver.solve(1, 0, 8)
    assert [solver.solve(1, number, number + 1)[0] for number in range(8)] == together.tolist()


@pytest.mark.plain
def test_plain_python_finds_what_compiled_code_finds():
    expected = [can_win(make_die(number)) for number in range(20)]
    assert make_solver(attempts=2).solve(1, 0, 20).tolist() == [float(won) for won in expected]
    assert 0 < sum(expected) < 20
    solver = make_solver(EMPTY)
    solver.learn(seed=5)
    assert solver.solve(1, 0, 2) == pytest.approx([0.713767, 0.608732], abs=1e-6), "as compiled code finds"
