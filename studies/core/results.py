"""What was played, as a list of results that says in a few lines what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hardmode.scenarios.variant import label_text
from hardmode.sim.play.engine import slipping
from hardmode.sim.results.result import Result
from hardmode.studies.core.metric import mean, win_rate
from hardmode.studies.stats import estimates
from hardmode.studies.stats.formatting import rate, with_interval

if TYPE_CHECKING:
    from hardmode.studies.comparison.rank import Ranking

MOST_ENDINGS = 4


class Results(list[Result]):
    """One result for each cell of a scenario, in the scenario's order; printed, the headline of each."""

    def __init__(
        self, results: Iterable[Result] = (), confidence: float = estimates.CONFIDENCE
    ) -> None:
        super().__init__(results)
        self.confidence = confidence
        self.ranking: Ranking | None = None  # of the cells of a grid that were just played

    def __str__(self) -> str:
        return "\n".join(self._lines()) if self else "nothing was played"

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        first, each = self[0], estimates.simultaneous(self.confidence, self._intervals)
        yield ": ".join(dict.fromkeys((first.game.title, first.title)))
        for result in self:
            if not result.games:
                continue
            cell = f"{label_text(result.label)}: " if result.label else ""
            yield f"{cell}{self._won(result, each)}, {result.games:,} games"
            if len(self) == 1:
                yield f"how it ends: {_endings(result)}"
            length = with_interval(mean(result.tally, "rounds", each), "mean")
            yield f"{'  ' if cell else ''}mean length {length} {result.game.unit}"
        yield f"intervals hold together at {100 * self.confidence:g} %; seed {first.seed}; played by {_players(self)}"

    @property
    def _intervals(self) -> int:
        """How many are printed: games won and length of each cell."""
        return sum(1 + (len(r.strategies) if r.game.competitive else 1) for r in self)

    def _won(self, result: Result, each: float) -> str:
        if not result.game.competitive or len(result.strategies) == 1:
            return f"win rate {rate(win_rate(result.tally, each))}"
        shares = result.tally.shares()[: len(result.strategies)]
        seats = [
            f"seat {s + 1} {rate(estimates.rate(k, result.games, each))}"
            for s, k in enumerate(shares)
        ]
        return f"wins of {', '.join(seats)}"


def _endings(result: Result) -> str:
    ranked = sorted(((n, name) for name, n in result.tally.endings().items() if n), reverse=True)
    named = [f"{name} {100 * n / result.games:.1f} %" for n, name in ranked[:MOST_ENDINGS]]
    rest = sum(n for n, _ in ranked[MOST_ENDINGS:])
    return ", ".join([*named, *([f"other {100 * rest / result.games:.1f} %"] if rest else [])])


def _players(results: Iterable[Result]) -> str:
    return ", ".join(dict.fromkeys(who(spec) for result in results for spec in result.strategies))


def who(spec: Mapping[str, Any]) -> str:
    """A player of a result by name, with its slips."""
    return slipping(spec["plays"], spec.get("slips", 0.0), spec.get("careless"))
