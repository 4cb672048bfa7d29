"""How a story is laid out: sentences in order, a heading and the board where a round begins."""

from types import SimpleNamespace

import pytest

from hardmode.sim.narration import NEW_ROUND
from hardmode.sim.replay import Step, sentences


def story_of(*rounds):
    steps = [Step(i, "move", 0, [], {"do": i} if i else None, True, [], {"open": {"round": r}})
             for i, r in enumerate(rounds)]
    return SimpleNamespace(steps=steps, game=SimpleNamespace(unit="rounds"), ending="won", row={"rounds": rounds[-1]},
                           number=0, seed=1)


def words_of(*lines):
    """Words that tell these lines of step 0, 1, 2, ..."""
    return SimpleNamespace(
        tell=lambda before, taken, draws, after: list(lines[taken["do"] if taken else 0]),
        picture=lambda state: f"board of round {state['open']['round']}")


@pytest.mark.parametrize(("step", "expected"), [
    (["a", "b"], ["a", "b", "", "-- round 2 --", "board of round 2", ""]),  # not marked: the step ends the old round
    (["a", NEW_ROUND, "b"], ["a", "", "-- round 2 --", "board of round 2", "", "b"]),
    (["a", "b", NEW_ROUND], ["a", "b", "", "-- round 2 --", "board of round 2", ""]),
])
def test_a_round_begins_where_the_words_say(step, expected):
    assert sentences(story_of(1, 2), words_of(["deal"], step)) == [
        "deal", *expected, "", "board of round 2", "", "won after 2 rounds"]


def test_without_a_new_round_the_mark_is_not_told():
    assert sentences(story_of(1, 1), words_of([NEW_ROUND, "deal"], [NEW_ROUND, "a"])) == [
        "deal", "a", "", "board of round 1", "", "won after 1 round"]
