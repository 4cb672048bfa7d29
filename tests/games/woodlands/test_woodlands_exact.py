"""Chances against enumeration, the clock by arithmetic, and what holds in every game."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import hardmode.strategies.woodlands as play
from hardmode.scenarios.load import create_variant
from hardmode.sim import replay
from hardmode.sim.draws import below
from hardmode.sim.games.woodlands import GAME, words
from hardmode.sim.games.woodlands.names import Ending, Mode
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import Workspace, allocate_rows

GAMES = 3000


def random_choice(box, table, own, options, n, luck, weights):
    return below(luck, 0, 0, 0, 0, n)


def played(choose, n=GAMES, weights=(), seed=5, players=2, setup=None, rules=None):
    box = create_variant("woodlands", players=players, setup=setup or {}, rules=rules or {}).box
    engine = Engine(GAME, box, [Player(choose.__name__, choose, tuple(weights), 0, "here")])
    desk, out = Workspace(GAME), allocate_rows(GAME, n)
    engine.play(desk, seed, 0, n, out)
    return dict(zip(GAME.columns, np.asarray(out), strict=True))


# --- exact ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "power", "faces", "need", "orbs", "won"), [
    (1, None, 3, 1, 0, "1/2"), (1, None, 3, 1, 1, "3/4"), (1, None, 3, 1, 3, "15/16"), (1, None, 3, 2, 9, "0"),
    (2, None, 3, 2, 0, "1/4"), (2, None, 3, 2, 1, "1/2"), (2, None, 3, 2, 2, "11/16"), (3, None, 3, 2, 0, "1/2"),
    (2, None, 2, 1, 0, "5/9"), (2, None, 2, 2, 0, "1/9"), (2, None, 2, 2, 3, "131/243"),
    (3, None, 2, 2, 2, "131/243"), (1, 3, 3, 2, 0, "1/4"), (1, 4, 3, 2, 0, "1/3"), (1, 2, 3, 2, 0, "1/6"),
    (2, None, 3, 2, 0, "1/4"), (4, 3, 3, 4, 4, "191/256"), (4, 2, 2, 3, 4, "12259/19683"),
    (3, None, 3, 3, 0, "1/8"), (4, None, 3, 3, 0, "5/16")])
def test_the_chance_of_a_combat(dice, power, faces, need, orbs, won):
    table = np.asarray(create_variant("woodlands").box["chance"])[0]

    def chance(m):
        return 1.0 if m <= 0 else table[faces, dice + orbs, m] if dice >= m else 0.0

    found = chance(need) if power is None else (power * chance(need - 1) + (6 - power) * chance(need)) / 6
    assert abs(found - float(Fraction(won))) < 1e-12


def test_hero_dice_by_enumeration():
    rolls = list(product(range(1, 7), repeat=4))
    assert Fraction(sum(max(r) >= 4 for r in rolls), len(rolls)) == Fraction(15, 16)
    assert Fraction(sum(max(r) >= 5 for r in rolls), len(rolls)) == Fraction(65, 81)


# --- every game -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fuzz():
    return {n: played(random_choice, players=n, setup={"lairs": True, "inn": True, "enraged": ["all"]})
            for n in (2, 3, 4)}


def test_every_game_ends_by_the_rules(fuzz):
    for rows in fuzz.values():
        ends = {Ending.labels()[e] for e in np.unique(rows["ending"])}
        assert ends <= {"boss beaten", "all downed", "threat full"}


def test_nothing_leaves_its_bounds(fuzz):
    for n, rows in fuzz.items():
        assert rows["hearts"].min() >= 0 and rows["hearts"].max() <= 5 * n
        assert rows["orbs"].min() >= 0 and rows["orbs"].max() <= 10 * n
        assert rows["loot cards"].max() <= 3 * n
        assert rows["tiles placed"].max() <= 24 and rows["threat share"].max() <= 100
        assert (rows["hearts"] == 0).tolist() == (rows["ending"] == Ending.ALL_DOWN).tolist()


def test_orbs_spent_were_gained(fuzz):
    for rows in fuzz.values():
        spent = sum(rows[k] for k in rows if k.startswith("orbs:"))
        assert (spent <= rows["orbs gained"]).all()


@pytest.mark.parametrize(("players", "at"), [(2, 12), (3, 8), (4, 6)])
def test_the_clock_of_the_stack(players, at):
    """Without risky moves the boss shows itself when the 23rd tile is asked for."""
    rows = played(random_choice, 2000, players=players, setup={"heroes": ["klethor", "bethras"]},
                  rules={"switches.no_tile_fits": "skip"})
    quiet = (rows["risky steps"] == 0) & (rows["reveal"] == 2)
    assert quiet.sum() > 0
    shown = rows["reveal round"][quiet]
    assert shown.max() <= at and (shown == at).mean() > 0.5


def test_a_boss_shown_by_the_stack_ends_the_game_in_three_rounds_at_most():
    rows = played(random_choice, setup={"boss": "spirit_lord"})
    full = (rows["ending"] == Ending.THREAT_FULL) & (rows["reveal"] == 2)
    assert full.sum() > 100
    length = (rows["rounds"] - rows["reveal round"])[full]
    assert length.min() >= 0 and length.max() <= 8


# --- strategies -------------------------------------------------------------------------------------


def test_the_strategies_rank():
    wins = []
    for name in ("random", "beginner", "steady"):
        choose = random_choice if name == "random" else getattr(play, name)
        wins.append(np.mean(played(choose, 2000, play.WEIGHTS.get(name, {}).values())["ending"] == 0))
    assert wins[0] + 0.02 < wins[1] < wins[2] - 0.1


@pytest.mark.parametrize(("mode", "least"), [("chapter 1", 0.45), ("chapter 2", 0.35), ("chapter 3", 0.03),
                                              ("chapter 4", 0.45), ("chapter 5", 0.14)])
def test_steady_plays_for_the_task_of_every_chapter(mode, least):
    """Five to ten points below what it wins in long runs; a party that waits for ever would show as capped."""
    won, capped = [], []
    for choose, weights in ((random_choice, ()), (play.steady, play.WEIGHTS["steady"].values())):
        ends = played(choose, 1000, weights, setup={"mode": mode})["ending"]
        won.append(np.mean(ends == Ending.CHAPTER_WON))
        capped.append(np.mean(ends == len(Ending.labels())))
    assert won[0] + 0.02 < won[1] and won[1] > least and capped[1] < 0.05


def test_a_campaign_has_its_chapters_in_a_row():
    rows = played(play.steady, 60, play.WEIGHTS["steady"].values(), setup={"mode": "campaign"})
    ended = {Ending.labels()[e] for e in np.unique(rows["ending"])}
    assert ended <= {"campaign finished", "campaign abandoned"}
    for c in range(1, 6):
        begun = rows[f"tries at chapter {c}"] > 0
        assert (begun == (rows["chapter"] >= c)).all() and rows[f"tries at chapter {c}"].max() <= 10
    for c in range(1, 5):
        assert (rows[f"finished chapter {c}"] == (rows["chapter"] > c)).all()
    assert (rows["finished chapter 5"] == (rows["ending"] == Ending.CAMPAIGN_DONE)).all()
    assert (rows["enraged types"] == np.minimum(rows["chapter"] - 1, 4)).all()


def test_a_harder_bramble_card_is_not_easier():
    wins = [np.mean(played(play.steady, 4000, play.WEIGHTS["steady"].values(), setup={"brambles": b})["ending"] == 0)
            for b in ("easy", "hard")]
    assert wins[0] > wins[1]


def test_more_hearts_of_the_boss_lose_games():
    wins = [np.mean(played(play.steady, 1500, play.WEIGHTS["steady"].values(), setup={"boss": "spirit_lord"},
                           rules={"boss.spirit_lord.hearts": hearts})["ending"] == 0) for hearts in (2, 3, 4)]
    assert wins[0] > wins[1] > wins[2]


def test_a_round_is_announced_after_what_ends_the_old_one():
    """The orb that the last die of a round gains is told before the heading, the tile that is drawn then behind it."""
    box = create_variant("woodlands", players=2).box
    engine = Engine(GAME, box, [Player("steady", play.steady, tuple(play.WEIGHTS["steady"].values()), 0, "here")])
    headings = 0
    for number in range(4):
        lines = replay.sentences(replay.story(engine, 1, number), words)
        for i, line in enumerate(lines):
            if line.startswith("-- round "):
                headings += 1
                told = lines[lines.index("", i) + 1]
                assert not told.startswith("  "), told
                assert " draws the " not in lines[i - 2]
    assert headings > 20


@pytest.mark.parametrize("mode", Mode.labels())
def test_every_mode_can_be_told(mode):
    box = create_variant("woodlands", players=2, setup={"mode": mode, "lairs": True, "inn": True},
                  rules={"limit.tries": 1}).box
    engine = Engine(GAME, box, [Player("steady", play.steady, tuple(play.WEIGHTS["steady"].values()), 0, "here")])
    for number in range(3):
        story = replay.story(engine, 1, number)
        assert story.ending in GAME.all_endings
        text = "\n".join(replay.sentences(story, words))
        assert "[St" in text or mode in ("chapter 3", "chapter 4")
        assert " rolls " in text and "'s dice: " in text and "{" not in text
        assert json.dumps(story.to_list())
