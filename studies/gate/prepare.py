"""Preparing a run of the gate: scenarios are loaded and matched with their baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardmode.scenarios.load import Scenario, list_scenario_files, load_scenario
from hardmode.sim.draws import SCHEME
from hardmode.sim.files.paths import shorten_path
from hardmode.studies.gate import baselines
from hardmode.studies.gate.accept import label_to_plain
from hardmode.studies.gate.baseline_check import (
    BaselineCheck,
    choose_margin,
    count_sufficient_games,
    list_looks,
)
from hardmode.studies.gate.baselines import Baseline, BaselineError
from hardmode.studies.gate.checks import BASELINE, GateCheck
from hardmode.studies.gate.expectation_checks import make_expectation_checks
from hardmode.studies.gate.lazy_games import LazyGames
from hardmode.studies.gate.run import (
    REFUSAL_ERRORS,
    GateConfig,
    GateRun,
    ScenarioChecks,
    make_refusal,
)

DEFAULT_BUDGET = 20_000  # games of a cell if neither the baseline nor the scenario has a number
MAX_NAMED_CELLS = 3  # missing or new cells that a message names


def prepare_run(names: Sequence[str], config: GateConfig) -> GateRun:
    """Return a run of these scenarios, or of all shipped ones with a baseline. Nothing is played.

    Args:
        names: Names or files of scenarios; none for all that are shipped.
        config: How the run judges.
    """
    run = GateRun(config)
    for name in dict.fromkeys(names) if names else _list_shipped(run):
        try:
            scenario_checks = _load_checks(name, run)
            if names and not scenario_checks.checks:
                raise BaselineError("it has no `expect:`, so there is nothing to hold it to")
        except REFUSAL_ERRORS as error:
            run.refused.append(make_refusal(name, error))
            continue
        _add_once(run, scenario_checks)
    if not run.checks and not run.refused:
        _refuse(run, "all shipped", "nothing is expected of any shipped scenario")
    return run


def _add_once(run: GateRun, scenario_checks: ScenarioChecks) -> None:
    """Add a scenario to a run, unless its file is already there under another name."""
    scenario = scenario_checks.scenario
    if any(s.scenario.file.resolve() == scenario.file.resolve() for s in run.scenarios):
        return
    run.scenarios.append(scenario_checks)
    if scenario.overlay:
        run.notes.append(f"{scenario.name} is played {scenario.overlay.description}")


def _refuse(run: GateRun, name: str, message: str) -> None:
    run.refused.append(make_refusal(name, BaselineError(message)))


def _list_shipped(run: GateRun) -> list[str]:
    """Return the shipped scenarios to judge; refuse baselines whose scenario is gone."""
    if run.config.box:
        _refuse(run, "--box", "say which scenarios are played with this box")
        return []
    files = list_scenario_files()
    if run.config.expectations_only:
        return list(files)
    accepted = [n for n, file in files.items() if baselines.locate_baseline(file).exists()]
    missing = len(files) - len(accepted)
    if not accepted:
        _refuse(
            run,
            "all shipped",
            "no shipped scenario has a baseline; "
            'hardmode accept --all-shipped --reason "..." records them',
        )
    elif missing:
        have = "scenarios have" if missing > 1 else "scenario has"
        run.notes.append(f"{missing} shipped {have} no baseline")
    for folder in {file.parent for file in files.values()}:
        for path in sorted((folder / baselines.FOLDER).glob(f"*{baselines.SUFFIX}")):
            if not any(file.exists() for file in baselines.list_possible_scenarios(path)):
                _refuse(run, shorten_path(path), "its scenario is gone; remove the baseline")
    return accepted


def _load_checks(name: str, run: GateRun) -> ScenarioChecks:
    """Return all checks of a scenario."""
    config = run.config
    scenario = load_scenario(name, box=config.box)
    baseline = None if config.expectations_only else _load_baseline(scenario, config)
    seed = baseline.seed if baseline else scenario.seed
    cells = [LazyGames(cell, 1 if seed is None else seed, stop=run.stop) for cell in scenario.cells]
    checks: list[GateCheck] = []
    budget = config.games
    if baseline:
        checks += _make_baseline_checks(scenario, baseline, cells, run)
        budget = budget or baseline.paired
    if scenario.expect:
        budget = budget or scenario.games or DEFAULT_BUDGET
        checks += make_expectation_checks(scenario.name, scenario.expect, cells, budget)
    return ScenarioChecks(scenario, baseline, checks)


def _load_baseline(scenario: Scenario, config: GateConfig) -> Baseline:
    path = baselines.locate_baseline(scenario.file, config.box)
    words = f"{scenario.name} --box {config.box}" if config.box else scenario.name
    baseline = baselines.read_baseline(path, words)
    _check_comparable(scenario, baseline)
    return baseline


def _make_baseline_checks(
    scenario: Scenario, baseline: Baseline, cells: Sequence[LazyGames], run: GateRun
) -> Iterator[GateCheck]:
    margin = choose_margin(baseline.looks, run.config.beta, run.config.margin)
    sufficient_games = count_sufficient_games(baseline.looks, run.config.beta, margin)
    for games, accepted in zip(cells, baseline.cells, strict=True):
        if len(accepted.won) != games.sides:
            raise BaselineError(
                f"the number of sides that can win is {games.sides}, and {len(accepted.won)} in "
                f'the baseline; hardmode accept {scenario.name} --reason "..." records a new one'
            )
        yield BaselineCheck(
            scenario=scenario.name,
            cell=games.cell.label_text,
            label=games.cell.label,
            subject=BASELINE,
            looks=list_looks(baseline, run.config.games),
            margin=margin,
            baseline=baseline,
            accepted=accepted,
            games=games,
            fresh_games=LazyGames(
                games.cell, baseline.seed, first_game=baseline.games, stop=run.stop
            ),
            sufficient_games=sufficient_games,
        )


def _check_comparable(scenario: Scenario, baseline: Baseline) -> None:
    """Check that the games of a scenario can be compared with those of its baseline.

    Raises:
        BaselineError: Its game, draws, rules version or cells are others.
    """
    game = scenario.game
    advice = f'hardmode accept {scenario.name} --reason "..." records a new one'
    if baseline.game != game.name:
        raise BaselineError(
            f"the baseline is of the game {baseline.game}, the scenario of {game.name}; {advice}"
        )
    if baseline.scheme != SCHEME:
        raise BaselineError(
            f"the baseline was drawn by scheme {baseline.scheme}, this version draws by {SCHEME}: "
            f"no game can be the same; {advice}"
        )
    if baseline.version != game.version:
        raise BaselineError(
            f"the baseline is of rules version {baseline.version}, the rules are version "
            f"{game.version}: they are declared to play differently; {advice}"
        )
    differences = _compare_cells(scenario, baseline)
    if differences:
        raise BaselineError(f"the cells are not those accepted: {', '.join(differences)}; {advice}")


def _compare_cells(scenario: Scenario, baseline: Baseline) -> list[str]:
    """Return how the cells of a scenario differ from those of its baseline; nothing if equal."""
    accepted = [cell.label for cell in baseline.cells]
    present = [label_to_plain(cell.label) for cell in scenario.cells]
    if accepted == present:
        return []
    new = []
    gone = []
    for cell, label in zip(scenario.cells, present, strict=True):
        if label not in accepted:
            new.append(f"{cell.label_text or 'the one cell'} has no baseline")
    for accepted_cell in baseline.cells:
        if accepted_cell.label not in present:
            gone.append(f"{accepted_cell.cell or 'the one cell'} of the baseline is gone")
    return [*new[:MAX_NAMED_CELLS], *gone[:MAX_NAMED_CELLS]] or ["another order"]
