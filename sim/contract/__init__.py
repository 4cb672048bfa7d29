"""The contract between a game and the engine: what authors of games import.

Names are imported when they are first used, so that finding games and their boxes does not take
the half second of loading numba.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardmode.sim.contract.definition import (
        CAP,
        ENDING,
        ROUNDS,
        SCORES,
        TABLE_HEAD,
        WINNERS,
        WORDS,
        BadValue,
        Content,
        FilledBox,
        Game,
        Measure,
        RulesError,
        Source,
        Values,
        load_game,
        unlabelled,
    )

__all__ = [
    "CAP",
    "ENDING",
    "ROUNDS",
    "SCORES",
    "TABLE_HEAD",
    "WINNERS",
    "WORDS",
    "BadValue",
    "Content",
    "FilledBox",
    "Game",
    "Measure",
    "RulesError",
    "Source",
    "Values",
    "load_game",
    "unlabelled",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hardmode.sim.contract import definition

    return getattr(definition, name)
