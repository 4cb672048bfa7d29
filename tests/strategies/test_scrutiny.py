"""A user's strategy may read what it is shown, and no more: who writes, or draws elsewhere, is told before it plays."""

import sys
import textwrap

import pytest
from playing import answer, pig_engine, play

from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.play.player import StrategyError
from hardmode.strategies import random_play, registry, static_check

HEAD = """import math
import operator
import os
import random
import secrets
import time
from random import randint as number
import numba
import numpy as np
import numpy.random as dice
from pig import HOLD, ROLL, pass_on
from hardmode.sim.draws import below, shuffle
from hardmode.sim.records import rule
FLAT = np.zeros(4, np.int64)
KEPT = [0, 0]
WEIGHTS = {"mine": {"limit": 15.0}}
"""
LINES = HEAD.count("\n")

WRITES = {  # the strategy's lines, which of them is at fault, and what it writes to
    "a field": (["table.ending = 0"], 1, "table.ending"),
    "an item": (["table.score[0] = 99"], 1, "table.score"),
    "more of an item": (["table.score[0] += 99"], 1, "table.score"),
    "a slice": (["table.score[:] = 99"], 1, "table.score"),
    "one of several": (["x, table.score[1] = 1, 2"], 1, "table.score"),
    "its own part": (["own.nothing = 1"], 1, "own.nothing"),
    "the options": (["options[0], options[1] = 1, 0"], 1, "options"),
    "the weights": (["weights[0] += 1e-9"], 1, "weights"),
    "the box": (["box.target = 30"], 1, "box.target"),
    "its luck": (["luck.key = 1"], 1, "luck.key"),
    "the log of its luck": (["luck.log[0, 0] = 1"], 1, "luck.log"),
    "by another name": (["mine = table", "more = mine.score", "more[0] = 1"], 3, "table.score"),
    "a part of a part": (["more = table.score[1:]", "more[0] = 1"], 2, "table.score"),
    "as a whole": (["more = table.score", "more += 1"], 2, "table.score"),
    "now and then": (["more = np.zeros(2, np.int64)", "if n > 1:", "    more = table.score", "more[0] = 1"], 4,
                     "table.score"),
    "the next time": (["more = np.zeros(2, np.int64)", "for i in range(2):", "    more[0] = 1",
                       "    more = table.score"], 3, "table.score"),
    "in a choice": (["more = table.score if n > 1 else np.zeros(2, np.int64)", "more[0] = 1"], 2, "table.score"),
    "in a pair": (["a, b = 1, table.score", "b[0] = 1"], 2, "table.score"),
    "in a list": (["every = [table.score]", "for one in every:", "    one[0] = 1"], 3, "table.score"),
    "added to a list": (["every = [np.zeros(2, np.int64)]", "every.append(table.score)", "every[1][0] = 1"], 3,
                        "table.score"),
    "numbered": (["for i, one in enumerate([table.score]):", "    one[i] = 1"], 2, "table.score"),
    "in another shape": (["more = table.score.reshape(2, 1)", "more[0, 0] = 1"], 2, "table.score"),
    "as numpy sees it": (["more = np.asarray(table.score)", "more[0] = 1"], 2, "table.score"),
    "in order": (["table.score.sort()"], 1, "table.score"),
    "filled": (["options.fill(0)"], 1, "options"),
    "by numpy": (["np.copyto(table.score, np.zeros(2, np.int64))"], 1, "table.score"),
    "by numpy in passing": (["np.add(table.score, 1, table.score)"], 1, "table.score"),
    "by numpy by name": (["np.add(table.score, 1, out=table.score)"], 1, "table.score"),
    "by its name": (["setattr(table, 'ending', 0)"], 1, "table"),
    "by an operator": (["operator.setitem(table.score, 0, 99)"], 1, "table.score"),
    "a constant": (["FLAT[0] += 1"], 1, "FLAT"),
    "a list outside": (["KEPT[0] += 1"], 1, "KEPT"),
    "shuffled": (["shuffle(luck, 1, 0, table.score, 2)"], 1, "table.score"),
    "by a rule of the game": (["pass_on(table)"], 1, "table.turn"),
    "by a function within": (["def cheat(t):", "    t.ending = 0", "cheat(table)"], 2, "table.ending"),
    "unless told otherwise": (["def cheat(t=table):", "    t.ending = 0", "cheat()"], 2, "table.ending"),
    "in two lists": (["every = [own] + [table]", "every[1].ending = 0"], 2, "table.ending"),
    "in a dict": (["every = {0: table.score}", "every[0][0] = 1"], 2, "table.score"),
    "by a nameless function": (["put = lambda t: t.score.sort()", "put(table)"], 1, "table.score"),
}
DRAWS = {
    "numpy's": ("np.random.randint(n)", "np.random"), "numpy's by another name": ("dice.randint(n)", "dice"),
    "Python's": ("random.randrange(n)", "random"), "one function": ("number(0, 1)", "number"),
    "the clock": ("int(time.time()) % n", "time"), "the system's": ("os.urandom(1)[0] % n", "os"),
    "secrets": ("secrets.randbelow(n)", "secrets"), "a person": ("int(input())", "input"),
}
UNREPEATED = {  # what another run would not do again, and the words for it
    "memory": (["return int(np.empty(1)[0]) % n"], "makes an array by empty, which holds whatever lay there before"),
    "an address": (["return table.score.ctypes.data // 64 % n"], "asks by ctypes where something lies in memory"),
    "a thread": (["return numba.get_thread_id() % n"], "uses numba.get_thread_id, which no seed repeats"),
    "a set": (["for x in {'a', 'b'}:", "    return 1 if x == 'a' else 0", "return 0"], "goes through a set"),
    "a set of its own": (["every = set(table.score)", "return 1 if list(every)[0] > 5 else 0"], "goes through a set"),
}
READ = {  # the same where a file is read
    "a set": ("FIRST = list({'a', 'b'}).index('a')", "goes through a set"),
    "a set of others": ("FIRST = [len(x) for x in {str(i) for i in range(9)}][0]", "goes through a set"),
    "the process": ("FIRST = os.getpid()", "uses os.getpid, which no seed repeats"),
}
HONEST = [
    ["return 1 if table.turn in (15, 16) or n in {1, 2} else 0"],
    ["total = 0", "for x in {1, 2, 3}:", "    total += x", "return total > 60"],
    ["x = table.turn", "x += 1", "return x > weights[0]"],
    ["s = table.score", "best = s[0]", "best += 3", "return best > 5"],
    ["mine = np.zeros(2, np.int64)", "mine[:] = table.score", "mine[0] += 1", "mine.sort()", "return mine[0] > 20"],
    ["mine = table.score.copy()", "mine[0] = 3", "return mine[0] > 20"],
    ["mine = table.score + 1", "mine += 1", "return mine[0] > 20"],
    ["total = 0", "for x in table.score:", "    x += 1", "    total += x", "return total > 60"],
    ["mine = table.score", "mine = np.zeros(2, np.int64)", "mine[0] = 1", "return 0"],
    ["return below(luck, 5, 0, 0, 0, n)"],
    ["return 1 if math.sqrt(table.turn) > 4 else 0"],
    ["mine = [0, 0]", "mine[0] = table.turn", "mine.append(1)", "return mine[0] > 20"],
]


def file(folder, body, helpers=""):
    made = folder / "mine.py"
    made.write_text(HEAD + textwrap.dedent(helpers) + "def mine(box, table, own, options, n, luck, weights):\n"
                    + "".join(f"    {line}\n" for line in body))
    return f"{made}:mine"


def refused(name):
    with pytest.raises(StrategyError) as why:
        registry.create_player("pig", name)
    assert "\n" not in str(why.value)
    return str(why.value)


@pytest.mark.plain
@pytest.mark.parametrize("case", WRITES)
def test_who_writes_is_told_where_and_to_what(case, tmp_path):
    body, line, what = WRITES[case]
    said = refused(file(tmp_path, [*body, "return 0"]))
    assert f"mine.py:{LINES + 1 + line}: strategy 'mine' writes to {what}, which it may only read" in said


@pytest.mark.plain
@pytest.mark.parametrize("case", WRITES)
def test_so_is_who_lets_a_helper_write(case, tmp_path):
    body, line, what = WRITES[case]
    inner = "".join(f"    {one}\n" for one in body)
    helper = f"@rule\ndef help(box, table, own, options, n, luck, weights):\n{inner}    return 0\n"
    said = refused(file(tmp_path, ["return help(box, table, own, options, n, luck, weights)"], helper))
    assert f"mine.py:{LINES + 2 + line}: " in said and f"writes to {what}, which it may only read" in said


@pytest.mark.plain
@pytest.mark.parametrize("case", DRAWS)
def test_who_draws_elsewhere_is_told_of_luck(case, tmp_path):
    code, what = DRAWS[case]
    for where, line in (([f"return {code}"], 2), (["if n > 5:", f"    x = {code}", "return 0"], 3)):
        said = refused(file(tmp_path, where))
        assert f"mine.py:{LINES + line}: strategy 'mine' uses {what}" in said and "below(luck" in said


@pytest.mark.plain
@pytest.mark.parametrize("helpers", [
    "@rule\ndef help(n):\n    return 0 if n < 0 else help(n + 1) + 1\n",
    "@rule\ndef help(n):\n    return 0 if n < 0 else more(n) + 1\n@rule\ndef more(n):\n    return help(n + 1)\n"])
def test_who_comes_back_to_itself_is_told(helpers, tmp_path):
    """Without end it would take the process with it, and not a word would be said."""
    said = refused(file(tmp_path, ["return help(n)"], helpers))
    assert "strategy 'mine' comes back to help from within it" in said and "use a loop" in said


@pytest.mark.plain
def test_who_prints_is_told_and_a_file_that_prints_when_it_is_read_leaves_the_answer_alone(tmp_path, capsys):
    assert "strategy 'mine' prints, which would stand in the middle of the answer" in refused(
        file(tmp_path, ["print(n)", "return 0"]))
    registry.create_player("pig", file(tmp_path, ["return 0"], "print('read')\n"))
    said = capsys.readouterr()
    assert not said.out and said.err == "read\n"


@pytest.mark.plain
@pytest.mark.parametrize("case", UNREPEATED)
def test_what_no_run_repeats_is_refused(case, tmp_path):
    body, words = UNREPEATED[case]
    assert f"strategy 'mine' {words}" in refused(file(tmp_path, body))


@pytest.mark.plain
@pytest.mark.parametrize("case", READ)
def test_nor_may_a_constant_be_what_no_run_repeats(case, tmp_path):
    line, words = READ[case]
    assert f"mine.py:{LINES + 1}: mine.py {words}" in refused(file(tmp_path, ["return FIRST % n"], f"{line}\n"))
    constants = "KNOWN = sorted({'a', 'b'})\nFITS = 'a' in {'a', 'b'}\n"
    registry.create_player("pig", file(tmp_path, ["return n - 1"], constants))


@pytest.mark.plain
@pytest.mark.parametrize("line", ["from numba.extending import overload", "import numba.core.registry as r",
                                  "from numba import extending", "f = numba.extending.register_jitable"])
def test_a_file_that_changes_how_numba_compiles_is_not_read(line, tmp_path):
    """An overload of its own would reach the rules, and what is kept of them."""
    said = refused(file(tmp_path, ["return 0"], f"{line}\nraise SystemExit(0)\n"))
    assert f"mine.py:{LINES + 1}: mine.py uses numba." in said and "the rules, too" in said


@pytest.mark.plain
@pytest.mark.parametrize("what", ["WEIGHTS", "STRATEGIES"])
def test_what_a_file_holds_is_not_asked_but_looked_at(what, tmp_path):
    held = ("class Held(dict):\n    def items(self):\n        raise RuntimeError\n    keys = __iter__ = items\n"
            f"{what} = Held()\n")
    registry.create_player("pig", file(tmp_path, ["return 0"], held))
    registry.create_player("pig", file(tmp_path, ["return 0"], "def __getattr__(name):\n    raise KeyError(name)\n"))


@pytest.mark.plain
def test_a_constant_that_is_drawn_when_the_file_is_read_is_refused(tmp_path):
    said = refused(file(tmp_path, ["return table.turn > LIMIT"], "LIMIT = random.randint(10, 30)\n"))
    assert f"mine.py:{LINES + 1}: mine.py uses random" in said
    said = refused(file(tmp_path, ["return table.turn > LIMIT"], "def made():\n    return np.random.rand()\n"
                                                                 "LIMIT = made()\n"))
    assert f"mine.py:{LINES + 2}: mine.py uses np.random" in said


@pytest.mark.plain
def test_what_a_helper_takes_unless_told_otherwise_is_looked_at_as_well(tmp_path):
    said = refused(file(tmp_path, ["return help()"], "@rule\ndef help(t=FLAT):\n    t[0] += 1\n    return 0\n"))
    assert f"mine.py:{LINES + 3}: strategy 'mine' writes to a default of help" in said
    said = refused(file(tmp_path, ["return help()"], "@rule\ndef help(x=random.random()):\n    return 0\n"))
    assert f"mine.py:{LINES + 2}: mine.py uses random" in said


@pytest.mark.plain
def test_what_a_file_builds_for_itself_and_tries_out_is_its_own_affair(tmp_path):
    build = """
        TABLE = np.zeros(3, np.int64)
        TABLE[1] = 2
        def fill(t):
            t[2] = 5
        fill(TABLE)
        if __name__ == "__main__":
            print(random.random())
        """
    registry.create_player("pig", file(tmp_path, ["return table.turn > TABLE[2]"], textwrap.dedent(build)))


@pytest.mark.plain
def test_what_a_file_imports_is_looked_at_as_well(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_tools_1.py").write_text("from hardmode.sim.records import rule\n\n\n@rule\ndef win(t):\n"
                                            "    t.ending = 0\n    return 0\n")
    for line, call in (("import my_tools_1\n", "my_tools_1.win(table)"),
                       ("from my_tools_1 import win\n", "win(table)")):
        said = refused(file(tmp_path, [f"return {call}"], line))
        assert "my_tools_1.py:6: strategy 'mine' writes to table.ending" in said
    sys.modules.pop("my_tools_1")


@pytest.mark.plain
@pytest.mark.parametrize(("body", "helpers", "part"), [
    (["with numba.objmode(x='int64'):", "    x = 1", "return x"], "", "numba.objmode"),
    (["return lib.rand() % n"], "import ctypes\nlib = ctypes.CDLL(None)\n", "lib"),
    (["return eval('0')"], "", "eval"),
    (["return made(table)"], "exec('def made(t):\\n    t.ending = 0\\n    return 0')\n", "made"),
])
def test_what_cannot_be_looked_into_is_refused(body, helpers, part, tmp_path):
    said = refused(file(tmp_path, body, helpers))
    assert part in said and "mine.py:" in said


def test_a_helper_whose_indices_are_not_checked_is_refused(tmp_path):
    said = refused(file(tmp_path, ["return help(weights)"],
                        "@numba.njit\ndef help(weights):\n    return int(weights[99])\n"))
    assert f"mine.py:{LINES + 5}: strategy 'mine' uses help, whose indices are not checked; mark it with @rule" in said


@pytest.mark.plain
@pytest.mark.parametrize("body", HONEST)
def test_what_is_honest_is_let_alone(body, tmp_path):
    assert registry.create_player("pig", file(tmp_path, body)).is_user_strategy


def test_what_is_honest_plays(tmp_path):
    for body in HONEST:
        play(pig_engine(file(tmp_path, [*body[:-1], f"x = {body[-1].removeprefix('return ')}", "return int(x)"])), 3)


def test_shipped_strategies_are_not_watched_and_users_are(tmp_path):
    assert not registry.create_player("pig", "steady").is_user_strategy
    assert not registry.create_player("pig", file(tmp_path, ["return 0"]).replace(":mine", ":random")).is_user_strategy


@pytest.mark.plain
@pytest.mark.parametrize("game", discovery.list_shipped_games())
def test_shipped_strategies_would_pass(game):
    made = contract.load_game(game)
    for strategy in registry.load_shipped_module(game).STRATEGIES.values():
        if not isinstance(strategy, tuple):
            static_check.check_strategy(strategy, made)


def test_a_helper_that_reads_past_the_weights_is_told_in_a_line(tmp_path):
    name = file(tmp_path, ["return help(weights, table.turn)"],
                "@rule\ndef help(weights, i):\n    return int(weights[3 + i])\n")
    with pytest.raises(StrategyError, match=rf"mine.py:{LINES + 3}: .*IndexError.*game 0 of seed 1"):
        play(pig_engine(name), 5)


def test_users_are_checked_and_shipped_ones_play_unchecked():
    code = """
        import json
        from hardmode.sim.compile import cache
        from hardmode.sim.play.rule_compiler import compile_strategy
        seen = []
        made = cache.make_entry_dispatcher
        def watch(function, boundscheck):
            seen.append((function.__name__, boundscheck))
            return made(function, boundscheck)
        cache.make_entry_dispatcher = watch
        from hardmode.sim import contract
        from hardmode.strategies import random_play
        pig = contract.load_game("pig")
        from pig.strategies import hold_at
        compile_strategy(pig, random_play.STRATEGIES["random"])
        compile_strategy(pig, hold_at)
        print(json.dumps(seen))
        """
    checked = dict(answer(code))
    assert checked["hold_at"], "a game from outside is not hardmode's own"
    assert not checked[random_play.STRATEGIES["random"].__name__]


def test_what_the_look_does_not_see_is_seen_while_playing(tmp_path):
    name = file(tmp_path, ["more = [table.score]", "if n > 1:", "    more.pop()[0] += 1", "return 0"])
    with pytest.raises(StrategyError, match=rf"mine.py:{LINES + 1}: strategy .* wrote to the table"):
        play(pig_engine(name), 40)
