"""The story of a game: a sentence for whatever is chosen, and nothing that only a program would say."""

import re

import pytest

from hardmode.scenarios.load import load_scenario
from hardmode.sim.games.run_run_run import GAME, story
from hardmode.sim.games.run_run_run.names import Kind
from hardmode.sim.replay import sentences
from hardmode.sim.replay import story as played
from hardmode.studies.core.run import make_engine

ACTIONS = ("explore", "fight", "move", "use token", "teleport with token", "open a wall with token", "cooperate",
           "pass")
ELSEWHERE = {"use a token", "action"}  # kinds whose options are told by what is done


@pytest.mark.parametrize("players", [1, 3])
def test_each_line_is_a_sentence(players):
    """Random play comes to the rarest choices; a choice without a word would be an empty or broken line."""
    cell = load_scenario("run_run_run/standard", strategies=["random"], players=players).cells[0]
    made = make_engine(cell)
    for number in range(4):
        one = played(made, 5, number)
        maps = {line for s in one.steps for line in story.picture(s.state).splitlines()}
        for line in sentences(one, GAME.load_words())[:-1]:
            if line and line not in maps and not line.startswith("-- round"):
                assert re.fullmatch(r"[A-Z].*[.]", line), line
                assert not re.search(r"[{}\[\]]|None|player player| 1 (hearts|cards|torches|dice)\b", line), line


def test_there_are_words_for_all_that_can_be_chosen():
    told_elsewhere = {do for do, _ in story.ANSWERS} | {
        "split the damage", "cards for dice", "mechanism", "footprint", "offer a card", "torches to burn"}
    for do in {*Kind.labels(), *ACTIONS} - ELSEWHERE:
        assert do in story.SENTENCES or do in told_elsewhere, do


@pytest.mark.parametrize(("taken", "sentence"), [
    ({"do": "split the damage", "player 1": 2, "player 3": 1}, "Player 2 splits the damage: player 1 2, player 3 1."),
    ({"do": "split the damage"}, "Player 2 splits the damage: nobody is hurt."),
    ({"do": "torches to burn", "torches": 1}, "Player 2 burns 1 torch."),
    ({"do": "torches to burn", "torches": 2}, "Player 2 burns 2 torches."),
    ({"do": "torches to burn", "torches": 0}, "Player 2 burns no torch."),
    ({"do": "footprint", "to": "stay"}, "Player 2 stays."),
    ({"do": "footprint", "to": "Vault"}, "Player 2 walks on to Vault."),
    ({"do": "cards for dice", "roll": 3}, "Player 2 rolls 3 dice."),
    ({"do": "cards for dice", "token": "double"}, "Player 2 plays a Double."),
    ({"do": "cards for dice", "card": "Room 5 (2 exits, A)"}, "Player 2 gives up Room 5 (2 exits, A) for a die."),
    ({"do": "mechanism", "mechanism": "none"}, "Player 2 leaves the mechanism alone."),
    ({"do": "mechanism", "mechanism": "torch", "rooms": ["a", "b"]}, "Player 2 sets off the torch mechanism of a, b."),
    ({"do": "offer a card", "card": "Room 5 (2 exits, A)"},
     "Player 2 offers a card face down: Room 5 (2 exits, A)."),
    ({"do": "join the regrouping", "answer": "yes"}, "Player 2 comes."),
    ({"do": "offer a card", "card": "none"}, "Player 2 offers no more."),
    ({"do": "give a token", "token": "double", "to": "player 1"}, "Player 2 passes a token to player 1: double."),
    ({"do": "give a token", "token": "none"}, ""),
    ({"do": "no token now"}, ""),
    ({"do": "use a shield", "answer": "no"}, "Player 2 keeps the Shield for later."),
    ({"do": "exit door", "tile": "Room 4 at (1, 2)", "side": 3, "through": "a wall"},
     "Player 2 puts the Exit Door beside Room 4 at (1, 2), through the wall on side 3."),
    ({"do": "room to lay", "card": "Room 5 (2 exits, A)", "hex": "(1, 0)", "exits": [1, 4]},
     "Player 2 lays Room 5 (2 exits, A) on hex (1, 0), with exits on sides 1, 4."),
])
def test_choices_in_words(taken, sentence):
    assert story._chosen("player 2", taken) == sentence


def test_equal_faces_are_counted():
    draws = [{"source": "combat dice", "result": f} for f in ("hit", "blank", "hit")] + [
        {"source": "deck", "result": 3}]
    assert story._rolled(draws, "combat dice") == ["The combat dice show 2 times hit, blank."]
    assert story._rolled(draws, "mummy dice") == []


def test_every_trap_is_told():
    made = make_engine(load_scenario("run_run_run/standard", ["tokens.trap=6"]).cells[0])
    stories = [played(made, 1, number) for number in range(6)]
    told = [sentences(one, GAME.load_words()).count("The token is a Trap.") for one in stories]
    assert told == [one.row["measures"]["traps"] for one in stories] and sum(told) > 3
