"""Models of the content of a baseline file: types, ranges, and numbers that must agree."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from hardmode.sim.files.yaml_io.model import ERROR_MESSAGES, StrictModel, format_key_path

MAX_GAMES = 10**15
MAX_SEED = 2**64 - 1
MIN_PACE = 1e-6  # games per second: a game of eleven days
PERCENT_STEP = 0.01  # to which percentages are rounded
MAX_PAIRED = 10_000_000  # games whose winners a file may hold
MORE_MESSAGES = {
    "extra_forbidden": "is no key of a baseline",
    "literal_error": "must be {expected}",
}

Count = Annotated[int, Field(ge=0, le=MAX_GAMES)]
Positive = Annotated[int, Field(ge=1, le=MAX_GAMES)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]+$", max_length=64)]


class FirstGames(StrictModel):
    """What a cell holds of its first games."""

    outcomes: dict[Annotated[str, Field(pattern="^[1-9][0-9]*$")], Digest]
    won: list[str] = Field(min_length=1)


class CellContent(StrictModel):
    """Content of one cell."""

    cell: str
    label: dict[str, Any]
    plays: list[str]
    win_percent: float = Field(ge=0, le=100, allow_inf_nan=False)
    wins: Count
    games_per_second: float = Field(ge=MIN_PACE, allow_inf_nan=False)
    endings: dict[str, Count]
    seats: dict[str, Count] = Field(default_factory=dict)
    means: dict[str, Finite]
    digests: dict[str, str]
    first_games: FirstGames


class BaselineContent(StrictModel):
    """Content of a baseline file."""

    schema_version: Literal[1] = Field(alias="schema")
    scenario: str
    title: str
    game: str
    version: Count
    scheme: str
    reason: str
    date: str
    seed: int = Field(ge=0, le=MAX_SEED)
    games: Positive
    quick: Positive
    looks: list[Annotated[int, Field(ge=1, le=MAX_PAIRED)]] = Field(min_length=1)
    made_by: dict[str, str]
    cells: list[CellContent] = Field(min_length=1)
    box: str = ""

    @model_validator(mode="after")
    def check_agreement(self) -> BaselineContent:
        """Check that the numbers of games agree with one another."""
        date.fromisoformat(self.date)
        require(self.looks == sorted(set(self.looks)), "looks must ascend")
        require(self.looks[-1] <= self.games, f"looks must be at most games, {self.games}")
        require(self.quick <= self.games, f"quick must be at most games, {self.games}")
        for i, cell in enumerate(self.cells):
            self._check_cell(f"cells[{i}]", cell)
        return self

    def _check_cell(self, name: str, cell: CellContent) -> None:
        games = sum(cell.endings.values())
        require(
            games == self.games,
            f"{name}.endings are of {games} games, not of {self.games}",
        )
        counted = {str(n) for n in (*self.looks, self.quick, self.games)}
        missing = counted - set(cell.first_games.outcomes)
        require(not missing, f"{name} has no outcome digest of {', '.join(sorted(missing))} games")
        for wins in (cell.wins, *cell.seats.values()):
            require(wins <= self.games, f"{name} has {wins} wins in {self.games} games")
        percent = 100 * cell.wins / self.games
        require(
            abs(cell.win_percent - percent) < PERCENT_STEP,
            f"{name}.win_percent is {cell.win_percent}; {cell.wins} wins are {percent:.2f}",
        )
        rows = len(cell.first_games.won)
        require(
            rows == max(1, len(cell.seats)),
            f"{name} holds the winners of {rows} sides; it has {max(1, len(cell.seats))}",
        )


def require(condition: bool, message: str) -> None:
    """Raise a `ValueError` with the message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def validate_baseline(data: dict[str, Any]) -> BaselineContent:
    """Return the content of a baseline file.

    Raises:
        ValueError: The first mistake in it.
    """
    try:
        return BaselineContent.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        template = {**ERROR_MESSAGES, **MORE_MESSAGES}.get(first["type"], "")
        message = template.format(**first.get("ctx", {}))
        message = message or first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{format_key_path(first['loc'])} {message}".strip()) from None
