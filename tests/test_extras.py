"""Without the optional packages every standard command works, and others name the extra to install."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTRAS = ("pyarrow", "statsmodels", "openpyxl", "distributed", "dask", "fsspec")
HIDE = f"""
import sys
from importlib.abc import MetaPathFinder

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {EXTRAS}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

import importlib.util
sys.meta_path.insert(0, Blocker())
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name.split(".")[0] in {EXTRAS} else find(name, package)
"""
RUN = HIDE + "from hardmode.cli import main\nsys.argv[0] = 'hardmode'\nmain()\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("extras")
    (made / "mine.yaml").write_text("game: pig\ntitle: Mine\nstrategies: [steady, random]\n")
    (made / "plays.csv").write_text("won\n" + "yes\nno\nyes\n" * 4)
    return made


def hide_and_run(folder, code, *words):
    return subprocess.run([sys.executable, "-c", code, *words], cwd=folder, text=True, capture_output=True,
                          timeout=600, env=os.environ)


@pytest.mark.parametrize("words", [
    ("run", "mine.yaml", "--games", "300", "--rows", "rows"),
    ("run", "mine.yaml", "--games", "300", "-o", "result.json"),
    ("compare", "mine.yaml", "--set-b", "target=+10", "--games", "300"),
    ("replay", "mine.yaml"),
    ("solve", "mine.yaml", "--target", "rounds=10..14", "--target", "win_rate=50%", "--by", "target=20..30",
     "--games", "600"),
    ("sensitivity", "mine.yaml", "--games", "300"),
    ("luck", "mine.yaml", "--games", "300"),
    ("decided", "mine.yaml", "--games", "4"),
    ("fit", "mine.yaml", "plays.csv", "--games", "60", "--free", "none"),
    ("train", "mine.yaml", "--generations", "1", "--games", "40", "-o", "trained.yaml"),
    ("list",),
], ids=lambda words: f"{words[0]}-{len(words)}")
def test_standard_commands_need_no_extra(folder, words):
    done = hide_and_run(folder, RUN, *words, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


@pytest.mark.soak
def test_a_report_needs_no_extra(folder):
    done = hide_and_run(folder, RUN, "report", "mine.yaml", "--games", "300", "-o", "report")
    assert done.returncode == 0, done.stderr
    assert (folder / "report" / "index.html").is_file()


@pytest.mark.parametrize("words, purpose, extra", [
    (("run", "mine.yaml", "--cluster", "local:2"), "to play on a cluster, install distributed", "cluster"),
    (("run", "mine.yaml", "--games", "9", "--rows", "memory://rows"), "to write there, install fsspec", "cluster"),
    (("run", "mine.yaml", "--games", "9", "--xlsx", "book.xlsx"), "to write a workbook, install openpyxl", "xlsx"),
    (("fit", "mine.yaml", "plays.xlsx"), "to read a workbook, install openpyxl", "xlsx"),
], ids=["cluster", "rows", "write-xlsx", "read-xlsx"])
def test_a_missing_package_is_explained_by_its_extra(folder, words, purpose, extra):
    (folder / "plays.xlsx").write_bytes(b"PK\x03\x04")
    done = hide_and_run(folder, RUN, *words)
    text = " ".join(done.stderr.split())
    assert done.returncode == 2 and f'{purpose}: pip install "hardmode[{extra}]"' in text, done.stderr


def test_frames_of_pandas_and_parquet_need_no_pyarrow(folder):
    done = hide_and_run(folder, HIDE + """
import hardmode, polars
import os
results = hardmode.play("mine.yaml", games=300, rows="parquet")
frame = hardmode.cells(results, pandas=True)
assert type(frame).__module__.startswith("pandas") and frame.games.tolist() == [300]
assert frame.columns.tolist() == hardmode.cells(results).columns
assert len(hardmode.endings(results, pandas=True)) and len(hardmode.curves(results, pandas=True))
assert polars.read_parquet("parquet/*.parquet").height == 300
""")
    assert done.returncode == 0, done.stderr


def read_lock(name):
    """Return the hashes of each package with its version, and check that nothing else stands there."""
    packages, latest = {}, ""
    for line in (ROOT / name).read_text().splitlines():
        word = line.strip().removesuffix("\\").strip()
        if word.startswith("--hash=sha256:"):
            packages[latest].append(word.removeprefix("--hash=sha256:"))
        elif not word.startswith("#"):
            assert re.fullmatch(r"[a-z0-9-]+==[0-9.a-z]+( ; [^:]+)?", word), f"{name}: {line}"
            latest = word
            packages[latest] = []
    return packages


@pytest.mark.plain
def test_the_locks_agree_and_have_hashes():
    base, dev = read_lock("requirements.lock"), read_lock("requirements-dev.lock")
    assert all(base.values()) and all(dev.values())
    assert {name: dev.get(name) for name in base} == base


@pytest.mark.plain
def test_large_files_are_not_installed():
    """An installation shall take at most 0.65 GB; CONTRIBUTING.md says how that is measured."""
    base = read_lock("requirements.lock")
    [fonttools] = [hashes for name, hashes in base.items() if name.startswith("fonttools==")]
    assert len(fonttools) == 1, "of fonttools, only the file py3-none-any.whl"
    assert not [name for name in base if name.startswith("polars-runtime")], "this file alone has 178 MB"
