"""The model of a turn against the figures it must give: success by list length, causes, payoffs, cards, closed forms.

Figures stand for libraries of any size; ours has 1500 scenes, which moves a rate by about .004 (one standard error).
"""

import itertools
from functools import cache

import numpy as np
import pytest

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.trapwords.calibrate.practice import practise
from hardmode.sim.games.trapwords.names import Cause, Curse, Filter, Giver, Trapper

N = 40_000
NO_CARDS = {"curses": "none", "monster": "none"}
SHORT, MIDDLE, LONG = 0, 2, 4  # rooms 3, 5 and 7


@cache
def standard():
    return create_variant("trapwords", setup=NO_CARDS).box


@cache
def rooms(first):
    return create_variant("trapwords", setup={**NO_CARDS, "rooms": "own"},
                   rules={"dungeon.rooms.own": list(range(first, first + 5))}).box


def success(k, trappers, giver):
    return practise(rooms(1 if k <= 5 else 6), (k - 1) % 5, trappers, giver, N).share()


BY_LENGTH = {
    Giver.NAIVE: ".500 .358 .274 .221 .189 .172 .162 .155 .150 .147",
    Giver.CAUTIOUS: ".715 .624 .557 .507 .465 .430 .405 .388 .376 .368",
    Giver.OBLIQUE: ".738 .702 .671 .645 .617 .582 .552 .528 .510 .497",
    Giver.ADAPTIVE: ".746 .706 .673 .645 .616 .580 .551 .527 .508 .496",
}


@pytest.mark.parametrize("giver", BY_LENGTH)
def test_success_by_length_of_the_list(giver):
    found = [success(k, Trapper.OBVIOUS, giver) for k in range(1, 11)]
    assert found == pytest.approx([float(x) for x in BY_LENGTH[giver].split()], abs=.01)
    assert all(a > b for a, b in itertools.pairwise(found)), "more traps never help"


@pytest.mark.parametrize("giver, wanted", [
    (Giver.NAIVE, .923), (Giver.CAUTIOUS, .879), (Giver.OBLIQUE, .809), (Giver.ADAPTIVE, .824)])
def test_success_without_traps(giver, wanted):
    """A list whose words never trigger; the cautious one avoids as many words as for an empty list."""
    box = create_variant("trapwords", setup={**NO_CARDS, "rooms": "own"}, rules={
        "dungeon.rooms.own": [1, 2, 3], "turn.family": 0.0, "giver.cautious.extra": 1}).box
    assert practise(box, 0, Trapper.OBVIOUS, giver, N).share() == pytest.approx(wanted, abs=.01)


@pytest.mark.parametrize("giver, room, shares, quartiles", [
    (Giver.CAUTIOUS, SHORT, (.557, .373, .016, .026, .028), (8.1, 13.3, 19.9)),
    (Giver.CAUTIOUS, LONG, (.405, .550, .012, .016, .016), (7.5, 12.2, 18.5)),
    (Giver.OBLIQUE, SHORT, (.672, .182, .020, .035, .090), (9.9, 16.0, 23.4)),
    (Giver.OBLIQUE, LONG, (.553, .336, .017, .026, .067), (9.4, 15.3, 22.5)),
    (Giver.NAIVE, SHORT, (.274, .710, .008, .006, .002), None)])
def test_how_turns_end(giver, room, shares, quartiles):
    turns = practise(standard(), room, Trapper.OBVIOUS, giver, N)
    causes = (Cause.SUCCESS, Cause.TRAP, Cause.INVALID, Cause.GUESSES, Cause.TIMER)
    assert [turns.share(cause) for cause in causes] == pytest.approx(shares, abs=.01)
    if quartiles:
        assert np.percentile(turns.success_seconds, [25, 50, 75]) == pytest.approx(quartiles, abs=.4)
    else:
        assert turns.success_seconds.mean() == pytest.approx(10.6, abs=.2)


PAYOFF = {
    Trapper.OBVIOUS: ".274 .557 .671 .189 .465 .617 .162 .405 .552",
    Trapper.SECOND: ".508 .598 .711 .439 .530 .627 .413 .504 .571",
    Trapper.ANTICIPATE: ".492 .491 .673 .392 .418 .555 .352 .394 .481",
    Trapper.SPLIT: ".306 .551 .671 .232 .469 .592 .191 .430 .543",
    Trapper.COVER: ".312 .560 .670 .213 .473 .609 .173 .420 .556",
}


@pytest.mark.parametrize("trappers", PAYOFF)
def test_what_each_way_of_trapping_is_worth(trappers):
    found = [practise(standard(), room, trappers, giver, N).share()
             for room in (SHORT, MIDDLE, LONG) for giver in (Giver.NAIVE, Giver.CAUTIOUS, Giver.OBLIQUE)]
    assert found == pytest.approx([float(x) for x in PAYOFF[trappers].split()], abs=.015)


def test_short_clues():
    found = [practise(standard(), room, Trapper.OBVIOUS, Giver.TERSE, N).share() for room in (SHORT, MIDDLE, LONG)]
    assert found == pytest.approx([.672, .634, .586], abs=.01)


# -- cards ------------------------------------------------------------------------------------------


CURSED = {
    "flood": (.87, .89, .90), "petrification": (.83, .82, .80), "echo": (.87, .89, .90),
    "feeble_minded": (.95, .93, .92), "forbidden_word": (.91, .92, .96), "letter_ban": (.87, .87, .88),
    "extra_traps": (.84, .87, .93), "fewer_guesses": (.89, .90, .91), "haste": (.89, .90, .91),
    "unknown": (.85, .85, .85),
}
MONSTERS = {
    ("dragon", "normal"): (.91, .87, .91), ("dragon", "starred"): (.78, .79, .86),
    ("troll", "normal"): (.96, 1.01, 1.05), ("troll", "starred"): (.77, .85, .91),
    ("vampire", "normal"): (.89, .90, .91), ("vampire", "starred"): (.42, .45, .47),
    ("demon", "normal"): (.89, .90, .91), ("demon", "starred"): (.71, .73, .75),
    ("own", "normal"): (.85, .85, .85), ("own", "starred"): (.70, .70, .70),
}


@cache
def without_cards():
    return [practise(standard(), room, Trapper.OBVIOUS, Giver.CAUTIOUS, N).share() for room in (SHORT, MIDDLE, LONG)]


def ratios(box, **how):
    return [practise(box, room, Trapper.OBVIOUS, Giver.CAUTIOUS, N, **how).share() / base
            for room, base in zip((SHORT, MIDDLE, LONG), without_cards(), strict=True)]


@pytest.mark.parametrize("name", CURSED)
def test_what_a_curse_takes(name):
    assert ratios(two_curses(), curse=Curse[name.upper()]) == pytest.approx(CURSED[name], abs=.02)


@cache
def two_curses():
    return create_variant("trapwords", setup={"monster": "none"}).box


@pytest.mark.parametrize("name, deck", MONSTERS)
def test_what_a_monster_takes(name, deck):
    box = create_variant("trapwords", setup={"curses": "none", "monster": name, "starred": deck}).box
    assert ratios(box, monster=True) == pytest.approx(MONSTERS[name, deck], abs=.02)


def test_the_mummy_takes_what_its_curses_take():
    """A random curse for each round against it: .88 of the chances on average, whatever the room."""
    every = [ratios(two_curses(), curse=i) for i in Curse]
    assert float(np.mean(every)) == pytest.approx(.88, abs=.015)


# -- closed forms -----------------------------------------------------------------------------------


def clockwork(**rules):
    """Clues like clockwork: one content word-load each, one guess after each, no spread of any kind."""
    still = {"turn.clue_shape": 100.0, "turn.first_guess": 1.0, "turn.second_guess": 0.0, "turn.word_ease": 0.0,
             "turn.words_per_clue": 1.0, "giver.terse": 1.0, "turn.usual_words": 1.0, "turn.notice": 1.0,
             "turn.sentence": 1.0, "turn.timer": 600.0}
    return create_variant("trapwords", setup=NO_CARDS, rules={**still, **rules}).box


def closed(kappa, sigma, theta=.5, n=5):
    """Survive i clues, and the word comes with the i-th guess."""
    steps = np.arange(n + 1) ** (1 + theta)
    return float(sum(sigma**i * (np.exp(-kappa * steps[i - 1]) - np.exp(-kappa * steps[i])) for i in range(1, n + 1)))


@pytest.mark.parametrize("kappa", [.1, .35, .5, 1.0])
def test_five_guesses_without_traps(kappa):
    box = clockwork(**{"turn.kappa": kappa, "turn.family": 0.0, "turn.invalid": 0.0})
    wanted = 1 - np.exp(-kappa * 5**1.5)
    assert closed(kappa, 1.0) == pytest.approx(wanted)
    assert practise(box, SHORT, Trapper.OBVIOUS, Giver.NAIVE, N).share() == pytest.approx(wanted, abs=.01)


@pytest.mark.parametrize("kappa, invalid", [(.5, .05), (.2, .3), (1.0, .15)])
def test_invalid_clues_in_closed_form(kappa, invalid):
    box = clockwork(**{"turn.kappa": kappa, "turn.family": 0.0, "turn.invalid": invalid})
    found = practise(box, SHORT, Trapper.OBVIOUS, Giver.NAIVE, N).share()
    assert found == pytest.approx(closed(kappa, 1 - invalid), abs=.01)


@pytest.mark.parametrize("invalid", [0.0, .25])
def test_a_sure_guess_leaves_only_the_faults(invalid):
    """kappa without bound: success is to survive one clue, 1 - h in the mean of the scenes, and it being valid."""
    box = clockwork(**{"turn.kappa": 1000.0, "turn.invalid": invalid})
    shelf = int(box["shelf"][0, 3])
    hazard = 1 - np.exp(-box["hazard"][0, 0, shelf, Trapper.OBVIOUS, Filter.ANY, :1500].astype(float)).mean()
    turns = practise(box, SHORT, Trapper.OBVIOUS, Giver.NAIVE, N)
    assert turns.share() == pytest.approx((1 - hazard) * (1 - invalid), abs=.01)
    assert turns.share(Cause.TRAP) == pytest.approx(hazard, abs=.01)  # a trap is called before the clue is judged
    assert turns.share(Cause.INVALID) == pytest.approx((1 - hazard) * invalid, abs=.01)


def test_the_hazard_of_a_naive_word():
    """Trappers who know the word's associations perfectly trap the k most frequent; ours come close from below."""
    known = {"words.own_mind": 0.0, "trappers.samples": 80, "turn.notice": 1.0}
    box = create_variant("trapwords", setup=NO_CARDS, rules=known).box
    shelf = int(box["shelf"][0, 3])
    by_class = 1 - np.exp(-box["hazard"][0, 0, shelf, Trapper.OBVIOUS, Filter.ANY, :1500]).reshape(5, 300).mean(1)
    ideal = 1.15 * np.array([.190, .261, .304, .358, .425])
    assert (by_class <= ideal + .002).all() and by_class == pytest.approx(ideal, abs=.012)


def test_traps_fall_with_attention_and_self_control():
    """The directions that every table would expect, and about as much."""
    base = without_cards()[1]
    for rules, ratio in (({"giver.cautious.control": .5}, .60), ({"giver.cautious.control": .95}, 1.27),
                         ({"turn.kappa": .35}, .87), ({"turn.kappa": .7}, 1.11), ({"turn.family": 1.4}, .89),
                         ({"turn.notice": .8}, 1.09), ({"trappers.familiar": .6}, .88), ({"turn.timer": 30.0}, .95),
                         ({"turn.theta": .3}, .93), ({"trappers.samples": 3}, 1.05),
                         ({"turn.words_per_clue": 1.5}, 1.13)):
        box = create_variant("trapwords", setup=NO_CARDS, rules=rules).box
        found = practise(box, MIDDLE, Trapper.OBVIOUS, Giver.CAUTIOUS, N).share()
        assert found / base == pytest.approx(ratio, abs=.025), rules
