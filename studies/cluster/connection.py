"""Connection to a Dask scheduler or to local worker processes, restored if it is lost."""

from __future__ import annotations

import atexit
import importlib.util
import json
import logging
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hardmode.sim.messages import warn_once
from hardmode.studies.cluster.payload import ClusterError

LOCAL = "local:"
SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "inproc://", "ucx://")
MAX_LOCAL_PROCESSES = 256
CONNECT_SECONDS = 15.0  # in which a scheduler must answer at first
ATTEMPT_SECONDS = 10.0  # of one attempt to connect
RETRY_SECONDS = 0.5  # between attempts
IDENTITY_SECONDS = 15.0  # in which a scheduler must answer later, or it counts as lost
RECONNECT_SECONDS = 300.0  # in which a lost scheduler must be back
NO_WORKER_SECONDS = 600.0  # for which workers are awaited
WORKER_LIST_SECONDS = 1.0  # for which the list of workers is valid


@dataclass(frozen=True)
class Security:
    """TLS files; without them, Dask's own configuration applies."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def __post_init__(self) -> None:
        """Check that the files exist."""
        for path in (self.ca, self.cert, self.key):
            if path and not os.path.isfile(path):
                raise ClusterError(f"{path}: no such file")

    def to_dask(self) -> Any:
        """Return Dask's object for these files, or None without files."""
        from distributed.security import Security as DaskSecurity

        if not (self.ca or self.cert or self.key):
            return None
        ca, cert, key = (str(path) if path else None for path in (self.ca, self.cert, self.key))
        return DaskSecurity(
            tls_ca_file=ca,
            tls_client_cert=cert,
            tls_client_key=key,
            tls_scheduler_cert=cert,
            tls_scheduler_key=key,
            tls_worker_cert=cert,
            tls_worker_key=key,
            require_encryption=True,
        )


class ClusterConnection:
    """Connection that is made when it is first needed, and made again when it breaks.

    Args:
        address: Address of a scheduler, path of a scheduler file, or `local:N`.
        security: TLS files.
    """

    def __init__(self, address: str, security: Security | None = None) -> None:
        self.address = validate_address(address)
        self.security = security or Security()
        self.excluded: dict[str, str] = {}  # workers that get no tasks, and why
        self._workers_at: tuple[float, dict[str, Any]] = (0.0, {})  # time and list of workers
        self._workers_seen: set[str] = set()
        self._without_workers_since = 0.0

    @cached_property
    def client(self) -> Any:
        """Dask's client."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            client = self._connect(CONNECT_SECONDS)
        atexit.register(self.close)
        return client

    def count_threads(self) -> int:
        """Return how many tasks the workers play at the same time."""
        return sum(info["nthreads"] for info in self._get_workers().values())

    def list_workers(self) -> list[str]:
        """Return the addresses of workers that are not excluded.

        Raises:
            ClusterError: There has been none for too long, or all are excluded.
        """
        return list(self._get_workers())

    def has_idle_worker(self) -> bool:
        """Return whether some worker has nothing to do."""
        workers = self._get_workers().values()
        return any(not info.get("metrics", {}).get("executing") for info in workers)

    def exclude_worker(self, address: str, reason: str) -> None:
        """Send no more tasks to a worker."""
        if address not in self.excluded:
            self.excluded[address] = reason
            warn_once(f"the worker {address} is not asked: {reason}")

    def cancel_futures(self, futures: Sequence[Any]) -> None:
        """Cancel and release futures, without connecting for it."""
        client = vars(self).get("client")
        if futures and client and client.status == "running":
            with suppress(Exception):
                client.cancel([future for future in futures if not future.done()], force=True)
        for future in futures:
            with suppress(Exception):
                future.release()

    def reconnect_if_lost(self, is_stopped: Callable[[], bool]) -> bool:
        """Connect again if the scheduler is lost, and return whether it was.

        A new scheduler does not know the tasks of the old one.

        Args:
            is_stopped: Returns whether to stop waiting, which raises KeyboardInterrupt.
        """
        if self.client.status == "running" and self._ask_scheduler(0) is not None:
            return False
        warn_once(f"the scheduler at {self.address} is gone; waiting for it")
        lost_client = vars(self).pop("client")
        with suppress(Exception):
            lost_client.close(timeout=1)
        vars(self)["client"] = self._connect(RECONNECT_SECONDS, is_stopped)
        self._workers_at = (0.0, {})
        return True

    def close(self) -> None:
        """Close the connection, and end worker processes of this machine."""
        client = vars(self).pop("client", None)
        cluster = vars(self).pop("_cluster", None)
        for resource in (client, cluster):
            with suppress(Exception):
                if resource:
                    resource.close(timeout=5)

    def _ask_scheduler(self, n_workers: int) -> dict[str, Any] | None:
        """Return what the scheduler knows of itself and some workers, or None if it is lost."""
        try:
            return self.client.sync(
                self.client.scheduler.identity,
                n_workers=n_workers,
                callback_timeout=IDENTITY_SECONDS,
            )
        except ClusterError:
            raise
        except Exception:  # whatever Dask raises if a scheduler does not answer
            return None

    def _get_workers(self) -> dict[str, Any]:
        """Return Dask's information on the workers that are not excluded, by address."""
        time_listed, workers = self._workers_at
        if time.monotonic() - time_listed > WORKER_LIST_SECONDS:
            identity = self._ask_scheduler(-1)
            workers = identity["workers"] if identity else workers
            self._workers_at = (time.monotonic(), workers)
            self._workers_seen |= set(workers)
            self._replace_dead_processes(len(workers))
            self._check_workers(workers)
        return {address: info for address, info in workers.items() if address not in self.excluded}

    def _check_workers(self, addresses: Collection[str]) -> None:
        """Warn if there is no worker to use, and raise an error in the end."""
        minutes = f"{NO_WORKER_SECONDS / 60:.0f} minutes"
        if set(addresses) - set(self.excluded):
            self._without_workers_since = 0.0
        elif self._workers_seen and self._workers_seen <= set(self.excluded):
            reasons = "; ".join(f"{address}: {why}" for address, why in self.excluded.items())
            message = f"no worker of {self.address} plays the same games as here: {reasons}"
            raise ClusterError(message)
        elif not self._without_workers_since:
            self._without_workers_since = time.monotonic()
            warn_once(f"{self.address} has no workers now; waiting for them, {minutes} at most")
        elif time.monotonic() - self._without_workers_since > NO_WORKER_SECONDS:
            raise ClusterError(f"{self.address} has had no worker for {minutes}")

    def _replace_dead_processes(self, n_workers: int) -> None:
        """Start worker processes in place of those that Dask has given up."""
        cluster = vars(self).get("_cluster")
        if cluster is None or n_workers >= self._n_processes:
            return
        for name, nanny in list(cluster.workers.items()):
            if nanny.status.name in ("closed", "failed"):
                cluster.workers.pop(name, None)
        cluster.scale(self._n_processes)

    @property
    def _n_processes(self) -> int:
        return int(self.address.removeprefix(LOCAL))

    def _connect(self, max_seconds: float, is_stopped: Callable[[], bool] = lambda: False) -> Any:
        """Return a client, after several attempts if necessary."""
        from distributed import Client

        for logger in ("distributed", "distributed.client"):  # the second has its own level
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        security = self.security.to_dask()
        last_error = ""
        deadline = time.monotonic() + max_seconds
        while time.monotonic() < deadline:
            try:
                return Client(
                    security=security,
                    timeout=min(ATTEMPT_SECONDS, max_seconds),
                    set_as_default=False,
                    **self._get_client_address(),
                )
            except (OSError, TimeoutError, ValueError) as error:
                last_error = str(error) or type(error).__name__
                if is_stopped():
                    raise KeyboardInterrupt from None
                time.sleep(RETRY_SECONDS)
        reason = last_error.splitlines()[0]
        raise ClusterError(f"{self.address}: no scheduler answers: {reason}")

    def _get_client_address(self) -> dict[str, Any]:
        """Return the arguments of Dask's client that say where the scheduler is."""
        if self.address.startswith(LOCAL):
            return {"address": self._cluster}
        if self.address.startswith(SCHEMES):
            return {"address": self.address}
        return {"scheduler_file": self.address}

    @cached_property
    def _cluster(self) -> Any:
        """Worker processes of this machine, which cannot be reached from outside."""
        from distributed import LocalCluster

        with _ignore_interrupts():
            return LocalCluster(
                n_workers=self._n_processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
                security=self.security.to_dask(),
            )


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Let processes that are started meanwhile ignore Ctrl-C, which a terminal sends to all.

    So the games that they are playing are counted before the command ends.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def validate_address(address: str) -> str:
    """Return an address if it is a valid one.

    Raises:
        ClusterError: It is not, or Dask is not installed.
    """
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError('to play on a cluster, install Dask: pip install "hardmode[cluster]"')
    if not address.isprintable():
        raise ClusterError(
            f"{address!r} is no address of a scheduler; it contains characters that cannot be "
            "printed"
        )
    if address.startswith(LOCAL):
        count = address.removeprefix(LOCAL)
        is_number = count.isascii() and count.isdigit()
        if not is_number or not 1 <= int(count) <= MAX_LOCAL_PROCESSES:
            raise ClusterError(
                f"{address}: write {LOCAL}4 for four processes of this machine, at most "
                f"{MAX_LOCAL_PROCESSES}"
            )
        return address
    if address.startswith(SCHEMES) or _is_scheduler_file(address):
        return address
    choices = f"write tcp://HOST:8786, a scheduler file, or {LOCAL}4"
    if os.path.isfile(address):
        raise ClusterError(f"{address}: is no scheduler file of Dask; {choices}")
    if ":" in address:
        raise ClusterError(f"{address} is no address of a scheduler; {choices}")
    raise ClusterError(f"{address}: no such scheduler file; {choices}")


def _is_scheduler_file(path: str) -> bool:
    """Return whether a file is a scheduler file of Dask: JSON with the address of a scheduler."""
    try:
        content = json.loads(Path(path).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and "address" in content
