"""Playing a scenario as it is in a commit, in a temporary folder, with a cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardmode.sim.files import cache_folder
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baselines import Baseline, BaselineError
from hardmode.studies.history.repository import Commit, Repository

PACKAGE_FOLDER = Path(__file__).parents[2]


class CannotPlayError(Exception):
    """Raised when a commit cannot play the scenario, or not so that it can be compared."""


@dataclass
class CommitPlayer:
    """Plays the same games of a scenario in several commits.

    Attributes:
        repository: The repository.
        file: The scenario.
        games: Number of games of each cell; None for as many as the first commit's baseline has.
        seed: Seed of the games; None for that of the first commit's baseline.
        threads: Number of threads; 0 for one per core.
        reference: The games of the first commit played, which the others repeat.
    """

    repository: Repository
    file: Path
    games: int | None = None
    seed: int | None = None
    threads: int = 0
    reference: Baseline | None = None

    def play_commit(self, commit: Commit) -> Baseline:
        """Return the games of the scenario as it is in a commit, from the cache if possible.

        Raises:
            CannotPlayError: The commit has no such scenario, or cannot play it.
        """
        entry = self._find_cache_entry(commit)
        content = cache_folder.read_entry(entry) if entry else None
        if content is not None:
            baseline = baselines.parse_baseline(bytes(content).decode(), str(commit))
        else:
            baseline = self._play_in_checkout(commit)
            if entry:
                cache_folder.write_entry(entry, baselines.format_baseline(baseline).encode())
        self.reference = self.reference or baseline
        return baseline

    def _find_cache_entry(self, commit: Commit) -> Path | None:
        inputs = [
            self.repository.tree_digest(commit),
            self.repository.relative_path(self.file),
            *self._list_game_options(),
            "" if self._is_own_repository else _compute_package_digest(),
        ]
        digest = hashlib.sha256("\n".join(inputs).encode()).hexdigest()[:32]
        return cache_folder.find_entry("bisect", f"{digest}.baseline")

    def _list_game_options(self) -> list[str]:
        """Return the options by which a commit plays the same games as the first one."""
        games = self.reference.games if self.reference else self.games
        seed = self.reference.seed if self.reference else self.seed
        options = []
        if games is not None:
            options += ["--games", str(games)]
        if seed is not None:
            options += ["--seed", str(seed)]
        return options

    @property
    def _is_own_repository(self) -> bool:
        """True if the repository is that of hardmode, so that each commit runs its own code."""
        return PACKAGE_FOLDER.parent.resolve() == self.repository.root.resolve()

    def _play_in_checkout(self, commit: Commit) -> Baseline:
        with self.repository.check_out(commit) as folder:
            file = folder / self.repository.relative_path(self.file)
            if not file.exists():
                raise CannotPlayError("it has no such scenario")
            if self._is_own_repository and not (folder / "hardmode" / "__init__.py").exists():
                raise CannotPlayError("it has no package hardmode")
            self._run_accept(commit, folder, file)
            try:
                return baselines.read_baseline(baselines.locate_baseline(file), str(commit))
            except BaselineError as error:
                raise CannotPlayError(str(error)) from None

    def _run_accept(self, commit: Commit, folder: Path, file: Path) -> None:
        """Run `hardmode accept` on a scenario in a folder that holds a commit."""
        command = [sys.executable, "-m", "hardmode", "accept", str(file)]
        command += ["--reason", f"as in {commit.short}", "--threads", str(self.threads)]
        process = subprocess.run(
            [*command, *self._list_game_options()],
            cwd=folder,
            env=self._make_environment(folder),
            capture_output=True,
            text=True,
            errors="replace",
        )
        if process.returncode:
            lines = process.stderr.strip().splitlines() or ["it ended without a word"]
            raise CannotPlayError(lines[-1].removeprefix("error: "))

    def _make_environment(self, folder: Path) -> Mapping[str, str]:
        """Return the environment with the user's own games as they are in the commit."""
        root = self.repository.root.resolve()
        environment = dict(os.environ)
        folders = []
        for name in filter(None, environment.get("HARDMODE_PATH", "").split(os.pathsep)):
            path = Path(name).resolve()
            if path.is_relative_to(root):
                path = folder / path.relative_to(root)
            folders.append(str(path))
        environment["HARDMODE_PATH"] = os.pathsep.join(folders)
        package_parent = folder if self._is_own_repository else PACKAGE_FOLDER.parent
        environment["PYTHONPATH"] = str(package_parent)
        return environment


def _compute_package_digest() -> str:
    """Return a digest of the installed package, which plays other people's repositories."""
    digest = hashlib.sha256()
    for folder, _, names in sorted(os.walk(PACKAGE_FOLDER, followlinks=True)):
        for name in sorted(names):
            if name.endswith((".py", ".yaml", ".json")):
                digest.update(Path(folder, name).read_bytes())
    return digest.hexdigest()
