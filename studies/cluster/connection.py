"""Connection to a Dask scheduler, or to worker processes that are started on this machine."""

from __future__ import annotations

import importlib.util
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardmode.sim.extras import explain_missing_extra
from hardmode.sim.messages import warn_once

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

LOCAL = "local:"
SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "inproc://", "ucx://")
CONNECT_SECONDS = 15.0  # in which a scheduler must answer
FIRST_WORKER_SECONDS = 600.0  # for which the first worker is awaited
ACCEPTED_WORKER_SECONDS = 30.0  # for which another worker is awaited after all were refused
POLL_SECONDS = 0.5


class ClusterError(Exception):
    """A cluster cannot be reached, or cannot play the games."""


class ClusterConnection:
    """Client of a cluster, and the workers that play the same games as this process.

    Args:
        address: Address of a scheduler, path of a scheduler file, or `local:N`.
        security: TLS configuration of Dask; None for the one in Dask's own configuration.

    Attributes:
        refused: Why a worker does not play the same games, by its address.

    Raises:
        ClusterError: The address is not valid, or Dask is not installed.
    """

    def __init__(self, address: str, security: Security | None = None) -> None:
        self.address = address
        self.refused: dict[str, str] = {}
        self._scheduler = find_scheduler(address)
        self._security = security
        self._sent_files: set[str] = set()
        self._resources = ExitStack()
        self._lock = threading.Lock()

    @property
    def client(self) -> Client:
        """Dask's client; the connection is made when it is first needed."""
        with self._lock:
            return self._client

    def refuse_worker(self, address: str, reason: str) -> None:
        """Send no more tasks to a worker that would not play the same games."""
        self.refused[address] = reason
        warn_once(f"the worker {address} gets no games: {reason}")

    def count_threads(self) -> int:
        """Return the number of tasks that all accepted workers play at the same time."""
        return max(1, sum(self._list_accepted().values()))

    def choose_workers(self) -> list[str] | None:
        """Return the workers to which a task may be sent, or None for all of them.

        Raises:
            ClusterError: All workers were refused, and no other one joined.
        """
        if not self.refused:
            return None
        deadline = time.monotonic() + ACCEPTED_WORKER_SECONDS
        while time.monotonic() < deadline:
            accepted = list(self._list_accepted())
            if accepted:
                return accepted
            time.sleep(POLL_SECONDS)
        reasons = "; ".join(f"{address}: {why}" for address, why in self.refused.items())
        raise ClusterError(f"no worker of {self.address} plays the same games: {reasons}")

    def send_file(self, path: Path) -> None:
        """Send a file to all workers, also to those that join later."""
        from distributed.diagnostics.plugin import UploadFile

        if path.name not in self._sent_files:
            upload = UploadFile(str(path), load=False)
            with self._explain_loss():
                try:
                    self.client.register_plugin(upload, path.name)
                except OSError:  # a worker died meanwhile
                    self.client.register_plugin(upload, path.name)
            self._sent_files.add(path.name)

    def make_loss_error(self) -> ClusterError:
        """Return the error of a command whose scheduler is lost."""
        return ClusterError(
            f"the connection to the scheduler at {self.address} was lost; with -o FILE, the same "
            "command continues with the games that were saved"
        )

    @contextmanager
    def _explain_loss(self) -> Iterator[None]:
        """Raise a `ClusterError` if the scheduler does not answer to the block."""
        try:
            yield
        except (OSError, TimeoutError) as error:
            raise self.make_loss_error() from error

    def close(self) -> None:
        """Close the connection, and end the worker processes that it started."""
        self._resources.close()
        vars(self).pop("_client", None)

    def _list_accepted(self) -> dict[str, int]:
        """Return the number of threads of each worker that was not refused, by address."""
        with self._explain_loss():
            threads = self.client.nthreads()
        return {address: n for address, n in threads.items() if address not in self.refused}

    @cached_property
    def _client(self) -> Client:
        from distributed import Client
        from distributed.utils import silence_logging_cmgr

        for logger in ("distributed", "distributed.client"):  # errors are raised with a message
            self._resources.enter_context(silence_logging_cmgr(logging.CRITICAL, logger))
        scheduler: Any = self._scheduler
        if self.address.startswith(LOCAL):
            scheduler = self._resources.enter_context(self._start_processes())
        try:
            client = Client(
                scheduler, security=self._security, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise ClusterError(f"{self.address}: no scheduler answers: {reason}") from error
        self._resources.enter_context(client)
        if not client.nthreads():
            warn_once(f"{self.address} has no workers yet; waiting for one")
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER_SECONDS)
        except TimeoutError as error:
            minutes = f"{FIRST_WORKER_SECONDS / 60:.0f} minutes"
            raise ClusterError(f"{self.address} had no worker for {minutes}") from error
        return client

    def _start_processes(self) -> Any:
        """Return a cluster of processes of this machine, closed to other machines."""
        from distributed import LocalCluster

        return LocalCluster(
            n_workers=int(self.address.removeprefix(LOCAL)),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            security=self._security,
        )


def find_scheduler(address: str) -> str:
    """Return the address of a scheduler, which a scheduler file holds, or `local:N` unchanged.

    Raises:
        ClusterError: It is no address, or Dask is not installed.
    """
    require_dask()
    if address.startswith(SCHEMES) or re.fullmatch(r"local:[1-9][0-9]{0,2}", address):
        return address
    try:
        return json.loads(Path(address).read_bytes())["address"]
    except (OSError, ValueError, TypeError, KeyError):
        raise ClusterError(
            f"{address!r} is neither the address of a scheduler nor a scheduler file of Dask; "
            f"write tcp://HOST:8786, the path of a scheduler file, or {LOCAL}4 for four processes "
            "of this machine"
        ) from None


def require_dask() -> None:
    """Raise a `ClusterError` if Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError(explain_missing_extra("to play on a cluster", "distributed", "cluster"))
