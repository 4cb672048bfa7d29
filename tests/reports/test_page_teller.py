"""Games that the page tells, and seats that its reader takes: in the same words as `hardmode replay` and `play`."""

from __future__ import annotations

import ast
import gzip
import hashlib
import inspect
import json
import re
import textwrap
from collections import Counter
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hardmode.reports.page.play import data as play_data
from hardmode.reports.page.play import interpreter
from hardmode.reports.page.play.browser import runtime
from hardmode.reports.page.play.plain_python import PlainPython, UnsupportedSyntaxError
from hardmode.reports.page.play.script import ScriptError, ScriptLinker, make_script
from hardmode.scenarios.load import load_scenario
from hardmode.sim import replay
from hardmode.sim.contract import discovery, load_game
from hardmode.sim.names import Named, write_name
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.interactive_game import InteractiveGame, ask_strategy
from hardmode.sim.play.rollouts import COMMON_VIEW, Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.records import blank, readable
from tests import play_modules, tell_games
from tests.browser import CHROMIUM, FIREFOX, BrowserPage, FirefoxPage
from tests.play_modules import PANEL
from tests.playing import python

GAMES = 20
WORLDS = 40
LEVEL = "steady"
needs_node = pytest.mark.skipif(not play_modules.NODE, reason="needs node")


@cache
def make_data(name):
    scenario = load_scenario(f"{name}/{load_game(name).standard}")
    return scenario.cells[0], play_data.make_play_data(scenario, (), {}, tell_games.SEED)[1]


def make_engine(cell):
    return Engine(cell.game, cell.box, play_data.list_seated_players(cell)[LEVEL])


@needs_node
@pytest.mark.parametrize("name", discovery.list_shipped_games())
@pytest.mark.parametrize("games", [1, pytest.param(GAMES, marks=pytest.mark.soak)])
def test_the_page_tells_games_in_the_words_of_replay(name, games):
    cell, data = make_data(name)
    told = tell_games.tell_in_node(data, LEVEL, [{"show": number, "worlds": 0} for number in range(games)])
    for number, answers in enumerate(told):
        assert tell_games.join_lines(answers) == tell_games.tell_natively(cell, LEVEL, number), f"game {number}"


@needs_node
def test_the_page_tells_a_game_of_a_user():
    cell, data = make_data("pig")
    [told] = tell_games.tell_in_node(data, LEVEL, [{"show": 5, "worlds": 0}])
    assert tell_games.join_lines(told) == tell_games.tell_natively(cell, LEVEL, 5)


def test_the_words_of_the_examples_can_be_told():
    names = ["battle", "five_dice", "kuhn_poker", "ladders", "zilch"]
    code = f"""
        from hardmode.reports.page.play.script import make_script
        from hardmode.sim.contract import load_game
        for name in {names}:
            compile(make_script(load_game(name)), name, "exec")
            print(name)
    """
    folder = str(Path(__file__).parents[2] / "examples")
    assert python(code, HARDMODE_PATH=folder).stdout.split() == names


@needs_node
def test_a_step_has_its_draws_and_options_as_replay_has_them():
    cell, data = make_data("trapwords")
    [answers] = tell_games.tell_in_node(data, LEVEL, [{"show": 1, "worlds": 0}])
    steps = [one for one in answers if "step" in one]
    story = replay.story(make_engine(cell), tell_games.SEED, 1)
    assert [one.get("taken", 0) for one in steps[1:]] == story.choices.tolist()
    for told, step in zip(steps, story.steps, strict=True):
        assert len(told.get("options", ())) == len(step.options)
        assert told["draws"] == [f"{draw['source']}: {draw['result']}" for draw in step.draws]
    assert steps[1]["options"][0] == "write the trap list (how obvious, words 3)"
    assert steps[1]["kind"] == story.steps[1].kind


@needs_node
def test_a_word_that_differs_is_noticed():
    cell, data = make_data("trapwords")
    script = make_script(cell.game)
    changed = {**data, "storyteller": interpreter.encode(script.replace("an invalid clue", "an invalid cue").encode())}
    assert "an invalid clue" in script
    asked = [{"show": number, "worlds": 0} for number in range(GAMES)]
    told = map(tell_games.join_lines, tell_games.tell_in_node(changed, LEVEL, asked))
    native = [tell_games.tell_natively(cell, LEVEL, number) for number in range(GAMES)]
    assert [a == b for a, b in zip(told, native, strict=True)] == ["invalid clue" not in text for text in native]
    assert any("invalid clue" in text for text in native)


@needs_node
@pytest.mark.parametrize("name", discovery.list_shipped_games())
def test_chances_are_those_of_replay(name):
    """`hardmode replay --odds` plays the same continuations after each step."""
    cell, data = make_data(name)
    [answers] = tell_games.tell_in_node(data, LEVEL, [{"show": 3, "worlds": WORLDS}])
    engine, workspace = make_engine(cell), Workspace(cell.game)
    script, row = replay.choices(engine, workspace, tell_games.SEED, 3)
    views = range(cell.players) if cell.game.competitive and cell.players > 1 else [COMMON_VIEW]
    determinizer = Determinizer(engine, tell_games.SEED)
    expected = []
    for step in range(len(script)):
        determinizer.seek(workspace, 3, script, step)
        by_view = {view: determinizer.sample_winners(workspace, 3, step, 0, WORLDS, view=view)[0] for view in views}
        expected.append([[int(has_won(winners, view).sum()), WORLDS] for view, winners in by_view.items()])
    expected.append([[int(has_won(row[2], view)), 1] for view in views])
    assert [one["chances"] for one in answers if "chances" in one] == expected
    assert len({wins for step in expected[:-1] for wins, _ in step}) > 3


def has_won(winners, view):
    return winners != 0 if view == COMMON_VIEW else winners >> view & 1


def take_seat(cell, number, seat, choose):
    """Return the choices of a person who sits at a seat, and what that person is told."""
    game = InteractiveGame(make_engine(cell), tell_games.SEED, number, seat)
    lines, taken = game.advance(), []
    while not game.is_over:
        taken.append(choose(len(taken)) % len(game.choice.options))
        lines += game.take_option(taken[-1])
    return game, taken, lines


@needs_node
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_told_what_hardmode_play_tells_it(seat):
    cell, data = make_data("trapwords")
    for number in range(2):
        game, taken, lines = take_seat(cell, number, seat, lambda i: 3 * i + 1)
        asked = [{"sit": number, "seat": seat}, *({"choose": i} for i in taken), {"judge": WORLDS}]
        *told, judged = tell_games.tell_in_node(data, LEVEL, asked)
        answers = [one for part in told for one in part]
        assert not [one for one in answers + judged if "error" in one]
        page_lines = [line for one in answers for line in one.get("lines", ())]
        assert page_lines == [*lines, "", *game.draw_picture()]
        assert len([one for one in answers if "ask" in one]) == len(taken)
        assert answers[-1]["over"].startswith(game.ending)
        check_judgement(game, taken, judged[:-1])


def check_judgement(game, taken, judged):
    """Compare the costs of choices with rollouts from the point of view of the seat."""
    script = np.array(game.script)
    assert [one["judged"] for one in judged] == game.own_steps
    determinizer, workspace = Determinizer(game.engine, game.seed), Workspace(game.game)
    for step, index, told in zip(game.own_steps, taken, judged, strict=True):
        advised = ask_strategy(game.engine, game.seed, game.number, game.script[:step])
        determinizer.seek(workspace, game.number, script, step)
        won = []
        for i in (index, advised):
            winners, _ = determinizer.sample_winners(
                workspace, game.number, step, 0, WORLDS, view=game.seat, option_index=i, salt=1
            )
            won.append(has_won(winners, game.seat) == 1)
        assert told["wins"] == won[1].sum()
        assert [told["gained"], told["lost"]] == [(won[0] & ~won[1]).sum(), (won[1] & ~won[0]).sum()]
        assert (told["taken"] == told["advised"]) == (index == advised)


@needs_node
@pytest.mark.parametrize("name", ["run_run_run", "vengeance", "woodlands"])
def test_a_seat_can_be_taken_in_every_game(name):
    cell, data = make_data(name)
    game = InteractiveGame(make_engine(cell), tell_games.SEED, 2, 0)
    lines, sizes = game.advance(), []
    for _ in range(6):
        sizes.append(len(game.choice.options))
        lines += game.take_option(0)
    told = tell_games.tell_in_node(data, LEVEL, [{"sit": 2, "seat": 0}, *[{"choose": 0}] * 6])
    answers = [one for part in told for one in part]
    assert [line for one in answers for line in one.get("lines", ())] == lines
    assert [len(one["options"]) for one in answers if "ask" in one] == [*sizes, len(game.choice.options)]


# -- Python that MicroPython reads -----------------------------------------------------------------------------------


class Colour(Named):
    RED = "red"
    BLUE = "dark blue"


TABLE = {Colour.BLUE: "b", "names": ("x", "y"), 3: [1.5, None, True]}
WORD = re.compile(r"[a-z]+")


def texts(n: int, /, width: int = 7) -> list[str]:
    """Texts."""
    kept: dict[str, int]
    kept = {"b": 2, **{"a": n}, "c": 3}
    found = [f"{key}={value!r:>{width}}|{value:+d} {{}}" for key, value in kept.items()]
    padded = ["ab".ljust(4) + "|", "7".zfill(3), "odd".center(6) + "|", "even".center(7) + "|"]
    return [*found, *padded, "a_b".removesuffix("_b"), "xYz".capitalize(), "abc"[::-1], "abcde"[-2::-2],
            "abcdef"[1:9:2], WORD.sub("w", "a 1 bc")]


def numbers() -> list[str]:
    values = [0.125, 2.5, 1e-7, 123456.789, 1e22, -0.05, 2 / 3, 99.9995]
    return [f"{x:.2f} {x:g} {x:.3e} {x:8.1f} {round(x, 2)} {x}" for x in values] + [f"{0.256:.1%} {1234567.5:,.1f}"]


def orders() -> list:
    pairs = sorted([("b", 2), ("a", 1), ("c", 2), ("d", 1)], key=lambda pair: pair[1], reverse=True)
    counted = Counter("mississippi") - Counter("miss")
    joined = dict(pairs) | {"z": (26).bit_length()}
    return [pairs, list(counted.elements()), list(joined.items()), list(zip((1, 2), (3, 4), strict=True)),
            [list(x) for x in ({k: v for k, v in joined.items() if v != 2}.items(),)], (*range(2), 5)]


def shortest() -> list[str]:
    values = [0.719414472579956, 1 / 3, 5e-324, 1.7976931348623157e308, 1e16, 123.0, 1e-5, -0.1, 0.0, 100.0]
    return [f"{x} {x!r}" for x in values] + list(map(str, values)) + [str(value) for value in (1, None, "a", [2])]


def members() -> list:
    same = [colour.label for colour in Colour if colour != Colour.RED]
    parts = [TABLE[1], TABLE["names"], TABLE[3], str([TABLE[key] for key in (3, "names")])]
    return [Colour.BLUE, Colour.BLUE.label, Colour(0).label, same, list(Colour.labels()), len(Colour), parts]


def scopes(pair=("u", "v")) -> list:
    WORD = [(TABLE := 4), *(TABLE for TABLE in pair)]
    return [WORD, [pair for pair in "ab"], (lambda Colour: Colour + 1)(TABLE)]


CELLS = "print(list(Cells(_Bytes(bytes([0, 1, 2, 3])), 0, [4], 'b')[1:3]))"


@needs_node
def test_rewritten_functions_mean_the_same():
    functions = {texts: (5,), numbers: (), orders: (), shortest: (), members: (), scopes: ()}
    linker = ScriptLinker()
    names = [linker.define(function, function.__name__) for function in functions]
    calls = [f"print(json.dumps({name}{given!r}))" for name, given in zip(names, functions.values(), strict=True)]
    code = [inspect.getsource(runtime), linker.join(), "import json", *calls, CELLS]
    printed = tell_games.run_micropython("\n".join(code))
    expected = [json.loads(json.dumps(function(*given))) for function, given in functions.items()] + [[1, 2]]
    assert [json.loads(line) for line in printed] == expected


SPECS = ["", "g", ".3g", ".0f", ".1f", ".2f", "+.1f", "08.2f", "<9.2f", "^9.1f", ",.1f", ".3e", ".1%", "12"]


@pytest.mark.parametrize("spec", SPECS)
def test_floats_are_written_as_python_writes_them(spec):
    draw = np.random.default_rng(1)
    values = [0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 1e15, 1e-5, 9.995, 99999.95, 999999.5, 1e6]
    for value in map(float, [*values, *draw.normal(0, 1, 50), *10 ** draw.uniform(-20, 20, 50)]):
        assert runtime._format(value, spec) == format(value, spec), value
        assert runtime._repr(value) == repr(value)
        assert float(runtime._repr(value * 2.0**-44)) == value * 2.0**-44
        for digits in (0, 1, 2, 3, 6):
            assert runtime._round(value, digits) == round(value, digits), (value, digits)


def test_equal_items_stay_in_order():
    items = [(i % 3, i) for i in range(20)]
    for reverse in (False, True):
        expected = sorted(items, key=lambda item: item[0], reverse=reverse)
        assert runtime._sorted(items, lambda item: item[0], reverse) == expected


@pytest.mark.parametrize("statement", ["match n:\n        case 1: pass", "global WORD"])
def test_syntax_that_cannot_be_rewritten_is_named(statement):
    tree = ast.parse(textwrap.dedent(f"def f(n):\n    {statement}")).body[0]
    with pytest.raises(UnsupportedSyntaxError, match=statement.split()[0]):
        PlainPython(lambda node: None).visit(tree)


def test_words_that_a_page_cannot_run_are_refused_with_the_reason():
    array = SimpleNamespace()

    def state():
        return array

    with pytest.raises(ScriptError, match="its words use array, of type SimpleNamespace"):
        ScriptLinker().define(state, "state")


def test_records_are_read_from_bytes_as_numpy_reads_them():
    inner = np.dtype([("name", "i1", (8,)), ("share", "f8")])
    fields = [("flag", "?"), ("small", "i2"), ("big", "i8"), ("grid", "i4", (2, 3)), ("parts", inner, (2,))]
    kind = np.dtype(fields, align=True)
    array = blank(kind)
    record = readable(array)
    record.flag, record.small, record.big = True, -3, -(1 << 62)
    record.grid[1, 2] = 7
    write_name(record.parts[1].name, "\u00e4bcdefgh")  # its last letter does not fit
    record.parts[1].share = 0.1
    read = runtime.Record(runtime._Bytes(play_data.get_bytes(array)), 0, play_data.describe_record(kind))
    assert (read.flag, read.small, read.big) == (True, -3, -(1 << 62))
    assert read.grid.tolist() == [[0, 0, 0], [0, 0, 7]] and read.grid[1, 2] == read.grid[1][-1] == 7
    assert runtime.read_name(read.parts[1].name) == "\u00e4bcdefg" and read.parts[1].share == 0.1
    copy = read.grid[1].copy()
    copy[0] = 5
    assert list(copy) == [5, 0, 7] and list(copy[1:]) == [0, 7] and list(read.grid[1]) == [0, 0, 7]
    with pytest.raises(IndexError):
        list(read.grid[2])
    assert not hasattr(read, "missing")


def test_the_interpreter_is_what_its_readme_says():
    told = (interpreter.FOLDER / "README.md").read_text()
    for name in ("micropython.wasm", "micropython.mjs"):
        digest = hashlib.sha256(gzip.decompress((interpreter.FOLDER / f"{name}.gz").read_bytes())).hexdigest()
        assert f"| `{name}` | `{digest}` |" in told
    loader = gzip.decompress((interpreter.FOLDER / "micropython.mjs.gz").read_bytes()).decode()
    assert all(before in loader for before in interpreter.CHANGES)
    assert "Permission is hereby granted, free of charge" in (interpreter.FOLDER / "LICENSE").read_text()
    assert sum(map(len, interpreter.load_interpreter().values())) < 300_000


def test_the_script_of_the_page_stays_small():
    lines = [line.strip() for path in tell_games.TEMPLATES.glob("play*.js") for line in path.read_text().splitlines()]
    assert len([line for line in lines if line and not line.startswith("//")]) <= 400


# -- in a browser ----------------------------------------------------------------------------------------------------

COUNTING = """
globalThis.heavy = [];
for (const name of ["Module", "Instance"]) WebAssembly[name] = class { constructor() { heavy.push(name); } };
for (const name of ["compile", "instantiate"]) WebAssembly[name] = () => heavy.push(name);
const decode = atob;
globalThis.atob = (text) => { if (text.length > 100_000) heavy.push("atob"); return decode(text); };
0
"""
TELLER = f"{PANEL}.querySelector('.teller')"
TOLD = f"{TELLER}.querySelector('.told').textContent"


@pytest.fixture
def open_panel(tmp_path):
    """Return a function that opens the panel of a game in a browser."""
    with ExitStack() as stack:

        def open_page(name, chosen=None):
            scenario = load_scenario(f"{name}/{load_game(name).standard}")
            data = play_data.make_play_data(scenario, (), chosen or {}, tell_games.SEED)[1]
            url = play_modules.write_page(tmp_path / "page.html", data)
            page = stack.enter_context(BrowserPage(url, tmp_path / "profile"))
            page.wait_for("!document.querySelector('details.play').hidden")
            page.evaluate(COUNTING)
            page.evaluate(f"{PANEL}.querySelector('summary').click()")
            page.wait_for(f"{PANEL}.dataset.state === 'verified'")
            return page

        yield open_page


def read_steps(page):
    return page.evaluate(f"[...{TELLER}.querySelectorAll('.steps pre')].map((one) => one.textContent).join('')")


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium")
class TestInTheBrowser:
    def test_a_game_is_told_and_its_chances_are_estimated(self, open_panel):
        page = open_panel("trapwords")
        page.evaluate(f"{TELLER}.querySelector('input').value = 4")
        page.evaluate(f"{TELLER}.querySelector('button[name=show]').click()")
        told = page.wait_for(f"(/are from 200 continuations/.exec({TOLD}) || {{}}).input")
        native = tell_games.tell_natively(make_data("trapwords")[0], LEVEL, 4)
        assert read_steps(page) == native + "\n" and told.startswith(f"Game 4: {native.splitlines()[-1]} and ")
        notes = page.evaluate(f"[...{TELLER}.querySelectorAll('.note')].map((one) => one.textContent)")
        assert len(notes) == len(page.evaluate(f"[...{TELLER}.querySelectorAll('.steps > div')].map(() => 1)")) - 1
        assert re.fullmatch(r"Chance to win: seat 1 \d+ % \(\d+ % .. \d+ %\), seat 2 .*", notes[0])
        assert page.evaluate("heavy") == []  # only Workers play and decode

    def test_the_first_game_that_ends_otherwise_opens_with_the_change(self, open_panel):
        name, path, value = "run_run_run", "movement.base", 4
        page = open_panel(name, {path: [3, value]})
        page.evaluate(
            f"(() => {{ const field = {PANEL}.querySelector('input[type=range]'); field.value = 1;"
            "for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind)); })()"
        )
        page.wait_for(f"{PANEL}.querySelectorAll('.flipped button').length")
        page.evaluate(f"{PANEL}.querySelector('.flipped button').click()")
        number = int(re.match(r"Game (\d+)", page.wait_for(f"(/estimated/.exec({TOLD}) || {{}}).input"))[1])
        page.evaluate(f"{TELLER}.querySelector('button[name=stop]').click()")
        changed = make_data(name)[0].with_values({path: value})
        assert read_steps(page) == tell_games.tell_natively(changed, LEVEL, number) + "\n"
        assert page.evaluate(TOLD) == "Stopped." and page.evaluate("heavy") == []

    def test_a_seat_is_played_to_the_end_and_judged(self, open_panel):
        page = open_panel("trapwords")
        page.evaluate(f"{TELLER}.querySelector('select').value = 1")
        page.evaluate(f"{TELLER}.querySelector('button[name=sit]').click()")
        choices = 0
        offered = f"{TELLER}.querySelectorAll('.options button').length"
        while page.wait_for(f"{offered} || /is being|stands at/.test({TOLD})") is not True:
            assert page.evaluate(f"{TOLD}.startsWith('Your choice: ')")
            assert page.evaluate(f"document.activeElement === {TELLER}.querySelector('.options button')")
            page.evaluate(f"{TELLER}.querySelector('.options button').click()")
            choices += 1
        page.wait_for(f"/stands at the end of the list, from 400 continuations/.test({TOLD})")
        verdicts = page.evaluate(f"[...{TELLER}.querySelectorAll('.steps > p')].map((one) => one.textContent)")
        assert len(verdicts) == choices > 3
        pattern = r"You chose “.*”(, as the steady player would\.|; .* changed the chance to win by .* points \(.*\)\.)"
        assert all(re.fullmatch(pattern, verdict) for verdict in verdicts)

    def test_names_are_chosen_from_a_list(self, open_panel):
        page = open_panel("run_run_run", {"setup.players": [1, 2], "movement.base": [3, 4]})
        labels = "[...document.querySelectorAll('.controls label')]"
        assert page.evaluate(f"{labels}.map((one) => one.lastChild.tagName)") == ["SELECT", "SELECT", "OUTPUT"]
        assert "2 (as it is)" in page.evaluate(f"{labels}[1].textContent")

    def test_words_that_fail_are_reported(self, open_panel):
        page = open_panel("trapwords")
        page.evaluate("document.getElementById('play-interpreter').textContent = 'AAAA'")
        page.evaluate(f"{TELLER}.querySelector('button[name=show]').click()")
        page.wait_for(f"/^This game cannot be told here: /.test({TOLD})")


@pytest.mark.skipif(not FIREFOX, reason="needs Firefox")
def test_firefox_plays_and_tells_the_same_games(tmp_path):
    cell, data = make_data("trapwords")
    url = play_modules.write_page(tmp_path / "page.html", data)
    with FirefoxPage(f"{url}#verify", tmp_path / "profile") as page:
        page.wait_for("document.documentElement.dataset.verified")
        verdicts = json.loads(page.evaluate(f"{PANEL}.dataset.verdicts"))
        page.evaluate(f"{TELLER}.querySelector('button[name=show]').click()")
        page.wait_for(f"/are from 200 continuations/.test({TOLD})")
        told = read_steps(page)
    assert len(verdicts) == len(data["levels"]) and not [one for one in verdicts if "error" in one]
    assert told == tell_games.tell_natively(cell, LEVEL, 0) + "\n"
