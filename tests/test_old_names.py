"""Old names of commands and options still work, and the help shows only the new ones."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hardmode
from hardmode.cli import app
from hardmode.reports.cli_types import OLD_COMMANDS, OLD_OPTIONS

RUN = ("run", "pig/classic", "--games", "40")
SIDES = ("compare", "pig/classic", "--set-b", "target=50", "--games", "100", "--seconds", "1")
PAIRS = [  # the old words, and the new ones
    ((*RUN, "--slips", "20%"), (*RUN, "--mistakes", "20%")),
    ((*RUN, "--slips=20%:random"), (*RUN, "--mistakes=20%:random")),
    ((*RUN, "--first", "10"), (*RUN, "--first-game", "10")),
    ((*RUN, "--until", "20%"), (*RUN, "--precision", "20%")),
    ((*RUN, "--on", "local:nothing"), (*RUN, "--cluster", "local:nothing")),
    ((*RUN, "--as", "no.yaml"), (*RUN, "--fit", "no.yaml")),
    ((*SIDES, "--slips-b", "40%"), (*SIDES, "--mistakes-b", "40%")),
    ((*SIDES, "--keep", "no.yaml"), (*SIDES, "--players-dir", "no.yaml")),
    ((*SIDES, "--doubts"), (*SIDES, "--uncertainty")),
    (("doubts", "pig/classic", "--seconds", "1"), ("uncertainty", "pig/classic", "--seconds", "1")),
    (("warm", "pig"), ("precompile", "pig")),
]


def said(words):
    done = CliRunner().invoke(app, [*words, "--json"])
    answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return (
        done.exit_code,
        repr(done.exception),
        {name: answer[name] for name in answer if name not in ("seconds", "games", "games_per_second")},
    )


@pytest.mark.parametrize(("old", "new"), PAIRS, ids=lambda words: " ".join(words))
def test_the_old_words_do_what_the_new_ones_do(old, new, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "no.yaml").write_text("nothing: 1\n")
    before, after = said(old), said(new)
    assert before[:2] == after[:2] and list(before[2]) == list(after[2])
    if "--seconds" not in old:
        assert before == after


@pytest.mark.plain
def test_every_old_name_is_tried():
    tried = {word.partition("=")[0] for old, _ in PAIRS for word in old}
    assert set(OLD_OPTIONS) | set(OLD_COMMANDS) <= tried


@pytest.mark.plain
def test_the_help_shows_new_names_alone():
    commands = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout.split()
    assert not set(OLD_COMMANDS) & set(commands) and set(OLD_COMMANDS.values()) <= set(commands)
    for command in app.registered_commands:
        shown = CliRunner().invoke(app, [command.name, "--help"], env={"COLUMNS": "200"}).stdout.split()
        old = {name for name in OLD_OPTIONS if name in shown}
        assert old <= ({"--keep"} if command.name == "solve" else set()), command.name
        assert "Example:" in shown, command.name


@pytest.mark.plain
def test_an_option_that_has_an_old_name_for_its_own_is_left_alone():
    """`solve --keep` is what must hold as well, and no folder of players."""
    done = CliRunner().invoke(
        app, ["solve", "pig/classic", "--target", "win_rate=50%", "--by", "target", "--keep", "no"]
    )
    assert done.exit_code and "--players-dir" not in repr(done.exception) + done.output


@pytest.mark.plain
def test_old_names_in_python():
    cell = hardmode.load("pig/classic", slips=["20%"]).cells[0]
    assert [str(s) for s in cell.strategies] == [
        str(s) for s in hardmode.load("pig/classic", mistakes=["20%"]).cells[0].strategies
    ]
    old, new = hardmode.Effort(first=3, until=0.01), hardmode.Effort(first_game=3, precision=0.01)
    assert (old.first_game, old.precision) == (new.first_game, new.precision)
    assert callable(hardmode.on) and Path(hardmode.__file__).name == "__init__.py"
