"""The options that commands have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import real, whole


def _scenarios(incomplete: str) -> list[str]:
    """What a shell offers: the shipped names. It offers files by itself when there is none."""
    from hardmode.scenarios.load import files

    return [name for name in files() if name.startswith(incomplete)]


Scenario = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO",
        help="A scenario file, or a shipped name such as GAME/standard (see hardmode list).",
        autocompletion=_scenarios,
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change a number, as in boss.hp=+1. May be repeated."
    ),
]
Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy", metavar="NAME", help="Who plays: one for all, or one per seat in order."
    ),
]
SlipShares = Annotated[
    list[str] | None,
    typer.Option(
        "--slips",
        metavar="SHARE",
        help="The share of decisions that "
        "players get wrong: 20%, or 20%:beginner for who chooses then; "
        "one for all, or one per seat.",
    ),
]
Seats = Annotated[
    int | None,
    typer.Option("--players", parser=whole(-99, 99), metavar="N", help="Number of players."),
]
Box = Annotated[
    Path | None,
    typer.Option(
        "--box",
        metavar="FILE",
        help="A box of one's own, laid over the shipped one: see hardmode new box.",
    ),
]
As = Annotated[
    Path | None,
    typer.Option(
        "--as",
        metavar="FIT",
        help="As those play who were fitted: a file of "
        "hardmode fit. Level and unknown numbers are then theirs, with their band.",
    ),
]
Xlsx = Annotated[
    Path | None,
    typer.Option(
        "--xlsx", metavar="FILE", help="Write the tables as a workbook too, a sheet for each."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        help="The luck: the same seed is the same games. (default: the scenario's, or 1)",
        parser=whole(0, 2**63 - 1),
        metavar="N",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, and nothing else.")]
Threads = Annotated[
    int,
    typer.Option(
        help="Threads; 0 is one per core.", parser=whole(0, 10**6), metavar="N", show_default=False
    ),
]
Confidence = Annotated[
    float, typer.Option(help="Of every interval.", parser=real(0.5, 0.9999), metavar="SHARE")
]

# Of compare: what B has that A has not, and what is looked at besides.
SetsOfB = Annotated[
    list[str] | None,
    typer.Option(
        "--set-b", metavar="PATH=VALUE", help="Change a number in B alone. May be repeated."
    ),
]
StrategiesOfB = Annotated[
    list[str] | None, typer.Option("--strategy-b", metavar="NAME", help="Who plays B.")
]
SlipSharesOfB = Annotated[
    list[str] | None, typer.Option("--slips-b", metavar="SHARE", help="The slips in B.")
]
BoxOfB = Annotated[
    Path | None, typer.Option("--box-b", metavar="FILE", help="The box of one's own of B alone.")
]
ByLevel = Annotated[
    bool,
    typer.Option("--levels", help="Also at every rung of the ladder, and over the slips scale."),
]
Adapting = Annotated[
    bool, typer.Option("--adapt", help="Also with players trained for A and for B.")
]
Adapted = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        "--adapted",
        metavar="A.yaml B.yaml",
        help="The same with two player files, instead of training.",
    ),
]
Keep = Annotated[
    Path | None,
    typer.Option(
        "--keep",
        metavar="FOLDER",
        help="The same, with the players kept here: none that lies there already is trained again.",
    ),
]
Doubting = Annotated[
    bool,
    typer.Option("--doubts", help="Also in how many plausible boxes the difference has its sign."),
]
SecondsOfMore = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        help="For --levels and --doubts (default 30), and for --adapt (default 60).",
        parser=real(1, 10**7),
        metavar="S",
    ),
]
Generations = Annotated[
    int | None,
    typer.Option(
        "--generations",
        help="For --adapt: of each training, instead.",
        parser=whole(1, 10**6),
        metavar="N",
    ),
]
