"""The commit that moved a win rate: a scenario, as it is in each commit, plays the same games for the gate to judge.

Every comparison is with the good commit. The permitted error is shared by all comparisons that the search may ever
make, the first having the most, so that the search as a whole keeps it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import load
from hardmode.sim.compile.cache import cache_root
from hardmode.sim.files import atomic_files
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baselines import Accepted, Baseline, BaselineError
from hardmode.studies.gate.checks import margin_of
from hardmode.studies.history.repository import Commit, Repository, RepositoryError
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sequential import CHANGED, INCONCLUSIVE, Gate, Verdict, settle

MOVED, AS_GOOD, UNDECIDED, SKIPPED = "moved", "as good", "undecided", "skipped"
HOME = Path(__file__).parents[2]


class CannotPlay(Exception):
    """A commit that cannot play the scenario, or not so that it can be compared; says why."""


@dataclass(frozen=True)
class SearchTerms:
    """How a search judges."""

    games: int | None = (
        None  # of each cell; None: as many as the good commit's baseline has, or its pace allows
    )
    seed: int | None = None
    alpha: float = 0.01
    beta: float = 0.05
    margin: float | None = None
    threads: int = 0


@dataclass(frozen=True)
class CommitVerdict:
    """What was found of one commit, and in which cell and seat that is seen most clearly."""

    commit: Commit
    word: str
    why: str = ""
    cell: str = ""
    seat: int | None = None
    difference: Estimate | None = None
    was: float = 0.0
    now: float = 0.0


@dataclass
class Search:
    """The commits between a good one and one that plays otherwise, and what is known of them."""

    scenario: str
    good: Commit
    line: list[Commit]  # after the good one; the last is said to have moved
    steps: list[CommitVerdict] = field(default_factory=list)
    low: int = -1  # the last that is known to play as the good one
    high: int = 0  # the first that is known not to

    @property
    def found(self) -> Commit | None:
        return self.line[self.high] if self.moved and self.high - self.low == 1 else None

    @property
    def moved(self) -> bool:
        return any(step.word == MOVED for step in self.steps)

    @property
    def left(self) -> list[Commit]:
        """Those of which one moved the rate."""
        return self.line[self.low + 1 : self.high + 1] if self.moved else []

    def untried(self) -> int | None:
        """The commit that halves what is left; of those that could not be judged, a neighbour."""
        tried = {step.commit for step in self.steps}
        middle = (self.low + self.high) / 2
        between = [i for i in range(self.low + 1, self.high) if self.line[i] not in tried]
        return min(between, key=lambda i: abs(i - middle), default=None)


def bisect(
    name: str,
    good: str,
    bad: str = "HEAD",
    asked: SearchTerms | None = None,
    progress: Progress = silent,
) -> Search:
    """Search the commits after `good` up to `bad` for the first that does not play a scenario as `good` does."""
    file = load(name).file.resolve()
    repository = Repository.around(file)
    first, last = repository.commit(good), repository.commit(bad)
    line = repository.between(first, last)
    if not line:
        raise RepositoryError(f"{first.short} and {last.short} are the same commit")
    search = Search(name, first, line, high=len(line) - 1)
    play = Stage(repository, file, asked or SearchTerms())
    steps = 2 + log2(len(line))
    progress(str(first), 0.0)
    try:
        reference = play.played(first)
    except CannotPlay as why:
        raise RepositoryError(f"the good commit cannot play {name}: {why}") from None
    at: int | None = search.high
    while at is not None:
        progress(str(line[at]), min(0.95, (1 + len(search.steps)) / steps))
        step = play.judged(line[at], reference, 1 + sum(s.word != SKIPPED for s in search.steps))
        search.steps.append(step)
        if step.word == MOVED:
            search.high = at
        elif step.word == AS_GOOD:
            search.low = at
        at = search.untried() if search.moved else None
    return search


@dataclass
class Stage:
    """Where commits play: each in a folder of its own, the same games."""

    repository: Repository
    file: Path
    asked: SearchTerms
    reference: Baseline | None = None

    def judged(self, commit: Commit, good: Baseline, number: int) -> CommitVerdict:
        """The verdict on a commit, the `number`th comparison of the search."""
        try:
            return _worst(commit, self._verdicts(good, self.played(commit), number))
        except CannotPlay as why:
            return CommitVerdict(commit, SKIPPED, str(why))

    def played(self, commit: Commit) -> Baseline:
        """The games of the scenario as it is in a commit, from the cache where they were played before."""
        kept = self._kept(commit)
        if kept is None or not kept.exists():
            made = self._play(commit)
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                atomic_files.write(kept, baselines.text(made))
        else:
            made = baselines.read(kept, str(commit))
        self.reference = self.reference or made
        return made

    def _kept(self, commit: Commit) -> Path | None:
        root = cache_root()
        what = "\n".join(
            [
                self.repository.tree(commit),
                self.repository.inside(self.file),
                *self._flags(),
                "" if self._of_hardmode else _code(),
            ]
        )
        return (
            root / "bisect" / f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.baseline"
            if root
            else None
        )

    def _flags(self) -> list[str]:
        """As many games as the good commit played, on the same luck."""
        games = self.reference.games if self.reference else self.asked.games
        seed = self.reference.seed if self.reference else self.asked.seed
        return [
            *(["--games", str(games)] if games is not None else []),
            *(["--seed", str(seed)] if seed is not None else []),
        ]

    @property
    def _of_hardmode(self) -> bool:
        """Whether the repository is hardmode's own, so that each commit plays by its own code."""
        return HOME.parent.resolve() == self.repository.root.resolve()

    def _play(self, commit: Commit) -> Baseline:
        with self.repository.checked_out(commit) as folder:
            file = folder / self.repository.inside(self.file)
            if not file.exists():
                raise CannotPlay("it has no such scenario")
            if self._of_hardmode and not (folder / "hardmode" / "__init__.py").exists():
                raise CannotPlay("it has no package hardmode")
            words = [
                "accept",
                str(file),
                "--reason",
                f"as in {commit.short}",
                "--threads",
                str(self.asked.threads),
            ]
            done = subprocess.run(
                [sys.executable, "-m", "hardmode", *words, *self._flags()],
                cwd=folder,
                env=self._environment(folder),
                capture_output=True,
                text=True,
                errors="replace",
            )
            if done.returncode:
                said = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
                raise CannotPlay(said.removeprefix("error: "))
            try:
                return baselines.read(baselines.place(file), str(commit))
            except BaselineError as why:
                raise CannotPlay(str(why)) from None

    def _environment(self, folder: Path) -> Mapping[str, str]:
        """With the games of one's own as they are in the commit, and nothing else changed."""
        root, changed = self.repository.root.resolve(), dict(os.environ)
        places = [
            Path(p).resolve() for p in os.environ.get("HARDMODE_PATH", "").split(os.pathsep) if p
        ]
        changed["HARDMODE_PATH"] = os.pathsep.join(
            str(folder / p.relative_to(root)) if p.is_relative_to(root) else str(p) for p in places
        )
        changed["PYTHONPATH"] = str(folder if self._of_hardmode else HOME.parent)
        return changed

    def _verdicts(
        self, good: Baseline, now: Baseline, number: int
    ) -> list[tuple[Accepted, int, Verdict, Pairs]]:
        then, here = [c.label for c in good.cells], [c.label for c in now.cells]
        if then != here or good.game != now.game or good.scheme != now.scheme:
            raise CannotPlay("its cells, its game or its draws are others than the good commit's")
        pairs = [
            (a, b, side)
            for a, b in zip(good.cells, now.cells, strict=True)
            for side in range(len(a.won))
        ]
        share = number * (number + 1)  # 1/2 + 1/6 + 1/12 + ... is 1
        margin = margin_of(good.looks, self.asked.beta / share, self.asked.margin)
        gate = Gate(
            self.asked.alpha, self.asked.beta / share, margin, good.looks, len(pairs) * share
        )
        alike = good.made_by.get("outcomes") == now.made_by.get("outcomes")
        seen = {
            i: [_pairs(a, b, side, n, alike) for n in good.looks]
            for i, (a, b, side) in enumerate(pairs)
        }
        found = settle(
            gate.looks, gate.judge, lambda n: {i: seen[i][good.looks.index(n)] for i in seen}
        )
        return [
            (pairs[i][0], pairs[i][2], verdict, seen[i][verdict.look])
            for i, verdict in found.items()
        ]


def _pairs(then: Accepted, now: Accepted, side: int, n: int, alike: bool) -> Pairs:
    was, is_ = then.won[side, :n], now.won[side, :n]
    gained, lost = int((is_ & ~was).sum()), int((was & ~is_).sum())
    same = alike and then.outcomes.get(str(n)) == now.outcomes.get(str(n)) is not None
    return Pairs(n, gained, lost, 0 if same else max(1, gained + lost))


def _worst(
    commit: Commit, verdicts: Sequence[tuple[Accepted, int, Verdict, Pairs]]
) -> CommitVerdict:
    """The step of a commit, by the cell that says most."""

    def rank(one: tuple[Accepted, int, Verdict, Pairs]) -> tuple[Any, ...]:
        return one[2].word == CHANGED, one[2].word == INCONCLUSIVE, abs(one[2].estimate.value)

    cell, side, verdict, seen = max(verdicts, key=rank)
    word = {CHANGED: MOVED, INCONCLUSIVE: UNDECIDED}.get(verdict.word, AS_GOOD)
    was = float(cell.won[side, : seen.games].mean())
    return CommitVerdict(
        commit,
        word,
        "",
        cell.cell,
        side if len(cell.won) > 1 else None,
        verdict.estimate,
        was,
        was + float(seen.value),
    )


def _code() -> str:
    """A digest of the installed package, for scenarios that other people's repositories hold."""
    whole = hashlib.sha256()
    for folder, _, names in sorted(os.walk(HOME, followlinks=True)):
        for name in sorted(names):
            if name.endswith((".py", ".yaml", ".json")):
                whole.update(Path(folder, name).read_bytes())
    return whole.hexdigest()
