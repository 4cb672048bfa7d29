"""Boxes: leaves and what they inherit, where they are found, and the cache that makes them quick."""

import json
import os
import time

import pytest

import hardmode.scenarios.box
from hardmode.scenarios.box import find_box_folders, format_box_path, load_parameters
from hardmode.scenarios.parameter import Parameter, parse_box
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.files.yaml_io.read import parse_yaml

pytestmark = pytest.mark.usefixtures("hill")


def box(text):
    return parse_box(parse_yaml(text, "box.yaml", signed_numbers=True))


def test_every_form_of_a_leaf():
    found = load_parameters("hill")
    assert list(found) == ["setup.players", "setup.boss", "setup.brambles", "setup.heroes", "switches.night", "boss.hp",
                           "die.weight", "die.faces", "die.odds", "cave.depth", "cave.torches"]
    assert found["boss.hp"] == Parameter("boss.hp", 9, "rulebook", "p. 4", (5, 15), (), 1, 99, "hearts", "", 16)
    assert found["die.faces"] == Parameter("die.faces", [1, 1, 2, 2, 3, 4], "rulebook", "p. 2", line=20)
    assert found["cave.depth"].value == -2  # a sign in a box is a sign
    assert found["cave.torches"] == Parameter("cave.torches", 3, "public", line=29)


def test_a_step_is_inherited_and_above_zero():
    found = box(".source: rulebook\npoints:\n  .step: 50\n  a: 100\n  b: {value: 20, step: 5}\nhp: 3\n")
    assert [found[path].step for path in ("points.a", "points.b", "hp")] == [50, 5, None]
    for step, why in ((0, "above zero"), ("wide", "above zero"), (0.5, "has a step of 0.5")):
        with pytest.raises(ScenarioError, match=why):
            box(f".source: rulebook\na: {{value: 5, step: {step}}}\n")


def test_types():
    found = load_parameters("hill")
    assert [found[p].type for p in ("boss.hp", "die.weight", "setup.boss", "switches.night", "die.faces", "die.odds",
                                    "setup.heroes")] == [int, float, str, bool, int, float, str]
    assert found["die.odds"].value == [0.5, 2.0] and type(found["die.odds"].value[1]) is float
    assert found["switches.night"].choices == (True, False)
    empty = box(".source: rulebook\na: {value: [], choices: [1, 2]}\nb: []\n")
    assert (empty["a"].type, empty["b"].type) == (int, str)


def test_words_of_other_yamls_are_names():
    found = box(".source: rulebook\na: {value: no, choices: [yes, no, on, off]}\nb: 010\nc: 2026-11-18\nd: 1e3\n")
    assert [leaf.value for leaf in found.values()] == ["no", 10, "2026-11-18", 1000.0]


def test_inheritance():
    found = box("""
.source: rulebook
.from: p. 1
.note: in general
a: 1
deep:
  .from: p. 2
  .unit: hearts
  b: 2
  c: {value: 3, from: p. 3, note: in particular}
  guessed:
    .source: assumed
    .range: [0, 9]
    d: 4
    e: {value: 5, source: public, from: a site, range: [5, 6]}
    f: {value: 6, from: a hunch}
  g: {value: 7, source: public}
h: 8
""")
    assert {leaf.path: (leaf.source, leaf.from_, leaf.note, leaf.unit, leaf.range) for leaf in found.values()} == {
        "a": ("rulebook", "p. 1", "in general", "", None),
        "deep.b": ("rulebook", "p. 2", "in general", "hearts", None),
        "deep.c": ("rulebook", "p. 3", "in particular", "hearts", None),
        "deep.guessed.d": ("assumed", "", "in general", "hearts", (0, 9)),  # p. 2 says nothing of a guess
        "deep.guessed.e": ("public", "a site", "in general", "hearts", (5, 6)),
        "deep.guessed.f": ("assumed", "a hunch", "in general", "hearts", (0, 9)),
        "deep.g": ("public", "", "in general", "hearts", None),
        "h": ("rulebook", "p. 1", "in general", "", None),
    }


def test_an_assumption_gives_its_range_or_its_reason():
    for reason in ("range: [0, 2]", "choices: [1, 2]", "note: counted on a photograph"):
        assert box(f"a: {{value: 1, source: assumed, {reason}}}\n")["a"].is_assumed
    with pytest.raises(ScenarioError, match="is assumed, so it needs a range, choices or a note"):
        box("a: {value: 1, source: assumed, unit: hearts, min: 0}\n")


def test_a_game_without_a_box_has_no_scenarios(more):
    for name in ("hill", "nobox"):
        (more / name).mkdir()
    (more / "hill" / "box.yaml").write_text(".source: rulebook\na: 1\n")
    assert list(find_box_folders()) == ["hill", "pig"]
    assert list(load_parameters("hill")) == ["a"] and format_box_path("hill") == "more/hill/box.yaml"


@pytest.fixture
def moor(monkeypatch, hill, more):
    """A box that can be edited, and a cache of its own."""
    monkeypatch.setenv("HARDMODE_CACHE", str(hill / "cache"))
    hardmode.scenarios.box.PARAMETER_CACHE.clear()
    (more / "moor").mkdir()
    file = more / "moor" / "box.yaml"
    file.write_bytes((hardmode.scenarios.box.find_box_folder("hill") / "box.yaml").read_bytes())
    return file


def afresh(monkeypatch):
    """The leaves as another process would read them, and whether they were parsed for it."""
    parsed = []
    hardmode.scenarios.box.PARAMETER_CACHE.clear()
    monkeypatch.setattr(hardmode.scenarios.box, "parse_box", lambda document: parsed.append(1) or parse_box(document))
    return load_parameters("moor"), bool(parsed)


def test_a_box_is_parsed_once(monkeypatch, moor):
    first, parsed = afresh(monkeypatch)
    again, parsed_again = afresh(monkeypatch)
    assert (parsed, parsed_again) == (True, False)
    assert again == first and list(again) == list(first)
    assert [type(leaf.value) for leaf in again.values()] == [type(leaf.value) for leaf in first.values()]


def test_an_edited_box_is_read_again(monkeypatch, moor):
    afresh(monkeypatch)
    moor.write_text(moor.read_text().replace("value: 9", "value: 8"))
    found, parsed = afresh(monkeypatch)
    assert parsed and found["boss.hp"].value == 8
    assert load_parameters("moor")["boss.hp"].value == 8
    moor.write_text(moor.read_text().replace("value: 8", "value: 7"))
    assert load_parameters("moor")["boss.hp"].value == 7  # within one process, too


def age(file, seconds):
    os.utime(file, ns=(time.time_ns() - seconds * 10**9,) * 2)


def test_an_unchanged_box_is_read_once(monkeypatch, moor):
    read = []
    cache, load_box = hardmode.scenarios.box.PARAMETER_CACHE, hardmode.scenarios.box._load_box
    monkeypatch.setattr(cache, "_load", lambda path: read.append(path) or load_box(path))
    age(moor, 20)
    assert load_parameters("moor") is load_parameters("moor") and len(read) == 1
    age(moor, 10)
    assert load_parameters("moor")["boss.hp"].value == 9 and len(read) == 2
    age(moor, 0)  # it may change again before its time of modification does
    assert load_parameters("moor") == load_parameters("moor") and len(read) == 4


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{\"a\": 3}", b"{\"a\": {\"colour\": 3}}", b"\xff\xfe"])
def test_a_damaged_cache_is_not_believed(monkeypatch, moor, hill, damage):
    first, _ = afresh(monkeypatch)
    [kept] = (hill / "cache" / "boxes").glob("*.sealed")
    kept.write_bytes(damage)
    assert afresh(monkeypatch) == (first, True)
    assert json.loads(kept.read_bytes()[64:])  # and it is mended


@pytest.mark.parametrize("which", range(4))
def test_one_flipped_bit_in_the_cache_is_not_believed(monkeypatch, moor, hill, which):
    first, _ = afresh(monkeypatch)
    [kept] = (hill / "cache" / "boxes").glob("*.sealed")
    whole = bytearray(kept.read_bytes())
    at = [0, whole.index(b": 9"), len(whole) // 2, len(whole) - 3][which]
    whole[at + 2] ^= 1
    kept.write_bytes(whole)
    assert afresh(monkeypatch) == (first, True)


def test_no_cache_is_no_trouble(monkeypatch, moor, hill):
    first, _ = afresh(monkeypatch)
    monkeypatch.setenv("HARDMODE_CACHE", "off")
    assert afresh(monkeypatch) == (first, True)
    monkeypatch.setenv("HARDMODE_CACHE", str(hill / "full"))


def test_a_full_disk_is_no_trouble(monkeypatch, moor, hill):
    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(type(hill), "replace", full)
    afresh(monkeypatch)
    assert list((hill / "cache" / "boxes").iterdir()) == []
    assert afresh(monkeypatch)[1]
