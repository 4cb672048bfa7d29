"""Connection to a Dask scheduler, or to worker processes that are started on this machine."""

from __future__ import annotations

import importlib.util
import json
import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardmode.sim.extras import explain_missing_extra
from hardmode.sim.messages import warn_once
from hardmode.sim.play.backends import use_backend
from hardmode.studies.cluster.errors import ClusterError

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

LOCAL = re.compile(r"local:([1-9][0-9]{0,2})")
CONNECT_SECONDS = 15.0  # in which a scheduler must answer
FIRST_WORKER_SECONDS = 600.0  # for which the first worker is awaited
REPLACE_MILLISECONDS = 5000.0  # after which processes of this machine that were lost are replaced


@contextmanager
def use_cluster(address: str, security: Security | None = None) -> Iterator[Client]:
    """Play all games of the block on the workers of a cluster.

    Args:
        address: Address of a Dask scheduler, path of a scheduler file, or `local:4` for four
            processes of this machine. With the last, a script must guard its own code by
            `if __name__ == "__main__":`.
        security: TLS configuration of Dask; by default Dask's own configuration applies.

    Yields:
        Dask's client. It is closed at the end, with the processes that were started for it.

    Raises:
        ClusterError: Dask is not installed, no scheduler answers, or it gets no worker.

    Example:
        >>> with hardmode.on("tcp://host:8786"):
        ...     results = hardmode.play("run_run_run/standard", games=10**7)
    """
    require_dask()
    from distributed import Client
    from distributed.utils import silence_logging_cmgr

    from hardmode.studies.cluster.backend import DaskBackend

    with ExitStack() as stack:
        for logger in ("distributed", "distributed.client"):  # errors are raised with a message
            stack.enter_context(silence_logging_cmgr(logging.CRITICAL, logger))
        scheduler: Any = address
        if local := LOCAL.fullmatch(address):
            scheduler = stack.enter_context(_start_processes(int(local[1]), security))
        try:
            if Path(address).is_file():
                scheduler = json.loads(Path(address).read_bytes())["address"]
            client = Client(
                scheduler, security=security, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, TypeError, KeyError) as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise ClusterError(
                f"{address!r}: no scheduler answers: {reason}; write tcp://HOST:8786, the path of "
                "a scheduler file, or local:4 for four processes of this machine"
            ) from error
        stack.enter_context(client)
        if not client.nthreads():
            warn_once(f"{address} has no workers yet; waiting for one")
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER_SECONDS)
        except TimeoutError as error:
            message = f"{address} had no worker for {FIRST_WORKER_SECONDS:.0f} seconds"
            raise ClusterError(message) from error
        stack.enter_context(use_backend(DaskBackend(client, address)))
        yield client


def require_dask() -> None:
    """Raise a `ClusterError` if Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError(explain_missing_extra("to play on a cluster", "distributed", "cluster"))


@contextmanager
def _start_processes(n: int, security: Security | None) -> Iterator[Any]:
    """Start a cluster of processes of this machine, closed to other machines.

    Dask replaces a process that dies, but not one that dies while it starts; so their number is
    asked for again from time to time.
    """
    from distributed import LocalCluster
    from tornado.ioloop import PeriodicCallback

    with LocalCluster(
        n_workers=n,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        security=security,
    ) as cluster:
        replacing = PeriodicCallback(lambda: cluster.scale(n), REPLACE_MILLISECONDS)
        cluster.loop.add_callback(replacing.start)
        try:
            yield cluster
        finally:
            cluster.loop.add_callback(replacing.stop)
