"""The answer of `list`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from hardmode.reports.console import list_games as console
from hardmode.reports.json.parts import ABSENT, AnswerRecord, Cell, OverlayBox, StrategyName, Value
from hardmode.sim.contract import discovery

if TYPE_CHECKING:
    from hardmode.scenarios.box import Parameter
    from hardmode.scenarios.load import Scenario, Variant


@dataclass(kw_only=True)
class ScenarioName(AnswerRecord):
    """A shipped scenario."""

    name: str
    title: str


@dataclass(kw_only=True)
class GameEntry(AnswerRecord):
    """A game: its scenarios, strategies, endings and measures."""

    name: str
    title: str
    version: Annotated[int, Field(description="of the rules; other versions play differently")]
    seats: int
    scenarios: list[ScenarioName]
    strategies: dict[str, str]
    weights: dict[str, dict[str, float]]
    endings: list[str]
    measures: dict[str, str]
    not_simulated: list[str]
    content: Annotated[dict[str, int], Field(description="the largest number of entries, by path")]


@dataclass
class GamesAnswer(AnswerRecord):
    """All games."""

    games: dict[str, GameEntry]


@dataclass(kw_only=True)
class ParameterRecord(AnswerRecord):
    """A number of the box that can be set."""

    path: str
    default: Value
    source: str
    from_: str
    box: str
    range: list[float] | None
    choices: list[Any] | None
    min: float | None
    max: float | None
    unit: str
    note: str
    needs: Annotated[
        dict[str, list[Value]],
        Field(description="the values of other numbers with which it matters"),
    ]
    doubt: Annotated[list[Any], Field(description="plausible values to try")]
    role: Annotated[str, Field(description="house_rule, model or variant; else an assumption")]
    prior: Annotated[str, Field(description="triangle or uniform, over the range")]
    prior_correct: Annotated[
        float | None, Field(description="probability that the default is right")
    ]
    prior_reason: str
    weights: Annotated[list[float], Field(description="of the alternatives, in their order")]
    odds: Annotated[list[float], Field(description="of all values, in their order")]


@dataclass(kw_only=True)
class ScenarioParameter(ParameterRecord):
    """A number of the box, with its values in a scenario."""

    values: Annotated[list[Value], Field(description="in each cell")]


@dataclass(kw_only=True)
class GameAnswer(GameEntry):
    """A game with the numbers that can be set."""

    numbers: list[ParameterRecord]


@dataclass
class ChangedValue(AnswerRecord):
    """The default of a number, and its value in a scenario."""

    default: Value
    value: Value


@dataclass(kw_only=True)
class ScenarioCell(AnswerRecord):
    """A cell of a scenario."""

    label: Cell
    players: int
    strategies: list[StrategyName]
    changed: dict[str, ChangedValue]
    warnings: list[str]


@dataclass(kw_only=True)
class ScenarioAnswer(AnswerRecord):
    """A scenario with its cells."""

    scenario: str
    title: str
    description: str
    box: OverlayBox | None
    cells: list[ScenarioCell]
    numbers: list[ScenarioParameter] = ABSENT


@dataclass(kw_only=True)
class RecordField(AnswerRecord):
    """A field that a strategy may read."""

    record: Literal["box", "table", "own"]
    field: str
    type: str
    shape: list[int]
    part: str
    note: str
    set_by: Annotated[
        dict[str, str],
        Field(description="for the box, the numbers that the field holds, and what they are"),
    ]
    seen: Annotated[list[float], Field(description="the smallest and the largest value seen")]


@dataclass(kw_only=True)
class DecisionKind(AnswerRecord):
    """A kind of decision, with the options of the first one seen, each with code and words."""

    kind: int
    name: str
    options: list[dict[str, Any]]


@dataclass(kw_only=True)
class StrategyViewAnswer(AnswerRecord):
    """The weights of the strategies of a game, the fields that they may read, and options."""

    weights: dict[str, dict[str, float]] = ABSENT
    fields: list[RecordField] = ABSENT
    options: list[DecisionKind] = ABSENT


def build_list_answer(
    what: str, wanted: console.ParameterFilter
) -> GamesAnswer | GameAnswer | ScenarioAnswer:
    """Return the answer of `list`: all games, one game, or one scenario."""
    games = discovery.list_games()
    if not what:
        console.refuse_filters(wanted)
        return GamesAnswer({name: GameEntry(**console.describe_game(name)) for name in games})
    if what in games:
        parameters, _ = console.select_game_parameters(what, wanted)
        numbers = [ParameterRecord(**_parameter_fields(one)) for one in parameters]
        return GameAnswer(**console.describe_game(what), numbers=numbers)
    return _encode_scenario(console.load_listed_scenario(what, wanted.box), wanted)


def build_strategy_view_answer(contents: Mapping[str, Any]) -> StrategyViewAnswer:
    """Return the answer of `list` with `--weights`, `--fields` or `--options`."""
    answer = StrategyViewAnswer()
    if "weights" in contents:
        answer.weights = contents["weights"]
    if "fields" in contents:
        answer.fields = [RecordField(**field) for field in contents["fields"]]
    if "options" in contents:
        answer.options = [DecisionKind(**kind) for kind in contents["options"]]
    return answer


def _parameter_fields(parameter: Parameter) -> dict[str, Any]:
    return {
        "path": parameter.path,
        "default": parameter.value,
        "source": parameter.source,
        "from_": parameter.from_,
        "box": parameter.file,
        "range": parameter.range,
        "choices": parameter.choices,
        "min": parameter.min,
        "max": parameter.max,
        "unit": parameter.unit,
        "note": parameter.note,
        "needs": {path: list(values) for path, values in parameter.needs},
        "doubt": list(parameter.doubt),
        "role": parameter.role,
        "prior": "uniform" if parameter.is_uniform else "triangle",
        "prior_correct": parameter.prior_correct,
        "prior_reason": parameter.prior_reason,
        "weights": list(parameter.weights),
        "odds": list(parameter.odds),
    }


def _encode_scenario(scenario: Scenario, wanted: console.ParameterFilter) -> ScenarioAnswer:
    answer = ScenarioAnswer(
        scenario=scenario.name,
        title=scenario.title,
        description=scenario.description,
        box=OverlayBox.from_provenance(scenario.cells[0].overlay_provenance),
        cells=[_encode_cell(cell) for cell in scenario.cells],
    )
    if wanted.is_restricted:
        parameters, _ = console.select_scenario_parameters(scenario, wanted)
        answer.numbers = [
            ScenarioParameter(
                **_parameter_fields(parameter),
                values=[cell.values[parameter.path] for cell in scenario.cells],
            )
            for parameter in parameters
        ]
    return answer


def _encode_cell(cell: Variant) -> ScenarioCell:
    changed = cell.changed_values.items()
    return ScenarioCell(
        label=cell.label,
        players=cell.players,
        strategies=[str(strategy) for strategy in cell.strategies],
        changed={path: ChangedValue(default, value) for path, (default, value) in changed},
        warnings=list(cell.warnings),
    )
