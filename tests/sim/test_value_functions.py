"""Value functions: which numbers they read, what they make of them, and who searches by them."""

from dataclasses import replace

import numpy as np
import pytest
from playing import pig_engine

from hardmode.sim import contract
from hardmode.sim.contract import WINNERS
from hardmode.sim.draws import below, lucky
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import StrategyError
from hardmode.sim.play.turn_search import find_scheme
from hardmode.sim.play.value_samples import sample_positions
from hardmode.sim.play.value_search import choose_balanced_key
from hardmode.sim.play.values import ValueFunction, list_fields, make_layout, pack_values, predict, read_field
from hardmode.sim.play.workspace import ROLLOUT_STEPS, ROLLOUTS, TRIAL, Workspace, allocate_rows
from hardmode.strategies import registry

GAMES = ("run_run_run", "woodlands", "vengeance", "trapwords", "pig")


def linear(**slopes):
    """A value function that adds up fields, each times its slope, from 0 to 100."""
    knots = tuple((f"table.{name}", (0.0, 100.0)) for name in slopes)
    weights = [0.0, 1.0, *(x for slope in slopes.values() for x in (0.0, 100.0 * slope))]
    return ValueFunction(knots, np.array(weights, "<f4").tobytes())


def reading(*names, turn_fields=()):
    """A value function that says what is recorded, without a network."""
    return ValueFunction(tuple((name, ()) for name in names), b"", turn_fields=turn_fields)


def searcher(values, trials=64):
    return replace(registry.create_player("pig", "steady"), values=values, rollout_budget=trials)


@pytest.mark.plain
@pytest.mark.parametrize("name", GAMES)
def test_each_field_is_read_as_it_stands_in_the_record(name):
    """Whatever its width and sign, from each seat; random bytes stand in the records."""
    game = contract.load_game(name)
    workspace = Workspace(game)
    record = workspace.record.view(np.ndarray)[0]
    rng = np.random.default_rng(1)
    for part in ("tables", "hiddens"):
        entry = record[part][TRIAL : TRIAL + 1]
        entry[...] = np.frombuffer(rng.bytes(entry.nbytes), entry.dtype)
    table = record["tables"][TRIAL]
    table["seats"] = game.seats
    table["seat"] = 0
    fields = list_fields(game)
    assert len(fields) > 5
    layout = make_layout(game, reading(*fields))
    cells = workspace.record[0]
    for seat in range(game.seats):
        for f, label in enumerate(fields):
            own = record["hiddens"][TRIAL]["own"][seat]
            wanted = look_up(label, {"table": table, "own": own}, seat, game.seats)
            assert read_field(cells, layout, f, seat) == wanted, label


def look_up(label, records, seat, seats):
    """The number that a label such as `table.score[+1]` names, by NumPy alone."""
    if label == "viewer":
        return seat
    value = None
    for part in label.split("."):
        name, _, index = part.partition("[")
        value = records[part] if value is None else value[name]
        if index:
            places = [int(i) for i in index.strip("+]").split(",")]
            if index.startswith("+"):
                places[0] = (places[0] + seat) % seats
            value = value[tuple(places)]
    if label == "table.seat":
        return (int(value) - seat) % seats
    return int(np.array(value).astype(np.int64))


@pytest.mark.plain
def test_the_network_is_what_the_formula_says():
    game = contract.load_game("pig")
    rng = np.random.default_rng(2)
    knots = (("table.turn", (0.0, 5.0, 20.0)), ("table.score[+1]", (10.0, 30.0)))
    rows, hidden = rng.normal(size=(5, 4)), rng.normal(size=(2, 3))
    weights = np.concatenate([[0.5, 2.0], rows.ravel(), hidden.ravel()]).astype("<f4")
    values = ValueFunction(knots, weights.tobytes())
    packed, of_points = pack_values(game, values), pack_values(game, replace(values, win_weight=0.0, score_weight=1.0))
    workspace = Workspace(game)
    table = workspace.record.view(np.ndarray)[0]["tables"][TRIAL]
    table["seats"] = 2
    for turn, rival in ((0, 0), (3, 12), (5, 30), (17, 29), (40, 99)):
        table["turn"], table["score"] = turn, (7, rival)
        shares = np.zeros(5)
        shares[:3] = [np.interp(turn, knots[0][1], row) for row in np.eye(3)]
        shares[3:] = [np.interp(rival, knots[1][1], row) for row in np.eye(2)]
        *units, direct = shares @ weights[2:22].reshape(5, 4).astype(float)
        biases, slopes = weights[22:].reshape(2, 3).astype(float)
        x = np.array(units) + biases
        wanted = 0.5 + 2.0 * (direct + (x / np.sqrt(1 + x * x)) @ slopes)
        assert predict(workspace.record[0], of_points, 0) == pytest.approx(wanted, rel=1e-12)
        win = min(max(wanted, 0.0), 0.9999)
        assert predict(workspace.record[0], packed, 0) == pytest.approx(win, rel=1e-12), "less than a win"


def test_a_player_takes_the_option_after_which_it_expects_most():
    """Whoever counts only banked points rolls once, which is a tie that the default decides, and holds at once."""
    holds = sample(linear(**{"score[+0]": 0.01}))
    rolls = sample(linear(turn=0.01))
    assert set(holds[:, 0]) == {0, 2, 3, 4, 5, 6}
    assert rolls[:, 0].max() > 40


def test_a_search_to_the_end_of_the_turn_is_exact_where_all_results_can_be_tried():
    """To bank most points in a turn of Pig, hold at 20: only then a roll risks more than the four points it brings.

    Six trials are all results of a die, so that nothing is left to chance.
    """
    points = replace(linear(**{"score[+0]": 1.0}), win_weight=0.0, turn_fields=("table.turn",))
    found = sample(points, trials=6)
    turns, scores = found[:, 0], found[:, 1]
    banked = np.diff(scores)[(np.diff(scores) > 0) & (turns[1:] == 0) & (scores[:-1] < 60)]
    assert len(banked) > 10 and banked.min() >= 20 and banked.max() <= 26


def test_a_win_is_taken_though_more_is_hoped_for():
    """Who expects two wins from every position holds as soon as that wins; a tie is decided by the strategy."""
    hopes = ValueFunction((("table.turn", (0.0,)),), np.array([2.0, 1.0, 0.0], "<f4").tobytes())
    for turn_fields in ((), ("table.turn",)):
        engine = pig_engine(searcher(replace(hopes, turn_fields=turn_fields)), "steady")
        layout = make_layout(engine.game, reading("table.turn", "table.score[+0]"))
        found, _, _ = sample_positions(engine, Workspace(engine.game), (0,), layout, (1, 0, 40), 5000, 1.0, 0.0)
        assert found.sum(axis=1).max() < 106, "it rolls no more with the 100 points of a win"


def test_positions_before_decisions_of_a_judged_kind_are_judged_within_the_turn():
    """Who looks no further than the next roll, and counts only banked points, rolls once and holds."""
    points = replace(linear(**{"score[+0]": 1.0}), win_weight=0.0, turn_fields=("table.turn",))
    found = sample(replace(points, judged_kinds=("roll or hold",)), trials=6)
    assert set(found[:, 0]) == {0, 2, 3, 4, 5, 6}


@pytest.mark.plain
def test_a_kind_of_decisions_that_the_game_no_longer_has_is_refused():
    with pytest.raises(StrategyError, match="its values read a duel, which pig no longer has; train it again"):
        pig_engine(searcher(replace(linear(turn=1.0), judged_kinds=("a duel",))))


@pytest.mark.plain
@pytest.mark.parametrize(("trials", "each"), [(36, 1), (100, 1), (12, 2)])
def test_a_scheme_tries_all_results_equally_often(trials, each):
    """All pairs of two dice once if there are trials for that, or else each face of the first die as often."""
    workspace = Workspace(contract.load_game("pig"))
    cells = workspace.record[0]
    luck = workspace.lucks[TRIAL]
    for _ in range(2):  # the second time, the scheme is known
        lucky(luck, np.uint64(7))
        luck.log_on = 1
        below(luck, 0, 4, 0, 1, 6)
        below(luck, 0, 4, 0, 2, 6)
        assert find_scheme(cells, trials, np.uint64(5)) == 0
    record = workspace.record.view(np.ndarray)[0]
    n = record["schemes"]["n_keys"][0]
    found = np.zeros((6, 6))
    for key in record["trial_keys"][0, :n]:
        lucky(luck, key)
        found[below(luck, 0, 4, 0, 1, 6), below(luck, 0, 4, 0, 2, 6)] += 1
    assert (found == each).all() if trials >= 36 else (found.sum(axis=1) == each).all()


def test_positions_after_turns_are_recorded_where_the_search_goes_on_to_their_end():
    engine = pig_engine("steady", "steady")
    for turn_fields, least in (((), 2), (("table.turn",), 0)):
        layout = make_layout(engine.game, reading("table.turn", "table.seat", turn_fields=turn_fields))
        found, targets, _ = sample_positions(engine, Workspace(engine.game), (0,), layout, (3, 0, 20), 5000, 1.0, 0.0)
        assert found[:, 0].max() >= least and set(targets.tolist()) == {0.0, 1.0}
        if turn_fields:
            assert not found[:, 0].any() and (found[:, 1] == 1).all(), "the other is to move"


def test_positions_after_rounds_are_recorded_where_rollouts_lead_to_them():
    """Once a round, for either learner, with what the game brought to that one."""
    engine = pig_engine("steady", "steady")
    layout = make_layout(engine.game, replace(reading("viewer", "table.round", "table.score[+0]"), rounds=2))
    rows = allocate_rows(engine.game, 30)
    engine.play(Workspace(engine.game), 3, 0, 30, rows)
    viewers = []
    for game, winners in enumerate(np.asarray(rows)[WINNERS]):
        games = 3, game, game + 1
        found, targets, _ = sample_positions(engine, Workspace(engine.game), (0, 1), layout, games, 5000, 1.0, 0.0)
        assert (np.diff(found[:, 1]) == 1).all()
        assert targets.tolist() == [float(winners >> viewer & 1) for viewer in found[:, 0]]
        viewers += found[:, 0].tolist()
    assert 0.4 < np.mean(viewers) < 0.6


def in_rounds(rounds, seats=2.0, score=0.01):
    """Who searches by rollouts of so many rounds, after which points count, in games of so many seats."""
    points = linear(**{"score[+0]": score})
    knots = *points.knots, ("table.seats", (seats,))
    weights = np.append(np.frombuffer(points.weights, "<f4"), np.float32(0)).tobytes()
    return searcher(replace(points, knots=knots, weights=weights, score_weight=1e-4, rounds=rounds), trials=24)


def test_rollouts_go_on_for_some_rounds_before_positions_are_judged():
    """Whoever sees no more than its points after a round holds sooner than who sees the end of the game."""
    steps, turns = [], []
    for rounds in (1, 3, 1000):
        engine, workspace = pig_engine(in_rounds(rounds), "steady"), Workspace(contract.load_game("pig"))
        engine.play(workspace, 1, 0, 20, allocate_rows(engine.game, 20))
        steps.append(workspace.totals[ROLLOUT_STEPS] / workspace.totals[ROLLOUTS])
        turns.append(in_rounds(rounds).compute_digest())
    assert steps[0] < 0.5 * steps[1] < 0.5 * steps[2]
    assert len(set(turns)) == 3


def test_games_unlike_those_learned_from_are_played_out():
    """As by a search without values; so are those in which no round is the last one, but for what counts there."""
    plain = replace(in_rounds(1), values=None)
    outcomes = []
    for player in (plain, in_rounds(1, seats=3.0), in_rounds(1)):
        engine, workspace = pig_engine(player, "steady"), Workspace(contract.load_game("pig"))
        engine.play(workspace, 1, 0, 40, allocate_rows(engine.game, 40))
        outcomes.append(int(workspace.digest[0]))
    assert outcomes[0] == outcomes[1] != outcomes[2]


def sample(values, **how):
    engine = pig_engine(searcher(values, **how), "roll_twice")
    layout = make_layout(engine.game, reading("table.turn", "table.score[+0]"))
    found, _, _ = sample_positions(engine, Workspace(engine.game), (0,), layout, (1, 0, 5), 2000, 1.0, 0.0)
    return found


def test_a_value_function_of_another_game_is_refused():
    with pytest.raises(StrategyError, match=r"its values read table\.fuel, which pig no longer has; train it again"):
        pig_engine(searcher(linear(fuel=1.0)))
    short = ValueFunction((("table.turn", (0.0, 1.0)),), np.zeros(3, "<f4").tobytes())
    with pytest.raises(StrategyError, match="3 weights, which do not fit 2 knots"):
        pig_engine(searcher(short))


def test_targets_are_what_the_game_brought():
    """With the strategy alone, each position's target is 1 if its seat won the game, or else 0."""
    engine = pig_engine("steady", "steady")
    rows = allocate_rows(engine.game, 50)
    engine.play(Workspace(engine.game), 3, 0, 50, rows)
    won = np.asarray(rows)[2] & 1
    layout = make_layout(engine.game, reading("table.score[+0]"))
    for game in range(50):
        games = 3, game, game + 1
        _, targets, _ = sample_positions(engine, Workspace(engine.game), (0,), layout, games, 5000, 1.0, 0.0)
        assert set(targets.tolist()) == {float(won[game])}


def test_engines_of_players_with_other_values_are_not_confused():
    first, second = (Engine(contract.load_game("pig"), pig_engine().filled_box, [searcher(v)])
                     for v in (linear(turn=0.01), linear(**{"score[+0]": 0.01})))
    assert first.players[0].compute_digest() != second.players[0].compute_digest()


@pytest.mark.plain
def test_draws_of_few_trials_are_spread_evenly_and_are_fair():
    """Sixty throws of two dice: each face about ten times, where chance strays by three, and none is favoured."""
    workspace = Workspace(contract.load_game("pig"))
    luck = workspace.lucks[TRIAL]
    balance = workspace.record["balance"][0]
    record = workspace.record.view(np.ndarray)["balance"][0]
    record["draws"][:2] = [[0, 4, 0, 1, 6], [0, 4, 0, 2, 6]]
    record["n_draws"] = 2
    counts = np.zeros((40, 2, 6))
    first = np.zeros(6)
    for run in range(40):
        record["draw_counts"] = 0
        for trial in range(60):
            lucky(luck, choose_balanced_key(balance, luck, np.uint64(1000 * run + trial)))
            faces = [below(luck, 0, 4, 0, c, 6) for c in (1, 2)]
            counts[run, [0, 1], faces] += 1
            first[faces[0]] += trial < 6
    assert counts.std() < 1.2, "independent throws have 2.9"
    assert ((first - 40) ** 2 / 40).sum() < 20.5, "chi-squared with 5 degrees of freedom, one in a thousand"
