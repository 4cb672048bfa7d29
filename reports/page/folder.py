"""The folder of a report: only what a report wrote there is ever replaced or taken away.

Its manifest says what that is, by name and digest. A report is made whole aside. Where the folder holds nothing else
the two are exchanged at one stroke, so whenever the process is killed, the old report is there or the new one, whole.
Where that cannot be, file after file takes its new place, the page last: there is always a page, and it is whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.paths import shorten_path

PAGE, PDF, RESULT, MANIFEST = "index.html", "report.pdf", "result.json.gz", "manifest.json"

Written = set[
    tuple[str, str]
]  # files that a report wrote: their names inside the folder, their digests


def ready(folder: Path) -> None:
    """Refuse a folder that cannot be written to, or in which something is in the way whatever the report will say."""
    atomic_files.check_folder_writable(folder)
    with atomic_files.convert_os_errors(folder):
        atomic_files.remove_stale_temp_files(folder)
        place = Path(os.path.realpath(folder))
        atomic_files.remove_stale_temp_files(place.parent, place.name)
        _free(folder, _manifest(folder), {PAGE: b"", RESULT: b""})


def write(folder: Path, content: Mapping[str, str | bytes]) -> None:
    """Put a report in place of the one that is there; what others put there is left alone."""
    files = {name: atomic_files.encode_text(one) for name, one in content.items()}
    ready(folder)
    with atomic_files.convert_os_errors(folder):
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        aside = atomic_files.temp_path(folder / "report")
        try:
            _replace(folder, aside, files)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
            if made and not any(folder.iterdir()):
                folder.rmdir()


def _replace(folder: Path, aside: Path, files: Mapping[str, bytes]) -> None:
    before = _manifest(folder)
    after = {(name, _digest(content)) for name, content in files.items()}
    _free(folder, before, files)
    for name, content in {**files, MANIFEST: _listed(after)}.items():
        (aside / name).parent.mkdir(parents=True, exist_ok=True)
        (aside / name).write_bytes(content)
    gone = {name for name, digest in before if _digest_at(folder / name) == digest}
    if _nothing_else(folder, aside, gone) and _exchanged(folder, aside):
        return
    atomic_files.write_atomically(
        folder / MANIFEST, _listed(before | after)
    )  # a killed process leaves some of each
    _moved(folder, aside, files, gone)


def _nothing_else(folder: Path, aside: Path, gone: set[str]) -> bool:
    """Whether all that lies in the folder is a report's, and nobody stands in it."""
    found = [path for path in folder.rglob("*") if aside not in (path, *path.parents)]
    ours = (
        gone
        | {MANIFEST}
        | {parent.as_posix() for name in gone for parent in PurePosixPath(name).parents}
    )
    return (
        all(path.relative_to(folder).as_posix() in ours and not path.is_symlink() for path in found)
        and not folder.is_symlink()
        and not folder.samefile(".")
    )


def _exchanged(folder: Path, aside: Path) -> bool:
    """Whether the folder could be exchanged for what was made aside, which then holds what was in the folder."""
    place = Path(os.path.realpath(folder))
    beside, new, old = atomic_files.temp_path(place), aside.stat(), place.stat()
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        return False
    try:
        shutil.copystat(place, aside)
        os.utime(aside)
        aside.rename(beside)
    except OSError:  # the folder is all that may be written to here
        return False
    if not atomic_files.exchange_folders(beside, place):
        beside.rename(aside)
        return False
    shutil.rmtree(beside, ignore_errors=True)
    return True


def _moved(folder: Path, aside: Path, files: Mapping[str, bytes], gone: set[str]) -> None:
    """Move what was made aside to its place, file by file, and take away what a report left there before."""
    rooms = {PurePosixPath(name).parts[0] for name in files if "/" in name}
    whole = {room for room in rooms if _all_of(folder, room) <= gone}
    kept = [name for name in files if PurePosixPath(name).parts[0] not in whole]
    for parent in {(folder / name).parent for name in kept}:
        parent.mkdir(parents=True, exist_ok=True)
    for room in whole:  # where all that lies there is a report's
        if atomic_files.exchange_folders(aside / room, folder / room):
            continue
        if (folder / room).exists():
            (folder / room).rename(aside / f"{room}.old")
        (aside / room).rename(folder / room)
    for name in sorted(kept, key=lambda name: name == PAGE):
        (aside / name).replace(folder / name)
    for name in gone - {*files}:
        (folder / name).unlink(missing_ok=True)
    _without_empty(folder, gone - {*files})
    (aside / MANIFEST).replace(folder / MANIFEST)


def _all_of(folder: Path, room: str) -> set[str]:
    """All that lies in a part of the folder, whoever put it there."""
    return {
        path.relative_to(folder).as_posix()
        for path in (folder / room).rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def _free(folder: Path, ours: Written, files: Mapping[str, bytes]) -> None:
    """Refuse when a file that is not a report's lies where one would be written."""
    if not ours and folder.exists():
        other = sorted(
            p.name for p in folder.iterdir() if p.name != atomic_files.temp_path(folder / "report").name
        )
        if other:
            raise OutputError(
                f"{shorten_path(folder)} holds files that no report wrote ({other[0]}); "
                "give another folder for the report"
            )
    for name, content in files.items():
        path = folder / name
        above = next(
            (
                p
                for p in path.parents
                if p != folder and folder in p.parents and p.exists() and not p.is_dir()
            ),
            None,
        )
        there = _digest_at(path)
        if above or (there is not None and (name, there) not in ours and there != _digest(content)):
            raise OutputError(
                f"{shorten_path(above or path)} is not as a report wrote it, and left alone; "
                "move it away, or give another folder for the report"
            )


def _manifest(folder: Path) -> Written:
    """What reports wrote into a folder; nothing where no manifest says so."""
    try:
        data = json.loads((folder / MANIFEST).read_text("utf-8"))
        found = (
            {(str(name), str(digest)) for name, digest in data["files"]}
            if data["hardmode"] == "report"
            else set()
        )
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return set()
    return {(name, digest) for name, digest in found if _inside(name)}


def _inside(name: str) -> bool:
    """Whether a name leads nowhere else, whoever wrote the manifest."""
    path = PurePosixPath(name)
    return (
        bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
    )


def _listed(files: Written) -> bytes:
    return json.dumps({"hardmode": "report", "files": sorted(files)}, indent=0).encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _digest_at(path: Path) -> str | None:
    """The digest of what lies there: empty for what is no file, nothing where nothing lies."""
    if not os.path.lexists(path):
        return None
    return _digest(path.read_bytes()) if path.is_file() and not path.is_symlink() else ""


def _without_empty(folder: Path, gone: Iterable[str]) -> None:
    """Take away the folders that held nothing but what is gone."""
    for parent in sorted(
        {p for name in gone for p in (folder / name).parents if folder in p.parents}, reverse=True
    ):
        if parent.is_dir() and not any(parent.iterdir()):
            parent.rmdir()
