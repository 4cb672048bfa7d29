"""Strategies by name and from files; what is wrong with one is said with its file, its line and a way out."""

import re
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import pytest
from playing import pig_engine, play
from scipy import stats

from hardmode.sim import contract
from hardmode.sim.contract import discovery
from hardmode.sim.play.player import StrategyError
from hardmode.strategies import registry


def wins(one, other, games):
    """Games that the first player wins against the other, from both seats, and the games played."""
    first = play(pig_engine(one, other), games // 2)[0] == 0
    second = play(pig_engine(other, one), games // 2)[0] == 1
    return int(first.sum() + second.sum()), games


def interval(won, games):
    found = stats.binomtest(won, games).proportion_ci(0.95, "wilson")
    return found.low, found.high


# -- the strategies that play any game -----------------------------------------------------------------------


def test_random_takes_every_option_alike():
    def rolled(rows):
        return rows[-1].sum()

    rows = play(pig_engine("random", target=10**6), 1, seed=3)  # one game that runs to the cap
    rolls, decisions = int(rolled(rows)), 5000
    assert stats.binomtest(rolls, decisions, 0.5).pvalue > 1e-6


def test_search_is_not_worse_than_what_it_is_built_on():
    """steady is close to perfect play of Pig: nothing to gain unless one foresaw the dice."""
    low, high = interval(*wins("search:64:steady", "steady", 2000))
    assert high >= 0.5 and low > 0.46
    assert low <= 0.53, "perfect play wins no more than that; this one knows the dice before they fall"


def test_search_is_better_than_random_and_than_weak_players():
    assert interval(*wins("search:32:steady", "random", 200))[0] > 0.9
    assert interval(*wins("search:64:random", "random", 400))[0] > 0.6
    rash = registry.create_player("pig", "hold_at", {"threshold": 8})
    thinking = registry.create_player("pig", "search:64:hold_at", {"threshold": 8})
    assert interval(*wins(thinking, rash, 1000))[0] > 0.5


def test_search_is_the_same_every_time():
    rows = [play(pig_engine("search:8"), 40, seed=4) for _ in range(2)]
    assert (rows[0] == rows[1]).all()
    assert (play(pig_engine("search:8"), 20, seed=4, first=20) == rows[0][:, 20:]).all()


def test_what_search_spends_and_on_what_is_in_its_name():
    for text, label, budget in [("search", "search:64:steady", 64), ("search:8", "search:8:steady", 8),
                                ("search:8:hold_at", "search:8:hold_at", 8)]:
        made = registry.create_player("pig", text)
        assert (made.name, made.rollout_budget) == (label, budget)
    made = registry.create_player("pig", "hold_at", search=True, playouts=5)
    assert (made.name, made.rollout_budget) == ("search:5:hold_at", 5)
    with pytest.raises(StrategyError, match="search:PLAYOUTS"):
        registry.create_player("pig", "search:many")
    for nonsense in ("0", "1000000000", "9" * 5000):
        with pytest.raises(StrategyError, match="search takes 1 to 100,000 playouts"):
            registry.create_player("pig", f"search:{nonsense}")
    with pytest.raises(StrategyError, match="search takes 1 to 100,000 playouts"):
        registry.create_player("pig", "steady", search=True, playouts=10**9)


def test_a_strategy_may_be_search_by_another_name(monkeypatch):
    shipped = import_module(discovery.find_strategies_module("pig"))
    monkeypatch.setitem(shipped.STRATEGIES, "thinker", ("search", "steady", 12))
    made = registry.create_player("pig", "thinker")
    assert made.rollout_budget == 12 and made.choose is shipped.hold_at
    assert "12 playouts" in registry.list_strategies("pig")["thinker"]
    monkeypatch.setitem(shipped.STRATEGIES, "thinker", ("search", "hold_at", 12, "steady", 0.5))
    made = registry.create_player("pig", "thinker", {"threshold": 9.0})
    assert (made.name, made.weights, made.switch_score) == ("search:12:hold_at by steady", (9.0,), 0.5)
    assert made.rollout_policy == registry.create_player("pig", "steady")


@pytest.mark.parametrize("declared", [
    ("search", "steady"), ("look", "steady", 12), ("search", "steady", 0), ("search", "steady", 12, 7),
    ("search", "steady", 12, "steady", -1.0), ("search", "steady", 12, "steady", float("nan")),
    ("search", "steady", 12, "steady", 1.0, 1.0)])
def test_a_search_that_is_declared_wrongly_is_refused(monkeypatch, declared):
    monkeypatch.setitem(import_module(discovery.find_strategies_module("pig")).STRATEGIES, "thinker", declared)
    with pytest.raises(StrategyError, match=r"STRATEGIES\['thinker'\] must be a function, or \('search'"):
        registry.create_player("pig", "thinker")


# -- names and weights -------------------------------------------------------------------------------------------


def test_every_strategy_is_listed_with_a_line_of_help():
    names = registry.list_strategies("pig")
    assert {"beginner", "steady", "random", "search"} <= set(names)
    assert all(text and "\n" not in text for text in names.values())


def test_weights_are_given_by_name():
    assert registry.create_player("pig", "steady").weights == (20.0,)
    assert registry.create_player("pig", "steady", {"threshold": 5}).weights == (5.0,)
    low, high = (play(pig_engine(registry.create_player("pig", "steady", {"threshold": t})), 200) for t in (5, 30))
    assert low[1].mean() > high[1].mean(), "who holds early needs more rounds"


@pytest.mark.parametrize("weight, values, message", [
    ("plan_width", (0, 0.99, -3, 1e9), "it must lie between 1 and 1000"),
    ("plan_narrowing", (-0.01, 1e9), "it must lie between 0 and 1000"),
    ("plan_depth", (-1, 1e300), "it must lie between 0 and 1000"),
])
def test_a_weight_beyond_its_limits_is_refused(weight, values, message):
    """A beam of no board, or one that widens, would be written beyond its memory."""
    for strategy in ("planner", "hopeful", "pool_hog", "trained"):
        for value in values:
            with pytest.raises(StrategyError, match=f"the weight {weight} is {re.escape(str(value))}; {message}"):
                registry.create_player("vengeance", strategy, {weight: value})


def test_the_ends_of_limits_are_allowed():
    ends = {"plan_width": (1, 1000), "plan_narrowing": (0, 1000), "plan_depth": (0, 1000)}
    for weight, values in ends.items():
        for value in values:
            assert float(value) in registry.create_player("vengeance", "planner", {weight: value}).weights


def test_limits_of_an_unknown_weight_are_refused(monkeypatch):
    shipped = import_module(discovery.find_strategies_module("pig"))
    monkeypatch.setattr(shipped, "LIMITS", {"steady": {"treshold": (1, 2)}}, raising=False)
    with pytest.raises(StrategyError, match=r"LIMITS\['steady'\]\['treshold'\]: there is no such weight"):
        registry.create_player("pig", "steady")


@pytest.mark.parametrize("name, given, message", [
    ("steady", {"treshold": 5}, "strategy 'steady' has no weight 'treshold'; did you mean threshold?"),
    ("steady", {"zzz": 5}, "did you mean threshold?"),
    ("random", {"threshold": 5}, "strategy 'random' has no weight 'threshold'; it has none"),
])
def test_an_unknown_weight_is_refused_with_the_nearest(name, given, message):
    with pytest.raises(StrategyError) as refused:
        registry.create_player("pig", name, given)
    assert message in str(refused.value)


@pytest.mark.parametrize("name, message", [
    ("stedy", "pig has no strategy 'stedy'; did you mean steady?"),
    ("zzz", "pig has no strategy 'zzz'; there are "), ("serch", "did you mean search"),
    ("search:8:stedy", "did you mean steady?"), ("HOLD", "pig has no strategy 'HOLD'"),
])
def test_an_unknown_name_is_refused_with_the_nearest(name, message):
    with pytest.raises(StrategyError) as refused:
        registry.create_player("pig", name)
    assert message in str(refused.value)


def test_a_game_without_strategies_is_named(monkeypatch):
    monkeypatch.setenv(discovery.PATH, str(Path(__file__).parents[1] / "scenarios" / "hill"))
    with pytest.raises(StrategyError, match=r"no strategies for 'hill': no module hill\.strategies"):
        registry.create_player("hill", "steady")


# -- files of the player's own ----------------------------------------------------------------------------------------

GOOD = """
from hardmode.sim.draws import below
from pig import HOLD, ROLL
from hardmode.sim.records import rule

WEIGHTS = {"mine": {"limit": 15.0}}


@rule
def enough(table, limit):
    return table.turn >= limit


def mine(box, table, own, options, n, luck, weights):
    '''Holds at its limit.'''
    return HOLD if enough(table, weights[0]) else ROLL


def coin(box, table, own, options, n, luck, weights):
    return below(luck, 5, 0, 0, 0, n)
"""


def write(folder, text, name="mine.py"):
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return path


def body(*lines):
    inner = "\n".join("    " + line for line in lines)
    return f"def mine(box, table, own, options, n, luck, weights):\n{inner}\n"


def test_a_file_plays(tmp_path):
    path = write(tmp_path, GOOD)
    made = registry.create_player("pig", f"{path}:mine")
    shipped = registry.create_player("pig", "hold_at", {"threshold": 15})
    assert made.weights == (15.0,) and made.location.endswith("mine.py:14")
    mine, theirs = (play(pig_engine(p, target=200), 100) for p in (made, shipped))
    assert (mine[1] >= theirs[1] - 1).all()  # it also rolls on when holding would win
    assert registry.create_player("pig", f"{path}:mine", {"limit": 3}).weights == (3.0,)
    assert registry.create_player("pig", "mine.py:mine", folder=tmp_path).location == made.location
    assert registry.create_player("pig", f"search:4:{path}:coin").rollout_budget == 4
    play(pig_engine(f"{path}:coin", "steady"), 50)


def test_a_file_may_be_called_search(tmp_path):
    path = write(tmp_path, GOOD, "search.py")
    assert registry.create_player("pig", "search.py:mine", folder=tmp_path).choose.__name__ == "mine"
    assert registry.create_player("pig", f"{path}:mine").rollout_budget == 0


NOT_READ = {
    "no such file": ("none.py:mine", None, ["none.py", "no such file"]),
    "no function": ("mine.py", GOOD, ["say which function plays", "mine.py:my_strategy"]),
    "another function": ("mine.py:mime", GOOD, ["mine.py", "no function 'mime'", "did you mean mine?"]),
    "not a function": ("mine.py:WEIGHTS", GOOD, ["mine.py", "no function 'WEIGHTS'; there are mine, coin"]),
    "syntax": ("mine.py:mine", "x = 1\ndef mine(box:\n    return 0\n", ["mine.py:2", "was never closed"]),
    "not text": ("mine.py:mine", "x = 1\0", ["mine.py"]),
    "an import": ("mine.py:mine", "x = 1\nimport nothing_like_it\n", ["mine.py:2", "nothing_like_it"]),
    "it ends Python": ("mine.py:mine", "import sys\nsys.exit(0)\n", ["mine.py:2: SystemExit: 0"]),
    "it gives up": ("mine.py:mine", "x = 1\nraise KeyboardInterrupt\n", ["mine.py:2: KeyboardInterrupt"]),
    "a name of 300 letters": ("a" * 300 + ".py:mine", None, ["no such file"]),
    "nobody's home": ("~nosuchuser/x.py:mine", None, ["~nosuchuser/x.py: no such file"]),
    "weights that are none": ("mine.py:mine", GOOD + "WEIGHTS = 3\n",
                              ["mine.py: WEIGHTS must be a mapping", "type int"]),
    "weights without names": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': [1, 2]}\n",
                              ["mine.py: WEIGHTS must", "'mine'"]),
    "weights by number": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': {1: 2}}\n", ["mine.py: WEIGHTS must", "'mine'"]),
    "a weight that is none": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': {'a': float('nan')}}\n",
                              ["mine.py: WEIGHTS['mine']['a'] is nan; it must be a finite number"]),
    "a weight without end": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': {'a': 1e400}}\n", ["['a'] is inf; it must be"]),
    "a weight of 5,000 digits": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': {'a': 10**5000}}\n", ["very many digits"]),
    "a weight in words": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': {'a': '3'}}\n", ["['a'] is '3'; it must be"]),
    "a weight of another": ("mine.py:mine", GOOD + "WEIGHTS = {'mine': {}, 'x': {'a': None}}\n", ["['a'] is None"]),
    "names that are none": ("mine.py:mine", GOOD + "STRATEGIES = 3\n", ["mine.py: STRATEGIES must be a mapping"]),
    "a name for nothing": ("mine.py:mine", GOOD + "STRATEGIES = {'best': 3}\n",
                           ["mine.py: STRATEGIES['best'] must be"]),
    "a search without end": ("mine.py:mine", GOOD + "STRATEGIES = {'best': ('search', 'mine', 10**9)}\n",
                             ["STRATEGIES['best'] must be a function, or", "1 to 100,000"]),
    "while it is read": ("mine.py:mine", "x = 1\n\ny = 1 / 0\n", ["mine.py:3", "ZeroDivisionError"]),
    "too few arguments": ("mine.py:mine", "def mine(box, table):\n    return 0\n",
                          ["mine.py:1", "takes 2 arguments", "box, table, own, options, n, luck, weights"]),
    "too many arguments": ("mine.py:mine", "\n\ndef mine(box, table, own, options, n, luck, weights, more):\n"
                           "    return 0\n", ["mine.py:3", "takes 8 arguments", "options, n, luck, weights"]),
}

@pytest.mark.parametrize("checkout", [True, False])
@pytest.mark.parametrize(("line", "room", "now"), [
    ("from sim.draws import below", "sim", "from hardmode.sim.draws import below"),
    ("import numpy, sim.records as r", "sim", "import numpy, hardmode.sim.records as r"),
    ("from strategies import any_game", "strategies", "from hardmode.strategies import any_game"),
    ("import scenarios", "scenarios", "import hardmode.scenarios"),
    ("from reports.play import play", "reports", "from hardmode.reports.play import play"),
])
def test_the_old_name_of_a_room_is_told_with_the_new_one(line, room, now, checkout, tmp_path, monkeypatch):
    """In a checkout the old place is there and refuses; where hardmode is installed there is none."""
    monkeypatch.chdir(tmp_path)
    if not checkout:
        contract.load_game("pig")
        registry.list_strategies("pig")
        monkeypatch.setattr(sys, "path", [p for p in sys.path if p and not Path(p, room).is_dir()])
        monkeypatch.setattr(sys, "meta_path", [f for f in sys.meta_path if "editable" not in f.__module__])
    with pytest.raises(ImportError if checkout else ModuleNotFoundError):
        import_module(room)
    write(tmp_path, f"x = 1\n{line}\n")
    assert refused(lambda: registry.create_player("pig", "mine.py:mine")) == (
        f"mine.py:2: {room} is now hardmode.{room}: write {now}")


@pytest.mark.parametrize(("code", "line", "said"), [
    ("", "from sim.draws import below", "ModuleNotFoundError: No module named 'sim.draws'"),
    ("", "from sim import below", "ImportError: cannot import name 'below' from 'sim'"),
    ("import nothing_like_it", "import sim", "ModuleNotFoundError: No module named 'nothing_like_it'"),
    ("raise ImportError('needs a newer Python')", "import sim", "ImportError: needs a newer Python"),
])
def test_a_package_of_ones_own_is_not_taken_for_a_room(code, line, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "sim").mkdir()
    write(tmp_path / "sim", code, "__init__.py")
    write(tmp_path, line)
    try:
        assert refused(lambda: registry.create_player("pig", "mine.py:mine")).startswith(f"mine.py:1: {said}")
    finally:
        sys.modules.pop("sim", None)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "3", None, True], ids=str)
def test_a_weight_that_is_given_is_a_finite_number(value):
    with pytest.raises(StrategyError, match=r"the weight threshold is .*; it must be a finite number"):
        registry.create_player("pig", "steady", {"threshold": value})


NOT_COMPILED = {
    "no such field": (body("", "return table.trun"), ["mine.py:3", "trun", "did you mean table.turn"]),
    "no such field in a helper": ("from hardmode.sim.records import rule\n@rule\ndef help(t):\n    return t.trun\n"
                                  + body("return help(table)"), ["mine.py", "trun", "did you mean table.turn"]),
    "hidden": (body("return table.own"), ["mine.py:2", "own"]),
    "a text": (body("return 'roll'"), ["mine.py:2", "returns a text", "whole number"]),
    "a fraction": (body("return 1.7"), ["mine.py:2", "returns a fraction", "whole number"]),
    "a fraction at times": (body("if n > 2:", "    return 1", "return 0.5 * table.turn"),
                            ["mine.py:4", "returns a fraction"]),
    "nothing": (body("x = 1"), ["mine.py:2", "returns nothing", "whole number"]),
    "nothing at times": (body("if table.turn > 5:", "    return 1"), ["mine.py", "returns nothing"]),
    "a helper that is not marked": ("def help(t):\n    return 0\n" + body("return help(table)"),
                                    ["mine.py:4", "help is plain Python", "@rule"]),
    "an unknown name": (body("return nowhere"), ["mine.py:2", "nowhere"]),
    "mixed types": (body("x = 1", "x = 'text' + table.turn", "return 0"), ["mine.py:3"]),
}

WHILE_PLAYING = {
    "an index too high": (body("return n"), ["mine.py:1", "returned 2 where 0 to 1 are legal", "game 0 of seed 1",
                                             "step 0", "roll or hold"]),
    "an index too low": (body("return -1"), ["mine.py:1", "returned -1"]),
    "an exception": (body("if table.round == 2:", "    raise ValueError('no idea')", "return 1"),
                     ["mine.py:3", "ValueError", "no idea", "seed 1", "step "]),
    "out of bounds": (body("return options[n + 5]"), ["mine.py:2", "IndexError", "index 7 is out of bounds"]),
    "division by zero": (body("return 1 // table.turn"), ["mine.py:2", "ZeroDivisionError"]),
}


def refused(act):
    with pytest.raises(StrategyError) as why:
        act()
    return str(why.value)


@pytest.mark.parametrize("case", NOT_READ)
def test_a_file_that_cannot_be_read_is_refused(case, tmp_path, monkeypatch):
    name, text, parts = NOT_READ[case]
    monkeypatch.chdir(tmp_path)
    if text:
        write(tmp_path, text)
    said = refused(lambda: registry.create_player("pig", name))
    assert all(part in said for part in parts), said


@pytest.mark.parametrize("case", NOT_COMPILED)
def test_a_strategy_that_does_not_compile_is_refused(case, tmp_path, monkeypatch):
    text, parts = NOT_COMPILED[case]
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text)
    said = refused(lambda: pig_engine("mine.py:mine"))
    assert all(part in said for part in parts), said
    assert len(said.splitlines()) < 12 and "numba" not in said.lower(), said


@pytest.mark.parametrize("case", WHILE_PLAYING)
def test_a_strategy_that_goes_wrong_while_playing_is_named(case, tmp_path, monkeypatch):
    text, parts = WHILE_PLAYING[case]
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text)
    said = refused(lambda: play(pig_engine("mine.py:mine"), 20))
    assert all(part in said for part in parts), said


def test_the_one_who_errs_is_named_among_several(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, body("return 7"))
    said = refused(lambda: play(pig_engine("steady", "mine.py:mine"), 20))
    assert "mine.py:1" in said and "returned 7" in said and "steady" not in said


def test_search_names_what_it_is_built_on_when_that_errs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, body("return 7"))
    assert "mine.py:1" in refused(lambda: play(pig_engine("search:4:mine.py:mine"), 5))


def test_a_truth_is_a_whole_number(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, body("return table.turn >= 20"))
    theirs = play(pig_engine("steady", target=10**4), 5)
    assert (play(pig_engine("mine.py:mine", target=10**4), 5)[1] == theirs[1]).all()


# -- strategies of installed packages ------------------------------------------------------------------------


@pytest.fixture
def tricks(tmp_path, monkeypatch):
    """A package that is installed, as an installer leaves it, and brings strategies for Pig."""
    (tmp_path / "tricks-1.dist-info").mkdir()
    (tmp_path / "tricks-1.dist-info" / "METADATA").write_text("Name: tricks\nVersion: 1\n")
    (tmp_path / "tricks-1.dist-info" / "entry_points.txt").write_text("[hardmode.strategies]\npig = tricks.pig\n")
    (tmp_path / "tricks").mkdir()
    (tmp_path / "tricks" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "tricks", raising=False)

    def written(body):
        (tmp_path / "tricks" / "pig.py").write_text(
            "def dare(box, table, own, options, n, luck, weights):\n"
            f'    """Goes on to so many points."""\n    {body}\n'
            "STRATEGIES = {'dare': dare, 'steady': dare, 'deep': ('search', 'dare', 4)}\n"
            "WEIGHTS = {'dare': {'to': 25.0}}\n")

    written("return 1 if table.turn >= weights[0] or table.score[table.seat] + table.turn >= box.target else 0")
    return written


def test_an_installed_package_brings_strategies_for_a_game(tricks):
    told = registry.list_strategies("pig")
    assert told["dare"] == "Goes on to so many points."
    assert told["deep"] == "search on top of dare, 4 playouts a decision"
    assert registry.list_weights("pig")["dare"] == {"to": 25.0}
    assert registry.list_strategies("woodlands").get("dare") is None
    made = registry.create_player("pig", "dare", {"to": 18.0})
    assert made.is_user_strategy and made.weights == (18.0,)
    twin = registry.create_player("pig", "hold_at", {"threshold": 18})
    assert (play(pig_engine(made), 40) == play(pig_engine(twin), 40)).all()


def test_what_ships_keeps_its_name(tricks):
    assert not registry.create_player("pig", "steady").is_user_strategy
    assert "hold" in registry.list_strategies("pig")["steady"].lower()


def test_strategies_of_a_package_are_looked_at_like_those_of_a_file(tricks):
    tricks("table.ending = 0; return 0")
    with pytest.raises(StrategyError, match=r"pig.py:3: strategy 'dare' writes to table.ending"):
        registry.create_player("pig", "dare")
    with pytest.raises(StrategyError, match="did you mean dare"):
        registry.create_player("pig", "darre")
