"""The shares of luck in games whose answer is known, by going through all that can be drawn."""

import itertools
import json
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.sim.contract import discovery
from hardmode.studies.core.run import Effort
from hardmode.studies.luck import analysis as studied

TOYS = Path(__file__).parent / "toys"
SURE = 0.999  # of each interval: some 150 of them hold at fixed seeds
COINS = "the players' own chance"


@pytest.fixture(scope="module", autouse=True)
def toys():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
        yield


def tosses(rule, strategy="steady", games=4000, seed=1, **how):
    from hardmode.scenarios.load import load_scenario

    scenario = load_scenario("tosses/standard", [f"setup.rule={rule}"], strategies=[strategy])
    return studied.analyze_luck(scenario, Effort(seed=seed, confidence=SURE, threads=1), games=games, **how)


def exact(rule, strategy, outcome):
    """First order and total of every source and of the coin, by all that can come of them."""
    import tosses as game

    which = game.RULES.index(rule)
    sizes = (*game.SIZES, 2 if strategy == "random" else 1)
    values = np.zeros(sizes)
    for drawn in itertools.product(*map(range, sizes)):
        score = game.scored(which, *drawn[:5], drawn[5] if strategy == "random" else 1)
        values[drawn] = score if outcome == "score" else score >= 4
    axes = range(6)
    first = [values.mean(axis=tuple(x for x in axes if x != k)).var() / values.var() for k in axes]
    return first, [values.var(axis=k).mean() / values.var() for k in axes]


def holds(e, truth):
    return e.low - 1e-9 <= truth <= e.high + 1e-9


@pytest.mark.parametrize(
    "rule, strategy",
    [
        ("die", "steady"),
        ("agree", "steady"),
        ("sum", "steady"),
        ("deal", "steady"),
        ("whim", "random"),
        ("whim", "steady"),
    ],
)
def test_every_share_is_the_one_that_counting_gives(toys, rule, strategy):
    found = tosses(rule, strategy)
    names = [*(part.name for part in found.sources), COINS]
    assert names == ["deal", "weather", "die", "left coin", "right coin", COINS]
    for outcome, shares in found.outcomes.items():
        first, total = exact(rule, strategy, outcome)
        for k, part in enumerate([*found.sources, found.player_randomness]):
            share = found.get_share(shares, part)
            assert holds(share.first, first[k]), (outcome, part.name, share.first, first[k])
            assert holds(share.total, total[k]), (outcome, part.name, share.total, total[k])
            assert share.first.half_width < 0.06 and share.total.half_width < 0.06
        assert holds(shares.first_order_sum, sum(first)) and holds(shares.interaction, 1 - sum(first))


def test_one_die_that_decides_all_has_all(toys):
    found = tosses("die", games=400)
    die = found.get_share(found.win_shares, found.sources[2])
    assert die.first.value == die.total.value == found.win_shares.first_order_sum.value == 1
    assert all(found.get_share(found.win_shares, part).total.value == 0 for part in found.sources if part.name != "die")


def test_two_coins_that_must_agree_hold_nothing_alone_and_each_of_them_all(toys):
    found = tosses("agree")
    for name in ("left coin", "right coin"):
        share = found.get_share(found.win_shares, next(part for part in found.sources if part.name == name))
        assert holds(share.first, 0) and share.total.value > 0.95 and share.interaction.value > 0.9
    assert holds(found.win_shares.interaction, 1)


def test_the_set_up_is_told_as_one(toys):
    found = tosses("deal")
    [setup] = found.combined_sources
    assert setup.source_names == ("deal", "weather") and setup.draws == 2
    share = found.get_share(found.win_shares, setup)
    assert share.first.value == share.total.value == 1
    assert holds(found.get_share(found.win_shares, found.sources[0]).first, 0)


def test_one_draw_is_asked_for_by_its_address(toys):
    found = tosses("die", draw="die 1", games=400)
    other = tosses("die", draw="die 2 0 0", games=400)
    assert (
        found.combined_sources[-1].draws == 1
        and found.get_share(found.win_shares, found.combined_sources[-1]).total.value == 1
    )
    assert (
        other.combined_sources[-1].draws == 0
        and other.get_share(other.win_shares, other.combined_sources[-1]).total.value == 0
    )


def test_who_plays_is_counted_beside_the_luck(toys):
    """random wins with coin and die, beginner never, steady with the die: the expert searches and is left out."""
    found = tosses("whim")
    assert found.level_names == ["random", "beginner", "steady"] and found.skipped_levels == ["expert"]
    won = np.array([[die and coin, 0, die] for die in (0, 1) for coin in (0, 1)], float)
    between, luck = won.mean(axis=0).var() / won.var(), won.mean(axis=1).var() / won.var()
    levels = found.level_variance
    assert holds(levels.players, between) and holds(levels.luck, luck) and holds(levels.interaction, 1 - between - luck)


def test_what_swapping_says_does_not_hang_on_threads(toys):
    from hardmode.scenarios.load import load_scenario

    pig = load_scenario("pig/classic")
    one, two = (studied.analyze_luck(pig, Effort(threads=n), games=500).win_shares for n in (1, 2))
    assert one == two


def test_a_level_plays_against_steady_whoever_else_the_scenario_names(toys):
    """The page measures levels against steady players, and the command gives the same number."""
    from hardmode.scenarios.load import load_scenario

    rates = []
    for name in ("steady", "beginner"):
        pig = load_scenario("pig/classic", strategies=[name])
        rates.append(studied.analyze_luck(pig, Effort(threads=1), games=400).win_rates)
    assert rates[0] == rates[1] and rates[0]["beginner"] != rates[0]["steady"]


def test_pig_is_all_die_for_players_who_never_toss_a_coin_and_less_for_those_who_do(toys):
    steady, random = (
        studied.analyze_luck({"game": "pig", "strategies": [who]}, Effort(confidence=SURE), games=1000)
        for who in ("steady", "random")
    )
    [die] = steady.win_shares.indices[:1]
    assert (
        die.first.value == die.total.value == 1
        and steady.get_share(steady.win_shares, steady.player_randomness).total.value == 0
    )
    assert (
        random.win_shares.indices[0].first.high < 1
        and random.get_share(random.win_shares, random.player_randomness).total.low > 0.1
    )
    assert random.win_shares.indices[0].first.value + random.get_share(
        random.win_shares, random.player_randomness
    ).total.value == pytest.approx(1)


def command(*words):
    return CliRunner().invoke(app, ["luck", *words], env={"COLUMNS": "140"})


def test_the_command_prints_one_object(toys):
    done = command("tosses/standard", "--games", "400", "--set", "setup.rule=sum", "--draw", "die 1", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["sources"][0]["source"] == "die"
    for s in told["sources"]:
        assert 0 <= s["low"] <= s["total"] <= s["high"] <= 1 and s["first_low"] <= s["first"] <= s["first_high"]
        assert s["total"] - s["first"] == pytest.approx(s["interactions"]) and s["score"]["total"] >= 0
    assert told["play"]["total"] == 0 and told["games"] == 400
    assert told["setup"]["of"] == ["deal", "weather"] and told["draw"]["address"] == "die 1"
    assert {"share", "low", "high", "luck", "both", "rungs", "left_out", "games"} <= told["between_levels"].keys()


def test_the_command_says_it_in_words_and_in_its_time(toys):
    done = command("tosses/standard", "--seconds", "1", "--set", "setup.rule=agree", "--details")
    assert done.exit_code == 0
    for words in (
        "left coin",
        "the variance of winning",
        "the variance of the score",
        "set-up, as one (deal and weather)",
        COINS,
        "Among equals",
        "Among unequals",
        "Expert is left out",
    ):
        assert words in done.output
    order = ("Among unequals", "Among equals", "sources of chance")
    skill, equals, table = (done.output.rindex(text) for text in order)
    assert skill < equals < table  # the answer comes before its table


def test_where_nothing_can_be_won_there_is_nothing_to_share(toys):
    done = command(
        "tosses/standard", "--games", "200", "--set", "setup.rule=whim", "--strategy", "beginner", "--details"
    )
    assert done.exit_code == 0 and "there is no variance to explain" in done.output
    told = json.loads(
        command(
            "tosses/standard", "--games", "200", "--set", "setup.rule=whim", "--strategy", "beginner", "--json"
        ).stdout
    )
    assert told["sources"][0]["total"] is None


@pytest.mark.parametrize(
    "draw, says",
    [
        ("dice 1 0 0", "did you mean die?"),
        ("moon", "there are deal, weather, die"),
        ("die", "write for example 'die 0'"),
        ("die 1 0 0 0", "at most three whole numbers"),
        ("die one", "no such draw"),
    ],
)
def test_a_draw_that_cannot_be_is_told_in_a_line(toys, draw, says):
    import tosses

    with pytest.raises(studied.LuckError) as why:
        studied.parse_draw_address(tosses.GAME, draw)
    assert says in str(why.value) and "\n" not in str(why.value)


@pytest.mark.parametrize("games", [1, 2, 41])
def test_a_handful_of_games_says_little_and_never_too_much(toys, games):
    found = tosses("agree", games=games)
    for part in (*found.win_shares.indices, *found.score_shares.indices):
        e = part.total
        assert np.isnan(e.value) or (0 <= e.low <= e.value <= e.high <= 1 and (games > 2 or e.low == 0))
