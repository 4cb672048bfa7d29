"""What a training has learnt so far, kept beside its player file, so that the same command goes on after Ctrl-C.

A training is a chain of questions to luck. Their answers are written down as they come; who goes on asks them again,
is told the answers, and stands where the other stopped, to the bit. Each answer is sealed: where one is damaged or half
written, it and those after it are asked again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import Kind

SEALED = 17  # letters that seal a line, with the space before them
JOURNAL = Kind("the journal of a training", r'\{"hardmode": "training"')


def path_of(player: Path) -> Path:
    """Where the journal of a player file lies while its training is not finished."""
    return player.with_suffix(".training")


class Journal:
    """The answers so far, in a file or in memory alone."""

    def __init__(self, path: Path | None = None, training: str = "") -> None:
        self.path, self.before = path, 0.0
        self._answers: list[Any] = []
        self._written = 0  # how many answers the file holds
        self._head = json.dumps({"hardmode": "training", "training": training})
        self._began = time.perf_counter()
        if path:
            atomic_files.ready(path, JOURNAL)
            self._read(path)

    def _read(self, path: Path) -> None:
        """The answers of the same training; those of another are not kept."""
        head, *lines = path.read_text("utf-8", "replace").split("\n") if path.exists() else [""]
        whole: list[str] = []
        for line in lines if head == self._head else ():
            text = line[:-SEALED]
            if line != self._sealed(len(whole), text):
                break
            whole.append(line)
            self._answers.append(json.loads(text))
        self.before = self._answers[-1][0] if self._answers else 0.0
        self._written = len(whole)
        atomic_files.write(path, "\n".join([self._head, *whole]) + "\n")

    def _sealed(self, number: int, text: str) -> str:
        """A line of the file, with what tells that it is as it was written, and in its place."""
        seal = hashlib.sha256(f"{self._head} {number} {text}".encode()).hexdigest()
        return f"{text} {seal[: SEALED - 1]}"

    @property
    def remembers(self) -> bool:
        """Whether the next answer is known."""
        return bool(self._answers)

    @property
    def seconds(self) -> float:
        """Spent on this training, by all commands that worked on it."""
        return self.before + time.perf_counter() - self._began

    def begin(self) -> None:
        """From here on the time counts."""
        self._began = time.perf_counter()

    def answer(self, ask: Callable[[], Any]) -> Any:
        """The answer to the next question, which is asked if it is not known."""
        if self._answers:
            return self._answers.pop(0)[1]
        answer = ask()
        if self.path:
            with atomic_files.refusing(self.path), self.path.open("a", encoding="utf-8") as file:
                file.write(
                    self._sealed(self._written, json.dumps([round(self.seconds, 3), answer])) + "\n"
                )
                self._written += 1
        return answer

    def close(self) -> None:
        """The training is finished: nothing is left to go on from."""
        if self.path:
            self.path.unlink(missing_ok=True)
