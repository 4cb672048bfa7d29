"""What others read has a schema: every answer of every command, every file, and files of earlier versions."""

import copy
import gzip
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.json import encoding, parts, schemas
from hardmode.strategies import player_file
from hardmode.studies.gate import baselines
from tests.reports.toy import making

KEPT = Path(__file__).parent / "kept"
ROOT = Path(__file__).parents[2]
SHIPPED = json.loads((KEPT / "forms.json").read_text())  # as they were when they were first shipped
WITHOUT = {"report", "new", "schema"}  # commands that print no JSON, or print a schema
UNSAID = {
    "$id",
    "$schema",
    "description",
    "title",
    "required",
    "type",
    "default",
    "items",
    "additionalProperties",
    "deprecated",
}  # of a schema, what is no promise, or said by its form

# What is played, in order, with what it needs: a name (that of a schema, then any), and the command line.
PLAYED = """
list            list
list            list pig
list            list lantern/grid --changed
list            list pig --weights --fields --options
run             run pig/classic --games 200 -o a.json --rows rows
run             run lantern/home --games 200
run             run lantern/grid --games 40 --box own.yaml
run             run pig/classic --games 200 --first-game 200 -o b.json
merge           merge a.json b.json -o ab.json
reproduce       reproduce a.json
replay          replay lantern/home
replay          replay lantern/home --odds --playouts 40
replay          replay pig/classic --odds --playouts 40
compare         compare mine.yaml --set-b light=-2 --games 300 --levels --uncertainty --seconds 1
compare         compare pig/classic --strategy hold_at --set-b target=50 --games 100 --adapt --generations 1
compare         compare grid.yaml --set-b light=-2 --games 300
compare         compare pig/classic --set-b target=50 --games 300 -o compared
luck            luck lantern/home --games 100
luck            luck pig/classic --games 100
bound           bound pig/classic --set target=20 --games 16
decided         decided pig/classic --games 30
choices         choices lantern/home --games 200 --seconds 2
audit           audit lantern/home --games 60
sensitivity     sensitivity lantern/home --games 200 -o sensitivity
doubts          uncertainty grid.yaml --seconds 1
solve           solve lantern/home --target win_rate=50% --by light --games 1000 -o solved
solve           solve lantern/home --target win_rate=50% --target rounds=4..5 --by light --by way=9..12 --games 100
train           train pig/classic --strategy hold_at --generations 1 --games 50 -o player.yaml
train           train pig/classic --strategy hold_at --generations 1 --games 50 -o player.yaml
accept          accept mine.yaml grid.yaml --reason new --games 300
check           check mine.yaml grid.yaml nothing.yaml
check-plan      check mine.yaml grid.yaml --plan
check-game      check-game lantern --games 20 --only deal
check-switches  check-game lantern --switches --games 20
history         history mine.yaml
history         history a.json
bisect          bisect mine.yaml --good HEAD~1 --games 200
play            play pig/classic --seed 1
fit             fit pig/classic plays.csv --games 60 -o fit.yaml
run-as          run pig/classic --fit fit.yaml --games 640
compare-as      compare pig/classic --set-b target=50 --fit fit.yaml --games 640
warm            precompile pig
"""
LINES = [(line.split()[0], line.split()[1:]) for line in PLAYED.strip().splitlines()]
MINE = "game: lantern\ntitle: Mine\nexpect: {win_rate: 20% .. 80%}\n"
FILES = {
    "mine.yaml": MINE,
    "grid.yaml": "game: lantern\ntitle: Grid\nsweep: {setup.beast: [wolf, owl]}\nexpect: {order: wolf > owl}\n",
    "plays.csv": "won,rounds,date\n" + "yes,12,2026-01-01\nno,9,2026-01-02\n" * 5,
    "own.yaml": "game: lantern\n.source: rulebook\n.from: my copy\nlight: 12\n",
}


def git(folder, *args):
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=folder, check=True, capture_output=True
    )


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
    schema = schemas.build_schema(name)
    if required:
        jsonschema.validate(data, schema)
    bare = (
        data
        if isinstance(data, list) or not schemas.FORMS[name].has_envelope
        else {key: value for key, value in data.items() if key not in ("hardmode", "schema")}
    )
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
    commands = {schemas.NEW_NAMES.get(c.name, c.name) for c in app.registered_commands} - WITHOUT
    assert commands <= {name for name, _ in LINES} <= set(schemas.FORMS)


@pytest.mark.parametrize("name", sorted({name for name, _ in LINES}))
def test_an_answer_says_the_version_of_its_schema(name):
    form = schemas.FORMS[name]
    assert encoding.encode_answer(name, {}) == ({"hardmode": name, "schema": form.version} if form.has_envelope else {})


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
def test_every_schema_is_a_schema(name):
    jsonschema.Draft202012Validator.check_schema(schemas.build_schema(name))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("scenario", "scenarios/scenario"),
        ("box", "scenarios/box"),
        ("own-box", "scenarios/own-box"),
        ("player", "strategies/player"),
    ],
)
def test_the_schemas_that_editors_use_are_what_the_models_say(name, file):
    """`python -m hardmode.scenarios.schema` and `python -m hardmode.strategies.player_file` write them again."""
    kept = json.loads((ROOT / f"{file}.schema.json").read_text())
    assert kept == schemas.FORMS[name].make_schema()


@pytest.mark.plain
def test_no_other_schema_is_kept():
    found = {
        p.relative_to(ROOT).as_posix()
        for room in ("reports", "scenarios", "strategies", "sim", "studies")
        for p in (ROOT / room).rglob("*.schema.json")
    }
    assert found == {
        "scenarios/scenario.schema.json",
        "scenarios/box.schema.json",
        "scenarios/own-box.schema.json",
        "strategies/player.schema.json",
    }


@pytest.mark.plain
def test_a_schema_is_printed_or_written(tmp_path):
    done = CliRunner().invoke(app, ["schema", "uncertainty"])
    assert json.loads(done.stdout) == schemas.build_schema("doubts")
    done = CliRunner().invoke(app, ["schema", "compare", "-o", str(tmp_path / "compare.json")])
    assert not done.stdout and json.loads((tmp_path / "compare.json").read_text()) == schemas.build_schema("compare")
    assert "there is no" not in done.output
    listed = CliRunner().invoke(app, ["schema"]).stdout
    assert [line.split()[0] for line in listed.splitlines()] == list(schemas.FORMS)
    assert CliRunner().invoke(app, ["schema", "nothing"]).exit_code == 2


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
    assert baselines.read_baseline(file, "it").games == 20


@pytest.mark.parametrize("file", sorted(KEPT.glob("player-*.yaml")), ids=lambda file: file.name)
@pytest.mark.plain
def test_players_of_earlier_versions_are_read(file):
    made = player_file.read_player_file(file)
    assert made.weights and made.certificate and made.certificate.rate > made.certificate.start_rate


@pytest.mark.plain
def test_every_form_is_kept_as_it_was_first_shipped():
    """A form that is new is added to the file: a line with the JSON of `form_of` what it is now."""
    assert set(SHIPPED) == set(schemas.FORMS)


@pytest.mark.plain
@pytest.mark.parametrize("name", SHIPPED)
def test_what_was_once_shipped_says_the_same_today(name):
    """A key may come; none goes, none may be missing that was always there, and none changes its kind."""
    assert not list(lost(SHIPPED[name], form_of(schemas.build_schema(name))))


def form_of(schema, defs=None, within=()):
    """A schema in short: an object by its keys (`!`: never missing), a list by its items, a value by its kind."""
    defs = schema.get("$defs", {}) if defs is None else defs
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"^{len(within) - within.index(name)}" if name in within else form_of(defs[name], defs, (*within, name))
    for kind in ("allOf", "anyOf", "oneOf"):
        if kind in schema:
            forms = [form_of(inner, defs, within) for inner in schema[kind]]
            return "|".join(forms) if all(isinstance(form, str) for form in forms) else {kind: forms}
    if "prefixItems" in schema:
        return [form_of(inner, defs, within) for inner in schema["prefixItems"]]
    if "items" in schema:
        return [form_of(schema["items"], defs, within), *said(schema)]
    parts = {
        f"{key}{'!' * (key in schema.get('required', ()))}": form_of(inner, defs, within)
        for key, inner in schema.get("properties", {}).items()
    }
    parts |= {f"~{key}": form_of(inner, defs, within) for key, inner in schema.get("patternProperties", {}).items()}
    if isinstance(schema.get("additionalProperties"), dict):
        parts["*"] = form_of(schema["additionalProperties"], defs, within)
    kind = schema.get("type", "any")
    return parts or " ".join(["|".join(kind) if isinstance(kind, list) else kind, *said(schema)])


def said(schema):
    """What is said of a value or a list besides its kind."""
    return [
        f"{key}={json.dumps(value)}"
        for key, value in sorted(schema.items())
        if key not in UNSAID and not isinstance(value, dict)
    ]


def lost(was, now, at=""):
    """What a reader of the earlier form would miss in the later one: a key, its kind, or that it is always there."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key, value in was.items():
            later = now.get(key, now.get(f"{key}!"))
            yield from lost(value, later, f"{at}.{key}") if later is not None else [f"{at}.{key} is gone"]
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for i, (before, after) in enumerate(zip(was, now, strict=True)):
            yield from lost(before, after, f"{at}[{i}]")
    elif was != now and not (isinstance(was, str) and isinstance(now, str) and more_words(was, now)):
        yield f"{at}: {was} became {now}"


def more_words(was, now):
    """Whether a value may be all that it could be before, and further words."""
    (kind, _, few), (other, _, many) = was.partition("enum="), now.partition("enum=")
    return bool(few) and kind == other and set(json.loads(few)) <= set(json.loads(many))


@pytest.mark.plain
def test_a_key_that_goes_is_noticed():
    schema = schemas.build_schema("compare")
    was = form_of(schema)
    del schema["$defs"]["CompareAnswer"]["properties"]["settled"]
    schema["$defs"]["CompareAnswer"]["required"].remove("seed")
    schema["$defs"]["FlipCounts"]["properties"]["gained"]["type"] = "string"
    assert len(list(lost(was, form_of(schema)))) == 3 * 2, "an answer has two forms: of one cell, and of a grid"
    assert not list(lost(was, was))


@pytest.mark.plain
def test_an_answer_needs_no_more_than_what_is_asked_for():
    """What prints a table does not load the records of answers."""
    code = (
        "import sys, hardmode.cli, hardmode.reports.console.run, hardmode.reports.workbook;"
        "print([name for name in sys.modules if name.startswith('hardmode.reports.json')])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


@pytest.mark.plain
def test_open_ends_and_what_is_left_out():
    answer = parts.OverlayBox(file="a", numbers=1, digest="b")
    assert encoding.to_plain_data(answer) == {"file": "a", "numbers": 1, "digest": "b"}
    interval = parts.ValueInterval(float("nan"), float("-inf"), 1.0)
    assert encoding.to_plain_data({"a": [interval]}) == {"a": [{"value": None, "low": None, "high": 1.0}]}
    assert [parts.get_key(name) for name in ("from_", "percentile_5", "is_", "games")] == ["from", "5", "is", "games"]
