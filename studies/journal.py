"""What a training has learnt so far, kept beside its player file, so that the same command goes on after Ctrl-C.

A training is a chain of questions to luck. Their answers are written down as they come; who goes on asks them again,
is told the answers, and stands where the other stopped, to the bit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardmode.sim import outputs
from hardmode.sim.outputs import Kind

JOURNAL = Kind("the journal of a training", r'\{"hardmode": "training"')


def path_of(player: Path) -> Path:
    """Where the journal of a player file lies while its training is not finished."""
    return player.with_suffix(".training")


class Journal:
    """The answers so far, in a file or in memory alone."""

    def __init__(self, path: Path | None = None, training: str = "") -> None:
        self.path, self.before = path, 0.0
        self._answers: list[Any] = []
        self._head = json.dumps({"hardmode": "training", "training": training})
        self._began = time.perf_counter()
        if path:
            outputs.ready(path, JOURNAL)
            self._read(path)

    def _read(self, path: Path) -> None:
        """The answers of the same training; those of another are not kept."""
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        whole = [line for line in lines if line.endswith("]") or line.endswith("}")]  # the last may be half written
        if not whole or whole[0] != self._head:
            outputs.write(path, self._head + "\n")
            return
        self._answers = [json.loads(line) for line in whole[1:]]
        self.before = self._answers[-1][0] if self._answers else 0.0
        outputs.write(path, "\n".join(whole) + "\n")

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
            with outputs.refusing(self.path), self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([round(self.seconds, 3), answer]) + "\n")
        return answer

    def close(self) -> None:
        """The training is finished: nothing is left to go on from."""
        if self.path:
            self.path.unlink(missing_ok=True)
