"""Playing on a cluster for a while, whatever is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardmode.sim.play.backends import standing_in
from hardmode.studies.cluster.backend import Hands
from hardmode.studies.cluster.connection import Link, Security


@contextmanager
def on(address: str, security: Security | None = None) -> Iterator[None]:
    """While this lasts, all games are played by the workers of a cluster: `with hardmode.on("tcp://host:8786"): ...`

    The address is that of a Dask scheduler, the path of a scheduler file, or `local:4` for four processes of this
    machine, for which a script must guard what it does by `if __name__ == "__main__":`.
    """
    link = Link(address, security)
    try:
        with standing_in(Hands(link)):
            yield
    finally:
        link.close()
