"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import (
    integer_between,
    number_between,
    parse_game_count,
    parse_precision,
)

MAX_SEED = 2**63 - 1


def complete_scenario_name(incomplete: str) -> list[str]:
    """Return the shipped scenario names that start with `incomplete`, for shell completion.

    Shells complete file names by themselves when this returns nothing.
    """
    from hardmode.scenarios.load import list_scenario_files

    return [name for name in list_scenario_files() if name.startswith(incomplete)]


ScenarioArgument = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO",
        help="A scenario file, or a shipped name such as GAME/standard (see hardmode list).",
        autocompletion=complete_scenario_name,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change one number of the box, as in boss.hp=+1. May be repeated.",
    ),
]
StrategyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="The strategy that plays: one for all seats, or one for each seat in order.",
    ),
]
MistakesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--mistakes",
        metavar="SHARE",
        help="The share of decisions that players get wrong: 20%, or 20%:beginner to let the "
        "beginner make them. Give one for all seats, or one for each seat in order.",
    ),
]
PlayersOption = Annotated[
    int | None,
    typer.Option(
        "--players", parser=integer_between(-99, 99), metavar="N", help="The number of players."
    ),
]
BoxOption = Annotated[
    Path | None,
    typer.Option(
        "--box",
        metavar="FILE",
        help="A file with the numbers of your own copy of the game. They replace those of the "
        "shipped box. hardmode new box writes such a file.",
    ),
]
FitOption = Annotated[
    Path | None,
    typer.Option(
        "--fit",
        metavar="FIT",
        help="A file that hardmode fit wrote. The players then play as well as the people whose "
        "games were fitted, and the unknown numbers take the fitted values.",
    ),
]
XlsxOption = Annotated[
    Path | None,
    typer.Option(
        "--xlsx",
        metavar="FILE",
        help="Also write the tables to this Excel workbook, one sheet for each table.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        help="The seed of the random draws. The same seed plays the same games. "
        "(default: the scenario's seed, or 1)",
        parser=integer_between(0, MAX_SEED),
        metavar="N",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the answer as one JSON value, and nothing else.")
]
DetailsOption = Annotated[
    bool,
    typer.Option(
        "--details",
        help="Also print how the answer was measured: the confidence of the intervals, the seed, "
        "and tables that explain the answer.",
    ),
]
ThreadsOption = Annotated[
    int,
    typer.Option(
        "--threads",
        help="The number of threads. 0 uses one thread per core.",
        parser=integer_between(0, 10**6),
        metavar="N",
        show_default=False,
    ),
]
ConfidenceOption = Annotated[
    float,
    typer.Option(
        "--confidence",
        help="The confidence level of the intervals.",
        parser=number_between(0.5, 0.9999),
        metavar="SHARE",
    ),
]
JointConfidenceOption = Annotated[
    float,
    typer.Option(
        "--confidence",
        help="The confidence level at which all intervals hold together.",
        parser=number_between(0.5, 0.9999),
        metavar="SHARE",
    ),
]
SecondsOption = Annotated[
    float,
    typer.Option(
        "--seconds",
        help="How long to play at most, in seconds.",
        parser=number_between(1, 10**7),
        metavar="S",
    ),
]
GameNumberOption = Annotated[
    int,
    typer.Option(
        "--game",
        help="The number of the game among the games of the seed. The first game is 0.",
        parser=integer_between(0),
        metavar="N",
    ),
]

# Options of the regression gate, shared by `check` and `bisect`.
MarginOption = Annotated[
    float | None,
    typer.Option(
        "--margin",
        parser=parse_precision,
        metavar="POINTS",
        help="Changes of the win rate smaller than this do not matter. "
        "(default: 1%, wider where few games are played)",
    ),
]
AcceptedGamesOption = Annotated[
    int | None,
    typer.Option(
        "--games",
        parser=parse_game_count,
        metavar="N",
        help="The number of games of each cell. (default: as many as the baseline has, or as "
        "many as the speed of the game allows)",
    ),
]

# Options of `compare`: how B differs from A, and what else is estimated.
SetOptionOfB = Annotated[
    list[str] | None,
    typer.Option(
        "--set-b", metavar="PATH=VALUE", help="Change one number in B only. May be repeated."
    ),
]
StrategyOptionOfB = Annotated[
    list[str] | None,
    typer.Option("--strategy-b", metavar="NAME", help="The strategy that plays B."),
]
MistakesOptionOfB = Annotated[
    list[str] | None,
    typer.Option(
        "--mistakes-b", metavar="SHARE", help="The share of decisions that players of B get wrong."
    ),
]
BoxOptionOfB = Annotated[
    Path | None,
    typer.Option(
        "--box-b", metavar="FILE", help="A file with the numbers of your own copy, for B only."
    ),
]
LevelsOption = Annotated[
    bool,
    typer.Option(
        "--levels",
        help="Also compare A and B at every skill level, and over a scale of mistake rates.",
    ),
]
AdaptOption = Annotated[
    bool,
    typer.Option(
        "--adapt", help="Also compare A and B with players that were trained for each of them."
    ),
]
RetrainOption = Annotated[
    int,
    typer.Option(
        "--retrain",
        help="The number of leading alternative readings of the rules for which trained is "
        "retrained and compared with steady and trained. Each takes 10 to 60 seconds of CPU time, "
        "once on a machine, beside --seconds.",
        parser=integer_between(0, 100),
        metavar="N",
    ),
]
AdaptedOption = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        "--adapted",
        metavar="A.yaml B.yaml",
        help="Do as --adapt does, with these two player files instead of training.",
    ),
]
PlayersDirOption = Annotated[
    Path | None,
    typer.Option(
        "--players-dir",
        metavar="FOLDER",
        help="Do as --adapt does, and keep the trained players in this folder. Players that are "
        "already there are used again.",
    ),
]
UncertaintyOption = Annotated[
    bool,
    typer.Option(
        "--uncertainty",
        help="Also estimate in how many plausible boxes the difference has the same sign.",
    ),
]
ExtraSecondsOption = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        help="How long to play for --levels and --uncertainty (default: 30), or to train for "
        "--adapt (default: 60), in seconds.",
        parser=number_between(1, 10**7),
        metavar="S",
    ),
]
GenerationsOption = Annotated[
    int | None,
    typer.Option(
        "--generations",
        help="For --adapt, the number of generations of each training, instead of --seconds.",
        parser=integer_between(1, 10**6),
        metavar="N",
    ),
]
