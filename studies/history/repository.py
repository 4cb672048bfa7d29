"""A git repository, read with the `git` command: its commits and what they hold."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

FIELD_SEPARATOR = "\x1f"  # between the fields of a line of `git log`


class RepositoryError(Exception):
    """Raised when git cannot answer; the message says why."""


@dataclass(frozen=True)
class Commit:
    """A commit: its hash, date and subject line."""

    id: str
    date: str
    subject: str

    @property
    def short(self) -> str:
        """First ten digits of the hash."""
        return self.id[:10]

    def __str__(self) -> str:
        return f"{self.short} {self.date} {self.subject}"


@dataclass(frozen=True)
class Repository:
    """A git repository by its top folder."""

    root: Path

    @classmethod
    def containing(cls, path: Path) -> Repository:
        """Return the repository that a file or folder lies in.

        Raises:
            RepositoryError: It lies in none.
        """
        folder = path if path.is_dir() else path.parent
        try:
            return cls(Path(_run_git(folder, "rev-parse", "--show-toplevel").strip()))
        except RepositoryError as error:
            raise RepositoryError(f"{path}: not in a git repository: {error}") from None

    def list_commits(self, *arguments: str) -> list[Commit]:
        """Return the commits that `git log` lists with these arguments, the oldest first."""
        log_format = f"--format=%H{FIELD_SEPARATOR}%cs{FIELD_SEPARATOR}%s"
        output = _run_git(self.root, "log", "--reverse", log_format, *arguments)
        return [Commit(*line.split(FIELD_SEPARATOR, 2)) for line in output.splitlines()]

    def find_commit(self, name: str) -> Commit:
        """Return the commit that a hash, branch or tag names.

        Raises:
            RepositoryError: There is none.
        """
        if not name or name.startswith("-"):
            raise RepositoryError(f"{name!r} names no commit")
        try:
            return self.list_commits("-1", f"{name}^{{commit}}")[0]
        except RepositoryError:
            raise RepositoryError(f"{name!r} names no commit of {self.root}") from None

    def list_commits_of_file(self, path: Path) -> list[Commit]:
        """Return the commits that changed a file, the oldest first."""
        return self.list_commits("--", self.relative_path(path))

    def list_commits_between(self, old: Commit, new: Commit) -> list[Commit]:
        """Return the commits after `old` up to `new`, along the first parents.

        Raises:
            RepositoryError: `old` is not an ancestor of `new` along the first parents.
        """
        commits = self.list_commits("--first-parent", f"{old.id}..{new.id}")
        if old.id not in _run_git(self.root, "rev-list", "--first-parent", new.id).split():
            raise RepositoryError(f"{old.short} is not an earlier state of {new.short}")
        return commits

    def tree_digest(self, commit: Commit) -> str:
        """Return git's digest of all files of a commit."""
        return _run_git(self.root, "rev-parse", f"{commit.id}^{{tree}}").strip()

    def read_file(self, commit: Commit, path: Path) -> bytes | None:
        """Return the content of a file in a commit, or None if it was not there."""
        try:
            return _run_git_raw(self.root, "show", f"{commit.id}:{self.relative_path(path)}")
        except RepositoryError:
            return None

    def relative_path(self, path: Path) -> str:
        """Return the path of a file relative to the top folder, with forward slashes."""
        return path.resolve().relative_to(self.root.resolve()).as_posix()

    @contextmanager
    def check_out(self, commit: Commit) -> Iterator[Path]:
        """Give a temporary folder with all files of a commit."""
        with TemporaryDirectory(prefix="hardmode-") as parent:
            folder = Path(parent) / "tree"
            _run_git(self.root, "worktree", "add", "--detach", "--quiet", str(folder), commit.id)
            try:
                yield folder
            finally:
                _run_git(self.root, "worktree", "remove", "--force", str(folder))


def _run_git(folder: Path, *arguments: str) -> str:
    return _run_git_raw(folder, *arguments).decode(errors="replace")


def _run_git_raw(folder: Path, *arguments: str) -> bytes:
    """Return what a git command prints.

    Raises:
        RepositoryError: git is not installed, or the command failed.
    """
    try:
        process = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    except OSError as error:
        raise RepositoryError(f"git cannot be started: {error.strerror}") from None
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines()
        raise RepositoryError(
            lines[-1].removeprefix("fatal: ") if lines else f"git ended with {process.returncode}"
        )
    return process.stdout
