"""The numbers behind a turn: the box against the scenario, the log against its bits, turns against the log."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from trapwords_case import Board, box

from hardmode.scenarios.load import create_variant
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.draws import bits, game_key, lucky
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.games.trapwords import GAME, traps
from hardmode.sim.games.trapwords.box import curse_places, minds_of, words_table
from hardmode.sim.games.trapwords.clues import GOING_ON, STEP, burn, talk, way_of_speaking
from hardmode.sim.games.trapwords.curses import bits_set, nth_bit
from hardmode.sim.games.trapwords.names import (
    CARDS,
    COARSE,
    CURSES,
    FAIL,
    FINE,
    FIRST_CURSE,
    FIRST_MONSTER,
    NO_CARD,
    A,
    B,
    Cause,
    Curse,
    Filter,
    Giver,
    Kind,
    Monster,
    Source,
    TimerStart,
    Trapper,
)
from hardmode.sim.games.trapwords.round import lay_over, what_holds
from hardmode.sim.games.trapwords.setup import deal_skill
from hardmode.sim.games.trapwords.turn import by_odds, play_turn
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain
FULL = {"switches__turns": "full", "model__scenes": 40}
TURN = {
    "turn__timer": 31.0,
    "turn__reading": 4.5,
    "turn__word_time": 1.7,
    "turn__invalid": 0.03,
    "turn__sentence": 0.4,
    "turn__guess_time": 1.1,
    "turn__pause": 2.2,
    "turn__between_turns": 77.0,
    "turn__first_guess": 0.5,
    "turn__second_guess": 0.125,
    "turn__second_guess_most": 0.3,
    "turn__guesses": 4,
    "giver__contrarian": 0.3,
    "turn__theta": 0.5,
    "turn__word_exponent": 0.8,
    "turn__usual_words": 2.0,
}
MIDDLES = (np.arange(FINE) + 0.5) / FINE


# The box


def test_a_turn_has_the_numbers_of_the_scenario():
    found = box({"team_a": 3, "team_b": 4}, **TURN).view(np.ndarray)[0]
    wanted = {
        "timer": 31.0,
        "reading": 4.5,
        "word_time": 1.7,
        "invalid": 0.03,
        "sentence": 0.4,
        "guess_time": 1.1,
        "pause": 2.2,
        "between": 77.0,
        "guesses": 4,
        "psi": 0.3,
        "slip": -math.log(0.97),
    }
    assert {name: float(found[name]) for name in wanted} == pytest.approx(wanted)
    assert found["guess_1"] == 1 << 21 and found["guess_2"].tolist() == [1 << 20, round(0.3 * (1 << 22))]
    assert found["insight"].tolist() == pytest.approx([(1 + i) ** 0.5 for i in range(len(found["insight"]))])
    assert found["weight"].tolist() == pytest.approx([(i / 2) ** 0.8 for i in range(len(found["weight"]))])
    assert found["fuse"] == pytest.approx(stats.expon.ppf(MIDDLES), rel=1e-5)
    assert found["quick"] == pytest.approx(1 / stats.expon.ppf(MIDDLES), rel=1e-5)


def test_an_invalid_clue_may_be_certain():
    assert (
        box(turn__invalid=1.0)["slip"][0] == pytest.approx(-math.log(1e-6)) and box(turn__invalid=0.0)["slip"][0] == 0
    )


@pytest.mark.parametrize("mean", [1.0, 1.5, 2.0, 3.7, 40.0])
def test_a_clue_has_one_word_and_as_many_more_as_poisson_says(mean):
    more = stats.poisson.ppf((np.arange(COARSE) + 0.5) / COARSE, mean - 1)
    assert words_table(mean).tolist() == np.minimum(1 + more, 31).tolist()


CARD_FIELDS = {"share": "trap_share", "back": "sends_back"}  # the others are called in the scenario as in the box
NEUTRAL = {
    "traps": 0,
    "share": 0,
    "timer": 1,
    "clue_time": 1,
    "sentence": 1,
    "hold": 1,
    "freeze": 0,
    "invalid": 0,
    "success": 1,
    "back": 0,
    "curses": 0,
    "guesses": 5,
}
FAR = {"sand": 600, "word_time": 600, "budget": 200}  # limits that no turn reaches: at least so much


def test_every_card_does_what_the_scenario_says_and_nothing_else():
    variant = create_variant("trapwords", rules={"switches.turns": "odds"})
    values, found = variant.values, variant.box.view(np.ndarray)[0]["card"]
    cards = {FIRST_CURSE + i: f"curse.{curse.label}" for i, curse in enumerate(Curse)}
    cards |= {
        FIRST_MONSTER + 2 * monster + star: f"monster.{monster.label}.{deck}"
        for monster in Monster
        if monster != Monster.NONE
        for star, deck in enumerate(("normal", "starred"))
    }
    usual = values["turn.words_per_clue"]
    styles = sorted(
        {
            usual,
            min(usual, values["giver.terse"]),
            max(usual, values["giver.chatty"]),
            *(v for k, v in values.items() if k.endswith(".words_per_clue") and k.startswith("monster")),
        }
    )
    assert len(cards) == 10 + 2 * 6
    for number, path in {NO_CARD: "none", **cards}.items():
        for field, plain in {**NEUTRAL, "guesses": values["turn.guesses"]}.items():
            said = values.get(f"{path}.{CARD_FIELDS.get(field, field)}", plain)
            assert found[number][field] == (min(said, plain) if field == "guesses" else said), (path, field)
        for field, far in FAR.items():
            said = values.get(f"{path}.{field}")
            assert found[number][field] == said if said is not None else found[number][field] >= far, (path, field)
        said = values.get(f"{path}.words_per_clue")
        assert found[number]["style"] == (len(styles) - 1 if said is None else styles.index(said)), path
    unused = [i for i in range(CARDS) if i not in (NO_CARD, *cards)]
    assert all(found[i] == found[NO_CARD] for i in unused)


WAYS = {  # which words a clue-giver leaves out, and whose planning it has
    Giver.NAIVE: (Filter.ANY, "naive"),
    Giver.CAUTIOUS: (Filter.SHY, "cautious"),
    Giver.BLUNT: (Filter.PLAIN, "blunt"),
    Giver.CHATTY: (Filter.ANY, "naive"),
    Giver.AIMLESS: (Filter.STRAY, "aimless"),
    Giver.CURT: (Filter.ANY, "naive"),
    Giver.TARDY: (Filter.ANY, "naive"),
}


def test_every_clue_giver_chooses_words_in_its_way():
    plans = {name: 1.0 + i for i, name in enumerate(("naive", "cautious", "oblique", "blunt", "aimless"))}
    rules = {f"giver__{name}__plan": plan for name, plan in plans.items()}
    found = box(giver__terse=1.25, giver__chatty=3.5, turn__words_per_clue=2.0, **rules).view(np.ndarray)[0]
    for giver in Giver:
        words, plan = WAYS.get(giver, (Filter.FAR, "oblique"))
        later = (Filter.SHY, "cautious") if giver == Giver.ADAPTIVE else (words, plan)
        assert found["manner"][giver]["filter"].tolist() == [words, later[0]]
        assert found["manner"][giver]["plan"].tolist() == [plans[plan], plans[later[1]]]
    means = [
        found["words"][found["manner"][giver]["style"]].mean() for giver in (Giver.TERSE, Giver.NAIVE, Giver.CHATTY)
    ]
    assert means == pytest.approx([1.25, 2.0, 3.5], abs=0.01)


def test_talkative_and_terse_clue_givers_stay_so():
    found = box(giver__terse=3.0, giver__chatty=1.5, turn__words_per_clue=2.0).view(np.ndarray)[0]["manner"]["style"]
    assert found[Giver.TERSE] == found[Giver.NAIVE] == found[Giver.CHATTY]


def test_odds_are_given_by_team_and_room():
    rules = {
        "odds__team_a": [x / 20 for x in range(1, 11)],
        "odds__team_b": [x / 11 for x in range(1, 11)],
        "odds__cursed": 0.7,
        "odds__monster": 0.6,
        "odds__starred": 0.5,
        "team_a__success": 0.9,
    }
    found = box({"monster": "dragon"}, **rules).view(np.ndarray)[0]
    assert found["odds"].tolist() == [[0, *rules["odds__team_a"]], [0, *rules["odds__team_b"]]]
    assert (found["odds_cursed"], found["odds_monster"].tolist(), found["handicap"].tolist()) == (
        0.7,
        [0.6, 0.5],
        [0.9, 1.0],
    )
    assert box({"monster": "none"}, **rules)["odds_monster"][0].tolist() == [1, 1]
    for length in (9, 11):
        with pytest.raises(ScenarioError, match=f"holds {length} chances; one for each of the rooms 1 to 10"):
            box(odds__team_b=[0.5] * length)


def places(kind, rooms, own=(), stacked=False):
    values = dict(create_variant("trapwords").values)
    values |= {
        "setup.curses": kind,
        "dungeon.own_curses": list(own),
        "switches.three_rooms": "stack" if stacked else "one",
    }
    return curse_places(Values(values), rooms)


def test_curses_lie_where_the_rulebook_lays_them():
    assert places("none", 5) == [] and places("two", 5) == [1, 3] and places("four", 5) == [0, 1, 2, 3]
    assert places("four", 7) == [0, 1, 2, 3] and places("two", 7) == [1, 5] and places("two", 3) == [1]
    assert places("four", 4) == [0, 1, 2] and places("two", 3) == [1] and places("two", 3, stacked=True) == [1, 1]
    assert places("own", 5, [3, 0, 3]) == [0, 3] and places("own", 5, [3, 0, 3, 3], stacked=True) == [3, 0, 3, 3]
    for kind, rooms, own, said in (
        ("own", 5, [4], "rooms 0 to 3"),
        ("own", 5, [-1], "rooms 0 to 3"),
        ("two", 2, [], "takes three rooms"),
        ("own", 5, [1] * 4, "more than three curses"),
    ):
        with pytest.raises(BadValue, match=said):
            places(kind, rooms, own, stacked=True)


def test_teams_of_other_sizes_trap_otherwise():
    assert box({"team_a": 3, "team_b": 3}, **FULL)["part"][0].tolist() == [0, 0]
    found = box({"team_a": 3, "team_b": 4}, **FULL)
    assert found["part"][0].tolist() == [0, 1] and (found["hazard"][0, 0, 0] != found["hazard"][0, 1, 0]).any()


@pytest.mark.parametrize(
    "x",
    [0, 1, 0b1011, 0x8001, 0xFFFF, 0x5A5A, 1 << 16, 0xA5A5A, 0xFFFFF, 1 << CURSES - 1, 3 << 30, 0x9669A55A, 2**32 - 1],
)
def test_cards_of_a_pile_are_counted_and_picked_from_the_lowest(x):
    cards = [1 << i for i in range(32) if x >> i & 1]
    assert bits_set(x) == len(cards) and [nth_bit(x, i) for i in range(len(cards))] == cards


def test_stray_words_are_a_stride_apart():
    values = Values(create_variant("trapwords").values)
    minds = replace(minds_of(values, 3), scenes=30)
    lists = traps.trap_list(minds, Trapper.STRAY, 6)
    assert (np.diff(lists, axis=1) % traps.RANKS == 151).all() and len(set(lists[:, 0].tolist())) > 15
    assert lists.min() >= 0 and lists.max() < traps.RANKS


# Cards together


def effect(**fields):
    found = blank(np.dtype([("one", GAME.table["effect"].base)]))[0].one
    for name, value in {**NEUTRAL, "sand": 1e9, "word_time": 1e9, "budget": 999, "style": 4, **fields}.items():
        setattr(found, name, value)
    return found


@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize("together, times", [("multiply", (0.4, 0.75, 0.3)), ("add_up", (0.3, 1.0, 0.1))])
def test_two_cards_hold_together(together, times, is_swapped):
    b = Board(switches__two_cards=together)
    one = effect(
        timer=0.8,
        clue_time=1.5,
        success=0.6,
        guesses=3,
        sand=40.0,
        sentence=0.7,
        word_time=9.0,
        style=2,
        budget=7,
        hold=2,
        freeze=0,
        invalid=0.1,
        back=1,
    )
    other = effect(
        timer=0.5,
        clue_time=0.5,
        success=0.5,
        guesses=4,
        sand=30.0,
        sentence=0.8,
        word_time=8.0,
        style=3,
        budget=9,
        hold=3,
        freeze=1,
        invalid=0.2,
        back=0,
    )
    if is_swapped:
        one, other = other, one
    lay_over(b.box, one, other)
    assert (one.timer, one.clue_time, one.success) == pytest.approx(times)
    assert (one.guesses, one.sand, one.sentence, one.word_time, one.style, one.budget) == (3, 30.0, 0.7, 8.0, 2, 7)
    assert (one.hold, one.freeze, one.back) == (3, 1, 1) and one.invalid == pytest.approx(0.3)


def test_effects_that_are_added_up_leave_a_little():
    b = Board(switches__two_cards="add_up")
    one = effect(timer=0.2, clue_time=0.3, success=0.4)
    lay_over(b.box, one, effect(timer=0.2, clue_time=0.3, success=0.4))
    assert (one.timer, one.clue_time, one.success) == (0.05, 0.05, 0.0)


@pytest.mark.parametrize("reading, length", [("add", 3 + 2 + 3), ("max", 3 + 3)])
def test_trap_words_of_several_cards(reading, length):
    b = Board(switches__trap_additions=reading)
    b.box.card[FIRST_CURSE + 2].traps, b.box.card[FIRST_CURSE + 7].share = 2, 1.2  # 1.2 times room 3 is 3 and a bit
    b.table.active[A] = 1 << 2 | 1 << 7
    what_holds(b.box, b.table, A)
    assert b.table.length[A] == length and b.table.plain[A] == 0
    b.table.active[A] = 0
    what_holds(b.box, b.table, A)
    assert b.table.length[A] == 3 and b.table.plain[A] == 1 and b.table.effect[A].traps == 0


# The log


def logged(b):
    return [tuple(int(x) for x in entry) for entry in b.luck.log[: int(b.luck.log_n)]]


def parts_of(word, widths):
    """The parts of a word of bits, the first lowest."""
    found, word = [], int(word)
    for width in widths:
        found.append((1 << width, word & ((1 << width) - 1)))
        word >>= width
    return found


def prepared(key=1, team=A, **rules):
    """A board whose draws are logged from now on."""
    b = Board(key=key, **{**FULL, **rules})
    lucky(b.luck, game_key(key, 3))
    b.luck.log_on = 1
    return b


def test_the_log_of_a_turn_tells_every_part_of_its_bits():
    b = prepared()
    b.table.round = 5
    talk(b.box, b.table, b.hidden, b.luck, B, Giver.CAUTIOUS, 40.0)
    log = logged(b)
    word = parts_of(bits(b.luck, Source.WORD, 5, B, 0), (28, 12, 12, 12))
    assert log[:4] == [(Source.WORD, 5, B, c, n, result) for c, (n, result) in enumerate(word)]
    beats = len(log) // 4 - 1
    assert STEP == 8 and beats >= 2 and len(log) == 4 + 4 * beats
    for beat in range(beats):
        parts = parts_of(bits(b.luck, Source.TALK, 5, B, 8 * beat), (10, 10, 22, 22))
        entries = [(Source.TALK, 5, B, 8 * beat + c, n, result) for c, (n, result) in enumerate(parts)]
        assert log[4 + 4 * beat : 8 + 4 * beat] == entries


def test_the_log_of_odds_and_of_people_tells_every_part_of_their_bits():
    b = prepared()
    b.table.round = 4
    cause = by_odds(b.box, b.table, b.luck, B, 40.0)
    (chance, time) = parts_of(bits(b.luck, Source.ODDS, 4, B, 0), (32, 32))
    assert logged(b) == [(Source.ODDS, 4, B, 0, *chance), (Source.ODDS, 4, B, 1, *time)]
    assert b.table.seconds[B] == pytest.approx(40 * time[1] / 2**32)
    assert cause == (Cause.SUCCESS if chance[1] / 2**32 < b.box.odds[B, 3] else Cause.OTHER)
    b = prepared()
    b.box.size[A], b.box.size[B] = 2, 8
    deal_skill(b.box, b.hidden, b.luck)
    wanted = []
    for team, size in ((A, 2), (B, 8)):
        parts = parts_of(bits(b.luck, Source.SKILL, team, 0, 0), [8] * size)
        wanted += [(Source.SKILL, team, 0, c, n, result) for c, (n, result) in enumerate(parts)]
        assert [b.hidden.skill[team, i] for i in range(size)] == pytest.approx([b.box.skill[r] for _, r in parts])
    assert logged(b) == wanted


# A turn, followed along its log


def follow(b, team, giver, sand):
    """What comes of a turn, as its log tells it: end, seconds, clues, wrong guesses, and the last way of choosing."""
    log, card, way = logged(b), b.table.effect[team], b.box.manner[giver]
    scene, quick, ease, fuse = (entry[5] for entry in log[:4])
    scene = scene * int(b.box.scenes) // (1 << 28)
    asked = 1 / (b.box.kappa[team] * b.hidden.skill[team, b.table.torch[team]] * b.box.quick[quick] * b.box.ease[ease])
    shelf = b.box.shelf[b.table.length[team]]
    trappers = b.hidden.own[1 - team].list
    fuse, invalid = float(b.box.fuse[fuse]), max(float(b.box.invalid), float(card.invalid))
    share = min(b.box.sentence, card.sentence, way.sentence)
    clock = float(b.box.reading) if b.box.timer_start == TimerStart.WITH_BOOK else 0.0
    known, clues, wrong, hit, left, late = 0.0, 0, 0, False, min(int(card.budget), int(way.budget)), 0
    for beat in itertools.count():
        words, clock_part, first, second = (entry[5] for entry in log[4 + 4 * beat : 8 + 4 * beat])
        speaks = left > 0 and not (card.freeze and wrong)
        if speaks:
            late = late or int(clock > way.until * sand)
            plan = way.plan[late] * card.clue_time
            if b.box.timer_start == TimerStart.FIRST_CLUE and not clues and not late:
                plan = 0.0
            said = min(left, int(b.box.words[min(way.style, card.style), words]))
            pace = min(b.box.word_time, card.word_time) * card.clue_time
            clock += (plan + said * pace) * b.box.clock[clock_part]
        else:
            clock += b.box.pause
        if clock > sand:
            return (Cause.TRAP if hit else Cause.TIMER), clock, clues, wrong, way.filter[late]
        if speaks:
            clues, left, chosen = clues + 1, left - said, way.filter[late]
            worth = b.box.worth[shelf, chosen, scene]
            known += (share + (1 - share) * worth) * b.box.weight[said]
            if not hit:
                fuse -= said * b.box.hazard[b.box.part[1 - team], shelf, trappers, chosen, scene]
                hit = fuse < 0
                fuse += math.log(1 - min(invalid, 1 - 1e-6))
                if fuse < 0 and not (hit and b.box.retroactive):
                    return (Cause.TRAP if hit else Cause.INVALID), clock, clues, wrong, way.filter[late]
            if clues < max(way.hold, card.hold) and left > 0:
                continue
        for chance, least in ((first, b.box.guess_1), (second, b.box.guess_2[team])):
            if chance >= least:
                continue
            clock += b.box.guess_time
            if clock > sand:
                return (Cause.TRAP if hit else Cause.TIMER), clock, clues, wrong, way.filter[late]
            if known * b.box.insight[wrong] >= asked:
                return (Cause.TRAP if hit else Cause.SUCCESS), clock, clues, wrong, way.filter[late]
            wrong += 1
            if wrong >= card.guesses:
                return (Cause.TRAP if hit else Cause.GUESSES), clock, clues, wrong, way.filter[late]


CASES = [
    (Giver.NAIVE, {}, {}),
    (Giver.CAUTIOUS, {}, {}),
    (Giver.ADAPTIVE, {"giver__adaptive": 0.3}, {}),
    (Giver.ADAPTIVE, {"giver__adaptive": 0.1, "switches__timer_start": "with_book", "turn__reading": 6.0}, {}),
    (Giver.ADAPTIVE, {"giver__adaptive": 0.0, "switches__timer_start": "first_clue"}, {}),
    (Giver.ADAPTIVE, {"giver__adaptive": 0.2}, {"clue_time": 1.5}),
    (Giver.NAIVE, {"switches__timer_start": "first_clue"}, {"clue_time": 0.6}),
    (Giver.PATIENT, {"giver__patient": 3}, {}),
    (Giver.CURT, {"giver__curt": 3}, {}),
    (Giver.AIMLESS, {}, {}),
    (Giver.NAIVE, {"switches__timer_start": "with_book", "turn__reading": 6.0}, {}),
    (Giver.CAUTIOUS, {"switches__timer_start": "first_clue"}, {}),
    (Giver.NAIVE, {"switches__doubtful_trap": "retroactive"}, {}),
    (Giver.CAUTIOUS, {"turn__guesses": 2, "turn__theta": 0.9}, {}),
    (Giver.CAUTIOUS, {"turn__kappa": 0.1}, {"freeze": 1}),
    (Giver.CAUTIOUS, {}, {"hold": 4, "budget": 6}),
    (Giver.CAUTIOUS, {"turn__invalid": 0.3}, {"invalid": 0.1}),
    (Giver.CAUTIOUS, {}, {"invalid": 0.4, "clue_time": 1.5, "word_time": 0.9, "sentence": 0.2, "style": 0}),
    (Giver.BLUNT, {"turn__sentence": 0.9}, {"budget": 4}),
    (Giver.TARDY, {"giver__tardy": 5}, {"budget": 3}),
]


@pytest.mark.parametrize("giver, rules, fields", CASES)
def test_a_turn_is_what_its_log_tells(giver, rules, fields):
    b = Board({"team_a": 3, "team_b": 4}, **{**FULL, **rules})
    causes = set()
    for key in range(1, 41):
        team = key % 2
        lucky(b.luck, game_key(key, 7))
        b.luck.log_on = 1
        b.hidden.own[1 - team].list = (Trapper.OBVIOUS, Trapper.COVER, Trapper.SECOND)[key % 3]
        b.table.torch[team] = key % 3
        for name, value in fields.items():
            setattr(b.table.effect[team], name, value)
        found = talk(b.box, b.table, b.hidden, b.luck, team, giver, 35.0)
        cause, seconds, clues, wrong, chosen = follow(b, team, giver, 35.0)
        assert found == cause and found != GOING_ON
        scene = logged(b)[0][5] * 40 >> 28
        shelf, trappers = b.box.shelf[b.table.length[team]], b.hidden.own[1 - team].list
        assert b.table.hazard[team] == b.box.hazard[b.box.part[1 - team], shelf, trappers, chosen, scene]
        assert b.table.worth[team] == b.box.worth[shelf, chosen, scene]
        assert (b.table.seconds[team], b.table.clues[team], b.table.wrong[team]) == (
            pytest.approx(seconds),
            clues,
            wrong,
        )
        causes.add(int(found))
    assert len(causes) >= 2


def test_what_a_clue_burns():
    b = Board(turn__invalid=0.0, switches__doubtful_trap="retroactive", **FULL)
    lenient = way_of_speaking(b.box, effect(invalid=0.5), b.box.manner[Giver.NAIVE])
    assert lenient.slip == pytest.approx(math.log(2))
    assert way_of_speaking(b.box, effect(invalid=1.0), b.box.manner[Giver.NAIVE]).slip == pytest.approx(-math.log(1e-6))
    safe = way_of_speaking(b.box, effect(), b.box.manner[Giver.NAIVE])
    assert safe.slip == 0 and burn(b.box, safe, 1.0, False, 1.0) == (0.0, False, GOING_ON)
    assert burn(b.box, safe, 1.0, False, 1.5) == (-0.5, True, GOING_ON) and burn(b.box, safe, 0.3, True, 9.0) == (
        0.3,
        True,
        GOING_ON,
    )
    assert burn(b.box, lenient, 1.0, False, 0.5)[1:] == (False, Cause.INVALID)
    b.box.retroactive = 0
    assert burn(b.box, safe, 1.0, False, 1.5)[1:] == (True, Cause.TRAP)


# A turn as a whole


def test_the_sand_of_a_turn_is_the_least_that_a_card_leaves():
    for timer, most, seconds in ((0.5, 1e9, 20.0), (1.0, 13.0, 13.0), (0.5, 25.0, 20.0)):
        b = Board(
            turn__timer=40.0, turn__first_guess=0.0, turn__second_guess=0.0, turn__notice=0.0, turn__invalid=0.0, **FULL
        )
        b.table.effect[A].timer, b.table.effect[A].sand = timer, most
        assert play_turn(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE) == Cause.TIMER
        assert b.table.seconds[A] == pytest.approx(seconds)


@pytest.mark.parametrize(
    "factor, handicap, share", [(0.5, 1.0, 0.5), (0.5, 0.5, 0.25), (1.0, 0.6, 0.6), (1.0, 1.0, 1.0), (2.0, 0.5, 1.0)]
)
def test_a_card_and_a_handicap_take_some_of_the_successes(factor, handicap, share):
    b = Board(turn__kappa=500.0, turn__notice=0.0, turn__invalid=0.0, turn__first_guess=1.0, turn__timer=500.0, **FULL)
    b.table.effect[A].success, b.box.handicap[A] = factor, handicap
    ends = []
    for key in range(300):
        lucky(b.luck, game_key(key, 0))
        ends.append(play_turn(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE))
    assert set(ends) <= {Cause.SUCCESS, Cause.OTHER}
    assert stats.binomtest(ends.count(Cause.SUCCESS), 300, share).pvalue > 1e-4


@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_no_luck_is_drawn_for_a_card_that_costs_no_success(factor):
    b = prepared(turn__kappa=500.0, turn__notice=0.0, turn__invalid=0.0, turn__first_guess=1.0, turn__timer=500.0)
    b.table.effect[A].success = factor
    assert play_turn(b.box, b.table, b.hidden, b.luck, A, Giver.NAIVE) == Cause.SUCCESS
    assert {source for source, *_ in logged(b)} == {Source.WORD, Source.TALK}


def test_who_fails_on_purpose_takes_no_time_and_says_nothing():
    b = Board(switches__deliberate_failure=True, **FULL)
    b.table.seconds[A], b.table.clues[A], b.table.wrong[A] = 5.0, 6, 7  # of the round before
    assert play_turn(b.box, b.table, b.hidden, b.luck, A, FAIL) == Cause.PURPOSE
    assert (b.table.seconds[A], b.table.clues[A], b.table.wrong[A]) == (0, 0, 0)


def test_a_chance_by_odds_has_its_factors():
    b = Board(
        {"monster": "dragon", "starred": "starred"},
        odds__team_a=[0.8] * 10,
        odds__cursed=0.5,
        odds__starred=0.6,
        team_a__success=0.9,
    )

    def chance(**table):
        for name, value in {"active": 0, "drawn": 0, "faces": 0, **table}.items():
            getattr(b.table, name)[A] = value
        wins = 0
        for key in range(400):
            lucky(b.luck, game_key(key, 0))
            wins += by_odds(b.box, b.table, b.luck, A, 40.0) == Cause.SUCCESS
        return wins

    for table, share in (
        ({}, 0.72),
        ({"active": 1}, 0.36),
        ({"drawn": 4}, 0.36),
        ({"faces": 1}, 0.432),
        ({"faces": 1, "drawn": 2, "active": 1}, 0.216),
    ):
        assert stats.binomtest(chance(**table), 400, share).pvalue > 1e-4


def test_teams_write_lists_and_then_play_as_they_begin():
    b = Board(switches__first_book="team_b")
    assert b.table.first == B and (b.table.kind, b.table.seat) == (Kind.TRAPS, A)
    seen = []
    for option in (Trapper.COVER, Trapper.SPLIT, Giver.NAIVE, Giver.NAIVE):
        seen.append((b.table.kind, b.table.seat))
        GAME.take(b.box, b.table, b.hidden, b.luck, option)
    assert seen == [(Kind.TRAPS, A), (Kind.TRAPS, B), (Kind.CLUES, B), (Kind.CLUES, A)] and b.table.round == 2
    assert (b.hidden.own[A].list, b.hidden.own[B].list) == (Trapper.COVER, Trapper.SPLIT)


@pytest.mark.parametrize("may_fail", [False, True])
def test_every_option_is_its_own_number(may_fail):
    b = Board(switches__deliberate_failure=may_fail)
    out = np.full(30, -7)
    n = GAME.options(b.box, b.table, b.hidden, out)
    assert out[:n].tolist() == list(range(len(Trapper)))
    b.table.kind = Kind.CLUES
    n = GAME.options(b.box, b.table, b.hidden, out)
    assert out[:n].tolist() == list(range(len(Giver) + may_fail))
