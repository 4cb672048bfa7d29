"""The image, the action, the hooks and the notebook work, as far as that can be seen without their services."""

import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from playing import answer
from ruamel.yaml import YAML
from test_installed import ROOT, build_wheel, list_source_files
from typer.main import get_command

from hardmode.cli import app

DOCKERFILE = ROOT / "Dockerfile"
ACTION = ROOT / "action.yml"
WORKFLOW = ROOT / "docs" / "workflow.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def load(path):
    return YAML(typ="safe").load(path.read_text())


@pytest.mark.plain
@pytest.mark.parametrize("path", [DOCKERFILE, ACTION, WORKFLOW, HOOKS], ids=lambda path: path.name)
def test_no_file_names_a_host(path):
    code = "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("#"))
    assert not re.search(r"://|\b[\w-]+\.(io|com|org|net|dev)\b|localhost", code)


# The image

def read_dockerfile():
    """Return the instructions of the Dockerfile as pairs of keyword and arguments."""
    text = re.sub(r"\\\n", " ", DOCKERFILE.read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple(line.split(None, 1)) for line in lines]


def list_docker_context():
    """Return the source files that .dockerignore lets into the context, by its patterns in order."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text().split("\n") if line and line[0] != "#"]
    kept = []
    for name in list_source_files():
        is_ignored = False
        for pattern in patterns:
            bare = pattern.lstrip("!").removeprefix("**/")
            parts = Path(name).parts
            tried = parts if "**/" in pattern else parts[:1]
            if any(fnmatch.fnmatch(part, bare) for part in tried):
                is_ignored = pattern[0] != "!"
        if not is_ignored:
            kept.append(name)
    return kept


@pytest.mark.plain
def test_the_image_is_built_from_a_slim_python_by_its_plain_name():
    bases = [rest.split()[0] for word, rest in read_dockerfile() if word == "FROM"]
    assert bases and all(re.fullmatch(r"python:3\.\d+-slim", base) for base in bases)
    words = {word for word, _ in read_dockerfile()}
    assert words <= {"FROM", "ARG", "ENV", "RUN", "COPY", "WORKDIR", "USER", "ENTRYPOINT", "CMD"}


@pytest.mark.plain
def test_the_image_installs_what_the_lock_holds_and_copies_what_exists():
    installs = [rest for word, rest in read_dockerfile() if word == "RUN" and "pip install" in rest]
    assert [("--require-hashes -r requirements.lock" in rest, "--no-deps" in rest) for rest in installs] == [
        (True, False), (False, True)]
    copied = [shlex.split(rest)[:-1] for word, rest in read_dockerfile() if word == "COPY" and "--from" not in rest]
    context = list_docker_context()
    assert copied == [["requirements.lock"], ["."]] and "requirements.lock" in context


@pytest.mark.plain
def test_games_are_compiled_and_played_by_a_user():
    steps = read_dockerfile()
    user = steps.index(("USER", "designer"))
    assert user < steps.index(("RUN", "hardmode precompile")) and "precompile" in get_command(app).commands
    assert any("useradd" in rest and "designer" in rest for word, rest in steps[:user] if word == "RUN")
    entry = [json.loads(rest) for word, rest in steps[user:] if word == "ENTRYPOINT"]
    assert entry == [["hardmode"]] and "USER" not in [word for word, _ in steps[user + 1:]]


def test_the_context_of_the_image_builds_the_same_package(tmp_path):
    whole = build_wheel(tmp_path / "whole", list_source_files())
    context = build_wheel(tmp_path / "context", list_docker_context())
    names = [set(zipfile.ZipFile(made).namelist()) for made in (whole, context)]
    assert names[0] == names[1]
    assert not {"tests", "docs", "examples"} & {Path(name).parts[0] for name in list_docker_context()}


# The action

def check_step(name):
    [step] = [step for step in load(ACTION)["runs"]["steps"] if step.get("name") == name]
    return step


@pytest.fixture
def runner(tmp_path):
    """A runner whose `gh` notes what it is called with; `bash` runs a step of the action on it."""
    (tmp_path / "bin").mkdir()
    gh = tmp_path / "bin" / "gh"
    gh.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$CALLS"\ncase "$*" in *--paginate*) printf "%s" "$OLD";; '
                  '*) exit "$GH_EXIT";; esac\n')
    gh.chmod(0o755)
    command = tmp_path / "hardmode" / "bin" / "hardmode"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m hardmode "$@"\n')
    command.chmod(0o755)

    def run_step(name, **env):
        settings = {
            "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "page.md"), "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_REPOSITORY": "me/mine", "CALLS": str(tmp_path / "calls"), "OLD": "", "GH_EXIT": "0", **env}
        return subprocess.run(["bash", "-eo", "pipefail", "-c", check_step(name)["run"]], cwd=tmp_path, text=True,
                              env={**os.environ, **settings}, capture_output=True, timeout=900)

    return run_step


@pytest.mark.plain
def test_the_action_is_a_sound_composite_action():
    action = load(ACTION)
    assert {"name", "description", "inputs", "outputs", "runs"} == set(action)
    assert action["runs"]["using"] == "composite"
    assert all(set(told) <= {"description", "default", "required"} and told["description"]
               for told in action["inputs"].values())
    text = ACTION.read_text()
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) == ids
    for step in action["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        if "run" in step:
            assert step["shell"] == "bash" and "${{" not in step["run"]  # values come as variables, not as code
            assert subprocess.run(["bash", "-n", "-c", step["run"]]).returncode == 0
        else:
            assert re.fullmatch(r"actions/(setup-python|cache)@v\d+", step["uses"])


@pytest.mark.plain
def test_the_workflow_uses_inputs_and_outputs_of_the_action():
    workflow, action = load(WORKFLOW), load(ACTION)
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}
    [job] = workflow["jobs"].values()
    [step] = [step for step in job["steps"] if "hardmode" in step["uses"]]
    assert set(step["with"]) <= set(action["inputs"])
    used = re.findall(rf"steps\.{step['id']}\.outputs\.([\w-]+)", WORKFLOW.read_text())
    assert used and set(used) <= set(action["outputs"])


def test_the_action_checks_and_keeps_the_exit_code(runner, tmp_path):
    (tmp_path / "good.yaml").write_text("game: pig\ngames: 200\nexpect: {rounds: '> 2'}\n")
    (tmp_path / "bad.yaml").write_text("game: pig\ngames: 200\nexpect: {rounds: '> 500'}\n")
    name = "Did this change move the game?"
    done = runner(name, SCENARIOS="goo*.yaml", OPTIONS="--expect-only")
    assert done.returncode == 0 and "MET" in (tmp_path / "page.md").read_text(), done.stderr
    done = runner(name, SCENARIOS="good.yaml bad.yaml", OPTIONS="--expect-only")
    assert done.returncode == 1 and "MISSED" in (tmp_path / "hardmode.md").read_text(), done.stderr
    told = (tmp_path / "output").read_text().splitlines()
    assert [line for line in told if line.startswith("exit-code")] == ["exit-code=0", "exit-code=1"]
    assert (tmp_path / "hardmode.xml").read_text().startswith("<?xml") and f"junit={tmp_path}/hardmode.xml" in told


@pytest.mark.plain
def test_the_action_writes_one_comment_and_then_replaces_it(runner, tmp_path):
    name = "Comment on the pull request"
    assert "always()" in check_step(name)["if"]
    assert runner(name, NUMBER="7").returncode == 0 and not (tmp_path / "calls").exists()  # no verdicts, no comment
    (tmp_path / "hardmode.md").write_text("CHANGED\n" + "x" * 100_000)
    assert runner(name, NUMBER="7").returncode == 0
    assert runner(name, NUMBER="7", OLD="31\n").returncode == 0
    calls = (tmp_path / "calls").read_text().splitlines()
    comment = f"-F body=@{tmp_path}/hardmode-comment.md"
    assert calls[1] == f"api --silent repos/me/mine/issues/7/comments {comment}"
    assert calls[3] == f"api --silent -X PATCH repos/me/mine/issues/comments/31 {comment}"
    text = (tmp_path / "hardmode-comment.md").read_text()
    assert text.startswith("<!-- hardmode check -->\nCHANGED") and len(text) < 65_536
    refused = runner(name, NUMBER="7", GH_EXIT="1")
    assert refused.returncode == 0 and "::warning::" in refused.stdout


# The hooks

@pytest.mark.plain
def test_hooks_are_complete_and_apply_to_scenarios_and_code():
    hooks = {hook["id"]: hook for hook in load(HOOKS)}
    assert set(hooks) == {"hardmode-scenarios", "hardmode-check-game"}
    assert all({"name", "description", "entry", "language"} <= set(hook) for hook in hooks.values())
    hook = hooks["hardmode-scenarios"]
    chosen = {n for n in list_source_files() if re.search(hook["files"], n) and not re.search(hook["exclude"], n)}
    assert "docs/project/scenarios/mine.yaml" in chosen and "examples/pig/scenarios/classic.yaml" in chosen
    assert not [n for n in chosen if not n.endswith(".yaml") or n.endswith("box.yaml")]
    assert shlex.split(hooks["hardmode-check-game"]["entry"])[1:] == ["check-game", "--quick"]


def test_the_hook_for_scenarios_finds_the_broken_ones(tmp_path):
    [hook] = [hook for hook in load(HOOKS) if hook["id"] == "hardmode-scenarios"]
    (tmp_path / "hardmode").write_text(f'#!/bin/sh\nexec {sys.executable} -m hardmode "$@"\n')
    (tmp_path / "hardmode").chmod(0o755)
    (tmp_path / "good one.yaml").write_text("game: pig\n")
    (tmp_path / "bad.yaml").write_text("game: pig\nplayers: 99\n")
    (tmp_path / "worse.yaml").write_text("game: pig\nstrategies: [nobody]\n")
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}

    def run_hook(*names):
        return subprocess.run([*shlex.split(hook["entry"]), *names], cwd=tmp_path, text=True, env=env,
                              capture_output=True, timeout=900)

    assert run_hook("good one.yaml").returncode == 0
    done = run_hook("bad.yaml", "worse.yaml", "good one.yaml")
    assert done.returncode == 1 and "bad.yaml:2" in done.stderr and "nobody" in done.stderr


# The notebook

def test_the_notebook_runs():
    notebook = json.loads((ROOT / "examples" / "notebook.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 4 and not any(cell.get("outputs") for cell in notebook["cells"])
    found = answer("\n".join([
        "import json, matplotlib", "matplotlib.use('Agg')", *cells,
        "print(json.dumps([results[0].games, int(endings.games.sum()), len(curves),"
        " more_torches.values['torches.start']"
        " - hardmode.load('run_run_run/standard').cells[0].values['torches.start']]))"]))
    assert found[:2] == [2000, 2000] and found[2] > 10 and found[3] == 1
