"""A second process compiles a game's rules while this one compiles what plays it."""

import pytest
from playing import answer, pig_engine

from hardmode.sim.compile import background
from hardmode.sim.compile.cache import notify_compile_listeners
from hardmode.sim.play import rule_compiler


class Process:
    """What would be started."""

    def __init__(self, code, asked):
        self.code, self.asked, self.alive, self.waited = code, asked, True, False

    def terminate(self):
        self.alive = False

    def wait(self):
        self.waited = True


@pytest.fixture
def started(monkeypatch):
    made = []
    monkeypatch.setattr(background, "_start_process", lambda *a: made.append(Process(*a)) or made[-1])
    monkeypatch.setattr(background, "count_cores", lambda: 2)
    return made


def test_help_comes_with_the_first_that_is_worth_it_and_ends_with_what_it_helped(started):
    with background.with_compile_helper("code", ["what"], lambda name: name == "first"):
        notify_compile_listeners("first")
        notify_compile_listeners("second")
        [process] = started
        assert (process.code, process.asked, process.alive) == ("code", ["what"], True)
    assert not process.alive and process.waited
    with background.with_compile_helper("code", [], lambda name: name == "second"):
        notify_compile_listeners("first")
        notify_compile_listeners("second")
    assert len(started) == 1, "when it is too late nobody is asked"


def test_help_ends_with_a_failure_too(started):
    with pytest.raises(ZeroDivisionError), background.with_compile_helper("code", [], lambda name: True):
        notify_compile_listeners("first")
        raise ZeroDivisionError
    assert not started[0].alive and started[0].waited


def test_who_is_alone_or_has_one_core_is_not_helped(started, monkeypatch):
    with background.without_helper(), background.with_compile_helper("code", [], lambda name: True):
        notify_compile_listeners("first")
    monkeypatch.setattr(background, "count_cores", lambda: 1)
    with background.with_compile_helper("code", [], lambda name: True):
        notify_compile_listeners("first")
    assert not started


def test_where_no_process_can_be_started_this_one_does_it_all(monkeypatch):
    def refuse(*_):
        raise OSError("no more processes")

    monkeypatch.setattr(background, "_start_process", refuse)
    monkeypatch.setattr(background, "count_cores", lambda: 2)
    with background.with_compile_helper("code", [], lambda name: True):
        notify_compile_listeners("first")


@pytest.mark.parametrize(
    "begun, kept, many, worth",
    [
        ("strategy steady", False, 1, True),
        ("pig play", False, 1, True),
        ("pig play", True, 1, False),
        ("pig setup", False, 1, False),
        ("pig play", False, 10**6, False),
    ],
)
def test_many_rules_that_must_be_compiled_are_worth_a_process(monkeypatch, begun, kept, many, worth):
    monkeypatch.setattr(rule_compiler, "is_cacheable_and_missing", lambda *_, **__: not kept)
    monkeypatch.setattr(rule_compiler, "MIN_FUNCTIONS_FOR_HELPER", many)
    assert rule_compiler.helper_pays_off(pig_engine().game, begun) == worth


COMPILE = """
import json
import hardmode.sim.compile
from hardmode.scenarios.load import load_scenario
from hardmode.sim.compile import background
from hardmode.sim.play import rule_compiler
from hardmode.studies.core.run import make_engine
rule_compiler.MIN_FUNCTIONS_FOR_HELPER = {many}
background.count_cores = lambda: 2
begun, kept = background._start_process, []
background._start_process = lambda *a: kept.append(begun(*a)) or kept[-1]
made = make_engine(load_scenario("pig/classic").cells[0])
root = hardmode.sim.compile.cache.find_cache_root()
print(json.dumps([[name for name, _ in hardmode.sim.compile.cache.compiled_entries], len(list(root.glob("??/*/sum"))), len(kept)]))
"""


def test_the_rules_are_compiled_once_by_whoever_is_at_them(tmp_path):
    alone, entries, none = answer(COMPILE.format(many=10**6), HARDMODE_CACHE=str(tmp_path / "alone"))
    assert none == 0 and len(alone) == entries
    here, together, one = answer(COMPILE.format(many=1), HARDMODE_CACHE=str(tmp_path / "helped"))
    assert one == 1 and together == entries and set(here) <= set(alone)
    again, same, nobody = answer(COMPILE.format(many=1), HARDMODE_CACHE=str(tmp_path / "helped"))
    assert (again, same, nobody) == ([], entries, 0)


def test_a_helper_compiles_the_rules_and_nothing_else(tmp_path):
    code = """
    import json
    import hardmode.sim.compile
    from hardmode.sim.play.rule_compiler import compile_rules
    compile_rules("pig")
    print(json.dumps([name for name, _ in hardmode.sim.compile.cache.compiled_entries]))
    """
    assert answer(code, HARDMODE_CACHE=str(tmp_path)) == [f"pig {part}" for part in rule_compiler.kernel.KERNEL_RULES]
