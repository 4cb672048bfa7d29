"""The way to a cluster: an address, a scheduler file, or workers of this machine; and the way back to it."""

from __future__ import annotations

import atexit
import importlib.util
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

from hardmode.studies.cluster.payload import ClusterError

LOCAL = "local:"
REACHED = 15.0  # seconds in which a scheduler must answer at first
TRIED = 10.0  # seconds of one attempt
HEARD = 15.0  # and in which it must say how it stands, or is taken for gone
RETURNS = 300.0  # seconds in which one that is gone must be back
ALONE = 600.0  # seconds for which workers are waited for where there are none
FRESH = 1.0  # seconds for which the number of workers is believed
MOST = 256  # processes of one machine
SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "inproc://", "ucx://")


@dataclass(frozen=True)
class Security:
    """Files of Dask's TLS; without them, Dask's own configuration holds."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def __post_init__(self) -> None:
        for path in (self.ca, self.cert, self.key):
            if path and not os.path.isfile(path):
                raise ClusterError(f"{path}: no such file")

    def made(self) -> Any:
        from distributed.security import Security as Dasks

        if not (self.ca or self.cert or self.key):
            return None
        return Dasks(
            tls_ca_file=_text(self.ca),
            tls_client_cert=_text(self.cert),
            tls_client_key=_text(self.key),
            tls_scheduler_cert=_text(self.cert),
            tls_scheduler_key=_text(self.key),
            tls_worker_cert=_text(self.cert),
            tls_worker_key=_text(self.key),
            require_encryption=True,
        )


def _text(path: Path | None) -> str | None:
    return str(path) if path else None


class Link:
    """A connection that is made when it is first needed, and made again when it breaks."""

    def __init__(self, address: str, security: Security | None = None) -> None:
        self.address, self.security = understood(address), security or Security()
        self.refused: dict[str, str] = {}  # workers that are not asked, and why
        self._known: tuple[float, dict[str, Any]] = (0.0, {})
        self._seen: set[str] = set()
        self._alone = 0.0  # since when there is nobody to ask

    @cached_property
    def client(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = self._connected(REACHED)
        atexit.register(self.close)
        return made

    def threads(self) -> int:
        """How many tasks its workers play side by side."""
        return sum(one["nthreads"] for one in self._workers().values())

    def workers(self) -> list[str]:
        """Those who may be asked. Where there are none they are waited for, but not for ever."""
        return list(self._workers())

    def idle(self) -> bool:
        """Whether some worker has nothing to do."""
        return any(not one.get("metrics", {}).get("executing") for one in self._workers().values())

    def refuse(self, address: str, why: str) -> None:
        """Ask a worker nothing more."""
        if address not in self.refused:
            self.refused[address] = why
            warnings.warn(f"the worker {address} is not asked: {why}", stacklevel=2)

    def drop(self, futures: Sequence[Any]) -> None:
        client = vars(self).get("client")  # where there is none, there is nobody to tell
        if futures and client and client.status == "running":
            with suppress(Exception):
                client.cancel([f for f in futures if not f.done()], force=True)
        for future in futures:
            with suppress(Exception):
                future.release()

    def renewed(self, stopped: Callable[[], bool]) -> bool:
        """Whether the scheduler was gone and is back; all that it knew is forgotten. Whoever stops it waits no more."""
        if self.client.status == "running" and self._told(0) is not None:
            return False
        warnings.warn(f"the scheduler at {self.address} is gone; waiting for it", stacklevel=2)
        old = vars(self).pop("client")
        with suppress(Exception):
            old.close(timeout=1)
        vars(self)["client"] = self._connected(RETURNS, stopped)
        self._known = (0.0, {})
        return True

    def close(self) -> None:
        client = vars(self).pop("client", None)
        cluster = vars(self).pop("_cluster", None)
        for one in (client, cluster):
            with suppress(Exception):
                if one:
                    one.close(timeout=5)

    def _told(self, workers: int) -> dict[str, Any] | None:
        """What the scheduler says of itself and of so many workers; nothing where it is gone."""
        try:
            return self.client.sync(
                self.client.scheduler.identity, n_workers=workers, callback_timeout=HEARD
            )
        except ClusterError:
            raise
        except Exception:  # whatever Dask makes of a scheduler that does not answer
            return None

    def _workers(self) -> dict[str, Any]:
        then, known = self._known
        if time.monotonic() - then > FRESH:
            told = self._told(-1)
            known = told["workers"] if told else known  # one that is gone is looked after elsewhere
            self._known = (time.monotonic(), known)
            self._seen |= set(known)
            self._replace(len(known))
            self._wait(known)
        return {address: one for address, one in known.items() if address not in self.refused}

    def _wait(self, known: Collection[str]) -> None:
        """Say so where there is nobody to ask, and give up in the end."""
        if set(known) - set(self.refused):
            self._alone = 0.0
        elif self._seen and self._seen <= set(self.refused):
            said = "; ".join(f"{address}: {why}" for address, why in self.refused.items())
            raise ClusterError(f"no worker of {self.address} plays the same games as here: {said}")
        elif not self._alone:
            self._alone = time.monotonic()
            warnings.warn(
                f"{self.address} has no workers now; waiting for them, {ALONE / 60:.0f} minutes at most",
                stacklevel=2,
            )
        elif time.monotonic() - self._alone > ALONE:
            raise ClusterError(f"{self.address} has had no worker for {ALONE / 60:.0f} minutes")

    def _replace(self, there: int) -> None:
        """Workers of this machine begin anew after a death; one that dies while it does so is given up by Dask, and
        replaced here."""
        cluster = vars(self).get("_cluster")
        if cluster is None or there >= self._processes:
            return
        for name, nanny in list(cluster.workers.items()):
            if nanny.status.name in ("closed", "failed"):
                cluster.workers.pop(name, None)
        cluster.scale(self._processes)

    @property
    def _processes(self) -> int:
        return int(self.address.removeprefix(LOCAL))

    def _connected(self, patience: float, stopped: Callable[[], bool] = lambda: False) -> Any:
        from distributed import Client

        for logger in ("distributed", "distributed.client"):  # which has a level of its own
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        security, last = self.security.made(), ""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                return Client(
                    security=security,
                    timeout=min(TRIED, patience),
                    set_as_default=False,
                    **self._where(),
                )
            except (OSError, TimeoutError, ValueError) as why:
                last = str(why) or type(why).__name__
                if stopped():
                    raise KeyboardInterrupt from None
                time.sleep(0.5)
        raise ClusterError(f"{self.address}: no scheduler answers: {last.splitlines()[0]}")

    def _where(self) -> dict[str, Any]:
        if self.address.startswith(LOCAL):
            return {"address": self._cluster}
        if self.address.startswith(SCHEMES):
            return {"address": self.address}
        return {"scheduler_file": self.address}

    @cached_property
    def _cluster(self) -> Any:
        """Processes of this machine, which nobody reaches from outside."""
        from distributed import LocalCluster

        with _unheard_ctrl_c():
            return LocalCluster(
                n_workers=self._processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
                security=self.security.made(),
            )


@contextmanager
def _unheard_ctrl_c() -> Iterator[None]:
    """Processes that are begun meanwhile do not hear Ctrl-C, which a terminal sends to all: what they play is counted
    before the command ends."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def understood(address: str) -> str:
    """An address that can be one; says what to install where Dask is not there."""
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError('to play on a cluster, install Dask: pip install "hardmode[cluster]"')
    if not address.isprintable():
        raise ClusterError(
            f"{address!r} is no address of a scheduler; it holds what cannot be printed"
        )
    count = address.removeprefix(LOCAL)
    if address.startswith(LOCAL) and not (
        count.isascii() and count.isdigit() and 1 <= int(count) <= MOST
    ):
        raise ClusterError(
            f"{address}: write {LOCAL}4 for four processes of this machine, at most {MOST}"
        )
    if address.startswith((*SCHEMES, LOCAL)) or os.path.isfile(
        address
    ):  # of a name that can be none: no
        return address
    if "://" in address or ":" in address:
        raise ClusterError(
            f"{address} is no address of a scheduler; write tcp://HOST:8786, a scheduler file, or "
            f"{LOCAL}4"
        )
    raise ClusterError(
        f"{address}: no such scheduler file; write tcp://HOST:8786, a scheduler file, or {LOCAL}4"
    )
