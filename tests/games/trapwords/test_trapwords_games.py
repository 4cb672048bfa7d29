"""Whole games: the full model against the chain, strategies by strength, what the switches do to results."""

import itertools

import numpy as np
import pytest
from playing import column, engine, play
from trapwords_case import solve

from hardmode.scenarios.load import create_variant, list_scenario_files, load_scenario
from hardmode.sim.games.trapwords import GAME
from hardmode.sim.games.trapwords.calibrate.practice import practise
from hardmode.sim.games.trapwords.names import Cause, Giver, Trapper

N = 30_000
PLAIN = {"monster": "none", "curses": "none"}


def shares(rows):
    """A alone, B alone, both, the monster."""
    return np.bincount(rows[0], minlength=4)[:4] / rows.shape[1]


@pytest.mark.parametrize(
    "who, giver", [("naive", Giver.NAIVE), ("cautious", Giver.CAUTIOUS), ("oblique", Giver.OBLIQUE)]
)
def test_full_games_are_the_chain_of_their_own_success_rates(who, giver):
    box = create_variant("trapwords", setup=PLAIN, rules={"turn.skill": 0.0}).box
    odds = {k: practise(box, k - 3, Trapper.OBVIOUS, giver, 200_000).share() for k in range(3, 8)}
    ends, _ = solve((3, 4, 5, 6, 7), (), (odds, odds), 1.0, 1.0)
    wanted = [sum(p for (w, _), p in ends.items() if w == won) for won in (1, 2, 3, 0)]
    assert shares(play(engine("trapwords", box, who), N)) == pytest.approx(wanted, abs=5 * (0.25 / N) ** 0.5)


def test_every_turn_is_counted_once():
    rows = play(engine("trapwords", create_variant("trapwords").box, "cautious"), N)
    for team in (1, 2):
        ends = sum(
            column(GAME, rows, f"{name} {team}")
            for name in (
                "successes",
                "failed: trap",
                "failed: invalid clue",
                "failed: wrong guesses",
                "failed: timer",
                "failed: card or odds",
                "failed: on purpose",
            )
        )
        assert (ends == rows[1]).all()
        assert (column(GAME, rows, f"cursed successes {team}") <= column(GAME, rows, f"cursed turns {team}")).all()
    met = column(GAME, rows, "round of the first fight")
    assert met.min() >= 0 and (met[met > 0] >= 5).all() and (rows[1] >= 5).all()
    assert shares(rows)[3] == pytest.approx(0.112, abs=0.03)


def won(box, *players, games=N):
    """How often each seat wins, alone or together."""
    winners = play(engine("trapwords", box, *players), games)[2]
    return (winners & 1).mean(), (winners >> 1 & 1).mean()


RANKS = ("random", "beginner", "steady", "cunning")


def apart(better, worse, games):
    """Whether two shares of as many games differ by more than five standard errors."""
    return better - worse > 5 * ((better * (1 - better) + worse * (1 - worse)) / games) ** 0.5


@pytest.mark.parametrize(
    "weaker, stronger",
    [
        *itertools.combinations(RANKS, 2),
        ("naive", "beginner"),
        ("beginner", "anticipate"),
        ("second", "beginner"),
        ("beginner", "oblique"),
        ("contrarian", "oblique"),
        ("stray", "beginner"),
        ("repeat", "beginner"),
        *((fool, "random") for fool in ("blunt", "chatty", "tardy")),
        ("aimless", "beginner"),
    ],
)
def test_the_better_team_wins_more_whichever_seat_it_has(weaker, stronger):
    box = create_variant("trapwords").box
    for seat, players in enumerate(((stronger, weaker), (weaker, stronger))):
        rates = won(box, *players)
        assert apart(rates[seat], rates[1 - seat], N)


@pytest.mark.parametrize("opponent", ["steady", "cunning"])
def test_ranks_against_one_and_the_same_opponent(opponent):
    box, games = create_variant("trapwords").box, 400_000
    rates = [won(box, who, opponent, games=games)[0] for who in RANKS]
    assert all(apart(better, worse, games) for worse, better in itertools.pairwise(rates)), rates


def test_no_pair_of_ways_beats_the_cunning():
    """Of all ways of speaking with all ways of trapping, always the same two, none does better against it."""
    from hardmode.strategies.registry import create_player

    box, games = create_variant("trapwords").box, 8_000
    for giver, trapper in itertools.product(Giver, Trapper):
        pair = create_player("trapwords", "fixed", {"giver": giver, "trapper": trapper})
        theirs, cunning = won(box, pair, "cunning", games=games)
        assert not apart(theirs, cunning, games), (giver.label, trapper.label)


def test_the_cunning_listen_first_where_hardly_a_guess_is_left():
    """Before the starred Vampire, one guess in a turn: the patient team finds more than all that guess at once."""
    box = create_variant("trapwords", setup={"curses": "none", "monster": "vampire", "starred": "starred"}).box
    found = [practise(box, 2, Trapper.ANTICIPATE, giver, N, monster=True).share() for giver in Giver]
    assert max(Giver, key=found.__getitem__) == Giver.PATIENT
    assert found[Giver.PATIENT] > found[Giver.OBLIQUE] + 0.05


def test_alone_too_the_better_beat_the_monster_more():
    """The monster's share falls from naive over cautious to oblique teams on both sides, with the same traps."""
    box = create_variant("trapwords").box
    monster = [shares(play(engine("trapwords", box, who), N))[3] for who in ("naive", "cautious", "oblique")]
    assert all(a - b > 0.03 for a, b in itertools.pairwise(monster)), monster


def test_mixed_and_fixed_are_what_their_weights_say():
    from hardmode.strategies.registry import create_player

    box = create_variant("trapwords").box
    fixed = create_player("trapwords", "fixed", {"giver": 2, "trapper": 0})
    assert (play(engine("trapwords", box, fixed), 500) == play(engine("trapwords", box, "oblique"), 500)).all()
    names = [n for n in variant_weights() if n not in ("giver_cautious", "trapper_second")]
    mixed = create_player("trapwords", "mixed", dict.fromkeys(names, 0.0))
    assert (play(engine("trapwords", box, mixed), 500) == play(engine("trapwords", box, "second"), 500)).all()


def variant_weights():
    from hardmode.strategies.trapwords import WEIGHTS

    return WEIGHTS["mixed"]


def test_the_dark_side_of_a_card_is_seen_in_its_games():
    """The monsters differ by more than chance, as their effects do."""
    cells = {}
    for name in ("none", "vampire", "troll"):
        box = create_variant("trapwords", setup={"curses": "none", "monster": name, "starred": "starred"}).box
        cells[name] = shares(play(engine("trapwords", box, "cautious"), N))[3]
    assert cells["none"] < cells["troll"] < cells["vampire"]
    assert cells["none"] == pytest.approx(0.086, abs=0.02) and cells["vampire"] == pytest.approx(0.350, abs=0.02)


@pytest.mark.parametrize("rounds, monster", [(7, 0.26), (8, 0.13), (9, 0.06), (10, 0.03)])
def test_the_round_limit_decides_how_often_the_monster_wins(rounds, monster):
    box = create_variant("trapwords", setup={"monster": "own"}, rules={"dungeon.rounds": rounds, "turn.skill": 0.0}).box
    assert shares(play(engine("trapwords", box, "cautious"), N))[3] == pytest.approx(monster, abs=0.015)


@pytest.mark.parametrize(
    "a, b, wanted",
    [
        (2, 2, (0.388, 0.388)),
        (2, 3, (0.341, 0.437)),
        (3, 4, (0.369, 0.413)),
        (4, 4, (0.393, 0.393)),
        (2, 4, (0.322, 0.462)),
    ],
)
def test_team_sizes(a, b, wanted):
    box = create_variant(
        "trapwords",
        setup={"monster": "own", "team_a": a, "team_b": b},
        rules={"switches.teams": "any", "turn.skill": 0.0},
    ).box
    assert shares(play(engine("trapwords", box, "cautious"), N))[:2] == pytest.approx(wanted, abs=0.02)


def test_a_doubtful_trap_costs_time_but_changes_no_result():
    at_once, late = (
        create_variant("trapwords", setup=PLAIN, rules={"switches.doubtful_trap": reading}).box
        for reading in ("at_once", "retroactive")
    )
    first, second = (practise(box, 2, Trapper.OBVIOUS, Giver.CAUTIOUS, N) for box in (at_once, late))
    assert first.share(Cause.SUCCESS) == second.share(Cause.SUCCESS)
    assert second.share(Cause.TRAP) >= first.share(Cause.TRAP)
    trapped = first.rows[0] == Cause.TRAP
    assert (second.rows[0][trapped] == Cause.TRAP).all() and (second.rows[1] >= first.rows[1]).all()
    assert second.rows[1][trapped].mean() > first.rows[1][trapped].mean() + 10


def test_a_turn_without_a_guess_ends_with_the_sand():
    silent = {"turn.first_guess": 0.0, "turn.second_guess": 0.0, "turn.family": 0.0, "turn.invalid": 0.0}
    box = create_variant("trapwords", setup={"monster": "troll", "curses": "none"}, rules=silent).box
    for monster in (False, True):  # the Troll's clue-giver falls silent
        assert practise(box, 2, Trapper.OBVIOUS, Giver.CAUTIOUS, 200, monster=monster).share(Cause.TIMER) == 1


def test_when_the_sand_is_turned():
    timeouts = {}
    for reading in ("with_book", "after_reading", "first_clue"):
        box = create_variant("trapwords", setup=PLAIN, rules={"switches.timer_start": reading}).box
        timeouts[reading] = practise(box, 2, Trapper.OBVIOUS, Giver.OBLIQUE, N).share(Cause.TIMER)
    assert timeouts["with_book"] > timeouts["after_reading"] > timeouts["first_clue"]


def test_the_same_luck_meets_every_variant():
    """One second more of sand: nearly every game stays as it was."""
    base, longer = (create_variant("trapwords", rules={"turn.timer": t}).box for t in (37.0, 38.0))
    a, b = (play(engine("trapwords", box), 5000) for box in (base, longer))
    assert (a[0] == b[0]).mean() > 0.97 and (a != b).any()


def test_genres_may_differ_in_their_words():
    share = [0.0, 0.0, 0.0, 0.0, 1.0]
    fantasy, contemporary = (
        practise(
            create_variant("trapwords", setup={**PLAIN, "genre": genre}, rules={"words.share.contemporary": share}).box,
            0,
            Trapper.OBVIOUS,
            Giver.NAIVE,
            N,
        ).share()
        for genre in ("fantasy", "contemporary")
    )
    assert contemporary < fantasy - 0.05  # words with few associations are trapped more easily


MUMMY = {"monster": "mummy", "starred": "starred"}


@pytest.mark.parametrize(
    "switch, reading, setup, rules",
    [
        ("empty_pile", "no_curse", {**MUMMY, "curses": "four"}, {}),
        ("empty_pile", "no_curse", MUMMY, {"switches.monster_draw": "draw_each"}),
        ("empty_pile", "no_curse", MUMMY, {"curse.haste.in_box": False}),
        ("two_cards", "add_up", MUMMY, {}),
        ("two_cards", "add_up", {"rooms": "three"}, {"switches.three_rooms": "stack"}),
        ("trap_additions", "max", MUMMY, {}),
        ("trap_additions", "max", {"rooms": "three"}, {"switches.three_rooms": "stack"}),
    ],
)
def test_a_switch_matters_where_its_note_says(switch, reading, setup, rules):
    for setup_, rules_, matters in (({}, {}, False), (setup, rules, True)):
        rows = [
            play(
                engine("trapwords", create_variant("trapwords", setup=setup_, rules={**rules_, **more}).box, "random"),
                N,
            )
            for more in ({}, {f"switches.{switch}": reading})
        ]
        assert (rows[0] != rows[1]).any() == matters


def test_every_scenario_that_is_shipped_can_be_played():
    found = [name for name in list_scenario_files() if name.startswith("trapwords/")]
    assert len(found) >= 20 and "trapwords/standard" in found
    for name in ("standard", "on-purpose", "trappers", "uncertainty"):
        cells = load_scenario(f"trapwords/{name}")
        assert cells
