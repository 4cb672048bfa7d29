"""Pytest plugin: `pytest --hardmode SCENARIO`, and `assert_win_rate(...)` in a test.

Pytest loads this module whenever hardmode is installed, so everything else is imported when it is
used.
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from hardmode.scenarios.expect import ExpectedRange
    from hardmode.studies.gate.checks import GateCheck, GateFinding
    from hardmode.studies.gate.expectation_checks import ExpectationCheck
    from hardmode.studies.gate.lazy_games import LazyGames
    from hardmode.studies.stats.bounds import RateBounds

PROPERTY = "hardmode verdict"  # of a test report
MESSAGES = pytest.StashKey[list[str]]()  # that hardmode logged for users in this run


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of hardmode."""
    group = parser.getgroup("hardmode", "check board games against baselines and expectations")
    group.addoption(
        "--hardmode",
        action="append",
        default=[],
        metavar="SCENARIO",
        help="A scenario file, a shipped name or a glob of either, which is checked as hardmode "
        "check does. May be repeated.",
    )
    parser.addini(
        "hardmode_scenarios",
        "The scenarios that are checked in every run, one on each line: files (relative to the "
        "root of the tests), shipped names or globs.",
        type="linelist",
        default=[],
    )
    group.addoption(
        "--hardmode-margin",
        type=float,
        metavar="POINTS",
        help="Changes of the win rate by fewer points do not matter. (default: 1, more where few "
        "games are played)",
    )
    group.addoption(
        "--hardmode-expect-only",
        action="store_true",
        help="Check only the expectations (expect:), without baselines.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect the messages that hardmode logs, for the summary."""
    from hardmode.sim.messages import LOGGER, MessageHandler

    messages: list[str] = []
    config.stash[MESSAGES] = messages
    handler = MessageHandler(messages.append)
    LOGGER.addHandler(handler)
    config.add_cleanup(partial(LOGGER.removeHandler, handler))


class ScenarioSuite(pytest.Collector):
    """Collector of the checks of all scenarios."""

    def collect(self) -> Iterator[pytest.Item]:
        """Return nothing: the checks are added to the collected items."""
        return iter(())


class ScenarioCheck(pytest.Item):
    """Test item for one check of a scenario."""

    def __init__(self, *, evaluate: Callable[[], GateFinding], **arguments: Any) -> None:
        super().__init__(**arguments)
        self.evaluate = evaluate

    def runtest(self) -> None:
        """Evaluate the check, and fail with its finding."""
        from hardmode.reports.gate.verdicts import EXIT_CODES, format_finding

        finding = self.evaluate()
        text = f"{finding.verdict}: {format_finding(finding)}"
        self.add_report_section("call", "hardmode", text)
        self.user_properties.append((PROPERTY, finding.verdict))
        if finding.verdict in EXIT_CODES:
            pytest.fail(text, pytrace=False)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return the title of the item: pytest would cut names with dots."""
        return self.path, None, f"hardmode {self.name}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add an item for each check of the given scenarios."""
    names = [
        *_expand_globs(config.getini("hardmode_scenarios"), config.rootpath),
        *_expand_globs(config.getoption("hardmode"), config.invocation_params.dir),
    ]
    if not names:
        return
    suite = ScenarioSuite.from_parent(session, name="hardmode", nodeid="hardmode")
    for name, evaluate in _list_checks(names, config):
        items.append(ScenarioCheck.from_parent(suite, name=name, evaluate=evaluate))


def _expand_globs(names: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield scenarios for names and globs. A glob matches files and shipped names.

    Raises:
        pytest.UsageError: A glob matches nothing.
    """
    for name in names:
        if not set("*?[") & set(name):
            yield str(folder / name) if (folder / name).exists() else name
            continue
        from hardmode.scenarios.load import list_scenario_files

        files = [p for p in folder.glob(name) if p.suffix in (".yaml", ".yml") and p.stem != "box"]
        matches = [*map(str, sorted(files)), *fnmatch.filter(list_scenario_files(), name)]
        if not matches:
            raise pytest.UsageError(f"hardmode: no scenario matches {name}")
        yield from matches


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the number of checks with each verdict, and the messages of hardmode."""
    verdicts: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                properties = report.user_properties
                verdicts.update(value for name, value in properties if name == PROPERTY)
    messages: list[str] = config.stash[MESSAGES]
    if verdicts or messages:
        terminalreporter.section("hardmode")
    if verdicts:
        counts = [f"{n} {verdict}" for verdict, n in verdicts.most_common()]
        terminalreporter.line(", ".join(counts))
    for message in dict.fromkeys(messages):
        terminalreporter.line(f"note: {message}")


def _list_checks(
    names: Sequence[str], config: pytest.Config
) -> Iterator[tuple[str, Callable[[], GateFinding]]]:
    """Yield all checks by a unique name. They share the permitted error."""
    from hardmode.reports.gate.verdicts import make_unique_titles
    from hardmode.studies.gate.prepare import prepare_run
    from hardmode.studies.gate.run import GateConfig

    points = config.getoption("hardmode_margin")
    gate_config = GateConfig(
        margin=points / 100 if points else None,
        expectations_only=config.getoption("hardmode_expect_only"),
    )
    run = prepare_run(names, gate_config)
    for finding in run.refused:
        yield f"{finding.scenario}: {finding.subject}", partial(_return_finding, finding)
    for scenario in run.scenarios:
        titles = make_unique_titles(scenario.checks)
        for title, check in zip(titles, scenario.checks, strict=True):
            yield f"{scenario.scenario.name}: {title}", partial(run.evaluate_check, check)


def _return_finding(finding: GateFinding) -> GateFinding:
    return finding


def assert_win_rate(
    scenario: str | Path,
    expected: str,
    *,
    sets: Sequence[str] = (),
    strategies: Sequence[Any] = (),
    players: int | None = None,
    games: int = 20_000,
    seed: int | None = None,
    alpha: float = 0.01,
    beta: float = 0.05,
) -> None:
    """Fail the test unless the win rate of each cell of a scenario is in a range.

    Games are played until that is settled. If it is not settled, the test fails, too.

    Args:
        scenario: A scenario file, or a shipped name.
        expected: The range, such as `40% .. 55%` or `> 60%`.
        sets: Changes of numbers, such as `boss.hp=+1`.
        strategies: One strategy for all seats, or one for each.
        players: The number of players.
        games: The largest number of games of a cell.
        seed: The seed. By default, that of the scenario.
        alpha: The largest share of seeds with which a rate inside the range fails.
        beta: The largest share of seeds with which a rate outside the range passes.

    Example:
        >>> assert_win_rate("mine.yaml", "40% .. 55%", sets=["boss.hp=+1"])
    """
    from hardmode.reports.gate.verdicts import EXIT_CODES, format_finding
    from hardmode.scenarios.expect import parse_rate
    from hardmode.scenarios.load import load_scenario
    from hardmode.studies.gate.lazy_games import LazyGames
    from hardmode.studies.gate.run import GateConfig, GateRun, ScenarioChecks

    __tracebackhide__ = True
    loaded = load_scenario(scenario, list(sets), players=players, strategies=list(strategies))
    band = parse_rate(expected)
    if seed is None:
        seed = 1 if loaded.seed is None else loaded.seed
    checks: list[GateCheck] = [
        _make_win_rate_check(loaded.name, LazyGames(cell, seed), band, games)
        for cell in loaded.cells
    ]
    run = GateRun(GateConfig(alpha, beta), [ScenarioChecks(loaded, None, checks)])
    failed = [
        f"{finding.verdict}: {format_finding(finding)}"
        for finding in run.evaluate_all()
        if finding.verdict in EXIT_CODES
    ]
    if failed:
        pytest.fail("\n".join([f"{loaded.name}, {loaded.title}:", *failed]), pytrace=False)


def _make_win_rate_check(
    scenario: str, games: LazyGames, band: ExpectedRange, max_games: int
) -> ExpectationCheck:
    """Return the check that the win rate of one cell is in a range."""
    from hardmode.studies.gate.expectation_checks import ExpectationCheck
    from hardmode.studies.stats.bounds import RateBounds
    from hardmode.studies.stats.sequential import plan_looks

    def bound_win_rate(n: int) -> RateBounds:
        return RateBounds(games.count_wins(n), n)

    return ExpectationCheck(
        scenario=scenario,
        cell=games.cell.label_text,
        label=games.cell.label,
        subject=f"win rate {band}",
        looks=plan_looks(max_games),
        band=band,
        bounds_of_first=bound_win_rate,
        games=games,
    )


@pytest.fixture(name="assert_win_rate")
def provide_assert_win_rate() -> Callable[..., None]:
    """Return `assert_win_rate`, for tests that do not import it."""
    return assert_win_rate
