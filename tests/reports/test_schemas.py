"""What others read has a schema: every answer of every command, every file, and files of earlier versions."""

import copy
import gzip
import json
import os
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports import json as schemas
from hardmode.reports.json import answers
from hardmode.strategies import player_file
from hardmode.studies.gate import baselines
from tests.reports.toy import making

KEPT = Path(__file__).parent / "kept"
SHIPPED = json.loads((KEPT / "schemas.json").read_text())  # as they were when they were first shipped
WITHOUT = {"report", "new", "schema"}  # commands that print no JSON, or print a schema

# What is played, in order, with what it needs: a name (that of a schema, then any), and the command line.
PLAYED = """
list            list
list            list pig
list            list lantern/grid --changed
list            list pig --weights --fields --options
run             run pig/classic --games 200 -o a.json --rows rows
run             run lantern/home --games 200
run             run lantern/grid --games 40 --box own.yaml
run             run pig/classic --games 200 --first 200 -o b.json
merge           merge a.json b.json -o ab.json
reproduce       reproduce a.json
replay          replay lantern/home
replay          replay lantern/home --odds --playouts 40
replay          replay pig/classic --odds --playouts 40
compare         compare mine.yaml --set-b light=-2 --games 300 --levels --doubts --seconds 1
compare         compare pig/classic --strategy hold_at --set-b target=50 --games 100 --adapt --generations 1
compare         compare grid.yaml --set-b light=-2 --games 300
compare         compare pig/classic --set-b target=50 --games 300 -o compared
luck            luck lantern/home --games 100
luck            luck pig/classic --games 100
decided         decided pig/classic --games 30
choices         choices lantern/home --games 200 --seconds 2
audit           audit lantern/home --games 60
sensitivity     sensitivity lantern/home --games 200 -o sensitivity
doubts          doubts grid.yaml --seconds 1
solve           solve lantern/home --target win_rate=50% --by light --games 1000 -o solved
solve           solve lantern/home --target win_rate=50% --target rounds=4..5 --by light --by way=9..12 --games 100
train           train pig/classic --strategy hold_at --generations 1 --games 50 -o player.yaml
train           train pig/classic --strategy hold_at --generations 1 --games 50 -o player.yaml
accept          accept mine.yaml grid.yaml --reason new --games 300
check           check mine.yaml grid.yaml nothing.yaml
check-plan      check mine.yaml grid.yaml --plan
check-game      check-game lantern --games 20 --only deal
history         history mine.yaml
history         history a.json
bisect          bisect mine.yaml --good HEAD~1 --games 200
play            play pig/classic --seed 1
fit             fit pig/classic plays.csv --games 60 -o fit.yaml
run-as          run pig/classic --as fit.yaml --games 640
compare-as      compare pig/classic --set-b target=50 --as fit.yaml --games 640
warm            warm pig
"""
LINES = [(line.split()[0], line.split()[1:]) for line in PLAYED.strip().splitlines()]
MINE = "game: lantern\ntitle: Mine\nexpect: {win_rate: 20% .. 80%}\n"
FILES = {
    "mine.yaml": MINE,
    "grid.yaml": "game: lantern\ntitle: Grid\nsweep: {setup.beast: [wolf, owl]}\nexpect: {order: wolf > owl}\n",
    "plays.csv": "won,rounds,date\n" + "yes,12,2026-01-01\nno,9,2026-01-02\n" * 5,
    "own.yaml": "game: lantern\n.source: rulebook\n.from: my copy\nlight: 12\n"}


def git(folder, *args):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=folder, check=True,
                   capture_output=True)


def strict(schema, required=True):
    """A schema that refuses what it does not name, and (unless required) misses nothing."""
    schema = copy.deepcopy(schema)
    if schema.get("allOf"):  # what an answer says of itself is held apart
        schema = {**schema["allOf"][1], "$defs": schema.get("$defs", {})}
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if "properties" in one and one.get("type") == "object" and "patternProperties" not in one:
                one["additionalProperties"] = False
                if not required:
                    one.pop("required", None)
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return schema


def held(name, data, *, required=True):
    """Hold data to a schema: to the one that is shipped, and, without what it says of itself, to its strict form."""
    schema = schemas.made(name)
    if required:
        jsonschema.validate(data, schema)
    bare = data if isinstance(data, list) or not schemas.FORMS[name].says else {
        key: value for key, value in data.items() if key not in ("hardmode", "schema")}
    jsonschema.validate(bare, strict(schema, required))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """What each command printed, in a folder where the files are that they wrote."""
    folder = tmp_path_factory.mktemp("played")
    here = os.getcwd()
    os.chdir(folder)
    try:
        with making.toy():
            yield folder, [(name, args, answered(folder, args)) for name, args in LINES]
    finally:
        os.chdir(here)


def answered(folder, args):
    for file, text in FILES.items():
        if not (folder / file).exists():
            (folder / file).write_text(text)
    if args[0] == "history" and not (folder / ".git").exists():
        git(folder, "init", "-q")
        for text in (MINE, f"{MINE}rules: {{light: -3}}\n"):
            (folder / "mine.yaml").write_text(text)
            git(folder, "add", "-A")
            git(folder, "commit", "-qm", "a change")
    done = CliRunner().invoke(app, [*args, "--json"])
    assert done.stdout, (args, done.exception, done.output)
    return json.loads(done.stdout)


def test_every_answer_is_as_its_schema_says(played):
    wrong = []
    for name, args, answer in played[1]:
        try:
            held(name, answer)
        except jsonschema.ValidationError as why:
            best = jsonschema.exceptions.best_match([why])
            wrong.append(f"{' '.join(args)}: {best.json_path}: {best.message[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.plain
def test_every_command_with_json_is_played_here_and_has_a_schema():
    commands = {c.name for c in app.registered_commands} - WITHOUT
    assert commands <= {name for name, _ in LINES} <= set(schemas.FORMS)


@pytest.mark.parametrize("name", sorted({name for name, _ in LINES}))
def test_an_answer_says_the_version_of_its_schema(name):
    form = schemas.FORMS[name]
    assert answers.said(name, {}) == ({"hardmode": name, "schema": form.version} if form.says else {})


def test_every_file_is_as_its_schema_says(played):
    folder = played[0]
    for line in [*gzip.open(folder / "a.json"), *(folder / "rows/rows.json").open()]:
        held("result", json.loads(line))
    held("result-whole", making.result(folder / "compared"))
    held("manifest", json.loads((folder / "compared/manifest.json").read_text()))
    for name in ("mine", "grid"):
        held("baseline", tomllib.loads((folder / f"baselines/{name}.baseline").read_text()))
    held("fit-file", YAML(typ="safe").load((folder / "fit.yaml").read_text()))
    held("player", YAML(typ="safe").load((folder / "player.yaml").read_text()))
    held("sensitivity", json.loads((folder / "sensitivity/sensitivity.json").read_text()))


@pytest.mark.plain
@pytest.mark.parametrize("name", schemas.FORMS)
def test_what_is_shipped_is_what_the_types_say(name):
    jsonschema.Draft202012Validator.check_schema(schemas.made(name))
    assert schemas.file_of(name).read_text() == schemas.text(name), "python -m hardmode.reports.json writes it anew"


@pytest.mark.plain
def test_nothing_else_lies_among_the_schemas():
    assert {p.name for p in schemas.HERE.glob("*.json")} == {schemas.file_of(name).name for name in schemas.FORMS}


# -- what stays readable --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted(KEPT.glob("result-*.json")), ids=lambda file: file.name)
def test_results_of_earlier_versions_are_read_and_played_again(file, tmp_path):
    head, *cells = [json.loads(line) for line in file.read_text().splitlines()]
    for part, name in ((head, "result-whole" if "cells" in head else "result"), *((cell, "result") for cell in cells)):
        held(name, part)
    done = CliRunner().invoke(app, ["reproduce", str(file), "--json"])
    assert json.loads(done.stdout)["reproduced"], done.output
    done = CliRunner().invoke(app, ["merge", str(file), "-o", str(tmp_path / "sum.json"), "--json"])
    assert json.loads(done.stdout)["games"] == 40


@pytest.mark.parametrize("file", sorted(KEPT.glob("*.baseline")), ids=lambda file: file.name)
@pytest.mark.plain
def test_baselines_of_earlier_versions_are_read(file):
    held("baseline", tomllib.loads(file.read_text()))
    assert baselines.read(file, "it").games == 20


@pytest.mark.parametrize("file", sorted(KEPT.glob("player-*.yaml")), ids=lambda file: file.name)
@pytest.mark.plain
def test_players_of_earlier_versions_are_read(file):
    made = player_file.read(file)
    assert made.weights and made.certificate and made.certificate.rate > made.certificate.start_rate


@pytest.mark.plain
def test_every_form_is_kept_as_it_was_first_shipped():
    """Whoever adds a form adds it here, too: `json.dumps` of what it is now, between the others."""
    assert set(SHIPPED) == set(schemas.FORMS)


@pytest.mark.plain
@pytest.mark.parametrize("name", SHIPPED)
def test_what_was_once_shipped_says_the_same_today(name):
    """A key may come; none goes, none may be missing that was always there, and none changes its type."""
    assert not list(lost(SHIPPED[name], schemas.made(name)))


def lost(was, now, at=""):
    """What a reader of the earlier schema would miss in the later one."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key, value in was.items():
            if isinstance(value, str) and key in ("description", "title", "$id"):
                continue
            if key not in now:
                yield f"{at}/{key} is gone"
            else:
                yield from lost(value, now[key], f"{at}/{key}")
    elif isinstance(was, list) and isinstance(now, list):
        if at.endswith("/required") or at.endswith("/enum"):
            yield from (f"{at}: {name} is gone" for name in was if name not in now)
        else:
            yield from (why for i, (a, b) in enumerate(zip(was, now, strict=False)) for why in lost(a, b, f"{at}/{i}"))
    elif was != now:
        yield f"{at}: {was} became {now}"


@pytest.mark.plain
def test_a_key_that_goes_is_noticed():
    was = schemas.made("compare")
    now = copy.deepcopy(was)
    del now["$defs"]["Compared"]["properties"]["settled"]
    now["$defs"]["Compared"]["required"].remove("settled")
    now["$defs"]["Flips"]["properties"]["gained"]["type"] = "string"
    assert len(list(lost(was, now))) == 3 and not list(lost(was, was))
