"""What commands have in common on the command line: their options, and how a number is written there."""

from __future__ import annotations

from typing import Annotated

import typer


def count(text: str) -> int:
    """A number of games: 2000, 50k, 1.5M."""
    scale = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(text[-1:].lower(), 1)
    try:
        number = round(float(text[:-1] if scale > 1 else text) * scale)
    except ValueError:
        number = 0
    if number < 1:
        raise typer.BadParameter(f"{text!r} is no number of games; write for example 2000, 50k or 1M")
    return number


def share(text: str) -> float:
    """A precision in points of win rate: 0.2%, or 0.002."""
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 0.5:
        raise typer.BadParameter(f"{text!r} is no precision; write for example 0.2%")
    return value


Scenario = Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or a shipped name "
                                         "such as run_run_run/standard (see hardmode list).")]
Sets = Annotated[list[str] | None, typer.Option("--set", metavar="PATH=VALUE",
                                                help="Change a number, as in boss.hp=+1. May be repeated.")]
Strategies = Annotated[list[str] | None, typer.Option("--strategy", metavar="NAME",
                                                      help="Who plays: one for all, or one per seat in order.")]
Seats = Annotated[int | None, typer.Option("--players", help="Number of players.")]
Seed = Annotated[int | None, typer.Option(help="The luck: the same seed is the same games. (default: the "
                                          "scenario's, or 1)", min=0, max=2**63 - 1)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, and nothing else.")]
Threads = Annotated[int, typer.Option(help="Threads; 0 is one per core.", min=0, show_default=False)]
Confidence = Annotated[float, typer.Option(help="Of every interval.", min=0.5, max=0.9999)]
