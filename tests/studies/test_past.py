"""Looking back over the commits of a repository: what they held, and which of them moved a win rate."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.exit_codes import INCONCLUSIVE
from hardmode.studies.history import commit_player
from hardmode.studies.history.bisect import (
    AS_GOOD,
    MOVED,
    SKIPPED,
    UNDECIDED,
    BisectConfig,
    BisectSearch,
    CommitVerdict,
    bisect_commits,
)
from hardmode.studies.history.history import load_history
from hardmode.studies.history.repository import Commit, RepositoryError

PIG = Path(__file__).parents[2] / "examples" / "pig"
PLAIN = "game: pig\ntitle: Mine\nstrategies: [steady, steady]\n"
DOZES = PLAIN.replace("steady]", "random]")


def git(folder, *words):
    names = {f"GIT_{who}_{what}": "somebody@there" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True,
                          env={**os.environ, **names}).stdout


def commit(folder, text, subject):
    (folder / "mine.yaml").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", subject)
    return git(folder, "rev-parse", "HEAD").strip()


def hardmode(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A project whose sixth commit of eight makes the second player doze, after one that cannot be read."""
    shutil.copytree(PIG, tmp_path / "games" / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    git(tmp_path, "init", "-q")
    monkeypatch.chdir(tmp_path)
    texts = [*(f"{PLAIN}# {i}\n" for i in range(4)), "nonsense: [", *(f"{DOZES}# {i}\n" for i in range(3))]
    return tmp_path, [commit(tmp_path, text, f"state {i}") for i, text in enumerate(texts)]


def test_the_commit_that_moved_it_is_found(home):
    _, ids = home
    found = bisect_commits("mine.yaml", ids[0], "HEAD", BisectConfig(games=400, seed=3))
    words = {step.commit.id: step.verdict for step in found.steps}
    assert words[ids[7]] == MOVED and words[ids[3]] == AS_GOOD
    assert words[ids[4]] == SKIPPED and found.culprit is None  # it or the next may have done it
    assert [c.id for c in found.suspects] == ids[4:6]
    assert git(".", "worktree", "list").count("\n") == 1 and not git(".", "status", "--short")


def test_what_was_played_is_not_played_again(home, monkeypatch):
    _, ids = home
    asked = BisectConfig(games=400, seed=4)
    first = bisect_commits("mine.yaml", ids[0], ids[3], asked)
    monkeypatch.setattr(commit_player.CommitPlayer, "_play_in_checkout", lambda *_: pytest.fail("played again"))
    again = bisect_commits("mine.yaml", ids[0], ids[3], asked)
    assert [s.verdict for s in first.steps] == [s.verdict for s in again.steps] and not again.has_moved


def test_the_command_tells_what_was_found(home):
    folder, ids = home
    done = hardmode("bisect", "mine.yaml", "--good", ids[5], "--games", 400, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == INCONCLUSIVE and told["found"] is None and not told["moved"]
    better = commit(folder, DOZES.replace("steady", "random"), "state 8")
    done = hardmode("bisect", "mine.yaml", "--good", ids[6], "--games", 400, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["found"]["commit"] == better and told["found"]["subject"] == "state 8"
    [step] = [s for s in told["steps"] if s["commit"] == better]
    assert step["word"] == MOVED and step["low"] <= step["difference"] <= step["high"] < 0 and step["seat"] == 1
    assert step["now"] == pytest.approx(step["was"] + step["difference"])


@pytest.mark.parametrize("good, bad, words", [
    ("nonsense", "HEAD", "'nonsense' names no commit"), ("HEAD", "HEAD", "are the same commit"),
    ("--all", "HEAD", "'--all' names no commit"), ("HEAD", "HEAD~1", "is not an earlier state of"),
    ("HEAD~3", "HEAD", "the good commit cannot play mine.yaml: (?!error)")])
def test_wrong_usage_is_told_in_a_line(home, good, bad, words):
    with pytest.raises(RepositoryError, match=words):
        bisect_commits("mine.yaml", good, bad, BisectConfig(games=100))


def test_outside_a_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(PLAIN)
    for command in (["history"], ["bisect", "--good", "HEAD"]):
        done = hardmode(command[0], "mine.yaml", *command[1:])
        assert done.exit_code and "not in a git repository" in str(done.exception)


def test_a_search_asks_neighbours_of_what_could_not_be_judged():
    line = [Commit(str(i), "", "") for i in range(8)]
    search = BisectSearch("s", Commit("good", "", ""), line, [CommitVerdict(line[7], MOVED)], first_bad=7)
    assert search.choose_next() == 3
    search.steps += [CommitVerdict(line[3], SKIPPED), CommitVerdict(line[2], UNDECIDED)]
    assert search.choose_next() == 4
    search.steps.append(CommitVerdict(line[4], AS_GOOD))
    search.last_good = 4
    assert search.choose_next() in (5, 6) and search.culprit is None
    search.last_good = 6
    assert search.culprit == line[7] and search.suspects == [line[7]] and search.choose_next() is None


def test_the_past_of_a_baseline(home):
    folder, _ = home
    for sides, reason in ((6, "as printed"), (20, "a larger die")):
        text = f"{PLAIN}rules: {{die.sides: {sides}}}\n"
        (folder / "mine.yaml").write_text(text)
        assert hardmode("accept", "mine.yaml", "--reason", reason, "--games", 300).exit_code == 0
        commit(folder, text, reason)
    (folder / "baselines" / "mine.baseline").write_text("# What was accepted of nothing\n")
    commit(folder, text, "damaged")
    [past] = load_history(["mine.yaml"])
    first, second = ([h for h in past.entries if h.reason == r] for r in ("as printed", "a larger die"))
    assert [h.seat for h in first] == [h.seat for h in second] == [0, 1] and first[0].rate.n == 300
    assert sum(h.rate.value for h in first) == pytest.approx(1) and first[0].plays == ("steady", "steady")
    assert [c.subject for c, _ in past.unreadable] == ["damaged"]
    told = json.loads(hardmode("history", "mine.yaml", "-o", "h.svg", "--json").stdout)
    assert [h["reason"] for h in told["scenarios"][0]["held"]] == ["as printed"] * 2 + ["a larger die"] * 2
    assert "<svg" in (folder / "h.svg").read_text() and hardmode("history", "mine.yaml", "-o", "h.svg").exit_code == 0
    (folder / "own.svg").write_text("<svg></svg>")
    assert "left alone" in str(hardmode("history", "mine.yaml", "-o", "own.svg").exception)


def test_the_past_of_a_result(home):
    folder, _ = home
    assert hardmode("run", "pig/classic", "--games", 200, "-o", "night.json").exit_code == 0
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a night's work")
    [past] = load_history(["night.json"])
    assert {h.reason for h in past.entries} == {"a night's work"} and {h.rate.n for h in past.entries} == {200}
    assert sum(h.rate.value for h in past.entries) == pytest.approx(1)
