"""For a designer's own suite: `pytest --hardmode SCENARIO`, and `assert_win_rate(...)` in a test.

pytest loads this module whenever hardmode is installed, so all else is imported when it is used.
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

    from hardmode.studies.gate.checks import Finding

PROPERTY = "hardmode verdict"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hardmode", "hold board games to their baselines and expectations")
    group.addoption(
        "--hardmode",
        action="append",
        default=[],
        metavar="SCENARIO",
        help="a scenario file, a shipped name or a glob of either, held as hardmode check does; may be "
        "repeated",
    )
    parser.addini(
        "hardmode_scenarios",
        "scenarios held in every run, one a line: files (from the root of the tests), "
        "shipped names, globs",
        type="linelist",
        default=[],
    )
    group.addoption(
        "--hardmode-margin",
        type=float,
        metavar="POINTS",
        help="a change of the win rate by fewer points "
        "does not matter (default: 1, wider where games are few)",
    )
    group.addoption(
        "--hardmode-expect-only",
        action="store_true",
        help="hold to expect: alone, without baselines",
    )


class Suite(pytest.Collector):
    """The scenarios that are held."""

    def collect(self) -> Iterator[pytest.Item]:
        return iter(())


class HeldQuestion(pytest.Item):
    """One question, asked as a test."""

    def __init__(self, *, answer: Callable[[], Finding], **how: Any) -> None:
        super().__init__(**how)
        self.answer = answer

    def runtest(self) -> None:
        from hardmode.reports.gate.verdicts import EXIT, finding_text

        finding = self.answer()
        text = f"{finding.word}: {finding_text(finding)}"
        self.add_report_section("call", "hardmode", text)
        self.user_properties.append((PROPERTY, finding.word))
        if finding.word in EXIT:
            pytest.fail(text, pytrace=False)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return (
            self.path,
            None,
            f"hardmode {self.name}",
        )  # pytest would take the end of a nodeid for dotted names


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    names = [
        *_found(config.getini("hardmode_scenarios"), config.rootpath),
        *_found(config.getoption("hardmode"), config.invocation_params.dir),
    ]
    if names:
        suite = Suite.from_parent(session, name="hardmode", nodeid="hardmode")
        items += [
            HeldQuestion.from_parent(suite, name=name, answer=answer)
            for name, answer in _questions(names, config)
        ]


def _found(written: Sequence[str], folder: Path) -> Iterator[str]:
    """The scenarios that are meant: a glob is of files, or of shipped names."""
    for name in written:
        if not set("*?[") & set(name):
            yield str(folder / name) if (folder / name).exists() else name
            continue
        from hardmode.scenarios.load import files

        here = sorted(
            p for p in folder.glob(name) if p.suffix in (".yaml", ".yml") and p.stem != "box"
        )
        found = [*map(str, here), *fnmatch.filter(files(), name)]
        if not found:
            raise pytest.UsageError(f"hardmode: no scenario fits {name}")
        yield from found


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How many questions got which verdict."""
    reports = (
        r
        for found in terminalreporter.stats.values()
        for r in found
        if getattr(r, "when", "") == "call"
    )
    words = Counter(word for r in reports for name, word in r.user_properties if name == PROPERTY)
    if words:
        terminalreporter.section("hardmode")
        terminalreporter.line(", ".join(f"{n} {word}" for word, n in words.most_common()))


def _questions(
    names: Sequence[str], config: pytest.Config
) -> Iterator[tuple[str, Callable[[], Finding]]]:
    """Each question by a name of its own; together they share the permitted error."""
    from hardmode.reports.gate.verdicts import titles
    from hardmode.studies.gate.run import Terms, prepare

    margin = config.getoption("hardmode_margin")
    run = prepare(
        names,
        Terms(
            margin=margin / 100 if margin else None,
            expectations_only=config.getoption("hardmode_expect_only"),
        ),
    )
    for finding in run.refused:
        yield f"{finding.scenario}: {finding.about}", lambda finding=finding: finding  # type: ignore[misc]
    for subject in run.subjects:
        for title, question in zip(titles(subject.questions), subject.questions, strict=True):
            yield f"{subject.scenario.name}: {title}", partial(run.answer, question)


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
    """Hold the win rate of a scenario (of each of its cells) to a band such as `40% .. 55%` or `> 60%`.

    It plays until that is settled, `games` of a cell at most. A rate inside fails in at most `alpha` of
    seeds, one outside passes in at most `beta`; what is not settled fails, and says so.
    """
    from hardmode.reports.gate.verdicts import EXIT, finding_text
    from hardmode.scenarios.expect import rate
    from hardmode.scenarios.load import load
    from hardmode.studies.gate.checks import Expected
    from hardmode.studies.gate.lazy_games import Games
    from hardmode.studies.gate.run import HeldScenario, Run, Terms
    from hardmode.studies.stats.bounds import Rate
    from hardmode.studies.stats.sequential import schedule

    __tracebackhide__ = True
    found, band = (
        load(scenario, list(sets), players=players, strategies=list(strategies)),
        rate(expected),
    )
    luck = next(s for s in (seed, found.seed, 1) if s is not None)
    held = [Games(cell, luck) for cell in found.cells]

    def count_wins(cell_games: Games, n: int) -> Rate:
        return Rate(cell_games.wins(n), n)

    run = Run(
        Terms(alpha, beta),
        [
            HeldScenario(
                found,
                None,
                [
                    Expected(
                        found.name,
                        one.cell.label_text,
                        one.cell.label,
                        f"win rate {band}",
                        band,
                        partial(count_wins, one),
                        one,
                        schedule(games),
                    )
                    for one in held
                ],
            )
        ],
    )
    wrong = [f"{f.word}: {finding_text(f)}" for f in run.findings() if f.word in EXIT]
    if wrong:
        pytest.fail("\n".join([f"{found.name}, {found.title}:", *wrong]), pytrace=False)


@pytest.fixture(name="assert_win_rate")
def _assert_win_rate() -> Callable[..., None]:
    """`assert_win_rate` without an import."""
    return assert_win_rate
