"""Whatever is asked of the command line, it answers or says in a line or two why not; it neither raises nor hangs.

`corpus/` holds what went wrong once: files, and command lines in `flags.txt`. Whoever finds more adds it there.
"""

import contextlib
import os
import shlex
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardmode import cli
from hardmode.reports.exit_codes import run_command

CORPUS = Path(__file__).with_name("corpus")
NAMES = {"d": "9" * 5000, "l": "n" * 300, "c": str(CORPUS)}
LINES = [line for line in (CORPUS / "flags.txt").read_text().splitlines() if line and not line.startswith("#")]
FEW = 14  # lines on stderr: a message, in a box with how to call where a flag is at fault

few = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def asked(*words):
    """What a command ends with: its exit code, stdout and stderr."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
    before, sys.argv, sys.stdin = (sys.argv, sys.stdin), ["hardmode", *words], StringIO()
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.argv, sys.stdin = before
    return code, *(pipe.buffer.getvalue().decode() for pipe in (out, err))


def answers(*words):
    code, out, err = asked(*words)
    assert code in (0, 1, 2, 3), (words, code, err)
    assert "Traceback" not in err and "Exceeds the limit" not in err, err
    assert err.count("\n") <= FEW and len(err) < 4_000, err[:4_000]
    assert not any(sign in out + err for sign in ("\x1b", "\a", "\b", "\r", "\u202e")), (out, err)
    assert code or "error" not in err
    return code, out, err


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:60])
def test_a_line_that_went_wrong_once(line):
    answers(*(word.format(**NAMES) for word in shlex.split(line)))


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.yaml")), ids=lambda file: file.stem)
def test_a_scenario_that_went_wrong_once(file):
    answers("run", str(file), "--games", "5")
    answers("check", str(file))


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.py")), ids=lambda file: file.stem)
def test_a_strategy_that_went_wrong_once(file):
    code, _, err = answers("run", "pig/classic", "--games", "5", "--strategy", f"{file}:mine")
    assert code == 2 and err.count("\n") == 1 and file.name in err


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.json")), ids=lambda file: file.stem)
def test_a_result_that_went_wrong_once(file):
    code, _, err = answers("reproduce", str(file))
    assert code == 2 and err.count("\n") == 1 and file.name in err


def test_what_is_no_file_to_read():
    Path("loop.yaml").symlink_to("loop.yaml")
    Path("zero.yaml").symlink_to("/dev/zero")
    Path("folder.yaml").mkdir()
    os.mkfifo("pipe.yaml")
    with Path("huge.yaml").open("wb") as file:
        file.truncate(50_000_000)
    for name in ("loop", "zero", "folder", "pipe", "huge"):
        for command in (("run",), ("check",), ("reproduce",), ("accept", "--reason", "x")):
            code, _, _ = answers(*command, f"{name}.yaml")
            assert code == 2, (command, name)
    for name, said in (("zero", "not an ordinary file"), ("pipe", "not an ordinary file"), ("huge", "too large")):
        assert said in asked("run", f"{name}.yaml")[2]


@pytest.mark.parametrize(("players", "said"), [("-1", "is -1; it must be one of 1, 2"), ("0", "one of 1, 2"),
                                               ("7", "one of 1, 2"), ("two", "not a whole number")])
def test_players_are_as_many_as_can_play(players, said):
    code, _, err = answers("run", "pig/classic", "--games", "5", "--players", players)
    assert code == 2 and said in err


@pytest.mark.parametrize("words", [
    ("run", "odd.yaml", "--games", "5"), ("run", "odd.yaml", "--games", "5", "--json"), ("replay", "odd.yaml"),
    ("replay", "odd.yaml", "--json"), ("compare", "odd.yaml", "--games", "20"),
    ("compare", "odd.yaml", "--games", "20", "--json"), ("report", "odd.yaml", "--games", "20", "-o", "page"),
    ("accept", "odd.yaml", "--reason", "x", "--games", "20"), ("check", "odd.yaml"), ("check", "odd.yaml", "--json")])
def test_an_implausible_number_is_played_with_a_note(words):
    Path("odd.yaml").write_text("game: pig\nrules: {target: 30}\nexpect: {rounds: '> 0'}\n")
    if words[0] == "check":
        asked("accept", "odd.yaml", "--reason", "x", "--games", "20")
    code, out, err = answers(*words)
    said = "note: odd.yaml:2: target is 30, outside its plausible range 50 to 200"
    assert code == 0 and err.count(said) == 1 and said not in out


def test_a_title_is_shown_and_does_not_act():
    _, out, _ = answers("run", str(CORPUS / "control-codes.yaml"), "--games", "5")
    assert r"red \x1b[31m alarm" in out
    _, out, _ = answers("run", str(CORPUS / "two-lines.yaml"), "--games", "5")
    assert "Pig: first second, played by steady\n" in out


WORDS = st.sampled_from([
    "inf", "nan", "-1", "0", "1e999", "9" * 5000, "", "%", "5%%", "3_", "x2", "+1", "=", "=-1", "[", "]", "{a: 1}",
    "\x1b[31m", "\ud800", "a" * 300, "~nobody/x.yaml", "é", "search:0", "search:2", "2", "mine.py:x", "/dev/null", "..",
    "pig/classic", "pig", "1__0", "1e-400", "true", "20", "1e18", "120%", "/", "*", "a\nb", "target", "target=[1,2]",
    "rounds=nan", "seat 1", "HEAD", "mine.yaml", "page.svg"])
FORMS = st.sampled_from([
    "{}", "'{}'", '"{}"', "[{}]", "{{target: {}}}", "{{name: steady, weights: {{threshold: {}}}}}"])
FLAGS = st.sampled_from(["--games", "--until", "--first", "--seed", "--set", "--strategy", "--players", "--threads",
                         "--confidence", "--json", "--nonsense"])


@few
@given(st.lists(st.tuples(FLAGS, WORDS), min_size=1, max_size=3))
def test_flags_of_run(flags):
    answers("run", "pig/classic", "--games", "5", *(f"{flag}={word}" for flag, word in flags))


@few
@given(st.sampled_from(["run", "replay", "compare", "check", "merge", "reproduce", "list"]), WORDS, WORDS)
def test_words_of_commands(command, first, second):
    more = ["--games", "5"] if command in ("run", "compare") else []
    answers(command, *more, "--", first, *([second] if command != "run" else []))


@few
@given(st.sampled_from(["title", "description", "players", "rules", "strategies", "sweep", "expect", "seed", "games"]),
       FORMS, WORDS)
def test_values_of_keys(key, form, word):
    text = f"game: pig\n{key}: {form.format(word)}\n"
    Path("mine.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    answers("run", "mine.yaml", *([] if key == "games" and word in ("2", "20") else ["--games", "5"]))


SMALL = {  # how little a command can be asked for, where that is more than a few games of Pig
    "report": "report pig/classic --games 5 --seconds 1 -o page",
    "compare": "compare pig/classic --set-b target=90 --games 20 --seconds 1 --generations 1",
    "solve": "solve pig/classic --target rounds=20 --by target --seconds 1 --games 50",
    "train": "train pig/classic --strategy steady --seconds 1 --generations 1 --games 20 -o player.yaml",
    "check": "check mine.yaml --games 20",
    "accept": "accept mine.yaml --reason x --games 20",
    "check-game": "check-game pig --games 20 --only declared",
    "history": "history pig/classic",
    "bisect": "bisect pig/classic --good HEAD --bad HEAD --games 20",
    "list": "list pig",
    "new": "new scenario pig",
    "merge": "merge none.json -o sum.json",
    "reproduce": "reproduce none.json",
    "warm": "warm pig",
}
LONG = {"--seconds": ("2", "20"), "--generations": ("20",), "--all-shipped": (), "--levels": (), "--adapt": ()}
COMMANDS = typer.main.get_command(cli.app).commands


def flags_of(command):
    """The flags of a command, without those that ask for much."""
    return sorted({p.opts[0] for p in COMMANDS[command].params if p.opts[0].startswith("-")} - {"--help"}
                  - {flag for flag, few_words in LONG.items() if not few_words})


def little(command):
    """The least that a command can be asked."""
    few = [word for flag, n in (("--games", "20"), ("--seconds", "1")) if flag in flags_of(command)
           for word in (flag, n)]
    return SMALL[command].split() if command in SMALL else [command, "pig/classic", *few]


@pytest.mark.parametrize("command", COMMANDS)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_a_command_is_told(command, data):
    Path("mine.yaml").write_text("game: pig\nexpect: {rounds: '> 0'}\n")
    more = []
    for _ in range(data.draw(st.integers(1, 2))):
        flag = data.draw(st.sampled_from(["", *flags_of(command)]))
        word = data.draw(WORDS)
        if word not in LONG.get(flag, ()):
            more += [flag, word] if flag else [word]
    answers(*little(command), *more)


def test_who_interrupts_is_told_so_in_a_line(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    assert run_command(interrupted) == 130
    assert capsys.readouterr().err == "interrupted\n"
