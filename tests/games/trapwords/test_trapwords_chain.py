"""By given odds the game is a Markov chain: solved exactly, held to closed forms, and the simulator to it.

The simulator is compared in 24 parameter sets by a chi-square test of all endings by round and of all
first meetings by round and room, at a level of 1e-5 each: the suite is wrong once in two thousand runs
of fixed seeds, which is to say never again once it has passed.
"""

import random
from fractions import Fraction as F

import cards_chain
import numpy as np
import pytest
from cards_chain import Setting
from playing import column, engine, play
from scipy.stats import chisquare
from trapwords_case import box, solve

from hardmode.sim.games.trapwords import GAME

STANDARD = (3, 4, 5, 6, 7)
A_ONLY, B_ONLY, BOTH, MONSTER = 1, 2, 3, 0
LEVEL = 1e-5


def shares(rooms=STANDARD, slots=(), pa=None, pb=None, cursed=F(1), facing=F(1), rounds=8):
    """The shares of A, B, both and the monster, and the mean number of rounds, exactly."""
    odds = [p if isinstance(p, dict) else dict.fromkeys(range(1, 11), p) for p in (pa, pa if pb is None else pb)]
    ends, met = solve(rooms, slots, odds, cursed, facing, rounds)
    total = {won: sum(p for (w, _), p in ends.items() if w == won) for won in (A_ONLY, B_ONLY, BOTH, MONSTER)}
    return total, sum(p * r for (_, r), p in ends.items()), met


def listed(text, first=1):
    return {first + i: F(x) for i, x in enumerate(text.split())}


NAIVE = listed(".500 .358 .274 .221 .189 .172 .162 .155 .150 .147")
CAUTIOUS = listed(".715 .624 .557 .507 .465 .430 .405 .388 .376 .368")
OBLIQUE = listed(".738 .702 .671 .645 .617 .582 .552 .528 .510 .497")


# -- the chain itself -------------------------------------------------------------------------------


def test_even_odds_exactly():
    total, rounds, _ = shares(pa=F(1, 2))
    assert total == {A_ONLY: F(1711, 4096), B_ONLY: F(1711, 4096), BOTH: F(467, 4096), MONSTER: F(207, 4096)}
    assert rounds == F(1583, 256)


@pytest.mark.parametrize("p, a, both, monster, rounds", [
    (".2", .3207, .0391, .3195, 6.853), (".3", .3746, .0622, .1887, 6.598), (".4", .4044, .0865, .1047, 6.391),
    (".6", .4168, .1478, .0186, 5.949), (".7", .4009, .1940, .0042, 5.682), (".8", .3641, .2714, .0004, 5.399),
    (".9", .2767, .4466, .0000, 5.138)])
def test_equal_odds(p, a, both, monster, rounds):
    total, mean, _ = shares(pa=F(p))
    assert total[A_ONLY] == total[B_ONLY] and sum(total.values()) == 1
    assert [float(total[k]) for k in (A_ONLY, BOTH, MONSTER)] == pytest.approx([a, both, monster], abs=6e-5)
    assert float(mean) == pytest.approx(rounds, abs=6e-4)


@pytest.mark.parametrize("pa, pb, wanted", [
    (".5", ".4", (.5597, .2771, .0931, .0701)), (".6", ".4", (.7029, .1710, .0875, .0386)),
    (".6", ".5", (.5650, .2834, .1218, .0298)), (".7", ".5", (.7035, .1691, .1143, .0131))])
def test_unequal_odds(pa, pb, wanted):
    total, _, _ = shares(pa=F(pa), pb=F(pb))
    assert [float(total[k]) for k in (A_ONLY, B_ONLY, BOTH, MONSTER)] == pytest.approx(wanted, abs=6e-5)


@pytest.mark.parametrize("odds, rooms, slots, facing, wanted", [
    (NAIVE, STANDARD, (1, 3), ".85", (.2936, .0376, .3751, 7.005)),
    (CAUTIOUS, STANDARD, (1, 3), ".85", (.3887, .0944, .1282, 6.534)),
    (CAUTIOUS, STANDARD, (), ".85", (.3908, .0887, .1297, 6.520)),
    (CAUTIOUS, STANDARD, (1, 3), ".70", (.3680, .0745, .1895, 6.715)),
    (CAUTIOUS, (2, 4, 6, 8, 10), (0, 1, 2, 3), ".85", (.3759, .0907, .1575, 6.642)),
    (OBLIQUE, STANDARD, (1, 3), ".85", (.4060, .1397, .0483, 6.205)),
    (OBLIQUE, (2, 4, 6, 8, 10), (0, 1, 2, 3), ".85", (.3989, .1299, .0723, 6.358))])
def test_odds_by_room(odds, rooms, slots, facing, wanted):
    total, mean, _ = shares(rooms, slots, odds, cursed=F(".85"), facing=F(facing))
    found = [float(total[k]) for k in (A_ONLY, BOTH, MONSTER)] + [float(mean)]
    assert found == pytest.approx(wanted, abs=6e-4)


def test_sure_success_and_sure_failure():
    assert shares(pa=F(1))[0][BOTH] == 1 and shares(pa=F(1))[1] == 5
    total, _, met = shares(pa=F(0))
    assert total[MONSTER] == 1 and met[5, 3] == 1
    total, rounds, met = shares(pa=F(1), pb=F(0))
    assert total[A_ONLY] == 1 and rounds == 5 and met == {(5, 7): 1}


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_against_a_team_that_never_succeeds(n):
    p = F(3, 10)
    total, _, met = shares(tuple(range(3, 3 + n)), pa=p, pb=F(0))
    assert {r for r, _ in met} == {n} and sum(met.values()) == 1  # at the start of round n, whatever p
    assert total[A_ONLY] == 1 - (1 - p) ** (8 - n + 1)


@pytest.mark.parametrize("p", [F(1, 10), F(1, 3), F(1, 2), F(4, 5)])
def test_when_the_monster_is_first_met(p):
    """Exact polynomials in u = p(1-p)."""
    u = p * (1 - p)
    first = first_meetings(p)
    assert first[5] == 1 - 12 * u**2 + 24 * u**3 - 14 * u**4
    assert first[6] == 12 * u**2 - 24 * u**3 - 16 * u**4 + 40 * u**5
    assert first[7] == 30 * u**4 - 40 * u**5 - 20 * u**6
    assert first[8] == 20 * u**6


def first_meetings(p, rooms=STANDARD):
    _, _, met = shares(rooms, pa=p)
    return {r: sum(w for (at, _), w in met.items() if at == r) for r in range(1, 9)}


def test_where_the_monster_is_first_met():
    _, _, met = shares(slots=(1, 3), pa=CAUTIOUS, cursed=F(".85"), facing=F(".85"))
    rooms = {k: float(sum(w for (_, room), w in met.items() if room == k)) for k in STANDARD}
    assert [rooms[k] for k in (4, 5, 6, 7)] == pytest.approx([.06, .28, .45, .21], abs=.0051)


def test_longer_dungeons_are_not_always_crossed():
    six, seven = (sum(first_meetings(F(1, 2), tuple(range(3, 3 + n))).values()) for n in (6, 7))
    assert float(six) == pytest.approx(.9786, abs=5e-5) and float(seven) == pytest.approx(.7454, abs=5e-5)


# -- the simulator against the chain ----------------------------------------------------------------


def parameter_sets():
    dice = random.Random("trapwords")
    yield dict(rooms=STANDARD, slots=(), pa=F(1, 2), pb=F(1, 2), cursed=F(1), facing=F(1), rounds=8)
    yield dict(rooms=STANDARD, slots=(1, 3), pa=CAUTIOUS, pb=CAUTIOUS, cursed=F(17, 20), facing=F(17, 20), rounds=8)
    yield dict(rooms=(2, 4, 6, 8, 10), slots=(0, 1, 2, 3), pa=NAIVE, pb=OBLIQUE, cursed=F(1, 2), facing=F(7, 10),
               rounds=8)
    for _ in range(21):
        rooms = tuple(sorted(dice.sample(range(1, 11), dice.randint(3, 7))))
        slots = tuple(sorted(dice.sample(range(len(rooms) - 1), dice.randint(0, min(4, len(rooms) - 1)))))
        pa, pb = ({k: F(dice.randint(2, 98), 100) for k in range(1, 11)} for _ in range(2))
        yield dict(rooms=rooms, slots=slots, pa=pa, pb=pb, cursed=F(dice.randint(20, 100), 100),
                   facing=F(dice.randint(20, 100), 100), rounds=dice.randint(4, 12))


def simulated(case, games, seed):
    odds = {f"odds__{team}": [float(p[k] if isinstance(p, dict) else p) for k in range(1, 11)]
            for team, p in (("team_a", case["pa"]), ("team_b", case["pb"]))}
    made = box({"rooms": "own", "curses": "own", "monster": "own"}, dungeon__rooms__own=list(case["rooms"]),
               dungeon__own_curses=list(case["slots"]), dungeon__rounds=case["rounds"],
               odds__cursed=float(case["cursed"]), odds__monster=float(case["facing"]),
               curse__forbidden_word__in_box=False, **odds)
    return play(engine("trapwords", made), games, seed=seed)


def agree(counted, expected, games):
    """Counts against exact chances, thin cells put together."""
    assert all(expected.get(k, 0) > 0 for k in counted), "something happened that cannot"
    keys = [k for k in expected if expected[k] > 0]
    seen = np.array([counted.get(k, 0) for k in keys], float)
    wanted = np.array([float(expected[k]) * games for k in keys])
    thin = wanted < 8
    if thin.any():
        seen = np.append(seen[~thin], seen[thin].sum())
        wanted = np.append(wanted[~thin], wanted[thin].sum())
        if wanted[-1] < 8 and len(wanted) > 1:
            seen, wanted = np.append(seen[:-2], seen[-2:].sum()), np.append(wanted[:-2], wanted[-2:].sum())
    if len(wanted) > 1:
        assert chisquare(seen, wanted * seen.sum() / wanted.sum()).pvalue > LEVEL


@pytest.mark.parametrize("number", range(24))
def test_simulation_and_chain_agree(number):
    case = list(parameter_sets())[number]
    games = 40_000
    rows = simulated(case, games, seed=100 + number)
    won = {0: A_ONLY, 1: B_ONLY, 2: BOTH, 3: MONSTER}
    counted = tally((won[e], r) for e, r in zip(rows[0].tolist(), rows[1].tolist(), strict=True))
    ends, met = solve(case["rooms"], case["slots"],
                      [p if isinstance(p, dict) else dict.fromkeys(range(1, 11), p) for p in (case["pa"], case["pb"])],
                      case["cursed"], case["facing"], case["rounds"])
    agree(counted, ends, games)
    met_round, met_room = (column(GAME, rows, f"{what} of the first fight").tolist() for what in ("round", "room"))
    counted = tally(zip(met_round, met_room, strict=True))
    agree(counted, {**met, (0, 0): 1 - sum(met.values())}, games)


def tally(keys):
    found = {}
    for key in keys:
        found[key] = found.get(key, 0) + 1
    return found


def test_stalls_are_as_frequent_as_the_chain_says():
    """Rounds without advance at even odds: 1.546 on average."""
    case = next(parameter_sets())
    stalls = column(GAME, simulated(case, 40_000, 7), "rounds without advance")
    assert stalls.mean() == pytest.approx(1.546, abs=5 * stalls.std() / 200)


def test_failing_on_purpose_pays_with_weak_teams_and_a_hard_monster():
    """Weak teams, a very hard monster: each team wins .19 of the games, .32 where both let the monster come."""
    odds = {"odds__team_a": [float(x) for x in NAIVE.values()], "odds__team_b": [float(x) for x in NAIVE.values()]}
    made = box({"monster": "own", "curses": "none"}, odds__monster=.4, switches__deliberate_failure=True, **odds)
    q = NAIVE[3] * F(2, 5)
    alone = sum((1 - q) ** (2 * i) * q * (1 - q) for i in range(4))
    both = sum((1 - q) ** (2 * i) * q * q for i in range(4))
    total, _, _ = shares(pa=NAIVE, facing=F(2, 5))
    assert float(total[A_ONLY] + total[BOTH]) == pytest.approx(.19, abs=.006)
    assert float(alone + both) == pytest.approx(.32, abs=.005)
    games = 40_000
    for who, wanted in (("cautious", total[A_ONLY] + total[BOTH]), ("retreat", alone + both)):
        wins = float((play(engine("trapwords", made, who), games)[2] & 1).mean())
        assert wins == pytest.approx(float(wanted), abs=5 * (.25 / games) ** .5)
    loophole = play(engine("trapwords", made, "loophole"), games)
    assert column(GAME, loophole, "failed: on purpose 1").sum() > 0


def test_the_tie_break_splits_shared_wins_evenly():
    made = box({"curses": "none", "monster": "own"}, switches__tiebreak="fastest", odds__monster=1.0,
               odds__team_a=[.7] * 10, odds__team_b=[.7] * 10)
    games = 60_000
    counts = np.bincount(play(engine("trapwords", made), games)[0], minlength=4)
    total, _, _ = shares(pa=F(7, 10))
    assert counts[2] == 0
    assert counts[0] / games == pytest.approx(float(total[A_ONLY] + total[BOTH] / 2), abs=5 * (.25 / games) ** .5)


def test_who_begins_does_not_matter():
    made = box({"curses": "two", "monster": "own"}, odds__cursed=.6)
    rows = play(engine("trapwords", made), 60_000)
    book = column(GAME, rows, "first book")
    share = [float((rows[0][book == t] == 0).mean()) for t in (0, 1)]
    assert share[0] == pytest.approx(share[1], abs=5 * (2 * .25 / 30_000) ** .5)


# -- cards, books and times -------------------------------------------------------------------------

LETTERS = {"F": ("flood",), "H": ("haste",), "W": ("forbidden_word",),
           "P": ("petrification", "echo", "feeble_minded", "letter_ban", "extra_traps", "fewer_guesses", "unknown")}
BOOKS = [Setting(odds=(p, q), facing=f, first_book=book, fastest=True, slots=())
         for p, q, f in ((.45, .45, .7), (.7, .7, .45), (.45, .7, .85), (.7, .45, .85))
         for book in ("team_a", "team_b")]
CARDS = [
    Setting(odds=(.45, .45), facing=.7, deck="FHP", curses=1, first_book="team_a", fastest=True, draw_each=True,
            reshuffle=False),
    Setting(odds=(.45, .7), cursed=.45, facing=.7, deck="FHWPP", slots=(0, 1, 2, 3), curses=2, first_book="team_a",
            fastest=True, draw_each=True, reshuffle=False),
    Setting(odds=(.7, .7), cursed=.45, facing=.7, deck="FHP", curses=2, fastest=True, draw_each=True),
    Setting(odds=(.7, .45), cursed=.45, facing=.85, deck="P", slots=(), curses=1, draw_each=True),
    Setting(odds=(.6, .5), cursed=.5, deck="FHPP", curses=2, first_book="team_b", fastest=True),
    Setting(odds=(.5, .5), cursed=.45, deck="FHWP", first_book="team_a", per_team=True, reshuffle=False),
    Setting(odds=(.5, .4), cursed=.45, deck="HWPP", curses=1, first_book="team_b", per_team=True, draw_each=True,
            fastest=True),
    Setting(odds=(.4, .4), cursed=.3, deck="FHPPP", slots=(0, 1, 2, 3), sticky=True, first_book="team_b"),
]


def play_setting(setting, games, seed):
    """The number of games that A, B, both teams and the monster win."""
    odds = {f"odds__{team}": [p] * 10 for team, p in zip(("team_a", "team_b"), setting.odds, strict=True)}
    cards = {f"curse__{name}__in_box": i < setting.deck.count(letter)
             for letter, names in LETTERS.items() for i, name in enumerate(names)}
    own = {"dungeon__own_curses": list(setting.slots)} if setting.slots else {}
    deck = "starred" if setting.curses == 2 else "normal"
    chosen = {"monster": "mummy" if setting.curses else "own", "starred": deck,
              "curses": "own" if setting.slots else "none"}
    made = box(chosen, odds__cursed=setting.cursed, odds__monster=setting.facing, odds__starred=setting.facing,
               switches__first_book=setting.first_book, switches__sticky_curse=setting.sticky,
               switches__tiebreak="fastest" if setting.fastest else "none",
               switches__both_cursed="per_team" if setting.per_team else "shared",
               switches__monster_draw="draw_each" if setting.draw_each else "shared",
               switches__empty_pile="reshuffle" if setting.reshuffle else "no_curse", **own, **odds, **cards)
    return np.bincount(play(engine("trapwords", made), games, seed=seed)[0], minlength=5)


@pytest.mark.parametrize("number", range(len(BOOKS) + len(CARDS)))
def test_simulation_and_the_chain_of_cards_agree(number):
    setting, games = [*BOOKS, *CARDS][number], 200_000
    counts = play_setting(setting, games, 300 + number)
    wanted = cards_chain.solve(setting)
    assert counts[4:].sum() == 0 and sum(wanted) == pytest.approx(1)
    agree({k: n for k, n in enumerate(counts.tolist()) if n}, dict(enumerate(wanted)), games)


@pytest.mark.parametrize("p, f, wanted", [(.45, .7, .4108), (.7, .45, .4349), (.7, .7, .4836)])
def test_whoever_holds_the_book_two_equal_teams_win_alike_by_the_faster_turn(p, f, wanted):
    """The second has the sand that the first used, which is as likely shorter as longer: half of the shared wins."""
    total, _, _ = shares(pa=F(str(p)), facing=F(str(f)))
    assert float(total[A_ONLY] + total[BOTH] / 2) == pytest.approx(wanted, abs=6e-5)
    for book in ("team_a", "team_b", "random"):
        found = cards_chain.solve(Setting(odds=(p, p), facing=f, slots=(), first_book=book, fastest=True))
        assert found == pytest.approx([wanted, wanted, 0, float(total[MONSTER])], abs=6e-5)


def test_the_first_to_play_draws_first_so_that_no_team_runs_short_of_curses_because_of_its_letter():
    setting = Setting(odds=(.7, .7), cursed=.45, facing=.7, deck="FHP", curses=1, draw_each=True, reshuffle=False)
    wanted = cards_chain.solve(setting)
    assert wanted[0] == pytest.approx(wanted[1])
    games = 200_000
    counts = play_setting(setting, games, 7)
    assert abs(counts[0] - counts[1]) / games < 5 * (2 * wanted[0] / games) ** .5
