"""Seat plans: which seats the player under study takes, and who sits at the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from hardmode.sim.contract import Game

T = TypeVar("T")


@dataclass(frozen=True)
class SeatPlan:
    """The seats that the player under study takes at a table; the others keep who sits there.

    Works on players, strategies and anything else of which there is one per seat.

    Attributes:
        n_seats: The number of seats that are taken.
        studied: The seats of the player under study, numbered from 0.

    Example:
        >>> SeatPlan(3, studied=(0,)).assign("trained", ["steady"] * 3)
        ('trained', 'steady', 'steady')
    """

    n_seats: int
    studied: tuple[int, ...]

    @classmethod
    def for_game(cls, game: Game, n_seats: int, seat: int = 0) -> SeatPlan:
        """Return the plan of a game: `seat` alone where seats compete, else all seats.

        Args:
            game: The game, cooperative or competitive.
            n_seats: The number of players.
            seat: The seat to study where seats compete.
        """
        if game.competitive:
            return cls(n_seats, (seat,))
        return cls(n_seats, tuple(range(n_seats)))

    def assign(self, player: T, others: Sequence[T]) -> tuple[T, ...]:
        """Return who sits at each seat: `player` at the studied ones, else who is in `others`."""
        seats = list(others[: self.n_seats])
        for seat in self.studied:
            seats[seat] = player
        return tuple(seats)

    @staticmethod
    def fill(given: Sequence[T], n_seats: int) -> tuple[T, ...]:
        """Return one item per seat from one for all seats, or from one per seat.

        Raises:
            ValueError: There is neither one item nor one per seat.
        """
        if len(given) == 1:
            return tuple(given) * n_seats
        if len(given) != n_seats:
            raise ValueError("give one for all, or one per seat")
        return tuple(given)
