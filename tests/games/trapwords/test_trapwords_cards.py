"""Curses and monsters: what several of them do together, the pile, and the choices that the rules leave open."""

import pytest
from trapwords_case import Board

from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.games.trapwords.curses import bits_set, draw_against, draw_curse, take_away
from hardmode.sim.games.trapwords.decisions import options
from hardmode.sim.games.trapwords.names import CURSES, FAIL, A, B, Curse, Kind
from hardmode.sim.games.trapwords.round import begin_round, lay_over, what_holds

pytestmark = pytest.mark.plain
LAID = ("guesses", "timer", "sand", "clue_time", "sentence", "word_time", "style", "budget", "hold", "freeze",
        "invalid", "success", "back")
ALL = {"curse__forbidden_word__in_box": True}


def bit(name):
    return 1 << Curse[name.upper()]


def under(*names, facing=False, setup=None, **rules):
    """What holds for team A in the first room under these curses."""
    b = Board(setup, **rules)
    b.table.active[A] = sum(bit(name) for name in names)
    b.table.faces[A] = facing
    what_holds(b.box, b.table, A)
    return b.table.effect[A], b.table.length[A]


def test_without_cards_nothing_holds():
    effect, length = under()
    assert (length, effect.guesses, effect.timer, effect.budget, effect.hold, effect.freeze) == (3, 5, 1, 999, 1, 0)
    assert under("haste")[0].timer == .7 and under()[0].timer == 1


def test_an_effect_ends_with_its_round():
    b = Board().round("SF")
    assert b.cursed == "A" and not b.table.plain[A]
    b.round("SF")
    assert b.cursed == "" and b.table.plain[A]
    e = b.table.effect[A]
    assert (e.timer, e.guesses, e.clue_time, e.success, e.freeze, e.invalid) == (1, 5, 1, 1, 0, 0)


def test_two_curses_on_the_same_number():
    assert under("extra_traps", "forbidden_word")[1] == 3 + 2 + 1
    assert under("extra_traps", "forbidden_word", switches__trap_additions="max")[1] == 3 + 2
    effect, _ = under("echo", "letter_ban")
    assert effect.clue_time == pytest.approx(1.6 * 1.25)
    effect, _ = under("echo", "letter_ban", switches__two_cards="add_up")
    assert effect.clue_time == pytest.approx(1.6 + .25)


def test_a_monster_and_a_curse_lengthen_the_list_together():
    rules = {"setup": {"monster": "dragon"}, "facing": True}
    assert under(**rules)[1] == 3 + 1
    assert under("extra_traps", **rules)[1] == 3 + 1 + 2
    assert under("extra_traps", switches__trap_additions="max", **rules)[1] == 3 + 2
    assert under(facing=True, setup={"monster": "dragon", "starred": "starred"})[1] == 6


def test_the_strictest_limit_holds():
    effect, _ = under("fewer_guesses", facing=True, setup={"monster": "vampire", "starred": "starred"})
    assert effect.guesses == 1
    effect, _ = under("haste", facing=True, setup={"monster": "demon"})
    assert effect.timer == pytest.approx(.49)


@pytest.mark.parametrize("deck, count", [("normal", 1), ("starred", 2)])
def test_the_mummy_draws_curses_for_every_round_against_it(deck, count):
    b = Board({"monster": "mummy", "starred": deck, "curses": "none"})
    for _ in range(4):
        b.round("SF")
    drawn = []
    while b.table.ending < 0 and b.table.round <= 8:
        assert bits_set(b.table.drawn[A]) == count and b.table.drawn[B] == 0
        assert not drawn or b.table.discard & drawn[-1] == drawn[-1]  # the last ones are used up
        drawn.append(b.table.drawn[A])
        b.round("FF")
    assert len(drawn) == 4


def test_both_before_the_mummy():
    for reading, same in (("shared", True), ("draw_each", False)):
        b = Board({"monster": "mummy", "curses": "none"}, switches__monster_draw=reading)
        for _ in range(4):
            b.round("SS")
        assert b.facing == "AB" and (b.table.drawn[A] == b.table.drawn[B]) is same
        assert b.table.drawn[A] and b.table.drawn[B]


def test_the_starred_mummy_uses_up_the_pile():
    """Two beside the rooms and two in each of four rounds: all ten, and no more."""
    b = Board({"monster": "mummy", "starred": "starred"}, **ALL)
    for _ in range(4):
        b.round("SF")
    for _ in range(4):
        assert bits_set(b.table.drawn[A]) == 2
        b.round("FF")
    assert b.hidden.pile == 0 and b.table.taken == 10


def test_an_empty_pile():
    for reading, left in (("reshuffle", True), ("no_curse", False)):
        b = Board(switches__empty_pile=reading)
        b.table.discard, b.hidden.pile = b.hidden.pile, 0
        assert bool(draw_curse(b.box, b.table, b.hidden, b.luck)) is left
    assert b.table.discard and not b.hidden.pile


def test_the_forbidden_word_drawn_in_the_first_room():
    for reading, got in (("discard", 0), ("redraw", bit("haste"))):
        b = Board(switches__forbidden_drawn=reading, **ALL)
        b.table.discard = 0
        for first in range(200):  # a place in the pile where the Forbidden Word comes first
            b.table.taken = first
            b.hidden.pile = bit("haste") | 1 << Curse.FORBIDDEN_WORD
            found = draw_against(b.box, b.table, b.hidden, b.luck, 0, 1)
            if b.table.discard:
                break
        assert found == got and b.table.discard == 1 << Curse.FORBIDDEN_WORD
    b.hidden.pile = 1 << Curse.FORBIDDEN_WORD
    assert draw_against(b.box, b.table, b.hidden, b.luck, 1, 1) == 1 << Curse.FORBIDDEN_WORD


def test_curses_are_all_different_and_fairly_drawn():
    b, seen = Board({"curses": "four"}, **ALL), [0] * len(Curse)
    for key in range(400):
        b.deal(key)
        for i in range(len(Curse)):
            seen[i] += sum(b.hidden.beside[p] >> i & 1 for p in range(4))
    assert sum(seen) <= 1600 and min(seen) > 110 and max(seen) < 215  # 160 expected, five standard errors 49


def test_failing_on_purpose_is_an_option_only_where_allowed():
    for allowed, n in ((False, 12), (True, 13)):
        b = Board(switches__deliberate_failure=allowed)
        out = [0] * 13
        assert options(b.box, b.table, b.hidden, out) == 9  # ways of trapping
        b.table.kind = Kind.CLUES
        assert options(b.box, b.table, b.hidden, out) == n and out[FAIL] == FAIL


def test_the_pile_may_be_smaller():
    b = Board({"curses": "two"}, **{f"curse__{n}__in_box": n in ("flood", "echo") for n in Curse.labels()})
    assert b.hidden.pile == 0 and {b.hidden.beside[1], b.hidden.beside[3]} == {bit("flood"), bit("echo")}


@pytest.mark.parametrize("setup, rules, path", [
    ({"team_a": 2, "team_b": 4}, {}, "setup.team_b"),
    ({"rooms": "own"}, {"dungeon__rooms__own": [3, 5, 4]}, "dungeon.rooms.own"),
    ({"curses": "own"}, {"dungeon__own_curses": [4]}, "dungeon.own_curses"),
    ({"curses": "four"}, {f"curse__{n}__in_box": False for n in Curse.labels()[:7]}, "setup.curses"),
    ({}, {"odds__team_a": [0.5]}, "odds.team_a"),
])
def test_impossible_boxes_are_refused(setup, rules, path):
    with pytest.raises(ScenarioError) as why:
        Board(setup, **rules)
    assert path in str(why.value)


def test_uneven_teams_for_experiments():
    assert Board({"team_a": 4, "team_b": 3}).box.size.tolist() == [4, 3]  # one more is as printed
    assert Board({"team_a": 2, "team_b": 4}, switches__teams="any").box.size[B] == 4


def test_rooms_on_one_tile_are_warned_about(caplog):
    Board({"rooms": "own"}, dungeon__rooms__own=[1, 4, 8])
    assert any("two sides of one tile" in message for message in caplog.messages)


def test_a_stacked_room_shows_all_its_curses():
    b = Board({"rooms": "three"}, switches__three_rooms="stack")
    b.table.position[A] = 1
    begin_round(b.box, b.table, b.hidden, b.luck)
    assert bits_set(b.table.active[A]) == 2


def test_both_teams_in_a_cursed_room():
    """One card for both, or a second one from the pile for the team that plays second; used up either way."""
    for reading, same in (("shared", True), ("per_team", False)):
        b = Board(switches__both_cursed=reading).round("SS")
        first, at_work = b.table.first, [b.table.active[t] | b.table.drawn[t] for t in (A, B)]
        assert b.rooms == (4, 4) and all(bits_set(cards) == 1 for cards in at_work)
        assert (at_work[A] == at_work[B]) is same and b.table.active[first] == b.hidden.beside[1]
        b.round("FF")
        assert b.table.discard == at_work[A] | at_work[B] and 4 not in b.curses
    alone = Board(switches__both_cursed="per_team").round("SF")
    assert alone.cursed == "A" and alone.table.taken == 2


def test_tiles_are_data():
    with pytest.raises(ScenarioError) as why:
        Board(dungeon__tiles=[1, 8, 2])
    assert "dungeon.tiles: is [1, 8, 2]; each tile has two sides" in str(why.value)
    Board({"rooms": "own"}, dungeon__rooms__own=[1, 4, 8], dungeon__tiles=[1, 9])  # no warning


def test_a_single_card_is_all_that_holds():
    """What one card does is what laying it over nothing would do, for every card of the box."""
    b = Board(setup_={"monster": "own"}, **ALL, monster__own__normal__guesses=10)
    for name in Curse.labels():
        b.table.active[A] = bit(name)
        what_holds(b.box, b.table, A)
        held = [getattr(b.table.effect[A], field) for field in LAID]
        b.table.effect[A] = b.box.card[0]
        lay_over(b.box, b.table.effect[A], b.box.card[1 + Curse[name.upper()]])
        assert held == [getattr(b.table.effect[A], field) for field in LAID], name
    assert under(facing=True, setup={"monster": "own"}, monster__own__normal__guesses=10)[0].guesses == 5


def test_every_list_length_has_its_shelf():
    """Many rooms, both decks, curses that stay before the monster: the longest row of lengths is still one box."""
    b = Board({"rooms": "alternative", "starred": "any", "monster": "any"}, switches__pushed_out="stay",
              switches__turns="full", model__scenes=5, **ALL)
    shelves = [b.box.shelf[length] for length in range(len(b.box.shelf))]
    used = [s for s in shelves if s]
    assert len(used) > 20 and sorted(used) == list(range(1, len(used) + 1))


def test_a_pile_with_as_many_curses_as_a_box_can_have_is_drawn_to_the_end():
    b = Board(switches__empty_pile="no_curse")
    b.hidden.pile = (1 << CURSES) - 1
    drawn = [draw_curse(b.box, b.table, b.hidden, b.luck) for _ in range(CURSES + 1)]
    assert sorted(drawn) == [0, *(1 << number for number in range(CURSES))]
    b.hidden.beside[1] = 1 << CURSES - 1 | 1 << 16
    take_away(b.table, b.hidden, 1, 1 << 16)
    assert b.table.lie[1] == 1 and b.table.discard >> 16 & 1
