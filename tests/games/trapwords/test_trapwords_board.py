"""The board, round by round: the worked examples, curses, the monster's walk, who begins, who wins."""

import itertools

import pytest
from trapwords_case import Board

from hardmode.sim.draws import game_key, lucky
from hardmode.sim.games.trapwords import GAME, curses, words
from hardmode.sim.games.trapwords.curses import discard_active, draw_against, draw_curse, push_curses, turn_up
from hardmode.sim.games.trapwords.names import A, B, Cause, Curse, Ending, Giver
from hardmode.sim.games.trapwords.redeal import redeal
from hardmode.sim.games.trapwords.round import begin_round
from hardmode.sim.games.trapwords.turn import by_odds, play_turn, result
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain


def test_set_up():
    b = Board()
    assert b.rooms == (3, 3) and b.monster == 7 and b.curses == [4, 6] and b.table.round == 1
    assert bin(b.hidden.pile).count("1") == 7 and b.table.discard == 0 and b.table.first == A
    assert b.table.seats == 2 and not b.table.frozen
    drawn = Board({"monster": "any", "starred": "any"})
    found = [(drawn.deal(key).table.monster, drawn.table.starred) for key in range(120)]
    assert {monster for monster, _ in found} == set(range(5)) and {starred for _, starred in found} == {0, 1}
    assert {starred for monster, starred in found if monster == 2} == {0, 1}


def test_the_example_of_the_rulebook():
    b = Board().round("FF")
    assert b.monster == 6 and b.curses == [4, 5] and b.rooms == (3, 3)


def test_all_fail():
    b = Board()
    seen = []
    for _ in range(7):
        seen.append((b.monster, b.curses, b.cursed))
        b.round("FF")
    assert seen == [(7, [4, 6], ""), (6, [4, 5], ""), (5, [3, 4], "AB"), (4, [3], "AB"), (3, [], ""), (3, [], ""),
                    (3, [], "")]
    assert b.facing == "AB" and b.table.length[A] == b.table.length[B] == 3 and b.table.ending == -1
    b.round("FF")
    assert b.table.ending == Ending.MONSTER_WINS and b.monster == 3 and b.table.attempts[A] == 4


def test_a_leader_alone():
    b = Board()
    for r in range(1, 6):
        assert b.cursed == ("A" if r in (2, 4) else "") and b.monster == 7
        assert b.table.first == (A if r == 1 else B) and b.table.length[B] == 3
        assert b.facing == ("A" if r == 5 else "")
        b.round("SF")
    assert b.table.ending == Ending.A_WINS and b.table.round == 5 and b.table.length[A] == 7


def test_a_mixed_game():
    b = Board().round("SF")
    assert b.rooms == (4, 3) and b.cursed == "A"
    b.round("FF")
    assert b.monster == 6 and b.curses == [5] and b.cursed == ""
    b.round("SS")
    assert b.rooms == (5, 4) and b.cursed == "A"
    b.round("FS")
    assert b.rooms == (5, 5) and b.curses == [] and b.cursed == "" and b.monster == 6
    b.round("SF")
    assert b.facing == "A" and b.rooms == (6, 5) and b.table.first == B
    b.round("FS")
    assert b.facing == "AB" and b.monster == 6
    assert b.round("SS").table.ending == Ending.BOTH_WIN


def test_the_longest_approach():
    b = Board()
    cursed = []
    for results in ("SF", "FS", "SF", "FS", "SF", "FS", "SF"):
        cursed.append((b.table.round, b.cursed))
        assert b.facing == ""
        b.round(results)
    assert b.table.round == 8 and b.monster == 7 and b.facing == "A"
    assert [r for r, who in cursed if who] == [2, 6] and {who for _, who in cursed if who} == {"A"}


def test_the_monster_comes_to_the_leader():
    b = Board().round("SF").round("SF")
    assert b.rooms == (5, 3)
    b.round("FF")
    assert b.monster == 6 and b.curses == [5] and b.cursed == "A"
    b.round("FF")
    assert b.monster == 5 and b.facing == "A" and b.table.length[A] == 5 and b.table.first == B
    assert b.round("FF").monster == 5


def test_both_win():
    b, cursed = Board(), []
    while b.table.ending < 0:
        cursed.append(b.cursed)
        b.round("SS")
    assert (b.table.ending, b.table.round, cursed) == (Ending.BOTH_WIN, 5, ["", "AB", "", "AB", ""])


def test_the_alternative_dungeon():
    b, seen = Board({"rooms": "alternative", "curses": "four"}), []
    for _ in range(4):
        assert b.cursed == "AB"
        b.round("FF")
        seen.append((b.monster, b.curses))
    assert seen == [(8, [2, 4, 6]), (6, [2, 4]), (4, [2]), (2, [])]


def test_a_chain_of_three():
    b = Board({"curses": "own"}, dungeon__own_curses=[1, 2, 3]).round("FF")
    assert b.curses == [3, 4, 5] and b.cursed == "AB"
    b.round("FF")
    assert b.monster == 5 and b.curses == [3, 4]


def test_lists_are_as_long_as_the_opponents_room_says():
    b = Board().round("FS")
    assert b.table.length[A] == 3 and b.table.length[B] == 4


def test_who_begins():
    b = Board()
    assert b.table.first == A
    b.round("SS")
    assert b.table.first == B  # tied again: the books have changed hands
    b.round("SF")
    assert b.table.first == B  # further back
    b.round("FS")
    assert b.table.first == B and b.table.round == 4  # tied in an even round
    assert Board(key=5).round("FF").round("FF").table.first == A


def test_one_wins_alone_though_the_other_moves_up():
    b = Board()
    for _ in range(4):
        b.round("SF")
    b.round("SS")
    assert b.table.ending == Ending.A_WINS and b.rooms == (7, 4)
    assert Board().round("FS").round("FS").round("FS").round("FS").round("FS").table.ending == Ending.B_WINS


def test_a_curse_works_for_whoever_begins_the_round_there():
    b = Board().round("SF")
    assert b.cursed == "A"
    b.round("FS")  # B enters room 4 while the curse is still there: it is gone when B plays there
    assert b.cursed == "" and 4 not in b.curses


def test_torches_go_round():
    b = Board({"team_a": 2, "team_b": 3})
    seen = []
    for _ in range(4):
        teams = words.state(b.box, b.table, b.hidden)["open"]["teams"]
        seen.append((teams["team A"]["clue-giver"][7], teams["team B"]["clue-giver"][7]))
        b.round("FF")
    assert seen == [("1", "1"), ("2", "2"), ("1", "3"), ("2", "1")]


def test_the_gap_lemma():
    """Whatever happens, the monster is first met between rounds 5 and 8."""
    for n, results in enumerate(itertools.product(("SS", "SF", "FS", "FF"), repeat=4)):
        if n % 7:
            continue
        b = Board()
        for r in results:
            assert b.facing == ""
            b.round(r)
        gap = b.table.monster_at - max(b.table.position[A], b.table.position[B])
        while not b.facing:
            b.round("FS" if b.table.position[A] > b.table.position[B] else "SF")
        assert 5 <= b.table.round <= 8 and gap >= 0


# -- switches ---------------------------------------------------------------------------------------


def only_forbidden(**rules):
    """A dungeon whose one curse is the Forbidden Word."""
    cards = {f"curse__{name}__in_box": False for name in
             ("flood", "petrification", "echo", "feeble_minded", "letter_ban", "extra_traps", "fewer_guesses", "haste",
              "unknown")}
    return Board({"curses": "own"}, dungeon__own_curses=[1], switches__turns="full", model__scenes=5,
                 curse__forbidden_word__in_box=True, **cards, **rules)


def test_first_book():
    for reading, firsts in (("team_a", {A}), ("team_b", {B}), ("random", {A, B})):
        b = Board(switches__first_book=reading)
        assert {b.deal(key).table.first for key in range(20)} == firsts


@pytest.mark.parametrize("reading, left", [("discard_first", [3]), ("clear_room_last", [])])
def test_when_used_curses_go(reading, left):
    """All fail, round 3: the curse of room 3 is at work, room 4 holds another, the monster comes to room 4."""
    b = Board(switches__discard=reading).round("FF").round("FF").round("FF")
    assert b.monster == 4
    assert b.curses == left


def test_a_curse_pushed_out_of_the_dungeon():
    for reading, left in (("discard", [3, 4]), ("stay", [3, 3, 4])):
        b = Board({"curses": "own"}, dungeon__own_curses=[0, 1, 2], switches__pushed_out=reading)
        b.table.monster_at = 2
        push_curses(b.box, b.table, b.hidden, 2)
        assert b.curses == left


def test_when_a_curse_is_seen():
    for reading, seen in (("at_once", True), ("next_round", False)):
        b = Board(switches__reveal=reading)
        result(b.box, b.table, b.hidden, b.luck, A, 0)
        assert bool(b.table.shown[1]) is seen and b.table.active[A] == 0


def test_a_curse_turned_up_at_once_is_known_before_it_works():
    """This is all that the reading changes: what somebody may know who plays on in this round."""
    for reading, known in (("at_once", True), ("next_round", False)):
        b, found = Board(switches__reveal=reading), set()
        result(b.box, b.table, b.hidden, b.luck, A, Cause.SUCCESS)
        for key in range(30):
            other = blank(GAME.hidden)[0]
            lucky(b.luck, game_key(key, 1))
            redeal(b.box, b.table, b.hidden.own[b.table.seat], other, b.luck)
            found.add(other.beside[1])
        assert (found == {b.hidden.beside[1]}) is known and (len(found) > 1) is not known


def test_a_sticky_curse():
    b = Board(switches__sticky_curse=True).round("SF").round("FF")
    assert b.cursed == "A" and 4 in b.curses
    b.round("SF")
    assert 4 not in b.curses


def test_the_forbidden_word_beside_the_first_room_is_discarded():
    b = only_forbidden().round("FF").round("FF").round("FF")  # pushed by nothing yet: the monster is in room 4
    assert b.monster == 4 and b.cursed == "" and b.curses == []
    assert b.table.discard == 1 << Curse.FORBIDDEN_WORD


@pytest.mark.parametrize("reading, cause, back", [
    ("plain_extra_trap", 1, {4}), ("back_on_hit", 1, {3, 4}), ("back_on_hit", 3, {4}), ("back_on_any_fail", 3, {3})])
def test_what_the_forbidden_word_does(reading, cause, back):
    b, found = only_forbidden(switches__forbidden_word=reading), set()
    for key in range(40):
        b.deal(key).round("SF")
        assert b.cursed == "A" and b.table.length[A] == 5
        found.add(b.round("FS", cause).rooms[A])
    assert found == back


def test_a_team_sent_back_from_the_monster():
    for reading, walks in (("free", 6), ("frozen_monster", 7)):
        b = Board(switches__sent_back=reading)
        for _ in range(4):
            b.round("SF")
        b.table.position[A] -= 1  # sent back out of the monster's room
        b.round("FF").round("FF")
        assert b.monster == walks


def test_the_last_round():
    plain, leader = Board(dungeon__rounds=2), Board(dungeon__rounds=2, switches__last_round="leader_wins")
    assert plain.round("SF").round("FF").table.ending == Ending.MONSTER_WINS
    assert leader.round("SF").round("FF").table.ending == Ending.A_WINS
    tied = Board(dungeon__rounds=1, switches__last_round="leader_wins")
    assert tied.round("SS").table.ending == Ending.BOTH_WIN


def test_the_faster_of_two():
    b = Board(switches__tiebreak="fastest")
    for _ in range(4):
        b.round("SS")
    first = b.table.first
    assert b.facing == "AB"
    second_wins = Ending.B_WINS if first == A else Ending.A_WINS
    assert b.round("SS").table.ending == second_wins  # it made it in the sand of the first
    alone = Board(switches__tiebreak="fastest")
    for _ in range(4):
        alone.round("SF")
    assert alone.round("SS").table.ending == Ending.A_WINS


def test_curses_in_a_dungeon_of_three_rooms():
    assert Board({"rooms": "three"}).curses == [4]
    b = Board({"rooms": "three"}, switches__three_rooms="stack")
    assert b.curses == [4, 4]
    b.round("SF")
    assert b.cursed == "A" and bin(b.table.active[A]).count("1") == 2


def test_the_house_rules_touch_nothing_else():
    """A failure by given odds never sends a team back, though a card might."""
    b = only_forbidden(switches__forbidden_word="back_on_any_fail")
    b.box.full = 0
    b.round("SF").round("FS", Cause.OTHER)
    assert b.rooms[A] == 4


def test_begin_round_is_where_the_curses_work():
    b = Board()
    b.table.position[A] = 1
    begin_round(b.box, b.table, b.hidden, b.luck)
    assert b.cursed == "A" and b.table.shown[1] == b.table.active[A]


# -- parts of a round, each alone -------------------------------------------------------------------


def test_curses_that_stay_before_the_monster_are_stacked():
    b = Board({"curses": "own"}, dungeon__own_curses=[0, 1, 2], switches__pushed_out="stay")
    cards = [int(card) for card in b.hidden.beside[:3]]
    b.table.shown[:3] = [cards[0], cards[1], 0]
    push_curses(b.box, b.table, b.hidden, 2)
    assert b.hidden.beside.tolist()[:3] == [cards[0] | cards[1], cards[2], 0]
    assert b.table.shown.tolist()[:3] == [cards[0] | cards[1], 0, 0] and b.table.lie.tolist()[:3] == [2, 1, 0]
    assert b.table.discard == 0


@pytest.mark.parametrize("room, shown", [(0, False), (1, True), (2, True)])
def test_the_forbidden_word_is_turned_up_everywhere_but_in_the_first_room(room, shown):
    b, word = Board({"curses": "none"}), 1 << Curse.FORBIDDEN_WORD
    other = 1 << Curse.HASTE
    b.hidden.beside[room], b.table.lie[room] = word | other, 2
    turn_up(b.box, b.table, b.hidden, room)
    left = word | other if shown else other
    assert b.table.shown[room] == b.hidden.beside[room] == left and b.table.discard == (0 if shown else word)
    assert b.table.lie[room] == 1 + shown


def test_a_pile_is_drawn_down_and_shuffled_anew():
    b = Board({"curses": "none"})
    pile = int(b.hidden.pile)
    drawn = [draw_curse(b.box, b.table, b.hidden, b.luck) for _ in range(9)]
    assert sum(drawn) == pile and b.hidden.pile == 0 and b.table.taken == 9
    b.table.discard = drawn[0] | drawn[1]
    again = draw_curse(b.box, b.table, b.hidden, b.luck)
    assert again in drawn[:2] and b.hidden.pile == (drawn[0] | drawn[1]) & ~again
    assert b.table.discard == 0 and b.table.taken == 10


def test_the_forbidden_word_is_drawn_again_only_once(monkeypatch):
    """It is the only card, in the first room: drawn, discarded, shuffled in and drawn once more."""
    b = Board({"curses": "none"}, switches__forbidden_drawn="redraw")
    b.hidden.pile = 1 << Curse.FORBIDDEN_WORD

    def draw_thrice_at_most(*table):
        assert b.table.taken < 3
        return draw_curse(*table)

    monkeypatch.setattr(curses, "draw_curse", draw_thrice_at_most)
    assert draw_against(b.box, b.table, b.hidden, b.luck, 0, 1) == 0
    assert b.table.taken == 2 and b.table.discard == 1 << Curse.FORBIDDEN_WORD and b.hidden.pile == 0


@pytest.mark.parametrize("sticky", [False, True])
@pytest.mark.parametrize("stands", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_a_curse_that_was_at_work_is_discarded(sticky, stands):
    """Of the two rooms, each team was cursed in its own; a sticky curse stays beside a room that is not empty."""
    b = Board({"curses": "own"}, dungeon__own_curses=[0, 1], switches__sticky_curse=sticky)
    cards = [int(card) for card in b.hidden.beside[:2]]
    for team in (A, B):
        b.table.stood[team], b.table.active[team], b.table.position[team] = team, cards[team], stands[team]
    discard_active(b.box, b.table, b.hidden)
    stays = [sticky and room in stands for room in (0, 1)]
    assert b.hidden.beside.tolist()[:2] == [card if stay else 0 for card, stay in zip(cards, stays, strict=True)]
    assert b.table.discard == sum(card for card, stay in zip(cards, stays, strict=True) if not stay)


def test_a_team_in_the_first_room_is_not_sent_further_back():
    b = only_forbidden(switches__forbidden_word="back_on_any_fail")
    for position, back in ((0, 0), (1, 0), (2, 1)):
        b.table.position[A], b.table.effect[A].back = position, 1
        result(b.box, b.table, b.hidden, b.luck, A, Cause.TIMER)
        assert b.table.position[A] == back


RACE = {"tiebreak": "fastest", "played": 1, "faces": (1, 1), "cause": Cause.SUCCESS}


@pytest.mark.parametrize("changed", [{}, {"tiebreak": "none"}, {"played": 0}, {"faces": (0, 1)}, {"faces": (1, 0)},
                                     {"cause": Cause.TIMER}])
def test_the_second_team_before_the_monster_has_the_sand_of_the_first(changed):
    """Team B plays second; it must be faster than team A was, if A has beaten the monster."""
    how, ends = {**RACE, **changed}, set()
    b = Board(switches__tiebreak=how["tiebreak"], odds__team_b=[0.7] * 10)
    for key in range(40):
        b.deal(key)
        b.table.faces[A], b.table.faces[B] = how["faces"]
        alone = by_odds(b.box, b.table, b.luck, B, b.box.timer)
        needed = b.table.seconds[B]
        for first in (needed, 0.5 * needed, 1.5 * needed):
            b.table.played, b.table.cause[A], b.table.seconds[A] = how["played"], how["cause"], first
            found = play_turn(b.box, b.table, b.hidden, b.luck, B, Giver.NAIVE)
            is_late = not changed and alone == Cause.SUCCESS and first <= needed
            assert found == (Cause.TIMER if is_late else alone)
            assert b.table.seconds[B] == (needed if changed else min(needed, first))
            ends.add(int(found))
    assert ends == {Cause.SUCCESS, Cause.OTHER} | (set() if changed else {Cause.TIMER})


def test_the_monster_never_leaves_the_dungeon():
    b = Board({"curses": "none"})
    b.table.monster_at = 0
    b.round("FF")
    assert b.table.monster_at == 0 and b.table.stalls == 1
