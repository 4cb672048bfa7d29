"""A git repository, asked by the `git` command: which commits there are, and what lay in them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

APART = "\x1f"


class RepositoryError(Exception):
    """git cannot answer; says why."""


@dataclass(frozen=True)
class Commit:
    id: str
    date: str
    subject: str

    @property
    def short(self) -> str:
        return self.id[:10]

    def __str__(self) -> str:
        return f"{self.short} {self.date} {self.subject}"


@dataclass(frozen=True)
class Repository:
    root: Path

    @classmethod
    def around(cls, path: Path) -> Repository:
        """The repository that a file or folder lies in."""
        folder = path if path.is_dir() else path.parent
        try:
            return cls(Path(_git(folder, "rev-parse", "--show-toplevel").strip()))
        except RepositoryError as why:
            raise RepositoryError(f"{path}: not in a git repository: {why}") from None

    def commits(self, *asked: str) -> list[Commit]:
        """What `git log` lists, the oldest first."""
        told = _git(self.root, "log", "--reverse", f"--format=%H{APART}%cs{APART}%s", *asked)
        return [Commit(*line.split(APART, 2)) for line in told.splitlines()]

    def commit(self, name: str) -> Commit:
        if not name or name.startswith("-"):
            raise RepositoryError(f"{name!r} names no commit")
        try:
            return self.commits("-1", f"{name}^{{commit}}")[0]
        except RepositoryError:
            raise RepositoryError(f"{name!r} names no commit of {self.root}") from None

    def of(self, path: Path) -> list[Commit]:
        """The commits that changed a file."""
        return self.commits("--", self.inside(path))

    def between(self, old: Commit, new: Commit) -> list[Commit]:
        """The commits after `old` up to `new`, along the first parents; `old` must lie behind `new`."""
        line = self.commits("--first-parent", f"{old.id}..{new.id}")
        if old.id not in _git(self.root, "rev-list", "--first-parent", new.id).split():
            raise RepositoryError(f"{old.short} is not an earlier state of {new.short}")
        return line

    def tree(self, commit: Commit) -> str:
        """The digest of everything that lies in a commit."""
        return _git(self.root, "rev-parse", f"{commit.id}^{{tree}}").strip()

    def content(self, commit: Commit, path: Path) -> bytes | None:
        """A file as it was in a commit; None where it was not there."""
        try:
            return _git_bytes(self.root, "show", f"{commit.id}:{self.inside(path)}")
        except RepositoryError:
            return None

    def inside(self, path: Path) -> str:
        """The name of a file as the repository has it."""
        return path.resolve().relative_to(self.root.resolve()).as_posix()

    @contextmanager
    def checked_out(self, commit: Commit) -> Iterator[Path]:
        """A folder with everything as it was in a commit, for as long as it is needed."""
        with TemporaryDirectory(prefix="hardmode-") as parent:
            folder = Path(parent) / "tree"
            _git(self.root, "worktree", "add", "--detach", "--quiet", str(folder), commit.id)
            try:
                yield folder
            finally:
                _git(self.root, "worktree", "remove", "--force", str(folder))


def _git(folder: Path, *words: str) -> str:
    return _git_bytes(folder, *words).decode(errors="replace")


def _git_bytes(folder: Path, *words: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True)
    except OSError as why:
        raise RepositoryError(f"git cannot be started: {why.strerror}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RepositoryError(
            said[-1].removeprefix("fatal: ") if said else f"git ended with {done.returncode}"
        )
    return done.stdout
