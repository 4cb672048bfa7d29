"""JSON Schemas of everything that is read by others: what each command prints with --json, and every file.

Each is made from a typed dictionary (of files that people write, from the model that reads them) and named with its
version. A version only ever grows: a key may come, none goes or means something else, so a reader of version 1 reads
all later answers that say 1. `python -m hardmode.reports.json` writes the files anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from hardmode.reports.json import designed, explained, held, kept, played, tabletop
from hardmode.reports.json.answers import VERSIONS
from hardmode.scenarios import schema as written
from hardmode.sim.files.yaml_io.model import model_schema, schema_text
from hardmode.sim.results import result_file
from hardmode.strategies.player_file import PlayerFile

HERE = Path(__file__).parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True)
class Form:
    """Something that others read: its version, what it is, and how its schema is made."""

    about: str
    make: Callable[[], dict[str, Any]]
    version: int = 1
    says: bool = False  # whether what is read says its own name and version


class _Terse(GenerateJsonSchema):
    """Fields are not titled: they have names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _typed(form: Any) -> dict[str, Any]:
    return TypeAdapter(form).json_schema(schema_generator=_Terse)


def _answer(command: str, form: Any, about: str = "") -> Form:
    about = about or f"what `hardmode {command} --json` prints"
    return Form(
        about, partial(_typed, form), VERSIONS.get(command.replace(" --", "-"), 1), says=True
    )


FORMS: dict[str, Form] = {
    "run": _answer("run", played.Run | played.Grid),
    "merge": _answer("merge", played.Run | played.Grid),
    "reproduce": _answer("reproduce", played.Reproduced),
    "replay": Form(
        "what `hardmode replay --json` prints",
        partial(_typed, list[played.Step | played.Deal | played.Ended]),
    ),
    "compare": _answer("compare", played.Compared | played.ComparedGrid),
    "luck": _answer("luck", explained.Luck),
    "decided": _answer("decided", explained.Decided),
    "choices": _answer("choices", explained.Choices),
    "audit": _answer("audit", explained.Audit),
    "sensitivity": _answer("sensitivity", designed.Sensitivity),
    "doubts": _answer("doubts", designed.Doubts),
    "solve": _answer("solve", designed.Solution),
    "train": _answer("train", designed.Trained),
    "check": _answer("check", held.Check),
    "check-plan": _answer("check --plan", held.Plan),
    "accept": _answer("accept", held.Accept),
    "check-game": _answer("check-game", held.CheckGame | held.CheckGames),
    "history": _answer("history", held.History),
    "bisect": _answer("bisect", held.Bisect),
    "list": _answer("list", kept.AllGames | kept.GameNumbers | kept.ListedScenario | kept.Inside),
    "play": _answer("play", tabletop.LeftGame | tabletop.PlayedGame),
    "fit": _answer("fit", tabletop.Fitted),
    "run-as": _answer("run --as", tabletop.AsRun | tabletop.AsGrid),
    "compare-as": _answer("compare --as", tabletop.AsCompared | tabletop.AsComparedGrid),
    "fit-file": Form("the file of a fit, which is YAML", partial(_typed, tabletop.FitFile)),
    "warm": _answer("warm", kept.Warm),
    "result": Form(
        "a line of a result file, opened, or of rows.json: the first, or a cell",
        partial(_typed, kept.ResultHead | kept.ResultCell),
        result_file.SCHEMA,
    ),
    "result-whole": Form(
        "a result in one object: result.json.gz of a report, opened, and results of schema 1",
        partial(_typed, kept.WholeResult),
        result_file.SCHEMA,
    ),
    "manifest": Form("manifest.json of a report", partial(_typed, kept.Manifest)),
    "baseline": Form("a baseline, which is TOML", partial(_typed, kept.Baseline)),
    "player": Form(
        "a player file, which is YAML", lambda: model_schema(PlayerFile, "hardmode player")
    ),
    "scenario": Form("a scenario, which is YAML", written.scenario_schema),
    "box": Form("the box of a game, which is YAML", written.box_schema),
    "own-box": Form("a box of one's own, which is YAML", written.own_box_schema),
}


def file_of(name: str) -> Path:
    return HERE / f"{name}-{FORMS[name].version}.schema.json"


def made(name: str) -> dict[str, Any]:
    """The schema of a form as its types have it."""
    form = FORMS[name]
    found = form.make()
    if form.says:
        found = _saying(found, name, form.version)
    head = {
        "$schema": DIALECT,
        "$id": f"urn:hardmode:{name}:{form.version}",
        "title": f"hardmode {name}",
        "description": form.about[:1].upper() + form.about[1:],
    }
    return {**head, **{key: value for key, value in found.items() if key not in head}}


def _saying(found: dict[str, Any], name: str, version: int) -> dict[str, Any]:
    """The schema of an answer, which says first what it is."""
    said = {"hardmode": {"const": name}, "schema": {"const": version}}
    inner = {
        key: value for key, value in found.items() if key not in ("$defs", "title", "description")
    }
    defs = {"$defs": found["$defs"]} if "$defs" in found else {}
    return {
        **defs,
        "allOf": [{"type": "object", "properties": said, "required": list(said)}, inner],
    }


def text(name: str) -> str:
    return schema_text(made(name))
