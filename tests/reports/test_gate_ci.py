"""Where CI looks: JUnit that parses, a summary that fits, JSON alone on stdout, a line per scenario; and pytest."""

import json
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from gatehouse import copied, hardmode, home  # noqa: F401

from hardmode.reports.gate import ci_files, verdicts
from hardmode.sim.contract import discovery
from hardmode.studies.gate import accept as accepting
from hardmode.studies.gate.checks import GateFinding
from hardmode.studies.gate.run import GateConfig, GateRun
from hardmode.studies.stats.estimates import Estimate

pytest_plugins = ["pytester"]
ROOT = str(Path(__file__).parents[2])


@pytest.fixture
def mixed(home):  # noqa: F811
    """One scenario of each kind: fine, moved, missed, inconclusive, refused, a grid with one cell that moved."""
    texts = {
        "fine": ("players: 2", "players: 2"),
        "moved": ("players: 2", "rules: {way: 13}"),
        "missed": ("players: 2", "expect: {rounds: 1 .. 2, win_rate: 40% .. 55%}"),
        "open": ("players: 2", "expect: {rounds: 6.07 .. 6.09}"),
        "cells": ("sweep: {setup.beast: all}", "sweep: {setup.beast: all}\nrules: {bite.owl: 3}"),
    }
    for name, (before, after) in texts.items():
        (home / f"{name}.yaml").write_text(before)
        accepting.accept_scenario(f"lantern/{name}", "as it was", games=3000)
        (home / f"{name}.yaml").write_text(after)
    return [*(f"lantern/{name}" for name in texts), "lantern/nothing"]


def test_a_line_for_each_scenario_and_for_what_is_not_fine(mixed, hardmode):  # noqa: F811
    lines = [line.split() for line in hardmode("check", *mixed).out.splitlines()]
    first = {line[1]: line[0] for line in lines if line[1:] and line[1].startswith("lantern/")}
    assert first == {
        "lantern/fine": "IDENTICAL",
        "lantern/moved": "CHANGED",
        "lantern/missed": "IDENTICAL",
        "lantern/open": "IDENTICAL",
        "lantern/cells": "CHANGED",
        "lantern/nothing": "REFUSED",
    }
    said = hardmode("check", "lantern/cells").out
    assert "1 CHANGED, 2 IDENTICAL" in said and "beast owl: " in said and "beast wolf" not in said
    said = hardmode("check", "lantern/cells", "--verbose").out
    assert all(f"beast {beast}: " in said for beast in ("wolf", "owl", "bear"))


def test_junit_is_what_ci_servers_read(mixed, hardmode, tmp_path):  # noqa: F811
    file = tmp_path / "check.xml"
    said = hardmode("check", *mixed, "--junit", file)
    root = ET.parse(file).getroot()
    assert root.tag == "testsuites" and said.code == 2
    cases = root.findall("testsuite/testcase")
    names = [(c.get("classname"), c.get("name")) for c in cases]
    assert len(set(names)) == len(names) == 1 + 1 + 3 + 2 + 3 + 1
    for suite in root:
        inside = suite.findall("testcase")
        assert int(suite.get("tests")) == len(inside)
        assert int(suite.get("failures")) == len([c for c in inside if c.find("failure") is not None])
        assert int(suite.get("errors")) == len([c for c in inside if c.find("error") is not None])
    bad = {c.find("failure").get("type"): c.find("failure").text for c in cases if c.find("failure") is not None}
    assert set(bad) == {"CHANGED", "MISSED", "INCONCLUSIVE"}
    assert "points (" in bad["CHANGED"] and "games" in bad["CHANGED"] and " (5." in bad["MISSED"]


def test_junit_holds_any_name():
    found = [GateFinding('a<b>&"c"\x00\x1b[31m', "cell", "win rate < 5%", "MISSED", "\ud800 ]]> &amp; \x07", {})] * 2
    root = ET.fromstring(ci_files.render_check_junit(report(found)).encode("utf-8"))
    assert [c.get("name") for c in root.iter("testcase")] == ["cell: win rate < 5%", "cell: win rate < 5% (2)"]


def report(found):
    return verdicts.CheckReport(GateRun(GateConfig()), list(found))


def test_the_summary_has_the_verdicts_first_and_fits(mixed, hardmode, tmp_path):  # noqa: F811
    file = tmp_path / "summary.md"
    hardmode("check", *mixed, "--summary", file)
    lines = file.read_text().splitlines()
    assert lines[0] == "## hardmode: REFUSED" and lines[2].startswith("| verdict | scenario |")
    rows = [line for line in lines if line.startswith("|")][2:]
    assert all(line.count("|") - line.count("\\|") == 6 for line in rows)
    assert rows[0].startswith("| REFUSED ") and "IDENTICAL" in rows[-1]


def test_a_summary_of_thousands_of_cells_stays_below_its_limit():
    one = GateFinding(
        "game/grid",
        "a | cell `of` many_words",
        "baseline",
        "CHANGED",
        "-3.20 points, " * 8,
        {},
        Estimate(-0.03, -0.04, -0.02, 500, 0.99),
        500,
        0.01,
        (0.5, 0.47),
        (3, 19),
    )
    text = ci_files.render_markdown(report(replace(one, scenario=f"game/{i}") for i in range(20_000)))
    assert 800_000 < len(text.encode()) < 1 << 20
    assert "more lines" in text and text.startswith("## hardmode: CHANGED")


def test_json_alone_stands_on_stdout(mixed, hardmode):  # noqa: F811
    said = hardmode("check", *mixed, "--json")
    data = json.loads(said.out)
    assert data["exit"] == said.code == 2 and data["verdict"] == "REFUSED"
    by_name = {s["scenario"]: s for s in data["scenarios"]}
    moved = by_name["lantern/moved"]["findings"][0]
    assert moved["verdict"] == "CHANGED" and moved["low"] <= moved["value"] <= moved["high"] < 0
    assert moved["flips"]["lost"] > moved["flips"]["gained"]
    assert moved["win_rate"]["now"] - moved["win_rate"]["accepted"] == pytest.approx(moved["value"])
    assert data["counts"]["MISSED"] == 1 and data["gate"]["questions"] == 10


def test_where_nothing_can_be_written_it_says_so(mixed, hardmode, tmp_path):  # noqa: F811
    said = hardmode("check", mixed[0], "--junit", tmp_path / "no" / "such" / "x.xml")
    assert said.code == 2 and "cannot be written" in said.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["IDENTICAL", "EQUIVALENT", "MET"], 0),
        (["EQUIVALENT", "CHANGED"], 1),
        (["MISSED", "INCONCLUSIVE"], 1),
        (["MET", "INCONCLUSIVE"], 3),
        (["REFUSED", "CHANGED", "INCONCLUSIVE"], 2),
        ([], 0),
    ],
)
def test_the_worst_word_makes_the_exit_code(words, code):
    assert report(GateFinding("x", "", "baseline", word, "", {}) for word in words).exit_code == code


# -- pytest --------------------------------------------------------------------------------------------------------


@pytest.fixture
def suite(pytester, monkeypatch):
    """A designer's own suite, with Lantern beside it."""
    monkeypatch.setenv(discovery.PATH, str(copied(pytester.path / "games")))
    return pytester


def hold(suite, *args):
    return suite.runpytest_subprocess("-p", "no:cacheprovider", *args)


def test_scenarios_are_held_as_tests(suite, tmp_path):
    suite.makefile(
        ".yaml",
        mine="game: lantern\nplayers: 2\nexpect: {rounds: 1 .. 2, win_rate: 40% .. 55%}\n",
        other="game: lantern\nplayers: 1\n",
    )
    suite.run(
        sys.executable, "-m", "hardmode", "accept", "mine.yaml", "other.yaml", "--reason", "first", "--games", "1500"
    )
    suite.makepyfile("def test_own():\n    pass\n")
    done = hold(suite, "--hardmode", "mine.yaml", "--hardmode", "other.yaml", "-v")
    done.assert_outcomes(passed=4, failed=1)
    done.stdout.fnmatch_lines(
        [
            "*mine*yaml: baseline*PASSED*",
            "*mine*yaml: win rate*PASSED*",
            "*mine*yaml: rounds*FAILED*",
            "*other*yaml: baseline*PASSED*",
            "MISSED: rounds 1 .. 2: 6.* in * games",
        ]
    )
    hold(suite, "--hardmode", "mine.yaml", "-k", "win").assert_outcomes(passed=1, deselected=3)
    hold(suite, "--hardmode", "mine.yaml", "--hardmode-expect-only").assert_outcomes(passed=2, failed=1)


def test_globs_and_the_ini_file_name_scenarios_and_the_summary_tells_verdicts(suite, monkeypatch):
    monkeypatch.setenv("CI", "1")  # lines of the summary are whole
    folder = suite.mkdir("plays")
    for name, band in (("short", "1 .. 2"), ("long", "4 .. 9"), ("box", "never read")):
        (folder / f"{name}.yaml").write_text(f"game: lantern\nplayers: 2\nexpect: {{rounds: {band}}}\n")
    done = hold(suite, "--hardmode", "plays/*.yaml", "--hardmode-expect-only")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["1 MET, 1 MISSED", "FAILED *short*rounds 1 .. 2 - Failed: MISSED: rounds 1 .. 2: 6.*"])
    suite.makeini("[pytest]\nhardmode_scenarios =\n    plays/l*.yaml\n    lantern/h*\n")
    hold(suite, "--hardmode-expect-only").assert_outcomes(passed=2, failed=1)
    wrong = hold(suite, "--hardmode", "plays/x*.yaml")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR and "no scenario matches plays/x" in str(wrong.stderr)


def test_no_warning_of_numba_becomes_an_error(suite, monkeypatch):
    suite.makefile(".yaml", mine="game: lantern\nexpect: {win_rate: 5% .. 95%}\n")
    suite.makepyfile("def test_own(assert_win_rate):\n    assert_win_rate('lantern/home', '40% .. 55%')\n")
    for cache in ("off", ""):
        monkeypatch.setenv("HARDMODE_CACHE", cache)
        hold(suite, "-W", "error", "--hardmode", "mine.yaml", "--hardmode-expect-only").assert_outcomes(passed=2)


def test_what_is_refused_fails(suite):
    suite.makefile(".yaml", mine="game: lantern\nplayers: 2\n")
    done = hold(suite, "--hardmode", "mine.yaml", "--hardmode", "nowhere.yaml")
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(["REFUSED: no baseline*", "REFUSED: *no such file*"])


def test_win_rates_are_asserted(suite):
    suite.makepyfile("""
        import pytest
        from hardmode.reports.pytest_plugin import assert_win_rate as held

        def test_inside(assert_win_rate):
            assert_win_rate("lantern/home", "40% .. 55%")
            assert_win_rate("lantern/light", "> 10%", sets=["way=9"], players=1, games=2000, seed=5)

        def test_outside():
            held("lantern/home", "> 60%")

        def test_unsettled():
            held("lantern/home", "47.1% .. 47.3%", games=1000)

        def test_not_a_band():
            with pytest.raises(ValueError, match="is not a band"):
                held("lantern/home", "much")
    """)
    done = hold(suite)
    done.assert_outcomes(passed=2, failed=2)
    done.stdout.fnmatch_lines(
        [
            "lantern/home, *",
            "MISSED: win rate > 60%: 4?.? % (*) in * games",
            "INCONCLUSIVE: win rate 47.1% .. 47.3%: *; they are used up",
        ]
    )


def test_without_its_flag_the_plugin_does_nothing(suite):
    suite.makepyfile("def test_own():\n    import sys\n    assert 'numba' not in sys.modules\n")
    hold(suite).assert_outcomes(passed=1)


# -- the page and the workflow -------------------------------------------------------------------------------------

PAGE = Path(ROOT, "docs", "gate.md").read_text()


def test_the_page_foretells_what_the_plan_does():
    from hardmode.reports.console.check_plan import format_plan_table
    from hardmode.studies.stats.sequential import Gate, plan_looks
    from hardmode.studies.stats.verdict_chances import compute_verdict_chances

    rows = compute_verdict_chances(Gate(looks=plan_looks(20_000)), [0, 0.01, 0.02, 0.05], discordance=0.1)
    assert re.search("```plan\n(.*?)\n```", PAGE, re.DOTALL)[1] == format_plan_table(rows)
    assert f"fails in {100 * rows[0].changed:.2f} % of cases" in PAGE
    assert f"in {100 * rows[1].equivalent:.2f} % of cases" in PAGE


def test_the_page_knows_how_many_equal_games_are_enough():
    from hardmode.studies.gate.checks import format_margin
    from hardmode.studies.stats.bounds import PairedBounds
    from hardmode.studies.stats.sequential import Gate, plan_looks

    gate = Gate(looks=plan_looks(20_000))
    verdict = next(v for i, n in enumerate(gate.looks) if (v := gate.judge_difference(i, PairedBounds(n, 0, 0))))
    assert (
        f"{verdict.games:,} games end as accepted" in PAGE and f"within {format_margin(verdict.estimate.high)}" in PAGE
    )


def test_what_the_page_types_can_be_typed(hardmode):  # noqa: F811
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) - {
        "--hardmode",
        "--hardmode-margin",
        "--hardmode-expect-only",
    }
    known = hardmode("check", "--help").out + hardmode("accept", "--help").out
    assert len(flags) > 10 and [f for f in flags if f not in known] == []


def test_the_page_names_every_word_and_exit_code():
    assert [word for word in verdicts.VERDICT_ORDER if f"**{word}**" not in PAGE] == [
        "REFUSED"
    ] and "It is REFUSED" in PAGE
    assert verdicts.EXIT_CODES == {"REFUSED": 2, "CHANGED": 1, "MISSED": 1, "INCONCLUSIVE": 3}
