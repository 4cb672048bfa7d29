"""Results of a scenario: a list of the results of its cells that prints as a short summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hardmode.scenarios.labels import format_label
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import Game
from hardmode.sim.contract.discovery import GameNotFoundError
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.player import format_player_name
from hardmode.sim.results.result import Result
from hardmode.studies.core.frames import list_cells
from hardmode.studies.core.metric import estimate_mean, estimate_win_rate
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, bonferroni_level, wilson_rate
from hardmode.studies.stats.formatting import format_rate, format_with_interval

if TYPE_CHECKING:
    from hardmode.studies.comparison.rank import Ranking

MAX_ENDINGS = 4  # endings that are printed by name


class Results(list[Result], NotebookTable):
    """Results of the cells of a scenario, in its order; `print` and notebooks show a summary.

    Attributes:
        confidence: Confidence of all printed intervals together.
        ranking: Order of the cells of a grid by difficulty, if they were just played.
    """

    def __init__(
        self, results: Iterable[Result] = (), confidence: float = DEFAULT_CONFIDENCE
    ) -> None:
        super().__init__(results)
        self.confidence = confidence
        self.ranking: Ranking | None = None

    def __str__(self) -> str:
        return "\n".join(self._format_lines()) if self else "nothing was played"

    __repr__ = __str__

    def list_rows(self) -> Iterable[Row]:
        """Return a row for each cell: label, games, win rate, and means of all measures."""
        return list_cells([result for result in self if result.games], self.confidence)

    def _format_lines(self) -> Iterator[str]:
        level = bonferroni_level(self.confidence, self._count_intervals())
        yield ": ".join(dict.fromkeys((self[0].game.title, self[0].title)))
        for result in self:
            if result.games:
                yield from self._format_cell(result, level)
        players = dict.fromkeys(describe_player(spec) for r in self for spec in r.strategies)
        yield (
            f"intervals hold together at {100 * self.confidence:g} %; seed {self[0].seed}; "
            f"played by {', '.join(players)}"
        )

    def _format_cell(self, result: Result, level: float) -> Iterator[str]:
        cell = f"{format_label(result.label)}: " if result.label else ""
        yield f"{cell}{_format_wins(result, level)}, {result.games:,} games"
        if len(self) == 1:
            yield f"how it ends: {_format_endings(result)}"
        length = format_with_interval(estimate_mean(result.tally, "rounds", level), "mean")
        yield f"{'  ' if cell else ''}mean length {length} {result.game.unit}"

    def _count_intervals(self) -> int:
        """Return the number of printed intervals: the win rates and the length of each cell."""
        return sum(1 + (len(r.strategies) if r.game.competitive else 1) for r in self)


def _format_wins(result: Result, level: float) -> str:
    seats = len(result.strategies)
    if not result.game.competitive or seats == 1:
        return f"win rate {format_rate(estimate_win_rate(result.tally, level))}"
    wins = result.tally.count_wins_by_seat()[:seats]
    rates = [format_rate(wilson_rate(k, result.games, level)) for k in wins]
    return "wins of " + ", ".join(f"seat {i + 1} {rate}" for i, rate in enumerate(rates))


def _format_endings(result: Result) -> str:
    counts = [(n, name) for name, n in result.tally.count_endings().items() if n]
    counts.sort(reverse=True)
    others = sum(n for n, _ in counts[MAX_ENDINGS:])
    shown = [*counts[:MAX_ENDINGS], *([(others, "other")] if others else [])]
    return ", ".join(f"{name} {100 * n / result.games:.1f} %" for n, name in shown)


def describe_player(spec: Mapping[str, Any]) -> str:
    """Return the name of a player of a result, with its mistake rate.

    Args:
        spec: One of the strategies of a result.
    """
    return format_player_name(spec["plays"], spec.get("slips", 0.0), spec.get("careless"))


def find_saved_game(name: str) -> Game:
    """Return the game that a result file names.

    Raises:
        GameNotFoundError: The game is not installed.
    """
    try:
        return load_labeled_game(name)
    except ScenarioError as error:
        raise GameNotFoundError(str(error)) from None
