"""The solved games in examples/ have their published values, computed and played."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from hardmode.cli import app
from tests.oracles import battle, five_dice, kuhn_poker, ladders, pig, zilch

ROOT = Path(__file__).parents[2]
GAMES = ("pig", "ladders", "battle", "kuhn_poker", "zilch", "five_dice")


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.setenv("HARDMODE_PATH", str(ROOT / "examples"))


def test_computed_values_are_the_published_ones():
    assert ladders.mean_spins() == pytest.approx(39.225, abs=5e-4)
    assert {lost: p * 7776 for lost, p in battle.losses(3, 2).items()} == {0: 2275, 1: 2611, 2: 2890}
    assert battle.chance_to_conquer(10, 10) == pytest.approx(0.5676, abs=5e-5)
    assert pig.chances(pig.hold_at_20, pig.hold_at_20)[0][0, 0] == pytest.approx(0.53470, abs=5e-6)
    assert zilch.best_average() == pytest.approx(620.855, abs=5e-4)


def test_kuhn_poker_is_in_equilibrium():
    for alpha in (0, 1 / 6, 1 / 3):
        player = kuhn_poker.equilibrium(alpha)
        assert kuhn_poker.value(player, player) == pytest.approx(-1 / 18)
        assert kuhn_poker.best_response(player, 0) == pytest.approx(-1 / 18)
        assert kuhn_poker.best_response(player, 1) == pytest.approx(1 / 18)
    assert kuhn_poker.best_response(kuhn_poker.equilibrium(1 / 2 - 1 / 6), 1) < kuhn_poker.best_response(
        kuhn_poker.honest, 1), "an honest player can be exploited"


def test_five_dice_has_its_published_value():
    """254.5896 (Glenn 2006) with free jokers."""
    assert five_dice.solve()[0, 0, 0] == pytest.approx(254.5896, abs=5e-5)


@pytest.mark.soak
def test_five_dice_has_its_published_value_with_forced_jokers():
    assert five_dice.solve(forced=True)[0, 0, 0] == pytest.approx(254.5877, abs=5e-5)


def test_played_games_agree_with_the_exact_values(examples):
    """With the seed of every run, so that it fails only if a game or the engine has changed."""
    from tests.oracles.__main__ import VALUES, play_rows

    limit = stats.norm.isf(0.01 / 2 / len(VALUES))
    for value in VALUES:
        numbers = value.measure(play_rows(value.scenario, value.players, 40_000)).astype(float)
        z = (numbers.mean() - value.exact()) / (numbers.std(ddof=1) / len(numbers) ** 0.5)
        assert abs(z) < limit, (value.game, value.name, z)


def test_best_responses_in_pig_have_their_published_values():
    """58.737 % as first and 52.238 % as second player against holding at 20."""
    steady = pig.list_gains(pig.tabulate(pig.hold_at_20))
    assert pig.exploit(steady) == pytest.approx((0.58737, 0.52238), abs=5e-6)
    pace = pig.list_gains(pig.tabulate(pig.keep_pace))
    assert pig.play_gains(steady, pace) == pytest.approx(pig.chances(pig.hold_at_20, pig.keep_pace)[0][0, 0], abs=1e-9)


@pytest.mark.soak
def test_what_decisions_lose_agrees_with_the_games(examples):
    """The best value less what decisions lose is the mean that is played, in Five dice and in Zilch."""
    from tests.oracles.__main__ import average, five_dice_losses, play_rows, zilch_losses

    best, games = five_dice.solve()[0, 0, 0], 4000
    scores = play_rows("five_dice/solitaire", ("steady",), games, seed=9)["score 1"]
    turns = play_rows("zilch/solitaire", ("steady",), 20, seed=9)["score 1"] / 1000
    for top, lost, played in ((best, five_dice_losses("steady", 300), average(scores)),
                              (zilch.best_average(), zilch_losses("steady", 4), average(turns))):
        z = (top - lost[0] - played[0]) / (lost[1] ** 2 + played[1] ** 2) ** 0.5
        assert abs(z) < 3.5, (top, lost, played)


def test_players_are_asked_what_they_do_in_positions_that_are_set_up(examples):
    from tests.oracles.__main__ import seat_players

    honest = kuhn_poker.query_player(seat_players("kuhn_poker/classic", "honest"), keys=10)
    steady = kuhn_poker.query_player(seat_players("kuhn_poker/classic", "equilibrium"))
    for card in range(3):
        for history in ("", "p", "b", "pb"):
            assert honest(card, history) == kuhn_poker.honest(card, history)
            assert steady(card, history) == pytest.approx(kuhn_poker.equilibrium(1 / 6)(card, history), abs=0.015)


@pytest.mark.soak
def test_bounds_hold_the_best_play_and_are_narrow(examples, capsys):
    """58.737 % in Pig: the bound for who does not know the draws is less than a point above."""
    from tests.oracles.__main__ import pig_best, print_ceilings

    assert print_ceilings(0.2)
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert 0 <= float(lines["pig/classic"].split()[3]) - pig_best() + 0.001 < 0.01
    assert "no bound was found" in lines["five_dice/solitaire"]
    assert lines["ladders/classic"].split()[3] == "1.00000", "without decisions nothing can be gained"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_short_and_has_a_page_of_its_source(game):
    page = (ROOT / "examples" / game / "README.md").read_text()
    assert "## Source" in page and "## Known values" in page
    rules = (ROOT / "examples" / game / "__init__.py").read_text().splitlines()
    assert len([line for line in rules if line.strip()]) <= 250


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_sound(examples, game):
    done = CliRunner().invoke(app, ["check-game", game, "--quick"])
    assert done.exit_code == 0 and f"{game}: sound" in done.output


@pytest.mark.soak
def test_what_a_search_expects_of_the_last_turn_is_exact(examples):
    """In Five dice, where only the last turn is left, the targets of the training are the exact values."""
    from dataclasses import replace

    from hardmode.sim.play.value_samples import sample_positions
    from hardmode.sim.play.values import ValueFunction, make_layout
    from hardmode.sim.play.workspace import Workspace
    from hardmode.strategies import registry
    from tests.oracles.__main__ import five_dice_values, seat_players

    game = "five_dice"
    nothing = ValueFunction((), bytes(8), 0.0, 1.0, turn_fields=tuple(registry.list_turn_fields(game)))
    player = replace(registry.create_player(game, "steady"), values=nothing, rollout_budget=1296)
    engine = seat_players("five_dice/solitaire", player)
    names = [f"table.filled[{box}]" for box in range(five_dice.BOXES)]
    knots = tuple((name, ()) for name in (*names, "table.upper", "table.points[11]"))
    layout = make_layout(engine.game, replace(nothing, knots=knots))
    found, targets, follows = sample_positions(engine, Workspace(engine.game), (0,), layout, (3, 0, 20), 300, 0.0, 0.2)
    filled, upper, five = found[:, : five_dice.BOXES], np.minimum(63, found[:, -2]), found[:, -1] > 0
    last = filled.sum(axis=1) == five_dice.BOXES - 1
    exact = five_dice_values()[filled @ (1 << np.arange(five_dice.BOXES)), upper, five.astype(int)]
    assert last.sum() == 20 and not follows[last].any() and follows[~last].all()
    assert np.abs(targets - exact)[last].max() < 0.5, "four of five dice are tried in all their results"


@pytest.mark.plain
def test_a_search_goes_on_to_a_judged_kind_until_something_was_drawn(examples):
    """Who expects nothing of later turns keeps 1, 1, 1 and 5 to bank 1,050: rolling three dice of six risks that.

    Without a look past the dice that are kept, all ways to keep some would tie, and `steady` keep 1, 1 and 1.
    """
    from dataclasses import replace

    from hardmode.sim.play.decisions import Context, Policies, Rules, search_as_configured
    from hardmode.sim.play.values import ValueFunction
    from hardmode.sim.play.workspace import REAL, Workspace
    from hardmode.strategies import registry
    from tests.oracles.__main__ import seat_players

    def search(boxes, workspaces, rules, choose, stand_ins, seat_configs, default):
        context = Context(boxes[0], workspaces[0], Rules(*rules), Policies(choose, stand_ins, seat_configs[0]), 1000)
        workspace = context.workspace
        table, options = workspace.tables[REAL], workspace.lists[0]
        context.rules.setup(context.box, table, workspace.hiddens[REAL], workspace.lucks[REAL])
        table.count[:] = 3, 1, 1, 0, 1, 0
        n = context.rules.options(context.box, table, workspace.hiddens[REAL], options)
        codes = [int(option) for option in options[:n]]
        return codes[search_as_configured(context, 0, n, codes.index(default), np.uint64(3))]

    three_ones, with_a_five = 3, 3 + 7**4
    fields, kinds = registry.list_turn_fields("zilch"), registry.list_judged_kinds("zilch")
    nothing = ValueFunction((), bytes(8), 0.0, 1.0, 1.0, tuple(fields), tuple(kinds))
    player = replace(registry.create_player("zilch", "steady"), values=nothing, rollout_budget=6)
    made = seat_players("zilch/solitaire", player)
    assert made.run_samples(search, Workspace(made.game), three_ones, []) == with_a_five


def test_a_game_for_points_is_answered_by_its_points(examples):
    said = CliRunner().invoke(app, ["run", "five_dice/solitaire", "--games", "200", "--seed", "3"]).output
    assert "Steady players score 2" in said and "points on average, in 200 games." in said
    assert "of the box are assumed" not in said
