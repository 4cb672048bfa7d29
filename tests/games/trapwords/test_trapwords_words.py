"""The story of a game: what a referee reads is what happened, and in the order in which it did."""

import pytest
from trapwords_case import Board

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.trapwords import GAME, words
from hardmode.sim.games.trapwords import story as tale
from hardmode.sim.games.trapwords.decisions import take
from hardmode.sim.games.trapwords.names import FAIL, A, B, Cause, Giver, Kind, Source, Trapper
from hardmode.sim.records import Cells

pytestmark = pytest.mark.plain
FULL = {"switches__turns": "full", "model__scenes": 5}


def story(b, rounds=1, giver=Giver.CAUTIOUS):
    """The sentences of the deal and of each step of some rounds."""
    after = words.state(b.box, b.table, b.hidden)
    told = [words.tell(None, None, [], after)]
    for _ in range(4 * rounds):
        before, code = after, Trapper.OBVIOUS if b.table.kind == Kind.TRAPS else giver
        taken = words.option(b.box, b.table, b.hidden.own[b.table.seat], code)
        take(b.box, b.table, b.hidden, b.luck, code)
        after = words.state(b.box, b.table, b.hidden)
        told.append(words.tell(before, taken, [], after))
    return told


def test_a_round_is_over_before_the_next_one_begins():
    told = story(Board(**FULL))
    assert [len(lines) for lines in told[1:4]] == [1, 1, 1]
    assert told[1] == ["Team A writes 3 trap words against team B (the most obvious words)."]
    last = told[4]
    assert last[0].startswith("Team B in room 3: player 1 of 3 avoids the obvious, ")
    heading = last.index("-- round 2 --")
    assert heading > 0 and last[heading + 1].startswith("+--")


def test_curses_of_the_first_room_are_told_with_the_deal():
    told = story(Board({"rooms": "alternative", "curses": "four"}, **FULL), 0)[0]
    assert "Curses lie beside rooms 2, 4, 6 and 8." in told
    assert [line[:14] for line in told if " is under " in line] == ["Team A is unde", "Team B is unde"]


@pytest.mark.parametrize("reading, walk_first", [("discard_first", False), ("clear_room_last", True)])
def test_discards_and_the_walk_are_told_in_the_order_of_the_rule(reading, walk_first):
    """All fail: in round 3 both teams are cursed in room 3, and the monster comes to room 4."""
    b = Board(switches__discard=reading, switches__deliberate_failure=True, **FULL)
    last = story(b, rounds=3, giver=FAIL)[-1]
    told = [line.split()[0] for line in last[1:last.index("-- round 4 --")] if line]
    assert told == (["Nobody", "Discarded:"] if walk_first else ["Discarded:", "Nobody"])


def test_cards_of_no_room_are_discarded_after_the_walk():
    """Both teams begin in a cursed room, and the second draws a card of its own."""
    b = Board({"rooms": "alternative", "curses": "four"}, switches__both_cursed="per_team",
              switches__deliberate_failure=True, **FULL)
    last = story(b, giver=FAIL)[-1]
    told = [line.split()[0] for line in last[1:last.index("-- round 2 --")] if line]
    assert told == ["Discarded:", "Nobody", "Discarded:"]


def test_by_given_odds_nobody_is_said_to_have_talked():
    told = " ".join(line for lines in story(Board({"monster": "own"}, odds__monster=.4)) for line in lines)
    assert "by the given odds: " in told and "clue" not in told and "obvious" not in told
    assert "every chance times 0.4" in told


def test_failing_on_purpose_is_told():
    told = story(Board(switches__deliberate_failure=True, **FULL), giver=FAIL)
    assert told[3] == ["Team A in room 3: player 1 of 3 fails on purpose."]
    assert "Nobody has advanced: the monster walks to room 6." in told[4]


def test_what_all_cards_do_together_is_told():
    b = Board({"monster": "dragon", "starred": "starred"}, **FULL)
    for _ in range(4):
        b.round("SF")
    said = words.tell(None, None, [], words.state(b.box, b.table, b.hidden))
    assert "its rule: trap list longer by 1 times the room's number" in said[0]
    assert "Team A faces the monster in room 7 (7 more trap words)." in said


def test_every_option_and_every_cause_has_its_words():
    for told, named in ((tale.SPEAK, Giver), (tale.FILL, Trapper), (tale.WHY, Cause)):
        assert tuple(told) == named.labels()


def test_draws_by_name():

    box = create_variant("trapwords", rules={"switches.turns": "odds"}).box.view(Cells)[0]
    assert words.face(box, Source.WORD, 1, A, 0, 1 << 28, 0) == "scene 0 of 1500"
    parts = [words.face(box, Source.WORD, 1, B, c, 4096, 2048).split()[0] for c in (1, 2, 3)]
    assert parts == ["found", "ease", "traps"]
    assert words.face(box, Source.TALK, 1, A, 8, 1024, 512) == "2 content words (usual way of talking)"
    assert words.face(box, Source.TALK, 1, A, 9, 1024, 512).startswith("clue time 0.9")
    assert words.face(box, Source.SKILL, A, 0, 2, 256, 128).startswith("skill ")
    assert len(GAME.sources) == 11
