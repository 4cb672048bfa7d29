"""Folder of a report: only files that a report wrote there are ever replaced or removed.

A manifest lists these files by name and digest. A report is first written to a temporary folder.
If the report's folder holds nothing else, the two folders are exchanged atomically: if the process
is killed, the folder holds either the old or the new report, complete. Otherwise each file is
moved to its place, the page last, so that there is always a complete page.
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

FileDigests = set[tuple[str, str]]  # name inside the folder and digest of each file of a report


def check_report_folder(folder: Path) -> None:
    """Check that a report can be written to a folder.

    Raises:
        OutputError: The folder is not writable, or holds files that no report wrote.
    """
    atomic_files.check_folder_writable(folder)
    with atomic_files.convert_os_errors(folder):
        atomic_files.remove_stale_temp_files(folder)
        place = Path(os.path.realpath(folder))
        atomic_files.remove_stale_temp_files(place.parent, place.name)
        _check_nothing_in_the_way(folder, _read_manifest(folder), {PAGE: b"", RESULT: b""})


def write_report_folder(folder: Path, content: Mapping[str, str | bytes]) -> None:
    """Write a report in place of the previous one; files of others are left alone."""
    files = {name: atomic_files.encode_text(one) for name, one in content.items()}
    check_report_folder(folder)
    with atomic_files.convert_os_errors(folder):
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        temporary = atomic_files.temp_path(folder / "report")
        try:
            _replace_report(folder, temporary, files)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
            if is_new and not any(folder.iterdir()):
                folder.rmdir()


def _replace_report(folder: Path, temporary: Path, files: Mapping[str, bytes]) -> None:
    before = _read_manifest(folder)
    after = {(name, compute_content_digest(content)) for name, content in files.items()}
    _check_nothing_in_the_way(folder, before, files)
    for name, content in {**files, MANIFEST: _encode_manifest(after)}.items():
        (temporary / name).parent.mkdir(parents=True, exist_ok=True)
        (temporary / name).write_bytes(content)
    removed = {name for name, digest in before if compute_file_digest(folder / name) == digest}
    if _holds_only_report(folder, temporary, removed) and _exchange_folders(folder, temporary):
        return
    # if the process is killed, the folder has files of both reports
    atomic_files.write_atomically(folder / MANIFEST, _encode_manifest(before | after))
    _move_files(folder, temporary, files, removed)


def _holds_only_report(folder: Path, temporary: Path, removed: set[str]) -> bool:
    """Return whether a folder holds only a report, and is not the working directory."""
    found = [path for path in folder.rglob("*") if temporary not in (path, *path.parents)]
    ours = (
        removed
        | {MANIFEST}
        | {parent.as_posix() for name in removed for parent in PurePosixPath(name).parents}
    )
    return (
        all(path.relative_to(folder).as_posix() in ours and not path.is_symlink() for path in found)
        and not folder.is_symlink()
        and not folder.samefile(".")
    )


def _exchange_folders(folder: Path, temporary: Path) -> bool:
    """Exchange the folder for the new one atomically, and return whether that was possible."""
    place = Path(os.path.realpath(folder))
    beside, new, old = atomic_files.temp_path(place), temporary.stat(), place.stat()
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        return False
    try:
        shutil.copystat(place, temporary)
        os.utime(temporary)
        temporary.rename(beside)
    except OSError:  # only the folder itself is writable here
        return False
    if not atomic_files.exchange_folders(beside, place):
        beside.rename(temporary)
        return False
    shutil.rmtree(beside, ignore_errors=True)
    return True


def _move_files(
    folder: Path, temporary: Path, files: Mapping[str, bytes], removed: set[str]
) -> None:
    """Move the new files to their places one by one, and remove files of the old report."""
    subfolders = {PurePosixPath(name).parts[0] for name in files if "/" in name}
    own_subfolders = {
        subfolder for subfolder in subfolders if _list_files(folder, subfolder) <= removed
    }
    kept = [name for name in files if PurePosixPath(name).parts[0] not in own_subfolders]
    for parent in {(folder / name).parent for name in kept}:
        parent.mkdir(parents=True, exist_ok=True)
    for subfolder in own_subfolders:  # it holds only files of a report
        if atomic_files.exchange_folders(temporary / subfolder, folder / subfolder):
            continue
        if (folder / subfolder).exists():
            (folder / subfolder).rename(temporary / f"{subfolder}.old")
        (temporary / subfolder).rename(folder / subfolder)
    for name in sorted(kept, key=lambda name: name == PAGE):
        (temporary / name).replace(folder / name)
    for name in removed - {*files}:
        (folder / name).unlink(missing_ok=True)
    _remove_empty_folders(folder, removed - {*files})
    (temporary / MANIFEST).replace(folder / MANIFEST)


def _list_files(folder: Path, subfolder: str) -> set[str]:
    """Return the names of all files in a subfolder."""
    return {
        path.relative_to(folder).as_posix()
        for path in (folder / subfolder).rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def _check_nothing_in_the_way(folder: Path, ours: FileDigests, files: Mapping[str, bytes]) -> None:
    """Raise an error if a file that no report wrote is in the way."""
    if not ours and folder.exists():
        other = sorted(
            p.name
            for p in folder.iterdir()
            if p.name != atomic_files.temp_path(folder / "report").name
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
        there = compute_file_digest(path)
        if above or (
            there is not None
            and (name, there) not in ours
            and there != compute_content_digest(content)
        ):
            raise OutputError(
                f"{shorten_path(above or path)} was changed since a report wrote it, so it is left "
                "alone; move it away, or give another folder for the report"
            )


def _read_manifest(folder: Path) -> FileDigests:
    """Return the files that reports wrote into a folder, according to its manifest."""
    try:
        data = json.loads((folder / MANIFEST).read_text("utf-8"))
        found = (
            {(str(name), str(digest)) for name, digest in data["files"]}
            if data["hardmode"] == "report"
            else set()
        )
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return set()
    return {(name, digest) for name, digest in found if _is_inside(name)}


def _is_inside(name: str) -> bool:
    """Return whether a name of an untrusted manifest stays inside the folder."""
    path = PurePosixPath(name)
    return (
        bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
    )


def _encode_manifest(files: FileDigests) -> bytes:
    return json.dumps({"hardmode": "report", "files": sorted(files)}, indent=0).encode()


def compute_content_digest(content: bytes) -> str:
    """Return the digest of a file's content."""
    return hashlib.sha256(content).hexdigest()[:32]


def compute_file_digest(path: Path) -> str | None:
    """Return the digest of a file, "" for anything but a file, or None if nothing exists."""
    if not os.path.lexists(path):
        return None
    return (
        compute_content_digest(path.read_bytes())
        if path.is_file() and not path.is_symlink()
        else ""
    )


def _remove_empty_folders(folder: Path, removed: Iterable[str]) -> None:
    """Remove the folders that became empty when files were removed."""
    for parent in sorted(
        {p for name in removed for p in (folder / name).parents if folder in p.parents},
        reverse=True,
    ):
        if parent.is_dir() and not any(parent.iterdir()):
            parent.rmdir()
