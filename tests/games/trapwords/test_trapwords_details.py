"""Numbers of the model and of the deal that decide little in a single game: each alone, by its definition."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from trapwords_case import Board, box

from hardmode.scenarios.load import create_variant
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.draws import bits, fraction, game_key, lucky
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.games.trapwords import GAME, traps
from hardmode.sim.games.trapwords.box import (
    _at_most,
    clock,
    fill_manners,
    lengths_of,
    lognormal,
    minds_of,
    monsters_of,
    tastes_of,
)
from hardmode.sim.games.trapwords.clues import FINE_BITS, FIRST_AT, GOING_ON, HALF, QUICK_AT, listen, secret_word, talk
from hardmode.sim.games.trapwords.curses import draw_curse, push_curses
from hardmode.sim.games.trapwords.names import (
    ANY_DECK,
    ANY_MONSTER,
    CARDS,
    CHANCE_BITS,
    FINE,
    FIRST_CURSE,
    FIRST_MONSTER,
    IN_BOX,
    MOST_TRAPS,
    NOBODY,
    A,
    B,
    Cause,
    Ending,
    Giver,
    Monster,
    Source,
    Trapper,
)
from hardmode.sim.games.trapwords.redeal import redeal, redeal_for
from hardmode.sim.games.trapwords.round import meet_curses, what_holds
from hardmode.sim.games.trapwords.setup import which_monster
from hardmode.sim.games.trapwords.turn import by_odds, play_turn, result
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain
FULL = {"switches__turns": "full", "model__scenes": 40}


@pytest.mark.parametrize("spread", [0.1, 0.5, 0.9])
def test_a_lognormal_factor_has_mean_1_and_its_spread(spread):
    factor = lognormal(20000, spread)
    assert factor.mean() == pytest.approx(1, abs=.004)
    assert np.log(factor).std() == pytest.approx(spread, rel=.004)


def test_the_clock_has_mean_1_and_the_variance_of_its_shape():
    assert clock(4.0).mean() == pytest.approx(1, abs=.002) and clock(4.0).var() == pytest.approx(1 / 4, abs=.01)


def manners(**rules):
    filled = blank(GAME.box)[0]
    fill_manners(filled, Values({**create_variant("trapwords").values, **rules}))
    return filled.manner


def test_only_the_adaptive_clue_giver_changes_its_way():
    found = manners(**{"giver.adaptive": 0.35})
    assert found[Giver.ADAPTIVE].until == 0.35
    assert {float(found[giver].until) for giver in Giver if giver != Giver.ADAPTIVE} == {1.0}
    assert [giver for giver in Giver if found[giver].filter[0] != found[giver].filter[1]] == [Giver.ADAPTIVE]


def test_some_clue_givers_have_manners_of_their_own():
    found = manners(**{"giver.patient": 3, "giver.tardy": 6, "giver.curt": 2, "giver.aimless.sentence": 0.4})
    held = {giver: int(found[giver].hold) for giver in Giver if found[giver].hold != 1}
    assert held == {Giver.PATIENT: 3, Giver.TARDY: 6}
    few = {giver: int(found[giver].budget) for giver in Giver if found[giver].budget < 999}
    assert few == {Giver.CURT: 2}
    plain = {giver: float(found[giver].sentence) for giver in Giver if found[giver].sentence != 1}
    assert plain == {Giver.AIMLESS: 0.4}


def test_what_a_word_asks_for_hangs_on_table_person_guessers_and_word():
    b = Board(**FULL)
    b.box.kappa[A], b.hidden.skill[A, b.table.torch[A]] = 3.0, 5.0
    b.box.quick[7], b.box.ease[11] = 0.25, 8.0
    word = np.uint64(7 << QUICK_AT | 11 << QUICK_AT + FINE_BITS)
    assert secret_word(b.box, b.table, b.hidden, A, word).ready == pytest.approx(3 * 5 * 0.25 * 8)
    assert len(b.box.quick) == len(b.box.ease) == FINE


def test_the_time_to_plan_is_taken_for_every_clue_but_perhaps_the_first():
    def time_of(clues, start):
        b = Board(switches__timer_start=start, turn__notice=0.0, turn__invalid=0.0, turn__first_guess=0.0,
                  turn__second_guess=0.0, turn__clue_shape=100.0, turn__words_per_clue=1.0, giver__terse=1.0,
                  turn__word_time=2.0, giver__naive__plan=10.0, turn__pause=1.0, **FULL)
        b.table.effect[A].budget = clues
        talk(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE, 55.0)
        return int(b.table.clues[A])

    assert time_of(3, "after_reading") == 3  # 36 seconds of clues; then nothing but pauses
    assert time_of(9, "after_reading") == 4  # at 12, 24, 36 and 48
    assert time_of(9, "first_clue") == 5  # at 2, 14, 26, 38 and 50


def test_the_word_is_read_while_the_sand_runs_if_it_is_turned_with_the_book():
    taken = {}
    for start in ("after_reading", "with_book"):
        b = Board(switches__timer_start=start, turn__reading=5.5, turn__kappa=500.0, turn__notice=0.0,
                  turn__invalid=0.0, turn__first_guess=1.0, turn__timer=500.0, **FULL)
        assert talk(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE, 500.0) == Cause.SUCCESS
        taken[start] = b.table.seconds[A]
    assert taken["with_book"] == pytest.approx(taken["after_reading"] + 5.5)


def test_the_curses_that_were_first_at_work_are_noted_by_their_number():
    b = Board()
    for cards, seen in ((1 << 3, (4, 0)), (1 << 3, (4, 0)), (1 << 3 | 1 << 6, (4, 7)), (1 << 9, (4, 7))):
        meet_curses(b.table, cards)
        assert (b.table.seen[0], b.table.seen[1]) == seen


@pytest.mark.parametrize("view", [A, B])
def test_from_a_teams_point_of_view_the_others_list_and_the_curses_are_dealt_afresh(view):
    b = Board()
    mine, others, beside = set(), set(), set()
    for key in range(60):
        b.hidden.own[A].list, b.hidden.own[B].list = Trapper.COVER, Trapper.SPLIT
        lucky(b.luck, game_key(key, 0))
        redeal_for(b.box, b.table, view, b.hidden, b.luck)
        mine.add(b.hidden.own[view].list)
        others.add(b.hidden.own[1 - view].list)
        beside.add(tuple(b.hidden.beside))
    assert mine == {(Trapper.COVER, Trapper.SPLIT)[view]} and len(others) > 5 and len(beside) > 20


def test_what_is_said_at_all_is_what_is_liked_of_the_words_in_reach():
    minds = replace(minds_of(Values(create_variant("trapwords").values), 3), scenes=5)
    taste = traps.Taste(least=2, extra=1, near=0.25, far=0.75)
    _, own = traps.people(minds)
    for length, reach in ((0, 2), (4, 5)):
        near = own[:, :reach].sum(1)
        said = 0.25 * near + 0.75 * (1 - near)
        assert traps._near_and_far(minds, taste, length) == pytest.approx(said)


@pytest.mark.parametrize("word, tries", [(0, 2), ((1 << CHANCE_BITS) - 1 << FIRST_AT, 1)])
def test_every_guess_takes_its_time_and_counts(word, tries):
    """Both chances of a guess are taken, or the second one only; what was told is not enough."""
    b = Board(turn__guess_time=2.5, turn__first_guess=0.9, turn__second_guess=0.9, **FULL)
    end, seconds, wrong = listen(b.box, b.table.effect[A], np.uint64(word), A, 0.0, 60.0, 10.0, 0)
    assert (end, seconds, wrong) == (GOING_ON, 10.0 + 2.5 * tries, tries)


def test_the_right_guess_ends_the_turn_and_so_does_the_last_wrong_one():
    b = Board(turn__guess_time=2.5, turn__first_guess=0.9, turn__second_guess=0.9, **FULL)
    effect, word = b.table.effect[A], np.uint64(0)
    assert listen(b.box, effect, word, A, 1.0, 60.0, 10.0, 0) == (Cause.SUCCESS, 12.5, 0)
    assert listen(b.box, effect, word, A, 0.0, 60.0, 10.0, 4) == (Cause.GUESSES, 12.5, 5)
    assert listen(b.box, effect, word, A, 1.0, 12.4, 10.0, 0) == (Cause.TIMER, 12.5, 0)


def small_minds(**changes):
    return replace(minds_of(Values(create_variant("trapwords").values), 3), scenes=12, **changes)


def test_what_is_thought_of_most_often_comes_first_and_of_equals_mostly_the_stronger():
    minds = small_minds()
    storm = traps.Brainstorm(minds, 0.3)
    scenes = np.arange(minds.scenes)
    for scene, drawn in zip(scenes, storm.draw(scenes, storm.start), strict=True):
        counts = np.bincount(drawn, minlength=traps.RANKS)
        luck = traps.uniform(traps.Luck.TIE, np.array([scene]), np.arange(traps.RANKS))[0]
        key = counts + storm.strength[scene] * (0.5 + luck) / 2
        words = sorted(set(drawn.tolist()), key=lambda word: -key[word])
        assert storm.ranked[scene, : storm.distinct[scene]].tolist() == words and storm.distinct[scene] == len(words)


def test_trappers_who_expect_a_clue_giver_to_stay_away_think_of_other_words():
    minds = small_minds()
    everything, nothing = traps.Brainstorm(minds, 0.3), traps.Brainstorm(minds, 0.3, reach=6, kept=1e-12)
    assert (everything.ranked[:, 0] < 6).all()
    assert (nothing.ranked >= 6).all()
    same = traps.Brainstorm(minds, 0.3, reach=6, kept=1.0)
    assert (same.ranked == everything.ranked).all()


def test_as_many_curses_as_there_is_room_for_are_allowed():
    names = [f"curse {n}" for n in range(3)]
    assert _at_most(names, 3, "curse") == names
    with pytest.raises(BadValue, match="has 3 entries; there can be 2"):
        _at_most(names, 2, "curse")


# --- teams, lists and turns -----------------------------------------------------------------------------


def test_more_guessers_find_a_word_sooner():
    large = box({"team_a": 5, "team_b": 4}, turn__size_exponent=0.5, turn__rapport=0.2, turn__kappa=0.4)[0]
    small = box({"team_a": 2, "team_b": 3}, turn__size_exponent=0.5, turn__rapport=0.2, turn__kappa=0.4)[0]
    kappas = [float(large["kappa"][A]), float(large["kappa"][B]), float(small["kappa"][A]), float(small["kappa"][B])]
    assert kappas == pytest.approx([0.48 * (guessers / 2) ** 0.5 for guessers in (4, 3, 1, 2)])


def test_lists_can_be_as_long_as_rooms_and_cards_say():
    plain = Board(curse__extra_traps__traps=0, curse__forbidden_word__traps=0, **FULL)
    assert lengths_of(plain.box) == [3, 4, 5, 6, 7]
    longer = Board(curse__extra_traps__traps=3, curse__forbidden_word__traps=0, **FULL)
    assert lengths_of(longer.box) == [3, 4, 5, 6, 7, 8, 9, 10]


def test_the_first_taste_likes_every_word_alike():
    values = Values(create_variant("trapwords").values)
    tastes = tastes_of(values)
    assert tastes[0] == traps.Taste(0, 0, 1.0, 1.0) and tastes[-1] == traps.Taste(0, 0, 1.0, 1.0, any_rank=True)
    minds = small_minds()
    assert traps._near_and_far(minds, tastes[0], 5) == pytest.approx(1)


@pytest.mark.parametrize("trappers, words", [(Trapper.OBVIOUS, 5), (Trapper.REPEAT, 1), (Trapper.STRAY, 5),
                                             (Trapper.SECOND, 5), (Trapper.SPLIT, 5), (Trapper.COVER, 5)])
def test_a_list_has_as_many_different_words_as_its_trappers_write(trappers, words):
    lists = traps.trap_list(small_minds(), trappers, 5)
    assert lists.shape == (12, words) and all(len(set(row)) == words for row in lists.tolist())


def test_ways_of_trapping_pass_over_the_words_that_they_say():
    minds = small_minds()
    most = traps.Brainstorm(minds, minds.familiar).words(7)
    for trappers, wanted in ((Trapper.OBVIOUS, most[:, :5]), (Trapper.SECOND, most[:, 2:7]),
                             (Trapper.REPEAT, most[:, :1]), (Trapper.SPLIT, most[:, [0, 1, 2, 5, 6]])):
        assert (traps.trap_list(minds, trappers, 5) == wanted).all()


def test_among_few_words_that_were_expected_to_be_avoided_the_kept_ones_count_less():
    minds = small_minds()
    storm = traps.Brainstorm(minds, 0.3, reach=6, kept=0.5)
    scenes = np.arange(minds.scenes)
    for scene, drawn in zip(scenes, storm.draw(scenes, storm.start), strict=True):
        counts = np.bincount(drawn, minlength=traps.RANKS)
        luck = traps.uniform(traps.Luck.TIE, np.array([scene]), np.arange(traps.RANKS))[0]
        expected = storm.strength[scene] * np.where(np.arange(traps.RANKS) < 6, 0.5, 1)
        key = counts + expected * (0.5 + luck) / 2
        words = sorted(set(drawn.tolist()), key=lambda word: -key[word])
        assert storm.ranked[scene, : storm.distinct[scene]].tolist() == words


@pytest.mark.parametrize("psi, giver", [(1.0, Giver.NAIVE), (0.0, Giver.OBLIQUE)])
def test_the_contrarian_speaks_like_one_of_two_others(psi, giver):
    def turn(chosen):
        b = Board(giver__contrarian=psi, **FULL)
        cause = play_turn(b.box, b.table, b.hidden, b.luck, A, chosen)
        return cause, b.table.seconds[A], b.table.clues[A]

    assert turn(Giver.CONTRARIAN) == turn(giver) != turn(Giver.CAUTIOUS)


def test_a_slower_clock_slows_every_clue():
    clues = []
    for factor in (1.0, 2.0):
        b = Board(turn__notice=0.0, turn__invalid=0.0, turn__first_guess=0.0, turn__second_guess=0.0, turn__pause=1.0,
                  turn__words_per_clue=1.0, giver__terse=1.0, turn__word_time=2.0, giver__naive__plan=10.0, **FULL)
        b.box.clock[:] = factor
        talk(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE, 50.0)
        clues.append(int(b.table.clues[A]))
    assert clues == [4, 2]


def test_a_turn_by_odds_takes_some_part_of_the_sand():
    b = Board()
    taken = []
    for key in range(1, 200):
        lucky(b.luck, game_key(key, 0))
        by_odds(b.box, b.table, b.luck, A, 40.0)
        taken.append(b.table.seconds[A])
    assert 0 <= min(taken) < 2 and 38 < max(taken) < 40 and np.mean(taken) == pytest.approx(20, abs=3)


def test_the_lead_changes_when_the_other_team_is_ahead():
    b = Board()
    for results, changes in (("SF", 0), ("FS", 0), ("FS", 1), ("SF", 1), ("SF", 2)):
        b.round(results)
        assert b.table.lead_changes == changes


def test_cards_of_ones_own_stand_behind_those_of_the_box():
    assert [which_monster(card) for card in range(IN_BOX)] == list(range(IN_BOX))
    assert which_monster(IN_BOX) == Monster.NONE + 1 and which_monster(IN_BOX + 1) == Monster.NONE + 2


def test_before_the_first_turn_no_turn_has_ended():
    b = Board()
    assert (b.table.cause[A], b.table.cause[B], b.table.leader) == (NOBODY, NOBODY, NOBODY)


def test_a_curse_that_lies_open_is_not_dealt_again():
    b = Board()
    room = next(p for p in range(b.box.n_rooms) if b.table.lie[p])
    b.table.shown[room] = b.hidden.beside[room]
    for key in range(40):
        lucky(b.luck, game_key(key, 0))
        redeal_for(b.box, b.table, A, b.hidden, b.luck)
        dealt = [int(b.hidden.beside[p]) for p in range(b.box.n_rooms)]
        assert dealt[room] == b.table.shown[room]
        assert sum(dealt) + b.hidden.pile == b.box.curses  # every card once


@pytest.mark.parametrize("place", ["discard", "drawn by team A", "drawn by team B"])
def test_a_curse_that_is_used_up_or_at_work_is_not_dealt_again(place):
    b = Board()
    card = int(b.hidden.pile & -b.hidden.pile)
    b.hidden.pile &= ~card
    if place == "discard":
        b.table.discard = card
    else:
        b.table.drawn[A if place == "drawn by team A" else B] = card
    for key in range(40):
        lucky(b.luck, game_key(key, 0))
        redeal_for(b.box, b.table, A, b.hidden, b.luck)
        dealt = sum(int(b.hidden.beside[p]) for p in range(b.box.n_rooms))
        assert dealt + b.hidden.pile == b.box.curses & ~card


def test_the_monsters_that_can_turn_up_are_those_of_the_box_and_ones_own():
    filled = blank(GAME.box)[0]
    for number in range(CARDS):
        filled.card[number].traps = number
    filled.new_monsters = 2

    def found(monster, starred):
        filled.monster, filled.starred = monster, starred
        return [int(card.traps) - FIRST_MONSTER for card in monsters_of(filled)]

    any_of = [*range(IN_BOX), Monster.NONE + 1, Monster.NONE + 2]
    assert found(ANY_MONSTER, 0) == [2 * monster for monster in any_of]
    assert found(ANY_MONSTER, ANY_DECK) == [2 * monster + star for monster in any_of for star in (0, 1)]
    assert found(Monster.TROLL, 1) == [2 * Monster.TROLL + 1]


@pytest.mark.parametrize("team", [A, B])
def test_wins_under_a_curse_are_counted_whichever_it_is(team):
    for active, drawn, counted in ((0, 0, 0), (1, 0, 1), (0, 1, 1), (2, 0, 1), (0, 4, 1)):
        b = Board()
        b.table.active[team], b.table.drawn[team] = active, drawn
        result(b.box, b.table, b.hidden, b.luck, team, Cause.TRAP)
        assert b.table.cursed_wins[team] == 0
        result(b.box, b.table, b.hidden, b.luck, team, Cause.SUCCESS)
        assert (b.table.cursed_wins[team], b.table.cursed_wins[1 - team]) == (counted, 0)


@pytest.mark.parametrize("faces", [False, True])
@pytest.mark.parametrize("cards", [(0,), (0, 1), (0, 2), (1, 2), (3,), (0, 1, 2, 9), (4, 7)])
def test_each_card_that_holds_counts_once(cards, faces):
    b = Board({"monster": "dragon"})
    monster = FIRST_MONSTER + 2 * Monster.DRAGON
    for number in range(1, CARDS):
        b.box.card[number].traps, b.box.card[number].share = number, 0.0
        b.box.card[number].invalid, b.box.card[number].timer = number / 1000, 1 + number / 100
    b.table.active[A], b.table.faces[A] = sum(1 << card for card in cards), faces
    what_holds(b.box, b.table, A)
    numbers = [FIRST_CURSE + card for card in cards] + [monster] * faces
    found = b.table.effect[A]
    assert b.table.length[A] == min(MOST_TRAPS, 3 + sum(numbers))
    assert found.invalid == pytest.approx(sum(numbers) / 1000)
    assert found.timer == pytest.approx(np.prod([1 + number / 100 for number in numbers]))


@pytest.mark.parametrize(("ahead", "met_by"), [("SF", 1), ("FS", 2), ("SS", 3)])
def test_what_is_counted_on_the_way_to_the_monster(ahead, met_by):
    """Four rounds to the monster past two curses, one round in which all fail before it, and a win."""
    b = Board()
    table, moved = b.table, [letter == "S" for letter in ahead]
    table.seconds[A], table.seconds[B] = 7.0, 5.0
    for number in range(1, 5):
        assert (table.round, table.met_round, table.met_room, table.met_by) == (number, 0, 0, 0)
        b.round(ahead)
    for number in (5, 6):
        assert (table.round, table.met_round, table.met_room, table.met_by) == (number, 5, 7, met_by)
        assert table.attempts.tolist() == [(number - 4) * goes for goes in moved]
        b.round("FF")
    assert table.stalls == 2 and table.talk == 6 * 12
    assert table.ends[Cause.SUCCESS].tolist() == [4 * goes for goes in moved]
    assert table.ends[Cause.TRAP].tolist() == [6 - 4 * goes for goes in moved]
    assert table.cursed.tolist() == table.cursed_wins.tolist() == [2 * goes for goes in moved]
    assert table.leads.tolist() == [0 if met_by == 3 else met_by] * 4 and table.lead_changes == 0
    b.round("SS")
    assert table.ending == (Ending.A_WINS, Ending.B_WINS, Ending.BOTH_WIN)[met_by - 1]


@pytest.mark.parametrize("glow", ["team_a", "team_b"])
def test_the_team_that_plays_first_draws_from_the_mummy_first(glow):
    b = Board({"monster": "mummy", "curses": "none"}, switches__monster_draw="draw_each", switches__first_book=glow)
    pile = int(b.hidden.pile)
    for _ in range(4):
        b.round("SS")
    first = b.table.first
    again = Board({"monster": "mummy", "curses": "none"}, switches__monster_draw="draw_each")
    assert draw_curse(again.box, again.table, again.hidden, again.luck) == b.table.drawn[first]
    assert first == (A if glow == "team_a" else B) and b.hidden.pile == pile & ~(b.table.drawn[A] | b.table.drawn[B])


def test_pushed_curses_stay_open_or_hidden():
    b = Board({"curses": "own"}, dungeon__own_curses=[1, 2])
    cards = [int(b.hidden.beside[room]) for room in (1, 2)]
    b.table.shown[2] = cards[1]
    push_curses(b.box, b.table, b.hidden, 2)
    assert b.hidden.beside.tolist()[:4] == [cards[0], cards[1], 0, 0]
    assert b.table.shown.tolist()[:4] == [0, cards[1], 0, 0] and b.table.lie.tolist()[:4] == [1, 1, 0, 0]


@pytest.mark.parametrize("most", [False, True])
def test_lists_are_as_long_as_any_cards_together_make_them(most):
    reading = "max" if most else "add"
    b = Board({"monster": "any", "starred": "any"}, switches__trap_additions=reading, switches__pushed_out="stay",
              switches__discard="clear_room_last")
    b.box.curses = 0b111
    for card, (traps_, share) in enumerate(((1, 0.0), (0, 0.5), (4, 0.0))):
        b.box.card[FIRST_CURSE + card].traps, b.box.card[FIRST_CURSE + card].share = traps_, share
    found = set()
    for room in (3, 4, 5, 6, 7):
        additions = [1, room // 2, 4]
        monsters = {0} | {int(card.traps) + int(card.share * room) for card in monsters_of(b.box)}
        for chosen, monster in itertools.product(itertools.product((0, 1), repeat=3), monsters):
            more = [monster] + [addition * taken for addition, taken in zip(additions, chosen, strict=True)]
            found.add(min(MOST_TRAPS, room + (max(more) if most else sum(more))))
    assert lengths_of(b.box) == sorted(found)


@pytest.mark.parametrize("seat", [A, B])
def test_a_team_that_decides_sees_the_same_either_way(seat):
    b = Board(**FULL)
    for key in range(5):
        dealt = []
        for deal in (redeal, redeal_for):
            b.deal(1)
            b.table.seat = seat
            b.hidden.own[A].list, b.hidden.own[B].list = Trapper.COVER, Trapper.SPLIT
            before = b.hidden.skill.copy()
            lucky(b.luck, game_key(key, 3))
            deal(b.box, b.table, b.hidden.own[seat] if deal is redeal else seat, b.hidden, b.luck)
            assert (b.hidden.skill[:, :3] != before[:, :3]).any()
            lists = [int(b.hidden.own[team].list) for team in (A, B)]
            assert lists[seat] == (Trapper.COVER, Trapper.SPLIT)[seat]
            dealt.append((lists, b.hidden.beside.tolist(), b.hidden.skill.tolist()))
        assert dealt[0] == dealt[1]


def test_a_dungeon_has_two_rooms_at_least():
    assert Board({"rooms": "own", "curses": "none"}, dungeon__rooms__own=[3, 5]).box.n_rooms == 2
    with pytest.raises(ScenarioError, match="two to 7 rising room numbers"):
        Board({"rooms": "own", "curses": "none"}, dungeon__rooms__own=[3])


def test_without_any_curse_left_none_is_drawn():
    b = Board(switches__empty_pile="reshuffle")
    b.table.discard = b.hidden.pile = 0
    taken = b.table.taken
    assert draw_curse(b.box, b.table, b.hidden, b.luck) == 0 and b.table.taken == taken


@pytest.mark.parametrize(("sand", "clues"), [(11.9, 0), (12.0, 1), (23.9, 1), (24.0, 2)])
def test_a_clue_may_end_with_the_last_grain(sand, clues):
    b = Board(turn__notice=0.0, turn__invalid=0.0, turn__first_guess=0.0, turn__second_guess=0.0, turn__pause=1.0,
              turn__words_per_clue=1.0, giver__terse=1.0, turn__word_time=2.0, giver__naive__plan=10.0, **FULL)
    b.box.clock[:] = 1.0
    assert talk(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE, sand) == Cause.TIMER
    assert b.table.clues[A] == clues


def test_a_chance_by_odds_leaves_out_its_end():
    b = Board()
    drawn = int(bits(b.luck, Source.ODDS, b.table.round, A, 0)) & (1 << HALF) - 1
    for more, cause in ((0, Cause.OTHER), (1, Cause.SUCCESS)):
        b.box.odds[A, b.box.rooms[0]] = (drawn + more) / (1 << HALF)
        assert by_odds(b.box, b.table, b.luck, A, 40.0) == cause


def test_a_guess_that_has_no_chance_is_not_made_and_one_may_end_with_the_last_grain():
    b = Board(turn__guess_time=2.5, turn__first_guess=0.0, turn__second_guess=0.0, **FULL)
    effect, word = b.table.effect[A], np.uint64(0)
    assert listen(b.box, effect, word, A, 1.0, 60.0, 10.0, 0) == (GOING_ON, 10.0, 0)
    b.box.guess_1 = 1
    assert listen(b.box, effect, word, A, 1.0, 12.5, 10.0, 0) == (Cause.SUCCESS, 12.5, 0)
    assert listen(b.box, effect, word, A, 0.999, 12.5, 10.0, 0) == (GOING_ON, 12.5, 1)


def test_the_chances_of_a_turn_leave_out_their_ends():
    """The contrarian's whim, and the luck under a card, for a chance that is just the number drawn or a little more."""
    b = Board(turn__kappa=500.0, turn__notice=0.0, turn__invalid=0.0, turn__first_guess=1.0, turn__timer=500.0, **FULL)
    whim, lost = (fraction(b.luck, source, b.table.round, A, 0) for source in (Source.WHIM, Source.CARD_LUCK))
    for more, giver, cause in ((0, Giver.OBLIQUE, Cause.OTHER), (1e-9, Giver.NAIVE, Cause.SUCCESS)):
        b.box.psi, b.table.effect[A].success = 0.5, 1.0
        play_turn(b.box, b.table, b.hidden, b.luck, A, giver)
        wanted = b.table.seconds[A]
        b.box.psi, b.table.effect[A].success = whim + more, lost + more
        assert play_turn(b.box, b.table, b.hidden, b.luck, A, Giver.CONTRARIAN) == cause
        assert b.table.seconds[A] == wanted
