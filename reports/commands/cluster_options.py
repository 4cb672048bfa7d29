"""The options by which every command that plays is played by a cluster; the commands themselves know nothing of it."""

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
ON = "HARDMODE_ON"
TLS = {"tls_ca": "HARDMODE_TLS_CA", "tls_cert": "HARDMODE_TLS_CERT", "tls_key": "HARDMODE_TLS_KEY"}
OPTIONS = {
    "on": Annotated[
        str,
        typer.Option(
            "--on",
            envvar=ON,
            metavar="ADDRESS",
            rich_help_panel=PANEL,
            help="Play on a "
            "Dask cluster: tcp://HOST:8786, a scheduler file, or local:4 for processes of "
            "this machine.",
        ),
    ],
    **{
        name: Annotated[
            Path | None,
            typer.Option(
                f"--{name.replace('_', '-')}",
                envvar=variable,
                metavar="FILE",
                rich_help_panel=PANEL,
                help=f"For tls:// addresses: {what}.",
            ),
        ]
        for (name, variable), what in zip(
            TLS.items(),
            ("the certificate of the authority", "one's certificate", "the key of that"),
            strict=True,
        )
    },
}


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """What processes that a command begins find in their environment."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            os.environ |= {name: value} if value is not None else {}


def playing_on(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes threads, with what says that others play in their place; any other as it is."""
    if "threads" not in inspect.signature(command).parameters:
        return command

    @wraps(command)
    def played(
        *, on: str, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **given: Any
    ) -> None:
        if not on:
            command(**given)
            return
        from hardmode.studies.cluster.connection import Security
        from hardmode.studies.cluster.on import on as played_on

        tls = {"tls_ca": tls_ca, "tls_cert": tls_cert, "tls_key": tls_key}
        with (
            played_on(on, Security(tls_ca, tls_cert, tls_key)),
            _environment({ON: on, **{TLS[name]: str(file) for name, file in tls.items() if file}}),
        ):
            command(**given)

    hints = {**get_type_hints(command, include_extras=True), **OPTIONS}
    own = [
        one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, one in inspect.signature(command).parameters.items()
    ]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=hint,
            default="" if name == "on" else None,
        )
        for name, hint in OPTIONS.items()
    ]
    vars(played)["__signature__"] = inspect.Signature([*own, *added])
    played.__annotations__ = hints
    return played
