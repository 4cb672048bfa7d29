"""From a scenario to results: engines are built, cells are played, files go on where they stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.scenarios.custom_content import is_added
from hardmode.scenarios.load import Playable, Scenario, StrategySpec, Variant, as_scenario, variant
from hardmode.scenarios.variant import game_of
from hardmode.sim.contract import Game
from hardmode.sim.contract.discovery import GameNotFound
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.storage import folder as folder_of
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.backends import crew, side_by_side
from hardmode.sim.play.engine import Engine, Player
from hardmode.sim.play.run import Played, Runner, Writes, interruptible
from hardmode.sim.results import rows as rows_of
from hardmode.sim.results.result import Result, ResultError, merged, rules_digests, why_not_same
from hardmode.sim.results.result_file import Growing, load
from hardmode.sim.results.rows import Rows
from hardmode.sim.results.tally import DAMAGE, Tally
from hardmode.strategies import registry
from hardmode.strategies.mistakes import CARELESS, Slips
from hardmode.studies.comparison.rank import Won, ranking
from hardmode.studies.core.metric import win_rate
from hardmode.studies.core.progress import Progress, counted, part, silent, together
from hardmode.studies.core.results import Results
from hardmode.studies.training import certificate_check

GAMES = 10_000
MOST = 100_000_000  # with a precision asked for and no number of games
OWN_SEED = -1  # the seed that the scenario asks for, else 1


class NotKept(OutputError):
    """Games were played that could not be written down; `results` holds them all the same."""

    def __init__(self, why: str, results: Results) -> None:
        super().__init__(why)
        self.results = Results((r for r in results if r.games), results.confidence)


@dataclass(frozen=True)
class Effort:
    """How much is played: games 0..games-1 of a seed, or fewer when the win rate is known well enough."""

    games: int = GAMES
    first: int = 0
    seed: int = OWN_SEED
    until: float | None = None  # half the width of the interval of the win rate
    confidence: float = 0.95
    threads: int = 0
    chunk: int = 0

    def on(self, scenario: Scenario | None) -> Effort:
        """With the seed that is meant, the scenario's own where none is asked for."""
        own = scenario.seed if scenario and scenario.seed is not None else 1
        return replace(self, seed=own) if self.seed == OWN_SEED else self

    def changed(self, **given: Any) -> Effort:
        """With what was given instead; what is None was not."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})


def usual(scenario: Scenario, until: float | None) -> Effort:
    """What is played of a scenario when nobody says how much."""
    return Effort(scenario.games or (MOST if until else GAMES), until=until)


def players(variant: Variant) -> list[Player]:
    """The players at the seats of a variant."""
    return [player(variant.game.name, s) for s in variant.strategies]


def player(game: str, s: StrategySpec) -> Player:
    certificate_check.note(game, s.full_name)
    return registry.player(
        game,
        s.full_name,
        s.weights,
        playouts=s.playouts or 0,
        search=s.search,
        slips=s.slips.share if s.slips else None,
        careless=s.slips.by if s.slips else CARELESS,
    )


def engine(variant: Variant, who: Sequence[Player] = ()) -> Engine:
    """A variant ready to play; it holds the box as long as it lives."""
    return Engine(variant.game, variant.box, who or players(variant))


def unplayed(scenario: Scenario, variant: Variant, who: Sequence[Player], seed: int) -> Result:
    """The result of no game yet: all provenance, an empty tally."""
    specs = [_written(s, p) for s, p in zip(variant.strategies, who, strict=True)]
    resting = variant.assumed
    return Result(
        variant.game,
        scenario.name,
        variant.title,
        dict(variant.label),
        variant.numbers,
        specs,
        seed,
        {**rules_digests(variant.game, who), **variant.digests},
        {"assumed": resting.standing, "total": resting.leaves},
        Tally(variant.game),
        box=variant.provenance,
    )


def _written(s: StrategySpec, p: Player) -> dict[str, Any]:
    """A player as a result names it."""
    return {
        "name": s.name,
        "weights": s.weights,
        "playouts": s.playouts,
        "search": s.search,
        "file": str(s.file) if s.file else None,
        "plays": p.name,
        "values": list(p.weights),
        "slips": p.slips,
        "careless": p.careless.name if p.careless else None,
    }


def _meant(written: dict[str, Any]) -> StrategySpec:
    """The player of a result, which may come from before there were slips."""
    s = {"slips": 0.0, "careless": None, **written}
    return StrategySpec(
        str(s["name"]),
        s["weights"],
        s["playouts"],
        s["search"],
        Path(s["file"]) if s["file"] else None,
        Slips(s["slips"], s["careless"] or CARELESS),
    )


def play(
    what: Playable,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    until: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    confidence: float | None = None,
    out: str | Path | None = None,
    rows: str | Path | None = None,
    progress: Progress = silent,
) -> Results:
    """Play every cell of a scenario, and print what it returns to read what came of it.

    `what` is a shipped name, a path, a dict, or what `load` or `variant` returned. How much is played is said by an
    `Effort`, or by its parts: `play("woodlands/classic", games=50_000)`, or `until=0.002` for a win rate that is known
    to within 0.2 points. With `out`, a result file is kept and gone on from; with `rows`, each game becomes a row of
    Parquet in that folder, or at an address such as "s3://bucket/folder". When either cannot be written any more,
    `NotKept` is raised, with what was played.
    """
    scenario = as_scenario(what)
    effort = (
        (effort or usual(scenario, until))
        .changed(games=games, until=until, seed=seed, threads=threads, confidence=confidence)
        .on(scenario)
    )
    file, folder = Growing(Path(out), _game) if out else None, folder_of(rows) if rows else None
    grid = len(scenario.cells) > 1
    if folder:
        rows_of.ready(folder, grid)
    done, won = Results(confidence=effort.confidence), list[Won]()
    all_cells = len(scenario.cells)
    abreast = min(all_cells, crew(effort.threads).abreast)
    step_of = together(progress, all_cells)

    def jobs() -> Iterator[Job]:
        for i, (result, cell, who) in enumerate(_cells(scenario, effort, file)):
            inside = folder.inside(f"cell-{i + 1:03d}") if folder and grid else folder
            done.append(result)
            won.append(Won(cell.game, effort.first, Rows(inside, result) if inside else None))
            yield Job(i, result, cell, who, won[i] if grid else won[i].rows)

    def play_on(job: Job) -> None:
        step = (
            part(progress, job.at, all_cells, job.cell.label_text)
            if abreast == 1
            else step_of(job.at, job.cell.label_text)
        )
        try:
            _run(job, effort, lambda: file.keep(done, job.at) if file else None, step)
        except OutputError as why:
            raise NotKept(str(why), done) from None

    with _kept(file, done), interruptible() if abreast > 1 else nullcontext():
        for job in side_by_side(play_on, jobs(), abreast):
            if job.result.interrupted:
                break
    done.ranking = ranking(done, won, effort.confidence) if grid else None
    return done


@contextmanager
def _kept(file: Growing | None, done: Results) -> Iterator[None]:
    """Whatever happens, all that was done is kept."""
    try:
        yield
    finally:
        try:
            if file:
                file.write()
        except OutputError as why:
            raise NotKept(str(why), done) from None


class Job(NamedTuple):
    """A cell that is to be played."""

    at: int
    result: Result
    cell: Variant
    who: list[Player]
    rows: Writes | None


def _run(job: Job, effort: Effort, keep: Callable[[], None], progress: Progress) -> None:
    """Play one cell on; its engine and box are given back when it is done."""
    result, made = job.result, engine(job.cell, job.who)

    def kept(now: Played) -> None:
        result.ranges, result.seconds, result.interrupted = now.ranges, now.seconds, now.interrupted
        keep()

    runner = Runner(made, effort.seed, threads=effort.threads, chunk=effort.chunk, rows=job.rows)
    played = Played(result.tally, result.ranges, result.seconds)
    try:
        runner.run(
            played,
            effort.games,
            first=effort.first,
            enough=enough(effort),
            save=kept,
            progress=counted(progress, "", effort.games),
        )
    finally:
        result.ranges, result.seconds = played.ranges, played.seconds


def enough(effort: Effort) -> Callable[[Tally], bool] | None:
    """Whether the win rate is known as well as was asked."""
    precision = effort.until
    if precision is None:
        return None

    def known(tally: Tally) -> bool:
        rate = win_rate(tally, effort.confidence)
        return (rate.high - rate.low) / 2 <= precision

    return known


def _cells(
    scenario: Scenario, effort: Effort, file: Growing | None
) -> Iterator[tuple[Result, Variant, list[Player]]]:
    earlier = file.results if file else []
    for i, cell in enumerate(scenario.cells):
        who = players(cell)
        result = unplayed(scenario, cell, who, effort.seed)
        if i < len(earlier):
            why = why_not_same(earlier[i], result)
            if why:
                raise ResultError(
                    f"{file and file.path} holds another result and is left alone ({why}); give another "
                    "-o FILE"
                )
            result = earlier[i]
        yield result, cell, who


def merge(files: Sequence[Path]) -> Results:
    """The sum of result files, cell by cell."""
    parts = [_load(f) for f in files]
    empty = next((f for f, p in zip(files, parts, strict=True) if not p), None)
    if empty:
        raise ResultError(f"{empty}: a result of nothing: it holds no cells")
    if len({len(p) for p in parts}) > 1:
        raise ResultError(
            "these files hold grids of different sizes: "
            + ", ".join(f"{f} {len(p)}" for f, p in zip(files, parts, strict=True))
        )
    try:
        return Results(reduce(merged, cells) for cells in zip(*parts, strict=True))
    except ResultError as why:
        raise ResultError(f"{', '.join(map(str, files))}: {why}") from None


def reproduce(
    file: Path, threads: int = 0, progress: Progress = silent, *, trust: bool = False
) -> list[dict[str, Any]]:
    """Play the games of a result file again, and say for each cell whether they end the same.

    A result may name a file of code that played it. That is imported, which is to run it, with `trust` alone: a seal
    says that the file is as it was written, not by whom.
    """
    saved = _load(file)
    if not any(one.games for one in saved):
        raise ResultError(f"{file}: a result of nothing: there are no games to play again")
    played = [_specs(one, file) for one in saved]
    code = dict.fromkeys(at for specs in played for at in map(_code, specs) if at)
    if code and not trust:
        raise ResultError(
            f"{file}: to play it again is to run the code in {', '.join(code)}; read that, and say "
            "--trust"
        )
    return [
        _again(one, specs, threads, part(progress, i, len(saved)))
        for i, (one, specs) in enumerate(zip(saved, played, strict=True))
    ]


def _load(file: Path) -> list[Result]:
    return [_as_named(result) for result in load(file, _game)]


def _as_named(saved: Result) -> Result:
    """The result with the names of the content that a box of one's own added."""
    if not any(map(is_added, saved.changed)):
        return saved
    game = variant(saved.game.name, rules=saved.changed).game
    return replace(saved, game=game, tally=replace(saved.tally, game=game))


def _game(name: str) -> Game:
    try:
        return game_of(name)
    except ScenarioError as why:
        raise GameNotFound(str(why)) from None


def _specs(saved: Result, file: Path) -> list[StrategySpec]:
    """Who played a result, as a scenario would name them."""
    try:
        return [_meant(s) for s in saved.strategies]
    except DAMAGE as why:
        raise ResultError(f"{file}: the file is damaged: {type(why).__name__} {why}") from None


def _code(spec: StrategySpec) -> str:
    """The file of code that playing this strategy runs; nothing for one that hardmode or an installed game ships."""
    return str(spec.file) if spec.file else spec.name if ".py" in spec.name else ""


def _again(
    saved: Result, specs: Sequence[StrategySpec], threads: int, progress: Progress
) -> dict[str, Any]:
    cell = variant(saved.game.name, rules=saved.changed, strategies=specs)
    made = engine(cell)
    now = {**rules_digests(made.game, made.players), **cell.digests}
    played = Played(Tally(saved.game))
    runner = Runner(made, saved.seed, threads=threads)
    for lo, hi in saved.ranges:
        runner.run(played, hi - lo, first=lo, progress=counted(progress, saved.name, saved.games))
        if played.interrupted:
            raise KeyboardInterrupt
    digest = f"{played.tally.digest:016x}"
    return {
        "name": saved.name,
        "games": played.games,
        "saved": saved.outcome_digest,
        "now": digest,
        "same": digest == saved.outcome_digest,
        "changed_since": sorted(
            [k for k in now if now[k] != saved.digests.get(k)] + _other_weights(saved, made)
        ),
    }


def _other_weights(saved: Result, made: Engine) -> list[str]:
    """Weights are no code: those of a player file or a strategy may be others than when the games were saved."""
    then, now = ([s["values"] for s in saved.strategies], [list(p.weights) for p in made.players])
    return ["weights"] if then != now else []
