"""Content of one's own: entries that a box of one's own adds to a box, or puts in the place of others."""

import re
from pathlib import Path

import numpy as np
import pytest

import hardmode
from hardmode.scenarios.box_overlay import load_overlay
from hardmode.scenarios.custom_content import MAX_NAME_BYTES
from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.sim.contract import load_game
from hardmode.sim.files.yaml_io.errors import UNKNOWN_LOCATION, ScenarioError
from hardmode.sim.games.vengeance.names import Den
from hardmode.sim.games.woodlands.box import read_name as shown
from hardmode.sim.names import read_name, write_name
from hardmode.sim.records import readable
from hardmode.sim.replay import sentences, story
from hardmode.studies.core.run import make_engine

BOXES = {
    "woodlands": """
boss:
  hydra:
    .like: snake_matriarch
    hearts: 6
    skills: [orbs, orbs, brambles, threat, shield, nothing]
    skill_orbs: 2
    skill_shield: 6
  frog: {.instead: spore_titan, shield: 6}
monster: {wolf: {.instead: snake, hearts: 2}}
loot: {club: {.like: mace, copies: 2, amount: 2}}
event: {rain: {.like: spore_cloud}}
""",
    "run_run_run": """
bosses: {boss14: {.like: boss12, hp: 14, suppresses: true}, boss9: {.instead: boss8, hp: 9}}
mummies: {dog: {.instead: dicer, hp: 3}, old_king: {.instead: brute, damage: 3}}
""",
    "trapwords": """
curse: {fog: {.like: echo, traps: 1}, flood2: {.instead: flood, sand: 20.0}}
monster: {kraken: {.like: troll, normal: {budget: 3, curses: 1}}}
""",
    "vengeance": """
boss: {don_two: {.like: don_zemun, health: 3}}
den:
  6A: {.like: 1A}
  6B:
    .like: 1B
    doors: [0-1, 0-2, 0-yard, 1-4, 2-4, 2-5, yard-6, 4-7, 5-7, 6-7, 4-8, 6-8, room1-cave, cave-room9, 0-room9]
    room: {cave: {.like: room1, loot: 2}, room9: {.like: room2}, yard: {.instead: room3}}
hero:
  ninja: {.like: acrobat, skill: {flip: {.instead: AC1, cost: 3}}}
  bruiser2: {.instead: bruiser}
"""}


@pytest.fixture
def mine(tmp_path):
    def written(name, text):
        file = tmp_path / "mine.yaml"
        file.write_text(f"game: {name}\n.source: rulebook\n{text}")
        return file

    return written


def label(cell, measure):
    return next(m for m in cell.game.measures if m.name == measure).labels


@pytest.mark.parametrize("name", BOXES)
def test_what_a_result_says_of_it_makes_the_same_box_again(name, mine):
    cell = create_variant(name, box=mine(name, BOXES[name]))
    again = create_variant(name, rules=cell.changes_to_shipped_box)
    assert again.values == cell.values and list(again.values) == list(cell.values)
    assert np.array_equal(np.asarray(again.box).view(np.uint8), np.asarray(cell.box).view(np.uint8))
    assert not np.array_equal(np.asarray(create_variant(name).box).view(np.uint8), np.asarray(cell.box).view(np.uint8))


def test_a_boss_more_is_dealt_named_and_chosen(mine):
    box = mine("run_run_run", BOXES["run_run_run"])
    cell = load_scenario("run_run_run/standard", ["setup.boss=boss14"], box=box).cells[0]
    box = cell.box[0]
    assert box["bosses"] == 4 and box["boss"] == 3 and [read_name(n) for n in box["boss_name"][:4]] == [
        "boss9", "boss10", "boss12", "boss14"]
    assert box["hp"][4:8].tolist() == [9, 10, 12, 14] and box["suppresses"][4:8].tolist() == [0, 1, 0, 1]
    assert label(cell, "boss") == ("not turned up", "boss9", "boss10", "boss12", "boss14")
    assert cell.parameters["setup.boss"].choices == ("any", "boss9", "boss10", "boss12", "boss14")


def test_a_mummy_of_ones_own_is_named_in_endings_stories_and_choices(mine):
    cell = load_scenario("run_run_run/standard", box=mine("run_run_run", BOXES["run_run_run"])).cells[0]
    box, words = readable(cell.box), cell.game.load_words()
    reached = tuple(f"vault reached by {m}" for m in ("dog", "runner", "old king", "snuffer", "Boss"))
    assert cell.game.endings[1:6] == reached
    assert label(cell, "first woken") == ("none", "dog", "runner", "old king", "snuffer")
    assert (box.hp[0], box.damage[2], box.hp[1]) == (3, 3, 5)
    assert {words.label(box, i) for i in range(cell.game.labels)} >= {"strike the dog", "strike the old_king"}
    box = mine("run_run_run", BOXES["run_run_run"])
    played = hardmode.play(load_scenario("run_run_run/standard", box=box), games=200)
    assert played[0].tally.count_endings()["vault reached by dog"] > 0


def test_a_boss_with_skills_that_its_model_has_not(mine):
    cell = create_variant("woodlands", box=mine("woodlands", BOXES["woodlands"]))
    box = cell.box[0]
    assert (box["bosses_n"], box["events_n"], box["loot_total"]) == (7, 13, 27)
    assert (box["b_hearts"][6], box["b_number"][6, 0], box["b_number"][6, 4]) == (6, 2, 6)
    assert label(cell, "boss")[4:] == ("frog", "corrupted guardian", "not revealed", "hydra")
    assert cell.values["boss.hydra.sword"] == create_variant("woodlands").values["boss.snake_matriarch.sword"]


def test_a_monster_of_ones_own_is_named_in_measures_stories_and_choices(mine):
    cell = create_variant("woodlands", rules={"setup.enraged": ["wolf"]}, box=mine("woodlands", BOXES["woodlands"]))
    box, words = readable(cell.box), cell.game.load_words()
    assert (box.mon_hearts[0], box.mon_shield[0], box.enraged[0]) == (2, 4, 1)
    names = [m.name for m in cell.game.measures]
    assert "wolf beaten" in names and "wolf lost to" in names and not any("snake" in name for name in names)
    assert label(cell, "first monster")[:3] == ("none", "wolf", "spirit")
    assert "fight wolf" in {words.label(box, i) for i in range(cell.game.labels)}
    assert cell.parameters["setup.enraged"].choices[2:4] == ("wolf", "spirit")


def test_a_curse_and_a_monster_of_several_effects(mine):
    cell = create_variant("trapwords", box=mine("trapwords", BOXES["trapwords"]))
    box = cell.box[0]
    fog, kraken = box["card"][1 + 10], box["card"][1 + 20 + 2 * 7]
    assert (fog["clue_time"], fog["traps"]) == (1.6, 1) and (kraken["budget"], kraken["curses"]) == (3, 1)
    assert box["curses"] == (1 << 11) - 1 and box["new_monsters"] == 1
    assert label(cell, "first curse")[1] == "flood2" and label(cell, "first curse")[-1] == "fog"
    assert label(cell, "monster")[-2:] == ("none", "kraken")


def test_a_hero_more_has_the_skills_of_its_model_and_its_own(mine):
    cell = create_variant("vengeance", box=mine("vengeance", BOXES["vengeance"]))
    assert label(cell, "hero") == ("shadowman", "bruiser2", "gunslinger", "acrobat", "ninja")
    assert cell.values["hero.ninja.skill.flip.cost"] == 3 and "hero.ninja.skill.AC1.cost" not in cell.values
    assert cell.values["hero.acrobat.skill.AC1.cost"] == 2 and cell.box[0]["bosses"] == 10


@pytest.mark.parametrize(("name", "path", "need", "wanted"), [
    ("trapwords", "monster.kraken.normal.budget", "setup.monster", ("any", "kraken")),
    ("woodlands", "boss.hydra.skill_shield", ".skills", ("shield",)),  # its model has none
    ("vengeance", "boss.don_two.health", "setup.bosses", ("any", "don_two")),
    ("vengeance", "hero.bruiser2.trait", "setup.heroes", ("any", "choose", "bruiser2")),
    ("vengeance", "hero.ninja.trait", "setup.heroes", ("any", "choose", "ninja")),
    ("vengeance", "den.6A.doors", "setup.boards", ("any", "board6")),
])
def test_what_is_added_needs_its_own_name(mine, name, path, need, wanted):
    assert dict(create_variant(name, box=mine(name, BOXES[name])).parameters[path].needs)[need] == wanted


@pytest.mark.parametrize(("text", "message"), [
    ("bosses: {boss9: {hp: 9}}", "bosses.boss9: is not in the box; a new one says `.like: NAME` to be made like "
     "another, or `.instead: NAME` to take its place; did you mean boss8"),
    ("bosses: {boss9: {.like: boss81}}", "bosses.boss9.like: there is no bosses.boss81; did you mean boss8"),
    ("bosses: {boss8: {.like: boss10}}", "bosses.boss8: is in the box already"),
    ("bosses: {boss9: {.like: boss8, hpp: 3}}", "bosses.boss9.hpp: no such number; did you mean bosses.boss9.hp"),
    ("bosses: {boss9: {.like: boss8, hp: 99}}", "bosses.boss9.hp: is 99, more than the most possible, 30"),
    ("bosses: {" + ", ".join(f"b{i}: {{.like: boss8}}" for i in range(6)) + "}",
     "bosses.b5: is one too many: bosses can have 8 entries; `.instead: NAME` puts it in the place of another"),
    ("torches: {lamp: {.like: start}}", "torches.lamp: can be neither added nor put in the place of another: that goes "
     "for bosses, mummies"),
    ("mummies: {dog: {.like: dicer}}", "mummies.dog: is one too many: mummies can have 4 entries; `.instead: NAME`"),
])
def test_what_cannot_be_added_is_told(mine, text, message):
    with pytest.raises(ScenarioError) as why:
        load_overlay(mine("run_run_run", text), "run_run_run", UNKNOWN_LOCATION)
    assert message in str(why.value) and Path("mine.yaml").name in str(why.value)


def test_every_part_that_can_grow_is_read_by_its_names():
    """A part whose entries the rules name themselves would lose one that is put in the place of another."""
    for name in BOXES:
        known = create_variant(name)
        for part in (path for path in load_game(name).content if "*" not in path):
            dot = f"{part}."
            if name == "vengeance" and part == "den":  # whose names are boards and their sides
                continue
            for entry in dict.fromkeys(path[len(dot):].split(".")[0] for path in known.values if path.startswith(dot)):
                create_variant(name, rules={f"{part}.another.instead": entry})


def test_rooms_of_ones_own_are_joined_and_told_by_their_names(mine):
    sets = ["setup.boards=[board6, any, any, any]", "setup.sides=[B, any, any, any]"]
    cell = load_scenario("vengeance/solo-medium", sets, box=mine("vengeance", BOXES["vengeance"])).cells[0]
    rooms, den = [f"room{i}" for i in range(9)], cell.box[0]["den"][11]
    rooms[0], rooms[3] = "start", "yard"
    assert [read_name(name) for name in cell.box[0]["room_name"][11][:12]] == [*rooms, "cave", "room9", ""]
    doors = [[r for r in range(11) if bits >> r & 1] for bits in den[Den.DOORS:Den.DOORS + 11].tolist()]
    assert doors[9] == [1, 10] and doors[10] == [0, 9] and doors[3] == [0, 6] and den[Den.ICONS_IN + 9] == 2
    told = "\n".join(sentences(story(make_engine(cell), 1, 0), cell.game.load_words()))
    assert re.search(r"\n  yard .* doors to start 6", told) and re.search(r"\n  cave .* doors to 1 9", told)
    assert "MOVE to yard" in "\n".join(line for n in range(20) for line in sentences(
        story(make_engine(cell), 1, n), cell.game.load_words()))


@pytest.mark.parametrize("name", ["bösewicht", "crâned’or", "龍"])
def test_names_beyond_ascii_are_kept_as_they_are(mine, name):
    cell = create_variant("run_run_run", box=mine("run_run_run", f"bosses: {{{name}: {{.like: boss8}}}}"))
    assert read_name(cell.box[0]["boss_name"][3]) == name and label(cell, "boss")[-1] == name
    cell = create_variant("woodlands", box=mine("woodlands", f"boss: {{{name}: {{.instead: spore_titan}}}}"))
    assert shown(cell.box[0]["boss_name"][4]) == name


def test_a_letter_that_is_cut_in_two_is_left_out():
    cells = np.zeros(4, np.int8)
    write_name(cells, "aaaö")
    assert cells.all() and read_name(cells) == "aaa"


def test_the_longest_name_fits_the_records_of_every_game():
    names = [(g, field, kind.shape[-1]) for g in BOXES for field, (kind, *_) in load_game(g).box.fields.items()
             if field.endswith("_name")]
    assert len(names) > 10 and not [one for one in names if one[2] < MAX_NAME_BYTES]


@pytest.mark.parametrize(("name", "text", "message"), [
    ("vengeance", "den: {lair: {.like: 1A}}", "mine.yaml:3: den.lair: is no side of a board: these are called by "
     "their board and A or B, as 6A and 6B"),
    ("vengeance", "den: {6A: {.like: 1A}}", "mine.yaml:3: den.6A: lacks the other side of its board, den.6B"),
    ("vengeance", "den:\n  1A: {room: {cave: {.like: room1}}}", "mine.yaml:4: den.1A.doors: leave cave cut off; a door "
     "more, such as 0-9, leads there"),
    ("vengeance", "den: {1A: {room: {room9: {loot: 1}}}}", "den.1A.room.room9: is not in the box; a new one says"),
    ("woodlands", "boss: {any: {.like: bone_general}}", "mine.yaml:3: boss.any: cannot be called any, which means "
     "something else in setup.boss"),
    ("woodlands", "boss: {'a*': {.like: bone_general}}", "boss.a*: is no name: it takes a letter or more, 24 at most"),
    ("woodlands", "boss: {8: {.like: bone_general}}", "boss.8: is no name: it takes a letter or more"),
    ("woodlands", "boss: {b2345678901234567890123ü: {.like: bone_general}}", "is no name: it takes a letter or more"),
    ("woodlands", "boss: {hydra: bone_general}", "boss.hydra: is not in the box; a new one says `.like: NAME`"),
    ("woodlands", "boss: {hydra: {.like: bone_general, .instead: spore_titan}}", "boss.hydra: says both `.like` and "
     "`.instead`"),
])
def test_the_line_of_what_cannot_be_played_is_that_of_the_box(mine, name, text, message):
    with pytest.raises(ScenarioError) as why:
        create_variant(name, box=mine(name, text))
    assert message in str(why.value) and "mine.yaml:" in str(why.value)


def test_a_board_of_ones_own_can_be_named_at_set_up(mine):
    file = mine("vengeance", "den: {6A: {.like: 1A}, 6B: {.like: 1B}}\nsetup: {boards: [board6, any, any, any]}\n")
    cell = create_variant("vengeance", box=file)
    assert cell.box["seat_board"][0].tolist() == [5, -1, -1, -1] and cell.box["boards"][0] == 6
    both = "den: {7A: {.instead: 1A}, 7B: {.instead: 1B}}\n"
    boards = {"setup.boards": ["board7", "any", "any", "any"]}
    cell = create_variant("vengeance", rules=boards, box=mine("vengeance", both))
    assert cell.box["seat_board"][0, 0] == 0 and cell.parameters["setup.boards"].choices[:2] == ("any", "board7")
