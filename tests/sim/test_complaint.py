"""A mistake in a game's rules is told in one line: file, line, game, rule and what was probably meant."""

from dataclasses import replace

import numpy as np
import pytest
from breaking import broken, line, rules
from playing import pig_box

from hardmode.sim import contract, replay
from hardmode.sim.contract import Measure, RulesError, Source
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.records import PLAIN
from hardmode.strategies import registry

needs_compiler = pytest.mark.skipif(PLAIN, reason="there is no compiler")


def play(game, games=300):
    made = Engine(game, pig_box(), [registry.create_player("pig", "steady")])
    made.play(Workspace(game), 1, 0, games, allocate_rows(game, games))


def said(act, *args):
    with pytest.raises(RulesError) as why:
        act(*args)
    words = str(why.value)
    assert "\n" not in words and len(words) < 300 and "Record(" not in words and "numba" not in words.lower(), words
    return words


TAKE, OUTCOME, OPTIONS, REDEAL = (f"pig: rule '{r}' does not compile" for r in ("take", "outcome", "options", "redeal"))

NOT_COMPILED = {  # what is replaced, by what, on which line it is told, as what
    "a field of the box": ("table.turn += face", "table.turn += box.sidez", "sidez",
                           f"{TAKE}: box has no field 'sidez'; did you mean box.sides?"),
    "a field of the table": ("table.all_rolls += 1", "table.al_rolls = 1", "al_rolls",
                             f"{TAKE}: table has no field 'al_rolls'; did you mean table.all_rolls"),
    "a field of own": ("hidden.own[s].nothing = 0", "hidden.own[s].nothin = 0", "nothin ",
                       f"{REDEAL}: hidden.own has no field 'nothin'; did you mean hidden.own.nothing?"),
    "a field of the row": ("row.rolls =", "row.rols =", "row.rols", "row has no field 'rols'; did you mean row.rolls"),
    "a field of another record": ("table.turn += face", "table.turn += table.sides", "table.sides",
                                  "table has no field 'sides'; did you mean box.sides?"),
    "a field of luck": ("table.turn += face", "table.turn += luck.keyy", "keyy",
                        "luck has no field 'keyy'; did you mean luck.key?"),
    "a field in a helper": ("    table.rolls = 0\n", "    table.rols = 0\n", "table.rols ",
                            f"{TAKE}: table has no field 'rols'; did you mean table.rolls"),
    "an undefined name": ("table.turn += face", "table.turn += fcae", "fcae",
                          f"{TAKE}: name 'fcae' is not defined; did you mean face?"),
    "an undefined name in a helper": ("    table.rolls = 0\n", "    table.rolls = NON\n", "NON",
                                      f"{TAKE}: name 'NON' is not defined"),
    "a text": ("table.turn += face", "table.turn = 'face'", "'face'",
               f"{TAKE}: a text is used where a whole number is needed"),
    "a text in a sum": ("table.turn += face", "table.turn += 'face'", "'face'",
                        f"{TAKE}: += cannot be used with a whole number and a text"),
    "a text in the row": ("row.ending = table.ending", "row.ending = 'won'", "'won'",
                          f"{OUTCOME}: a text is used where a whole number is needed"),
    "too many arguments": ("            pass_on(table)\n", "            pass_on(table, seat)\n", "pass_on(table, seat)",
                           f"{TAKE}: pass_on takes table: too many positional arguments"),
    "too few arguments": ("table.rolls, box.sides)", "table.rolls)", "1 + below",
                          f"{TAKE}: below takes luck, where, a, b, c, n: missing a required argument: 'n'"),
    "a plain helper": ("@rule\ndef pass_on", "def pass_on", "            pass_on(table)",
                       "pass_on is plain Python; mark it with @rule"),
    "no number of options": ("    return 2\n", "    pass\n", "pass",
                             f"{OPTIONS}: it returns nothing; it must return a whole number, the number of options"),
    "an index of a number": ("table.turn += face", "table.turn[0] += face", "turn[0]", "a whole number is indexed"),
    "a part of a number": ("    table.seat += 1\n", "    table.seat.x += 1\n", "seat.x",
                           "a whole number has no field 'x'"),
    "nothing of numpy's": ("table.turn += face", "table.turn += np.absolut(face)", "absolut",
                           "module numpy has no 'absolut'; did you mean absolute"),
    "a variable without a value": ("    face = 1 +", "    table.turn += face\n    face = 1 +", "table.turn += face",
                                   "'face' is used before it has a value"),
    "a key of another kind": ("table.turn += face", "table.turn += {1: face}['x']", "['x']",
                              "a text is used where a whole number is needed"),
    "a dict in a sum": ("table.turn += face", "table.turn = table.turn + {1: face}", "{1: face}",
                        "+ cannot be used with a whole number and a dict"),
    "a number for an array": ("row.rolls = table.all_rolls", "row.scores = table.all_rolls", "row.scores = ",
                              "a whole number is used where an array is needed"),
}


@needs_compiler
@pytest.mark.parametrize("case", NOT_COMPILED)
def test_rules_that_do_not_compile_are_told_in_a_line(case, tmp_path, monkeypatch):
    old, new, at, words = NOT_COMPILED[case]
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, old, new)
    told = said(play, rules(package))
    assert told.startswith(f"pig/__init__.py:{line(package, at)}: pig: rule ") and words in told, told


@needs_compiler
def test_a_mistake_two_calls_deep_is_told_at_its_own_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    deep = "@rule\ndef deeper(table):\n    table.rols += 1\n\n\n@rule\ndef pass_on(table):\n    deeper(table)\n"
    package = broken(tmp_path, "@rule\ndef pass_on(table):\n", deep)
    assert said(play, rules(package)).startswith(f"pig/__init__.py:{line(package, 'rols +=')}: pig: rule 'take'")


WHILE_PLAYING = {
    "no ending at set-up": ("    table.ending = -1\n", "", "@rule", "set-up leaves the table without `ending`"),
    "no ending in the row": ("    row.ending = table.ending\n", "", "row.rounds", "the row has no ending"),
    "an ending without a name": ("row.ending = table.ending", "row.ending = 7", "row.ending", "the row's ending is 7"),
    "an index out of range": ("table.score[seat] += table.turn", "table.score[seat + 2] += table.turn", "seat + 2",
                              "IndexError: index 2 is out of bounds"),
    "an index out of range in a helper": ("    table.rolls = 0\n", "    table.score[table.round] = 0\n",
                                          "[table.round]", "IndexError: index 2 is out of bounds"),
    "a row past its end": ("for s in range(2):\n        row", "for s in range(3):\n        row", "row.scores[s]",
                           "IndexError: index 2 is out of bounds"),
    "division by zero": ("table.turn += face", "table.turn += face // (table.round - 2)", "// (",
                         "ZeroDivisionError: division by zero"),
    "more cards than the pile": ("    table.turn = 0\n", "    shuffle(luck, 0, 0, table.score, 3)\n", "shuffle(",
                                 "IndexError: more cards are shuffled than the pile can hold"),
    "no options": ("    return 2\n", "    return 0\n", "def options", "no option is left"),
    "too many options": ("    return 2\n", "    return 3\n", "def options", "3 options are more than max_options, 2"),
}
DEFINED_AT = {"no ending at set-up": "def setup", "no ending in the row": "def outcome",
              "an ending without a name": "def outcome"}


@needs_compiler
@pytest.mark.parametrize("case", WHILE_PLAYING)
def test_rules_that_go_wrong_while_playing_are_told_in_a_line(case, tmp_path, monkeypatch):
    old, new, at, words = WHILE_PLAYING[case]
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, old, new)
    if "shuffle" in new:
        text = (package / "__init__.py").read_text()
        (package / "__init__.py").write_text(text.replace("import below", "import below, shuffle").replace(
            "pass_on(table)", "pass_on(table, luck)"))
    told = said(play, rules(package))
    at = DEFINED_AT.get(case, at)
    expected = line(package, at) - at.startswith("def ")  # a function begins with its decorator
    assert told.startswith(f"pig/__init__.py:{expected}: pig: ") and words in told, told
    assert " of seed 1, step " in told


@needs_compiler
def test_a_seat_where_nobody_can_sit_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, "    table.round = 1\n", "    table.round = 1\n    table.seat = 5\n")
    assert "seat 5 is to decide, of 2 seats" in said(play, rules(package))


@needs_compiler
def test_the_engines_own_mistakes_are_short():
    game = contract.load_game("pig")
    made, desk = Engine(game, pig_box(), [registry.create_player("pig", "steady")]), Workspace(game)
    out = allocate_rows(game, 5).astype(np.int64)  # of the wrong width
    told = said(made.play, desk, 1, 0, 5, out)
    assert "called with records of other types than it was made for" in told


def no_head(table):
    return [(n, table[n]) for n in table.names[1:]]


PIG = contract.load_game("pig")
ROLLS = PIG.measures[0]
DECLARED = {
    "a rule's arguments": (dict(take=lambda box, table, luck, option: None),
                           "rule 'take' takes 4 arguments (box, table, luck, option); it is called with box, table, "
                           "hidden, luck, option"),
    "no table head": (dict(table=np.dtype(no_head(PIG.table))), "the table must begin with TABLE_HEAD (ending, round"),
    "no own": (dict(hidden=np.dtype([("pile", "i8")])), "hidden has no field 'own'"),
    "own of too few": (dict(seats=3), "hidden.own must be one record of `own` for each of the 3 seats"),
    "an unsigned field": (dict(box=np.dtype([("target", "u2")])), "box.target must be a signed whole number"),
    "no endings": (dict(endings=()), "there are no endings"),
    "no kinds": (dict(kinds=()), "there are no kinds"),
    "two endings of one name": (dict(endings=("won", "won")), "two endings are called 'won'"),
    "the engine's ending": (dict(endings=("won", contract.CAP)), "'cap reached' is the engine's own ending"),
    "two sources of one name": (dict(sources=(Source("die"), Source("die"))), "two sources are called 'die'"),
    "a short address": (dict(sources=(Source("die", ("round", "seat")),)), "the address of source 'die' needs three"),
    "no options": (dict(max_options=0), "max_options is 0; it must be at least 1"),
    "two measures of one name": (dict(measures=(ROLLS, replace(ROLLS, field="more"))),
                                 "two measures are called 'rolls'"),
    "two measures of one field": (dict(measures=(ROLLS, Measure("x"), Measure("rolls!", field="rolls"))),
                                  "the measures of the row's field 'rolls' must follow each other"),
    "two measures written alike": (dict(measures=(Measure("a b"), Measure("a-b"))),
                                   "measures 'a b' and 'a-b' share the row's field 'a_b'"),
    "a field with and without seats": (dict(measures=(Measure("a", field="x"), Measure("b", field="x", per_seat=True))),
                                       "all or none must be per_seat"),
    "a measure called as the row's": (dict(measures=(Measure("rounds"),)), "measure 'rounds' has the name of"),
    "a measure called as a score": (dict(measures=(Measure("score 1", field="s"),)), "measure 'score 1' has the name"),
    "a measure that is no name": (dict(measures=(Measure("3 rolls"),)), "measure '3 rolls' needs a `field`"),
    "nothing that could be reached": (dict(unreached={"first player win": "why"}),
                                      "'first player win' to be out of reach; did you mean 'first player wins'?"),
}


@pytest.mark.plain
@pytest.mark.parametrize("case", DECLARED)
def test_what_does_not_fit_is_refused_before_anything_is_compiled(case):
    broken_fields, words = DECLARED[case]
    told = said(play, replace(PIG, **broken_fields))
    assert words in told and told.partition(":")[0].endswith(".py"), told


@pytest.mark.plain
def test_what_does_not_fit_is_told_at_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, 'kinds=("roll or hold",)', "kinds=()")
    at = line(package, "kinds=()")
    assert said(play, rules(package)).startswith(f"pig/__init__.py:{at}: pig: there are no kinds")


@pytest.mark.plain
@pytest.mark.parametrize(("old", "new", "file", "words"), [
    ('"""Pig in words."""', "import nothing_like_it", "words.py", "pig/words.py:1: pig: its words cannot be read"),
    ("def picture(", "def picturr(", "words.py", "pig: its words lack picture"),
    ('f"{__name__}.words"', 'f"{__name__}.wrods"', "__init__.py",
     "pig/__init__.py:{words}: pig: its words cannot be read: ModuleNotFoundError: No module named"),
])
def test_words_that_cannot_be_used_are_told_in_a_line(old, new, file, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, old, new, file)
    assert words.replace("{words}", str(line(package, "words="))) in said(rules(package).load_words)


@needs_compiler
@pytest.mark.parametrize(("old", "new", "file", "at", "words"), [
    ("    table.round = 1\n", "    table.round = 1\n    table.kind = 3\n", "__init__.py", "kinds=",
     "the decision's kind is 3; the game has 1, numbered from 0; game 0 of seed 1, step 1"),
    ("return result + 1", "return result / 0", "words.py", "/ 0",
     "its words fail: ZeroDivisionError: division by zero; game 0 of seed 1, step "),
    ("def picture(state):\n", "def picture(state):\n    state['opn']\n", "words.py", "'opn'",
     "its words fail: KeyError: 'opn'; game 0 of seed 1"),
])
def test_words_that_fail_in_a_replay_are_told_in_a_line(old, new, file, at, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = broken(tmp_path, old, new, file)
    game = rules(package)
    made = Engine(game, pig_box(), [registry.create_player("pig", "steady")])
    told = said(lambda: replay.sentences(replay.story(made, 1, 0), game.load_words()))
    assert told.startswith(f"pig/{file}:{line(package, at, file)}: pig: ") and words in told, told
