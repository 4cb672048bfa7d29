"""What the decision loop works with: a thread's desk, the seats of the players, and the job they are given."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK

REAL, TRIAL, COIN, BLANK = (
    0,
    1,
    2,
    2,
)  # the places of records: the game, search's trial, a strategy's coins; a blank

# Where totals stand.
STEPS, DECISIONS, OFFERED, PLAYOUTS, PLAYED_ON = 0, 1, 2, 3, 4  # the last: steps of playouts

MOST_WEIGHTS = 1 << 16


@cache
def desk_of(game: Game) -> np.dtype:
    """The record that one thread plays with: all its places, and what it sums up."""
    rounds, picks, endings = (
        game.max_rounds + 1,
        max(1, len(curve_columns(game))),
        len(game.all_endings),
    )
    labels, kinds = max(1, game.labels), max(1, len(game.kinds))
    parts: list[tuple] = [
        ("tables", game.table, (3,)),
        ("hiddens", game.hidden, (3,)),
        ("lucks", LUCK, (3,)),
        (
            "lists",
            "i8",
            (3, game.max_options),
        ),  # of options: the game's, the trial's, the rivals left
        ("gains", "f8", (game.max_options,)),
        ("squares", "f8", (game.max_options,)),
        ("row", game.row),
        ("lines", "i8", (rounds, picks)),  # what is followed, at the end of each round
        ("picks", "i8", (picks,)),
        ("picks_n", "i8"),  # which columns these are
        ("curves", "i8", (endings, rounds, picks)),
        ("alive", "i8", (endings, rounds)),
        ("digest", "u8"),
        ("totals", "i8", (5,)),
        ("fault", "i8", (7,)),
        # What is counted of choices, first of what was on offer and then of what was taken: the decisions of each
        # kind with each label, the games, the game counted last; and all decisions of each kind.
        ("chances", "i8", (2, labels, kinds)),
        ("games", "i8", (2, labels)),
        ("latest", "u8", (2, labels)),
        ("decided", "i8", (kinds,)),
        ("stamps", "i8", (labels,)),
        ("stamp", "i8"),
    ]
    return _again(parts, table_words="tables", hidden_words="hiddens", cells="row")


def _again(parts: list[tuple], **words: str) -> np.dtype:
    """A record, some of whose parts (the first item of them) can also be had as whole numbers, on the same memory."""
    made = np.dtype(parts, align=True)
    fields: dict[str, Any] = dict(made.fields or {})
    for name, part in words.items():
        dtype, offset = fields[part]
        size = dtype.itemsize if dtype.base.names is None else dtype.base.itemsize
        fields[name] = np.dtype(("i8", (size // 8,))), offset
    return np.dtype(
        {
            "names": list(fields),
            "formats": [f[0] for f in fields.values()],
            "offsets": [f[1] for f in fields.values()],
            "itemsize": made.itemsize,
            "aligned": True,
        }
    )


@cache
def seats_of(game: Game) -> np.dtype:
    """The record of what plays at each seat; after all seats comes what chooses where a player slips, and after that
    what plays on in the playouts of a search."""
    everyone = 3 * game.seats
    return _again(
        [
            ("budget", "i8", (game.seats,)),  # how many playouts search may spend
            ("slips", "f8", (game.seats,)),  # the share of decisions that the player gets wrong
            (
                "special",
                "i8",
                (game.seats,),
            ),  # whether the player searches, slips, is watched, bound or counted
            (
                "bound",
                "i8",
                (game.seats,),
            ),  # whether the player keeps to some labels wherever one of them is offered
            ("keeps", "i8", (game.seats, max(1, game.labels))),  # to which
            (
                "counted",
                "i8",
                (game.seats,),
            ),  # whether what the player is offered and takes is counted
            (
                "watched",
                "i8",
                (everyone,),
            ),  # whether the strategy is watched for writing to what it is shown
            ("weights", "f8", (everyone, MOST_WEIGHTS)),
            ("weights_n", "i8", (everyone,)),
        ],
        weight_words="weights",
    )


JOB = np.dtype(
    [
        ("seed", "i8"),
        ("lo", "i8"),
        ("hi", "i8"),  # the games that are played
        ("limit", "i8"),
        ("stop", "i8"),  # the most steps; the step at which to stop, or -1
        ("other", "i8"),
    ],
    align=True,
)  # the seed of the luck with which sources are re-drawn


def curve_columns(game: Game) -> list[int]:
    """The columns that are followed over the rounds."""
    return [game.columns.index(m.name) for m in game.measures if m.curve and not m.per_seat]
