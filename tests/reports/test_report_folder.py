"""The folder of a report: only what a report wrote is replaced, and it is whole whenever one looks."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from hardmode.reports.page import folder as place
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.results.result_file import load_results

ONE = {"index.html": "one", "result.json.gz": "{}", "tables/a.csv": "a", "tables/x/b.csv": "b", "plots/p.svg": "p"}
TWO = {"index.html": "two", "result.json.gz": "{ }", "tables/a.csv": "a2", "plots/q.png": b"\x89q"}


def held(folder):
    """All files but the manifest, with what is in them."""
    return {
        str(p.relative_to(folder)): p.read_text("latin-1")
        for p in folder.rglob("*")
        if p.is_file() and p.name != place.MANIFEST
    }


def text(files):
    return {name: one if isinstance(one, str) else one.decode("latin-1") for name, one in files.items()}


def test_a_report_takes_the_place_of_a_report(tmp_path):
    place.write_report_folder(tmp_path / "new" / "report", ONE)
    folder = tmp_path / "new" / "report"
    assert held(folder) == ONE
    place.check_report_folder(folder)
    place.write_report_folder(folder, TWO)
    assert held(folder) == text(TWO)
    assert {p.name for p in folder.iterdir()} == {"index.html", "result.json.gz", "tables", "plots", "manifest.json"}
    assert [p.name for p in (folder / "tables").iterdir()] == ["a.csv"], "a folder that is empty now is gone"


def test_what_others_put_there_stays(tmp_path):
    place.write_report_folder(tmp_path, ONE)
    mine = {"notes.txt": "mine", "tables/mine.csv": "mine", "tables/x/deep.csv": "mine", "tables/x/b.csv": "edited"}
    for name, content in mine.items():
        (tmp_path / name).write_text(content)
    place.check_report_folder(tmp_path)
    place.write_report_folder(tmp_path, TWO)
    assert held(tmp_path) == {**text(TWO), **mine}


@pytest.mark.parametrize(
    "name, content",
    [
        ("index.html", "edited"),
        ("result.json.gz", "edited"),
        ("tables/a.csv", "edited"),
        ("plots/q.png", "mine"),
        ("plots/q.png", None),
        ("index.html", None),
    ],
)
def test_what_is_in_the_way_is_named_and_left(tmp_path, name, content):
    place.write_report_folder(tmp_path, ONE)
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).write_text(content) if content else (tmp_path / name).mkdir()
    before = held(tmp_path)
    with pytest.raises(OutputError, match=rf"{name} was changed since a report wrote it, so it is left alone"):
        place.write_report_folder(tmp_path, TWO)
    assert held(tmp_path) == before
    if name in (place.PAGE, place.RESULT):  # known before anything is played
        with pytest.raises(OutputError, match="was changed since a report wrote it"):
            place.check_report_folder(tmp_path)


def test_a_file_where_a_folder_must_be_is_in_the_way(tmp_path):
    place.write_report_folder(tmp_path, {"index.html": "one"})
    (tmp_path / "tables").write_text("mine")
    with pytest.raises(OutputError, match="tables was changed since a report wrote it"):
        place.write_report_folder(tmp_path, TWO)
    assert held(tmp_path) == {"index.html": "one", "tables": "mine"}


@pytest.mark.parametrize("name", ["index.html", "result.json.gz", "tables/mine.csv", "manifest.json"])
def test_a_folder_that_no_report_wrote_is_refused(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    for act in (lambda: place.check_report_folder(tmp_path), lambda: place.write_report_folder(tmp_path, ONE)):
        with pytest.raises(OutputError, match=f"holds files that no report wrote .{name.split('/')[0]}"):
            act()
    assert [p.read_text() for p in tmp_path.rglob("*") if p.is_file()] == ["mine"]


@pytest.mark.parametrize("forged", ["../mine.txt", "/{}/mine.txt", "tables/../../mine.txt", "a\0b", "."])
def test_a_forged_manifest_leads_to_nothing_outside(tmp_path, forged):
    mine, folder = tmp_path / "mine.txt", tmp_path / "report"
    mine.write_text("mine")
    place.write_report_folder(folder, ONE)
    data = json.loads((folder / "manifest.json").read_text())
    data["files"].append([forged.format(tmp_path), place.compute_content_digest(b"mine")])
    (folder / "manifest.json").write_text(json.dumps(data))
    place.write_report_folder(folder, TWO)
    assert mine.read_text() == "mine" and held(folder) == text(TWO)


@pytest.mark.parametrize("broken", ["[" * 50_000, "{}", "[]", '{"hardmode": "report", "files": [1]}', "\udcff", "null"])
def test_a_broken_manifest_says_nothing(tmp_path, broken):
    place.write_report_folder(tmp_path, ONE)
    (tmp_path / "manifest.json").write_text(broken, errors="surrogateescape")
    with pytest.raises(OutputError, match="holds files that no report wrote"):
        place.check_report_folder(tmp_path)


@pytest.mark.parametrize("writes", range(8))
@pytest.mark.parametrize("before", [{}, ONE])
def test_a_full_disk_leaves_the_report_that_was_there(tmp_path, monkeypatch, writes, before):
    folder, left, write = tmp_path / "report", [writes], Path.write_bytes
    if before:
        place.write_report_folder(folder, before)

    def filling(self, data):
        left[0] -= 1
        if left[0] < 0:
            write(self, data[:3])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", filling)
    try:
        place.write_report_folder(folder, TWO)
    except OutputError as why:
        assert str(why).endswith("cannot be written: No space left on device") and "\n" not in str(why)
    monkeypatch.undo()
    now = held(folder) if folder.exists() else {}
    assert now == (text(TWO) if writes >= 6 else before)
    assert folder.exists() == bool(now) and not [p for p in tmp_path.rglob("*") if p.name.endswith(".part")]


KILLED = """
    import sys
    from pathlib import Path
    from hardmode.reports.page import folder as place
    names = ["index.html", "result.json.gz", *(f"tables/t{i}.csv" for i in range(40))]
    print(flush=True)
    for i in range(10**9):
        mark = f"{i % 2}"
        files = {name if i % 2 else name.replace("t3", "u3"): mark * 20_000 for name in names}
        place.write_report_folder(Path(sys.argv[1]), files)
"""


def killed(folder, moments):
    """What lies in the folder after each of many kills, each at its moment while reports replace each other."""
    for seconds in moments:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(KILLED), str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        assert not process.communicate()[1], "the folder that was left is one to write to"
        yield {name: one for name, one in held(folder).items() if not name.startswith(".")}


@pytest.mark.parametrize("kills", [12, pytest.param(60, marks=pytest.mark.soak)])
def test_a_kill_at_any_moment_leaves_the_old_report_or_the_new_one(tmp_path, kills):
    folder = tmp_path / "report"
    place.write_report_folder(
        folder, {name: "1" * 20_000 for name in ("index.html", *(f"tables/t{i}.csv" for i in range(41)))}
    )
    for found in killed(folder, (0.05 + 0.26 * i / kills for i in range(kills))):
        assert len(found) == 42 and set(found.values()) == {found["index.html"]}
        assert len(found["index.html"]) == 20_000
        listed = json.loads((folder / "manifest.json").read_text())["files"]
        assert {tuple(one) for one in listed} == {
            (name, place.compute_content_digest(one.encode())) for name, one in found.items()
        }
    place.write_report_folder(folder, TWO)
    assert held(folder) == text(TWO) and [p.name for p in tmp_path.iterdir()] == ["report"], "what was left aside goes"


@pytest.mark.parametrize("kills", [6, pytest.param(60, marks=pytest.mark.soak)])
def test_a_kill_among_files_of_others_leaves_them_and_a_page(tmp_path, kills):
    folder = tmp_path / "report"
    place.write_report_folder(folder, {"index.html": "1" * 20_000})
    (folder / "mine.txt").write_text("mine")
    for found in killed(folder, (0.05 + 0.26 * i / kills for i in range(kills))):
        assert found.pop("mine.txt") == "mine" and found["index.html"] in ("0" * 20_000, "1" * 20_000)
        assert len({one for name, one in found.items() if name.startswith("tables/")}) < 2
    place.write_report_folder(folder, TWO)
    assert held(folder) == {**text(TWO), "mine.txt": "mine"}


def test_a_folder_that_cannot_be_exchanged_changes_file_by_file(tmp_path, monkeypatch):
    monkeypatch.setattr(place.atomic_files, "exchange_folders", lambda *_: False)
    for files in (ONE, TWO, ONE):
        place.write_report_folder(tmp_path / "report", files)
        assert held(tmp_path / "report") == text(files) and [p.name for p in tmp_path.iterdir()] == ["report"]


def test_an_empty_folder_and_a_link_of_others_stay(tmp_path):
    folder = tmp_path / "report"
    place.write_report_folder(folder, ONE)
    (folder / "mine").mkdir()
    place.write_report_folder(folder, TWO)
    assert (folder / "mine").is_dir() and held(folder) == text(TWO)
    (folder / "mine").rmdir()
    (folder / "link").symlink_to(tmp_path)
    place.write_report_folder(folder, ONE)
    assert (folder / "link").is_symlink()


def test_a_folder_stays_as_open_as_it_was(tmp_path):
    place.write_report_folder(tmp_path / "report", ONE)
    (tmp_path / "report").chmod(0o2750)
    place.write_report_folder(tmp_path / "report", TWO)
    assert (tmp_path / "report").stat().st_mode & 0o7777 == 0o2750


@pytest.mark.soak
def test_a_kill_of_the_commands_themselves_leaves_nothing_torn(tmp_path):
    """`report` and `run -o`, killed at any moment, ten times each."""
    report, kept, seconds = tmp_path / "report", tmp_path / "kept.json", {}
    commands = {
        "report": ["report", "pig/classic", "--games", "200", "-o", str(report)],
        "run": ["run", "pig/classic", "--games", "1M", "-o", str(kept)],
    }
    for name, command in commands.items():
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "hardmode", *command], check=True, capture_output=True, timeout=900)
        seconds[name] = time.perf_counter() - begun
    for i in range(20):
        name = ("report", "run")[i % 2]
        kept.unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "hardmode", *commands[name]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(seconds[name] * (0.3 + 0.07 * (i // 2)))
        process.kill()
        process.wait()
        found = {n for n in held(report) if not n.startswith(".report.")}
        listed = {
            n
            for n, digest in json.loads((report / "manifest.json").read_text())["files"]
            if place.compute_file_digest(report / n) == digest
        }
        assert "index.html" in found and found == listed
        if kept.exists():
            load_results(kept)
    again = subprocess.run([sys.executable, "-m", "hardmode", *commands["report"]], capture_output=True, timeout=900)
    assert again.returncode == 0 and not [
        p for p in tmp_path.rglob("*") if p.name.endswith(".part") and "report" in p.name
    ]


def test_a_folder_may_be_where_one_stands_or_a_link(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    place.write_report_folder(tmp_path / "link", ONE)
    monkeypatch.chdir(tmp_path / "real")
    place.write_report_folder(Path("."), TWO)
    assert held(tmp_path / "real") == text(TWO)
    shutil.rmtree(tmp_path / "real")
    assert os.listdir(tmp_path) == ["link"]
