"""Log of a training, by which an interrupted one is resumed bit for bit.

Training is deterministic given its evaluation results. The log holds each result. Resuming runs the
training again with the logged results, and continues where they end. Each line has a checksum:
where one is damaged or incomplete, it and those after it are computed again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import FileFormat
from hardmode.studies.core.budget import Stopwatch

CHECKSUM_LENGTH = 16  # hexadecimal digits
REPLAY_LOG = FileFormat("the journal of a training", r'\{"hardmode": "training"')


def replay_log_path(player: Path) -> Path:
    """Return the path of the log while the training of a player file is not finished."""
    return player.with_suffix(".training")


class ReplayLog:
    """Results of a training so far, in a file or in memory alone.

    Attributes:
        path: The file, if there is one.
        earlier_seconds: Time that earlier commands spent on the same training.
    """

    def __init__(self, path: Path | None = None, training: str = "") -> None:
        """Open the log of the training with a digest; a log of another one is begun anew."""
        self.path, self.earlier_seconds = path, 0.0
        self._known: list[Any] = []  # results that have not been asked for yet
        self._n_written = 0
        self._head = json.dumps({"hardmode": "training", "training": training})
        self._stopwatch = Stopwatch()
        if path:
            atomic_files.check_writable(path, REPLAY_LOG)
            self._read(path)

    def _read(self, path: Path) -> None:
        """Read the undamaged lines of the same training, and drop the others from the file."""
        lines = path.read_text("utf-8", "replace").split("\n") if path.exists() else [""]
        valid: list[str] = []
        for line in lines[1:] if lines[0] == self._head else ():
            text = line[: -CHECKSUM_LENGTH - 1]
            if line != self._format_line(len(valid), text):
                break
            valid.append(line)
            self._known.append(json.loads(text))
        if self._known:
            self.earlier_seconds = self._known[-1][0]
        self._n_written = len(valid)
        atomic_files.write_atomically(path, "\n".join([self._head, *valid]) + "\n")

    def _format_line(self, number: int, text: str) -> str:
        """Return a line of the file: the text, and a checksum of it and of its place."""
        digest = hashlib.sha256(f"{self._head} {number} {text}".encode()).hexdigest()
        return f"{text} {digest[:CHECKSUM_LENGTH]}"

    @property
    def has_next(self) -> bool:
        """True if the next result is known."""
        return bool(self._known)

    @property
    def seconds(self) -> float:
        """Time spent on this training, by all commands that worked on it."""
        return self.earlier_seconds + self._stopwatch.elapsed

    def start_clock(self) -> None:
        """Count time from now on: what was compiled before does not count."""
        self._stopwatch.restart()

    def get_or_compute(self, compute: Callable[[], Any]) -> Any:
        """Return the next result from the log, or compute and log it."""
        if self._known:
            return self._known.pop(0)[1]
        result = compute()
        if self.path:
            text = json.dumps([round(self.seconds, 3), result])
            line = self._format_line(self._n_written, text)
            with atomic_files.convert_os_errors(self.path):
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")
            self._n_written += 1
        return result

    def delete(self) -> None:
        """Delete the file: the training is finished."""
        if self.path:
            self.path.unlink(missing_ok=True)
