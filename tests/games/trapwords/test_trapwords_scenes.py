"""The library of scenes against plain loops: words and people, what trappers think of, what a clue risks and tells."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from trapwords_case import Board

from hardmode.scenarios.load import create_variant
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.trapwords import GAME, traps
from hardmode.sim.games.trapwords import box as boxes
from hardmode.sim.games.trapwords.names import (
    ANY_DECK,
    ANY_MONSTER,
    CURSES,
    MONSTERS,
    MOST_TRAPS,
    TRAPPERS,
    A,
    B,
    Filter,
    Monster,
    Trapper,
)
from hardmode.sim.games.trapwords.traps import HAZARD_CAP, MOST_DRAWS, RANKS, Brainstorm, Luck, Minds, Taste
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain
MINDS = Minds(
    scenes=7, exponent=(1.4, 1.5), offset=(2.8, -0.4), flatten=(0.9, 0.8), share=(3.0, 1.0), tell_least=0.12,
    tell_scale=3.0, tell_offset=2.0, own_mind=0.8, samples=4, trappers=3, familiar=0.2, personal=0.6, expect_extra=2,
    expect_control=0.75, family=1.25, first=11,
)  # fmt: skip
ALL = range(RANKS)
MASK = 2**64 - 1


def mixed(x):
    """SplitMix64's finaliser on a plain number."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def luck(kind, scene, column):
    """The number in (0, 1) at an address."""
    golden = 0x9E3779B97F4A7C15
    head = (kind + 1) * golden
    word = mixed(mixed(((scene << 32) + column) * golden + head & MASK) + head & MASK)
    return ((word >> 12) + 0.5) / 2**52


def law_of(kind):
    """How often a word of each rank is thought of, for a class of words."""
    rates = [(r + 1 + MINDS.offset[kind]) ** (-MINDS.exponent[kind] * MINDS.flatten[kind]) for r in ALL]
    return np.array(rates) / sum(rates)


def test_luck_is_drawn_at_addresses():
    rows, columns = np.array([0, 3, 1999]), np.arange(4)
    for kind in Luck:
        found = traps.uniform(kind, rows, columns)
        assert found.tolist() == [[luck(kind, int(row), int(column)) for column in columns] for row in rows]


def test_people_think_of_words_in_their_own_way():
    """Three quarters of the scenes have a word of the first class: the middles of 7 parts up to 0.75 are five."""
    laws, own = traps.people(MINDS)
    for scene in range(MINDS.scenes):
        law = law_of(0 if (scene + 0.5) / 7 <= 0.75 else 1)
        assert laws[scene] == pytest.approx(law)
        mine = law * [math.exp(0.8 * stats.norm.ppf(luck(Luck.MIND, 11 + scene, rank))) for rank in ALL]
        assert own[scene] == pytest.approx(mine / mine.sum())


def test_words_of_high_rank_tell_little_but_not_nothing():
    wanted = [3 / (rank + 2) for rank in range(1, RANKS + 1)]
    assert RANKS == 400 and traps.law_of_telling(MINDS) == pytest.approx(wanted)
    assert traps.telling(MINDS) == pytest.approx([max(0.12, tells) for tells in wanted])
    assert 0.12 > wanted[-1]


@pytest.mark.parametrize(("least", "extra", "reach"), [(0, 0, 5), (9, 0, 9), (2, 3, 8), (5, -9, 5), (0, 999, 400)])
def test_the_reach_of_a_taste(least, extra, reach):
    assert Taste(least, extra, 0.5, 1.0).reach(5) == reach


# Brainstorms


def strength_in(minds, familiar, scene):
    laws, own = traps.people(minds)
    return (1 - familiar) * laws[scene] + familiar * own[scene]


def draws_in(minds, familiar, scene, width, reach=0, kept=1.0):
    """Words of a scene, each drawn by its strength, of which those in reach only count as often as they are kept."""
    strength = strength_in(minds, familiar, scene) * np.where(np.arange(RANKS) < reach, kept, 1)
    steps = strength.cumsum() / strength.sum()
    numbers = traps.uniform(Luck.DRAW, np.array([minds.first + scene]), np.arange(width))[0]
    return np.searchsorted(steps, numbers).tolist()


def ranked(minds, familiar, scene, drawn, reach=0, kept=1.0):
    """The words that were drawn, the most frequent first, and among equals mostly the stronger."""
    strength = strength_in(minds, familiar, scene) * np.where(np.arange(RANKS) < reach, kept, 1)
    counts = np.bincount(drawn, minlength=RANKS)

    def key(word):
        return counts[word] + strength[word] * (0.5 + luck(Luck.TIE, minds.first + scene, word)) / 2

    return sorted(dict.fromkeys(drawn), key=key, reverse=True)


def think(minds, familiar, scene, need, reach=0, kept=1.0):
    """At least `need` words: the trappers draw on until they have them, and at last name the likeliest others."""
    start = minds.samples * minds.trappers
    drawn = draws_in(minds, familiar, scene, start, reach, kept)
    if len(set(drawn)) < need:
        width = max(start, need)
        while width < 4096:
            width *= 2
        drawn = draws_in(minds, familiar, scene, width, reach, kept)
        drawn += np.argsort(-strength_in(minds, familiar, scene), kind="stable").tolist()
        firsts = [place for place, word in enumerate(drawn) if drawn.index(word) == place]
        drawn = drawn[: firsts[need - 1] + 1]
    return ranked(minds, familiar, scene, drawn, reach, kept)


@pytest.mark.parametrize(("reach", "kept"), [(0, 1.0), (6, 0.25), (400, 0.5)])
def test_trappers_draw_words_by_their_strength(reach, kept):
    storm = Brainstorm(MINDS, 0.3, reach, kept)
    rows = np.array([1, 4, 6])
    found = storm.draw(rows, 30)
    assert found.tolist() == [draws_in(MINDS, 0.3, row, 30, reach, kept) for row in rows.tolist()]


def test_the_last_words_are_drawn_like_the_others():
    minds = replace(MINDS, exponent=(-20.0, -20.0), offset=(1.0, 1.0))
    found = Brainstorm(minds, 0.0).draw(np.arange(7), 40)
    assert found.tolist() == [draws_in(minds, 0.0, row, 40) for row in range(7)] and found.max() == RANKS - 1


def test_a_word_that_was_said_once_more_comes_first_however_weak_it_is():
    storm = Brainstorm(MINDS, 0.3)
    storm.strength = storm.strength.copy()  # others share it
    storm.strength[2] = 0.0
    storm.strength[2, [5, 8]] = 1.0, 0.01
    words, count = storm.rank(np.array([2]), np.array([[5, 8, 8, 5, 5]]), np.array([3]))
    assert words[0, :2].tolist() == [8, 5] and count.tolist() == [2]


STEEP = replace(MINDS, exponent=(6.0, 7.0), offset=(0.0, 0.0), own_mind=0.3, samples=16, trappers=4, scenes=4)


@pytest.mark.parametrize(
    ("minds", "needs", "reach", "kept"),
    [(MINDS, (1, 5, 9, 14, 40), 0, 1.0), (MINDS, (8, 20), 6, 0.25), (STEEP, (3, 4, 5, 6, 12), 0, 1.0)],
)
def test_trappers_think_on_until_they_have_enough_words(minds, needs, reach, kept):
    storm = Brainstorm(minds, 0.3, reach, kept)
    for need in needs:
        found = storm.words(need)
        assert found.shape == (minds.scenes, max(minds.samples * minds.trappers, need))
        for scene in range(minds.scenes):
            assert found[scene, :need].tolist() == think(minds, 0.3, scene, need, reach, kept)[:need]
    assert MOST_DRAWS == 4096


def test_what_is_said_for_the_first_time():
    cell = np.array([[3, 5, 3, 3, 7, 5], [401, 400, 400, 401, 402, 799]])
    assert traps.first_mentions(cell, 2).tolist() == [
        [True, True, False, False, True, False],
        [True, True, False, False, True, True],
    ]


def test_covering_trappers_pick_at_random_among_all_their_words():
    storm = Brainstorm(MINDS, 0.3)
    for length in (2, 6, 20):
        found = traps.covering(storm, length)
        for scene in range(MINDS.scenes):
            strength = strength_in(MINDS, 0.3, scene)
            words = think(MINDS, 0.3, scene, 1)
            if len(words) < length:
                words = think(MINDS, 0.3, scene, length)[:length]
            wait = {word: -math.log(luck(Luck.COVER, 11 + scene, word)) / strength[word] for word in words}
            assert found[scene].tolist() == sorted(words, key=wait.get)[:length]


def list_in(policy, scene, length):
    """The trap list of a scene."""
    if policy == Trapper.STRAY:
        first = int(400 * luck(Luck.STRAY, 11 + scene, 0))
        return [(first + 151 * place) % 400 for place in range(length)]
    familiar = 0.6 if "PERSONAL" in policy.name else 0.2
    if "ANTICIPATE" in policy.name:
        return think(MINDS, familiar, scene, length, length + 2, 0.25)[:length]
    words = think(MINDS, familiar, scene, length + 2 if policy in (Trapper.SECOND, Trapper.SPLIT) else length)
    if policy == Trapper.SECOND:
        return words[2 : length + 2]
    if policy == Trapper.SPLIT:
        half = (length + 1) // 2
        return words[:half] + words[half + 2 : length + 2]
    return words[:1] if policy == Trapper.REPEAT else words[:length]


@pytest.mark.parametrize("policy", [policy for policy in Trapper if policy != Trapper.COVER])
def test_every_way_of_trapping(policy):
    for length in (3, 4, 9):
        found = traps.trap_list(MINDS, policy, length)
        assert found.tolist() == [list_in(policy, scene, length) for scene in range(MINDS.scenes)]


def test_covering_trappers_know_the_person_no_better_than_others():
    found = traps.trap_list(MINDS, Trapper.COVER, 4)
    assert found.tolist() == traps.covering(Brainstorm(MINDS, MINDS.familiar), 4).tolist()
    with pytest.raises(ValueError, match="there are no trappers 9"):
        traps.trap_list(MINDS, len(Trapper), 4)


# What a word risks and tells


TASTES = (Taste(0, 0, 1.0, 1.0), Taste(0, 2, 0.15, 1.0), Taste(3, -RANKS, 0.9, 0.2), Taste(0, 0, 1.0, 1.0, True))


def said_in(taste, length, scene):
    """How often the clue-giver says a word of each rank."""
    if taste.any_rank:
        return np.full(RANKS, 1 / RANKS)
    _, own = traps.people(MINDS)
    reach = max(taste.least, length + taste.extra)
    said = own[scene] * np.where(np.arange(RANKS) < reach, taste.near, taste.far)
    return said / said.sum()


@pytest.mark.parametrize("length", [3, 7])
@pytest.mark.parametrize("policy", [Trapper.OBVIOUS, Trapper.STRAY, Trapper.REPEAT])
def test_the_hazard_of_a_word_is_the_chance_to_say_one_of_the_list(policy, length):
    found = traps.hazards(MINDS, TASTES, policy, length)
    for scene in range(MINDS.scenes):
        listed = traps.trap_list(MINDS, policy, length)[scene]
        wanted = [min(0.95, 1.25 * said_in(taste, length, scene)[listed].sum()) for taste in TASTES]
        assert found[:, scene] == pytest.approx(wanted, rel=1e-6)


def test_no_word_is_certain_to_be_trapped():
    found = traps.hazards(replace(MINDS, family=1000.0), TASTES, Trapper.OBVIOUS, 5)
    assert HAZARD_CAP == 0.95 and (found == np.float32(0.95)).all()


@pytest.mark.parametrize("length", [3, 7])
def test_what_a_word_tells_is_against_a_usual_one(length):
    tells = np.array([max(0.12, 3 / (rank + 3)) for rank in ALL])
    usual = np.mean([law_of(kind) @ tells for kind in (0, 1)])
    found = traps.tellings(MINDS, TASTES, length)
    for scene in range(MINDS.scenes):
        wanted = [said_in(taste, length, scene) @ tells / usual for taste in TASTES[:3]]
        assert found[:3, scene] == pytest.approx(wanted, rel=2e-7)
    assert found[3] == pytest.approx(np.mean([3 / (rank + 3) for rank in ALL]) / usual, rel=2e-7)


def test_the_library_holds_every_length_way_of_trapping_and_taste():
    found, tells = traps.library(MINDS, TASTES, (3, 5), 0.8), traps.told(MINDS, TASTES, (3, 5))
    assert found.shape == (2, TRAPPERS, 4, 7) and tells.shape == (2, 4, 7)
    for place, length in enumerate((3, 5)):
        assert (tells[place] == traps.tellings(MINDS, TASTES, length)).all()
        for policy in range(TRAPPERS):
            hazard = traps.hazards(MINDS, TASTES, policy, length)
            assert found[place, policy] == pytest.approx(-np.log(1 - 0.8 * hazard), rel=1e-4)


# The box


def test_a_box_has_the_scenes_of_its_teams():
    b = Board({"team_a": 3, "team_b": 4}, switches__turns="full", model__scenes=20)
    values = Values(create_variant("trapwords", rules={"model.scenes": 20}).values)
    tastes, lengths = boxes.tastes_of(values), boxes.lengths_of(b.box)
    assert len(tastes) == len(Filter) and b.box.scenes == 20
    assert b.box.shelf[lengths].tolist() == list(range(len(lengths)))
    for team, trappers in ((A, 3), (B, 4)):
        minds = boxes.minds_of(values, trappers)
        assert minds.trappers == trappers and b.box.part[team] == team
        for shelf, length in enumerate(lengths):
            hazards = [traps.hazards(minds, tastes, policy, length) for policy in Trapper]
            wanted = traps.burns(np.array(hazards), values["turn.notice"])
            assert b.box.hazard[team, shelf, :, :, :20] == pytest.approx(wanted, rel=1e-5)
            assert b.box.worth[shelf, :, :20] == pytest.approx(traps.tellings(minds, tastes, length))


def test_the_people_of_a_box_are_those_of_its_scenario():
    changed = {
        "words.exponent": [2.0], "words.offset": [3.0], "words.flatten": [4.0], "words.share.unknown": [1.0],
        "words.tell_least": 0.1, "words.tell_scale": 0.2, "words.tell_offset": 0.3, "words.own_mind": 0.4,
        "trappers.samples": 5, "trappers.familiar": 0.6, "trappers.personal": 0.7, "trappers.expect_extra": 8,
        "trappers.expect_control": 0.9, "turn.family": 1.1, "model.scenes": 12, "setup.genre": "unknown",
    }  # fmt: skip
    values = {**create_variant("trapwords").values, **changed}
    assert boxes.minds_of(Values(values), 13) == Minds(
        12, (2.0,), (3.0,), (4.0,), (1.0,), 0.1, 0.2, 0.3, 0.4, 5, 13, 0.6, 0.7, 8, 0.9, 1.1
    )
    for path, wrong, said in (
        ("words.offset", [3.0, 3.0], "must be equally long: one entry a class"),
        ("words.share.unknown", [0.0], "must leave some class of words"),
    ):
        with pytest.raises(BadValue, match=said):
            boxes.minds_of(Values({**values, path: wrong}), 13)


def test_tastes_are_made_of_what_clue_givers_avoid():
    changed = {
        "giver.cautious.least": 1, "giver.cautious.extra": 2, "giver.cautious.control": 0.25,
        "giver.oblique.least": 3, "giver.oblique.extra": 4, "giver.oblique.control": 0.5,
        "giver.blunt.reach": 5, "giver.blunt.control": 0.75,
    }  # fmt: skip
    found = boxes.tastes_of(Values({**create_variant("trapwords").values, **changed}))
    assert found[Filter.SHY] == Taste(1, 2, 0.75, 1.0) and found[Filter.FAR] == Taste(3, 4, 0.5, 1.0)
    assert found[Filter.PLAIN] == Taste(5, -400, 1.0, 0.25) and found[Filter.PLAIN].reach(26) == 5
    assert found[Filter.ANY] == Taste(0, 0, 1.0, 1.0) and found[Filter.STRAY] == Taste(0, 0, 1.0, 1.0, any_rank=True)


def named(part, count):
    return Values({f"{part}.number {i}.in_box": 1 for i in range(count)})


def test_as_many_cards_of_ones_own_as_the_box_has_places():
    assert len(boxes.curses(named("curse", CURSES))) == CURSES == 20
    with pytest.raises(BadValue, match="has 21 entries; there can be 20"):
        boxes.curses(named("curse", 21))
    found = boxes.monsters(named("monster", MONSTERS - 1))
    assert len(found) == MONSTERS == 16 and found[Monster.NONE] == "none"
    assert [name for name in found if name != "none"] == [f"number {i}" for i in range(15)]
    with pytest.raises(BadValue, match="has 16 entries; there can be 15"):
        boxes.monsters(named("monster", 16))
    assert MOST_TRAPS == 26


def test_the_curses_of_a_box_are_those_of_its_scenario_whatever_it_held():
    b = Board()
    wanted = int(b.box.curses)
    b.box.curses = 1 << 19 | 1
    boxes.fill_cards(b.box, Values(create_variant("trapwords", rules={"curse.forbidden_word.in_box": False}).values))
    assert b.box.curses == wanted == 0b1111101111


def filled(fill, **changed):
    found = blank(GAME.box)[0]
    fill(found, Values({**create_variant("trapwords").values, **{k.replace("__", "."): v for k, v in changed.items()}}))
    return found


def test_a_dungeon_is_laid_as_its_scenario_says():
    own = {"setup__rooms": "own", "dungeon__tiles": [], "dungeon__rounds": 6, "setup__curses": "own"}
    found = filled(
        boxes.fill_dungeon, dungeon__rooms__own=[2, 3, 9], dungeon__own_curses=[1, 0, 1],
        switches__three_rooms="stack", setup__monster="mummy", setup__starred="starred", **own,
    )  # fmt: skip
    assert (found.n_rooms, found.rounds, found.monster, found.starred) == (3, 6, Monster.MUMMY, 1)
    assert found.rooms.tolist()[:3] == [2, 3, 9] and found.slots.tolist() == [1, 2, 0, 0, 0, 0, 0]
    drawn = filled(boxes.fill_dungeon, setup__monster="any", setup__starred="any")
    assert (drawn.monster, drawn.starred) == (ANY_MONSTER, ANY_DECK) == (-1, 2)
    own["setup__curses"] = "none"
    assert filled(boxes.fill_dungeon, dungeon__rooms__own=list(range(1, 8)), **own).n_rooms == 7
    for rooms in ([4], list(range(1, 9)), [3, 3, 5], [3, 5, 4]):
        with pytest.raises(BadValue, match="it must be two to 7 rising room numbers"):
            filled(boxes.fill_dungeon, dungeon__rooms__own=rooms, **own)


def test_the_teams_of_a_box():
    changed = {"turn__kappa": 0.4, "turn__rapport": 0.2, "turn__size_exponent": 0.5, "team_a__kappa": 0.8}
    changed |= {"turn__second_guess": 0.125, "turn__second_guess_most": 0.3, "team_b__success": 0.9}
    found = filled(boxes.fill_teams, setup__team_a=3, setup__team_b=4, **changed)
    assert found.size.tolist() == [3, 4] and found.handicap.tolist() == [1.0, 0.9]
    assert found.kappa.tolist() == pytest.approx([0.4 * 1.2 * 0.8, 0.4 * 1.2 * math.sqrt(3 / 2)])
    assert found.guess_2.tolist() == [2**22 // 4, round(0.3 * 2**22)]
    with pytest.raises(BadValue, match="must be 2: the seats are the two teams"):
        filled(boxes.fill_teams, setup__players=3)
    for sizes, teams, fits in (((2, 4), "one_more", False), ((4, 2), "one_more", False), ((2, 4), "any", True)):
        changed = {"setup__team_a": sizes[0], "setup__team_b": sizes[1], "switches__teams": teams}
        if fits:
            assert filled(boxes.fill_teams, **changed).size.tolist() == list(sizes)
        else:
            with pytest.raises(BadValue, match=f"is {sizes[1]} against {sizes[0]}: teams may differ by one player"):
                filled(boxes.fill_teams, **changed)
