"""Options that let any command that plays games play them on a Dask cluster."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

PANEL = "Cluster"
ADDRESS_VARIABLE = "HARDMODE_ON"
TLS_VARIABLES = {
    "tls_ca": "HARDMODE_TLS_CA",
    "tls_cert": "HARDMODE_TLS_CERT",
    "tls_key": "HARDMODE_TLS_KEY",
}
TLS_HELP = {
    "tls_ca": "The certificate of the authority, for a tls:// address.",
    "tls_cert": "Your certificate, for a tls:// address.",
    "tls_key": "The key of your certificate, for a tls:// address.",
}
AddressOption = Annotated[
    str,
    typer.Option(
        "--cluster",
        envvar=ADDRESS_VARIABLE,
        metavar="ADDRESS",
        rich_help_panel=PANEL,
        help="Play on a Dask cluster. The address is tcp://HOST:8786, a scheduler file, or local:4 "
        "for four processes on this machine.",
    ),
]


def make_tls_option(name: str) -> Any:
    """Return the option for one file of the TLS configuration."""
    option = typer.Option(
        f"--{name.replace('_', '-')}",
        envvar=TLS_VARIABLES[name],
        metavar="FILE",
        exists=True,
        dir_okay=False,
        rich_help_panel=PANEL,
        help=TLS_HELP[name],
    )
    return Annotated[Path | None, option]


OPTIONS = {"cluster": AddressOption, **{name: make_tls_option(name) for name in TLS_VARIABLES}}


@contextmanager
def set_environment(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables, for processes that a command starts, and restore them."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def make_security(**files: Path | None) -> Any:
    """Return Dask's TLS configuration, or None without files; then Dask's own settings apply.

    Args:
        **files: The files by the name of the option.
    """
    paths = {name: str(path) for name, path in files.items() if path}
    if not paths:
        return None
    from hardmode.studies.cluster.connection import require_dask

    require_dask()
    from distributed.security import Security

    arguments = {"tls_ca_file": paths.get("tls_ca")}
    for role in ("client", "scheduler", "worker"):
        arguments[f"tls_{role}_cert"] = paths.get("tls_cert")
        arguments[f"tls_{role}_key"] = paths.get("tls_key")
    return Security(require_encryption=True, **arguments)


def with_cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the cluster options to a command that takes `threads`. Return others unchanged.

    The command itself knows nothing of clusters: while it runs, the cluster takes the place of
    the threads.
    """
    if "threads" not in inspect.signature(command).parameters:
        return command

    @wraps(command)
    def run_on_cluster(
        *,
        cluster: str,
        tls_ca: Path | None,
        tls_cert: Path | None,
        tls_key: Path | None,
        **arguments: Any,
    ) -> None:
        if not cluster:
            command(**arguments)
            return
        from hardmode.studies.cluster.connection import use_cluster

        files = {"tls_ca": tls_ca, "tls_cert": tls_cert, "tls_key": tls_key}
        variables = {ADDRESS_VARIABLE: cluster}
        for name, file in files.items():
            if file:
                variables[TLS_VARIABLES[name]] = str(file)
        with use_cluster(cluster, make_security(**files)), set_environment(variables):
            command(**arguments)

    hints = {**get_type_hints(command, include_extras=True), **OPTIONS}
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        parameter.replace(annotation=hints[name], kind=keyword)
        for name, parameter in inspect.signature(command).parameters.items()
    ]
    for name, hint in OPTIONS.items():
        default = "" if name == "cluster" else None
        parameters.append(inspect.Parameter(name, keyword, annotation=hint, default=default))
    vars(run_on_cluster)["__signature__"] = inspect.Signature(parameters)
    run_on_cluster.__annotations__ = hints
    return run_on_cluster
