"""Memory that compiled code works with: one workspace per thread, seat settings, and run arguments.

All records are NumPy structured types, so that compiled code and plain Python use the same memory.
A workspace is reused for any number of games.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hardmode.sim.contract import Game
from hardmode.sim.draws import LUCK
from hardmode.sim.records import PLAIN, Cells

# Indices of the records in a workspace: the game that is played, a copy on which rollouts are
# tried, the randomness of the players, and an empty record from which a game starts.
REAL, TRIAL, COIN, BLANK = 0, 1, 2, 2

# Indices into `totals`. Rollout steps are the decisions made within rollouts.
STEPS, DECISIONS, OFFERED, ROLLOUTS, ROLLOUT_STEPS = 0, 1, 2, 3, 4

MAX_WEIGHTS = 1 << 16  # of one strategy
MAX_VALUE_NUMBERS = 1 << 16  # of one packed value function
MAX_UNITS = 64  # hidden units of a value function
MAX_DRAWS = 6  # draws that trials with a value function balance
DRAW_RANGES = 16  # ranges of results that are counted for each of them
MAX_LEVELS = 24  # of a turn that such a search looks ahead
MAX_SCHEMES = 64  # of keys for its trials, of which there is one for each combination of draws
MAX_TURN_TRIALS = 1296  # of an option of a turn: all results of four dice
MEMO_SIZE = 1 << 14  # values of positions and options that are remembered
UNSET = -2  # the ending of a table before set-up, and of a row that was not written yet


# The draws that trials balance, by addresses and sizes, and how often their results fell into each
# range.
_BALANCE = np.dtype(
    [
        ("draws", "i8", (MAX_DRAWS, 5)),
        ("draw_counts", "i8", (MAX_DRAWS, DRAW_RANGES)),
        ("n_draws", "i8"),
    ],
    align=True,
)

# Keys for trials of options with the same draws, all of whose results are equally frequent.
_SCHEME = np.dtype(
    [
        ("key", "u8"),  # stands for the draws
        ("draws", "i8", (MAX_DRAWS, 5)),  # addresses and sizes
        ("n_keys", "i8"),
    ],
    align=True,
)

# A level of a search in a turn, with the position that it tries.
_LEVEL = np.dtype(
    [
        ("position_key", "u8"),  # under which the value of the position is remembered
        ("option_key", "u8"),  # and that of the option that is tried
        ("is_drawn", "i8"),  # whether anything was drawn on the way to it
        ("n_options", "i8"),
        ("option", "i8"),  # the number of the one that is tried
        ("scheme", "i8"),  # of the keys of its trials
        ("n_draws", "i8"),  # of its first trial
        ("trials", "i8"),  # of this option so far
        ("n_trials", "i8"),  # after which its value is known
        ("total", "f8"),  # of the values of its trials
        ("first_value", "f8"),
        ("varies", "i8"),  # whether any of them differs from the first
        ("best", "i8"),  # the best option so far
        ("best_value", "f8"),
    ],
    align=True,
)


@cache
def make_workspace_dtype(game: Game) -> np.dtype:
    """Return the record type of a thread's workspace: positions, scratch lists, and sums."""
    rounds = game.max_rounds + 1
    endings = len(game.all_endings)
    curves = max(1, len(find_curve_columns(game)))
    labels = max(1, game.labels)
    kinds = max(1, len(game.kinds))
    fields: list[tuple] = [
        ("tables", game.table, (3,)),
        ("hiddens", game.hidden, (3,)),
        ("lucks", LUCK, (3,)),
        # Options: of the game, of the trial, and the candidates that a search still considers.
        ("lists", "i8", (3, game.max_options)),
        ("gains", "f8", (game.max_options,)),  # of each candidate, summed over rollouts
        ("squared_gains", "f8", (game.max_options,)),
        ("row", game.row),
        # Scratch of value functions: hidden units, and the value of the option chosen last.
        ("units", "f8", (MAX_UNITS + 1,)),
        ("root_value", "f8"),
        # Of the search by them: its levels in a turn, and values of positions and options.
        ("balance", _BALANCE),
        ("levels", _LEVEL, (MAX_LEVELS,)),
        # One more is that before the last decision, from which targets are found in training.
        ("level_tables", game.table, (MAX_LEVELS + 1,)),
        ("level_hiddens", game.hidden, (MAX_LEVELS + 1,)),
        ("level_options", "i8", (MAX_LEVELS, game.max_options)),
        # The schemes of the keys of its trials, and these keys.
        ("schemes", _SCHEME, (MAX_SCHEMES,)),
        ("trial_keys", "u8", (MAX_SCHEMES, MAX_TURN_TRIALS)),
        ("search_key", "u8"),  # of the decision to which they belong
        ("stratum_counts", "i8", (MAX_TURN_TRIALS,)),
        ("memo_keys", "u8", (MEMO_SIZE,)),
        ("memo_values", "f8", (MEMO_SIZE,)),
        # The measures with a curve: their columns, their values in this game at the end of each
        # round, and the sums of these values over games, by ending.
        ("curve_columns", "i8", (curves,)),
        ("n_curves", "i8"),
        ("round_values", "i8", (rounds, curves)),
        ("curves", "i8", (endings, rounds, curves)),
        ("alive", "i8", (endings, rounds)),  # games that reached each round, by ending
        ("digest", "u8"),
        ("totals", "i8", (5,)),
        ("fault", "i8", (7,)),
        # Labels of options, first as offered and then as taken: the number of decisions by label
        # and kind, the number of games by label, and the key of the game that was counted last.
        ("label_counts", "i8", (2, labels, kinds)),
        ("label_games", "i8", (2, labels)),
        ("last_keys", "u8", (2, labels)),
        ("kind_counts", "i8", (kinds,)),  # decisions of each kind, whatever their labels
        # A label was met in the present decision if its stamp is that of the decision.
        ("label_stamps", "i8", (labels,)),
        ("stamp", "i8"),
    ]
    return _add_integer_views(fields, table_words="tables", hidden_words="hiddens", cells="row")


@cache
def make_seat_config_dtype(game: Game) -> np.dtype:
    """Return the record type that describes the player of each seat.

    Watching and weights come in three blocks of `game.seats` entries: the players themselves, those
    who choose in place of a player who makes a mistake, and the rollout policies.
    """
    seats = game.seats
    everyone = 3 * game.seats
    fields = [
        ("rollout_budget", "i8", (seats,)),  # rollouts per decision; 0 without search
        ("switch_score", "f8", (seats,)),  # squared t value of an option that search switches to
        ("mistake_rate", "f8", (seats,)),
        ("is_special", "i8", (seats,)),  # decisions are made by `decide`
        ("is_restricted", "i8", (seats,)),  # only allowed labels are taken where one is offered
        ("allowed_labels", "i8", (seats, max(1, game.labels))),
        ("counts_choices", "i8", (seats,)),
        ("is_watched", "i8", (everyone,)),  # checked for writing to what it may only read
        ("weights", "f8", (everyone, MAX_WEIGHTS)),
        ("n_weights", "i8", (everyone,)),
        ("has_values", "i8", (seats,)),  # search evaluates positions by a value function
        ("values", "f8", (seats, MAX_VALUE_NUMBERS)),
    ]
    return _add_integer_views(fields, weight_words="weights")


RUN_ARGS = np.dtype(
    [
        ("seed", "i8"),
        ("start", "i8"),
        ("stop", "i8"),
        ("max_steps", "i8"),
        ("stop_step", "i8"),  # the step at which each game is left; -1 to finish it
        ("resample_seed", "i8"),  # the seed from which resampled sources are drawn
    ],
    align=True,
)

SAMPLE_ARGS = np.dtype(
    [
        ("seed", "i8"),
        ("start", "i8"),
        ("stop", "i8"),
        ("max_steps", "i8"),
        ("trace_share", "f8"),  # how much of what the games brought counts, and not only the search
        ("exploration", "f8"),  # the share of decisions that are made at random
        ("is_searching", "i8"),  # whether the learners choose by their values already
    ],
    align=True,
)

ROLLOUT_ARGS = np.dtype(
    [
        ("viewer", "i8"),  # the seat from whose point of view positions are sampled
        ("is_fixed_view", "i8"),  # 0 for the point of view of the seat to move
        ("is_forced", "i8"),  # whether `option` is taken first; otherwise the policy chooses
        ("option", "i8"),
        ("step", "i8"),
        ("max_steps", "i8"),
        ("start", "i8"),
        ("stop", "i8"),
        ("key", "u8"),
    ],
    align=True,
)


def _add_integer_views(fields: list[tuple], **views: str) -> np.dtype:
    """Return a record type that can also be read as int64, in the same memory.

    `words` are those of the whole record.

    Args:
        fields: The fields of the record, in order.
        **views: By the name of each new field, the field whose first item it views.
    """
    dtype = np.dtype(fields, align=True)
    all_fields: dict[str, Any] = dict(dtype.fields or {})
    for name, viewed in views.items():
        part, offset = all_fields[viewed]
        size = part.itemsize if part.base.names is None else part.base.itemsize
        all_fields[name] = np.dtype(("i8", (size // 8,))), offset
    all_fields["words"] = np.dtype(("i8", (dtype.itemsize // 8,))), 0  # the whole record
    formats, offsets = zip(*(entry[:2] for entry in all_fields.values()), strict=True)
    return np.dtype(
        {
            "names": list(all_fields),
            "formats": formats,
            "offsets": offsets,
            "itemsize": dtype.itemsize,
            "aligned": True,
        }
    )


def find_curve_columns(game: Game) -> list[int]:
    """Return the columns of the row whose values are recorded at the end of every round."""
    names = [m.name for m in game.measures if m.curve and not m.per_seat]
    return [game.columns.index(name) for name in names]


class Workspace:
    """Buffers of one thread that plays a game, with views of the parts that others read.

    Args:
        game: The game for which the buffers are allocated.
        plain: Whether plain Python is going to use them instead of compiled code.
    """

    def __init__(self, game: Game, plain: bool = PLAIN) -> None:
        self.record = as_cells(np.zeros(1, make_workspace_dtype(game)), plain)
        fields = self.record.view(np.ndarray)
        self.tables = as_cells(fields["tables"][0], plain)
        self.hiddens = as_cells(fields["hiddens"][0], plain)
        self.lucks = as_cells(fields["lucks"][0], plain)
        self.lists = fields["lists"][0]
        self.curves = fields["curves"][0]
        self.alive = fields["alive"][0]
        self.digest = fields["digest"]
        self.totals = fields["totals"][0]
        self.fault = fields["fault"][0]
        self.label_counts = fields["label_counts"][0]
        self.games_with_label = fields["label_games"][0]
        self.decisions_by_kind = fields["kind_counts"][0]
        columns = find_curve_columns(game)
        fields["curve_columns"][0, : len(columns)] = columns
        fields["n_curves"] = len(columns)
        self.tables.view(np.ndarray)["ending"] = UNSET


def as_cells(array: np.ndarray, plain: bool = PLAIN) -> Any:
    """Return the array as plain Python needs it, or unchanged for compiled code."""
    return array.view(Cells) if plain else array


def allocate_rows(game: Game, n: int) -> Any:
    """Return a zeroed block for the rows of n games: one line per entry, one column per game."""
    return as_cells(np.zeros((len(game.columns), n), np.int32))
