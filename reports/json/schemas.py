"""JSON Schemas of the answers that commands print with `--json`, and of files.

Each schema is made from the record of the answer, or from the model that reads the file, and is
named with its version. A version only grows: keys are added, but none is removed or changes its
meaning, so a program that reads version 1 can read all later answers of version 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from hardmode.reports.json import (
    accept,
    audit,
    bisect,
    bound,
    check,
    check_game,
    check_plan,
    choices,
    compare,
    decided,
    files,
    fit,
    fitted_players,
    history,
    luck,
    play,
    precompile,
    replay,
    reproduce,
    run,
    sensitivity,
    solve,
    switch_coverage,
    train,
    uncertainty,
)
from hardmode.reports.json import list as list_answer
from hardmode.reports.json.encoding import LISTS, get_version
from hardmode.scenarios import schema as scenario_schema
from hardmode.sim.files.yaml_io.model import build_json_schema, format_json_schema
from hardmode.sim.results import result_file
from hardmode.strategies.player_file import PlayerFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NEW_NAMES = {"uncertainty": "doubts", "precompile": "warm"}  # commands whose answer has an old name


@dataclass(frozen=True)
class Form:
    """Something that programs read: an answer or a file.

    Attributes:
        about: What it is, in words.
        make_schema: Function that returns its schema.
        version: The version of the schema.
        has_envelope: It holds its own name and version.
    """

    about: str
    make_schema: Callable[[], dict[str, Any]]
    version: int = 1
    has_envelope: bool = False


class SchemaGenerator(GenerateJsonSchema):
    """Generator of schemas without titles and defaults of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False: fields have names."""
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a field with a default, which only says that it may be absent."""
        return self.generate_inner(schema["schema"])


def _make_type_schema(form: Any) -> dict[str, Any]:
    return TypeAdapter(form).json_schema(schema_generator=SchemaGenerator)


def _make_answer_form(name: str, form: Any, command: str = "") -> Form:
    about = f"what `hardmode {command or name} --json` prints"
    make_schema = partial(_make_type_schema, form)
    return Form(about, make_schema, get_version(name), has_envelope=name not in LISTS)


RUN = run.RunAnswer | run.GridAnswer
LISTED = (
    list_answer.GamesAnswer
    | list_answer.GameAnswer
    | list_answer.ScenarioAnswer
    | list_answer.StrategyViewAnswer
)
FORECAST = fitted_players.ForecastAnswer | fitted_players.ForecastGridAnswer
FORECAST_COMPARISON = (
    fitted_players.ForecastComparisonAnswer | fitted_players.ForecastComparisonGridAnswer
)
ANSWERS: dict[str, Any] = {
    "run": RUN,
    "merge": RUN,
    "reproduce": reproduce.ReproduceAnswer,
    "replay": replay.ReplayAnswer,
    "compare": compare.CompareAnswer | compare.CompareGridAnswer,
    "luck": luck.LuckAnswer,
    "bound": bound.BoundAnswer,
    "decided": decided.DecidedAnswer,
    "choices": choices.ChoicesAnswer,
    "audit": audit.AuditAnswer,
    "sensitivity": sensitivity.SensitivityAnswer,
    "doubts": uncertainty.UncertaintyAnswer,
    "solve": solve.SolveAnswer,
    "train": train.TrainAnswer,
    "check": check.CheckAnswer,
    "check-plan": check_plan.CheckPlanAnswer,
    "accept": accept.AcceptAnswer,
    "check-game": check_game.CheckGameAnswer | check_game.CheckGamesAnswer,
    "check-switches": switch_coverage.SwitchCoverageAnswer,
    "history": history.HistoryAnswer,
    "bisect": bisect.BisectAnswer,
    "list": LISTED,
    "play": play.LeftGameAnswer | play.PlayedGameAnswer,
    "fit": fit.FitAnswer,
    "run-as": FORECAST,
    "compare-as": FORECAST_COMPARISON,
    "warm": precompile.PrecompileAnswer,
}
COMMANDS = {
    "doubts": "uncertainty",
    "warm": "precompile",
    "check-plan": "check --plan",
    "check-switches": "check-game --switches",
    "run-as": "run --fit",
    "compare-as": "compare --fit",
}  # command lines whose answer has another name
FORMS: dict[str, Form] = {
    **{
        name: _make_answer_form(name, form, COMMANDS.get(name, ""))
        for name, form in ANSWERS.items()
    },
    "fit-file": Form(
        "the file that `hardmode fit` writes, which is YAML",
        partial(_make_type_schema, files.FitFileData),
    ),
    "result": Form(
        "a line of a result file, decompressed, or of rows.json: the first line, or a cell",
        partial(_make_type_schema, files.ResultHead | files.ResultCell),
        result_file.SCHEMA_VERSION,
    ),
    "result-whole": Form(
        "a result in one object: result.json.gz of a report, decompressed, and results of schema 1",
        partial(_make_type_schema, files.WholeResult),
        result_file.SCHEMA_VERSION,
    ),
    "manifest": Form("manifest.json of a report", partial(_make_type_schema, files.Manifest)),
    "baseline": Form("a baseline, which is TOML", partial(_make_type_schema, files.BaselineFile)),
    "player": Form(
        "a player file, which is YAML", partial(build_json_schema, PlayerFile, "hardmode player")
    ),
    "scenario": Form("a scenario, which is YAML", scenario_schema.make_scenario_schema),
    "box": Form("the box of a game, which is YAML", scenario_schema.make_box_schema),
    "own-box": Form(
        "a box with the numbers of your copy, which is YAML", scenario_schema.make_overlay_schema
    ),
}


def build_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer or a file."""
    form = FORMS[name]
    schema = form.make_schema()
    if form.has_envelope:
        schema = _add_envelope(schema, name, form.version)
    head = {
        "$schema": DIALECT,
        "$id": f"urn:hardmode:{name}:{form.version}",
        "title": f"hardmode {name}",
        "description": form.about[:1].upper() + form.about[1:],
    }
    return {**head, **{key: value for key, value in schema.items() if key not in head}}


def format_schema(name: str) -> str:
    """Return the text of the JSON Schema of an answer or a file."""
    return format_json_schema(build_schema(name))


def _add_envelope(schema: dict[str, Any], name: str, version: int) -> dict[str, Any]:
    """Return the schema of an answer that begins with its name and version."""
    envelope = {"hardmode": {"const": name}, "schema": {"const": version}}
    outer = ("$defs", "title", "description")
    inner = {key: value for key, value in schema.items() if key not in outer}
    defs = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    head = {"type": "object", "properties": envelope, "required": list(envelope)}
    return {**defs, "allOf": [head, inner]}
