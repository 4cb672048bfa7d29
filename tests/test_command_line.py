"""How commands introduce themselves: help in plain words, completion, what is compiled, and a fork that is refused."""

import os
import re
import subprocess
import sys

import pytest
from playing import python

from hardmode import cli
from tests.test_commands import hardmode

COMMANDS = [command.name for command in cli.app.registered_commands]


@pytest.mark.plain
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_says_nothing_of_the_types_of_python(command):
    said = hardmode(*filter(None, [command]), "--help")
    assert said.code == 0 and "--help" in said.out
    assert not re.findall(r"<\w+( range)?>|x>=|<=x", said.out)


@pytest.mark.plain
def test_a_shell_is_offered_scenarios():
    done = subprocess.run([sys.executable, "-c", "from hardmode import cli; cli.app(prog_name='hardmode')"], text=True,
                          capture_output=True, env={**os.environ, "_HARDMODE_COMPLETE": "complete_bash",
                                                    "COMP_WORDS": "hardmode run pig/", "COMP_CWORD": "2"})
    assert done.stdout.split() == ["pig/classic"]


@pytest.mark.plain
def test_help_names_what_a_scenario_sweeps(tmp_path):
    (tmp_path / "mine.yaml").write_text("game: pig\nsweep: {target: [50, 70]}\nstrategies: [steady]\n")
    said = hardmode("run", "mine.yaml", "--help", folder=tmp_path).out
    assert "mine.yaml sweeps these" in said and re.search(r"target +│ 50, 70 +│ who has this many points wins", said)
    assert hardmode("run", "pig/classic", "-h").out.rstrip().endswith("pig/classic sweeps nothing")
    assert "sweeps" not in hardmode("run", "no/such", "--help").out


@pytest.mark.plain
@pytest.mark.parametrize("command, option", [
    (["report", "pig/classic"], "--out"), (["run", "pig/classic"], "--out"), (["run", "pig/classic"], "--rows"),
    (["run", "pig/classic"], "--xlsx"), (["audit", "pig/classic"], "-o"), (["train", "pig/classic"], "-o"),
    (["solve", "pig/classic", "--target", "50%", "--by", "target"], "--out"),
    (["new", "box", "pig"], "-o"), (["merge", "a.json"], "--out")])
@pytest.mark.parametrize("path, said", [
    ("target=9..1", "looks like PATH=VALUE and not like a file"),
    ("boss.hp=+1", "looks like PATH=VALUE and not like a file"),
    ("boss.*.hp[2]=3", "looks like PATH=VALUE and not like a file"),
    ("--json", "is an option and no file"),
    ("~/out", "the shell has not replaced ~"),
    ("=out", "begins with =")])
def test_a_path_that_looks_like_something_else_is_refused(tmp_path, command, option, path, said):
    answer = hardmode(*command, option, path, folder=tmp_path)
    text = " ".join(re.sub("[│╭╮╰╯─]", " ", answer.err).split())
    assert answer.code == 2 and said in text and not list(tmp_path.iterdir())


@pytest.mark.plain
def test_any_name_can_be_written_with_its_folder_or_if_it_is_there(tmp_path):
    assert hardmode("new", "box", "pig", "-o", "./target=9", folder=tmp_path).code == 0
    assert hardmode("new", "box", "pig", "-o", "target=9", folder=tmp_path).code == 2  # it is there, and kept
    assert hardmode("schema", "run", "-o", "deep=3/x", folder=tmp_path).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["target=9"]


@pytest.mark.plain
def test_a_grid_of_which_one_cell_is_told_names_what_is_swept():
    said = hardmode("replay", "run_run_run/players")
    assert "a grid of" in said.err and "over setup.players; only the first cell is used, 1 player" in said.err


def test_what_is_compiled_is_said_in_a_pipe_with_how_long_it_took_and_warm_compiles_ahead(tmp_path):
    env = {**os.environ, "HARDMODE_CACHE": str(tmp_path)}
    said = hardmode("run", "pig/classic", "--games", 20, env=env)
    told = r"(compiling pig (play|decide) \(once, about \d s on an idle core\)\n){2}compiled \d+ parts in \d+\.\d s\n"
    assert re.fullmatch(told, said.err)
    assert "compil" not in said.out and hardmode("run", "pig/classic", "--games", 20, env=env).err == ""
    warm = hardmode("warm", "pig", env=env)
    done = rf"pig: \d+ parts were compiled in [\d.]+ s of work\nthe compiled code is in {tmp_path}\n"
    assert re.fullmatch(done, warm.out)
    again = hardmode("warm", "pig", env=env)
    assert again.out.startswith("pig: everything was already compiled\n") and again.err == ""
    assert hardmode("run", "pig/classic", "--games", 20, "--strategy", "beginner", env=env).err == ""
    assert hardmode("replay", "pig/classic", "--odds", "--playouts", 40, env=env).err == ""


@pytest.mark.plain
def test_warm_knows_its_games():
    assert hardmode("warm", "pag").line == "error: there is no game 'pag'; did you mean pig?"


@pytest.mark.plain
def test_a_fork_of_a_process_that_has_played_is_refused_and_does_not_hang():
    told = python("""
        import hardmode, multiprocessing

        def play(answer):
            try:
                answer.put(hardmode.play("pig/classic", games=10).__len__())
            except Exception as why:
                answer.put(f"{type(why).__name__}: {why}")

        hardmode.play("pig/classic", games=10)
        context = multiprocessing.get_context("fork")
        answer = context.Queue()
        context.Process(target=play, args=(answer,), daemon=True).start()
        print(answer.get(timeout=800))
    """).stdout
    assert told.startswith("ForkedProcessError: this process was forked from one that had already played")
