"""README.md and the pages of docs/: links lead somewhere, every command is right, and the pages stay short."""

import os
import random
import re
import shutil
import subprocess
import sys

import pytest

from tests import doc_commands as docs
from tests.doc_commands import HOME, PAGES

MAX_WORDS = 20_000
LONG_PAGES = ("docs/rules", "docs/fidelity.md", "CHANGELOG.md")  # tables of rules; not counted
ANYWHERE = {"--hardmode", "--hardmode-margin", "--hardmode-expect-only", "--from", "--spec"}  # of pytest, uvx and pipx
# Commands that are parsed and not played, and why.
PARSED_ONLY = {
    "--cluster": "it needs a cluster, or starts processes, which the tests of clusters do",
    "hill": "a made-up game",
    "boss.hp=+1": "a made-up game",
    "precompile": "it compiles everything, for minutes",
    "run_run_run/standard...": "it stands for several scenarios",
    "A B": "it stands for two variants",
    "check-game run": "it stands for a game of your own",
    "new game": "tests/reports/test_new.py plays it",
}
QUICK = ("list", "new", "schema", "replay", "run")  # commands that the normal tests play a few of


def page_id(page):
    return str(page.relative_to(HOME))


def list_plain_text(page):
    return docs.FENCE.sub("", page.read_text("utf-8"))


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")


def list_anchors(page):
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", list_plain_text(page), re.MULTILINE)}


@pytest.mark.plain
@pytest.mark.parametrize("page", [*PAGES, HOME / "CHANGELOG.md"], ids=page_id)
def test_links_and_anchors_exist(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", list_plain_text(page)):
        if ":" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in list_anchors(target), link


@pytest.mark.plain
def test_pages_that_code_names_exist():
    text = subprocess.run(["git", "grep", "-hoIE", r"docs/[A-Za-z_/-]+\.md"], cwd=HOME, text=True,
                          capture_output=True).stdout
    named = set(text.split())
    assert len(named) > 10 and not [name for name in named if not (HOME / name).exists()]


@pytest.mark.plain
def test_every_page_is_named_in_the_readme_or_by_a_page_that_is():
    linked, todo = set(), [HOME / "README.md"]
    while todo:
        page = todo.pop()
        if page.suffix == ".md" and page not in linked and page.exists():
            linked.add(page)
            links = re.findall(r"\]\(([^)#:]+)", page.read_text())
            todo += [(page.parent / link).resolve() for link in links]
    pages = [page for page in PAGES if "rules" not in page.parts]
    assert not [page_id(page) for page in pages if page not in linked]


@pytest.mark.plain
def test_readme_and_docs_are_short():
    pages = [page for page in PAGES if page_id(page).startswith(("README.md", "docs/"))]
    counted = [page for page in pages if not page_id(page).startswith(LONG_PAGES)]
    words = [word for page in counted for word in page.read_text().split() if re.search(r"\w", word)]
    assert len(words) <= MAX_WORDS  # frames of tables are no words
    assert len((HOME / "README.md").read_text().splitlines()) <= 100
    assert (HOME / "docs/glossary.md").read_text().count("\n- **") <= 20


@pytest.mark.plain
@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_commands_and_their_options_exist(page):
    for command in docs.list_commands(page):
        docs.check_command(command)


@pytest.mark.plain
@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_options_that_the_text_names_exist(page):
    code = " ".join(re.findall(r"(?<!`)`([^`]+)`(?!`)", list_plain_text(page)))
    if "-m hardmode.sim" in page.read_text() or page.name == "CONTRIBUTING.md":
        return  # options of other programs
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", code))
    assert not named - docs.list_options() - ANYWHERE


@pytest.mark.plain
def test_a_wrong_option_or_name_in_a_page_is_found(tmp_path):
    for line, name in (("run woodlands/classic --game 7", "game"), ("rum woodlands/classic", "rum"),
                       ("run woodlands/clasic", "clasic"), ("run woodlands/classic --set boss.hearts=1", "boss"),
                       ("run woodlands/classic --strategy stedy", "stedy")):
        command = docs.Command("page.md", f"hardmode {line}", tuple(line.split()))
        with pytest.raises(Exception, match=name):
            docs.check_command(command)
    page = tmp_path / "page.md"
    page.write_text("Try `hardmode run\nGAME/x`:\n\n```\n$ A=1 hardmode check  # all\nmake\n```\n\n    hardmode list\n")
    lines = [line for _, line in docs.list_shell_lines(page)]
    assert lines == ["hardmode check", "make", "hardmode list", "hardmode run GAME/x"]


@pytest.mark.plain
def test_other_programs_that_pages_name_exist():
    targets = set(re.findall(r"^([a-z-]+):", (HOME / "Makefile").read_text(), re.MULTILINE))
    found = {line for page in PAGES for _, line in docs.list_shell_lines(page)}
    for line in found:
        words = line.split()
        if words[0] == "make" and len(words) > 1:
            assert words[1] in targets, line
        elif words[:2] == ["python", "-m"] and words[2].startswith(("tests.", "hardmode.")):
            path = HOME / words[2].removeprefix("hardmode.").replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), line
        for word in words:
            assert not word.startswith("tests/") or (HOME / word).exists(), line


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files that the pages name, which is also where games are found."""
    folder = tmp_path_factory.mktemp("designer")
    docs.write_files(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARDMODE_PATH", os.pathsep.join([str(HOME / "examples"), str(folder / "games")]))
        yield folder


def list_played():
    """Return the commands that are played, each once, with their small budgets."""
    played = {}
    for page in PAGES:
        for command in docs.list_commands(page):
            if "rules" not in page.parts and docs.is_complete(command) and not why_only_parsed(command):
                played.setdefault(tuple(docs.with_small_budget(command.words)), command)
    return played


def why_only_parsed(command):
    return next((why for part, why in PARSED_ONLY.items() if part in " ".join(command.words)), "")


def play(words, folder):
    for name in ("report", "audit", "found", "solved", "matters"):
        shutil.rmtree(folder / name, ignore_errors=True)
    docs.restore_files(folder, words)
    code, output = docs.run(words, folder)
    assert code in (0, 1, 3), output
    assert "Traceback" not in output


def test_a_few_commands_play(folder):
    words = [w for w in sorted(list_played()) if w[0] in QUICK and not {"--odds", "--xlsx", "expert"} & set(w)]
    compiled_anyway = [w for w in words if not re.search("woodlands|vengeance|trapwords|examples", " ".join(w))]
    for chosen in random.Random(3).sample(compiled_anyway, 6):
        play(list(chosen), folder)


@pytest.mark.soak
@pytest.mark.parametrize("words", sorted(list_played()), ids=" ".join)
def test_every_command_plays(folder, words):
    play(list(words), folder)


@pytest.mark.soak
def test_python_of_the_pages_runs(folder, tmp_path):
    """Run the Python excerpts that import hardmode, with fewer games."""
    for name in ("your-own.md", "turning-points.md", "report.md"):
        for code in re.findall(r"```python\n(.*?)```", (HOME / "docs" / name).read_text(), re.DOTALL):
            small = re.sub(r"games=[\d_]+", "games=50", code).replace("precision=0.005", "precision=0.05")
            done = subprocess.run([sys.executable, "-c", small], cwd=tmp_path, text=True, capture_output=True,
                                  env={**os.environ, "PYTHONPATH": str(HOME), "MPLBACKEND": "agg"})
            assert done.returncode == 0, (name, done.stderr[-2000:])
