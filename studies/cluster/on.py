"""Context manager that plays all games on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from hardmode.sim.play.backends import use_backend
from hardmode.studies.cluster.connection import ClusterConnection

if TYPE_CHECKING:
    from distributed.security import Security


@contextmanager
def use_cluster(address: str, security: Security | None = None) -> Iterator[None]:
    """Play all games of the block on the workers of a cluster.

    Args:
        address: Address of a Dask scheduler, path of a scheduler file, or `local:4` for four
            processes of this machine. With the last, a script must guard its own code by
            `if __name__ == "__main__":`.
        security: TLS configuration of Dask; by default Dask's own configuration applies.

    Example:
        >>> with hardmode.on("tcp://host:8786"):
        ...     results = hardmode.play("run_run_run/standard", games=10**7)
    """
    with closing(ClusterConnection(address, security)) as connection:
        from hardmode.studies.cluster.backend import DaskBackend

        with use_backend(DaskBackend(connection)):
            yield
